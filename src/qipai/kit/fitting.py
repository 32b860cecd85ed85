"""Regressions that fit a game's weights, and write them into its source. Needs NumPy; not used while playing."""

from __future__ import annotations

from typing import Any

__all__ = ["centred", "solved", "written"]


def solved(x: Any, y: Any, ridge: float) -> Any:
    """Return the weights of a ridge regression on scaled columns."""
    import numpy as np

    scale = np.maximum(x.std(0), 1e-6)
    z = x / scale
    return np.linalg.solve(z.T @ z + np.eye(x.shape[1]) * (30 + len(x) * ridge), z.T @ y) / scale


def centred(rows: Any, group: int) -> Any:
    """Return rows less the mean of their group; rows of a group stand together, column `group` says which it is."""
    import numpy as np

    first = np.flatnonzero(np.diff(rows[:, group], prepend=-1))
    number = np.diff(first, append=len(rows))
    mean = np.add.reduceat(rows, first, axis=0) / number[:, None]
    return rows - np.repeat(mean, number, axis=0)


def written(name: str, weights: Any) -> str:
    """Return weights as they stand in a `kernel/weights.py`."""
    lines = [", ".join(str(int(w)) for w in weights[at : at + 16]) for at in range(0, len(weights), 16)]
    return f"{name}: Final = (\n" + "".join(f"    {line},\n" for line in lines) + ")\n"
