"""The refusals of the hall: a code of platform section 14 and the facts that its sentence needs."""

from __future__ import annotations

from typing import Any

from qipai.store import Unwritten

__all__ = ["HallError", "busy"]


class HallError(Exception):
    """A command that is refused. It changed nothing."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code if not facts else f"{code}: {facts}")
        self.code, self.facts = code, facts


def busy(wrong: Unwritten, *, asked: bool = False) -> HallError:
    """Return the refusal for a command that cannot be written to disk. asked: it was only to be read there."""
    return HallError("BUSY", case="unread" if asked else wrong.why)
