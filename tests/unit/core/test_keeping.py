"""Compiled kernels are kept by what they were compiled from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from qipai.core import keeping

FILES = {
    "qipai/__init__.py": "",
    "qipai/a.py": "from qipai.b import (\n    one,\n    two,\n)\nfrom qipai import c as sea  # by the way\n",
    "qipai/b.py": "import qipai.d.deep\n",
    "qipai/c.py": "from qipai.a import nothing\n",
    "qipai/d/__init__.py": "",
    "qipai/d/deep.py": "",
    "qipai/other.py": "from qipai.a import something\n",
}


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_module_is_made_of_what_it_imports_and_they_import(sources: Path) -> None:
    found = {file.relative_to(sources).as_posix() for file in keeping.made_of("qipai.a", sources)}
    assert found == {"qipai/__init__.py", "qipai/a.py", "qipai/b.py", "qipai/c.py", "qipai/d/deep.py"}


@pytest.mark.parametrize("changed", ["qipai/a.py", "qipai/b.py", "qipai/c.py", "qipai/d/deep.py"])
def test_its_stamp_changes_with_each_of_them(changed: str, sources: Path) -> None:
    before = keeping.stamp.__wrapped__("qipai.a", sources)
    with (sources / changed).open("a") as file:
        file.write("x = 1\n")
    assert keeping.stamp.__wrapped__("qipai.a", sources) != before


def test_and_with_nothing_else(sources: Path, tmp_path: Path) -> None:
    before = keeping.stamp.__wrapped__("qipai.a", sources)
    (sources / "qipai" / "other.py").write_text("changed = True\n")
    os.utime(sources / "qipai" / "a.py", (1, 1))
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    (sources / "qipai").rename(moved / "qipai")
    assert keeping.stamp.__wrapped__("qipai.a", moved) == before


def test_every_kernel_of_a_game_is_known_by_its_tables() -> None:
    names = {file.relative_to(keeping.SOURCES).as_posix() for file in keeping.made_of("qipai.games.gouji.kernel.flow")}
    assert {"qipai/core/kernel.py", "qipai/games/gouji/kernel/table.py"} <= names
    assert not [name for name in names if name.startswith("qipai/hall") or "baohuang" in name]


def test_what_is_old_and_not_used_is_removed(tmp_path: Path) -> None:
    ages = {"m-old": 31, "m-used": 31, "m-young": 29, "another-old": 31, "0123456789abcdef": 31, "foreign_0": 31}
    for name, days in ages.items():
        (tmp_path / name / "in").mkdir(parents=True)
        (tmp_path / name / "in" / "x.nbi").write_bytes(b"12345")
        when = 1e9 - days * 24 * 3600
        os.utime(tmp_path / name / "in" / "x.nbi", (when, when))
    assert keeping.sweep(tmp_path, {tmp_path / "m-used"}, 1e9) == 10
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["another-old", "foreign_0", "m-used", "m-young"]
    assert keeping.sweep(tmp_path / "nothing", set()) == 0


CODE = """
import numba, sys
from numba.core import event
from qipai.core.keeping import Keeper
from qipai.kit import seats
from qipai.core.kernel import kernel
class Counted(event.Listener):
    n = 0
    def on_start(self, e): Counted.n += 1
    def on_end(self, e): pass
event.register("numba:compile", Counted())
seats.following(2, 1, 6)
print(Counted.n, len(Keeper.used), numba.config.CACHE_LOCATOR_CLASSES == "")
"""


def compiled(cache: Path) -> list[str]:
    env = {**os.environ, "QIPAI_JIT": "1", "XDG_CACHE_HOME": str(cache), "NUMBA_CACHE_DIR": ""}
    done = subprocess.run([sys.executable, "-c", CODE], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.compiled
def test_a_second_process_finds_what_the_first_compiled(tmp_path: Path) -> None:
    first, second = compiled(tmp_path), compiled(tmp_path)
    assert int(first[0]) > 0
    assert second[0] == "0"
    assert first[1:] == second[1:]
    assert first[2] == "True"
    assert [f.name.rpartition("-")[0] for f in (tmp_path / "qipai" / "kernels").iterdir() if "seats" in f.name] == [
        "kit.seats"
    ]


@pytest.mark.compiled
def test_where_nothing_can_be_written_kernels_are_compiled_each_time(tmp_path: Path) -> None:
    (tmp_path / "qipai").write_text("a file where the folder would be")
    assert int(compiled(tmp_path)[0]) > 0
