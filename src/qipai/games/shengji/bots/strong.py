"""The strong player: tries plays and kitties in imagined deals, in which every seat plays on by `policy.sound`.

It does what the steady player does unless something else is better by more than chance in the same deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from qipai.core.contract import Seat
from qipai.core.kernel import Buffer, frozen, thawed
from qipai.core.watch import Watch
from qipai.games.shengji.bots.easy import calling
from qipai.games.shengji.imagine import public_table, room_for
from qipai.games.shengji.kernel import follow, moves, policy, search, shapes, worlds
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import write
from qipai.games.shengji.options import Options
from qipai.games.shengji.state import Action, Bury, Play, View
from qipai.kit.race import Race

__all__ = ["Strong"]

CANDIDATES: Final = 8
MARGIN: Final = 1.5  # standard errors by which a play must be better than the steady player's
MANY_HIGHER: Final = 3  # cards outside that beat a partner's, from which on one of them is to be expected
HONOURS: Final = 3  # the highest steps of a suit
SPREAD: Final = 0.5  # the usual difference between two plays in one deal, in levels
SHARES: Final = (0.35, 0.65, 1.0)  # after each of these shares of the time half of the plays are dropped

Cards = tuple[int, ...]  # by card


class Strong:
    """Searches imagined deals until the time is up."""

    def __init__(self, options: Options | None = None, seed: int = 0, deals: int | None = None) -> None:
        """deals: how many are imagined for a choice, whatever time that takes; None: as many as the time allows."""
        self.options = options if options is not None else Options()
        self.deals = deals
        self.seed = seed
        self.room, self.world, self.work = t.new_room(), t.new_table(), t.new_table()

    def choose(self, view: View, budget_ms: int) -> Action | None:
        """Return the action that did best in the imagined deals, within about budget_ms."""
        watch = Watch(budget_ms, self.deals)
        s = public_table(self.options, view)
        assert view.seat is not None
        if view.phase in ("dealing", "declaring"):
            return calling(s, view)
        best = self._best(s, view, self.candidates(s, view), watch)
        return Bury(write(s, best)) if view.phase == "burying" else Play(write(s, best))

    def rehearse(self, view: View) -> None:
        """Try each candidate in one imagined deal without a time limit, so that every kernel is compiled."""
        s = public_table(self.options, view)
        self.imagine(s, view, room_for(view), self.seed)
        for cards in self.candidates(s, view):
            self.tried(view, thawed(cards))

    def candidates(self, s: t.Table, view: View) -> list[Cards]:
        """Return the different plays worth trying, the steady player's choice first."""
        assert view.seat is not None
        if view.phase == "burying":
            return list(dict.fromkeys(self._kitties(s)))
        listed = list(dict.fromkeys(self._plays(s, view.seat)))
        return (self._wise(s, view.seat, listed) or listed)[:CANDIDATES]

    def _wise(self, s: t.Table, seat: Seat, listed: Sequence[Cards]) -> list[Cards]:
        """Return the plays but for those that good players agree are mistakes.

        On a single card of the suit that is led: no points, and no honour in place of a small card, where an enemy
        holds the trick for certain, or a partner until somebody plays one of many higher cards. Imagined deals tell too
        little apart here: five points seldom change the result of a deal.
        """
        r = s.reg
        led, tabled = int(r[t.LED]), int(r[t.TABLED])
        if not tabled or r[t.LENGTH] != 1 or led == 0 or not follow.count_in(s, s.hands, seat * t.CARDS, led):
            return list(listed)
        of = 0 if r[t.TRUMPED] else led
        policy.outside(s, seat, self.room.facts)
        higher = sum(
            int(self.room.facts[card]) for card in range(t.CARDS) if s.group[card] == of and s.step[card] > r[t.KEY]
        )
        foe = (r[t.BEST] - seat) % 2 == 1
        lost = foe and (tabled >= 2 or higher == 0)  # a partner who has played can no longer take it
        shaky = not foe and tabled == 2 and higher >= MANY_HIGHER
        if not lost and not shaky:
            return list(listed)
        honours = int(s.steps[led]) - HONOURS

        def one(cards: Cards) -> int:
            return next(card for card, n in enumerate(cards) if n)

        def loses(card: int) -> bool:
            return of != led or bool(s.step[card] <= r[t.KEY])

        small = [one(cards) for cards in listed if loses(one(cards))]
        small = [card for card in small if not t.worth_of(card) and s.step[card] < honours]
        if not small:
            return list(listed)
        return [cards for cards in listed if one(cards) in small or not loses(one(cards))]

    def _best(self, s: t.Table, view: View, tried: Sequence[Cards], watch: Watch) -> Cards:
        """Return the first candidate, which is the steady player's, or one that does better in the same deals."""
        assert view.seat is not None
        if len(tried) == 1:
            return tried[0]
        cards = [thawed(one) for one in tried]
        luck = (self.seed * 2654435761 + view.tricks * 97 + sum(view.counts)) & 0x7FFFFFFF
        free = room_for(view)
        race = Race(len(tried), MARGIN, SPREAD)
        for share in SHARES:
            while not race.decided and watch.within(share):
                luck = self.imagine(s, view, free, luck)
                found: list[float] = []
                for i in race.alive:
                    found.append(self.tried(view, cards[i]) / search.SCALE)
                    if watch.over:  # eight plays in one deal may take a third of a short budget
                        break
                if len(found) == len(race.alive):  # a deal in which not all plays were tried does not count
                    race.tell(found)
            race.halve()
        return tried[race.best()]

    def imagine(self, s: t.Table, view: View, free: Buffer, luck: int) -> int:
        """Write some deal that fits the view to `world`; return the next seed."""
        assert view.seat is not None
        luck = int(worlds.imagine(s, self.world, view.seat, free, luck, self.room))
        if view.kitty is None and view.phase == "playing":
            worlds.bury_well(self.world, self.room)
        return luck

    def tried(self, view: View, cards: Buffer) -> int:
        """Return what these cards bring in the imagined deal, in 1/SCALE levels."""
        assert view.seat is not None
        if view.phase == "burying":
            return int(search.try_burial(self.world, self.work, cards, self.room))
        return int(search.try_out(self.world, self.work, view.seat, cards, self.room))

    def _plays(self, s: t.Table, seat: Seat) -> Iterator[Cards]:
        """Yield plays worth trying, the steady player's first."""
        room = self.room
        policy.sound(s, seat, room)
        yield frozen(room.move)
        if s.reg[t.TABLED] == 0:
            yield from self._leads(s, seat)
            return
        for aim in (policy.SPEND, policy.PROFIT):
            policy.rate(s, seat, aim, room.keep)
            if moves.answer_to_win(s, seat, room.keep, room):
                yield frozen(room.move)
        for aim in (policy.SHED, policy.GIVE):
            policy.rate(s, seat, aim, room.keep)
            moves.answer(s, seat, room.keep, room)
            yield frozen(room.move)
        group = int(s.reg[t.LED])
        held = moves.whole_group(s, seat, group, room.move)
        if s.reg[t.LENGTH] == 1:
            for card in range(t.CARDS):
                if s.hands[seat * t.CARDS + card] and (s.group[card] == group or held == 0):
                    yield tuple(int(other == card) for other in range(t.CARDS))
            return
        # Give away each group in turn, as far as following suit permits.
        for dear in range(t.GROUPS):
            policy.rate(s, seat, policy.SHED, room.keep)
            for card in range(t.CARDS):
                if s.group[card] == dear:
                    room.keep[card] -= 200
            moves.answer(s, seat, room.keep, room)
            yield frozen(room.move)

    def _leads(self, s: t.Table, seat: Seat) -> Iterator[Cards]:
        room = self.room
        weak: list[Cards] = []
        for group in range(t.GROUPS):
            if not moves.whole_group(s, seat, group, room.move):
                continue
            whole = frozen(room.move)
            n = int(shapes.decompose(s, thawed(whole), 0, group, room, room.parts))
            parts = [int(room.parts[i]) for i in range(n)]
            policy.outside(s, seat, room.facts)
            highest = [one for one in parts if not self._beaten(s, one, group)]
            if len(highest) > 1:
                yield self._laid(s, highest, group)
            for one in parts[:2] if n > 1 else parts:
                yield self._laid(s, [one], group)
            if n > 2:
                weak.append(self._laid(s, [parts[-1]], group))
        yield from weak

    def _beaten(self, s: t.Table, one: int, group: int) -> bool:
        return bool(follow.beaten(s, one, group, self.room.facts, 0, self.room))

    def _laid(self, s: t.Table, parts: Sequence[int], group: int) -> Cards:
        cards = thawed([0] * t.CARDS)
        for one in parts:
            shapes.put_down(s, one, group, cards, 0)
        return frozen(cards)

    def _kitties(self, s: t.Table) -> Iterator[Cards]:
        """Yield kitties worth trying: the steady player's, and those that empty one suit before all others."""
        room = self.room
        policy.burial(s, room)
        yield frozen(room.move)
        for suit in range(1, t.GROUPS):
            moves.whole_group(s, int(s.reg[t.DEALER]), suit, room.move)
            if 0 < t.count(room.move, 0) <= s.reg[t.KITTIES]:
                policy.burial_of(s, suit, room)
                yield frozen(room.move)
