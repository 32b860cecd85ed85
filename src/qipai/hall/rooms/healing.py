"""Regular checks that repair the lists of people and seats where they differ from the open lines.

Nothing of this should ever be needed: a line that is lost is forgotten at once (`Attendance.detach`), and a table that
wakes asks who is there (`TableCache`). But what depends on one moment stays wrong for ever if that moment fails, and a
seat whose table plays on for nobody is a game lost. So the truth, which lines there are, is looked up again and again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping

from qipai.hall.live.runner import TableRunner
from qipai.hall.rooms.audience import Audience
from qipai.hall.rooms.inside import Inside
from qipai.hall.rooms.lobby import Lobby
from qipai.hall.rooms.people import People
from qipai.hall.rooms.session import Session

__all__ = ["Healing"]

log = logging.getLogger("qipai.hall")


class Healing:
    """Compares what the hall believes with the lines it has."""

    def __init__(
        self,
        runner: TableRunner,
        people: People,
        audience: Audience,
        lobby: Lobby,
        inside: Inside,
        lost: Callable[[Session], None],
    ) -> None:
        """lost: called for a line that has ended."""
        self._runner, self._people, self._audience = runner, people, audience
        self._lobby, self._inside, self._lost = lobby, inside, lost
        self.healed: Mapping[str, int] = {"lines": 0, "listeners": 0, "seats": 0}  # since the start

    def heal(self, gone: Iterable[Session] = ()) -> None:
        """Put right what is wrong, and say so in the log. gone: sessions whose line has ended, all the same."""
        found = {"lines": self._lines(gone), "listeners": self._listeners(), "seats": self._seats()}
        if any(found.values()):
            log.warning("what should have been forgotten was: %s", found)
            self.healed = {what: count + found[what] for what, count in self.healed.items()}

    def _lines(self, gone: Iterable[Session]) -> int:
        """Forget lines that are lost: their people stand in the lists, and their seats wait for nobody."""
        people = self._people
        lost = {*gone, *(session for session in people.all_lines() if session not in people.sessions)}
        for session in lost:
            people.sessions.add(session)  # as if it had been lost now
            self._lost(session)
        return len(lost)

    def _listeners(self) -> int:
        """Forget lost lines that tables and rooms still speak to."""
        sessions = self._people.sessions
        lost = [
            (listener, live.id)
            for live in self._runner.tables.values()
            for listener in live.listeners
            if isinstance(listener, Session) and listener not in sessions
        ]
        for session, table in lost:
            self._audience.leave(session, table)
        inside = [(session, room) for session, room in self._inside.all() if session not in sessions]
        for session, room in inside:
            self._lobby.exit(session, room)
        return len(lost) + len(inside)

    def _seats(self) -> int:
        """Tell tables who has no line any more, or has one again."""
        count = 0
        for live in list(self._runner.tables.values()):
            if not live.busy and not live.inbox:  # else it may be just about to be told
                for command in self._runner.cache.unaware(live.table):
                    count += 1
                    self._runner.submit(live, command)
        return count
