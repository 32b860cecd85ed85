"""Names, widths and windows."""

from __future__ import annotations

import pytest

from qipai.accounts.model import Refused, Window, check_name, check_password, folded, width


@pytest.mark.parametrize(
    ("name", "wide"),
    [("abc", 3), ("海潮", 4), ("海a", 3), ("一二三四五六七八九十", 20), ("Zoë_9-x", 7), ("twenty_letters_long_x", 21)],
)
def test_a_han_character_is_two_wide(name: str, wide: int) -> None:
    assert width(name) == wide


@pytest.mark.parametrize(
    "name", ["abc", "海a", "石头", "一二三四五六七八九十", "twenty_letters_long_", "Zoë", "a-b_9", "𠮷野"]
)
def test_names_that_will_do(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "ab",
        "海",
        "一二三四五六七八九十a",
        "twenty_letters_long_x",
        "a b c",
        "a.b.c",
        "аdmin",
        "abc\u202e",
        "a\u0301\u0302bc",
        "★★★",
    ],
)
def test_names_that_will_not(name: str) -> None:
    with pytest.raises(Refused) as refused:
        check_name(name)
    assert (refused.value.code, refused.value.facts) == ("NAME_BAD", {"least": 3, "most": 20})


@pytest.mark.parametrize(
    "name", ["admin", "ADMIN", "Ａｄｍｉｎ", "system", "Bot", "guest7", "Guest-of-honour", "游客1", "管理员"]
)
def test_reserved_names_are_nobodys(name: str) -> None:
    with pytest.raises(Refused, match="NAME_BAD"):
        check_name(name)


def test_names_that_look_alike_are_alike() -> None:
    assert check_name("Ｈａｉ") == "Hai"
    assert folded("Ｈａｉ") == folded("hAI") == "hai"
    assert folded("Straße") == folded("STRASSE")


def test_a_password_has_eight_characters() -> None:
    check_password("sh0rt+ok")
    with pytest.raises(Refused, match="PASSWORD_WEAK"):
        check_password("1234567")


def test_a_window_slides() -> None:
    window = Window(most=2, seconds=10)
    assert window.wait("a", 0) == 0
    window.add("a", 0)
    window.add("a", 4)
    assert window.wait("a", 5) == 5  # until the first is ten seconds old
    assert window.wait("b", 5) == 0
    assert window.wait("a", 10) == 0
    window.add("a", 10)
    assert window.wait("a", 11) == 3
    window.forget("a")
    assert window.wait("a", 11) == 0


def test_a_window_of_none_is_shut() -> None:
    assert Window(most=0, seconds=10).wait("a", 0) == 10


def test_a_window_forgets_whom_it_has_not_seen() -> None:
    window = Window(most=1, seconds=10)
    for key in range(10_001):
        window.add(key, 0)
    window.add("late", 100)
    assert len(window._times) == 1
