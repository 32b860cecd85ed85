"""Lost lines, repeated commands, late answers, and a hall that dies in the middle (platform P-27, P-99, P-100)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.hall.test_gouji import six
from tests.hall.test_xiangqi import move, two
from tests.hall.world import Jumping, Names, Person, World, quick, run, world

from qipai.hall.live.last_rows import Rows
from qipai.hall.live.live_table import AWAY_MS
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.messages import Err

ROOMS = (
    Room(1, "gouji", "score"),
    Room(2, "xiangqi", "score", clock={"type": "fischer", "base": 60, "inc": 5}),
    Room(3, "xiangqi", "friendly", clock={"type": "none"}),
)

LONG = Room(1, "xiangqi", "friendly", options={"repetition_count": 5, "move_limit": 0})  # its games do not end soon


async def play(people: list[Person], table: int, since: int, until: int) -> None:
    """Let two people make their moves from the one number to the other, any."""
    for n in range(since, until):
        listed = people[n % 2].shown[table]["legal"]["list"]
        await people[n % 2].act(table, listed[(n * 7) % len(listed)])
        assert people[0].shown[table]["info"]["state"] == "playing"


async def step(people: list[Person], table: int) -> None:
    """Let whoever is asked do the first thing listed."""
    for person in people:
        shown = person.shown.get(table)
        if shown and shown["ask"]:
            await person.act(table, shown["legal"]["list"][0], shown["ask"]["id"])
            return


def told_of(messages: list[Any]) -> list[Any]:
    return [(m["seq"], m["told"]) for m in messages]


class Dead(Person):
    """A line whose transport has ended, which the hall does not know yet."""

    dying = False

    def send(self, data: bytes) -> None:
        if self.dying:
            raise RuntimeError("unable to perform operation on <TCPTransport closed=True>; the handler is closed")
        super().send(data)


def presences(w: World, table: int) -> list[str]:
    return [chair.presence for chair in w.table(table).chairs]


def online(person: Person) -> set[int]:
    """Return who is online, as one who follows the list has been told."""
    rows: dict[int, Any] = {}
    for message in person.of("list"):
        if message["list"] == "online":
            rows = {} if message["whole"] else rows
            rows |= {row["user"]["id"]: row for row in message["rows"]}
            rows = {user: row for user, row in rows.items() if user not in message["gone"]}
    return set(rows)


def test_lines_that_die_together_are_all_lost(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A proxy restarts: everybody watches everybody, and each is told of the others when he is gone himself."""

    async def test() -> None:
        async with world(tmp_path, Room(1, "xiangqi", "friendly", clock={"type": "none"})) as w:
            people = []
            for id in range(20, 28):
                w.names.add(id, f"p{id}")
                people.append(Dead(w, w.names.users[id]))
            for n, person in enumerate(people):
                await person.sit(101 + n // 2, n % 2)
                await person.ready(101 + n // 2)
                await person.say(commands.Enter(1))
                await person.say(commands.Follow("online", True))
            for person in people:
                for table in range(101, 105):
                    await person.join(table)
            witness = await w.person(9)
            for table in range(101, 105):
                await witness.join(table)
            await witness.say(commands.Follow("online", True))
            assert len(online(witness)) == 9
            for person in people:
                person.dying = True
            for person in people:
                w.hall.attendance.detach(person.session)
            await w.rest()
            assert [presences(w, table) for table in range(101, 105)] == [["grace", "grace"]] * 4
            assert online(witness) == {9}
            assert len(w.hall.people.sessions) == 1
            assert all([*live.listeners] == [witness.session] for live in w.hall.runner.tables.values())
            assert all(seat["presence"] == "grace" for seat in witness.shown[101]["seats"])
            back = [await w.person(person.user.id) for person in people if person.user]
            assert [presences(w, table) for table in range(101, 105)] == [["online", "online"]] * 4
            assert online(witness) == {9, *range(20, 28)}
            await back[0].join(101)
            w.hall.healing.heal()
            assert not any(w.hall.healing.healed.values())

    run(test())
    assert not any(record.exc_info for record in caplog.records)


def test_a_line_that_fails_is_let_go_and_disturbs_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "xiangqi", "friendly", clock={"type": "none"})) as w:
            watcher = Dead(w, w.names.add(5, "p5"))
            player = Dead(w, w.names.add(20, "p20"))
            await watcher.join(101)
            await player.sit(101, 0)
            other = await w.person(30)
            await other.sit(101, 1)
            last = await w.stranger()
            await last.join(101)
            for person in (watcher, player, other):
                await person.say(commands.Enter(1))
            for person in (player, other):
                await person.ready(101)
            watcher.dying = True
            await player.act(101, {"a": "move", "m": "h2e2"})
            assert len(other.shown[101]["view"]["plies"]) == len(last.shown[101]["view"]["plies"]) == 1
            assert watcher.session not in w.hall.people.sessions
            assert watcher.closed == 1011
            assert last.shown[101]["seq"] == w.table(101).seqs[-1]
            player.dying = True  # who moves himself
            await other.act(101, {"a": "move", "m": "b9c7"})
            assert presences(w, 101) == ["grace", "online"]
            assert other.shown[101]["seats"][0]["presence"] == "grace"
            w.hall.attendance.detach(player.session)  # as its socket does when it hears that it has ended
            assert presences(w, 101) == ["grace", "online"]

    run(test())
    told = [record for record in caplog.records if "takes nothing any more" in record.getMessage()]
    assert len(told) == 2  # one for each line, whatever was to be said to it
    assert not any(record.exc_info for record in caplog.records)


