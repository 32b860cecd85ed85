"""One hall on three nodes (0071): whatever ends, and however, nothing acknowledged is lost and everybody plays on."""

from __future__ import annotations

import asyncio
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest
from tests import stores
from tests.client import PATIENCE, Person, Refused
from tests.client import Server as Hall
from tests.figures import given, listed
from tests.hall.web.conftest import SETTINGS, run

from qipai.bench.database import MISSING, Server, programs
from qipai.bench.nodes import DEPOSED, Anywhere, Cluster, cluster
from qipai.cli import main
from qipai.store.postgres import at_once

pytestmark = pytest.mark.slow

GAME = {"game": "xiangqi", "clock": {"type": "none"}, "options": {"repetition_count": 5, "move_limit": 0}}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    if programs() is None:
        pytest.skip(MISSING)
    with stores.server() as found:
        yield found


@pytest.fixture(scope="module")
def nodes(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("nodes") / "hall", SETTINGS, server.url(schema="nodes"), 3) as found:
        yield found


class Pair:
    """Two people who play one game after the other, each through whatever node they come to."""

    def __init__(self, nodes: Anywhere | str, seed: int) -> None:
        self.people = [Person(nodes, seed=2 * seed), Person(nodes, seed=2 * seed + 1)]
        self.table = 0
        self.acked: list[str] = []
        self.times: list[float] = []  # of acknowledgements
        self.refused: set[str] = set()
        self.luck, self.over = random.Random(seed), False
        self.thought_s = 0.0  # for a move

    async def begin(self) -> None:
        for one in self.people:
            await one.guest()
            await one.line()
        self.table = (await self.people[0].post("/tables", GAME))["table"]
        for seat, one in enumerate(self.people):
            await one.command("sit", table=self.table, seat=seat)
        for one in self.people:
            await one.command("ready", table=self.table, on=True)

    async def play(self, one: Person) -> None:
        """Make moves until it is over; a game that has ended is followed by another one."""
        at = one.tables[self.table]
        while not self.over:
            await at.until(lambda t: self.over or t.result or (t.ask and t.legal and t.legal["list"]))
            if self.over:
                return
            try:
                if at.result:
                    await at.do("ready", on=True)
                    await at.until(lambda t: self.over or not t.result)
                    continue
                if self.thought_s:
                    await asyncio.sleep(self.thought_s)
                self.acked.append((await at.act(self.luck.choice(at.legal["list"])))["cid"])
                self.times.append(time.monotonic())
            except Refused as wrong:
                self.refused.add(wrong.code)
                if wrong.code == "BUSY":  # nothing was done; a person would try again
                    await asyncio.sleep(0.1)

    def end(self) -> None:
        self.over = True
        for one in self.people:
            one._changed.set()


def reached(pair: Pair, count: int) -> bool:
    return len(pair.acked) >= count


async def further(pairs: list[Pair], moves: int) -> None:
    """Wait until every pair has made so many moves more, all of them acknowledged."""
    wanted = [(pair, len(pair.acked) + moves) for pair in pairs]
    for pair, count in wanted:
        for one in pair.people:
            await one.until(partial(reached, pair, count))


def test_whatever_ends_nothing_is_lost_and_everybody_plays_on(nodes: Cluster, server: Server) -> None:
    """Kill, freeze, drain the node that leads, end one that stands by or the database, while people play on all."""

    async def database(pairs: list[Pair]) -> None:
        """Let the database's server die and come back; whoever leads then."""
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        await further(pairs, 4)
        for node in nodes.nodes:
            if not node.runs:
                assert node.ended() == DEPOSED
                await asyncio.to_thread(node.start)

    async def fault(name: str, pairs: list[Pair]) -> float:
        """Let something happen, wait until everybody has got on, and return the longest pause between moves."""
        leader, standby = await asyncio.to_thread(lambda: (nodes.leader, nodes.standbys[0]))
        node = standby if "standby" in name else leader
        began, counts = time.monotonic(), [len(pair.times) for pair in pairs]
        frozen = name == "freeze"
        node.send({"kill": signal.SIGKILL, "freeze": signal.SIGSTOP}.get(name.partition(" ")[0], signal.SIGTERM))
        if frozen:  # whose lines end there wait for it; another node leads meanwhile
            await asyncio.to_thread(nodes.follows, node)
            node.send(signal.SIGCONT)
        await further(pairs, 4)
        status = await asyncio.to_thread(node.ended)
        assert status == {"kill": -signal.SIGKILL, "freeze": DEPOSED}.get(name.partition(" ")[0], 0)
        pauses = [
            max(b - a for a, b in zip([began, *pair.times[count:]], pair.times[count:], strict=False))
            for pair, count in zip(pairs, counts, strict=True)
        ]
        await asyncio.to_thread(node.start)
        await further(pairs, 2)
        return max(pauses)

    async def visit() -> None:
        anywhere = Anywhere(nodes.nodes)
        pairs = [Pair(anywhere, seed) for seed in range(6)]
        for pair in pairs:
            await pair.begin()
        async with asyncio.TaskGroup() as group:  # a player who fails is told at once
            for pair in pairs:
                for one in pair.people:
                    group.create_task(pair.play(one))
            await further(pairs, 2)
            figures = [node.metrics() for node in await asyncio.to_thread(lambda: nodes.standbys)]
            for page in figures:  # lines end there, and what they see is made there (0083)
                assert int(re.findall(r"^qipai_node_carrying (\d+)$", page, re.M)[0]) > 0
                assert int(re.findall(r"^qipai_node_tables (\d+)$", page, re.M)[0]) > 0
            for name in ("kill", "kill standby", "drain", "freeze", "drain standby"):
                print(f"{name}: longest pause {await fault(name, pairs):.2f} s")
            await database(pairs)
            for pair in pairs:
                pair.end()
        acted = await asyncio.to_thread(nodes.acted)
        acked = [cid for pair in pairs for cid in pair.acked]
        assert [cid for cid in acked if acted[cid] != 1] == []
        assert [cid for cid, times in acted.items() if times > 1] == []
        assert await asyncio.to_thread(nodes.holes) == []
        # Nothing was written, or the question went by while the line was down.
        assert set().union(*(pair.refused for pair in pairs)) <= {"BUSY", "STALE", "NO_GAME"}
        for pair in pairs:
            for one in pair.people:
                await one.close()

    run(visit)
    for node in nodes.nodes:
        assert "Traceback" not in node.log.read_text()


