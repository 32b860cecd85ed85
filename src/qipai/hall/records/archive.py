"""The finished games of a hall, one by one: shown, checked, reversed, and counted (platform P-33, P-75, P-90, 13.2)."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from msgspec import Struct, structs

from qipai.config import Order as OrderNumbers
from qipai.core.entry import Record, in_the_open
from qipai.hall.live import books, branches, shared_deals
from qipai.hall.live.ports import Accounts
from qipai.hall.live.runner import TableRunner
from qipai.hall.live.timers import Clock
from qipai.hall.records import replay, shelf, verification
from qipai.hall.records.reversal import reversal
from qipai.hall.records.shelf import Shelf
from qipai.hall.rooms.balances import Balances
from qipai.hall.rooms.notes import Notes
from qipai.hall.rooms.people import People
from qipai.hall.table.errors import HallError
from qipai.ledger.passes import Pass
from qipai.ledger.service import Ledger
from qipai.store import Store

__all__ = ["Archive", "Figures"]


class Figures(Struct, frozen=True):
    """The hall's statistics: by game, the first side and how it ended; games begun today; most people at once."""

    ends: books.Counts
    reasons: books.Counts
    today: int
    peak: int


class Archive:
    """The finished games."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        clock: Clock,
        ledger: Ledger,
        runner: TableRunner,
        people: People,
        balances: Balances,
        notes: Notes,
        shelf: Shelf,
        order: OrderNumbers,
    ) -> None:
        self._store, self._accounts, self._clock, self._ledger, self._runner = store, accounts, clock, ledger, runner
        self._people, self._balances, self._notes, self._shelf = people, balances, notes, shelf
        self._order = order

    async def finished(self, game_id: str, notation: str | None = None, viewer: int | None = None) -> Any:
        """Return a finished game (13.2), or one imported from a file, as data or as text in one of its notations.

        viewer: who asks; a game of a shared deal is closed to them until it is opened, or they have played it (P-94).
        Raises HallError: NOT_FOUND before the end, BAD_OPTION for an unknown notation.
        """
        rows = await self._store.read(partial(books.game_rows, id=game_id))
        if not rows and (brought := await self._shelf.find(game_id)):
            at, found = brought
            return shelf.shown(game_id, at, found) if notation is None else replay.written(found.record, notation)
        if not replay.is_finished(rows):
            raise HallError("NOT_FOUND")
        opened = await self._open(game_id, viewer)
        await self._accounts.meet(replay.created(rows).users)
        if notation is not None:
            return replay.text(rows, notation, self._accounts.peek, opened=opened)
        return replay.finished(rows, self._accounts.peek, opened=opened)

    async def _open(self, game_id: str, viewer: int | None) -> bool:
        """Tell whether the luck of a game is open; raises HallError("NOT_FOUND") if the viewer may not see the game."""
        seen, opened = await self._store.read(partial(shared_deals.seen_by, game_id=game_id, viewer=viewer))
        if not seen:
            raise HallError("NOT_FOUND", case="board")
        if not await self._store.read(partial(branches.seen, id=game_id, viewer=viewer)):
            raise HallError("NOT_FOUND")
        return opened

    async def to_go_on(self, game_id: str, viewer: int | None) -> Any:
        """Return a finished game from whose moments somebody may go on (What if), as `finished` does.

        Raises HallError: NOT_ALLOWED while it runs, and while tables still play its shared deal; NOT_FOUND where the
        viewer may not see it.
        """
        rows = await self._store.read(partial(books.game_rows, id=game_id))
        if rows and not replay.is_finished(rows):
            raise HallError("NOT_ALLOWED", case="whatif_running")
        found = await self.finished(game_id, viewer=viewer)
        if rows and not await self._open(game_id, viewer):
            raise HallError("NOT_ALLOWED", case="whatif_board")  # P-94: whoever plays it on would try it twice
        return found

    async def past(self, table: int, user: int) -> Any:
        """Return what has been played so far of the running game of a table (`replay.so_far`), for its players.

        Only for games without hidden information: in others, an earlier position could reveal what is hidden now.
        Raises HallError: NO_SUCH_TABLE, NOT_SEATED, NO_GAME, NOT_FOUND for such a game.
        """
        live = await self._runner.cache.find(table)
        if live is None or live.table.state == "closed":
            raise HallError("NO_SUCH_TABLE")
        at = live.table
        if at.seat_of(user) is None:
            raise HallError("NOT_SEATED")
        if at.deal is None:
            raise HallError("NO_GAME")
        if at.entry.cards or at.entry.conceal is not in_the_open or at.entry.timing is not None:
            raise HallError("NOT_FOUND")
        return replay.so_far(await self._store.read(partial(books.game_rows, id=at.deal.game_id)))

    async def record(self, game_id: str) -> Record:
        """Return a finished game as a record, for the hall's own work: whoever may see it, and with an open seed only.

        Raises HallError("NOT_FOUND") before the end, or for old rules.
        """
        rows = await self._store.read(partial(books.game_rows, id=game_id))
        if not rows and (brought := await self._shelf.find(game_id)):
            return structs.replace(brought[1].record, game_id=game_id)
        if not replay.is_finished(rows):
            raise HallError("NOT_FOUND")
        if await asyncio.get_running_loop().run_in_executor(None, replay.verify, rows) is not None:
            raise HallError("NOT_FOUND", case="rules")
        return replay.record(rows, lambda user: None)

    async def analysable(self, game_id: str, viewer: int | None) -> tuple[str, Record | None]:
        """Return which game it is that somebody wants an analysis of, and its record if it was brought from a file.

        Raises HallError("NOT_FOUND") before the end, for who may not see it, and as long as its shared deal is closed:
        an analysis would tell of the cards that others are still to be dealt (P-94).
        """
        rows = await self._store.read(partial(books.game_rows, id=game_id))
        if not rows and (brought := await self._shelf.find(game_id)):
            return brought[1].record.game, structs.replace(brought[1].record, game_id=game_id)
        if not replay.is_finished(rows):
            raise HallError("NOT_FOUND")
        if not await self._open(game_id, viewer):
            raise HallError("NOT_FOUND", case="board")
        return replay.created(rows).game, None

    async def verify(self, game_id: str) -> str | None:
        """Return how a finished game's log contradicts its result or its luck, None when it does not (P-90)."""
        found = await self._store.read(partial(verification.of_game, id=game_id))
        return None if found is None else found.why

    async def reverse(self, game_id: str, user: int, reason: str, *, by: int | None) -> bool:
        """Reverse what a game took from somebody; return whether it took anything (P-33).

        Raises HallError: NOT_FOUND for no finished game, LIMIT_REACHED when it is too long ago or done.
        """
        rows = await self._store.read(partial(books.game_rows, id=game_id))
        if not replay.is_finished(rows):
            raise HallError("NOT_FOUND")
        days = self._order.reverse_days
        now = self._clock.now()
        if rows[-1].now < now - days * 86_400_000:
            raise HallError("LIMIT_REACHED", case="late", most=days)
        done = await self._store.read(partial(books.reversals, game=game_id))
        if user in done:
            raise HallError("LIMIT_REACHED", case="returned", most=1)
        at = (await self._ledger.passes(user)).get(replay.created(rows).game, Pass())
        data = reversal(rows, user, at, self._runner.limits.climb)
        if data is None:
            return False
        await self._ledger.reverse({**data, "reason": reason}, by=by, now=now)
        await self._balances.refresh(user)
        self._notes.keeper.keep_later(user, "penalty", None, {"what": "reverse", "reason": reason, "until": None})
        self._notes.ruling(user, "reverse", reason, None)
        return True

    async def figures(self) -> Figures:
        """Return how the games of this hall have ended, and how many began today (P-75)."""
        now = self._clock.now() // 1000
        await self._people.keep_peak()
        return Figures(*await self._store.read(lambda db: books.figures(db, now - now % 86400)))
