"""The disk does not take what happens at a table: it is refused in bounded time, and nothing of it is half done."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_xiangqi import move, two
from tests.hall.world import Person, World, run, world

from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.store import Unwritten, writer

SHORT = {"type": "stages", "stages": [{"s": 9, "moves": 0}], "carry": True}
ROOMS = (
    Room(1, "xiangqi", "score", clock=SHORT),
    Room(2, "xiangqi", "score"),
    Room(3, "xiangqi", "friendly"),
)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PATIENCE_S", "SHORT_S", "PROBE_S"):
        monkeypatch.setattr(writer, name, 0.05)


@contextmanager
def locked(w: World) -> Iterator[None]:
    """Let another process hold the file."""
    with closing(sqlite3.connect(w.path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("ROLLBACK")


async def answered(person: Person, command: Any) -> Any:
    """Give a command and return its answer, without waiting for all that follows it."""
    start = len(person.got)
    await person.world.hall.dispatch.handle(person.session, command)
    while True:
        for message in person.got[start:]:
            if message.get("cid") == command.cid:
                return message
        await asyncio.sleep(0.01)


@pytest.mark.embedded
def test_a_move_that_cannot_be_written_is_refused_and_the_board_stands(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            red, black = await two(w, 101)
            await move(red, 101, "h2e2")
            await w.jump(2000)
            before, seen = w.table(101), len(black.got)
            act = commands.Act("b1", 101, {"a": "move", "m": "h7e7"}, black.shown[101]["ask"]["id"])
            with locked(w):
                err = await answered(black, act)
                assert (err["code"], err["facts"]) == ("BUSY", {"case": "locked"})
                assert w.table(101) is before
                assert black.got[seen:] == [err]
                await w.jump(10_000)  # longer than the clock of either; it is tried again and again
                assert black.got[seen:] == [err]
            await until(lambda: w.store.health().writes)
            await w.jump(1000)
            assert (await black.say(act))["t"] == "ack"  # the same command, sent again
            assert black.shown[101]["info"]["state"] == "playing"
            assert black.shown[101]["clocks"]["left"] == [9000, 7000]  # nobody has paid for what the disk did
            assert red.shown[101]["view"]["fen"] == black.shown[101]["view"]["fen"]

    run(test())


@contextmanager
def unheard(w: World) -> Iterator[None]:
    """Let nobody learn that commits were done."""
    carried = w.store._carried

    def lost(group: list[writer.Job]) -> None:
        carried(group)
        for job in group:
            job.failed = Unwritten("gone")

    w.store._carried = lost  # type: ignore[method-assign]
    yield
    w.store._carried = carried  # type: ignore[method-assign]


def test_what_was_written_though_nobody_learns_of_it_is_shown_before_all_else(tmp_path: Path) -> None:
    """A row of the table itself does not keep out the next one of its deal, which gives the time back."""

    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            red, black = await two(w, 201)
            await move(red, 201, "h2e2")
            seen, before = len(black.got), black.shown[201]["seq"]
            with unheard(w):
                await red.hang_up()
                await w.jump(100)
            act = commands.Act("b1", 201, {"a": "move", "m": "h7e7"}, black.shown[201]["ask"]["id"])
            await w.jump(10_000)
            assert [message["t"] for message in black.got[seen:]] == ["rejoin"]
            await black.join(201, ch=black.shown[201]["ch"], after=before)
            (first, *_) = black.of("snapshot")[-1]["missed"]
            assert (first["seq"], [told["e"] for told in first["told"]]) == (before + 1, ["table.presence"])
            assert (await black.say(act))["t"] == "ack"
            red = await w.person(20)
            await red.join(201)
            assert red.shown[201]["view"]["fen"] == black.shown[201]["view"]["fen"]
            await move(red, 201, "h0g2")
            await w.check()

    run(test())


@pytest.mark.embedded  # the file is locked
@pytest.mark.parametrize("stands", [True, False])
def test_a_move_of_which_nobody_learns_what_became_is_made_once(stands: bool, tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            red, black = await two(w, 201)
            await move(red, 201, "h2e2")
            act = commands.Act("b1", 201, {"a": "move", "m": "h7e7"}, black.shown[201]["ask"]["id"])
            with unheard(w) if stands else locked(w):
                err = await answered(black, act)
            assert err["code"] == "BUSY"
            await until(lambda: w.store.health().writes)
            await w.jump(5000)
            assert bool(black.of("rejoin")) is stands
            await black.join(201)
            assert (black.shown[201]["view"]["fen"].split()[1] == "w") is stands
            assert (await black.say(act))["t"] == "ack"
            assert black.shown[201]["view"]["fen"].split()[1] == "w"
            assert red.shown[201]["view"]["fen"].split()[1] == ("b" if stands else "w")  # asked to join again
            await w.check()

    run(test())


def test_a_move_made_long_ago_is_not_refused_when_repeated_while_the_log_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            red, black = await two(w, 201)
            first = commands.Act("r1", 201, {"a": "move", "m": "h2e2"}, red.shown[201]["ask"]["id"])
            assert (await red.say(first))["t"] == "ack"
            for who, text in ((black, "h9g7"), (red, "h0g2"), (black, "b9c7")):  # a table remembers the last commands
                await move(who, 201, text)

            def gone(_work: Any) -> asyncio.Future[Any]:
                future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
                future.set_exception(Unwritten("gone"))
                return future

            with monkeypatch.context() as patched:
                patched.setattr(w.store, "read", gone)
                err = await answered(red, first)
                assert (err["t"], err["code"], err["facts"]) == ("err", "BUSY", {"case": "gone"})
            assert (await red.say(first))["t"] == "ack"

    run(test())


@pytest.mark.embedded
def test_what_the_house_has_to_do_is_done_when_the_disk_takes_it(tmp_path: Path) -> None:
    """A lost line, a bot's move, the next deal: nobody gives those again."""

    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            red, black = await two(w, 201)
            ann = await w.person(30)
            await ann.sit(301, 0)
            await ann.fill(301, 1)
            await ann.ready(301)
            with locked(w):
                await red.hang_up()
                await w.jump(3000)
                assert w.table(201).chairs[0].presence == "online"
                assert (await answered(ann, act_of(ann, 301, "h2e2")))["code"] == "BUSY"
            await until(lambda: w.store.health().writes)
            await w.jump(2000)
            assert black.shown[201]["seats"][0]["presence"] == "grace"
            await move(ann, 301, "h2e2")
            with locked(w):
                await w.jump(3000)
            await until(lambda: w.store.health().writes)
            await w.jump(2000)
            assert ann.shown[301]["ask"] is not None  # its bot has moved

    run(test())


def test_a_hall_whose_disk_takes_nothing_stops_when_it_is_told_to(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            red, _black = await two(w, 101)
            w.dead = True  # what is in memory is not compared with the log
            with locked(w):
                writing = asyncio.ensure_future(answered(red, act_of(red, 101, "h2e2")))
                await asyncio.sleep(0)
                await w.stop()
            writing.cancel()

    run(test())


def act_of(person: Person, table: int, text: str) -> commands.Act:
    return commands.Act(person.cid(), table, {"a": "move", "m": text}, person.shown[table]["ask"]["id"])


async def until(done: Callable[[], bool]) -> None:
    while not done():
        await asyncio.sleep(0.01)
