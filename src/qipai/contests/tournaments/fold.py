"""What each event makes of a tournament, which is its events folded; nothing else changes it. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from msgspec.structs import replace

from qipai.contests.tournaments.events import (
    Again,
    Agreed,
    AnyEvent,
    Cancelled,
    Checked,
    Deleted,
    Entered,
    Finished,
    Made,
    Opened,
    Paired,
    PartnerLost,
    Promoted,
    Replaced,
    Returned,
    Scored,
    StageBegan,
    StageEnded,
    Started,
    Struck,
    TimeOver,
    Withdrew,
)
from qipai.contests.tournaments.form import first_move
from qipai.contests.tournaments.meetings import meeting_of, verdict
from qipai.contests.tournaments.model import PAUSE, Entrant, GameResult, Meeting, Stage, Tournament

__all__ = ["WAVE", "fold"]

WAVE = 10_000  # ms between two pairings of an arena


def fold(state: Tournament | None, event: AnyEvent, now: int) -> Tournament:
    """Return the tournament after an event. now: when the event was written, ms since 1970."""
    if isinstance(event, Made):
        assert state is None
        return Tournament(event.id, event.form, event.by, now, rows=1, key=event.key)
    assert state is not None
    return replace(_folded(state, event, now), rows=state.rows + 1)


def _folded(state: Tournament, event: AnyEvent, now: int) -> Tournament:
    match event:
        case Made():
            raise AssertionError("a tournament is made once")
        case Entered() | Agreed() | Promoted() | Withdrew() | PartnerLost() | Returned() | Replaced():
            return _of_entrants(state, event, now)
        case Started():
            half = first_move(state.form)
            waits = half is not None and any(one.state == "reserve" for one in state.entrants)
            return replace(
                state,
                state="running",
                seed=event.seed,
                order=event.order,
                started_at=now,
                full_at=None,
                half_at=now + (half or 0) // 2 if waits else None,
            )
        case Deleted():
            return replace(state, deleted=(*state.deleted, event.user))
        case Checked():
            return replace(state, half_at=None)
        case StageBegan():
            stage = Stage(len(state.stages) + 1, event.sections, event.rounds, wave=now)
            return replace(state, stages=(*state.stages, stage))
        case Paired():
            return _staged(state, _paired(state, event, now))
        case Opened():
            return _met(state, event.game, lambda meeting: replace(meeting, table=event.table))
        case Scored():
            return _met(state, event.game, lambda meeting: _scored(state, meeting, event, now))
        case Again():
            return _met(state, event.game, lambda meeting: _again(state, meeting, event, now))
        case Struck():
            return _entrant(state, event.no, struck=state.stage.no)
        case TimeOver():
            return _staged(state, replace(state.stage, time_over=True))
        case StageEnded():
            return _staged(state, replace(state.stage, winners=event.winners))
        case Finished():
            entrants = tuple(replace(one, coins=0) for one in state.entrants)
            return replace(
                state,
                state="finished",
                entrants=entrants,
                places=event.places,
                prizes=event.prizes,
                ended_at=now,
                half_at=None,
            )
        case Cancelled():
            entrants = tuple(replace(one, coins=0) for one in state.entrants)
            return replace(
                state,
                state="cancelled",
                entrants=entrants,
                reason=event.reason,
                ended_at=now,
                half_at=None,
                full_at=None,
            )
        case _:
            assert_never(event)


def _of_entrants(
    state: Tournament,
    event: Entered | Agreed | Promoted | Withdrew | PartnerLost | Returned | Replaced,
    now: int,
) -> Tournament:
    """Return the tournament after what has happened to an entrant."""
    match event:
        case Entered():
            entrant = Entrant(
                event.no,
                event.users,
                payer=event.users[0],
                rating=event.rating,
                agreed=event.users[:1],
                coins=state.form.fee,
                state="reserve" if event.reserve else "in",
            )
            return _late(_full(replace(state, entrants=(*state.entrants, entrant)), now), event.no)
        case Agreed():
            after = _entrant(state, event.no, agreed=(*state.entrant(event.no).agreed, event.user))
            return _late(_full(after, now), event.no)
        case Promoted():
            return _full(_entrant(state, event.no, state="in"), now)
        case Withdrew():
            if state.state == "running" and state.form.format == "arena" and event.why in ("self", "absent"):
                return _entrant(state, event.no, state="away")
            after = _entrant(state, event.no, state="out", why=event.why)
            if state.state == "open" or event.why in ("incomplete", "unused"):
                after = _entrant(after, event.no, coins=0)
            return _full(after, now)
        case PartnerLost():
            users = tuple(None if user == event.user else user for user in state.entrant(event.no).users)
            return _entrant(state, event.no, users=users)
        case Returned():
            return _entrant(state, event.no, state="in")
        case Replaced():
            came = state.entrant(event.reserve)
            after = _entrant(state, event.no, users=came.users, agreed=came.agreed, rating=came.rating)
            after = _entrant(after, event.reserve, state="out", why="plays")
            return _staged(after, _seated_anew(after.stage, event.no, now, state.form.by_days))
        case _:
            assert_never(event)


def _entrant(state: Tournament, no: int, /, **changes: Any) -> Tournament:
    """Return the tournament with an entrant changed."""
    entrants = list(state.entrants)
    entrants[no - 1] = replace(entrants[no - 1], **changes)
    return replace(state, entrants=tuple(entrants))


def _late(state: Tournament, no: int) -> Tournament:
    """Return an arena that has begun with who has come since."""
    if state.state != "running" or not state.stages or not state.entrant(no).complete:
        return state
    order = (*state.order, no)
    return replace(_staged(state, replace(state.stage, sections=(order,))), order=order)


def _full(state: Tournament, now: int) -> Tournament:
    """Return the tournament with the time since when all places are taken."""
    full = state.state == "open" and len(state.ready) >= state.form.max_players
    return replace(state, full_at=(state.full_at or now) if full else None)


def _staged(state: Tournament, stage: Stage) -> Tournament:
    """Return the tournament with the present stage replaced."""
    return replace(state, stages=(*state.stages[:-1], stage))


def _paired(state: Tournament, event: Paired, now: int) -> Stage:
    stage = state.stage
    begins = now if state.form.by_days else now + PAUSE if stage.round or stage.no > 1 else now
    if state.form.format == "arena":
        begins = now
    met = tuple(
        Meeting(pair, event.rounds[at] if event.rounds else event.round, begins) for at, pair in enumerate(event.pairs)
    )
    return replace(
        stage,
        round=event.round,
        meetings=stage.meetings + met,
        byes=stage.byes + tuple((event.round, no) for no in event.byes),
        wave=now + WAVE,
    )


def _met(state: Tournament, game: str, change: Callable[[Meeting], Meeting]) -> Tournament:
    """Return the tournament with the meeting of a game changed; a ruling may name a game of one that is over."""
    stage, id = state.stage, meeting_of(game)
    meetings = list(stage.meetings)
    at = next(at for at, one in enumerate(meetings) if one.pair.id == id)
    meetings[at] = change(meetings[at])
    return _staged(state, replace(stage, meetings=tuple(meetings)))


def _scored(state: Tournament, meeting: Meeting, event: Scored, now: int) -> Meeting:
    if event.whole:
        return replace(meeting, score=event.scores, why=event.why, table=None)
    table = meeting.table if event.table is None else event.table
    result = GameResult(event.scores, event.points, meeting.first, event.why, table, event.game_id, meeting.redeals)
    pause = 0 if state.form.by_days else PAUSE
    after = replace(meeting, results=(*meeting.results, result), table=None, tries=0, redeals=0, from_=now + pause)
    return replace(after, score=verdict(after) if state.form.duels else event.scores)


def _again(state: Tournament, meeting: Meeting, event: Again, now: int) -> Meeting:
    pause = 0 if state.form.by_days else PAUSE
    pair = replace(meeting.pair, sides=event.sides)
    seen = meeting.redeals + (event.why != "absent")
    return replace(meeting, pair=pair, table=None, tries=meeting.tries + 1, redeals=seen, from_=now + pause)


def _seated_anew(stage: Stage, no: int, now: int, by_days: bool) -> Stage:
    """Return the stage with the games of a replaced entrant begun anew."""
    pause = 0 if by_days else PAUSE
    return replace(
        stage,
        meetings=tuple(
            replace(one, table=None, tries=one.tries + 1, redeals=one.redeals + 1, from_=now + pause)
            if no in one.sides and not one.over
            else one
            for one in stage.meetings
        ),
    )
