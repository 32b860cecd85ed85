"""Calls about other people: friends, blocks, who is online, home (platform P-10, P-11, P-64, P-77)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import astuple

from qipai.accounts.model import User
from qipai.hall.table.errors import HallError
from qipai.social.ties import Too
from qipai.web.api import Ask, call
from qipai.web.calls.contestants import people_of
from qipai.web.pages.ties import (
    Doing,
    FollowerRow,
    FollowerRows,
    FriendRow,
    FriendRows,
    Group,
    GroupLine,
    GroupRows,
    Home,
    NewGroup,
    OnlineRow,
    OnlineRows,
    OpponentGame,
    OpponentRow,
    OpponentRows,
    OwnTip,
    TurnRow,
    UserRows,
    Whom,
)
from qipai.web.protocol import NoBody

__all__: list[str] = []


async def _other(ask: Ask, id: int) -> User:
    """Return somebody else; raises HallError."""
    if ask.user.kind == "guest":
        raise HallError("SIGN_IN", case="guest")
    if id == ask.user.id:
        raise HallError("SELF")
    user = await ask.accounts.find(id)
    if user is None or user.kind == "guest" or user.deleted:
        raise HallError("NOT_FOUND")
    return user


async def _friends(ask: Ask, *, online: bool = False) -> list[FriendRow]:
    hall = ask.hall
    rows = []
    circles = await hall.circles.of(ask.user.id)
    for tie in await hall.ties.followed(ask.user.id):
        user = await ask.accounts.find(tie.user)
        told = hall.people.tells(tie.user, ask.user.id)
        here = told and bool(hall.people.lines(tie.user))
        if user is not None and (here or not online):
            table = next(iter(hall.people.at(user)), None) if told else None
            watch = table is not None and await hall.audience.sees(table, ask.user.id)
            join = table is not None and watch and await hall.creation.lets(table, ask.user)
            groups = tuple(one.id for one in circles if tie.user in one.users)
            rows.append(FriendRow(user, tie.at, tie.mutual, here, table, join, watch, groups))
    return rows


@call("GET", "/friends", "signed", "play")
async def friends(ask: Ask) -> FriendRows:
    """Return whom I follow, in which groups, who follows me too, and where they are (P-10)."""
    circles = await ask.hall.circles.of(ask.user.id)
    groups = tuple(GroupLine(one.id, one.name, len(one.users)) for one in circles)
    return FriendRows(rows=tuple(await _friends(ask)), groups=groups)


@call("POST", "/friends", "cookie")
async def follow(ask: Ask, body: Whom) -> None:
    """Follow somebody."""
    user = await _other(ask, body.user)
    if ask.hall.ties.apart(ask.user.id, user.id):
        raise HallError("BLOCKED")
    notes, me, now = ask.hall.notes, ask.user, ask.now
    facts = {"from": me.name}
    kept = partial(notes.keeper.keep, user=user.id, kind="friend", ref=me.id, facts=facts, now=now)
    if await ask.hall.ties.follow(me.id, user.id, now, kept):
        notes.followed(user.id, me)


@call("GET", "/friends/followers", "signed", "play", queries="limit after")
async def followers(ask: Ask) -> FollowerRows:
    """Return who follows me, the newest first (P-10)."""
    after, most = ask.page()
    before = None
    if after is not None:
        at, _, user = after.partition(".")
        if not (at.isascii() and at.isdecimal() and user.isascii() and user.isdecimal() and len(after) <= 30):
            raise HallError("BAD_MESSAGE", field="after")
        before = (int(at), int(user))
    found = await ask.hall.ties.followed_by(ask.user.id, before, most + 1)
    people = {user.id: user for user in await people_of(ask, (tie.user for tie in found))}
    rows = [FollowerRow(people[tie.user], tie.at, tie.mutual) for tie in found[:most] if tie.user in people]
    last = found[most - 1] if len(found) > most else None
    return FollowerRows(rows=tuple(rows), next=None if last is None else f"{last.at}.{last.user}")


@call("DELETE", "/friends/{id:int}", "cookie")
async def unfollow(ask: Ask, body: NoBody) -> None:
    """Stop following somebody."""
    await ask.hall.ties.unfollow(ask.user.id, ask.path["id"])


@call("GET", "/blocks", "cookie")
async def blocks(ask: Ask) -> UserRows:
    """Return whom I have blocked (P-11)."""
    found = [await ask.accounts.find(id) for id in ask.hall.ties.blocked(ask.user.id)]
    return UserRows(rows=tuple(user for user in found if user is not None))


@call("GET", "/friends/blocked", "cookie")
async def friends_blocked(ask: Ask) -> UserRows:
    """Return whom I have blocked, at the path of its page (P-112)."""
    return await blocks(ask)  # type: ignore[no-any-return]


@call("POST", "/blocks", "cookie")
async def block(ask: Ask, body: Whom) -> None:
    """Block somebody: no talk, no invitations, no pairing, either way."""
    user = await _other(ask, body.user)
    try:
        await ask.hall.ties.block(ask.user.id, user.id, ask.now)
    except Too as wrong:
        raise HallError("LIMIT_REACHED", case="blocks", most=wrong.most) from wrong


@call("DELETE", "/blocks/{id:int}", "cookie")
async def unblock(ask: Ask, body: NoBody) -> None:
    """Stop blocking somebody."""
    await ask.hall.ties.unblock(ask.user.id, ask.path["id"])


async def _members(ask: Ask, body: NewGroup) -> tuple[int, ...]:
    """Return the people of a group that somebody makes; raises HallError."""
    if ask.user.kind == "guest":
        raise HallError("SIGN_IN", case="guest")
    users = tuple(dict.fromkeys(body.users))
    most = ask.hall.circles.most_users
    if len(users) > most:
        raise HallError("LIMIT_REACHED", case="members", most=most)
    if not set(users) <= {tie.user for tie in await ask.hall.ties.followed(ask.user.id)}:
        raise HallError("NOT_FOUND")
    return users


async def _group(ask: Ask, id: int) -> Group:
    circle = await ask.hall.circles.find(ask.user.id, id)
    if circle is None:
        raise HallError("NOT_FOUND")
    found = [await ask.accounts.find(user) for user in circle.users]
    return Group(circle.id, circle.name, tuple(user for user in found if user is not None))


@call("GET", "/groups", "signed", "play")
async def groups(ask: Ask) -> GroupRows:
    """Return my groups of friends (P-10)."""
    circles = await ask.hall.circles.of(ask.user.id)
    return GroupRows(rows=tuple([await _group(ask, circle.id) for circle in circles]))


@call("GET", "/friends/groups", "signed", "play")
async def friends_groups(ask: Ask) -> GroupRows:
    """Return my groups of friends, at the path of their page (P-112)."""
    return await groups(ask)  # type: ignore[no-any-return]


@call("POST", "/groups", "cookie")
async def new_group(ask: Ask, body: NewGroup) -> Group:
    """Make a group of people I follow."""
    users = await _members(ask, body)
    try:
        return await _group(ask, await ask.hall.circles.make(ask.user.id, body.name, users))
    except Too as wrong:
        raise HallError("LIMIT_REACHED", case="groups", most=wrong.most) from wrong


@call("POST", "/groups/{id:int}", "cookie")
async def change_group(ask: Ask, body: NewGroup) -> Group:
    """Give a group of mine another name and other people."""
    users = await _members(ask, body)
    if not await ask.hall.circles.change(ask.user.id, ask.path["id"], body.name, users):
        raise HallError("NOT_FOUND")
    return await _group(ask, ask.path["id"])


@call("DELETE", "/groups/{id:int}", "cookie")
async def drop_group(ask: Ask, body: NoBody) -> None:
    """Forget a group of mine; its people stay my friends."""
    if not await ask.hall.circles.drop(ask.user.id, ask.path["id"]):
        raise HallError("NOT_FOUND")


@call("GET", "/online", queries="limit after of")
async def online(ask: Ask) -> OnlineRows:
    """Return who has a line into the hall, and what they do (P-77). of: `opponents`, those I play or have played."""
    after, most = ask.cursor()
    hall, me = ask.hall, ask.somebody
    if ask.query.get("of", "opponents") != "opponents":
        raise HallError("BAD_OPTION", field="of")
    slow = {} if me is None else hall.correspondence.opponents(me.id)
    met = {} if me is None else await hall.history.played_with(me.id)
    told = (user for user in hall.people.online() if hall.people.tells(user.id, None if me is None else me.id))
    people = (user for user in told if "of" not in ask.query or user.id in met or user.id in slow)
    found = sorted((user for user in people if user.id > (after or 0)), key=lambda user: user.id)
    rows = [
        OnlineRow(user, *_doing(ask, user), met.get(user.id, 0), next(iter(slow.get(user.id, ())), None))
        for user in found[:most]
    ]
    return OnlineRows(rows=tuple(rows), next=str(found[most - 1].id) if len(found) > most else None)


def _doing(ask: Ask, user: User) -> tuple[Doing, int | None]:
    """Return what somebody who is online does, and at which table they sit."""
    hall = ask.hall
    tables = hall.people.at(user)
    if tables:
        return "playing" if any(hall.finder.playing(table) for table in tables) else "seated", tables[0]
    return "watching" if any(session.tables for session in hall.people.lines(user.id)) else "idle", None


@call("GET", "/online/opponents", "signed", "play")
async def opponents(ask: Ask) -> OpponentRows:
    """Return who is online of those with whom I have a turn-based game running, and these games (P-77).

    Whoever hides that they are online is not told of, nor anybody with whom a block stands: a call would be refused.
    """
    hall, me = ask.hall, ask.user.id
    rows, slow = [], hall.correspondence.opponents(me)
    for user in sorted(hall.people.online(), key=lambda user: user.id):
        games = slow.get(user.id)
        if games and hall.people.tells(user.id, me) and not hall.ties.apart(me, user.id):
            looks = {table for session in hall.people.lines(user.id) for table in session.tables}
            shown = tuple(
                OpponentGame(table, one.game, one.users.index(me) in one.asked, one.until, table in looks)
                for table, one in games.items()
            )
            rows.append(OpponentRow(user, *_doing(ask, user), shown))
    return OpponentRows(rows=tuple(rows))


@call("GET", "/home", "signed", "play", "bot")
async def home(ask: Ask) -> Home:
    """Return my home page: my tables, whose turn, least time first; friends who are here (P-64)."""
    services = ask.services
    n, own = services.community.tips.today()
    rows = [TurnRow(*astuple(each)) for each in await services.hall.people.turns(ask.user)]
    rows.sort(key=lambda row: (not row.turn, row.until is None, row.until or 0, row.table))
    return Home(
        now=services.now(),
        tables=tuple(rows),
        friends=tuple(await _friends(ask, online=True)),
        invites=services.hall.invitations.to(ask.user.id),
        online=services.hall.people.count,
        playing=sum(live.table.playing for live in services.hall.runner.tables.values()),
        tip=n,
        own_tip=None if own is None else OwnTip(own.id, await ask.person(own.author), own.zh, own.en),
        waiting=services.hall.invitations.open_to(ask.user.id),
        poll=await services.community.polls.waiting(ask.user.id) if ask.user.kind == "user" else None,
        groups=tuple([GroupLine(one.id, one.name, len(one.users)) for one in await ask.hall.circles.of(ask.user.id)]),
        games=tuple(await ask.hall.history.likes(ask.user.id)),
    )
