"""What the client may light up, from a view alone."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import Struct

from qipai.games.xiangqi.kernel.board import CODE, EMPTY, FILE, FIRST, HORSE, MEN, SIDE, Board
from qipai.games.xiangqi.notation.moves import Stance, alone, stance, zh_of
from qipai.games.xiangqi.observation import open_to, position_of
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import NAMES, PIECES, Position, at_hand, to_text
from qipai.games.xiangqi.state import View

__all__ = ["Hints", "hints"]


class Hints(Struct, frozen=True, kw_only=True):
    """What a seat may do now."""

    moves: dict[str, list[str]] = {}  # from a square of one's own to the squares its man may go to
    words: dict[str, str] = {}  # each of these moves in Chinese, for a plate or for typing: h2e2 is 炮二平五
    offer_draw: bool = False
    answer_draw: bool = False  # accept or decline
    resign: bool = False
    ready: bool = False
    propose_time: bool = False
    answer_time: bool = False  # accept or decline


def hints(options: Options, view: View) -> Hints | None:
    """Return what the seat of a view may do; None for spectators and after the end."""
    if view.you is None or view.phase == "over":
        return None
    if view.phase == "setup":
        proposal = view.proposal
        return Hints(
            ready=proposal is None and not view.ready[view.you],
            propose_time=True,
            answer_time=proposal is not None and proposal.seat != view.you,
        )
    answer = view.offer == 1 - view.you
    if view.you != view.side:
        return Hints(answer_draw=answer, resign=True)
    moves, words = _lit(position_of(view))
    return Hints(
        moves=moves,
        words=words,
        offer_draw=view.offer is None and not view.offered,
        answer_draw=answer,
        resign=True,
    )


def _lit(position: Position) -> tuple[dict[str, list[str]], dict[str, str]]:
    moves: dict[str, list[str]] = {}
    words: dict[str, str] = {}
    board = at_hand(position)
    origin = 0
    for number, action in zip(*open_to(position), strict=True):  # sorted: man by man
        if number >> 8 != origin:
            origin = number >> 8
            targets = moves[NAMES[origin]] = []
            names = _names[CODE[board.cells[origin]]]
        targets.append(NAMES[number & 255])
        words[action.m] = names[number]
    for square in _alike(board):
        name = NAMES[square]
        man = stance(position, name)
        for target in moves.get(name, ()):
            words[name + target] = _called(man, name + target)
    return moves, words


def _alike(board: Board) -> list[int]:
    """Return where men of the side to move stand on a file with one of their kind: they are called otherwise (R17)."""
    first = board.reg[SIDE] * MEN
    men = board.where[first + FIRST[HORSE - 1] : first + EMPTY]
    files = [square // FILE for square in men]
    # Of chariots, cannons and horses there are two, of soldiers five; who is off the board stands on file 0.
    if files[0] != files[1] and files[2] != files[3] and files[4] != files[5] and len(set(files[6:])) == 5:
        return []
    found = []
    for start, stop in ((0, 2), (2, 4), (4, 6), (6, 11)):
        for man in range(start, stop):
            if files[man] and files[start:stop].count(files[man]) > 1:
                found.append(men[man])
    return found


@lru_cache(maxsize=1024)
def _called(man: Stance, move: str) -> str:
    return zh_of(man, move)


class _Names(dict[int, str]):
    """The moves of the men of a kind in Chinese, by the kernel's numbers, while no man like them is on their file.

    Each is made when it is first asked for; of all kinds there are some 7500.
    """

    def __init__(self, piece: str) -> None:
        super().__init__()
        self.piece = piece

    def __missing__(self, number: int) -> str:
        name = self[number] = zh_of(alone(self.piece, (number >> 8) // FILE - 2), to_text(number))
        return name


_names: Final = {CODE[FIRST[n % 7] + n // 7 * MEN]: _Names(piece) for n, piece in enumerate(PIECES)}
