"""Conditional and prepared moves (platform P-113): kept by the hall, played in one's name, known to nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_backgammon import asked, first_choice
from tests.hall.test_backgammon import two as at_backgammon
from tests.hall.test_days import ROOMS, asleep, begun, later, move
from tests.hall.test_doudizhu import three
from tests.hall.test_snatch import dealt, frames_of
from tests.hall.test_windows import EVEN, FREE, HELD
from tests.hall.test_xiangqi import two
from tests.hall.world import Jumping, Names, Person, World, run, world

from qipai.hall.records.rebuild import rebuild
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands

LINES = [["h9g7", "h0g2", "i9h9", "i0h0"], ["b9c7", "b0c2"]]
LIVE = Room(1, "xiangqi", "friendly", options={"takeback": "ask"})


def prepare(person: Person, table: int, *texts: list[str]) -> commands.Prepare:
    """Return the command that prepares lines of xiangqi moves."""
    return commands.Prepare(person.cid(), table, tuple(tuple(move(text) for text in line) for line in texts))


def kept(person: Person, table: int) -> list[list[str]]:
    """Return the lines that a client would show."""
    return [[action["m"] for action in line] for line in person.shown[table]["you"].get("prepared", [])]


def played(person: Person, table: int) -> list[str]:
    return [ply["m"] for ply in person.shown[table]["view"]["plies"]]


async def open_up(w: World, ann: Person, bob: Person, table: int) -> Person:
    """Let both players and a watcher come, and Ann play the first move; return the watcher."""
    eve = await w.person(22)
    for person in (ann, bob, eve):
        await person.join(table)
    await ann.act(table, move("h2e2"))
    return eve


# By days: conditions.


def test_lines_are_played_one_by_one_and_outlive_a_kill(tmp_path: Path) -> None:
    clock, names = Jumping(), Names()

    async def test() -> None:
        async with begun(tmp_path, clock, names) as (w, ann, bob, table):
            await open_up(w, ann, bob, table)
            await ann.done(prepare(ann, table, *LINES))
            assert kept(ann, table) == LINES
            await w.kill()
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            await later(w, 86_400_000)
            bob, ann = await w.person(21), await w.person(20)  # she is in the hall, and looks elsewhere
            await bob.join(table)
            await bob.act(table, move("h9g7"))
            assert played(bob, table) == ["h2e2", "h9g7", "h0g2"]
            assert [note for note in ann.of("note") if note["kind"] == "turn"] == []
            await asleep(w, table, bob, ann)
            await w.kill()
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            ann, bob = await w.person(20), await w.person(21)
            await ann.join(table)
            await bob.join(table)
            assert kept(ann, table) == [["i9h9", "i0h0"]]
            await bob.act(table, move("i9h9"))
            assert played(bob, table)[-2:] == ["i9h9", "i0h0"]
            assert "prepared" not in ann.shown[table]["you"]
            await ann.act(table, {"a": "resign"})
            game_id = bob.shown[table]["game"]["game_id"]
            assert await w.hall.archive.verify(game_id) is None
            found = await w.hall.archive.finished(game_id)
            assert [row[3:] for row in found["rows"]] == [[]] * 6  # nor does the replay tell how it was played
            await rebuild(w.store)

    run(test())


def test_nobody_else_can_know_that_there_are_any(tmp_path: Path) -> None:
    async def traffic(folder: Path, *, prepared: bool) -> list[bytes]:
        folder.mkdir()
        async with begun(folder) as (w, ann, bob, table):
            eve = await open_up(w, ann, bob, table)
            starts = len(bob.raw), len(eve.raw)
            if prepared:
                await ann.done(prepare(ann, table, *LINES))
                await ann.done(prepare(ann, table, *LINES[:1]))
                assert await ann.refused(prepare(ann, table, ["h9g7", "h0g9"])) == "bad_shape"
            await w.jump(60_000)
            assert (len(bob.raw), len(eve.raw)) == starts
            await bob.act(table, move("h9g7"))
            if not prepared:
                await ann.act(table, move("h0g2"))
            await bob.act(table, move("c6c5"))  # this no line expects
            assert kept(ann, table) == []
            await bob.join(table, ch=bob.shown[table]["ch"], after=1)
            data = await w.store.read(lambda db: db.execute("SELECT data FROM events").fetchall())
            assert not any("prepared" in text or "standing" in text for (text,) in data)
            # Only his `ack` tells that the answer was there at once: it comes behind both.
            sent = [*bob.raw[starts[0] :], *eve.raw[starts[1] :]]
            return [each for each in sent if not each.startswith(b'{"t":"ack"')]

    async def test() -> None:
        assert await traffic(tmp_path / "with", prepared=True) == await traffic(tmp_path / "without", prepared=False)

    run(test())


def test_a_move_taken_back_and_a_game_that_ends_clear_what_was_prepared(tmp_path: Path) -> None:
    async def test() -> None:
        async with begun(tmp_path, options={"takeback": "ask"}) as (w, ann, bob, table):
            await open_up(w, ann, bob, table)
            await ann.done(prepare(ann, table, *LINES))
            await ann.done(commands.Offer("o1", table, "takeback"))
            await bob.done(commands.Answer("a1", table, ann.shown[table]["offers"][0]["offer"], True))
            assert (kept(ann, table), played(ann, table)) == ([], [])
            await ann.act(table, move("h2e2"))
            await ann.done(prepare(ann, table, *LINES))
            # An offer is no move: nothing that was prepared is dropped for it, nor for its refusal.
            await bob.act(table, {"a": "offer_draw"})
            await ann.act(table, {"a": "decline_draw"})
            assert kept(ann, table) == LINES
            await bob.act(table, {"a": "resign"})
            assert "prepared" not in ann.shown[table]["you"]

    run(test())


def test_what_cannot_be_prepared_is_refused_with_its_reason(tmp_path: Path) -> None:
    async def test() -> None:
        async with begun(tmp_path) as (w, ann, bob, table):
            eve = await open_up(w, ann, bob, table)

            async def why(who: Person, *texts: list[Any]) -> Any:
                told = tuple(tuple(move(one) if isinstance(one, str) else one for one in line) for line in texts)
                answer = await who.say(commands.Prepare(who.cid(), table, told))
                return answer["code"], answer["facts"].get("case"), answer["facts"].get("most")

            many = [[f"{file}{rank}{file}{rank - 1}", "h0g2"] for file in "acegi" for rank in (6,)] * 7
            assert await why(ann, *many[:31]) == ("LIMIT_REACHED", "lines", 30)
            assert await why(eve, ["h9g7", "h0g2"]) == ("NOT_SEATED", None, None)
            assert await why(bob, ["h2e2", "h9g7"]) == ("STALE", "turn", None)
            assert await why(ann, ["h9g7", "h0g2", "i9h9"]) == ("BAD_MESSAGE", None, None)
            assert await why(ann, [{"a": "fly"}, "h0g2"]) == ("BAD_MESSAGE", None, None)
            assert await why(ann, ["h9g7", {"a": "resign"}]) == ("BAD_OPTION", "leaving", None)
            assert await why(ann, ["h9g7", "h0g2"], ["h9g7", "b0c2"]) == ("BAD_OPTION", "twice", None)
            assert await why(ann, [{"a": "resign"}, "h0g2"]) == ("BAD_OPTION", "over", None)
            assert (await why(ann, ["h9g7", "h0g9"]))[0] == "bad_shape"
            assert kept(ann, table) == []
            await ann.done(prepare(ann, table, *LINES))
            await ann.done(commands.Prepare(ann.cid(), table, ()))
            assert kept(ann, table) == []
            await ann.act(table, {"a": "resign"})
            assert (await why(ann, ["h9g7", "h0g2"]))[0] == "NO_GAME"

    run(test())


# Live: one move.


def test_a_prepared_move_is_played_at_once_or_is_gone_with_a_word(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, LIVE) as w:
            red, black = await two(w, 101)
            assert await red.refused(prepare(red, 101, ["h0g2"])) == "STALE"
            await black.done(prepare(black, 101, ["h9g7"]))
            assert await black.refused(prepare(black, 101, ["h9g7"], ["b9c7"])) == "LIMIT_REACHED"
            assert await black.refused(prepare(black, 101, ["h2e2", "h9g7"])) == "NOT_ALLOWED"
            await red.act(101, move("h2e2"))
            assert played(red, 101) == ["h2e2", "h9g7"]
            # The pawn that it would have moved is taken first.
            await red.act(101, move("h0g2"))
            await black.act(101, move("i9h9"))
            await black.done(prepare(black, 101, ["e6e5"]))
            await red.act(101, move("e2e6"))
            assert played(red, 101)[-1] == "e2e6"
            assert black.told(101)[-1] == {"e": "table.prepared"}
            assert not any(each["e"] == "table.prepared" for each in red.told(101))
            assert "prepared" not in black.shown[101]["you"]
            assert black.shown[101]["ask"] is not None

    run(test())


def test_of_luck_one_can_prepare_what_comes_before_it(tmp_path: Path) -> None:
    days = {"type": "days", "days": 3}

    async def test() -> None:
        async with world(tmp_path, Room(1, "backgammon", "friendly"), Room(2, "backgammon", "friendly")) as w:
            ann = await w.person(20)
            table, _key = await w.hall.creation.make(ann.user, "backgammon", clock=days, options={"match_to": 3})
            people = await at_backgammon(w, table)
            mover = asked(people, table)
            me, other = people[1 - mover], people[mover]
            nodes = other.shown[table]["hints"]["nodes"]
            play = {"a": "play", "m": next(m for _, m in nodes if m)}
            roll, double, take = {"a": "roll"}, {"a": "double"}, {"a": "take"}

            async def why(*line: Any) -> Any:
                answer = await me.say(commands.Prepare(me.cid(), table, (line,)))
                return answer.get("facts", {}).get("case", answer.get("code"))

            assert await why(play, roll, play, roll) == "luck"
            assert await why(roll, roll) == "wrong_phase"
            # "If they play this, I double; if they take, I roll": the throw is the end of every line.
            assert await why(play, double, take, roll) is None
            await other.act(table, play)
            assert other.shown[table]["view"]["phase"] == "double_offered"
            await other.act(table, take)
            assert me.shown[table]["view"]["cube"]["value"] == 2
            assert me.shown[table]["ask"]["kind"] == "move"
            # "Whatever they play, I roll": the dice cannot be known, but nobody has to wait for the throw.
            await other.done(commands.Prepare(other.cid(), table, ((roll,),)))
            await first_choice(people, table)
            assert other.shown[table]["view"]["phase"] in ("to_play", "to_roll")
            assert "prepared" not in other.shown[table]["you"]

    run(test())


def test_at_cards_a_pass_or_a_set_is_prepared_for_my_turn(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "doudizhu", "friendly")) as w:
            people = await three(w, 101)
            first = people[0].shown[101]["view"]["first"]
            me, last = people[(first + 1) % 3], people[(first + 2) % 3]
            await me.done(commands.Prepare(me.cid(), 101, (({"a": "no_bid"},),)))
            # Cards are no answer while the landlord is found: they are put back when the turn comes.
            await last.done(commands.Prepare(last.cid(), 101, (({"a": "play", "cards": "33"},),)))
            await people[first].act(101, {"a": "no_bid"})
            assert last.shown[101]["ask"] is not None
            assert last.told(101)[-1] == {"e": "table.prepared"}
            assert "prepared" not in last.shown[101]["you"]
            assert sum(each["e"] == "table.prepared" for each in me.told(101)) == 0

    run(test())


@pytest.mark.usefixtures("snatch")
def test_a_prepared_card_makes_no_even_pause_shorter(tmp_path: Path) -> None:
    async def watched(folder: Path, hands: list[list[int]]) -> Any:
        folder.mkdir()
        async with world(folder, Room(1, "snatch", "friendly", seats=3, terms=EVEN)) as w:
            people, watcher = await dealt(w, hands)
            start = len(watcher.got)
            for seat in (1, 2):  # seat 2 is asked in secret, or not: what it has prepared is for its turn alone
                await people[seat].done(commands.Prepare(f"p{seat}", 101, (({"a": "put", "card": hands[seat][0]},),)))
            await people[0].act(101, {"a": "put", "card": 5})
            begun = len(people[0].got)
            await w.jump(600)
            if people[2].shown[101]["ask"] is not None:
                await people[2].act(101, {"a": "snatch", "yes": False})
            assert [frame["t"] for _at, frame in frames_of(watcher, start)] == ["ev"]
            await w.jump(1400)
            assert watcher.shown[101]["view"]["top"] == hands[1][0]
            assert people[2].shown[101]["you"]["prepared"] == [[{"a": "put", "card": hands[2][0]}]]
            return frames_of(people[0], begun), frames_of(watcher, start)

    async def test() -> None:
        assert await watched(tmp_path / "held", HELD) == await watched(tmp_path / "free", FREE)

    run(test())
