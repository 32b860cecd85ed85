"""Regular checks that repair the lists of people and seats where they differ from the open lines.

This should never be needed: a lost line is forgotten at once (`Attendance.detach`), and a table that is loaded asks who
is there (`TableCache`). But if one of these steps fails, the lists would stay wrong for ever, and a player could lose a
game because of it. So the lists are compared with the open lines regularly.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping

from qipai.hall.live.runner import TableRunner
from qipai.hall.rooms.audience import Audience
from qipai.hall.rooms.chats import Chats
from qipai.hall.rooms.inside import Inside
from qipai.hall.rooms.lobby import Lobby
from qipai.hall.rooms.people import People
from qipai.hall.rooms.session import Session

__all__ = ["Healing"]

log = logging.getLogger("qipai.hall")


class Healing:
    """Compares the hall's lists with the open lines."""

    def __init__(
        self,
        runner: TableRunner,
        people: People,
        audience: Audience,
        lobby: Lobby,
        inside: Inside,
        chats: Chats,
        lost: Callable[[Session], None],
    ) -> None:
        """lost: called for a line that has ended."""
        self._runner, self._people, self._audience = runner, people, audience
        self._lobby, self._inside, self._chats, self._lost = lobby, inside, chats, lost
        self.healed: Mapping[str, int] = {"lines": 0, "listeners": 0, "seats": 0}  # since the start

    def heal(self, gone: Iterable[Session] = ()) -> None:
        """Repair what differs, and log it. gone: sessions whose line has ended but that are still listed."""
        found = {"lines": self._lines(gone), "listeners": self._listeners(), "seats": self._seats()}
        if any(found.values()):
            log.warning("what should have been forgotten was: %s", found)
            self.healed = {what: count + found[what] for what, count in self.healed.items()}

    def _lines(self, gone: Iterable[Session]) -> int:
        """Forget lost lines: their people are still listed, and their seats are not waiting for a return."""
        people = self._people
        unlisted = (session for session in people.all_lines() if session not in people.sessions)
        lost = dict.fromkeys([*gone, *unlisted])
        for session in lost:
            people.sessions[session] = None  # treat it as lost now
            self._lost(session)
        return len(lost)

    def _listeners(self) -> int:
        """Forget lost lines to which tables and rooms still send."""
        sessions = self._people.sessions
        lost = [
            (listener, live.id)
            for live in self._runner.tables.values()
            for listener in (*live.listeners, *live.looks)
            if isinstance(listener, Session) and listener not in sessions
        ]
        for session, table in lost:
            self._audience.leave(session, table)
        inside = [(session, room) for session, room in self._inside.all() if session not in sessions]
        for session, room in inside:
            self._lobby.exit(session, room)
        hearing = [(session, place) for session, place in self._chats.all() if session not in sessions]
        for session, place in hearing:
            self._chats.leave(session, place)
        return len(lost) + len(inside) + len(hearing)

    def _seats(self) -> int:
        """Tell tables who has lost their line, or has one again."""
        count = 0
        for live in list(self._runner.tables.values()):
            if not live.busy and not live.inbox:  # otherwise it may be about to learn it
                for command in self._runner.cache.unaware(live.table):
                    count += 1
                    self._runner.submit(live, command)
        return count
