"""One writes into every feature of the hall, takes all of it along, and is deleted while the hall is killed (W20)."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image
from tests.client import PATIENCE, Person, Refused
from tests.hall.community.test_problems import another
from tests.hall.walks.places import STANDING, Hall, begun, keeper, people, room, seated
from tests.hall.web.conftest import run
from tests.stores import DATABASE, beside, store_at

from qipai import cli
from qipai.accounts.model import folded
from qipai.accounts.service import Accounts
from qipai.community.boards.books import found as posts_with
from qipai.community.boards.words import conditions
from qipai.community.service import Community
from qipai.community.service import scripts as community_scripts
from qipai.config import Config
from qipai.moderation.service import Order
from qipai.social.ties import Ties
from qipai.store.tables import columns_of, tables_of
from qipai.web.clock import Clock

pytestmark = pytest.mark.slow

ec = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec")
serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")

NAME, EMAIL, PASSWORD = "Nightjar77", "nightjar77@post.example", "correct horse"
REACH = """
[mail]
server = "127.0.0.1"
port = 9
security = "none"
sender = "hall@play.example.org"
hall = "https://play.example.org"
"""
TERMS = {"game": "xiangqi", "clock": {"type": "days", "days": 3}, "rated": False}
MATE = ("h2e2", "a9a8", "e2e6", "a8a9", "b2b4", "a9a8", "b4e4")

# What each feature of the community exports of what is written here; one that is missing here fails the walk.
PLANTED: dict[str, tuple[str, ...]] = {
    "notices": ("Heron8",),  # who has answered
    "polls": ("qzpoll", "qzoption"),
    "interviews": ("qzquestion", "qzanswered", "qzcomment"),
    "mail": ("qzmail", "qzkept"),
    "push": ("qzdevice", "https://push.example.org/qzendpoint"),
    "letters": (),  # they are made of the rest when they are sent
    "boards": ("qztitle", "qzpost", "qzversion", "qzreply", "general"),
    "album": ("qzalbum", "qzcaption", "qzremark"),
    "achievements": ("win.xiangqi",),
    "clubs": ("qzclub", "qzabout", "qznews", "qzteam", "xiangqi"),
    "plain": ("qzpage",),
    "tips": ("qzwaiting", "qztaken"),
    "reviews": ("qztalk", "qzline"),
    "whatif": ("qzbranch",),
    "analyses": ("xiangqi",),
    "positions": ("qzposition", "qzgoal", "qzsetting"),
    "lessons": ("xiangqi",),
    "problems": ("qzproblem",),
}
# And what is exported beside it, by file.
BESIDE = {
    "profile.json": (NAME, EMAIL, "qzself"),
    "friends.json": ("Heron8", "qzgroup"),
    "chat.json": ("qzhall", "qztable"),
    "invitations.json": ("qznote",),
    "reports.json": ("qzreport", "qzcontact"),
    "ledger.json": ("trial",),
    "games.json": ("xiangqi",),
}
# What is the hall's or others' by now and stays, without a name: P-96 takes the person, not the club they have founded.
STAYS = {
    "qzclub": "a club that has an heir",
    "qzabout": "its text",
    "qznews": "its news",
    "qzteam": "its team",
    "qztaken": "a tip that is shown to all",
    "qzanswered": "a question that somebody has answered in public",
    "qzpage": "a page of the hall",
    "qzpoll": "a poll in which others have voted",
    "qzoption": "and what they voted for",
    "qzkept": "a mail that somebody else has written",
}
# Of a row of somebody else's: with whom their thread is, and to whom their own mails went.
OTHERS = {("mail_threads", "other"), ("mails", "one"), ("mails", "two")}
USERS = {"user", "author", "by", "owner", "leader", "editor", "player", "founder", "answered_by", "one", "two", "other"}


class Mortal(Hall):
    """A hall that dies, as by a power cut, when a step of a deletion is done; after: which, as module:class.method."""

    after = ""

    def program(self) -> list[str]:
        if not self.after:
            return super().program()
        path, _, method = self.after.rpartition(".")
        module, _, name = path.partition(":")
        code = (
            "import os, runpy, signal\n"
            f"from {module} import {name} as kind\n"
            f"step = kind.{method}\n"
            "async def dies(*words, **more):\n"
            "    await step(*words, **more)\n"
            "    os.kill(os.getpid(), signal.SIGKILL)\n"
            f"kind.{method} = dies\n"
            f"runpy.run_path({str(STANDING)!r}, run_name='__main__')\n"
        )
        return [sys.executable, "-P", "-c", code, *super().program()[3:]]

    def died(self) -> None:
        """Wait for its end."""
        assert self.process is not None
        assert self.process.wait(PATIENCE) < 0
        self._closed()


def me(person: Person) -> int:
    return int(person.user["id"])


def public_key() -> str:
    point = ec.generate_private_key(ec.SECP256R1()).public_key()
    form = serialization.PublicFormat.UncompressedPoint
    return urlsafe_b64encode(point.public_bytes(serialization.Encoding.X962, form)).decode().rstrip("=")


async def won(hall: Hall, one: Person, two: Person) -> str:
    """Let one mate two in a room where that counts; return the game's id."""
    table = (await one.get(f"/rooms/{await room(one, 'xiangqi', 'score')}"))["tables"][0]["table"]
    tables = await seated([one, two], table)
    await begun(hall, tables)
    game = str(tables[0].game["game_id"])
    await one.command("say", to=f"table:{table}", text="qztable")
    for n, text in enumerate(MATE):
        await tables[n % 2].until(lambda t: t.ask)
        await tables[n % 2].act({"a": "move", "m": text})
    await tables[0].until(lambda t: t.result)
    assert tables[0].result["why"] == "checkmate"
    for person in (one, two):
        await person.command("stand", table=table)
    return game


