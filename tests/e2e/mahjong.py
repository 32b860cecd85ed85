"""Mahjong tables for browsers: a scene at a moment of one's choosing, and a person who plays by what is lit."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from tests.client import Server
from tests.e2e import scene
from tests.e2e.cards import CardSitter
from tests.e2e.person import PATIENCE
from tests.e2e.scene import NAMES, Json

from qipai.games.mahjong.conform import Play
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.state import Action

__all__ = ["NAMES", "Scene", "Sitter"]


class Scene(scene.Scene[Options]):
    """One browser at a seat of a position, as the conformance cases write positions.

    seat: 0 … 3, or 4 … 7 on the bench; None: a watcher.
    """

    game = "mahjong"
    asked_in_pause = ("claim", "rob")
    clock_s = 9

    def __init__(self, page: Page, hall: Server, given: Mapping[str, Any], seat: int | None) -> None:
        self.play = Play(given)
        super().__init__(page, hall, self.play.state, seat, self.play.rules.options)
        self._held: list[Json] = []

    def go(self, seat: int, action: Action) -> None:
        """Let a seat do something, and tell the browser. A tile thrown or added is followed by its even pause."""
        assert self.rules.refuse(self.state, seat, action) is None, (seat, action)
        step = self.rules.apply(self.state, seat, action)
        self.state = step.state
        told = [msgspec.to_builtins(one.event) for one in step.told]
        if self.pausing:
            self._held += told
            told = []
        self.pausing = self.pausing or bool(step.conceal_ms)
        self.tell(told)

    def throw_die(self) -> None:
        """Let the die fall when it is due."""
        self.play.state = self.state
        self.play.throw()
        self.state = self.play.state

    def after_pause(self) -> None:
        """End the even pause: what happened in it is told now."""
        self.pausing = False
        told, self._held = self._held, []
        self.tell(told)

    @property
    def chairs(self) -> int:
        return self.seats + len(self.state.bench)

    # what is seen

    def says(self) -> str:
        """Return what the panel over the hand says, on one line."""
        return " ".join(self.page.locator(".panel .info").inner_text().split())

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

    def fits(self) -> None:
        """Nothing stands beside the window."""
        size = self.page.viewport_size
        assert size
        assert self.page.evaluate("document.documentElement.scrollWidth") <= size["width"]


class Sitter(CardSitter):
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

    def went_on(self, ask: str | None, before: list[str]) -> None:
        """Wait until this question is no longer asked, or it is asked of another hand: a closed kong keeps the turn."""
        end = time.monotonic() + PATIENCE / 1000
        while self.ask() == ask and self.hand_tiles() == before and not self.over:
            assert time.monotonic() < end, self.page.locator("#cloth").inner_text()
            self.page.wait_for_timeout(40)

    def deal(self) -> int:
        """Return the number of the hand that is played."""
        return int(self.page.locator("[data-deal]").get_attribute("data-deal") or 0)

    def step(self) -> bool:
        """Do what is asked, if anything is; return whether something was done."""
        ask, open_ = self.looked()
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
                before = self.hand_tiles()
                self.press(act, key)
                self.went_on(ask, before)
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
