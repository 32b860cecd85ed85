"""The rulings of backgammon and its variants as small boards: any play can be tried (P-73)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from qipai.core.contract import NATURE
from qipai.core.tryouts import LEAVE, Played, Position, Reckoned, Scene, SceneAsk, SceneRow, Script, Tryouts
from qipai.games.backgammon import conform
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import format_position
from qipai.games.backgammon.rules import Backgammon

__all__ = ["TRYOUTS"]

Given = Mapping[str, Any]
Json = Any

ACTS: Final = {
    "to_roll": ("roll", "double"),
    "to_play": (),
    "double_offered": ("take", "drop", "beaver"),
    "beaver_offered": ("take", "drop"),
    "resign_offered": ("accept", "reject"),
    "draw_offered": ("accept", "reject"),
}
CUBES: Final = [1, 2, 4, 8]
# What a reader may change of the house rules that a case of the score names.
SWITCHES: Final = ("jacoby", "gammons")


def _state(given: Given, phase: str) -> tuple[Backgammon, Any]:
    options = conform.options_of(given)
    rules = Backgammon(options)
    seat = given["seat"]
    fields = {"phase": phase, "turn": seat, "on_roll": seat, "pos": given["pos"], "dice": given.get("dice")}
    return rules, conform.begun(options, rules, fields)


def _play(given: Given, expect: Json) -> Script:
    rules, state = _state(given, "to_play")
    return Script(rules, state, ((given["seat"], {"a": "play", "m": given["m"]}, expect.get("error")),))


def _plays(given: Given, expect: Json) -> Script:
    rules, state = _state(given, "to_play")
    first = next(iter(rules.legal(state, given["seat"])), None)
    raw = {"a": "play", "m": ""} if first is None else msgspec.to_builtins(first)
    return Script(rules, state, ((given["seat"], raw, None),))


def _hops(given: Given, expect: Json) -> Script:
    rules, state = _state({**given, "variant": "grasshopper"}, "to_move")
    first = next(iter(rules.legal(state, given["seat"])), None)
    if first is None:
        raise LookupError("there is no move")
    return Script(rules, state, ((given["seat"], msgspec.to_builtins(first), None),))


def _script(given: Given, expect: Json) -> Script:
    options = conform.options_of(given)
    rules = Backgammon(options)
    steps = []
    for seat, raw, *check in given["steps"]:
        code = ((check and check[0]) or {}).get("error")
        left = seat == NATURE and raw.get("a") == "leave"
        steps.append((raw["seat"] if left else seat, LEAVE if left else raw, code))
    return Script(rules, conform.begun(options, rules, given.get("init") or {}), tuple(steps))


def _board(given: Given) -> list[SceneRow]:
    variant = given.get("variant", "backgammon")
    return [SceneRow("backgammon", "board", given["pos"], also={"variant": variant})] if "pos" in given else []


def _scored(given: Given, found: Json) -> tuple[str, Json]:
    return ("score_none", {}) if found is None else ("score", {**found, "side": f"side.{found['winner']}"})


def _score_asks(given: Given) -> list[SceneAsk]:
    options = given.get("options") or {}
    return [
        SceneAsk("choice", name="cube.value", of=CUBES, now=given["cube"]["value"]),
        *(
            SceneAsk("choice", name=f"options.{name}", of=[False, True], now=bool(value), words="yes")
            for name, value in options.items()
            if name in SWITCHES
        ),
    ]


def _setup_rows(given: Given) -> list[SceneRow]:
    found = conform.KINDS["setup"].run(given)
    return [SceneRow("backgammon", "board", found["pos"], also={"variant": given.get("variant", "backgammon")})]


def _draw(position: Position) -> Scene:
    rules, state, seat = position.rules, position.state, position.seat
    options: Options = rules.options  # type: ignore[attr-defined]
    outcome = rules.outcome(state)
    dice = list(state.dice) if state.dice and state.phase == "to_play" else None
    cube = {"value": state.cube.value, "owner": state.cube.owner}
    also = {"variant": options.variant, "dice": dice, "cube": cube if options.with_cube else None}
    rows = [SceneRow("backgammon", "board", format_position(state.cells), seat=seat, also=also)]
    if state.last.how is not None:
        rows.append(SceneRow("mark", "last_game", f"why.{state.last.how}"))
        rows.append(SceneRow("fact", "score", [str(n) for n in state.score]))
    if outcome is not None:
        return Scene((*rows, SceneRow("fact", "points", [f"{n:+d}" for n in outcome.points])), ())
    rows.append(SceneRow("mark", "turn", f"side.{seat}"))
    rows.append(SceneRow("mark", "asked", f"phase.{state.phase}"))
    if dice:
        rows.append(SceneRow("fact", "dice", [str(n) for n in dice]))
    asks = []
    if state.phase == "to_play":
        asks.append(SceneAsk("move", verb="play", name="m"))
    elif state.phase == "to_move":
        asks.extend(_listed(rules, state, seat))
    plain = list(ACTS.get(state.phase, ()))
    others = [one for one in position.tries if one.get("a") not in (*plain, "play", "enter", "move", "off", "gone")]
    asks.extend(SceneAsk("act", verb=verb, action={"a": verb}) for verb in plain)
    shown: list[Json] = []
    for one in others:
        if one not in shown:
            shown.append(one)
            asks.append(SceneAsk("act", verb=str(one.get("a")), name=str(one.get("level", "")), action=one))
    if LEAVE in position.tries:
        asks.append(SceneAsk("act", verb="gone", action=LEAVE))
    return Scene(tuple(rows), tuple(asks), seat)


def _listed(rules: Any, state: Any, seat: int) -> list[SceneAsk]:
    """Return a button for each hop of grasshopper, and one for a hop that the rules refuse."""
    found = []
    for action in rules.legal(state, seat):
        raw = msgspec.to_builtins(action)
        text = "/".join(str(raw[name]) for name in ("from", "to") if name in raw)
        found.append(SceneAsk("act", verb=raw["a"], name=text, action=raw))
    return [*found[:24], SceneAsk("act", verb="move", name="1/2", action={"a": "move", "from": 1, "to": 2})]


TRYOUTS: Final = Tryouts(
    kinds={
        "play": Played(_play),
        "plays": Played(_plays),
        "gh_moves": Played(_hops),
        "script": Played(_script),
        "score": Reckoned(conform.KINDS["score"].run, _score_asks, _board, _scored),
        "setup": Reckoned(
            conform.KINDS["setup"].run,
            lambda given: [
                SceneAsk(
                    "choice",
                    name="variant",
                    of=[
                        *("backgammon", "nackgammon", "suicide", "race", "crowded"),
                        *("hyper", "cloning", "grasshopper", "plakoto", "fevga"),
                    ],
                    now=given.get("variant", "backgammon"),
                    words="variant",
                )
            ],
            _setup_rows,
            lambda given, found: ("setup", {"checkers": found["checkers"]}),
        ),
    },
    draw=_draw,
    chapters={
        "board": "R1 R2",
        "dice": "R3 R5 R8 R10 R11 R12 R13 R18",
        "hit": "R14 R15",
        "off": "R17 R19",
        "score": "R20 R21 R27 R29 R43 R44",
        "cube": "R7 R9 R22 R23 R26 R28",
        "match": "R24 R25 R30 R40",
        "nackgammon": "R31",
        "suicide": "R32",
        "race": "R33",
        "crowded": "R34",
        "hyper": "R35",
        "cloning": "R36",
        "grasshopper": "R39",
        "plakoto": "R4 R37",
        "fevga": "R38",
        "notation": "R16 R6 R41 R42",
    },
    codes={
        "match_over": "R30",
        "wrong_phase": "R23",
        "not_your_turn": "R23",
        "bad_action": "R16",
        "cube_disabled": "R22",
        "crawford_game": "R24",
        "cube_not_yours": "R22",
        "first_turn": "R3",
        "cube_max": "R22",
        "beaver_disabled": "R26",
        "draw_disabled": "R29",
        "illegal_move": "R39",
        "bad_notation": "R16",
        "no_checker": "R10",
        "pinned": "R37",
        "bar_first": "R14",
        "not_home": "R17",
        "wrong_die": "R10",
        "higher_checker": "R17",
        "runner_first": "R38",
        "blocked": "R10",
        "stuck": "R10",
        "start_quarter": "R38",
        "must_play_more": "R11",
        "must_play_larger": "R12",
        "must_open_prime": "R38",
        "wrong_hit": "R16",
    },
    cases={
        "R1": "play-003",
        "R2": "setup-001",
        "R5": "play-006",
        "R7": "script-006@1",
        "R8": "play-002",
        "R9": "script-006",
        "R10": "play-009 play-011 play-012",
        "R12": "play-023 play-024",
        "R17": "play-022 play-020 play-021",
        "R22": "script-005@4 script-010 script-011",
        "R24": "script-007 script-009",
    },
    untried={
        "R6": "is about clicks and drags",
        "R40": "is the line of statistics, not a rule of play",
        "R41": "corrects a diagram that the seed lacks",
        "R42": "is about the pages around the rules",
        "R44": "is about clocks, and a small table has none",
    },
)
