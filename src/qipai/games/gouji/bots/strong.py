"""The strong player: tries its actions out in imagined deals, and solves those deals exactly near the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qipai.core.kernel import Buffer, buffer, dot, frozen, pour, thawed
from qipai.core.watch import Watch
from qipai.games.gouji.bots.steady import rooms
from qipai.games.gouji.imagine import asked_table, floors, located, sizes, summed_table, unseen
from qipai.games.gouji.kernel import flow, play, policy, search, sets, value
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.notation import action_of
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import Action, View
from qipai.kit import hung, tree
from qipai.kit.seats import following

__all__ = ["Strong"]

CANDIDATES: Final = 8
PRIOR: Final = 12  # the policy's estimate counts like so many imagined deals
TRICKS: Final = 4  # tricks played in an imagined deal before its worth is estimated
EXACT: Final = 18  # with so many cards left in all hands or fewer, deals are solved exactly
SLICE: Final = 300  # positions of an exact search between two looks at the clock
SLICES: Final = 20
FEW_RANKS: Final = 2  # a hand of so many ranks may run out


class Strong:
    """Searches imagined deals until the time is up."""

    def __init__(self, options: Options | None = None, seed: int = 0, deals: int | None = None) -> None:
        """deals: how many are imagined for a choice, whatever time that takes; None: as many as the time allows."""
        self.options = options if options is not None else Options()
        self.deals = deals
        self.seed = seed
        self.room = rooms()

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return the action that did best in the imagined deals, within about budget_ms."""
        watch = Watch(budget_ms, self.deals)
        assert view.seat is not None
        s = asked_table(self.options, view)
        actions, worth = self.candidates(view, summed_table(self.options, view))
        if len(actions) == 1:
            return action_of(actions[0])
        trial = Trial(self.options, view, s, actions, self.room, self.seed)
        # After each of these shares of the time half of the actions are dropped: the best get the most deals.
        alive = list(range(len(actions)))
        trial.deal(alive, watch)
        for share in (0.35, 0.65, 0.85, 1.0):
            while len(alive) > 1 and watch.within(share):
                if not trial.deal(alive, watch):
                    break
            alive.sort(key=lambda i: -trial.value(i, worth[i]))
            if share < 1.0:
                alive = alive[: max(2, (len(alive) + 1) // 2)]
        return action_of(actions[alive[0]])

    def candidates(self, view: View, s: t.Table) -> tuple[list[int], list[float]]:
        """Return the actions worth trying and what the policy thinks of each, in points."""
        seat = view.seat
        assert seat is not None
        out, facts, f = self.room
        phase = s.reg[t.PHASE]
        n = int(play.legal(s, seat, out))
        listed = [int(out[i]) for i in range(n)]
        if phase == t.TRIBUTE:
            listed = listed[: CANDIDATES * 2]
            return listed, [0.0] * len(listed)
        policy.know(s, seat, facts)
        if phase == t.BURN:
            policy.describe_burn(s, seat, facts, out, f)
            worth = int(dot(f, policy.WEIGHTS, policy.CONTEXTS * policy.FEATURES, policy.BURN_FEATURES))
            return [t.DO_BURN, t.DO_NO_BURN], [worth / policy.SCALE, 0.0]
        which = int(policy.context(s, seat)) * policy.FEATURES
        declines = [code for code in listed if code <= t.DO_NO_BURN]
        made = [code for code in listed if code > t.DO_NO_BURN]
        for code in made:
            if hung.size(code) == facts[policy.MINE]:
                return [code], [0.0]  # a seat that can go out does so
        base = policy.standing(s, seat, facts, policy.WEIGHTS, which)
        made = made[:400]
        n = len(made)
        pour(out, made)
        policy.weigh(s, seat, out, n, facts, policy.WEIGHTS, which)
        worths = frozen(out[n : 2 * n])
        weighed = sorted(
            ((int(base + worth) / policy.SCALE, code) for worth, code in zip(worths, made, strict=True)), reverse=True
        )
        weighed = [one for one in weighed if not self._foolish(s, seat, one[1])] or weighed
        chosen = [*weighed[: CANDIDATES - len(declines)], *((0.0, code) for code in declines)]
        return [code for _, code in chosen], [value for value, _ in chosen]

    def _foolish(self, s: t.Table, seat: int, code: int) -> bool:
        """Return whether good players agree that a set is a mistake; `policy.know` has told what the seat knows.

        Imagined deals tell too little apart in these cases: what they cost shows only many tricks later.
        """
        facts, r = self.room[1], s.reg
        if facts[policy.GROUPS] <= FEW_RANKS:
            return False  # a hand that may run out does what it likes
        if r[t.PHASE] == t.LEAD:
            next_one = following(int(r[t.LIVE]), seat, t.SEATS)
            single = hung.size(code) == 1 and hung.base(code) < t.TWO
            return single and (next_one - seat) % 2 == 1 and facts[policy.SIZES + next_one] == 1
        return False


class Trial:
    """What actions have brought in imagined deals."""

    def __init__(
        self,
        options: Options,
        view: View,
        s: t.Table,
        actions: Sequence[int],
        room: tuple[Buffer, Buffer, Buffer],
        seed: int,
    ) -> None:
        assert view.seat is not None
        self.s, self.seat, self.room = s, view.seat, room
        self.actions = actions
        self.world, self.work, self.x = t.new_table(), t.new_table(), buffer(value.CELLS)
        self.sums = [0.0] * len(actions)
        self.deals = [0] * len(actions)
        self.scores: list[float] = []  # of the actions tried in the last deal, which `sums` compares with their mean
        self.want, self.held, self.cards = hidden(options, view)
        self.burners = [seat for seat, _ in view.burners if self.want[seat]]
        self.luck = (seed * 2654435761 + view.trick_no * 97 + len(view.hand or "")) & 0x7FFFFFFF
        left = sum(sizes(options, view))
        self.exact = left <= EXACT
        if self.exact:
            self.stack = buffer(search.DEPTH * search.CELLS)
            self.lists = buffer(search.DEPTH * search.WIDTH)
            self.plies = buffer(search.DEPTH * tree.PLY)

    def value(self, i: int, worth: float) -> float:
        """Return the estimate of what an action brings, in points."""
        return (self.sums[i] + PRIOR * worth) / (self.deals[i] + PRIOR) if self.deals[i] else worth - 99

    def deal(self, alive: Sequence[int], watch: Watch) -> bool:
        """Imagine one deal and try the actions in it; return False when the time ran out in the middle."""
        for _ in range(4):  # retry: a seat with a burner's duty can probably keep it
            self.luck = int(search.imagine(self.s, self.world, self.want, self.cards, self.held, self.luck))
            if all(sets.holds(self.world.hands, seat * t.CARDS) for seat in self.burners):
                break
        if self.s.reg[t.PHASE] == t.BURN:
            self.world.reg[t.ASKED] = int(flow.candidates(self.world)) | 1 << self.seat
        found: list[float] = []
        for i in alive:
            if found and watch.over:
                return False
            found.append(self._tried(i, watch))
        self.scores, mean = found, sum(found) / len(found)
        for i, score in zip(alive, found, strict=True):
            self.sums[i] += score - mean
            self.deals[i] += 1
        return True

    def _tried(self, i: int, watch: Watch) -> float:
        if self.exact:
            t.copy(self.world, self.work)
            play.act(self.work, self.seat, self.actions[i])
            score = self._solved(watch)
            if score is not None:
                return score if self.seat % 2 == 0 else -score
            self.exact = False
        found = search.try_out(
            self.world,
            self.work,
            self.seat,
            self.actions[i],
            TRICKS,
            policy.WEIGHTS,
            value.VALUES,
            *self.room,
            self.x,
        )
        return int(found) / value.SCALE

    def _solved(self, watch: Watch) -> int | None:
        """Return the score of the deal being tried under perfect play; None if half of the time left is too short."""
        rooms = self.stack, self.lists, self.plies, self.room[0]
        return tree.solved(lambda depth: search.solve(self.work, depth, SLICE, *rooms), SLICES, watch.half())


def hidden(options: Options, view: View) -> tuple[Buffer, Buffer, Buffer]:
    """Return how many unlocated cards each seat holds, which cards it is known to hold, and the unlocated cards."""
    want = sizes(options, view)
    for seat in located(view):
        want[seat] = 0
    pool = unseen(view)
    held = [0] * (t.SEATS * t.CARDS)
    for seat, card in floors(view, [seat for seat in range(t.SEATS) if want[seat]], options.tribute_resist):
        if want[seat] and pool[card]:
            held[seat * t.CARDS + card] += 1
            want[seat] -= 1
            pool[card] -= 1
    cards = [card for card, n in enumerate(pool) for _ in range(n)]
    return thawed(want), thawed(held), thawed(cards)
