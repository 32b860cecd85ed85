"""Letters leave as they should, and a server that is not who it says gets neither letter nor password."""

from __future__ import annotations

import datetime
import logging
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.post import Post

from qipai.community.letters import smtp
from qipai.community.letters.smtp import send
from qipai.config import Mail

TO = "one@example.org"


def mail(post: Post, security: str = "none", **more: str) -> Mail:
    sender = "棋牌 <hall@example.org>"
    return Mail(server="localhost", port=post.port, security=security, sender=sender, hall="https://x.y", **more)  # type: ignore[arg-type]


def test_a_letter_arrives_whole(tmp_path: Path) -> None:
    with Post().open() as post:
        assert send(mail(post), tmp_path, TO, "重设密码", "石头记，你好：\n\nhttps://x.y/reset#abc\n") == "sent"
        letter = post.until(1)
    assert (letter["To"], letter["Subject"], letter["Auto-Submitted"]) == (TO, "重设密码", "auto-generated")
    assert letter["From"] == "棋牌 <hall@example.org>"
    assert letter.get_content() == "石头记，你好：\n\nhttps://x.y/reset#abc\n"


def test_the_password_comes_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "mail.password").write_text("open sesame\n")
    with Post(("hall", "open sesame")).open() as post:
        own = mail(post, user="hall", password_file="mail.password")
        assert send(own, tmp_path, TO, "x", "y") == "sent"
        (tmp_path / "mail.password").write_text("wrong")
        assert send(own, tmp_path, TO, "x", "y") == "later"
        (tmp_path / "mail.password").unlink()
        assert send(own, tmp_path, TO, "x", "y") == "later"
        assert len(post.letters) == 1


def test_what_goes_wrong_is_told_without_the_address(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Post().open() as post:
        gone = mail(post)
        for odd in ("one@example.org\nBcc: two@example.org", "one", "two, one@example.org"):
            assert send(gone, tmp_path, odd, "x", "y") == "never"
        assert post.letters == []
    with caplog.at_level(logging.WARNING):
        assert send(gone, tmp_path, TO, "x", "y") == "later"
    assert "could not be sent by localhost" in caplog.text
    assert TO not in caplog.text


def certificate(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """Return what a server shows that nobody has signed, and the same as a file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    file = folder / "server.pem"
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(private + made.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context, file


def test_a_server_must_be_who_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context, file = certificate(tmp_path)
    with Post().open(context) as post:
        assert send(mail(post, "starttls"), tmp_path, TO, "x", "y") == "later"
        assert send(mail(post, "none"), tmp_path, TO, "x", "y") == "later"
        assert post.letters == []
        trusting = ssl.create_default_context(cafile=str(file))
        monkeypatch.setattr(smtp.ssl, "create_default_context", lambda: trusting)  # type: ignore[attr-defined]
        assert send(mail(post, "starttls"), tmp_path, TO, "x", "y") == "sent"
        assert len(post.letters) == 1
