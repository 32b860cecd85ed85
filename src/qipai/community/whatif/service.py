"""Branches of finished games: whose they are, what they are called, who may see them, how they have ended (What if)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct

from qipai.accounts.model import User
from qipai.community.common import Common
from qipai.community.contract import Piece, Reported
from qipai.hall.live import branches
from qipai.hall.live.branches import Branch, ShownTo
from qipai.hall.table.errors import HallError
from qipai.store import Connection

__all__ = ["Ended", "Shown", "Tree", "WhatIf"]

NAME_CHARS: Final = 40


class Ended(Struct, frozen=True):
    """How a game has ended, as its end says."""

    points: tuple[int, ...]
    places: tuple[int, ...]
    why: str


class Shown(Struct, frozen=True):
    """A branch as somebody sees it. parent, n: the game that it leaves there, and after how many actions."""

    branch: Branch
    parent: str
    n: int
    ended: Ended | None  # None: it goes on


class Tree(Struct, frozen=True):
    """The branches of a game that somebody may see. ended: how the game itself has; None: it is not in the log."""

    root: str
    ended: Ended | None
    rows: tuple[Shown, ...]


class Showing(Protocol):
    """The reviews, in which branches are shown."""

    def closed(self, db: Connection, game: str) -> None:
        """Look away from a branch that nobody may see any more."""
        ...


class WhatIf:
    """The branches of a hall."""

    def __init__(self, common: Common, showing: Showing) -> None:
        self._common, self._showing = common, showing

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return the names of branches, as what can be reported and removed."""
        return {"branch": Piece(_find, _seen, _remove)}

    async def open(self) -> None:
        """Load nothing: a tree is read when somebody looks at it."""

    async def tree(self, game: str, viewer: int | None) -> Tree:
        """Return the tree that a game belongs to, as somebody sees it.

        Of others' branches those that they show to everybody, and the one that is asked for; only finished ones.
        """

        def work(db: Connection) -> Tree:
            here = branches.find(db, game)
            root = game if here is None else here.root
            all = {one.id: one for one in branches.tree(db, root)}
            if here is not None:
                all.setdefault(here.id, here)
            mine = {id for id, one in all.items() if one.player == viewer and not one.gone}
            open_ = {id for id, one in all.items() if one.ended_at is not None and one.seen(viewer)}
            shown = mine | {id for id in open_ if all[id].who == "all" or id == game}
            rows = []
            for id in all:
                if id in shown:
                    parent, n = branches.parent(all, id, {root, *shown})
                    rows.append(Shown(all[id], parent, n, _ended(db, id)))
            return Tree(root, _ended(db, root), tuple(rows))

        return await self._common.store.read(work)

    async def shared(self, one: str, other: str) -> int:
        """Return how many actions two games of a tree have from the same game; raises HallError("NOT_FOUND")."""

        def work(db: Connection) -> int | None:
            roots = {_root(db, one), _root(db, other)}
            if len(roots) > 1 or one == other:
                return None
            return branches.shared({each.id: each for each in branches.tree(db, roots.pop())}, one, other)

        found = await self._common.store.read(work)
        if found is None:
            raise HallError("NOT_FOUND")
        return found

    async def find(self, game: str, viewer: int | None) -> Branch:
        """Return a branch that somebody may see; raises HallError("NOT_FOUND")."""
        found = await self._common.store.read(lambda db: branches.find(db, game))
        if found is None or not found.seen(viewer):
            raise HallError("NOT_FOUND")
        return found

    async def change(self, user: User, game: str, name: str | None, who: ShownTo | None) -> None:
        """Name one's own branch, or say who may see it.

        Raises HallError: NOT_FOUND, NOT_ALLOWED for somebody else's, those of `may_write`.
        """
        self._common.may_write(user)
        text = None if name is None else self._common.text(name, NAME_CHARS, "name")

        def work(db: Connection) -> bool:
            if not _mine(db, user.id, game):
                return False
            branches.write(db, game, name=text, who=who)
            if who == "me":
                self._showing.closed(db, game)
            return True

        if not await self._common.store.transaction(work):
            await self._not_mine(game, user)

    async def drop(self, user: User, game: str) -> None:
        """Delete one's own branch; what others have gone on with from there stays. Raises HallError, as `change`."""

        def work(db: Connection) -> bool:
            if not _mine(db, user.id, game):
                return False
            branches.write(db, game, gone=True)
            self._showing.closed(db, game)
            return True

        if not await self._common.store.transaction(work):
            await self._not_mine(game, user)

    async def _not_mine(self, game: str, user: User) -> None:
        """Raise the HallError for a branch that is somebody else's: NOT_FOUND where its existence is theirs to tell."""
        await self.find(game, user.id)
        raise HallError("NOT_ALLOWED", case="whatif_own")

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return the branches that somebody has played."""
        names = ("id", "game", "origin", "ply", "seat", "begun_at", "ended_at", "name", "who")
        rows = [{name: getattr(one, name) for name in names} for one in branches.by(db, user)]
        return {"whatif.json": {"rows": [{**row, "ended": _ended(db, row["id"])} for row in rows]}}

    async def erase(self, user: int) -> None:
        """Delete all branches of somebody."""

        def work(db: Connection) -> None:
            for one in branches.by(db, user):
                branches.write(db, one.id, gone=True)
                self._showing.closed(db, one.id)

        await self._common.store.transaction(work)


def _root(db: Connection, game: str) -> str:
    found = branches.find(db, game)
    return game if found is None else found.root


def _mine(db: Connection, user: int, game: str) -> bool:
    found = branches.find(db, game)
    return found is not None and found.player == user and not found.gone


def _ended(db: Connection, id: str) -> Ended | None:
    """Return how a game has ended, None if it has not, or was brought from a file."""
    sql = "SELECT data FROM events WHERE stream = ? AND type = 'game.ended' ORDER BY seq DESC LIMIT 1"
    row = db.execute(sql, (f"game:{id}",)).fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=Ended)


def _find(db: Connection, number: int) -> Reported | None:
    sql = (
        "SELECT g.player, b.name, b.game, b.removed FROM branches b JOIN games g ON g.id = b.game"
        " WHERE b.id = ? AND b.gone = 0"
    )
    row = db.execute(sql, (number,)).fetchone()
    return None if row is None else Reported(row[0], row[1], f"/g/{row[2]}", removed=bool(row[3]))


def _seen(db: Connection, number: int, user: int) -> Reported | None:
    row = db.execute("SELECT game FROM branches WHERE id = ?", (number,)).fetchone()
    found = None if row is None else branches.find(db, row[0])
    return _find(db, number) if found is not None and found.seen(user) else None


def _remove(db: Connection, number: int) -> bool:
    return db.execute("UPDATE branches SET removed = 1 WHERE id = ? AND removed = 0", (number,)).rowcount > 0
