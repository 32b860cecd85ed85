"""A person at a gouji table, as a browser lets one be: eyes on the cloth, a finger or a keyboard."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.e2e.cards import CardSitter, play_out
from tests.e2e.scene import Scene

from qipai.games.gouji.options import Options

__all__ = ["GoujiScene", "Sitter", "play_out", "sees_result"]


class Sitter(CardSitter):
    """Somebody who plays by the hints, and burns every other time."""

    def special(self, buttons: dict[str, bool]) -> tuple[str, str] | None:
        if "burn" not in buttons:
            return None
        # By turns, so that both answers are given; a set is raised already.
        burns = self.did.get("burn", 0) <= self.did.get("no_burn", 0)
        return ("burn", "b") if burns else ("no_burn", "n")

    def letting_go(self, buttons: dict[str, bool]) -> str:
        return "close" if "close" in buttons else "pass"


class GoujiScene(Scene[Options]):
    """A table of gouji at a moment of one's choosing."""

    game = "gouji"
    order = "3 4 5 6 7 8 9 T J Q K A 2 x X"
    asked_in_pause = ("burn", "burn_play")

    def seconds(self, phase: str) -> int:
        return self.options.burn_seconds if phase == "burn" else 14


def sees_result(sitter: Sitter) -> list[str]:
    """Check the result sheet, and return its places from the first to the last."""
    page = sitter.page
    expect(page.locator(".result tbody tr")).to_have_count(6)
    places = [row.locator("td").first.inner_text() for row in page.locator(".result tbody tr").all()]
    assert places == ["头科", "二科", "三科", "四科", "二落", "大落"]
    points = [row.locator("td b").first.inner_text() for row in page.locator(".result tbody tr").all()]
    sums = [int(text.replace("−", "-").replace("+", "")) for text in points]
    assert sum(sums) == 0
    assert sorted(set(sums)) == sorted({sums[0], -sums[0]})
    return [row.locator(".who").inner_text().strip() for row in page.locator(".result tbody tr").all()]
