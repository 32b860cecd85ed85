"""Getting back in over HTTP: links for a forgotten password, and a second factor (P-2)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pyotp
import pytest
from tests.authenticator import Authenticator
from tests.client import Person, Server
from tests.client import Refused as Denied
from tests.hall.web.conftest import run
from tests.post import Post, link_in

from qipai import cli

pytestmark = pytest.mark.slow

API = "/api/v1"
OLD, NEW = "the forgotten one", "another long one"
Come = Callable[..., tuple[httpx.Client, int]]


@pytest.fixture(scope="module")
def come(hall: Server) -> Iterator[Come]:
    """How somebody registers; role: as what."""
    clients: list[httpx.Client] = []

    def come(name: str, role: str = "") -> tuple[httpx.Client, int]:
        client = httpx.Client(base_url=f"{hall.url}{API}", timeout=60)
        clients.append(client)
        user = client.post("/register", json={"name": name, "password": OLD}).json()["user"]["id"]
        if role:
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


def test_a_moderator_helps_who_forgot_the_password(come: Come, hall: Server) -> None:
    (moderator, mod), (admin, _) = come("link_mod", "moderator"), come("link_admin", "admin")
    _, id = come("Forgetful")
    made = done(moderator.post(f"/moderation/users/{id}/reset", json={"reason": "rang me up"}))
    start, _, secret = made["link"].partition("#")
    assert start == f"{hall.url}/reset"

    async def visit() -> None:
        async with Person(hall) as known, Person(hall) as fresh:
            known.user = (await known.post("/login", {"name": "forgetful", "password": OLD}))["user"]
            await known.line()
            token = (await known.post("/tokens", {"name": "robot", "scopes": ["play"]}))["token"]
            found = await fresh.post("/reset/look", {"secret": secret})
            assert (found["user"]["name"], found["until"]) == ("Forgetful", made["until"])
            with pytest.raises(Denied) as weak:
                await fresh.post("/reset", {"secret": secret, "password": "short"})
            assert (weak.value.code, weak.value.status) == ("PASSWORD_WEAK", 400)
            for _ in range(10):  # he has tried what he remembered
                with pytest.raises(Denied, match="BAD_LOGIN"):
                    await fresh.post("/login", {"name": "forgetful", "password": "wrong"})
            assert (await fresh.post("/reset", {"secret": secret, "password": NEW}))["user"]["id"] == id
            await known.until(lambda: known.failed)
            assert known.codes == [4001]
            with pytest.raises(Denied, match="SIGN_IN"):
                await known.get("/tokens")
            assert httpx.get(f"{hall.url}{API}/me", headers={"authorization": f"Bearer {token}"}).status_code == 401
            with pytest.raises(Denied, match="SIGN_IN"):
                await fresh.get("/me")  # the link sets a password; one signs in by oneself
            assert (await fresh.post("/login", {"name": "forgetful", "password": NEW}))["user"]["id"] == id
            for path, more in (("/reset/look", {}), ("/reset", {"password": OLD})):
                with pytest.raises(Denied) as spent:
                    await fresh.post(path, {"secret": secret, **more})
                told = (spent.value.status, spent.value.code, spent.value.facts)
                assert told == (404, "NOT_FOUND", {"case": "reset"})

    run(visit)
    acts = [row for row in done(admin.get("/moderation/audit"))["rows"] if row["stream"] == "resets"]
    told = [(row["type"], row["actor"]["id"], row["user"]["id"], row["data"].get("reason")) for row in acts]
    assert told == [("reset.used", id, id, None), ("reset.made", mod, id, "rang me up")]
    assert secret not in str(acts)


def test_who_may_make_a_link_for_whom(come: Come, hall: Server) -> None:
    people = {
        "admin": come("rank_admin", "admin"),
        "other_admin": come("rank_admin2", "admin"),
        "moderator": come("rank_mod", "moderator"),
        "other_moderator": come("rank_mod2", "moderator"),
        "keeper": come("rank_keeper"),
        "user": come("rank_user"),
    }
    keeper = {"user": people["keeper"][1], "role": "moderator", "room": 1}
    done(people["admin"][0].post("/admin/roles", json=keeper))

    def tries(who: str, whom: int) -> str:
        answer = people[who][0].post(f"/moderation/users/{whom}/reset", json={"reason": "x"})
        return "" if answer.status_code == 200 else str(answer.json()["error"]["code"])

    found = {who: [tries(who, id) for _, id in people.values()] for who in people}
    no = "NOT_ALLOWED"
    assert found == {
        "admin": ["SELF", "", "", "", "", ""],
        "other_admin": ["", "SELF", "", "", "", ""],
        "moderator": [no, no, "SELF", no, "", ""],
        "other_moderator": [no, no, no, "SELF", "", ""],
        "keeper": [no] * 6,
        "user": [no] * 6,
    }
    with httpx.Client(base_url=f"{hall.url}{API}", timeout=60) as stranger:
        assert error(stranger.post("/moderation/users/1/reset", json={"reason": "x"})) == (401, "SIGN_IN")
        guest = stranger.post("/guest", json={}).json()["user"]["id"]
    assert tries("admin", guest) == tries("admin", 10**6) == "NOT_FOUND"
    assert error(people["admin"][0].post(f"/moderation/users/{guest}/reset", json={})) == (400, "BAD_MESSAGE")


def test_a_link_from_the_terminal_works_in_the_running_hall(
    come: Come, hall: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    (admin, _), (_, id) = come("term_admin", "admin"), come("term_user")
    capsys.readouterr()
    assert cli.main(["admin", "link", "term_user", "--at", hall.url, "--data", str(hall.data)]) == 0
    secret = capsys.readouterr().out.strip().partition("#")[2]
    with httpx.Client(base_url=f"{hall.url}{API}", timeout=60) as client:
        done(client.post("/reset", json={"secret": secret, "password": NEW}))
        assert done(client.post("/login", json={"name": "term_user", "password": NEW}))["user"]["id"] == id
    acts = [row for row in done(admin.get("/moderation/audit"))["rows"] if row["data"].get("user") == id]
    assert [(row["type"], row["actor"] and row["actor"]["id"]) for row in acts] == [
        ("reset.used", id),
        ("reset.made", None),
    ]


# A second factor


def turned_on(client: httpx.Client) -> tuple[pyotp.TOTP, list[str]]:
    """Turn somebody's second factor on; return what his phone knows, and the recovery codes."""
    begun = done(client.post("/me/factor", json={"password": OLD}))
    assert begun["secret"] in begun["link"]
    totp = pyotp.TOTP(begun["secret"])
    return totp, done(client.post("/me/factor/confirm", json={"code": totp.at(time.time())}))["codes"]


