"""The hall goes down, at once or in order, and its people play on by themselves (platform W17, P-99, P-100)."""

from __future__ import annotations

import asyncio
import random
import signal
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from tests.client import Person, Refused, Server, Table
from tests.hall.walks.places import Hall, begun, people, room, seated, standing
from tests.hall.web.conftest import SETTINGS, run, shared
from tests.stores import beside

from qipai import cli

pytestmark = pytest.mark.slow

GAMES_OF_TWO, GAMES_WITH_BOTS = 10, 10
BOOKS = ("transfers", "balances", "scores", "credibility", "ratings", "passes", "games", "tables", "ends", "parts")


class Player:
    """Somebody who plays one seat from what `legal` lists, for as long as it is wanted, and never gives up."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table, self.luck = table, random.Random(seed)
        self.acked: list[str] = []
        self.wanted = True

    @property
    def over(self) -> bool:
        return self.table.result is not None

    async def play(self) -> None:
        table = self.table
        while True:
            await table.until(lambda t: not self.wanted or t.result or (t.ask and t.legal and t.legal["list"]))
            if not self.wanted or table.result:
                return
            with suppress(Refused):  # a question that went by while the line was down: STALE
                self.acked.append((await table.act(self.luck.choice(table.legal["list"])))["cid"])

    def leave(self) -> None:
        self.wanted = False
        self.table.person._changed.set()


def stored(server: Server) -> Counter[str]:
    """The cids in the log."""
    with beside(server.data) as db:
        rows = db.execute("SELECT cid FROM events WHERE cid IS NOT NULL AND type = 'game.acted'").fetchall()
        return Counter(cid for (cid,) in rows)


def books(data: Path) -> bytes:
    """Return all that follows from the log, as text: what `rebuild` makes."""
    with beside(data) as db:
        found = {name: db.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in BOOKS}
    for name in ("games", "tables", "scores", "ends", "parts"):
        assert found[name], name
    return repr(found).encode()


async def all_seated(everybody: list[Person]) -> list[Player]:
    """Twenty running tables, and who plays there."""
    players = []
    score = 100 * await room(everybody[0], "xiangqi", "score")
    for number in range(GAMES_OF_TWO):
        pair = await seated(everybody[2 * number : 2 * number + 2], score + number + 1)
        for table in pair:
            await table.do("ready", on=True)
        players += [Player(table, number) for table in pair]
    for person in everybody[2 * GAMES_OF_TWO :]:
        made = await person.post("/play", {"game": "gouji", "level": "easy", "options": {"burn_seconds": 1}})
        players.append(Player(await person.join(made["table"]), 7))
    for player in players:
        await player.table.until(lambda t: t.info["state"] == "playing")
    return players


def test_w17_a_kill_loses_no_acknowledged_move_and_everybody_plays_on(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    async def visit(server: Server) -> None:
        everybody = [Person(server, seed=n) for n in range(2 * GAMES_OF_TWO + GAMES_WITH_BOTS)]
        try:
            for number, person in enumerate(everybody):
                await (person.register(f"p{number:03}") if number < 2 * GAMES_OF_TWO else person.guest())
                await person.line()
            players = await all_seated(everybody)
            tasks = [asyncio.create_task(player.play()) for player in players]
            while sum(len(player.acked) for player in players) < 400:
                await asyncio.sleep(0.01)

            server.kill()
            acked = [list(player.acked) for player in players]
            assert sum(player.over for player in players) <= 4  # at least eighteen tables are in the middle of it
            kept = stored(server)
            for cids in acked:
                for cid in cids:
                    assert kept[cid] == 1
            await asyncio.to_thread(server.start)

            def goes_on(player: Player, before: list[str]) -> bool:
                return player.over or len(player.acked) > len(before)

            for player, before in zip(players, acked, strict=True):
                await player.table.until(lambda _, p=player, b=before: goes_on(p, b))  # type: ignore[misc]
            for player in players:
                player.leave()
            await asyncio.gather(*tasks)

            kept = stored(server)
            assert all(kept[cid] == 1 for player in players for cid in player.acked)
            for player in players:
                person, table = player.table.person, player.table
                if server.anywhere is None:
                    assert (person.trips, person.codes) == (2, [1006])
                else:  # of nodes one after the other is killed; who comes to one whose leader is gone is sent on
                    assert person.trips >= 2
                assert table.snapshots >= 2
                seq = table.seq
                assert (await person.join(table.id)).seq >= seq
            # Something is won and lost for good, too, so that there is more to make again than tables.
            for player in players[: 2 * GAMES_OF_TWO : 2]:
                if not player.over:
                    await player.table.person.command("act", table=player.table.id, action={"a": "resign"})
        finally:
            for person in everybody:
                await person.close()

    with shared(request, tmp_path / "hall", SETTINGS) as server:
        run(lambda: visit(server))
        assert server.stop() == 0
        assert server.complaints() == ""
        before = books(server.data)
        assert cli.main(["rebuild", "--data", str(server.data)]) == 0
        assert books(server.data) == before


def test_w17_clocks_stand_still_while_the_hall_is_down(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    async def visit(hall: Hall) -> None:
        async with people(hall, "red", "black") as (red, black):
            tables: list[tuple[Table, Table]] = []
            for number in range(20):
                made = {"game": "xiangqi", "clock": {"type": "fischer", "base": 300, "inc": 2}}
                pair = await seated((red, black), (await red.post("/tables", made))["table"])
                await begun(hall, pair)
                tables.append((pair[0], pair[1]))
                await hall.jump(1000)  # each has run a second longer than the next
                if number % 2:
                    await pair[0].act({"a": "move", "m": "h2e2"})
            await hall.jump(5_400)
            seen = [(await red.join(pair[0].id)).clocks["left"] for pair in tables]
            hall.kill()
            hall.now += 600_000  # longer than anybody has left
            hall.start()
            for person, trips in ((red, red.trips), (black, black.trips)):
                await person.until(lambda person=person, trips=trips: person.trips > trips and person._up)  # type: ignore[misc]
            await hall.jump(0)
            for (mine, theirs), before in zip(tables, seen, strict=True):
                for table in (mine, theirs):
                    left = (await table.person.join(table.id)).clocks["left"]
                    # What had passed since the hall last marked that it was alive, a second at most, is given back.
                    assert all(
                        0 <= now - then <= 1000 * (1 + hall.deaths) for now, then in zip(left, before, strict=True)
                    )
                assert mine.info["state"] == "playing"
            exact = ([300_000 - 25_400, 300_000], [301_000, 300_000 - 23_400])
            for clocks, due in zip(seen, exact, strict=False):  # each death has given back such a second, too
                assert all(0 <= left - then <= 1000 * hall.deaths for left, then in zip(clocks, due, strict=True))
            await tables[0][0].act({"a": "move", "m": "h2e2"})

    with standing(request, tmp_path / "hall") as hall:
        run(lambda: visit(hall))
        assert hall.stop() == 0
        assert hall.complaints() == ""


def test_a_stop_in_order_says_goodbye_and_takes_up_again(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    async def visit(server: Server) -> None:
        async with Person(server) as red, Person(server) as black, Person(server) as watcher:
            for person in (red, black, watcher):
                await person.guest()
                await person.line()
            at = (await red.post("/tables", {"game": "xiangqi"}))["table"]
            for seat, person in enumerate((red, black)):
                await person.command("sit", table=at, seat=seat)
            for person in (red, black):
                await person.command("ready", table=at, on=True)
            seen = await watcher.join(at)
            await red.tables[at].until(lambda t: t.ask)
            await red.tables[at].act({"a": "move", "m": "h2e2"})
            assert await asyncio.to_thread(server.stop) == 0
            waiting = asyncio.create_task(black.tables[at].do("act", action={"a": "move", "m": "h9g7"}))
            await asyncio.to_thread(server.start)
            await waiting
            await seen.until(lambda t: [e["m"] for _, _, e in t.told if e["e"] == "moved"] == ["h2e2", "h9g7"])
            for person in (red, black, watcher):
                if server.anywhere is None:
                    assert (person.codes, person.trips) == ([1001], 2)
                    assert {"t": "bye", "why": "restart"} in person.other
                else:  # nodes say no word: people are to come to another one at once
                    assert person.trips >= 2

    with shared(request, tmp_path / "hall", SETTINGS) as server:
        run(lambda: visit(server))
        assert server.stop() == 0
        assert server.complaints() == ""


def test_sigterm_stops_it_as_well(tmp_path: Path) -> None:
    with Server(tmp_path / "hall", SETTINGS) as server:
        assert server.process is not None
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(10) == 0
        assert server.complaints() == ""
