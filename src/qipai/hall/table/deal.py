"""The course of a deal: what an action leads to, who is asked what and since when, what time it cost. Pure.

The even pause (README X6): after a step with `conceal_ms`, only the seats asked in the window that it opens may notice
anything until it ends. Meanwhile actions change the state, but others are told, asked and shown nothing until the pause
is over.
At a friendly table the pause may be quick: it ends when everybody asked has answered, but never before a short time
that is drawn at random for every pause. There the length can reveal something, and the table says so.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from qipai.core import starts
from qipai.core.branch import redrawn
from qipai.core.contract import NATURE, Notice, Rerun, Rules, Seat, Turn
from qipai.core.entry import AnyEntry
from qipai.core.rng import Stream
from qipai.hall.table.clock import Face, Move, NoClock, drained, rest, spent, start
from qipai.hall.table.events import MoveMade, SeededSecret
from qipai.hall.table.interned import interned, running
from qipai.hall.table.model import NOT_YET, Deal, Done, LastAct, Table, rules_of, timing_of

__all__ = [
    "Course",
    "acted",
    "begun",
    "chance",
    "clock_of_table",
    "ending",
    "limit",
    "may_undo",
    "over",
    "regrown",
    "resumed",
    "rules_at",
    "time_returned",
    "undo_to",
    "undone",
]

Json = Any
NOBODY: Final[frozenset[Seat]] = frozenset()
LEAST_MS: Final = 400  # a quick pause lasts at least this long, and up to twice as long
SPREAD_MS: Final = 500


def rules_at(table: Table, deal: Deal) -> Rules[Any, Any, Any]:
    """Return the rules of a deal."""
    return rules_of(table.setting.game, deal.options, table.setting.seats)


def clock_of_table(table: Table) -> Json:
    """Return the table's clock as the wire writes it: its own, else the game's."""
    entry = table.entry
    return table.clock if table.clock is not None else entry.clock(entry.chosen(table.options))


def begun(table: Table, deal: Deal, now: int) -> Deal:
    """Return a deal at its start; the first to act may be NATURE."""
    seats = table.setting.places
    zeros = (0,) * seats
    clock = running(clock_of_table(table))
    deal = replace(
        deal,
        begun_at=now,
        clock=clock,
        state=None,
        ids=zeros,
        asks=(None,) * seats,
        since=zeros,
        lag=zeros,
        moves=zeros,
        bot_moves=zeros,
        clocks=(start(clock),) * seats,
        last_acts=() if table.entry.timing is None else (LastAct(),) * seats,
    )
    first = _start(table, deal)
    deal = replace(deal, state=first.state)
    if first.pause_ms:  # it starts within a pause, which hides as long as any whether somebody is asked
        deal = replace(
            deal,
            concealed_until=now + first.pause_ms,
            soon=now + _short(deal.game_id, deal.rows) if table.pauses == "quick" else None,
            shown_meanwhile=first.shown,
            withheld=first.withheld,
        )
    return _asked(table, deal, now)


class _Started(Struct, frozen=True):
    """The state in which a deal starts, and the even pause within which it does, if any."""

    state: Any
    pause_ms: int = 0
    shown: Any = None  # the state when the pause began
    withheld: tuple[Notice, ...] = ()


def _start(table: Table, deal: Deal) -> _Started:
    """Return how a deal starts: as deals of its game do, from a position, or where its trunk has come to.

    An even pause of the trunk is over with the first action that does not belong to its window.
    """
    entry, rules = table.entry, rules_at(table, deal)
    bench = deal.seats[len(deal.who) :]
    at = _Started(starts.begun(entry, rules, deal.options, deal.carry, bench, deal.start))
    for seat, raw, _ms in () if deal.trunk is None else deal.trunk.rows:
        if at.pause_ms and not _hidden(entry, rules, at.state):
            at = _Started(at.state)
        step = rules.apply(at.state, seat, entry.act(raw))
        if at.pause_ms or step.conceal_ms:
            told = (*at.withheld, *step.told, *step.later) if at.pause_ms else step.later
            shown = at.shown if at.pause_ms else step.state
            at = _Started(step.state, step.conceal_ms or at.pause_ms, shown, told)
        else:
            at = _Started(step.state)
    return at if not at.pause_ms or _hidden(entry, rules, at.state) else _Started(at.state)


def _hidden(entry: AnyEntry, rules: Rules[Any, Any, Any], state: Any) -> bool:
    """Tell whether the questions of a state belong to the window that a pause hides.

    They do if a watcher sees nothing of them: the watcher's view is then what the pause shows anyway.
    """
    view = rules.observe(state, None)
    return bool(entry.conceal(view) == view)


def acted(table: Table, move: MoveMade, now: int, action: Any = None) -> tuple[Deal, tuple[Notice, ...]]:
    """Return the deal after a move, and the notices to send now. action: the parsed action, if it is known."""
    assert table.deal is not None
    course = Course(table, table.deal)
    told = course.act(move, now, action)
    return course.deal(), told


def resumed(table: Table, now: int, row: int) -> tuple[Deal, tuple[Notice, ...]]:
    """Return the deal after an even pause, and the notices withheld during it."""
    deal = table.deal
    assert deal is not None
    after = replace(deal, concealed_until=None, soon=None, shown_meanwhile=None, withheld=(), rows=row)
    return _asked(table, after, now), deal.withheld


def undone(table: Table, to: int, now: int, row: int) -> Deal:
    """Return the deal cut back to row `to` of its stream; clocks keep their present times."""
    deal = table.deal
    assert deal is not None
    rules = rules_at(table, deal)
    history = deal.history
    while history is not None and history.row > to:
        history = history.before
    taken: list[Done] = []
    node = history
    while node is not None:
        taken.append(node)
        node = node.before
    state = _start(table, deal).state
    for done in reversed(taken):
        state = rules.apply(state, done.seat, done.action).state
    clock = deal.clock
    clocks = tuple(
        drained(clock, face, now - deal.since[seat], deal.asks[seat] or "play") if seat in deal.timed else face
        for seat, face in enumerate(deal.clocks)
    )
    nobody = (None,) * table.setting.places  # every question counts as new
    cut = replace(
        deal,
        state=state,
        history=history,
        rows=row,
        clocks=clocks,
        asks=nobody,
        timed=frozenset(),
        answered=NOT_YET,
        concealed_until=None,
        soon=None,
        shown_meanwhile=None,
        withheld=(),
    )
    return _asked(table, cut, now)


def may_undo(table: Table, deal: Deal) -> bool:
    """Tell whether moves of this deal may be taken back by consent (P-101): if its rules allow it, in a friendly room.

    Luck that was revealed cannot be taken back, and a second draw could not be verified from the actions alone.
    """
    asked = getattr(deal.options, "takeback", "off") == "ask"
    return asked and table.setting.kind == "friendly" and not table.entry.luck


def undo_to(deal: Deal, seat: Seat) -> int | None:
    """Return the row before a seat's last ply, None when it has made none."""
    node = deal.history
    while node is not None:
        if node.seat == seat and node.ply:
            return node.row - 1
        node = node.before
    return None


