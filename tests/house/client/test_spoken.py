"""What the client says of real games, in every language, to those who did it and to others: whole, plain sentences."""

from __future__ import annotations

import re
from html import unescape
from typing import Any, get_args

import pytest
from tests.house.client.renderer import rendered

from qipai import games, lang

pytestmark = pytest.mark.slow  # the whole client is built and played first
HAN = re.compile(r"[\u3400-\u9fff]")
# What is written alike in every language: cards and tiles, notations of moves.
SIGNS = re.compile(r"[♠♥♣♦][0-9AKQJ ]+|\b[AKQJ]\b|\b(bar|off)\b|\b[A-Z]\d[=+-]\d\b")
SAYS_NOTHING = re.compile(r"undefined|NaN|null|\[object|[{}]|\b(ui|cards|event|term|why|mark)\.[a-z_]")
HOLES = re.compile(r"[:：,，、] ?[.。,，]|[:：,，、] *$|\( *\)|（ *）|  |^[,，.。:：]| [,.]")
DOUBLED = re.compile(r"\b([A-Za-z]{2,}) \1\b|([\u3400-\u9fff]{2,}) ?\2|牌 ?底 ", re.IGNORECASE)
YOU = re.compile(r"\b[Yy]ou ([a-z]+s)\b")
FINE = {"pass", "always", "alone", "was"}


def plain(html: str) -> str:
    """Return what a page says: pieces of text, a line each."""
    text = re.sub(r"<!--.*?-->", "", html)
    text = re.sub(r"</?(b|i|em|small|span|svg|use|g|path)\b[^>]*>", " ", text)
    return unescape("\n".join(re.sub(r"\s+", " ", line).strip() for line in re.split(r"<[^>]+>", text) if line.strip()))


def verbs() -> set[str]:
    """The words that go with "you" and with nobody else: the second of `{name|leads|lead}`."""
    every = [
        sentence
        for whose in ("", *games.names())
        for sentence in (lang.of_game(whose, "en") if whose else lang.hall("en")).values()
    ]
    forms = [
        pair for sentence in every for pair in re.findall(r"\{(?:name|from|payer|owner|seat)\|(\w+)\|(\w+)\}", sentence)
    ]
    return {many for one, many in forms if one != many}


def faults(tongue: str, text: str) -> list[str]:
    """Return what is wrong with a sentence."""
    found = [
        name for name, rule in (("nothing", SAYS_NOTHING), ("hole", HOLES), ("doubled", DOUBLED)) if rule.search(text)
    ]
    if tongue == "en":
        found += ["Chinese"] if HAN.search(text) else []
        found += [f"you {word}" for word in YOU.findall(text) if word not in FINE]
        found += [f"he {word}" for word in re.findall(r"(?<!, )Ann\d (\w+)", text) if word in verbs()]
    elif re.search(r"[A-Za-z]{2,}", SIGNS.sub("", text)):
        found.append("English")
    return found


def lines() -> list[dict[str, Any]]:
    return [
        one
        for one in rendered()
        if one["what"] not in ("settled", "missing", "sheet", "chapter", "glossary", "reasons")
    ]


def test_no_word_is_missing() -> None:
    (missing,) = [one["text"] for one in rendered() if one["what"] == "missing"]
    assert missing == ""


@pytest.mark.parametrize("tongue", lang.languages())
def test_every_sentence_of_real_games_is_whole(tongue: str) -> None:
    wrong = {
        (one["game"], one["what"], one["text"], *found)
        for one in lines()
        if one["tongue"] == tongue and (found := faults(tongue, one["text"]))
    }
    assert wrong == set()


def test_sentences_begin_with_capitals() -> None:
    small = {(one["game"], one["text"]) for one in lines() if one["tongue"] == "en" and one["text"][0].islower()}
    assert small == set()


@pytest.mark.parametrize("tongue", lang.languages())
def test_every_sheet_of_real_games_is_whole(tongue: str) -> None:
    wrong = set()
    for one in rendered():
        if one["what"] == "sheet" and one["tongue"] == tongue:
            text = plain(one["text"])
            wrong |= {(one["game"], line, *found) for line in text.split("\n") if (found := faults(tongue, line))}
    assert wrong == set()


@pytest.mark.parametrize("game", games.names())
def test_much_of_each_game_is_said_to_me_of_me_and_of_others(game: str) -> None:
    """Who does it is called you, who watches hears names; seats and cards have no numbers and codes."""
    said = {one["what"]: one["text"] for one in lines() if one["game"] == game}
    assert len(said) >= min(5, len(get_args(games.find(game).event)))
    numbers = {
        one["text"]
        for one in lines()
        if one["game"] == game and re.search(r"(waits for|现在等|只有|only) \d", one["text"])
    }
    assert numbers == set()


def test_what_leaving_has_cost_is_said_only_where_it_has_cost_something() -> None:
    said = [one["text"] for one in rendered() if one["what"] == "note" and one["tongue"] == "en"]
    assert said[0] == "Leaving has cost: score −12, credibility −5."
    assert "nothing" in said[1]


def test_a_refusal_names_what_was_led_and_what_one_owes() -> None:
    said = {one["text"] for one in lines() if one["what"].startswith("refused must_follow") and one["tongue"] == "en"}
    assert said
    assert all(re.match(r"Follow .*: .*[♠♥♣♦j].* was led and you have .* Try .*[♠♥♣♦j]", one) for one in said), said


@pytest.mark.parametrize("tongue", lang.languages())
def test_a_chapter_of_the_rules_keeps_its_lines(tongue: str) -> None:
    told = [one for one in rendered() if one["what"] == "chapter" and one["tongue"] == tongue]
    assert {one["game"] for one in told} == set(games.names())
    for one in told:
        lines = [line.strip().removeprefix("- ") for line in one["source"].splitlines() if line.strip()]
        assert one["pieces"] == lines
        assert all(line[-1] in "。：；.:;!?）)" or line[-1].isdigit() for line in lines), (
            one["game"],
            one["chapter"],
            lines,
        )


def test_every_game_of_cards_by_ranks_has_a_glossary() -> None:
    names = {(one["game"], one["tongue"]): one["names"] for one in rendered() if one["what"] == "glossary"}
    assert {"接风", "无头", "够死级", "捎牌（烧牌）"} <= set(names["gouji", "zh-CN"])
    assert {"皇帝", "暗渡", "憋六"} <= set(names["baohuang", "zh-CN"])
    for game in ("gouji", "baohuang", "xiangqi"):
        assert len(names[game, "en"]) == len(names[game, "zh-CN"]) > 10
