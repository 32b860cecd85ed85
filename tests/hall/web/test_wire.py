"""The socket's edges: hello, refusals, close codes, limits, strangers' bytes (platform 13.1)."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from tests import deaths
from tests.client import Person, Server
from tests.hall.web.conftest import run
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

HELLO = '{"t":"hello","v":1}'
GONE = (ConnectionClosed, AttributeError)  # websockets may abort a transport that asyncio has just closed


@asynccontextmanager
async def line(server: Server, **more: Any) -> AsyncIterator[ClientConnection]:
    url = f"ws{server.url.removeprefix('http')}/ws"
    with deaths.calm():
        ws = await connect(url, compression=None, ping_interval=None, proxy=None, **more)
        try:
            yield ws
        finally:
            with suppress(*GONE):
                await ws.close()


def narrow(server: Server) -> socket.socket:
    """Return a connection whose system keeps little of what is not read: by itself it would keep megabytes."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    found.connect(("127.0.0.1", server.port))
    found.setblocking(False)
    return found


async def heard(ws: ClientConnection) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(await ws.recv())
    return found


async def closed(ws: ClientConnection) -> int | None:
    """Wait for the end of a line, and return its code."""
    with suppress(ConnectionClosed):
        async for _ in ws:
            pass
    return ws.close_code


# hello


