"""Conformance kinds that games share: `script` (steps, refusals, checks), `drive` (a deal by a generator)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from qipai.core.contract import Rules, Seat
from qipai.core.entry import subset
from qipai.core.kernel import lcg

__all__ = ["drive", "run_script", "script_differs"]

Json = Any


def run_script(
    rules: Rules[Any, Any, Any],
    state: Any,
    steps: Sequence[Json],
    act: Callable[[Json], Any],
    facts: Callable[[Any], Mapping[str, Json]],
) -> Json:
    """Return {"ok": True}, or {"ok": False} with the step that went wrong and why.

    Steps: `[seat, action]` is taken, `[seat, action, {"error": code}]` is refused with that code,
    `{"check": facts}` compares facts of the state, `{"view": seat, "check": fields}` those of a view.
    act: JSON -> action; facts: state -> what checks may ask for.
    """
    for number, step in enumerate(steps):
        wrong: str | None = None
        if isinstance(step, Mapping):
            if "view" in step:
                found = msgspec.to_builtins(rules.observe(state, step["view"]))
            else:
                found = msgspec.to_builtins(facts(state))
            wrong = subset(found, step["check"])
        else:
            seat, action = step[0], act(step[1])
            refusal = rules.refuse(state, seat, action)
            want = step[2]["error"] if len(step) > 2 else None
            if (refusal.code if refusal else None) != want:
                wrong = f"refused with {refusal.code if refusal else None} instead of {want}"
            elif refusal is None:
                state = rules.apply(state, seat, action).state
        if wrong:
            return {"ok": False, "step": number, "why": wrong}
    return {"ok": True}


def script_differs(found: Json, expect: Json) -> str | None:
    """Return the first difference: refusals must be those expected, facts are compared where some are."""
    wanted = {step["i"]: step for step in expect["steps"]}
    for step in found["steps"]:
        want = wanted.get(step["i"], {})
        if step.get("error") != want.get("error"):
            return f".steps[i={step['i']}].error: {step.get('error')!r} instead of {want.get('error')!r}"
        # On a refusal nothing changes; a fact at a refused action's index is not used.
        if "fact" in step and "fact" in want and (worse := subset(step["fact"], want["fact"], f".fact[{step['i']}]")):
            return worse
    return subset(found["final"], expect["final"], ".final")


def drive(
    rules: Rules[Any, Any, Any],
    state: Any,
    seed: int,
    first: Callable[[Any], Seat],
    text: Callable[[Any], str],
) -> tuple[int, str, Any]:
    """Play a deal to its end by the generator of the specs; return the actions taken, their digest, the last state.

    first: the seat whose action is drawn; text: an action as the log writes it. At each step x is the next number of
    `core.kernel.lcg` and the action is number (x >> 16) mod n of the n legal ones; the log has "<seat> <text> <n>".
    """
    log = []
    while rules.outcome(state) is None:
        seat = first(state)
        listed = list(rules.legal(state, seat))
        seed = lcg(seed)
        action = listed[(seed >> 16) % len(listed)]
        log.append(f"{seat} {text(action)} {len(listed)}")
        state = rules.apply(state, seat, action).state
    return len(log), hashlib.sha256("\n".join(log).encode()).hexdigest()[:16], state
