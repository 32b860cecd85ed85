"""Turn-based games over the wire: paired, listed, called to play on at once (P-24, P-65, P-77)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.client import Person, Refused, Server
from tests.hall.web.conftest import run

pytestmark = pytest.mark.slow


async def refusal(person: Person, path: str, body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    with pytest.raises(Refused) as refused:
        await person.post(path, body)
    return refused.value.code, refused.value.facts


def test_two_are_paired_by_days_and_one_calls_the_other(hall: Server) -> None:
    async def visit() -> None:
        async with Person(hall) as one, Person(hall, seed=1) as other, Person(hall, seed=2) as third:
            for person, name in ((one, "siskin"), (other, "bunting"), (third, "dunnock")):
                await person.register(name)
                await person.line()
            asked = {"game": "xiangqi", "days": 2}
            assert (await refusal(one, "/pair", {**asked, "days": 31}))[0] == "BAD_MESSAGE"
            assert await refusal(one, "/pair", {**asked, "game": "gouji"}) == ("BAD_OPTION", {"field": "clock"})
            assert (await one.post("/pair", asked))["table"] is None
            at = (await other.post("/pair", asked))["table"]
            table = await one.join(at)
            await table.until(lambda t: t.info["state"] == "playing")
            (row,) = [row for row in (await one.get("/home"))["tables"] if row["table"] == at]
            assert row["turn_based"]
            rows = (await one.get("/online?of=opponents"))["rows"]
            assert [(row["user"]["name"], row["table"], row["game"]) for row in rows] == [("bunting", None, at)]
            assert await one.post(f"/tables/{at}/live", {}) == {"here": True}
            await other.until(lambda: any(m["t"] == "note" and m["facts"].get("live") for m in other.other))
            code, facts = await refusal(one, f"/tables/{at}/live", {})
            assert (code, 0 < facts["wait_ms"] <= 60_000) == ("RATE_LIMIT", True)
            assert await refusal(third, f"/tables/{at}/live", {}) == ("NOT_SEATED", {})
            await one.call("PATCH", "/me/settings", {"after_move": "next"})
            assert (await one.get("/me"))["settings"]["after_move"] == "next"

    run(visit)
