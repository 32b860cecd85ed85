"""The conformance kinds of backgammon (backgammon 12): each a pure function of what is given."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from qipai.core.contract import BadNotation, Refusal
from qipai.core.entry import Kind, Record, subset
from qipai.games.backgammon.kernel import board as k
from qipai.games.backgammon.kernel.plays import apply_way, generate
from qipai.games.backgammon.kernel.score import pips
from qipai.games.backgammon.notation import ids, mat, sgf
from qipai.games.backgammon.notation.moves import write_play
from qipai.games.backgammon.notation.sheet import Sheet, facts
from qipai.games.backgammon.observation import laid
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of, cells_of, format_position, parse_position, start_cells
from qipai.games.backgammon.race import mean_rolls, win_chance
from qipai.games.backgammon.results import crawford_due, result_of
from qipai.games.backgammon.rules import Backgammon, hops_of
from qipai.games.backgammon.state import Cube, State
from qipai.games.backgammon.tally import percents
from qipai.games.backgammon.turns import blots, own_room, read_turn, walked

__all__ = ["KINDS", "begun", "options_of"]

Given = Mapping[str, Any]
OF_TABLE: Final = ("auto_roll", "auto_move_forced", "show_pips")  # a client's habits: no rule asks for them
READERS: Final[dict[str, Callable[[str], Sheet]]] = {"mat": mat.read, "sgf": sgf.read}
WRITERS: Final[dict[str, Callable[[Record], str]]] = {"mat": mat.export, "sgf": sgf.export}


def options_of(given: Given) -> Options:
    """Return the house rules of a case."""
    from qipai.games.backgammon import ENTRY

    named = {name: value for name, value in (given.get("options") or {}).items() if name not in OF_TABLE}
    options: Options = ENTRY.chosen({"variant": given.get("variant", "backgammon"), **named})
    return options


def _setup(given: Given) -> Any:
    options = options_of(given)
    cells = start_cells(options)
    found: dict[str, Any] = {
        "pos": format_position(cells),
        "checkers": [cells[seat * k.SIDE + k.TOTAL] for seat in (0, 1)],
    }
    if options.row.dice:
        found["pips"] = [int(pips(cells, seat)) for seat in (0, 1)]
    return found


def _plays(given: Given) -> Any:
    options = options_of(given)
    cells, room = parse_position(options.row, given["pos"]), own_room()
    one, two = given["dice"]
    count = int(generate(board_of(options, cells), given["seat"], one, two, room))
    results = []
    for i in range(count):
        board = board_of(options, cells)
        apply_way(board, given["seat"], room.ways[i])
        results.append(format_position(cells_of(board)))
    results.sort()
    return {"n": count, "results": results, "sha256": hashlib.sha256("\n".join(results).encode()).hexdigest()}


def _play(given: Given) -> Any:
    options = options_of(given)
    cells = parse_position(options.row, given["pos"])
    turn = read_turn(options, cells, given["seat"], tuple(given["dice"]), given["m"])
    if isinstance(turn, Refusal):
        return {"ok": False, "error": turn.code}
    board = board_of(options, cells)
    walked(board, given["seat"], turn.steps)
    return {"ok": True, "pos": format_position(cells_of(board))}


def _notation(given: Given) -> Any:
    options = options_of(given)
    board = board_of(options, parse_position(options.row, given["pos"]))
    return {"m": write_play([(origin, to) for origin, to in given["steps"]], blots(board, given["seat"]))}


def _refused(read: Callable[[], object]) -> Any:
    """Return the code a text is refused with."""
    try:
        read()
    except BadNotation as wrong:
        return {"error": wrong.code}
    return {"error": None}


def _posid(given: Given) -> Any:
    row = options_of(given).row
    cells = parse_position(row, given["pos"])
    text = ids.position_id(cells, given["seat"])
    back = format_position(ids.from_position_id(row, text, given["seat"]))
    return {"id": text, "back": back == format_position(cells)}


def _both_ways(found: Any, expect: Any) -> str | None:
    if not found["back"]:
        return ".back: reading it again gives something else"
    return subset(found, expect)


def _posid_error(given: Given) -> Any:
    return _refused(lambda: ids.from_position_id(options_of(given).row, given["id"], given.get("seat", 0)))


def _matchid(given: Given) -> Any:
    match = ids.Match(**{**given, "dice": _pair(given["dice"]), "score": tuple(given["score"])})
    text = ids.match_id(match)
    back = ids.from_match_id(text)
    return {"id": text, "back": back == replace(match, dice=back.dice) and _same(back.dice, match.dice)}


def _pair(dice: Any) -> Any:
    return tuple(dice) if isinstance(dice, list | tuple) else dice


def _same(one: Any, two: Any) -> bool:
    return sorted(one) == sorted(two) if one and two else one == two


def _matchid_error(given: Given) -> Any:
    return _refused(lambda: ids.from_match_id(given["id"]))


def _xgid(given: Given) -> Any:
    row = options_of(given).row
    bottom = given.get("bottom", 0)
    table = ids.Table(
        cells=parse_position(row, given["pos"]),
        on_roll=given["on_roll"],
        cube=given["cube"],
        cube_owner=given["cube_owner"],
        dice=_pair(given["dice"]),
        score=tuple(given["score"]),
        match_to=given["match_to"],
        crawford=given["crawford"],
    )
    text = ids.xgid(table, bottom)
    back = ids.from_xgid(row, text, bottom)
    same = format_position(back.cells) == format_position(table.cells) and _same(back.dice, table.dice)
    return {"xgid": text, "back": same and replace(back, cells=table.cells, dice=table.dice) == table}


def _xgid_error(given: Given) -> Any:
    return _refused(lambda: ids.from_xgid(options_of(given).row, given["id"]))


def _score(given: Given) -> Any:
    options = options_of(given)
    last = result_of(options, parse_position(options.row, given["pos"]), Cube(**given["cube"]), given["mover"])
    return None if last is None else {"winner": last.winner, "points": last.points, "how": last.how}


def begun(options: Options, rules: Backgammon, init: Given) -> State:
    """Return the first game's state with what a case overrides."""
    state = rules.start()
    fields: dict[str, Any] = {
        name: init[name] for name in ("phase", "turn", "on_roll", "first", "crawford_done", "scored") if name in init
    }
    if "pos" in init:
        fields["cells"] = parse_position(options.row, init["pos"])
        fields["laid"] = laid(options, fields["cells"])
    if "cube" in init:
        fields["cube"] = Cube(**init["cube"])
    if "score" in init:
        fields["score"] = tuple(init["score"])
    if init.get("dice"):
        fields["dice"] = tuple(init["dice"])
    state = replace(state, **fields)
    return replace(state, crawford=crawford_due(options, state.score, state.crawford_done))


