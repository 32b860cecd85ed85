"""The sections of a tournament, and the Berger tables by which their players meet (platform P-67, P-68). Pure."""

from __future__ import annotations

__all__ = ["round_robin", "sections"]


def sections(players: int, most: int) -> list[int]:
    """Return the sizes of the sections, as equal as possible, larger first."""
    if players <= 0:
        return []
    count = -(-players // most)
    size, larger = divmod(players, count)
    return [size + 1] * larger + [size] * (count - larger)


def round_robin(players: int) -> list[list[tuple[int, int]]]:
    """Return the rounds of a Berger table (FIDE Handbook C.05): pairs of players 1 to n; the first named begins.

    With an odd number one player sits out each round.
    """
    if players <= 0:
        return []
    n = players + players % 2  # if the number is odd, a pair with player n is a bye
    rounds = []
    for r in range(1, n):
        p = (r + 1) // 2 if r % 2 else (r + n) // 2
        pairs = [(p, n) if r % 2 else (n, p)]
        pairs += [((p - 1 + k) % (n - 1) + 1, (p - 1 - k) % (n - 1) + 1) for k in range(1, n // 2)]
        rounds.append([pair for pair in pairs if max(pair) <= players])
    return rounds
