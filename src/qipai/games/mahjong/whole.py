"""Complete hands inside the kernel, for `qipai bench selfplay`."""

from __future__ import annotations

from qipai.core.measure import Whole
from qipai.games.mahjong.bench import hands, rlcard_bare, rollouts

__all__ = ["WHOLE"]

WHOLE = Whole("hands", random=hands, steady=rollouts, peers={"RLCard mahjong, bare": rlcard_bare})
