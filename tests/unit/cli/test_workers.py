"""Workers are kept, replaced and ended in order. What stands in for them answers how it is, and leads when it can."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from qipai.cli import Trouble, main
from qipai.cli.workers import Pace, Supervisor, counted

QUICK = Pace(look_s=0.01, first_s=0.01, most_s=0.04, tries=3, standby_s=5.0, leader_s=5.0)
# It is told what to be by the file `mode` of its folder, and writes there what becomes of it.
STAND_IN = """
import fcntl, os, signal, sys
from qipai.cli import Trouble
from qipai.cli.workers import given

mode = open("mode").read()
place = given()
assert place is not None and given() is None

def note(text):
    with open("notes", "a") as notes:
        notes.write(f"{place.name} {text}\\n")

def end(*_):
    note("ends")
    sys.exit(0)

def serve():
    if mode == "refuses":
        raise Trouble("the database is gone", 3)
    if mode == "dies":
        os._exit(7)
    signal.signal(signal.SIGTERM, signal.SIG_IGN if mode == "deaf" else end)
    note("begins")
    lock, leads = open("lock", "w"), False
    while True:
        line, _ = place.node.accept()
        line.recv(1000)
        if mode == "silent":
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            leads = True
        except OSError:
            leads = os.path.exists("free")
        text = "ok (leader, here)" if leads else "ok (standby; it leads)"
        if place.well > 2:
            note("hears of three")
        if mode == "unfit":
            text += "; this node never will: the tables are newer"
        line.sendall(f"HTTP/1.1 200 OK\\r\\n\\r\\n{text}\\n".encode())
        line.close()

