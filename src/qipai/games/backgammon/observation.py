"""Views, and the state of a view. Only future dice are unknown, so a view determines its state (backgammon 9)."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from qipai.core.recent import recent
from qipai.games.backgammon.kernel import board as k
from qipai.games.backgammon.kernel.score import pips
from qipai.games.backgammon.notation.ids import Match, Table, joined, match_id, position_bits, xgid, xgid_letters
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import side_text, start_cells
from qipai.games.backgammon.state import Face, Laid, Side, State, View

__all__ = ["cells_of_view", "imagine", "laid", "observe", "opened"]


def observe(options: Options, state: State, seat: int | None) -> View:
    """Return the view of a seat, or of a watcher (None)."""
    view = _observed(options, state)
    return view if seat is None else replace(view, you=seat)


@recent
def _observed(options: Options, state: State) -> View:
    """Return the view that everybody shares."""
    row = options.row
    offered = state.phase in ("double_offered", "beaver_offered")
    shown, roller = state.laid, state.on_roll or 0
    faces = shown.faces
    return View(
        you=None,
        variant=options.variant,
        board=row.board,
        phase=state.phase,
        turn=state.turn,
        on_roll=state.on_roll,
        dice=state.dice,
        first=state.first,
        opening=state.opening,
        ties=state.ties,
        sides=(faces[0].side, faces[1].side),
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
        position=shown.position,
        position_id=joined(faces[1 - roller].bits, faces[roller].bits) if row.gnu else None,
        match_id=match_id(_match(options, state)) if row.gnu else None,
        xgid=xgid(_table(options, state), 0, shown.letters) if row.gnu else None,
    )


@lru_cache(maxsize=64)
def opened(options: Options) -> tuple[tuple[int, ...], Laid]:
    """Return a game's first board, and its texts."""
    cells = start_cells(options)
    return cells, laid(options, cells)


def laid(options: Options, cells: tuple[int, ...], old: tuple[int, ...] = (), before: Laid | None = None) -> Laid:
    """Return the texts of a board. old, before: the earlier board and its texts."""
    one, other = cells[: k.SIDE], cells[k.SIDE :]
    if before is None:
        faces = _face(options, cells, one, 0), _face(options, cells, other, 1)
    else:
        faces = (
            before.faces[0] if one == old[: k.SIDE] else _face(options, cells, one, 0),
            before.faces[1] if other == old[k.SIDE :] else _face(options, cells, other, 1),
        )
    position = f"{faces[0].text} / {faces[1].text}"
    return Laid(faces, position, xgid_letters(cells) if options.row.gnu else "")


def _face(options: Options, cells: tuple[int, ...], side: tuple[int, ...], seat: int) -> Face:
    """Return the texts of one seat's checkers. side: its cells."""
    pinned = side[k.PINNED]
    return Face(
        Side(
            side[1:25],
            side[k.BAR],
            side[k.RES],
            side[k.HAND],
            side[k.OFF],
            tuple([p for p in range(1, 25) if pinned >> p & 1]) if pinned else (),
            int(pips(cells, seat)) if options.row.dice else 0,
            side[k.TOTAL],
        ),
        side_text(cells, seat),
        position_bits(cells, seat) if options.row.gnu else (0, 0),
    )


def cells_of_view(view: View) -> tuple[int, ...]:
    """Return the kernel's cells for a view."""
    one, other = view.sides
    return (*_cells(one), *_cells(other))


def _cells(side: Side) -> tuple[int, ...]:
    """Return one seat's cells."""
    points, bar, res = side.points, side.bar, side.res
    out = sum(points[6:]) + bar + res
    pinned = sum([1 << p for p in side.pinned]) if side.pinned else 0
    return (side.off, *points, bar, res, side.hand, side.checkers, out, pinned, 0)


def imagine(options: Options, view: View) -> State:
    """Return the state of a view."""
    cells = cells_of_view(view)
    return State(
        phase=view.phase,
        cells=cells,
        laid=laid(options, cells),
        turn=view.turn,
        on_roll=view.on_roll,
        dice=view.dice,
        first=view.first,
        opening=view.opening,
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
