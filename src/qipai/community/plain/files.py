"""The plain pages as files: `pages/<name>.<lang>.md` in the data folder, else the text that comes with the hall."""

from __future__ import annotations

import hashlib
import os
import secrets
from importlib.resources import files
from pathlib import Path
from typing import Final

from msgspec import Struct

from qipai.lang import languages, respelling

__all__ = ["MOST", "NAMES", "Text", "read", "shipped", "version", "write"]

NAMES: Final = ("support", "contact", "links", "faq", "help", "invite")
MOST: Final = 20_000  # characters
FALLBACK: Final = "en"


class Text(Struct, frozen=True):
    """The text of a page. own: it is this hall's; at: when its file was changed, seconds since 1970."""

    text: str
    version: str
    own: bool
    at: int | None = None


def version(text: str) -> str:
    """Return what tells one text from another."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def shipped(name: str, lang: str) -> str:
    """Return the text that comes with the hall, respelt where a language has a base; else the English one."""
    folder = files("qipai.community.plain") / "defaults"
    base = _base(lang)
    for each in (lang, base, FALLBACK):
        if (file := folder / f"{name}.{each}.md").is_file():
            text = file.read_text("utf-8")
            return respelling(lang)(text) if each == base else text
    raise LookupError(name)


def read(folder: Path, name: str, lang: str) -> Text:
    """Return the text of a page; a file that cannot be read or is far too long counts as none.

    Where a hall has written a page in the base of a language and not in the language, that text is respelt.
    """
    if (text := _written(folder, name, lang)) is not None:
        return text
    if (base := _base(lang)) and (text := _written(folder, name, base)) is not None:
        said = respelling(lang)(text.text)
        return Text(said, version(said), own=False, at=text.at)
    said = shipped(name, lang)
    return Text(said, version(said), own=False)


def _base(lang: str) -> str:
    return languages()[lang].base if lang in languages() else ""


def _written(folder: Path, name: str, lang: str) -> Text | None:
    path = folder / f"{name}.{lang}.md"
    try:
        stat = path.stat()
        if stat.st_size <= 4 * MOST:
            # A byte order mark and a foreign line end are what an editor leaves, no part of the text.
            text = path.read_text("utf-8-sig", errors="replace")[:MOST]
            return Text(text, version(text), own=True, at=int(stat.st_mtime))
    except OSError:
        pass
    return None


def write(folder: Path, name: str, lang: str, text: str) -> None:
    """Write a page; whoever reads meanwhile finds the old text or the new one, never a part."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.{lang}.md"
    draft = folder / f".{name}.{lang}.{secrets.token_hex(4)}"
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
