from __future__ import annotations

import json
from pathlib import Path

import pytest

from qipai.bench import fetch
from qipai.bench.plan import Plan
from qipai.core.measure import Absent


def test_a_bare_server_answers_as_the_hall_would() -> None:
    plan: Plan[str] = Plan()
    assert list(plan.heard("a", "join 1")) == list(plan.heard("b", "join 1")) == list(plan.heard("c", "join 2")) == []
    assert list(plan.heard("a", "plan 12 15")) == []
    found = list(plan.heard("b", "x" * 60))
    assert [who for who, _ in found] == ["a", "b", "b"]
    assert [len(text) for _, text in found] == [15, 15, 12]
    assert found[-1][1].startswith('{"t":"ack"')


def test_what_was_not_fetched_is_absent_and_says_how_to_fetch_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(fetch.shutil, "which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(Absent, match="qipai bench peers"):
        fetch.node_program("bgio-server.mjs")
    monkeypatch.setattr(fetch.shutil, "which", lambda name: None)
    with pytest.raises(Absent, match="no node"):
        fetch.node_program("bgio-server.mjs")


def test_what_cannot_be_fetched_is_told_and_leaves_nothing_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(fetch, "PYTHON", {"pgx": ("./no-such-file.whl",)})
    monkeypatch.setattr(fetch.shutil, "which", lambda name: None)
    found = fetch.fetch(lambda what: None)
    assert found[0] == "boardgame.io, Colyseus: there is no npm"
    assert found[1].startswith("pgx: ")
    assert not (tmp_path / "qipai" / "peers" / "pgx").exists()


def test_every_package_of_node_is_pinned_and_locked() -> None:
    named = json.loads(fetch.OURS.joinpath("package.json").read_text("utf-8"))["dependencies"]
    locked = json.loads(fetch.OURS.joinpath("package-lock.json").read_text("utf-8"))["packages"]
    assert all(locked[f"node_modules/{name}"]["version"] == version for name, version in named.items())
