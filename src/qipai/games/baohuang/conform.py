"""The conformance kinds of baohuang (12), one function each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import msgspec

from qipai.core.entry import Kind, as_action
from qipai.core.kernel import buffer, thawed
from qipai.games.baohuang import observation
from qipai.games.baohuang.kernel import score, sets
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.notation import MODES, PACK, PHASES, bare, read_set, text_of, write_play
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.rules import Baohuang
from qipai.games.baohuang.state import Action, State
from qipai.kit import hung, scripts
from qipai.kit.cards import dealt

__all__ = ["KINDS"]

Given = Mapping[str, Any]
Json = Any


def classify(given: Given) -> Json:
    """Say what set cards form."""
    play = read_set(given["cards"])
    if not play:
        return {"legal": False}
    base, smalls, bigs = hung.base(play & sets.BARE), hung.smalls(play), hung.bigs(play)
    ranked = base < t.RANKS
    return {
        "legal": True,
        "rank": PACK.names[base] if ranked else None,
        "natural": hung.plain(play),
        "smalls": smalls,
        "bigs": bigs,
        "size": hung.size(play),
        "hung": ranked and smalls + bigs > 0,
    }


def beats(given: Given) -> Json:
    """Say whether one set beats another."""
    play, over = read_set(given["play"]), read_set(given["over"])
    return {"beats": bool(play and over and sets.beats(play, over))}


def leads(given: Given) -> Json:
    """List all leads of a hand."""
    options, hand = _options(given), PACK.read(given["hand"])
    out = buffer(sum(hand) * 80 + t.MOST_PLAYS)
    n = sets.all_leads(thawed(hand), 0, options.keep_six, options.six_hung, out)
    plays = [write_play(out[i]) for i in range(n)]
    return {"plays": plays, "count": len(plays)}


def answers(given: Given) -> Json:
    """List all sets of a hand that beat a set."""
    hand, top = PACK.read(given["hand"]), read_set(given["over"])
    out = buffer(sum(hand) * 80 + t.MOST_PLAYS)
    n = sets.all_answers(thawed(hand), 0, top, out) if top else 0
    return {"plays": [write_play(out[i]) for i in range(n)]}


def scored(given: Given) -> Json:
    """Score a finishing order."""
    scores = buffer(t.SEATS)
    mode, guard = MODES.index(given["mode"]), given.get("guard")
    order = thawed(given["order"])
    opened, kicked = bool(given["opened"]), bool(given["kicked"])
    score.settle(order, mode, given["emperor"], -1 if guard is None else guard, opened, kicked, scores)
    return {"scores": [int(points) for points in scores]}


def penalty(given: Given) -> Json:
    """Say what leaving costs."""
    return {"points": int(score.penalty(PHASES.index(given["phase"])))}


def deal(given: Given) -> Json:
    """Deal a shuffled deck."""
    return {"hands": list(dealt(PACK, given["permutation"], given["first"], t.SEATS))}


def first_card(given: Given) -> Json:
    """Say who is dealt the first card."""
    last = given.get("last_first_place")
    return {"seat": Baohuang().start(None if last is None else {"deal": 2, "first_card": last}).first_card}


def script(given: Given) -> Json:
    """Run a script."""
    rules = Baohuang(_options(given))
    state = rules.place(given["hands"], given.get("setup"))
    return scripts.run_script(rules, state, given["steps"], partial(as_action, Action), partial(facts, rules))


def drive(given: Given) -> Json:
    """Play a deal by the fixed generator, after a few actions given."""
    rules = Baohuang(_options(given))
    state = rules.place(given["hands"], given.get("setup"))
    for seat, raw in given.get("prefix") or ():
        state = rules.apply(state, seat, as_action(Action, raw)).state
    steps, digest, state = scripts.drive(rules, state, given["seed"], lambda now: observation.asked(now)[0], text_of)
    found = facts(rules, state)
    return {"steps": steps, "digest": digest} | {
        key: found[key] for key in ("mode", "emperor", "opened", "kicked", "order", "scores")
    }


def _options(given: Given) -> Options:
    return msgspec.convert(given.get("options") or {}, Options)


def facts(rules: Baohuang, state: State) -> dict[str, Json]:
    """Return all facts that a check may ask for: the whole truth."""
    reg = state.reg
    view = rules.observe(state, None)
    turn = observation.asked(state)
    return {
        "phase": PHASES[reg[t.PHASE]],
        "turn": turn,
        "emperor": view.emperor,
        "mode": MODES[reg[t.MODE]],
        "guard_public": view.guard_public,
        "opened": view.opened,
        "kicked": view.kicked,
        "top": view.top,
        "owner": view.owner,
        "out": view.out,
        "counts": view.counts,
        "legal": [bare(action) for action in rules.legal(state, turn[0])] if turn else [],
        "done": reg[t.PHASE] == t.OVER,
        "order": view.order,
        "scores": view.scores,
    }


KINDS: Final = {
    "classify": Kind(classify),
    "beats": Kind(beats),
    "leads": Kind(leads),
    "answers": Kind(answers),
    "score": Kind(scored),
    "penalty": Kind(penalty),
    "deal": Kind(deal),
    "first_card": Kind(first_card),
    "script": Kind(script),
    "drive": Kind(drive),
}
