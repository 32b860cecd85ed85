"""`qipai bench community`: pages of a hall with many people, posts and mails, beside one with a page of each.

Both halls are asked over HTTP by the same person, in turns. That person has written and got as much in both as fits on
one page; in the large hall others have written hundreds of thousands of posts and mails, and they have mails with many.
"""

from __future__ import annotations

import asyncio
import http.client
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote

from msgspec import Struct

from qipai.accounts import books as accounts
from qipai.accounts.model import User, folded
from qipai.bench.hall import Hall
from qipai.bench.sheet import Check, Table, line
from qipai.community.boards import books as boards
from qipai.community.mail import service as mail
from qipai.store import Connection
from qipai.web.services import store_of

__all__ = ["Crowd", "fill", "measure"]

NAME: Final = "reader"
PASSWORD: Final = "a long password"
TIMES: Final = 3.0  # at most so many times the time of a hall with one page of each
START: Final = 1_700_000_000
PIECE: Final = 2000  # rows in one transaction
PAGE: Final = 50
LONG: Final = 2000  # posts of the longest thread, at least a page
# Common characters of Chinese, the most frequent first, and words that players write.
SIGNS: Final = (
    "的一是了我不在人有来他这上着个地到大里说就去子得也和那要下看天时过出小么起你都把好还多没为又可家学只以主会样年想生同老中十"
    "从自面前头道它后然走很像见两用她国动进成回什边作对开而己些现山民候经发工向事命给长水几义三声于高手知理眼志点心战二问但身"
    "方实吃做叫当住听革打呢真全才四已所敌之最光产情路分总条白话东席次亲如被花口放儿常气五第使写军吧文运再果怎定许快明行因别飞"
    "外树物活部门无往船望新带队先力完却站代员机更九您每风级跟笑啊孩万少直意夜比阶连车重便斗马哪化太指变社似士者干石满日决百原"
)
WORDS: Final = ("gouji", "xiangqi", "opening", "endgame", "thanks", "table", "rating", "hello")


class Crowd(Struct, frozen=True):
    """How much is in a hall: people, posts, mails."""

    people: int
    posts: int
    mails: int


ONE_PAGE: Final = Crowd(10, PAGE, PAGE)
TOWN: Final = Crowd(10_000, 200_000, 1_000_000)
VILLAGE: Final = Crowd(300, 3000, 6000)


def measure(quick: bool, told: Callable[[str], None]) -> tuple[list[Table], dict[str, str]]:
    """Return the table of pages. quick: a small hall, which shows only that it works."""
    town = VILLAGE if quick else TOWN
    rounds = 5 if quick else 40
    with tempfile.TemporaryDirectory(prefix="qipai-bench-") as name:
        small, large = Path(name, "small"), Path(name, "large")
        for folder, crowd in ((small, ONE_PAGE), (large, town)):
            folder.mkdir()
            with Hall(folder) as hall:
                hall.call("POST", "/register", {"name": NAME, "password": PASSWORD})
            asyncio.run(fill(folder, crowd, told))
        with Hall(small) as one, Hall(large) as many:
            visitors = Visitor(one), Visitor(many)
            found: dict[str, tuple[list[float], list[float]]] = {}
            for number in range(rounds + 1):
                told(f"round {number}/{rounds}")
                for page in visitors[0].pages:
                    times = [each.ms(page) for each in visitors]
                    if number:  # the first of each fills what is kept in memory
                        lists = found.setdefault(page, ([], []))
                        for kept, ms in zip(lists, times, strict=True):
                            kept.append(ms)
    lines = [
        line(f"{page}, {words}", times)
        for page, both in found.items()
        for words, times in (("one page of each", both[0]), ("the large hall", both[1]))
    ]
    checks = [
        Check(f"{page}, times that of the hall with one page", TIMES, False, median(both[1]) / median(both[0]))
        for page, both in found.items()
    ]
    what = f"{town.people} people, {town.posts} posts, {town.mails} mails"
    return [Table(f"a page's data over HTTP, of a hall with {what}", "ms", tuple(lines), tuple(checks))], {}


