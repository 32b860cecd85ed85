"""Every page of the hall: both languages, light and dark, on a desk and on the smallest phone (P-6, P-97, P-98).

Pictures of all of them lie in `build/shots/pages` when QIPAI_SHOTS is set: they are for people to look at, who want to
see everything and not to wait for it.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.axe import complaints
from tests.e2e.fitting import LOOK
from tests.e2e.guest import BEGIN, KEEPER, PASSWORD, Guest, open_house, settled
from tests.e2e.person import PATIENCE

ROOT = Path(__file__).parents[2]
SHOTS = ROOT / "build" / "shots" / "pages" if os.environ.get("QIPAI_SHOTS") else None
# Each width in each light, by one language or the other.
LOOKS: dict[str, tuple[tuple[int, Any], ...]] = {
    "en": ((320, "dark"), (1440, "light")),
    "zh-CN": ((320, "light"), (1440, "dark")),
}
PARTS = "/kit"  # all parts at once, for those who build: no page of the hall
# In capitals: what stands there in the hall of the test. Neighbours are different pages, so that each is drawn anew.
PATHS = """
/t/none / /rooms /rooms/FRIENDLY /tables/TABLE /rooms/SCORE /rooms/PASS /rooms/COIN /g/GAME /brought /rules
/rules/xiangqi /rules?q=接风 /rules/gouji/score#R21 /settings /rules/mahjong/glossary
/settings/sound /settings/look /settings/play /settings/data /settings/privacy
/settings/account /signin /reset /games /signin?way=in /games/backgammon /me /me/rulings /users/ME /rankings
/games/shengji?tab=play
/users/RIVAL /players /online /rankings/xiangqi /online/opponents /rankings/gouji?by=pass /friends
/players?name=a /friends/groups /rankings/xiangqi?by=rating /friends/blocked /statistics
/games/xiangqi?tab=grades /grades /passes /ledger /shop /invites /new /moderation
/new?game=backgammon&with=group /moderation/people /new?game=mahjong&with=bot /moderation/admin
/moderation/audit /stairs /ponds /stairs/xiangqi /ponds/POND /tournaments /tournaments/CUP
/teams /ponds?new /tournaments?new /teams?new /prizes /tournaments/OPEN /duplicates
/duplicates/doudizhu/TODAY /nowhere /teams/TEAMS
/rooms/BOARDS/boards /rooms/BOARDS/boards/1
/polls /chat /polls/POLL /interviews /chat/hall /interviews/TALK /polls?new /interviews?new
/settings/news /mail /news /mail/RIVAL /events /mail/0 /events?kind=games /stop
/boards /threads/THREAD /boards/xiangqi /search?q=当头炮 /boards/general?essence /search
/album /achievements /pictures/PICTURE /users/ME/album /users/RIVAL/achievements /users/ME/skill /users/RIVAL/skill
/cards /winners /cards?free&game=gouji /calendar /winners?kind=stairs
/clubs /clubs/CLUB /clubs?new /clubs/CLUB/people /friends/followers /clubs/CLUB/teams /ponds /clubs/CLUB/tournaments
/teams /clubs/CLUB/stairs
/problems /problems/xiangqi
/review/REVIEW /help /cards /faq /winners /contact /cards?free&game=gouji /links /calendar /support /winners?kind=stairs
/invite /tips /membership /open-data /editor /positions /editor/mahjong /positions?mine
/learn /kept /learn/gouji /screen /learn/xiangqi /screen/TABLE /screen?room=FRIENDLY /shoulder/TABLE
""".split()  # noqa: SIM905
REFUSED = "Failed to load resource"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall where something has happened."""
    with open_house(tmp_path_factory.mktemp("house")) as server:
        yield server


@pytest.fixture(scope="module")
def known() -> dict[str, Any]:
    """What the pages' addresses name, once somebody has lived there."""
    return {}


def drawn() -> bytes:
    """Return a photo of a lake, as far as one can be drawn in three strokes."""
    out = BytesIO()
    image = Image.new("RGB", (800, 600), (196, 214, 222))
    image.paste((84, 122, 118), (0, 330, 800, 600))
    image.paste((214, 120, 60), (560, 90, 660, 190))
    image.save(out, "JPEG")
    return out.getvalue()


