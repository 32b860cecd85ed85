"""From a view to what the client may light up. It can know no more than the view.

A client asks no rule: which cards rise together is in `sets`, what a selection is in `choices`, why a card is dimmed in
`why`. Reading a selection:
- lead: one listed choice is that choice. Anything else of one group is a throw (甩牌): take from the selection the
  first choice it holds, again and again; the names of what is taken are its reading, and it may fail when one of them
  has `over`. Cards of two groups may not be led.
- follow: `loose` means: any `need` cards with all of `must` among them. Otherwise a selection is legal when it is
  listed; where `more` is true the list was cut and the rest is asked about with `try`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Final

from msgspec import Struct

from qipai.core.contract import Seat
from qipai.core.kernel import buffer, thawed
from qipai.games.shengji.imagine import public_table
from qipai.games.shengji.kernel import flow, follow, moves, policy, shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.listing import calls, follows
from qipai.games.shengji.notation import GROUPS, NAMES, TYPES, in_line, own_line, suit_name, write
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import FELL_SHORT, call_cards, how_played, label_of
from qipai.games.shengji.state import View

__all__ = ["Call", "Choice", "Hints", "Over", "hints"]

MOST: Final = 400  # plays that are listed


class Over(Struct, frozen=True, array_like=True):
    """What could beat a component, as far as this seat has seen: ["KC", 2]."""

    card: str  # the top card of the least that would
    unseen: int  # copies of it that this seat has not located


class Choice(Struct, frozen=True, array_like=True):
    """Cards that may be played together: ["tractor", 2, ["KH","KH","QH","QH"], "w", null]."""

    type: str  # single pair triple tractor titanic; for a follow: follow ruff overruff discard
    length: int  # steps of a tractor or titanic, else 1
    cards: tuple[str, ...]  # from the top down
    # w: it would be the highest of the trick so far · p: it gives points to a trick the partner holds
    flags: str
    over: Over | None  # lead: a card outside that may beat this if it is thrown; None: nothing can


class Call(Struct, frozen=True):
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
    why: dict[str, str]  # card of the hand that is in no choice -> the code that stands in its way
    best: tuple[tuple[str, ...], ...]  # a few good plays, the best first: what "hint" cycles through
    limit: int | None  # bury: most points that may lie in the kitty


def hints(options: Options, view: View) -> Hints | None:
    """Return what the viewer may do now, None when that is nothing."""
    seat = view.seat
    if seat is None or view.phase not in ("dealing", "declaring", "burying", "playing"):
        return None
    s = public_table(options, view)
    if view.phase in ("dealing", "declaring"):
        open_calls = tuple(_calls(view, s, seat))
        if view.phase == "dealing" and not open_calls:
            return None
        return _hints("declare" if view.phase == "declaring" else "deal", calls=open_calls)
    if seat not in view.turn:
        return None
    room = t.new_room()
    if view.phase == "burying":
        policy.burial(s, room)
        best = (write(s, room.move),)
        return _hints("bury", need=view.kitty_size, best=best, limit=options.points_limit)
    if view.trick is None:
        return _leading(s, seat, room)
    return _following(view, s, seat, room)


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


def _calls(view: View, s: t.Table, seat: Seat) -> Iterator[Call]:
    standing = view.declarations[-1] if view.declarations else None
    for card, n in calls(s, seat):
        cards = call_cards(s, card, n)
        trump = suit_name(int(flow.call_trump(card)))
        yield Call(cards, trump, label_of(standing, seat, cards), int(flow.call_class(s, card, n)))


# leading --------------------------------------------------------------------------------------------------------------


def _leading(s: t.Table, seat: Seat, room: t.Room) -> Hints:
    pool = room.facts
    policy.outside(s, seat, pool)
    found: list[tuple[int, int, Choice]] = []
    for group in range(t.GROUPS):
        for code in components(s, seat, group):
            kind = int(shapes.type_of(code))
            cards = buffer(t.CARDS)
            shapes.put_down(s, code, group, cards, 0)
            over = _over(s, seat, code, group, pool)
            found.append((-code, group, Choice(TYPES[kind], int(shapes.length(code)), write(s, cards), "", over)))
    choices = tuple(choice for _, _, choice in sorted(found, key=lambda one: one[:2]))
    sets = tuple(choice.cards for choice in choices if len(choice.cards) > 1)
    best: list[tuple[str, ...]] = []
    policy.sound(s, seat, room)
    best.append(write(s, room.move))
    policy.simple(s, seat, room)
    best.append(write(s, room.move))
    best += [choice.cards for choice in choices if choice.over is None][:3]
    return _hints("lead", choices=choices, sets=sets, best=tuple(dict.fromkeys(best)))


def components(s: t.Table, seat: Seat, group: int) -> Iterator[int]:
    """Yield every component a seat holds in a group, as the kernel writes it, shorter runs inside longer ones too."""
    at = seat * t.CARDS
    steps = int(s.steps[group])
    rows: list[list[tuple[int, int]]] = []  # by step: the lanes, and how often the card there is held
    for step in range(steps):
        cell = (group * t.STEPS + step) * t.LANES
        cards = s.lane[cell : cell + t.LANES]
        rows.append([(k, n) for k, card in enumerate(cards) if card >= 0 and (n := s.hands[at + card])])
    if not any(rows):
        return
    for each in (3, 2, 1):
        lanes = [[k for k, n in row if n >= each] for row in rows]
        for low in range(steps):
            for high in range(low, low + 1 if each == 1 else steps):
                if not lanes[high]:
                    break
                for chosen in product(*lanes[low : high + 1]):
                    yield _code(s, group, low, chosen, each)


def _code(s: t.Table, group: int, low: int, chosen: Sequence[int], each: int) -> int:
    """Return the component on the steps from `low` up with these lanes, so many cards on each."""
    early = [
        t.LANES - 1 - k
        for step, k in reversed(list(enumerate(chosen, low)))
        if s.lane[(group * t.STEPS + step) * t.LANES + 1] >= 0
    ]
    long = len(chosen)
    kind = each if long == 1 else each + 2
    high = low + long - 1
    first, second = [*early, 0, 0][:2]
    return long * each << 12 | kind << 9 | high << 4 | first << 2 | second


def _over(s: t.Table, seat: Seat, code: int, group: int, pool: Sequence[int]) -> Over | None:
    """Return the least that could beat a component, among cards this seat has not located."""
    if all(s.lacks[other * t.GROUPS + group] & t.VOID for other in range(t.SEATS) if other != seat):
        return None
    each, long = int(shapes.copies(code)), int(shapes.length(code))
    run = 0
    for step in range(max(0, int(shapes.top(code)) - long + 2), int(s.steps[group])):
        cell = (group * t.STEPS + step) * t.LANES
        fit = [int(s.lane[cell + k]) for k in range(t.LANES) if s.lane[cell + k] >= 0]
        fit = [card for card in fit if pool[card] >= each]
        run = run + 1 if fit else 0
        if run >= long and step > shapes.top(code):
            return Over(NAMES[fit[0]], int(pool[fit[0]]))
    return None


# following ------------------------------------------------------------------------------------------------------------


def _following(view: View, s: t.Table, seat: Seat, room: t.Room) -> Hints:
    reg = s.reg
    group, need = int(reg[t.LED]), int(reg[t.LENGTH])
    at = seat * t.CARDS
    own = [card for card in range(t.CARDS) if s.hands[at + card] and s.group[card] == group]
    count = sum(int(s.hands[at + card]) for card in own)
    loose = count <= need
    plays = list(islice(follows(s, seat, room), MOST + 1))
    more = len(plays) > MOST
    plays = plays[:MOST]
    assert view.trick is not None
    friend = (int(reg[t.BEST]) - seat) % 2 == 0
    line = own_line(s, seat)
    choices = tuple([_choice(s, seat, play, line, friend, room) for play in plays])
    if loose:
        must = [int(s.hands[at + card]) if card in own else 0 for card in range(t.CARDS)]
    elif more:
        must = [0] * t.CARDS
    else:
        must = [min([play[card] for play in plays]) if s.hands[at + card] else 0 for card in range(t.CARDS)]
    return _hints(
        "follow",
        need=need,
        shape=tuple((part.type, part.length) for part in view.trick.components),
        group=GROUPS[group],
        must=write(s, must),
        loose=loose,
        choices=choices,
        more=more,
        sets=_sets(s, seat, group, plays),
        why=_why(s, seat, plays, group, count, need, more, room),
        best=_best(s, seat, room),
    )


def _choice(s: t.Table, seat: Seat, play: Sequence[int], line: Sequence[int], friend: bool, room: t.Room) -> Choice:
    how, wins = how_played(s, thawed(play), seat, room)
    flags = "w" if wins else "p" if friend and t.points_in(play, 0) else ""
    return Choice(how, 1, in_line(line, play), flags, None)


def _sets(s: t.Table, seat: Seat, group: int, plays: Sequence[Sequence[int]]) -> tuple[tuple[str, ...], ...]:
    """Return the pairs, triples and runs that lie in some legal play, the largest first."""
    if s.reg[t.LENGTH] < 2:
        return ()
    found = []
    for of in range(t.GROUPS):
        for code in components(s, seat, of):
            if shapes.size(code) < 2 or shapes.size(code) > s.reg[t.LENGTH]:
                continue
            cards = buffer(t.CARDS)
            shapes.put_down(s, code, of, cards, 0)
            if any(all(play[card] >= cards[card] for card in range(t.CARDS)) for play in plays):
                found.append((of != group, -code, write(s, cards)))
    return tuple(cards for _, _, cards in sorted(found))


def _why(
    s: t.Table,
    seat: Seat,
    plays: Sequence[Sequence[int]],
    group: int,
    held: int,
    need: int,
    more: bool,
    room: t.Room,
) -> dict[str, str]:
    """Return why cards of the hand are in no legal play."""
    if held < need:
        return {}
    short = "must_follow_suit"
    mine = thawed([int(s.hands[seat * t.CARDS + card]) if s.group[card] == group else 0 for card in range(t.CARDS)])
    follow.profile(s, mine, 0, group, room.pairs2, room.triples2)
    m = follow.grade(
        room.pairs2, room.triples2, s.steps[group], s.shape, s.reg[t.SHAPES], s.reg[t.TRIPLES_FIRST], room, room.now
    )
    for i in range(abs(int(m)) - 1, -1, -1):
        kind, number = divmod(int(room.now[i]), follow.VALUE)
        if number:
            short = FELL_SHORT[kind]
    why = {}
    for card in range(t.CARDS):
        if not s.hands[seat * t.CARDS + card]:
            continue
        if s.group[card] != group:
            why[NAMES[card]] = "must_follow_suit"
        elif not more and not any(play[card] for play in plays):
            why[NAMES[card]] = short
    return why


def _best(s: t.Table, seat: Seat, room: t.Room) -> tuple[tuple[str, ...], ...]:
    policy.sound(s, seat, room)
    best = [write(s, room.move)]
    for aim in (policy.SPEND, policy.GIVE, policy.SHED):
        policy.rate(s, seat, aim, room.keep)
        if aim == policy.SPEND:
            if moves.answer_to_win(s, seat, room.keep, room):
                best.append(write(s, room.move))
            continue
        moves.answer(s, seat, room.keep, room)
        best.append(write(s, room.move))
    return tuple(dict.fromkeys(best))
