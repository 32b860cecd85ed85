"""Getting back in over HTTP: links for a forgotten password (P-2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from tests.client import Person, Server
from tests.client import Refused as Denied
from tests.hall.web.conftest import run

from qipai import cli

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
