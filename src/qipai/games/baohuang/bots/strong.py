"""The strong player: tries sets out in imagined deals, and solves those deals exactly near the end.

It does what the steady player does unless another set is better by more than chance in the same deals. In those deals
every seat plays on as the steady player would, and uses only what that seat would know there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qipai.core.kernel import Buffer, buffer, frozen, lcg, thawed
from qipai.core.watch import Watch
from qipai.games.baohuang.bots.steady import TUNED, believed, rooms
from qipai.games.baohuang.imagine import fixed, settle_roles, summed_table, unseen
from qipai.games.baohuang.kernel import belief, play, policy, search, sets
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.notation import action_of
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.state import Action, View
from qipai.kit import hung, tree
from qipai.kit.race import Race

__all__ = ["Strong"]

CANDIDATES: Final = 6
MARGIN: Final = 1.5  # standard errors by which a set must be better than the steady player's
SPREAD: Final = 1.0  # the usual difference between two sets in one deal, in steps of g
EXACT: Final = 12  # with so many cards left in all hands or fewer, deals are solved exactly
SLICE: Final = 300  # positions of an exact search between two looks at the clock
SLICES: Final = 20
# What good players leave alone (`_foolish`).
FEW_RANKS: Final = 2  # a hand of so many ranks may run out
SURELY: Final = 8  # `belief.LEAN` of a seat whose side is known
HIGH: Final = 5  # the rank J: sets from here on are high
LARGE: Final = 3  # cards of a large set
FAR: Final = 10  # with more cards a seat is far from going out


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
        assert view.seat is not None
        s = summed_table(self.options, view)
        usual = int(policy.sound(s, view.seat, *TUNED, *self.room))
        if view.phase not in ("lead", "answer"):
            # Weights fitted to many thousands of deals judge a whole deal better than a few dozen imagined ones.
            return action_of(usual)
        actions = self.candidates(s, view.seat, usual)
        if len(actions) == 1:
            return action_of(actions[0])
        trial = Trial(self.options, view, actions, self.room, self.seed)
        race = Race(len(actions), MARGIN, SPREAD)
        for share in (0.35, 0.65, 1.0):
            while not race.decided and watch.within(share):
                found = trial.deal(race.alive, watch)
                if not found:
                    break
                race.tell(found)
            race.halve()
        return action_of(actions[race.best()])

    def candidates(self, s: t.Table, seat: int, usual: int) -> list[int]:
        """Return the actions worth trying: the steady player's choice first, then those it rates highest."""
        out, facts, _ = self.room
        belief.know(s, seat, belief.GUESSES, facts)
        if usual != t.DO_PASS and hung.size(usual) == facts[belief.MINE]:
            return [usual]  # a seat that can go out does so
        n = int(policy.sensible(s, seat, out))
        policy.weigh(s, seat, out, n, facts, policy.WEIGHTS, int(policy.context(s, facts)) * policy.FEATURES)
        worth = dict(zip(frozen(out[:n]), frozen(out[n : 2 * n]), strict=True))
        worth.pop(usual, None)
        weighed = sorted([(brings, code) for code, brings in worth.items()], reverse=True)
        passing = [t.DO_PASS] if s.reg[t.PHASE] == t.ANSWER and usual != t.DO_PASS else []
        listed = [usual, *passing, *(code for _, code in weighed)]
        wise = [code for code in listed if not self._foolish(s, seat, code)]
        return (wise or listed)[:CANDIDATES]

    def _foolish(self, s: t.Table, seat: int, code: int) -> bool:
        """Return whether good players agree that a set is a mistake; `belief.know` has told what the seat knows.

        Imagined deals tell too little apart in these cases: what they cost shows only many tricks later.
        """
        facts, r = self.room[1], s.reg
        if code == t.DO_PASS or facts[belief.GROUPS] <= FEW_RANKS:
            return False  # a hand that may run out does what it likes
        sizes = [int(facts[belief.SIZES + other]) for other in range(t.SEATS)]
        lean = [int(facts[belief.LEAN + other]) for other in range(t.SEATS)]
        others = [other for other in range(t.SEATS) if other != seat and sizes[other]]
        code &= sets.BARE
        if r[t.PHASE] == t.LEAD:
            following = int(facts[belief.NEXT])
            single = hung.size(code) == 1 and hung.base(code) < t.RANKS - 1
            return single and sizes[following] == 1 and lean[following] == -SURELY
        top, owner = int(r[t.TOP]) & sets.BARE, int(r[t.OWNER])
        friend = lean[owner] == SURELY and sizes[owner] > 0
        if friend and facts[belief.BEHIND] == 0:
            return True  # all others have passed: the lead is the partner's
        if friend and owner == r[t.EMPEROR] and hung.base(top) >= HIGH and hung.size(top) >= LARGE:
            return all(sizes[other] > FAR for other in others if other != owner)
        small = hung.size(top) < LARGE and hung.base(top) < HIGH and min(map(sizes.__getitem__, others)) > FAR
        return small and facts[belief.MINE] > FAR and hung.smalls(code) + hung.bigs(code) > 0


