"""Deletion of an account at its owner's request (platform P-96)."""

from __future__ import annotations

import logging
from collections.abc import Callable

from qipai.accounts.model import User
from qipai.accounts.service import Accounts
from qipai.community.service import Community
from qipai.contests.live import Contests
from qipai.hall.hall import Hall
from qipai.hall.table.errors import HallError
from qipai.web.services import Services

__all__ = ["delete_account", "erased", "finish"]

log = logging.getLogger("qipai.accounts")


async def delete_account(services: Services, user: User, password: str, *, confirm: bool) -> None:
    """Delete an account (P-96). Raises HallError and Refused: BAD_LOGIN, NOT_ALLOWED, CONFIRM_QUIT.

    Everything that names the person is deleted. Their games stay, and so do the lines of the ledger, whose sum would
    change otherwise.
    """
    now = services.now()
    await services.accounts.confirm(user.id, password, now // 1000)
    if await services.accounts.role(user.id) == "admin" and await services.accounts.administrators() == 1:
        raise HallError("NOT_ALLOWED", case="last_admin")
    await erased(
        user,
        services.accounts,
        services.hall,
        services.contests,
        now,
        confirm=confirm,
        community=services.community,
        cut=services.sockets.cut_user,
    )


async def finish(services: Services) -> None:
    """Finish the deletions in whose midst the hall was killed."""
    for id in await services.accounts.departing():
        user = await services.accounts.find(id)
        assert user is not None  # the row stays
        try:
            await erased(
                user,
                services.accounts,
                services.hall,
                services.contests,
                services.now(),
                confirm=True,
                community=services.community,
            )
        except Exception:  # the hall starts all the same, and tries again at its next start
            log.exception("the deletion of account %d could not be finished", id)


async def erased(
    user: User,
    accounts: Accounts,
    hall: Hall,
    contests: Contests,
    now: int,
    *,
    confirm: bool,
    community: Community | None = None,
    cut: Callable[[int], None] = lambda _: None,
) -> None:
    """Delete an account whose owner has been proven; now: ms. Raises HallError CONFIRM_QUIT and has done nothing then.

    Logins end before anything is erased, and with them the lines, which `cut` closes, so that nothing new comes. What a
    call that was under way has written meanwhile is erased after it. The account's own row is deleted last, so that
    after a failure the owner can sign in and try again; after a kill the next start goes on. Each step may be done
    twice.
    """
    await hall.sign_out.quit_all(user, confirm=confirm, for_good=True)
    await accounts.depart(user.id, now // 1000)
    await contests.gone(user.id, "deleted")
    await accounts.end_logins(user.id)
    cut(user.id)
    for _ in range(2):
        if community is not None:
            await community.erase(user.id)
        await hall.deletion.erase(user)
    await hall.ledger.depart(user.id, now=now)
    await accounts.delete(user.id, now // 1000)
