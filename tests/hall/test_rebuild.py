"""Projections are made from the log and can be made again (platform P-108); a finished game proves itself (P-90)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_snatch import play_on, three
from tests.hall.test_xiangqi import move, opening, two
from tests.hall.world import World, run, world

from qipai.hall.records.rebuild import fingerprints, rebuild
from qipai.hall.records.replay import verify
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.stored import data_of

pytestmark = pytest.mark.usefixtures("snatch")
BOOKS = ("tables", "games", "ends", "parts", "scores", "credibility")


async def books_of(w: World) -> dict[str, list[Any]]:
    return await w.store.read(
        lambda db: {name: db.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in BOOKS}
    )


async def built_anew(w: World) -> list[str]:
    """Make the projections anew, and return which of them were not as the log says."""
    before = await w.store.read(fingerprints)
    await rebuild(w.store)
    after = await w.store.read(fingerprints)
    return [name for name in before if before[name] != after[name]]


def test_books_made_again_are_the_same(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(
            tmp_path, Room(1, "snatch", "score", seats=3), Room(2, "xiangqi", "score"), Room(3, "xiangqi", "friendly")
        ) as w:
            people = await three(w)
            await play_on(w, people)
            pair = await two(w, 201)
            await move(pair[0], 201, "h2e2")
            await pair[1].done(commands.Stand("s1", 201, confirm=True))
            await pair[0].ready(201)
            table, _key = await w.hall.creation.make(pair[0].user, "xiangqi", private=True)
            await pair[0].sit(table, 1)
            before = await books_of(w)
            assert all(before.values())
            assert await rebuild(w.store) == 3
            assert await books_of(w) == before

    run(test())


def test_a_table_is_found_as_its_log_says_whatever_happens_there(tmp_path: Path) -> None:
    """After each step of a game with luck, of a match, of people who come and go: the rows are those made anew."""

    async def test() -> None:
        async with world(
            tmp_path,
            Room(1, "snatch", "score", seats=3),
            Room(2, "backgammon", "friendly"),
            Room(3, "xiangqi", "friendly"),
        ) as w:
            people = await three(w)
            assert w.table(101).state == "playing"
            assert await built_anew(w) == []
            ann, bob = await w.person(20), await w.person(21)
            await ann.sit(201, 0)
            assert await built_anew(w) == []
            await bob.sit(201, 1)
            for person in (ann, bob):
                await person.ready(201)
                assert await built_anew(w) == []
            for person in (ann, bob):  # the last seed begins the game, and nothing else happens at the table
                await person.seed(201, "s")
                assert await built_anew(w) == []
            assert w.table(201).state == "playing"
            await bob.hang_up()
            assert await built_anew(w) == []
            await w.jump(60_000)
            assert await built_anew(w) == []
            await people[0].done(commands.Stand("s1", 101, confirm=True))
            assert await built_anew(w) == []
            for days in (1, 0):
                pair = [await w.person(30 + 2 * days), await w.person(31 + 2 * days)]
                table, _key = await w.hall.creation.make(
                    pair[0].user, "xiangqi", clock={"type": "days", "days": 3} if days else None
                )
                for seat, person in enumerate(pair):
                    await person.sit(table, seat)
                    assert await built_anew(w) == []
                for person in pair:
                    await person.ready(table)
                    assert await built_anew(w) == []
                await move(pair[0], table, "h2e2")
                assert await built_anew(w) == []
                await pair[1].done(commands.Stand("s1", table, confirm=True))
                assert await built_anew(w) == []

    run(test())


@pytest.mark.embedded
def test_a_hall_of_before_learns_from_its_log_who_took_part_in_what(tmp_path: Path) -> None:
    """The steps that fill new columns say the same of old games as their end would say today."""

    def step(feature: str, begins: str) -> str:
        text = files(f"qipai.{feature}").joinpath("tables.sql").read_text("utf-8")
        return next(part for part in text.split("-- step ") if part.startswith(begins)).partition("\n")[2]

    async def test() -> None:
        async with world(
            tmp_path, Room(1, "snatch", "score", seats=3), Room(2, "xiangqi", "coin"), Room(3, "xiangqi", "friendly")
        ) as w:
            await play_on(w, await three(w))
            for id in (20, 21):
                await w.hall.ledger.grant(id, "coins", 50, "for the game", by=None, now=w.clock.now())
            for table in (201, 301):
                pair = await two(w, table)
                await opening(*pair, table)  # type: ignore[arg-type, call-arg]
                await pair[1].done(commands.Stand(f"s{table}", table, confirm=True))
                await pair[0].done(commands.Stand(f"t{table}", table))
            old = sqlite3.connect(":memory:")
            with closing(sqlite3.connect(w.path)) as file:
                file.backup(old)
            old.execute("UPDATE transfers SET reason = 'game' WHERE reason = 'quit'")  # as halls of before have it
            wanted = [old.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in ("parts", "transfers")]
            assert {row[4] is None for row in wanted[0]} == {True}
            assert {row[9] for row in wanted[0]} >= {1, -1}
            assert {row[-1] for row in wanted[1]} == {None, "xiangqi"}
            old.executescript(step("hall", "6"))
            old.executescript(step("hall", "17"))
            old.execute("ALTER TABLE transfers DROP COLUMN game")
            old.executescript(step("ledger", "4"))
            found = [old.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in ("parts", "transfers")]
            assert found == wanted
            old.close()

    run(test())


def test_a_log_that_was_tampered_with_contradicts_itself(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", "score", seats=3)) as w:
            people = await three(w)
            await play_on(w, people)
            from msgspec.structs import replace

            from qipai.hall.live import books

            game = people[0].shown[101]["game"]["game_id"]
            rows = await w.store.read(lambda db: books.game_rows(db, game))
            assert verify(rows) is None
            assert verify(rows[:-1]) == "not finished"
            ended = replace(rows[-1], what=replace(rows[-1].what, points=(9, -4, -5)))
            assert "the actions give" in str(verify([*rows[:-1], ended]))
            seed = replace(rows[-1], what=replace(rows[-1].what, server_seed="00" * 32))
            assert "committed to" in str(verify([*rows[:-1], seed]))
            dealt = rows[2].secret
            assert dealt is not None
            assert data_of(rows[2].what) == b"{}"  # nobody but the server read it before the end
            other = replace(rows[2], secret=replace(dealt, action={"a": "deal", "hands": [[1], [2], [3]]}))
            assert "not what the seeds give" in str(verify([*rows[:2], other, *rows[3:]]))
            assert verify([row for row in rows if row.seq != 4]) is not None

    run(test())
