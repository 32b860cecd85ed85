"""Contests that run: tables for their games, ends that are taken once, coins in the escrow, a kill anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.contests.duel import ROUND_MS, Duel, Enter, Make
from tests.hall.world import START, Jumping, Names, Person, World, run, world

from qipai.contests.contract import GameTerms
from qipai.contests.live import rebuild as rebuilt
from qipai.hall.records.rebuild import fingerprints, rebuild
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.ledger import books
from qipai.ledger.model import ESCROW
from qipai.ledger.service import Denied

ROOMS = (Room(1, "xiangqi", "friendly"), Room(2, "xiangqi", "score"), Room(3, "gouji", "friendly"))
XIANGQI = GameTerms("xiangqi", rated=False)
MAKE = Make(fee=50, start=START, terms=XIANGQI)


async def made(w: World, start: int = START, terms: GameTerms = XIANGQI, fee: int = 50) -> int:
    """Let 1 and 2 agree on a duel; each has 200 coins."""
    for user in (1, 2):
        if w.names.peek(user) is None:
            w.names.add(user, f"p{user}")
        await w.hall.ledger.welcome(user, START)
    duel = await w.contests.make("duel", lambda _id: Make(fee=fee, start=start, terms=terms, word="plum"), 1, "make-1")
    await w.contests.do("duel", duel.id, Enter(), 2, "enter-2")
    await w.rest()
    return duel.id


async def later(w: World, ms: int) -> None:
    """Let time pass at once, and what is due after it happen; the hall's mark of each second is left out."""
    w.clock.time += ms
    await w.jump(0)


async def coins(w: World) -> tuple[int, ...]:
    """Return what 1, 2 and the escrow have."""
    assert await w.store.read(books.total) == 0
    return await w.store.read(lambda db: tuple(books.balance(db, account) for account in (1, 2, ESCROW)))


def here(person: Person) -> int:
    """Return the table that the newest note of a contest names."""
    return int([note for note in person.of("note") if note["kind"] == "contest"][-1]["facts"]["table"])


async def resign(person: Person, table: int) -> None:
    """Give a game up, after the moves that it needs to count."""
    await person.join(table)
    await person.done(commands.Stand(person.cid(), table, confirm=True))


def test_two_who_are_here_play_at_once_and_the_winner_has_the_pot(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[Duel()]) as w:
            ann, bob = await w.person(1), await w.person(2)
            id = await made(w)
            table = here(ann)
            assert here(bob) == table
            assert w.table(table).state == "playing"
            assert [chair.user for chair in w.table(table).chairs] == [1, 2]
            assert await coins(w) == (150, 150, 100)
            await resign(bob, table)
            await w.rest()
            duel = await w.contests.find("duel", id)
            assert (duel.state.winner, duel.state.over) == (1, True)
            assert await coins(w) == (250, 150, 0)
            assert [line for _id, line in await w.contests.lines("duel", over=True)] == [
                {"game": "xiangqi", "people": 2, "winner": 1}
            ]

    run(case())


def test_the_table_is_for_its_players_alone_and_they_change_nothing(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[Duel()]) as w:
            ann, eve = await w.person(1), await w.person(9)
            await made(w)
            table = here(ann)
            shown = await ann.join(table)
            assert shown["info"]["contest"]["contest"] == "duel:1"
            assert w.table(table).state == "open"  # Bob is not here, and is waited for
            await eve.join(table)
            assert await eve.refused(commands.Sit(eve.cid(), table, 1)) == "TABLE_LOCKED"
            assert await ann.refused(commands.Sit(ann.cid(), table, 1)) == "TABLE_LOCKED"
            assert await ann.refused(commands.Stand(ann.cid(), table, confirm=True)) == "NOT_ALLOWED"
            assert await ann.refused(commands.Fill(ann.cid(), table, 1, "easy")) == "NOT_ALLOWED"
            assert await ann.refused(commands.Set(ann.cid(), table, {})) == "NOT_ALLOWED"
            await later(w, 120_000)
            assert [chair.user for chair in w.table(table).chairs] == [1, 2]  # no grace ends before the game
            bob = await w.person(2)
            await bob.join(table)
            await bob.ready(table)
            assert w.table(table).state == "playing"
            assert await ann.refused(commands.Offer(ann.cid(), table, "stop")) == "NOT_ALLOWED"

    run(case())


