"""From a view to what the client may light up. It can know no more than the view.

`choices` lists every set (or return) the seat may put down, as texts with what they are, so that a client tells a legal
selection from another by looking it up and words it without a rule. A hand of 36 has about 330 leads; where there are
more than MOST the list is cut, `more` is true, and a selection that is not listed is asked about with `try`.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from qipai.core.kernel import buffer, thawed
from qipai.games.gouji.bots.steady import sorted_choices
from qipai.games.gouji.imagine import sizes, summed_table, unseen
from qipai.games.gouji.kernel import play, sets
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.notation import PACK, WORDS, write_play, write_return
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import View
from qipai.kit import hung
from qipai.kit.climbing import Choice, Unseen, choice

__all__ = ["Choice", "Hints", "Rest", "hints"]

MOST: Final = 1000
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
    s = summed_table(options, view)
    out = buffer(t.MOST_PLAYS)
    codes = [int(out[i]) for i in range(play.legal(s, seat, out))]
    others = tuple(str(WORDS[code].__struct_config__.tag) for code in codes if code in WORDS)
    made = [code for code in codes if code not in WORDS]
    at = seat * t.CARDS
    if view.phase == "burn":
        # What could be put down after saying yes: the sets that keep the condition.
        n = sets.all_answers(s.hands, at, s.reg[t.TOP], s.bound[seat] >= 0, out)
        made = [int(out[i]) for i in range(n) if sets.keeps(s.hands, at, out[i])]
    if view.phase == "tribute":
        choices = [Choice(write_return(code), 0, 0, 0, 0, "") for code in made]
        need: int | None = len(choices[0].cards)
    else:
        choices = _described(options, view, s, made)
        need = hung.size(s.reg[t.TOP]) if s.reg[t.TOP] else None
    burning = view.phase in ("burn", "burn_play")
    return Hints(
        ask=view.phase,
        need=need,
        choices=tuple(choices[:MOST]),
        more=len(choices) > MOST,
        others=others,
        why=_why(view, s, choices),
        best=sorted_choices(s, view),
        duty=_rest(s.hands[at : at + t.CARDS]) if s.bound[seat] >= 0 else None,
        rests={write_play(code): _rest(_without(s.hands, at, code)) for code in made[:40]} if burning else {},
        line=LINE,
    )


def _described(options: Options, view: View, s: t.Table, made: list[int]) -> list[Choice]:
    seat = view.seat
    assert seat is not None
    at = seat * t.CARDS
    r = s.reg
    pool = thawed(unseen(view))
    largest = max((cards for other, cards in enumerate(sizes(options, view)) if other != seat), default=0)
    others = Unseen(pool, t.RANKS, pool[t.TWO], pool[t.SMALL], pool[t.BIG], largest)
    kills = r[t.DEAD_TOP] == 1 and r[t.OWNER] == t.opposite(seat)
    faced = t.live(s, t.opposite(seat)) or kills
    bound = view.phase in ("burn", "burn_play") or s.bound[seat] >= 0
    whole = len(view.hand or "")
    choices = []
    for code in made:
        gouji = not r[t.TANGLE] and sets.is_gouji(code)
        flags = ("g" if gouji else "") + ("r" if gouji and faced else "")
        flags += ("" if others.beat(code) else "u") + ("o" if hung.size(code) == whole else "")
        if bound and sets.keeps(s.hands, at, code):
            flags += "k"
        choices.append(choice(write_play(code), code, t.RANKS, flags))
    return choices


def _why(view: View, s: t.Table, choices: list[Choice]) -> dict[str, str]:
    """Return why cards of the hand are in no choice."""
    usable = set("".join(each.cards for each in choices))
    seat = view.seat
    assert seat is not None
    top = s.reg[t.TOP]
    why = {}
    for card in dict.fromkeys(view.hand or ""):
        if card in usable:
            continue
        rank = PACK.index[card]
        if view.phase == "tribute":
            why[card] = "bad_return"
        elif not top:
            why[card] = "threes_last" if rank == 0 and s.reg[t.KEEP_THREE] else "burner_needs_joker"
        elif hung.bigs(top) or rank <= hung.base(top) or s.hands[seat * t.CARDS + t.BIG] < hung.smalls(top):
            why[card] = "not_higher"
        else:
            why[card] = "wrong_count"
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
