"""A person at a backgammon board, as a browser lets one be."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect
from tests.e2e.person import Person, box_of


class Player(Person):
    """Somebody at the board. `touch`: with a finger, else with a mouse."""

    @property
    def stage(self) -> Any:
        return self.page.locator(".stage[data-position]")

    def position(self) -> str:
        """Return the position as the page has it, in the canonical text."""
        return self.stage.get_attribute("data-position") or ""

    def game(self) -> int:
        return int(self.stage.get_attribute("data-game") or 0)

    def may(self, what: str) -> bool:
        """Tell whether a button is there and lit."""
        lit = "(all) => all.some((one) => !one.disabled && !one.ariaDisabled)"
        return bool(self.page.locator(f"[data-{what}]").evaluate_all(lit))

    def press(self, what: str) -> None:
        self.page.locator(f"[data-{what}]").first.click()

    def tap(self, x: float, y: float) -> None:
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def step(self) -> None:
        """Move one checker that glows: the second tap is the larger die."""
        laid = int(self.stage.get_attribute("data-laid") or 0)
        box = box_of(self.page.locator(".bg .man .may").first)
        at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.tap(*at)
        expect(self.page.locator(".bg .man:has(.selected)")).to_be_visible()
        assert self.page.locator(".bg [data-target]").count() > 0
        self.tap(*at)
        expect(self.stage).to_have_attribute("data-laid", str(laid + 1))

    def turn(self) -> bool:
        """Roll, lay a turn checker by checker and send it; False when nothing of it is to be done now."""
        for what in ("roll", "forced"):
            if self.may(what):
                self.does(what)
                return True
        if self.may("finish"):
            raise AssertionError("a turn was laid and not sent")
        if self.page.locator(".bg .man:has(.may)").count() == 0:
            return False
        while not self.may("finish"):
            self.step()
        self.does("finish")
        return True

    def does(self, what: str) -> None:
        """Press a button, and wait until the hall has answered: till then the board shows what was before."""
        stage = "document.querySelector('.stage[data-position]').dataset"
        marks = f"() => (({{phase, lines, game}}) => [phase, lines, game].join())({stage})"
        before = self.page.evaluate(marks)
        self.press(what)
        self.page.wait_for_function(f"(before) => ({marks})() !== before", arg=before)
