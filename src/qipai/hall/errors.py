"""What the hall refuses: a code of platform section 14 and the facts its sentence needs."""

from __future__ import annotations

from typing import Any

__all__ = ["HallError"]


class HallError(Exception):
    """A command that is refused. It changed nothing."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code if not facts else f"{code}: {facts}")
        self.code, self.facts = code, facts
