"""The HTTP calls: who may, what is answered, what is refused with which status (platform 13.2)."""

from __future__ import annotations

import asyncio
import re
import socket
from typing import Any

import httpx
import pytest
from tests.client import Calls, Person, Refused, Server
from tests.hall.web.conftest import run

from qipai import games, lang

API = "/api/v1"


def fresh(server: Server) -> httpx.Client:
    return Calls(base_url=server.url, timeout=60)


def error(answer: httpx.Response) -> tuple[int, str, dict[str, Any]]:
    found = answer.json()["error"]
    assert found.keys() == {"code", "facts"}
    return answer.status_code, found["code"], found["facts"]


# coming in


def test_a_guest_comes_in_with_one_call(hall: Server) -> None:
    with fresh(hall) as http:
        answer = http.post(f"{API}/guest", json={})
        user = answer.json()["user"]
        assert answer.status_code == 200
        assert (user["kind"], user["name"][:3]) == ("guest", "游客-")
        cookie = answer.headers["set-cookie"]
        assert re.match(r"qipai=[\w-]{40,}; ", cookie)
        assert {"HttpOnly", "SameSite=lax", "Path=/", f"Max-Age={30 * 86400}"} <= set(cookie.split("; "))
        assert "Secure" not in cookie  # this is plain http
        again = http.post(f"{API}/guest", json={})
        assert again.json()["user"] == user  # who is in is in
        assert "set-cookie" not in again.headers
        me = http.get(f"{API}/me").json()
        assert (me["user"], me["role"], me["tables"], me["scores"]) == (user, "guest", [], {})


def test_over_tls_the_cookie_is_for_tls_alone(hall: Server) -> None:
    with fresh(hall) as http:
        answer = http.post(f"{API}/guest", json={}, headers={"x-forwarded-proto": "https"})
        assert "Secure" in answer.headers["set-cookie"]


def test_a_program_gets_a_token(hall: Server) -> None:
    with fresh(hall) as http:
        answer = http.post(f"{API}/guest", json={"token": True}).json()
    with fresh(hall) as http:
        http.headers["authorization"] = f"Bearer {answer['token']}"
        assert http.get(f"{API}/me").json()["user"] == answer["user"]
        assert http.post(f"{API}/play", json={"game": "xiangqi"}).status_code == 200


def test_a_guest_registers_and_keeps_its_games(hall: Server) -> None:
    with fresh(hall) as http:
        guest = http.post(f"{API}/guest", json={}).json()["user"]
        table = http.post(f"{API}/play", json={"game": "xiangqi"}).json()["table"]
        body = {"name": "海潮生", "password": "long enough", "lang": "en", "zone": "Asia/Shanghai"}
        user = http.post(f"{API}/register", json=body).json()["user"]
        assert user == {"id": guest["id"], "name": "海潮生", "kind": "user"}
        me = http.get(f"{API}/me").json()
        assert (me["user"], me["tables"], me["settings"]) == (user, [table], {"lang": "en", "zone": "Asia/Shanghai"})
        taken = http.post(f"{API}/register", json={**body, "name": "海潮生"})
        assert error(taken) == (409, "NAME_TAKEN", {"free": ["海潮生2", "海潮生3", "海潮生7"]})
        # A browser's zone that the hall does not know keeps nobody out.
        assert http.post(f"{API}/register", json={**body, "name": "登月人", "zone": "Moon/Base"}).status_code == 200
        assert http.get(f"{API}/me").json()["settings"] == {"lang": "en"}


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({"name": "ab", "password": "long enough"}, (400, "NAME_BAD", {"least": 3, "most": 20})),
        ({"name": "Admin", "password": "long enough"}, (400, "NAME_BAD", {"least": 3, "most": 20})),
        ({"name": "somebody", "password": "short"}, (400, "PASSWORD_WEAK", {"least": 8})),
        ({"name": "somebody"}, (400, "BAD_MESSAGE", {"field": "password"})),
        ({"name": "somebody", "password": 8}, (400, "BAD_MESSAGE", {"field": "password"})),
        (
            {"name": "somebody", "password": "long enough", "email": "nonsense"},
            (400, "BAD_MESSAGE", {"field": "email"}),
        ),
        ({"name": "somebody", "password": "long enough", "age": 9}, (400, "BAD_MESSAGE", {"field": "age"})),
        ({"name": "somebody", "password": "long enough", "lang": "tlh"}, (400, "BAD_MESSAGE", {"field": "lang"})),
    ],
)
def test_a_registration_that_is_refused(hall: Server, body: Any, refusal: Any) -> None:
    with fresh(hall) as http:
        answer = http.post(f"{API}/register", json=body)
        assert error(answer) == refusal
        assert "set-cookie" not in answer.headers


