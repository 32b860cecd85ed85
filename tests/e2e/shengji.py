"""A person at a shengji table, as a browser lets one be: declaring while cards fall, burying, playing by the hints."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from tests.client import Server
from tests.e2e.cards import CardSitter, play_out
from tests.e2e.scene import Scene

from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.state import Bury, Deal, Declare, NextDeal, Pass, Play, State

__all__ = ["ShengjiScene", "Sitter", "play_out", "scene", "sees_result"]


class Sitter(CardSitter):
    """Somebody who plays by the hints, declares once a deal where he can, and never says that he passes."""

    declared = -1  # the deal in which a declaration was made

    def deal(self) -> int:
        """Return the number of the deal that lies on the cloth."""
        return int(self.page.locator("[data-deal]").first.get_attribute("data-deal") or 0)

    def step(self) -> bool:
        buttons = self.buttons()
        if "declare" in buttons:
            deal = self.deal()
            if self.declared == deal:
                return False
            self.declared = deal
            self.did["declare"] = self.did.get("declare", 0) + 1
            if self.touch:
                with suppress(PlaywrightTimeout):  # somebody else may be quicker
                    self.page.locator("[data-act=declare]").first.tap(timeout=1500)
            else:
                self.page.keyboard.press("d")
                self.page.keyboard.press("Enter")
            return True
        return super().step() if "hint" in buttons else False


def sees_result(sitter: Sitter) -> dict[str, int]:
    """Check the result sheet; return who won what."""
    rows = sitter.page.locator(".result tbody tr")
    expect(rows).to_have_count(4)
    points = {}
    for row in rows.all():
        name = row.locator(".who").inner_text().split("·")[0].strip()
        points[name] = int(row.locator("td b").first.inner_text().replace("−", "-").replace("+", ""))
    assert sum(points.values()) == 0
    # The kitty is turned over card by card, and its sum written out.
    expect(sitter.page.locator(".result [data-kitty]")).to_contain_text("底")
    expect(sitter.page.locator(".result .card.back")).to_have_count(0)
    return points


# a table at a moment of one's choosing --------------------------------------------------------------------------------

MINE = "X 2H 2H AH KH KH QH QH 9H 7H 5H AS KS 8S 6S 6S AC AC QC 9C 8C 8C 7C 7C JD"
THEIRS = (
    "2S TH TH JH 8H AS QS TS 9S 5S KC JC 9C 6C 4C AD KD QD TD 9D 7D 5D 3D 4S 4H",
    "X 2C AH JH 9H 6H 3H KS QS JS TS 7S 5S JC TC 5C 3C AD KD QD TD 8D 6D 4D 3H",
    "x x 2D 2D 8H 7H 6H 5H 4H JS 9S 8S 7S 4S 3S KC QC TC 6C 5C 4C 9D 8D 7D 6D",
)


def pack(decks: int) -> list[str]:
    """Return every card of so many packs."""
    one = [rank + suit for rank in "23456789TJQKA" for suit in "SHCD"] + ["x", "X"]
    return one * decks


def laid(hands: tuple[str, ...], decks: int = 2) -> tuple[str, ...]:
    """Return the deck that deals these hands to seats 0 to 3, the first card to seat 0; the rest is the kitty."""
    cut = [hand.split() for hand in hands]
    rest = pack(decks)
    for hand in cut:
        for card in hand:
            rest.remove(card)
    return tuple(cut[k % 4][k // 4] for k in range(4 * len(cut[0]))) + tuple(rest)


def three_packs() -> tuple[str, ...]:
    """Return a deck of three packs whose first hand holds a titanic of clubs."""
    trumps, spades, diamonds = "X x 2H 2H 2S AH KH 8H 8H 6H 5H 4H", "KS JS JS 7S 5S 4S 4S 3S", "AD AD TD 6D 4D 3D"
    mine = f"{trumps} {spades} QC 8C 8C 6C 6C 6C 5C 5C 5C 4C 3C 3C 3C {diamonds}"
    hand = mine.split()
    rest = pack(3)
    for card in hand:
        rest.remove(card)
    hands = (mine, *(" ".join(rest[i : 3 * 39 : 3]) for i in range(3)))
    return laid(hands, 3)


class ShengjiScene(Scene[Options]):
    """A table of shengji at a moment of one's choosing; seat 0 is mine and draws first."""

    game = "shengji"
    order = "3 2"  # unused: suits count here, see `lift`

    def _fields(self) -> dict[str, Any]:
        fields = super()._fields()
        view = self.rules.observe(self.state, self.seat)
        if self.seat is not None and view.phase in ("dealing", "declaring"):
            # Whoever may declare sees with what, asked or not.
            fields["hints"] = msgspec.to_builtins(self.entry.hints(self.options, view))
        return fields

    def lift(self, *cards: str) -> None:
        """Put down what is raised, then raise exactly these, by their keys."""
        self.page.keyboard.press("Escape")
        self.page.locator("[data-hand] [role=listbox]").focus()
        for card in dict.fromkeys(cards):
            at = self.page.evaluate(
                """card => [...document.querySelectorAll("[data-hand] [data-card]")]
                  .findIndex((one) => one.dataset.card === card)""",
                card,
            )
            self.page.keyboard.press("Home")
            for _ in range(at):
                self.page.keyboard.press("ArrowRight")
            self.page.keyboard.press(str(cards.count(card)))

    def raised_cards(self) -> dict[str, int]:
        """Return which cards are raised."""
        found: dict[str, int] = self.page.evaluate(
            """Object.fromEntries([...document.querySelectorAll("[data-hand] [data-card]")]
              .map((one) => [one.dataset.card, Number(one.dataset.raised)]).filter(([, raised]) => raised))"""
        )
        return found


