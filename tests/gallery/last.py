"""Small pictures of the last release, kept in the repository: what is compared with them, how they are renewed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image
from tests.gallery.difference import Place, changes, small
from tests.gallery.states import Shot

FOLDER: Final = Path(__file__).parent / "last"


@dataclass(frozen=True)
class Change:
    """A picture that is not as it was; no places: it was not there."""

    shot: Shot
    places: tuple[Place, ...]

    def __str__(self) -> str:
        if not self.places:
            return f"{self.shot}: new"
        more = f" and {len(self.places) - 1} more" if len(self.places) > 1 else ""
        return f"{self.shot}: {self.places[0]}{more}"


def path(shot: Shot, folder: Path = FOLDER) -> Path:
    """Return where a picture is kept."""
    return folder / f"{shot.state.kind}s" / f"{str(shot).partition('/')[2].replace('/', '.')}.webp"


def compared(shot: Shot, picture: Image.Image, folder: Path = FOLDER) -> Change | None:
    """Return how a picture has changed since it was kept, None if nobody would see it."""
    kept = path(shot, folder)
    if not kept.is_file():
        return Change(shot, ())
    places = changes(kept.read_bytes(), picture)
    return Change(shot, tuple(places)) if places else None


def keep(shot: Shot, picture: Image.Image, folder: Path = FOLDER) -> None:
    """Keep a picture for the next comparison."""
    to = path(shot, folder)
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(small(picture))


def gone(shots: Iterable[Shot], folder: Path = FOLDER) -> list[Path]:
    """Return the kept pictures of what is none of these any more."""
    wanted = {path(shot, folder) for shot in shots}
    return sorted(one for one in folder.rglob("*.webp") if one not in wanted)
