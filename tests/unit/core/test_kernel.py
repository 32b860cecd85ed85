"""What kernels rest on: one writer at a time in their cache."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from qipai.core.kernel import locked


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
