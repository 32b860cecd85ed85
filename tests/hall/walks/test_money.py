"""The shop and its songs, and redeem codes (platform W8)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests import deaths
from tests.client import Person, Refused
from tests.hall.walks.places import Hall, begun, keeper, people, room, seated, standing
from tests.hall.web.conftest import run

pytestmark = pytest.mark.slow


async def denied(person: Person, path: str, **body: Any) -> tuple[str, dict[str, Any]]:
    with pytest.raises(Refused) as refused:
        await person.post(path, body)
    return refused.value.code, refused.value.facts


async def score_of(person: Person) -> int:
    return int((await person.get("/me"))["scores"]["xiangqi"]["score"])


def songs(person: Person) -> list[dict[str, Any]]:
    return [line for line in person.other if line["t"] == "chat" and line.get("code") == "song"]


def test_w8_the_shop_mends_what_was_lost_a_song_is_heard_and_a_code_is_good_once(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    async def visit(hall: Hall) -> None:
        async with people(hall, "buyer", "rival", "listener") as (buyer, rival, listener), keeper(hall) as boss:
            number = await room(buyer, "xiangqi", "score")
            tables = await seated((buyer, rival), 100 * number + 1)
            await begun(hall, tables)
            assert await denied(buyer, "/shop", item="reset_score", game="xiangqi") == ("NOTHING_TO_RESET", {})
            assert await denied(buyer, "/shop", item="reset_credibility") == ("NOTHING_TO_RESET", {})
            await buyer.command("stand", table=tables[0].id, confirm=True)
            await rival.tables[tables[0].id].until(lambda t: t.result)
            mine = await buyer.get("/me")
            assert (mine["scores"]["xiangqi"]["score"], mine["credibility"], mine["coins"]) == (-2, 95, 200)

            # A negative score to zero, for 50.
            assert (await buyer.post("/shop", {"item": "reset_score", "game": "xiangqi"}))["coins"] == 150
            assert await score_of(buyer) == 0
            assert await denied(buyer, "/shop", item="reset_score", game="xiangqi") == ("NOTHING_TO_RESET", {})
            # Credibility to 100, for 30.
            assert (await buyer.post("/shop", {"item": "reset_credibility"}))["coins"] == 120
            assert (await buyer.get("/me"))["credibility"] == 100
            # Twenty days of membership, for 2 each, and ten more after them.
            today = datetime.fromtimestamp(hall.now / 1000, UTC).date()
            got = await buyer.post("/shop", {"item": "member_days", "qty": 20})
            assert (got["coins"], got["member_until"]) == (80, str(today + timedelta(20)))
            got = await buyer.post("/shop", {"item": "member_days", "qty": 10})
            assert (got["coins"], got["member_until"]) == (60, str(today + timedelta(30)))
            assert await denied(buyer, "/shop", item="member_days", qty=31) == (
                "INSUFFICIENT_COINS",
                {"need": 62, "have": 60},
            )
            assert await denied(buyer, "/shop", item="hearts_to_coins") == (
                "INSUFFICIENT_HEARTS",
                {"need": 1, "have": 0},
            )

            # A song, for 5: everybody in the room hears it, and the next one waits a minute.
            with deaths.calm():  # who is away hears no song
                for person in (buyer, rival, listener):
                    await person.stands()
                    await person.say({"t": "enter", "room": number})
                    await person.until(lambda person=person: any(one["t"] == "room" for one in person.other))  # type: ignore[misc]
                song = {"item": "song", "room": number, "tune": "jasmine", "text": "祝好运"}
                assert (await buyer.post("/shop", song))["coins"] == 55
                for person in (buyer, rival, listener):
                    await person.until(lambda person=person: songs(person))  # type: ignore[misc]
                    assert [line["facts"] for line in songs(person)] == [
                        {"by": "buyer", "tune": "jasmine", "to": None, "text": "祝好运"}
                    ]
                await hall.jump(59_999)
                assert await denied(rival, "/shop", **song) == ("COOLDOWN", {"wait_ms": 1})
                await hall.jump(1)
                assert (await rival.post("/shop", song))["coins"] == 195
                await listener.until(lambda: len(songs(listener)) == 2)

            # Codes: one that is good once, one that two may use, one that is over.
            await boss.post("/admin/codes", {"code": "ONCE", "coins": 20, "hearts": 1})
            await boss.post("/admin/codes", {"code": "CLASS", "coins": 7, "uses": 2})
            await boss.post("/admin/codes", {"code": "LATE", "coins": 7, "expires": str(today)})
            assert (await buyer.post("/redeem", {"code": "ONCE"}))["coins"] == 75
            assert await denied(buyer, "/redeem", code="ONCE") == ("CODE_USED", {})
            assert await denied(rival, "/redeem", code="ONCE") == ("CODE_USED", {})
            assert (await buyer.post("/redeem", {"code": "CLASS"}))["coins"] == 82
            assert await denied(buyer, "/redeem", code="CLASS") == ("CODE_USED", {})
            assert (await rival.post("/redeem", {"code": "CLASS"}))["coins"] == 202
            assert await denied(listener, "/redeem", code="CLASS") == ("CODE_USED", {})
            assert await denied(listener, "/redeem", code="NEVER") == ("NO_SUCH_CODE", {})
            assert (await listener.post("/redeem", {"code": "LATE"}))["coins"] == 207  # the day itself is in time
            await hall.jump(86_400_000)
            assert await denied(rival, "/redeem", code="LATE") == ("CODE_EXPIRED", {})
            assert (await buyer.post("/shop", {"item": "hearts_to_coins"}))["coins"] == 92
            rows = [(row["reason"], row["amount"]) for row in (await buyer.get("/ledger"))["rows"]]
            assert [row for row in rows if row[0] != "trial"][-1] == ("reset_score", -50)
            assert sum(amount for _, amount in rows if amount) == 92 + 0  # hearts came and went

    with standing(request, tmp_path / "hall") as hall:
        run(lambda: visit(hall))
        assert (hall.stop(), hall.complaints()) == (0, "")
