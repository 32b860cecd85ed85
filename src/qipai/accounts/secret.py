"""Secrets that are given out once, and the hashes that the hall keeps of them."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

__all__ = ["key_of", "new_secret", "spelled"]

LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that can be taken for another


def new_secret() -> str:
    """Return a secret that nobody can guess, for a cookie, a token or a link."""
    return secrets.token_urlsafe(32)


def spelled(groups: int) -> str:
    """Return a secret for people to write down and type: this many groups of four letters, 20 bits each."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(groups))


def key_of(secret: str) -> bytes:
    """Return the hash by which the hall knows a secret, so that nobody can sign in with what the database holds."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()
