"""Money is exact: a thousand random games, leavers, shortages, purchases, a hall that dies, and the sum stays."""

from __future__ import annotations

import random
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_counts import of_books
from tests.hall.world import Jumping, Names, Person, World, run, world

from qipai.hall.records.rebuild import rebuild
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.model import Terms
from qipai.ledger import books
from qipai.ledger.model import GRANTS
from qipai.store import Sqlite

GAMES, LIVES = 1000, 5
NUMBERS = count(1)
PEOPLE = range(20, 32)
COINS = Terms(factor=7, fee=3)
ROOMS = (
    Room(1, "xiangqi", "coin", terms=COINS),
    Room(2, "xiangqi", "pass", tables=18),
    Room(3, "xiangqi", "score"),
    Room(4, "backgammon", "coin", terms=COINS),
    Room(5, "lianliankan", "coin", terms=COINS, seats=3, options={"rows": 2, "cols": 4, "kinds": 2}),
    Room(6, "mahjong", "coin", terms=COINS),
    Room(7, "shengji", "coin", terms=COINS, options={"decks": 1}),
    Room(8, "gouji", "coin", terms=COINS),
    Room(9, "baohuang", "coin", terms=COINS),
    Room(10, "mahjong", "coin", key="void", terms=Terms(factor=7, fee=3, substitute=False)),
)
# Where the next game is played; games of cards take long, so there are few of them.
TABLES = [101, 102, 218, 301] * 12 + [401, 402, 501, 502] * 3 + [601, 602, 701, 1001] + [801]
RARE = [901, 802]


