"""How a meeting is decided by its games, and which games should be going on (RP-24, RP-25). Pure."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from qipai.contests.contract import Game, GameOver
from qipai.contests.tournaments.duplicate import deal_of
from qipai.contests.tournaments.form import TournamentForm
from qipai.contests.tournaments.model import GameResult, Meeting, Side, Tournament

__all__ = [
    "LONGEST",
    "REPLAYS",
    "by_side",
    "duel_scores",
    "find",
    "forfeit_at",
    "games",
    "meeting_of",
    "seats_of",
    "verdict",
]

REPLAYS: Final = 2  # of a level meeting that needs a winner; in the last a draw counts for who moves second
LONGEST: Final = 4  # a match to n wins is over after 4n games, if one leads then


def verdict(meeting: Meeting) -> tuple[float, ...] | None:
    """Return what a meeting of two sides brings them by its games, None: it goes on.

    A match goes to so many wins, draws count for nobody; a meeting that needs a winner is played on while it is level.
    The last game that can be played decides: a draw in it is a win for who moves second.
    """
    pair, results = meeting.pair, meeting.results
    if not results:
        return None
    last = results[-1]
    wins = [float(sum(result.scores[side] > result.scores[1 - side] for result in results)) for side in (0, 1)]
    totals = [sum((result.scores[side] for result in results), 0.0) for side in (0, 1)]
    if pair.wins:
        most, have = LONGEST * pair.wins, wins
        over = max(wins) >= pair.wins or (len(results) >= most and wins[0] != wins[1])
    else:
        most, have = pair.games + REPLAYS - 1, totals
        over = len(results) >= pair.games and (not pair.decide or have[0] != have[1])
        if over and pair.games == 1 and not pair.decide:
            return last.scores
    if over or (_nobody(last) and (pair.decide or pair.wins)):  # where both stay away, there is nothing to replay
        return _outcome(have, nobody=_nobody(last) if pair.decide or pair.wins else not any(totals))
    if len(results) > most and (pair.decide or pair.wins):
        return (0.0, 1.0) if last.first == 0 else (1.0, 0.0)
    return None


def _nobody(result: GameResult) -> bool:
    """Tell whether neither side has come."""
    return not any(result.scores)


def _outcome(have: list[float], *, nobody: bool) -> tuple[float, ...]:
    """Return 1, ½ and 0 by what two sides have."""
    if have[0] == have[1]:
        return (0.0, 0.0) if nobody else (0.5, 0.5)
    return (1.0, 0.0) if have[0] > have[1] else (0.0, 1.0)


def seats_of(state: Tournament, meeting: Meeting) -> tuple[Side, ...]:
    """Return which entrant sits where in the game that is to be played now; partners sit at every second seat."""
    sides = meeting.sides
    if not state.form.duels:
        return sides
    order = sides if meeting.first == 0 else sides[::-1]
    return tuple(order[seat % 2] for seat in range(state.form.seats))


def _users(state: Tournament, meeting: Meeting) -> tuple[int | None, ...]:
    """Return the people by seat; who has left before the game began has none."""
    users: list[int | None] = []
    for seat, no in enumerate(seats_of(state, meeting)):
        entrant = None if no is None else state.entrant(no)
        there = entrant is not None and (entrant.state != "out" or meeting.table is not None)
        users.append(entrant.users[seat // 2 if state.form.teams else 0] if entrant and there else None)
    return tuple(users)


def forfeit_at(form: TournamentForm, meeting: Meeting) -> int | None:
    """Return when who is not ready has lost the game, None: never."""
    return None if form.by_days else meeting.from_ + form.forfeit_minutes * 60_000


def games(state: Tournament) -> tuple[Game, ...]:
    """Return the games that should be going on: one of each meeting that is not over."""
    if state.state != "running" or not state.stages:
        return ()
    terms = replace(state.form.terms, seats=state.form.seats)
    return tuple(
        Game(
            id=meeting.game,
            users=_users(state, meeting),
            terms=terms,
            from_=meeting.from_,
            forfeit_at=forfeit_at(state.form, meeting),
            table=meeting.table,
            deal=deal_of(state, meeting),
        )
        for meeting in state.stage.meetings
        if not meeting.over
    )


def find(state: Tournament, game: str) -> Meeting | None:
    """Return the meeting whose present game is called so, None: that game is over, or never was."""
    if state.state != "running" or not state.stages:
        return None
    id = meeting_of(game)
    found = next((one for one in state.stage.meetings if one.pair.id == id), None)
    return found if found is not None and not found.over and found.game == game else None


def meeting_of(game: str) -> str:
    """Return the meeting that a game belongs to, by its name."""
    return game.rpartition(".")[0]


def by_side(state: Tournament, meeting: Meeting, points: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points of a game by side of the meeting: partners' are added up."""
    if not state.form.duels:
        return tuple(points[: len(meeting.sides)])
    sums = [sum(points[half::2]) for half in (0, 1)]
    return (sums[0], sums[1]) if meeting.first == 0 else (sums[1], sums[0])


def duel_scores(state: Tournament, meeting: Meeting, over: GameOver) -> tuple[float, ...] | None:
    """Return what a game of two sides brings them, None: it came to nothing. Places decide where points are equal."""
    if over.why == "absent":
        missing = [any(seat % 2 == half for seat in over.absent) for half in (0, 1)]
        if meeting.first:
            missing.reverse()
        if missing == [False, False]:
            return None
        return (float(missing[1] and not missing[0]), float(missing[0] and not missing[1]))
    if over.why in ("void", "closed") or len(over.points) != state.form.seats:
        return None
    ours, theirs = by_side(state, meeting, over.points)
    if ours == theirs and len(over.places) == state.form.seats:
        theirs, ours = by_side(state, meeting, over.places)
    return (1.0, 0.0) if ours > theirs else (0.0, 1.0) if ours < theirs else (0.5, 0.5)
