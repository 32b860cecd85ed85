"""Calls of rooms of shared deals (platform P-94, 同牌赛)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict

from qipai import lang
from qipai.accounts.model import User
from qipai.hall.live.board_seats import BoardSeat, compared_by_seat
from qipai.hall.rooms.room_boards import RoomBoard
from qipai.web.api import Ask, call
from qipai.web.pages.duplicates import DealProof
from qipai.web.pages.room_boards import (
    BoardLine,
    BoardResult,
    BoardShown,
    BoardStanding,
    BoardState,
    MyRoomBoard,
    RoomBoards,
)

__all__: list[str] = []

TOP = 50  # of the standings


@call("GET", "/rooms/{id:int}/boards", queries="limit after")
async def all_boards(ask: Ask) -> RoomBoards:
    """List the boards of a room of shared deals, the newest first, with my results; and who has made most of them.

    `after`: the number of a board; those before it follow.
    """
    boards, before, most = ask.hall.room_boards, *ask.cursor()
    room = boards.room(ask.path["id"])
    found = await boards.boards(room.id, before=before, most=most + 1)
    now = ask.services.now()
    rows = [_line(ask, board, seats, room.board_tables, now) for board, seats in found[:most]]
    top, me = await boards.standings(room.id, ask.viewer, TOP)
    return RoomBoards(
        room=room.id,
        game=room.game,
        name=lang.spread(room.name),
        most=room.board_tables,
        rows=tuple(rows),
        top=tuple(BoardStanding(**asdict(one)) for one in top),
        me=None if me is None else BoardStanding(**asdict(me)),
        people=await _people(ask, [one.user for one in top]),
        next=str(rows[-1].no) if len(found) > most else None,
    )


@call("GET", "/rooms/{id:int}/boards/{no:int}")
async def one_board(ask: Ask) -> BoardShown:
    """Show a board: its commitment, and what each seat has made of it at each table.

    Before the board is opened, the results are shown to those who have played it to its end themselves.
    """
    room = ask.hall.room_boards.room(ask.path["id"])
    board, seats, drawn = await ask.hall.room_boards.board(room.id, ask.path["no"])
    line = _line(ask, board, seats, room.board_tables, ask.services.now())
    played = any(one.user == ask.viewer and one.over for one in seats if one.user is not None)
    rows = _results(seats, room.places) if board.opened or played else None
    return BoardShown(
        room=room.id,
        game=room.game,
        name=lang.spread(room.name),
        board=line,
        most=room.board_tables,
        seats=room.places,
        until=board.until(room.board_tables) or None,
        rows=rows,
        proof=DealProof(drawn.id, drawn.commitment, drawn.server_seed if drawn.opened else None),
        people=await _people(ask, [one.user for each in rows or () for one in each if one.user is not None]),
    )


def _line(ask: Ask, board: RoomBoard, seats: Sequence[BoardSeat], most: int, now: int) -> BoardLine:
    state: BoardState = "opened" if board.opened else "open" if board.takes(most, now) else "full"
    mine = next((one for one in seats if one.user is not None and one.user == ask.viewer), None)
    return BoardLine(board.no, state, board.tables, board.playing, None if mine is None else _mine(mine, seats))


def _mine(mine: BoardSeat, seats: Sequence[BoardSeat]) -> MyRoomBoard:
    """Return what somebody has made of a board. While they play it they learn nothing of the others."""
    if not mine.over:
        return MyRoomBoard(mine.seat, mine.table, None, None, None, None)
    worth = compared_by_seat(seats).get((mine.game, mine.seat))
    percent, difference = (None, None) if worth is None or worth.percent is None else (worth.percent, worth.difference)
    return MyRoomBoard(mine.seat, None, mine.game, mine.points, percent, difference)


def _results(seats: Sequence[BoardSeat], places: int) -> tuple[tuple[BoardResult, ...], ...]:
    worth = compared_by_seat(seats)
    found: list[list[BoardResult]] = [[] for _ in range(places)]
    for one in seats:
        if one.over and one.seat < places:
            of = worth.get((one.game, one.seat))
            rank, percent, difference = (None, None, None) if of is None else (of.rank, of.percent, of.difference)
            result = BoardResult(
                one.game,
                one.seat,
                one.user,
                one.bot,
                rank,
                one.points,
                percent,
                None if percent is None else difference,
                one.gone,
            )
            found[one.seat].append(result)
    return tuple(tuple(sorted(each, key=lambda one: (one.rank is None, one.rank or 0))) for each in found)


async def _people(ask: Ask, users: Sequence[int]) -> tuple[User, ...]:
    ids = sorted(set(users))
    await ask.accounts.meet(ids)
    known = [ask.accounts.peek(user) for user in ids]
    return tuple(user for user in known if user is not None)
