"""The luck of throws, to be taken from a result: what a throw is worth more than the mean of all throws.

A throw is worth what the board is worth after its best play, by an evaluator that looks at the throw alone and not at
what is played. So the mean of its luck over all throws is 0 whatever the evaluator says, and a result without luck has
the mean of the plain results; a better evaluator leaves less chance in it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from qipai.core.kernel import Buffer, buffer, kernel
from qipai.games.backgammon.analysis import Adviser
from qipai.games.backgammon.bots.cube import summed, turned
from qipai.games.backgammon.bots.net import UNIT, Brain, brain
from qipai.games.backgammon.bots.players import SCALE, Player, stake_of
from qipai.games.backgammon.bots.search import (
    MOST_VALUED,
    Look,
    after_replies,
    best_reply,
    copied,
    new_look,
    worth,
)
from qipai.games.backgammon.kernel.board import SIZE
from qipai.games.backgammon.kernel.plays import apply_way
from qipai.games.backgammon.kernel.room import LISTED
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of, cells_of
from qipai.games.backgammon.state import Dice, Opening, State

__all__ = ["THROWS", "Luck"]

THROWS: Final = tuple((one, two) for one in range(1, 7) for two in range(1, one + 1))  # in the kernel's order
LEADING: Final = 3  # plays of a throw, at most, that are valued again
NEAR: Final = 0.08  # points that they may lie behind the best


class Leading(NamedTuple):
    """The leading plays of each throw, LEADING cells a throw, the best by the net first."""

    ways: Buffer  # 0 where nothing can be played, -1 in cells without a play
    worths: Buffer  # to the side on roll
    ended: Buffer  # whether the play ends the game


def new_leading() -> Leading:
    """Return buffers for the leading plays of all throws."""
    size = len(THROWS) * LEADING
    return Leading(buffer(size, 64), buffer(size, 64), buffer(size))


@kernel
def lead(b: Buffer, seat: int, near: int, terms: Buffer, net: Brain, look: Look, found: Leading) -> None:
    """Write the plays of each throw that lie at most `near` behind its best one by the net."""
    at = 0
    for one in range(1, 7):
        for two in range(1, one + 1):
            for i in range(at, at + LEADING):
                found.ways[i] = -1
            first = best_reply(b, seat, one, two, terms, net, look)
            if first == 0:
                found.ways[at] = 0
                found.worths[at] = worth(terms, net.top)
                found.ended[at] = 0
            else:
                least = worth(terms, net.top) - near
                for k in range(min(look.room.reg[LISTED], MOST_VALUED)):
                    value, way = look.found[k], look.room.ways[k]
                    if value < least:
                        continue
                    for i in range(at, at + LEADING):
                        if found.ways[i] == -1 or found.worths[i] < value:
                            way, found.ways[i] = found.ways[i], way
                            value, found.worths[i] = found.worths[i], value
                        if way == -1:
                            break
                for i in range(at, at + LEADING):
                    if found.ways[i] > 0:
                        copied(b, look.next)
                        found.ended[i] = apply_way(look.next, seat, found.ways[i])
            at += LEADING


@kernel
def reply(
    b: Buffer, seat: int, terms: Buffer, his_terms: Buffer, net: Brain, next: Buffer, look: Look, found: Leading
) -> None:
    """Value the leading plays again, after every reply."""
    for i in range(len(found.ways)):
        if found.ways[i] >= 0 and found.ended[i] == 0:
            copied(b, next)
            apply_way(next, seat, found.ways[i])
            after_replies(next, seat, his_terms, net, look)
            found.worths[i] = worth(terms, look.mean)


class Luck:
    """Tells how lucky throws are, in the points of a series."""

    def __init__(self, options: Options, plies: int = 1, adviser: Adviser | None = None) -> None:
        """plies: how many throws beyond the play our net looks, 0 or 1. adviser: values leading plays in its place."""
        assert options.row.dice
        assert options.series
        self.options, self.plies, self.adviser = options, plies, adviser
        self._player, self._net, self._look = Player(options), brain(options.variant), new_look()
        self._found, self._next = new_leading(), buffer(SIZE)
        self._near = round(NEAR * SCALE * UNIT) if adviser else 0

    def worths(self, state: State, seat: int) -> list[float]:
        """Return what each of THROWS would be worth to the seat that throws."""
        floats = stake_of(self.options, state, seat).terms(self.options)
        terms, found, board = self._player.terms(floats, 1), self._found, board_of(self.options, state.cells)
        lead(board, seat, self._near, terms, self._net, self._look, found)
        if self.adviser is None and self.plies:
            his = self._player.terms(floats, -1)
            reply(board, seat, terms, his, self._net, self._next, self._look, found)
        best = []
        for at in range(0, len(found.ways), LEADING):
            plays = [i for i in range(at, at + LEADING) if found.ways[i] >= 0]
            best.append(max(self._worth(board, seat, floats, i) for i in plays))
        return best

    def _worth(self, board: Buffer, seat: int, floats: tuple[float, ...], i: int) -> float:
        """Return what one of the leading plays is worth."""
        if self.adviser is None or self._found.ended[i]:
            return int(self._found.worths[i]) / (SCALE * UNIT)
        copied(board, self._next)
        apply_way(self._next, seat, int(self._found.ways[i]))
        return summed(floats, turned(self.adviser.chances(cells_of(self._next), 1 - seat)))

    def of(self, state: State, throw: Opening | Dice) -> float:
        """Return how lucky a throw is for seat 0.

        Who begins counts as no luck: where every throw is played twice with the sides changed it has no effect.
        """
        one, two = throw.d
        opening = isinstance(throw, Opening)
        if opening and (one == two or self.options.rolls_anew):
            return 0.0
        seat = (0 if one > two else 1) if opening else state.on_roll
        assert seat is not None
        worths = self.worths(state, seat)
        chances = [(0 if opening else 1) if a == b else 2 for a, b in THROWS]
        mean = sum(chance * worth for chance, worth in zip(chances, worths, strict=True)) / sum(chances)
        better = worths[THROWS.index((max(one, two), min(one, two)))] - mean
        return better if seat == 0 else -better
