"""Hints for the client, computed from the view alone.

`choices` lists every set the seat may play, as texts with their reading, so that a client can look up whether a
selection is legal, and name it, without knowing the rules. A hand of 33 has about 150 leads; where there are more than
MOST, the list is cut, `more` is true, and the client asks about an unlisted selection with `try`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from qipai.core.kernel import Buffer, buffer, frozen
from qipai.games.baohuang.bots.steady import answered, facts_of, sorted_choices
from qipai.games.baohuang.imagine import public_table, question
from qipai.games.baohuang.kernel import belief, score, sets
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.listing import listed
from qipai.games.baohuang.notation import PACK, WORDS, write_play
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.state import View
from qipai.kit import hung
from qipai.kit.climbing import Choice, Rows, choice

__all__ = ["Choice", "Hints", "hints"]

MOST: Final = 1000
# where a row has a set's choices: when playing the guard card tells nothing, and when it shows who is the guard
HIDING, SHOWING = 3, 5
JOKERS: Final = sets.JOKERS | sets.WITH_SWORD | sets.WITH_CROWN
TAGS: Final = {code: str(action.__struct_config__.tag) for code, action in WORDS.items()}


class Hints(Struct, frozen=True, gc=False):
    """What the seat that is asked may do.

    Flags of a choice beside u and o (`kit.climbing.Choice`): g the guard card is in it, and playing it tells everybody.
    """

    ask: str
    need: int | None  # how many cards a set must have; None for a lead
    choices: tuple[Choice, ...]
    more: bool  # the list was cut
    others: tuple[str, ...]  # pass; grab no_grab, yield keep, …: in the order of the buttons
    why: dict[str, str]  # card of the hand that is in no choice -> the code of the reason
    best: tuple[str, ...]  # a few good choices, the best first: "hint" cycles through them; before play an answer
    multiples: dict[str, int]  # before play: action -> what the scores are multiplied by if the action takes effect


def hints(options: Options, view: View) -> Hints | None:
    """Return what the viewer may do now, None when it is not asked."""
    seat = view.seat
    if seat is None or seat not in view.turn or view.answered or view.phase in ("deal", "over"):
        return None
    if view.phase not in ("lead", "answer"):
        codes = listed(public_table(options, view), seat)
        others, best = tuple([TAGS[code] for code in codes]), (answered(options, view),)
        return Hints(view.phase, None, (), False, others, {}, best, _multiples(view))
    s = question(options, view)
    codes = listed(s, seat)
    passes = bool(codes) and codes[-1] in WORDS
    made = codes[:-1] if passes else codes
    facts = facts_of(view, s) if made else buffer(0)
    choices = _described(view, s, made, facts)
    top = s.reg[t.TOP]
    return Hints(
        view.phase,
        hung.size(sets.bare(top)) if top else None,
        choices[:MOST],
        len(choices) > MOST,
        (TAGS[codes[-1]],) if passes else (),
        _why(view, s, made),
        sorted_choices(options, view, s, facts, made) if made else (),
        {},
    )


def _described(view: View, s: t.Table, made: Sequence[int], facts: Buffer) -> tuple[Choice, ...]:
    seat = view.seat
    assert seat is not None
    if not made:
        return ()
    at = SHOWING if not view.grabbed and view.guard_public is None else HIDING
    bigs, reached = facts[t.BIG] + facts[t.CROWN], frozen(facts[belief.REACHES :])
    # Nothing beats a set with a big joker, one with more small jokers than there are unseen big ones, or one whose base
    # no unseen set of its size exceeds.
    choices = [row[at + (reached[row[2]] <= row[0] or row[1] > bigs)] for row in ROWS.of(made)]
    if facts[belief.GROUPS] < 2 and (whole := whole_of(s.hands, seat)) in made:
        i = made.index(whole)
        flags = choices[i].flags
        choices[i] = replace(choices[i], flags=f"{flags[:-1]}og" if flags.endswith("g") else f"{flags}o")
    return tuple(choices)


def whole_of(hands: Buffer, seat: int) -> int:
    """Return the set that a whole hand forms, 0 when it forms none."""
    return int(sets.classify(hands[seat * t.CARDS : (seat + 1) * t.CARDS]))


def _choices(code: int) -> tuple[Choice, ...]:
    """Return the choices of a set, for HIDING then SHOWING: each first as beatable, then as unbeatable."""
    text, bare = write_play(code), sets.bare(code)
    hidden = tuple([choice(text, bare, t.RANKS, flags) for flags in ("", "u")])
    if not code & sets.WITH_SWORD:
        return hidden * 2
    return (*hidden, *[choice(text, bare, t.RANKS, flags) for flags in ("g", "ug")])


ROWS: Final = Rows(_choices, t.CARDS, 8192)


def _why(view: View, s: t.Table, made: Sequence[int]) -> dict[str, str]:
    """Return why cards of the hand are in no choice."""
    seat = view.seat
    assert seat is not None
    hand, top = s.hands[seat * t.CARDS : (seat + 1) * t.CARDS], sets.bare(s.reg[t.TOP])
    there = {code >> 24 & 15 for code in made}
    missing = [card for card in range(t.CARDS) if hand[card] and (card >= t.RANKS or card not in there)]
    if missing and missing[-1] >= t.RANKS:
        used = {code & JOKERS for code in made}
        found = {
            t.SMALL: any(hung.smalls(code) > (code & sets.WITH_SWORD > 0) for code in used),
            t.SWORD: any(code & sets.WITH_SWORD for code in used),
            t.BIG: any(hung.bigs(code) > (code & sets.WITH_CROWN > 0) for code in used),
            t.CROWN: any(code & sets.WITH_CROWN for code in used),
        }
        missing = [card for card in missing if not found.get(card)]
    big = hand[t.BIG] + hand[t.CROWN]
    why = {}
    for card in missing:
        base = card if card < t.RANKS else sets.SMALLS if card in (t.SMALL, t.SWORD) else sets.BIGS
        if base == 0 and s.reg[t.KEEP_SIX] and view.counts[seat] > hand[0]:
            code = "sixes_last"
        elif hung.bigs(top) or base <= hung.base(top) or big < hung.smalls(top):
            code = "not_higher"
        else:
            code = "wrong_count"
        why[PACK.names[card]] = code
    return why


def _multiples(view: View) -> dict[str, int]:
    """Return what each answer before play may make the multiple."""
    mode = t.PAIR
    stays, opened, kicked = view.multiple, int(score.multiple(mode, True, False)), int(score.multiple(mode, True, True))
    return {
        "grab": {"grab": opened, "no_grab": stays},
        "yield": {"yield": stays, "keep": stays},
        "reveal": {"reveal": opened, "hide": stays},
        "rebel": {"rebel": opened, "no_rebel": stays},
        "kick": {"kick": kicked, "no_kick": stays},
    }.get(view.phase, {})
