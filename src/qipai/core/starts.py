"""Where a deal starts: as deals of its game do, or from a position that somebody has set up (P-74, decision 0056)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qipai.core.contract import BadNotation, Rules, Seat
from qipai.core.entry import AnyEntry

__all__ = ["begun"]


def begun(
    entry: AnyEntry,
    rules: Rules[Any, Any, Any],
    options: Any,
    carry: Any,
    bench: Sequence[Seat] = (),
    start: Mapping[str, Any] | None = None,
) -> Any:
    """Return the state before a deal's first action; raises BadNotation("bad_position").

    start: where it starts, as logs and records have it: {"text": …}, a position as its game writes it. None: as usual.
    """
    if start is None:
        return entry.begun(rules, carry, bench)
    if entry.setup is None:
        raise BadNotation("bad_position", why="no_texts")
    return entry.setup.read(options, start["text"], rules.seats)
