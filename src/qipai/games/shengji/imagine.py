"""States that fit a view: hidden cards are dealt at random, except to seats that are known to lack them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from qipai.core.contract import BadNotation, Rng
from qipai.core.kernel import Buffer, read_each, thaw_each, thawed, unpacked
from qipai.games.shengji.kernel import flow, shapes, worlds
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import INDEX, PHASES, SUITS, call_of, order_of
from qipai.games.shengji.observation import freeze, new_registers
from qipai.games.shengji.options import Options
from qipai.games.shengji.state import State, Trick, View
from qipai.kit.seats import mask

__all__ = ["imagine", "public_table", "room_for"]

DECK, SHAPE = (t.Table._fields.index(name) for name in ("deck", "shape"))
NOBODYS: Final = bytes(t.SEATS * t.CARDS)  # cards by seat
_number = INDEX.__getitem__
NOTHING: Final = bytes(t.CARDS)


def public_table(options: Options, view: View, room: t.Room | None = None) -> t.Table:
    """Return the kernel's buffers as far as a view knows them: other hands are empty, unknown cards lie nowhere.

    The buffers of the order of the cards are read-only. room: work space; with None the function makes its own.
    """
    empty = t.empty()
    registers = _registers(options, view)
    r = thawed(registers)
    order = order_of(registers.level, registers.trump, registers.constant)
    hands, put, gone, shown = (unpacked(NOBODYS) for _ in range(4))
    kitty, picked, captured = (unpacked(NOTHING) for _ in range(3))
    deck, shape = thaw_each((empty[DECK], empty[SHAPE]))
    lacks = thawed([bits for own in view.lacks for bits in own])
    group, step, lane, steps, line, first, mark = read_each(order)
    s = t.Table(
        deck=deck,
        hands=hands,
        kitty=kitty,
        picked=picked,
        put=put,
        gone=gone,
        shown=shown,
        lacks=lacks,
        captured=captured,
        shape=shape,
        reg=r,
        group=group,
        step=step,
        lane=lane,
        steps=steps,
        line=line,
        first=first,
        mark=mark,
    )
    if view.seat is not None and view.hand is not None:
        for held in view.hand:
            _add(s.hands, view.seat, held.cards)
    for seat in range(t.SEATS):
        _add(s.gone, seat, view.played[seat])
        if view.open[seat]:
            _add(s.shown, seat, view.open[seat])
    if view.picked:
        _add(s.picked, 0, view.picked)
    if view.kitty:
        _add(s.kitty, 0, view.kitty)
    _add(s.captured, 0, view.captured)
    if view.trick is not None:
        lay_trick(s, view.trick, room or t.new_room())
    return s


def _registers(options: Options, view: View) -> t.Registers:
    """Return the registers as far as a view tells them, without those of an open trick."""
    start = new_registers(options, view.levels, view.dealer)
    shown, call_class = -1, 0
    if view.declarations:
        shown, n = call_of(view.declarations[-1].cards, options.decks)
        call_class = int(flow.class_of(shown, n, start.level, start.decks))
    last, reveal = view.last, view.reveal
    leader = start.dealer if view.phase == "playing" else -1
    return t.Registers(
        phase=t.OVER if view.phase == "match_over" else PHASES.index(view.phase),
        turn=view.turn[0] if view.phase in ("burying", "playing") else -1,
        dealer=start.dealer,
        first=view.first or 0,
        dealt=54 * options.decks - options.kitty - view.undealt,
        call_class=call_class,
        declarer=view.declarations[-1].seat if view.declarations else -1,
        first_declarer=view.declarations[0].seat if view.declarations else -1,
        shown=shown,
        trump=SUITS.index(view.trump) if view.trump else -1,
        passed=mask(view.passed),
        leader=leader if last is None else last.best,
        led=0,
        length=0,
        tabled=0,
        best=-1,
        key=0,
        trumped=0,
        worth=0,
        points=view.points,
        tricks=view.tricks,
        shapes=0,
        failed=0,
        kitty_points=0 if reveal is None else reveal.points,
        width=0 if reveal is None else reveal.width,
        multiplier=0 if reveal is None else reveal.multiplier,
        bonus=0 if reveal is None else reveal.bonus,
        taker=-1 if last is None else last.best,
        taken=0 if last is None else last.points,
        decks=start.decks,
        level=start.level,
        constant=start.constant,
        kitties=start.kitties,
        limit=start.limit,
        last_deals=start.last_deals,
        triples_first=start.triples_first,
        by_winner=start.by_winner,
    )


def lay_trick(s: t.Table, trick: Trick, room: t.Room) -> None:
    """Write an open trick to the table in the kernel's form."""
    r = s.reg
    r[t.LEADER], r[t.FAILED] = trick.leader, int(trick.attempt is not None)
    for made in trick.plays:
        _add(s.put, made.seat, made.cards)
    lead = trick.plays[0].cards
    group, at = int(s.group[INDEX[lead[0]]]), trick.leader * t.CARDS
    if len(lead) == 1:
        n, s.shape[0] = 1, shapes.alike(s, INDEX[lead[0]], 1)
    else:
        n = shapes.decompose(s, s.put, at, group, room, s.shape)
    flow.lead_stands(s, trick.leader, group, n, room)
    if trick.best != trick.leader:
        highest = next(made.cards for made in trick.plays if made.seat == trick.best)
        flow.weigh(s, trick.best, int(s.group[INDEX[highest[0]]]), room)
    r[t.WORTH] = trick.points
    r[t.TABLED] = len(trick.plays)


