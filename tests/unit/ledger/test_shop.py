"""The shop: what is refused changes nothing, and coins go nowhere but into what they buy."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.ledger import shop
from qipai.ledger.shop import Code, Prices, Profile, Wallet

TODAY = date(2030, 1, 1)


@given(
    st.sampled_from(sorted(shop.ITEMS)),
    st.integers(-2, 400),
    st.builds(Wallet, coins=st.integers(0, 300), hearts=st.integers(0, 30)),
    st.builds(Profile, score=st.integers(-50, 50), credibility=st.integers(0, 100)),
)
def test_nobody_gets_anything_for_nothing(item: str, qty: int, wallet: Wallet, profile: Profile) -> None:
    found = shop.bought(wallet, profile, item, qty, TODAY)
    if isinstance(found, str):
        return
    after, changed = found
    assert after.coins >= 0
    assert after.hearts >= 0
    if item == "hearts_to_coins":
        assert after == Wallet(wallet.coins + 10 * qty, wallet.hearts - qty)
        assert changed == profile
    else:
        assert after == Wallet(wallet.coins - qty * getattr(Prices(), item), wallet.hearts)
        assert item == "song" or changed != profile


@pytest.mark.parametrize("qty", [0, -1, True, 1.0, "1", None, 10**9])
def test_a_quantity_is_a_whole_number_that_the_calendar_can_hold(qty: object) -> None:
    assert shop.bought(Wallet(10**12, 0), Profile(), "member_days", qty, TODAY) == "BAD_QTY"


def test_what_is_not_sold_is_refused() -> None:
    assert shop.bought(Wallet(100), Profile(), "luck", 1, TODAY) == "BAD_OPTION"


def test_a_code_is_checked_in_the_order_known_expired_used() -> None:
    codes = {"C": Code(coins=5, uses=1, expires=TODAY)}
    assert shop.redeemable(codes, {}, "a", "D", TODAY) == "NO_SUCH_CODE"
    assert shop.redeemable(codes, {}, "a", "C", TODAY) is None
    assert shop.redeemable(codes, {"C": frozenset("b")}, "a", "C", TODAY) == "CODE_USED"
    assert shop.redeemable(codes, {"C": frozenset("b")}, "a", "C", date(2030, 1, 2)) == "CODE_EXPIRED"
