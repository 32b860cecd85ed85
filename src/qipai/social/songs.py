"""The free tunes that can be asked for in a room 点歌 (platform P-56): keys of the language files, under `tune.`."""

from __future__ import annotations

from typing import Final

__all__ = ["TUNES"]

TUNES: Final = ("jasmine", "fishermen", "two_springs", "horses", "new_year", "birthday", "farewell", "ode_to_joy")
