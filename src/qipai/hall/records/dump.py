"""Open data: the rated games of a month for everybody, without anything private (platform P-96).

Written are games of rated rooms at tables that everybody could see and sit down at: none by a link, with a password,
for friends or for a group, none without watchers. A person is named only who wants to be; all others
have letters that a secret makes which is thrown away with the writing: nobody can make them again, nor follow them
from month to month. Ids of games and tables, seeds and times of day are left out: by them a page of the hall is found.

The list of a month's files is written last, and in one step: a hall that is killed meanwhile has the files of before.
"""

from __future__ import annotations

import gzip
import hashlib
import hmac
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from qipai.accounts.model import DELETED, Settings, User
from qipai.hall.live import books, shared_deals
from qipai.hall.records import replay
from qipai.hall.table.events import LoggedEvent
from qipai.records import FORMAT, LICENSE, About, File, Game, Month, Player
from qipai.store import Connection, Store

__all__ = ["FOLDER", "OPEN", "Dump", "due", "listed", "month_of", "months", "named", "published", "stale"]

FOLDER: Final = "dumps"  # in the hall's folder
NEAR: Final = 50  # rating points
LETTERS: Final = 12
Find = Callable[[int], Awaitable[User | None]]
SettingsOf = Callable[[Iterable[int]], Awaitable[Mapping[int, Settings]]]


