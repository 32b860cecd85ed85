"""Deleting an account, as its owner asks for it (platform P-96)."""

from __future__ import annotations

from qipai.accounts.model import User
from qipai.hall.table.errors import HallError
from qipai.web.services import Services

__all__ = ["delete_account"]


async def delete_account(services: Services, user: User, password: str, *, confirm: bool) -> None:
    """Delete an account (P-96). Raises HallError and Refused: BAD_LOGIN, NOT_ALLOWED, CONFIRM_QUIT.

    What names them goes; what they have played stays, and so do the lines of the ledger, whose sum it would change. The
    account's own row is the last: whatever stops this before, they can come back and do it again.
    """
    now = services.now()
    await services.accounts.confirm(user.id, password, now // 1000)
    if await services.accounts.role(user.id) == "admin" and await services.accounts.administrators() == 1:
        raise HallError("NOT_ALLOWED", case="last_admin")
    await services.hall.sign_out.quit_all(user, confirm=confirm, for_good=True)
    await services.hall.deletion.erase(user)
    await services.hall.ledger.depart(user.id, now=now)
    await services.accounts.delete(user.id, now // 1000)
    services.sockets.cut_user(user.id)
