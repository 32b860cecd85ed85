"""What must hold, whatever dies: of what is said, at once; of the disk, at each death; of all, at the end."""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_right
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from qipai.accounts.model import User
from qipai.contests.rebuild import rebuild
from qipai.core.contract import Notice
from qipai.hall.live import books
from qipai.hall.live.recovery import blank, load
from qipai.hall.records.rebuild import fingerprints
from qipai.hall.table.events import DealCreated, LoggedEvent, Settled
from qipai.hall.table.fold import fold, numbered, reach_of
from qipai.hall.table.model import Table
from qipai.hall.table.observation import view_of
from qipai.hall.table.stored import event_of
from qipai.hall.table.wire_views import channel_name, told_on_wire
from qipai.ledger.model import GRANTS
from qipai.store.writer import rows_of
from qipai.web.services import DATABASE

if TYPE_CHECKING:
    from tests.simulation.disk import Durable
    from tests.simulation.world import World

__all__ = ["Witness"]

T = TypeVar("T")
encode: Final = msgspec.json.encode
HIDDEN: Final = frozenset({"doudizhu", "gouji", "mahjong", "baohuang"})
LATER: Final = "achievement"  # what the hall folds anew after `rebuild`, beside its work
LONG: Final = 6
TEXT: Final = re.compile(rf'"([^"\\]{{{LONG},}})"')
# Once carried out, a repetition may be put off, but never refused.
PUT_OFF: Final = frozenset({"BUSY", "RATE_LIMIT", "NO_SUCH_TABLE"})


class Heard(Struct, frozen=True):
    """An event that a line was sent."""

    who: int
    durable: int  # the newest row on the disk then
    message: dict[str, Any]
    frame: bytes


class Point(Struct, frozen=True):
    """A row of the log as it reaches one channel."""

    row: int
    table: Table
    told: tuple[Notice, ...]
    seed: str | None  # of the deal, while it is secret


