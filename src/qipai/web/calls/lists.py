"""Calls of the hall's lists: card tables, winners, the calendar (platform P-12, P-39, P-72)."""

from __future__ import annotations

from functools import partial

from qipai import games, lang
from qipai.contests import books
from qipai.hall.table.errors import HallError
from qipai.ledger.service import month_ends
from qipai.web.api import Ask, call
from qipai.web.pages.lists import CalendarPage, CalendarRow, CardRows, WinnerRow, WinnerRows

__all__: list[str] = []

COMING = 100  # contests in the calendar, those that begin first


def _game(ask: Ask) -> str | None:
    """Return the game that is asked for, None: any; raises HallError where the hall has no such game."""
    game = ask.query.get("game")
    if game is not None and game not in games.names():
        raise HallError("BAD_OPTION", field="game")
    return game


@call("GET", "/cards", queries="game free limit after")
async def cards(ask: Ask) -> CardRows:
    """List the tables of card games where people sit, in all rooms (P-72). free=1: only those with a free seat."""
    after, most = ask.cursor()
    game = _game(ask)
    if ask.query.get("free", "1") != "1":
        raise HallError("BAD_MESSAGE", field="free")
    minor = await ask.hall.balances.hidden(None if ask.somebody is None else ask.somebody.id)
    found = [
        row
        for row in ask.hall.lobby.cards()
        if row.table > (after or 0)
        and (game is None or row.game == game)
        and ("free" not in ask.query or row.free)
        and not (minor and row.kind == "coin")
    ]
    return CardRows(rows=tuple(found[:most]), next=str(found[most - 1].table) if len(found) > most else None)


@call("GET", "/winners", queries="kind game limit after")
async def winners(ask: Ask) -> WinnerRows:
    """List who has won tournaments, team tournaments, ponds, and held the top of stairs, newest first (P-39)."""
    before, most = ask.cursor()
    kind = ask.query.get("kind")
    if kind is not None and kind not in ask.services.contests.kinds:
        raise HallError("BAD_OPTION", field="kind")
    read = partial(books.wins, kind=kind, game=_game(ask), before=before, most=most + 1)
    found = await ask.services.store.read(read)
    await ask.accounts.meet(who for win in found for who in win.winners if isinstance(who, int))
    return WinnerRows(
        rows=tuple(_winner(ask, win) for win in found[:most]),
        next=str(found[most - 1].event) if len(found) > most else None,
    )


def _winner(ask: Ask, win: books.Win) -> WinnerRow:
    line, stairs = win.line, win.kind == "stairs"
    people = (ask.accounts.peek(who) for who in win.winners if isinstance(who, int))
    return WinnerRow(
        kind=win.kind,
        at=win.at,
        users=tuple(user for user in people if user is not None),
        teams=tuple(who for who in win.winners if isinstance(who, str)),
        number=win.id,
        name=None if stairs else line["form"]["name"],
        stairs=line["id"] if stairs else None,
        game=line["game"],
        variant=line["variant"] if stairs else line["form"].get("terms", {}).get("variant"),
    )


@call("GET", "/calendar")
async def calendar(ask: Ask) -> CalendarPage:
    """List what is coming: contests with a time to begin, the end of the month, maintenance (P-12)."""
    services, now = ask.services, ask.services.now()
    viewer = None if ask.somebody is None else ask.somebody.id
    found = await services.store.read(partial(books.coming, now=now, viewer=viewer, most=COMING))
    rows = [
        CalendarRow(
            what=one.kind, at=one.at, name=one.line["form"]["name"], number=one.id, game=one.game, mine=one.mine
        )
        for one in found
    ]
    config = services.config
    for away in config.calendar.maintenance:
        at, until = (round(1000 * time.timestamp()) for time in (away.from_, away.until))
        if until > now:
            rows.append(CalendarRow(what="maintenance", at=at, until=until, words=lang.spread(away.words)))
    if config.coins.enabled and config.passes.month_coins and any(r.kind == "pass" for r in ask.hall.rooms.values()):
        rows.append(CalendarRow(what="passes", at=month_ends(now)))
    stairs = [running.state.renumber_at for running in services.contests.of("stairs")]
    if stairs:
        rows.append(CalendarRow(what="renumber", at=min(stairs)))
    return CalendarPage(rows=tuple(sorted(rows, key=lambda row: row.at)), now=now)
