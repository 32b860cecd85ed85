"""Our player as a program that speaks UCI or UCCI: `qipai engine xiangqi` (xiangqi 11, 13); such programs as players.

Ranks are counted 0-9, as UCCI and most UCI programs of xiangqi do (h2e2). A GUI that names `UCI_Variant` counts them
1-10 as Fairy-Stockfish does (h3e3); the option `Ranks` says so, too.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import log2
from typing import Final, Literal

from msgspec import Struct

from qipai import __version__
from qipai.core.contract import BadNotation
from qipai.core.kernel import JIT
from qipai.games.xiangqi.bots import engine as memory
from qipai.games.xiangqi.bots.engine import DEEPEST, MATE, Engine
from qipai.games.xiangqi.bots.players import Casual, Easy, Level, Sharp, Steady, Strong, Thought, think, welcome
from qipai.games.xiangqi.notation.engine import Engine as Outside
from qipai.games.xiangqi.notation.engine import EngineError
from qipai.games.xiangqi.notation.moves import from_uci, to_uci
from qipai.games.xiangqi.observation import walk
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import (
    START,
    apply,
    explain_move,
    legal_moves,
    parse_fen,
    to_text,
    valid_move,
)
from qipai.games.xiangqi.rules import board_of
from qipai.games.xiangqi.state import AcceptTime, Action, DeclineDraw, Move, Ready, View

__all__ = ["Other", "player", "program"]

LEVELS: Final[Mapping[str, Level]] = {
    "easy": Easy.level,
    "casual": Casual.level,
    "steady": Steady.level,
    "sharp": Sharp.level,
    "strong": Strong.level,
}
MB: Final = (1, 256)  # of memory for positions: the least, the most
ENTRY_BYTES: Final = 16
ENDLESS_MS: Final = 10**9
LEFT: Final = 30  # so many moves a game is expected to go on where nobody says
OVER: Final = 3  # a search takes at most so many times what it aims at,
SHARE: Final = 4  # and one part in so many of the time that is left
SPARE_MS: Final = 30  # kept back for the way to the GUI and back
NUMBERS: Final = (
    *("wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes"),
    *("time", "increment", "opptime", "oppmovestogo", "oppincrement", "mate"),
)


class Wanted(Struct, frozen=True):
    """What a `go` asks for. ms: for the search, at most; aim: so long on the mean, None: all of ms.

    hold: the answer waits for `stop` or `ponderhit`.
    """

    ms: int
    aim: int | None
    level: Level
    only: frozenset[str] | None = None
    hold: bool = False
    draw: bool = False  # the other side has offered one (UCCI)


class Search:
    """One search in a thread of its own, which can be told to stop."""

    def __init__(self, start: Callable[[Search], None], engine: Engine) -> None:
        self._engine = engine
        self._stopped = threading.Event()
        self.free = threading.Event()  # it may answer
        self._thread = threading.Thread(target=start, args=(self,), name="search", daemon=True)
        self._thread.start()

    @property
    def stopped(self) -> bool:
        """Tell whether it was told to stop."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Let it stop and answer."""
        self._stopped.set()
        self._engine.reg[memory.STOP] = 1  # where it comes before the search has begun, the search asks `stopped`
        self.free.set()

    def stop_in(self, ms: int) -> None:
        """Let it answer when it has ended, and stop in so many ms."""
        self.free.set()
        timer = threading.Timer(ms / 1000, self.stop)
        timer.daemon = True
        timer.start()

    def join(self) -> None:
        """Wait until it has answered."""
        self._thread.join()