def _facts(state: State) -> dict[str, Any]:
    """Return the fields of a state that a case may ask for (backgammon 4)."""
    return {
        "phase": state.phase,
        "turn": state.turn,
        "on_roll": state.on_roll,
        "dice": list(state.dice) if state.dice and state.phase == "to_play" else None,
        "pos": format_position(state.cells),
        "cube": {"value": state.cube.value, "owner": state.cube.owner},
        "score": list(state.score),
        "crawford": state.crawford,
        "game_no": state.game_no,
        "last": {"winner": state.last.winner, "points": state.last.points, "how": state.last.how},
        "winner": state.winner,
        "scored": state.scored,
    }


def _script(given: Given) -> Any:
    from qipai.games.backgammon import ENTRY

    options = options_of(given)
    rules = Backgammon(options)
    state = begun(options, rules, given.get("init") or {})
    for number, (seat, raw, *check) in enumerate(given["steps"]):
        want = (check and check[0]) or {}
        action: Any = ENTRY.act(raw)
        refusal = rules.refuse(state, seat, action)
        if (refusal.code if refusal else None) != want.get("error"):
            return {"step": number, "why": f"refused with {refusal and refusal.code}, not {want.get('error')}"}
        if refusal is None:
            state = rules.apply(state, seat, action).state
        if worse := subset(_facts(state), want.get("state", {})):
            return {"step": number, "why": worse}
    return {"final": _facts(state)}


