"""The scan of a night: two who spare each other are named with what they did, and a moderator sees it (P-95)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_doudizhu import calling
from tests.hall.test_gouji import play_out
from tests.hall.world import START, Person, World, quick, run, world

from qipai.config import Flags
from qipai.hall.order.night_scan import Job, scanned
from qipai.hall.rooms.rooms import Room
from qipai.moderation.service import Flag
from qipai.store.reader import Reader
from qipai.web.chores import Chores

SCORE = Room(2, "doudizhu", "score")
NUMBERS = Flags(meetings=6, soft=2, given=3)


def sparing(shown: Any, actions: list[Any]) -> Any:
    """Play as the easy bot does, but let stand what 10 and 11 lay, if one is one of them and they are not partners."""
    view = shown["view"]
    seat, owner = view["seat"], view["owner"]
    if view["phase"] == "answer" and {seat, owner} == {0, 1} and view["landlord"] in (0, 1):
        return {"a": "pass"}
    return calling(shown, actions)


async def evening(w: World, deals: int, choose: Any) -> list[Person]:
    """Let three people play deals."""
    people = [await w.person(10 + seat) for seat in range(3)]
    for seat, person in enumerate(people):
        await person.sit(201, seat)
    for number in range(deals):
        for person in people:
            await person.ready(201)
        for person in people:
            await person.seed(201, f"deal {number}")
        await play_out(w, people, 201, choose)
    return people


def flags(path: Path) -> list[Flag]:
    reader = Reader(path / "hall.sqlite")
    return [*scanned(reader, Job(0, START // 1000 + 10**6, NUMBERS))]


@pytest.mark.embedded
def test_two_who_spare_each_other_are_found_and_a_moderator_sees_why(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE, config=quick(flags={"meetings": 6, "soft": 2})) as w:
            await evening(w, 12, sparing)
            found = [flag for flag in flags(tmp_path) if flag.facts["why"] == "soft"]
            assert [{flag.user, flag.facts["other"]} for flag in found] == [{10, 11}]
            facts = found[0].facts
            assert facts["let"] == facts["could"] >= 10
            assert facts["let_others"] < facts["could_others"]
            given = [flag.facts for flag in flags(tmp_path) if flag.facts["why"] == "given"]
            assert all(each["let"] > each["let_others"] and not each["might"] for each in given)
            assert {each["other"] for each in given} <= {10, 11}
            assert given
            config = quick(flags={"meetings": 6, "soft": 2, "given": 100})
            chores = Chores(tmp_path / "hall.sqlite", w.store, w.hall.accounts, w.hall.fair_play_scan, config)  # type: ignore[arg-type]
            night = START // 1000
            assert await chores.night(night - 5) == 0  # the hall has just begun to look
            assert await chores.night(night) == 0  # it is the same day
            assert await chores.night(night + 2 * 86400) == 1
            assert await chores.night(night + 3 * 86400) == 0  # nothing has been played since
            (report,) = await w.hall.order.reports("open", 0, 9)
            around = await w.hall.report_contexts.around(report)
            assert around.evidence is not None
            assert len(around.together) == 12
            assert await w.hall.order.dismiss(report.id, 9, "a family at one table", w.clock.now())
            assert await w.hall.order.reports("open", 0, 9) == []

    run(test())


@pytest.mark.embedded
def test_a_family_that_plays_honestly_is_left_alone(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE, config=quick(flags={"meetings": 6})) as w:
            await evening(w, 8, calling)
            assert flags(tmp_path) == []

    run(test())
