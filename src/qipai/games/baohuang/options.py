"""The house rules of a baohuang table; every default is the seed's rule."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

__all__ = ["Options"]


class Options(Struct, frozen=True, forbid_unknown_fields=True, rename={"yield_": "yield"}):
    """House rules (baohuang 7)."""

    direction: Literal["cw", "ccw"] = "cw"  # which way round the table is drawn
    keep_six: bool = True  # 憋6: sixes go last
    six_hung: bool = True  # a set may mix sixes and jokers
    grab: bool = True  # 抢独: anybody may take the solo before the roles stand
    yield_: bool = True  # 让位: who holds both marks may give the throne away
    kick: bool = True  # 踢: an opened deal may be doubled again
    on_leave: Literal["bot", "void"] = "bot"  # a substitute plays on, or the deal is void
    turn_seconds: Annotated[int, Meta(ge=1, le=600)] = 20
    declare_seconds: Annotated[int, Meta(ge=1, le=60)] = 8  # for each question before play
