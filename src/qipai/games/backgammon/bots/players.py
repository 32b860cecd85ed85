"""The levels: a rule of thumb, the net as a person errs, the net, and the net behind every reply (backgammon 13)."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from math import exp
from typing import Final

from msgspec.structs import replace

from qipai.core.kernel import JIT, Buffer, buffer, thawed
from qipai.core.rng import Stream
from qipai.games.backgammon.bots import ending, hopper
from qipai.games.backgammon.bots.cube import LIVE, Chances, Choice, Stake, ahead, decide, race_live
from qipai.games.backgammon.bots.features import contact
from qipai.games.backgammon.bots.net import UNIT, Brain, brain, outcomes
from qipai.games.backgammon.bots.search import (
    LOSES,
    MOST_VALUED,
    TERMS,
    TRIPLE,
    after_answers,
    after_replies,
    best_reply,
    copied,
    new_look,
    rank,
    simple,
    worth,
)
from qipai.games.backgammon.kernel.plays import MOST, apply_way, generate, new_room
from qipai.games.backgammon.kernel.score import pips
from qipai.games.backgammon.notation.moves import steps_of
from qipai.games.backgammon.observation import cells_of_view
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of, parse_position
from qipai.games.backgammon.rules import hop_action, try_double
from qipai.games.backgammon.state import (
    Accept,
    Action,
    Beaver,
    Double,
    Drop,
    Hop,
    Play,
    Reject,
    Roll,
    State,
    Take,
    View,
)
from qipai.games.backgammon.turns import plays_of, written

__all__ = ["Casual", "Easy", "Mind", "Player", "Sharp", "Steady", "Strong", "live_of", "mind", "warm"]

SCALE: Final = 1 << 14  # of the terms of a worth
# Chosen by hand and not measured alone; docs/spec/backgammon.md, 14, measures the players as a whole.
CLOSE: Final = (0.16, 0.08)  # plays within so many points of the best are looked at again, and once more
LOOKED_AT: Final = (8, 4)  # of them, at most
DEARER: Final = 30  # times as long, at most, as a look at each reply takes a look at the answers, too
BEAVER_BELOW: Final = 0.05  # points, on a cube of one, that a double must cost its giver to be beavered
# The easy player.
WEIGHED: Final = 200  # plays at most
FINE: Final = 4  # parts of a pip in which plays are weighed
FANCY: Final = 24  # so many parts, at most, luck adds to a play
ON_ROLL: Final = 8  # pips that the throw to come is worth
SHORT_RACE: Final = 40  # pips of both: a lead counts as in a race of at least so many
LEAD: Final = 1.6  # how much of a chance a lead of the whole race is
SUREST: Final = 0.98  # chance to win, at most
SLIMMEST: Final = 0.02  # and at least
DOUBLES: Final = 0.2  # of the games won, those that count double
TRIPLES: Final = 0.01  # of all games, those that count triple
# The casual player.
HEAT: Final = 0.04  # points by which it misjudges a play, about
FAINT: Final = 12.0  # so many times this it never does
SLOW_MS: Final = 2000  # replies are only looked at without a compiler where there is so much time

_own = threading.local()


class Mind:
    """A net with its work space, for one variant and thread."""

    def __init__(self, variant: str) -> None:
        self.net: Brain = brain(variant)
        self.room, self.look, self.deeper = new_room(), new_look(), new_look()
        self.work, self.next = buffer(80), buffer(80)
        self.found = buffer(MOST, 64)


def mind(variant: str) -> Mind:
    """Return this thread's mind for a variant."""
    kept: dict[str, Mind] = vars(_own).setdefault("minds", {})
    if variant not in kept:
        kept[variant] = Mind(variant)
    return kept[variant]


def stake_of(options: Options, view: View | State, seat: int) -> Stake:
    """Return the stake, as a seat sees it."""
    need = [max(1, options.match_to - points) if options.match_to else 0 for points in view.score]
    return Stake(
        value=view.cube.value,
        mine=view.cube.owner == seat,
        centred=view.cube.owner is None,
        need=need[seat],
        his_need=need[1 - seat],
        crawford=view.crawford,
        done=view.crawford_done,
    )


