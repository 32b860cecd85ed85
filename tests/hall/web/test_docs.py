"""What docs/protocol.md says: it names every message, call and close code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from qipai.hall.table.commands import ClientMessage
from qipai.hall.table.messages import ServerMessage
from qipai.web.api import CALLS

DOCS = Path(__file__).parents[3] / "docs"
TEXT = (DOCS / "protocol.md").read_text("utf-8")


def test_every_message_and_call_is_described() -> None:
    for union in (ClientMessage, ServerMessage):
        for one in get_args(union):
            assert f"`{one.__struct_config__.tag}`" in TEXT, one
    for call in CALLS:
        path = re.sub(r"\{(\w+)(:int)?\}", r"<\1>", call.path).replace("<lang>", "zh-CN")
        assert f"{call.method} {path}" in TEXT, call.path
    for code in (1001, 1003, 1008, 1009, 4001, 4002):
        assert f"| {code} |" in TEXT
