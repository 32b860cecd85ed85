"""Deletion of an account at its owner's request (platform P-96)."""

from __future__ import annotations

import logging

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
    )
    services.sockets.cut_user(user.id)


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
) -> None:
    """Delete an account whose owner has been proven; now: ms. Raises HallError CONFIRM_QUIT and has done nothing then.

    The account's own row is deleted last, so that after a failure the owner can try again; after a kill the next start
    goes on. Each step may be done twice.
    """
    await hall.sign_out.quit_all(user, confirm=confirm, for_good=True)
    await accounts.depart(user.id, now // 1000)
    await contests.gone(user.id, "deleted")
    if community is not None:
        await community.erase(user.id)
    await hall.deletion.erase(user)
    await hall.ledger.depart(user.id, now=now)
    await accounts.delete(user.id, now // 1000)
