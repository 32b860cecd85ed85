"""Where a deal starts: as deals of its game do, or from a position that somebody has set up (P-74, decision 0056)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qipai.core.contract import BadNotation, Rules, Seat
from qipai.core.entry import AnyEntry, DealStart

__all__ = ["begun"]


def begun(
    entry: AnyEntry,
    rules: Rules[Any, Any, Any],
    options: Any,
    carry: Any,
    bench: Sequence[Seat] = (),
    start: DealStart | None = None,
) -> Any:
    """Return the state before the first action of a deal's record; raises BadNotation("bad_position").

    start: where it starts; None: as usual, and so does the record of a deal that goes on from another one.
    """
    if start is None or start.text is None:
        return entry.begun(rules, carry, bench)
    if entry.setup is None:
        raise BadNotation("bad_position", why="no_texts")
    return entry.setup.read(options, start.text, rules.seats)
