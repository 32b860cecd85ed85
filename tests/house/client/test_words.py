"""No word a player reads stands in the client's code: each is a key, and every key has its sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.client.renderer import knowledge

from qipai import games, lang

SOURCE = Path(__file__).parents[3] / "client" / "src"
HALL = lang.hall("en")
HAN = re.compile(r"[\u3400-\u9fff]")
# Pictures, not words: the logo, jokers, and what a game's tests name: the men on its board, the cards of its emblem;
# what a screen reads as text is asked for in `aria-label`, and that is a key again.
PICTURES = {
    "shell/SealMark.svelte",
    "kit/tiles/TileDefs.svelte",
    "kit/Card.svelte",
    "pages/replay/spoken.ts",  # the signs of a notation that is read
    *(f"games/{game}/{file}" for game in games.names() for file in knowledge(game, "PICTURES", frozenset[str]())),
}


def sources() -> Iterator[tuple[str, str]]:
    """Every file the client is made of, but for generated ones, without its comments and styles."""
    for path in sorted([*SOURCE.rglob("*.svelte"), *SOURCE.rglob("*.ts")]):
        name = path.relative_to(SOURCE).as_posix()
        if name.endswith(".gen.ts") or name.startswith("pages/kit/"):
            continue
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"<style.*?</style>|<!--.*?-->|/\*.*?\*/", "", text, flags=re.DOTALL)
        yield name, re.sub(r"(?m)(^|[\s;{(])//.*$", r"\1", text)


def words_of(name: str) -> dict[str, str]:
    """The words a file may name without a prefix: the hall's, and those of the game in whose folder it lies."""
    found = re.match(r"games/(\w+)/", name)
    return HALL | (lang.of_game(found[1], "en") if found else {})  # type: ignore[no-any-return, operator]


def keys(text: str) -> Iterator[tuple[str, bool]]:
    """The keys a source names: (key, is it only the beginning of one)."""
    for quote, key in re.findall(
        r"""(?<!case )(["'`])((?:ui|cards|kind|level|role|grade|offer|presence|clock)\.[a-z_0-9.]*)""", text
    ):
        rest = text[text.index(quote + key) + 1 + len(key) :]
        yield key, key.endswith("_") or (quote == "`" and rest.startswith("${"))


@pytest.mark.parametrize(("name", "text"), list(sources()), ids=lambda value: value if len(value) < 60 else "")
def test_every_key_has_its_sentence(name: str, text: str) -> None:
    words = words_of(name)
    for key, begins in keys(text):
        if begins:
            assert any(one.startswith(key) for one in words), f"{name}: nothing begins with {key}"
        elif key.rsplit(".", 1)[-1]:
            assert key in words, f"{name}: {key}"


@pytest.mark.parametrize("game", games.names())
def test_keys_with_a_games_name_before_them_are_that_games(game: str) -> None:
    words = lang.of_game(game, "en")
    for name, text in sources():
        for key in re.findall(rf"[\"'`]{game}\.([a-z_.]+[a-z_])[\"'`]", text):
            assert key in words, f"{name}: {game}.{key}"


@pytest.mark.parametrize(("name", "text"), list(sources()), ids=lambda value: value if len(value) < 60 else "")
def test_no_chinese_sentence_stands_in_the_code(name: str, text: str) -> None:
    if name in PICTURES:
        return
    found = [line.strip() for line in text.splitlines() if HAN.search(line)]
    assert not found, f"{name}: {found[0]}"


def test_the_pictures_are_still_there() -> None:
    assert {name for name, text in sources() if HAN.search(text)} >= PICTURES
