"""What the page of a pond shows somebody: hidden things have no place in it (platform P-71). Pure.

What a dark pond hides while it runs is in `Books`, which are not there then. Bids of this round are nowhere but in
one's own `PondMe`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from qipai.contests.ponds.model import Bid, Placed, Pond, PondForm, WhyLeft, may_start, split_of

__all__ = [
    "Books",
    "FallenOne",
    "MyRound",
    "OpenRound",
    "PondAccount",
    "PondLine",
    "PondMe",
    "PondPage",
    "RoundSeals",
    "Sealed",
    "line_of",
    "page_of",
]


class Sealed(Struct, frozen=True):
    """A runner, or a bid of theirs. seal: None: no bid (yet); auto: the hall has repeated their last one."""

    user: int
    seal: str | None
    auto: bool = False


class FallenOne(Struct, frozen=True):
    """Somebody in the water. left: why they left the pond, None: they did not."""

    user: int
    round: int
    left: WhyLeft | None


class RoundSeals(Struct, frozen=True):
    """What everybody sees of a round that has ended: the seals of the bids that counted, and who fell. ended: ms."""

    round: int
    ended: int
    seals: tuple[Sealed, ...]
    fallen: tuple[int, ...]


class OpenRound(Struct, frozen=True):
    """The opened bids of a round, the highest first: each with its seal and what was in it. bonus: who got it."""

    round: int
    bids: tuple[Bid, ...]
    bonus: int | None


class PondAccount(Struct, frozen=True):
    """How many points somebody has left (of the fallen: after their last bid) and used last. -1: they had left."""

    user: int
    points: int
    last: int | None


class Books(Struct, frozen=True):
    """What is open to all, except in the dark: points, and the amounts of the rounds that have ended."""

    accounts: tuple[PondAccount, ...]
    rounds: tuple[OpenRound, ...]


class MyRound(Struct, frozen=True):
    """One of my rounds: what I used, my seal and salt."""

    round: int
    amount: int
    seal: str
    salt: str
    auto: bool


class PondMe(Struct, frozen=True):
    """My own part. bid: of this round; last: what I used in the one before; fallen: in which round I fell."""

    runs: bool
    points: int
    last: int | None
    bid: Bid | None
    fallen: int | None
    rounds: tuple[MyRound, ...]


class PondPage(Struct, frozen=True):
    """A pond. prizes: as many fees make them by now; enough: whether it could start; runners: with this round's seals.

    rounds: the latest first, as `books.rounds`; books: None: nobody sees them yet; placed: best first, at the end.
    """

    id: str
    state: Literal["open", "running", "finished", "cancelled"]
    form: PondForm
    by: int | None
    entered: tuple[int, ...]
    enough: bool
    pool: int
    prizes: tuple[int, ...]
    round: int
    ends_at: int | None
    runners: tuple[Sealed, ...]
    fallen: tuple[FallenOne, ...]
    rounds: tuple[RoundSeals, ...]
    books: Books | None
    me: PondMe | None
    winner: int | None
    placed: tuple[Placed, ...]


class PondLine(Struct, frozen=True):
    """What the list of ponds shows of one. game: none; ponds are a game of their own."""

    id: str
    state: Literal["open", "running", "finished", "cancelled"]
    form: PondForm
    entered: int
    round: int
    running: int
    ends_at: int | None
    winner: int | None
    game: None = None


def line_of(state: Pond) -> PondLine:
    """Return the line of the list."""
    return PondLine(
        state.id,
        state.state,
        state.form,
        len(state.entered),
        state.round,
        len(state.runners),
        state.ends_at,
        state.winner,
    )


def page_of(state: Pond, viewer: int | None) -> PondPage:
    """Return the page."""
    split = split_of(state.form, len(state.entered))
    return PondPage(
        state.id,
        state.state,
        state.form,
        state.by,
        state.entered,
        may_start(state.form, len(state.entered)),
        split.pool,
        split.prizes if state.form.fee else (),
        state.round,
        state.ends_at,
        tuple(Sealed(user, state.bids[user].seal if user in state.bids else None) for user in state.runners),
        tuple(FallenOne(one.user, one.round, state.gone.get(one.user)) for one in state.fallen),
        tuple(
            RoundSeals(
                ended.number,
                ended.ended,
                tuple(Sealed(bid.user, bid.seal, bid.auto) for bid in ended.bids),
                ended.fallen,
            )
            for ended in reversed(state.rounds)
        ),
        None if state.hides else _books(state),
        None if viewer is None or viewer not in state.entered else _me(state, viewer),
        state.winner,
        state.placed,
    )


def _books(state: Pond) -> Books:
    running = [PondAccount(user, runner.points, runner.last) for user, runner in state.runners.items()]
    used = {(ended.number, bid.user): bid.amount for ended in state.rounds for bid in ended.bids}
    fallen = [PondAccount(one.user, one.left, used.get((one.round, one.user))) for one in state.fallen]
    return Books(
        (*running, *fallen),
        tuple(
            OpenRound(ended.number, tuple(sorted(ended.bids, key=lambda bid: bid.amount, reverse=True)), ended.bonus)
            for ended in reversed(state.rounds)
        ),
    )


def _me(state: Pond, viewer: int) -> PondMe:
    runner = state.runners.get(viewer)
    fallen = next((one for one in state.fallen if one.user == viewer), None)
    mine = tuple(
        MyRound(ended.number, bid.amount, bid.seal, bid.salt, bid.auto)
        for ended in reversed(state.rounds)
        for bid in ended.bids
        if bid.user == viewer
    )
    return PondMe(
        runner is not None and viewer not in state.gone and state.state == "running",
        runner.points if runner is not None else max(0, fallen.left) if fallen is not None else 0,
        runner.last if runner is not None else mine[0].amount if mine else None,
        state.bids.get(viewer),
        None if fallen is None else fallen.round,
        mine,
    )