async def club(one: Person, two: Person) -> None:
    number = (await one.post("/clubs", {"name": "qzclub", "text": "qzabout"}))["club"]["id"]
    await two.post(f"/clubs/{number}/join")
    await one.post(f"/clubs/{number}/news", {"title": "qznews", "text": "qznews"})
    (team,) = (await one.post(f"/clubs/{number}/teams", {"game": "xiangqi", "name": "qzteam"}))["rows"]
    await one.post(f"/clubs/{number}/teams/{team['id']}/lineup", {"users": [me(one), me(two)]})
    await one.post(f"/clubs/{number}/teams/{team['id']}/challenge", {"terms": TERMS, "boards": 2})


async def boards(one: Person, two: Person, game: str) -> int:
    """Write, change and answer in threads; return the number of the one that the other has opened."""
    mine = await one.post("/boards/general", {"title": "qztitle", "text": f"qzversion\n\n/g/{game}"})
    await one.call("PATCH", f"/posts/{mine['post']}", {"text": f"qzpost\n\n/g/{game}"})
    await two.post(f"/threads/{mine['thread']}", {"text": "answered"})
    theirs = int((await two.post("/boards/general", {"title": "a thread", "text": "of another"}))["thread"])
    await one.post(f"/threads/{theirs}", {"text": "qzreply @Heron8"})
    await one.post("/boards/general/favourite")
    return theirs


async def interviews(one: Person, two: Person, boss: Person) -> int:
    """Ask and comment; return the number of the interview."""
    await boss.post("/admin/editors", {"user": me(boss), "on": True})
    form = {"player": me(two), "title": "Of herons", "text": "Our guest.", "lang": "en"}
    number = int((await boss.post("/interviews", form))["interview"])
    path = f"/interviews/{number}"
    await two.post(f"{path}/reply", {"yes": True})
    await one.post(f"{path}/questions", {"text": "qzquestion"})
    asked = (await one.post(f"{path}/questions", {"text": "qzanswered"}))["questions"]
    picked = next(row["id"] for row in asked if "qzanswered" in row["html"])
    await boss.post(f"{path}/pick", {"questions": [picked]})
    await two.post(f"{path}/answer", {"question": picked, "text": "Because of the fish"})
    await boss.post(f"{path}/publish")
    await one.post(f"{path}/comments", {"text": "qzcomment"})
    return number


async def album(one: Person, two: Person) -> int:
    """Show a picture each and say something of the other's; return the number of the other's."""
    pictures = []
    for person, name in ((one, "qzalbum"), (two, "ponds")):
        number = (await person.post("/albums", {"name": name}))["id"]
        drawn = io.BytesIO()
        Image.new("RGB", (40, 20), (200, 30, 40)).save(drawn, "PNG")
        answer = await person.http.post(
            f"/albums/{number}/pictures",
            params={"visible": "public", "caption": "qzcaption" if person is one else "a pond"},
            content=drawn.getvalue(),
        )
        pictures.append(int(answer.raise_for_status().json()["picture"]["id"]))
    await two.post(f"/pictures/{pictures[0]}/comments", {"text": "a fine one"})
    await one.post(f"/pictures/{pictures[1]}/comments", {"text": "qzremark"})
    return pictures[1]


async def review(one: Person, two: Person, game: str) -> str:
    """Look a game through together, with a line beside it; return the key of the review."""
    key = str((await one.post(f"/g/{game}/reviews"))["key"])
    (seat,) = (await one.get(f"/review/{key}/lines/0/open?n=1"))["rows"]
    move = {"n": 1, "seat": seat["seat"], "action": seat["legal"][0]}
    line = (await one.post(f"/review/{key}/moves", move))["line"]
    await one.post(f"/review/{key}/lines/{line}", {"name": "qzline"})
    await one.post(f"/review/{key}/say", {"text": "qztalk", "n": 1})
    await two.post(f"/review/{key}/say", {"text": "I see", "n": 1})
    await two.post(f"/review/{key}/lead")
    return key


