"""Rooms that count: passes, coins, ratings; what a deal pays is written with its end, exactly and once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_gouji import play_out
from tests.hall.test_xiangqi import move, opening
from tests.hall.world import Person, World, quick, run, world

from qipai.hall.records.rebuild import rebuild
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands, settlement
from qipai.hall.table.model import Terms
from qipai.ledger import books
from qipai.ledger.model import GRANTS, HOUSE
from qipai.ledger.ratings import Duel

START = 1_790_000_000_000
PASS = Room(1, "xiangqi", "pass", tables=18)
COIN = Room(2, "xiangqi", "coin", terms=Terms(factor=10, fee=2))
SCORE = Room(3, "xiangqi", "score")
EVERY = ("scores", "credibility", "transfers", "balances", "passes", "ratings", "codes", "code_uses", "members")


async def of_books(w: World) -> dict[str, list[Any]]:
    """Return the rows of all books, in an order that no engine has of its own."""
    return await w.store.read(
        lambda db: {name: sorted(db.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in EVERY}
    )


async def give(w: World, user: int, coins: int) -> None:
    await w.hall.ledger.grant(user, "coins", coins, "for a test", by=1, now=w.clock.now())


async def passed(w: World, reached: int, points: int, *users: int) -> None:
    """Let people have a pass of xiangqi, and points towards the next."""
    rows = [(user, reached, reached, points) for user in users]
    await w.store.transaction(lambda db: db.executemany("INSERT INTO passes VALUES (?, 'xiangqi', ?, ?, ?, 0)", rows))


async def pair(w: World, table: int, *ids: int) -> list[Person]:
    """Seat two and begin."""
    people = [await w.person(id) for id in ids]
    for seat, person in enumerate(people):
        await person.sit(table, seat)
    for person in people:
        await person.ready(table)
    await w.rest()
    return people


async def begin(w: World, people: list[Person], table: int) -> None:
    for person in people:
        await person.ready(table)
    await w.rest()


async def play(w: World, people: list[Person], table: int) -> None:
    """Make two moves each, so that the game counts as one."""
    red = next(p for p in people if p.shown[table]["you"]["seat"] == 0)
    black = next(p for p in people if p.shown[table]["you"]["seat"] == 1)
    await opening(red, black, table)


async def resign(w: World, person: Person, table: int, *, at_once: bool = False) -> None:
    """Give up; unless at once, after the moves that make it count."""
    if not at_once and not any(w.table(table).deal.moves):
        await play(w, [w.people[chair.user] for chair in w.table(table).chairs], table)
    await person.act(table, {"a": "resign"})
    await w.rest()


def paid(person: Person, table: int) -> dict[int, Any]:
    shown = person.shown[table]
    users = {seat["seat"]: seat["user"]["id"] for seat in shown["seats"] if seat["user"]}
    return {users[each["seat"]]: each for each in shown["result"]["paid"]}


def test_who_is_demoted_is_stood_up_from_a_table_that_is_too_high(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, PASS) as w:
            await passed(w, 2, -5, 20, 21)
            ann, bob = await pair(w, 115, 20, 21)
            await bob.done(commands.Stand(bob.cid(), 115, confirm=True))
            await w.rest()
            assert bob.of("ev")
            got = {seat["seat"]: seat for seat in ann.shown[115]["seats"]}
            assert got[0]["user"]["id"] == 20
            assert got[1]["user"] is None
            assert ann.stood() == bob.stood() == []  # who leaves by himself knows why
            state = await w.hall.ledger.passes(21)
            assert (state["xiangqi"].pass_, state["xiangqi"].highest) == (1, 2)
            carl = await w.person(22)
            assert await carl.refused(commands.Sit(carl.cid(), 115, 1)) == "PASS_TOO_HIGH"

    run(test())


def test_who_loses_his_seat_with_his_pass_is_told_so(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, PASS) as w:
            await passed(w, 2, -5, 20, 21)
            ann, bob = await pair(w, 115, 20, 21)
            eve = await w.person(22)
            await eve.say(commands.Join(115))
            await resign(w, bob, 115)
            assert bob.shown[115]["you"]["seat"] is None
            assert bob.stood() == [{"table": 115, "why": "pass", "need": 2, "have": 1}]
            assert ann.stood() == eve.stood() == []

    run(test())


def test_a_record_is_paid_in_coins_with_the_game(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, PASS) as w:
            await passed(w, 2, 5, 20, 21)
            ann, bob = await pair(w, 115, 20, 21)
            await resign(w, bob, 115)
            assert paid(ann, 115)[20]["coins"] == 30
            assert (await w.hall.ledger.wallet(20)).coins == 30
            line = (await w.hall.ledger.statement(20, reason=None, before=None, most=9))[0]
            assert (line.amount, line.reason) == (30, "record")

    run(test())


def test_the_price_of_leaving_names_pass_points_and_they_are_taken(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, PASS) as w:
            ann, bob = await pair(w, 118, 20, 21)
            await play(w, [ann, bob], 118)
            answer = await bob.say(commands.Stand(bob.cid(), 118))
            assert answer["code"] == "CONFIRM_QUIT"
            assert answer["facts"] == {"score": -2, "pass": -2, "credibility": -5, "coins": 0}
            await bob.done(commands.Stand(bob.cid(), 118, confirm=True))
            await w.rest()
            assert (await w.hall.ledger.passes(21))["xiangqi"].points == -2
            assert (await w.hall.ledger.passes(20))["xiangqi"].points == 1
            standing, trust = await w.hall.ledger.standing(21, "xiangqi")
            assert (standing.score, standing.lost, trust) == (-2, 1, 95)

    run(test())


def test_three_coins_are_too_few_to_enter_to_sit_and_to_stay(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, COIN) as w:
            ann, bob = await w.person(20), await w.person(21)
            await give(w, 20, 3)
            await give(w, 21, 30)
            await ann.say(commands.Enter(2))
            assert ann.got[-1]["code"] == "COINS_TOO_FEW"
            assert ann.got[-1]["facts"] == {"need": 4, "have": 3}
            assert await ann.refused(commands.Sit(ann.cid(), 201, 0)) == "COINS_TOO_FEW"
            guest = await w.person(30, kind="guest")
            await guest.say(commands.Enter(2))
            assert guest.got[-1]["code"] == "SIGN_IN"
            await give(w, 20, 30)
            await ann.say(commands.Enter(2))
            assert ann.of("room")
            await ann.sit(201, 0)
            await bob.sit(201, 1)
            await begin(w, [ann, bob], 201)
            await play(w, [ann, bob], 201)
            answer = await bob.say(commands.Stand(bob.cid(), 201))
            assert answer["facts"] == {"score": 0, "pass": None, "credibility": -5, "coins": -22}
            await resign(w, bob, 201)
            got = paid(ann, 201)
            assert (got[20]["coins"], got[20]["score"]) == (18, None)
            assert [(await w.hall.ledger.wallet(user)).coins for user in (20, 21)] == [51, 8]
            await begin(w, [ann, bob], 201)
            await resign(w, bob, 201)
            # Bob pays the 8 he has; he is stood up with nothing.
            assert [(await w.hall.ledger.wallet(user)).coins for user in (20, 21)] == [57, 0]
            assert [seat["user"] and seat["user"]["id"] for seat in ann.shown[201]["seats"]] == [None, 20]
            stood = [each for each in ann.told(201) if each["e"] == "table.stood"]
            assert stood[-1]["why"] == "coins"
            assert bob.stood() == [{"table": 201, "why": "coins", "need": 4, "have": 0}]
            assert ann.stood() == guest.stood() == []
            assert await w.store.read(lambda db: books.total(db)) == 0
            assert await w.store.read(lambda db: books.balance(db, HOUSE)) == 6
            assert await w.store.read(lambda db: books.balance(db, GRANTS)) == -63

    run(test())


def test_coins_spent_while_a_game_runs_are_not_played_for(tmp_path: Path) -> None:
    """The books move under a running game: its end is reckoned again with what is there."""

    async def test() -> None:
        async with world(tmp_path, COIN) as w:
            for user in (20, 21):
                await give(w, user, 30)
            ann, bob = await pair(w, 201, 20, 21)
            await w.hall.ledger.buy(21, "member_days", 12, None, ref="", now=w.clock.now())  # 6 are left
            await resign(w, bob, 201)
            await w.rest()
            assert ann.shown[201]["result"]["paid"][0]["coins"] == 4
            assert [(await w.hall.ledger.wallet(user)).coins for user in (20, 21)] == [34, 0]
            scored = [each for each in ann.told(201) if each["e"] == "table.scored"]
            assert all("holdings" not in each for each in scored)  # what he owns is not told to the table
            assert await w.store.read(lambda db: books.total(db)) == 0

    run(test())


def test_who_has_left_may_spend_his_coins_before_the_deal_is_paid(tmp_path: Path) -> None:
    async def test() -> None:
        room = Room(2, "shengji", "coin", terms=Terms(factor=10, fee=2), options={"decks": 1})
        async with world(tmp_path, room) as w:
            for user in (20, 21, 22, 23):
                await give(w, user, 100)
            people = await pair(w, 201, 20, 21, 22, 23)
            for person in people:
                await person.seed(201, "x")
            await people[3].done(commands.Stand(people[3].cid(), 201, confirm=True))
            await w.hall.ledger.buy(23, "member_days", 45, None, ref="", now=w.clock.now())  # 10 are left
            await play_out(w, people[:3], 201)
            assert people[0].shown[201]["result"]["paid"][3]["coins"] == -10
            assert (await w.hall.ledger.wallet(23)).coins == 0
            assert await w.store.read(lambda db: books.total(db)) == 0

    run(test())


def test_two_tables_at_once_never_pay_out_of_the_same_coins(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, COIN) as w:
            for user in (20, 21, 22):
                await give(w, user, 30)
            one = await pair(w, 201, 20, 21)
            two = await pair(w, 202, 22, 20)
            second = next(p for p in two if p.user and p.user.id == 20)
            await play(w, one, 201)
            await play(w, two, 202)
            await asyncio.gather(
                one[0].act(201, {"a": "resign"}),
                second.act(202, {"a": "resign"}),
            )
            await w.rest()
            coins = [(await w.hall.ledger.wallet(user)).coins for user in (20, 21, 22)]
            assert coins[0] == 0
            assert sorted(coins[1:]) == [36, 48]  # 20 from the first game, 8 were left for the second
            assert await w.store.read(lambda db: books.total(db)) == 0

    run(test())


def test_a_game_of_two_is_rated_by_glicko_and_a_short_one_is_not(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            ann, bob = await pair(w, 301, 20, 21)
            await resign(w, bob, 301, at_once=True)
            assert paid(ann, 301)[20]["rating"] is None
            await begin(w, [ann, bob], 301)
            await play(w, [ann, bob], 301)
            await resign(w, bob, 301)
            got = paid(ann, 301)
            assert (got[20]["rating"]["shown"], got[20]["rating"]["change"]) == (1662, 162)
            assert (got[21]["rating"]["shown"], got[21]["rating"]["sure"]) == (1338, False)
            found = (await w.hall.ledger.ratings(20))["xiangqi"]
            assert isinstance(found, Duel)
            assert (round(found.r, 4), found.games) == (1662.3109, 1)
            await begin(w, [ann, bob], 301)
            await play(w, [ann, bob], 301)
            await resign(w, ann, 301)
            again = (await w.hall.ledger.ratings(20))["xiangqi"]
            assert again.r < found.r  # type: ignore[union-attr]
            assert again.games == 2  # type: ignore[union-attr]

    run(test())


def test_books_that_count_are_made_again_to_the_same_bytes(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, PASS, COIN, SCORE) as w:
            for user in (20, 21):
                await w.hall.ledger.welcome(user, w.clock.now())
                await w.hall.ledger.welcome(user, w.clock.now())  # once
            assert (await w.hall.ledger.wallet(20)).coins == 200
            for table in (118, 201, 301):
                people = await pair(w, table, 20, 21)
                await play(w, people, table)
                await resign(w, people[1], table)
                for person in people:
                    await person.done(commands.Stand(person.cid(), table))
            await w.hall.ledger.buy(21, "reset_score", 1, "xiangqi", ref="", now=w.clock.now())
            await w.hall.ledger.grant(21, "hearts", 3, "", by=1, now=w.clock.now())
            await w.hall.ledger.buy(21, "hearts_to_coins", 2, None, ref="", now=w.clock.now())
            before = await of_books(w)
            assert all(before[name] for name in ("scores", "transfers", "balances", "passes", "ratings"))
            await rebuild(w.store)
            assert await of_books(w) == before
            assert await w.store.read(lambda db: books.total(db)) == 0

    run(test())


def test_a_month_is_paid_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, PASS) as w:
            await passed(w, 3, 0, 20, 21)
            _ann, bob = await pair(w, 112, 20, 21)
            await resign(w, bob, 112)
            now = w.clock.now()
            assert await w.hall.ledger.pay_month(now) == 0  # of last month
            month = 31 * 86_400_000
            assert await w.hall.ledger.pay_month(now + month) == 2
            assert await w.hall.ledger.pay_month(now + month) == 0
            assert [(await w.hall.ledger.wallet(user)).coins for user in (20, 21)] == [40, 40]

    run(test())


def test_a_month_is_paid_though_the_hall_stood_still_at_its_end(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, PASS) as w:
            await passed(w, 3, 0, 20)
            _ann, bob = await pair(w, 118, 20, 21)
            await resign(w, bob, 118)
            later = w.clock.now() + 100 * 86_400_000
            assert await w.hall.ledger.pay_month(later) == 1
            assert await w.hall.ledger.pay_month(later) == 0
            rows = await w.store.read(
                lambda db: db.execute("SELECT stream FROM events WHERE type = 'pass.month' ORDER BY id").fetchall()
            )
            assert [stream for (stream,) in rows] == ["passes:2026-09", "passes:2026-10", "passes:2026-11"]

    run(test())


def test_a_hall_without_coins_pays_no_month(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, PASS, config=quick(coins={"enabled": False})) as w:
            await passed(w, 3, 0, 20)
            _ann, bob = await pair(w, 118, 20, 21)
            await resign(w, bob, 118)
            assert await w.hall.ledger.pay_month(w.clock.now() + 31 * 86_400_000) == 0
            assert (await of_books(w))["transfers"] == []

    run(test())


async def one_more(w: World, people: list[Person], table: int) -> None:
    await begin(w, people, table)
    await resign(w, people[0], table)


def test_who_leaves_before_the_agreed_number_of_games_is_fined(tmp_path: Path) -> None:
    async def test() -> None:
        room = Room(3, "xiangqi", "score", terms=Terms(min_games=3))
        async with world(tmp_path, room) as w:
            ann, bob = await pair(w, 301, 20, 21)
            answer = await bob.say(commands.Stand(bob.cid(), 301))
            assert answer["facts"]["score"] == -32  # the running game is owed, too
            await resign(w, bob, 301)
            cost = await ann.say(commands.Stand(ann.cid(), 301))
            assert cost["facts"] == {"score": -20, "pass": None, "credibility": -5, "coins": 0}
            await one_more(w, [bob, ann], 301)
            assert (await ann.say(commands.Stand(ann.cid(), 301)))["facts"]["score"] == -10
            await bob.done(commands.Stand(bob.cid(), 301, confirm=True))
            fined = [each for each in ann.told(301) if each["e"] == "table.fined"]
            assert [(each["user"]["id"], each["score"], each["credibility"]) for each in fined] == [(21, -10, -5)]
            standing, trust = await w.hall.ledger.standing(21, "xiangqi")
            assert (standing.score, standing.lost, trust) == (-14, 2, 95)
            await ann.done(commands.Stand(ann.cid(), 301))  # with the other gone nothing is owed
            before = await of_books(w)
            await rebuild(w.store)
            assert await of_books(w) == before

    run(test())


def test_enough_games_or_an_agreement_to_stop_cost_nothing(tmp_path: Path) -> None:
    async def test() -> None:
        room = Room(3, "xiangqi", "score", terms=Terms(min_games=2))
        async with world(tmp_path, room) as w:
            ann, bob = await pair(w, 301, 20, 21)
            await resign(w, bob, 301)
            await one_more(w, [bob, ann], 301)
            await bob.done(commands.Stand(bob.cid(), 301))
            await bob.sit(301, next(s for s, c in enumerate(w.table(301).chairs) if c.user is None))
            await begin(w, [ann, bob], 301)
            await ann.done(commands.Offer(ann.cid(), 301, "stop"))
            await bob.done(commands.Answer(bob.cid(), 301, w.table(301).offer_no, True))
            await w.rest()
            await bob.done(commands.Stand(bob.cid(), 301))
            assert (await w.hall.ledger.standing(21, "xiangqi"))[0].score == -4

    run(test())


def test_a_special_room_says_so_on_entry_and_high_totals_count_more(tmp_path: Path) -> None:
    async def test() -> None:
        options = {"big_sweep_points": 6}
        room = Room(4, "shengji", "score", key="special", options=options, terms=Terms(brackets="all_in_bracket"))
        async with world(tmp_path, room, Room(3, "xiangqi", "score", terms=Terms(brackets="all_in_bracket"))) as w:
            ann = await w.person(20)
            await ann.say(commands.Enter(4))
            line = ann.of("chat")[-1]
            assert (line["code"], line["facts"], line["from"]) == ("special", {"points": 6}, None)
            await ann.join(401)
            (told,) = [line for line in ann.shown[401]["chat"] if line["code"] == "special"]  # at the table, too
            assert (told["to"], told["facts"]) == ("table:401", {"points": 6})
            for user in (20, 21):
                await w.store.transaction(
                    lambda db, user=user: db.execute("INSERT INTO scores VALUES (?, 'xiangqi', 400, 0, 0, 0)", (user,))  # type: ignore[misc]
                )
            _ann, bob = await pair(w, 301, 20, 21)
            await resign(w, bob, 301)
            assert [(await w.hall.ledger.standing(user, "xiangqi"))[0].score for user in (20, 21)] == [406, 394]
            await begin(w, [_ann, bob], 301)
            assert (await bob.say(commands.Stand(bob.cid(), 301)))["facts"]["score"] == -6  # RP-20
            await bob.done(commands.Stand(bob.cid(), 301, confirm=True))
            assert (await w.hall.ledger.standing(21, "xiangqi"))[0].score == 388

    run(test())


@pytest.mark.slow
def test_who_has_lost_enough_today_sits_down_again_tomorrow(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, COIN, config=quick(coins={"daily_loss": 40})) as w:
            for user in (20, 21):
                await give(w, user, 200)
            _ann, bob = await pair(w, 201, 20, 21)
            await resign(w, bob, 201)
            await bob.done(commands.Stand(bob.cid(), 201))
            await bob.sit(201, next(s for s, c in enumerate(w.table(201).chairs) if c.user is None))  # 22 are lost
            await begin(w, [_ann, bob], 201)
            await resign(w, bob, 201)
            answer = await bob.say(commands.Ready(bob.cid(), 201, True))  # nor may he go on where he sits
            assert (answer["code"], answer["facts"]) == ("DAILY_LIMIT", {"most": 40})
            await bob.done(commands.Stand(bob.cid(), 201))
            answer = await bob.say(commands.Sit(bob.cid(), 202, 0))
            assert (answer["code"], answer["facts"]) == ("DAILY_LIMIT", {"most": 40})
            await _ann.sit(202, 0)  # who has won may
            await w.jump(86_400_000)
            await bob.sit(202, 1)

    run(test())


def test_players_are_found_by_the_grade_they_have_in_a_game_or_at_best(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            rows = [
                (20, "xiangqi", 19),
                (20, "gouji", 60),
                (21, "xiangqi", 20),
                (22, "xiangqi", -5),
                (23, "gouji", 60000),
            ]
            for row in rows:
                await w.store.transaction(
                    lambda db, row=row: db.execute("INSERT INTO scores VALUES (?, ?, ?, 0, 0, 0)", row)  # type: ignore[misc]
                )
            graded = w.hall.ledger.graded
            assert await graded("xiangqi", 1) == {20}
            assert await graded("xiangqi", 2) == {21}
            assert await graded("xiangqi") == {20, 21}
            assert await graded(None, 3) == {20}
            assert await graded(None, 13) == {23}
            assert await graded(None) == {20, 21, 23}

    run(test())


def test_what_is_given_up_before_both_have_moved_twice_counts_for_nobody(tmp_path: Path) -> None:
    """P-38: neither pass nor score, whoever gives up and how; who leaves pays for that all the same."""

    async def test() -> None:
        async with world(tmp_path, PASS) as w:
            people = ann, bob = await pair(w, 118, 20, 21)
            for number in range(6):
                if number:
                    await begin(w, people, 118)
                red = next(p for p in people if p.shown[118]["you"]["seat"] == 0)
                black = next(p for p in people if p is not red)
                if number % 2:
                    await move(red, 118, "h2e2")
                    await move(black, 118, "h9g7")
                    await move(red, 118, "h0g2")
                await resign(w, bob, 118, at_once=True)
                result = ann.shown[118]["result"]
                assert result["short"]
                assert [(one["score"], one["pass"], one["credibility"]) for one in result["paid"]] == [(None,) * 3] * 2
            assert await w.hall.ledger.passes(20) == await w.hall.ledger.standings(20) == {}  # type: ignore[comparison-overlap]
            career = (await w.hall.history.careers(20))[0]
            assert (career.all.won, career.friendly.won) == (0, 0)
            await begin(w, people, 118)
            await bob.done(commands.Stand(bob.cid(), 118, confirm=True))
            await w.rest()
            assert (await w.hall.ledger.passes(21))["xiangqi"].points == -2
            assert await w.hall.ledger.passes(20) == {}
            before = await of_books(w)
            await rebuild(w.store)
            assert await of_books(w) == before

    run(test())


def test_a_hand_that_wins_as_it_was_dealt_counts(tmp_path: Path) -> None:
    """Who is never asked has given nothing up: only what somebody ends as his loss is too short to count."""

    async def test() -> None:
        async with world(tmp_path, Room(1, "mahjong", "score"), Room(2, "xiangqi", "score")) as w:
            ann = await w.person(20)
            await ann.sit(101, 0)
            for seat in (1, 2, 3):
                other = await w.person(20 + seat)
                await other.sit(101, seat)
            for user in range(20, 24):
                await w.people[user].ready(101)
            await w.jump(3000)
            table = w.table(101)
            assert not any(table.deal.moves)
            assert not settlement.short(table, (6, -2, -2, -2))
            board = await pair(w, 201, 30, 31)
            assert settlement.short(w.table(201), (2, -2))  # the hall has ended it, or its loser
            await play(w, board, 201)
            assert not settlement.short(w.table(201), (2, -2))

    run(test())
