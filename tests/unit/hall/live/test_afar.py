"""A copy of a table on another node: when it begins to show, and what its lines see when it cannot go on."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.hall.world import Person, World, quick, run, world

from qipai.hall.live import afar, books, showing
from qipai.hall.live.last_rows import Rows, rows_since
from qipai.hall.live.recovery import Loaded, load
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.store import Unwritten

ROOM = Room(1, "xiangqi", "friendly", tables=4)


async def playing(w: World) -> tuple[Person, Person, int]:
    """Return two people whose lines another node carries, in the middle of a game."""
    w.beside()
    red, black = await w.person(20), await w.person(21)
    table, _seat = await w.hall.creation.play(red.user, "xiangqi", level="easy")
    await red.join(table)
    await black.join(table)
    await w.jump(10_000)
    return red, black, table


async def moved(w: World, person: Person, table: int, count: int = 1) -> None:
    for _ in range(count):
        while not (person.shown[table]["ask"] and person.shown[table]["legal"]):
            await w.jump(1000)
        shown = person.shown[table]
        await person.done(commands.Act(person.cid(), table, shown["legal"]["list"][0], shown["ask"]["id"]))


def whole(w: World, person: Person, table: int) -> bool:
    """Tell whether somebody draws the position that stands there."""
    live = w.hall.runner.tables[table]
    channel = live.listeners[person.session]
    now = msgspec.json.decode(msgspec.json.encode(w.hall.audience.snapshot(live, channel, person.session.user_id)))
    return bool(person.shown[table]["view"] == now["view"] and person.shown[table]["seq"] == now["seq"])


def test_when_a_copy_does_not_fit_its_lines_are_shown_the_whole_table(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, ROOM, config=quick()) as w:
            red, black, table = await playing(w)
            await moved(w, red, table, 3)
            node = w.neighbour
            assert node is not None
            assert node.shows(table)
            told = node.told
            copy = node.follower._copies[table]
            assert copy.found is not None
            copy.found.table = msgspec.structs.replace(copy.found.table, rows=copy.found.table.rows + 1)
            await moved(w, red, table)
            assert node.lost == [table]
            assert node.told == told  # until it has a new copy
            assert whole(w, red, table)
            assert whole(w, black, table)
            await moved(w, red, table, 3)  # the hall shows it, and then the node again
            assert node.shows(table)
            assert whole(w, red, table)
            assert whole(w, black, table)

    run(test())


def test_while_a_copy_is_read_the_hall_shows_the_table(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, ROOM, config=quick()) as w:
            node = w.beside()
            rows, go = node.follower._rows, asyncio.Event()

            async def slowly(table: int, known: Loaded | None) -> Rows:
                found = await rows(table, known)
                await go.wait()
                return found

            node.follower._rows = slowly
            node.follower._spawn = later = _Later()
            red = await w.person(20)
            table, _seat = await w.hall.creation.play(red.user, "xiangqi", level="easy")
            await red.join(table)
            await w.jump(10_000)
            await moved(w, red, table, 3)
            assert (node.told, node.tables) == (0, set())
            go.set()
            await later.done()
            assert node.tables == {table}  # the moves that came meanwhile fit
            await moved(w, red, table, 2)
            assert node.told > 0
            assert whole(w, red, table)
            await red.say(commands.Leave(table))
            other = await w.person(22)
            await other.join(table)
            await red.join(table)
            await red.hang_up()
            await other.hang_up()
            await w.jump(1000)
            assert len(node.follower) in (0, 1)

    run(test())


def test_a_copy_outlives_the_node_that_fed_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, ROOM, config=quick()) as w:
            red, black, table = await playing(w)
            await moved(w, red, table, 3)
            node, live = w.neighbour, w.hall.runner.tables[table]
            assert node is not None
            rows, read = node.follower._rows, list[tuple[int, bool]]()

            async def noted(table: int, known: Loaded | None) -> Rows:
                found = await rows(table, known)
                read.append((len(found.rows), found.known is not None))
                return found

            node.follower._rows = noted
            for kept in (True, False):
                node.follower.clear()  # as if the node that led were lost, and another one led
                node.tables.clear()
                live.afar, live.placed = None, 0
                if not kept:  # as after a minute
                    node.follower._kept.clear()
                await moved(w, red, table, 3)
                assert node.shows(table)
                [(count, known)] = read
                read.clear()
                assert known is kept
                assert (count < 3) is kept  # what has happened since it was lost
                assert whole(w, red, table)
                assert whole(w, black, table)
            assert len(node.follower._kept) == 0

    run(test())


def test_a_node_has_a_new_copy_of_a_table_that_it_does_not_show(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def test() -> None:
        async with world(tmp_path, ROOM, config=quick()) as w:
            red, _black, table = await playing(w)
            node, live = w.neighbour, w.hall.runner.tables[table]
            assert node is not None
            monkeypatch.setattr(w.hall.runner.showing.placing, "choose", lambda *_: None)  # the hall shows it
            await moved(w, red, table, 3)
            assert not node.shows(table)
            follower = node.follower
            await w.jump(showing.SPARED_MS)
            await moved(w, red, table)
            assert table in follower._kept
            rows, read = follower._rows, list[tuple[int, bool]]()

            async def noted(table: int, known: Loaded | None) -> Rows:
                found = await rows(table, known)
                read.append((len(found.rows), found.known is not None))
                return found

            follower._rows = noted
            for known in (True, True, False):
                if not known:
                    follower._kept.clear()
                await w.jump(showing.SPARED_MS)
                await moved(w, red, table)
                [(count, went_on)] = read
                read.clear()
                assert went_on is known
                assert (count < 8) is known  # what has happened since
                [(copy, _at)] = follower._kept.values()
                assert copy.table.rows <= live.table.rows
            # What it has is where another hall begins.
            await moved(w, red, table, 3)
            old = follower.kept(table)
            assert old is not None
            found = (await w.store.read(partial(rows_since, table=table, known=old))).load(table)
            assert found.table == live.table
            assert follower.kept(table) is None
            # What nobody asks for goes.
            follower.keep(table)
            await w.jump(0)
            assert table in follower._kept
            monkeypatch.setattr(afar, "_now", lambda: asyncio.get_running_loop().time() + afar.KEPT_S)
            follower.keep(table + 1)
            assert table not in follower._kept

    run(test())


class Asked:
    """A node that notes when it is asked to have a copy."""

    def __init__(self) -> None:
        self.tables: list[int] = []

    def keep(self, table: int) -> None:
        self.tables.append(table)


def test_a_node_that_comes_is_asked_to_have_copies_at_once_and_others_now_and_then(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, ROOM, config=quick()) as w:
            red = await w.person(20)
            table, _seat = await w.hall.creation.play(red.user, "xiangqi", level="easy")
            await red.join(table)
            one, other = Asked(), Asked()
            nodes: set[Any] = {one}
            w.hall.runner.showing.nodes = nodes
            w.hall.runner.tables[table].spared = 0  # as if it had just been loaded
            await moved(w, red, table, 2)
            assert one.tables == []  # everybody has more to do now
            await w.jump(showing.LATER_MS)
            await moved(w, red, table, 2)
            assert one.tables == [table]
            nodes.add(other)
            await moved(w, red, table, 2)
            assert (one.tables, other.tables) == ([table], [table])
            await w.jump(showing.SPARED_MS)
            await moved(w, red, table, 2)
            assert (one.tables, other.tables) == ([table] * 2, [table] * 2)
            nodes.discard(one)
            await moved(w, red, table, 2)
            assert (one.tables, other.tables) == ([table] * 2, [table] * 2)

    run(test())


def test_a_table_is_followed_on_when_its_only_person_there_changes_seats(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, ROOM, config=quick()) as w:
            node = w.beside()
            rows, read = node.follower._rows, list[int]()

            async def noted(table: int, known: Loaded | None) -> Rows:
                read.append(table)
                return await rows(table, known)

            node.follower._rows = noted
            red = await w.person(20)
            table, _seat = await w.hall.creation.play(red.user, "xiangqi", level="easy")
            await red.join(table)
            await w.jump(10_000)
            seats = []
            for _ in range(3):
                await moved(w, red, table, 2)
                seats.append(red.shown[table]["you"]["seat"])
                await red.done(commands.Act(red.cid(), table, {"a": "resign"}))
                await red.ready(table)
                await w.jump(10_000)
                assert whole(w, red, table)
            assert len(set(seats)) == 2
            assert read == [table]
            assert node.shows(table)

    run(test())


@pytest.mark.parametrize("wrong", [False, True])
def test_a_hall_loads_a_table_from_a_copy_and_from_its_log_where_that_is_wrong(
    wrong: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with world(tmp_path, ROOM, config=quick()) as w:
            red, _black, table = await playing(w)
            await moved(w, red, table, 3)
            rows = await w.store.read(partial(books.table_rows, table=table))
            copy = load(table, rows[:-2])
            if wrong:
                copy.table = msgspec.structs.replace(copy.table, deal=None)
            runner = w.hall.runner
            before = runner.tables.pop(table).table
            copies = {table: copy}
            runner.cache.kept = lambda id: copies.pop(id, None)
            found = await runner.cache.find(table)
            assert found is not None
            assert found.table.deal is not None
            assert before.deal is not None
            assert (found.table.rows, found.table.seqs) == (before.rows, before.seqs)
            assert found.table.deal.rows == before.deal.rows
            assert ("cannot be read" in caplog.text) is wrong

    run(test())


class _Later:
    """Runs tasks beside the hall, which does not wait for them."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []

    def __call__(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.get_running_loop().create_task(work))

    async def done(self) -> None:
        await asyncio.gather(*self._tasks)


