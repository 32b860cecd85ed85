"""Nobody is the judge of himself; guests are ruled like everybody; addresses are shut for a time, and in the audit."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from tests.client import Calls, Server, called
from tests.hall.web.conftest import run, shared
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from qipai import cli

pytestmark = pytest.mark.slow

API = "/api/v1"
OWN = (403, {"code": "NOT_ALLOWED", "facts": {"case": "own"}})
count = itertools.count(1)
come: list[httpx.Client] = []


@pytest.fixture(autouse=True)
def _leave() -> Iterator[None]:
    """Whoever has come goes at the end."""
    yield
    while come:
        come.pop().close()


@pytest.fixture(scope="module")
def court(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = "[bots]\nworkers = 0\n[accounts]\nregister_pause_s = 0\n"
    with shared(request, tmp_path_factory.mktemp("court"), settings) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


class Somebody(Calls):
    """Somebody who comes from an address."""

    def __init__(self, server: Server, role: str = "", address: str | None = None, *, guest: bool = False) -> None:
        come.append(self)
        self.address = address or f"203.0.113.{next(count)}"
        self.server = server
        super().__init__(base_url=f"{server.url}{API}", timeout=60, headers={"x-forwarded-for": self.address})
        self.name = f"court{next(count)}"
        words = {} if guest else {"name": self.name, "password": "correct horse"}
        answer = self.post("/guest" if guest else "/register", json=words)
        assert answer.is_success, answer.text
        self.id = answer.json()["user"]["id"]
        if role:
            assert cli.main(["role", self.name, role, "--data", str(server.data)]) == 0

    def do(self, path: str, **body: Any) -> Any:
        answer = self.post(path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def refused(self, path: str, **body: Any) -> tuple[int, Any]:
        answer = self.post(path, json=body)
        return answer.status_code, answer.json().get("error")


def test_a_report_about_a_moderator_is_answered_by_others(court: Server) -> None:
    mod, other, ann = Somebody(court, "moderator"), Somebody(court, "admin"), Somebody(court)
    number = ann.do("/reports", kind="abuse", user=mod.id, text="rude")["report"]
    rows = {row["id"]: row for row in mod.get("/moderation/reports").json()["rows"]}
    assert rows[number]["own"] is True
    assert mod.refused(f"/moderation/reports/{number}/dismiss", reason="no") == OWN
    assert mod.refused(f"/moderation/users/{ann.id}", what="warn", reason="liar", report=number) == OWN
    assert mod.get(f"/moderation/reports/{number}").json()["report"]["state"] == "open"
    assert other.get(f"/moderation/reports/{number}").json()["report"]["own"] is False
    other.do(f"/moderation/reports/{number}/dismiss", reason="nothing in it")


def test_an_appeal_is_not_heard_by_who_has_ruled(court: Server) -> None:
    mod, other, ann = Somebody(court, "moderator"), Somebody(court, "moderator"), Somebody(court)
    mod.do(f"/moderation/users/{ann.id}", what="mute", reason="rude", hours=5)
    ruling = ann.get("/me/rulings").json()["rows"][0]["id"]
    number = ann.do(f"/me/rulings/{ruling}/appeal", text="it was not me")["report"]
    assert mod.get(f"/moderation/reports/{number}").json()["report"]["own"] is True
    assert mod.refused(f"/moderation/reports/{number}/dismiss", reason="it was") == OWN
    assert mod.refused(f"/moderation/users/{ann.id}", what="warn", reason="it was", report=number) == OWN
    assert other.get(f"/moderation/reports/{number}").json()["report"]["own"] is False
    other.do(f"/moderation/users/{ann.id}", what="unmute", reason="he is right", report=number)
    assert mod.get(f"/moderation/reports/{number}").json()["report"]["state"] == "done"


async def visited(somebody: Somebody) -> Any:
    """Return a line of somebody, after its welcome."""
    ws = await connect(
        f"ws{somebody.server.url.removeprefix('http')}/ws", proxy=None, compression=None,
        additional_headers={"cookie": f"qipai={somebody.cookies.get('qipai')}", "x-forwarded-for": somebody.address},
    )  # fmt: skip
    await ws.send(json.dumps({"t": "hello", "v": 1}))
    first = json.loads(await ws.recv())
    return ws, first


@pytest.mark.calm
def test_a_guest_who_talks_at_tables_is_muted_and_banned(court: Server) -> None:
    async def visit() -> None:
        mod, guest = Somebody(court, "moderator"), Somebody(court, guest=True)
        table = guest.do("/play", game="xiangqi")["table"]
        ws, _ = await visited(guest)
        await ws.send(json.dumps({"t": "join", "table": table}))

        async def say(cid: str) -> Any:
            say = {"t": "say", "cid": cid, "to": f"table:{table}", "text": "rude"}
            await ws.send(json.dumps(say))
            while (message := json.loads(await ws.recv())).get("cid") != cid:
                pass
            return message

        assert (await say("a"))["t"] == "ack"
        mod.do(f"/moderation/users/{guest.id}", what="mute", reason="rude", hours=1)
        assert (await say("b"))["code"] == "MUTED"
        mod.do(f"/moderation/users/{guest.id}", what="ban", reason="rude", hours=1)
        with suppress(ConnectionClosed):
            while True:
                await ws.recv()
        assert ws.close_code == 4001
        assert guest.get("/me").json()["error"]["code"] == "BANNED"

    run(visit)


@pytest.mark.calm
def test_an_address_is_shut_for_a_time_and_opened_again(court: Server) -> None:
    async def visit() -> None:
        admin, home = Somebody(court, "admin"), "198.51.100.7"
        keeper = Somebody(court, "moderator", home)
        guest = Somebody(court, address=home, guest=True)
        other = Somebody(court, address="198.51.100.8", guest=True)
        ws, _ = await visited(guest)
        kept, _ = await visited(keeper)
        assert other.refused("/moderation/addresses", user=guest.id, reason="x")[0] == 403
        made = admin.do("/moderation/addresses", user=guest.id, hours=2, reason="floods")
        assert made["addresses"] == [home]
        with suppress(ConnectionClosed):
            while True:
                await ws.recv()
        assert ws.close_code == 4001
        with Calls(base_url=f"{court.url}{API}", headers={"x-forwarded-for": home}) as fresh:
            for answer in (fresh.post("/guest", json={}), fresh.get("/games"), guest.get("/me")):
                error = answer.json()["error"]
                assert (error["code"], error["facts"]) == ("BANNED", {"case": "address", "until": made["until"]})
        line, refused = await visited(guest)
        assert (refused["code"], refused["facts"]["case"]) == ("BANNED", "address")
        await line.close()
        assert keeper.get("/me").is_success  # moderators come in from everywhere
        await kept.ping()
        assert other.get("/me").is_success
        (row,) = keeper.get("/moderation/addresses").json()["rows"]
        assert (row["address"], row["until"], row["reason"], row["by"]["id"]) == (
            home,
            made["until"],
            "floods",
            admin.id,
        )
        assert admin.refused("/moderation/addresses", address=admin.address, reason="x") == (
            409, {"code": "SELF", "facts": {}},
        )  # fmt: skip
        for wrong in ("127.0.0.1", "here", "", None):
            assert admin.refused("/moderation/addresses", address=wrong, reason="x")[0] == 400
        keeper.do("/moderation/addresses/lift", address=home, reason="it was a school")
        assert guest.get("/me").is_success
        assert keeper.refused("/moderation/addresses/lift", address=home, reason="again")[0] == 404
        acts = [row for row in admin.get("/moderation/audit").json()["rows"] if row["type"] == "moderation.address"]
        assert [(act["data"]["address"], act["data"]["until"], act["actor"]["id"]) for act in acts] == [
            (home, None, keeper.id), (home, made["until"], admin.id),
        ]  # fmt: skip
        await kept.close()

    run(visit)


def test_what_is_shut_stays_so_after_a_restart_and_a_rebuild(request: pytest.FixtureRequest, tmp_path: Any) -> None:
    with shared(request, tmp_path / "hall", "[bots]\nworkers = 0\n[accounts]\nregister_pause_s = 0\n") as hall:
        admin = Somebody(hall, "admin", "203.0.113.200")
        admin.do("/moderation/addresses", address="198.51.100.9", hours=5, reason="floods")
        assert hall.stop() == 0
        assert cli.main(["rebuild", "--data", str(hall.data)]) == 0
        hall.start()
        answer = called("GET", f"{hall.url}{API}/games", headers={"x-forwarded-for": "198.51.100.9"})
        assert answer.json()["error"]["code"] == "BANNED"
