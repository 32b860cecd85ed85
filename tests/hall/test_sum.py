"""Money is exact: a thousand random games, leavers, shortages, purchases, a hall that dies, and the sum stays."""

from __future__ import annotations

import random
from itertools import count
from pathlib import Path
from typing import Any

from tests.hall.test_counts import of_books
from tests.hall.world import Jumping, Names, Person, World, run, world

from qipai.hall import commands
from qipai.hall.model import Terms
from qipai.hall.rebuild import rebuild
from qipai.hall.rooms import Room
from qipai.ledger import books
from qipai.ledger.model import GRANTS

GAMES = 1000
NUMBERS = count(1)
PEOPLE = range(20, 28)
ROOMS = (
    Room(1, "xiangqi", "coin", terms=Terms(factor=7, fee=3)),
    Room(2, "xiangqi", "pass", tables=18),
    Room(3, "xiangqi", "score"),
)


async def one_game(w: World, luck: random.Random) -> None:
    """Let two people sit down somewhere, play a little, and end it in one of many ways."""
    pair: list[Person] = [await w.person(user) for user in luck.sample(PEOPLE, 2)]
    for person in pair:
        person.cid = lambda: f"c{next(NUMBERS)}"  # type: ignore[method-assign]  # never one twice in so many games
    table = luck.choice((101, 102, 218, 301))
    for seat, person in enumerate(pair):
        answer = await person.say(commands.Sit(person.cid(), table, seat))
        if answer["t"] == "err":
            assert answer["code"] == "COINS_TOO_FEW"
            user = person.user
            assert user is not None
            await w.hall.ledger.grant(user.id, "coins", luck.randrange(1, 40), "", by=1, now=w.clock.now())
            break
    else:
        for person in pair:
            await person.ready(table)
        await w.rest()
        if w.table(table).playing:
            await the_end(w, luck, table, pair)
    for person in pair:
        if person.session in w.hall.sessions:
            if w.table(table).seat_of(person.session.user_id) is not None:
                await person.done(commands.Stand(person.cid(), table))
            await person.hang_up()


async def the_end(w: World, luck: random.Random, table: int, pair: list[Person]) -> None:
    loser = luck.choice(pair)
    user = loser.user
    assert user is not None
    match luck.randrange(6):
        case 0:  # leaves
            await loser.done(commands.Stand(loser.cid(), table, confirm=True))
        case 1:  # loses his line and stays away
            await loser.hang_up()
            await w.jump(61_000)
        case 2:  # spends his coins meanwhile, behind the table's back
            wallet = await w.hall.ledger.wallet(user.id)
            if wallet.coins > 6:
                days = luck.randrange(1, wallet.coins // 2)
                await w.hall.ledger.buy(user.id, "member_days", days, None, ref="", now=w.clock.now())
            await loser.act(table, {"a": "resign"})
        case 3:  # both agree to stop
            await loser.done(commands.Offer(loser.cid(), table, "stop"))
            other = next(person for person in pair if person is not loser)
            await other.done(commands.Answer(other.cid(), table, w.table(table).offer_no, True))
        case _:
            await loser.act(table, {"a": "resign"})
    await w.rest()
    assert not w.table(table).playing


def test_a_thousand_games_keep_the_sum(tmp_path: Path) -> None:
    clock, names = Jumping(), Names()
    luck = random.Random(49)

    async def test() -> None:
        granted = 0
        for _life in range(5):
            async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
                assert w.store._db is not None
                w.store._db.execute("PRAGMA synchronous=OFF")  # a thousand games wait for no disk
                w.hall.umpire.name = lambda: f"game{next(NUMBERS):06}"
                if not granted:
                    for user in PEOPLE:
                        await w.hall.ledger.welcome(user, clock.now())
                for _ in range(GAMES // 5):
                    await one_game(w, luck)
                granted = await check(w)
                await w.kill()  # in the middle of whatever goes on
        async with world(tmp_path, *ROOMS, clock=clock, names=names) as w:
            before = await of_books(w)
            games = await w.store.read(lambda db: db.execute("SELECT count(*) FROM games").fetchone()[0])
            assert games > GAMES // 2
            await rebuild(w.store)
            assert await of_books(w) == before
            assert await check(w) == granted

    run(test())


async def check(w: World) -> int:
    """Assert that nothing was made or lost; return what the grants have given out."""

    def look(db: Any) -> tuple[int, int, list[Any], list[Any]]:
        below = db.execute("SELECT * FROM balances WHERE amount < 0 AND account != ?", (GRANTS,)).fetchall()
        sums = db.execute(
            "SELECT b.account, b.amount, (SELECT coalesce(sum(amount), 0) FROM transfers WHERE target = b.account)"
            " - (SELECT coalesce(sum(amount), 0) FROM transfers WHERE source = b.account) AS moved"
            " FROM balances b WHERE b.currency = 'coins' AND b.amount != moved"
        ).fetchall()
        return books.total(db), -books.balance(db, GRANTS), below, sums

    total, granted, below, wrong = await w.store.read(look)
    assert (total, below, wrong) == (0, [], [])
    given = await w.store.read(
        lambda db: db.execute("SELECT sum(amount) FROM transfers WHERE source = ?", (GRANTS,)).fetchone()[0]
    )
    assert granted == given
    return int(granted)
