"""Settlement: what a deal pays, who is rated, what leaving costs, who may leave (P-26, P-38, P-48, P-58). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from qipai import ledger
from qipai.core.contract import NATURE, Seat
from qipai.hall.table.deal import rules_at
from qipai.hall.table.events import MeansSecret, OwnMeans
from qipai.hall.table.model import Deal, Table, TableLimits
from qipai.hall.table.observation import view_of
from qipai.hall.table.presence import PENALTY
from qipai.ledger import Holdings, ratings
from qipai.ledger.ratings import Rating

__all__ = [
    "Reckoned",
    "breach",
    "cost",
    "counted",
    "ends",
    "free",
    "means",
    "pool_of",
    "price",
    "reckon",
    "short",
    "stays",
    "substitutes",
]

Json = Any
RATED_MOVES: Final = 2  # moves that each seat must have made, else the game does not count (P-38)


class Reckoned(Struct, frozen=True):
    """The settlement of a deal: payments, who has left, whether it is rated, and what players had before."""

    paid: list[ledger.Paid]
    left: Mapping[Seat, ledger.Left]
    rated: bool
    had: list[Holdings | None]


def _deal(table: Table) -> Deal:
    """Return the running deal."""
    assert table.deal is not None
    return table.deal


# Balances -----------------------------------------------------------------------------------------------------------


def means(holdings: Holdings) -> MeansSecret | None:
    """Return the private part of holdings; None when it is that of a beginner."""
    usual = Holdings()
    own = OwnMeans(
        coins=holdings.coins if holdings.coins != usual.coins else UNSET,
        pass_=holdings.pass_ if holdings.pass_ != usual.pass_ else UNSET,
        rating=holdings.rating if holdings.rating != usual.rating else UNSET,
        fibs=holdings.fibs if holdings.fibs != usual.fibs else UNSET,
    )
    return MeansSecret(own) if own != OwnMeans() else None


def counted(holdings: Holdings, kind: str) -> Json:
    """Return the part of holdings that counts in a room of a kind."""
    whole: dict[str, Json] = msgspec.to_builtins(holdings)
    left_out = {"coins": kind != "coin", "pass": kind != "pass"}
    return {key: value for key, value in whole.items() if not left_out.get(key, False)}


def pool_of(table: Table) -> str:
    """Return the pool in which the players of a table are rated: a game, a variant, two of a game for more (P-38)."""
    setting = table.setting
    pair = setting.seats == 2 and max(table.entry.seats) > 2
    return "/".join(filter(None, (setting.game, setting.variant, "2" if pair else None)))


def _had(table: Table) -> list[Holdings | None]:
    """Return what everybody had before the deal, in its order; None for those for whom nothing counts.

    On the bench the deal counts only for those who have bet (P-59).
    """
    deal = _deal(table)
    bets = table.entry.bets(deal.state) if deal.bench else ()
    return [table.chairs[seat].holdings if not table.benched(seat) or seat in bets else None for seat in deal.seats]


def _too_short(table: Table) -> bool:
    """Tell whether some seat has made fewer moves than a game needs to count."""
    return any(moves < RATED_MOVES for moves in _deal(table).moves[: table.setting.seats])


def short(table: Table, points: Any) -> bool:
    """Tell whether a game was given up before every side had made the moves that it needs to count (P-38).

    A game that is played to its end always counts, even a hand that wins as it was dealt.
    """
    deal = _deal(table)
    if table.setting.kind == "friendly" or not _too_short(table):
        return False
    if table.entry.timing is not None or any(PENALTY[chair.presence] != "none" for chair in table.players):
        return True
    # Card games can be given up only by leaving. In games with resignation, the loser or the hall ended the game.
    return table.entry.leaving.flag is not None and (deal.last == NATURE or points[deal.last] <= 0)


# The end of a deal ----------------------------------------------------------------------------------------------------


def reckon(table: Table, limits: TableLimits, now: int, points: Any, *, void: bool, excused: bool) -> Reckoned:
    """Settle the running deal. excused: nobody pays for having left (P-58)."""
    leavers = {
        seat: _left(table, limits, seat, "kicked" if chair.kicked else PENALTY[chair.presence], chair.price)
        for seat, chair in enumerate(table.players)
        if not excused and chair.user is not None and PENALTY[chair.presence] != "none" and not chair.free
    }
    brought = _had(table)
    new = None if void else _rated(table, limits, now, points)
    match = None if new is None else _fibs(table, points)
    stakes, among, seats = table.stakes(limits), _deal(table).seats, table.setting.seats
    paid = [
        msgspec.structs.replace(each, seat=seat)
        for seat, each in zip(
            among,
            ledger.settle(stakes, points, brought, leavers, void=void, rated=new, fibs=match, players=seats),
            strict=True,
        )
    ]
    return Reckoned(paid, leavers, new is not None, brought)


def _rated(table: Table, limits: TableLimits, now: int, points: Any) -> list[Rating] | None:
    """Return everybody's new rating after a game, None if it is not rated (P-38)."""
    deal = _deal(table)
    seats = table.setting.seats
    found = [chair.holdings.rating for chair in table.players if chair.holdings is not None and chair.holdings.rating]
    if len(found) < seats or not table.entry.rating.rated(deal.options):
        return None
    played = list(zip(deal.moves, deal.bot_moves, strict=True))[:seats]
    if any(moves < RATED_MOVES or 2 * bot_moves > moves for moves, bot_moves in played):
        return None
    teams = table.entry.teams
    sides = table.entry.sides(seats) if teams is None else teams(deal.state)
    return ratings.after_game(found, sides, points[:seats], now // 1000, limits.idle_s)


def _fibs(table: Table, points: Any) -> list[ratings.Fibs] | None:
    """Return both players' FIBS ratings after a rated match, None for games without them (P-116)."""
    length = table.entry.rating.length(_deal(table).options)
    holdings = [chair.holdings for chair in table.players]
    if length is None:
        return None
    return ratings.after_match([None if each is None else each.fibs for each in holdings], length, points)


# Leaving --------------------------------------------------------------------------------------------------------------


def _owed(table: Table, limits: TableLimits) -> int:
    """Return the fine, in points, for deals that the players here still owe (P-58)."""
    leaving, done = table.entry.leaving, table.played
    if leaving.fine is not None:
        return leaving.fine(table.entry.chosen(table.options), done)
    return max(0, table.terms.min_games - done) * limits.round_fine


def breach(table: Table, limits: TableLimits, seat: Seat) -> ledger.Left | None:
    """Return how leaving between two deals counts: as a quit if a minimum of deals was agreed, else not (None)."""
    if table.state not in ("between", "open") or table.match is None or table.chairs[seat].holdings is None:
        return None
    if table.benched(seat) or table.setting.kind == "friendly" or not table.played or table.setting.duplicate:
        return None  # nor is another deal owed where each stands alone
    fine = _owed(table, limits)
    return ledger.Left("quit", 0, fine, beside=True) if fine else None


def _left(table: Table, limits: TableLimits, seat: Seat, cause: Any, price: int) -> ledger.Left:
    """Return how leaving a running deal counts for a seat, with a fine if a minimum of deals was agreed (P-58)."""
    leaving, fine = table.entry.leaving, _owed(table, limits)
    if fine and cause == "disconnect":
        cause = "quit"  # P-58: a line that is not restored in time counts as leaving
    return ledger.Left(cause, price, fine, leaving.beside)


def price(table: Table, seat: Seat) -> int:
    """Return the score that leaving costs a seat now, ≤ 0, computed from what the seat can see."""
    if table.benched(seat):
        return 0
    return table.entry.leaving.price(view_of(table, _deal(table), seat))


def cost(table: Table, limits: TableLimits, seat: Seat) -> Json:
    """Return what leaving the running deal costs a seat, as it will be charged (P-26)."""
    stakes, left = table.stakes(limits), _left(table, limits, seat, "quit", price(table, seat))
    by = ledger.times(stakes, _had(table)[: table.setting.seats])
    # If nobody plays on, leaving ends the game: it is then void, or was given up before it counted.
    void = not stays(table, seat) and (
        table.entry.leaving.void is not None or ends(table, seat) is None or _too_short(table)
    )
    return ledger.price(stakes, left, table.chairs[seat].holdings, fee=not void, by=by)


def free(table: Table, seat: Seat) -> bool:
    """Tell whether a seat may leave free: as far as it sees, it has nothing left to do (P-26). The bench always may."""
    if table.benched(seat):
        return True
    return table.entry.leaving.done(view_of(table, _deal(table), seat), seat)


def substitutes(table: Table) -> bool:
    """Tell whether a bot plays on for players who have left, or, before a deal, would play for who does not come."""
    options = _deal(table).options if table.playing else table.entry.chosen(table.options)
    return table.terms.substitute and table.entry.leaving.substitute(options)


def stays(table: Table, seat: Seat) -> bool:
    """Tell whether the deal goes on without the player of a seat."""
    return substitutes(table) or table.benched(seat)


def ends(table: Table, seat: Seat) -> Any:
    """Return the game's action with which leaving this seat ends the deal; None if the hall ends it (13.3)."""
    leaving, deal = table.entry.leaving, _deal(table)
    action = leaving.gone(seat) if leaving.gone is not None else None
    if action is None or rules_at(table, deal).refuse(deal.state, NATURE, action) is not None:
        return None
    return action
