"""Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013/2022), for games of two (platform P-38). Pure.

Our own, not a library's: ratings are refolded from the log and must come out the same to the last bit for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log, pi, sqrt
from typing import Final

from msgspec import Struct

__all__ = ["PROVISIONAL", "Glicko", "Met", "rated", "rested"]

SCALE: Final = 173.7178
MIDDLE: Final = 1500.0
WIDEST: Final = 350.0
PROVISIONAL: Final = 110.0  # with a larger deviation a rating is shown with "?"
TAU: Final = 0.5
CLOSE: Final = 1e-6


class Glicko(Struct, frozen=True):
    """A rating: its value, its deviation, its volatility."""

    r: float = MIDDLE
    rd: float = WIDEST
    vol: float = 0.06


class Met(Struct, frozen=True):
    """An opponent in a rating period, and the score against them: 1, ½, 0."""

    r: float
    rd: float
    score: float


def rested(player: Glicko, periods: int = 1) -> Glicko:
    """Return a rating after periods without a game: less sure, at most as wide as a beginner's."""
    rd = min(WIDEST, sqrt(player.rd**2 + periods * (player.vol * SCALE) ** 2))
    return Glicko(player.r, rd, player.vol)


def rated(player: Glicko, results: Sequence[Met], tau: float = TAU) -> Glicko:
    """Return a rating after one period with these results; without any it has rested."""
    if not results:
        return rested(player)
    mu, phi = (player.r - MIDDLE) / SCALE, player.rd / SCALE
    inverse = 0.0
    gain = 0.0
    for met in results:
        g = 1 / sqrt(1 + 3 * (met.rd / SCALE) ** 2 / pi**2)
        expected = 1 / (1 + exp(-g * (mu - (met.r - MIDDLE) / SCALE)))
        inverse += g * g * expected * (1 - expected)
        gain += g * (met.score - expected)
    v = 1 / inverse
    vol = _volatility(phi, player.vol, v, v * gain, tau)
    phi = 1 / sqrt(1 / (phi**2 + vol**2) + 1 / v)
    return Glicko(SCALE * (mu + phi**2 * gain) + MIDDLE, min(WIDEST, SCALE * phi), vol)


def _volatility(phi: float, vol: float, v: float, delta: float, tau: float) -> float:
    """Return the new volatility: the zero of step 5, found by the Illinois method."""
    a = log(vol**2)

    def f(x: float) -> float:
        e = exp(x)
        return e * (delta**2 - phi**2 - v - e) / (2 * (phi**2 + v + e) ** 2) - (x - a) / tau**2

    low, high = a, _other_side(f, a, phi, v, delta, tau)
    f_low, f_high = f(low), f(high)
    while abs(high - low) > CLOSE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)


def _other_side(f: Callable[[float], float], a: float, phi: float, v: float, delta: float, tau: float) -> float:
    """Return an end for the search at which the function has the other sign than at `a`."""
    if delta**2 > phi**2 + v:
        return log(delta**2 - phi**2 - v)
    k = 1
    while f(a - k * tau) < 0:
        k += 1
    return a - k * tau