def test_a_second_factor_is_turned_on_asked_for_and_turned_off(come: Come, hall: Server) -> None:
    client, id = come("twofold")
    other = httpx.Client(base_url=f"{hall.url}{API}", timeout=60)
    done(other.post("/login", json={"name": "twofold", "password": OLD}))
    assert done(client.get("/me/factor")) == {"since": None, "codes": 0}
    assert done(client.get("/me"))["second_factor"] == "off"
    assert error(client.post("/me/factor", json={"password": "wrong"})) == (401, "BAD_LOGIN")
    assert error(client.post("/me/factor/confirm", json={"code": "123456"})) == (401, "BAD_LOGIN")
    totp, codes = turned_on(client)
    assert done(client.get("/me/factor"))["codes"] == len(codes) == 10
    assert done(client.get("/me"))["second_factor"] == "on"
    assert error(client.post("/me/factor", json={"password": OLD})) == (403, "NOT_ALLOWED")
    assert error(other.get("/me")) == (401, "SIGN_IN")  # it was signed in without a code
    for code in (None, ""):
        assert error(other.post("/login", json={"name": "twofold", "password": OLD, "code": code})) == (
            401,
            "SECOND_FACTOR",
        )
    wrong = other.post("/login", json={"name": "twofold", "password": OLD, "code": codes[0][:-1]})
    assert (error(wrong), wrong.json()["error"]["facts"]) == ((401, "BAD_LOGIN"), {"case": "code"})
    assert "set-cookie" not in wrong.headers
    assert done(other.post("/login", json={"name": "twofold", "password": OLD, "code": codes[0]}))["user"]["id"] == id
    ahead = totp.at(time.time() + 30)  # the one after the one that turned it on
    assert done(other.post("/login", json={"name": "twofold", "password": OLD, "code": ahead}))["user"]["id"] == id
    body = {"password": OLD, "code": codes[1]}
    assert error(other.post("/me/factor/codes", json={**body, "password": "wrong"})) == (401, "BAD_LOGIN")
    fresh = done(other.post("/me/factor/codes", json=body))["codes"]
    assert error(other.request("DELETE", "/me/factor", json={"password": OLD, "code": codes[2]})) == (401, "BAD_LOGIN")
    done(other.request("DELETE", "/me/factor", json={"password": OLD, "code": fresh[0]}))
    assert done(other.post("/login", json={"name": "twofold", "password": OLD}))["user"]["id"] == id
    other.close()


