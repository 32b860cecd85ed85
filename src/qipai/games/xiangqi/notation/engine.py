"""Engines of other people, driven over UCI or UCCI, as opponents and for analysis (xiangqi 11, 13).

Nothing an engine does is trusted: it may hang, die or answer nonsense. Every answer has a time limit and every move is
tried on the board. After the first EngineError the engine is ended.
"""

from __future__ import annotations

import queue
import re
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, Literal, Self

from msgspec import Struct

from qipai.games.xiangqi.notation.moves import from_uci, to_uci
from qipai.games.xiangqi.position import Position, apply, explain_move, format_fen, played, valid_move

__all__ = ["Engine", "EngineError", "Thought"]

START_S: Final = 20.0  # how long an engine may take to get ready
GRACE_S: Final = 5.0  # how long it may overstay the time for a move, after it was told to stop
LONGEST: Final = 10_000  # signs of a line; what is longer is rubbish


class EngineError(RuntimeError):
    """An engine that cannot be started, has died, keeps silent or answers with what is no legal move."""


class Thought(Struct, frozen=True, kw_only=True):
    """What an engine thinks of a position. Scores are for the side to move."""

    move: str | None  # h2e2; None: it knows no move
    centipawns: int | None = None
    mate: int | None = None  # in so many moves; negative: the side to move is mated
    depth: int = 0
    line: tuple[str, ...] = ()  # the moves it expects


class Engine:
    """A running engine. Use it in a `with`, or call `close`; it serves one thread at a time."""

    def __init__(
        self,
        command: Sequence[str],
        protocol: Literal["uci", "ucci"] = "uci",
        options: Mapping[str, str | int] | None = None,
    ) -> None:
        self._protocol = protocol
        self._lines: queue.Queue[str | None] = queue.Queue()
        try:
            self._process = subprocess.Popen(
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError as wrong:
            raise EngineError(f"{command[0]}: {wrong.strerror}") from wrong
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()
        try:
            self._greet(options or {})
        except EngineError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *caught: object) -> None:
        self.close()

    def close(self) -> None:
        """End the engine: ask it, and kill it when it does not go."""
        process = self._process
        try:
            self._say("quit")
            process.wait(1)
        except (EngineError, subprocess.TimeoutExpired):
            process.kill()
            process.wait()
        self._reader.join(1)
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):  # what was not yet sent to a dead engine
            process.stdin.close()
        if (
            not self._reader.is_alive()
        ):  # else a child of the engine still holds the pipe, and closing would wait for it
            process.stdout.close()

    def best_move(self, position: Position, moves: Sequence[str], ms: int) -> str | None:
        """Return the move of `think`."""
        return self.think(position, moves, ms).move

    def think(self, position: Position, moves: Sequence[str], ms: int) -> Thought:
        """Return what the engine plays after `moves` from `position`, within about ms; raises EngineError.

        Give the position after the last capture and all moves since, so that the engine sees repetitions.
        """
        spelled = [to_uci(move) if self._from_one else move for move in moves]
        self._say(" ".join(["position fen", format_fen(position), *(["moves", *spelled] if moves else [])]))
        self._say(f"go movetime {ms}" if self._protocol == "uci" else f"go time {ms} movestogo 1")
        now = played(position, moves)
        best = Thought(move=None)
        for line in self._until(ms / 1000 + GRACE_S / 5, GRACE_S):
            words = line.split()
            if words[:1] == ["info"]:
                best = self._told(now, words, best)
            elif words[:1] == ["bestmove"] and len(words) > 1:
                return self._answer(now, words[1], best)
            elif words[:1] == ["nobestmove"]:
                return Thought(move=None)
        raise self._over("it gave no move")

    def _greet(self, options: Mapping[str, str | int]) -> None:
        self._say(self._protocol)
        variants: list[str] = []
        for line in self._until(START_S):
            if line.strip() == f"{self._protocol}ok":
                break
            if found := re.match(r"option name UCI_Variant\b(.*)", line):
                variants = found[1].split()
        else:
            raise self._over(f"it does not speak {self._protocol}")
        if variants and "xiangqi" not in variants:
            raise self._over("it does not play xiangqi")
        # An engine of many variants counts the ranks 1-10; one that plays nothing but xiangqi counts them as UCCI does.
        self._from_one = bool(variants)
        if variants:
            self._set("UCI_Variant", "xiangqi")
        if self._protocol == "ucci":
            self._set("usemillisec", "true")
        for name, value in options.items():
            self._set(name, value)
        self._say("isready")
        for line in self._until(START_S):
            if line.strip() == "readyok":
                return
        raise self._over("it does not get ready")

    def _set(self, name: str, value: str | int) -> None:
        uci = self._protocol == "uci"
        self._say(f"setoption name {name} value {value}" if uci else f"setoption {name} {value}")

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()
        except (OSError, ValueError) as wrong:
            raise EngineError("the engine has ended") from wrong

    def _listen(self) -> None:
        assert self._process.stdout is not None
        try:
            while data := self._process.stdout.readline(LONGEST):
                self._lines.put(data.decode(errors="replace"))
        except (OSError, ValueError):
            pass  # the pipe was closed under the reader
        self._lines.put(None)

    def _until(self, seconds: float, grace: float = 0.0) -> Iterator[str]:
        """Yield lines until the time is up. With a grace the engine is then told to stop, and read that much longer."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                if not grace:
                    return
                self._say("stop")
                deadline, grace = time.monotonic() + grace, 0.0
                continue
            if line is None:
                self._lines.put(None)  # for the next reader, too
                raise EngineError("the engine has ended")
            yield line

    def _over(self, why: str) -> EngineError:
        self._process.kill()
        return EngineError(why)

    def _move(self, text: str) -> str:
        move = from_uci(text) if self._from_one else text if valid_move(text) else None
        if move is None:
            raise self._over(f"it plays {text[:20]}")
        return move

    def _answer(self, position: Position, text: str, best: Thought) -> Thought:
        if text in ("(none)", "0000", "none", "null"):
            return Thought(move=None)
        move = self._move(text)
        if explain_move(position, move) is not None:
            raise self._over(f"it plays {move}, which is not legal")
        thought = best if best.line[:1] == (move,) else Thought(move=move, depth=best.depth)
        return Thought(
            move=move, centipawns=thought.centipawns, mate=thought.mate, depth=thought.depth, line=thought.line
        )

    def _told(self, position: Position, words: list[str], before: Thought) -> Thought:
        """Return the thought of an info line; a line without a full evaluation returns the thought before it."""
        if "pv" not in words or "score" not in words or "lowerbound" in words or "upperbound" in words:
            return before
        if "multipv" in words and words[words.index("multipv") + 1 :][:1] != ["1"]:
            return before
        numbers = {}
        for name in ("depth", "cp", "mate", "score"):
            after = words[words.index(name) + 1 :][:1] if name in words else []
            if after and re.fullmatch(r"-?\d{1,9}", after[0]):
                numbers[name] = int(after[0])
        line = []
        for text in words[words.index("pv") + 1 :]:
            move = from_uci(text) if self._from_one else text if valid_move(text) else None
            if move is None or explain_move(position, move) is not None:
                break
            line.append(move)
            position = apply(position, move)
        if not line:
            return before
        return Thought(
            move=line[0],
            centipawns=numbers.get("cp", numbers.get("score")),
            mate=numbers.get("mate"),
            depth=numbers.get("depth", 0),
            line=tuple(line),
        )
