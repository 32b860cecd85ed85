"""Implements `core.contract.Rules` on top of the kernel: turns, refusals, steps, outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from qipai.core.contract import NATURE, Malformed, Outcome, Refusal, Rng, Seat, Step, Turn, one_of, stepped
from qipai.core.kernel import buffer
from qipai.games.backgammon import observation
from qipai.games.backgammon.kernel import board as k
from qipai.games.backgammon.kernel.hops import ENTER, HOP, LEAVE, MOST_HOPS, hops, take_hop
from qipai.games.backgammon.notation.moves import steps_of
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of, cells_of
from qipai.games.backgammon.results import added, crawford_due, result_on, worth_of
from qipai.games.backgammon.state import (
    Accept,
    Accepted,
    Action,
    Beaver,
    Cube,
    CubeTurned,
    Dice,
    Double,
    Doubled,
    Drop,
    Dropped,
    Ended,
    Enter,
    Event,
    GameEnded,
    GameStarted,
    Hop,
    Hopped,
    Last,
    Leave,
    Left,
    Line,
    Move,
    MoveStep,
    Off,
    Offer,
    OfferDraw,
    Offered,
    Opened,
    Opening,
    Phase,
    Play,
    Played,
    Reject,
    Rejected,
    Resign,
    Roll,
    Rolled,
    Skipped,
    State,
    Take,
    View,
)
from qipai.games.backgammon.turns import plays_of, read_turn

__all__ = ["ASKS", "Backgammon", "hops_of", "try_double"]

ASKS: Final[dict[Phase, str]] = {
    "opening": "dice",
    "to_roll": "cube",
    "rolling": "dice",
    "to_play": "move",
    "double_offered": "take",
    "beaver_offered": "take",
    "to_move": "move",
    "resign_offered": "answer",
    "draw_offered": "answer",
    "match_over": "over",
}
ALLOWED: Final[dict[Phase, tuple[type, ...]]] = {
    "to_roll": (Roll, Double, Resign, OfferDraw),
    "to_play": (Play, Resign, OfferDraw),
    "to_move": (Enter, Move, Off, Resign, OfferDraw),
    "double_offered": (Take, Drop, Beaver),
    "beaver_offered": (Take, Drop),
    "resign_offered": (Accept, Reject),
    "draw_offered": (Accept, Reject),
}
KINDS: Final = ("enter", "move", "off")


def hops_of(options: Options, cells: tuple[int, ...], seat: Seat) -> list[Hop]:
    """Return a seat's moves in grasshopper."""
    out = buffer(MOST_HOPS)
    count = int(hops(board_of(options, cells), seat, out))
    return [Hop(KINDS[hop >> 10], hop >> 5 & 31, hop & 31) for hop in map(int, out[:count])]


def hop_code(action: Enter | Move | Off) -> tuple[str, int, int]:
    """Return an action of grasshopper as kind, origin and target."""
    match action:
        case Enter(to=to):
            return "enter", 0, to
        case Move(from_=origin, to=to):
            return "move", origin, to
        case Off(from_=origin):
            return "off", origin, 0


def hop_action(hop: Hop) -> Enter | Move | Off:
    """Return the action of a move in grasshopper."""
    if hop.kind == "enter":
        return Enter(hop.to)
    return Move(hop.origin, hop.to) if hop.kind == "move" else Off(hop.origin)


def try_double(options: Options, state: State | View, seat: Seat) -> str | None:
    """Return why a seat on roll may not double, None when it may."""
    if not options.doubling:
        return "cube_disabled"
    if state.crawford:
        return "crawford_game"
    if state.cube.owner not in (None, seat):
        return "cube_not_yours"
    if state.first:
        return "first_turn"
    return "cube_max" if 2 * state.cube.value > options.cube_max else None


