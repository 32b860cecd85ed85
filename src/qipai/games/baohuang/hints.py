"""From a view to what the client may light up. It can know no more than the view.

`choices` lists every set the seat may put down, as texts with what they are, so that a client tells a legal selection
from another by looking it up and words it without a rule. A hand of 33 has about 150 leads; where there are more than
MOST the list is cut, `more` is true, and a selection that is not listed is asked about with `try`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import Struct

from qipai.core.kernel import thawed
from qipai.games.baohuang.bots.steady import sorted_choices
from qipai.games.baohuang.imagine import lay_anyhow, public_table, unlocated
from qipai.games.baohuang.kernel import score, sets
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.listing import listed
from qipai.games.baohuang.notation import PACK, WORDS, write_play
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.state import View
from qipai.kit import hung
from qipai.kit.climbing import Choice, choice, unbeaten

__all__ = ["Choice", "Hints", "hints"]

MOST: Final = 1000


class Hints(Struct, frozen=True):
    """What the seat that is asked may do.

    Flags of a choice beside u and o (`kit.climbing.Choice`): g the guard card is in it, and playing it tells everybody.
    """

    ask: str
    need: int | None  # how many cards a set must have; None for a lead
    choices: tuple[Choice, ...]
    more: bool  # the list was cut
    others: tuple[str, ...]  # pass; grab no_grab, yield keep, …: in the order of the buttons
    why: dict[str, str]  # card of the hand that is in no choice -> the code that stands in its way
    best: tuple[str, ...]  # a few good choices, the best first: what "hint" cycles through; a word before play
    multiples: dict[str, int]  # before play: action -> what the scores are multiplied with if it comes about


def hints(options: Options, view: View) -> Hints | None:
    """Return what the viewer may do now, None when it is not asked."""
    seat = view.seat
    if seat is None or seat not in view.turn or view.answered or view.phase in ("deal", "over"):
        return None
    s = public_table(options, view)
    pool = unlocated(s)
    lay_anyhow(view, s, pool)
    codes = listed(s.reg, s.hands, seat)
    choices = _described(view, pool, [code for code in codes if code not in WORDS])
    return Hints(
        ask=view.phase,
        need=hung.size(sets.bare(s.reg[t.TOP])) if s.reg[t.TOP] else None,
        choices=tuple(choices[:MOST]),
        more=len(choices) > MOST,
        others=tuple(str(WORDS[code].__struct_config__.tag) for code in codes if code in WORDS),
        why=_why(view, s, choices) if view.phase in ("lead", "answer") else {},
        best=sorted_choices(s, seat),
        multiples=_multiples(view),
    )


def _described(view: View, pool: list[int], made: list[int]) -> list[Choice]:
    seat = view.seat
    largest = max(cards for other, cards in enumerate(view.counts) if other != seat)
    plays = [code & sets.BARE for code in made]
    small, big = pool[t.SMALL] + pool[t.SWORD], pool[t.BIG] + pool[t.CROWN]
    sure = unbeaten(plays, thawed(pool), t.RANKS, 0, small, big, largest)
    whole = view.counts[seat] if seat is not None else 0
    shows = not view.grabbed and view.guard_public is None
    choices = []
    for code, bare, each in zip(made, plays, sure, strict=True):
        flags = ("u" if each else "") + ("o" if hung.size(bare) == whole else "")
        if shows and code & sets.WITH_SWORD:
            flags += "g"
        choices.append(_choice(code, flags))
    return choices


@lru_cache(maxsize=1 << 12)
def _choice(code: int, flags: str) -> Choice:
    return choice(write_play(code), sets.bare(code), t.RANKS, flags)


def _why(view: View, s: t.Table, choices: list[Choice]) -> dict[str, str]:
    """Return why cards of the hand are in no choice."""
    seat = view.seat
    assert seat is not None
    marked = "".join([each.cards for each in choices])
    plain = marked.replace("x*", "").replace("X*", "")
    top = sets.bare(s.reg[t.TOP])
    at = seat * t.CARDS
    big = s.hands[at + t.BIG] + s.hands[at + t.CROWN]
    why = {}
    for card in range(t.CARDS):
        name = PACK.names[card]
        if not s.hands[at + card] or name in (plain if len(name) == 1 else marked):
            continue
        base = card if card < t.RANKS else sets.SMALLS if card in (t.SMALL, t.SWORD) else sets.BIGS
        if base == 0 and s.reg[t.KEEP_SIX] and view.counts[seat] > s.hands[at]:
            code = "sixes_last"
        elif hung.bigs(top) or base <= hung.base(top) or big < hung.smalls(top):
            code = "not_higher"
        else:
            code = "wrong_count"
        why[name] = code
    return why


def _multiples(view: View) -> dict[str, int]:
    """Return what each answer before play may make of the multiple."""
    mode = t.PAIR
    stays, opened, kicked = view.multiple, int(score.multiple(mode, True, False)), int(score.multiple(mode, True, True))
    return {
        "grab": {"grab": opened, "no_grab": stays},
        "yield": {"yield": stays, "keep": stays},
        "reveal": {"reveal": opened, "hide": stays},
        "rebel": {"rebel": opened, "no_rebel": stays},
        "kick": {"kick": kicked, "no_kick": stays},
    }.get(view.phase, {})