def test_a_line_is_forgotten_whatever_fails_on_the_way(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "xiangqi", "friendly", clock={"type": "none"})) as w:
            ann, _bob = await two(w, 101)
            await ann.say(commands.Enter(1))

            def broken(*_: Any) -> None:
                raise ValueError("broken")

            w.hall.audience.leave = w.hall.lobby.exit = w.hall.invitations.forget = broken  # type: ignore[assignment, method-assign]
            await ann.hang_up()
            assert presences(w, 101) == ["grace", "online"]
            assert not w.hall.people.here(20)

    run(test())
    assert sum(record.exc_info is not None for record in caplog.records) == 3


def test_what_is_not_as_it_should_be_is_put_right(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "xiangqi", "friendly", clock={"type": "none"})) as w:
            ann, bob = await two(w, 101)
            for person in (ann, bob):
                await person.say(commands.Enter(1))
            await bob.say(commands.Follow("online", True))
            del w.hall.people.sessions[ann.session]  # it is gone, and nobody was told
            assert presences(w, 101) == ["online", "online"]
            w.hall.healing.heal()
            await w.rest()
            assert presences(w, 101) == ["grace", "online"]
            assert online(bob) == {21}
            assert [*w.hall.runner.tables[101].listeners] == [bob.session]
            assert w.hall.inside.count(1) == 1
            assert w.hall.healing.healed == {"lines": 1, "listeners": 0, "seats": 0}
            # A seat that does not know that its player is back, and one that does not know that he is gone.
            w.hall.people.came(20, ann.session)
            w.hall.people.sessions[ann.session] = None
            w.hall.people.went(21, bob.session)
            w.hall.healing.heal()
            await w.rest()
            assert presences(w, 101) == ["online", "grace"]
            w.hall.healing.heal()
            assert w.hall.healing.healed == {"lines": 1, "listeners": 0, "seats": 2}
            w.hall.people.came(21, bob.session)

    run(test())


@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize("lost", ["nobody", "one"])
async def test_who_is_there_before_his_table_is_awake_has_his_seat(tmp_path: Path, clean: bool, lost: str) -> None:
    """After a restart the tables wake one after the other, and people come back before theirs does."""
    clock, names = Jumping(), Names()
    async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
        pair = await two(w, 201)
        sitter = await w.person(40)
        await sitter.sit(302, 0)
        if lost == "one":
            await pair[0].hang_up()
            await sitter.hang_up()
            await w.jump(50_000)  # of 60 s of grace
        before = presences(w, 201)
        if clean:
            w.hall.closing = True
            for person in (*pair, sitter):
                w.hall.attendance.detach(person.session)
            await w.rest()
            assert presences(w, 201) == before
            await w.stop()
            w.dead = True
        else:
            await w.kill()
    clock.time += 3_600_000
    w = World(tmp_path / "hall.sqlite", clock, names, quick(), [*ROOMS])
    await w.store.open()
    await w.hall.open()  # 201 is not awake yet
    try:
        assert not w.hall.runner.tables
        red = Person(w, names.users[20])
        here = Person(w, names.users[40])
        await w.rest()
        assert presences(w, 201) == ["online", "grace"]
        assert presences(w, 302)[0] == "online"
        assert w.table(201).chairs[1].until == clock.time + 60_000
        await red.join(201)
        await w.jump(5_000)
        black = await w.person(21)
        assert presences(w, 201) == ["online", "online"]
        await black.join(201)
        await red.act(201, {"a": "move", "m": "h2e2"})
        assert here.stood() == []
        await w.check()
    finally:
        await w.stop()


