"""Writes a picture anew: `python -m qipai.community.album.encode` reads one from stdin and writes two to stdout.

The hall runs it as a process of its own with a limit of time and memory, so that no picture can harm it: neither one
that takes long, nor one that finds a fault in a decoder. What comes out is pixels alone: the first frame, turned as the
camera says, in sRGB, without any metadata.
"""

from __future__ import annotations

import sys
import warnings
from contextlib import suppress
from io import BytesIO
from struct import Struct
from typing import TYPE_CHECKING, Final

from qipai.community.album.header import MOST_PIXELS, claimed

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

__all__ = ["HEAD", "LARGE", "SMALL", "BadImage", "encoded", "main"]

LARGE: Final = 1600  # px of the longer side, at most
SMALL: Final = 320
QUALITY: Final = 82
MEMORY: Final = 1 << 30  # bytes of address space
CPU_S: Final = 20
HEAD: Final = Struct(">IIII")  # width, height, bytes of the picture, bytes of the small one


class BadImage(Exception):
    """It is no picture that can be read."""


def encoded(data: bytes) -> tuple[int, int, bytes, bytes]:
    """Return the size of a picture written anew, the picture, and a small one, both WebP. Raises BadImage."""
    from PIL import Image, ImageOps

    claim = claimed(data)
    if claim is None or not claim.fits:
        raise BadImage
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(data), formats=(claim.format,)) as image:
                if (image.width, image.height) != (claim.width, claim.height):
                    raise BadImage
                image.seek(0)
                if claim.format == "JPEG":
                    image.draft(None, (2 * LARGE, 2 * LARGE))  # decodes no more than is needed
                image.load()
                plain = _plain(ImageOps.exif_transpose(image))
    except (OSError, ValueError, SyntaxError, ArithmeticError, LookupError, TypeError, MemoryError) as wrong:
        raise BadImage from wrong  # decoders raise all of these for damaged data
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as wrong:
        raise BadImage from wrong
    plain.thumbnail((LARGE, LARGE), Image.Resampling.LANCZOS)
    small = plain.copy()
    small.thumbnail((SMALL, SMALL), Image.Resampling.LANCZOS)
    return plain.width, plain.height, _webp(plain), _webp(small)


def _plain(image: Pixels) -> Pixels:
    """Return the pixels of an image in sRGB, and nothing else of it."""
    from PIL import Image, ImageCms

    profile = image.info.get("icc_profile")
    clear = image.has_transparency_data
    if profile and image.mode in ("RGB", "RGBA", "CMYK", "L"):
        with suppress(ImageCms.PyCMSError, OSError, ValueError):  # a profile that cannot be read is dropped
            own = ImageCms.ImageCmsProfile(BytesIO(profile))
            mode = "RGBA" if image.mode == "RGBA" else "RGB"
            image = ImageCms.profileToProfile(image, own, ImageCms.createProfile("sRGB"), outputMode=mode) or image
    if image.mode.startswith("I;16"):
        image = image.point(lambda value: value / 256).convert("L")
    image = image.convert("RGBA" if clear else "RGB")
    plain = Image.new(image.mode, image.size)
    plain.paste(image)
    return plain


def _webp(image: Pixels) -> bytes:
    out = BytesIO()
    image.save(out, "WEBP", quality=QUALITY, method=4)
    return out.getvalue()


def _limit() -> None:
    """Limit what this process may use, where the system can."""
    try:
        import resource
    except ImportError:  # Windows: the hall ends it when its time is over
        return
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, CPU_S), (resource.RLIMIT_CORE, 0)):
        with suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


def main() -> int:
    """Write a picture of stdin anew; return 1 if it cannot be read."""
    _limit()
    try:
        width, height, large, small = encoded(sys.stdin.buffer.read())
    except (BadImage, MemoryError):
        return 1
    sys.stdout.buffer.write(HEAD.pack(width, height, len(large), len(small)) + large + small)
    return 0


if __name__ == "__main__":
    sys.exit(main())
