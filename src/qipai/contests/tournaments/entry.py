"""Who may enter, agree and leave, with every refusal (platform P-67, section 14). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from qipai.contests.tournaments.commands import Agree, Enter
from qipai.contests.tournaments.events import Agreed, AnyEvent, Entered, Returned, Struck, Withdrew
from qipai.contests.tournaments.model import Entrant, Tournament
from qipai.hall.table.errors import HallError

__all__ = ["agree", "barred", "enter", "leave", "withdraw"]

Leaving = Literal["self", "deleted", "banned"]


def barred(state: Tournament, now: int) -> HallError | None:
    """Return why nobody may enter now, whoever they are."""
    if state.state in ("finished", "cancelled"):
        return HallError("STALE", case="contest")
    late = state.state == "running"
    if late and (state.form.format != "arena" or now >= state.ends_at or state.stage.time_over):
        return HallError("GAME_RUNNING", case="contest")
    inside = sum(one.state in ("in", "away", "reserve") for one in state.entrants)
    most = state.form.max_players + (0 if late else state.form.reserves)
    return HallError("TABLE_FULL", case="contest", most=most) if inside >= most else None


def enter(state: Tournament, command: Enter, by: int, now: int) -> Sequence[AnyEvent]:
    """Return that somebody enters, alone or as the captain of a team, or comes back to an arena."""
    form = state.form
    mine = state.entered(by)  # who is only named for a team may enter in another way; that team waits in vain
    if mine is not None and mine.state == "away" and state.state == "running" and now < state.ends_at:
        return [Returned(no=mine.no)]
    wrong = barred(state, now)
    if wrong is not None and not (mine is not None and wrong.code == "TABLE_FULL"):
        raise wrong
    if mine is not None:
        raise HallError("ALREADY_PLAYING", case="contest")
    if any(by == one.payer and one.why in ("banned",) for one in state.entrants):
        raise HallError("BANNED")
    if form.private and command.key != state.key and by != state.by:
        raise HallError("NOT_FOR_YOU", case="contest")
    users = (by, *command.partners)
    if len(users) != form.team_size or len(set(users)) != len(users):
        raise HallError("BAD_OPTION", field="partners")
    if any(state.entered(user) is not None for user in command.partners):
        raise HallError("TARGET_BUSY", case="contest")
    if command.guest and (form.terms.rated or form.fee):
        raise HallError("GUEST_RATED")
    ratings = (*command.ratings, *[None] * (len(users) - len(command.ratings)))[: len(users)]
    for rating in ratings:
        _rated(state, rating)
    known = [rating for rating in ratings if rating is not None]
    places = sum(one.state in ("in", "away") for one in state.entrants)
    return [
        Entered(
            no=len(state.entrants) + 1,
            users=users,
            rating=round(sum(known) / len(known)) if known else None,
            reserve=places >= form.max_players,
        )
    ]


def _rated(state: Tournament, rating: int | None) -> None:
    """Refuse a rating outside of the range, whose ends are within, or that there is none."""
    form = state.form
    if rating is None:
        if not form.unrated:
            raise HallError("RATING_RANGE", case="unrated")
    elif form.rating_min is not None and rating < form.rating_min:
        raise HallError("RATING_RANGE", case="low", least=form.rating_min, have=rating)
    elif form.rating_max is not None and rating > form.rating_max:
        raise HallError("RATING_RANGE", case="high", most=form.rating_max, have=rating)


def agree(state: Tournament, command: Agree, by: int) -> Sequence[AnyEvent]:
    """Return that somebody plays in the team that has named them; a second time nothing happens."""
    if not 1 <= command.no <= len(state.entrants):
        raise HallError("NOT_FOUND")
    team = state.entrant(command.no)
    if by not in team.users:
        raise HallError("NOT_FOR_YOU", case="contest")
    if by in team.agreed:
        return ()
    if team.state == "out" or state.state in ("finished", "cancelled"):
        raise HallError("STALE", case="contest")
    if state.entered(by) is not None:
        raise HallError("ALREADY_PLAYING", case="contest")
    if command.guest and (state.form.terms.rated or state.form.fee):
        raise HallError("GUEST_RATED")
    return [Agreed(no=team.no, user=by)]


def withdraw(state: Tournament, by: int) -> Sequence[AnyEvent]:
    """Return that somebody leaves, with their team."""
    if state.state in ("finished", "cancelled"):
        raise HallError("STALE", case="contest")
    mine = state.of(by)
    if mine is None:
        raise HallError("NOT_MEMBER", case="contest")
    if mine.state == "away":
        return ()
    return leave(state, mine, "self")


def leave(state: Tournament, entrant: Entrant, why: Leaving) -> Sequence[AnyEvent]:
    """Return that an entrant leaves; from a section with less than half of the games played, all are struck (P-67)."""
    gone = Withdrew(no=entrant.no, why=why)
    if state.state == "running" and (entrant.state == "reserve" or not entrant.complete):  # has never played
        return [Withdrew(no=entrant.no, why="unused" if entrant.state == "reserve" else "incomplete")]
    if state.state != "running" or not state.stages or state.form.format != "sections" or not state.form.duels:
        return [gone]
    stage = state.stage
    group = next((nos for nos in stage.sections if entrant.no in nos), ())
    if why == "banned" or len(group) < 2 or (len(stage.sections) == 1 and len(group) == 2) or stage.winners is not None:
        return [gone]
    played = sum(entrant.no in one.sides and one.over for one in stage.meetings)
    half = 2 * played >= (len(group) - 1) * state.form.games_per_pair
    return [gone] if half else [gone, Struck(no=entrant.no)]
