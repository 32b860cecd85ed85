"""Games imported from files of other programs (decision 0041); they replay like those played in the hall."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import Struct, structs

from qipai import games
from qipai.accounts.text import line, plain
from qipai.core.contract import BadNotation
from qipai.core.entry import BadOption, Found, Record
from qipai.hall.live.runner import new_id
from qipai.hall.live.timers import Clock
from qipai.hall.table.errors import HallError
from qipai.store import Connection, Store

__all__ = ["Brought", "Reading", "Shelf", "brought_by", "find", "shown"]

Json = Any
MOST_GAMES: Final = 100  # of one file at a time
MOST_KEPT: Final = 500  # by one person
MOST_ROWS: Final = 10_000  # of one game


class Brought(Struct, frozen=True, kw_only=True):
    """An imported game, as its owner's list shows it."""

    id: str
    game: str
    at: int  # ms since 1970
    players: tuple[str, ...]
    date: str  # YYYY-MM-DD, or what the file has
    title: str  # the event it was played at, "" where the file names none
    rows: int


class Reading(Struct, frozen=True):
    """The result of importing one game of a file: kept, or refused with the reader's message."""

    n: int  # its number in the file, from 1
    kept: Brought | None
    unread: Mapping[str, Json] | None  # line, ply, move, why: as far as they are known


class Shelf:
    """The games that people have imported."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    async def bring(self, user: int, data: bytes) -> tuple[str, Sequence[Reading], bool]:
        """Import the games of a file; return which game it is, the result for each, and whether the file has more.

        Raises HallError: BAD_RECORD for a file that no game can read, LIMIT_REACHED if the user keeps too many.
        """
        seen = await asyncio.get_running_loop().run_in_executor(None, games.recognised, data)
        if seen is None:
            raise HallError("BAD_RECORD")
        game, form = seen
        room = MOST_KEPT - await self._store.read(lambda db: _count(db, user))
        if room <= 0:
            raise HallError("LIMIT_REACHED", case="brought", most=MOST_KEPT)
        most = min(room, MOST_GAMES)
        try:
            read, more = await asyncio.get_running_loop().run_in_executor(None, _read, data, game, form, most)
        except BadNotation as wrong:
            raise HallError("BAD_RECORD", case="unread", game=game, **_where(wrong)) from wrong
        now = self._clock.now()
        done = []
        rows = []
        for n, one in enumerate(read, 1):
            if isinstance(one, Found):
                id = new_id()
                rows.append((id, user, now, game, msgspec.json.encode(one).decode()))
                done.append(Reading(n, _listed(id, now, one), None))
            else:
                done.append(Reading(n, None, one))
        if rows:
            await self._store.transaction(lambda db: _keep(db, rows))
        return game, done, more

    async def of(self, user: int) -> list[Brought]:
        """Return the games that somebody has imported, newest first."""
        return await self._store.read(lambda db: brought_by(db, user))

    async def find(self, id: str) -> tuple[int, Found] | None:
        """Return a game and when it was brought."""
        return await self._store.read(lambda db: find(db, id))

    async def drop(self, user: int, id: str) -> None:
        """Delete a game; raises HallError("NOT_FOUND") if it is not the user's."""
        if not await self._store.transaction(lambda db: _drop(db, user, id)):
            raise HallError("NOT_FOUND")

    async def erase(self, user: int) -> None:
        """Delete all games that somebody has imported (P-96)."""
        await self._store.transaction(lambda db: db.execute("DELETE FROM brought WHERE user = ?", (user,)))


def shown(id: str, at: int, found: Found) -> Json:
    """Return an imported game in the form of `GET /g/<game_id>`."""
    record = found.record
    entry = games.find(record.game)
    options = entry.changed(entry.chosen(record.options))
    outcome = record.outcome
    return {
        "game_id": id,
        "deal": record.deal,
        "table": 0,
        "game": record.game,
        "variant": None,
        "rules": entry.edition,
        "options": options,
        "carry": record.carry,
        "seats": [
            {"name": record.players[seat] if seat < len(record.players) else ""} for seat in range(_seats(record))
        ],
        "first_seated": 0,
        "fair": {"commitment": None, "server_seed": None, "client_seeds": None},
        "rows": [list(row) for row in record.rows],
        "result": None if outcome is None else {**outcome, "paid": [], "server_seed": None},
        "at": at,
        "brought": {
            "date": record.date,
            "titles": dict(found.titles),
            "notes": {str(n): text for n, text in found.notes.items()},
            "asides": found.asides,
            "beyond": found.beyond,
        },
    }


def brought_by(db: Connection, user: int) -> list[Brought]:
    """Return the games that somebody has imported, newest first."""
    sql = "SELECT id, at, found FROM brought WHERE user = ? ORDER BY at DESC, id"
    return [_listed(id, at, msgspec.json.decode(found, type=Found)) for id, at, found in db.execute(sql, (user,))]


def find(db: Connection, id: str) -> tuple[int, Found] | None:
    """Return an imported game, and when it was imported."""
    row = db.execute("SELECT at, found FROM brought WHERE id = ?", (id,)).fetchone()
    return None if row is None else (row[0], msgspec.json.decode(row[1], type=Found))


def _seats(record: Record) -> int:
    return record.seats or max(games.find(record.game).seats)


def _listed(id: str, at: int, found: Found) -> Brought:
    record = found.record
    title = found.titles.get("event") or found.titles.get("title") or ""
    return Brought(
        id=id, game=record.game, at=at, players=record.players, date=record.date, title=title, rows=len(record.rows)
    )


def _read(data: bytes, game: str, form: str, most: int) -> tuple[list[Found | Json], bool]:
    """Return the games of a file, an error for each that cannot be read, and whether there are more."""
    done: list[Found | Json] = []
    reads: Iterator[Any] = iter(games.find(game).records.imports(data, form))
    for read in islice(reads, most):
        try:
            one = read()
        except BadNotation as wrong:
            done.append(_where(wrong))
            continue
        except BadOption:
            done.append({"why": "options"})
            continue
        done.append(_cleaned(one) if len(one.record.rows) <= MOST_ROWS else {"why": "too_long"})
    return done, next(reads, None) is not None


def _cleaned(found: Found) -> Found:
    """Return a game with the texts of its file cleaned for display to others."""
    players = tuple(line(name)[:80] for name in found.record.players)
    return structs.replace(
        found,
        record=structs.replace(found.record, players=players, date=line(found.record.date)[:20]),
        titles={line(name)[:40]: line(text)[:200] for name, text in islice(found.titles.items(), 30) if line(text)},
        notes={n: plain(text)[:2000] for n, text in found.notes.items() if plain(text)},
    )


def _where(wrong: BadNotation) -> dict[str, Json]:
    told: dict[str, Json] = {name: wrong.facts[name] for name in ("line", "ply", "move") if name in wrong.facts}
    return {**told, "why": str(wrong.facts.get("why", wrong.code))}


def _count(db: Connection, user: int) -> int:
    found: int = db.execute("SELECT count(*) FROM brought WHERE user = ?", (user,)).fetchone()[0]
    return found


def _keep(db: Connection, rows: Sequence[tuple[str, int, int, str, str]]) -> None:
    db.executemany("INSERT INTO brought (id, user, at, game, found) VALUES (?, ?, ?, ?, ?)", rows)


def _drop(db: Connection, user: int, id: str) -> bool:
    return db.execute("DELETE FROM brought WHERE id = ? AND user = ?", (id, user)).rowcount > 0
