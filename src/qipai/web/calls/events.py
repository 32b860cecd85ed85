"""The timeline of somebody (platform P-12): notices and finished games, newest first."""

from __future__ import annotations

import re
from typing import Final

from qipai.hall.records.history import Finished
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.pages.mail import EventRow, EventRows

__all__: list[str] = []

FIRST: Final = 2**53
CURSOR: Final = re.compile(r"(\d{1,16})\.(\d{1,16})")  # the last notice and the last game that were shown
# Which notices a kind of the timeline means; `games`: finished ones, `changes`: of rating, pass or grade by them.
KINDS: Final = {
    "games": (),
    "changes": (),
    "invites": ("invite",),
    "contests": ("contest",),
    "people": ("friend",),
    "order": ("ruling", "role"),
    "achievements": ("achievement",),
}
NAMED: Final = tuple(kind for kinds in KINDS.values() for kind in kinds)


@call("GET", "/events", "signed", "play", "board", queries="limit after kind")
async def events(ask: Ask) -> EventRows:
    """Return my timeline, newest first; kind: games, changes, invites, contests, people, order, achievements, talk."""
    after, most = ask.page()
    kind = ask.query.get("kind")
    if kind is not None and kind != "talk" and kind not in KINDS:
        raise HallError("BAD_OPTION", field="kind")
    match = None if after is None else CURSOR.fullmatch(after)
    if after is not None and match is None:
        raise HallError("BAD_MESSAGE", field="after")
    notice, game = (FIRST, FIRST) if match is None else (int(match[1]), int(match[2]))
    notices, me = ask.services.community.notices, ask.user.id
    told = []
    if kind not in ("games", "changes"):
        only = None if kind in (None, "talk") else KINDS[kind]
        told = await notices.of(me, notice, most + 1, only, NAMED if kind == "talk" else ())
    games: list[Finished] = []
    if kind in (None, "games", "changes"):
        games = await ask.hall.history.finished(me, game, most + 1, changed=kind == "changes")
    found = [(one.at, 0, one.id, EventRow(one.at, one.kind, one.path, one.facts, one.read)) for one in told]
    found += [(one.part.at, 1, one.n, _row(one)) for one in games]
    found.sort(key=lambda one: one[:3], reverse=True)
    shown = found[:most]
    last = [min((number for _, which, number, _ in shown if which == of), default=first)
            for of, first in ((0, notice), (1, game))]  # fmt: skip
    newest = await notices.of(me, None, 1)
    return EventRows(
        rows=tuple(row for *_, row in shown),
        next=f"{last[0]}.{last[1]}" if len(found) > most else None,
        unread=notices.unread(me),
        newest=newest[0].id if newest else 0,
    )


def _row(one: Finished) -> EventRow:
    part = one.part
    facts = {
        "game": part.game,
        "variant": part.variant,
        "points": part.points,
        "sign": part.sign,
        "score": part.score,
        "coins": part.coins,
        "rating": one.rating,
        "pass": one.pass_,
        "grade": one.grade,
    }
    return EventRow(part.at, "game", f"/g/{part.id}", facts, read=True)
