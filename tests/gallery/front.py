"""The ten pictures of the README: light and dark, a desk and a phone, both languages."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PIL import Image
from tests.gallery.states import DESK, PHONE, Look, Shot, State

FOLDER: Final = Path(__file__).parents[2] / "docs" / "img"
WIDE: Final = 960  # pixels of a desk's picture
QUALITY: Final = 78
DARK_PHONE, LIGHT_DESK = Look("zh-CN", "dark", PHONE.size), Look("en", "light", DESK.size)
# The file's name -> what it shows.
TEN: Final = {
    "gouji": Shot(State("table", "gouji", "duel"), DESK),
    "mahjong": Shot(State("table", "mahjong", "claim"), LIGHT_DESK),
    "shengji": Shot(State("table", "shengji", "four throws"), LIGHT_DESK),
    "backgammon": Shot(State("table", "backgammon", "to_play"), DESK),
    "lobby": Shot(State("page", "/", "keeper"), LIGHT_DESK),
    "xiangqi": Shot(State("table", "xiangqi", "playing"), DESK),
    "baohuang": Shot(State("table", "baohuang", "five long sets"), DARK_PHONE),
    "doudizhu": Shot(State("table", "doudizhu", "three long sets"), PHONE),
    "lianliankan": Shot(State("table", "lianliankan", "racing"), DARK_PHONE),
    "lesson": Shot(State("page", "/learn/gouji", "keeper"), PHONE),
}


def write(shot: Shot, picture: Image.Image, folder: Path = FOLDER) -> None:
    """Write one of the ten, no higher than its window."""
    name = next(name for name, one in TEN.items() if one == shot)
    width, height = shot.look.size
    shown = picture.crop((0, 0, width, height))
    if width > WIDE:
        shown = shown.resize((WIDE, round(height * WIDE / width)), Image.Resampling.LANCZOS)
    shown.save(folder / f"{name}.webp", "WEBP", quality=QUALITY, method=6)
