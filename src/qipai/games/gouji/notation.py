"""To and from the texts of gouji: hands and sets as ascending rank strings, actions as words, records."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from qipai.core.contract import BadNotation
from qipai.core.entry import Record, Records
from qipai.core.kernel import thawed
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.kernel.sets import classify
from qipai.games.gouji.state import (
    Action,
    Burn,
    Close,
    NoBurn,
    Pass,
    Play,
    Return,
    Wind,
)
from qipai.kit import hung
from qipai.kit.cards import Pack, wrapped

__all__ = [
    "PACK",
    "PHASES",
    "RECORDS",
    "action_of",
    "bare",
    "book",
    "code_of",
    "counts_of",
    "read_set",
    "text_of",
    "write_play",
]

PACK: Final = Pack(tuple("3456789TJQKA2xX"), (16,) * 13 + (4, 4))
PHASES: Final = ("deal", "tribute", "lead", "answer", "close", "burn", "burn_play", "over")

WORDS: Final[dict[int, Action]] = {
    t.DO_PASS: Pass(),
    t.DO_CLOSE: Close(),
    t.DO_WIND: Wind(),
    t.DO_BURN: Burn(),
    t.DO_NO_BURN: NoBurn(),
}
CODES: Final = {type(action): code for code, action in WORDS.items()}


def counts_of(text: str) -> list[int]:
    """Return counts by card; raises BadNotation("not_a_card")."""
    return PACK.read(text)


def read_set(text: str) -> int:
    """Return the packed set that a text in any order stands for, 0 when it is none."""
    return _read_set(text) if len(text) <= PACK.size else 0


@lru_cache(maxsize=1 << 12)  # all tables play the same few hundred sets
def _read_set(text: str) -> int:
    try:
        counts = PACK.read(text)
    except BadNotation:
        return 0
    return classify(thawed(counts)) if max(counts) <= hung.MOST else 0


@lru_cache(maxsize=1 << 14)  # hints name the same sets again and again
def write_play(play: int) -> str:
    """Return the ascending text of a packed set."""
    base = hung.base(play)
    text = PACK.names[base] * hung.plain(play) if base < t.RANKS else ""
    return text + "2" * hung.wilds(play) + "x" * hung.smalls(play) + "X" * hung.bigs(play)


def write_return(back: int) -> str:
    """Return the ascending text of the kernel's form of a return."""
    low, high, cards = back & 15, back >> 4 & 15, back >> 8 & 3
    return PACK.names[low] + (PACK.names[high] if cards == 2 else "")


@lru_cache(maxsize=8192)  # of a few thousand sets there are, a hand has some three hundred
def action_of(code: int) -> Action:
    """Return the action that a kernel's number stands for."""
    if code & t.RETURN:
        return Return(write_return(code))
    return WORDS.get(code) or Play(write_play(code))


def code_of(action: Action) -> int:
    """Return the kernel's number of an action that `refuse` has accepted."""
    if isinstance(action, Play):
        return read_set(action.cards)
    if isinstance(action, Return):
        cards = [card for card, n in enumerate(PACK.read(action.cards)) for _ in range(n)]
        return t.RETURN | cards[0] | cards[-1] << 4 | len(cards) << 8
    return CODES[type(action)]


def text_of(action: Action) -> str:
    """Return an action as conformance logs write it: "play:TT2x", "return:34", "pass"."""
    name = str(action.__struct_config__.tag)
    if isinstance(action, Play | Return):
        return f"{name}:{PACK.write(PACK.read(action.cards))}"
    return name


def bare(action: Action) -> str:
    """Return an action as lists of legal actions write it: plays and returns as bare cards, others by name."""
    return action.cards if isinstance(action, Play | Return) else str(action.__struct_config__.tag)


def book(record: Record) -> str:
    """Return a deal for chat and books (gouji 11): hands, then a trick a line: "0:KK 3:AA 0:close"."""
    lines: list[str] = []
    words: list[str] = []
    for seat, raw, _ms in record.rows:
        tag = raw["a"]
        if tag == "deal":
            lines += [f"{i}: {hand}" for i, hand in enumerate(raw["hands"])]
            continue
        if tag == "no_burn":
            continue
        words.append(
            f"{seat}:{raw['cards'] if tag == 'play' else tag + ' ' + raw['cards'] if tag == 'return' else tag}"
        )
    lines += wrapped(words)
    if record.outcome:
        lines.append(" ".join(f"{i}:{points:+d}" for i, points in enumerate(record.outcome["points"])))
    return "\n".join(lines) + "\n"


RECORDS: Final = Records(formats={"book": book})
