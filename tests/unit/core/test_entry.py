"""What the house asks of a game: its options by the names of the wire, its rules for so many players."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any, Final, cast

import msgspec
import pytest
from msgspec import Struct

from qipai import games
from qipai.core.entry import (
    LEVELS,
    AnyEntry,
    BadEntry,
    BadOption,
    Entry,
    Leaving,
    in_the_open,
    lazy,
    lazy_call,
    rules_of,
)
from qipai.kit.seats import bits


def test_an_option_has_the_name_that_json_writes(snatch: AnyEntry) -> None:
    assert "yield" in snatch.option_names()
    options = snatch.chosen({"yield": True, "deals": 2})
    assert options.yield_ is True
    assert snatch.changed(options) == {"yield": True}
    assert snatch.chosen(snatch.changed(options)) == options
    assert snatch.changed(snatch.options()) == {}


def test_what_differs_is_given_as_json_gives_it_back() -> None:
    class Houses(Struct, frozen=True):
        must: tuple[str, ...] = ("A",)

    entry = dataclasses.replace(games.find("gouji"), options=Houses)
    assert entry.changed(Houses(("5", "A"))) == {"must": ["5", "A"]}


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"yield_": True}, "yield_"),
        ({"yield": 1}, "yield"),
        ({"deals": 2, "on_leave": "dance"}, "on_leave"),
        ([], "options"),
        (None, "options"),
        ({7: 1}, "7"),
        ({"x" * 99: 1}, "x" * 40),
    ],
)
def test_a_bad_option_is_named(snatch: AnyEntry, raw: Any, field: str) -> None:
    with pytest.raises(BadOption) as wrong:
        snatch.chosen(raw)
    assert wrong.value.field == field


def test_an_option_of_several_parts_is_named_as_a_whole() -> None:
    with pytest.raises(BadOption) as wrong:
        games.find("xiangqi").chosen({"time_control": {"first_s": "long"}})
    assert wrong.value.field == "time_control"


def test_rules_are_for_so_many_players(snatch: AnyEntry) -> None:
    assert rules_of(snatch, snatch.options()).seats == 3
    assert rules_of(snatch, snatch.options(), 2).seats == 2
    assert rules_of(games.find("xiangqi"), games.find("xiangqi").options(), 2).seats == 2
    for count in (0, 1, 4):
        with pytest.raises(BadOption) as wrong:
            rules_of(snatch, snatch.options(), count)
        assert wrong.value.field == "seats"


def test_what_is_left_for_later_is_imported_when_it_is_asked_for() -> None:
    entry = dataclasses.replace(games.find("gouji"), marks=lazy("qipai.kit.seats", "bits"), view=lazy("no.module", "x"))
    assert entry.marks is bits  # type: ignore[comparison-overlap]
    assert dataclasses.replace(entry, view=None).marks is bits  # type: ignore[arg-type, comparison-overlap]
    with pytest.raises(BadEntry, match=r"^there is no module no\.module$"):
        entry.view  # noqa: B018
    with pytest.raises(BadEntry):
        entry.load()
    with pytest.raises(AttributeError, match="an Entry has no vieww"):
        entry.vieww  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("name", games.names())
def test_a_loaded_game_has_all_that_an_entry_has(name: str) -> None:
    entry = games.find(name)
    entry.load()
    assert all(hasattr(entry, field.name) for field in dataclasses.fields(entry))
    assert issubclass(entry.state, msgspec.Struct)
    assert issubclass(entry.view, msgspec.Struct)
    assert entry.verbs()
    assert entry.kinds


@pytest.mark.parametrize("name", games.names())
def test_every_name_of_an_entry_is_there(name: str) -> None:
    entry = games.find(name)
    assert list(entry.wrong()) == []
    assert tuple(entry.bots) == tuple(level for level in LEVELS if level in entry.bots) != ()


WHOLE: Final = {
    "__init__": "",
    "rules": "class TinyGame: ...",
    "state": "from msgspec import Struct\nclass State(Struct): ...\nclass View(Struct): ...\nAction = Event = int",
    "terminal": "def show(): ...\ndef read(): ...",
    "bots/easy": "class Easy: ...",
}


def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **files: str | None) -> None:
    """Make a game's folder, in which some files are other than usual, and import its package."""
    package = tmp_path / "tiny_game"
    for name, text in {**WHOLE, **{name.replace("__", "/", 1): text for name, text in files.items()}}.items():
        if text is not None:
            package.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
            package.joinpath(f"{name}.py").write_text(text)
    for loaded in [name for name in sys.modules if name.split(".")[0] == "tiny_game"]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.syspath_prepend(str(tmp_path))
    invalidate_caches()
    import_module("tiny_game")


