"""What people come to: a proxy before the nodes of a hall."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from qipai.bench import nodes
from qipai.bench.nodes import Anywhere


def test_who_comes_is_passed_to_each_node_once_whoever_else_comes_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only one of three nodes takes lines; all others hang up."""
    anywhere = Anywhere([SimpleNamespace(port=port) for port in (1, 2, 3)])  # type: ignore[misc]
    asked: dict[str, list[int]] = {}

    async def connect(_host: str, port: int, heard: Any) -> Any:
        asked.setdefault(heard, []).append(port)
        await asyncio.sleep(0)  # here the next one comes
        if port != 2:
            raise ConnectionResetError
        return port

    monkeypatch.setattr(nodes, "connect", connect)

    async def come() -> list[Any]:
        return await asyncio.gather(*(anywhere.reach(name) for name in ("a", "b", "c", "d")))  # type: ignore[arg-type]

    assert asyncio.run(come()) == [2, 2, 2, 2]
    assert asked == {"a": [1, 2], "b": [2], "c": [3, 1, 2], "d": [1, 2]}