async def understood(one: Person, game: str) -> None:
    """Learn, have a game gone through, go on from its midst, and keep a position."""
    steps = (await one.get("/learn/xiangqi"))["steps"]
    await one.post("/me/lessons", {"done": {"xiangqi": [steps[0]["name"]]}})
    form = {"game": "xiangqi", "start": "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1", "name": "qzposition"}
    await one.post("/positions", {**form, "goal": "qzgoal", "note": "qzsetting"})
    await one.post("/problems", {**another(), "title": "qzproblem"})
    table = (await one.post(f"/g/{game}/whatif", {"n": 2, "seat": 0, "level": "easy"}))["table"]
    await one.command("stand", table=table, confirm=True)
    (branch,) = (await one.get(f"/g/{game}/whatif"))["rows"]
    await one.post(f"/whatif/{branch['id']}", {"name": "qzbranch"})
    standing = await one.post(f"/g/{game}/analysis")
    while standing["state"] in ("waiting", "running"):
        standing = await one.get(f"/g/{game}/analysis")
    assert standing["state"] == "done"


async def kept(one: Person, two: Person) -> None:
    """Write what is nobody's to read but one's own, or the moderators'."""
    await one.post("/me/email", {"password": PASSWORD, "email": EMAIL})
    await one.call("PATCH", "/me/profile", {"about": "qzself"})
    await one.call("PATCH", "/me/settings", {"letters": ["mail"]})
    secret = urlsafe_b64encode(b"sixteen bytes it").decode().rstrip("=")
    device = {"endpoint": "https://push.example.org/qzendpoint", "public": public_key(), "secret": secret}
    await one.post("/me/push", {**device, "name": "qzdevice", "lang": "en"})
    for person, other in ((one, two), (two, one)):
        await person.post("/friends", {"user": me(other)})
    await one.post("/groups", {"name": "qzgroup", "users": [me(two)]})
    await one.post("/tokens", {"name": "qztoken", "scopes": ["play"]})
    await one.post("/reports", {"kind": "abuse", "user": me(two), "ref": "", "text": "qzreport"})
    await one.post("/contact", {"text": "qzcontact", "reply": EMAIL})
    await one.post("/invites", {"game": "xiangqi", "to": me(two), "note": "qznote"})


async def hall_wide(hall: Hall, one: Person, two: Person, boss: Person) -> int:
    """Suggest tips, then as an administrator write a page and make a poll; return the poll's number."""
    await one.post("/tips", {"en": "qzwaiting"})
    taken = (await one.post("/tips", {"en": "qztaken"}))["id"]
    await boss.post(f"/tips/{taken}/take")
    assert cli.main(["role", NAME, "admin", "--data", str(hall.data)]) == 0
    was = (await one.get("/pages/links/en"))["version"]
    await one.post("/pages/links/en", {"text": "qzpage", "was": was})
    closes = hall.now // 1000 + 86400
    form = {"question": "qzpoll", "options": ["qzoption", "qzoption2"], "closes": closes}
    poll = int((await one.post("/polls", form))["poll"])
    for person in (one, two):
        await person.post(f"/polls/{poll}/vote", {"choice": 0})
    return poll


def exported(hall: Hall, data: bytes) -> None:
    """Check that the zip has what each feature exports, and every word that was planted there."""
    store = store_at(hall.data / DATABASE)
    accounts = Accounts(store, Config())
    community = Community(store, accounts, Clock(), Ties(store), Order(store), Config(), hall.data)
    names = {name: part for name, part in vars(community).items() if part in community.features}
    assert set(names) == set(PLANTED)
    assert len(names) == len(community.features)
    with zipfile.ZipFile(io.BytesIO(data)) as zip, beside(hall.data) as db:
        files = set(zip.namelist())
        (user,) = db.execute("SELECT id FROM users WHERE name = ?", (NAME,)).fetchone()
        for name, feature in names.items():
            own = [f"community/{file}" for file in feature.exported(db, user)]
            assert set(own) <= files, name
            text = "".join(zip.read(file).decode() for file in own if file.endswith(".json"))
            for word in PLANTED[name]:
                assert word in text, (name, word)
        assert [Image.open(zip.open(name)).size for name in files if name.endswith(".webp")] == [(40, 20)]
        for name, words in BESIDE.items():
            for word in words:
                assert word in zip.read(name).decode(), (name, word)
        games = json.loads(zip.read("games.json"))["rows"]
        assert [name for name in files if name.startswith(f"games/xiangqi/{games[0]['id']}")]
    community.close()
    accounts.shut()


