"""From a view to what the client may light up.

A turn is a walk through `nodes`: node 0 is the board as it stands, each step leads to another node, and a node with
`m` is a whole turn that may be sent. What a client shows step by step, undoes or plays by itself is read from there: a
node with one step is forced, `forced` is the whole turn where there is but one.
"""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from qipai.games.backgammon.kernel import board as k
from qipai.games.backgammon.kernel.plays import moved_key
from qipai.games.backgammon.notation.moves import write_play
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of
from qipai.games.backgammon.results import worth_of
from qipai.games.backgammon.rules import ASKS, hops_of, try_double
from qipai.games.backgammon.sight import cells_of_view, imagine
from qipai.games.backgammon.state import Hop, View
from qipai.games.backgammon.turns import blots, ends_of

__all__ = ["Hints", "Node", "Step", "hints"]


class Step(Struct, frozen=True, array_like=True):
    """One checker by one die: [from, to, die, hit, pin, clone, next]; 25 the bar, 26 the reserve, 0 off."""

    origin: int
    to: int
    die: int
    hit: bool  # the enemy's single checker there goes to his bar
    pin: bool  # plakoto: it is pinned where it lies
    clone: bool  # cloning: one checker more in the own reserve
    next: int  # the node it leads to


class Node(Struct, frozen=True, array_like=True):
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
        why = try_double(options, imagine(view), seat)
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
    high, low = max(view.dice), min(view.dice)
    walk = Walk(options, cells, seat, high, low)
    nodes = walk.nodes()
    # The only play has one text, whichever way round its steps were taken.
    forced = next(node.m for node in nodes if node.m is not None) if walk.plays == 1 else None
    return Hints(
        ask=ask,
        nodes=nodes,
        plays=walk.plays,
        forced=forced,
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

    def __init__(self, options: Options, cells: tuple[int, ...], seat: int, high: int, low: int) -> None:
        self.board, self.seat = board_of(options, cells), seat
        self.dice = (high,) * 4 if high == low else (high, low)
        made = ends_of(options, cells, seat, high, low)
        self.plays = len(made)
        self.ends = {key: mark for key, mark, _way in made}
        self.steps: list[tuple[Step, ...]] = []
        self.texts: list[str | None] = []
        self.known: dict[tuple[int, tuple[int, ...]], int] = {}
        self.path: list[tuple[int, int]] = []
        self.hits = blots(self.board, seat)

    def nodes(self) -> tuple[Node, ...]:
        """Return the graph, the board as it stands first."""
        self._node(0, self.dice)
        return tuple(Node(steps, text) for steps, text in zip(self.steps, self.texts, strict=True))

    def _node(self, key: int, dice: tuple[int, ...]) -> int | None:
        """Return the number of the node with this board and these dice left, None where no play passes it."""
        # The same board can be the end of a turn that uses both numbers, and the middle of one that wastes pips.
        mark = self.ends.get(key, 0)
        ends = bool(self.path) and mark > 0 and (bool(mark & 1) or mark >> 2 == len(self.path))
        if ends:
            dice = ()  # what is left does not matter any more
        if (known := self.known.get((key, dice))) is not None:
            return known if known >= 0 else None
        number = len(self.steps)
        self.known[key, dice] = number
        self.steps.append(())
        self.texts.append(self._text() if ends else None)
        steps = [] if ends else self._onward(key, dice)
        if not steps and not ends and self.path:
            self.known[key, dice] = -1
            assert number == len(self.steps) - 1
            self.steps.pop()
            self.texts.pop()
            return None
        self.steps[number] = tuple(steps)
        return number

    def _onward(self, key: int, dice: tuple[int, ...]) -> list[Step]:
        b, seat, me = self.board, self.seat, self.seat * k.SIDE
        found = []
        for die, rest in _next(dice):
            for origin in range(k.RES, 0, -1):
                if b[me + origin] == 0 or k.why_not(b, seat, origin, die):
                    continue
                did = int(k.make(b, seat, origin, die))
                self.path.append((origin, die))
                after = int(moved_key(b, me, origin, did, key))
                node = self._node(after, rest)
                self.path.pop()
                k.unmake(b, seat, origin, did)
                if node is not None:
                    found.append(Step(origin, did & 31, die, bool(did & 32), bool(did & 64), bool(did & 128), node))
        return found

    def _text(self) -> str:
        """Return the canonical text of the path walked so far."""
        return write_play([(origin, int(k.landing(origin, die))) for origin, die in self.path], self.hits)
