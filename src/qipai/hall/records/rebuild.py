"""Rebuild: delete the projections and make them again from the log (platform P-108, `qipai rebuild`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qipai.hall.live import board_seats, books, daily_boards, shared_deals
from qipai.hall.live.recovery import load
from qipai.hall.rooms import invitations
from qipai.hall.table.correspondence import asleep
from qipai.hall.table.events import DealCreated, Settled
from qipai.hall.table.stored import event_of
from qipai.ledger.model import Begun
from qipai.ledger.service import TYPES, Ledger
from qipai.moderation import keepers
from qipai.moderation import service as moderation
from qipai.store import Connection, Store
from qipai.store.tables import digest, tables_of
from qipai.store.writer import rows_of

__all__ = ["fingerprints", "rebuild"]


def fingerprints(db: Connection) -> dict[str, str]:
    """Return a digest of the rows of every database table; if `rebuild` changes one, it differed from the log."""
    return {name: digest(db, name) for name in tables_of(db)}


async def rebuild(store: Store, more: Sequence[Callable[[Connection], object]] = ()) -> int:
    """Rebuild the projections of the hall and the ledger in one transaction; return how many tables there are.

    The hall must not be running. more: functions that rebuild projections of packages above the hall, in the same
    transaction.
    """
    ledger = Ledger(store)

    def work(db: Connection) -> int:
        db.execute("DELETE FROM games")
        db.execute("DELETE FROM tables")
        db.execute("DELETE FROM ends")
        db.execute("DELETE FROM reasons")
        db.execute("DELETE FROM parts")
        db.execute("DELETE FROM dailies")
        db.execute("DELETE FROM board_seats")
        begun: dict[str, Begun] = {}
        rows = rows_of(db, f"type IN ({','.join('?' * len(TYPES))})", TYPES)
        for row in rows:
            game = row.stream.partition(":")[2]
            what = event_of(row).what if row.type in ("game.created", "game.ended") else None
            if isinstance(what, DealCreated):
                books.add_game(db, game, row.at, what)
                daily_boards.begin(db, game, row.now, what)
                board_seats.begin(db, game, what)
                begun[game] = what.begun
            elif isinstance(what, Settled):
                books.end_game(db, game, row.at, begun[game], what)
                daily_boards.end(db, game, what)
                board_seats.end(db, game, what)
        shared_deals.rebuild(db)
        ledger.rebuild(db, rows)
        moderation.rebuild(db, rows_of(db, f"type IN ({','.join('?' * len(moderation.TYPES))})", moderation.TYPES))
        keepers.rebuild(db, rows_of(db, f"type IN ({','.join('?' * len(keepers.TYPES))})", keepers.TYPES))
        db.execute("DELETE FROM vacations")
        for row in rows_of(db, "type = 'vacation.taken'", ()):
            books.rest(db, row.data)
        db.execute("DELETE FROM invites")
        for row in rows_of(db, "stream > 'invite:' AND stream < 'invite;'", ()):
            invitations.fold(db, int(row.stream.partition(":")[2]), row.seq, row.type, row.data, row.at)
        streams = db.execute(
            "SELECT DISTINCT stream FROM events WHERE type = 'table.opened' ORDER BY stream"
        ).fetchall()
        for (stream,) in streams:
            table = int(stream.partition(":")[2])
            found = load(table, books.table_rows(db, table))
            books.write_table(db, found.table, asleep(found.table, found.last))
        for each in more:
            each(db)
        return len(streams)

    return await store.transaction(work)
