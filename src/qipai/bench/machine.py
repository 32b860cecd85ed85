"""The machine that runs the measurement: its description, and how much of it other processes used meanwhile."""

from __future__ import annotations

import os
import platform
import sys

from qipai.bench.contest import at_work

__all__ = ["Watch", "cpu_model", "load"]


def cpu_model() -> str:
    """Return the model name of the processor."""
    try:
        with open("/proc/cpuinfo") as info:
            names = [row.split(":", 1)[1].strip() for row in info if row.startswith("model name")]
        return names[0] if names else platform.machine()
    except OSError:
        return platform.processor() or platform.machine()


def load() -> tuple[float, float, float]:
    """Return the machine's load averages over 1, 5 and 15 minutes, zeros where there are none."""
    return os.getloadavg() if hasattr(os, "getloadavg") else (0.0, 0.0, 0.0)


class Watch:
    """Looks how much of the machine is taken by processes that are not ours: ours are we and those we started."""

    def __init__(self) -> None:
        self._before = spent()

    def others(self) -> float | None:
        """Return the share of all cores that others took since the watch began, None where nobody tells."""
        now, before = spent(), self._before
        if now is None or before is None:
            return None
        whole, busy, ours = (a - b for a, b in zip(now, before, strict=True))
        return min(1.0, max(0.0, (busy - ours) / whole)) if whole > 0 else None


def spent() -> tuple[float, float, float] | None:
    """Return seconds of all cores together: gone by, busy, and busy with us and those whom we started."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        with open("/proc/stat") as stat:
            ticks = [
                int(cell) for cell in stat.readline().split()[1:9]
            ]  # user nice system idle iowait irq softirq steal
    except OSError:
        return None
    hertz = os.sysconf("SC_CLK_TCK")
    return sum(ticks) / hertz, (sum(ticks) - ticks[3] - ticks[4]) / hertz, sum(os.times()[:4]) + at_work()
