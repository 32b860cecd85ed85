"""The seals of bids: shown when a bid is made, so that it can be checked when it is opened (platform P-71). Pure."""

from __future__ import annotations

import hashlib

__all__ = ["seal_of"]


def seal_of(pond: str, round: int, user: int, amount: int, salt: str) -> str:
    """Return the seal of a bid, as hex.

    It is the SHA-256 of these six lines, in UTF-8, joined by a newline (U+000A), with none after the last:
    `qipai-pond-v1`, the pond's id, the round, the user's number, the amount, the salt. Numbers are decimal without
    leading zeros or a sign; the salt is the text that is shown when the bid is opened. Anybody can recompute it;
    `tests/unit/contests/ponds/seals.json` has examples.
    """
    lines = ("qipai-pond-v1", pond, str(round), str(user), str(amount), salt)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
