"""What a moderator takes away: a line of talk, and a whole table (P-58, P-95)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_counts import SCORE, begin, give, of_books, pair
from tests.hall.world import Person, World, run, world

from qipai.hall.records.rebuild import rebuild
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Terms

FRIENDLY = Room(4, "xiangqi", "friendly")


async def say(person: Person, to: str, text: str) -> int:
    """Say a line and return its number."""
    await person.done(commands.Say(person.cid(), to, text=text))
    return int(person.of("chat")[-1]["id"])


async def remove(w: World, id: int, reason: str = "bad words", **more: Any) -> None:
    line = await w.hall.talk.said.line(id)
    assert line is not None
    await w.hall.talk.remove(line, reason, by=9, **more)


def in_view(person: Person) -> list[int]:
    """Return the lines that somebody has, as a client reckons."""
    seen: dict[int, Any] = {}
    for line in person.of("chat"):
        if line.get("removed"):
            assert "text" not in line
            assert line["from"] is None
            seen.pop(line["id"], None)
        else:
            seen[line["id"]] = line
    return list(seen)


def test_a_removed_line_vanishes_for_everybody_who_has_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            ann, bob = await pair(w, 301, 20, 21)
            eve = await w.person(22)
            stranger = await w.stranger()
            for person in (ann, bob, eve):
                await person.say(commands.Enter(3))
            for person in (eve, stranger):
                await person.join(301)
            room = await say(bob, "room:3", "in the room")
            table = await say(bob, "table:301", "at the table")
            watch = await say(eve, "watch:301", "among watchers")
            kept = await say(ann, "table:301", "stays")
            await w.hall.ties.block(22, 21, 0)  # who has blocked somebody later still has his line
            for id in (room, table, watch):
                await remove(w, id)
            assert [in_view(who) for who in (ann, bob, eve, stranger)] == [[kept]] * 4
            note = bob.of("note")[-1]
            assert note["facts"] == {"what": "remove", "reason": "bad words", "until": None, "ref": f"line:{table}"}
            with pytest.raises(HallError, match="NOT_FOUND"):
                await remove(w, room, "once more")
            rulings = await w.hall.order.rulings(21, None, 9)
            assert [(each.what, each.reason) for each in rulings] == [("remove", "bad words")] * 2
            late = await w.person(23)
            await late.join(301)
            assert [line["id"] for line in late.of("snapshot")[-1]["chat"]] == [kept]
            assert await w.hall.order.appeal(21, rulings[0].id, "it was a joke", 0) is not None

    run(test())


def test_a_removed_line_stays_away_and_moderators_still_see_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            ann, bob = await pair(w, 301, 20, 21)
            await ann.say(commands.Enter(3))
            await bob.say(commands.Enter(3))
            id = await say(bob, "room:3", "words")
            report = await w.hall.order.report(20, "abuse", 21, f"line:{id}", "he said words", 0)
            await remove(w, id, report=report, cid="once")
            found = await w.hall.order.of(report)
            assert found is not None
            assert (found.state, found.moderator, found.answer) == ("done", 9, "bad words")
            (line,) = (await w.hall.report_contexts.around(found)).lines
            assert (line.text, line.removed) == ("words", True)
            act = (await w.hall.order.audit(None, 9))[0]
            assert (act.actor, act.data["what"], act.data["ref"]) == (9, "remove", f"line:{id}")
            assert "words" not in str({**act.data, "reason": ""})  # what was said can be erased, the log cannot
            talk = w.hall.talk
            for place in ("room:3", "table:301"):  # as after a restart: from the books
                talk.said.close(place)
                await talk.said.open(place)
                assert talk.said.lines(place) == []
            before = await w.store.read(lambda db: db.execute("SELECT * FROM chat").fetchall())
            await rebuild(w.store)
            assert await w.store.read(lambda db: db.execute("SELECT * FROM chat").fetchall()) == before
            ruling = (await w.hall.order.rulings(21, None, 1))[0]
            number = await w.hall.order.appeal(21, ruling.id, "it was a joke", 0)
            assert number is not None
            appeal = await w.hall.order.of(number)
            assert appeal is not None
            assert [each.text for each in (await w.hall.report_contexts.around(appeal)).lines] == ["words"]

    run(test())


def closings(person: Person) -> list[Any]:
    told = [one for ev in person.of("ev") for one in ev["told"]]
    return [(one["why"], one["reason"]) for one in told if one["e"] == "table.closed"]


def test_a_moderator_closes_a_table_and_nobody_pays(tmp_path: Path) -> None:
    async def test() -> None:
        room = Room(2, "shengji", "coin", terms=Terms(factor=10, fee=2), options={"decks": 1})
        async with world(tmp_path, room) as w:
            ids = (20, 21, 22, 23)
            for user in ids:
                await give(w, user, 100)
            people = await pair(w, 201, *ids)
            for person in people:
                await person.seed(201, "x")
            eve = await w.person(9)
            await eve.join(201)
            books = await of_books(w)
            await people[3].done(commands.Stand(people[3].cid(), 201, confirm=True))  # a bot plays on for him
            await people[2].hang_up()
            assert [chair.presence for chair in w.table(201).players] == ["online", "online", "grace", "left"]
            with pytest.raises(HallError, match="NO_SUCH_TABLE"):
                await w.hall.creation.shut(999, "no such", 9)
            await w.hall.creation.shut(201, "a bet on the game", 9)
            await w.rest()
            assert closings(eve) == [("moderator", "a bet on the game")]
            because = {"reason": "a bet on the game"}
            for person in people[:2]:
                note = person.of("note")[-1]
                assert (note["kind"], note["facts"]) == ("stood", {"table": 201, "why": "moderator", **because})
            assert [(await w.hall.ledger.wallet(user)).coins for user in ids] == [100] * 4
            assert [await w.hall.ledger.credibility(user) for user in ids] == [100] * 4
            assert (await of_books(w))["transfers"] == books["transfers"]
            assert not any(chair.taken for chair in w.table(201).chairs)
            act = (await w.hall.order.audit(None, 1))[0]
            assert (act.actor, act.data["what"], act.data["ref"]) == (9, "close", "table:201")
            books = await of_books(w)
            await rebuild(w.store)
            assert await of_books(w) == books
            people = [people[0], people[1], await w.person(24), await w.person(25)]
            for user in (24, 25):
                await give(w, user, 100)
            for seat, person in enumerate(people):  # a room's own table is there again
                await person.sit(201, seat)
            await begin(w, people, 201)
            assert w.table(201).coming is not None or w.table(201).playing

    run(test())


def test_a_table_that_somebody_has_made_is_closed_for_good(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, FRIENDLY) as w:
            ann, eve = await w.person(20), await w.person(22)
            assert ann.user is not None
            table, _ = await w.hall.creation.play(ann.user, "xiangqi", level="easy")
            await ann.join(table)
            await eve.join(table)
            await w.rest()
            assert w.table(table).playing
            await w.hall.creation.shut(table, "its name", 9)
            await w.rest()
            assert eve.shown[table]["result"]["why"] == "closed"
            assert closings(eve) == [("moderator", "its name")]
            assert w.table(table).state == "closed"
            with pytest.raises(HallError, match="NO_SUCH_TABLE"):
                await w.hall.creation.shut(table, "once more", 9)
            assert w.hall.people.seated(20) == ()

    run(test())
