"""What each seat sees of a state (mahjong 9), and what is told of a step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from qipai.core.contract import NATURE, Seat
from qipai.core.kernel import buffer, frozen, thawed
from qipai.core.recent import recent
from qipai.games.mahjong.kernel import fan, money
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.kernel.forms import forms, is_pig, waits
from qipai.games.mahjong.notation import (
    BY,
    CALLS,
    KONGS,
    LINES,
    NAMES,
    PHASES,
    SAID,
    SUITS,
    TAKEN,
    WHAT,
    items_of,
    named,
    write,
    written,
)
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.state import (
    Action,
    Adding,
    Check,
    Deal,
    Discarded,
    Drew,
    Ended,
    Event,
    Hand,
    HorseBought,
    HorseTile,
    Hu,
    Kong,
    Konged,
    LastTile,
    Meld,
    Paid,
    Pass,
    Payment,
    Pong,
    Ponged,
    River,
    Shown,
    State,
    Swap,
    Swapped,
    View,
    Void,
    VoidsShown,
    Win,
    Won,
)
from qipai.kit.seats import bits

__all__ = [
    "NAMES",
    "House",
    "asked",
    "bets",
    "conceal",
    "exchanged",
    "next_dealer",
    "observe",
    "secret",
    "told_between",
]

WINDOWS: Final = (t.CLAIM, t.ROB)
SEATS: Final = range(t.SEATS)
SHOWN_AGAIN: Final = 512  # for so many states views are kept, 11 KB each: two or three a move, as long as a pause lasts
NO_LOCKS: Final = (-1,) * 9
VOIDS: Final = (*SUITS, None)  # indexed by the value of a cell; -1 is none
NO_VOIDS: Final = (None,) * t.SEATS
Cells = Sequence[int]


class House(NamedTuple):
    """The rules of a table: in words, and in the kernel's numbers."""

    options: Options
    cells: tuple[int, ...]


def asked(state: State) -> tuple[Seat, ...]:
    """Return who may act."""
    b = state.cells
    phase = b[t.PHASE]
    if phase == t.TURN:
        return (b[t.ACTOR],)
    if phase == t.HORSE:
        return (state.bench[b[t.HORSE_AT]],)
    if phase in (t.CLAIM, t.ROB, t.SWAP, t.VOIDING):
        return bits(b[t.ASKED])
    return () if phase == t.END else (NATURE,)


def bets(state: State) -> tuple[Seat, ...]:
    """Return the people on the bench who hold a horse."""
    return tuple(owner for i, owner in enumerate(state.bench) if state.cells[t.HORSES + 2 * i] >= 0)


def secret(state: State, seat: Seat, action: Action) -> bool:
    """Return whether an action stays secret until the hand is over: the wall, and answers in windows."""
    if isinstance(action, Deal | Swap | Void | Pass | Pong):
        return True
    return isinstance(action, Hu | Kong) and state.cells[t.PHASE] in (t.CLAIM, t.ROB)


def next_dealer(state: State) -> Seat:
    """Return who deals next (R34)."""
    b = state.cells
    wins = b[t.WINS]
    if wins == 0:
        return b[t.DEALER]
    several = wins > 1 and b[t.WON + t.WIN_CELLS + t.W_NO] == 0
    return b[t.WON + (t.W_GIVER if several else t.W_SEAT)]


def conceal(view: View) -> View:
    """Return the view of a seat that is not asked, during the even pause after a tile thrown or added (README X6)."""
    return view if view.still is None else view.still


# views ---------------------------------------------------------------------------------------------------------------


def observe(house: House, state: State, seat: Seat | None) -> View:
    """Return the view of a seat. seat None: a watcher."""
    views = _views(house, state)
    found = views.get(seat)
    if found is None:
        public = views.get(None)
        if public is None:
            public = views[None] = _observed(house, state)
        found = views[seat] = public if seat is None else _own(house, state, seat, public)
    return found


def _no_views(_house: House, _state: State) -> dict[Seat | None, View]:
    return {}


# Cached by seat: the hall needs each view of a state several times for an event, and again when the pause ends.
_views = recent(_no_views, SHOWN_AGAIN)