async def test_the_time_of_an_outage_is_given_back_to_all_that_is_waited_for(tmp_path: Path) -> None:
    clock, names = Jumping(), Names()
    async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
        playing, waiting = await two(w, 201), [await w.person(50), await w.person(51)]
        await playing[0].hang_up()
        for seat, person in enumerate(waiting):
            await person.sit(302, seat)
        await waiting[0].hang_up()
        keen, slow = [await w.person(60), await w.person(61)]
        await keen.sit(303, 0)
        await slow.sit(303, 1)
        await keen.ready(303)  # the other one is waited for
        await w.jump(20_000)
        before = {id: w.table(id) for id in (201, 302, 303)}
        assert before[303].unready is not None
        await w.stop()
        w.dead = True
    clock.time += 500_000
    async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
        assert w.table(201).chairs[0].until == before[201].chairs[0].until + 500_000
        assert w.table(302).chairs[0].until == before[302].chairs[0].until + 500_000
        assert w.table(303).unready == before[303].unready + 500_000
        await w.jump(39_000)
        assert [w.table(id).chairs[0].presence for id in (201, 302)] == ["grace"] * 2
        assert w.table(302).chairs[0].user == 50
        for id in (20, 21, 50, 51, 60, 61):
            await w.person(id)
        assert {each for id in (201, 302, 303) for each in presences(w, id)} == {"online"}


async def test_refusals_come_in_the_order_of_what_they_answer(tmp_path: Path) -> None:
    async with world(tmp_path, *ROOMS) as w:
        ann, bob = await two(w, 301)
        for n, (person, good) in enumerate([(ann, "h2e2"), (bob, "b9c7"), (ann, "h0g2"), (bob, "h9g7")]):
            start = len(person.got)
            for command in (
                commands.Act(f"far-{n}", 301, {"a": "move", "m": "a0a9"}),
                commands.Act(f"no-{n}", 301, {"a": "nonsense"}),
                commands.Act(f"good-{n}", 301, {"a": "move", "m": good}),
                commands.Act(f"twice-{n}", 301, {"a": "move", "m": good}),
            ):
                await w.hall.dispatch.handle(person.session, command)
            person.session.refuse(Err(f"bad-{n}", "act", "BAD_MESSAGE", {"field": "ask"}))
            await w.rest()
            answers = [m["cid"] for m in person.got[start:] if m["t"] in ("ack", "err")]
            assert answers == [f"{name}-{n}" for name in ("far", "no", "good", "twice", "bad")]
        person.session.refuse(Err("last", "act", "BAD_MESSAGE", {"field": "ask"}))
        assert person.got[-1]["cid"] == "last"  # nothing is owed


