"""A third language: a copy of the package into which its files are dropped, and nothing else is done."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

import qipai

FILES: Final = {
    "lang/ru.toml": """\
# The head, and a few sentences; all others are said in English.
language.tag = "ru"
language.name = "Русский"
language.short = "РУ"
language.switch = "Перейти на русский"
language.guest = "Гость"

PASSWORD_WEAK = "Слабый пароль: нужно хотя бы {least} {least|one:знак|few:знака|many:знаков|other:знака}."

[ui]
open_game = "Открыть стол"
lobby_for.others = "Другая игра"
n_people = "{n} {n|one:человек|few:человека|many:человек|other:человека}"
""",
    "games/gouji/lang/ru.toml": 'name = "Гоуцзи"\n',
}
# The keys of the hall's sentences which the file above says itself: what names the language is not among them.
SAID: Final = {"PASSWORD_WEAK"} | {f"ui.{key}" for key in ("open_game", "lobby_for.others", "n_people")}


@contextmanager
def planted(folder: Path) -> Iterator[Path]:
    """Let programs that are started meanwhile find the package with the third language; return its folder."""
    package = folder / "qipai"
    shutil.copytree(Path(qipai.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in FILES.items():
        (package / name).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))
        yield package
