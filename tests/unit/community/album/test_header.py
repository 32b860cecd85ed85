"""What a picture's first bytes claim."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from qipai.community.album.header import Claim, claimed


def drawn(format: str, size: tuple[int, int] = (30, 20), **how: Any) -> bytes:
    out = BytesIO()
    Image.new("RGB", size, (200, 30, 40)).save(out, format, **how)
    return out.getvalue()


@pytest.mark.parametrize(
    ("format", "how"),
    [
        ("JPEG", {}),
        ("JPEG", {"progressive": True}),
        ("PNG", {}),
        ("WEBP", {}),
        ("WEBP", {"lossless": True}),
        ("WEBP", {"exif": b"Exif\0\0MM\0*\0\0\0\x08\0\0"}),
    ],
)
def test_what_pillow_writes_is_known(format: str, how: dict[str, Any]) -> None:
    assert claimed(drawn(format, **how)) == Claim(format, 30, 20)  # type: ignore[arg-type]


def test_too_many_pixels_do_not_fit() -> None:
    assert Claim("PNG", 8000, 5000).fits
    assert not Claim("PNG", 8001, 5000).fits
    assert not Claim("PNG", 60_000, 1).fits
    assert not Claim("PNG", 0, 5).fits


def test_the_largest_of_several_frame_headers_counts() -> None:
    data = drawn("JPEG")
    frame = b"\xff\xc0\x00\x0b\x08" + (60_000).to_bytes(2) * 2 + b"\x01\x01\x11\x00"
    claim = claimed(data[:2] + frame + data[2:])
    assert claim is not None
    assert (claim.width, claim.height) == (60_000, 60_000)


@given(st.binary(max_size=80), st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF0000WEBPVP8 "]))
def test_any_bytes_have_an_answer(data: bytes, head: bytes) -> None:
    claim = claimed(head + data)
    assert claim is None or claim.width >= 0
