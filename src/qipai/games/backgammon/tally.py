"""The statistics line 胜局的统计 of the seed: wins of White, wins of Black, draws (R40)."""

from __future__ import annotations

__all__ = ["percents"]


def percents(white: int, black: int, draws: int) -> tuple[str, str, str]:
    """Return each number's percentage of all games, cut to two decimals; no games yet: 0.00 each."""
    total = white + black + draws

    def share(count: int) -> str:
        hundredths = 10_000 * count // total if total else 0
        return f"{hundredths // 100}.{hundredths % 100:02d}"

    return share(white), share(black), share(draws)