def test_what_was_missed_arrives_once_and_in_order(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await six(w, 101)
            mirror = await w.person(10)  # a second line of the same person sees what the first one would have seen
            await mirror.join(101)
            before = people[0].shown[101]
            seq, ch = before["seq"], before["ch"]
            await mirror.hang_up()
            keeper = await w.person(10)
            await keeper.join(101)
            start = len(keeper.got)
            await people[0].hang_up()
            for _ in range(7):
                await step([keeper, *people[1:]], 101)
            again = await w.person(10)
            snapshot = await again.join(101, ch=ch, after=seq)
            evs = [m for m in keeper.got[start:] if m["t"] == "ev"]
            assert told_of(snapshot["missed"]) == told_of(evs)
            assert snapshot["seq"] == seq + len(evs) == keeper.shown[101]["seq"]
            for field in ("info", "seats", "offers", "game", "view", "ask", "legal", "hints", "result"):
                assert snapshot[field] == keeper.shown[101][field], field

    run(test())


@pytest.mark.slow
def test_what_a_table_has_forgotten_is_told_out_of_the_log(tmp_path: Path) -> None:
    """Nobody has gone, so the table remembers little; who comes back hears the rest and what happens meanwhile."""

    async def test() -> None:
        async with world(tmp_path, LONG) as w:
            people = [*await two(w, 101)]
            seq, ch = people[0].shown[101]["seq"], people[0].shown[101]["ch"]
            start = len(people[0].got)
            await play(people, 101, 0, 30)
            live = w.hall.runner.tables[101]
            assert len(live.said) < 10
            read, gate = w.store.read, asyncio.Event()

            async def slow(work: Any) -> Any:
                found = await read(work)
                await gate.wait()
                return found

            w.hall.audience.catch_up._store = SimpleNamespace(read=slow)
            again = await w.person(20)
            joining = asyncio.create_task(w.hall.dispatch.handle(again.session, commands.Join(101, ch=ch, after=seq)))
            watcher = await w.stranger()
            watching = asyncio.create_task(
                w.hall.dispatch.handle(watcher.session, commands.Join(101, ch="101.w", after=4))
            )
            await play(people, 101, 30, 42)
            gate.set()
            await asyncio.gather(joining, watching)
            await play(people, 101, 42, 45)
            [snapshot] = [m for m in again.got if m["t"] == "snapshot"]
            later = [m for m in again.got if m["t"] == "ev"]
            evs = [m for m in people[0].got[start:] if m["t"] == "ev"]
            assert len(snapshot["missed"]) == 42
            [seen] = [m for m in watcher.got if m["t"] == "snapshot"]
            assert told_of(seen["missed"])[-42:] == [(m["seq"], m["told"]) for m in snapshot["missed"]]
            assert told_of([*snapshot["missed"], *later]) == told_of(evs)
            await w.jump(AWAY_MS)
            await play(people, 101, 45, 46)
            assert len(live.said) < 10

    run(test())


def test_a_log_that_cannot_be_read_costs_what_was_missed_alone(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, LONG) as w:
            people = [*await two(w, 101)]
            seq, ch = people[0].shown[101]["seq"], people[0].shown[101]["ch"]
            await play(people, 101, 0, 30)

            async def broken(work: Any) -> Any:
                found = await w.store.read(work)
                return Rows(found.rows[7:], found.skipped)

            w.hall.audience.catch_up._store = SimpleNamespace(read=broken)
            again = await w.person(20)
            snapshot = await again.join(101, ch=ch, after=seq)
            assert snapshot["missed"] is None
            assert snapshot["view"] == people[0].shown[101]["view"]

    run(test())


def test_missed_is_null_for_another_channel_or_too_much(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 301)
            seq = ann.shown[301]["seq"]
            again = await w.person(20)
            assert (await again.join(301, ch="301.1", after=seq))["missed"] is None
            assert (await again.join(301, ch="301.0", after=seq + 1))["missed"] is None
            assert (await again.join(301, ch="301.0", after=0))["missed"] is None  # before sitting down there
            assert (await again.join(301, ch="301.0", after=seq))["missed"] == []
            assert (await again.join(301))["missed"] is None
            for _ in range(201):
                await ann.act(301, {"a": "offer_draw"} if False else ann.shown[301]["legal"]["list"][0])
                ann, bob = bob, ann
                if ann.shown[301]["info"]["state"] != "playing":
                    break

    run(test())


@pytest.mark.slow
def test_more_than_two_hundred_missed_are_not_told(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, LONG) as w:
            people = [*await two(w, 101)]
            watcher = await w.stranger()
            await watcher.join(101)
            seq = watcher.shown[101]["seq"]
            await play(people, 101, 0, 200)
            there = await watcher.join(101, ch="101.w", after=seq)
            assert len(there["missed"]) == 200
            await play(people, 101, 200, 201)
            there = await watcher.join(101, ch="101.w", after=seq)
            assert there["missed"] is None

    run(test())


def test_a_repeated_command_is_carried_out_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 301)
            act = commands.Act("m-1", 301, {"a": "move", "m": "h2e2"}, ann.shown[301]["ask"]["id"])
            first = await ann.done(act)
            assert "again" not in first
            second = await ann.done(act)
            assert second == {**first, "again": True}
            other = await w.person(20)  # on whatever socket
            assert (await other.done(act))["again"] is True
            assert len(bob.shown[301]["view"]["plies"]) == 1
            # The same name in somebody else's mouth is another command.
            await bob.done(commands.Act("m-1", 301, {"a": "move", "m": "b9c7"}))
            # What was refused leaves nothing behind and is judged anew.
            assert await bob.refused(commands.Act("m-2", 301, {"a": "move", "m": "h9g7"})) == "not_your_turn"
            await move(ann, 301, "b2c2")
            await bob.done(commands.Act("m-2", 301, {"a": "move", "m": "h9g7"}))

    run(test())


