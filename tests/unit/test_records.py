"""The reader of open data: typed, one game after the other, and honest about what is wrong."""

from __future__ import annotations

import ast
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from qipai import games, records
from qipai.core.contract import NATURE, BadNotation, IllegalAction
from qipai.core.entry import rules_of
from qipai.core.record import Contradiction
from qipai.core.rng import Stream
from qipai.records import About, File, Game, Month, Player

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "examples" / "open_data.ipynb"


def game(name: str = "doudizhu") -> Game:
    """A deal played by easy bots."""
    entry = games.find(name)
    options = entry.options()
    rules, luck = rules_of(entry, options), Stream.of_seed(7)
    bot, rows = entry.bots["easy"](options, seed=1), []
    state = rules.start()
    while (outcome := rules.outcome(state)) is None:
        seat = min(rules.turn(state).seats)
        action = rules.chance(state, luck) if seat == NATURE else bot.choose(rules.observe(state, seat), 0)
        rows.append((seat, msgspec.to_builtins(action), 900))
        state = rules.apply(state, seat, action).state
    made = Game(
        id="abc",
        game=name,
        rules=entry.edition,
        options=entry.full(options),
        date="2026-11-03",
        seats=tuple(Player(who=f"p{seat}", kind="letters") for seat in range(rules.seats)),
        rows=tuple(rows),
        points=outcome.points,
        places=outcome.places,
        why=outcome.why,
    )
    return msgspec.json.decode(msgspec.json.encode(made), type=Game)  # lists where JSON has them


def written(path: Path, found: list[Game], promised: int | None = None, form: int = records.FORMAT) -> Path:
    said = About(
        format=form,
        game="doudizhu",
        month="2026-11",
        license=records.LICENSE,
        games=len(found) if promised is None else promised,
    )
    path.write_bytes(gzip.compress(b"\n".join(msgspec.json.encode(line) for line in (said, *found)) + b"\n"))
    return path


def test_games_come_out_as_they_went_in_and_play_again(tmp_path: Path) -> None:
    one = game()
    path = written(tmp_path / "a.jsonl.gz", [one, one])
    assert records.about(path).games == 2
    assert [*records.read(path)] == [one, one]
    outcome = records.verified(one)
    assert outcome is not None
    assert outcome.points == one.points
    assert len([*records.steps(one)]) == len(one.rows) + 1


def test_a_game_that_is_not_what_it_says_is_refused() -> None:
    one = game()
    with pytest.raises(Contradiction):
        records.verified(replace(one, points=(9, 9, -18)))
    with pytest.raises(IllegalAction):
        records.verified(replace(one, rows=(one.rows[0], *one.rows[2:])))


def test_a_file_that_was_cut_off_gives_what_is_whole_and_then_says_so(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl.gz", [game()] * 50)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 9 // 10])
    found: list[Game] = []
    with pytest.raises(BadNotation):
        found.extend(records.read(path))
    assert all(each == game() for each in found)


def test_wrong_lines_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadNotation, match="promised"):
        [*records.read(written(tmp_path / "a.gz", [game()], promised=2))]
    with pytest.raises(BadNotation, match="format 1"):
        records.about(written(tmp_path / "b.gz", [], form=1))
    path = tmp_path / "c.gz"
    path.write_bytes(gzip.compress(gzip.decompress(written(path, [], promised=1).read_bytes()) + b'{"id": 1}\n'))
    with pytest.raises(BadNotation) as wrong:
        [*records.read(path)]
    assert wrong.value.facts["line"] == 2
    path.write_bytes(b"no gzip")
    with pytest.raises(BadNotation):
        records.about(path)


def test_checksums_are_compared(tmp_path: Path) -> None:
    path = written(tmp_path / "a.gz", [game()])
    data = path.read_bytes()
    file = File(
        name="a.gz", game="doudizhu", games=1, moves=1, bytes=len(data), sha256=hashlib.sha256(data).hexdigest()
    )
    of = Month(format=records.FORMAT, month="2026-11", license=records.LICENSE, whole=True, files=(file,))
    (tmp_path / "2026-11.json").write_bytes(msgspec.json.encode(of))
    assert records.month(tmp_path / "2026-11.json") == of
    assert records.intact(path, of)
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert not records.intact(path, of)


def test_the_notebook_gives_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    space: dict[str, Any] = {}
    cells = [cell for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    pictures = 0
    for cell in cells:
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop()
        assert isinstance(last, ast.Expr)
        exec(compile(tree, str(NOTEBOOK), "exec"), space)
        value = eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), space)
        (output,) = cell["outputs"]
        if "image/svg+xml" in output["data"]:
            pictures += 1
            assert value._repr_svg_() == output["data"]["image/svg+xml"]
        else:
            assert repr(value) == output["data"]["text/plain"]
    assert pictures == 1
