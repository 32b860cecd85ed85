"""The servers that `qipai bench server` compares the hall with: bare servers, and other people's game servers."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import ExitStack
from typing import Final, Protocol

from qipai.bench.fetch import node_program, node_version
from qipai.bench.hall import Server
from qipai.bench.players import Playing
from qipai.bench.traffic import Traffic
from qipai.core.measure import Absent

__all__ = ["BARE", "CEILINGS", "GAME_SERVERS", "Rival", "Rivals"]

BARE: Final = "bare uvicorn"
CEILINGS: Final = {
    BARE: "qipai.bench.bare",
    "bare aiohttp": "qipai.bench.bare_aiohttp",
    "bare picows": "qipai.bench.bare_picows",
}
GAME_SERVERS: Final = {"boardgame.io": ("bgio", "boardgame.io"), "Colyseus": ("colyseus", "@colyseus/core")}


class Load(Protocol):
    """What makes moves."""

    @property
    def moves(self) -> int:
        """How many moves were made and shown so far."""
        ...

    def go(self) -> None:
        """Let all play on."""
        ...

    def hold(self) -> None:
        """Let nobody begin another move."""
        ...

    def close(self) -> None:
        """Hang up."""
        ...


class Rival:
    """A server and what plays on it."""

    def __init__(self, name: str, server: Server, load: Load) -> None:
        self.name, self.server, self.load = name, server, load


class Rivals:
    """All rivals that can be had, each with as many tables as the hall; `absent` says why others are not there."""

    def __init__(self, wanted: tuple[str, ...]) -> None:
        self.wanted = wanted
        self.there: list[Rival] = []
        self.absent: dict[str, str] = {}
        self.versions: dict[str, str] = {}
        self._stack = ExitStack()

    async def open(self, playing: Playing) -> None:
        """Start them, all at once: the bare ones with the hall's messages, the others with views as long."""
        ceilings = [self._ceiling(name, playing) for name in CEILINGS if name in self.wanted]
        others = [self._other(name, playing) for name in GAME_SERVERS if name in self.wanted]
        self.there = [rival for rival in await asyncio.gather(*ceilings, *others) if rival is not None]

    async def _ceiling(self, name: str, playing: Playing) -> Rival | None:
        try:
            server = await asyncio.to_thread(Server, [sys.executable, "-m", CEILINGS[name]])
        except RuntimeError:
            self.absent[name] = f"{name.split()[1]} is not installed"
            return None
        self._stack.push(server)
        traffic = await Traffic.of(server, playing)
        self._stack.callback(traffic.close)
        return Rival(name, server, traffic)

    async def _other(self, name: str, playing: Playing) -> Rival | None:
        program, package = GAME_SERVERS[name]
        _move, _ack, ev = playing.sample.sizes
        seats = [str(len(playing.players) // playing.seats), str(playing.seats)]
        try:
            server = await asyncio.to_thread(Server, [*node_program(f"{program}-server.mjs"), str(ev)])
            self._stack.push(server)
            load = await asyncio.to_thread(Guests, [*node_program(f"{program}-clients.mjs"), str(server.port), *seats])
        except (Absent, RuntimeError) as wrong:
            self.absent[name] = str(wrong)
            return None
        self._stack.callback(load.close)
        self.versions[name] = node_version(package)
        return Rival(name, server, load)

    def close(self) -> None:
        """End them all."""
        self._stack.close()


class Guests:
    """The players of another game server: a process of its own, in its own language."""

    def __init__(self, command: list[str]) -> None:
        self._popen = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._popen.stdout
        if self._popen.stdout.readline().strip() != "ready":
            self._popen.kill()
            self._popen.communicate()
            raise RuntimeError(f"{command[1]} did not start")

    def _said(self, word: str) -> str:
        assert self._popen.stdin
        assert self._popen.stdout
        self._popen.stdin.write(f"{word}\n")
        self._popen.stdin.flush()
        return self._popen.stdout.readline().strip()

    @property
    def moves(self) -> int:
        """How many moves were made and shown so far."""
        return int(self._said("count"))

    def go(self) -> None:
        """Let all play on."""
        self._said("go")

    def hold(self) -> None:
        """Let nobody begin another move."""
        self._said("hold")

    def close(self) -> None:
        """Hang up."""
        self._popen.kill()
        self._popen.communicate()