def held(win: float, win2: float, win3: float, lose2: float, lose3: float, live: float = LIVE) -> Chances:
    """Return chances of which none exceeds the one that it is part of."""
    return Chances(win, min(win2, win), min(win3, win), min(lose2, 1 - win), min(lose3, 1 - win), live)


def live_of(board: Buffer, roller: int) -> float:
    """Return how much of a live cube's worth is realised with a side on roll."""
    return LIVE if contact(board) else race_live(int(pips(board, roller)))


class Player:
    """A player; it keeps nothing from one move to the next."""

    looks = 0  # throws ahead
    heat = 0.0  # points by which it may misjudge a play

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        self.options = options if options is not None else Options()
        self.seed = seed

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return the action for the seat whose view this is."""
        seat = view.you
        assert seat is not None
        match view.phase:
            case "to_roll":
                return self._before_rolling(view, seat)
            case "double_offered" | "beaver_offered":
                return self._doubled(view, seat)
            case "resign_offered" | "draw_offered":
                return self._asked(view, seat)
            case "to_move":
                return hop_action(self._hop(view, seat, budget_ms))
        return self._play(view, seat, budget_ms)

    # what the levels differ in

    def _play(self, view: View, seat: int, budget_ms: int) -> Action:
        assert view.dice is not None
        plays = plays_of(self.options, cells_of_view(view), view.position, seat, view.dice).ways
        if len(plays) == 1:
            return Play(next(iter(plays)))
        return Play(self._best(view, seat, budget_ms))

    def _best(self, view: View, seat: int, budget_ms: int) -> str:
        """Return the best play's text."""
        assert view.dice is not None
        own = mind(self.options.variant)
        board = board_of(self.options, cells_of_view(view))
        count = min(int(generate(board, seat, *view.dice, own.room)), MOST_VALUED)
        stake = stake_of(self.options, view, seat)
        floats = stake.terms(self.options)
        best = int(rank(board, seat, count, self.terms(floats, 1), own.net, own.room, own.work, own.found))
        if self.heat and count > 1:
            best = self._misjudged(view, [int(own.found[i]) for i in range(count)], abs(floats[1]) / 2 * SCALE * UNIT)
        if self.looks and count > 1 and (JIT or budget_ms >= SLOW_MS):
            best = self._looked(board, seat, count, floats, own, budget_ms, stake)
        return written(board, seat, steps_of(int(own.room.ways[best])))

    def _misjudged(self, view: View, worths: list[int], point: float) -> int:
        """Return the best play or one that is not much worse; better ones are more likely. point: what one is worth."""
        luck, most = self._luck(view), max(worths)
        weights = [int(1000 * exp(max(-FAINT, (each - most) / point / self.heat))) for each in worths]
        draw = luck.below(sum(weights))
        for i, weight in enumerate(weights):
            draw -= weight
            if draw < 0:
                return i
        return worths.index(most)

    def _luck(self, view: View) -> Stream:
        return Stream.of_seed(f"{self.seed}|{view.game_no}|{len(view.lines)}|{view.position}")

    def _looked(
        self,
        board: Buffer,
        seat: int,
        count: int,
        floats: tuple[float, ...],
        own: Mind,
        budget_ms: int,
        stake: Stake,
    ) -> int:
        """Return the best of the plays that come near, valued after all replies, and the nearest after all answers."""
        until = time.perf_counter() + budget_ms * (0.6 if JIT else 0.4) / 1000
        terms, his, slowest = self.terms(floats, 1), self.terms(floats, -1), 0.0
        step = abs(floats[1]) / 2 * SCALE * UNIT
        worths = {i: int(own.found[i]) for i in range(count)}
        for ply in range(1, self.looks + 1):
            order = sorted(worths, key=lambda i: -worths[i])
            near = [i for i in order if worths[order[0]] - worths[i] <= CLOSE[ply - 1] * step][: LOOKED_AT[ply - 1]]
            if len(near) == 1:
                return near[0]
            deeper = {}
            for i in near:
                begun = time.perf_counter()
                if begun + (DEARER * slowest if ply > 1 else 0) > until:
                    break
                copied(board, own.next)
                if int(apply_way(own.next, seat, own.room.ways[i])):
                    deeper[i] = worths[i]
                    continue
                if ply == 1:
                    after_replies(own.next, seat, his, own.net, own.look)
                else:
                    after_answers(own.next, seat, terms, his, own.net, own.look, own.deeper)
                deeper[i] = int(worth(terms, own.look.mean))
                if ply == 1:
                    slowest = max(slowest, time.perf_counter() - begun)
            if ply > 1 and len(deeper) < len(near):  # what was looked at less far cannot be compared
                break
            worths = deeper or worths
        return max(worths, key=lambda i: worths[i])

    def terms(self, floats: tuple[float, ...], sign: int) -> Buffer:
        """Return a worth's terms for the kernels; sign -1: for the other side."""
        const, win, win2, win3, lose2, lose3 = floats
        if sign < 0:  # his wins are my losses
            const, win, win2, win3, lose2, lose3 = -(const + win), win, -lose2, -lose3, -win2, -win3
        cells = [0] * TERMS
        cells[:6] = [round(term * SCALE) for term in (const, win, win2, win3, lose2, lose3)]
        cells[LOSES] = int(self.options.row.loses)
        cells[TRIPLE] = (3 if self.options.row.triple else 2) if self.options.multiples else 1
        return thawed(cells, 64)

    def _hop(self, view: View, seat: int, budget_ms: int) -> Hop:
        return hopper.best(self.options, view, seat, depth=3 if self.looks and JIT else 2)

    def _chances(self, view: View, roller: int) -> Chances:
        """Return what the board holds for the side on roll."""
        own = mind(self.options.variant)
        board = board_of(self.options, cells_of_view(view))
        outcomes(board, roller, own.net)
        return replace(held(*(int(v) / UNIT for v in own.net.value)), live=live_of(board, roller))

    def _choice(self, view: View, roller: int) -> Choice:
        return decide(self.options, stake_of(self.options, view, roller), self._chances(view, roller))

    # what they have in common

    def _before_rolling(self, view: View, seat: int) -> Action:
        if try_double(self.options, view, seat) is None and self._choice(view, seat).double:
            return Double()
        return Roll()

    def _doubled(self, view: View, seat: int) -> Action:
        if view.phase == "beaver_offered":
            stake = stake_of(self.options, view, seat)
            terms = stake.terms(self.options, 2 * stake.value, True)
            c = self._chances(view, seat)
            worth = sum(t * v for t, v in zip(terms, (1.0, c.win, c.win2, c.win3, c.lose2, c.lose3), strict=True))
            return Take() if worth > -stake.value else Drop()
        choice = self._choice(view, 1 - seat)
        beavers = self.options.beavers and self.options.series and 4 * view.cube.value <= self.options.cube_max
        if beavers and choice.taken < -BEAVER_BELOW * view.cube.value:
            return Beaver()
        return Take() if choice.take else Drop()

    def _asked(self, view: View, seat: int) -> Action:
        """Answer a resignation or a draw: accept what is at least what the board is worth."""
        assert view.offer is not None
        if not self.options.row.dice:
            return Accept() if view.offer.level else Reject()
        stake = stake_of(self.options, view, seat)
        c = self._chances(view, 1 - seat)
        mine = Chances(1 - c.win, c.lose2, c.lose3, c.win2, c.win3)
        terms = stake.terms(self.options)
        worth = sum(
            t * v for t, v in zip(terms, (1.0, mine.win, mine.win2, mine.win3, mine.lose2, mine.lose3), strict=True)
        )
        offered = stake.worth(self.options, view.offer.points)
        return Accept() if offered >= worth else Reject()


