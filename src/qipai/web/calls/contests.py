"""Calls of tournaments, stairs and ponds (platform P-67, P-70, P-71)."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec

from qipai import games
from qipai.contests import openings
from qipai.contests.contract import Command
from qipai.contests.live import Running, asked
from qipai.contests.ponds import commands as ponds
from qipai.contests.ponds.page import PondLine, PondPage
from qipai.contests.stairs import commands as stairs
from qipai.contests.stairs.page import StairsPage
from qipai.contests.tournaments import commands as tournaments
from qipai.contests.tournaments.form import TournamentForm, partnered
from qipai.contests.tournaments.page import TournamentLine, TournamentPage, mine_of
from qipai.hall.table.errors import HallError
from qipai.ledger import ratings
from qipai.web.api import Ask, call
from qipai.web.calls.contestants import cancelling, chosen, people_of, player_of
from qipai.web.pages.clubs import ClubStairs
from qipai.web.pages.contests import (
    Agreeing,
    Bidding,
    Cancelling,
    Challenging,
    Entering,
    NewPond,
    NewTournament,
    PondRow,
    PondRows,
    PondShown,
    StairsRow,
    StairsRows,
    StairsShown,
    TournamentRow,
    TournamentRows,
    TournamentShown,
)
from qipai.web.protocol import NoBody

__all__: list[str] = []


# Tournaments ----------------------------------------------------------------------------------------------------------


@call("GET", "/tournaments", queries="game over fee after limit")
async def all_tournaments(ask: Ask) -> TournamentRows:
    """List the tournaments, newest first; over=1: those that are over, over=0: the others, fee=1: with a fee (P-67)."""
    return await _tournaments(ask, None)


@call("GET", "/clubs/{id:int}/tournaments", queries="game over fee after limit")
async def club_tournaments(ask: Ask) -> TournamentRows:
    """List the tournaments of a club's members, newest first (P-78)."""
    ask.services.community.clubs.find(ask.path["id"])
    return await _tournaments(ask, ask.path["id"])


async def _tournaments(ask: Ask, club: int | None) -> TournamentRows:
    before, most = ask.cursor()
    viewer, contests = ask.viewer, ask.services.contests
    over, fee, game = chosen(ask, "over"), chosen(ask, "fee") or False, ask.query.get("game")
    found = await contests.lines("tournament", game=game, over=over, fee=fee, club=club, before=before, most=most)
    mine = await contests.among("tournament", [id for id, _line in found], viewer)
    states = {running.id: running.state for running in contests.of("tournament") if running.id in mine}
    rows = []
    for id, data in found:
        line = msgspec.convert(data, TournamentLine)
        if not line.form.private or id in mine:
            me = mine_of(states[id], viewer) if id in states else None
            rows.append(TournamentRow(id, line, await people_of(ask, line.winners), id in mine, me))
    return TournamentRows(rows=tuple(rows), next=str(found[-1][0]) if len(found) == most else None)


async def _tournament_shown(ask: Ask, running: Running) -> TournamentShown:
    now = ask.services.now()
    page: TournamentPage = running.kind.public(running.state, ask.viewer, now)
    people = [user for entrant in page.entrants for user in entrant.users]
    return TournamentShown(running.id, page, await people_of(ask, [*people, page.by]), now)


async def _rating(ask: Ask, user: int, form: TournamentForm) -> int | None:
    """Return the rating of somebody in what a tournament plays, None: they have none yet (P-38)."""
    pair = form.seats == 2 and max(games.find(form.terms.game).seats) > 2
    pool = "/".join(filter(None, (form.terms.game, form.terms.variant, "2" if pair else None)))
    found = (await ask.hall.ledger.ratings(user)).get(pool)
    return None if found is None else ratings.number(found)


async def _tournament(ask: Ask, command: Command, cid: str | None) -> TournamentShown:
    """Carry out what somebody wants of the tournament of the path."""
    number, user = ask.path["id"], ask.user
    return await _tournament_shown(ask, await ask.services.contests.do("tournament", number, command, user.id, cid))


@call("POST", "/tournaments", "signed", "play")
async def make_tournament(ask: Ask, body: NewTournament) -> TournamentShown:
    """Announce a tournament, which others can enter (P-67)."""
    user, form = player_of(ask), body.form
    if form.fee and not ask.services.config.coins.enabled:
        raise HallError("BAD_OPTION", field="fee")
    if ask.hall.creation.meeting(asked(form.terms)).places != form.seats:
        raise HallError("BAD_OPTION", field="seats")
    if (form.partners is not None) != partnered(games.find(form.terms.game).sides(form.seats)):
        raise HallError("BAD_OPTION", field="partners")
    if form.club is not None:
        ask.services.community.clubs.member(user.id, form.club, "manager")
    key = secrets.token_urlsafe(16) if form.private else None

    def command(id: int) -> Any:
        return tournaments.Make(id=str(id), form=form, key=key)

    return await _tournament_shown(ask, await ask.services.contests.make("tournament", command, user.id, body.cid))


