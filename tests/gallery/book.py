"""The page to walk through the gallery: one state at a time, its sizes side by side, by mouse or keyboard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from PIL import Image
from tests.gallery import last
from tests.gallery.states import Shot

INDEX: Final = (Path(__file__).parent / "index.html").read_text("utf-8")
QUALITY: Final = 80


class Book:
    """Pictures in a folder, and the page that shows them. What a folder holds already stays and is shown, too."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._list = folder / "pictures.json"
        self._rows: dict[str, dict[str, Any]] = {}
        if self._list.is_file():
            self._rows = {row["name"]: row for row in json.loads(self._list.read_text("utf-8"))}

    def add(self, shot: Shot, picture: Image.Image, change: last.Change | None) -> None:
        """Keep a picture, and how it has changed."""
        file = self.folder / f"{shot}.webp"
        file.parent.mkdir(parents=True, exist_ok=True)
        picture.save(file, "WEBP", quality=QUALITY, method=2)
        row: dict[str, Any] = {
            "name": str(shot), "state": str(shot.state), "lang": shot.look.lang, "theme": shot.look.theme,
            "wide": picture.width, "high": picture.height, "file": file.relative_to(self.folder).as_posix(),
        }  # fmt: skip
        if change:
            row["changed"] = [[one.left, one.top, one.right, one.bottom] for one in change.places]
            if change.places:
                was = file.with_suffix(".was.webp")
                was.write_bytes(last.path(shot).read_bytes())
                row["was"] = was.relative_to(self.folder).as_posix()
        self._rows[str(shot)] = row

    def close(self) -> Path:
        """Write the page and return where it is."""
        rows = json.dumps([self._rows[name] for name in sorted(self._rows)], ensure_ascii=False)
        self._list.write_text(rows, "utf-8")
        index = self.folder / "index.html"
        index.write_text(INDEX.replace("[/* pictures */]", rows.replace("</", "<\\/")), "utf-8")
        return index
