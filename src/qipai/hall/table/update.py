"""A table while a command is carried out: it emits events one by one, first those that are due. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from qipai import ledger
from qipai.core.contract import NATURE, Notice, Rules, Seat
from qipai.hall.table import prepared, seats, settlement
from qipai.hall.table.clock import clock_of, full
from qipai.hall.table.deal import chance, limit, over, regrown, rules_at
from qipai.hall.table.errors import HallError
from qipai.hall.table.events import (
    AnyEvent,
    BalancesSecret,
    Closed,
    DealSeeded,
    Fined,
    HallEvent,
    MoveSecret,
    OfferAnswered,
    OpenedSecret,
    Played,
    PlayedFor,
    PreparedSecret,
    PreparedSet,
    PresenceChanged,
    Resumed,
    Ruling,
    RulingSecret,
    Seated,
    Secret,
    Settled,
    ShownLater,
    Stood,
)
from qipai.hall.table.fold import fold, numbered
from qipai.hall.table.model import Deal, Table, TableLimits, timing_of
from qipai.hall.table.observation import reached
from qipai.hall.table.stored import as_it_is_read
from qipai.hall.table.system_commands import SYSTEM

__all__ = ["Applied", "Due", "TableUpdate", "credit", "dues"]

Json = Any


class Applied(Struct, frozen=True):
    """An event, the table before and after it, what it tells, and whom it reaches."""

    event: HallEvent
    before: Table
    table: Table
    told: tuple[Notice, ...]
    reach: int


class Due(Struct, frozen=True, order=True, gc=False):
    """Something that will be due; the smallest of several comes first. rank: the order among those due at one time."""

    at: int
    rank: int
    what: str  # of DUES
    of: int = NATURE  # a seat, or the number of an offer


def dues(table: Table, limits: TableLimits) -> Iterator[Due]:
    """Yield what will be due."""
    deal = table.deal
    if table.playing and deal is not None:
        for seat in deal.timed:
            end = limit(deal, seat)
            if end is not None:
                # An answer exactly at the limit is in time (RP-15). An answer during a pause counts at its end.
                at = end if end == deal.concealed_until else end + 1 + credit(table, seat, limits)
                yield Due(at, 0, "flag", seat)
        if deal.past:
            yield Due(deal.past[0][0] + 1000 * (table.setting.watch.delay_s or 0), 9, "late")
        if (end := over(deal)) is not None:
            yield Due(end, 1, "resume")
        if deal.nature_at is not None:
            yield Due(deal.nature_at, 2, "beat")
        if deal.race_began is not None:
            yield from _watched(table, deal, deal.race_began)
    for seat, chair in enumerate(table.chairs):
        if chair.until is not None:
            yield Due(chair.until, 3, "grace", seat)
    for offer in table.offers:
        yield Due(offer.until, 4, "offer", offer.offer)
    if table.coming is not None:
        yield Due(table.coming.deadline, 5, "seed")
    if table.again is not None:
        yield Due(table.again, 6, "again")
    if table.unready is not None:
        yield Due(table.unready + limits.unready, 7, "unready")
    contest = table.setting.contest
    if table.empty is not None and contest is None:  # a contest knows itself when it needs a table no more
        yield Due(table.empty + limits.empty, 8, "empty")
    if contest is not None and contest.begin_by is not None and table.state == "open" and table.coming is None:
        if not all(seats.set_to_go(chair) for chair in table.players):
            yield Due(contest.begin_by, 7, "begin_by")
    if table.waits is not None:
        yield Due(table.waits + limits.waits, 8, "waits")


def _watched(table: Table, deal: Deal, race_began: int) -> Iterator[Due]:
    """Yield the time limits of a race that are running; an act exactly at the limit is in time, as with clocks."""
    timing = timing_of(table)
    if timing is None:
        return
    if timing.limit_ms:
        yield Due(race_began + timing.limit_ms + 1, 2, "limit")
    if timing.idle_ms:
        tried = table.tried or (None,) * len(deal.last_acts)
        for seat, last in enumerate(deal.last_acts):
            if deal.asks[seat] is not None:
                since = max(race_began, last.acted or 0, tried[seat] or 0)
                yield Due(since + timing.idle_ms + 1, 2, "idle", seat)


def credit(table: Table, seat: Seat, limits: TableLimits) -> int:
    """Return how many ms of a slow line a seat may get back for this move (P-23)."""
    deal = table.deal
    assert deal is not None
    if deal.concealed_until is not None or seat >= len(table.lags):
        return 0
    return max(0, min(table.lags[seat], limits.lag, limits.lag_game - deal.lag[seat]))


class TableUpdate:
    """The table while a command is being carried out."""

    def __init__(self, table: Table, now: int, limits: TableLimits) -> None:
        self.table, self.now, self.limits = table, now, limits
        self.applied: list[Applied] = []
        self.by = SYSTEM
        self.cid: str | None = None
        self._plans: dict[Seat, prepared.Plan] = {}  # of seats whose prepared moves this command has changed
        self._gone: set[Seat] = set()  # of those, where one could not be played

    def emit(self, what: AnyEvent, secret: Secret | None = None, action: Any = None) -> None:
        """Add an event and apply it to the table. action: the parsed action of a move."""
        if not isinstance(what, (Played, PlayedFor)):  # moves are not kept in parsed form
            what = as_it_is_read(what)
        event = HallEvent(what, self.now, secret, self.by.user, self.cid, action)
        before = self.table
        after, told = fold(before, event)
        reach = reached(before, after, told, always=False)
        if reach != (1 << len(after.seqs)) - 1:
            event = replace(event, secret=replace(secret or what.SECRET(), reach=reach))
        self.table = numbered(after, reach)
        self.cid = None  # only a command's first event has its `cid`
        self.applied.append(Applied(event, before, self.table, told, reach))

    @property
    def deal(self) -> Deal:
        """Return the running deal."""
        deal = self.table.deal
        assert deal is not None
        return deal

    def seat(self) -> Seat:
        """Return the seat of whoever gives the command."""
        seat = self.table.seat_of(self.by.user)
        if seat is None:
            raise HallError("NOT_SEATED")
        return seat

    def player(self) -> Seat:
        """Return the seat of whoever gives the command; raises unless they play (not for the bench)."""
        seat = self.seat()
        if self.table.benched(seat):
            raise HallError("NOT_ALLOWED", case="bench")
        return seat

    # What is due --------------------------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Do what is due, in the order in which it was."""
        for _ in range(1000):
            due = min(dues(self.table, self.limits), default=None)
            if due is None or due.at > self.now:
                return
            DUES[due.what](self, due.of)
        raise AssertionError("what is due never ends")

    def flag(self, seat: Seat) -> None:
        """Act on a seat whose time is up (P-23)."""
        leaving = self.table.entry.leaving
        if leaving.flag is not None:
            self.nature(leaving.flag(seat))
            return
        self.auto(seat, "timeout")
        self.go_on()
        chair = self.table.chairs[seat]
        tired = chair.row >= self.limits.flags_in_row or chair.flags >= self.limits.flags_in_game
        if (
            self.table.playing
            and tired
            and chair.user is not None
            and chair.presence == "online"
            and settlement.substitutes(self.table)
        ):
            self.emit(PresenceChanged(seat=seat, state="bot", until=None))

    def auto(self, seat: Seat, why: str, action: Any = None) -> None:
        """Act for a seat: with its default action, or with what a substitute chose."""
        if action is None:
            action = rules_at(self.table, self.deal).idle(self.deal.state, seat)
        self.act(seat, action, ms=self.took(seat), why=why)

    def took(self, seat: Seat) -> int:
        """Return for how many ms a seat has been asked; 0 for a seat that acts unasked."""
        return 0 if self.deal.asks[seat] is None else max(0, self.now - self.deal.since[seat])

    def idle(self, seat: Seat) -> None:
        """Act on a seat that has done nothing for too long; its player keeps the seat and may watch."""
        timing = timing_of(self.table)
        assert timing is not None
        assert timing.idle is not None
        self.nature(timing.idle(seat))

    def limit(self, _seat: Seat) -> None:
        """End a race whose time is up."""
        timing = timing_of(self.table)
        assert timing is not None
        assert timing.limit is not None
        self.nature(timing.limit())

    def resume(self, _seat: Seat) -> None:
        """End the even pause."""
        self.emit(Resumed())
        self.go_on()

    def nature_at(self, _seat: Seat) -> None:
        """Let NATURE act in a turn that it shares with seats."""
        self.luck()
        self.go_on()

    def grace(self, seat: Seat) -> None:
        """Act on a player whose grace after a lost line is over (P-27, P-28)."""
        if self.table.turn_based:  # it has become turn-based since
            self.back(seat)
            return
        if not self.table.playing:
            self.stand(seat, "lost")
            return
        price = settlement.price(self.table, seat)
        self.emit(PresenceChanged(seat=seat, state="bot", until=None, price=price, lost=True))
        self.gone(seat)

    def delayed_view(self, _seat: Seat) -> None:
        """Show watchers what has become old enough (P-88)."""
        self.emit(ShownLater(at=self.deal.past[0][0]))

    def offer_over(self, number: int) -> None:
        """End an offer that nobody has answered in time."""
        self.emit(OfferAnswered(offer=number, seat=None, yes=False))

    def seeded(self, _seat: Seat) -> None:
        """Publish the seeds and deal."""
        coming = self.table.coming
        assert coming is not None
        seeded = DealSeeded(game_id=coming.game_id, client_seeds=tuple([seed or "" for seed in coming.seeds]))
        self.emit(seeded, None if coming.trunk is None else regrown(self.table, coming, seeded.client_seeds))
        self.go_on()

    def again_over(self, _seat: Seat) -> None:
        """Open the table when not everybody has asked for another game in time (P-25); its match can still go on.

        A table for one game, of a contest or from a moment of another deal, is closed.
        """
        if self.table.setting.once:
            self.waited(NATURE)
            self.emit(Closed(why="over"))
            return
        bound = any(chair.ready for chair in self.table.chairs)  # if nobody is ready, all have agreed to stop
        opened = replace(seats.opened(self.table), bound=bound)
        self.emit(opened, OpenedSecret(self.table.key) if self.table.key else None)
        if self.table.turn_based:
            self.waited(NATURE)

    def waited(self, _seat: Seat) -> None:
        """Stand everybody up at a turn-based table where nothing happens any more."""
        for seat, chair in enumerate(self.table.chairs):
            if chair.taken:
                self.emit(Stood(seat=seat, why="over"))

    def unready(self, _seat: Seat) -> None:
        """Stand up the one player for whom all others wait (P-18)."""
        for seat, chair in enumerate(self.table.chairs):
            if chair.user is not None and not chair.ready:
                left = settlement.breach(self.table, self.limits, seat)
                if left is not None:
                    self.fined(seat, left)
                self.stand(seat, "unready")
                return

    def begin_by(self, _seat: Seat) -> None:
        """Wait no longer for who has not come to a game of a contest (P-67).

        Where bots play for who is gone they play for them, too, who may take their seats at any time; else, and where
        nobody has come, there is no game.
        """
        table = self.table
        contest, here = table.setting.contest, [chair for chair in table.players if chair.ready]
        if contest is None or not here or not settlement.substitutes(table):
            self.emit(Closed(why="absent"))
            return
        for seat, chair in enumerate(table.players):
            if not chair.taken:  # somebody whose account is no more
                self.emit(Seated(seat=seat, bot=contest.level))
            elif chair.user is not None and not chair.ready:
                self.emit(PresenceChanged(seat=seat, state="bot", until=None))

    def empty(self, _seat: Seat) -> None:
        """Close a table that somebody created and nobody uses."""
        self.emit(Closed(why="empty"))

    # The deal -----------------------------------------------------------------------------------------------------

    def act(
        self, seat: Seat, action: Any, *, ms: int = 0, lag: int = 0, why: str | None = None, drawn: int | None = None
    ) -> None:
        """Apply an action and what follows from it at once."""
        kind: type[Played | PlayedFor] = Played if why is None else PlayedFor
        raw, said, luck = msgspec.to_builtins(action), why or UNSET, UNSET if drawn is None else drawn
        before = self.deal.state
        if self.table.entry.secret(before, seat, action):
            self.emit(kind(), MoveSecret(seat, raw, ms, lag, said, luck), action)
        else:
            # Answers given beforehand are private: that one was used stays secret for good.
            own = said if why == "standing" else UNSET
            secret = None if own is luck is UNSET else MoveSecret(why=own, drawn=luck)
            self.emit(kind(seat=seat, action=raw, ms=ms, lag=lag, why=UNSET if own else said), secret, action)
        if seat != NATURE:
            self._hear(seat, action, before)

    def nature(self, action: Any) -> None:
        """Let the hall act as NATURE, seat -1 (13.3)."""
        self.act(NATURE, action)
        self.go_on()

    def luck(self) -> None:
        """Let luck act."""
        action, drawn = chance(self.table)
        self.act(NATURE, action, drawn=drawn)

    def _hear(self, by: Seat, action: Any, before: Any) -> None:
        """Let what the other seats have prepared follow an action."""
        for seat, chair in enumerate(self.table.chairs):
            if chair.prepared and seat != by:
                plan = self._plan(seat)
                if (after := plan.heard(self.table, before, by, action)) is not plan:
                    self._plans[seat] = after

    def _plan(self, seat: Seat) -> prepared.Plan:
        """Return what a seat has prepared, as it stands at this point of the command."""
        return self._plans.get(seat) or prepared.Plan(keeps=self.table.chairs[seat].prepared)

    def go_on(self) -> None:
        """Apply luck, and what was given beforehand, until a player must act; end the deal when it is over."""
        self._go_on()
        plans, self._plans = self._plans, {}
        gone, self._gone = self._gone, set()
        for seat, plan in plans.items():
            # When the deal is over nothing is kept anyway.
            if self.table.playing and plan.keeps != self.table.chairs[seat].prepared:
                self.emit(PreparedSet(), PreparedSecret(seat, plan.keeps, seat in gone))

    def _go_on(self) -> None:
        for _ in range(10_000):
            if not self.table.playing:
                return
            rules = rules_at(self.table, self.deal)
            outcome = rules.outcome(self.deal.state)
            if outcome is not None:
                if self.deal.concealed_until is not None:
                    return  # ending the deal before the pause would reveal that nobody was asked
                carry = msgspec.to_builtins(outcome.carry)
                void = outcome.why == self.table.entry.leaving.void
                self.end(outcome.points, outcome.places, outcome.why, carry, void=void)
                return
            turn = rules.turn(self.deal.state)
            if NATURE in turn.seats and not turn.delay_ms:
                self.luck()
            elif not self.answer(rules):
                return
        raise AssertionError("luck never ends")

    def answer(self, rules: Rules[Any, Any, Any]) -> bool:
        """Use an answer that somebody has given beforehand; tell whether there was one."""
        for seat, chair in enumerate(self.table.chairs):
            if self.table.setting.goes_on and not chair.taken and self.deal.asks[seat] is not None:
                self.auto(seat, "bot")  # on the bench of the deal that this one starts within; here nobody sits there
                return True
            if not (chair.standing or chair.prepared) or chair.away or self.deal.asks[seat] is None:
                continue  # a substitute answers for players who are away
            for name in chair.standing:
                given = self.table.entry.standing.get(name)  # a newer version of the game may not have it any more
                action = None if given is None else given(rules, self.deal.state, seat)
                if action is not None:
                    self.auto(seat, "standing", action)
                    return True
            if chair.prepared and self._play_prepared(rules, seat):
                return True
        return False

    def _play_prepared(self, rules: Rules[Any, Any, Any], seat: Seat) -> bool:
        """Play what a seat that is asked has prepared; tell whether there was anything that may be played."""
        plan, state = self._plan(seat), self.deal.state
        lines = plan.open_to(turn=prepared.is_turn(self.deal, rules.turn(state), seat))
        for line in lines:
            action = self.table.entry.act(line[0])
            if prepared.playable(rules, state, seat, action):
                self._plans[seat] = plan.played(line[0])
                self.auto(seat, "standing", action)
                return True
        if lines:
            self._plans[seat] = plan.without(lines)
            self._gone.add(seat)
        return False

    def end(
        self, points: Any, places: Any, why: str, carry: Json, *, void: bool = False, excused: bool = False
    ) -> None:
        """End the deal, pay, and stand up players who are gone. excused: nobody pays for having left (P-58)."""
        if self.deal.concealed_until is not None:
            self.emit(Resumed())
        table = self.table
        short = not void and settlement.short(table, points)
        found = settlement.reckon(table, self.limits, self.now, points, void=void or short, excused=excused)
        inside = table.entry.rating.inside
        daily = table.entry.form.daily and not void and not found.left
        settled = Settled(
            points=tuple(points),
            places=tuple(places),
            why=why,
            carry=carry,
            server_seed=None if self.deal.board else self.deal.server_seed,  # a shared deal is opened after all tables
            paid=tuple(found.paid),
            again=self.limits.again if table.setting.once else self.while_away(self.limits.again),
            short=short,
            inside=UNSET if inside is None else tuple([(winner, how) for winner, how in inside(self.deal.state)]),
            took=self.now - self.deal.race_began if daily and self.deal.race_began is not None else UNSET,
            left={str(seat): left.cause for seat, left in found.left.items()} or UNSET,
            pool=settlement.pool_of(table) if found.rated else UNSET,
        )
        had = tuple(
            [None if holdings is None else settlement.counted(holdings, table.setting.kind) for holdings in found.had]
        )
        self.emit(settled, None if table.setting.kind == "friendly" else BalancesSecret(had))
        for seat, chair in enumerate(self.table.chairs):
            if chair.presence == "left" or (chair.lost and chair.presence == "bot"):
                self.stand(seat, "self" if chair.presence == "left" else "lost")
            else:
                self.unfit(seat)

    def while_away(self, ms: int) -> int:
        """Return how long the table waits for somebody: this long, or for one move's days at a turn-based table."""
        return full(clock_of(self.table.clock)) if self.table.turn_based else ms

    def fined(self, seat: Seat, left: ledger.Left) -> None:
        """Fine somebody for leaving while they owe deals."""
        holdings = self.table.chairs[seat].holdings
        assert holdings is not None
        cost = ledger.price(self.table.stakes(self.limits), left, holdings, fee=False)
        trust = ledger.trusted(holdings.credibility, "quit") - holdings.credibility
        fined = Fined(
            seat=seat,
            user=self.table.chairs[seat].user,
            game=self.table.setting.game,
            score=cost["score"],
            coins=cost["coins"],
            credibility=trust,
        )
        self.emit(fined, BalancesSecret((settlement.counted(holdings, self.table.setting.kind),)))

    def void(self, why: str, *, excused: bool = False) -> None:
        """End the deal without a result (P-28)."""
        count = len(self.deal.seats)
        self.end([0] * count, [1] * count, why, None, void=True, excused=excused)

    def shut(self, why: str) -> None:
        """Close the table for a moderator: nobody pays, everybody leaves, and the log has the reason (P-95)."""
        self._clear("moderator", why)
        ruling = Ruling(None, "close", why, None, self.table.stream, self.table.setting.room)
        self.emit(Closed(why="moderator", reason=why), RulingSecret(ruling))
        self._open_again()

    def call_off(self, why: str) -> None:
        """Close a table to whose game nobody has come back, or that its contest does not want any more."""
        self._clear(why)
        self.emit(Closed(why=why))
        self._open_again()

    def _clear(self, why: str, reason: str | UnsetType = UNSET) -> None:
        """End the game at no cost to anybody, and stand everybody up."""
        if self.table.coming is not None:
            self.seeded(NATURE)  # a deal that the ledger knows must end there too
        if self.table.playing:
            self.void("closed", excused=True)
        for seat, chair in enumerate(self.table.chairs):
            if chair.taken:
                self.emit(Stood(seat=seat, why=why, reason=reason))

    def _open_again(self) -> None:
        """Open a room's own table for others."""
        if not self.table.setting.made:
            self.emit(replace(seats.opened(self.table), owner=None))

    def gone(self, seat: Seat) -> None:
        """Act on a player who has left: a substitute plays on, or the game or the hall ends the deal (13.3)."""
        if settlement.stays(self.table, seat):
            return
        if (action := settlement.ends(self.table, seat)) is None:
            self.void("void")
        else:
            self.nature(action)

    # Seats --------------------------------------------------------------------------------------------------------

    def sit(self, seat: Seat, *, owner: bool = False) -> None:
        """Let whoever gives the command take a seat."""
        by = self.by
        holdings = by.holdings
        if holdings is None:
            self.emit(Seated(seat=seat, user=by.user, score=None, credibility=None, owner=owner))
            return
        seated = Seated(seat=seat, user=by.user, score=holdings.score, credibility=holdings.credibility, owner=owner)
        self.emit(seated, settlement.means(holdings))

    def unfit(self, seat: Seat) -> None:
        """Stand up players who may not play on: too few coins (P-48), or the table's pass is too high (P-45)."""
        table = self.table
        holdings, high = table.chairs[seat].holdings, table.setting.pass_
        if holdings is None:
            return
        if table.setting.kind == "coin" and holdings.coins <= self.limits.too_few:
            self.stand(seat, "coins")
        elif high is not None and holdings.pass_.pass_ < high:
            self.stand(seat, "pass")

    def stand(self, seat: Seat, why: str, secret: RulingSecret | None = None) -> None:
        """Free a seat; when no person is left, the bots leave too."""
        self.emit(Stood(seat=seat, why=why), secret)
        if all(chair.user is None for chair in self.table.players):
            for other, chair in enumerate(self.table.players):
                if chair.bot is not None:
                    self.emit(Stood(seat=other, why="removed"))

    def leave(self, seat: Seat, *, kicked: str | None = None) -> None:
        """Leave a running game for good. kicked: why a moderator has removed the player."""
        free = settlement.free(self.table, seat)
        price = 0 if free else settlement.price(self.table, seat)
        left = PresenceChanged(seat=seat, state="left", until=None, price=price, free=free, kicked=kicked is not None)
        self.emit(left, None if kicked is None else self.ruling(seat, kicked, self.deal.game_id))
        if not free:
            self.gone(seat)

    def ruling(self, seat: Seat, why: str, ref: str) -> RulingSecret:
        """Return the secret part of an event by which a moderator removes somebody: the ruling (P-95)."""
        user, room = self.table.chairs[seat].user, self.table.setting.room
        return RulingSecret(Ruling(user, "kick", why, None, ref, room))

    def back(self, seat: Seat) -> None:
        """Give a seat back to its player, who was away or whose line was lost."""
        chair = self.table.chairs[seat]
        if chair.presence in ("grace", "bot"):
            self.emit(PresenceChanged(seat=seat, state="online", until=None, lost=False))


DUES: Final[Mapping[str, Callable[[TableUpdate, int], None]]] = {
    "flag": TableUpdate.flag,
    "idle": TableUpdate.idle,
    "limit": TableUpdate.limit,
    "resume": TableUpdate.resume,
    "beat": TableUpdate.nature_at,
    "late": TableUpdate.delayed_view,
    "grace": TableUpdate.grace,
    "offer": TableUpdate.offer_over,
    "seed": TableUpdate.seeded,
    "again": TableUpdate.again_over,
    "unready": TableUpdate.unready,
    "empty": TableUpdate.empty,
    "begin_by": TableUpdate.begin_by,
    "waits": TableUpdate.waited,
}
