"""Several nodes of one hall on this machine: `qipai serve --workers N` (0082).

A supervising process listens at the public port, starts the workers, starts again whatever has died, and replaces them
one after the other when it gets a SIGHUP. Each worker is a node (`cli.nodes`): the program anew, by the command line of
the supervisor and with what is installed by then. So that a supervisor and a newer worker understand each other, little
passes between them, and it stays as it is: the variable QIPAI_WORKER, `/healthz` at the worker's own port, and a line
that ends when either of the two does, on which a worker says why it cannot serve, and hears how many are well.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from threading import Thread, Timer
from typing import Final

from msgspec import Struct

from qipai.cli import Trouble

__all__ = ["HERE", "Pace", "Place", "Supervisor", "counted", "given", "supervised"]

log = logging.getLogger("qipai.workers")

PLACE: Final = "QIPAI_WORKER"
HERE: Final = "127.0.0.1"
MOST: Final = 64
LONGEST: Final = 4000  # bytes of what a worker says
LEADS: Final = "(leader, "  # of `/healthz`
LOADING: Final = "; still loading"
UNFIT: Final = "this node never will: "
ALONE_S: Final = 10.0  # a worker whose supervisor is gone has so long to hand over


class Pace(Struct, frozen=True):
    """How long a supervisor waits, in seconds, and how often it tries."""

    start_s: float = 60.0  # so long a worker may take until it is well
    look_s: float = 0.1  # between two looks whether it is
    answer_s: float = 2.0  # an answer may take
    watch_s: float = 1.0  # between two looks at all
    still: int = 5  # looks in a row that a worker which stands by leaves without an answer before it is killed
    first_s: float = 0.2  # before one that has died is started again; doubled each time …
    most_s: float = 15.0  # … up to this …
    steady_s: float = 10.0  # … until one has lived so long
    tries: int = 5  # that none survives, while no other worker serves
    standby_s: float = 4.0  # until one that stands by has ended; then it is killed
    leader_s: float = 12.0  # … and one that leads, which hands over


def counted(text: str) -> int:
    """Return how many workers `--workers` means; raises ArgumentTypeError."""
    if text == "auto":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r}: write a number from 1 to {MOST}, or auto: one a core")
    return int(text)


# What a worker is given.


class Place(Struct):
    """What a worker has from its supervisor: its name, what it listens at, and the line between the two."""

    name: str
    public: socket.socket
    node: socket.socket
    line: socket.socket
    well: int = 0  # how many workers are, as the supervisor has said last

    def work(self, serve: Callable[[], int]) -> int:
        """Serve, and return the exit status; what keeps it from serving is told to the supervisor, who says it."""
        Thread(target=self._watch, name="supervisor", daemon=True).start()
        try:
            return serve()
        except Trouble as wrong:
            with suppress(OSError):
                self.line.sendall(str(wrong).encode()[:LONGEST])
            return wrong.status

    def _watch(self) -> None:
        """Hear how many workers are well, and end with the supervisor, however that ends."""
        with suppress(OSError, ValueError), self.line.makefile("r") as said:
            for number in said:
                self.well = int(number)
        late = Timer(ALONE_S, os._exit, (1,))
        late.daemon = True
        late.start()
        os.kill(os.getpid(), signal.SIGTERM)


def given() -> Place | None:
    """Return what this process has from a supervisor, None if it is no worker. It is asked for once."""
    found = os.environ.pop(PLACE, "").split()
    if not found:
        return None
    name, *numbers = found[:4]
    public, node, line = (socket.socket(fileno=int(number)) for number in numbers)
    for one in (public, node, line):
        one.set_inheritable(False)  # else a process of the worker's keeps it open
    return Place(name, public, node, line)


# The supervisor.


class Worker:
    """A process that serves, or is about to."""

    def __init__(self, name: str, command: Sequence[str], env: Mapping[str, str], public: socket.socket) -> None:
        """Start it. public: the socket at which people come in."""
        self.name, self._loop = name, asyncio.get_running_loop()
        self.since = self._loop.time()
        self.well = False  # it has answered so
        self.still = 0  # times in a row that it has not answered in time
        self.told = ""  # why it cannot serve, as far as it has said
        self.late = False  # it was ended because it did not answer
        self.ended: asyncio.Future[int] = self._loop.create_future()  # the exit status, -N for a signal
        self._line, theirs = socket.socketpair()
        self._line.setblocking(False)
        with theirs, socket.create_server((HERE, 0), backlog=2048) as node:
            self._port = node.getsockname()[1]
            sockets = [one.fileno() for one in (public, node, theirs)]
            place = {PLACE: " ".join([name, *map(str, sockets)])}
            try:
                # In a session of its own: Ctrl-C in a terminal is for the supervisor, which ends all in order.
                self._process = subprocess.Popen(
                    command, env={**env, **place}, pass_fds=sockets, stdin=subprocess.DEVNULL, start_new_session=True
                )
            except OSError as wrong:
                self.told = f"it cannot be started: {wrong.strerror}"
                self._end(127)
                return
        Thread(target=self._wait, name=name, daemon=True).start()

    def _wait(self) -> None:
        status = self._process.wait()
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._end, status)

    def _end(self, status: int) -> None:
        with suppress(OSError):  # it has said nothing
            self.told = self._line.recv(LONGEST).decode(errors="replace") or self.told
        self._line.close()
        self.ended.set_result(status)

    @property
    def why(self) -> str:
        """Return why it has ended."""
        status = self.ended.result()
        if self.told:
            return self.told
        if self.late:
            return "it did not answer in time"
        return f"it ended with status {status}" if status >= 0 else f"it was ended by signal {-status}"

    async def health(self, most_s: float) -> tuple[bool, str]:
        """Return whether it is well, and what it says of itself, "" where it does not answer."""
        try:
            async with asyncio.timeout(most_s):
                reader, writer = await asyncio.open_connection(HERE, self._port)
                try:
                    writer.write(f"GET /healthz HTTP/1.1\r\nhost: {HERE}\r\nconnection: close\r\n\r\n".encode())
                    head, _, body = (await reader.read()).decode(errors="replace").partition("\r\n\r\n")
                finally:
                    writer.close()
            self.still = 0
            return head.split(" ")[1:2] == ["200"], body.strip()
        except TimeoutError:
            self.still += 1
        except OSError:  # it listens no longer
            self.still = 0
        return False, ""

    async def leads(self, most_s: float) -> bool:
        """Tell whether it says that it leads."""
        return LEADS in (await self.health(most_s))[1]

    async def becomes_well(self, pace: Pace, *, warm: bool) -> bool:
        """Wait until it answers that it is well; return False where it ends before, or is ended because it does not.

        warm: wait also until it has loaded all that it can before it leads.
        """
        until = self._loop.time() + pace.start_s
        while not self.ended.done():
            well, said = await self.health(pace.answer_s)
            _, unfit, why = said.partition(UNFIT)
            self.late = self._loop.time() > until
            if unfit or self.late:
                await self.end(pace.standby_s)
                self.told = why
            elif well and not (warm and LOADING in said):
                self.well = True
                return True
            else:
                await asyncio.wait([self.ended], timeout=pace.look_s)
        return False

    def tell(self, well: int) -> None:
        """Tell it how many workers are well."""
        with suppress(OSError):  # it has ended, or does not listen
            self._line.send(b"%d\n" % well)

    def send(self, sign: signal.Signals) -> None:
        """Send it a signal."""
        if not self.ended.done():
            self._process.send_signal(sign)

    async def end(self, most_s: float) -> None:
        """End it in order, or in the end by force."""
        self.send(signal.SIGTERM)
        await asyncio.wait([self.ended], timeout=most_s)
        if not self.ended.done():
            log.error("worker %s has not ended in %.0f s and is killed", self.name, most_s)
            self.send(signal.SIGKILL)
            await self.ended


class Slot:
    """A place among the workers, which is filled again whenever it is empty."""

    def __init__(self, number: int) -> None:
        self.number, self.starts = number, 0
        self.failures = 0  # deaths in a row of workers that had not lived for long
        self.worker: Worker | None = None
        self.filling = asyncio.Lock()

    def name(self) -> str:
        """Return the name of the next worker, which no other one has had."""
        self.starts += 1
        return f"w{self.number}" if self.starts == 1 else f"w{self.number}-{self.starts}"


class Supervisor:
    """Keeps so many workers."""

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        public: socket.socket,
        count: int,
        ready: Callable[[], None],
        pace: Pace | None = None,
    ) -> None:
        """command: what a worker is, with its environment. ready: called once, when the first one serves."""
        self._command, self._env, self._public, self._ready = command, env, public, ready
        self._pace = pace or Pace()
        self._slots = [Slot(number) for number in range(1, count + 1)]
        self._alive: set[Worker] = set()
        self.leader: Worker | None = None  # that was seen last
        self._vain = 0  # starts in a row that came to nothing
        self._serves, self._again = asyncio.Event(), asyncio.Event()
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._terminal = os.isatty(0)

    async def run(self) -> None:
        """Keep them until SIGTERM or Ctrl-C, then end all in order; raises Trouble where none can serve."""
        loop = asyncio.get_running_loop()
        for sign, call in ((signal.SIGINT, self.stop), (signal.SIGTERM, self.stop), (signal.SIGHUP, self.hang_up)):
            loop.add_signal_handler(sign, call)
        tasks = [
            loop.create_task(each)
            for each in (self._replace_when_asked(), self._watch(), *map(self._keep, self._slots))
        ]
        for task in tasks:
            task.add_done_callback(self._failed)
        try:
            await self._over
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._end_all()

    def stop(self) -> None:
        """End all in order; called again, at once."""
        if not self._over.done():
            self._over.set_result(None)
            return
        for worker in self._alive:
            worker.send(signal.SIGKILL)

    def hang_up(self) -> None:
        """Replace all workers; or end, where the terminal is gone in which this was started."""
        if self._terminal and not os.isatty(0):
            self.stop()
        else:
            self._again.set()

    def _failed(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (wrong := task.exception()) is not None and not self._over.done():
            self._over.set_exception(wrong)

    # Keeping them.

    async def _start(self, slot: Slot, *, warm: bool = False) -> Worker:
        """Start a worker, and wait until it is well or has ended. warm: as of `Worker.becomes_well`."""
        worker = Worker(slot.name(), self._command, self._env, self._public)
        self._alive.add(worker)
        worker.ended.add_done_callback(lambda _: self._left(worker))
        if await worker.becomes_well(self._pace, warm=warm):
            self._vain = 0
            self._tell()
            if not self._serves.is_set():
                self._serves.set()
                self._ready()
        return worker

    def _left(self, worker: Worker) -> None:
        self._alive.discard(worker)
        self._tell()

    def _tell(self) -> None:
        well = sum(worker.well for worker in self._alive)
        for worker in self._alive:
            worker.tell(well)

    async def _keep(self, slot: Slot) -> None:
        """Keep a worker in a slot; raises Trouble where that is hopeless."""
        if slot is not self._slots[0]:  # what keeps the first one from serving is said once
            await self._serves.wait()
        while True:
            async with slot.filling:
                worker = slot.worker
                if worker is None or worker.ended.done():
                    worker = slot.worker = await self._start(slot)
                    if not worker.well:
                        self._despair(worker)
            await asyncio.wait([worker.ended])
            if slot.worker is worker:  # it was not replaced
                await asyncio.sleep(self._pause(slot, worker))

    def _despair(self, worker: Worker) -> None:
        """Raise Trouble where no worker serves and none will: after some tries, or by what the first one says."""
        self._vain += 1
        if any(other.well for other in self._alive):
            return
        if self._vain >= self._pace.tries or (worker.told and not self._serves.is_set()):
            raise Trouble(worker.why, max(1, worker.ended.result()))

    def _pause(self, slot: Slot, worker: Worker) -> float:
        """Return how long a slot stays empty after its worker has died, and log it."""
        pace, lived = self._pace, asyncio.get_running_loop().time() - worker.since
        slot.failures = 1 if worker.well and lived >= pace.steady_s else slot.failures + 1
        pause = min(pace.most_s, pace.first_s * 2.0 ** (slot.failures - 1))
        log.warning("worker %s is gone, %s; another one is started in %.1f s", worker.name, worker.why, pause)
        return pause

    async def _watch(self) -> None:
        """Kill a worker that stands still while another one leads: only then do its lines end, and people come back.

        One that has led is killed at once: that another one leads shows that it stood still. One that stands by may
        only be slow, and has some looks. While none leads, one is about to, which may take long and is let alone.
        """
        pace = self._pace
        while True:
            await asyncio.sleep(pace.watch_s)
            well = [worker for worker in self._alive if worker.well]
            leading = await asyncio.gather(*(worker.leads(pace.answer_s) for worker in well))
            if True not in leading:
                continue
            before, self.leader = self.leader, well[leading.index(True)]
            for worker in well:
                if worker is not self.leader and worker.still >= (1 if worker is before else pace.still):
                    log.error("worker %s stands still while another one leads, and is killed", worker.name)
                    worker.send(signal.SIGKILL)

    # Replacing them.

    async def _replace_when_asked(self) -> None:
        await self._serves.wait()
        while True:
            await self._again.wait()
            self._again.clear()
            began = time.monotonic()
            if not await self._replace():
                continue
            if await self._is_led():
                log.info("all workers are new, after %.1f s", time.monotonic() - began)
            else:
                log.error("all workers are new, and none leads")

    async def _replace(self) -> bool:
        """Replace one worker after the other, the one that leads last; return False where a new one is not well."""
        pace, left = self._pace, list(self._slots)
        while left:
            leading = await asyncio.gather(*map(self._leads, left))
            at = leading.index(False) if False in leading else 0
            slot = left.pop(at)
            async with slot.filling:
                new = await self._start(slot, warm=True)  # so that it follows quickly who leads
                if not new.well:
                    log.error("worker %s takes no place, and no more are replaced: %s", new.name, new.why)
                    return False
                old, slot.worker = slot.worker, new
                if old is not None:
                    log.info("worker %s takes the place of %s", new.name, old.name)
                    await old.end(pace.leader_s if leading[at] else pace.standby_s)
        return True

    async def _is_led(self) -> bool:
        """Wait until a worker leads; return False where none does in the time of a start."""
        until = time.monotonic() + self._pace.start_s
        while not any(await asyncio.gather(*map(self._leads, self._slots))):
            if time.monotonic() > until:
                return False
            await asyncio.sleep(self._pace.look_s)
        return True

    async def _leads(self, slot: Slot) -> bool:
        return slot.worker is not None and await slot.worker.leads(self._pace.answer_s)

    async def _end_all(self) -> None:
        """End all workers, the one that leads last, so that none has to follow it."""
        pace, all = self._pace, list(self._alive)
        leading = await asyncio.gather(*(worker.leads(pace.answer_s) for worker in all))
        for wanted, most_s in ((False, pace.standby_s), (True, pace.leader_s)):
            ending = (worker.end(most_s) for worker, leads in zip(all, leading, strict=True) if leads is wanted)
            await asyncio.gather(*ending)


def supervised(public: socket.socket, count: int, env: Mapping[str, str], ready: Callable[[], None]) -> int:
    """Keep so many workers until Ctrl-C or SIGTERM, and return the exit status.

    public: where people come in. env: the environment as this program was given it.
    """
    from qipai.cli import log as logs

    logs.start()
    log.setLevel(logging.INFO)
    command = [sys.executable, *sys.orig_argv[1:]]

    async def main() -> None:
        await Supervisor(command, env, public, count, ready).run()

    asyncio.run(main())
    return 0
