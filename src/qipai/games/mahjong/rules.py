"""Implements `core.contract.Rules` on top of the kernel, which holds all rules: turns, refusals, steps, luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import UNSET

from qipai.core.contract import NATURE, BadNotation, Malformed, Outcome, Refusal, Rng, Seat, Step, Turn, one_of, stepped
from qipai.core.kernel import buffer, frozen, thawed
from qipai.games.mahjong import observation
from qipai.games.mahjong.imagine import imagine
from qipai.games.mahjong.kernel import bars, flow, money, play
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.kernel.forms import forms
from qipai.games.mahjong.notation import PHASES, action_of, code_of, tile, tiles_of, written
from qipai.games.mahjong.options import ITEMS, Options
from qipai.games.mahjong.state import (
    Action,
    Carry,
    Deal,
    Dealt,
    Dice,
    Die,
    Discard,
    Horse,
    Hu,
    Kong,
    Pass,
    Pong,
    State,
    Swap,
    View,
    Void,
)

__all__ = ["Mahjong", "cells", "first_carry", "first_dealer", "thaw"]

WINDOWS: Final = (t.CLAIM, t.ROB)
NO_PAYS: Final = (0,) * (t.MOST_PAYS * t.PAY_CELLS)


@lru_cache(maxsize=64)
def cells(options: Options) -> tuple[int, ...]:
    """Return the options as numbers for the kernel, see RULES of `kernel.table`."""
    rain = options.mode in ("rain", "bloody_rain")
    rules = t.Rules(
        bloody=options.mode in ("bloody", "bloody_rain"),
        rain=rain,
        base=options.base,
        cap=options.fan_cap,
        self_draw=("none", "add_base", "add_fan").index(options.self_draw),
        wait=("none", "sole", "shape").index(options.wait_fan_rule),
        declare=options.void_rule == "declare",
        exchange=options.exchange == "three",
        small=options.cha_jiao == "xiao",
        pig=options.pig_fan,
        pig_winners=options.pig_pays_winners,
        pig_ready=options.pig_also_ready,
        nearest=options.multi_win == "nearest",
        transfer=options.call_transfer,
        refund=options.kong_refund,
        front=options.kong_draw == "front",
        kongs=rain or options.kong_in_plain_modes,
        late=("unpaid", "paid", "forbidden").index(options.late_added_kong),
        flower=options.direct_kong_flower == "discarder",
        calls=options.sing_dance,
        lock=options.pass_lock,
        last=options.last_four,
        horse=options.horse == "bench",
        horse_eat=options.horse_eat_horse,
        horse_rain=options.horse_rain,
        horse_ready=options.horse_ready,
        horse_pig=options.horse_pig,
    )
    return (*map(int, rules), *(getattr(options.fan, item) for item in ITEMS))


def first_dealer(dice: Sequence[int]) -> Seat:
    """Return who deals the first hand of a table (3.4)."""
    return (sum(dice) - 1) % t.SEATS


def thaw(state: State, rules: Sequence[int]) -> t.Table:
    """Return a state's buffers for the kernel, as copies that may be changed."""
    b = thawed(state.cells + tuple(rules) + t.CLEAN)
    return t.Table(b, thawed(state.pays + NO_PAYS[len(state.pays) :], 64), forms())


def freeze(s: t.Table, before: State, still: State | None = None) -> State:
    """Return the state with these buffers."""
    cells, pays = frozen(s.b[: t.STATE]), frozen(s.pays[: s.b[t.PAYS] * t.PAY_CELLS])
    return State(before.deal, before.dice, before.bench, still, cells, pays)


def first_carry(options: Options, first_seated: Seat) -> Carry:
    """Return the carry of a match's first deal."""
    return Carry(1)


