"""The house rules of a gouji table; every default is the seed's rule."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

__all__ = ["Options"]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules (gouji 7)."""

    first_seated: Annotated[int, Meta(ge=0, le=5)] = 0  # who leads the first deal, where no hall says it
    report_at: Annotated[int, Meta(ge=0, le=36)] = 10  # 报户: counts at or below are shown
    burn_own_side: bool = True  # partners may be burned
    end_when_decided: bool = False  # the deal ends when one side alone holds cards
    keep_three: bool = False  # 憋三: threes go last
    tribute: Literal["off", "on"] = "on"  # 进贡 from the second deal on
    tribute_resist: Annotated[int, Meta(ge=0, le=4)] = 0  # 抗贡: so many big jokers excuse a payer, 0 never
    tribute_return: bool = True  # 还贡: the receiver gives back as many cards
    partners_view: bool = False  # who has gone out sees its partners' hands
    turn_seconds: Annotated[int, Meta(ge=1, le=600)] = 20
    burn_seconds: Annotated[int, Meta(ge=1, le=60)] = 4
