"""Ponds as a kind of contest (`contests.contract`). Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from qipai.contests.contract import Command, Game, Payment, SharedDeal
from qipai.contests.ponds.commands import AnyCommand
from qipai.contests.ponds.events import AnyEvent, Cancelled, Entered, Finished, Left, RoundEnded, Started
from qipai.contests.ponds.fold import fold
from qipai.contests.ponds.handle import due, handle
from qipai.contests.ponds.model import Pond
from qipai.contests.ponds.page import PondLine, PondPage, line_of, page_of

__all__ = ["PondKind"]


class PondKind:
    """The kind of all ponds. draw: gives a new salt, as hex of 16 bytes at least, that nobody can guess."""

    kind: str = "pond"
    events: Any = AnyEvent
    commands: Any = AnyCommand

    def __init__(self, draw: Callable[[], str]) -> None:
        self._draw: Final = draw

    def fold(self, state: Pond | None, event: AnyEvent, now: int) -> Pond:
        """Return the pond after an event."""
        return fold(state, event, now)

    def handle(self, state: Pond | None, command: Command, by: int | None, now: int) -> list[AnyEvent]:
        """Return the events that a command comes to; raises HallError.

        Of a Cancel whoever is not the pond's maker has been found to be a moderator.
        """
        return handle(state, command, by, now, self._draw)

    def due(self, state: Pond) -> int | None:
        """Return when a Tick is due."""
        return due(state)

    def idle_at(self, state: Pond) -> int | None:
        """Return nothing: nobody is replaced."""
        return None

    def games(self, state: Pond) -> tuple[Game, ...]:
        """Return nothing: a pond is played without tables."""
        return ()

    def deals(self, state: Pond) -> tuple[SharedDeal, ...]:
        """Return nothing: every game has luck of its own."""
        return ()

    def payments(self, state: Pond | None, event: AnyEvent) -> tuple[Payment, ...]:
        """Return the fee, its refund, the prizes."""
        match event:
            case Entered(user=user) if state is not None and state.form.fee:
                return (Payment(user, "escrow", state.form.fee, "fee"),)
            case Left(user=user, why=why, refund=refund) if refund:
                return (Payment("escrow", "house" if why == "deleted" else user, refund, "refund"),)
            case Finished():
                paid = [Payment("escrow", one.user, one.coins, "prize") for one in event.placed if one.coins]
                return (*paid, Payment("escrow", "house", event.house, "prize")) if event.house else tuple(paid)
            case Cancelled():
                back = [Payment("escrow", one.user, one.coins, "refund") for one in event.refunds]
                return (*back, Payment("escrow", "house", event.house, "refund")) if event.house else tuple(back)
            case _:
                return ()

    def people(self, state: Pond) -> frozenset[int]:
        """Return who has entered and who has made it."""
        deleted = {user for user, why in state.gone.items() if why == "deleted"}
        return frozenset({*state.entered} - deleted | ({state.by} if state.by is not None else set()))

    def line(self, state: Pond) -> PondLine:
        """Return what the list of ponds shows."""
        return line_of(state)

    def news(self, before: Pond | None, event: AnyEvent) -> tuple[tuple[int, dict[str, Any]], ...]:
        """Return what its people hear: that a round begins, that they have fallen, how it has ended."""
        if before is None or not isinstance(event, (Started, RoundEnded, Finished, Cancelled)):
            return ()
        what = str(type(event).__struct_config__.tag).partition(".")[2]
        fallen = event.fallen if isinstance(event, RoundEnded) else ()
        return tuple(
            (user, {"what": "fallen" if user in fallen else what, "pond": before.form.name, "round": before.round})
            for user in sorted(self.people(before))
            if user in before.runners or user in before.entered
        )

    def over(self, state: Pond) -> bool:
        """Tell whether it has ended or was cancelled."""
        return state.state in ("finished", "cancelled")

    def public(self, state: Pond, viewer: int | None, now: int) -> PondPage:
        """Return the page that somebody sees."""
        return page_of(state, viewer)
