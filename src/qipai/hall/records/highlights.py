"""What somebody's games look like from afar: days, partners and opponents, the best deals (platform P-4).

Each question is bounded: by an index, by a number of games looked at, or by how many games this hall has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from qipai import games
from qipai.hall.live.shared_deals import hidden
from qipai.hall.records.statistics import percents
from qipai.store import Connection

__all__ = ["Ally", "Best", "Company", "Met", "best", "company", "days", "likes", "popular"]

LOOKED_AT: Final = 1000  # of somebody's latest games, for whom they play with
LATELY: Final = 100  # games by which the lobby orders its cards
CANDIDATES: Final = 20  # who may still be hidden from whoever asks
RARE: Final = 25.0  # percent of a game's ends, at most
# Whether a part `p` is of a game that the viewer, ?2, may know of: not of a shared deal that is closed to them (P-94).
SEEN: Final = f"NOT EXISTS (SELECT 1 FROM games g WHERE g.id = p.id AND {hidden('?2')})"
DAYS: Final = (
    "SELECT strftime('%Y-%m-%d', p.at + ?4, 'unixepoch'), count(*) FROM parts p INDEXED BY parts_by_day"
    f" WHERE p.user = ?1 AND p.at >= ?3 AND {SEEN} GROUP BY 1 ORDER BY 1"
)
COMPANY: Final = (
    "SELECT p.game, p.seat, p.sign, p.points, q.user, q.seat, q.sign, q.points FROM parts p"
    " JOIN parts q INDEXED BY parts_of_game ON q.id = p.id AND q.user != p.user"
    " WHERE p.user = ?1 AND p.sign IS NOT NULL"
    f" AND p.n > (SELECT coalesce(max(n), 0) FROM parts WHERE user = ?1) - {LOOKED_AT} AND {SEEN}"
)
DEAL: Final = "SELECT p.id, p.variant, p.at, p.points, p.why FROM parts p"
# Each win of a game in the order of its points; equal ones are in no order that anybody would miss.
MOST: Final = (
    f"{DEAL} INDEXED BY parts_by_points WHERE p.user = ?1 AND p.game = ?3 AND p.sign = 1 AND {SEEN}"
    " ORDER BY p.points DESC LIMIT 1"
)
LEAST: Final = (
    "SELECT p.points FROM parts p INDEXED BY parts_by_points WHERE p.user = ?1 AND p.game = ?2 AND p.sign = 1"
    " ORDER BY p.points LIMIT 1"
)
ENDED_SO: Final = (
    f"{DEAL} INDEXED BY parts_by_why WHERE p.user = ?1 AND p.game = ?3 AND p.sign = 1 AND p.why = ?4 AND {SEEN} LIMIT 1"
)
LIKES: Final = (
    "SELECT game, count(*) FROM (SELECT game FROM parts INDEXED BY parts_of_user WHERE user = ? ORDER BY n DESC"
    " LIMIT ?) GROUP BY game ORDER BY 2 DESC, 1"
)


class Ally(Struct, frozen=True):
    """The results of two people on the same side."""

    user: int
    games: int
    won: int
    lost: int
    drawn: int


class Met(Struct, frozen=True):
    """The results of two people in their common games: who had more points, whatever side they were on."""

    user: int
    games: int
    ahead: int
    behind: int
    level: int


class Company(Struct, frozen=True):
    """With whom somebody plays most: on one side (对家), and against each other."""

    partners: list[Ally]
    opponents: list[Met]


class Best(Struct, frozen=True):
    """A win to look at again: the one with the most points, or one whose end is rare in this hall.

    share: of all games of its kind that ended so, in percent, for a rare one.
    """

    kind: Literal["points", "rare"]
    id: str
    game: str
    variant: str | None
    at: int
    points: int
    why: str | None
    share: str | None = None


def days(db: Connection, user: int, viewer: int | None, since: int, offset: int) -> list[tuple[str, int]]:
    """Return on which days somebody has finished how many games. since: seconds; offset: seconds east of Greenwich."""
    return db.execute(DAYS, (user, viewer, since, offset)).fetchall()


def company(db: Connection, user: int, viewer: int | None) -> Company:
    """Return with whom somebody has played most lately, on their side and against them, and with what results."""
    partners: dict[int, list[int]] = {}
    opponents: dict[int, list[int]] = {}
    for game, seat, sign, points, other, place, theirs, others in db.execute(COMPANY, (user, viewer)):
        if _together(game, seat, place, sign, theirs):
            partners.setdefault(other, [0, 0, 0])[1 - sign] += 1  # won, drawn, lost
        else:
            opponents.setdefault(other, [0, 0, 0])[(points < others) + 2 * (points == others)] += 1
    allies = [Ally(who, sum(n), n[0], n[2], n[1]) for who, n in partners.items()]
    rivals = [Met(who, sum(n), *n) for who, n in opponents.items()]
    return Company(
        sorted(allies, key=lambda one: (-one.games, one.user))[:CANDIDATES],
        sorted(rivals, key=lambda one: (-one.games, one.user))[:CANDIDATES],
    )


def _together(game: str, seat: int, other: int, sign: int, theirs: int | None) -> bool:
    """Tell whether two seats won or lost together: by their sides, or, where these are found in play, by the result."""
    entry = games.find(game)
    sides = entry.sides(max(entry.seats))
    if entry.teams is not None:
        return sign != 0 and sign == theirs
    return max(seat, other) < len(sides) and sides[seat] == sides[other]


def best(db: Connection, user: int, viewer: int | None) -> list[Best]:
    """Return somebody's best deals: of each game the win with the most points, then those with the rarest ends."""
    ends = _ends(db)
    most, rare = [], []
    for game in games.names():
        row = db.execute(MOST, (user, viewer, game)).fetchone()
        if row is None:
            continue
        least = db.execute(LEAST, (user, game)).fetchone()
        if least is not None and least[0] < row[3]:  # where all wins are worth the same, none is the best
            id, variant, at, points, end = row
            most.append(Best("points", id, game, variant, at, points, end))
        for why, share in ends.get(game, ()):
            row = db.execute(ENDED_SO, (user, viewer, game, why)).fetchone()
            if row is not None:
                id, variant, at, points, end = row
                rare.append(Best("rare", id, game, variant, at, points, end, share))
                break
    rare.sort(key=lambda one: float(one.share or 0))
    return most + rare


def _ends(db: Connection) -> Mapping[str, list[tuple[str, str]]]:
    """Return the rare ends of each game with their shares, the rarest first; a game's variants are added up."""
    counts: dict[str, dict[str, int]] = {}
    for line, why, count in db.execute("SELECT game, why, count FROM reasons"):
        of = counts.setdefault(line.partition("/")[0], {})
        of[why] = of.get(why, 0) + count
    found = {}
    for game, of in counts.items():
        shares = percents(of)
        some = [why for why in sorted(of, key=lambda why: (of[why], why)) if float(shares[why]) <= RARE]
        found[game] = [(why, shares[why]) for why in some]
    return found


def likes(db: Connection, user: int) -> list[str]:
    """Return the games that somebody has played lately, the one they play most first."""
    return [game for game, _count in db.execute(LIKES, (user, LATELY))]


def popular(db: Connection) -> dict[str, int]:
    """Return how many games of each kind have been finished in this hall, by the counts that it keeps."""
    counts: dict[str, int] = {}
    for line, count in db.execute("SELECT game, sum(count) FROM ends GROUP BY game"):
        game = line.partition("/")[0]
        counts[game] = counts.get(game, 0) + int(count)
    return counts
