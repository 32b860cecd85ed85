"""Bot accounts over plain HTTP (P-93, W16): turned once and for ever, invited, playing by `legal`, ranked apart."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import ClientDisconnect
from tests.client import PATIENCE, Server
from tests.hall.web.conftest import SETTINGS, shared
from tests.hall.web.test_pages import Somebody, id_of, somebody

from qipai.arena.program import Program, players
from qipai.web.calls.bot import Streamed

# At the spec's most of a person's sockets; streams count among them.
MORE = SETTINGS + "sockets = 6\n[accounts]\nregister_pause_s = 0\n"
PASSWORD = "long enough"
UCI = [sys.executable, "-m", "qipai", "engine", "xiangqi", "--interpreted"]  # any program that speaks it would do


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall that these tests share; it must be quiet to the end."""
    data: Path = tmp_path_factory.mktemp("bots")
    with shared(request, data, MORE) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def token_of(http: Somebody, *scopes: str) -> str:
    """Return a token of who is signed in."""
    return str(http.do("/tokens", name="program", scopes=list(scopes or ("bot",)))["token"])


@contextmanager
def bot(house: Server, name: str) -> Iterator[tuple[Somebody, int]]:
    """Register somebody, turn them into a bot, and give a client that has its token alone."""
    with somebody(house, name) as http:
        http.do("/bot/upgrade", password=PASSWORD)
        http.do("/login", name=name, password=PASSWORD)
        token, id = token_of(http), id_of(http)
    headers = {"Authorization": f"Bearer {token}"}
    with Somebody(base_url=house.url, timeout=PATIENCE, headers=headers) as http:
        yield http, id


@contextmanager
def stream(http: Somebody, path: str) -> Iterator[Iterator[dict[str, Any]]]:
    """Open a stream, and give its messages."""
    with http.stream("GET", f"/api/v1{path}") as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        yield _messages(answer)


def _messages(answer: httpx.Response) -> Iterator[dict[str, Any]]:
    """Yield messages; empty lines come all the time, and whoever waits for ever is told so."""
    until = time.monotonic() + PATIENCE
    for line in answer.iter_lines():
        if line.strip():
            until = time.monotonic() + PATIENCE
            yield json.loads(line)
        assert time.monotonic() < until, "nothing is said any more"


def test_an_account_is_turned_into_a_bot_once_and_for_ever(house: Server) -> None:
    with somebody(house, "turning") as http:
        assert http.refused("/bot/upgrade", password="a wrong one")[0] == "BAD_LOGIN"
        person = token_of(http, "bot")
        with Somebody(base_url=house.url, headers={"Authorization": f"Bearer {person}"}) as program:
            assert program.refused("/bot/events", "GET") == ("NOT_ALLOWED", {"case": "person"})
            assert program.refused("/bot/upgrade", password=PASSWORD)[0] == "NOT_ALLOWED"
        http.do("/bot/upgrade", password=PASSWORD)
        http.do("/login", name="turning", password=PASSWORD)
        assert http.ask("/me")["user"]["kind"] == "bot"
        assert http.refused("/bot/upgrade", password=PASSWORD) == ("NOT_ALLOWED", {"case": "program"})
        with Somebody(base_url=house.url, headers={"Authorization": f"Bearer {token_of(http, 'watch')}"}) as program:
            assert program.refused("/bot/events", "GET")[0] == "NOT_ALLOWED"  # the scope is missing
    with Somebody(base_url=house.url) as nobody:
        assert nobody.refused("/bot/events", "GET")[0] == "SIGN_IN"
        guest = nobody.do("/guest", token=True)["token"]
        with Somebody(base_url=house.url, headers={"Authorization": f"Bearer {guest}"}) as program:
            assert program.refused("/bot/events", "GET")[0] == "NOT_ALLOWED"


