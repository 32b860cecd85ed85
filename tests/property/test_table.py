"""Whatever people, bots, clocks and lost lines do to a table, it is always its facts, folded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from qipai import games
from qipai.hall.live.recovery import load
from qipai.hall.records.replay import verify
from qipai.hall.rooms.rooms import Room, checked, opening, unopened
from qipai.hall.table import commands, model, wire_views
from qipai.hall.table.deal import rules_at
from qipai.hall.table.errors import HallError
from qipai.hall.table.events import LoggedEvent, Opened, Settled
from qipai.hall.table.handle import handle, may_begin, next_due
from qipai.hall.table.model import Table, TableLimits
from qipai.hall.table.observation import seen
from qipai.hall.table.stored import entry_of, event_of
from qipai.hall.table.system_commands import SYSTEM, Actor, Begin, BotAct, Found, Given, Lost, Tick
from qipai.ledger import Holdings
from qipai.store import StoredEntry

TOY = str(Path(__file__).parents[1] / "hall" / "toy")
USERS = (1, 2, 3, 4)
TUNE = TableLimits()


@pytest.fixture(autouse=True)
def snatch(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the small game of another package be found."""
    monkeypatch.syspath_prepend(TOY)
    games.forget()
    model._rules.cache_clear()
    yield
    monkeypatch.undo()
    games.forget()
    model._rules.cache_clear()


def who(id: int) -> Any:
    return None


def columns(row: LoggedEvent) -> tuple[Any, Any]:
    """The columns `data` and `secret` of an event as JSON data."""
    entry = entry_of(row, row.stream, row.seq)
    return msgspec.json.decode(entry.data), msgspec.to_builtins(entry.secret)


