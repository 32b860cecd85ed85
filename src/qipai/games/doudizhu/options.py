"""The house rules of a doudizhu table (doudizhu 7)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

__all__ = ["Options"]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules; every default is the rule as it is written (doudizhu 7)."""

    direction: Literal["ccw", "cw"] = "ccw"  # which way round the table is drawn
    redeals: Annotated[int, Meta(ge=0, le=9)] = 2  # how often the cards are dealt again when nobody calls (R3, R4)
    spring: bool = True  # 春天, 反春: winning before the other side gets going doubles (R14)
    max_doublings: Annotated[int, Meta(ge=0, le=14)] = 14  # 封顶: most doublings that count (R17)
    on_leave: Literal["bot", "void"] = "bot"  # a substitute plays on, or the deal is void
    turn_seconds: Annotated[int, Meta(ge=1, le=600)] = 20
    bid_seconds: Annotated[int, Meta(ge=1, le=60)] = 10  # for a call
