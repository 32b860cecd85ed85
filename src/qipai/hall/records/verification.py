"""Whether finished games are what their log says, and what is wrong where they are not (platform P-90, P-92)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from qipai import games
from qipai.core.contract import IllegalAction
from qipai.core.entry import BadOption
from qipai.core.record import Contradiction, LuckDiffers
from qipai.hall.live import books
from qipai.hall.records import replay
from qipai.hall.table.events import LoggedEvent
from qipai.store import Connection

__all__ = ["Difference", "Noted", "difference", "finished_games", "of_game"]

Kind = Literal["log", "luck", "result", "rules"]


class Difference(Struct, frozen=True):
    """What is wrong with a game.

    kind: log: rows are missing or cannot be read; luck: the seed is not the one that was committed to, or the cards are
    not its cards; result: the actions give another result, or are no actions of its rules; rules: as `result`, in a
    game of an older edition, which these rules may no longer know.
    """

    id: str
    game: str
    edition: int | None
    kind: Kind
    why: str


class Noted(Struct, frozen=True):
    """How far a check of many games has come: the last that was checked, and all that differed so far."""

    last: str
    wrong: list[Difference]


def finished_games(db: Connection) -> list[str]:
    """Return the names of all games that have ended, by the books or by the log, the first one first."""
    sql = (
        "SELECT id FROM (SELECT id, ended_at AS at FROM games WHERE ended_at IS NOT NULL UNION"
        " SELECT substr(stream, 6), at FROM events WHERE type = 'game.ended'"
        " AND substr(stream, 6) NOT IN (SELECT id FROM games WHERE ended_at IS NOT NULL)) ORDER BY at, id"
    )
    return [id for (id,) in db.execute(sql)]


def of_game(db: Connection, id: str) -> Difference | None:
    """Return what is wrong with a game of a hall."""
    try:
        rows = books.game_rows(db, id)
    except Exception as wrong:  # rows that no event can be made of
        return Difference(id, "", None, "log", f"its rows cannot be read: {wrong}")
    if (found := difference(rows, id)) is not None:
        return found
    begun = replay.created(rows)
    if begun.goes_on is None or begun.goes_on.game is None:
        return None
    # A game from a file may be gone; a branch has all that it needs.
    why = replay.strays(rows, replay.played(books.game_rows(db, begun.goes_on.game)))
    return None if why is None else Difference(id, begun.game, begun.edition, "log", why)


def difference(rows: Sequence[LoggedEvent], id: str) -> Difference | None:
    """Return what is wrong with a game: it is played again under the options and the edition of its log."""
    try:
        begun = replay.created(rows)
    except (IndexError, AssertionError):
        return Difference(id, "", None, "log", "its beginning is missing")
    about = id, begun.game, begun.edition
    gap = next((n for n, row in enumerate(rows, 1) if row.seq != n), None)
    if gap is not None:
        return Difference(*about, "log", f"row {gap} is missing")
    if not replay.is_finished(rows):
        return Difference(*about, "log", "its end is missing")
    wrong = replay.refuted(rows)
    if wrong is None:
        return None
    kind: Kind = "luck" if isinstance(wrong, LuckDiffers) else "result"
    if kind == "result" and begun.edition < games.find(begun.game).edition:
        kind = "rules"
    why = str(wrong) if isinstance(wrong, (IllegalAction, Contradiction, BadOption)) else repr(wrong)
    return Difference(*about, kind, why)