def lived(window: Callable[..., Page], house: Server, known: dict[str, Any]) -> dict[str, Any]:
    """Let the keeper and a rival have a past: a game, friends, a group, invitations, coins, a report."""
    if known:
        return known
    keeper, rival = Guest(window(), house, KEEPER, known=True), Guest(window(), house, "海潮生")
    for person in (keeper, rival):
        person.see("/invites")
    kept = keeper.call("/invites", {"game": "xiangqi", "rated": True, "to": rival.id})
    table = rival.call(f"/invites/{kept['id']}/accept", {})["table"]
    rival.resign(table)
    keeper.see(f"/tables/{table}")
    keeper.page.locator(".result a[href^='/g/']").first.wait_for()
    link = keeper.page.locator(".result a[href^='/g/']").first.get_attribute("href")
    for one, other in ((keeper, rival), (rival, keeper)):
        one.call("/friends", {"user": other.id})
    keeper.call("/groups", {"name": "牌友", "users": [rival.id]})
    rival.call("/invites", {"game": "backgammon", "rated": True, "rating_min": 1900, "note": "只等高手"})
    rival.call("/invites", {"game": "gouji", "to": keeper.id, "options": {"min_games": 3, "watchers": False}})
    keeper.call("/invites", {"game": "mahjong", "preset": "chengdu"})
    keeper.call("/admin/grants", {"user": keeper.id, "amount": 50, "note": "开张"})
    pond = rival.call("/ponds", {"form": {"name": "柳湖池塘", "least": 3, "most": 9}})
    keeper.call(f"/ponds/{pond['number']}/enter", {})
    cup = {"name": "秋风杯", "format": "knockout", "min_players": 2, "max_players": 2, "fee": 10, "prizes": [100]}
    cup["terms"] = {"game": "xiangqi", "clock": {"type": "days", "days": 3}}
    cups = [rival.call("/tournaments", {"form": {**cup, **change}}) for change in ({}, {"max_players": 8})]
    for person in (keeper, rival):
        person.call(f"/tournaments/{cups[0]['number']}/enter", {})
    form = {"name": "春季团体赛", "terms": {"game": "xiangqi", "rated": False}, "boards": 2, "most": 8}
    teams = rival.call("/teams", {"form": form})
    for person, name in ((keeper, "松风队"), (rival, "海潮队")):
        person.call(f"/teams/{teams['number']}/found", {"name": name})
    for person in (keeper, rival):
        person.call("/stairs/xiangqi/join", {})
    closes = keeper.call("/home")["now"] // 1000 + 86400
    poll = keeper.call("/polls", {"question": "下一个加什么？", "options": ["麻将", "斗地主"], "closes": closes})[
        "poll"
    ]
    form = {"player": rival.id, "title": "说说海潮", "text": "聊聊**残局**。", "lang": "zh-CN"}
    talk = keeper.call("/interviews", form)["interview"]
    rival.call(f"/interviews/{talk}/reply", {"yes": True})
    asked = keeper.call(f"/interviews/{talk}/questions", {"text": "怎么学棋的？"})["questions"][0]["id"]
    keeper.call(f"/interviews/{talk}/pick", {"questions": [asked]})
    rival.call(f"/mail/{keeper.id}", {"text": "周五**排阵**，好吗？\n\n/g/nosuchgame1"})
    keeper.call(f"/mail/{rival.id}", {"text": "海潮生第一台。"})
    text = f"{link}#1\n\n**当头炮** @{KEEPER}\n\n> 引用\n\n| 先 | 后 |\n|---|---|\n| 炮 | 马 |"
    thread = rival.call("/boards/xiangqi", {"title": "当头炮怎么应", "text": text})["thread"]
    keeper.call(f"/threads/{thread}", {"text": "马八进七"})
    keeper.call("/boards/xiangqi/favourite", {})
    club = rival.call("/clubs", {"name": "崂山茶社", "text": "**喝茶下棋**"})["club"]["id"]
    keeper.call(f"/clubs/{club}/join", {})
    rival.call(f"/clubs/{club}/news", {"title": "周五的茶", "text": "替补先别走。"})
    team = rival.call(f"/clubs/{club}/teams", {"game": "xiangqi", "name": "崂山一队"})["rows"][0]["id"]
    rival.call(f"/clubs/{club}/teams/{team}/lineup", {"users": [rival.id, keeper.id]})
    terms = {"game": "xiangqi", "rated": False}
    rival.call(f"/clubs/{club}/teams/{team}/challenge", {"terms": terms, "boards": 2})
    rival.call(f"/clubs/{club}/stairs", {"terms": terms})
    rival.call("/reports", {"kind": "abuse", "user": keeper.id, "text": "说话难听"})
    known |= {kind.upper(): keeper.room(kind) for kind in ("friendly", "score", "pass", "coin")}
    boards = next(row["room"] for row in keeper.call("/rooms?game=mahjong")["rows"] if row["duplicate"])
    keeper.page.evaluate(BEGIN, [boards * 100 + 1, 4])
    known |= {
        "ME": keeper.id,
        "BOARDS": boards,
        "RIVAL": rival.id,
        "POND": pond["number"],
        "CUP": cups[0]["number"],
        "OPEN": cups[1]["number"],
        "TEAMS": teams["number"],
        "POLL": poll,
        "TALK": talk,
        "CLUB": club,
        "TODAY": keeper.call("/duplicates")["today"],
        "GAME": str(link).rpartition("/")[2],
        "THREAD": thread,
        "PICTURE": keeper.picture(drawn()),
        "TABLE": f"{known['FRIENDLY']}01",
    }
    known["REVIEW"] = keeper.call(f"/g/{known['GAME']}/reviews", {})["key"]
    return known


