"""People at tables, over the wire alone: seats, moves, repeats, lost lines, links, watchers, talk."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.client import Person, Refused, Server, Table, chosen
from tests.hall.web.conftest import run, shared

from qipai import cli

pytestmark = pytest.mark.slow


@asynccontextmanager
async def people(hall: Server, count: int) -> AsyncIterator[list[Person]]:
    """Guests with open lines."""
    found = [Person(hall, seed=n) for n in range(count)]
    try:
        for person in found:
            await person.guest()
            await person.line()
        yield found
    finally:
        for person in found:
            await person.close()


@asynccontextmanager
async def board(hall: Server, **body: Any) -> AsyncIterator[list[Table]]:
    """A running game of xiangqi between two guests: the tables as red and black see them."""
    async with people(hall, 2) as (one, other):
        at = (await one.post("/tables", {"game": "xiangqi", **body}))["table"]
        for seat, person in enumerate((one, other)):
            await person.command("sit", table=at, seat=seat)
        for person in (one, other):
            await person.command("ready", table=at, on=True)
        tables = [one.tables[at], other.tables[at]]
        for table in tables:
            await table.until(lambda t: t.info["state"] == "playing")
        yield tables


async def refusal(table: Table, kind: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    with pytest.raises(Refused) as refused:
        await table.do(kind, **fields)
    return refused.value.code, refused.value.facts


def test_who_sits_sees_the_table_before_the_ack(hall: Server) -> None:
    async def visit() -> None:
        async with people(hall, 1) as (person,):
            at = (await person.post("/tables", {"game": "gouji"}))["table"]
            ack = await person.command("sit", table=at, seat=3)
            kinds = [json.loads(frame)["t"] for frame in person.traffic]
            assert kinds.index("snapshot") < kinds.index("ack")
            table = person.tables[at]
            assert (table.ch, table.seat, table.you["owner"]) == (f"{at}.3", 3, True)
            assert ack["seq"] == table.seq
            assert table.seats[3]["user"] == person.user
            fields = "table ch seq now you watchers info seats offers game view ask legal hints clocks late result"
            assert list(json.loads(person.traffic[kinds.index("snapshot")])) == ["t", *fields.split(), "chat", "missed"]

    run(visit)


def test_a_move_is_told_to_both_and_acknowledged_after_it(hall: Server) -> None:
    async def visit() -> None:
        async with board(hall) as (red, black):
            before = red.seq
            assert red.ask["kind"] == "play"
            assert black.ask is None
            move = red.legal["list"][0]
            ack = await red.act(move)
            assert ack["table"] == red.id
            assert ack["seq"] == red.seq == before + 1
            assert red.ask is None
            await black.until(lambda t: t.ask)
            told = [event for _, _, event in black.told if event["e"] == "moved"]
            assert [event["m"] for event in told] == [move["m"]]

    run(visit)


def test_what_may_not_be_done_is_refused_with_its_code(hall: Server) -> None:
    async def visit() -> None:
        async with board(hall) as (red, black), people(hall, 1) as (stranger,):
            assert await refusal(black, "act", action={"a": "move", "m": "h9g7"}) == ("not_your_turn", {})
            code, _ = await refusal(red, "act", action={"a": "move", "m": "b0a3"})
            assert code == "no_such_move" or code.islower()
            assert await refusal(red, "act", action={"a": "move", "m": "e0e1"}, ask=red.ask["id"] + 1) == ("STALE", {})
            assert (await refusal(red, "act", action={"a": "fly"}))[0] == "bad_action"
            assert await refusal(red, "act", action=None) == ("BAD_MESSAGE", {"field": "action"})
            assert (await refusal(red, "try", action={"a": "move", "m": "a0a9"}))[0].islower()
            await red.do("try", action={"a": "move", "m": "a0a1"})
            assert red.ask  # tried, not done
            assert await refusal(red, "ready", on=True) == ("GAME_RUNNING", {})
            assert await refusal(red, "sit", seat=1) == ("GAME_RUNNING", {})
            assert (await refusal(red, "fill", seat=1, level="easy"))[0] == "GAME_RUNNING"
            code, price = await refusal(red, "stand")
            assert (code, price.keys()) == ("CONFIRM_QUIT", {"score", "pass", "credibility", "coins"})  # type: ignore[comparison-overlap]
            for kind, fields in [
                ("act", {"action": {"a": "move", "m": "a0a1"}}),
                ("try", {"action": {"a": "resign"}}),
                ("stand", {}),
                ("ready", {"on": True}),
                ("back", {}),
                ("offer", {"what": "stop"}),
            ]:
                with pytest.raises(Refused, match="NOT_SEATED"):
                    await stranger.command(kind, table=red.id, **fields)  # type: ignore[arg-type]
            for seat in (0, 1):
                with pytest.raises(Refused, match=r"TABLE_FULL|SEAT_TAKEN"):
                    await stranger.command("sit", table=red.id, seat=seat)
            with pytest.raises(Refused, match="NO_SUCH_TABLE"):
                await stranger.command("act", table=10**12, action={})
            with pytest.raises(Refused, match="NO_SUCH_TABLE"):
                await stranger.join(10**12)
            before = (red.seq, black.seq)
            await red.person.settle()
            assert (red.seq, black.seq) == before  # all that changed nothing

    run(visit)


def test_a_repeated_cid_is_answered_and_not_carried_out_again(hall: Server) -> None:
    async def visit() -> None:
        async with board(hall) as (red, black):
            move = {"t": "act", "cid": "same-cid", "table": red.id, "action": red.legal["list"][0]}
            first = await red.person.answer_to(move)
            assert first["t"] == "ack"
            assert "again" not in first
            assert await red.person.answer_to(move) == {**first, "again": True}
            await black.until(lambda t: t.ask)
            seq = black.seq
            async with Person(hall, token=(await red.person.post("/guest", {"token": True}))["token"]) as twin:
                await twin.line()  # another socket of the same user
                assert (await twin.answer_to(move))["again"] is True
            other = {**move, "action": {"a": "move", "m": "h9g7"}}
            assert (await black.person.answer_to(other))["t"] == "ack"  # a cid is one user's
            assert black.seq == seq + 1
            refused = {"t": "act", "cid": "later", "table": red.id, "action": {"a": "move", "m": "zz"}}
            assert (await red.person.answer_to(refused))["t"] == "err"
            mended = {**refused, "action": red.legal["list"][0]}
            assert (await red.person.answer_to(mended))["t"] == "ack"  # a refused one is judged anew

    run(visit)


def test_all_sockets_of_a_user_hear_the_same(hall: Server) -> None:
    async def visit() -> None:
        async with board(hall) as (red, black):
            async with Person(hall, token=(await red.person.post("/guest", {"token": True}))["token"]) as twin:
                await twin.line()
                assert twin.welcome["tables"] == [red.id]
                second = await twin.join(red.id)
                assert (second.ch, second.seq, second.view) == (red.ch, red.seq, red.view)
                await second.act(second.legal["list"][0])
                await black.until(lambda t: t.ask)
                await black.act(black.legal["list"][0])
                await red.until(lambda t: t.ask)
                await second.until(lambda t: t.ask)
                assert (second.seq, second.view, second.legal) == (red.seq, red.view, red.legal)
            await red.person.settle()
            assert red.seats[0]["presence"] == "online"  # one line is left

    run(visit)


def test_a_lost_line_is_mended_and_nothing_is_missed(hall: Server) -> None:
    async def visit() -> None:
        async with board(hall) as (red, black):
            await red.act(red.legal["list"][0])
            await black.until(lambda t: t.ask)
            await red.person.cut()
            await black.until(lambda t: t.seats[0]["presence"] == "grace")
            assert black.seats[0]["until"] > black.now
            await black.act(black.legal["list"][0])
            waits = asyncio.create_task(red.act({"a": "move", "m": "i0i1"}))  # the queue of one
            await red.person.line()
            await red.until(lambda t: t.snapshots == 2)
            await waits
            await black.until(lambda t: t.seats[0]["presence"] == "online")
            told = {}
            for table in (red, black):
                await table.person.settle()
                told[table.seat] = [event for _, _, event in table.told if event["e"] in ("moved", "table.presence")]
            assert told[0] == told[1][-len(told[0]) :]
            assert [event["m"] for event in told[0] if event["e"] == "moved"][-1] == "i0i1"

    run(visit)


def test_a_private_table_opens_to_its_link_alone(hall: Server) -> None:
    async def visit() -> None:
        async with people(hall, 3) as (owner, friend, stranger):
            made = await owner.post("/tables", {"game": "xiangqi", "private": True})
            assert made["link"] == f"{hall.url}/t/{made['key']}"
            assert len(made["key"]) >= 22  # 128 bits
            at = made["table"]
            await owner.command("sit", table=at, seat=0)
            for key in (None, "x" * 22):
                with pytest.raises(Refused, match="TABLE_LOCKED"):
                    await stranger.join(at, key)
                stranger.tables.clear()
            with pytest.raises(Refused, match="TABLE_LOCKED"):
                await stranger.command("sit", table=at, seat=1)
            with pytest.raises(Refused, match="TABLE_LOCKED"):
                await stranger.get(f"/tables/{at}")
            assert (await friend.get(f"/link/{made['key']}")) == {"table": at, "game": "xiangqi"}
            assert (await friend.get(f"/tables/{at}", params={"key": made["key"]}))["table"] == at
            table = await friend.join(at, made["key"])
            await table.do("sit", seat=1)
            assert table.seat == 1
            room = await stranger.get("/rooms")
            shown = [await stranger.get(f"/rooms/{row['room']}") for row in room["rows"]]
            assert all(row["table"] != at for one in shown for row in one["tables"])

    run(visit)


def test_a_private_tables_link_is_renewed_by_its_owner(hall: Server) -> None:
    async def visit() -> None:
        async with people(hall, 3) as (owner, friend, stranger):
            made = await owner.post("/tables", {"game": "xiangqi", "private": True})
            at = made["table"]
            await owner.command("sit", table=at, seat=0)
            table = await friend.join(at, made["key"])
            with pytest.raises(Refused, match="NOT_ALLOWED"):
                await friend.post(f"/tables/{at}/link")
            fresh = await owner.post(f"/tables/{at}/link")
            assert fresh["link"] == f"{hall.url}/t/{fresh['key']}"
            assert fresh["key"] != made["key"]
            with pytest.raises(Refused, match="NO_SUCH_TABLE"):
                await stranger.get(f"/link/{made['key']}")
            with pytest.raises(Refused, match="TABLE_LOCKED"):
                await stranger.join(at, made["key"])
            stranger.tables.clear()
            assert (await stranger.get(f"/link/{fresh['key']}"))["table"] == at
            assert (await stranger.join(at, fresh["key"])).id == at
            with pytest.raises(Refused, match="TABLE_LOCKED"):  # who came in by the old one has not sat down
                await table.do("sit", seat=1)
            await table.do("sit", seat=1, key=fresh["key"])
            for person in (owner, friend):
                await person.command("ready", table=at, on=True)
            await table.until(lambda one: one.at["info"]["state"] == "playing")
            with pytest.raises(Refused, match="GAME_RUNNING"):
                await owner.post(f"/tables/{at}/link")
            public = await owner.post("/tables", {"game": "gouji"})
            with pytest.raises(Refused, match="NOT_ALLOWED"):
                await owner.post(f"/tables/{public['table']}/link")

    run(visit)


def test_a_table_that_nobody_sat_at_keeps_its_number(request: pytest.FixtureRequest, folder: Path) -> None:
    with shared(request, folder, "[bots]\nworkers = 0\n") as hall:

        async def visit() -> list[int]:
            async with people(hall, 1) as (owner,):
                return [(await owner.post("/tables", {"game": "xiangqi"}))["table"] for _ in range(2)]

        before: list[int] = asyncio.run(visit())
        hall.kill()
        hall.start()
        assert not {*before} & {*asyncio.run(visit())}


def test_watchers_see_the_board_and_are_counted(hall: Server) -> None:
    async def visit() -> None:
        async with board(hall) as (red, black), people(hall, 2) as (watcher, second):
            seen = await watcher.join(red.id)
            assert (seen.ch, seen.seat, seen.ask, seen.legal) == (f"{red.id}.w", None, None, None)
            assert seen.game["game_id"] == red.game["game_id"]
            await red.until(lambda t: t.watchers == 1)
            await second.join(red.id)
            await seen.until(lambda t: t.watchers == 2)
            await red.act(red.legal["list"][0])
            await seen.until(lambda t: t.told)
            assert seen.told[-1][2] == [event for _, _, event in red.told][-1]
            await second.say({"t": "leave", "table": red.id})
            await black.until(lambda t: t.watchers == 1)
            snapshot = await second.get(f"/tables/{red.id}")
            assert (snapshot["ch"], snapshot["view"]) == (seen.ch, seen.view)

    run(visit)


def test_talk_is_heard_by_those_it_is_for(hall: Server) -> None:
    async def visit() -> None:
        async with board(hall) as (red, black), people(hall, 1) as (watcher,):
            seen = await watcher.join(red.id)
            await red.person.command("say", to=f"table:{red.id}", text="将！")
            await seen.person.until(lambda: seen.chat)
            assert (seen.chat[-1]["text"], seen.chat[-1]["from"]) == ("将！", red.person.user)
            await watcher.command("say", to=f"watch:{red.id}", phrase="nice")
            await watcher.until(lambda: seen.chat[-1].get("phrase") == "nice")
            await black.person.settle()
            assert [line["to"] for line in black.chat] == [f"table:{red.id}"]
            for fields in ({"phrase": "abracadabra"}, {"text": "a", "phrase": "nice"}, {}):
                with pytest.raises(Refused, match="BAD_MESSAGE"):
                    await red.person.command("say", to=f"table:{red.id}", **fields)
            with pytest.raises(Refused, match="NOT_SEATED"):
                await watcher.command("say", to=f"table:{red.id}", text="let me in")
            for _ in range(4):
                await red.person.command("say", to=f"table:{red.id}", text="…")
            with pytest.raises(Refused, match="RATE_LIMIT"):
                await red.person.command("say", to=f"table:{red.id}", text="too much")

    run(visit)


def test_a_whole_game_of_xiangqi_by_programs_that_know_no_rule(hall: Server) -> None:
    async def visit() -> None:
        async with board(hall) as tables:
            luck = random.Random(3)
            await asyncio.gather(*(chosen(table, luck, lambda t: t.result) for table in tables))
            red, black = tables
            result = red.result
            assert result == black.result
            assert sum(result["points"]) == 0
            assert sorted(result["places"]) in ([1, 2], [1, 1])
            game = await red.person.get(f"/g/{red.game['game_id']}")
            assert game["result"] == result
            assert [seat["user"] for seat in game["seats"]] == [table.person.user for table in tables]
            moves = [event["m"] for _, _, event in red.told if event["e"] == "moved"]
            assert [row[1]["m"] for row in game["rows"] if row[1]["a"] == "move"] == moves
            assert "pgn" in game["formats"]
            answer = await red.person.http.get(f"/g/{game['game_id']}", params={"as": "pgn"})
            assert answer.headers["content-type"].startswith("text/plain")
            assert '[Game "Chinese Chess"]' in answer.text
            with pytest.raises(Refused, match="BAD_OPTION"):
                await red.person.get(f"/g/{game['game_id']}", params={"as": "sgf"})
            frames = (await red.person.get(f"/g/{game['game_id']}/steps"))["rows"]
            assert len(frames) == len(game["rows"]) + 1
            views: list[dict[str, Any]] = [{}, {}, {}]
            for frame in frames:
                views = [{**old, **new} for old, new in zip(views, frame["views"], strict=True)]
            assert views[0] == red.view
            # Another: seats are kept, the two change sides (P-25).
            for table in tables:
                await table.do("ready", on=True)
            await red.until(lambda t: t.game and t.game["game_id"] != game["game_id"] and t.info["state"] == "playing")
            await black.until(lambda t: t.info["state"] == "playing")
            assert (red.seat, black.seat) == (1, 0)

    run(visit)


def test_a_finished_game_is_hidden_before_its_end(hall: Server) -> None:
    async def visit() -> None:
        async with board(hall) as (red, _black):
            with pytest.raises(Refused, match="NOT_FOUND"):
                await red.person.get(f"/g/{red.game['game_id']}")
            with pytest.raises(Refused, match="NOT_FOUND"):
                await red.person.get(f"/g/{red.game['game_id']}/steps")

    run(visit)


def test_one_click_and_the_bots_sit_there(hall: Server) -> None:
    async def visit() -> None:
        async with people(hall, 1) as (person,):
            for level in ("easy", "steady", "strong"):
                made = await person.post("/play", {"game": "gouji", "level": level})
                table = await person.join(made["table"])
                await table.until(lambda t: t.info["state"] == "playing")
                assert table.seat == made["seat"]
                assert table.info["kind"] == "friendly"
                bots = [seat["bot"] for seat in table.seats if seat["user"] is None]
                assert bots == [level] * 5
                await table.do("stand", confirm=True)

    run(visit)


def test_a_moderator_sends_somebody_away_and_must_say_why(hall: Server) -> None:
    async def visit() -> None:
        async with people(hall, 2) as (red, black), Person(hall) as moderator:
            await moderator.register("Moderator1x")
            assert cli.main(["role", "moderator1X", "moderator", "--data", str(hall.data)]) == 0
            assert (await moderator.get("/me"))["role"] == "moderator"
            await moderator.line()
            at = (await red.post("/tables", {"game": "xiangqi"}))["table"]
            for seat, person in enumerate((red, black)):
                await person.command("sit", table=at, seat=seat)
            for person in (red, black):
                await person.command("ready", table=at, on=True)
            await red.tables[at].until(lambda t: t.info["state"] == "playing")
            assert await refusal(red.tables[at], "remove", seat=1) == ("GAME_RUNNING", {})
            with pytest.raises(Refused, match="BAD_MESSAGE"):
                await moderator.command("remove", table=at, seat=1)
            await moderator.command("remove", table=at, seat=1, why="abuse")
            await red.tables[at].until(lambda t: t.result)
            assert red.tables[at].result["points"][0] > 0
            with pytest.raises(Refused, match="NOT_ALLOWED"):
                await black.command("remove", table=at, seat=0, why="revenge")

    run(visit)


def test_a_guest_is_seen_under_the_name_he_chooses(hall: Server) -> None:
    async def visit() -> None:
        async with board(hall) as (red, black):
            answer = await red.person.post("/me/name", {"name": "听雨27"})
            assert answer["user"]["name"] == "听雨27"
            await black.until(lambda t: t.seats[0]["user"]["name"] == "听雨27")
            with pytest.raises(Refused, match="NAME_TAKEN"):
                await black.person.post("/me/name", {"name": "听雨27"})

    run(visit)


def test_who_is_made_a_friend_is_told(hall: Server) -> None:
    async def visit() -> None:
        async with Person(hall) as one, Person(hall) as other:
            await one.register("friend-one")
            me = (await other.register("friend-two")).user
            await other.line()
            assert me is not None
            await one.post("/friends", {"user": me["id"]})
            await other.until(lambda: any(note.get("kind") == "friend" for note in other.other))
            (note,) = [note for note in other.other if note.get("kind") == "friend"]
            assert note["facts"] == {"from": "friend-one"}

    run(visit)
