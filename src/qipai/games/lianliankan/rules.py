"""The contract over the kernel: who may act, what is refused and why, what follows, how it ended (lianliankan 4–6)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from qipai.core.contract import NATURE, Malformed, Outcome, Refusal, Rng, Seat, Step, Told, Turn, stepped
from qipai.core.kernel import frozen
from qipai.games.lianliankan.board import grid_of, index, key, links, pairs, path, refuse_link, shape
from qipai.games.lianliankan.kernel import layout
from qipai.games.lianliankan.kernel import race as kernel
from qipai.games.lianliankan.kernel.race import NOBODY, Race
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.sight import imagine, observe
from qipai.games.lianliankan.state import (
    Action,
    Began,
    Board,
    Ended,
    Event,
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

__all__ = ["COUNTDOWN_MS", "Lianliankan", "new_race", "race_of"]

COUNTDOWN_MS: Final = 3000  # 3-2-1: the board falls open for everybody at once
GRAVITY: Final = {"none": 0, "down": layout.DOWN, "up": layout.UP, "left": layout.LEFT, "right": layout.RIGHT}
TIE: Final = {"earlier": kernel.EARLIER, "better": kernel.BETTER, "worse": kernel.WORSE}
WHYS: Final[tuple[Why | None, ...]] = (None, "cleared", "last_present", "time_up", "void")


def new_race(options: Options, seats: int, rows: int, cols: int, top: int, keys: int) -> Race:
    """Return an empty race under some options. top: the highest face; keys: reshuffles there are seeds for."""
    race = kernel.new_race(seats, rows, cols, top, keys)
    race.reg[kernel.GRAVITY] = GRAVITY[options.gravity]
    race.reg[kernel.TIE] = TIE[options.tie_rule]
    return race


def race_of(options: Options, state: State, keys: Sequence[int] = (), touched: Sequence[Seat] | None = None) -> Race:
    """Return a state in buffers, with the seeds of the reshuffles that may happen now.

    touched: whose boards are asked for; the others' stay empty. None: all.
    """
    seats = len(state.remaining)
    boards = [(seat, state.boards[seat]) for seat in (range(len(state.boards)) if touched is None else touched)]
    top = max([max(grid) for _seat, grid in boards], default=1)
    race = new_race(options, seats, state.rows, state.cols, max(top, 1), max(keys, default=0))
    for number in keys:
        race.keys[2 * number], race.keys[2 * number + 1] = key(state.seed, number)
    size = len(race.grid) // seats
    for seat, grid in boards:
        race.grid[seat * size : (seat + 1) * size] = grid
    race.reg[kernel.SEQ] = state.seq
    for seat in range(seats):
        last, left = state.last[seat], state.left[seat]
        race.remaining[seat] = state.remaining[seat]
        race.last[seat] = NOBODY if last is None else last
        race.left[seat] = NOBODY if left is None else left
        race.reshuffles[seat] = state.reshuffles[seat]
        race.hints[seat], race.shuffles[seat] = state.hints[seat], state.shuffles[seat]
        race.asked[seat] = int(state.asked[seat])
    return race


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
        """Return a race that starts with this board for every seat; a dead one is reshuffled for all (section 4)."""
        grid = grid_of(rows, self.options.outside)
        tiles = sum(face > 0 for face in grid)
        state = replace(
            self.start(),
            phase="play",
            rows=len(rows),
            cols=len(rows[0]),
            boards=(grid,) * self.seats,
            seed=seed,
            remaining=(tiles,) * self.seats,
        )
        race = race_of(self.options, state, (1,))
        for seat in range(self.seats):
            kernel.settle(race, seat)
        return _told(state, race, range(self.seats))

    def turn(self, state: State) -> Turn:
        """Return who may act: seat −1 opens the board after the countdown, then everybody present, all the time."""
        if state.phase == "setup":
            return Turn(frozenset((NATURE,)), "board", beat=COUNTDOWN_MS)
        if state.phase == "over":
            return Turn(frozenset())
        return Turn(frozenset(seat for seat, left in enumerate(state.left) if left is None), "link")

    def legal(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield a seat's actions: the pairs that link, sorted, then the props it has."""
        if state.phase != "play" or seat == NATURE or state.left[seat] is not None:
            return
        yield from links(state.boards[seat], state.cols)
        if state.hints[seat]:
            yield Hint()
        if state.shuffles[seat]:
            yield Shuffle()

    def refuse(self, state: State, seat: Seat, action: Action | Malformed) -> Refusal | None:
        """Return why an action is refused, in the order of lianliankan 5; None when it is allowed."""
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
            case Link(p=pair):
                return refuse_link(state.boards[seat], state.rows, state.cols, pair)
        return None

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Return what an accepted action leads to."""
        match action:
            case Board(seed=seed):
                return self._deal(state, seed)
            case Link(p=pair):
                return self._link(state, seat, pair)
            case Hint():
                race = race_of(self.options, state, touched=())
                kernel.hint(race, seat)
                found = pairs(state.boards[seat], state.cols, 1)[0]
                events = Used(seat, "hint", state.hints[seat] - 1)
                hinted = Told(Hinted(seat, found.pair), frozenset((seat,)))
                return Step(_told(state, race, ()), (Told(events), hinted))
            case Shuffle():
                race = race_of(self.options, state, (state.reshuffles[seat] + 1,), (seat,))
                kernel.shuffled(race, seat)
                after = _told(state, race, (seat,))
                used = Used(seat, "shuffle", after.shuffles[seat])
                return stepped(after, used, Reshuffled(seat, after.reshuffles[seat], False))
            case Leave(seat=gone):
                race = race_of(self.options, state, touched=())
                kernel.leave(race, gone)
                after = _told(state, race, ())
                return stepped(after, Left(gone), *_end(after))
            case TimeUp():
                race = race_of(self.options, state, touched=())
                kernel.time_up(race)
                after = _told(state, race, ())
                return stepped(after, *_end(after))
        raise AssertionError(action)

    def _deal(self, state: State, seed: str) -> Step[State]:
        options = self.options
        race = new_race(options, self.seats, options.rows, options.cols, options.kinds, 0)
        race.keys[0], race.keys[1] = key(seed, 0)
        mask = options.mask or ("#" * options.cols,) * options.rows
        occupied = grid_of([[int(cell == "#") for cell in row] for row in mask], options.outside)
        race.grid[: len(occupied)] = occupied
        for at in range(len(occupied), len(race.grid), len(occupied)):
            race.grid[at : at + len(occupied)] = grid_of([[0] * options.cols] * options.rows, options.outside)
        kernel.deal(race, options.copies)
        opened = replace(state, phase="play", seed=seed, boards=((),) * self.seats)
        for seat in range(self.seats):
            race.hints[seat], race.shuffles[seat] = state.hints[seat], state.shuffles[seat]
        after = _told(opened, race, range(self.seats))
        return stepped(after, Began(after.remaining[0]))

    def _link(self, state: State, seat: Seat, pair: Any) -> Step[State]:
        cols, grid = state.cols, state.boards[seat]
        size = shape(state.rows, cols)[1]
        line = path(grid, cols, pair)
        assert line is not None
        race = race_of(self.options, state, (state.reshuffles[seat] + 1,), (seat,))
        a, b = (seat * size + index(cell, cols) for cell in pair)
        kernel.link(race, seat, a, b)
        after = _told(state, race, (seat,))
        drawn = Line(grid[index(pair[0], cols)], line)
        after = replace(after, lines=(*state.lines[:seat], drawn, *state.lines[seat + 1 :]))
        events: list[Event] = [Linked(seat, after.remaining[seat])]
        if after.reshuffles[seat] != state.reshuffles[seat]:
            events.append(Reshuffled(seat, after.reshuffles[seat], True))
        return stepped(after, *events, *_end(after))

    def idle(self, state: State, seat: Seat) -> Action:
        """Return the first pair; a race waits for nobody, so at a table nothing is ever played for who is absent."""
        return next(self.legal(state, seat))

    def chance(self, state: State, rng: Rng) -> Action:
        """Draw the text of the board: eight words as hex digits (README X2); that of a daily board follows from it."""
        if self.options.daily and self.seats == 1:
            text = f"lianliankan|daily|{self.options.daily}"
            return Board(hashlib.sha256(text.encode()).hexdigest())
        return Board("".join(f"{rng.below(1 << 32):08x}" for _ in range(8)))

    def observe(self, state: State, seat: Seat | None) -> View:
        """Return what a seat sees, or a spectator."""
        return observe(self.options, state, seat)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return some race that fits this view."""
        return imagine(self.options, view, rng)

    def outcome(self, state: State) -> Outcome | None:
        """Return scores and places, None while the race goes on."""
        if state.phase != "over":
            return None
        assert state.scores is not None
        assert state.why is not None
        return Outcome(state.scores, state.places, state.why)


