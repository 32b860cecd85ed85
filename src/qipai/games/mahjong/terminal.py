"""Mahjong in the terminal: a view as text, typed words as actions, events as lines."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import BadNotation, Seat
from qipai.games.mahjong.hints import Hints, Worth, hints
from qipai.games.mahjong.notation import SUITS, tiles_of, written
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.state import (
    Action,
    Discard,
    Discarded,
    Drew,
    Ended,
    Event,
    Horse,
    HorseBought,
    Hu,
    Kong,
    Konged,
    Meld,
    Pass,
    Pong,
    State,
    Swap,
    View,
    Void,
    Won,
)
from qipai.lang import Voice, signed, verbs, voice

__all__ = ["mark", "read", "say", "show"]

VERBS: Final = ("hu", "kong", "pong", "pass", "discard", "sing", "dance", "swap", "void", "horse")
SEATED: Final = ("seat", "giver", "payer", "payee", "dealer", "owner")


def place(seat: Seat, words: Voice) -> str:
    """Return the name of a seat, or of a place on the bench."""
    return words("show.seat" if seat < 4 else "show.bench", seat=seat if seat < 4 else seat - 4)


def show(options: Options, view: View, lang: str) -> str:
    """Return the table as a seat sees it: the four seats, what lies open, the hand, what is asked."""
    words = voice("mahjong", lang)
    lines = [words("show.head", deal=view.deal, left=view.wall_left)]
    first = view.seat if view.seat is not None and view.seat < 4 else 0
    lines += [line for step in (1, 2, 3, 0) for line in _seat_lines(view, (first + step) % 4, words)]
    for horse in view.horses:
        owner, seat = place(horse.owner, words), place(horse.seat, words)
        lines.append(words("show.horse", owner=owner, t=horse.t, seat=seat))
    if view.last is not None:
        key = "show.adding" if view.last.adding else "show.thrown"
        lines.append(words(key, seat=place(view.last.seat, words), t=view.last.t))
    if view.phase == "wait":
        lines.append(words["show.wait"])
    if view.hand:
        lines.append(words("show.hand", hand=_hand(view)))
    if view.end is not None:
        lines.append(words("show.scores", scores=signed(view.full)))
    return "\n".join([*lines, *_asked(options, view, words)]) + "\n"


def _hand(view: View) -> str:
    tiles = tiles_of(view.hand or "")
    if view.drawn is None:
        return written(tiles)
    tiles.remove(tiles_of(view.drawn)[0])
    return f"{written(tiles)} + {view.drawn}"


def _seat_lines(view: View, seat: Seat, words: Voice) -> list[str]:
    marks = [words("show.tiles", n=view.counts[seat])]
    void = view.voids[seat]
    if void is not None:
        marks.append(words("show.void", suit=words[f"term.suit_{void}"]))
    for shown in view.danced:
        if shown.seat == seat:
            marks.append(words("show.danced", waits=shown.waits))
    if seat in view.sung:
        marks.append(words["show.sung"])
    for win in view.wins:
        if win.seat == seat:
            marks.append(words("show.won", t=win.t, fan=win.fan))
    if view.ledger[seat]:
        marks.append(f"{view.ledger[seat]:+d}")
    if seat in view.turn:
        marks.append(words["show.turn"])
    who = words["show.you"] if seat == view.seat else ""
    dealer = words["show.dealer"] if seat == view.dealer else ""
    lines = [f"  {place(seat, words)}{who}{dealer}  {'  '.join(marks)}"]
    melds = "  ".join(_meld(meld, words) for meld in view.melds[seat])
    river = " ".join(each.t for each in view.rivers[seat] if each.taken is None)
    lines += [f"      {text}" for text in (melds, river) if text]
    lines += [f"      {hand.tiles}" for hand in view.shown if hand.seat == seat]
    return lines


def _meld(meld: Meld, words: Voice) -> str:
    return f"{words[f'term.{meld.kind or meld.k}']} {meld.t[0] * (4 if meld.k == 'kong' else 3)}{meld.t[1]}"


def _asked(options: Options, view: View, words: Voice) -> list[str]:
    hint = hints(options, view)
    if hint is None:
        return []
    lines = []
    if hint.waits:
        lines.append(words("show.waits", waits=[f"{wait.t}×{wait.left}" for wait in hint.waits]))
    for lock in hint.locks:
        lines.append(words("show.lock", tiles=lock.tiles, fan=lock.fan))
    if hint.ask is None:
        return lines
    lines.append(words("show.ask", ask=words[f"ask.{hint.ask}"]))
    if hint.win is not None:
        lines.append(words("show.win_forced" if hint.forced else "show.win", **_worth(hint.win)))
    for throw in hint.throws:
        if throw.waits:
            waits = [f"{wait.t}×{wait.left}" for wait in throw.waits]
            lines.append(words("show.throw", t=throw.t, waits=waits))
    if hint.passing is not None:
        lines.append(words("show.passing", tiles=hint.passing.tiles))
    example = hint.best or hint.void or (" ".join(hint.swap) if hint.swap else None)
    if example:
        lines.append(words("show.try", best=example))
    lines.append(words("show.say", words=_spoken_now(hint, words)))
    return lines


def _worth(worth: Worth) -> dict[str, int]:
    return {"fan": worth.fan, "value": worth.value, "total": worth.total}


def _spoken_now(hint: Hints, words: Voice) -> list[str]:
    """Return the words that may be typed now."""
    open_now = {
        "hu": hint.win is not None,
        "kong": bool(hint.kongs),
        "pong": hint.pong,
        "pass": hint.may_pass,
        "discard": bool(hint.throws),
        "sing": any("sing" in throw.calls for throw in hint.throws),
        "dance": any("dance" in throw.calls for throw in hint.throws),
        "swap": hint.ask == "swap",
        "void": hint.ask == "void",
        "horse": hint.ask == "horse",
    }
    return [words.spoken(verb)[0] for verb, now in open_now.items() if now]


def read(options: Options, view: View, text: str) -> Action:
    """Return the action that a typed line stands for: "5m", "sing 5m", "kong 5m", "hu", "swap 1m 1m 7m", "void m", …

    Raises BadNotation.
    """
    parts = text.lower().split()
    verb = verbs("mahjong", VERBS).get(parts[0], "") if parts else ""
    rest = "".join(parts[1:] if verb else parts)
    plain: dict[str, Action] = {"hu": Hu(), "pong": Pong(), "pass": Pass()}
    if verb in plain and not rest:
        return plain[verb]
    if verb == "void" and rest in tuple(SUITS):
        return Void(rest)  # type: ignore[arg-type]
    if verb == "horse" and rest.isdecimal():
        return Horse(int(rest))
    try:
        tiles = tiles_of(rest)
    except BadNotation:
        tiles = []
    names = tuple(written((kind,)) for kind in tiles)
    if verb == "kong" and not rest and view.last is not None:
        return Kong(view.last.t)
    if verb == "swap" and len(names) == 3:
        return Swap(names)
    if len(names) == 1 and verb in ("", "discard"):
        return Discard(names[0])
    if len(names) == 1 and verb == "kong":
        return Kong(names[0])
    if len(names) == 1 and verb in ("sing", "dance"):
        return Discard(names[0], "sing" if verb == "sing" else "dance")
    raise BadNotation("not_understood", text=text[:40])


def say(event: Event, lang: str) -> str:
    """Return an event as one line of text."""
    words = voice("mahjong", lang)
    key, facts = words.told(event)
    for name in SEATED:
        if facts.get(name) is not None:
            facts[name] = place(facts[name], words)
    if isinstance(event, Discarded) and event.call is not None:
        key += f"_{event.call}"
    elif isinstance(event, Drew) and event.replacement:
        key += "_replacement"
    elif isinstance(event, Konged):
        key += f"_{event.kind}"
    elif isinstance(event, Won):
        key += f"_{event.by}"
    elif isinstance(event, HorseBought):
        facts["t"] = event.t
    elif isinstance(event, Ended):
        key += f"_{event.end}"
        facts["ledger"] = signed(event.ledger)
    if "kind" in facts and f"term.pay_{facts['kind']}" in words:
        facts["kind"] = words[f"term.pay_{facts['kind']}"]
    if "voids" in facts:
        facts["voids"] = [words[f"term.suit_{suit}"] for suit in facts["voids"]]
    return words(key, **facts)


def mark(state: State, event: Event) -> str | None:
    """Return whether an event is a critical moment of a hand (P-90), by its key under `mark.`."""
    if isinstance(event, Won):
        return "rob" if event.by == "rob" else "win"
    if isinstance(event, Konged):
        return "kong"
    if isinstance(event, Discarded) and event.call is not None:
        return event.call
    if isinstance(event, Ended) and event.end == "exhausted":
        return "exhausted"
    return None
