"""Calls about albums: pictures, who sees them, what is said of them (platform P-8)."""

from __future__ import annotations

from typing import Any, cast, get_args

from starlette.responses import Response

from qipai.accounts.model import User
from qipai.community.album.files import SIZES
from qipai.community.album.service import MOST_BYTES, Picture, Visible
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.pages.album import (
    AlbumChange,
    AlbumMade,
    AlbumPage,
    NewAlbum,
    NewPictureComment,
    PictureChange,
    PictureCommentRow,
    PictureCommentRows,
    PicturePage,
)
from qipai.web.protocol import NoBody

__all__: list[str] = []

# A picture is shown and nothing else, whatever a browser takes it for; each time it is asked whether one may see it.
SHOWN = {
    "content-disposition": "inline",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-cache",
    "vary": "cookie, authorization",
}


async def _owner(ask: Ask, id: int) -> User:
    user = await ask.accounts.find(id)
    if user is None or user.deleted or user.kind != "user":
        raise HallError("NOT_FOUND")
    return user


async def _page(ask: Ask, picture: Picture) -> PicturePage:
    owner = await _owner(ask, picture.user)
    return PicturePage(picture, owner, *await ask.services.community.album.around(picture, ask.viewer))


@call("GET", "/album", "signed", "play")
async def my_album(ask: Ask) -> AlbumPage:
    """Return my albums with all their pictures (P-8)."""
    if ask.user.kind == "guest":
        raise HallError("SIGN_IN", case="guest")
    album = ask.services.community.album
    albums = await album.of(ask.user.id, ask.user.id)
    used = sum(not picture.removed for one in albums for picture in one.pictures)
    return AlbumPage(ask.user, tuple(albums), album.most, used)


@call("GET", "/users/{id:int}/album")
async def album(ask: Ask) -> AlbumPage:
    """Return somebody's albums with the pictures that I may see (P-8)."""
    owner = await _owner(ask, ask.path["id"])
    return AlbumPage(owner, tuple(await ask.services.community.album.of(owner.id, ask.viewer)))


@call("POST", "/albums", "cookie")
async def new_album(ask: Ask, body: NewAlbum) -> AlbumMade:
    """Make an album; at most 20."""
    return AlbumMade(await ask.services.community.album.make(ask.user, body.name, body.cid))


@call("POST", "/albums/{id:int}", "cookie")
async def rename_album(ask: Ask, body: AlbumChange) -> None:
    """Give an album of mine another name."""
    await ask.services.community.album.rename(ask.user, ask.path["id"], body.name)


@call("DELETE", "/albums/{id:int}", "cookie")
async def drop_album(ask: Ask, body: NoBody) -> None:
    """Delete an album of mine with all its pictures."""
    await ask.services.community.album.drop(ask.user, ask.path["id"])


@call("POST", "/albums/{id:int}/pictures", "cookie", queries="caption visible cid", cost=10, most=MOST_BYTES + 1)
async def send_picture(ask: Ask, body: bytes) -> PicturePage:
    """Put a picture into an album of mine: a JPEG, PNG or WebP file of at most 2 MiB, as it is.

    It is written anew, without all that its file tells beside the pixels. visible: `friends` where nobody says it.
    """
    visible = ask.query.get("visible", "friends")
    if visible not in get_args(Visible):
        raise HallError("BAD_OPTION", field="visible")
    caption = ask.query.get("caption", "")
    picture = await ask.services.community.album.add(
        ask.user, ask.path["id"], body, caption, cast(Visible, visible), ask.cid
    )
    return await _page(ask, picture)


@call("GET", "/pictures/{id:int}")
async def picture(ask: Ask) -> PicturePage:
    """Return a picture that I may see."""
    return await _page(ask, await ask.services.community.album.find(ask.path["id"], ask.viewer))


@call("POST", "/pictures/{id:int}", "cookie")
async def change_picture(ask: Ask, body: PictureChange) -> PicturePage:
    """Change what stands under a picture of mine, who sees it, and in which album it is."""
    album, id = ask.services.community.album, ask.path["id"]
    await album.change(ask.user, id, body.caption, body.visible, body.album)
    return await _page(ask, await album.find(id, ask.user.id))


@call("DELETE", "/pictures/{id:int}", "cookie")
async def drop_picture(ask: Ask, body: NoBody) -> None:
    """Delete a picture of mine, its files, and what was said of it."""
    await ask.services.community.album.drop_picture(ask.user, ask.path["id"])


@call("GET", "/pictures/{id:int}/file/{size}", media="image/webp")
async def picture_file(ask: Ask) -> bytes:
    """Return a picture itself, as the hall has written it. size: `large` (at most 1600 px) or `small` (320)."""
    size = ask.path["size"]
    if size not in SIZES:
        raise HallError("NOT_FOUND")
    album = ask.services.community.album
    name, data = await album.file(ask.path["id"], size, ask.viewer, moderator=ask.keeps_order)
    headers = {**SHOWN, "etag": f'"{name}-{size}"'}
    if ask.request.headers.get("if-none-match") == headers["etag"]:
        found: Any = Response(status_code=304, headers=headers)
    else:
        found = Response(data, media_type="image/webp", headers=headers)
    return found  # type: ignore[no-any-return]  # the body it stands for


@call("GET", "/pictures/{id:int}/comments", queries="limit after")
async def comments(ask: Ask) -> PictureCommentRows:
    """Return what is said of a picture, newest first, but for the words of those with whom a block stands."""
    after, most = ask.cursor()
    community = ask.services.community
    owner = (await community.album.find(ask.path["id"], ask.viewer)).user
    found = await community.album.comments(ask.path["id"], after, most + 1)
    rows = []
    for one in found[:most]:
        user = await ask.accounts.find(one.user)
        if user is not None and not ask.hall.ties.apart(ask.viewer, one.user):
            mine = ask.viewer in (one.user, owner)
            rows.append(PictureCommentRow(one.id, one.at, user, await community.common.html(one.text), mine))
    return PictureCommentRows(tuple(rows), str(found[most - 1].id) if len(found) > most else None)


@call("POST", "/pictures/{id:int}/comments", "cookie")
async def comment(ask: Ask, body: NewPictureComment) -> None:
    """Say something of a picture that I may see."""
    await ask.services.community.album.comment(ask.user, ask.path["id"], body.text, body.cid)


@call("DELETE", "/pictures/comments/{id:int}", "cookie")
async def drop_comment(ask: Ask, body: NoBody) -> None:
    """Delete a comment of mine, or one on a picture of mine."""
    await ask.services.community.album.drop_comment(ask.user, ask.path["id"])