def test_signing_in_and_out(hall: Server) -> None:
    with fresh(hall) as http, fresh(hall) as other:
        body = {"name": "Signer", "password": "long enough"}
        user = http.post(f"{API}/register", json=body).json()["user"]
        for wrong in ({**body, "password": "wrong"}, {**body, "name": "Nobody"}):
            assert error(other.post(f"{API}/login", json=wrong)) == (401, "BAD_LOGIN", {})
        assert other.post(f"{API}/login", json={**body, "name": "sIGNER"}).json() == {"user": user}
        assert other.get(f"{API}/me").json()["user"] == user
        out = other.post(f"{API}/logout", json={})
        assert (out.status_code, out.json()) == (200, {})
        assert 'qipai="";' in out.headers["set-cookie"]
        assert error(other.get(f"{API}/me")) == (401, "SIGN_IN", {})
        assert http.get(f"{API}/me").status_code == 200  # the other device stays signed in
        other.post(f"{API}/login", json=body)
        http.post(f"{API}/logout", json={"everywhere": True})
        stale = other.get(f"{API}/me")
        assert error(stale) == (401, "SIGN_IN", {})
        assert "Max-Age=0" in stale.headers["set-cookie"]  # the cookie stands for nobody and goes


@pytest.mark.slow
def test_ten_wrong_passwords_shut_the_door(strict: Server) -> None:
    with fresh(strict) as http:
        for _ in range(10):
            assert error(http.post(f"{API}/login", json={"name": "Target", "password": "wrong"}))[0] == 401
        status, code, facts = error(http.post(f"{API}/login", json={"name": "Target", "password": "wrong"}))
        assert (status, code) == (429, "RATE_LIMIT")
        assert 0 < facts["wait_ms"] <= 900_000


@pytest.mark.slow
def test_another_password_ends_the_other_logins(hall: Server) -> None:
    async def visit() -> None:
        async with Person(hall) as one, Person(hall) as other, Person(hall) as third:
            await one.register("newpass", "the first one")
            await other.post("/login", {"name": "newpass", "password": "the first one"})
            for old, new, code in (
                ("not this", "long enough", "BAD_LOGIN"),
                ("the first one", "short", "PASSWORD_WEAK"),
            ):
                with pytest.raises(Refused, match=code):
                    await one.post("/me/password", {"old": old, "password": new})
            await one.post("/me/password", {"old": "the first one", "password": "the second one"})
            await one.get("/me")
            with pytest.raises(Refused, match="SIGN_IN"):
                await other.get("/tokens")
            with pytest.raises(Refused, match="BAD_LOGIN"):
                await third.post("/login", {"name": "newpass", "password": "the first one"})
            await third.post("/login", {"name": "newpass", "password": "the second one"})

    run(visit)


def test_signing_out_of_a_rated_game_names_its_price(hall: Server) -> None:
    async def visit() -> None:
        async with Person(hall) as red, Person(hall) as black:
            rooms = (await red.get("/rooms?game=xiangqi"))["rows"]
            room = next(row["room"] for row in rooms if row["kind"] == "score")
            tables = (await red.get(f"/rooms/{room}"))["tables"]
            at = tables[-1]["table"]
            for seat, (person, name) in enumerate([(red, "Leaver"), (black, "Stayer")]):
                await person.register(name)
                await person.line()
                await person.command("sit", table=at, seat=seat)
            for person in (red, black):
                await person.command("ready", table=at, on=True)
            await red.tables[at].until(lambda t: t.info["state"] == "playing")
            with pytest.raises(Refused) as price:
                await red.post("/logout")
            assert (price.value.code, price.value.status) == ("CONFIRM_QUIT", 409)
            assert (price.value.facts["score"], price.value.facts["credibility"]) == (-2, -5)
            await red.post("/logout", {"confirm": True})
            await black.tables[at].until(lambda t: t.result)
            assert [paid["score"] for paid in black.tables[at].result["paid"]] == [-2, None]
            await red.until(lambda: red.failed)
            assert red.codes == [4001]
            assert {"t": "bye", "why": "signed_out"} in red.other

    run(visit)


