"""What people find of their games afterwards: matches by the games inside, variants apart, how somebody left (P-75)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hall.test_counts import COIN, give, pair, play
from tests.hall.world import run, world

from qipai.hall.records.history import Tally
from qipai.hall.records.rebuild import rebuild
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands

SERIES = Room(1, "backgammon", "score", options={"games": 3})
OTHER = Room(2, "backgammon", "score", variant="nackgammon")


@pytest.mark.slow
def test_statistics_count_the_games_inside_a_match_and_each_variant_has_its_line(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SERIES, OTHER) as w:
            for table in (101, 201):
                people = await pair(w, table, 20, 21)
                await w.jump(3000)
                for _ in range(4000):
                    if w.table(table).state != "playing":
                        break
                    asked = [p for p in people if p.shown[table]["ask"]]
                    if not asked:
                        await w.jump(1000)
                        continue
                    person = asked[0]
                    listed = person.shown[table]["legal"]["list"]
                    plain = [one for one in listed if one["a"] != "double"]
                    await person.act(table, plain[0], person.shown[table]["ask"]["id"])
                assert w.table(table).state == "between"
                for person in people:
                    await person.done(commands.Stand(person.cid(), table))
            (career,) = await w.hall.history.careers(20)
            assert sum((career.all.won, career.all.lost, career.all.drawn)) == 4
            assert career.variants[""].won + career.variants[""].lost == 3
            assert career.variants["nackgammon"] in (Tally(won=1), Tally(lost=1))
            figures = await w.hall.archive.figures()
            assert {line: sum(ends.values()) for line, ends in figures.ends.items()} == {
                "backgammon": 3,
                "backgammon/nackgammon": 1,
            }
            await rebuild(w.store)
            assert (await w.hall.archive.figures()).ends == figures.ends

    run(test())


def test_a_game_that_was_left_says_so_in_the_list_and_in_the_statement(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, COIN) as w:
            for user in (20, 21):
                await give(w, user, 100)
            ann, bob = await pair(w, 201, 20, 21)
            await play(w, [ann, bob], 201)
            await bob.done(commands.Stand(bob.cid(), 201, confirm=True))
            await w.rest()
            (game,) = await w.hall.history.games(21, game=None, other=None, after=0, most=9)
            assert (game.left, game.table, game.part.coins, game.part.sign) == ("quit", 201, -22, -1)
            (game,) = await w.hall.history.games(20, game=None, other=None, after=0, most=9)
            assert game.left is None
            line = (await w.hall.ledger.statement(21, reason=None, before=None, most=1))[0]
            assert (line.amount, line.reason) == (-22, "quit")
            line = (await w.hall.ledger.statement(20, reason=None, before=None, most=1))[0]
            assert (line.amount, line.reason) == (18, "game")

    run(test())


def test_a_guest_finds_his_games_and_leaves_no_open_tables_behind(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "xiangqi", "friendly")) as w:
            guest = await w.person(30, kind="guest")
            assert guest.user is not None
            table, _seat = await w.hall.creation.play(guest.user, "xiangqi")
            await guest.join(table)
            await guest.act(table, {"a": "resign"})
            await w.rest()
            await guest.say(commands.Leave(table))
            await w.jump(31_000)
            assert w.table(table).state == "open"
            (game,) = await w.hall.history.games(30, game=None, other=None, after=0, most=9)
            assert (game.table, game.part.points) == (table, -2)
            other, _seat = await w.hall.creation.play(guest.user, "xiangqi")
            await w.rest()
            assert w.hall.people.tables_of(guest.user) == (other,)
            assert not guest.stood()

    run(test())