@pytest.mark.slow
@pytest.mark.parametrize("game", ["xiangqi", "backgammon", "baohuang"])
def test_a_token_plays_a_whole_game_by_legal_alone(house: Server, game: str) -> None:
    """W16, for a game of each kind: against our bots in the other seats, by what `legal` offers."""
    with bot(house, f"w16-{game}") as (http, _):
        with stream(http, "/bot/events") as news:
            place = http.do("/play", game=game, level="easy")
            table = place["table"]
            result = played(http, table)
            assert len(result["points"]) >= 2
            told = [next(line for line in news if line["t"] in ("start", "end")) for _ in range(2)]
        assert told[0] == {"t": "start", "table": table, "seat": place["seat"]}
        assert (told[1]["t"], told[1]["table"]) == ("end", table)
        assert http.refused(f"/bot/tables/{table}/act", action={"a": "nothing"}, ask=1)[0] in ("STALE", "NO_GAME")
        http.do(f"/bot/tables/{table}/stand")


def played(http: Somebody, table: int) -> Any:
    """Play a seat to the end of its game, from what `legal` lists; return the result."""
    answered, now, path = None, dict[str, Any](), f"/bot/tables/{table}"
    moves, luck = 0, random.Random(16)
    with stream(http, path) as messages:
        for message in messages:
            if message["t"] not in ("snapshot", "ev"):
                continue
            now |= message
            if now["result"]:
                assert moves > 0
                return now["result"]
            ask = now["ask"]
            legal = now["legal"]
            # A race has one question from its beginning to its end: what may be played changes.
            if ask is None or (ask["id"], legal) == answered:
                continue
            moves += 1
            # A game of two by random moves alone takes long: after some of them it is given up.
            actions = (moves > 40 and legal.get("leaving")) or legal["list"]
            if not actions:
                continue
            answered = ask["id"], legal
            answer = http.post(f"/api/v1{path}/act", json={"action": luck.choice(actions), "ask": ask["id"]})
            error = answer.json().get("error", {}).get("code")
            assert answer.status_code == 200 or error == "STALE", answer.text
    raise AssertionError("the stream has ended")


def playing(house: Server, token: str, **who: Any) -> tuple[Program, Callable[[], None], list[str]]:
    """Start the reference client; return it, what ends it, and what it says."""
    said: list[str] = []
    terms = {"level": "easy", "engine": (), "player": None, "games": None, "ms": 20} | who
    program = Program(house.url, token, players(**terms), terms["ms"], said.append)
    thread = threading.Thread(target=program.run, daemon=True)
    thread.start()
    return program, program.stop, said


@pytest.mark.parametrize(
    ("game", "who"),
    [
        ("backgammon", {}),
        (
            "xiangqi",
            {"engine": [sys.executable, "-m", "qipai", "engine", "xiangqi", "--interpreted"], "games": ["xiangqi"]},
        ),
    ],
)
def test_somebody_invites_the_reference_client(house: Server, game: str, who: dict[str, Any]) -> None:
    """A person invites a bot, it comes and plays; a program that we did not write may be behind it."""
    with bot(house, f"ref-{game}") as (http, id), somebody(house, f"host-{game}") as host:
        token = http.headers["Authorization"].removeprefix("Bearer ")
        _, stop, said = playing(house, token, **who)
        try:
            letter = host.do("/invites", game=game, to=id)
            host_token = token_of(host, "play")
            table = None
            while table is None:
                rows = host.ask("/home")["tables"]
                table = rows[0]["table"] if rows else None
            place = f"table {table}"
            assert letter["to"]["id"] == id
            watch = Moves(house, host_token, table)
            assert watch.seen(game) >= 1, said
            host.do("/logout", confirm=True)
        finally:
            stop()
        assert any(place in line for line in said)