def test_workers_are_replaced_while_people_play(server: Server, tmp_path: Path) -> None:
    """SIGHUP: all are new, whoever plays goes on. SIGTERM: nothing is left of them."""
    hall = Hall(tmp_path / "hall", SETTINGS, "--store", server.url(schema="workers"), "--workers", "2")

    def at() -> str:
        return httpx.get(f"{hall.url}/healthz", timeout=30).text

    async def visit() -> None:
        pair = Pair(hall.url, 7)
        pair.thought_s = 0.1  # so that the processor is the workers'
        await pair.begin()
        async with asyncio.TaskGroup() as group:
            for one in pair.people:
                group.create_task(pair.play(one))
            await further([pair], 2)
            before = await asyncio.to_thread(at)
            assert hall.process is not None
            hall.process.send_signal(signal.SIGHUP)
            while "all workers are new" not in hall.log.read_text():
                await further([pair], 1)
            await further([pair], 4)
            assert before != await asyncio.to_thread(at)
            pair.end()
        with at_once(server.url(schema="workers")) as db:
            rows = db.execute("SELECT cid FROM events WHERE type = 'game.acted' AND cid IS NOT NULL").fetchall()
        assert sorted(cid for (cid,) in rows) == sorted(pair.acked)
        for one in pair.people:
            await one.close()

    with hall:
        assert hall.process is not None
        pid = hall.process.pid
        run(visit)
        workers = children(pid)
        assert len(workers) == 2
        assert given(hall.metrics()) == listed("workers", "nodes", "hall", "all")
        assert "qipai_workers 2\n" in hall.metrics()
        hall.process.send_signal(signal.SIGTERM)
        assert hall.process.wait(60) == 0
        assert [one for one in workers if Path(f"/proc/{one}").exists()] == []
        assert "Traceback" not in hall.log.read_text()


def children(pid: int) -> list[int]:
    """Return the processes that a process has started and that run."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(one) for one in found.split()]


def test_each_node_says_what_it_is(nodes: Cluster) -> None:
    leader, standbys = nodes.leader, nodes.standbys
    assert leader.health == f"ok (leader, {leader.services})"
    end = time.monotonic() + PATIENCE
    # A proxy that asks so sends people to those that stand by, as soon as they carry lines.
    while (asked := [httpx.get(f"{node.url}/healthz?lines").status_code for node in (leader, *standbys)])[0] == 200:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert asked == [503, 200, 200]
    said = [node.health.removesuffix("; still loading") for node in standbys]  # one may have just been started
    assert said == 2 * [f"ok (standby; {leader.services} leads)"]
    assert given(leader.metrics()) == listed("nodes", "hall", "all")
    assert "qipai_node_leads 1\n" in leader.metrics()
    assert all("qipai_node_leads 0\n" in node.metrics() for node in standbys)
    assert len({re.findall(r"^qipai_node_epoch (\d+)$", node.metrics(), re.M)[0] for node in nodes.nodes}) == 1
    rooms = [httpx.get(f"{node.url}/api/v1/rooms").json() for node in nodes.nodes]
    assert rooms[0] == rooms[1] == rooms[2]


def test_who_does_not_belong_there_is_told_in_a_sentence(
    nodes: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(data: Path, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "qipai", "serve", "--port", "0", "--data", str(data), *words],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 1, done
        [line] = done.stderr.splitlines()
        return line

    other, shared = tmp_path / "other", nodes.nodes[0].data
    node = ["--store", nodes.url, "--node", "127.0.0.1:0"]
    assert "is led from another data folder, at 127.0.0.1:" in said(other, *node)
    assert "another hall is running on" in said(shared)
    assert "cannot be used: " in said(other, "--store", nodes.url.replace("nobody@", "x@") + "&port=1", *node[2:])
    here = ["serve", "--port", "0", "--data", str(other)]
    for words, why in (
        (["--node", "127.0.0.1:0"], "nodes share a hall through a PostgreSQL database"),
        ([*node[:3], "7000"], "write HOST:PORT"),
        ([*node[:3], "0.0.0.0:7000"], "other nodes cannot come there"),
        ([*node[:3], "192.0.2.1:7000"], "It must be an address of this machine"),
        ([*node[:3], nodes.leader.services], "each node has one of its own"),
        ([*node[:3], "no such host:7000"], "is not known"),
    ):
        assert main([*here, *words]) == 1
        assert why in capsys.readouterr().err
