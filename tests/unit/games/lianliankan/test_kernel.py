"""The kernel and its slow, obvious twin say the same of drawn boards."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.games.lianliankan.twin import layout, pairs, path, reshuffled

from qipai.core.kernel import thawed
from qipai.games.lianliankan import ENTRY
from qipai.games.lianliankan import board as ours
from qipai.games.lianliankan.conform import KINDS
from qipai.games.lianliankan.kernel.layout import new_bench, tiles
from qipai.games.lianliankan.kernel.paths import partners, runs
from qipai.games.lianliankan.rules import Lianliankan
from qipai.games.lianliankan.state import Board, Link, Shuffle

BOARDS = st.integers(1, 5).flatmap(
    lambda cols: st.lists(
        st.lists(st.sampled_from((0, 0, 1, 2, 3)), min_size=cols, max_size=cols), min_size=1, max_size=5
    )
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(board=BOARDS, outside=st.booleans())
def test_the_canonical_path_is_the_twins_from_either_end(board: list[list[int]], outside: bool) -> None:
    grid, cols = ours.grid_of(board, outside), len(board[0])
    filled = [(r, c) for r, row in enumerate(board) for c, face in enumerate(row) if face]
    for a in filled[:6]:
        for b in filled[-6:]:
            if a != b:
                found = ours.path(grid, cols, (a, b))
                want = path(board, a, b, outside)
                assert (list(found) if found else None) == want, (a, b)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(board=BOARDS, outside=st.booleans())
def test_pairs_and_partners_are_the_twins(board: list[list[int]], outside: bool) -> None:
    grid, cols = ours.grid_of(board, outside), len(board[0])
    assert [each.pair for each in ours.pairs(grid, cols)] == pairs(board, outside)
    for each in ours.pairs(grid, cols):
        assert list(each.path) == path(board, *each.pair, outside)
    filled = [(r, c) for r, row in enumerate(board) for c, face in enumerate(row) if face]
    bench = new_bench(len(grid), len(filled), 3)
    flat = thawed(grid, 16)
    count = int(tiles(flat, 0, len(grid), bench.cells))
    runs(flat, len(grid), cols + 3, bench.seen)
    for stamp, a in enumerate(filled, 1):
        for apart in (False, True):
            place = ours.index(a, cols)
            n = partners(flat, cols + 3, place, bench.cells, count, apart, bench.seen, 2 * stamp + apart, bench.found)
            found = [ours.point(int(bench.found[i]), cols) for i in range(int(n))]
            near = [b for b in filled if apart and abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
            assert found == [b for b in filled if b != a and b not in near and path(board, a, b, outside)], a


@pytest.mark.slow
@pytest.mark.parametrize("outside", [True, False])
@pytest.mark.parametrize("mask", [["####", "####", "####"], ["##.##", "#####", ".###.", "#...#"]])
def test_layouts_and_reshuffles_are_the_twins_and_can_be_solved(mask: list[str], outside: bool) -> None:
    cells = sum(row.count("#") for row in mask)
    for seed in map(str, range(5)):
        given = {"seed": seed, "rows": len(mask), "cols": len(mask[0]), "kinds": cells // 2, "copies": 2}
        board = KINDS["generate"].run({**given, "outside": outside, "mask": mask})["board"]
        want, order = layout(seed, mask, cells // 2, 2, outside)
        assert [list(row) for row in board] == want
        for k in (1, 2):
            found = KINDS["reshuffle"].run({"board": want, "seed": seed, "k": k, "outside": outside})["board"]
            assert [list(row) for row in found] == reshuffled(want, seed, k, outside)
        for a, b in order:
            assert want[a[0]][a[1]] == want[b[0]][b[1]]
            assert ours.path(ours.grid_of(want, outside), len(mask[0]), (a, b))
            want[a[0]][a[1]] = want[b[0]][b[1]] = 0
        assert not any(map(any, want))


def test_bounded_draws_reject_beyond_31_bits_too() -> None:
    # 3.1 bounds no n: the second of the text's numbers is 14756026114992732894, beyond the last whole multiple.
    given = {"text": "t0\u00e9", "below": [1, (1 << 63) + 1, (1 << 64) - 1, 7]}
    assert KINDS["rng"].run(given)["below"] == [0, 5019112330791194086, 14527645430719660910, 6]


def test_a_case_may_leave_out_what_has_a_default() -> None:
    # 7: `outside` true; the pair joins over the ring only.
    board = [[1, 2, 1, 2]]
    assert KINDS["pairs"].run({"board": board}) == KINDS["pairs"].run({"board": board, "outside": True})
    assert not KINDS["pairs"].run({"board": board})["deadlock"]


@pytest.mark.parametrize("asked", [1, 2, 5])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"outside": False},
        {"kinds": 4, "copies": 12},
        {"mask": ("######", "##..##", "######", "######", "##..##", "######", "######", "######"), "kinds": 11},
        {"gravity": "left", "shuffles": 1},
    ],
)
def test_pairs_that_are_mended_are_those_that_are_listed_anew(changes: dict[str, Any], asked: int) -> None:
    """asked: after so many links the pairs of a board are asked for; until then cells become free and nobody looks."""
    rules = Lianliankan(ENTRY.chosen({"rows": 8, "cols": 6, "kinds": 12, **changes}), 2)
    rng = random.Random(str((changes, asked)))
    for deal in range(3):
        state = rules.apply(rules.start(), -1, Board(str(deal))).state
        tuple(rules.legal(state, 0))
        number = 0
        while rules.outcome(state) is None:
            number += 1
            grid = state.boards[0]
            found = ours.pairs(grid.cells, state.cols)
            if number % asked == 0:
                assert [*rules.legal(state, 0)][: len(found)] == [Link(each.pair) for each in found]
                assert ours.paths(ours.rows_of(grid, state.rows, state.cols), rules.options.outside) == tuple(
                    each.path for each in found
                )
            if state.shuffles[0] and rng.random() < 0.1:
                state = rules.apply(state, 0, Shuffle()).state
                continue
            one = rng.choice(found)
            pair = one.pair if rng.random() < 0.5 else (one.pair[1], one.pair[0])
            assert ours.way(grid, state.cols, pair) == ours.path(grid.cells, state.cols, pair)
            state = rules.apply(state, 0, Link(pair)).state
            live = ours.lasting(state.boards[0], 0, 0)
            if live[0] and state.phase == "play":
                assert state.boards[0].cells[live[0]] == state.boards[0].cells[live[1]] > 0
                first, last = (ours.point(place, state.cols) for place in live)
                assert ours.path(state.boards[0].cells, state.cols, (first, last)) is not None
