"""All open sockets, and closing those of a login, a person or an address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Protocol

from qipai.accounts.model import Login
from qipai.hall.table.messages import Bye

__all__ = ["HANDED_OVER", "SIGNED_OUT", "Member", "Sockets"]

HANDED_OVER: Final = 1012  # another node goes on: the client comes back at once, and nothing is said of it
SIGNED_OUT: Final = 4001  # the close code of a line whose login has ended


class Member(Protocol):
    """The part of a socket that this module needs."""

    login: Login | None
    peer: str | None
    welcomed: bool
    since: float
    heard_at: float

    @property
    def keeper(self) -> bool:
        """Tell whether it is the line of a moderator or administrator, who may come in from any address."""
        ...

    @property
    def via(self) -> str | None:
        """Return the node that passes the line on, None where it has come here by itself."""
        ...

    @property
    def lost(self) -> bool:
        """Tell whether the client has gone though nobody has said so."""
        ...

    def close(self, code: int) -> None:
        """Close the line after what was sent before."""
        ...

    def cut(self) -> None:
        """End it without a farewell."""
        ...

    def bye(self, message: Bye, code: int) -> None:
        """Say why, and close."""
        ...


class Sockets:
    """The open sockets."""

    def __init__(self) -> None:
        self._members: dict[Member, None] = {}

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Member]:
        return iter(list(self._members))

    def __contains__(self, one: object) -> bool:
        return one in self._members

    def add(self, one: Member) -> None:
        """Note a socket that was opened."""
        self._members[one] = None

    def discard(self, one: Member) -> None:
        """Forget one that is closed."""
        self._members.pop(one, None)

    def cut(self, keys: Iterable[bytes]) -> None:
        """Close the lines of logins that have ended."""
        ended = set(keys)
        for one in self:
            if one.login is not None and one.login.key in ended:
                one.bye(Bye(why="signed_out"), SIGNED_OUT)

    def cut_user(self, user: int) -> None:
        """Close all lines of somebody who is no longer allowed in."""
        for one in self:
            if one.login is not None and one.login.user == user:
                one.bye(Bye(why="signed_out"), SIGNED_OUT)

    def cut_addresses(self, addresses: Iterable[str]) -> None:
        """Close all lines from addresses that are shut, but for those of moderators."""
        shut = set(addresses)
        for one in self:
            if one.peer in shut and not one.keeper:
                one.bye(Bye(why="signed_out"), SIGNED_OUT)

    def elsewhere(self, login: Login) -> bool:
        """Tell whether a user has a line with another login."""
        logins = [one.login for one in self if one.login is not None]
        return any(one.user == login.user and one.key != login.key for one in logins)
