"""Positions of gouji as text: the six hands by seat, who leads, and what has been played to the trick (P-74).

`33388X/AA2/34/5/-/77 lead:2 out:4 2:34 3:pass`; `after:013245` is the order of the deal before, whose tribute is due.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qipai.core.contract import BadNotation, Seat
from qipai.core.entry import Setup
from qipai.core.kernel import pour
from qipai.games.gouji import observation
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.kernel.sets import holds
from qipai.games.gouji.notation import PACK, WORDS
from qipai.games.gouji.options import Options
from qipai.games.gouji.rules import Gouji, freeze, thaw
from qipai.games.gouji.state import Action, Play, Return, State
from qipai.kit.positions import fill, hands_of, live_one, played_on, retraced, unfit, words

__all__ = ["SETUP", "read", "write"]

DEALT: Final = 36  # cards of a seat
NAMED: Final = ("lead", "out", "fell", "last", "duty", "after")
ACTS: Final[dict[str, Action]] = {str(action.__struct_config__.tag): action for action in WORDS.values()}
# What must be the same where a trick was retraced; the rest follows from it, or is how it came about.
SAME: Final = (
    t.PHASE, t.TURN, t.TOP, t.OWNER, t.RESTRICTED, t.PASSED, t.WIND, t.SUSPENDED, t.DEAD_TOP, t.DEAD_ANSWER,
    t.TANGLE, t.LIVE,
)  # fmt: skip


def read(options: Options, text: str, seats: int | None = None) -> State:
    """Return the deal that a text stands for; raises BadNotation("bad_position")."""
    found = words(text, NAMED)
    hands = hands_of(PACK, found.place, t.SEATS)
    out, fell = found.seats("out", t.SEATS), found.seats("fell", t.SEATS)
    for seat in out:
        if seat in fell:
            raise unfit("seat_twice", seat=seat, word="fell")
    live_one(hands, (*out, *fell))
    lead = found.seat("lead", t.SEATS, next((seat for seat in range(t.SEATS) if hands[seat]), 0))
    if not hands[lead]:
        raise unfit("gone_leads", seat=lead)
    after = found.seats("after", t.SEATS)
    if after and (len(after) != t.SEATS or out or fell):
        raise unfit("bad_order")
    if after and options.tribute == "on" and min(map(len, hands)) < len("xxXX"):
        raise unfit("tribute_cards", n=len("xxXX"))
    last = found.seat("last", t.SEATS, out[-1] if out else fell[-1] if fell else -1)
    if last >= 0 and last not in (*out[-1:], *fell[-1:]):
        raise unfit("bad_last", seat=last)
    state = _placed(
        Gouji(options), hands, lead, out, fell, after, last, _duties(found.named.get("duty", ""), hands, out)
    )
    return played_on(Gouji(options), state, found.moves, _act)


def _duties(text: str, hands: Sequence[str], out: Sequence[Seat]) -> tuple[int, ...]:
    """Return whom each seat has burned and owes it to, -1 for nobody; raises BadNotation."""
    bound = [-1] * t.SEATS
    for word in filter(None, text.split(",")):
        if len(word) != 2 or not all(sign in "012345" for sign in word) or word[0] == word[1]:
            raise unfit("bad_word", word=f"duty:{text}"[:40])
        if not hands[int(word[0])] or len(out) >= 2:
            raise unfit("no_duty", seat=int(word[0]))
        bound[int(word[0])] = int(word[1])
    return tuple(bound)


def _placed(
    rules: Gouji,
    hands: Sequence[str],
    lead: Seat,
    out: Sequence[Seat],
    fell: Sequence[Seat],
    after: Sequence[Seat],
    last: Seat,
    duties: Sequence[int],
) -> State:
    """Return the deal before the first set of a trick; raises BadNotation where it would be over."""
    if _decided(rules.options, [seat for seat in range(t.SEATS) if seat not in (*out, *fell)]):
        raise unfit("over")
    state = rules.place(hands, lead, out, fell, after or None)
    s = thaw(state)
    if s.reg[t.PHASE] == t.LEAD and duties[lead] >= 0 and not holds(s.hands, lead * t.CARDS):
        raise unfit("no_duty", seat=lead)
    if last >= 0:
        s.reg[t.LAST] = last
    pour(s.bound, duties)
    fill(PACK, hands, DEALT, s.played)
    return freeze(s, state)


def _decided(options: Options, live: Sequence[Seat]) -> bool:
    """Tell whether the deal is over with these seats in play (R25)."""
    return len(live) < 2 or (options.end_when_decided and len({seat % 2 for seat in live}) < 2)


def _act(state: State, word: str) -> Action | None:
    """Return the action that a word stands for: cards, or the name of another."""
    if (named := ACTS.get(word)) is not None:
        return named
    try:
        cards = PACK.write(PACK.read(word))
    except BadNotation:
        return None
    return Return(cards) if state.reg[t.PHASE] == t.TRIBUTE else Play(cards)


def write(options: Options, state: State) -> str:
    """Return the text of a deal; raises BadNotation for one that has not begun or is over."""
    reg = state.reg
    if reg[t.PHASE] in (t.DEAL, t.OVER):
        raise unfit("over" if reg[t.PHASE] == t.OVER else "not_begun")
    if reg[t.PHASE] == t.TRIBUTE:
        return _before_returns(state)
    rules = Gouji(options)
    hands = [list(observation.hand_of(state, seat)) for seat in range(t.SEATS)]
    for each in state.trick:
        for card, n in enumerate(PACK.read(each.cards)):
            hands[each.seat][card] += n
    texts = [PACK.write(hand) for hand in hands]
    gone = [seat for seat in state.out[: reg[t.OUTS]] if not texts[seat]]
    fell = list(state.fell[: reg[t.FELLS]])
    last = reg[t.LAST] if reg[t.LAST] in (*gone, *fell) else gone[-1] if gone else fell[-1] if fell else -1
    lead = state.trick[0].seat if state.trick else reg[t.TURN]
    said = (texts, lead, gone, fell, last)
    if not state.trick:
        return _said(*said, state.bound)
    plays = [(each.seat, each.cards) for each in state.trick]
    for kept in _earlier_duties(state):
        if len(gone) >= 2:
            kept = (-1,) * t.SEATS
        try:
            start = _placed(rules, texts, lead, gone, fell, (), last, kept)
        except BadNotation:
            continue
        moves = retraced(
            start, plays, rules, _act, lambda now, seat: _between(state, now, seat), lambda now: _same(state, now)
        )
        if moves is not None:
            return _said(*said, kept, moves)
    raise unfit("unwritable")


def _earlier_duties(state: State) -> list[tuple[int, ...]]:
    """Return which duties there may have been when the trick began: those there are, but for burns of this trick."""
    players = {each.seat for each in state.trick}
    without = tuple(-1 if seat in players else burned for seat, burned in enumerate(state.bound))
    found = [without]
    for seat in sorted(players):
        if state.bound[seat] >= 0:
            found += [replace_at(one, seat, state.bound[seat]) for one in found]
    # a duty that ended in this trick, with a last card or the tangle
    for seat in sorted(players):
        if state.bound[seat] < 0:
            found += [replace_at(one, seat, (seat + 3) % t.SEATS) for one in found]
    return found[:64]


def replace_at(values: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    """Return a tuple with one value replaced."""
    return (*values[:at], value, *values[at + 1 :])


def _between(goal: State, now: State, seat: Seat | None) -> tuple[Seat, str] | None:
    """Return what is done before a seat plays its set, or before the goal is reached."""
    phase, turn = now.reg[t.PHASE], observation.asked(now)
    if phase == t.BURN:
        if seat is None and goal.reg[t.PHASE] == t.BURN:
            return None
        burner = seat if seat is not None else goal.reg[t.TURN] if goal.reg[t.PHASE] == t.BURN_PLAY else -1
        return (turn[0], "burn" if turn[0] == burner else "no_burn")
    if not turn or turn[0] == seat or phase == t.BURN_PLAY or phase == t.LEAD:
        return None
    if phase == t.CLOSE and seat is None:
        return (turn[0], "wind") if goal.reg[t.WIND] == turn[0] else (turn[0], "pass")
    return (turn[0], "wind") if seat is None and goal.reg[t.WIND] == turn[0] else (turn[0], "pass")


def _same(goal: State, now: State) -> bool:
    """Tell whether the same is asked of the same seats with the same cards."""
    burning = goal.reg[t.PHASE] == t.BURN
    cells = [cell for cell in SAME if not (burning and cell == t.TURN)]
    return (
        all(goal.reg[cell] == now.reg[cell] for cell in cells) and goal.hands == now.hands and goal.bound == now.bound
    )


def _before_returns(state: State) -> str:
    """Return the text of a deal whose tribute is being returned: the hands as dealt, and the returns given."""
    hands = [list(observation.hand_of(state, seat)) for seat in range(t.SEATS)]
    moves = []
    for at in range(0, t.DEBTS * t.DEBT_CELLS, t.DEBT_CELLS):
        debt = t.Debt(*state.debts[at : at + t.DEBT_CELLS])
        if debt.payer < 0:
            continue
        given = [card for card in (debt.back_low, debt.back_high) if card >= 0][: debt.back]
        if given:
            moves.append((debt.to, "".join(PACK.names[card] for card in given)))
        for card in given:
            hands[debt.to][card] += 1
            hands[debt.payer][card] -= 1
        for card, n in ((t.TWO, debt.paid_twos), (t.SMALL, debt.paid_smalls), (t.BIG, debt.paid_bigs)):
            hands[debt.payer][card] += n
            hands[debt.to][card] -= n
    texts = [PACK.write(hand) for hand in hands]
    return _said(texts, state.leader, (), (), -1, (-1,) * t.SEATS, moves, state.previous or ())


def _said(
    hands: Sequence[str],
    lead: Seat,
    out: Sequence[Seat],
    fell: Sequence[Seat],
    last: Seat,
    duties: Sequence[int],
    moves: Sequence[tuple[Seat, str]] = (),
    after: Sequence[Seat] = (),
) -> str:
    """Return the text of a position."""
    found = ["/".join(hand or "-" for hand in hands), f"lead:{lead}"]
    if out:
        found.append("out:" + "".join(map(str, out)))
    if fell:
        found.append("fell:" + "".join(map(str, fell)))
    if last != (out[-1] if out else fell[-1] if fell else -1):
        found.append(f"last:{last}")
    if max(duties) >= 0:
        found.append("duty:" + ",".join(f"{seat}{burned}" for seat, burned in enumerate(duties) if burned >= 0))
    if after:
        found.append("after:" + "".join(map(str, after)))
    return " ".join([*found, *(f"{seat}:{word}" for seat, word in moves)])


SETUP: Final = Setup(read, write)
