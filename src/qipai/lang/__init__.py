"""The sentences: the hall's own stand here, a game's in its folder. Nobody else says a sentence to a player.

A language is a file `<lang>.toml` here and one in each game's `lang/`; tables in them are flattened with dots.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, NamedTuple

import msgspec

from qipai import games

__all__ = ["LANGS", "Sentences", "Voice", "fill", "hall", "of_game", "sentences", "signed", "verbs", "voice"]

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

    def __call__(self, code: str, /, **facts: Any) -> str:
        """Return a sentence with its facts."""
        return fill(self[code], facts)

    def spoken(self, verb: str) -> list[str]:
        """Return the words that a player may type for a verb, the usual one first."""
        return self[f"read.{verb}"].split()

    def told(self, event: object, seated: Iterable[str] = ()) -> tuple[str, dict[str, Any]]:
        """Return the code of an event, and its facts; seated: which of them are seats, named as the game names them."""
        facts = dict(msgspec.to_builtins(event))
        for name in seated:
            if facts.get(name) is not None:
                facts[name] = self("show.seat", seat=facts[name])
        return f"event.{facts.pop('e')}", facts


def voice(game: str, lang: str) -> Voice:
    """Return a game's sentences for a terminal or a log; lang is "zh", "zh-CN", "en" or a locale's name."""
    return Voice(of_game(game, "zh-CN" if lang.startswith("zh") else "en"))


def verbs(game: str, names: Iterable[str]) -> dict[str, str]:
    """Return what a typed word stands for among these verbs of a game, in any language."""
    voices = (voice(game, "en"), voice(game, "zh"))
    return {word: name for words in voices for name in names for word in words.spoken(name)}


def signed(points: Iterable[int]) -> list[str]:
    """Return points with their signs: "+4", "-4", "+0"."""
    return [f"{n:+d}" for n in points]


def fill(sentence: str, facts: Mapping[str, Any], between: str = " ") -> str:
    """Return a sentence with its `{facts}`; a fact that is not there stays empty. between: what parts a list.

    `{n|game|games}` is the first word where n is one or a name, as in the client.
    """

    def fact(name: re.Match[str]) -> str:
        value = facts.get(name[1], "")
        if name[2] is not None:
            many = str(value).isdigit() and int(value) != 1
            return name[3] if many else name[2]
        return between.join(map(str, value)) if isinstance(value, list | tuple) else str(value)

    return re.sub(r"\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}", fact, sentence)


def _folder(game: str) -> Traversable:
    point = games.foreign().get(game)
    return files("qipai.games").joinpath(game) if point is None else files(point.module)  # our own is not imported


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
