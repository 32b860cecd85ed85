"""What a picture's first bytes claim: its format and size, read without decoding anything. Pure."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

__all__ = ["MOST_PIXELS", "MOST_SIDE", "Claim", "claimed"]

MOST_PIXELS: Final = 40_000_000  # a phone's camera has 12 to 50 million; the client makes larger ones smaller
MOST_SIDE: Final = 16_383

FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # JPEG's markers that tell the size
ALONE: Final = frozenset({0x01, *range(0xD0, 0xD8)})  # JPEG's markers without a length


class Claim(Struct, frozen=True):
    """What a picture claims to be."""

    format: Literal["JPEG", "PNG", "WEBP"]
    width: int
    height: int

    @property
    def fits(self) -> bool:
        """Tell whether so large a picture is decoded at all."""
        small = 0 < self.width <= MOST_SIDE and 0 < self.height <= MOST_SIDE
        return small and self.width * self.height <= MOST_PIXELS


def claimed(data: bytes) -> Claim | None:
    """Return what a picture claims to be, None if it is of no format that albums take."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png(data)
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp(data)
    return None


def _png(data: bytes) -> Claim | None:
    if len(data) < 33 or data[12:16] != b"IHDR":
        return None
    return Claim("PNG", int.from_bytes(data[16:20]), int.from_bytes(data[20:24]))


def _jpeg(data: bytes) -> Claim | None:
    """Return the largest size that any frame header tells before the first scan: a decoder may take any of them."""
    at, width, height = 2, 0, 0
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
            continue
        if marker in ALONE:
            at += 2
            continue
        if marker in (0xD9, 0xDA):  # the end, or the first scan
            break
        length = int.from_bytes(data[at + 2 : at + 4])
        if length < 2:
            return None
        if marker in FRAMES:
            if length < 8 or at + 9 > len(data):
                return None
            height = max(height, int.from_bytes(data[at + 5 : at + 7]))
            width = max(width, int.from_bytes(data[at + 7 : at + 9]))
        at += 2 + length
    return Claim("JPEG", width, height) if width and height else None


def _webp(data: bytes) -> Claim | None:
    kind = data[12:16]
    if len(data) < 30:
        return None
    if kind == b"VP8X":
        return Claim("WEBP", 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little"))
    if kind == b"VP8L" and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return Claim("WEBP", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    if kind == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = (int.from_bytes(data[at : at + 2], "little") & 0x3FFF for at in (26, 28))
        return Claim("WEBP", width, height)
    return None
