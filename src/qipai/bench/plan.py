"""What a bare server answers: to every message one `ack`, and to everybody at the table an `ev` of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Raw, Struct

__all__ = ["Plan", "Sample"]

S = TypeVar("S")


class Sample(Struct, frozen=True):
    """A move of the hall, and all it said of it."""

    move: Raw
    ack: Raw
    evs: tuple[Raw, ...]  # of each seat

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Return the bytes of the move, of the ack, and of the mean ev."""
        return len(self.move), len(self.ack), sum(map(len, self.evs)) // len(self.evs)


class Plan(Generic[S]):
    """The tables of a bare server, and the messages it reads and writes as the hall does, without rules or store."""

    def __init__(self) -> None:
        self.tables: dict[str, list[S]] = {}
        self.of: dict[int, list[S]] = {}
        self.ack: Any = None
        self.evs: tuple[Any, ...] = ()
        self._read: Callable[[str], Any] = msgspec.json.decode
        self._write = msgspec.json.Encoder().encode

    def heard(self, mine: S, text: str) -> Iterator[tuple[S, bytes]]:
        """Yield who is sent what because somebody said this: `join TABLE`, `plan SAMPLE`, or a move."""
        if text.startswith("join "):
            table = self.of[id(mine)] = self.tables.setdefault(text, [])
            table.append(mine)
        elif text.startswith("plan "):
            self._learn(msgspec.json.decode(text[5:], type=Sample))
        else:
            self._read(text)
            for other, ev in zip(self.of.get(id(mine), ()), self.evs, strict=False):
                yield other, self._write(ev)
            yield mine, self._write(self.ack)

    def _learn(self, sample: Sample) -> None:
        # Not needed by who only keeps lines open, and 10 MB.
        from qipai.hall.table.commands import ClientMessage
        from qipai.hall.table.messages import Ack

        self._read = msgspec.json.Decoder(ClientMessage).decode
        self.ack = msgspec.json.decode(sample.ack, type=Ack)
        self.evs = tuple(msgspec.json.decode(ev) for ev in sample.evs)
