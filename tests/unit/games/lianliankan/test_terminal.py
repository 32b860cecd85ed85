"""The race without a browser: coordinates, lines for events, boards as CSV."""

from __future__ import annotations

import pytest

from qipai.core.contract import BadNotation
from qipai.core.laws import walk
from qipai.core.rng import Stream
from qipai.games.lianliankan import ENTRY
from qipai.games.lianliankan.notation import cell_name, csv, read_cells
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.rules import Lianliankan
from qipai.games.lianliankan.state import Hint, Link, Rows, Shuffle
from qipai.games.lianliankan.terminal import picture, read, say, show

BOARD: Rows = ((1, 27, 0), (36, 37, 1))


@pytest.mark.parametrize(
    ("text", "cells"), [("a1", [(0, 0)]), ("c4 E6", [(3, 2), (5, 4)]), ("aa12-b1", [(11, 26), (0, 1)])]
)
def test_cells_are_read_as_they_are_named(text: str, cells: list[tuple[int, int]]) -> None:
    assert read_cells(text) == cells
    assert read_cells(" ".join(map(cell_name, cells))) == cells


def test_the_board_is_drawn_with_its_coordinates() -> None:
    assert picture(BOARD) == "    a  b  c\n 1  A  0  ·\n 2  9 37  A"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_typed_lines_and_the_table(lang: str) -> None:
    rules = Lianliankan(Options(hints=1), 2)
    state = rules.place((*BOARD[:1], (27, 0, 1)), "x")
    view = rules.observe(state, 0)
    assert read(rules.options, view, "a1 c2") == Link(((0, 0), (1, 2)))
    assert read(rules.options, view, "clue") == Hint()
    assert read(rules.options, view, "shuffle") == Shuffle()
    with pytest.raises(BadNotation):
        read(rules.options, view, "a1 b1 c1")
    text = show(rules.options, view, lang)
    assert picture(view.board or ()) in text
    for told in rules.apply(state, 0, Hint()).told:
        assert say(told.event, lang).strip()
    assert "{" not in text


def test_a_record_gives_the_board_it_began_with_as_csv() -> None:
    record, _ = walk(ENTRY, Options(rows=2, cols=4, kinds=2), Stream.of_seed(2), seats=2)
    lines = csv(record).splitlines()
    assert [len(line.split(",")) for line in lines] == [4, 4]
    assert sorted(",".join(lines).split(",")) == list("11112222")
