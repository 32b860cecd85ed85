"""What strangers may ask of a hall: limits by address and by person, and tokens that give no more than they have."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx
import pytest
from tests.client import Calls, Server
from tests.hall.web.conftest import run, shared
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

pytestmark = pytest.mark.slow

API = "/api/v1"
SETTINGS = """
[bots]
workers = 0
[accounts]
register_pause_s = 0
[limits]
guests_per_hour = 20
calls = 40
calls_address = 60
tables_per_hour = 3
tables_address = 5
tokens = 3
sockets = 2
sockets_address = 5
opens_address = 8
window_s = 600
messages = 10
acts = 1
times_person = 1
"""
addresses = (f"198.51.100.{n}" for n in itertools.count(1))


@pytest.fixture(scope="module")
def small(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall that has little patience."""
    with shared(request, tmp_path_factory.mktemp("small"), SETTINGS) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


class Visitor(Calls):
    """Somebody from an address of his own, or a given one."""

    def __init__(self, server: Server, address: str | None = None, token: str | None = None) -> None:
        self.address = address or next(addresses)
        headers = {"x-forwarded-for": self.address} | ({"authorization": f"Bearer {token}"} if token else {})
        super().__init__(base_url=f"{server.url}{API}", headers=headers, timeout=60)

    def do(self, path: str, **body: Any) -> Any:
        answer = self.post(path, json=body)
        return answer.json() if answer.is_success else answer.json()["error"]["code"]

    def guest(self) -> Visitor:
        assert self.do("/guest")["user"]["kind"] == "guest"
        return self


