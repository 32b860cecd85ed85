"""Whole turns against the slow twin, on boards of random games of every variant, and against OpenSpiel."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.unit.games.backgammon import twin

from qipai.games.backgammon.kernel.board import BAR, OFF, SIDE
from qipai.games.backgammon.kernel.plays import apply_way, generate
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.position import (
    CELLS,
    board_of,
    cells_of,
    fill_sums,
    format_position,
    parse_position,
    start_cells,
)
from qipai.games.backgammon.turns import own_room

DICE = [name for name, row in VARIANTS.items() if row.dice]
MOSTLY_SLOW = [name if name == "backgammon" else pytest.param(name, marks=pytest.mark.slow) for name in DICE]


def boards(variant: str, count: int, luck: random.Random) -> Iterator[tuple[tuple[int, ...], int, tuple[int, int]]]:
    """Boards met in random games, with who is on roll and a throw."""
    options = Options(variant=variant)  # type: ignore[arg-type]
    room = own_room()
    cells, seat = start_cells(options), 0
    while count:
        dice = (luck.randint(1, 6), luck.randint(1, 6))
        yield cells, seat, dice
        count -= 1
        board = board_of(options, cells)
        n = int(generate(board, seat, *dice, room))
        over = n and apply_way(board, seat, room.ways[luck.randrange(n)])
        cells = start_cells(options) if over else cells_of(board)
        seat = 1 - seat


def anchored(variant: str, count: int, luck: random.Random) -> Iterator[tuple[tuple[int, ...], tuple[int, int]]]:
    """Boards with seat 0's last few checkers at home against points that seat 1 holds there, and a throw."""
    row = VARIANTS[variant]
    while count:
        mine: dict[str, int] = {}
        for _ in range(luck.randint(1, min(4, row.checkers))):
            point = str(luck.randint(1, 6) if luck.random() < 0.9 else luck.randint(7, 11))
            mine[point] = mine.get(point, 0) + 1
        if left := row.checkers - sum(mine.values()):
            mine["off"] = left
        blank = twin.Board(variant, (mine, {}))
        free = [p for p in range(1, 8) if str(p) not in mine]
        theirs: dict[str, int] = {}
        for point in luck.sample(free, luck.randint(1, min(3, len(free)))):  # type: ignore[assignment]
            n = min(luck.choice((1, 2, 2, 2, 3)), row.checkers - sum(theirs.values()))
            if n:
                theirs[str(blank.other(point))] = n  # type: ignore[arg-type]
        if left := row.checkers - sum(theirs.values()):
            theirs["off"] = left
        text = twin.Board(variant, (mine, theirs)).text()
        yield parse_position(row, text), (luck.randint(1, 6), luck.randint(1, 6))
        count -= 1


def found(options: Options, cells: tuple[int, ...], seat: int, dice: tuple[int, int]) -> list[str]:
    """The kernel's results as texts, sorted."""
    room, board = own_room(), board_of(options, cells)
    count = int(generate(board, seat, *dice, room))
    assert cells_of(board) == cells, "generating leaves the board as it was"
    texts = []
    for i in range(count):
        work = board_of(options, cells)
        apply_way(work, seat, room.ways[i])
        texts.append(format_position(cells_of(work)))
    assert len(set(texts)) == count, "no result is listed twice"
    return sorted(texts)


@pytest.mark.parametrize("variant", MOSTLY_SLOW)
def test_every_turn_is_the_twins(variant: str) -> None:
    options = Options(variant=variant)  # type: ignore[arg-type]
    for cells, seat, dice in boards(variant, 150, random.Random(variant)):
        text = format_position(cells)
        if dice[0] == dice[1] and dice[0] < 4 and variant in ("crowded", "cloning"):
            continue  # the twin takes minutes for these
        assert found(options, cells, seat, dice) == twin.results(twin.read(variant, text), seat, dice), (text, dice)


