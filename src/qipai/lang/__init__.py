"""The sentences: the hall's own stand here, a game's in its folder. Nobody else says a sentence to a player.

A language is a file `<name>.toml` here and one of the same name in each game's `lang/`; tables in them are flattened
with dots. The head of the file here says which language it is (`language.tag = "de"`), and no code lists the languages.
What a language does not say is said as the fallback says it, and else as the default does. A language whose head names
another as its base says all that the base says, respelt by the table in its file (`language.base`, `[respelt]`).
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
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from qipai import games
from qipai.lang.plurals import plural
from qipai.lang.respelling import Respelling, pairs

__all__ = [
    "DEFAULT",
    "FALLBACK",
    "BadLanguage",
    "Language",
    "Sentences",
    "Tag",
    "Voice",
    "fill",
    "hall",
    "known",
    "languages",
    "nearest",
    "of_game",
    "of_lesson",
    "pick",
    "respelling",
    "rulings",
    "sentences",
    "signed",
    "spread",
    "verbs",
    "voice",
    "written",
]

SLOT: Final = re.compile(r"\{(\w+)((?:\|[^|{}]*){2,})?\}")
NUMBER: Final = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
NAMED: Final = re.compile(r"(none|zero|one|two|few|many|other):(.*)", re.DOTALL)
HEAD: Final = re.compile(r"\s*(#|language\.|$)")
TAG: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")  # of BCP 47
DEFAULT: Final = "zh-CN"  # of a hall: where nobody has said which language
FALLBACK: Final = "en"  # says what another language does not say
MARKS: Final = "帅将车马进后胜连巅发寿卫陆独够级净抢杠斗头东兰禄"  # drawn as they come: moves, seals, pictures
SHOWN: Final = ("tag", "name", "short", "switch", "between")  # of a language's head, with its sentences


class BadLanguage(ValueError):
    """The head of a language's file is none; the text names the file."""


class Language(NamedTuple):
    """A language of the hall, as the head of its file has it."""

    tag: str  # what the wire and `<html lang>` call it: "zh-CN"
    file: str  # the name of its files, without `.toml`
    name: str  # its own name for itself: "Deutsch"
    short: str  # the same on a small button
    switch: str  # "switch to this language", in it
    guest: str  # what guests are called who read it: Guest-1234
    between: str  # what parts the members of a list
    base: str = ""  # the tag of the language that it respells
    also: str = ""  # other tags of those who read it, parted by blanks: "zh-TW zh-HK"


@cache
def languages() -> Mapping[str, Language]:
    """Return the languages that have a file here, by tag: the default first, then the fallback, then by tag."""
    found = [_language(file) for file in files("qipai.lang").iterdir() if file.name.endswith(".toml")]
    found.sort(key=lambda one: (one.tag != DEFAULT, one.tag != FALLBACK, one.tag))
    by_tag = {one.tag: one for one in found}
    if len(by_tag) < len(found):
        raise BadLanguage(f"two files of qipai.lang have one tag: {', '.join(one.file for one in found)}")
    for one in found:
        if one.base and (one.base not in by_tag or by_tag[one.base].base):
            raise BadLanguage(f"{one.file}.toml: language.base is the tag of a language that has no base itself")
    return by_tag


def _language(file: Traversable) -> Language:
    """Return what the head of a language's file says: its first lines, before anything that is a sentence."""
    head = takewhile(HEAD.match, file.read_text(encoding="utf-8").splitlines())
    said = tomllib.loads("\n".join(head)).get("language", {})
    if unknown := said.keys() - set(Language._fields):
        raise BadLanguage(f"{file.name}: language.{min(unknown)} is not known")
    if not TAG.fullmatch(str(said.get("tag"))) or not said.get("name"):
        raise BadLanguage(
            f'{file.name}: write language.tag, as "de", and language.name, as "Deutsch", into its first lines'
        )
    usual = {"short": said["name"], "switch": said["name"], "guest": "Guest", "between": ", "}
    return Language(file=file.name.removesuffix(".toml"), **{**usual, **said})


if TYPE_CHECKING:
    Tag: TypeAlias = str
else:
    Tag = Literal[tuple(languages())]  # of a language that there is: bodies and settings take no other


def known(name: str) -> str | None:
    """Return the tag of the language meant by a tag, the name of a file, or a locale: "zh", "zh-CN", "zh_TW.UTF-8"."""
    asked = re.split(r"[.@]", name)[0].replace("_", "-").casefold()
    for one in languages().values():
        if asked in (one.tag.casefold(), one.file.casefold()):
            return one.tag
    for one in languages().values():
        if any(f"{asked}-".startswith(f"{tag.casefold()}-") for tag in (one.tag, *one.also.split())):
            return one.tag
    return next((tag for tag in languages() if tag.partition("-")[0] == asked.partition("-")[0]), None)


def nearest(name: str) -> str:
    """Return the tag of the language meant by a tag, the name of a file, or a locale, else that of the fallback."""
    return known(name) or FALLBACK


class Sentences(NamedTuple):
    """All sentences of a language as the wire carries them."""

    body: bytes  # JSON: code -> sentence
    packed: bytes  # the same with gzip
    tag: str  # changes when a sentence does


