"""What each seat sees of a state (shengji 9), and the kernel's buffers of a state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

from msgspec.structs import replace

from qipai.core.contract import NATURE, Seat
from qipai.core.kernel import frozen, packed, read_each, thaw_each, thawed, unpacked
from qipai.core.recent import recent
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import (
    INDEX,
    NAMES,
    PHASES,
    Counts,
    Order,
    groups_of,
    order_of,
    suit_name,
    write,
)
from qipai.games.shengji.options import Options
from qipai.games.shengji.score import result
from qipai.games.shengji.state import Action, Bury, Group, NextDeal, Result, Reveal, State, Texts, View

__all__ = [
    "asked",
    "freeze",
    "new_registers",
    "observe",
    "open_texts",
    "order_in",
    "outcome_of",
    "read",
    "revealed",
    "secret",
    "thaw",
    "without",
]

SMALL: Final = ("hands", "kitty", "picked", "put", "gone", "shown", "lacks", "captured")  # numbers below 256
KEPT: Final = t.Table._fields[: -len(Order._fields)]  # buffers that a state keeps, under their names; then the order
kept: Final[Callable[[State], tuple[tuple[int, ...] | bytes, ...]]] = attrgetter(*KEPT)
SEATS: Final = tuple(range(t.SEATS))
ALL: Final = (1 << t.SEATS) - 1  # seats as bits
SEATS_IN: Final = tuple(tuple(seat for seat in SEATS if mask >> seat & 1) for mask in range(ALL + 1))
NATURE_ALONE: Final = (NATURE,)
NONE: Final = bytes(t.SEATS * t.GROUPS)
NO_LACKS: Final = ((0,) * t.GROUPS,) * t.SEATS
NOTHING_OPEN: Final[tuple[tuple[str, ...], ...]] = ((),) * t.SEATS


def thaw(state: State) -> t.Table:
    """Return a state's buffers for the kernel, as copies that may be changed."""
    group, step, lane, steps, line, first, mark = thaw_each(order_in(state))
    return t.Table(
        deck=thawed(state.deck),
        hands=unpacked(state.hands),
        kitty=unpacked(state.kitty),
        picked=unpacked(state.picked),
        put=unpacked(state.put),
        gone=unpacked(state.gone),
        shown=unpacked(state.shown),
        lacks=unpacked(state.lacks),
        captured=unpacked(state.captured),
        shape=thawed(state.shape),
        reg=thawed(state.reg),
        group=group,
        step=step,
        lane=lane,
        steps=steps,
        line=line,
        first=first,
        mark=mark,
    )


def read(state: State) -> t.Table:
    """Return a state's buffers for the kernel, which must not change them."""
    return t.Table._make(read_each((*kept(state), *order_in(state))))


def order_in(state: State) -> Order:
    """Return the order of the cards under the present trumps."""
    reg = state.reg
    return order_of(reg[t.LEVEL], reg[t.TRUMP], reg[t.CONSTANT])


def freeze(s: t.Table) -> dict[str, Any]:
    """Return the fields of a state for the kernel's buffers, and the texts of all cards."""
    fields: dict[str, Any] = {"deck": frozen(s.deck), "shape": frozen(s.shape), "reg": frozen(s.reg)}
    fields |= {name: packed(getattr(s, name)) for name in SMALL}
    hands = tuple([groups_of(s, fields["hands"], seat * t.CARDS) for seat in SEATS])
    counts = tuple([sum(fields["hands"][seat * t.CARDS : (seat + 1) * t.CARDS]) for seat in SEATS])
    picked, kitty, captured = (write(s, fields[name]) for name in ("picked", "kitty", "captured"))
    fields["texts"] = Texts(hands, counts, picked, kitty, open_texts(s, fields["shown"]), captured)
    return fields


def open_texts(s: t.Table | Order, shown: Counts) -> tuple[tuple[str, ...], ...]:
    """Return for each seat the cards that everybody knows it holds."""
    if not any(shown):
        return NOTHING_OPEN
    return tuple([write(s, shown, seat * t.CARDS) for seat in SEATS])


def without(hand: tuple[Group, ...], cards: Sequence[str]) -> tuple[Group, ...]:
    """Return a hand without some cards."""
    found = []
    for group in hand:
        rest = list(group.cards)
        for name in cards:
            if name in rest:
                rest.remove(name)
        if len(rest) == len(group.cards):
            found.append(group)
        elif rest:
            found.append(Group(group.name, tuple(rest)))
    return tuple(found)


