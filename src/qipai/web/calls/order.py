"""Calls about keeping the order: reports, rulings, reversals, the audit, grants, codes, roles (platform P-33, P-95)."""

from __future__ import annotations

import ipaddress

from msgspec import structs

from qipai.accounts import resets
from qipai.accounts.model import User
from qipai.accounts.secret import spelled
from qipai.community.notices.service import put
from qipai.hall.table.errors import HallError
from qipai.ledger.shop import Code
from qipai.moderation.service import Report
from qipai.store import Connection
from qipai.web.api import Ask, call
from qipai.web.origin import address
from qipai.web.pages.order import (
    ActRow,
    ActRows,
    Appeal,
    Closing,
    CodeMade,
    Dismissal,
    FactorEnd,
    Grant,
    Lift,
    NewCode,
    NewReport,
    NewShut,
    PieceView,
    Removal,
    Reported,
    ReportRow,
    ReportRows,
    ReportView,
    ResetLink,
    ResetMade,
    Reversal,
    RoleChange,
    RoleRow,
    RoleRows,
    Ruled,
    Ruling,
    RulingRow,
    RulingRows,
    SaidRow,
    ShutMade,
    ShutRow,
    ShutRows,
)
from qipai.web.pages.wallet import Held

__all__: list[str] = []


def _moderates(ask: Ask) -> frozenset[int] | None:
    """Return the rooms whose order the one who asks keeps, None: everywhere; raises HallError where nowhere."""
    if ask.login is not None and ask.login.role in ("moderator", "admin"):
        _proven(ask)
        return None
    rooms = ask.hall.keepers.rooms(ask.user.id)
    if not rooms:
        raise HallError("NOT_ALLOWED")
    _proven(ask)
    return rooms


def _proven(ask: Ask) -> None:
    """Raise HallError where this hall asks who keeps its order for a second factor, and the one who asks has none."""
    if ask.login is not None and not ask.accounts.proven(ask.login):
        raise HallError("SECOND_FACTOR", case="moderator")


def _keeps(rooms: frozenset[int] | None, room: int | None) -> None:
    """Raise HallError where something lies in no room that one may keep in order."""
    if rooms is not None and room not in rooms:
        raise HallError("NOT_ALLOWED")


def _admin(ask: Ask) -> None:
    """Raise HallError unless an administrator asks."""
    if not _is_admin(ask):
        raise HallError("NOT_ALLOWED")
    _proven(ask)


def _is_admin(ask: Ask) -> bool:
    """Tell whether an administrator asks."""
    return ask.login is not None and ask.login.role == "admin"


async def _beneath(ask: Ask, user: int, room: int | None) -> None:
    """Raise HallError if the one who asks may not rule on a person: equals are ruled on by those above. room: where."""
    role, mine = await ask.accounts.role(user), None if ask.login is None else ask.login.role
    if role == "admin" or (role == "moderator" and mine != "admin"):
        raise HallError("NOT_ALLOWED")
    if ask.hall.keepers.keeps(user, room) and mine not in ("moderator", "admin"):
        raise HallError("NOT_ALLOWED")


async def _person(ask: Ask, id: int, *, guests: bool = False) -> User:
    """Return a registered user, or a guest too; raises HallError."""
    user = await ask.accounts.find(id)
    if user is None or (user.kind == "guest" and not guests) or user.deleted:
        raise HallError("NOT_FOUND")
    return user


async def _report(ask: Ask, id: int, rooms: frozenset[int] | None) -> Report:
    """Return a report that somebody may see; raises HallError."""
    report = await ask.hall.order.of(id)
    if report is None:
        raise HallError("NOT_FOUND")
    _keeps(rooms, report.room)
    return report


async def _answerable(ask: Ask, id: int, rooms: frozenset[int] | None) -> Report:
    """Return a report that somebody may answer: nobody is the judge of themselves; raises HallError."""
    report = await _report(ask, id, rooms)
    if await _own(ask, report):
        raise HallError("NOT_ALLOWED", case="own")
    return report


async def _own(ask: Ask, report: Report) -> bool:
    """Tell whether a report is about the one who asks, or an appeal against what they have done themselves."""
    me = ask.user.id
    if me in (report.user, (report.facts or {}).get("other")):
        return True
    if report.kind != "appeal":
        return False
    return await ask.hall.order.author(int(report.ref.partition(":")[2])) == me


