"""What a town has done, read from its file."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import msgspec

from qipai.ledger.model import ESCROW
from qipai.web.services import DATABASE

if TYPE_CHECKING:
    from qipai.bench.town.year import Year

__all__ = ["report"]


def report(year: Year, seconds: float) -> list[str]:
    """Return the lines of the report."""
    counts, plan = year.town.counts, year.plan
    with closing(sqlite3.connect(year.town.data / DATABASE)) as db:
        rows = db.execute("SELECT count(*) FROM events").fetchone()[0]
        games = db.execute("SELECT count(*) FROM tables WHERE contest IS NOT NULL").fetchone()[0]
        moved = db.execute(
            "SELECT reason, count(*), sum(amount) FROM transfers WHERE source = ?1 OR target = ?1 GROUP BY reason",
            (ESCROW,),
        ).fetchall()
        contests = list(_contests(db))
    refused = {name.partition(" ")[2]: n for name, n in sorted(counts.items()) if name.startswith("refused ")}
    return [
        f"{plan.days} days of {plan.people} people in {seconds:.0f} s, seed {plan.seed}",
        *contests,
        f"{games} games at tables, {counts['moves']} moves, {rows} rows in the log",
        f"{counts['kills']} kills, {counts['bans']} bans, {counts['accounts deleted']} accounts deleted",
        "coins: " + ", ".join(f"{coins} in {n} {reason}s" for reason, n, coins in moved),
        "refused: " + ", ".join(f"{n} {code}" for code, n in refused.items()),
        f"checked {year.checks.done} times: every accepted command is in the log, no game has two tables or counts"
        " twice, every round ends, lists and standings are those of the log, all accounts together have 0 coins,"
        " fees are prizes, refunds and the house's part, nothing is left in escrow",
        "made anew from the log, every table of the database is the same",
    ]


def _contests(db: sqlite3.Connection) -> Iterator[str]:
    """Yield how many contests of each kind there were, and how they have ended."""
    found: dict[str, Counter[str]] = {}
    for kind, text in db.execute("SELECT kind, line FROM contests ORDER BY kind, id"):
        line = msgspec.json.decode(text)
        form = line.get("form") or {}
        sort = form.get("format") or (form.get("variant", "regular") if kind == "pond" else line["game"])
        if form.get("duplicate"):
            sort += ", duplicate"
        state = line.get("state") or ("closed" if line.get("closed") else "running")
        found.setdefault(f"{kind} {sort}", Counter())[state] += 1
    for name, states in found.items():
        yield f"{name}: " + ", ".join(f"{n} {state}" for state, n in states.items())
