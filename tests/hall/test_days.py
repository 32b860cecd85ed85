"""Turn-based games (P-24): days for a move, tables that sleep, deadlines that outlive the hall."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.hall.world import Jumping, Names, Person, World, quick, run, world

from qipai.hall.live import books
from qipai.hall.records.rebuild import rebuild
from qipai.hall.rooms.invitations import Asked
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError

ROOMS = (
    Room(1, "xiangqi", "friendly"),
    Room(2, "xiangqi", "score"),
    Room(3, "gouji", "friendly"),
    Room(4, "backgammon", "friendly"),
    Room(5, "lianliankan", "friendly"),
)
DAY = 86_400_000
DAYS = {"type": "days", "days": 3}


def user(person: Person) -> Any:
    assert person.user is not None
    return person.user


async def later(w: World, ms: int) -> None:
    """Let time pass at once, and what is due after it happen; the hall's mark of each second is left out."""
    w.clock.time += ms
    await w.jump(0)


async def game(w: World, ann: Person, bob: Person, **more: Any) -> int:
    """Begin a turn-based game by invitation; Ann has the first move."""
    asked = Asked("xiangqi", **{"clock": DAYS, "colour": "mine", "to": user(bob).id, **more})
    letter = await w.hall.invitations.invite(user(ann), asked, None)
    table, _seat = await w.hall.invitations.accept(user(bob), letter.id, None)
    await w.rest()
    return table


@asynccontextmanager
async def begun(
    tmp_path: Path, clock: Jumping | None = None, names: Names | None = None, **more: Any
) -> AsyncIterator[tuple[World, Person, Person, int]]:
    """Open a hall where Ann and Bob have begun a turn-based game."""
    async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
        ann, bob = await w.person(20), await w.person(21)
        yield w, ann, bob, await game(w, ann, bob, **more)


async def asleep(w: World, table: int, *people: Person) -> None:
    """Let those who are there go, and then a table leave memory."""
    for person in people:
        await person.hang_up()
    await later(w, 700_000)
    assert table not in w.hall.runner.tables


def move(text: str) -> Any:
    return {"a": "move", "m": text}


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        (Asked("gouji", clock=DAYS), "clock"),
        (Asked("lianliankan", clock=DAYS, seats=2), "clock"),
        (Asked("xiangqi", clock={"type": "days", "days": 0}), "clock"),
        (Asked("xiangqi", clock={"type": "days", "days": 31}), "clock"),
        (Asked("xiangqi", clock={"type": "days", "days": 1.5}), "clock"),
        (Asked("xiangqi", clock={"type": "days"}), "clock"),
    ],
)
def test_days_are_for_two_who_play_by_turns(tmp_path: Path, asked: Asked, field: str) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(20)
            with pytest.raises(HallError) as wrong:
                await w.hall.invitations.invite(user(ann), asked, None)
            assert (wrong.value.code, wrong.value.facts) == ("BAD_OPTION", {"field": field})
            await w.hall.invitations.invite(user(ann), Asked("backgammon", clock={"type": "days", "days": 30}), None)

    run(test())


