"""Processes and peers that the benches of one run share: games already compiled, peers already prepared.

A process needs most of a second to load a game's compiled kernels, and some peers need several to compile their own.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from types import TracebackType
from typing import Self

from qipai.bench.contest import Corner, Gym
from qipai.core.measure import Contestant

__all__ = ["Stable"]


class Stable:
    """The processes of a run. They are made when they are first asked for and end with it."""

    def __init__(self) -> None:
        self._gyms: dict[str, Gym] = {}
        self._twins: dict[str, Gym] = {}
        self._peers: dict[str, Corner] = {}
        self._busy = Lock()

    def gym(self, game: str) -> Gym:
        """Return the compiling process of a game; another where that has ended."""
        with self._busy:
            found = self._gyms.get(game)
            if found is None or not found.alive:
                if found is not None:
                    self._end(game)
                found = self._gyms[game] = Gym(jit=True)
            return found

    def twin(self, game: str) -> Gym:
        """Return a second process like that of a game, as it is now."""
        gym = self.gym(game)
        with self._busy:
            found = self._twins.get(game)
            if found is None:
                found = self._twins[game] = gym.twin()
            return found

    def peer(self, contestant: Contestant) -> Corner:
        """Return a peer's contestant, in a process of its own; it has been asked to begin."""
        name = f"{contestant.__module__}:{contestant.__qualname__}"
        with self._busy:
            found = self._peers.get(name)
            if found is None:
                found = self._peers[name] = Corner(contestant, peer=True)
        found.begin()
        return found

    def _end(self, game: str) -> None:
        if (twin := self._twins.pop(game, None)) is not None:
            twin.kill()
        if (gym := self._gyms.pop(game, None)) is not None:
            gym.kill()

    def __enter__(self) -> Self:
        """Return the stable."""
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        """End all processes: ours at once, peers as they like, they may have others to end."""
        for game in list(self._gyms):
            self._end(game)
        with ThreadPoolExecutor() as threads:
            list(threads.map(Corner.close, self._peers.values()))
        self._peers = {}
