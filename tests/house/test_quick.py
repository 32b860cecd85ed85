"""`--quick` leaves out what is marked as costly and whatever needs a browser, and says so."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "how", [["-n0", "--collect-only"], pytest.param(["-n1"], marks=pytest.mark.slow)], ids=["here", "in a process"]
)
def test_it_says_what_it_has_left_out(how: list[str]) -> None:
    files = ["tests/unit/core/test_keeping.py", "tests/unit/kit/test_hung.py", "tests/e2e/test_order.py"]
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--quick", *how, *files]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = done.stdout.strip().splitlines()
    assert "left out by --quick: 2 of compiled kernels, 1 slow, all in a browser (tests/e2e)" in lines, done.stdout
    assert done.returncode == 0
    assert "closed_form" not in done.stdout
    assert "test_order" not in done.stdout
    assert ("16 passed" if "-n1" in how else "16/23 tests") in done.stdout


def test_what_compiles_kernels_in_a_process_of_its_own_is_marked() -> None:
    found = 0
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        text = file.read_text("utf-8")
        if '"QIPAI_JIT": "1"' in text or '"--jit"' in text:
            tree = ast.parse(text)
            marked = "pytestmark = pytest.mark.compiled" in text or any(
                "pytest.mark.compiled" in map(ast.unparse, node.decorator_list)
                for node in tree.body
                if isinstance(node, ast.FunctionDef)
            )
            assert marked, file
            found += 1
    assert found > 4
