"""Where numba has not the insides that compiling builds on, kernels run interpreted, and the log says so."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from qipai import games

pytestmark = pytest.mark.compiled
GAME = "lianliankan"
PLAY = f"""
from qipai.core.kernel import JIT
from qipai import games
print(JIT, games.find({GAME!r}).drive(3))
"""


def driven() -> str:
    """Return the digest of the deal as it is played here, interpreted."""
    drive = games.find(GAME).drive
    assert drive is not None
    return drive(3)


def played(plant: str) -> tuple[str, str]:
    """Return what a process says that plays a deal after a lack is planted, and what it logs."""
    env = {**os.environ, "QIPAI_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", plant + PLAY], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


def test_the_numba_that_is_installed_has_all_that_is_needed() -> None:
    assert played("") == (f"True {driven()}", "")


@pytest.mark.parametrize(
    ("plant", "lack"),
    [
        ("import numba.core.codegen as c; del c.JITCodeLibrary", "numba.core.codegen.JITCodeLibrary"),
        ("import numba.core.typing as t; del t.make_concrete_template", "numba.core.typing.make_concrete_template"),
        ("import numba.core.codegen as c; del c.CPUCodeLibrary._get_module_for_linking", "_get_module_for_linking"),
        ("import numba, sys; sys.modules['numba.core.compiler_lock'] = None", "ModuleNotFoundError"),
        ("import sys; sys.modules['numba.core'] = None", "ModuleNotFoundError"),
    ],
)
def test_what_it_lacks_is_told_and_kernels_run_interpreted(plant: str, lack: str) -> None:
    said, logged = played(plant)
    assert said == f"False {driven()}"
    assert "so they run interpreted (lacking: " in logged
    assert lack in logged


def test_a_library_that_works_in_another_way_is_noticed() -> None:
    plant = (
        "import numba.core.codegen as c\n"
        "class Other:\n"
        "    def enable_object_caching(self): ...\n"
        "    def _get_module_for_linking(self): ...\n"
        "c.JITCodeLibrary = Other\n"
    )
    said, logged = played(plant)
    assert said.startswith("False ")
    assert "JITCodeLibrary._finalized, JITCodeLibrary._linking_libraries, JITCodeLibrary._final_module" in logged


def test_a_command_that_is_to_compile_says_that_it_cannot() -> None:
    plant = "import numba.core.codegen as c; del c.JITCodeLibrary\nfrom qipai import cli\n"
    code = f"{plant}raise SystemExit(cli.main(['warm', {GAME!r}]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("qipai warm: compiled kernels need another numba")
