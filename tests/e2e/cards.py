"""A person at a table of cards: what the hand holds, the buttons over it, and playing by the hints to the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from tests.e2e.person import PATIENCE, Person

DEAL_S = 240.0  # a deal with pauses of a second
# On a line of their own somebody plays what is listed first and is no pass, until all is over.
HASTE = """(table) => new Promise((done, failed) => {
  setTimeout(() => failed(new Error("it does not end")), 60000);
  const line = new WebSocket(location.origin.replace("http", "ws") + "/ws");
  const say = (message) => line.send(JSON.stringify(message));
  let cids = 0, game = "";
  line.onopen = () => { say({ t: "hello", v: 1 }); say({ t: "join", table }); };
  line.onmessage = ({ data }) => {
    const { ask, legal, result, game: its } = JSON.parse(data);
    game = its?.game_id ?? game;
    if (result) { line.close(); done(game); }
    if (!ask || !legal?.list.length) return;
    const action = legal.list.find((one) => !one.a.includes("pass")) ?? legal.list[0];
    say({ t: "act", cid: `haste-${table}-${++cids}`, table, action, ask: ask.id });
  };
})"""


class CardSitter(Person):
    """Somebody who plays by the hints. A game adds its own questions in `special`."""

    def __init__(self, page: Page, *, touch: bool = False) -> None:
        super().__init__(page, touch=touch, line=True)
        self.did: dict[str, int] = {}
        self.stuck = 0
        self.patience = 60  # so many looks at what passes by itself, until it is passed by hand

    def hand(self) -> dict[str, int]:
        """Return the columns of the hand."""
        found: dict[str, int] = self.page.evaluate(
            """Object.fromEntries([...document.querySelectorAll("[data-hand] [data-card]")]
              .map((column) => [column.dataset.card, Number(column.dataset.held)]))"""
        )
        return found

    def cards(self) -> int:
        """Return how many cards are held."""
        return sum(self.hand().values())

    def reloads(self) -> None:
        """Load the page anew. Others may have gone on meanwhile; cards only ever leave a hand."""
        before = self.hand()
        self.page.reload()
        expect(self.page.locator("[data-hand] [data-card]").first).to_be_visible()
        assert all(self.hand().get(card, 0) <= held for card, held in before.items())

    def raised(self) -> int:
        """Return how many cards are raised."""
        return int(self.page.locator("[data-hand] [role=listbox]").get_attribute("data-picked") or 0)

    def press(self, act: str, key: str) -> None:
        """Use a button, or its key."""
        self.did[act] = self.did.get(act, 0) + 1
        if self.touch:
            with suppress(PlaywrightTimeout):  # the question may go while the finger is in the air
                self.page.locator(f"[data-act={act}]").tap(timeout=1500)
        else:
            self.page.keyboard.press(key)

    def buttons(self) -> dict[str, bool]:
        """Return the buttons there are now, and whether they can be used."""
        return self.looked()[1]

    def ask(self) -> str | None:
        """Return the number of the question asked now."""
        return self.looked()[0]

    def looked(self) -> tuple[str | None, dict[str, bool]]:
        """Return the question and its buttons as they stand in one moment: between two looks it could change."""
        ask, buttons = self.page.evaluate(
            """[document.querySelector("[data-ask]")?.dataset.ask ?? null,
              Object.fromEntries([...document.querySelectorAll("[data-act]")]
                .map((button) => [button.dataset.act, button.getAttribute("aria-disabled") !== "true"]))]"""
        )
        return ask, buttons

    def answered(self, ask: str | None) -> None:
        """Wait until this question is no longer asked."""
        end = time.monotonic() + PATIENCE / 1000
        while self.ask() == ask and not self.over:
            assert time.monotonic() < end, self.page.locator("#cloth").inner_text()
            self.page.wait_for_timeout(40)

    def special(self, buttons: dict[str, bool]) -> tuple[str, str] | None:
        """Return the button and its key that answer a question of the game's own; None where there is none."""
        return None

    def letting_go(self, buttons: dict[str, bool]) -> str:
        """Return the button that lets a question go."""
        return "pass"

    def hastes(self, table: int) -> str:
        """Play to the end of the deal as a program does, the table out of sight; return the id of the game."""
        return str(self.page.evaluate(HASTE, table))

    def step(self) -> bool:
        """Do what is asked, if anything is; return whether something was done."""
        ask, buttons = self.looked()
        if own := self.special(buttons):
            self.press(*own)
            self.answered(ask)
            return True
        if "hint" in buttons:
            self.press("hint", "h")
            if not self.buttons().get("play"):
                return False  # the question has gone meanwhile
            self.press("play", "Enter")
            self.answered(ask)
            return True
        # Nothing can be played: it passes by itself after a while. That is seen twice, where there is time for it.
        self.stuck += "stay" in buttons
        go = self.letting_go(buttons)
        if go not in buttons or ("stay" in buttons and self.stuck <= self.patience):
            return False
        self.press(go, "p")
        self.answered(ask)
        return True


def play_out(*sitters: CardSitter, at: dict[int, Callable[[], None]] | None = None) -> int:
    """Play until everybody sees the result; `at`: what happens after so many things done. Return how many were."""
    end = time.monotonic() + DEAL_S
    done = 0
    left = dict(at or {})
    while not all(sitter.over for sitter in sitters):
        assert time.monotonic() < end, [sitter.page.locator("#cloth").inner_text() for sitter in sitters]
        acted = False
        for sitter in sitters:
            if not sitter.over and sitter.step():
                acted = True
                done += 1
                if done in left:
                    left.pop(done)()
        if not acted:
            sitters[0].page.wait_for_timeout(80)
    assert not left, "the deal was over before everything had happened"
    return done
