"""The first visit: a guest plays, becomes a user, and finds his game again (platform W1)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.client import Person
from tests.hall.walks.places import Hall, play_out, standing
from tests.hall.web.conftest import run

pytestmark = pytest.mark.slow


def test_w1_a_guest_plays_against_bots_and_keeps_his_game_as_a_user(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    async def visit(hall: Hall) -> None:
        async with Person(hall) as person:
            await (await person.guest()).line()
            assert person.user is not None
            guest = person.user
            assert (guest["kind"], (await person.get("/me"))["coins"]) == ("guest", 0)
            # One click.
            made = await person.post("/play", {"game": "lianliankan", "seats": 3})
            table = await person.join(made["table"])
            assert table.seat == made["seat"]
            await table.until(lambda t: t.info["state"] == "playing")
            assert [seat["bot"] for seat in table.seats if seat["user"] is None] == ["steady", "steady"]
            result = await play_out(hall, [table], random.Random(1))
            assert min(result["places"]) == 1
            assert len(result["places"]) == 3
            assert [paid["score"] for paid in result["paid"]] == [None] * 3  # among friends nothing counts
            game = table.game["game_id"]
            # The guest registers, and is the same person.
            await person.register("newcomer")
            assert person.user == {"id": guest["id"], "name": "newcomer", "kind": "user"}
            assert (await person.get("/me"))["coins"] == 200
            rows = (await person.get("/ledger"))["rows"]
            assert [(row["amount"], row["reason"]) for row in rows] == [(200, "trial")]
            assert (await person.get(f"/g/{game}"))["seats"][made["seat"]]["user"] == person.user
            assert (await person.get(f"/users/{guest['id']}"))["user"] == person.user
            (row,) = (await person.get(f"/users/{guest['id']}/games"))["rows"]
            assert (row["game_id"], row["game"], row["seat"]) == (game, "lianliankan", made["seat"])
            assert row["points"] == result["points"][made["seat"]]

    with standing(request, tmp_path / "hall") as hall:
        run(lambda: visit(hall))
        assert (hall.stop(), hall.complaints()) == (0, "")
