"""Compiled kernels for a command: they must be asked for before the first kernel is imported."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

from qipai.cli import Trouble

__all__ = ["compile_kernels"]


def compile_kernels() -> None:
    """Let every kernel imported from now on be compiled."""
    if find_spec("numba") is None:
        raise Trouble("compiled kernels need numba: pip install 'qipai[fast]'")
    assert "qipai.core.kernel" not in sys.modules, "too late: kernels are imported"
    os.environ["QIPAI_JIT"] = "1"
    from qipai.core.kernel import JIT

    if not JIT:
        raise Trouble("compiled kernels need another numba: the line above says what this one lacks")
