"""How people find each other: invitations with their refusals in order, quick pairing that widens (P-65, P-66)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.hall.world import Person, World, run, world

from qipai.hall.records.rebuild import rebuild
from qipai.hall.rooms.invitations import Asked
from qipai.hall.rooms.matchmaking import Reach, Waiting, matched
from qipai.hall.rooms.rooms import Room
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Terms

ROOMS = (Room(1, "xiangqi", "friendly"), Room(2, "xiangqi", "score"), Room(3, "gouji", "friendly"))


def user(person: Person) -> Any:
    assert person.user is not None
    return person.user


async def refused(w: World, person: Person, id: int) -> str:
    with pytest.raises(HallError) as wrong:
        await w.hall.invitations.accept(user(person), id, None)
    return wrong.value.code


def test_who_takes_up_an_invitation_sits_with_who_made_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(20), await w.person(21)
            letter = await w.hall.invitations.invite(user(ann), Asked("xiangqi", rated=True, to=21), "c1")
            assert bob.of("note")[-1]["facts"] == {"from": "p20", "game": "xiangqi"}
            assert [(each.id, code) for each, code in await w.hall.invitations.letters(user(bob))] == [
                (letter.id, None)
            ]
            table, _seat = await w.hall.invitations.accept(user(bob), letter.id, "c2")
            await w.rest()
            found = w.table(table)
            assert (found.setting.kind, found.playing) == ("score", True)
            assert {chair.user for chair in found.chairs} == {20, 21}
            assert ann.of("note")[-1]["facts"]["table"] == table
            assert await w.hall.invitations.letters(user(bob)) == []
            assert await refused(w, bob, letter.id) == "INVITE_EXPIRED"
            sql = "SELECT * FROM invites"
            before = await w.store.read(lambda db: db.execute(sql).fetchall())
            await rebuild(w.store)
            assert await w.store.read(lambda db: db.execute(sql).fetchall()) == before

    run(test())


def test_an_invitation_is_refused_by_the_first_reason(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob, eve = [await w.person(id) for id in (20, 21, 22)]
            guest = await w.person(30, kind="guest")
            meet = w.hall.invitations
            mine = await meet.invite(user(ann), Asked("xiangqi", to=21), None)
            assert await refused(w, ann, mine.id) == "SELF"
            assert await refused(w, eve, mine.id) == "NOT_FOR_YOU"
            assert await refused(w, eve, 999) == "NOT_FOUND"
            await w.hall.ties.block(22, 20, 0)
            assert await refused(w, eve, mine.id) == "BLOCKED"
            assert await meet.letters(user(eve)) == []
            rated = await meet.invite(user(ann), Asked("xiangqi", rated=True, rating_min=1600), None)
            assert await refused(w, guest, rated.id) == "GUEST_RATED"
            assert await refused(w, bob, rated.id) == "RATING_RANGE"
            grey = {each.id: wrong and (wrong.code, wrong.facts) for each, wrong in await meet.letters(user(bob))}
            assert grey == {mine.id: None, rated.id: ("RATING_RANGE", {"least": 1600, "most": 9999, "have": 1500})}
            await w.jump(1_801_000)
            assert await refused(w, bob, mine.id) == "INVITE_EXPIRED"
            for asked, code in (
                (Asked("xiangqi", to=20), "SELF"),
                (Asked("xiangqi", to=22), "BLOCKED"),
                (Asked("xiangqi", to=999), "NOT_FOUND"),
                (Asked("chess"), "BAD_OPTION"),
                (Asked("gouji", rated=True), "BAD_OPTION"),
                (Asked("xiangqi", options={"dice": 3}), "BAD_OPTION"),
                (Asked("xiangqi", rating_min=9, rating_max=8), "BAD_OPTION"),
            ):
                with pytest.raises(HallError, match=code):
                    await meet.invite(user(ann), asked, None)
            with pytest.raises(HallError, match="GUEST_RATED"):
                await meet.invite(user(guest), Asked("xiangqi", rated=True), None)

    run(test())


def test_an_invitation_is_declined_by_whom_it_is_for_and_withdrawn_by_its_maker(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob, eve = [await w.person(id) for id in (20, 21, 22)]
            meet = w.hall.invitations
            one = await meet.invite(user(ann), Asked("xiangqi", to=21), None)
            two = await meet.invite(user(ann), Asked("xiangqi"), None)
            with pytest.raises(HallError, match="NOT_FOR_YOU"):
                await meet.decline(user(eve), one.id, None)
            await meet.decline(user(bob), one.id, None)
            with pytest.raises(HallError, match="NOT_ALLOWED"):
                await meet.withdraw(user(bob), two.id, None)
            await meet.withdraw(user(ann), two.id, None)
            for letter in (one, two):
                assert await refused(w, bob, letter.id) == "INVITE_EXPIRED"
            assert await meet.letters(user(ann)) == []

    run(test())


def test_each_of_a_group_declines_for_himself_and_with_the_last_it_is_over(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob, eve, stranger = [await w.person(id) for id in (20, 21, 22, 30)]
            meet = w.hall.invitations

            async def seen() -> list[int]:
                return [id for id in (20, 21, 22) if await meet.letters(user({20: ann, 21: bob, 22: eve}[id]))]

            letter = await meet.invite(user(ann), Asked("xiangqi", among=(21, 22), group="kin"), None)
            heard = len(ann.of("note"))
            with pytest.raises(HallError, match="NOT_FOR_YOU"):
                await meet.decline(user(stranger), letter.id, None)
            assert await seen() == [20, 21, 22]
            await meet.decline(user(bob), letter.id, None)
            for _ in range(2):  # after a restart, too
                assert await seen() == [20, 22]
                assert (meet.to(21), meet.to(22), meet.open_to(21)) == (0, 1, 0)
                assert await refused(w, bob, letter.id) == "NOT_FOR_YOU"
                with pytest.raises(HallError, match="NOT_FOR_YOU"):
                    await meet.decline(user(bob), letter.id, None)
                await meet.open()
            await w.rest()
            assert len(ann.of("note")) == heard
            await meet.decline(user(eve), letter.id, None)
            await w.rest()
            assert await seen() == []
            assert ann.of("note")[-1]["facts"] == {"from": "p22", "game": "xiangqi", "declined": True}
            with pytest.raises(HallError, match="INVITE_EXPIRED"):
                await meet.decline(user(eve), letter.id, None)
            # Who has not declined takes it up; who declines at the same moment as another is not in his way.
            second = await meet.invite(user(ann), Asked("xiangqi", among=(21, 22, 30), group="kin"), None)
            await asyncio.gather(*(meet.decline(user(each), second.id, None) for each in (bob, stranger)))
            assert await seen() == [20, 22]
            # Who goes for ever is waited for no more.
            third = await meet.invite(user(ann), Asked("gouji", among=(21, 22), group="kin"), None)
            await meet.erase(user(bob))
            assert await refused(w, bob, third.id) == "NOT_FOR_YOU"
            table, _seat = await meet.accept(user(eve), second.id, None)
            await w.rest()
            assert w.table(table).playing
            assert [each.id for each, _ in await meet.letters(user(eve))] == [third.id]
            sql = "SELECT * FROM invites"
            before = await w.store.read(lambda db: db.execute(sql).fetchall())
            await rebuild(w.store)
            assert await w.store.read(lambda db: db.execute(sql).fetchall()) == before

    run(test())


def test_the_colour_of_an_invitation_says_who_has_the_first_seat(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(20), await w.person(21)
            meet = w.hall.invitations

            async def first(host: Person, guest: Person, colour: Any) -> int:
                letter = await meet.invite(user(host), Asked("xiangqi", colour=colour), None)
                table, seat = await meet.accept(user(guest), letter.id, None)
                await w.rest()
                found = w.table(table)
                assert found.playing
                assert found.owner == user(host).id
                assert found.chairs[seat].user == user(guest).id
                red: int = found.chairs[0].user
                return red

            assert await first(ann, bob, "mine") == 20
            assert await first(ann, bob, "theirs") == 21
            # Who had red the last time leaves it to the other, whoever invites.
            assert await first(ann, bob, "alternate") == 20
            assert await first(bob, ann, "alternate") == 21
            assert await first(bob, ann, "alternate") == 20
            assert {await first(ann, bob, "random") for _ in range(40)} == {20, 21}
            with pytest.raises(HallError, match="BAD_OPTION"):
                await meet.invite(user(ann), Asked("gouji", colour="mine"), None)

    run(test())


def test_an_invitation_to_six_stands_until_the_seats_are_taken(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            host, *guests = [await w.person(20 + n) for n in range(6)]
            stranger = await w.person(30)
            meet = w.hall.invitations
            among = tuple(user(guest).id for guest in guests)
            letter = await meet.invite(user(host), Asked("gouji", among=among, group="kin"), None)
            assert all(guest.of("note")[-1]["counts"]["invites"] == 1 for guest in guests)
            assert [meet.to(user(each).id) for each in (*guests, stranger)] == [1, 1, 1, 1, 1, 0]
            assert await meet.letters(user(stranger)) == []
            assert await refused(w, stranger, letter.id) == "NOT_FOR_YOU"
            tables = set()
            for number, guest in enumerate(guests, 1):
                table, seat = await meet.accept(user(guest), letter.id, None)
                tables.add(table)
                assert seat == number
                assert host.of("note")[-1]["facts"] == {"from": f"p{20 + number}", "game": "gouji", "table": table}
                if number == 2:  # who comes after a restart finds the same table, and who asks again his seat
                    await meet.open()
                    assert await meet.accept(user(guest), letter.id, None) == (table, seat)
            await w.jump(3_000)
            assert len(tables) == 1
            assert w.table(table).playing
            assert await meet.letters(user(host)) == []
            assert await refused(w, guests[0], letter.id) == "INVITE_EXPIRED"
            sql = "SELECT * FROM invites"
            before = await w.store.read(lambda db: db.execute(sql).fetchall())
            await rebuild(w.store)
            assert await w.store.read(lambda db: db.execute(sql).fetchall()) == before

    run(test())


def test_an_invitation_says_how_many_play_how_long_and_who_may_watch(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS, Room(4, "lianliankan", "friendly")) as w:
            ann, bob = await w.person(20), await w.person(21)
            meet = w.hall.invitations
            asked = Asked("lianliankan", preset="small", seats=2, options={"min_games": 3, "watchers": False}, to=21)
            letter = await meet.invite(user(ann), asked, None)
            table, _seat = await meet.accept(user(bob), letter.id, None)
            await w.jump(3_000)
            found = w.table(table)
            assert (found.playing, found.setting.seats, found.options["rows"]) == (True, 2, 6)
            assert (found.terms.min_games, found.terms.watchers) == (3, False)
            for options in ({"min_games": -1}, {"password": "open"}, {"watchers": "no"}):
                with pytest.raises(HallError, match="BAD_OPTION"):
                    await meet.invite(user(ann), Asked("xiangqi", options=options), None)

    run(test())


def test_an_invitation_that_cannot_be_taken_up_stands(tmp_path: Path) -> None:
    async def test() -> None:
        guarded = Room(2, "xiangqi", "score", terms=Terms(min_score=5))
        async with world(tmp_path, ROOMS[0], guarded) as w:
            ann, bob = await w.person(20), await w.person(21)
            letter = await w.hall.invitations.invite(user(ann), Asked("xiangqi", rated=True), None)
            assert await refused(w, bob, letter.id) == "SCORE_TOO_LOW"
            assert [each.id for each, _ in await w.hall.invitations.letters(user(bob))] == [letter.id]

    run(test())


def test_nobody_makes_more_open_invitations_than_the_hall_allows(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(20)
            meet = w.hall.invitations
            most = w.config.pairing.invites
            letters = [await meet.invite(user(ann), Asked("xiangqi"), None) for _ in range(most)]
            with pytest.raises(HallError, match="LIMIT_REACHED"):
                await meet.invite(user(ann), Asked("xiangqi"), None)
            await meet.withdraw(user(ann), letters[0].id, None)
            await meet.invite(user(ann), Asked("xiangqi"), None)
            await w.jump(1_801_000)  # what has expired is none of them
            await meet.invite(user(ann), Asked("xiangqi"), None)

    run(test())


def test_two_who_wait_are_paired_and_play(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(20), await w.person(21)
            meet = w.hall.invitations
            assert await meet.wait(user(ann), "xiangqi", None) is None
            assert meet.waits(20) == ("xiangqi", None, w.clock.now())
            table, seat = await meet.wait(user(bob), "xiangqi", None) or (0, 0)
            await w.rest()
            assert w.table(table).playing
            assert w.table(table).seat_of(21) == seat
            assert await meet.wait(user(ann), "xiangqi", None) == (table, 1 - seat)
            assert meet.waits(20) is None
            guest = await w.person(30, kind="guest")
            with pytest.raises(HallError, match="SIGN_IN"):
                await meet.wait(user(guest), "xiangqi", None)
            with pytest.raises(HallError, match="BAD_OPTION"):
                await meet.wait(user(ann), "chess", None)

    run(test())


def test_who_hangs_up_waits_no_more_and_who_is_blocked_is_not_paired(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob, eve = [await w.person(id) for id in (20, 21, 22)]
            meet = w.hall.invitations
            await w.hall.ties.block(20, 21, 0)
            assert await meet.wait(user(ann), "xiangqi", None) is None
            assert await meet.wait(user(bob), "xiangqi", None) is None
            await ann.hang_up()
            assert meet.waits(20) is None
            assert await meet.wait(user(eve), "xiangqi", None) is not None

    run(test())


def test_the_range_widens_with_waiting() -> None:
    reach = Reach(100, 50, 5_000)
    queue = [Waiting(1, 1500, 0), Waiting(2, 1690, 0), Waiting(3, 1595, 9_000)]

    def nobody(one: int, other: int) -> bool:
        return False

    assert matched(queue[:2], (2,), 0, reach, nobody, 10_000) == []
    assert matched(queue[:2], (2,), 9_999, reach, nobody, 10_000) == []
    assert matched(queue[:2], (2,), 10_000, reach, nobody, 10_000) == [(queue[0], queue[1])]
    assert matched(queue, (2,), 9_000, reach, nobody, 10_000) == [
        (queue[0], queue[2])
    ]  # the longest wait chooses first
    assert matched(queue, (2,), 9_000, reach, lambda one, other: {one, other} == {1, 3}, 10_000) == [
        (queue[1], queue[2])
    ]
    assert matched(queue, (3,), 9_000, reach, nobody, 10_000) == []
    assert matched(queue, (3,), 10_000, reach, nobody, 10_000) == [(queue[0], queue[1], queue[2])]
