"""The walk of a tournament with a fee (platform W12) in every format, at real tables, with kills in between."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.contests.test_live import later, resign
from tests.hall.contests.test_walks import agrees, town
from tests.hall.world import START, Jumping, Names, World, run

from qipai.contests.contract import GameTerms
from qipai.contests.live import Running
from qipai.contests.tournaments import commands as say
from qipai.contests.tournaments.form import TournamentForm
from qipai.hall.table.errors import HallError
from qipai.ledger import books
from qipai.ledger.model import ESCROW

FISCHER = {"type": "fischer", "base": 300, "inc": 5}
TERMS = GameTerms("xiangqi", clock=FISCHER, rated=False)
PEOPLE = 5


def form(format: Any, **more: Any) -> TournamentForm:
    """Return a tournament of four to five, whose first prize is more than twice its fee."""
    given: dict[str, Any] = {
        "min_players": 4,
        "max_players": 5,
        "section_size": 3,
        "rounds": 3,
        "minutes": 5,
        "final_wins": 2,
    }
    given |= {"fee": 20, "prizes": (60, 20), "start": START + 10_000, **more}
    return TournamentForm(name="Autumn cup", format=format, terms=TERMS, **given)


async def coins(w: World, *users: int) -> list[int]:
    return await w.store.read(lambda db: [books.balance(db, user) for user in users])


async def played(w: World, id: int) -> Running:
    """Let the stronger win every game, that is the lower number; return the tournament when nothing is going on."""
    for _ in range(60):
        running = await w.contests.find("tournament", id)
        if running.kind.over(running.state):
            return running
        going = [game for game in running.kind.games(running.state) if game.table is not None]
        for game in going:
            table = game.table
            assert table is not None
            for user in game.users:
                assert user is not None
                await w.people[user].join(table)
                seat = game.users.index(user)
                if w.table(table).state == "open" and not w.table(table).chairs[seat].ready:
                    await w.people[user].ready(table)
            loser = max(user for user in game.users if user is not None)
            await resign(w.people[loser], table)
        await later(w, 61_000)
    raise AssertionError("the tournament never ends")


@pytest.mark.parametrize("format", ["sections", "knockout", "swiss", "arena"])
def test_w12_tournament_with_a_fee(tmp_path: Path, format: str) -> None:
    async def case() -> None:
        clock, names = Jumping(), Names()
        async with town(tmp_path, clock, names, PEOPLE) as w:

            async def do(id: int, command: Any, user: int) -> Any:
                return (await w.contests.do("tournament", id, command, user)).state

            # Too few: it is cancelled at its time, and the fees go back.
            small = await w.contests.make("tournament", lambda id: say.Make(id=str(id), form=form(format)), 1)
            for user in (1, 2, 3):
                await do(small.id, say.Enter(), user)
            assert await coins(w, 1, 2, 3, ESCROW) == [180, 180, 180, 60]
            await later(w, 10_001)
            found = await w.contests.find("tournament", small.id)
            assert found.state.state == "cancelled"
            assert await coins(w, 1, 2, 3, ESCROW) == [200, 200, 200, 0]

            # Enough: who withdraws before the start has the fee back.
            given = form(format, start=clock.now() + 10_000)
            cup = await w.contests.make("tournament", lambda id: say.Make(id=str(id), form=given), 1)
            for user in range(1, PEOPLE + 1):
                await do(cup.id, say.Enter(), user)
            with pytest.raises(HallError) as twice:
                await do(cup.id, say.Enter(), 1)
            assert twice.value.code == "ALREADY_PLAYING"
            await do(cup.id, say.Withdraw(), 5)
            assert await coins(w, 5, ESCROW) == [200, 80]
            await later(w, 10_001)
            assert (await w.contests.find("tournament", cup.id)).state.state == "running"
            if format != "arena":
                with pytest.raises(HallError):
                    await do(cup.id, say.Enter(), 5)
            await w.kill()
        # The hall comes back after the first round should have been paired: it is paired now.
        clock.time += 120_000
        async with town(tmp_path, clock, names, PEOPLE) as w:
            running = await played(w, cup.id)
            state = running.state
            assert state.state == "finished"
            first = [place.no for place in state.places if place.place == 1]
            assert [state.entrant(no).users for no in first] == [(1,)]
            assert await coins(w, 1, ESCROW) == [200 - 20 + 48, 0]
            assert sum(await coins(w, 1, 2, 3, 4)) == 4 * 200 - 80 + 48 + 16
            (row,) = await w.contests.lines("tournament", over=True, most=1)
            assert row[1]["winners"] == [1]
            await agrees(w)

    run(case())


def test_who_does_not_come_loses_and_the_others_go_on(tmp_path: Path) -> None:
    async def case() -> None:
        async with town(tmp_path, Jumping(), Names(), PEOPLE) as w:
            given = form("sections", section_size=8)
            cup = await w.contests.make("tournament", lambda id: say.Make(id=str(id), form=given), 1)
            for user in range(1, 5):
                await w.contests.do("tournament", cup.id, say.Enter(), user)
            await w.people[4].hang_up()
            await later(w, 10_001)
            for _ in range(40):
                running = await w.contests.find("tournament", cup.id)
                if running.kind.over(running.state):
                    break
                for game in running.kind.games(running.state):
                    if game.table is None or 4 in game.users:
                        continue
                    if w.table(game.table).playing:
                        loser = max(user for user in game.users if user is not None)
                        await resign(w.people[loser], game.table)
                await later(w, 61_000)
            running = await w.contests.find("tournament", cup.id)
            assert running.state.state == "finished"
            rows = running.kind.public(running.state, None, w.clock.now()).stages[0].sections[0].rows
            assert [(row.no, row.score) for row in rows] == [(1, 3.0), (2, 2.0), (3, 1.0), (4, 0.0)]

    run(case())
