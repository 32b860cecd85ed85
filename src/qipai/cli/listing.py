"""The lists in the pages: what stands between two marks is written from the games' entries, or the list of figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from qipai import games, lang
from qipai.web import figures

__all__ = ["PAGES", "listed"]

BEGIN: Final = "<!-- {} -->\n"
END: Final = "<!-- /{} -->"


def own() -> list[str]:
    """Return the names of the games of this package."""
    return [name for name in games.names() if name not in games.foreign()]


def _table(heads: Sequence[str], language: str, rules: str) -> str:
    """Return a table of the games, a line each: its name, how many play, its levels of bots, its rules."""
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    house = lang.hall(language)
    for name in own():
        entry = games.find(name)
        seats = f"{min(entry.seats)}–{max(entry.seats)}" if len(entry.seats) > 1 else str(entry.seats[0])
        bots = lang.languages()[language].between.join(house[f"level.{level}"] for level in entry.bots)
        called = " ".join(
            dict.fromkeys(lang.of_game(name, each).get("name", name) for each in (language, lang.DEFAULT))
        )
        motto = lang.of_game(name, language).get("motto", "")
        lines.append(f"| [{called}]({rules}/{name}.md) | {seats} | {bots} | {motto} |")
    return "\n".join(lines) + "\n"


# Page -> what stands in it, between which marks. Games of other packages are listed where they are installed, and
# nowhere in the pages of this one.
PAGES: Final[dict[str, tuple[str, Callable[[], str]]]] = {
    "README.md": ("games", lambda: _table(("game", "players", "bots", ""), "en", "docs/spec")),
    "README.zh-CN.md": ("games", lambda: _table(("游戏", "人数", "电脑", ""), "zh-CN", "docs/spec")),
    "docs/index.md": ("games", lambda: _table(("game", "players", "bots", ""), "en", "spec")),
    "docs/play.md": ("games", lambda: _table(("game", "players", "bots", ""), "en", "spec")),
    "docs/metrics.md": ("figures", figures.table),
}


def listed(root: Path) -> dict[Path, bytes]:
    """Return the pages of a checkout with their lists brought up to date."""
    found = {}
    for page, (kind, body) in PAGES.items():
        if (root / page).is_file():
            begin, end = BEGIN.format(kind), END.format(kind)
            first, rest = (root / page).read_text("utf-8").split(begin)
            found[Path(page)] = f"{first}{begin}{body()}{end}{rest.partition(end)[2]}".encode()
    return found
