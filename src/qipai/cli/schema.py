"""Write the client's types, the OpenAPI file, the rulings to try, lists in pages and the dashboard; `--check` compares.

Each game's types stand in that game's own folder, so that a new game changes no old file.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import qipai
from qipai import games
from qipai.cli import Trouble

__all__ = ["options", "run"]

TYPES = Path("client/src/net/protocol.gen.ts")
LANGUAGES = Path("client/src/languages.gen.ts")
OPENAPI = Path("docs/openapi.json")
DASHBOARD = Path("deploy/grafana/qipai.json")


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file is stale")
    parser.add_argument("--root", type=Path, help="the checkout (default: the one this qipai runs from)")


def run(args: argparse.Namespace) -> int:
    """Write the files, or compare them."""
    root: Path = args.root or Path(qipai.__file__).parents[2]
    if not (root / "pyproject.toml").is_file():
        raise Trouble(f"{root} is no checkout of qipai; name one with --root")
    from qipai.cli.dashboard import drawn
    from qipai.cli.listing import listed
    from qipai.web import schema

    stale = 0
    own = [name for name in games.names() if (root / "src/qipai/games" / name).is_dir()]
    files = {Path(f"client/src/games/{name}/types.gen.ts"): schema.game_types(name).encode() for name in own}
    files |= {path: body for name in own for path, body in _tryouts(root, name)}
    files |= {TYPES: schema.typescript().encode(), LANGUAGES: schema.languages().encode(), OPENAPI: schema.openapi()}
    files[DASHBOARD] = drawn()
    for path, body in {**files, **listed(root)}.items():
        file = root / path
        if file.is_file() and file.read_bytes() == body:
            print(f"{path}: up to date")
        elif args.check:
            stale += 1
            print(f"{path}: stale; run `qipai schema`")
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(body)
            print(f"{path}: written")
    return 1 if stale else 0


def _tryouts(root: Path, name: str) -> Iterator[tuple[Path, bytes]]:
    """Yield the file of the cases that stand beside a game's rulings, for a game that has rulings to try (0061)."""
    from qipai.cli.conform import cases_of
    from qipai.core import tryouts
    from qipai.core.conform import Failure

    entry, file = games.find(name), root / f"tests/conformance/{name}.jsonl"
    if entry.tryouts is not None and file.is_file():
        cases = [case for case in cases_of(file) if not isinstance(case, Failure)]
        yield Path(f"src/qipai/games/{name}/{tryouts.FILE}"), tryouts.written(tryouts.chosen(entry, cases))
