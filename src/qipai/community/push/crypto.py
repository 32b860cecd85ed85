"""The encryption of messages (RFC 8291) and the hall's own key, by which push services know it (RFC 8292).

The libraries http-ece and py-vapid do it where they are installed (the extra `push`).
"""

from __future__ import annotations

import logging
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

__all__ = ["HallKey", "decoded", "encrypted", "ready"]

log = logging.getLogger("qipai.push")

KEY_FILE: Final = "push.pem"
DAY: Final = 86400


def ready() -> bool:
    """Tell whether the libraries are installed."""
    return all(find_spec(name) is not None for name in ("http_ece", "py_vapid"))


def decoded(text: str) -> bytes:
    """Return what a text in base64url stands for; raises ValueError."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_key(public: bytes, secret: bytes) -> bool:
    """Tell whether these are a browser's keys: a point of P-256 and sixteen bytes."""
    from cryptography.hazmat.primitives.asymmetric import ec

    if len(secret) != 16 or len(public) != 65:
        return False
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
    except ValueError:
        return False
    return True


def encrypted(content: bytes, public: bytes, secret: bytes) -> bytes:
    """Return a message as only the browser of these keys can read it."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    own = ec.generate_private_key(ec.SECP256R1())
    found: bytes = http_ece.encrypt(content, private_key=own, dh=public, auth_secret=secret, version="aes128gcm")
    return found


class HallKey:
    """The key of a hall, made when it is first needed; nobody else may read its file."""

    def __init__(self, folder: Path) -> None:
        from py_vapid import Vapid02

        path = folder / KEY_FILE
        if path.is_file():
            self._key: Any = Vapid02.from_pem(path.read_bytes())
        else:
            self._key = Vapid02()
            self._key.generate_keys()
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(self._key.private_pem())

    @property
    def public(self) -> str:
        """Return what a browser needs to subscribe."""
        from cryptography.hazmat.primitives import serialization

        point = self._key.public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return urlsafe_b64encode(point).decode().rstrip("=")

    def signature(self, endpoint: str, hall: str, now: int) -> str:
        """Return the header that tells a push service who sends. hall: the hall's address; now: seconds."""
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": now + DAY // 2, "sub": hall}
        return str(self._key.sign(claims)["Authorization"])