def _own(house: House, state: State, seat: Seat, public: View) -> View:
    """Return a seat's view. public: the public part of it."""
    still = observe(house, state.still, seat) if state.still is not None else None
    if not 0 <= seat < t.SEATS:
        return msgspec.structs.replace(public, seat=seat, still=still)
    b = state.cells
    at = seat * t.CELLS
    phase, turn, answered = public.phase, public.turn, None
    said = b[at + t.ANSWER]
    if public.phase == "wait" and (said or b[at + t.OPEN]):
        phase = PHASES[b[t.PHASE]]
        turn = () if said else (seat,)
        answered = SAID.get(said)
    elif said and public.phase in ("swap", "void"):
        answered = public.phase
    voids = public.voids
    if b[at + t.VOID] >= 0:
        voids = (*voids[:seat], SUITS[b[at + t.VOID]], *voids[seat + 1 :])
    gave = got = None
    if b[t.SWAPS + seat * 3] >= 0:
        gave = written(b[t.SWAPS + seat * 3 : t.SWAPS + seat * 3 + 3])
    if by := b[t.SWAPPED]:
        giver = (seat - by) % t.SEATS
        got = written(b[t.SWAPS + giver * 3 : t.SWAPS + giver * 3 + 3])
    locks = b[t.LOCKS + seat * 9 : t.LOCKS + seat * 9 + 9]
    return msgspec.structs.replace(
        public,
        seat=seat,
        hand=hand_of(b, seat),
        drawn=NAMES[b[t.DRAWN]] if b[t.DRAWN] >= 0 and b[t.ACTOR] == seat else None,
        phase=phase,
        turn=turn,
        answered=answered,
        voids=voids,
        gave=gave,
        got=got,
        locks={} if locks == NO_LOCKS else {LINES[i]: fan for i, fan in enumerate(locks) if fan >= 0},
        still=still,
    )


def hand_of(b: Cells, seat: Seat) -> str:
    """Return the tiles of a hand."""
    at = t.KEYS + seat * 3
    return write(b[at], b[at + 1], b[at + 2])


def melds_of(b: Cells, seat: Seat) -> tuple[Meld, ...]:
    """Return the melds of a seat."""
    many = b[seat * t.CELLS + t.MELDS]
    if not many:
        return ()
    at = t.LAID + seat * t.MELD_CELLS
    return tuple([_meld(code) for code in b[at : at + many]])


@cache
def _meld(code: int) -> Meld:
    kind, giver = code >> 5 & 3, (code >> 7) - 1
    return Meld("kong" if kind else "pong", NAMES[code & 31], KONGS[kind], giver if giver >= 0 else None)


