"""What a node that carries lines shows of tables comes back to who leads, and what becomes of it where it does not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.unit.web.nodes.test_carrier import Hall, carries, until
from tests.unit.web.nodes.test_door import Node

from qipai.hall.live.afar import Made, Promise
from qipai.hall.live.recovery import Said
from qipai.web.nodes import carried, trunk
from qipai.web.nodes.carried import Carried, Carrying
from qipai.web.nodes.carrier import Carrier


def test_a_line_that_is_gone_is_told_so_once() -> None:
    async def main() -> None:
        way = Carrying(None, "n:1", set(), alike=True, elsewhere=lambda _epoch: None)
        one = Carried(way, 1)
        assert (await one.receive())["type"] == "websocket.connect"
        one.gone(carried.LOST)
        one.gone(1000)
        one.said("late")
        assert await one.receive() == {"type": "websocket.disconnect", "code": carried.LOST, "reason": ""}
        assert one.queue.empty()
        assert one.put(b"nobody hears it")

    asyncio.run(main())


class Copies:
    """What stands for the tables that a node shows: it returns what it is told."""

    def __init__(self, carrier: Carrier) -> None:
        self.carrier = carrier
        self.numbers: dict[int, int] = {}
        self.kept: list[int] = []  # steps, while it takes its time

    def follow(self, table: int, number: int, _people: Any) -> None:
        self.numbers[table] = number
        self.carrier.ready_copy(number)

    def step(self, data: bytes) -> Made:
        table, *back = data
        return Made([], [(at, b"%d sees %d" % (at, table)) for at in back], self.numbers[table] if back else 0)

    def forget(self, table: int) -> None:
        self.numbers.pop(table)

    def clear(self) -> None:
        self.numbers.clear()


class Expecting:
    """Who waits for what a node returns."""

    def __init__(self) -> None:
        self.promises: list[Promise] = []
        self.lost: list[tuple[bool, bool]] = []  # whether the node's lines missed something, and whether this one did

    def promised(self, *channels: int) -> dict[int, Promise]:
        found = {}
        for at in channels:
            found[at] = Promise(at, 0, Said(1 << at, ()))
            found[at].expecting.append(self)
            self.promises.append(found[at])
        return found

    def arrived(self) -> None:
        """They are looked at."""

    def ended(self, missed: bool, broken: Any) -> None:
        self.lost.append((missed, self in broken))

    def texts(self) -> list[bytes | None]:
        return [promise.text for promise in self.promises if promise.kept]


def shown(test: Callable[[Carrying, Node, Expecting], Coroutine[Any, Any, None]], tmp_path: Path) -> None:
    """Run a test with a node that shows table 7."""

    async def begun(first: Node, second: Node, _hall: Hall) -> None:
        first.door.carrier.likeness = second.door.carrier.likeness = "alike"
        copies: Any = Copies(second.door.carrier)
        second.door.carrier.follower = copies
        await until(lambda: bool(first.door.trunks))
        (way,) = first.door.trunks
        one = Expecting()
        assert way.takes(7)
        way.follow(7, (), one.ended)
        await until(lambda: way.shows(7))
        await test(way, second, one)

    carries(begun, tmp_path)


def test_what_a_node_makes_of_an_event_comes_back(tmp_path: Path) -> None:
    async def test(way: Carrying, _second: Node, one: Expecting) -> None:
        way.tell(7, bytes((7, 0, 5)), one.promised(0, 5))
        way.tell(7, bytes((7, 3)), one.promised(3))
        way.tell(7, bytes((7,)), {})
        way.tell(7, bytes((7, 1)), one.promised(1, 2))  # it was not to see it after all
        way.forget(7)
        assert not way.shows(7)
        await until(lambda: len(one.texts()) == 5)  # what was told before is still made
        assert one.texts() == [b"0 sees 7", b"5 sees 7", b"3 sees 7", b"1 sees 7", None]
        assert one.lost == []

    shown(test, tmp_path)


@pytest.mark.parametrize("forgotten", [False, True])
def test_who_waits_for_a_node_that_dies_is_told_so(forgotten: bool, tmp_path: Path) -> None:
    async def test(way: Carrying, second: Node, one: Expecting) -> None:
        way.tell(7, bytes((7, 0)), one.promised(0))
        if forgotten:
            way.forget(7)
        second.door.carrier.leave(0)
        await until(lambda: bool(one.lost))
        assert one.lost == [(False, True)]
        assert one.texts() == [None]
        assert not way.takes(8)

    shown(test, tmp_path)


def test_a_node_that_gives_a_table_up_rests_from_it(tmp_path: Path) -> None:
    async def test(way: Carrying, second: Node, one: Expecting) -> None:
        copies: Any = second.door.carrier.follower
        number = copies.numbers[7]
        copies.step = lambda _data: Made()
        way.tell(7, bytes((7, 0)), one.promised(0))
        second.door.carrier.lost_copy(number)
        await until(lambda: bool(one.lost))
        assert one.lost == [(True, True)]
        assert not way.takes(7)
        assert way.takes(8)
        second.door.carrier.ready_copy(number)  # of a copy that is no more
        second.door.carrier.lost_copy(number)
        way.follow(9, (), one.ended)
        await until(lambda: way.shows(9))
        assert not way.shows(7)
        assert len(one.lost) == 1

    shown(test, tmp_path)


def test_a_hall_that_has_stood_still_does_not_blame_another_node(tmp_path: Path) -> None:
    async def test(way: Carrying, second: Node, one: Expecting) -> None:
        copies: Any = second.door.carrier.follower
        copies.step = lambda _data: Made()
        way.tell(7, bytes((7, 0)), one.promised(0))
        assert way._watch is not None
        loop = asyncio.get_running_loop()
        way._watch.cancel()
        way._watch = loop.call_at(loop.time() - 2 * carried.LATE_S, lambda: None)  # what it was to do is overdue
        way._look()
        assert one.lost == []
        assert way._watch is not None

    shown(test, tmp_path)


def test_a_node_that_takes_too_long_shows_no_more_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(carried, "LATE_S", 0.05)

    async def test(way: Carrying, second: Node, one: Expecting) -> None:
        copies: Any = second.door.carrier.follower
        copies.step = lambda _data: Made()
        way.follow(8, (), one.ended)
        way.tell(7, bytes((7, 0)), one.promised(0))
        await until(lambda: len(one.lost) == 2)
        assert sorted(one.lost) == [(False, False), (False, True)]
        assert not way.takes(7)
        assert not way.takes(9)
        await until(lambda: copies.numbers == {})  # it need not go on with them
        second.door.carrier.say(trunk.SHOWN, 1, trunk.parts([(0, b"too late")]))
        monkeypatch.setattr(carried, "REST_S", 0.0)
        assert way.takes(7)
        del copies.step
        way.follow(7, (), one.ended)
        await until(lambda: way.shows(7))
        way.tell(7, bytes((7, 4)), one.promised(4))
        await until(lambda: len(one.texts()) == 2)
        assert one.texts() == [None, b"4 sees 7"]
        assert "takes too long" in caplog.text

    shown(test, tmp_path)
