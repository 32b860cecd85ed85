"""Pictures are written anew: pixels alone, turned, not too large; what is no picture is refused."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageCms

from qipai.community.album.encode import BadImage, encoded
from qipai.community.album.header import claimed


def drawn(format: str = "PNG", mode: str = "RGB", size: tuple[int, int] = (30, 20), **how: Any) -> bytes:
    out = BytesIO()
    Image.new(mode, size).save(out, format, **how)
    return out.getvalue()


def opened(data: bytes) -> Image.Image:
    image = Image.open(BytesIO(data))
    assert image.format == "WEBP"
    image.load()
    return image


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def bomb(side: int, *, honest: bool) -> bytes:
    """Return a PNG of few bytes and many pixels; if it is not honest, its header tells of few."""
    told = side if honest else 10
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", told, told, 1, 0, 0, 0, 0))
    rows = zlib.compress(bytes((side // 8 + 1) * side), 9)
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_where_it_was_taken_and_by_what_is_not_kept_and_it_is_turned() -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "Secret Camera"  # turned by a quarter
    exif.get_ifd(0x8825)[2] = (31.0, 14.0, 0.0)  # where
    out = BytesIO()
    image = Image.new("RGB", (300, 200), (0, 0, 255))
    image.paste((255, 0, 0), (0, 0, 150, 200))  # red on the left, so above when turned
    image.save(out, "JPEG", exif=exif, comment=b"a secret comment", quality=95)
    width, height, large, small = encoded(out.getvalue())
    assert (width, height) == (200, 300)
    for data in (large, small):
        assert b"Secret" not in data
        assert b"secret" not in data
        shown = opened(data)
        assert not shown.getexif()
        assert "icc_profile" not in shown.info
    red, _green, blue = opened(large).convert("RGB").getpixel((100, 10))  # type: ignore[misc]
    assert red > 200 > 60 > blue


def test_a_large_picture_becomes_smaller_and_a_small_one_stays() -> None:
    width, height, large, small = encoded(drawn("JPEG", size=(4000, 2000)))
    assert (width, height) == opened(large).size == (1600, 800)
    assert opened(small).size == (320, 160)
    assert encoded(drawn(size=(30, 20)))[:2] == (30, 20)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_pngs_of_all_modes(mode: str) -> None:
    assert opened(encoded(drawn(mode=mode))[2]).size == (30, 20)


def test_cmyk_and_a_profile_become_srgb_and_transparency_stays() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert opened(encoded(drawn("JPEG", "CMYK"))[2]).mode == "RGB"
    assert "icc_profile" not in opened(encoded(drawn("JPEG", icc_profile=profile))[2]).info
    assert opened(encoded(drawn("JPEG", icc_profile=b"no profile at all"))[2]).mode == "RGB"
    assert opened(encoded(drawn("PNG", "RGBA"))[2]).mode == "RGBA"


def test_of_an_animation_the_first_picture_is_kept() -> None:
    out = BytesIO()
    frames = [Image.new("RGB", (30, 20), color) for color in ((255, 0, 0), (0, 255, 0))]
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:], lossless=True)
    shown = opened(encoded(out.getvalue())[2])
    assert getattr(shown, "n_frames", 1) == 1
    assert shown.getpixel((5, 5))[0] > 200  # type: ignore[index]


def test_a_page_within_a_picture_does_not_come_out() -> None:
    script = b"<script>alert(1)</script>"
    for data in (drawn("JPEG", comment=script), drawn() + script, drawn("WEBP") + script):
        _, _, large, small = encoded(data)
        assert script not in large + small


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GIF89a\x01\x00\x01\x00\x00\x00\x00;",
        drawn("GIF"),
        drawn("BMP"),
        drawn("TIFF"),
        b'<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
        drawn("JPEG", size=(300, 300))[:500],
        drawn("PNG", size=(300, 300))[:120],
        drawn("WEBP", size=(300, 300))[:40],
        b"\x89PNG\r\n\x1a\n" + b"\x00" * 100,
        b"\xff\xd8\xff" + b"\x00" * 100,
        b"RIFF\x00\x00\x00\x00WEBPVP8X" + b"\x00" * 100,
    ],
)
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(BadImage):
        encoded(data)


def test_bombs_are_refused_before_they_are_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image.Image, "load", lambda image: pytest.fail("it was decoded"))
    with pytest.raises(BadImage):
        encoded(bomb(7000, honest=True))
    claim = claimed(bomb(60_000 // 100, honest=True).replace(struct.pack(">I", 600), struct.pack(">I", 60_000)))
    assert claim is not None
    assert not claim.fits


def test_a_header_that_lies_gives_no_more_pixels_than_it_tells() -> None:
    assert encoded(bomb(4000, honest=False))[:2] == (10, 10)