def until(rules: Shengji, deck: tuple[str, ...], *actions: tuple[int, Any]) -> State:
    """Return the state after these actions of a match's first deal."""
    state = rules.start()
    for seat, action in ((-1, NextDeal(deck, 0)), *actions):
        refusal = rules.refuse(state, seat, action)
        assert refusal is None, (seat, action, refusal)
        state = rules.apply(state, seat, action).state
    return state


def scene(page: Page, hall: Server, moment: str) -> ShengjiScene:
    """Return a table at a moment: falling, declaring, burying, leading, failed, follow, over, three."""
    three = moment == "three"
    options = Options(decks=3) if three else Options()
    rules = Shengji(options)
    deck = three_packs() if three else laid((MINE, *THEIRS))
    hand = 39 if three else 25
    passes = [(seat, Pass()) for seat in range(4)]
    hearts = [(-1, Deal(4 * hand)), (0, Declare(("2H", "2H")))]
    steps: list[tuple[int, Any]] = {
        "falling": [(-1, Deal(48)), (3, Declare(("2D",)))],
        "declaring": [(-1, Deal(100)), (0, Declare(("2H",)))],
    }.get(moment, [*hearts, *passes])
    state = until(rules, deck, *steps)
    if moment not in ("falling", "declaring", "burying"):
        kitty = Bury(rules.observe(state, 0).picked or ())
        state = rules.apply(state, 0, kitty).state
    if moment == "follow":
        for seat, cards in ((0, ("JD",)), (1, ("KD",)), (2, ("AD",)), (3, ("9D",)), (2, ("JS",)), (3, ("9S",))):
            state = rules.apply(state, seat, Play(cards)).state
    if moment == "over":
        state = played_out(rules, state)
    return ShengjiScene(page, hall, state, 0, options)


def played_out(rules: Shengji, state: State) -> State:
    """Return the end of a deal in which everybody plays what an absent player would."""
    while rules.outcome(state) is None:
        seat = next(iter(rules.turn(state).seats))
        state = rules.apply(state, seat, rules.idle(state, seat)).state
    return state
