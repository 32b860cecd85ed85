"""Passing the passes: where one may sit, and how one climbs (platform W5)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hall.walks.places import Hall, begun, people, refusal, room, seated, standing
from tests.hall.web.conftest import run

pytestmark = pytest.mark.slow


def test_w5_six_wins_at_table_18_lead_to_table_15_and_not_to_12(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    async def visit(hall: Hall) -> None:
        async with people(hall, "climber", "partner") as (climber, partner):
            number = await room(climber, "xiangqi", "pass")
            shown = await climber.get(f"/rooms/{number}")
            assert [row["pass"] for row in shown["tables"]] == [6, 6, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1]
            high = {"need": 2, "have": 1}
            assert await refusal(climber, "sit", table=100 * number + 15, seat=0) == ("PASS_TOO_HIGH", high)
            assert (await climber.join(100 * number + 1)).seat is None  # watching is free at any pass
            tables = await seated((climber, partner), 100 * number + 18)
            assert {seat["pass"] for seat in tables[0].seats} == {tables[0].info["pass"]} == {1}
            for win in range(1, 7):
                await begun(hall, tables)
                for seat, move in ((0, "h2e2"), (1, "h9g7"), (0, "h0g2"), (1, "i9h9")):  # else it counts for nobody
                    table = next(table for table in tables if table.seat == seat)
                    await table.until(lambda t: t.ask)
                    await table.act({"a": "move", "m": move})
                await tables[1].act({"a": "resign"})
                for table in tables:
                    await table.until(lambda t: t.result and t.info["state"] == "between")
                mine = (await climber.get("/me"))["passes"]["xiangqi"]
                left = {"pass": 1, "highest": 1, "points": win} if win < 6 else {"pass": 2, "highest": 2, "points": 0}
                assert {key: mine[key] for key in left} == left
                theirs = (await partner.get("/me"))["passes"]["xiangqi"]
                assert (theirs["pass"], theirs["points"]) == (1, -win)
            me = next(seat["seat"] for seat in tables[0].seats if seat["user"] == climber.user)
            paid = tables[0].result["paid"][me]
            assert (paid["pass"]["moved"], paid["pass"]["record"], paid["coins"]) == ("up", True, None)
            await climber.command("stand", table=100 * number + 18)
            high = {"need": 3, "have": 2}
            assert await refusal(climber, "sit", table=100 * number + 12, seat=0) == ("PASS_TOO_HIGH", high)
            await climber.command("sit", table=100 * number + 15, seat=0)
            assert await refusal(partner, "sit", table=100 * number + 15, seat=1) == (
                "PASS_TOO_HIGH",
                {"need": 2, "have": 1},
            )

    with standing(request, tmp_path / "hall") as hall:
        run(lambda: visit(hall))
        assert (hall.stop(), hall.complaints()) == (0, "")
