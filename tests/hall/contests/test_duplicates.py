"""Duplicates of the day: one deal for everybody, sealed until all have played, through a kill (platform P-94)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_rebuild import built_anew
from tests.hall.world import START, Jumping, Names, Person, World, run, world

from qipai.contests.contract import GameTerms
from qipai.contests.duplicates import days
from qipai.contests.duplicates.commands import Play
from qipai.contests.duplicates.kind import DuplicateKind
from qipai.contests.duplicates.model import DAY_MS, end_of
from qipai.contests.live import Running, key_of, rebuild
from qipai.contests.tournaments import commands as tournaments
from qipai.contests.tournaments.form import TournamentForm
from qipai.contests.tournaments.kind import Tournaments
from qipai.contests.tournaments.ranking import table_of
from qipai.core.contract import NATURE
from qipai.core.rng import commitment
from qipai.hall.live import books
from qipai.hall.records.rebuild import fingerprints
from qipai.hall.records.replay import verify
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.daily_board import day_of
from qipai.hall.table.errors import HallError
from qipai.hall.table.events import Played

ROOMS = (Room(1, "doudizhu", "friendly"), Room(2, "backgammon", "friendly", options={"match_to": 3}))
TODAY = day_of(START)


async def begins(w: World, person: Person, game: str = "doudizhu") -> int:
    """Let somebody begin the duplicate of the day; return their table."""
    found = await days.today(w.contests, w.hall.creation, game, day_of(w.clock.now()))
    await w.contests.do("duplicate", found.id, Play(), person.user.id)
    await w.rest()
    table = int(w.contests.kinds["duplicate"].public(found.state, person.user.id, 0).table)
    await person.join(table)
    return table


async def plays(w: World, person: Person, table: int, *, last: bool = False) -> None:
    """Play to the end: always the first, or the last, of what may be done."""
    for _ in range(1000):
        shown = person.shown[table]
        if shown["result"]:
            return
        if shown["ask"] is None:
            await w.jump(2000)
            continue
        listed = shown["legal"]["list"]
        await person.act(table, listed[-1 if last else 0])
    raise AssertionError("it never ends")


def page(w: World, found: Running, viewer: int | None) -> Any:
    return w.contests.kinds["duplicate"].public(found.state, viewer, w.clock.now())


async def hidden(w: World, game_id: str, viewer: int | None) -> bool:
    """Tell whether a finished game is closed to somebody, by itself and in the list of its player's games."""
    closed = []
    try:
        await w.hall.archive.finished(game_id, viewer=viewer)
        closed.append(False)
    except HallError as wrong:
        closed.append((wrong.code, wrong.facts) == ("NOT_FOUND", {"case": "board"}))
    (player,) = [each.user for each in (await w.hall.archive.finished(game_id, viewer=10))["seats"] if each.user]
    listed = await w.hall.history.games(player.id, game=None, other=None, after=0, most=9, viewer=viewer)
    closed.append(game_id not in [one.part.id for one in listed])
    assert len(set(closed)) == 1
    return closed[0]


