"""A session: one line of one person into the hall, what it listens to, and how it is answered."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from qipai.accounts.model import User
from qipai.core.contract import Seat
from qipai.hall.live.addresses import Origin
from qipai.hall.live.afar import Far, Promise
from qipai.hall.live.live_table import Accepted, Answer
from qipai.hall.live.recovery import Said
from qipai.hall.live.small_sets import removed
from qipai.hall.table import messages as wire
from qipai.hall.table.commands import HallMessage
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Table

__all__ = ["Connection", "Session", "SessionPorts"]

encode = msgspec.json.Encoder().encode
NO_KEYS: Final[Mapping[int, str]] = {}


class Connection(Protocol):
    """Sends messages to a client. Both methods return at once; the connection itself deals with slow readers."""

    @property
    def far(self) -> Far | None:
        """Return which node carries it, None where it has come here."""
        ...

    def send(self, data: bytes) -> None:
        """Send a message, or drop it if the client is gone."""
        ...

    def close(self, code: int) -> None:
        """Close the line after everything sent before."""
        ...


class SessionPorts(Protocol):
    """What a session needs from the hall."""

    def keeps(self, user: int, room: int) -> bool:
        """Tell whether a user is a moderator of a room."""
        ...

    def show(self, session: Session, table: int, found: Sequence[tuple[int, Said]] | None = None) -> None:
        """Send a line the snapshot of a table that it listens to. found: what it has missed."""
        ...

    def failed(self, session: Session, wrong: Exception) -> None:
        """Close a line to which sending failed."""
        ...

    def refused(self, code: str) -> None:
        """Count a refusal."""
        ...


class Session:
    """A line after its hello. It is a `live_table.Listener`."""

    __slots__ = (
        *("_expected", "_given", "_held", "_owed", "_ports"),
        *(
            "chats",
            "closed",
            "coins",
            "connection",
            "far",
            "keys",
            "lag",
            "lists",
            "moderator",
            "origin",
            "person",
            "rooms",
        ),
        *("tables", "unproven", "user"),
    )

    def __init__(
        self,
        ports: SessionPorts,
        connection: Connection,
        user: User | None,
        *,
        moderator: bool,
        person: bool,
        origin: Origin | None = None,
        unproven: bool = False,
    ) -> None:
        self.unproven = unproven  # a moderator without the second factor that this hall requires
        self._ports, self.connection = ports, connection
        self.far: Far | None = connection.far
        self.user, self.moderator, self.person, self.origin = user, moderator, person, origin
        self.tables: tuple[int, ...] = ()  # the tables that it listens to
        self.keys: Mapping[int, str] = NO_KEYS  # with which it joined them
        self.rooms: tuple[int, ...] = ()
        self.chats: tuple[str, ...] = ()  # the chat rooms that it hears
        self.closed = False  # whether the hall has forgotten it
        self.lists: tuple[str, ...] = ()
        self.coins = True  # tables for coins are in the lists that it follows
        self.lag = 0
        self._expected: deque[Promise | bytes] | None = None  # a promised message, and what is sent after it
        self._given = 0  # how many commands tables have accepted from it
        self._owed: tuple[int, ...] = ()  # the numbers of those that are not answered yet
        self._held: tuple[tuple[int, wire.Err], ...] = ()  # refusals that wait for all commands up to a number

    @property
    def user_id(self) -> int | None:
        """Return the user, None if nobody is signed in."""
        return None if self.user is None else self.user.id

    @property
    def address(self) -> str | None:
        """Return the address that it comes from, None for this machine itself."""
        return None if self.origin is None else self.origin.address

    def hold_key(self, table: int, key: str) -> None:
        """Remember the key with which it joined a table."""
        self.keys = {**self.keys, table: key}

    def left(self, table: int) -> None:
        """Forget a table that it has left."""
        self.tables = removed(self.tables, table)
        if table in self.keys:
            self.keys = {each: key for each, key in self.keys.items() if each != table}

    def moderates(self, room: int) -> bool:
        """Tell whether this line may moderate a room: as a moderator of the hall or of this room."""
        return not self.unproven and self._keeps(room)

    def barred(self, room: int) -> bool:
        """Tell whether it could moderate a room if the second factor were given."""
        return self.unproven and self._keeps(room)

    def _keeps(self, room: int) -> bool:
        return self.moderator or (self.person and self._ports.keeps(self.user_id or 0, room))

    def send(self, frame: bytes) -> None:
        """Send a message. If sending fails, this line is closed, and the sender goes on with the other lines."""
        if self._expected:
            self._expected.append(frame)
        else:
            self._send(frame)

    def _send(self, frame: bytes) -> None:
        try:
            self.connection.send(frame)
        except Exception as wrong:
            self._ports.failed(self, wrong)

    @property
    def waits(self) -> bool:
        """Tell whether what is sent now waits for a promised message."""
        return bool(self._expected)

    def expect(self, promise: Promise) -> None:
        """Send a promised message when it is there, and what is sent later after it."""
        if self._expected is None:
            self._expected = deque()
        self._expected.append(promise)
        promise.expecting.append(self)

    def arrived(self) -> None:
        """Send what has come, and what waited for it."""
        expected = self._expected
        while expected:
            first = expected[0]
            if isinstance(first, Promise):
                if not first.kept:
                    return
                frame = first.text
            else:
                frame = first
            expected.popleft()
            if frame is not None:
                self._send(frame)
        self._expected = None

    def say(self, message: Any) -> None:
        """Send a message."""
        self.send(encode(message))

    def close(self, code: int) -> None:
        """Close the line after what was sent, ignoring errors; promised messages are not waited for."""
        expected, self._expected = self._expected or deque(), None
        while expected:  # emptied, since `arrived` may be at it where sending has failed
            if isinstance(frame := expected.popleft(), bytes):
                self._send(frame)
        with suppress(Exception):
            self.connection.close(code)

    def moved(self, table: Table, channel: Seat | None, missed: Sequence[tuple[int, Said]] | None = None) -> None:
        """Send the snapshot of a table for another channel, to which the session has moved, or with what it missed."""
        self._ports.show(self, table.id, missed)

    def refuse(self, err: wire.Err) -> None:
        """Refuse a message, as soon as all earlier commands are answered (13.1)."""
        self._ports.refused(err.code)
        if self._owed:
            self._held = (*self._held, (self._given, err))
        else:
            self.say(err)

    def settle(self, *, all: bool = False) -> None:
        """Send the refusals that need not wait any longer. all: send every one, because the line is about to close."""
        while self._held and (all or not self._owed or self._held[0][0] < self._owed[0]):
            (_number, err), *rest = self._held
            self._held = tuple(rest)
            self.say(err)

    def answer(self, command: HallMessage, table: int | None) -> Answer:
        """Return a function that answers a command once, with `ack` or `err`. The command counts as open until then."""
        cid = command.cid
        verb = str(command.__struct_config__.tag)
        place: int | UnsetType = UNSET if table is None else table
        self._given = number = self._given + 1
        self._owed = (*self._owed, number)

        def answer(found: Accepted | HallError) -> None:
            self._owed = removed(self._owed, number)
            if isinstance(found, HallError):
                self._ports.refused(found.code)
                self.say(wire.Err(cid, verb, found.code, dict(found.facts), table=place))
            elif cid is not None:
                assert isinstance(found, Accepted)
                self.say(wire.Ack(cid, table=place, seq=found.number, again=found.again))
            if self._held:
                self.settle()

        return answer
