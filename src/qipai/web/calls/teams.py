"""Calls of team tournaments (platform P-69)."""

from __future__ import annotations

from typing import Any

import msgspec

from qipai.community.clubs.teams import entering
from qipai.contests.club_matches import entered
from qipai.contests.contract import Command
from qipai.contests.live import Running, asked
from qipai.contests.teams import commands as say
from qipai.contests.teams.page import TeamsLine, TeamsPage, page_of
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.calls.contestants import cancelling, chosen, people_of, player_of
from qipai.web.pages.contests import Cancelling
from qipai.web.pages.teams import ClubTeamName, Founding, InTeam, LiningUp, NewTeams, TeamsRow, TeamsRows, TeamsShown
from qipai.web.pages.ties import Whom
from qipai.web.protocol import NoBody

__all__: list[str] = []


@call("GET", "/teams", queries="game over after limit")
async def all_teams(ask: Ask) -> TeamsRows:
    """List the team tournaments, newest first; over=1: only those that have ended, over=0: only the others (P-69)."""
    before, most = ask.cursor()
    viewer, contests = ask.viewer, ask.services.contests
    over, game = chosen(ask, "over"), ask.query.get("game")
    found = await contests.lines("teams", game=game, over=over, before=before, most=most)
    mine = await contests.among("teams", [id for id, _line in found], viewer)
    rows = tuple(TeamsRow(id, msgspec.convert(line, TeamsLine), id in mine) for id, line in found)
    return TeamsRows(rows=rows, next=str(found[-1][0]) if len(found) == most else None)


async def _shown(ask: Ask, running: Running) -> TeamsShown:
    now = ask.services.now()
    page: TeamsPage = page_of(running.state, ask.viewer, _led(ask, running))
    members = [user for team in page.teams for user in team.members]
    matches = [match for section in page.sections for match in section.matches]
    played = [user for match in matches for board in match.boards for user in board.users]
    invited = page.me.mine.invited if page.me is not None and page.me.mine is not None else ()
    return TeamsShown(
        running.id, page, await people_of(ask, [page.by, *members, *played, *invited]), now, _may_enter(ask, page)
    )


def _may_enter(ask: Ask, page: TeamsPage) -> tuple[ClubTeamName, ...]:
    """Return the teams of clubs that somebody could let enter a tournament."""
    if ask.viewer is None or page.state != "open" or page.form.clubs:
        return ()
    clubs, there = ask.services.community.clubs, {team.club for team in page.teams if not team.out}
    return tuple(
        ClubTeamName(club.id, team.id, team.name)
        for club in clubs.of(ask.viewer)
        for team in club.teams.values()
        if team.game == page.form.terms.game
        and team.players
        and club.id not in there
        and clubs.teams.leads(ask.viewer, club.id, team.id)
    )


def _led(ask: Ask, running: Running) -> int | None:
    """Return the team of a club that somebody leads in a tournament, which they need not play in themselves."""
    leads = ask.services.community.clubs.teams.leads
    for team in running.state.teams:
        if not team.out and leads(ask.viewer, team.club, team.club_team):
            return int(team.no)
    return None


async def _do(ask: Ask, command: Command, cid: str | None) -> TeamsShown:
    """Carry out what somebody wants of the tournament of the path."""
    user = player_of(ask)
    return await _shown(ask, await ask.services.contests.do("teams", ask.path["id"], command, user.id, cid))


@call("POST", "/teams", "signed", "play")
async def make_teams(ask: Ask, body: NewTeams) -> TeamsShown:
    """Announce a team tournament, in which others can found teams (P-69)."""
    user = player_of(ask)
    if body.form.clubs:
        raise HallError("BAD_OPTION", field="clubs")
    if ask.hall.creation.meeting(asked(body.form.terms)).places != 2:
        raise HallError("BAD_OPTION", field="terms")

    def command(id: int) -> Any:
        return say.MakeTeams(id=str(id), form=body.form)

    return await _shown(ask, await ask.services.contests.make("teams", command, user.id, body.cid))


