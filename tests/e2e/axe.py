"""What axe-core finds wrong with a page as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "client" / "node_modules" / "axe-core" / "axe.min.js"
# The rules of WCAG 2.2 A and AA, that a page has a title of its own, and that a button is called what it shows (off by
# default). What stands on a card is a picture: nobody calls a button by it. Contrast is reckoned by look.js.
RUN = """async () => {
  const rules = {
    "color-contrast": { enabled: false }, "page-has-heading-one": { enabled: true },
    "label-content-name-mismatch": { enabled: true },
  };
  const runOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] };
  const { violations } = await axe.run(document, { runOnly, rules, resultTypes: ["violations"] });
  const called = ({ target }) => { // what is hidden from who listens, a key to press, is no part of the name
    const one = document.querySelector(target[0])?.cloneNode(true);
    one?.querySelectorAll("[aria-hidden=true]").forEach((part) => part.remove());
    const words = (text) => (text ?? "").trim().toLowerCase();
    return !one || one.matches("[role=option], [data-cards]") || words(one.ariaLabel).includes(words(one.textContent));
  };
  return violations.flatMap(({ id, nodes }) => nodes
    .filter((node) => id !== "label-content-name-mismatch" || !called(node))
    .map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}"""


def complaints(page: Page) -> list[str]:
    """Return what axe-core complains about, a sentence for each element."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci in client/")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    return list(page.evaluate(RUN))
