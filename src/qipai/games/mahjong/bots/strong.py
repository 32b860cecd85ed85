"""The strong player: tries its actions in imagined hands and walls, which the sound policy plays to the end."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import buffer, thawed
from qipai.core.watch import Watch
from qipai.games.mahjong.imagine import public_table, unseen
from qipai.games.mahjong.kernel import forms, policy, search, shape
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.kernel.bars import left, value_on
from qipai.games.mahjong.kernel.fan import chips
from qipai.games.mahjong.notation import action_of
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import cells
from qipai.games.mahjong.state import Action, Pass, View

__all__ = ["Strong"]

CANDIDATES: Final = 4
DOUBT: Final = 1.5  # standard errors by which an action must do better than the policy's own
READY: Final = 1  # tiles that a ready hand lacks
NEARLY_EMPTY: Final = 8  # tiles in a wall in which a hand that is not ready seldom gets so
FEWER: Final = 2  # a wait for so many tiles less is a narrower one
CLIP: Final = 24  # the most chips that one trial counts, so that a rare large win does not decide a few dozen trials


class Trial:
    """How many more chips an action won than the policy's own action, in the same imagined hands."""

    def __init__(self) -> None:
        self.hands, self.sum, self.squares = 0, 0.0, 0.0

    def note(self, chips: float) -> None:
        """Add the result of one more hand."""
        self.hands += 1
        self.sum += chips
        self.squares += chips * chips

    @property
    def mean(self) -> float:
        """Return the mean."""
        return self.sum / self.hands

    @property
    def surely(self) -> float:
        """Return a lower confidence bound of the mean."""
        spread = self.squares / self.hands - self.mean**2
        return self.mean - DOUBT * (max(0.0, spread) / self.hands) ** 0.5 - 1 / self.hands


class Strong:
    """Searches imagined hands until the time is up."""

    def __init__(self, options: Options | None = None, seed: int = 0, deals: int | None = None) -> None:
        """deals: how many are imagined for a choice, whatever time that takes; None: as many as the time allows."""
        self.options = options if options is not None else Options()
        self.deals = deals
        self.cells = cells(self.options)
        self.seed = seed
        self.room, self.ledger, self.taste = buffer(t.MOST), buffer(t.SEATS, 64), thawed(policy.TASTE)
        self.listed = buffer(t.MOST)
        self.world, self.work = (t.new_table(self.cells, forms.forms()) for _ in range(2))

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return the action that did best in the imagined hands, within about budget_ms."""
        watch = Watch(budget_ms, self.deals)
        seat = view.seat
        if seat is None or seat >= t.SEATS:
            return Pass()
        s = public_table(self.cells, view)
        n = search.shortlist(s, shape.costs(), self.taste, seat, self.room, self.listed, CANDIDATES)
        actions = [int(self.listed[i]) for i in range(n)]
        actions = self.wise(s, seat, actions)
        first = actions[0]
        pool = [kind for kind, n in enumerate(unseen(view)) for _ in range(n)]
        want = [max(0, n - int(s.b[other * t.CELLS + t.HELD])) for other, n in enumerate(view.counts)]
        if len(actions) == 1 or len(pool) < sum(want) + view.wall_left:
            return action_of(first)  # nothing to choose, or a made-up position
        # After each of these shares of the time half of the actions are dropped: the best get the most hands.
        hidden, tiles = thawed(want), thawed(pool)
        trials = [Trial() for _ in actions]
        alive = list(range(1, len(actions)))
        luck = (self.seed * 2654435761 + view.wall_left * 97 + sum(view.draws) * 31 + seat) & 0x7FFFFFFF
        for share in (0.3, 0.6, 1.0):
            while watch.within(share) or trials[alive[0]].hands < 2:
                luck = int(search.imagine(s, self.world, shape.costs(), seat, hidden, tiles, len(pool), luck))
                usual = self.tried(seat, first, luck)
                for i in alive:
                    trials[i].note(self.tried(seat, actions[i], luck) - usual)
                if watch.over and trials[alive[0]].hands >= 2:
                    break
            alive.sort(key=lambda i: -trials[i].mean)
            if share < 1.0:
                alive = alive[: (len(alive) + 1) // 2]
        best = max(alive, key=lambda i: trials[i].surely)
        return action_of(actions[best] if trials[best].surely > 0 else first)

    def wise(self, s: t.Table, seat: int, actions: list[int]) -> list[int]:
        """Return the actions but for those that good players agree are mistakes; the first one stays.

        A pong that takes a hand further from a win; a discard that gives up a ready hand when the wall is nearly empty,
        or that leaves a narrower and cheaper wait than the first one.
        """
        b, costs, first = s.b, shape.costs(), actions[0]
        if b[t.PHASE] == t.CLAIM and t.DO_PONG in actions[1:]:
            if policy.after_pong(s, costs, seat, int(b[t.TILE])) > shape.short(s, costs, seat):
                actions = [first, *(each for each in actions[1:] if each != t.DO_PONG)]
        if b[t.PHASE] == t.TURN and first >= t.DO_DISCARD:
            shape.lacks(s, costs, seat)
            if b[t.LACKS + (first & 31)] != READY:
                return actions
            if left(s) <= NEARLY_EMPTY:
                actions = [each for each in actions if each < t.DO_DISCARD or b[t.LACKS + (each & 31)] == READY]
            many, worth = self.wait(s, seat, first & 31)
            for each in actions[1:]:
                if each >= t.DO_DISCARD and b[t.LACKS + (each & 31)] == READY:
                    fewer, less = self.wait(s, seat, each & 31)
                    if fewer <= many - FEWER and 3 * less <= 2 * worth:
                        actions = [other for other in actions if other != each]
        return actions

    def wait(self, s: t.Table, seat: int, tile: int) -> tuple[int, int]:
        """Return how many tiles that are still out a hand without a tile waits for, and what they pay together."""
        b = s.b
        mask = int(forms.waits_without(s, seat, tile))
        shape.unseen(s, seat)
        t.take(s, seat, tile)
        many, worth = 0, 0
        for kind in range(t.KINDS):
            if mask >> kind & 1 and (n := int(b[t.SEEN + kind])):
                many += n
                worth += n * int(chips(b, value_on(s, seat, kind, t.DISCARD)))
        t.give(s, seat, tile)
        return many, worth

    def tried(self, seat: int, action: int, luck: int) -> float:
        """Return the chips that an action brings in the imagined hand, in units of the base, clipped."""
        chips = search.try_out(
            self.world, self.work, shape.costs(), self.taste, seat, action, self.room, self.ledger, luck
        )
        most = CLIP * self.options.base
        return max(-most, min(most, int(chips))) / self.options.base