def test_who_says_hello_is_welcome_to_watch(hall: Server) -> None:
    async def visit() -> None:
        async with line(hall) as ws:
            await ws.send('{"t":"hello","v":1,"lang":"zh-CN","client":"test"}')
            welcome = await heard(ws)
            assert welcome["t"] == "welcome"
            assert (welcome["v"], welcome["user"], welcome["tables"]) == (1, None, [])
            assert welcome["limits"]["frame"] == 16384
            assert abs(welcome["now"] - 1000 * welcome["now"] // 1000) < 1000
            await ws.send('{"t":"sit","cid":"q","table":101,"seat":0}')
            assert await heard(ws) == {
                "t": "err", "cid": "q", "re": "sit", "table": 101, "code": "SIGN_IN", "facts": {},
            }  # fmt: skip

    run(visit)


@pytest.mark.parametrize(
    "first",
    ['{"t":"ping","n":1}', '{"t":"join","table":101}', "{", "[]", '{"t":"dance"}', '{"t":7}', ""],
)
def test_another_message_first_is_1008(hall: Server, first: str) -> None:
    async def visit() -> None:
        async with line(hall) as ws:
            await ws.send(first)
            assert await closed(ws) == 1008

    run(visit)


@pytest.mark.parametrize("hello", ['{"t":"hello","v":2}', '{"t":"hello","v":0,"more":[1]}'])
def test_an_unknown_version_is_4002(hall: Server, hello: str) -> None:
    async def visit() -> None:
        async with line(hall) as ws:
            await ws.send(hello)
            assert await closed(ws) == 4002

    run(visit)


@pytest.mark.parametrize(
    ("hello", "field"),
    [
        ('{"t":"hello"}', "v"),
        ('{"t":"hello","v":"1"}', "v"),
        ('{"t":"hello","v":1,"spice":true}', "spice"),
        ('{"t":"hello","v":1,"token":5}', "token"),
    ],
)
def test_a_wrong_hello_is_refused_and_may_be_mended(hall: Server, hello: str, field: str) -> None:
    async def visit() -> None:
        async with line(hall) as ws:
            await ws.send(hello)
            err = await heard(ws)
            assert (err["code"], err["facts"], err["re"], err["cid"]) == (
                "BAD_MESSAGE",
                {"field": field},
                "hello",
                None,
            )
            await ws.send(HELLO)
            assert (await heard(ws))["t"] == "welcome"
            await ws.send(HELLO)
            again = await heard(ws)
            assert (again["code"], again["facts"]) == ("BAD_MESSAGE", {"field": "t"})

    run(visit)


def test_a_login_that_is_unknown_or_has_ended_is_4001(hall: Server) -> None:
    async def visit() -> None:
        async with line(hall) as ws:
            await ws.send('{"t":"hello","v":1,"token":"never-given"}')
            assert await closed(ws) == 4001
        async with line(hall, additional_headers={"Cookie": "qipai=stale"}) as ws:
            await ws.send(HELLO)
            assert await closed(ws) == 4001
        async with Person(hall) as person:
            await person.guest()
            token = (await person.post("/guest", {"token": True}))["token"]
            async with line(hall) as ws:
                await ws.send(json.dumps({"t": "hello", "v": 1, "token": token}))
                assert (await heard(ws))["user"] == person.user
                number = (await person.get("/tokens"))["rows"][0]["id"]
                await person.call("DELETE", f"/tokens/{number}", {})
                assert await heard(ws) == {"t": "bye", "why": "signed_out"}
                assert await closed(ws) == 4001

    run(visit)


def test_a_cookie_counts_on_the_halls_own_pages_alone(hall: Server) -> None:
    async def visit() -> None:
        async with Person(hall) as person:
            await person.guest()
            cookie = {"Cookie": f"qipai={person.http.cookies['qipai']}"}
            for origin, user in [(None, person.user), (hall.url, person.user)]:
                async with line(hall, additional_headers=cookie, origin=origin) as ws:
                    await ws.send(HELLO)
                    assert (await heard(ws))["user"] == user
            for origin in ("https://evil.example", "null", hall.url + "0"):
                async with line(hall, additional_headers=cookie, origin=origin) as ws:
                    await ws.send(HELLO)
                    assert (await heard(ws))["code"] == "BAD_ORIGIN"
                    assert await closed(ws) == 1008
            async with line(hall, origin="https://evil.example") as ws:  # without a login it may watch
                await ws.send(HELLO)
                assert (await heard(ws))["user"] is None

    run(visit)


def test_the_socket_is_at_one_place(hall: Server) -> None:
    async def visit() -> None:
        with pytest.raises(InvalidStatus):
            async with connect(f"ws{hall.url.removeprefix('http')}/elsewhere", proxy=None):
                pass

    run(visit)


@pytest.mark.slow
def test_a_socket_that_says_nothing_is_dropped(tmp_path: Any) -> None:
    async def visit(server: Server) -> None:
        async with line(server) as mute, line(server) as idle:
            await idle.send(HELLO)
            assert (await heard(idle))["t"] == "welcome"
            assert await closed(mute) == 1008
            assert await heard(idle) == {"t": "bye", "why": "idle"}
            assert await closed(idle) == 1000

    with Server(tmp_path, "[limits]\nhello_s = 1\nsilence_s = 2\n[bots]\nworkers = 0\n") as server:
        run(lambda: visit(server))


# frames


def test_a_binary_frame_is_1003(hall: Server) -> None:
    async def visit() -> None:
        for greeted in (False, True):
            async with line(hall) as ws:
                if greeted:
                    await ws.send(HELLO)
                    await heard(ws)
                await ws.send(HELLO.encode())
                assert await closed(ws) == 1003

    run(visit)


def test_a_frame_may_hold_16_kib(hall: Server) -> None:
    async def visit() -> None:
        async with line(hall) as ws:
            frame = json.dumps({"t": "hello", "v": 1, "client": ""})
            await ws.send(frame[:-2] + "x" * (16384 - len(frame)) + frame[-2:])
            assert (await heard(ws))["t"] == "welcome"
            await ws.send("[" + "1," * 8192 + "1]")
            assert await closed(ws) == 1009
        async with line(hall) as ws:  # in pieces, too
            await ws.send(HELLO)
            await heard(ws)
            with suppress(*GONE):
                await ws.send("x" * 6000 for _ in range(400))
            assert await closed(ws) == 1009
        async with line(hall) as ws:  # and though the client goes on sending
            await ws.send(HELLO)
            await heard(ws)
            with suppress(*GONE):
                await ws.send("x" * 5_000_000)
            assert await closed(ws) == 1009

    run(visit)


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        ("{", {"cid": None, "re": None, "facts": {"field": ""}}),
        ('{"t":"dance","cid":"a"}', {"cid": "a", "re": "dance", "facts": {"field": "t"}}),
        ('{"t":"sit","cid":"a","table":"x","seat":1}', {"cid": "a", "re": "sit", "facts": {"field": "table"}}),
        ('{"t":"sit","cid":"a b","table":101,"seat":1}', {"cid": None, "re": "sit", "facts": {"field": "cid"}}),
        ('{"t":"ready","cid":"a","table":101}', {"cid": "a", "re": "ready", "facts": {"field": "on"}}),
        ('{"t":"enter","room":1,"cid":"a"}', {"cid": "a", "re": "enter", "facts": {"field": "cid"}}),
        ('{"t":"say","cid":"a","to":"table:101"}', {"cid": "a", "re": "say", "facts": {"field": "text"}}),
    ],
)
def test_a_wrong_message_is_refused_with_its_field(hall: Server, frame: str, expected: dict[str, Any]) -> None:
    async def visit() -> None:
        async with Person(hall) as person:
            await person.guest()
            await person.line()
            err = await person.answer_to(frame)
            assert err["code"] == "BAD_MESSAGE"
            assert {key: err[key] for key in expected} == expected

    run(visit)


def test_ten_thousand_garbage_frames_disturb_nobody(hall: Server) -> None:
    luck = random.Random(10)
    letters = '{}[]":,0123456789tablesictonhv \\u\n\t海ü\0'

    def garbage() -> str:
        return "".join(luck.choice(letters) for _ in range(luck.randrange(60)))

    async def visit() -> None:
        async with Person(hall) as person, line(hall) as ws:
            await person.guest()
            await person.line()
            table = await person.join((await person.post("/play", {"game": "xiangqi"}))["table"])
            await ws.send(HELLO)
            await heard(ws)
            for _ in range(100):
                for _ in range(100):
                    await ws.send(garbage())
                for _ in range(100):
                    err = await heard(ws)
                    assert (err["t"], err["code"]) == ("err", "BAD_MESSAGE")
                if table.ask:
                    await table.act(table.legal["list"][0])  # the others play on
                await ws.send('{"t":"ping","n":1}')
                assert (await heard(ws))["t"] == "pong"

    run(visit)


