"""Our player as what gnubg calls an external player: `qipai engine backgammon --listen localhost:4321` (backgammon 13).

gnubg connects (`set player 0 external localhost:4321`) and says one line for each decision, a board as FIBS writes
it; one line answers: a play, `roll` or `double`, `take` or `drop`. A line that is no such board is answered by an
error, and the talk goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from qipai.core.contract import BadNotation
from qipai.games.backgammon.bots.players import Strong
from qipai.games.backgammon.external import MONEY, Gnubg, knows
from qipai.games.backgammon.kernel.board import BAR, OFF, SIDE
from qipai.games.backgammon.observation import laid, observe
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import CELLS, fill_sums
from qipai.games.backgammon.state import Beaver, Cube, Double, Drop, Phase, Play, Roll, State, Take

__all__ = ["asked", "player", "program"]

BUDGET_MS: Final = 1500
FIELDS: Final = 53  # of a board line, at least
CHECKERS: Final = 15
LONGEST: Final = 64  # a match that the house plays; FIBS's is endless
ME: Final = 0
IT: Final = 1


def asked(line: str) -> tuple[Options, State]:
    """Return the house rules and the state that a board line asks about; seat 0 answers.

    Positive checkers, and the first of the two fields that say who may double, are those of one player; `turn` is 1
    when that player is on roll, -1 when the other is. Who is on roll is asked, but for a double, to which the other
    answers. Of names and scores the first is `You`, whose checkers are positive; where gnubg writes names, the positive
    checkers' player is first if a double is answered, else second (seen in gnubg 1.07).

    Raises BadNotation("bad_position").
    """
    words = line.strip().split(":")
    if words[0] != "board" or len(words) < FIELDS:
        raise BadNotation("bad_position", why="no board line")
    try:
        numbers = [0, 0, 0, *map(int, words[3:])]
    except ValueError:
        raise BadNotation("bad_position", why="not a number") from None
    length, turn, value, doubled = numbers[3], numbers[32], numbers[37], bool(numbers[40])
    colour, home = numbers[41], numbers[43]
    if abs(colour) != 1 or abs(turn) != 1 or home not in (0, 25) or not 0 <= length <= MONEY:
        raise BadNotation("bad_position", why="colour, turn, home or length")
    if value < 1 or value & (value - 1):
        raise BadNotation("bad_position", why="cube")
    options = Options(match_to=0 if length > LONGEST else length)
    positive = (turn == 1) != doubled  # the positive checkers are mine
    first = positive == (words[1] == "You" or doubled)  # the first score is mine
    score = (numbers[4], numbers[5]) if first else (numbers[5], numbers[4])
    may = numbers[38:40] if positive else numbers[39:37:-1]
    dice = next((pair for pair in (numbers[33:35], numbers[35:37]) if all(1 <= die <= 6 for die in pair)), None)
    near = bool(options.match_to) and max(score) == options.match_to - 1
    crawford = near and not any(numbers[51:53])
    cells = _cells(numbers, colour if positive else -colour, home if positive else 25 - home)
    phase: Phase = "double_offered" if doubled else "to_play" if dice else "to_roll"
    return options, State(
        phase=phase,
        cells=cells,
        laid=laid(options, cells),
        turn=ME,
        on_roll=IT if doubled else ME,
        dice=(dice[0], dice[1]) if dice and not doubled else None,
        first=False,
        cube=Cube(value, None if may[0] == may[1] else ME if may[0] else IT),
        score=score,
        crawford=crawford,
        crawford_done=near and not crawford,
    )


def _cells(numbers: list[int], colour: int, home: int) -> tuple[int, ...]:
    """Return the kernel's board of a board line's 26 numbers. colour: the sign of my checkers; home: below point 1."""
    cells = [0] * CELLS
    for at, count in enumerate(numbers[6:32]):
        point = at if home == 0 else 25 - at  # in my own count: 25 is my bar, 0 the other's
        side = ME if count * colour > 0 else IT
        cells[side * SIDE + (point if side == ME else 25 - point)] += abs(count)
    for me in (0, SIDE):
        on = sum(cells[me + 1 : me + BAR + 1])
        if on > CHECKERS or cells[me]:
            raise BadNotation("bad_position", why="checkers")
        cells[me + OFF] = CHECKERS - on
        fill_sums(cells, me)
    return tuple(cells)


def program(lines: Iterable[str], say: Callable[[str], None]) -> None:
    """Answer board lines until they end, or `quit`."""
    for line in lines:
        if not line.strip():
            continue
        if line.strip().lower() in ("quit", "exit"):
            return
        try:
            options, state = asked(line)
            say(_answer(options, state))
        except BadNotation as wrong:
            say(f"error: {wrong}")


def _answer(options: Options, state: State) -> str:
    match Strong(options).choose(observe(options, state, ME), BUDGET_MS):
        case Play(m):
            return m
        case Roll():
            return "roll"
        case Double():
            return "double"
        case Take():
            return "take"
        case Drop():
            return "drop"
        case Beaver():
            return "beaver"
    raise AssertionError(state.phase)


def player(options: Options, command: Sequence[str]) -> Gnubg:
    """Return gnubg as a player; command: where it is. Raises ValueError."""
    if not knows(options):
        raise ValueError(f"gnubg does not play {options.variant}")
    try:
        return Gnubg(options, path=command[0])
    except OSError as wrong:
        raise ValueError(f"{command[0]}: {wrong}") from wrong
