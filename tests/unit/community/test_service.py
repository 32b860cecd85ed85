"""The community as a whole: who leaves it writes nothing more, what moderators take away is gone once it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import json
from tests.unit.community.test_common import Place

from qipai.community.common import Kept
from qipai.community.notices.service import put
from qipai.hall.hall import script as hall_tables
from qipai.hall.table.errors import HallError


async def rows(place: Place, sql: str) -> list[tuple[Any, ...]]:
    return await place.store.read(lambda db: db.execute(sql).fetchall())


@pytest.mark.asyncio
async def test_who_leaves_writes_nothing_more(tmp_path: Path) -> None:
    place = Place(tmp_path)
    await place.open()
    await place.furnish()
    here, one, two = place.here, place.one, place.two
    await here.clubs.write(one, 1, "News", "of mine", None)
    await here.clubs.rewrite(one, 1, "club", "We are", closed=False)
    await here.clubs.join(two, 1)
    under_way: list[HallError] = []

    class Late:
        """A feature that is erased while somebody's call is still under way."""

        async def erase(self, user: int) -> None:
            insert = "INSERT INTO tips (at, author, zh, en, state) VALUES (1, 1, '', 'late', 'waiting')"
            with pytest.raises(HallError) as wrong:
                await here.common.once(Kept("tips"), user, "c", lambda db: int(db.execute(insert).lastrowid))
            under_way.append(wrong.value)
            if len(under_way) == 1:
                raise OSError("no more room")

    late: Any = Late()
    here.features = (*here.features, late)
    with pytest.raises(OSError, match="room"):
        await here.erase(1)
    here.common.may_write(one)  # it has failed: they are still there
    await here.erase(1)
    assert [wrong.code for wrong in under_way] == ["SIGN_IN", "SIGN_IN"]
    with pytest.raises(HallError, match="SIGN_IN"):
        here.common.may_write(one)
    assert await rows(place, "SELECT en FROM tips") == []
    # Of a club its name stays, by which others know it; what was said in it goes.
    assert await rows(place, "SELECT name, text, author, founder FROM clubs") == [("club", "", None, None)]
    assert await rows(place, "SELECT id FROM club_news") == []
    assert here.clubs.rank_of(2, 1) == "boss"
    await place.close()


@pytest.mark.asyncio
async def test_what_waits_for_a_device_names_nobody_who_has_left(tmp_path: Path) -> None:
    place = Place(tmp_path)
    await place.open()
    sql = "INSERT INTO push_queue (device, kind, path, facts, topic, at, next_at) VALUES (1, 'mail', '/', ?, ?, 1, 1)"
    for name in ("p1", "p2"):
        facts = json.encode({"from": name}).decode()
        await place.store.transaction(lambda db, row=(facts, name): db.execute(sql, row).rowcount)  # type: ignore[misc]
        await place.store.transaction(lambda db, name=name: put(db, 3, "mail", "/", {"from": name}, 1))  # type: ignore[misc]
    await place.here.erase(1)
    assert await rows(place, "SELECT topic FROM push_queue") == [("p2",)]
    assert [one.facts["from"] for one in await place.here.notices.of(3, None, 9)] == ["p2"]
    await place.close()


@pytest.mark.asyncio
async def test_memory_changes_when_a_removal_is_on_the_disk(tmp_path: Path) -> None:
    place = Place(tmp_path)
    await place.open()
    await place.furnish()
    here, one = place.here, place.one
    await here.clubs.teams.make(one, 1, "xiangqi", "First", None)
    await here.tips.write(one, "", "a tip", None, admin=True)
    order = here._order
    acted = order.acted

    def full(*_: Any) -> None:
        raise OSError("no more room")

    for broken in (True, False):
        order.acted = full if broken else acted
        for ref in ("club:1", "club_team:1", "tip:1"):
            if broken:
                with pytest.raises(OSError, match="room"):
                    await here.remove(ref, "bad", by=2, now=1)
            else:
                await here.remove(ref, "bad", by=2, now=1)
        club = here.clubs.find(1)
        found = (club.name, club.teams[1].name, len(here.tips.taken()))
        assert found == (("club", "First", 1) if broken else ("#1", "#1", 0))
    await place.close()


@pytest.mark.asyncio
async def test_a_program_leads_no_club(tmp_path: Path) -> None:
    place = Place(tmp_path)
    await place.open()
    await place.furnish()
    clubs, names = place.here.clubs, place.here.common.accounts
    for user in (place.two, place.three):
        await clubs.join(user, 1)
    assert (clubs.leads(1), clubs.leads(2)) == (True, False)
    real: Any = names
    real.add(2, "p2", "bot")  # since then
    with pytest.raises(HallError, match="NOT_ALLOWED"):
        await clubs.set_rank(place.one, 1, 2, "boss")
    await place.here.erase(1)
    assert [clubs.rank_of(user, 1) for user in (2, 3)] == ["member", "boss"]
    await place.close()


@pytest.mark.asyncio
async def test_an_interview_tells_of_itself_to_nobody_else_and_picks_once(tmp_path: Path) -> None:
    place = Place(tmp_path)
    await place.open()
    one, two, three = place.one, place.two, place.three
    of = place.here.interviews
    id = await of.begin(one, two, "title", "text", "en", moderator=True)
    for what in (
        of.reply(three, id, yes=True),
        of.answer(three, id, 1, "so"),
        of.end(three, id, moderator=False),
        of.reply(three, 99, yes=True),
    ):
        with pytest.raises(HallError, match="NOT_FOUND"):
            await what
    await of.reply(two, id, yes=True)
    with pytest.raises(HallError, match="NOT_FOR_YOU"):
        await of.reply(three, id, yes=True)
    asked = [await of.ask(three, id, "why?", moderator=False) for _ in range(2)]
    for picked in (asked[:1], [], asked):
        await of.pick(one, id, picked, moderator=True)
    assert [each.kind for each in await place.here.notices.of(2, None, 9)] == ["interview_picked", "interview_asked"]
    await place.close()


@pytest.mark.asyncio
async def test_pieces_of_a_review_are_seen_by_who_may_see_its_game(tmp_path: Path) -> None:
    place = Place(tmp_path, hall_tables())
    await place.open()
    here, one, two = place.here, place.one, place.two
    key = await here.reviews.begin(one, "game", 3, None)
    await here.reviews.say(key, one, "Look", 0, 3, None)
    line, _ = await here.reviews.add(key, one, 0, 3, 9, [(0, {"a": "x"})])
    refs = ("review_talk:1", f"review_line:{line}")

    async def seen(user: int) -> list[str | None]:
        found = [await here.seen(ref, user) for ref in refs]
        return [None if each is None else each.text for each in found]

    assert await seen(2) == ["Look", None]
    await here.reviews.name(key, one, line, "better")
    assert await seen(2) == ["Look", "better"]
    for sql in (
        "INSERT INTO boards (id, key, commitment, opened) VALUES ('b', 'k', 'c', 0)",
        "INSERT INTO games (id, tbl, game, begun_at, board) VALUES ('game', 1, 'shengji', 1, 'b')",
    ):
        await place.store.transaction(lambda db, sql=sql: db.execute(sql).rowcount)  # type: ignore[misc]
    assert await seen(2) == [None, None]  # a closed shared deal
    assert await here.found(refs[0]) is not None  # moderators see what was reported
    await place.store.transaction(lambda db: db.execute("UPDATE boards SET opened = 1").rowcount)
    await here.common.ties.block(two.id, one.id, 1)
    assert await seen(2) == [None, "better"]
    await place.close()
