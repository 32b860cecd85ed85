"""Calls about rankings, players, profiles, grades, passes (platform P-4, P-37 to P-47, P-75)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from msgspec import structs

from qipai import games
from qipai.accounts.model import COUNTRIES, Field
from qipai.community.boards.books import Writer
from qipai.hall.records.statistics import percents
from qipai.hall.table import daily_board
from qipai.hall.table.errors import HallError
from qipai.ledger import passes, ratings
from qipai.ledger.grades import GRADES
from qipai.ledger.ratings import Duel, Fibs, Rating
from qipai.ledger.service import Standing
from qipai.web.api import MOST_ID, Ask, call
from qipai.web.pages.ranks import (
    Climbing,
    ClubNamed,
    Collude,
    DailyRow,
    DailyRows,
    GameStatistics,
    GradeRow,
    Grades,
    PlayerRow,
    PlayerRows,
    Profile,
    RankRow,
    RankRows,
    Reached,
    Shown,
    Statistics,
    WinRow,
)
from qipai.web.privacy import unseen
from qipai.web.protocol import Account

__all__: list[str] = []

FARTHEST = 10**7  # rows into a ranking
RANKED: Final[Mapping[str, Field | None]] = {"rating": None, "score": "score", "pass": "passes"}
WINS: Final = ("won", "lost", "drawn")


@call("GET", "/rankings", queries="by pool of club limit after")
async def first_ranking(ask: Ask) -> RankRows:
    """Rank the players of the hall's first game, as the page does for which none is named (P-39, P-112)."""
    return await _ranked(ask, games.names()[0])


@call("GET", "/rankings/{game}", queries="by pool of club limit after")
async def ranking(ask: Ask) -> RankRows:
    """Rank a game's players by rating, score or pass (P-39); a player who hides it keeps an unnamed place (P-4).

    of: `people`, or `bots`, the accounts that programs play as (P-93). club: of its members alone (P-40).
    """
    if ask.path["game"] not in games.names():
        raise HallError("NOT_FOUND")
    return await _ranked(ask, ask.path["game"])


async def _ranked(ask: Ask, game: str) -> RankRows:
    by = ask.query.get("by", "score")
    kind: Any
    if by not in RANKED:
        raise HallError("BAD_OPTION", field="by")
    kind = by
    ledger = ask.hall.ledger
    pools = await ledger.pools(game)
    pool = ask.query.get("pool") or (pools[0] if pools else game)
    after, most = _offset(ask)
    since = ask.now - ask.services.config.ranking.days * 86400
    of = ask.query.get("of", "people")
    if of not in ("people", "bots"):
        raise HallError("BAD_OPTION", field="of")
    club = ask.services.community.clubs.find(ask.number("club", 1, MOST_ID)) if "club" in ask.query else None
    only = None if club is None else sorted(club.people)
    bots = await ask.accounts.bots()
    found = await ledger.ranking(
        kind, game, pool, since=since, after=after, most=most + 1, bots=bots, of_bots=of == "bots", only=only
    )
    veils = await unseen(ask, [user for _, user, _, _ in found[:most]])
    rows = []
    for place, user, value, detail in found[:most]:
        veil = veils.get(user, frozenset())
        if RANKED[by] in veil:
            continue
        if "wins" in veil:
            detail = {name: value for name, value in detail.items() if name not in WINS}
        if (who := await ask.accounts.find(user)) is not None:
            rows.append(RankRow(place, who, value, detail))
    return RankRows(
        game=game,
        by=kind,
        pool=pool if kind == "rating" else None,
        pools=tuple(pools),
        of=of,  # type: ignore[arg-type]
        club=None if club is None else ClubNamed(club.id, club.name),
        rows=tuple(rows),
        next=str(after + most) if len(found) > most else None,
    )


def _offset(ask: Ask) -> tuple[int, int]:
    after, most = ask.cursor()
    if after is not None and after > FARTHEST:
        raise HallError("BAD_MESSAGE", field="after")
    return after or 0, most


@call("GET", "/games/{game}/daily", queries="day limit after")
async def daily(ask: Ask) -> DailyRows:
    """List who has played the board of a day, the quickest first; a player who hides games has no name there (P-4)."""
    game = ask.path["game"]
    if game not in games.names() or games.find(game).form.daily is None:
        raise HallError("NOT_FOUND")
    hall = ask.hall
    today = daily_board.day_of(hall.clock.now())
    day = ask.query.get("day", today)
    try:
        date.fromisoformat(day)
    except ValueError as wrong:
        raise HallError("BAD_MESSAGE", field="day") from wrong
    after, most = _offset(ask)
    found = await hall.dailies.rows(game, day, after=after, most=most + 1)
    veils = await unseen(ask, [row.user for row in found[:most]])
    rows = []
    for row in found[:most]:
        who = await ask.accounts.find(row.user)
        if who is not None and "games" not in veils.get(row.user, frozenset()):
            rows.append(DailyRow(row.rank, who, row.ms, row.begun))
    return DailyRows(
        game=game, day=day, today=today, rows=tuple(rows), next=str(after + most) if len(found) > most else None
    )


