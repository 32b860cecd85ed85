"""Implements `core.contract.Rules` on top of the kernel: turns, refusals, steps, outcomes (lianliankan 4–6)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from qipai.core.contract import NATURE, Malformed, Notice, Outcome, Refusal, Rng, Seat, Step, Turn, one_of, stepped
from qipai.core.kernel import buffer, frozen, thawed
from qipai.games.lianliankan.board import (
    bench_for,
    first,
    grid_of,
    index,
    key,
    laid,
    lasting,
    links,
    refuse_link,
    removed,
    shape,
    way,
)
from qipai.games.lianliankan.kernel import layout
from qipai.games.lianliankan.kernel import race as kernel
from qipai.games.lianliankan.kernel.race import NOBODY, NOT_OVER, Race, Registers
from qipai.games.lianliankan.observation import imagine, observe
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.state import (
    Action,
    Began,
    Board,
    Ended,
    Event,
    Grid,
    Hint,
    Hinted,
    Leave,
    Left,
    Line,
    Link,
    Linked,
    Reshuffled,
    Rows,
    Shuffle,
    State,
    TimeUp,
    Used,
    View,
    Why,
)

__all__ = ["COUNTDOWN_MS", "Lianliankan", "race_of", "seeded"]

COUNTDOWN_MS: Final = 3000  # 3-2-1, then everybody sees the board at the same time
GRAVITY: Final = {"none": 0, "down": layout.DOWN, "up": layout.UP, "left": layout.LEFT, "right": layout.RIGHT}
TIE: Final = {"earlier": kernel.EARLIER, "better": kernel.BETTER, "worse": kernel.WORSE}
WHYS: Final[tuple[Why | None, ...]] = (None, "cleared", "last_present", "time_up", "void")


T = TypeVar("T")


def race_of(options: Options, state: State, seat: Seat | None = None) -> Race:
    """Return a state in buffers, without seeds, pairs known to link. seat: whose board is asked for; None: no board."""
    seats, rows, cols = len(state.remaining), state.rows, state.cols
    _stride, size = shape(rows, cols)
    if seat is None:
        grid, top = buffer(0, 16), 1
    else:
        board = state.boards[seat]
        grid, top = thawed(board.cells, 16), board.top
    reg = thawed(_registers(seats, rows, cols, options.gravity, options.tie_rule), 64)
    reg[kernel.SEQ] = state.seq
    return Race(
        grid=grid,
        bases=buffer(seats),
        reg=reg,
        remaining=thawed(state.remaining),
        last=_numbers(state.last),
        left=_numbers(state.left),
        reshuffles=thawed(state.reshuffles),
        hints=thawed(state.hints),
        shuffles=thawed(state.shuffles),
        asked=thawed(state.asked),
        live=buffer(2 * seats),
        places=buffer(seats),
        scores=buffer(seats),
        standings=buffer(seats, 64),
        keys=buffer(0, 64),
        bench=bench_for(size, rows * cols, top),
    )


@lru_cache(maxsize=64)
def _registers(seats: int, rows: int, cols: int, gravity: str, tie: str) -> Registers:
    """Return the registers of a race in which nothing has happened."""
    stride, size = shape(rows, cols)
    return Registers(
        seats=seats,
        rows=rows,
        cols=cols,
        stride=stride,
        size=size,
        gravity=GRAVITY[gravity],
        tie=TIE[tie],
        why=NOT_OVER,
        seq=0,
        winner=NOBODY,
    )


def seeded(race: Race, state: State, seat: Seat) -> Race:
    """Return a race with the seed by which a seat's board is remade next."""
    number = state.reshuffles[seat] + 1
    keys = buffer(2 * number + 2, 64)
    keys[2 * number], keys[2 * number + 1] = key(state.seed, number)
    return race._replace(keys=keys)


def _numbers(values: Sequence[int | None]) -> Any:
    return thawed([NOBODY if n is None else n for n in values])