class Easy(Player):
    """A beginner: runs, makes points, hides blots; fast without a compiler."""

    def _best(self, view: View, seat: int, budget_ms: int) -> str:
        assert view.dice is not None
        cells = cells_of_view(view)
        plays = plays_of(self.options, cells, view.position, seat, view.dice).ways
        luck = self._luck(view)
        best, most = "", None
        sign = -1 if self.options.row.loses else 1
        board, work = board_of(self.options, cells), buffer(80)
        for text, way in list(plays.items())[:WEIGHED]:
            copied(board, work)
            how = int(apply_way(work, seat, way))
            value = sign * int(simple(work, seat, how)) * FINE + luck.below(FANCY)
            if most is None or value > most:
                best, most = text, value
        return best

    def _hop(self, view: View, seat: int, budget_ms: int) -> Hop:
        return hopper.best(self.options, view, seat, depth=1, seed=self.seed)

    def _chances(self, view: View, roller: int) -> Chances:
        """Return chances guessed from the race alone."""
        mine, his = view.sides[roller], view.sides[1 - roller]
        lead = (his.pips - mine.pips + ON_ROLL) / max(SHORT_RACE, mine.pips + his.pips)
        if self.options.row.loses:
            lead = -lead
        win = min(SUREST, max(SLIMMEST, 0.5 + LEAD * lead))
        return Chances(win, DOUBLES * win, TRIPLES, DOUBLES * (1 - win), TRIPLES)