def wait_of(answer: httpx.Response) -> int:
    """Return for how long a refusal asks to wait, in ms; its header says the same in seconds."""
    assert answer.status_code == 429, answer.text
    error = answer.json()["error"]
    assert error["code"] == "RATE_LIMIT"
    wait = int(error["facts"]["wait_ms"])
    assert int(answer.headers["retry-after"]) == -(-wait // 1000) > 0
    return wait


@pytest.mark.calm
def test_reads_are_limited_by_address(small: Server) -> None:
    with Visitor(small) as one:
        answers = [one.get("/games") for _ in range(70)]
        good = [answer for answer in answers if answer.is_success]
        assert 60 <= len(good) < 70
        assert 0 < wait_of(answers[-1]) <= 60_000
        with Visitor(small) as other:
            assert other.get("/games").is_success


@pytest.mark.calm
def test_reads_are_limited_by_person_wherever_he_is(small: Server) -> None:
    with Visitor(small) as one:
        one.guest()
        codes = []
        for _ in range(4):
            with Visitor(small) as elsewhere:
                elsewhere.cookies = one.cookies
                codes += [elsewhere.get("/me").status_code for _ in range(15)]
        assert 40 <= codes.count(200) < 60
        assert codes[-1] == 429


@pytest.mark.calm
def test_what_takes_long_counts_as_several(small: Server) -> None:
    with Visitor(small) as one:
        codes = [one.get("/g/nosuchgame/steps").status_code for _ in range(8)]
        assert codes[:6] == [404] * 6
        assert codes[7] == 429


@pytest.mark.calm
def test_tables_are_limited_by_person_and_by_address(small: Server) -> None:
    home = next(addresses)
    made = []
    for _ in range(3):
        with Visitor(small, home) as one:
            one.guest()
            made.append([one.do("/tables", game="xiangqi", options={}) for _ in range(4)])
    good = [sum(isinstance(each, dict) for each in row) for row in made]
    assert good == [3, 2, 0]  # three a person, five an address
    with Visitor(small) as other:
        other.guest()
        answers = [other.post("/play", json={"game": "xiangqi", "level": "easy"}) for _ in range(4)]
        assert [answer.is_success for answer in answers] == [True, True, True, False]
        assert wait_of(answers[-1]) > 60_000


def test_a_person_has_so_many_tokens(small: Server) -> None:
    with Visitor(small) as one:
        one.guest()
        found = [one.do("/guest", token=True) for _ in range(4)]
        assert [isinstance(each, dict) for each in found] == [True, True, True, False]
        assert found[-1] == "LIMIT_REACHED"


def test_this_machine_is_no_address(small: Server) -> None:
    with Calls(base_url=f"{small.url}{API}", timeout=60) as here:
        assert all(here.get("/games").is_success for _ in range(100))


@asynccontextmanager
async def line(server: Server, address: str, token: str | None = None) -> Any:
    """Open a line from an address."""
    url = f"ws{server.url.removeprefix('http')}/ws"
    ws = await connect(url, additional_headers={"x-forwarded-for": address}, compression=None, proxy=None)
    try:
        await ws.send(json.dumps({"t": "hello", "v": 1} | ({"token": token} if token else {})))
        yield ws
    finally:
        await ws.close()


async def heard(ws: ClientConnection) -> Any:
    return json.loads(await ws.recv())


@pytest.mark.calm
def test_lines_are_limited_by_address_and_by_person(small: Server) -> None:
    async def visit() -> None:
        home = next(addresses)
        with Visitor(small) as one:
            token = one.do("/guest", token=True)["token"]
        async with line(small, next(addresses), token) as a, line(small, next(addresses), token) as b:
            assert (await heard(a))["t"] == (await heard(b))["t"] == "welcome"
            async with line(small, next(addresses), token) as c:
                refused = await heard(c)
                assert (refused["re"], refused["code"]) == ("hello", "RATE_LIMIT")
                assert refused["facts"]["wait_ms"] > 0
                with pytest.raises(ConnectionClosed):
                    await c.recv()
                assert c.close_code == 1008
        async with (
            line(small, home), line(small, home), line(small, home), line(small, home), line(small, home) as last
        ):  # fmt: skip
            assert (await heard(last))["t"] == "welcome"
            with pytest.raises(InvalidStatus) as wrong:
                async with line(small, home):
                    raise AssertionError
            assert wrong.value.response.status_code == 429
            assert json.loads(wrong.value.response.body or b"")["error"]["code"] == "RATE_LIMIT"
            async with line(small, next(addresses)) as other:
                assert (await heard(other))["t"] == "welcome"

    run(visit)


@pytest.mark.calm
def test_a_line_from_an_address_may_be_opened_so_often_a_minute(small: Server) -> None:
    async def visit() -> None:
        home, refused = next(addresses), 0
        for _ in range(12):
            try:
                async with line(small, home) as ws:
                    assert (await heard(ws))["t"] == "welcome"
            except InvalidStatus:
                refused += 1
        assert 0 < refused <= 4

    run(visit)


@pytest.mark.calm
def test_pings_are_counted(small: Server) -> None:
    async def visit() -> None:
        async with line(small, next(addresses)) as ws:
            welcome = await heard(ws)
            assert welcome["limits"]["free"] == 200
            for n in range(203):
                await ws.send(json.dumps({"t": "ping", "n": n}))
            answers = [await heard(ws) for _ in range(203)]
            assert [answer["t"] for answer in answers] == ["pong"] * 200 + ["err"] * 3
            assert answers[-1]["code"] == "RATE_LIMIT"
            assert answers[-1]["facts"]["wait_ms"] > 0
            with pytest.raises(ConnectionClosed):
                await ws.recv()
            assert ws.close_code == 1008

    run(visit)


@pytest.mark.calm
def test_messages_are_counted_over_all_lines_of_a_person(small: Server) -> None:
    async def visit() -> None:
        with Visitor(small) as one:
            token = one.do("/guest", token=True)["token"]
        async with line(small, next(addresses), token) as a, line(small, next(addresses), token) as b:
            kinds: list[str] = []
            for ws in (a, b):  # each line may send 200 pings; both may send 310 that weigh a tenth of other messages
                assert (await heard(ws))["t"] == "welcome"
                for n in range(190):
                    await ws.send(json.dumps({"t": "ping", "n": n}))
                with suppress(ConnectionClosed):
                    for _ in range(190):
                        kinds.append((await heard(ws))["t"])
            assert "err" in kinds
            assert kinds.index("err") >= 280

    run(visit)


# What others read ----------------------------------------------------------------------------------------------------


@pytest.mark.calm
def test_what_nobody_can_see_is_in_no_name_and_no_line(small: Server) -> None:
    async def visit() -> None:
        with Visitor(small) as one:
            one.do("/register", name="writer", password="correct horse")
            assert one.do("/groups", name="a\u202eb\x00\x1b[2Jc\nd", users=[])["name"] == "ab[2Jc d"
            assert one.do("/groups", name="\u200b\u2060\ufeff\u3164", users=[]) == "BAD_MESSAGE"
            assert one.do("/tokens", name="\u200b", scopes=["play"]) == "BAD_MESSAGE"
            token = one.do("/tokens", name="t\u202e", scopes=["play"])["token"]
            assert one.get("/tokens").json()["rows"][0]["name"] == "t"
            table = one.do("/play", game="xiangqi")["table"]
            async with line(small, one.address, token) as ws:
                assert (await heard(ws))["t"] == "welcome"
                await ws.send(json.dumps({"t": "join", "table": table}))
                texts = ("a\u202eb\nc" + "\u200b" * 90, "\u200b\u2800\u3164")
                for n, text in enumerate(texts):
                    await ws.send(json.dumps({"t": "say", "cid": f"s{n}", "to": f"table:{table}", "text": text}))
                said, refused = None, None
                while refused is None:
                    message = await heard(ws)
                    said = message if message["t"] == "chat" else said
                    refused = message if message["t"] == "err" else None
                assert said is not None
                assert said["text"] == "ab c"
                assert (refused["cid"], refused["code"], refused["facts"]) == ("s1", "BAD_MESSAGE", {"field": "text"})

    run(visit)


@pytest.mark.parametrize("password", ["password", "        ", "Obvious1"])
def test_a_password_that_all_would_try_is_refused(small: Server, password: str) -> None:
    with Visitor(small) as one:
        answer = one.post("/register", json={"name": "Obvious", "password": password})
        assert answer.json()["error"] == {"code": "PASSWORD_WEAK", "facts": {"case": "common", "least": 8}}


# Tokens ---------------------------------------------------------------------------------------------------------------


def test_a_token_gives_no_other_and_nothing_that_it_has_not(small: Server) -> None:
    with Visitor(small) as one:
        one.guest()
        assert one.do("/register", name=f"owner{one.address.rpartition('.')[2]}", password="correct horse")["user"]
        watch = one.do("/tokens", name="eye", scopes=["watch"])["token"]
        with Visitor(small, token=watch) as eye:
            assert eye.do("/guest", token=True)["token"] == watch
            assert eye.do("/play", game="xiangqi") == "NOT_ALLOWED"
        with Visitor(small) as thief:  # where a cookie stands it is a token all the same
            thief.cookies.set("qipai", watch)
            assert thief.do("/play", game="xiangqi") == "NOT_ALLOWED"
            assert thief.do("/tokens", name="more", scopes=["play"]) == "NOT_ALLOWED"
        assert len(one.get("/tokens").json()["rows"]) == 1


def test_a_guests_token_does_not_become_his_account(small: Server) -> None:
    with Visitor(small) as one:
        guest = one.do("/guest", token=True)
        with Visitor(small, token=guest["token"]) as program:
            found = program.do("/register", name=f"taker{one.address.rpartition('.')[2]}", password="correct horse")
            assert found["user"]["id"] != guest["user"]["id"]
        assert one.get("/me").json()["user"]["kind"] == "guest"


def test_spending_wants_its_own_scope(small: Server) -> None:
    with Visitor(small) as one:
        one.do("/register", name=f"buyer{one.address.rpartition('.')[2]}", password="correct horse")
        play, spend = (one.do("/tokens", name=scope, scopes=[scope])["token"] for scope in ("play", "spend"))
        with Visitor(small, token=play) as program:
            assert program.get("/shop").is_success
            assert program.do("/shop", item="member_days", qty=1, cid="a") == "NOT_ALLOWED"
        with Visitor(small, token=spend) as program:
            assert program.do("/shop", item="member_days", qty=1, cid="b")["coins"] == 198


@pytest.mark.parametrize("keep", [False, True])
def test_a_changed_password_ends_tokens_unless_one_says_otherwise(small: Server, keep: bool) -> None:
    with Visitor(small) as one:
        one.do("/register", name=f"change{one.address.rpartition('.')[2]}", password="correct horse")
        token = one.do("/tokens", name="mine", scopes=["play"])["token"]
        body = {"old": "correct horse", "password": "battery staple"} | ({"keep_tokens": True} if keep else {})
        assert one.do("/me/password", **body) == {}
        with Visitor(small, token=token) as program:
            assert program.get("/me").status_code == (200 if keep else 401)
        assert one.get("/me").is_success


@pytest.mark.calm
def test_a_cid_belongs_to_its_call_and_to_its_token(small: Server) -> None:
    with Visitor(small) as one:
        one.do("/register", name=f"cid{one.address.rpartition('.')[2]}", password="correct horse")
        made = one.do("/tokens", name="mine", scopes=["board"], cid="same")
        assert one.do("/tokens", name="mine", scopes=["board"], cid="same") == {**made, "again": True}
        with Visitor(small, token=made["token"]) as program:
            answer = program.post("/guest", json={"cid": "same"})
            assert "again" not in answer.json()
            assert "token" not in answer.json()
        other = one.do("/groups", name="friends", users=[], cid="same")
        assert "again" not in other
        assert other["name"] == "friends"
