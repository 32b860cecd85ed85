"""What the hall gets ready for each game, before it serves and after."""

from __future__ import annotations

import logging
from types import SimpleNamespace

import pytest

from qipai import games
from qipai.cli import serve
from qipai.web import catalog


def planted(monkeypatch: pytest.MonkeyPatch, tables: object) -> list[str]:
    """Let a game have these tables; return the names of what is told of games."""
    told: list[str] = []
    monkeypatch.setattr(games, "find", lambda name: SimpleNamespace(tables=tables))
    monkeypatch.setattr(catalog, "game_info", told.append)
    return told


def test_what_rules_look_up_is_made_ahead(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    made: list[bool] = []
    told = planted(monkeypatch, lambda: made.append(True))
    serve._prepare("whist")
    assert (made, told, caplog.text) == ([True], ["whist"], "")


def test_what_goes_wrong_there_stands_in_the_log_and_the_hall_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def tables() -> None:
        raise ZeroDivisionError("no such deck")

    planted(monkeypatch, tables)
    with caplog.at_level(logging.WARNING):
        serve._prepare("whist")
    assert "what the game whist looks up cannot be made ahead" in caplog.text
    assert "no such deck" in caplog.text


def test_a_game_that_cannot_be_loaded_stands_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    serve._load_game("no-such-game")
    assert "the game no-such-game cannot be loaded" in caplog.text
