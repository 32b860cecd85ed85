"""Make the folders of a new game in a checkout: a whole small game, nim 拈, to be turned into another.

It is on the tables of a hall and passes all tests at once; then change one file after the other (docs/add-a-game.md).
"""

from __future__ import annotations

import argparse
import keyword
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import qipai
from qipai import games
from qipai.cli import Trouble

__all__ = ["make", "options", "places", "run"]

TEMPLATE: Final = "_template"
NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("name", help="of the game: small letters, digits and _, as in `gouji`")
    parser.add_argument("--root", type=Path, help="the checkout (default: the one this qipai runs from)")


def run(args: argparse.Namespace) -> int:
    """Make the folders, and write what is generated from them."""
    root: Path = args.root or Path(qipai.__file__).parents[2]
    if not (root / "pyproject.toml").is_file():
        raise Trouble(f"{root} is no checkout of qipai; name one with --root")
    for path in make(root, args.name):
        print(path)
    env = {**os.environ, "PYTHONPATH": str(root / "src")}
    words = [sys.executable, "-m", "qipai", "schema", "--root", str(root)]
    done = subprocess.run(words, env=env, cwd=root, stdout=subprocess.DEVNULL, check=False)
    print(
        f"\nNow `qipai play {args.name}` plays it, `qipai check {args.name}` says what it lacks (docs/add-a-game.md)."
    )
    return done.returncode


def places(root: Path, name: str) -> dict[str, Path]:
    """Return where the files of a game stand in a checkout, by the part of the template that they come from."""
    return {
        "outside/client": root / "client" / "src" / "games" / name,
        "outside/spec.md": root / "docs" / "spec" / f"{name}.md",
        "outside/cases.jsonl": root / "tests" / "conformance" / f"{name}.jsonl",
        "outside/test_rules.py": root / "tests" / "unit" / "games" / name / "test_rules.py",
        "": root / "src" / "qipai" / "games" / name,
    }


def make(root: Path, name: str) -> list[Path]:
    """Copy the template under a name into a checkout; return the files, relative to it. Raises Trouble."""
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise Trouble(f"{name} is no name for a game: take small letters, digits and _, as in `gouji`")
    where = places(root, name)
    taken = [path for path in where.values() if path.exists()]
    if taken or name in games.names():
        raise Trouble(f"there is a game {name} already" + (f": {taken[0]}" if taken else ""))
    template = Path(games.__file__).parent / TEMPLATE
    made = []
    for file in sorted(template.rglob("*")):
        if not file.is_file() or "__pycache__" in file.parts:
            continue
        inside = file.relative_to(template).as_posix()
        start = next(start for start in where if inside == start or inside.startswith(f"{start}/" if start else ""))
        path = where[start] if inside == start else where[start] / inside.removeprefix(start).lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(renamed(file.read_text("utf-8"), name), "utf-8")
        made.append(path.relative_to(root))
    return made


def renamed(text: str, name: str) -> str:
    """Return a file of the template as that of a game with this name."""
    called = "".join(part.capitalize() for part in name.split("_"))
    text = re.sub(r"\bTemplate\b|\bNim(?=TableView\b)", called, text)
    return re.sub(r"\b_template\b|\bnim\b(?!-sum)", name, text)
