"""Positions of shengji as text: the four hands by seat, trumps, dealer, kitty, who leads, the trick so far (P-74).

`2S3S4HxX/…/…/… trump:H levels:5-2 dealer:0 lead:0 points:40 kitty:3C3C4C4C5C6C7C8C 0:ASAS 1:3S4S`; trump:N is no trump.
With `bury` the dealer holds the kitty too and is to bury; with `declare` all cards have been dealt and the kitty still
lies there; with `deck:` some are still to be dealt, the kitty last. A kitty that is not named is made of cards that lie
nowhere, those without points first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from qipai.core.contract import Seat
from qipai.core.entry import Setup
from qipai.core.kernel import Buffer, pour
from qipai.games.shengji import observation
from qipai.games.shengji.kernel import flow
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import INDEX, NAMES, SUITS
from qipai.games.shengji.notation import write as in_order
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.state import Action, Carry, Declare, Pass, Play, State
from qipai.kit.positions import Words, parts_of, played_on, unfit, words

__all__ = ["SETUP", "read", "write"]

NAMED: Final = ("trump", "levels", "dealer", "lead", "points", "kitty", "deck", "first", "tricks")
FLAGS: Final = ("bury", "declare")
CARD: Final = re.compile(r"[2-9TJQKA][SHCD]|[xX]")
NO_TRUMP: Final = "N"
Counts = list[int]


def read(options: Options, text: str, seats: int | None = None) -> State:
    """Return the deal that a text stands for; raises BadNotation("bad_position")."""
    found = words(text, NAMED, FLAGS)
    rules = Shengji(options)
    hands = [_cards(part) for part in parts_of(found.place, t.SEATS)]
    deck = _cards(found.named["deck"]) if "deck" in found.named else []
    kitty = _cards(found.named["kitty"]) if "kitty" in found.named else None
    burying = "bury" in found.flags
    _check_pack(options, [*hands, deck, *([] if kitty is None or burying else [kitty])])
    levels = _levels(options, found.named.get("levels"))
    opening = "deck" in found.named or "declare" in found.flags
    dealer = found.seat("dealer", t.SEATS, -1 if opening else 0)
    state = rules.start(Carry(1, levels, None if dealer < 0 else dealer, options.qq_balances))
    if opening:
        state = _dealing(options, state, found, hands, deck, kitty)
    else:
        state = _playing(options, state, found, hands, kitty, dealer)
    return played_on(rules, state, found.moves, _act)


def _cards(text: str) -> list[str]:
    """Return the cards of a text; raises BadNotation."""
    found = CARD.findall(text)
    if "".join(found) != text:
        rest = CARD.sub("", text)
        raise unfit("not_a_card", card=rest[:4])
    return found


def _check_pack(options: Options, piles: Iterable[Sequence[str]]) -> None:
    total = _counted(card for pile in piles for card in pile)
    for card, n in enumerate(total):
        if n > options.decks:
            raise unfit("too_many_cards", card=NAMES[card], n=n, most=options.decks)


def _counted(cards: Iterable[str]) -> Counts:
    counts = [0] * t.CARDS
    for name in cards:
        counts[INDEX[name]] += 1
    return counts


def _levels(options: Options, text: str | None) -> tuple[str, str]:
    if text is None:
        return options.start_level, options.start_level
    found = re.fullmatch("([2-9TJQKA])-([2-9TJQKA])", text)
    if found is None:
        raise unfit("bad_levels", levels=text[:10])
    return found[1], found[2]


def _rest(options: Options, piles: Iterable[Sequence[str]], worthless_first: bool = True) -> list[str]:
    """Return the cards that lie nowhere, those without points first."""
    total = _counted(card for pile in piles for card in pile)
    left = [card for card in range(t.CARDS) for _ in range(options.decks - total[card])]
    return [NAMES[card] for card in sorted(left, key=lambda card: (int(t.worth_of(card)), card))]


def _dealing(
    options: Options,
    state: State,
    found: Words,
    hands: Sequence[Sequence[str]],
    deck: list[str],
    kitty: list[str] | None,
) -> State:
    """Return the deal while cards fall or when all have fallen; raises BadNotation."""
    first = found.seat("first", t.SEATS, max(0, state.reg[t.DEALER]))
    dealt = sum(map(len, hands))
    if "deck" not in found.named:
        deck = kitty if kitty is not None else _rest(options, hands)[: options.kitty]
    if dealt + len(deck) != 54 * options.decks:
        raise unfit("deck", n=dealt + len(deck), need=54 * options.decks)
    for seat, hand in enumerate(hands):
        need = (dealt - (seat - first) % t.SEATS + t.SEATS - 1) // t.SEATS
        if len(hand) != need:
            raise unfit("hand_size", seat=seat, n=len(hand), need=need)
    if len(deck) < options.kitty:
        raise unfit("kitty_size", n=len(deck), need=options.kitty)
    s = observation.thaw(state)
    order = [*_dealt_order(hands, first), *deck]
    for i, name in enumerate(order):
        s.deck[i] = INDEX[name]
    _put(s.hands, hands)
    flow.open_deal(s, first)
    s.reg[t.DEALT] = dealt
    if len(deck) == options.kitty:
        s.reg[t.PHASE] = t.DECLARING
    return replace(state, **observation.freeze(s))


def _dealt_order(hands: Sequence[Sequence[str]], first: Seat) -> list[str]:
    """Return cards of hands in an order in which they may have been dealt."""
    piles = [list(hands[(first + k) % t.SEATS]) for k in range(t.SEATS)]
    return [piles[k % t.SEATS][k // t.SEATS] for k in range(sum(map(len, piles)))]


def _put(cells: Buffer, hands: Sequence[Sequence[str]]) -> None:
    for seat, hand in enumerate(hands):
        for card, n in enumerate(_counted(hand)):
            cells[seat * t.CARDS + card] += n


def _playing(
    options: Options,
    state: State,
    found: Words,
    hands: Sequence[Sequence[str]],
    kitty: list[str] | None,
    dealer: Seat,
) -> State:
    """Return the deal before the kitty is buried or a trick begins; raises BadNotation."""
    trump = found.named.get("trump", NO_TRUMP)
    if trump not in (*SUITS, NO_TRUMP):
        raise unfit("bad_trump", trump=trump[:10])
    points = found.number("points", 0, 100 * options.decks, 0)
    if points % 5:
        raise unfit("bad_points", n=points)
    lead = found.seat("lead", t.SEATS, dealer)
    s = observation.thaw(state)
    r = s.reg
    r[t.TRUMP] = SUITS.index(trump) if trump != NO_TRUMP else -1
    r[t.FIRST] = dealer
    r[t.DEALT] = 54 * options.decks - options.kitty
    t.arrange(s)
    _put(s.hands, hands)
    if "bury" in found.flags:
        for seat, hand in enumerate(hands):
            need = options.hand + (options.kitty if seat == dealer else 0)
            if len(hand) != need:
                raise unfit("hand_size", seat=seat, n=len(hand), need=need)
        picked = _counted(kitty or ())
        if kitty is not None and (
            len(kitty) != options.kitty or any(n > m for n, m in zip(picked, _counted(hands[dealer]), strict=True))
        ):
            raise unfit("kitty_size", n=len(kitty), need=options.kitty)
        pour(s.picked, picked)
        r[t.PHASE], r[t.TURN] = t.BURYING, dealer
        return replace(state, **observation.freeze(s))
    if kitty is None:
        kitty = _rest(options, hands)[: options.kitty]
    if len(kitty) != options.kitty:
        raise unfit("kitty_size", n=len(kitty), need=options.kitty)
    sizes = {len(hand) for hand in hands}
    if len(sizes) > 1 or max(sizes) > options.hand:
        raise unfit("uneven")
    if 0 in sizes:
        raise unfit("over")
    pour(s.kitty, _counted(kitty))
    pour(s.picked, _counted(kitty))
    gone = options.hand - max(sizes)
    rest = _rest(options, [*hands, kitty])
    record = [rest[seat * gone : (seat + 1) * gone] for seat in range(t.SEATS)]
    _put(s.gone, record)
    r[t.POINTS] = points
    r[t.TRICKS] = found.number("tricks", 0, gone, gone)
    flow.start_tricks(s, lead)
    return replace(state, record=tuple(map(tuple, record)), **observation.freeze(s))


def _act(state: State, word: str) -> Action | None:
    """Return the action that a word stands for: cards, or `pass`."""
    if word == "pass":
        return Pass()
    cards = tuple(CARD.findall(word))
    if not cards or "".join(cards) != word:
        return None
    return Declare(cards) if state.reg[t.PHASE] in (t.DEALING, t.DECLARING) else Play(cards)


def write(options: Options, state: State) -> str:
    """Return the text of a deal; raises BadNotation for one that has not begun or is over."""
    r = state.reg
    phase = r[t.PHASE]
    if phase in (t.NEW, t.OVER):
        raise unfit("over" if phase == t.OVER else "not_begun")
    s = observation.thaw(state)
    hands = [list(in_order(s, s.hands, seat * t.CARDS)) for seat in range(t.SEATS)]
    levels = f"levels:{state.levels[0]}-{state.levels[1]}"
    if phase in (t.DEALING, t.DECLARING):
        deck = [NAMES[card] for card in state.deck[r[t.DEALT] : 54 * options.decks]]
        said = [_place(hands), levels, f"first:{r[t.FIRST]}"]
        if not state.opening:
            said.append(f"dealer:{r[t.DEALER]}")
        said.append(("deck:" if phase == t.DEALING else "kitty:") + "".join(deck))
        if phase == t.DECLARING:
            said.append("declare")
        said += [f"{each.seat}:{''.join(each.cards)}" for each in state.declarations]
        if phase == t.DECLARING:
            said += [f"{seat}:pass" for seat in range(t.SEATS) if r[t.PASSED] >> seat & 1]
        return " ".join(said)
    said = [f"trump:{SUITS[r[t.TRUMP]] if r[t.TRUMP] >= 0 else NO_TRUMP}", levels, f"dealer:{r[t.DEALER]}"]
    if phase == t.BURYING:
        picked = "".join(in_order(s, s.picked))
        return " ".join([_place(hands), *said, *([f"kitty:{picked}"] if picked else []), "bury"])
    moves = []
    lead = r[t.TURN]
    if state.trick is not None:
        lead = state.trick.leader
        for each in state.trick.plays:
            hands[each.seat] += each.cards
            moves.append(f"{each.seat}:{''.join(each.cards)}")
    said += [f"lead:{lead}", f"points:{r[t.POINTS]}", "kitty:" + "".join(in_order(s, s.kitty)), f"tricks:{r[t.TRICKS]}"]
    order = [list(in_order(s, _counted(hand))) for hand in hands]
    return " ".join([_place(order), *said, *moves])


def _place(hands: Sequence[Sequence[str]]) -> str:
    return "/".join("".join(hand) or "-" for hand in hands)


SETUP: Final = Setup(read, write)
