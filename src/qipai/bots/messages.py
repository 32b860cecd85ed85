"""What a hall and the nodes that think for it say to each other on the bus, as JSON.

A node says each second that it is there (`Here`, on the topic HELLO), and the hall answers what it makes of that. A
question holds what the seat may know and nothing else, as for the worker processes of the hall itself.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Raw, Struct

from qipai.arena.pool import Given

__all__ = ["HELLO", "HELLO_S", "Found", "Heard", "Here", "Question", "Refused", "Reply", "topic_of"]

HELLO: Final = "bots.hello"
HELLO_S: Final = 1.0
# version: it knows other rules or bots than the question is of. busy: it was not answered at its level in time.
# leaving: the node takes none any more.
Refused = Literal["version", "busy", "leaving"]


class Here(Struct, frozen=True):
    """A node is there."""

    node: str
    version: str  # of the program
    games: dict[str, int]  # that it is ready for: the edition of their rules
    short: int  # processes for short questions …
    long: int  # … and for long ones
    leaving: bool = False


class Heard(Struct, frozen=True):
    """What the hall says to that. fits: it gives questions to this node."""

    version: str
    fits: bool


class Question(Struct, frozen=True):
    """A bot's question, as `arena.worker.Choose`."""

    version: str
    edition: int
    game: str
    options: dict[str, Any]
    level: str
    view: Raw
    seed: int
    budget_ms: int
    patience_ms: int  # after which nobody waits


class Found(Struct, frozen=True, tag="found"):
    """An action, by the level that was asked for."""

    version: str
    edition: int
    action: Raw
    given: Given


class Reply(Struct, frozen=True, tag="refused"):
    """The question is not answered."""

    why: Refused


def topic_of(node: str) -> str:
    """Return the topic on which a node takes questions."""
    return f"bots.ask.{node}"
