"""One hall on several nodes (0071), each a process of its own: what `qipai bench chaos` and tests start and end."""

from __future__ import annotations

import http.client
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

from qipai.bench.hall import Server, called
from qipai.bench.lines import Line, connect
from qipai.bench.strange import HERE
from qipai.bench.ways import Way

__all__ = ["DEPOSED", "Anywhere", "Cluster", "Node", "cluster"]

DEPOSED: Final = 75  # the status of a node that has lost the lease
PATIENCE_S: Final = 60.0
LOOK_S: Final = 2.0  # that a node may take to say how it is


class Node:
    """A node: it can be started again, at the port that it had."""

    def __init__(self, data: Path, number: int, url: str, address: str = f"{HERE}:0") -> None:
        """data: the folder that all share. url: of the database. address: where other nodes reach it."""
        self.data, self.number, self.url_of_store, self.address = data, number, url, address
        self.log = data.parent / f"{data.name}-node-{number}"  # of it alone
        self.port = 0
        self.program = [sys.executable, "-m", "qipai"]  # what is run, and with what before the words of `serve`
        self.server: Server | None = None

    @property
    def url(self) -> str:
        """Return where people come to it."""
        return f"http://{HERE}:{self.port}"

    @property
    def runs(self) -> bool:
        """Tell whether it was started and has not ended by itself."""
        server = self.server  # another thread may end it
        return server is not None and server.runs

    def start(self) -> None:
        """Start it, and wait until it answers."""
        words = ["serve", "--port", str(self.port), "--data", str(self.data), "--store", self.url_of_store]
        self.server = Server([*self.program, *words, "--node", self.address], self.log)
        self.port = self.server.port

    def send(self, sign: signal.Signals) -> None:
        """Send it a signal."""
        assert self.server is not None
        self.server.send(sign)

    def ended(self) -> int:
        """Wait until it has ended, and return its status; raises TimeoutExpired."""
        assert self.server is not None
        status = self.server.ended(PATIENCE_S)
        self.server.stop()
        self.server = None
        return status

    def end(self) -> None:
        """End it, whatever it does."""
        if self.server is not None:
            self.server.kill()
            self.server.stop()
            self.server = None

    def said(self, path: str, **headers: str) -> str:
        """Return what it answers; raises OSError or HTTPException where it does not."""
        line = http.client.HTTPConnection(HERE, self.port, timeout=LOOK_S)
        try:
            line.request("GET", path, headers=headers)
            return line.getresponse().read().decode()
        finally:
            line.close()

    @property
    def health(self) -> str:
        """Return what it says of itself, "" where it does not."""
        if not self.runs:
            return ""
        try:
            return self.said("/healthz").strip()
        except (OSError, http.client.HTTPException):
            return ""

    @property
    def leads(self) -> bool:
        """Tell whether it says so."""
        return "(leader, " in self.health

    @property
    def services(self) -> str:
        """Return where other nodes reach it, as it says while it leads."""
        return self.health.partition("(leader, ")[2].rstrip(")")

    def metrics(self) -> str:
        """Return the figures, which the token of the folder shows."""
        token = (self.data / "metrics.token").read_text().strip()
        return self.said("/metrics", authorization=f"Bearer {token}")

    def complaints(self) -> str:
        """Return what it has written to its log but for news."""
        lines = self.log.read_text(errors="replace").splitlines(keepends=True)
        return "".join(line for line in lines if '"level":"info"' not in line)


class Cluster:
    """Several nodes on one database."""

    def __init__(self, nodes: Sequence[Node], url: str) -> None:
        """url: of the database, by a way that nothing disturbs."""
        self.nodes, self.url = nodes, url

    @property
    def leader(self) -> Node:
        """Return the node that leads, as soon as one does."""
        return self.follows(None)

    def follows(self, other: Node | None) -> Node:
        """Return the node that leads after this one, which may not answer; raises RuntimeError where none does."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            for node in self.nodes:
                if node is not other and node.leads:
                    return node
            time.sleep(0.02)
        raise RuntimeError("no node leads")

    def settled(self) -> None:
        """Wait until all that run agree on who leads; raises RuntimeError where they do not."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            told = [node.health for node in self.nodes if node.runs]
            leaders = [one.partition("(leader, ")[2].partition(")")[0] for one in told if "(leader, " in one]
            if len(leaders) == 1 and all(
                f"(standby; {leaders[0]} leads)" in one for one in told if "(leader" not in one
            ):
                return
            time.sleep(0.02)
        raise RuntimeError("the nodes do not agree on who leads")

    @property
    def standbys(self) -> list[Node]:
        """Return those that run and do not lead."""
        return [node for node in self.nodes if node.runs and not node.leads]

    def acted(self) -> Counter[str]:
        """Return the cids of actions in the log."""
        return Counter(
            cid for (cid,) in self._found("SELECT cid FROM events WHERE cid IS NOT NULL AND type = 'game.acted'")
        )

    def holes(self) -> list[Any]:
        """Return the streams of the log that have a hole."""
        return self._found("SELECT stream FROM events GROUP BY stream HAVING max(seq) <> count(*) OR min(seq) <> 1")

    def _found(self, sql: str) -> list[Any]:
        from qipai.store.postgres import at_once  # it needs a library of its own

        with at_once(self.url) as db:
            return db.execute(sql).fetchall()

    def __enter__(self) -> Cluster:
        """Start all at once."""
        try:
            with ThreadPoolExecutor(len(self.nodes)) as together:
                list(together.map(Node.start, self.nodes))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """End all."""
        for node in self.nodes:
            node.end()


@contextmanager
def cluster(data: Path, settings: str, url: str, count: int) -> Iterator[Cluster]:
    """Give a hall of so many nodes. data: its folder; settings: the text of its hall.toml."""
    data.mkdir(parents=True, exist_ok=True)
    (data / "hall.toml").write_text(settings, encoding="utf-8")
    with Cluster([Node(data, number, url) for number in range(count)], url) as found:
        yield found


class Anywhere:
    """What people come to behind a proxy without memory: each line and each call goes to the next node."""

    host = HERE

    def __init__(self, nodes: Sequence[Node | Way]) -> None:
        self._nodes, self._turns = nodes, count()

    @property
    def url(self) -> str:
        """Return where people come to the next node."""
        return f"http://{self.host}:{self.port}"

    @property
    def port(self) -> int:
        """Return that of the next node."""
        return self._nodes[next(self._turns) % len(self._nodes)].port

    def call(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """Return the answer of an HTTP call under /api/v1; raises RuntimeError for an error."""
        end = time.monotonic() + PATIENCE_S
        while True:
            line = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE_S)
            try:
                return called(line, method, path, body, token)
            except RuntimeError as wrong:  # that node knows of none that leads: another one may
                if ": 503 " not in str(wrong) or time.monotonic() > end:
                    raise
            finally:
                line.close()

    async def reach(self, heard: Callable[[Line, bytes], None]) -> Line:
        """Return a new line to the next node that is there and does not hang up; raises OSError where none is."""
        first = next(self._turns)  # as a proxy does, each is tried once, whoever else comes meanwhile
        *others, last = (self._nodes[(first + n) % len(self._nodes)] for n in range(len(self._nodes)))
        for node in others:
            with suppress(ConnectionRefusedError, ConnectionResetError):
                return await connect(self.host, node.port, heard)
        return await connect(self.host, last.port, heard)

    def guest(self) -> str:
        """Return the token of a new guest."""
        token: str = self.call("POST", "/guest", {"token": True})["token"]
        return token

    def check(self) -> None:
        """Do nothing: nodes come and go."""
