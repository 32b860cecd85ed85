"""Seats that play whatever they are offered, over sockets: the load of `qipai bench server` and `bench memory`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, Protocol

from msgspec import Raw

from qipai.bench.lines import Line, connect
from qipai.bench.plan import Sample

__all__ = ["Board", "Place", "Player", "Playing", "offered", "seated", "settled"]

SHORT = dict.fromkeys(("burn_seconds", "claim_seconds"), 1)  # how long everybody waits after each move, whoever moves
LONG = {"turn_seconds": 600}  # a bench may hold its players until others have measured
GONE = b"gone"  # a question to a player who has left
NUMBERS = count()  # of players: no two say the same cid


class Place(Protocol):
    """What players come to: a hall, or any node of one."""

    @property
    def host(self) -> str:
        """Where the next line goes."""
        ...

    @property
    def port(self) -> int:
        """… and to which port."""
        ...

    def call(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """Return the answer of an HTTP call under /api/v1; raises RuntimeError for an error."""
        ...

    def guest(self) -> str:
        """Return the token of a new guest."""
        ...

    def check(self) -> None:
        """Raise RuntimeError where nobody answers any more."""
        ...


class Player:
    """A seat at a table, and the line of whoever sits there."""

    __slots__ = ("acts", "asked", "cid", "line", "number", "playing", "table", "token")

    def __init__(self, playing: Playing, table: Board, token: str) -> None:
        self.playing, self.table, self.token = playing, table, token
        self.number = next(NUMBERS)
        self.asked = b""  # the question that was answered last
        self.acts = self.cid = 0
        self.line: Line

    def heard(self, line: Line, text: bytes) -> None:
        """Answer what the seat is asked, by any of the actions it is offered; agree to the next game."""
        playing = self.playing
        if self.asked is GONE:
            if b'"cid":"gone"' in text[:40]:
                line.close()
            return
        if text.startswith(b'{"t":"ack"'):
            if b'"cid":"m' in text[:24]:
                playing.moves += 1
                playing.ack = text
                if playing.acked is not None:
                    playing.acked.add(text[text.index(b'"cid":"') + 7 :].split(b'"', 1)[0])
            return
        if text.startswith(b'{"t":"err"'):
            if b'"re":"act"' in text and b'"code":"STALE"' not in text:
                playing.errors += 1
                playing.refusal = text
            return
        if text.startswith(b'{"t":"ev"'):
            playing.note(self.table, text)
        elif not text.startswith(b'{"t":"snapshot"'):
            return
        at = text.find(b'"ask":{"id":')
        if at >= 0:
            ask = text[at + 12 : text.index(b",", at)]
            if ask != self.asked or b'"legal":{"list":[{' in text:  # after a kong only its list changes
                self.answer(text, ask)
        elif playing.race and self.asked and b'"legal":{"list":[{' in text:  # only the possible actions change
            self.answer(text, self.asked)
        elif b'"state":"between"' in text:
            self.cid += 1
            self.asked = b""
            self.line.send(b'{"t":"ready","cid":"r%d","table":%d,"on":true}' % (self.cid, self.table.id))

    def answer(self, text: bytes, ask: bytes) -> None:
        """Answer by any of the actions that a message offers."""
        if listed := offered(text):
            self.asked = ask
            self.playing.answer(self, ask, self.playing.chosen(listed))

    def act(self, ask: bytes, action: bytes) -> None:
        """Play."""
        self.cid += 1
        self.acts += 1
        cid = b"m%d-%d" % (self.number, self.cid)
        text = b'{"t":"act","cid":"%s","table":%d,"ask":%s,"action":{%s}}' % (cid, self.table.id, ask, action)
        self.playing.move = text
        self.table.sent, self.table.left = time.perf_counter(), self.playing.seats
        self.table.evs.clear()
        self.line.send(text)

    async def back(self, hall: Place) -> None:
        """Lose the line, and come back on another."""
        self.line.close()
        self.asked = b""
        self.line = await connect(hall.host, hall.port, self.heard)
        self.line.send(b'{"t":"hello","v":1,"token":"%s"}' % self.token.encode())
        self.line.send(b'{"t":"join","table":%d}' % self.table.id)

    def leave(self) -> None:
        """Stand up, whatever it costs, and go once that is answered: a line cut at once might take it along."""
        self.asked = GONE
        self.line.send(b'{"t":"stand","cid":"gone","table":%d,"confirm":true}' % self.table.id)


def offered(text: bytes) -> list[bytes]:
    """Return the actions that a message offers, without their braces."""
    start = text.find(b'"legal":{"list":[{') + 18
    return text[start : text.index(b'}],"more":', start)].split(b"},{") if start >= 18 else []


class Board:
    """What is known of a table: when the last move was sent, its views, and how many of them are still to come."""

    __slots__ = ("evs", "id", "left", "sent")

    def __init__(self, id: int) -> None:
        self.id, self.sent, self.left = id, 0.0, 0
        self.evs: list[bytes] = []


class Playing:
    """All tables of a game."""

    def __init__(self, seats: int, *, race: bool = False) -> None:
        """race: nobody waits for anybody, and one question stands for the whole game."""
        self.seats, self.race = seats, race
        self.players: list[Player] = []
        self.moves = self.errors = 0
        self.refusal = b""
        self.move = self.ack = b""  # the last ones
        self.delays: list[float] = []
        self.acked: set[bytes] | None = None  # what the hall has acknowledged, when it is kept
        self.share = 0.0
        self._evs = self._bytes = 0
        self._typical: tuple[bytes, ...] = ()  # of a move whose views are together about as long as the mean
        self._held: list[tuple[Player, bytes, bytes]] | None = []
        self._pause_s = 0.0
        self._most = 1 << 60
        self._luck = 1
        self._since = (0.0, 0.0)

    @property
    def held(self) -> list[tuple[Player, bytes, bytes]]:
        """Return who may move and was told to wait."""
        return self._held or []

    def chosen(self, offered: list[bytes]) -> bytes:
        """Return any of the shortest actions: in a game of cards that is to pass, or to lead one card."""
        least = min(map(len, offered))
        short = [action for action in offered if len(action) == least]
        return short[(self._drawn() >> 8) % len(short)]

    def _drawn(self) -> int:
        """Return the next random number, 31 bits."""
        self._luck = (1103515245 * self._luck + 12345) & 0x7FFFFFFF
        return self._luck

    @property
    def sample(self) -> Sample:
        """Return a move and what the hall said of it; raises RuntimeError when nobody has moved."""
        if not self._typical or not self.ack:
            raise RuntimeError("nobody has moved yet")
        return Sample(Raw(self.move), Raw(self.ack), tuple(map(Raw, self._typical)))

    def note(self, table: Board, text: bytes) -> None:
        """Count an `ev`."""
        self._evs += 1
        self._bytes += len(text)
        if table.left:
            table.left -= 1
            table.evs.append(text)
            if not table.left:
                self.delays.append(time.perf_counter() - table.sent)
                mean = self._bytes * self.seats // self._evs
                if not self._typical or abs(size_of(table.evs) - mean) < abs(size_of(self._typical) - mean):
                    self._typical = tuple(table.evs)

    def answer(self, player: Player, ask: bytes, action: bytes) -> None:
        """Play now, after a pause, or when all go on."""
        if player.acts >= self._most:
            return
        if self._held is not None:
            self._held.append((player, ask, action))
        elif self._pause_s:
            # People do not move in step: half to one and a half times the pause.
            pause = self._pause_s * (0.5 + self._drawn() / 0x7FFFFFFF)
            asyncio.get_running_loop().call_later(pause, player.act, ask, action)
        else:
            player.act(ask, action)

    def go(self, pause_s: float = 0.0, most: int = 1 << 60) -> None:
        """Go on, each player taking so long for a move; a player makes at most their share of so many moves a table."""
        held, self._held = self._held or [], None
        self._most = most // self.seats
        self._pause_s = pause_s
        self._since = (time.process_time(), time.perf_counter())
        for player, ask, action in held:
            self.answer(player, ask, action)

    def hold(self) -> None:
        """Let nobody move."""
        cpu, wall = time.process_time() - self._since[0], time.perf_counter() - self._since[1]
        self.share = max(self.share, cpu / wall)
        self._held = []

    def forget(self, gone: list[Player]) -> None:
        """Stop waiting for those who have gone."""
        if self._held is not None:
            self._held = [each for each in self._held if each[0] not in gone]

    def close(self) -> None:
        """Hang up."""
        for player in self.players:
            player.line.close()


def size_of(texts: Iterable[bytes]) -> int:
    """Return the bytes of some texts."""
    return sum(map(len, texts))


async def seated(
    hall: Place,
    game: str,
    tables: int,
    playing: Playing | None = None,
    *,
    clock: dict[str, Any] | None = None,
    pauses: bool = False,
    people: int | None = None,
    seat_of: Callable[[Playing, Board, str], Player] | None = None,
) -> Playing:
    """Return so many (more) tables with everybody ready to play; they wait for `go`.

    clock: None is the room's. pauses: after each move as long as the game has them, not cut short. people: at each
    table, with bots on the other seats; None: everybody. seat_of: what makes a player, where more is wanted of one.
    """
    from qipai import games

    entry = games.find(game)
    playing = playing or Playing(entry.seats[-1], race=entry.pace is not None)
    waiting = len(playing.held) + tables
    wanted = LONG if pauses else {**SHORT, **LONG}
    options = {name: s for name, s in wanted.items() if name in entry.options.__struct_fields__}
    words = {"game": game, "options": options} if clock is None else {"game": game, "options": options, "clock": clock}
    for _ in range(tables):
        tokens = [hall.guest() for _ in range(people or playing.seats)]
        table = Board(hall.call("POST", "/tables", words, tokens[0])["table"])
        for seat, token in enumerate(tokens):
            player = (seat_of or Player)(playing, table, token)
            player.line = await connect(hall.host, hall.port, player.heard)
            playing.players.append(player)
            player.line.send(b'{"t":"hello","v":1,"token":"%s"}' % token.encode())
            player.line.send(b'{"t":"sit","cid":"s","table":%d,"seat":%d}' % (table.id, seat))
            for other in range(len(tokens), playing.seats if seat == 0 else 0):
                player.line.send(
                    b'{"t":"fill","cid":"f%d","table":%d,"seat":%d,"level":"easy"}' % (other, table.id, other)
                )
            player.line.send(b'{"t":"ready","cid":"r0","table":%d,"on":true}' % table.id)
            await asyncio.sleep(0)
    await settled(hall, lambda: len(playing.held) >= waiting)
    return playing


async def settled(hall: Place, true: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until the hall has come so far; raises RuntimeError when it has not in so many seconds."""
    end = time.monotonic() + seconds
    while not true():
        hall.check()
        if time.monotonic() > end:
            raise RuntimeError("the tables do not begin to play")
        await asyncio.sleep(0.05)
