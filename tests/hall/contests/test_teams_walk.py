"""The team half of platform walk W13: captains, line-ups, four boards of two games, at real tables, with a kill."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.hall.contests.test_live import later, resign
from tests.hall.contests.test_walks import agrees, town
from tests.hall.world import START, Jumping, Names, World, run

from qipai.contests import books
from qipai.contests.contract import Cancel, GameTerms
from qipai.contests.live import Running
from qipai.contests.teams import commands as say
from qipai.contests.teams.form import TeamsForm
from qipai.contests.teams.kind import TeamsKind
from qipai.hall.table.errors import HallError

PEOPLE = 10
TERMS = GameTerms("xiangqi", clock={"type": "fischer", "base": 300, "inc": 5}, rated=False)
FORM = TeamsForm("Spring cup", TERMS, boards=4, least=2, starts_at=START + 60_000, forfeit_s=120)
# Who loses the first game of a pair, and the second; whose opponent never comes is not here.
LOSERS = {(2, 6): (6, 6), (1, 7): (7, 1), (3, 8): (3, 3)}


async def do(w: World, id: int, command: Any, user: int) -> Running:
    return await w.contests.do("teams", id, command, user)


async def teams(w: World, form: TeamsForm = FORM) -> int:
    """Announce a tournament with a team of 1 to 5, and one of 6 to 9, who are invited by 1 and 6 and agree."""
    cup = await w.contests.make("teams", lambda id: say.MakeTeams(id=str(id), form=form), 10)
    for no, (captain, *members) in enumerate(((1, 2, 3, 4, 5), (6, 7, 8, 9)), 1):
        await do(w, cup.id, say.Found(name=f"Team{no}"), captain)
        for user in members:
            await do(w, cup.id, say.Invite(user=user), captain)
            await do(w, cup.id, say.Accept(team=no), user)
    return cup.id


async def played(w: World, id: int, most: int) -> int:
    """End so many games that are going on, as LOSERS has it; return how many there were."""
    running, count = await w.contests.find("teams", id), 0
    for game in running.kind.games(running.state):
        first, second = sorted(user for user in game.users if user is not None)
        if game.table is not None and w.table(game.table).playing and count < most:
            await resign(w.people[LOSERS[first, second][int(game.id[-1]) - 1]], game.table)
            count += 1
    await w.rest()
    return count


async def from_the_log(w: World, id: int) -> tuple[list[float], dict[str, int]]:
    """Return the sums of both teams, and how often games ended for which reason, from nothing but the rows."""
    rows = await w.store.read(lambda db: books.rows(db, f"teams:{id}"))
    ended = [row.data for row in rows if row.type == "teams.game_ended"]
    assert len({row["game"] for row in ended}) == len(ended) == 8, "each game ends once"
    sums = [sum(row["score"][team] for row in ended) / 2 for team in (0, 1)]
    return sums, dict(Counter(row["why"] for row in ended))


def test_w13_team_match(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def case() -> None:
        clock, names = Jumping(), Names()
        async with town(tmp_path, clock, names, PEOPLE) as w:
            id = await teams(w)
            # The captain's order: 2 before 1, and the substitute 5 for 4, who is last.
            await do(w, id, say.LineUp(users=(2, 1, 3, 5, 4)), 1)
            with pytest.raises(HallError) as rank:
                await do(w, id, say.LineUp(users=(1, 2, 3, 4, 5)), 2)
            assert rank.value.code == "RANK_TOO_LOW"
            await w.people[9].hang_up()
            await later(w, 60_001)
            running = await w.contests.find("teams", id)
            boards = [board.users for match in running.state.stage.matches for board in match.boards]
            assert boards == [(2, 6), (1, 7), (3, 8), (5, 9)]
            told = {user for user in range(1, 10) if any(_is_table(note) for note in w.people[user].of("note"))}
            assert told == {1, 2, 3, 5, 6, 7, 8}, "who plays hears of the table; the substitute does not"
            assert await played(w, id, 2) == 2
            await w.kill()
        # The hall comes back: what was over stays so, the third board's first game goes on, second games follow.
        clock.time += 5_000
        async with town(tmp_path, clock, names, PEOPLE) as w:
            await w.people[9].hang_up()
            for _ in range(12):
                running = await w.contests.find("teams", id)
                if running.kind.over(running.state):
                    break
                for game in running.kind.games(running.state):
                    for user in game.users:
                        if game.table is not None and w.table(game.table).state == "open" and user != 9:
                            assert user is not None
                            await w.people[user].join(game.table)
                            await w.people[user].ready(game.table)
                await played(w, id, 8)
                await later(w, 61_000)
            running = await w.contests.find("teams", id)
            assert running.state.state == "finished"
            page = TeamsKind().public(running.state, None)
            (section,) = page.sections
            (match,) = section.matches
            assert [board.score for board in match.boards] == [(1.0, 0.0), (0.5, 0.5), (0.0, 1.0), (1.0, 0.0)]
            assert [game.why for game in match.boards[3].games] == ["absent", "absent"]
            assert all(game.game_id for board in match.boards[:3] for game in board.games), "each has its replay"
            sums, why = await from_the_log(w, id)
            assert match.board_points == tuple(sums) == (2.5, 1.5)
            assert why == {"abandon": 6, "absent": 2}
            assert [(row.team, row.match_points, row.board_points) for row in section.table] == [
                (1, 2, 2.5),
                (2, 0, 1.5),
            ]
            assert [(one.team, one.rank) for one in page.placed] == [(1, 1), (2, 2)]
            (row,) = await w.contests.lines("teams", over=True, most=1)
            assert row[1]["winners"] == ["Team1"]
            assert not [each for each in caplog.records if each.levelname == "ERROR"], "no table was opened twice"
            await agrees(w)

    run(case())


def _is_table(note: Any) -> bool:
    return note["kind"] == "contest" and "table" in note["facts"]


def test_a_team_that_withdraws_or_a_cancelled_tournament_leaves_no_table_open(tmp_path: Path) -> None:
    async def case() -> None:
        form = TeamsForm("Spring cup", TERMS, boards=2, least=2, most=2, pause_s=10)
        async with town(tmp_path, Jumping(), Names(), PEOPLE) as w:
            for end in ("withdraw", "banned", "cancel"):
                cup = await w.contests.make("teams", lambda id: say.MakeTeams(id=str(id), form=form), 10)
                for no, (captain, member) in enumerate(((1, 2), (6, 7)), 1):
                    await do(w, cup.id, say.Found(name=f"Team{no}"), captain)
                    await do(w, cup.id, say.Invite(user=member), captain)
                    await do(w, cup.id, say.Accept(team=no), member)
                await later(w, 10_001)
                running = await w.contests.find("teams", cup.id)
                tables = [game.table for game in running.kind.games(running.state)]
                assert len(tables) == 2
                assert all(table is not None and w.table(table).playing for table in tables)
                if end == "withdraw":
                    await do(w, cup.id, say.Withdraw(), 6)
                elif end == "banned":
                    for user in (6, 7, 7):
                        await w.contests.gone(user, "banned")
                else:
                    await do(w, cup.id, Cancel(moderator=True), 10)
                await w.rest()
                running = await w.contests.find("teams", cup.id)
                assert running.state.state == ("cancelled" if end == "cancel" else "finished")
                assert [one.rank for one in running.state.placed] == ([] if end == "cancel" else [1, 2])
                open_ = set(tables) & set(w.hall.runner.tables)
                assert not any(w.table(table).playing for table in open_ if table is not None)
            await agrees(w)

    run(case())
