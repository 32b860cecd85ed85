"""The bus of a hall that is one process: a direct call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

__all__ = ["Bus", "Local"]

Hear = Callable[[Any], None]


class Bus(Protocol):
    """Topics and their listeners. Messages are only notifications: the log is what counts."""

    def publish(self, topic: str, news: Any) -> None:
        """Tell everybody who listens to this topic."""
        ...

    def listen(self, topic: str, hear: Hear) -> Callable[[], None]:
        """Hear what is published from now on; return what ends it."""
        ...


class Local:
    """A `Bus` within one process; listeners are called before `publish` returns."""

    def __init__(self) -> None:
        self._ears: dict[str, list[Hear]] = {}

    def publish(self, topic: str, news: Any) -> None:
        """Tell everybody who listens to this topic."""
        for hear in tuple(self._ears.get(topic, ())):
            hear(news)

    def listen(self, topic: str, hear: Hear) -> Callable[[], None]:
        """Hear what is published from now on; return what ends it."""
        self._ears.setdefault(topic, []).append(hear)

        def end() -> None:
            ears = self._ears.get(topic, [])
            if hear in ears:
                ears.remove(hear)
            if not ears:
                self._ears.pop(topic, None)

        return end