@lru_cache(maxsize=256)
def new_registers(options: Options, levels: tuple[str, str], dealer: Seat | None) -> t.Registers:
    """Return the registers of a deal that has not begun, with its house rules and terms."""
    return t.Registers(
        phase=t.NEW,
        turn=-1,
        dealer=-1 if dealer is None else dealer,
        first=0,
        dealt=0,
        call_class=0,
        declarer=-1,
        first_declarer=-1,
        shown=-1,
        trump=-1,
        passed=0,
        leader=-1,
        led=0,
        length=0,
        tabled=0,
        best=-1,
        key=0,
        trumped=0,
        worth=0,
        points=0,
        tricks=0,
        shapes=0,
        failed=0,
        kitty_points=0,
        width=0,
        multiplier=0,
        bonus=0,
        taker=-1,
        taken=0,
        decks=options.decks,
        level=INDEX[levels[(dealer or 0) % 2] + "S"] // 4,
        constant=1 if options.constant_two else 0,
        kitties=options.kitty,
        limit=-1 if options.points_limit is None else options.points_limit,
        last_deals=1 if options.first_dealer == "last_declarer" else 0,
        triples_first=1 if options.titanic_follow == "triples_first" else 0,
        by_winner=1 if options.kitty_multiplier_by == "winner_cards" else 0,
    )


def secret(state: State, seat: Seat, action: Action) -> bool:
    """Return whether an action stays secret until the deal is over: the cards dealt, and the kitty."""
    return isinstance(action, NextDeal | Bury)


def asked(state: State) -> tuple[Seat, ...]:
    """Return the seats that are asked; only NATURE while cards are dealt."""
    reg = state.reg
    phase = reg[t.PHASE]
    if phase <= t.DEALING:
        return NATURE_ALONE
    if phase == t.DECLARING:
        return SEATS_IN[ALL ^ reg[t.PASSED]]
    return SEATS_IN[1 << reg[t.TURN]] if phase != t.OVER else ()


def outcome_of(options: Options, state: State) -> Result:
    """Return the result of a deal that is over."""
    reg = state.reg
    return result(options, reg[t.POINTS], reg[t.DEALER], state.levels, state.balances)


# observe --------------------------------------------------------------------------------------------------------------


def observe(options: Options, state: State, seat: Seat | None) -> View:
    """Return the view of a seat. seat None: a watcher."""
    public = _observed(options, state)
    if seat is None:
        return public
    reg, texts = state.reg, state.texts
    hand = texts.hands[seat]
    if seat == reg[t.DEALER] and t.BURYING <= reg[t.PHASE] < t.OVER:
        kitty = texts.kitty if reg[t.PHASE] >= t.PLAYING else None
        return replace(public, seat=seat, hand=hand, picked=texts.picked, kitty=kitty)
    return replace(public, seat=seat, hand=hand)


@recent
def _observed(options: Options, state: State) -> View:
    """Return the public part of a view."""
    reg, texts = state.reg, state.texts
    phase, dealer = reg[t.PHASE], reg[t.DEALER]
    over = phase == t.OVER
    ended = outcome_of(options, state) if over else None
    turn = asked(state)
    lacks, g = state.lacks, t.GROUPS
    return View(
        seat=None,
        deal=state.deal,
        opening=state.opening,
        phase="match_over" if ended is not None and ended.match_winner is not None else PHASES[phase],
        turn=() if turn is NATURE_ALONE else turn,
        levels=state.levels,
        level=NAMES[reg[t.LEVEL] * 4][0],
        dealer=dealer if dealer >= 0 else None,
        first=reg[t.FIRST] if phase != t.NEW else None,
        trump=suit_name(reg[t.TRUMP]),
        fixed=phase >= t.BURYING,
        declarations=state.declarations,
        passed=SEATS_IN[reg[t.PASSED]],
        hand=None,
        counts=texts.counts,
        undealt=54 * reg[t.DECKS] - reg[t.KITTIES] - reg[t.DEALT],
        kitty_size=reg[t.KITTIES],
        picked=texts.picked if over else None,
        kitty=texts.kitty if over else None,
        trick=state.trick,
        last=state.last,
        tricks=reg[t.TRICKS],
        played=state.record,
        open=texts.open,
        lacks=NO_LACKS if lacks == NONE else tuple([tuple(lacks[at : at + g]) for at in range(0, t.SEATS * g, g)]),
        points=reg[t.POINTS],
        captured=texts.captured,
        segment=options.segment,
        reveal=revealed(state) if over else None,
        result=ended,
        balances=state.balances,
    )


def revealed(state: State) -> Reveal:
    """Return the kitty as it is shown at the end of a deal."""
    reg = state.reg
    return Reveal(state.texts.kitty, reg[t.KITTY_POINTS], reg[t.WIDTH], reg[t.MULTIPLIER], reg[t.BONUS])