class Trial:
    """Actions tried in imagined deals."""

    def __init__(
        self, options: Options, view: View, actions: Sequence[int], room: tuple[Buffer, Buffer, Buffer], seed: int
    ) -> None:
        assert view.seat is not None
        self.options, self.view, self.seat = options, view, view.seat
        self.room, self.actions = room, actions
        self.world, self.work = t.new_table(), t.new_table()
        self.luck = (seed * 2654435761 + view.trick_no * 97 + len(view.hand or "")) & 0x7FFFFFFF
        self.hidden = Hidden(options, view)
        self.exact = sum(view.counts) <= EXACT
        if self.exact:
            self.stack = buffer(search.DEPTH * search.CELLS)
            self.lists = buffer(search.DEPTH * search.WIDTH)
            self.plies = buffer(search.DEPTH * tree.PLY)

    def deal(self, alive: Sequence[int], watch: Watch) -> list[float]:
        """Imagine one deal and return what each action brings in it; an empty list when the time runs out."""
        self.luck = self.hidden.deal(self.world, self.luck)
        found: list[float] = []
        for i in alive:
            if found and watch.over:
                return []
            found.append(self._tried(i, watch))
        return found

    def _tried(self, i: int, watch: Watch) -> float:
        t.copy(self.world, self.work)
        play.act(self.work, self.seat, self.actions[i])
        if self.exact:
            score = self._solved(watch)
            if score is not None:
                loyal = bool(t.loyal(self.world, self.seat))
                return (score if loyal else -score) / policy.SCALE
            self.exact = False
            t.copy(self.world, self.work)
            play.act(self.work, self.seat, self.actions[i])
        policy.play_out(self.work, *TUNED, *self.room)
        return int(policy.worth(self.work, self.seat)) / policy.SCALE

    def _solved(self, watch: Watch) -> int | None:
        """Return what the deal being tried is worth under perfect play; None if half of the time left is too short."""
        rooms = self.stack, self.lists, self.plies, self.room[0]
        return tree.solved(lambda depth: search.solve(self.work, depth, SLICE, *rooms), SLICES, watch.half())


class Hidden:
    """The cards that a seat does not see, and where they may be."""

    def __init__(self, options: Options, view: View) -> None:
        self.options, self.view = options, view
        self.pool = unseen(view)
        self.want = [0 if seat == view.seat else n for seat, n in enumerate(view.counts)]
        self.base = summed_table(options, view)
        for seat in range(t.SEATS):
            if seat != view.seat:
                for card in range(t.CARDS):
                    self.base.hands[seat * t.CARDS + card] = 0
        for seat, card in fixed(view, self.pool):
            if self.want[seat]:
                self._lay(seat, card)
        # The holder of the guard card is drawn by belief; all other cards are dealt uniformly.
        self.holders: list[int] = []
        if self.pool[t.SWORD] and not view.grabbed and view.guard_public is None:
            self.pool[t.SWORD] -= 1
            self.holders = self._shares()
        self.cards = thawed([card for card, n in enumerate(self.pool) for _ in range(n)])

    def _lay(self, seat: int, card: int) -> None:
        self.base.hands[seat * t.CARDS + card] += 1
        self.pool[card] -= 1
        self.want[seat] -= 1

    def _shares(self) -> list[int]:
        """Return how likely each seat is to hold the guard card, in about sixteenths."""
        view = self.view
        shares = [0] * t.SEATS
        leans = believed(self.options, view) if view.phase in ("lead", "answer") else (0,) * t.SEATS
        for seat in range(t.SEATS):
            if seat == view.seat or not self.want[seat]:
                continue
            if view.phase not in ("lead", "answer"):
                shares[seat] = self.want[seat]
            elif seat != view.emperor:
                shares[seat] = 8 + leans[seat] if view.seat == view.emperor else 8 - leans[seat]
        if view.emperor != view.seat and view.phase in ("lead", "answer") and view.emperor is not None:
            shares[view.emperor] = max(1, 16 - sum(shares)) if self.want[view.emperor] else 0
        if not any(shares):
            shares = [int(n > 0) for n in self.want]
        return [seat for seat, n in enumerate(shares) for _ in range(n)]

    def deal(self, world: t.Table, luck: int) -> int:
        """Deal the hidden cards to `world` in one way; return the next state of luck."""
        t.copy(self.base, world)
        want = list(self.want)
        if self.holders:
            luck = int(lcg(luck))
            holder = self.holders[(luck >> 8) % len(self.holders)]
            world.hands[holder * t.CARDS + t.SWORD] += 1
            want[holder] -= 1
        luck = int(search.deal_hidden(world, thawed(want), self.cards, luck))
        settle_roles(self.options, self.view, world)
        return luck
