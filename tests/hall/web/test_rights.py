"""The table of rights (platform section 1): its rows, for everybody there is, against a running hall.

Boards, mail, polls and contests, which it names too, are not built yet: they have no test here.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.client import Calls, Person, Refused, Server, called
from tests.hall.web.conftest import SETTINGS, run, shared
from tests.stores import beside

from qipai import cli

pytestmark = pytest.mark.slow

API = "/api/v1"
OWN = """
[[rooms.own]]
kind = "score"
key = "open"
name = { zh-CN = "机器人也可以", en = "Programs, too" }
games = ["xiangqi"]
bots = true
[chat]
lines = 1000
"""
# room: a moderator of the friendly room of xiangqi, where the tables of this file stand; other: one of another room.
EVERYBODY = ("guest", "user", "bot", "room", "other", "moderator", "admin")
PEOPLE = ("user", "room", "other", "moderator", "admin")
LIMITED = dict.fromkeys(("guest", "user", "bot", "other"), "NOT_ALLOWED")  # what moderators of the room may do there
HALL = {**LIMITED, "room": "NOT_ALLOWED"}  # what is hall-wide
ADMIN = {**HALL, "moderator": "NOT_ALLOWED"}
fresh = itertools.count(1)


class House:
    """A hall with somebody of every kind, and what they have come in with."""

    def __init__(self, server: Server, secrets: dict[str, str], ids: dict[str, int]) -> None:
        self.server, self.secrets, self.ids = server, secrets, ids
        with Calls(base_url=server.url, timeout=60) as client:
            rows = client.get(f"{API}/rooms?game=xiangqi").json()["rows"]
        self.rooms = {f"{row['kind']}{'*' if row['bots'] and row['kind'] == 'score' else ''}": row for row in rows}

    def room(self, kind: str) -> int:
        return int(self.rooms[kind]["room"])

    @asynccontextmanager
    async def here(self, *names: str) -> AsyncIterator[list[Person]]:
        """These people, with open lines."""
        found = []
        try:
            for name in names:
                secret = self.secrets[name]
                person = Person(self.server, token=secret if name == "bot" else None)
                found.append(person)
                if name != "bot":
                    person.http.cookies.set("qipai", secret)
                    person.user = {"id": self.ids[name]}
                await person.line()
            yield found
        finally:
            for person in found:
                await person.close()


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with shared(request, tmp_path_factory.mktemp("rights"), SETTINGS + OWN) as server:
        secrets: dict[str, str] = {}
        ids: dict[str, int] = {}
        for name in (*EVERYBODY, "owner", "victim"):
            with Calls(base_url=f"{server.url}{API}", timeout=60) as client:
                body = {"name": f"the_{name}", "password": "long enough"}
                path = "/guest" if name in ("guest", "owner", "victim") else "/register"
                ids[name] = client.post(path, json={} if path == "/guest" else body).json()["user"]["id"]
                secrets[name] = client.cookies["qipai"]
                if name == "bot":
                    token = client.post("/tokens", json={"name": "x", "scopes": ["bot", "play"]})
                    secrets[name] = token.json()["token"]
        rooms = called("GET", f"{server.url}{API}/rooms", timeout=60).json()["rows"]
        of = {row["game"]: row["room"] for row in rows_of_kind(rows=rooms, kind="friendly")}
        assert server.stop() == 0
        with beside(server.data) as db:  # P-93: once and for ever, which has no call yet
            db.execute("UPDATE users SET role = 'bot' WHERE id = ?", (ids["bot"],))
        data = ["--data", str(server.data)]
        for role in ("moderator", "admin"):
            assert cli.main(["role", f"the_{role}", role, *data]) == 0
        for name, game in (("room", "xiangqi"), ("other", "gouji")):
            assert cli.main(["admin", "role", f"the_{name}", "moderator", "--room", str(of[game]), *data]) == 0
        yield House(server.start(), secrets, ids)
        assert (server.stop(), server.complaints()) == (0, "")


def rows_of_kind(rows: list[Any], kind: str) -> list[Any]:
    return [row for row in rows if row["kind"] == kind]


async def said(doing: Awaitable[Any]) -> str:
    """Return the code with which something is refused, "" when it is done."""
    try:
        await doing
    except Refused as refused:
        return refused.code
    return ""


def check(house: House, doing: Callable[[Person, str], Awaitable[str]], refused: dict[str, str]) -> None:
    """Let everybody try the same; refused: the code for each who may not."""

    async def visit() -> dict[str, str]:
        found = {}
        for name in EVERYBODY:
            async with house.here(name) as (person,):
                found[name] = await doing(person, name)
        return found

    assert run(visit) == {name: refused.get(name, "") for name in EVERYBODY}


# Watching and sitting


def test_everybody_watches_a_public_table(house: House) -> None:
    async def watches(person: Person, name: str) -> str:
        table = await person.join(100 * house.room("friendly") + 1)
        return "" if table.seat is None else "seated"

    check(house, watches, {})


@pytest.mark.parametrize(
    ("kind", "refused"),
    [
        ("friendly", {}),
        ("score", {"guest": "SIGN_IN", "bot": "NOT_ALLOWED"}),
        ("score*", {"guest": "SIGN_IN"}),  # a room that says `bots: true`
        ("pass", {"guest": "SIGN_IN", "bot": "NOT_ALLOWED"}),
        ("coin", {"guest": "SIGN_IN", "bot": "NOT_ALLOWED"}),
    ],
)
def test_who_sits_where(house: House, kind: str, refused: dict[str, str]) -> None:
    last = house.rooms[kind]["tables"] if kind == "pass" else 2  # of a pass room the lowest, where all may begin

    async def sits(person: Person, name: str) -> str:
        at = 100 * house.room(kind) + last
        found = await said(person.command("sit", table=at, seat=0))
        if not found:
            await person.command("stand", table=at)
        return found

    check(house, sits, refused)


# Talk, and tables of one's own


def test_who_talks_in_a_room(house: House) -> None:
    async def talks(person: Person, name: str) -> str:
        room = house.room("friendly")
        await person.say({"t": "enter", "room": room})
        await person.until(lambda: any(one["t"] == "room" for one in person.other))
        return await said(person.command("say", to=f"room:{room}", text="hello"))

    check(house, talks, {"guest": "SIGN_IN", "bot": "NOT_ALLOWED"})


def test_who_makes_a_private_table_and_how_many(house: House) -> None:
    async def makes(person: Person, name: str) -> str:
        codes = [await said(person.post("/tables", {"game": "xiangqi", "private": True})) for _ in range(2)]
        return " ".join(codes).strip()

    check(house, makes, {"guest": "LIMIT_REACHED"})


# Keeping the order


@asynccontextmanager
async def taken(house: House, owner: Person, victim: Person, *, play: bool) -> AsyncIterator[int]:
    """A table of the owner's where the victim sits, or plays against him; return its number."""
    at = int((await owner.post("/tables", {"game": "xiangqi", "room": house.room("friendly")}))["table"])
    for seat, person in enumerate((victim, owner)):
        await person.command("sit", table=at, seat=seat)
    if play:
        for person in (victim, owner):
            await person.command("ready", table=at, on=True)
        await owner.tables[at].until(lambda t: t.info["state"] == "playing")
    yield at
    for person in (victim, owner):
        await said(person.command("stand", table=at, confirm=True))


