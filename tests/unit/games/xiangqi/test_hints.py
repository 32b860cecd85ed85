"""Hints call each move as the notation does."""

from __future__ import annotations

import random

import pytest
from tests.unit.games.xiangqi import positions

from qipai.games.xiangqi import ENTRY
from qipai.games.xiangqi.notation import to_zh
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import Position, format_fen, legal_moves, parse_fen
from qipai.games.xiangqi.rules import Xiangqi

# Like men on one file: chariots, cannons and horses; soldiers, two and three of them.
ALIKE = (
    "3k5/9/4P4/4P4/9/4P4/2N6/2N3R2/6R2/4K3C w",
    "3k5/9/2P1P4/2P1P4/9/9/9/7C1/7C1/4K4 w",
    "4k4/4r4/4r4/9/2p3p2/2p6/2p6/9/9/3K5 b",
)


@pytest.mark.parametrize("seed", range(40))
def test_hints_call_each_move_as_the_notation_does(seed: int) -> None:
    luck = random.Random(seed)
    drawn = (positions.sparse(luck), positions.played(luck, luck.randrange(80)))
    for position in (*map(parse_fen, ALIKE), *drawn):
        if not legal_moves(position):
            continue
        assert words(position) == {move: to_zh(position, move) for move in legal_moves(position)}, format_fen(position)


def words(position: Position) -> dict[str, str]:
    rules = Xiangqi(Options())
    hint = ENTRY.hints(rules.options, rules.observe(rules.at(position), position.side))
    assert [origin + target for origin, targets in hint.moves.items() for target in targets] == list(hint.words)
    found: dict[str, str] = hint.words
    return found
