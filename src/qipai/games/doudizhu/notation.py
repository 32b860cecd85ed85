"""To and from the texts of doudizhu: hands and sets as ascending rank strings, forms, actions as words, records."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from qipai.core.contract import BadNotation
from qipai.core.entry import Record, Records
from qipai.core.kernel import thawed
from qipai.games.doudizhu.kernel import sets
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.state import Action, Bid, Form, NoBid, Pass, Play
from qipai.kit.cards import Pack, wrapped

__all__ = [
    "KINDS",
    "PACK",
    "PHASES",
    "RECORDS",
    "WORDS",
    "action_of",
    "bare",
    "book",
    "code_of",
    "counted",
    "form_code",
    "form_of",
    "read_set",
    "text_of",
    "write_play",
]

PACK: Final = Pack((*"3456789TJQKA2xX",), (*(4,) * 13, 1, 1))
PHASES: Final = ("deal", "bid", "lead", "answer", "over")
KINDS: Final = (
    "",
    "single",
    "pair",
    "triple",
    "triple_one",
    "triple_pair",
    "straight",
    "pairs",
    "plane",
    "plane_ones",
    "plane_pairs",
    "four_ones",
    "four_pairs",
    "bomb",
    "rocket",
)

WORDS: Final[dict[int, Action]] = {
    t.DO_PASS: Pass(),
    t.DO_NO_BID: NoBid(),
    t.DO_BID + 1: Bid(1),
    t.DO_BID + 2: Bid(2),
    t.DO_BID + 3: Bid(3),
}


def read_set(text: str, top: int = 0) -> int:
    """Return the packed set that a text in any order is read as (R12), 0 when it is none. top: the form to answer."""
    try:
        counts = PACK.read(text)
    except BadNotation:
        return 0
    if any(n > most for n, most in zip(counts, PACK.copies, strict=True)):
        return 0
    return int(sets.classify(thawed(counts), top))


@lru_cache(maxsize=512)
def counted(text: str) -> tuple[int, ...]:
    """Return a text's counts by card; raises BadNotation. Cached: the table's sets are read again after each move."""
    return tuple(PACK.read(text))


@lru_cache(maxsize=1 << 13)  # hints name the same sets again and again
def write_play(play: int) -> str:
    """Return the ascending text of a packed set."""
    return PACK.write(int(sets.count_of(play, card)) for card in range(t.CARDS))


@lru_cache(maxsize=1 << 10)
def form_of(play: int) -> Form:
    """Return the form of a packed set, or of a form, as views tell it."""
    return Form(KINDS[sets.kind_of(play)], PACK.names[sets.rank_of(play)], int(sets.length_of(play)))


def form_code(form: Form | None) -> int:
    """Return the kernel's number of a form, 0 for none."""
    return int(sets.form(KINDS.index(form.kind), PACK.index[form.rank], form.length)) if form is not None else 0


@lru_cache(maxsize=1 << 12)
def action_of(code: int) -> Action:
    """Return the action that a kernel's number stands for."""
    return WORDS.get(code) or Play(write_play(code))


def code_of(action: Action, top: int) -> int:
    """Return the kernel's number of an action that `refuse` has accepted. top: the form to answer, 0 for none."""
    if isinstance(action, Play):
        return read_set(action.cards, top)
    if isinstance(action, Bid):
        return t.DO_BID + action.n
    return t.DO_PASS if isinstance(action, Pass) else t.DO_NO_BID


def text_of(action: Action) -> str:
    """Return an action as conformance logs write it: "play:3334", "bid:2", "pass"."""
    return f"play:{PACK.write(PACK.read(action.cards))}" if isinstance(action, Play) else bare(action)


def bare(action: Action) -> str:
    """Return an action as lists of legal actions write it: plays as bare cards, others by name."""
    if isinstance(action, Play):
        return action.cards
    name = str(action.__struct_config__.tag)
    return f"{name}:{action.n}" if isinstance(action, Bid) else name


def book(record: Record) -> str:
    """Return a deal for chat and books: hands, bottom cards, calls, then the sets: "0:33 1:KK 2:pass"."""
    lines: list[str] = []
    words: list[str] = []
    for seat, raw, _ms in record.rows:
        tag = raw["a"]
        if tag == "deal":
            lines = [f"{i}: {hand}" for i, hand in enumerate(raw["hands"])] + [f"bottom: {raw['bottom']}"]
            words = []
        elif tag == "bid":
            words.append(f"{seat}:{raw['n']}")
        elif tag == "no_bid":
            words.append(f"{seat}:0")
        else:
            words.append(f"{seat}:{raw['cards'] if tag == 'play' else tag}")
    lines += wrapped(words)
    if record.outcome:
        lines.append(" ".join(f"{i}:{points:+d}" for i, points in enumerate(record.outcome["points"])))
    return "\n".join(lines) + "\n"


RECORDS: Final = Records(formats={"book": book})
