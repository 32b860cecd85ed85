"""Two clubs are founded and joined, ranks given, teams lined up; their match of four boards is played (W13)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.client import PATIENCE, Person, Refused
from tests.hall.walks.places import Hall, people, standing
from tests.hall.web.conftest import run

pytestmark = pytest.mark.slow

HOUR = 3_600_000
TERMS = {"game": "xiangqi", "clock": {"type": "days", "days": 3}, "rated": False}
NAMES = ("east0", "east1", "east2", "east3", "east4", "west0", "west1", "west2", "west3")
# Who loses which game of a board: 1 and 2; the second board is shared.
LOST = {1: "west0 west0", 2: "east0 west1", 3: "east2 east2", 4: "east4 east4"}


async def refused(call: Any) -> str:
    with pytest.raises(Refused) as wrong:
        await call
    return wrong.value.code


def me(person: Person) -> int:
    return int(person.user["id"])


async def club_of(boss: Person, name: str, others: list[Person]) -> tuple[int, int]:
    """Found a club with a team of these; return the numbers of both."""
    club = (await boss.post("/clubs", {"name": name, "closed": True}))["club"]["id"]
    for each in others:
        await each.post(f"/clubs/{club}/join")
        await boss.post(f"/clubs/{club}/answer", {"user": me(each), "accept": True})
    (team,) = (await boss.post(f"/clubs/{club}/teams", {"game": "xiangqi", "name": name}))["rows"]
    users = [me(each) for each in (boss, *others)]
    await boss.post(f"/clubs/{club}/teams/{team['id']}/lineup", {"users": users})
    return club, team["id"]


def games(match: Any) -> list[Any]:
    return [game for board in match["boards"] for game in board["games"]]


async def seen(person: Person, cup: int, true: Callable[[Any], Any]) -> Any:
    """Return the match of a tournament of two teams as soon as something is true of it; the hall looks each second."""
    async with asyncio.timeout(PATIENCE):
        while True:
            sections = (await person.get(f"/teams/{cup}"))["teams"]["sections"]
            if sections and sections[0]["matches"] and true(sections[0]["matches"][0]):
                return sections[0]["matches"][0]
            await asyncio.sleep(0.05)


async def resign(hall: Hall, by: dict[str, Person], cup: int, boards: tuple[int, ...]) -> None:
    """End the games of some boards as LOST has it, by who loses them."""
    (section,) = (await by["east1"].get(f"/teams/{cup}"))["teams"]["sections"]
    for board in boards:
        for game, loser in zip(section["matches"][0]["boards"][board - 1]["games"], LOST[board].split(), strict=True):
            person = by[loser]
            await person.join(game["table"])
            await person.command("stand", table=game["table"], confirm=True)
    await hall.jump(0)


def test_w13_two_clubs_play_a_match_of_four_boards(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    async def visit(hall: Hall) -> None:
        async with people(hall, *NAMES) as found:
            by = dict(zip(NAMES, found, strict=True))
            east, west = found[:5], found[5:]
            club, team = await club_of(east[0], "East", east[1:])
            other, theirs = await club_of(west[0], "West", west[1:])
            # Ranks: a manager names the captain, who may then what a player may not.
            await east[0].post(f"/clubs/{club}/rank", {"user": me(east[3]), "rank": "manager"})
            path = f"/clubs/{club}/teams/{team}"
            offer = {"terms": TERMS, "starts_at": hall.now + HOUR, "to_club": other, "to_team": theirs}
            assert await refused(east[1].post(f"{path}/challenge", offer)) == "RANK_TOO_LOW"
            assert await refused(east[1].post(f"{path}/captain", {"user": me(east[1])})) == "RANK_TOO_LOW"
            await east[3].post(f"{path}/captain", {"user": me(east[1])})
            (challenge,) = (await east[1].post(f"{path}/challenge", offer))["challenges"]
            cup = (await west[0].post(f"/challenges/{challenge['id']}/accept"))["number"]
            # The captain's order: 1 before 0, the reserve for 3. The other side does not see it before the round.
            order = [me(east[at]) for at in (1, 0, 2, 4, 3)]
            await east[1].post(f"/teams/{cup}/lineup", {"users": order})
            assert await refused(east[2].post(f"/teams/{cup}/lineup", {"users": order})) == "RANK_TOO_LOW"
            assert (await west[0].get(f"/teams/{cup}"))["teams"]["me"]["mine"]["order"] == [me(each) for each in west]
            await hall.skip(HOUR)
            match = await seen(east[1], cup, lambda match: all(game.get("table") for game in games(match)))
            users = [
                [me(by[a]), me(by[b])] for a, b in zip(("east1", "east0", "east2", "east4"), NAMES[5:], strict=True)
            ]
            assert [board["users"] for board in match["boards"]] == users
            # A member who leaves plays on; a club that closes leaves its match as it is.
            await east[4].post(f"/clubs/{club}/leave")
            await resign(hall, by, cup, (1, 2))
            for person in found:
                await person.cut()
            hall.kill()
            hall.start()
            for person in found:
                await person.line()
            await west[0].call("DELETE", f"/clubs/{other}", {})
            await resign(hall, by, cup, (3, 4))
            match = await seen(east[1], cup, lambda match: match["match_points"] is not None)
            shown = (await east[1].get(f"/teams/{cup}"))["teams"]
            assert [board["score"] for board in match["boards"]] == [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0], [0.0, 1.0]]
            assert (match["board_points"], match["match_points"]) == ([1.5, 2.5], [0, 2])
            assert all(game["game_id"] for game in games(match))
            assert (shown["state"], [row["team"] for row in shown["placed"]]) == ("finished", [2, 1])
            (row,) = (await east[1].get(f"/clubs/{club}/teams"))["challenges"]
            assert (row["contest"], row["match"]["winners"]) == (cup, ["West"])

    with standing(request, tmp_path / "hall") as hall:
        run(lambda: visit(hall))
        assert (hall.stop(), hall.complaints()) == (0, "")
