from __future__ import annotations

import shutil
from importlib.util import find_spec

import pytest

from qipai.bench import ceiling
from qipai.core.measure import Absent
from qipai.games.xiangqi.kernel import board as kernel
from qipai.games.xiangqi.peers import SETUP, ceiling_leaves, count, plain_leaves


def test_the_plain_loop_counts_right() -> None:
    men = {(i % 9, 9 - i // 9): sign for i, sign in enumerate(SETUP) if sign != "."}
    assert count(men, True, 1) == count(men, False, 1) == 44
    assert plain_leaves().once() == 1920


def test_the_kernels_source_becomes_c_whole() -> None:
    source = ceiling.translated(kernel, "perft", kernel.Board)
    for name in ("perft", "legal", "others", "attacked", "make", "unmake"):
        assert f" {name}(" in source
    assert "static const signed char ZONE[156]" in source
    assert "int(" not in source


def test_without_a_compiler_the_ceiling_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceiling.shutil, "which", lambda name: None)  # type: ignore[attr-defined]
    with pytest.raises(Absent):
        ceiling.built("nothing", "")


@pytest.mark.slow
@pytest.mark.skipif(find_spec("Cython") is None or shutil.which("cc") is None, reason="Cython or a compiler is missing")
def test_the_ceiling_counts_right(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert ceiling_leaves().once() == 3_290_240
