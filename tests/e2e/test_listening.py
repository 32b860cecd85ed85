"""Whole deals of seven games by keyboard and ear alone: roles, names, states and what is said (DESIGN 11).

Whoever plays here knows nothing else of the page: see `tests/e2e/listener.py`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.client import Server
from tests.e2e.listener import Listener, Node, outline

DEAL_S = 240.0
# Two chariots and a general against a general and a soldier: two moves from mate.
LATE = "4k4/9/R8/9/1R7/9/8p/9/9/3K5 w - - 0 1"


@pytest.fixture
def listens(window: Callable[..., Page], hall: Server) -> Callable[..., Listener]:
    """Open a browser at a table against easy bots; without a table: in the lobby."""

    def opened(game: str = "", lang: str = "en", **body: Any) -> Listener:
        one = Listener(window(1280, 800, locale=lang, reduced_motion="reduce")).guest(hall)
        if game:
            table = one.call("/play", {"game": game, "level": "easy", **body})["table"]
            one.page.goto(f"{hall.url}/tables/{table}")
        else:
            one.page.goto(hall.url)
        return one

    return opened


def opens(one: Listener, name: str, skip: str) -> None:
    """Come from the lobby to a table: over the menu, to the button that names the game."""
    one.wait("button", name)
    one.use("link", skip)
    one.use("button", name)


def plays(one: Listener, step: Callable[[Node], bool]) -> Node:
    """Do what is asked until the sheet with the result is there, and return it; step: whether something was done."""
    end = time.monotonic() + DEAL_S
    while True:
        before = one.changed
        tree = one.tree()
        sheet = next((found for found in tree.all("dialog") if found.find("table")), None)
        if sheet is not None:
            return sheet
        if not step(tree):
            one.changes(before)
        assert time.monotonic() < end, "\n".join([*one.heard()[-30:], outline(tree)])


def points(sheet: Node, column: str) -> list[int]:
    """Return a column of numbers of the sheet that says how it ended."""
    table = sheet.find("table")
    assert table is not None
    heads = [head.text for head in table.all("columnheader")]
    at = len(heads) - 1 - heads[::-1].index(column)
    rows = [row for row in table.all("row") if row.find("cell")]
    return [int(row.all("cell")[at].text.replace("−", "-")) for row in rows]


def said_once(one: Listener, event: str, turn: str = "Your turn") -> None:
    """What everybody did was said as it was done, and once: the list of events is the measure.

    My turn interrupts, with the move that made it mine before it.
    """
    log = [line.text for line in one.tree().all("listitem") if re.search(event, line.text)]
    names = {line.split()[0] for line in log}
    urged = one.urged()
    calm = [line for line in one.heard() if line not in urged]
    heard = [line for line in calm if re.search(event, line) and line.split()[0] in names]
    assert len(log) > 3
    # The list keeps the last lines only: they were the last that were said, in this order.
    wrong = [(a, b) for a, b in zip(reversed(heard), reversed(log), strict=False) if a != b]
    assert not wrong, (wrong[0], heard[-9:], log[-9:])
    assert any(re.search(f"({event}).*{turn}", line) for line in urged), urged
    assert not any(re.search(turn, line) for line in calm), calm


def held(tree: Node) -> str:
    """Return what the hand is called: how much is in it."""
    found = tree.find("listbox")
    return found.name if found else ""


class Cards:
    """A listener at a table of cards, in the words of a language."""

    def __init__(self, one: Listener, hint: str, play: str, choose: str, turn: str) -> None:
        self.one, self.hint, self.play, self.choose, self.turn = one, hint, play, choose, turn
        self.tried = self.sent = 0

    def buttons(self, tree: Node) -> list[Node]:
        return [button for bar in tree.all("toolbar") + tree.all("region") for button in bar.all("button")]

    def hand(self, tree: Node) -> list[Node]:
        found = tree.find("listbox")
        return found.all("option") if found else []

    def learns_keys(self) -> None:
        """Ask for the keys, read which does what, and come back to the hand."""
        self.one.reach("listbox")
        self.one.press("?")
        keys = self.one.wait("dialog").whole
        for key in ("H", "P", "Esc", "↵"):
            assert key in keys, keys
        self.one.press("Escape")
        self.one.until(lambda tree: tree.find("dialog") is None or None, "the keys stay")
        assert self.one.reach("listbox").role == "listbox"

    def refused(self, tree: Node) -> None:
        """Choose the lowest card, which is too low or too few, hear why it cannot be played, and put it down."""
        self.tried += 1
        one = self.one
        one.press("Home", " ")
        why = one.until(self.reason, "nothing says why").text.removesuffix("See the rule").strip()
        assert len(why.split()) > 3, why
        one.hears(re.escape(why))
        one.press("Escape")
        one.until(lambda now: not any(card.chosen for card in self.hand(now)) or None, "it stays raised")

    def reason(self, now: Node) -> Node | None:
        """Return what says why the chosen cards cannot be played: they are too low, or more of them are needed."""
        return now.find("alert") or next((each for each in now.all("status") if each.text.endswith(" more")), None)

    def step(self, tree: Node) -> bool:
        """Answer what is asked: follow the hint, by turns with the key of the button and on the button itself."""
        one, buttons = self.one, self.buttons(tree)
        named = {button.name: button for button in buttons}
        hint = next((name for name in named if re.match(self.hint, name)), None)
        follows = any(re.match("Pass|Close|不出|让牌|过", name) for name in named)
        if hint and follows and not self.tried:
            self.refused(tree)
            return True
        if hint:
            one.press("h")
            ready = next((button for button in self.buttons(one.tree()) if re.match(self.play, button.name)), None)
            if ready is None or ready.off:
                return False
            self.sent += 1
            if self.sent == 2:
                # On the button itself; what was pressed goes away, and the keyboard is at the hand again.
                one.use("button", self.play, key="Shift+Tab")
                one.until(lambda _: one.focused.role in ("listbox", "button", "dialog") or None, "the focus is lost")
            else:
                one.press("Enter")
            return self.gone(buttons, held(tree))
        return self.other(named)

    def gone(self, buttons: list[Node], hand: str) -> bool:
        """Wait until these buttons are no longer there, or the hand is another."""
        before = [button.name for button in buttons], hand
        self.one.until(
            lambda now: (
                ([button.name for button in self.buttons(now)], held(now)) != before or now.find("dialog") or None
            ),
            "still asked",
        )
        return True

    def other(self, named: dict[str, Node]) -> bool:
        """Answer a question of the game's own."""
        return False


