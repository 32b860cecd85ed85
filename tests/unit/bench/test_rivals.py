from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw

from qipai.bench import fetch
from qipai.bench.plan import Plan, Sample
from qipai.bench.players import Board, Player, Playing
from qipai.core.measure import Absent

MOVE = b'{"t":"act","cid":"m1","table":7,"ask":3,"action":{"a":"pass"}}'
ACK = b'{"t":"ack","cid":"m1","table":7,"seq":9}'
EVS = (b'{"t":"ev","table":7,"view":{"hand":"3"}}', '{"t":"ev","table":7,"view":{"hand":"红"}}'.encode())


def test_a_bare_server_says_what_the_hall_said() -> None:
    plan: Plan[str] = Plan()
    sample = Sample(Raw(MOVE), Raw(ACK), tuple(map(Raw, EVS)))
    assert sample.sizes == (len(MOVE), len(ACK), 41)
    assert list(plan.heard("a", "join 1")) == list(plan.heard("b", "join 1")) == list(plan.heard("c", "join 2")) == []
    assert list(plan.heard("a", "plan " + msgspec.json.encode(sample).decode())) == []
    assert list(plan.heard("b", MOVE.decode())) == [("a", EVS[0]), ("b", EVS[1]), ("b", ACK)]
    with pytest.raises(msgspec.ValidationError):  # it is read as the hall reads it
        list(plan.heard("b", MOVE.decode().replace('"ask":3', '"ask":"3"')))


def test_a_question_that_stays_is_answered_again_when_its_list_is_new() -> None:
    """After a concealed kong of mahjong, whose question is the one before; a list of one who is not asked is not."""
    playing = Playing(2)
    player = Player(playing, Board(7), "")
    for text in (
        b'{"t":"ev","ask":{"id":4,"until":1},"legal":{"list":[{"a":"kong","t":"5p"}],"more":false}}',
        b'{"t":"ev","ask":{"id":4,"until":2}}',
        b'{"t":"ev","ask":{"id":4,"until":3},"legal":{"list":[{"a":"discard","t":"7m"}],"more":false}}',
        b'{"t":"ev","legal":{"list":[{"a":"resign"}],"more":false}}',
    ):
        player.heard(None, text)  # type: ignore[arg-type]
    assert [(ask, action) for _player, ask, action in playing.held] == [
        (b"4", b'"a":"kong","t":"5p"'),
        (b"4", b'"a":"discard","t":"7m"'),
    ]


def test_a_sample_is_a_whole_move_of_about_the_mean_length() -> None:
    playing = Playing(2)
    with pytest.raises(RuntimeError, match="nobody has moved"):
        playing.sample  # noqa: B018
    board = Board(7)
    playing.move, playing.ack = MOVE, b"{}"
    for size in (10, 30, 20, 90):
        board.left = 2
        board.evs.clear()
        playing.note(board, b"a" * size)
        playing.note(board, b"b" * (size + 2))
    assert playing.sample.sizes == (len(MOVE), 2, 21)
    assert [len(ev) for ev in playing.sample.evs] == [20, 22]


def test_what_was_not_fetched_is_absent_and_says_how_to_fetch_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(fetch.shutil, "which", lambda name: f"/usr/bin/{name}")  # type: ignore[attr-defined]
    with pytest.raises(Absent, match="qipai bench peers"):
        fetch.node_program("bgio-server.mjs")
    monkeypatch.setattr(fetch.shutil, "which", lambda name: None)  # type: ignore[attr-defined]
    with pytest.raises(Absent, match="no node"):
        fetch.node_program("bgio-server.mjs")


def test_what_cannot_be_fetched_is_told_and_leaves_nothing_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(fetch, "PYTHON", {"pgx": ("./no-such-file.whl",)})
    monkeypatch.setattr(fetch.shutil, "which", lambda name: None)  # type: ignore[attr-defined]
    found = fetch.fetch(lambda what: None)
    assert found[0] == "boardgame.io, Colyseus: there is no npm"
    assert found[1].startswith("pgx: ")
    assert not (tmp_path / "qipai" / "peers" / "pgx").exists()


def test_every_package_of_node_is_pinned_and_locked() -> None:
    named = json.loads(fetch.OURS.joinpath("package.json").read_text("utf-8"))["dependencies"]
    locked = json.loads(fetch.OURS.joinpath("package-lock.json").read_text("utf-8"))["packages"]
    assert all(locked[f"node_modules/{name}"]["version"] == version for name, version in named.items())
