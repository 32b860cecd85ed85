"""The steady player: plans how to split its hand into sets, and weighs each answer by its effect on that plan."""

from __future__ import annotations

from collections.abc import Sequence

from qipai.core.kernel import Buffer, buffer, frozen, pour
from qipai.games.doudizhu.imagine import summed_table
from qipai.games.doudizhu.kernel import plan, policy
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.notation import action_of, bare, write_play
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.state import Action, View

__all__ = ["Steady", "called", "rooms", "sorted_choices"]


class Steady:
    """Plays by `kernel.policy.sound`."""

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        self.options = options if options is not None else Options()

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return an action; the time budget is ignored."""
        assert view.seat is not None
        s = summed_table(self.options, view)
        return action_of(int(policy.sound(s, view.seat, policy.WEIGHTS, *rooms())))


def rooms() -> tuple[Buffer, Buffer]:
    """Return the buffers that `policy.sound` works in."""
    return buffer(t.MOST_PLAYS, 64), buffer(plan.PLAN, 64)


def called(options: Options, view: View) -> str:
    """Return the call that the policy makes for the seat that is asked: "no_bid", "bid:2"."""
    assert view.seat is not None
    out, cells = rooms()
    return bare(action_of(int(policy.sound(summed_table(options, view), view.seat, policy.WEIGHTS, out, cells))))


def sorted_choices(options: Options, view: View, codes: Sequence[int], most: int = 8) -> tuple[str, ...]:
    """Return the most sensible sets of the seat that is asked to lead or to answer, the best first.

    codes: all sets that it may put down.
    """
    seat = view.seat
    assert seat is not None
    s = summed_table(options, view)
    out, cells = rooms()
    if view.phase == "lead":
        n = int(plan.laid_out(s.hands, seat * t.CARDS, policy.WEIGHTS, cells, out))
        policy.weigh_leads(s, seat, policy.WEIGHTS, out, n, cells)
    else:
        pour(out, codes)
        n = int(policy.weigh_answers(s, seat, policy.WEIGHTS, out, len(codes), cells))
    worth = dict(zip(frozen(out[:n]), frozen(out[n : 2 * n]), strict=True))
    first = int(policy.sound(s, seat, policy.WEIGHTS, *rooms()))
    ranked = sorted(worth, key=worth.__getitem__, reverse=True)
    if first > t.LAST_WORD:
        ranked = [first, *[code for code in ranked if code != first]]
    return tuple(map(write_play, ranked[:most]))
