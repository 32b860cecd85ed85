"""Hints for the client, computed from the view alone.

`choices` lists every set the seat may play, as texts with their reading, so that a client can look up whether a
selection is legal, and name it, without knowing the rules. Where there are more than MOST, the list is cut, `more` is
true, and the client asks about an unlisted selection with `try`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from qipai.games.doudizhu.bots.steady import called, sorted_choices
from qipai.games.doudizhu.imagine import summed_table
from qipai.games.doudizhu.kernel import policy, sets
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.listing import listed
from qipai.games.doudizhu.notation import PACK, form_of, write_play
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.state import View

__all__ = ["Choice", "Hints", "hints"]

MOST: Final = 1000


class Choice(Struct, frozen=True, array_like=True, gc=False):
    """A set that may be put down: ["33344457", "plane_ones", "3", 2, "u"]."""

    cards: str
    kind: str  # what it is read as: kind, lowest rank of the body, how many ranks that has (R12)
    rank: str
    length: int
    flags: str  # a letter each: u no unseen cards beat it, o it is the whole hand, d it doubles (a bomb, the rocket)


class Hints(Struct, frozen=True, gc=False):
    """What the seat that is asked may do."""

    ask: str  # bid lead answer
    need: int | None  # how many cards the top set has; None for a lead; a bomb may have another number
    choices: tuple[Choice, ...]
    more: bool  # the list was cut
    others: tuple[str, ...]  # pass; no_bid, bid: in the order of the buttons
    bids: tuple[int, ...]  # in `bid`: the calls that are allowed, ascending
    why: dict[str, str]  # card of the hand that is in no choice -> the code of the reason
    best: tuple[str, ...]  # a few good choices, the best first: "hint" cycles through them; "no_bid", "bid:2" in `bid`


def hints(options: Options, view: View) -> Hints | None:
    """Return what the viewer may do now, None when it is not asked."""
    seat = view.seat
    if seat is None or seat not in view.turn or view.phase in ("deal", "over"):
        return None
    if view.phase == "bid":
        bids = tuple(range(view.bid + 1, t.MOST_BID + 1))
        return Hints("bid", None, (), False, ("no_bid", "bid"), bids, {}, (called(options, view),))
    s = summed_table(options, view)
    codes = [code for code in listed(s, seat) if code > t.LAST_WORD]
    top = s.reg[t.TOP]
    return Hints(
        view.phase,
        int(sets.size_of(top)) if top else None,
        tuple([_choice(s, seat, code) for code in codes[:MOST]]),
        len(codes) > MOST,
        ("pass",) if top else (),
        (),
        _why(view, codes, top),
        sorted_choices(options, view, codes) if codes else (),
    )


def _choice(s: t.Table, seat: int, code: int) -> Choice:
    form = form_of(code & sets.FORM)
    flags = "u" if _unbeaten(s, seat, code) else ""
    if sum(s.hands[seat * t.CARDS : (seat + 1) * t.CARDS]) == sets.size_of(code):
        flags += "o"
    if sets.doubles(code):
        flags += "d"
    return Choice(write_play(code), form.kind, form.rank, form.length, flags)


def _unbeaten(s: t.Table, seat: int, code: int) -> bool:
    """Return whether no cards that the viewer has not seen could beat a set: neither its kind nor a bomb."""
    if sets.kind_of(code) == sets.ROCKET:
        return True
    if policy.higher(s, seat, code) or (policy.outside(s, seat, t.SMALL) and policy.outside(s, seat, t.BIG)):
        return False
    return sets.kind_of(code) == sets.BOMB or not any(policy.outside(s, seat, rank) == 4 for rank in range(t.SMALL))


def _why(view: View, codes: Sequence[int], top: int) -> dict[str, str]:
    """Return why cards of the hand are in no choice."""
    if not top or not view.hand:
        return {}
    there = {card for card in range(t.CARDS) if any(sets.count_of(code, card) for code in codes)}
    missing = [card for card in range(t.CARDS) if PACK.names[card] in view.hand and card not in there]
    single = sets.size_of(top) == 1
    return {PACK.names[card]: "not_higher" if single or card <= sets.rank_of(top) else "wrong_kind" for card in missing}
