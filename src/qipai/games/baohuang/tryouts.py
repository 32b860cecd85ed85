"""The rulings of baohuang as small tables: hands, tricks and the opening that the reader plays on (P-73)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from qipai.core.tryouts import Played, Position, Reckoned, Scene, SceneAsk, Script, Tryouts
from qipai.games.baohuang import conform
from qipai.games.baohuang.notation import PACK
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.rules import Baohuang
from qipai.games.baohuang.state import Play
from qipai.kit import tryouts as kit

__all__ = ["TRYOUTS"]

Given = Mapping[str, Any]
Json = Any

SPARE: Final = ["6", "7", "7", "A", "2", "x", "X"]  # beside the cards of a case, so that another set can be made
FIVE: Final = list(range(5))
PAIR: Final = {"mode": "pair", "emperor": 0, "guard": 2, "opened": False}


def _cards(text: str) -> list[str]:
    return re.findall(r".\*?", text)


def _ranked(cards: list[str]) -> list[str]:
    return sorted(cards, key=PACK.names.index)


def _known(text: str) -> list[str]:
    """Return the cards of a text that are in the pack: the seed's examples have some that are not (R3)."""
    return [card for card in _cards(text) if card in PACK.names]


def _script(given: Given, expect: Json) -> Script:
    rules = Baohuang(msgspec.convert(given.get("options") or {}, Options))
    return Script(rules, rules.place(given["hands"], given.get("setup")), kit.steps_of(given["steps"]))


def _over(given: Given, hand: list[str], play: str) -> Script:
    """Return the case in which the next seat holds a hand and a set lies on the table."""
    rules = Baohuang(msgspec.convert(given.get("options") or {}, Options))
    lead = Play(given["over"])
    if len(_known(given["over"])) != len(_cards(given["over"])):
        raise LookupError("no set lies there")
    state = rules.place([given["over"] + "7", "".join(_ranked(hand)), "7", "7", "7"], PAIR)
    if rules.refuse(state, 0, lead) is not None:
        raise LookupError("no set lies there")
    return kit.facing(rules, rules.apply(state, 0, lead).state, 1, play)


def _beats(given: Given, expect: Json) -> Script:
    return _over(given, _known(given["play"]) + SPARE, given["play"])


def _answers(given: Given, expect: Json) -> Script:
    return _over(given, _cards(given["hand"]), (expect.get("plays") or [_cards(given["hand"])[0]])[0])


def _leads(given: Given, expect: Json) -> Script:
    rules = Baohuang(msgspec.convert(given.get("options") or {}, Options))
    state = rules.place([given["hand"], *["7"] * 4], PAIR)
    first = (expect.get("plays") or _cards(given["hand"]))[0]
    return Script(rules, state, ((0, {"a": "play", "cards": first}, None),))


def _made(given: Given, found: Json) -> tuple[str, Json]:
    if _known(given["cards"]) != _cards(given["cards"]):
        return "not_in_pack", {"cards": given["cards"]}
    if not found["legal"]:
        return "no_set", {"cards": given["cards"] or "–"}
    return "set_hung" if found["hung"] else "set_plain", {"cards": given["cards"], **found}


def _draw(position: Position) -> Scene:
    return kit.scene(
        position,
        _cards,
        {"play": ("lead", "answer", "reveal", "kick")},
        ("pass", *("grab", "no_grab", "yield", "keep", "reveal", "hide", "rebel", "no_rebel", "kick", "no_kick")),
    )


TRYOUTS: Final = Tryouts(
    kinds={
        "script": Played(_script),
        "beats": Played(_beats),
        "answers": Played(_answers),
        "leads": Played(_leads),
        "classify": Reckoned(
            conform.classify,
            lambda given: [
                SceneAsk("pick", name="cards", of=_ranked(_known(given["cards"]) + SPARE), now=_known(given["cards"]))
            ],
            says=_made,
        ),
        "score": Reckoned(
            conform.scored,
            lambda given: [
                SceneAsk("order", name="order", of=FIVE, now=given["order"]),
                SceneAsk("choice", name="opened", of=[False, True], now=given["opened"], words="yes"),
                SceneAsk("choice", name="kicked", of=[False, True], now=given["kicked"], words="yes"),
            ],
            says=lambda given, found: (f"score_{given['mode']}", _roles(given, found)),
        ),
        "penalty": Reckoned(
            conform.penalty,
            lambda given: [
                SceneAsk(
                    "choice",
                    name="phase",
                    of=["grab", "yield", "reveal", "rebel", "kick", "lead", "answer"],
                    now=given["phase"],
                    words="phase",
                )
            ],
            says=lambda given, found: ("penalty", found),
        ),
        "first_card": Reckoned(
            conform.first_card,
            lambda given: [
                SceneAsk("choice", name="last_first_place", of=FIVE, now=given["last_first_place"] or 0, words="seat")
            ],
            says=lambda given, found: ("first_card", {"seat": found["seat"] + 1}),
        ),
    },
    draw=_draw,
    chapters={
        "cards": "R3 R6",
        "set": "R1 R2",
        "higher": "R4",
        "six": "R5",
        "opening": "R8 R9 R10 R11 R12 R13 R16 R21 R25",
        "trick": "R7 R17",
        "end": "R18 R24",
        "score": "R14 R15 R22 R23",
        "leave": "R19 R26",
    },
    codes={
        "deal_over": "R18",
        "not_in_play": "R18",
        "not_your_turn": "R8",
        "wrong_window": "R8",
        "guard_cannot_rebel": "R11",
        "not_a_set": "R1",
        "cards_not_held": "R2",
        "wrong_count": "R4",
        "not_higher": "R4",
        "sixes_last": "R5",
    },
    cases={"R21": "view-001", "R22": "end-015", "R23": "score-001", "R24": "end-001"},
    untried={"R20": "reads the table of grades: a matter of the books, not of a deal"},
)


def _roles(given: Given, found: Json) -> dict[str, Json]:
    return {
        "scores": [f"{n:+d}" for n in found["scores"]],
        "emperor": given["emperor"] + 1,
        "guard": (given.get("guard") or 0) + 1,
    }