class Kept(Protocol):
    """What a witness looks at: a machine, a node, or the town that nodes make up."""

    @property
    def folder(self) -> Path:
        """Return its data folder."""
        ...

    @property
    def durable(self) -> Durable:
        """Return what it has committed."""
        ...

    def looked(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what work finds on its disk."""
        ...


class Witness:
    """Sees all that lines carry, and compares it with the disk."""

    def __init__(self, world: World, names: Mapping[int, User]) -> None:
        self._world, self._names = world, names
        self._heard: list[Heard] = []
        self._accepted: set[tuple[int, str]] = set()
        self._hands: dict[int, dict[int, tuple[tuple[str, ...], ...]]] = {}  # by row of the log
        self._opened: dict[tuple[int, str], int] = {}  # by whose call
        self.acks: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.games = 0  # that have ended

    # At once.

    def said(self, who: int, text: str) -> None:
        """Note what has reached a machine."""
        self._world.note("said", who, text)

    def told(self, machine: Kept, who: int, frame: bytes, message: dict[str, Any]) -> None:
        """Look at what a machine sends."""
        self._world.note("told", who, frame)
        kind = message["t"]
        if kind == "ev":
            self._heard.append(Heard(who, machine.durable.last, message, frame))
        elif kind == "ack":
            cid = message["cid"]
            verb = cid.partition("-")[0]
            self.acks[verb] += 1
            if verb == "act":
                if (who, cid) not in machine.durable.cids:
                    self._world.fail(f"{cid} of {who} is acknowledged, and not on the disk")
                self._accepted.add((who, cid))
        elif kind == "err":
            self.errors[message["code"]] += 1
            if (who, message["cid"]) in self._accepted and message["code"] not in PUT_OFF:
                self._world.fail(f"{message['cid']} of {who} was acknowledged, and is refused now: {message}")

    def answered(self, machine: Kept, who: int, cid: str, answer: tuple[int, Any]) -> None:
        """Look at a machine's answer to a call that opens a table, if it is to be kept."""
        status, found = answer
        self.errors[f"{cid.partition('-')[0]} {status}"] += 1
        self._world.note("answers", who, cid, status, encode(found))
        if status == 200 and "table" in found and cid.startswith(("play", "tables")):
            if (who, cid) not in machine.durable.cids:
                self._world.fail(f"{cid} of {who} is answered, and not on the disk")
            if self._opened.setdefault((who, cid), found["table"]) != found["table"]:
                self._world.fail(f"{cid} of {who} has opened two tables, {self._opened[who, cid]} and {found['table']}")
            self._accepted.add((who, cid))
        elif status >= 500 and found["error"]["code"] != "BUSY":
            self._world.fail(f"{cid} of {who} is answered {status} {found}")

    # At each death.

    def died(self, machine: Kept) -> None:
        """Compare the disk of a machine that has died with what it had committed."""
        machine.looked(partial(self._disk, machine))

    def _disk(self, machine: Kept, db: sqlite3.Connection) -> None:
        durable, fail = machine.durable, self._world.fail
        last, rows = db.execute("SELECT coalesce(max(id), 0), count(*) FROM events").fetchone()
        if (last, rows) != (durable.last, durable.rows):
            fail(f"the log has {rows} rows up to {last}; committed were {durable.rows} up to {durable.last}")
        self.games = db.execute("SELECT count(*) FROM events WHERE type = 'game.ended'").fetchone()[0]
        holes = "SELECT stream FROM events GROUP BY stream HAVING min(seq) <> 1 OR max(seq) <> count(*)"
        for (stream,) in db.execute(holes):
            fail(f"{stream} has a hole")
        kept = Counter(db.execute("SELECT actor, cid FROM events WHERE cid IS NOT NULL"))
        for one in self._accepted:
            if kept[one] != 1:
                fail(f"{one} is {kept[one]} times in the log")
        self._sums(db)

    def _sums(self, db: sqlite3.Connection) -> None:
        """Every balance is the sum of its transfers, nobody owes coins, and all sums together are nothing."""
        fail = self._world.fail
        balances = {(c, a): n for c, a, n in db.execute("SELECT currency, account, amount FROM balances") if n}
        moved: Counter[tuple[str, str]] = Counter()
        for currency, source, target, amount in db.execute("SELECT currency, source, target, amount FROM transfers"):
            moved[currency, source] -= amount
            moved[currency, target] += amount
        if balances != {one: n for one, n in moved.items() if n}:
            fail("balances are not the sums of their transfers")
        for currency in {currency for currency, _ in balances}:
            if sum(n for (c, _), n in balances.items() if c == currency):
                fail(f"the balances in {currency} do not sum up to nothing")
        for (currency, account), amount in balances.items():
            if currency == "coins" and amount < 0 and account != GRANTS:
                fail(f"{account} owes {-amount} coins")

    # At the end.

    async def live(self, machine: Any) -> None:
        """Compare the tables in a machine's memory, which is at rest, with the log."""
        assert machine.house is not None
        for id, live in list(machine.house.hall.runner.tables.items()):
            table = None
            while table is not live.table:  # time goes on while its rows are read
                table = live.table
                rows = await machine.house.store.read(partial(books.table_rows, table=id))
            if not rows:
                continue
            for told in (0, len(rows)):
                now, again = table.lasting(), load(id, rows, told).table.lasting()
                if replace(now, deal=None) != replace(again, deal=None) or views(now) != views(again):
                    self._world.fail(f"table {id} is not what its log says")

    def end(self, machine: Kept) -> None:
        """Compare all that was ever told, and all that is kept, with the log. The machine has stopped."""
        with closing(sqlite3.connect(machine.folder / DATABASE, isolation_level=None)) as db:
            self._disk(machine, db)
            self._story(db)
            before = fingerprints(db)
            finish(rebuild(Rebuilt(db)))  # type: ignore[arg-type]
            after = fingerprints(db)
            wrong = [name for name in before if before[name] != after[name] and not name.startswith(LATER)]
            if wrong:
                self._world.fail(f"the log gives other rows of {', '.join(wrong)}")

    def _story(self, db: sqlite3.Connection) -> None:
        heard: dict[int, dict[tuple[str, int], list[Heard]]] = {}
        for one in self._heard:
            at = heard.setdefault(one.message["table"], {})
            at.setdefault((one.message["ch"], one.message["seq"]), []).append(one)
        for table, wanted in heard.items():
            points: dict[tuple[str, int], list[Point]] = {}
            for key, point in self._points(db, table):
                if key in wanted:
                    points.setdefault(key, []).append(point)
            for key, all in wanted.items():
                found = points.get(key, [])
                for one in all:
                    self._compare(one, found)

    def _points(self, db: sqlite3.Connection, id: int) -> Iterator[tuple[tuple[str, int], Point]]:
        """Fold all rows that a table ever had; go over each as each channel is told of it."""
        games = [f"game:{game}" for (game,) in db.execute("SELECT id FROM games WHERE tbl = ?", (id,))]
        streams = [f"table:{id}", *games]
        where = f"stream IN ({','.join('?' * len(streams))})"
        rows: list[LoggedEvent] = [event_of(row) for row in rows_of(db, where, streams, text=True)]
        table, seed = blank(id), None
        for row in rows:
            table, told = fold(table, row)
            reach = reach_of(table, row.secret)
            table = numbered(table, reach)
            if isinstance(row.what, DealCreated):
                seed = getattr(row.secret, "server_seed", None)
            elif isinstance(row.what, Settled):
                seed = None
            watchers = len(table.seqs) - 1
            for at, seq in enumerate(table.seqs):
                if reach >> at & 1:
                    channel = None if at == watchers else at
                    yield (channel_name(table, channel), seq), Point(row.id, table, told, seed)

    def _compare(self, one: Heard, points: list[Point]) -> None:
        fail, message = self._world.fail, one.message
        where = f"{message['ch']} {message['seq']}"
        at = bisect_right([point.row for point in points], one.durable)
        if at == 0:
            fail(f"{where} was told before it was on the disk, or is not there: {one.frame[:300]!r}")
            return
        point = points[at - 1]
        name = message["ch"].rpartition(".")[2]
        channel = None if name == "w" else int(name)
        if encode(told_on_wire(point.told, channel, self._names.get)) != encode(message["told"]):
            fail(f"{where} told {message['told']}, and the log says {point.told}")
        if point.seed is not None and point.seed.encode() in one.frame:
            fail(f"{where} carries the seed of a deal that is played")
        if point.table.setting.game in HIDDEN and point.table.playing:
            self._secrets(where, channel, one, point)

    def _secrets(self, where: str, channel: int | None, one: Heard, point: Point) -> None:
        """No message carries the hand of another seat, but where the game lays it open."""
        hands = self._hands.get(point.row)
        if hands is None:
            deal = point.table.deal
            assert deal is not None
            views = {seat: view_of(point.table, deal, seat) for seat in range(len(deal.asks))}
            # As long as that, what lies on the table is not a hand by chance; but without its suits a hand of mahjong
            # may be as another seat's was before it drew.
            hands = {}
            for seat, view in views.items():
                both = (getattr(each, "hand", None) for each in (view, getattr(view, "still", None)))
                hands[seat] = tuple(tuple(sorted(hand)) for hand in both if isinstance(hand, str))
            self._hands = {point.row: hands}  # of the others that were told the same
        own = () if channel is None else hands.get(channel, ())
        secret = {each[0] for each in hands.values() if each and len(each[0]) >= LONG} - {*own}
        if not any(tuple(sorted(text)) in secret for text in TEXT.findall(one.frame.decode())):
            return
        open_hands = {"shown"} if any(own) else {"shown", "partners"}  # who is out sees the partners' hands
        told = [each for each in one.message["told"] if each["e"] not in ("fell", "won")]
        for cards in leaves({**one.message, "told": told}, open_hands):
            if tuple(sorted(cards)) in secret:
                self._world.fail(f"{where} carries another seat's hand {cards}: {one.frame!r}")


def leaves(value: Any, but: set[str]) -> Iterator[str]:
    """Go over all texts in a JSON value that are as long as a hand. but: names of what is not looked at."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in but:
                yield from leaves(inner, but)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, but)
    elif isinstance(value, str) and len(value) >= LONG:
        yield value


def views(table: Table) -> list[bytes]:
    """Return what every channel sees of a table's deal."""
    deal = table.deal
    return [] if deal is None else [encode(view_of(table, deal, seat)) for seat in (None, *range(len(deal.asks)))]


class Rebuilt:
    """As much of a store as `rebuild` needs, on a file that nobody else uses."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    async def transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do the work in a transaction."""
        self._db.execute("BEGIN")
        found = work(self._db)
        self._db.execute("COMMIT")
        return found


def finish(work: Awaitable[T]) -> T:
    """Return what a coroutine returns that never waits."""
    try:
        work.__await__().send(None)
    except StopIteration as done:
        found: T = done.value
        return found
    raise AssertionError("it waits")