# tokens


def test_tokens_have_names_and_scopes_and_are_shown_once(hall: Server) -> None:
    with fresh(hall) as http, fresh(hall) as program:
        http.post(f"{API}/guest", json={})
        made = http.post(f"{API}/tokens", json={"name": "robot", "scopes": ["watch"]}).json()
        rows = http.get(f"{API}/tokens").json()["rows"]
        assert [(row["id"], row["name"], row["scopes"]) for row in rows] == [(made["id"], "robot", ["watch"])]
        assert made["token"] not in http.get(f"{API}/tokens").text
        program.headers["authorization"] = f"Bearer {made['token']}"
        assert program.get(f"{API}/me").status_code == 200
        for path, body in [("play", {"game": "xiangqi"}), ("tables", {"game": "xiangqi"}), ("logout", {})]:
            assert error(program.post(f"{API}/{path}", json=body)) == (403, "NOT_ALLOWED", {})
        assert error(program.post(f"{API}/tokens", json={"name": "x", "scopes": ["play"]}))[1] == "NOT_ALLOWED"
        assert http.request("DELETE", f"{API}/tokens/{made['id']}", json={}).status_code == 200
        assert error(program.get(f"{API}/me")) == (401, "SIGN_IN", {})
        assert error(http.request("DELETE", f"{API}/tokens/{made['id']}", json={})) == (404, "NOT_FOUND", {})


@pytest.mark.parametrize("scopes", [[], ["fly"], "play", None])
def test_a_scope_that_is_none_is_refused(hall: Server, scopes: Any) -> None:
    with fresh(hall) as http:
        http.post(f"{API}/guest", json={})
        answer = http.post(f"{API}/tokens", json={"name": "robot", "scopes": scopes})
        assert error(answer) == (400, "BAD_MESSAGE", {"field": "scopes"})


# what every call keeps to


@pytest.mark.parametrize("path", ["me", "tokens"])
def test_who_is_not_in_is_told_to_sign_in(hall: Server, path: str) -> None:
    with fresh(hall) as http:
        assert error(http.get(f"{API}/{path}")) == (401, "SIGN_IN", {})
        http.headers["authorization"] = "Bearer nonsense"
        assert error(http.get(f"{API}/games")) == (401, "SIGN_IN", {})  # a token that is none is not overlooked


def test_changes_come_from_the_halls_own_pages(hall: Server) -> None:
    with fresh(hall) as http:
        for origin in ("https://evil.example", "null", ""):
            answer = http.post(f"{API}/guest", json={}, headers={"origin": origin})
            assert error(answer) == (400, "BAD_ORIGIN", {})
            assert "set-cookie" not in answer.headers
        assert http.get(f"{API}/games", headers={"origin": "https://evil.example"}).status_code == 200
        assert http.post(f"{API}/guest", json={}, headers={"origin": hall.url}).status_code == 200


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        (b"{", (400, "BAD_MESSAGE", {"field": ""})),
        (b"[]", (400, "BAD_MESSAGE", {"field": ""})),
        (b"\xff", (400, "BAD_MESSAGE", {"field": ""})),
        (b"[" * 20000, (400, "BAD_MESSAGE", {"field": ""})),
        (b'{"token":1}', (400, "BAD_MESSAGE", {"field": "token"})),
        (b'{"cid":"a b"}', (400, "BAD_MESSAGE", {"field": "cid"})),
        (b'{"x":"' + b"x" * 70000 + b'"}', (413, "TOO_BIG", {})),
    ],
)
def test_a_body_that_is_none_is_refused(hall: Server, body: bytes, refusal: Any) -> None:
    with fresh(hall) as http:
        assert error(http.post(f"{API}/guest", content=body)) == refusal


def test_a_body_may_be_missing_where_nothing_need_be_said(hall: Server) -> None:
    with fresh(hall) as http:
        assert http.post(f"{API}/guest").status_code == 200


