"""Two people play by days: asked by rating, at leisure, with an hour of vacation, live when both look (platform W9)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.client import Refused
from tests.hall.walks.places import Hall, people, standing
from tests.hall.web.conftest import run

pytestmark = pytest.mark.slow

DAY, HOUR = 86_400_000, 3_600_000
DAYS = {"type": "days", "days": 1}


def move(text: str) -> dict[str, str]:
    return {"a": "move", "m": text}


def test_w9_two_play_by_days_one_takes_a_vacation_and_then_is_late(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    async def visit(hall: Hall) -> None:
        async with people(hall, "sparrow", "heron") as (one, other):
            # An invitation with a range: outside of it refused, inside accepted.
            asked = {"game": "xiangqi", "rated": True, "colour": "mine", "clock": DAYS}
            high = await one.post("/invites", {**asked, "rating_min": 1600})
            with pytest.raises(Refused) as wrong:
                await other.post(f"/invites/{high['id']}/accept", {})
            assert wrong.value.code == "RATING_RANGE"
            fair = await one.post("/invites", {**asked, "rating_min": 1400, "rating_max": 1600})
            at = (await other.post(f"/invites/{fair['id']}/accept", {}))["table"]
            # He who stays here sees the other's move without asking again.
            red, black = await one.join(at), await other.join(at)
            assert red.info["clock"] == DAYS
            for table, text in ((red, "h2e2"), (black, "h9g7"), (red, "h0g2"), (black, "i9h9")):
                await table.act(move(text))
            await red.until(lambda t: t.view["fen"] == black.view["fen"] and t.ask is not None)
            # Both go away; a day less an hour costs nobody anything.
            await one.call("PATCH", "/me/settings", {"auto_vacation": True})
            await one.cut()
            await other.cut()
            await hall.skip(DAY - HOUR)
            await hall.skip(HOUR + 600_000)  # now one is late, and the sweep takes an hour of his vacation
            (row,) = (await one.get("/home"))["tables"]
            assert (row["table"], row["turn"], row["state"]) == (at, True, "playing")
            assert 0 < row["until"] - hall.now <= HOUR
            assert (await one.get("/me"))["vacation"] == 239
            # He plays; the other has no vacation, and loses.
            await one.line()
            red = await one.join(at)
            await red.act(move("g2e1"))
            await hall.skip(DAY)
            await hall.skip(600_000)
            await red.until(lambda t: t.result is not None)
            assert (red.result["why"], red.result["points"]) == ("timeout", [2, -2])

    with standing(request, tmp_path / "hall") as hall:
        run(lambda: visit(hall))
        assert (hall.stop(), hall.complaints()) == (0, "")
