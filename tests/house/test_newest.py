"""`tests/newest.py` fails for what a release breaks that no ceiling keeps out, names it, and says what it left out."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests import newest

ROOT = Path(__file__).parents[2]
TEST = "tests/unit/web/test_line.py::test_it"
BROKEN = f"FAILED {TEST}: broken by"
OFFLINE = "WARNING: Retrying (Retry(total=1)) after connection broken\nERROR: No matching distribution found for segno"


class Index:
    """An index, pip and pytest: releases, and what breaks a test."""

    def __init__(
        self, releases: dict[str, str], breaks: tuple[str, ...] = (), wrong: str = "", own_fault: bool = False,
        once: bool = False,
    ) -> None:  # fmt: skip
        self.releases, self.breaks, self.wrong, self.own_fault, self.once = releases, breaks, wrong, own_fault, once
        self.now = dict(releases)
        self.passed: list[list[str]] = []

    def __call__(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        if "pip" in command:
            if self.wrong:
                return subprocess.CompletedProcess(command, 1, "", self.wrong)
            if "--report" in command:
                rows = [{"metadata": {"name": name, "version": one}} for name, one in self.releases.items()]
                Path(command[command.index("--report") + 1]).write_text(json.dumps({"install": rows}))
            else:
                name, version = command[-1].split("==")
                self.now[name] = version
            return subprocess.CompletedProcess(command, 0, "", "")
        self.passed.append(command)
        there = str(newest.HOME) in command[0]
        once = self.once and len(self.passed) == 1
        broken = (
            self.own_fault or once or (there and any(self.now[name] == self.releases[name] for name in self.breaks))
        )
        said = f"FAILED {TEST} - AssertionError\n1 failed in 0.1s" if broken else "12 passed in 0.1s"
        return subprocess.CompletedProcess(command, int(broken), said, "")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newest, "HOME", tmp_path / "newest")
    monkeypatch.setattr("tests.newest.metadata.version", lambda name: "1.0")


@pytest.mark.parametrize(
    ("index", "status", "line"),
    [
        (Index({"starlette": "1.0"}), 0, "uv.lock has them all"),
        (Index({"starlette": "1.1"}), 0, "12 passed"),
        (
            Index({"starlette": "1.1", "segno": "2"}, ("starlette",)),
            1,
            f"FAILED {TEST}: broken by starlette 1.1: AssertionError\n",
        ),
        (Index({"starlette": "1.1", "segno": "2"}, ("starlette", "segno")), 1, "no single release is to blame"),
        (Index({"starlette": "1.1"}, own_fault=True), 1, "with the versions of uv.lock, too"),
        (
            Index({"uvicorn": "9.0"}, ("uvicorn",)),
            0,
            f"{BROKEN} uvicorn 9.0, beyond its ceiling: AssertionError\n",
        ),
        (Index({"uvicorn": "0.49"}, ("uvicorn",)), 1, f"{BROKEN} uvicorn 0.49: AssertionError\n"),
        (Index({"starlette": "1.1"}, once=True), 0, f"once more, alone, it passes: {TEST}: AssertionError\n"),
        (Index({}, wrong="ERROR: ResolutionImpossible"), 1, "could not be tried: ERROR: ResolutionImpossible"),
    ],
)
def test_what_breaks_is_named_and_fails_where_no_ceiling_keeps_it_out(
    index: Index, status: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert newest.main(index) == status
    said = capsys.readouterr().out
    assert line in said
    assert ("the ceilings of pyproject.toml keep these releases out" in said) == (status == 0 and "FAILED" in said)


def test_nothing_is_passed_where_nothing_is_new() -> None:
    index = Index({"starlette": "1.0", "numba": "1.0"})
    assert newest.main(index) == 0
    assert index.passed == []


def test_a_new_numba_compiles() -> None:
    index = Index({"numba": "1.1"})
    assert newest.main(index) == 0
    assert [words[-1] for words in index.passed] == [newest.PARTS[-1], newest.COMPILED]


@pytest.mark.parametrize("ci", [True, False])
def test_without_an_index_nothing_is_tried_and_in_ci_that_fails(
    ci: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(newest, "CI", ci)
    assert newest.main(Index({}, wrong=OFFLINE)) == int(ci)
    said = capsys.readouterr().out
    assert "left out, the package index cannot be reached: ERROR: No matching distribution found for segno" in said
    assert ("In CI nothing may be left out" in said) == ci


def test_ceilings_are_taken_away_and_known() -> None:
    lines, ceilings = newest.wanted((ROOT / "pyproject.toml").read_text("utf-8"))
    assert set(ceilings) == {"uvicorn", "websockets", "numba"}
    assert not any("<" in line for line in lines)
    assert {"numpy>=2", "webauthn>=3", "segno>=1.6"} <= set(lines)
    assert any(line.startswith("uvloop>=") and "sys_platform" in line for line in lines)


def test_what_is_tried_is_there() -> None:
    for part in (*newest.PARTS, newest.COMPILED.partition("::")[0]):
        assert (ROOT / part).exists()
    assert f"def {newest.COMPILED.partition('::')[2]}" in (ROOT / newest.COMPILED.partition("::")[0]).read_text("utf-8")


def test_ci_tries_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def steps(ci: str) -> list[Any]:
        monkeypatch.setenv("CI", ci)
        spec = importlib.util.spec_from_file_location("run_of_ci", ROOT / "run.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return [name for lane in module.lanes() for name, _, _ in lane]

    assert "newest releases" in steps("true")
    assert "newest releases" not in steps("")