def _script_differs(found: Any, expect: Any) -> str | None:
    return f"step {found['step']}: {found['why']}" if "why" in found else subset(found, expect)


def _gh_moves(given: Given) -> Any:
    options = Options(variant="grasshopper")
    listed = hops_of(options, parse_position(options.row, given["pos"]), given["seat"])
    moves = sorted([hop.kind, hop.origin, hop.to] for hop in listed)
    return {"n": len(moves), "moves": moves}


def _stats(given: Given) -> Any:
    return {"percent": list(percents(given["white"], given["black"], given["draw"]))}


def _counts(given: Given) -> Any:
    options = options_of(given)
    board, room = board_of(options, parse_position(options.row, given["pos"])), own_room()
    throws = [(one, two) for one in range(1, 7) for two in range(one, 7)]
    counts = [int(generate(board, given["seat"], one, two, room)) for one, two in throws]
    return {"counts": counts, "total": sum(counts)}


def _bearoff(given: Given) -> Any:
    row = Options().row
    cells = parse_position(row, f"{given['side']} / ")
    return {"mean_rolls": mean_rolls(cells[1:7])}


def _race_win(given: Given) -> Any:
    cells = parse_position(Options().row, given["pos"])
    me, it = given["seat"] * k.SIDE, (1 - given["seat"]) * k.SIDE
    return {"p_win": win_chance(cells[me + 1 : me + 7], cells[it + 1 : it + 7])}


def _within(found: Any, expect: Any) -> str | None:
    name = next(iter(found))
    near = abs(found[name] - expect[name]) <= expect.get("tol", 1e-9)
    return None if near else f".{name}: {found[name]} instead of {expect[name]}"


def _record_import(given: Given) -> Any:
    return facts(READERS[given["format"]](given["text"]))


def _record_export(given: Given) -> Any:
    record = Record(
        game="backgammon",
        options={"variant": given.get("variant", "backgammon"), **given.get("options", {})},
        rows=tuple((seat, action, 0) for seat, action in given["actions"]),
        players=tuple(given["players"]),
    )
    text = WRITERS[given["format"]](record)
    return {"text": " ".join(text.split()), "import": facts(READERS[given["format"]](text))}


def _export_differs(found: Any, expect: Any) -> str | None:
    at = 0
    if not isinstance(expect["contains"], list):
        return ".contains: no list"
    for part in expect["contains"]:
        where = found["text"].find(part, at)
        if where < 0:
            return f".contains: {part!r} is missing or out of order"
        at = where + len(part)
    return subset(found["import"], expect["import"], ".import")


KINDS: Final = {
    "setup": Kind(_setup),
    "plays": Kind(_plays),
    "play": Kind(_play),
    "notation": Kind(_notation),
    "posid": Kind(_posid, _both_ways),
    "posid_error": Kind(_posid_error),
    "matchid": Kind(_matchid, _both_ways),
    "matchid_error": Kind(_matchid_error),
    "xgid": Kind(_xgid, _both_ways),
    "xgid_error": Kind(_xgid_error),
    "score": Kind(_score),
    "script": Kind(_script, _script_differs),
    "gh_moves": Kind(_gh_moves),
    "stats": Kind(_stats),
    "counts": Kind(_counts),
    "bearoff": Kind(_bearoff, _within),
    "race_win": Kind(_race_win, _within),
    "record_import": Kind(_record_import),
    "record_export": Kind(_record_export, _export_differs),
}
