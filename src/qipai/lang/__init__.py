"""The sentences: the hall's own stand here, a game's in its folder. Nobody else says a sentence to a player.

A language is a file `<lang>.toml` here and one in each game's `lang/`; tables in them are flattened with dots.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, NamedTuple

import msgspec

from qipai import games

__all__ = ["LANGS", "Sentences", "Voice", "fill", "hall", "of_game", "sentences", "voice"]

LANGS: Final = {"zh-CN": "zh", "en": "en"}  # what the wire calls it -> the file


class Sentences(NamedTuple):
    """All sentences of a language as the wire carries them."""

    body: bytes  # JSON: code -> sentence
    packed: bytes  # the same with gzip
    tag: str  # changes when a sentence does


@cache
def sentences(lang: str) -> Sentences:
    """Return all sentences of a language, a game's under `<game>.`; raises KeyError for a language not in LANGS."""
    every = dict(hall(lang))
    for game in games.names():
        every.update((f"{game}.{code}", text) for code, text in of_game(game, lang).items())
    body = msgspec.json.encode(every)
    return Sentences(body, gzip.compress(body, 9, mtime=0), hashlib.sha256(body).hexdigest()[:12])


@cache
def hall(lang: str) -> Mapping[str, str]:
    """Return the hall's own sentences by code."""
    return _read(files("qipai.lang").joinpath(f"{LANGS[lang]}.toml"))


@cache
def of_game(game: str, lang: str) -> Mapping[str, str]:
    """Return a game's sentences by code, without the name of the game before it; none where it has no such file."""
    return _read(_folder(game).joinpath("lang").joinpath(f"{LANGS[lang]}.toml"))


class Voice(dict[str, str]):
    """A game's sentences by code; called with a code and facts, the sentence filled in."""

    def __call__(self, code: str, **facts: Any) -> str:
        """Return a sentence with its facts."""
        return fill(self[code], facts)


def voice(game: str, lang: str) -> Voice:
    """Return a game's sentences for a terminal or a log; lang is "zh", "zh-CN", "en" or a locale's name."""
    return Voice(of_game(game, "zh-CN" if lang.startswith("zh") else "en"))


def fill(sentence: str, facts: Mapping[str, Any], between: str = " ") -> str:
    """Return a sentence with its `{facts}`; a fact that is not there stays empty. between: what parts a list."""

    def fact(name: re.Match[str]) -> str:
        value = facts.get(name[1], "")
        return between.join(map(str, value)) if isinstance(value, list | tuple) else str(value)

    return re.sub(r"\{(\w+)\}", fact, sentence)


def _folder(game: str) -> Traversable:
    for point in entry_points(group="qipai.games"):
        if point.name == game:
            return files(point.module)
    return files("qipai.games").joinpath(game)  # the game itself is not imported


def _read(file: Traversable) -> dict[str, str]:
    if not file.is_file():
        return {}
    return dict(_flat(tomllib.loads(file.read_text(encoding="utf-8")), ""))


def _flat(table: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", str(value)
