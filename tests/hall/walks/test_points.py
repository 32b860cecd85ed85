"""What a shut-out 大光 is worth at shengji: in coins, and among players with high totals (platform W6, W7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.client import Person, Table
from tests.hall.walks.places import Hall, begun, caught_up, keeper, people, refusal, room, seated, standing
from tests.hall.web.conftest import run
from tests.stores import beside

from qipai.ledger.model import GRANTS, HOUSE

pytestmark = pytest.mark.slow

FOUR = ("spade", "heart", "club", "diamond")
COINS = """
[[rooms.own]]
kind = "coin"
key = "seed"
name = { en = "Seed 001" }
games = ["shengji"]
options = { big_sweep_points = 30 }
terms = { factor = 150, fee = 250 }
"""


def deck() -> list[str]:
    """Return a deck, in drawing order, in which the side of seat 0 takes every trick.

    Spades will be trumps. Seat 0 holds the 25 highest trumps, its partner the others and the cards that count, the
    kitty more of these; nobody else has a trump or a point. Whatever anybody plays, the others get nothing.
    """
    trumps = [*"XXxx", *(f"2{suit}" for suit in "SSHHCCDD"), *(f"{rank}S" for rank in "AAKKQQJJTT99887766554433")]
    points = [f"{rank}{suit}" for rank in "KT5" for suit in "HCD" for _ in range(2)]
    rest = [f"{rank}{suit}" for rank in "AQJ987643" for suit in "HCD" for _ in range(2)]
    high, low = trumps[:25], trumps[25:]
    hands = [["2S", *(card for card in reversed(high) if card != "2S"), "2S"], rest[4:29], [], rest[29:]]
    hands[2] = [*low, *points[8:], *rest[:4]]
    cards = [hands[number % 4][number // 4] for number in range(100)]
    plain = [rank + suit for rank in "23456789TJQKA" for suit in "SHCD"]
    assert Counter(cards + points[:8]) == Counter(2 * [*plain, "x", "X"])
    return cards + points[:8]


LUCK = {"shengji": {"a": "next_deal", "deck": deck(), "starter": 0}}


async def shut_out(hall: Hall, tables: Sequence[Table]) -> dict[str, Any]:
    """Play that deal once it has begun: seat 0 shows its two of spades, buries the kitty, and leads its trumps."""
    for _ in range(1000):
        await caught_up(tables)
        if tables[0].result:
            break
        asked = next((table for table in tables if table.ask), None)
        if asked is None:
            await hall.next()
        elif asked.view["phase"] == "burying":
            await asked.act({"a": "bury", "cards": asked.view["picked"]})
        else:
            listed = asked.legal["list"]
            declares = [one for one in listed if one["a"] == "declare" and one["cards"] == ["2S"]]
            passes = [one for one in listed if one["a"] == "pass"]
            await asked.act((declares or passes or sorted(listed, key=lambda one: len(one["cards"])))[0])
    result: dict[str, Any] = tables[0].result
    assert (tables[0].view["trump"], tables[0].view["dealer"]) == ("S", 0)
    assert tables[0].view["result"]["points"] == 0
    return result


async def coins_of(people: Sequence[Person]) -> list[int]:
    return [(await person.get("/me"))["coins"] for person in people]


def accounts(hall: Hall) -> dict[str, int]:
    """Return what lies in the accounts of the ledger: all of them, the house's, what was granted."""
    with beside(hall.data) as db:
        rows = db.execute("SELECT account, amount FROM balances WHERE currency = 'coins'").fetchall()
    return {
        "sum": sum(amount for _, amount in rows),
        "house": dict(rows).get(HOUSE, 0),
        "granted": -dict(rows)[GRANTS],
    }


