"""What a bus offers. Nothing that counts is on it alone: the log is the truth, and whoever asks can do without."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal, Protocol

__all__ = ["Answer", "Bus", "Unanswered", "Why"]

Answer = Callable[[bytes], Awaitable[bytes]]
# gone: the bus is not there, or went while the answer was awaited. nobody: who could answer is not there. late: nobody
# has answered in time. large: the question is larger than the bus takes.
Why = Literal["gone", "nobody", "late", "large"]


class Unanswered(Exception):
    """There is no answer."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why: Why = why


class Bus(Protocol):
    """The bus of one hall: topics are its own, whoever else uses the same server."""

    @property
    def there(self) -> bool:
        """Tell whether it can be used now."""
        ...

    @property
    def name(self) -> str:
        """Return what to call it, without a password."""
        ...

    @property
    def hall(self) -> str:
        """Return the id of the hall whose bus it is."""
        ...

    async def open(self, *, wait: bool) -> None:
        """Connect now and whenever the connection is lost. wait: for the first try, which may raise Unusable."""
        ...

    def answer(self, topic: str, reply: Answer) -> None:
        """Answer questions on a topic, several at a time, whenever it is connected; said before it is opened."""
        ...

    async def ask(self, topic: str, question: bytes, wait_s: float) -> bytes:
        """Return the answer of who answers on a topic; raises Unanswered."""
        ...

    async def close(self) -> None:
        """Leave."""
        ...
