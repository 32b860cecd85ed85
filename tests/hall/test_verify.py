"""`qipai verify --all`: every finished game again, and each named whose log, luck or result is not what it was."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_old_logs import LOGS, of, written

from qipai import cli
from qipai.cli import verify
from qipai.hall.records.verification import finished_games, of_game
from qipai.store import Connection
from qipai.web.services import DATABASE


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hall with the log of the present form."""
    folder = tmp_path_factory.mktemp("verify")
    written(LOGS[-1], folder)
    return folder


@pytest.fixture
def data(hall: Path, tmp_path: Path) -> Path:
    """A copy that a test may damage."""
    shutil.copytree(hall, tmp_path / "hall")
    return tmp_path / "hall"


@contextmanager
def base(data: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(data / DATABASE)) as db, db:
        yield db


def changed(db: sqlite3.Connection, id: str, type: str, key: str, value: Any) -> None:
    """Change a fact of a game in the log."""
    sql = "UPDATE events SET data = json_set(data, ?, json(?)) WHERE stream = ? AND type = ?"
    assert db.execute(sql, (f"$.{key}", json.dumps(value), f"game:{id}", type)).rowcount == 1


def run(data: Path, *words: str) -> int:
    return cli.main(["verify", "--all", "--data", str(data), *words])


def test_planted_differences_are_named_each_by_what_is_wrong(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with base(data) as db:
        ended = of(db, ended=True)
        (result, *_), (luck, *_), (short, *_), (gone, *_) = (
            ended[game] for game in ("xiangqi", "gouji", "baohuang", "mahjong")
        )
        changed(db, result, "game.ended", "points", [9, -9])
        changed(db, luck, "game.created", "commitment", "0" * 64)
        db.execute("DELETE FROM events WHERE stream = ? AND type = 'game.ended'", (f"game:{short}",))
        db.execute("DELETE FROM events WHERE stream = ? AND seq = 5", (f"game:{gone}",))
        count = len(finished_games(db))
    assert run(data) == 1
    said = capsys.readouterr()
    lines = dict(line.split(": ", 1) for line in said.out.splitlines())
    assert {id: line.partition(":")[0] for id, line in lines.items()} == {
        result: "result",
        luck: "luck",
        short: "log",
        gone: "log",
    }
    assert "row 5 is missing" in lines[gone]
    assert "its end is missing" in lines[short]
    assert f"4 of {count} games are not what their log says" in said.err


def test_a_game_of_an_older_edition_is_said_to_be_so(data: Path) -> None:
    with base(data) as db:
        id = of(db, ended=True)["gouji"][0]
        changed(db, id, "game.created", "rules", 1)
        sql = "UPDATE events SET data = json_remove(data, '$.options') WHERE stream = ? AND type = 'game.created'"
        db.execute(sql, (f"game:{id}",))
        changed(db, id, "game.created", "options", {"spice": 1})
        found = of_game(db, id)
    assert found is not None
    assert (found.kind, found.edition) == ("rules", 1)


def test_rows_that_cannot_be_read_are_damage_of_the_log(data: Path) -> None:
    with base(data) as db:
        id = of(db, ended=True)["xiangqi"][0]
        db.execute("UPDATE events SET data = '{}' WHERE stream = ? AND seq = 1", (f"game:{id}",))
        found = of_game(db, id)
        assert found is not None
        assert found.kind == "log"


def test_a_check_that_was_interrupted_goes_on_where_it_was(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with base(data) as db:
        id = finished_games(db)[0]
        db.execute("DELETE FROM events WHERE stream = ? AND seq = 3", (f"game:{id}",))
    monkeypatch.setattr(verify, "BATCH", 2)
    noted = tmp_path / "noted.json"
    looked: list[str] = []
    stop = 5

    def looking(db: Connection, id: str) -> Any:
        if len(looked) == stop:
            raise KeyboardInterrupt
        looked.append(id)
        return of_game(db, id)

    monkeypatch.setattr("qipai.hall.records.verification.of_game", looking)
    words = ("--resume", str(noted), "--jobs", "1")
    assert run(data, *words) == 130
    first = list(looked)
    looked.clear()
    stop = 10**6
    capsys.readouterr()
    assert run(data, *words) == 1
    assert looked[0] == first[4]  # the batch that was not finished begins again
    assert capsys.readouterr().out.startswith(f"{id}: log: ")  # what was found before is told again


def test_several_processes_find_the_same(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verify, "BATCH", 6)
    assert run(data, "--jobs", "2") == 0
    assert capsys.readouterr().out.endswith(" games hold\n")


def test_a_note_of_another_hall_is_refused(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    noted = tmp_path / "noted.json"
    noted.write_text('{"last": "elsewhere", "wrong": []}', "utf-8")
    assert run(data, "--resume", str(noted)) == 1
    assert "another hall" in capsys.readouterr().err
