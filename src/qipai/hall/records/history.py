"""People's histories: their latest games, statistics, and rating curves (platform P-4, P-75)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai import games
from qipai.hall.live import books
from qipai.hall.live.books import Part
from qipai.hall.live.shared_deals import hidden
from qipai.hall.records import highlights
from qipai.hall.records.highlights import Best, Company, Met
from qipai.store import Connection, Store

__all__ = ["Career", "Finished", "History", "Met", "Tally", "Whole"]

POINTS: Final = 400  # of a curve
# Whether a part `p` is of a game that the viewer, ?3, may know of: not of a shared deal that is closed to them (P-94).
SEEN: Final = f"NOT EXISTS (SELECT 1 FROM games g WHERE g.id = p.id AND {hidden('?3')})"
# A FIBS rating stands beside the one of the pool, in the end of each match alone, which is its last row (P-116).
FIBS_PATH: Final = "'$.paid[' || p.seat || '].fibs.shown'"
FIBS: Final = (
    f"SELECT p.at, CAST(json_extract(e.data, {FIBS_PATH}) AS INTEGER) FROM parts p"
    " JOIN events e ON e.stream = 'game:' || p.id AND e.type = 'game.ended'"
    " AND e.seq = (SELECT max(seq) FROM events WHERE stream = 'game:' || p.id)"
    f" WHERE p.user = ?1 AND p.game = ?2 AND json_extract(e.data, {FIBS_PATH}) IS NOT NULL AND {SEEN} ORDER BY p.n"
)
OPPONENTS: Final = 20
SCANNED: Final = 1000  # games that are looked through for one page of those that have changed something
EARLIER: Final = 200  # games back in which the last one of the same game is looked for
TALLY: Final = "sum(sign = 1), sum(sign = -1), sum(sign = 0)"
# Of matches the games inside them are counted (README X14); older logs do not tell of them.
OF_MATCHES: Final = (
    "parts p JOIN (SELECT substr(stream, 6) AS played, json_extract(data, '$.inside') AS inside FROM events"
    " WHERE type = 'game.ended' AND stream IN (SELECT 'game:' || id FROM parts WHERE user = ?1)) e ON e.played = p.id"
)
INSIDE: Final = ", ".join(
    f"sum(CASE WHEN inside IS NULL THEN CASE WHEN sign = {sign} THEN 1 ELSE 0 END"
    f" ELSE (SELECT count(*) FROM json_each(inside) i WHERE {of}) END)"
    for sign, of in (
        (1, "CAST(json_extract(i.value, '$[0]') AS INTEGER) = p.seat"),
        (-1, "CAST(json_extract(i.value, '$[0]') AS INTEGER) != p.seat"),
        (0, "json_extract(i.value, '$[0]') IS NULL"),
    )
)
COLUMNS: Final = ", ".join(Part.__struct_fields__)


class Tally(Struct, frozen=True):
    """Counts of how games have ended."""

    won: int = 0
    lost: int = 0
    drawn: int = 0


class Whole(Struct, frozen=True):
    """A finished game from the view of one of its players: where, with whom, how they left (None: they stayed)."""

    part: Part
    table: int
    players: list[Mapping[str, Any]]
    left: str | None


class Finished(Struct, frozen=True):
    """A finished game of somebody's timeline (P-12). n: of their games; rating, pass, grade: what it has changed.

    rating: `shown, change`; pass: `pass, change, moved`; grade: the one before and the one after.
    """

    n: int
    part: Part
    rating: Any = None
    pass_: Any = None
    grade: tuple[int, int] | None = None

    @property
    def changed(self) -> bool:
        """Tell whether anything but points has changed."""
        return any(one is not None for one in (self.rating, self.pass_, self.grade))


class Career(Struct, frozen=True):
    """Somebody's results in one game; friendly games are counted separately."""

    game: str
    all: Tally
    friendly: Tally
    seats: dict[str, Tally]
    variants: dict[str, Tally]
    months: dict[str, Tally]


