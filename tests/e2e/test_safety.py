"""What people type runs in nobody's browser, and a page of another site does nothing in one's name (issue 7)."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Response, expect
from tests.client import Server
from tests.e2e.conftest import QUICK
from tests.e2e.person import PATIENCE, Person

from qipai.web.files import CLIENT

KEEPER, PASSWORD = "keeper", "a long enough word"
HARM = "<img src=x onerror=harm()><script>harm()</script>"  # 49 characters: it fits wherever something can be typed
SHORT = "<img src=x onerror=harm()>"
LURE = "javascript:harm()"
SPEAK = """
async (messages) => {
  const line = new WebSocket(location.origin.replace("http", "ws") + "/ws");
  await new Promise((done) => (line.onopen = done));
  const said = [];
  for (const message of [{ t: "hello", v: 1 }, ...messages]) {
    const answered = new Promise((done) => (line.onmessage = ({ data }) => {
      const answer = JSON.parse(data);
      const mine = message.cid ? answer.cid === message.cid : ["welcome", "snapshot", "room"].includes(answer.t);
      if (mine) done(answer);
    }));
    line.send(JSON.stringify(message));
    said.push((await answered).t);
  }
  line.close();
  return said;
}
"""
ATTACK = """<!doctype html><title>at work</title><iframe name="frame"></iframe>
<form target="frame" method="post" action="HALL/api/v1/friends" enctype="text/plain">
<input name='{"user":1,"cid":"a' value='"}'></form>
<script>
  const body = JSON.stringify({ user: 1 });
  const post = (more) => fetch("HALL/api/v1/friends", { method: "POST", credentials: "include", body, ...more });
  const line = new WebSocket("HALL/ws".replace("http", "ws"));
  line.onopen = () => line.send(JSON.stringify({ t: "hello", v: 1 }));
  line.onmessage = ({ data }) => (document.body.dataset.heard = data);
  onload = async () => {
    const sent = new Promise((done) => (document.querySelector("iframe").onload = done));
    document.forms[0].submit();
    await sent;
    await post({ mode: "no-cors" });
    await post({}).catch((wrong) => (document.title = wrong.name));
  };
</script>"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with an administrator."""
    if not (CLIENT / "index.html").is_file():
        pytest.skip("the client is not built")
    data = tmp_path_factory.mktemp("house")
    # In a process of its own: while playwright runs, this one can start no event loop.
    words = [sys.executable, "-m", "qipai", "admin", "first", KEEPER, "--data", str(data)]
    subprocess.run(words, input=f"{PASSWORD}\n", text=True, check=True, capture_output=True)
    with Server(data, QUICK) as server:
        yield server


def come(window: Callable[..., Page], house: Server, name: str) -> tuple[Page, Any, int]:
    """Return somebody's page, how he posts to the hall, and his number."""
    page = window()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(
        "window.harm = () => (window.harmed = true); window.refused = [];"
        "addEventListener('securitypolicyviolation', (e) => refused.push(e.violatedDirective))"
    )
    page.goto(house.url + "/grades")
    post = Person.call.__get__(_Poster(page))
    user = post("/login" if name == KEEPER else "/register", {"name": name, "password": PASSWORD})["user"]
    return page, post, user["id"]


class _Poster:
    def __init__(self, page: Page) -> None:
        self.page = page


def unharmed(page: Page, shown: Locator) -> None:
    """The words are there to be read, and nothing of them is alive."""
    expect(shown.first).to_be_visible()
    assert page.locator("img[src='x'], a[href^='javascript:']").count() == 0
    assert page.evaluate("[window.harmed ?? false, window.refused]") == [False, []]


