"""A language is added by dropping its files: the hall serves it, and what it does not say is said in English."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.client import Server
from tests.third import SAID, planted

from qipai import lang

TAGS = ("zh-CN", "en", "ru", "zh-Hant")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with planted(tmp_path_factory.mktemp("third")) as package:
        yield package


@pytest.fixture(scope="module")
def http(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with (
        Server(tmp_path_factory.mktemp("hall")) as server,
        httpx.Client(base_url=f"{server.url}/api/v1", timeout=60) as client,
    ):
        yield client


def words(http: httpx.Client, tag: str) -> dict[str, str]:
    answer = http.get(f"/lang/{tag}")
    assert answer.status_code == 200
    found: dict[str, str] = answer.json()
    return found


def qipai(*said: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "qipai", *said], capture_output=True, text=True, check=False)


def test_it_is_served_with_what_it_lacks_in_english(http: httpx.Client) -> None:
    ru, en = words(http, "ru"), words(http, "en")
    assert ru.keys() == en.keys()
    assert (ru["language.tag"], ru["language.between"], ru["gouji.name"]) == ("ru", ", ", "Гоуцзи")
    assert ru["ROOM_FULL"] == en["ROOM_FULL"]
    differ = {key for key in ru if ru[key] != en[key]}
    own = SAID | {"gouji.name"}
    assert own <= differ <= own | {f"language.{name}" for name in ("tag", "name", "short", "switch")}


def test_every_language_names_all_for_the_switch(http: httpx.Client) -> None:
    for tag in TAGS:
        said = words(http, tag)
        assert [said[f"languages.{one}.name"] for one in TAGS] == ["简体中文", "English", "Русский", "繁體中文"]
        assert [said[f"languages.{one}.short"] for one in TAGS] == ["简体", "EN", "РУ", "繁體"]
        assert said["languages.ru.switch"] == "Перейти на русский"


def test_a_refusal_is_said_in_it_with_its_plurals(http: httpx.Client) -> None:
    wrong = http.post("/register", json={"name": "Iwan42", "password": "short", "lang": "ru"}).json()["error"]
    assert wrong["code"] == "PASSWORD_WEAK"
    said = words(http, "ru")["PASSWORD_WEAK"]
    least = wrong["facts"]["least"]
    assert lang.fill(said, wrong["facts"], lang="ru") == f"Слабый пароль: нужно хотя бы {least} знаков."
    assert lang.fill(said, {"least": 3}, lang="ru").endswith("3 знака.")


def test_people_choose_it(http: httpx.Client) -> None:
    http.cookies.clear()
    guest = http.post("/guest", json={"lang": "ru"}).json()["user"]
    assert guest["name"].startswith("Гость-")
    assert http.post("/me/name", json={"name": "Гость-7"}).status_code == 400  # that is what guests are called
    http.post("/register", json={"name": "Iwan42", "password": "long enough", "lang": "ru"})
    assert http.get("/me").json()["settings"]["lang"] == "ru"
    for tag in ("en", "zh-CN", "ru"):
        assert http.patch("/me/settings", json={"lang": tag}).json()["lang"] == tag
    answer = http.patch("/me/settings", json={"lang": "tlh"})
    assert (answer.status_code, answer.json()["error"]) == (400, {"code": "BAD_MESSAGE", "facts": {"field": "lang"}})
    assert http.get("/lang/tlh").status_code == 404


def test_games_are_named_in_it(http: httpx.Client) -> None:
    names: dict[str, Any] = {one["game"]: one["name"] for one in http.get("/games").json()["rows"]}
    assert tuple(names["gouji"]) == TAGS
    assert (names["gouji"]["ru"], names["xiangqi"]["ru"]) == ("Гоуцзи", names["xiangqi"]["en"])


def test_the_client_and_the_terminal_follow(folder: Path) -> None:
    code = "from qipai.web import schema; print(schema.languages(), schema.typescript())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'LANGUAGES = ["zh-CN", "en", "ru", "zh-Hant"] as const;' in done.stdout
    assert 'lang?: "en" | "ru" | "zh-CN" | "zh-Hant" | null' in done.stdout
    table = subprocess.run(
        [sys.executable, "-m", "qipai", "play", "gouji", "--lang", "ru"],
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert table.stdout.startswith("Гоуцзи. You have seat 0")


def test_what_it_lacks_is_listed(folder: Path) -> None:
    done = qipai("check", "--lang", "ru")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    whole = len(lang.written("en"))
    assert f"ok      language   hall: ru.toml says {len(SAID)} of {whole}" in lines
    assert sum(line.startswith("missing language   hall: ") for line in lines) == whole - len(SAID)
    assert any(line.startswith("missing language   hall: ru.toml has no ROOM_FULL: ") for line in lines)
    assert any(line.startswith("missing language   xiangqi: ru.toml has no name: Xiangqi") for line in lines)
    file = folder / "games" / "gouji" / "lang" / "ru.toml"
    text = file.read_text(encoding="utf-8")
    try:
        file.write_text(text + 'wrong_count = "Нужно {needed}."\nno_such = "?"\n', encoding="utf-8")
        said = qipai("check", "--lang", "ru").stdout
    finally:
        file.write_text(text, encoding="utf-8")
    assert "wrong   language   gouji: ru.toml has no_such, which nothing asks for" in said
    assert "wrong   language   gouji: ru.toml, wrong_count has other facts: needed, not got, need" in said
    assert qipai("check", "--lang", "tlh").stderr == "qipai check: --lang tlh: there is zh-CN, en, ru, zh-Hant\n"


@pytest.mark.parametrize(
    ("head", "wrong"),
    [
        ('language.name = "?"', "xx.toml: write language.tag"),
        ('language.tag = "Deutsch"\nlanguage.name = "?"', "xx.toml: write language.tag"),
        ('language.tag = "de"', "xx.toml: write language.tag"),
        ('language.tag = "de"\nlanguage.name = "?"\nlanguage.mane = "?"', "xx.toml: language.mane is not known"),
        ('language.tag = "de"\nlanguage.name = "?"\nlanguage.base = "zh-Hant"', "xx.toml: language.base is the tag"),
        ('language.tag = "ru"\nlanguage.name = "?"', "two files of qipai.lang have one tag"),
    ],
)
def test_a_file_whose_head_is_none_is_named(folder: Path, head: str, wrong: str) -> None:
    file = folder / "lang" / "xx.toml"
    try:
        file.write_text(f"{head}\n", encoding="utf-8")
        done = qipai("check", "--lang", "ru")
    finally:
        file.unlink()
    assert done.returncode == 1
    assert wrong in done.stderr
