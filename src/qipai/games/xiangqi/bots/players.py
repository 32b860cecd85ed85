"""The levels, which differ in how many nodes they search and how exactly they choose (xiangqi 13)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Container
from math import exp
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from qipai.core.contract import UNTIMED
from qipai.core.kernel import JIT
from qipai.core.rng import Stream
from qipai.games.xiangqi.bots import engine as memory
from qipai.games.xiangqi.bots.alarm import Alarm
from qipai.games.xiangqi.bots.book import book_move
from qipai.games.xiangqi.bots.engine import DEEPEST, ENDLESS, MATE, WON, Engine
from qipai.games.xiangqi.bots.search import root
from qipai.games.xiangqi.kernel.board import MOST, Board, legal
from qipai.games.xiangqi.kernel.game import harmless
from qipai.games.xiangqi.observation import walk
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import parse_fen, to_text
from qipai.games.xiangqi.rules import Xiangqi, board_of
from qipai.games.xiangqi.state import (
    AcceptDraw,
    AcceptTime,
    Action,
    DeclineDraw,
    Move,
    OfferDraw,
    Ready,
    View,
)

__all__ = ["Casual", "Easy", "Level", "Player", "Sharp", "Steady", "Strong", "Thought", "think", "warm"]

# Until how many plies were played, up to which score a draw is welcome: at first only to who is losing, late to who is
# not ahead. A soldier is worth 60, a horse 300.
WELCOME: Final = ((40, -200), (120, -40))
LATE: Final = 20
# Like those, chosen by hand and not measured by themselves.
WINDOW: Final = 30  # hundredths by which a score is expected to change from one depth to the next,
WINDOW_FROM: Final = 5  # from this depth on;
WIDER: Final = 4  # a window is so many times wider when the score was not in it,
WIDEST: Final = 500  # and without end beyond this
OFFER_NODES: Final = 20_000  # at most, to answer an offer of a draw
OFFER_MS: Final = 300
MOST_PACE: Final = 1.3  # of the time a search aims at, while its best move changes;
STEADY_PACE: Final = 0.1  # less by this for each depth with the same best move,
LEAST_PACE: Final = 0.5  # but no less than this,
FALLEN_PACE: Final = 0.4  # and more by at most this where the score falls
AIM: Final = 0.9  # of the time for a move: a depth that would not end in it is not begun for a move that stands


def welcome(score: int, plies: int) -> bool:
    """Return whether a player with this score accepts a draw after so many plies."""
    return score <= next((most for until, most in WELCOME if plies < until), LATE)


def pace(steady: int, fallen: int) -> float:
    """Return how many times the time it aims at a search takes: less for a steady best move, more for a fallen score.

    steady: how many depths the best move has stayed the same; fallen: hundredths that the last depth has taken away.
    """
    return max(LEAST_PACE, MOST_PACE - STEADY_PACE * steady) + min(FALLEN_PACE, max(0, fallen) / 100)


class Thought(Struct, frozen=True):
    """What a search has found."""

    move: str
    score: int  # hundredths, seen by the side to move
    depth: int  # the last depth searched to its end
    nodes: int
    ranked: tuple[tuple[str, int], ...]  # root moves with their scores, best first; exact in a wide search only


class Level(Struct, frozen=True):
    """How strong a player is. The levels' numbers are chosen by hand; `qipai arena` tells what lies between them."""

    nodes: int  # most nodes for a move
    depth: int = DEEPEST
    share: float = 0.9  # of the time it is given, at most
    most_ms: int = 100_000
    heat: float = 0.0  # how far it strays from its best move, in hundredths
    book: int = 0  # plies it plays from the book
    afresh: bool = True  # it remembers nothing of the last move: the same question gets the same answer


ALARM: Final = Alarm()
_own = threading.local()


def _engine(afresh: bool) -> Engine:
    """Return the thread's engine; the one that starts afresh has a table that is quickly emptied."""
    kept: dict[bool, Engine] = vars(_own).setdefault("engines", {})
    if afresh not in kept:
        kept[afresh] = memory.engine((15 if afresh else 20) if JIT else 12)
    if afresh:
        memory.forget(kept[afresh])
    return kept[afresh]


def think(
    board: Board,
    level: Level,
    ms: int,
    *,
    engine: Engine | None = None,
    only: Container[str] | None = None,
    tell: Callable[[Thought], bool] | None = None,
    aim_ms: float | None = None,
) -> Thought:
    """Search a position with at least one legal move, deeper and deeper, as far as the level and the time allow.

    engine: its memory; without it, the thread's own. only: the moves it may choose, at least one of them legal. tell:
    called after each depth with what was found so far; the search ends when it returns False. aim_ms: the time after
    which no new depth is begun, longer or shorter by `pace`; None: all of ms.
    """
    began = time.monotonic()
    if engine is None:
        engine = _engine(level.afresh)
    reg = engine.reg
    count = memory.prepare(board, engine)
    if only is not None:
        count = _narrowed(engine, count, only)
    reg[memory.LIMIT] = level.nodes
    wide = level.heat > 0
    best, score, done = int(engine.roots[0]), 0, 0
    steady = 0  # how many depths the best move has stayed the same

    with ALARM.after(ms, reg):
        for depth in range(1, level.depth + 1):
            margin = WINDOW if depth >= WINDOW_FROM and abs(score) < WON and not wide else ENDLESS
            while True:
                low, high = max(-ENDLESS, score - margin), min(ENDLESS, score + margin)
                finished = root(board, engine, depth, low, high, wide)
                found = int(reg[memory.SCORE])
                if not finished or low < found < high:
                    break
                margin *= WIDER
                if margin > WIDEST:
                    margin = ENDLESS
            if not finished:
                # What the broken iteration has found counts if it is better than the window's lower end.
                if reg[memory.BEST] and found > low and not wide:
                    best = int(reg[memory.BEST])
                break
            steady = steady + 1 if best == int(reg[memory.BEST]) else 0
            fallen = score - found if done else 0
            best, score, done = int(reg[memory.BEST]), found, depth
            ranked = tuple((to_text(int(engine.roots[i])), int(engine.roots[MOST + i])) for i in range(count))
            if tell is not None and not tell(Thought(to_text(best), score, done, int(reg[memory.NODES]), ranked)):
                break
            if count == 1 or MATE - abs(score) <= depth or reg[memory.NODES] * 2 > level.nodes:
                break
            if aim_ms is not None and (time.monotonic() - began) * 1000 > aim_ms * pace(steady, fallen):
                break
    if done == 0:
        ranked = ((to_text(best), 0),)
    if wide:
        ranked = tuple(sorted(ranked, key=lambda pair: -pair[1]))
    return Thought(to_text(best), score, done, int(reg[memory.NODES]), ranked)


