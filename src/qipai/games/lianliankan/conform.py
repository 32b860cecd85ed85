"""The conformance kinds of lianliankan (lianliankan 12): each a pure function of what is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from qipai.core.contract import NATURE, BadNotation
from qipai.core.entry import Kind
from qipai.core.kernel import Buffer, buffer, frozen
from qipai.games.lianliankan.board import grid_of, halves, laid, pairs, refuse_link, rows_of, way
from qipai.games.lianliankan.kernel import luck
from qipai.games.lianliankan.kernel import race as kernel
from qipai.games.lianliankan.kernel.race import NOBODY
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.rules import TIE, Lianliankan, race_of, seeded
from qipai.games.lianliankan.state import Board, State
from qipai.kit.scripts import script_differs

__all__ = ["KINDS"]

Given = Mapping[str, Any]
Json = Any


def _connect(given: Given) -> Json:
    rows = given["board"]
    grid, pair = laid(grid_of(rows, given.get("outside", True))), (tuple(given["a"]), tuple(given["b"]))
    refusal = refuse_link(grid, len(rows), len(rows[0]), pair)
    if refusal is not None:
        return {"error": refusal.code}
    found = way(grid, len(rows[0]), pair) or ()
    return {"error": None, "turns": len(found) - 2, "path": found}


def _pairs(given: Given) -> Json:
    rows = given["board"]
    found = [each.pair for each in pairs(grid_of(rows, given.get("outside", True)), len(rows[0]))]
    tiles = any(face > 0 for row in rows for face in row)
    return {"pairs": found, "deadlock": tiles and not found, "hint": found[0] if found else None}


def _generate(given: Given) -> Json:
    rules = {name: value for name, value in given.items() if name != "seed"}
    try:
        options = msgspec.convert(rules, Options)
    except (msgspec.ValidationError, BadNotation):
        return {"error": "bad_layout"}
    return {"board": _boards(_laid_out(Lianliankan(options, 1), given["seed"]))[0]}


def _laid_out(rules: Lianliankan, seed: str) -> State:
    return rules.apply(rules.start(), NATURE, Board(seed)).state


def _boards(state: State) -> list[Json]:
    return [rows_of(grid, state.rows, state.cols) for grid in state.boards]


def _reshuffle(given: Given) -> Json:
    rules = Lianliankan(Options(outside=given.get("outside", True)), 1)
    rows, number = given["board"], given["k"]
    grid = laid(grid_of(rows, given.get("outside", True)))
    state = msgspec.structs.replace(
        rules.start(),
        phase="play",
        rows=len(rows),
        cols=len(rows[0]),
        boards=(grid,),
        seed=given["seed"],
        reshuffles=(number - 1,),
    )
    race = seeded(race_of(rules.options, state, 0), state, 0)
    kernel.reshuffle(race, 0)
    return {"board": rows_of(laid(frozen(race.grid)), len(rows), len(rows[0]))}


def _rng(given: Given) -> Json:
    numbers = buffer(4, 64)
    numbers[luck.HI], numbers[luck.LO] = halves(given["text"])
    if "below" in given:
        return {"below": [_below(numbers, n) for n in given["below"]]}
    return {"values": [str(_next(numbers)) for _ in range(given["n"])]}


def _next(numbers: Buffer) -> int:
    luck.draw(numbers)
    return int(numbers[luck.OUT_HI]) << 32 | int(numbers[luck.OUT_LO])


def _below(numbers: Buffer, n: int) -> int:
    if n < 1 << 31:
        return int(luck.below(numbers, n))
    # No board is so large, and the kernel's halves are not made for it (3.1 sets no bound).
    while (drawn := _next(numbers)) >= (1 << 64) // n * n:
        pass
    return drawn % n


def _score(given: Given) -> Json:
    players = given["players"]
    race = kernel.new_race(len(players), 1, 1, 1, 0)
    race.reg[kernel.TIE] = TIE[given.get("tie_rule", "earlier")]
    for player in players:
        seat = player["seat"]
        race.remaining[seat] = player["remaining"]
        race.last[seat] = NOBODY if player["last"] is None else player["last"]
        race.left[seat] = NOBODY if player["left"] is None else player["left"]
    kernel.rank(race)
    seats = range(len(players))
    return {"places": [int(race.places[s]) for s in seats], "scores": [int(race.scores[s]) for s in seats]}


def _script(given: Given) -> Json:
    from qipai.games.lianliankan import ENTRY

    of_script = ("start", "seed", "players")
    options = msgspec.convert({k: v for k, v in given["options"].items() if k not in of_script}, Options)
    rules = Lianliankan(options, given["options"].get("players", 6))
    seed = given["options"].get("seed", "")
    if given["options"].get("start") == "setup":
        state = rules.start()
    elif given.get("board") is None:
        state = _laid_out(rules, seed)
    else:
        state = rules.place(tuple(map(tuple, given["board"])), seed)
    steps: list[Json] = []
    for number, (seat, raw) in enumerate(given["actions"]):
        action: Any = ENTRY.act(raw)
        if refusal := rules.refuse(state, seat, action):
            steps.append({"i": number, "error": refusal.code})
            continue
        state = rules.apply(state, seat, action).state
        steps.append({"i": number, "fact": _facts(rules, state, seat)})
    return {
        "steps": steps,
        "final": {
            "over": state.phase == "over",
            "winner": state.winner,
            "reason": state.why,
            "scores": state.scores,
        },
    }


def _facts(rules: Lianliankan, state: State, seat: int) -> Json:
    return {
        "phase": state.phase,
        "remaining": state.remaining,
        "boards": _boards(state),
        "reshuffles": state.reshuffles,
        "hints_left": state.hints,
        "shuffles_left": state.shuffles,
        "hint": None if seat == NATURE else rules.observe(state, seat).hint,
    }


KINDS: Final = {
    "connect": Kind(_connect),
    "pairs": Kind(_pairs),
    "generate": Kind(_generate),
    "reshuffle": Kind(_reshuffle),
    "rng": Kind(_rng),
    "score": Kind(_score),
    "script": Kind(_script, script_differs),
}
