"""The conformance kinds of doudizhu (12), one function each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import msgspec

from qipai.core.entry import Kind, as_action
from qipai.core.kernel import buffer, frozen, thawed
from qipai.games.doudizhu import observation
from qipai.games.doudizhu.kernel import flow, sets
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.notation import PACK, PHASES, bare, form_of, read_set, text_of, write_play
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.rules import Doudizhu, thaw
from qipai.games.doudizhu.state import Action, State
from qipai.kit import scripts
from qipai.kit.cards import dealt

__all__ = ["KINDS"]

Given = Mapping[str, Any]
Json = Any


def classify(given: Given) -> Json:
    """Say how cards are read."""
    over = given.get("over")
    play = read_set(given["cards"], read_set(over) & sets.FORM if over else 0)
    if not play:
        return {"legal": False}
    form = form_of(play & sets.FORM)
    return {"legal": True, "kind": form.kind, "rank": form.rank, "length": form.length}


def beats(given: Given) -> Json:
    """Say whether one set beats another."""
    over = read_set(given["over"])
    play = read_set(given["play"], over & sets.FORM)
    return {"beats": bool(play and over and sets.beats(play, over))}


def leads(given: Given) -> Json:
    """List all leads of a hand."""
    out = buffer(t.MOST_PLAYS, 64)
    n = sets.all_leads(thawed(PACK.read(given["hand"])), 0, out)
    plays = [write_play(code) for code in frozen(out[:n])]
    return {"plays": plays, "count": len(plays)}


def answers(given: Given) -> Json:
    """List all sets of a hand that beat a set."""
    out, top = buffer(t.MOST_PLAYS, 64), read_set(given["over"])
    n = sets.all_answers(thawed(PACK.read(given["hand"])), 0, top & sets.FORM, out) if top else 0
    return {"plays": [write_play(code) for code in frozen(out[:n])]}


def scored(given: Given) -> Json:
    """Score a deal that is over."""
    s = thaw(Doudizhu(_options(given)).start())
    r, landlord, winner = s.reg, given["landlord"], given["winner"]
    r[t.LANDLORD], r[t.CALLED], r[t.BOMBS], r[t.TRICKS] = landlord, given["bid"], given["bombs"], 1
    s.sets[winner] = 2
    s.sets[landlord] = 1 if given["spring"] and winner != landlord else 2
    if not given["spring"] and winner == landlord:
        s.sets[(landlord + 1) % t.SEATS] = 1
    flow.finish(s, winner)
    return {"multiple": int(flow.multiple(s)), "scores": [int(points) for points in s.scores]}


def deal(given: Given) -> Json:
    """Deal a shuffled deck."""
    order = given["permutation"]
    cut = PACK.size - t.BOTTOM
    return {"hands": list(dealt(PACK, order[:cut], 0, t.SEATS)), "bottom": dealt(PACK, order[cut:], 0, 1)[0]}


def script(given: Given) -> Json:
    """Run a script."""
    rules = Doudizhu(_options(given))
    return scripts.run_script(
        rules, _placed(rules, given), given["steps"], partial(as_action, Action), partial(facts, rules)
    )


def drive(given: Given) -> Json:
    """Play a deal by the fixed generator, after a few actions given."""
    rules = Doudizhu(_options(given))
    state = _placed(rules, given)
    for seat, raw in given.get("prefix") or ():
        state = rules.apply(state, seat, as_action(Action, raw)).state
    steps, digest, state = scripts.drive(rules, state, given["seed"], lambda now: observation.asked(now)[0], text_of)
    found = facts(rules, state)
    return {"steps": steps, "digest": digest} | {key: found[key] for key in ("landlord", "bid", "scores")}


def _placed(rules: Doudizhu, given: Given) -> State:
    return rules.place(given["hands"], given.get("bottom", ""), given.get("first", 0), given.get("setup"))


def _options(given: Given) -> Options:
    return msgspec.convert(given.get("options") or {}, Options)


def facts(rules: Doudizhu, state: State) -> dict[str, Json]:
    """Return all facts that a check may ask for: the whole truth."""
    view = rules.observe(state, None)
    turn = observation.asked(state)
    return {
        "phase": PHASES[state.reg[t.PHASE]],
        "turn": turn,
        "first": view.first,
        "calls": view.calls,
        "bid": view.bid,
        "landlord": view.landlord,
        "bottom": PACK.write(state.bottom),
        "multiple": view.multiple,
        "top": view.top,
        "form": view.form,
        "owner": view.owner,
        "counts": view.counts,
        "redealt": view.redealt,
        "legal": [bare(action) for action in rules.legal(state, turn[0])] if turn else [],
        "done": state.reg[t.PHASE] == t.OVER,
        "spring": view.spring,
        "scores": view.scores,
        "places": view.places,
    }


KINDS: Final = {
    "classify": Kind(classify),
    "beats": Kind(beats),
    "leads": Kind(leads),
    "answers": Kind(answers),
    "score": Kind(scored),
    "deal": Kind(deal),
    "script": Kind(script),
    "drive": Kind(drive),
}
