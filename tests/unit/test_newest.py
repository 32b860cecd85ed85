"""`tests/newest.py` fails for what breaks within the ceilings, and for nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests import newest

OFFLINE = "error: Failed to fetch: `https://pypi.org/simple/uvicorn/`"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(newest, "HOME", tmp_path / "newest")
    return tmp_path


def plant(
    monkeypatch: pytest.MonkeyPatch, faults: dict[str, str], versions: dict[str, str], codes: dict[str, int]
) -> list[str]:
    """Let rounds be made, bring versions and pass tests like this; return the rounds whose tests run."""
    ran: list[str] = []

    def run(words: list[Any], **_: Any) -> subprocess.CompletedProcess[str]:
        name = Path(words[0]).parents[1].name
        ran.append(name)
        return subprocess.CompletedProcess(words, codes.get(name, 0), f"{name} has been through", "")

    monkeypatch.setattr(newest, "installed", lambda name, python, beyond: faults.get(name, ""))
    monkeypatch.setattr(newest, "releases", lambda python: versions.get(python.parents[1].name, "as locked"))
    monkeypatch.setattr(subprocess, "run", run)
    return ran


@pytest.mark.parametrize(
    ("faults", "versions", "codes", "ran", "status"),
    [
        ({}, {}, {}, [], 0),
        ({}, {"within": "a==2", "beyond": "a==2"}, {}, ["within"], 0),
        ({}, {"within": "a==2", "beyond": "a==3"}, {}, ["within", "beyond"], 0),
        ({}, {"within": "a==2", "beyond": "a==3"}, {"beyond": 1}, ["within", "beyond"], 0),
        ({}, {"within": "a==2", "beyond": "a==3"}, {"within": 1}, ["within", "beyond"], 1),
        ({"within": OFFLINE, "beyond": OFFLINE}, {"within": "a==2"}, {"within": 1}, [], 0),
        ({"within": "no solution"}, {}, {}, [], 1),
        ({"beyond": "no solution"}, {}, {}, [], 0),
    ],
)
def test_only_what_breaks_within_the_ceilings_fails(
    faults: dict[str, str], versions: dict[str, str], codes: dict[str, int], ran: list[str], status: int,
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    found = plant(monkeypatch, faults, versions, codes)
    assert newest.main() == status
    assert found == ran
    said = capsys.readouterr().out
    assert ("the index cannot be reached" in said) == (OFFLINE in faults.values())
    assert ("reported, no failure" in said) == (codes.get("beyond", 0) == 1)


def test_what_is_tried_is_there() -> None:
    assert all((newest.ROOT / file).is_file() for file in newest.SMOKE)
    text = (newest.ROOT / "pyproject.toml").read_text("utf-8")
    assert all(f'"{name}>=' in text for name in newest.CEILINGS)


def test_the_versions_are_read(home: Path) -> None:
    assert "msgspec==" in newest.releases(Path(sys.executable))
