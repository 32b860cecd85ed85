"""What the events of a tournament pay (platform P-79). Fees lie in escrow until it is over. Pure."""

from __future__ import annotations

from typing import Literal

from qipai.contests.contract import Payment
from qipai.contests.tournaments.events import AnyEvent, Cancelled, Entered, Finished, Withdrew
from qipai.contests.tournaments.model import Entrant, Tournament

__all__ = ["payments"]


def payments(state: Tournament | None, event: AnyEvent) -> tuple[Payment, ...]:
    """Return what an event pays; state: before it."""
    if state is None:
        return ()
    match event:
        case Entered(users=users):
            fee = state.form.fee
            return (Payment(users[0], "escrow", fee, "fee"),) if fee else ()
        case Withdrew(no=no, why=why) if state.state == "open" or why in ("incomplete", "unused"):
            return _back(state, state.entrant(no))
        case Cancelled():
            return tuple(payment for one in state.entrants for payment in _back(state, one))
        case Finished(prizes=prizes, house=house):
            paid = tuple(Payment("escrow", user, coins, "prize") for user, coins in prizes)
            return (*paid, Payment("escrow", "house", house, "prize")) if house else paid
        case _:
            return ()


def _back(state: Tournament, entrant: Entrant) -> tuple[Payment, ...]:
    """Return that a fee goes back to who has paid it, or to the house where that account is deleted."""
    if not entrant.coins:
        return ()
    target: int | Literal["house"] = "house" if entrant.payer in state.deleted else entrant.payer
    return (Payment("escrow", target, entrant.coins, "refund"),)
