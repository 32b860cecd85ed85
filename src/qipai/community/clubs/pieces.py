"""What of clubs can be reported and removed, and what somebody takes along of them (platform P-95, P-96)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from qipai.community.contract import Piece, Reported
from qipai.store import Connection

__all__ = ["NAMED", "exported", "pieces"]

# Where somebody is named as the author of what stays.
NAMED: Final = (
    ("clubs", "author"),
    ("clubs", "founder"),
    ("club_news", "author"),
    ("club_teams", "author"),
    ("club_doors", "by"),
    ("club_challenges", "by"),
    ("club_challenges", "answered_by"),
)


def pieces(
    club_renamed: Callable[[int], Awaitable[None]], team_renamed: Callable[[int], Awaitable[None]]
) -> Mapping[str, Piece]:
    """Return the kinds of pieces. club_renamed, team_renamed: are told of what has lost its name."""

    def club(db: Connection, id: int) -> Reported | None:
        row = db.execute("SELECT author, name, text, removed FROM clubs WHERE id = ?", (id,)).fetchone()
        if row is None:
            return None
        author, name, text, removed = row
        return Reported(author, f"{name}\n\n{text}".strip(), f"/clubs/{id}", removed=bool(removed))

    def no_club(db: Connection, id: int) -> bool:
        sql = (
            "UPDATE clubs SET removed = 1, name = '#' || id, text = '',"
            " look = CASE WHEN look IS NULL THEN NULL ELSE CAST(? AS TEXT) || id END WHERE id = ? AND removed = 0"
        )
        return db.execute(sql, ("\x01", id)).rowcount > 0  # no name folds to that

    def news(db: Connection, id: int) -> Reported | None:
        row = db.execute("SELECT author, club, title, text, removed FROM club_news WHERE id = ?", (id,)).fetchone()
        if row is None:
            return None
        author, club, title, text, removed = row
        return Reported(author, f"{title}\n\n{text}", f"/clubs/{club}", removed=bool(removed))

    def no_news(db: Connection, id: int) -> bool:
        return db.execute("UPDATE club_news SET removed = 1 WHERE id = ? AND removed = 0", (id,)).rowcount > 0

    def team(db: Connection, id: int) -> Reported | None:
        row = db.execute("SELECT author, club, name, removed FROM club_teams WHERE id = ?", (id,)).fetchone()
        return None if row is None else Reported(row[0], row[2], f"/clubs/{row[1]}/teams", removed=bool(row[3]))

    def no_team(db: Connection, id: int) -> bool:
        sql = "UPDATE club_teams SET removed = 1, name = '#' || id WHERE id = ? AND removed = 0"
        return db.execute(sql, (id,)).rowcount > 0

    return {
        "club": Piece(club, _seen(club), no_club, club_renamed),
        "club_news": Piece(news, _seen(news), no_news),
        "club_team": Piece(team, _seen(team), no_team, team_renamed),
    }


def _seen(
    find: Callable[[Connection, int], Reported | None],
) -> Callable[[Connection, int, int], Reported | None]:
    """Return the same for a reader: clubs are open to everybody, what was removed to nobody."""

    def seen(db: Connection, id: int, user: int) -> Reported | None:
        found = find(db, id)
        return None if found is None or found.removed else found

    return seen


def exported(db: Connection, user: int) -> dict[str, Any]:
    """Return all that a user has and has written in clubs."""

    def rows(sql: str) -> list[dict[str, Any]]:
        cursor = db.execute(sql, (user,))
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    return {
        "member": rows(
            "SELECT p.club, c.name, p.rank, p.at FROM club_people p JOIN clubs c ON c.id = p.club WHERE p.user = ?"
        ),
        "founded": rows("SELECT id, name, text, at, gone_at FROM clubs WHERE founder = ?"),
        "texts": rows("SELECT id, name, text FROM clubs WHERE author = ?"),
        "named": rows("SELECT id, club, game, name, at FROM club_teams WHERE author = ?"),
        "asked": rows("SELECT club, what, at FROM club_doors WHERE user = ?"),
        "news": rows("SELECT id, club, at, title, text FROM club_news WHERE author = ?"),
        "teams": rows(
            "SELECT t.id, t.club, t.game, t.name, p.captain FROM club_players p JOIN club_teams t ON t.id = p.team"
            " WHERE p.user = ?"
        ),
        "challenges": rows("SELECT id, at, club, team, game, terms, state FROM club_challenges WHERE by = ?"),
        "answered": rows("SELECT id, at, other_club, other_team, state FROM club_challenges WHERE answered_by = ?"),
    }
