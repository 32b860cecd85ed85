"""Shengji in the terminal: a view as text, typed words as actions, events as lines."""

from __future__ import annotations

from typing import Final

import msgspec

from qipai.core.contract import BadNotation, Seat
from qipai.games.shengji.hints import Hints, hints
from qipai.games.shengji.notation import INDEX
from qipai.games.shengji.options import Options
from qipai.games.shengji.state import (
    Action,
    Bury,
    Declare,
    Declared,
    Ended,
    Event,
    KittyShown,
    Pass,
    Play,
    Played,
    State,
    Taken,
    ThrowFailed,
    Trick,
    View,
)
from qipai.lang import Voice, signed, verbs, voice

__all__ = ["mark", "read", "say", "show"]

SIGNS: Final = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
SEATED: Final = ("seat", "first", "dealer", "next_dealer")
BIG_TRICK: Final = 40  # points in a trick that a replay marks


def drawn(cards: tuple[str, ...] | list[str]) -> str:
    """Return cards as the terminal shows them: ♠10 ♥K x X."""
    return " ".join(
        card if card in ("x", "X") else SIGNS[card[1]] + ("10" if card[0] == "T" else card[0]) for card in cards
    )


def trumps(view_trump: str | None, words: Voice) -> str:
    """Return the trump suit as a sign, or the word for none."""
    return SIGNS[view_trump] if view_trump else words["show.no_trump"]


def show(options: Options, view: View, lang: str) -> str:
    """Return the table as a seat sees it: level and trumps, the four seats, the trick, the hand, what is asked."""
    words = voice("shengji", lang)
    facts = {
        "deal": view.deal,
        "level": view.level,
        "trump": trumps(view.trump, words),
        "a": view.levels[0],
        "b": view.levels[1],
        "points": view.points,
        "over": 2 * view.segment,
    }
    lines = [words("show.head", **facts)]
    first = view.seat if view.seat is not None else 0
    lines += [_seat_line(view, (first + step) % 4, words) for step in (1, 2, 3, 0)]
    lines += [words("show.declared", seat=made.seat, cards=drawn(made.cards)) for made in view.declarations[-1:]]
    if view.trick is None and view.last is not None:
        lines.append(words("show.last", seat=view.last.best, points=view.last.points))
    lines += _trick_lines(view.trick if view.trick is not None else view.last, words)
    if view.reveal is not None:
        facts = {**msgspec.structs.asdict(view.reveal), "cards": drawn(view.reveal.cards)}
        lines.append(words("show.kitty", **facts))
    elif view.kitty:
        lines.append(words("show.buried", cards=drawn(view.kitty)))
    if view.result is not None:
        ended = view.result
        key = f"show.{ended.side}"
        lines.append(words(key, points=ended.points, up=ended.up, a=ended.levels[0], b=ended.levels[1]))
        lines.append(words("show.scores", scores=signed(ended.scores)))
    if view.hand:
        lines.append(words["show.hand"])
        lines += [f"  {words[f'term.group_{group.name}']}  {drawn(group.cards)}" for group in view.hand]
    return "\n".join([*lines, *_asked(hints(options, view), words)]) + "\n"


def _seat_line(view: View, seat: Seat, words: Voice) -> str:
    marks = [words("show.cards", n=view.counts[seat])]
    if seat == view.dealer:
        marks.append(words["term.dealer"])
    if view.phase == "declaring" and seat in view.passed:
        marks.append(words["show.passed"])
    if view.open[seat]:
        marks.append(words("show.open", cards=drawn(view.open[seat])))
    if seat in view.turn:
        marks.append(words["show.turn"])
    who = ""
    if view.seat is not None:
        who = " " + words[f"show.{('you', 'foe', 'partner', 'foe')[(seat - view.seat) % 4]}"]
    return f"  {seat}{who}  {'  '.join(marks)}"


