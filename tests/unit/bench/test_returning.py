"""Who comes back does it as a client's page does, and notices what was kept from them."""

from __future__ import annotations

import asyncio
import random
import re
import time
from pathlib import Path

import pytest

from qipai.bench import returning
from qipai.bench.players import Board
from qipai.bench.returning import Game, Seat

PAGE = Path(__file__).parents[3] / "client/src/net/socket.ts"
TIMES = {
    "QUIET_MS": returning.QUIET_S,
    "CALM_MS": returning.CALM_S,
    "PONG_MS": returning.OPEN_S,
    "QUICK_MS": returning.QUICK_S,
    "DOUBT_MS": returning.DOUBT_S,
    "NEXT_MS": returning.NEXT_S,
    "SOON": returning.SOON / 1000,
    "LOST_MS": returning.LOST_S,
    "BUSY_MS": returning.BUSY_S,
    "FIRST_WAIT_MS": returning.FIRST_S,
    "MOST_WAIT_MS": returning.MOST_S,
}


def test_the_times_are_those_of_the_page() -> None:
    consts = re.findall(r"^const (\w+) = ([\d_]+);", PAGE.read_text("utf-8"), re.M)
    page = {name: int(number) for name, number in consts}
    assert {name: page.get(name) for name in TIMES} == {name: round(1000 * time) for name, time in TIMES.items()}


class Wire:
    """A line that notes what is said."""

    lost, code, received = False, 0, 0

    def __init__(self) -> None:
        self.said: list[bytes] = []

    def send(self, text: bytes) -> None:
        self.said.append(text)
        self.received = int(b"hello" in text)

    def close(self) -> None:
        self.lost = True


class Proxy:
    """What sends people first to nodes that stand still, and then to one that answers."""

    def __init__(self, still: int) -> None:
        self.still, self.line, self.asked = still, Wire(), 0

    async def reach(self, _heard: object) -> Wire:
        self.asked += 1
        if self.asked <= self.still:
            await asyncio.Event().wait()
        return self.line


def told(seat: Seat, wire: Wire, text: str) -> None:
    seat.heard(wire, text.encode())  # type: ignore[arg-type]


def snapshot(seq: int, missed: str) -> str:
    return f'{{"t":"snapshot","ch":"5.0","seq":{seq},"missed":{missed},"you":{{"seat":0,"owner":true}}}}'


def test_who_is_refused_to_be_ready_is_so_again() -> None:
    async def test() -> list[bytes]:
        seat, wire = Seat(Game(3, {}), Board(5), "token"), Wire()
        seat.line = wire  # type: ignore[assignment]
        told(seat, wire, '{"t":"ev","ch":"5.0","seq":8,"info":{"state":"between"}}')
        told(seat, wire, '{"t":"err","cid":"r1","re":"ready","code":"BUSY","facts":{},"table":5}')
        while len(wire.said) < 2:
            await asyncio.sleep(0.01)
        between = snapshot(8, "[]").replace('"ch"', '"info":{"state":"between"},"ch"')
        told(seat, wire, between)
        return wire.said

    first, look, again = asyncio.run(test())
    assert first == b'{"t":"ready","cid":"r1","table":5,"on":true}'
    assert look.startswith(b'{"t":"join","table":5')
    assert again == b'{"t":"ready","cid":"r2","table":5,"on":true}'


def test_who_is_not_told_how_the_table_is_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(returning, "BUSY_S", 0.01)

    async def test() -> list[bytes]:
        seat, wire = Seat(Game(3, {}), Board(5), "token"), Wire()
        seat.line = wire  # type: ignore[assignment]
        told(seat, wire, '{"t":"err","cid":null,"re":"join","code":"BUSY","facts":{"case":"gone"},"table":5}')
        while not wire.said:
            await asyncio.sleep(0.01)
        return wire.said

    assert asyncio.run(test()) == [b'{"t":"join","table":5}']


