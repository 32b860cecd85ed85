"""Calls of the discussion boards and of the search in them (platform P-80)."""

from __future__ import annotations

from msgspec.structs import astuple

from qipai.community.boards import books
from qipai.community.boards.rights import Reader, club_of, fixed
from qipai.community.boards.service import Change
from qipai.community.boards.words import marked, read_as
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.pages.boards import (
    BoardListed,
    BoardPage,
    BoardSeen,
    BoardsListed,
    FoundRow,
    FoundRows,
    LastPost,
    NewThread,
    Posted,
    PostRow,
    PostSource,
    PostVersion,
    ReadingLevel,
    ReadingLevelIs,
    ReadUntil,
    Reply,
    ThreadChange,
    ThreadPage,
    ThreadRow,
)
from qipai.web.protocol import NoBody

__all__: list[str] = []

LONGEST_QUERY = 100


async def _reader(ask: Ask) -> Reader:
    return await ask.services.community.boards.reader(ask.somebody, moderator=ask.keeps_order)


async def _last(ask: Ask, thread: books.Thread) -> LastPost:
    return LastPost(thread.id, thread.last_post, thread.title, await ask.person(thread.last_author), thread.last_at)


def _name(ask: Ask, board: str) -> str | None:
    club = club_of(board)
    return None if club is None else ask.services.community.clubs.name(club)


async def _board(ask: Ask, one: books.Board) -> BoardListed:
    last = None if one.last is None else await _last(ask, one.last)
    whose = (club_of(one.name), _name(ask, one.name))
    return BoardListed(one.name, *whose, one.threads, one.posts, last, one.favourite, one.unread)


async def _thread(ask: Ask, one: books.Thread) -> ThreadRow:
    flags = (one.pinned, one.locked, one.essence)
    author, last = await ask.person(one.author), await _last(ask, one)
    about = (_name(ask, one.board), one.title, one.gone, author, one.at, one.level)
    return ThreadRow(one.id, one.board, *about, *flags, one.posts, one.read, last)


async def _meet(ask: Ask, threads: list[books.Thread]) -> None:
    ids = {id for one in threads for id in (one.author, one.last_author) if id is not None}
    await ask.accounts.meet(ids)


@call("GET", "/boards")
async def boards(ask: Ask) -> BoardsListed:
    """Return the discussion boards of this hall (P-80)."""
    found = await ask.services.community.boards.boards(await _reader(ask))
    return BoardsListed(tuple([await _board(ask, one) for one in found]))


@call("GET", "/boards/favourites", "signed", "play", "board")
async def favourite_boards(ask: Ask) -> BoardsListed:
    """Return the boards that I like best."""
    found = await ask.services.community.boards.favourites(await _reader(ask))
    return BoardsListed(tuple([await _board(ask, one) for one in found]))


@call("GET", "/boards/{name}", queries="limit after essence")
async def board(ask: Ask) -> BoardPage:
    """Return a board with its threads. essence: only those that moderators have marked as essence."""
    service, name, reader = ask.services.community.boards, ask.path["name"], await _reader(ask)
    after, most = ask.cursor()
    row = await service.board(reader, name)
    found, top = await service.threads(reader, name, after, most + 1, essence="essence" in ask.query)
    await _meet(ask, found + top)
    return BoardPage(
        board=await _board(ask, row),
        write=service.may_open(reader, name),
        moderator=reader.moderator,
        level=reader.level,
        pinned=tuple([await _thread(ask, one) for one in top]),
        rows=tuple([await _thread(ask, one) for one in found[:most]]),
        next=str(found[most - 1].last_post) if len(found) > most else None,
    )


@call("POST", "/boards/{name}", "cookie")
async def new_thread(ask: Ask, body: NewThread) -> Posted:
    """Open a thread with its first post."""
    service, reader = ask.services.community.boards, await _reader(ask)
    post = await service.open_thread(
        ask.user, reader, ask.path["name"], body.title, body.text, body.level, cid=body.cid
    )
    return Posted(post.thread, post.id, post.no)


@call("POST", "/boards/{name}/favourite", "cookie")
async def like_board(ask: Ask, body: NoBody) -> None:
    """Keep a board among those I like best."""
    await ask.services.community.boards.like(await _reader(ask), ask.path["name"], on=True)


@call("DELETE", "/boards/{name}/favourite", "cookie")
async def unlike_board(ask: Ask, body: NoBody) -> None:
    """Keep a board there no longer."""
    await ask.services.community.boards.like(await _reader(ask), ask.path["name"], on=False)


@call("POST", "/boards/{name}/read", "cookie")
async def read_board(ask: Ask, body: BoardSeen) -> None:
    """Note that I have seen a board, or that all its threads count as read."""
    await ask.services.community.boards.saw(await _reader(ask), ask.path["name"], all=body.all)


