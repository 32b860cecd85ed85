"""The rulings of shengji as small tables: shapes, follows, throws, calls and the score of a deal (P-73)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from qipai.core.contract import NATURE, Refusal
from qipai.core.entry import as_action
from qipai.core.tryouts import TIMEOUT, Played, Position, Reckoned, Scene, SceneAsk, SceneRow, Script, Tryouts
from qipai.games.shengji import conform
from qipai.games.shengji.notation import INDEX
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.state import Action, Carry, State

__all__ = ["TRYOUTS"]

Given = Mapping[str, Any]
Json = Any

VERBS: Final = {"playing": ("play",), "burying": ("bury",), "declaring": ("declare",), "dealing": ("declare",)}
SPARE: Final = ("9H", "8H", "8H", "4H", "4H", "TC", "x", "X")  # beside the cards of a case
SUITS: Final = ["S", "H", "C", "D"]


def _judged(table: Callable[[Given], tuple[Shengji, State]], seat: int, verb: str, name: str) -> Any:
    """Return a run that judges the cards a reader puts down at a table that lies there for this one question."""

    def run(given: Given) -> Json:
        rules, state = table(given)
        action = as_action(Action, {"a": verb, "cards": given[name]})
        refusal = rules.refuse(state, seat, action)
        if refusal is None:
            return {"cards": given[name]}
        # The table lies there for one question and remembers no trick: what was led stands in the case.
        return Refusal(refusal.code, {**refusal.facts, **({"led": given["lead"]} if "lead" in given else {})})

    return run


def _counted(given: Given) -> Given:
    """Return a case of counting follows as one of following: with the first of them."""
    return {"play": conform.KINDS["follow_count"].run(given)["plays"][0], **given}


def _hand(given: Given) -> list[SceneAsk]:
    return [SceneAsk("pick", name="play", of=given["hand"], now=_counted(given)["play"], listed=True)]


def _led(given: Given) -> list[SceneRow]:
    setup = given["setup"]
    return [
        SceneRow("fact", "level", setup["level"]),
        SceneRow("mark", "trump", f"suit.{setup.get('trump') or 'null'}"),
        SceneRow("cards", "lead", "".join(given["lead"])),
    ]


def _declare(given: Given, expect: Json) -> Script:
    rules, state = conform.declaring(given)
    if not given["declarations"]:
        return Script(rules, state, tuple((seat, {"a": "pass"}, None) for seat in range(4)))
    results = expect.get("results") or ["ok"] * len(given["declarations"])
    return Script(
        rules,
        state,
        tuple(
            (
                seat,
                {"a": "pass"} if cards == "pass" else {"a": "declare", "cards": cards},
                None if result == "ok" else result,
            )
            for (seat, cards), result in zip(given["declarations"], results, strict=True)
        ),
    )


def _script(given: Given, expect: Json) -> Script:
    """Return the first deal of a script, from the moment that its cards fall."""
    options = msgspec.convert({**(given.get("options") or {}), "decks": given["decks"]}, Options)
    rules = Shengji(options)
    a, b = given["levels"]
    dealer = given.get("dealer")
    state = rules.start(Carry(1, (a, b), dealer, options.qq_balances))
    begin = {"a": "next_deal", "deck": given["deck"]} | ({"starter": given["starter"]} if dealer is None else {})
    codes = {int(n): step.get("error") for n, step in (expect.get("steps") or {}).items()}
    steps: list[tuple[int, Json, str | None]] = [(NATURE, begin, None)]
    for n, (seat, raw) in enumerate(given["actions"]):
        if raw.get("a") == "next_deal":
            break
        steps.append((seat, raw, codes.get(n)))
    return Script(rules, state, tuple(steps))


def _picks(name: str, cards: list[str]) -> SceneAsk:
    """Return what lets a reader choose other cards of the pack."""
    return SceneAsk("pick", name=name, of=sorted([*cards, *SPARE], key=INDEX.__getitem__), now=cards, listed=True)


def _setup(given: Given) -> list[SceneAsk]:
    setup = given["setup"]
    return [SceneAsk("choice", name="setup.trump", of=[*SUITS, None], now=setup.get("trump"), words="suit")]


def _made(given: Given, found: Json) -> tuple[str, Json]:
    return f"shape_{found['type']}", {"cards": " ".join(given["cards"]) or "–"}


def _parts(given: Given, found: Json) -> tuple[str, Json]:
    parts = [f"@term.{kind}{f' ×{n}' if n > 1 else ''} ({high})" for kind, n, high in found["components"]]
    return ("parts" if parts else "shape_mixed"), {"parts": parts, "cards": " ".join(given["cards"]) or "–"}


def _thrown(given: Given, found: Json) -> tuple[str, Json]:
    cards = " ".join(given["cards"])
    return ("throw_stands" if found["ok"] else "throw_fails"), {"cards": cards, "forced": found.get("forced", [])}


def _ladder(given: Given) -> list[SceneRow]:
    steps = conform.KINDS["order"].run(given)["order"]
    return [SceneRow("cards", "order", "".join(card for step in steps for card in step))]


def _plays(given: Given) -> list[SceneRow]:
    return [SceneRow("cards", "played", "".join(cards), seat=seat) for seat, cards in given["plays"]]


def _taken(given: Given, found: Json) -> tuple[str, Json]:
    return "trick", {"seat": found["winner"] + 1, "points": found["points"]}


def _kitty(given: Given, found: Json) -> tuple[str, Json]:
    return ("kitty" if found["multiplier"] else "kitty_safe"), {**found, "seat": found["winner"] + 1}


def _ended(given: Given, found: Json) -> tuple[str, Json]:
    case = f"result_{found['side']}"
    if found["match_winner"] is not None:
        case = "result_match"
    return case, {**found, "points": given["points"], "seat": found["next_dealer"] + 1}


def _draw(position: Position) -> Scene:
    rules, state, seat = position.rules, position.state, position.seat
    view = rules.observe(state, seat)
    rows = [SceneRow("mark", "asked", f"phase.{view.phase}"), SceneRow("fact", "level", view.level)]
    rows.append(SceneRow("mark", "trump", f"suit.{view.trump or 'null'}"))
    trick = view.trick or view.last
    if trick is not None:
        rows.extend(SceneRow("cards", "played", "".join(one.cards), seat=one.seat) for one in trick.plays)
        rows.append(SceneRow("fact", "in_trick", trick.points))
    for one in view.declarations:
        rows.append(SceneRow("cards", "declared", "".join(one.cards), seat=one.seat))
    own = [card for group in view.hand or () for card in group.cards]
    if own:
        rows.append(SceneRow("cards", "hand", "".join(own), seat=seat, on=True))
    outcome = rules.outcome(state)
    if outcome is not None:
        return Scene((*rows, SceneRow("fact", "points", [f"{n:+d}" for n in outcome.points])), ())
    verbs = VERBS.get(view.phase, ())
    asks = [SceneAsk("pick", verb=verb, name="cards", of=own, listed=True) for verb in verbs]
    if "declare" in verbs:
        asks.append(SceneAsk("act", verb="pass", action={"a": "pass"}))
    if view.phase in ("playing", "burying"):
        asks.append(SceneAsk("act", verb="timeout", action=TIMEOUT))
    return Scene(tuple(rows), tuple(asks), seat)


TRYOUTS: Final = Tryouts(
    kinds={
        "follow": Reckoned(
            _judged(conform.following, 1, "play", "play"),
            _hand,
            _led,
            lambda given, found: ("allowed", {}),
        ),
        "follow_count": Reckoned(
            lambda given: _judged(conform.following, 1, "play", "play")(_counted(given)),
            _hand,
            _led,
            lambda given, found: ("allowed", {}),
        ),
        "bury": Reckoned(
            _judged(conform.burying, 0, "bury", "bury"),
            lambda given: [SceneAsk("pick", name="bury", of=given["hand"], now=given["bury"], listed=True)],
            lambda given: [SceneRow("fact", "decks", given["decks"])],
            lambda given, found: ("allowed", {}),
        ),
        "declare": Played(_declare),
        "script": Played(_script),
        "setup": Reckoned(
            conform.KINDS["setup"].run,
            lambda given: [SceneAsk("choice", name="decks", of=[1, 2, 3], now=given["decks"])],
            says=lambda given, found: ("setup", found),
        ),
        "order": Reckoned(
            conform.KINDS["order"].run,
            _setup,
            _ladder,
            lambda given, found: ("order", {"steps": [" = ".join(step) for step in found["order"]]}),
        ),
        "compare_cards": Reckoned(
            conform.KINDS["compare_cards"].run,
            _setup,
            lambda given: [SceneRow("cards", "first", given["a"]), SceneRow("cards", "second", given["b"])],
            lambda given, found: (f"compare_{found['result']}", {"a": given["a"], "b": given["b"]}),
        ),
        "classify": Reckoned(
            conform.KINDS["classify"].run,
            lambda given: [_picks("cards", given["cards"]), *_setup(given)],
            says=_made,
        ),
        "decompose": Reckoned(
            conform.KINDS["decompose"].run,
            lambda given: [_picks("cards", given["cards"]), *_setup(given)],
            says=_parts,
        ),
        "throw": Reckoned(
            conform.KINDS["throw"].run,
            lambda given: [SceneAsk("pick", name="cards", of=given["cards"], now=given["cards"], listed=True)],
            lambda given: [
                SceneRow("cards", "hand", "".join(cards), seat=int(seat)) for seat, cards in given["hands"].items()
            ],
            _thrown,
        ),
        "trick": Reckoned(conform.KINDS["trick"].run, _setup, _plays, _taken),
        "kitty": Reckoned(
            conform.KINDS["kitty"].run,
            lambda given: [SceneAsk("choice", name="dealer", of=[0, 1, 2, 3], now=given["dealer"], words="seat")],
            lambda given: [*_plays(given), SceneRow("cards", "kitty", "".join(given["kitty"]))],
            _kitty,
        ),
        "deal_result": Reckoned(
            conform.KINDS["deal_result"].run,
            lambda given: [SceneAsk("number", name="points", low=0, high=500, now=given["points"])],
            lambda given: [
                SceneRow("fact", "levels", given["levels"]),
                SceneRow("fact", "dealer", given["dealer"] + 1),
                SceneRow("fact", "decks", given["decks"]),
            ],
            _ended,
        ),
        "qq_points": Reckoned(
            conform.KINDS["qq_points"].run,
            lambda given: [SceneAsk("number", name="points", low=0, high=300, now=given["points"])],
            lambda given: [SceneRow("fact", "balances", [str(n) for n in given["balances"]])],
            lambda given, found: (
                "qq",
                {"deltas": [f"{n:+d}" for n in found["deltas"]], "multiplier": found["multiplier"]},
            ),
        ),
        "coins": Reckoned(
            conform.KINDS["coins"].run,
            lambda given: [
                SceneAsk("number", name="x", low=0, high=500, now=given["x"]),
                SceneAsk("number", name="n", low=0, high=1000, now=given["n"]),
                SceneAsk("number", name="a", low=0, high=5000, now=given["a"]),
            ],
            says=lambda given, found: ("coins", found),
        ),
    },
    draw=_draw,
    chapters={
        "cards": "R1 R6 R7 R8 R30 R32",
        "declare": "R3 R4 R5 R9 R10 R11",
        "kitty": "R2 R20 R21",
        "shapes": "R12 R16 R28 R29",
        "follow": "R13 R14 R15 R27",
        "win": "R17 R18 R19",
        "score": "R22 R23 R24 R25 R26 R31",
    },
    codes={
        "wrong_phase": "R10",
        "not_your_turn": "R10",
        "empty_play": "R19",
        "cards_not_held": "R2",
        "bad_declaration": "R5",
        "declaration_too_low": "R9",
        "wrong_count": "R2",
        "bury_points": "R2",
        "mixed_lead": "R29",
        "must_follow_suit": "R15",
        "must_follow_titanic": "R27",
        "must_follow_tractor": "R14",
        "must_follow_triple": "R13",
        "must_follow_pair": "R13",
    },
    cases={
        "R2": "bury-002 bury-001 bury-004 bury-005",
        "R9": "declare-003 declare-018",
        "R10": "script-001@0",
        "R11": "declare-016",
        "R13": "follow-062 follow-058 follow-008",
        "R14": "follow-024 follow-026 follow-016",
        "R15": "follow-070 follow-028 follow-002",
        "R19": "trick-021 follow-035",
        "R23": "result-024",
        "R25": "points-003",
        "R26": "coins-001",
        "R27": "follow-072 follow-043 follow-041",
        "R29": "throw-016",
        "R30": "result-001",
        "R31": "result-005",
        "R32": "trick-032",
    },
    untried={"R28": "tells how the seed's examples are to be read"},
)
