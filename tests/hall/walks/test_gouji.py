"""A table of gouji: who leads, what is counted, and what a lost line costs (platform W2, W3)."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.client import Person, Table
from tests.hall.walks.places import Hall, begun, people, play_on, play_out, room, seated, standing
from tests.hall.web.conftest import run

pytestmark = pytest.mark.slow

SIX = ("north", "east", "south", "west", "middle", "corner")
ORDER = (3, 0, 1, 2, 4, 5)


async def grade_of(person: Person, score: int) -> int:
    rows = (await person.get("/grades"))["rows"]
    return max(row["grade"] for row in rows if row["least"] is None or row["least"] <= score)  # type: ignore[no-any-return]


def test_w2_who_sat_first_leads_and_the_points_reach_six_totals_and_grades(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    async def visit(hall: Hall) -> None:
        async with people(hall, *SIX) as six:
            at = 100 * await room(six[0], "gouji", "score") + 1
            tables = await seated(six, at, ORDER)
            await begun(hall, tables)
            assert {table.view["leader"] for table in tables} == {3}
            assert [table.seat for table in tables if table.ask] == [3]
            luck = random.Random(2)
            result = await play_out(hall, tables, luck)
            while not any(result["points"]):  # both sides have come in alike, as they may: nobody's total has moved
                await begun(hall, tables)
                result = await play_out(hall, tables, luck)
            for table in tables:
                counted(table)
            points = result["points"]
            assert sorted(result["places"]) == [1, 2, 3, 4, 5, 6]
            assert sum(points) == 0
            assert [paid["score"] for paid in result["paid"]] == points
            for person, score in zip(six, points, strict=True):
                mine = (await person.get("/me"))["scores"]["gouji"]
                assert (mine["score"], mine["grade"]) == (score, await grade_of(person, score))
            shown = {seat["seat"]: (seat["score"], seat["grade"]) for seat in tables[0].seats}
            assert shown == {seat: (points[seat], await grade_of(six[0], points[seat])) for seat in range(6)}

    with standing(request, tmp_path / "hall") as hall:
        run(lambda: visit(hall))
        assert (hall.stop(), hall.complaints()) == (0, "")


def counted(table: Table) -> None:
    """Nobody was told how many cards another holds before they were ten (P-20)."""
    seen: set[int | None] = set()
    for frame in table.person.traffic:
        view = json.loads(frame).get("view")
        if view and view["phase"] != "over":
            seen |= {count for seat, count in enumerate(view["counts"]) if seat != table.seat}
    assert seen <= {None, *range(11)}
    assert None in seen
    assert seen & set(range(1, 11))


def story(table: Table) -> list[Any]:
    """What everybody at the table was told, with its numbers, which have no gap: the client sees to that."""
    return [told for _, _, told in table.told if told["e"] in ("played", "closed", "went_out", "table.presence")]


async def playing(hall: Hall, tables: Sequence[Table], luck: random.Random, until: int) -> None:
    """Play, a second for each action, until a time; who is not there is waited for."""
    while hall.now < until and not tables[0].result:
        await play_on(hall, tables, luck, patient=True)
        await hall.jump(min(1000, until - hall.now))


@pytest.mark.parametrize("kind", ["score", "pass"])
def test_w3_a_lost_line_is_found_again_and_one_that_is_not_is_paid_for(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    async def visit(hall: Hall) -> None:
        luck = random.Random(3)
        async with people(hall, *SIX) as six:
            at = 100 * await room(six[0], "gouji", kind) + (1 if kind == "score" else 18)
            tables = await seated(six, at, ORDER)
            await tables[3].do("set", options={"turn_seconds": 90})  # nobody's time runs out while he is waited for
            await begun(hall, tables)
            for _ in range(6):
                await play_on(hall, tables, luck)
            lost = hall.now
            back, away = six[0], six[5]
            await back.cut()
            await away.cut()
            here = tables[1:5]
            await here[0].until(lambda t: [seat["presence"] for seat in t.seats].count("grace") == 2)
            assert here[0].seats[0]["until"] == lost + 60_000
            await playing(hall, here, luck, lost + 59_999)
            assert [here[0].seats[seat]["presence"] for seat in (0, 5)] == ["grace", "grace"]
            await playing(hall, here, luck, lost + 60_000)
            await here[0].until(lambda t: [t.seats[seat]["presence"] for seat in (0, 5)] == ["bot", "bot"])
            await playing(hall, here, luck, lost + 100_000)
            await here[0].person.settle()
            assert not here[0].result, "the deal is over too early to come back"
            seq, snapshots = tables[0].seq, tables[0].snapshots
            await back.line()
            await here[0].until(lambda t: t.seats[0]["presence"] == "online")
            await tables[0].until(lambda t: t.snapshots == snapshots + 1 and t.seats[0]["presence"] == "online")
            assert tables[0].seq > seq + 20  # what was missed has come, each once and in order: the client sees to that
            result = await play_out(hall, tables[:5], luck)
            assert story(tables[0]) == story(tables[1])[-len(story(tables[0])) :]
            assert len(story(tables[0])) > 20
            paid = result["paid"]
            assert (paid[0]["score"], paid[0]["credibility"]) == (result["points"][0], 0)
            assert (paid[5]["score"], paid[5]["credibility"]) == (-12, -2)
            rows = (await back.get(f"/g/{tables[0].game['game_id']}"))["rows"]
            assert {row[0] for row in rows if row[3:] == ["bot"]} == {0, 5}
            if kind == "pass":
                assert (paid[5]["pass"]["change"], paid[5]["pass"]["points"]) == (-1, -1)
                change = (result["points"][0] > 0) - (result["points"][0] < 0)
                assert paid[0]["pass"]["change"] == change
            await away.line()
            mine = await away.get("/me")
            assert (mine["scores"]["gouji"]["score"], mine["credibility"]) == (-12, 98)
            assert (await back.get("/me"))["credibility"] == 100

    with standing(request, tmp_path / "hall") as hall:
        run(lambda: visit(hall))
        assert (hall.stop(), hall.complaints()) == (0, "")