@call("POST", "/reports", "cookie")
async def report(ask: Ask, body: NewReport) -> Reported:
    """Report something to the moderators (P-95)."""
    if body.user is not None and await ask.accounts.find(body.user) is None:
        raise HallError("NOT_FOUND")
    community, accused = ask.services.community, body.user
    if community.has(body.ref):
        # What they may not see they cannot report; whom it is about follows from it.
        piece = await community.seen(body.ref, ask.user.id)
        if piece is None:
            raise HallError("NOT_FOUND")
        accused = piece.author
    window, clock = ask.services.reports, ask.services.clock()
    if wait := window.wait(ask.user.id, clock):
        raise HallError("RATE_LIMIT", wait_ms=round(1000 * wait))
    window.add(ask.user.id, clock)
    room = await ask.hall.report_contexts.room_of(body.ref)
    order = ask.hall.order
    return Reported(await order.report(ask.user.id, body.kind, accused, body.ref, body.text, ask.now, room))


@call("GET", "/moderation/reports", "cookie", queries="state limit after")
async def reports(ask: Ask) -> ReportRows:
    """Return the moderators' queue; to moderators of rooms, what happened in these."""
    rooms = _moderates(ask)
    state = ask.query.get("state", "open")
    if state not in ("open", "done", "dismissed"):
        raise HallError("BAD_OPTION", field="state")
    after, most = ask.cursor()
    found = await ask.hall.order.reports(state, after or 0, most + 1, rooms)
    rows = tuple([await _row(ask, each) for each in found[:most]])
    return ReportRows(rows=rows, next=str(found[most - 1].id) if len(found) > most else None)


async def _row(ask: Ask, report: Report) -> ReportRow:
    other = (report.facts or {}).get("other")
    ids = (report.by, report.user, report.moderator, other)
    by, user, moderator, second = [await ask.person(id) for id in ids]
    return ReportRow(
        report.id,
        report.at,
        by,
        report.kind,  # type: ignore[arg-type]
        user,
        report.ref,
        report.text,
        report.state,  # type: ignore[arg-type]
        moderator,
        report.answer,
        report.facts,
        second,
        report.room,
        await _own(ask, report),
    )


@call("GET", "/moderation/reports/{id:int}", "cookie")
async def one_report(ask: Ask) -> ReportView:
    """Return a report with the talk around it, the game, and how often the two have met (P-95)."""
    rooms, hall, find = _moderates(ask), ask.hall, ask.accounts.find
    report = await _report(ask, ask.path["id"], rooms)
    where = None if rooms is None else report.room  # what was elsewhere is not their business
    found = await hall.report_contexts.around(report)
    lines = [
        SaidRow(line.id, line.place, line.at, await find(line.user), line.text, line.phrase, line.removed)
        for line in found.lines
    ]
    accused = report.user
    return ReportView(
        report=await _row(ask, report),
        lines=tuple(lines),
        played=found.played,
        other=await ask.person(found.other),
        together=tuple(found.together),
        rulings=() if accused is None else await _rulings(ask, accused, None, 10, where),
        reports=0 if accused is None else len(await hall.order.about(accused, 200, where)),
        piece=await _reported_piece(ask, report.ref),
        evidence=found.evidence,
    )


async def _reported_piece(ask: Ask, ref: str) -> PieceView | None:
    """Return the text or picture of the community that a report is about."""
    community = ask.services.community
    found = await community.found(ref) if community.has(ref) else None
    if found is None:
        return None
    author = await ask.person(found.author)
    return PieceView(ref, author, found.text, found.path, found.picture, found.removed)


async def _rulings(
    ask: Ask, user: int, before: int | None, most: int, room: int | None = None
) -> tuple[RulingRow, ...]:
    found = await ask.hall.order.rulings(user, before, most, room)
    return tuple(RulingRow(**structs.asdict(each)) for each in found)


@call("GET", "/me/rulings", "cookie", queries="limit after")
async def my_rulings(ask: Ask) -> RulingRows:
    """Return what moderators have done about me, and what became of my appeals; also for who is banned."""
    after, most = ask.cursor()
    found = await _rulings(ask, ask.user.id, after, most + 1)
    return RulingRows(rows=found[:most], next=str(found[most - 1].id) if len(found) > most else None)


