"""The easy player: leads long, wins cheaply, gives the partner no points. Fast without a compiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qipai.games.shengji.imagine import public_table
from qipai.games.shengji.kernel import policy
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import call_cards, write
from qipai.games.shengji.options import Options
from qipai.games.shengji.state import Action, Bury, Declare, Pass, Play, View

__all__ = ["Easy", "burying", "calling", "chosen"]


def calling(s: t.Table, view: View) -> Action | None:
    """Return the declaration that the policy makes; without one, Pass where the table waits for an answer."""
    assert view.seat is not None
    found = int(policy.call(s, view.seat))
    if found >= 0:
        return Declare(call_cards(int(s.reg[t.DECKS]), found // 4, found % 4))
    return Pass() if view.seat in view.turn else None


def burying(s: t.Table, room: t.Room) -> Action:
    """Return the kitty that the policy buries."""
    policy.burial(s, room)
    return Bury(write(s, room.move))


def chosen(options: Options, view: View, room: t.Room, plays: Callable[[t.Table, int, t.Room], Any]) -> Action | None:
    """Return an action: cards by `plays`, which writes them to `room.move`; None when there is nothing to declare."""
    s = public_table(options, view)
    assert view.seat is not None
    if view.phase in ("dealing", "declaring"):
        return calling(s, view)
    if view.phase == "burying":
        return burying(s, room)
    plays(s, view.seat, room)
    return Play(write(s, room.move))


class Easy:
    """Plays by `kernel.policy.simple`."""

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        self.options = options if options is not None else Options()
        self.room = t.new_room()

    def choose(self, view: View, budget_ms: int) -> Action | None:
        """Return an action, None when there is nothing to declare; the time budget is ignored."""
        return chosen(self.options, view, self.room, policy.simple)
