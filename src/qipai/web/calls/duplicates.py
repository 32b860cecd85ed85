"""Calls of duplicates of the day (platform P-94, 同牌赛)."""

from __future__ import annotations

import msgspec

from qipai.contests.duplicates import days
from qipai.contests.duplicates.commands import Play
from qipai.contests.duplicates.model import end_of
from qipai.contests.duplicates.page import DuplicateLine, DuplicatePage, Mine, mine_of
from qipai.contests.live import Running, key_of
from qipai.hall.table.daily_board import day_of
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.pages.duplicates import DealProof, DuplicateDay, DuplicateDays, DuplicateShown
from qipai.web.protocol import NoBody

__all__: list[str] = []

PAST = 20  # of the days before


@call("GET", "/duplicates")
async def all_duplicates(ask: Ask) -> DuplicateDays:
    """List today's duplicates by game, and those of the days before; results are on their own pages (P-94)."""
    contests, viewer, now = ask.services.contests, ask.viewer, ask.services.now()
    today = day_of(now)
    rows = [_today(game, today, days.running(contests, game, today), viewer) for game in days.games_with()]
    found = await contests.lines("duplicate", most=PAST)
    mine = await contests.among("duplicate", [id for id, _line in found], viewer)
    past = []
    for id, data in found:
        line = msgspec.convert(data, DuplicateLine)
        if line.day != today and line.begun:
            past.append(_day(line, "played" if id in mine else None))
    return DuplicateDays(today=today, ends_at=end_of(today), now=now, rows=tuple(rows), past=tuple(past))


def _today(game: str, day: str, running: Running | None, viewer: int | None) -> DuplicateDay:
    """Return a game in the list; nobody may have asked for its duplicate yet."""
    if running is None:
        return DuplicateDay(game, day, 0, 0, closed=False, mine=None)
    return _day(running.kind.line(running.state), mine_of(running.state, viewer))


def _day(line: DuplicateLine, mine: Mine | None) -> DuplicateDay:
    return DuplicateDay(line.game, line.day, line.begun, line.played, line.closed, mine)


async def _shown(ask: Ask, running: Running) -> DuplicateShown:
    now = ask.services.now()
    page: DuplicatePage = running.kind.public(running.state, ask.viewer, now)
    people = sorted({row.user for row in page.rows or ()})
    await ask.accounts.meet(people)
    (deal,) = running.kind.deals(running.state)
    found = await ask.hall.shared_deals.find(key_of(running, deal))
    proof = (
        None if found is None else DealProof(found.id, found.commitment, found.server_seed if found.opened else None)
    )
    known = [ask.accounts.peek(user) for user in people]
    users = tuple(user for user in known if user is not None)
    return DuplicateShown(page, proof, users, now, today=page.day == day_of(now) and not page.closed)


async def _found(ask: Ask) -> Running:
    """Return the duplicate of the path; today's is made if nobody has asked for it yet."""
    game, day, contests = ask.path["game"], ask.path["day"], ask.services.contests
    if day == day_of(ask.services.now()):
        return await days.today(contests, ask.hall.creation, game, day)
    return await days.find(contests, game, day)


@call("GET", "/duplicates/{game}/{day}")
async def some_duplicate(ask: Ask) -> DuplicateShown:
    """Show the duplicate of a game and day (2026-11-20): the deal's commitment, and the table of all results.

    Before the deal is opened, on the day after, the results are shown to those who have played it themselves (P-94).
    """
    return await _shown(ask, await _found(ask))


@call("POST", "/duplicates/{game}/{day}", "signed", "play")
async def play_duplicate(ask: Ask, body: NoBody) -> DuplicateShown:
    """Play today's duplicate of a game, once: bots of one level sit in the other seats. `table` is where."""
    user = ask.user
    if user.kind == "guest":
        raise HallError("SIGN_IN", case="guest")
    if user.kind == "bot":
        raise HallError("NOT_ALLOWED", case="program")
    running = await _found(ask)
    return await _shown(ask, await ask.services.contests.do("duplicate", running.id, Play(), user.id, body.cid))