class History:
    """The finished games of this hall, by who played them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def games(
        self, user: int, *, game: str | None, other: int | None, after: int, most: int, viewer: int | None = None
    ) -> list[Whole]:
        """Return somebody's finished games, newest first. other: only those with this user.

        viewer: who asks; games of shared deals that are closed to them are left out (P-94).
        """

        def work(db: Connection) -> list[Whole]:
            sql = (
                f"SELECT {COLUMNS} FROM parts p WHERE user = ?1 AND (?2 IS NULL OR game = ?2) AND {SEEN}"
                " AND (?4 IS NULL OR EXISTS (SELECT 1 FROM parts q WHERE q.id = p.id AND q.user = ?4))"
                " ORDER BY n DESC LIMIT ?5 OFFSET ?6"
            )
            rows = [Part(*row) for row in db.execute(sql, (user, game, viewer, other, most, after))]
            return [Whole(row, _table(db, row.id), _seats(db, row.id), _left(db, row.id, row.seat)) for row in rows]

        return await self._store.read(work)

    async def counted(self, user: int) -> bool:
        """Tell whether somebody has finished a game that counts."""
        sql = "SELECT 1 FROM parts WHERE user = ? AND counted LIMIT 1"
        return await self._store.read(lambda db: db.execute(sql, (user,)).fetchone()) is not None

    async def finished(self, user: int, before: int, most: int, *, changed: bool = False) -> list[Finished]:
        """Return somebody's own finished games, newest first, with what they have changed.

        before: only games with a smaller number. changed: only those that have changed a rating, a pass or a grade.
        """
        sql = (
            f"SELECT n, {COLUMNS} FROM parts p WHERE user = ?1 AND n < ?2"
            f" AND NOT EXISTS (SELECT 1 FROM games g WHERE g.id = p.id AND {hidden('?1')})"
            " ORDER BY n DESC LIMIT ?3"
        )

        def work(db: Connection) -> list[Finished]:
            found = []
            for n, *row in db.execute(sql, (user, before, SCANNED if changed else most)):
                one = _finished(db, user, n, Part(*row))
                if one.changed or not changed:
                    found.append(one)
                if len(found) == most:
                    break
            return found

        return await self._store.read(work)

    async def curve(self, user: int, pool: str, viewer: int | None = None) -> list[tuple[int, int]]:
        """Return the times and values of somebody's rating in a pool, oldest first, thinned out if there are many.

        viewer: who asks; games of shared deals that are closed to them are left out (P-94).
        """
        game, _, which = pool.partition("/")
        usual = f"SELECT at, shown FROM parts p WHERE user = ?1 AND pool = ?2 AND {SEEN} ORDER BY n"
        sql, of = (FIBS, game) if which == "fibs" else (usual, pool)
        rows = await self._store.read(lambda db: db.execute(sql, (user, of, viewer)).fetchall())
        step = max(1, -(-len(rows) // POINTS))
        thin = rows[::step]
        return thin if not rows or thin[-1] == rows[-1] else [*thin, rows[-1]]

    async def careers(self, user: int, viewer: int | None = None) -> list[Career]:
        """Return somebody's results, game by game. viewer: who asks, as in `curve`."""

        def work(db: Connection) -> list[Career]:
            games = [
                game for (game,) in db.execute("SELECT DISTINCT game FROM parts WHERE user = ? ORDER BY 1", (user,))
            ]
            return [_career(db, user, game, viewer) for game in games]

        return await self._store.read(work)

    async def met(self, user: int, other: int | None = None) -> list[Met]:
        """Return somebody's results against their most frequent opponents, or against one, including friendly games."""
        sql = (
            "SELECT q.user, count(*), sum(p.points > q.points), sum(p.points < q.points), sum(p.points = q.points)"
            " FROM parts p JOIN parts q ON q.id = p.id AND q.user != p.user"
            " WHERE p.user = ?1 AND p.sign IS NOT NULL AND (?2 IS NULL OR q.user = ?2)"
            " GROUP BY q.user ORDER BY 2 DESC, 1 LIMIT ?3"
        )
        rows = await self._store.read(lambda db: db.execute(sql, (user, other, OPPONENTS)).fetchall())
        return [Met(*row) for row in rows]

    async def days(self, user: int, viewer: int | None, since: int, offset: int) -> list[tuple[str, int]]:
        """Return on which days somebody has finished how many games. since, offset: as in `highlights.days`."""
        return await self._store.read(lambda db: highlights.days(db, user, viewer, since, offset))

    async def company(self, user: int, viewer: int | None) -> Company:
        """Return with whom somebody has played most lately, and with what results."""
        return await self._store.read(lambda db: highlights.company(db, user, viewer))

    async def best(self, user: int, viewer: int | None) -> list[Best]:
        """Return somebody's best deals."""
        return await self._store.read(lambda db: highlights.best(db, user, viewer))

    async def likes(self, user: int) -> list[str]:
        """Return the games that somebody has played lately, the one they play most first."""
        return await self._store.read(lambda db: highlights.likes(db, user))

    async def popular(self) -> dict[str, int]:
        """Return how many games of each kind have been finished in this hall."""
        return await self._store.read(highlights.popular)

    async def played_with(self, user: int) -> dict[int, int]:
        """Return with whom somebody has played, and how many games."""
        return await self._store.read(lambda db: books.met(db, user))


