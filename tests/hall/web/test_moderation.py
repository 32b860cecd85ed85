"""The moderators' queue over HTTP: what stands around a report, rulings, one appeal for each, the audit (P-95)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.client import Calls, Server, called
from tests.hall.web.conftest import run, shared
from websockets.asyncio.client import ClientConnection, connect

from qipai import cli

pytestmark = pytest.mark.slow

API = "/api/v1"
Come = Callable[[str], tuple[Calls, int]]


@pytest.fixture(scope="module")
def come(hall: Server) -> Iterator[Come]:
    """How somebody registers; a name that begins so gets that role."""
    clients: list[Calls] = []

    def come(name: str) -> tuple[Calls, int]:
        client = Calls(base_url=hall.url, timeout=60)
        clients.append(client)
        user = client.post(f"{API}/register", json={"name": name, "password": "long enough"}).json()["user"]["id"]
        role = next((role for role in ("moderator", "admin") if name.startswith(role[:3])), None)
        if role is not None:
            assert cli.main(["role", name, role, "--data", str(hall.data)]) == 0
        return client, user

    yield come
    for client in clients:
        client.close()


def error(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def done(answer: httpx.Response) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_report_is_seen_with_what_stands_around_it_and_answered(come: Come) -> None:
    moderator, mod = come("modann")
    _eve, eve_id = come("eve")
    bob, _bob_id = come("bob")
    table = done(bob.post(f"{API}/tables", json={"game": "xiangqi"}))["table"]
    number = done(
        bob.post(f"{API}/reports", json={"kind": "abuse", "user": eve_id, "ref": f"table:{table}", "text": "words"})
    )["report"]
    assert error(bob.get(f"{API}/moderation/reports/{number}")) == (403, "NOT_ALLOWED")
    assert error(moderator.get(f"{API}/moderation/reports/99999")) == (404, "NOT_FOUND")
    view = done(moderator.get(f"{API}/moderation/reports/{number}"))
    assert (view["report"]["user"]["name"], view["report"]["by"]["name"], view["other"]["name"]) == (
        "eve",
        "bob",
        "bob",
    )
    assert (view["lines"], view["played"], view["together"], view["rulings"], view["reports"]) == ([], None, [], [], 1)
    ruling = {"what": "mute", "reason": "words", "hours": 1, "report": number}
    until = done(moderator.post(f"{API}/moderation/users/{eve_id}", json=ruling))["until"]
    view = done(moderator.get(f"{API}/moderation/reports/{number}"))
    assert (view["report"]["state"], view["report"]["moderator"]["id"], view["report"]["answer"]) == (
        "done",
        mod,
        "words",
    )
    assert [(row["what"], row["until"]) for row in view["rulings"]] == [("mute", until)]
    assert done(bob.get(f"{API}/me/rulings"))["rows"] == []


def test_one_appeal_for_each_ruling(come: Come) -> None:
    moderator, _ = come("modbob")
    second, _ = come("modbea")
    carl, carl_id = come("carl")
    dora, _ = come("dora")
    done(moderator.post(f"{API}/moderation/users/{carl_id}", json={"what": "warn", "reason": "mind your words"}))
    (row,) = done(carl.get(f"{API}/me/rulings"))["rows"]
    assert (row["what"], row["reason"], row["appeal"]) == ("warn", "mind your words", None)
    where = f"{API}/me/rulings/{row['id']}/appeal"
    assert error(dora.post(where, json={"text": "not mine"})) == (404, "NOT_FOUND")
    number = done(carl.post(where, json={"text": "it was my brother"}))["report"]
    assert error(carl.post(where, json={"text": "once more"})) == (403, "LIMIT_REACHED")
    queue = done(moderator.get(f"{API}/moderation/reports"))["rows"]
    (appeal,) = [each for each in queue if each["id"] == number]
    assert (appeal["kind"], appeal["ref"], appeal["text"]) == ("appeal", f"ruling:{row['id']}", "it was my brother")
    assert error(moderator.post(f"{API}/moderation/reports/{number}/dismiss", json={"reason": "x"})) == (
        403,
        "NOT_ALLOWED",
    )
    done(second.post(f"{API}/moderation/reports/{number}/dismiss", json={"reason": "it was your account"}))
    (row,) = done(carl.get(f"{API}/me/rulings"))["rows"]
    assert (row["appeal"], row["answer"]) == ("dismissed", "it was your account")
    assert error(carl.post(where, json={"text": "once more"})) == (403, "LIMIT_REACHED")
    assert error(second.post(f"{API}/moderation/reports/{number}/dismiss", json={"reason": "x"})) == (
        404,
        "NOT_FOUND",
    )


def test_who_is_banned_may_appeal_and_nothing_else(come: Come, hall: Server) -> None:
    moderator, _ = come("modcarl")
    _, frank_id = come("frank")
    done(moderator.post(f"{API}/moderation/users/{frank_id}", json={"what": "ban", "reason": "cheating", "hours": 2}))
    with Calls(base_url=hall.url, timeout=60) as frank:
        wrong = frank.post(f"{API}/login", json={"name": "frank", "password": "not his own"})
        assert error(wrong) == (401, "BAD_LOGIN")
        assert "set-cookie" not in wrong.headers
        assert error(frank.post(f"{API}/login", json={"name": "frank", "password": "long enough"})) == (403, "BANNED")
        for method, path, body in (
            ("GET", "/me", None), ("GET", "/friends", None), ("POST", "/play", {"game": "xiangqi"}),
            ("POST", "/reports", {"kind": "abuse", "text": "no"}),
            ("POST", "/tokens", {"name": "x", "scopes": ["play"]}),
        ):  # fmt: skip
            assert error(frank.request(method, f"{API}{path}", json=body)) == (403, "BANNED"), path
        (row,) = done(frank.get(f"{API}/me/rulings"))["rows"]
        assert done(frank.post(f"{API}/me/rulings/{row['id']}/appeal", json={"text": "I did not"}))["report"]
        done(moderator.post(f"{API}/moderation/users/{frank_id}", json={"what": "unban", "reason": "he did not"}))
        assert done(frank.get(f"{API}/me"))["user"]["name"] == "frank"


@pytest.mark.calm
def test_who_may_take_away_a_line_and_close_a_table(come: Come, hall: Server) -> None:
    (moderator, mod), (other, _), (admin, _) = come("modgus"), come("modhedy"), come("admin_ida")
    (pia, _), (quin, _) = come("pia"), come("quin")
    table = done(pia.post(f"{API}/tables", json={"game": "xiangqi"}))["table"]

    async def says(client: Calls, text: str) -> int:
        headers = {"cookie": f"qipai={client.cookies['qipai']}"}
        async with connect(hall.url.replace("http", "ws") + "/ws", additional_headers=headers) as line:
            for command in (
                {"t": "hello", "v": 1},
                {"t": "join", "table": table},
                {"t": "say", "cid": f"say-{text}", "to": f"watch:{table}", "text": text},
            ):
                await line.send(json.dumps(command))
            while (message := json.loads(await line.recv()))["t"] != "chat":
                assert message["t"] != "err", message
            return int(message["id"])

    his, theirs = run(lambda: says(quin, "words")), run(lambda: says(moderator, "mine"))
    line, close = f"{API}/moderation/lines/{his}/remove", f"{API}/moderation/tables/{table}/close"
    because = {"reason": "bad words"}
    with Calls(base_url=hall.url, timeout=60) as stranger:
        for path in (line, close):
            assert error(stranger.post(path, json=because)) == (401, "SIGN_IN")
            assert error(pia.post(path, json=because)) == (403, "NOT_ALLOWED")
            assert error(moderator.post(path, json={"reason": ""})) == (400, "BAD_MESSAGE")
    assert error(moderator.post(f"{API}/moderation/lines/99999/remove", json=because)) == (404, "NOT_FOUND")
    assert error(moderator.post(f"{API}/moderation/tables/99999/close", json=because)) == (404, "NO_SUCH_TABLE")
    done(moderator.post(line, json={**because, "cid": "take-away"}))
    done(moderator.post(line, json={**because, "cid": "take-away"}))  # the same command again
    assert error(admin.post(line, json=because)) == (404, "NOT_FOUND")
    (row,) = done(quin.get(f"{API}/me/rulings"))["rows"]
    assert (row["what"], row["reason"]) == ("remove", "bad words")
    other_line = f"{API}/moderation/lines/{theirs}/remove"
    assert error(other.post(other_line, json=because)) == (403, "NOT_ALLOWED")  # a moderator's: for administrators
    done(moderator.post(other_line, json=because))  # or for himself
    done(moderator.post(close, json=because))
    assert error(moderator.post(close, json=because)) == (404, "NO_SUCH_TABLE")
    acts = done(admin.get(f"{API}/moderation/audit"))["rows"]
    mine = [row["data"]["what"] for row in acts if row["actor"] is not None and row["actor"]["id"] == mod]
    assert mine == ["close", "remove", "remove"]


def test_an_administrator_names_moderators_of_rooms(come: Come, hall: Server) -> None:
    (admin, adm), (lea, lea_id), (max_, max_id) = come("admin_kai"), come("lea"), come("max")
    with Calls(base_url=hall.url, timeout=60) as client:
        guest = client.post(f"{API}/guest", json={}).json()["user"]["id"]
        assert client.get(f"{API}/me").json()["moderates"] == []

    def name(user: int, room: int, role: str = "moderator") -> httpx.Response:
        return admin.post(f"{API}/admin/roles", json={"user": user, "role": role, "room": room})

    def named() -> list[tuple[int, int]]:
        rows = done(admin.get(f"{API}/admin/roles"))["rows"]
        assert [row["role"] for row in rows if row["user"]["id"] == adm] == ["admin"]
        assert all(row["by"]["id"] == adm and row["at"] for row in rows if row["room"] is not None)
        return [(row["room"], row["user"]["id"]) for row in rows if row["room"] is not None]

    for room in (1, 2, 1):  # twice is no harm
        done(name(lea_id, room))
    done(name(max_id, 1))
    assert named() == [(1, lea_id), (1, max_id), (2, lea_id)]
    assert (done(lea.get(f"{API}/me"))["role"], done(lea.get(f"{API}/me"))["moderates"]) == ("user", [1, 2])
    shown = done(called("GET", f"{hall.url}{API}/rooms/1"))["info"]["moderators"]
    assert [user["name"] for user in shown] == ["lea", "max"]
    assert error(name(max_id, 999)) == error(name(999_999, 1)) == error(name(guest, 1)) == (404, "NOT_FOUND")
    assert error(name(max_id, 1, "admin")) == (400, "BAD_OPTION")
    assert error(name(max_id, 2, "user")) == (404, "NOT_FOUND")  # he is none there
    # Of the other moderators of the room he decides nothing; of its people he does.
    warn = {"what": "warn", "reason": "words", "room": 1}
    assert error(lea.post(f"{API}/moderation/users/{max_id}", json=warn)) == (403, "NOT_ALLOWED")
    assert error(lea.post(f"{API}/moderation/users/{adm}", json=warn)) == (403, "NOT_ALLOWED")
    assert error(lea.post(f"{API}/moderation/users/{lea_id}", json=warn)) == (409, "SELF")
    done(lea.post(f"{API}/moderation/users/{max_id}", json={**warn, "room": 2}))
    for client, body, refusal in (
        (lea, {**warn, "what": "ban"}, (403, "NOT_ALLOWED")),
        (lea, {**warn, "room": 3}, (403, "NOT_ALLOWED")),
        (admin, {**warn, "what": "ban"}, (400, "BAD_OPTION")),
        (admin, {**warn, "room": 999}, (404, "NOT_FOUND")),
    ):
        assert error(client.post(f"{API}/moderation/users/{max_id}", json=body)) == refusal
    (told,) = done(max_.get(f"{API}/me/rulings"))["rows"]
    assert (told["what"], told["room"]) == ("warn", 2)
    # What somebody reports in another room, or of no room, he does not see, nor can he answer it.
    bodies = [{"kind": "abuse", "user": max_id, "ref": ref, "text": "words"} for ref in ("room:2", "room:3", "")]
    here, there, nowhere = [done(max_.post(f"{API}/reports", json=body))["report"] for body in bodies]
    queue = done(lea.get(f"{API}/moderation/reports?limit=200"))["rows"]
    assert [(row["id"], row["room"]) for row in queue] == [(here, 2)]
    assert [row["what"] for row in done(lea.get(f"{API}/moderation/reports/{here}"))["rulings"]] == ["warn"]
    for number in (there, nowhere):
        assert error(lea.get(f"{API}/moderation/reports/{number}")) == (403, "NOT_ALLOWED")
        ruling = {**warn, "room": 2, "report": number}
        assert error(lea.post(f"{API}/moderation/users/{max_id}", json=ruling)) == (403, "NOT_ALLOWED")
    wrong = {**warn, "room": 1, "report": here}
    assert error(lea.post(f"{API}/moderation/users/{adm}", json=wrong)) == (400, "BAD_OPTION")
    done(lea.post(f"{API}/moderation/reports/{here}/dismiss", json={"reason": "nothing in it"}))
    # Whoever deletes his account names nobody any more.
    done(lea.request("DELETE", f"{API}/me", json={"password": "long enough"}))
    assert named() == [(1, max_id)]
    assert error(name(lea_id, 1)) == (404, "NOT_FOUND")
    done(name(max_id, 1, "user"))
    assert named() == []
    assert error(max_.get(f"{API}/moderation/reports")) == (403, "NOT_ALLOWED")


def test_every_act_stands_in_the_audit(come: Come) -> None:
    moderator, mod = come("moddora")
    admin, adm = come("admin_eve")
    gil, gil_id = come("gil")
    number = done(gil.post(f"{API}/reports", json={"kind": "name", "text": "nobody in particular"}))["report"]
    acts: list[tuple[Calls, str, Any, str, int]] = [
        (moderator, f"/moderation/users/{gil_id}", {"what": "warn", "reason": "r1"}, "moderation.acted", mod),
        (moderator, f"/moderation/users/{gil_id}", {"what": "mute", "reason": "r2"}, "moderation.acted", mod),
        (moderator, f"/moderation/users/{gil_id}", {"what": "unmute", "reason": "r3"}, "moderation.acted", mod),
        (moderator, f"/moderation/reports/{number}/dismiss", {"reason": "r4"}, "moderation.dismissed", mod),
        (admin, "/admin/grants", {"user": gil_id, "amount": 5, "note": "r5"}, "wallet.granted", adm),
        (admin, "/admin/codes", {"code": "AUDIT", "coins": 5, "note": "r6"}, "code.made", adm),
        (admin, "/admin/roles", {"user": gil_id, "role": "moderator"}, "role.given", adm),
    ]
    for client, path, body, _, _ in acts:
        done(client.post(f"{API}{path}", json=body))
    assert error(moderator.get(f"{API}/moderation/audit")) == (403, "NOT_ALLOWED")
    everything = done(admin.get(f"{API}/moderation/audit?limit=200"))["rows"]
    rows = [row for row in everything if row["actor"] is not None and row["actor"]["id"] in (mod, adm)]
    found = [(row["type"], row["actor"]["id"]) for row in rows]
    assert found == [(type, actor) for _, _, _, type, actor in reversed(acts)]
    assert [row["data"].get("reason") or row["data"].get("ref") or row["data"].get("note") for row in rows[1:7]] == [
        "r6", "grant", "r4", "r3", "r2", "r1",
    ]  # fmt: skip


def test_a_role_given_at_the_terminal_stands_in_the_audit(request: pytest.FixtureRequest, folder: Path) -> None:
    settings = "[bots]\nworkers = 0\n"
    with shared(request, folder, settings) as server, Calls(base_url=server.url, timeout=60) as ann:
        user = ann.post(f"{API}/register", json={"name": "ann", "password": "long enough"}).json()["user"]["id"]
        server.stop()
        for role in ("moderator", "admin"):
            assert cli.main(["role", "ann", role, "--data", str(folder)]) == 0
        for _ in range(2):  # once, however often the hall starts
            server.start()
            acts = done(ann.get(f"{API}/moderation/audit"))["rows"]
            server.stop()
        told = [(row["type"], row["actor"], row["data"]) for row in acts if row["type"] == "role.given"]
        assert told == [("role.given", None, {"user": user, "role": "admin"})]
        assert [row["data"]["changed"] for row in acts if row["type"] == "config.changed"] == [{"bots.workers": [1, 0]}]


def test_reports_have_a_limit(come: Come) -> None:
    hal, _ = come("hal")
    body = {"kind": "abuse", "text": "again"}
    for _ in range(20):
        done(hal.post(f"{API}/reports", json=body))
    assert error(hal.post(f"{API}/reports", json=body)) == (429, "RATE_LIMIT")


@pytest.mark.calm
def test_two_of_one_address_are_refused_or_flagged(come: Come, hall: Server) -> None:
    moderator, _ = come("modfay")
    (ida, ida_id), (jon, jon_id) = come("ida"), come("jon")
    rooms = {row["kind"]: row["room"] for row in done(ida.get(f"{API}/rooms?game=xiangqi"))["rows"]}
    lowest, first = 100 * rooms["pass"] + 18, 100 * rooms["score"] + 1

    async def sits(client: Calls, table: int, seat: int, line: ClientConnection) -> str:
        commands: list[dict[str, Any]] = [
            {"t": "sit", "cid": f"s{table}", "table": table, "seat": seat},
            {"t": "ready", "cid": f"r{table}", "table": table, "on": True},
        ]
        for command in commands:
            await line.send(json.dumps(command))
            while (answer := json.loads(await line.recv()))["t"] not in ("ack", "err"):
                pass
            if answer["t"] == "err":
                return str(answer["code"])
        return "ack"

    async def visit() -> None:
        lines = []
        for client in (ida, jon):
            headers = {"cookie": f"qipai={client.cookies['qipai']}", "x-forwarded-for": "203.0.113.9"}
            line = await connect(hall.url.replace("http", "ws") + "/ws", additional_headers=headers)
            await line.send(json.dumps({"t": "hello", "v": 1}))
            assert json.loads(await line.recv())["t"] == "welcome"
            lines.append(line)
        assert await sits(ida, lowest, 0, lines[0]) == "ack"
        assert await sits(jon, lowest, 1, lines[1]) == "SAME_ADDRESS"
        assert await sits(ida, first, 0, lines[0]) == "ack"
        assert await sits(jon, first, 1, lines[1]) == "ack"
        found: list[Any] = []
        while not found:  # it is written beside the game, soon
            rows = done(moderator.get(f"{API}/moderation/reports?limit=200"))["rows"]
            found = [row for row in rows if row["kind"] == "flag"]
            await asyncio.sleep(0.05)
        assert [(row["by"], row["user"]["id"], row["other"]["id"]) for row in found] == [(None, jon_id, ida_id)]
        facts = found[0]["facts"]
        assert (facts["why"], facts["shared"], facts["game"], facts["table"]) == ("address", "device", "xiangqi", first)
        view = done(moderator.get(f"{API}/moderation/reports/{found[0]['id']}"))
        assert (view["played"]["table"], view["played"]["ended_at"]) == (first, None)
        for line in lines:
            await line.close()

    run(visit)
