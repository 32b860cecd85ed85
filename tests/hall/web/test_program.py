"""The shortest program of docs/protocol.md, as printed, against a hall as it is served."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.hall.web.conftest import shared

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
# Bots answer at once, and few messages are taken: a program that does not look at the limits is refused.
HURRY = """
[bots]
pace_ms = 0
workers = 0
[limits]
acts = 25
messages = 10
"""


def program() -> str:
    """The one example in Python."""
    (found,) = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "protocol.md").read_text("utf-8"), re.M | re.S)
    return str(found)


def test_it_needs_what_qipai_installs_and_nothing_else() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    brought = {re.split(r"[^\w-]", name)[0] for name in project["dependencies"]} | {"qipai"}
    wanted = set()
    for node in ast.walk(ast.parse(program())):
        if isinstance(node, ast.Import):
            wanted |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            wanted.add((node.module or "").split(".")[0])
    assert {"websockets", "qipai"} <= wanted
    assert wanted - set(sys.stdlib_module_names) - brought == set()


@pytest.mark.calm  # it is as short as a program can be: its line does not mend itself
@pytest.mark.parametrize("game", [None, "gouji"])
def test_it_plays_a_game_to_its_end_sensibly_and_is_never_refused(
    request: pytest.FixtureRequest, tmp_path: Path, game: str | None
) -> None:
    script = tmp_path / "program.py"
    script.write_text(program())
    with shared(request, tmp_path / "hall", HURRY) as server:
        words = [sys.executable, "-W", "error", str(script), f"127.0.0.1:{server.port}", *([game] if game else [])]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=400)
        assert (done.returncode, done.stderr) == (0, "")
        name, why, points = done.stdout.split()
        assert name == (game or "xiangqi")
        assert why not in ("resign", "timeout", "left", "void")
        if name == "xiangqi":
            assert int(points) >= 0, "a steady player does not lose to an easy one"
        assert server.complaints() == ""
