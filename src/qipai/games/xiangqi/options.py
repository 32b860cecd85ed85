"""The house rules of xiangqi (xiangqi 7); the defaults are the seed's rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from qipai.core.contract import BadNotation

__all__ = ["Options", "TimeControl", "wire_clock"]

Seconds = Annotated[int, Meta(ge=0, le=10_000_000)]
Moves = Annotated[int, Meta(ge=0, le=1000)]


class TimeControl(Struct, frozen=True, forbid_unknown_fields=True):
    """A clock of periods 第一、第二时限 (xiangqi 6.2): for the first moves, then for each batch."""

    first_s: Annotated[int, Meta(ge=1, le=10_000_000)] = 3600
    first_moves: Moves = 30  # 0: no periods, `first_s` is for the whole game
    next_s: Seconds = 600
    next_moves: Moves = 10
    carry: bool = True  # unspent time goes over into the next period
    increment_s: Seconds = 0
    per_move_s: Seconds = 0  # most for one move, 0: no limit

    def __post_init__(self) -> None:
        if self.first_moves and not self.next_moves:
            raise ValueError("next_moves is 0 while first_moves is not")

    def changed(self, fields: Mapping[str, Any]) -> TimeControl:
        """Return this control with some fields changed; raises msgspec.ValidationError for what is no control."""
        return msgspec.convert({**msgspec.structs.asdict(self), **fields}, TimeControl)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules; every one stands in xiangqi 7."""

    repetition: Literal["simple", "asian", "cxa"] = "simple"  # 棋例: R6–R9
    repetition_count: Annotated[int, Meta(ge=2, le=5)] = 3  # the occurrence that ends the game
    move_limit: Annotated[int, Meta(ge=0, le=10_000)] = 120  # R13; 0: none
    move_limit_unit: Literal["each", "ply"] = "each"
    no_capture_limit: Annotated[int, Meta(ge=0, le=10_000)] = 0  # 自然限着, in rounds: R15; 0: none
    facing_generals: Literal["refuse", "forfeit"] = "refuse"  # R4
    dead_draw: bool = False  # R16
    time_control: TimeControl = TimeControl()
    takeback: Literal["off", "ask"] = "off"  # R19: the hall's verb
    handicap_fen: str | None = None  # 让子: the game starts from this position

    def __post_init__(self) -> None:
        if self.handicap_fen is not None:
            from qipai.games.xiangqi.position import legal_moves, parse_fen

            position = parse_fen(self.handicap_fen)  # BadNotation is a ValueError
            if not legal_moves(position):
                raise BadNotation("bad_position")  # a game must not be over before it has begun


def wire_clock(options: Options) -> dict[str, Any]:
    """Return the table's clock as the wire writes it (platform P-23)."""
    control = options.time_control
    stages = [{"s": control.first_s, "moves": control.first_moves}]
    if control.first_moves:
        stages.append({"s": control.next_s, "moves": control.next_moves})
    return {
        "type": "stages",
        "stages": stages,
        "carry": control.carry,
        "inc": control.increment_s,
        "per_move": control.per_move_s,
    }
