"""Verifiable luck (platform P-91, P-92): the commitment before the seeds, the seeds before the first card."""

from __future__ import annotations

from typing import Final

from qipai.core.rng import commitment

__all__ = ["SEED_BYTES", "seal"]

SEED_BYTES: Final = 64  # the longest client seed, in bytes of UTF-8


def seal(server_seed: str) -> str:
    """Return the commitment to a server seed; both are hex."""
    return commitment(bytes.fromhex(server_seed))
