"""Calls about where somebody is told of what has happened: devices, e-mail (platform P-5, P-76)."""

from __future__ import annotations

from qipai.accounts.text import line
from qipai.community.notices.sentences import ALL
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.pages.reach import DeviceRow, NewDevice, Reach, StopLetters
from qipai.web.protocol import NoBody

__all__: list[str] = []


@call("GET", "/me/push", "cookie")
async def reach(ask: Ask) -> Reach:
    """Return where I am told of what has happened, and of which kinds."""
    community, login = ask.services.community, ask.login
    settings = await ask.accounts.settings(ask.user.id)
    key = None if login is None else login.key
    return Reach(
        key=community.push.key,
        devices=tuple(
            DeviceRow(one.id, one.name, one.made_at, one.login == key)
            for one in await community.push.devices(ask.user.id)
        ),
        push=settings.push if isinstance(settings.push, tuple) else ALL,
        mail=community.letters.ready,
        email=await ask.accounts.email(ask.user.id) is not None,
        letters=settings.letters if isinstance(settings.letters, tuple) else (),
    )


@call("POST", "/me/push", "cookie")
async def add_device(ask: Ask, body: NewDevice) -> Reach:
    """Have this device told, until its login ends."""
    if ask.user.kind == "guest":
        raise HallError("SIGN_IN", case="guest")
    assert ask.login is not None
    await ask.services.community.push.add(
        ask.user.id,
        ask.login.key,
        body.endpoint,
        body.public,
        body.secret,
        name=line(body.name),
        tongue=body.lang,
    )
    return await reach(ask)  # type: ignore[no-any-return]


@call("DELETE", "/me/push/{id:int}", "cookie")
async def remove_device(ask: Ask, body: NoBody) -> None:
    """Have a device told nothing more."""
    await ask.services.community.push.remove(ask.user.id, ask.path["id"])


@call("POST", "/letters/stop")
async def stop_letters(ask: Ask, body: StopLetters) -> None:
    """Send no more news by e-mail to whom a link was sent."""
    await ask.services.community.letters.stop(body.token)