class TinyOptions(Struct, frozen=True):
    pass


def tiny(**given: Any) -> AnyEntry:
    clock = {"type": "none"}
    return Entry("tiny_game", seats=(2,), options=TinyOptions, clock=lambda options: clock, **given)


def test_an_entry_finds_what_its_folder_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder(tmp_path, monkeypatch, observation="def secret(): ...", bots____init__="raise AssertionError")
    entry = tiny()
    assert entry.name == "tiny_game"
    assert tuple(entry.bots) == ("easy",)
    assert not any(name.startswith("tiny_game.") for name in sys.modules)
    assert entry.rules is import_module("tiny_game.rules").TinyGame
    assert entry.secret is import_module("tiny_game.observation").secret
    assert entry.conceal is in_the_open
    assert (entry.teams, entry.drive, dict(entry.kinds), dict(entry.records.formats)) == (None, None, {}, {})
    assert entry.hints(TinyOptions(), None) is None
    assert tiny(view=TinyOptions).view is TinyOptions  # what is written departs from it
    assert [tiny(formerly={last: {} for last in range(1, n)}).edition for n in (1, 2, 3)] == [1, 2, 3]


def test_the_nearest_level_plays_where_one_is_missing() -> None:
    def nearest(*levels: str) -> list[str]:
        entry = dataclasses.replace(games.find("gouji"), bots=dict.fromkeys(levels, cast(Any, int)))
        return [entry.level(wanted) for wanted in (*LEVELS, "gnubg")]

    assert nearest(*LEVELS) == [*LEVELS, "gnubg"]
    assert nearest("easy", "steady", "strong") == ["easy", "easy", "steady", "steady", "strong", "gnubg"]
    assert nearest("easy") == ["easy"] * 5 + ["gnubg"]
    assert nearest("steady", "easy") == ["easy", "easy", "steady", "steady", "steady", "gnubg"]
    assert nearest("easy", "strong") == ["easy", "easy", "easy", "easy", "strong", "gnubg"]
    assert nearest("strong") == ["strong"] * 5 + ["gnubg"]


