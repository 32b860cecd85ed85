"""Who may import whom: the contracts of pyproject.toml, and what really is loaded."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINT = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache", "--no-logo"]


def test_every_import_contract_is_kept() -> None:
    done = subprocess.run(LINT, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "7 kept, 0 broken" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "wrong", "contract"),
    [
        ("hall/wrong.py", "import qipai.web", "Each floor rests only on the floors below"),
        ("hall/table/wrong.py", "import qipai.hall.live.timers", "The hall is built from the table up"),
        ("hall/live/wrong.py", "import qipai.hall.rooms.lobby", "The hall is built from the table up"),
        ("hall/rooms/wrong.py", "import qipai.hall.records.archive", "The hall is built from the table up"),
        ("hall/records/wrong.py", "import qipai.hall.order.fair_play", "The hall is built from the table up"),
        ("hall/order/wrong.py", "import qipai.hall.hall", "The hall is built from the table up"),
        ("games/xiangqi/wrong.py", "import qipai.games.gouji", "No game knows another"),
        ("hall/wrong.py", "import qipai.games.gouji", "The house knows games only through the contract"),
        ("games/xiangqi/kernel/wrong.py", "import random", "Rules are pure"),
        # `errors` is imported by all: that makes a circle, also where only type checkers see it.
        (
            "hall/table/errors.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import qipai.hall.table.fold",
            "No package of the hall, nor the web, has a circle",
        ),
        ("arena/wrong.py", "import starlette", "The library needs no server"),
    ],
)
def test_a_contract_notices_who_breaks_it(module: str, wrong: str, contract: str, tmp_path: Path) -> None:
    ignore = shutil.ignore_patterns("__pycache__", "client", "*.toml")
    shutil.copytree(ROOT / "src" / "qipai", tmp_path / "qipai", ignore=ignore)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / "qipai" / module).open("a") as file:
        file.write(f"{wrong}\n")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(LINT, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{contract} BROKEN" in " ".join(done.stdout.split())


def loaded(code: str) -> set[str]:
    """The top names of all modules that are loaded after a Python of its own has run the code."""
    code += "\nimport sys; print(*{name.split('.')[0] for name in sys.modules})"
    env = {name: value for name, value in os.environ.items() if name != "QIPAI_JIT"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_games_need_nothing_of_the_server() -> None:
    found = loaded("from qipai import games\nfor name in games.names(): games.find(name).load()")
    server = {"starlette", "uvicorn", "uvloop", "websockets", "segno", "sqlite3", "asyncio", "socketserver", "http"}
    assert "msgspec" in found
    assert found & server == set()
    assert found & {"numba", "numpy"} == set()


ROOMS = """
import sys
from qipai import games
from qipai.config import Config
from qipai.hall.rooms import rooms
import qipai.cli.server
found = [rooms.info_of(rooms.checked(room)) for room in rooms.default_rooms(Config())]
assert {room.game for room in found} == set(games.names())
"""
RULES = "print(*(f'{name}.rules' in sys.modules for name in [f'qipai.games.{game}' for game in games.names()]))"


def test_a_hall_opens_its_rooms_without_the_rules_of_any_game() -> None:
    done = subprocess.run([sys.executable, "-c", ROOMS + RULES], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"False"}


@pytest.mark.slow
def test_loading_a_game_imports_its_rules() -> None:
    """The test above can fail."""
    load = "[games.find(name).load() for name in games.names()]\n"
    done = subprocess.run([sys.executable, "-c", ROOMS + load + RULES], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"True"}


def test_the_hall_never_loads_numba() -> None:
    found = loaded(
        "import pkgutil, importlib, qipai\n"
        "for module in pkgutil.walk_packages(qipai.__path__, 'qipai.'):\n"
        "    apart = module.name.startswith('qipai.research.')  # what learns needs NumPy, and no hall imports it\n"
        "    if not apart and not module.name.endswith(('__main__', '.arena.worker', '.core.inlining')):\n"
        "        importlib.import_module(module.name)\n"
    )
    assert "starlette" in found
    assert found & {"numba", "numpy", "pyspiel", "rlcard", "pyffish"} == set()


@pytest.mark.compiled
def test_the_hall_would_notice_numba() -> None:
    """The test above can fail: where numba is installed, asking for it loads it."""
    assert "numba" in loaded("import os; os.environ['QIPAI_JIT'] = '1'\nimport qipai.core.kernel")
