"""One source, two speeds: what makes a rules kernel run interpreted in the hall and compiled in a search.

A kernel is a function in the subset of `docs/engines.md`: integers, booleans, constant tuples, buffers passed in,
`for`, `while`, `if`, early return, other kernels. Interpreted, `@kernel` is the identity and buffers are lists;
with QIPAI_JIT=1 in the environment before import, and numba installed, kernels are compiled and buffers are arrays.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from operator import mul
from pathlib import Path
from typing import Any, Final, TypeVar, cast

__all__ = [
    "JIT",
    "Buffer",
    "buffer",
    "dot",
    "folded",
    "freeze_each",
    "frozen",
    "kernel",
    "lcg",
    "locked",
    "packed",
    "pour",
    "read_each",
    "same",
    "thaw_each",
    "thawed",
    "unpacked",
]

F = TypeVar("F", bound=Callable[..., Any])
Buffer = Any  # list[int] when interpreted, a NumPy array when compiled


def _wanted() -> bool:
    if os.environ.get("QIPAI_JIT") != "1" or find_spec("numba") is None:
        return False
    try:
        from qipai.core.inlining import lacking

        if not (parts := lacking()):
            return True
        why = ", ".join(parts)
    except Exception as wrong:  # another numba: whatever it breaks, the interpreted side still stands
        why = f"{type(wrong).__name__}: {wrong}"
    said = "numba %s is not one that kernels can be compiled with, so they run interpreted (lacking: %s)"
    logging.getLogger("qipai.kernel").warning(said, version("numba"), why)
    return False


JIT: Final[bool] = _wanted()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes out that ask for the same file, where the system and the folder allow it."""
    try:
        import fcntl

        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("w")
    except (ImportError, OSError):
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)  # given back as the file closes
        yield


if JIT:
    import numba
    import numpy as np

    from qipai.core import inlining

    _config = cast("Any", numba.config)

    _TYPES: dict[int, Any] = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}

    # Kernels allocate nothing and their callers hold the buffers, so no reference needs counting: without `_nrt=False`
    # every buffer a kernel names is counted up and down again, with atomic instructions, for half of all its time.
    _OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False}

    def kernel(fn: F) -> F:
        """Compile a kernel; where no cache folder can be written it is compiled anew in each process."""
        return _compiled(fn, **_OPTIONS)

    def folded(fn: F) -> F:
        """Compile a kernel into each kernel that calls it, instead of beside them.

        A table of many buffers is handed over number by number, seven for each buffer: that can cost more than what
        the kernel does. For kernels that are called at one or two places; it takes the compiler longer.
        """
        return _compiled(fn, forceinline=True, **_OPTIONS)

    def _compiled(fn: F, **options: Any) -> F:
        others, _config.CACHE_LOCATOR_CLASSES = _config.CACHE_LOCATOR_CLASSES, "qipai.core.keeping.Keeper"
        try:
            compiled: Any = numba.njit(cache=True, **options)(fn)
            _save_alone(compiled)
        except RuntimeError:  # no folder for it
            compiled = numba.njit(**options)(fn)
        finally:
            _config.CACHE_LOCATOR_CLASSES = others
        inlining.give(compiled, widen="forceinline" not in options)
        return cast("F", compiled)

    def _save_alone(compiled: Any) -> None:
        """Let one process at a time write what it has compiled of a kernel.

        numba numbers the files of a kernel by its index, which it reads first and writes later: two processes that
        compile different signatures at once would each take the other's file for its own.
        """
        file = compiled._cache._cache_file
        save = file.save

        def alone(key: Any, data: Any) -> None:
            with locked(Path(file._cache_path, "lock")):
                save(key, data)

        file.save = alone

    def buffer(size: int, bits: int = 32) -> Buffer:
        """Return a buffer of `size` zeros; bits (8, 16, 32, 64) is the width of an entry when compiled."""
        return np.zeros(size, _TYPES[bits])

    def thawed(values: Iterable[int], bits: int = 32) -> Buffer:
        """Return a buffer of its own with these values."""
        return np.array(tuple(values), _TYPES[bits])

    def frozen(values: Buffer) -> tuple[int, ...]:
        """Return a buffer's values as a tuple of Python integers."""
        return tuple(values.tolist())

    def packed(values: Buffer) -> bytes:
        """Return a buffer's values, 0 .. 255, a byte each: a sixteenth of what a tuple of them takes."""
        return bytes(values.tolist())

    def unpacked(values: bytes) -> Buffer:
        """Return a buffer of its own with these values, for numbers 0 .. 255."""
        return np.array(tuple(values), np.int32)

    def thaw_each(rows: Iterable[tuple[int, ...]]) -> Iterable[Buffer]:
        """Return `thawed` of each of some tuples."""
        return map(thawed, rows)

    def read_each(rows: Iterable[tuple[int, ...] | bytes]) -> Iterable[Buffer]:
        """Return buffers with the values of some tuples, for kernels that only read them."""
        return map(thawed, rows)

    def freeze_each(buffers: Iterable[Buffer]) -> Iterable[tuple[int, ...]]:
        """Return `frozen` of each of some buffers."""
        return map(frozen, buffers)

    @kernel
    def dot(cells: Buffer, weights: Buffer, at: int, n: int) -> int:
        """Return the sum of the first n cells of a buffer, each times its weight in those that begin at `at`."""
        total = 0
        for i in range(n):
            total += cells[i] * weights[at + i]
        return total

