"""Sending an e-mail by the server that `[mail]` of hall.toml names (0042)."""

from __future__ import annotations

import logging
import smtplib
import ssl
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Final, Literal

from qipai.config import Mail

__all__ = ["Outcome", "send"]

log = logging.getLogger("qipai.mail")

PATIENCE_S: Final = 20.0  # for each reply of the mail server

Outcome = Literal["sent", "later", "never"]


def send(mail: Mail, folder: Path, to: str, subject: str, text: str, stop: str | None = None) -> Outcome:
    """Send an e-mail, which may take long; return what became of it. Errors are logged. stop: where it is cancelled."""
    try:
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = mail.sender, Address(addr_spec=to), subject
        letter["Auto-Submitted"] = "auto-generated"
        if stop is not None:
            letter["List-Unsubscribe"] = f"<{stop}>"
        letter.set_content(text)
    except (MessageError, ValueError) as wrong:
        log.warning("a letter could not be sent by %s: %s", mail.server, type(wrong).__name__)
        return "never"
    try:
        secure = ssl.create_default_context()
        kind = partial(smtplib.SMTP_SSL, context=secure) if mail.security == "tls" else smtplib.SMTP
        with kind(mail.server, mail.port, timeout=PATIENCE_S) as server:
            if mail.security == "starttls":
                server.starttls(context=secure)
            if mail.user:
                server.login(mail.user, (folder / mail.password_file).read_text("utf-8").strip())
            server.send_message(letter, to_addrs=[to])
    except smtplib.SMTPRecipientsRefused as wrong:
        log.warning("a letter could not be sent by %s: %s", mail.server, type(wrong).__name__)
        return "later" if all(400 <= code < 500 for code, _ in wrong.recipients.values()) else "never"
    except (smtplib.SMTPException, OSError, MessageError, ValueError) as wrong:
        log.warning("a letter could not be sent by %s: %s", mail.server, type(wrong).__name__)
        return "later"
    return "sent"
