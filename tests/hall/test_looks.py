"""Who looks on beside the channels of a table: a big screen (P-114), and somebody over a shoulder (P-115)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_snatch import asking, play_on, three
from tests.hall.test_xiangqi import two
from tests.hall.world import Jumping, Names, Person, World, run, world

from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.messages import Watch

pytestmark = pytest.mark.usefixtures("snatch")
FRIENDLY = Room(1, "snatch", "friendly", seats=3)


def share(person: Person, other: Person | None, table: int = 101) -> commands.Shoulder:
    """Return the command that lets somebody look over a shoulder, or ends it."""
    return commands.Shoulder(person.cid(), table, None if other is None or other.user is None else other.user.id)


async def refused(person: Person, command: Any) -> str:
    """Return the code, with its case, of a refusal."""
    answer = await person.say(command)
    assert answer["t"] == "err", answer
    return ":".join([answer["code"], *[str(fact) for fact in [answer["facts"].get("case")] if fact]])


async def step(w: World, people: list[Person], table: int = 101) -> None:
    """Let the deal go on by one answer, or by 100 ms where nobody gives one."""
    seats = asking(people, table)
    ask: Any = people[seats[0]].shown[table]["ask"] if seats else {"kind": "shout"}
    if ask["kind"] == "shout":
        await w.jump(100)
    elif ask["kind"] == "snatch":
        await people[seats[0]].act(table, {"a": "snatch", "yes": False}, ask["id"])
    else:
        card = min(people[seats[0]].shown[table]["view"]["hand"])
        await people[seats[0]].act(table, {"a": "put", "card": card}, ask["id"])


# A big screen.


def test_a_screen_shows_what_watchers_see_whoever_opens_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, FRIENDLY) as w:
            people = await three(w)
            eve, screen = await w.person(20), await w.person(11)  # the screen is opened by who sits at seat 1
            await eve.join(101)
            shown = await screen.join(101, look="screen")
            await play_on(w, people)
            assert shown["ch"] == "101.s"
            assert shown["you"] == {"seat": None, "owner": False}
            for field in ("view", "seats", "result", "clocks", "ask", "legal", "hints", "late"):
                assert screen.shown[101][field] == eve.shown[101][field], field
            assert screen.told(101) == eve.told(101)
            for person in people:  # the deal goes on to the next one, and so does the screen
                await person.ready(101)
            assert screen.shown[101]["game"]["game_id"] == people[0].shown[101]["game"]["game_id"]
            assert w.hall.runner.tables[101].watchers() == 2
            await screen.say(commands.Leave(101))
            heard = len(screen.got)
            for person in people:
                await person.seed(101, "again")
            assert len(screen.got) == heard

    run(test())


@pytest.mark.parametrize("mode", ["open", "after_hand"])
def test_a_screen_never_shows_hands_that_watchers_may_see(tmp_path: Path, mode: Any) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", "friendly", seats=3, watch=Watch(mode, None))) as w:
            people = await three(w)
            eve, screen = await w.person(20), await w.person(21)
            await eve.join(101)
            await screen.join(101, look="screen")
            await play_on(w, people)
            assert eve.shown[101]["late"] is not None
            assert screen.shown[101]["late"] is None
            assert not any(message.get("late") for message in screen.got)

    run(test())


def test_a_screen_obeys_a_table_without_watchers_even_for_its_owner(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "xiangqi", "friendly")) as w:
            ann, screen = await w.person(20), await w.person(22)
            await ann.sit(101, 0)
            await ann.done(commands.Set("s", 101, options={"watchers": False}))
            await screen.join(101, look="screen")
            await two(w, 101)
            assert [sent["table"] for sent in screen.of("rejoin")] == [101]
            own = await w.person(20)
            for person in (screen, own):
                heard = len(person.got)
                await person.say(commands.Join(101, look="screen"))
                assert [message.get("code") for message in person.got[heard:]] == ["WATCH_FORBIDDEN"]

    run(test())


# Over a shoulder.


def test_who_is_named_sees_that_view_and_nothing_else_until_it_is_ended(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, FRIENDLY) as w:
            people = await three(w)
            coach, eve = await w.person(20), await w.person(21)
            assert "WATCH_FORBIDDEN" in str(await refused_join(coach))
            await people[1].done(share(people[1], coach))
            assert [note["kind"] for note in coach.of("note")] == ["shoulder"]
            for person in people:  # all at the table learn who looks at whose hand
                (told,) = [each for each in person.told(101) if each["e"] == "table.shoulder"]
                assert (told["seat"], told["user"]["id"]) == (1, 20)
                assert person.shown[101]["seats"][1]["shoulder"]["id"] == 20
            assert "WATCH_FORBIDDEN" in str(await refused_join(eve))  # nobody else gets there
            shown = await coach.join(101, look="shoulder")
            assert shown["ch"] == "101.1.s"
            assert shown["you"] == {"seat": None, "owner": False, "over": 1}
            for _ in range(9):
                await step(w, people)
                assert coach.shown[101]["view"] == people[1].shown[101]["view"]
            for field in ("ask", "legal", "hints"):  # no question, so nothing to act by
                assert coach.shown[101][field] is None
            answer = await coach.say(commands.Act(coach.cid(), 101, {"a": "put", "card": 0}))
            assert answer["code"] == "NOT_SEATED"
            await people[1].done(share(people[1], None))
            assert people[0].told(101)[-1] == {"e": "table.shoulder", "seat": 1, "user": None}
            assert [sent["table"] for sent in coach.of("rejoin")] == [101]
            heard = len(coach.got)
            await play_on(w, people)
            assert len([message for message in coach.got[heard:] if message["t"] != "note"]) == 0

    run(test())


async def refused_join(person: Person) -> Any:
    """Return what a person hears who wants to look over a shoulder."""
    heard = len(person.got)
    await person.say(commands.Join(101, look="shoulder"))
    return person.got[heard:]


def test_it_ends_with_the_player_with_the_viewer_and_with_a_bot_in_the_seat(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, FRIENDLY) as w:
            people = await three(w)
            coach = await w.person(20)

            async def begin() -> None:
                await people[1].done(share(people[1], coach))
                await coach.join(101, look="shoulder")

            def over() -> bool:
                return "shoulder" not in people[0].shown[101]["seats"][1] and not w.hall.runner.tables[101].looks

            await begin()
            await coach.done(share(coach, None))  # who looks ends it
            assert over()
            await begin()
            await people[1].hang_up()
            await w.jump(60_000)  # a bot plays on, and nobody sees its hand
            assert people[0].shown[101]["seats"][1]["presence"] == "bot"
            assert over()
            people[1] = await w.person(11)
            await people[1].join(101)
            await people[1].done(commands.Back("b", 101))
            await begin()
            await people[1].done(commands.Stand("x", 101, confirm=True))
            assert over()
            assert len(coach.of("rejoin")) == 3

    run(test())


def test_nobody_knows_hands_and_where_it_counts_none_is_shown(tmp_path: Path) -> None:
    async def test() -> None:
        rooms = (FRIENDLY, Room(2, "snatch", "score", seats=3), Room(3, "xiangqi", "friendly"))
        async with world(tmp_path, *rooms) as w:
            people = await three(w)
            coach, bot = await w.person(20), await w.person(30, kind="bot")
            await people[1].done(share(people[1], coach))
            assert await refused(people[0], share(people[0], coach)) == "NOT_ALLOWED:hands"
            assert await refused(people[0], share(people[0], people[2])) == "NOT_ALLOWED:hands"
            assert await refused(people[0], share(people[0], bot)) == "NOT_ALLOWED:shoulder"
            assert await refused(coach, share(coach, people[0])) == "NOT_SEATED"
            assert await refused(people[0], commands.Shoulder("n", 101, 999)) == "NOT_FOUND"
            await w.hall.ties.block(10, 20, 1)
            await people[1].done(share(people[1], None))
            assert await refused(people[0], share(people[0], coach)) == "NOT_ALLOWED:shoulder"
            assert await refused(coach, commands.Shoulder("c", 101, 11)) == "NOT_SEATED"
            counted = [await w.person(id) for id in (40, 41, 42)]
            for seat, person in enumerate(counted):
                await person.sit(201, seat)
            assert await refused(counted[0], share(counted[0], coach, 201)) == "NOT_ALLOWED:shoulder"
            ann = await w.person(50)
            await ann.sit(301, 0)
            await ann.done(commands.Set("s", 301, options={"watchers": False}))
            assert await refused(ann, share(ann, coach, 301)) == "WATCH_FORBIDDEN"

    run(test())


def test_who_sits_down_there_looks_no_longer_and_a_restart_keeps_who_may(tmp_path: Path) -> None:
    clock, names = Jumping(), Names()

    async def test() -> None:
        async with world(tmp_path, FRIENDLY, clock=clock, names=names) as w:
            ann, coach = await w.person(10), await w.person(20)
            await ann.sit(101, 0)
            await ann.done(share(ann, coach))
            await w.kill()
        async with world(tmp_path, FRIENDLY, clock=clock, names=names) as w:
            ann, coach = await w.person(10), await w.person(20)
            assert (await coach.join(101, look="shoulder"))["you"]["over"] == 0
            await coach.sit(101, 1)
            assert "shoulder" not in coach.shown[101]["seats"][0]
            assert coach.shown[101]["you"]["seat"] == 1
            assert not w.hall.runner.tables[101].looks

    run(test())
