"""Hints for the client, computed from the view alone.

A turn is a walk through `nodes`: node 0 is the board as it stands, each step leads to another node, and a node with
`m` is a whole turn that may be sent. What a client shows step by step, undoes or plays by itself is read from there: a
node with one step is forced, `forced` is the whole turn where there is but one.
"""

from __future__ import annotations

from functools import cache
from itertools import compress
from typing import Final

from msgspec import Struct

from qipai.core.kernel import Buffer
from qipai.games.backgammon.kernel import board as k
from qipai.games.backgammon.kernel.plays import moved_key
from qipai.games.backgammon.kernel.quick import STRIDES
from qipai.games.backgammon.observation import cells_of_view
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of
from qipai.games.backgammon.results import worth_of
from qipai.games.backgammon.rules import ASKS, hops_of, try_double
from qipai.games.backgammon.state import Hop, View
from qipai.games.backgammon.turns import Plays, plays_of

__all__ = ["Hints", "Node", "Step", "hints"]


class Step(Struct, frozen=True, array_like=True, gc=False):
    """One checker by one die: [from, to, die, hit, pin, clone, next]; 25 the bar, 26 the reserve, 0 off."""

    origin: int
    to: int
    die: int
    hit: bool  # the enemy's single checker there goes to his bar
    pin: bool  # plakoto: it is pinned where it lies
    clone: bool  # cloning: one checker more in the own reserve
    next: int  # the node it leads to


class Node(Struct, frozen=True, array_like=True, gc=False):
    """A moment of a turn: [steps, m]. Steps that could not be completed by the rules are not among them."""

    steps: tuple[Step, ...]
    m: str | None  # the whole turn so far as text, where it may end here


class Hints(Struct, frozen=True, kw_only=True):
    """What the seat that is asked may do."""

    ask: str
    nodes: tuple[Node, ...] = ()  # in `to_play`
    plays: int = 0  # how many different results the turn can have
    forced: str | None = None  # the only play there is
    hops: tuple[Hop, ...] = ()  # grasshopper
    roll: bool = False
    double: bool = False
    no_double: str | None = None  # why not: the code of the refusal, while the seat is on roll
    pointless: bool = False  # a double could not gain anything: the cube already decides the match (R22)
    take: bool = False  # take and drop
    beaver: bool = False
    answer: bool = False  # accept and reject
    resign: tuple[int, ...] = ()  # what resigning costs at level 1, 2, 3
    draw: bool = False


def hints(options: Options, view: View) -> Hints | None:
    """Return what the seat of a view may do; None for watchers and while it is not asked."""
    seat = view.you
    if seat is None or view.turn != seat:
        return None
    ask = ASKS[view.phase]
    match view.phase:
        case "double_offered":
            can = options.beavers and options.series and 4 * view.cube.value <= options.cube_max
            return Hints(ask=ask, take=True, beaver=can)
        case "beaver_offered":
            return Hints(ask=ask, take=True)
        case "resign_offered" | "draw_offered":
            return Hints(ask=ask, answer=True)
    costs = tuple(worth_of(options, view.cube, level) for level in (1, 2, 3))
    if view.phase == "to_roll":
        why = try_double(options, view, seat)
        gains = not options.match_to or view.score[seat] + view.cube.value < options.match_to
        return Hints(
            ask=ask,
            roll=True,
            double=why is None,
            no_double=why,
            pointless=why is None and not gains,
            resign=costs,
            draw=options.allow_draw,
        )
    cells = cells_of_view(view)
    if view.phase == "to_move":
        return Hints(ask=ask, hops=tuple(hops_of(options, cells, seat)), resign=costs, draw=options.allow_draw)
    assert view.dice is not None
    plays = plays_of(options, cells, view.position, seat, view.dice)
    return Hints(
        ask=ask,
        nodes=Walk(board_of(options, cells), seat, view.dice, plays).nodes(),
        plays=len(plays.ways),
        forced=next(iter(plays.ways)) if len(plays.ways) == 1 else None,
        resign=costs,
        draw=options.allow_draw,
    )


