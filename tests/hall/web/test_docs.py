"""What docs/protocol.md says: it names every message, call and close code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from qipai import lang
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


def test_every_code_of_a_refusal_has_one_row() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \|", TEXT.split("\n## Codes\n")[1], re.MULTILINE)
    assert rows == sorted(set(rows))
    # A code of the language files is one that a call or a table can answer with; `CODE_case` words a case of it.
    said = {key for key in lang.hall("en") if re.fullmatch(r"[A-Z]+(_[A-Z]+)*", key)}
    assert said - {*rows} == set()
    assert "not built yet" not in TEXT.split("\n## Codes\n")[1]
