"""The house rules of a mahjong table; every default is the seed's rule, or the most common one if it has none."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

__all__ = ["GROUPS", "ITEMS", "PATTERNS", "Fan", "Options"]

Worth = Annotated[int, Meta(ge=0, le=8)]


class Fan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The value of each item of a winning hand, in fan (mahjong 6.1)."""

    ping_hu: Worth = 0  # 平胡: any standard hand
    dui_dui: Worth = 1  # 对对胡: four triplets or kongs
    qing_yi_se: Worth = 2  # 清一色: one suit
    qi_dui: Worth = 2  # 七对
    long_qi_dui_extra: Worth = 0  # 龙七对: once for seven pairs with a root
    dai_yao: Worth = 2  # 带幺九: a 1 or a 9 in every set and in the pair
    jiang: Worth = 2  # 将对: only 2, 5, 8, in triplets or pairs
    gen: Worth = 1  # 根, each
    jin_gou_diao: Worth = 1  # 金钩钓: four melds
    men_qing: Worth = 0  # 门清: nothing claimed
    zhong_zhang: Worth = 0  # 中张: no 1 and no 9
    bian: Worth = 1  # 边章
    ka: Worth = 1  # 卡章
    diao: Worth = 1  # 吊章
    zi_mo: Worth = 1  # 自摸, with self_draw="add_fan"
    gang_shang_hua: Worth = 1  # 杠上花
    gang_shang_pao: Worth = 1  # 杠上炮
    qiang_gang: Worth = 1  # 抢杠
    hai_di: Worth = 1  # 海底捞月
    hai_di_pao: Worth = 1  # 海底炮
    tian_hu: Worth = 5  # 天胡
    di_hu: Worth = 5  # 地胡


ITEMS: Final = Fan.__struct_fields__
PATTERNS: Final = ITEMS[:11]  # what 查叫 counts (6.5): no waits, and nothing that depends on how the hand was won


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules (mahjong 7)."""

    mode: Literal["standard", "rain", "bloody", "bloody_rain"] = "bloody_rain"  # 标准打法 标准下雨 标准血战 血战下雨
    base: Annotated[int, Meta(ge=1, le=100_000)] = 1  # chips
    fan_cap: Literal[0, 3, 4, 5, 6, 8] = 4  # 封顶, 0: none
    fan: Fan = Fan()
    self_draw: Literal["none", "add_base", "add_fan"] = "add_base"  # 自摸加底, 自摸加番
    wait_fan_rule: Literal["sole", "shape", "none"] = "sole"  # when 边章 卡章 吊章 count
    void_rule: Literal["win", "declare"] = "win"  # 打缺, 定缺
    exchange: Literal["none", "three"] = "none"  # 换三张
    cha_jiao: Literal["da", "xiao"] = "da"  # 查大叫, 查小叫
    pig_fan: Annotated[int, Meta(ge=0, le=10)] = 4  # 花猪
    pig_pays_winners: bool = True
    pig_also_ready: bool = False  # pigs pay 查叫 too
    multi_win: Literal["all", "nearest"] = "all"  # 一炮多响, 截胡
    call_transfer: bool = True  # 呼叫转移
    kong_refund: bool = True  # 退税
    kong_draw: Literal["back", "front"] = "back"
    kong_in_plain_modes: bool = True
    late_added_kong: Literal["unpaid", "paid", "forbidden"] = "unpaid"
    direct_kong_flower: Literal["self_draw", "discarder"] = "self_draw"  # 点杠花
    sing_dance: bool = True  # 唱歌, 跳舞
    pass_lock: bool = True  # 过水不胡
    last_four: bool = True  # 后四张必胡
    horse: Literal["none", "bench"] = "bench"  # 买马
    horse_eat_horse: bool = True  # 马吃马
    horse_rain: bool = True  # 马下雨
    horse_ready: bool = True  # 马查叫
    horse_pig: bool = True  # 马查卫生
    min_rounds: Literal[1, 2, 4, 8] = 1  # 最少圈数
    hands_per_round: Annotated[int, Meta(ge=1, le=16)] = 4
    leave_fine: Annotated[int, Meta(ge=0, le=1000)] = 16  # base units for each hand still owed
    turn_seconds: Annotated[int, Meta(ge=1, le=600)] = 15
    claim_seconds: Annotated[int, Meta(ge=1, le=60)] = 8
    setup_seconds: Annotated[int, Meta(ge=1, le=600)] = 20


# The headings under which a form shows the options, in their order.
GROUPS: Final = {
    "play": ("mode", "void_rule", "exchange", "sing_dance"),
    "worth": ("base", "fan_cap", "fan", "self_draw", "wait_fan_rule"),
    "wins": ("multi_win", "pass_lock", "last_four"),
    "kongs": (
        "kong_in_plain_modes",
        "direct_kong_flower",
        "late_added_kong",
        "kong_draw",
        "call_transfer",
        "kong_refund",
    ),
    "checks": ("cha_jiao", "pig_fan", "pig_pays_winners", "pig_also_ready"),
    "horses": ("horse", "horse_eat_horse", "horse_rain", "horse_ready", "horse_pig"),
    "rounds": ("min_rounds", "hands_per_round", "leave_fine"),
    "times": ("turn_seconds", "claim_seconds", "setup_seconds"),
}
