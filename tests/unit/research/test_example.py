"""The example learns something in a few rounds, and its files are read with care."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from qipai.arena.match import Terms, sit  # noqa: E402
from qipai.games.mahjong.options import Options  # noqa: E402
from qipai.research import example  # noqa: E402
from qipai.research.example import BadNet, Net, Player, Trainer, best  # noqa: E402


def test_the_best_answer_of_each_question_is_found() -> None:
    worth = np.array([1, 3, 2, 5, 4, 4, 9], np.float32)
    assert best(worth, np.array([3, 1, 2, 1])).tolist() == [1, 0, 0, 0]


def test_a_net_learns_what_it_is_shown() -> None:
    luck, net = np.random.default_rng(1), Net(6, 4)
    known, said = luck.integers(0, 5, (2000, 6)), luck.integers(0, 2, (2000, 4))
    brought = (known[:, 0] * 0.3 - said[:, 1] + 0.1 * known[:, 5] * said[:, 2]).astype(np.float32)
    first = net.learn(known, said, brought, 0.01)
    for _ in range(300):
        last = net.learn(known, said, brought, 0.01)
    assert last < first / 20
    off = net.worth(known[:5], said[:5], np.arange(5)) - brought[:5]
    assert np.abs(off).max() < 0.5


def test_rounds_of_self_play_are_kept_and_learned_from() -> None:
    trainer = Trainer("mahjong", tables=8, seed=2)
    before = [one.copy() for one in trainer.net.w]
    for _ in range(4):
        trainer.round(0.2, 1e-3)
    assert trainer.kept
    known, said, brought = trainer.kept[0]
    assert len(known) == len(said) == len(brought) > 0
    assert any((a != b).any() for a, b in zip(before, trainer.net.w, strict=True))


def test_a_net_is_saved_read_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    its = Trainer("mahjong", tables=1).batch.batched
    net, path = Net(its.known, its.said, 3), tmp_path / "net.npz"
    net.save(path)
    again = Net.load(path, its.known, its.said)
    assert all((a == b).all() for a, b in zip(net.w, again.w, strict=True))
    monkeypatch.setenv("QIPAI_NET", str(path))
    player: Any = Player(Options(), seed=1)
    assert player.kind.entry.name == "mahjong"
    done = sit(Terms("mahjong", ("qipai.research.example:Player", "easy"), budget_ms=20), 1, False)
    assert done.faults == (0, 0)
    assert done.actions[0] > 10


def test_a_file_without_a_net_is_refused(tmp_path: Path) -> None:
    for name, data in (("none.npz", None), ("cut.npz", b"PK\x03\x04 cut off"), ("text.npz", b"hello")):
        path = tmp_path / name
        if data is not None:
            path.write_bytes(data)
        with pytest.raises(BadNet):
            Net.load(path, 5, 4)
    Net(6, 4).save(tmp_path / "other.npz")
    with pytest.raises(BadNet, match="another game"):
        Net.load(tmp_path / "other.npz", 5, 4)


def test_the_command_writes_a_net(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    assert example.main(["mahjong", "--minutes", "0.0001", "--out", str(path)]) == 0
    assert path.is_file()
