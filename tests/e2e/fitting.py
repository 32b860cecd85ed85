"""Whether what stands on a page has room: nothing over another, large enough for a finger, nothing sideways."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

__all__ = ["DESK", "LOOK", "PHONE", "SIDEWAYS", "fits"]

# What is wrong with a page as it stands: a list of sentences.
LOOK = (Path(__file__).parent / "look.js").read_text("utf-8").partition("\n")[2]

PHONE, DESK = (390, 844), (1280, 800)
# Which of some things lie over each other, by their rectangles.
OVER = """(which) => {
  const seen = [...document.querySelectorAll(which)].filter((one) => one.checkVisibility());
  const all = seen.map((one) => [one.textContent.trim(), one.getBoundingClientRect()]);
  const found = [];
  for (let i = 0; i < all.length; i++) for (let j = 0; j < i; j++) {
    const [a, b] = [all[i][1], all[j][1]];
    if (!a.width || !b.width) continue;
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1 && high > 1) found.push(`${all[i][0]} / ${all[j][0]}`);
  }
  return found;
}"""
SMALL = """(which) => [...document.querySelectorAll(which)]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5))
  .map(([words, box]) => `${words} ${box.height}`)"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def fits(page: Page, apart: str, touched: str) -> None:
    """Nothing lies over another thing, what is touched is large enough, nothing slides sideways."""
    for width, height in (PHONE, DESK, (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            assert not (over := page.evaluate(OVER, apart)), (width, theme, over)
        assert page.evaluate(SIDEWAYS) <= 0, width
        if width < 600 and page.evaluate("matchMedia('(pointer: coarse)').matches"):
            assert not (little := page.evaluate(SMALL, touched)), (width, little)
