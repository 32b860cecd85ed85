"""Calls of plain pages, tips of the day and membership (platform P-7, P-62, P-85, P-86)."""

from __future__ import annotations

import re
from typing import Final

from qipai.community.plain.files import MOST, NAMES
from qipai.community.tips.days import SHIPPED
from qipai.community.tips.service import Tip
from qipai.hall.table.errors import HallError
from qipai.ledger.service import day_of
from qipai.web.api import Ask, call
from qipai.web.pages.plain import (
    Contact,
    Contacted,
    Decline,
    LimitRow,
    Membership,
    NewTip,
    OldText,
    PageEdit,
    PageEdits,
    PageSource,
    PlainPage,
    SavePage,
    TipMade,
    TipRow,
    TipRows,
)
from qipai.web.protocol import NoBody

__all__: list[str] = []

LANG: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z]{2,8})?")
LEVELS: Final = ("pawn", "knight", "rook")
MINE: Final = 50


def _lang(text: str) -> str:
    """Return a language as the pages' files have it; raises HallError."""
    if LANG.fullmatch(text) is None:
        raise HallError("BAD_OPTION", field="lang")
    return text


async def _page(ask: Ask, name: str) -> PlainPage:
    lang = _lang(ask.query.get("lang", "en"))
    found = await ask.services.community.plain.text(name, lang)
    html = await ask.services.community.common.html(found.text)
    return PlainPage(name, lang, html, found.own, found.at, ask.base() if name == "invite" else None)


@call("GET", "/support", queries="lang")
async def support(ask: Ask) -> PlainPage:
    """Return how to help this hall and qipai (支持我们, P-85)."""
    return await _page(ask, "support")


@call("GET", "/contact", queries="lang")
async def contact_page(ask: Ask) -> PlainPage:
    """Return how to reach those who run this hall (联系我们, P-85)."""
    return await _page(ask, "contact")


@call("GET", "/links", queries="lang")
async def links(ask: Ask) -> PlainPage:
    """Return the hall's links (链接, P-85)."""
    return await _page(ask, "links")


@call("GET", "/faq", queries="lang")
async def faq(ask: Ask) -> PlainPage:
    """Return questions and answers (常见问答, P-85)."""
    return await _page(ask, "faq")


@call("GET", "/help", queries="lang")
async def help_page(ask: Ask) -> PlainPage:
    """Return the help (帮助, P-85)."""
    return await _page(ask, "help")


@call("GET", "/invite", queries="lang")
async def invite_page(ask: Ask) -> PlainPage:
    """Return how to bring people here (P-85)."""
    return await _page(ask, "invite")


@call("POST", "/contact")
async def contact(ask: Ask, body: Contact) -> Contacted:
    """Write to those who run this hall: a report of kind `contact`, from guests and strangers, too (P-85)."""
    window, clock, key = ask.services.contacts, ask.services.clock(), ask.address or "here"
    if wait := window.wait(key, clock):
        raise HallError("RATE_LIMIT", wait_ms=round(1000 * wait))
    window.add(key, clock)
    text = "\n\n".join(filter(None, (body.text.strip(), body.reply.strip())))
    return Contacted(await ask.hall.order.report(ask.viewer, "contact", None, "", text, ask.now))


# The pages' sources, for administrators ----------------------------------------------------------------------------


def _is_admin(ask: Ask) -> bool:
    """Tell whether an administrator asks, with the second factor where this hall wants one."""
    return ask.keeps_order and ask.login is not None and ask.login.role == "admin"


def _admin(ask: Ask) -> None:
    """Raise HallError unless an administrator asks, with the second factor where this hall wants one."""
    if ask.login is None or not ask.login.cookie or ask.login.role != "admin":
        raise HallError("NOT_ALLOWED")
    if not ask.accounts.proven(ask.login):
        raise HallError("SECOND_FACTOR", case="moderator")


def _which(ask: Ask) -> tuple[str, str]:
    """Return the page and the language of an address; raises HallError."""
    _admin(ask)
    name = ask.path["name"]
    if name not in NAMES:
        raise HallError("NOT_FOUND")
    return name, _lang(ask.path["lang"])


@call("GET", "/pages/{name}/{lang}", "cookie")
async def source(ask: Ask) -> PageSource:
    """Return a plain page as it is written, for administrators."""
    name, lang = _which(ask)
    plain = ask.services.community.plain
    found = await plain.text(name, lang)
    return PageSource(found.text, found.version, found.own, await plain.shipped(name, lang), MOST)


