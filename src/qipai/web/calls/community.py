"""Calls that all features of the community share: notices, a look at a text before it is sent (platform P-12, P-76)."""

from __future__ import annotations

from qipai.web.api import Ask, call
from qipai.web.pages.community import NoticeRow, NoticeRows, NoticesRead, Preview, Previewed

__all__: list[str] = []


@call("GET", "/news", "signed", "play", "board", queries="limit after kind")
async def news(ask: Ask) -> NoticeRows:
    """Return what has happened for me, at the path of its page (P-112)."""
    return await notices(ask)  # type: ignore[no-any-return]


@call("GET", "/notices", "signed", "play", "board", queries="limit after kind")
async def notices(ask: Ask) -> NoticeRows:
    """Return what has happened for me, newest first (P-76)."""
    after, most = ask.cursor()
    kind = ask.query.get("kind")
    found = await ask.services.community.notices.of(ask.user.id, after, most + 1, None if kind is None else (kind,))
    rows = tuple(NoticeRow(one.id, one.at, one.kind, one.path, one.facts, one.read) for one in found[:most])
    return NoticeRows(
        rows=rows,
        next=str(found[most - 1].id) if len(found) > most else None,
        unread=ask.services.community.notices.unread(ask.user.id),
    )


@call("POST", "/notices/read", "cookie")
async def read_notices(ask: Ask, body: NoticesRead) -> None:
    """Mark my notices as read."""
    await ask.services.community.notices.read(ask.user.id, body.until)


@call("POST", "/preview", "cookie")
async def preview(ask: Ask, body: Preview) -> Previewed:
    """Return how a text will look."""
    return Previewed(await ask.services.community.common.html(body.text))
