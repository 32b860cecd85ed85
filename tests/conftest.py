"""What all tests share. In CI (CI=true) a skipped test is a failed one: what it needs is installed there."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import settings

CI = os.environ.get("CI", "").lower() in ("1", "true")

# The hall runs interpreted kernels, and so do the tests; compiled ones are run in processes of their own.
os.environ.pop("QIPAI_JIT", None)

settings.register_profile("qipai", deadline=None, derandomize=CI, print_blob=True)
settings.load_profile("qipai")


def not_in_ci(report: Any) -> Any:
    """Turn a skip into a failure."""
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid}: nothing may be skipped in CI: {why}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    return not_in_ci((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    return not_in_ci((yield))