def test_what_is_not_there_is_not_found(hall: Server) -> None:
    with fresh(hall) as http:
        for path in ("nothing", "bot/nothing", "rankings/whist", "games/whist", "rooms/999", "g/nosuchgame"):
            assert error(http.get(f"{API}/{path}")) == (404, "NOT_FOUND", {}), path
        for path in (f"rooms/{10**40}", f"tables/{10**40}", "rooms/-1", "rooms/x"):
            assert error(http.get(f"{API}/{path}")) == (404, "NOT_FOUND", {}), path
        for path in ("nothing", "bot/nothing"):
            assert error(http.post(f"{API}/{path}", json={})) == (404, "NOT_FOUND", {}), path
        for path in ("tables/999999", "link/nosuchkey", "tables/0"):
            assert error(http.get(f"{API}/{path}")) == (404, "NO_SUCH_TABLE", {}), path
        wrong = http.get(f"{API}/login")
        assert error(wrong) == (405, "NOT_FOUND", {})
        assert wrong.headers["allow"] == "POST"


def test_who_hangs_up_in_the_middle_leaves_no_trace(hall: Server) -> None:
    with socket.create_connection(("127.0.0.1", hall.port)) as line:
        line.sendall(b"POST /api/v1/guest HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
    with socket.create_connection(("127.0.0.1", hall.port)) as line:
        line.sendall(b"\x16\x03\x01\x02\x00 this is no HTTP\r\n\r\n")
        assert b"400" in line.recv(1000)
    with fresh(hall) as http:
        assert http.get("/healthz").status_code == 200  # and the fixture finds the log empty


@pytest.mark.calm  # a token is told once: who asks another node for it with the same cid makes a second one
def test_a_repeated_cid_is_answered_and_not_carried_out_again(hall: Server) -> None:
    async def visit() -> None:
        async with Person(hall) as person, Person(hall) as other:
            await person.guest()
            await other.guest()
            body = {"game": "xiangqi", "cid": "table-1"}
            first, *others = await asyncio.gather(*(person.post("/tables", body) for _ in range(3)))
            assert [again["table"] for again in others] == [first["table"]] * 2
            assert first.get("again", False) + sum(again.get("again", False) for again in others) == 2
            assert await person.post("/tables", body) == {"table": first["table"], "again": True}
            assert (await other.post("/tables", body))["table"] != first["table"]  # a cid is one user's
            token = await person.post("/tokens", {"name": "a", "scopes": ["play"], "cid": "token-1"})
            again = await person.post("/tokens", {"name": "a", "scopes": ["play"], "cid": "token-1"})
            assert again == {**token, "again": True}
            assert len((await person.get("/tokens"))["rows"]) == 1
            with pytest.raises(Refused, match="BAD_OPTION"):
                await person.post("/tables", {"game": "whist", "cid": "table-2"})
            assert "again" not in await person.post("/tables", {"game": "xiangqi", "cid": "table-2"})

    run(visit)


# settings


def test_settings_are_the_same_everywhere(hall: Server) -> None:
    with fresh(hall) as http:
        http.post(f"{API}/guest", json={})
        both = {"theme": "dark", "volume": 0}
        assert http.patch(f"{API}/me/settings", json=both).json() == both
        assert http.patch(f"{API}/me/settings", json={"left_handed": True}).json()["theme"] == "dark"
        assert http.get(f"{API}/me").json()["settings"] == {"theme": "dark", "volume": 0, "left_handed": True}
        for change, field in [({"theme": "pink"}, "theme"), ({"volume": 101}, "volume"), ({"color": 1}, "color")]:
            assert error(http.patch(f"{API}/me/settings", json=change)) == (400, "BAD_MESSAGE", {"field": field})


# games and rooms


def test_every_game_is_described(hall: Server) -> None:
    with fresh(hall) as http:
        rows = http.get(f"{API}/games").json()["rows"]
        assert [row["game"] for row in rows] == list(games.names())
        for row in rows:
            assert http.get(f"{API}/games/{row['game']}").json() == row
            assert row["name"].keys() == set(lang.languages())
            assert set(row["bots"]) >= {"easy"}
            for option in row["options"]:
                assert option["values"] is None or option["default"] in option["values"]
                numbers = [value for value in option["values"] or () if isinstance(value, int)]
                assert option["kind"] == "bool" or numbers == sorted(numbers)
                if option["name"] == "start_level":
                    assert option["values"] == list("23456789TJQKA")
                if option["kind"] == "number" and option["default"] is not None:
                    assert (option["least"] or 0) <= option["default"] <= (option["most"] or 10**9)


def test_a_lesson_is_walked_step_by_step(hall: Server) -> None:
    with fresh(hall) as http:
        tasks = http.get(f"{API}/games/xiangqi/lessons").json()["rows"]
        horse = next(task for task in tasks if task["name"] == "horse")
        path = f"{API}/games/xiangqi/lessons/horse"
        after = http.post(path, json={"board": horse["board"], "move": horse["square"] + horse["targets"][0]}).json()
        assert after["square"] == horse["targets"][0]
        assert horse["square"] in after["targets"]
        blocked = http.post(path, json={"board": horse["board"], "move": "e5f7"})
        assert error(blocked) == (409, "leg_blocked", {"square": "e6"})
        for wrong in (
            {},
            {"board": 5, "move": "e5e6"},
            {"board": "x" * 500, "move": "e5e6"},
            {"board": "9", "move": ""},
        ):
            assert error(http.post(path, json=wrong))[1].islower(), wrong
        assert error(http.post(path, content=b"[]")) == (400, "BAD_MESSAGE", {"field": ""})
        for nothing in ("games/xiangqi/lessons/dragon", "games/whist/lessons/horse"):
            assert error(http.post(f"{API}/{nothing}", json={})) == (404, "NOT_FOUND", {})
        for game in games.names():
            has = http.get(f"{API}/games/{game}").json()["lessons"]
            assert http.get(f"{API}/games/{game}/lessons").status_code == (200 if has else 404)


def test_a_ruling_answers_what_a_reader_tries(hall: Server) -> None:
    with fresh(hall) as http:
        listed = http.get(f"{API}/games/xiangqi/rulings?lang=en").json()
        ruling = next(row for row in listed["rows"] if row["id"] == listed["codes"]["leg_blocked"])
        case = next(one for one in ruling["cases"] if one["id"] == "xiangqi-why-044")
        opened, path = case["opened"], f"{API}/games/xiangqi/rulings/xiangqi-why-044"
        assert opened["worked"]["refusal"]["code"] == "leg_blocked"
        tried = http.post(path, json={"did": [[opened["seat"], opened["action"]]]}).json()["found"]
        assert tried["refusal"] == opened["worked"]["refusal"]
        assert http.post(path, json={"at": 0}).json()["opened"]["scene"] == opened["scene"]
        assert error(http.post(path, json={"did": [[9, {}]]})) == (400, "BAD_MESSAGE", {"field": "did"})
        assert error(http.post(path, json={"given": [1]}))[1] == "BAD_MESSAGE"
        for nothing in ("games/xiangqi/rulings/dragon", "games/whist/rulings/x"):
            assert error(http.post(f"{API}/{nothing}", json={})) == (404, "NOT_FOUND", {})
        assert error(http.get(f"{API}/games/whist/glossary")) == (404, "NOT_FOUND", {})


def test_the_rules_are_searched_in_both_languages(hall: Server) -> None:
    with fresh(hall) as http:
        chinese = http.get(f"{API}/rules", params={"q": "塞象眼", "lang": "en"}).json()["rows"]
        assert {(hit["game"], hit["lang"]) for hit in chinese} >= {("xiangqi", "zh-CN")}
        hits = http.get(f"{API}/rules", params={"q": "crawford cube", "lang": "zh-CN"}).json()["rows"]
        assert ("backgammon", "match", "R24") in {(hit["game"], hit["chapter"], hit["anchor"]) for hit in hits}
        for hit in hits:
            assert hit["at"] is None or hit["text"][slice(*hit["at"])].casefold() in ("crawford", "cube")
        assert http.get(f"{API}/rules").json()["rows"] == []
        assert error(http.get(f"{API}/rules", params={"q": "x" * 61})) == (400, "BAD_MESSAGE", {"field": "q"})
        glossary = http.get(f"{API}/games/gouji/glossary?lang=en").json()["rows"]
        assert {"wind": "接风"}.items() <= {term["id"]: term["also"] for term in glossary}.items()


def test_rooms_are_listed_and_shown(hall: Server) -> None:
    with fresh(hall) as http:
        rows = http.get(f"{API}/rooms").json()
        assert rows["next"] is None
        assert {row["game"] for row in rows["rows"]} == set(games.names())
        for row in http.get(f"{API}/rooms?game=xiangqi").json()["rows"]:
            assert row["game"] == "xiangqi"
            room = http.get(f"{API}/rooms/{row['room']}").json()
            assert room["t"] == "room"
            assert len(room["tables"]) >= row["tables"] == (18 if row["kind"] == "pass" else 24)
        assert error(http.get(f"{API}/rooms?game=whist")) == (400, "BAD_OPTION", {"field": "game"})
        first = http.get(f"{API}/rooms?limit=1").json()
        assert len(first["rows"]) == 1
        second = http.get(f"{API}/rooms?limit=1&after={first['next']}").json()
        assert second["rows"][0] == rows["rows"][1]
        for limit in ("0", "201", "x"):
            assert error(http.get(f"{API}/rooms?limit={limit}")) == (400, "BAD_MESSAGE", {"field": "limit"})


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"game": "whist"}, "game"),
        ({"game": "xiangqi", "variant": "quantum"}, "variant"),
        ({"game": "xiangqi", "options": {"spice": 1}}, "spice"),
        ({"game": "gouji", "options": {"turn_seconds": 0}}, "turn_seconds"),
        ({"game": "xiangqi", "room": 999}, "room"),
        ({"game": "xiangqi", "clock": {"type": "hourglass"}}, "clock"),
    ],
)
def test_a_table_that_cannot_be(hall: Server, body: Any, field: str) -> None:
    with fresh(hall) as http:
        assert error(http.post(f"{API}/tables", json=body)) == (401, "SIGN_IN", {})
        http.post(f"{API}/guest", json={})
        assert error(http.post(f"{API}/tables", json=body)) == (400, "BAD_OPTION", {"field": field})


