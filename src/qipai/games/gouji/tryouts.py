"""The rulings of gouji as small tables: hands and tricks that the reader plays on (P-73)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from qipai.core.tryouts import Played, Position, Reckoned, Scene, SceneAsk, SceneRow, Script, Tryouts
from qipai.games.gouji import conform
from qipai.games.gouji.notation import PACK
from qipai.games.gouji.options import Options
from qipai.games.gouji.rules import Gouji
from qipai.games.gouji.state import Play
from qipai.kit import tryouts as kit

__all__ = ["TRYOUTS"]

Given = Mapping[str, Any]
Json = Any

SPARE: Final = "99TTA2xX"  # cards beside those of a case, so that another set can be made
SIX: Final = list(range(6))


def _cards(text: str) -> list[str]:
    return list(text)


def _ranked(text: str) -> list[str]:
    return sorted(text, key=PACK.names.index)


def _script(given: Given, expect: Json) -> Script:
    rules = Gouji(msgspec.convert(given.get("options") or {}, Options))
    state = rules.place(
        given["hands"], given["leader"], given.get("out") or (), given.get("fell") or (), given.get("previous")
    )
    return Script(rules, state, kit.steps_of(given["steps"]))


def _over(hand: str, over: str, play: str) -> Script:
    """Return the position in which the opposite holds a hand and a set lies on the table."""
    rules = Gouji()
    state = rules.place([over + "3", "3", "3", hand, "3", "3"], 0)
    lead = Play(over)
    if rules.refuse(state, 0, lead) is not None:
        raise LookupError("no set lies there")
    return kit.facing(rules, rules.apply(state, 0, lead).state, 3, play)


def _beats(given: Given, expect: Json) -> Script:
    return _over("".join(_ranked(given["play"] + SPARE)), given["over"], given["play"])


def _answers(given: Given, expect: Json) -> Script:
    return _over(given["hand"], given["over"], (expect.get("plays") or [given["hand"][:1]])[0])


def _leads(given: Given, expect: Json) -> Script:
    rules = Gouji(msgspec.convert(given.get("options") or {}, Options))
    state = rules.place([given["hand"], *["3"] * 5], 0)
    first = (expect.get("plays") or [given["hand"][:1]])[0]
    return Script(rules, state, ((0, {"a": "play", "cards": first}, None),))


def _picked(name: str, cards: str) -> list[SceneAsk]:
    return [SceneAsk("pick", name=name, of=_ranked(cards + SPARE), now=_cards(cards))]


def _made(given: Given, found: Json) -> tuple[str, Json]:
    if not found["legal"]:
        return "no_set", {"cards": given["cards"] or "–"}
    return "set_gouji" if found["gouji"] else "set_plain", {"cards": given["cards"], **found}


def _scored(given: Given, found: Json) -> tuple[str, Json]:
    case = "score" if found["swept_by"] is None else "score_sweep"
    return case, {"scores": [f"{n:+d}" for n in found["scores"]]}


def _burnt(given: Given, found: Json) -> tuple[str, Json]:
    return ("burn_yes" if found["can_burn"] else "burn_no"), {"sets": found["first_sets"], "over": given["over"]}


def _paid(given: Given, found: Json) -> tuple[str, Json]:
    lines = [f"{one['from'] + 1} → {one['to'] + 1}: {one['cards']}" for one in found["payments"]]
    return ("paid" if lines else "paid_nothing"), {"lines": lines}


def _draw(position: Position) -> Scene:
    scene = kit.scene(
        position,
        _cards,
        {"play": ("lead", "answer", "close", "burn", "burn_wait", "burn_play"), "return": ("tribute",)},
        ("pass", "close", "wind", "burn", "no_burn"),
    )
    counts = position.rules.observe(position.state, None).counts
    reported = SceneRow("fact", "report", ["–" if n is None else str(n) for n in counts])
    return Scene((*scene.rows, reported), scene.asks, scene.seat)


TRYOUTS: Final = Tryouts(
    kinds={
        "script": Played(_script),
        "beats": Played(_beats),
        "answers": Played(_answers),
        "leads": Played(_leads),
        "classify": Reckoned(
            conform.classify,
            lambda given: [
                SceneAsk("pick", name="cards", of=_ranked(given["cards"] + SPARE), now=_cards(given["cards"]))
            ],
            says=_made,
        ),
        "burnable": Reckoned(
            conform.burnable,
            lambda given: _picked("hand", given["hand"]),
            lambda given: [SceneRow("cards", "top", given["over"])],
            _burnt,
        ),
        "score": Reckoned(
            conform.score, lambda given: [SceneAsk("order", name="order", of=SIX, now=given["order"])], says=_scored
        ),
        "tribute": Reckoned(
            conform.tribute,
            lambda given: [SceneAsk("order", name="order", of=SIX, now=given["order"])],
            lambda given: [SceneRow("cards", "hand", hand, seat=seat) for seat, hand in enumerate(given["hands"])],
            _paid,
        ),
        "first_leader": Reckoned(
            conform.first_leader,
            lambda given: [
                SceneAsk("number", name="deal", low=1, high=12, now=given["deal"]),
                SceneAsk("choice", name="first_seated", of=SIX, now=given.get("first_seated") or 0, words="seat"),
            ],
            says=lambda given, found: ("leader", {"seat": found["leader"] + 1}),
        ),
    },
    draw=_draw,
    chapters={
        "set": "R1 R3",
        "higher": "R4",
        "trick": "R6 R7 R22 R23 R24 R26",
        "gouji": "R2 R5 R8 R9 R17 R18",
        "burn": "R10 R11 R12 R13 R14 R15",
        "kill": "R19 R20",
        "tangle": "R16",
        "out": "R29 R31",
        "score": "R21 R25 R28 R32",
        "tribute": "R27",
    },
    codes={
        "deal_over": "R25",
        "not_in_play": "R17",
        "not_your_turn": "R5",
        "wrong_window": "R7",
        "not_a_set": "R1",
        "cards_not_held": "R1",
        "wrong_count": "R4",
        "not_higher": "R4",
        "burner_needs_joker": "R15",
        "threes_last": "R1",
        "no_wind": "R22",
        "bad_return": "R27",
    },
    cases={
        "R6": "trick-003 trick-001@9",
        "R8": "gouji-005@4",
        "R10": "burn-001@1 burn-003@1",
        "R11": "burn-005@1 burn-031@2",
        "R12": "burn-009@3",
        "R13": "burn-013@3",
        "R17": "headless-001@1 burn-041",
        "R19": "deadgouji-001@1 deadgouji-007",
        "R20": "deadgouji-009@0",
        "R22": "wind-001@1 wind-005",
        "R23": "wind-009@1",
        "R26": "timeout-001@1",
        "R28": "score-001",
        "R29": "deadgouji-017",
        "R31": "trick-001",
        "R32": "leave-001@2",
    },
    untried={
        "R30": "says who fills an empty seat; the hall does, before any card is dealt",
    },
)
