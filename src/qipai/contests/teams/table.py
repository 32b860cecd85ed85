"""The table of a section of teams, who goes on, and who is where at the end (platform P-69). Pure."""

from __future__ import annotations

from msgspec import Struct

from qipai.contests import ranks
from qipai.contests.pairing import round_robin
from qipai.contests.teams.model import Match, Stage, TeamPlace, Teams

__all__ = ["TeamStanding", "placed", "points_of", "rounds_of", "schedule", "table_of", "winners"]


class TeamStanding(Struct, frozen=True):
    """A team's line of the table. sb: Sonneborn-Berger on match points; equals share a rank."""

    team: int
    rank: int
    played: int
    match_points: int
    board_points: float
    sb: float


def points_of(match: Match) -> tuple[int, int]:
    """Return the match points of a match that is over; none where nobody has won a board point (RP-38)."""
    ours, theirs = match.board_points
    if ours == theirs:
        return (1, 1) if ours else (0, 0)
    return (2, 0) if ours > theirs else (0, 2)


def schedule(teams: tuple[int, ...]) -> list[list[tuple[int, int]]]:
    """Return who meets whom in a section, by rounds (P-68)."""
    return [[(teams[a - 1], teams[b - 1]) for a, b in pairs] for pairs in round_robin(len(teams))]


def rounds_of(stage: Stage) -> int:
    """Return how many rounds a stage has."""
    return max((len(schedule(teams)) for teams in stage.sections), default=0)


def table_of(state: Teams, stage: Stage, section: int) -> tuple[TeamStanding, ...]:
    """Return the table of a section, best first: by match points, board points, then Sonneborn-Berger.

    A team that left before half of its matches were played is the last, and its matches count for nobody (P-67).
    """
    teams = stage.sections[section - 1]
    struck = {no for no in teams if state.team(no).struck == stage.no}
    points, boards, played = dict.fromkeys(teams, 0), dict.fromkeys(teams, 0.0), dict.fromkeys(teams, 0)
    counted = [
        match for match in stage.matches if match.section == section and match.over and not struck & {*match.teams}
    ]
    for match in counted:
        for no, got, sum_ in zip(match.teams, points_of(match), match.board_points, strict=True):
            points[no] += got
            boards[no] += sum_
            played[no] += 1
    sb = dict.fromkeys(teams, 0.0)
    for match in counted:
        (one, other), (ours, theirs) = match.teams, points_of(match)
        sb[one] += ours * points[other] / 2
        sb[other] += theirs * points[one] / 2
    keys = {no: (no not in struck, points[no], boards[no], sb[no]) for no in teams}
    order = sorted(teams, key=lambda no: keys[no], reverse=True)
    places = ranks.shared([keys[no] for no in order])
    return tuple(
        TeamStanding(no, place, played[no], points[no], boards[no], sb[no])
        for no, place in zip(order, places, strict=True)
    )


def winners(state: Teams) -> tuple[int, ...]:
    """Return the teams that have won their sections of the present stage: equals go on together (P-67)."""
    found: list[int] = []
    for section in range(1, len(state.stage.sections) + 1):
        rows = [row for row in table_of(state, state.stage, section) if not state.team(row.team).out]
        found += [row.team for row in rows if row.rank == rows[0].rank]
    return tuple(found)


def placed(state: Teams) -> tuple[TeamPlace, ...]:
    """Return the ranking: who came into a later stage is before who did not, then the place in the section counts."""
    keys: dict[int, tuple[int, int]] = {}
    for stage in state.stages:
        for section in range(1, len(stage.sections) + 1):
            keys |= {row.team: (stage.no, -row.rank) for row in table_of(state, stage, section)}
    order = sorted(keys, key=lambda no: keys[no], reverse=True)
    places = ranks.shared([keys[no] for no in order])
    return tuple(TeamPlace(no, place) for no, place in zip(order, places, strict=True))
