"""What a bare server answers: to every message one `ack`, and an `ev` to everybody at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

__all__ = ["Plan"]

S = TypeVar("S")


class Plan(Generic[S]):
    """The tables of a bare server, and how long its messages are."""

    def __init__(self) -> None:
        self.tables: dict[str, list[S]] = {}
        self.of: dict[int, list[S]] = {}
        self.ack = self.ev = ""

    def heard(self, mine: S, text: str) -> Iterator[tuple[S, str]]:
        """Yield who is sent what because somebody said this: `join TABLE`, `plan ACK EV`, or a move."""
        if text.startswith("join "):
            table = self.of[id(mine)] = self.tables.setdefault(text, [])
            table.append(mine)
        elif text.startswith("plan "):
            _, ack, ev = text.split()
            self.ack = '{"t":"ack"' + "." * (int(ack) - 10)
            self.ev = '{"t":"ev"' + "." * (int(ev) - 9)
        else:
            for other in self.of.get(id(mine), ()):
                yield other, self.ev
            yield mine, self.ack
