"""What a commit passes is what `run.py lint` knows, at the versions of the locks."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CONFIG = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")


@pytest.fixture
def script() -> Any:
    spec = importlib.util.spec_from_file_location("qipai_run", ROOT / "run.py")
    assert spec
    assert spec.loader
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_every_hook_is_a_check_that_there_is(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def run(*words: object, **_: object) -> int:
        asked.append([str(word) for word in words])
        return 0

    monkeypatch.setattr(script, "run", run)
    entries = re.findall(r"^ +entry: (.*)$", CONFIG, re.MULTILINE)
    assert all(entry.startswith("python3 run.py lint ") for entry in entries)
    names = [entry.split()[-1] for entry in entries]
    assert names == ["ruff", "format", "mypy", "imports", "schema", "client"]
    assert script.lint(names) == 0
    for command in asked:
        assert Path(command[0]).is_relative_to(ROOT / ".venv")
        if "-m" in command:
            assert importlib.util.find_spec(command[command.index("-m") + 1]), command
        elif not command[0].endswith(Path(sys.executable).name):
            assert Path(command[0]).is_file(), command
        else:
            assert (ROOT / command[1]).is_file(), command
    everything = list(asked)
    asked.clear()
    assert script.lint([]) == 0
    assert asked == everything


def test_no_version_is_pinned_twice() -> None:
    assert "rev:" not in CONFIG
    assert set(re.findall(r"repo: (\S+)", CONFIG)) == {"local"}


def test_a_check_that_fails_fails_and_the_others_are_told_all_the_same(
    script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def run(*words: object, **_: object) -> int:
        done.append(str(words[-1]))
        return int("mypy" in words)

    monkeypatch.setattr(script, "run", run)
    assert script.lint(["mypy", "imports"]) == 1
    assert len(done) == 2


def test_a_check_that_there_is_not_is_named(script: Any) -> None:
    with pytest.raises(SystemExit, match="There is no check spelling; there are ruff, format, mypy"):
        script.lint(["spelling"])
