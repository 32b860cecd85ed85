"""What goes wrong around contests (platform W10 to W12): clear codes, nothing lost, nothing paid twice."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.hall.contests.duel import ROUND_MS, Duel, Enter, Make
from tests.hall.contests.test_live import MAKE, XIANGQI, here, later, made, resign
from tests.hall.contests.test_live import ROOMS as DUEL_ROOMS
from tests.hall.contests.test_tournament_walk import form, played
from tests.hall.contests.test_walks import DAY, agrees, town
from tests.hall.world import START, Jumping, Names, World, quick, run, world

from qipai.contests.contract import GameTerms, Gone
from qipai.contests.openings import number_of
from qipai.contests.ponds import commands as ponds
from qipai.contests.ponds.model import PondForm
from qipai.contests.stairs import commands as stairs
from qipai.contests.tournaments import commands as cups
from qipai.hall.rooms.table_creation import TableCreation
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.ledger import books
from qipai.ledger.model import ESCROW, HOUSE
from qipai.store import Unwritten

HOUR = 3_600_000


async def refused(asked: Any) -> tuple[str, dict[str, Any]]:
    """Return by which code, and with which facts, something is refused."""
    with pytest.raises(HallError) as wrong:
        await asked
    return wrong.value.code, dict(wrong.value.facts)


async def balances(w: World, *accounts: int) -> list[int]:
    assert await w.store.read(books.total) == 0
    return await w.store.read(lambda db: [books.balance(db, account) for account in accounts])


async def cup(w: World, people: int, **more: Any) -> int:
    """Announce a cup that the first few enter; return its number."""
    given = form("sections", start=w.clock.now() + 10_000, **more)
    made = await w.contests.make("tournament", lambda id: cups.Make(id=str(id), form=given), 1)
    for user in range(1, people + 1):
        await w.contests.do("tournament", made.id, cups.Enter(), user)
    return made.id


def test_a_start_with_too_few_gives_every_fee_back_once_and_nobody_enters_any_more(tmp_path: Path) -> None:
    async def case() -> None:
        clock, names = Jumping(), Names()
        async with town(tmp_path, clock, names, 5) as w:
            small = await cup(w, 3)
            pond = PondForm("Duck pond", least=4, round_s=60, fee=10, percents=(60,), starts_at=clock.now() + 10_000)
            made = await w.contests.make("pond", lambda id: ponds.MakePond(id=str(id), form=pond), 1)
            for user in (1, 2, 3):
                await w.contests.do("pond", made.id, ponds.Enter(), user)
            assert await balances(w, 1, 2, 3, ESCROW) == [170, 170, 170, 90]
            await w.kill()
        clock.time += 2 * HOUR  # the hall is down when both should begin
        async with town(tmp_path, clock, names, 5) as w:
            assert (await w.contests.find("tournament", small)).state.reason == "few"
            assert (await w.contests.find("pond", made.id)).state.state == "cancelled"
            assert await balances(w, 1, 2, 3, ESCROW, HOUSE) == [200, 200, 200, 0, 0]
            late = w.contests.do("tournament", small, cups.Enter(), 4)
            assert await refused(late) == ("STALE", {"case": "contest"})
            too_late = w.contests.do("pond", made.id, ponds.Enter(), 4)
            assert await refused(too_late) == ("POND_CLOSED", {"case": "over"})
            await agrees(w)

    run(case())


def test_rounds_of_two_tournaments_at_the_same_time_are_both_played_and_neither_begins_early(tmp_path: Path) -> None:
    async def case() -> None:
        async with town(tmp_path, Jumping(), Names(), 4) as w:
            both = [await cup(w, 4, section_size=4, fee=0, prizes=()) for _ in range(2)]
            await later(w, 10_001)
            first = await w.contests.find("tournament", both[0])
            games = first.kind.games(first.state)
            assert len(games) == 2
            assert all(game.table is not None and w.table(game.table).playing for game in games)
            # One of the two games is over: the second round waits for the other, however long that takes.
            assert games[0].table is not None
            await resign(w.people[games[0].users[0] or 0], games[0].table)
            await later(w, 61_000)
            assert first.state.stage.round == 1
            for id in both:
                assert (await played(w, id)).state.state == "finished"
            await agrees(w)

    run(case())


def test_who_deletes_the_account_in_mid_tournament_wins_nothing_and_their_fee_stays(tmp_path: Path) -> None:
    async def case() -> None:
        async with town(tmp_path, Jumping(), Names(), 4) as w:
            id = await cup(w, 4, section_size=4)
            await w.people[4].hang_up()  # so that somebody waits at a table where no game has begun
            await later(w, 10_001)
            running = await w.contests.find("tournament", id)
            waiting = next(game for game in running.kind.games(running.state) if 4 in game.users)
            assert waiting.table is not None
            other = next(user for user in waiting.users if user not in (None, 4)) or 0
            # Signing out there is allowed, and leaves the seat to the contest.
            await w.hall.sign_out.quit_all(w.people[other].user, confirm=False)
            assert w.table(waiting.table).seat_of(other) is not None
            await w.hall.sign_out.quit_all(w.names.users[4], confirm=True, for_good=True)
            for _ in range(2):  # a request that is repeated
                await w.contests.gone(4, "deleted")
            state = (await played(w, id)).state
            assert state.state == "finished"
            assert 4 not in dict(state.prizes)
            assert await balances(w, 4, ESCROW) == [180, 0]
            assert sum(coins for _user, coins in state.prizes) + (await balances(w, HOUSE))[0] == 80
            await agrees(w)

    run(case())


def test_two_challenges_in_one_instant_are_one_challenge(tmp_path: Path) -> None:
    async def case() -> None:
        async with town(tmp_path, Jumping(), Names(), 4) as w:
            number = number_of(w.contests, "xiangqi")
            for user in (1, 2, 3, 4):
                await w.contests.do("stairs", number, stairs.Join(), user)

            async def both(*asked: tuple[int, int]) -> list[str]:
                """Return what becomes of challenges that are said at once."""
                said = [w.contests.do("stairs", number, stairs.Challenge(user=to), by) for by, to in asked]
                found = await asyncio.gather(*said, return_exceptions=True)
                return sorted(one.code if isinstance(one, HallError) else "stands" for one in found)

            assert await both((1, 3), (2, 3)) == ["TARGET_BUSY", "stands"]
            state = (await w.contests.find("stairs", number)).state
            free = next(user for user in (1, 2) if user != state.running[0].challenger)
            assert await both((free, 4), (free, 3 - free)) == ["CHALLENGE_OPEN", "stands"]
            await w.rest()
            state = (await w.contests.find("stairs", number)).state
            tables = await w.store.read(lambda db: db.execute("SELECT contest FROM tables").fetchall())
            assert len(state.running) == len(tables) == len({game.table for game in state.running}) == 2

    run(case())


def test_a_bid_after_the_end_is_refused_also_in_the_instant_of_the_end(tmp_path: Path) -> None:
    async def case() -> None:
        clock = Jumping()
        async with town(tmp_path, clock, Names(), 4) as w:
            pond = PondForm("Duck pond", least=4, most=4, round_s=60)
            made = await w.contests.make("pond", lambda id: ponds.MakePond(id=str(id), form=pond), 1)
            for user in (1, 2, 3, 4):
                await w.contests.do("pond", made.id, ponds.Enter(), user)

            def bid(user: int, round: int, amount: int) -> Any:
                return w.contests.do("pond", made.id, ponds.MakeBid(round=round, amount=amount), user)

            for user in (1, 2, 3):
                await bid(user, 1, 100 * user)
            clock.time += 60_000  # the end itself, before the hall has looked at the clock
            late = {"case": "late", "round": 2, "ends_at": clock.now() + 60_000}
            assert await refused(bid(3, 1, 9000)) == ("POND_CLOSED", late)
            assert await refused(bid(4, 1, 1)) == ("POND_OUT", {})
            await later(w, 0)
            state = (await w.contests.find("pond", made.id)).state
            assert {one.user: one.amount for one in state.rounds[0].bids} == {1: 100, 2: 200, 3: 300}
            assert state.ends_at == late["ends_at"]

    run(case())


def test_who_is_waited_for_loses_no_time_by_outages_however_often_the_hall_dies(tmp_path: Path) -> None:
    """A table that waits, with one who is there, sees two kills in a row with hours between them."""

    async def case() -> None:
        clock, names = Jumping(), Names()
        for user in (1, 2):
            names.add(user, f"p{user}")
        async with world(tmp_path, *DUEL_ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            for user in (1, 2):
                await w.hall.ledger.welcome(user, START)
            await w.person(1)
            await w.contests.make("duel", lambda _id: MAKE, 1)
            await w.contests.do("duel", 1, Enter(), 2)
            await w.rest()
            (table,) = w.hall.runner.tables
            await w.jump(60_000)
            await w.kill()
        for _ in range(2):
            clock.time += 5 * HOUR
            w = World(tmp_path / "hall.sqlite", clock, names, quick(), [*DUEL_ROOMS], [Duel()])
            await w.store.open()
            await w.hall.correspondence.open()
            await w.store.close()  # killed when it had begun to open, before it has looked at any table
        clock.time += 3 * HOUR
        async with world(tmp_path, *DUEL_ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            await w.hall.runner.cache.find(table)
            await w.rest()
            left = w.table(table).setting.contest.begin_by - clock.now()
            assert ROUND_MS - 62_000 <= left <= ROUND_MS - 59_000
            ann, bob = await w.person(1), await w.person(2)
            for person in (ann, bob):
                await person.join(table)
                await person.ready(table)
            assert w.table(table).playing
            await resign(bob, table)
            await w.rest()
            assert (await w.contests.find("duel", 1)).state.winner == 1

    run(case())


@pytest.mark.parametrize("dies_at", [1, 2, 3])
def test_a_game_whose_table_a_kill_has_left_half_made_is_played(tmp_path: Path, dies_at: int) -> None:
    """The hall dies before the table is opened, or before the first or the second has sat down, for a day."""

    async def case() -> None:
        clock, names = Jumping(), Names()
        for user in (1, 2):
            names.add(user, f"p{user}")

        class Died(Exception):
            pass

        async with world(tmp_path, *DUEL_ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            for user in (1, 2):
                await w.hall.ledger.welcome(user, START)
            await w.contests.make("duel", lambda _id: MAKE, 1)
            append, left = w.store.append, [1 + dies_at]  # the entry, the beginning, …

            async def counted(*given: Any) -> int:
                if not left[0]:
                    raise Died
                left[0] -= 1
                return await append(*given)

            w.store.append = counted  # type: ignore[method-assign, assignment]
            with suppress(Died, HallError):
                await w.contests.do("duel", 1, Enter(), 2)
            assert not left[0]
            await w.kill()
        clock.time += DAY
        async with world(tmp_path, *DUEL_ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            ann, bob = await w.person(1), await w.person(2)
            await later(w, 11_000)
            (table,) = await w.store.read(lambda db: [id for (id,) in db.execute("SELECT id FROM tables")])
            assert w.table(table).setting.contest.begin_by > clock.now() + ROUND_MS // 2
            for person in (ann, bob):
                await person.join(table)
                await person.say(commands.Ready(person.cid(), table, True))
            await resign(bob, table)
            await w.rest()
            assert (await w.contests.find("duel", 1)).state.winner == 1
            assert await balances(w, 1, 2, ESCROW) == [250, 150, 0]

    run(case())


def test_a_game_by_days_that_begins_while_its_table_is_still_being_made_has_its_table_at_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The hall dies when both are ready, and the deal is not created."""

    async def case() -> None:
        clock, names = Jumping(), Names()
        terms = GameTerms("xiangqi", clock={"type": "days", "days": 2}, rated=False)
        for user in (1, 2):
            names.add(user, f"p{user}")
        async with world(tmp_path, *DUEL_ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            for user in (1, 2):
                await w.hall.ledger.welcome(user, START)
            await w.contests.make("duel", lambda _id: Make(fee=50, start=START, terms=terms), 1)
            append, left = w.store.append, [7]  # entry, beginning; opened, two sit, two are ready

            async def counted(*given: Any) -> int:
                if not left[0]:
                    raise Ended
                left[0] -= 1
                return await append(*given)

            w.store.append = counted  # type: ignore[method-assign, assignment]
            with suppress(Ended, HallError):
                await w.contests.do("duel", 1, Enter(), 2)
            await w.rest()
            assert not left[0]
            w.wrong.clear()
            caplog.clear()
            await w.kill()
        async with world(tmp_path, *DUEL_ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            game = (await w.contests.find("duel", 1)).state.game
            assert game.table is not None
            assert w.table(game.table).playing

    run(case())
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


def test_a_game_that_two_parts_of_the_hall_want_to_open_at_once_has_one_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def case() -> None:
        clock = Jumping()
        async with world(tmp_path, *DUEL_ROOMS, kinds=[Duel()], clock=clock) as w:
            ann, bob = await w.person(1), await w.person(2)
            for user in (1, 2):
                await w.hall.ledger.welcome(user, START)
            later_ = Make(fee=50, start=START + 10_000, terms=MAKE.terms)
            await w.contests.make("duel", lambda _id: later_, 1)
            await w.contests.do("duel", 1, Enter(), 2)
            clock.time += 10_000
            await asyncio.gather(*(w.contests.sweep(again=True) for _ in range(4)))
            await w.rest()
            assert len(w.hall.runner.tables) == 1
            assert here(ann) == here(bob)

    run(case())
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


def test_a_contest_that_opens_many_tables_holds_up_neither_its_commands_nor_other_contests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def case() -> None:
        clock, go = Jumping(), asyncio.Event()
        async with world(tmp_path, *DUEL_ROOMS, kinds=[Duel()], clock=clock) as w:
            ann, bob = await w.person(1), await w.person(2)
            first = await made(w)
            slow = (await w.contests.make("duel", lambda _id: Make(fee=50, start=START + 10_000, terms=XIANGQI), 1)).id
            await w.contests.do("duel", slow, Enter(), 2)
            table, host = here(ann), TableCreation.host

            async def waits(*given: Any) -> int:
                await go.wait()
                return await host(*given)

            monkeypatch.setattr(TableCreation, "host", waits)
            clock.time += 10_000
            opening = asyncio.create_task(w.contests.sweep())
            while not (await w.contests.find("duel", slow)).serving.locked():
                await asyncio.sleep(0)
            # While its table is being opened its commands are answered, and the result of another contest is taken.
            async with asyncio.timeout(20):
                await w.contests.do("duel", slow, Gone(user=2, why="deleted"), None)
                await resign(bob, table)
                await w.contests.rest()
            assert (await w.contests.find("duel", first)).state.winner == 1
            go.set()
            await opening
            await w.contests.sweep(again=True)
            assert w.contests.of("duel") == []
            assert not any(live.table.state == "open" for live in w.hall.runner.tables.values())

    run(case())


def test_who_did_not_come_and_who_did_sit_nowhere_when_the_game_was_called_off(tmp_path: Path) -> None:
    async def case() -> None:
        clock, names = Jumping(), Names()
        for user in (1, 2):
            names.add(user, f"p{user}")
        async with world(tmp_path, *DUEL_ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            for user in (1, 2):
                await w.hall.ledger.welcome(user, START)
            await w.person(1)
            await w.contests.make("duel", lambda _id: MAKE, 1)
            await w.contests.do("duel", 1, Enter(), 2)
            await w.rest()
            (table,) = w.hall.runner.tables
            assert w.hall.people.seated(1) == w.hall.people.seated(2) == (table,)
            await later(w, ROUND_MS)
            assert w.table(table).state == "closed"
            assert w.hall.people.seated(1) == w.hall.people.seated(2) == ()
            for _ in range(2):
                await later(w, w.hall.runner.limits.empty + 1000)
            assert not w.hall.runner.tables
            await w.kill()
        async with world(tmp_path, *DUEL_ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            assert not w.hall.runner.tables
            assert w.hall.people.seated(1) == ()

    run(case())


class Ended(Exception):
    """The process has died."""


async def summary(w: World, id: int) -> Any:
    """Return all that a cup has come to, whatever the lot was; who has entered first is number 1."""
    state = (await w.contests.find("tournament", id)).state
    games = sorted(
        sorted(zip(one.sides, result.scores, strict=True)) for one in state.stages[0].meetings for result in one.results
    )
    tables = await w.store.read(lambda db: db.execute("SELECT contest FROM tables ORDER BY contest").fetchall())
    return state.state, state.places, sorted(state.prizes), games, tables, await balances(w, 1, 2, 3, ESCROW, HOUSE)


@pytest.mark.slow
def test_a_kill_at_every_step_of_the_ends_of_two_rounds_changes_nothing(tmp_path: Path) -> None:
    """Three play each other. From the end of the second game on, the hall dies at each of its commits in turn."""

    async def life(folder: Path, dies_at: int) -> tuple[int, Any]:
        """Return how many commits were made in the time in which the hall may die, and what has come of the cup."""
        folder.mkdir()
        clock, names, made = Jumping(), Names(), 0
        async with town(folder, clock, names, 3) as w:
            id = await cup(w, 3, min_players=3, max_players=3, prizes=(80,))
            await later(w, 10_001)
            append = w.store.append

            async def counted(*given: Any) -> int:
                nonlocal made
                if made == dies_at:
                    raise Ended
                made += 1
                return await append(*given)

            await one_game(w, id)
            w.store.append = counted  # type: ignore[method-assign, assignment]
            try:
                await one_game(w, id)
                await one_game(w, id)
            except (Ended, HallError, AssertionError, StopIteration):
                pass
            w.wrong.clear()
            await w.kill()
        async with town(folder, clock, names, 3) as w:
            await later(w, 61_000)
            assert (await played(w, id)).state.state == "finished"
            found = await summary(w, id)
            await agrees(w)
        return made, found

    async def one_game(w: World, id: int) -> None:
        running = await w.contests.find("tournament", id)
        game = next(iter(running.kind.games(running.state)))
        assert game.table is not None
        await resign(w.people[max(user or 0 for user in game.users)], game.table)
        await later(w, 61_000)

    async def case() -> None:
        commits, whole = await life(tmp_path / "whole", 10**6)
        assert commits > 9
        assert whole[-1] == [200 - 20 + 48, 180, 180, 0, 12]
        for dies_at in range(commits):
            assert (await life(tmp_path / f"{dies_at}", dies_at))[1] == whole, f"killed after {dies_at} commits"

    run(case())


def test_a_hall_whose_database_goes_away_while_it_opens_does_not_go_on_without_a_contest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def case() -> None:
        async with world(tmp_path, *DUEL_ROOMS, kinds=[Duel()]) as w:
            await made(w)

            async def gone(_kind: str, _id: int) -> None:
                raise Unwritten("gone")

            with monkeypatch.context() as patched:
                patched.setattr(w.contests, "_read", gone)
                with pytest.raises(Unwritten):
                    await w.contests.open()

    run(case())
