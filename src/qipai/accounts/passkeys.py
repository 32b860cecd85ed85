"""Passkeys: a key on somebody's device that stands for name, password and second factor (WebAuthn, 0042).

The library webauthn checks what the device says, where it is installed.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, Final, Literal

from msgspec import Struct, json

from qipai.accounts.model import Refused
from qipai.store import Conflict, Connection, Store, inserted

__all__ = ["Passkey", "Passkeys", "Site"]

OPEN_S: Final = 300  # how long a question can be answered
MOST: Final = 20  # passkeys of one person
NONCE, WHEN, SIGN = 16, 8, 16  # bytes of a challenge


class Site(Struct, frozen=True):
    """Where a browser is: the hall's name, and the origins whose pages may ask."""

    host: str
    origins: tuple[str, ...]


class Passkey(Struct, frozen=True):
    """A passkey as its owner sees it. made_at, used_at: seconds."""

    id: int
    name: str
    host: str
    made_at: int
    used_at: int | None


class Passkeys:
    """The verbs of passkeys. `now` is in seconds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.ready = find_spec("webauthn") is not None
        self._key = secrets.token_bytes(32)  # of this run: a question does not outlive it
        self._answered: dict[bytes, int] = {}  # questions that cannot be answered again, and until when they stand

    async def of(self, user: int) -> list[Passkey]:
        """Return a user's passkeys, oldest first."""
        sql = "SELECT id, name, host, made_at, used_at FROM passkeys WHERE user = ? ORDER BY id"
        rows = await self._store.read(lambda db: db.execute(sql, (user,)).fetchall())
        return [Passkey(*row) for row in rows]

    async def ask_new(self, user: int, name: str, site: Site, now: int) -> Any:
        """Return what a browser needs to make a passkey; raises Refused: NOT_FOUND, LIMIT_REACHED."""
        self._need()
        from webauthn import generate_registration_options, options_to_json
        from webauthn.helpers.structs import (
            AuthenticatorSelectionCriteria,
            PublicKeyCredentialDescriptor,
            ResidentKeyRequirement,
            UserVerificationRequirement,
        )

        sql = "SELECT credential FROM passkeys WHERE user = ?"
        known = await self._store.read(lambda db: db.execute(sql, (user,)).fetchall())
        if len(known) >= MOST:
            raise Refused("LIMIT_REACHED", case="passkeys", most=MOST)
        options = generate_registration_options(
            rp_id=site.host,
            rp_name="qipai",
            user_name=name,
            user_id=str(user).encode(),
            challenge=self._question("new", user, now),
            timeout=1000 * OPEN_S,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,  # nobody types their name to sign in with it
                user_verification=UserVerificationRequirement.REQUIRED,  # it stands for a second factor, too
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=credential) for (credential,) in known],
        )
        return json.decode(options_to_json(options))

    async def add(self, user: int, name: str, answer: Mapping[str, Any], site: Site, now: int) -> Passkey:
        """Keep a passkey that a browser has made; raises Refused: NOT_FOUND, BAD_LOGIN."""
        self._need()
        from webauthn import verify_registration_response
        from webauthn.helpers.exceptions import WebAuthnException

        challenge = self._take("new", user, answer, now)
        try:
            found = verify_registration_response(
                credential=dict(answer),
                expected_challenge=challenge,
                expected_rp_id=site.host,
                expected_origin=list(site.origins),
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError) as wrong:
            raise Refused("BAD_LOGIN", case="passkey") from wrong
        row = (found.credential_id, user, site.host, found.credential_public_key, found.sign_count, name, now)
        sql = "INSERT INTO passkeys (credential, user, host, public, count, name, made_at) VALUES (?, ?, ?, ?, ?, ?, ?)"
        try:
            id = await self._store.transaction(lambda db: inserted(db, sql, row))
        except Conflict:  # somebody has it already
            raise Refused("BAD_LOGIN", case="passkey") from None
        return Passkey(id, name, site.host, now, None)

    async def remove(self, user: int, id: int) -> bool:
        """Forget a passkey; tell whether the user had it."""
        sql = "DELETE FROM passkeys WHERE id = ? AND user = ?"
        return await self._store.transaction(lambda db: db.execute(sql, (id, user)).rowcount == 1)

    def ask(self, site: Site, now: int) -> Any:
        """Return what a browser needs to sign in with any passkey of this hall; raises Refused("NOT_FOUND")."""
        self._need()
        from webauthn import generate_authentication_options, options_to_json
        from webauthn.helpers.structs import UserVerificationRequirement

        options = generate_authentication_options(
            rp_id=site.host,
            challenge=self._question("in", 0, now),
            timeout=1000 * OPEN_S,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return json.decode(options_to_json(options))

    async def check(self, answer: Mapping[str, Any], site: Site, now: int) -> int:
        """Return whose passkey has answered; raises Refused: NOT_FOUND, BAD_LOGIN."""
        self._need()
        from webauthn import base64url_to_bytes, verify_authentication_response
        from webauthn.helpers.exceptions import WebAuthnException

        challenge = self._take("in", 0, answer, now)
        try:
            credential = base64url_to_bytes(answer["rawId"])
            known = await self._store.read(lambda db: _known(db, credential, site.host))
            if known is None:
                raise Refused("BAD_LOGIN", case="passkey")
            id, user, public, count = known
            found = verify_authentication_response(
                credential=dict(answer),
                expected_challenge=challenge,
                expected_rp_id=site.host,
                expected_origin=list(site.origins),
                credential_public_key=public,
                credential_current_sign_count=count,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError) as wrong:
            raise Refused("BAD_LOGIN", case="passkey") from wrong
        row = (found.new_sign_count, now, id, count)
        sql = "UPDATE passkeys SET count = ?, used_at = ? WHERE id = ? AND count = ?"
        if not await self._store.transaction(lambda db: db.execute(sql, row).rowcount == 1):
            raise Refused("BAD_LOGIN", case="passkey")  # removed, or used elsewhere meanwhile
        return user

    def _need(self) -> None:
        if not self.ready:
            raise Refused("NOT_FOUND", case="passkeys")

    # A question carries its own signature: the hall stores nothing for questions that nobody answers.

    def _question(self, why: Literal["new", "in"], user: int, now: int) -> bytes:
        head = secrets.token_bytes(NONCE) + now.to_bytes(WHEN, "big")
        return head + self._seal(why, user, head)

    def _seal(self, why: str, user: int, head: bytes) -> bytes:
        return hmac.new(self._key, f"{why}|{user}|".encode() + head, hashlib.sha256).digest()[:SIGN]

    def _take(self, why: Literal["new", "in"], user: int, answer: Mapping[str, Any], now: int) -> bytes:
        """Return the question that is answered and use it up; raises Refused if it is unknown or too old."""
        from webauthn import base64url_to_bytes

        try:
            said = json.decode(base64url_to_bytes(answer["response"]["clientDataJSON"]))
            challenge: bytes = base64url_to_bytes(said["challenge"])
        except (ValueError, KeyError, TypeError, AttributeError) as wrong:
            raise Refused("BAD_LOGIN", case="passkey") from wrong
        head, seal = challenge[: NONCE + WHEN], challenge[NONCE + WHEN :]
        until = int.from_bytes(head[NONCE:], "big") + OPEN_S
        self._answered = {one: end for one, end in self._answered.items() if end > now}
        right = hmac.compare_digest(seal, self._seal(why, user, head))
        if not right or until <= now or challenge in self._answered:
            raise Refused("BAD_LOGIN", case="passkey")
        self._answered[challenge] = until
        return challenge


def _known(db: Connection, credential: bytes, host: str) -> tuple[int, int, bytes, int] | None:
    sql = "SELECT id, user, public, count FROM passkeys WHERE credential = ? AND host = ?"
    row: tuple[int, int, bytes, int] | None = db.execute(sql, (credential, host)).fetchone()
    return row
