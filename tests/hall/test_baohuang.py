"""Baohuang in the hall: who is asked in secret, and who guards, shows nowhere, neither in words nor in time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_gouji import play_out
from tests.hall.world import Person, World, run, world

from qipai.games.baohuang.kernel.table import DECK
from qipai.games.baohuang.notation import PACK
from qipai.games.baohuang.rules import Baohuang
from qipai.games.baohuang.state import Action, Deal
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.model import Terms

ROOMS = (Room(1, "baohuang", "friendly", terms=Terms(pauses="even")), Room(2, "baohuang", "score"))
PAUSE = 16_000  # eight seconds for yielding, eight for showing
# Seat 0 holds the crown. The sword lies in its hand, or in that of seat 2; a small joker lies in the other of the two.


def deal_with(sword: int) -> list[str]:
    """Five hands of a whole deck in which a seat, 0 or 2, holds the guard card; all else is the same for both."""
    other = 2 if sword == 0 else 0
    hands = {0: PACK.read("X*"), 1: PACK.read("x"), 2: PACK.read(""), 3: PACK.read("x"), 4: PACK.read("")}
    hands[sword][PACK.index["x*"]] += 1
    hands[other][PACK.index["x"]] += 1
    rest = [n - sum(hand[card] for hand in hands.values()) for card, n in enumerate(PACK.copies)]
    cards = [card for card, n in enumerate(rest) for _ in range(n)]
    for i in range(len(cards)):  # every hand gets a bit of everything
        seat = min(range(5), key=lambda seat: (sum(hands[seat]), (seat + i // 7) % 5))
        hands[seat][cards[i]] += 1
    assert sum(map(sum, hands.values())) == DECK
    return [PACK.write(hands[seat]) for seat in range(5)]


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let luck deal these hands."""

    def fix(cards: list[str]) -> None:
        def chance(self: Baohuang, state: Any, rng: Any) -> Action:
            return Deal(tuple(cards))

        monkeypatch.setattr(Baohuang, "chance", chance)

    return fix


async def five(w: World, table: int = 101) -> tuple[list[Person], Person]:
    """Seat five people and a watcher; the cards are dealt."""
    people = [await w.person(10 + seat) for seat in range(5)]
    watcher = await w.person(20)
    for seat, person in enumerate(people):
        await person.sit(table, seat)
    await watcher.join(table)
    for person in people:
        await person.ready(table)
    for person in people:
        await person.seed(table, "x")
    return people, watcher


async def asked_and(people: list[Person], seat: int, word: str, table: int = 101) -> None:
    """Let a seat answer what it is asked."""
    await people[seat].act(table, {"a": word}, people[seat].shown[table]["ask"]["id"])


async def declined(w: World, people: list[Person]) -> None:
    """Nobody grabs, each after a while of its own."""
    for seat in (3, 0, 1, 4, 2):
        await w.jump(400)
        await asked_and(people, seat, "no_grab")


async def opened(w: World, people: list[Person], sword: int, in_time: bool) -> None:
    """Go through the secret questions; whoever is asked answers at moments of his own, or not at all."""
    if in_time and sword == 0:
        await w.jump(3100)
        await asked_and(people, 0, "keep")
        await w.jump(5200)
        await asked_and(people, 0, "hide")
        await w.jump(PAUSE - 8300)
    elif in_time:
        await w.jump(900)
        await asked_and(people, 2, "hide")
        await w.jump(PAUSE - 900)
    else:
        for ms in (8001, 7999):
            await w.jump(ms)
    for seat, word in ((2, "no_rebel"), (1, "rebel"), (4, "no_rebel"), (3, "no_rebel")):
        await w.jump(700)
        await asked_and(people, seat, word)


async def played(w: World, people: list[Person], most: int) -> None:
    """Play sets without jokers, low ones first; nobody gets to the guard card."""
    for _ in range(most):
        seat = next(seat for seat, person in enumerate(people) if person.shown[101]["ask"])
        shown = people[seat].shown[101]
        plain = [a for a in shown["legal"]["list"] if a["a"] == "pass" or not set(a["cards"]) & {"x", "X"}]
        await w.jump(800 + 37 * seat)
        await people[seat].act(101, plain[0], shown["ask"]["id"])


def traffic(person: Person) -> list[Any]:
    """All a line was sent, but for what names this very deal and line: seeds, numbers."""
    found = []
    for m in person.got:
        kept = {key: value for key, value in m.items() if key not in ("game", "cid")}
        found.append(kept)
    return found


