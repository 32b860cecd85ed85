"""Decode files of unknown encoding: UTF-8, UTF-16 with a byte order mark, GB18030, Big5 or Windows-1252."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["decoded"]

HIGH: Final = re.compile(rb"[\x80-\xff]+")


def decoded(data: bytes, signs: frozenset[str] = frozenset()) -> str:
    """Return the text of a file; bytes that fit no encoding become U+FFFD.

    signs: characters that are frequent in such texts. GB18030 and Big5 use the same bytes for different characters, and
    a short text can be valid in both: the one that yields more of these characters wins, GB18030 when they are equal.
    Without signs, single non-ASCII bytes among ASCII are read as Latin, because Chinese characters take two bytes.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    if not signs and any(len(run[0]) % 2 for run in HIGH.finditer(data)):
        return data.decode("cp1252", errors="replace")
    simplified, traditional = (data.decode(name, errors="replace") for name in ("gb18030", "big5"))
    return traditional if _worth(traditional, signs) > _worth(simplified, signs) else simplified


def _worth(text: str, signs: frozenset[str]) -> int:
    return sum(one in signs for one in text) - text.count("\ufffd")