class Casual(Player):
    """Plays now and then: judges a result as the net does, and each play a little wrong."""

    heat = HEAT

    def _hop(self, view: View, seat: int, budget_ms: int) -> Hop:
        return hopper.best(self.options, view, seat, depth=1 + self._luck(view).below(2), seed=self.seed)


class Steady(Player):
    """A club player: the net's judgement of every result."""


class Sharp(Player):
    """The net again behind every reply to the plays that come near."""

    looks = 1

    def _hop(self, view: View, seat: int, budget_ms: int) -> Hop:
        return hopper.best(self.options, view, seat, depth=2 + self._luck(view).below(2) if JIT else 2)


class Strong(Player):
    """The net again behind every reply to the plays that come near, and behind every answer for the nearest."""

    looks = 2

    def _choice(self, view: View, roller: int) -> Choice:
        """Return what each use of the cube is worth, every throw and the other's use of the cube after it looked at."""
        if not JIT:
            return super()._choice(view, roller)
        stake, board = stake_of(self.options, view, roller), board_of(self.options, cells_of_view(view))
        exact = ending.choice(self.options, stake, board, roller)
        return exact or ahead(self.options, stake, self._ends(board, roller, stake))

    def _looked(
        self, board: Buffer, seat: int, count: int, floats: tuple[float, ...], own: Mind, budget_ms: int, stake: Stake
    ) -> int:
        """Return the best play: of the last checkers the exact one."""
        exact = ending.best(self.options, stake, board, seat, [int(own.room.ways[i]) for i in range(count)])
        return super()._looked(board, seat, count, floats, own, budget_ms, stake) if exact is None else exact

    def _ends(self, board: Buffer, roller: int, stake: Stake) -> Iterator[tuple[int, Chances | int]]:
        """Yield each throw's weight and what its best play leads to for the other, after his replies (`cube.ahead`)."""
        own, floats = mind(self.options.variant), stake.terms(self.options)
        mine, his = self.terms(floats, 1), self.terms(floats, -1)
        for one in range(1, 7):
            for two in range(1, one + 1):
                weight = 1 if one == two else 2
                way = int(best_reply(board, roller, one, two, mine, own.net, own.look))
                copied(board, own.next)
                if int(apply_way(own.next, roller, way)):
                    win, win2, win3, lose2, lose3 = (int(v) // UNIT for v in own.net.top)
                    yield weight, 1 + win2 + win3 if win else -1 - lose2 - lose3
                else:
                    after_replies(own.next, roller, his, own.net, own.look)
                    c = [int(v) / UNIT for v in own.look.mean]
                    yield weight, held(1 - c[0], c[3], c[4], c[1], c[2], live_of(own.next, 1 - roller))


def warm() -> None:
    """Call every kernel once, so that numba compiles it."""
    from qipai.games.backgammon.rules import Backgammon
    from qipai.games.backgammon.state import Opening

    options = Options()
    rules = Backgammon(options)
    state = rules.apply(rules.start(), -1, Opening((3, 1))).state
    view = rules.observe(state, 0)
    for player in (Easy(options), Steady(options), Strong(options)):
        player.choose(view, 60_000)
    if JIT:
        last = board_of(options, parse_position(options.row, "1:1 off:14 / 1:1 off:14"))
        ending.choice(options, stake_of(options, state, 0), last, 0)
    hopper.warm()
