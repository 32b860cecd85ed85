"""Hints for the client, computed from the view alone.

A client asks no rule: which cards rise together is in `sets`, what a selection is in `choices`, why a card is dimmed in
`why`. Reading a selection:
- lead: one listed choice is that choice. Anything else of one group is a throw (甩牌): take from the selection the
  first choice it holds, again and again; the names of what is taken are its reading, and it may fail when one of them
  has `over`. Cards of two groups may not be led.
- follow: `loose` means: any `need` cards with all of `must` among them. Otherwise a selection is legal when it is
  listed; where `more` is true the list was cut and the rest is asked about with `try`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import product
from operator import itemgetter
from typing import Final

from msgspec import Struct

from qipai.core.contract import Seat
from qipai.games.shengji.imagine import public_table
from qipai.games.shengji.kernel import flow, follow, moves, policy, shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.listing import calls, first_follows, stock
from qipai.games.shengji.notation import (
    GROUPS,
    INDEX,
    NAMES,
    RANKS,
    TYPES,
    call_of,
    counted,
    counts_of,
    in_line,
    suit_name,
    write,
)
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import FELL_SHORT, label_of
from qipai.games.shengji.state import Group, View

__all__ = ["Call", "Choice", "Hints", "Over", "hints"]

MOST: Final = 400  # plays that are listed


class Over(Struct, frozen=True, array_like=True, gc=False):
    """What could beat a component, as far as this seat has seen: ["KC", 2]."""

    card: str  # the top card of the least that would
    unseen: int  # copies of it that this seat has not located


class Choice(Struct, frozen=True, array_like=True, gc=False):
    """Cards that may be played together: ["tractor", 2, ["KH","KH","QH","QH"], "w", null]."""

    type: str  # single pair triple tractor titanic; for a follow: follow ruff overruff discard
    length: int  # steps of a tractor or titanic, else 1
    cards: tuple[str, ...]  # from the top down
    # w: it would be the highest of the trick so far · p: it gives points to a trick the partner holds
    flags: str
    over: Over | None  # lead: a card outside that may beat this if it is thrown; None: nothing can


class Call(Struct, frozen=True, gc=False):
    """A declaration that may be made now."""

    cards: tuple[str, ...]
    trump: str | None  # None: no trump
    label: str | None  # reinforce self_overcall overcall overcall_nt; None for the first
    rank: int  # its class, 1 to 5


class Hints(Struct, frozen=True):
    """What the viewer may do now."""

    ask: str  # deal declare bury lead follow
    need: int | None  # cards a play or the kitty must have; None for a lead
    calls: tuple[Call, ...]  # declarations that are high enough; none when the seat cannot
    shape: tuple[tuple[str, int], ...]  # follow: type and length of what was led, the principal one first
    group: str | None  # follow: what was led, T S H C D
    must: tuple[str, ...]  # cards that every legal play has
    loose: bool  # any `need` cards with `must` among them
    choices: tuple[Choice, ...]  # lead: every component of the hand, the largest first; follow: every legal play
    more: bool  # the list was cut
    sets: tuple[tuple[str, ...], ...]  # one click on a card raises the first set that holds it
    why: dict[str, str]  # card of the hand that is in no choice -> the code of the reason
    best: tuple[tuple[str, ...], ...]  # a few good plays, the best first: "hint" cycles through them
    limit: int | None  # bury: most points that may lie in the kitty


def hints(options: Options, view: View) -> Hints | None:
    """Return what the viewer may do now, None when that is nothing."""
    seat = view.seat
    if seat is None or view.phase not in ("dealing", "declaring", "burying", "playing"):
        return None
    if view.phase in ("dealing", "declaring"):
        open_calls = _calls(options, view, seat)
        if view.phase == "dealing" and not open_calls:
            return None
        return _hints("declare" if view.phase == "declaring" else "deal", calls=open_calls)
    if seat not in view.turn:
        return None
    room = room_here()
    s = public_table(options, view, room)
    if view.phase == "burying":
        policy.burial(s, room)
        best = (write(s, room.move),)
        return _hints("bury", need=view.kitty_size, best=best, limit=options.points_limit)
    if view.trick is None:
        return _leading(view, s, seat, room)
    return _following(view, s, seat, room)


def room_here() -> t.Room:
    """Return this thread's work space of the kernels for hints."""
    room: t.Room | None = getattr(_own, "room", None)
    if room is None:
        room = _own.room = t.new_room()
    return room


_own = threading.local()


def _hints(
    ask: str,
    *,
    need: int | None = None,
    calls: tuple[Call, ...] = (),
    shape: tuple[tuple[str, int], ...] = (),
    group: str | None = None,
    must: tuple[str, ...] = (),
    loose: bool = False,
    choices: tuple[Choice, ...] = (),
    more: bool = False,
    sets: tuple[tuple[str, ...], ...] = (),
    why: dict[str, str] | None = None,
    best: tuple[tuple[str, ...], ...] = (),
    limit: int | None = None,
) -> Hints:
    return Hints(ask, need, calls, shape, group, must, loose, choices, more, sets, why or {}, best, limit)


