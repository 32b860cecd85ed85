"""Calls about polls (platform P-81)."""

from __future__ import annotations

from qipai.community.polls import service
from qipai.hall.records.statistics import percents
from qipai.web.api import Ask, call
from qipai.web.pages.polls import NewPoll, PollMade, PollOption, PollRow, PollRows, Vote

__all__: list[str] = []


async def _row(ask: Ask, poll: service.Poll) -> PollRow:
    """Return a poll as the one who asks may see it."""
    user = ask.somebody
    may = user is not None and user.kind == "user" and poll.open and (poll.mine is None or poll.changeable)
    if user is not None and may and poll.who == "members":
        may = await ask.services.member(user.id)
    counts = {str(no): option.votes for no, option in enumerate(poll.options) if option.votes is not None}
    shares = percents(counts)
    options = tuple(
        PollOption(option.text, option.votes, shares.get(str(no))) for no, option in enumerate(poll.options)
    )
    return PollRow(
        poll.id,
        await ask.person(poll.author),
        poll.at,
        poll.closes,
        poll.question,
        options,
        poll.who,
        poll.club,
        poll.changeable,
        poll.voters,
        poll.open,
        poll.mine,
        may,
    )


@call("GET", "/polls", queries="limit after club")
async def polls(ask: Ask) -> PollRows:
    """Return the polls of the hall, newest first; with `club` those of a club, to its members (P-81)."""
    after, most = ask.cursor()
    club = ask.number("club", 1, 2**53) if "club" in ask.query else None
    service = ask.services.community.polls
    found = await service.page(ask.viewer, club, after, most + 1)
    return PollRows(
        rows=tuple([await _row(ask, poll) for poll in found[:most]]),
        next=str(found[most - 1].id) if len(found) > most else None,
        make=service.may_make(ask.viewer, club, moderator=ask.keeps_order),
    )


@call("POST", "/polls", "cookie")
async def make_poll(ask: Ask, body: NewPoll) -> PollMade:
    """Make a poll: for the hall as a moderator, for a club as its boss."""
    poll = service.NewPoll(body.question, body.options, body.closes, body.who, body.club, body.changeable)
    made = await ask.services.community.polls.make(ask.user, poll, moderator=ask.keeps_order, cid=body.cid)
    return PollMade(made)


@call("GET", "/polls/{id:int}")
async def poll(ask: Ask) -> PollRow:
    """Return a poll; how its votes stand only to who has voted, and to everybody when it is over (P-81)."""
    return await _row(ask, await ask.services.community.polls.of(ask.path["id"], ask.viewer))


@call("POST", "/polls/{id:int}/vote", "cookie")
async def vote(ask: Ask, body: Vote) -> PollRow:
    """Vote, once; again only where the poll allows to change one's vote."""
    service = ask.services.community.polls
    await service.vote(ask.user, ask.path["id"], body.choice)
    return await _row(ask, await service.of(ask.path["id"], ask.user.id))
