"""`hall.toml`: every key has its limits, its comment and a clear complaint."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from qipai.config import Config, ConfigError, default_text, load


def test_a_missing_file_is_written_with_every_key_and_its_meaning(tmp_path: Path) -> None:
    file = tmp_path / "hall.toml"
    assert load(file) == Config()
    text = file.read_text("utf-8")
    for group in Config.__struct_fields__:
        assert f"\n[{group}]\n" in text
        if group == "engines":  # the games know their names
            continue
        for key in getattr(Config(), group).__struct_fields__:
            assert re.search(rf"# .{{8,}}\n#{key} = ", text), key


def test_what_is_written_are_the_defaults(tmp_path: Path) -> None:
    plain = re.sub(r"^#(?! )", "", default_text(), flags=re.MULTILINE)
    assert tomllib.loads(plain).keys() == set(Config.__struct_fields__)
    file = tmp_path / "hall.toml"
    file.write_text(plain, "utf-8")
    assert load(file) == Config()


def test_a_threshold_is_each_games_own(tmp_path: Path) -> None:
    file = tmp_path / "hall.toml"
    file.write_text("[flags]\nsoft = { mahjong = 2.5 }\ngiven = 6\n", "utf-8")
    flags, usual = load(file).flags, Config().flags
    assert [flags.least("soft", game) for game in ("mahjong", "shengji")] == [2.5, usual.least("soft", "shengji")]
    assert flags.least("soft", "gouji") == usual.least("soft", "others") != usual.least("soft", "mahjong")
    assert (flags.least("given", "mahjong"), flags.least("one_sided", "xiangqi")) == (6, 85)


def test_a_number_of_the_house_is_changed(tmp_path: Path) -> None:
    file = tmp_path / "hall.toml"
    file.write_text("[seats]\ngrace_s = 5\n[bots]\npace_ms = 0\n[coins]\nenabled = false\n", "utf-8")
    config = load(file)
    assert (config.seats.grace_s, config.bots.pace_ms, config.coins.enabled) == (5, 0, False)
    assert config.limits == Config().limits


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "[bots]\n\n[seats]\n# how long\ngrace_s = -1",
            "line 5: [seats] grace_s must be a whole number from 0 to 86400",
        ),
        ("[seats]\ngrace_s = 1.5", "[seats] grace_s must be a whole number from 0 to 86400"),
        ("[seats]\ngrace_s = 'long'", "[seats] grace_s must be a whole number from 0 to 86400"),
        ("[mail]\nsecurity = 'ssl'", 'line 2: [mail] security must be "starttls", "tls" or "none"'),
        ("[mail]\nserver = 'x'", "[mail] sender must be an e-mail address where a server is named"),
        (
            "[mail]\nserver = 'x'\nsender = 'a@b.c'\nhall = 'play.example.org'",
            "line 4: [mail] hall must be like https://",
        ),
        ("[flags]\nsoft = 1", "line 2: [flags] soft must be a number from 2 to 100, or one for each game: {"),
        ("[flags]\nsoft = { mahjong = 1 }", "[flags] soft must be a number from 2 to 100"),
        ("[flags]\nsoft = { whist = 3 }", "line 2: [flags] soft names whist; known are backgammon,"),
        ("[coins]\nenabled = 1", "[coins] enabled must be true or false"),
        ("[web]\norigins = 1", "[web] origins must be a text in quotes"),
        ("[seats]\n  grce_s = 1", "line 2: [seats] grce_s is not known; known are grace_s, unready_s,"),
        ("[bots]\n[seat]\ngrace_s = 1", "line 2: seat is not known; known are accounts, limits,"),
        ("seats = 1", "line 1: [seats] must be a table"),
        ("seats.grace_s = -1", "line 1: [seats] grace_s must be a whole number from 0 to 86400"),
        ("[seats\n", "line 1"),
        ("[rooms]\ntables = 100", "line 2: [rooms] tables must be a whole number from 1 to 99"),
        (
            "[passes]\npasses = 20\ntables_per_pass = 5",
            "line 3: [passes] tables_per_pass makes 100 tables with 20 passes; a room has at most 99",
        ),
        (
            "[passes]\npasses = 30\ntables_per_pass = 3\n[web]\nproxies = '10.0.0.0/8, me'",
            "line 5: [web] proxies must be",
        ),
        ("[web]\nproxies = '10.0.0.300'", "10.0.0.300 is neither"),
        ("[web]\norigins = 'play.example.org'", "line 2: [web] origins must be like https://play.example.org"),
        ("[web]\norigins = 'https://play.example.org/'", "https://play.example.org/ is not"),
        ("[rooms]\nown = 5", "[[rooms.own]] must be a table for each room"),
        ("[rooms]\nown = [5]", "[[rooms.own]] must be a table for each room"),
        (
            "[[calendar.maintenance]]\nfrom = 2026-12-01T03:00:00",
            "line 1: [[calendar.maintenance]] must be like from =",
        ),
        ("[[calendar.maintenance]]\nwhen = 5", "line 1: [[calendar.maintenance]] must be like from ="),
        (
            "[[calendar.maintenance]]\nfrom = 2026-12-01T03:00:00Z\nuntil = 2026-12-01T03:00:00Z",
            "line 3: [calendar.maintenance] until must be after from",
        ),
    ],
)
def test_a_wrong_file_is_named_with_what_is_allowed(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "hall.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(ConfigError) as wrong:
        load(file)
    assert str(wrong.value).startswith(f"{file}: ")
    assert complaint in str(wrong.value)


def test_a_file_that_cannot_be_read_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "hall.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "hall.toml")


def test_engines_are_those_that_some_game_knows(tmp_path: Path) -> None:
    file = tmp_path / "hall.toml"
    file.write_text('[engines]\ngnubg = "/opt/gnubg"\n', "utf-8")
    assert load(file).engines == {"gnubg": "/opt/gnubg"}
    file.write_text('[engines]\nchinook = "/opt/chinook"\n', "utf-8")
    with pytest.raises(ConfigError, match="chinook is not known; known are bgsage, gnubg"):
        load(file)
    file.write_text("[engines]\ngnubg = true\n", "utf-8")
    with pytest.raises(ConfigError, match="texts in quotes"):
        load(file)
