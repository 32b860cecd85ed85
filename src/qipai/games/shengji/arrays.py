"""Shengji as numbers: how many of each card; kitties and plays are spelled card by card, trumps first, high to low."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from qipai.core.arrays import DONE, Arrays, Field, Grown, cards, one_hot, turned
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import GROUPS, INDEX, NAMES, SUITS
from qipai.games.shengji.options import Options
from qipai.games.shengji.state import Action, Bury, Declare, Play, State, View

__all__ = ["ARRAYS"]

SEATS: Final = t.SEATS
EVERYBODY: Final = tuple(range(SEATS))
MANY: Final = len(NAMES)
RANKS: Final = "23456789TJQKA"
PHASES: Final = ("deal", "dealing", "declaring", "burying", "playing", "deal_over", "match_over")


def tokens(options: Options, seats: int) -> tuple[str, ...]:
    """Return the alphabet: the cards, the end of a word, to pass."""
    return (*NAMES, DONE, "pass")


def spell(action: Action) -> Sequence[str]:
    """Return the word of an action: KH KH QH done."""
    if isinstance(action, Declare | Bury | Play):
        return (*action.cards, DONE)
    return (str(action.__struct_config__.tag),)


def grow(rules: Any, state: State, seat: int, word: Sequence[str]) -> Grown | None:
    """Return what may follow in the word of a kitty, of a lead, or of a follow that must empty the suit led.

    There are millions of these. All other words can be listed.
    """
    reg = state.reg
    hand = state.texts.hands[seat]
    line = [card for group in hand for card in group.cards]
    if reg[t.PHASE] == t.BURYING:
        return _chosen(word, line, int(reg[t.KITTIES]), (), int(reg[t.LIMIT]), Bury)
    if reg[t.PHASE] != t.PLAYING:
        return None
    if reg[t.TABLED]:
        led = GROUPS[reg[t.LED]]
        must = [card for group in hand if group.name == led for card in group.cards]
        return _chosen(word, line, reg[t.LENGTH], must, -1, Play) if len(must) <= reg[t.LENGTH] else None
    if not word:
        return Grown(tuple(dict.fromkeys(line)))
    if word[-1] == DONE:
        return Grown((), Play(tuple(word[:-1])))
    group = next(group.cards for group in hand if word[0] in group.cards)
    return Grown((*dict.fromkeys(group[_place(word, group) :]), DONE))


def _place(word: Sequence[str], line: Sequence[str]) -> int:
    """Return from where in the line the next card of the word is taken; equal cards lie side by side."""
    return line.index(word[-1]) + word.count(word[-1]) if word else 0


def _chosen(word: Sequence[str], line: Sequence[str], need: int, must: Sequence[str], limit: int, kind: Any) -> Grown:
    """Return what may follow where so many cards of a line are chosen, in its order.

    must: those that may not be left out. limit: points at most, -1: any.
    """
    if word and word[-1] == DONE:
        return Grown((), kind(tuple(word[:-1])))
    at, more = _place(word, line), need - len(word)
    if not more:
        return Grown((DONE,))
    worth = sum(_worth(card) for card in word)
    owed = cards(must, NAMES)
    for card in word:
        owed[INDEX[card]] -= 1
    found: dict[str, None] = {}
    for k in range(at, len(line)):
        card, rest = line[k], line[k + 1 :]
        left = [INDEX[one] for one in rest]
        due = [n - (i == INDEX[card]) for i, n in enumerate(owed)]
        due_now = [max(0, n) for n in due]
        if sum(due_now) <= more - 1 <= len(rest) and all(n <= left.count(i) for i, n in enumerate(due_now) if n):
            cheapest = sum(sorted(map(_worth, rest))[: more - 1]) if limit >= 0 else 0
            if limit < 0 or worth + _worth(card) + cheapest <= limit:
                found[card] = None
    return Grown(tuple(found))


def _worth(card: str) -> int:
    return int(t.WORTHS[INDEX[card] >> 2])


def among(view: View, seats: Iterable[int | None]) -> list[int]:
    """Return 1 for each seat that is one of these, the viewer first."""
    wanted = set(seats)
    return turned([int(seat in wanted) for seat in EVERYBODY], view.seat)


def trick(options: Options, view: View) -> list[int]:
    """Return what each seat has played to this trick, the viewer first."""
    laid = {one.seat: one.cards for one in view.trick.plays} if view.trick else {}
    return [n for seat in turned(EVERYBODY, view.seat) for n in cards(laid.get(seat, ()), NAMES)]


def played(options: Options, view: View) -> list[int]:
    """Return what each seat has played, the viewer first."""
    return [n for own in turned(view.played, view.seat) for n in cards(own, NAMES)]


def shown(options: Options, view: View) -> list[int]:
    """Return the cards that everybody knows each seat to hold, the viewer first."""
    return [n for own in turned(view.open, view.seat) for n in cards(own, NAMES)]


FIELDS: Final = (
    Field("hand", MANY, "own cards: 2S 2H 2C 2D 3S ... AD x X",
          lambda o, v: cards([card for group in v.hand or () for card in group.cards], NAMES)),
    Field("trick", MANY * SEATS, "what each seat has played to this trick", trick),
    Field("played", MANY * SEATS, "all that each seat has played", played),
    Field("open", MANY * SEATS, "cards everybody knows each seat to hold", shown),
    Field("kitty", MANY, "the kitty as buried, for the dealer", lambda o, v: cards(v.kitty or (), NAMES)),
    Field("lacks", 5 * SEATS, "of each seat for trumps S H C D: flags 1 void, 2 no pair, 4 no triple, 8 no tractor",
          lambda o, v: [n for own in turned(v.lacks, v.seat) for n in own]),
    Field("counts", SEATS, "cards left of each seat", lambda o, v: turned(v.counts, v.seat)),
    Field("leader", SEATS, "who led the trick", lambda o, v: among(v, [v.trick.leader] if v.trick else [])),
    Field("best", SEATS, "whose play stands highest", lambda o, v: among(v, [v.trick.best] if v.trick else [])),
    Field("dealer", SEATS, "the dealer", lambda o, v: among(v, [v.dealer])),
    Field("trump", len(SUITS), "the trump suit; none: no trumps, or not yet", lambda o, v: one_hot(v.trump, SUITS)),
    Field("level", len(RANKS), "the rank that is trumps", lambda o, v: one_hot(v.level, RANKS)),
    Field("points", 3, "the attackers' points, those in the trick, and a bar's segment",
          lambda o, v: (v.points, v.trick.points if v.trick else 0, v.segment)),
    Field("declared", SEATS, "whose declaration is valid",
          lambda o, v: among(v, [v.declarations[-1].seat] if v.declarations else [])),
    Field("undealt", 1, "cards still to be dealt", lambda o, v: (v.undealt,)),
    Field("phase", len(PHASES), "the question, one of the phases", lambda o, v: one_hot(v.phase, PHASES)),
)  # fmt: skip


def fields(options: Any, seats: int) -> tuple[Field, ...]:
    """Return what a seat knows, seats from the viewer on."""
    return FIELDS


ARRAYS: Final = Arrays(tokens, spell, fields, grow)
