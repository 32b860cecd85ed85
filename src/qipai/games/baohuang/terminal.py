"""Baohuang in the terminal: a view as text, typed words as actions, events as lines."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import BadNotation, Seat
from qipai.games.baohuang.hints import hints
from qipai.games.baohuang.notation import PACK, WORDS
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.state import (
    Action,
    Ended,
    Event,
    Grabbed,
    Kicked,
    Play,
    Played,
    Rebelled,
    Revealed,
    State,
    Taken,
    View,
    WentOut,
    Yielded,
)
from qipai.lang import Voice, signed, verbs, voice

__all__ = ["mark", "read", "say", "show"]

PLAIN: Final = {str(action.__struct_config__.tag): action for action in WORDS.values()}
SEATED: Final = ("seat", "to", "leader", "guard", "emperor")
MARKS: Final[dict[type, str]] = {
    Grabbed: "solo",
    Yielded: "yield",
    Revealed: "reveal",
    Rebelled: "rebellion",
    Kicked: "kick",
    WentOut: "place",
}


def show(options: Options, view: View, lang: str) -> str:
    """Return the table as a seat sees it: the five seats, what lies on the table, the hand in stacks, what is asked."""
    words = voice("baohuang", lang)
    lines = [words("show.head", deal=view.deal, trick_no=view.trick_no, multiple=view.multiple)]
    if view.mode:
        lines.append(words(f"term.{view.mode}"))
    first = view.seat if view.seat is not None else 0
    lines += [_seat_line(view, (first + step) % 5, words) for step in (1, 2, 3, 4, 0)]
    lines += [f"    {made.seat}: {made.cards}" for made in view.trick[:-1]]
    if view.top is not None:
        lines.append(words("show.top", seat=view.owner, cards=view.top))
    elif view.phase in ("lead", "answer"):
        lines.append(words("show.empty"))
    else:
        lines.append(words(f"phase.{view.phase}"))
    ace, two, small, big = view.unseen
    lines.append(words("show.unseen", a=ace, two=two, small=small, big=big))
    if view.hand:
        lines += [words("show.hand"), *PACK.stacks(view.hand)]
    lines += [f"    {hand.seat}: {hand.cards}" for hand in view.shown]
    if view.scores is not None:
        lines.append(words("show.scores", scores=signed(view.scores)))
    return "\n".join([*lines, *_asked(options, view, words)]) + "\n"


def _seat_line(view: View, seat: Seat, words: Voice) -> str:
    marks = []
    place = view.places[seat]
    marks.append(words("show.cards", n=view.counts[seat]) if place is None else words[f"term.place_{place}"])
    if seat == view.emperor:
        marks.append(words["term.emperor_name"])
    elif seat == view.guard:
        marks.append(words["term.guard_name"])
    if seat in view.passed:
        marks.append(words["show.passed"])
    if seat in view.turn:
        marks.append(words["show.turn"])
    side = view.sides[seat]
    if seat == view.seat:
        who = words["show.you"]
    elif side is None:
        who = words["show.unknown"]
    else:
        mine = view.sides[view.seat] if view.seat is not None else None
        who = "" if mine is None else words["show.friend" if mine == side else "show.foe"]
    return f"  {seat} {who}  {'  '.join(marks)}"


def _asked(options: Options, view: View, words: Voice) -> list[str]:
    hint = hints(options, view)
    if hint is None:
        return []
    key = "show.ask" if hint.need is None else "show.ask_need"
    lines = [words(key, ask=words[f"ask.{hint.ask}"], need=hint.need)]
    for name, multiple in hint.multiples.items():
        lines.append(words("show.multiple", word=words.spoken(name)[0], multiple=multiple))
    if hint.choices and hint.best:
        lines.append(words("show.try", best=hint.best))
    if hint.others:
        lines.append(words("show.say", words=[words.spoken(name)[0] for name in hint.others]))
    return lines


def read(options: Options, view: View, text: str) -> Action:
    """Return the action that a typed line stands for: "TT2x", "play 77x*", "pass", "reveal", …

    Ranks may be in any order and in small letters, 10 is T; x is a small joker, X a big one, x* X* the marked ones.
    Raises BadNotation.
    """
    parts = text.split()
    if not parts:
        raise BadNotation("not_understood", text="")
    verb = verbs("baohuang", (*PLAIN, "play")).get(parts[0].lower(), "")
    if verb in PLAIN and len(parts) == 1:
        return PLAIN[verb]
    try:
        cards = PACK.typed("".join(parts[1:] if verb == "play" else parts))
    except BadNotation:
        cards = ""
    if not cards:
        raise BadNotation("not_understood", text=text[:40])
    return Play(cards)


def say(event: Event, lang: str) -> str:
    """Return an event as one line of text."""
    words = voice("baohuang", lang)
    key, facts = words.told(event, SEATED)
    if isinstance(event, Rebelled | Kicked):
        facts |= {"seats": [words("show.seat", seat=seat) for seat in event.seats], "n": len(event.seats)}
    if isinstance(event, Revealed | Rebelled) and event.solo:
        key += "_solo"
    elif isinstance(event, Played) and event.shows:
        key += "_shows"
    elif isinstance(event, Taken) and event.leader is None:
        key += "_over"
    elif isinstance(event, Ended):
        facts["scores"] = signed(event.scores)
        key += "_void" if event.order is None else "_solo" if event.guard is None else ""
    elif isinstance(event, WentOut):
        facts["place"] = words[f"term.place_{event.place}"]
    return words(key, **facts)


def mark(state: State, event: Event) -> str | None:
    """Return whether an event is a critical moment of a deal (P-90), by its key under `mark.`."""
    if isinstance(event, Played) and event.shows:
        return "guard"
    return MARKS.get(type(event))
