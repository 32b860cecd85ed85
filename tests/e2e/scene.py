"""A table at a moment of one's choosing: the rules behind a line that the test holds in its own hand.

Everything else comes from a real hall. `sent` keeps what the browser asked for, in order. A game's scene names the game
and the order of its cards; `tests/e2e/gouji.py` has one.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec
from playwright.sync_api import Page, WebSocketRoute, expect
from tests.client import Server
from tests.e2e.person import Person, rests

from qipai.core.contract import Malformed
from qipai.core.entry import rules_of
from qipai.games import find

Json = dict[str, Any]
NAMES = ("青屿", "小鲁", "海潮生", "松间照", "石头记", "雁来红")
TABLE = 17
CLOCK: Callable[[], float] = time.time  # the gallery lets it stand
Options = TypeVar("Options")


class Scene(Person, Generic[Options]):
    """One browser at a seat (or behind one: seat None) of a deal that starts in `state`."""

    game: ClassVar[str]
    order: ClassVar[str] = ""  # the cards from low to high, a space between two
    asked_in_pause: ClassVar[tuple[str, ...]] = ()  # phases whose question is asked although the table pauses
    clock_s = 14
    there: ClassVar[str] = "[data-phase]"  # what stands on the page when the table has come

    def __init__(self, page: Page, hall: Server, state: Any, seat: int | None, options: Options | None = None) -> None:
        super().__init__(page)
        self.seat = seat
        self.entry = find(self.game)
        self.options: Options = options or self.entry.options()
        self.seats = self.entry.seats[0]
        self.rules, self.state = rules_of(self.entry, self.options, self.seats), state
        self.sent: list[Json] = []
        self.pausing = False
        self.prepared: list[list[Json]] = []
        self._seq = self._ask = self._joins = 0
        self._asked: str | None = None
        self._hall = hall

    def seconds(self, phase: str) -> int:
        """Return how long a seat has for a question."""
        return self.clock_s

    def open(self, lang: str = "zh-CN", theme: str = "") -> Self:
        """Come to the table."""
        page = self.page
        told = ["name", f"{self.game}-sideways"]  # what is said once has been read
        prefs = {"lang": lang, "seen": told, **({"theme": theme} if theme else {})}
        page.add_init_script(f"localStorage.setItem('qipai.prefs', '{json.dumps(prefs)}')")
        page.route_web_socket(re.compile(r"/ws$"), self._line)
        page.goto(f"{self._hall.url}/tables/{TABLE}")
        expect(page.locator(self.there).first).to_be_visible()
        rests(page)
        return self

    # the line

    def _line(self, line: WebSocketRoute) -> None:
        """Answer the page in the hall's place."""
        self._lines.append(line)
        line.on_message(lambda text: self._take(line, json.loads(text)))

    def _take(self, line: WebSocketRoute, message: Json) -> None:
        kind = message["t"]
        if kind == "hello":
            user = None if self.seat is None else self._user(self.seat)
            self._say(line, t="welcome", v=1, now=_now(), user=user, server="test", tables=[TABLE], limits={})
        elif kind == "join":
            self._joins += 1
            more = {"watchers": 0, "chat": [], "missed": None, **self._fields()}
            self._say(line, t="snapshot", table=TABLE, ch=self._channel, seq=self._seq, **more)
        elif kind == "ping":
            self._say(line, t="pong", n=message["n"], now=_now())
        elif kind == "prepare":
            self.prepared = message["lines"]
            self.tell([])
            self._say(line, t="ack", cid=message["cid"], table=TABLE, seq=self._seq)
        elif kind in ("act", "try"):
            self.sent.append(message)
            action = self.entry.act(message["action"])
            assert self.seat is not None
            refusal = self.rules.refuse(self.state, self.seat, action)
            if refusal is not None:
                facts = msgspec.to_builtins(refusal.facts)
                self._say(line, t="err", cid=message["cid"], re=kind, table=TABLE, code=refusal.code, facts=facts)
                return
            if kind == "act":
                assert not isinstance(action, Malformed)
                self.go(self.seat, action)
            self._say(line, t="ack", cid=message["cid"], table=TABLE, seq=self._seq)

    def mend(self) -> None:
        """Show the table anew, as to a line that was lost; wait until the page has it."""
        for _ in range(2):  # before the second is asked for the first is there
            seen = self._joins
            self._say(self._lines[-1], t="rejoin", table=TABLE)
            while self._joins == seen:
                self.page.wait_for_timeout(10)

    def _say(self, line: WebSocketRoute, **message: Any) -> None:
        line.send(json.dumps(message))

    @property
    def _channel(self) -> str:
        return f"{TABLE}.{'w' if self.seat is None else self.seat}"

    # the table

    def go(self, seat: int, action: Any) -> None:
        """Let a seat do something, and tell the browser. A restricted set is followed by its even pause."""
        step = self.rules.apply(self.state, seat, action)
        self.state = step.state
        self.pausing = bool(step.conceal_ms) or self.pausing
        self.tell([msgspec.to_builtins(one.event) for one in step.told])

    def tell(self, told: list[Json]) -> None:
        """Send what there is to be seen now."""
        self._seq += 1
        for line in self._lines:
            self._say(line, t="ev", table=TABLE, ch=self._channel, seq=self._seq, told=told, **self._fields())

    def after_pause(self) -> None:
        """End the even pause."""
        self.pausing = False
        self.tell([])

    @property
    def chairs(self) -> int:
        """Return how many sit at the table, or stand behind it with a stake of their own."""
        return self.seats

    def result(self) -> Json | None:
        """Return the result that lies on the table, if any."""
        outcome = self.rules.outcome(self.state)
        if outcome is None:
            return None
        paid = [{"seat": seat, "score": None, "coins": None} for seat in range(self.chairs)]
        return {"points": list(outcome.points), "places": list(outcome.places), "why": outcome.why, "paid": paid}

    def _user(self, seat: int) -> Json:
        return {"id": 5 + 3 * seat, "name": NAMES[seat], "kind": "guest"}

    def _fields(self) -> Json:
        view = self.rules.observe(self.state, self.seat)
        turn, phase = self._turn(view), getattr(view, "phase", "play")
        asked = self.seat is not None and self.seat in turn
        if self.pausing and not (asked and phase in self.asked_in_pause):
            view, asked = self.entry.conceal(view), False
            turn = self._turn(view)
        ask = phase if asked else None
        if ask is not None and ask != self._asked:
            self._ask += 1
        self._asked = ask
        seconds, result = self.seconds(phase), self.result()
        options = self.entry.changed(self.options)
        return {
            "now": _now(),
            "you": {"seat": self.seat, "owner": False, **({"prepared": self.prepared} if self.prepared else {})},
            "info": {
                "room": 1, "no": 3, "game": self.game, "variant": None, "kind": "friendly", "preset": None,
                "options": options, "clock": self.entry.clock(self.options), "terms": {},
                "watch": {"mode": "public_only", "delay_s": None}, "state": "open" if result else "playing",
            },
            "seats": [
                {
                    "seat": seat, "user": self._user(seat), "bot": None, "ready": False, "presence": "online",
                    "until": None, "score": None, "grade": None, "pass": None,
                }
                for seat in range(self.chairs)
            ],
            "offers": [], "late": None, "result": result,
            "game": {
                "game_id": "k7f3q9x2", "deal": getattr(view, "deal", 1), "commitment": "63" * 32,
                "client_seeds": [""] * self.seats, "server_seed": None,
            },
            "view": msgspec.to_builtins(view),
            "ask": {"id": self._ask, "kind": ask, "until": _now() + seconds * 1000} if ask else None,
            "legal": None,
            "hints": msgspec.to_builtins(self.entry.hints(self.options, view)) if asked else None,
            "clocks": {
                "left": [seconds * 1000 if seat in turn else None for seat in range(self.chairs)],
                "run": list(turn), "until": None,
            },
        }  # fmt: skip

    def _turn(self, view: Any) -> tuple[int, ...]:
        """Return who is asked as the view has it; of a board, as the rules do."""
        turn = getattr(view, "turn", None)
        return turn if isinstance(turn, tuple) else tuple(self.rules.turn(self.state).seats)

    # what is seen

    def raise_cards(self, cards: str) -> None:
        """Put down what is raised, then raise these by their keys."""
        self.page.keyboard.press("Escape")
        order = self.order.split()
        held = sorted(set(cut(self.rules.observe(self.state, self.seat).hand or "")), key=order.index)
        wanted = cut(cards)
        self.page.locator("[data-hand] [role=listbox]").focus()
        for card in sorted(set(wanted), key=order.index):
            self.page.keyboard.press("Home")
            for _ in range(held.index(card)):
                self.page.keyboard.press("ArrowRight")
            self.page.keyboard.press(str(wanted.count(card)))

    def reading(self) -> str:
        """Return what the reading bar says, on one line."""
        return " ".join(" ".join(self.page.locator(".reading .words > *").all_inner_texts()).split())

    def cloth(self) -> str:
        """Return what stands in the middle of the cloth."""
        return " ".join(self.page.locator("[data-phase]").inner_text().split())

    def plate(self, seat: int) -> str:
        """Return what a plate says."""
        return " ".join(self.page.locator(f".plate[data-seat='{seat}']").inner_text().split())

    def acts(self) -> list[str]:
        """Return the buttons there are."""
        found: list[str] = self.page.evaluate(
            "[...document.querySelectorAll('[data-act]')].map((one) => one.dataset.act)"
        )
        return found

    def actions(self) -> list[Json]:
        """Return what was done, without what was only tried."""
        return [message["action"] for message in self.sent if message["t"] == "act"]


def cut(cards: str) -> list[str]:
    """Return the cards of a text one by one, a star with the joker before it."""
    return re.findall(r"[0-9TJQKAxX][SHCD]?\*?", cards)


def _now() -> int:
    return int(CLOCK() * 1000)
