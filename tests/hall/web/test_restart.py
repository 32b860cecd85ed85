"""The hall goes down, at once or in order, and its people play on by themselves (platform W17, P-99, P-100)."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.client import Person, Refused, Server, Table
from tests.hall.web.conftest import SETTINGS, run

GAMES_OF_TWO, GAMES_WITH_BOTS = 10, 10
OUTAGE_S = 3.0


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
            moves = [one for one in table.legal["list"] if one["a"] not in ("resign", "offer_draw")]
            with suppress(Refused):  # a question that went by while the line was down: STALE
                self.acked.append((await table.act(self.luck.choice(moves or table.legal["list"])))["cid"])

    def leave(self) -> None:
        self.wanted = False
        self.table.person._changed.set()


def stored(server: Server) -> Counter[str]:
    """The cids in the log."""
    db = sqlite3.connect(f"file:{server.data}/hall.sqlite?mode=ro", uri=True)
    try:
        rows = db.execute("SELECT cid FROM events WHERE cid IS NOT NULL AND type = 'game.acted'")
        return Counter(cid for (cid,) in rows)
    finally:
        db.close()


async def seated(server: Server, people: list[Person]) -> list[Player]:
    """Twenty running tables, and who plays there."""
    players = []
    for number in range(GAMES_OF_TWO):
        pair = people[2 * number : 2 * number + 2]
        at = (await pair[0].post("/tables", {"game": "xiangqi"}))["table"]
        for seat, person in enumerate(pair):
            await person.command("sit", table=at, seat=seat)
        for person in pair:
            await person.command("ready", table=at, on=True)
        players += [Player(person.tables[at], number) for person in pair]
    for person in people[2 * GAMES_OF_TWO :]:
        made = await person.post("/play", {"game": "gouji", "level": "easy", "options": {"burn_seconds": 1}})
        players.append(Player(await person.join(made["table"]), 7))
    for player in players:
        await player.table.until(lambda t: t.info["state"] == "playing")
    return players


def test_a_kill_loses_no_acknowledged_move_and_everybody_plays_on(folder: Path) -> None:
    async def visit(server: Server) -> None:
        people = [Person(server, seed=n) for n in range(2 * GAMES_OF_TWO + GAMES_WITH_BOTS)]
        try:
            for person in people:
                await person.guest()
                await person.line()
            players = await seated(server, people)
            tasks = [asyncio.create_task(player.play()) for player in players]
            while sum(len(player.acked) for player in players) < 400:
                await asyncio.sleep(0.01)

            server.kill()
            killed = time.time() * 1000
            acked = [list(player.acked) for player in players]
            assert sum(player.over for player in players) <= 4  # at least eighteen tables are in the middle of it
            kept = stored(server)
            for cids in acked:
                for cid in cids:
                    assert kept[cid] == 1
            clocks = {player: dict(player.table.at) for player in players if not player.over}
            await asyncio.sleep(OUTAGE_S)  # the clocks must not see this
            await asyncio.to_thread(server.start)
            up = time.time() * 1000

            def goes_on(player: Player, before: list[str]) -> bool:
                return player.over or len(player.acked) > len(before)

            for player, before in zip(players, acked, strict=True):
                await player.table.until(lambda _, p=player, b=before: goes_on(p, b))
            for player in players:
                player.leave()
            await asyncio.gather(*tasks)

            kept = stored(server)
            assert all(kept[cid] == 1 for player in players for cid in player.acked)
            for player in players:
                person, table = player.table.person, player.table
                assert (person.trips, person.codes) == (2, [1006])
                assert table.snapshots >= 2
                again = await person.join(table.id)
                fresh = dict(again.at)
                assert fresh["seq"] >= table.seq
                if player in clocks:
                    spared(clocks[player], fresh, killed, up)
        finally:
            for person in people:
                await person.close()

    with Server(folder, SETTINGS) as server:
        run(lambda: visit(server))
        assert server.stop() == 0
        assert server.complaints() == ""


def spared(before: dict[str, Any], after: dict[str, Any], killed: float, up: float) -> None:
    """The clocks of a board have lost what was played before and after the outage, and not the outage."""
    if before["info"]["game"] != "xiangqi" or before["game"]["game_id"] != after["game"]["game_id"]:
        return
    if not before["clocks"] or not after["clocks"]:
        return  # the game is over
    lost = sum(filter(None, before["clocks"]["left"])) - sum(filter(None, after["clocks"]["left"]))
    alive = max(0, killed - before["now"]) + max(0, after["now"] - up)
    assert lost <= alive + 1500, (lost, alive)


def test_a_stop_in_order_says_goodbye_and_takes_up_again(folder: Path) -> None:
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
            began = time.monotonic()
            assert await asyncio.to_thread(server.stop) == 0
            assert time.monotonic() - began < 5
            waiting = asyncio.create_task(black.tables[at].do("act", action={"a": "move", "m": "h9g7"}))
            await asyncio.to_thread(server.start)
            await waiting
            await seen.until(lambda t: [e["m"] for _, _, e in t.told if e["e"] == "moved"] == ["h2e2", "h9g7"])
            for person in (red, black, watcher):
                assert (person.codes, person.trips) == ([1001], 2)
                assert {"t": "bye", "why": "restart"} in person.other

    with Server(folder, SETTINGS) as server:
        run(lambda: visit(server))
        assert server.stop() == 0
        assert server.complaints() == ""


def test_sigterm_stops_it_as_well(folder: Path) -> None:
    with Server(folder, SETTINGS) as server:
        assert server.process is not None
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(10) == 0
        assert server.complaints() == ""