class TableMachine(RuleBasedStateMachine):
    """A table of a room, driven by everybody at once; `rows` is its log."""

    game = "snatch"
    kind: Any = "score"

    def __init__(self) -> None:
        super().__init__()
        options = {"takeback": "ask"} if self.kind == "friendly" else {}
        seats = 3 if self.game == "snatch" else None
        self.room = Room(1, self.game, self.kind, options=options, bots=True, seats=seats)
        self.table: Table = unopened(self.room, 101, 1)
        self.rows: list[LoggedEvent] = []
        self.now = 1_790_000_000_000
        self.games = 0
        self.cids = 0
        self.shown: dict[int | None, tuple[Any, int]] = {}

    def seats(self) -> int:
        return self.table.setting.seats

    def do(self, command: Any, by: Actor = SYSTEM) -> str | None:
        """Give a command; return the code when it is refused, which must change nothing."""
        before = self.table
        try:
            table, moments = handle(before, command, self.now, by, TUNE)
        except HallError as refused:
            return refused.code
        counted: dict[str, int] = {}
        for moment in moments:
            event = moment.event
            deal = moment.table.coming or moment.table.deal
            if event.what.OF_GAME:
                assert deal is not None
                stream, seq = f"game:{deal.game_id}", deal.rows
            else:
                stream, seq = "table:101", moment.table.rows
            assert counted.get(stream, seq - 1) == seq - 1, "a hole in a stream"
            counted[stream] = seq
            at, ms = divmod(event.now, 1000)
            entry = entry_of(event, stream, seq)
            data, secret = (each and msgspec.json.encode(each).decode() for each in (entry.data, entry.secret))
            row = (stream, seq, entry.type, data, secret, entry.actor, entry.cid)
            self.rows.append(event_of(StoredEntry(len(self.rows) + 1, at, ms, *row)))
            self.reaches_whom_it_changes(moment)
        assert moments or table.lasting() == before.lasting()
        self.table = table
        return None

    def reaches_whom_it_changes(self, moment: Any) -> None:
        """A channel is counted up when something it sees has changed, and only then."""
        for bit in range(self.seats() + 1):
            channel = bit if bit < self.seats() else None
            reached = moment.reach >> bit & 1
            assert moment.table.seqs[bit] - moment.before.seqs[bit] == reached or isinstance(moment.event.what, Opened)
            told = wire_views.told_on_wire(moment.told, channel, who)
            same = seen(moment.before, channel) == seen(moment.table, channel)
            if not reached:
                assert not told
                assert same
                assert not wire_views.shared_changes(moment.before, moment.table, who)
                assert wire_views.shared(moment.before, who) == wire_views.shared(moment.table, who)

    def by(self, user: int) -> Actor:
        return Actor(user, Holdings(), opening=opening(self.room, 101, 1))

    def cid(self) -> str:
        self.cids += 1
        return f"c{self.cids}"

    options = st.fixed_dictionaries(
        {},
        optional={
            "deals": st.integers(1, 2),
            "takeback": st.sampled_from(["off", "ask"]),
            "falling": st.booleans(),
            "wager": st.booleans(),
            "yield": st.booleans(),
            "on_leave": st.sampled_from(["bot", "void", "leave"]),
        },
    )
    users = st.sampled_from(USERS)
    some_seats = st.integers(0, 2)

    @initialize(chosen=options)
    def begin_with(self, chosen: Any) -> None:
        """Draw the room's house rules, but for taking back: where it is known it is allowed."""
        self.room = checked(msgspec.structs.replace(self.room, options={**chosen, **self.room.options}))
        self.table = unopened(self.room, 101, 1)

    @precondition(lambda self: not self.table.playing)
    @rule(people=st.sampled_from([1, 2, 3, 3, 3]), wait=st.booleans())
    def get_going(self, people: int, wait: bool) -> None:
        """Fill the table, everybody ready, and let the cards fall."""
        for user in USERS[:people]:
            free = [seat for seat, chair in enumerate(self.table.chairs) if not chair.taken]
            if free and self.table.seat_of(user) is None:
                self.do(commands.Sit(self.cid(), 101, free[-1]), self.by(user))
        for seat, chair in enumerate(self.table.chairs):
            if not chair.taken:
                self.do(commands.Fill(self.cid(), 101, seat, "easy"), self.by(self.table.owner or 0))
        self.everybody_ready(True)
        if wait:
            self.wait(3_000)
        elif self.table.coming is not None:
            for user in USERS:
                self.seed(user, f"from {user}")

    @rule(user=users, seat=some_seats)
    def sit(self, user: int, seat: int) -> None:
        self.do(commands.Sit(self.cid(), 101, seat), self.by(user))

    @rule(user=users, confirm=st.booleans())
    def stand(self, user: int, confirm: bool) -> None:
        self.do(commands.Stand(self.cid(), 101, confirm), self.by(user))

    @rule(on=st.booleans())
    def everybody_ready(self, on: bool) -> None:
        for user in USERS:
            self.do(commands.Ready(self.cid(), 101, on), self.by(user))
            self.begin()

    @rule(user=users, on=st.booleans())
    def ready(self, user: int, on: bool) -> None:
        self.do(commands.Ready(self.cid(), 101, on), self.by(user))
        self.begin()

    def begin(self) -> None:
        if may_begin(self.table):
            self.games += 1
            self.do(Begin(f"game{self.games:06}", f"{self.games:064x}"))

    @rule(user=users, seat=some_seats, level=st.sampled_from(["easy", "strong", None]))
    def fill(self, user: int, seat: int, level: Any) -> None:
        self.do(commands.Fill(self.cid(), 101, seat, level), self.by(user))
        self.begin()

    @rule(user=users, seat=some_seats, moderator=st.booleans())
    def remove(self, user: int, seat: int, moderator: bool) -> None:
        by = msgspec.structs.replace(self.by(user), moderator=moderator)
        self.do(commands.Remove(self.cid(), 101, seat, "why"), by)

    @rule(user=users, text=st.sampled_from(["", "a", "牌" * 30]))
    def seed(self, user: int, text: str) -> None:
        if self.table.coming is not None:
            self.do(commands.Seed(101, self.table.coming.game_id, text), self.by(user))

    @rule(user=users, options=options)
    def set_options(self, user: int, options: Any) -> None:
        self.do(commands.Set(self.cid(), 101, options=options), self.by(user))

    @precondition(lambda self: self.table.playing)
    @rule(pick=st.integers(0, 2), what=st.sampled_from(["takeback", "takeback", "stop"]), yes=st.booleans())
    def offer(self, pick: int, what: Any, yes: bool) -> None:
        """One asks; sometimes the others answer at once."""
        sitting = [chair.user for chair in self.table.chairs if chair.user is not None]
        if sitting:
            self.do(commands.Offer(self.cid(), 101, what), self.by(sitting[pick % len(sitting)]))
            if yes and what == "takeback":
                for user in sitting:
                    self.answer(user, True)

    @precondition(lambda self: self.table.playing and all(c.user and c.presence != "left" for c in self.table.chairs))
    @rule(pick=st.integers(0, 2))
    def take_back_and_agree(self, pick: int) -> None:
        sitting = [chair.user or 0 for chair in self.table.chairs]
        if self.do(commands.Offer(self.cid(), 101, "takeback"), self.by(sitting[pick % len(sitting)])) is None:
            for user in sitting:
                self.answer(user, True)

    @precondition(lambda self: self.table.offers)
    @rule(user=users, yes=st.booleans())
    def answer(self, user: int, yes: bool) -> None:
        for offer in self.table.offers:
            self.do(commands.Answer(self.cid(), 101, offer.offer, yes), self.by(user))

    @precondition(lambda self: self.table.playing)
    @rule(pick=st.integers(0, 50), many=st.integers(1, 30), patient=st.booleans())
    def play(self, pick: int, many: int, patient: bool) -> None:
        """Let those who are asked act, persons and bots; the patient wait for the end of each pause."""
        for _ in range(many):
            if patient and self.table.playing and self.table.deal and not any(self.table.deal.asks):
                self.wait(2_000)
            deal = self.table.deal
            if not self.table.playing or deal is None:
                return
            rules = rules_at(self.table, deal)
            for seat, chair in enumerate(self.table.chairs):
                asked = deal.asks[seat] is not None
                if not asked and seat not in deal.may:
                    continue
                listed = [*rules.legal(deal.state, seat), *rules.leaving(deal.state, seat)]
                if not asked and (not listed or pick % 3):
                    continue
                action = msgspec.to_builtins(listed[pick % len(listed)])
                if chair.bot is not None or chair.away:
                    self.do(BotAct(seat, deal.ids[seat] if asked else None, action))
                else:
                    act = commands.Act(self.cid(), 101, action, deal.ids[seat] if asked else None)
                    assert self.do(act, self.by(chair.user or 0)) is None
                break

    @rule(user=users, action=st.sampled_from([None, 7, {"a": "put"}, {"a": "put", "card": 99}, {"a": "roll", "d": 3}]))
    def nonsense(self, user: int, action: Any) -> None:
        assert self.do(commands.Act(self.cid(), 101, action), self.by(user)) is not None

    @rule(user=users)
    def lose(self, user: int) -> None:
        self.do(Lost(user))

    @rule(user=users)
    def find(self, user: int) -> None:
        self.do(Found(user))

    @rule(user=users)
    def back(self, user: int) -> None:
        self.do(commands.Back(self.cid(), 101), self.by(user))

    @rule(ms=st.sampled_from([0, 1, 400, 2_000, 10_001, 30_000, 60_000]))
    def wait(self, ms: int) -> None:
        then = self.now + ms
        while (due := next_due(self.table, TUNE)) is not None and due <= then:
            self.now = max(self.now, due)
            self.do(Tick())
            self.begin()
        self.now = then

    @rule(ms=st.integers(1, 100_000))
    def outage(self, ms: int) -> None:
        self.now += ms
        self.do(Given(ms))
        self.do(Tick())
        self.begin()

    @invariant()
    def is_its_facts_folded(self) -> None:
        if not self.rows:
            return
        again = load(101, self.rows).table.lasting()
        for told in (0, len(self.rows)):  # as many rows at once as can be, or one after the other
            assert load(101, self.rows, told).table.lasting() == again
        live = self.table.lasting()
        assert again == live
        assert live.seqs == self.table.seqs
        for row in self.rows[-3:]:
            as_json = StoredEntry(
                row.id, row.at, row.now % 1000, row.stream, row.seq, row.kind, *columns(row), row.actor, row.cid
            )
            assert event_of(as_json) == row  # as whoever reads rows as JSON data has it

    @invariant()
    def nobody_sits_twice(self) -> None:
        sitting = [chair.user for chair in self.table.chairs if chair.user is not None and chair.presence != "left"]
        assert len(sitting) == len(set(sitting))
        for user in sitting:
            seat = self.table.seat_of(user)
            assert seat is not None
            assert self.table.chairs[seat].user == user

    @invariant()
    def somebody_owns_it_while_somebody_sits(self) -> None:
        there = {c.user for c in self.table.chairs if c.user is not None and c.presence != "left"}
        assert not there or self.table.owner in there

    @invariant()
    def a_running_deal_waits_for_somebody(self) -> None:
        deal = self.table.deal
        if self.table.playing and deal is not None:
            assert any(deal.asks) or deal.concealed_until is not None or deal.nature_at is not None
            assert next_due(self.table, TUNE) is not None

    @invariant()
    def points_are_the_sum_of_what_was_paid(self) -> None:
        for row in self.rows[-1:]:
            if isinstance(row.what, Settled):
                assert [paid.seat for paid in row.what.paid] == list(range(self.seats()))
                assert verify([each for each in self.rows if each.stream == row.stream]) is None


class Friendly(TableMachine):
    """Without luck, so that what was done can be taken back."""

    game = "still"
    kind = "friendly"


@pytest.mark.parametrize("machine", [TableMachine, pytest.param(Friendly, marks=pytest.mark.slow)])
def test_a_table_is_its_facts_folded(machine: type[TableMachine]) -> None:
    checks = list(HealthCheck)
    examples = settings().max_examples  # fewer with --quick
    rules = settings(max_examples=examples, stateful_step_count=50, suppress_health_check=checks, deadline=None)
    run_state_machine_as_test(machine, settings=rules)