def time_returned(deal: Deal, ms: int, row: int) -> Deal:
    """Return the deal with all clocks extended by the time of an outage (P-100)."""
    return replace(
        deal,
        rows=row,
        since=tuple(since + ms for since in deal.since),
        race_began=None if deal.race_began is None else deal.race_began + ms,
        last_acts=tuple(
            LastAct(*(None if at is None else at + ms for at in (last.acted, last.done))) for last in deal.last_acts
        ),
        concealed_until=None if deal.concealed_until is None else deal.concealed_until + ms,
        soon=None if deal.soon is None else deal.soon + ms,
        nature_at=None if deal.nature_at is None else deal.nature_at + ms,
    )


def chance(table: Table) -> tuple[Any, int]:
    """Return NATURE's next action and how many words of the stream are used after it."""
    deal = table.deal
    assert deal is not None
    if deal.server_seed is None:
        raise AssertionError(f"{table.setting.game}: luck in a game without any")
    luck = Stream.of_deal(bytes.fromhex(deal.server_seed), *deal.luck)
    luck = luck.at(deal.drawn)
    return rules_at(table, deal).chance(deal.state, luck), luck.drawn


def regrown(table: Table, coming: Deal, client_seeds: tuple[str, ...]) -> SeededSecret | None:
    """Return the beginning of a deal that starts within another, with luck not drawn there drawn from its own seeds."""
    trunk, luck = coming.trunk, replace(coming, client_seeds=client_seeds).luck
    if trunk is None or coming.server_seed is None:
        return None
    rules = rules_at(table, coming)
    begun = starts.begun(table.entry, rules, coming.options, coming.carry, trunk.bench, coming.start)
    stream = Stream.of_deal(bytes.fromhex(coming.server_seed), *luck)
    rows = redrawn(table.entry, rules, begun, trunk.rows, stream)
    return None if not stream.drawn else SeededSecret(trunk=replace(trunk, rows=rows), drawn=stream.drawn)


