"""A hall on several nodes in the place of one (`pytest --store postgres --nodes 3`): one of them dies now and then."""

from __future__ import annotations

import random
import signal
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread
from typing import Self

from tests import deaths
from tests.client import Server
from tests.stores import DATABASE, url_at

from qipai.bench.nodes import DEPOSED, Anywhere, Cluster, Node
from qipai.bench.strange import HERE
from qipai.bench.ways import Ways

# What a node says of another one, or of itself, where the machine has left it no time, or it has just begun.
SLOW = (
    "the node that leads says nothing: its lines are made anew",
    "another node leads the hall: this one stood still",
    "below the level shown in the last minute",
)


class Halls(Server):
    """A hall on so many nodes, behind a proxy without memory."""

    def __init__(self, data: Path, settings: str, count: int, every_s: float) -> None:
        """every_s: so often one dies; 0: never."""
        url = url_at(data / DATABASE)
        assert url is not None, "nodes share a database: --store postgres"
        self.cluster = Cluster([Node(data, number, url) for number in range(count)], url)
        self._every_s, self._luck, self._over = every_s, random.Random(1), Event()
        self.dying, self.deaths = bool(every_s), 0
        self._killer: Thread | None = None
        self._ways = Ways()
        self._risk = ExitStack()
        super().__init__(data, settings)

    def start(self) -> Self:
        self.cluster.__enter__()
        if not self.port:
            way = self._ways.__enter__().to_any(self._well, HERE)
            self.port, self.anywhere = way.port, Anywhere([way])
        self._over.clear()
        if self._every_s:
            self._risk.enter_context(deaths.expected(self.cluster.settled))
            self._killer = Thread(target=self._kill, daemon=True)
            self._killer.start()
        return self

    def _well(self) -> list[int]:
        """Where nodes answer: one that starts is asked no sooner, as by a proxy that looks after their health."""
        return [node.port for node in self.cluster.nodes if node.runs]

    def _kill(self) -> None:
        while not self._over.wait(self._every_s):
            node = self._luck.choice(self.cluster.nodes)
            deaths.due(node.end, self._over)
            if not self._over.is_set():
                self.deaths += 1
                node.start()

    def _at_peace(self) -> None:
        deaths.ended(self._over)
        if self._killer is not None:
            self._killer.join()
            self._killer = None
        self._risk.close()

    def kill(self) -> None:
        self._at_peace()
        self.cluster.__exit__()

    def stop(self) -> int:
        """End all in good order, and return 0 where each ends so."""
        self._at_peace()
        running = [node for node in self.cluster.nodes if node.runs]
        for node in running:
            node.send(signal.SIGTERM)
        return max({node.ended() for node in running} - {DEPOSED}, default=0)

    def metrics(self) -> str:
        return self.cluster.leader.metrics()

    def complaints(self) -> str:
        lines = "".join(node.complaints() for node in self.cluster.nodes).splitlines(keepends=True)
        return "".join(line for line in lines if not any(words in line for words in SLOW))

    def __exit__(self, *_: object) -> None:
        self.kill()
        if self.port:
            self._ways.__exit__(None, None, None)
