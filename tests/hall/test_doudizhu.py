"""Dou dizhu in the hall: a deal to its end, points, nobody calling, cards that lie face down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from tests.hall.test_gouji import play_out
from tests.hall.world import Person, World, run, world

from qipai import games
from qipai.hall.rooms.rooms import Room

ROOMS = (Room(1, "doudizhu", "friendly"), Room(2, "doudizhu", "score"))


def calling(shown: Any, actions: list[Any]) -> Any:
    """Call when asked, and play as the easy bot does."""
    if shown["view"]["phase"] == "bid":
        return actions[-1]
    entry = games.find("doudizhu")
    bot = entry.bots["easy"](entry.options(), seed=1)
    return msgspec.to_builtins(bot.choose(msgspec.convert(shown["view"], entry.view), 50))


async def three(w: World, table: int) -> list[Person]:
    """Seat three people; the cards are dealt."""
    people = [await w.person(10 + seat) for seat in range(3)]
    for seat, person in enumerate(people):
        await person.sit(table, seat)
    for person in people:
        await person.ready(table)
    for person in people:
        await person.seed(table, "x")
    return people


def test_a_person_and_two_bots_play_a_deal(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(5, "ann")
            await ann.join(101)
            await ann.sit(101, 2)
            for seat in (0, 1):
                await ann.fill(101, seat)
            await ann.ready(101)
            await ann.seed(101, "牌")
            await play_out(w, [ann], 101, calling)
            game = ann.shown[101]["game"]["game_id"]
            assert await w.hall.archive.verify(game) is None

    run(test())


def test_three_people_play_for_points(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w, 201)
            await play_out(w, people, 201, calling)
            shown = people[0].shown[201]
            scores = shown["view"]["scores"]
            assert sum(scores) == 0
            assert [paid["score"] for paid in shown["result"]["paid"]] == scores
            landlord = shown["view"]["landlord"]
            assert abs(scores[landlord]) == 2 * shown["view"]["multiple"]

    run(test())


def test_when_nobody_calls_the_hall_deals_again_and_the_deal_verifies(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w, 101)
            hands = [person.shown[101]["view"]["hand"] for person in people]
            first = people[0].shown[101]["view"]["first"]
            for step in range(3):
                person = people[(first + step) % 3]
                await person.act(101, {"a": "no_bid"}, person.shown[101]["ask"]["id"])
            view = people[0].shown[101]["view"]
            assert (view["phase"], view["redealt"], view["first"]) == ("bid", 1, (first + 1) % 3)
            again = [person.shown[101]["view"]["hand"] for person in people]
            assert all(old != new for old, new in zip(hands, again, strict=True))
            await play_out(w, people, 101, calling)
            assert await w.hall.archive.verify(people[0].shown[101]["game"]["game_id"]) is None

    run(test())


def test_nobody_is_sent_cards_that_lie_face_down(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w, 101)
            watcher = await w.person(30)
            await watcher.join(101)
            hands = [person.shown[101]["view"]["hand"] for person in people]
            assert watcher.shown[101]["view"]["hand"] is None
            assert all(person.shown[101]["view"]["bottom"] is None for person in (*people, watcher))
            for seat, person in enumerate((*people, watcher)):
                sent = json.dumps(person.got)
                assert not [hand for other, hand in enumerate(hands) if other != seat and hand in sent]
            caller = people[people[0].shown[101]["view"]["turn"][0]]
            await caller.act(101, {"a": "bid", "n": 3}, caller.shown[101]["ask"]["id"])
            bottom = watcher.shown[101]["view"]["bottom"]
            assert len(bottom) == 3
            assert len(caller.shown[101]["view"]["hand"]) == 20

    run(test())
