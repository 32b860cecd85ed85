"""Leaving a game that runs: the price is said before, and charged (platform W4)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.client import Table
from tests.hall.walks.places import Hall, begun, keeper, people, play_on, play_out, refusal, room, seated, standing
from tests.hall.web.conftest import run

pytestmark = pytest.mark.slow

FIVE = ("sparrow", "heron", "crane", "swift", "plover")


async def known(hall: Hall, tables: list[Table], luck: random.Random) -> None:
    """Play on until emperor and guard are decided: the phases from `reveal` on (P-31)."""
    while tables[0].view["phase"] in ("deal", "grab", "yield"):
        await play_on(hall, tables, luck)


def test_w4_leaving_baohuang_costs_twenty_then_forty_and_a_kick_the_same(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    async def visit(hall: Hall) -> None:
        luck = random.Random(4)
        async with people(hall, *FIVE) as five, keeper(hall, "moderator") as guard, keeper(hall) as boss:
            at = 100 * await room(five[0], "baohuang", "score")
            trust = [100] * 5
            for table, price in ((at + 1, -20), (at + 2, -40)):
                tables = await seated(five, table)
                await begun(hall, tables)
                assert tables[0].view["phase"] == "grab"
                if price == -40:
                    await known(hall, tables, luck)
                # Seat 0 leaves: what it costs is said first, and nothing happens until it is confirmed.
                facts = {"score": price, "pass": None, "credibility": -5, "coins": 0}
                assert await refusal(five[0], "stand", table=table) == ("CONFIRM_QUIT", facts)
                assert tables[1].seats[0]["presence"] == "online"
                await five[0].command("stand", table=table, confirm=True)
                await tables[1].until(lambda t: t.seats[0]["presence"] == "left")
                # Seat 3 is sent away: not by the others, and not without a reason.
                assert (await refusal(five[1], "remove", table=table, seat=3, why="slow"))[0] == "GAME_RUNNING"
                assert await refusal(guard, "remove", table=table, seat=3) == ("BAD_MESSAGE", {"field": "why"})
                await guard.command("remove", table=table, seat=3, why=f"stalling {price}")
                await tables[1].until(lambda t: t.seats[3]["presence"] == "left")
                result = await play_out(hall, [tables[seat] for seat in (1, 2, 4)], luck)
                await five[3].until(lambda: any(m["t"] == "note" and m["kind"] == "penalty" for m in five[3].other))
                charged = [(paid["score"], paid["credibility"]) for paid in result["paid"]]
                assert [charged[seat] for seat in (0, 3)] == [(price, -5), (price, -5)]
                assert [charged[seat][0] for seat in (1, 2, 4)] == [result["points"][seat] for seat in (1, 2, 4)]
                for seat in (0, 3):
                    trust[seat] -= 5
                    mine = await five[seat].get("/me")
                    assert mine["credibility"] == trust[seat]
                    assert mine["scores"]["baohuang"]["score"] == (price if price == -20 else -60)
                for seat in (1, 2, 4):
                    await five[seat].command("stand", table=table)
            rows = (await boss.get("/moderation/audit"))["rows"]
            acts = [(row["actor"], row["data"]) for row in rows if row["data"].get("what") == "kick"]
            assert [(actor, data["user"], data["reason"]) for actor, data in acts] == [
                (guard.user, five[3].user and five[3].user["id"], "stalling -40"),
                (guard.user, five[3].user and five[3].user["id"], "stalling -20"),
            ]

    with standing(request, tmp_path / "hall") as hall:
        run(lambda: visit(hall))
        assert (hall.stop(), hall.complaints()) == (0, "")
