"""The strong player: tries sets out in imagined deals, in which all seats play on as the steady player would.

It does what the steady player does unless another set is better by more than chance in the same deals.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, frozen, pour, thawed
from qipai.core.watch import Watch
from qipai.games.doudizhu.bots.steady import rooms
from qipai.games.doudizhu.imagine import hidden, public_table, summed_table
from qipai.games.doudizhu.kernel import play, policy, search, sets
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.notation import action_of
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.state import Action, View
from qipai.kit.race import Race

__all__ = ["Strong"]

CANDIDATES: Final = 12
MARGIN: Final = 1.2  # standard errors by which a set must be better than the steady player's
SPREAD: Final = 1.0  # the usual difference between two sets in one deal, in points as a share of the stakes
ROUNDS: Final = (0.3, 0.6, 1.0)  # after each of these shares of the time half of the challengers are dropped


class Strong:
    """Searches imagined deals until the time is up or the choice is clear."""

    def __init__(self, options: Options | None = None, seed: int = 0, deals: int | None = None) -> None:
        """deals: how many are imagined for a choice, whatever time that takes; None: as many as the time allows."""
        self.options = options if options is not None else Options()
        self.deals = deals
        self.seed = seed
        self.room = rooms()

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return an action within about budget_ms."""
        watch = Watch(budget_ms, self.deals)
        seat = view.seat
        assert seat is not None
        s = summed_table(self.options, view)
        usual = int(policy.sound(s, seat, policy.WEIGHTS, *self.room))
        if view.phase == "bid":
            return action_of(usual)  # the weights were fitted to many thousands of deals
        actions = self.candidates(s, seat, usual)
        if len(actions) == 1:
            return action_of(usual)
        trial = Trial(self.options, view, self.room, self.seed)
        race = Race(len(actions), MARGIN, SPREAD)
        for share in ROUNDS:
            while not race.decided and watch.within(share):
                trial.deal()
                found: list[float] = []
                for i in race.alive:
                    if found and watch.over:
                        break
                    found.append(trial.worth(actions[i]))
                if len(found) < len(race.alive):
                    break
                race.tell(found)
            race.halve()
        return action_of(actions[race.best()])

    def candidates(self, s: t.Table, seat: int, usual: int) -> list[int]:
        """Return the actions worth trying: the steady player's choice first, then those that leave the best plans."""
        out, cells = self.room
        n = int(play.legal(s, seat, out))
        listed = [code for code in frozen(out[:n]) if code > t.LAST_WORD]
        if usual > t.LAST_WORD and sum(s.hands[seat * t.CARDS : (seat + 1) * t.CARDS]) == sets.size_of(usual):
            return [usual]
        passes = s.reg[t.PHASE] == t.ANSWER
        pour(out, listed)
        n = int(policy.weigh_answers(s, seat, policy.WEIGHTS, out, len(listed), cells)) if listed else 0
        worth = dict(zip(frozen(out[:n]), frozen(out[n : 2 * n]), strict=True))
        worth.pop(usual, None)
        ranked = sorted(worth, key=worth.__getitem__, reverse=True)
        others = [t.DO_PASS] if passes and usual != t.DO_PASS else []
        return [usual, *others, *ranked][:CANDIDATES]


class Trial:
    """Actions tried in imagined deals."""

    def __init__(self, options: Options, view: View, room: tuple[Buffer, Buffer], seed: int) -> None:
        assert view.seat is not None
        self.seat, self.room = view.seat, room
        self.base, self.world, self.work = public_table(options, view), t.new_table(), t.new_table()
        want, cards = hidden(view, self.base)
        self.want, self.cards = thawed(want), thawed(cards)
        self.stakes = int(search.stakes(self.base))
        self.luck = (seed * 2654435761 + view.trick_no * 97 + len(view.hand or "")) & 0x7FFFFFFF

    def deal(self) -> None:
        """Imagine one deal."""
        t.copy(self.base, self.world)
        self.luck = int(search.deal_hidden(self.world, self.want, self.cards, self.luck))

    def worth(self, action: int) -> float:
        """Return what an action brings in the imagined deal, as a multiple of the present stakes."""
        points = int(search.tried(self.world, self.work, self.seat, action, policy.WEIGHTS, *self.room))
        return points / self.stakes
