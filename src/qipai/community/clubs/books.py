"""The reads of clubs that more than one part needs."""

from __future__ import annotations

from msgspec import Struct

from qipai.community.clubs.model import Club, Player, Team
from qipai.community.clubs.rules import RANKS, Before, Member
from qipai.store import Connection

__all__ = ["Door", "News", "Said", "all_clubs", "club", "doors", "news", "said"]


class News(Struct, frozen=True):
    """Something that a boss has written to the club. at: seconds."""

    id: int
    author: int | None
    at: int
    title: str
    text: str


class Said(Struct, frozen=True):
    """What a club says of itself, and who has written it."""

    author: int | None
    text: str


class Door(Struct, frozen=True):
    """Somebody who stands before the door: asked, invited or banned; by: the boss."""

    user: int
    what: Before
    at: int
    by: int | None


def all_clubs(db: Connection) -> list[int]:
    """Return the numbers of all clubs that are not given up."""
    return [id for (id,) in db.execute("SELECT id FROM clubs WHERE look IS NOT NULL ORDER BY id")]


def club(db: Connection, id: int) -> Club | None:
    """Return a club, None where there is none (any more)."""
    row = db.execute("SELECT name, founder, at, closed FROM clubs WHERE id = ? AND look IS NOT NULL", (id,)).fetchone()
    if row is None:
        return None
    name, founder, at, closed = row
    people = db.execute("SELECT user, rank, at FROM club_people WHERE club = ? ORDER BY at, user", (id,))
    members = {user: Member(user, RANKS[rank - 1], since) for user, rank, since in people}
    banned = db.execute("SELECT user FROM club_doors WHERE club = ? AND what = 'banned'", (id,))
    return Club(id, name, founder, at, bool(closed), members, frozenset(user for (user,) in banned), _teams(db, id))


def _teams(db: Connection, id: int) -> dict[int, Team]:
    teams: dict[int, Team] = {}
    for team, game, name in db.execute(
        "SELECT id, game, name FROM club_teams WHERE club = ? AND gone = 0 ORDER BY id", (id,)
    ).fetchall():
        rows = db.execute("SELECT user, captain FROM club_players WHERE team = ? ORDER BY place, user", (team,))
        teams[team] = Team(team, id, game, name, tuple(Player(user, bool(captain)) for user, captain in rows))
    return teams


def news(db: Connection, id: int, before: int | None, most: int) -> list[News]:
    """Return the news of a club, newest first."""
    sql = (
        "SELECT id, author, at, title, text FROM club_news WHERE club = ? AND id < ? AND removed = 0"
        " ORDER BY id DESC LIMIT ?"
    )
    return [News(*row) for row in db.execute(sql, (id, 2**62 if before is None else before, most))]


def doors(db: Connection, id: int) -> list[Door]:
    """Return who stands before the door of a club, the longest first."""
    sql = "SELECT user, what, at, by FROM club_doors WHERE club = ? ORDER BY at, user"
    return [Door(*row) for row in db.execute(sql, (id,))]


def said(db: Connection, id: int) -> Said:
    """Return what a club says of itself."""
    return Said(*(db.execute("SELECT author, text FROM clubs WHERE id = ?", (id,)).fetchone() or (None, "")))
