"""What comes over the line: performance part D, row 16."""

from __future__ import annotations

import gzip
import re
from functools import cache

import pytest

from qipai import games
from qipai.web.files import CLIENT

FIRST, GAME = 90_000, 40_000  # bytes of script, gzipped

pytestmark = pytest.mark.skipif(not (CLIENT / "index.html").is_file(), reason="the client is not built: npm run build")


@cache
def packed(name: str) -> int:
    return len(gzip.compress((CLIENT / "assets" / name).read_bytes(), 9))


@cache
def statics(name: str) -> frozenset[str]:
    """A script and all that it cannot run without."""
    text = (CLIENT / "assets" / name).read_text(encoding="utf-8")
    found = {name}
    for other in re.findall(r'(?:^|[;}\s])(?:import|export)[^;"\'`()]*?from\s*["\']\./([\w.-]+\.js)["\']', text):
        found |= statics(other)
    for other in re.findall(r'(?:^|[;}\s])import\s*["\']\./([\w.-]+\.js)["\']', text):
        found |= statics(other)
    return frozenset(found)


def entry() -> str:
    found = re.search(r'src="/assets/([\w.-]+\.js)"', (CLIENT / "index.html").read_text(encoding="utf-8"))
    assert found
    return found[1]


def script(start: str) -> str:
    """The built file of a source module."""
    found = [path.name for path in (CLIENT / "assets").glob(f"{start}-*.js")]
    assert len(found) == 1, (start, found)
    return found[0]


def weigh(*names: str) -> int:
    return sum(packed(name) for name in frozenset().union(*(statics(name) for name in names)))


@pytest.mark.parametrize("page", ["Lobby", "TablePage", "Room", "Rules", "Settings", "SignIn"])
def test_a_first_visit_is_light(page: str) -> None:
    assert weigh(entry(), script(page)) <= FIRST


@pytest.mark.parametrize("game", games.names())
def test_a_game_adds_little(game: str) -> None:
    frame = weigh(entry(), script("TablePage"))
    assert weigh(entry(), script("TablePage"), script(game)) - frame <= GAME


def test_a_game_comes_when_it_is_asked_for() -> None:
    first = statics(entry()) | statics(script("Lobby"))
    for game in games.names():
        assert script(game) not in first


def test_nothing_comes_from_elsewhere() -> None:
    for path in CLIENT.rglob("*"):
        if path.suffix in (".html", ".css"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"(?:src|href)=\"https?:|url\(\s*['\"]?https?:|@import", text), path.name


def test_the_page_runs_nothing_inline() -> None:
    page = (CLIENT / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"\son\w+=|\sstyle=", page)