class Mahjong:
    """The rules of Sichuan mahjong under one set of options. It implements `core.contract.Rules`."""

    seats = t.SEATS

    def __init__(self, options: Options | None = None) -> None:
        self.options = options if options is not None else Options()
        self.cells = cells(self.options)
        self.house = observation.House(self.options, self.cells)

    def start(self, carry: Any = None, bench: Sequence[Seat] = ()) -> State:
        """Return the state before dice and deal. carry: a `Carry`, or its JSON; bench: who may buy a horse."""
        if carry is None:
            carry = Carry(1)
        elif not isinstance(carry, Carry):
            carry = msgspec.convert(carry, Carry)
        s = t.new_table(self.cells, forms())
        s.b[t.BENCH] = len(bench)
        if carry.dealer is None:
            s.b[t.PHASE] = t.DICE
        else:
            s.b[t.DEALER] = carry.dealer
        return freeze(s, State(carry.deal, None, tuple(bench), None, (), ()))

    def table(self, state: State) -> t.Table:
        """Return a state's buffers for the kernel, as copies that may be changed."""
        return thaw(state, self.cells)

    # who acts -----------------------------------------------------------------------------------------------------

    def turn(self, state: State) -> Turn:
        """Return who may act; in a window, all seats that must answer."""
        return Turn(frozenset(observation.asked(state)), PHASES[state.cells[t.PHASE]])

    def legal(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield a seat's actions in the order of section 4; none when it is not asked."""
        if seat != NATURE and seat in observation.asked(state):
            out = buffer(t.MOST)
            for i in range(play.legal(self.table(state), seat, out)):
                yield action_of(int(out[i]))

    def leaving(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield nothing: nobody can end a deal early."""
        return iter(())

    def sample(self, state: State, seat: Seat, rng: Rng) -> Action:
        """Draw one of a seat's actions."""
        return one_of(self.legal(state, seat), rng)

    def idle(self, state: State, seat: Seat) -> Action:
        """Return the action for a seat whose time is up (R36)."""
        return action_of(int(play.idle(self.table(state), seat)))

    # refusals -----------------------------------------------------------------------------------------------------

    def refuse(self, state: State, seat: Seat, action: Action | Malformed) -> Refusal | None:
        """Return why an action is forbidden, in the order of section 10."""
        b = state.cells
        phase = b[t.PHASE]
        if phase == t.END:
            return Refusal("hand_over")
        if seat == NATURE:
            return self._refuse_nature(phase, action)
        if 0 <= seat < t.SEATS and not b[t.LIVE] >> seat & 1:
            return Refusal("already_out")
        if isinstance(action, Malformed | Dice | Deal | Die) or self._nonsense(state, action):
            verb = action.verb if isinstance(action, Malformed) else str(action.__struct_config__.tag)
            return Refusal("bad_action", {"action": verb[:20]})
        s = self.table(state)
        if phase == t.TURN:
            return self._refuse_turn(s, seat, action)
        if phase in WINDOWS:
            return self._refuse_claim(s, seat, action)
        return self._refuse_setup(state, s, seat, action)

    @staticmethod
    def _nonsense(state: State, action: Action) -> bool:
        if isinstance(action, Discard | Kong):
            return tile(action.t) < 0
        if isinstance(action, Swap):
            return any(tile(name) < 0 for name in action.t)
        if isinstance(action, Horse):
            return not 0 <= action.i < state.cells[t.BACK] - state.cells[t.FRONT]
        return False

    def _refuse_nature(self, phase: int, action: Action | Malformed) -> Refusal | None:
        due = {t.DICE: Dice, t.DEAL: Deal, t.DIE: Die}.get(phase)
        if isinstance(action, Malformed):
            return Refusal("bad_action", {"action": action.verb[:20]})
        if due is None or not isinstance(action, due):
            return Refusal("wrong_phase", {"phase": PHASES[phase]})
        if isinstance(action, Dice):
            good = all(1 <= d <= 6 for d in action.d)
        elif isinstance(action, Die):
            good = 1 <= action.d <= 6
        else:
            assert isinstance(action, Deal)
            try:
                good = sorted(tiles_of(action.wall)) == [kind for kind in range(t.KINDS) for _ in range(4)]
            except BadNotation:
                good = False
        return None if good else Refusal("bad_action", {"action": str(action.__struct_config__.tag)})

    def _refuse_turn(self, s: t.Table, seat: Seat, action: Action) -> Refusal | None:
        b = s.b
        if seat != b[t.ACTOR]:
            return Refusal("not_your_turn", {"seats": [int(b[t.ACTOR])]})
        if not isinstance(action, Hu | Kong | Discard):
            return Refusal("wrong_phase", {"phase": "turn"})
        wins = bars.wins_now(s, seat)
        if isinstance(action, Hu):
            return None if wins else Refusal("cannot_win", {})
        if wins and bars.closing(s):
            return Refusal("must_win")
        kind = tile(action.t)
        if isinstance(action, Kong):
            return _barred(bars.bar_kong(s, seat, kind), action.t)
        call = 0 if action.call is UNSET else t.SUNG if action.call == "sing" else t.DANCED
        return _barred(bars.bar_discard(s, seat, kind, call, bars.shown_to(s, seat)), action.t)

    def _refuse_claim(self, s: t.Table, seat: Seat, action: Action) -> Refusal | None:
        b = s.b
        phase, actor, kind = b[t.PHASE], int(b[t.ACTOR]), int(b[t.TILE])
        name = observation.NAMES[kind]
        mine = 0 <= seat < t.SEATS
        if mine and b[seat * t.CELLS + t.ANSWER]:
            return Refusal("already_answered")
        if b[t.ASKED] == 0:  # a window in which nobody is asked occurs only in the view of a pause (X6)
            return Refusal("not_your_turn", {"seats": [actor]})
        if not isinstance(action, Hu | Kong | Pong | Pass):
            return Refusal("wrong_phase", {"phase": PHASES[phase]})
        if not mine or seat == actor:
            return Refusal("not_your_turn", {"seats": [actor]})
        found = b[seat * t.CELLS + t.OPEN]
        if isinstance(action, Hu):
            by = t.ROBBED if phase == t.ROB else t.DISCARD
            return _barred(bars.bar_hu(s, seat, kind, by), name)
        if found & t.HU and bars.closing(s):
            return Refusal("must_win")
        if isinstance(action, Pass):
            return None if found else Refusal("not_your_turn", {"seats": [actor]})
        if phase == t.ROB:
            return Refusal("wrong_phase", {"phase": "rob"})
        if isinstance(action, Pong):
            return _barred(bars.bar_pong(s, seat, kind), name)
        code = bars.bar_claimed_kong(s, seat, kind)
        if code != bars.KONG_OFF and tile(action.t) != kind:
            code = bars.NO_KONG
        return _barred(code, action.t)

    def _refuse_setup(self, state: State, s: t.Table, seat: Seat, action: Action) -> Refusal | None:
        b = s.b
        phase = b[t.PHASE]
        verbs = {t.HORSE: (Horse, Pass), t.SWAP: (Swap,), t.VOIDING: (Void,)}.get(int(phase), ())
        if not isinstance(action, verbs):
            return Refusal("wrong_phase", {"phase": PHASES[phase]})
        turn = observation.asked(state)
        if phase == t.HORSE:
            return None if seat in turn else Refusal("not_your_turn", {"seats": list(turn)})
        if not 0 <= seat < t.SEATS:
            return Refusal("not_your_turn", {"seats": list(turn)})
        if seat not in turn:
            return Refusal("already_answered")
        if isinstance(action, Swap):
            kinds = [tile(name) for name in action.t]
            for kind in kinds:
                if kinds.count(kind) > b[t.HANDS + seat * t.KINDS + kind]:
                    return Refusal("not_in_hand", {"t": observation.NAMES[kind]})
            if len(kinds) != 3 or len({kind // 9 for kind in kinds}) != 1:
                return Refusal("bad_swap")
        return None

    # steps --------------------------------------------------------------------------------------------------------

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Return the result of an action, with its events, and the even pause after a tile thrown or added."""
        s = self.table(state)
        if isinstance(action, Dice):
            s.b[t.DEALER] = first_dealer(action.d)
            s.b[t.PHASE] = t.DEAL
            return Step(msgspec.structs.replace(freeze(s, state), dice=action.d))
        if isinstance(action, Deal):
            for i, kind in enumerate(tiles_of(action.wall)):
                s.b[t.WALL + i] = kind
            flow.deal_out(s)
            return stepped(freeze(s, state), Dealt(state.deal, int(s.b[t.DEALER])))
        if isinstance(action, Die):
            flow.exchange(s, action.d)
            after = freeze(s, state)
            return stepped(after, *observation.exchanged(after, action.d))
        play.begin(s, seat, code_of(action))
        middle = freeze(s, state)
        waits = middle.cells[t.PHASE] in WINDOWS
        if not waits or middle.cells[t.ASKED]:
            opened = waits and state.cells[t.PHASE] == t.TURN
            return stepped(
                middle, *observation.told_between(self.cells, state, middle), conceal_ms=self._pause if opened else 0
            )
        play.settle(s)
        after = freeze(s, state, middle)  # during the pause it must look as if somebody were asked (README X6)
        if state.cells[t.PHASE] in WINDOWS:
            return stepped(after, *observation.told_between(self.cells, state, after))
        return stepped(
            after,
            *observation.told_between(self.cells, state, middle),
            conceal_ms=self._pause,
            later=observation.told_between(self.cells, middle, after),
        )

    @property
    def _pause(self) -> int:
        return self.options.claim_seconds * 1000

    def chance(self, state: State, rng: Rng) -> Action:
        """Throw the dice, shuffle the wall, throw the die (3.4, 3.5, 4.2, platform P-92)."""
        phase = state.cells[t.PHASE]
        if phase == t.DICE:
            return Dice((rng.below(6) + 1, rng.below(6) + 1))
        if phase == t.DIE:
            return Die(rng.below(6) + 1)
        return Deal(written(index // 4 for index in rng.shuffled(range(t.TILES))))

    # views and ends -----------------------------------------------------------------------------------------------

    def observe(self, state: State, seat: Seat | None) -> View:
        """Return the view of a seat. seat None: a watcher."""
        return observation.observe(self.house, state, seat)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return a random state that fits this view."""
        return imagine(self.cells, view, rng)

    def outcome(self, state: State) -> Outcome | None:
        """Return chips, places and who deals next; the bench follows the seats, in its order (6.8)."""
        b = state.cells
        if b[t.PHASE] != t.END:
            return None
        points = full_ledger(self.table(state), len(state.bench))
        seats, bench = points[: t.SEATS], points[t.SEATS :]
        places = [1 + sum(other > mine for other in among) for among in (seats, bench) for mine in among]
        why = "won" if b[t.ENDED] == 1 else "exhausted"
        return Outcome(points, tuple(places), why, Carry(state.deal + 1, observation.next_dealer(state)))


def full_ledger(s: t.Table, horses: int) -> tuple[int, ...]:
    """Return the chips of the four seats, then of the given number of buyers, horses included."""
    out = buffer(t.SEATS + t.MOST_HORSES, 64)
    money.balance_all(s, horses, out)
    return tuple(int(out[i]) for i in range(t.SEATS + horses))


def _barred(code: int, name: str) -> Refusal | None:
    return Refusal(bars.CODES[code], {"t": name}) if code else None
