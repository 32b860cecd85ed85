"""Calls about mail between people (platform P-9)."""

from __future__ import annotations

from qipai.accounts.model import User
from qipai.community.mail.service import HALL, Mail
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.pages.mail import MailRead, MailRow, MailThread, MailThreadRow, MailThreads, NewMail
from qipai.web.protocol import NoBody

__all__: list[str] = []

EXCERPT = 140  # characters of a mail in the list


def _owner(ask: Ask) -> None:
    """Raise HallError unless somebody asks who is registered."""
    if ask.user.kind == "guest":
        raise HallError("SIGN_IN", case="guest")


async def _other(ask: Ask) -> User | None:
    """Return with whom the thread of the path is, None for the hall; raises HallError."""
    _owner(ask)
    id = ask.path["id"]
    if id == HALL:
        return None
    if id == ask.user.id:
        raise HallError("SELF")
    user = await ask.accounts.find(id)
    if user is None or user.kind == "guest":
        raise HallError("NOT_FOUND")
    return user


@call("GET", "/mail", "cookie", queries="limit after")
async def mail(ask: Ask) -> MailThreads:
    """Return my threads, the one with the newest mail first."""
    _owner(ask)
    after, most = ask.cursor()
    service = ask.services.community.mail
    found = await service.threads(ask.user.id, after, most + 1)
    rows = []
    for one in found[:most]:
        last = one.last
        user = None if one.other == HALL else await ask.accounts.find(one.other)
        words = " ".join(last.text.split())[:EXCERPT]
        mine = last.author == ask.user.id
        rows.append(MailThreadRow(user, one.unread, last.id, last.at, mine, words, last.kind, last.facts, last.removed))
    return MailThreads(
        rows=tuple(rows),
        next=str(found[most - 1].last.id) if len(found) > most else None,
        unread=service.unread(ask.user.id),
    )


@call("GET", "/mail/{id:int}", "cookie", queries="limit after")
async def mail_thread(ask: Ask) -> MailThread:
    """Return the mails between somebody and me, newest first; number 0 is the hall."""
    other = await _other(ask)
    after, most = ask.cursor()
    id, me, service = ask.path["id"], ask.user, ask.services.community.mail
    found = await service.mails(me.id, id, after, most + 1)
    return MailThread(
        user=other,
        rows=await _rows(ask, found[:most]),
        next=str(found[most - 1].id) if len(found) > most else None,
        seen=(await service.side(id, me.id)).seen if other is not None else 0,
        closed="NOT_ALLOWED" if other is None else await service.closed(me, other),
    )


async def _rows(ask: Ask, mails: list[Mail]) -> tuple[MailRow, ...]:
    html = await ask.services.community.common.htmls([one.text for one in mails])
    return tuple(
        MailRow(one.id, one.at, one.author == ask.user.id, words, one.kind, one.facts, one.path, one.removed)
        for one, words in zip(mails, html, strict=True)
    )


@call("POST", "/mail/{id:int}", "cookie")
async def send_mail(ask: Ask, body: NewMail) -> MailRow:
    """Write to somebody."""
    other = await _other(ask)
    if other is None:
        raise HallError("NOT_FOUND")
    found = await ask.services.community.mail.send(ask.user, other, body.text, body.cid)
    return (await _rows(ask, [found]))[0]


@call("POST", "/mail/{id:int}/read", "cookie")
async def read_mail(ask: Ask, body: MailRead) -> None:
    """Mark the mails of a thread as read."""
    await _other(ask)
    await ask.services.community.mail.read(ask.user.id, ask.path["id"], body.until)


@call("DELETE", "/mail/{id:int}", "cookie")
async def delete_thread(ask: Ask, body: NoBody) -> None:
    """Delete all mails of a thread on my side; the other keeps theirs."""
    await _other(ask)
    await ask.services.community.mail.delete_thread(ask.user.id, ask.path["id"])


@call("DELETE", "/mails/{id:int}", "cookie")
async def delete_mail(ask: Ask, body: NoBody) -> None:
    """Delete a mail on my side; the other keeps theirs."""
    _owner(ask)
    await ask.services.community.mail.delete(ask.user.id, ask.path["id"])
