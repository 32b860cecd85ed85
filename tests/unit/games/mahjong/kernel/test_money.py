"""Payments of random hands inside the kernel: they sum to zero in every mode, and go where the rules send them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.core.kernel import buffer
from qipai.games.mahjong.kernel import forms, money, play
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.rules import cells
from qipai.games.mahjong.selfplay import WAYS, fresh, ruled

HANDS = 300


@pytest.mark.parametrize(
    "mode", [m if m == "standard" else pytest.param(m, marks=pytest.mark.slow) for m in WAYS["mode"]]
)
def test_every_list_of_payments_sums_to_zero(mode: Any) -> None:
    out, trace, ledger = buffer(t.MOST), buffer(1), buffer(t.SEATS + t.MOST_HORSES, 64)
    kinds: Counter[int] = Counter()
    ends: Counter[int] = Counter()
    moved = 0  # hands in which a horse won or lost something
    for seed in range(1, HANDS + 1):
        options = replace(ruled(seed * 7919), mode=mode)
        s = t.new_table(cells(options), forms.forms())
        bench = seed % 5
        play.play_at_random(s, fresh(s, seed, bench), out, trace)
        ends[s.b[t.ENDED]] += 1
        net = [0] * t.SEATS
        for i in range(s.b[t.PAYS]):
            payer, payee, amount, what, _, _ = s.pays[i * t.PAY_CELLS : (i + 1) * t.PAY_CELLS]
            assert payer != payee, "nobody pays himself"
            assert amount > 0
            net[payer] -= amount
            net[payee] += amount
            kinds[what] += 1
        money.balance(s, ledger)
        assert list(ledger[: t.SEATS]) == net
        assert sum(net) == 0
        money.balance_all(s, bench, ledger)
        everybody = list(ledger[: t.SEATS + bench])
        assert sum(everybody) == 0, (mode, seed)
        if not any(s.b[t.HORSES + 2 * i + 1] >= 0 for i in range(bench)):
            assert everybody == net + [0] * bench, "without a horse nothing changes"
        moved += any(everybody[t.SEATS :])
    assert ends[2] > 0
    assert ends[1] > 0 or "bloody" in mode, "three wins are rare where everybody plays at random"
    assert moved > HANDS // 10
    rain = {t.P_KONG, t.P_TRANSFER, t.P_REFUND} if options.mode in ("rain", "bloody_rain") else set()
    assert {t.P_WIN, t.P_PIG} | (rain - {t.P_TRANSFER}) <= set(kinds)
    if not rain:
        assert not {t.P_KONG, t.P_TRANSFER, t.P_REFUND} & set(kinds), "it rains in rainy modes only"
