"""Branches: games that go on from a moment of another game (What if), as a tree beside each record.

Where a branch leaves which game is a projection of `game.created`, in the table `games`. What its player makes of it
(its name, who may see it, that it is deleted) is a row of `branches`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, Final, Literal

from msgspec import Struct

from qipai.hall.table.events import DealCreated
from qipai.store import Connection

__all__ = ["MOST", "Branch", "ShownTo", "at_table", "begin", "by", "find", "parent", "seen", "shared", "tree", "write"]

ShownTo = Literal["me", "link", "all"]
MOST: Final = 500  # of one tree, the newest
COLUMNS: Final = (
    "g.id, g.game, g.origin, g.ply, g.root, g.player, g.seat, g.tbl, g.begun_at, g.ended_at,"
    " coalesce(b.id, 0), coalesce(b.name, ''), coalesce(b.who, 'me'), coalesce(b.removed, 0), coalesce(b.gone, 0)"
)
FROM: Final = "games g LEFT JOIN branches b ON b.game = g.id"


class Branch(Struct, frozen=True):
    """A branch. ply: it leaves its origin after so many actions; number: of its row, 0: it has none yet."""

    id: str
    game: str
    origin: str
    ply: int
    root: str
    player: int
    seat: int
    table: int
    begun_at: int
    ended_at: int | None
    number: int
    name: str
    who: ShownTo
    removed: bool
    gone: bool

    def seen(self, viewer: int | None) -> bool:
        """Tell whether somebody who has its address may see it."""
        return not self.gone and (self.who != "me" or self.player == viewer)


def begin(db: Connection, id: str, created: DealCreated) -> None:
    """Note where a game leaves another."""
    start = created.goes_on
    assert start is not None
    row = db.execute("SELECT root FROM games WHERE id = ?", (start.game,)).fetchone()
    root = start.game if row is None or row[0] is None else row[0]  # a game from a file is in no row
    seat, player = next(((seat, one.user) for seat, one in enumerate(created.seats) if one.user is not None), (0, 0))
    sql = "UPDATE games SET origin = ?, ply = ?, root = ?, player = ?, seat = ? WHERE id = ?"
    db.execute(sql, (start.game, start.ply, root, player, seat, id))


def find(db: Connection, id: str) -> Branch | None:
    """Return a branch, None if the game is none."""
    row = db.execute(f"SELECT {COLUMNS} FROM {FROM} WHERE g.id = ? AND g.root IS NOT NULL", (id,)).fetchone()
    return None if row is None else _branch(row)


def at_table(db: Connection, table: int) -> Branch | None:
    """Return the branch that is played at a table, None where none has begun."""
    row = db.execute(f"SELECT {COLUMNS} FROM {FROM} WHERE g.tbl = ? AND g.root IS NOT NULL", (table,)).fetchone()
    return None if row is None else _branch(row)


def seen(db: Connection, id: str, viewer: int | None) -> bool:
    """Tell whether somebody may see a game as far as it is a branch: others' private ones, and deleted ones, not."""
    found = find(db, id)
    return found is None or found.seen(viewer)


def tree(db: Connection, root: str) -> list[Branch]:
    """Return the branches of a tree, whoever may see them, the oldest first."""
    rows = db.execute(
        f"SELECT * FROM (SELECT {COLUMNS} FROM {FROM} WHERE g.root = ?"
        f" ORDER BY g.begun_at DESC, g.id DESC LIMIT {MOST}) ORDER BY begun_at, id",
        (root,),
    )
    return [_branch(row) for row in rows]


def by(db: Connection, player: int) -> list[Branch]:
    """Return the branches that somebody has played, the oldest first; not those they have deleted."""
    rows = db.execute(
        f"SELECT {COLUMNS} FROM {FROM} WHERE g.player = ? AND g.root IS NOT NULL ORDER BY g.begun_at, g.id", (player,)
    )
    return [one for one in map(_branch, rows) if not one.gone]


def _up(all: Mapping[str, Branch], id: str) -> dict[str, int | None]:
    """Return the games that a branch has its beginning from, itself first, and how many actions each gave it."""
    found: dict[str, int | None] = {id: None}
    upto: int | None = None
    while (one := all.get(id)) is not None and one.origin not in found:
        upto = one.ply if upto is None else min(upto, one.ply)
        id = one.origin
        found[id] = upto
    return found


def parent(all: Mapping[str, Branch], id: str, shown: Container[str]) -> tuple[str, int]:
    """Return from which of the games that are shown a branch leaves, and after how many actions.

    A branch of one that is not shown leaves whatever that one has left. shown: the root among them.
    """
    ups = _up(all, id)
    for game, upto in ups.items():
        if game != id and game in shown:
            return game, upto or 0
    return all[id].root, all[id].ply


def shared(all: Mapping[str, Branch], one: str, other: str) -> int:
    """Return how many actions two games of a tree have from the same game; 0 if they are of different trees."""
    mine, theirs = _up(all, one), _up(all, other)
    counts = []
    for game in mine.keys() & theirs.keys():
        ends = [end for end in (mine[game], theirs[game]) if end is not None]
        counts.append(min(ends, default=0))
    return max(counts, default=0)


def write(
    db: Connection, id: str, *, name: str | None = None, who: ShownTo | None = None, gone: bool | None = None
) -> None:
    """Change what its player makes of a branch; None: that stays as it is."""
    db.execute("INSERT INTO branches (game) VALUES (?) ON CONFLICT DO NOTHING", (id,))
    if name is not None:
        db.execute("UPDATE branches SET name = ?, removed = 0 WHERE game = ?", (name, id))
    if who is not None:
        db.execute("UPDATE branches SET who = ? WHERE game = ?", (who, id))
    if gone is not None:
        db.execute("UPDATE branches SET gone = ?, name = '' WHERE game = ?", (int(gone), id))


def _branch(row: tuple[Any, ...]) -> Branch:
    has = dict(zip(Branch.__struct_fields__, row, strict=True))
    has |= {name: bool(has[name]) for name in ("removed", "gone")}
    return Branch(**has | ({"name": ""} if has["removed"] else {}))
