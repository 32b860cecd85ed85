"""The line of the client under a bad sky: what was lost is asked for again, and nothing is done twice (13.1, P-99)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from tests.client import Server
from tests.e2e.xiangqi import Player

from qipai.bench.ways import Ways

Json = dict[str, Any]


class Weather:
    """Everything that goes over a page's lines; `lose` names the messages of the hall that do not arrive."""

    def __init__(self, page: Page) -> None:
        self.sent: list[Json] = []
        self.came: list[Json] = []
        self.lines: list[WebSocketRoute] = []
        self.lose: Callable[[Json], bool] = lambda message: False
        self.cut = False  # and with a message that is lost the line breaks
        page.route_web_socket(re.compile(r"/ws$"), self._line)

    def _line(self, line: WebSocketRoute) -> None:
        hall = line.connect_to_server()
        self.lines.append(line)

        def out(text: str | bytes) -> None:
            self.sent.append(json.loads(text))
            hall.send(text)

        def back(text: str | bytes) -> None:
            message = json.loads(text)
            self.came.append(message)
            if self.lose(message):
                self.lose = lambda message: False
                if self.cut:
                    hall.close()
                    line.close(code=1011)
                return
            line.send(text)

        line.on_message(out)
        hall.on_message(back)

    def those(self, kind: str) -> list[Json]:
        return [frame for frame in self.sent if frame["t"] == kind]


@pytest.fixture
def seated(window: Callable[..., Page], hall: Server) -> tuple[Player, Weather]:
    """A person on turn against a bot."""
    page = window()
    weather = Weather(page)
    person = Player(page)
    page.goto(hall.url)
    page.locator("[data-play=xiangqi]").click()
    expect(person.stage).to_be_visible()
    return person, weather


def test_the_first_words_are_those_of_the_protocol(seated: tuple[Player, Weather]) -> None:
    _, weather = seated
    assert weather.sent[0]["t"] == "hello"
    assert weather.sent[0]["v"] == 1
    pings = weather.those("ping")
    assert "seen" not in pings[0]
    assert weather.came[0]["t"] == "welcome"


def test_a_move_whose_answer_was_lost_is_sent_again_with_its_cid(seated: tuple[Player, Weather]) -> None:
    person, weather = seated
    weather.cut = True
    weather.lose = lambda message: message["t"] == "ack"
    # The move is told before its ack, and the bot may answer meanwhile: both come, once.
    person.tap("h2")
    person.tap("e2")
    person.sees(2)
    expect(person.page.locator(".bar[role=status]")).to_have_count(0)
    person.page.wait_for_timeout(600)
    acts = weather.those("act")
    assert len(acts) == 2
    assert acts[0] == acts[1]
    assert {"t", "cid", "table", "ask", "action"} == acts[0].keys()
    again = [message for message in weather.came if message["t"] == "ack" and message["cid"] == acts[0]["cid"]]
    assert again[-1]["again"] is True
    assert person.plies() == 2
    joins = weather.those("join")
    assert {"ch", "after"} <= joins[-1].keys()
    person.move("h0g2")
    person.healthy()


WATCHED = """() => {
    const seen = window.seen = [], bar = () => document.querySelector(".bar[role=status]");
    const look = new MutationObserver(() => bar() && seen.push(bar().textContent));
    look.observe(document.body, {childList: true, subtree: true});
}"""


def test_who_plays_goes_on_at_another_node_and_sees_nothing_of_it(window: Callable[..., Page], hall: Server) -> None:
    """In front of two ways to the hall stands a balancer; one way then stands still, and most new lines come to it."""
    page = window()
    person = Player(page)
    with Ways() as ways:
        still, other = (ways.to_any(lambda: [hall.port], "127.0.0.1") for _ in range(2))
        ports = [still.port]
        front = ways.to_any(lambda: ports, "127.0.0.1")
        page.goto(f"http://127.0.0.1:{front.port}")
        page.locator("[data-play=xiangqi]").click()
        expect(person.stage).to_be_visible()
        person.move("h2e2")
        person.sees(2)
        page.evaluate(WATCHED)
        still.freeze()
        ports = [still.port, still.port, other.port]
        person.move("h0g2")
        person.sees(4)
        assert page.evaluate("() => window.seen") == []
        person.follow()
        person.move(person.best())  # whatever the bot took
        person.healthy()


def test_a_gap_in_the_numbers_is_filled(seated: tuple[Player, Weather]) -> None:
    person, weather = seated
    weather.lose = lambda message: message["t"] == "ev" and "view" in message
    before, lines = len(weather.those("join")), len(weather.lines)
    person.tap("h2")
    person.tap("e2")
    person.sees(2)
    assert len(weather.those("join")) == before + 1
    last = weather.those("join")[-1]
    snapshots = [message for message in weather.came if message["t"] == "snapshot"]
    assert snapshots[-1]["missed"][0]["seq"] == last["after"] + 1
    assert len(weather.lines) == lines  # no new one was needed


def test_only_one_command_waits_for_a_new_line(window: Callable[..., Page], hall: Server) -> None:
    page = window()
    person = Player(page)
    page.goto(hall.url)
    page.locator("[data-play=xiangqi]").click()
    expect(person.stage).to_be_visible()
    page.locator("[data-page=chat]").click()
    page.context.set_offline(True)
    expect(page.locator(".bar[role=status]")).to_be_visible()
    for n in range(2):
        page.locator("[data-chat-input]").fill(f"line {n}")
        page.locator("[data-chat-input]").press("Enter")
    expect(page.locator(".toast")).to_contain_text("正在接回")
    page.context.set_offline(False)
    expect(page.locator(".chat .log p")).to_have_text(re.compile("line 0"))


def test_signing_out_elsewhere_ends_the_line_for_good(window: Callable[..., Page], hall: Server) -> None:
    page = window()
    page.goto(f"{hall.url}/signin")
    page.locator("#name").fill("雁来红")
    page.locator("#password").fill("long enough")
    page.locator("form .primary").click()
    page.wait_for_url(f"{hall.url}/")
    page.locator("[data-play=xiangqi]").click()
    person = Player(page)
    expect(person.stage).to_be_visible()
    status = page.evaluate(
        """async () => (await fetch("/api/v1/logout", {method: "POST", headers: {"content-type": "application/json"},
             body: JSON.stringify({everywhere: true, confirm: true})})).status"""
    )
    assert status == 200
    expect(page.locator(".bar[role=alert]")).to_contain_text("重新载入")