def test_text_that_is_no_utf_8_closes_the_line_and_no_more(hall: Server) -> None:
    async def visit() -> None:
        async with line(hall) as ws:
            await ws.send(HELLO)
            await heard(ws)
            await ws.send(b'{"t":"ping","n":\xff}', text=True)
            assert await closed(ws) == 1007

    run(visit)


# limits


def test_thirty_messages_in_ten_seconds(strict: Server) -> None:
    async def visit() -> None:
        async with line(strict) as ws:
            await ws.send(HELLO)
            await heard(ws)
            for _ in range(29):  # hello was the first
                await ws.send('{"t":"leave","table":1}')
            for n in range(200):  # free
                await ws.send(json.dumps({"t": "ping", "n": n}))
                assert (await heard(ws))["n"] == n
            for strike in range(3):
                await ws.send('{"t":"ready","cid":"r-STRIKE","table":101,"on":true}'.replace("STRIKE", str(strike)))
                err = await heard(ws)
                assert (err["code"], err["cid"], err["re"], err["table"]) == ("RATE_LIMIT", f"r-{strike}", "ready", 101)
                assert 0 < err["facts"]["wait_ms"] <= 10_001
            assert await closed(ws) == 1008

    run(visit)


@pytest.mark.calm
def test_moves_are_counted_apart(strict: Server) -> None:
    async def visit() -> None:
        async with Person(strict) as person:
            await person.guest()
            await person.line()
            for n in range(100):
                kind = ("act", "try")[n % 2]
                err = await person.answer_to({"t": kind, "cid": f"a-{n}", "table": 999999, "action": {"a": "x"}})
                assert err["code"] == "NO_SUCH_TABLE"
            err = await person.answer_to({"t": "act", "cid": "a-100", "table": 999999, "action": {"a": "x"}})
            assert err["code"] == "RATE_LIMIT"
            err = await person.answer_to({"t": "sit", "cid": "s-1", "table": 999999, "seat": 0})
            assert err["code"] == "NO_SUCH_TABLE"

    run(visit)


# the rest


def test_ping_is_answered_with_the_halls_time(hall: Server) -> None:
    async def visit() -> None:
        async with line(hall) as ws:
            await ws.send(HELLO)
            now = (await heard(ws))["now"]
            await ws.send(json.dumps({"t": "ping", "n": 7, "seen": now, "held": 0}))
            pong = await heard(ws)
            assert pong == {"t": "pong", "n": 7, "now": pong["now"]}
            assert now <= pong["now"] < now + 60_000

    run(visit)


def test_a_scope_covers_what_it_says(hall: Server) -> None:
    async def visit() -> None:
        async with Person(hall) as person:
            await person.guest()
            made = await person.post("/tokens", {"name": "looker", "scopes": ["watch"]})
            async with line(hall) as ws:
                await ws.send(json.dumps({"t": "hello", "v": 1, "token": made["token"]}))
                assert (await heard(ws))["user"] == person.user
                await ws.send('{"t":"join","table":101}')
                assert (await heard(ws))["t"] == "snapshot"
                await ws.send('{"t":"sit","cid":"q","table":101,"seat":0}')
                err = await heard(ws)
                assert (err["code"], err["cid"]) == ("NOT_ALLOWED", "q")

    run(visit)


@pytest.mark.slow
def test_a_reader_that_is_too_slow_is_cut_and_nobody_else(tmp_path: Any) -> None:
    async def visit(server: Server) -> None:
        async with Person(server) as person:
            await person.guest()
            await person.line()
            async with line(server, max_queue=1, sock=narrow(server)) as deaf:
                await deaf.send(HELLO)
                deaf.transport.pause_reading()
                # It asks for more than it reads, until what waits for it is more than the hall keeps.
                for n in range(20_000):
                    try:
                        await deaf.send('{"t":"enter","room":1}')
                    except ConnectionClosed:
                        break
                    if n % 100 == 0:
                        assert (await person.answer_to({"t": "ping", "n": n}))["n"] == n
                deaf.transport.resume_reading()
                assert await closed(deaf) == 1006
            assert (await person.answer_to({"t": "ping", "n": -1}))["n"] == -1

    settings = "[limits]\nmessages = 100000\nbacklog_bytes = 65536\n[bots]\nworkers = 0\n"
    with Server(tmp_path, settings) as server:
        run(lambda: visit(server))
        assert server.stop() == 0
        assert server.complaints() == ""