@call("POST", "/me/rulings/{id:int}/appeal", "cookie")
async def appeal(ask: Ask, body: Appeal) -> Reported:
    """Appeal against a ruling, once; also for who is banned (P-95)."""
    try:
        number = await ask.hall.order.appeal(ask.user.id, ask.path["id"], body.text, ask.now)
    except LookupError:
        raise HallError("NOT_FOUND") from None
    if number is None:
        raise HallError("LIMIT_REACHED", case="appeal", most=1)
    return Reported(number)


@call("POST", "/moderation/reports/{id:int}/dismiss", "cookie")
async def dismiss(ask: Ask, body: Dismissal) -> None:
    """Take a report out of the queue without doing anything; who wrote a letter to the hall reads the answer (P-85)."""
    found = await _answerable(ask, ask.path["id"], _moderates(ask))
    by, now = found.by, ask.now

    def too(db: Connection) -> None:
        if by is not None and found.kind == "contact" and found.user is None:
            put(
                db,
                by,
                "contact_answered",
                "/contact",
                {"n": found.id, "answer": body.reason},
                now,
                f"contact:{found.id}",
            )

    if not await ask.hall.order.dismiss(found.id, ask.user.id, body.reason, ask.services.now(), too):
        raise HallError("NOT_FOUND")
    await ask.services.community.notices.wake()


@call("POST", "/moderation/users/{id:int}", "cookie")
async def rule(ask: Ask, body: Ruling) -> Ruled:
    """Warn, mute or ban somebody, or end it; with a reason, which they are told (P-95).

    A moderator of a room warns and mutes there; bans are decided for the whole hall.
    """
    rooms, services, room = _moderates(ask), ask.services, body.room
    _keeps(rooms, room)
    if room is not None:
        services.hall.lobby.room(room)
        if body.what in ("ban", "unban"):
            raise HallError("NOT_ALLOWED" if rooms is not None else "BAD_OPTION", field="room")
    if body.report is not None:
        found = await _answerable(ask, body.report, rooms)
        if rooms is not None and found.room != room:
            raise HallError("BAD_OPTION", field="report")
    user = await _person(ask, ask.path["id"], guests=True)
    if user.id == ask.user.id:
        raise HallError("SELF")
    await _beneath(ask, user.id, room)
    seconds = 3600 * body.hours if body.what in ("mute", "ban") else None
    until = await services.hall.order.act(
        user.id,
        body.what,
        body.reason,
        by=ask.user.id,
        now=services.now(),
        seconds=seconds,
        report=body.report,
        room=room,
        cid=body.cid,
    )
    services.hall.notes.ruling(user.id, body.what, body.reason, until, room)
    if body.what == "ban":
        await services.contests.gone(user.id, "banned")
        services.sockets.cut_user(user.id)
    return Ruled(until)


def _everywhere(ask: Ask) -> None:
    """Raise HallError unless a moderator of the whole hall asks."""
    if _moderates(ask) is not None:
        raise HallError("NOT_ALLOWED")


@call("POST", "/moderation/users/{id:int}/reset", "cookie")
async def reset_link(ask: Ask, body: ResetLink) -> ResetMade:
    """Make a link by which somebody who forgot the password sets another, once (P-2); only for those I may rule on."""
    _everywhere(ask)
    user = await _person(ask, ask.path["id"])
    if user.id == ask.user.id:
        raise HallError("SELF")  # else a stolen cookie would be enough to take over the account
    if not _is_admin(ask) and await ask.accounts.role(user.id) in ("moderator", "admin"):
        raise HallError("NOT_ALLOWED")
    secret, until = await ask.accounts.resets.make(user.id, by=ask.user.id, reason=body.reason, now=ask.services.now())
    return ResetMade(ask.base() + resets.path(secret), until)


@call("POST", "/admin/users/{id:int}/factor", "cookie")
async def end_factor(ask: Ask, body: FactorEnd) -> None:
    """Turn off the second factor of somebody who has lost it, and the recovery codes too (P-2)."""
    _admin(ask)
    user = await _person(ask, ask.path["id"])
    if user.id == ask.user.id:
        raise HallError("SELF")
    if not await ask.accounts.factors.end(user.id, by=ask.user.id, reason=body.reason, now=ask.services.now()):
        raise HallError("NOT_FOUND", case="factor")
    ask.services.logins.factor_changed(user.id, on=False)


