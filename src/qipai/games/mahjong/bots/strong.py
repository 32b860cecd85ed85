"""The strong player: tries its actions in imagined hands and walls, which the sound policy plays to the end."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import JIT, Buffer, buffer, thawed
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

CANDIDATES: Final = 6
SHARES: Final = (0.3, 0.6, 1.0)  # after each of these shares of a search half of the actions are dropped
BATCH: Final = 16  # hands that are imagined in one call of a compiled kernel
LEAST: Final = 2  # hands that are imagined in any case
DOUBT: Final = 1.0  # standard errors by which an action must do better than the policy's own
SURE: Final = 3.0  # standard errors by which an action must differ from another for that to be sure …
SURE_HANDS: Final = 64  # … after so many hands: a few rare wins make fewer differ as much
READY: Final = 1  # tiles that a ready hand lacks
NEARLY_EMPTY: Final = 8  # tiles in a wall in which a hand that is not ready seldom gets so
FEWER: Final = 2  # a wait for so many tiles less is a narrower one
CLIP: Final = 48  # the most bases that one trial counts: a rare larger win must not decide a choice


def bound(sums: Buffer, hands: int, action: int, errors: float) -> float:
    """Return how much better an action did than the first one, plus so many standard errors. sums: see `compare`."""
    mean = int(sums[2 * action]) / hands
    spread = int(sums[2 * action + 1]) / hands - mean * mean
    return float(mean + errors * (max(0.0, spread) / hands) ** 0.5)


def hopeful(actions: list[int], sums: Buffer, hands: int) -> list[int]:
    """Return the actions that may be the best of all and better than the first."""
    if hands < SURE_HANDS:
        return actions
    least = max([0.0, *(bound(sums, hands, i, -SURE) for i in actions)])
    return [i for i in actions if bound(sums, hands, i, SURE) >= least]


def settled(actions: list[int], sums: Buffer, hands: int) -> bool:
    """Return whether more hands would change nothing: one action is left, and it is surely better than the first."""
    if not actions:
        return True
    return len(actions) == 1 and hands >= SURE_HANDS and bound(sums, hands, actions[0], -SURE) > 0


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
        luck = (self.seed * 2654435761 + view.wall_left * 97 + sum(view.draws) * 31 + seat) & 0x7FFFFFFF
        tried, sums = thawed(actions), buffer(2 * len(actions), 64)
        hidden, tiles, hands, alive = thawed(want), thawed(pool), 0, list(range(1, len(actions)))
        for share in SHARES:
            while not settled(alive, sums, hands):
                n = watch.some(share, BATCH if JIT or self.deals else 1) or LEAST - hands
                if n <= 0:
                    break
                luck = self.compared(s, seat, tried, alive, hidden, tiles, n, sums, luck)
                hands += n
                alive = hopeful(alive, sums, hands)
            alive.sort(key=lambda i: -sums[2 * i])
            if share < 1.0:
                alive = alive[: (len(alive) + 1) // 2]
        sure = {i: bound(sums, hands, i, -DOUBT) - 1 / hands for i in alive}
        best = max(alive, key=sure.__getitem__, default=0)
        return action_of(actions[best] if sure.get(best, 0) > 0 else first)

    def compared(
        self,
        s: t.Table,
        seat: int,
        actions: Buffer,
        alive: list[int],
        want: Buffer,
        tiles: Buffer,
        hands: int,
        sums: Buffer,
        luck: int,
    ) -> int:
        """Try the first action and those that are alive in so many hands (`search.compare`); return the next luck."""
        costs, bits = shape.costs(), sum(1 << i for i in alive)
        return int(
            search.compare(
                s,
                self.world,
                self.work,
                costs,
                self.taste,
                seat,
                actions,
                bits,
                self.room,
                self.ledger,
                want,
                tiles,
                len(tiles),
                hands,
                CLIP,
                sums,
                luck,
            )
        )

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
