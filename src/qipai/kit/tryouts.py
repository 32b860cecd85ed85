"""Small tables of climbing games, for rulings that are tried: hands, the set to beat, what may be done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from qipai.core.contract import NATURE, Rules, Seat
from qipai.core.tryouts import LEAVE, TIMEOUT, Position, Scene, SceneAsk, SceneRow, Script

__all__ = ["MOST_CARDS", "OUTSIDE", "buttons", "facing", "scene", "steps_of"]

Json = Any
OUTSIDE: Final = (SceneAsk("act", verb="timeout", action=TIMEOUT), SceneAsk("act", verb="gone", action=LEAVE))
MOST_LISTED: Final = 400  # legal actions that are looked through for their verbs
MOST_CARDS: Final = 72  # of all hands together that are laid open; of more only the hand of who acts


def steps_of(steps: Iterable[Json]) -> tuple[tuple[Seat, Json, str | None], ...]:
    """Return the actions of a script's steps, without its checks: seat, action, the code that refuses it.

    What the hall says of a seat that has left is that seat's action here.
    """
    found = []
    for step in steps:
        if isinstance(step, Mapping) or step[0] is None:
            continue
        seat, raw = step[0], step[1]
        if seat == NATURE and raw.get("a") == "leave":
            seat, raw = raw["seat"], LEAVE
        found.append((seat, raw, step[2].get("error") if len(step) > 2 else None))
    return tuple(found)


def facing(rules: Rules[Any, Any, Any], state: Any, seat: Seat, play: str) -> Script:
    """Return a case in which a seat is the next to answer: those before it decline. play: what the case plays."""
    for _ in range(12):
        asked = rules.turn(state).seats
        if seat in asked:
            return Script(rules, state, ((seat, {"a": "play", "cards": play}, None),))
        if not asked:
            break
        actor = min(asked)
        state = rules.apply(state, actor, rules.idle(state, actor)).state
    raise LookupError("the seat is not asked")


def buttons(verbs: Iterable[str]) -> list[SceneAsk]:
    """Return a button for each verb that needs no more."""
    return [SceneAsk("act", verb=verb, action={"a": verb}) for verb in verbs]


def scene(
    position: Position, cards: Callable[[str], Sequence[str]], verbs: Mapping[str, Sequence[str]], plain: Iterable[str]
) -> Scene:
    """Draw a position of a climbing game.

    cards: a hand's text -> its cards. verbs: those that take cards from the hand -> the phases in which they are asked
    for; the others are offered where the case tries them. plain: verbs that take nothing, offered where
    they are allowed or the case tries them.
    """
    rules, state, seat = position.rules, position.state, position.seat
    view = rules.observe(state, seat)
    outcome = rules.outcome(state)
    asked = rules.turn(state).seats
    hands = [rules.observe(state, one).hand or "" for one in range(rules.seats)]
    open_hands = sum(len(cards(hand)) for hand in hands) <= MOST_CARDS
    rows = [SceneRow("mark", "asked", f"phase.{view.phase}")]
    if view.top:
        rows.append(SceneRow("cards", "top", view.top, seat=view.owner))
    rows.extend(
        SceneRow("cards", "hand", hand, seat=one, on=one in asked)
        for one, hand in enumerate(hands)
        if hand and (open_hands or one == seat)
    )
    if outcome is not None:
        return Scene((*rows, SceneRow("fact", "points", [f"{n:+d}" for n in outcome.points])), ())
    asks = [
        SceneAsk("pick", verb=verb, name="cards", of=cards(hands[seat]))
        for verb, phases in verbs.items()
        if view.phase in phases
    ]
    listed = {action.__struct_config__.tag for action in islice(rules.legal(state, seat), MOST_LISTED)}
    tried = {raw.get("a") for raw in position.tries if isinstance(raw, Mapping)}
    offered = [verb for verb in plain if verb in listed | tried | {"pass"}]
    return Scene(tuple(rows), (*asks, *buttons(offered), *OUTSIDE), seat)