def go(page: Page, path: str) -> None:
    """Go to another page of the hall by a link, which loads nothing anew, and wait until it stands."""
    page.evaluate(
        """(path) => {
          document.querySelectorAll("main, .page").forEach((one) => (one.dataset.before = ""));
          const link = Object.assign(document.createElement("a"), { href: path });
          document.body.append(link);
          link.click();
          link.remove();
        }""",
        path,
    )
    expect(page.locator(":is(main, .page):not([data-before])").first).to_be_visible()
    settled(page)


def faults(page: Page) -> list[str]:
    """Return what is wrong with a page, once it has come to rest."""
    until = time.monotonic() + (1 if SHOTS else PATIENCE / 1000)
    while (found := page.evaluate(LOOK)) and time.monotonic() < until:
        page.wait_for_timeout(100)  # a page that is still coming may not be well yet
    return list(found)


def walk(page: Page, path: str, name: str, looks: Sequence[tuple[int, Any]]) -> list[str]:
    """Look at a page in windows of some widths, by some lights; return what is wrong."""
    found = []
    for width, theme in looks:
        page.set_viewport_size({"width": width, "height": 720 if width < 600 else 900})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        wrong = faults(page)
        found += [f"{path} {width} {theme}: {each}" for each in wrong]
        if SHOTS:
            SHOTS.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=SHOTS / f"{name}-{width}-{theme}.png")
        elif wrong:
            break
    return found


def test_the_walk_leads_through_every_route() -> None:
    routes = re.findall(r'^  \["(/[^"]*)", "', (ROOT / "client/src/far.ts").read_text("utf-8"), re.M)
    assert len(routes) > 20
    for route in routes:
        pattern = re.sub(r"/:\w+\?", "(/[^/]+)?", route)
        pattern = re.sub(r":\w+", "[^/]+", pattern)
        assert any(re.fullmatch(pattern, path.partition("?")[0]) for path in (*PATHS, PARTS)), route


# A guest sees less of the same pages: the language with the longer words and the smallest phone are enough.
@pytest.mark.parametrize(("lang", "who"), [("en", "guest"), ("zh-CN", "keeper"), ("en", "keeper")])
def test_every_page_is_well(
    window: Callable[..., Page], house: Server, known: dict[str, Any], lang: str, who: str
) -> None:
    places = lived(window, house, known)
    page = window(320, 720, locale=lang, reduced_motion="reduce")
    wrongs: list[str] = []
    page.on("pageerror", lambda wrong: wrongs.append(str(wrong)))
    # Refused on purpose here: a resource that answers with a refusal is named by the browser, too.
    page.on(  # type: ignore[call-overload]
        "console",
        lambda line: line.type == "error" and "load resource" not in line.text and wrongs.append(line.text),  # type: ignore[func-returns-value]
    )
    page.goto(house.url + "/grades")
    if who == "keeper":
        body = {"name": KEEPER, "password": PASSWORD}
        page.evaluate(
            """(body) => fetch("/api/v1/login", {
              method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
            })""",
            body,
        )
        page.reload()
    settled(page)
    found = []
    for path in PATHS:
        whole = re.sub(r"(?<!#)[A-Z]+", lambda word: str(places[word[0]]), path)
        go(page, whole)
        name = re.sub(r"[^a-zA-Z]+", "-", path).strip("-") or "lobby"
        looks = LOOKS[lang] if who == "keeper" else LOOKS[lang][:1]
        found += walk(page, whole, f"{name}-{who}-{lang}", looks)
        if lang == "en" and who == "keeper":
            found += [f"{whole}: {each}" for each in complaints(page)]
        found += [f"{whole}: {wrong}" for wrong in wrongs]
        wrongs.clear()
        assert SHOTS or not found, "\n".join(found)
    assert not found, "\n".join(found)
