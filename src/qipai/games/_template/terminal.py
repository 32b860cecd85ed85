"""Nim in a terminal: the heaps as text, typed numbers, events as lines."""

from __future__ import annotations

import re

from qipai.core.contract import BadNotation
from qipai.games._template.options import Options
from qipai.games._template.state import Action, Ended, Event, State, Take, View
from qipai.lang import voice

__all__ = ["mark", "read", "say", "show"]


def show(options: Options, view: View, lang: str) -> str:
    """Return the heaps, a line each, and whose turn it is."""
    words = voice("_template", lang)
    lines = [f"{number}  {'●' * n or '·'}" for number, n in enumerate(view.heaps, 1)]
    if view.winner is not None:
        return "\n".join([*lines, words("event.ended", winner=words("show.seat", seat=view.winner))])
    return "\n".join([*lines, words("ui.turn", name=words("show.seat", seat=view.turn[0]))])


def read(options: Options, view: View, text: str) -> Action:
    """Return the action a typed line stands for: `2 3` takes three stones from the second heap. Raises BadNotation."""
    if found := re.fullmatch(r"(\d{1,3})[ ,，x×]+(\d{1,3})", text.strip()):
        return Take(int(found[1]) - 1, int(found[2]))
    raise BadNotation("not_understood", text=text[:40])


def say(event: Event, lang: str) -> str:
    """Return an event as one line of text."""
    words = voice("_template", lang)
    key, facts = words.told(event, ("seat", "winner"))
    if "heap" in facts:
        facts["heap"] += 1
    return words(key, **facts)


def mark(state: State | None, event: Event) -> str | None:
    """Return whether an event is a critical moment (P-90), by its key under `mark.`."""
    return "end" if isinstance(event, Ended) else None