sys.exit(place.work(serve))
"""


class Halls:
    """A supervisor of stand-ins in a folder."""

    def __init__(self, folder: Path, count: int, pace: Pace = QUICK) -> None:
        self.folder, self.count, self.pace, self.served = folder, count, pace, 0
        self.mode("")
        (folder / "notes").touch()

    def mode(self, mode: str) -> None:
        (self.folder / "mode").write_text(mode)

    @property
    def notes(self) -> list[str]:
        return (self.folder / "notes").read_text().splitlines()

    def run(self, visit: Callable[[Supervisor], Coroutine[Any, Any, None]]) -> None:
        """Supervise, with a visit meanwhile."""

        async def go() -> None:
            words = [sys.executable, "-c", f"import os; os.chdir({str(self.folder)!r})\n{STAND_IN}"]
            with socket.create_server(("127.0.0.1", 0)) as public:
                one = Supervisor(words, dict(os.environ), public, self.count, self._ready, self.pace)
                async with asyncio.timeout(60):
                    visiting = asyncio.create_task(visit(one))
                    # A visit that fails ends it, too: else only the time-out would be told.
                    visiting.add_done_callback(
                        lambda task: None if task.cancelled() or not task.exception() else one.stop()
                    )
                    await one.run()
                    await visiting
                    assert one._alive == set()

        asyncio.run(go())

    def _ready(self) -> None:
        self.served += 1

    async def until(self, *lines: str) -> None:
        """Wait until all of these are noted."""
        async with asyncio.timeout(60):
            while not {*lines} <= {*self.notes}:
                await asyncio.sleep(0.005)


async def process_of(supervisor: Supervisor, slot: int) -> int:
    """Wait until a slot has its worker: that takes its place only once it is well, after it has noted its beginning."""
    while (worker := supervisor._slots[slot].worker) is None:
        await asyncio.sleep(0.005)
    return worker._process.pid


def test_workers_are_kept_replaced_and_ended_with_the_leader_last(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    halls = Halls(tmp_path, 3)

    async def visit(supervisor: Supervisor) -> None:
        await halls.until("w1 begins", "w2 begins", "w3 begins")
        os.kill(await process_of(supervisor, 1), signal.SIGKILL)
        await halls.until("w2-2 begins")
        while supervisor._slots[1].failures == 0 or sum(worker.well for worker in supervisor._alive) < 3:
            await asyncio.sleep(0.005)
        supervisor.hang_up()
        await halls.until("w1-2 begins", "w1 ends")
        while not any("all workers are new" in line for line in caplog.messages):
            await asyncio.sleep(0.005)
        supervisor.stop()

    with caplog.at_level("INFO", "qipai.workers"):
        halls.run(visit)
    assert halls.served == 1
    assert "w1 hears of three" in halls.notes
    order = [line for line in halls.notes if line.endswith("ends")]
    assert order[:3] == ["w2-2 ends", "w3 ends", "w1 ends"]  # w1 led
    assert sorted(order[3:]) == ["w1-2 ends", "w2-3 ends", "w3-2 ends"]
    gone = [line for line in caplog.messages if "is gone" in line]
    assert gone == ["worker w2 is gone, it was ended by signal 9; another one is started in 0.0 s"]


def test_who_leads_no_longer_and_stands_still_is_killed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    halls = Halls(tmp_path, 2, msgspec.structs.replace(QUICK, answer_s=0.2, watch_s=0.01))

    async def visit(supervisor: Supervisor) -> None:
        await halls.until("w1 begins", "w2 begins")
        while not supervisor.leader:
            await asyncio.sleep(0.005)
        os.kill(await process_of(supervisor, 0), signal.SIGSTOP)
        (tmp_path / "free").touch()  # the lease is over
        await halls.until("w1-2 begins")
        supervisor.stop()

    halls.run(visit)
    assert caplog.messages[0] == "worker w1 stands still while another one leads, and is killed"


def test_who_stands_by_and_stands_still_is_killed_after_some_looks(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    halls = Halls(tmp_path, 2, msgspec.structs.replace(QUICK, answer_s=0.2, watch_s=0.01, still=3))

    async def visit(supervisor: Supervisor) -> None:
        await halls.until("w1 begins", "w2 begins")
        while not supervisor.leader or sum(worker.well for worker in supervisor._alive) < 2:
            await asyncio.sleep(0.005)
        leader, standby = supervisor.leader, next(one for one in supervisor._alive if one is not supervisor.leader)
        os.kill(await process_of(supervisor, 1), signal.SIGSTOP)
        while standby.still < 2:
            await asyncio.sleep(0.005)
        assert not standby.ended.done(), "it may only be slow"
        await halls.until("w2-2 begins")
        assert supervisor.leader is leader
        supervisor.stop()

    halls.run(visit)
    assert caplog.messages[0] == "worker w2 stands still while another one leads, and is killed"
    assert sum("is killed" in line for line in caplog.messages) == 1


def test_what_the_first_one_says_ends_all_at_once(tmp_path: Path) -> None:
    halls = Halls(tmp_path, 3)
    halls.mode("refuses")

    async def visit(_: Supervisor) -> None:
        await asyncio.sleep(0)

    with pytest.raises(Trouble, match="the database is gone") as wrong:
        halls.run(visit)
    assert (wrong.value.status, halls.served, halls.notes) == (3, 0, [])


@pytest.mark.parametrize(("mode", "why"), [("dies", "it ended with status 7"), ("silent", "it did not answer in time")])
def test_who_never_serves_is_not_tried_for_ever(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, mode: str, why: str
) -> None:
    halls = Halls(tmp_path, 2, msgspec.structs.replace(QUICK, start_s=0.1 if mode == "silent" else 30, answer_s=0.1))
    halls.mode(mode)

    async def visit(_: Supervisor) -> None:
        await asyncio.sleep(0)

    with pytest.raises(Trouble, match=why):
        halls.run(visit)
    assert [line.partition(",")[0] for line in caplog.messages] == ["worker w1 is gone", "worker w1-2 is gone"]


def test_a_new_version_that_cannot_lead_takes_no_place(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    halls = Halls(tmp_path, 2)

    async def visit(supervisor: Supervisor) -> None:
        await halls.until("w1 begins", "w2 begins")
        halls.mode("unfit")
        supervisor.hang_up()
        await halls.until("w2-2 ends")
        while not caplog.messages:
            await asyncio.sleep(0.005)
        supervisor.stop()

    halls.run(visit)
    assert caplog.messages == ["worker w2-2 takes no place, and no more are replaced: the tables are newer"]
    assert halls.notes[2:] == ["w2-2 begins", "w2-2 ends", "w2 ends", "w1 ends"]


def test_who_does_not_end_is_killed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    halls = Halls(tmp_path, 1, msgspec.structs.replace(QUICK, leader_s=0.05))
    halls.mode("deaf")

    async def visit(supervisor: Supervisor) -> None:
        while not halls.served:
            await asyncio.sleep(0.005)
        supervisor.stop()

    halls.run(visit)
    assert caplog.messages == ["worker w1 has not ended in 0 s and is killed"]


def test_no_worker_outlives_its_supervisor(tmp_path: Path) -> None:
    halls = Halls(tmp_path, 2)
    program = (
        "import os, socket, sys\nfrom qipai.cli.workers import supervised\n"
        "supervised(socket.create_server(('127.0.0.1', 0)), 2, dict(os.environ), lambda: None)"
    )
    # What it starts is its own command line again, in which it finds that it is a worker.
    text = f"import os\nif 'QIPAI_WORKER' in os.environ:\n  exec({STAND_IN!r})\nelse:\n  exec({program!r})"
    process = subprocess.Popen([sys.executable, "-c", text], cwd=tmp_path)
    asyncio.run(halls.until("w1 begins", "w2 begins"))
    process.kill()
    process.wait()
    asyncio.run(halls.until("w1 ends", "w2 ends"))


def test_a_number_of_workers() -> None:
    assert counted("3") == 3
    assert counted("auto") >= 1
    for text in ("0", "-1", "65", "2.5", "", "many", "²"):
        with pytest.raises(argparse.ArgumentTypeError, match="write a number from 1 to 64, or auto"):
            counted(text)


def test_what_does_not_go_with_workers_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QIPAI_STORE", raising=False)
    here = ["serve", "--port", "0", "--data", str(tmp_path / "hall"), "--workers"]
    for words, why in (
        (["2"], "name a PostgreSQL database with --store postgresql://"),
        (["2", "--node", "127.0.0.1:0"], "leave out --node"),
        (["2", "--only", "bots"], "leave out --workers; --jobs says how many processes think"),
    ):
        assert main([*here, *words]) == 2
        assert why in capsys.readouterr().err
    with pytest.raises(SystemExit) as wrong:
        main([*here, "0"])
    assert wrong.value.code == 2
    assert "write a number from 1 to 64, or auto: one a core" in capsys.readouterr().err


def test_a_worker_looks_at_the_rooms_before_it_could_lead(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QIPAI_STORE", "postgresql://nobody@/nothing")
    (tmp_path / "hall.toml").write_text("[[rooms.own]]\nkind = 'coin'\n", "utf-8")
    assert main(["serve", "--port", "0", "--data", str(tmp_path), "--node", "127.0.0.1:0"]) == 1
    assert "every room needs a name" in capsys.readouterr().err
