"""The files of pictures: written once under random names, never changed, deleted."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from typing import Final, Literal

from qipai.store import Connection

__all__ = ["FOLDER", "SIZES", "Files", "Size", "names_in", "new_name"]

FOLDER: Final = "pictures"  # in the hall's data folder
Size = Literal["large", "small"]
SIZES: Final[tuple[Size, ...]] = ("large", "small")
NAME: Final = re.compile(r"[0-9a-f]{32}")


def new_name() -> str:
    """Return a name that nobody can guess."""
    return secrets.token_hex(16)


def names_in(db: Connection) -> list[str]:
    """Return the paths of all files that the pictures of a database have, within the data folder."""
    rows = db.execute("SELECT file FROM pictures WHERE removed = 0 ORDER BY id")
    return [f"{FOLDER}/{_place(name, size)}" for (name,) in rows for size in SIZES]


def _place(name: str, size: Size) -> str:
    if not NAME.fullmatch(name):
        raise ValueError(f"{name} is no name of a picture")
    return f"{name[:2]}/{name}-{size}.webp"


class Files:
    """The folder of pictures. All calls block: they belong into a thread."""

    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER

    def path(self, name: str, size: Size = "large") -> Path:
        """Return where a file is."""
        return self._folder / _place(name, size)

    def write(self, name: str, large: bytes, small: bytes) -> None:
        """Write the files of a picture; they are on the disk when it returns."""
        for size, data in zip(SIZES, (large, small), strict=True):
            path = self.path(name, size)
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())

    def read(self, name: str, size: Size) -> bytes | None:
        """Return a file, None where it is gone."""
        try:
            return self.path(name, size).read_bytes()
        except FileNotFoundError:
            return None

    def delete(self, name: str) -> None:
        """Delete the files of a picture, as far as they are there."""
        for size in SIZES:
            self.path(name, size).unlink(missing_ok=True)