class Lianliankan:
    """The rules of lianliankan under one set of options; implements `core.contract.Rules`."""

    def __init__(self, options: Options, seats: int = 6) -> None:
        self.options, self.seats = options, seats

    def start(self, carry: Any = None) -> State:
        """Return a race whose board nobody has seen yet."""
        options, seats = self.options, self.seats
        return State(
            phase="setup",
            rows=options.rows,
            cols=options.cols,
            boards=(),
            seed="",
            seq=0,
            remaining=(options.kinds * options.copies,) * seats,
            last=(None,) * seats,
            left=(None,) * seats,
            reshuffles=(0,) * seats,
            hints=(options.hints,) * seats,
            shuffles=(options.shuffles,) * seats,
            asked=(False,) * seats,
            lines=(None,) * seats,
            places=(1,) * seats,
        )

    def place(self, rows: Rows, seed: str) -> State:
        """Return a race that starts with this board for every seat; a stuck board is reshuffled for all (section 4)."""
        board = laid(grid_of(rows, self.options.outside))
        tiles = sum(face > 0 for face in board.cells)
        state = replace(
            self.start(),
            phase="play",
            rows=len(rows),
            cols=len(rows[0]),
            boards=(board,) * self.seats,
            seed=seed,
            remaining=(tiles,) * self.seats,
        )
        race = seeded(race_of(self.options, state, 0), state, 0)
        kernel.settle(race, 0)
        count = int(race.reshuffles[0])
        boards = (laid(frozen(race.grid)) if count else board,) * self.seats
        return replace(_told(state, race), boards=boards, reshuffles=(count,) * self.seats)

    def turn(self, state: State) -> Turn:
        """Return who may act: seat −1 opens the board after the countdown, then everybody present, all the time."""
        if state.phase == "setup":
            return Turn(frozenset((NATURE,)), "board", delay_ms=COUNTDOWN_MS)
        if state.phase == "over":
            return Turn(frozenset())
        return _racing(state.left)

    def legal(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield a seat's actions: the pairs that link, sorted, then the props it has."""
        if state.phase != "play" or seat == NATURE or state.left[seat] is not None:
            return
        yield from links(state.boards[seat], state.cols)
        if state.hints[seat]:
            yield Hint()
        if state.shuffles[seat]:
            yield Shuffle()

    def leaving(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield nothing: nobody can end a deal early."""
        return iter(())

    def sample(self, state: State, seat: Seat, rng: Rng) -> Action:
        """Draw one of a seat's actions."""
        return one_of(self.legal(state, seat), rng)

    def refuse(self, state: State, seat: Seat, action: Action | Malformed) -> Refusal | None:
        """Return why an action is refused, in the order of lianliankan 5; None when it is allowed."""
        if type(action) is Link and state.phase == "play" and 0 <= seat < self.seats and state.left[seat] is None:
            return refuse_link(state.boards[seat], state.rows, state.cols, action.p)
        if not NATURE <= seat < self.seats:
            return Refusal("bad_seat")
        if seat == NATURE and isinstance(action, Leave) and not 0 <= action.seat < self.seats:
            return Refusal("bad_seat")
        if state.phase == "over":
            return Refusal("game_over")
        if state.phase == "setup":
            return None if seat == NATURE and isinstance(action, Board) else Refusal("not_started")
        if seat != NATURE and state.left[seat] is not None:
            return Refusal("not_playing")
        if isinstance(action, Malformed):
            return Refusal("bad_action", {"field": action.field} if action.field else {})
        of_hall = isinstance(action, Leave | TimeUp)
        if isinstance(action, Board) or of_hall != (seat == NATURE):
            return Refusal("bad_action")
        match action:
            case Leave(seat=gone) if state.left[gone] is not None:
                return Refusal("not_playing")
            case Hint() if not state.hints[seat]:
                return Refusal("no_prop", {"prop": "hint"})
            case Shuffle() if not state.shuffles[seat]:
                return Refusal("no_prop", {"prop": "shuffle"})
        return None

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Return the result of an accepted action."""
        if type(action) is Link:
            return self._link(state, seat, action.p)
        match action:
            case Board(seed=seed):
                return self._deal(state, seed)
            case Hint():
                race = race_of(self.options, state)
                kernel.hint(race, seat)
                pair = first(state.boards[seat], state.cols)
                assert pair is not None
                used = Used(seat, "hint", state.hints[seat] - 1)
                return Step(_told(state, race), (Notice(used), Notice(Hinted(seat, pair), frozenset((seat,)))))
            case Shuffle():
                race = seeded(race_of(self.options, state, seat), state, seat)
                kernel.shuffled(race, seat)
                remade = removed(state.boards[seat], frozen(race.grid), (0, 0), None)
                after = replace(_told(state, race), boards=_put(state.boards, seat, remade))
                used = Used(seat, "shuffle", after.shuffles[seat])
                return stepped(after, used, Reshuffled(seat, after.reshuffles[seat], False))
            case Leave(seat=gone):
                race = race_of(self.options, state)
                kernel.leave(race, gone)
                after = _told(state, race)
                return stepped(after, Left(gone), *_end(after))
            case TimeUp():
                race = race_of(self.options, state)
                kernel.time_up(race)
                after = _told(state, race)
                return stepped(after, *_end(after))
        raise AssertionError(action)

    def _deal(self, state: State, seed: str) -> Step[State]:
        options = self.options
        race = kernel.new_race(1, options.rows, options.cols, options.kinds, 0)
        race.keys[0], race.keys[1] = key(seed, 0)
        mask = options.mask or ("#" * options.cols,) * options.rows
        race.grid[:] = thawed(grid_of([[int(cell == "#") for cell in row] for row in mask], options.outside), 16)
        kernel.deal(race, options.copies)
        board = Grid(frozen(race.grid), options.kinds)
        after = replace(state, phase="play", seed=seed, boards=(board,) * self.seats)
        return stepped(after, Began(after.remaining[0]))

    def _link(self, state: State, seat: Seat, pair: Any) -> Step[State]:
        cols, grid = state.cols, state.boards[seat]
        line = way(grid, cols, pair)
        assert line is not None
        race = race_of(self.options, state, seat)
        a, b = index(pair[0], cols), index(pair[1], cols)
        race.live[2 * seat], race.live[2 * seat + 1] = lasting(grid, a, b)
        stuck = bool(kernel.remove(race, seat, a, b))
        if stuck:
            race = seeded(race, state, seat)
            kernel.reshuffle(race, seat)
        live = int(race.live[2 * seat]), int(race.live[2 * seat + 1])
        freed = None if stuck or self.options.gravity != "none" else (a, b)
        after = _told(
            state,
            race,
            _put(state.boards, seat, removed(grid, frozen(race.grid), live, freed)),
            _put(state.lines, seat, Line(grid.cells[a], line)),
        )
        events: list[Event] = [Linked(seat, after.remaining[seat])]
        if stuck:
            events.append(Reshuffled(seat, after.reshuffles[seat], True))
        return stepped(after, *events, *_end(after))

    def idle(self, state: State, seat: Seat) -> Action:
        """Return the first pair. A race waits for nobody, so at a table nothing is played for absent players."""
        return next(self.legal(state, seat))

    def chance(self, state: State, rng: Rng) -> Action:
        """Draw the text of the board: eight words as hex digits (README X2); that of a daily board follows from it."""
        if self.options.daily and self.seats == 1:
            text = f"lianliankan|daily|{self.options.daily}"
            return Board(hashlib.sha256(text.encode()).hexdigest())
        return Board("".join(f"{rng.below(1 << 32):08x}" for _ in range(8)))

    def observe(self, state: State, seat: Seat | None) -> View:
        """Return the view of a seat or a watcher."""
        return observe(self.options, state, seat)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return a random race that fits this view."""
        return imagine(self.options, view, rng)

    def outcome(self, state: State) -> Outcome | None:
        """Return scores and places, None while the race goes on."""
        if state.phase != "over":
            return None
        assert state.scores is not None
        assert state.why is not None
        return Outcome(state.scores, state.places, state.why)


@lru_cache(maxsize=64)
def _racing(left: tuple[int | None, ...]) -> Turn:
    """Return the turn of all players who are present."""
    return Turn(frozenset([seat for seat, number in enumerate(left) if number is None]), "link")


def _told(
    state: State, race: Race, boards: tuple[Grid, ...] | None = None, lines: tuple[Line | None, ...] | None = None
) -> State:
    """Return the state of a race in buffers; boards and lines that are not given stay as they were."""
    reg = race.reg
    over = int(reg[kernel.WHY]) != kernel.NOT_OVER
    if not over:
        kernel.order(race)
    winner = int(reg[kernel.WINNER])
    return State(
        "over" if over else "play",
        state.rows,
        state.cols,
        state.boards if boards is None else boards,
        state.seed,
        int(reg[kernel.SEQ]),
        frozen(race.remaining),
        _or_none(race.last),
        _or_none(race.left),
        frozen(race.reshuffles),
        frozen(race.hints),
        frozen(race.shuffles),
        tuple(map(bool, frozen(race.asked))),
        state.lines if lines is None else lines,
        frozen(race.places),
        winner if over and winner != NOBODY else None,
        WHYS[reg[kernel.WHY]],
        frozen(race.scores) if over else None,
    )


def _or_none(numbers: Any) -> tuple[int | None, ...]:
    return tuple([None if n == NOBODY else n for n in frozen(numbers)])


def _put(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Return a tuple with one seat's value replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def _end(state: State) -> tuple[Event, ...]:
    """Return the event of the end, if it is over."""
    if state.why is None:
        return ()
    return (Ended(state.winner, state.why, state.scores or ()),)
