"""What each event makes of a pond; the only place where it changes. Pure."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from qipai.contests.ponds.events import (
    AnyEvent,
    BidMade,
    Cancelled,
    Entered,
    Finished,
    Left,
    Made,
    RoundEnded,
    Started,
)
from qipai.contests.ponds.model import Bid, Pond, PondRound, Runner
from qipai.contests.ponds.reckoning import reckoned
from qipai.contests.ponds.rounds import START

__all__ = ["fold"]


def fold(state: Pond | None, event: AnyEvent, now: int) -> Pond:
    """Return the pond after an event; of the first one `state` is None."""
    if isinstance(event, Made):
        return Pond(event.id, 1, "open", event.by, event.form, now)
    assert state is not None
    return replace(_folded(state, event, now), rows=state.rows + 1)


def _folded(state: Pond, event: AnyEvent, now: int) -> Pond:
    match event:
        case Entered(user=user):
            return replace(state, entered=(*state.entered, user))
        case Left():
            return _left(state, event)
        case Started(ends_at=ends_at):
            runners = {user: Runner(START) for user in state.entered}
            return replace(state, state="running", round=1, ends_at=ends_at, runners=runners)
        case BidMade():
            bid = Bid(event.user, event.seal, event.amount, event.salt, event.auto)
            return replace(state, bids={**state.bids, event.user: bid})
        case RoundEnded():
            return _ended(state, event, now)
        case Finished():
            return replace(state, state="finished", ends_at=None, placed=event.placed, winner=event.winner)
        case Cancelled():
            return replace(state, state="cancelled", ends_at=None, bids={})
        case Made():
            raise AssertionError("a pond is made once")
        case _:
            assert_never(event)


def _left(state: Pond, event: Left) -> Pond:
    if state.state == "open":
        return replace(state, entered=tuple(user for user in state.entered if user != event.user))
    bids = {user: bid for user, bid in state.bids.items() if user != event.user}
    return replace(state, gone={**state.gone, event.user: event.why}, bids=bids)


def _ended(state: Pond, event: RoundEnded, now: int) -> Pond:
    found = reckoned(state)
    ended = PondRound(state.round, now, tuple(state.bids.values()), event.fallen, found.bonus)
    return replace(
        state,
        round=state.round if event.ends_at is None else state.round + 1,
        ends_at=event.ends_at,
        runners=found.runners,
        bids={},
        fallen=(*state.fallen, *found.fallen),
        rounds=(*state.rounds, ended),
    )
