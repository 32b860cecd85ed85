"""E-mail with a link to reset a password, if `[mail]` of hall.toml names a server (0042)."""

from __future__ import annotations

import asyncio
import logging
import smtplib
import ssl
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any, Final

from qipai import lang
from qipai.accounts import resets
from qipai.accounts.model import Window, folded
from qipai.accounts.service import Accounts
from qipai.config import Config, Mail
from qipai.web.gate import too_fast

__all__ = ["Letters", "send"]

log = logging.getLogger("qipai.mail")

HOUR: Final = 3600
PATIENCE_S: Final = 20.0  # for each reply of the mail server
MOST_WAITING: Final = 100


class Letters:
    """Sends e-mails one after the other, after the request was answered."""

    def __init__(
        self,
        config: Config,
        folder: Path,
        accounts: Accounts,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        now: Callable[[], int],
        clock: Callable[[], float],
    ) -> None:
        """folder: of the hall. spawn: runs something to its end. now: ms since 1970. clock: s that never go back."""
        mail = config.mail
        self._mail, self._folder, self._reset_hours = mail, folder, config.accounts.reset_hours
        self._accounts, self._spawn, self._now, self._clock = accounts, spawn, now, clock
        self.ready = bool(mail.server)
        self._asked = Window(mail.letters, HOUR)  # by what was typed
        self._asked_address = Window(mail.letters_address, HOUR)
        self._sent = Window(mail.letters, HOUR)  # by user and by e-mail address
        self._thread = ThreadPoolExecutor(1, "mail")
        self._waiting = 0

    def close(self) -> None:
        """Stop sending."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def ask(self, who: str, address: str | None, tongue: str) -> None:
        """Send an e-mail to whoever has this name or e-mail address; the answer does not tell whether anybody has.

        Raises HallError("RATE_LIMIT") for known and unknown names in the same way.
        """
        clock = self._clock()
        windows = [(self._asked, folded(who)), *([(self._asked_address, address)] if address is not None else [])]
        for window, key in windows:
            if wait := window.wait(key, clock):
                raise too_fast(wait)
        for window, key in windows:
            window.add(key, clock)
        if self._waiting < MOST_WAITING:
            self._waiting += 1
            self._spawn(self._send(who, tongue))

    async def _send(self, who: str, tongue: str) -> None:
        try:
            for user, name, email in await self._accounts.reachable(who):
                clock, keys = self._clock(), (user, email.casefold())
                if any(self._sent.wait(key, clock) for key in keys):
                    continue
                for key in keys:
                    self._sent.add(key, clock)
                own = (await self._accounts.settings(user)).lang
                spoken = own if isinstance(own, str) else tongue
                words = lang.hall(spoken)
                secret = await self._accounts.resets.make_letter(user, self._now())
                facts = {
                    "name": name,
                    "link": self._mail.hall + resets.path(secret),
                    "hours": str(self._reset_hours),
                }
                text = lang.fill(words["mail.reset"], facts, lang=spoken)
                work = partial(send, self._mail, self._folder, email, words["mail.subject"], text)
                await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting -= 1


def send(mail: Mail, folder: Path, to: str, subject: str, text: str) -> bool:
    """Send an e-mail, which may take long; return whether the server accepted it. Errors are logged."""
    try:
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = mail.sender, Address(addr_spec=to), subject
        letter["Auto-Submitted"] = "auto-generated"
        letter.set_content(text)
        secure = ssl.create_default_context()
        kind = partial(smtplib.SMTP_SSL, context=secure) if mail.security == "tls" else smtplib.SMTP
        with kind(mail.server, mail.port, timeout=PATIENCE_S) as server:
            if mail.security == "starttls":
                server.starttls(context=secure)
            if mail.user:
                server.login(mail.user, (folder / mail.password_file).read_text("utf-8").strip())
            server.send_message(letter, to_addrs=[to])
    except (smtplib.SMTPException, OSError, MessageError, ValueError) as wrong:
        log.warning("a letter could not be sent by %s: %s", mail.server, type(wrong).__name__)
        return False
    return True
