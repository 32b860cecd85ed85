"""What each seat sees of a state (shengji 9), and the kernel's buffers of a state."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from qipai.core.contract import NATURE, Seat
from qipai.core.kernel import frozen, thawed
from qipai.core.recent import recent
from qipai.games.shengji.kernel import flow
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import INDEX, NAMES, PHASES, Order, groups_of, order_of, suit_name, write
from qipai.games.shengji.options import Options
from qipai.games.shengji.score import result
from qipai.games.shengji.state import Action, Bury, NextDeal, Result, Reveal, State, View

__all__ = ["asked", "fixed_rules", "freeze", "observe", "outcome_of", "revealed", "secret", "thaw"]

CELLS: Final = ("deck", "hands", "kitty", "picked", "put", "gone", "shown", "lacks", "captured", "shape", "reg")


def thaw(state: State) -> t.Table:
    """Return the kernel's buffers of a state, free to change."""
    return t.Table(
        thawed(state.deck),
        thawed(state.hands),
        thawed(state.kitty),
        thawed(state.picked),
        thawed(state.put),
        thawed(state.gone),
        thawed(state.shown),
        thawed(state.lacks),
        thawed(state.captured),
        thawed(state.shape),
        thawed(state.reg),
        *map(thawed, _order(state)),
    )


def _order(state: State) -> Order:
    reg = state.reg
    return order_of(reg[t.LEVEL], reg[t.TRUMP], reg[t.CONSTANT])


def freeze(s: t.Table) -> dict[str, tuple[int, ...]]:
    """Return the fields of a state that the kernel's buffers are."""
    return {name: frozen(cells) for name, cells in zip(CELLS, s, strict=False)}


def fixed_rules(s: t.Table, options: Options, levels: tuple[str, str], dealer: Seat | None) -> None:
    """Write the house rules and the terms of a deal to the registers."""
    r = s.reg
    r[t.DECKS] = options.decks
    r[t.LEVEL] = INDEX[levels[(dealer or 0) % 2] + "S"] // 4
    r[t.CONSTANT] = int(options.constant_two)
    r[t.KITTIES] = options.kitty
    r[t.LIMIT] = -1 if options.points_limit is None else options.points_limit
    r[t.LAST_DEALS] = int(options.first_dealer == "last_declarer")
    r[t.TRIPLES_FIRST] = int(options.titanic_follow == "triples_first")
    r[t.BY_WINNER] = int(options.kitty_multiplier_by == "winner_cards")
    r[t.DEALER] = -1 if dealer is None else dealer


def secret(state: State, seat: Seat, action: Action) -> bool:
    """Return whether an action is nobody's business until the deal is over: the cards dealt, and the kitty."""
    return isinstance(action, NextDeal | Bury)


def asked(state: State) -> tuple[Seat, ...]:
    """Return the seats the deal waits for; NATURE alone while cards fall."""
    reg = state.reg
    phase = reg[t.PHASE]
    if phase in (t.NEW, t.DEALING):
        return (NATURE,)
    if phase == t.DECLARING:
        return tuple(seat for seat in range(t.SEATS) if not reg[t.PASSED] >> seat & 1)
    return (reg[t.TURN],) if phase != t.OVER else ()


def outcome_of(options: Options, state: State) -> Result:
    """Return how a deal that is over came out."""
    reg = state.reg
    return result(options, reg[t.POINTS], reg[t.DEALER], state.levels, state.balances)


# observe --------------------------------------------------------------------------------------------------------------


def observe(options: Options, state: State, seat: Seat | None) -> View:
    """Return what a seat may know; None: a spectator."""
    public = _observed(options, state)
    if seat is None:
        return public
    reg = state.reg
    order = _order(state)
    picked, kitty = public.picked, public.kitty
    if seat == reg[t.DEALER] and t.BURYING <= reg[t.PHASE] < t.OVER:
        picked = write(order, state.picked)
        kitty = write(order, state.kitty) if reg[t.PHASE] >= t.PLAYING else None
    hand = groups_of(order, state.hands, seat * t.CARDS)
    return replace(public, seat=seat, hand=hand, picked=picked, kitty=kitty)


@recent
def _observed(options: Options, state: State) -> View:
    """Return what everybody may know."""
    s = thaw(state)
    reg = state.reg
    phase = reg[t.PHASE]
    over = phase == t.OVER
    ended = outcome_of(options, state) if over else None
    dealer = reg[t.DEALER]
    turn = asked(state)
    return View(
        seat=None,
        deal=state.deal,
        opening=state.opening,
        phase="match_over" if ended is not None and ended.match_winner is not None else PHASES[phase],
        turn=() if NATURE in turn else turn,
        levels=state.levels,
        level=NAMES[reg[t.LEVEL] * 4][0],
        dealer=dealer if dealer >= 0 else None,
        first=reg[t.FIRST] if phase != t.NEW else None,
        trump=suit_name(reg[t.TRUMP]),
        fixed=phase >= t.BURYING,
        declarations=state.declarations,
        passed=tuple(other for other in range(t.SEATS) if reg[t.PASSED] >> other & 1),
        hand=None,
        counts=tuple(sum(state.hands[other * t.CARDS : (other + 1) * t.CARDS]) for other in range(t.SEATS)),
        undealt=int(flow.to_fall(s)),
        kitty_size=reg[t.KITTIES],
        picked=write(s, state.picked) if over else None,
        kitty=write(s, state.kitty) if over else None,
        trick=state.trick,
        last=state.last,
        tricks=reg[t.TRICKS],
        played=state.record,
        open=tuple(write(s, state.shown, other * t.CARDS) for other in range(t.SEATS)),
        lacks=tuple(state.lacks[other * t.GROUPS : (other + 1) * t.GROUPS] for other in range(t.SEATS)),
        points=reg[t.POINTS],
        captured=write(s, state.captured),
        segment=options.segment,
        reveal=revealed(s) if over else None,
        result=ended,
        balances=state.balances,
    )


def revealed(s: t.Table) -> Reveal:
    """Return the kitty of a deal that is over, turned over."""
    reg = s.reg
    return Reveal(
        cards=write(s, s.kitty),
        points=int(reg[t.KITTY_POINTS]),
        width=int(reg[t.WIDTH]),
        multiplier=int(reg[t.MULTIPLIER]),
        bonus=int(reg[t.BONUS]),
    )
