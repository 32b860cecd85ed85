"""The rulings of xiangqi as small boards: any move can be tried, and the rules say why not (P-73)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from qipai.core.contract import NATURE
from qipai.core.tryouts import LEAVE, Played, Position, Reckoned, Scene, SceneAsk, SceneRow, Script, Tryouts
from qipai.games.xiangqi import conform
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import format_fen, legal_moves, parse_fen
from qipai.games.xiangqi.rules import SETUP, Xiangqi

__all__ = ["TRYOUTS"]

Given = Mapping[str, Any]
Json = Any

TALK: Final = ("offer_draw", "accept_draw", "decline_draw", "resign")


def _moved(rules: Xiangqi, fen: str, moves: list[str], code: str | None = None) -> Script:
    """Return the case in which moves follow each other, and the last may be refused."""
    state = rules.at(parse_fen(fen))
    side = min(rules.turn(state).seats, default=0)
    last = len(moves) - 1
    return Script(
        rules,
        state,
        tuple(((side + n) % 2, {"a": "move", "m": move}, code if n == last else None) for n, move in enumerate(moves)),
    )


def _explain(given: Given, expect: Json) -> Script:
    return _moved(Xiangqi(Options()), given["fen"], [given["move"]], expect["error"])


def _legal(given: Given, expect: Json) -> Script:
    moves = legal_moves(parse_fen(given["fen"]))
    if not moves:
        raise LookupError("there is no move")
    return _moved(Xiangqi(Options()), given["fen"], [moves[0]])


def _noted(given: Given, expect: Json) -> Script:
    return _moved(Xiangqi(Options()), given["fen"], [given["move"]])


def _repeated(given: Given, expect: Json) -> Script:
    rules = Xiangqi(Options(repetition=given["rule"], repetition_count=given["count"], move_limit=0))
    return _moved(rules, given["fen"], given["moves"])


def _script(given: Given, expect: Json) -> Script:
    rules = Xiangqi(msgspec.convert({k: v for k, v in given["options"].items() if k != "start"}, Options))
    setup = given["options"].get("start") == "setup"
    fen = given.get("fen")
    state = rules.start(SETUP if setup else None) if fen is None else rules.at(parse_fen(fen), setup=setup)
    codes = {step["i"]: step.get("error") for step in expect.get("steps") or ()}
    steps = []
    for n, (seat, raw) in enumerate(given["actions"]):
        left = seat == NATURE and isinstance(raw, Mapping) and raw.get("a") == "abandon"
        steps.append((raw["seat"] if left else seat, LEAVE if left else raw, codes.get(n)))
    return Script(rules, state, tuple(steps))


def _clock(given: Given) -> Json:
    """Run the clocks, with one more move of the length that the reader gives it."""
    events = list(given["events"])
    if given.get("spend"):
        seat = 1 - events[-1][0] if events else 0
        events.append([seat, given["spend"] * 1000])
    found: dict[str, Json] = msgspec.to_builtins(conform.KINDS["clock"].run({**given, "events": events}))
    return found


def _ran(given: Given, found: Json) -> tuple[str, Json]:
    left = [f"{ms // 60_000}:{ms // 1000 % 60:02d}" for ms in found["remaining_ms"]]
    facts = {"red": left[0], "black": left[1], "moves": found["moves"]}
    return ("clock_runs" if found["flag"] is None else f"clock_fell_{found['flag']}"), facts


def _draw(position: Position) -> Scene:
    rules, state, seat = position.rules, position.state, position.seat
    outcome = rules.outcome(state)
    fen = format_fen(state.position, counters=False)
    rows = [SceneRow("xiangqi", "board", fen, also={"last": state.plies[-1].m if state.plies else None})]
    if state.plies:
        rows.append(SceneRow("fact", "last", f"{state.plies[-1].zh} · {state.plies[-1].wxf}"))
    if outcome is not None:
        over = SceneRow("fact", "points", [f"{n:+d}" for n in outcome.points])
        return Scene((*rows, SceneRow("mark", "why", f"why.{state.why}"), over), ())
    rows.append(SceneRow("mark", "turn", f"side.{seat}"))
    if state.warned is not None:
        rows.append(SceneRow("mark", "warned", f"side.{state.warned}"))
    tried = [one for one in position.tries if isinstance(one, Mapping) and one.get("a") != "move"]
    talks = [SceneAsk("act", verb=verb, action={"a": verb}) for verb in TALK] if tried else []
    others = [one for one in tried if one.get("a") not in (None, "gone", *TALK)]
    talks += [SceneAsk("act", verb=str(one["a"]), action=one) for one in others]
    if tried or state.phase == "setup":
        talks.append(SceneAsk("act", verb="gone", action=LEAVE))
    return Scene(tuple(rows), (SceneAsk("move", verb="move", name="m"), *talks), seat)


TRYOUTS: Final = Tryouts(
    kinds={
        "explain_move": Played(_explain),
        "legal_moves": Played(_legal),
        "notation": Played(_noted),
        "repetition": Played(_repeated),
        "script": Played(_script),
        "clock": Reckoned(_clock, lambda given: [SceneAsk("number", name="spend", low=0, high=7200, now=0)], says=_ran),
    },
    draw=_draw,
    chapters={
        "board": "R1 R18",
        "general": "R4",
        "ends": "R5 R10 R11",
        "repetition": "R6 R7 R8 R9",
        "draws": "R12 R13 R15 R16",
        "time": "R14",
        "notation": "R17",
        "history": "R2 R3 R19",
    },
    codes={
        "game_over": "R10",
        "bad_action": "R11",
        "not_started": "R14",
        "time_not_agreed": "R14",
        "not_your_turn": "R1",
        "generals_facing": "R4",
        "still_in_check": "R4",
        "exposes_general": "R4",
        "bad_notation": "R17",
        "no_offer": "R12",
        "offer_pending": "R12",
        "offer_too_soon": "R12",
        **dict.fromkeys(
            [
                *("bad_move", "no_piece", "not_your_piece", "own_piece_on_target", "bad_shape", "path_blocked"),
                *("outside_palace", "crosses_river", "eye_blocked", "leg_blocked", "no_screen", "too_many_screens"),
                *("soldier_backward", "soldier_not_crossed"),
            ],
            "R18",
        ),
    },
    cases={
        "R1": "script-001@0",
        "R10": "script-025",
        "R14": "clock-005 clock-011",
        "R17": "not-025 not-028 not-031",
        "R18": " ".join(
            [
                *("why-005", "why-044", "why-053", "why-052", "why-035", "why-026", "why-022", "why-013"),
                *("why-014", "why-043", "why-004", "why-002", "why-051", "why-008"),
            ]
        ),
    },
    untried={
        "R2": "tells the history of the game",
        "R3": "says which parts of the seed belong to the hall",
        "R19": "a takeback is a word of the hall, not an action of the game",
    },
)
