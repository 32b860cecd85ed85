"""Complete deals of two decks inside the kernel, for `qipai bench selfplay`. No other engine plays this game."""

from __future__ import annotations

from qipai.core.measure import Whole
from qipai.games.shengji.bench import rollouts, two_decks

__all__ = ["WHOLE"]

WHOLE = Whole("deals", random=two_decks, steady=rollouts)
