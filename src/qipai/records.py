"""Read the open data of a hall (platform P-96): rated games of a month, typed, one by one, checked if you like.

    >>> from qipai import records
    >>> for game in records.read("gouji-2026-11-1a2b3c4d.jsonl.gz"):
    ...     print(game.date, [seat.who for seat in game.seats], game.points)

A file is never held in memory as a whole. `month(path)` reads the list of a month's files with their checksums,
`intact` compares a file with it; `verified(game)` plays a game again by the rules and raises where it differs.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from qipai import games
from qipai.core.contract import BadNotation, Outcome, Seat, Step
from qipai.core.record import Record, replay
from qipai.core.record import verified as record_verified

__all__ = [
    "FORMAT",
    "LICENSE",
    "About",
    "File",
    "Game",
    "Month",
    "Player",
    "about",
    "intact",
    "month",
    "read",
    "steps",
    "verified",
]

FORMAT: Final = 2
LICENSE: Final = "CC0-1.0"
LONGEST: Final = 1 << 26  # bytes of one game


class About(Struct, frozen=True, kw_only=True):
    """The first line of a file: what it contains."""

    format: int
    game: str
    month: str  # 2026-11
    license: str
    games: int


class File(Struct, frozen=True, kw_only=True):
    """A file of a month. sha256: of the compressed file, hex."""

    name: str
    game: str
    games: int
    moves: int
    bytes: int
    sha256: str


class Month(Struct, frozen=True, kw_only=True):
    """The files of a month. whole: it was over when they were written."""

    format: int
    month: str
    license: str
    whole: bool
    files: tuple[File, ...]


class Player(Struct, frozen=True, kw_only=True):
    """Who played a seat.

    kind: name: a person who wants to be named; letters: one who does not, the same in the whole month and no other;
    deleted: an account that is no more; bot: the level of a bot. rating: before the game, to the nearest fifty.
    """

    who: str
    kind: Literal["name", "letters", "deleted", "bot"]
    rating: int | None = None


class Game(Struct, frozen=True, kw_only=True):
    """A rated game from its first action to its result."""

    id: str  # within its month; it leads to no page of the hall
    game: str
    variant: str | None = None
    rules: int  # the edition of the rules it was played under
    options: dict[str, Any]
    date: str  # 2026-11-03, when it ended
    deal: int = 1  # its number in a match of several
    carry: Any = None  # where it started, if the deal before it decides that
    bench: tuple[Seat, ...] = ()
    seats: tuple[Player, ...]
    rows: tuple[tuple[int, Any, int], ...]  # seat (-1: luck), action, ms of thinking
    hall: tuple[int, ...] = ()  # numbers of rows, from 0, in which the hall acted for a seat
    points: tuple[int, ...]
    places: tuple[int, ...]
    why: str  # how it ended, in the game's words

    @property
    def record(self) -> Record:
        """Return it as the record that all of qipai works with."""
        return Record(
            game=self.game,
            options=self.options,
            edition=self.rules,
            seats=len(self.seats),
            carry=self.carry,
            bench=self.bench,
            deal=self.deal,
            rows=self.rows,
            players=tuple([seat.who for seat in self.seats]),
            outcome={"points": list(self.points), "places": list(self.places), "why": self.why},
            date=self.date,
            game_id=self.id,
        )


def month(path: str | Path) -> Month:
    """Read the list of a month's files; raises BadNotation("bad_record")."""
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=Month)
    except msgspec.MsgspecError as wrong:
        raise BadNotation("bad_record", why=str(wrong)) from wrong


def about(path: str | Path) -> About:
    """Read what a file contains; raises BadNotation("bad_record")."""
    with gzip.open(path) as lines:
        return _about(lines)


def read(path: str | Path) -> Iterator[Game]:
    """Yield the games of a file one by one; raises BadNotation("bad_record") with the line that is wrong.

    A file that was cut off raises it, too, after the games that are whole.
    """
    decoder = msgspec.json.Decoder(Game)
    with gzip.open(path) as lines:
        said, number = _about(lines), 1
        while line := _line(lines, number + 1):
            number += 1
            try:
                yield decoder.decode(line)
            except msgspec.MsgspecError as wrong:
                raise BadNotation("bad_record", line=number, why=str(wrong)) from wrong
        if number - 1 != said.games:
            raise BadNotation("bad_record", line=number, why=f"{said.games} games were promised")


def _about(lines: gzip.GzipFile) -> About:
    try:
        found = msgspec.json.decode(_line(lines, 1), type=About)
    except msgspec.MsgspecError as wrong:
        raise BadNotation("bad_record", line=1, why=str(wrong)) from wrong
    if found.format != FORMAT:
        raise BadNotation("bad_record", line=1, why=f"format {found.format}")
    return found


def _line(lines: gzip.GzipFile, number: int) -> bytes:
    try:
        return lines.readline(LONGEST)
    except (EOFError, OSError, zlib.error) as wrong:
        raise BadNotation("bad_record", line=number, why=str(wrong)) from wrong


def intact(path: str | Path, of: Month) -> bool:
    """Tell whether a file is the one that a month's list names, bit for bit."""
    path = Path(path)
    known = next((file for file in of.files if file.name == path.name), None)
    if known is None or path.stat().st_size != known.bytes:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == known.sha256


def steps(game: Game) -> Iterator[Step[Any]]:
    """Yield the states of a game, before the first action and after each; raises IllegalAction."""
    return replay(games.find(game.game), game.record)


def verified(game: Game) -> Outcome | None:
    """Play a game again and return its outcome; raises IllegalAction or Contradiction where it is not what it says."""
    return record_verified(games.find(game.game), game.record)