def test_a_room_s_own_table_is_for_those_who_are_there(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(20)
            await ann.sit(101, 0)
            answer = await ann.say(commands.Set("s1", 101, clock=DAYS))
            assert (answer["code"], answer["facts"]) == ("BAD_OPTION", {"field": "clock"})
            table, _key = await w.hall.creation.make(user(ann), "xiangqi")
            await ann.sit(table, 0)
            await ann.done(commands.Set("s2", table, clock=DAYS))
            assert w.table(table).turn_based

    run(test())


def test_a_lost_line_is_nothing_and_the_table_sleeps_until_somebody_comes(tmp_path: Path) -> None:
    async def test() -> None:
        async with begun(tmp_path) as (w, ann, bob, table):
            await ann.join(table)
            await ann.act(table, move("h2e2"))
            await ann.hang_up()
            await bob.hang_up()
            await later(w, DAY)
            await asleep(w, table)
            assert table in w.hall.people.seated(20)
            assert w.hall.people.at(user(ann)) == ()
            bob = await w.person(21)
            assert w.hall.notes.counts(21)["turns"] == 1
            rows = await w.hall.people.turns(user(bob))
            assert [(row.table, row.turn, row.turn_based) for row in rows] == [(table, True, True)]
            assert table not in w.hall.runner.tables  # to be told so it need not be awake
            shown = await bob.join(table)
            assert (shown["you"]["seat"], shown["info"]["state"]) == (1, "playing")
            assert all(seat["presence"] == "online" for seat in shown["seats"])
            await bob.act(table, move("h9g7"))
            assert w.hall.notes.counts(20)["turns"] == 1

    run(test())


@pytest.mark.parametrize("sleeps", [True, False])
def test_who_takes_longer_than_his_days_has_lost(tmp_path: Path, sleeps: bool) -> None:
    async def test() -> None:
        async with begun(tmp_path, rated=True) as (w, ann, bob, table):
            await ann.join(table)
            await bob.join(table)
            for who, text in ((ann, "h2e2"), (bob, "h9g7"), (ann, "h0g2"), (bob, "i9h9")):
                await later(w, DAY)
                await who.act(table, move(text))
            began = w.clock.time
            if sleeps:
                await asleep(w, table, ann, bob)
            await later(w, began + 3 * DAY - w.clock.time)  # exactly what there is is in time
            if not sleeps:
                assert w.table(table).playing
            await later(w, 600_000)
            result = w.table(table).deal.result
            assert (result.why, result.points) == ("timeout", (-2, 2))
            assert [paid.score for paid in result.paid] == [-2, 2]

    run(test())


def test_a_move_that_comes_too_late_finds_the_game_lost(tmp_path: Path) -> None:
    async def test() -> None:
        async with begun(tmp_path) as (w, ann, bob, table):
            await asleep(w, table, ann, bob)
            w.clock.time += 3 * DAY  # no sweep has come by yet
            ann = await w.person(20)
            await ann.join(table)
            assert await ann.refused(commands.Act("late", table, move("h2e2"))) == "NO_GAME"
            assert w.table(table).deal.result.why == "timeout"

    run(test())


@pytest.mark.parametrize("dies", [True, False])
def test_while_the_hall_is_down_no_days_pass(tmp_path: Path, dies: bool) -> None:
    async def test() -> None:
        clock, names = Jumping(), Names()
        async with begun(tmp_path, clock, names) as (w, ann, bob, table):
            await asleep(w, table, ann, bob)
            await later(w, 2 * DAY)
            if dies:
                await w.kill()
        clock.time += 5 * DAY
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            assert table not in w.hall.runner.tables  # and the hall need not read it to know
            slow = w.hall.correspondence.find(table)
            assert slow is not None
            assert slow.until is not None
            due = slow.until - clock.time
            assert DAY - 800_000 <= due <= DAY - 600_000  # what was left when the hall went down, to the minute
            ann = await w.person(20)
            shown = await ann.join(table)
            assert due <= shown["clocks"]["left"][0] <= due + 60_000
            await ann.act(table, move("h2e2"))

    run(test())


def test_a_deadline_of_a_hall_that_was_down_falls_after_it_is_up_again(tmp_path: Path) -> None:
    async def test() -> None:
        clock, names = Jumping(), Names()
        async with begun(tmp_path, clock, names) as (w, ann, bob, table):
            await asleep(w, table, ann, bob)
        for _ in range(3):  # and each time that it was down counts
            clock.time += 2 * DAY
            async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
                assert w.hall.correspondence.find(table) is not None
                assert w.hall.finder.playing(table)
                await later(w, 600_000)
                assert table not in w.hall.runner.tables
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            await later(w, 3 * DAY)
            assert w.table(table).deal.result.why == "timeout"

    run(test())


def test_somebody_has_many_turn_based_games_and_sits_at_a_live_table(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS, config=quick(members={"pawn_games": 2})) as w:
            ann, bob, eve = [await w.person(id) for id in (20, 21, 22)]
            one, two = [await game(w, ann, bob) for _ in range(2)]
            await ann.sit(101, 0)
            assert w.hall.people.at(user(ann)) == (101,)
            with pytest.raises(HallError) as wrong:
                await game(w, ann, eve)
            assert (wrong.value.code, wrong.value.facts) == ("TOO_MANY_GAMES", {"most": 2})
            letter = await w.hall.invitations.invite(user(eve), Asked("xiangqi", clock=DAYS), None)
            with pytest.raises(HallError, match="TOO_MANY_GAMES"):
                await w.hall.invitations.accept(user(bob), letter.id, None)
            table, _key = await w.hall.creation.make(user(eve), "xiangqi", clock=DAYS)
            answer = await bob.say(commands.Sit("s1", table, 0))
            assert (answer["code"], answer["facts"]) == ("TOO_MANY_GAMES", {"most": 2})
            await bob.sit(102, 0)  # a live one he may have
            assert {who: list(found) for who, found in w.hall.correspondence.opponents(20).items()} == {21: [one, two]}
            # Signing out gives up the live seat alone: the others wait.
            await w.hall.sign_out.quit_all(user(ann), confirm=True)
            await w.rest()
            assert w.hall.people.seated(20) == (one, two)
            with pytest.raises(HallError, match="CONFIRM_QUIT"):
                await w.hall.sign_out.quit_all(user(ann), confirm=False, for_good=True)
            await w.hall.sign_out.quit_all(user(ann), confirm=True, for_good=True)
            await w.rest()
            assert [w.table(table).deal.result.why for table in (one, two)] == ["abandon", "abandon"]

    run(test())


def test_a_table_waits_for_an_opponent_but_not_for_ever(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(20), await w.person(21)
            one, _key = await w.hall.creation.make(user(ann), "xiangqi", clock=DAYS, private=True)
            two, _key = await w.hall.creation.make(user(ann), "xiangqi", clock=DAYS)
            for table in (one, two):
                await ann.sit(table, 0)
                await ann.ready(table)
            await ann.hang_up()
            await asleep(w, two)
            await later(w, 5 * DAY)
            await bob.sit(two, 1)
            await later(w, 120_000)  # he may take his time: nobody is stood up for it
            await bob.ready(two)
            assert w.table(two).playing
            await later(w, 10 * DAY)
            await later(w, 3_600_000)
            assert w.hall.correspondence.find(one) is None
            assert one not in w.hall.people.seated(20)

    run(test())


def test_the_next_game_may_be_asked_for_as_long_as_a_move_may_take(tmp_path: Path) -> None:
    async def test() -> None:
        async with begun(tmp_path) as (w, ann, bob, table):
            await ann.join(table)
            await ann.act(table, {"a": "resign"})
            await ann.ready(table)
            await asleep(w, table, ann, bob)
            await later(w, 2 * DAY)
            bob = await w.person(21)
            await bob.join(table)
            await bob.ready(table)
            assert w.table(table).playing
            assert w.table(table).deal.no == 1
            await bob.act(table, {"a": "resign"})
            await bob.hang_up()
            await later(w, 3 * DAY)
            await later(w, 700_000)
            assert w.hall.people.seated(20) == w.hall.people.seated(21) == ()
            await later(w, 700_000)
            row = await w.store.read(
                lambda db: db.execute("SELECT state FROM tables WHERE id = ?", (table,)).fetchone()
            )
            assert row == ("closed",)

    run(test())


def test_both_who_look_see_that_they_are_there(tmp_path: Path) -> None:
    async def test() -> None:
        async with begun(tmp_path) as (_w, ann, bob, table):
            assert (await ann.join(table))["here"] == [0]
            assert (await bob.join(table))["here"] == [0, 1]
            assert ann.of("count")[-1]["here"] == [0, 1]
            await ann.act(table, move("h2e2"))
            assert bob.told(table)[-1]["e"] == "moved"  # without asking again
            await bob.say(commands.Leave(table))
            assert ann.of("count")[-1]["here"] == [0]
            await bob.join(table)
            assert ann.of("count")[-1]["here"] == [0, 1]
            await bob.hang_up()
            assert ann.of("count")[-1]["here"] == [0]

    run(test())


def test_the_other_is_called_to_play_on_at_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob, eve = [await w.person(id) for id in (20, 21, 22)]
            table = await game(w, ann, bob)
            assert w.hall.invitations.call(user(ann), table)
            assert bob.of("note")[-1]["facts"] == {"from": "p20", "game": "xiangqi", "table": table, "live": True}
            with pytest.raises(HallError, match="NOT_SEATED"):
                w.hall.invitations.call(user(eve), table)
            await bob.hang_up()
            assert not w.hall.invitations.call(user(ann), table)
            await w.hall.ties.block(21, 20, 0)
            with pytest.raises(HallError, match="BLOCKED"):
                w.hall.invitations.call(user(ann), table)

    run(test())


def test_a_room_s_map_and_the_books_know_the_tables_that_sleep(tmp_path: Path) -> None:
    async def test() -> None:
        clock, names = Jumping(), Names()
        async with begun(tmp_path, clock, names, rated=True) as (w, _ann, _bob, table):
            before = await w.hall.lobby.snapshot(2)
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            assert table not in w.hall.runner.tables
            assert (await w.hall.lobby.snapshot(2)).tables == before.tables
            assert [playing for info, _people, playing in await w.hall.lobby.rooms() if info.room == 2] == [1]
            kept = await w.store.read(_tables)
            await rebuild(w.store)
            assert await w.store.read(_tables) == kept
            assert await w.store.read(books.asleep)

    run(test())


def test_a_table_that_sleeps_is_in_the_books_alone_and_nobody_hears_it_wake(tmp_path: Path) -> None:
    async def test() -> None:
        async with begun(tmp_path) as (w, ann, bob, table):
            room = w.table(table).setting.room
            eve = await w.person(22)
            await eve.say(commands.Enter(room))
            await ann.join(table)
            await ann.act(table, move("h2e2"))
            before = await w.hall.lobby.snapshot(room)
            seen = w.hall.correspondence.of(20), w.hall.correspondence.of(21), w.hall.people.seated(21)
            assert list(seen[0]) == [table]
            await asleep(w, table, ann, bob)
            assert not w.hall.correspondence._awake
            assert not w.hall.seating._sits
            assert table not in w.hall.lobby._rows
            assert not w.hall.lobby._made[room]
            shown = await w.hall.lobby.snapshot(room)
            assert [row for row in shown.tables if row.table == table] == [
                msgspec.structs.replace(row, watchers=0) for row in before.tables if row.table == table
            ]
            assert (w.hall.correspondence.of(20), w.hall.correspondence.of(21), w.hall.people.seated(21)) == seen
            async with w.hall.lobby.number(room) as no:
                assert no == w.hall.rooms[room].tables + 2
            told = len(eve.got)
            await w.hall.finder.find(table)
            await w.rest()
            assert table in w.hall.runner.tables
            assert eve.got[told:] == []
            assert (w.hall.correspondence.of(20), w.hall.correspondence.of(21), w.hall.people.seated(21)) == seen
            assert await w.hall.lobby.snapshot(room) == shown

    run(test())


@pytest.mark.embedded
def test_the_books_find_tables_that_sleep_by_an_index(tmp_path: Path) -> None:
    questions = (
        lambda db: books.asleep(db),
        lambda db: books.turn_based_of(db, 1),
        lambda db: books.turn_based_by(db, 20),
        lambda db: books.turn_based_due(db, 1, 1),
        lambda db: books.turn_based_in(db, "xiangqi", 1),
        lambda db: books.turn_based_playing(db, [1]),
        lambda db: books.in_use(db),
        lambda db: books.games_in_use(db),
        lambda db: books.free_number(db, 1, 24),
    )

    def plans(db: Any) -> list[str]:
        found: list[str] = []
        for question in questions:
            asked: list[str] = []
            db.set_trace_callback(asked.append)
            question(db)
            db.set_trace_callback(None)
            found += [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {asked[0]}")]
        return [step for step in found if " tables" in step]

    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            steps = await w.store.read(plans)
            assert len(steps) >= len(questions)
            assert [step for step in steps if " USING " not in step] == []

    run(test())


def test_people_are_paired_for_days_with_those_who_want_as_many(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob, eve = [await w.person(id) for id in (20, 21, 22)]
            meet = w.hall.invitations
            assert await meet.wait(user(ann), "xiangqi", None, 3) is None
            assert await meet.wait(user(eve), "xiangqi", None) is None
            found = await meet.wait(user(bob), "xiangqi", None, 3)
            await w.rest()
            assert found is not None
            assert w.table(found[0]).clock == DAYS
            assert w.table(found[0]).playing
            with pytest.raises(HallError, match="BAD_OPTION"):
                await meet.wait(user(eve), "gouji", None, 3)

    run(test())


def test_vacation_is_taken_an_hour_at_a_time_for_all_games(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS, config=quick(members={"pawn_vacation": 2})) as w:
            wants = w.wishes.resting
            wants.add(20)
            ann, bob = await w.person(20), await w.person(21)
            one = await game(w, ann, bob)
            await later(w, 300_000)
            two = await game(w, ann, bob)
            his = await game(w, bob, ann)  # there Bob is to move, and he wants no vacation
            await asleep(w, one, ann, bob)
            before = {id: w.hall.correspondence.find(id) for id in (one, two, his)}
            await later(w, 3 * DAY - 900_000)
            await later(w, 600_000)
            hour = 3_600_000
            for id, hours in ((one, 1), (two, 1), (his, 0)):
                was, now = before[id], w.hall.correspondence.find(id)
                assert was is not None
                assert was.until is not None
                if hours:
                    assert now is not None
                    assert now.until == was.until + hours * hour
            assert w.table(his).deal.result.why == "timeout"
            assert await w.hall.correspondence.vacation(20) == 1
            await later(w, hour)
            assert await w.hall.correspondence.vacation(20) == 0
            assert w.hall.finder.playing(one)
            assert w.hall.finder.playing(two)
            await later(w, 2 * hour)
            for id in (one, two):
                assert w.table(id).deal.result.why == "timeout"
            # The log tells it all again.
            kept = await w.store.read(_rested)
            assert kept == [(20, 2026, 2)]
            await rebuild(w.store)
            assert await w.store.read(_rested) == kept

    run(test())


def test_a_late_move_is_played_in_the_hour_of_vacation(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(20), await w.person(21)
            w.wishes.resting.add(20)
            table = await game(w, ann, bob)
            await asleep(w, table, ann, bob)
            w.clock.time += 3 * DAY
            ann = await w.person(20)
            await ann.join(table)
            await ann.act(table, move("h2e2"))
            assert await w.hall.correspondence.vacation(20) == 239

    run(test())


def _rested(db: Any) -> Any:
    return db.execute("SELECT * FROM vacations ORDER BY user, year").fetchall()


def _tables(db: Any) -> Any:
    return db.execute("SELECT * FROM tables ORDER BY id").fetchall()
