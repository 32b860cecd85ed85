"""Implements `core.contract.Rules` on top of the kernel: turns, refusals, steps, outcomes (xiangqi 4, 6, 10)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from qipai.core.contract import NATURE, Malformed, Outcome, Refusal, Rng, Seat, Step, Turn, one_of, stepped
from qipai.games.xiangqi.kernel import board as kernel
from qipai.games.xiangqi.kernel import setting
from qipai.games.xiangqi.kernel.board import Board
from qipai.games.xiangqi.kernel.explain import attacked_by_men
from qipai.games.xiangqi.kernel.game import NOBODY, REASONS, play
from qipai.games.xiangqi.kernel.repetition import CHECK, KILL, VICTIMS, span
from qipai.games.xiangqi.notation.moves import Stance, stance, wxf_of, zh_of
from qipai.games.xiangqi.observation import fallen, imagine, limits, observe, open_to
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import (
    START_FEN,
    Position,
    apply,
    at_hand,
    borrow,
    encode,
    explain,
    in_check,
    keep,
    parse_fen,
    square_name,
    to_board,
    to_text,
    valid_move,
)
from qipai.games.xiangqi.state import (
    Abandon,
    AcceptDraw,
    Accepted,
    AcceptTime,
    Action,
    Agreed,
    Declined,
    DeclineDraw,
    DeclineTime,
    Deed,
    Does,
    Ended,
    Event,
    FlagFall,
    Move,
    Moved,
    OfferDraw,
    Offered,
    Ply,
    Proposal,
    Proposed,
    ProposeTime,
    Readied,
    Ready,
    Resign,
    Started,
    State,
    Turned,
    View,
    Warned,
)

__all__ = ["CODES_OF_RULE", "SETUP", "TURNS", "Xiangqi", "board_at", "board_of", "written"]

SETUP: Final = "setup"  # the carry of a game that begins with the talk about the clock
AHEAD: Final = 8  # plies that a board of a game has room for when it is begun
CODES_OF_RULE: Final = {"simple": 0, "asian": 1, "cxa": 2}


def board_of(options: Options, ground: Position, fresh: int, moves: list[str], room: int = 1) -> Board:
    """Return the kernel's board: `ground` after `moves`, with the options in its registers and room for more plies.

    ground: the position right after the last capture, or the start; fresh: plies of the game before it.
    """
    board = to_board(ground, len(moves) + room)
    _govern(board, options, fresh, ground.quiet)
    for move in moves:
        kernel.make(board, encode(move))
    return board


def board_at(options: Options, state: State, least: int = 1) -> Board:
    """Return the kernel's board of a state, ready to play on, with at least the plies since the last capture.

    A board on which this game was played is reused as long as it has room for `least` more plies.
    """
    board, (ruling, keys) = borrow(state.position)
    if ruling is options and keys is state.keys and board.reg[kernel.PLIES] + least + setting.ROOM <= len(board.past):
        return board
    behind = len(state.keys) - 1
    before = len(state.plies) - behind
    past = [encode(ply.m) for ply in state.plies[before:]]
    board = setting.since(board, past, state.keys, ahead=max(least, AHEAD))
    _govern(board, options, before, state.position.quiet - behind)
    return board


def _govern(board: Board, options: Options, played: int, quiet: int) -> None:
    """Write into a board's registers the options, and how many plies of the game came before its own."""
    reg = board.reg
    reg[kernel.RULE] = CODES_OF_RULE[options.repetition]
    reg[kernel.COUNT] = options.repetition_count
    reg[kernel.PLY_LIMIT], reg[kernel.QUIET_LIMIT] = limits(options)
    reg[kernel.DEAD] = int(options.dead_draw)
    reg[kernel.PLAYED] = played
    reg[kernel.QUIET] = quiet


TURNS: Final = (Turn(frozenset((0,))), Turn(frozenset((1,))))  # by the side that moves

_OF_HALL: Final = (FlagFall, Abandon)
_OF_SETUP: Final = (ProposeTime, AcceptTime, DeclineTime, Ready)


