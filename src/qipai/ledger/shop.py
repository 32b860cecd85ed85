"""The shop 增值服务 and redeem codes (platform P-52, P-55, P-57). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

__all__ = [
    "ITEMS",
    "USUAL",
    "Code",
    "Item",
    "Prices",
    "Profile",
    "Refusal",
    "Wallet",
    "bought",
    "member_until",
    "redeemable",
]

Item = Literal["reset_score", "reset_credibility", "song", "member_days", "hearts_to_coins"]
ITEMS: Final = frozenset(get_args(Item))
COUNTED: Final = frozenset({"member_days", "hearts_to_coins"})  # the other items are bought one at a time
LAST_DAY: Final = date.max

Refusal = Literal["BAD_QTY", "NOTHING_TO_RESET", "INSUFFICIENT_COINS", "INSUFFICIENT_HEARTS", "BAD_OPTION"]


class Prices(Struct, frozen=True):
    """What things cost in coins; what a heart is changed into."""

    reset_score: int = 50
    reset_credibility: int = 30
    song: int = 5
    member_days: int = 2
    hearts_to_coins: int = 10


USUAL: Final = Prices()


class Wallet(Struct, frozen=True):
    """What somebody can spend."""

    coins: int = 0
    hearts: int = 0


class Profile(Struct, frozen=True):
    """What the shop can change. score: of the chosen game."""

    score: int = 0
    credibility: int = 100
    member_until: date | None = None


class Code(Struct, frozen=True):
    """A redeem code. expires: the last day it is good; uses: by how many people."""

    coins: int = 0
    hearts: int = 0
    member_days: int = 0
    uses: int = 1
    expires: date | None = None


def bought(
    wallet: Wallet, profile: Profile, item: str, qty: Any = 1, today: date | None = None, prices: Prices = USUAL
) -> tuple[Wallet, Profile] | Refusal:
    """Return what somebody has after a purchase, or why it is refused; then nothing has changed."""
    if item not in ITEMS:
        return "BAD_OPTION"
    if isinstance(qty, bool) or not isinstance(qty, int) or qty < 1 or (qty != 1 and item not in COUNTED):
        return "BAD_QTY"
    if item == "hearts_to_coins":
        if wallet.hearts < qty:
            return "INSUFFICIENT_HEARTS"
        return Wallet(wallet.coins + qty * prices.hearts_to_coins, wallet.hearts - qty), profile
    after = profile
    if item == "reset_score":
        if profile.score >= 0:
            return "NOTHING_TO_RESET"
        after = replace(profile, score=0)
    elif item == "reset_credibility":
        if profile.credibility >= 100:
            return "NOTHING_TO_RESET"
        after = replace(profile, credibility=100)
    elif item == "member_days":
        assert today is not None
        try:
            after = replace(profile, member_until=member_until(profile.member_until, today, qty))
        except OverflowError:
            return "BAD_QTY"
    cost = qty * int(getattr(prices, item))
    if wallet.coins < cost:
        return "INSUFFICIENT_COINS"
    return replace(wallet, coins=wallet.coins - cost), after


def member_until(before: date | None, today: date, days: int) -> date:
    """Return until when somebody is a member after so many days more (P-7); raises OverflowError past the calendar."""
    return max(today, before or today) + timedelta(days=days)


def redeemable(
    codes: Mapping[str, Code], used: Mapping[str, frozenset[str]], user: str, code: str, today: date
) -> str | None:
    """Return why somebody cannot redeem a code, None when they can. used: by whom each code was used."""
    found = codes.get(code)
    if found is None:
        return "NO_SUCH_CODE"
    if found.expires is not None and today > found.expires:
        return "CODE_EXPIRED"
    users = used.get(code, frozenset())
    return "CODE_USED" if user in users or len(users) >= found.uses else None
