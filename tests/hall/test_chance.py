"""What can be learnt in a pause: nothing (README X6). A classifier tries, on all that comes to who is not asked.

Tables of gouji, baohuang and mahjong play by themselves. In each even pause, whenever nobody uses what
he is asked, everything that a watcher and a seat that is not asked receive until the pause is over is made into words:
which fields, how large, how much later, by how much each number differs from the last one. A logistic regression learns
from some deals whether somebody was asked, and guesses it in others: once from what was known as the pause began, once
from what came within it, too. The second must not be better. Against a hall that lets a little slip, it is.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.hall.world import Person, World, world

from qipai.games.gouji.notation import PACK
from qipai.games.gouji.rules import Gouji
from qipai.games.gouji.state import Deal
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.model import Terms

WINDOWS = int(os.environ.get("QIPAI_WINDOWS", "700"))  # of each game
RIDGE = 20.0  # how much must speak for a word before it counts
NO = ("pass", "no_burn", "keep", "hide")
OWN = ("legal", "hints", "ask")  # what the seat itself may do: it knows its cards


@dataclass
class Window:
    """A pause as somebody saw it who was not asked."""

    deal: int
    asked: bool
    before: set[str]
    within: set[str]


class Words:
    """Makes words of what somebody receives: fields, sizes, times, and the change of each number."""

    def __init__(self) -> None:
        self.last: dict[str, float] = {}

    def of(self, frames: Sequence[tuple[int, Any]], since: int) -> set[str]:
        """Return the words of some frames. frames: each with its time; since: when the pause began."""
        found = {f"{len(frames)} frames"}
        for number, (at, message) in enumerate(frames):
            public = {key: value for key, value in message.items() if key not in OWN}
            found.add(f"{number} after {(at - since) // 10}")
            found.add(f"{number} bytes {len(msgspec.json.encode(public))}")
            self._walk(f"{number}", public, at, found)
        return found

    def _walk(self, path: str, value: Any, at: int, found: set[str]) -> None:
        """Add the words of a part. What is shown of the game itself (`view`, `told`) everybody may know: its fields."""
        shown = ".view" in path or ".told" in path
        if isinstance(value, dict):
            for key, inner in value.items():
                self._walk(f"{path}.{key}", inner, at, found)
        elif isinstance(value, list):
            for inner in value[:8]:
                self._walk(f"{path}[]", inner, at, found)
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and not shown and ".run" not in path:
            field = path.split(".", 1)[-1]
            from_ = at if value > 10**12 else self.last.get(field, 0)
            self.last[field] = value
            found.add(f"{path} {value - from_:+}")
        elif value is None or path.endswith(".e") or path.count(".") == 1:
            found.add(f"{path}={value}")
        else:
            found.add(path)


class Eye:
    """Somebody's line, with the time of each message."""

    def __init__(self, person: Person) -> None:
        self.person, self.words = person, Words()
        self.heard: list[tuple[int, bytes]] = []
        take = person._take

        def timed(data: bytes) -> None:
            self.heard.append((person.world.clock.time, data))
            take(data)

        person._take = timed  # type: ignore[method-assign]

    def frames(self, start: int, end: int | None = None) -> list[tuple[int, Any]]:
        return [(at, msgspec.json.decode(data)) for at, data in self.heard[start:end]]


class Study:
    """A table that plays by itself, and what is seen there in its pauses."""

    def __init__(
        self, w: World, people: list[Person], watcher: Person, whether: Callable[[set[int], int], bool]
    ) -> None:
        """whether: of those who were asked and who looks on: what shall be guessed."""
        self.w, self.people, self.whether = w, people, whether
        self.eyes = [Eye(person) for person in (*people, watcher)]
        self.luck = random.Random(7)
        self.windows: list[Window] = []
        self.deal = 0

    async def begin(self) -> None:
        """Begin a deal."""
        for person in self.people:
            await person.ready(101)
        for person in self.people:
            await person.seed(101, "x")
        self.deal += 1

    async def stop(self) -> None:
        """Agree to stop."""
        await self.people[0].done(commands.Offer(self.people[0].cid(), 101, "stop"))
        for person in self.people[1:]:
            if offers := person.shown[101]["offers"]:
                await person.done(commands.Answer(person.cid(), 101, offers[0]["offer"], True))

    def asked(self) -> set[int]:
        return {seat for seat, person in enumerate(self.people) if person.shown[101]["ask"]}

    async def play(self, windows: int, pauses: int) -> None:
        """Play until so many pauses were seen. pauses: of a deal, about; then it is over."""
        while len(self.windows) < windows:
            marks, actor = [len(eye.heard) for eye in self.eyes], None
            if not self.w.table(101).playing:
                await self.begin()
            elif not (asked := self.asked()):
                await self.w.jump(250)
            else:
                actor = self.luck.choice(sorted(asked))
                person = self.people[actor]
                await person.act(101, self.action(actor), person.shown[101]["ask"]["id"])
            if (deal := self.w.table(101).deal) is not None and deal.concealed_until is not None:
                await self.pause(actor, marks)
                if self.w.table(101).playing and not self.luck.randrange(pauses):
                    await self.stop()

    def action(self, seat: int) -> Any:
        """Return what a seat does: anything, but it grabs no throne, and keeps its pairs of tiles."""
        shown = self.people[seat].shown[101]
        listed = shown["legal"]["list"]
        hand = shown["view"]["hand"]
        better = [
            each for each in listed if each["a"] == "no_grab" or (each["a"] == "discard" and hand.count(each["t"]) == 1)
        ]
        return self.luck.choice(better or listed)

    async def pause(self, actor: int | None, marks: list[int]) -> None:
        """See a pause through in which nobody uses what he is asked; keep what was seen of it."""
        began, opened = self.w.clock.time, [len(eye.heard) for eye in self.eyes]
        asked = self.asked()
        while (deal := self.w.table(101).deal) is not None and deal.concealed_until is not None:
            waiting = self.asked()
            asked |= waiting
            if waiting and self.luck.random() < 0.5:
                seat = self.luck.choice(sorted(waiting))
                person = self.people[seat]
                listed = person.shown[101]["legal"]["list"]
                no = [each for each in listed if each["a"] in NO]
                assert no, listed
                await person.act(101, no[0], person.shown[101]["ask"]["id"])
            await self.w.jump(self.luck.randrange(200, 2000))
        others = [seat for seat in range(len(self.people)) if seat not in asked]
        for at in (len(self.people), *self.luck.sample(others, min(1, len(others)))):
            eye = self.eyes[at]
            if at == actor:
                continue
            before = eye.words.of(eye.frames(marks[at], opened[at]), began)
            within = eye.words.of(eye.frames(opened[at]), began)
            self.windows.append(Window(self.deal, self.whether(asked, at), before, within))


