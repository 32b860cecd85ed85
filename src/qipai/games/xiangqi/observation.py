"""Views, and the state of a view. Nothing is hidden in xiangqi, so a view determines its state (xiangqi 9)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from qipai.core.kernel import frozen
from qipai.games.xiangqi.kernel.board import make
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import (
    Position,
    apply,
    encode,
    format_fen,
    legal_numbers,
    parse_fen,
    to_board,
    to_text,
)
from qipai.games.xiangqi.state import Move, State, View

__all__ = ["fallen", "imagine", "limits", "observe", "open_to", "position_of", "walk"]


def limits(options: Options) -> tuple[int, int]:
    """Return after how many plies, and plies without a capture, a game is drawn; 0: no limit (R13, R15)."""
    plies = options.move_limit * (2 if options.move_limit_unit == "each" else 1)
    return plies, 2 * options.no_capture_limit


def fallen(captured: tuple[str, str], taken: str) -> tuple[str, str]:
    """Return the captured men, red and black, with one more ("" for none)."""
    red, black = captured
    return (red + taken, black) if taken.isupper() else (red, black + taken)


_memo: tuple[Options, State, View] | None = None  # cache of the last watchers' view, which the seats' views share


def observe(options: Options, state: State, seat: int | None) -> View:
    """Return the view of a seat, or of a watcher (None)."""
    global _memo
    memo = _memo
    if memo is not None and memo[1] is state and memo[0] is options:
        view = memo[2]
    else:
        view = _observed(options, state)
        _memo = (options, state, view)
    return view if seat is None else replace(view, you=seat)


def _observed(options: Options, state: State) -> View:
    """Return the view that everybody shares."""
    ply_limit, quiet_limit = limits(options)
    return View(
        you=None,
        phase=state.phase,
        fen=format_fen(state.position),
        side=state.position.side,
        check=state.check,
        start=format_fen(state.start),
        plies=state.plies,
        captured=state.captured,
        repetition_count=state.repetition_count,
        warned=state.warned,
        cycle=state.cycle,
        ply_limit=ply_limit,
        quiet=state.position.quiet,
        quiet_limit=quiet_limit,
        time_control=state.time_control,
        proposal=state.proposal,
        ready=state.ready,
        offer=state.offer,
        offered=state.offered,
        winner=state.winner,
        why=state.why,
    )


def position_of(view: View) -> Position:
    """Return the position that a view shows."""
    memo = _memo
    if memo is not None and memo[2].fen is view.fen:
        return memo[1].position
    return parse_fen(view.fen, check=False)


_open: tuple[Position, tuple[list[int], list[Move]]] | None = None  # the last: hints are asked for right after moves


def open_to(position: Position) -> tuple[list[int], list[Move]]:
    """Return the moves of the side to move, sorted by their texts: as the kernel numbers them, and as actions."""
    global _open
    last = _open
    if last is not None and last[0] is position:
        return last[1]
    numbers = legal_numbers(position)
    found = numbers, list(map(_MOVES.__getitem__, numbers))
    _open = position, found
    return found


class _Moves(dict[int, Move]):
    """Moves by the kernel's numbers, about 2500; each is created when first needed."""

    def __missing__(self, number: int) -> Move:
        move = self[number] = Move(to_text(number))
        return move


_MOVES: Final = _Moves()


def walk(view: View) -> tuple[Position, int, Position]:
    """Return the position right after the last capture, the plies before it, and the present position."""
    ground = position = parse_fen(view.start)
    fresh = 0
    for number, ply in enumerate(view.plies, 1):
        position = apply(position, ply.m)
        if position.quiet == 0:
            ground, fresh = position, number
    return ground, fresh, position


def imagine(view: View) -> State:
    """Return the state of a view."""
    start = parse_fen(view.start)
    _ground, fresh, position = walk(view)
    board = to_board(start, len(view.plies))
    for ply in view.plies:
        make(board, encode(ply.m))
    return State(
        phase=view.phase,
        start=start,
        position=position,
        plies=view.plies,
        keys=frozen(board.keys)[fresh : len(view.plies) + 1],
        captured=view.captured,
        check=view.check,
        repetition_count=view.repetition_count,
        warned=view.warned,
        cycle=view.cycle,
        time_control=view.time_control,
        proposal=view.proposal,
        ready=view.ready,
        offer=view.offer,
        offered=view.offered,
        winner=view.winner,
        why=view.why,
    )
