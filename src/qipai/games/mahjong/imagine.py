"""States that fit a view: hidden tiles are dealt at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qipai.core.contract import Rng, Seat
from qipai.core.kernel import frozen, pour
from qipai.games.mahjong.kernel import fan, flow, play
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.kernel.forms import forms
from qipai.games.mahjong.notation import (
    BY,
    CALLS,
    CLAIMS,
    INDEX,
    KONGS,
    LINES,
    PHASES,
    SUITS,
    TAKEN,
    WHAT,
    mask_of,
    tile,
    tiles_of,
)
from qipai.games.mahjong.options import ITEMS
from qipai.games.mahjong.state import State, View
from qipai.kit.seats import mask

__all__ = ["imagine", "public_table", "unseen"]


def unseen(view: View) -> list[int]:
    """Return counts of the tiles that this viewer has not located: in hidden hands, or in the wall."""
    pool = [4] * t.KINDS
    won = {win.seat: win for win in view.wins}
    hands = {hand.seat: tiles_of(hand.tiles) for hand in view.shown}
    if view.hand is not None and view.seat is not None:
        hands[view.seat] = tiles_of(view.hand)
    for seat, tiles in hands.items():
        for kind in tiles:
            pool[kind] -= 1
        if seat in won and won[seat].by != "self":
            pool[tile(won[seat].t)] += 1  # it lies in the river, or several have won on it
    for _, name in {(win.no, win.t) for win in view.wins if win.by == "rob"}:
        pool[tile(name)] -= 1
    for melds in view.melds:
        for meld in melds:
            pool[tile(meld.t)] -= 4 if meld.k == "kong" else 3
    for river in view.rivers:
        for each in river:
            if each.taken in (None, "hu"):
                pool[tile(each.t)] -= 1
    for horse in view.horses:
        pool[tile(horse.t)] -= 1
    return [max(0, n) for n in pool]


def public_table(rules: Sequence[int], view: View) -> t.Table:
    """Return the kernel's buffers with all that a view tells; hidden hands and the wall are empty."""
    s = t.new_table(rules, forms())
    b = s.b
    pour(b, _registers(view))
    for i, owner in enumerate(view.bench):
        for horse in view.horses:
            if horse.owner == owner:
                b[t.HORSES + 2 * i], b[t.HORSES + 2 * i + 1] = tile(horse.t), horse.seat
    for seat in range(t.SEATS):
        _write_seat(b, view, seat)
    _write_rivers(b, view)
    _write_wins(b, view, rules)
    gone = {pay.no for pay in view.payments if pay.kind == "transfer"} if view.payments else set()
    for i, pay in enumerate(view.payments):
        lost = int(pay.kind == "kong" and pay.no in gone)
        row = t.Pay(
            payer=pay.payer, payee=pay.payee, amount=pay.amount, what=WHAT.index(pay.kind), number=pay.no, gone=lost
        )
        pour(s.pays, row, i * t.PAY_CELLS)
    known = {hand.seat: hand.tiles for hand in view.shown}
    if view.seat is not None and view.hand is not None:
        known[view.seat] = view.hand
    for seat, text in known.items():
        for kind in tiles_of(text):
            t.give(s, seat, kind)
    _write_question(s, view)
    return s


def _registers(view: View) -> t.Registers:
    """Return the registers as far as a view tells them; no seat is asked."""
    window = view.phase in ("wait", "claim", "rob")
    adding = view.last is not None and view.last.adding
    kong = KONGS.index(view.replacement)
    replaced, after = (0, kong) if window and not adding else (kong, 0)
    giver = None
    if view.actor is not None and replaced == t.DIRECT and view.melds[view.actor]:
        giver = view.melds[view.actor][-1].giver
    return t.Registers(
        phase=(t.ROB if adding else t.CLAIM) if window else PHASES.index(view.phase),
        actor=-1 if view.actor is None else view.actor,
        drawn=-1 if view.drawn is None else tile(view.drawn),
        dealer=0 if view.dealer is None else view.dealer,
        live=(1 << t.SEATS) - 1 & ~mask(win.seat for win in view.wins),
        asked=0,
        tile=-1 if view.last is None else tile(view.last.t),
        front=0,
        back=view.wall_left,
        replaced=replaced,
        giver=-1 if giver is None else giver,
        after=after,
        fresh=1 if view.fresh else 0,
        river=sum(map(len, view.rivers)),
        pays=len(view.payments),
        wins=len(view.wins),
        kongs=view.kongs,
        ended=(None, "won", "exhausted").index(view.end),
        horse_at=view.bench.index(view.turn[0]) if view.phase == "horse" else len(view.bench),
        bench=len(view.bench),
        swapped=view.swap_by or 0,
        items=0,
        won_tiles=view.wins[-1].no + 1 if view.wins else 0,
    )


def _write_seat(b: Any, view: View, seat: Seat) -> None:
    at = seat * t.CELLS
    for meld in view.melds[seat]:
        kind = tile(meld.t)
        giver = 0 if meld.giver is None else meld.giver + 1
        b[t.LAID + seat * t.MELD_CELLS + b[at + t.MELDS]] = kind | KONGS.index(meld.kind) << 5 | giver << 7
        b[at + t.MELDS] += 1
        b[at + t.MELD_SUITS] |= 1 << t.SUIT[kind]
    b[at + t.DRAWS] = view.draws[seat]
    void = view.voids[seat]
    b[at + t.VOID] = -1 if void is None else SUITS.index(void)
    if seat in view.sung:
        b[at + t.CALLED] |= t.SUNG
    for shown in view.danced:
        if shown.seat == seat:
            b[at + t.CALLED] |= t.DANCED
            b[at + t.SHOWN] = mask_of(shown.waits)
    if seat == view.seat:
        for line, fan in view.locks.items():
            b[t.LOCKS + seat * 9 + LINES.index(line)] = fan
        if view.gave is not None:
            for i, kind in enumerate(tiles_of(view.gave)):
                b[t.SWAPS + seat * 3 + i] = kind
        if view.got is not None and view.swap_by is not None:
            giver = (seat - view.swap_by) % t.SEATS
            for i, kind in enumerate(tiles_of(view.got)):
                b[t.SWAPS + giver * 3 + i] = kind


