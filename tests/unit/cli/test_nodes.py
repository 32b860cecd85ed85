"""What becomes of a node that is told to stop, or that another one follows."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from qipai.cli.nodes import DEPOSED, RENEWED_S, Node

SOCKET: Any = None


class Bare(Node):
    """A node that leads, with nothing around it."""

    def __init__(self) -> None:
        nothing = SimpleNamespace(renewed=0, lead=lambda *_: None)
        self._house: Any = SimpleNamespace(
            store=SimpleNamespace(), services=SimpleNamespace(epoch=0, wall=SimpleNamespace(begin=lambda: None))
        )
        self._door: Any = SimpleNamespace(lead=lambda *_: None, open=self._nothing, own_up=self._nothing)
        self._hall: Any = SimpleNamespace(protocol=None)
        self._keeper: Any = nothing
        self._loop = asyncio.get_running_loop()
        self._reading = set()
        self._news, self._why = asyncio.Event(), ""
        self._stopped = self._lost = self._given = False
        self.written = asyncio.Event()

    async def _nothing(self, *_: object) -> None:
        pass

    opens = True

    async def _open(self) -> None:
        if not self.opens:
            await asyncio.Event().wait()

    async def _hand_over(self) -> int:
        await self.written.wait()
        self._given = True
        await asyncio.sleep(0)
        return 0

    async def _deposed(self, why: str = "") -> int:
        return DEPOSED


@pytest.mark.parametrize("followed", [True, False])
def test_a_node_that_is_followed_while_it_hands_over_waits_for_no_write(followed: bool) -> None:
    async def case() -> int:
        node = Bare()
        leading = asyncio.create_task(node._lead(1, "word", SOCKET, SOCKET, lambda: None))
        await asyncio.sleep(0)
        node.stop()
        await asyncio.sleep(0)
        if followed:
            node.lost()
        else:
            node.written.set()
        return await asyncio.wait_for(leading, 5)

    assert asyncio.run(case()) == (DEPOSED if followed else 0)


def test_a_node_that_has_handed_over_ends_well_though_others_say_that_another_one_leads() -> None:
    async def case() -> int:
        node = Bare()
        leading = asyncio.create_task(node._lead(1, "word", SOCKET, SOCKET, lambda: None))
        await asyncio.sleep(0)
        node.stop()
        node.written.set()
        while not node._given:
            await asyncio.sleep(0)
        node.lost()
        return await asyncio.wait_for(leading, 5)

    assert asyncio.run(case()) == 0


def test_a_node_that_is_followed_while_it_opens_the_hall_waits_for_no_write() -> None:
    """It stood still when it had just begun to lead: what it writes then is refused, again and again."""

    async def case() -> int:
        node = Bare()
        node.opens = False
        leading = asyncio.create_task(node._lead(1, "word", SOCKET, SOCKET, lambda: None))
        await asyncio.sleep(0)
        node.lost()
        return await asyncio.wait_for(leading, 5)

    assert asyncio.run(case()) == DEPOSED


def test_a_node_is_sure_that_it_leads_once_it_has_renewed_the_lease_by_a_turn_that_has_begun_since() -> None:
    async def case() -> bool:
        node = Bare()
        node._keeper.renewed = 7
        sure = asyncio.create_task(node._renews())
        await asyncio.sleep(2 * RENEWED_S)
        node._keeper.renewed = 8  # that may have been made before, and have waited to be told
        await asyncio.sleep(2 * RENEWED_S)
        early = sure.done()
        node._keeper.renewed = 9
        await asyncio.wait_for(sure, 5)
        return early

    assert not asyncio.run(case())
