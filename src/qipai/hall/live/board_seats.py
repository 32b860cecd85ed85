"""Who sat where in the games of rooms' shared deals, and what each seat's result is worth (platform P-94).

Each seat is compared with the same seat at the other tables, whoever sits there: people, or bots of one level. Who
leaves gets what the bot makes that plays on for them, so that leaving a bad board saves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET, Struct

from qipai.core.record import UNFINISHED
from qipai.hall.live.comparison import Compared, compared
from qipai.hall.table.events import DealCreated, Settled
from qipai.store import Connection

__all__ = ["BoardSeat", "begin", "close", "compared_by_seat", "end", "of_board"]


class BoardSeat(Struct, frozen=True):
    """A seat of a game. user: None: a bot of the level `bot`; points: None: the game goes on, or was broken off."""

    game: str
    table: int
    seat: int
    user: int | None
    bot: str | None
    points: int | None
    gone: bool
    over: bool


def begin(db: Connection, id: str, created: DealCreated) -> None:
    """Note who sits where in a game of a room's shared deal."""
    if created.board_no is UNSET:
        return
    sql = "INSERT INTO board_seats (game, seat, board, user, bot) VALUES (?, ?, ?, ?, ?)"
    for seat, player in enumerate(created.seats):
        db.execute(sql, (id, seat, created.board, player.user, player.bot))


def end(db: Connection, id: str, ended: Settled) -> None:
    """Note what each seat has made of a game, unless it was broken off."""
    if ended.why in UNFINISHED:
        return
    for seat, points in enumerate(ended.points):
        gone = str(seat) in (ended.left or {})
        sql = "UPDATE board_seats SET points = ?, gone = ? WHERE game = ? AND seat = ?"
        db.execute(sql, (points, int(gone), id, seat))


def of_board(db: Connection, board: str) -> list[BoardSeat]:
    """Return the seats of all games of a shared deal, the first game first."""
    sql = (
        "SELECT s.game, g.tbl, s.seat, s.user, s.bot, s.points, s.gone, g.ended_at IS NOT NULL FROM board_seats s"
        " JOIN games g ON g.id = s.game WHERE s.board = ? ORDER BY g.begun_at, s.game, s.seat"
    )
    return [
        BoardSeat(game, table, seat, user, bot, points, gone=bool(gone), over=bool(over))
        for game, table, seat, user, bot, points, gone, over in db.execute(sql, (board,))
    ]


def compared_by_seat(seats: Iterable[BoardSeat]) -> dict[tuple[str, int], Compared]:
    """Return what each seat of each game is worth beside the same seat of the others: (game, seat) -> worth."""
    points: dict[int, dict[tuple[str, int], int]] = {}
    for one in seats:
        if one.points is not None:
            points.setdefault(one.seat, {})[one.game, one.seat] = one.points
    return {key: worth for same in points.values() for key, worth in compared(same).items()}


def close(db: Connection, board: str) -> None:
    """Write what all results of a shared deal are worth, now that there will be no more of them."""
    for (game, seat), worth in compared_by_seat(of_board(db, board)).items():
        if worth.percent is not None:
            sql = "UPDATE board_seats SET percent = ?, difference = ? WHERE game = ? AND seat = ?"
            db.execute(sql, (worth.percent, worth.difference, game, seat))
