"""What bots say: rarely, at most once a deal each, where phrases are allowed, the same for the same deals."""

from __future__ import annotations

from collections import Counter
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.hall.test_doudizhu import calling
from tests.hall.test_gouji import play_out
from tests.hall.world import Person, Repeated, World, quick, run, world

from qipai import games
from qipai.core.contract import NATURE, Notice
from qipai.core.entry import rules_of
from qipai.core.rng import Stream
from qipai.games.doudizhu.state import Form, Played
from qipai.hall.rooms.manners import ANSWERS, THANKED, Manners
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.model import Chair
from qipai.hall.table.tempers import TEMPERS
from qipai.hall.table.terms import Terms
from qipai.hall.table.update import Applied
from qipai.social.phrases import PHRASES

ROOMS = (Room(1, "doudizhu", "friendly"), Room(2, "doudizhu", "friendly", terms=Terms(table_chat="off")))
DEALS = 2
FIRST = 2  # of the seeds: with it a bot says hello
PACED = {"pace_ms": 1, "workers": 0}


async def seated(w: World, table: int) -> tuple[Person, Person]:
    """Return somebody with two bots, who has not begun, and who looks on."""
    ann, eve = await w.person(5, "ann"), await w.person(6, "eve")
    await ann.join(table)
    await ann.sit(table, 2)
    for seat in (0, 1):
        await ann.fill(table, seat)
    await eve.join(table)
    return ann, eve


async def deals(w: World, table: int, n: int) -> list[list[tuple[int, str]]]:
    """Play some deals and return what the bots said in each: seat and phrase."""
    ann, eve = await seated(w, table)
    found = []
    for _ in range(n):
        before = len(ann.of("chat"))
        await ann.ready(table)
        await ann.seed(table, "牌")
        await play_out(w, [ann], table, calling)
        await w.jump(9000)  # the last word, before the next deal
        assert ann.of("chat") == eve.of("chat")
        lines = ann.of("chat")[before:]
        assert all(line["from"] is None and line["id"] == 0 and line["to"] == f"table:{table}" for line in lines)
        found.append([(line["seat"], line["phrase"]) for line in lines])
    assert (await eve.join(table))["chat"] == []  # nothing is kept
    return found


def test_bots_speak_rarely_and_alike_in_like_deals(tmp_path: Path) -> None:
    heard: list[Any] = []

    async def test(folder: Path) -> None:
        folder.mkdir()
        luck = Repeated()
        luck.seeds = count(FIRST)
        async with world(folder, *ROOMS, config=quick(bots=PACED), luck=luck) as w:
            heard.append(await deals(w, 101, DEALS))

    for name in ("one", "other"):
        run(test(tmp_path / name))
    assert heard[0] == heard[1]
    said = heard[0]
    for lines in said:
        assert all(n == 1 for n in Counter(seat for seat, _phrase in lines).values())
        assert {phrase for _seat, phrase in lines} <= set(PHRASES)
    phrases = sum(map(len, said))
    assert 0 < phrases <= DEALS  # of two bots: half a phrase a bot and deal at most


@pytest.mark.parametrize(("table", "bots"), [(201, PACED), (101, {**PACED, "phrases": False}), (101, {"pace_ms": 0})])
def test_bots_are_silent_where_phrases_are_off(tmp_path: Path, table: int, bots: Any) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS, config=quick(bots=bots)) as w:
            assert await deals(w, table, 1) == [[]]

    run(test())


def test_a_bot_answers_what_is_said_to_it_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS, config=quick(bots=PACED)) as w:
            ann, _eve = await seated(w, 101)
            await ann.ready(101)
            await ann.seed(101, "牌")
            for phrase in [*ANSWERS, *sorted(THANKED), *ANSWERS]:
                await ann.done(commands.Say(ann.cid(), "table:101", phrase=phrase))
                await w.jump(3000)
                if ann.shown[101]["info"]["state"] != "playing":
                    break
            lines = [line for line in ann.of("chat") if "seat" in line]
            assert 0 < len(lines) <= 2
            assert {line["phrase"] for line in lines} <= {*ANSWERS.values(), "thanks", "good_luck"}
            assert len({line["seat"] for line in lines}) == len(lines)
            seats = ann.shown[101]["seats"]
            assert [seat.get("temper") for seat in seats] == [TEMPERS[0].name, TEMPERS[1].name, None]

    run(test())


