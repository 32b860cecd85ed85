"""A bus through a NATS server: core NATS, whose messages are not kept (0077).

The connection is made anew here rather than by the library, which gives up where a password is refused twice, and keeps
what is sent while the server is away: an old question helps nobody.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import ssl
from collections.abc import Coroutine
from contextlib import suppress
from itertools import count
from typing import Any, Final

from nats import errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from qipai.bus.address import Address, Unusable
from qipai.bus.contract import Answer, Unanswered

__all__ = ["Nats"]

CONNECT_S: Final = 2.0  # until a try to connect is given up
AGAIN_S: Final = (0.1, 0.2, 0.5, 1.0, 2.0)  # pauses between tries; the last one again and again
PING_S: Final = 2.0  # a server that does not answer two of them is gone
CLOSE_S: Final = 1.0
NOBODY: Final = "503"  # the status of a message by which the server says that nobody listens

log = logging.getLogger("qipai.bus")


class Nats:
    """The bus of a hall: `qipai.bus.contract.Bus`."""

    def __init__(self, address: Address, hall: str) -> None:
        """hall: whose bus it is; all its subjects begin with `qipai.HALL.`."""
        self._address, self.hall, self._prefix = address, hall, f"qipai.{hall}"
        self._answers: dict[str, Answer] = {}
        self._line: Client | None = None
        self._gone: asyncio.Future[None] | None = None  # set when the line is lost
        self._keeper: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        # Answers come to an inbox of our own: the library's would let those wait who ask when the server dies.
        self._inbox, self._numbers = f"{self._prefix}.inbox.{secrets.token_hex(8)}", count()
        self._waiting: dict[int, asyncio.Future[bytes]] = {}
        self._fault = ""  # the last that the library told
        self.losses = 0

    @property
    def there(self) -> bool:
        """Tell whether the server is connected."""
        return self._line is not None

    @property
    def name(self) -> str:
        """Return what to call it, without a password."""
        return self._address.shown

    async def open(self, *, wait: bool) -> None:
        """Connect now and whenever the connection is lost. wait: for the first try, which may raise Unusable.

        Raises it where the server refuses the password; one that is not there is tried again.
        """
        line: Client | None = None
        if wait:
            try:
                line = await self._connected()
            except OSError as wrong:
                log.warning("%s is not there: %s; it is tried again and again", self.name, wrong)
        self._keeper = asyncio.get_running_loop().create_task(self._keep(line, quiet=wait))

    async def close(self) -> None:
        """Leave."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        for task in self._tasks:
            task.cancel()

    def answer(self, topic: str, reply: Answer) -> None:
        """Answer questions on a topic, several at a time, whenever it is connected; said before it is opened."""
        assert self._keeper is None
        self._answers[topic] = reply

    async def ask(self, topic: str, question: bytes, wait_s: float) -> bytes:
        """Return the answer of who answers on a topic; raises Unanswered."""
        if (line := self._line) is None:
            raise Unanswered("gone")
        number = next(self._numbers)
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            await line.publish(f"{self._prefix}.{topic}", question, reply=f"{self._inbox}.{number}")
            async with asyncio.timeout(wait_s):
                return await answer
        except errors.MaxPayloadError:
            raise Unanswered("large") from None
        except TimeoutError:
            raise Unanswered("late") from None
        except (errors.Error, OSError):
            raise Unanswered("gone") from None
        finally:
            del self._waiting[number]

    async def _heard(self, message: Msg) -> None:
        """Hand an answer to who waits for it, if anybody still does."""
        answer = self._waiting.get(int(message.subject.rpartition(".")[2]))
        if answer is None or answer.done():
            return
        if message.headers and message.headers.get("Status") == NOBODY:
            answer.set_exception(Unanswered("nobody"))
        else:
            answer.set_result(message.data)

    # The connection.

    async def _keep(self, line: Client | None, *, quiet: bool) -> None:
        """Connect again whenever the connection is lost. quiet: what the first try met has been told."""
        missing, told = line is None and quiet, ""
        tries = 0
        while True:
            if line is None:
                try:
                    line = await self._connected()
                except (OSError, Unusable) as wrong:
                    if not missing or (isinstance(wrong, Unusable) and str(wrong) != told):
                        log.warning("%s is not there: %s; it is tried again and again", self.name, wrong)
                    missing, told = True, str(wrong)
                    await asyncio.sleep(AGAIN_S[min(tries, len(AGAIN_S) - 1)])
                    tries += 1
                    continue
            if missing:
                log.info("%s is there again", self.name)
            assert self._gone is not None
            try:
                await self._gone
            finally:
                self._line = None
                for answer in self._waiting.values():
                    if not answer.done():
                        answer.set_exception(Unanswered("gone"))
                with suppress(Exception):
                    async with asyncio.timeout(CLOSE_S):
                        await line.close()
            self.losses += 1
            log.warning("%s is gone: %s; until it is there again the hall does without", self.name, self._fault)
            line, missing, told, tries = None, True, "", 0

    async def _connected(self) -> Client:
        """Return a line to the server; raises OSError where there is none, and Unusable where it refuses us."""
        line, gone = Client(), asyncio.get_running_loop().create_future()
        self._fault = ""

        async def lost() -> None:
            if not gone.done():
                self._fault = self._fault or _said(line.last_error) or "the connection was closed"
                gone.set_result(None)

        async def failed(wrong: Exception) -> None:
            self._fault = _said(wrong)
            if self._line is line and isinstance(wrong, errors.Error) and "permission" in self._fault.lower():
                log.warning("%s refuses something: %s", self.name, self._fault)

        try:
            async with asyncio.timeout(CONNECT_S):
                await line.connect(
                    self._address.server,
                    error_cb=failed,
                    closed_cb=lost,
                    name="qipai",
                    allow_reconnect=False,
                    reconnect_time_wait=0,
                    max_reconnect_attempts=1,
                    connect_timeout=int(CONNECT_S),
                    ping_interval=PING_S,  # type: ignore[arg-type]  # it sleeps for so long
                    tls=ssl.create_default_context() if self._address.server.startswith("tls:") else None,
                )
                await line.subscribe(f"{self._inbox}.*", cb=self._heard)
                self._line, self._gone = line, gone
                for topic, reply in self._answers.items():
                    await self._subscribe(line, topic, reply)
        except Exception as wrong:  # whatever the library or TLS may raise
            self._line = None
            with suppress(Exception):
                await line.close()
            said = _said(wrong)
            if "authoriz" in said.lower() or "authentic" in said.lower():
                raise Unusable("it refuses the user or the password") from None
            late = isinstance(wrong, TimeoutError)
            self._fault = self._fault or ("it does not answer" if late else said)
            raise OSError(self._fault) from None
        return line

    async def _subscribe(self, line: Client, topic: str, reply: Answer) -> None:
        async def hear(message: Msg) -> None:
            self._spawn(self._answered(message, reply))

        await line.subscribe(f"{self._prefix}.{topic}", cb=hear)

    async def _answered(self, message: Msg, reply: Answer) -> None:
        """Answer a question; one that cannot be answered has no answer."""
        try:
            answer = await reply(message.data)
        except Exception:  # a stranger's bytes, or a fault of ours: whoever asked does without
            log.exception("a question on %s was not answered", message.subject)
            return
        with suppress(errors.Error, OSError):
            await message.respond(answer)

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _said(wrong: Exception | None) -> str:
    """Return what an error says, in a line."""
    if wrong is None:
        return ""
    text = getattr(wrong, "strerror", None) or str(wrong).removeprefix("nats: ").strip("'\"") or type(wrong).__name__
    return " ".join(str(text).split())