class Talk:
    """A talk with a GUI."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._lock = threading.Lock()
        self._write = say
        self._tongue: Literal["uci", "ucci"] = "uci"
        self._from_one = False
        self._ms = True  # whether UCCI counts time in ms
        self._bits = 20 if JIT else 12
        self._engine: Engine | None = None
        self._level = "strong"
        self._ground = self._now = START
        self._moves: list[str] = []  # since the ground: the position after the last capture
        self._plies = 0  # since the position that was given
        self._banned: frozenset[str] = frozenset()
        self._search: Search | None = None
        self._left = 0  # ms that are left for a search that ponders, once it is hit

    def say(self, line: str) -> None:
        """Say a line; search and talk may do so at once."""
        with self._lock:
            self._write(line)

    def heard(self, line: str) -> bool:
        """Take a line; return False when it ends the talk."""
        words = line.split()
        match words[:1]:
            case ["uci"] | ["ucci"]:
                self._greet("uci" if words[0] == "uci" else "ucci")
            case ["isready"]:
                self.say("readyok")
            case ["setoption"]:
                self._idle()
                self._option(words[1:])
            case ["ucinewgame"]:
                self._idle()
                self._engine = None
            case ["position"]:
                self._idle()
                self._position(words[1:])
            case ["banmoves"]:
                self._idle()
                self._banned = frozenset(filter(None, map(self._ours, words[1:])))
            case ["go"]:
                self._idle()
                self._go(words[1:])
            case ["ponderhit"]:
                if self._search is not None:
                    self._search.stop_in(self._left)
            case ["stop"]:
                self._idle()
            case ["quit"]:
                self._idle()
                if self._tongue == "ucci":
                    self.say("bye")
                return False
            case [word]:
                self.say(f"info string unknown command: {word[:40]}")
        return True

    def close(self) -> None:
        """End what is searched."""
        self._idle()

    def _idle(self) -> None:
        if self._search is not None:
            self._search.stop()
            self._search.join()
            self._search = None

    def _greet(self, tongue: Literal["uci", "ucci"]) -> None:
        self._tongue = tongue
        self.say(f"id name qipai {__version__}")
        self.say("id author the qipai authors")
        levels = " var ".join(LEVELS)
        if tongue == "uci":
            self.say(f"option name Hash type spin default {self._hash} min {MB[0]} max {MB[1]}")
            self.say("option name Ponder type check default false")
            self.say(f"option name Level type combo default {self._level} var {levels}")
            self.say("option name Ranks type combo default 0-9 var 0-9 var 1-10")
            self.say("option name UCI_Variant type combo default xiangqi var xiangqi")
        else:
            self.say("option usemillisec type check default true")
            self.say(f"option hashsize type spin min {MB[0]} max {MB[1]} default {self._hash}")
            self.say(f"option level type combo var {levels} default {self._level}")
        self.say(f"{tongue}ok")

    @property
    def _hash(self) -> int:
        return max(1, (ENTRY_BYTES << self._bits) >> 20)

    def _option(self, words: list[str]) -> None:
        if words[:1] == ["name"]:
            at = words.index("value") if "value" in words else len(words)
            name, value = " ".join(words[1:at]).lower(), " ".join(words[at + 1 :])
        else:
            name, value = "".join(words[:1]).lower(), " ".join(words[1:])
        match name:
            case "hash" | "hashsize" if value.isdecimal() and MB[0] <= int(value) <= MB[1]:
                self._bits = int(log2(int(value) << 20) - log2(ENTRY_BYTES))
                self._engine = None
            case "level" if value in LEVELS:
                self._level = value
            case "ranks" if value in ("0-9", "1-10"):
                self._from_one = value == "1-10"
            case "uci_variant" if value == "xiangqi":
                self._from_one = True
            case "usemillisec" if value in ("true", "false"):
                self._ms = value == "true"
            case "ponder" if value in ("true", "false"):
                pass  # whether it ponders is said by `go ponder`
            case _:
                self.say(f"info string no such option, or not with this value: {' '.join(words)[:80]}")

    def _ours(self, text: str) -> str | None:
        return from_uci(text) if self._from_one else text if valid_move(text) else None

    def _theirs(self, move: str) -> str:
        return to_uci(move) if self._from_one else move

    def _position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        start, spelled = words[:at], words[at + 1 :]
        if start[:1] == ["fen"]:
            start = start[1:]
        try:
            ground = START if start == ["startpos"] else parse_fen(" ".join(start))
        except BadNotation as wrong:
            self.say(f"info string not a position of xiangqi: {wrong}")
            return
        now, moves, plies = ground, list[str](), 0
        for text in spelled:
            move = self._ours(text)
            refusal = None if move is None else explain_move(now, move)
            if move is None or refusal is not None:
                why = "" if refusal is None else f" ({refusal.code})"
                self.say(f"info string {text[:10]} is no legal move here{why}; what follows it is left out")
                break
            now, plies = apply(now, move), plies + 1
            if now.quiet == 0:  # after a capture nothing before it can be repeated
                ground, moves = now, []
            else:
                moves.append(move)
        self._ground, self._moves, self._now, self._plies = ground, moves, now, plies
        self._banned = frozenset()

    def _go(self, words: list[str]) -> None:
        wanted = self._wanted(words)
        legal = set(legal_moves(self._now))
        may = legal - self._banned if wanted.only is None else legal & wanted.only
        if not may:
            self.say("bestmove (none)" if self._tongue == "uci" else "nobestmove")
            return
        if self._engine is None:
            self._engine = memory.engine(self._bits)
        ground, moves, plies = self._ground, self._moves, self._plies
        engine = self._engine

        def search(me: Search) -> None:
            board = board_of(Options(), ground, 0, moves, room=DEEPEST + 8)
            began = time.monotonic()

            def tell(thought: Thought) -> bool:
                self._tell(thought, began, list(self._line(engine, thought)))
                return not me.stopped

            only = None if may == legal else may
            thought = think(board, wanted.level, wanted.ms, engine=engine, only=only, tell=tell, aim_ms=wanted.aim)
            if wanted.hold:
                me.free.wait()
            self._answer(thought, list(self._line(engine, thought)), wanted, plies)

        self._search = Search(search, engine)

    def _wanted(self, words: list[str]) -> Wanted:
        numbers = {}
        for word, after in pairwise(words):
            if word in NUMBERS and after.lstrip("-").isdecimal():
                numbers[word] = max(0, int(after))
        if self._tongue == "ucci" and not self._ms:
            numbers |= {name: 1000 * n for name, n in numbers.items() if name in ("time", "increment")}
        mine = ("wtime", "winc") if self._now.side == 0 else ("btime", "binc")
        left = numbers.get(mine[0], numbers.get("time"))
        added = numbers.get(mine[1], numbers.get("increment", 0))
        moves = numbers.get("movestogo", LEFT)
        ponders = "ponder" in words
        ms, aim = ENDLESS_MS, None
        if "movetime" in numbers:
            ms = max(1, numbers["movetime"] - SPARE_MS)
        elif left is not None:
            aim = max(1, min(left // max(1, moves) + added * 3 // 4, left - SPARE_MS))
            ms = max(aim, min(OVER * aim, left // SHARE if moves > 1 else left - SPARE_MS))
        level = LEVELS[self._level]
        asked = {"depth": numbers.get("depth", level.depth), "nodes": numbers.get("nodes", level.nodes)}
        level = Level(nodes=max(1, asked["nodes"]), depth=max(1, min(DEEPEST, asked["depth"])), heat=level.heat)
        only = None
        if "searchmoves" in words:
            only = frozenset(filter(None, map(self._ours, words[words.index("searchmoves") + 1 :])))
        self._left = ms
        hold = ponders or "infinite" in words
        return Wanted(ENDLESS_MS if ponders else ms, None if ponders else aim, level, only, hold, "draw" in words)

    def _tell(self, thought: Thought, began: float, line: list[str]) -> None:
        ms = int(1000 * (time.monotonic() - began))
        score = f"cp {thought.score}"
        if self._tongue == "ucci":
            score = str(thought.score)
        elif abs(thought.score) > MATE - DEEPEST:
            plies = MATE - abs(thought.score)
            score = f"mate {(plies + 1) // 2 if thought.score > 0 else -(plies // 2)}"
        speed = f" nps {1000 * thought.nodes // ms}" if ms else ""
        spelled = " ".join(map(self._theirs, line))
        self.say(f"info depth {thought.depth} score {score} nodes {thought.nodes} time {ms}{speed} pv {spelled}")

    def _line(self, engine: Engine, thought: Thought) -> Iterator[str]:
        """Yield the moves that are expected: the best one, then what the memory holds of the positions after it."""
        position, move = self._now, thought.move
        for _ in range(max(1, thought.depth)):
            yield move
            position = apply(position, move)
            board = board_of(Options(), position, 0, [])
            fact = memory.found(engine, int(board.keys[0]))
            after = to_text(int(memory.move_of(fact))) if fact else ""
            if not after or not valid_move(after) or explain_move(position, after) is not None:
                return
            move = after

    def _answer(self, thought: Thought, line: list[str], wanted: Wanted, plies: int) -> None:
        words = ["bestmove", self._theirs(thought.move)]
        if len(line) > 1:
            words += ["ponder", self._theirs(line[1])]
        if wanted.draw and welcome(thought.score, plies):
            words.append("draw")
        self.say(" ".join(words))


def program(lines: Iterable[str], say: Callable[[str], None]) -> None:
    """Talk with a GUI until it says `quit` or its lines end."""
    talk = Talk(say)
    try:
        for line in lines:
            if not talk.heard(line):
                return
    finally:
        talk.close()


class Other:
    """Another program of xiangqi as a player (`core.contract.Bot`): a command starts it, and it speaks UCI or UCCI."""

    def __init__(self, options: Options, command: Sequence[str]) -> None:
        """Raise ValueError if it cannot be started or speaks neither."""
        self.options = options
        try:
            try:
                self._engine = Outside(command, "uci")
            except EngineError:
                self._engine = Outside(command, "ucci")
        except EngineError as wrong:
            raise ValueError(f"{command[0]}: {wrong}") from wrong

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return its action; the first legal move where it fails, so that the game goes on."""
        if view.phase == "setup":
            return AcceptTime() if view.proposal else Ready()
        if view.you != view.side:
            return DeclineDraw()
        ground, fresh, position = walk(view)
        try:
            move = self._engine.best_move(ground, [ply.m for ply in view.plies[fresh:]], budget_ms)
        except EngineError:
            move = None
        return Move(move if move is not None else legal_moves(position)[0])

    def close(self) -> None:
        """End the program."""
        self._engine.close()


def player(options: Options, command: Sequence[str]) -> Other:
    """Return another program as a player; raises ValueError."""
    return Other(options, command)
