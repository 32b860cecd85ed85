"""How a deal goes on: what an action leads to, who is asked what since when, what time it cost. Pure.

The even pause (README X6): after a step with `hush` nobody but those asked in the window that it opens may notice
anything until it ends. What happens meanwhile happens in the state; it is told, asked and shown when the pause is over.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from qipai.core.contract import NATURE, Rules, Seat, Told, Turn
from qipai.core.rng import Stream
from qipai.hall.alike import running, same
from qipai.hall.clock import Face, Move, NoClock, drained, rest, spent, start
from qipai.hall.model import NOT_YET, Deal, Done, Fact, Pulse, Table, rules_of, timing_of

__all__ = [
    "acted",
    "begun",
    "chance",
    "clock_of_table",
    "ending",
    "given",
    "limit",
    "may_undo",
    "resumed",
    "rules_at",
    "undo_to",
    "undone",
]

Json = Any
NOBODY: Final[frozenset[Seat]] = frozenset()


def rules_at(table: Table, deal: Deal) -> Rules[Any, Any, Any]:
    """Return the rules of a deal."""
    return rules_of(table.setting.game, deal.options, table.setting.seats)


def clock_of_table(table: Table) -> Json:
    """Return the table's clock as the wire writes it: its own, else the game's."""
    entry = table.entry
    return table.clock if table.clock is not None else entry.clock(entry.chosen(table.options))


def begun(table: Table, deal: Deal, now: int) -> Deal:
    """Return a deal at its start: the first question may be luck's."""
    seats = table.setting.places
    zeros = (0,) * seats
    clock = running(clock_of_table(table))
    deal = replace(
        deal,
        begun_at=now,
        clock=clock,
        state=_start(table, deal),
        ids=zeros,
        asks=(None,) * seats,
        since=zeros,
        lag=zeros,
        moves=zeros,
        lent=zeros,
        faces=(start(clock),) * seats,
        pulses=() if table.entry.timing is None else (Pulse(),) * seats,
    )
    return _asked(table, deal, now, None, rules_at(table, deal))


def _start(table: Table, deal: Deal) -> Any:
    return table.entry.begun(rules_at(table, deal), deal.carry, deal.seats[len(deal.who) :])


def acted(table: Table, fact: Fact, row: int) -> tuple[Deal, tuple[Told, ...]]:
    """Return the deal after `game.acted` or `game.auto`, and what is told now. row: the fact's number."""
    deal = table.deal
    assert deal is not None
    rules = rules_at(table, deal)
    whole = fact.whole
    seat: Seat = whole["seat"]
    action = table.entry.act(whole["action"]) if fact.action is None else fact.action
    step = rules.apply(deal.state, seat, action)
    if seat == NATURE:
        after = replace(deal, state=step.state, rows=row, drawn=whole.get("drawn", deal.drawn), beat=None)
    else:
        after = replace(
            deal,
            state=step.state,
            rows=row,
            drawn=whole.get("drawn", deal.drawn),
            moves=_one_more(deal.moves, seat),
            lent=deal.lent if whole.get("why") != "bot" else _one_more(deal.lent, seat),
        )
    timing = timing_of(table)
    if timing is not None and seat != NATURE:
        done = fact.now if timing.counts(action) else deal.pulses[seat].done
        pulses = (*deal.pulses[:seat], Pulse(fact.now, done), *deal.pulses[seat + 1 :])
        after = replace(after, pulses=pulses)
    told = step.told
    if deal.hush is not None:
        after = replace(after, held=deal.held + told)
        told = ()
    if step.hush:
        still = step.state if deal.hush is None else deal.still
        after = replace(after, hush=max(deal.hush or 0, fact.now + step.hush), still=still)
    after = _asked(table, after, fact.now, seat if seat != NATURE else None, rules)
    if seat != NATURE:
        after = _charged(deal, after, seat, whole["ms"], whole.get("lag", 0))
    ply = seat != NATURE and seat in deal.timed and seat not in after.timed
    if may_undo(table, deal):
        after = replace(after, trail=Done(deal.trail, row, seat, action, ply))
    return after, told


def _one_more(counts: tuple[int, ...], seat: Seat) -> tuple[int, ...]:
    more = list(counts)
    more[seat] += 1
    return tuple(more)


