"""What a seat sees, and the state behind it. Only dice to come are unknown, so the way back is exact (backgammon 9)."""

from __future__ import annotations

from msgspec.structs import replace

from qipai.core.recent import recent
from qipai.games.backgammon.kernel import board as k
from qipai.games.backgammon.kernel.score import pips
from qipai.games.backgammon.notation.ids import Match, Table, match_id, position_id, xgid
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import CELLS, fill_sums, format_position
from qipai.games.backgammon.state import Side, State, View

__all__ = ["cells_of_view", "imagine", "observe"]


def observe(options: Options, state: State, seat: int | None) -> View:
    """Return the view of a seat, or of a watcher (None)."""
    view = _observed(options, state)
    return view if seat is None else replace(view, you=seat)


@recent
def _observed(options: Options, state: State) -> View:
    """Return what everybody sees."""
    row = options.row
    offered = state.phase in ("double_offered", "beaver_offered")
    return View(
        you=None,
        variant=options.variant,
        board=row.board,
        phase=state.phase,
        turn=state.turn,
        on_roll=state.on_roll,
        dice=state.dice,
        first=state.first,
        ties=state.ties,
        sides=(side_of(options, state.cells, 0), side_of(options, state.cells, 1)),
        cube=state.cube,
        doubling=options.doubling,
        stake=2 * state.cube.value if offered else None,
        score=state.score,
        match_to=options.match_to,
        games=options.games,
        crawford=state.crawford,
        crawford_done=state.crawford_done,
        game_no=state.game_no,
        last=state.last,
        winner=state.winner,
        scored=state.scored,
        offer=state.offer,
        lines=state.lines,
        results=state.results,
        position=format_position(state.cells),
        position_id=position_id(state.cells, state.on_roll or 0) if row.gnu else None,
        match_id=match_id(_match(options, state)) if row.gnu else None,
        xgid=xgid(_table(options, state)) if row.gnu else None,
    )


def side_of(options: Options, cells: tuple[int, ...], seat: int) -> Side:
    """Return one seat's checkers."""
    me = seat * k.SIDE
    pinned = cells[me + k.PINNED]
    return Side(
        points=cells[me + 1 : me + 25],
        bar=cells[me + k.BAR],
        res=cells[me + k.RES],
        hand=cells[me + k.HAND],
        off=cells[me + k.OFF],
        pinned=tuple([p for p in range(1, 25) if pinned >> p & 1]) if pinned else (),
        pips=int(pips(cells, seat)) if options.row.dice else 0,
        checkers=cells[me + k.TOTAL],
    )


def cells_of_view(view: View) -> tuple[int, ...]:
    """Return the kernel's cells that a view shows."""
    cells = [0] * CELLS
    for seat, side in enumerate(view.sides):
        me = seat * k.SIDE
        cells[me + k.OFF] = side.off
        cells[me + 1 : me + 25] = side.points
        cells[me + k.BAR], cells[me + k.RES], cells[me + k.HAND] = side.bar, side.res, side.hand
        cells[me + k.PINNED] = sum(1 << p for p in side.pinned)
        fill_sums(cells, me)
    return tuple(cells)


def imagine(view: View) -> State:
    """Return the state that a view shows."""
    return State(
        phase=view.phase,
        cells=cells_of_view(view),
        turn=view.turn,
        on_roll=view.on_roll,
        dice=view.dice,
        first=view.first,
        ties=view.ties,
        cube=view.cube,
        score=view.score,
        crawford=view.crawford,
        crawford_done=view.crawford_done,
        game_no=view.game_no,
        last=view.last,
        winner=view.winner,
        scored=view.scored,
        offer=view.offer,
        lines=view.lines,
        results=view.results,
    )


def _match(options: Options, state: State) -> Match:
    over = state.phase == "match_over"
    how = {"drop": 4, "resign": 3, "left": 3}.get(state.last.how or "", 2)
    offered = state.phase in ("double_offered", "beaver_offered")
    on_roll = state.on_roll or 0
    return Match(
        cube=state.cube.value,
        cube_owner=state.cube.owner,
        on_roll=on_roll,
        crawford=state.crawford,
        game_state=how if over else 0 if state.phase == "opening" else 1,
        turn=on_roll if state.turn is None else state.turn,
        doubled=offered,
        resigned=state.offer.level if state.offer else 0,
        dice=state.dice and (max(state.dice), min(state.dice)),  # as gnubg writes a throw
        match_to=options.match_to,
        score=state.score,
    )


def _table(options: Options, state: State) -> Table:
    doubled = state.phase == "double_offered"
    return Table(
        cells=state.cells,
        on_roll=state.on_roll or 0,
        cube=state.cube.value,
        cube_owner=state.cube.owner,
        dice="D" if doubled else state.dice,
        score=state.score,
        match_to=options.match_to,
        crawford=state.crawford,
        jacoby=options.jacoby and options.series,
        beavers=options.beavers and options.series,
    )