def _observed(house: House, state: State) -> View:
    """Return the public part of a view."""
    options, rules = house
    b = state.cells
    phase, over = b[t.PHASE], b[t.PHASE] == t.END
    window = phase in WINDOWS
    dealt = phase not in (t.DICE, t.DEAL)
    called = [seat for seat in SEATS if b[seat * t.CELLS + t.CALLED]]
    ledger: tuple[int, ...] = (0,) * t.SEATS
    full: tuple[int, ...] = (0,) * (t.SEATS + len(state.bench))
    wins: tuple[Win, ...] = ()
    checks: tuple[Check, ...] = ()
    shown: tuple[Hand, ...] = ()
    if b[t.PAYS] or b[t.WINS] or over:
        s = t.Table(thawed(b + rules + t.CLEAN), thawed(state.pays, 64), forms())
        ledger, full = _ledgers(s, len(state.bench))
        wins = _wins(s, state, tuple(rules[t.O_FAN - t.RULES :]))
        shown = tuple([Hand(seat, hand_of(b, seat)) for seat in SEATS if dealt and (over or not b[t.LIVE] >> seat & 1)])
        checks = tuple([_check(s, seat) for seat in SEATS]) if b[t.ENDED] == 2 else ()
    owed = max(0, options.min_rounds * options.hands_per_round - state.deal + (0 if over else 1))
    return View(
        seat=None,
        deal=state.deal,
        owed=owed,
        fine=owed * options.leave_fine * options.base,
        dice=state.dice,
        dealer=b[t.DEALER] if phase != t.DICE else None,
        bench=state.bench,
        phase="wait" if window else PHASES[phase],
        turn=() if over or window else asked(state),
        actor=b[t.ACTOR] if b[t.ACTOR] >= 0 else None,
        hand=None,
        drawn=None,
        drew=b[t.DRAWN] >= 0,
        replacement=KONGS[b[t.REPLACED] or b[t.AFTER]],
        counts=tuple([b[seat * t.CELLS + t.HELD] for seat in SEATS]),
        melds=tuple([melds_of(b, seat) for seat in SEATS]),
        rivers=_rivers(b),
        last=LastTile(b[t.ACTOR], NAMES[b[t.TILE]], phase == t.ROB) if window and b[t.TILE] >= 0 else None,
        wall_left=b[t.BACK] - b[t.FRONT],
        draws=tuple([b[seat * t.CELLS + t.DRAWS] for seat in SEATS]),
        fresh=b[t.FRESH] == 1,
        kongs=b[t.KONGS],
        sung=tuple([seat for seat in called if b[seat * t.CELLS + t.CALLED] & t.SUNG]),
        danced=tuple(
            [
                Shown(seat, named(b[seat * t.CELLS + t.SHOWN]))
                for seat in called
                if b[seat * t.CELLS + t.CALLED] & t.DANCED
            ]
        ),
        voids=NO_VOIDS if phase == t.VOIDING else tuple([VOIDS[b[seat * t.CELLS + t.VOID]] for seat in SEATS]),
        answered=None,
        gave=None,
        got=None,
        swap_by=b[t.SWAPPED] or None,
        locks={},
        horses=tuple(
            [
                HorseTile(owner, NAMES[b[t.HORSES + 2 * i]], b[t.HORSES + 2 * i + 1])
                for i, owner in enumerate(state.bench)
                if b[t.HORSES + 2 * i] >= 0
            ]
        ),
        wins=wins,
        payments=tuple(_payments(state)),
        ledger=ledger,
        full=full,
        shown=shown,
        checks=checks,
        end=("won" if b[t.ENDED] == 1 else "exhausted") if over else None,
        next_dealer=next_dealer(state) if over else None,
        still=observe(house, state.still, None) if state.still is not None else None,
    )


