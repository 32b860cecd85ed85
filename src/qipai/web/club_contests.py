"""What becomes of the contests of a club that was given up (platform P-78)."""

from __future__ import annotations

from qipai.community.clubs.service import Clubs
from qipai.contests.contract import Cancel
from qipai.contests.live import Contests
from qipai.hall.table.errors import HallError

__all__ = ["close_orphans"]


async def close_orphans(contests: Contests, clubs: Clubs) -> None:
    """Cancel the tournaments that wait, and close the stairs, of clubs that are no more; what runs goes on."""
    there = {club.id for club in clubs.all()}
    waiting = [
        ("tournament", one.id)
        for one in contests.of("tournament")
        if one.state.form.club not in (None, *there) and one.state.state == "open"
    ]
    for kind, id in waiting + [
        ("stairs", one.id) for one in contests.of("stairs") if one.state.club not in (None, *there)
    ]:
        try:
            await contests.do(kind, id, Cancel(reason="", moderator=True), None)
        except HallError:  # it has begun or ended meanwhile
            continue