@call("GET", "/threads/{id:int}", queries="limit after post", cost=3)  # its posts are made HTML each time
async def thread(ask: Ask) -> ThreadPage:
    """Return a thread with its posts. after: a number of a post in it; post: the page on which this one stands."""
    service, reader = ask.services.community.boards, await _reader(ask)
    one = await service.thread(reader, ask.path["id"])
    after, most = ask.cursor()
    if "post" in ask.query:
        at, whole = await service.post(reader, ask.number("post", 1, 2**53))
        if whole.id != one.id:
            raise HallError("NOT_FOUND")
        after = (at.no - 1) // most * most
    found = await service.posts(one, after or 0, most + 1)
    shown = found[:most]
    await ask.accounts.meet({each.author for each in shown if each.author is not None})
    texts = await ask.services.community.common.htmls([each.text for each in shown if each.gone is None])
    html = dict(zip((each.id for each in shown if each.gone is None), texts, strict=True))
    rows = [
        PostRow(
            each.id,
            each.no,
            await ask.person(each.author),
            each.at,
            html.get(each.id),
            each.gone,
            each.edited,
            service.until(reader, each),
        )
        for each in shown
    ]
    return ThreadPage(
        thread=await _thread(ask, one),
        write=service.may_reply(reader, one),
        moderator=reader.moderator,
        boards=fixed() if reader.moderator else (),
        rows=tuple(rows),
        next=str(shown[-1].no) if len(found) > most else None,
    )


@call("POST", "/threads/{id:int}", "cookie")
async def reply(ask: Ask, body: Reply) -> Posted:
    """Write in a thread; a line that quotes links to the post, and its author is told."""
    service = ask.services.community.boards
    post = await service.reply(ask.user, await _reader(ask), ask.path["id"], body.text, cid=body.cid)
    return Posted(post.thread, post.id, post.no)


@call("PATCH", "/threads/{id:int}", "cookie")
async def change_thread(ask: Ask, body: ThreadChange) -> ThreadRow:
    """Pin, lock or move a thread, mark it as essence, ask for a reading level: for moderators."""
    change = Change(body.pinned, body.locked, body.essence, body.level, body.board)
    service = ask.services.community.boards
    return await _thread(ask, await service.change(await _reader(ask), ask.path["id"], change, body.reason.strip()))


@call("POST", "/threads/{id:int}/read", "cookie")
async def read_thread(ask: Ask, body: ReadUntil) -> None:
    """Note until which post of a thread I have read."""
    await ask.services.community.boards.read(await _reader(ask), ask.path["id"], body.no)


@call("GET", "/posts/{id:int}")
async def post(ask: Ask) -> PostSource:
    """Return a post as it was typed, to quote it or to change it."""
    service, reader = ask.services.community.boards, await _reader(ask)
    one, whole = await service.post(reader, ask.path["id"])
    hidden = one.gone == "erased" or (one.gone is not None and not reader.moderator)
    versions = () if hidden else tuple(PostVersion(*astuple(each)) for each in await service.versions(reader, one))
    title = whole.title if one.no == 1 else None
    return PostSource(
        one.id, one.thread, one.no, await ask.person(one.author), title, None if hidden else one.text, versions
    )


@call("PATCH", "/posts/{id:int}", "cookie")
async def change_post(ask: Ask, body: Reply) -> Posted:
    """Change a post of mine while it is new; what stood there is kept."""
    service = ask.services.community.boards
    one = await service.edit(ask.user, await _reader(ask), ask.path["id"], body.text, body.title)
    return Posted(one.thread, one.id, one.no)


@call("GET", "/search", queries="q board limit after", cost=3)
async def search(ask: Ask) -> FoundRows:
    """Return posts that hold all words of `q`, newest first. Nothing of `q` is syntax; board: only there."""
    service, reader, query = ask.services.community.boards, await _reader(ask), ask.query.get("q", "")
    after, most = ask.cursor()
    if len(query) > LONGEST_QUERY:
        raise HallError("BAD_MESSAGE", field="q")
    found, following = await service.search(reader, query, after, most, ask.query.get("board"))
    rows = [
        FoundRow(
            one.post.id,
            one.thread.id,
            one.thread.board,
            _name(ask, one.thread.board),
            one.post.no,
            await ask.person(one.post.author),
            one.post.at,
            tuple(marked(one.thread.title or "", query)),
            tuple(marked(read_as(one.post.text), query)),
        )
        for one in found
    ]
    return FoundRows(rows=tuple(rows), next=None if following is None else str(following))


@call("POST", "/users/{id:int}/reading", "cookie")
async def set_reading_level(ask: Ask, body: ReadingLevel) -> ReadingLevelIs:
    """Set somebody's reading level (阅读权限): for moderators."""
    user = await ask.accounts.find(ask.path["id"])
    if user is None or user.kind != "user" or user.deleted:
        raise HallError("NOT_FOUND")
    found = await ask.services.community.boards.set_level(await _reader(ask), user.id, body.level, body.reason)
    what = "level_own" if body.level is None else "level"
    ask.hall.notes.ruling(user.id, what, body.reason, None, level=body.level)
    return ReadingLevelIs(found.level, found.given is not None)
