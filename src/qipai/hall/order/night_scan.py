"""The scan of a night: who spares or feeds whom, whose time speaks, whose time says nothing (platform P-95).

Games are played again for it, so it is done in a process of its own: no table waits. It looks only at people about whom
it can say something: two who have met often enough, one who has decided often enough, since the scan of last night.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import combinations
from pathlib import Path
from typing import Final, Protocol, TypeVar

from msgspec import Struct, json
from msgspec.structs import replace

from qipai import games
from qipai.config import Flags
from qipai.core.record import Record
from qipai.hall.live import books
from qipai.hall.order.decisions import Decisions, decided, of_record
from qipai.hall.order.fair_play import giveaway, mindless, signals, soft
from qipai.hall.records import replay
from qipai.hall.table.events import LoggedEvent
from qipai.moderation.service import Flag
from qipai.store import Connection
from qipai.store.reader import reader_of

__all__ = ["Job", "own_times", "scanned"]

T = TypeVar("T")

PAIRS: Final = 500  # that are looked at in one night, those who meet most
PEOPLE: Final = 2000
COMMON: Final = 120  # games of two, the newest
OTHERS: Final = 60  # games of each with others
ENOUGH: Final = 100  # decisions by which it can be told whether times follow them
SETS: Final = 0.1  # in games of sets, so many decisions are whether to take something; for these times were measured


class Job(Struct, frozen=True):
    """What is to be scanned: the games that have ended in a time, seconds since 1970."""

    since: int
    until: int
    numbers: Flags


class Reads(Protocol):
    """What reads a hall's file."""

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """Return what some work reads."""
        ...


def scanned(store: Reads, job: Job) -> Iterator[Flag]:
    """Yield what the games of a time show, with those before them that are still looked back upon."""
    numbers, back = job.numbers, job.until - 86400 * job.numbers.days
    month = datetime.fromtimestamp(job.until, UTC).date().isoformat()[:7]

    @lru_cache(maxsize=5000)
    def decisions(id: str) -> Decisions | None:
        rows = store.read_now(partial(books.game_rows, id=id))
        try:
            return _decisions(rows)
        except Exception:  # replaying a game of older rules may fail in any way; `qipai verify` names it
            return None

    def known(ids: Iterable[str]) -> list[Decisions]:
        return [found for found in map(decisions, ids) if found is not None]

    for game in games.names():
        if games.find(game).spares is None:
            continue
        recent = partial(_recent, game=game, since=job.since, until=job.until)
        tables = store.read_now(recent)
        pairs = {two for users in tables.values() for two in combinations(sorted(users), 2)}
        met: list[tuple[int, int, list[str]]] = []
        for one, other in sorted(pairs):
            ids = store.read_now(partial(_common, one=one, other=other, game=game, since=back))
            if len(ids) >= numbers.meetings:
                met.append((one, other, ids))
        for one, other, ids in sorted(met, key=lambda each: -len(each[2]))[:PAIRS]:
            elsewhere: list[str] = []
            for user, but in ((one, other), (other, one)):
                elsewhere += store.read_now(partial(_others, user=user, but=but, game=game, since=back))
            both = known(ids)
            every = [*both, *known(elsewhere)]
            if facts := soft(every, one, other, numbers, game):
                told = {"why": "soft", "other": one, "game": game, **facts}
                yield Flag(f"soft:{game}:{one}:{other}:{month}", other, ids[0], told)
            for giver, taker in ((one, other), (other, one)):
                if facts := giveaway(every, giver, taker, numbers, game):
                    told = {"why": "given", "other": giver, "game": game, **facts}
                    yield Flag(f"given:{game}:{giver}:{taker}:{month}", taker, ids[0], told)
            for speaker, listener in ((one, other), (other, one)):
                if facts := signals(both, speaker, listener, numbers, game):
                    told = {"why": "told", "other": listener, "game": game, **facts}
                    yield Flag(f"told:{game}:{speaker}:{listener}:{month}", speaker, ids[0], told)
        for user in sorted({user for users in tables.values() for user in users})[:PEOPLE]:
            ids = store.read_now(partial(_others, user=user, but=None, game=game, since=back))
            mine = known(ids)
            made = [*decided(mine, user)]
            if len(made) >= ENOUGH and sum(each.spare is not None for each in made) >= SETS * len(made):
                if facts := mindless(mine, user, numbers, game):
                    yield Flag(
                        f"unmoved:{game}:{user}:{month}", user, ids[0], {"why": "unmoved", "game": game, **facts}
                    )


def _decisions(rows: Sequence[LoggedEvent]) -> Decisions:
    """Return what people decided in a game; what the hall did for them is left out."""
    users = [player.user for player in replay.created(rows).seats]
    return of_record(games.find(replay.created(rows).game), own_times(rows), users)


def own_times(rows: Sequence[LoggedEvent]) -> Record:
    """Return a finished game as a record in which what the hall did for people took -1 ms."""
    own = tuple((move.seat, move.action, move.ms if move.why is None else -1) for move in replay.played(rows))
    return replace(replay.record(rows, lambda user: None, opened=True), rows=own)


def _recent(db: Connection, game: str, since: int, until: int) -> dict[str, list[int]]:
    """Return who has taken part in the games of a time."""
    sql = "SELECT id, user FROM parts WHERE game = ? AND at >= ? AND at < ? AND counted = 1 ORDER BY at, id"
    found: defaultdict[str, list[int]] = defaultdict(list)
    for id, user in db.execute(sql, (game, since, until)):
        found[id].append(user)
    return dict(found)


def _common(db: Connection, one: int, other: int, game: str, since: int) -> list[str]:
    """Return the games of two, the newest first."""
    sql = (
        "SELECT a.id FROM parts a JOIN parts b ON b.user = ? AND b.id = a.id WHERE a.user = ? AND a.at >= ?"
        " AND a.game = ? AND a.counted = 1 AND b.counted = 1 ORDER BY a.at DESC, a.id LIMIT ?"
    )
    return [id for (id,) in db.execute(sql, (other, one, since, game, COMMON))]


def _others(db: Connection, user: int, but: int | None, game: str, since: int) -> list[str]:
    """Return the games of somebody, those with one other left out, the newest first."""
    sql = (
        "SELECT id FROM parts a WHERE user = ?1 AND at >= ?2 AND game = ?3 AND counted = 1 AND (?4 IS NULL OR"
        " NOT EXISTS (SELECT 1 FROM parts b WHERE b.id = a.id AND b.user = ?4)) ORDER BY at DESC, id LIMIT ?5"
    )
    return [id for (id,) in db.execute(sql, (user, since, game, but, OTHERS))]


def main(database: str, job: str) -> None:
    """Write the flags as lines of JSON, when nothing else wants the processor."""
    os.nice(10)
    reader = reader_of(Path(database))
    for flag in scanned(reader, json.decode(job, type=Job)):
        sys.stdout.buffer.write(json.encode(flag) + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