class Xiangqi:
    """The rules of xiangqi under one set of options; implements `core.contract.Rules`."""

    seats = 2

    def __init__(self, options: Options) -> None:
        self.options = options

    def start(self, carry: Any = None) -> State:
        """Return a game before its first ply; carry SETUP begins with the talk about the clock."""
        position = parse_fen(self.options.handicap_fen or START_FEN)
        return self.at(position, setup=carry == SETUP)

    def at(self, position: Position, *, setup: bool = False) -> State:
        """Return a game that starts from a position."""
        return State(
            phase="setup" if setup else "play",
            start=position,
            position=position,
            keys=(_key(position),),
            check=in_check(position),
            time_control=self.options.time_control,
        )

    def turn(self, state: State) -> Turn:
        """Return who may act: the side on turn, and also the other side while it has a draw offer to answer."""
        if state.phase == "over":
            return Turn(frozenset())
        if state.phase == "setup":
            waiting = (
                [1 - state.proposal.seat] if state.proposal else [seat for seat in (0, 1) if not state.ready[seat]]
            )
            return Turn(frozenset(waiting), "setup")
        side = state.position.side
        if state.offer == side:
            return Turn(frozenset((0, 1)), "play", aside={1 - side: "answer"})
        return TURNS[side]

    def legal(self, state: State, seat: Seat) -> Iterator[Action]:
        """Return a seat's actions: moves by their text, then answers.

        Clocks that may be proposed, and moves that lose at once under `facing_generals` = forfeit, are not listed.
        """
        found: list[Action] = []
        if state.phase == "setup":
            if state.proposal is None:
                found.append(Ready())
            elif state.proposal.seat != seat:
                found += (AcceptTime(), DeclineTime())
        elif state.phase == "play":
            if seat == state.position.side:
                found += open_to(state.position)[1]
            if state.offer == 1 - seat:
                found += (AcceptDraw(), DeclineDraw())
        return iter(found)

    def leaving(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield the offer of a draw, where one may be made, and resignation, which is open to both at any time."""
        if state.phase == "play" and seat in (0, 1):
            if seat == state.position.side and state.offer is None and not state.offered:
                yield OfferDraw()
            yield Resign()

    def sample(self, state: State, seat: Seat, rng: Rng) -> Action:
        """Draw one of a seat's actions."""
        return one_of(self.legal(state, seat), rng)

    def refuse(self, state: State, seat: Seat, action: Action | Malformed) -> Refusal | None:
        """Return why an action is refused, in the order of xiangqi 10; None when it is allowed."""
        if state.phase == "over":
            return Refusal("game_over")
        if seat not in (NATURE, 0, 1):
            return Refusal("bad_seat")
        of_hall = isinstance(action, _OF_HALL)
        if isinstance(action, _OF_HALL) and action.seat not in (0, 1):
            return Refusal("bad_seat")
        if isinstance(action, Malformed):
            return Refusal("bad_action", {"field": action.field} if action.field else {})
        if of_hall != (seat == NATURE):
            return Refusal("bad_action")
        if isinstance(action, ProposeTime):
            try:
                self.options.time_control.changed(action.tc)
            except msgspec.ValidationError:
                return Refusal("bad_action", {"field": "tc"})
        if isinstance(action, _OF_SETUP):
            return self._refuse_talk(state, seat, action) if state.phase == "setup" else Refusal("bad_action")
        if state.phase == "setup":
            return Refusal("not_started")
        return self._refuse_play(state, seat, action)

    def _refuse_talk(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        if isinstance(action, AcceptTime | DeclineTime) and (state.proposal is None or state.proposal.seat == seat):
            return Refusal("no_offer")
        if isinstance(action, Ready) and state.proposal is not None:
            return Refusal("time_not_agreed")
        return None

    def _refuse_play(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        side = state.position.side
        match action:
            case Move(m=move):
                return Refusal("not_your_turn") if seat != side else self._refuse_move(state.position, move)
            case FlagFall(seat=fallen) if fallen != side:
                return Refusal("not_your_turn")  # R14
            case OfferDraw() if seat != side:
                return Refusal("not_your_turn")
            case OfferDraw() if state.offer is not None:
                return Refusal("offer_pending")
            case OfferDraw() if state.offered:
                return Refusal("offer_too_soon")
            case AcceptDraw() | DeclineDraw() if state.offer != 1 - seat:
                return Refusal("no_offer")
        return None

    def _refuse_move(self, position: Position, text: str) -> Refusal | None:
        if not valid_move(text):
            return Refusal("bad_move")
        board, move = at_hand(position), encode(text)
        refusal = explain(board, move)
        if refusal and refusal.code == "generals_facing" and self.options.facing_generals == "forfeit":
            # R4: only facing generals is a forfeit; if the general is also attacked, the move is refused for that.
            if not attacked_by_men(board, move):
                return None
            return Refusal("still_in_check" if in_check(position) else "exposes_general")
        return refusal

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Return the result of an accepted action."""
        match action:
            case Move(m=move):
                return self._move(state, seat, move)
            case OfferDraw():
                return stepped(replace(state, offer=seat, offered=True), Offered(seat))
            case DeclineDraw():
                return stepped(replace(state, offer=None), Declined(seat))
            case AcceptDraw():
                return _over(state, None, "agreement", Accepted(seat))
            case Resign():
                return _over(state, 1 - seat, "resign")
            case FlagFall(seat=fallen):
                return _over(state, 1 - fallen, "timeout")
            case Abandon(seat=gone):
                return _over(state, 1 - gone, "abandon")
            case ProposeTime(tc=fields):
                control = self.options.time_control.changed(fields)
                talk = replace(state, proposal=Proposal(seat, control), ready=(False, False))
                return stepped(talk, Proposed(seat, control))
            case AcceptTime():
                assert state.proposal is not None
                control = state.proposal.tc
                return stepped(replace(state, time_control=control, proposal=None), Agreed(seat, control))
            case DeclineTime():
                return stepped(replace(state, proposal=None), Turned(seat))
            case Ready():
                ready = (state.ready[0] or seat == 0, state.ready[1] or seat == 1)
                if all(ready):
                    return stepped(
                        replace(state, phase="play", ready=ready), Readied(seat), Started(state.time_control)
                    )
                return stepped(replace(state, ready=ready), Readied(seat))
        raise AssertionError(action)

    def _move(self, state: State, seat: Seat, move: str) -> Step[State]:
        before = state.position
        board = board_at(self.options, state)
        play(board, encode(move))
        after = apply(before, move)
        man = stance(before, move[:2])
        ply = written(man, move)
        taken = "" if after.quiet else before.at(move[2:])
        key = int(board.keys[board.reg[kernel.PLIES]])
        keys = (key,) if taken else (*state.keys, key)
        keep(after, board, (self.options, keys))
        # An offer stays open during the offerer's move and ends with the other side's answer (R12).
        offer = state.offer if state.offer == seat else None
        captured = fallen(state.captured, taken)
        new = self.settled(state, board, after, (*state.plies, ply), keys, captured, offer)
        why = REASONS[board.reg[kernel.WHY]]
        shown = new.check and why in ("", "checkmate")
        told: list[Event] = [Moved(seat, move, ply.zh, ply.wxf, man.piece, taken, shown)]
        if why:
            winner = int(board.reg[kernel.WINNER])
            return _over(new, None if winner == NOBODY else winner, why, *told)
        if new.cycle:
            told.append(Warned(new.warned, new.repetition_count, new.cycle))
        return stepped(new, *told)

    def settled(
        self,
        state: State,
        board: Board,
        position: Position,
        plies: tuple[Ply, ...],
        keys: tuple[int, ...],
        captured: tuple[str, str],
        offer: int | None,
    ) -> State:
        """Return the state reached from an earlier one, without checking for the end. board: after `settle`."""
        reg = board.reg
        seen, warned = int(reg[kernel.SEEN]), int(reg[kernel.WARNED])
        judged = seen >= 2 and seen >= self.options.repetition_count - 1
        return replace(
            state,
            position=position,
            plies=plies,
            keys=keys,
            captured=captured,
            check=bool(reg[kernel.WATCHED] == -1) and REASONS[reg[kernel.WHY]] != "generals_facing",
            repetition_count=seen,
            warned=None if warned == NOBODY else warned,
            cycle=_cycle(board, span(board, min(seen, self.options.repetition_count))) if judged else (),
            offer=offer,
            offered=False,
        )

    def idle(self, state: State, seat: Seat) -> Action:
        """Return the action that is played for an absent player; at a table their clock runs out first."""
        if state.phase == "setup":
            return DeclineTime() if state.proposal else Ready()
        if seat != state.position.side:
            return DeclineDraw()
        return next(self.legal(state, seat))

    def chance(self, state: State, rng: Rng) -> Action:
        """Raise: xiangqi has no luck."""
        raise AssertionError("xiangqi never waits for luck")

    def observe(self, state: State, seat: Seat | None) -> View:
        """Return the view of a seat: nothing is hidden."""
        return observe(self.options, state, seat)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return the state of a view; there is only one."""
        return imagine(view)

    def outcome(self, state: State) -> Outcome | None:
        """Return the result: +2 and −2, or 0 each."""
        if state.phase != "over":
            return None
        why = state.why or ""
        if state.winner is None:
            return Outcome((0, 0), (1, 1), why)
        return Outcome((2, -2), (1, 2), why) if state.winner == 0 else Outcome((-2, 2), (2, 1), why)


@lru_cache(maxsize=64)  # most games start in the same way
def _key(position: Position) -> int:
    return int(to_board(position).keys[0])


@lru_cache(maxsize=4096)  # shared by all tables; enough for most moves played
def written(man: Stance, move: str) -> Ply:
    """Return a ply in its three notations; tables share them."""
    return Ply(move, zh_of(man, move), wxf_of(man, move))


def _over(state: State, winner: Seat | None, why: str, *events: Event) -> Step[State]:
    return stepped(replace(state, phase="over", offer=None, winner=winner, why=why), *events, Ended(winner, why))


def _cycle(board: Board, start: int) -> tuple[Deed, ...]:
    """Return the effect of each ply from `start` on, from the marks left by judging the cycle."""
    end = board.reg[kernel.PLIES]
    for _ in range(start, end):
        kernel.unmake(board)
    deeds = []
    for i in range(start, end):
        seat, mark = int(board.reg[kernel.SIDE]), int(board.marks[i])
        kernel.make(board, board.past[i])
        victims = tuple(sorted(square_name(board.where[man]) for man in range(33) if (mark >> VICTIMS) >> man & 1))
        does: Does = "check" if mark & CHECK else "chase" if victims else "kill" if mark & KILL else "idle"
        deeds.append(Deed(seat, to_text(board.past[i]), does, victims))
    return tuple(deeds)