def test_who_loses_the_line_before_the_game_is_not_ready_any_more(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[Duel()]) as w:
            ann = await w.person(1)
            await made(w)
            table = here(ann)
            assert w.table(table).chairs[0].ready
            await ann.hang_up()
            assert not w.table(table).chairs[0].ready
            bob = await w.person(2)
            await bob.join(table)
            await bob.ready(table)
            assert w.table(table).state == "open"
            ann = await w.person(1)
            await ann.join(table)
            await ann.ready(table)
            assert w.table(table).state == "playing"

    run(case())


@pytest.mark.parametrize("here_is", [(), (1,)])
def test_who_does_not_come_is_waited_for_until_the_forfeit_time(tmp_path: Path, here_is: tuple[int, ...]) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[Duel()]) as w:
            for user in (1, 2):
                w.names.add(user, f"p{user}")
            for user in here_is:
                await w.person(user)
            id = await made(w)
            await later(w, ROUND_MS - 1)
            assert not (await w.contests.find("duel", id)).state.over
            await w.jump(1)
            duel = await w.contests.find("duel", id)
            assert duel.state.over
            assert await coins(w) == (200, 200, 0)

    run(case())


def test_for_who_does_not_come_to_cards_a_bot_plays_until_they_do(tmp_path: Path) -> None:
    async def case() -> None:
        names = Names()
        async with world(tmp_path, *ROOMS, kinds=[Duel()], names=names) as w:
            for user in (1, 2):
                names.add(user, f"p{user}")
                await w.hall.ledger.welcome(user, START)
            ann = await w.person(1)
            users = (1, 2, None, None, None, None)
            from qipai.hall.rooms.table_creation import Asked
            from qipai.hall.table.terms import ContestGame

            contest = ContestGame("duel:7", "g1", users, START + 5000)
            people: Any = {1: names.users[1], 2: names.users[2]}
            table = await w.hall.creation.host(Asked("gouji"), contest, people)
            assert await w.hall.creation.host(Asked("gouji"), contest, people) == table  # again: the same table
            await w.jump(5000)
            await w.jump(5000)  # nobody sends a seed for who is not here
            assert w.table(table).playing
            assert w.table(table).chairs[1].presence == "bot"
            bob = await w.person(2)
            await bob.join(table)
            await bob.done(commands.Back(bob.cid(), table))
            assert w.table(table).chairs[1].presence == "online"
            assert ann.user is not None

    run(case())


def test_too_few_coins_is_said_and_nothing_has_happened(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[Duel()]) as w:
            await w.person(1)
            with pytest.raises(Denied) as wrong:
                await made(w, fee=500)
            assert (wrong.value.code, wrong.value.facts) == ("INSUFFICIENT_COINS", {"need": 500, "have": 200})
            assert await w.contests.lines("duel") == []
            assert await coins(w) == (200, 200, 0)
            assert await made(w, fee=5) == 1

    run(case())


def test_a_command_that_is_repeated_is_done_once(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[Duel()]) as w:
            await w.person(1)
            id = await made(w, start=START + 10**6)
            again = await w.contests.make("duel", lambda _id: MAKE, 1, "make-1")
            assert again.id == id
            assert await coins(w) == (150, 150, 100)

    run(case())


def test_a_contest_is_not_made_by_a_command_whose_cid_was_used_for_another(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[Duel()]) as w:
            id = await made(w, start=START + 10**6)
            with pytest.raises(HallError) as wrong:
                await w.contests.make("duel", lambda _id: MAKE, 2, "enter-2")
            assert (wrong.value.code, dict(wrong.value.facts)) == ("BAD_MESSAGE", {"field": "cid"})
            assert [running.id for running in w.contests.of("duel")] == [id]
            await w.contests.gone(2, "banned")  # tells all contests that there are
            assert await coins(w) == (200, 200, 0)

    run(case())