@call("GET", "/moderation/addresses", "cookie")
async def addresses(ask: Ask) -> ShutRows:
    """Return the addresses from which nobody may come in."""
    _everywhere(ask)
    find = ask.accounts.find
    found = await ask.hall.order.shut_addresses(ask.now)
    return ShutRows(
        rows=tuple([ShutRow(one.address, one.until, one.reason, await find(one.by), one.at) for one in found])
    )


@call("POST", "/moderation/addresses", "cookie")
async def shut(ask: Ask, body: NewShut) -> ShutMade:
    """Let nobody in from an address for some hours, or from those where somebody is or was last (P-95)."""
    _everywhere(ask)
    services = ask.services
    if body.user is not None:
        user = await _person(ask, body.user, guests=True)
        if user.id == ask.user.id:
            raise HallError("SELF")
        await _beneath(ask, user.id, None)
        wanted = sorted({origin.address for origin in services.hall.addresses.of(user.id)})
    else:
        wanted = [_address(body.address)]
    if not wanted:
        raise HallError("NOT_FOUND")
    if ask.address in wanted:
        raise HallError("SELF")
    until = await services.hall.order.shut(
        wanted, body.reason, by=ask.user.id, now=services.now(), seconds=3600 * body.hours, user=body.user
    )
    services.sockets.cut_addresses(wanted)
    return ShutMade(tuple(wanted), until)


@call("POST", "/moderation/addresses/lift", "cookie")
async def lift(ask: Ask, body: Lift) -> None:
    """Let people in again from an address."""
    _everywhere(ask)
    services = ask.services
    if services.hall.order.shut_until(body.address, ask.now) is None:
        raise HallError("NOT_FOUND")
    await services.hall.order.shut([body.address], body.reason, by=ask.user.id, now=services.now(), seconds=None)


def _address(text: str | None) -> str:
    """Return an address as the hall keeps it; raises HallError."""
    try:
        found = address({"client": (str(ipaddress.ip_address(text or "")), 0)})
    except ValueError:
        found = None
    if found is None:
        raise HallError("BAD_OPTION", field="address")
    return found


@call("POST", "/moderation/lines/{id:int}/remove", "cookie")
async def remove(ask: Ask, body: Removal) -> None:
    """Take a line of talk away from everybody; its author is told why (P-95)."""
    rooms, talk, id = _moderates(ask), ask.hall.talk, ask.path["id"]
    line = await talk.said.line(id)
    if line is None:
        raise HallError("NOT_FOUND")
    room = await ask.hall.report_contexts.room_of(f"line:{id}")
    _keeps(rooms, room)
    if body.report is not None:
        await _answerable(ask, body.report, rooms)
    if line.user != ask.user.id:
        await _beneath(ask, line.user, room)
    await talk.remove(line, body.reason, by=ask.user.id, room=room, report=body.report, cid=body.cid)


@call("POST", "/moderation/pieces/{ref}/remove", "cookie")
async def remove_piece(ask: Ask, body: Removal) -> None:
    """Remove a text or a picture of the community; its author is told why (P-95). ref: `post:17`."""
    rooms, community, ref = _moderates(ask), ask.services.community, ask.path["ref"]
    _keeps(rooms, None)
    found = await community.found(ref)
    if found is None:
        raise HallError("NOT_FOUND")
    if body.report is not None:
        await _answerable(ask, body.report, rooms)
    if found.author is not None and found.author != ask.user.id:
        await _beneath(ask, found.author, None)
    now = ask.services.now()
    await community.remove(ref, body.reason, by=ask.user.id, now=now, report=body.report, cid=body.cid)
    if found.author is not None:
        ask.hall.notes.ruling(found.author, "remove", body.reason, None)


@call("POST", "/moderation/tables/{id:int}/close", "cookie")
async def close(ask: Ask, body: Closing) -> None:
    """Close a table: a running game is void and costs nobody anything (P-58, P-95)."""
    rooms, table = _moderates(ask), ask.path["id"]
    if rooms is not None:
        if (room := await ask.hall.report_contexts.room_of_table(table)) is None:
            raise HallError("NO_SUCH_TABLE")
        _keeps(rooms, room)
    await ask.hall.creation.shut(table, body.reason, ask.user.id)