def median(values: list[float]) -> float:
    """Return the middle of some values."""
    return sorted(values)[len(values) // 2]


class Visitor:
    """The person who opens pages of one hall."""

    def __init__(self, hall: Hall) -> None:
        self._http = http.client.HTTPConnection(hall.host, hall.port)
        hall.call("GET", "/games")
        self._http.request(
            "POST",
            "/api/v1/login",
            f'{{"name": "{NAME}", "password": "{PASSWORD}"}}',
            {"Content-Type": "application/json"},
        )
        answer = self._http.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"the visitor is not let in: {answer.status}")
        self._cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
        other = 2
        thread = 1
        self.paths = {
            "/home": "/home",
            "/boards": "/boards",
            "/boards/general": "/boards/general",
            "a thread": f"/threads/{thread}",
            "a search": f"/search?q={quote('的一')}",
            "a search for one character": f"/search?q={quote('的')}",
            "/mail": "/mail",
            "a thread of mails": f"/mail/{other}",
            "/news": "/news",
            "/events": "/events",
            "/friends": "/friends",
            "/players": "/players",
            "/clubs": "/clubs",
            "/polls": "/polls",
            "/interviews": "/interviews",
            "/chat": "/chat",
            "/achievements": "/achievements",
            "/album": "/album",
            "a profile": f"/users/{other}",
            "/online": "/online",
            "/rankings": "/rankings/xiangqi",
        }

    @property
    def pages(self) -> list[str]:
        """Return the names of the pages."""
        return list(self.paths)

    def ms(self, page: str) -> float:
        """Return how long a page takes."""
        began = time.perf_counter()
        self._http.request("GET", f"/api/v1{self.paths[page]}", headers={"Cookie": self._cookie})
        answer = self._http.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{page}: {answer.status}")
        return 1000 * (time.perf_counter() - began)


async def fill(folder: Path, crowd: Crowd, told: Callable[[str], None]) -> None:
    """Fill the hall in a folder with people, posts and mails, always the same ones; its visitor is there already.

    They are written as the hall writes them, in large transactions; nobody is told of anything.
    """
    store = store_of(folder)
    await store.open()
    luck = random.Random(f"{crowd.people} {crowd.posts} {crowd.mails}")
    weights = [1 / (rank + 3) for rank in range(len(SIGNS))]

    def text() -> str:
        parts = ["".join(luck.choices(SIGNS, weights, k=luck.randint(6, 22))) for _ in range(luck.randint(2, 8))]
        return "，".join([*parts, luck.choice(WORDS)])

    def people(db: Connection) -> None:
        for n in range(2, crowd.people + 1):
            name = f"person{n}"
            accounts.add_user(db, name=name, folded=folded(name), role="user", now=START, password="-")

    await store.transaction(people)
    users = [User(n, NAME if n == 1 else f"person{n}", "user") for n in range(1, crowd.people + 1)]
    at = START
    opened: list[int] = []

    def posts(db: Connection, count: int) -> None:
        nonlocal at
        for _ in range(count):
            at += 60
            author = luck.choice(users).id
            if not opened or (len(opened) < crowd.posts // 20 and luck.random() < 0.05):
                found = boards.open_thread(db, "general", None, author, text()[:30], text(), 0, None, at)
                opened.append(found.thread)
                continue
            # The first thread is long; the others are talked in while they are new.
            newest = max(0, len(opened) - 1 - int(luck.expovariate(0.02)))
            thread = opened[0 if luck.random() < LONG / crowd.posts else newest]
            boards.reply(db, thread, "general", author, "", text(), None, at)

    def mails(db: Connection, count: int) -> None:
        nonlocal at
        for _ in range(count):
            at += 20
            # One of a hundred mails is from or for the visitor, half of these with the same person.
            one = users[0] if luck.random() < 0.01 or crowd == ONE_PAGE else luck.choice(users)
            other = users[1] if one is users[0] and luck.random() < 0.5 else luck.choice(users)
            if one is other:
                continue
            author, to = (one, other) if luck.random() < 0.5 else (other, one)
            mail.write(db, author, to.id, text(), None, at)

    for words, total, write in (("posts", crowd.posts, posts), ("mails", crowd.mails, mails)):
        done = 0
        while done < total:
            told(f"{words} {done}/{total}")
            count = min(PIECE, total - done)
            await store.transaction(lambda db, write=write, count=count: write(db, count))  # type: ignore[misc]
            done += count
    await store.transaction(lambda db: db.execute("UPDATE notices SET told = 1, read = (user != 1)").rowcount)
    await store.close()
