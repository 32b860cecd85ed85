"""Play a deal against bots as a program does, by the first thing that is legal, and print its id.

python -m tests.e2e.finished URL NAME GAME

In a process of its own: while playwright runs, that of the tests can start no event loop.
"""

from __future__ import annotations

import asyncio
import random
import sys

from tests.client import Person, chosen


async def finish(url: str, name: str, game: str) -> str:
    """Return the id of a game that somebody with this name has played."""
    async with Person(url) as one:
        await one.register(name, "a long enough word")
        await one.line()
        at = (await one.post("/play", {"game": game, "level": "easy"}))["table"]
        table = await one.join(at)
        await table.until(lambda t: t.game)
        id = str(table.game["game_id"])
        await chosen(table, random.Random(5), lambda t: t.result is not None)
        return id


if __name__ == "__main__":
    print(asyncio.run(finish(*sys.argv[1:4])))
