"""The pages keep up with the code: every option, code and command is told of, examples run, links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from qipai import games
from qipai.cli import COMMANDS
from qipai.config import Config, written
from qipai.core import contract

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def codes(path: Path) -> set[str]:
    """The refusal codes of a language file stand at its top level."""
    return {name for name, value in tomllib.loads(path.read_text("utf-8")).items() if isinstance(value, str)}


def named(code: str, text: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(code)}(?!\w)", text) is not None


@pytest.mark.parametrize("game", games.names())
def test_every_option_and_code_of_a_game_stands_in_its_rules(game: str) -> None:
    text = (ROOT / "docs" / "spec" / f"{game}.md").read_text("utf-8")
    options = set(games.find(game).option_names())
    found = codes(ROOT / "src" / "qipai" / "games" / game / "lang" / "en.toml")
    assert options
    assert found
    # No refusals: what a game says of itself, and a terminal of a typing error.
    found -= {"name", "motto", "not_understood"}  # no refusals
    # A sentence of its own for one case of a code is named after the code: not_your_turn_restricted.
    variants = {name for name in found if any(name.startswith(f"{code}_") and named(code, text) for code in found)}
    assert sorted(name for name in options | found - variants if not named(name, text)) == []


def test_every_code_of_the_hall_stands_in_the_protocol() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    found = codes(ROOT / "src" / "qipai" / "lang" / "en.toml")
    assert found
    # A sentence of its own for one `case` of a code is named after the code: TABLE_LOCKED_friends.
    variants = {name for name in found if name.rpartition("_")[0] in found and not name.isupper()}
    assert sorted(code for code in found - variants if not named(code, text)) == []


def test_every_number_of_the_hall_stands_in_its_page_with_its_default() -> None:
    text = (ROOT / "docs" / "host.md").read_text("utf-8")
    rows = {
        f"`{key}` {written(getattr(group, key))}"
        for group in (getattr(Config(), name) for name in Config.__struct_fields__ if name != "engines")
        for key in group.__struct_fields__
    }
    found = {f"{key} {default}" for key, default in re.findall(r"^\| (`\w+`) \|.*\| `([^`]*)` \|", text, re.M)}
    assert found == rows


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_every_command_is_told_of(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert [word for word in COMMANDS if f"qipai {word}" not in text and f"run.py {word}" not in text] == []


@pytest.mark.parametrize("name", ["README.md", pytest.param("docs/engines.md", marks=pytest.mark.slow)])
def test_examples_run(name: str, tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / name).read_text("utf-8"), re.M | re.S)
    assert blocks
    for number, block in enumerate(blocks):
        script = tmp_path / f"example{number}.py"
        script.write_text(block)
        subprocess.run([sys.executable, str(script)], check=True)


def loop_of_the_readme(game: str, monkeypatch: pytest.MonkeyPatch, seed: int = 2026) -> tuple[Any, list[list[int]]]:
    """Run the README's example for a game, with a seed; return its outcome, and of each race who acted, and of whom."""
    (block,) = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.M | re.S)
    assert block.count('"gouji"') == 1
    assert block.count("2026") == block.count('"who is first"') == 1
    block = block.replace('"gouji"', f'"{game}"').replace("2026", str(seed)).replace("who is first", f"first {seed}")
    races: list[list[int]] = []
    door = contract.play

    def seen(rules: Any, state: Any, seat: int, action: Any) -> Any:
        asked = sorted(rules.turn(state).seats - {contract.NATURE})
        if len(asked) > 1:
            races.append([seat, *asked])
        return door(rules, state, seat, action)

    monkeypatch.setattr(contract, "play", seen)
    monkeypatch.setattr("builtins.print", lambda *words: None)
    found: dict[str, Any] = {}
    exec(compile(block, "README.md", "exec"), found)
    monkeypatch.undo()
    return found["outcome"], races


