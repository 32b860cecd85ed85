"""What a pond's round comes to, and who is where when it is over (platform P-71, P-79). Pure."""

from __future__ import annotations

from msgspec import Struct

from qipai.contests import prizes, ranks
from qipai.contests.ponds import rounds
from qipai.contests.ponds.model import Fallen, Placed, Pond, Runner, split_of

__all__ = ["Reckoned", "placed", "reckoned", "silent"]


class Reckoned(Struct, frozen=True):
    """A round that has been reckoned. runners: who runs on."""

    runners: dict[int, Runner]
    fallen: tuple[Fallen, ...]
    bonus: int | None
    finished: bool
    winner: int | None


def silent(state: Pond) -> dict[int, int]:
    """Return whose bids the hall repeats when this round ends, and the amounts; none in the first round."""
    return {
        user: min(runner.last, runner.points)
        for user, runner in state.runners.items()
        if runner.last is not None and user not in state.gone and user not in state.bids
    }


def reckoned(state: Pond) -> Reckoned:
    """Return what this round comes to with the bids there are. Who has left runs no more, and falls (RP-35)."""
    running = {user: runner for user, runner in state.runners.items() if user not in state.gone}
    bids = {user: bid.amount for user, bid in state.bids.items()}
    found = rounds.run_round(
        state.form.variant,
        state.round,
        [rounds.Runner(str(user), runner.points, bids.get(user)) for user, runner in running.items()],
        rain_final=state.form.rain_final,
    )
    out = {int(id) for id in found.fallen}
    fallen = [
        Fallen(user, state.round, runner.points - bids.get(user, 0)) for user, runner in running.items() if user in out
    ]
    fallen += [Fallen(user, state.round, -1) for user in state.runners if user in state.gone]
    return Reckoned(
        {user: Runner(found.points[str(user)], bids[user]) for user in running if user not in out},
        tuple(fallen),
        None if found.bonus is None else int(found.bonus),
        found.finished,
        None if found.winner is None else int(found.winner),
    )


def placed(state: Pond) -> tuple[tuple[Placed, ...], int]:
    """Return the ranking of a pond whose last round has ended, with the prizes, and what is left for the house.

    A later fall is better; in the same round more points after the bid. Equals share. Of an account that was deleted,
    or banned while it ran, the house keeps the prize (RP-35).
    """
    keys = {fallen.user: (fallen.round, fallen.left) for fallen in state.fallen}
    keys |= dict.fromkeys(state.runners, (state.round + 1, 0))
    order = sorted(keys, key=lambda user: keys[user], reverse=True)
    places = ranks.shared([keys[user] for user in order])
    split = split_of(state.form, len(state.entered))
    coins, _ = prizes.shared(split.prizes, places)
    found = tuple(
        Placed(user, rank, 0 if state.gone.get(user) in ("banned", "deleted") else prize)
        for user, rank, prize in zip(order, places, coins, strict=True)
    )
    return found, split.pool - sum(one.coins for one in found)
