"""A person at a xiangqi board, as a browser lets one be, with a second opinion on every position."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect
from tests.e2e.person import Person, box_of

from qipai.core.contract import play
from qipai.games import find
from qipai.games.xiangqi.notation.reading import parse_move
from qipai.games.xiangqi.position import apply

CELL, EDGE, WIDE, HIGH = 88, 79.2, 862, 950  # of the drawing, in its own units
ENTRY = find("xiangqi")


class Player(Person):
    """Somebody at the board. `touch`: with a finger, else with a mouse."""

    def __init__(self, page: Page, *, touch: bool = False) -> None:
        super().__init__(page, touch=touch)
        self.options = ENTRY.options()
        self.rules = ENTRY.rules(self.options)
        self.state: Any = self.rules.start()

    # What can be seen.

    @property
    def stage(self) -> Any:
        return self.page.locator(".stage[data-fen]")

    def fen(self) -> str:
        return self.stage.get_attribute("data-fen") or ""

    def plies(self) -> int:
        return int(self.stage.get_attribute("data-plies") or 0)

    def sentence(self) -> str:
        """Why something was refused, as the page says it."""
        return self.page.locator(".why").inner_text()

    def sees(self, plies: int) -> None:
        """Wait until so many plies are on the board."""
        expect(self.stage).to_have_attribute("data-plies", str(plies))

    def waits(self, plies: int) -> None:
        """Wait until so many plies are on the board, or the game is over."""
        expect(self.page.locator(f".result, .stage[data-plies='{plies}']").first).to_be_visible()

    # What can be done.

    def at(self, square: str) -> tuple[float, float]:
        """Where a square is in the window."""
        box = box_of(self.page.locator(".xq").first)
        below = self.page.locator(".files text").first.text_content()
        flip = below != "1"
        file, rank = ord(square[0]) - 97, int(square[1])
        x = EDGE + CELL * (8 - file if flip else file)
        y = EDGE + CELL * (rank if flip else 9 - rank)
        scale = min(box["width"] / WIDE, box["height"] / HIGH)
        left = box["x"] + (box["width"] - WIDE * scale) / 2
        top = box["y"] + (box["height"] - HIGH * scale) / 2
        return left + x * scale, top + y * scale

    def tap(self, square: str) -> None:
        x, y = self.at(square)
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def move(self, move: str) -> None:
        """Two taps, and the man stands there."""
        before = self.plies()
        self.tap(move[:2])
        expect(self.page.locator(".xq .selected")).to_be_visible()
        self.tap(move[2:])
        expect(self.stage).not_to_have_attribute("data-plies", str(before))

    def drag(self, start: str, to: str) -> None:
        self.page.mouse.move(*self.at(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(to), steps=6)
        self.page.mouse.up()

    # The second opinion.

    def follow(self) -> None:
        """Take over what the page has shown since, and hold the board against the rules."""
        for move in self.moves()[len(self.state.plies) :]:
            seat = self.state.position.side
            self.state = play(self.rules, self.state, seat, ENTRY.act({"a": "move", "m": move})).state
        board = self.rules.observe(self.state, 0).fen.split()[:2]
        assert self.fen().split()[:2] == board

    def moves(self) -> list[str]:
        """Return the moves that the page lists, in whatever notation it writes them, by squares."""
        cells: list[str] = self.page.evaluate(
            """[...document.querySelectorAll(".moves td:not(.none)")].map((cell) => cell.textContent.trim())"""
        )
        moves: list[str] = []
        position = self.rules.start().position
        for cell in cells:
            if cell and cell != "…":
                moves.append(parse_move(position, cell))
                position = apply(position, moves[-1])
        return moves

    def best(self, ms: int = 250) -> str:
        """A good move for the side on turn."""
        side = self.state.position.side
        bot = ENTRY.bots["strong"](self.options, seed=1)
        action = bot.choose(self.rules.observe(self.state, side), ms)
        return str(action.m)  # type: ignore[union-attr]
