"""A hall whose bots think on a node of their own (0077): the node is killed while it thinks, and NATS with it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.client import PATIENCE, Server

from qipai.bench.broker import MISSING, Broker, program

pytestmark = [pytest.mark.slow, pytest.mark.compiled]
GAME = "xiangqi"
SETTINGS = "[bots]\npace_ms = 0\nworkers = 0\n[limits]\ncalls = 100000\n"


class Node:
    """`qipai serve --only bots` in a process of its own."""

    def __init__(self, url: str, folder: Path) -> None:
        words = ["serve", "--only", "bots", "--bus", url, "--jobs", "1", "--game", GAME]
        with (folder / "node").open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "qipai", *words], stdout=subprocess.PIPE, stderr=log, text=True, cwd=folder
            )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()

    def end(self, sign: signal.Signals) -> int:
        self.process.send_signal(sign)
        status = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    if program() is None:
        pytest.skip(MISSING)
    found = Broker(tmp_path, "--user", "hall", "--pass", "secret")
    found.start()
    yield found
    found.stop()


class Guest:
    """Somebody at a table with a bot, who asks for advice: each is a question for a bot."""

    def __init__(self, hall: Server) -> None:
        self.hall = hall
        self.http = httpx.Client(base_url=f"{hall.url}/api/v1", timeout=PATIENCE)
        self.http.post("/guest", json={}).raise_for_status()
        self.table = self.http.post("/play", json={"game": GAME, "level": "easy"}).raise_for_status().json()["table"]

    def ask(self) -> bool:
        """Ask once; return whether there was a question to answer."""
        answer = self.http.post(f"/tables/{self.table}/advice", json={})
        if answer.status_code == 200:
            assert answer.json()["action"]["a"]
        return answer.status_code == 200

    def figure(self, name: str) -> int:
        found = re.search(rf"^{re.escape(name)} (\S+)$", self.hall.metrics(), re.MULTILINE)
        assert found, name
        return int(found[1])

    def until(self, name: str, least: int) -> None:
        """Ask until a figure of the hall is so high."""
        end = time.monotonic() + 5 * PATIENCE
        while self.figure(name) < least:
            assert time.monotonic() < end, name
            self.ask()
            time.sleep(0.02)


def test_nodes_and_nats_may_die_and_bots_play_on(broker: Broker, tmp_path: Path) -> None:
    url = broker.url("hall:secret")
    with Server(tmp_path / "hall", SETTINGS, "--bus", url) as hall:
        guest = Guest(hall)
        own = f"{url}/{(hall.data / 'hall.id').read_text().strip()}"
        node = Node(own, tmp_path)
        assert re.match(r"qipai thinks for bots as \S+, asked through NATS at 127.0.0.1:\d+\n", node.line)
        guest.until("qipai_bot_far_seconds_count", 2)
        late = 'qipai_bot_taken_back_total{why="late"}'
        before = guest.figure(late)
        node.process.send_signal(signal.SIGSTOP)  # from now on it is always in the middle of thinking
        guest.until(late, before + 1)
        assert node.end(signal.SIGKILL) == -signal.SIGKILL
        before = guest.figure("qipai_bot_far_seconds_count")
        assert guest.ask()
        node = Node(own, tmp_path)
        guest.until("qipai_bot_far_seconds_count", before + 1)
        broker.stop()
        while guest.figure("qipai_bus_there"):
            time.sleep(0.02)
        assert guest.ask()
        broker.start()
        before = guest.figure("qipai_bot_far_seconds_count")
        guest.until("qipai_bot_far_seconds_count", before + 1)
        assert node.end(signal.SIGTERM) == 0
        said = (tmp_path / "node").read_text()
        assert "is there again" in said
        assert "the hall is there" in said
        assert hall.stop() == 0
        complaints = hall.complaints()
        assert "did not answer a question (late)" in complaints
        assert "is gone" in complaints
        assert "secret" not in complaints + said + node.line
        assert "trace" not in complaints + said
        guest.http.close()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bus", "http://secret@host"], "the bus cannot be used: it is no address of NATS"),
        (["--bus", "nats://hall:wrong@127.0.0.1:{port}"], "cannot be used: it refuses the user or the password"),
        (["--only", "bots", "--bus", "nats://hall:wrong@127.0.0.1:{port}/a"], "refuses the user or the password"),
        (["--only", "bots", "--bus", "nats://127.0.0.1:{port}"], "Write the hall's id at the end of the address"),
        (["--only", "bots"], "name it with --bus"),
        (["--only", "bots", "--bus", "nats://127.0.0.1/a", "--game", "chess"], "there is no such game"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(broker: Broker, tmp_path: Path, words: list[str], said: str) -> None:
    command = [sys.executable, "-m", "qipai", "serve", "--port", "0", "--data", str(tmp_path / "hall")]
    done = subprocess.run(
        [*command, *(word.format(port=broker.port) for word in words)],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr
