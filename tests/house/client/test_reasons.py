"""What the client says of why a bot chose so, in choices of real games: whole sentences, with cards by their names."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.house.client.analysed import UNITS
from tests.house.client.renderer import rendered
from tests.house.client.test_spoken import faults

from qipai import games, lang

pytestmark = pytest.mark.slow  # the whole client is built and played first
Json = dict[str, Any]


def told(game: str | None = None, tongue: str = "en") -> list[Json]:
    """Return what is said of the choices of a game, of all."""
    found = [one for one in rendered() if one["what"] == "reasons" and one["tongue"] == tongue]
    return [one for one in found if game in (None, one["game"])]


def about(game: str, action: str, tongue: str = "en") -> list[str]:
    """Return what is said of a game's choices of a kind, as one text each."""
    return [" ".join(one["said"][1:]) for one in told(game, tongue) if one["act"]["a"] == action]


@pytest.mark.parametrize("tongue", lang.languages())
def test_every_reason_is_a_whole_sentence(tongue: str) -> None:
    wrong = {
        (one["game"], text, *found)
        for one in told(tongue=tongue)
        for text in one["said"]
        if (found := faults(tongue, text)) or not re.fullmatch(r".*(?<![.。,，:：])[.。]", text)
    }
    assert wrong == set()


@pytest.mark.parametrize("game", games.names())
def test_the_choice_itself_is_named_wherever_it_was_weighed(game: str) -> None:
    found = told(game)
    assert found
    for one in found:
        text = " ".join(one["said"][1:])
        assert text, one
        if one["row"]:
            assert re.search(r"brought|The value of|Linking|After \S+ the", text), one
        else:
            assert re.search(r"^(Nothing was weighed|There was nothing to choose)", text), one


@pytest.mark.parametrize("tongue", lang.languages())
def test_cards_and_verbs_are_not_those_of_a_notation(tongue: str) -> None:
    """10 is no 1 and 0 beside a 2 ("10 10 102"), marked jokers have their names, as have dots and bamboos."""
    for one in told(tongue=tongue):
        if one["game"] in UNITS:
            text = " ".join(one["said"])
            assert not re.search(r"\b10\d|[3-9JQKA2]10\b|\*|\b[3-9JQKA2]*[xXT]+\b|\b\d[mp]\b|_", text), one


def test_what_players_call_a_choice() -> None:
    assert any("a close" in text for text in about("gouji", "close"))
    assert any("扣牌" in text for text in about("gouji", "close", "zh-CN"))
    assert all("asking for the wind" in text for text in about("gouji", "wind"))
    assert any("a pair of " in text for text in about("doudizhu", "play"))
    assert any("一对 " in text for text in about("doudizhu", "play", "zh-CN"))
    assert any(
        re.search(r"(one|two|six|nine) (dots?|bamboos?|characters?)\b", text) for text in about("mahjong", "discard")
    )
    assert any(re.search(r"[一二三四五六七八九][万筒条]", text) for text in about("mahjong", "discard", "zh-CN"))
    assert any(re.search(r"[♠♥♣♦]", text) for text in about("shengji", "bury"))


def test_what_cannot_be_otherwise_is_said_to_be_so() -> None:
    mates = told("xiangqi")[-3:]
    assert [one["act"]["m"] for one in mates] == ["a1a8", "e9f9", "b0b9"]
    assert ["the win was forced" in " ".join(one["said"]) for one in mates] == [True, False, True]
    assert "There was nothing to choose: the rules allowed only this." in mates[1]["said"]
    assert any("the loss was forced" in text for text in mates[1]["said"])
    opening = told("xiangqi", "zh-CN")[0]["said"]
    assert opening[1] == "这是开局库里的着法，机器人开局几步照它走。"
    assert opening[2].startswith("走炮二平五之后，胜率是 ")  # a move is one word
    assert all("only this" in text or "worth" in text or "The value" in text for text in about("backgammon", "roll"))


def test_each_pair_says_how_many_are_left() -> None:
    for one in told("lianliankan"):
        own = next(each for each in one["row"]["tried"] if each["said"] == one["row"]["said"])
        left = max(0, int(own["worth"]))
        assert (
            f"Linking {own['said']} leaves {left} {'pair' if left == 1 else 'pairs'} that can be linked." in one["said"]
        )
        assert not any("error" in text for text in one["said"])  # it is counted
