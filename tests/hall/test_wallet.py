"""What people buy at once (P-55): each purchase is carried out or refused by its own reason, and the books agree."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

from tests.hall.world import run, world

from qipai.hall.rooms.rooms import Room
from qipai.ledger.service import Bought, Denied


def test_fifty_purchases_at_once_are_carried_out_as_far_as_the_coins_go(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "xiangqi", "score")) as w:
            await w.person(5)
            ledger, now = w.hall.ledger, w.clock.now()
            await ledger.grant(5, "coins", 80, "for the shop", by=None, now=now)
            done = await asyncio.gather(
                *[ledger.buy(5, "member_days", 1, None, ref="", now=now, cid=f"c{n}") for n in range(50)],
                return_exceptions=True,
            )
            found = Counter(one.code if isinstance(one, Denied) else type(one).__name__ for one in done)
            assert found == {Bought.__name__: 40, "INSUFFICIENT_COINS": 10}
            assert (await ledger.wallet(5)).coins == 0
            assert sum(line.amount for line in await ledger.whole_statement(5)) == 0
            # Of another's wallet nobody waits for this one; the same cid is carried out once.
            await ledger.grant(6, "coins", 4, "for the shop", by=None, now=now)
            await asyncio.gather(
                *[ledger.buy(6, "member_days", 1, None, ref="", now=now, cid="same") for _ in range(5)]
            )
            assert (await ledger.wallet(6)).coins == 2

    run(test())