@pytest.mark.parametrize("wrong", ["gone", "empty", "unreadable"])
def test_what_cannot_be_read_is_not_followed(wrong: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with world(tmp_path, ROOM, config=quick()) as w:
            node = w.beside()

            async def nothing(table: int, known: Loaded | None) -> Any:
                if wrong == "gone":
                    raise Unwritten("gone")
                return Rows([] if wrong == "empty" else [object()], {})  # type: ignore[list-item]

            node.follower._rows = nothing
            red = await w.person(20)
            table, _seat = await w.hall.creation.play(red.user, "xiangqi", level="easy")
            await red.join(table)
            await w.jump(10_000)
            await moved(w, red, table, 2)
            assert node.told == 0
            assert set(node.lost) == {table}
            assert whole(w, red, table)
            assert ("cannot be copied" in caplog.text) is (wrong == "unreadable")

    run(test())


def test_a_copy_that_nothing_fits_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(afar, "PATIENCE", 2)

    async def test() -> None:
        async with world(tmp_path, ROOM, config=quick()) as w:
            node = w.beside()
            rows = node.follower._rows

            async def too_few(table: int, known: Loaded | None) -> Rows:
                return Rows((await rows(table, known)).rows[:3], {})

            node.follower._rows = too_few
            red = await w.person(20)
            table, _seat = await w.hall.creation.play(red.user, "xiangqi", level="easy")
            await red.join(table)
            await w.jump(10_000)
            await moved(w, red, table, 4)
            assert node.lost
            assert node.told == 0
            assert whole(w, red, table)

    run(test())


async def beside_the_node(w: World) -> tuple[Person, Person, int]:
    """Return a player whose line another node carries, somebody who watches on a line of the hall, and their table."""
    here = await w.person(21)
    w.beside()
    red = await w.person(20)
    table, _seat = await w.hall.creation.play(red.user, "xiangqi", level="easy")
    await red.join(table)
    await here.join(table)
    await w.jump(10_000)
    await moved(w, red, table, 3)
    return red, here, table


def kinds(person: Person, start: int) -> list[str]:
    return [message["t"] for message in person.got[start:]]


def test_what_the_hall_sends_waits_for_what_a_node_has_yet_to_return(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, ROOM, config=quick()) as w:
            red, here, table = await beside_the_node(w)
            node = w.neighbour
            assert node is not None
            assert node.shows(table)
            node.due = lambda table: None  # type: ignore[method-assign]  # it takes its time
            start, red_start = len(here.got), len(red.got)
            await moved(w, red, table)
            assert "ev" in kinds(red, red_start)  # its own lines see the move at once
            here.session.say({"t": "first"})
            assert kinds(here, start) == []
            w.hall.runner.showing.counted(w.hall.runner.tables[table])
            await red.done(commands.Act(red.cid(), table, {"a": "resign"}))
            here.session.say({"t": "second"})
            assert kinds(here, start) == []
            while here.session.waits:
                node.give_back(table)
            found = kinds(here, start)
            first, second = found.index("first"), found.index("second")
            assert found == ["ev"] * first + ["first", "count"] + ["ev"] * (second - first - 2) + ["second"]
            assert 0 < first < second - 2
            assert whole(w, here, table)
            here.session.say({"t": "third"})
            assert kinds(here, start)[-1] == "third"

    run(test())


@pytest.mark.parametrize("closed", [False, True])
def test_who_waits_for_a_node_that_is_lost_is_shown_the_whole_table_and_what_they_missed(
    closed: bool, tmp_path: Path
) -> None:
    async def test() -> None:
        async with world(tmp_path, ROOM, config=quick()) as w:
            red, here, table = await beside_the_node(w)
            node = w.neighbour
            assert node is not None
            node.due = lambda table: None  # type: ignore[method-assign]
            heard = here.shown[table]["seq"]
            await moved(w, red, table, 2)
            here.session.say({"t": "first"})
            start = len(here.got)
            if closed:
                here.session.close(4001)
                assert kinds(here, start) == ["first"]  # what was sent is not kept back
                assert here.closed == 4001
                node.give_back(table)
                assert not here.session.waits
                return
            node.lose(table)
            assert kinds(here, start)[:2] == ["first", "snapshot"]
            snapshot = here.of("snapshot")[-1]
            assert [one["seq"] for one in snapshot["missed"]] == [*range(heard + 1, snapshot["seq"] + 1)]
            assert [event["e"] for one in snapshot["missed"] for event in one["told"]] == ["moved"] * 4  # and the bot's
            for person in (red, here):
                assert whole(w, person, table)
            node.due = node.give_back  # type: ignore[method-assign]
            await moved(w, red, table, 3)
            assert node.shows(table)
            for person in (red, here):
                assert whole(w, person, table)

    run(test())