def _calls(options: Options, view: View, seat: Seat) -> tuple[Call, ...]:
    hand, level = view.hand, RANKS.index(view.level)
    if not hand or hand[0].name != "T":
        return ()  # all that can be declared are trumps
    standing = view.declarations[-1] if view.declarations else None
    beats = 0
    if standing is not None:
        beats = int(flow.class_of(*call_of(standing.cards, options.decks), level, options.decks))
    return tuple(
        [
            Call(cards, suit_name(int(flow.call_trump(card))), label_of(standing, seat, cards), rank)
            for card, cards, rank in calls(level, options.decks, beats, counts_of(hand[0].cards))
        ]
    )


# leading --------------------------------------------------------------------------------------------------------------


def _leading(view: View, s: t.Table, seat: Seat, room: t.Room) -> Hints:
    pool = room.facts
    policy.outside(s, seat, pool)
    found: list[tuple[int, int, Choice]] = []
    for held in view.hand or ():
        group = GROUPS.index(held.name)
        void = t.VOID
        for other, lacks in enumerate(view.lacks):
            if other != seat:
                void &= lacks[group]
        for code, cards in components(s, group, held.cards):
            over = None if void else _over(s, code, group, pool)
            found.append((-code, group, Choice(TYPES[shapes.type_of(code)], shapes.length(code), cards, "", over)))
    found.sort(key=_first_two)
    choices = tuple([choice for _, _, choice in found])
    sets = tuple([choice.cards for choice in choices if len(choice.cards) > 1])
    line = _line(view.hand or ())
    policy.lead(s, seat, room)
    best = [in_line(line, room.move)]
    policy.simple(s, seat, room)
    best.append(in_line(line, room.move))
    best += [choice.cards for choice in choices if choice.over is None][:3]
    return _hints("lead", choices=choices, sets=sets, best=tuple(dict.fromkeys(best)))


_first_two = itemgetter(0, 1)


