"""Kernels: functions that run interpreted in the hall and are compiled with numba for searches and benchmarks.

A kernel is a function in the subset of `docs/engines.md`: integers, booleans, constant tuples, buffers passed in,
`for`, `while`, `if`, early return, other kernels. Interpreted, `@kernel` is the identity and buffers are lists;
with QIPAI_JIT=1 in the environment before import, and numba installed, kernels are compiled and buffers are arrays.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from operator import mul
from pathlib import Path
from typing import Any, Final, TypeVar, cast

__all__ = [
    "JIT",
    "Buffer",
    "add_rows",
    "add_weighted",
    "buffer",
    "copy_into",
    "dot",
    "dot_squares",
    "freeze_each",
    "frozen",
    "inlined",
    "kernel",
    "lcg",
    "locked",
    "packed",
    "places",
    "pour",
    "read_each",
    "thaw_each",
    "thawed",
    "unpacked",
    "wide_rows",
]

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T", bound=tuple[int, ...])
Buffer = Any  # list[int] when interpreted, a NumPy array when compiled


def _wanted() -> bool:
    if os.environ.get("QIPAI_JIT") != "1" or find_spec("numba") is None:
        return False
    try:
        from qipai.core.inlining import lacking

        if not (parts := lacking()):
            return True
        why = ", ".join(parts)
    except Exception as wrong:  # an unknown version of numba: whatever it breaks, kernels still run interpreted
        why = f"{type(wrong).__name__}: {wrong}"
    said = "numba %s is not one that kernels can be compiled with, so they run interpreted (lacking: %s)"
    logging.getLogger("qipai.kernel").warning(said, version("numba"), why)
    return False


JIT: Final[bool] = _wanted()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock on a file against other processes, where the system and the folder allow it."""
    try:
        import fcntl

        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("w")
    except (ImportError, OSError):
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)  # released when the file is closed
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
        """Compile a kernel. If no cache folder can be written, each process compiles it again."""
        return _compiled(fn, **_OPTIONS)

    def inlined(fn: F) -> F:
        """Compile a kernel into each kernel that calls it, instead of separately.

        Passing a table of many buffers costs seven numbers for each buffer, which can take longer than the kernel's own
        work. Use it for kernels with one or two callers: it makes compilation slower.
        """
        return _compiled(fn, forceinline=True, **_OPTIONS)

    def _compiled(fn: F, **options: Any) -> F:
        others, _config.CACHE_LOCATOR_CLASSES = _config.CACHE_LOCATOR_CLASSES, "qipai.core.keeping.Keeper"
        try:
            compiled: Any = numba.njit(cache=True, **options)(fn)
            _save_alone(compiled)
        except RuntimeError:  # there is no folder for the cache
            compiled = numba.njit(**options)(fn)
        finally:
            _config.CACHE_LOCATOR_CLASSES = others
        inlining.give(compiled, widen="forceinline" not in options)
        return cast("F", compiled)

    def _save_alone(compiled: Any) -> None:
        """Let only one process at a time save compiled code of a kernel.

        numba numbers the files of a kernel through an index that it reads first and writes later. Two processes that
        compile different signatures at the same time would otherwise overwrite each other's file.
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

    # Slices, whose indices the compiler knows to be in range: only so are these loops computed many cells at a time.

    def wide_rows(values: Iterable[int], width: int) -> Buffer:
        """Return numbers in rows of so many, for `add_weighted` alone."""
        return thawed(values)

    @kernel
    def add_weighted(cells: Buffer, rows: Buffer, first: int, x: Buffer, n: int) -> None:
        """Add n rows to the cells: row first + x[0] times x[1], row first + x[2] times x[3] and so on."""
        width = len(cells)
        for i in range(n):
            at, times = (first + x[2 * i]) * width, x[2 * i + 1]
            row = rows[at : at + width]
            for k in range(width):
                cells[k] += times * row[k]

    @kernel
    def add_rows(cells: Buffer, to: int, start: int, rows: Buffer, plus: int, less: int, gone: int, n: int) -> None:
        """Write n cells from `to` on: those from `start` on and the row at `plus`, without those at `less` and `gone`.

        The cells written are those read or lie apart from them.
        """
        out, old, new = cells[to : to + n], cells[start : start + n], rows[plus : plus + n]
        one, two = rows[less : less + n], rows[gone : gone + n]
        for i in range(n):
            out[i] = old[i] + new[i] - one[i] - two[i]

    @kernel
    def dot_squares(cells: Buffer, at: int, most: int, weights: Buffer, row: int, n: int) -> int:
        """Return the sum of the squares of n cells from `at` on, each cut to 0 … most, times those from `row` on."""
        kept, scale = cells[at : at + n], weights[row : row + n]
        total = 0
        for i in range(n):
            cut = min(max(kept[i], 0), most)
            total += cut * cut * scale[i]
        return total

else:

    def kernel(fn: F) -> F:
        """Leave a kernel as it is: interpreted."""
        return fn

    inlined = kernel

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

    # A row is one large integer, each of its numbers 64 bits beyond the one before: so a whole row is multiplied and
    # added at once, ten times as fast as number by number.

    def _wide(values: Iterable[int]) -> int:
        total = 0
        for value in reversed(tuple(values)):
            total = (total << 64) + value
        return total

    def wide_rows(values: Iterable[int], width: int) -> Buffer:
        """Return numbers in rows of so many, for `add_weighted` alone."""
        flat = tuple(values)
        return [_wide(flat[at : at + width]) for at in range(0, len(flat), width)]

    @cache
    def _middles(width: int) -> int:
        return _wide([1 << 63] * width)

    def add_weighted(cells: Buffer, rows: Buffer, first: int, x: Buffer, n: int) -> None:
        """Add n rows to the cells: row first + x[0] times x[1], row first + x[2] times x[3] and so on."""
        width = len(cells)
        total = _middles(width)
        for i in range(n):
            total += x[2 * i + 1] * rows[first + x[2 * i]]
        sums = memoryview(total.to_bytes(8 * width, sys.byteorder)).cast("Q").tolist()
        if sys.byteorder == "big":
            sums.reverse()
        cells[:] = [cell + each - (1 << 63) for cell, each in zip(cells, sums, strict=True)]

    def add_rows(cells: Buffer, to: int, start: int, rows: Buffer, plus: int, less: int, gone: int, n: int) -> None:
        """Write n cells from `to` on: those from `start` on and the row at `plus`, without those at `less` and `gone`.

        The cells written are those read or lie apart from them.
        """
        parts = cells[start : start + n], rows[plus : plus + n], rows[less : less + n], rows[gone : gone + n]
        cells[to : to + n] = [old + new - one - two for old, new, one, two in zip(*parts, strict=True)]

    def dot_squares(cells: Buffer, at: int, most: int, weights: Buffer, row: int, n: int) -> int:
        """Return the sum of the squares of n cells from `at` on, each cut to 0 … most, times those from `row` on."""
        cut = [(0 if cell < 0 else cell) if cell < most else most for cell in cells[at : at + n]]
        return sum(map(mul, map(mul, cut, cut), weights[row : row + n]))


@kernel
def lcg(x: int) -> int:
    """Return the next state of the kernels' random number generator: 31 bits; use the high ones, `x >> 16`."""
    return (1103515245 * x + 12345) & 0x7FFFFFFF


@kernel
def copy_into(source: Buffer, target: Buffer) -> None:
    """Copy one buffer into another of the same length."""
    for i in range(len(source)):
        target[i] = source[i]


def pour(cells: Buffer, values: Iterable[int], at: int = 0) -> None:
    """Write values into a buffer, starting at a given cell."""
    for i, value in enumerate(values, at):
        cells[i] = value


def places(layout: type[T], first: int = 0) -> T:
    """Return the cell of a buffer at which each field of a layout lies; the first field is at `first`.

    A layout is a NamedTuple of integers that names the cells of a buffer in their order. It serves both worlds:
    `AT = places(Registers)` gives the constants that kernels index with, `PHASE: Final = AT.phase`, and
    `Registers(phase=…, turn=…)` packs a whole buffer by name. A field that is forgotten or misspelt is a type error,
    and raises at once. `Registers._make(values)` reads a buffer by name.
    """
    fields: tuple[str, ...] = layout._fields  # type: ignore[attr-defined]
    make: Callable[[Iterable[int]], T] = layout._make  # type: ignore[attr-defined]
    return make(range(first, first + len(fields)))