def month_of(text: str) -> tuple[int, int]:
    """Return when a month ("2026-11") begins and ends, seconds since 1970; raises ValueError."""
    begins = datetime.strptime(text, "%Y-%m").replace(tzinfo=UTC)
    ends = begins.replace(year=begins.year + begins.month // 12, month=begins.month % 12 + 1)
    return int(begins.timestamp()), int(ends.timestamp())


def named(user: User | None, settings: Settings | None) -> bool:
    """Tell whether somebody is named in open data: who has asked for it, is there, and is grown up."""
    if user is None or user.deleted or settings is None:
        return False
    return settings.open_name is True and settings.minor is not True


class Dump:
    """Writes the files of a month into a folder. salt: the secret of the letters; nobody keeps it."""

    def __init__(self, store: Store, find: Find, settings: SettingsOf, to: Path, salt: bytes) -> None:
        self._store, self._find, self._settings = store, find, settings
        self._to, self._salt = to, salt
        self._users: dict[int, User | None] = {}
        self._named: set[int] = set()

    async def write(self, month: str, now: int) -> Month:
        """Write a file for each game that was played for a rating in a month, then their list. now: seconds."""
        since, until = month_of(month)
        chosen = await self._store.read(partial(_chosen, since=since, until=until))
        files = [await self._file(month, game, ids) for game, ids in chosen.items()]
        made = Month(format=FORMAT, month=month, license=LICENSE, whole=now >= until, files=tuple(files))
        # Who is named is written before the names are shown, so that a wish to be named no longer is never missed.
        _written(self._to / f".{month}.named.json", msgspec.json.encode(sorted(self._named)), 0o600)
        _written(self._to / f"{month}.json", msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
        self._tidy(month, {file.name for file in files})
        return made

    async def _file(self, month: str, game: str, ids: list[str]) -> File:
        part = self._to / f".{game}-{month}.part"
        count = moves = 0
        said = About(format=FORMAT, game=game, month=month, license=LICENSE, games=len(ids))
        # The file contains no time, and games in the order of their letters, so that nothing tells when they were.
        with part.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
            out.write(msgspec.json.encode(said) + b"\n")
            for id in sorted(ids, key=self._letters):
                found = await self._game(id)
                out.write(msgspec.json.encode(found) + b"\n")
                count, moves = count + 1, moves + len(found.rows)
        with part.open("rb") as whole:
            sha256 = hashlib.file_digest(whole, "sha256").hexdigest()
            os.fsync(whole.fileno())
        name = f"{game}-{month}-{sha256[:8]}.jsonl.gz"
        part.replace(self._to / name)
        size = (self._to / name).stat().st_size
        return File(name=name, game=game, games=count, moves=moves, bytes=size, sha256=sha256)

    def _tidy(self, month: str, kept: set[str]) -> None:
        """Remove what was written of this month before, or left by a hall that was killed."""
        for path in [*self._to.glob(f"*-{month}-*.jsonl.gz"), *self._to.glob(f".*-{month}.part")]:
            if path.name not in kept:
                with suppress(FileNotFoundError):
                    path.unlink()

    async def _game(self, id: str) -> Game:
        rows = await self._store.read(partial(books.game_rows, id=id))
        ratings = await self._store.read(partial(_ratings, id=id))
        begun = replay.created(rows)
        await self._meet(begun.users)
        seats = [
            Player(who=str(player.bot), kind="bot")
            if player.user is None
            else self._player(player.user, ratings.get(player.user))
            for player in begun.seats
        ]
        return game_of(rows, self._letters(id), tuple(seats))

    async def _meet(self, users: Iterable[int]) -> None:
        """Learn who some people are, and whether they want to be named."""
        new = [user for user in users if user not in self._users]
        settings = await self._settings(new) if new else {}
        for user in new:
            self._users[user] = found = await self._find(user)
            if named(found, settings.get(user)):
                self._named.add(user)

    def _player(self, user: int, rating: int | None) -> Player:
        found = self._users[user]
        if found is None or found.deleted:
            return Player(who=DELETED, kind="deleted")
        near = None if rating is None else NEAR * round(rating / NEAR)
        if user in self._named:
            return Player(who=found.name, kind="name", rating=near)
        return Player(who=self._letters(str(user)), kind="letters", rating=near)

    def _letters(self, of: str) -> str:
        return hmac.new(self._salt, of.encode(), hashlib.sha256).hexdigest()[:LETTERS]


def game_of(rows: list[LoggedEvent], id: str, seats: tuple[Player, ...]) -> Game:
    """Return a finished game as open data has it."""
    begun, whole = replay.created(rows), replay.record(rows, lambda user: None)
    played = replay.played(rows)
    return Game(
        id=id,
        game=begun.game,
        variant=begun.variant,
        rules=begun.edition,
        options=replay.options_of(begun),
        date=datetime.fromtimestamp(rows[-1].at, UTC).strftime("%Y-%m-%d"),
        deal=begun.deal,
        carry=begun.carry,
        bench=whole.bench,
        seats=seats,
        rows=whole.rows,
        hall=tuple([n for n, move in enumerate(played) if move.why not in (None, "standing", "prepared")]),
        points=tuple(whole.outcome["points"]),
        places=tuple(whole.outcome["places"]),
        why=whole.outcome["why"],
    )


# Terms by which a table is not for everybody. What its owner set later counts for all of its games.
_CLOSED: Final = " OR ".join(
    [
        *(
            f"CAST(json_extract(e.data, '$.terms.{name}') AS INTEGER) = 1"
            for name in ("private", "password", "friends")
        ),
        "json_extract(e.data, '$.terms.group') IS NOT NULL",
        "CAST(json_extract(e.data, '$.terms.watchers') AS INTEGER) = 0",
    ]
)

# Whether a part `p` is of a rated game `g` that everybody may have.
OPEN: Final = (
    f"p.pool IS NOT NULL AND NOT {shared_deals.CLOSED} AND NOT EXISTS (SELECT 1 FROM events e"
    " WHERE e.stream = 'table:' || g.tbl AND e.type IN ('table.opened', 'table.set')"
    f" AND ({_CLOSED}))"
)


def _chosen(db: Connection, since: int, until: int) -> dict[str, list[str]]:
    """Return the games of a month that everybody may have, by game."""
    sql = (
        f"SELECT DISTINCT p.game, p.id FROM parts p JOIN games g ON g.id = p.id WHERE {OPEN}"
        " AND p.at >= ? AND p.at < ? ORDER BY p.game, p.id"
    )
    found: dict[str, list[str]] = {}
    for game, id in db.execute(sql, (since, until)):
        found.setdefault(game, []).append(id)
    return found


def _ratings(db: Connection, id: str) -> dict[int, int | None]:
    return dict(db.execute("SELECT user, rating FROM parts WHERE id = ?", (id,)).fetchall())


def _written(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file in one step: whoever reads it sees the old one or the new one."""
    new = path.with_name(f"{path.name}.new")
    with new.open("wb") as file:
        os.fchmod(file.fileno(), mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


# What is there -------------------------------------------------------------------------------------------------------


def months(folder: Path) -> list[Month]:
    """Return the months of which there are files, the newest first; one that cannot be read is left out."""
    found = []
    for path in sorted(folder.glob("[0-9][0-9][0-9][0-9]-[0-9][0-9].json"), reverse=True):
        if (month := listed(folder, path.stem)) is not None:
            found.append(month)
    return found


def listed(folder: Path, month: str) -> Month | None:
    """Return the files of a month, None where there are none."""
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode((folder / f"{month}.json").read_bytes(), type=Month)
    return None


def published(folder: Path, name: str) -> Path | None:
    """Return a file that a month's list names, None for any other."""
    for month in months(folder):
        if name == f"{month.month}.json" or any(file.name == name for file in month.files):
            path = folder / name
            return path if path.is_file() else None
    return None


def due(folder: Path, now: int) -> str | None:
    """Return the month that has ended last if its files are not written yet. now: seconds."""
    last = datetime.fromtimestamp(now - 86400 * datetime.fromtimestamp(now, UTC).day, UTC).strftime("%Y-%m")
    found = listed(folder, last)
    return None if found is not None and found.whole else last


async def stale(folder: Path, find: Find, settings: SettingsOf) -> list[str]:
    """Return the months whose files name somebody who no longer wants to be, or who is no more."""
    found = []
    for month in months(folder):
        try:
            users = msgspec.json.decode((folder / f".{month.month}.named.json").read_bytes(), type=list[int])
        except (OSError, msgspec.MsgspecError):  # nobody can tell whom it names
            found.append(month.month)
            continue
        wishes = await settings(users)
        if not all([named(await find(user), wishes.get(user)) for user in users]):
            found.append(month.month)
    return found
