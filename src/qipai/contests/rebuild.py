"""Rebuilds all projections of the log: the hall's, the contests', then what follows from both (`qipai rebuild`)."""

from __future__ import annotations

from functools import partial

from qipai.community.achievements import fold as achievements
from qipai.contests import live
from qipai.contests.kinds import KINDS
from qipai.hall.records import rebuild as hall
from qipai.store import Store

__all__ = ["rebuild"]


async def rebuild(store: Store) -> int:
    """Make all projections anew, in one transaction; return how many tables there are. The hall must be shut."""
    return await hall.rebuild(store, [partial(live.rebuild, kinds=KINDS), achievements.rebuild])
