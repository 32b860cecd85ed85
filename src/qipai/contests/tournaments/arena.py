"""An arena (RP-28): who waits is paired until the time is over; points with streaks. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from qipai.contests.tournaments.model import Stage, Tournament

__all__ = ["DRAW", "STREAK", "WIN", "Score", "pairs", "scores", "waiting"]

WIN, DRAW, STREAK = 2, 1, 2  # points; so many wins in a row, and each further win counts double


class Score(Struct, frozen=True, omit_defaults=True):
    """What somebody has in an arena. streak: wins in a row up to now; firsts: how often they had the first seat."""

    points: int = 0
    wins: int = 0
    games: int = 0
    streak: int = 0
    firsts: int = 0
    last: int | None = None  # whom they met last
    last_first: bool = False


def scores(stage: Stage, nos: Sequence[int]) -> dict[int, Score]:
    """Return what each has by the meetings that are over, in the order in which they were paired."""
    found = {no: Score() for no in nos}
    for meeting in stage.meetings:
        if meeting.score is None:
            continue
        for side, (no, other) in enumerate((meeting.sides, meeting.sides[::-1])):
            if no is None or no not in found:
                continue
            before, got = found[no], meeting.score[side]
            won = got > meeting.score[1 - side]
            brings = WIN * (2 if before.streak >= STREAK else 1) if won else DRAW if got else 0
            found[no] = Score(
                points=before.points + brings,
                wins=before.wins + won,
                games=before.games + 1,
                streak=before.streak + 1 if won else 0,
                firsts=before.firsts + (side == 0),
                last=other,
                last_first=side == 0,
            )
    return found


def waiting(state: Tournament) -> tuple[int, ...]:
    """Return who could be paired now."""
    busy = {no for meeting in state.stage.meetings if not meeting.over for no in meeting.sides}
    return tuple(one.no for one in state.entrants if one.state == "in" and one.complete and one.no not in busy)


def pairs(state: Tournament) -> list[tuple[int, int]]:
    """Return who of those that wait meets whom: neighbours by points, who had the first seat less often first.

    Nobody meets whom they or the other met last, unless all who wait did.
    """
    nos = waiting(state)
    have = scores(state.stage, nos)
    place = {no: at for at, no in enumerate(state.order)}
    left = sorted(nos, key=lambda no: (-have[no].points, -have[no].wins, place.get(no, no + len(place))))
    found: list[tuple[int, int]] = []
    unpaired: list[int] = []

    def fresh(one: int, other: int) -> bool:
        return have[one].last != other and have[other].last != one

    while left:
        one = left.pop(0)
        other = next((no for no in left if fresh(one, no)), None)
        if other is None:
            unpaired.append(one)
        else:
            left.remove(other)
            found.append((one, other))
    if len(unpaired) > 1:  # the last ones met each other before: exchange with a pair above
        for at in range(len(found) - 1, -1, -1):
            one, other = unpaired[0], unpaired[1]
            a, b = found[at]
            for c, d in ((a, b), (b, a)):
                if fresh(one, c) and fresh(other, d):
                    found[at : at + 1] = [(one, c), (other, d)]
                    del unpaired[:2]
                    break
            if len(unpaired) < 2:
                break
    if not found and len(unpaired) > 1:
        found.append((unpaired[0], unpaired[1]))
    return [_coloured(one, other, have) for one, other in found]


def _coloured(one: int, other: int, have: dict[int, Score]) -> tuple[int, int]:
    def key(no: int) -> tuple[int, bool]:
        mine = have[no]
        return (2 * mine.firsts - mine.games, mine.last_first)

    return (one, other) if key(one) <= key(other) else (other, one)
