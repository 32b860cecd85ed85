"""What the client's tests have to know of gouji."""

from __future__ import annotations

from typing import Final

PICTURES: Final = {"Emblem.svelte"}  # cards