@call("GET", "/tournaments/{id:int}", queries="key")
async def some_tournament(ask: Ask) -> TournamentShown:
    """Show a tournament: its form, who is in, tables, rounds, bracket, what waits for me (P-67)."""
    running = await ask.services.contests.find("tournament", ask.path["id"])
    shown, key = await _tournament_shown(ask, running), ask.query.get("key") or ""
    page = shown.tournament
    if page.form.private and page.mine is None and page.by != ask.viewer:
        if not secrets.compare_digest(key.encode(), (running.state.key or "").encode()):
            raise HallError("NOT_FOUND")
    return shown


@call("POST", "/tournaments/{id:int}/enter", "signed", "play")
async def enter_tournament(ask: Ask, body: Entering) -> TournamentShown:
    """Enter a tournament, with my partners where teams do; its fee is paid now."""
    running = await ask.services.contests.find("tournament", ask.path["id"])
    users = (ask.user.id, *body.partners)
    for user in body.partners:
        found = await ask.accounts.find(user)
        if found is None or found.deleted or found.kind != "user":
            raise HallError("NOT_FOUND")
    if running.state.form.club is not None:
        for user in users:
            ask.services.community.clubs.member(user, running.state.form.club)
    known = [await _rating(ask, user, running.state.form) for user in users]
    command = tournaments.Enter(
        partners=body.partners, key=body.key, ratings=tuple(known), guest=ask.user.kind == "guest"
    )
    return await _tournament(ask, command, body.cid)


@call("POST", "/tournaments/{id:int}/agree", "signed", "play")
async def agree(ask: Ask, body: Agreeing) -> TournamentShown:
    """Play in the team that has named me."""
    return await _tournament(ask, tournaments.Agree(no=body.no, guest=ask.user.kind == "guest"), body.cid)


@call("POST", "/tournaments/{id:int}/withdraw", "signed", "play")
async def withdraw_from_tournament(ask: Ask, body: NoBody) -> TournamentShown:
    """Leave a tournament: before its start with the fee, after it without; an arena for as long as I like."""
    return await _tournament(ask, tournaments.Withdraw(), body.cid)


@call("POST", "/tournaments/{id:int}/cancel", "signed", "play")
async def cancel_tournament(ask: Ask, body: Cancelling) -> TournamentShown:
    """Cancel a tournament, as who has made it before the start or as a moderator; what was paid goes back."""
    running = await ask.services.contests.find("tournament", ask.path["id"])
    return await _tournament(ask, cancelling(ask, running.state.by, body.reason), body.cid)


# Stairs ---------------------------------------------------------------------------------------------------------------


@call("GET", "/stairs")
async def all_stairs(ask: Ask) -> StairsRows:
    """List the stairs of the hall, one for each game of two, variant and clock (P-70)."""
    return await _all_stairs(ask, None)


@call("GET", "/clubs/{id:int}/stairs")
async def club_stairs(ask: Ask) -> StairsRows:
    """List the stairs of a club's members (P-78)."""
    ask.services.community.clubs.find(ask.path["id"])
    return await _all_stairs(ask, ask.path["id"])


@call("POST", "/clubs/{id:int}/stairs", "cookie")
async def build_stairs(ask: Ask, body: ClubStairs) -> StairsRows:
    """Build stairs for the members of a club, as its manager or boss: one for each game, variant and clock (P-70)."""
    club = ask.services.community.clubs.member(player_of(ask).id, ask.path["id"], "manager")
    if ask.hall.creation.meeting(asked(body.terms)).places != 2:
        raise HallError("BAD_OPTION", field="terms")
    await openings.build(ask.services.contests, body.terms, club.id)
    return await _all_stairs(ask, club.id)


async def _all_stairs(ask: Ask, club: int | None) -> StairsRows:
    viewer = ask.viewer
    rows = []
    for running in ask.services.contests.of("stairs"):
        line, state = running.kind.line(running.state), running.state
        if state.club != club:
            continue
        top = await people_of(ask, [line.top])
        member = None if viewer is None else state.members.get(viewer)
        rows.append(StairsRow(line, top[0] if top else None, None if member is None else member.step))
    return StairsRows(rows=tuple(rows))


async def _stairs_shown(ask: Ask, running: Running) -> StairsShown:
    now = ask.services.now()
    page: StairsPage = running.kind.public(running.state, ask.viewer, now)
    played = [user for game in page.history for user in game.users]
    playing = [user for game in page.games for user in game.users]
    people = [person.user for step in page.steps for person in step.people]
    return StairsShown(page, await people_of(ask, [*played, *playing, *people]), now)


async def _stairs(ask: Ask, command: Command, cid: str | None) -> StairsShown:
    """Carry out what somebody wants on the stairs of the path."""
    user, contests = player_of(ask), ask.services.contests
    number = openings.number_of(contests, ask.path["name"])
    club = (await contests.find("stairs", number)).state.club
    if club is not None and not isinstance(command, stairs.Retire):
        ask.services.community.clubs.member(user.id, club)
    return await _stairs_shown(ask, await contests.do("stairs", number, command, user.id, cid))


