"""Nim 拈: two seats take stones from heaps; nothing is hidden. Rules: docs/spec/nim.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipai.core.entry import Entry, Form, by_turns
from qipai.games._template.options import Options

if TYPE_CHECKING:
    from qipai.games._template.state import Action, State, View

__all__ = ["ENTRY"]

ENTRY: Entry[Options, State, View, Action] = Entry(
    __name__,
    seats=(2,),
    options=Options,
    form=Form(presets={"long": {"heaps": "3-5-7-9"}}),
    clock=lambda options: by_turns(options.turn_seconds, {}),
    luck=False,
    swap=True,  # R1: whoever did not begin begins the next game
)