def _trick_lines(trick: Trick | None, words: Voice) -> list[str]:
    if trick is None:
        return [words["show.empty"]]
    lines = []
    if trick.attempt is not None:
        cards, forced = drawn(trick.attempt.cards), drawn(trick.attempt.forced)
        lines.append(words("show.attempt", cards=cards, forced=forced, seat=trick.attempt.seat))
    for made in trick.plays:
        best = " *" if made.seat == trick.best else ""
        lines.append(f"    {made.seat}: {drawn(made.cards)}  {words[f'how.{made.how}']}{best}")
    return lines


def _asked(hint: Hints | None, words: Voice) -> list[str]:
    if hint is None:
        return []
    key = "show.ask" if hint.need is None else "show.ask_need"
    lines = [words(key, ask=words[f"ask.{hint.ask}"], need=hint.need)]
    if hint.calls:
        lines.append(words("show.calls", calls=[drawn(call.cards) + ";" for call in hint.calls]))
    if hint.best:
        lines.append(words("show.try", best=drawn(hint.best[0])))
    return lines


def read(options: Options, view: View, text: str) -> Action:
    """Return the action that a typed line stands for: "SK SK", "play ♠K", "declare H2", "bury …", "pass".

    A card is suit and rank in any order and case, 10 is T; x is the small joker, X the big one. Without a verb the
    cards are what is asked for now. Raises BadNotation.
    """
    parts = text.replace("10", "T").replace(",", " ").split()
    if not parts:
        raise BadNotation("not_understood", text="")
    verb = verbs("shengji", ("pass", "declare", "bury", "play")).get(parts[0].lower(), "")
    if verb == "pass" and len(parts) == 1:
        return Pass()
    cards = tuple(_card(part, text) for part in (parts[1:] if verb else parts))
    if not cards:
        raise BadNotation("not_understood", text=text[:40])
    if not verb:
        verb = {"burying": "bury", "playing": "play"}.get(view.phase, "declare")
    return {"declare": Declare, "bury": Bury}.get(verb, Play)(cards)  # type: ignore[return-value]


def _card(word: str, text: str) -> str:
    for suit, sign in SIGNS.items():
        word = word.replace(sign, suit)
    if word in ("x", "X"):
        return word
    word = word.upper()
    for name in (word, word[::-1]):
        if name in INDEX and name not in ("x", "X"):
            return name
    raise BadNotation("not_understood", text=text[:40])


def say(event: Event, lang: str) -> str:
    """Return an event as one line of text."""
    words = voice("shengji", lang)
    key, facts = words.told(event, SEATED)
    for name in ("cards", "forced", "returned"):
        if name in facts:
            facts[name] = drawn(facts[name])
    if "trump" in facts:
        facts["trump"] = trumps(facts["trump"], words)
    if isinstance(event, Declared):
        key += f"_{event.label}" if event.label else ""
    elif isinstance(event, Played):
        facts["how"] = words[f"how.{event.how}"]
    elif isinstance(event, KittyShown):
        key += "" if event.multiplier else "_kept"
    elif isinstance(event, Ended):
        key += "_match" if event.match_winner is not None else f"_{event.side}"
        facts["scores"] = signed(event.scores)
    return words(key, **facts)


def mark(state: State, event: Event) -> str | None:
    """Return whether an event is a critical moment of a deal (P-90), by its key under `mark.`."""
    if isinstance(event, Declared):
        return "declared"
    if isinstance(event, ThrowFailed):
        return "throw_failed"
    if isinstance(event, Played) and event.how in ("throw", "overruff"):
        return event.how
    if isinstance(event, Taken) and event.points >= BIG_TRICK:
        return "big_trick"
    if isinstance(event, KittyShown) and event.bonus:
        return "kitty"
    if isinstance(event, Ended) and (event.points == 0 or event.match_winner is not None):
        return "match" if event.match_winner is not None else "big_sweep"
    return None