@pytest.mark.parametrize(
    ("files", "asked", "said"),
    [
        ({"rules": "class Tiny: ..."}, "rules", r"tiny_game/rules\.py has no TinyGame; is it its Tiny\?$"),
        ({"terminal": "def show(): ..."}, "show", r"tiny_game/terminal\.py has no read$"),
        ({"state": "State = View = Event = int"}, "state", r"tiny_game/state\.py has no Action$"),
    ],
)
def test_a_wrong_name_is_told_when_its_file_is_first_imported(
    files: dict[str, str], asked: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder(tmp_path, monkeypatch, **files)
    entry = tiny()
    with pytest.raises(BadEntry, match=said):
        getattr(entry, asked)
    assert re.search(said, "\n".join(entry.wrong()), re.MULTILINE)


@pytest.mark.parametrize(
    ("text", "asked", "said"),
    [
        ("def conceals(view): ...", "conceal", "conceal and has conceals: is conceal meant?"),
        ("def concael(view): ...", "secret", "conceal and has concael: is conceal meant?"),
        ("def secret(): ...\ndef team(): ...", "secret", "teams and has team: is teams meant?"),
    ],
)
def test_a_misspelt_name_that_may_be_left_out_is_an_error_at_once(
    text: str, asked: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder(tmp_path, monkeypatch, observation=text)
    entry = tiny()
    with pytest.raises(BadEntry, match=rf"tiny_game/observation\.py has no {re.escape(said)}$"):
        getattr(entry, asked)
    assert said in "\n".join(entry.wrong())


@pytest.mark.parametrize(
    "text",
    [
        "def reveal(view): ...\ndef observe(): ...",  # far off
        "def _conceals(view): ...",  # of the file itself
        "from textwrap import dedent as conceals",  # of another
        "def conceal(view): ...\ndef conceals(view): ...",  # beside the right one
    ],
)
def test_a_name_that_is_no_misspelling_is_let_be(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder(tmp_path, monkeypatch, observation=text)
    assert list(tiny().wrong()) == []
    folder(tmp_path, monkeypatch, observation="def conceals(view): ...")
    assert list(tiny(conceal=in_the_open).wrong()) == []  # the entry has written it


def test_a_file_that_every_game_has_is_missed_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder(tmp_path, monkeypatch, terminal=None)
    with pytest.raises(BadEntry, match=r"^tiny_game has no show: there is no file .*tiny_game/terminal\.py$"):
        tiny()
    folder(tmp_path, monkeypatch, bots__easy="class Esay: ...")
    assert [said.rpartition("/")[2] for said in tiny().wrong()] == ["easy.py has no Easy; is it its Esay?"]
    away = Leaving(gone=lazy_call("tiny_game.state", "Gone"))
    assert "state.py has no Gone" in "\n".join(tiny(leaving=away).wrong())


def test_what_a_file_itself_cannot_import_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder(tmp_path, monkeypatch, rules="import no_such_library")
    with pytest.raises(ModuleNotFoundError, match="no_such_library") as wrong:
        tiny().rules  # noqa: B018
    assert not isinstance(wrong.value, BadEntry)


def test_two_threads_never_import_what_was_left_for_later_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two that import modules which import each other can find one of them half made."""
    package = tmp_path / "qipai_left_for_later"
    package.mkdir()
    package.joinpath("__init__.py").write_text("inside = []\nmost = []\n")
    for name in ("one", "two"):
        package.joinpath(f"{name}.py").write_text(
            "import time\n"
            "from qipai_left_for_later import inside, most\n"
            "inside.append(1)\n"
            "time.sleep(0.05)\n"
            "most.append(len(inside))\n"
            "inside.pop()\n"
            "def found(): return __name__\n"
        )
    monkeypatch.syspath_prepend(str(tmp_path))
    found = [lazy_call(f"qipai_left_for_later.{name}", "found") for name in ("one", "two")]
    with ThreadPoolExecutor(2) as threads:
        names = list(threads.map(lambda call: call(), found))
    assert names == ["qipai_left_for_later.one", "qipai_left_for_later.two"]
    assert import_module("qipai_left_for_later").most == [1, 1]


RECORDED = json.loads(Path(__file__).with_name("editions.json").read_text("utf-8"))


@pytest.mark.parametrize("name", games.names())
def test_a_default_changes_with_the_edition_of_the_rules_alone(name: str) -> None:
    """Whoever changes one says in `formerly` what it was, and adds the new defaults to the file."""
    entry = games.find(name)
    recorded = RECORDED.get(name, {"1": entry.full(entry.options())})  # a new game adds itself with its first release
    assert sorted(map(int, recorded)) == list(range(1, entry.edition + 1))
    assert all(last < entry.edition for last in entry.formerly)
    for edition, then in recorded.items():
        found = entry.full(entry.chosen(entry.as_of({}, int(edition))))
        assert {option: found.get(option) for option in then} == then
    assert entry.full(entry.options()).keys() == recorded[str(entry.edition)].keys()


def test_an_option_that_was_not_named_is_what_it_was_then() -> None:
    class Options(msgspec.Struct, frozen=True):
        a: int = 3
        b: int = 0

    entry = dataclasses.replace(games.find("xiangqi"), options=Options, formerly={1: {"a": 1}, 3: {"a": 2}})
    assert [entry.as_of({}, edition) for edition in (1, 2, 3, 4, 5, None)] == [{"a": 1}, {"a": 2}, {"a": 2}, {}, {}, {}]
    assert entry.as_of({"a": 9, "b": 1}, 1) == {"a": 9, "b": 1}
    assert entry.full(entry.chosen(entry.as_of({"b": 1}, 1))) == {"a": 1, "b": 1}


def test_a_game_that_there_is_not_is_named_with_those_that_are_meant() -> None:
    with pytest.raises(KeyError) as wrong:
        games.find("guoji")
    assert str(wrong.value) == f"there is no game guoji (did you mean gouji?); there are {', '.join(games.names())}"
    with pytest.raises(games.UnknownGame, match=r"^there is no game chess; there are backgammon, baohuang, "):
        games.find("chess")
