"""Nodes of one hall as tests start them, and people who come to all of them, as behind a proxy without memory."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from tests.client import PATIENCE, Person, Server
from websockets.exceptions import InvalidStatus

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

    @property
    def services(self) -> str:
        """Return where other nodes reach it, as it says while it leads."""
        return self.health.partition("(leader, ")[2].rstrip(")")

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

    def follows(self, other: Node) -> Node:
        """Return the node that leads after this one, which may not answer."""
        while True:
            for node in self.nodes:
                if node is not other and node.leads:
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
        try:
            await super()._visit()
        except InvalidStatus as wrong:  # a node that is about to end, or has none to lead: the next one, as a browser
            if wrong.response.status_code in (403, 503):
                raise ConnectionError from wrong
            raise