async def whole(folder: Path, hands: Any, sword: int, in_time: bool) -> list[list[Any]]:
    """Return the traffic of seats 1, 3, 4 and a watcher when a seat, 0 or 2, holds the guard card."""
    folder.mkdir()
    hands(deal_with(sword))
    async with world(folder, *ROOMS) as w:
        people, watcher = await five(w)
        await declined(w, people)
        await opened(w, people, sword, in_time)
        assert people[1].shown[101]["view"]["phase"] == "lead"
        await played(w, people, 70)
        assert people[1].shown[101]["view"]["mode"] is None
        return [traffic(person) for person in (people[1], people[3], people[4], watcher)]


@pytest.mark.parametrize("in_time", [True, False])
def test_a_hidden_solo_and_a_hidden_guard_are_one_to_the_others(tmp_path: Path, hands: Any, in_time: bool) -> None:
    """All traffic with its times, from the deal to far into the play (README X6)."""

    async def test() -> None:
        solo = await whole(tmp_path / "solo", hands, 0, in_time)
        guard = await whole(tmp_path / "guard", hands, 2, in_time)
        for one, other in zip(solo, guard, strict=True):
            assert len(one) > 80
            assert one == other

    run(test())


@pytest.mark.parametrize("sword", [0, 2])
def test_nothing_moves_in_the_pause_but_for_who_is_asked(tmp_path: Path, hands: Any, sword: int) -> None:
    async def test() -> None:
        hands(deal_with(sword))
        async with world(tmp_path, *ROOMS) as w:
            people, watcher = await five(w)
            await declined(w, people)
            others = [person for seat, person in enumerate([*people, watcher]) if seat != sword]
            starts = [len(person.got) for person in others]
            begun = w.clock.time
            if sword == 0:
                await w.jump(1000)
                await asked_and(people, 0, "keep")
            await w.jump(1000)
            await asked_and(people, sword, "hide")
            await w.jump(PAUSE - (w.clock.time - begun) - 1)
            assert [len(person.got) for person in others] == starts
            assert watcher.shown[101]["view"]["phase"] == "opening"
            assert people[sword].shown[101]["ask"] is None
            for seat in range(5):  # neither does a word: nobody is asked now, whoever was
                refused = await people[seat].refused(commands.Try("t", 101, {"a": "hide"}))
                assert refused == "not_your_turn", seat
            await w.jump(1)
            assert watcher.shown[101]["view"]["phase"] == "rebel"
            assert [bool(person.shown[101]["ask"]) for person in people] == [False, True, True, True, True]

    run(test())


def test_who_has_answered_a_window_shows_nowhere(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people, watcher = await five(w)
            emperor = watcher.shown[101]["view"]["emperor"]
            last = (emperor + 4) % 5
            others = [person for seat, person in enumerate([*people, watcher]) if seat != last]
            starts = [len(person.got) for person in others]
            await w.jump(500)
            await asked_and(people, last, "no_grab")
            assert [len(person.got) for person in others] == starts
            assert people[last].shown[101]["view"]["answered"]
            late = await w.person(30)
            assert sorted((await late.join(101))["clocks"]["run"]) == [0, 1, 2, 3, 4]

    run(test())


def test_one_person_and_four_bots_play_to_the_score_sheet(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(5, "ann")
            await ann.join(101)
            await ann.sit(101, 2)
            for seat in (0, 1, 3, 4):
                await ann.fill(101, seat)
            await ann.ready(101)
            await ann.seed(101, "牌")
            await play_out(w, [ann], 101)
            shown = ann.shown[101]
            assert await w.hall.archive.verify(shown["game"]["game_id"]) is None
            view = shown["view"]
            line = next(line for line in view["sheet"] if line[5])
            expected = [
                line[2] if seat == view["emperor"] else line[3] if seat == view["guard"] else line[4]
                for seat in range(5)
            ]
            assert shown["result"]["points"] == view["scores"] == expected
            assert sum(expected) == 0

    run(test())


def test_leaving_costs_what_was_said(tmp_path: Path) -> None:
    """Twenty before the roles stand, forty from then on, and the same to whoever is not asked in the pause."""

    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people, _watcher = await five(w, 201)

            async def price(seat: int) -> int:
                return int((await people[seat].say(commands.Stand("s", 201)))["facts"]["score"])

            assert await price(0) == -20
            for person in people:
                await person.act(201, {"a": "no_grab"}, person.shown[201]["ask"]["id"])
            unasked = [seat for seat, person in enumerate(people) if not person.shown[201]["ask"]]
            assert {await price(seat) for seat in unasked} == {-40}
            await w.jump(PAUSE)
            assert await price(unasked[0]) == -40

    run(test())
