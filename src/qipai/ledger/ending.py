"""The payments at the end of a game, and the price of leaving it (platform P-31 to P-48, P-58 to P-61). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from qipai.ledger import passes, ratings
from qipai.ledger.brackets import multiplier
from qipai.ledger.coins import settle_coins
from qipai.ledger.grades import grade
from qipai.ledger.model import TRUST_STEPS, Holdings, Left, Paid, Stakes, trusted
from qipai.ledger.passes import Ended, Pass
from qipai.ledger.ratings import Fibs, Rating

__all__ = ["after_pay", "price", "settle", "times"]


def settle(
    stakes: Stakes,
    points: Sequence[int],
    had: Sequence[Holdings | None],
    leavers: Mapping[int, Left],
    *,
    void: bool = False,
    rated: Sequence[Rating] | None = None,
    fibs: Sequence[Fibs] | None = None,
    players: int | None = None,
) -> tuple[Paid, ...]:
    """Return what each seat gets for a game.

    had: what each player had; None for guests and bots, for whom nothing counts. leavers: their penalty replaces their
    entry of the result (P-32). void: the game does not count for anybody else. rated: every player's new rating, None:
    unrated.
    fibs: the same by FIBS, if the game is a match of backgammon.
    players: how many of them played, None: all; the others have only bet, from the bench (P-63): they share in the
    money, and neither their credibility nor a pass moves.
    """
    played = len(points) if players is None else players
    if stakes.kind == "friendly":
        return tuple(Paid(seat) for seat in range(len(points)))
    by = times(stakes, had[:played])
    entries = [by * _entry(0 if void else each, leavers.get(seat)) for seat, each in enumerate(points)]
    coins, fees = _coins(stakes, entries, had, leavers, void=void) if stakes.kind == "coin" else (None, None)
    paid = []
    for seat, holdings in enumerate(had):
        left = leavers.get(seat)
        if holdings is None or (void and left is None):
            paid.append(Paid(seat))
            continue
        counts = seat < played
        score = None if coins is not None else entries[seat] - (left.fine if left else 0)
        change = trusted(holdings.credibility, left.cause if left else "finish") - holdings.credibility if counts else 0
        got = None if coins is None else coins[seat]
        climbed = None
        if stakes.kind == "pass" and counts:
            climbed, got = _climbed(stakes, holdings, points[seat], left)
        paid.append(
            Paid(
                seat,
                score=score,
                coins=got,
                fee=fees[seat] if fees is not None else UNSET,
                times=by if by > 1 and score is not None else UNSET,
                pass_=climbed,
                grade=None if score is None else grade(holdings.score + score),
                rating=_rating(holdings.rating, rated[seat]) if rated is not None and seat < played else None,
                credibility=change,
                fibs=_rating(holdings.fibs or Fibs(), fibs[seat]) if fibs is not None and seat < played else UNSET,
            )
        )
    return tuple(paid)


def times(stakes: Stakes, had: Sequence[Holdings | None]) -> int:
    """Return the factor for a table's points: higher among players with high totals, where the room has it (P-61)."""
    if stakes.brackets is None or any(holdings is None for holdings in had):
        return 1
    return multiplier([holdings.score for holdings in had if holdings is not None], stakes.brackets)


def _entry(points: int, left: Left | None) -> int:
    """Return a seat's entry of the result; for a seat that left, the penalty instead."""
    return points if left is None or left.beside else left.price


def _coins(
    stakes: Stakes, entries: Sequence[int], had: Sequence[Holdings | None], leavers: Mapping[int, Left], *, void: bool
) -> tuple[list[int], tuple[int, ...]]:
    """Return the change of each seat's coins in a coin room, and how much of it the hall keeps from everybody."""
    balances = [0 if holdings is None else holdings.coins for holdings in had]
    moved = settle_coins(entries, stakes.factor, 0 if void else stakes.fee, balances)
    deltas = list(moved.deltas)
    for seat, left in leavers.items():
        deltas[seat] -= min(left.fine * stakes.factor, balances[seat] + deltas[seat])
    return deltas, moved.fees


def _climbed(stakes: Stakes, holdings: Holdings, points: int, left: Left | None) -> tuple[dict[str, Any], int | None]:
    """Return a pass after a game, and the coins for a record."""
    ended: Ended
    if left is not None and left.cause != "none":
        ended = left.cause
    else:
        ended = "win" if points > 0 else "loss" if points < 0 else "draw"
    found = passes.step(holdings.pass_, ended, stakes.table_pass, stakes.climb)
    state = found.state
    change = 0 if found.moved != "none" else state.points - holdings.pass_.points
    shown = {**msgspec.to_builtins(state), "change": change, "moved": found.moved, "record": found.record}
    coins = passes.record(state.highest, stakes.record_coins) if found.record else 0
    return shown, coins or None


def _rating(old: Rating | None, new: Rating) -> dict[str, Any]:
    before = new if old is None else old
    shown = {
        "shown": ratings.number(new),
        "change": ratings.number(new) - ratings.number(before),
        "sure": not ratings.provisional(new),
    }
    built: dict[str, Any] = msgspec.to_builtins(new)
    return {**built, **shown}


def after_pay(holdings: Holdings, paid: Paid) -> Holdings:
    """Return a player's holdings after a game."""
    fibs = None if paid.fibs is UNSET else paid.fibs
    return Holdings(
        score=holdings.score + (paid.score or 0),
        credibility=holdings.credibility + (paid.credibility or 0),
        coins=holdings.coins + (paid.coins or 0),
        pass_=holdings.pass_ if paid.pass_ is None else msgspec.convert(paid.pass_, Pass),
        rating=holdings.rating if paid.rating is None else msgspec.convert(paid.rating, Rating),
        fibs=holdings.fibs if fibs is None else msgspec.convert(fibs, Fibs),
    )


def price(
    stakes: Stakes, left: Left, holdings: Holdings | None, *, fee: bool = True, by: int = 1
) -> dict[str, int | None]:
    """Return what leaving costs, in the form of `CONFIRM_QUIT` (P-26).

    fee: a game is settled with it. by: what points count by at this table (`times`): the penalty is one of its results.
    """
    counts = stakes.kind != "friendly" and holdings is not None
    score = -left.fine if left.beside else by * left.price - left.fine
    coins = 0
    if stakes.kind == "coin" and holdings is not None:
        coins = -min(holdings.coins, -score * stakes.factor + (stakes.fee if fee else 0))
    return {
        "score": score if counts and stakes.kind != "coin" else 0,
        "pass": passes.STEPS["quit"] if counts and stakes.kind == "pass" else None,
        "credibility": TRUST_STEPS["quit"] if counts else 0,
        "coins": coins,
    }
