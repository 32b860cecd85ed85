"""A small mail server, and the letters it has taken."""

from __future__ import annotations

import re
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

PATIENCE = 60.0


class _AnyPort(Controller):
    """It serves at a port that is free, and then tries itself there."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        super()._trigger_server()  # type: ignore[no-untyped-call]


class Post:
    """It takes whatever comes. login: name and password that it asks for."""

    def __init__(self, login: tuple[str, str] | None = None) -> None:
        self.letters: list[EmailMessage] = []
        self.login = login
        self.port = 0
        self._came = threading.Condition()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        letter: Any = message_from_bytes(envelope.content.replace(b"\r\n", b"\n"), policy=default)
        assert [letter["To"]] == envelope.rcpt_tos
        with self._came:
            self.letters.append(letter)
            self._came.notify_all()
        return "250 taken"

    def authenticate(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        given = isinstance(data, LoginPassword) and (data.login.decode(), data.password.decode())
        return AuthResult(success=given == self.login, handled=given == self.login)  # else it answers nothing

    def until(self, count: int) -> EmailMessage:
        """Wait for so many letters, and return the last."""
        with self._came:
            assert self._came.wait_for(lambda: len(self.letters) >= count, PATIENCE), self.letters
            return self.letters[count - 1]

    @contextmanager
    def open(self, tls: ssl.SSLContext | None = None) -> Iterator[Post]:
        more = {"authenticator": self.authenticate, "auth_require_tls": False}
        controller = _AnyPort(
            self, hostname="127.0.0.1", port=0, tls_context=tls, require_starttls=tls is not None,
            **(more if self.login else {}),  # type: ignore[arg-type]
        )  # fmt: skip
        controller.start()
        try:
            self.port = controller.port
            yield self
        finally:
            controller.stop()


def link_in(letter: EmailMessage) -> str:
    """Return the link that stands in a letter."""
    (found,) = re.findall(r"^https?://\S+$", letter.get_content(), re.M)
    return str(found)
