"""Measure, always beside a peer or a ceiling of the same run. Targets and findings stand in docs/bench.md."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from qipai.cli import Trouble

if TYPE_CHECKING:
    from qipai.bench.jobs import Teller
    from qipai.bench.sheet import Sheet

__all__ = ["options", "run"]

HONEST = 5000  # people, of a month of `honesty`
WHAT = (
    *(
        "engine",
        "selfplay",
        "bots",
        "server",
        "load",
        "chaos",
        "scale",
        "memory",
        "start",
        "replay",
        "append",
        "log",
        "bus",
        "community",
        "codec",
        "web",
    ),
    *("all", "peers", "honesty", "sizing"),
)


def options(parser: argparse.ArgumentParser) -> None:
    """Name the arguments."""
    parser.add_argument(
        "what",
        nargs="?",
        default="all",
        choices=WHAT,
        help="what is measured (%(default)s); `peers` fetches some peers, `honesty` tries the flags for unfair play,"
        " `sizing` computes from docs/bench.md what so many people at once need",
    )
    parser.add_argument(
        "game",
        nargs="?",
        help="of `engine`, `bots` …; all that can be measured when left out; `bots crowd` is many tables at once",
    )
    parser.add_argument("--quick", action="store_true", help="shorter runs, less exact: about a minute for all")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a target is not reached")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the findings as a page, or into it")
    parser.add_argument("--tables", type=int, metavar="N", help="of `server`: tables that play at once")
    parser.add_argument(
        "--attackers", action="store_true", help="of `load`: an hour beside attackers, with restarts and backups"
    )
    parser.add_argument(
        "--people", type=int, metavar="N", help="of `honesty`: honest ones (5000); of `sizing`: at once"
    )
    parser.add_argument("--cheats", type=int, default=60, metavar="N", help="… and cheats of each kind (%(default)s)")
    parser.add_argument(
        "--seed", default="1", metavar="TEXT", help="… of all lots: the same again, the same month; of `chaos`, too"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="… and processes that play (%(default)s)")
    parser.add_argument("--for", dest="seconds", type=float, metavar="S", help="of `chaos`: how long things happen")
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite", help="of `append`")


def run(args: argparse.Namespace) -> int:
    """Measure and print; return 1 if targets were to be checked and one was missed, 130 after an interrupt."""
    if args.what == "sizing":
        return sizing(args)
    import msgspec

    from qipai.bench.jobs import Teller, carried_out, jobs
    from qipai.bench.page import write
    from qipai.bench.sheet import text
    from qipai.bench.stable import Stable
    from qipai.core.measure import Absent

    told = Teller()
    if args.attackers and args.what != "load":
        raise Trouble(f"--attackers is of `qipai bench load`, not of `qipai bench {args.what}`")
    if args.what == "peers":
        return fetched(told)
    if args.what == "honesty":
        return honesty(args, told)
    sheets: list[Sheet] = []
    with Stable() as stable:
        try:
            found = jobs(
                *(args.what, args.game), quick=args.quick, tables=args.tables, store=args.store, stable=stable,
                attackers=args.attackers, storm_s=args.seconds, seed=args.seed,
            )  # fmt: skip
        except Absent as absent:
            raise Trouble(str(absent)) from absent
        for sheet in carried_out(found, quick=args.quick, told=told):
            sheets.append(sheet)
            told.clear()
            if not args.json:
                print(text(sheet), end="\n\n", flush=True)
    if args.write is not None:
        write(args.write, sheets, whole=args.what == "all")
    if args.json:
        plain = [{**msgspec.to_builtins(one), "busy": one.busy, "reached": one.reached} for one in sheets]
        print(msgspec.json.encode(plain[0] if len(plain) == 1 else {"benches": plain}).decode())
    elif args.check:
        print(verdict(sheets))
    if any(sheet.trouble == "interrupted" for sheet in sheets):
        return 130
    failed = [sheet for sheet in sheets if sheet.trouble and not sheet.trouble.startswith("absent")]
    return 1 if failed or (args.check and not all(met(sheet) for sheet in sheets)) else 0


def honesty(args: argparse.Namespace, told: Teller) -> int:
    """Simulate two months, in the second of which some cheat; print what the flags made of it, and write it."""
    from qipai.bench.honesty.month import Month
    from qipai.bench.honesty.report import found, page, written
    from qipai.bench.machine import cpu_model
    from qipai.bench.sheet import today
    from qipai.config import Flags

    # Half as many are enough to see that what the first have set holds.
    people, cheats = (200, 10) if args.quick else (HONEST if args.people is None else args.people, args.cheats)
    if people < 2 or cheats < 1:
        raise Trouble("a month needs people, and some who cheat")
    setting, month = Month(people, 0, f"{args.seed} thresholds", told), Month(people // 2, cheats, args.seed, told)
    rows = found(setting.lived(max(1, args.jobs)), month.lived(max(1, args.jobs)), Flags())
    told.clear()
    said = {
        "people": f"{people} who set the thresholds; {people // 2} others and {cheats} of each kind of cheats",
        "deals": f"{setting.deals + month.deals} played",
        "seed": args.seed,
        "CPU": f"{setting.seconds + month.seconds:.0f} s of one core, {cpu_model()}",
        "date": today(),
    }
    print(page(rows, said))
    if args.write is not None:
        written(args.write, rows, said)
    return 0


def sizing(args: argparse.Namespace) -> int:
    """Compute what so many people at once need, from the figures of the checkout; print it, and write its page."""
    import qipai
    from qipai.bench.sizing import costs, need, page, table
    from qipai.core.measure import Absent

    figures = Path(qipai.__file__).parents[2] / "docs" / "bench.md"
    try:
        found = costs(figures.read_text("utf-8"))
    except OSError as wrong:
        raise Trouble(f"{figures} cannot be read: {wrong.strerror}; this is a command of a checkout") from wrong
    except Absent as absent:
        raise Trouble(f"{absent}; measure it with --write docs/bench.md") from absent
    if args.people is not None and args.people < 1:
        raise Trouble(f"--people {args.people}: at least 1")
    if args.write is not None:
        args.write.write_text(page(found), encoding="utf-8")
    print(table([need(args.people, found)]) if args.people else page(found))
    return 0


def met(sheet: Sheet) -> bool:
    """Return whether no target was missed; one that could not be measured because a peer is absent is not missed."""
    return sheet.reached or sheet.trouble.startswith("absent")


def verdict(sheets: list[Sheet]) -> str:
    """Return a line for each missed target, and how many were reached."""
    from qipai.bench.sheet import check_text

    lines = [f"{sheet.command}: not measured, {sheet.trouble}" for sheet in sheets if sheet.trouble]
    checks = [(sheet, table, check) for sheet in sheets for table in sheet.tables for check in table.checks]
    lines += [
        f"{sheet.command}: {table.name}: {check_text(check)}{' (the machine was busy)' if sheet.busy else ''}"
        for sheet, table, check in checks
        if check.reached is not True
    ]
    reached = sum(check.reached is True for _, _, check in checks)
    return "\n".join([*lines, f"{reached} of {len(checks)} targets reached"])


def fetched(told: Teller) -> int:
    """Fetch peers; return 1 if one could not be fetched."""
    from qipai.bench.fetch import fetch

    missing = fetch(told)
    told.clear()
    for line in missing:
        print(f"qipai bench peers: {line}", file=sys.stderr)
    if not missing:
        print("pgx, boardgame.io, Colyseus: there")
    return 1 if missing else 0
