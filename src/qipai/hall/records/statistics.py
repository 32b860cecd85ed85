"""Statistics as the pages print them (platform P-75). Pure."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["percents"]


def percents(counts: Mapping[str, int]) -> dict[str, str]:
    """Return each count's share in percent with two decimals, truncated, not rounded; 0.00 if all counts are 0."""
    total = sum(counts.values())
    cut = {name: 10_000 * count // total if total else 0 for name, count in counts.items()}
    return {name: f"{value // 100}.{value % 100:02}" for name, value in cut.items()}
