"""Positions of lianliankan as text: the rows of the board, one board for each seat where they differ (P-74).

`1,2,0/0,2,1 seed:abc hints:2,1`: faces between commas, rows between slashes, 0 is an empty cell.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from qipai.core.entry import Setup
from qipai.games.lianliankan.board import rows_of
from qipai.games.lianliankan.options import LONGEST, MOST_CELLS, Options
from qipai.games.lianliankan.rules import Lianliankan
from qipai.games.lianliankan.state import Rows, State
from qipai.kit.positions import unfit, words

__all__ = ["SETUP", "read", "write"]

NAMED: Final = ("seed", "hints", "shuffles", "reshuffles", "left")
SEATS: Final = 6
FACES: Final = 999
SEED: Final = re.compile(r"[0-9A-Za-z|_.-]{0,80}")


def read(options: Options, text: str, seats: int | None = None) -> State:
    """Return the race that a text stands for; raises BadNotation("bad_position").

    seats: how many race; None: as many as boards are written.
    """
    found = words(text, NAMED, placed=SEATS)
    boards = [_board(part) for part in found.place.split()]
    players = len(boards) if seats is None else seats
    if len(boards) not in (1, players):
        raise unfit("seats", n=len(boards), seats=players)
    rows, cols = len(boards[0]), len(boards[0][0])
    if any((len(board), len(board[0])) != (rows, cols) for board in boards):
        raise unfit("ragged")
    seed = found.named.get("seed", "")
    if SEED.fullmatch(seed) is None:
        raise unfit("bad_word", word=f"seed:{seed}"[:40])
    rules = Lianliankan(options, players)
    left = found.seats("left", players)
    state = replace(
        rules.place(boards[0], seed),
        hints=_numbers(found.named.get("hints"), "hints", players, options.hints),
        shuffles=_numbers(found.named.get("shuffles"), "shuffles", players, options.shuffles),
    )
    if "reshuffles" in found.named:
        state = replace(state, reshuffles=_numbers(found.named["reshuffles"], "reshuffles", players, 0))
    if len(boards) > 1:
        each = [rules.place(board, seed) for board in boards]
        state = replace(
            state,
            boards=tuple(one.boards[0] for one in each),
            remaining=tuple(one.remaining[0] for one in each),
            places=tuple(1 + sum(other.remaining[0] < one.remaining[0] for other in each) for one in each),
        )
    if left:
        if len(left) >= players:
            raise unfit("over")
        state = replace(
            state, left=tuple(number if seat in left else None for seat, number in enumerate(range(players)))
        )
    return state


def _board(text: str) -> Rows:
    """Return the rows of a board; raises BadNotation with the reason why it is none."""
    rows: list[tuple[int, ...]] = []
    for line in text.split("/"):
        cells = line.split(",")
        if not all(re.fullmatch("[0-9]{1,3}", cell) for cell in cells):
            raise unfit("not_a_face", row=len(rows) + 1)
        rows.append(tuple(map(int, cells)))
    if len({len(row) for row in rows}) > 1:
        raise unfit("ragged")
    if max(len(rows), len(rows[0])) > LONGEST or len(rows) * len(rows[0]) > MOST_CELLS:
        raise unfit("board_size", most=MOST_CELLS, longest=LONGEST)
    counts: dict[int, int] = {}
    for row in rows:
        for face in row:
            counts[face] = counts.get(face, 0) + 1
    if len(counts) < 2 and 0 in counts:
        raise unfit("over")
    for face, n in sorted(counts.items()):
        if face and n % 2:
            raise unfit("odd_face", face=face, n=n)
    return tuple(rows)


def _numbers(text: str | None, word: str, players: int, otherwise: int) -> tuple[int, ...]:
    if text is None:
        return (otherwise,) * players
    found = re.fullmatch("[0-9]{1,2}(,[0-9]{1,2}){0,5}", text)
    numbers = [int(part) for part in text.split(",")] if found else []
    if len(numbers) not in (1, players):
        raise unfit("bad_number", word=word, low=0, high=99)
    return tuple(numbers) if len(numbers) == players else (*numbers * players,)


def write(options: Options, state: State) -> str:
    """Return the text of a race; raises BadNotation for one that has not begun or is over."""
    if state.phase != "play":
        raise unfit("over" if state.phase == "over" else "not_begun")
    texts = [
        "/".join(",".join(map(str, row)) for row in rows_of(board, state.rows, state.cols)) for board in state.boards
    ]
    if len(set(texts)) == 1:
        del texts[1:]
    said = [*texts]
    if state.seed:
        said.append(f"seed:{state.seed}")
    for name, values, usual in (
        ("hints", state.hints, options.hints),
        ("shuffles", state.shuffles, options.shuffles),
        ("reshuffles", state.reshuffles, 0),
    ):
        if any(value != usual for value in values):
            said.append(f"{name}:" + ",".join(map(str, values)))
    left = "".join(str(seat) for seat, number in enumerate(state.left) if number is not None)
    return " ".join([*said, *([f"left:{left}"] if left else [])])


SETUP: Final = Setup(read, write)