else:

    def kernel(fn: F) -> F:
        """Leave a kernel as it is: interpreted."""
        return fn

    folded = kernel

    def buffer(size: int, bits: int = 32) -> Buffer:
        """Return a buffer of `size` zeros; bits (8, 16, 32, 64) is the width of an entry when compiled."""
        return [0] * size

    def thawed(values: Iterable[int], bits: int = 32) -> Buffer:
        """Return a buffer of its own with these values."""
        return list(values)

    def frozen(values: Buffer) -> tuple[int, ...]:
        """Return a buffer's values as a tuple of Python integers."""
        return tuple(values)

    def packed(values: Buffer) -> bytes:
        """Return a buffer's values, 0 .. 255, a byte each: a sixteenth of what a tuple of them takes."""
        return bytes(values)

    def unpacked(values: bytes) -> Buffer:
        """Return a buffer of its own with these values, for numbers 0 .. 255."""
        return bytearray(values)

    def thaw_each(rows: Iterable[tuple[int, ...]]) -> Iterable[Buffer]:
        """Return `thawed` of each of some tuples."""
        return map(list, rows)

    def read_each(rows: Iterable[tuple[int, ...] | bytes]) -> Iterable[Buffer]:
        """Return buffers with the values of some tuples, for kernels that only read them."""
        return rows

    def freeze_each(buffers: Iterable[Buffer]) -> Iterable[tuple[int, ...]]:
        """Return `frozen` of each of some buffers."""
        return map(tuple, buffers)

    def dot(cells: Buffer, weights: Buffer, at: int, n: int) -> int:
        """Return the sum of the first n cells of a buffer, each times its weight in those that begin at `at`."""
        return sum(map(mul, cells, weights[at : at + n]))


@kernel
def lcg(x: int) -> int:
    """Return the next state of the kernels' own random numbers: 31 bits; use the high ones, `x >> 16`."""
    return (1103515245 * x + 12345) & 0x7FFFFFFF


@kernel
def same(source: Buffer, target: Buffer) -> None:
    """Write one buffer over another of its length."""
    for i in range(len(source)):
        target[i] = source[i]


def pour(cells: Buffer, values: Iterable[int], at: int = 0) -> None:
    """Write values into a buffer, from a place on."""
    for i, value in enumerate(values, at):
        cells[i] = value
