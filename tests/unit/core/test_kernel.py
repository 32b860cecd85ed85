"""What kernels rest on: one writer at a time in their cache, and cells that are named once."""

from __future__ import annotations

import fcntl
import re
from pathlib import Path
from typing import NamedTuple

import pytest

import qipai.games
from qipai.core.kernel import buffer, frozen, locked, places, pour

CONSTANT = re.compile(r"^([A-Z_]+)(?:: Final)? = (\w*AT)\.(\w+)$", re.MULTILINE)
PREFIX = re.compile(r"^[OW]_")
OTHERWISE = {"FROM": "payer", "SELF": "self_draw", "CLASS": "call_class", "COUNT": "occurrence"}  # what no field may be


class Cells(NamedTuple):
    """A layout of three cells."""

    phase: int
    turn: int
    top: int


def test_a_locked_file_is_nobody_elses_until_it_is_left(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "lock"
    with locked(path), path.open("w") as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with path.open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_where_no_lock_can_lie_work_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    done = []
    with locked(tmp_path / "file" / "lock"):
        done.append(True)
    assert done


def test_a_layout_tells_where_its_fields_lie() -> None:
    assert places(Cells) == Cells(phase=0, turn=1, top=2)
    assert places(Cells, 24).turn == 25
    cells = buffer(5)
    pour(cells, Cells(phase=7, turn=-1, top=9), 1)
    assert frozen(cells) == (0, 7, -1, 9, 0)
    assert Cells._make(frozen(cells)[1:4]).top == 9


def test_a_layout_is_packed_whole_or_not_at_all() -> None:
    with pytest.raises(TypeError, match="top"):
        Cells(phase=0, turn=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="tops"):
        Cells(phase=0, turn=1, tops=2)  # type: ignore[call-arg]


def test_each_constant_of_a_kernel_is_the_place_of_the_field_of_its_name() -> None:
    found = 0
    for path in sorted(Path(qipai.games.__file__).parent.rglob("*.py")):
        taken = set()
        for name, layout, field in CONSTANT.findall(path.read_text(encoding="utf-8")):
            plain = PREFIX.sub("", name)
            assert field == OTHERWISE.get(plain, plain.lower()), f"{path.name}: {name} takes {field}"
            assert (layout, field) not in taken
            taken.add((layout, field))
            found += 1
    assert found > 200
