"""No name that was given up comes back: the table of old names in `docs/style.md`, checked over sources and pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qipai.core.contract import Turn
from qipai.core.entry import Entry
from qipai.hall.table.model import Deal
from qipai.store.log import Store

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "qipai").rglob("*.py"))
CLIENT = sorted(
    path
    for path in (ROOT / "client" / "src").rglob("*")
    if path.suffix in (".ts", ".svelte") and not path.name.endswith(".gen.ts")
)

# Parts of names that stand for nothing any more, wherever they occur. `purse` lives on in one field of old rows.
GONE = frozenset(
    [
        "umpire",
        "umpires",
        "housework",
        "hush",
        "parting",
        "parcel",
        "film",
        "films",
        "purse",
        "purses",
        "desks",
        "pulse",
        "pulses",
        "recall",
    ]
)
# Names of classes and aliases that have another name now; other classes may have such a word in them.
CLASSES = frozenset(
    ["Umpire", "Desk", "Moment", "Told", "Fact", "Facts", "By", "TableDraft", "Sight", "Notices", "CardDesk"]
)
# Names of modules that are called otherwise now, by the folder where they stood.
MODULES = {
    "hall": (
        "umpire desk draft verbs housework words alike awake days slow doors meetings pairing around sweep flags"
        " parting parcel film frames purses origins past few tune recall sight notices"
    ),
    "core": "frames sight kernels",
    "web": "parcel film frames origins parting",
    "kit": "grades brackets ceiling peers",
}
# Fields that have another name now, of the types whose fields they were.
FIELDS: tuple[tuple[Any, str], ...] = (
    (Turn, "beat hush still held"),
    (Entry, "sight hush still held beat late later frames"),
    (Deal, "faces lent raced pulses trail late"),
    (Store, "look also"),
)
NOT_IN_CLIENT = re.compile(
    r"(?<!ui\.)\b(?:CardDesk|[Uu]mpires?|[Hh]ousework|[Hh]ush|[Pp]urses?|[Ff]ilm|[Pp]arcel"
    r"|(?:interface|type|class) (?:Desk|Eye|Rail))\b"
)
IN_PROSE = re.compile(r"\b(?:[Uu]mpires?|[Hh]ousework|[Hh]ush|[Pp]urses?|TableDraft|CardDesk|[Pp]arcels?|[Ff]ilms?)\b")
EXEMPT = ('field(default=UNSET, name="purse")',)  # the field of the rows written so far


# A file without any of these in its text has no name that was given up.
SUSPECT = re.compile(rf"(?i:{'|'.join(sorted(GONE))})|\b(?:{'|'.join(sorted(CLASSES))})\b")


def names_of(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the names that a module gives or uses, with their lines."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, lineno=line) | ast.Attribute(attr=name, lineno=line):
                yield name, line
            case ast.FunctionDef(name=name, lineno=line) | ast.AsyncFunctionDef(name=name, lineno=line):
                yield name, line
            case ast.ClassDef(name=name, lineno=line) | ast.arg(arg=name, lineno=line):
                yield name, line
            case ast.keyword(arg=str(name), lineno=line):
                yield name, line


def parts(name: str) -> set[str]:
    """Return the words of a name, in lower case."""
    return {part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def test_names_are_taken_apart() -> None:
    assert parts("_purse_of") == {"purse", "of"}
    assert parts("TableDraft") == {"table", "draft"}
    assert parts("PARTING_S") == {"parting", "s"}


def test_no_source_uses_a_name_that_was_given_up() -> None:
    found = []
    tests = sorted((ROOT / "tests").rglob("*.py"))
    for path in (*SOURCES, *tests):
        text, house = path.read_text("utf-8"), "games" not in path.parts
        if not SUSPECT.search(text):
            continue
        for name, line in names_of(ast.parse(text)):
            if parts(name) & GONE or (house and path in SOURCES and name in CLASSES):
                found.append(f"{path.relative_to(ROOT)}:{line}: {name}")
    assert found == []


def test_no_module_has_a_name_that_was_given_up() -> None:
    files = {
        folder: {path.stem for path in (ROOT / "src" / "qipai" / folder).rglob("*.py")} & set(names.split())
        for folder, names in MODULES.items()
    }
    assert files == {folder: set() for folder in MODULES}


@pytest.mark.parametrize(("kind", "names"), FIELDS, ids=lambda each: getattr(each, "__name__", None))
def test_no_field_has_a_name_that_was_given_up(kind: Any, names: str) -> None:
    assert (set(kind.__annotations__) | set(vars(kind))) & set(names.split()) == set()


def test_the_client_uses_no_name_that_was_given_up() -> None:
    assert CLIENT
    found = [
        f"{path.relative_to(ROOT)}: {hit}" for path in CLIENT for hit in NOT_IN_CLIENT.findall(path.read_text("utf-8"))
    ]
    assert found == []
    assert [str(path) for path in CLIENT if parts(path.stem) & (GONE | {"rail"})] == []


def test_what_is_written_in_the_sources_uses_no_word_that_was_given_up() -> None:
    found = []
    for path in SOURCES:
        text = path.read_text("utf-8")
        for each in EXEMPT:
            text = text.replace(each, "")
        found += [f"{path.relative_to(ROOT)}: {hit}" for hit in IN_PROSE.findall(text)]
    assert found == []