def components(s: t.Table, group: int, held: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield every component among cards of a group, as the kernel writes it, and its cards.

    held: trumps first, from the top down. Shorter runs inside longer ones are components too.
    """
    cards = stock(held)
    if len(cards) == len(held):  # nothing is held twice
        for name in held:
            yield int(shapes.alike(s, INDEX[name], 1)), (name,)
        return
    for name, n in cards:
        for each in range(1, n + 1):
            yield int(shapes.alike(s, INDEX[name], each)), (name,) * each
    most = max([n for _, n in cards])
    for each in range(2, most + 1):
        steps: dict[int, list[str]] = {}  # the cards on each step
        for name, n in cards:
            if n >= each:
                steps.setdefault(int(s.step[INDEX[name]]), []).append(name)
        for high in steps:
            low = high - 1
            while low in steps:
                for chosen in product(*[steps[step] for step in range(high, low - 1, -1)]):
                    yield _run(s, group, high, chosen, each), tuple([name for name in chosen for _ in range(each)])
                low -= 1


def _run(s: t.Table, group: int, high: int, chosen: Sequence[str], each: int) -> int:
    """Return the run of these cards, from the top down, so many of each."""
    early = [
        int(s.mark[INDEX[name]]) >> 2 & 3
        for step, name in enumerate(chosen, -high)
        if s.lane[(group * t.STEPS - step) * t.LANES + 1] >= 0  # equal cards stand side by side there
    ]
    first, second = [*early, 0, 0][:2]
    return len(chosen) * each << 12 | each + 2 << 9 | high << 4 | first << 2 | second


def _over(s: t.Table, code: int, group: int, pool: Sequence[int]) -> Over | None:
    """Return the lowest play that could beat a component, from cards that this seat has not located."""
    lane, top, one = s.lane, code >> 4 & 31, code >> 9 & 7
    if one <= shapes.TRIPLE:
        for step in range(top + 1, s.steps[group]):
            cell = (group * t.STEPS + step) * t.LANES
            for card in lane[cell : cell + t.LANES]:
                if card >= 0 and pool[card] >= one:
                    return Over(NAMES[card], int(pool[card]))
        return None
    each, long = int(shapes.copies(code)), int(shapes.length(code))
    run = 0
    for step in range(max(0, top - long + 2), s.steps[group]):
        cell = (group * t.STEPS + step) * t.LANES
        for card in lane[cell : cell + t.LANES]:
            if card >= 0 and pool[card] >= each:
                run += 1
                if run >= long and step > top:
                    return Over(NAMES[card], int(pool[card]))
                break
        else:
            run = 0
    return None


# following ------------------------------------------------------------------------------------------------------------


def _following(view: View, s: t.Table, seat: Seat, room: t.Room) -> Hints:
    reg = s.reg
    group, need = int(reg[t.LED]), int(reg[t.LENGTH])
    assert view.trick is not None
    assert view.hand is not None
    own: tuple[str, ...] = next((held.cards for held in view.hand if held.name == GROUPS[group]), ())
    loose = len(own) <= need
    line = _line(view.hand)
    plays = first_follows(s, seat)
    more = len(plays) > MOST
    plays = plays[:MOST]
    friend = (int(reg[t.BEST]) - seat) % 2 == 0
    choices = tuple([_choice(s, play, group, friend, room) for play in plays])
    wins = "w" in [choice.flags for choice in choices]
    must = own if loose else () if more else _in_all(plays)
    return _hints(
        "follow",
        need=need,
        shape=tuple([(part.type, part.length) for part in view.trick.components]),
        group=GROUPS[group],
        must=must,
        loose=loose,
        choices=choices,
        more=more,
        sets=_sets(view.hand, s, group, plays) if need > 1 else (),
        why=_why(line, s, own, plays, more, room) if len(own) >= need else {},
        best=plays if len(plays) == 1 else _best(line, s, seat, more or wins, room),
    )


def _choice(s: t.Table, play: tuple[str, ...], led: int, friend: bool, room: t.Room) -> Choice:
    of = s.group
    group = int(of[INDEX[play[0]]])
    if len(play) > 1 and len({of[INDEX[name]] for name in play}) > 1:
        group = -1
    wins = (group == led or group == 0) and bool(flow.wins(s, counted(play), group, room))
    how = "follow" if group == led else "discard" if not wins else "overruff" if s.reg[t.TRUMPED] else "ruff"
    flags = "w" if wins else "p" if friend and sum([t.WORTHS[INDEX[name] >> 2] for name in play]) > 0 else ""
    return Choice(how, 1, play, flags, None)


def _in_all(plays: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the cards that are in all plays, each as often as in the play with the fewest copies."""
    one, last = plays[0], plays[-1]
    if len(one) == 1:
        return one if one == last else ()
    found: list[str] = []
    for name, n in stock(one):
        found += [name] * min(n, *[play.count(name) for play in plays])
    return tuple(found)


def _sets(hand: Sequence[Group], s: t.Table, led: int, plays: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return the pairs, triples and runs that lie in some legal play, the largest first."""
    found = []
    for held in hand:
        group = GROUPS.index(held.name)
        for code, cards in components(s, group, held.cards):
            if not 2 <= len(cards) <= len(plays[0]):
                continue
            parts = stock(cards)
            if any(all(play.count(name) >= n for name, n in parts) for play in plays):
                found.append((group != led, -code, cards))
    return tuple([cards for _, _, cards in sorted(found)])


def _why(
    line: Sequence[int],
    s: t.Table,
    own: Sequence[str],
    plays: Sequence[tuple[str, ...]],
    more: bool,
    room: t.Room,
) -> dict[str, str]:
    """Return why cards of the hand are in no legal play, which is of the led group alone."""
    group = s.reg[t.LED]
    used = set(own) if more else {name for play in plays for name in play}
    short = ""
    why = {}
    for card in sorted(line):
        if s.group[card] != group:
            why[NAMES[card]] = "must_follow_suit"
        elif NAMES[card] not in used:
            short = short or _short(s, own, room)
            why[NAMES[card]] = short
    return why


def _short(s: t.Table, own: Sequence[str], room: t.Room) -> str:
    """Return the kind that a play without its owed cards lacks: the first kind that the hand has."""
    reg, group = s.reg, s.reg[t.LED]
    follow.profile(s, counted(own), 0, group, room.pairs2, room.triples2)
    m = follow.grade(
        room.pairs2, room.triples2, s.steps[group], s.shape, reg[t.SHAPES], reg[t.TRIPLES_FIRST], room, room.now
    )
    for i in range(abs(int(m))):
        kind, number = divmod(int(room.now[i]), follow.VALUE)
        if number:
            return FELL_SHORT[kind]
    return "must_follow_suit"


def _best(line: Sequence[int], s: t.Table, seat: Seat, may_win: bool, room: t.Room) -> tuple[tuple[str, ...], ...]:
    """Return good follows: that of `sound`, then what each aim alone would play."""
    done = policy.sound(s, seat, room)
    best = [in_line(line, room.move)]
    if may_win and done != policy.SPEND:
        policy.rate_answer(s, seat, policy.SPEND, room.keep)
        if moves.answer_to_win(s, seat, room.keep, room):
            best.append(in_line(line, room.move))
    for aim in (policy.GIVE, policy.SHED):
        if aim != done:
            policy.rate_answer(s, seat, aim, room.keep)
            moves.answer(s, seat, room.keep, room)
            best.append(in_line(line, room.move))
    return tuple(dict.fromkeys(best))


def _line(hand: Sequence[Group]) -> list[int]:
    """Return the cards of a hand, each once, trumps first, from the top down."""
    return [INDEX[name] for held in hand for name in dict.fromkeys(held.cards)]
