"""Mahjong tables for browsers: a scene at a moment of one's choosing, and a person who plays by what is lit."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec
from playwright.sync_api import Page, WebSocketRoute, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from tests.client import Server
from tests.e2e import gouji

from qipai.core.contract import Malformed
from qipai.games.mahjong import ENTRY
from qipai.games.mahjong.conform import Play
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.state import Action

Json = dict[str, Any]
NAMES = ("青屿", "海潮生", "松间照", "雁来红", "听雨", "白云")
TABLE = 17


class Scene:
    """One browser at a seat of a position, as the conformance cases write positions; `sent` keeps what it asked for.

    seat: 0 … 3, or 4 … 7 on the bench; None: a watcher. Everything but the line comes from a real hall.
    """

    def __init__(self, page: Page, hall: Server, given: Mapping[str, Any], seat: int | None, ms: int = 9000) -> None:
        self.page, self.seat, self.ms = page, seat, ms
        self.play = Play(given)
        self.options: Options = self.play.rules.options
        self.changed = dict(given.get("options") or {})
        self.sent: list[Json] = []
        self.wrongs: list[str] = []
        self.pausing = False
        self.result: Json | None = None
        self._held: list[Json] = []
        self._lines: list[WebSocketRoute] = []
        self._seq = self._ask = 0
        self._asked: str | None = None
        self._hall = hall
        page.on("pageerror", lambda wrong: self.wrongs.append(str(wrong)))

    def open(self, lang: str = "zh-CN", theme: str = "") -> Scene:
        """Come to the table."""
        page = self.page
        prefs = {"lang": lang, **({"theme": theme} if theme else {})}
        page.add_init_script(f"localStorage.setItem('qipai.prefs', '{json.dumps(prefs)}')")
        page.route_web_socket(re.compile(r"/ws$"), self._line)
        page.goto(f"{self._hall.url}/tables/{TABLE}")
        expect(page.locator("[data-phase]")).to_be_visible()
        page.wait_for_timeout(350)  # what flies has landed
        return self

    # the line

    def _line(self, line: WebSocketRoute) -> None:
        self._lines.append(line)
        line.on_message(lambda text: self._take(line, json.loads(text)))

    def _take(self, line: WebSocketRoute, message: Json) -> None:
        kind = message["t"]
        if kind == "hello":
            user = None if self.seat is None else self._user(self.seat)
            self._say(line, t="welcome", v=1, now=_now(), user=user, server="test", tables=[TABLE], limits={})
        elif kind == "join":
            more = {"watchers": 0, "chat": [], "missed": None, **self._fields()}
            self._say(line, t="snapshot", table=TABLE, ch=self._channel, seq=self._seq, **more)
        elif kind in ("act", "try"):
            self.sent.append(message)
            action = ENTRY.act(message["action"])
            assert self.seat is not None
            refusal = self.play.rules.refuse(self.play.state, self.seat, action)
            if refusal is not None:
                facts = msgspec.to_builtins(refusal.facts)
                self._say(line, t="err", cid=message["cid"], re=kind, table=TABLE, code=refusal.code, facts=facts)
                return
            if kind == "act":
                assert not isinstance(action, Malformed)
                self.go(self.seat, action)
            self._say(line, t="ack", cid=message["cid"], table=TABLE, seq=self._seq)

    def _say(self, line: WebSocketRoute, **message: Any) -> None:
        line.send(json.dumps(message))

    @property
    def _channel(self) -> str:
        return f"{TABLE}.{'w' if self.seat is None else self.seat}"

    # the table

    def go(self, seat: int, action: Action) -> None:
        """Let a seat do something, and tell the browser. A tile thrown or added is followed by its even pause."""
        rules = self.play.rules
        assert rules.refuse(self.play.state, seat, action) is None, (seat, action)
        step = rules.apply(self.play.state, seat, action)
        self.play.state = step.state
        told = [msgspec.to_builtins(one.event) for one in step.told]
        if self.pausing:
            self._held += told
            told = []
        self.pausing = self.pausing or bool(step.hush)
        self.tell(told)

    def tell(self, told: list[Json]) -> None:
        """Send what there is to be seen now."""
        self._seq += 1
        for line in self._lines:
            self._say(line, t="ev", table=TABLE, ch=self._channel, seq=self._seq, told=told, **self._fields())

    def after_pause(self) -> None:
        """End the even pause: what happened in it is told now."""
        self.pausing = False
        told, self._held = self._held, []
        self.tell(told)

    def _user(self, seat: int) -> Json:
        return {"id": 5 + 3 * seat, "name": NAMES[seat], "kind": "guest"}

    def _fields(self) -> Json:
        rules, state = self.play.rules, self.play.state
        view = rules.observe(state, self.seat)
        asked = self.seat is not None and self.seat in view.turn
        if self.pausing and not (asked and view.phase in ("claim", "rob")):
            view, asked = ENTRY.hush(view), False
        ask = view.phase if asked else None
        if ask is not None and ask != self._asked:
            self._ask += 1
        self._asked = ask
        chairs = 4 + len(view.bench)
        outcome = rules.outcome(state)
        if outcome is not None:
            paid = [{"seat": seat, "score": None, "coins": None} for seat in range(chairs)]
            self.result = {
                "points": list(outcome.points), "places": list(outcome.places), "why": outcome.why, "paid": paid,
            }  # fmt: skip
        return {
            "now": _now(),
            "you": {"seat": self.seat, "owner": False},
            "info": {
                "room": 1, "no": 3, "game": "mahjong", "variant": None, "kind": "friendly", "preset": None,
                "options": self.changed, "clock": ENTRY.clock(self.options),
                "terms": {}, "watch": {"mode": "public_only", "delay_s": None},
                "state": "playing" if outcome is None else "open",
            },
            "seats": [
                {
                    "seat": seat, "user": self._user(seat), "bot": None, "ready": False, "presence": "online",
                    "until": None, "score": None, "grade": None, "pass": None,
                }
                for seat in range(chairs)
            ],
            "offers": [], "late": None, "result": self.result,
            "game": {
                "game_id": "k7f3q9x2", "deal": view.deal, "commitment": "63" * 32, "client_seeds": [""] * 4,
                "server_seed": None,
            },
            "view": msgspec.to_builtins(view),
            "ask": {"id": self._ask, "kind": ask, "until": _now() + self.ms} if ask else None,
            "legal": None,
            "hints": msgspec.to_builtins(ENTRY.hints(self.options, view)) if asked else None,
            "clocks": {
                "left": [self.ms if seat in view.turn else None for seat in range(chairs)],
                "run": list(view.turn), "until": None,
            },
        }  # fmt: skip

    # what is seen

    def says(self) -> str:
        """Return what the panel over the hand says, on one line."""
        return " ".join(self.page.locator(".panel .info").inner_text().split())

    def plate(self, seat: int) -> str:
        """Return what a plate says."""
        return " ".join(self.page.locator(f".plate[data-seat='{seat}']").inner_text().split())

    def acts(self) -> list[str]:
        """Return the keys there are."""
        return list(buttons(self.page))

    def tile(self, name: str) -> Any:
        """Return the last tile of this kind in the hand."""
        return self.page.locator(f"[data-hand] [data-tile='{name}']").last

    def waits(self) -> dict[str, int]:
        """Return what the panel shows that the hand waits for, and how many of each are left."""
        found: dict[str, int] = self.page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('.panel [data-wait]')]"
            ".map((one) => [one.dataset.wait, Number(one.dataset.left)]))"
        )
        return found

    def actions(self) -> list[Json]:
        """Return what was done, without what was only tried."""
        return [message["action"] for message in self.sent if message["t"] == "act"]

    def fits(self) -> None:
        """Nothing stands beside the window."""
        size = self.page.viewport_size
        assert size
        assert self.page.evaluate("document.documentElement.scrollWidth") <= size["width"]

    def healthy(self) -> None:
        """Nothing went wrong in the page, and no word was missing."""
        assert self.wrongs == []
        assert self.page.evaluate("document.documentElement.dataset.missing") is None


def buttons(page: Page) -> dict[str, bool]:
    """Return the keys there are now, and whether they can be used."""
    found: dict[str, bool] = page.evaluate(
        """Object.fromEntries([...document.querySelectorAll("[data-act]")]
          .map((button) => [button.dataset.act, button.getAttribute("aria-disabled") !== "true"]))"""
    )
    return found


class Sitter(gouji.Sitter):
    """Somebody at a mahjong table who does what is lit: wins, kongs, pongs, and throws what the hint says.

    buys: on the bench, whether he takes a horse.
    """

    buys = True

    def hand_tiles(self) -> list[str]:
        """Return the tiles of the hand from left to right."""
        found: list[str] = self.page.evaluate(
            "[...document.querySelectorAll('[data-hand] [data-tile]')].map((one) => one.dataset.tile)"
        )
        return found

    def deal(self) -> int:
        """Return the number of the hand that is played."""
        return int(self.page.locator("[data-deal]").get_attribute("data-deal") or 0)

    def press(self, act: str, key: str) -> None:
        """Use one of the large keys, or its letter."""
        self.did[act] = self.did.get(act, 0) + 1
        if self.touch:
            with suppress(PlaywrightTimeout):  # the question may go while the finger is in the air
                self.page.locator(f"[data-act={act}]").tap(timeout=1500)
        else:
            self.page.keyboard.press(key)

    def step(self) -> bool:
        """Do what is asked, if anything is; return whether something was done."""
        ask, open_ = self.ask(), buttons(self.page)
        void = self.page.locator("[data-void].best")
        if ask is not None and void.count():
            void.click()
            self.answered(ask)
            return True
        if ask is None or not open_:
            return False
        if "horse" in open_:
            act = "horse" if self.buys else "pass"
            if self.buys:
                self.page.locator("[data-horse='7']").click()
            self.page.locator(f"[data-act={act}]").click()
            self.did[act] = self.did.get(act, 0) + 1
            self.answered(ask)
            return True
        for act, key in (("hu", "w"), ("kong", "q"), ("pong", "e")):
            if open_.get(act):
                self.press(act, key)
                self.answered(ask)
                return True
        if "discard" in open_:
            self.page.keyboard.press("h")
            raised = self.page.locator("[data-hand] [aria-selected=true]")
            if not raised.count():
                self.page.keyboard.press("End")  # no advice: what was drawn goes
            if self.touch:
                with suppress(PlaywrightTimeout):  # a second tap throws
                    raised.tap(timeout=1500, force=True)
                self.did["discard"] = self.did.get("discard", 0) + 1
            else:
                self.press("discard", "Enter")
            self.answered(ask)
            return True
        if "give" in open_:
            self.page.keyboard.press("h")
            self.press("give", "Enter")
            self.answered(ask)
            return True
        if open_.get("pass"):
            self.press("pass", " ")
            self.answered(ask)
            return True
        return False


def _now() -> int:
    return int(time.time() * 1000)