def test_w6_coins_are_settled_as_seed_001_says_and_none_are_made(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    async def visit(hall: Hall) -> None:
        async with people(hall, *FOUR) as four, keeper(hall) as boss:

            async def grant(person: Person, amount: int) -> None:
                assert person.user is not None
                await boss.post("/admin/grants", {"user": person.user["id"], "amount": amount, "note": "walk"})

            number = await room(boss, "shengji", "coin", "Seed 001")
            await grant(four[0], -197)
            few = ("COINS_TOO_FEW", {"need": 4, "have": 3})
            assert await refusal(four[0], "sit", table=100 * number + 1, seat=0) == few
            await four[0].say({"t": "enter", "room": number})
            await four[0].until(lambda: any(one["t"] == "err" for one in four[0].other))
            refused = next(one for one in four[0].other if one["t"] == "err")
            assert (refused["re"], (refused["code"], refused["facts"])) == ("enter", few)
            for person, amount in zip(four, (4997, 4800, 4800, 4800), strict=True):
                await grant(person, amount)
            assert await coins_of(four) == [5000] * 4
            granted = 5 * 200 + 4997 + 3 * 4800
            assert accounts(hall) == {"sum": 0, "house": 197, "granted": granted}  # what was taken is the house's

            tables = await seated(four, 100 * number + 1)
            await begun(hall, tables)
            result = await shut_out(hall, tables)
            assert result["points"] == [30, -30, 30, -30]
            assert [paid["coins"] for paid in result["paid"]] == [4250, -4750, 4250, -4750]
            assert {paid["score"] for paid in result["paid"]} == {None}
            assert await coins_of(four) == [9250, 250, 9250, 250]
            assert accounts(hall) == {"sum": 0, "house": 197 + 1000, "granted": granted}

            # Losers who have too little: the one 250, the other 351. They pay it all, 601 are shared as 300 and 300.
            await grant(four[3], 101)
            for person in four:
                await person.command("stand", table=100 * number + 1)
            tables = await seated(four, 100 * number + 2)
            await begun(hall, tables)
            result = await shut_out(hall, tables)
            assert [paid["coins"] for paid in result["paid"]] == [50, -250, 50, -351]
            assert await coins_of(four) == [9300, 0, 9300, 0]
            assert accounts(hall) == {"sum": 0, "house": 197 + 1000 + 501, "granted": granted + 101}
            await tables[0].until(lambda t: [seat["user"] is None for seat in t.seats] == [False, True, False, True])
            stood = [event for _, _, event in tables[0].told if event["e"] == "table.stood"]
            assert [(event["seat"], event["why"]) for event in stood] == [(1, "coins"), (3, "coins")]
            rows = (await four[1].get("/ledger?reason=game"))["rows"]
            assert [row["amount"] for row in rows] == [-250, -4750]  # net: the fee is in it (RP-7)

    with standing(request, tmp_path / "hall", COINS, luck=LUCK) as hall:
        run(lambda: visit(hall))
        assert (hall.stop(), hall.complaints()) == (0, "")


def test_w7_the_special_room_says_what_it_pays_and_four_at_400_get_18(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    async def visit(hall: Hall, four: Sequence[Person]) -> None:
        number = await room(four[0], "shengji", "score", "Special room")
        for person in four:
            await person.say({"t": "enter", "room": number})
            await person.until(lambda person=person: any(one["t"] == "chat" for one in person.other))  # type: ignore[misc]
            line = next(one for one in person.other if one["t"] == "chat")
            assert (line["to"], line["from"], line["code"], line["facts"]) == (
                f"room:{number}",
                None,
                "special",
                {"points": 6},
            )
        tables = await seated(four, 100 * number + 1)
        assert [seat["score"] for seat in tables[0].seats] == [400] * 4
        await begun(hall, tables)
        result = await shut_out(hall, tables)
        assert [paid["score"] for paid in result["paid"]] == [18, -18, 18, -18]
        scores = [(await person.get("/me"))["scores"]["shengji"]["score"] for person in four]
        assert scores == [418, 382, 418, 382]

    async def walk(hall: Hall) -> None:
        async with people(hall, *FOUR) as four:
            before = [person.trips for person in four]
            hall.stop()
            # Four people who have won 400 each, from others: so much nobody plays in a walk.
            with beside(hall.data) as db:
                for person in four:
                    assert person.user is not None
                    db.execute("INSERT INTO scores VALUES (?, 'shengji', 400, 0, 0, 0)", (person.user["id"],))
            hall.start()
            for person, trips in zip(four, before, strict=True):
                await person.until(lambda person=person, trips=trips: person.trips > trips and person._up)  # type: ignore[misc]
            await visit(hall, four)

    with standing(request, tmp_path / "hall", luck=LUCK) as hall:
        run(lambda: walk(hall))
        assert (hall.stop(), hall.complaints()) == (0, "")