@cache
def _next(dice: tuple[int, ...]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return which of the dice may be played next, the higher first, and what is left then."""
    found = []
    for die in sorted(set(dice), reverse=True):
        rest = list(dice)
        rest.remove(die)
        found.append((die, tuple(rest)))
    return tuple(found)


class Walk:
    """All ways through a turn that end in a legal play: the same board with the same dice left is one node."""

    def __init__(self, board: Buffer, seat: int, dice: tuple[int, int], plays: Plays) -> None:
        self.board, self.seat, self.plays = board, seat, plays
        self.dice = dice * 2 if dice[0] == dice[1] else (max(dice), min(dice))
        self.unused = len(self.dice) - plays.most
        self.made: list[Node] = []
        self.ends: dict[int, int] = {}  # by key: the node of a whole turn
        # By the dice left and the key: the node on the way, -1 where no play passes it.
        self.known: dict[tuple[int, ...], dict[int, int]] = {rest: {} for rest in _rests(self.dice)}
        in_any_order = not (board[k.CLONES] or board[k.PINS] or board[k.RUNNER])
        self._onward = self._by_table if in_any_order else self._by_trial

    def nodes(self) -> tuple[Node, ...]:
        """Return the graph, the board as it stands first."""
        self.made.append(DEAD)
        self.made[0] = Node(tuple(self._onward(0, self.dice)), None)
        return tuple(self.made)

    def _node(self, key: int, rest: tuple[int, ...]) -> int:
        """Return the number of a new node: the board as it stands, with these dice left; -1 where no play passes it."""
        made, known = self.made, self.known[rest]
        number = known[key] = len(made)
        made.append(DEAD)
        steps = self._onward(key, rest)
        if steps:
            made[number] = Node(tuple(steps), None)
            return number
        assert number == len(made) - 1
        known[key] = -1
        made.pop()
        return -1

    def _end(self, key: int, rest: tuple[int, ...]) -> int | None:
        """Return the number of a board as the end of a turn with these dice left, None where it is none."""
        # The same board can be the end of a turn that uses both numbers, and the middle of one that wastes pips.
        if len(rest) != self.unused and key not in self.plays.over:
            return None
        text = self.plays.texts.get(key)
        if text is None:
            return None
        number = self.ends.get(key)
        if number is None:
            number = self.ends[key] = len(self.made)
            self.made.append(Node((), text))
        return number

    def _by_table(self, key: int, dice: tuple[int, ...]) -> list[Step]:
        """Return the steps from the board as it stands, as a table has them, where their order does not matter."""
        b, seat, made = self.board, self.seat, self.made
        texts, over, ends = self.plays.texts, self.plays.over, self.ends
        me = seat * k.SIDE
        occupied = b[me + k.RES : me : -1]
        if b[me + k.BAR] > 0:
            occupied = ON_BAR
        found = []
        for die, rest in _next(dice):
            known = self.known[rest]
            last = len(rest) == self.unused
            for origin, to, there, change, by_hit in compress(STRIDES[seat, die], occupied):
                his = b[there]
                if his > 1 or (to == k.OFF and k.why_not(b, seat, origin, die)):
                    continue
                hit = bool(his == 1)  # compiled, cells are numbers of NumPy
                after = key + change + by_hit if hit else key + change
                if (last or after in over) and (text := texts.get(after)) is not None:
                    node = ends.get(after)
                    if node is None:
                        node = ends[after] = len(made)
                        made.append(Node((), text))
                else:
                    node = known.get(after)
                    if node is None:
                        did = int(k.make(b, seat, origin, die))
                        node = self._node(after, rest)
                        k.unmake(b, seat, origin, did)
                if node >= 0:
                    found.append(Step(origin, to, die, hit, False, False, node))
        return found

    def _by_trial(self, key: int, dice: tuple[int, ...]) -> list[Step]:
        """Return the steps from the board as it stands, each made and taken back."""
        b, seat, me = self.board, self.seat, self.seat * k.SIDE
        found = []
        for die, rest in _next(dice):
            for origin in range(k.RES, 0, -1):
                if b[me + origin] == 0 or k.why_not(b, seat, origin, die):
                    continue
                did = int(k.make(b, seat, origin, die))
                after = int(moved_key(b, me, origin, did, key))
                node = self._end(after, rest)
                if node is None:
                    node = self.known[rest].get(after)
                    if node is None:
                        node = self._node(after, rest)
                k.unmake(b, seat, origin, did)
                if node >= 0:
                    found.append(Step(origin, did & 31, die, bool(did & 32), bool(did & 64), bool(did & 128), node))
        return found


DEAD: Final = Node((), None)
ON_BAR: Final = (0, 1)  # of the reserve and the bar, those that may move


@cache
def _rests(dice: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return all dice that can be left of these."""
    found = {dice}
    for _die, rest in _next(dice):
        found.update(_rests(rest))
    return tuple(found)
