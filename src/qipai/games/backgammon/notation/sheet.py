"""A whole match as a score sheet: what all file formats for matches have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from qipai.core.contract import BadNotation, Refusal
from qipai.core.entry import Record
from qipai.games.backgammon.kernel import board as k
from qipai.games.backgammon.notation.moves import cell_name
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of, cells_of, format_position, start_cells
from qipai.games.backgammon.results import result_of
from qipai.games.backgammon.state import (
    Accepted,
    Cube,
    CubeTurned,
    Doubled,
    Dropped,
    GameEnded,
    GameStarted,
    Last,
    Left,
    Line,
    Opened,
    Played,
    Rolled,
    State,
)
from qipai.games.backgammon.turns import all_plays, read_turn

__all__ = ["Game", "Scribe", "Sheet", "facts", "score_of", "sheet_of"]


class Game(Struct, frozen=True):
    """One game: its lines, and how it ended."""

    lines: tuple[Line, ...]
    last: Last | None  # None: unfinished
    crawford: bool = False
    cells: tuple[int, ...] = ()  # where the checkers stood at the end
    cube: int = 1  # its value at the beginning: not every format writes automatic doubles
    at: tuple[int, ...] = ()  # the line of the file on which each of `lines` stands; empty without a file
    placed: bool = False  # it began from a set-up position
    notes: tuple[tuple[int, str], ...] = ()  # comments, each with how many of `lines` stand before it


class Sheet(Struct, frozen=True, kw_only=True):
    """A match or series."""

    options: Options
    players: tuple[str, str]
    games: tuple[Game, ...]
    before: tuple[int, int] = (0, 0)  # the score before the first game that is written
    titles: Mapping[str, str] = {}  # what the file says of the match: event, place, date


class Scribe:
    """Writes one game down and checks it: every play is read on the board before it."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.cells = start_cells(options)
        self.cube = Cube()
        self.lines: list[Line] = []
        self.last: Last | None = None
        self.crawford = False
        self.doubler = 0
        self.placed = False
        self.row = 0  # the line of the file that is being read
        self._rows: list[int] = []
        self._began = 1
        self._notes: list[tuple[int, str]] = []

    def write(self, line: Line) -> None:
        """Write a line down."""
        self.lines.append(line)
        self._rows.append(self.row)

    def unwrite(self) -> Line:
        """Take the last line back."""
        self._rows.pop()
        return self.lines.pop()

    def note(self, text: str) -> None:
        """Write a comment down."""
        if text.strip():
            self._notes.append((len(self.lines), text.strip()))

    def cube_begins(self, value: int) -> None:
        """Note what the cube shows before the first double."""
        self._began = value
        self.cube = Cube(value)

    def throw(self, seat: int, dice: tuple[int, int], text: str) -> None:
        """Write a turn; an empty text is a dance, or a roll that was not played."""
        if not text:
            self.write(Line(seat, "play", dice))
            return
        turn = read_turn(self.options, self.cells, seat, dice, text)
        if isinstance(turn, Refusal):
            said = {**turn.facts, "move": f"{dice[0]}{dice[1]}: {text}", "why": turn.code}
            raise BadNotation("bad_record", **said)
        board = board_of(self.options, self.cells)
        for origin, die in turn.steps:
            k.make(board, seat, origin, die)
        self.cells = cells_of(board)
        self.write(Line(seat, "play", dice, turn.m))
        self.last = result_of(self.options, self.cells, self.cube, seat)

    def double(self, seat: int) -> None:
        """Write a double, or a beaver when one is on the table."""
        if self.lines and self.lines[-1].kind == "double":
            self.cube = Cube(2 * self.cube.value, seat)
            self.write(Line(seat, "beaver", value=2 * self.cube.value))
        else:
            self.doubler = seat
            self.write(Line(seat, "double", value=2 * self.cube.value))

    def take(self, seat: int) -> None:
        """Write that a double or a beaver was taken."""
        owner = self.cube.owner if self.beavered else seat
        self.cube = Cube(2 * self.cube.value, owner)
        self.write(Line(seat, "take", value=self.cube.value))

    def drop(self, seat: int) -> None:
        """Write that a double was dropped."""
        self.write(Line(seat, "drop", value=self.cube.value))
        self.last = Last(1 - seat, self.cube.value, "drop")

    @property
    def beavered(self) -> bool:
        """Return whether a beaver waits for its answer."""
        return bool(self.lines) and self.lines[-1].kind == "beaver"

    @property
    def doubled(self) -> bool:
        """Return whether somebody has doubled."""
        return any(line.kind == "double" for line in self.lines)

    def won(self, winner: int, points: int) -> None:
        """Write who won what; where nothing has ended the game, the other has resigned."""
        if self.last is None:
            level = max(1, min(3, points // self.cube.value))
            thrown = None
            end = self.lines[-1] if self.lines else None
            if end and end.kind == "play" and not end.text and end.seat == 1 - winner and end.dice:
                if all_plays(self.options, self.cells, end.seat, max(end.dice), min(end.dice)):
                    thrown = self.unwrite().dice
            self.write(Line(1 - winner, "resign", thrown, value=level))
            self.last = Last(winner, points, "resign")
        elif self.last.winner != winner:
            raise BadNotation("bad_record", why="winner")
        else:
            self.last = replace(self.last, points=points)

    def done(self) -> Game:
        """Return the game."""
        return Game(
            tuple(self.lines),
            self.last,
            self.crawford,
            self.cells,
            cube=self._began,
            at=tuple(self._rows),
            placed=self.placed,
            notes=tuple(self._notes),
        )


def score_of(sheet: Sheet, count: int | None = None) -> tuple[int, int]:
    """Return the score after so many games, after all that are finished by default."""
    score = list(sheet.before)
    for game in sheet.games[:count]:
        if game.last and game.last.winner is not None:
            score[game.last.winner] += game.last.points
    return score[0], score[1]


def said(line: Line) -> list[str]:
    """Return the words for a line of a sheet: `0 31 8/5 6/5`, `1 double`, `1 resign 2`."""
    told = []
    if line.dice:
        told.append(" ".join(filter(None, (f"{line.seat} {max(line.dice)}{min(line.dice)}", line.text))))
    if line.kind == "resign":
        told.append(f"{line.seat} resign {line.value}")
    elif line.kind != "play":
        told.append(f"{line.seat} {line.kind}")
    return told


def facts(sheet: Sheet) -> dict[str, Any]:
    """Return what a record says, as the kind `record_import` compares it."""
    score = score_of(sheet)
    length = sheet.options.match_to
    undecided = any(game.last is None for game in sheet.games)
    if length:
        winner = next((seat for seat in (0, 1) if score[seat] >= length), None)
    else:
        winner = None if undecided or score[0] == score[1] else 0 if score[0] > score[1] else 1
    lines = [[line for line in game.lines if line.kind != "auto"] for game in sheet.games]
    return {
        "variant": sheet.options.variant,
        "match_to": length,
        "players": list(sheet.players),
        "score": list(score),
        "winner": winner,
        "rolls": sum(1 for game in lines for line in game if line.dice),
        "plays": [[text for line in game for text in said(line)] for game in lines],
        "ends": [
            [game.last.winner, game.last.points, format_position(game.cells)] for game in sheet.games if game.last
        ],
    }


def sheet_of(record: Record) -> Sheet:
    """Return the score sheet of a match played in the hall."""
    from qipai.core.record import replay
    from qipai.games.backgammon import ENTRY

    options: Options = ENTRY.chosen(record.options)
    games: list[Game] = []
    lines: list[Line] = []
    before: State | None = None
    crawford = False
    for step in replay(ENTRY, record):
        for told in step.told:
            match told.event:
                case Opened(dice=dice, cube=value, auto=True):
                    lines.append(Line(-1, "auto", dice, value=value))
                case Rolled(seat=seat, dice=dice, dance=True):
                    lines.append(Line(seat, "play", dice))
                case Played(seat=seat, dice=dice, m=text):
                    lines.append(Line(seat, "play", dice, text))
                case Doubled(seat=seat, value=value, beaver=beaver):
                    lines.append(Line(seat, "beaver" if beaver else "double", value=value))
                case CubeTurned(seat=seat, value=value):
                    lines.append(Line(seat, "take", value=value))
                case Dropped(seat=seat):
                    lines.append(Line(seat, "drop"))
                case Accepted(seat=seat, level=level):
                    assert before is not None
                    lines.append(Line(1 - seat, "resign" if level else "draw", before.dice, value=level))
                case Left(seat=seat):
                    assert before is not None
                    lines.append(Line(seat, "resign", before.dice, value=1))
                case GameEnded(winner=winner, points=points, how=how):
                    ended = Last(winner, points, how)
                    games.append(Game(tuple(lines), ended, crawford, boards(options, lines)[1], cube=began(lines)))
                    lines = []
                case GameStarted(crawford=now):
                    crawford = now
        before = step.state
    if lines or not games:
        games.append(Game(tuple(lines), None, crawford, boards(options, lines)[1], cube=began(lines)))
    names = [" ".join(name.split()) for name in (*record.players, "", "")[:2]]
    return Sheet(options=options, players=(names[0] or "White", names[1] or "Black"), games=tuple(games))


def began(lines: Sequence[Line]) -> int:
    """Return the value of the cube after the opening roll: automatic doubles have raised it (R28)."""
    return max((line.value for line in lines if line.kind == "auto"), default=1)


class Stepped(Struct, frozen=True):
    """One step of a written play."""

    origin: int
    to: int
    hit: bool


def stepwise(options: Options, cells: tuple[int, ...], line: Line) -> tuple[list[Stepped], tuple[int, ...]]:
    """Return a line's single steps from the back forward, and the board after them."""
    if line.kind != "play" or not line.text or line.dice is None:
        return [], cells
    turn = read_turn(options, cells, line.seat, line.dice, line.text)
    assert not isinstance(turn, Refusal)
    board = board_of(options, cells)
    steps = []
    for origin, die in turn.steps:
        did = int(k.make(board, line.seat, origin, die))
        steps.append(Stepped(origin, did & 31, bool(did & 32)))
    hits = {step.to for step in steps if step.hit}
    ordered: list[Stepped] = []
    for step in sorted(steps, key=lambda step: (-step.origin, -step.to)):
        ordered.append(Stepped(step.origin, step.to, step.to in hits))
        hits.discard(step.to)
    return ordered, cells_of(board)


def boards(options: Options, lines: Sequence[Line]) -> tuple[list[list[Stepped]], tuple[int, ...]]:
    """Return each line's single steps, the game played from its start, and the board at the end."""
    cells = start_cells(options)
    found = []
    for line in lines:
        steps, cells = stepwise(options, cells, line)
        found.append(steps)
    return found, cells


def plain(cell: int) -> str:
    """Return a place as Jellyfish writes it: the bar is 25, off is 0."""
    return {"bar": "25", "off": "0"}.get(cell_name(cell), cell_name(cell))
