"""Who comes back to a table and has heard more of it than this node knows: another node may have led meanwhile."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.hall.live.recovery import blank
from qipai.hall.rooms.audience import Audience
from qipai.hall.table.commands import Join

TABLE = replace(blank(7), state="open", seqs=(3, 5))  # so much was told a seat, and who watches


@pytest.mark.parametrize(
    ("ch", "after", "asks"),
    [("7.w", 6, True), ("7.w", 5, False), ("7.w", 2, False), ("7.0", 6, False), (None, None, False)],
)
def test_the_table_is_shown_once_it_is_sure_that_this_node_leads(ch: str | None, after: int | None, asks: bool) -> None:
    live, session = SimpleNamespace(id=7, table=TABLE), SimpleNamespace(user_id=None, keys={})
    done: list[str] = []

    async def leads() -> None:
        done.append("asked")

    async def there(_: object) -> Any:
        return live

    async def missed(*_: object) -> None:
        done.append("read")

    hall: Any = SimpleNamespace(
        _finder=SimpleNamespace(find=there), _may_see=lambda *_: None, with_talk=there, leads=leads,
        _people=SimpleNamespace(sessions=[session]), _runner=SimpleNamespace(tables={7: live}),
        _listen=lambda *_: None, _ahead=lambda *given: Audience._ahead(hall, *given),
        catch_up=SimpleNamespace(missed=missed), show=lambda *_: done.append("shown"),
    )  # fmt: skip
    asyncio.run(Audience.join(hall, session, Join(table=7, ch=ch, after=after)))  # type: ignore[arg-type]
    assert done == [*(["asked"] if asks else []), *([] if ch is None else ["read"]), "shown"]