def learnt(rows: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return the weights of a logistic regression, by Newton's method with a ridge."""
    weights = np.zeros(rows.shape[1])
    for _ in range(12):
        guess = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (guess - truth) + RIDGE * weights
        curve = (rows * (guess * (1 - guess))[:, None]).T @ rows + RIDGE * np.eye(rows.shape[1])
        weights = weights - np.linalg.solve(curve, slope)
    return weights


def losses(windows: Sequence[Window], words_of: Callable[[Window], set[str]]) -> np.ndarray:
    """Return how wrong each guess is in the deals that were not learnt from: minus the logarithm of its chance."""
    count: dict[str, int] = {}
    for window in windows:
        for word in words_of(window):
            count[word] = count.get(word, 0) + 1
    often = sorted((n, word) for word, n in count.items() if 8 <= n <= len(windows) - 8)[-400:]
    column = {word: at for at, (_, word) in enumerate(often)}
    rows = np.zeros((len(windows), len(column) + 1))
    rows[:, -1] = 1
    for at, window in enumerate(windows):
        rows[at, [column[word] for word in words_of(window) if word in column]] = 1
    truth = np.array([window.asked for window in windows], float)
    even = np.array([window.deal % 2 == 0 for window in windows])
    found = np.zeros(len(windows))
    for known in (even, ~even):
        chance = 1 / (1 + np.exp(-rows[~known] @ learnt(rows[known], truth[known])))
        found[~known] = -np.log(np.clip(np.where(truth[~known] == 1, chance, 1 - chance), 1e-9, 1))
    return found


def gain(windows: Sequence[Window]) -> float:
    """Return how much better what came within a pause makes the guesses, in standard errors."""
    better = losses(windows, lambda window: window.before) - losses(
        windows, lambda window: window.before | {f"within {word}" for word in window.within}
    )
    return float(better.mean() / (better.std(ddof=1) / len(better) ** 0.5))


def dealt_with_jokers(self: Gouji, state: Any, rng: Any) -> Deal:
    """Deal gouji as luck hardly ever does: in most deals somebody holds all jokers and few ranks, and may burn."""
    left = list(PACK.copies)
    hands = [[0] * len(left) for _ in range(6)]
    if rng.below(4):
        lucky = rng.below(6)
        for card in (*rng.shuffled(range(5, 13))[:7], 13, 14):
            hands[lucky][card] += 4
            left[card] -= 4
    rest = [card for card, n in enumerate(left) for _ in range(n)]
    for card in rng.shuffled(rest):
        seat = min(range(6), key=lambda seat: sum(hands[seat]))
        hands[seat][card] += 1
    return Deal(tuple(PACK.write(hand) for hand in hands))


def leaky(windows: Sequence[Window], share: float) -> list[Window]:
    """Return the pauses of a hall that says a word too much in some of those in which somebody was asked."""
    luck = random.Random(3)
    return [
        replace(one, within=one.within | {"0 bytes 999"}) if one.asked and luck.random() < share else one
        for one in windows
    ]


def anybody(asked: set[int], at: int) -> bool:
    return bool(asked)


def the_next(asked: set[int], at: int) -> bool:
    return (at + 1) % 5 in asked


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "pauses", "whether"),
    # In baohuang somebody is always asked: the guard. Who it is must not be learnt.
    [("gouji", 6, 8, anybody), ("baohuang", 5, 1, the_next), ("mahjong", 4, 30, anybody)],
)
def test_a_pause_teaches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, seats: int, pauses: int, whether: Any
) -> None:
    monkeypatch.setattr(Gouji, "chance", dealt_with_jokers)

    async def studied() -> list[Window]:
        async with world(tmp_path, Room(1, game, "friendly", terms=Terms(pauses="even"))) as w:
            people, watcher = [await w.person(10 + seat) for seat in range(seats)], await w.person(30)
            await watcher.join(101)
            for seat, person in enumerate(people):
                await person.sit(101, seat)
            study = Study(w, people, watcher, whether)
            await study.play(WINDOWS, pauses)
            return study.windows

    windows = asyncio.run(studied())
    assert 0.05 < sum(each.asked for each in windows) / len(windows) < 0.95
    assert gain(windows) < 4.0
    assert gain(leaky(windows, 1.0)) > 8.0
    assert gain(leaky(windows, 0.5)) > 4.0
