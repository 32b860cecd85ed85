"""What the client may light up, from a view alone."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from qipai.games.xiangqi.notation.moves import stance, words_of
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import Position
from qipai.games.xiangqi.sight import open_to, position_of
from qipai.games.xiangqi.state import View

__all__ = ["Hints", "hints"]


class Hints(Struct, frozen=True, kw_only=True):
    """What a seat may do now."""

    moves: dict[str, tuple[str, ...]] = {}  # from a square of one's own to the squares its man may go to
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


@lru_cache(maxsize=32)  # who comes to a table asks again; nobody else does
def _lit(position: Position) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    moves: dict[str, list[str]] = {}
    words: dict[str, str] = {}
    man = ""
    for action in open_to(position):  # sorted: man by man
        move = action.m
        square = move[:2]
        if square != man:
            man = square
            targets = moves[man] = []
            known = words_of(stance(position, man))
        targets.append(move[2:])
        words[move] = known[move]
    return {man: tuple(targets) for man, targets in moves.items()}, words
