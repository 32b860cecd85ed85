"""What each command does to stairs, and when it is refused. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from qipai.contests import contract
from qipai.contests.pending import Pending, user_of
from qipai.contests.scores import score_of
from qipai.contests.stairs import commands as say
from qipai.contests.stairs import events
from qipai.contests.stairs.fold import fold
from qipai.contests.stairs.model import HELD, LATE, Challenge, Result, Stairs, month_of
from qipai.contests.stairs.refusals import Refusals
from qipai.hall.table.errors import HallError

__all__ = ["due", "handle"]

Draw = Callable[[], str]
Draft = Pending[Stairs]


def handle(
    state: Stairs | None, command: contract.Command, by: int | None, now: int, draw: Draw
) -> list[events.AnyEvent]:
    """Return the events that a command comes to; what is due happens before it. draw: a new seed, as hex."""
    draft = Draft(fold, state, now)
    if isinstance(command, say.Open):
        if by is not None:
            raise HallError("NOT_ALLOWED")
        if state is None:
            draft.emit(
                events.Opened(id=command.id, terms=command.terms, forfeit_s=command.forfeit_s, club=command.club)
            )
        return draft.events
    if state is None:
        raise HallError("NOT_FOUND")
    if state.state == "cancelled":
        if by is None:
            return []
        raise HallError("STALE", case="contest")
    _catch_up(draft)
    _carry_out(draft, command, by, draw)
    return draft.events


def due(state: Stairs) -> int | None:
    """Return when something is due: a month begins, or somebody has held the top for seven days."""
    if state.state == "cancelled":
        return None
    if state.top is None or state.top.honoured:
        return state.renumber_at
    return min(state.renumber_at, state.top.since + HELD)


def _catch_up(draft: Draft) -> None:
    top = draft.state.top
    if top is not None and not top.honoured and top.since + HELD <= draft.now:
        draft.emit(events.HeldTop(user=top.user, since=top.since))
    if draft.state.renumber_at <= draft.now:
        draft.emit(events.Renumbered(month=month_of(draft.now)))


def _carry_out(draft: Draft, command: contract.Command, by: int | None, draw: Draw) -> None:
    match command:
        case say.Join():
            user = user_of(by)
            if user not in draft.state.members:
                draft.emit(events.Joined(user=user))
        case say.Retire():
            user = user_of(by)
            if _member(draft, user):
                draft.emit(events.Retired(user=user, why="self"))
        case say.Return():
            user = user_of(by)
            if not _member(draft, user):
                draft.emit(events.Returned(user=user))
        case say.Challenge():
            _challenge(draft, user_of(by), command.user, draw)
        case contract.TableOpened(game=id, table=table):
            game = draft.state.game(id)
            if game is not None and game.table != table:
                draft.emit(events.TableMade(game=id, table=table))
        case contract.GameOver():
            _over(draft, command)
        case contract.Gone():
            _gone(draft, command)
        case contract.Cancel():
            draft.emit(events.Cancelled(reason=command.reason))
        case contract.Tick():
            pass
        case _:
            raise HallError("BAD_MESSAGE", field="t")


def _member(draft: Draft, user: int) -> bool:
    """Tell whether a member plays, or rests; raises HallError for who is none."""
    member = draft.state.members.get(user)
    if member is None:
        raise HallError("NOT_MEMBER")
    return member.retired is None


def _challenge(draft: Draft, user: int, target: int, draw: Draw) -> None:
    state = draft.state
    Refusals(state, user, draft.now).refuse(target)
    seed = draw()
    first = hashlib.sha256(seed.encode()).digest()[0] % 2 == 0  # P-70: colours by lot
    users = (user, target) if first else (target, user)
    draft.emit(events.Challenged(game=str(state.challenges + 1), challenger=user, users=users, seed=seed))


def _over(draft: Draft, over: contract.GameOver) -> None:
    game = draft.state.game(over.game)
    if game is None:
        return
    result = _result(game, over)
    loser = {"first": 1, "second": 0}.get(result)
    missed = {*over.absent}
    late = {seat for seat in (0, 1) if seat in missed or (seat == loser and seat in over.idle and over.why != "resign")}
    moved = {0, 1} - {*over.idle} - missed if result != "void" else set()
    users = game.users
    event = events.Finished(
        game=game.game,
        result=result,
        why=over.why,
        late=tuple(users[seat] for seat in sorted(late)),
        moved=tuple(users[seat] for seat in sorted(moved)),
        game_id=over.game_id,
    )
    draft.emit(event)
    for user in event.late:
        member = draft.state.members.get(user)
        if member is not None and member.retired is None and member.late >= LATE:
            draft.emit(events.Retired(user=user, why="late"))


def _result(game: Challenge, over: contract.GameOver) -> Result:
    """Return what a game came to. A challenger who misses it has lost; a challenged who does makes it void (RP-32)."""
    if over.absent:
        challenger = game.users.index(game.challenger)
        if set(over.absent) == {challenger}:
            return "second" if challenger == 0 else "first"
        return "void"
    score = score_of(over)
    if score is None:
        return "void"
    first, second = score
    return "draw" if first == second else "first" if first > second else "second"


def _gone(draft: Draft, gone: contract.Gone) -> None:
    """Let who has gone lose what they play here, and leave the stairs."""
    member = draft.state.members.get(gone.user)
    if member is None:
        return
    for game in draft.state.running:
        if gone.user in game.users:
            result: Result = "second" if game.users[0] == gone.user else "first"
            draft.emit(events.Finished(game=game.game, result=result, why=gone.why))
    if gone.why == "deleted" or member.retired is None:
        draft.emit(events.Retired(user=gone.user, why=gone.why))
