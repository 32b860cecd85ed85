"""People's histories: their latest games, statistics, and rating curves (platform P-4, P-75)."""

from __future__ import annotations

from collections.abc import Mapping
from sqlite3 import Connection
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai import games
from qipai.hall.live import books
from qipai.hall.live.books import Part
from qipai.hall.live.shared_deals import hidden
from qipai.store import Store

__all__ = ["Career", "History", "Met", "Tally", "Whole"]

POINTS: Final = 400  # of a curve
# A FIBS rating stands beside the one of the pool, in the end of each match alone, which is its last row (P-116).
FIBS: Final = (
    "SELECT p.at, json_extract(e.data, '$.paid[' || p.seat || '].fibs.shown') AS shown FROM parts p"
    " JOIN events e ON e.stream = 'game:' || p.id AND e.type = 'game.ended'"
    " AND e.seq = (SELECT max(seq) FROM events WHERE stream = 'game:' || p.id)"
    " WHERE p.user = ? AND p.game = ? AND shown IS NOT NULL ORDER BY p.n"
)
OPPONENTS: Final = 20
TALLY: Final = "sum(sign = 1), sum(sign = -1), sum(sign = 0)"
# Of matches the games inside them are counted (README X14); older logs do not tell of them.
OF_MATCHES: Final = (
    "parts p JOIN (SELECT substr(stream, 6) AS played, json_extract(data, '$.inside') AS inside FROM events"
    " WHERE type = 'game.ended' AND stream IN (SELECT 'game:' || id FROM parts WHERE user = ?1)) e ON e.played = p.id"
)
INSIDE: Final = ", ".join(
    f"sum(CASE WHEN inside IS NULL THEN sign = {sign} ELSE (SELECT count(*) FROM json_each(inside) i WHERE {of}) END)"
    for sign, of in (
        (1, "json_extract(i.value, '$[0]') = p.seat"),
        (-1, "json_extract(i.value, '$[0]') != p.seat"),
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


class Met(Struct, frozen=True):
    """The results of two people in their common games: who had more points, whatever side they were on."""

    user: int
    games: int
    ahead: int
    behind: int
    level: int


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
                f"SELECT {COLUMNS} FROM parts p WHERE user = ?1 AND (?2 IS NULL OR game = ?2)"
                " AND (?3 IS NULL OR EXISTS (SELECT 1 FROM parts q WHERE q.id = p.id AND q.user = ?3))"
                f" AND NOT EXISTS (SELECT 1 FROM games g WHERE g.id = p.id AND {hidden('?6')})"
                " ORDER BY n DESC LIMIT ?4 OFFSET ?5"
            )
            rows = [Part(*row) for row in db.execute(sql, (user, game, other, most, after, viewer))]
            return [Whole(row, _table(db, row.id), _seats(db, row.id), _left(db, row.id, row.seat)) for row in rows]

        return await self._store.read(work)

    async def counted(self, user: int) -> bool:
        """Tell whether somebody has finished a game that counts."""
        sql = "SELECT 1 FROM parts WHERE user = ? AND counted LIMIT 1"
        return await self._store.read(lambda db: db.execute(sql, (user,)).fetchone()) is not None

    async def curve(self, user: int, pool: str) -> list[tuple[int, int]]:
        """Return the times and values of somebody's rating in a pool, oldest first, thinned out if there are many."""
        game, _, which = pool.partition("/")
        usual = "SELECT at, shown FROM parts WHERE user = ? AND pool = ? ORDER BY n"
        sql, of = (FIBS, game) if which == "fibs" else (usual, pool)
        rows = await self._store.read(lambda db: db.execute(sql, (user, of)).fetchall())
        step = max(1, -(-len(rows) // POINTS))
        thin = rows[::step]
        return thin if not rows or thin[-1] == rows[-1] else [*thin, rows[-1]]

    async def careers(self, user: int) -> list[Career]:
        """Return somebody's results, game by game."""

        def work(db: Connection) -> list[Career]:
            games = [
                game for (game,) in db.execute("SELECT DISTINCT game FROM parts WHERE user = ? ORDER BY 1", (user,))
            ]
            return [_career(db, user, game) for game in games]

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

    async def played_with(self, user: int) -> dict[int, int]:
        """Return with whom somebody has played, and how many games."""
        return await self._store.read(lambda db: books.met(db, user))


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


def _career(db: Connection, user: int, game: str) -> Career:
    inside = games.find(game).rating.inside is not None
    tally, rows = (INSIDE, OF_MATCHES) if inside else (TALLY, "parts p")

    def tallies(by: str, where: str) -> dict[str, Tally]:
        of = f"user = ?1 AND game = ?2 AND sign IS NOT NULL AND {where}"
        sql = f"SELECT {by}, {tally} FROM {rows} WHERE {of} GROUP BY 1"
        return {str(name): Tally(*counts) for name, *counts in db.execute(sql, (user, game))}

    return Career(
        game=game,
        all=tallies("''", "counted").get("", Tally()),
        friendly=tallies("''", "NOT counted").get("", Tally()),
        seats=tallies("seat", "counted"),
        variants=tallies("coalesce(variant, '')", "counted"),
        months=tallies("strftime('%Y-%m', p.at, 'unixepoch')", "counted"),
    )
