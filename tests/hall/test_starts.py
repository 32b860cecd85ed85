"""A table whose deals start from a position that somebody has set up (P-74, decision 0056)."""

from __future__ import annotations

from copy import copy
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from tests.hall.test_rebuild import built_anew
from tests.hall.world import World, quick, run, world

from qipai import games
from qipai.core import judging
from qipai.core.entry import DealStart, Record
from qipai.core.record import dumps, loads, replayed, rules_under
from qipai.hall.live import books
from qipai.hall.order.decisions import of_record
from qipai.hall.records.replay import record, text, verify
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import seats
from qipai.hall.table.errors import HallError

STARTS = {
    "xiangqi": "3k5/9/9/9/9/9/9/4p4/4A4/R3K4 w - - 0 1",
    "gouji": "34A2X/55KK/66QQx/77JJ2/88TT/99AA lead:2",
    "baohuang": "77KKx*/88QQX*/99JJ/TTAA/9922 mode:pair emperor:1 guard:0 lead:1",
    "shengji": "2S3S/4S5S/6S7S/8S9S trump:H levels:5-5 dealer:0 lead:1",
    "mahjong": "123456789m11223p/123456789p1122s/123456789s2233m/8899m777p444666s turn:0 drawn:2p dealer:0",
    "backgammon": "3:1 2:1 off:13 / 1:2 off:13 on:0",
    "lianliankan": "1,1,2,2/3,3,4,4",
}
MATE = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1"


async def finished(w: World, id: str) -> Any:
    return await w.store.read(partial(books.game_rows, id=id))


async def seen(w: World, table: str | int, user: int, ms: int) -> None:
    """Let somebody watch for a while."""
    eve = await w.person(user)
    await eve.join(int(table))
    await w.jump(ms)


@pytest.mark.parametrize("name", sorted(STARTS))
def test_a_game_from_a_position_is_played_by_bots_through_a_kill_and_proves_itself(tmp_path: Path, name: str) -> None:
    async def test() -> None:
        entry = games.find(name)
        place = Room(1, name, "friendly", seats=min(entry.seats) if len(entry.seats) > 1 else None)
        async with world(tmp_path, place, config=quick()) as w:
            ann = await w.person(1)
            seat = max(entry.seats) - 1 if len(entry.seats) == 1 else 0
            table, mine = await w.hall.creation.play(ann.user, name, start=STARTS[name], seat=seat, level="easy")
            assert mine == seat
            await w.rest()
            shown = await ann.join(table)
            await w.jump(10_000)  # the seeds
            shown = ann.shown[table]
            assert shown["info"]["state"] == "playing"
            id = shown["game"]["game_id"]
            await w.check()
            await w.kill()
        async with world(tmp_path, place, config=quick(), clock=w.clock, names=w.names) as again:
            await seen(again, table, 2, 900_000)
            rows = await finished(again, id)
            assert rows[0].what.start == DealStart(text=STARTS[name])
            assert verify(rows) is None
            whole = record(rows, lambda user: None)
            assert loads(dumps(whole)).start == DealStart(text=STARTS[name])
            offered = entry.records.of(whole.start)
            for notation in entry.records.formats:
                if notation in offered:
                    assert text(rows, notation, lambda user: None)
                else:  # it would tell of a deal from the usual beginning
                    with pytest.raises(HallError, match="BAD_OPTION"):
                        text(rows, notation, lambda user: None)
            assert of_record(entry, whole, (1,) * (whole.seats or 0)).made or name == "lianliankan"
            outcome = replayed(entry, whole)
            assert outcome is not None
            assert list(outcome.points) == whole.outcome["points"]
            assert rows[-1].what.paid[0].score is None, "nothing is paid for it"
            assert await built_anew(again) == []
            counted = await again.store.read(lambda db: db.execute("SELECT * FROM ends").fetchall())
            assert counted == [], "no statistics are made of what began otherwise"
            parts = await again.store.read(lambda db: db.execute("SELECT sign, counted FROM parts").fetchall())
            assert parts == [(None, 0)]

    run(test())


def test_a_position_that_cannot_be_opens_no_table_and_says_why(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path) as w:
            ann = await w.person(1)
            with pytest.raises(HallError, match="BAD_POSITION") as wrong:
                await w.hall.creation.play(ann.user, "gouji", start="3/3/3/3/3 lead:0")
            assert wrong.value.facts["why"] == "seats"
            with pytest.raises(HallError, match="BAD_MESSAGE"):
                await w.hall.creation.play(ann.user, "gouji", start=STARTS["gouji"], seat=6)
            assert w.hall.runner.tables == {}

    run(test())


def test_options_that_its_position_does_not_allow_are_not_taken(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "shengji", "friendly"), config=quick()) as w:
            ann = await w.person(1)
            start = "2S2S3S/4S5S6S/6S7S7S/8S9S9S trump:H levels:5-5 dealer:0 lead:1"
            at, _seat = await w.hall.creation.play(ann.user, "shengji", start=start, level="easy")
            table = w.hall.runner.tables[at].table
            assert seats.changes(table, {"decks": 3}, UNSET).options["decks"] == 3
            with pytest.raises(HallError, match="BAD_POSITION") as wrong:  # the next deal could not be begun
                seats.changes(table, {"decks": 1}, UNSET)
            assert wrong.value.facts["why"] == "too_many_cards"

    run(test())


def test_it_is_begun_anew_from_the_same_position(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, config=quick()) as w:
            ann = await w.person(1)
            table, _seat = await w.hall.creation.play(ann.user, "xiangqi", start=MATE, level="easy")
            await w.rest()
            await ann.join(table)
            await ann.act(table, {"a": "move", "m": "b0b9"})
            assert ann.shown[table]["result"]["points"] == [2, -2]
            await ann.ready(table)
            await w.jump(10_000)
            shown = ann.shown[table]
            assert [each["e"] for each in ann.told(table)].count("game.created") == 1, "and one before I came"
            assert shown["view"]["start"] == MATE
            assert shown["you"]["seat"] == 1, "the other side, as after every game"
            assert shown["result"]["points"] == [2, -2], "the bot has found it, too"

    run(test())


def test_a_file_says_from_which_position_a_game_starts() -> None:
    moves = ((0, {"a": "move", "m": "a8a7"}, 0), (1, {"a": "move", "m": "d9d8"}, 0))
    xiangqi = games.find("xiangqi").records
    of = Record(game="xiangqi", options={}, rows=moves, players=("a", "b"), start=DealStart(text=MATE))
    for notation, write in xiangqi.of(of.start).items():
        data = write(of).encode()
        form = xiangqi.recognise(data)
        assert form is not None, notation
        (read,) = xiangqi.imports(data, form)
        back = read().record
        assert back.options["handicap_fen"].split()[0] == MATE.split()[0]
        assert [row[:2] for row in back.rows] == [row[:2] for row in moves]
    board = Record(game="lianliankan", options={}, rows=(), start=DealStart(text=STARTS["lianliankan"]))
    assert games.find("lianliankan").records.formats["csv"](board) == "1,1,2,2\n3,3,4,4\n"


def test_what_a_deal_was_worth_is_played_out_from_its_position() -> None:
    entry = games.find("gouji")
    of = Record(game="gouji", options={}, seats=6, carry=None, rows=(), start=DealStart(text=STARTS["gouji"]))
    rules = copy(rules_under(entry, of))
    object.__setattr__(rules, "chance", None)  # all cards lie on the table: there is no luck in it
    _state, outcome = judging.played_out(entry, of, rules, 0)
    assert sum(outcome.points) == 0