class Backgammon:
    """The rules of the family under one set of options; implements `core.contract.Rules`."""

    seats = 2

    def __init__(self, options: Options) -> None:
        self.options = options

    def start(self, carry: Any = None) -> State:
        """Return the match before the first die."""
        cells, laid = observation.opened(self.options)
        return State(phase="opening", cells=cells, laid=laid)

    def turn(self, state: State) -> Turn:
        """Return who must act; NATURE throws the dice."""
        if state.phase == "match_over":
            return Turn(frozenset())
        seat = NATURE if state.phase in ("opening", "rolling") else state.turn
        assert seat is not None
        clocks = None if state.offer is None else frozenset((state.offer.seat,))  # R44
        return Turn(frozenset((seat,)), ASKS[state.phase], clocks=clocks)

    # What may be done

    def legal(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield a seat's actions: plays, or rolling, doubling and answers."""
        if seat != state.turn:
            return
        match state.phase:
            case "to_roll":
                yield Roll()
                if try_double(self.options, state, seat) is None:
                    yield Double()
            case "to_play":
                yield from map(Play, self.plays(state, seat))
            case "to_move":
                yield from map(hop_action, hops_of(self.options, state.cells, seat))
            case "double_offered":
                yield Take()
                yield Drop()
                if self._refuse_beaver(state) is None:
                    yield Beaver()
            case "beaver_offered":
                yield Take()
                yield Drop()
            case "resign_offered" | "draw_offered":
                yield Accept()
                yield Reject()

    def leaving(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield resignations and, if allowed, the offer of a draw, for the seat on turn."""
        if seat == state.turn and state.phase in ("to_roll", "to_play", "to_move"):
            yield from map(Resign, (1, 2, 3))
            if self.options.allow_draw:
                yield OfferDraw()

    def sample(self, state: State, seat: Seat, rng: Rng) -> Action:
        """Draw one of a seat's actions."""
        return one_of(self.legal(state, seat), rng)

    def plays(self, state: State, seat: Seat) -> dict[str, int]:
        """Return every play of the present throw."""
        assert state.dice is not None
        return plays_of(self.options, state.cells, state.laid.position, seat, state.dice).ways

    def refuse(self, state: State, seat: Seat, action: Action | Malformed) -> Refusal | None:
        """Return why an action is refused, in the order of backgammon 4; None when it is allowed."""
        if state.phase == "match_over":
            return Refusal("match_over")
        if isinstance(action, Malformed):
            return Refusal("bad_action", {"field": action.field or action.verb})
        if seat == NATURE or isinstance(action, Opening | Dice | Leave):
            if seat == NATURE and isinstance(action, Leave):
                return None
            fits = {"opening": Opening, "rolling": Dice}.get(state.phase)
            fine = seat == NATURE and fits is not None and isinstance(action, fits)
            return None if fine else Refusal("wrong_phase")
        if state.phase in ("opening", "rolling"):
            return Refusal("wrong_phase")
        if seat != state.turn:
            return Refusal("not_your_turn")
        if not isinstance(action, ALLOWED[state.phase]):
            return Refusal("wrong_phase")
        return self._refuse_own(state, seat, action)

    def _refuse_own(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        match action:
            case Double():
                code = try_double(self.options, state, seat)
                return Refusal(code) if code else None
            case Beaver():
                return self._refuse_beaver(state)
            case OfferDraw() if not self.options.allow_draw:
                return Refusal("draw_disabled")
            case Enter() | Move() | Off():
                known = {(hop.kind, hop.origin, hop.to) for hop in hops_of(self.options, state.cells, seat)}
                hop = hop_code(action)
                part = f"{hop[1] or 'hand'}/{hop[2] or 'off'}"
                return None if hop in known else Refusal("illegal_move", {"part": part})
            case Play(m=text):
                assert state.dice is not None
                if text in self.plays(state, seat):
                    return None
                found = read_turn(self.options, state.cells, seat, state.dice, text)
                return found if isinstance(found, Refusal) else None
        return None

    def _refuse_beaver(self, state: State) -> Refusal | None:
        if not self.options.beavers or not self.options.series:
            return Refusal("beaver_disabled")
        return Refusal("cube_max") if 4 * state.cube.value > self.options.cube_max else None

    # What follows

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Return the result of an accepted action."""
        match action:
            case Opening(d=dice):
                return self._open(state, dice)
            case Dice(d=dice):
                assert state.on_roll is not None
                return self._thrown(state, state.on_roll, dice)
            case Leave(seat=gone):
                return self._left(state, gone)
            case Roll():
                return stepped(replace(state, phase="rolling", turn=None))
            case Play(m=text):
                return self._play(state, seat, text)
            case Enter() | Move() | Off():
                return self._hop(state, seat, action)
            case Resign(level=level):
                points = worth_of(self.options, state.cube, level)
                return self._offer(state, seat, level, points)
            case OfferDraw():
                return self._offer(state, seat, 0, 0)
            case Accept() | Reject():
                return self._answer(state, seat, isinstance(action, Accept))
        return self._cube(state, seat, action)

    def _open(self, state: State, dice: tuple[int, int]) -> Step[State]:
        if dice[0] == dice[1]:
            rises = (
                self.options.series
                and self.options.with_cube
                and state.ties < self.options.auto_doubles
                and 2 * state.cube.value <= self.options.cube_max
            )
            if rises:  # R28
                value = 2 * state.cube.value
                line = Line(NATURE, "auto", dice, value=value)
                state = replace(state, ties=state.ties + 1, cube=Cube(value), lines=(*state.lines, line))
            return stepped(state, Opened(dice, None, state.cube.value, rises))
        starter = 0 if dice[0] > dice[1] else 1
        opened = Opened(dice, starter, state.cube.value)
        state = replace(state, on_roll=starter, turn=starter, opening=dice)
        if not self.options.row.dice:
            return stepped(replace(state, phase="to_move"), opened)
        if self.options.rolls_anew:
            return stepped(replace(state, phase="to_roll"), opened)
        return self._thrown(state, starter, dice, opened)

    def _thrown(self, state: State, seat: Seat, dice: tuple[int, int], *before: Event) -> Step[State]:
        if not plays_of(self.options, state.cells, state.laid.position, seat, dice).ways:  # R18
            line = Line(seat, "play", dice)
            passed = replace(
                state, phase="to_roll", turn=1 - seat, on_roll=1 - seat, first=False, lines=(*state.lines, line)
            )
            return stepped(passed, *before, Rolled(seat, dice, True))
        ready = replace(state, phase="to_play", turn=seat, dice=dice, first=False)
        return stepped(ready, *before, *(() if before else (Rolled(seat, dice),)))

    def _play(self, state: State, seat: Seat, text: str) -> Step[State]:
        dice = state.dice
        assert dice is not None
        way = self.plays(state, seat).get(text)
        if way is None:
            turn = read_turn(self.options, state.cells, seat, dice, text)
            assert not isinstance(turn, Refusal)
            text, taken = turn.m, [*turn.steps]
        else:
            taken = steps_of(way)
        board = board_of(self.options, state.cells)
        steps = []
        for origin, die in taken:
            did = int(k.make(board, seat, origin, die))
            steps.append(MoveStep(origin, did & 31, die, bool(did & 32), bool(did & 64), bool(did & 128)))
        cells = cells_of(board)
        shown = observation.laid(self.options, cells, state.cells, state.laid)
        lines = (*state.lines, Line(seat, "play", dice, text))
        played = Played(seat, dice, text, tuple(steps))
        last = result_on(self.options, board, state.cube, seat)
        if last:
            return self._finish(replace(state, cells=cells, laid=shown, dice=None, lines=lines), last, played)
        it = 1 - seat
        after = replace(state, phase="to_roll", cells=cells, laid=shown, turn=it, on_roll=it, dice=None, lines=lines)
        return stepped(after, played)

    def _hop(self, state: State, seat: Seat, action: Enter | Move | Off) -> Step[State]:
        kind, origin, to = hop_code(action)
        board = board_of(self.options, state.cells)
        code = {"enter": ENTER, "move": HOP, "off": LEAVE}[kind]
        scores = bool(take_hop(board, seat, code << 10 | origin << 5 | to))
        cells = cells_of(board)
        wall = kind == "move" and cells[seat * k.SIDE + to] == 2
        text = f"{origin or 'hand'}/{to or 'off'}"
        told: list[Event] = [Hopped(seat, origin, to, wall, scores)]
        again = scores and state.scored == seat
        state = replace(
            state,
            cells=cells,
            laid=observation.laid(self.options, cells, state.cells, state.laid),
            scored=seat if scores else state.scored,
            lines=(*state.lines, Line(seat, "hop", None, text)),
        )
        if again:
            return self._finish(state, Last(seat, worth_of(self.options, state.cube, 1), "single"), *told)
        for follower in (1 - seat, seat):
            if hops_of(self.options, cells, follower):
                return stepped(replace(state, turn=follower, on_roll=follower), *told)
            told.append(Skipped(follower))
        return self._finish(state, Last(None, 0, "draw"), *told)

    def _offer(self, state: State, seat: Seat, level: int, points: int) -> Step[State]:
        back = state.phase
        assert back in ("to_roll", "to_play", "to_move")
        offer = Offer(seat, level, points, back)
        phase: Phase = "resign_offered" if level else "draw_offered"
        return stepped(replace(state, phase=phase, turn=1 - seat, offer=offer), Offered(seat, level, points))

    def _answer(self, state: State, seat: Seat, accepted: bool) -> Step[State]:
        offer = state.offer
        assert offer is not None
        if not accepted:
            back = replace(state, phase=offer.back, turn=offer.seat, offer=None)
            return stepped(back, Rejected(seat, offer.level))
        line = Line(offer.seat, "resign" if offer.level else "draw", state.dice, value=offer.level)
        state = replace(state, offer=None, dice=None, lines=(*state.lines, line))
        last = Last(seat, offer.points, "resign") if offer.level else Last(None, 0, "draw")
        return self._finish(state, last, Accepted(seat, offer.level))

    def _cube(self, state: State, seat: Seat, action: Action) -> Step[State]:
        value, owner = state.cube.value, state.cube.owner
        beavered = state.phase == "beaver_offered"
        match action:
            case Double():
                line = Line(seat, "double", value=2 * value)
                offered = replace(state, phase="double_offered", turn=1 - seat, lines=(*state.lines, line))
                return stepped(offered, Doubled(seat, 2 * value))
            case Beaver():
                line = Line(seat, "beaver", value=4 * value)
                cube = Cube(2 * value, seat)
                offered = replace(state, phase="beaver_offered", turn=1 - seat, cube=cube, lines=(*state.lines, line))
                return stepped(offered, Doubled(seat, 4 * value, True))
            case Take():
                cube = Cube(2 * value, owner if beavered else seat)
                doubler = seat if beavered else 1 - seat
                line = Line(seat, "take", value=2 * value)
                taken = replace(state, phase="to_roll", turn=doubler, cube=cube, lines=(*state.lines, line))
                return stepped(taken, CubeTurned(seat, 2 * value, cube.owner or 0))
            case Drop():
                dropped = replace(state, lines=(*state.lines, Line(seat, "drop", value=value)))
                return self._finish(dropped, Last(1 - seat, value, "drop"), Dropped(seat))
        raise AssertionError(action)

    def _left(self, state: State, gone: Seat) -> Step[State]:
        """End the match for a seat that has left (R43): the running game counts as resigned, single."""
        last = Last(1 - gone, state.cube.value, "left")
        score = added(state.score, last)
        over = replace(
            state,
            phase="match_over",
            turn=None,
            dice=None,
            offer=None,
            score=score,
            last=last,
            winner=1 - gone,
            results=(*state.results, last),
        )
        told = GameEnded(state.game_no, last.winner, last.points, "left", score)
        return stepped(over, Left(gone), told, Ended(1 - gone, score))

    def _finish(self, state: State, last: Last, *before: Event) -> Step[State]:
        """Return what follows a finished game: the end of the match or series, or the next game."""
        options = self.options
        score = added(state.score, last)
        assert last.how is not None
        told = (*before, GameEnded(state.game_no, last.winner, last.points, last.how, score))
        results = (*state.results, last)
        over = max(score) >= options.match_to if options.match_to else state.game_no >= options.games
        if over:
            ahead = None if score[0] == score[1] else 0 if score[0] > score[1] else 1
            ended = replace(
                state, phase="match_over", turn=None, dice=None, score=score, last=last, winner=ahead, results=results
            )
            return stepped(ended, *told, Ended(ahead, score))
        done = state.crawford_done or state.crawford
        # R4: if the opening roll only decides who begins, a game's winner begins the next; after a draw it is rolled.
        goes_on = options.row.opening == "reroll" and last.winner is not None
        cells, laid = observation.opened(options)
        following = State(
            phase="to_roll" if goes_on else "opening",
            cells=cells,
            laid=laid,
            turn=last.winner if goes_on else None,
            on_roll=last.winner if goes_on else None,
            score=score,
            crawford=crawford_due(options, score, done),
            crawford_done=done,
            game_no=state.game_no + 1,
            last=last,
            results=results,
        )
        return stepped(following, *told, GameStarted(following.game_no, following.crawford, score))

    # The rest of the contract

    def idle(self, state: State, seat: Seat) -> Action:
        """Return the action that is played for an absent player; at a table their clock runs out first."""
        match state.phase:
            case "double_offered" | "beaver_offered":
                return Drop()
            case "resign_offered" | "draw_offered":
                return Reject()
        return next(self.legal(state, seat))

    def chance(self, state: State, rng: Rng) -> Action:
        """Draw the next throw (platform P-92: the first die first; of the opening, seat 0's)."""
        dice = (rng.below(6) + 1, rng.below(6) + 1)
        return Opening(dice) if state.phase == "opening" else Dice(dice)

    def observe(self, state: State, seat: Seat | None) -> View:
        """Return the view of a seat: nothing is hidden."""
        return observation.observe(self.options, state, seat)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return the state of a view; there is only one."""
        return observation.imagine(self.options, view)

    def outcome(self, state: State) -> Outcome | None:
        """Return the result of the match or series: points won minus lost (README X14).

        If one side has left, the other has won whatever the score, with at least the running game.
        """
        if state.phase != "match_over":
            return None
        ahead = state.score[0] - state.score[1]
        if state.last.how == "left":
            ahead = max(ahead, state.last.points) if state.winner == 0 else min(ahead, -state.last.points)
        places = (1, 1) if state.winner is None else (1, 2) if state.winner == 0 else (2, 1)
        return Outcome((ahead, -ahead), places, state.last.how or "draw")
