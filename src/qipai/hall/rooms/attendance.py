"""Handles lines that open and close, for tables, rooms and lists (platform P-27, P-77)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from qipai.accounts.model import User
from qipai.hall.live.addresses import Addresses, Origin
from qipai.hall.live.ports import Accounts
from qipai.hall.live.runner import TableRunner
from qipai.hall.live.timers import Clock
from qipai.hall.rooms.audience import Audience
from qipai.hall.rooms.chats import Chats
from qipai.hall.rooms.invitations import Invitations
from qipai.hall.rooms.lobby import Lobby
from qipai.hall.rooms.people import People
from qipai.hall.rooms.session import Connection, Session, SessionPorts
from qipai.hall.table.system_commands import Found, Lag, Lost

__all__ = ["Attendance"]

log = logging.getLogger("qipai.hall")

FAILED: Final = 1011  # the close code of a line that ends because of an error in the hall
LAG_STEP_MS: Final = 20  # a line's latency is noted when it has changed by so much


class Attendance:
    """Notes who comes and who goes."""

    def __init__(
        self,
        accounts: Accounts,
        clock: Clock,
        runner: TableRunner,
        addresses: Addresses,
        people: People,
        audience: Audience,
        lobby: Lobby,
        chats: Chats,
        invitations: Invitations,
        ports: SessionPorts,
        closing: Callable[[], bool],
    ) -> None:
        """ports: what every line is given. closing: tells whether the hall is shutting down."""
        self._accounts, self._clock, self._runner, self._addresses = accounts, clock, runner, addresses
        self._people, self._audience, self._lobby, self._invitations = people, audience, lobby, invitations
        self._chats, self._ports, self._closing = chats, ports, closing
        self._failed: set[Session] = set()  # sessions that are about to be closed

    def attach(
        self,
        connection: Connection,
        user: User | None,
        *,
        moderator: bool = False,
        person: bool = True,
        origin: Origin | None = None,
        unproven: bool = False,
    ) -> Session:
        """Return the session of a line that has said hello. The first line of a user brings them back to their seats.

        moderator: of the whole hall. person: not a program with a token, which never acts as a moderator.
        origin: where the line comes from; None: from this machine itself, where people may sit together. unproven: a
        moderator who has not given the second factor that this hall requires.
        """
        session = Session(
            self._ports, connection, user, moderator=moderator, person=person, origin=origin, unproven=unproven
        )
        self._people.sessions[session] = None
        if user is not None:
            self._addresses.came(user.id, session)
            if self._people.came(user.id, session):
                self._each(
                    partial(self._accounts.came, user.id, self._clock.now() // 1000),
                    *(
                        partial(self._people.at_table, user.id, id, Found(user.id))
                        for id in self._people.awake(user.id)
                    ),
                    partial(self._lobby.came, user),
                )
        return session

    def detach(self, session: Session) -> None:
        """Forget a closed line. If one step fails, the others are still done, so nobody stays listed who is gone."""
        if session not in self._people.sessions:
            return  # it failed earlier and was closed then
        del self._people.sessions[session]
        session.closed = True
        self._each(
            *(partial(self._audience.leave, session, id) for id in session.tables),
            *(partial(self._lobby.exit, session, id) for id in session.rooms),
            *(partial(self._chats.leave, session, place) for place in session.chats),
        )
        user = session.user
        if user is not None and self._people.here(user.id):
            self._addresses.went(user.id, session)
            if self._people.went(user.id, session):
                # When the hall shuts down, it closes the lines itself: nobody has lost theirs, all keep their seats.
                tables = () if self._closing() else self._people.awake(user.id)
                self._each(
                    partial(self._accounts.went, user.id, self._clock.now() // 1000),
                    partial(self._invitations.forget, user.id),
                    *(partial(self._people.at_table, user.id, id, Lost(user.id)) for id in tables),
                    partial(self._lobby.went, user),
                )

    @staticmethod
    def _each(*steps: partial[Any]) -> None:
        """Run several steps; a step that fails is logged and does not stop the others."""
        for step in steps:
            try:
                step()
            except Exception:
                log.exception("a line came or went, and %s failed", step.func.__qualname__)

    def failed(self, session: Session, wrong: Exception) -> None:
        """Close a line to which sending failed, after the sender has sent to all others."""
        if session in self._people.sessions and session not in self._failed:
            self._failed.add(session)
            log.warning("a line of user %s takes nothing any more: %r", session.user_id, wrong)
            asyncio.get_running_loop().call_soon(self._let_go, session)

    def _let_go(self, session: Session) -> None:
        self._failed.discard(session)
        session.close(FAILED)
        self.detach(session)

    def renamed(self, user: User) -> None:
        """Show somebody under their new name wherever they appear now."""
        for session in self._people.sessions:
            if session.user_id == user.id:
                session.user = user
        for id in self._people.awake(user.id):
            if live := self._runner.tables.get(id):
                self._runner.showing.anew(live)
                self._lobby.table_changed(live)

    def lag(self, session: Session, ms: int) -> None:
        """Note how long a line's round trip takes (P-23)."""
        user = session.user_id
        if user is None or abs(ms - session.lag) < LAG_STEP_MS:
            return
        session.lag = ms
        for id in set(session.tables).intersection(self._people.awake(user)):
            if live := self._runner.tables.get(id):
                self._runner.submit(live, Lag(user, ms))