def test_everybody_has_the_same_cards_and_nobody_sees_them_before_they_have_played(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[DuplicateKind()]) as w:
            ann, bob, eve = [await w.person(10 + n) for n in range(3)]
            first = await begins(w, ann)
            found = days.running(w.contests, "doudizhu", TODAY)
            assert found is not None
            deal = await w.hall.shared_deals.find(key_of(found, found.kind.deals(found.state)[0]))
            assert deal is not None
            game = ann.shown[first]["game"]
            assert (game["board"], game["commitment"]) == (deal.id, deal.commitment)
            assert game["client_seeds"] == []  # it is dealt at once: nobody's seed has to do with it
            await eve.join(first)
            assert eve.got[-1]["code"] == "WATCH_FORBIDDEN"
            with pytest.raises(HallError) as advice:  # results are compared: everybody finds their own moves
                await w.hall.adviser.advise(ann.user, first)
            assert (advice.value.code, advice.value.facts) == ("NOT_ALLOWED", {"case": "advice"})
            assert page(w, found, 10).rows is page(w, found, 12).rows is None
            await plays(w, ann, first)
            assert ann.shown[first]["result"]["server_seed"] is None
            assert [row.user for row in page(w, found, 10).rows] == [10]
            assert page(w, found, 12).rows is page(w, found, None).rows is None
            assert page(w, found, 12).played == 1

            await w.jump(3_600_000)
            second = await begins(w, bob)
            assert second != first
            hands = [w.table(second).deal.state.hands, None]
            await plays(w, bob, second, last=True)
            rows = page(w, found, 11).rows
            assert {row.user for row in rows} == {10, 11}
            assert sum(row.percent for row in rows) == 100
            assert sum(row.difference for row in rows) == 0
            ids = [row.game_id for row in rows]
            dealt = []
            for game_id in ids:
                whole = await w.hall.archive.finished(game_id, viewer=10)
                assert whole["fair"]["server_seed"] is None
                dealt.append(whole["rows"][0][1])
                assert [await hidden(w, game_id, viewer) for viewer in (10, 11, 12, None)] == [False, False, True, True]
                assert verify(await w.store.read(partial(books.game_rows, id=game_id))) is None
            assert dealt[0] == dealt[1]
            assert hands[0] is not None
            # Nobody plays it twice: the first game stays theirs.
            await w.contests.do("duplicate", found.id, Play(), 10)
            assert len(page(w, found, 10).rows) == 2

            # The day ends: the deal is opened, to all.
            await w.jump(end_of(TODAY) - w.clock.now())
            assert found.state.closed
            facts = {"what": "opened", "game": "doudizhu", "day": TODAY}
            told = [[each["facts"] for each in one.of("note") if each["kind"] == "contest"] for one in (ann, bob, eve)]
            assert [facts in each for each in told] == [True, True, False]
            opened = await w.hall.shared_deals.find(deal.key)
            assert opened is not None
            assert opened.opened
            assert commitment(bytes.fromhex(opened.server_seed)) == deal.commitment
            for game_id in ids:
                assert (await w.hall.archive.finished(game_id))["fair"] == {
                    "commitment": deal.commitment,
                    "server_seed": opened.server_seed,
                    "client_seeds": [],
                    "board": deal.id,
                }
                assert [await hidden(w, game_id, viewer) for viewer in (12, None)] == [False, False]
            with pytest.raises(HallError) as late:
                await w.contests.do("duplicate", found.id, Play(), 12)
            assert (late.value.code, late.value.facts) == ("STALE", {"case": "contest"})
            tomorrow = await days.today(w.contests, w.hall.creation, "doudizhu", day_of(w.clock.now()))
            assert tomorrow.id != found.id
            assert (await days.find(w.contests, "doudizhu", TODAY)).id == found.id
            await w.check()
            assert await built_anew(w) == []
            before = await w.store.read(fingerprints)
            await w.store.transaction(partial(rebuild, kinds=[DuplicateKind()]))
            assert await w.store.read(fingerprints) == before

    run(case())


@pytest.mark.slow
def test_a_kill_between_the_begin_and_the_opening_changes_nothing(tmp_path: Path) -> None:
    async def case() -> None:
        clock, names = Jumping(), Names()
        async with world(tmp_path, *ROOMS, kinds=[DuplicateKind()], clock=clock, names=names) as w:
            ann, bob = await w.person(10), await w.person(11)
            first = await begins(w, ann, "backgammon")
            assert w.table(first).options == {}  # the game's own, whatever the room plays
            await plays(w, ann, first)
            open_ = await begins(w, bob, "backgammon")
            found = days.running(w.contests, "backgammon", TODAY)
            assert found is not None
            key = key_of(found, found.kind.deals(found.state)[0])
            deal = await w.hall.shared_deals.find(key)
            await w.kill()
        async with world(tmp_path, *ROOMS, kinds=[DuplicateKind()], clock=clock, names=names) as w:
            again = days.running(w.contests, "backgammon", TODAY)
            assert again is not None
            assert again.state == found.state
            assert await w.hall.shared_deals.find(key) == deal
            third = await w.person(12)
            table = await begins(w, third, "backgammon")
            throws = [await thrown(w, one) for one in (first, table)]
            assert throws[0][: len(throws[1])] == throws[1]
            # Two still play when the day ends: they have a day's grace, and nothing is opened.
            clock.time = end_of(TODAY) + DAY_MS // 2  # at once: each second of the way the hall notes that it lives
            await w.contests.sweep()
            assert not again.state.closed
            assert (await w.hall.shared_deals.find(key)) == deal

            async def killed(_key: str) -> bool:
                raise RuntimeError

            w.hall.shared_deals.open = killed  # type: ignore[method-assign, assignment]
            clock.time = end_of(TODAY) + DAY_MS
            await w.contests.sweep()
            assert again.state.closed
            await w.kill()
        async with world(tmp_path, *ROOMS, kinds=[DuplicateKind()], clock=clock, names=names) as w:
            await w.contests.sweep(again=True)
            opened = await w.hall.shared_deals.find(key)
            assert opened is not None
            assert opened.opened
            over = await days.find(w.contests, "backgammon", TODAY)
            rows = page(w, over, None).rows
            assert [(row.user, row.rank) for row in rows] == [(10, 1), (11, None), (12, None)]
            for id in (open_, table):
                live = await w.hall.runner.cache.find(id)
                assert live is not None
                assert live.table.state == "closed"

    run(case())


