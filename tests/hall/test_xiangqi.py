"""Xiangqi in the hall: colours, clocks, draw offers, takeback, leaving."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.world import Person, World, run, world

from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands

BLITZ = {"type": "stages", "stages": [{"s": 60, "moves": 0}], "carry": True}
ROOMS = (
    Room(1, "xiangqi", "friendly"),
    Room(2, "xiangqi", "score", clock=BLITZ),
    Room(3, "xiangqi", "friendly", options={"takeback": "ask"}),
    Room(4, "xiangqi", "score", clock={"type": "fischer", "base": 60, "inc": 5}),
    Room(5, "xiangqi", "friendly", clock={"type": "none"}),
)
# The cannon takes the centre pawn, the other mates: h2e2 … is the shortest help mate.
MATE = ["h2e2", "b9c7", "e2e6", "h9g7", "b2e2", "a9a8", "e6e4", "a8a9", "h0g2"]


async def two(w: World, table: int, first: int = 0) -> list[Person]:
    """Seat two people, one first, and begin; return red and black."""
    people = [await w.person(20), await w.person(21)]
    await people[0].sit(table, first)
    await people[1].sit(table, 1 - first)
    for person in people:
        await person.ready(table)
    assert people[0].shown[table]["info"]["state"] == "playing"
    return people


async def move(person: Person, table: int, text: str) -> Any:
    return await person.act(table, {"a": "move", "m": text}, person.shown[table]["ask"]["id"])


async def opening(red: Person, black: Person, table: int) -> None:
    """Make two moves each, so that the game counts as one."""
    for who, text in ((red, "h2e2"), (black, "h9g7"), (red, "h0g2"), (black, "b9c7")):
        await move(who, table, text)


@pytest.mark.parametrize("first", [0, 1])
def test_who_sat_first_plays_red_and_a_rematch_swaps(tmp_path: Path, first: int) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 101, first)
            assert ann.shown[101]["you"]["seat"] == 0
            assert bob.shown[101]["you"]["seat"] == 1
            assert ann.shown[101]["game"]["commitment"] is None
            await ann.act(101, {"a": "resign"})
            assert bob.shown[101]["result"]["points"] == [-2, 2]
            assert bob.shown[101]["result"]["why"] == "resign"
            await ann.ready(101)
            await bob.ready(101)
            assert ann.shown[101]["you"]["seat"] == 1
            assert bob.shown[101]["you"]["seat"] == 0
            assert bob.shown[101]["ask"]["kind"] == "play"

    run(test())


def test_a_move_is_told_to_both_and_a_watcher_with_one_ev_each(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 101)
            eve = await w.stranger()
            await eve.join(101)
            assert eve.shown[101]["you"] == {"seat": None, "owner": False}
            assert ann.of("count")[-1]["watchers"] == 1
            before = len(eve.got)
            ack = await move(ann, 101, "h2e2")
            assert ack["seq"] == ann.shown[101]["seq"]
            (told,) = [m for m in eve.got[before:] if m["t"] == "ev"]
            assert told["ch"] == "101.w"
            assert "info" not in told
            assert "seats" not in told
            assert told["told"][0]["e"] == "moved"
            assert bob.shown[101]["ask"]["kind"] == "play"
            assert ann.shown[101]["ask"] is None
            assert await ann.refused(commands.Act("x1", 101, {"a": "move", "m": "e2e6"}, 1)) == "STALE"
            assert await ann.refused(commands.Act("x2", 101, {"a": "move", "m": "e2e6"})) == "not_your_turn"
            assert await bob.refused(commands.Act("x3", 101, {"a": "move", "m": "a9a1"}, 1)) == "path_blocked"
            assert await eve.refused(commands.Act("x4", 101, {"a": "resign"})) == "SIGN_IN"

    run(test())


def test_only_the_side_on_turn_spends_time_and_its_flag_falls(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 201)
            await opening(ann, bob, 201)
            await w.jump(20_000)
            await move(ann, 201, "i0i1")
            assert ann.shown[201]["clocks"]["left"] == [40_000, 60_000]
            assert ann.shown[201]["clocks"]["run"] == [1]
            await w.jump(60_000)  # exactly the limit is in time
            assert ann.shown[201]["info"]["state"] == "playing"
            await w.jump(1)
            assert ann.shown[201]["result"]["why"] == "timeout"
            assert [p["score"] for p in ann.shown[201]["result"]["paid"]] == [2, -2]
            page = await w.hall.archive.finished(ann.shown[201]["game"]["game_id"])
            assert page["rows"][-1][:2] == [-1, {"a": "flag_fall", "seat": 1}]
            assert bob.user is not None
            assert (await w.hall.ledger.credibility(bob.user.id)) == 100

    run(test())


def test_an_offered_draw_neither_stops_a_clock_nor_adds_to_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 401)
            await w.jump(10_000)
            ask = ann.shown[401]["ask"]
            assert ann.shown[401]["legal"]["leaving"] == [{"a": "offer_draw"}, {"a": "resign"}]
            assert {one["a"] for one in ann.shown[401]["legal"]["list"]} == {"move"}
            assert bob.shown[401]["legal"] == {"list": [], "more": False, "leaving": [{"a": "resign"}]}
            await ann.act(401, {"a": "offer_draw"}, ask["id"])
            assert ann.shown[401]["ask"] == ask
            assert [one["a"] for one in bob.shown[401]["legal"]["list"]] == ["accept_draw", "decline_draw"]
            assert bob.shown[401]["ask"]["kind"] == "answer"
            assert bob.shown[401]["ask"]["until"] is None
            assert bob.shown[401]["clocks"]["run"] == [0]
            await w.jump(5_000)
            await move(ann, 401, "h2e2")
            assert ann.shown[401]["clocks"]["left"] == [50_000, 60_000]  # 60 - 15 + 5
            await bob.act(401, {"a": "accept_draw"})
            assert ann.shown[401]["result"]["points"] == [0, 0]

    run(test())


def test_a_slow_line_gets_its_way_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 201)
            w.hall.attendance.lag(ann.session, 300)
            await w.jump(10_000)
            await move(ann, 201, "h2e2")
            assert bob.shown[201]["clocks"]["left"][0] == 50_300
            w.hall.attendance.lag(bob.session, 9_000)
            await w.jump(60_400)
            assert bob.shown[201]["info"]["state"] == "playing"  # half a second is given back, not more
            await w.jump(101)
            assert bob.shown[201]["result"]["why"] == "timeout"

    run(test())


def test_takeback_asks_the_other_and_cuts_the_game_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 301)
            await move(ann, 301, "h2e2")
            await move(bob, 301, "b9c7")
            await ann.done(commands.Offer("o1", 301, "takeback"))
            (offer,) = bob.shown[301]["offers"]
            assert (offer["what"], offer["seat"]) == ("takeback", 0)
            assert await bob.refused(commands.Offer("o2", 301, "takeback")) == "OFFER_OPEN"
            await bob.done(commands.Answer("a1", 301, offer["offer"], True))
            assert ann.shown[301]["offers"] == []
            assert ann.shown[301]["view"]["plies"] == []
            assert ann.shown[301]["ask"]["kind"] == "play"
            assert ann.told(301)[-1] == {"e": "game.undone", "to": 1}
            await move(ann, 301, "b2e2")
            await bob.done(commands.Offer("o3", 301, "stop"))
            number = ann.shown[301]["offers"][0]["offer"]
            await ann.done(commands.Answer("a2", 301, number, True))
            assert ann.shown[301]["result"]["why"] == "stopped"
            game = ann.shown[301]["game"]["game_id"]
            page = await w.hall.archive.finished(game)
            assert [row[1]["m"] for row in page["rows"]] == ["b2e2"]
            assert await w.hall.archive.verify(game) is None

    run(test())


def test_an_offer_falls_with_a_no_an_act_or_a_minute(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 301)
            await move(ann, 301, "h2e2")
            await ann.done(commands.Offer("o1", 301, "takeback"))
            await bob.done(commands.Answer("a1", 301, 1, False))
            assert ann.shown[301]["offers"] == []
            assert await bob.refused(commands.Answer("a2", 301, 1, True)) == "OFFER_GONE"
            await move(bob, 301, "b9c7")
            await ann.done(commands.Offer("o2", 301, "takeback"))
            await move(ann, 301, "b2b4")
            assert bob.shown[301]["offers"] == []
            await ann.done(commands.Offer("o3", 301, "takeback"))
            await w.jump(59_999)
            assert bob.shown[301]["offers"] != []
            await w.jump(1)
            assert bob.shown[301]["offers"] == []
            assert await bob.refused(commands.Answer("a4", 301, 3, True)) == "OFFER_GONE"

    run(test())


def test_a_bot_grants_a_takeback(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(22)
            assert ann.user is not None
            table, _seat = await w.hall.creation.play(ann.user, "xiangqi", level="easy", options={"takeback": "ask"})
            await ann.join(table)
            await w.rest()
            await move(ann, table, "h2e2")
            await w.jump(5000)
            assert len(ann.shown[table]["view"]["plies"]) == 2
            await ann.done(commands.Offer("o1", table, "takeback"))
            assert ann.shown[table]["view"]["plies"] == []
            assert {"e": "table.answered", "offer": 1, "seat": None, "yes": True} in ann.told(table)

    run(test())


def test_takeback_is_for_friendly_rooms_that_have_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, _bob = await two(w, 101)
            await move(ann, 101, "h2e2")
            assert await ann.refused(commands.Offer("o1", 101, "takeback")) == "NOT_ALLOWED"

    run(test())


def test_quitting_names_its_price_and_gives_the_other_the_game(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 201)
            answer = await ann.say(commands.Stand("s1", 201))
            assert answer["code"] == "CONFIRM_QUIT"
            assert answer["facts"] == {"score": -2, "pass": None, "credibility": -5, "coins": 0}
            await ann.done(commands.Stand("s2", 201, confirm=True))
            assert bob.shown[201]["result"]["why"] == "abandon"
            assert bob.shown[201]["result"]["points"] == [-2, 2]
            assert bob.shown[201]["result"]["paid"][0]["credibility"] == -5
            assert ann.shown[201]["you"]["seat"] is None
            assert bob.shown[201]["seats"][0]["user"] is None
            assert ann.user is not None
            assert (await w.hall.ledger.credibility(ann.user.id)) == 95
            assert (await w.hall.ledger.standing(ann.user.id, "xiangqi"))[0].lost == 1

    run(test())


def test_a_lost_line_ends_a_board_game_when_its_grace_is_over(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 401)
            await opening(ann, bob, 401)
            await ann.hang_up()
            assert bob.shown[401]["seats"][0]["presence"] == "grace"
            assert bob.shown[401]["seats"][0]["until"] == w.clock.time + 60_000
            again = await w.person(20)
            assert bob.shown[401]["seats"][0]["presence"] == "online"
            await again.join(401)
            await move(again, 401, "i0i1")
            await bob.hang_up()
            await w.jump(59_000)
            assert again.shown[401]["info"]["state"] == "playing"
            await w.jump(2_000)
            # The clock had run out a moment before the grace: either way the game is lost for who is away.
            assert again.shown[401]["result"]["points"] == [2, -2]
            paid = again.shown[401]["result"]["paid"]
            assert (paid[0]["score"], paid[1]["score"]) == (2, -2)

    run(test())


def test_still_away_at_the_end_costs_what_a_disconnect_costs(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "xiangqi", "score", clock={"type": "none"})) as w:
            ann, bob = await two(w, 101)
            await bob.hang_up()
            await w.jump(60_000)
            assert ann.shown[101]["result"]["why"] == "abandon"
            paid = ann.shown[101]["result"]["paid"]
            assert (paid[1]["score"], paid[1]["credibility"]) == (-2, -2)
            assert ann.shown[101]["seats"][1]["user"] is None  # nobody is there
            assert (await w.hall.ledger.credibility(21)) == 98

    run(test())


def test_a_finished_game_is_given_in_the_worlds_notations(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await two(w, 101)
            game = ann.shown[101]["game"]["game_id"]
            await move(ann, 101, "h2e2")
            from qipai.hall.table.errors import HallError

            with pytest.raises(HallError, match="NOT_FOUND"):
                await w.hall.archive.finished(game)
            await bob.act(101, {"a": "resign"})
            assert "炮二平五" in await w.hall.archive.finished(game, "pgn")
            with pytest.raises(HallError, match="BAD_OPTION"):
                await w.hall.archive.finished(game, "braille")

    run(test())


def test_a_person_plays_the_bot_to_the_end(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(20, kind="guest")
            table, seat = await w.hall.creation.play(ann.user, "xiangqi", level="easy", options={"move_limit": 6})
            await ann.join(table)
            assert seat == 0
            for _ in range(20):
                shown = ann.shown[table]
                if shown["info"]["state"] != "playing":
                    break
                await ann.act(table, shown["legal"]["list"][0], shown["ask"]["id"])
            assert ann.shown[table]["info"]["state"] == "between"
            assert ann.shown[table]["info"]["options"] == {"move_limit": 6}
            await ann.ready(table)
            assert ann.shown[table]["you"]["seat"] == 1  # colours change in a rematch

    run(test())


def test_a_bot_that_was_too_late_bears_a_mark_until_the_next_game(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann = await w.person(20, kind="guest")
            table, _ = await w.hall.creation.play(ann.user, "xiangqi", level="strong")
            await ann.join(table)

            async def move() -> None:
                await ann.act(table, ann.shown[table]["legal"]["list"][0], ann.shown[table]["ask"]["id"])
                await w.jump(2000)

            await move()
            assert all("below" not in seat for seat in ann.shown[table]["seats"])
            w.thinker.below = True
            await move()
            await move()
            assert [seat.get("below") for seat in ann.shown[table]["seats"]] == [None, True]
            w.thinker.below = False
            fresh = await w.person(21)
            await fresh.join(table)  # what is shown comes out of the log as well
            assert fresh.shown[table]["seats"][1]["below"] is True
            await ann.act(table, {"a": "resign"})
            await ann.ready(table)
            assert all("below" not in seat for seat in ann.shown[table]["seats"])

    run(test())