@call("GET", "/teams/{id:int}")
async def some_teams(ask: Ask) -> TeamsShown:
    """Show a team tournament: the teams, tables, matches by boards; my team's line-up and my games (P-69)."""
    return await _shown(ask, await ask.services.contests.find("teams", ask.path["id"]))


@call("POST", "/teams/{id:int}/found", "signed", "play")
async def found_team(ask: Ask, body: Founding) -> TeamsShown:
    """Found a team, and be its captain; or let a team of my club enter that I lead."""
    if body.club is None or body.club_team is None:
        return await _do(ask, say.Found(name=body.name), body.cid)
    clubs, user = ask.services.community.clubs, player_of(ask)
    team = clubs.teams.led(user.id, body.club, body.club_team)
    running = await ask.services.contests.find("teams", ask.path["id"])
    if team.game != running.state.form.terms.game:
        raise HallError("BAD_OPTION", field="club_team")
    return await _do(ask, say.Found(club=entered(entering(clubs.find(body.club), team, user.id))), body.cid)


@call("POST", "/teams/{id:int}/invite", "signed", "play")
async def invite_into_team(ask: Ask, body: Whom) -> TeamsShown:
    """Invite somebody into my team, as its captain."""
    other = await ask.hall.invitations.may_call(player_of(ask), body.user)
    if other.kind != "user":
        raise HallError("NOT_FOUND")
    return await _do(ask, say.Invite(user=other.id), body.cid)


@call("POST", "/teams/{id:int}/uninvite", "signed", "play")
async def uninvite_from_team(ask: Ask, body: Whom) -> TeamsShown:
    """Withdraw an invitation into my team, as its captain."""
    return await _do(ask, say.Uninvite(user=body.user), body.cid)


@call("POST", "/teams/{id:int}/accept", "signed", "play")
async def accept_team(ask: Ask, body: InTeam) -> TeamsShown:
    """Join a team that has invited me."""
    return await _do(ask, say.Accept(team=body.team), body.cid)


@call("POST", "/teams/{id:int}/decline", "signed", "play")
async def decline_team(ask: Ask, body: InTeam) -> TeamsShown:
    """Refuse the invitation of a team."""
    return await _do(ask, say.Decline(team=body.team), body.cid)


@call("POST", "/teams/{id:int}/leave", "signed", "play")
async def leave_team(ask: Ask, body: NoBody) -> TeamsShown:
    """Leave my team, unless I have a game to play in it."""
    return await _do(ask, say.Leave(), body.cid)


@call("POST", "/teams/{id:int}/expel", "signed", "play")
async def expel_from_team(ask: Ask, body: Whom) -> TeamsShown:
    """Send a member out of my team, as its captain, unless they have a game to play."""
    return await _do(ask, say.Expel(user=body.user), body.cid)


@call("POST", "/teams/{id:int}/lineup", "signed", "play")
async def line_up_team(ask: Ask, body: LiningUp) -> TeamsShown:
    """Order my team for the rounds to come, as its captain: by board, then the substitutes."""
    running = await ask.services.contests.find("teams", ask.path["id"])
    return await _do(ask, say.LineUp(users=body.users, team=_led(ask, running)), body.cid)


@call("POST", "/teams/{id:int}/captain", "signed", "play")
async def name_captain(ask: Ask, body: Whom) -> TeamsShown:
    """Make another member of my team its captain, as its captain."""
    return await _do(ask, say.NameCaptain(user=body.user), body.cid)


@call("POST", "/teams/{id:int}/withdraw", "signed", "play")
async def withdraw_team(ask: Ask, body: NoBody) -> TeamsShown:
    """Take my team out of the tournament, as its captain; what it is playing is lost."""
    running = await ask.services.contests.find("teams", ask.path["id"])
    return await _do(ask, say.Withdraw(team=_led(ask, running)), body.cid)


@call("POST", "/teams/{id:int}/cancel", "signed", "play")
async def cancel_teams(ask: Ask, body: Cancelling) -> TeamsShown:
    """Cancel a team tournament, as who has made it before the start or as a moderator."""
    running = await ask.services.contests.find("teams", ask.path["id"])
    return await _do(ask, cancelling(ask, running.state.by, body.reason), body.cid)
