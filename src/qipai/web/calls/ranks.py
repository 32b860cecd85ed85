"""Calls about how people stand: rankings, players, profiles, grades, passes (platform P-4, P-37 to P-47, P-75)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from msgspec import structs

from qipai import games
from qipai.hall.errors import HallError
from qipai.hall.statistics import percents
from qipai.kit.grades import GRADES
from qipai.ledger import passes, ratings
from qipai.ledger.ratings import Duel, Fibs, Rating
from qipai.web.api import Ask, call
from qipai.web.pages import (
    Climbing,
    Collude,
    GameStatistics,
    GradeRow,
    Grades,
    PlayerRow,
    PlayerRows,
    Profile,
    RankRow,
    RankRows,
    Shown,
    Statistics,
    WinRow,
)
from qipai.web.protocol import Account

__all__: list[str] = []

FARTHEST = 10**7  # rows into a ranking


@call("GET", "/rankings/{game}", queries="by pool limit after")
async def ranking(ask: Ask) -> RankRows:
    """Rank a game's players by rating, score or pass (P-39)."""
    game, by = ask.path["game"], ask.query.get("by", "score")
    if game not in games.names():
        raise HallError("NOT_FOUND")
    kind: Any
    if by not in ("rating", "score", "pass"):
        raise HallError("BAD_OPTION", field="by")
    kind = by
    ledger = ask.house.hall.ledger
    pools = await ledger.pools(game)
    pool = ask.query.get("pool") or (pools[0] if pools else game)
    after, most = _offset(ask)
    since = ask.now - ask.house.config.ranking.days * 86400
    found = await ledger.ranking(kind, game, pool, since=since, after=after, most=most + 1)
    rows = []
    for place, user, value, detail in found[:most]:
        if (who := await ask.house.accounts.find(user)) is not None:
            rows.append(RankRow(place, who, value, detail))
    return RankRows(
        game=game,
        by=kind,
        pool=pool if kind == "rating" else None,
        pools=tuple(pools),
        rows=tuple(rows),
        next=str(after + most) if len(found) > most else None,
    )


def _offset(ask: Ask) -> tuple[int, int]:
    after, most = ask.cursor()
    if after is not None and after > FARTHEST:
        raise HallError("BAD_MESSAGE", field="after")
    return after or 0, most


@call("GET", "/players", queries="name online limit after")
async def players(ask: Ask) -> PlayerRows:
    """List who is registered here, by name (P-39)."""
    after, most = _offset(ask)
    name = ask.query.get("name", "")[:40]
    house = ask.house
    only = [user.id for user in house.hall.online()] if ask.query.get("online") == "true" else None
    found = await house.accounts.players(name, only, after, most + 1)
    rows = []
    for id, registered, seen in found[:most]:
        if (user := await house.accounts.find(id)) is not None:
            rows.append(PlayerRow(user, registered, seen, bool(house.hall.lines(id))))
    return PlayerRows(rows=tuple(rows), next=str(after + most) if len(found) > most else None)


@call("GET", "/users/{id:int}")
async def profile(ask: Ask) -> Profile:
    """Show somebody's profile (P-4)."""
    house, id = ask.house, ask.path["id"]
    user, dates = await house.accounts.find(id), await house.accounts.dates(id)
    if user is None or dates is None:
        raise HallError("NOT_FOUND")
    ledger = house.hall.ledger
    scores = await ledger.standings(id)
    mine = ask.somebody is not None and ask.somebody.id == id and house.config.coins.enabled
    until: date | None = await ledger.member_until(id)
    return Profile(
        user=user,
        role=str(await house.accounts.role(id)),
        registered_at=dates[0],
        seen_at=dates[1],
        online=bool(house.hall.lines(id)),
        member_until=until,
        credibility=await ledger.credibility(id),
        scores={game: Account(**structs.asdict(each), grade=each.grade) for game, each in scores.items()},
        passes=await ledger.passes(id),
        ratings={pool: _shown(each) for pool, each in (await ledger.ratings(id)).items()},
        coins=(await ledger.wallet(id)).coins if mine else None,
        table=next(iter(house.hall.tables_of(user)), None),
    )


def _shown(rating: Rating) -> Shown:
    sure = not ratings.provisional(rating)
    if isinstance(rating, Fibs):
        return Shown(ratings.number(rating), None, sure, rating.experience)
    deviation = rating.rd if isinstance(rating, Duel) else rating.sigma
    return Shown(ratings.number(rating), round(deviation, 2), sure, rating.games)


@call("GET", "/grades")
async def grades(ask: Ask) -> Grades:
    """Return the fourteen grades, and where I stand (P-37)."""
    mine: dict[str, Account] = {}
    if ask.somebody is not None:
        found = await ask.house.hall.ledger.standings(ask.somebody.id)
        mine = {game: Account(**structs.asdict(each), grade=each.grade) for game, each in found.items()}
    rows = tuple(GradeRow(number, name, least) for number, (name, least) in enumerate(GRADES))
    return Grades(rows, mine)


@call("GET", "/passes")
async def climbing(ask: Ask) -> Climbing:
    """Return how one passes the passes here, and where I stand (P-41 to P-46)."""
    mine = {} if ask.somebody is None else await ask.house.hall.ledger.passes(ask.somebody.id)
    return Climbing(**structs.asdict(ask.house.config.passes), mine=mine)


@call("GET", "/passes/collusion", queries="n m x")
async def collude(ask: Ask) -> Collude:
    """Return what it would take to be helped up: n points a pass, m players, pass x (P-47)."""
    most = {"n": 1000, "m": 12, "x": 30}
    given: dict[str, Any] = {}
    for name, limit in most.items():
        text = ask.query.get(name, "")
        if not (text.isascii() and text.isdecimal()) or not 1 <= int(text[:6]) <= limit:
            raise HallError("BAD_MESSAGE", field=name)
        given[name] = int(text)
    found = passes.collusion(given["n"], given["m"], given["x"])
    return Collude(found.users, found.games, found.series)


@call("GET", "/statistics")
async def statistics(ask: Ask) -> Statistics:
    """Return the hall in numbers (P-75)."""
    house = ask.house
    found = await house.hall.figures()
    rows = [
        GameStatistics(game, sum(wins.values()), _shares(wins), _shares(found.reasons.get(game, {})))
        for game, wins in sorted(found.ends.items())
    ]
    return Statistics(
        users=await house.accounts.count(),
        online=house.hall.people,
        peak=found.peak,
        today=found.today,
        games=sum(row.games for row in rows),
        events=house.store.newest,
        rows=tuple(rows),
    )


def _shares(counts: Mapping[str, int]) -> dict[str, WinRow]:
    shares = percents(counts)
    return {name: WinRow(count, shares[name]) for name, count in counts.items()}
