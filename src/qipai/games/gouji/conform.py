"""The conformance kinds of gouji (12), one function each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from qipai.core.entry import Kind, as_action
from qipai.core.kernel import buffer, thawed
from qipai.games.gouji import observation
from qipai.games.gouji.kernel import flow, sets
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.notation import PACK, PHASES, bare, read_set, text_of, write_play
from qipai.games.gouji.options import Options
from qipai.games.gouji.rules import Gouji, next_leader
from qipai.games.gouji.state import Action, State
from qipai.kit import hung, scripts
from qipai.kit.cards import dealt
from qipai.kit.climbing import choice

__all__ = ["KINDS"]

Given = Mapping[str, Any]
Json = Any


def classify(given: Given) -> Json:
    """Say what set cards form."""
    play = read_set(given["cards"])
    if not play:
        return {"legal": False}
    made = choice(write_play(play), play, t.RANKS, "")
    return {
        "legal": True,
        "rank": PACK.names[hung.base(play)],
        "natural": made.natural,
        "twos_used": made.twos,
        "smalls": made.smalls,
        "bigs": made.bigs,
        "size": hung.size(play),
        "gouji": bool(sets.is_gouji(play)),
    }


def beats(given: Given) -> Json:
    """Say whether one set beats another."""
    play, over = read_set(given["play"]), read_set(given["over"])
    return {"beats": bool(play and over and hung.beats(play, over))}


def leads(given: Given) -> Json:
    """List all leads of a hand."""
    rules = Gouji(_options(given))
    hand = given["hand"]
    state = rules.place([hand, *["3"] * 5], 0)
    plays = [bare(action) for action in rules.legal(state, 0)]
    return {"plays": plays, "count": len(plays)}


def _answers(hand: str, over: str) -> list[int]:
    counts = thawed(PACK.read(hand))
    top = read_set(over)
    out = buffer(t.MOST_PLAYS * 4)
    return [int(out[i]) for i in range(sets.all_answers(counts, 0, top, False, out))] if top else []


def answers(given: Given) -> Json:
    """List all sets of a hand that beat a set."""
    return {"plays": [write_play(play) for play in _answers(given["hand"], given["over"])]}


def burnable(given: Given) -> Json:
    """Say whether a hand may burn a set, and with which first sets."""
    hand = thawed(PACK.read(given["hand"]))
    first = [write_play(play) for play in _answers(given["hand"], given["over"]) if sets.keeps(hand, 0, play)]
    return {"can_burn": bool(sets.able(hand, 0, read_set(given["over"]), False)), "first_sets": first}


def score(given: Given) -> Json:
    """Score a finishing order."""
    order = thawed(given["order"])
    even, swept = int(flow.side_points(order)), int(flow.swept_by(order))
    doubled = even * 2 if swept >= 0 else even
    return {
        "scores": [doubled if seat % 2 == 0 else -doubled for seat in range(t.SEATS)],
        "side_points": [even, -even],
        "swept_by": swept if swept >= 0 else None,
        "winner": None if even == 0 else int(even < 0),
    }


def deal(given: Given) -> Json:
    """Deal a shuffled deck."""
    return {"hands": list(dealt(PACK, given["permutation"], given["leader"], t.SEATS))}


def first_leader(given: Given) -> Json:
    """Name the leader of a deal."""
    return {"leader": next_leader(given["deal"], given.get("first_seated") or 0)}


def tribute(given: Given) -> Json:
    """Make the payments of a tribute."""
    rules = Gouji(_options(given))
    view = rules.observe(rules.place(given["hands"], 0, previous=given["order"]), None)
    return {"payments": view.payments, "resisted": view.resisted}


def script(given: Given) -> Json:
    """Run a script."""
    rules = Gouji(_options(given))
    state = _placed(rules, given)
    return scripts.run_script(rules, state, given["steps"], partial(as_action, Action), lambda now: facts(rules, now))


def drive(given: Given) -> Json:
    """Play a deal by the fixed generator."""
    rules = Gouji(_options(given))
    steps, digest, state = scripts.drive(rules, _placed(rules, given), given["seed"], _first, text_of)
    return {
        "steps": steps,
        "digest": digest,
        "order": state.order,
        "fell": state.fell[: state.reg[t.FELLS]],
        "scores": state.scores,
    }


def _first(state: State) -> int:
    return observation.asked(state)[0]


def _options(given: Given) -> Options:
    return msgspec.convert(given.get("options") or {}, Options)


def _placed(rules: Gouji, given: Given) -> State:
    return rules.place(
        given["hands"], given["leader"], given.get("out") or (), given.get("fell") or (), given.get("previous")
    )


def facts(rules: Gouji, state: State) -> dict[str, Json]:
    """Return all facts that a check may ask for."""
    reg = state.reg
    view = rules.observe(state, None)
    over = reg[t.PHASE] == t.OVER
    turn = observation.asked(state)
    listed: Sequence[Action] = list(rules.legal(state, turn[0])) if turn else []
    return {
        "phase": PHASES[reg[t.PHASE]],
        "turn": turn,
        "top": view.top,
        "owner": view.owner,
        "restricted": view.restricted,
        "passed": view.passed,
        "wind": view.wind,
        "burners": [seat for seat, _ in view.burners],
        "out": view.out,
        "fell": view.fell,
        "tangle": view.tangle,
        "counts": [sum(observation.hand_of(state, seat)) for seat in range(t.SEATS)],
        "report": view.counts,
        "payments": view.payments,
        "resisted": view.resisted,
        "returns": view.returns,
        "legal": [bare(action) for action in listed],
        "default": text_of(rules.idle(state, turn[0])) if turn else None,
        "done": over,
        "order": view.order,
        "scores": view.scores,
    }


KINDS: Final = {
    "classify": Kind(classify),
    "beats": Kind(beats),
    "leads": Kind(leads),
    "answers": Kind(answers),
    "burnable": Kind(burnable),
    "score": Kind(score),
    "deal": Kind(deal),
    "first_leader": Kind(first_leader),
    "tribute": Kind(tribute),
    "script": Kind(script),
    "drive": Kind(drive),
}
