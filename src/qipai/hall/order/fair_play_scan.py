"""Scans finished games for unfair play; what it finds goes into the moderators' queue (platform P-95)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import combinations
from typing import Any, Final, NamedTuple

from qipai.config import Flags
from qipai.hall.live import books
from qipai.hall.live.addresses import Addresses
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.ports import Accounts
from qipai.hall.live.timers import Clock
from qipai.hall.order.fair_play import (
    Met,
    Rated,
    above_rating,
    expected,
    fed,
    flowing,
    like_a_program,
    one_sided,
    surprise,
)
from qipai.hall.order.measures import flows, usual
from qipai.hall.table.events import LoggedEvent, Settled
from qipai.ledger.passes import Climb
from qipai.moderation.service import Flag, Order
from qipai.store import Connection, Store

__all__ = ["FairPlayScan"]

STEP: Final = 20_000  # how many events are scanned at once
SAMPLE: Final = 200  # games by which it is known how many are over at once
SWEPT: Final = "swept"  # the mark of the last scanned event


class Part(NamedTuple):
    """Somebody who took part in a game that counted."""

    user: int
    seat: int
    points: int


class FairPlayScan:
    """Scans games that have ended since its last run; each finding is reported at most once a month."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        clock: Clock,
        order: Order,
        addresses: Addresses,
        climb: Climb,
        numbers: Flags,
    ) -> None:
        self._store, self._accounts, self._clock, self._order = store, accounts, clock, order
        self._addresses, self._climb, self._numbers = addresses, climb, numbers
        self._under_way = False

    async def sweep(self) -> int:
        """Scan the games that have ended; return the number of new flags."""
        if not self._numbers.enabled or self._under_way:
            return 0
        self._under_way = True
        try:
            return await self._sweep()
        finally:
            self._under_way = False

    async def _sweep(self) -> int:
        store, found = self._store, 0
        last = await store.read(lambda db: books.marked(db, SWEPT)) or 0
        newest = await store.read(lambda db: int(db.execute("SELECT coalesce(max(id), 0) FROM events").fetchone()[0]))
        while last < newest:
            upto = min(newest, last + STEP)
            rows = await store.read(partial(books.ended_between, after=last, upto=upto))
            for row in reversed(rows):  # so that a flag points to the newest game
                flags: list[Flag] = []
                ended = row.what
                if not isinstance(ended, Settled):
                    continue
                if ended.short:
                    flags = await self._given_up(row)
                elif any(paid.credibility is not None for paid in ended.paid):
                    flags = await self._look(row)
                for flag in flags:
                    found += await self._order.flag(flag, self._clock.now())
            await store.transaction(partial(books.mark, name=SWEPT, at=upto))
            last = upto
        return found

    async def note(self, flags: Iterable[Flag]) -> int:
        """Put into the queue what another scan has found about people; return how many flags are new."""
        found = 0
        for flag in flags:
            about = [flag.user, *([flag.facts["other"]] if "other" in flag.facts else [])]
            if all([await self._is_person(user) for user in about]):
                found += await self._order.flag(flag, self._clock.now())
        return found

    async def together(self, live: LiveTable) -> None:
        """Flag people who begin a game that counts from the same address or device."""
        table, deal = live.table, live.table.coming or live.table.deal
        if not self._numbers.enabled or table.setting.kind == "friendly" or deal is None:
            return
        users = sorted({chair.user for chair in table.players if chair.user is not None})
        for one, other in combinations(users, 2):
            shared = self._addresses.shared(one, other)
            if shared is not None:
                now = self._clock.now()
                facts = {
                    "why": "address",
                    "other": one,
                    "game": table.setting.game,
                    "shared": shared,
                    "table": table.id,
                }
                key = f"address:{one}:{other}:{_month(now // 1000)}"
                await self._order.flag(Flag(key, other, deal.game_id, facts), now)

    async def _look(self, row: LoggedEvent) -> list[Flag]:
        """Return the flags for a game."""
        id, read = row.stream.partition(":")[2], self._store.read
        game, seats, parts = await read(partial(_of_game, id=id))
        people = [part for part in parts if await self._is_person(part.user)]
        since, month = row.at - 86400 * self._numbers.days, _month(row.at)
        found = []

        def note(why: str, who: str, user: int, facts: dict[str, Any] | None, **more: Any) -> None:
            if facts is not None:
                told = {"why": why, **more, "game": game, **facts}
                found.append(Flag(f"{why}:{game}:{who}:{month}", user, id, told))

        for one, other in combinations(sorted(people), 2):
            least = self._numbers.meetings
            two = (one.user, other.user)
            of = partial(_met, two=two, game=game, seats=seats, since=since, least=least, early=self._numbers.early)
            met = await read(of)
            if met is not None and seats > 2:
                points = await read(partial(_points, two=two, game=game, since=since))
                for to, of_whom in ((one.user, other.user), (other.user, one.user)):
                    between = [flows(each, (to, of_whom)) for each in points if to in each and of_whom in each]
                    facts = flowing(between, [*usual(points, to, of_whom)], self._numbers, game)
                    note("flow", f"{of_whom}:{to}", to, facts, other=of_whom)
            if met is not None:
                facts = one_sided(met, self._numbers, self._climb)
                best, worst = (one, other) if met.won >= met.lost else (other, one)
                note("pair", f"{one.user}:{other.user}", best.user, facts, other=worst.user)
        times = await read(partial(_times, id=id))
        for part in people:
            facts = like_a_program(times.get(part.seat, ()), self._numbers)
            note("timing", str(part.user), part.user, facts)
            if seats == 2 and part.points > 0:
                # With more than two players the shown rating is far below the estimate, so it predicts nothing.
                games = await read(partial(_rated, user=part.user, game=game, since=since))
                note("rating", str(part.user), part.user, above_rating(games, self._numbers))
                wins = await read(partial(_wins, user=part.user, game=game, since=since, early=self._numbers.early))
                if any(id == win.id and win.brief for win in wins):
                    givers = {win.user for win in wins if win.brief}
                    rate = await read(partial(_brief_rate, game=game, early=self._numbers.early, but=part.user))
                    given = sum(win.brief for win in wins)
                    note("fed", str(part.user), part.user, fed(len(wins), given, len(givers), rate, self._numbers))
        return found

    async def _given_up(self, row: LoggedEvent) -> list[Flag]:
        """Return a flag for a game given up before it counted, if the same two do so often."""
        id, read = row.stream.partition(":")[2], self._store.read
        game, seats = await read(partial(_players, id=id))
        people = sorted([user for user in seats if user is not None and await self._is_person(user)])
        since, found = row.at - 86400 * self._numbers.days, []
        for one, other in combinations(people, 2):
            times = await read(partial(_short, two=(one, other), game=game, since=since))
            if times >= self._numbers.short:
                facts = {"why": "short", "other": one, "game": game, "games": times, "days": self._numbers.days}
                found.append(Flag(f"short:{game}:{one}:{other}:{_month(row.at)}", other, id, facts))
        return found

    async def _is_person(self, user: int) -> bool:
        found = await self._accounts.find(user)
        return found is not None and found.kind == "user"


