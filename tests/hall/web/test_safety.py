"""What a token, another site's page and a wrong password come to, for every call there is (issue 7, bad input)."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
from tests.client import Calls, Server
from websockets.asyncio.client import connect

from qipai import cli
from qipai.accounts.model import SCOPES
from qipai.web.schema import CALLS  # type: ignore[attr-defined]

API = "/api/v1"
# Nobody has to be signed in for these.
OPEN = {"/guest", "/register", "/login", "/login/passkey/ask", "/login/passkey", "/games/{game}/lessons/{lesson}"}
OPEN |= {"/reset/look", "/reset", "/reset/mail"}
OPEN |= {"/sandbox"}  # nothing of it is kept
OPEN |= {"/games/{game}/rulings/{case}"}
OPEN |= {"/problems/{id:int}/look", "/problems/{id:int}/answer"}  # guests solve, unrated
OPEN |= {"/letters/stop"}  # by the link in a letter
OPEN |= {"/reset/look", "/reset", "/reset/mail", "/contact"}
OPEN |= {"/learn/{game}/{step}", "/learn/{game}/{step}/deal", "/learn/{game}/{step}/advice"}  # they hold nothing
EVIL = "https://evil.example"
# A body that each call understands: whether somebody may ask is judged after whether he can be understood.
BODIES: dict[str, Any] = {
    "/pictures/{id:int}": {"caption": "x", "visible": "me", "album": 1},
    "/invites": {"game": "xiangqi"},
    "/pair": {"game": "xiangqi"},
    "/me": {"password": "not the one"},
    "/me/password": {"old": "not the one", "password": "long enough"},
    "/reports": {"kind": "abuse", "text": "x"},
    "/me/rulings/{id:int}/appeal": {"text": "x"},
    "/moderation/reports/{id:int}/dismiss": {"reason": "x"},
    "/moderation/users/{id:int}": {"what": "warn", "reason": "x"},
    "/moderation/lines/{id:int}/remove": {"reason": "x"},
    "/moderation/tables/{id:int}/close": {"reason": "x"},
    "/moderation/games/{game_id}/reverse": {"user": 1, "reason": "x"},
    "/moderation/addresses": {"address": "203.0.113.9", "reason": "x"},
    "/moderation/addresses/lift": {"address": "203.0.113.9", "reason": "x"},
    "/me/name": {"name": "another"},
    "/admin/grants": {"user": 1, "amount": 1, "note": "x"},
    "/admin/codes": {"coins": 1},
    "/admin/roles": {"user": 999999, "role": "user"},
    "/tokens": {"name": "x", "scopes": ["play"]},
    "/tables": {"game": "xiangqi"},
    "/play": {"game": "nosuchgame"},
    "/friends": {"user": 1},
    "/blocks": {"user": 1},
    "/groups": {"name": "x"},
    "/groups/{id:int}": {"name": "x"},
    "/shop": {"item": "song"},
    "/redeem": {"code": "x"},
    "/register": {"name": "evilname", "password": "long enough"},
    "/login": {"name": "keeper", "password": "long enough"},
    "/tournaments": {"form": {"name": "x", "format": "swiss", "terms": {"game": "xiangqi"}}},
    "/tournaments/{id:int}/agree": {"no": 1},
    "/ponds": {"form": {"name": "x", "starts_at": 4_000_000_000_000}},
    "/teams": {"form": {"name": "x", "terms": {"game": "xiangqi"}, "starts_at": 4_000_000_000_000}},
    "/teams/{id:int}/accept": {"team": 1},
    "/interviews": {"player": 1, "title": "x", "text": "x", "lang": "en"},
    "/interviews/{id:int}/edit": {"title": "x", "text": "x", "lang": "en"},
    "/interviews/{id:int}/pick": {"questions": [1]},
    "/problems": {"game": "xiangqi", "start": "x"},
    "/polls": {"question": "x", "options": ["a", "b"], "closes": 1},
    "/teams/{id:int}/decline": {"team": 1},
    "/teams/{id:int}/lineup": {"users": [1]},
}
PLACES = {
    "id:int": "999999",
    "n:int": "1",
    "ref": "post:1",
    "news:int": "999999",
    "team:int": "999999",
    "game_id": "nosuchgame",
    "game": "xiangqi",
    "lesson": "x",
    "step": "x",
    "lang": "en",
    "key": "x",
    "place": "hall",
    "size": "large",
    "file": "2026-11.json",
}
PLACES |= {"case": "xiangqi-why-044"}
PLACES |= {
    "name": "xiangqi",
    "day": "2026-01-01",
    "other": "nosuchgame",
    "ref": "post:1",
    "no:int": "1",
}  # of stairs, of a duplicate, of a report
CLUB_TERMS = {"terms": {"game": "xiangqi", "rated": False}}
BODIES |= {"/me/lessons": {"done": {}}}
BODIES |= {
    "/clubs/{id:int}/rank": {"user": 1, "rank": "member"},
    "/clubs/{id:int}/stairs": CLUB_TERMS,
    "/clubs/{id:int}/teams/{team:int}/lineup": {"users": [1]},
    "/clubs/{id:int}/teams/{team:int}/challenge": CLUB_TERMS,
}
CHANGES = [call for call in CALLS if call.method != "GET"]


def names(calls: list[Any]) -> list[str]:
    return [f"{call.method} {call.path}" for call in calls]


def ask(client: httpx.Client, call: Any, **headers: str) -> tuple[int, str]:
    where = re.sub(r"\{([\w:]+)\}", lambda found: PLACES[found[1]], call.path)
    body: Any = None if call.method == "GET" or call.body is None else {}
    if body is not None and (call.method != "DELETE" or call.path == "/me" or filled(call.body)):
        body = BODIES.get(call.path) or filled(call.body)
    answer = client.request(call.method, f"{API}{where}", json=body, headers=headers)
    return answer.status_code, answer.json()["error"]["code"] if answer.status_code >= 400 else ""


def filled(body: Any) -> dict[str, Any]:
    """Return a message with its required fields, each of its type."""
    kinds: dict[Any, Any] = {str: "abcdefghijklmnop", int: 1, bool: True, bytes: "YWJj", dict: {}}
    names: dict[str, Any] = {"email": "a@b.example", "old": "long enough", "password": "long enough", "code": "123456"}
    names["answer"] = {"id": "YWJj", "rawId": "YWJj", "response": {"clientDataJSON": "YWJj"}, "type": "public-key"}
    found: dict[str, Any] = {}
    if not hasattr(body, "__struct_fields__"):
        return found
    for field in msgspec.structs.fields(body):
        if field.required:
            kind = getattr(field.type, "__origin__", field.type)
            found[field.encode_name] = names.get(field.name, kinds.get(kind, "abcdefghijklmnop"))
    return found


@pytest.fixture(scope="module")
def keeper(hall: Server) -> Iterator[httpx.Client]:
    """The hall's administrator, who may do everything."""
    with Calls(base_url=hall.url, timeout=60) as client:
        client.post(f"{API}/register", json={"name": "keeper", "password": "long enough"})
        assert cli.main(["role", "keeper", "admin", "--data", str(hall.data)]) == 0
        yield client


