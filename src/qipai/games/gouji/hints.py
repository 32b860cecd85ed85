"""From a view to what the client may light up. It can know no more than the view.

`choices` lists every set (or return) the seat may put down, as texts with what they are, so that a client tells a legal
selection from another by looking it up and words it without a rule. A hand of 36 has about 330 leads; where there are
more than MOST the list is cut, `more` is true, and a selection that is not listed is asked about with `try`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Final

from msgspec import Struct

from qipai.core.kernel import buffer, frozen, thawed
from qipai.games.gouji.bots.steady import sorted_choices
from qipai.games.gouji.imagine import question, sizes, unseen
from qipai.games.gouji.kernel import sets
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.listing import listed, room
from qipai.games.gouji.notation import PACK, WORDS, write_play, write_return
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import View
from qipai.kit import hung
from qipai.kit.climbing import Choice, choice, unbeaten

__all__ = ["Choice", "Hints", "Rest", "hints"]

MOST: Final = 1000
GOUJI, ONLY, SURE, ALL, KEEPS = 1, 2, 4, 8, 16  # bits of the flags of a choice; the first two are for gouji alone
FLAGS: Final = (("g", GOUJI), ("r", ONLY), ("u", SURE), ("o", ALL), ("k", KEEPS))
TAGS: Final = {code: str(action.__struct_config__.tag) for code, action in WORDS.items()}
LINE: Final = (*((PACK.names[rank], sets.GOUJI[rank]) for rank in range(7, t.RANKS)), ("2", 1), ("x", 1), ("X", 1))


class Rest(Struct, frozen=True):
    """What a burner has to carry: a joker for each point but one."""

    points: str  # the different cards of 3 .. A
    jokers: int


class Hints(Struct, frozen=True):
    """What the seat that is asked may do.

    Flags of a choice beside u and o (`kit.climbing.Choice`): g gouji, r only the opposite may answer it, k what is left
    meets the burner's condition (in `burn` and `burn_play`, and while bound).
    """

    ask: str
    need: int | None  # how many cards a set must have; None for a lead
    choices: tuple[Choice, ...]
    more: bool  # the list was cut
    others: tuple[str, ...]  # pass close wind burn no_burn, as far as they are open
    why: dict[str, str]  # card of the hand that is in no choice -> the code that stands in its way
    best: tuple[str, ...]  # a few good choices, the best first: what "hint" cycles through
    duty: Rest | None  # the own burner's duty
    rests: dict[str, Rest]  # in `burn` and `burn_play`: choice -> what stays in the hand
    line: tuple[tuple[str, int], ...]  # 够级线: fewest cards of a rank that are gouji


def hints(options: Options, view: View) -> Hints | None:
    """Return what the viewer may do now, None when it is not asked."""
    seat = view.seat
    if seat is None or seat not in view.turn or view.phase in ("deal", "over", "burn_wait"):
        return None
    s = question(options, view)
    codes = listed(s, seat)
    words = sum(code in WORDS for code in codes[-2:])  # they stand behind the sets
    made, others = codes[: len(codes) - words], codes[len(codes) - words :]
    at = seat * t.CARDS
    if view.phase == "burn":
        # What could be put down after saying yes: the sets that keep the condition.
        out = buffer(room(s.hands, seat))
        n = sets.all_answers(s.hands, at, s.reg[t.TOP], s.bound[seat] >= 0, out)
        made = tuple(code for code in frozen(out[:n]) if sets.keeps(s.hands, at, code))
    pool, cards = (unseen(view), sizes(options, view)) if made else ((), ())
    if view.phase == "tribute":
        choices = tuple(Choice(write_return(code), 0, 0, 0, 0, "") for code in made)
        need: int | None = len(choices[0].cards)
    else:
        choices = _described(view, s, made, pool, cards)
        need = hung.size(s.reg[t.TOP]) if s.reg[t.TOP] else None
    burning = view.phase in ("burn", "burn_play")
    return Hints(
        ask=view.phase,
        need=need,
        choices=choices[:MOST],
        more=len(choices) > MOST,
        others=tuple(TAGS[code] for code in others),
        why=_why(view, s, made),
        best=sorted_choices(options, view, s, pool, cards, codes) if made else (),
        duty=_rest(s.hands[at : at + t.CARDS]) if s.bound[seat] >= 0 else None,
        rests={write_play(code): _rest(_without(s.hands, at, code)) for code in made[:40]} if burning else {},
        line=LINE,
    )


def _described(
    view: View, s: t.Table, made: Sequence[int], pool: Sequence[int], cards: Sequence[int]
) -> tuple[Choice, ...]:
    seat = view.seat
    assert seat is not None
    if not made:
        return ()
    hands, at, r = s.hands, seat * t.CARDS, s.reg
    kills = r[t.DEAD_TOP] == 1 and r[t.OWNER] == t.opposite(seat)
    marks = 0 if r[t.TANGLE] else GOUJI | ONLY if kills or t.live(s, t.opposite(seat)) else GOUJI
    unseen = thawed(pool)
    largest = max(0, *cards[:seat], *cards[seat + 1 :])
    sure = unbeaten(made, unseen, t.RANKS, unseen[t.TWO], unseen[t.SMALL], unseen[t.BIG], largest)
    flags = [marks | SURE if each else marks for each in sure]
    if whole := sets.classify(hands[at : at + t.CARDS]):
        flags = [each | ALL if code == whole else each for code, each in zip(made, flags, strict=True)]
    if view.phase in ("burn", "burn_play") or s.bound[seat] >= 0:
        kept = (sets.keeps(hands, at, code) for code in made)
        flags = [each | KEEPS if keeps else each for keeps, each in zip(kept, flags, strict=True)]
    return tuple(map(_choice, made, flags))


@lru_cache(maxsize=1 << 12)  # hints name the same sets again and again
def _choice(code: int, marks: int) -> Choice:
    gouji = sets.is_gouji(code)
    flags = "".join(flag for flag, bit in FLAGS if marks & bit and (gouji or bit > ONLY))
    return choice(write_play(code), code, t.RANKS, flags)


def _why(view: View, s: t.Table, made: Sequence[int]) -> dict[str, str]:
    """Return why cards of the hand are in no choice."""
    seat = view.seat
    assert seat is not None
    hand, top = s.hands[seat * t.CARDS : seat * t.CARDS + t.CARDS], s.reg[t.TOP]
    if view.phase == "tribute":
        usable = {code >> shift & 15 for code in made for shift in (0, 4)}
    else:
        usable = {code >> 24 for code in made}
        hung_on = reduce(or_, made, 0)
        for card, n in ((t.TWO, hung.wilds(hung_on)), (t.SMALL, hung.smalls(hung_on)), (t.BIG, hung.bigs(hung_on))):
            if n:
                usable.add(card)
    why = {}
    for card, name in enumerate(PACK.names):
        if not hand[card] or card in usable:
            continue
        if view.phase == "tribute":
            why[name] = "bad_return"
        elif not top:
            why[name] = "threes_last" if card == 0 and s.reg[t.KEEP_THREE] else "burner_needs_joker"
        elif hung.bigs(top) or card <= hung.base(top) or hand[t.BIG] < hung.smalls(top):
            why[name] = "not_higher"
        else:
            why[name] = "wrong_count"
    return why


def _without(hands: list[int], at: int, code: int) -> list[int]:
    """Return the counts of a hand without a set."""
    hand = [int(n) for n in hands[at : at + t.CARDS]]
    if hung.base(code) < t.RANKS:
        hand[hung.base(code)] -= hung.plain(code)
    hand[t.TWO] -= hung.wilds(code)
    hand[t.SMALL] -= hung.smalls(code)
    hand[t.BIG] -= hung.bigs(code)
    return hand


def _rest(hand: list[int]) -> Rest:
    points = "".join(PACK.names[rank] for rank in range(t.RANKS) if hand[rank])
    return Rest(points, int(hand[t.SMALL] + hand[t.BIG]))