def resumed(table: Table, now: int, row: int) -> tuple[Deal, tuple[Told, ...]]:
    """Return the deal after an even pause, and what was held back during it."""
    deal = table.deal
    assert deal is not None
    after = replace(deal, hush=None, still=None, held=(), rows=row)
    return _asked(table, after, now, None, rules_at(table, deal)), deal.held


def undone(table: Table, to: int, now: int, row: int) -> Deal:
    """Return the deal cut back to row `to` of its stream; clocks keep their present times."""
    deal = table.deal
    assert deal is not None
    rules = rules_at(table, deal)
    trail = deal.trail
    while trail is not None and trail.row > to:
        trail = trail.before
    taken: list[Done] = []
    node = trail
    while node is not None:
        taken.append(node)
        node = node.before
    state = _start(table, deal)
    for done in reversed(taken):
        state = rules.apply(state, done.seat, done.action).state
    clock = deal.clock
    faces = tuple(
        drained(clock, face, now - deal.since[seat]) if seat in deal.timed else face
        for seat, face in enumerate(deal.faces)
    )
    nobody = (None,) * table.setting.places  # whoever is asked now is asked anew
    cut = replace(
        deal,
        state=state,
        trail=trail,
        rows=row,
        faces=faces,
        asks=nobody,
        timed=frozenset(),
        answered=NOT_YET,
        hush=None,
        still=None,
        held=(),
    )
    return _asked(table, cut, now, None, rules)


def may_undo(table: Table, deal: Deal) -> bool:
    """Tell whether moves of this deal may be taken back by consent (P-101): by its rules, in a friendly room.

    What luck has shown cannot be taken back, and a second draw could not be verified from the actions alone.
    """
    asked = getattr(deal.options, "takeback", "off") == "ask"
    return asked and table.setting.kind == "friendly" and not table.entry.luck


def undo_to(deal: Deal, seat: Seat) -> int | None:
    """Return the row before a seat's last ply, None when it has made none."""
    node = deal.trail
    while node is not None:
        if node.seat == seat and node.ply:
            return node.row - 1
        node = node.before
    return None


def given(deal: Deal, ms: int, row: int) -> Deal:
    """Return the deal with the time of an outage given back to everybody (P-100)."""
    return replace(
        deal,
        rows=row,
        since=tuple(since + ms for since in deal.since),
        raced=None if deal.raced is None else deal.raced + ms,
        pulses=tuple(
            Pulse(*(None if at is None else at + ms for at in (pulse.acted, pulse.done))) for pulse in deal.pulses
        ),
        hush=None if deal.hush is None else deal.hush + ms,
        beat=None if deal.beat is None else deal.beat + ms,
    )


def chance(table: Table) -> tuple[Any, int]:
    """Return NATURE's next action and how many words of the stream are used after it."""
    deal = table.deal
    assert deal is not None
    if deal.server_seed is None:
        raise AssertionError(f"{table.setting.game}: luck in a game without any")
    luck = Stream.of_deal(bytes.fromhex(deal.server_seed), deal.game_id, deal.no, deal.client_seeds or ())
    luck = luck.at(deal.drawn)
    return rules_at(table, deal).chance(deal.state, luck), luck.drawn


def limit(deal: Deal, seat: Seat) -> int | None:
    """Return when a seat's time is up, ms since 1970; None when its clock does not run."""
    if seat not in deal.timed:
        return None
    return ending(deal, seat, deal.asks[seat] or "play", deal.faces[seat])


def ending(deal: Deal, seat: Seat, ask: str, face: Face) -> int | None:
    """Return when the time for a question is up that was put to a seat when its clock showed this."""
    left = rest(deal.clock, face, ask)
    end = None if left is None else deal.since[seat] + left
    if deal.hush is None:
        return end
    # Who is asked in a pause has until its end, whatever his clock: a later answer would show that somebody was.
    return deal.hush if end is None else min(end, deal.hush)


