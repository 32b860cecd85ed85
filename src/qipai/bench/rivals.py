"""Who carries the hall's traffic beside it: bare servers without rules or store, and other people's game servers."""

from __future__ import annotations

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
        """Start them, with messages as long as the hall's."""
        _move, _ack, ev = playing.sizes
        tables = len(playing.players) // playing.seats
        for name, module in CEILINGS.items():
            if name not in self.wanted:
                continue
            try:
                server = self._stack.enter_context(Server([sys.executable, "-m", module]))
            except RuntimeError:
                self.absent[name] = f"{name.split()[1]} is not installed"
                continue
            traffic = await Traffic.of(server, playing)
            self._stack.callback(traffic.close)
            self.there.append(Rival(name, server, traffic))
        for name, (program, package) in GAME_SERVERS.items():
            if name not in self.wanted:
                continue
            try:
                server = self._stack.enter_context(Server([*node_program(f"{program}-server.mjs"), str(ev)]))
                command = [*node_program(f"{program}-clients.mjs"), str(server.port), str(tables), str(playing.seats)]
                load = Guests(command)
            except (Absent, RuntimeError) as wrong:
                self.absent[name] = str(wrong)
                continue
            self._stack.callback(load.close)
            self.there.append(Rival(name, server, load))
            self.versions[name] = node_version(package)

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
