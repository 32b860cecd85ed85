"""A line's actions are taken as they come, and never overtake what the line has said before."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from qipai.config import Config
from qipai.hall.rooms.session import Session
from qipai.hall.table.errors import HallError
from qipai.store import Unwritten
from qipai.web.gate import Gate
from qipai.web.insides import EXTENSION
from qipai.web.socket import Socket

JOIN = '{"t":"join","table":1}'


def act(number: int, table: int = 1) -> str:
    return f'{{"t":"act","cid":"a{number}","table":{table},"action":{{"a":"x"}}}}'


class House:
    """What a socket asks of a house; table 1 is awake."""

    def __init__(self) -> None:
        self.config, self.sockets = Config(), set[Socket]()
        self.hall = self.dispatch = self.attendance = self.community = self.reviews = self
        self.gate, self.proxies = Gate(self.config), ()
        self.done: list[str] = []
        self.counted: list[str] = []
        self.going = asyncio.Event()

    def clock(self) -> float:
        return 0.0

    def awake(self, table: int) -> bool:
        return table == 1

    def act(self, session: Any, command: Any) -> None:
        if command.cid == "a9":
            raise HallError("NO_GAME")
        self.done.append(command.cid)

    async def handle(self, session: Any, command: Any) -> None:
        if command.__struct_config__.tag == "join":
            await self.going.wait()
            self.done.append("join")
        else:
            self.act(session, command)

    async def follow(self, key: str, session: Any, *, on: bool) -> None:
        raise Unwritten("gone")

    def refused(self, code: str) -> None:
        self.counted.append(code)

    def detach(self, session: Any) -> None:
        """The line is closed."""

    def left(self, who: Any) -> None:
        """It is counted, and follows reviews, no more."""


async def open_socket(
    house: House, *, ours: bool = False, **login: Any
) -> tuple[Socket, asyncio.Queue[Any], list[str], asyncio.Task[None]]:
    """Return a socket (ours: of our own server) after its hello, what it hears, what it says, and what runs it."""
    queue: asyncio.Queue[Any] = asyncio.Queue()
    said: list[str] = []

    async def send(message: Any) -> None:
        said.append(str(message.get("text", message.get("code", ""))))

    queue.put_nowait({"type": "websocket.connect"})
    scope: Any = {"headers": [], "client": None, "scheme": "ws"}
    if ours:
        scope["extensions"] = {EXTENSION: SimpleNamespace(queue=queue, heard=None, part=lambda: None, far=None)}
    found: Any = Socket(house, scope, queue.get, send)  # type: ignore[arg-type]
    found.welcomed, found._session = True, Session(house, found, None, moderator=False, person=True)  # type: ignore[arg-type]
    found.login = SimpleNamespace(**{"cookie": True, "scopes": (), **login})
    task = asyncio.create_task(found.run())
    await asyncio.sleep(0)
    return found, queue, said, task


async def test_an_action_waits_for_what_was_said_before_it() -> None:
    house = House()
    socket, queue, _said, task = await open_socket(house)
    assert socket._heard(act(1))
    assert not socket._heard(JOIN)
    queue.put_nowait({"type": "websocket.receive", "text": JOIN})
    await asyncio.sleep(0)
    assert not socket._heard(act(2))  # the join is still under way
    queue.put_nowait({"type": "websocket.receive", "text": act(2)})
    house.going.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert socket._heard(act(3))
    assert house.done == ["a1", "join", "a2", "a3"]
    assert not socket._heard(act(4, table=2))  # that table has to be fetched first
    queue.put_nowait({"type": "websocket.disconnect"})
    await task
    assert not socket._heard(act(5))


async def test_an_action_taken_at_once_is_refused_like_any_other() -> None:
    house = House()
    socket, _queue, said, task = await open_socket(house)
    assert socket._heard(act(9))
    assert '"code":"NO_GAME"' in said[-1]
    for number in range(house.config.limits.acts):
        assert socket._heard(act(number))
    assert '"code":"RATE_LIMIT"' in said[-1]
    assert house.counted == ["NO_GAME", "NO_GAME", "RATE_LIMIT"]  # a9 is among them, too
    task.cancel()
    other, _queue, said, task = await open_socket(House(), cookie=False, scopes=("watch",))
    assert other._heard(act(1))
    assert '"code":"NOT_ALLOWED"' in said[-1]
    task.cancel()


async def test_who_says_much_at_once_does_not_keep_others_waiting() -> None:
    house = House()
    _, many, _said, task = await open_socket(house, ours=True)
    _, few, _said, other = await open_socket(house, ours=True)
    for number in range(20):
        many.put_nowait({"type": "websocket.receive", "text": act(100 + number)})
    few.put_nowait({"type": "websocket.receive", "text": act(1)})
    for _ in range(60):
        await asyncio.sleep(0)
    assert house.done.index("a1") <= 2
    assert [cid for cid in house.done if cid != "a1"] == [f"a{100 + number}" for number in range(20)]
    for running in (task, other):
        running.cancel()


async def test_who_comes_while_the_database_is_gone_is_told_and_may_come_again() -> None:
    class Gone(House):
        accounts = property(lambda self: self)

        def now(self) -> int:
            return 0

        async def who(self, secret: str, now: int) -> Any:
            raise Unwritten("gone")

    found, queue, said, task = await open_socket(Gone())
    found.welcomed, found._session = False, None
    queue.put_nowait({"type": "websocket.receive", "text": '{"t":"hello","v":1,"token":"x"}'})
    queue.put_nowait({"type": "websocket.disconnect"})
    await task
    assert said == ["", '{"t":"err","cid":null,"re":"hello","code":"BUSY","facts":{"case":"unread"}}', "1013"]


async def test_a_review_that_cannot_be_read_now_is_refused_and_the_line_goes_on() -> None:
    house = House()
    _found, queue, said, task = await open_socket(house)
    queue.put_nowait({"type": "websocket.receive", "text": '{"t":"review","key":"k","on":true}'})
    queue.put_nowait({"type": "websocket.receive", "text": act(1)})
    queue.put_nowait({"type": "websocket.disconnect"})
    await task
    assert said[1:] == ['{"t":"err","cid":null,"re":"review","code":"BUSY","facts":{"case":"unread"}}']
    assert house.done == ["a1"]
