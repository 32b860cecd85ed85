"""The reading level of a person (阅读权限): what a thread may ask for (platform P-80, P-4).

Who is registered has 10, as the forum of the seeds shows for somebody new. It grows with what they have written, with
the time since they came, with the threads that moderators have marked as essence, and with a membership; never beyond
100. A moderator may set it: then only that counts. Who is not registered has 0.
"""

from __future__ import annotations

from typing import Final

__all__ = ["HIGHEST", "NEW", "NOBODY", "reading_level"]

NOBODY: Final = 0
NEW: Final = 10
HIGHEST: Final = 100
POSTS: Final = ((50, 10), (200, 10), (1000, 10))  # from so many posts on, so much more
DAYS: Final = ((30, 5), (365, 5))  # from so many days on
ESSENCE: Final = 5  # for each thread marked as essence …
MOST_ESSENCE: Final = 20  # … together no more
MEMBER: Final = {"pawn": 0, "knight": 10, "rook": 20}


def reading_level(*, membership: str, posts: int, days: int, essence: int, given: int | None = None) -> int:
    """Return the reading level of a registered user. given: the one that a moderator has set."""
    if given is not None:
        return max(NOBODY, min(HIGHEST, given))
    level = NEW + MEMBER.get(membership, 0) + min(MOST_ESSENCE, ESSENCE * essence)
    level += sum(more for least, more in POSTS if posts >= least)
    level += sum(more for least, more in DAYS if days >= least)
    return min(HIGHEST, level)