def limit(deal: Deal, seat: Seat) -> int | None:
    """Return when a seat's time is up, ms since 1970; None when its clock does not run."""
    if seat not in deal.timed:
        return None
    return ending(deal, seat, deal.asks[seat] or "play", deal.clocks[seat])


def ending(deal: Deal, seat: Seat, ask: str, face: Face) -> int | None:
    """Return when the time for a question is up, given what the seat's clock showed when it was asked."""
    left = rest(deal.clock, face, ask)
    end = None if left is None else deal.since[seat] + left
    if deal.concealed_until is None:
        return end
    # A seat asked during a pause has until its end, whatever its clock: a later answer would reveal that it was asked.
    return deal.concealed_until if end is None else min(end, deal.concealed_until)


def _short(game_id: str, row: int) -> int:
    """Return the minimum length of a quick pause in ms; it depends on its place in the deal, not on who is asked."""
    return LEAST_MS + Stream.of_seed(f"{game_id}|{row}|pause").below(SPREAD_MS + 1)


def over(deal: Deal) -> int | None:
    """Return when the pause will be over, as far as is known now; None: there is no pause."""
    if deal.concealed_until is None or deal.soon is None or any(deal.asks):
        return deal.concealed_until
    return min(deal.concealed_until, deal.soon)


def _asked(table: Table, deal: Deal, now: int) -> Deal:
    """Return the deal with the questions of its state, when no action came before them."""
    course = Course(table, deal)
    return course.deal() if course.ask(now) else deal


@lru_cache(maxsize=1024)
def _questions(
    seats: frozenset[Seat], ask: str, clocks: frozenset[Seat] | None, places: int
) -> tuple[tuple[str | None, ...], frozenset[Seat]]:
    """Return what each place is asked and whose clocks run, for a turn without side questions."""
    timed = seats if clocks is None else clocks
    return tuple([ask if place in seats else None for place in range(places)]), timed - {NATURE}


