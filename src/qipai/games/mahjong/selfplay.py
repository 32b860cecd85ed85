"""Hands that never leave the kernel: for `qipai selfcheck`, for benches, to warm compiled kernels."""

from __future__ import annotations

from typing import Any, Final, cast

from qipai.core.kernel import buffer, lcg
from qipai.games.mahjong.kernel import money, play
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.kernel.forms import forms
from qipai.games.mahjong.options import Fan, Options
from qipai.games.mahjong.rules import cells
from qipai.kit.selfplay import digest, warm_bots

__all__ = ["drive", "fresh", "ruled", "warm"]

WAYS: Final[dict[str, tuple[Any, ...]]] = {
    "mode": ("bloody_rain", "bloody", "rain", "standard"),
    "fan_cap": (4, 0, 3, 8),
    "self_draw": ("add_base", "add_fan", "none"),
    "wait_fan_rule": ("sole", "shape", "none"),
    "void_rule": ("win", "declare"),
    "exchange": ("none", "three"),
    "cha_jiao": ("da", "xiao"),
    "pig_also_ready": (False, True),
    "multi_win": ("all", "nearest"),
    "call_transfer": (True, False),
    "kong_refund": (True, False),
    "kong_draw": ("back", "front"),
    "kong_in_plain_modes": (True, False),
    "late_added_kong": ("unpaid", "paid", "forbidden"),
    "direct_kong_flower": ("self_draw", "discarder"),
    "sing_dance": (True, True, False),
    "pass_lock": (True, True, False),
    "last_four": (True, True, False),
    "horse_eat_horse": (True, False),
    "horse_rain": (True, False),
}


def ruled(seed: int) -> Options:
    """Return house rules drawn from a seed; the default for 0."""
    chosen: dict[str, Any] = {}
    for name, values in WAYS.items():
        chosen[name] = values[seed % len(values)] if seed < 2 else values[(seed >> 8) % len(values)]
        seed = lcg(seed) if seed else 0
    if seed % 3 == 1:
        chosen["fan"] = Fan(men_qing=1, zhong_zhang=1, long_qi_dui_extra=1)
    return Options(**cast("Any", chosen))


def fresh(s: t.Table, seed: int, bench: int = 0) -> int:
    """Deal a new hand from a seed; return the next seed. The house rules do not change."""
    t.clear(s)
    seed = int(play.shuffle(s, seed))
    play.start(s, seed % t.SEATS, bench)
    return seed


def drive(seed: int) -> str:
    """Play one random hand with house rules and bench drawn from the same seed; return a digest of it."""
    s = t.new_table(cells(ruled(seed)), forms())
    out, trace, ledger = buffer(t.MOST), buffer(1), buffer(t.SEATS + t.MOST_HORSES, 64)
    bench = seed // 7 % 5
    after = fresh(s, seed, bench)
    steps = int(play.play_at_random(s, after, out, trace))
    money.balance_all(s, bench, ledger)
    state = digest(s.pays[: s.b[t.PAYS] * t.PAY_CELLS], digest(s.b[: t.STATE]))
    chips = " ".join(str(int(ledger[i])) for i in range(t.SEATS + bench))
    return f"{steps} {int(trace[0]):08x} {state:08x} {chips}"


def warm() -> None:
    """Call every kernel once with the types that bots and selfcheck use, so that numba compiles it."""
    from qipai.games.mahjong.bots.easy import Easy
    from qipai.games.mahjong.bots.steady import Steady
    from qipai.games.mahjong.bots.strong import Strong
    from qipai.games.mahjong.rules import Mahjong

    drive(0)
    options = Options(exchange="three", void_rule="declare")
    warm_bots(Mahjong(options), Steady(options), (Easy(options), Strong(options)))