def test_a_play_of_both_numbers_may_pass_through_a_play_of_one() -> None:
    # 3/2 with the 1 and 2/off with the 6; 3/off with the 6 alone leads to the same board (R12 asks for both).
    cells = parse_position(VARIANTS["backgammon"], "3:1 2:1 off:13 / 24:2 6:5 5:4 4:4")
    assert found(Options(), cells, 0, (6, 1)) == ["2:1 off:14 / 24:2 6:5 5:4 4:4"]


@pytest.mark.parametrize("variant", DICE)
def test_bearing_off_against_an_anchor_is_the_twins(variant: str) -> None:
    options = Options(variant=variant)  # type: ignore[arg-type]
    for cells, dice in anchored(variant, 500, random.Random(f"anchor {variant}")):
        text = format_position(cells)
        assert found(options, cells, 0, dice) == twin.results(twin.read(variant, text), 0, dice), (text, dice)


@pytest.mark.parametrize("variant", DICE)
def test_checkers_are_never_lost(variant: str) -> None:
    options = Options(variant=variant)  # type: ignore[arg-type]
    least = options.row.checkers
    for cells, _, _ in boards(variant, 400, random.Random(f"count {variant}")):
        for me in (0, 32):
            total = sum(cells[me : me + 28])
            assert total == cells[me + 28]
            assert total >= least if options.row.clones else total == least
            assert sum(cells[me + 7 : me + 27]) == cells[me + 29]


# OpenSpiel's known difference: it plays a double as two turns of two steps, each judged by itself; what can be made of
# both together is the same, as any steps that can be played first leave the others as playable as before.


def spiel_cells(state: Any) -> tuple[int, ...]:
    """OpenSpiel's board as ours: its X is seat 0 and goes up from 0, its O is seat 1 and goes down from 23."""
    cells = [0] * CELLS
    text = str(state)
    bar = re.search(r"^Bar:(.*)$", text, re.MULTILINE)
    scores = re.search(r"Scores, X: (\d+), O: (\d+)", text)
    assert bar
    assert scores
    for seat, sign in enumerate("xo"):
        me = seat * SIDE
        for pos in range(24):
            cells[me + (24 - pos if seat == 0 else pos + 1)] = state.board(seat, pos)
        cells[me + BAR] = bar[1].count(sign)
        cells[me + OFF] = int(scores[seat + 1])
        fill_sums(cells, me)
    return tuple(cells)


def spiel_results(state: Any, double: bool) -> set[str]:
    """The boards that OpenSpiel lets a throw lead to."""
    mover = state.current_player()
    ends = [state.child(action) for action in state.legal_actions()]
    if double:
        seconds = []
        for end in ends:
            if not end.is_terminal() and end.current_player() == mover:
                seconds += [end.child(action) for action in end.legal_actions()]
            else:
                seconds.append(end)
        ends = seconds
    return {format_position(spiel_cells(end)) for end in ends}


@pytest.mark.slow
def test_openspiel_agrees_on_what_a_throw_can_lead_to() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, luck, options = pyspiel.load_game("backgammon"), random.Random(1), Options()
    judged = 0
    while judged < 2500:
        state = game.new_initial_state()
        while not state.is_terminal() and judged < 2500:
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[luck.randrange(len(outcomes))][0])
                continue
            text = str(state)
            dice = re.search(r"Dice: (\d)(\d)", text)
            assert dice
            throw = (int(dice[1]), int(dice[2]))
            first_half = not (throw[0] == throw[1] and "Extra turn: 1" in text)
            if first_half and (throw[0] != throw[1] or judged % 5 == 0):
                cells, seat = spiel_cells(state), state.current_player()
                mine = set(found(options, cells, seat, throw)) or {format_position(cells)}
                assert mine == spiel_results(state, throw[0] == throw[1]), (format_position(cells), throw)
            judged += first_half
            actions = state.legal_actions()
            state.apply_action(actions[luck.randrange(len(actions))])
