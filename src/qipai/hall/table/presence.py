"""Presence of players at their seats: online, in grace, played by a bot, gone (platform P-27 to P-29). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

__all__ = ["PENALTY", "Presence", "kind_seat_presence", "moved"]

Presence = Literal["online", "grace", "bot", "left"]
Happening = Literal["disconnect", "reconnect", "leave", "grace_over"]
Penalty = Literal["none", "disconnect", "quit"]

PENALTY: Final[Mapping[Presence, Penalty]] = {"online": "none", "grace": "none", "bot": "disconnect", "left": "quit"}

_STEPS: Final[Mapping[tuple[Presence, Happening], Presence]] = {
    ("online", "disconnect"): "grace",
    ("grace", "reconnect"): "online",
    ("grace", "grace_over"): "bot",
    ("bot", "reconnect"): "online",
    ("online", "leave"): "left",
    ("grace", "leave"): "left",
    ("bot", "leave"): "left",
}


def moved(state: Presence, happening: Happening) -> Presence:
    """Return the state of presence after something happened; unchanged if that has no meaning in this state."""
    return _STEPS.get((state, happening), state)


def kind_seat_presence(given: Mapping[str, Any]) -> dict[str, str]:
    """Conformance kind `seat_presence`: the state and the penalty at the end of the game."""
    state: Presence = "online"
    until: int | None = None
    for event in sorted((e for e in given["events"] if e["t"] <= given["end"]), key=lambda e: e["t"]):
        if until is not None and event["t"] >= until:
            state, until = moved(state, "grace_over"), None
        after = moved(state, event["e"])
        if after != state:
            until = event["t"] + given["grace_s"] if after == "grace" else None
        state = after
    if until is not None and given["end"] >= until:
        state = moved(state, "grace_over")
    return {"state": state, "penalty": PENALTY[state]}
