"""Somebody who sees nothing: the browser's accessibility tree, what live regions say, and a keyboard.

No line here knows a class, an attribute of ours or the protocol. Names are looked for as a person would: by words.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from playwright.sync_api import Page, TimeoutError
from tests.e2e.person import PATIENCE, Person

T = TypeVar("T")
MOMENT_MS = 300  # what moves without a change of the page (the keyboard, what a style hides) is seen so much later
# What a screen reader would say by itself: a live region's text whenever it changes, an alert also when it comes.
# Only roles and attributes of ARIA are read. A region that is emptied says nothing.
HEARS = """(() => {
  window.heard = [];
  window.urged = [];
  const LIVE = "[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]";
  const WHOLE = "[role=status], [role=alert], [aria-atomic=true]";  // said whole whatever of it has changed
  const words = (one) => ((one.innerText ?? one.textContent) || "").replace(/\\s+/g, " ").trim();
  const last = new WeakMap();
  const say = (text) => text && heard.push(text);
  const whole = (one) => {
    const text = words(one);
    if (last.get(one) !== text) say(text);
    last.set(one, text);
  };
  new MutationObserver((changes) => {
    const regions = new Set();
    for (const { type, target, addedNodes } of changes) {
      const region = (target.closest ? target : target.parentElement)?.closest(LIVE);
      if (region?.matches(WHOLE)) regions.add(region);
      else if (region) for (const one of type === "childList" ? addedNodes : [target])
        if (say(words(one)) && region.matches("[aria-live=assertive]")) urged.push(words(one));
      for (const one of addedNodes) {
        if (one.nodeType !== 1 || region) continue;
        for (const found of [one, ...one.querySelectorAll(LIVE)]) {
          if (found.matches("[role=alert]")) regions.add(found);
          else if (found.matches(LIVE)) last.set(found, words(found)); // it comes with its text: that is not said
        }
      }
    }
    regions.forEach(whole);
  }).observe(document, { childList: true, characterData: true, subtree: true });
  // How often anything has changed, but how it looks: only then there is something else to read.
  window.changed = 0;
  new MutationObserver((changes) => {
    changed += changes.some(({ attributeName }) => attributeName !== "style" && attributeName !== "class");
  }).observe(document, { childList: true, characterData: true, attributes: true, subtree: true });
})()"""


@dataclass
class Node:
    """One thing of the tree."""

    role: str
    name: str
    states: dict[str, Any]
    parent: Node | None
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """Return this and what is in it, in the order of the tree."""
        yield self
        for one in self.children:
            yield from one.walk()

    def all(self, role: str, name: str = "") -> list[Node]:
        """Return what is in it with this role and a name that fits."""
        return [one for one in self.walk() if one.role == role and re.search(name, one.name)]

    def find(self, role: str, name: str = "") -> Node | None:
        """Return the first of them."""
        return next(iter(self.all(role, name)), None)

    @property
    def text(self) -> str:
        """Return what is read of it: its name, else the texts in it."""
        return self.name or self.whole

    @property
    def whole(self) -> str:
        """Return all texts in it."""
        return " ".join(" ".join(one.name for one in self.walk() if one.role == "StaticText").split())

    @property
    def off(self) -> bool:
        return bool(self.states.get("disabled"))

    @property
    def chosen(self) -> bool:
        return bool(self.states.get("selected"))


class Listener(Person):
    """A person at a keyboard with a screen reader. The reader hears in English."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        page.add_init_script(HEARS)
        self._cdp = page.context.new_cdp_session(page)
        self.mark = 0

    # what is read

    def tree(self) -> Node:
        """Return the browser's accessibility tree as it stands, without what it ignores."""
        found = self._cdp.send("Accessibility.getFullAXTree")["nodes"]
        known = {one["nodeId"]: one for one in found}
        top = Node("page", "", {}, None)

        def grow(raw: dict[str, Any], under: Node) -> None:
            role = raw.get("role", {}).get("value", "")
            if not raw.get("ignored") and role not in ("none", "generic", "InlineTextBox"):
                node = _node(raw, under)
                under.children.append(node)
                under = node
            for id in raw.get("childIds", []):
                if id in known:
                    grow(known[id], under)

        grow(found[0], top)
        return top

    def wait(self, role: str, name: str = "", *, within: float = PATIENCE / 1000) -> Node:
        """Return a thing as soon as it is there."""
        return self.until(lambda tree: tree.find(role, name), f"no {role} {name!r}", within)

    def until(self, look: Callable[[Node], T | None], wrong: str, within: float = PATIENCE / 1000) -> T:
        """Return what is found in the tree as soon as it is there."""
        end = time.monotonic() + within
        while True:
            before = self.changed
            tree = self.tree()
            found = look(tree)
            if found is not None:
                return found
            assert time.monotonic() < end, f"{wrong}; heard {self.heard()[-8:]}\n{outline(tree)}"
            self.changes(before)

    @property
    def changed(self) -> int:
        """Return how often anything has changed on this page."""
        return int(self.page.evaluate("window.changed"))

    def changes(self, before: int) -> None:
        """Wait until more has changed than before, for a moment: the keyboard may be elsewhere without a change."""
        with suppress(TimeoutError):
            self.page.wait_for_function("(before) => window.changed !== before", arg=before, timeout=MOMENT_MS)

    def heard(self) -> list[str]:
        """Return all that was said on this page."""
        said: list[str] = self.page.evaluate("window.heard")
        return said

    def urged(self) -> list[str]:
        """Return what of it interrupted whatever was being said."""
        said: list[str] = self.page.evaluate("window.urged")
        return said

    def news(self) -> list[str]:
        """Return what was said since this was last asked."""
        said = self.heard()
        new, self.mark = said[self.mark :], len(said)
        return new

    def hears(self, words: str, since: int = 0, within: float = PATIENCE / 1000) -> str:
        """Wait until something is said that fits, and return it."""
        end = time.monotonic() + within
        while True:
            before = self.changed
            found = next((one for one in self.heard()[since:] if re.search(words, one)), None)
            if found is not None:
                return found
            assert time.monotonic() < end, f"nobody said {words!r}: {self.heard()[since:]}"
            self.changes(before)

    @property
    def focused(self) -> Node:
        """Return what the keyboard is at, as the tree has it."""
        where = self._cdp.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]
        if "objectId" not in where:  # between two pages
            return Node("", "", {}, None)
        find = {"objectId": where["objectId"], "fetchRelatives": False}
        return _node(self._cdp.send("Accessibility.getPartialAXTree", find)["nodes"][0], None)

    # what is done

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def reach(self, role: str, name: str = "", key: str = "Tab") -> Node:
        """Go to a thing with Tab (or Shift+Tab)."""
        seen = []
        for _ in range(90):
            at = self.focused
            if at.role == role and re.search(name, at.name):
                return at
            seen.append(f"{at.role} {at.name}")
            self.press(key)
        raise AssertionError(f"{key} never comes to {role} {name!r}: {seen}")

    def use(self, role: str, name: str = "", key: str = "Tab") -> None:
        """Go to a thing and press Enter on it."""
        self.reach(role, name, key)
        self.press("Enter")


def _node(raw: dict[str, Any], under: Node | None) -> Node:
    """Return what the browser tells of one thing."""
    states = {one["name"]: one["value"].get("value") for one in raw.get("properties", [])}
    if (value := raw.get("value", {}).get("value")) is not None:
        states["value"] = value
    name = " ".join(str(raw.get("name", {}).get("value", "")).split())
    return Node(raw.get("role", {}).get("value", ""), name, states, under)


def outline(tree: Node) -> str:
    """Return what of a tree tells why somebody is stuck, for who reads why a test has failed."""
    what = ("dialog", "toolbar", "button", "status", "alert", "option", "application")
    return "\n".join(f"{one.role} {one.text[:80]!r}{' off' * one.off}" for one in tree.walk() if one.role in what)
