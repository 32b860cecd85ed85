"""The context of a report: the talk around it, the game, who has met whom, what a flag shows (platform P-95)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from qipai import games
from qipai.hall.live import books
from qipai.hall.order.decisions import of_record
from qipai.hall.order.fair_play import expected
from qipai.hall.order.night_scan import own_times
from qipai.hall.records import replay
from qipai.hall.rooms import rooms
from qipai.hall.rooms.rooms import Room
from qipai.hall.table.events import LoggedEvent
from qipai.moderation.service import Order, Report
from qipai.social.chat import Chat, Line
from qipai.store import Connection, Store

__all__ = ["AnswerTime", "Evidence", "Played", "RatedResult", "ReportContext", "ReportContexts", "Together"]

NEAR: Final = 20  # lines before and after a line that is reported
LINES: Final = 60
GAMES: Final = 20
MANY: Final = 100  # that a flag is drawn by
TIMES: Final = ("timing", "told", "unmoved")  # flags that times show
RESULTS: Final = ("rating", "pair", "fed")  # flags that results show
BEFORE_MS: Final = 600_000  # how much chat before a report at a table is shown
AFTER_MS: Final = 120_000
LINE: Final = re.compile(r"line:([0-9]{1,15})")
PLACE: Final = re.compile(r"(?:(table|watch|room):)?(\d{1,15})")


class Played(Struct, frozen=True):
    """A game: where and when (seconds). ended_at: None while it goes on; it has no page yet then."""

    game_id: str
    game: str
    table: int
    begun_at: int
    ended_at: int | None


class Together(Struct, frozen=True):
    """A game that two people have played together. points: of the accused, and of the other."""

    game_id: str
    game: str
    at: int
    points: tuple[int, int]
    counted: bool


class AnswerTime(Struct, frozen=True):
    """A decision of the accused in the game that a flag is about. answers: how many there were, None: unknown."""

    ms: int
    answers: int | None


class RatedResult(Struct, frozen=True):
    """A rated game of the accused: what they had, 0 to 1, and what the ratings had promised. at: seconds."""

    game_id: str
    at: int
    got: float
    expected: float


class Evidence(Struct, frozen=True):
    """What a flag of the hall can be seen by: times in its game, results beside what the ratings promise."""

    times: list[AnswerTime]
    results: list[RatedResult]


class ReportContext(Struct, frozen=True):
    """The context of a report. other: the reporter, or the second person of a flag. evidence: of a flag."""

    lines: list[Line]
    played: Played | None
    other: int | None
    together: list[Together]
    evidence: Evidence | None = None


class ReportContexts:
    """Looks up the context of reports."""

    def __init__(self, store: Store, chat: Chat, order: Order, places: Mapping[int, Room]) -> None:
        self._store, self._chat, self._order, self._places = store, chat, order, places

    async def around(self, report: Report) -> ReportContext:
        """Return the context of a report."""
        read = self._store.read
        ref = report.ref
        if report.kind == "appeal":  # the context of the case that the appeal is about
            ref = await self._appealed(ref)
        played = await read(partial(_played, id=ref))
        other = report.facts.get("other") if report.facts else report.by
        together: list[Together] = []
        if report.user is not None and other is not None and other != report.user:
            most = MANY if report.facts else GAMES
            together = await read(partial(_together, one=report.user, other=other, most=most))
        evidence = None if not report.facts else await self._evidence(report, played)
        return ReportContext(await self._lines(report, ref, played), played, other, together, evidence)

    async def _evidence(self, report: Report, played: Played | None) -> Evidence:
        """Return what a flag can be seen by; the game is played again beside the tables."""
        read, user, why = self._store.read, report.user, report.facts["why"]
        times: list[AnswerTime] = []
        results: list[RatedResult] = []
        if user is not None and why in TIMES and played is not None and played.ended_at is not None:
            rows = await read(partial(books.game_rows, id=played.game_id))
            times = await asyncio.to_thread(_answers, rows, user)
        if user is not None and why in RESULTS and (game := report.facts.get("game")) is not None:
            results = await read(partial(_results, user=user, game=game, until=report.at))
        return Evidence(times, results)

    async def room_of(self, ref: str) -> int | None:
        """Return the room of what a report is about, None if unknown."""
        if (played := await self._store.read(partial(_played, id=ref))) is not None:
            return await self.room_of_table(played.table)
        if (line := LINE.fullmatch(ref)) is not None:
            said = await self._chat.line(int(line[1]))
            ref = "" if said is None else said.place
        place = PLACE.fullmatch(ref)
        if place is None:
            return None
        number = int(place[2])
        if place[1] == "room":
            return number if number in self._places else None
        return await self.room_of_table(number)

    async def room_of_table(self, id: int) -> int | None:
        """Return the room of a table; for a table that somebody created, the room whose settings it has."""
        room = await self._store.read(partial(books.room_of, table=id))
        if room is None and (place := rooms.place_of(id)) is not None:
            room = place[0]
        return room if room in self._places else None

    async def _appealed(self, ref: str) -> str:
        """Return what the ruling was about that somebody appeals."""
        number = int(ref.partition(":")[2])
        found = await self._store.read(lambda db: books.ruling(db, number))
        if found.get("report") is not None and (report := await self._order.of(found["report"])) is not None:
            return report.ref
        return str(found.get("ref", ""))

    async def _lines(self, report: Report, ref: str, played: Played | None) -> list[Line]:
        talk, at = self._chat, 1000 * report.at
        if (line := LINE.fullmatch(ref)) is not None:
            return await talk.around(int(line[1]), NEAR)
        if played is not None:
            places = [f"table:{played.table}", f"watch:{played.table}"]
            until = at if played.ended_at is None else 1000 * played.ended_at
            return await talk.between(places, 1000 * played.begun_at - AFTER_MS, until + AFTER_MS, LINES)
        if place := PLACE.fullmatch(ref):
            kind, number = place[1] or "table", int(place[2])
            spots = ["room"] if kind == "room" else ["table", "watch"]
            places = [f"{spot}:{number}" for spot in spots]
            return await talk.between(places, at - BEFORE_MS, at + AFTER_MS, LINES)
        return [] if report.user is None else await talk.by(report.user, NEAR)


def _played(db: Connection, id: str) -> Played | None:
    row = db.execute("SELECT id, game, tbl, begun_at, ended_at FROM games WHERE id = ?", (id,)).fetchone()
    return None if row is None else Played(*row)


def _answers(rows: Sequence[LoggedEvent], user: int) -> list[AnswerTime]:
    """Return the answers of somebody in a finished game; by the log alone, if today's rules cannot play it again."""
    users = [player.user for player in replay.created(rows).seats]
    if user not in users:
        return []
    try:
        found = of_record(games.find(replay.created(rows).game), own_times(rows), users)
    except Exception:  # replaying a game of older rules may fail in any way
        seat = users.index(user)
        own = [move for move in replay.played(rows) if move.seat == seat and move.why is None]
        return [AnswerTime(move.ms, None) for move in own if move.ms]
    seat = found.seat_of(user)
    return [AnswerTime(each.ms, each.answers) for each in found.made if each.seat == seat]


def _results(db: Connection, user: int, game: str, until: int) -> list[RatedResult]:
    """Return the last rated games of somebody against one opponent each, the oldest first."""
    sql = (
        "SELECT a.id, a.at, a.points, b.rating - a.rating FROM parts a JOIN parts b ON b.id = a.id AND b.user != a.user"
        " WHERE a.user = ? AND a.at <= ? AND a.game = ? AND a.rating IS NOT NULL AND b.rating IS NOT NULL"
        " ORDER BY a.at DESC, a.id LIMIT ?"
    )
    return [
        RatedResult(id, at, 0.5 if points == 0 else float(points > 0), round(expected(behind), 3))
        for id, at, points, behind in reversed(db.execute(sql, (user, until, game, MANY)).fetchall())
    ]


def _together(db: Connection, one: int, other: int, most: int) -> list[Together]:
    sql = (
        "SELECT a.id, a.game, a.at, a.points, b.points, a.counted FROM parts a"
        " JOIN parts b ON b.user = ? AND b.id = a.id WHERE a.user = ? ORDER BY a.at DESC, a.id LIMIT ?"
    )
    return [
        Together(id, game, at, (mine, his), bool(counted))
        for id, game, at, mine, his, counted in db.execute(sql, (other, one, most))
    ]