def test_no_guest_and_no_program_has_a_second_factor(come: Come, hall: Server) -> None:
    client, _ = come("has_token")
    token = done(client.post("/tokens", json={"name": "x", "scopes": ["play"]}))["token"]
    with httpx.Client(base_url=f"{hall.url}{API}", timeout=60) as guest:
        guest.post("/guest", json={})
        assert error(guest.post("/me/factor", json={"password": OLD})) == (401, "SIGN_IN")
        program = {"authorization": f"Bearer {token}"}
        assert error(guest.get("/me/factor", headers=program)) == (403, "NOT_ALLOWED")


def test_an_administrator_lets_in_who_has_lost_everything(come: Come) -> None:
    (admin, adm), (moderator, _), (lost, id) = come("fa_admin", "admin"), come("fa_mod", "moderator"), come("fa_lost")
    where, because = f"/admin/users/{id}/factor", {"reason": "came in person"}
    assert error(admin.post(where, json=because)) == (404, "NOT_FOUND")
    turned_on(lost)
    assert error(moderator.post(where, json=because)) == error(lost.post(where, json=because)) == (403, "NOT_ALLOWED")
    assert error(admin.post(f"/admin/users/{adm}/factor", json=because)) == (409, "SELF")
    done(admin.post(where, json=because))
    done(lost.post("/login", json={"name": "fa_lost", "password": OLD}))
    act = done(admin.get("/moderation/audit"))["rows"][0]
    assert (act["type"], act["actor"]["id"], act["user"]["id"], act["data"]["reason"]) == (
        "factor.ended",
        adm,
        id,
        "came in person",
    )


def test_a_hall_may_ask_a_second_factor_of_all_who_keep_its_order(tmp_path: Path) -> None:
    settings = "[bots]\nworkers = 0\npace_ms = 0\n[accounts]\nmoderators_second_factor = true\nregister_pause_s = 0\n"
    with Server(tmp_path / "hall", settings) as server:
        run(lambda: _asked(server))
        assert (server.stop(), server.complaints()) == (0, "")


async def _asked(server: Server) -> None:
    async with Person(server) as admin, Person(server) as keeper, Person(server) as owner, Person(server) as user:
        for person, name in ((admin, "the_admin"), (keeper, "the_keeper"), (owner, "owner"), (user, "a_user")):
            await person.register(name, OLD)
        assert cli.main(["role", "the_admin", "admin", "--data", str(server.data)]) == 0
        assert keeper.user is not None
        assert user.user is not None

        async def refused(doing: Any) -> tuple[str, Any]:
            with pytest.raises(Denied) as found:
                await doing
            return found.value.code, found.value.facts.get("case")

        async def prove(person: Person) -> None:
            begun = await person.post("/me/factor", {"password": OLD})
            await person.post("/me/factor/confirm", {"code": pyotp.TOTP(begun["secret"]).at(time.time())})

        wanted = ("SECOND_FACTOR", "moderator")
        rows = (await user.get("/rooms?game=xiangqi"))["rows"]
        room = next(row["room"] for row in rows if row["kind"] == "friendly")
        name = {"user": keeper.user["id"], "role": "moderator", "room": room}  # type: ignore[assignment]
        assert await refused(admin.post("/admin/roles", name)) == wanted  # type: ignore[arg-type]
        assert await refused(admin.get("/moderation/audit")) == wanted
        assert await refused(admin.get("/moderation/reports")) == wanted
        assert await refused(user.get("/moderation/reports")) == ("NOT_ALLOWED", None)
        suggested = (await user.post("/tips", {"zh": "", "en": "Read the rules"}))["id"]
        assert (await admin.get("/tips"))["waiting"] == []
        assert await refused(admin.post(f"/tips/{suggested}/take")) == wanted
        await admin.post("/tips", {"zh": "", "en": "of no administrator yet"})
        assert (await user.get("/tips"))["rows"] == []
        assert (await admin.get("/me"))["second_factor"] == "wanted"
        assert (await user.get("/me"))["second_factor"] == "off"
        await prove(admin)
        assert (await admin.get("/me"))["second_factor"] == "on"
        await admin.post("/admin/roles", name)  # type: ignore[arg-type]

        # A moderator of a room, over HTTP and on a line that was open before.
        for person in (keeper, owner, user):
            await person.line()
        table = 100 * room + 1
        await owner.command("sit", table=table, seat=0)
        for person in (keeper, user):
            await person.join(table)
        assert await refused(keeper.get("/moderation/reports")) == wanted
        remove = {"table": table, "seat": 0, "why": "sits and sits"}
        assert await refused(keeper.command("remove", **remove)) == wanted
        assert await refused(user.command("remove", **remove)) == ("NOT_ALLOWED", "owner")
        await prove(keeper)
        await keeper.get("/moderation/reports")
        await keeper.command("remove", **remove)
        await keeper.tables[table].until(lambda at: at.seats[0]["user"] is None)


