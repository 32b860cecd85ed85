"""Nodes of one hall as tests start them, and people who come in through all of them, as behind a proxy without memory."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from tests.client import PATIENCE, Person, Server

from qipai.store.postgres import at_once


class Node(Server):
    """One node, which has its own log beside the folder that all share."""

    def __init__(self, data: Path, settings: str, number: int, url: str) -> None:
        super().__init__(data, settings, "--store", url, "--node", "127.0.0.1:0")
        self.log, self.number = data.parent / f"node-{number}", number

    @property
    def health(self) -> str:
        """Return what it says of itself, "" where it does not."""
        try:
            return httpx.get(f"{self.url}/healthz", timeout=2).text.strip()
        except httpx.HTTPError:
            return ""

    @property
    def leads(self) -> bool:
        return self.process is not None and "(leader, " in self.health

    def send(self, sign: signal.Signals) -> None:
        """Send it a signal."""
        assert self.process is not None
        self.process.send_signal(sign)

    def ended(self) -> int:
        """Wait until it has ended, and return its status."""
        assert self.process is not None
        status = self.process.wait(PATIENCE)
        self._closed()
        return status


class Cluster:
    """Several nodes on one database."""

    def __init__(self, data: Path, settings: str, url: str, count: int) -> None:
        self.url = url
        self.nodes = [Node(data, settings, number, url) for number in range(count)]

    @property
    def leader(self) -> Node:
        """Return the node that leads; one of them does."""
        while True:
            for node in self.nodes:
                if node.leads:
                    return node

    @property
    def standbys(self) -> list[Node]:
        return [node for node in self.nodes if node.process is not None and not node.leads]

    @property
    def urls(self) -> list[str]:
        return [node.url for node in self.nodes]

    def acted(self) -> Counter[str]:
        """Return the cids of actions in the log."""
        with at_once(self.url) as db:
            sql = "SELECT cid FROM events WHERE cid IS NOT NULL AND type = 'game.acted'"
            return Counter(cid for (cid,) in db.execute(sql))

    def holes(self) -> list[Any]:
        """Return the streams of the log that have a hole."""
        with at_once(self.url) as db:
            sql = "SELECT stream FROM events GROUP BY stream HAVING max(seq) <> count(*) OR min(seq) <> 1"
            return db.execute(sql).fetchall()


@contextmanager
def cluster(data: Path, settings: str, url: str, count: int) -> Iterator[Cluster]:
    """Give a hall of so many nodes."""
    found = Cluster(data, settings, url, count)
    try:
        with ThreadPoolExecutor(count) as at_once:
            list(at_once.map(Node.start, found.nodes))
        yield found
    finally:
        for node in found.nodes:
            node.__exit__()


class Visitor(Person):
    """Somebody who comes to the next node with each line and each try."""

    def __init__(self, urls: Sequence[str], seed: int) -> None:
        super().__init__(urls[seed % len(urls)], seed=seed)
        self._urls, self._turn = urls, seed

    async def _visit(self) -> None:
        self.url = self._urls[self._turn % len(self._urls)]
        self._turn += 1
        await super()._visit()


async def moved(one: Person, table: int) -> str:
    """Make a move when it is somebody's turn, and return its cid."""
    at = one.tables[table]
    await at.until(lambda t: t.ask and t.legal and t.legal["list"])
    ack = await at.act(one._luck.choice(at.legal["list"]))
    return str(ack["cid"])


async def on_all(nodes: Sequence[Node], sign: signal.Signals) -> None:
    """Send a signal to nodes, without holding up the loop."""
    await asyncio.gather(*(asyncio.to_thread(node.send, sign) for node in nodes))
