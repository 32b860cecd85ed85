"""What the calls of all contests share: who asks, whom a page names, who may end one."""

from __future__ import annotations

from collections.abc import Iterable

from qipai.accounts.model import User
from qipai.contests.contract import Cancel
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask

__all__ = ["cancelling", "chosen", "people_of", "player_of"]


def player_of(ask: Ask) -> User:
    """Return who asks; raises HallError for guests and programs, whose games do not count."""
    if ask.user.kind == "guest":
        raise HallError("SIGN_IN", case="guest")
    if ask.user.kind == "bot":
        raise HallError("NOT_ALLOWED", case="program")
    return ask.user


async def people_of(ask: Ask, numbers: Iterable[int | None]) -> tuple[User, ...]:
    """Return the users of these numbers."""
    wanted = sorted({number for number in numbers if number is not None})
    await ask.accounts.meet(wanted)
    found = [ask.accounts.peek(number) for number in wanted]
    return tuple(user for user in found if user is not None)


def chosen(ask: Ask, name: str) -> bool | None:
    """Return what a list is narrowed to: 1, or 0; None: it is not."""
    said = ask.query.get(name)
    if said not in (None, "0", "1"):
        raise HallError("BAD_MESSAGE", field=name)
    return None if said is None else said == "1"


def cancelling(ask: Ask, by: int | None, reason: str) -> Cancel:
    """Return the command that ends a contest made by `by`; raises HallError for who is not that, nor a moderator."""
    moderator = ask.login is not None and ask.login.role in ("moderator", "admin")
    if by != ask.user.id and not moderator:
        raise HallError("NOT_ALLOWED")
    return Cancel(reason=reason, moderator=moderator)
