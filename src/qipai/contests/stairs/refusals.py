"""Whom a member may challenge, and why not the others: said before it is tried (platform P-70). Pure."""

from __future__ import annotations

from qipai.contests.stairs.model import BETWEEN, DAY, Stairs
from qipai.contests.stairs.steps import REACH, refused
from qipai.hall.table.errors import HallError

__all__ = ["Refusals"]


class Refusals:
    """Why challenges by one member are refused at a time."""

    def __init__(self, state: Stairs, challenger: int, now: int) -> None:
        self.state, self.challenger, self.now = state, challenger, now
        self.me = state.members.get(challenger)
        self.out = any(game.challenger == challenger for game in state.running)
        self.busy = {game.challenged for game in state.running}
        self.opponents = {user for game in state.running if challenger in game.users for user in game.users}
        self.met = {user: met.at for met in state.met if challenger in met.users for user in met.users}

    def code(self, target: int) -> str | None:
        """Return the code by which a challenge is refused, None when it stands; the first of P-70's order."""
        me, them = self.me, self.state.members.get(target)
        last = self.met.get(target)
        return refused(
            None if me is None else me.step,
            None if them is None else them.step,
            same_user=target == self.challenger,
            my_retired=me is not None and me.retired is not None,
            my_out=self.out,
            target_in=target in self.busy or (them is not None and them.retired is not None),
            playing=target in self.opponents,
            last_finished_days=None if last is None else (self.now - last) / DAY,
        )

    def until(self, target: int) -> int | None:
        """Return until when the two have played each other too lately (ms), None: they have not."""
        last = self.met.get(target)
        return None if last is None or last + BETWEEN <= self.now else last + BETWEEN

    def refuse(self, target: int) -> None:
        """Raise HallError unless the challenge stands."""
        match self.code(target):
            case None:
                return
            case "TOO_SOON":
                raise HallError("TOO_SOON", until=self.until(target))
            case "STEP_ABOVE" | "STEP_TOO_LOW" as code:
                assert self.me is not None
                step = self.state.members[target].step
                raise HallError(code, step=self.me.step, target=step, reach=REACH)
            case code:
                raise HallError(code)