def _ledgers(s: t.Table, many: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what the seats have won before horses, and everybody's result with them. many: who may have a horse."""
    full = buffer(t.SEATS + t.MOST_HORSES, 64)
    money.balance(s, full)
    ledger = frozen(full[: t.SEATS])
    if not many:
        return ledger, ledger
    money.balance_all(s, many, full)
    return ledger, frozen(full[: t.SEATS + many])


# All tiles that a river can contain, by their code without the seat.
LAIN: Final = tuple(
    [
        River(NAMES[code & 31], CALLS[code >> 5 & 3], TAKEN[code >> 7])
        if code & 31 < t.KINDS and code >> 5 & 3 < 3
        else None
        for code in range(1 << 9)
    ]
)


def _rivers(b: Cells) -> tuple[tuple[River, ...], ...]:
    rivers: tuple[list[Any], ...] = ([], [], [], [])
    for code in b[t.RIVERS : t.RIVERS + b[t.RIVER]]:
        rivers[code >> 5 & 3].append(LAIN[code & 31 | code >> 7 << 5])
    return tuple(map(tuple, rivers))


def _wins(s: t.Table, state: State, fans: tuple[int, ...]) -> tuple[Win, ...]:
    b = state.cells
    found = []
    for i in range(b[t.WINS]):
        at = t.WON + i * t.WIN_CELLS
        win = t.Win._make(b[at : at + t.WIN_CELLS])
        found.append(
            Win(
                seat=win.seat,
                by=BY[win.by],
                t=NAMES[win.tile],
                fan=win.fan,
                value=int(fan.chips(s.b, win.fan)),
                items=items_of(win.items, fans),
                giver=win.giver if win.giver >= 0 else None,
                no=win.no,
            )
        )
    return tuple(found)


def _payments(state: State) -> list[Payment]:
    pays = state.pays
    return [_payment(*pays[at : at + 5]) for at in range(0, state.cells[t.PAYS] * t.PAY_CELLS, t.PAY_CELLS)]


@lru_cache(maxsize=1024)
def _payment(payer: int, payee: int, amount: int, what: int, no: int) -> Payment:
    return Payment(payer, payee, amount, WHAT[what], no)


def _check(s: t.Table, seat: Seat) -> Check:
    """Return the check of a seat when the wall is empty."""
    if not s.b[t.LIVE] >> seat & 1:
        return Check(seat, "won", (), 0)
    if is_pig(s, seat):
        return Check(seat, "pig", (), 0)
    mask = int(waits(s, seat))
    if not mask:
        return Check(seat, "unready", (), 0)
    fans = money.checked(s, seat, fan.LEAST if s.b[t.O_SMALL] else fan.GREATEST)
    return Check(seat, "ready", named(mask), int(fan.chips(s.b, fans)))


# events --------------------------------------------------------------------------------------------------------------


def exchanged(state: State, die: int) -> list[Event]:
    """Return the public event of the exchange."""
    return [Swapped(die, state.cells[t.SWAPPED])]


def told_between(rules: Sequence[int], before: State, after: State) -> list[Event]:
    """Return the public events between two states."""
    old, new = before.cells, after.cells
    events: list[Event] = []
    for i, owner in enumerate(after.bench):
        if old[t.HORSES + 2 * i] < 0 <= new[t.HORSES + 2 * i]:
            events.append(HorseBought(owner, NAMES[new[t.HORSES + 2 * i]], new[t.HORSES + 2 * i + 1]))
    if old[t.PHASE] == t.VOIDING != new[t.PHASE]:
        events.append(VoidsShown(tuple(SUITS[new[seat * t.CELLS + t.VOID]] for seat in range(t.SEATS))))
    if new[t.RIVER] > old[t.RIVER]:
        code = new[t.RIVERS + old[t.RIVER]]
        seat, call = code >> 5 & 3, CALLS[code >> 7 & 3]
        shown = named(new[seat * t.CELLS + t.SHOWN]) if call == "dance" else ()
        events.append(Discarded(seat, NAMES[code & 31], call, shown))  # type: ignore[arg-type]
    if new[t.PHASE] == t.ROB != old[t.PHASE]:
        events.append(Adding(new[t.ACTOR], NAMES[new[t.TILE]]))
    laid = slice(t.LAID, t.LAID + t.SEATS * t.MELD_CELLS)
    for seat in SEATS if old[laid] != new[laid] else ():
        had, has = melds_of(old, seat), melds_of(new, seat)
        for i, meld in enumerate(has):
            if i < len(had) and had[i] == meld:
                continue
            if meld.k == "pong":
                events.append(Ponged(seat, meld.giver if meld.giver is not None else seat, meld.t))
            else:
                events.append(Konged(seat, meld.t, meld.kind or "direct", meld.giver))
    for i in range(old[t.WINS], new[t.WINS]):
        win = t.Win._make(new[t.WON + i * t.WIN_CELLS : t.WON + (i + 1) * t.WIN_CELLS])
        giver = win.giver if win.giver >= 0 else None
        events.append(Won(win.seat, BY[win.by], NAMES[win.tile], win.fan, giver, hand_of(new, win.seat)))
    if new[t.PAYS] != old[t.PAYS]:
        events += [Paid(each.payer, each.payee, each.amount, each.kind) for each in _payments(after)[old[t.PAYS] :]]
    for seat in range(t.SEATS):
        at = seat * t.CELLS + t.DRAWS
        if new[at] > old[at]:
            events.append(Drew(seat, new[t.BACK] - new[t.FRONT], new[t.REPLACED] > 0))
    if new[t.PHASE] == t.END != old[t.PHASE]:
        s = t.Table(thawed((*new, *rules)), thawed(after.pays, 64), forms())
        _ledger, full = _ledgers(s, len(after.bench))
        events.append(Ended("won" if new[t.ENDED] == 1 else "exhausted", full))
    return events