# sentences, pages, files


@pytest.mark.parametrize("name", list(lang.languages()))
def test_sentences_come_with_a_tag(hall: Server, name: str) -> None:
    with fresh(hall) as http:
        answer = http.get(f"{API}/lang/{name}")
        assert answer.json()["ROOM_FULL"] == lang.hall(name)["ROOM_FULL"]
        assert answer.headers["content-encoding"] == "gzip"
        same = http.get(f"{API}/lang/{name}", headers={"if-none-match": answer.headers["etag"]})
        assert (same.status_code, same.content) == (304, b"")
        plain = http.get(f"{API}/lang/{name}", headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.json() == answer.json()


def test_other_languages_are_not_spoken(hall: Server) -> None:
    with fresh(hall) as http:
        assert error(http.get(f"{API}/lang/tlh")) == (404, "NOT_FOUND", {})


@pytest.mark.parametrize("path", ["/", "/rooms/1", "/tables/101", "/g/k7f3q9x2", "/rules/gouji", "/t/abc-DEF_0"])
def test_every_page_is_the_client(hall: Server, path: str) -> None:
    with fresh(hall) as http:
        page = http.get(path)
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["cache-control"] == "no-cache"
        policy = page.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "script-src" not in policy  # so scripts come from the hall itself, and none stands in the page
        assert "frame-ancestors 'none'" in policy
        assert page.headers["x-content-type-options"] == "nosniff"
        assert "<script>" not in page.text
        assert http.get(path, headers={"if-none-match": page.headers["etag"]}).status_code == 304
        assert http.head(path).status_code == 200


def test_files_that_are_not_there_are_not_pages(hall: Server) -> None:
    with fresh(hall) as http:
        for path in ("/assets/nothing.js", "/nothing.png", "/assets/x", "/..%2f..%2fhouse.py", "/%00.html", "/ws"):
            answer = http.get(path)
            assert answer.status_code == (426 if path == "/ws" else 404), path
            assert b"import" not in answer.content
        assert http.post("/").status_code == 405


def test_the_house_is_well(hall: Server) -> None:
    with fresh(hall) as http:
        answer = http.get("/healthz")
        assert (answer.status_code, answer.text.partition(" (")[0].strip()) == (200, "ok")  # a node says more
        assert "server" not in answer.headers