async def thrown(w: World, table: int) -> list[Any]:
    """Return the throws at a table so far."""
    rows = await w.store.read(partial(books.table_rows, table=table))
    actions: list[Any] = [row.what.action for row in rows if isinstance(row.what, Played) and row.what.seat == NATURE]
    return [action["d"] for action in actions]


def test_who_leaves_has_no_result_and_who_never_began_may_begin_yet(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[DuplicateKind()]) as w:
            ann, bob = await w.person(10), await w.person(11)
            table = await begins(w, ann)
            await w.jump(1000)
            await ann.done(commands.Stand(ann.cid(), table, confirm=True))
            for _ in range(200):
                await w.jump(2000)
            found = days.running(w.contests, "doudizhu", TODAY)
            assert found is not None
            (row,) = page(w, found, 10).rows
            assert (row.user, row.rank, row.points) == (10, None, None)
            # Bob has gone before his game could begin.
            await bob.hang_up()
            await w.contests.do("duplicate", found.id, Play(), 11)
            await w.rest()
            seat = found.state.parts[11].table
            assert w.table(seat).state == "open"
            await w.hall.creation.call_off(seat)
            await w.rest()
            assert 11 not in found.state.parts
            bob = await w.person(11)
            assert w.table(await begins(w, bob)).playing

    run(case())


def test_a_game_that_nobody_plays_now_is_not_woken_by_the_sweep(tmp_path: Path) -> None:
    async def case() -> None:
        async with world(tmp_path, *ROOMS, kinds=[DuplicateKind()]) as w:
            ann = await w.person(10)
            table = await begins(w, ann)
            await w.jump(1000)
            await ann.hang_up()
            await w.jump(120_000)
            assert table not in w.hall.runner.tables
            newest = w.store.newest
            for _ in range(3):
                await w.contests.sweep(again=True)
                await w.jump(60_000)
            assert table not in w.hall.runner.tables
            assert w.store.newest == newest

    run(case())


def test_the_tables_of_a_round_have_one_deal_which_is_opened_with_the_last(tmp_path: Path) -> None:
    async def case() -> None:
        clock, names = Jumping(), Names()
        kinds = [Tournaments(lambda: "cd" * 32)]
        terms = GameTerms("doudizhu", clock={"type": "none"}, rated=False)
        form = TournamentForm(
            name="Cup", format="swiss", terms=terms, seats=3, rounds=1, min_players=6, max_players=6, duplicate=True
        )
        async with world(tmp_path, *ROOMS, kinds=kinds, clock=clock, names=names) as w:
            people = {id: await w.person(id) for id in range(10, 16)}
            cup = await w.contests.make("tournament", lambda id: tournaments.Make(id=str(id), form=form), 10)
            for id in people:
                await w.contests.do("tournament", cup.id, tournaments.Enter(), id)
            await w.rest()
            first, second = [int(game.table or 0) for game in cup.kind.games(cup.state)]
            deals = [w.table(table).deal for table in (first, second)]
            key = key_of(cup, cup.kind.deals(cup.state)[0])
            assert len({(deal.board, deal.commitment) for deal in deals}) == 1
            assert deals[0].state.hands == deals[1].state.hands
            seated = {table: [chair.user for chair in w.table(table).chairs] for table in (first, second)}
            eye = people[seated[second][0]]
            await eye.join(first)
            assert eye.got[-1]["code"] == "WATCH_FORBIDDEN"
            await all_play(w, [people[user] for user in seated[first]], first)
            closed = await w.hall.shared_deals.find(key)
            assert closed is not None
            assert not closed.opened
            await w.kill()
        async with world(tmp_path, *ROOMS, kinds=kinds, clock=clock, names=names) as w:
            people = {id: await w.person(id) for id in seated[second]}
            await all_play(w, [people[user] for user in seated[second]], second)
            opened = await w.hall.shared_deals.find(key)
            assert opened is not None
            assert opened.opened
            cup = await w.contests.find("tournament", cup.id)
            assert cup.state.state == "finished"
            (stage,) = cup.state.stages
            rows = table_of(cup.state, stage, stage.sections[0])
            assert sum(row.score for row in rows) == 0
            points = [one.results[0].points for one in stage.meetings]
            assert max(row.score for row in rows) == max(abs(a - b) for a, b in zip(*points, strict=True))

    run(case())


async def all_play(w: World, people: list[Person], table: int) -> None:
    """Let everybody at a table play, always the first of what may be done, until the deal is over."""
    for person in people:
        await person.join(table)
    for _ in range(1000):
        asked = [person for person in people if person.shown[table]["ask"] is not None]
        if people[0].shown[table]["result"]:
            return
        if not asked:
            await w.jump(1000)
            continue
        await asked[0].act(table, asked[0].shown[table]["legal"]["list"][0])
    raise AssertionError("it never ends")
