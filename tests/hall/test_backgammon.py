"""Backgammon in the hall: dice from the table's stream, whole matches, what leaving costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.world import Person, World, run, world

from qipai.hall.rooms.rooms import Room
from qipai.hall.table.errors import HallError

ROOMS = (
    Room(1, "backgammon", "friendly"),
    Room(2, "backgammon", "score", options={"match_to": 3}, clock={"type": "fischer", "base": 60, "inc": 5}),
    Room(3, "backgammon", "friendly", variant="plakoto"),
    Room(4, "backgammon", "friendly", variant="grasshopper"),
    Room(5, "backgammon", "friendly", clock={"type": "move", "s": 30}),
)


async def two(w: World, table: int) -> list[Person]:
    """Seat two people and begin; return White and Black."""
    people = [await w.person(20), await w.person(21)]
    for seat, person in enumerate(people):
        await person.sit(table, seat)
    for person in people:
        await person.ready(table)
    await begun(w, people, table)
    return people


async def begun(w: World, people: list[Person], table: int) -> None:
    """Let the first dice be thrown: the seeds are waited for."""
    for _ in range(50):
        if people[0].shown[table]["view"] and people[0].shown[table]["view"]["turn"] is not None:
            return
        await w.jump(1000)


def asked(people: list[Person], table: int) -> int:
    turn = people[0].shown[table]["view"]["turn"]
    assert turn is not None
    return int(turn)


async def first_choice(people: list[Person], table: int) -> Any:
    """Let whoever is asked do the first thing its hints offer."""
    seat = asked(people, table)
    hints = people[seat].shown[table]["hints"]
    if hints["nodes"]:
        action: dict[str, Any] = {"a": "play", "m": next(m for _, m in hints["nodes"] if m)}
    elif hints["hops"]:
        kind, origin, to = hints["hops"][0]
        action = {"a": kind, **({"from": origin} if origin else {}), **({"to": to} if to else {})}
    else:
        action = {"a": "roll"} if hints["roll"] else {"a": "take"}
    return await people[seat].act(table, action, people[seat].shown[table]["ask"]["id"])


@pytest.mark.parametrize("table", [101, 301, 401])
def test_the_hints_alone_carry_two_people_through_a_game(tmp_path: Path, table: int) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await two(w, table)
            assert people[0].shown[table]["game"]["commitment"], "dice are luck: there is something to prove"
            for _ in range(40):
                if people[0].shown[table]["info"]["state"] != "playing":
                    break
                await first_choice(people, table)
            view = people[0].shown[table]["view"]
            assert view["variant"] == {101: "backgammon", 301: "plakoto", 401: "grasshopper"}[table]
            assert len(view["lines"]) >= 5

    run(test())


def test_a_double_is_offered_taken_and_paid_for(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await two(w, 201)
            await first_choice(people, 201)
            doubler = asked(people, 201)
            await people[doubler].act(201, {"a": "double"})
            assert people[1 - doubler].shown[201]["view"]["stake"] == 2
            await people[1 - doubler].act(201, {"a": "take"})
            assert people[0].shown[201]["view"]["cube"] == {"value": 2, "owner": 1 - doubler}
            await people[doubler].act(201, {"a": "resign", "level": 1})
            await people[1 - doubler].act(201, {"a": "accept"})
            view = people[0].shown[201]["view"]
            assert view["score"][1 - doubler] == 2
            assert view["crawford"], "two of three points: the next game is the Crawford game"
            assert people[0].shown[201]["info"]["state"] == "playing", "the match goes on by itself"

    run(test())


def test_a_fallen_flag_gives_the_match_away(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await two(w, 201)
            slow = asked(people, 201)
            await w.jump(80_000)
            result = people[0].shown[201]["result"]
            assert result["why"] == "left"
            assert result["places"][slow] == 2
            assert result["points"][slow] == -1

    run(test())


def test_an_offer_costs_the_one_who_makes_it(tmp_path: Path) -> None:
    """R44: while an offer is answered the offerer's clock runs, and goes on running when it is refused."""

    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await two(w, 201)
            first = asked(people, 201)
            await first_choice(people, 201)
            seat = asked(people, 201)
            assert seat != first
            offerer, answerer = people[seat], people[1 - seat]
            before = offerer.shown[201]["clocks"]["left"]

            await w.jump(3000)
            await offerer.act(201, {"a": "offer_draw"}, offerer.shown[201]["ask"]["id"])
            assert answerer.shown[201]["ask"]["until"] is None, "the answer costs no time"
            for person in people:
                assert person.shown[201]["clocks"]["run"] == [seat]
            await w.jump(4000)
            await answerer.act(201, {"a": "reject"}, answerer.shown[201]["ask"]["id"])
            left = (await answerer.join(201))["clocks"]["left"]
            assert left[seat] == before[seat] - 7000, "nobody gains time by offering"
            assert left[1 - seat] == before[1 - seat], "nobody loses time, or gains any, by being asked"

            await w.jump(2000)
            await offerer.act(201, {"a": "roll"}, offerer.shown[201]["ask"]["id"])
            spent = before[seat] - 9000 + 5000
            assert offerer.shown[201]["clocks"]["left"][seat] == spent, "one turn, one increment"

            await offerer.act(201, {"a": "resign", "level": 1}, offerer.shown[201]["ask"]["id"])
            await w.jump(spent + 1000)
            result = answerer.shown[201]["result"]
            assert (result["why"], result["places"][seat]) == ("left", 2), "the offer has cost him the match"

    run(test())


def test_a_clock_for_each_move_is_not_renewed_by_offers(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await two(w, 501)
            await first_choice(people, 501)
            seat = asked(people, 501)
            offerer, answerer = people[seat], people[1 - seat]
            for _ in range(3):
                await w.jump(4000)
                await offerer.act(501, {"a": "offer_draw"}, offerer.shown[501]["ask"]["id"])
                await w.jump(4000)
                await answerer.act(501, {"a": "reject"}, answerer.shown[501]["ask"]["id"])
            assert (await offerer.join(501))["clocks"]["left"][seat] == 6000
            await w.jump(7000)
            assert offerer.shown[501]["result"]["places"][seat] == 2

    run(test())


def test_what_a_notation_cannot_say_is_refused_by_name(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            for table, code in ((301, "bad_variant"), (101, None)):
                people = await two(w, table)
                game = people[0].shown[table]["game"]["game_id"]
                for _ in range(3):
                    await first_choice(people, table)
                loser = asked(people, table)
                await people[loser].act(table, {"a": "resign", "level": 1})
                await people[1 - loser].act(table, {"a": "accept"})
                if code is None:
                    assert " point match" in await w.hall.archive.finished(game, "mat")
                    continue
                for notation in ("mat", "sgf"):
                    with pytest.raises(HallError) as refused:
                        await w.hall.archive.finished(game, notation)
                    assert refused.value.code == code

    run(test())


def test_bots_play_a_game_to_its_end(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(20)
            await ann.sit(101, 0)
            await ann.fill(101, 1)
            await ann.ready(101)
            await begun(w, [ann], 101)
            for _ in range(400):
                if ann.shown[101]["info"]["state"] != "playing":
                    break
                if ann.shown[101]["view"]["turn"] == 0:
                    await first_choice([ann], 101)
                else:
                    await w.jump(1000)
            assert ann.shown[101]["result"] is not None

    run(test())
