"""Gouji in the terminal: a view as text, typed words as actions, events as lines."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import BadNotation, Seat
from qipai.games.gouji.hints import hints
from qipai.games.gouji.notation import PACK, WORDS
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import (
    Action,
    Burning,
    Ended,
    Event,
    Fell,
    Play,
    Played,
    Return,
    State,
    Taken,
    Tangled,
    View,
    WentOut,
)
from qipai.lang import Voice, signed, verbs, voice

__all__ = ["mark", "read", "say", "show"]

PLAIN: Final = {str(action.__struct_config__.tag): action for action in WORDS.values()}
SEATED: Final = ("seat", "to", "leader", "only", "burns", "victim")


def show(options: Options, view: View, lang: str) -> str:
    """Return the table as a seat sees it: the six seats, what lies on the table, the hand in stacks, what is asked."""
    words = voice("gouji", lang)
    lines = [words("show.head", deal=view.deal, trick_no=view.trick_no)]
    if view.tangle:
        lines.append(words["show.tangle"])
    first = view.seat if view.seat is not None else 0
    lines += [_seat_line(view, (first + step) % 6, words) for step in (1, 2, 3, 4, 5, 0)]
    for each in (*view.payments, *view.returns):
        if view.phase == "tribute":
            lines.append(words("show.paid", giver=each.giver, to=each.to, cards=each.cards))
    lines += [f"    {made.seat}: {made.cards}" for made in view.trick[:-1]]
    if view.top is None:
        lines.append(words["show.empty"])
    else:
        key = "show.top_gouji" if view.restricted and view.answerers else "show.top"
        lines.append(words(key, seat=view.owner, cards=view.top, answerers=view.answerers))
    if view.phase == "burn_wait":
        lines.append(words["show.wait"])
    ace, two, small, big = view.unseen
    lines.append(words("show.unseen", a=ace, two=two, small=small, big=big))
    if view.hand:
        lines += [words["show.hand"], *PACK.stacks(view.hand)]
    for seat, cards in ((hand.seat, hand.cards) for hand in (*view.partners, *view.shown)):
        lines.append(f"    {seat}: {cards}")
    if view.scores is not None:
        lines.append(words("show.scores", scores=signed(view.scores)))
    return "\n".join([*lines, *_asked(options, view, words)]) + "\n"


def _seat_line(view: View, seat: Seat, words: Voice) -> str:
    marks = []
    count, place = view.counts[seat], view.places[seat]
    if place is not None:
        marks.append(words[f"term.place_{place}"])
    elif count is None:
        marks.append(words["show.many"])
    else:
        marks.append(words("show.cards" if seat == view.seat else "show.report", n=count))
    marks += [words("show.burner", victim=victim) for burner, victim in view.burners if burner == seat]
    if seat in view.headless:
        marks.append(words["show.headless"])
    if seat in view.passed:
        marks.append(words["show.passed"])
    if seat in view.turn:
        marks.append(words["show.turn"])
    who = ""
    if view.seat is not None:
        who = {0: "you", 3: "opposite"}.get((seat - view.seat) % 6, "friend" if (seat - view.seat) % 2 == 0 else "foe")
        who = " " + words[f"show.{who}"]
    return f"  {seat}{who}  {'  '.join(marks)}"


def _asked(options: Options, view: View, words: Voice) -> list[str]:
    hint = hints(options, view)
    if hint is None:
        return []
    key = "show.ask" if hint.need is None else "show.ask_need"
    lines = [words(key, ask=words[f"ask.{hint.ask}"], need=hint.need)]
    if hint.duty is not None:
        lines.append(words("show.duty", jokers=hint.duty.jokers, points=hint.duty.points))
    if hint.ask == "burn" and hint.choices:
        cards = hint.choices[0].cards
        rest = hint.rests[cards]
        points, jokers = rest.points, rest.jokers
        lines.append(words("show.rests", victim=view.owner, top=view.top, first=cards, points=points, jokers=jokers))
    if hint.best:
        lines.append(words("show.try", best=hint.best))
    spoken = [words.spoken(name)[0] for name in hint.others]
    if spoken:
        lines.append(words("show.say", words=spoken))
    return lines


def read(options: Options, view: View, text: str) -> Action:
    """Return the action that a typed line stands for: "TT2x", "play TT2x", "pass", "return 34", …

    Ranks may be in any order and in small letters, 10 is T; x is the small joker, X the big one. Raises BadNotation.
    """
    parts = text.split()
    if not parts:
        raise BadNotation("not_understood", text="")
    verb = verbs("gouji", (*PLAIN, "play", "return")).get(parts[0].lower(), "")
    if verb in PLAIN and len(parts) == 1:
        return PLAIN[verb]
    try:
        cards = PACK.typed("".join(parts[1:] if verb in ("play", "return") else parts))
    except BadNotation:
        cards = ""
    if not cards:
        raise BadNotation("not_understood", text=text[:40])
    giving = verb == "return" or (not verb and view.phase == "tribute")
    return Return(cards) if giving else Play(cards)


def say(event: Event, lang: str) -> str:
    """Return an event as one line of text."""
    words = voice("gouji", lang)
    key, facts = words.told(event, SEATED)
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
        facts["scores"] = signed(event.scores)
    elif isinstance(event, WentOut | Fell):
        facts["place"] = words[f"term.place_{event.place}"]
    return words(key, **facts)


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