def _asked(table: Table, deal: Deal, now: int, actor: Seat | None, rules: Rules[Any, Any, Any]) -> Deal:
    """Return the deal with the questions of its state; a question is new when it was not asked before."""
    turn: Turn | None = None if rules.outcome(deal.state) is not None else rules.turn(deal.state)
    asked: list[str | None] = [None] * table.setting.places
    timed: frozenset[Seat] = NOBODY
    may: frozenset[Seat] = NOBODY
    if turn is not None and (deal.hush is None or _window(table, deal, rules)):
        for seat in turn.seats:
            if seat != NATURE:
                asked[seat] = turn.aside.get(seat, turn.ask)
        timed = turn.seats if turn.clocks is None else turn.clocks
        if NATURE in timed or turn.aside:
            timed = frozenset([seat for seat in timed if seat != NATURE and seat not in turn.aside])
        may = turn.may if deal.hush is None else NOBODY
    asks = tuple(asked)
    beat = None
    if turn is not None and turn.beat and NATURE in turn.seats and deal.hush is None:
        beat = now + turn.beat if deal.beat is None else deal.beat  # others' answers do not put it off
    clock = deal.clock
    if type(clock) is NoClock and deal.hush is None:
        timed = NOBODY
    if actor is None and (asks, timed, may, beat) == (deal.asks, deal.timed, deal.may, deal.beat):
        return deal
    ids, since, faces = list(deal.ids), list(deal.since), list(deal.faces)
    # Nothing changes for who is asked nothing and whose clock does not run, now as before.
    concerned = timed | deal.timed
    if turn is not None and timed is not turn.seats:
        concerned |= turn.seats - {NATURE}
    for seat in concerned:
        new = asks[seat] is not None and asks[seat] != deal.asks[seat]
        if new:
            ids[seat] += 1
        if seat in timed and seat in deal.timed and (asks[seat] is None or deal.asks[seat] is None):
            continue  # others are asked something at his cost (`Turn.clocks`), or were: his time has not stopped
        if seat in deal.timed and seat != actor and (new or seat not in timed):
            faces[seat] = drained(clock, faces[seat], max(0, now - since[seat]))
        if new or (seat in timed and (seat not in deal.timed or (seat == actor and type(clock) is Move))):
            since[seat] = now
    answered = NOT_YET
    kept = timed & deal.timed
    if kept and any(ids[seat] == deal.ids[seat] for seat in kept):  # the window is still open
        gone = {seat for seat, ask in enumerate(asks) if ask is None and seat not in timed}
        if gone:
            before = {seat: was for seat, was in deal.answered.items() if seat in gone}
            now_in = {seat: (deal.asks[seat] or "play", deal.faces[seat]) for seat in deal.timed if seat in gone}
            answered = before | now_in or NOT_YET
    return replace(
        deal,
        asks=same(asks),
        timed=same(timed),
        may=same(may),
        answered=answered,
        beat=beat,
        ids=tuple(ids),
        since=tuple(since),
        faces=tuple(faces),
        raced=now if deal.raced is None and deal.pulses and any(asks) else deal.raced,
    )


def _window(table: Table, deal: Deal, rules: Rules[Any, Any, Any]) -> bool:
    """Tell whether the questions of this state belong to the window that the pause covers.

    They do when an outsider sees nothing of them: his view is then what the pause shows anyway.
    """
    view = rules.observe(deal.state, None)
    return bool(table.entry.hush(view) == view)


def _charged(before: Deal, after: Deal, seat: Seat, ms: int, lag: int) -> Deal:
    """Return the deal with the time of an action taken off its seat's clock."""
    if lag:
        after = replace(after, lag=tuple(n + lag if s == seat else n for s, n in enumerate(after.lag)))
    if seat not in before.timed or before.hush is not None:
        return after  # an answer in a pause costs nothing: a clock that had lost time would show who was asked
    clock = after.clock
    if type(clock) is Move or type(clock) is NoClock:
        return after
    net, face = max(0, ms - lag), before.faces[seat]
    if seat not in after.timed:
        face = spent(clock, face, net, before.asks[seat] or "play") or drained(clock, face, net)
    elif after.ids[seat] != before.ids[seat]:
        face = drained(clock, face, net)  # the same turn goes on with another question
    else:
        return after  # the question stands, the clock runs on (an offered draw)
    return replace(after, faces=tuple(face if s == seat else f for s, f in enumerate(after.faces)))