def _told(state: State, race: Race, changed: Sequence[int] | range) -> State:
    """Return the state that a race in buffers stands for. changed: the seats whose boards are not those of `state`."""
    seats = len(state.remaining)
    reg = race.reg
    size = len(race.grid) // seats
    grids = list(state.boards)
    for seat in changed:
        grids[seat] = frozen(race.grid[seat * size : (seat + 1) * size])
    over = int(reg[kernel.WHY]) != kernel.NOT_OVER
    if not over:
        kernel.rank(race)
    winner = int(reg[kernel.WINNER])
    return State(
        phase="over" if over else "play",
        rows=state.rows,
        cols=state.cols,
        boards=tuple(grids),
        seed=state.seed,
        seq=int(reg[kernel.SEQ]),
        remaining=_by_seat(race.remaining, seats),
        last=tuple([None if n == NOBODY else n for n in _by_seat(race.last, seats)]),
        left=tuple([None if n == NOBODY else n for n in _by_seat(race.left, seats)]),
        reshuffles=_by_seat(race.reshuffles, seats),
        hints=_by_seat(race.hints, seats),
        shuffles=_by_seat(race.shuffles, seats),
        asked=tuple(map(bool, _by_seat(race.asked, seats))),
        lines=state.lines,
        places=_by_seat(race.places, seats),
        winner=winner if over and winner != NOBODY else None,
        why=WHYS[reg[kernel.WHY]],
        scores=_by_seat(race.scores, seats) if over else None,
    )


def _by_seat(buffer: Any, seats: int) -> tuple[int, ...]:
    return frozen(buffer)[:seats]


def _end(state: State) -> tuple[Event, ...]:
    """Return the event of the end, if it is over."""
    if state.why is None:
        return ()
    return (Ended(state.winner, state.why, state.scores or ()),)
