"""Every game is played at a table of a hall: a person sits down against bots of the strongest level there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hall.world import quick, run, world

from qipai import games
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands

MOST = 40  # actions of the person: of some games that is not yet a deal


@pytest.mark.parametrize("game", games.names())
def test_a_person_plays_bots(game: str, tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, game, "friendly", tables=4), config=quick()) as w:
            one = await w.person(20)
            table, _seat = await w.hall.creation.play(one.user, game, level="strong")
            await one.join(table)
            shown = one.shown[table]
            entry = games.find(game)
            assert {seat["bot"] for seat in shown["seats"] if seat["bot"]} == {entry.level("strong")}
            await w.jump(10_000)  # dealt, and a countdown over
            done = waited = 0
            while done < MOST and waited < 400 and not shown["result"]:
                legal = shown["legal"]
                if shown["ask"] and legal and legal["list"]:
                    await one.done(
                        commands.Act(one.cid(), table, legal["list"][done % len(legal["list"])], shown["ask"]["id"])
                    )
                    done += 1
                else:
                    await w.jump(1000)
                    waited += 1
            assert done > 0
            await w.check()

    run(test())