@cache
def sentences(lang: str) -> Sentences:
    """Return all sentences of a language, a game's under `<game>.`; raises KeyError for a language that there is not.

    Under `language.` stands what the language says of itself, under `languages.<tag>.` the names of all of them.
    """
    own = languages()[lang]
    every = {f"language.{name}": value for name, value in own._asdict().items() if name in SHOWN}
    spell = respelling(lang)
    every["language.marks"] = "".join(
        mark + spell(mark) for mark in MARKS if spell(mark) != mark
    )  # the client spells them
    for tag, one in languages().items():
        every |= {f"languages.{tag}.{name}": getattr(one, name) for name in ("name", "short", "switch")}
    every.update(hall(lang))
    for game in games.names():
        every.update((f"{game}.{code}", text) for code, text in of_game(game, lang).items())
    body = msgspec.json.encode(every)
    return Sentences(body, gzip.compress(body, 9, mtime=0), hashlib.sha256(body).hexdigest()[:12])


@cache
def hall(lang: str) -> Mapping[str, str]:
    """Return the hall's own sentences by code."""
    return _whole(lang, None)


@cache
def of_game(game: str, lang: str) -> Mapping[str, str]:
    """Return a game's sentences by code, without the name of the game before it; none where it has no language."""
    return _whole(lang, game)


@cache
def rulings(lang: str, game: str | None = None) -> Mapping[str, str]:
    """Return what the small tables beside a game's rulings say, with what all of them say (P-73).

    It stands apart from the other sentences, in `lang/rulings/`: only who reads the rules loads it.
    """
    folders = [files("qipai.lang"), *([_folder(game).joinpath("lang")] if game is not None else [])]
    found: dict[str, str] = {}
    for tag in reversed(dict.fromkeys((lang, FALLBACK, DEFAULT))):
        for folder in folders:
            found |= _said(tag, folder.joinpath("rulings"))
    return found


@cache
def of_lesson(game: str, lang: str) -> Mapping[str, str]:
    """Return the sentences of a game's first lesson by code; they come with the lesson, not with all others."""
    folder = _folder(game).joinpath("lang")
    read = {one: _said(one, folder, "lesson.") for one in (DEFAULT, FALLBACK, lang)}
    return {**read[DEFAULT], **read[FALLBACK], **read[lang]}


@cache
def written(lang: str, game: str | None = None) -> Mapping[str, str]:
    """Return what a language says itself, of the hall or of a game: its own file, and what it respells of its base."""
    return _said(lang, files("qipai.lang") if game is None else _folder(game).joinpath("lang"))


@cache
def respelling(lang: str) -> Respelling:
    """Return how a language spells what its base says; one without a base changes nothing."""
    own = languages()[lang]
    if not own.base:
        return Respelling({}, {})
    table = tomllib.loads(files("qipai.lang").joinpath(f"{own.file}.toml").read_text(encoding="utf-8"))["respelt"]
    return Respelling({**pairs(table["words"]), **pairs(table["own"])}, pairs(table["letters"]))


def spread(words: Mapping[str, str]) -> dict[str, str]:
    """Return words given by language, with those that a language respells of its base."""
    found = dict(words)
    for tag, one in languages().items():
        if one.base in words:
            found.setdefault(tag, respelling(tag)(words[one.base]))
    return found


def pick(words: Mapping[str, str], lang: str) -> str:
    """Return what words given by language, or by the names of their files, say in one; "" where they say nothing."""
    for tag in (lang, languages()[lang].base, FALLBACK, DEFAULT):
        for name in (tag, languages()[tag].file) if tag else ():
            if name in words:
                return respelling(lang)(words[name]) if tag == languages()[lang].base else words[name]
    return ""


def _whole(lang: str, game: str | None) -> dict[str, str]:
    """Return what a language says, and what it does not say as the fallback and the default say it."""
    found = dict(written(lang, game))
    for other in (FALLBACK, DEFAULT):
        found = {**found, **{code: text for code, text in written(other, game).items() if code not in found}}
    return found


class Voice(dict[str, str]):
    """A game's sentences by code; called with a code and facts, the sentence filled in."""

    def __init__(self, words: Mapping[str, str], lang: str = FALLBACK) -> None:
        """lang: whose plurals count."""
        super().__init__(words)
        self.lang = lang

    def __call__(self, code: str, /, **facts: Any) -> str:
        """Return a sentence with its facts."""
        return fill(self[code], facts, lang=self.lang)

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
    """Return a game's sentences for a terminal or a log. lang: what `nearest` takes."""
    tag = nearest(lang)
    return Voice(of_game(game, tag), tag)


def verbs(game: str, names: Iterable[str]) -> dict[str, str]:
    """Return what a typed word stands for among these verbs of a game, in any language."""
    voices = [voice(game, lang) for lang in reversed(list(languages()))]  # where two differ, the first is right
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


def _said(lang: str, folder: Traversable, before: str = "") -> dict[str, str]:
    """Return what a language says in a folder: what it respells of its base, and its own file."""
    one = languages()[lang]
    spell = respelling(lang)
    based = _read(folder.joinpath(f"{before}{languages()[one.base].file}.toml")) if one.base else {}
    return {**{code: spell(text) for code, text in based.items()}, **_read(folder.joinpath(f"{before}{one.file}.toml"))}


def _read(file: Traversable) -> dict[str, str]:
    if not file.is_file():
        return {}
    return dict(_flat(tomllib.loads(file.read_text(encoding="utf-8")), ""))


def _flat(table: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            if not before and key in ("language", "respelt"):
                continue  # the head of the file, a table that is no sentence
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", str(value)
