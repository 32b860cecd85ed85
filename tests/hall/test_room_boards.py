"""Rooms of shared deals: everybody meets each board once, sees nothing of it before, and compares after (P-94)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.hall.contests.test_duplicates import hidden, plays
from tests.hall.test_rebuild import built_anew
from tests.hall.world import Jumping, Names, Person, Repeated, World, run, world

from qipai.core.rng import commitment
from qipai.hall.live import books
from qipai.hall.records.replay import verify
from qipai.hall.rooms.room_boards import OPEN_MS
from qipai.hall.rooms.rooms import Room, checked
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError

ROOM = Room(1, "doudizhu", "friendly", duplicate=True, board_tables=3)
PLAIN = Room(2, "doudizhu", "friendly")


async def begins(w: World, person: Person, table: int = 101) -> Any:
    """Let somebody sit down in seat 0 with bots, and begin; return the deal."""
    if w.hall.runner.tables.get(table) is None or w.table(table).seat_of(person.user.id) is None:
        await person.sit(table, 0)
        for seat in (1, 2):
            await person.fill(table, seat, "steady")
    await person.ready(table)
    return w.table(table).deal


@asynccontextmanager
async def again(tmp_path: Path, clock: Jumping, names: Names, ids: int) -> AsyncIterator[World]:
    """Open the hall again; names of games are drawn from this number on, as none is drawn twice."""
    luck = Repeated()
    luck.ids = count(ids)
    async with world(tmp_path, ROOM, clock=clock, names=names, luck=luck) as w:
        yield w


async def board_of(w: World, no: int) -> tuple[Any, list[Any], Any]:
    found: tuple[Any, list[Any], Any] = await w.hall.room_boards.board(1, no)
    return found


def test_each_person_meets_each_board_once(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, ROOM, PLAIN) as w:
            ann, bob, eve = [await w.person(10 + n) for n in range(3)]
            first = await begins(w, ann)
            assert (first.board_no, first.no, first.client_seeds) == (1, 1, ())
            assert ann.shown[101]["game"]["board_no"] == 1
            assert ann.shown[101]["info"]["duplicate"]
            hands = first.state.hands
            await plays(w, ann, 101)
            assert ann.shown[101]["result"]["server_seed"] is None
            # The next deal at the table is the next board, and a match of its own.
            second = await begins(w, ann)
            assert (second.board_no, second.no, second.carry) == (2, 1, first.carry)
            assert w.table(101).match.points == ()
            # Another has met none yet, and gets what Ann had first; together they get one that is new to both.
            other = await begins(w, bob, 102)
            assert (other.board, other.board_no, other.state.hands) == (first.board, 1, hands)
            await plays(w, bob, 102, last=True)
            await plays(w, ann, 101)
            await ann.done(commands.Stand(ann.cid(), 101))
            await bob.done(commands.Stand(bob.cid(), 102))
            await ann.sit(103, 0)
            await bob.sit(103, 1)
            await ann.fill(103, 2, "steady")
            await ann.ready(103)
            await bob.ready(103)
            assert w.table(103).deal.board_no == 3
            assert await built_anew(w) == []
            # A private table in another room has luck of its own.
            table, _key = await w.hall.creation.make(eve.user, "doudizhu", room=2, private=True)
            assert w.table(table).setting.duplicate is False

    run(case())


def test_tables_that_begin_in_one_instant_do_not_take_one_board_for_one_person(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, ROOM) as w:
            ann, bob = await w.person(10), await w.person(11)
            for person, tables in ((ann, (101, 102)), (bob, (103,))):
                for table in tables:
                    await person.sit(table, 0)
                    for seat in (1, 2):
                        await person.fill(table, seat, "steady")
            await asyncio.gather(
                *(
                    w.hall.dispatch.handle(one.session, commands.Ready(one.cid(), table, True))
                    for one, table in ((ann, 101), (ann, 102), (bob, 103))
                )
            )
            await w.rest()
            numbers = {table: w.table(table).deal.board_no for table in (101, 102, 103)}
            assert sorted((numbers[101], numbers[102])) == [1, 2]
            assert numbers[103] == 1

    run(case())


def test_a_board_is_closed_to_who_has_not_played_it_and_opened_after_its_last_table(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, ROOM, PLAIN) as w:
            people = [await w.person(10 + n) for n in range(4)]
            ann, bob, eve, dan = people
            await begins(w, ann)
            # Nobody watches, nobody sits down where it lies on the table, nobody asks a bot.
            await eve.join(101)
            assert eve.got[-1]["code"] == "WATCH_FORBIDDEN"
            with pytest.raises(HallError) as watching:
                await w.hall.audience.watch(101)
            assert watching.value.code == "WATCH_FORBIDDEN"
            with pytest.raises(HallError) as advice:
                await w.hall.adviser.advise(ann.user, 101)
            assert advice.value.facts == {"case": "advice"}
            assert await ann.refused(commands.Offer(ann.cid(), 101, "stop")) == "NOT_ALLOWED"
            await plays(w, ann, 101)
            await ann.fill(101, 2, None)
            answer = await eve.say(commands.Sit(eve.cid(), 101, 2))
            assert (answer["code"], answer["facts"]) == ("GAME_RUNNING", {"case": "board"})
            await eve.join(101)
            assert eve.got[-1]["code"] == "WATCH_FORBIDDEN"
            await w.jump(31_000)  # nobody goes on: the cards are taken off the table
            await eve.join(101)
            assert eve.shown[101]["view"] is eve.shown[101]["result"] is None
            await eve.sit(101, 2)
            await eve.done(commands.Stand(eve.cid(), 101))
            await begins(w, bob, 102)
            await plays(w, bob, 102, last=True)
            board, seats, drawn = await board_of(w, 1)
            assert (board.opened, board.tables, board.playing, drawn.opened) == (False, 2, 0, False)
            games = sorted({one.game for one in seats})
            # What others are shown of their players' results has not moved either.
            counts = [
                [each.friendly.won + each.friendly.lost for each in await w.hall.history.careers(10, viewer)]
                for viewer in (11, 12, None)
            ]
            assert counts == [[1], [0], [0]]
            for game in games:
                assert [await hidden(w, game, viewer) for viewer in (10, 11, 12, None)] == [False, False, True, True]
                assert verify(await w.store.read(partial(books.game_rows, id=game))) is None
            # The third table is the last: with its end the board is opened, and whoever has played it is told.
            await begins(w, eve, 103)
            assert (await begins(w, dan, 104)).board_no == 2
            await plays(w, eve, 103)
            board, seats, drawn = await board_of(w, 1)
            assert (board.opened, board.tables) == (True, 3)
            assert commitment(bytes.fromhex(drawn.server_seed)) == drawn.commitment
            assert [await hidden(w, game, viewer) for game in games for viewer in (13, None)] == [False] * 4
            notes = [
                [(each["ref"], each["facts"]) for each in one.of("note") if each["kind"] == "contest"] for one in people
            ]
            assert notes == [[("room:1", {"what": "opened", "game": "doudizhu", "no": 1})]] * 3 + [[]]
            sql = "SELECT seat, sum(percent), sum(difference) FROM board_seats GROUP BY seat ORDER BY seat"
            shares = await w.store.read(lambda db: db.execute(sql).fetchall())
            assert shares == [(seat, pytest.approx(150), pytest.approx(0)) for seat in range(3)]
            top, mine = await w.hall.room_boards.standings(1, 10, 50)
            assert top == []  # too few boards to be ranked by
            assert mine is not None
            assert (mine.rank, mine.user, mine.boards) == (None, 10, 1)
            assert await built_anew(w) == []

    run(case())


def test_who_leaves_gets_what_the_bot_makes_of_it(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, ROOM) as w:
            ann = await w.person(10)
            await begins(w, ann)
            await ann.done(commands.Stand(ann.cid(), 101, confirm=True))
            for _ in range(200):
                await w.jump(2000)
            _board, seats, _drawn = await board_of(w, 1)
            assert [(one.user, one.bot, one.gone, one.over) for one in seats] == [
                (10, None, True, True),
                (None, "steady", False, True),
                (None, "steady", False, True),
            ]
            assert sum(one.points for one in seats) == 0
            assert await built_anew(w) == []

    run(case())


def test_a_board_is_opened_a_day_after_its_first_table_through_kills(tmp_path: Path) -> None:
    async def case() -> None:
        clock, names = Jumping(), Names()
        async with world(tmp_path, ROOM, clock=clock, names=names) as w:
            ann, bob = await w.person(10), await w.person(11)
            await begins(w, ann)
            await plays(w, ann, 101)
            # A board is drawn for another table, and the hall dies before the deal is created.
            await bob.sit(102, 0)
            await ann.done(commands.Stand(ann.cid(), 101))
            await ann.sit(102, 1)
            await bob.fill(102, 2, "steady")
            await ann.ready(102)

            async def killed(*_command: Any) -> Any:
                raise RuntimeError

            w.hall.runner.ask = killed  # type: ignore[method-assign, assignment]
            await w.hall.dispatch.handle(bob.session, commands.Ready(bob.cid(), 102, True))
            await w.rest()
            assert w.table(102).state == "open"
            await w.kill()
        async with again(tmp_path, clock, names, 100) as w:
            board, seats, _drawn = await board_of(w, 2)
            assert (board.tables, board.until(3), seats) == (0, None, [])
            ann, bob = await w.person(10), await w.person(11)
            await ann.join(102)  # both were ready
            assert w.table(102).deal.board_no == 2  # it is sealed, and nobody has met it
            await w.kill()  # while it is played
        async with again(tmp_path, clock, names, 200) as w:
            clock.time += OPEN_MS + 1000
            await w.kill()  # down while the boards became too old
        async with again(tmp_path, clock, names, 300) as w:
            assert (await board_of(w, 1))[0].opened
            second = (await board_of(w, 2))[0]
            assert (second.opened, second.playing) == (False, 1)
            assert await built_anew(w) == []
            eve = await w.person(12)
            assert (await begins(w, eve, 103)).board_no == 3  # the second takes no more tables
            for person in [await w.person(id) for id in (10, 11)]:
                await person.join(102)
                await person.done(commands.Stand(person.cid(), 102, confirm=True))
            for _ in range(200):
                await w.jump(2000)
            assert (await board_of(w, 2))[0].opened
            assert not (await board_of(w, 3))[0].opened
            await w.jump(OPEN_MS)
            assert (await board_of(w, 3))[0].opened
            assert await built_anew(w) == []

    run(case())


def test_all_tables_of_such_a_room_play_alike(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, ROOM, PLAIN) as w:
            ann = await w.person(10)
            guest, program = await w.person(20, kind="guest"), await w.person(21, kind="bot")
            for person, code in ((guest, "SIGN_IN"), (program, "NOT_ALLOWED")):
                assert await person.refused(commands.Sit(person.cid(), 101, 0)) == code
            await ann.sit(101, 0)
            for command in (
                commands.Fill(ann.cid(), 101, 1, "easy"),
                commands.Set(ann.cid(), 101, options={"watchers": True}),
                commands.Set(ann.cid(), 101, options={"bid": "rob"}),
                commands.Set(ann.cid(), 101, clock={"type": "none"}),
            ):
                answer = await ann.say(command)
                assert (answer["code"], answer["facts"].get("case")) in (
                    ("NOT_ALLOWED", "duplicate"),
                    ("BAD_OPTION", None),
                ), command
            await ann.done(commands.Set(ann.cid(), 101, options={"password": "abc"}))
            with pytest.raises(HallError) as own:
                await w.hall.creation.make(ann.user, "doudizhu", room=1, clock={"type": "none"})
            assert own.value.facts == {"case": "duplicate"}
            table, key = await w.hall.creation.make(ann.user, "doudizhu", room=1, private=True)
            assert (w.table(table).setting.duplicate, key is not None) == (True, True)
            quick, _seat = await w.hall.creation.play(ann.user, "doudizhu")
            assert not w.table(quick).setting.duplicate

    run(case())


def test_which_rooms_can_have_shared_deals() -> None:
    assert checked(ROOM).terms.watchers is False
    for room, wrong in (
        (Room(1, "xiangqi", "friendly", duplicate=True), {"field": "duplicate"}),
        (Room(1, "gouji", "coin", duplicate=True), {"field": "kind"}),
        (Room(1, "backgammon", "score", duplicate=True, clock={"type": "days", "days": 3}), {"field": "clock"}),
        (Room(1, "lianliankan", "friendly", duplicate=True, options={"daily": "2026-01-01"}), {"field": "daily"}),
        (Room(1, "gouji", "score", duplicate=True, board_tables=1), {"field": "board_tables"}),
    ):
        with pytest.raises(HallError) as refused:
            checked(room)
        assert (refused.value.code, refused.value.facts) == ("BAD_OPTION", wrong)
    for game in ("gouji", "baohuang", "shengji", "mahjong", "backgammon", "doudizhu", "lianliankan"):
        assert len({checked(Room(1, game, "score", duplicate=True)).size(no) for no in range(1, 9)}) == 1