@call("POST", "/pages/{name}/{lang}", "cookie")
async def save(ask: Ask, body: SavePage) -> PageSource:
    """Give a plain page another text; whoever changed an older one is told, and loses nothing."""
    name, lang = _which(ask)
    plain = ask.services.community.plain
    text = ask.services.community.common.text(body.text, MOST) + "\n"
    found = await plain.save(name, lang, text, body.was, by=ask.user.id, cid=body.cid)
    return PageSource(found.text, found.version, found.own, await plain.shipped(name, lang), MOST)


@call("GET", "/pages/{name}/{lang}/edits", "cookie")
async def edits(ask: Ask) -> PageEdits:
    """Return the last texts that a plain page has had, for administrators."""
    found = await ask.services.community.plain.edits(*_which(ask))
    rows = [PageEdit(one.id, one.at, await ask.person(one.by), one.version) for one in found]
    return PageEdits(rows=tuple(rows), next=None)


@call("GET", "/pages/{name}/{lang}/edits/{id:int}", "cookie")
async def edit(ask: Ask) -> OldText:
    """Return one of them."""
    return OldText(await ask.services.community.plain.edit(*_which(ask), ask.path["id"]))


# The tip of the day -------------------------------------------------------------------------------------------------


async def _row(ask: Ask, tip: Tip) -> TipRow:
    by = await ask.person(tip.author)
    return TipRow(tip.id, tip.at, by, tip.zh, tip.en, tip.state, tip.reason)


@call("GET", "/tips")
async def tips(ask: Ask) -> TipRows:
    """Return all tips of the day, what I have suggested, and what administrators have to judge (P-86)."""
    service, me = ask.services.community.tips, ask.somebody
    mine = [] if me is None else await service.by(me.id, MINE)
    waiting = await service.of("waiting", 0, MINE) if _is_admin(ask) else []
    lists = [tuple([await _row(ask, tip) for tip in found]) for found in (service.taken(), mine, waiting)]
    return TipRows(
        rows=lists[0],
        shipped=SHIPPED,
        today=service.today()[0],
        mine=lists[1],
        waiting=lists[2],
        chars=ask.services.config.pages.tip_chars,
        next=None,
    )


@call("POST", "/tips", "cookie")
async def new_tip(ask: Ask, body: NewTip) -> TipMade:
    """Suggest a tip; an administrator adds it."""
    admin = _is_admin(ask)
    return TipMade(await ask.services.community.tips.write(ask.user, body.zh, body.en, body.cid, admin=admin))


@call("POST", "/tips/{id:int}/take", "cookie")
async def take_tip(ask: Ask, body: NoBody) -> None:
    """Take a tip that was suggested; its author is told."""
    _admin(ask)
    await ask.services.community.tips.judge(ask.path["id"], ask.user.id, None)


@call("POST", "/tips/{id:int}/decline", "cookie")
async def decline_tip(ask: Ask, body: Decline) -> None:
    """Decline it; its author is told why."""
    _admin(ask)
    await ask.services.community.tips.judge(ask.path["id"], ask.user.id, body.reason.strip())


@call("DELETE", "/tips/{id:int}", "cookie")
async def drop_tip(ask: Ask, body: NoBody) -> None:
    """Withdraw a suggestion of mine; an administrator takes away any tip."""
    await ask.services.community.tips.withdraw(ask.path["id"], ask.user.id, admin=_is_admin(ask))


# Paid membership ----------------------------------------------------------------------------------------------------


@call("GET", "/membership")
async def membership(ask: Ask) -> Membership:
    """Return what each level of membership may do here, and how long mine lasts (付费会员, P-7, P-62)."""
    numbers, ledger, me = ask.services.config.members, ask.hall.ledger, ask.somebody
    fields = numbers.__struct_fields__
    names = [key.removeprefix("pawn_") for key in fields if key.startswith("pawn_")]
    rows = [LimitRow(name, *(getattr(numbers, f"{level}_{name}") for level in LEVELS)) for name in names]
    if me is None or me.kind != "user":
        level, until, days, coins = None, None, 0, None
    else:
        level, until = await ledger.level(me.id, ask.services.now()), await ledger.member_until(me.id)
        days = 0 if until is None else max(0, (until - day_of(ask.services.now())).days + 1)
        coins = (await ledger.wallet(me.id)).coins
    minor = me is not None and await ask.services.wishes.minor(me.id)
    sold = ask.services.config.coins.enabled and not minor  # P-107
    return Membership(
        limits=tuple(rows),
        level=level,  # type: ignore[arg-type]
        until=until if days else None,
        days=days,
        day_price=ledger.prices.member_days if sold else None,
        coins=coins if sold else None,
    )
