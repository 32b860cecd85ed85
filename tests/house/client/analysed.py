"""Choices of real games with what an analysis found of them, by as little search as tells all that a long one tells."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from tests.unit.games.deals import played

from qipai import games
from qipai.core.analysis import Analysis, Unweighed
from qipai.core.contract import Rules
from qipai.core.entry import Record, rules_of
from qipai.core.judging import Budget, judgement, seed_of, why_not
from qipai.core.record import replay

__all__ = ["UNITS", "choices"]

FEW: Final = Budget(find=2, measure=2, deals=0, spread=0.1)
UNITS: Final = {"gouji": "points", "baohuang": "steps", "doudizhu": "points", "shengji": "levels", "mahjong": "base"}
# Of whole games as many actions as there is time for.
MOST: Final = {"backgammon": 16, "lianliankan": 14}
MOST_OF_OTHERS: Final = 8
# Moves of xiangqi, where the game starts, and how many positions are looked at: an opening; chariots mate, black has
# one answer.
XIANGQI: Final = (
    ("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h5 d9e8 h5c5 c6c5", None, 300),
    ("a1a8 e9f9 b0b9", "4k4/9/9/9/9/9/9/9/R8/1R1K5 w", 3000),
)


def choices(game: str) -> list[dict[str, Any]]:
    """Return analyses of a game, each with the actions of its seats by row; none where it has no analysis."""
    analyst = games.find(game).analysis
    if analyst is None:
        return []
    if game in UNITS:
        return [_told(*_by_trials(played(game, level))) for level in ("easy", "steady")]
    if game == "xiangqi":
        return [_told(*_moves(*one)) for one in XIANGQI]
    record = played(game, seats=1) if game == "lianliankan" else played(game)
    some = replace(record, rows=record.rows[: MOST.get(game, MOST_OF_OTHERS)], outcome=None)
    return [_told(some, analyst.run(some, {}, lambda done, of: None))]


def _told(record: Record, found: Analysis) -> dict[str, Any]:
    weighed = {row.n for row in found.rows} | {one.n for one in found.unweighed}
    acts = {n: raw for n, (seat, raw, _ms) in enumerate(record.rows, 1) if seat >= 0 and n in weighed}
    return {"game": record.game, "analysis": msgspec.to_builtins(found), "acts": acts}


def _by_trials(record: Record) -> tuple[Record, Analysis]:
    """Return what trials find of a choice of each kind."""
    entry = games.find(record.game)
    own = import_module(f"qipai.games.{record.game}.analysis")
    options = entry.chosen(record.options)
    rules = rules_of(entry, options, record.seats)
    states = [step.state for step in replay(entry, record)]
    rows, unweighed, kinds = [], [], set[Any]()
    for n, (seat, raw, _ms) in enumerate(record.rows, 1):
        ask = rules.turn(states[n - 1]).ask
        kind = (ask, raw["a"], len(raw.get("cards", "")))
        if seat < 0 or kind in kinds:
            continue
        kinds.add(kind)
        trials = own.judge(options, rules.observe(states[n - 1], seat), entry.act(raw), seed_of(record, n))
        if trials is None:
            unweighed.append(Unweighed(n, why_not(rules, states[n - 1], seat, ask not in ("lead", "answer", "follow"))))
        else:
            rows.append(judgement(trials, n, seat, FEW, (), ask))
    return record, Analysis("qipai", UNITS[record.game], tuple(rows), deals=FEW.find, unweighed=tuple(unweighed))


def _moves(moves: str, start: str | None, nodes: int) -> tuple[Record, Analysis]:
    """Return what the search says of a game of xiangqi."""
    from qipai.games.xiangqi import ENTRY
    from qipai.games.xiangqi.analysis import of_states
    from qipai.games.xiangqi.setup import SETUP

    options = ENTRY.chosen({})
    rules: Rules[Any, Any, Any] = rules_of(ENTRY, options, None)
    states = [rules.start(ENTRY.carry(options, 0)) if start is None else SETUP.read(options, start)]
    rows = []
    for move in moves.split():
        state = states[-1]
        (seat,) = rules.turn(state).seats
        rows.append((seat, {"a": "move", "m": move}, 900))
        states.append(rules.apply(state, seat, ENTRY.act(rows[-1][1])).state)
    record = Record(game="xiangqi", options={}, rows=tuple(rows))
    return record, of_states(options, record, states, lambda done, of: None, nodes)