def room_for(view: View) -> Buffer:
    """Return how many cards each seat holds that the viewer does not see, and how many lie aside."""
    room = [0 if seat == view.seat else n for seat, n in enumerate(view.counts)]
    aside = view.undealt + view.kitty_size
    if view.phase == "burying" or view.kitty is not None:
        aside = 0
    return thawed([*room, aside])


def imagine(options: Options, view: View, rng: Rng) -> State:
    """Return some state that fits a view.

    Such a state is a *determinization* of the view: a search plays on in many of them.
    """
    s = public_table(options, view)
    world, room = t.new_table(), t.new_room()
    opening = view.opening
    if view.phase == "deal":
        t.copy(s, world)
    else:
        seat = view.seat if view.seat is not None else -1
        worlds.imagine(s, world, seat, room_for(view), rng.below(1 << 31), room)
        _lay_deck(world, view, rng)
    return State(
        deal=view.deal,
        levels=view.levels,
        opening=opening,
        balances=view.balances,  # type: ignore[arg-type]
        declarations=view.declarations,
        trick=view.trick,
        last=view.last,
        record=view.played,
        **freeze(world),
    )


def _lay_deck(world: t.Table, view: View, rng: Rng) -> None:
    """Lay a deck that deals what an imagined table shows; what lies aside are the cards that have not fallen."""
    fallen = 54 * int(world.reg[t.DECKS]) - view.undealt - view.kitty_size
    dealing = view.phase in ("dealing", "declaring")
    if view.phase in ("burying", "playing") and view.picked is None:
        _pick(world, view, rng)
    stocks = []
    for seat in range(t.SEATS):
        stock = [int(world.hands[seat * t.CARDS + c]) + int(world.gone[seat * t.CARDS + c]) for c in range(t.CARDS)]
        if seat == view.dealer and not dealing:
            for card in range(t.CARDS):
                stock[card] += (int(world.kitty[card]) if view.phase != "burying" else 0) - int(world.picked[card])
        stocks.append(list(rng.shuffled([card for card, n in enumerate(stock) for _ in range(n)])))
    aside = world.kitty if dealing else world.picked
    rest = rng.shuffled([card for card in range(t.CARDS) for _ in range(int(aside[card]))])
    for k in range(fallen):
        world.deck[k] = stocks[(int(world.reg[t.FIRST]) + k) % t.SEATS].pop()
    for k, card in enumerate(rest):
        world.deck[fallen + k] = card
    if dealing:
        for card in range(t.CARDS):
            world.kitty[card] = 0


def _pick(world: t.Table, view: View, rng: Rng) -> None:
    """Choose what an imagined dealer took up: what it has buried, or before that cards it has not shown."""
    assert view.dealer is not None
    at = view.dealer * t.CARDS
    if view.phase == "playing":
        for card in range(t.CARDS):
            world.picked[card] = world.kitty[card]
        return
    spare = [c for c in range(t.CARDS) for _ in range(int(world.hands[at + c]) - int(world.shown[at + c]))]
    for card in rng.shuffled(spare)[: view.kitty_size]:
        world.picked[card] += 1


def _add(cells: Buffer, seat: int, cards: Iterable[str]) -> None:
    at = seat * t.CARDS
    try:
        for card in map(_number, cards):
            cells[at + card] += 1
    except KeyError as unknown:
        raise BadNotation("bad_action", card=str(unknown.args[0])[:8]) from None
