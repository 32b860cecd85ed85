"""What depends on time in a race and is left to the hall: pauses, idleness, the time limit (lianliankan R12)."""

from __future__ import annotations

from typing import Any, Final

from qipai.core.contract import Refusal
from qipai.core.entry import Past, Timing
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.state import Leave, Link, TimeUp

__all__ = ["timing"]

# Refusals that do not look at the board: they come before the pauses (R14).
BEFORE: Final = frozenset({"bad_seat", "game_over", "not_started", "not_playing", "bad_action"})


def timing(options: Options) -> Timing:
    """Return the limits that the hall's clock enforces under these house rules."""

    def pause(action: Any, refusal: Refusal | None, past: Past, now: int) -> Refusal | None:
        if not isinstance(action, Link) or (refusal is not None and refusal.code in BEFORE):
            return refusal
        if past.missed is not None and (wait := past.missed + options.miss_penalty_ms - now) > 0:
            return Refusal("locked", {"wait_ms": wait})
        if past.done is not None and (wait := past.done + options.min_interval_ms - now) > 0:
            return Refusal("too_fast", {"need_ms": options.min_interval_ms, "wait_ms": wait})
        return refusal

    return Timing(
        idle_ms=1000 * options.idle_forfeit_s,
        idle=Leave,
        limit_ms=1000 * options.time_limit_s,
        limit=TimeUp,
        counts=lambda action: isinstance(action, Link),
        misses=frozenset({"not_same", "no_path"}),
        pause=pause,
    )
