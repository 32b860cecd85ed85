"""The conformance kinds of mahjong (12), one function each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from qipai.core.contract import NATURE
from qipai.core.entry import Kind, as_action
from qipai.core.kernel import frozen
from qipai.games.mahjong import observation
from qipai.games.mahjong.kernel import fan, flow, forms, money
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.notation import (
    BY,
    KONGS,
    LINES,
    NAMES,
    PHASES,
    SUITS,
    items_of,
    mask_of,
    named,
    tile,
    tiles_of,
)
from qipai.games.mahjong.options import ITEMS, Options
from qipai.games.mahjong.rules import Mahjong, cells, first_dealer, full_ledger
from qipai.games.mahjong.state import Action, Deal, Die, State

__all__ = ["KINDS", "fine_of", "horse_seat"]

Given = Mapping[str, Any]
Json = Any


def _options(given: Given) -> Options:
    return msgspec.convert(given.get("options") or {}, Options)


def _table(given: Given, pays: int = t.MOST_PAYS) -> t.Table:
    return t.new_table(cells(_options(given)), forms.forms(), pays)


def _lay(s: t.Table, seat: int, melds: Iterable[Given]) -> None:
    for meld in melds:
        kind = KONGS.index(meld.get("kind", "direct")) if meld["k"] == "kong" else t.PUNG
        t.add_meld(s, seat, tile(meld["t"]), kind, -1)


def _hand(given: Given, extra: Sequence[int] = ()) -> t.Table | None:
    """Return a table at which seat 0 holds the hand; None when a kind would occur more than four times."""
    s = _table(given)
    kinds = [*tiles_of(given["hand"]), *extra]
    counts = Counter(kinds)
    for meld in given.get("melds") or ():
        counts[tile(meld["t"])] += 4 if meld["k"] == "kong" else 3
    _lay(s, 0, given.get("melds") or ())
    if given.get("void"):
        s.b[t.VOID] = SUITS.index(given["void"])
    if max(counts.values(), default=0) > 4:
        return None
    for kind in kinds:
        t.give(s, 0, kind)
    return s


def is_win(given: Given) -> Json:
    """Say whether a hand wins, and in which shapes."""
    s = _hand(given)
    shapes = []
    if s is not None and s.b[t.HELD] == 14 - 3 * s.b[t.MELDS] and forms.is_whole(s, 0):
        b = s.b
        if b[t.MELDS] == 0 and b[t.ODD] == 0:
            shapes.append("seven_pairs")
        # with an odd kind there are no seven pairs: what still wins is standard
        if forms.whole(s.forms, b[t.KEYS], b[t.KEYS + 1], b[t.KEYS + 2], 1, b[t.MELDS], b[t.MELD_SUITS], b[t.VOID]):
            shapes.append("std")
    return {"win": bool(shapes), "shapes": shapes}


def waits(given: Given) -> Json:
    """List the waits of a hand."""
    s = _hand(given)
    found = named(int(forms.waits(s, 0))) if s is not None and s.b[t.HELD] == 13 - 3 * s.b[t.MELDS] else ()
    return {"waits": list(found), "ready": bool(found)}


def fans(given: Given) -> Json:
    """Value a winning hand."""
    s = _hand(given)
    assert s is not None
    kind, by = tile(given["tile"]), given["by"]
    moment = sum(1 << ITEMS.index(flag) for flag in given.get("flags") or ())
    if by == "rob":
        moment |= 1 << fan.QIANG_GANG
    if by == "self" and s.b[t.O_SELF] == 2:
        moment |= 1 << fan.ZI_MO
    sole = t.bits(forms.waits(s, 0)) == 1
    t.give(s, 0, kind)
    found = int(fan.fan(s, 0, kind, moment, sole, fan.BEST))
    worth = items_of(int(s.b[t.ITEMS]), tuple(int(s.b[t.O_FAN + i]) for i in range(len(ITEMS))))
    return {"fan": found, "value": int(fan.chips(s.b, found)), "items": worth}


def _items(found: Json, expect: Json) -> str | None:
    """Return the first difference; items are compared whole."""
    for key, want in expect.items():
        if found.get(key) != want:
            return f".{key}: {found.get(key)} instead of {want}"
    return None


def cha_jiao(given: Given) -> Json:
    """Value a ready hand at the end of the wall, at its greatest and at its smallest."""
    s = _hand(given)
    assert s is not None
    found: dict[str, Json] = {}
    for name, which in (("da", fan.GREATEST), ("xiao", fan.LEAST)):
        fan_of = int(money.checked(s, 0, which))
        found[name] = None if fan_of < 0 else {"fan": fan_of, "value": int(fan.chips(s.b, fan_of))}
    return found


def pig(given: Given) -> Json:
    """Say whether a hand is a flower pig."""
    s = _hand(given)
    assert s is not None
    return {"pig": bool(forms.is_pig(s, 0))}


def settle(given: Given) -> Json:
    """Apply payments to an empty ledger."""
    s = _table(given, 1024)
    b = s.b
    owners = [horse["owner"] for horse in given.get("horses") or ()]
    for i, horse in enumerate(given.get("horses") or ()):
        b[t.HORSES + 2 * i], b[t.HORSES + 2 * i + 1] = 0, horse["seat"]
    events = list(given["events"])
    while events:
        event = events.pop(0)
        if event["e"] == "kong":
            money.pay_kong(s, event["seat"], KONGS.index(event["kind"]), event.get("from", -1), b[t.KONGS])
            b[t.KONGS] += 1
        elif event["e"] == "win":
            group = [event]
            while events and event.get("tile_no") is not None and events[0].get("tile_no") == event["tile_no"]:
                group.append(events.pop(0))
            winners = 0
            for win in group:
                giver = -1 if win["by"] == "self" else win["from"]
                money.pay_win(s, win["seat"], BY.index(win["by"]), giver, win["fan"], 0)
                winners |= 1 << win["seat"]
            if event.get("after_kong") and event["by"] == "discard" and b[t.O_TRANSFER]:
                money.transfer(s, event["from"], b[t.KONGS] - 1, winners)
            b[t.LIVE] &= ~winners
        else:
            melds, voids = event.get("melds") or [[]] * 4, event.get("voids")
            for seat, hand in enumerate(event["hands"]):
                if hand is None:
                    b[t.LIVE] &= ~(1 << seat)
                    continue
                _lay(s, seat, melds[seat] or ())
                if voids and voids[seat]:
                    b[seat * t.CELLS + t.VOID] = SUITS.index(voids[seat])
                for kind in tiles_of(hand):
                    t.give(s, seat, kind)
            money.settle_checks(s)
    names = [*map(str, range(t.SEATS)), *owners]
    return {"ledger": dict(zip(names, full_ledger(s, len(owners)), strict=True))}


def horse_seat(dealer: int, kind: int) -> int:
    """Return the seat whose fate a horse shares (R31)."""
    return (dealer + kind % 9) % t.SEATS


def fine_of(options: Options, hands_done: int) -> int:
    """Return the fine for leaving after so many hands (R33)."""
    return max(0, options.min_rounds * options.hands_per_round - hands_done) * options.leave_fine * options.base


def deal(given: Given) -> Json:
    """Deal a wall."""
    s = _table(given)
    for i, kind in enumerate(tiles_of(given["wall"])):
        s.b[t.WALL + i] = kind
    s.b[t.DEALER] = given["dealer"]
    flow.deal_out(s)
    return {
        "hands": [observation.hand_of(s.b, seat) for seat in range(t.SEATS)],
        "drawn": NAMES[s.b[t.DRAWN]],
        "wall_left": int(s.b[t.BACK] - s.b[t.FRONT]),
        "next": NAMES[s.b[t.WALL + s.b[t.FRONT]]],
    }


# positions and scripts -----------------------------------------------------------------------------------------------


class Play:
    """A hand that a case sets up, and what it says of it."""

    def __init__(self, given: Given) -> None:
        self.rules = Mahjong(_options(given))
        self.die = given.get("die")
        names = given.get("bench")
        if names is None:
            names = [horse["owner"] for horse in given.get("horses") or ()]
        self.bench = {name: t.SEATS + i for i, name in enumerate(names)}
        if given.get("deal") or "hands" not in given:
            bench = tuple(self.bench.values())
            state = self.rules.start({"deal": 1, "dealer": given["dealer"]}, bench)
            self.state: State = self.rules.apply(state, NATURE, Deal(given["wall"])).state
        else:
            self.state = self._placed(given)

    def _placed(self, given: Given) -> State:
        s = t.new_table(self.rules.cells, forms.forms())
        b = s.b
        for seat in range(t.SEATS):
            for kind in tiles_of(given["hands"][seat] or ""):
                t.give(s, seat, kind)
            _lay(s, seat, (given.get("melds") or [[]] * 4)[seat] or ())
            if given.get("voids") and given["voids"][seat]:
                b[seat * t.CELLS + t.VOID] = SUITS.index(given["voids"][seat])
        wall = tiles_of(given.get("wall") or "")
        for i, kind in enumerate(wall):
            b[t.WALL + i] = kind
        b[t.BACK] = len(wall)
        b[t.DEALER] = given.get("dealer") or 0
        b[t.ACTOR] = b[t.DEALER] if given.get("turn") is None else given["turn"]
        b[t.PHASE] = t.TURN
        if given.get("drawn"):
            b[t.DRAWN] = tile(given["drawn"])
            b[b[t.ACTOR] * t.CELLS + t.DRAWS] = 1
        b[t.FRESH] = int(given.get("fresh") or False)
        if given.get("replacement"):
            b[t.REPLACED] = t.CONCEALED
            b[t.KONGS] = 1
        for seat in given.get("won") or ():
            b[t.LIVE] &= ~(1 << seat)
        for seat in given.get("sung") or ():
            b[seat * t.CELLS + t.CALLED] |= t.SUNG
        for name, shown in (given.get("danced") or {}).items():
            b[int(name) * t.CELLS + t.CALLED] |= t.DANCED
            b[int(name) * t.CELLS + t.SHOWN] = mask_of(shown)
        for i, horse in enumerate(given.get("horses") or ()):
            b[t.HORSES + 2 * i], b[t.HORSES + 2 * i + 1] = 0, horse["seat"]
        b[t.BENCH] = b[t.HORSE_AT] = len(self.bench)
        cell = frozen(b)[: t.STATE]
        return State(1, None, tuple(self.bench.values()), None, cell, ())

    def seat(self, name: Json) -> int:
        """Return the number of a seat or a bench member."""
        return int(self.bench[name]) if name in self.bench else int(name)

    def throw(self) -> None:
        """Let the die fall when it is due."""
        if self.state.cells[t.PHASE] == t.DIE:
            self.state = self.rules.apply(self.state, NATURE, Die(self.die or 1)).state

    def act(self, name: Json, raw: Json) -> str | None:
        """Take an action and return None, or return the code with which it is refused."""
        seat = self.seat(name)
        if raw == {"a": "timeout"}:
            action: Any = self.rules.idle(self.state, seat)
        else:
            action = as_action(Action, raw)
        refusal = self.rules.refuse(self.state, seat, action)
        if refusal is not None:
            return refusal.code
        self.state = self.rules.apply(self.state, seat, action).state
        self.throw()
        return None

    def legal(self) -> dict[str, list[Json]]:
        """Return the legal actions of all who have any."""
        named_seats = {**{str(seat): seat for seat in range(t.SEATS)}, **self.bench}
        listed = {name: list(self.rules.legal(self.state, seat)) for name, seat in named_seats.items()}
        # by way of JSON: a swap's tiles are a tuple here, and a case has them as a list
        return {name: msgspec.json.decode(msgspec.json.encode(actions)) for name, actions in listed.items() if actions}

    def facts(self) -> dict[str, Json]:
        """Return all facts that a check may ask for."""
        b, view = self.state.cells, self.rules.observe(self.state, None)
        names = [*map(str, range(t.SEATS)), *self.bench]
        return {
            "phase": PHASES[b[t.PHASE]],
            "turn": b[t.ACTOR] if b[t.PHASE] == t.TURN else None,
            "ledger": list(view.ledger),
            "full_ledger": dict(zip(names, view.full, strict=True)),
            "winners": [[win.seat, win.by, win.t, win.fan] for win in view.wins],
            "end": view.end,
            "next_dealer": observation.next_dealer(self.state),
            "wall_left": view.wall_left,
            "hand": {str(seat): observation.hand_of(b, seat) for seat in range(t.SEATS)},
            "melds": {str(seat): [[meld.k, meld.t] for meld in melds] for seat, melds in enumerate(view.melds)},
            "transfers": [[pay.payer, pay.payee, pay.amount, pay.kind] for pay in view.payments],
            "legal": self.legal(),
            "locks": {
                str(seat): {
                    LINES[i]: worth
                    for i, worth in enumerate(b[t.LOCKS + seat * 9 : t.LOCKS + seat * 9 + 9])
                    if worth >= 0
                }
                for seat in range(t.SEATS)
            },
        }


def _differs(found: Json, expect: Json) -> str | None:
    """Return the first difference of facts: `legal` and `transfers` in any order, objects on the keys asked for."""
    if isinstance(found, Mapping) and "wrong" in found:
        return str(found["wrong"])
    for key, want in expect.items():
        have = found.get(key)
        if key == "transfers":
            have, want = sorted(map(tuple, have)), sorted(map(tuple, want))
        elif key == "legal":
            have, want = _listed(have), _listed(want)
        elif isinstance(want, Mapping) and isinstance(have, Mapping):
            have = {name: have.get(name) for name in want}
        if have != want:
            return f".{key}: {have} instead of {want}"
    return None


def _listed(lists: Mapping[str, Sequence[Json]]) -> dict[str, list[list[tuple[str, Json]]]]:
    return {name: sorted(sorted(action.items()) for action in actions) for name, actions in lists.items() if actions}


def _run(given: Given) -> Json:
    play = Play(given)
    total = 0
    for number, step in enumerate(given.get("actions") or ()):
        if step[0] is None:
            wrong = _differs(play.facts(), step[1]["check"])
            if wrong:
                return {"wrong": f"check at step {number}: {wrong}"}
            continue
        total += sum(len(actions) for actions in play.legal().values()) if given.get("count") else 0
        want = step[2]["error"] if len(step) > 2 else None
        code = play.act(step[0], step[1])
        if code != want:
            return {"wrong": f"step {number} {step[:2]}: refused with {code} instead of {want}"}
    return {**play.facts(), "legal_sum": total}


def legal(given: Given) -> Json:
    """List the legal actions of a position."""
    return _run(given)


def script(given: Given) -> Json:
    """Run a script."""
    return _run(given)


def replay(given: Given) -> Json:
    """Play a whole hand and count the legal actions on the way."""
    return _run({**given, "count": True})


KINDS: Final = {
    "is_win": Kind(is_win),
    "waits": Kind(waits),
    "fan": Kind(fans, _items),
    "cha_jiao": Kind(cha_jiao),
    "pig": Kind(pig),
    "settle": Kind(settle),
    "horse_seat": Kind(lambda given: {"seat": horse_seat(given["dealer"], tile(given["tile"]))}),
    "deal": Kind(deal),
    "first_dealer": Kind(lambda given: {"dealer": first_dealer(given["dice"])}),
    "fine": Kind(lambda given: {"fine": fine_of(_options(given), given["hands_done"])}),
    "legal": Kind(legal, _differs),
    "script": Kind(script, _differs),
    "replay": Kind(replay, _differs),
}
