"""`qipai new-game` makes a whole game, in a copy of this checkout: it is checked, played, drawn by the client."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from qipai import games
from qipai.cli import Trouble
from qipai.cli.new_game import make, places

ROOT = Path(__file__).parents[3]
NAME = "stone_age"  # of two words: the class is StoneAge
CI = os.environ.get("CI", "").lower() in ("1", "true")
COPIED = ("src", "docs", "changes", "tests", "client/src", "client/public")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this checkout with a new game."""
    root = tmp_path_factory.mktemp("checkout")
    ignored = shutil.ignore_patterns("__pycache__", "node_modules", ".hypothesis", "img", "assets", "e2e")
    for folder in COPIED:
        shutil.copytree(ROOT / folder, root / folder, ignore=ignored)
    for file in (*ROOT.glob("*.*"), *ROOT.joinpath("client").glob("*.*")):
        if file.is_file():
            shutil.copy(file, root / file.relative_to(ROOT))
    if (tools := ROOT / "client" / "node_modules").is_dir():
        (root / "client" / "node_modules").symlink_to(tools)
    done = qipai(root, "new-game", NAME)
    assert done.returncode == 0, done.stdout + done.stderr
    return root


def started(root: Path, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(root / "src"), "PYTEST_ADDOPTS": ""}
    return subprocess.run(words, cwd=cwd or root, env=env, capture_output=True, text=True, check=False)


def qipai(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return started(root, sys.executable, "-m", "qipai", *words)


def test_it_lacks_nothing(checkout: Path) -> None:
    done = qipai(checkout, "check", NAME)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {line.split()[0] for line in done.stdout.splitlines()} == {"ok"}
    looked = {line.split()[1] for line in done.stdout.splitlines()}
    assert looked == {"entry", "laws", "bots", "sentences", "cases", "spec", "client", "tests", "pages", "kernel"}


def test_what_is_missing_is_told_with_what_to_do(checkout: Path) -> None:
    where = places(checkout, NAME)
    (where[""] / "terminal.py").rename(where[""] / "away.py")
    try:
        done = qipai(checkout, "check", NAME)
    finally:
        (where[""] / "away.py").rename(where[""] / "terminal.py")
    assert done.returncode == 1
    assert done.stdout.startswith("wrong   entry")
    assert done.stdout.rstrip().endswith(f"{NAME}/terminal.py")
    words = where[""] / "lang" / "en.toml"
    text = words.read_text("utf-8")
    words.write_text(text.replace('heap_empty = "', 'heap_void = "'), "utf-8")
    cases, spec = where["outside/cases.jsonl"], where["outside/spec.md"]
    cases.rename(cases.with_suffix(".away"))
    spec.rename(spec.with_suffix(".away"))
    try:
        done = qipai(checkout, "check", NAME)
    finally:
        words.write_text(text, "utf-8")
        cases.with_suffix(".away").rename(cases)
        spec.with_suffix(".away").rename(spec)
    assert done.returncode == 1
    bad = [line for line in done.stdout.splitlines() if not line.startswith("ok")]
    assert [line.split()[:2] for line in bad] == [
        ["missing", "sentences"],  # Chinese lacks what English has
        ["missing", "sentences"],
        ["missing", "cases"],
        ["missing", "spec"],
    ]
    assert "lang/en.toml has no heap_empty" in done.stdout
    assert f"write tests/conformance/{NAME}.jsonl" in done.stdout


def test_a_name_that_the_house_would_never_look_for_is_told(checkout: Path) -> None:
    file = places(checkout, NAME)[""] / "terminal.py"
    text = file.read_text("utf-8")
    file.write_text(text.replace('"mark"', '"marks"').replace("def mark(", "def marks("), "utf-8")
    try:
        done = qipai(checkout, "check", NAME)
    finally:
        file.write_text(text, "utf-8")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [f"wrong   entry      {file} has no mark and has marks: is mark meant?"]


@pytest.mark.slow
def test_its_better_bot_is_better(checkout: Path) -> None:
    done = qipai(checkout, "arena", "steady", "easy", "--game", NAME, "--deals", "20", "--budget", "20")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "steady is stronger than easy" in done.stdout


@pytest.mark.slow
def test_it_passes_what_every_game_passes(checkout: Path) -> None:
    """Of the tests that take every game, those that say something of this one, a table in a hall among them."""
    files = [
        "tests/property/test_laws.py",
        "tests/conformance/test_conformance.py",
        f"tests/unit/games/{NAME}",
        "tests/house/test_random_play.py",
        "tests/house/test_lang.py",
        "tests/house/test_docs.py",
        "tests/unit/web/test_catalog.py",
        "tests/house/client/test_sheets.py",
        "tests/house/client/test_spoken.py",
        "tests/house/client/test_words.py",
        "tests/unit/cli/test_play.py",
        "tests/unit/web/test_replay_frames.py",
        "tests/hall/test_every_game.py",
    ]
    plain = ("-q", "-n0", "-p", "no:cacheprovider", "-k", f"({NAME} or every_sentence_of_real_games) and not compiled")
    done = started(checkout, sys.executable, "-m", "pytest", *plain, *files)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_else_was_touched(checkout: Path) -> None:
    new = [path.relative_to(checkout).as_posix() for path in places(checkout, NAME).values()]
    generated = {"README.md", "README.zh-CN.md", "docs/index.md", "docs/play.md"}
    for folder in (checkout / "src", checkout / "tests", checkout / "docs", checkout / "client" / "src"):
        for file in folder.rglob("*"):
            inside = file.relative_to(checkout).as_posix()
            if not file.is_file() or "__pycache__" in inside or inside.startswith(tuple(new)):
                continue
            if inside in generated or "/web/client/" in inside or ".hypothesis" in inside:
                continue
            assert file.read_bytes() == (ROOT / inside).read_bytes(), inside


@pytest.mark.skipif(not CI, reason="checking the whole client takes long")
def test_the_client_draws_it(checkout: Path) -> None:
    check = ROOT / "client" / "node_modules" / "svelte-check" / "bin" / "svelte-check"
    done = started(checkout, "node", str(check), "--fail-on-warnings", cwd=checkout / "client")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["Nim", "2nim", "_nim", "nim-2", "lambda", "", "gouji", "nim__2"])
def test_a_name_that_cannot_be_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(Trouble):
        make(tmp_path, name)
    assert list(tmp_path.iterdir()) == []


def test_what_stands_there_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "docs" / "spec").mkdir(parents=True)
    (tmp_path / "docs" / "spec" / "nim.md").write_text("mine")
    with pytest.raises(Trouble, match="already"):
        make(tmp_path, "nim")
    assert (tmp_path / "docs" / "spec" / "nim.md").read_text() == "mine"


def test_the_template_is_no_game() -> None:
    assert not [name for name in games.names() if name.startswith("_")]
    with pytest.raises(games.UnknownGame):
        games.find("_template")
