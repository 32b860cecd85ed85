"""Every case of every file, interpreted here and compiled in a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from qipai import games
from qipai.cli.conform import kinds_of
from qipai.core import conform
from qipai.core.conform import Case, Failure

FILES = sorted(Path(__file__).parent.glob("*.jsonl"))


def cases() -> list[Case | Failure]:
    return [case for file in FILES for case in conform.read(file.read_bytes().splitlines(), file.name)]


def slow(case: Case | Failure) -> bool:
    """A case that takes minutes interpreted is left to the compiled run below."""
    return isinstance(case, Case) and bool(case.given.get("slow"))


@pytest.mark.parametrize("case", [case for case in cases() if not slow(case)], ids=lambda case: case.id)
def test_case(case: Case | Failure) -> None:
    assert isinstance(case, Case), case
    assert conform.run(case, kinds_of) is None, case.why


def test_every_game_has_its_cases_and_every_case_a_name_of_its_own() -> None:
    assert {file.stem for file in FILES} >= set(games.names())
    names = [case.id for case in cases()]
    assert len(names) == len(set(names))


@pytest.mark.compiled
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_compiled_kernels_pass_every_case(file: Path) -> None:
    command = [sys.executable, "-m", "qipai", "conform", "--jit", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    total = len(file.read_text().splitlines())
    closing = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr
    assert re.fullmatch(rf"{total} passed, 0 failed", closing), done.stdout + done.stderr
    assert done.returncode == 0


@pytest.mark.slow
def test_a_case_that_expects_something_else_fails() -> None:
    def passes(case: Case) -> bool:
        wrong = {**case.expect, next(iter(case.expect)): "spoilt"}
        return conform.run(Case(case.id, case.game, case.kind, case.given, wrong), kinds_of) is None

    spoilt = [case for case in cases() if isinstance(case, Case) and isinstance(case.expect, dict) and case.expect]
    spoilt = [case for case in spoilt if not case.given.get("slow")]
    assert spoilt
    assert [case.id for case in spoilt if passes(case)] == []