def program(hall: Server, keeper: httpx.Client, *scopes: str) -> httpx.Client:
    token = keeper.post(f"{API}/tokens", json={"name": "x", "scopes": scopes}).json()["token"]
    return Calls(base_url=hall.url, timeout=60, headers={"authorization": f"Bearer {token}"})


# Tokens


def test_what_changes_something_is_for_a_scope_or_for_people_alone() -> None:
    for call in CHANGES:
        assert call.path in OPEN or call.who == "cookie" or (call.who == "signed" and call.scopes), call.path
    for call in CALLS:
        assert call.scopes <= SCOPES
        if call.path.startswith(("/moderation", "/admin", "/tokens", "/me/")) and call.path != "/me/settings":
            assert call.who == "cookie", (
                call.path
            )  # no token keeps the order, makes tokens, or reads what is mine alone


@pytest.mark.parametrize("scope", sorted(SCOPES))
def test_a_token_does_nothing_that_its_scope_lacks(hall: Server, keeper: httpx.Client, scope: str) -> None:
    with program(hall, keeper, scope) as client:
        for call in CALLS:
            if call.path in ("/register", "/guest"):
                continue
            found = ask(client, call)
            if call.who == "cookie" or (call.scopes and scope not in call.scopes):
                assert found == (403, "NOT_ALLOWED"), (call.method, call.path, found)
            elif call.who == "signed":
                assert found[1] not in ("SIGN_IN", "BAD_MESSAGE"), (call.method, call.path, found)


