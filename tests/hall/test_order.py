"""Keeping the order in a real hall: kicks, their reversal, mutes, blocks, one address (P-11, P-33, P-95)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_counts import COIN, PASS, SCORE, begin, give, of_books, pair, play, resign
from tests.hall.world import Person, World, quick, run, world

from qipai.hall.live.addresses import Origin
from qipai.hall.records.rebuild import rebuild
from qipai.hall.rooms.invitations import Asked
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Terms

DAY = 86_400_000


async def kick(w: World, moderator: Person, table: int, user: int, why: str = "stalling") -> None:
    seat = w.table(table).seat_of(user)
    await moderator.done(commands.Remove(moderator.cid(), table, seat, why))
    await w.rest()


def test_a_kick_charges_what_a_quit_costs_and_an_administrator_takes_it_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, PASS) as w:
            ann, bob = await pair(w, 118, 20, 21)
            await play(w, [ann, bob], 118)
            eve = await w.person(9, moderator=True)
            seat = w.table(118).seat_of(21)
            assert await eve.refused(commands.Remove(eve.cid(), 118, seat)) == "BAD_MESSAGE"  # no reason, no kick
            assert await ann.refused(commands.Remove(ann.cid(), 118, seat, "mine")) == "GAME_RUNNING"
            await kick(w, eve, 118, 21)
            game = ann.shown[118]["game"]["game_id"]
            ledger = w.hall.ledger
            assert [note["kind"] for note in bob.of("note")][-1] == "penalty"
            assert ((await ledger.standing(21, "xiangqi"))[0].score, await ledger.credibility(21)) == (-2, 95)
            assert (await ledger.passes(21))["xiangqi"].points == -2
            acts = await w.hall.order.audit(None, 9)
            assert (acts[0].type, acts[0].actor) == ("moderation.acted", 9)
            assert (acts[0].data["what"], acts[0].data["reason"], acts[0].data["user"]) == ("kick", "stalling", 21)
            assert await w.hall.archive.reverse(game, 21, "a mistake", by=1)
            told = bob.of("note")[-1]["facts"]
            assert (told["what"], told["reason"]) == ("reverse", "a mistake")
            assert ((await ledger.standing(21, "xiangqi"))[0].score, await ledger.credibility(21)) == (0, 100)
            assert (await ledger.passes(21))["xiangqi"].points == 0
            assert (await ledger.standing(20, "xiangqi"))[0].score == 2  # what others have got they keep
            with pytest.raises(HallError, match="LIMIT_REACHED"):
                await w.hall.archive.reverse(game, 21, "once more", by=1)
            with pytest.raises(HallError, match="NOT_FOUND"):
                await w.hall.archive.reverse("nosuchgame", 21, "x", by=1)
            before = await of_books(w)
            await rebuild(w.store)
            assert await of_books(w) == before

    run(test())


def test_after_a_month_nothing_is_taken_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            ann, bob = await pair(w, 301, 20, 21)
            await resign(w, bob, 301)
            game = ann.shown[301]["game"]["game_id"]
            w.clock.time += 31 * DAY  # not second by second, as `jump` would
            with pytest.raises(HallError, match="LIMIT_REACHED"):
                await w.hall.archive.reverse(game, 21, "late", by=1)

    run(test())


def test_coins_that_a_game_took_are_given_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, COIN) as w:
            for user in (20, 21):
                await give(w, user, 100)
            ann, bob = await pair(w, 201, 20, 21)
            await play(w, [ann, bob], 201)
            eve = await w.person(9, moderator=True)
            await kick(w, eve, 201, 21)
            assert [(await w.hall.ledger.wallet(user)).coins for user in (20, 21)] == [118, 78]
            assert await w.hall.archive.reverse(ann.shown[201]["game"]["game_id"], 21, "a mistake", by=1)
            assert [(await w.hall.ledger.wallet(user)).coins for user in (20, 21)] == [118, 100]
            line = (await w.hall.ledger.statement(21, reason="reversal", before=None, most=1))[0]
            assert line.amount == 22

    run(test())


def test_who_is_muted_plays_on_and_says_nothing(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            ann, bob = await pair(w, 301, 20, 21)
            await w.hall.order.act(21, "mute", "bad words", by=9, now=w.clock.now(), seconds=3600)
            w.hall.notes.ruling(21, "mute", "bad words", w.clock.now() // 1000 + 3600)
            assert bob.of("note")[-1]["facts"]["reason"] == "bad words"
            answer = await bob.say(commands.Say(bob.cid(), "table:301", text="hm"))
            assert (answer["code"], answer["facts"]) == ("MUTED", {"until": w.clock.now() // 1000 + 3600})
            await ann.done(commands.Say(ann.cid(), "table:301", text="hello"))
            await resign(w, bob, 301)
            await w.jump(3_600_001)
            await bob.done(commands.Say(bob.cid(), "table:301", text="free again"))
            before = await w.store.read(lambda db: db.execute("SELECT * FROM sanctions").fetchall())
            assert len(before) == 1
            await rebuild(w.store)
            assert await w.store.read(lambda db: db.execute("SELECT * FROM sanctions").fetchall()) == before

    run(test())


def lines(person: Person) -> list[Any]:
    return [line.get("text") for line in person.of("chat")]


def test_who_has_blocked_somebody_does_not_hear_him_nor_he_him(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            ann, bob = await pair(w, 301, 20, 21)
            eve = await w.person(22)
            for person in (ann, bob, eve):
                await person.say(commands.Enter(3))
            await eve.join(301)
            await w.hall.ties.block(20, 21, 0)
            await bob.done(commands.Say(bob.cid(), "room:3", text="to all"))
            await bob.done(commands.Say(bob.cid(), "table:301", text="at the table"))
            await ann.done(commands.Say(ann.cid(), "room:3", text="back"))
            assert lines(eve) == ["to all", "at the table", "back"]
            assert lines(ann) == ["back"]
            assert lines(bob) == ["to all", "at the table"]

    run(test())


def test_two_of_one_address_do_not_share_a_table_that_counts_most(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, PASS, COIN, SCORE) as w:
            here, there = Origin("192.0.2.7"), Origin("192.0.2.8")
            ann, bob = await w.person(20, origin=here), await w.person(21, origin=here)
            for user in (20, 21):
                await give(w, user, 100)
            for table in (118, 201):
                await ann.sit(table, 0)
                assert await bob.refused(commands.Sit(bob.cid(), table, 1)) == "SAME_ADDRESS"
            await ann.sit(301, 0)
            await bob.sit(301, 1)  # an ordinary room minds less
            await w.person(21, origin=there)  # a second line from elsewhere does not wash off the first
            assert await bob.refused(commands.Sit(bob.cid(), 118, 1)) == "SAME_ADDRESS"
            await bob.hang_up()
            bob = await w.person(21, origin=there)
            await bob.sit(118, 1)
            await begin(w, [ann, bob], 118)
            assert w.table(118).playing

    run(test())


def test_who_has_lost_his_line_still_comes_from_where_he_came(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, PASS) as w:
            here = Origin("192.0.2.7")
            ann = await w.person(20, origin=here)
            await ann.sit(118, 0)
            await ann.hang_up()
            bob = await w.person(21, origin=here)
            assert await bob.refused(commands.Sit(bob.cid(), 118, 1)) == "SAME_ADDRESS"
            carl = await w.person(22)  # at this machine itself all may sit together
            await carl.sit(118, 1)

    run(test())


def test_a_membership_allows_more_running_games(tmp_path: Path) -> None:
    async def test() -> None:
        numbers = quick(members={"pawn_games": 1, "knight_games": 2, "rook_games": 0})
        async with world(tmp_path, Room(4, "xiangqi", "friendly"), config=numbers) as w:
            ann = (await w.person(20)).user
            assert ann is not None
            people = [await w.person(id) for id in (31, 32, 33)]
            letters = [await w.hall.invitations.invite(who.user, Asked("xiangqi", to=20), None) for who in people]

            async def accept(number: int) -> Any:
                try:
                    return await w.hall.invitations.accept(ann, letters[number].id, None)
                except HallError as wrong:
                    return wrong.code, wrong.facts

            async def member(level: str, until: str) -> None:
                sql = (
                    "INSERT INTO members (user, level, until) VALUES (20, ?, ?)"
                    " ON CONFLICT (user) DO UPDATE SET level = excluded.level, until = excluded.until"
                )
                await w.store.transaction(lambda db: db.execute(sql, (level, until)).rowcount)

            await accept(0)
            assert await accept(1) == ("TOO_MANY_GAMES", {"most": 1})
            await member("knight", "2020-01-01")  # it has lapsed
            assert await accept(1) == ("TOO_MANY_GAMES", {"most": 1})
            await member("knight", "2099-01-01")
            await accept(1)
            assert await accept(2) == ("TOO_MANY_GAMES", {"most": 2})
            await member("rook", "2099-01-01")
            assert isinstance((await accept(2))[0], int)  # any number

    run(test())


@pytest.mark.parametrize(
    ("terms", "code", "facts"),
    [
        (Terms(min_credibility=96), "CREDIBILITY_LOW", {"need": 96, "have": 95}),
        (Terms(min_grade=1), "GRADE_TOO_LOW", {"need": 1, "have": 0}),
        (Terms(min_score=1), "SCORE_TOO_LOW", {"need": 1, "have": 0}),
    ],
)
def test_a_room_says_what_it_asks_for(tmp_path: Path, terms: Terms, code: str, facts: Any) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE, Room(5, "xiangqi", "score", terms=terms)) as w:
            await w.store.transaction(lambda db: db.execute("INSERT INTO credibility VALUES (20, 95)").rowcount)
            ann = await w.person(20)
            for command in (commands.Enter(5), commands.Sit(ann.cid(), 501, 0)):
                answer = await ann.say(command)
                assert answer is not None or ann.got[-1]["t"] == "err", command
                found = answer or ann.got[-1]
                assert (found["code"], found["facts"]) == (code, facts), command

    run(test())
