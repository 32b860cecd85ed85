"""What must be true of a town at any time, read from its file: nothing lost, nothing twice, no coin made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from qipai.bench.town.happened import Due, Happened, Result
from qipai.bench.town.recounts import RECOUNTS
from qipai.contests import books
from qipai.contests.contract import Contest
from qipai.core.contract import NATURE
from qipai.ledger.model import ESCROW, GRANTS
from qipai.store import Connection

__all__ = ["Checks", "Violation"]


class Violation(Exception):
    """Something that must be true of a town is not; the text says what."""


class Checks:
    """Checks a town again and again. What is over and was found right is not read a second time."""

    def __init__(self, kinds: Sequence[Contest[Any]]) -> None:
        self._kinds = {kind.kind: (kind, books.EventRows(kind)) for kind in kinds}
        self._right: dict[str, int] = {}  # contests that are over and right, and their rows
        self._read = 0  # the last row of the log whose table or command was noted
        self._tables: dict[str, int] = {}  # by the game of a contest
        self._cids: set[str] = set()
        self.done = 0

    def all(self, db: Connection, acked: Collection[str], states: Mapping[str, Any]) -> None:
        """Raise Violation for the first thing that is not as it must be. states: as the hall has them in memory."""
        for wrong in self._violations(db, acked, states):
            raise Violation(wrong)
        self.done += 1

    def over(self, db: Connection) -> None:
        """Raise Violation if anything lies in escrow, goes on, or is sealed, where nothing goes on any more."""
        going = [f"{kind}:{id}" for kind, id in books.running(db) if kind != "stairs"]
        if going:
            raise Violation(f"{going[0]} never ends")
        shut = db.execute("SELECT key FROM boards WHERE opened = 0").fetchone()
        if shut is not None:
            raise Violation(f"the shared deal {shut[0]} is never opened")
        left = db.execute("SELECT amount FROM balances WHERE account = ? AND currency = 'coins'", (ESCROW,)).fetchone()
        if left is not None and left[0]:
            raise Violation(f"{left[0]} coins are left in escrow when everything is over")

    def _violations(self, db: Connection, acked: Collection[str], states: Mapping[str, Any]) -> Iterator[str]:
        yield from _ledger(db)
        yield from self._log(db, acked)
        paid = _paid(db)
        for (stream,) in db.execute("SELECT kind || ':' || id FROM contests ORDER BY kind, id").fetchall():
            yield from (f"{stream}: {wrong}" for wrong in self._contest(db, stream, paid, states.get(stream)))
        yield from (f"coins were moved for {ref}, which does not exist" for ref in paid)

    def _log(self, db: Connection, acked: Collection[str]) -> Iterator[str]:
        """Yield commands that were accepted and are not in the log, and games of contests with two tables."""
        sql = "SELECT id, type, stream, cid, iif(type = 'table.opened', data, NULL) FROM events WHERE id > ?"
        for id, type, stream, cid, data in db.execute(sql, (self._read,)):
            self._read = id
            if cid is not None:
                self._cids.add(cid)
            contest = msgspec.json.decode(data).get("contest") if type == "table.opened" else None
            if contest:
                key = f"{contest['contest']}/{contest['game']}"
                if self._tables.setdefault(key, stream) != stream:
                    yield f"{key} has two tables, {self._tables[key]} and {stream}"
        if lost := sorted(set(acked) - self._cids):
            yield f"the command {lost[0]} was accepted and is not in the log"
        twice = db.execute(
            "SELECT t.contest FROM tables t JOIN games g ON g.tbl = t.id"
            " WHERE t.contest IS NOT NULL AND g.ended_at IS NOT NULL GROUP BY t.id HAVING count(*) > 1"
        ).fetchone()
        if twice is not None:
            yield f"{twice[0]} was played twice at its table"

    def _contest(self, db: Connection, stream: str, paid: dict[str, Counter[Due]], state: Any) -> Iterator[str]:
        """Yield what is wrong with a contest."""
        name, _, id = stream.partition(":")
        kind, events = self._kinds[name]
        moved = paid.pop(stream, Counter())
        rows, over, line = db.execute(
            "SELECT rows, over, line FROM contests WHERE kind = ? AND id = ?", (name, int(id))
        ).fetchone()
        if self._right.get(stream) == rows:
            return
        happened: list[Happened] = []
        folded: Any = None
        for row in books.rows(db, stream):
            happened.append(Happened(events.event(row), row.now, folded))
            folded = kind.fold(folded, happened[-1].what, row.now)
        if len(happened) != rows:
            yield f"its list entry is of {rows} rows, and its log has {len(happened)}"
        if state is not None and state != folded:
            yield "what the hall has in memory is not its log, folded"
        if msgspec.json.encode(kind.line(folded)).decode() != line or kind.over(folded) != bool(over):
            yield "its list entry is not what its log says"
        people = "SELECT user FROM contest_people WHERE kind = ? AND id = ?"
        if {user for (user,) in db.execute(people, (name, int(id)))} != kind.people(folded):
            yield "its people are not those that its log says"
        dues, wrong = RECOUNTS[name](stream, happened, folded, lambda game: _result(db, game))
        yield from wrong
        if moved != Counter(dues):
            more, less = moved - Counter(dues), Counter(dues) - moved
            yield f"coins were moved that were not due: {[*more]}; and were due and not moved: {[*less]}"
        if kind.over(folded):
            if left := sum(one.coins if one.target == ESCROW else -one.coins for one in moved.elements()):
                yield f"{left} of its coins are left in escrow"
            self._right[stream] = rows


def _ledger(db: Connection) -> Iterator[str]:
    """Yield what is wrong with the ledger as a whole."""
    for currency, total in db.execute("SELECT currency, sum(amount) FROM balances GROUP BY currency"):
        if total:
            yield f"all accounts together have {total} {currency}, and must have 0"
    sums = (
        "SELECT b.account, b.currency, b.amount, coalesce(sum(t.amount), 0) FROM balances b LEFT JOIN ("
        " SELECT target AS account, currency, amount FROM transfers UNION ALL"
        " SELECT source, currency, -amount FROM transfers) t ON t.account = b.account AND t.currency = b.currency"
        " GROUP BY b.account, b.currency HAVING b.amount != coalesce(sum(t.amount), 0)"
    )
    for account, currency, have, moved in db.execute(sums):
        yield f"account {account} has {have} {currency}, and its transfers come to {moved}"
    below = "SELECT account, amount FROM balances WHERE amount < 0 AND account != ?"
    for account, have in db.execute(below, (GRANTS,)):
        yield f"account {account} has {have} coins"


def _paid(db: Connection) -> dict[str, Counter[Due]]:
    """Return what was moved into the escrow and out of it, by contest."""
    found: dict[str, Counter[Due]] = {}
    sql = "SELECT ref, source, target, amount, reason FROM transfers WHERE source = ?1 OR target = ?1"
    for ref, *due in db.execute(sql, (ESCROW,)):
        found.setdefault(ref, Counter())[Due(*due)] += 1
    return found


def _result(db: Connection, game: str) -> Result | None:
    """Return the result of a game, from the rows of its own stream and of its table."""
    ended = db.execute("SELECT data FROM events WHERE stream = ? AND type = 'game.ended'", (f"game:{game}",)).fetchall()
    made = db.execute("SELECT data FROM events WHERE stream = ? AND seq = 1", (f"game:{game}",)).fetchone()
    if len(ended) != 1 or made is None:
        return None
    created, result = msgspec.json.decode(made[0]), msgspec.json.decode(ended[0][0])
    contest = db.execute("SELECT contest FROM tables WHERE id = ?", (created["table"],)).fetchone()[0]
    stream, _, name = contest.rpartition("/")
    users = tuple(player.get("user") for player in created["seats"])
    left = frozenset(int(seat) for seat in result.get("left", ()))
    deal = created.get("board")
    opened, luck = (None, "") if deal is None else (_opened(db, deal), _luck(db, game))
    return Result(users, tuple(result["points"]), stream, name, result["why"], left, deal, opened, luck)


def _opened(db: Connection, deal: str) -> int | None:
    """Return when the seed of a shared deal was opened, None: it is not."""
    sql = "SELECT at * 1000 + ms FROM events WHERE stream = ? AND type = 'board.opened'"
    row = db.execute(sql, (f"board:{deal}",)).fetchone()
    return None if row is None else int(row[0])


def _luck(db: Connection, game: str) -> str:
    """Return what luck has done first in a game, as JSON."""
    sql = "SELECT data, secret FROM events WHERE stream = ? AND type = 'game.acted' ORDER BY seq"
    for data, secret in db.execute(sql, (f"game:{game}",)):
        acted = {**msgspec.json.decode(data), **msgspec.json.decode(secret or "{}")}
        if acted.get("seat") == NATURE:
            return msgspec.json.encode(acted["action"]).decode()
    return ""
