"""The conformance kinds of xiangqi (xiangqi 12): each a pure function of what is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import asdict

from qipai.core.contract import BadNotation
from qipai.core.entry import Kind, as_action
from qipai.core.kernel import buffer
from qipai.games.xiangqi.clock import read_clock
from qipai.games.xiangqi.kernel import board as kernel
from qipai.games.xiangqi.kernel.game import DRAWN, REASONS, settle
from qipai.games.xiangqi.kernel.repetition import chased, levels, span
from qipai.games.xiangqi.notation.conform import KINDS as NOTATION_KINDS
from qipai.games.xiangqi.options import Options, TimeControl
from qipai.games.xiangqi.position import (
    explain_move,
    format_fen,
    in_check,
    legal_moves,
    parse_fen,
    square_name,
    status,
    to_board,
    try_piece,
)
from qipai.games.xiangqi.rules import CODES_OF_RULE, SETUP, Xiangqi, board_of
from qipai.games.xiangqi.state import Action, State
from qipai.games.xiangqi.terms import position_terms, square_terms
from qipai.kit.scripts import script_differs

__all__ = ["KINDS"]

Given = Mapping[str, Any]


def _legal_moves(given: Given) -> Any:
    position = parse_fen(given["fen"])
    return {"moves": legal_moves(position), "in_check": in_check(position), "status": status(position)}


def _perft(given: Given) -> Any:
    depth = given["depth"]
    board = to_board(parse_fen(given["fen"]), depth)
    return {"nodes": int(kernel.perft(board, depth, buffer(max(1, depth) * (kernel.MOST + 2))))}


def _explain_move(given: Given) -> Any:
    refusal = explain_move(parse_fen(given["fen"]), given["move"])
    return {"error": refusal.code if refusal else None}


def _try_piece(given: Given) -> Any:
    return {"targets": try_piece(parse_fen(given["fen"], check=False), given["square"])}


def _repetition(given: Given) -> Any:
    options = Options(repetition=given["rule"], repetition_count=given["count"], move_limit=0)
    board = board_of(options, parse_fen(given["fen"]), 0, given["moves"])
    settle(board)
    why = REASONS[board.reg[kernel.WHY]]
    if not why:
        return {"over": False, "winner": None, "levels": None, "reason": None}
    winner = board.reg[kernel.WINNER]
    judged = board.reg[kernel.SEEN] >= given["count"]
    found = int(levels(board, span(board, given["count"]), CODES_OF_RULE[given["rule"]])) if judged else None
    return {
        "over": True,
        "winner": "draw" if winner == DRAWN else ("red", "black")[winner],
        "levels": None if found is None else [found & 3, found >> 2],
        "reason": why,
    }


def _chased_set(given: Given) -> Any:
    board = to_board(parse_fen(given["fen"]))
    found = int(chased(board, given["seat"], False))
    return {"chased": sorted(square_name(board.where[man]) for man in range(33) if found >> man & 1)}


def _script(given: Given) -> Any:
    options = msgspec.convert({k: v for k, v in given["options"].items() if k != "start"}, Options)
    rules = Xiangqi(options)
    setup = given["options"].get("start") == "setup"
    fen = given.get("fen")
    state = rules.start(SETUP if setup else None) if fen is None else rules.at(parse_fen(fen), setup=setup)
    steps: list[Any] = []
    for number, (seat, raw) in enumerate(given["actions"]):
        action = as_action(Action, raw)
        if refusal := rules.refuse(state, seat, action):
            steps.append({"i": number, "error": refusal.code})
            continue
        state = rules.apply(state, seat, action).state
        steps.append({"i": number, "fact": _facts(state)})
    outcome = rules.outcome(state)
    return {
        "steps": steps,
        "final": {
            "over": outcome is not None,
            "winner": state.winner,
            "reason": state.why,
            "scores": list(outcome.points) if outcome else None,
            "fen": format_fen(state.position, counters=False),
        },
    }


def _facts(state: State) -> Any:
    return {
        "over": state.phase == "over",
        "phase": state.phase,
        "time_control": asdict(state.time_control),
        "repetition_count": state.repetition_count,
        "warned": state.warned,
    }


def _clock(given: Given) -> Any:
    try:
        control = TimeControl().changed(given["time_control"])
    except msgspec.ValidationError:
        return {"error": "bad_action"}
    return asdict(read_clock(control, [(seat, spent) for seat, spent in given["events"]]))


def _fen(given: Given) -> Any:
    try:
        return {"fen": format_fen(parse_fen(given["fen"]))}
    except BadNotation as wrong:
        return {"error": wrong.code}


def _square_terms(given: Given) -> Any:
    return {"tags": square_terms(given["square"], given["seat"])}


def _position_terms(given: Given) -> Any:
    return {"tags": position_terms(parse_fen(given["fen"], check=False), given["seat"])}


KINDS: Final = {
    "legal_moves": Kind(_legal_moves),
    "perft": Kind(_perft),
    "explain_move": Kind(_explain_move),
    "try_piece": Kind(_try_piece),
    "repetition": Kind(_repetition),
    "chased_set": Kind(_chased_set),
    "script": Kind(_script, script_differs),
    "clock": Kind(_clock),
    "fen": Kind(_fen),
    "square_terms": Kind(_square_terms),
    "position_terms": Kind(_position_terms),
    **NOTATION_KINDS,
}
