"""Bodies and answers of the calls about albums."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.community.album.service import MOST_CAPTION, MOST_COMMENT, Album, Picture, Visible
from qipai.web.protocol import Body

__all__ = [
    "AlbumChange",
    "AlbumMade",
    "AlbumPage",
    "NewAlbum",
    "NewPictureComment",
    "PictureChange",
    "PictureCommentRow",
    "PictureCommentRows",
    "PicturePage",
]

Name = Annotated[str, Meta(min_length=1, max_length=40)]


class NewAlbum(Body, frozen=True, kw_only=True):
    """An album that somebody makes."""

    name: Name


class AlbumChange(Body, frozen=True, kw_only=True):
    """Another name for an album."""

    name: Name


class PictureChange(Body, frozen=True, kw_only=True):
    """What stands under a picture, who sees it, in which album it is."""

    caption: Annotated[str, Meta(max_length=MOST_CAPTION)]
    visible: Visible
    album: int


class NewPictureComment(Body, frozen=True, kw_only=True):
    """What somebody says of a picture."""

    text: Annotated[str, Meta(min_length=1, max_length=MOST_COMMENT)]


class AlbumMade(Struct, frozen=True):
    """The number of the album that was made."""

    id: int


class AlbumPage(Struct, frozen=True):
    """Somebody's albums, as I may see them. most: pictures that one person may keep; used: theirs, only in mine."""

    user: User
    albums: tuple[Album, ...]
    most: int | None = None
    used: int | None = None


class PicturePage(Struct, frozen=True):
    """A picture, whose it is, the name of its album, and the pictures before and after it there."""

    picture: Picture
    user: User
    name: str
    before: int | None
    after: int | None


class PictureCommentRow(Struct, frozen=True):
    """What somebody says of a picture. mine: I may delete it."""

    id: int
    at: int
    user: User
    html: str
    mine: bool


class PictureCommentRows(Struct, frozen=True):
    """What is said of a picture, newest first."""

    rows: tuple[PictureCommentRow, ...]
    next: str | None
