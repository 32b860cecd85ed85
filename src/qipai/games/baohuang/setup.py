"""Positions of baohuang as text: the five hands by seat, the roles, who leads, what was played to the trick (P-74).

`677x/99X*/…/…/- mode:pair emperor:1 guard:0 lead:1 out:4 opened 1:99 2:pass`. Without a mode it is the deal before its
first question: whoever holds the marked cards has the roles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from qipai.core.contract import BadNotation, Seat
from qipai.core.entry import Setup
from qipai.games.baohuang import observation
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.notation import MODES, PACK, WORDS
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.rules import Baohuang, freeze, thaw
from qipai.games.baohuang.state import Action, Play, State
from qipai.kit.positions import Words, fill, hands_of, live_one, played_on, retraced, unfit, words

__all__ = ["SETUP", "read", "write"]

DEALT: Final = 33  # cards of a seat
NAMED: Final = ("mode", "emperor", "guard", "crown", "lead", "out")
FLAGS: Final = ("opened", "kicked", "shown")
ACTS: Final[dict[str, Action]] = {str(action.__struct_config__.tag): action for action in WORDS.values()}
SAME: Final = (t.PHASE, t.TURN, t.TOP, t.OWNER, t.LIVE, t.PUBLIC)  # where a trick was retraced


def read(options: Options, text: str, seats: int | None = None) -> State:
    """Return the deal that a text stands for; raises BadNotation("bad_position")."""
    found = words(text, NAMED, FLAGS)
    rules = Baohuang(options)
    hands = hands_of(PACK, found.place, t.SEATS)
    out = found.seats("out", t.SEATS)
    live_one(hands, out)
    if "mode" not in found.named:
        if out or found.named or found.flags:
            raise unfit("no_mode")
        for name in ("X*", "x*"):
            if not any(name in hand for hand in hands):
                raise unfit("no_mark", card=name)
        return played_on(rules, _filled(rules.place(hands), hands), found.moves, _act)
    return played_on(rules, _placed(rules, hands, _roles(found, hands, out)), found.moves, _act)


def _roles(found: Words, hands: Sequence[str], out: Sequence[Seat]) -> dict[str, Any]:
    """Return the roles as `Baohuang.place` takes them; raises BadNotation."""
    mode = found.named["mode"]
    if mode not in MODES[1:]:
        raise unfit("bad_mode", mode=mode[:20])
    crown, sword = (next((seat for seat, hand in enumerate(hands) if name in hand), -1) for name in ("X*", "x*"))
    emperor, guard = found.seat("emperor", t.SEATS, crown), found.seat("guard", t.SEATS, sword)
    if emperor < 0:
        raise unfit("no_emperor")
    shown = "shown" in found.flags
    grabbed = mode == "solo_open" and not shown
    if not grabbed and crown not in (-1, emperor):
        raise unfit("not_holder", card="X*", seat=emperor)
    holder = guard if mode == "pair" else emperor
    if not grabbed and sword not in (-1, holder):
        raise unfit("not_holder", card="x*", seat=holder)
    if mode == "pair" and (guard < 0 or guard == emperor):
        raise unfit("no_guard")
    if "kicked" in found.flags and "opened" not in found.flags and mode != "solo_open":
        raise unfit("kick_unopened")
    lead = found.seat("lead", t.SEATS, emperor if hands[emperor] else next(s for s in range(t.SEATS) if hands[s]))
    if not hands[lead]:
        raise unfit("gone_leads", seat=lead)
    if len(out) >= t.SEATS - 1 or _decided(mode, emperor, guard, out):
        raise unfit("over")
    return {
        "mode": mode,
        "emperor": emperor,
        "guard": guard if mode == "pair" else None,
        "opened": "opened" in found.flags or mode == "solo_open",
        "kicked": "kicked" in found.flags,
        "out": out,
        "leader": lead,
        "crown": crown if crown >= 0 else found.seat("crown", t.SEATS, -1 if grabbed else emperor),
        "shown": shown or (not grabbed and sword < 0),
    }


def _decided(mode: str, emperor: Seat, guard: Seat, out: Sequence[Seat]) -> bool:
    """Tell whether a solo is over: the emperor is out."""
    return mode != "pair" and emperor in out


def _placed(rules: Baohuang, hands: Sequence[str], roles: Mapping[str, Any]) -> State:
    """Return the deal before the first set of a trick."""
    state = rules.place(hands, roles)
    s = thaw(state)
    r = s.reg
    r[t.KEEPER] = roles["crown"]
    if roles["shown"]:
        r[t.VOID] = 0
        r[t.PUBLIC] = r[t.GUARD] if r[t.MODE] == t.PAIR else r[t.EMPEROR]
    return _filled(freeze(s, state), hands)


def _filled(state: State, hands: Sequence[str]) -> State:
    s = thaw(state)
    fill(PACK, hands, DEALT, s.played)
    return freeze(s, state)


def _act(state: State, word: str) -> Action | None:
    """Return the action that a word stands for: cards, or the name of another."""
    if (named := ACTS.get(word)) is not None:
        return named
    try:
        return Play(PACK.write(PACK.read(word)))
    except BadNotation:
        return None


def write(options: Options, state: State) -> str:
    """Return the text of a deal; raises BadNotation for one that has not begun or is over."""
    r = state.reg
    if r[t.PHASE] in (t.DEAL, t.OVER):
        raise unfit("over" if r[t.PHASE] == t.OVER else "not_begun")
    hands = [list(observation.hand_of(state, seat)) for seat in range(t.SEATS)]
    rules = Baohuang(options)
    if r[t.PHASE] < t.LEAD:
        if r[t.YIELDED] >= 0:
            hands[r[t.EMPEROR]][t.CROWN] -= 1
            hands[r[t.YIELDED]][t.CROWN] += 1
        texts = [PACK.write(hand) for hand in hands]
        start = _filled(rules.place(texts), texts)
        moves = retraced(start, (), rules, _act, lambda now, _: _opening(state, now), lambda now: _asked(state, now))
        if moves is None:
            raise unfit("unwritable")
        return " ".join(["/".join(texts), *(f"{seat}:{word}" for seat, word in moves)])
    for each in state.trick:
        for card, n in enumerate(PACK.read(each.cards)):
            hands[each.seat][card] += n
    texts = [PACK.write(hand) for hand in hands]
    out = [seat for seat in state.out[: r[t.OUTS]] if not texts[seat]]
    sword_held = any(hand[t.SWORD] for hand in hands)
    played_now = any("x*" in each.cards for each in state.trick)
    shown = r[t.PUBLIC] >= 0 and not (played_now and not r[t.OPENED] and r[t.YIELDED] < 0)
    roles = {
        "mode": MODES[r[t.MODE]],
        "emperor": r[t.EMPEROR],
        "guard": r[t.GUARD] if r[t.MODE] == t.PAIR else None,
        "opened": bool(r[t.OPENED]),
        "kicked": bool(r[t.KICKED]),
        "out": out,
        "leader": state.trick[0].seat if state.trick else r[t.TURN],
        "crown": r[t.KEEPER],
        "shown": shown or (not r[t.VOID] and not sword_held),
    }
    moves = []
    if state.trick:
        plays = [(each.seat, each.cards) for each in state.trick]
        start = _placed(rules, texts, roles)
        found = retraced(start, plays, rules, _act, _between, lambda now: _same(state, now))
        if found is None:
            raise unfit("unwritable")
        moves = found
    return _said(texts, roles, moves)


def _opening(goal: State, now: State) -> tuple[Seat, str] | None:
    """Return the next answer before play that leads to a state."""
    r, g = now.reg, goal.reg
    seat = r[t.TURN]
    yes, no, agreed = {
        t.GRAB: ("grab", "no_grab", g[t.VOID] and g[t.EMPEROR] == seat),
        t.YIELD: ("yield", "keep", g[t.YIELDED] == seat),
        t.REVEAL: ("reveal", "hide", g[t.OPENED] and not g[t.REBELS]),
        t.REBEL: ("rebel", "no_rebel", g[t.REBELS] >> seat & 1),
        t.KICK: ("kick", "no_kick", g[t.KICKERS] >> seat & 1),
    }[r[t.PHASE]]
    return seat, yes if agreed else no


def _asked(goal: State, now: State) -> bool:
    """Tell whether the same question is asked before play; who has answered it is not told by a text."""
    cells = (t.PHASE, t.EMPEROR, t.GUARD, t.MODE, t.OPENED, t.WINDOW, t.NEED, t.YIELDED)
    return all(goal.reg[cell] == now.reg[cell] for cell in cells)


def _between(now: State, seat: Seat | None) -> tuple[Seat, str] | None:
    turn = observation.asked(now)
    return None if not turn or turn[0] == seat or now.reg[t.PHASE] == t.LEAD else (turn[0], "pass")


def _same(goal: State, now: State) -> bool:
    return all(goal.reg[cell] == now.reg[cell] for cell in SAME) and goal.hands == now.hands


def _said(hands: Sequence[str], roles: Mapping[str, Any], moves: Sequence[tuple[Seat, str]]) -> str:
    """Return the text of a position."""
    found = ["/".join(hand or "-" for hand in hands), f"mode:{roles['mode']}", f"emperor:{roles['emperor']}"]
    if roles["guard"] is not None:
        found.append(f"guard:{roles['guard']}")
    if not any("X*" in hand for hand in hands) and roles["crown"] not in (-1, roles["emperor"]):
        found.append(f"crown:{roles['crown']}")
    found.append(f"lead:{roles['leader']}")
    if roles["out"]:
        found.append("out:" + "".join(map(str, roles["out"])))
    if roles["opened"] and roles["mode"] != "solo_open":
        found.append("opened")
    found += [name for name in ("kicked", "shown") if roles[name]]
    return " ".join([*found, *(f"{seat}:{word}" for seat, word in moves)])


SETUP: Final = Setup(read, write)