def test_somebody_who_goes_is_told_to_their_contests(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[Duel()]) as w:
            await w.person(1)
            await made(w, start=START + 10**6)
            await w.contests.gone(2, "deleted")
            await w.contests.gone(2, "deleted")
            assert await coins(w) == (200, 200, 0)

    run(case())


def test_one_contest_that_cannot_be_told_who_goes_does_not_keep_it_from_the_others(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[Duel()]) as w:
            for user in (1, 2):
                w.names.add(user, f"p{user}")
                await w.hall.ledger.welcome(user, START)
            make = Make(fee=10, start=START + 10**6, terms=XIANGQI)
            ids = [(await w.contests.make("duel", lambda _id: make, 1, f"make-{i}")).id for i in range(3)]
            kind, broken = w.contests.kinds["duel"], [True]
            payments = kind.payments

            def torn(state: Any, event: Any) -> Any:
                if state is not None and broken:
                    broken.clear()
                    raise OSError
                return payments(state, event)

            kind.payments = torn  # type: ignore[method-assign]
            with pytest.raises(OSError):
                await w.contests.gone(1, "banned")
            assert [(await w.contests.find("duel", id)).state.over for id in ids] == [False, True, True]
            await w.contests.all_banned(lambda user: user == 2)
            assert not (await w.contests.find("duel", ids[0])).state.over
            await w.contests.all_banned(lambda user: user == 1)
            assert (await w.contests.find("duel", ids[0])).state.over
            assert await coins(w) == (200, 200, 0)

    run(case())


def test_the_table_of_somebody_who_goes_is_closed_and_nobody_pays(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[Duel()]) as w:
            ann, _bob = await w.person(1), await w.person(2)
            await made(w)
            table = here(ann)
            assert w.table(table).playing
            await w.contests.gone(2, "banned")
            await w.rest()
            assert w.table(table).state == "closed"
            assert w.table(table).deal.result.why == "closed"
            assert await coins(w) == (200, 200, 0)
            assert await w.hall.ledger.credibility(2) == 100

    run(case())


