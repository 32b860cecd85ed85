"""What there is to be seen: every moment of every table and replay, every page as a guest and as a keeper see it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from tests.e2e.states import GAMES, moments
from tests.e2e.test_every_page import PATHS

SIZES: Final = ((320, 640), (390, 844), (844, 390), (1280, 800), (1920, 1080))
LANGS: Final = ("zh-CN", "en")
THEMES: Final = ("light", "dark")
KINDS: Final = ("table", "replay", "page")
TIMES: Final = ("at the beginning", "in the middle", "at the end")  # of a replay
LOUNGES: Final = ("alone", "stranger", "full", "time")  # before a game they are much the same at every table


@dataclass(frozen=True)
class State:
    """A page as it stands. kind: one of KINDS; page: a game or a path; name: its moment, or who looks."""

    kind: str
    page: str
    name: str

    def __str__(self) -> str:
        page = re.sub(r"[^\w=]+", "-", self.page).strip("-") or "lobby"
        return f"{self.kind}/{page}/{re.sub(r'[^a-z]+', '-', self.name)}"


@dataclass(frozen=True)
class Look:
    """How one looks at it."""

    lang: str
    theme: str
    size: tuple[int, int]

    def __str__(self) -> str:
        return f"{self.lang}-{self.theme}-{self.size[0]}x{self.size[1]}"

    @property
    def touch(self) -> bool:
        return self.size[0] < 900


@dataclass(frozen=True)
class Shot:
    """One picture."""

    state: State
    look: Look

    def __str__(self) -> str:
        return f"{self.state}/{self.look}"


def states() -> Iterator[State]:
    """Yield all there are."""
    for game in GAMES:
        yield from (State("table", game, one.name) for one in moments(game))
        yield from (State("replay", game, time) for time in TIMES)
    for path, who in product(dict.fromkeys(PATHS), ("guest", "keeper")):
        yield State("page", path, who)


def every(langs: Sequence[str], themes: Sequence[str], sizes: Sequence[tuple[int, int]]) -> Iterator[Shot]:
    """Yield every state in every look."""
    looks = [Look(*each) for each in product(langs, themes, sizes)]
    yield from (Shot(*each) for each in product(states(), looks))


# Those that are kept -------------------------------------------------------------------------------------------------

PHONE, DESK = Look("zh-CN", "light", (390, 844)), Look("en", "dark", (1280, 800))
# What these show is another each time: a seat drawn by lot, the address of the hall.
RESTLESS: Final = ("/tables/TABLE", "/invite")


def chosen() -> Iterator[Shot]:
    """Yield what is compared with the last release: each moment on a phone and a desk, each page on one of them."""
    for at, state in enumerate(states()):
        if state.kind == "page":
            if state.name == "keeper" and state.page not in RESTLESS:
                yield Shot(state, (PHONE, DESK)[at // 2 % 2])
        elif state.kind == "replay":
            if state.name == "in the middle":
                yield Shot(state, DESK)
        else:
            yield Shot(state, PHONE)
            if state.name not in LOUNGES:
                yield Shot(state, DESK)


def narrowed(shots: Iterable[Shot], kinds: Sequence[str], words: Sequence[str]) -> list[Shot]:
    """Return the shots of some kinds, all where none is named, whose name has one of these words."""
    found = [one for one in shots if not kinds or one.state.kind in kinds]
    return [one for one in found if not words or any(word in str(one) for word in words)]