def test_two_answers_to_one_question_are_one(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await six(w, 101)
            twin = await w.person(10)
            await twin.join(101)
            shown = people[0].shown[101]
            ask, action = shown["ask"]["id"], shown["legal"]["list"][0]
            first = commands.Act("one", 101, action, ask)
            second = commands.Act("two", 101, action, ask)
            await w.hall.dispatch.handle(people[0].session, first)
            await w.hall.dispatch.handle(twin.session, second)  # both are in the inbox before the first is stored
            await w.rest()
            assert people[0].of("ack")[-1]["cid"] == "one"
            err = twin.of("err")[-1]
            assert (err["cid"], err["code"]) == ("two", "STALE")
            assert w.table(101).deal.rows == 4  # created, seeded, dealt, played

    run(test())


def test_a_killed_hall_goes_on_where_it_was(tmp_path: Path) -> None:
    """One table of each game: every acknowledged action is there, numbers and clocks go on."""

    async def test() -> None:
        clock, names = Jumping(), Names()
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            people = await six(w, 101)
            pair = await two(w, 201)
            for _ in range(4):
                await step(people, 101)
            await w.jump(10_000)
            await move(pair[0], 201, "h2e2")
            await w.jump(3_000)
            last = commands.Act("last", 101, None)  # type: ignore[arg-type]
            for person in people:
                if ask := person.shown[101]["ask"]:
                    last = commands.Act("last", 101, person.shown[101]["legal"]["list"][0], ask["id"])
                    acked, who = await person.done(last), person
            shown = {id(person): dict(person.shown) for person in (*people, *pair)}
            tables = {number: w.table(number).lasting() for number in (101, 201)}
            await w.kill()
        clock.time += 500_000  # down for more than eight minutes
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            for number, table in tables.items():
                assert w.table(number).seqs >= table.seqs
                assert w.table(number).deal.state == table.deal.state
            back = [await w.person(person.user.id) for person in people if person.user]
            for old, new in zip(people, back, strict=True):
                before = shown[id(old)][101]
                after = await new.join(101, ch=before["ch"], after=before["seq"])
                assert after["missed"] is not None
                assert after["view"] == before["view"]
                assert after["legal"] == before["legal"]
                assert after["seq"] == before["seq"] + len(after["missed"])
            player = back[people.index(who)]
            again = await player.done(last)
            assert again["again"] is True
            assert again["seq"] == acked["seq"]
            red, black = [await w.person(person.user.id) for person in pair if person.user]
            after = await red.join(201)
            await black.join(201)
            assert after["clocks"]["left"][0] == 55_000  # 60 - 10 + 5
            assert 57_000 <= after["clocks"]["left"][1] <= 58_000  # he had spent 3 s; the outage is given back
            await move(black, 201, "b9c7")
            for _ in range(5):
                await step(back, 101)
            assert {seat["presence"] for seat in back[0].shown[101]["seats"]} == {"online"}

    run(test())


@pytest.mark.slow
def test_a_killed_hall_lets_bots_play_on_for_those_who_stay_away(tmp_path: Path) -> None:
    async def test() -> None:
        clock, names = Jumping(), Names()
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            people = await six(w, 101)
            await step(people, 101)
            await w.kill()
        clock.time += 5_000
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            assert {chair.presence for chair in w.table(101).chairs} == {"grace"}
            ann = await w.person(10)
            await ann.join(101)
            for _ in range(800):
                if w.table(101).state != "playing":
                    break
                await w.jump(1_000)
                await step([ann], 101)
            assert ann.shown[101]["result"]["why"] == "all_out"
            assert await w.hall.archive.verify(ann.shown[101]["game"]["game_id"]) is None

    run(test())


@pytest.mark.parametrize("moment", ["created", "hushed"])
def test_a_hall_may_die_at_any_moment(tmp_path: Path, moment: str) -> None:
    async def test() -> None:
        clock, names = Jumping(), Names()
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            if moment == "created":
                people = [await w.person(10 + seat) for seat in range(6)]
                for seat, person in enumerate(people):
                    await person.sit(101, seat)
                    await person.ready(101)
            else:
                people = await six(w, 101)
                lead = people[0].shown[101]
                two_up = next(a for a in lead["legal"]["list"] if a["a"] == "play" and a["cards"] == "2")
                await people[0].act(101, two_up)
                assert w.table(101).deal.concealed_until is not None
            before = w.table(101).lasting()
            await w.kill()
        clock.time += 60_000
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            people = [await w.person(10 + seat) for seat in range(6)]
            for person in people:
                await person.join(101)
            if moment == "created":
                assert people[0].shown[101]["game"]["commitment"] == before.coming.commitment
                for person in people:
                    await person.seed(101, "later")
                assert people[0].shown[101]["game"]["client_seeds"] == ["later"] * 6
            else:
                assert people[0].shown[101]["view"]["phase"] == "burn_wait"
                await w.jump(4_000)
                assert people[0].shown[101]["view"]["phase"] != "burn_wait"

    run(test())


def test_unused_tables_leave_memory_and_come_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 201)
            await ann.act(201, {"a": "resign"})
            number = bob.shown[201]["seq"]
            watcher = await w.stranger()
            await watcher.join(201)
            await watcher.hang_up()
            await ann.done(commands.Stand("s1", 201))
            await bob.done(commands.Stand("s2", 201))
            await ann.hang_up()
            await bob.hang_up()
            assert 201 in w.hall.runner.tables
            await w.jump(700_000)
            assert 201 not in w.hall.runner.tables
            eve = await w.person(30)
            shown = await eve.join(201)
            assert shown["info"]["state"] == "open"
            assert shown["result"] is None
            await eve.sit(201, 1)
            assert eve.shown[201]["seq"] > number  # the channel goes on counting
            assert eve.shown[201]["you"] == {"seat": 1, "owner": True}

    run(test())