def test_what_people_type_is_read_and_never_run(house: Server, window: Callable[..., Page]) -> None:
    keeper, rule, keeper_id = come(window, house, KEEPER)
    writer, post, writer_id = come(window, house, "writer")
    reader, answer, reader_id = come(window, house, "reader")
    text = partial(lambda page, words=HARM: page.get_by_text(words))
    assert answer("/register", {"name": SHORT[:18], "password": PASSWORD})["error"]["code"] == "NAME_BAD"

    # An invitation's note; a report's words and where it points; a ruling's reason; an appeal; what a grant is for.
    post("/invites", {"game": "xiangqi", "note": HARM})
    reader.goto(house.url + "/invites")
    unharmed(reader, text(reader))
    report = post("/reports", {"kind": "abuse", "user": reader_id, "ref": LURE, "text": HARM})["report"]
    rule("/admin/grants", {"user": reader_id, "amount": 50, "note": HARM})
    rule("/admin/codes", {"code": "HARMFUL", "coins": 1, "note": HARM})
    rule(f"/moderation/users/{reader_id}", {"what": "warn", "reason": HARM})
    reader.goto(house.url + "/me/rulings")
    unharmed(reader, text(reader))
    number = int(reader.locator("[data-ruling]").get_attribute("data-ruling") or 0)
    answer(f"/me/rulings/{number}/appeal", {"text": HARM})
    keeper.goto(house.url + "/moderation")
    for row in (report, report + 1):
        keeper.locator(f"[data-report-row='{row}']").click()
        expect(keeper.get_by_role("heading", name=re.compile(f"#{row}"))).to_be_visible()
        unharmed(keeper, keeper.locator("[data-report-text]").get_by_text(HARM))
    _judge, judge, judge_id = come(window, house, "judge")  # who has ruled does not hear the appeal
    rule("/admin/roles", {"user": judge_id, "role": "moderator"})
    judge(f"/moderation/reports/{report + 1}/dismiss", {"reason": HARM})
    reader.reload()
    unharmed(reader, text(reader))
    keeper.goto(house.url + "/moderation/audit")
    unharmed(keeper, text(keeper))
    reader.goto(house.url + "/ledger")
    expect(reader.locator("main")).to_contain_text("50")
    unharmed(reader, reader.locator("main"))

    # What somebody tells of himself, written in the form and read by another.
    writer.goto(f"{house.url}/users/{writer_id}")
    writer.locator("[data-write]").click()
    writer.locator("#about").fill(HARM)
    writer.locator("[data-picture='炮'] input").check()
    writer.locator("[data-save-about]").click()
    unharmed(writer, writer.locator("[data-about]").get_by_text(HARM))
    reader.goto(f"{house.url}/users/{writer_id}")
    unharmed(reader, reader.locator("[data-about]").get_by_text(HARM))
    expect(reader.locator("main .ava").first).to_have_text("炮")

    # Talk in a room, and at a table, before one comes there.
    rooms = reader.evaluate("fetch('/api/v1/rooms?game=xiangqi').then((answer) => answer.json())")["rows"]
    room = next(row["room"] for row in rooms if row["kind"] == "score")
    reader.goto(f"{house.url}/rooms/{room}")
    expect(reader.locator("main")).to_be_visible()
    said = writer.evaluate(
        SPEAK, [{"t": "enter", "room": room}, {"t": "say", "cid": "say-1", "to": f"room:{room}", "text": HARM}]
    )
    assert said == ["welcome", "room", "ack"]
    unharmed(reader, text(reader))
    table = post("/play", {"game": "xiangqi"})["table"]
    reader.goto(f"{house.url}/tables/{table}")
    expect(reader.locator("main")).to_be_visible()
    talk = {"t": "say", "cid": "say-2", "to": f"table:{table}", "text": HARM}
    assert writer.evaluate(SPEAK, [{"t": "join", "table": table}, talk]) == ["welcome", "snapshot", "ack"]
    reader.reload()
    for tab in ("聊天", "牌桌"):
        reader.get_by_role("tab", name=tab, exact=True).click()
    unharmed(reader, text(reader))
    for page in (keeper, writer, reader):
        assert page.evaluate("window.harmed ?? false") is False
    assert {keeper_id, writer_id, reader_id} == {1, 2, 3}


def test_a_script_in_a_page_is_not_run_by_the_policy_either(house: Server, window: Callable[..., Page]) -> None:
    page, _, _ = come(window, house, "policy")
    # As if one of our pages had a hole: the browser itself holds the script back, because the hall says so.
    page.evaluate(f"document.body.insertAdjacentHTML('beforeend', {HARM!r})")
    page.wait_for_function("window.refused.length > 0")
    assert page.evaluate("window.harmed ?? false") is False


class _Evil(BaseHTTPRequestHandler):
    """Another site."""

    page = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(self.page)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def test_a_page_of_another_site_does_nothing_in_ones_name(house: Server, window: Callable[..., Page]) -> None:
    page, _, _ = come(window, house, "victim")
    # Another port of this machine: for cookies the same site, so that they are sent, and only the hall can refuse.
    _Evil.page = ATTACK.replace("HALL", house.url).encode()
    evil = ThreadingHTTPServer(("127.0.0.1", 0), _Evil)
    Thread(target=evil.serve_forever, daemon=True).start()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer) if "/api/v1/friends" in answer.url else None)
    try:
        page.goto(f"http://127.0.0.1:{evil.server_port}/")
        expect(page).to_have_title("TypeError")  # the last of them was not even allowed to read its refusal
        # The cookie came along: without one the hall would have let this line watch.
        expect(page.locator("body")).to_have_attribute("data-heard", re.compile("BAD_ORIGIN"))
        posts = [answer for answer in answers if answer.request.method == "POST"]
        assert len(posts) >= 2  # the form's and the one that asks for no answer; of the last the browser tells nothing
        assert {answer.status for answer in posts} == {400}
    finally:
        evil.shutdown()
        evil.server_close()
    page.goto(house.url + "/friends")
    assert page.evaluate("fetch('/api/v1/friends').then((answer) => answer.json())")["rows"] == []