@call("POST", "/moderation/games/{game_id}/reverse", "cookie")
async def reverse(ask: Ask, body: Reversal) -> None:
    """Give back what a game took from somebody: an administrator's compensation (P-33)."""
    _admin(ask)
    if not await ask.hall.archive.reverse(ask.path["game_id"], body.user, body.reason, by=ask.user.id):
        raise HallError("NOTHING_TO_RESET")


@call("GET", "/moderation/audit", "cookie", queries="limit after")
async def audit(ask: Ask) -> ActRows:
    """Return what moderators and administrators have done, newest first."""
    _admin(ask)
    after, most = ask.cursor()
    found = await ask.hall.order.audit(after, most + 1)
    rows = []
    for act in found[:most]:
        about = act.data.get("user") or next((row["user"] for row in act.data.get("rows", ())), None)
        actor, user = [await ask.person(id) for id in (act.actor, about)]
        rows.append(ActRow(act.id, act.at, actor, user, act.stream, act.type, act.data))
    return ActRows(rows=tuple(rows), next=str(found[most - 1].id) if len(found) > most else None)


@call("POST", "/admin/grants", "cookie")
async def grant(ask: Ask, body: Grant) -> Held:
    """Give somebody coins or hearts, or take them away (P-51)."""
    _admin(ask)
    if not ask.services.config.coins.enabled:
        raise HallError("NOT_FOUND")
    user = await _person(ask, body.user)
    ledger = ask.hall.ledger
    wallet = await ledger.grant(
        user.id, body.currency, body.amount, body.note, by=ask.user.id, now=ask.services.now(), cid=body.cid
    )
    await ask.hall.balances.refresh(user.id)
    return Held(wallet.coins, wallet.hearts, await ledger.member_until(user.id))


@call("POST", "/admin/codes", "cookie")
async def new_code(ask: Ask, body: NewCode) -> CodeMade:
    """Make a redeem code (P-57)."""
    _admin(ask)
    if not ask.services.config.coins.enabled:
        raise HallError("NOT_FOUND")
    if not (body.coins or body.hearts or body.member_days):
        raise HallError("BAD_QTY")
    name = (body.code or "").strip() or spelled(3)
    code = Code(body.coins, body.hearts, body.member_days, body.uses, body.expires)
    await ask.hall.ledger.make_code(name, code, body.note, by=ask.user.id, now=ask.services.now())
    return CodeMade(name)


@call("POST", "/admin/roles", "cookie")
async def role(ask: Ask, body: RoleChange) -> None:
    """Give somebody a role; their lines are closed, so that they come in again with it. In one room: there alone."""
    _admin(ask)
    if body.room is not None:
        await _name(ask, body, body.room)
        return
    user = await _person(ask, body.user)
    if user.id == ask.user.id:
        raise HallError("SELF")
    if user.kind == "bot":
        raise HallError("NOT_ALLOWED")
    await ask.accounts.set_role(user.name, body.role)
    await ask.services.logins.note_role(user.id, body.role, by=ask.user.id)


async def _name(ask: Ask, body: RoleChange, room: int) -> None:
    """Name a moderator of a room, or end it; raises HallError."""
    if body.role == "admin":
        raise HallError("BAD_OPTION", field="role")
    on = body.role == "moderator"
    user = await _person(ask, body.user)
    if on and user.kind == "bot":
        raise HallError("NOT_ALLOWED")
    if not await ask.hall.moderators.name(user.id, room, on=on, by=ask.user.id) and not on:
        raise HallError("NOT_FOUND")


@call("GET", "/admin/roles", "cookie")
async def roles(ask: Ask) -> RoleRows:
    """Return the moderators and administrators: of the whole hall, then room by room."""
    _admin(ask)
    find, rows = ask.accounts.find, []
    for id, role in (await ask.accounts.officials()).items():
        if (user := await find(id)) is not None:
            rows.append(RoleRow(user, role))  # type: ignore[arg-type]
    for one in ask.hall.keepers.all():
        if (user := await find(one.user)) is not None:
            by = await ask.person(one.by)
            rows.append(RoleRow(user, "moderator", one.room, by, one.at))
    return RoleRows(rows=tuple(rows), next=None)