def test_gouji_by_ear(listens: Callable[..., Listener]) -> None:
    one = listens("gouji", options={"burn_seconds": 1})
    cards = Gouji(one, "Hint", "Play", "Choose", "Your turn")
    one.wait("listbox", "36 cards")
    cards.learns_keys()
    one.hears("Your turn|leads?")
    sheet = plays(one, cards.step)
    assert sum(points(sheet, "Points")) == 0
    assert [row.all("cell")[0].text for row in sheet.all("row")[1:]] == ["1st", "2nd", "3rd", "4th", "5th", "6th"]
    assert cards.tried == 1
    assert cards.sent >= 4
    said_once(one, r" plays? | leads? | passes|closes")
    one.healthy()


class Gouji(Cards):
    """Somebody who never burns, takes the wind where he cannot play, and lets a turn go that nothing fits."""

    def other(self, named: dict[str, Node]) -> bool:
        if any(name.startswith("Burn") for name in named):
            self.one.press("n")
            return True
        if any(name.startswith("Wind") for name in named):  # who may take the wind is asked, whatever he holds
            self.one.press("w")
            return True
        return False  # what nothing fits is let go by itself


def test_baohuang_by_ear(listens: Callable[..., Listener]) -> None:
    one = listens("baohuang", options={"turn_seconds": 60, "declare_seconds": 2})
    cards = Baohuang(one, "Hint", "Play ", "Choose", "Your turn")
    one.wait("listbox", "33 cards")
    one.hears("emperor")
    sheet = plays(one, cards.step)
    assert sum(points(sheet, "Points")) == 0
    assert cards.sent >= 3
    said_once(one, r" plays? | leads? | passes?$")
    one.healthy()


class Baohuang(Cards):
    """Somebody who does nothing bold before play."""

    def other(self, named: dict[str, Node]) -> bool:
        no = next((name for name in named if re.search(r" N( |$)", name)), None)
        if no:
            self.one.press("n")
        elif any(re.search(r" Y( |$)", name) for name in named):
            self.one.press("y")
        else:
            return False
        return self.gone(list(named.values()), held(self.one.tree()))


def test_shengji_by_ear(listens: Callable[..., Listener]) -> None:
    one = listens(lang="zh-CN")
    opens(one, "开一局 · 升级", "跳到")
    cards = Shengji(one, "提示", "出牌|扣底", "选牌", "轮到你")
    one.wait("listbox", "手牌")
    sheet = plays(one, cards.step)
    assert sum(points(sheet, "本局")) == 0
    assert cards.sent >= 10
    assert not [line for line in one.heard() if "待摸" in line], "every card that falls is counted aloud"
    one.healthy()


