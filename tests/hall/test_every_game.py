"""Every game is played at a table of a hall: a person sits down against bots of the strongest level there is.

Another node carries the person's line and that of one who watches (0083). What they draw from all that they were sent
is what they would be sent if they came only now.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.hall.world import Person, World, quick, run, world

from qipai import games
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands

LASTING = ("seq", "info", "seats", "offers", "game", "view", "ask", "legal", "hints", "result", "late", "you")
MOST = 40  # actions of the person: of some games that is not yet a deal


def drawn_right(w: World, people: list[Person], table: int) -> None:
    """Assert that everybody draws what stands on the table."""
    live = w.hall.runner.tables[table]
    for one in people:
        channel = live.listeners[one.session]
        now: Any = msgspec.json.decode(
            msgspec.json.encode(w.hall.audience.snapshot(live, channel, one.session.user_id))
        )
        shown = one.shown[table]
        assert {name: shown[name] for name in LASTING} == {name: now[name] for name in LASTING}


@pytest.mark.parametrize("game", games.names())
def test_a_person_plays_bots(game: str, tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, game, "friendly", tables=4), config=quick()) as w:
            here = await w.person(21)
            node = w.beside()
            one, other = await w.person(20), await w.person(22)
            table, _seat = await w.hall.creation.play(one.user, game, level="strong")
            people = [one, here, other]
            for each in people:
                await each.join(table)
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
                    drawn_right(w, people, table)
                else:
                    await w.jump(1000)
                    waited += 1
            assert done > 0
            drawn_right(w, people, table)
            assert node.told > done
            assert node.lost == []
            await w.check()

    run(test())
