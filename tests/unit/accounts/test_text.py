"""What nobody sees, and what turns or covers what others see, is taken out of all that people write."""

from __future__ import annotations

import pytest

from qipai.accounts.model import Refused, check_name, check_password
from qipai.accounts.text import line, look, plain


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("你好，再来一局！", "你好，再来一局！"),
        ("a\u202eb\u2066c\u200f", "abc"),  # turned round
        ("a\x00b\x1b[31mc\x07", "ab[31mc"),
        ("a\r\nb\u2028c\x85d\te", "a b c d e"),
        ("a" + "\u200b" * 180 + "b", "ab"),
        ("\u200b\u200d\ufeff\u2060\u3164\u2800\u00ad", ""),
        (" \u3000\u00a0 ", ""),
        ("e" + "\u0301" * 50, "e\u0301\u0301"),
        ("nai\u0308ve café", "nai\u0308ve café"),
        ("👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥", "👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥"),
        ("a\u200db", "ab"),
        ("\ue000\udc00\U000e0041x", "x"),
    ],
)
def test_a_line_is_what_can_be_seen(text: str, seen: str) -> None:
    assert line(text) == seen


def test_several_lines_stay_several() -> None:
    assert plain(" a\r\n\r\n\r\n\r\nb \u202e\n c") == "a\n\nb\n c"


@pytest.mark.parametrize(
    "name",
    ["admin", "Ädmin", "Adm1n", "ADMlN", "admln", "adrnin", "Admın", "管理員", "管理员", "系統", "機器人", "M0derator",
     "rοοt".replace("ο", "0"), "Gue5t".replace("5", "s") + "12", "遊客-1234", "qıpaı", "Ｓｙｓｔｅｍ"],
)  # fmt: skip
def test_names_that_look_reserved_are(name: str) -> None:
    with pytest.raises(Refused, match="NAME_BAD"):
        check_name(name)


@pytest.mark.parametrize("name", ["Admiral", "adm", "海潮生", "Bobby", "il1I", "Hallo", "Robot7", "rooster", "理员"])
def test_other_names_are_free(name: str) -> None:
    assert check_name(name) == name


def test_what_looks_alike_is_alike() -> None:
    assert look("paypaI") == look("paypal") == look("PАYPАL")  # the last with Cyrillic letters
    assert look("modern") != look("moden")


@pytest.mark.parametrize(
    "password", ["password", "        ", "12345678", "qwertyuiop", "aaaaaaaa", "1234567890", "iloveyou", "5201314a",
                 "Haichao8", "haichaoh", "HAICHAO1", "abcdefgh", "11112222", "P@ssw0rd"],
)  # fmt: skip
def test_passwords_that_everybody_tries_are_refused(password: str) -> None:
    with pytest.raises(Refused) as wrong:
        check_password(password, "Haichao")
    assert wrong.value.code == "PASSWORD_WEAK"
    assert wrong.value.facts == {"case": "common", "least": 8}


def test_a_short_password_is_refused_as_short() -> None:
    with pytest.raises(Refused) as wrong:
        check_password("x8!kQ", "Haichao")
    assert wrong.value.facts == {"least": 8}


@pytest.mark.parametrize(
    "password", ["long enough", "correct horse", "芝麻开门吧各位好", "vX9#qLm2", "海上生明月天涯" * 20]
)
def test_others_are_taken(password: str) -> None:
    check_password(password, "Haichao")