class Shengji(Cards):
    """Somebody who declares once when it can be done."""

    declared = False

    def other(self, named: dict[str, Node]) -> bool:
        call = next((name for name in named if name.startswith("亮")), None)
        if call and not self.declared:
            self.declared = True
            self.one.use("button", re.escape(call), key="Shift+Tab")
            return True
        return False


def test_mahjong_by_ear(listens: Callable[..., Listener]) -> None:
    one = listens()
    opens(one, "Play · Sichuan mahjong", "Skip")
    one.wait("listbox", "1[34] tiles")
    one.reach("listbox")
    thrown: list[str] = []

    def step(tree: Node) -> bool:
        bar, hand = tree.find("toolbar"), tree.find("listbox")
        named = [button.name for button in bar.all("button")] if bar else []
        claim = next((key for word, key in (("Win", "w"), ("Kong", "q"), ("Pong", "e")) for name in named
                      if name.startswith(word)), None)  # fmt: skip
        if claim:
            one.press(claim)
        elif any(name.startswith("Throw") for name in named):
            one.press("h")
            if not one.tree().find("option", "chosen$"):
                one.press("End")  # no advice: what was drawn goes
            chosen = one.wait("option", "chosen$")
            thrown.append(chosen.name.split(",")[0])
            one.press("Enter")
        elif "Pass" in named:
            one.press(" ")
        elif void := [group for group in tree.all("group") if re.search("suit", group.name)]:
            one.use("button", void[0].all("button")[0].name, key="Shift+Tab")
        else:
            return False
        before = (named, [tile.name for tile in hand.all("option")] if hand else [])

        def other(now: Node) -> bool | None:
            bar, hand = now.find("toolbar"), now.find("listbox")
            return now.find("dialog") is not None or before != (
                [button.name for button in bar.all("button")] if bar else [],
                [tile.name for tile in hand.all("option")] if hand else [],
            ) or None  # fmt: skip

        one.until(other, "still asked")
        return True

    sheet = plays(one, step)
    assert sum(points(sheet, "Points")) == 0
    assert thrown
    for tile in thrown[:3]:
        one.hears(f"You (discard|throw).* {tile}")
    said_once(one, " discards? ")
    one.healthy()


def test_xiangqi_by_ear(listens: Callable[..., Listener]) -> None:
    one = listens("xiangqi", "zh-CN", start=LATE, seat=0)
    board = one.reach("application", "红方在下")
    assert board.role == "application"
    one.hears("轮到你")
    men = one.until(
        lambda tree: next((found for found in tree.all("list") if "红方在下" in found.name), None), "no list"
    )
    stand = {line.whole[:2]: line.whole for line in men.all("listitem")}
    assert {square: re.sub(r" · 可走.*", "", words)[5:] for square, words in stand.items()} == {
        "E9": "黑方的将", "A7": "红方的车", "B5": "红方的车", "I3": "黑方的卒", "D0": "红方的帅",
    }  # fmt: skip
    at = goes(one, "E3", "A7")
    one.press("Enter")
    one.hears("A7 · 红方的车 · 已拿起")
    at = goes(one, at, "B6")
    one.press("Enter")
    one.hears("车")  # why not
    why = one.wait("alert").whole
    assert why
    at = goes(one, at, "A8")
    one.hears("A8 · 可以走到这里")
    one.press("Enter")
    one.hears("红方.*车")
    mine = "轮到你$"
    one.until(
        lambda _: len([line for line in one.heard() if re.search(mine, line)]) > 1 or None,
        "it is not said that the turn is mine again",
    )
    at = goes(one, at, "B5")
    one.press("Enter")
    goes(one, at, "B9")
    one.press("Enter")
    sheet = one.until(lambda tree: tree.find("dialog"), "no result")
    assert "红方" in sheet.whole
    assert "将死" in sheet.whole
    one.healthy()


def goes(one: Listener, here: str, to: str) -> str:
    """Lead the cursor over the board by arrows; at every point is said what is there."""
    files, ranks = ord(to[0]) - ord(here[0]), int(to[1]) - int(here[1])
    since = len(one.heard())
    one.press(*["ArrowRight" if files > 0 else "ArrowLeft"] * abs(files))
    one.press(*["ArrowUp" if ranks > 0 else "ArrowDown"] * abs(ranks))
    one.hears(f"^{to}", since)
    return to