def test_a_mistake_of_ours_closes_one_table_and_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def broken(w: World) -> None:
        ann, bob = await two(w, 301)
        others = await six(w, 101)
        from qipai.hall.table import handlers

        def fail(*_args: Any) -> None:
            raise ZeroDivisionError("ours")

        saved = handlers._back
        handlers._back = fail  # type: ignore[assignment]
        try:
            await ann.say(commands.Back("b", 301))
        finally:
            handlers._back = saved
        assert bob.shown[301]["info"]["state"] == "closed"
        assert bob.told(301)[-1] == {"e": "table.closed", "why": "fault"}
        assert ann.stood() == bob.stood() == [{"table": 301, "why": "closed"}]
        assert [other.stood() for other in others] == [[]] * 6
        assert await bob.refused(commands.Act("x", 301, {"a": "resign"})) == "NO_SUCH_TABLE"
        await step(others, 101)

    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            await broken(w)
        assert "ZeroDivisionError" in caplog.text

    run(test())


def test_whoever_else_writes_a_table_sends_its_people_to_join_again(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 301)
            game = w.table(301).deal.game_id
            from qipai.store import LogEntry

            row = {"seat": 0, "action": {"a": "move", "m": "h2e2"}, "ms": 5}
            await w.store.append([LogEntry(f"game:{game}", 2, "game.acted", row)], w.clock.time)
            answer = await ann.say(commands.Act("late", 301, {"a": "move", "m": "b2e2"}))
            assert answer["t"] == "err"
            assert ann.of("rejoin") == [{"t": "rejoin", "table": 301}] == bob.of("rejoin")
            await bob.join(301)
            assert bob.shown[301]["view"]["plies"][0]["m"] == "h2e2"
            assert bob.shown[301]["ask"]["kind"] == "play"

    run(test())


def test_what_one_commit_lets_out_at_several_tables_is_let_out_together(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 301)
            await two(w, 302)  # the same two people, on lines of their own
            seen: list[str] = []
            w.hall.runner._output = SimpleNamespace(
                start=lambda: lambda: seen.append("measured"),
                hold=lambda: seen.append("held"),
                release=lambda: seen.append(f"let out {len(ann.got) - start}"),  # type: ignore[has-type]
            )
            start = len(ann.got)
            move = {"a": "move", "m": "h2e2"}
            await asyncio.gather(
                *(w.hall.dispatch.handle(ann.session, commands.Act(f"m{table}", table, move)) for table in (301, 302))
            )
            while "measured" not in seen:
                await asyncio.sleep(0)
            # Its move and its ack of the one table, and the other's ack: it does not look at that one.
            assert seen == ["held", "held", "let out 3", "measured", "measured"]
            assert len(bob.of("ev")) >= 2
            seen.clear()
            start = len(ann.got)
            await bob.act(301, {"a": "move", "m": "h9g7"}, bob.shown[301]["ask"]["id"])
            while "measured" not in seen:
                await asyncio.sleep(0)
            assert seen == ["held", "let out 1", "measured"]

    run(test())