def _narrowed(engine: Engine, count: int, only: Container[str]) -> int:
    """Leave only some of the root's moves; return how many."""
    kept = [move for move in map(int, engine.roots[:count]) if to_text(move) in only]
    for i, move in enumerate(kept):
        engine.roots[i] = move
    engine.reg[memory.ROOTS] = len(kept)
    return len(kept)


class Player:
    """A player of one level; it keeps nothing from one move to the next but, at most, the engine's table."""

    level: Level

    def __init__(self, options: Options, seed: int = 0) -> None:
        self.options = options
        self.seed = seed

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return the action for the seat whose view this is."""
        began = time.monotonic()
        if view.phase == "setup":
            return AcceptTime() if view.proposal else Ready()
        ground, fresh, position = walk(view)
        moves = [ply.m for ply in view.plies[fresh:]]
        board = board_of(self.options, ground, fresh, moves, room=DEEPEST + 8)
        left = budget_ms * self.level.share - (time.monotonic() - began) * 1000
        ms = UNTIMED if budget_ms >= UNTIMED else max(3, min(int(left), self.level.most_ms))
        if view.you != view.side:
            return self._answer(board, ms, len(view.plies))
        luck = Stream.of_seed(f"{self.seed}|{len(view.plies)}|{view.fen}")
        if len(view.plies) < self.level.book and (known := book_move(position, luck)):
            return Move(known)
        thought = think(board, self.level, ms, aim_ms=ms * AIM)
        if view.offer is not None and welcome(thought.score, len(view.plies)):
            return AcceptDraw()
        if view.offer is None and not view.offered and harmless(board):
            return OfferDraw()
        return Move(self._pick(thought, luck))

    def _answer(self, board: Board, ms: int, plies: int) -> Action:
        """Answer an offer of a draw while the offerer is on turn."""
        if not legal(board, board.moves, 0) or harmless(board):
            return AcceptDraw()
        level = Level(nodes=min(self.level.nodes, OFFER_NODES))
        thought = think(board, level, ms if ms == UNTIMED else min(ms, OFFER_MS))
        return AcceptDraw() if welcome(-thought.score, plies) else DeclineDraw()

    def _pick(self, thought: Thought, luck: Stream) -> str:
        """Return the best move or one not much worse; better moves are more likely."""
        heat = self.level.heat
        if not heat or thought.score > WON:
            return thought.move
        best = thought.ranked[0][1]
        weights = [int(1000 * exp(max(-20.0, (worth - best) / heat))) for _, worth in thought.ranked]
        draw = luck.below(sum(weights))
        for (move, _), weight in zip(thought.ranked, weights, strict=True):
            draw -= weight
            if draw < 0:
                return move
        return thought.move


class Easy(Player):
    """A beginner: sees two plies and captures, and is often content with the second best."""

    level = Level(nodes=900, depth=2, most_ms=50, heat=45.0, book=2)


class Casual(Player):
    """Plays now and then: sees a threat and its answer, and is sometimes content with the second best."""

    level = Level(nodes=4_000, depth=4, most_ms=200, heat=22.0, book=4)


class Steady(Player):
    """A club player."""

    level = Level(nodes=15_000, most_ms=1500, book=8)


class Sharp(Player):
    """The best of a club: some depths more."""

    level = Level(nodes=120_000, most_ms=2500, book=10)


class Strong(Player):
    """As strong as the time allows."""

    level = Level(nodes=50_000_000, most_ms=5000, book=10, afresh=False)

    def __init__(self, options: Options, seed: int = 0, nodes: int | None = None) -> None:
        """nodes: so many are searched for a move, whatever time that takes; None: as many as the time allows."""
        super().__init__(options, seed)
        self._timed = nodes is None
        if nodes is not None:
            self.level = replace(self.level, nodes=nodes)
            memory.forget(_engine(self.level.afresh))  # what another game has left there would lead to other moves

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return the action for the seat whose view this is."""
        return super().choose(view, budget_ms if self._timed else UNTIMED)


def warm() -> None:
    """Call every kernel that a choice calls once, so that compiled ones are compiled, and read the book."""
    position = parse_fen("3k5/4a4/4b4/9/2b6/9/9/4BC3/4A4/R3KA3 w - - 0 1")
    board = board_of(Options(), position, 0, [], room=DEEPEST + 8)
    think(board, Level(nodes=3000), 60_000)
    think(board, Level(nodes=300, heat=1.0), 60_000)
    options = Options()
    rules = Xiangqi(options)
    state = rules.start()
    for player in (Easy(options), Steady(options), Strong(options)):
        seat = min(rules.turn(state).seats)
        state = rules.apply(state, seat, player.choose(rules.observe(state, seat), 1)).state
