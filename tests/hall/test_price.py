"""What leaving costs is said before, to the point and the coin, and is what is charged, in every game (P-26)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.world import Person, World, quick, run, world

from qipai import games
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Terms

TABLE = 301
LONG = ("gouji", "shengji")  # a deal of these is played to its end once, not in every kind of room
PRICES = {
    "baohuang": -20,
    "gouji": -12,
    "xiangqi": -2,
    "lianliankan": -5,
    "shengji": -4,
    "backgammon": -1,
    "mahjong": -64,
}
PLAYED = [
    (game, kind, True) for game in PRICES for kind in ("score", "pass", "coin") if game not in LONG or kind == "score"
]
VOID = [
    (game, kind, False) for game in ("gouji", "baohuang", "shengji", "mahjong") for kind in ("score", "pass", "coin")
]


def place(game: str, kind: Any, *, substitute: bool) -> Room:
    terms = Terms(substitute=substitute, factor=3 if kind == "coin" else 1, fee=2 if kind == "coin" else 0)
    seats = 2 if game == "lianliankan" else None
    return Room(
        3, game, kind, seats=seats, terms=terms, tables=18, options={"min_rounds": 1} if game == "mahjong" else {}
    )


async def seated(w: World, game: str, count: int) -> list[Person]:
    people = []
    for seat in range(count):
        user = 20 + seat
        await w.hall.ledger.grant(user, "coins", 1000, "for a test", by=1, now=w.clock.now())
        people.append(await w.person(user))
        await people[-1].sit(TABLE if w.hall.rooms[3].kind != "pass" else 316, seat)
    return people


async def has(w: World, user: int, game: str) -> dict[str, int]:
    """Return what somebody has of all that leaving can cost."""
    standing, trust = await w.hall.ledger.standing(user, game)
    coins = (await w.hall.ledger.wallet(user)).coins
    return {"score": standing.score, "credibility": trust, "coins": coins}


async def over(w: World, people: list[Person], table: int) -> None:
    """Let those who are left do what is asked of them, and time pass, until the deal is over."""
    for _ in range(6000):
        if w.table(table).state != "playing":
            return
        asked = [person for person in people if person.shown[table]["ask"] and person.shown[table]["legal"]]
        if not asked:
            await w.jump(4_000)
            continue
        shown = asked[0].shown[table]
        legal = shown["legal"]
        action = [*legal["list"], *legal.get("leaving", [])][-1]
        await asked[0].say(commands.Act(asked[0].cid(), table, action, shown["ask"]["id"]))
    raise AssertionError("the deal never ends")


@pytest.mark.parametrize(
    ("game", "kind", "substitute"),
    [row if row[1] == "score" else pytest.param(*row, marks=pytest.mark.slow) for row in PLAYED + VOID],
)
def test_what_is_said_is_what_is_charged(tmp_path: Path, game: str, kind: str, substitute: bool) -> None:
    async def test() -> None:
        room = place(game, kind, substitute=substitute)
        async with world(tmp_path, room, config=quick()) as w:
            table = TABLE if kind != "pass" else 316
            people = await seated(w, game, room.places)
            for person in people:
                await person.ready(table)
            await w.jump(10_000)  # dealt, and a countdown over
            assert w.table(table).playing
            leaver, others = people[-1], people[:-1]
            user = leaver.user.id
            before = {p.user.id: await has(w, p.user.id, game) for p in people}
            said = (await leaver.say(commands.Stand(leaver.cid(), table)))["facts"]
            assert said["score"] == (0 if kind == "coin" else PRICES[game])
            assert (said["pass"], said["credibility"]) == (-2 if kind == "pass" else None, -5)
            if kind == "coin":  # what is given up before it counts costs no fee (P-38)
                given_up = game in ("xiangqi", "backgammon", "lianliankan")
                assert said["coins"] == 3 * PRICES[game] - (2 if substitute and not given_up else 0)
            await leaver.done(commands.Stand(leaver.cid(), table, confirm=True))
            await over(w, others, table)
            after = await has(w, user, game)
            change = {name: after[name] - before[user][name] for name in after}
            result = next(p.shown[table]["result"] for p in others)
            if game == "mahjong" and substitute:  # P-32: its result stands beside the fine
                change["score" if kind != "coin" else "coins"] -= result["points"][-1] * (3 if kind == "coin" else 1)
            assert change == {name: said[name] for name in change}
            climbed = (await w.hall.ledger.passes(user)).get(game)
            assert (climbed.points if climbed else 0) == (-2 if kind == "pass" else 0)
            if not substitute:  # P-28, P-32: for the others it was no game at all
                for person in others:
                    standing, trust = await w.hall.ledger.standing(person.user.id, game)
                    assert (standing.won, standing.lost, standing.drawn, trust) == (0, 0, 0, 100)
                    assert await has(w, person.user.id, game) == before[person.user.id]
                    assert await w.hall.ledger.passes(person.user.id) == {}
                    assert await w.hall.ledger.ratings(person.user.id) == {}

    run(test())
    assert set(PRICES) <= set(games.names())


def test_who_signs_out_is_told_what_all_his_tables_cost_together(tmp_path: Path) -> None:
    async def test() -> None:
        rooms = (Room(3, "xiangqi", "score"), Room(4, "xiangqi", "pass", tables=18))
        async with world(tmp_path, *rooms, config=quick()) as w:
            people = [await w.person(user) for user in (20, 21)]
            for table in (301, 302, 418):
                for seat, person in enumerate(people):
                    await person.sit(table, seat)
            for table in (301, 418):
                for person in people:
                    await person.ready(table)
            with pytest.raises(HallError) as wrong:
                await w.hall.sign_out.quit_all(people[0].user, confirm=False)
            assert wrong.value.code == "CONFIRM_QUIT"
            assert wrong.value.facts == {"score": -4, "pass": -2, "credibility": -10, "coins": 0}
            assert w.hall.people.tables_of(people[0].user) == (301, 418)
            before = await has(w, 20, "xiangqi")
            await w.hall.sign_out.quit_all(people[0].user, confirm=True)
            after = await has(w, 20, "xiangqi")
            assert {name: after[name] - before[name] for name in after} == {"score": -4, "credibility": -10, "coins": 0}

    run(test())