def test_a_table_that_is_not_wanted_when_the_hall_comes_back_is_closed_then(tmp_path: Path) -> None:
    async def case() -> None:
        clock, names = Jumping(), Names()
        async with world(tmp_path, *ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            ann, _bob = await w.person(1), await w.person(2)
            await made(w)
            table = here(ann)

            async def killed(_table: int) -> None:
                raise RuntimeError

            w.hall.creation.call_off = killed  # type: ignore[method-assign, assignment]
            with pytest.raises(RuntimeError):
                await w.contests.gone(2, "banned")
            await w.kill()
        async with world(tmp_path, *ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            await w.hall.runner.cache.find(table)
            assert w.table(table).state == "closed"
            assert await coins(w) == (200, 200, 0)

    run(case())


def test_a_table_that_cannot_be_closed_now_is_closed_by_the_next_sweep(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[Duel()]) as w:
            ann, _bob = await w.person(1), await w.person(2)
            await made(w)
            table = here(ann)
            call_off = w.hall.creation.call_off

            async def refused(_table: int) -> None:
                raise HallError("LOCKED")

            w.hall.creation.call_off = refused  # type: ignore[method-assign, assignment]
            await w.contests.gone(2, "banned")
            assert w.table(table).playing
            assert await coins(w) == (200, 200, 0)
            w.hall.creation.call_off = call_off  # type: ignore[method-assign]
            await w.contests.sweep(again=True)
            await w.rest()
            assert w.table(table).state == "closed"

    run(case())


def test_who_has_which_seat_is_the_contests_word_whoever_sits_first(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[Duel()]) as w:
            bob = await w.person(2)
            await made(w)
            table = here(bob)
            await bob.join(table)
            assert w.table(table).state == "open"
            ann = await w.person(1)
            await ann.join(table)
            await ann.ready(table)
            assert w.table(table).playing
            assert [chair.user for chair in w.table(table).chairs] == [1, 2]
            await resign(bob, table)
            await w.rest()
            assert (await w.contests.find("duel", 1)).state.winner == 1

    run(case())


class Torn(Duel):
    """A duel of whose log nothing can be read any more."""

    def fold(self, state: Any, event: Any, now: int) -> Any:
        raise ValueError


def test_a_contest_that_cannot_be_read_does_not_stop_the_hall_and_keeps_its_table(tmp_path: Path) -> None:
    async def case() -> None:
        clock, names = Jumping(), Names()
        async with world(tmp_path, *ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            ann, _bob = await w.person(1), await w.person(2)
            await made(w)
            table = here(ann)
            await w.kill()
        async with world(tmp_path, *ROOMS, kinds=[Torn()], clock=clock, names=names) as w:
            bob = await w.person(2)
            await w.contests.sweep(again=True)
            await bob.join(table)
            assert w.table(table).playing
            await w.kill()
        async with world(tmp_path, *ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            bob = await w.person(2)
            await resign(bob, table)
            await w.rest()
            assert (await w.contests.find("duel", 1)).state.winner == 1
            assert await coins(w) == (250, 150, 0)

    run(case())


STEPS = 12


@pytest.mark.parametrize("dies_at", range(1, STEPS))
def test_a_kill_behind_any_commit_loses_nothing_and_repeats_nothing(tmp_path: Path, dies_at: int) -> None:
    """The hall dies when the store has taken `dies_at` groups of rows of the contest's life, and goes on."""

    async def case() -> None:
        clock, names = Jumping(), Names()
        for user in (1, 2):
            names.add(user, f"p{user}")
        done = 0

        class Died(Exception):
            pass

        async with world(tmp_path, *ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            for user in (1, 2):
                await w.hall.ledger.welcome(user, START)
            ann, bob = await w.person(1), await w.person(2)
            append = w.store.append

            async def counted(*given: Any) -> int:
                nonlocal done
                if done >= dies_at:
                    raise Died
                done += 1
                return await append(*given)

            w.store.append = counted  # type: ignore[method-assign, assignment]
            try:
                id = (await w.contests.make("duel", lambda _id: MAKE, 1, "make-1")).id
                await w.contests.do("duel", id, Enter(), 2, "enter-2")
                await w.rest()
                await resign(bob, here(ann))
                await w.rest()
            except (Died, IndexError, KeyError, AssertionError):
                pass
            w.wrong.clear()
            await w.kill()
        async with world(tmp_path, *ROOMS, kinds=[Duel()], clock=clock, names=names) as w:
            ann, bob = await w.person(1), await w.person(2)
            made_ = await w.contests.make("duel", lambda _id: MAKE, 1, "make-1")
            assert made_.id == 1
            if len(made_.state.users) < 2:
                await w.contests.do("duel", 1, Enter(), 2, "enter-2")
            await w.rest()
            await w.contests.sweep(again=True)
            await w.rest()
            duel = await w.contests.find("duel", 1)
            if not duel.state.over:
                table = duel.state.game.table
                for person in (ann, bob):
                    await person.join(table)
                    if w.table(table).state == "open" and not w.table(table).chairs[person.user.id - 1].ready:
                        await person.ready(table)
                await w.rest()
                if w.table(table).playing:
                    await resign(bob, table)
                await w.rest()
                duel = await w.contests.find("duel", 1)
            assert (duel.state.winner, duel.state.over) == (1, True)
            assert await coins(w) == (250, 150, 0)
            tables = await w.store.read(lambda db: db.execute("SELECT count(*) FROM tables").fetchone()[0])
            assert tables == 1
            before = await w.store.read(fingerprints)
            await w.stop()
            await w.store.open()
            await rebuild(w.store)
            await w.store.transaction(lambda db: rebuilt(db, [Duel()]))
            assert await w.store.read(fingerprints) == before

    run(case())