def test_without_a_login_or_with_a_token_that_is_none_one_is_asked_to_sign_in(hall: Server) -> None:
    with Calls(base_url=hall.url, timeout=60) as client:
        for call in CALLS:
            if call.path in ("/register", "/guest"):
                continue
            if call.who != "anyone":
                assert ask(client, call) == (401, "SIGN_IN"), (call.method, call.path)
            assert ask(client, call, authorization="Bearer nosuchtoken") == (401, "SIGN_IN"), (call.method, call.path)


@pytest.mark.calm
def test_on_the_socket_a_token_does_what_its_scope_covers_and_keeps_no_order(
    hall: Server, keeper: httpx.Client
) -> None:
    owner = Calls(base_url=hall.url, timeout=60)
    owner.post(f"{API}/guest", json={})
    table = owner.post(f"{API}/play", json={"game": "xiangqi"}).json()["table"]
    owner.close()

    async def told(scope: str) -> str:
        with program(hall, keeper, scope) as client:
            token = client.headers["authorization"].partition(" ")[2]
        async with connect(hall.url.replace("http", "ws") + "/ws") as line:
            remove = {"t": "remove", "cid": f"c-{scope}", "table": table, "seat": 0, "why": "because"}
            for message in ({"t": "hello", "v": 1, "token": token}, {"t": "join", "table": table}, remove):
                await line.send(json.dumps(message))
            while True:
                answer = json.loads(await line.recv())
                if answer["t"] in ("ack", "err"):
                    return str(answer.get("code", "ack"))

    for scope in sorted(SCOPES):
        assert asyncio.run(told(scope)) == "NOT_ALLOWED", scope


# Pages of other sites


@pytest.mark.parametrize("call", CHANGES, ids=names(CHANGES))
def test_a_page_of_another_site_changes_nothing(keeper: httpx.Client, call: Any) -> None:
    for headers in (
        {"origin": EVIL},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": str(keeper.base_url), "content-type": "text/plain"},
        {"origin": EVIL, "content-type": "application/x-www-form-urlencoded"},
    ):
        assert ask(keeper, call, **headers) == (400, "BAD_ORIGIN"), headers


def test_no_answer_may_be_read_by_another_sites_page(keeper: httpx.Client) -> None:
    for call in CALLS:
        if call.method == "GET":
            where = re.sub(r"\{([\w:]+)\}", lambda found: PLACES[found[1]], call.path)
            answer = keeper.get(f"{API}{where}", headers={"origin": EVIL})
            assert not [name for name in answer.headers if name.startswith("access-control")], call.path
            assert answer.headers["x-content-type-options"] == "nosniff", call.path


# Sign-in


@pytest.mark.slow
def test_a_wrong_name_and_a_wrong_password_answer_alike(hall: Server, keeper: httpx.Client) -> None:
    answers = []
    for name, password in (
        ("keeper", "wrong one"),
        ("nobodyatall", "wrong one"),
        ("x" * 64, ""),
        ("游客-0001", "wrong"),
    ):
        with Calls(base_url=hall.url, timeout=60) as client:
            answer = client.post(f"{API}/login", json={"name": name, "password": password})
        headers = {key: value for key, value in answer.headers.items() if key != "date"}
        answers.append((answer.status_code, answer.content, headers))
    assert answers[0][0] == 401
    assert all(answer == answers[0] for answer in answers)
