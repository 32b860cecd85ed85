"""Secrets that are given out once, and the hashes by which the house knows them."""

from __future__ import annotations

import hashlib
import secrets

__all__ = ["key_of", "new_secret"]


def new_secret() -> str:
    """Return a secret that nobody guesses: of a cookie, a token, a link."""
    return secrets.token_urlsafe(32)


def key_of(secret: str) -> bytes:
    """Return the hash by which the house knows a secret: whoever reads the database cannot sign in with it."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()
