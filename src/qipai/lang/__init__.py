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
from qipai.lang.plurals import plural

__all__ = ["LANGS", "Sentences", "Voice", "fill", "hall", "of_game", "sentences", "signed", "verbs", "voice"]

SLOT: Final = re.compile(r"\{(\w+)((?:\|[^|{}]*){2,})?\}")
NUMBER: Final = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
NAMED: Final = re.compile(r"(none|zero|one|two|few|many|other):(.*)", re.DOTALL)
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


def fill(sentence: str, facts: Mapping[str, Any], between: str = " ", *, lang: str = "en", you: str = "") -> str:
    """Return a sentence with its facts (docs/sentences.md); a fact that is not there stays empty.

    between: what parts a list; lang: whose plurals count; you: the name that whoever reads it is called by.
    """

    def slot(found: re.Match[str]) -> str:
        value = facts.get(found[1])
        if found[2] is not None:
            form = _form(found[2][1:].split("|"), value, lang, you)
            return found[0] if form is None else form
        if value is None:
            return ""
        return between.join(map(str, value)) if isinstance(value, list | tuple) else str(value)

    filled = SLOT.sub(slot, sentence)
    return filled[:1].upper() + filled[1:] if you and sentence.startswith("{") and filled.startswith(you) else filled


def _form(forms: list[str], value: Any, lang: str, you: str) -> str | None:
    """Return the form that fits a fact, None where the forms are none that this grammar knows."""
    number = str(value) if NUMBER.fullmatch(str(value)) else None
    named = [NAMED.fullmatch(form) for form in forms]
    if all(named):
        words = {found[1]: found[2] for found in named if found}
        if value in (None, "") and "none" in words:
            return words["none"]
        return words.get(plural(lang, number) if number else "other", words.get("other"))
    if len(forms) != 2:
        return None
    first = float(number) == 1 if number else not you or value != you
    return forms[0] if first else forms[1]


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
