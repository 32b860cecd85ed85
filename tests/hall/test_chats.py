"""Chat rooms: who hears and who speaks there, blocks, slow mode, mentions (platform P-82)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.hall.world import run, world

from qipai.accounts.model import User
from qipai.hall.table.commands import Hear, Say
from qipai.hall.table.errors import HallError
from qipai.store import Connection


class Clubs:
    """Of a hall with club 7."""

    def __init__(self) -> None:
        self.ranks = {1: "boss", 2: "member"}

    def rank_of(self, user: int, club: int) -> str | None:
        return self.ranks.get(user) if club == 7 else None


def test_a_line_reaches_all_who_hear_the_place_in_one_piece(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path) as w:
            ann, bob, eve = await w.person(1), await w.person(2), await w.stranger()
            assert await ann.refused(Say("x0", "hall", text="hi")) == "NOT_FOUND"  # who does not listen does not speak
            for one in (ann, bob, eve):
                await one.say(Hear("hall", True))
            assert bob.of("talk")[0]["people"] == 2
            await bob.say(Hear("game:xiangqi", True))
            await ann.done(Say("x1", "hall", text="a\u202e<script>b\u0301\u0301\u0301\u0301</script>\u200b\nc"))
            for one in (ann, bob, eve):
                line = one.of("chat")[-1]
                assert (line["to"], line["text"]) == ("hall", "a<script>b\u0301\u0301</script> c")
            assert ann.raw[-2] is bob.raw[-1] is eve.raw[-1]  # encoded once
            assert await ann.refused(Say("x2", "game:xiangqi", text="hi")) == "NOT_FOUND"
            assert await ann.refused(Hear("game:chess", True)) == "NOT_FOUND"
            assert await ann.refused(Say("x3", "hall:1", text="hi")) == "NOT_FOUND"
            await bob.say(Hear("hall", False))
            await ann.done(Say("x4", "hall", text="alone"))
            assert len(bob.of("chat")) == 1
            await bob.say(Hear("hall", True))
            assert [line["text"] for line in bob.of("talk")[-1]["chat"]][1:] == ["alone"]
            await bob.hang_up()
            assert w.hall.chats.people("hall") == 2

    run(test())


def test_guests_and_programs_listen_and_blocks_hide_lines_both_ways(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path) as w:
            ann, bob = await w.person(1), await w.person(2)
            guest, program = await w.person(3, kind="guest"), await w.person(4, kind="bot")
            for one in (ann, bob, guest, program):
                await one.say(Hear("hall", True))
            assert await guest.refused(Say("x1", "hall", text="hi")) == "SIGN_IN"
            assert await program.refused(Say("x2", "hall", text="hi")) == "NOT_ALLOWED"
            await w.hall.ties.block(1, 2, 0)
            await ann.done(Say("x3", "hall", text="of ann"))
            await bob.done(Say("x4", "hall", text="of bob"))
            assert [line["text"] for line in bob.of("chat")] == ["of bob"]
            assert [line["text"] for line in ann.of("chat")] == ["of ann"]
            assert [line["text"] for line in guest.of("chat")] == ["of ann", "of bob"]
            for one, text in ((ann, "of ann"), (bob, "of bob")):
                await one.say(Hear("hall", True))
                assert [line["text"] for line in one.of("talk")[-1]["chat"]] == [text]
            line = w.hall.chat.lines("hall")[0]
            await w.hall.talk.remove(line, "spam", by=9)
            assert guest.of("chat")[-1]["removed"]
            assert [one.text for one in w.hall.chat.lines("hall")] == ["of bob"]

    run(test())


def test_slow_mode(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path) as w:
            ann, bob, keeper = await w.person(1), await w.person(2), await w.person(9, moderator=True)
            for one in (ann, bob, keeper):
                await one.say(Hear("hall", True))
            await w.hall.talk.slow_down("hall", 30, 9)
            assert bob.of("talk")[-1] == {"t": "talk", "to": "hall", "slow": 30, "people": 3}
            await ann.done(Say("x1", "hall", text="one"))
            answer = await ann.say(Say("x2", "hall", text="two"))
            assert (answer["code"], answer["facts"]) == ("RATE_LIMIT", {"case": "slow", "wait_ms": 30_000})
            await bob.done(Say("x3", "hall", text="of another"))
            for n in range(3):
                await keeper.done(Say(f"k{n}", "hall", text="calm down"))
            await w.jump(30_000)
            await ann.done(Say("x4", "hall", text="two"))
        async with world(tmp_path) as w:  # it is slow after a restart, too
            assert w.hall.chats.slow("hall") == 30
            await w.hall.talk.slow_down("hall", 0, 9)
        async with world(tmp_path) as w:
            assert w.hall.chats.slow("hall") == 0

    run(test())


def test_a_clubs_talk_is_for_who_is_in_it_now(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path) as w:
            clubs = Clubs()
            w.hall.chats.clubs = clubs
            ann, bob, eve = await w.person(1), await w.person(2), await w.person(3)
            assert await eve.refused(Hear("club:7", True)) == "NOT_FOUND"
            assert await eve.refused(Hear("club:07", True)) == "NOT_FOUND"
            for one in (ann, bob):
                await one.say(Hear("club:7", True))
            await bob.done(Say("x1", "club:7", text="ours"))
            assert ann.of("chat")[-1]["text"] == "ours"
            del clubs.ranks[2]  # banned
            w.hall.chats.expel("club:7", 2)
            assert await bob.refused(Say("x2", "club:7", text="mine")) == "NOT_FOUND"
            await ann.done(Say("x3", "club:7", text="secret"))
            assert "secret" not in str(bob.got)

    run(test())


def test_many_speak_at_once_and_nobody_more_than_their_share(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path) as w:
            people = [await w.person(id) for id in range(1, 101)]
            for one in people:
                await one.say(Hear("hall", True))
            codes: list[str] = []

            async def chatter(one: Any) -> None:
                for n in range(7):
                    answer = await one.say(Say(f"y{one.user.id}-{n}", "hall", text=str(n)))
                    codes.append(answer.get("code", "ok"))

            await asyncio.gather(*map(chatter, people))
            assert (codes.count("ok"), codes.count("RATE_LIMIT")) == (500, 200)
            assert len(w.hall.chat.lines("hall")) == 100

    run(test())


def test_what_a_mention_writes_is_written_with_its_line(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path) as w:
            ann = await w.person(1)
            await ann.say(Hear("hall", True))
            found: list[Any] = []

            async def mentions(place: str, by: User, text: str) -> Callable[[Connection], None] | None:
                def work(db: Connection) -> None:
                    # In the transaction of the line itself, which nobody else sees yet.
                    sql = "SELECT count(*) FROM chat WHERE place = ? AND user = ? AND cid IS NOT NULL"
                    assert db.execute(sql, (place, by.id)).fetchone()[0] > 0
                    found.append((place, by.id, text))

                return work if "@" in text else None

            async def told() -> None:
                found.append("told")

            w.hall.talk.mentions, w.hall.talk.mentioned = mentions, told
            await ann.done(Say("x1", "hall", text="nobody"))
            await ann.done(Say("x2", "hall", text="@bob look"))
            assert found == [("hall", 1, "@bob look"), "told"]

    run(test())


def test_a_look_shows_nothing_to_who_was_banned_meanwhile_and_all_to_others(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path) as w:
            chats, clubs = w.hall.chats, Clubs()
            chats.clubs = clubs
            ann, bob = await w.person(1), await w.person(2)
            await ann.say(Hear("club:7", True))
            await ann.done(Say("x0", "club:7", text="hi"))
            await ann.hang_up()
            users = [User(1, "ann", "user"), User(2, "bob", "user")]
            looks = [asyncio.ensure_future(chats.look("club:7", user)) for user in users]
            await asyncio.sleep(0)
            del clubs.ranks[2]  # while the lines are loaded
            shown, hidden = await asyncio.gather(*looks, return_exceptions=True)
            assert isinstance(hidden, HallError)
            assert hidden.code == "NOT_FOUND"
            assert not isinstance(shown, BaseException)
            assert len(shown.chat) == 1  # type: ignore[arg-type]
            assert chats._chat.lines("club:7") == []  # nobody looks any more

            # Who looks keeps the lines of others who look, whichever is done first.
            clubs.ranks[2] = "member"
            meet, gates = w.hall.chats._accounts.meet, [asyncio.Event(), asyncio.Event()]
            waiting = iter(gates)

            async def slow(ids: Any) -> None:
                await next(waiting).wait()
                await meet(ids)

            chats._accounts.meet = slow  # type: ignore[method-assign]
            looks = [asyncio.ensure_future(chats.look("club:7", user)) for user in users]
            for gate, look in zip(gates, looks, strict=True):
                await asyncio.sleep(0)
                gate.set()
                assert len((await look).chat) == 1  # type: ignore[arg-type]
            chats._accounts.meet = meet  # type: ignore[method-assign]
            await bob.hang_up()

    run(test())