@pytest.mark.parametrize(
    ("play", "own", "refused"),
    [
        (False, True, {"bot": "NOT_ALLOWED"}),
        (False, False, LIMITED),
        (True, True, {"guest": "GAME_RUNNING", "user": "GAME_RUNNING", "bot": "NOT_ALLOWED", "other": "GAME_RUNNING"}),
        (True, False, LIMITED),
    ],
    ids=["own table", "before the start", "running game, own table", "running game"],
)
def test_who_sends_somebody_away(house: House, play: bool, own: bool, refused: dict[str, str]) -> None:
    async def sends(person: Person, name: str) -> str:
        async with (
            house.here("owner", "victim") as (owner, victim),
            taken(house, person if own else owner, victim, play=play) as at,
        ):
            found = await said(person.command("remove", table=at, seat=0, why="stalling"))
            table = victim.tables[at]
            if found:
                assert table.seat == 0
            else:
                await table.until(lambda t: t.seat is None or t.seats[0]["presence"] == "left")
            if name in ("room", "moderator", "admin") and not own:  # never without a reason
                assert await said(person.command("remove", table=at, seat=1)) == "BAD_MESSAGE"
            return found

    check(house, sends, refused)


def test_who_closes_a_table(house: House) -> None:
    async def closes(person: Person, name: str) -> str:
        async with house.here("owner", "victim") as (owner, victim), taken(house, owner, victim, play=True) as at:
            found = await said(person.post(f"/moderation/tables/{at}/close", {"reason": "a bet on the game"}))
            if not found:
                await victim.until(lambda: any(one.get("kind") == "stood" for one in victim.other))
            return found

    check(house, closes, LIMITED)


