"""The side of a node that thinks for a hall: `qipai serve --only bots`. It holds no table, and knows no player."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import socket
from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from qipai import __version__, games
from qipai.arena.pool import Bots
from qipai.bots.messages import HELLO, HELLO_S, Found, Heard, Here, Question, Reply, topic_of
from qipai.bus import Bus, Unanswered

__all__ = ["BotNode", "node_name"]

LEAVING_S: Final = 8.0  # so long it thinks on about what it has, when it is to end

log = logging.getLogger("qipai.bots")
Bond = Literal["", "fits", "version", "nobody"]  # how it stands with the hall


def node_name() -> str:
    """Return a name for this process that no other one has: the machine's, and a word by chance."""
    machine = re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:32] or "node"
    return f"{machine}-{secrets.token_hex(3)}"


class BotNode:
    """A node that answers the questions of one hall with the processes of this machine."""

    def __init__(self, bots: Bots, bus: Bus, name: str, of: Iterable[str] | None = None) -> None:
        """bots: of this machine, to be opened and closed by the caller. of: which games; None: all there are."""
        self._bots, self._bus, self.name = bots, bus, name
        self._editions = {game: games.find(game).edition for game in (games.names() if of is None else of)}
        self._ready: dict[str, int] = {}
        self._bond: Bond = ""
        self._busy = 0  # questions in hand
        self._idle = asyncio.Event()
        self._idle.set()
        self._leaving = False
        bus.answer(topic_of(name), self._answered)

    async def run(self, stop: asyncio.Event) -> None:
        """Say each second that it is there, until it is to stop; then answer what it has, and leave."""
        while not stop.is_set():
            await self._greet()
            try:
                await asyncio.wait_for(stop.wait(), HELLO_S)
            except TimeoutError:
                continue
        self._leaving = True
        await self._greet()
        try:
            await asyncio.wait_for(self._idle.wait(), LEAVING_S)
        except TimeoutError:
            log.warning("%d questions are left unanswered; the hall thinks about them itself", self._busy)

    async def _greet(self) -> None:
        """Tell the hall what this node can do; the log says it when the hall's answer is another than before."""
        # Once ready it stays so, though a process may have ended and another has to warm up again.
        self._ready |= {game: edition for game, edition in self._editions.items() if self._bots.warm(game)}
        (_, short), (_, long) = self._bots.load(short=True), self._bots.load(short=False)
        here = Here(self.name, __version__, self._ready, short, long, self._leaving)
        if not self._bus.there:
            return  # the bus says so itself
        bond: Bond
        version = ""
        try:
            heard = msgspec.json.decode(await self._bus.ask(HELLO, msgspec.json.encode(here), HELLO_S), type=Heard)
            bond, version = "fits" if heard.fits else "version", heard.version
        except Unanswered as missing:
            if missing.why != "nobody":
                return
            bond = "nobody"
        except msgspec.MsgspecError:
            bond = "version"
        if bond == self._bond or self._leaving:
            return
        self._bond = bond
        if bond == "fits":
            log.info("the hall is there, and asks this node %s", self.name)
        elif bond == "version":
            log.warning("the hall is of version %s and asks this node nothing, which is of %s", version, __version__)
        else:
            log.warning("no hall of this id is at %s; it is waited for", self._bus.name)

    async def _answered(self, raw: bytes) -> bytes:
        """Answer a question."""
        question = msgspec.json.decode(raw, type=Question)
        if self._leaving:
            return msgspec.json.encode(Reply("leaving"))
        if (question.version, question.edition) != (__version__, self._editions.get(question.game)):
            return msgspec.json.encode(Reply("version"))
        self._busy += 1
        self._idle.clear()
        try:
            found = await self._bots.choose(
                *(question.game, question.options, question.level, bytes(question.view)),
                seed=question.seed,
                budget_ms=question.budget_ms,
                patience_ms=question.patience_ms,
            )
        finally:
            self._busy -= 1
            if not self._busy:
                self._idle.set()
        if found.below:  # the hall may do better
            return msgspec.json.encode(Reply("busy"))
        answer = Found(__version__, question.edition, msgspec.Raw(found.action), found.given)
        return msgspec.json.encode(answer)
