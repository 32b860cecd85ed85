"""Text of records: UTF-8 or GB18030, whichever the bytes are."""

from __future__ import annotations

__all__ = ["decoded", "gb18030", "utf16"]


def decoded(data: bytes | str) -> str:
    """Return the text of a file: UTF-8 (or UTF-16 with its mark), else GB18030; what is neither reads as U+FFFD."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("gb18030", errors="replace")


def gb18030(data: bytes) -> str:
    """Return a binary record's text; a character that its field cut in two is left out."""
    return data.split(b"\0", 1)[0].decode("gb18030", errors="ignore")


def utf16(data: bytes) -> str:
    """Return UTF-16LE text up to its first zero pair on an even offset."""
    for at in range(0, len(data) - 1, 2):
        if data[at] == data[at + 1] == 0:
            data = data[:at]
            break
    return data.decode("utf-16-le", errors="ignore")