@pytest.mark.parametrize("game", [name for name in games.names() if games.find(name).pace is None])
def test_what_deserves_a_word_is_a_phrase_about_a_seat(game: str) -> None:
    """Random deals: what everybody is told is enough to say whose play it was."""
    entry = games.find(game)
    options, luck = entry.chosen({}), Stream.of_seed(f"admired {game}")
    rules = rules_of(entry, options)
    state, found = rules.start(entry.carry(options, 0)), []
    for _ in range(1500):
        if rules.outcome(state) is not None:
            state = rules.start(entry.carry(options, 0))
        seat = luck.shuffled(sorted(rules.turn(state).seats))[0]
        action = rules.chance(state, luck) if seat == NATURE else rules.sample(state, seat, luck)
        step = rules.apply(state, seat, action)
        state = step.state
        found += [entry.admired(told.event) for told in (*step.told, *step.later) if told.to is None]
    praised = [one for one in found if one is not None]
    assert all(0 <= seat < max(entry.seats) and phrase in PHRASES for seat, phrase in praised)
    assert 0 < len(praised) < len(found) / 5 or game == "xiangqi"  # random moves mate nobody


def test_people_are_praised_now_and_then_and_bots_never() -> None:
    """By one bot, after a moment; a bot's own bomb is no matter."""
    entry = games.find("doudizhu")
    bomb = Notice(Played(seat=2, cards="3333", over=None, form=Form("bomb", "3", 1), multiple=2))
    said: list[tuple[int, str]] = []
    later: list[Any] = []
    timers = SimpleNamespace(at=lambda when, call, *what: later.append((when, call, what)))
    tables: dict[int, Any] = {}
    runner: Any = SimpleNamespace(timers=timers, clock=SimpleNamespace(now=lambda: 1000), tables=tables)
    manners = Manners(runner, lambda live, seat, phrase: said.append((seat, phrase)), on=True)
    for person in (2, 0):
        for n in range(100):
            chairs = tuple(Chair(user=5) if seat == person else Chair(bot="easy") for seat in range(3))
            deal = SimpleNamespace(game_id=f"g{n}", server_seed=None, rows=9, asks=(None,) * 3)
            setting = SimpleNamespace(contest=None, game="doudizhu")
            table: Any = SimpleNamespace(
                entry=entry,
                chairs=chairs,
                deal=deal,
                coming=None,
                setting=setting,
                terms=Terms(),
                turn_based=False,
                playing=True,
            )
            live: Any = SimpleNamespace(id=n, table=table, listeners={object(): 2})
            tables[n] = live
            event: Any = SimpleNamespace(what=None)
            for _ in range(3):  # the same bot says nothing twice
                manners.told(live, Applied(event, table, table, (bomb,), 0))
        for when, call, what in later:
            assert 1000 < when <= 5000
            call(*what)
        later.clear()
        if person == 2:
            assert 20 <= len(said) <= 100
            assert {phrase for _seat, phrase in said} == {"nice"}
            assert {seat for seat, _phrase in said} == {0, 1}
            said.clear()
    assert not said


def test_nobody_is_spoken_to_whose_time_runs_out(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS, config=quick(bots=PACED)) as w:
            ann, _eve = await seated(w, 101)
            live = w.hall.runner.tables[101]
            manners = w.hall.manners
            await ann.ready(101)
            await ann.seed(101, "牌")
            for _ in range(40):
                if ann.shown[101]["ask"]:
                    break
                await w.jump(1000)
            end = ann.shown[101]["ask"]["until"]
            before = len(ann.of("chat"))
            manners._speak(live, 0, "nice")
            assert [line["phrase"] for line in ann.of("chat")[before:]] == ["nice"]
            await w.jump(end - w.clock.now() - 3000)
            before = len(ann.of("chat"))
            manners._speak(live, 0, "nice")
            assert len(ann.of("chat")) == before

    run(test())
