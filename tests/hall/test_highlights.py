"""A person's games from afar: days, partners, opponents, the best deals, each by an index (P-4)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.world import run, world

from qipai.hall.records import highlights
from qipai.hall.rooms.rooms import Room
from qipai.store import Connection

DAY = 86400
NOON = 20_000 * DAY + DAY // 2  # 2024-10-04
COLUMNS = "user, id, seat, game, at, n, points, counted, sign, why"


def add(db: Connection, n: int, game: str, why: str, *people: tuple[int, int, int, int]) -> None:
    """Write a finished game, as the hall writes it. people: (user, seat, points, sign)."""
    for user, seat, points, sign in people:
        row = (user, f"g{n}", seat, game, NOON + n * DAY // 4, n, points, 1, sign, why)
        db.execute(f"INSERT INTO parts ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    for table, column, value in (("ends", "side", "0"), ("reasons", "why", why)):
        db.execute(
            f"INSERT INTO {table} (game, {column}, count) VALUES (?, ?, 1)"
            f" ON CONFLICT (game, {column}) DO UPDATE SET count = {table}.count + 1",
            (game, value),
        )


def lived(db: Connection) -> None:
    """Four plays of 20 with 21 on their side and 22 against them, and six games of xiangqi with 22."""
    for n, sign in ((1, 1), (2, 1), (3, -1), (4, 0)):
        add(db, n, "gouji", "done", (20, 0, 3 * n * sign, sign), (21, 2, 3 * n * sign, sign), (22, 1, -sign, -sign))
    for n in range(5, 10):
        add(db, n, "xiangqi", "mate", (20, 0, 2, 1), (22, 1, -2, -1))
    add(db, 10, "xiangqi", "stalemate", (20, 0, 2, 1), (22, 1, -2, -1))
    add(db, 11, "doudizhu", "done", (20, 1, 1, 1), (21, 2, 1, 1), (22, 0, -2, -1))


def test_partners_are_who_sits_on_ones_side_and_the_best_deals_are_found(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "xiangqi", "friendly")) as w:
            await w.store.transaction(lived)
            past = w.hall.history
            company = await past.company(20, None)
            # At dou dizhu sides are found in play: the two peasants have won together.
            assert company.partners == [highlights.Ally(21, 5, 3, 1, 1)]
            assert company.opponents == [highlights.Met(22, 11, 9, 1, 1)]
            best = await past.best(20, None)
            # At xiangqi every win is worth the same: none has the most points, and one has a rare end.
            found: list[tuple[Any, ...]] = [(one.kind, one.game, one.id, one.points, one.share) for one in best]
            assert found == [("points", "gouji", "g2", 6, None), ("rare", "xiangqi", "g10", 2, "16.66")]
            since = NOON - DAY // 2
            days = await past.days(20, None, since, 0)
            assert days == [("2024-10-04", 1), ("2024-10-05", 4), ("2024-10-06", 4), ("2024-10-07", 2)]
            assert (await past.days(20, None, since, 8 * 3600))[0] == ("2024-10-05", 4)
            assert (await past.likes(20), await past.likes(99)) == (["xiangqi", "gouji", "doudizhu"], [])
            assert await past.popular() == {"gouji": 4, "xiangqi": 6, "doudizhu": 1}

    run(test())


@pytest.mark.embedded
def test_what_a_profile_asks_is_found_by_an_index_however_many_games_there_are(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "xiangqi", "friendly")) as w:
            asked: list[tuple[str, tuple[Any, ...]]] = [
                (highlights.DAYS, (20, None, 0, 0)),
                (highlights.COMPANY, (20, None)),
                (highlights.MOST, (20, None, "gouji")),
                (highlights.LEAST, (20, "gouji")),
                (highlights.ENDED_SO, (20, None, "gouji", "done")),
                (highlights.LIKES, (20, 9)),
            ]
            for sql, facts in asked:

                def plan(db: Connection, sql: str = sql, facts: tuple[Any, ...] = facts) -> list[str]:
                    return [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}", facts)]

                steps = await w.store.read(plan)
                scans = [one for one in steps if one.startswith("SCAN") and "(subquery" not in one]
                assert not scans, (sql, steps)
                assert any(one.startswith("SEARCH") for one in steps)
                # The best one stands first in its index: nothing is sorted.
                assert "LIMIT 1" not in sql or not any("TEMP B-TREE" in one for one in steps), (sql, steps)

    run(test())
