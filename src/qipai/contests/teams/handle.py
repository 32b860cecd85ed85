"""What each command does to a team tournament, and how its rounds follow each other. Pure."""

from __future__ import annotations

from qipai.contests import contract, pairing
from qipai.contests.pending import Pending, user_of
from qipai.contests.scores import score_of
from qipai.contests.teams import commands as say
from qipai.contests.teams import events
from qipai.contests.teams.captains import enter, of_team, part
from qipai.contests.teams.fold import fold
from qipai.contests.teams.form import checked
from qipai.contests.teams.model import TRIES, Team, Teams
from qipai.contests.teams.table import placed, rounds_of, schedule, winners
from qipai.hall.table.errors import HallError

__all__ = ["due", "handle"]

Draft = Pending[Teams]


def handle(state: Teams | None, command: contract.Command, by: int | None, now: int) -> list[events.AnyEvent]:
    """Return the events that a command comes to; what is due happens before it."""
    draft = Draft(fold, state, now)
    if isinstance(command, say.MakeTeams):
        if state is None:
            draft.emit(events.Made(id=command.id, form=checked(command.form, now), by=by))
            for club in command.teams:
                enter(draft, club)
        return draft.events
    if state is None:
        raise HallError("NOT_FOUND")
    _advance(draft)
    _carry_out(draft, command, by)
    _advance(draft)
    return draft.events


def due(state: Teams) -> int | None:
    """Return when something is due: the start, or the next round."""
    return state.form.starts_at if state.state == "open" else state.next_at


def _carry_out(draft: Draft, command: contract.Command, by: int | None) -> None:
    match command:
        case contract.TableOpened(game=id, table=table):
            for _, _, game in draft.state.open_games():
                if game.id == id and game.table != table and draft.state.state == "running":
                    draft.emit(events.TableMade(game=id, table=table))
        case contract.GameOver():
            if draft.state.state == "running":
                _over(draft, command)
        case contract.Gone():
            _gone(draft, command)
        case contract.Cancel():
            _closed(draft, command, by)
        case contract.Tick():
            pass
        case _:
            if not of_team(draft, command, user_of(by)):
                raise HallError("BAD_MESSAGE", field="t")


def _over(draft: Draft, over: contract.GameOver) -> None:
    for _, _, game in draft.state.open_games():
        if game.id == over.game:
            break
    else:
        return
    score = score_of(over)
    if score is None and game.tries + 1 < TRIES:
        draft.emit(events.GameAgain(game=game.id, why=over.why))
        return
    if score is None:
        score = (0.5, 0.5)  # it has come to nothing too often
    elif game.seats == (1, 0):
        score = (score[1], score[0])
    draft.emit(events.GameEnded(game=game.id, score=score, why=over.why, game_id=over.game_id))


def _gone(draft: Draft, gone: contract.Gone) -> None:
    if draft.state.state not in ("open", "running"):
        return
    for team in draft.state.teams:
        if gone.user in team.invited:
            draft.emit(events.Uninvited(team=team.no, user=gone.user, why="gone"))
    if draft.state.team_of(gone.user) is not None:
        part(draft, gone.user, gone.why)


def _closed(draft: Draft, command: contract.Cancel, by: int | None) -> None:
    """Cancel it for who has made it, before it begins, or for a moderator."""
    state = draft.state
    if state.state not in ("open", "running"):
        if by is None:
            return
        raise HallError("STALE", case="contest")
    if by is not None and by == state.by and not command.moderator and state.state == "running":
        raise HallError("GAME_RUNNING", case="contest")
    draft.emit(events.Cancelled(why="closed", reason=command.reason))


def _advance(draft: Draft) -> None:
    """Let begin and end what is due, as far as it goes without a game."""
    while True:
        state = draft.state
        if state.state == "open":
            if not _starts(draft):
                return
        elif state.state != "running":
            return
        elif state.next_at is not None:
            if state.next_at > draft.now:
                return
            _begin_round(draft)
        elif next(state.open_games(), None) is not None:
            return
        else:
            _end_round(draft)


def _starts(draft: Draft) -> bool:
    """Start it, or cancel it, when it is time; return whether something has happened."""
    state, form = draft.state, draft.state.form
    ready = state.complete
    if form.starts_at is None:
        if len(ready) < (form.most or 0):
            return False
    elif form.starts_at > draft.now:
        return False
    elif len(ready) < form.least:
        draft.emit(events.Cancelled(why="too_few"))
        return True
    playing = ready[: form.most]
    for team in state.teams:
        if not team.out and team not in playing:
            draft.emit(events.TeamOut(team=team.no, why="full" if team in ready else "incomplete"))
    _begin_stage(draft, tuple(team.no for team in playing), form.pause_s * 1000 if form.starts_at is None else 0)
    return True


def _begin_stage(draft: Draft, teams: tuple[int, ...], pause: int) -> None:
    sections, at = [], 0
    for size in pairing.sections(len(teams), draft.state.form.section):
        sections.append(teams[at : at + size])
        at += size
    stage = len(draft.state.stages) + 1
    draft.emit(events.StageBegun(stage=stage, sections=tuple(sections), next_at=draft.now + pause))


def _begin_round(draft: Draft) -> None:
    state = draft.state
    stage, round = state.stage, state.round + 1
    meetings = []
    for section, teams in enumerate(stage.sections, 1):
        rounds = schedule(teams)
        for one, other in rounds[round - 1] if round <= len(rounds) else ():
            line_ups = _line_up(state, state.team(one)), _line_up(state, state.team(other))
            meetings.append(events.Meeting(section, (one, other), tuple(zip(*line_ups, strict=True))))
    draft.emit(events.RoundBegun(stage=stage.no, round=round, meetings=tuple(meetings)))


def _line_up(state: Teams, team: Team) -> tuple[int | None, ...]:
    """Return who plays for a team, by board; nobody where it has too few, or plays no more."""
    users = () if team.out else team.order[: state.form.boards]
    return (*users, *[None] * (state.form.boards - len(users)))


def _end_round(draft: Draft) -> None:
    state = draft.state
    pause = state.form.pause_s * 1000
    stage, round = state.stage, state.round
    if round < rounds_of(stage):
        draft.emit(events.RoundEnded(stage=stage.no, round=round, next_at=draft.now + pause))
        return
    draft.emit(events.RoundEnded(stage=stage.no, round=round))
    on = winners(draft.state)
    # Where all are winners another stage would be the same again: they share the first place (RP-37).
    if len(stage.sections) == 1 or len(on) < 2 or len(on) == sum(map(len, stage.sections)):
        draft.emit(events.Finished(placed=placed(draft.state)))
    else:
        _begin_stage(draft, on, pause)
