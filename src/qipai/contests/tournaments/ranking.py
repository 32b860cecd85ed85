"""Who stands where, with the tie-breaks written out (RP-29): in a section, a Swiss, an arena, at tables, at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from qipai.contests.standings import ranked, tabled
from qipai.contests.tournaments import arena, duplicate, knockout, swiss
from qipai.contests.tournaments.model import Meeting, Place, Stage, Tournament

__all__ = ["TIES", "Row", "final", "section", "table_of", "winners"]

# What decides after the score, by the kind of table; each is a number of `Row.ties`, the larger the better.
TIES: Final = {
    "sections": ("sb", "wins"),
    "swiss": ("buchholz_cut_1", "buchholz", "wins"),
    "knockout": (),
    "arena": ("wins",),
    "tables": ("firsts",),
}


class Row(Struct, frozen=True):
    """A line of a table. place: equals share one; ties: by the names of `TIES`; played: meetings, byes not."""

    no: int
    place: int
    score: float
    ties: tuple[float, ...] = ()
    played: int = 0


def kind_of(state: Tournament) -> str:
    """Return by which kind of table it is reckoned."""
    return state.form.format if state.form.duels else "tables"


def table_of(state: Tournament, stage: Stage, nos: Sequence[int]) -> tuple[Row, ...]:
    """Return the table of a section of a stage, best first, equals in starting order."""
    nos = tuple(no for no in nos if no != knockout.FREE)
    if state.form.duels and state.form.format == "sections":
        return section(state, stage, nos)
    inside = set(nos)
    met = [one for one in stage.meetings if one.over and not inside.isdisjoint(one.sides)]
    if not state.form.duels:
        return _points(state, stage, nos, met)
    if state.form.format == "swiss":
        return _swiss(state, stage, nos, met)
    if state.form.format == "arena":
        have = arena.scores(stage, nos)
        return _rows(nos, {no: (have[no].points, have[no].wins) for no in nos}, _played(nos, met))
    depth = knockout.depth(stage)
    return _rows(nos, {no: (depth[no] - 1,) for no in nos}, _played(nos, met))


def section(state: Tournament, stage: Stage, nos: Sequence[int]) -> tuple[Row, ...]:
    """Return the table of a section: score, Sonneborn-Berger, won games; whose games are struck stands at the end."""
    inside, struck = set(nos), {no for no in nos if state.entrant(no).struck == stage.no}
    banned = {no for no in nos if state.entrant(no).why == "banned"}
    counted = [no for no in nos if no not in struck]
    games: list[tuple[int, int, float, float]] = []
    for one in stage.meetings:
        first, second = one.sides[0], one.sides[-1]
        if one.score is None or first not in inside or first in struck or second in struck:
            continue
        assert first is not None
        assert second is not None
        games.append((first, second, one.score[0], one.score[1]))
    table = tabled(counted, games, banned)
    played = {no: sum(no in game[:2] for game in games) for no in nos}
    rows = [Row(no, table.rank[no], table.score[no], (table.sb[no], table.wins[no]), played[no]) for no in counted]
    rows.sort(key=lambda row: row.place)
    return (*rows, *(Row(no, len(counted) + 1, 0.0, (0.0, 0), 0) for no in nos if no in struck))


def _played(nos: Sequence[int], met: Sequence[Meeting]) -> dict[int, int]:
    return {no: sum(no in one.sides for one in met) for no in nos}


def _rows(nos: Sequence[int], have: dict[int, tuple[float, ...]], played: dict[int, int]) -> tuple[Row, ...]:
    """Return the lines for what each has: the score, then the ties, more is better."""
    rank = ranked({no: tuple(-number for number in have[no]) for no in nos})
    rows = [Row(no, rank[no], float(have[no][0]), tuple(have[no][1:]), played[no]) for no in nos]
    return tuple(sorted(rows, key=lambda row: row.place))


def _points(state: Tournament, stage: Stage, nos: Sequence[int], met: Sequence[Meeting]) -> tuple[Row, ...]:
    """Return the table by the points of games, then by how often somebody alone or with others had most of a table.

    Of a duplicate tournament the points are differences from the average of the same seat at the other tables.
    """
    worth = duplicate.differences(stage) if state.form.duplicate else {}
    if state.form.duplicate:
        met = [one for one in met if duplicate.is_over(stage, one.round)]
    points, firsts = dict.fromkeys(nos, 0.0), dict.fromkeys(nos, 0)
    for one in met:
        brought = worth.get(one.id, (0.0,) * len(one.sides)) if state.form.duplicate else one.score or ()
        for no, got, counts in zip(one.sides, one.score or (), brought, strict=True):
            if no in points and one.results and one.results[-1].points:
                points[no] += counts
                firsts[no] += got == max(one.score or (got,))
    return _rows(nos, {no: (points[no], firsts[no]) for no in nos}, _played(nos, met))


def _swiss(state: Tournament, stage: Stage, nos: Sequence[int], met: Sequence[Meeting]) -> tuple[Row, ...]:
    """Return the table of a Swiss. A round without a game counts as one against somebody with the own score."""
    known = swiss.history(state, stage)
    score = {no: 0.0 if state.entrant(no).why == "banned" else known[no].score for no in nos}
    others: dict[int, list[float]] = {no: [] for no in nos}
    wins = dict.fromkeys(nos, 0)
    for one in met:
        assert one.score is not None
        for side, (no, other) in enumerate((one.sides, one.sides[::-1])):
            if no is None or other is None:
                continue
            wins[no] += one.score[side] > one.score[1 - side]
            others[no].append(score[other] if swiss.played(one) else known[no].score)
    for _, no in stage.byes:
        others[no].append(known[no].score)
    have: dict[int, tuple[float, ...]] = {}
    for no in nos:
        whole = sum(others[no], 0.0)
        cut = whole - min(others[no], default=0.0)
        have[no] = (known[no].score, cut, whole, wins[no])
    return _rows(nos, have, _played(nos, met))


def winners(state: Tournament) -> tuple[int, ...]:
    """Return who goes on from the sections of the present stage: the best of each who are still there, all equals.

    Where that would be as many as have played, the first in the starting order of each section's equals (RP-23).
    """
    stage = state.stage
    best = []
    for nos in stage.sections:
        rows = [row for row in table_of(state, stage, nos) if state.plays(row.no) and not _struck(state, stage, row.no)]
        best.append([row.no for row in rows if row.place == rows[0].place])
    found = tuple(no for group in best for no in group)
    if len(stage.sections) > 1 and len(found) >= sum(map(len, stage.sections)):
        return tuple(group[0] for group in best if group)
    return found


def _struck(state: Tournament, stage: Stage, no: int) -> bool:
    return state.entrant(no).struck == stage.no


def final(state: Tournament) -> tuple[Place, ...]:
    """Return the places at the end of those who have stayed: by the stage they have reached, then by its table."""
    keys: dict[int, tuple[float, ...]] = {}
    for stage in state.stages:
        for nos in stage.sections:
            keys |= {row.no: (-stage.no, row.place) for row in table_of(state, stage, nos)}
    stayed = {no: key for no, key in keys.items() if state.plays(no)}
    rank = ranked(stayed)
    return tuple(Place(no, rank[no]) for no in sorted(stayed, key=lambda no: rank[no]))
