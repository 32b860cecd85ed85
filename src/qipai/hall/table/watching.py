"""What watchers see of the players' hidden information, and when (platform P-88). Pure."""

from __future__ import annotations

from typing import Final, Literal

__all__ = ["DELAY_S", "may_see"]

DELAY_S: Final = 180

Mode = Literal["public_only", "delayed", "after_hand", "open"]


def may_see(mode: Mode, at: float, now: float, *, public: bool, hand_over: bool, delay_s: float = DELAY_S) -> bool:
    """Tell whether a watcher sees now what happened at a time."""
    if at > now:
        return False
    if public or mode == "open":
        return True
    return at <= now - delay_s if mode == "delayed" else mode == "after_hand" and hand_over