class Moves:
    """The host's line at a table: says how often the bot has acted."""

    def __init__(self, house: Server, token: str, table: int) -> None:
        self.house, self.token, self.table = house, token, table

    def seen(self, game: str) -> int:
        """Play by the first legal action until the bot has acted once in the game; return how often it did."""
        from websockets.sync.client import connect

        with connect(f"ws://127.0.0.1:{self.house.port}/ws") as ws:
            ws.send(json.dumps({"t": "hello", "v": 1, "token": self.token}))
            ws.send(json.dumps({"t": "join", "table": self.table}))
            ws.send(json.dumps({"t": "ready", "cid": "ready", "table": self.table, "on": True}))
            now: dict[str, Any] = {}
            answered = None
            while True:
                message = json.loads(ws.recv(timeout=PATIENCE))
                if message["t"] not in ("snapshot", "ev"):
                    continue
                now |= message
                view, seat = now.get("view"), now["you"]["seat"]
                if view is not None and _moved(game, view, 1 - seat):
                    return 1
                ask = now.get("ask")
                if ask and ask["id"] != answered:
                    answered = ask["id"]
                    action = now["legal"]["list"][0]
                    act = {"t": "act", "cid": f"h{answered}", "table": self.table, "ask": answered, "action": action}
                    ws.send(json.dumps(act))


def _moved(game: str, view: dict[str, Any], seat: int) -> bool:
    if game == "xiangqi":
        return len(view["plies"]) > seat
    return any(line[0] == seat for line in view["lines"])


def test_what_is_wrong_with_a_client_is_said_at_once(house: Server) -> None:
    for words, told in (
        ({"games": ["nothing"]}, "there is no game nothing"),
        ({"engine": ["x"]}, "say which by --game"),
        ({"engine": ["/no/such/program"], "games": ["xiangqi"]}, None),
        ({"player": "nothing"}, "MODULE:CLASS"),
    ):
        terms: dict[str, Any] = {"level": "easy", "engine": (), "player": None, "games": None, "ms": 20} | words
        if told is None:
            with pytest.raises(ValueError, match="/no/such/program"):
                players(**terms).make("xiangqi", {})
            continue
        with pytest.raises(ValueError, match=told):
            players(**terms)
    program = Program(house.url, "no token", players(level="easy", engine=(), player=None, games=None, ms=1), 1, print)
    with pytest.raises(PermissionError):
        program.run()


@pytest.mark.calm
def test_a_bot_has_a_limit_of_streams_and_its_lines_end_with_its_token(house: Server) -> None:
    with bot(house, "many") as (http, _):
        opened = []
        for _ in range(6):
            request = http.build_request("GET", "/api/v1/bot/events")
            answer = http.send(request, stream=True)
            assert answer.status_code == 200
            opened.append(answer)
        assert http.refused("/bot/events", "GET")[0] == "RATE_LIMIT"
        with somebody(house, "many", new=False) as owner:
            (row,) = owner.ask("/tokens")["rows"]
            owner.do(f"/tokens/{row['id']}", "DELETE")
        for answer in opened:
            told = [json.loads(line) for line in answer.iter_lines() if line.strip()]  # each comes to its end
            assert told[-1]["t"] == "bye"
            answer.close()


def test_bots_are_ranked_apart(house: Server) -> None:
    with Somebody(base_url=house.url) as nobody:
        assert nobody.ask("/rankings/xiangqi", of="bots")["rows"] == []
        assert nobody.refused("/rankings/xiangqi?of=cats", "GET") == ("BAD_OPTION", {"field": "of"})


class Left:
    """A stream whose program has gone before its first line."""

    ended = False

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield nothing that anybody takes."""
        yield b"\n"

    def shut(self) -> None:
        """Note that the hall has let it go."""
        self.ended = True


def test_a_stream_ends_where_its_program_left_before_the_first_line() -> None:
    async def gone(_message: Any) -> None:
        raise OSError("nobody is there")

    async def silent() -> Any:
        await asyncio.Event().wait()

    stream = Left()
    scope = {"type": "http", "asgi": {"spec_version": "2.4"}}
    with pytest.raises(ClientDisconnect):
        asyncio.run(Streamed(stream)(scope, silent, gone))  # type: ignore[arg-type]
    assert stream.ended
