"""The view of a seat or watcher, and random races that fit a view (lianliankan 9)."""

from __future__ import annotations

from qipai.core.contract import Rng, Seat
from qipai.core.kernel import frozen, thawed
from qipai.games.lianliankan.board import first, grid_of, index, laid, rows_of, shown_to
from qipai.games.lianliankan.kernel.layout import fall
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.state import Action, Board, Grid, Rows, State, View

__all__ = ["imagine", "observe", "secret"]

NONE = (None,) * 6


def secret(state: State, seat: Seat, action: Action) -> bool:
    """Return whether an action stays secret until the race is over: the seed of the board."""
    return isinstance(action, Board)


def observe(options: Options, state: State, seat: int | None) -> View:
    """Return the view of a seat, or of a watcher (None), who sees all boards."""
    rows, cols, boards, lines = state.rows, state.cols, state.boards, state.lines
    shown: tuple[Rows | None, ...] = (None,) * len(lines)
    drawn = lines
    board = hint = None
    if seat is not None and boards:
        board = shown_to(boards[seat], rows, cols)
        if state.asked[seat]:
            hint = first(boards[seat], cols)
    if boards and (seat is None or options.show_boards == "all"):
        shown = tuple([None if other == seat else rows_of(grid, rows, cols) for other, grid in enumerate(boards)])
    elif seat is not None:
        drawn = (*NONE[:seat], lines[seat], *NONE[seat + 1 : len(lines)])
    seed = state.seed if state.phase == "over" else None
    # By position: each link makes a view for each channel, and by name one costs six times as much (0048).
    return View(
        seat,
        state.phase,
        rows,
        cols,
        board,
        shown,
        drawn,
        hint,
        state.remaining,
        state.last,
        state.left,
        state.reshuffles,
        state.hints,
        state.shuffles,
        state.places,
        state.winner,
        state.why,
        state.scores,
        seed,
    )


def imagine(options: Options, view: View, rng: Rng) -> State:
    """Return a race that fits a view: hidden boards are replaced by others with as many tiles.

    Such a state is a *determinization* of the view: a search plays on in many of them.
    """
    seats = len(view.remaining)
    grids: tuple[Grid, ...] = ()
    if view.phase != "setup":
        shown = [view.board if seat == view.you else view.boards[seat] for seat in range(seats)]
        grids = tuple(
            laid(
                some_board(options, view, view.remaining[seat], rng) if rows is None else grid_of(rows, options.outside)
            )
            for seat, rows in enumerate(shown)
        )
    seed = view.seed
    if seed is None:
        seed = "".join(f"{rng.below(1 << 32):08x}" for _ in range(8)) if grids else ""
    numbers = [number for number in (*view.last, *view.left) if number is not None]
    return State(
        phase=view.phase,
        rows=view.rows,
        cols=view.cols,
        boards=grids,
        seed=seed,
        seq=max(numbers, default=0),
        remaining=view.remaining,
        last=view.last,
        left=view.left,
        reshuffles=view.reshuffles,
        hints=view.hints,
        shuffles=view.shuffles,
        asked=tuple(seat == view.you and view.hint is not None for seat in range(seats)),
        lines=view.lines,
        places=view.places,
        winner=view.winner,
        why=view.why,
        scores=view.scores,
    )


def some_board(options: Options, view: View, remaining: int, rng: Rng) -> tuple[int, ...]:
    """Return a board with so many tiles that is not stuck: in reading order each tile is followed by its partner.

    The first two tiles of a board in reading order can always be joined (3.2), so it can even be solved.
    """
    mask = options.mask or ("#" * view.cols,) * view.rows
    cells = [(r, c) for r, row in enumerate(mask) for c, cell in enumerate(row) if cell == "#"]
    kept = sorted(rng.shuffled(cells)[:remaining])
    board = [[0] * view.cols for _ in range(view.rows)]
    for r, c in kept:
        board[r][c] = 1
    grid = thawed(grid_of(board, options.outside), 16)
    if options.gravity != "none":
        way = ("none", "down", "up", "left", "right").index(options.gravity)
        fall(grid, index((0, 0), view.cols), view.rows, view.cols, view.cols + 3, way)
    faces = rng.shuffled([face for face in range(1, options.kinds + 1) for _ in range(options.copies // 2)])
    places = [place for place, face in enumerate(grid) if face > 0]
    for n, place in enumerate(places):
        grid[place] = faces[n // 2]
    return frozen(grid)
