"""The messages of a playing hall through the bare servers of `bench.bare`, without rules or store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from qipai.bench.hall import Server
from qipai.bench.lines import Line, connect
from qipai.bench.players import Playing

__all__ = ["Traffic"]


class Traffic:
    """The same messages through the bare server: who has an answer lets the next at their table speak."""

    def __init__(self, message: bytes) -> None:
        self.moves = 0
        self._message = message
        self._lines: list[list[Line]] = []
        self._going = False

    @classmethod
    async def of(cls, server: Server, playing: Playing) -> Traffic:
        """Return as many tables as are played, where one move of theirs is made over and over."""
        sample = playing.sample
        traffic = cls(bytes(sample.move))
        tables = len(playing.players) // playing.seats
        for number in range(tables):
            table: list[Line] = []
            traffic._lines.append(table)
            for seat in range(playing.seats):
                line = await connect(server.host, server.port, traffic._speaker(table, seat, playing.seats))
                line.send(b"join %d" % number)
                table.append(line)
        traffic._lines[0][0].send(b"plan " + msgspec.json.encode(sample))
        await asyncio.sleep(0.1)
        return traffic

    def _speaker(self, table: list[Line], seat: int, seats: int) -> Callable[[Line, bytes], None]:
        def heard(line: Line, text: bytes) -> None:
            if text.startswith(b'{"t":"ack"'):
                self.moves += 1
                if self._going:
                    table[(seat + 1) % seats].send(self._message)

        return heard

    def go(self) -> None:
        """Let the first player of every table send."""
        self._going = True
        for table in self._lines:
            table[0].send(self._message)

    def hold(self) -> None:
        """Let nobody send."""
        self._going = False

    def close(self) -> None:
        """Hang up."""
        for line in (line for table in self._lines for line in table):
            line.close()