def _month(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()[:7]


def _of_game(db: Connection, id: str) -> tuple[str, int, list[Part]]:
    """Return the game, how many played it, and for whom it counted."""
    begun = books.created(db, id)
    sql = "SELECT user, seat, points FROM parts WHERE id = ? AND counted = 1"
    return begun.game, len(begun.seats), [Part(*row) for row in db.execute(sql, (id,))]


class _Win(NamedTuple):
    """A game of two that somebody has won. user: of whom; brief: it was over at once."""

    id: str
    user: int
    brief: bool


BRIEF: Final = (
    "(SELECT count(*) FROM (SELECT 1 FROM events e WHERE e.stream = 'game:' || a.id AND e.type = 'game.acted' LIMIT ?))"
)


def _wins(db: Connection, user: int, game: str, since: int, early: int) -> list[_Win]:
    """Return what somebody has won of others in games of two."""
    sql = (
        f"SELECT a.id, b.user, {BRIEF} FROM parts a JOIN parts b ON b.id = a.id AND b.user != a.user"
        " WHERE a.user = ? AND a.at >= ? AND a.game = ? AND a.counted = 1 AND b.counted = 1 AND a.sign = 1"
    )
    return [_Win(id, loser, acts <= early) for id, loser, acts in db.execute(sql, (early + 1, user, since, game))]


def _brief_rate(db: Connection, game: str, early: int, but: int) -> float:
    """Return what share of the last won games of a game was over at once, those of one person left out."""
    sql = (
        f"SELECT {BRIEF} FROM parts a WHERE a.game = ? AND a.counted = 1 AND a.sign = 1 AND a.user != ?"
        " ORDER BY a.at DESC LIMIT ?"
    )
    found = [acts <= early for (acts,) in db.execute(sql, (early + 1, game, but, SAMPLE))]
    return sum(found) / len(found) if found else 0.0


def _points(db: Connection, two: tuple[int, int], game: str, since: int) -> list[Mapping[int, int]]:
    """Return what everybody has had of the games in which at least one of two took part."""
    sql = (
        "SELECT p.id, p.user, p.points FROM parts p WHERE p.counted = 1 AND p.id IN"
        " (SELECT id FROM parts WHERE user IN (?, ?) AND at >= ? AND game = ? AND counted = 1) ORDER BY p.at, p.id"
    )
    found: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for id, user, points in db.execute(sql, (*two, since, game)):
        found[id][user] = points
    return list(found.values())


def _met(db: Connection, two: tuple[int, int], game: str, seats: int, since: int, least: int, early: int) -> Met | None:
    """Return how often two have met, None if less than a given number."""
    one, other = two
    sql = (
        "SELECT count(*), coalesce(sum(a.points > 0 AND b.points < 0), 0),"
        " coalesce(sum(a.points < 0 AND b.points > 0), 0) FROM parts a JOIN parts b ON b.user = ? AND b.id = a.id"
        " WHERE a.user = ? AND a.at >= ? AND a.game = ? AND a.counted = 1 AND b.counted = 1"
    )
    times, won, lost = db.execute(sql, (other, one, since, game)).fetchone()
    if times < least:
        return None
    of = "SELECT count(*) FROM parts WHERE user = ? AND at >= ? AND game = ? AND counted = 1"
    mine, his = (db.execute(of, (user, since, game)).fetchone()[0] for user in (one, other))
    everybody = "SELECT count(*) FROM parts WHERE game = ? AND at >= ? AND counted = 1"
    everyone = db.execute(everybody, (game, since)).fetchone()[0]
    best, worst = (one, other) if won >= lost else (other, one)
    sql = (
        "SELECT coalesce(sum(sign = 1), 0), coalesce(sum(sign = -1), 0) FROM parts a WHERE user = ? AND at >= ?"
        " AND game = ? AND counted = 1 AND NOT EXISTS (SELECT 1 FROM parts b WHERE b.id = a.id AND b.user = ?)"
    )
    better, worse = db.execute(sql, (worst, since, game, best)).fetchone()
    sql = (
        f"SELECT count(*) FROM (SELECT {BRIEF} AS acts FROM parts a JOIN parts b ON b.user = ? AND b.id = a.id"
        " WHERE a.user = ? AND a.at >= ? AND a.game = ? AND a.points > 0 AND b.points < 0 AND a.counted = 1"
        " AND b.counted = 1) WHERE acts <= ?"
    )
    given = db.execute(sql, (early + 1, worst, best, since, game, early)).fetchone()[0] if seats == 2 else 0
    known = _rated(db, best, game, since, worst) if seats == 2 else []
    return Met(times, won, lost, mine, his, everyone, seats, better, worse, given, surprise(known))


def _players(db: Connection, id: str) -> tuple[str, list[int | None]]:
    """Return the game, and who played it."""
    begun = books.created(db, id)
    return begun.game, [player.user for player in begun.seats]


def _short(db: Connection, two: tuple[int, int], game: str, since: int) -> int:
    """Return how many games of two were given up before they counted."""
    sql = (
        "SELECT count(*) FROM parts a JOIN parts b ON b.id = a.id AND b.user = ?"
        " JOIN events e ON e.stream = 'game:' || a.id AND e.type = 'game.ended'"
        " AND CAST(json_extract(e.data, '$.short') AS INTEGER) = 1"
        " WHERE a.user = ? AND a.at >= ? AND a.game = ? AND a.counted = 0"
    )
    return int(db.execute(sql, (two[1], two[0], since, game)).fetchone()[0])


def _times(db: Connection, id: str) -> dict[int, list[int]]:
    """Return how long each seat took for its answers in a game, ms."""
    sql = (
        "SELECT CAST(coalesce(json_extract(data, '$.seat'), json_extract(secret, '$.seat')) AS INTEGER),"
        " CAST(coalesce(json_extract(data, '$.ms'), json_extract(secret, '$.ms')) AS INTEGER)"
        " FROM events WHERE stream = ? AND type = 'game.acted'"
    )
    found: dict[int, list[int]] = {}
    for seat, ms in db.execute(sql, (f"game:{id}",)):
        if ms:  # acting unasked takes no time
            found.setdefault(seat, []).append(ms)
    return found


def _rated(db: Connection, user: int, game: str, since: int, other: int | None = None) -> Sequence[Rated]:
    """Return a user's rated games against one opponent each; other: against this one alone."""
    sql = (
        "SELECT a.points, b.rating - a.rating FROM parts a JOIN parts b ON b.id = a.id AND b.user != a.user"
        " WHERE a.user = ?1 AND a.at >= ?2 AND a.game = ?3 AND a.rating IS NOT NULL AND b.rating IS NOT NULL"
        " AND (?4 IS NULL OR b.user = ?4)"
    )
    return [
        Rated(0.5 if points == 0 else float(points > 0), expected(behind))
        for points, behind in db.execute(sql, (user, since, game, other))
    ]
