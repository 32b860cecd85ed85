"""The bench of a table (platform P-63): mahjong's horse buyers, who bet on a seat and see what watchers see."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.hall.world import Person, World, run, world

from qipai import games
from qipai.core.replay_frames import frames
from qipai.hall.live import books
from qipai.hall.records.rebuild import rebuild
from qipai.hall.records.replay import finished, record, verify
from qipai.hall.rooms.rooms import Room, unopened
from qipai.hall.table import commands
from qipai.hall.table.events import HallEvent, OpenedSecret
from qipai.hall.table.fold import fold
from qipai.hall.table.model import Terms
from qipai.hall.table.seats import opened
from qipai.hall.table.stored import data_of
from qipai.ledger import books as money

QUICK = {"claim_seconds": 1}
ROOMS = (
    Room(1, "mahjong", "friendly", options=QUICK),
    Room(2, "mahjong", "score", options=QUICK),
    Room(3, "mahjong", "coin", options=QUICK, terms=Terms(factor=2, fee=7)),
    Room(4, "mahjong", "pass", options=QUICK),
)


async def four(w: World, table: int, *buyers: int) -> tuple[list[Person], list[Person], Person]:
    """Seat four people, buyers at these places of the bench, and somebody who looks on; a hand begins."""
    people = [await w.person(10 + seat) for seat in range(4)]
    bench = [await w.person(20 + place) for place in buyers]
    watcher = await w.person(30)
    await watcher.join(table)
    for seat, person in enumerate(people):
        await person.sit(table, seat)
    for place, buyer in zip(buyers, bench, strict=True):
        await buyer.sit(table, place)
    await again(people, table)
    return people, bench, watcher


async def again(people: list[Person], table: int) -> None:
    """Let those who play be ready; nobody else is asked to."""
    for person in people:
        await person.ready(table)
    for person in people:
        await person.seed(table, "x")
    assert people[0].world.table(table).playing


def pick(person: Person, table: int) -> Any:
    """Return what somebody does who plays fast and badly: wins what he can, throws his last tile."""
    legal = person.shown[table]["legal"]["list"]
    for verb in ("hu", "pass", "discard"):
        if found := [action for action in legal if action["a"] == verb]:
            return found[-1]
    return legal[-1]


async def play_out(w: World, people: list[Person], table: int) -> Any:
    """Play a hand to its end and return its result."""
    for _ in range(1500):
        if (result := people[0].shown[table]["result"]) is not None and not w.table(table).playing:
            return result
        asked = [person for person in people if person.shown[table]["ask"] is not None]
        for person in asked:
            if (ask := person.shown[table]["ask"]) is not None:
                await person.act(table, pick(person, table), ask["id"])
        if not asked:
            await w.jump(250)
    raise AssertionError("the hand never ends")


async def buy(buyer: Person, table: int, i: int = 0) -> str:
    """Buy a horse: the tile at an index of the wall."""
    ask = buyer.shown[table]["ask"]
    assert ask is not None
    assert ask["kind"] == "horse"
    await buyer.act(table, {"a": "horse", "i": i}, ask["id"])
    horse = next(
        each for each in buyer.shown[table]["view"]["horses"] if each["owner"] == buyer.shown[table]["you"]["seat"]
    )
    return str(horse["t"])


def test_a_buyer_sits_on_the_bench_buys_and_is_paid(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people, (buyer,), watcher = await four(w, 101, 5)
            assert [seat["user"] and seat["user"]["id"] for seat in watcher.shown[101]["seats"]] == [
                *(10, 11, 12, 13, None, 25, None, None)
            ]
            assert buyer.shown[101]["ch"] == "101.5"
            created = next(told for told in watcher.told(101) if told["e"] == "game.created")
            assert [player["user"]["id"] for player in created["seats"]] == [10, 11, 12, 13]
            assert [(each["seat"], each["user"]["id"]) for each in created["bench"]] == [(5, 25)]
            assert [person.shown[101]["ask"] for person in people] == [None] * 4
            assert len(buyer.shown[101]["clocks"]["left"]) == 8
            assert buyer.shown[101]["clocks"]["run"] == [5]
            assert await people[0].refused(commands.Act("a", 101, {"a": "horse", "i": 0})) == "not_your_turn"
            wall = watcher.shown[101]["view"]["wall_left"]
            await buy(buyer, 101, 3)
            horse = watcher.shown[101]["view"]["horses"][0]
            assert (horse["owner"], watcher.shown[101]["view"]["wall_left"]) == (5, wall - 1)
            result = await play_out(w, people, 101)
            assert len(result["points"]) == len(result["places"]) == len(result["paid"]) == 5
            assert sum(result["points"]) == 0
            assert [each["seat"] for each in result["paid"]] == [0, 1, 2, 3, 5]
            # By himself a buyer's horse wins and loses what its seat does.
            assert result["points"][4] == watcher.shown[101]["view"]["ledger"][horse["seat"]]

    run(test())


def test_empty_places_hold_nobody_up_and_nobody_there_is_asked_to_be_ready(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(1), await w.person(2)
            await ann.sit(101, 0)
            await bob.sit(101, 7)
            for seat in (1, 2, 3):
                await ann.fill(101, seat)
            assert await ann.refused(commands.Fill("f", 101, 4, "easy")) == "BAD_MESSAGE"
            assert await ann.refused(commands.Sit("s", 101, 8)) == "BAD_MESSAGE"
            assert await bob.refused(commands.Ready("r", 101, True)) == "NOT_ALLOWED"
            assert not w.table(101).playing
            await ann.ready(101)
            await ann.seed(101, "x")
            assert w.table(101).playing
            assert bob.shown[101]["ask"]["kind"] == "horse"
            assert await bob.refused(commands.Offer("o", 101, "stop")) == "NOT_ALLOWED"
            # The hand has begun: it is too late for others, and for changing places.
            eve = await w.person(3)
            assert await eve.refused(commands.Sit("e", 101, 5)) == "GAME_RUNNING"
            assert await bob.refused(commands.Sit("b", 101, 5)) == "GAME_RUNNING"
            # Whoever does not answer has no horse.
            await w.jump(21_000)
            assert bob.shown[101]["view"]["horses"] == []
            assert bob.shown[101]["view"]["phase"] != "horse"
            # Those who play may stop, whatever the bench says.
            await ann.done(commands.Offer("o2", 101, "stop"))
            assert bob.shown[101]["result"]["why"] == "stopped"
            assert bob.shown[101]["result"]["points"] == [0] * 5

    run(test())


def test_no_table_of_bots_plays_for_the_bench_alone(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            ann, bob = await w.person(1), await w.person(2)
            await ann.sit(101, 4)
            assert ann.shown[101]["you"]["owner"]
            for seat in range(4):
                await ann.fill(101, seat)
            assert w.table(101).state == "open"
            await ann.fill(101, 2, None)
            await bob.sit(101, 2)
            await bob.ready(101)
            assert w.table(101).coming is not None
            await ann.done(commands.Stand("s", 101))  # before it is dealt: the hand is created anew without him
            assert w.table(101).coming.bench == ()
            assert bob.shown[101]["you"]["owner"]
            await bob.seed(101, "x")
            assert w.table(101).deal.state.bench == ()

    run(test())


def test_a_buyer_sees_what_a_watcher_sees_and_his_own_question(tmp_path: Path) -> None:
    """Message by message: apart from his seat and his question nothing comes to him that watchers do not get."""

    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people, (first, second), watcher = await four(w, 101, 4, 6)
            buyers = {first: 4, second: 6}

            def same() -> None:
                for buyer, seat in buyers.items():
                    mine, theirs = dict(buyer.shown[101]["view"]), dict(watcher.shown[101]["view"])
                    assert mine.pop("seat") == seat
                    assert theirs.pop("seat") is None
                    for view in (mine, theirs):
                        if view["still"] is not None:
                            view["still"] = {k: v for k, v in view["still"].items() if k != "seat"}
                    assert mine == theirs
                    assert mine["hand"] is None
                    assert buyer.shown[101]["late"] == watcher.shown[101]["late"]
                    if mine["phase"] != "horse":
                        assert (buyer.shown[101]["ask"], buyer.shown[101]["legal"]) == (None, None)

            same()
            assert second.shown[101]["ask"] is None
            await buy(first, 101)
            same()
            await buy(second, 101, 9)
            for _ in range(1500):
                if not w.table(101).playing:
                    break
                same()
                for person in people:
                    if (ask := person.shown[101]["ask"]) is not None:
                        await person.act(101, pick(person, 101), ask["id"])
                        same()
                await w.jump(250)
            assert not w.table(101).playing
            # All that was told, and when: every line of the bench's is one of the watchers'.
            for buyer in buyers:
                assert [told for told in buyer.told(101) if told["e"] not in SEATING] == [
                    told for told in watcher.told(101) if told["e"] not in SEATING
                ]
                moments = {m["now"] for m in watcher.of("ev")}
                own = [m for m in buyer.of("ev") if m["now"] not in moments]
                assert all(not m["told"] and "view" not in m for m in own), own

    run(test())


SEATING = {"table.sat", "table.opened", "table.readied"}


@pytest.mark.slow
def test_between_hands_the_bench_comes_and_goes_and_the_match_goes_on(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people, (buyer,), watcher = await four(w, 201, 4)
            await buy(buyer, 201)
            await play_out(w, people, 201)
            await buyer.done(commands.Stand("s", 201))  # no price: a minimum of rounds does not bind him
            assert buyer.shown[201]["you"]["seat"] is None
            await watcher.sit(201, 6)
            await again(people, 201)
            assert w.table(201).deal.no == 2
            assert w.table(201).played == 1
            assert watcher.shown[201]["view"]["bench"] == [6]
            # He leaves in the middle, unasked for any confirmation; nobody waits for him, and his bet stands.
            await buy(watcher, 201)
            await watcher.done(commands.Stand("s2", 201))
            assert watcher.shown[201]["ch"] == "201.w"
            result = await play_out(w, people, 201)
            paid = result["paid"][4]
            assert (paid["seat"], paid["score"], paid["credibility"]) == (6, result["points"][4], 0)
            assert w.table(201).chairs[6].user is None
            # A player pays the fine for what he owes still, and cannot dodge it from the bench.
            assert await people[0].refused(commands.Sit("x", 201, 4)) == "NOT_ALLOWED"
            answer = await people[0].say(commands.Stand("s3", 201))
            assert (answer["code"], answer["facts"]["score"]) == ("CONFIRM_QUIT", -2 * 16)
            assert people[0].shown[201]["view"]["owed"] * 16 == people[0].shown[201]["view"]["fine"] == 2 * 16

    run(test())


@pytest.mark.slow
def test_between_hands_all_may_agree_to_stop_and_nobody_pays(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people, _bench, _watcher = await four(w, 201)
            await play_out(w, people, 201)
            assert (await people[0].say(commands.Stand("s", 201)))["code"] == "CONFIRM_QUIT"
            await people[0].done(commands.Offer("o", 201, "stop"))
            (offer,) = people[1].shown[201]["offers"]
            for person in people[1:3]:
                await person.done(commands.Answer(person.cid(), 201, offer["offer"], yes=True))
            assert (await people[0].say(commands.Stand("s2", 201)))["code"] == "CONFIRM_QUIT"  # not all have agreed
            await people[3].done(commands.Answer("y", 201, offer["offer"], yes=True))
            assert people[0].shown[201]["offers"] == []
            assert await people[0].refused(commands.Offer("o2", 201, "stop")) == "NO_GAME"  # nothing binds anybody now
            await people[0].done(commands.Stand("s3", 201))
            assert people[0].shown[201]["you"]["seat"] is None

    run(test())


def test_a_lost_line_on_the_bench_holds_nobody_up(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people, (buyer,), _watcher = await four(w, 201, 4)
            await buyer.hang_up()
            await w.jump(21_000)  # his question passes
            assert w.table(201).chairs[4].lost
            assert people[0].shown[201]["view"]["phase"] != "horse"
            result = await play_out(w, people, 201)
            await w.jump(60_000)
            assert w.table(201).chairs[4].user is None
            assert (result["points"][4], result["paid"][4]["score"]) == (0, None)  # he had no horse

    run(test())


@pytest.mark.slow
def test_the_bench_shares_the_money_and_is_not_rated(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people, (buyer, idler), _watcher = await four(w, 201, 4, 5)
            await buy(buyer, 201)
            await w.jump(21_000)
            result = await play_out(w, people, 201)
            by_seat = {each["seat"]: each for each in result["paid"]}
            assert all(by_seat[seat]["rating"] is not None for seat in range(4))
            assert (by_seat[4]["rating"], by_seat[4]["score"], by_seat[4]["credibility"]) == (
                None,
                result["points"][4],
                0,
            )
            assert by_seat[5]["score"] is None
            assert w.table(201).chairs[4].holdings.score == result["points"][4]
            # In the books he has the money, and has neither won nor lost a game.
            found = await w.store.read(
                lambda db: db.execute("SELECT user, score, won + lost + drawn FROM scores ORDER BY user").fetchall()
            )
            assert [row for row in found if row[0] in (24, 25)] == [(24, result["points"][4], 0)]
            assert [row[2] for row in found if row[0] < 20] == [1] * 4
            assert idler.shown[201]["seats"][5]["score"] == 0
            # Books made again from the log are the same.
            before = await w.store.read(lambda db: db.execute("SELECT * FROM scores ORDER BY user").fetchall())
            ends = await w.store.read(lambda db: db.execute("SELECT * FROM ends").fetchall())
            assert len(ends) == 1
            await rebuild(w.store)
            assert await w.store.read(lambda db: db.execute("SELECT * FROM scores ORDER BY user").fetchall()) == before
            assert await w.store.read(lambda db: db.execute("SELECT * FROM ends").fetchall()) == ends

    run(test())


@pytest.mark.slow
def test_coins_are_settled_with_who_holds_a_horse(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            for user in (10, 11, 12, 13, 24, 25):
                await rich(w, user, 5000)
            await rich(w, 26, 3)
            poor = await w.person(26)
            assert await poor.refused(commands.Sit("p", 301, 6)) == "COINS_TOO_FEW"
            people, (buyer, _idler), _watcher = await four(w, 301, 4, 5)
            await buy(buyer, 301)
            await w.jump(21_000)
            result = await play_out(w, people, 301)
            by_seat = {each["seat"]: each["coins"] for each in result["paid"]}
            # N of P-59 for a point, and A from everybody who has to do with it.
            assert by_seat == {**{seat: 2 * result["points"][seat] - 7 for seat in range(5)}, 5: None}
            held = await w.store.read(
                lambda db: dict(db.execute("SELECT account, amount FROM balances WHERE currency = 'coins'").fetchall())
            )
            assert {user: held[user] for user in (10, 11, 12, 13, 24, 25)} == {
                **{10 + seat: 5000 + by_seat[seat] for seat in range(4)},
                24: 5000 + by_seat[4],
                25: 5000,
            }

    run(test())


async def rich(w: World, user: int, coins: int) -> None:
    """Give somebody so many coins."""
    await w.person(user)
    await w.store.transaction(
        lambda db: (
            db.execute(
                "INSERT INTO balances (account, currency, amount) VALUES (?, 'coins', ?)"
                " ON CONFLICT (account, currency) DO UPDATE SET amount = excluded.amount",
                (user, coins),
            )
            and None
        )
    )
    assert await w.store.read(lambda db: money.balance(db, user)) == coins


def test_no_pass_moves_on_the_bench(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            last = 424  # of the lowest pass, where beginners may sit
            people, (buyer,), _watcher = await four(w, last, 4)
            await buy(buyer, last)
            result = await play_out(w, people, last)
            by_seat = {each["seat"]: each for each in result["paid"]}
            assert all(by_seat[seat]["pass"] is not None for seat in range(4))
            assert by_seat[4]["pass"] is None
            assert by_seat[4]["score"] == result["points"][4]

    run(test())


@pytest.mark.slow
def test_a_hall_that_dies_finds_its_bench_again(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people, (buyer, _second), _watcher = await four(w, 201, 4, 7)
            tile = await buy(buyer, 201, 5)
            await w.check()
            before = w.table(201).lasting()
            clock, names = w.clock, w.names
            await w.kill()
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            people = [await w.person(10 + seat) for seat in range(4)]
            buyer, second = await w.person(24), await w.person(27)
            for person in (*people, buyer, second):
                await person.join(201)
            assert w.table(201).deal.state == before.deal.state
            assert (buyer.shown[201]["ch"], second.shown[201]["ch"]) == ("201.4", "201.7")
            assert buyer.shown[201]["view"]["horses"][0]["t"] == tile
            assert second.shown[201]["ask"]["kind"] == "horse"
            await buy(second, 201)
            result = await play_out(w, people, 201)
            assert [each["seat"] for each in result["paid"]] == [0, 1, 2, 3, 4, 7]
            assert sum(result["points"]) == 0
            # The finished game names the bench, proves itself, and makes a replay.
            game = people[0].shown[201]["game"]["game_id"]
            rows = await w.store.read(partial(books.game_rows, id=game))
            assert verify(rows) is None
            whole = finished(rows, w.names.peek)
            assert [(each.seat, each.user.id) for each in whole["bench"]] == [(4, 24), (7, 27)]
            assert len(whole["seats"]) == 4
            shown = list(frames(games.find("mahjong"), record(rows, w.names.peek)))
            full: dict[str, Any] = {}
            for frame in shown:
                full |= frame.views[-1]
            assert list(full["full"]) == result["points"]

    run(test())


def test_a_table_that_had_no_bench_gets_one_when_it_is_opened_again() -> None:
    """Its channels go on above every number they have had."""
    new = unopened(Room(1, "mahjong", "friendly"), 101, 1)
    setting = msgspec.structs.replace(new.setting, bench=0)
    old = msgspec.structs.replace(new, setting=setting, chairs=new.chairs[:4], seqs=(3, 1, 2, 0, 9))
    assert b'"bench"' not in data_of(opened(old))
    event = HallEvent(opened(new), 0, OpenedSecret(seqs=old.seqs, rows=12))
    after, _told = fold(old, event)
    assert (after.setting.bench, len(after.chairs), after.rows) == (4, 8, 13)
    assert after.seqs == (9,) * 9