def _write_rivers(b: Any, view: View) -> None:
    """Write the rivers one after another: the order between them is unknown, and no rule needs it."""
    last: int | None = None
    at = 0
    for seat, river in enumerate(view.rivers):
        for each in river:
            code = INDEX[each.t] | seat << 5
            if each.call is not None:
                code |= CALLS.index(each.call) << 7
            if each.taken is not None:
                code |= TAKEN.index(each.taken) << 9
            b[t.RIVERS + at] = code
            at += 1
        if river and seat == view.actor and view.last is not None and not view.last.adding:
            last = at - 1
    if last is not None:  # the tile in question lies at the end
        code, end = b[t.RIVERS + last], at - 1
        for i in range(last, end):
            b[t.RIVERS + i] = b[t.RIVERS + i + 1]
        b[t.RIVERS + end] = code


def _write_wins(b: Any, view: View, rules: Sequence[int]) -> None:
    for i, win in enumerate(view.wins):
        items, roots = 0, 0
        for k, name in enumerate(ITEMS):
            if name in win.items:
                items |= 1 << k
                if name == "gen":
                    roots = win.items[name] // rules[t.O_FAN - t.RULES + k]
        giver = -1 if win.giver is None else win.giver
        row = t.Win(
            seat=win.seat,
            by=BY.index(win.by),
            tile=tile(win.t),
            fan=win.fan,
            giver=giver,
            no=win.no,
            items=items | roots << fan.ROOTS,
        )
        pour(b, row, t.WON + i * t.WIN_CELLS)


def _write_question(s: t.Table, view: View) -> None:
    """Write who is asked, as far as the viewer knows: in a claim window only the viewer."""
    b, seat = s.b, view.seat
    if view.phase in ("swap", "void"):
        b[t.ASKED] = sum(1 << other for other in view.turn)
        for other in range(t.SEATS):
            b[other * t.CELLS + t.ANSWER] = int(other not in view.turn)
    if view.phase in ("claim", "rob") and seat is not None:
        at = seat * t.CELLS
        if view.answered is not None:
            b[at + t.ANSWER] = CLAIMS[view.answered]
        else:
            b[at + t.OPEN] = flow.claims(s, seat, b[t.TILE], t.ROBBED if view.phase == "rob" else t.DISCARD)
            b[t.ASKED] = 1 << seat


def imagine(rules: Sequence[int], view: View, rng: Rng) -> State:
    """Return some state that fits this view; hidden tiles are dealt at random.

    Such a state is a *determinization* of the view: a search plays on in many of them.
    """
    s = public_table(rules, view)
    if view.phase not in ("dice", "deal", "end"):
        _deal_hidden(s, view, rng)
    still = imagine(rules, view.still, rng) if view.still is not None else None
    cells, pays = frozen(s.b), frozen(s.pays)
    return State(view.deal, view.dice, view.bench, still, cells[: t.STATE], pays[: cells[t.PAYS] * t.PAY_CELLS])


def _deal_hidden(s: t.Table, view: View, rng: Rng) -> None:
    b = s.b
    pool = [kind for kind, n in enumerate(unseen(view)) for _ in range(n)]
    hidden = [seat for seat in range(t.SEATS) if b[seat * t.CELLS + t.HELD] < view.counts[seat]]
    actor = view.actor
    if view.last is not None and view.last.adding and actor in hidden:
        kind = tile(view.last.t)
        if kind in pool:
            pool.remove(kind)
            t.give(s, actor, kind)
    order = rng.shuffled(pool)
    at = 0
    for seat in hidden:
        while b[seat * t.CELLS + t.HELD] < view.counts[seat] and at < len(order):
            t.give(s, seat, order[at])
            at += 1
    for i, kind in enumerate(order[at : at + view.wall_left]):
        b[t.WALL + i] = kind
    if view.drew and actor in hidden:
        for kind in range(t.KINDS):
            if b[t.HANDS + actor * t.KINDS + kind]:
                b[t.DRAWN] = kind
        if view.last is not None and view.last.adding:
            b[t.DRAWN] = tile(view.last.t)
    for seat in hidden:
        mine = seat * t.CELLS
        if (view.phase == "swap" and b[mine + t.ANSWER]) or view.phase == "die":
            code = int(play.idle(s, seat)) if view.phase == "swap" else _three(s, seat)
            for i in range(3):
                b[t.SWAPS + seat * 3 + i] = code >> 5 * i & 31
        if view.phase == "void" and b[mine + t.ANSWER]:
            b[mine + t.VOID] = rng.below(3)


def _three(s: t.Table, seat: Seat) -> int:
    """Return some three tiles of one suit of a hand, as the kernel's action."""
    phase = s.b[t.PHASE]
    s.b[t.PHASE] = t.SWAP
    code = int(play.idle(s, seat))
    s.b[t.PHASE] = phase
    return code