@call("GET", "/players", queries="name online country grade game limit after")
async def players(ask: Ask) -> PlayerRows:
    """List who is registered here: by a part of the name, who is online, from a country, who has a grade (P-39).

    grade: in a game, or as their best in any. country: of those who show it.
    """
    after, most = _offset(ask)
    name = ask.query.get("name", "")[:40]
    services = ask.services
    me = None if ask.somebody is None else ask.somebody.id
    here = {user.id for user in services.hall.people.online() if services.hall.people.tells(user.id, me)}
    only = here if ask.query.get("online") == "true" else None
    but: set[int] = set()
    if "grade" in ask.query:
        number, game = ask.number("grade", 0, len(GRADES) - 1), ask.query.get("game")
        if game is not None and game not in games.names():
            raise HallError("BAD_OPTION", field="game")
        if number:
            graded = await services.hall.ledger.graded(game, number)
            only = graded if only is None else only & graded
        else:  # most have never played a game that counts
            but = await services.hall.ledger.graded(game)
    country = ask.query.get("country")
    if country is not None and country not in COUNTRIES:
        raise HallError("BAD_OPTION", field="country")
    found = await services.accounts.players(name, country, only, but, after, most + 1)
    veils = await unseen(ask, [id for id, _, _ in found[:most]])
    rows = []
    for id, registered, seen in found[:most]:
        veil = veils.get(id, frozenset())
        if country is not None and "country" in veil:
            continue
        if (user := await services.accounts.find(id)) is not None:
            since, last = _dates((registered, seen), veil)
            rows.append(PlayerRow(user, since, last, id in here))
    return PlayerRows(
        rows=tuple(rows),
        next=str(after + most) if len(found) > most else None,
        countries=() if after else tuple(sorted(COUNTRIES)),
    )


@call("GET", "/users/{id:int}")
async def profile(ask: Ask) -> Profile:
    """Show of somebody's profile what its owner shows to who asks (P-4)."""
    services, id = ask.services, ask.path["id"]
    user, dates = await services.accounts.find(id), await services.accounts.dates(id)
    if user is None or dates is None:
        raise HallError("NOT_FOUND")
    ledger = services.hall.ledger
    veil = (await unseen(ask, [id]))[id]
    since, last = _dates(dates, veil)
    settings = await services.accounts.settings(id)
    self_description = await services.accounts.self_description(id)
    coins = services.config.coins.enabled and settings.minor is not True  # P-107
    until: date | None = await ledger.member_until(id)
    told = services.hall.people.tells(id, None if ask.somebody is None else ask.somebody.id)
    wrote = await services.community.boards.writer(id) if user.kind == "user" else Writer()
    return Profile(
        user=user,
        role=str(await services.accounts.role(id)),
        about=None if "about" in veil else self_description.about,
        country=None if "country" in veil else self_description.country,
        language=None if "language" in veil else settings.lang or None,
        registered_at=since,
        seen_at=last,
        online_s=None if "hours" in veil else self_description.online_s,
        online=told and bool(services.hall.people.lines(id)),
        member_until=None if "member" in veil else until,
        credibility=await ledger.credibility(id),
        scores={game: _reached(each, veil) for game, each in (await ledger.standings(id)).items()},
        passes={} if "passes" in veil else await ledger.passes(id),
        ratings={pool: _shown(each) for pool, each in (await ledger.ratings(id)).items()},
        coins=(await ledger.wallet(id)).coins if coins and "coins" not in veil else None,
        table=next(iter(services.hall.people.at(user)), None) if told else None,
        hidden=tuple(sorted(veil)),
        topics=wrote.topics,
        posts=wrote.posts,
        essence=wrote.essence,
        reading_level=wrote.level,
    )


def _dates(dates: tuple[int | None, int], veil: frozenset[Field]) -> tuple[int | None, int | None]:
    """Return since when somebody is registered and when they were last seen, as far as they are shown."""
    return None if "registered" in veil else dates[0], None if "seen" in veil else dates[1]


def _reached(standing: Standing, veil: frozenset[Field]) -> Reached:
    whole = {**structs.asdict(standing), "grade": standing.grade}
    gone = (["score"] if "score" in veil else []) + (list(WINS) if "wins" in veil else [])
    return Reached(**{**whole, **dict.fromkeys(gone)})


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
        found = await ask.hall.ledger.standings(ask.somebody.id)
        mine = {game: Account(**structs.asdict(each), grade=each.grade) for game, each in found.items()}
    rows = tuple(GradeRow(number, name, least) for number, (name, least) in enumerate(GRADES))
    return Grades(rows, mine)


@call("GET", "/passes")
async def climbing(ask: Ask) -> Climbing:
    """Return how the pass rooms work here, and where I stand (P-41 to P-46); without coins nothing is paid."""
    mine = {} if ask.somebody is None else await ask.hall.ledger.passes(ask.somebody.id)
    config = ask.services.config
    paid = {} if config.coins.enabled else {"record_coins": 0, "month_coins": 0}
    return Climbing(**{**structs.asdict(config.passes), **paid}, mine=mine)


@call("GET", "/passes/collusion", queries="n m x")
async def collude(ask: Ask) -> Collude:
    """Return what it takes to help somebody up by losing on purpose: n points a pass, m players, pass x (P-47)."""
    most = {"n": 1000, "m": 12, "x": 30}
    given = {name: ask.number(name, 1, limit) for name, limit in most.items()}
    found = passes.collusion(given["n"], given["m"], given["x"])
    return Collude(found.users, found.games, found.series)


@call("GET", "/statistics")
async def statistics(ask: Ask) -> Statistics:
    """Return the hall in numbers (P-75)."""
    services = ask.services
    found = await services.hall.archive.figures()
    rows = [
        GameStatistics(game, sum(wins.values()), _shares(wins), _shares(found.reasons.get(game, {})))
        for game, wins in sorted(found.ends.items())
    ]
    return Statistics(
        users=await services.accounts.count(),
        online=services.hall.people.count,
        peak=found.peak,
        today=found.today,
        games=sum(row.games for row in rows),
        events=services.store.newest,
        rows=tuple(rows),
    )


def _shares(counts: Mapping[str, int]) -> dict[str, WinRow]:
    shares = percents(counts)
    return {name: WinRow(count, shares[name]) for name, count in counts.items()}
