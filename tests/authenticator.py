"""A device that makes passkeys and signs with them, as a browser hands over what it says (WebAuthn, level 2)."""

from __future__ import annotations

import base64
import json
import secrets
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 1, 4, 64


def text_of(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Authenticator:
    """One passkey. origin, host: what the browser says where it is; unlocked: by its owner's finger, face or PIN."""

    def __init__(self, origin: str, host: str) -> None:
        self.origin, self.host = origin, host
        self.id = secrets.token_bytes(16)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.count = 0
        self.unlocked = True

    def _said(self, kind: str, options: Any) -> bytes:
        said = {"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False}
        return json.dumps(said).encode()

    def _data(self, more: bytes = b"") -> bytes:
        flags = PRESENT | (VERIFIED if self.unlocked else 0) | (ATTESTED if more else 0)
        return sha256(self.host.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big") + more

    def _answer(self, said: bytes, **more: bytes) -> dict[str, Any]:
        response = {name: text_of(data) for name, data in {"clientDataJSON": said, **more}.items()}
        id = text_of(self.id)
        return {"id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {}}

    def make(self, options: Any) -> dict[str, Any]:
        """Answer `navigator.credentials.create`."""
        at = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: at.x.to_bytes(32, "big"), -3: at.y.to_bytes(32, "big")}
        data = self._data(bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(public))
        made = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer(self._said("webauthn.create", options), attestationObject=made)

    def sign(self, options: Any) -> dict[str, Any]:
        """Answer `navigator.credentials.get`."""
        self.count += 1
        said, data = self._said("webauthn.get", options), self._data()
        signature = self.key.sign(data + sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(said, authenticatorData=data, signature=signature)
