"""Gouji without a browser: a view as text, typed words as actions, events as lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from qipai.core.contract import BadNotation, Seat
from qipai.games.gouji.hints import hints
from qipai.games.gouji.notation import PACK
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import (
    Action,
    Burn,
    Burning,
    Close,
    Ended,
    Event,
    Fell,
    NoBurn,
    Pass,
    Play,
    Played,
    Return,
    State,
    Taken,
    Tangled,
    View,
    WentOut,
    Wind,
)
from qipai.lang import fill, voice

__all__ = ["mark", "read", "say", "show"]

PLAIN: Final[Mapping[str, Action]] = {
    "pass": Pass(),
    "close": Close(),
    "wind": Wind(),
    "burn": Burn(),
    "no_burn": NoBurn(),
}
SEATED: Final = ("seat", "to", "leader", "only", "burns", "victim")


def show(options: Options, view: View, lang: str) -> str:
    """Return the table as a seat sees it: the six seats, what lies on the table, the hand in stacks, what is asked."""
    say = voice("gouji", lang)
    facts = {"deal": view.deal, "trick_no": view.trick_no}
    lines = [fill(say["show.head"], facts)]
    if view.tangle:
        lines.append(say["show.tangle"])
    first = view.seat if view.seat is not None else 0
    lines += [_seat_line(view, (first + step) % 6, say) for step in (1, 2, 3, 4, 5, 0)]
    for each in (*view.payments, *view.returns):
        if view.phase == "tribute":
            lines.append(fill(say["show.paid"], {"giver": each.giver, "to": each.to, "cards": each.cards}))
    lines += [f"    {made.seat}: {made.cards}" for made in view.trick[:-1]]
    if view.top is None:
        lines.append(say["show.empty"])
    else:
        key = "show.top_gouji" if view.restricted and view.answerers else "show.top"
        lines.append(fill(say[key], {"seat": view.owner, "cards": view.top, "answerers": view.answerers}))
    if view.phase == "burn_wait":
        lines.append(say["show.wait"])
    ace, two, small, big = view.unseen
    lines.append(fill(say["show.unseen"], {"a": ace, "two": two, "small": small, "big": big}))
    if view.hand:
        lines += [say["show.hand"], *PACK.stacks(view.hand)]
    for seat, cards in ((hand.seat, hand.cards) for hand in (*view.partners, *view.shown)):
        lines.append(f"    {seat}: {cards}")
    if view.scores is not None:
        lines.append(fill(say["show.scores"], {"scores": [f"{points:+d}" for points in view.scores]}))
    return "\n".join([*lines, *_asked(options, view, say)]) + "\n"


def _seat_line(view: View, seat: Seat, say: Mapping[str, str]) -> str:
    marks = []
    count, place = view.counts[seat], view.places[seat]
    if place is not None:
        marks.append(say[f"term.place_{place}"])
    elif count is None:
        marks.append(say["show.many"])
    else:
        marks.append(fill(say["show.cards" if seat == view.seat else "show.report"], {"n": count}))
    marks += [fill(say["show.burner"], {"victim": victim}) for burner, victim in view.burners if burner == seat]
    if seat in view.headless:
        marks.append(say["show.headless"])
    if seat in view.passed:
        marks.append(say["show.passed"])
    if seat in view.turn:
        marks.append(say["show.turn"])
    who = ""
    if view.seat is not None:
        who = {0: "you", 3: "opposite"}.get((seat - view.seat) % 6, "friend" if (seat - view.seat) % 2 == 0 else "foe")
        who = " " + say[f"show.{who}"]
    return f"  {seat}{who}  {'  '.join(marks)}"


def _asked(options: Options, view: View, say: Mapping[str, str]) -> list[str]:
    hint = hints(options, view)
    if hint is None:
        return []
    key = "show.ask" if hint.need is None else "show.ask_need"
    lines = [fill(say[key], {"ask": say[f"ask.{hint.ask}"], "need": hint.need})]
    if hint.duty is not None:
        lines.append(fill(say["show.duty"], {"jokers": hint.duty.jokers, "points": hint.duty.points}))
    if hint.ask == "burn" and hint.choices:
        cards = hint.choices[0].cards
        rest = hint.rests[cards]
        facts = {"victim": view.owner, "top": view.top, "first": cards, "points": rest.points, "jokers": rest.jokers}
        lines.append(fill(say["show.rests"], facts))
    if hint.best:
        lines.append(fill(say["show.try"], {"best": hint.best}))
    spoken = [say[f"read.{name}"].split()[0] for name in hint.others]
    if spoken:
        lines.append(fill(say["show.say"], {"words": spoken}))
    return lines


def read(options: Options, view: View, text: str) -> Action:
    """Return the action that a typed line stands for: "TT2x", "play TT2x", "pass", "return 34", …

    Ranks may be in any order and in small letters, 10 is T; x is the small joker, X the big one. Raises BadNotation.
    """
    parts = text.split()
    if not parts:
        raise BadNotation("not_understood", text="")
    verbs = {word: verb for lang in ("en", "zh") for verb in (*PLAIN, "play", "return") for word in _spoken(lang, verb)}
    verb = verbs.get(parts[0].lower(), "")
    if verb in PLAIN and len(parts) == 1:
        return PLAIN[verb]
    cards = "".join(parts[1:] if verb in ("play", "return") else parts).replace("10", "T")
    cards = "".join(card if card in "xX" else card.upper() for card in cards)
    try:
        cards = PACK.write(PACK.read(cards))
    except BadNotation:
        cards = ""
    if not cards:
        raise BadNotation("not_understood", text=text[:40])
    giving = verb == "return" or (not verb and view.phase == "tribute")
    return Return(cards) if giving else Play(cards)


def _spoken(lang: str, verb: str) -> list[str]:
    return voice("gouji", lang)[f"read.{verb}"].split()


def say(event: Event, lang: str) -> str:
    """Return one line for an event."""
    own = voice("gouji", lang)
    facts = dict(msgspec.to_builtins(event))
    key = str(facts.pop("e"))
    for name in SEATED:
        if facts.get(name) is not None:
            facts[name] = fill(own["show.seat"], {"seat": facts[name]})
    if isinstance(event, Played):
        if event.burns is not None:
            key += "_burns"
        elif event.kills:
            key += "_kills"
        elif event.only is not None:
            key += "_restricted"
        elif event.gouji:
            key += "_gouji"
    elif isinstance(event, Taken):
        key += "_over" if event.leader is None else "_wind" if event.wind else ""
    elif isinstance(event, Ended):
        key += "_swept" if event.swept_by is not None else ""
        facts["scores"] = [f"{points:+d}" for points in event.scores]
    elif isinstance(event, WentOut | Fell):
        facts["place"] = own[f"term.place_{event.place}"]
    return fill(own[f"event.{key}"], facts)


def mark(state: State, event: Event) -> str | None:
    """Return whether an event is a critical moment of a deal (P-90), by its key under `mark.`."""
    if isinstance(event, Burning):
        return "burn"
    if isinstance(event, Fell):
        return "fall"
    if isinstance(event, Played) and event.kills:
        return "dead_gouji"
    if isinstance(event, WentOut):
        return "place"
    if isinstance(event, Tangled):
        return "tangle"
    if isinstance(event, Ended) and event.swept_by is not None:
        return "sweep"
    return None
