"""Calls by which people find each other: invitations, quick pairing (platform P-65, P-66)."""

from __future__ import annotations

from msgspec import structs

from qipai import games
from qipai.accounts.model import User
from qipai.hall.rooms.invitations import Asked, Invitation
from qipai.hall.table.clock import by_days
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.pages.meet import Called, InviteRow, InviteRows, NewInvite, Pair, Pairing, Refused
from qipai.web.protocol import NoBody, Seated

__all__: list[str] = []


async def _row(ask: Ask, letter: Invitation, refusal: HallError | None) -> InviteRow | None:
    asked, services = letter.asked, ask.services
    owner = await services.accounts.find(letter.owner)
    to: User | None = None if asked.to is None else await services.accounts.find(asked.to)
    if owner is None:
        return None
    try:
        place = services.hall.creation.meeting(asked)
    except HallError:
        return None  # the rooms of the hall have changed since
    mine = letter.owner == ask.user.id
    return InviteRow(
        id=letter.id,
        owner=owner,
        to=to,
        group=None if asked.among is None else len(asked.among),
        group_name=asked.group if mine else None,
        mine=mine,
        game=asked.game,
        variant=asked.variant,
        preset=asked.preset,
        seats=place.places,
        taken=await services.hall.creation.taken(letter.table),
        options=asked.options,
        clock=place.clock or games.find(asked.game).clock(games.find(asked.game).chosen(place.options)),
        rated=asked.rated,
        rating_min=asked.rating_min,
        rating_max=asked.rating_max,
        colour=asked.colour,
        note=asked.note,
        made_at=letter.made_at,
        until=letter.until,
        table=letter.table if letter.table in services.hall.people.tables_of(ask.user) else None,
        refusal=None if refusal is None else Refused(refusal.code, dict(refusal.facts)),
    )


@call("GET", "/invites", "signed", "play", "bot", queries="game pace rated can")
async def invites(ask: Ask) -> InviteRows:
    """List the invitations for me, for everybody, and my own (P-66).

    pace: `live` or `days`; rated: 1 or 0; can=1: only those of others that I can take up.
    """
    wanted = {name: ask.query.get(name) for name in ("pace", "rated", "can")}
    known: dict[str, tuple[str | None, ...]] = {"pace": ("live", "days"), "rated": ("0", "1"), "can": ("1",)}
    for name, value in wanted.items():
        if value not in (None, *known[name]):
            raise HallError("BAD_MESSAGE", field=name)
    game, pace, rated = ask.query.get("game"), wanted["pace"], wanted["rated"]
    rows = []
    for letter, wrong in await ask.hall.invitations.letters(ask.user):
        asked = letter.asked
        if (
            game in (None, asked.game)
            and pace in (None, "days" if by_days(asked.clock) else "live")
            and rated in (None, str(int(asked.rated)))
            and (wanted["can"] is None or (wrong is None and letter.owner != ask.user.id))
            and (row := await _row(ask, letter, wrong)) is not None
        ):
            rows.append(row)
    return InviteRows(rows=tuple(rows))


@call("POST", "/invites", "signed", "play", "bot")
async def invite(ask: Ask, body: NewInvite) -> InviteRow:
    """Invite somebody, the friends of a group, or anybody (P-65)."""
    given = structs.asdict(body)
    del given["cid"], given["group"]
    if body.group is not None:
        if body.to is not None:
            raise HallError("BAD_OPTION", field="group")
        circle = await ask.hall.circles.find(ask.user.id, body.group)
        if circle is None:
            raise HallError("NOT_FOUND")
        if not circle.users:
            raise HallError("BAD_OPTION", field="group")
        given |= {"among": circle.users, "group": circle.name}
    letter = await ask.hall.invitations.invite(ask.user, Asked(**given), body.cid)
    row = await _row(ask, letter, None)
    assert row is not None
    return row


@call("POST", "/invites/{id:int}/accept", "signed", "play", "bot")
async def accept(ask: Ask, body: NoBody) -> Seated:
    """Take up an invitation: both sit down at a table of their own."""
    table, seat = await ask.hall.invitations.accept(ask.user, ask.path["id"], body.cid)
    return Seated(table=table, seat=seat)


@call("POST", "/invites/{id:int}/decline", "signed", "play", "bot")
async def decline(ask: Ask, body: NoBody) -> None:
    """Refuse an invitation that is for me, alone or with others of a group, for whom it stands."""
    await ask.hall.invitations.decline(ask.user, ask.path["id"], body.cid)


@call("POST", "/invites/{id:int}/withdraw", "signed", "play", "bot")
async def withdraw(ask: Ask, body: NoBody) -> None:
    """Take my invitation back."""
    await ask.hall.invitations.withdraw(ask.user, ask.path["id"], body.cid)


@call("POST", "/pair", "signed", "play")
async def pair(ask: Ask, body: Pair) -> Pairing:
    """Wait to be paired with somebody of one's strength; ask again to hear whether it has happened (P-65)."""
    hall = ask.hall
    if not hall.people.lines(ask.user.id):
        raise HallError("NOT_SEATED")  # people without a line into the hall could not sit down
    place = await hall.invitations.wait(ask.user, body.game, body.variant, body.days)
    if place is not None:
        return Pairing(place[0], place[1], None, False)
    waits = hall.invitations.waits(ask.user.id)
    since = ask.services.now() if waits is None else waits[2]
    return Pairing(None, None, since, ask.services.now() - since >= 1000 * ask.services.config.pairing.bot_s)


@call("DELETE", "/pair", "signed", "play")
async def unpair(ask: Ask, body: NoBody) -> None:
    """Stop waiting to be paired."""
    ask.hall.invitations.forget(ask.user.id)


@call("POST", "/tables/{id:int}/live", "signed", "play")
async def live(ask: Ask, body: NoBody) -> Called:
    """Ask the other of my turn-based game to play on at once: they get a note that leads here (P-77)."""
    window, table, now = ask.services.calls, ask.path["id"], ask.services.clock()
    if wait := window.wait((ask.user.id, table), now):
        raise HallError("RATE_LIMIT", wait_ms=round(1000 * wait))
    here = ask.hall.invitations.call(ask.user, table)
    window.add((ask.user.id, table), now)
    return Called(here)
