"""Hints for the client, computed from the view alone.

`choices` lists every set (or return) the seat may play, as texts with their reading, so that a client can look up
whether a selection is legal, and name it, without knowing the rules. A hand of 36 has about 330 leads; where there are
more than MOST, the list is cut, `more` is true, and the client asks about an unlisted selection with `try`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from qipai.core.kernel import Buffer, buffer, frozen
from qipai.games.gouji.bots.steady import facts_of, sorted_choices
from qipai.games.gouji.imagine import question
from qipai.games.gouji.kernel import policy, sets
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.listing import listed, room
from qipai.games.gouji.notation import PACK, WORDS, write_play, write_return
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import View
from qipai.kit import hung
from qipai.kit.climbing import Choice, Rows, choice

__all__ = ["Choice", "Hints", "Rest", "hints"]

MOST: Final = 1000
# Where a row (`kit.climbing.Rows`) has a set's choices: when gouji sets are not marked, when they are, and when only
# one seat may answer them. Each place holds the choice for a set that can be beaten; after it, for one that cannot.
PLAIN, GOUJI, ONLY = 3, 5, 7
FLAGS: Final = ("", "u", "g", "gu", "gr", "gru")
TAGS: Final = {code: str(action.__struct_config__.tag) for code, action in WORDS.items()}
LINE: Final = (*((PACK.names[rank], sets.GOUJI[rank]) for rank in range(7, t.RANKS)), ("2", 1), ("x", 1), ("X", 1))


class Rest(Struct, frozen=True, gc=False):
    """A burner's duty: a joker for each rank of 3 .. A but one."""

    points: str  # the different cards of 3 .. A
    jokers: int


class Hints(Struct, frozen=True, gc=False):
    """What the seat that is asked may do.

    Flags of a choice beside u and o (`kit.climbing.Choice`): g gouji, r only the opposite may answer it, k what is left
    meets the burner's condition (in `burn` and `burn_play`, and while bound).
    """

    ask: str
    need: int | None  # how many cards a set must have; None for a lead
    choices: tuple[Choice, ...]
    more: bool  # the list was cut
    others: tuple[str, ...]  # those of pass close wind burn no_burn that are legal
    why: dict[str, str]  # card of the hand that is in no choice -> the code of the reason
    best: tuple[str, ...]  # a few good choices, the best first: "hint" cycles through them
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
    words = len(codes)  # they come after the sets
    while words and codes[words - 1] in WORDS:
        words -= 1
    made, others = codes[:words], codes[words:]
    at = seat * t.CARDS
    if view.phase == "burn":
        # The sets that the seat could play after saying yes: those that keep the condition.
        out = buffer(room(s.hands, seat))
        n = sets.all_answers(s.hands, at, s.reg[t.TOP], s.bound[seat] >= 0, out)
        made = tuple([code for code in frozen(out[:n]) if sets.keeps(s.hands, at, code)])
    facts = facts_of(options, view, s) if made else buffer(0)
    if view.phase == "tribute":
        choices = tuple(Choice(write_return(code), 0, 0, 0, 0, "") for code in made)
        need: int | None = len(choices[0].cards)
    else:
        choices = _described(view, s, made, facts)
        need = hung.size(s.reg[t.TOP]) if s.reg[t.TOP] else None
    burning = view.phase in ("burn", "burn_play")
    return Hints(
        ask=view.phase,
        need=need,
        choices=choices[:MOST],
        more=len(choices) > MOST,
        others=tuple([TAGS[code] for code in others]),
        why=_why(view, s, made),
        best=sorted_choices(options, view, s, facts, codes) if made else (),
        duty=_rest(s.hands[at : at + t.CARDS]) if s.bound[seat] >= 0 else None,
        rests={write_play(code): _rest(_without(s.hands, at, code)) for code in made[:40]} if burning else {},
        line=LINE,
    )


def _described(view: View, s: t.Table, made: Sequence[int], facts: Buffer) -> tuple[Choice, ...]:
    seat = view.seat
    assert seat is not None
    if not made:
        return ()
    hands, at, r = s.hands, seat * t.CARDS, s.reg
    kills = r[t.DEAD_TOP] == 1 and r[t.OWNER] == t.opposite(seat)
    marks = PLAIN if r[t.TANGLE] else ONLY if kills or t.live(s, t.opposite(seat)) else GOUJI
    bigs, reached = facts[t.BIG], frozen(facts[policy.REACHES :])
    # Nothing beats a set with a big joker, one with more small jokers than there are unseen big ones, or one whose base
    # no unseen set of its size exceeds.
    choices = [row[marks + (reached[row[2]] <= row[0] or row[1] > bigs)] for row in ROWS.of(made)]
    if facts[policy.GROUPS] < 2 and (whole := sets.classify(hands[at : at + t.CARDS])) in made:
        _flag(choices, made.index(whole), "o")
    if view.phase in ("burn", "burn_play") or s.bound[seat] >= 0:
        for i, code in enumerate(made):
            if sets.keeps(hands, at, code):
                _flag(choices, i, "k")
    return tuple(choices)


def _choices(code: int) -> tuple[Choice, ...]:
    """Return the choices of a set, by PLAIN, GOUJI and ONLY."""
    text, marked = write_play(code), FLAGS if sets.is_gouji(code) else FLAGS[:2]
    choices = tuple([choice(text, code, t.RANKS, flags) for flags in marked])
    return choices + choices[:2] * ((len(FLAGS) - len(choices)) // 2)


ROWS: Final = Rows(_choices, t.CARDS, 8192)  # hands hold a few thousand different sets; one hand about 300


def _flag(choices: list[Choice], i: int, flag: str) -> None:
    choices[i] = replace(choices[i], flags=choices[i].flags + flag)


def _why(view: View, s: t.Table, made: Sequence[int]) -> dict[str, str]:
    """Return why cards of the hand are in no choice."""
    seat = view.seat
    assert seat is not None
    hand, top = s.hands[seat * t.CARDS : seat * t.CARDS + t.CARDS], s.reg[t.TOP]
    names = PACK.names
    missing = {card for card, n in enumerate(hand) if n}
    if view.phase == "tribute":
        missing -= {code >> shift & 15 for code in made for shift in (0, 4)}
        return {names[card]: "bad_return" for card in sorted(missing)}
    hung_on = 0
    for code in made:
        missing.discard(code >> 24)
        if not missing:
            return {}
        hung_on |= code
    for card, n in ((t.TWO, hung.wilds(hung_on)), (t.SMALL, hung.smalls(hung_on)), (t.BIG, hung.bigs(hung_on))):
        if n:
            missing.discard(card)
    if not top:
        kept = s.reg[t.KEEP_THREE]
        return {names[card]: "burner_needs_joker" if card or not kept else "threes_last" for card in sorted(missing)}
    highest = t.CARDS if hung.bigs(top) or hand[t.BIG] < hung.smalls(top) else hung.base(top)
    return {names[card]: "not_higher" if card <= highest else "wrong_count" for card in sorted(missing)}


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