def test_backgammon_by_ear(listens: Callable[..., Listener]) -> None:
    one = listens("backgammon", variant="hyper", options={"cube": False})
    one.reach("application", "White below|Black below")
    stuck = tried = 0

    def step(tree: Node) -> bool:
        nonlocal stuck, tried
        bar = tree.find("toolbar")
        named = {button.name: button for button in bar.all("button")} if bar else {}
        for word in ("Roll", "No move", "Done"):
            name = next((name for name, button in named.items() if name.startswith(word) and not button.off), None)
            if name and tried < 3:
                return presses(one, name)
            if name:
                one.press("r" if word == "Roll" else "Enter")
                return changes(one, name)
        lines = [line.whole for line in tree.all("listitem") if "may move" in line.whole]
        if not lines:
            return False
        one.reach("application")
        where = re.match(r"Point \d+|Bar", lines[-1])
        assert where, lines
        seek(one, where[0])
        since = len(one.heard())
        one.press("Enter")
        one.hears("lifted", since)
        tried += 1
        if tried == 2:
            refuses(one)
            return True
        one.press("Enter")
        stuck += 1
        return True

    sheet = plays(one, step)
    assert sum(points(sheet, "Points")) == 0
    assert stuck > 4
    one.healthy()


def presses(one: Listener, name: str) -> bool:
    """Use a button, and wait until it is gone."""
    one.use("button", re.escape(name))
    return changes(one, name)


def changes(one: Listener, name: str) -> bool:
    """Wait until a button is gone."""
    one.until(lambda now: now.find("button", re.escape(name)) is None or now.find("dialog") or None, name)
    return True


def seek(one: Listener, where: str) -> None:
    """Go round the board, by the shorter way, until the place is said."""
    ring = [*(f"Point {n}" for n in range(1, 25)), "Bar", "Borne off"]
    said = [line for line in one.heard() if line.startswith(("Point", "Bar", "Borne off"))]
    here = next(n for n, name in enumerate(ring) if re.match(rf"{name}\b", said[-1]))
    far = (ring.index(where) - here) % len(ring)
    since = len(one.heard())
    one.press(*(["ArrowLeft"] * far if far <= len(ring) / 2 else ["ArrowRight"] * (len(ring) - far)))
    if far:
        one.hears(rf"^{where}\b", since)


def refuses(one: Listener) -> None:
    """Put the lifted checker where it may not go, hear why, and put it down."""
    seek(one, "Borne off")
    one.press("Enter")
    assert len(one.wait("alert").whole.split()) > 3
    one.press("Escape")


def test_lianliankan_by_ear(listens: Callable[..., Listener]) -> None:
    options = {"rows": 2, "cols": 4, "kinds": 2, "idle_forfeit_s": 0}
    one = listens("lianliankan", "zh-CN", seats=1, options=options)
    one.wait("application", "还剩 8 张")
    one.reach("application")
    here = (2, 3)
    refused: set[tuple[tuple[int, int], tuple[int, int]]] = set()

    def lies(tree: Node) -> dict[tuple[int, int], str]:
        found = {}
        for row in tree.all("listitem", ""):
            if line := re.match(r"第 (\d+) 行：(.*)", row.whole):
                for tile in re.findall(r"(\d+) ([^、，]+)", line[2]):
                    found[int(line[1]), int(tile[0])] = tile[1].strip()
        return found

    def answer(now: Node, since: int) -> str | None:
        """Return that the pair is linked, or why it is not."""
        linked = next((line for line in one.heard()[since:] if line.startswith("连")), None)
        alert = now.find("alert")
        return linked or (alert.whole if alert else None)

    def goes_to(cell: tuple[int, int]) -> None:
        nonlocal here
        since = len(one.heard())
        down, right = cell[0] - here[0], cell[1] - here[1]
        one.press(*["ArrowDown" if down > 0 else "ArrowUp"] * abs(down))
        one.press(*["ArrowRight" if right > 0 else "ArrowLeft"] * abs(right))
        if down or right:
            one.hears(f"第 {cell[0]} 行第 {cell[1]} 列", since)
        here = cell

    def step(tree: Node) -> bool:
        board = lies(tree)
        pairs = [(a, b) for a in board for b in board if a < b and board[a] == board[b] and (a, b) not in refused]
        if not pairs:
            refused.clear()
            return False
        first, second = pairs[0]
        goes_to(first)
        one.press("Enter")
        one.hears(f"第 {first[0]} 行第 {first[1]} 列.*已选")
        goes_to(second)
        since = len(one.heard())
        one.press("Enter")
        said = one.until(lambda now: answer(now, since), "no answer")
        if said.startswith("连"):
            refused.clear()
        else:
            refused.add((first, second))
            one.press("Escape")
        return True

    sheet = plays(one, step)
    assert sheet.whole
    one.healthy()
