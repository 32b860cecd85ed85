"""The rulings of lianliankan as small grids: is this pair joined, and by which way (P-73)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from qipai.core.tryouts import Played, Position, Reckoned, Scene, SceneAsk, SceneRow, Script, Tryouts
from qipai.games.lianliankan import conform
from qipai.games.lianliankan.board import grid_of, laid, rows_of
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.rules import Lianliankan
from qipai.games.lianliankan.state import State

__all__ = ["TRYOUTS"]

Given = Mapping[str, Any]
Json = Any

SEEDS: Final = ("demo", "alpha", "beta", "gamma")


def _lain(given: Given) -> tuple[Lianliankan, State]:
    """Return the race whose board lies as the case has it, also where no pair on it is joined."""
    rules = Lianliankan(Options(outside=given.get("outside", True)), 1)
    rows = tuple(map(tuple, given["board"]))
    board = laid(grid_of(rows, rules.options.outside))
    return rules, msgspec.structs.replace(rules.place(rows, "demo"), boards=(board,), reshuffles=(0,))


def _connect(given: Given, expect: Json) -> Script:
    rules, state = _lain(given)
    return Script(rules, state, ((0, {"a": "link", "p": [given["a"], given["b"]]}, expect["error"]),))


def _pairs(given: Given, expect: Json) -> Script:
    """Return the case of the first pair that is joined, else of two equal tiles that are not."""
    rules, state = _lain(given)
    if expect.get("pairs"):
        return Script(rules, state, ((0, {"a": "link", "p": expect["pairs"][0]}, None),))
    cells: dict[int, list[list[int]]] = {}
    for r, row in enumerate(given["board"]):
        for c, face in enumerate(row):
            if face > 0:
                cells.setdefault(face, []).append([r, c])
    pair = next((found[:2] for found in cells.values() if len(found) > 1), None)
    if pair is None:
        raise LookupError("there is no pair")
    return Script(rules, state, ((0, {"a": "link", "p": pair}, "no_path"),))


def _script(given: Given, expect: Json) -> Script:
    of_script = ("start", "seed", "players")
    options = msgspec.convert({k: v for k, v in given["options"].items() if k not in of_script}, Options)
    rules = Lianliankan(options, given["options"].get("players", 6))
    if given.get("board") is None or given["options"].get("start") == "setup":
        raise LookupError("no board lies there yet")
    state = rules.place(tuple(map(tuple, given["board"])), given["options"].get("seed", ""))
    codes = {step["i"]: step.get("error") for step in expect.get("steps") or ()}
    return Script(rules, state, tuple((seat, raw, codes.get(n)) for n, (seat, raw) in enumerate(given["actions"])))


def _grid(found: Json) -> list[SceneRow]:
    return [SceneRow("grid", "board", found["board"])] if "board" in found else []


def _draw(position: Position) -> Scene:
    rules, state, seat = position.rules, position.state, position.seat
    outcome = rules.outcome(state)
    rows = []
    if state.boards:
        line = state.lines[seat]
        also = {"path": line.path} if line is not None else None
        rows.append(
            SceneRow("grid", "board", rows_of(state.boards[seat], state.rows, state.cols), seat=seat, also=also)
        )
    rows.append(SceneRow("fact", "remaining", [str(n) for n in state.remaining]))
    if state.reshuffles[seat]:
        rows.append(SceneRow("fact", "reshuffles", state.reshuffles[seat]))
    hint = rules.observe(state, seat).hint
    if hint is not None:
        rows.append(SceneRow("fact", "hint", " – ".join(f"{r + 1}:{c + 1}" for r, c in hint)))
    if outcome is not None:
        over = SceneRow("fact", "points", [f"{n:+d}" for n in outcome.points])
        return Scene((*rows, SceneRow("mark", "why", f"why.{state.why}"), over), ())
    acts = [SceneAsk("act", verb=verb, action={"a": verb}) for verb in ("hint", "shuffle", "leave")]
    return Scene(tuple(rows), (SceneAsk("pair", verb="link", name="p"), *acts), seat)


TRYOUTS: Final = Tryouts(
    kinds={
        "connect": Played(_connect),
        "pairs": Played(_pairs),
        "script": Played(_script),
        "generate": Reckoned(
            conform.KINDS["generate"].run,
            lambda given: [SceneAsk("choice", name="seed", of=list(SEEDS), now=given["seed"])],
            lambda given: _grid(msgspec.to_builtins(conform.KINDS["generate"].run(given))),
            lambda given, found: ("layout" if "board" in found else "no_layout", {"seed": given["seed"]}),
        ),
        "reshuffle": Reckoned(
            conform.KINDS["reshuffle"].run,
            lambda given: [
                SceneAsk("number", name="k", low=1, high=9, now=given["k"]),
                SceneAsk("choice", name="seed", of=list(SEEDS), now=given["seed"]),
            ],
            lambda given: [
                SceneRow("grid", "before", given["board"]),
                *_grid(msgspec.to_builtins(conform.KINDS["reshuffle"].run(given))),
            ],
            lambda given, found: ("reshuffled", {"k": given["k"], "seed": given["seed"]}),
        ),
        "score": Reckoned(
            conform.KINDS["score"].run,
            lambda given: [
                *(
                    SceneAsk("number", name=f"players.{n}.remaining", low=0, high=144, now=player["remaining"])
                    for n, player in enumerate(given["players"])
                ),
                SceneAsk(
                    "choice",
                    name="tie_rule",
                    of=["earlier", "better", "worse"],
                    now=given.get("tie_rule", "earlier"),
                    words="option.tie_rule",
                ),
            ],
            says=lambda given, found: (
                "score",
                {"places": found["places"], "scores": [f"{n:+d}" for n in found["scores"]]},
            ),
        ),
    },
    draw=_draw,
    chapters={
        "path": "R1 R2 R3",
        "dead": "R4 R5",
        "board": "R6 R13",
        "score": "R7 R8 R9 R10 R11",
        "options": "R12 R14 R15",
    },
    codes={
        "game_over": "R3",
        "not_started": "R13",
        "not_playing": "R9",
        "out_of_range": "R1",
        "same_cell": "R2",
        "empty_cell": "R2",
        "not_same": "R2",
        "no_path": "R2",
        "no_prop": "R14",
        "locked": "R12",
        "too_fast": "R12",
    },
    cases={
        "R2": "connect-007 connect-011 connect-026",
        "R3": "script-001",
        "R7": "score-010",
        "R14": "script-021",
    },
    untried={
        "R11": "says how the hall's levels count a win",
        "R12": "is kept by the table's clock, and a small table has none",
        "R13": "is what the table waits for before anybody can act",
        "R15": "is about the hall's board of the day and its table of results",
    },
)
