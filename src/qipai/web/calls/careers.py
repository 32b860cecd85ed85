"""Calls about what somebody has played: games, statistics, the course of a rating (platform P-4, P-75)."""

from __future__ import annotations

from msgspec import structs

from qipai import games
from qipai.accounts.model import User
from qipai.hall.records.statistics import percents
from qipai.hall.table.errors import HallError
from qipai.hall.table.messages import RoomSeat
from qipai.web.api import MOST_ID, Ask, call
from qipai.web.pages.careers import CareerRow, Curve, OwnStatistics, PlayedRow, PlayedRows, Versus
from qipai.web.privacy import need, unseen

__all__: list[str] = []

FARTHEST = 10**6


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
