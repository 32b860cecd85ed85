"""Closes the lines of a person whose login, role or second factor changes."""

from __future__ import annotations

from collections.abc import Callable

from qipai.accounts.model import Login
from qipai.accounts.service import Accounts
from qipai.hall.rooms.people import People
from qipai.hall.rooms.sign_out import SignOut
from qipai.store import LogEntry, Store
from qipai.web.sockets import Sockets

__all__ = ["Logins"]


class Logins:
    """Ends logins, and records roles and factors. second_factor: whether moderators must have one."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        people: People,
        seats: SignOut,
        sockets: Sockets,
        now: Callable[[], int],
        *,
        second_factor: bool,
    ) -> None:
        self._store, self._accounts, self._people, self._seats = store, accounts, people, seats
        self._sockets, self._now, self._second_factor = sockets, now, second_factor

    async def note_role(self, user: int, role: str, *, by: int | None) -> None:
        """Record that somebody has a new role, and close their lines, which still have the old one."""
        await self._store.append(
            [LogEntry("roles", None, "role.given", {"user": user, "role": role}, None, by)], self._now()
        )
        self._sockets.cut_user(user)

    def factor_changed(self, user: int, *, on: bool) -> None:
        """Let the open lines of somebody know that their second factor is on or off."""
        for session in self._people.sessions:
            if session.user_id == user:
                session.unproven = self._second_factor and not on

    async def sign_out(self, login: Login, *, everywhere: bool, confirm: bool) -> None:
        """End a login, or all of its user's; a person without a login gives up the seats, as by `stand` (P-26)."""
        user = await self._accounts.find(login.user)
        if user is not None and (everywhere or not self._sockets.elsewhere(login)):
            await self._seats.quit_all(user, confirm=confirm)
        self._sockets.cut(await self._accounts.logout(login, everywhere=everywhere))
