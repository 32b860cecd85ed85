"""Calls of clubs: members, ranks, news, teams, challenges (platform P-78)."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from qipai import games
from qipai.accounts.model import User
from qipai.community.clubs.challenges import Challenge, Terms
from qipai.community.clubs.model import Club, Team
from qipai.community.clubs.rules import Member
from qipai.community.clubs.service import Clubs, members_of
from qipai.contests.contract import GameTerms
from qipai.contests.live import asked
from qipai.contests.teams.page import line_of
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.calls.contestants import people_of, player_of
from qipai.web.pages.clubs import (
    Accepting,
    Answering,
    Banning,
    Captaining,
    ChallengeRow,
    ClubLine,
    ClubMatch,
    ClubPeople,
    ClubPlayer,
    ClubRows,
    ClubShown,
    ClubTeamRow,
    ClubTeams,
    DoorRow,
    NewChallenge,
    NewClub,
    NewClubTeam,
    NewNews,
    NewsRow,
    NewsRows,
    PersonInClub,
    Ranking,
    SideRow,
)
from qipai.web.pages.teams import LiningUp
from qipai.web.pages.ties import Whom
from qipai.web.protocol import NoBody

__all__: list[str] = []

NEWS = 10  # on the first page of a club
CHALLENGES = 50


def _clubs(ask: Ask) -> Clubs:
    return ask.services.community.clubs


def _line(ask: Ask, club: Club) -> ClubLine:
    return ClubLine(club.id, club.name, len(club.people), club.closed, club.at, club.rank(ask.viewer))


@call("GET", "/clubs", queries="name user limit after")
async def all_clubs(ask: Ask) -> ClubRows:
    """List the clubs, those with the most members first; user: only those of somebody (P-78)."""
    clubs, (after, most) = _clubs(ask), ask.page()
    wanted = ask.query.get("name", "").strip().casefold()
    found = clubs.of(ask.number("user", 1, 2**53)) if "user" in ask.query else clubs.all()
    if wanted:
        found = [club for club in found if wanted in club.name.casefold()]
    start = 0
    if after is not None:
        known = [at for at, club in enumerate(found, 1) if str(club.id) == after]
        start = known[0] if known else len(found)
    rows = found[start : start + most]
    invited = [] if ask.viewer is None or after is not None else await clubs.invited(ask.viewer)
    return ClubRows(
        rows=tuple(_line(ask, club) for club in rows),
        next=str(rows[-1].id) if start + most < len(found) else None,
        invited=tuple(_line(ask, clubs.find(id)) for id in invited),
    )


@call("POST", "/clubs", "cookie")
async def found_club(ask: Ask, body: NewClub) -> ClubShown:
    """Found a club, as its boss."""
    club = await _clubs(ask).found(ask.user, body.name, body.text, body.cid, closed=body.closed)
    return await _shown(ask, club.id)


@call("GET", "/clubs/{id:int}")
async def some_club(ask: Ask) -> ClubShown:
    """Show a club: what it says of itself, who leads it, its news, what I am in it (P-78)."""
    return await _shown(ask, ask.path["id"])


@call("GET", "/clubs/{id:int}/news", queries="limit after")
async def club_news(ask: Ask) -> NewsRows:
    """Return the news of a club, newest first."""
    after, most = ask.cursor()
    _clubs(ask).find(ask.path["id"])
    return await _news(ask, ask.path["id"], after, most)


async def _news(ask: Ask, id: int, before: int | None, most: int) -> NewsRows:
    common = ask.services.community.common
    found = await _clubs(ask).news(id, before, most + 1)
    people = {user.id: user for user in await people_of(ask, (one.author for one in found))}
    rows = [
        NewsRow(
            one.id,
            people.get(one.author or 0),
            one.at,
            one.title,
            await common.html(one.text),
            f"club_news:{one.id}",
        )
        for one in found[:most]
    ]
    return NewsRows(rows=tuple(rows), next=str(found[most - 1].id) if len(found) > most else None)


async def _shown(ask: Ask, id: int) -> ClubShown:
    clubs, viewer = _clubs(ask), ask.viewer
    club: Club = clubs.find(id)
    said = await clubs.said(id)
    boss = club.rank(viewer) == "boss"
    doors = await clubs.doors(id) if boss else []
    leaders = [one for one in members_of(club) if one.rank != "member"]
    known = {user.id: user for user in await people_of(ask, (club.founder, said.author))}
    return ClubShown(
        club=_line(ask, club),
        founder=known.get(club.founder or 0),
        html=await ask.services.community.common.html(said.text) if said.text else "",
        text=said.text if boss else None,
        leaders=await _people(ask, club, leaders),
        online=sum(_here(ask, user) for user in club.people),
        door=None if viewer is None else await clubs.door(viewer, id),
        waiting=sum(one.what == "asked" for one in doors),
        author=known.get(said.author or 0),
        ref=f"club:{id}",
        news=await _news(ask, id, None, NEWS),
    )


def _here(ask: Ask, user: int) -> bool:
    people = ask.hall.people
    return bool(people.lines(user)) and people.tells(user, ask.viewer)


async def _people(ask: Ask, club: Club, members: list[Member]) -> tuple[PersonInClub, ...]:
    users = {user.id: user for user in await people_of(ask, (one.user for one in members))}
    rows = []
    for one in members:
        user = users.get(one.user)
        if user is None:
            continue
        here = _here(ask, one.user)
        table = next(iter(ask.hall.people.at(user)), None) if here else None
        teams = tuple(team.name for team in club.teams.values() if one.user in team.users)
        rows.append(PersonInClub(user, one.rank, one.at, here, table, teams))
    return tuple(rows)


@call("POST", "/clubs/{id:int}", "cookie")
async def change_club(ask: Ask, body: NewClub) -> ClubShown:
    """Change what a club is called and says, and how one joins it, as its boss."""
    await _clubs(ask).rewrite(ask.user, ask.path["id"], body.name, body.text, closed=body.closed)
    return await _shown(ask, ask.path["id"])


@call("DELETE", "/clubs/{id:int}", "cookie")
async def close_club(ask: Ask, body: NoBody) -> None:
    """Give a club up for good, as its boss; its tournaments that run go on."""
    await _clubs(ask).close(ask.user, ask.path["id"])


@call("POST", "/clubs/{id:int}/join", "cookie")
async def join_club(ask: Ask, body: NoBody) -> ClubShown:
    """Join a club, or ask its bosses to be let in."""
    await _clubs(ask).join(ask.user, ask.path["id"])
    return await _shown(ask, ask.path["id"])


@call("POST", "/clubs/{id:int}/leave", "cookie")
async def leave_club(ask: Ask, body: NoBody) -> None:
    """Leave a club, or ask no longer to be let in; the last boss names another first."""
    await _clubs(ask).leave(ask.user, ask.path["id"])


@call("GET", "/clubs/{id:int}/people")
async def club_people(ask: Ask) -> ClubPeople:
    """Return the members of a club; to its bosses also who asks to come in, is invited, or banned."""
    return await _members(ask, ask.path["id"])


async def _members(ask: Ask, id: int) -> ClubPeople:
    club: Club = _clubs(ask).find(id)
    doors = await _clubs(ask).doors(id) if club.rank(ask.viewer) == "boss" else []
    users = {user.id: user for user in await people_of(ask, (one.user for one in doors))}
    return ClubPeople(
        _line(ask, club),
        await _people(ask, club, members_of(club)),
        tuple(DoorRow(users[one.user], one.what, one.at) for one in doors if one.user in users),
    )


@call("POST", "/clubs/{id:int}/answer", "cookie")
async def answer_asking(ask: Ask, body: Answering) -> ClubPeople:
    """Let in who has asked, or not, as a boss."""
    await _clubs(ask).answer(ask.user, ask.path["id"], body.user, accept=body.accept)
    return await _members(ask, ask.path["id"])


@call("POST", "/clubs/{id:int}/invite", "cookie")
async def invite_into_club(ask: Ask, body: Whom) -> ClubPeople:
    """Invite somebody into my club, as its boss; they need not ask any more."""
    await _clubs(ask).invite(ask.user, ask.path["id"], await _person(ask, body.user))
    return await _members(ask, ask.path["id"])


async def _person(ask: Ask, id: int) -> User:
    user = await ask.accounts.find(id)
    if user is None or user.kind != "user" or user.deleted:
        raise HallError("NOT_FOUND")
    return user


@call("POST", "/clubs/{id:int}/ban", "cookie")
async def ban_from_club(ask: Ask, body: Banning) -> ClubPeople:
    """Send somebody out of my club for good, as its boss, or let them ask again."""
    await _clubs(ask).ban(ask.user, ask.path["id"], (await _person(ask, body.user)).id, on=body.on)
    return await _members(ask, ask.path["id"])


@call("POST", "/clubs/{id:int}/rank", "cookie")
async def rank_in_club(ask: Ask, body: Ranking) -> ClubPeople:
    """Give a member of my club another rank, as its boss."""
    await _clubs(ask).set_rank(ask.user, ask.path["id"], body.user, body.rank)
    return await _members(ask, ask.path["id"])


@call("POST", "/clubs/{id:int}/news", "cookie")
async def write_news(ask: Ask, body: NewNews) -> ClubShown:
    """Write news to my club, as its boss; every member hears of them."""
    await _clubs(ask).write(ask.user, ask.path["id"], body.title, body.text, body.cid)
    return await _shown(ask, ask.path["id"])


@call("DELETE", "/clubs/{id:int}/news/{news:int}", "cookie")
async def unwrite_news(ask: Ask, body: NoBody) -> None:
    """Take news of my club away, as its boss."""
    await _clubs(ask).unwrite(ask.user, ask.path["id"], ask.path["news"])


# Teams and challenges -------------------------------------------------------------------------------------------------


@call("GET", "/clubs/{id:int}/teams")
async def club_teams(ask: Ask) -> ClubTeams:
    """Return the teams of a club, the challenges from and to it, and the public ones of others (P-69)."""
    return await _teams(ask)


async def _teams(ask: Ask) -> ClubTeams:
    clubs = _clubs(ask)
    club: Club = clubs.find(ask.path["id"])
    users = {one: None for team in club.teams.values() for one in team.users}
    people = {user.id: user for user in await people_of(ask, users)}
    playing = frozenset(team.game for team in club.teams.values() if _leads(ask, team))
    found = await clubs.challenges.of(club.id, CHALLENGES)
    public = await clubs.challenges.public(playing, club.id, CHALLENGES) if playing else []
    return ClubTeams(
        _line(ask, club),
        tuple(_team(ask, team, people) for team in club.teams.values()),
        tuple([row for one in found if (row := await _challenge(ask, one, club)) is not None]),
        tuple([row for one in public if (row := await _challenge(ask, one, club)) is not None]),
        ask.services.now(),
    )


def _leads(ask: Ask, team: Team) -> bool:
    return bool(_clubs(ask).teams.leads(ask.viewer, team.club, team.id))


def _team(ask: Ask, team: Team, people: dict[int, User]) -> ClubTeamRow:
    players = tuple(ClubPlayer(people[one.user], one.captain) for one in team.players if one.user in people)
    return ClubTeamRow(team.id, team.club, team.game, team.name, players, _leads(ask, team), f"club_team:{team.id}")


async def _challenge(ask: Ask, one: Challenge, club: Club) -> ChallengeRow | None:
    """Return a challenge, None where one of its clubs is no more and no match has come of it."""
    clubs, match = _clubs(ask), None
    if one.contest is not None:
        running = await ask.services.contests.find("teams", one.contest)
        match = running.state
    by = _side(ask, one.club, one.team, match.team(1).name if match else None)
    public = one.other_club is None or one.other_team is None
    other = None if public else _side(ask, one.other_club, one.other_team, match.team(2).name if match else None)
    if by is None or (other is None and not public):
        return None
    past = one.state == "open" and one.until <= ask.now
    mine = one.club == club.id
    answers = one.state == "open" and not past and not mine
    if answers and not public:
        answers = clubs.teams.leads(ask.viewer, one.other_club, one.other_team)
    return ChallengeRow(
        one.id,
        mine,
        by,
        other,
        msgspec.convert(one.terms.play, GameTerms),
        one.terms.boards,
        one.terms.games,
        one.terms.starts_at,
        one.until,
        "past" if past else one.state,
        answers,
        one.contest,
        None if match is None else line_of(match),
    )


def _side(ask: Ask, club: int | None, team: int | None, name: str | None) -> SideRow | None:
    """Return one of the two of a challenge. name: of its team in the match, which stays."""
    found = None
    with suppress(HallError):
        found = None if club is None else _clubs(ask).find(club)
    if found is None:
        return None if name is None else SideRow(None, name, name)
    known = None if team is None else found.teams.get(team)
    return SideRow(found.id, found.name, name or (found.name if known is None else known.name))


def _two(ask: Ask, terms: GameTerms) -> None:
    """Raise HallError where a game is not for two sides of one, or the hall has no such table."""
    if ask.hall.creation.meeting(asked(terms)).places != 2:
        raise HallError("BAD_OPTION", field="terms")


@call("POST", "/clubs/{id:int}/teams", "cookie")
async def make_club_team(ask: Ask, body: NewClubTeam) -> ClubTeams:
    """Make a team for a game of two, as a manager or boss."""
    if body.game not in games.names() or 2 not in games.find(body.game).seats:
        raise HallError("BAD_OPTION", field="game")
    await _clubs(ask).teams.make(player_of(ask), ask.path["id"], body.game, body.name, body.cid)
    return await _teams(ask)


@call("DELETE", "/clubs/{id:int}/teams/{team:int}", "cookie")
async def drop_club_team(ask: Ask, body: NoBody) -> None:
    """Give a team up, as a manager or boss; its matches go on."""
    await _clubs(ask).teams.drop(ask.user, ask.path["id"], ask.path["team"])


@call("POST", "/clubs/{id:int}/teams/{team:int}/lineup", "cookie")
async def line_up_club_team(ask: Ask, body: LiningUp) -> ClubTeams:
    """Say who plays in my team, in the order of its boards, as its captain."""
    await _clubs(ask).teams.line_up(player_of(ask), ask.path["id"], ask.path["team"], body.users)
    return await _teams(ask)


@call("POST", "/clubs/{id:int}/teams/{team:int}/captain", "cookie")
async def captain_of_club_team(ask: Ask, body: Captaining) -> ClubTeams:
    """Say who is a captain of a team, as a manager or boss."""
    await _clubs(ask).teams.captain(ask.user, ask.path["id"], ask.path["team"], body.user, on=body.on)
    return await _teams(ask)


@call("POST", "/clubs/{id:int}/teams/{team:int}/leave", "cookie")
async def leave_club_team(ask: Ask, body: NoBody) -> ClubTeams:
    """Play in a team no longer; what I am playing for it goes on."""
    await _clubs(ask).teams.leave(ask.user, ask.path["id"], ask.path["team"])
    return await _teams(ask)


@call("POST", "/clubs/{id:int}/teams/{team:int}/challenge", "cookie")
async def challenge_club(ask: Ask, body: NewChallenge) -> ClubTeams:
    """Challenge a team of another club, or all of them, to a match, as a captain (P-69)."""
    user = player_of(ask)
    _two(ask, body.terms)
    to = None
    if (body.to_club is None) != (body.to_team is None):
        raise HallError("BAD_OPTION", field="to_team")
    if body.to_club is not None and body.to_team is not None:
        to = (body.to_club, body.to_team)
    terms = Terms(
        msgspec.to_builtins(body.terms), body.terms.game, body.boards, body.games, body.starts_at, body.forfeit_s
    )
    await _clubs(ask).challenges.make(user, ask.path["id"], ask.path["team"], terms, to, body.cid)
    return await _teams(ask)


@call("POST", "/challenges/{id:int}/accept", "cookie")
async def accept_challenge(ask: Ask, body: Accepting) -> ClubMatch:
    """Accept a challenge, as a captain of the team it is for; its match waits for the line-ups then."""
    contest = await _clubs(ask).challenges.answer(player_of(ask), ask.path["id"], body.team, accept=True)
    return ClubMatch(contest)


@call("POST", "/challenges/{id:int}/decline", "cookie")
async def decline_challenge(ask: Ask, body: NoBody) -> None:
    """Refuse a challenge, as a captain of the team it is for."""
    await _clubs(ask).challenges.answer(player_of(ask), ask.path["id"], None, accept=False)


@call("POST", "/challenges/{id:int}/withdraw", "cookie")
async def withdraw_challenge(ask: Ask, body: NoBody) -> None:
    """Take a challenge of my team back, as its captain."""
    await _clubs(ask).challenges.withdraw(ask.user, ask.path["id"])
