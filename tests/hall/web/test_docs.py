"""What docs/protocol.md says: its program plays, and it names every message, call and close code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from tests.client import Server

from qipai.hall.commands import ClientMessage
from qipai.hall.messages import ServerMessage
from qipai.web.api import CALLS

DOCS = Path(__file__).parents[3] / "docs"
TEXT = (DOCS / "protocol.md").read_text("utf-8")


def test_the_shortest_program_plays_a_game(hall: Server, tmp_path: Path) -> None:
    found = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert found
    program = tmp_path / "program.py"
    program.write_text(found[1].replace("127.0.0.1:8000", hall.url.removeprefix("http://")), "utf-8")
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=170, check=False)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"\w+ \[-?\d, -?\d\]\n", done.stdout), done.stdout


def test_every_message_and_call_is_described() -> None:
    for union in (ClientMessage, ServerMessage):
        for one in get_args(union):
            assert f"`{one.__struct_config__.tag}`" in TEXT, one
    for call in CALLS:
        path = re.sub(r"\{(\w+)(:int)?\}", r"<\1>", call.path).replace("<lang>", "zh-CN")
        assert f"{call.method} {path}" in TEXT, call.path
    for code in (1001, 1003, 1008, 1009, 4001, 4002):
        assert f"| {code} |" in TEXT
