"""Registered people at browsers, in a hall where people of one house may play for passes and coins."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.conftest import QUICK
from tests.e2e.person import BARE, Person

from qipai.web.files import CLIENT

# Nobody is sent away here for taking his time: the machine may be slow.
ONE_HOUSE = """
[order]
same_address = true
[seats]
unready_s = 3600
again_s = 3600
"""
KEEPER, PASSWORD = "keeper", "a long enough word"


# Somebody sits down in a room of shared deals with bots, and begins.
BEGIN = """([table, seats]) => new Promise((done, failed) => {
  const line = new WebSocket(location.origin.replace("http", "ws") + "/ws");
  const bots = Array.from({ length: seats - 1 }, (_, n) => n + 1).map((seat) => ({ t: "fill", seat, level: "steady" }));
  const rest = [{ t: "sit", seat: 0 }, ...bots, { t: "ready", on: true }];
  const next = () => line.send(JSON.stringify({ table, cid: `begin-${table}-${rest.length}`, ...rest.shift() }));
  line.onopen = () => {
    line.send(JSON.stringify({ t: "hello", v: 1 }));
    next();
  };
  line.onmessage = ({ data }) => {
    const said = JSON.parse(data);
    if (said.t === "err") failed(new Error(data));
    else if (said.t === "ack" && rest.length) next();
    else if (said.t === "ev" && said.info?.state === "playing") { line.close(); done(said.game); }
  };
})"""
# The way of a hurried player: a line of his own, a few words, and he gives up.
RESIGN = """(table) => new Promise((done) => {
  setTimeout(() => done({ t: "late" }), 20000);
  const line = new WebSocket(location.origin.replace("http", "ws") + "/ws");
  line.onopen = () => {
    line.send(JSON.stringify({ t: "hello", v: 1 }));
    line.send(JSON.stringify({ t: "join", table }));
  };
  line.onmessage = ({ data }) => {
    const said = JSON.parse(data);
    const playing = said.t === "snapshot" && said.info.state === "playing" ||
      said.t === "ev" && said.info?.state === "playing";
    if (playing) line.send(JSON.stringify({ t: "act", table, cid: `resign-${table}`, action: { a: "resign" } }));
    if (said.t === "ack" || said.t === "err") { line.close(); done(said); }
  };
})"""

SEND = """([album, data]) => fetch(`/api/v1/albums/${album}/pictures?visible=public&caption=%E6%B9%96%E8%BE%B9`, {
  method: "POST", body: Uint8Array.from(atob(data), (one) => one.charCodeAt(0)),
}).then((answer) => answer.json())"""


@contextmanager
def open_house(data: Path, more: str = "", house: type[Server] = Server) -> Iterator[Server]:
    """Open a hall with an administrator; more: what else stands in its hall.toml; house: how it is started."""
    if not (CLIENT / "index.html").is_file():
        pytest.skip("the client is not built")
    # In a process of its own: while playwright runs, this one can start no event loop.
    server = house(data, QUICK + ONE_HOUSE + more)
    words = [*server.program(), "admin", "first", KEEPER, "--data", str(data)]
    subprocess.run(words, input=f"{PASSWORD}\n", text=True, check=True, capture_output=True)
    with server:
        yield server


def settled(page: Page) -> None:
    """Wait until the page of an address is there and its grey blocks are gone."""
    expect(page.locator("main, .page").first).to_be_visible()
    expect(page.locator(".wait:visible")).to_have_count(0)


def opens(people: Sequence[Guest]) -> None:
    """Make two moves on each side of a new xiangqi game, by the keys: from here on it counts (P-38)."""
    for person in people:
        expect(person.page.locator(".stage[data-plies='0']")).to_be_visible()
    red = next(person for person in people if person.page.locator(".files text").first.text_content() == "1")
    black = next(person for person in people if person is not red)
    for ply, move in enumerate(("h2e2", "h9g7", "h0g2", "i9h9")):
        mover = (red, black)[ply % 2]
        mover.page.keyboard.type(f":{move}")
        mover.page.keyboard.press("Enter")
        for person in people:
            expect(person.page.locator(f".stage[data-plies='{ply + 1}']")).to_be_visible()


class Guest(Person):
    """Somebody who is registered, at a browser."""

    def __init__(self, page: Page, house: Server, name: str, *, known: bool = False) -> None:
        super().__init__(page)
        self.house, self.name = house, name
        page.goto(house.url + BARE)
        answer = self.call("/login" if known else "/register", {"name": name, "password": PASSWORD})
        self.id: int = answer["user"]["id"]

    def _said(self, line: Any) -> None:
        # Refused on purpose here: a resource that answers with a refusal is named by the browser, too.
        if line.type == "error" and "Failed to load resource" not in line.text:
            self.wrongs.append(line.text)

    def see(self, path: str) -> None:
        self.page.goto(self.house.url + path)
        settled(self.page)

    def resign(self, table: int) -> None:
        """Resign the game at a table without looking at it, as soon as it runs."""
        assert self.page.evaluate(RESIGN, table)["t"] == "ack"

    def picture(self, data: bytes) -> int:
        """Put a picture that everybody sees into a new album, and return its number."""
        album = self.call("/albums", {"name": "湖边"})["id"]
        found = self.page.evaluate(SEND, [album, base64.b64encode(data).decode()])
        return int(found["picture"]["id"])

    def room(self, kind: str, name: str = "") -> int:
        """Return the number of a room for xiangqi; name: as it is called in English, where there are several."""
        rows = self.page.evaluate("fetch('/api/v1/rooms?game=xiangqi').then((answer) => answer.json())")["rows"]
        return next(int(row["room"]) for row in rows if row["kind"] == kind and name in row["name"]["en"])