def test_who_removes_a_line(house: House) -> None:
    async def removes(person: Person, name: str) -> str:
        async with house.here("owner", "victim") as (owner, victim), taken(house, owner, victim, play=False) as at:
            await victim.command("say", to=f"table:{at}", text="words")
            line = await owner.tables[at].until(lambda t: t.chat and t.chat[-1])
            return await said(person.post(f"/moderation/lines/{line['id']}/remove", {"reason": "bad words"}))

    check(house, removes, LIMITED)


@pytest.mark.parametrize("act", ["see", "dismiss", "warn", "mute"])
def test_who_works_on_a_report_of_the_room(house: House, act: str) -> None:
    async def works(person: Person, name: str) -> str:
        room = house.room("friendly")
        async with Person(house.server) as accused, Person(house.server) as reporter:
            await accused.register(f"accused{next(fresh)}")
            await reporter.guest()
            assert accused.user is not None
            user = accused.user["id"]
            about = {"kind": "abuse", "user": user, "ref": f"room:{room}", "text": "words"}
            number = (await reporter.post("/reports", about))["report"]
        if act == "see":
            found = await said(person.get(f"/moderation/reports/{number}"))
            if name in ("room", "other", "moderator", "admin"):  # who keeps another room has a queue: his own
                rows = (await person.get("/moderation/reports?limit=200"))["rows"]
                assert (number in [row["id"] for row in rows]) == (not found)
            else:
                assert await said(person.get("/moderation/reports")) == found
            return found
        if act == "dismiss":
            return await said(person.post(f"/moderation/reports/{number}/dismiss", {"reason": "nothing in it"}))
        body = {"what": act, "reason": "words", "hours": 1, "room": room, "report": number}
        return await said(person.post(f"/moderation/users/{user}", body))

    check(house, works, LIMITED)


@pytest.mark.parametrize("what", ["warn", "mute", "unmute", "ban", "unban"])
def test_who_rules_about_somebody_in_the_whole_hall(house: House, what: str) -> None:
    async def rules(person: Person, name: str) -> str:
        async with Person(house.server) as somebody:
            await somebody.register(f"someone{next(fresh)}")
            assert somebody.user is not None
            body = {"what": what, "reason": "words", "hours": 1}
            return await said(person.post(f"/moderation/users/{somebody.user['id']}", body))

    check(house, rules, HALL)


# What administrators do


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/admin/grants", {"user": "victim", "currency": "coins", "amount": 5, "note": "x"}),
        ("/admin/codes", {"coins": 5}),
        ("/admin/roles", {"user": "moderator", "role": "moderator", "room": "friendly"}),
    ],
)
def test_what_only_an_administrator_does(house: House, path: str, body: dict[str, Any]) -> None:
    async def does(person: Person, name: str) -> str:
        sent = dict(body)
        if path == "/admin/grants":
            sent["user"] = house.ids["user"]
        if path == "/admin/roles":
            sent |= {"user": house.ids["moderator"], "room": house.room("friendly")}
        return await said(person.post(path, sent))

    check(house, does, ADMIN)
    if path == "/admin/roles":

        async def ends() -> None:
            async with house.here("admin") as (admin,):
                await admin.post(path, {"user": house.ids["moderator"], "role": "user", "room": house.room("friendly")})

        run(ends)


@pytest.mark.parametrize("path", ["/moderation/audit", "/admin/roles"])
def test_what_only_an_administrator_reads(house: House, path: str) -> None:
    async def reads(person: Person, name: str) -> str:
        return await said(person.get(path))

    check(house, reads, ADMIN)