async def one_game(w: World, luck: random.Random, table: int, *, leave_off: bool = False) -> bool:
    """Let people sit down somewhere, play a little, and end it in one of many ways; tell whether they played.

    leave_off: they are in the middle of it.
    """
    began = False
    room = ROOMS[table // 100 - 1]
    people: list[Person] = [await w.person(user) for user in luck.sample(PEOPLE, room.places)]
    for person in people:
        person.cid = lambda: f"c{next(NUMBERS)}"  # type: ignore[method-assign]  # never one twice in so many games
    for seat, person in enumerate(people):
        answer = await person.say(commands.Sit(person.cid(), table, seat))
        if answer["t"] == "err":
            assert answer["code"] == "COINS_TOO_FEW"
            user = person.user
            assert user is not None
            await w.hall.ledger.grant(user.id, "coins", luck.randrange(1, 60), "", by=1, now=w.clock.now())
            break
    else:
        for person in people:
            await person.ready(table)
        if w.table(table).coming is not None:
            await w.jump(3000)  # nobody sends a seed
        await w.rest()
        began = w.table(table).playing
        if began and leave_off:
            for _ in range(3):
                await act(w, luck, table, people)
            if w.table(table).playing:
                return True
        elif began:
            await the_end(w, luck, table, people)
    for person in people:
        if person.session in w.hall.people.sessions:
            if w.table(table).seat_of(person.session.user_id) is not None:
                await person.done(commands.Stand(person.cid(), table, confirm=True))
            await person.hang_up()
    return began


async def the_end(w: World, luck: random.Random, table: int, people: list[Person]) -> None:
    loser = luck.choice(people)
    user = loser.user
    assert user is not None
    for _ in range(luck.randrange(4)):
        await act(w, luck, table, people)
    match luck.randrange(6):
        case 0:  # leaves
            if w.table(table).playing:
                await loser.done(commands.Stand(loser.cid(), table, confirm=True))
            people = [person for person in people if person is not loser]
        case 1:  # loses his line and stays away
            await loser.hang_up()
            people = [person for person in people if person is not loser]
            await w.jump(61_000)
        case 2:  # spends his coins meanwhile, behind the table's back
            wallet = await w.hall.ledger.wallet(user.id)
            if wallet.coins > 6:
                days = luck.randrange(1, wallet.coins // 2)
                await w.hall.ledger.buy(user.id, "member_days", days, None, ref="", now=w.clock.now())
        case 3:  # all agree to stop
            if w.table(table).playing and len(people) == 2:
                await loser.done(commands.Offer(loser.cid(), table, "stop"))
                other = next(person for person in people if person is not loser)
                await other.done(commands.Answer(other.cid(), table, w.table(table).offer_no, True))
        case _:
            pass
    for number in range(5000):
        if not w.table(table).playing:
            return
        await act(w, luck, table, people, resigning=number > 3)
    raise AssertionError("the game does not end")


async def act(w: World, luck: random.Random, table: int, people: list[Person], *, resigning: bool = False) -> None:
    """Let somebody who is asked do anything listed, give the game up where one can; else let time pass."""
    asked = [person for person in people if person.shown[table]["ask"] and person.shown[table]["legal"]]
    if not asked:
        await w.jump(1000)
        return
    person = luck.choice(asked)
    shown = person.shown[table]
    listed, leaving = shown["legal"]["list"], shown["legal"].get("leaving", [])
    ends = [one for one in [*listed, *leaving] if one["a"] in ("resign", "accept", "drop")]
    action = luck.choice(ends if ends and resigning else listed)
    answer = await person.say(commands.Act(person.cid(), table, action, shown["ask"]["id"]))
    assert answer["t"] == "ack" or answer["code"] in ("hasty", "erred", "STALE"), answer


@pytest.mark.slow
def test_a_thousand_games_keep_the_sum(tmp_path: Path) -> None:
    clock, names = Jumping(), Names()
    luck = random.Random(49)

    async def test() -> None:
        granted = 0
        for life in range(LIVES):
            async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
                assert w.store._db is not None
                if isinstance(w.store, Sqlite):
                    w.store._db.execute("PRAGMA synchronous=OFF")  # a thousand games wait for no disk
                w.luck.ids = NUMBERS
                if not granted:
                    for user in PEOPLE:
                        await w.hall.ledger.welcome(user, clock.now())
                played = await one_game(w, luck, RARE[life % 2])
                while played < GAMES // LIVES:
                    played += await one_game(w, luck, luck.choice(TABLES))  # type: ignore[assignment]
                    if played % 20 == 0:
                        granted = await check(w)
                running = 0
                while running < 3:  # a table each that nobody has sat at, in three rooms
                    running += await one_game(w, luck, (104, 404, 604)[running] + life, leave_off=True)
                granted = await check(w)
                await w.kill()
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            await w.jump(3_600_000)  # what was left off is played out without them
            assert not any(live.table.playing for live in w.hall.runner.tables.values())
            before = await of_books(w)
            kinds = dict(
                await w.store.read(lambda db: db.execute("SELECT game, count(*) FROM games GROUP BY game").fetchall())
            )
            assert sum(kinds.values()) >= GAMES
            assert kinds.keys() == {room.game for room in ROOMS}
            await rebuild(w.store)
            assert await of_books(w) == before
            assert await check(w) == granted

    run(test())


async def check(w: World) -> int:
    """Assert that nothing was made or lost; return what the grants have given out."""

    def look(db: Any) -> tuple[int, int, list[Any], list[Any]]:
        below = db.execute("SELECT * FROM balances WHERE amount < 0 AND account != ?", (GRANTS,)).fetchall()
        sums = db.execute(
            "SELECT account, amount, moved FROM (SELECT b.account, b.amount,"
            " (SELECT coalesce(sum(amount), 0) FROM transfers WHERE target = b.account)"
            " - (SELECT coalesce(sum(amount), 0) FROM transfers WHERE source = b.account) AS moved"
            " FROM balances b WHERE b.currency = 'coins') WHERE amount != moved"
        ).fetchall()
        return books.total(db), -books.balance(db, GRANTS), below, sums

    total, granted, below, wrong = await w.store.read(look)
    assert (total, below, wrong) == (0, [], [])
    given = await w.store.read(
        lambda db: db.execute("SELECT sum(amount) FROM transfers WHERE source = ?", (GRANTS,)).fetchone()[0]
    )
    assert granted == given
    return int(granted)
