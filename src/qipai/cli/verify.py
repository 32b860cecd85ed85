"""Play finished games of a hall again, while it may be serving: results and luck must come out as the log has them."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from qipai.cli import Trouble
from qipai.cli.folder import folder

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("games", nargs="*", metavar="GAME_ID", help="the games")
    parser.add_argument("--all", action="store_true", help="every game that is finished")
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Name each game that differs, and what differs in it."""
    import sqlite3

    from qipai.hall.live import books
    from qipai.hall.records import replay
    from qipai.hall.records.archive import checked
    from qipai.store.reader import Reader
    from qipai.web.services import DATABASE, store_of

    if bool(args.games) == args.all:
        raise Trouble("name the games, or say --all")
    path = args.data / DATABASE
    if not path.is_file():
        raise Trouble(f"there is no hall in {args.data}")
    count = wrong = 0
    try:
        store = Reader(path, store_of(args.data).known)
        for id in args.games or store.read_now(books.finished_games):
            rows = store.read_now(partial(books.game_rows, id=id))
            if not replay.is_finished(rows):
                raise Trouble(f"there is no finished game {id} in {args.data}")
            count += 1
            if (why := store.read_now(partial(checked, id=id))) is not None:
                wrong += 1
                print(f"{id}: {why}", flush=True)
    except sqlite3.DatabaseError as fault:
        raise Trouble(f"{path} cannot be read: {fault}") from fault
    if wrong:
        raise Trouble(f"{wrong} of {count} games are not what their log says, or of rules that have changed since")
    print(f"{count} games hold")
    return 0