def _finished(db: Connection, user: int, n: int, part: Part) -> Finished:
    paid = _paid(db, part.id, part.seat)
    rating, passed, grade = paid.get("rating"), paid.get("pass"), paid.get("grade")
    if rating is not None:
        rating = {"shown": rating.get("shown"), "change": rating.get("change")} if rating.get("change") else None
    if passed is not None:
        passed = {name: passed.get(name) for name in ("pass", "change", "moved")}
        passed = passed if passed["change"] or passed["moved"] not in (None, "none") else None
    moved = None
    if grade is not None and part.score:
        sql = (
            "SELECT id, seat FROM (SELECT id, seat, game FROM parts WHERE user = ? AND n < ? ORDER BY n DESC LIMIT ?)"
            " WHERE game = ? LIMIT 1"
        )
        last = db.execute(sql, (user, n, EARLIER, part.game)).fetchone()
        old = None if last is None else _paid(db, *last).get("grade")
        moved = (old, grade) if old is not None and old != grade else None
    return Finished(n, part, rating, passed, moved)


def _paid(db: Connection, game_id: str, seat: int) -> Mapping[str, Any]:
    """Return what a seat got for a game."""
    sql = "SELECT json_extract(data, ?) FROM events WHERE stream = ? AND type = 'game.ended' ORDER BY seq DESC LIMIT 1"
    row = db.execute(sql, (f"$.paid[{seat}]", f"game:{game_id}")).fetchone()
    return {} if row is None or row[0] is None else msgspec.json.decode(row[0])


def _seats(db: Connection, game_id: str) -> list[Mapping[str, Any]]:
    row = db.execute(
        "SELECT json_extract(data, '$.seats') FROM events WHERE stream = ? AND seq = 1", (f"game:{game_id}",)
    ).fetchone()
    return [] if row is None else msgspec.json.decode(row[0])


def _table(db: Connection, game_id: str) -> int:
    row = db.execute("SELECT tbl FROM games WHERE id = ?", (game_id,)).fetchone()
    return 0 if row is None else int(row[0])


def _left(db: Connection, game_id: str, seat: int) -> str | None:
    """Return how somebody left a game if that cost them something; friendly games cost nothing."""
    sql = "SELECT json_extract(data, ?), json_extract(data, ?) FROM events WHERE stream = ? AND type = 'game.ended'"
    paths = f'$.left."{seat}"', f"$.paid[{seat}].credibility"
    row = db.execute(sql, (*paths, f"game:{game_id}")).fetchone()
    return None if row is None or row[1] is None else row[0]


def _career(db: Connection, user: int, game: str, viewer: int | None) -> Career:
    inside = games.find(game).rating.inside is not None
    tally, rows = (INSIDE, OF_MATCHES) if inside else (TALLY, "parts p")

    def tallies(by: str, where: str) -> dict[str, Tally]:
        of = f"user = ?1 AND game = ?2 AND sign IS NOT NULL AND {where} AND {SEEN}"
        sql = f"SELECT {by}, {tally} FROM {rows} WHERE {of} GROUP BY 1"
        return {str(name): Tally(*counts) for name, *counts in db.execute(sql, (user, game, viewer))}

    return Career(
        game=game,
        all=tallies("''", "counted").get("", Tally()),
        friendly=tallies("''", "NOT counted").get("", Tally()),
        seats=tallies("seat", "counted"),
        variants=tallies("coalesce(variant, '')", "counted"),
        months=tallies("strftime('%Y-%m', p.at, 'unixepoch')", "counted"),
    )
