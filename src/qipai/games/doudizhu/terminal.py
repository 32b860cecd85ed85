"""Doudizhu without a browser: a view as text, typed words as actions, events as lines."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import BadNotation, Seat
from qipai.games.doudizhu.hints import hints
from qipai.games.doudizhu.notation import PACK
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.state import (
    Action,
    Bid,
    Called,
    Ended,
    Event,
    NoBid,
    Pass,
    Play,
    Played,
    Redealt,
    Settled,
    State,
    Taken,
    View,
)
from qipai.lang import Voice, signed, verbs, voice

__all__ = ["mark", "read", "say", "show"]

PLAIN: Final[dict[str, Action]] = {"no_bid": NoBid(), "pass": Pass()}
SEATED: Final = ("seat", "first", "landlord", "leader", "winner")
DOUBLING: Final = ("bomb", "rocket")


def show(options: Options, view: View, lang: str) -> str:
    """Return the table as a seat sees it: the seats, what lies on the table, the hand in stacks, what is asked."""
    words = voice("doudizhu", lang)
    lines = [words("show.head", deal=view.deal, trick_no=view.trick_no, multiple=view.multiple)]
    if view.bottom:
        lines.append(words("show.bottom", cards=view.bottom))
    first = view.seat if view.seat is not None else 0
    lines += [_seat_line(view, (first + step) % 3, words) for step in (1, 2, 0)]
    lines += [f"    {made.seat}: {made.cards}" for made in view.trick[:-1]]
    if view.top is not None and view.form is not None:
        kind = words[f"kind.{view.form.kind}"]
        lines.append(words("show.top", seat=view.owner, cards=view.top, kind=kind))
    else:
        lines.append(words["show.empty"] if view.phase == "lead" else words[f"phase.{view.phase}"])
    lines.append(words("show.unseen", cards=PACK.write(view.unseen)))
    if view.hand:
        lines += [words("show.hand"), *PACK.stacks(view.hand)]
    lines += [f"    {hand.seat}: {hand.cards}" for hand in view.shown]
    if view.scores is not None:
        lines.append(words("show.scores", scores=signed(view.scores)))
    return "\n".join([*lines, *_asked(options, view, words)]) + "\n"


def _seat_line(view: View, seat: Seat, words: Voice) -> str:
    marks = [words("show.cards", n=view.counts[seat])]
    call = view.calls[seat]
    if seat == view.landlord:
        marks.append(words["term.landlord_name"])
    elif view.landlord is None and call is not None:
        marks.append(words("show.called", n=call) if call else words["show.called_nothing"])
    if seat in view.passed:
        marks.append(words["show.passed"])
    if seat in view.turn:
        marks.append(words["show.turn"])
    side = view.sides[seat]
    if seat == view.seat:
        who = words["show.you"]
    elif side is None or view.seat is None:
        who = ""
    else:
        who = words["show.friend" if view.sides[view.seat] == side else "show.foe"]
    return f"  {seat} {who}  {'  '.join(marks)}"


def _asked(options: Options, view: View, words: Voice) -> list[str]:
    hint = hints(options, view)
    if hint is None:
        return []
    key = "show.ask" if hint.need is None else "show.ask_need"
    lines = [words(key, ask=words[f"ask.{hint.ask}"], need=hint.need)]
    if hint.choices and hint.best:
        lines.append(words("show.try", best=hint.best))
    said = [words.spoken(name)[0] for name in hint.others if name != "bid"]
    said += [str(n) for n in hint.bids]
    if said:
        lines.append(words("show.say", words=said))
    return lines


def read(options: Options, view: View, text: str) -> Action:
    """Return the action that a typed line stands for: "3334", "play 34567", "bid 2", "pass", …

    While the seat is asked to call, a number alone is a call. Ranks may be in any order and in small letters, 10 is T;
    x is the small joker, X the big one. Raises BadNotation.
    """
    parts = text.split()
    if not parts:
        raise BadNotation("not_understood", text="")
    verb = verbs("doudizhu", (*PLAIN, "play", "bid")).get(parts[0].lower(), "")
    if verb in PLAIN and len(parts) == 1:
        return PLAIN[verb]
    if verb == "bid" or (view.phase == "bid" and len(parts) == 1):
        for n in (1, 2, 3):
            if parts[-1] == str(n):
                return Bid(n)
        raise BadNotation("not_understood", text=text[:40])
    try:
        cards = PACK.typed("".join(parts[1:] if verb == "play" else parts))
    except BadNotation:
        cards = ""
    if not cards:
        raise BadNotation("not_understood", text=text[:40])
    return Play(cards)


def say(event: Event, lang: str) -> str:
    """Return one line for an event."""
    words = voice("doudizhu", lang)
    key, facts = words.told(event, SEATED)
    if isinstance(event, Called) and event.n == 0:
        key += "_nothing"
    elif isinstance(event, Settled) and event.forced:
        key += "_forced"
    elif isinstance(event, Played):
        facts["kind"] = words[f"kind.{event.form.kind}"]
        key += "_doubles" if event.form.kind in DOUBLING else ""
    elif isinstance(event, Taken) and event.leader is None:
        key += "_over"
    elif isinstance(event, Ended):
        facts["scores"] = signed(event.scores)
        if event.winner is None:
            key += "_void"
        elif event.winner == event.landlord:
            key += "_landlord_spring" if event.spring else "_landlord"
        else:
            key += "_peasants_spring" if event.spring else "_peasants"
    return words(key, **facts)


def mark(state: State, event: Event) -> str | None:
    """Return whether an event is a critical moment of a deal (P-90), by its key under `mark.`."""
    if isinstance(event, Played) and event.form.kind in DOUBLING:
        return event.form.kind
    if isinstance(event, Settled):
        return "landlord"
    if isinstance(event, Redealt):
        return "redealt"
    return "spring" if isinstance(event, Ended) and event.spring else None
