"""Calls about what somebody has played: games, statistics, the course of a rating (platform P-4, P-75)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec import structs

from qipai import games
from qipai.accounts.model import User
from qipai.hall.records.statistics import percents
from qipai.hall.table.errors import HallError
from qipai.hall.table.messages import RoomSeat
from qipai.web.api import MOST_ID, Ask, call
from qipai.web.pages.careers import (
    AllyRow,
    BestRow,
    CareerRow,
    Curve,
    Highlights,
    OwnStatistics,
    PlayedRow,
    PlayedRows,
    Versus,
)
from qipai.web.privacy import need, unseen

__all__: list[str] = []

FARTHEST = 10**6
WEEKS = 53  # of the days that a profile shows
EAST_M = 14 * 60  # minutes that a clock may be from Greenwich's
SHOWN = 5  # partners, and opponents


async def _somebody(ask: Ask) -> User:
    """Return whom the path names; raises HallError."""
    user = await ask.accounts.find(ask.path["id"])
    if user is None or user.deleted:
        raise HallError("NOT_FOUND")
    return user


@call("GET", "/users/{id:int}/games", queries="game with limit after")
async def played(ask: Ask) -> PlayedRows:
    """List somebody's finished games, newest first; `with`: those with this user."""
    user = await _somebody(ask)
    await need(ask, user.id, "games")
    after, most = ask.cursor()
    if after is not None and after > FARTHEST:
        raise HallError("BAD_MESSAGE", field="after")
    game, other = ask.query.get("game"), ask.query.get("with")
    if game is not None and game not in games.names():
        raise HallError("BAD_OPTION", field="game")
    if other is not None and not (other.isascii() and other.isdecimal() and int(other[:17]) <= MOST_ID):
        raise HallError("BAD_MESSAGE", field="with")
    found = await ask.hall.history.games(
        user.id,
        game=game,
        other=None if other is None else int(other),
        after=after or 0,
        most=most + 1,
        viewer=ask.viewer,
    )
    rows = []
    for one in found[:most]:
        players = []
        for seat, who in enumerate(one.players):
            known = who.get("user")
            players.append(RoomSeat(seat, None if known is None else await _named(ask, known), who.get("bot")))
        whole = structs.asdict(one.part)
        game_id, rating = whole.pop("id"), whole.pop("shown")
        del whole["pool"]
        whole |= {"table": one.table, "left": one.left, "players": tuple(players)}
        rows.append(PlayedRow(game_id=game_id, rating=rating, **whole))
    return PlayedRows(rows=tuple(rows), next=str((after or 0) + most) if len(found) > most else None)


async def _named(ask: Ask, id: int) -> User:
    return await ask.accounts.find(id) or User(id, "", "user")


@call("GET", "/users/{id:int}/ratings", queries="pool")
async def curve(ask: Ask) -> Curve:
    """Return the course of somebody's rating in a pool."""
    user = await _somebody(ask)
    pool = ask.query.get("pool", "")[:80]
    return Curve(pool, tuple(await ask.hall.history.curve(user.id, pool, ask.viewer)))


@call("GET", "/users/{id:int}/statistics")
async def own_statistics(ask: Ask) -> OwnStatistics:
    """Return somebody's statistics, and how I have done against them, or whom I have met most often (P-75)."""
    user, me = await _somebody(ask), ask.somebody
    past = ask.hall.history
    hidden = "wins" in (await unseen(ask, [user.id]))[user.id]
    careers = () if hidden else await past.careers(user.id, ask.viewer)
    rows = [CareerRow(percent=percents(structs.asdict(each.all)), **structs.asdict(each)) for each in careers]
    met = []
    if me is not None:
        for each in await past.met(me.id, None if me.id == user.id else user.id):
            other = await ask.accounts.find(each.user)
            if other is not None and not other.deleted:
                met.append(Versus(other, each.games, each.ahead, each.behind, each.level))
    return OwnStatistics(tuple(rows), tuple(met))


@call("GET", "/users/{id:int}/highlights", queries="offset")
async def highlights(ask: Ask) -> Highlights:
    """Return somebody's days of a year, with whom they play most, and their best deals.

    offset: minutes from Greenwich to the east, by which the days are those of whoever asks. Nobody is named who hides
    their own games from whoever asks, or with whom a block stands.
    """
    user = await _somebody(ask)
    await need(ask, user.id, "games")
    said = ask.query.get("offset", "0")
    if not said.removeprefix("-").isdecimal() or not said.isascii() or abs(int(said[:6])) > EAST_M:
        raise HallError("BAD_MESSAGE", field="offset")
    here = datetime.fromtimestamp(ask.now, UTC) + timedelta(minutes=int(said))
    today = here.date()
    first = today - timedelta(days=7 * WEEKS - 7 + today.weekday())  # whole weeks, each from its Monday
    since = int(datetime(first.year, first.month, first.day, tzinfo=UTC).timestamp()) - 60 * int(said)
    past = ask.hall.history
    found = await past.days(user.id, ask.viewer, since, 60 * int(said))
    empty = Highlights(first.isoformat(), today.isoformat(), tuple(found), (), (), ())
    if "wins" in (await unseen(ask, [user.id]))[user.id]:
        return empty
    company = await past.company(user.id, ask.viewer)
    open_to_me = await _open(
        ask, user, {one.user for one in company.partners} | {one.user for one in company.opponents}
    )
    partners = [
        AllyRow(open_to_me[one.user], one.games, one.won, one.lost, one.drawn)
        for one in company.partners
        if one.user in open_to_me
    ]
    opponents = [
        Versus(open_to_me[one.user], one.games, one.ahead, one.behind, one.level)
        for one in company.opponents
        if one.user in open_to_me
    ]
    best = []
    for one in await past.best(user.id, ask.viewer):
        whole = structs.asdict(one)
        best.append(BestRow(game_id=whole.pop("id"), **whole))
    return structs.replace(
        empty, partners=tuple(partners[:SHOWN]), opponents=tuple(opponents[:SHOWN]), best=tuple(best)
    )


async def _open(ask: Ask, user: User, others: set[int]) -> dict[int, User]:
    """Return who of these may be named on somebody's page to whoever asks."""
    hides = await unseen(ask, others)
    found = {}
    for id in others:
        other = await ask.accounts.find(id)
        if other is None or other.deleted or other.kind == "guest":
            continue
        mine = user.id == ask.viewer or id == ask.viewer
        if not mine and "games" in hides[id]:
            continue
        if ask.viewer is None or not ask.hall.ties.apart(ask.viewer, id):
            found[id] = other
    return found