def test_a_player_notices_what_they_were_not_told_or_was_taken_back() -> None:
    seat, wire = Seat(Game(2, {}), Board(5), "token"), Wire()
    seat.line = wire  # type: ignore[assignment]
    told(seat, wire, snapshot(7, "null"))
    told(seat, wire, '{"t":"ev","ch":"5.0","seq":8}')
    told(seat, wire, snapshot(9, '[{"seq":9}]'))
    told(seat, wire, snapshot(9, "[]"))
    assert len(seat.game.missed) == 0
    told(seat, wire, '{"t":"ev","ch":"5.0","seq":11}')
    assert len(seat.game.missed) == 1
    told(seat, wire, snapshot(13, '[{"seq":13}]'))  # 12 was not said
    assert len(seat.game.missed) == 2
    told(seat, wire, snapshot(12, "null"))  # 13 was shown, and is not there
    assert len(seat.game.missed) == 3
    seat.look()
    assert wire.said == [b'{"t":"join","table":5,"ch":"5.0","after":12}']


def test_an_action_without_an_answer_is_kept_and_nothing_else_is_done_before() -> None:
    playing = Game(2, {})
    playing.acked = set()
    playing.go()
    seat, wire = Seat(playing, Board(5), "token"), Wire()
    seat.line = wire  # type: ignore[assignment]
    told(
        seat, wire, '{"t":"ev","ch":"","seq":1,"ask":{"id":3,"kind":"move"},"legal":{"list":[{"a":"x"}],"more":false}}'
    )
    [said] = wire.said
    assert seat.pending == said
    told(
        seat, wire, '{"t":"ev","ch":"","seq":2,"ask":{"id":4,"kind":"move"},"legal":{"list":[{"a":"y"}],"more":false}}'
    )
    assert wire.said == [said]
    assert seat.late
    told(seat, wire, '{"t":"ev","ch":"","seq":3,"info":{"state":"between"}}')  # it agrees to go on, by another cid
    assert seat.pending == said
    assert playing.acked == set()


def test_who_comes_to_a_node_that_stands_still_goes_on_at_the_next_and_says_the_move_again() -> None:
    async def main() -> None:
        seat, old, proxy = Seat(Game(2, {}), Board(5), "token"), Wire(), Proxy(still=2)
        seat.line = old  # type: ignore[assignment]
        seat.pending = b"a move"
        assert not seat.doubts(time.monotonic())
        seat.heard_at = seat.pinged = seat.heard_at - 2 * returning.QUIET_S
        now = time.monotonic()
        seat.ping(now)
        assert [old.said, seat.doubts(now), seat.doubts(now + 1)] == [[b'{"t":"ping","n":1}'], False, True]
        assert await seat.come_back(proxy, random.Random(1))  # type: ignore[arg-type]
        assert seat.line is proxy.line  # type: ignore[comparison-overlap]
        assert proxy.asked == 3
        assert old.lost
        assert [text[:10] for text in proxy.line.said] == [b'{"t":"hell', b'{"t":"join', b"a move"]

    asyncio.run(main())


def test_a_line_that_speaks_again_is_kept() -> None:
    async def main() -> None:
        seat, old, proxy = Seat(Game(2, {}), Board(5), "token"), Wire(), Proxy(still=9)
        seat.line = old  # type: ignore[assignment]
        seat.heard_at = seat.pinged = seat.heard_at - 2 * returning.QUIET_S
        seat.ping(time.monotonic())
        told_again = asyncio.get_running_loop().call_later(0.05, told, seat, old, '{"t":"pong","n":1}')
        assert not await seat.come_back(proxy, random.Random(1))  # type: ignore[arg-type]
        assert told_again.when() <= asyncio.get_running_loop().time()
        assert [seat.line is old, old.lost] == [True, False]  # type: ignore[comparison-overlap]

    asyncio.run(main())
