"""What the hall notices by itself stands in the moderators' queue, once, with the facts that led to it (P-95)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.hall.test_counts import COIN, SCORE, begin, give, pair, resign
from tests.hall.test_xiangqi import move
from tests.hall.world import World, quick, run, world

from qipai.hall.live.addresses import Origin
from qipai.hall.records.rebuild import rebuild
from qipai.hall.rooms.rooms import Room
from qipai.moderation.service import Report

FRIENDLY = Room(4, "xiangqi", "friendly")


async def queue(w: World) -> list[Report]:
    return await w.hall.order.reports("open", 0, 99)


async def crowd(w: World) -> None:
    """Let others have played, among themselves."""
    rows = [(user, f"other{game}", seat, 0) for game in range(200) for seat, user in ((0, 500 + game), (1, 900 + game))]
    sql = "INSERT INTO parts (user, id, seat, game, at, n, points, counted) VALUES (?, ?, ?, 'xiangqi', ?, 1, 0, 1)"
    at = w.clock.now() // 1000
    await w.store.transaction(lambda db: db.executemany(sql, [(*row[:3], at) for row in rows]).rowcount)


async def lose(w: World, times: int) -> Any:
    """Let 21 lose to 20 so often."""
    ann, bob = await pair(w, 301, 20, 21)
    for number in range(times):
        await resign(w, bob, 301)
        if number < times - 1:
            await begin(w, [ann, bob], 301)
    return ann.shown[301]["game"]["game_id"]


def test_two_who_always_meet_and_one_of_whom_always_loses(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            await crowd(w)
            last = await lose(w, 12)
            assert await w.hall.fair_play_scan.sweep() == 1
            (flag,) = await queue(w)
            assert (flag.by, flag.kind, flag.user, flag.ref, flag.text) == (None, "flag", 20, last, "")
            expected = {
                "why": "pair",
                "other": 21,
                "game": "xiangqi",
                "met": 12,
                "won": 12,
                "lost": 0,
                "given": 12,
                "days": 30,
            }
            assert flag.facts == {**expected, "expected": 0.3, "needed": 12}
            assert await w.hall.fair_play_scan.sweep() == 0

    run(test())


def test_where_two_are_alone_they_are_left_alone(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            await lose(w, 12)
            assert await w.hall.fair_play_scan.sweep() == 0
            assert await queue(w) == []

    run(test())


def test_a_flag_is_raised_once_a_month_and_made_anew_with_the_log(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            await crowd(w)
            await lose(w, 12)
            await w.hall.fair_play_scan.sweep()
            (flag,) = await queue(w)
            assert await w.hall.order.dismiss(flag.id, 9, "brothers", w.clock.now())
            assert not await w.hall.order.dismiss(flag.id, 9, "brothers", w.clock.now())
            await w.store.transaction(lambda db: db.execute("DELETE FROM marks").rowcount)
            assert await w.hall.fair_play_scan.sweep() == 0  # the same games once more
            before = await w.store.read(lambda db: db.execute("SELECT * FROM reports").fetchall())
            await rebuild(w.store)
            assert await w.store.read(lambda db: db.execute("SELECT * FROM reports").fetchall()) == before
            await w.store.transaction(lambda db: db.execute("DELETE FROM reports").rowcount)
            await rebuild(w.store)
            again = await w.store.read(lambda db: db.execute("SELECT * FROM reports").fetchall())
            assert [row[1:] for row in again] == [row[1:] for row in before]
            acts = await w.hall.order.audit(None, 9)
            assert [(act.type, act.actor) for act in acts] == [("moderation.dismissed", 9)]

    run(test())


def test_who_answers_like_a_program(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE, config=quick(flags={"moves": 10})) as w:
            ann, bob = await pair(w, 301, 20, 21)
            red = ["a3a4", "c3c4", "g3g4", "i3i4", "b0c2", "h0g2", "a0a1", "i0i1", "a1d1", "i1f1"]
            black = ["a6a5", "c6c5", "g6g5", "i6i5", "b9c7", "h9g7", "a9a8", "i9i8", "a8d8", "i8f8"]
            for number, pair_of in enumerate(zip(red, black, strict=True)):
                for person, text, ms in zip((ann, bob), pair_of, (1000, 300 + 700 * (number % 9)), strict=True):
                    await w.jump(ms)
                    await move(person, 301, text)
            await resign(w, bob, 301)
            await w.hall.fair_play_scan.sweep()
            flags = await queue(w)
            assert [(flag.user, flag.facts["why"]) for flag in flags] == [(20, "timing")]
            assert (flags[0].facts["spread"], flags[0].facts["median"]) == (0, 1000)

    run(test())


def test_two_of_one_device_at_a_table_that_counts(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE, COIN, FRIENDLY, config=quick(order={"same_address": True})) as w:
            here = Origin("192.0.2.7", "firefox")
            ann, bob = await w.person(20, origin=here), await w.person(21, origin=here)
            carl = await w.person(22, origin=Origin("192.0.2.7", "other"))
            for user in (20, 21, 22):
                await give(w, user, 100)
            for seat, person in enumerate((ann, bob)):
                await person.sit(401, seat)
            await begin(w, [ann, bob], 401)
            assert await queue(w) == []  # a friendly table is nobody's business
            await resign(w, bob, 401)
            for seat, person in enumerate((ann, bob)):
                await person.sit(301, seat)
            for _ in range(2):
                await begin(w, [ann, bob], 301)
                await resign(w, bob, 301)
            await ann.sit(201, 0)
            await carl.sit(201, 1)
            await begin(w, [ann, carl], 201)
            flags = await queue(w)
            assert [(flag.user, flag.facts["other"], flag.facts["shared"]) for flag in flags] == [
                (21, 20, "device"), (22, 20, "address"),
            ]  # fmt: skip
            assert "192.0.2" not in repr(flags)

    run(test())


def test_a_hall_that_wants_no_flags_raises_none(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE, config=quick(flags={"enabled": False})) as w:
            await crowd(w)
            await lose(w, 12)
            assert await w.hall.fair_play_scan.sweep() == 0

    run(test())


def test_two_who_give_up_again_and_again_before_it_counts_are_flagged(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            people = await pair(w, 301, 20, 21)
            for number in range(4):
                if number:
                    await begin(w, people, 301)
                await resign(w, people[1], 301, at_once=True)
                await w.hall.fair_play_scan.sweep()
                assert len(await queue(w)) == (number >= 2)
            (flag,) = await queue(w)
            assert flag.facts == {"why": "short", "other": 20, "game": "xiangqi", "games": 3, "days": 30}

    run(test())