class Course:
    """A mutable copy of a deal, so that many actions do not make many copies of it."""

    __slots__ = (
        "_clock",
        "_deal",
        "_entry",
        "_places",
        "_rerun",
        "_rules",
        "_stores",
        "_table",
        "_timing",
        "_undo",
        "answered",
        "asks",
        "bot_moves",
        "clocks",
        "concealed_until",
        "drawn",
        "history",
        "ids",
        "lag",
        "last",
        "last_acts",
        "may",
        "moves",
        "nature_at",
        "race_began",
        "rows",
        "shown_meanwhile",
        "since",
        "soon",
        "state",
        "timed",
        "withheld",
    )

    def __init__(self, table: Table, deal: Deal) -> None:
        self._deal = deal
        self._entry = table.entry
        self._places = table.setting.places
        self._table = table
        self._rules = rules_at(table, deal)
        self._timing = timing_of(table) if deal.last_acts else None
        self._undo = may_undo(table, deal)
        self._clock = deal.clock
        kind = type(deal.clock)
        self._stores = bool(deal.clock.bank) if isinstance(deal.clock, Move) else kind is not NoClock
        self._rerun: Rerun[Any, Any] | None = None
        self.answered = deal.answered
        self.asks = deal.asks
        self.nature_at = deal.nature_at
        self.drawn = deal.drawn
        self.clocks = [*deal.clocks]
        self.withheld = deal.withheld
        self.concealed_until = deal.concealed_until
        self.ids = [*deal.ids]
        self.lag = [*deal.lag]
        self.last = deal.last
        self.bot_moves = [*deal.bot_moves]
        self.may = deal.may
        self.moves = [*deal.moves]
        self.last_acts = deal.last_acts
        self.race_began = deal.race_began
        self.rows = deal.rows
        self.since = [*deal.since]
        self.soon = deal.soon
        self.state = deal.state
        self.shown_meanwhile = deal.shown_meanwhile
        self.timed = deal.timed
        self.history = deal.history

    def deal(self) -> Deal:
        """Return the deal as it is now."""
        return replace(
            self._deal,
            answered=self.answered,
            asks=self.asks,
            nature_at=self.nature_at,
            drawn=self.drawn,
            clocks=tuple(self.clocks),
            withheld=self.withheld,
            concealed_until=self.concealed_until,
            ids=tuple(self.ids),
            lag=tuple(self.lag),
            last=self.last,
            bot_moves=tuple(self.bot_moves),
            may=self.may,
            moves=tuple(self.moves),
            last_acts=self.last_acts,
            race_began=self.race_began,
            rows=self.rows,
            since=tuple(self.since),
            soon=self.soon,
            state=self.state,
            shown_meanwhile=self.shown_meanwhile,
            timed=self.timed,
            history=self.history,
        )

    def hurry(self) -> None:
        """Apply the following actions without notices, until `arrive`; none of them may end the deal."""
        rerun = self._entry.rerun
        self._rerun = None if rerun is None else rerun(self._rules, self.state)

    def arrive(self) -> None:
        """Compute the state after the actions since `hurry`."""
        if self._rerun is not None:
            self.state = self._rerun.state()
            self._rerun = None

    def act(self, move: MoveMade, now: int, action: Any = None) -> tuple[Notice, ...]:
        """Apply an action; return the notices to send now. action: the parsed action, if it is known."""
        seat = move.seat
        if action is None:
            action = self._entry.act(move.action)
        self.rows += 1
        self.last = seat
        if move.drawn is not None:
            self.drawn = move.drawn
        concealed_until = self.concealed_until
        told: tuple[Notice, ...] = ()
        turn: Turn | None
        if self._rerun is not None:
            turn = self._rerun.play(seat, action)
        else:
            step = self._rules.apply(self.state, seat, action)
            self.state = step.state
            turn = self._turn()
            if concealed_until is None:
                told = step.told
            else:
                self.withheld += step.told
            if step.conceal_ms:
                if concealed_until is None:
                    self.shown_meanwhile = step.state
                self.withheld += step.later
                self.concealed_until = max(concealed_until or 0, now + step.conceal_ms)
                if self._table.pauses == "quick":
                    self.soon = now + _short(self._deal.game_id, self.rows)
        if seat == NATURE:
            self.nature_at = None
            self._ask(turn, now, None)
            if self._undo:
                self.history = Done(self.history, self.rows, seat, action, False)
            return told
        if self._timing is not None:
            last_acts = self.last_acts
            done = now if self._timing.counts(action) else last_acts[seat].done
            self.last_acts = (*last_acts[:seat], LastAct(now, done), *last_acts[seat + 1 :])
        ran, was, id = seat in self.timed, self.asks[seat], self.ids[seat]
        self._ask(turn, now, seat)
        if self._is_move(seat, action, was, over=turn is None):
            self.moves[seat] += 1
            if move.why == "bot":
                self.bot_moves[seat] += 1
        lag = move.lag
        if lag:
            self.lag[seat] += lag
        if ran and concealed_until is None and self._stores:
            # An answer during a pause costs no time: a clock that had lost time would reveal who was asked.
            self._charge(seat, max(0, move.ms - lag), was or "play", again=self.ids[seat] != id)
        if self._undo:
            ply = was is not None and self.asks[seat] is None  # at a table without a clock no time runs
            self.history = Done(self.history, self.rows, seat, action, ply)
        return told

    def _is_move(self, seat: Seat, action: Any, was: str | None, *, over: bool) -> bool:
        """Tell whether an action was a move of the game: it ended the seat's turn, or counts in a race.

        Offers, refusals and rolls before a move are no moves, nor is an action that loses the game for whoever takes
        it. was: what the seat was asked.
        """
        if over:
            outcome = self._rules.outcome(self.state)
            if outcome is not None and outcome.points[seat] < 0:
                return False
        if self._timing is not None:
            return self._timing.counts(action)
        return was is not None and self.asks[seat] is None

    def _charge(self, seat: Seat, net: int, ask: str, *, again: bool) -> None:
        """Charge a seat's clock for an action. ask: what the seat was asked. again: the seat is asked something new."""
        clock, face = self._clock, self.clocks[seat]
        if seat not in self.timed:
            self.clocks[seat] = spent(clock, face, net, ask) or drained(clock, face, net, ask)
        elif again:
            self.clocks[seat] = drained(clock, face, net, ask)  # the same turn goes on with another question
        # else the question stays and the clock runs on (after an offer of a draw)

    def ask(self, now: int) -> bool:
        """Ask the questions of the state, when no action came before; tell whether anything has changed."""
        return self._ask(self._turn(), now, None)

    def _turn(self) -> Turn | None:
        return None if self._rules.outcome(self.state) is not None else self._rules.turn(self.state)

    def _ask(self, turn: Turn | None, now: int, actor: Seat | None) -> bool:
        """Ask questions; those that were not asked before are new. Tell whether anything has changed."""
        concealed_until = self.concealed_until
        may = NOBODY
        nature_at = None
        if turn is None or (concealed_until is not None and not self._window()):
            asks, timed = _questions(NOBODY, "", None, self._places)
        elif turn.aside:
            asks, timed = self._with_aside(turn)
        else:
            asks, timed = _questions(turn.seats, turn.ask, turn.clocks, self._places)
        if turn is not None and concealed_until is None:
            if turn.may:
                may = interned(turn.may)
            if turn.delay_ms and NATURE in turn.seats:
                nature_at = (
                    now + turn.delay_ms if self.nature_at is None else self.nature_at
                )  # answers of others do not postpone it
        clock = self._clock
        if type(clock) is NoClock and concealed_until is None:
            timed = NOBODY
        were, ran = self.asks, self.timed
        if actor is None and (asks, timed, may, nature_at) == (were, ran, self.may, self.nature_at):
            return False
        ids, since, clocks = self.ids, self.since, self.clocks
        # Nothing changes for a seat that is asked nothing and whose clock does not run, before and after.
        concerned = timed | ran
        if turn is not None and (turn.clocks is not None or turn.aside or not timed):
            concerned |= turn.seats - {NATURE}
        kept = timed & ran
        before = ([*ids], [*clocks]) if kept else (ids, clocks)
        for seat in concerned:
            asked, was = asks[seat], were[seat]
            new = asked is not None and asked != was
            if new:
                ids[seat] += 1
            if seat in timed:
                if seat not in ran:
                    since[seat] = now
                    continue
                if asked is None or was is None:
                    continue  # others are asked at his cost (`Turn.clocks`), or were: his time has not stopped
                if new and seat != actor:
                    clocks[seat] = drained(clock, clocks[seat], max(0, now - since[seat]), was)
                if new or (seat == actor and type(clock) is Move):
                    since[seat] = now
            else:
                if seat in ran and seat != actor:
                    clocks[seat] = drained(clock, clocks[seat], max(0, now - since[seat]), was or "play")
                if new:
                    since[seat] = now
        answered = NOT_YET
        if kept and any(ids[seat] == before[0][seat] for seat in kept):  # the window is still open
            gone = {seat for seat, ask in enumerate(asks) if ask is None and seat not in timed}
            if gone:
                earlier = {seat: said for seat, said in self.answered.items() if seat in gone}
                now_in = {seat: (were[seat] or "play", before[1][seat]) for seat in ran if seat in gone}
                answered = earlier | now_in or NOT_YET
        self.asks, self.timed, self.may, self.answered, self.nature_at = asks, timed, may, answered, nature_at
        if self.race_began is None and self.last_acts and any(asks):
            self.race_began = now
        return True

    def _with_aside(self, turn: Turn) -> tuple[tuple[str | None, ...], frozenset[Seat]]:
        """Return what each place is asked and whose clocks run, for a turn with side questions."""
        asked: list[str | None] = [None] * self._places
        for seat in turn.seats:
            if seat != NATURE:
                asked[seat] = turn.aside.get(seat, turn.ask)
        timed = turn.seats if turn.clocks is None else turn.clocks
        return interned(tuple(asked)), interned(
            frozenset([seat for seat in timed if seat != NATURE and seat not in turn.aside])
        )

    def _window(self) -> bool:
        """Tell whether the questions of this state belong to the window that the pause hides."""
        return _hidden(self._entry, self._rules, self.state)
