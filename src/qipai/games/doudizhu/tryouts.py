"""The rulings of doudizhu as small tables: calls, hands and tricks that the reader plays on (P-73)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from qipai.core.tryouts import Played, Position, Reckoned, Scene, SceneAsk, SceneRow, Script, Tryouts
from qipai.games.doudizhu import conform
from qipai.games.doudizhu.notation import PACK
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.rules import Doudizhu
from qipai.games.doudizhu.state import Play
from qipai.kit import tryouts as kit

__all__ = ["TRYOUTS"]

Given = Mapping[str, Any]
Json = Any

SPARE: Final = "3457K2xX"  # beside the cards of a case, so that another set can be made


def _cards(text: str) -> list[str]:
    return list(text)


def _hand(text: str) -> str:
    """Return a hand of the cards of a case and some more, as far as the pack has them."""
    counts = PACK.read("".join(card for card in text if card in PACK.names))
    for card in SPARE:
        i = PACK.names.index(card)
        counts[i] = min(counts[i] + 1, 1 if card in "xX" else 4)
    return PACK.write(counts)


def _rules(given: Given) -> Doudizhu:
    return Doudizhu(msgspec.convert(given.get("options") or {}, Options))


def _script(given: Given, expect: Json) -> Script:
    rules = _rules(given)
    state = rules.place(given["hands"], given.get("bottom", ""), given.get("first", 0), given.get("setup"))
    return Script(rules, state, kit.steps_of(given["steps"]))


def _over(given: Given, hand: str, play: str) -> Script:
    rules = _rules(given)
    over = given["over"]
    state = rules.place([over + ("3" if over.count("3") < 4 else "4"), hand, "3"], "", 0, {"landlord": 0, "bid": 1})
    if rules.refuse(state, 0, Play(over)) is not None:
        raise LookupError("no set lies there")
    return kit.facing(rules, rules.apply(state, 0, Play(over)).state, 1, play)


def _beats(given: Given, expect: Json) -> Script:
    return _over(given, _hand(given["play"]), given["play"])


def _answers(given: Given, expect: Json) -> Script:
    return _over(given, given["hand"], (expect.get("plays") or [given["hand"][:1]])[0])


def _leads(given: Given, expect: Json) -> Script:
    rules = _rules(given)
    state = rules.place([given["hand"], "3", "3"], "", 0, {"landlord": 0, "bid": 1})
    first = (expect.get("plays") or [given["hand"][:1]])[0]
    return Script(rules, state, ((0, {"a": "play", "cards": first}, None),))


def _picked(given: Given) -> list[SceneAsk]:
    own = [card for card in given["cards"] if card in PACK.names]
    return [SceneAsk("pick", name="cards", of=_cards(_hand(given["cards"])), now=own)]


def _made(given: Given, found: Json) -> tuple[str, Json]:
    if not found["legal"]:
        return "no_set", {"cards": given["cards"] or "–"}
    return f"set_{found['kind']}", {"cards": given["cards"], **found}


def _draw(position: Position) -> Scene:
    scene = kit.scene(position, _cards, {"play": ("lead", "answer")}, ("pass", "no_bid"))
    calls = tuple(SceneAsk("act", verb="bid", name=str(n), action={"a": "bid", "n": n}) for n in (1, 2, 3))
    view = position.rules.observe(position.state, None)
    rows = scene.rows + ((SceneRow("fact", "multiple", view.multiple),) if view.landlord is not None else ())
    return Scene(rows, scene.asks + (calls if scene.asks else ()), scene.seat)


TRYOUTS: Final = Tryouts(
    kinds={
        "script": Played(_script),
        "beats": Played(_beats),
        "answers": Played(_answers),
        "leads": Played(_leads),
        "classify": Reckoned(
            conform.classify,
            _picked,
            lambda given: [SceneRow("cards", "top", given["over"])] if given.get("over") else [],
            _made,
        ),
        "score": Reckoned(
            conform.scored,
            lambda given: [
                SceneAsk("number", name="bid", low=1, high=3, now=given["bid"]),
                SceneAsk("number", name="bombs", low=0, high=6, now=given["bombs"]),
                SceneAsk("choice", name="spring", of=[False, True], now=given["spring"], words="yes"),
            ],
            says=lambda given, found: (
                "score",
                {
                    "multiple": found["multiple"],
                    "scores": [f"{n:+d}" for n in found["scores"]],
                    "landlord": given["landlord"] + 1,
                    "winner": given["winner"] + 1,
                },
            ),
        ),
    },
    draw=_draw,
    chapters={
        "bid": "R1 R2 R3 R4 R5",
        "set": "R6 R7 R12",
        "wings": "R8 R9 R10",
        "higher": "R11 R15",
        "score": "R13 R14 R16 R17",
        "leave": "R18",
    },
    codes={
        "deal_over": "R16",
        "not_your_turn": "R2",
        "wrong_window": "R2",
        "bid_too_low": "R2",
        "not_a_set": "R6",
        "cards_not_held": "R6",
        "wrong_kind": "R11",
        "wrong_count": "R12",
        "not_higher": "R15",
    },
    cases={"R1": "script-001@0", "R6": "classify-002", "R16": "script-011"},
)