@call("GET", "/stairs/{name}")
async def some_stairs(ask: Ask) -> StairsShown:
    """Show stairs: who stands where, whom I may challenge and why not the others, the games, the history (P-70)."""
    contests = ask.services.contests
    return await _stairs_shown(ask, await contests.find("stairs", openings.number_of(contests, ask.path["name"])))


@call("POST", "/stairs/{name}/join", "signed", "play")
async def join_stairs(ask: Ask, body: NoBody) -> StairsShown:
    """Stand on the first step."""
    return await _stairs(ask, stairs.Join(), body.cid)


@call("POST", "/stairs/{name}/retire", "signed", "play")
async def retire(ask: Ask, body: NoBody) -> StairsShown:
    """Rest: I am not challenged and challenge nobody; my step stays mine."""
    return await _stairs(ask, stairs.Retire(), body.cid)


@call("POST", "/stairs/{name}/return", "signed", "play")
async def come_back(ask: Ask, body: NoBody) -> StairsShown:
    """Play again, on the step that I had."""
    return await _stairs(ask, stairs.Return(), body.cid)


@call("POST", "/stairs/{name}/challenge", "signed", "play")
async def challenge(ask: Ask, body: Challenging) -> StairsShown:
    """Begin a game with somebody on my step or up to three lower; it cannot be refused."""
    return await _stairs(ask, stairs.Challenge(user=body.user), body.cid)


# Ponds ----------------------------------------------------------------------------------------------------------------


@call("GET", "/ponds", queries="over fee after limit")
async def all_ponds(ask: Ask) -> PondRows:
    """List the ponds, newest first; over=1: those that are over, over=0: the others, fee=1: with a fee (P-71)."""
    before, most = ask.cursor()
    viewer, contests = ask.viewer, ask.services.contests
    over, fee = chosen(ask, "over"), chosen(ask, "fee") or False
    found = await contests.lines("pond", over=over, fee=fee, before=before, most=most)
    mine = await contests.among("pond", [id for id, _line in found], viewer)
    rows = []
    for id, line in found:
        pond = msgspec.convert(line, PondLine)
        winner = await people_of(ask, [pond.winner])
        rows.append(PondRow(id, pond, winner[0] if winner else None, id in mine))
    return PondRows(rows=tuple(rows), next=str(found[-1][0]) if len(found) == most else None)


async def _pond_shown(ask: Ask, running: Running) -> PondShown:
    now = ask.services.now()
    page: PondPage = running.kind.public(running.state, ask.viewer, now)
    return PondShown(running.id, page, await people_of(ask, [*page.entered, page.by]), now)


async def _pond(ask: Ask, command: Command, cid: str | None) -> PondShown:
    """Carry out what somebody wants of the pond of the path."""
    user = player_of(ask)
    return await _pond_shown(ask, await ask.services.contests.do("pond", ask.path["id"], command, user.id, cid))


@call("POST", "/ponds", "signed", "play")
async def make_pond(ask: Ask, body: NewPond) -> PondShown:
    """Make a pond, which others can enter (P-71)."""
    user = player_of(ask)
    if body.form.fee and not ask.services.config.coins.enabled:
        raise HallError("BAD_OPTION", field="fee")

    def command(id: int) -> Any:
        return ponds.MakePond(id=str(id), form=body.form)

    return await _pond_shown(ask, await ask.services.contests.make("pond", command, user.id, body.cid))


@call("GET", "/ponds/{id:int}")
async def some_pond(ask: Ask) -> PondShown:
    """Show a pond: who runs, the sealed bids, the rounds before; of my own bids all (P-71)."""
    return await _pond_shown(ask, await ask.services.contests.find("pond", ask.path["id"]))


@call("POST", "/ponds/{id:int}/enter", "signed", "play")
async def enter_pond(ask: Ask, body: NoBody) -> PondShown:
    """Run in a pond; its fee is paid now."""
    return await _pond(ask, ponds.Enter(), body.cid)


@call("POST", "/ponds/{id:int}/leave", "signed", "play")
async def leave_pond(ask: Ask, body: NoBody) -> PondShown:
    """Leave a pond: before its start with the fee, after it without."""
    return await _pond(ask, ponds.Leave(), body.cid)


@call("POST", "/ponds/{id:int}/bid", "signed", "play")
async def bid(ask: Ask, body: Bidding) -> PondShown:
    """Seal a bid; the last one before the round ends counts."""
    return await _pond(ask, ponds.MakeBid(round=body.round, amount=body.amount), body.cid)


@call("POST", "/ponds/{id:int}/cancel", "signed", "play")
async def cancel_pond(ask: Ask, body: Cancelling) -> PondShown:
    """End a pond for good, as its maker before the start or as a moderator; what was paid goes back."""
    running = await ask.services.contests.find("pond", ask.path["id"])
    return await _pond(ask, cancelling(ask, running.state.by, body.reason), body.cid)
