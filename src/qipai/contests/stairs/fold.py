"""What each event makes of stairs; the only place where they change. Pure."""

from __future__ import annotations

from typing import Final, assert_never

from msgspec.structs import replace

from qipai.contests.stairs.events import (
    AnyEvent,
    Cancelled,
    Challenged,
    Finished,
    HeldTop,
    Joined,
    Opened,
    Renumbered,
    Retired,
    Returned,
    TableMade,
)
from qipai.contests.stairs.model import (
    BETWEEN,
    HISTORY,
    Challenge,
    Member,
    Met,
    Stairs,
    StairsGame,
    Top,
    following_month,
    top_of,
)
from qipai.contests.stairs.steps import Outcome, compacted, stepped

__all__ = ["fold"]

OUTCOMES: Final[dict[str, Outcome]] = {"first": "a", "second": "b", "draw": "draw"}


def fold(state: Stairs | None, event: AnyEvent, now: int) -> Stairs:
    """Return the stairs after an event; of the first one `state` is None."""
    if isinstance(event, Opened):
        return Stairs(event.id, 1, "running", event.terms, event.forfeit_s, following_month(now), club=event.club)
    assert state is not None
    after = _folded(state, event, now)
    return replace(after, rows=state.rows + 1, top=_top(after, now))


def _folded(state: Stairs, event: AnyEvent, now: int) -> Stairs:
    match event:
        case Joined(user=user):
            return _member(state, user, Member(step=1, joined=now))
        case Retired(user=user, why="deleted"):
            return replace(state, members={id: member for id, member in state.members.items() if id != user})
        case Retired(user=user, why=why):
            return _member(state, user, replace(state.members[user], retired=why))
        case Returned(user=user):
            return _member(state, user, replace(state.members[user], retired=None, late=0))
        case Challenged():
            game = Challenge(event.game, event.users, event.challenger, now)
            return replace(state, running=(*state.running, game), challenges=state.challenges + 1)
        case TableMade(game=id, table=table):
            running = tuple(replace(game, table=table) if game.game == id else game for game in state.running)
            return replace(state, running=running)
        case Finished():
            return _finished(state, event, now)
        case Renumbered():
            return _renumbered(state, now)
        case HeldTop():
            assert state.top is not None
            return replace(state, top=replace(state.top, honoured=True))
        case Cancelled():
            return replace(state, state="cancelled", running=())
        case Opened():
            raise AssertionError("stairs are opened once")
        case _:
            assert_never(event)


def _member(state: Stairs, user: int, member: Member) -> Stairs:
    return replace(state, members={**state.members, user: member})


def _finished(state: Stairs, event: Finished, now: int) -> Stairs:
    game = state.game(event.game)
    assert game is not None
    first, second = (state.members.get(user) for user in game.users)
    steps = (1 if first is None else first.step, 1 if second is None else second.step)  # who is gone has none any more
    before = (None if first is None else first.step, None if second is None else second.step)
    if event.result != "void":
        steps = stepped(*steps, OUTCOMES[event.result])
    members = dict(state.members)
    for seat, user in enumerate(game.users):
        if user in members:
            members[user] = _after(members[user], event, seat, user, steps[seat])
    after = tuple(members[user].step if user in members else None for user in game.users)
    played = StairsGame(
        event.game,
        game.users,
        game.challenger,
        event.result,
        event.why,
        now,
        before,
        (after[0], after[1]),
        event.game_id,
    )
    return replace(
        state,
        members=members,
        running=tuple(other for other in state.running if other.game != event.game),
        met=_met(state, game, now) if event.result != "void" else state.met,
        history=(*state.history, played)[-HISTORY:],
    )


def _after(member: Member, event: Finished, seat: int, user: int, step: int) -> Member:
    """Return a member after a game."""
    late = member.late + 1 if user in event.late else 0 if user in event.moved else member.late
    if event.result == "void":
        return replace(member, late=late)
    if event.result == "draw":
        return replace(member, late=late, drawn=member.drawn + 1)
    if (event.result == "first") == (seat == 0):
        return replace(member, late=late, step=step, won=member.won + 1)
    return replace(member, late=late, step=step, lost=member.lost + 1)


def _met(state: Stairs, game: Challenge, now: int) -> tuple[Met, ...]:
    """Return who has met whom; what is too long ago to matter is forgotten."""
    low, high = sorted(game.users)
    kept = [met for met in state.met if met.users != (low, high) and met.at > now - BETWEEN]
    return (*kept, Met((low, high), now))


def _renumbered(state: Stairs, now: int) -> Stairs:
    steps = compacted({user: member.step for user, member in state.members.items()})
    members = {user: replace(member, step=steps[user]) for user, member in state.members.items()}
    return replace(state, members=members, renumber_at=following_month(now))


def _top(state: Stairs, now: int) -> Top | None:
    """Return who holds the top alone: the same as before, or somebody from now on."""
    user = top_of(state.members)
    if user is None:
        return None
    return state.top if state.top is not None and state.top.user == user else Top(user, now)