def cells(db: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield every value of every table with its table and column; the index of the search is asked by itself."""
    for table in tables_of(db):
        columns = columns_of(db, table)
        for row in db.execute(f"SELECT {', '.join(columns)} FROM {table}"):
            yield from zip([table] * len(row), columns, row, strict=True)


def forgotten(hall: Hall, user: int) -> None:
    """Check that nothing in the database names somebody or says what they have written."""
    words = {word for group in (*PLANTED.values(), *BESIDE.values()) for word in group if "qz" in word}
    words = (words | {"qztoken"}) - set(STAYS)
    ours = "".join(sql for _, sql in community_scripts())
    with beside(hall.data) as db:
        left = []
        for table, column, value in cells(db):
            if isinstance(value, str | bytes):
                text = value if isinstance(value, str) else value.decode("utf-8", "replace")
                left += [(table, column, word) for word in (*words, NAME, EMAIL, folded(NAME)) if word in text]
            elif value == user and column in USERS and f"CREATE TABLE {table} " in ours:
                left += [(table, column, value)] if (table, column) not in OTHERS else []
        assert sorted(set(left), key=str) == [("kept_names", "folded", folded(NAME))]  # for ninety days
        for word in ("qzpost", "qztitle", "qzreply"):
            assert posts_with(db, conditions(word), None, 10) == []
        assert db.execute("SELECT name FROM users WHERE id = ?", (user,)).fetchone() == ("deleted",)
        assert db.execute("SELECT count(*) FROM departures").fetchone() == (0,)
    for name in (hall.data / "album").rglob("*.webp"):
        assert name.stat().st_size


def test_w20_all_that_somebody_wrote_is_in_their_data_and_goes_with_them(tmp_path: Path) -> None:
    async def visit(hall: Mortal) -> None:
        async with keeper(hall) as boss, people(hall, NAME, "Heron8") as (one, two):
            user = me(one)
            await kept(one, two)
            game = await won(hall, one, two)
            await one.say({"t": "hear", "to": "hall", "on": True})
            await one.command("say", to="hall", text="qzhall @Heron8")
            await one.post(f"/mail/{me(two)}", {"text": "qzmail"})
            await two.post(f"/mail/{user}", {"text": "qzkept of mine"})
            thread = await boards(one, two, game)
            interview = await interviews(one, two, boss)
            picture = await album(one, two)
            key = await review(one, two, game)
            await understood(one, game)
            await club(one, two)
            poll = await hall_wide(hall, one, two, boss)
            while not (await one.get("/achievements"))["rows"]:
                pass
            data = (await one.http.get("/me/data")).raise_for_status().content
            exported(hall, data)
            for person in (one, two, boss):
                await person.cut()
            # It dies in the midst of the deletion, and once more while the next start finishes it.
            hall.stop()
            hall.after = "qipai.community.boards.service:BoardService.erase"
            hall.start()
            with pytest.raises(httpx.HTTPError):
                await one.call("DELETE", "/me", {"password": PASSWORD})
            hall.died()
            hall.after = "qipai.ledger.service:Ledger.depart"
            with pytest.raises(AssertionError):
                hall.start()
            hall.died()
            hall.after = ""
            hall.start()
            with pytest.raises(Refused, match="BAD_LOGIN"):
                await one.post("/login", {"name": NAME, "password": PASSWORD})
            # What others have written is there, and what is kept bears no name.
            mails = (await two.get(f"/mail/{user}"))["rows"]
            assert [row["html"] for row in mails] == ["<p>qzkept of mine</p>\n"]
            posts = (await two.get(f"/threads/{thread}"))["rows"]
            assert [(row["html"], row["gone"]) for row in posts] == [("<p>of another</p>\n", None), (None, "erased")]
            (asked,) = (await two.get(f"/interviews/{interview}"))["questions"]
            assert (asked["author"], asked["answer"]) == (None, "<p>Because of the fish</p>\n")
            assert (await two.get(f"/interviews/{interview}/comments"))["rows"] == []
            assert (await two.get(f"/pictures/{picture}"))["picture"]["comments"] == 0
            shown = await two.get(f"/review/{key}")
            assert [said["text"] for said in shown["talk"]] == ["I see"]
            assert [option["votes"] for option in (await two.get(f"/polls/{poll}"))["options"]] == [2, 0]
            (own,) = (await two.get(f"/clubs?user={me(two)}"))["rows"]
            assert (own["name"], own["rank"]) == ("qzclub", "boss")
            assert (await two.get(f"/g/{game}"))["seats"][0]["user"]["name"] == "deleted"
            hall.stop()
            forgotten(hall, user)

    with Mortal(tmp_path / "hall", REACH) as hall:
        run(lambda: visit(hall))
