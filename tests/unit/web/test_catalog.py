"""The catalog lists house rules and their values in the order in which a form shows them."""

from __future__ import annotations

import pytest

from qipai import games
from qipai.web.catalog import game_info

GAMES = games.names()


@pytest.mark.parametrize("game", GAMES)
def test_numbers_stand_as_numbers(game: str) -> None:
    for option in game_info(game).options:
        numbers = [value for value in option.values or () if isinstance(value, int) and not isinstance(value, bool)]
        assert numbers == sorted(numbers), option.name


def test_ranks_stand_as_ranks() -> None:
    (levels,) = [option for option in game_info("shengji").options if option.name == "start_level"]
    assert "".join(levels.values or ()) == "23456789TJQKA"


@pytest.mark.parametrize("game", GAMES)
def test_every_house_rule_stands_under_one_head_or_none_does(game: str) -> None:
    entry, options = games.find(game), game_info(game).options
    assert sorted(option.name for option in options) == sorted(entry.options.__struct_encode_fields__)
    heads = [option.group for option in options]
    assert [head for head in dict.fromkeys(heads) if head] == list(entry.form.groups)
    assert heads == [name for name, options in entry.form.groups.items() for _ in options] or not entry.form.groups
