"""What somebody would see to have changed between two pictures of one page.

Pictures are kept small. Both are blurred a little, so that the edges of letters do not count; then each field of a few
pixels is compared, by light and by colour, with the same place of the other picture and those one pixel beside it: a
line of words that stands a hair elsewhere, as with another version of a font, is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import product
from typing import Final

from PIL import Image, ImageChops, ImageFilter

__all__ = ["LIMIT", "Place", "changes", "small"]

SMALLER: Final = {True: 2.0, False: 3.6}  # how much smaller a picture is kept: of a phone, of a desk
PHONE: Final = 900  # pixels; what is less wide is one
QUALITY: Final = 45
BLUR: Final = 1.2  # pixels of the small picture
FIELD: Final = 8
LIMIT: Final = 14  # of 255, the least mean difference of a field that counts (decision 0074)
COLOUR: Final = 1.6  # how much more a step of colour is seen than one of light
AROUND: Final = (-1, 0, 1)


@dataclass(frozen=True)
class Place:
    """Where a picture has changed, in pixels of the page, and by how much, of 255."""

    left: int
    top: int
    right: int
    bottom: int
    much: int

    def __str__(self) -> str:
        return f"{self.left},{self.top}-{self.right},{self.bottom} by {self.much}"


def small(picture: Image.Image) -> bytes:
    """Return a picture as it is kept."""
    scale = SMALLER[picture.width < PHONE]
    size = round(picture.width / scale), round(picture.height / scale)
    out = BytesIO()
    picture.convert("RGB").resize(size, Image.Resampling.BOX).save(out, "WEBP", quality=QUALITY, method=6)
    return out.getvalue()


def changes(kept: bytes, picture: Image.Image) -> list[Place]:
    """Return the places at which a picture is not what was kept, the largest change first."""
    return sorted(_places(kept, picture), key=lambda one: -one.much)


def _places(kept: bytes, picture: Image.Image) -> Iterator[Place]:
    old, new = (Image.open(BytesIO(one)).convert("RGB") for one in (kept, small(picture)))
    scale = picture.width / new.width
    if old.size != new.size:
        yield Place(0, 0, picture.width, picture.height, 255)
        return
    fields = _compared(old, new)
    marked = {
        (x, y): much for y in range(fields.height) for x in range(fields.width) if (much := _at(fields, x, y)) > LIMIT
    }
    while marked:
        cells = _joined(marked)
        much = max(marked.pop(cell) for cell in cells)
        xs, ys = [x for x, _ in cells], [y for _, y in cells]
        edges = (min(xs), min(ys), max(xs) + 1, max(ys) + 1)
        left, top, right, bottom = (round(edge * FIELD * scale) for edge in edges)
        yield Place(left, top, min(right, picture.width), min(bottom, picture.height), much)


def _at(fields: Image.Image, x: int, y: int) -> int:
    value = fields.getpixel((x, y))
    assert isinstance(value, int)
    return value


def _compared(old: Image.Image, new: Image.Image) -> Image.Image:
    """Return how much each field differs, as a picture with a pixel a field."""
    one, other = (each.filter(ImageFilter.GaussianBlur(BLUR)).convert("YCbCr") for each in (old, new))
    size = -(-one.width // FIELD), -(-one.height // FIELD)
    # What has no whole field at an edge is filled up, so that all fields are of one size.
    box = (0, 0, size[0] * FIELD, size[1] * FIELD)
    found: Image.Image | None = None
    for dx, dy in product(AROUND, AROUND):
        light, *colours = ImageChops.difference(one, ImageChops.offset(other, dx, dy)).split()
        for colour in colours:
            light = ImageChops.lighter(light, colour.point(lambda value: min(255, int(value * COLOUR))))
        fields = light.crop(box).resize(size, Image.Resampling.BOX)
        found = fields if found is None else ImageChops.darker(found, fields)
    assert found is not None
    return found


def _joined(marked: dict[tuple[int, int], int]) -> set[tuple[int, int]]:
    """Return some fields that touch one another."""
    found: set[tuple[int, int]] = set()
    waiting = [next(iter(marked))]
    while waiting:
        x, y = waiting.pop()
        found.add((x, y))
        beside = ((x + dx, y + dy) for dx, dy in product(AROUND, AROUND))
        waiting += [cell for cell in beside if cell in marked and cell not in found]
    return found
