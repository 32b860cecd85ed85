"""What the hall watches over by its clock (decision 0010): limits, idleness, pauses, the pace of bots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_windows import dealt  # type: ignore[attr-defined]
from tests.hall.world import Person, World, run, world

from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.model import Terms

NONE = {"type": "none"}
HANDS = [[1, 3, 5, 7], [2, 4, 6, 8], [9, 10, 11, 12]]


def toy(**options: Any) -> Room:
    options = {"on_leave": "leave", **options}
    return Room(1, "snatch", "friendly", seats=3, options=options, clock=NONE, terms=Terms(pauses="even"))


@pytest.mark.usefixtures("snatch")
@pytest.mark.parametrize("rule", ["limit_ms", "idle_ms"])
def test_a_limit_and_idleness_end_what_nobody_ends(tmp_path: Path, rule: str) -> None:
    async def test() -> None:
        async with world(tmp_path, toy(**{rule: 5000})) as w:
            people, _ = await dealt(w, HANDS)
            await w.jump(5000)
            assert people[0].shown[101]["result"] is None, "exactly the limit is in time"
            await w.jump(1)
            assert people[0].shown[101]["result"]["why"] == "left"  # type: ignore[index]

    run(test())


@pytest.mark.usefixtures("snatch")
def test_who_acts_or_tries_to_is_not_idle(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, toy(idle_ms=5000)) as w:
            people, _ = await dealt(w, HANDS)
            await w.jump(4000)
            assert await people[0].refused(commands.Act("x1", 101, {"a": "put", "card": 12})) == "not_held"
            await w.jump(4999)
            assert people[0].shown[101]["result"] is None
            await w.jump(2)
            assert people[0].shown[101]["result"]["why"] == "left"  # type: ignore[index]

    run(test())


@pytest.mark.usefixtures("snatch")
def test_a_limit_stands_still_with_the_hall_and_is_a_fold(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, toy(limit_ms=5000, idle_ms=60_000)) as w:
            people, _ = await dealt(w, HANDS)
            await w.jump(3000)
            clock, names = w.clock, w.names
            await w.kill()
        clock.time += 60_000
        async with world(tmp_path, toy(limit_ms=5000, idle_ms=60_000), clock=clock, names=names) as w:
            again = await w.person(people[0].user.id)
            await again.join(101)
            await w.jump(1900)
            assert again.shown[101]["result"] is None
            await w.jump(1200)  # the hall marks every second that it is alive
            assert again.shown[101]["result"]["why"] == "left"  # type: ignore[index]

    run(test())


@pytest.mark.usefixtures("snatch")
def test_who_has_erred_waits_and_who_is_hasty_is_refused(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, toy(gap_ms=7000, miss_ms=300)) as w:
            people, _ = await dealt(w, [[1, 4, 7, 10], [2, 5, 8, 11], [3, 6, 9, 12]])
            first, low = people[0], {"a": "put", "card": 1}
            assert await first.refused(commands.Act("x1", 101, {"a": "put", "card": 12})) == "not_held"
            await w.jump(299)
            answer = await first.say(commands.Act("x2", 101, low))
            assert (answer["code"], answer["facts"]) == ("erred", {"wait": 1})
            assert await first.refused(commands.Try("x3", 101, low)) == "erred", "a try is told the same"
            await w.jump(1)
            for person, card in zip(people, (1, 5, 9), strict=True):
                await person.act(101, {"a": "put", "card": card})
                await w.jump(2000)  # whoever is asked lets it be: the pause ends
            assert await first.refused(commands.Act("x4", 101, {"a": "put", "card": 4})) == "hasty"
            await w.jump(1000)
            await first.act(101, {"a": "put", "card": 4})

    run(test())


@pytest.mark.usefixtures("snatch")
def test_a_game_may_have_bots_with_a_pace_of_their_own(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, toy(pace_ms=700)) as w:
            person = await w.person(1)
            await person.sit(101, 0)
            for seat in (1, 2):
                await person.fill(101, seat)
            await person.ready(101)
            await person.seed(101, "x")
            await w.jump(2000)
            before = [e for e in person.told(101) if e["e"] == "down"]
            view = person.shown[101]["view"]
            await person.act(101, {"a": "put", "card": view["hand"][0]})
            await w.jump(2000)  # the even pause
            now = [e for e in person.told(101) if e["e"] == "down"]
            await w.jump(699)
            assert [e for e in person.told(101) if e["e"] == "down"] == now
            await w.jump(702)
            assert len([e for e in person.told(101) if e["e"] == "down"]) > len(before)

    run(test())


# Lianliankan --------------------------------------------------------------------------------------------------------

BOARD = {"rows": 2, "cols": 4, "kinds": 2}


async def racing(w: World, seats: int = 2) -> list[Person]:
    """Seat people at a race and let the countdown pass."""
    people = [await w.person(10 + seat) for seat in range(seats)]
    for seat, person in enumerate(people):
        await person.sit(101, seat)
    for person in people:
        await person.ready(101)
    for person in people:
        await person.seed(101, "x")
    assert people[0].shown[101]["view"]["phase"] == "setup"
    await w.jump(2999)
    assert people[0].shown[101]["view"]["board"] is None, "3-2-1"
    await w.jump(1)
    return people


def race_room(seats: int = 2, **options: Any) -> Room:
    return Room(1, "lianliankan", "friendly", options={**BOARD, **options}, seats=seats)


def links(person: Person) -> list[Any]:
    return [action for action in person.shown[101]["legal"]["list"] if action["a"] == "link"]


def test_everybody_links_at_once_and_the_first_to_clear_wins(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, race_room(3)) as w:
            people = await racing(w, 3)
            boards = [person.shown[101]["view"]["board"] for person in people]
            assert boards[0] == boards[1] == boards[2] is not None
            ask = people[1].shown[101]["ask"]
            assert ask["kind"] == "link"
            await people[0].act(101, links(people[0])[0])
            while people[1].shown[101]["result"] is None:
                await people[1].act(101, links(people[1])[0], ask["id"])  # one question for the whole race
            result = people[2].shown[101]["result"]
            assert (result["points"], result["places"], result["why"]) == ([-3, 8, -5], [2, 1, 3], "cleared")

    run(test())


def test_the_text_of_the_board_is_in_nothing_that_is_sent_before_the_end(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, race_room()) as w:
            people = await racing(w)
            watcher = await w.person(30)
            await watcher.join(101)
            await people[0].act(101, links(people[0])[0])
            seed = w.table(101).deal.state.seed
            assert len(seed) == 64
            assert not any(seed.encode() in frame for person in (*people, watcher) for frame in person.raw)
            while people[0].shown[101]["result"] is None:
                await people[0].act(101, links(people[0])[0])
            assert people[1].shown[101]["view"]["seed"] == seed

    run(test())


def test_two_links_for_one_tile_from_two_devices_the_first_counts(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, race_room()) as w:
            people = await racing(w)
            link = links(people[0])[0]
            await people[0].act(101, link)
            other = await w.person(10)
            await other.join(101)
            assert await other.refused(commands.Act("y1", 101, link)) == "empty_cell"

    run(test())


def test_a_miss_locks_and_a_link_may_come_too_soon_but_only_for_its_seat(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, race_room(miss_penalty_ms=500, min_interval_ms=200)) as w:
            people = await racing(w)
            board = people[0].shown[101]["view"]["board"]
            first = (0, 0)
            unlike = next([0, c] for c in range(4) if board[0][c] != board[0][0])
            wrong = {"a": "link", "p": [list(first), unlike]}
            assert await people[0].refused(commands.Act("y1", 101, wrong)) == "not_same"
            await w.jump(499)
            answer = await people[0].say(commands.Act("y2", 101, links(people[0])[0]))
            assert (answer["code"], answer["facts"]) == ("locked", {"wait_ms": 1})
            assert await people[0].refused(commands.Act("y3", 101, wrong)) == "locked", "it does not lock anew"
            await people[1].act(101, links(people[1])[0])
            await w.jump(1)
            await people[0].act(101, links(people[0])[0])
            assert await people[0].refused(commands.Act("y4", 101, links(people[0])[0])) == "too_fast"
            assert await people[0].refused(commands.Act("y5", 101, {"a": "hint"})) == "no_prop"
            await w.jump(200)
            await people[0].act(101, links(people[0])[0])

    run(test())


def test_who_is_idle_is_out_and_sits_on_and_the_last_one_wins(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, race_room(3, idle_forfeit_s=10)) as w:
            people = await racing(w, 3)
            await w.jump(8000)
            await people[2].act(101, links(people[2])[0])
            await w.jump(2001)
            result = people[2].shown[101]["result"]
            assert (result["why"], result["places"]) == ("last_present", [3, 2, 1])
            assert [row["score"] for row in result["paid"]] == [None, None, None], "a friendly room"
            assert people[0].shown[101]["seats"][0]["user"] is not None

    run(test())


def test_a_lost_line_beyond_the_grace_leaves_the_race_and_no_bot_takes_over(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, race_room(3, idle_forfeit_s=0)) as w:
            people = await racing(w, 3)
            await people[1].hang_up()
            await w.jump(60_001)
            view = people[0].shown[101]["view"]
            assert view["left"][1] is not None
            assert people[0].shown[101]["result"] is None

    run(test())


def test_a_race_against_bots_runs_at_a_persons_pace(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, race_room(6)) as w:
            person = await w.person(1)
            await person.sit(101, 0)
            for seat, level in enumerate(("easy", "steady", "strong", "easy", "steady"), 1):
                await person.fill(101, seat, level)
            await person.ready(101)
            await person.seed(101, "x")
            await w.jump(3000)
            assert person.shown[101]["view"]["phase"] == "play"
            await w.jump(999)
            assert person.shown[101]["view"]["remaining"] == [8] * 6, "nobody is quicker than a second a pair"
            await w.jump(4 * 4000)
            assert person.shown[101]["result"]["why"] == "cleared"

    run(test())


def test_practice_for_one_needs_nobody_else_and_costs_nothing_to_leave(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, race_room(1, daily="2026-11-20")) as w:
            (person,) = await racing(w, 1)
            assert person.shown[101]["view"]["remaining"] == [8]
            await person.done(commands.Stand(person.cid(), 101, confirm=True))
            assert w.table(101).deal.result.why == "void"

    run(test())
