"""The walks of stairs and ponds (platform W10, W11), on a clock that is moved by hand, with a kill in between."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.hall.contests.test_live import here, later, resign
from tests.hall.world import START, Jumping, Names, World, run, world
from tests.stores import url_at

from qipai.contests import books as contest_books
from qipai.contests.kinds import KINDS
from qipai.contests.live import rebuild as rebuilt
from qipai.contests.openings import number_of, open_stairs
from qipai.contests.ponds import commands as ponds
from qipai.contests.ponds.model import PondForm
from qipai.contests.ponds.seals import seal_of
from qipai.contests.stairs import commands as stairs
from qipai.hall.records.rebuild import fingerprints, rebuild
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.ledger import books
from qipai.ledger.model import ESCROW
from qipai.store import Connection

ROOMS = (Room(1, "xiangqi", "friendly"), Room(2, "xiangqi", "score"))
DAY = 86_400_000


@asynccontextmanager
async def town(tmp_path: Path, clock: Jumping, names: Names, people: int) -> AsyncIterator[World]:
    """Open a hall with stairs, where so many people are."""
    async with world(tmp_path, *ROOMS, clock=clock, names=names, kinds=KINDS) as w:
        w.luck.ids = count((clock.now() - START) // 1000)  # a hall that was killed gives no name a second time
        await open_stairs(w.contests, w.hall.creation)
        for id in range(1, people + 1):
            await w.person(id)
            await w.hall.ledger.welcome(id, clock.now())
        yield w


async def agrees(w: World) -> None:
    """Assert that everything that follows from the log is as it is kept, and no coin was made or lost."""
    assert await w.store.read(books.total) == 0
    await w.stop()
    await w.store.open()
    before = await w.store.read(fingerprints)
    await rebuild(w.store, [lambda db: rebuilt(db, KINDS)])
    assert await w.store.read(fingerprints) == before


def numbers(found: Any) -> set[int]:
    """Return all numbers in what a page shows."""
    if isinstance(found, dict):
        return set().union(*map(numbers, found.values()))
    if isinstance(found, list):
        return set().union(*map(numbers, found))
    return {found} if isinstance(found, int) else set()


async def codes(w: World, name: str, user: int) -> dict[int, str | None]:
    """Return why a member cannot challenge each other one, as the page says it before it is tried."""
    running = await w.contests.find("stairs", number_of(w.contests, name))
    page = running.kind.public(running.state, user, w.clock.now())
    return {person.user: person.refusal for step in page.steps for person in step.people}


def test_w10_stairs(tmp_path: Path) -> None:
    async def case() -> None:
        clock, names = Jumping(), Names()
        async with town(tmp_path, clock, names, 4) as w:
            number = number_of(w.contests, "xiangqi")

            async def say(user: int, command: Any) -> Any:
                return (await w.contests.do("stairs", number, command, user)).state

            async def refused(user: int, target: int) -> str:
                told = (await codes(w, "xiangqi", user)).get(target)
                with pytest.raises(HallError) as wrong:
                    await say(user, stairs.Challenge(user=target))
                assert told in (wrong.value.code, None), "the page says it before it is tried"
                return wrong.value.code

            async def game(challenger: int, target: int, loser: int) -> Any:
                await say(challenger, stairs.Challenge(user=target))
                await w.rest()
                table = here(w.people[challenger])
                for person in (challenger, target):
                    await w.people[person].join(table)
                assert w.table(table).playing
                await resign(w.people[loser], table)
                await w.rest()
                return (await w.contests.find("stairs", number)).state

            assert await refused(1, 1) == "SELF"
            assert await refused(1, 2) == "NOT_MEMBER"
            for user in (1, 2, 3):
                await say(user, stairs.Join())
            assert await refused(1, 4) == "TARGET_BUSY"  # she is not on these stairs
            state = await game(1, 2, 2)
            assert {user: member.step for user, member in state.members.items()} == {1: 2, 2: 1, 3: 1}
            assert await refused(1, 2) == "TOO_SOON"
            assert await refused(2, 1) == "STEP_ABOVE"
            await say(1, stairs.Challenge(user=3))
            await w.rest()
            table = here(w.people[3])
            assert await refused(1, 2) == "CHALLENGE_OPEN"
            assert await refused(2, 3) == "TARGET_BUSY"
            assert await refused(3, 1) == "STEP_ABOVE"
            await resign(w.people[3], table)
            await w.rest()
            await say(3, stairs.Retire())
            assert await refused(2, 3) == "TARGET_BUSY"
            assert await refused(3, 2) == "NOT_MEMBER"
            await say(3, stairs.Return())
            state = (await w.contests.find("stairs", number)).state
            assert {user: member.step for user, member in state.members.items()} == {1: 3, 2: 1, 3: 1}
            # The month ends: the empty step 2 is taken out, once, also when the hall stood still over several.
            at = datetime.fromtimestamp(clock.now() / 1000, UTC)
            await w.kill()
        clock.time += 70 * DAY
        async with town(tmp_path, clock, names, 4) as w:
            state = (await w.contests.find("stairs", number)).state
            assert {user: member.step for user, member in state.members.items()} == {1: 2, 2: 1, 3: 1}
            assert datetime.fromtimestamp(state.renumber_at / 1000, UTC).day == 1
            assert at < datetime.fromtimestamp(clock.now() / 1000, UTC)
            # The two have not met for more than 14 days.
            assert (await codes(w, "xiangqi", 1))[2] is None
            # Who stood alone at the top for seven days of these has won the stairs, once.
            (win,) = await w.store.read(contest_books.wins)
            assert (win.kind, win.line["id"], win.winners) == ("stairs", "xiangqi", (1,))
            assert win.line["since"] == state.top.since
            await agrees(w)

    run(case())


def test_there_are_stairs_where_there_are_rooms_and_they_are_rated_where_score_counts(tmp_path: Path) -> None:
    async def case() -> None:
        rooms = (Room(1, "xiangqi", "friendly"), Room(2, "backgammon", "friendly"), Room(3, "backgammon", "score"))
        async with world(tmp_path, *rooms, kinds=KINDS) as w:
            await open_stairs(w.contests, w.hall.creation)
            await open_stairs(w.contests, w.hall.creation)
            rated = {one.state.id: one.state.terms.rated for one in w.contests.of("stairs")}
            assert (rated["xiangqi"], rated["xiangqi-days"], rated["backgammon"]) == (False, False, True)
            assert "lianliankan" not in rated
            assert len(rated) == len(w.contests.of("stairs"))

    run(case())


def test_a_challenge_to_somebody_who_is_not_here_comes_to_nothing(tmp_path: Path) -> None:
    async def case() -> None:
        async with town(tmp_path, Jumping(), Names(), 2) as w:
            number = number_of(w.contests, "xiangqi")
            for user in (1, 2):
                await w.contests.do("stairs", number, stairs.Join(), user)
            await w.people[2].hang_up()
            await w.contests.do("stairs", number, stairs.Challenge(user=2), 1)
            await w.rest()
            table = here(w.people[1])
            await w.people[1].join(table)
            await later(w, 600_000)
            state = (await w.contests.find("stairs", number)).state
            assert [(game.result, game.why) for game in state.history] == [("void", "absent")]
            assert await w.people[1].refused(commands.Ready(w.people[1].cid(), table, True)) == "NO_SUCH_TABLE"

    run(case())


def test_stairs_by_days_begin_at_once_and_both_find_their_table(tmp_path: Path) -> None:
    async def case() -> None:
        async with town(tmp_path, Jumping(), Names(), 2) as w:
            number = number_of(w.contests, "xiangqi-days")
            for user in (1, 2):
                await w.contests.do("stairs", number, stairs.Join(), user)
            await w.people[2].hang_up()
            await w.contests.do("stairs", number, stairs.Challenge(user=2), 1)
            await w.rest()
            table = here(w.people[1])
            assert w.table(table).playing
            assert w.table(table).turn_based
            # Who lets the days pass has lost, and the loss is final.
            await later(w, 8 * DAY)
            await w.contests.sweep(again=True)
            state = (await w.contests.find("stairs", number)).state
            (game,) = state.history
            assert game.result == "second"  # the first has the first move
            assert sorted(member.step for member in state.members.values()) == [1, 2]

    run(case())


@pytest.mark.parametrize("variant", ["regular", "rain", "dark"])
def test_w11_pond(tmp_path: Path, variant: Any) -> None:
    async def case() -> None:
        clock, names = Jumping(), Names()
        form = PondForm("Duck pond", variant, least=5, most=5, round_s=60, fee=10, percents=(60, 20))
        seals: dict[tuple[int, int], str] = {}
        async with town(tmp_path, clock, names, 5) as w:
            pond = await w.contests.make("pond", lambda id: ponds.MakePond(id=str(id), form=form), 1)
            for user in range(1, 6):
                await w.contests.do("pond", pond.id, ponds.Enter(), user)
            assert await w.store.read(lambda db: books.balance(db, ESCROW)) == 50
            assert (await w.contests.find("pond", pond.id)).state.state == "running"

            async def bid(user: int, amount: int) -> None:
                running = await w.contests.find("pond", pond.id)
                command = ponds.MakeBid(round=running.state.round, amount=amount)
                running = await w.contests.do("pond", pond.id, command, user)
                for viewer in (None, 1, 2, 3, 4, 5):
                    page = msgspec.json.decode(
                        msgspec.json.encode(running.kind.public(running.state, viewer, clock.now()))
                    )
                    if viewer != user:
                        assert amount not in numbers(page), "a sealed bid is nowhere but in its owner's page"
                    (sealed,) = [one for one in page["runners"] if one["user"] == user]
                    seals[running.state.round, user] = sealed["seal"]

            # 5 never moves; 4 stops moving after the first round.
            for user, amount in ((1, 3111), (2, 3222), (3, 3333), (4, 3444)):
                await bid(user, amount)
            with pytest.raises(HallError) as wrong:
                await bid(1, 20_001)
            assert wrong.value.code == "BAD_BID"
            await w.kill()
        async with town(tmp_path, clock, names, 5) as w:
            await later(w, 60_001)
            running = await w.contests.find("pond", pond.id)
            assert 5 in {one.user for one in running.state.fallen}
            with pytest.raises(HallError) as late:
                await w.contests.do("pond", pond.id, ponds.MakeBid(round=1, amount=1), 2)
            assert late.value.code in ("POND_CLOSED", "POND_OUT")
            with pytest.raises(HallError) as out:
                await w.contests.do("pond", pond.id, ponds.MakeBid(round=2, amount=1), 5)
            assert out.value.code in ("POND_OUT", "POND_CLOSED")
            for _ in range(30):
                running = await w.contests.find("pond", pond.id)
                if running.kind.over(running.state):
                    break
                for user in running.state.runners:
                    if user != 4:
                        command = ponds.MakeBid(round=running.state.round, amount=100 + 7 * user)
                        await w.contests.do("pond", pond.id, command, user)
                await later(w, 60_001)
            running = await w.contests.find("pond", pond.id)
            state = running.state
            assert state.state == "finished"
            # Every seal is that of the amount and the salt that were opened.
            page = running.kind.public(state, None, clock.now())
            opened = {(each.round, bid_.user): bid_ for each in page.books.rounds for bid_ in each.bids}
            for (round_, user), seal in seals.items():
                made = opened[round_, user]
                assert made.seal == seal == seal_of(state.id, round_, user, made.amount, made.salt)
                assert len(bytes.fromhex(seal)) == hashlib.sha256().digest_size
            assert await w.store.read(lambda db: books.balance(db, ESCROW)) == 0
            won = await w.store.read(contest_books.wins)
            if state.winner is None:  # the last two have fallen together
                assert (won, variant) == ([], "rain")
            else:
                (win,) = won
                assert (win.kind, win.id, win.winners) == ("pond", pond.id, (state.winner,))
                assert win.at == clock.now() // 1000
            await agrees(w)
            if url_at(w.path) is not None:
                return  # no database is as old as that
            # A hall of the time before the winners were kept finds them in its log.

            def of_old(db: Connection) -> None:
                db.execute("DROP TABLE contest_wins")
                db.execute("DROP INDEX contests_of_club")
                db.execute("ALTER TABLE contests DROP COLUMN club")
                db.execute("UPDATE steps SET done = 1 WHERE name = 'contests'")

            await w.store.transaction(of_old)
            await w.store.close()
            await w.store.open()
            assert await w.store.read(contest_books.wins) == won

    run(case())
