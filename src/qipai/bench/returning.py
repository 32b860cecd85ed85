"""People who come back as a client's page does when their line is lost or silent (0086), for `bench chaos`.

The times are those of `client/src/net/socket.ts`. Each looks at whether any line of a table was kept from them, or was
shown and then taken back.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from typing import Final

import msgspec
from msgspec import Struct

from qipai.bench.lines import Line
from qipai.bench.nodes import Anywhere
from qipai.bench.players import Board, Player, Playing
from qipai.web.sockets import HANDED_OVER

__all__ = ["CALM_S", "DOUBT_S", "QUIET_S", "Game", "Seat"]

FIRST_S, MOST_S = 0.25, 8.0  # until a client tries again
OPEN_S: Final = 8.0  # … for the answer to new lines
QUICK_S: Final = 5.0  # … to a ping, until the line counts as lost
QUIET_S, CALM_S = 1.5, 5.0  # … with nothing heard until it pings; up to the second while it hears but answers to pings
DOUBT_S: Final = 0.5  # … without an answer until it begins another line beside …
NEXT_S, SOON = 0.2, 10  # … and until that one, if it is not open, gives way to the next; after so many more time each
LOST_S: Final = 0.75  # … after a line that was lost without a word
BLINK_S: Final = 0.01  # between two looks at a line
LOOK_S: Final = 0.1  # until a client that was refused looks again
BUSY_S: Final = 1.0  # … where the hall could not say how the table is


class Missed(Struct):
    """A line of a channel that was said while the line was down."""

    seq: int


class Frame(Struct):
    """What of a message is looked at."""

    t: str
    ch: str = ""
    seq: int = 0
    missed: list[Missed] | None = None
    code: str = ""


class Seat(Player):
    """A player who comes back as a client does, and looks at whether anything is missing."""

    __slots__ = (
        "after",
        "ch",
        "heard_at",
        "last",
        "late",
        "mine",
        "pending",
        "pinged",
        "pongs",
        "reached",
        "returning",
        "seat",
    )

    def __init__(self, playing: Playing, table: Board, token: str) -> None:
        super().__init__(playing, table, token)
        self.pending = self.mine = b""  # the action that has no answer, and its cid
        self.last = b""
        self.late = False  # a question came before it
        self.ch, self.after = "", 0  # the channel, and how far it was heard
        self.seat = b""  # as the table has said last
        self.returning = False
        self.heard_at = self.pinged = time.monotonic()
        self.pongs = 0  # that came since anything else did
        self.reached = False  # the new line is open

    @property
    def game(self) -> Game:
        """Return what it plays in."""
        assert isinstance(self.playing, Game)
        return self.playing

    def heard(self, line: Line, text: bytes) -> None:
        """Look at what comes, then play on."""
        if line is not getattr(self, "line", line):
            return
        self.heard_at = time.monotonic()
        told = READ(text)
        self.pongs = self.pongs + 1 if told.t == "pong" else 0
        if told.t != "pong":
            self.last = text
        if told.t == "ev":
            if (told.ch, told.seq) != (self.ch, self.after + 1):
                self.misses(told, "is told")
            self.ch, self.after = told.ch, told.seq
            self.game.moved(self.table)
        elif told.t == "rejoin":
            self.look()
        elif told.t == "snapshot":
            if told.ch == self.ch and told.missed is not None:
                # What comes twice is not missing: who joins a table may have been told some of it before the answer.
                first = told.missed[0].seq if told.missed else told.seq + 1
                whole = [each.seq for each in told.missed] == list(range(first, told.seq + 1))
                if not whole or first > self.after + 1:
                    self.misses(told, f"is told on return, from {first} on,")
            if told.ch == self.ch and told.seq < self.after:
                self.misses(told, "comes back to")
            self.ch, self.after = told.ch, told.seq
            self.seat = text[(at := text.index(b'"you":{"seat":') + 14) : text.index(b",", at)]
        elif told.t == "err" and b'"re":"act"' in text:
            self.game.refusals[told.code] += 1
            self.answered(refused=True)
            return
        elif told.t == "err" and b'"re":"ready"' in text:  # who is not ready in time plays no further game there
            asyncio.get_running_loop().call_later(LOOK_S, self.look)
        elif told.t == "err" and told.code == "BUSY" and b'"re":"join"' in text:
            asyncio.get_running_loop().call_later(BUSY_S * random.uniform(0.5, 1.5), self.look)
        elif told.t == "ack" and self.pending and self.mine in text[:60]:
            super().heard(line, text)
            self.answered(refused=False)
            return
        super().heard(line, text)

    def misses(self, told: Frame, how: str) -> None:
        """Note that a line was kept from it, or was shown and then taken back."""
        self.game.missed.append(f"who sits at {self.ch} and has heard {self.after} {how} {told.ch} {told.seq}")

    def answered(self, *, refused: bool) -> None:
        """Go on after an answer to an action."""
        self.pending = b""
        if refused or self.late:
            self.late = False
            asyncio.get_running_loop().call_later(LOOK_S, self.look)

    def look(self) -> None:
        """Ask how the table is."""
        self.asked = b""
        if not self.line.lost:
            channel = b""
            if self.ch:
                channel = b',"ch":"%s","after":%d' % (self.ch.encode(), self.after)
            self.line.send(b'{"t":"join","table":%d%s}' % (self.table.id, channel))

    def answer(self, text: bytes, ask: bytes) -> None:
        """Answer, when nothing else has no answer."""
        if self.pending:
            self.late = True
        else:
            super().answer(text, ask)

    def act(self, ask: bytes, action: bytes) -> None:
        """Play."""
        if self.pending or self.line.lost:
            self.late = True
            return
        super().act(ask, action)
        self.pending, self.mine = self.playing.move, b'"cid":"m%d-%d"' % (self.number, self.cid)

    @property
    def silent(self) -> bool:
        """Return whether nothing has come since it pinged."""
        return self.pinged > self.heard_at

    def ping(self, now: float) -> None:
        """Ask after the line, if nothing has come for a while."""
        if not self.silent and now - self.heard_at > min(CALM_S, QUIET_S * 2**self.pongs):
            self.pinged = now
            self.line.send(b'{"t":"ping","n":1}')

    def doubts(self, now: float) -> bool:
        """Tell whether another line is to be begun: the present one is lost, or has not answered in time."""
        return self.line.lost or (self.silent and now - self.pinged > DOUBT_S)

    async def come_back(self, hall: Anywhere, luck: random.Random) -> bool:
        """Try again and again, as the protocol has it; return whether it is another line then."""
        old = self.line
        wait = FIRST_S if old.lost else 0.0
        least = 0.0 if old.code == HANDED_OVER else 0.5
        while True:
            await asyncio.sleep(wait * luck.uniform(least, 1.0))
            try:
                await self.resume(hall)
                return self.line is not old
            except (OSError, TimeoutError):
                wait, least = min(MOST_S, max(FIRST_S, 2 * wait)), 0.5

    async def resume(self, hall: Anywhere) -> None:
        """Come back on another line, unless the present one speaks first; raises OSError or TimeoutError.

        The first line that is welcome is kept: one that says nothing may have come to a node that stands still.
        """
        old = self.line
        silent = asyncio.create_task(self.speaks()) if not old.lost else None
        new: asyncio.Task[Line] | None = None
        pause, soon = (LOST_S, 0) if old.lost and old.code != HANDED_OVER else (NEXT_S, SOON)
        try:
            async with asyncio.timeout(QUICK_S - DOUBT_S if silent else OPEN_S):
                while self.line is old:
                    if new is None or not self.reached:
                        if new is not None:
                            new.cancel()
                        new = asyncio.create_task(self.reach(hall))
                    await asyncio.wait({new, silent or new}, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
                    if silent and silent.done():
                        break
                    if new.done():
                        if not silent or not new.exception():
                            self.line = new.result()
                            break
                        new = None
                        await asyncio.sleep(pause)
                    pause, soon = (pause, soon - 1) if soon > 0 else (2 * pause, 0)
        except TimeoutError:
            old.lost = True  # it is given up
            raise
        finally:
            for task in (new, silent):
                if task is not None:
                    task.cancel()
            if new is not None and new.done() and not new.exception() and new.result() is not self.line:
                new.result().close()
        if self.line is old:
            return
        old.close()
        self.heard_at = self.pinged = time.monotonic()
        self.look()
        if self.pending:
            self.line.send(self.pending)

    async def speaks(self) -> Line:
        """Return the present line once it speaks again."""
        while self.silent:
            await asyncio.sleep(BLINK_S)
        return self.line

    async def reach(self, hall: Anywhere) -> Line:
        """Return a new line that is welcome; raises OSError."""
        self.reached = False
        line = await hall.reach(self.heard)
        self.reached = True
        try:
            line.send(b'{"t":"hello","v":1,"token":"%s"}' % self.token.encode())
            while not line.received:
                if line.lost:
                    raise ConnectionError("closed")
                await asyncio.sleep(BLINK_S)
        except BaseException:
            line.close()
            raise
        return line


class Game(Playing):
    """All tables of a game."""

    def __init__(self, seats: int, times: dict[int, list[float]]) -> None:
        """times: of each table, when something happened there."""
        super().__init__(seats)
        self.times = times
        self.refusals: Counter[str] = Counter()
        self.missed: list[str] = []  # lines of a table that somebody missed, or was shown and then not

    def moved(self, table: Board) -> None:
        """Note that something has happened at a table."""
        self.times.setdefault(table.id, []).append(time.monotonic())


READ: Final = msgspec.json.Decoder(Frame).decode
