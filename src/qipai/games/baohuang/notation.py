"""To and from the texts of baohuang: hands and sets as ascending rank strings, actions as words, records."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from qipai.core.contract import BadNotation
from qipai.core.entry import Record, Records
from qipai.core.kernel import thawed
from qipai.games.baohuang.kernel import sets
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.state import (
    Action,
    Grab,
    Hide,
    Keep,
    Kick,
    NoGrab,
    NoKick,
    NoRebel,
    Pass,
    Play,
    Rebel,
    Reveal,
    Yield,
)
from qipai.kit import hung
from qipai.kit.cards import Pack, wrapped

__all__ = [
    "MODES",
    "PACK",
    "PHASES",
    "RECORDS",
    "WORDS",
    "action_of",
    "bare",
    "book",
    "code_of",
    "counted",
    "read_set",
    "text_of",
    "write_play",
]

PACK: Final = Pack((*"6789TJQKA2", "x", "x*", "X", "X*"), (13, *(16,) * 9, 3, 1, 3, 1))
PHASES: Final = ("deal", "grab", "yield", "reveal", "rebel", "kick", "lead", "answer", "over")
MODES: Final = (None, "pair", "solo_open", "solo_hidden")

WORDS: Final[dict[int, Action]] = {
    t.DO_PASS: Pass(),
    t.DO_GRAB: Grab(),
    t.DO_NO_GRAB: NoGrab(),
    t.DO_YIELD: Yield(),
    t.DO_KEEP: Keep(),
    t.DO_REVEAL: Reveal(),
    t.DO_HIDE: Hide(),
    t.DO_REBEL: Rebel(),
    t.DO_NO_REBEL: NoRebel(),
    t.DO_KICK: Kick(),
    t.DO_NO_KICK: NoKick(),
}
CODES: Final = {type(action): code for code, action in WORDS.items()}


def read_set(text: str) -> int:
    """Return the packed set that a text in any order stands for, 0 when it is none or the deck has no such cards."""
    try:
        counts = PACK.read(text)
    except BadNotation:
        return 0
    if any(n > most for n, most in zip(counts, PACK.copies, strict=True)):
        return 0
    return int(sets.classify(thawed(counts)))


@lru_cache(maxsize=512)
def counted(text: str) -> tuple[int, ...]:
    """Return a text's counts by card; raises BadNotation. Cached: the table's sets are read again after each move."""
    return tuple(PACK.read(text))


@lru_cache(maxsize=1 << 14)  # hints name the same sets again and again
def write_play(play: int) -> str:
    """Return the ascending text of a packed set."""
    sword, crown = int(play & sets.WITH_SWORD > 0), int(play & sets.WITH_CROWN > 0)
    play &= sets.BARE
    base, smalls, bigs = hung.base(play), hung.smalls(play), hung.bigs(play)
    text = PACK.names[base] * hung.plain(play) if base < t.RANKS else ""
    return text + "x" * (smalls - sword) + "x*" * sword + "X" * (bigs - crown) + "X*" * crown


@lru_cache(maxsize=1 << 12)
def action_of(code: int) -> Action:
    """Return the action that a kernel's number stands for."""
    return WORDS.get(code) or Play(write_play(code))


def code_of(action: Action) -> int:
    """Return the kernel's number of an action that `refuse` has accepted."""
    return read_set(action.cards) if isinstance(action, Play) else CODES[type(action)]


def text_of(action: Action) -> str:
    """Return an action as conformance logs write it: "play:77x", "pass"."""
    name = str(action.__struct_config__.tag)
    return f"{name}:{PACK.write(PACK.read(action.cards))}" if isinstance(action, Play) else name


def bare(action: Action) -> str:
    """Return an action as lists of legal actions write it: plays as bare cards, others by name."""
    return action.cards if isinstance(action, Play) else str(action.__struct_config__.tag)


def book(record: Record) -> str:
    """Return a deal for chat and books: hands, declarations that said yes, then the sets: "0:77 3:KK 4:pass"."""
    lines: list[str] = []
    words: list[str] = []
    for seat, raw, _ms in record.rows:
        tag = raw["a"]
        if tag == "deal":
            lines += [f"{i}: {hand}" for i, hand in enumerate(raw["hands"])]
        elif tag not in ("no_grab", "keep", "hide", "no_rebel", "no_kick"):
            words.append(f"{seat}:{raw['cards'] if tag == 'play' else tag}")
    lines += wrapped(words)
    if record.outcome:
        lines.append(" ".join(f"{i}:{points:+d}" for i, points in enumerate(record.outcome["points"])))
    return "\n".join(lines) + "\n"


RECORDS: Final = Records(formats={"book": book})
