"""The conformance kinds of what people do among themselves (platform 17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from qipai.core.entry import Kind
from qipai.social import polls

__all__ = ["KINDS"]


def kind_poll(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what votes come to."""
    options, may_change = len(given["options"]), bool(given.get("may_change"))
    votes: dict[str, int] = {}
    results = []
    for user, choice, at in given["votes"]:
        wrong = polls.refused(options, given["closes"], votes, user, choice, at, may_change=may_change)
        results.append(wrong or "ok")
        if wrong is None:
            votes[user] = choice
    return {"results": results, "counts": polls.counted(options, list(votes.values()))}


KINDS: Final = {"poll": Kind(kind_poll)}
