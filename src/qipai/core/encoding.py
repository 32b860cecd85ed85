"""Text of files whose encoding nobody says: UTF-8, UTF-16 with its mark, GB18030, Big5 or Windows' Latin."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["decoded"]

HIGH: Final = re.compile(rb"[\x80-\xff]+")


def decoded(data: bytes, signs: frozenset[str] = frozenset()) -> str:
    """Return the text of a file; what fits no encoding reads as U+FFFD.

    signs: characters that such texts are full of. GB18030 and Big5 use the same bytes for other characters, and a
    short text can be read as both: the one that makes more of these signs is meant, GB18030 when they are even.
    Without signs, letters that stand alone among ASCII are Latin: Chinese ones come in pairs of bytes.
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