@pytest.mark.parametrize("game", games.names())
def test_the_loop_of_the_readme_plays_every_game(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, races = loop_of_the_readme(game, monkeypatch)
    assert outcome.why
    # Where several are asked at once, each of them is sometimes first, and the lowest seat not always.
    if races:
        assert any(seat != asked[0] for seat, *asked in races)


@pytest.mark.slow
def test_the_loop_of_the_readme_favours_no_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in ("baohuang", "shengji"):  # which ask several at once in every deal
        places = Counter[float]()
        for seed in range(8):
            for seat, *asked in loop_of_the_readme(game, monkeypatch, seed)[1]:
                places[asked.index(seat) / (len(asked) - 1)] += 1
        assert places.total() > 20
        assert places[0.0] < 0.7 * places.total(), places  # the lowest
        assert places[1.0] < 0.7 * places.total(), places  # the highest
    # The quicker wins a race of lianliankan: by lot that is now one, now another.
    firsts = [loop_of_the_readme("lianliankan", monkeypatch, seed)[0].places.index(1) for seed in range(8)]
    assert len(set(firsts)) > 2, firsts


@pytest.mark.parametrize("doc", PAGES, ids=lambda doc: str(doc.relative_to(ROOT)))
def test_links_lead_somewhere(doc: Path) -> None:
    text = re.sub(r"^```.*?^```", "", doc.read_text("utf-8"), flags=re.M | re.S)  # programs are no links
    links = re.findall(r"\]\(([^)#\s]+)(?:#[\w-]*)?\)", text)
    assert [link for link in links if "://" not in link and not (doc.parent / link).exists()] == []


@pytest.mark.parametrize("game", games.names())
def test_every_game_has_its_rules_and_cases(game: str) -> None:
    assert (ROOT / "docs" / "spec" / f"{game}.md").is_file()
    assert (ROOT / "tests" / "conformance" / f"{game}.jsonl").is_file()


def test_the_pages_name_files_that_are_there() -> None:
    folders = [ROOT / "src" / "qipai", ROOT / "src" / "qipai" / "hall"]
    for name in ("architecture.md", "style.md"):
        text = (ROOT / "docs" / name).read_text("utf-8")
        named = set(re.findall(r"`((?:web|hall|live|table|rooms|core|arena|store|ledger)/[\w/]+\.py)`", text))
        assert len(named) > 5
        assert sorted(file for file in named if not any((folder / file).exists() for folder in folders)) == []


def test_the_architecture_names_functions_that_are_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8").replace("\n   ", " ")
    pairs = re.findall(r"`([\w/]+/\w+\.py)` `(?:(\w+)\.)?(\w+)(?:\([^`]*\))?`", text)
    assert len(pairs) > 15
    folders = [ROOT / "src" / "qipai", ROOT / "src" / "qipai" / "hall"]
    for file, owner, name in pairs:
        (path,) = [folder / file for folder in folders if (folder / file).is_file()]
        source = path.read_text("utf-8")
        assert re.search(rf"(def|class) {name}\b", source), (file, name)
        assert not owner or re.search(rf"class {owner}\b", source), (file, owner)
    for place in ("a seat is taken", "a clock runs out", "a card is hidden from a watcher", "points are paid"):
        assert f"| where {place} |" in text  # the four that a newcomer must find at once


RECORDS = sorted((ROOT / "docs" / "decisions").glob("0*.md"))


def test_decisions_are_numbered_without_gaps() -> None:
    assert [path.name[:4] for path in RECORDS] == [f"{number:04}" for number in range(1, len(RECORDS) + 1)]
    appended = {path.name for path in (ROOT / "docs" / "decisions" / "appendix").glob("*.md")}
    assert appended
    assert appended <= {path.name for path in RECORDS}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_decision_fits_a_screen(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.startswith(f"# {path.name[:4]} ")
    assert len(text.split()) <= 400
    parts = [text.find(part) for part in ("**Faced.**", "**Chosen.**", "**Costs.**", "**Would change our mind.**")]
    assert -1 not in parts
    assert parts == sorted(parts)


OLD_WORDS = re.compile(
    r"\b([Uu]mpires?|[Hh]ousework|[Pp]urses?|[Hh]ush|drafts?|parting|TableDraft|CardDesk|[Pp]arcels?|[Ff]ilms?|Sight)\b"
)


@pytest.mark.parametrize("doc", PAGES, ids=lambda doc: str(doc.relative_to(ROOT)))
def test_pages_use_the_words_of_today(doc: Path) -> None:
    if doc.parent.name == "appendix" or doc.name == "CHANGELOG.md":
        return  # what was written then
    assert OLD_WORDS.findall(doc.read_text("utf-8")) == []


def test_the_figures_were_written_by_the_command_that_is_there() -> None:
    from qipai.bench.page import HEAD

    text = (ROOT / "docs" / "bench.md").read_text("utf-8")
    assert text.startswith(HEAD)
    assert "qipai bench engine xiangqi" in text
    parts = re.split(r"\n## (?=`qipai bench)", text)[1:]
    told = re.compile(r"\d{4}-\d\d-\d\d, (`--quick`, )?\S.* load .* python 3\.|not measured|absent")
    assert parts
    assert [part.splitlines()[0] for part in parts if not told.search(part)] == []  # when, where, how long


def test_every_promise_of_security_names_its_tests() -> None:
    text = (ROOT / "docs" / "security.md").read_text("utf-8")
    promises = re.findall(r"^\| ([PSWNUHL, ]+) \| (.+) \| (.+) \|$", text, re.M)
    assert len(promises) > 10
    for against, promise, tests in promises:
        named = re.findall(r"`(tests/\S+\.py)`", tests)
        assert named, promise
        assert [name for name in named if "def test" not in (ROOT / name).read_text("utf-8")] == []
        assert {"P", "S", "W", "N", "U", "H", "L"} >= set(against.split(", "))
    told = {one for against, _, _ in promises for one in against.split(", ")}
    assert set(re.findall(r"^\| \*\*(\w)\*\* \|", text, re.M)) == told  # something is promised against each
    for page in ("README.md", "README.zh-CN.md", "docs/index.md"):
        assert "security.md)" in (ROOT / page).read_text("utf-8")
