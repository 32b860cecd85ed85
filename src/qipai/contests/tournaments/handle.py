"""What a command comes to: the events of a tournament, or a refusal by a code of platform section 14. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from qipai.contests.contract import Cancel, GameOver, Gone, TableOpened, Tick
from qipai.contests.tournaments.advance import Draw, step
from qipai.contests.tournaments.commands import Agree, AnyCommand, Enter, Idle, Make, Withdraw
from qipai.contests.tournaments.entry import agree, enter, leave, withdraw
from qipai.contests.tournaments.events import (
    Again,
    AnyEvent,
    Cancelled,
    Checked,
    Deleted,
    Made,
    Opened,
    PartnerLost,
    Replaced,
    Scored,
    Withdrew,
)
from qipai.contests.tournaments.fold import fold
from qipai.contests.tournaments.form import checked
from qipai.contests.tournaments.meetings import by_side, duel_scores, find
from qipai.contests.tournaments.model import TRIES, Meeting, Tournament, users_of
from qipai.hall.table.errors import HallError

__all__ = ["handle"]


class Course:
    """The events of one command, each folded before the next is decided."""

    def __init__(self, state: Tournament | None, now: int) -> None:
        self.state, self.now = state, now
        self.events: list[AnyEvent] = []

    def take(self, events: Sequence[AnyEvent]) -> None:
        """Fold some events."""
        for event in events:
            self.state = fold(self.state, event, self.now)
            self.events.append(event)

    @property
    def open(self) -> Tournament:
        """Return the tournament, which has been made."""
        assert self.state is not None
        return self.state


def handle(state: Tournament | None, command: AnyCommand, by: int | None, now: int, draw: Draw) -> list[AnyEvent]:
    """Return the events that a command comes to, with all that follows from them at once.

    by: None: the hall. draw: returns 64 hex digits, the seed of a start. Raises HallError; then nothing happens.
    """
    course = Course(state, now)
    if state is None:
        if not isinstance(command, Make):
            raise HallError("NOT_FOUND")
        form = checked(command.form, now)
        if form.private and not command.key:
            raise HallError("BAD_OPTION", field="key")
        course.take([Made(id=command.id, form=form, by=by, key=command.key if form.private else None)])
        return course.events
    course.take(_decided(state, command, by, now))
    if course.events or isinstance(command, Tick):
        while events := step(course.open, now, draw):
            course.take(events)
    return course.events


def _decided(state: Tournament, command: AnyCommand, by: int | None, now: int) -> Sequence[AnyEvent]:
    """Return what a command itself comes to."""
    match command:
        case Make():
            raise HallError("ALREADY_PLAYING", case="contest")
        case Enter():
            return enter(state, command, _person(by), now)
        case Agree():
            return agree(state, command, _person(by))
        case Withdraw():
            return withdraw(state, _person(by))
        case Cancel():
            return _cancelled(state, command, by)
        case Idle():
            return _idle(state, command) if by is None else _refused()
        case Gone():
            return _gone(state, command) if by is None else _refused()
        case TableOpened():
            return _opened(state, command) if by is None else _refused()
        case GameOver():
            return _game_over(state, command) if by is None else _refused()
        case Tick():
            return ()
        case _:
            assert_never(command)


def _person(by: int | None) -> int:
    if by is None:
        raise HallError("SIGN_IN")
    return by


def _refused() -> Sequence[AnyEvent]:
    raise HallError("NOT_ALLOWED")


def _cancelled(state: Tournament, command: Cancel, by: int | None) -> Sequence[AnyEvent]:
    """Return that it is cancelled. Who has made it may do so before it begins, while nobody has paid (P-79)."""
    if state.state in ("finished", "cancelled"):
        if by is None:
            return ()
        raise HallError("STALE", case="contest")
    if by is not None and not command.moderator:
        if by != state.by:
            raise HallError("NOT_ALLOWED")
        if state.state != "open":
            raise HallError("GAME_RUNNING", case="contest")
        if state.pool:
            raise HallError("NOT_ALLOWED", case="paid")
    return [Cancelled(reason=command.reason or "cancelled")]


def _idle(state: Tournament, command: Idle) -> Sequence[AnyEvent]:
    """Return who is replaced by a reserve, because they have not moved in any of their games (P-67)."""
    if state.half_at is None or state.state != "running" or not state.stages:
        return ()
    reserves = [one.no for one in state.entrants if one.state == "reserve"]
    unmoved = set(command.users)
    late = []
    for no in state.order:
        entrant = state.entrant(no)
        mine = [one for one in state.stage.meetings if no in one.sides]
        users = users_of(entrant)
        if entrant.state == "in" and mine and users and unmoved.issuperset(users):
            if not any(one.results or one.over for one in mine):
                late.append(no)
    replaced = [Replaced(no=no, reserve=reserve) for no, reserve in zip(late, reserves, strict=False)]
    unused = reserves[len(replaced) :]
    return [*replaced, *(Withdrew(no=no, why="unused") for no in unused), Checked()]


def _gone(state: Tournament, command: Gone) -> Sequence[AnyEvent]:
    """Return what becomes of it when an account is deleted or banned. A team plays on with a bot in that place."""
    if state.state in ("finished", "cancelled"):
        return ()
    user, mine = command.user, state.of(command.user)
    events: list[AnyEvent] = []
    paid = any(one.payer == user and one.coins for one in state.entrants)
    if command.why == "deleted" and (mine is not None or paid) and user not in state.deleted:
        events.append(Deleted(user=user))
    if mine is None:
        return events
    if state.state == "running" and len(users_of(mine)) > 1 and mine.complete:
        return [*events, PartnerLost(no=mine.no, user=user)]
    if state.state == "running" and state.form.format == "sections" and command.why == "banned":
        return [*events, *leave(state, mine, "banned"), *_banned(state, mine.no)]
    return [*events, *leave(state, mine, command.why)]


def _banned(state: Tournament, no: int) -> list[AnyEvent]:
    """Return that all games of somebody in the present round of sections are lost, also those they have won (P-67)."""
    if not state.stages or not state.form.duels:
        return []
    return [
        Scored(game=one.game, scores=(float(one.sides[0] != no), float(one.sides[-1] != no)), why="banned", whole=True)
        for one in state.stage.meetings
        if no in one.sides
    ]


def _opened(state: Tournament, command: TableOpened) -> Sequence[AnyEvent]:
    """Return that a game has a table, where it is still wanted and has none."""
    meeting = find(state, command.game)
    if meeting is None or meeting.table is not None:
        return ()
    return [Opened(game=command.game, table=command.table)]


def _game_over(state: Tournament, command: GameOver) -> Sequence[AnyEvent]:
    """Return what a game comes to; nothing where it is over, was begun anew, or never was."""
    meeting = find(state, command.game)
    if meeting is None:
        return ()
    return _duel_over(state, meeting, command) if state.form.duels else _table_over(state, meeting, command)


def _duel_over(state: Tournament, meeting: Meeting, command: GameOver) -> Sequence[AnyEvent]:
    """Return what a game of two sides comes to. What has no result is played anew twice, then it is a draw (RP-24)."""
    scores = duel_scores(state, meeting, command)
    if scores is None:
        if meeting.tries < TRIES:
            return [Again(game=command.game, sides=meeting.sides, why=command.why)]
        scores = (0.5, 0.5)
    points = () if len(command.points) != state.form.seats else by_side(state, meeting, command.points)
    scored = Scored(
        game=command.game,
        scores=scores,
        points=points,
        why=command.why,
        table=command.table,
        game_id=command.game_id,
    )
    if command.why != "absent" or state.form.format not in ("swiss", "arena"):
        return [scored]
    missing = [no for no, got in zip(meeting.sides, scores, strict=True) if no is not None and not got]
    return [scored, *(Withdrew(no=no, why="absent") for no in missing if state.entrant(no).state == "in")]


def _table_over(state: Tournament, meeting: Meeting, command: GameOver) -> Sequence[AnyEvent]:
    """Return what a game of many seats comes to. Bots take the places of who has not come; those play no more."""
    sides = meeting.sides
    nobody = tuple(0.0 for _ in sides)
    if command.why == "absent":
        absent = {seat for seat in command.absent if seat < len(sides) and sides[seat] is not None}
        gone = [Withdrew(no=no, why="absent") for seat, no in enumerate(sides) if no is not None and seat in absent]
        left = tuple(None if seat in absent else no for seat, no in enumerate(sides))
        if not any(no is not None for no in left):
            return [Scored(game=command.game, scores=nobody, why="absent", table=command.table), *gone]
        return [Again(game=command.game, sides=left, why="absent"), *gone]
    if command.why in ("void", "closed") or len(command.points) < len(sides):
        if meeting.tries < TRIES:
            return [Again(game=command.game, sides=sides, why=command.why)]
        return [Scored(game=command.game, scores=nobody, why=command.why, table=command.table)]
    points = by_side(state, meeting, command.points)
    return [
        Scored(
            game=command.game,
            scores=tuple(float(got) for got in points),
            points=points,
            why=command.why,
            table=command.table,
            game_id=command.game_id,
        )
    ]
