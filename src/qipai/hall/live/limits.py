"""The settings of `hall.toml` that tables use."""

from __future__ import annotations

from qipai.config import Config
from qipai.hall.table.model import TableLimits
from qipai.ledger.passes import Climb

__all__ = ["limits_of"]


def limits_of(config: Config) -> TableLimits:
    """Return the settings that tables use."""
    seats, clocks = config.seats, config.clocks
    return TableLimits(
        grace=1000 * seats.grace_s,
        unready=1000 * seats.unready_s,
        again=1000 * seats.again_s,
        offer=1000 * seats.offer_s,
        empty=1000 * seats.empty_s,
        deserted=1000 * seats.deserted_s,
        seed=1000 * seats.seed_s,
        lag=clocks.lag_ms,
        lag_game=clocks.lag_game_ms,
        flags_in_row=clocks.flags_in_row,
        flags_in_game=clocks.flags_in_game,
        too_few=config.coins.too_few,
        engines=tuple(config.engines),
        climb=Climb(config.passes.up, config.passes.down, config.passes.strict, config.passes.passes),
        record_coins=config.passes.record_coins if config.coins.enabled else 0,
        waits=1000 * config.pairing.invite_days_s,
        sweep=1000 * clocks.days_sweep_s,
        idle_s=86400 * config.ranking.idle_days,
        round_fine=config.seats.round_fine,
    )