# Passkeys


def test_a_passkey_is_made_listed_used_and_removed(come: Come, hall: Server) -> None:
    client, id = come("keyed")
    host = hall.url.removeprefix("http://")
    one = Authenticator(hall.url, host.partition(":")[0])
    assert done(client.get("/ways")) == {"passkeys": True, "mail": False}
    assert error(client.post("/me/passkeys/ask", json={"password": "wrong"})) == (401, "BAD_LOGIN")
    options = done(client.post("/me/passkeys/ask", json={"password": OLD}))["options"]
    assert options["user"]["name"] == "keyed"
    row = done(client.post("/me/passkeys", json={"name": "my phone", "answer": one.make(options)}))
    assert done(client.get("/me/passkeys"))["rows"] == [row]
    assert (row["name"], row["host"], row["used_at"]) == ("my phone", one.host, None)
    with httpx.Client(base_url=f"{hall.url}{API}", timeout=60) as fresh:
        options = done(fresh.post("/login/passkey/ask", json={}))["options"]
        assert "allowCredentials" not in options or not options["allowCredentials"]  # it tells nobody who is here
        answer = one.sign(options)
        assert done(fresh.post("/login/passkey", json={"answer": answer}))["user"]["id"] == id
        assert done(fresh.get("/me"))["user"]["id"] == id
        assert error(fresh.post("/login/passkey", json={"answer": answer})) == (401, "BAD_LOGIN")
        assert error(fresh.post("/login/passkey", json={"answer": {"id": "x"}})) == (400, "BAD_MESSAGE")
        _, codes = turned_on(client)
        options = done(fresh.post("/login/passkey/ask", json={}))["options"]
        done(fresh.post("/login/passkey", json={"answer": one.sign(options)}))  # for a code, too
        assert error(fresh.post("/me/passkeys/ask", json={"password": OLD})) == (401, "SECOND_FACTOR")
        assert error(fresh.post("/me/passkeys/ask", json={"password": OLD, "code": "x"})) == (401, "BAD_LOGIN")
        done(fresh.post("/me/passkeys/ask", json={"password": OLD, "code": codes[0]}))
        done(client.request("DELETE", f"/me/passkeys/{row['id']}", json={}))
        assert error(client.request("DELETE", f"/me/passkeys/{row['id']}", json={})) == (404, "NOT_FOUND")
        options = done(fresh.post("/login/passkey/ask", json={}))["options"]
        assert error(fresh.post("/login/passkey", json={"answer": one.sign(options)})) == (401, "BAD_LOGIN")
        assert done(fresh.get("/me"))["user"]["id"] == id
        assert error(fresh.post("/me/passkeys", json={"name": "x", "answer": one.make(options)})) == (401, "BAD_LOGIN")


def test_who_is_banned_is_so_with_a_passkey_too(come: Come, hall: Server) -> None:
    (moderator, _), (client, id) = come("key_mod", "moderator"), come("key_banned")
    one = Authenticator(hall.url, "127.0.0.1")
    options = done(client.post("/me/passkeys/ask", json={"password": OLD}))["options"]
    done(client.post("/me/passkeys", json={"name": "x", "answer": one.make(options)}))
    done(moderator.post(f"/moderation/users/{id}", json={"what": "ban", "reason": "cheating"}))
    with httpx.Client(base_url=f"{hall.url}{API}", timeout=60) as fresh:
        options = done(fresh.post("/login/passkey/ask", json={}))["options"]
        assert error(fresh.post("/login/passkey", json={"answer": one.sign(options)})) == (403, "BANNED")


