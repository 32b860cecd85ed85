"""Deletion of an account at its owner's request (platform P-96)."""

from __future__ import annotations

from qipai.accounts.model import User
from qipai.hall.table.errors import HallError
from qipai.web.services import Services

__all__ = ["delete_account"]


async def delete_account(services: Services, user: User, password: str, *, confirm: bool) -> None:
    """Delete an account (P-96). Raises HallError and Refused: BAD_LOGIN, NOT_ALLOWED, CONFIRM_QUIT.

    Everything that names the person is deleted. Their games stay, and so do the lines of the ledger, whose sum would
    change otherwise. The account's own row is deleted last, so that after a failure the owner can try again.
    """
    now = services.now()
    await services.accounts.confirm(user.id, password, now // 1000)
    if await services.accounts.role(user.id) == "admin" and await services.accounts.administrators() == 1:
        raise HallError("NOT_ALLOWED", case="last_admin")
    await services.hall.sign_out.quit_all(user, confirm=confirm, for_good=True)
    await services.contests.gone(user.id, "deleted")
    await services.hall.deletion.erase(user)
    await services.hall.ledger.depart(user.id, now=now)
    await services.accounts.delete(user.id, now // 1000)
    services.sockets.cut_user(user.id)
