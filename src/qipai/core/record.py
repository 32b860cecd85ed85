"""Records of deals: JSON lines that play again to the same outcome (law "a record replays")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from qipai.core.branch import redrawn
from qipai.core.contract import NATURE, BadNotation, Outcome, Rules, Step, play
from qipai.core.entry import AnyEntry, Record, rules_of
from qipai.core.rng import Stream, commitment
from qipai.core.starts import begun

__all__ = [
    "UNFINISHED",
    "Contradiction",
    "LuckDiffers",
    "Record",
    "as_told",
    "begun_under",
    "dumps",
    "loads",
    "luck_of",
    "options_of",
    "replay",
    "replayed",
    "rules_under",
    "verified",
]

UNFINISHED = ("void", "stopped", "closed")  # how the hall ends a deal that the rules have not ended (13.3, P-58, P-95)


class Contradiction(ValueError):
    """Raised for a record that contradicts itself; the text says where."""


class LuckDiffers(Contradiction):
    """Raised where the seed is not the one that was committed to, or the luck is not what the seeds give (P-92)."""


def rules_under(entry: AnyEntry, record: Record) -> Rules[Any, Any, Any]:
    """Return the rules a record was played under; raises BadOption."""
    return rules_of(entry, options_of(entry, record), record.seats)


def options_of(entry: AnyEntry, record: Record) -> Any:
    """Return the options a record was played under; raises BadOption."""
    return entry.chosen(entry.as_of(record.options, record.edition))


def begun_under(entry: AnyEntry, record: Record, rules: Rules[Any, Any, Any]) -> Any:
    """Return the state before a record's first action; raises BadOption, BadNotation."""
    return begun(entry, rules, options_of(entry, record), record.carry, record.bench, record.start)


def replay(entry: AnyEntry, record: Record) -> Iterator[Step[Any]]:
    """Yield the step before the first action (nothing told) and the one after each; raises IllegalAction."""
    rules = rules_under(entry, record)
    state = begun_under(entry, record, rules)
    yield Step(state)
    for seat, raw, _ms in record.rows:
        step = play(rules, state, seat, entry.act(raw))
        state = step.state
        yield step


def replayed(entry: AnyEntry, record: Record) -> Outcome | None:
    """Return the outcome that replaying a record leads to."""
    state = None
    for step in replay(entry, record):
        state = step.state
    return rules_under(entry, record).outcome(state)


def as_told(outcome: Outcome | None) -> dict[str, Any] | None:
    """Return an outcome in the form that records contain."""
    if outcome is None:
        return None
    return {"points": list(outcome.points), "places": list(outcome.places), "why": outcome.why}


def luck_of(record: Record, client_seeds: Sequence[str]) -> Stream:
    """Return the luck of a deal whose seed is open (P-92, P-94)."""
    name, deal = (record.game_id, record.deal) if record.board is None else (record.board, 1)
    return Stream.of_deal(bytes.fromhex(record.seed or ""), name, deal, client_seeds)


def verified(
    entry: AnyEntry, record: Record, sealed: str | None = None, client_seeds: Sequence[str] = ()
) -> Outcome | None:
    """Replay a record and return its outcome, None for an unfinished deal (platform P-90).

    sealed: the commitment; if given, the seed must match it and all luck must have been drawn from that seed (P-92); of
    a deal that begins as another one does, all that was drawn after that beginning.
    Raises IllegalAction for an action that the rules refuse, Contradiction if the outcome or the luck differs.
    """
    luck: Stream | None = None
    if sealed is not None:
        seed = bytes.fromhex(record.seed or "")
        if commitment(seed) != sealed:
            raise LuckDiffers("the opened seed is not the one that was committed to")
        luck = luck_of(record, client_seeds)
    rules = rules_under(entry, record)
    state = begun_under(entry, record, rules)
    shared = 0 if record.start is None else record.start.ply
    if luck is not None and redrawn(entry, rules, state, record.rows[:shared], luck) != record.rows[:shared]:
        raise LuckDiffers(f"what was not drawn yet after {shared} actions is not what the seeds give")
    for number, (seat, raw, _ms) in enumerate(record.rows, 1):
        action = entry.act(raw)
        if number > shared and luck is not None and seat == NATURE and NATURE in rules.turn(state).seats:
            before = luck.drawn
            drawn = rules.chance(state, luck)
            if type(drawn) is not type(action):  # an action of the hall, which acts as NATURE too: "leave", "time_up"
                luck = luck.at(before)
            elif drawn != action:
                raise LuckDiffers(f"step {number}: {raw} is not what the seeds give")
        state = play(rules, state, seat, action).state
    outcome = rules.outcome(state)
    told = record.outcome
    if outcome is None:
        if told is not None and told.get("why") not in UNFINISHED:
            raise Contradiction("the actions do not end the game, and yet it has a result")
    elif told is not None:
        found = {"points": list(outcome.points), "places": list(outcome.places)}
        if any(list(told[name]) != found[name] for name in found):
            raise Contradiction(f"the record says {told}, the actions give {found}")
    return outcome


def dumps(record: Record) -> str:
    """Return a record as JSON lines: a header, a line per action `[seat, action, ms]`, the outcome."""
    head = {
        "game": record.game,
        **({} if record.edition is None else {"rules": record.edition}),
        "options": record.options,
        "seats": record.seats,
        "deal": record.deal,
        "carry": record.carry,
        **({"bench": record.bench} if record.bench else {}),
        "seed": record.seed,
        "game_id": record.game_id,
        **({} if record.board is None else {"board": record.board}),
        **({} if record.start is None else {"start": record.start}),
        "date": record.date,
        "players": record.players,
    }
    lines = [head, *record.rows]
    if record.outcome is not None:
        lines.append(record.outcome)
    return "\n".join(msgspec.json.encode(line).decode() for line in lines) + "\n"


def loads(text: str) -> Record:
    """Parse a record from JSON lines; raises BadNotation("bad_record")."""
    rows: list[tuple[int, Any, int]] = []
    outcome = None
    head: dict[str, Any] = {}
    for number, line in enumerate(filter(str.strip, text.splitlines()), 1):
        try:
            data = msgspec.json.decode(line)
            if number == 1:
                head = dict(data)
            elif isinstance(data, list):
                seat, action, ms = data[:3]
                rows.append((int(seat), action, int(ms)))
            else:
                outcome = dict(data)
        except (msgspec.DecodeError, ValueError, TypeError) as wrong:
            raise BadNotation("bad_record", line=number) from wrong
    try:
        edition = int(head.pop("rules")) if "rules" in head else None
        return msgspec.convert({**head, "edition": edition, "rows": rows, "outcome": outcome}, Record)
    except (msgspec.ValidationError, ValueError, TypeError) as wrong:
        raise BadNotation("bad_record", line=1) from wrong
