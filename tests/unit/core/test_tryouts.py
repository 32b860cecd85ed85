"""Rulings that can be tried: what is chosen of the cases, and how a small table answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from qipai import games, lang
from qipai.cli.conform import cases_of
from qipai.core import tryouts
from qipai.core.conform import Case
from qipai.core.tryouts import BadTry, Script, Tryouts

ROOT = Path(__file__).parents[3]
GAMES = [name for name in games.names() if games.find(name).tryouts is not None]
RULING = re.compile(r"^(?:- )?\**(?:[a-z]+ )?(R\d+)\b", re.MULTILINE)
CODE = re.compile(r"Refusal\(\s*\"([a-z_]+)\"")
# What no person at a table can bring about: the client offers no such button, and no such seat.
OF_PROGRAMS = {
    *(
        "bad_seat",
        "bad_action",
        "unknown_action",
        "bad_fen",
        "bad_position",
        "bad_record",
        "bad_variant",
        "not_understood",
    ),
    *("bad_position_id", "bad_match_id", "bad_xgid", "no_such_move", "ambiguous_move", "bad_layout", "not_a_card"),
}


@cache
def of(game: str) -> Tryouts:
    found: Tryouts = games.find(game).tryouts
    return found


def cases(game: str) -> list[Case]:
    return [case for case in cases_of(ROOT / f"tests/conformance/{game}.jsonl") if isinstance(case, Case)]


def test_every_game_of_the_house_has_rulings_to_try() -> None:
    assert set(GAMES) == {name for name in games.names() if (ROOT / f"docs/spec/{name}.md").is_file()}


@pytest.mark.parametrize("game", GAMES)
def test_each_ruling_of_the_spec_can_be_tried_or_says_why_not(game: str) -> None:
    rulings = set(RULING.findall((ROOT / f"docs/spec/{game}.md").read_text("utf-8")))
    tried, untried = set(of(game).tried()), set(of(game).untried)
    assert not tried & untried
    assert tried | untried == rulings
    assert all(len(reason) > 20 for reason in of(game).untried.values())
    beside = {ruling for case in tryouts.kept(games.find(game).package).values() for ruling in case.rulings}
    assert tried - beside == set(), "rulings without a try-out"


def test_the_page_lists_rulings_without_a_try_out_and_there_is_none() -> None:
    text = (ROOT / "docs/play.md").read_text("utf-8").partition("<!-- rulings -->")[2].partition("<!-- /rulings -->")[0]
    rows = {cells[0]: cells[1:] for cells in (line.strip("| ").split(" | ") for line in text.splitlines()[3:])}
    assert rows.keys() == set(GAMES)
    for game, (tried, led, told, without) in rows.items():
        its = of(game)
        assert (int(tried), int(led), without) == (len(its.tried()), len(its.codes), "none"), game
        assert told == (" ".join(its.untried) or "–"), game


@pytest.mark.parametrize("game", GAMES)
def test_what_the_package_keeps_is_what_the_cases_say_today(game: str) -> None:
    entry = games.find(game)
    fresh = {case.id: case for case in tryouts.chosen(entry, cases(game))}
    assert tryouts.kept(entry.package) == fresh, "run `qipai schema`"


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_speaks_both_languages(game: str) -> None:
    zh, en = (lang.rulings(name, game) for name in (lang.DEFAULT, lang.FALLBACK))
    assert zh.keys() == en.keys()
    shown = {ruling for line in of(game).chapters.values() for ruling in line.split()}
    assert {f"rule.{ruling}" for ruling in of(game).tried()} <= zh.keys()
    assert {key.removeprefix("rule.") for key in zh if key.startswith("rule.")} <= shown
    assert re.search("[\u4e00-\u9fff]", "".join(zh.values()))
    assert not re.search("[\u4e00-\u9fff]", "".join(text for key, text in en.items() if key.startswith("rule.")))
    for key in zh:
        blanks = [sorted(re.findall(r"\{(\w+)", words[key])) for words in (zh, en)]
        assert blanks[0] == blanks[1], key
    chapters = {key.split(".")[1] for key in lang.of_game(game, lang.FALLBACK) if key.startswith("rules.")}
    assert of(game).chapters.keys() <= chapters


def refusals(game: str) -> set[str]:
    """The codes with which a game refuses what a person does, as its sentences have them."""
    words = lang.of_game(game, lang.FALLBACK)
    source = "\n".join(file.read_text("utf-8") for file in (ROOT / f"src/qipai/games/{game}").rglob("*.py"))
    section = re.search(r"^## 10\..*?^## 11", (ROOT / f"docs/spec/{game}.md").read_text("utf-8"), re.DOTALL | re.M)
    assert section
    named = set(re.findall(r"`([a-z_]+)`", section[0])) | set(CODE.findall(source))
    return {code for code in named if code in words and "." not in code} - OF_PROGRAMS


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_leads_to_a_ruling(game: str) -> None:
    assert refusals(game) - of(game).codes.keys() == set(), "refusals without a ruling"
    shown = {ruling for line in of(game).chapters.values() for ruling in line.split()}
    words = lang.rulings(lang.FALLBACK, game)
    assert all(ruling in shown and f"rule.{ruling}" in words for ruling in of(game).codes.values())


def moments(game: str) -> Iterator[tuple[Case, int, str | None]]:
    for case in tryouts.kept(games.find(game).package).values():
        begun = tryouts._begun(games.find(game), case)
        if isinstance(begun, Script):
            for n, step in enumerate(begun.moments()):
                yield case, n, begun.steps[step][2]


@pytest.mark.parametrize("game", GAMES)
def test_at_each_moment_of_a_script_the_rules_answer_as_the_case_expects(game: str) -> None:
    entry, tested = games.find(game), 0
    for case, n, code in moments(game):
        worked = tryouts.opened(entry, case, n).worked
        if case.kind in ("script", "legal", "explain_move", "play", "connect") or code is not None:
            assert (worked.refusal.code if worked.refusal else None) == code, (case.id, n)
            tested += 1
    assert tested >= 5 or game == "shengji"  # whose follows and burials are reckoned


@pytest.mark.parametrize("game", GAMES)
def test_every_answer_has_its_sentence(game: str) -> None:
    entry, words = games.find(game), lang.rulings(lang.DEFAULT, game)
    own = lang.of_game(game, lang.DEFAULT)
    for case in tryouts.kept(entry.package).values():
        opened = tryouts.opened(entry, case, case.at)
        if opened.worked.refusal is not None:
            assert opened.worked.refusal.code in own, case.id
        else:
            assert opened.worked.says in words or f"says.{opened.worked.says}" in words, (case.id, opened.worked.says)
        for row in opened.scene.rows:
            assert f"row.{row.name}" in words, (case.id, row.name)
            assert row.draw != "mark" or row.show in words or row.show in own, (case.id, row.show)
        for ask in opened.scene.asks:
            if ask.verb:
                assert f"act.{ask.verb}" in words, (case.id, ask.verb)
            elif ask.said:
                assert ask.said in own, (case.id, ask.said)
            else:
                assert f"ask.{[part for part in ask.name.split('.') if not part.isdigit()][-1]}" in words, ask.name
            for value in ask.of if ask.words not in ("", "seat") else ():
                key = f"{ask.words}.{'null' if value is None else str(value).lower() if value in (0, 1) else value}"
                assert key in words or key in own, (case.id, key)


def test_a_table_takes_only_what_it_asks_for() -> None:
    entry = games.find("gouji")
    case = next(one for one in tryouts.kept(entry.package).values() if one.kind == "classify")
    changed: list[dict[str, Any]] = [
        {"cards": ["4"]},
        {"cards": "AA"},
        {"cards": [2]},
        {"options": {}},
        {"cards": ["A"] * 40},
    ]
    for given in changed:
        with pytest.raises(BadTry):
            tryouts.tried(entry, case, None, (), given)
    script = next(one for one in tryouts.kept(entry.package).values() if one.kind == "script")
    for did in ([(-1, {"a": "deal", "hands": []})], [(6, {"a": "pass"})], [(0, {"a": "pass"})] * 41):
        with pytest.raises(BadTry):
            tryouts.tried(entry, script, None, did)
    with pytest.raises(BadTry):
        tryouts.opened(entry, script, 999)
    no_actions: list[Any] = [None, 7, [], {"a": 5}, {"a": "play"}, {"a": "play", "cards": 3}]
    for nonsense in no_actions:
        assert tryouts.tried(entry, script, 0, [(0, nonsense)]).refusal is not None


def test_a_reader_plays_on_with_the_same_luck_each_time() -> None:
    entry = games.find("backgammon")
    case = next(one for one in tryouts.kept(entry.package).values() if one.id == "backgammon-play-002")
    opened = tryouts.opened(entry, case)
    assert opened.seat is not None
    did = [(opened.seat, opened.action)]
    first, second = (tryouts.tried(entry, case, None, did) for _ in range(2))
    assert first == second
    assert first.refusal is None
    assert first.scene.seat == 1 - opened.seat
    rolled = tryouts.tried(entry, case, None, [*did, (1 - opened.seat, {"a": "roll"})])
    assert any(row.name == "dice" for row in rolled.scene.rows)
