"""Who may come into a room and sit at its tables: each condition, refused and met (platform P-15, P-16)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_xiangqi import move, opening, two
from tests.hall.world import Person, World, run, world

from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.model import Terms

OPEN = Room(1, "xiangqi", "score")
PLIES = ("h2e2", "h9g7", "h0g2", "i9h9")  # two each: fewer would not be rated
# What a room asks; by what code and with which facts the winner (0) or the loser (1) of one game is kept out.
ASKS: list[tuple[Terms, int, str, dict[str, Any]]] = [
    (Terms(min_score=1), 1, "SCORE_TOO_LOW", {"need": 1, "have": -2}),
    (Terms(max_score=1), 0, "NOT_ALLOWED", {"case": "score", "most": 1, "have": 2}),
    (Terms(min_grade=1), 1, "GRADE_TOO_LOW", {"need": 1, "have": 0}),
    (Terms(min_rating=1500), 1, "RATING_RANGE", {"case": "low", "least": 1500, "most": None, "have": 1338}),
    (
        Terms(min_rating=1000, max_rating=1600),
        0,
        "RATING_RANGE",
        {"case": "high", "least": 1000, "most": 1600, "have": 1662},
    ),
]


async def one_has_won(w: World) -> list[Person]:
    """Let two play a rated game; return who has won it and who has lost."""
    winner, loser = await two(w, 101)
    for ply, text in enumerate(PLIES):
        await move((winner, loser)[ply % 2], 101, text)
    await loser.act(101, {"a": "resign"})
    for person in (winner, loser):
        await person.done(commands.Stand(person.cid(), 101))
    return [winner, loser]


async def comes(person: Person, room: int) -> Any:
    """Return code and facts of the refusal, None where a room lets somebody in."""
    start = len(person.got)
    await person.say(commands.Enter(room))
    wrongs = [message for message in person.got[start:] if message["t"] == "err"]
    return (wrongs[0]["code"], wrongs[0]["facts"]) if wrongs else None


async def sits(person: Person, table: int, seat: int) -> Any:
    answer = await person.say(commands.Sit(person.cid(), table, seat))
    return None if answer["t"] == "ack" else (answer["code"], answer["facts"])


@pytest.mark.parametrize(("terms", "out", "code", "facts"), ASKS)
def test_a_room_keeps_out_whom_its_conditions_leave_out(
    tmp_path: Path, terms: Terms, out: int, code: str, facts: dict[str, Any]
) -> None:
    async def test() -> None:
        async with world(tmp_path, OPEN, Room(2, "xiangqi", "score", terms=terms)) as w:
            people = await one_has_won(w)
            inside = people[1 - out]
            assert await comes(people[out], 2) == await sits(people[out], 201, 0) == (code, facts)
            assert await comes(inside, 2) is None
            assert inside.of("room")[-1]["info"]["terms"] == {
                name: value for name, value in facts_of(terms).items() if value is not None
            }
            assert await sits(inside, 201, 0) is None
            # Its owner may ask for more, and lets in nobody whom the room keeps out.
            await inside.done(commands.Set("s", 201, options={"min_score": None, "min_credibility": 1}))
            assert await sits(people[out], 201, 1) == (code, facts)

    run(test())


def facts_of(terms: Terms) -> dict[str, Any]:
    return {name: getattr(terms, name) for name in ("min_score", "max_score", "min_grade", "min_rating", "max_rating")}


def test_a_friendly_room_may_ask_for_a_rating_too(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, OPEN, Room(2, "xiangqi", "friendly", terms=Terms(min_rating=1500))) as w:
            winner, loser = await one_has_won(w)
            assert await comes(loser, 2) == ("RATING_RANGE", ASKS[3][3])
            assert await comes(winner, 2) is None
            fresh = await w.person(30)  # 1500, as everybody begins
            assert await comes(fresh, 2) is None

    run(test())


def test_who_has_left_a_game_lacks_credibility_and_earns_it_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, OPEN, Room(2, "xiangqi", "score", terms=Terms(min_credibility=96))) as w:
            ann, bob = await two(w, 101)
            await bob.done(commands.Stand(bob.cid(), 101, confirm=True))
            low = ("CREDIBILITY_LOW", {"need": 96, "have": 95})
            assert await comes(bob, 2) == await sits(bob, 201, 0) == low
            assert await comes(ann, 2) is await sits(ann, 201, 0) is None
            await ann.done(commands.Stand(ann.cid(), 101))
            await opening(*await two(w, 102), 102)  # type: ignore[arg-type, call-arg]
            await bob.act(102, {"a": "resign"})  # a game to its end
            assert await comes(bob, 2) is await sits(bob, 201, 1) is None

    run(test())


def test_a_coin_room_says_how_many_coins_it_asks(tmp_path: Path) -> None:
    async def test() -> None:
        rooms = (Room(1, "xiangqi", "coin"), Room(2, "xiangqi", "coin", terms=Terms(min_coins=300)))
        async with world(tmp_path, *rooms) as w:
            ann = await w.person(1)
            await w.hall.ledger.grant(1, "coins", 200, "", by=None, now=0)
            assert [row.terms.min_coins for row, _people, _playing in await w.hall.lobby.rooms()] == [4, 300]
            few = ("COINS_TOO_FEW", {"need": 300, "have": 200})
            assert await comes(ann, 1) is None
            assert await comes(ann, 2) == await sits(ann, 201, 0) == few
            await w.hall.ledger.grant(1, "coins", 100, "", by=None, now=0)
            assert await comes(ann, 2) is await sits(ann, 201, 0) is None

    run(test())


def test_the_map_says_what_a_table_asks(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "xiangqi", "score", terms=Terms(min_credibility=10))) as w:
            ann, eve = await w.person(1), await w.person(2)
            await eve.say(commands.Enter(1))
            assert all("terms" not in row for row in eve.of("room")[0]["tables"])
            await ann.sit(101, 0)
            for options, shown in (
                ({"password": "松", "watchers": False}, {"password": True, "watchers": False}),
                ({"password": None, "watchers": True, "min_score": -5}, {"min_score": -5}),
                ({"min_score": None, "min_credibility": 90}, {"min_credibility": 90}),
                ({"min_credibility": None, "friends": True}, {"friends": True, "min_credibility": None}),
            ):
                await ann.done(commands.Set(ann.cid(), 101, options=options))
                (row,) = eve.of("room_ev")[-1]["tables"]
                assert row["terms"] == shown
                assert "松" not in str(eve.got)
            await ann.done(commands.Stand(ann.cid(), 101))
            assert "terms" not in eve.of("room_ev")[-1]["tables"][0]

    run(test())
