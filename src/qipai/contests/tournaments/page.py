"""What the page of a tournament shows: JSON for the client, users and entrants by number (P-67). Pure."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from qipai.contests.prizes import split
from qipai.contests.tournaments import knockout
from qipai.contests.tournaments.advance import due
from qipai.contests.tournaments.duplicate import veiled
from qipai.contests.tournaments.entry import barred
from qipai.contests.tournaments.form import TournamentForm
from qipai.contests.tournaments.meetings import forfeit_at, seats_of
from qipai.contests.tournaments.model import GameResult, Meeting, Place, Side, Stage, Tournament, users_of
from qipai.contests.tournaments.ranking import TIES, Row, kind_of, table_of

__all__ = [
    "EntrantRow",
    "MeetingRow",
    "Mine",
    "MyGame",
    "SectionPage",
    "Slot",
    "StagePage",
    "TournamentLine",
    "TournamentPage",
    "line",
    "mine_of",
    "page",
]


class EntrantRow(Struct, frozen=True, omit_defaults=True):
    """An entrant. seed: place in the starting order; waits: partners who have not agreed; struck: in this stage."""

    no: int
    users: tuple[int | None, ...]
    state: Literal["in", "reserve", "away", "out"]
    rating: int | None = None
    why: str = ""
    seed: int | None = None
    waits: tuple[int, ...] = ()
    struck: int = 0


class MeetingRow(Struct, frozen=True, omit_defaults=True, rename={"from_": "from"}):
    """A meeting: sides are entrants, None a bot. from_, forfeit_at: of its next game, while it is not over (ms)."""

    id: str
    round: int
    sides: tuple[Side, ...]
    score: tuple[float, ...] | None = None
    results: tuple[GameResult, ...] = ()
    why: str = ""
    table: int | None = None
    from_: int | None = None
    forfeit_at: int | None = None


class SectionPage(Struct, frozen=True, omit_defaults=True):
    """A section: its table, whose ties are named in `StagePage.ties`, and its cross table.

    cross: by row and column of `rows`, what the row's entrant got in each meeting with the column's; empty where more
    than two sides sit at a table.
    """

    rows: tuple[Row, ...]
    meetings: tuple[MeetingRow, ...]
    cross: tuple[tuple[tuple[float, ...], ...], ...] = ()


class Slot(Struct, frozen=True, omit_defaults=True):
    """A match of the bracket. upper, lower: entrants, None: nobody yet, or nobody at all; winner: who goes on."""

    round: int
    board: int
    upper: int | None = None
    lower: int | None = None
    winner: int | None = None
    meeting: str | None = None


class StagePage(Struct, frozen=True, omit_defaults=True):
    """A stage. bracket: of a knockout, round by round from top to bottom; byes: round and entrant."""

    no: int
    round: int
    rounds: int
    ties: tuple[str, ...]
    sections: tuple[SectionPage, ...]
    bracket: tuple[Slot, ...] = ()
    byes: tuple[tuple[int, int], ...] = ()
    winners: tuple[int, ...] | None = None


class MyGame(Struct, frozen=True, omit_defaults=True, rename={"from_": "from"}):
    """A game that waits for me. seat: mine; others: the other people; forfeit_at: when it is lost (ms)."""

    game: str
    seat: int
    others: tuple[int, ...]
    from_: int
    table: int | None = None
    forfeit_at: int | None = None


class Mine(Struct, frozen=True, omit_defaults=True):
    """What is mine in it. games: the next one first."""

    no: int
    state: Literal["in", "reserve", "away", "out"]
    agreed: bool
    games: tuple[MyGame, ...] = ()


class TournamentPage(Struct, frozen=True, omit_defaults=True):
    """The page of a tournament. rows: for telling an old page from a new one.

    closed: the code of why nobody can enter now; pool: the fees; prizes: by place, as they would be now, or user and
    coins when it is over (`paid`); due: when time brings the next thing; key: for who has made it.
    """

    id: str
    rows: int
    state: Literal["open", "running", "finished", "cancelled"]
    form: TournamentForm
    by: int | None
    made_at: int
    entrants: tuple[EntrantRow, ...]
    stages: tuple[StagePage, ...] = ()
    places: tuple[Place, ...] = ()
    pool: int = 0
    prizes: tuple[int, ...] = ()
    paid: tuple[tuple[int, int], ...] = ()
    closed: str | None = None
    started_at: int | None = None
    ended_at: int | None = None
    ends_at: int | None = None
    due: int | None = None
    reason: str = ""
    key: str | None = None
    mine: Mine | None = None


class TournamentLine(Struct, frozen=True):
    """What the list of tournaments shows of one. entrants: who are in by now; winners: the first, when it is over."""

    id: str
    game: str
    state: Literal["open", "running", "finished", "cancelled"]
    form: TournamentForm
    by: int | None
    entrants: int
    started_at: int | None
    ended_at: int | None
    winners: tuple[int, ...]


def line(state: Tournament) -> TournamentLine:
    """Return the line of the list."""
    first = [place.no for place in state.places if place.place == 1]
    return TournamentLine(
        state.id,
        state.form.terms.game,
        state.state,
        state.form,
        state.by,
        sum(one.state == "in" for one in state.entrants),
        state.started_at,
        state.ended_at,
        tuple(user for no in first for user in users_of(state.entrant(no))),
    )


def page(state: Tournament, viewer: int | None) -> TournamentPage:
    """Return what somebody sees."""
    form = state.form
    seeds = {no: at for at, no in enumerate(state.order, 1)}
    wrong = barred(state, state.started_at or 0)
    return TournamentPage(
        id=state.id,
        rows=state.rows,
        state=state.state,
        form=form,
        by=state.by,
        made_at=state.made_at,
        entrants=tuple(
            EntrantRow(
                one.no,
                one.users,
                one.state,
                one.rating,
                one.why,
                seeds.get(one.no),
                tuple(user for user in users_of(one) if user not in one.agreed),
                one.struck,
            )
            for one in state.entrants
        ),
        stages=tuple(_stage(state, stage) for stage in state.stages),
        places=state.places,
        pool=state.pool,
        prizes=split(state.pool, 1, form.prizes).prizes if state.pool else (),
        paid=state.prizes,
        closed=None if wrong is None else wrong.code,
        started_at=state.started_at,
        ended_at=state.ended_at,
        ends_at=state.ends_at if form.format == "arena" and state.started_at is not None else None,
        due=due(state),
        reason=state.reason,
        key=state.key if viewer is not None and viewer == state.by else None,
        mine=mine_of(state, viewer),
    )


def _stage(state: Tournament, stage: Stage) -> StagePage:
    return StagePage(
        no=stage.no,
        round=stage.round,
        rounds=stage.rounds,
        ties=TIES[kind_of(state)],
        sections=tuple(_section(state, stage, number) for number in range(1, len(stage.sections) + 1)),
        bracket=_bracket(veiled(state, stage)) if state.form.format == "knockout" else (),
        byes=stage.byes,
        winners=stage.winners,
    )


def _section(state: Tournament, stage: Stage, number: int) -> SectionPage:
    shown = veiled(state, stage)
    rows = table_of(state, shown, stage.sections[number - 1])
    cross: tuple[tuple[tuple[float, ...], ...], ...] = ()
    if state.form.duels and state.form.format in ("sections", "swiss"):
        got: dict[tuple[Side, Side], list[float]] = {}
        for one in shown.meetings:
            for side in (0, 1):
                if one.score is not None and one.pair.section == number:
                    got.setdefault((one.sides[side], one.sides[1 - side]), []).append(one.score[side])
        cross = tuple(tuple(tuple(got.get((row.no, column.no), ())) for column in rows) for row in rows)
    pairs = zip(stage.meetings, shown.meetings, strict=True)
    return SectionPage(rows, tuple(_meeting(state, *pair) for pair in pairs if pair[0].pair.section == number), cross)


def _meeting(state: Tournament, one: Meeting, shown: Meeting) -> MeetingRow:
    """Return the row of a meeting. shown: what may be told of it."""
    return MeetingRow(
        one.id,
        one.round,
        one.sides,
        shown.score,
        shown.results,
        one.why,
        one.table,
        None if one.over else one.from_,
        None if one.over else forfeit_at(state.form, one),
    )


def _bracket(stage: Stage) -> tuple[Slot, ...]:
    """Return all matches of the bracket, also those whose players are not known yet."""
    found = []
    for round in range(1, stage.rounds + 1):
        standing = knockout.slots(stage, round)
        after = knockout.slots(stage, round + 1)
        met = {frozenset(one.sides): one.id for one in stage.meetings if one.round == round}
        for board, (upper, lower) in enumerate(zip(standing[::2], standing[1::2], strict=True), 1):
            known = round <= stage.round or round == 1
            winner = after[board - 1] if round <= stage.round else knockout.FREE
            found.append(
                Slot(
                    round,
                    board,
                    upper or None if known else None,
                    lower or None if known else None,
                    winner or None,
                    met.get(frozenset((upper, lower))),
                )
            )
    return tuple(found)


def mine_of(state: Tournament, viewer: int | None) -> Mine | None:
    """Return what somebody has to do with it, None: nothing."""
    mine = state.of(viewer)
    if mine is None or viewer is None:
        return None
    waiting = []
    if state.state == "running" and state.stages:
        for one in state.stage.meetings:
            if mine.no in one.sides and not one.over:
                sides = seats_of(state, one)
                seats = [seat for seat, no in enumerate(sides) if no == mine.no]
                others = tuple(
                    user for no in one.sides if no is not None for user in users_of(state.entrant(no)) if user != viewer
                )
                seat = seats[mine.users.index(viewer) if state.form.teams else 0]
                waiting.append(MyGame(one.game, seat, others, one.from_, one.table, forfeit_at(state.form, one)))
    waiting.sort(key=lambda game: (game.forfeit_at or game.from_, game.game))
    return Mine(mine.no, mine.state, viewer in mine.agreed, tuple(waiting))
