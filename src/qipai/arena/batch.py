"""Many deals at once, for programs that learn: all questions as one array, all answers in one step. Needs NumPy.

With QIPAI_JIT=1 in the environment the kernels are compiled, and this is some hundred times as fast as deal by deal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from qipai import games
from qipai.core.arrays import Batched

__all__ = ["Batch", "NotBatched"]


class NotBatched(ValueError):
    """Raised for a game that cannot be played in batches, or whose options are none of its own."""


class Batch:
    """A number of tables that are each asked one question; a deal that ends is followed by the next one.

    known: int16, (tables, Batched.known): what the asked seat knows, as `Arrays.fields` say, without the word.
    seats: int64, (tables,): who is asked. many: int64, (tables,): how many answers there are.
    codes: int32, (tables, Batched.most): the answers, in the kernel's numbers.
    ended: bool, (tables,): a deal ended with the last step. points: int64, (tables, seats): what each seat got
    where one did.
    """

    def __init__(self, game: str, tables: int = 256, seed: int = 1, options: Mapping[str, Any] | None = None) -> None:
        """seed: of all luck; the same seed and the same choices give the same deals. Raises NotBatched."""
        import numpy as np

        its: Batched | None = games.find(game).batched if game in games.names() else None
        if its is None:
            able = ", ".join(name for name in games.names() if games.find(name).batched is not None)
            raise NotBatched(f"{game} is not played in batches; {able} can be")
        entry = games.find(game)
        try:
            chosen = entry.chosen(dict(options or {}))
        except (msgspec.ValidationError, ValueError) as wrong:
            raise NotBatched(f"{game} has no such options: {wrong}") from wrong
        self.batched, self.tables = its, tables
        self.known = np.zeros((tables, its.known), np.int16)
        self.codes = np.zeros((tables, its.most), np.int32)
        self._told = np.zeros((tables, 2 + its.seats), np.int64)
        self.seats, self.many = self._told[:, 0], self._told[:, 1]
        self.ended = np.zeros(tables, np.bool_)
        self.points = np.zeros((tables, its.seats), np.int64)
        self._said = np.zeros((0, its.said), np.int8)
        self._tables = [its.table(chosen) for _ in range(tables)]
        # seeds of neighbours lie far apart
        self._seeds = [((seed + 1) * 2654435761 + i * 40503) & 0x7FFFFFFF for i in range(tables)]
        self._rows = list(zip(self.known, self.codes, self._told, strict=True))
        for i in range(tables):
            self._deal(i)

    def _deal(self, i: int) -> None:
        its, (known, codes, told) = self.batched, self._rows[i]
        seed = int(its.deal(self._tables[i], self._seeds[i]))
        self._seeds[i] = int(its.go_on(self._tables[i], 0, 0, seed, known, codes, told))

    def step(self, choices: Sequence[int] | Any) -> None:
        """Let every table's asked seat give one of its answers, by its number among them; raises ValueError."""
        its, tables, seeds, rows = self.batched, self._tables, self._seeds, self._rows
        wanted, seats, many = list(map(int, choices)), self.seats.tolist(), self.many.tolist()
        if len(wanted) != self.tables or not all(0 <= one < n for one, n in zip(wanted, many, strict=True)):
            raise ValueError("each table is given the number of one of its answers, from 0")
        self.ended[:] = False
        for i, choice in enumerate(wanted):
            known, codes, told = rows[i]
            code = int(codes[choice])
            seeds[i] = int(its.go_on(tables[i], seats[i], code, seeds[i], known, codes, told))
            if told[0] < 0:
                self.ended[i] = True
                self.points[i] = told[2:]
                self._deal(i)

    def answers(self) -> tuple[Any, Any]:
        """Return all answers of all tables in numbers, (answers, Batched.said), and which table each is of."""
        import numpy as np

        its, total = self.batched, int(self.many.sum())
        if len(self._said) < total:
            self._said = np.zeros((total * 2, its.said), np.int8)
        flat, at = self._said.reshape(-1), 0
        for codes, n in zip(self.codes, self.many.tolist(), strict=True):
            its.describe(codes, n, flat[at * its.said :])
            at += n
        return self._said[:total], np.repeat(np.arange(self.tables), self.many)