# Letters


def test_a_link_that_was_made_while_the_hall_stood_still_is_in_the_audit(tmp_path: Path) -> None:
    with Server(tmp_path / "hall", "[bots]\nworkers = 0\n[accounts]\nregister_pause_s = 0\n") as server:
        with httpx.Client(timeout=60) as client:
            body = {"name": "the_admin", "password": OLD}
            id = done(client.post(f"{server.url}{API}/register", json=body))["user"]["id"]
            assert server.stop() == 0
            where = ["--data", str(server.data)]
            assert cli.main(["role", "the_admin", "admin", *where]) == 0
            assert cli.main(["admin", "link", "the_admin", *where]) == 0
            server.start()
            acts = done(client.get(f"{server.url}{API}/moderation/audit"))["rows"]
        found = [(act["actor"], act["user"]["id"], act["data"]["way"]) for act in acts if act["type"] == "reset.made"]
        assert found == [(None, id, "terminal")]
        assert (server.stop(), server.complaints()) == (0, "")


def test_who_forgot_the_password_has_a_link_sent(tmp_path: Path) -> None:
    with Post().open() as post:
        settings = f"""
[bots]
workers = 0
[accounts]
register_pause_s = 0
[mail]
server = "localhost"
port = {post.port}
security = "none"
sender = "hall@example.org"
hall = "https://play.example.org"
letters = 2
"""
        with Server(tmp_path / "hall", settings) as server:
            with httpx.Client(base_url=f"{server.url}{API}", timeout=60) as client:
                _letters(client, post)
            assert (server.stop(), server.complaints()) == (0, "")


def _letters(client: httpx.Client, post: Post) -> None:
    assert done(client.get("/ways"))["mail"] is True
    people = {"石头记": "stone@example.org", "Both-1": "both@example.org", "Both-2": "both@example.org", "none": None}
    for name, email in people.items():
        done(client.post("/register", json={"name": name, "password": OLD, "email": email, "lang": "en"}))
    done(client.post("/logout", json={}))

    def asks(who: str, **more: str) -> httpx.Response:
        return client.post("/reset/mail", json={"who": who, **more})

    for who in ("nobody", "none", "石头记", "nobody@example.org"):
        answer = asks(who, lang="zh-CN")
        assert (answer.status_code, answer.json()) == (200, {}), who
    letter = post.until(1)
    assert (letter["To"], letter["Subject"]) == ("stone@example.org", "A new password")  # in the language one has set
    link = link_in(letter)
    assert link.startswith("https://play.example.org/reset#")
    asks("BOTH@example.org")
    assert {letter["To"] for letter in (post.until(2), post.until(3))} == {"both@example.org"}
    assert ["Both-1" in letter.get_content() for letter in post.letters[1:]] == [True, False]

    # The third within an hour is refused, for who is known and for who is not, and so is the other name of the same.
    assert done(asks("石头记")) == done(asks("nobody")) == {}
    first, second = link, link_in(post.until(4))
    for who in ("石头记", "nobody"):
        assert error(asks(who)) == (429, "RATE_LIMIT")
    done(asks("Stone@example.org"))
    look = client.post("/reset/look", json={"secret": first.partition("#")[2]})
    assert error(look) == (404, "NOT_FOUND")  # the last one is good
    secret = {"secret": second.partition("#")[2]}
    done(client.post("/reset", json={**secret, "password": NEW}))
    done(client.post("/login", json={"name": "石头记", "password": NEW}))

    # Another address of one's own: to the one before no letter goes any more.
    assert done(client.get("/me/email")) == {"email": "stone@example.org"}
    other = {"password": NEW, "email": "rock@example.org"}
    assert error(client.post("/me/email", json={**other, "password": OLD})) == (401, "BAD_LOGIN")
    assert error(client.post("/me/email", json={**other, "email": "nonsense"})) == (400, "BAD_MESSAGE")
    assert done(client.post("/me/email", json=other)) == {"email": "rock@example.org"}
    done(client.post("/me/email", json={**other, "email": None}))
    assert done(client.get("/me/email")) == {"email": None}
    assert len(post.letters) == 4


def test_a_hall_without_a_mail_server_says_so(come: Come) -> None:
    client, _ = come("letterless")
    answer = client.post("/reset/mail", json={"who": "letterless"})
    assert (error(answer), answer.json()["error"]["facts"]) == ((404, "NOT_FOUND"), {"case": "mail"})
