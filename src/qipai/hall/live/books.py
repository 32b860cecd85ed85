"""The hall's database reads and writes: its projections, and a table's rows of the log."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai import games
from qipai.hall.live import branches
from qipai.hall.table.events import DealCreated, LoggedEvent, Settled, given
from qipai.hall.table.model import Table
from qipai.hall.table.stored import event_of, read
from qipai.ledger.model import Begun
from qipai.store import Connection, StoredEntry
from qipai.store.writer import rows_of

__all__ = [
    "AFTER",
    "Counts",
    "Part",
    "add_game",
    "asleep",
    "by_key",
    "contest_tables",
    "contest_tables_in_play",
    "created",
    "down",
    "end_game",
    "ended_between",
    "figures",
    "finished_games",
    "first_side",
    "found_by",
    "free_number",
    "game_rows",
    "games_in_use",
    "in_use",
    "keep_peak",
    "mark",
    "marked",
    "met",
    "newest",
    "of_contest",
    "outages",
    "parts_of",
    "repeated",
    "rest",
    "rested",
    "rested_by",
    "reversals",
    "room_of",
    "rooms_opened",
    "ruling",
    "stands",
    "stood_still",
    "table_rows",
    "turn_based_by",
    "turn_based_due",
    "turn_based_in",
    "turn_based_of",
    "turn_based_playing",
    "write_table",
]


class Part(Struct, frozen=True):
    """A finished game from the view of one of its players. sign: 1 won, -1 lost, 0 drawn, None: broken off."""

    id: str
    game: str
    variant: str | None
    seat: int
    at: int  # of its end, seconds
    points: int
    sign: int | None
    score: int | None
    coins: int | None
    pool: str | None
    shown: int | None  # the player's rating after it


UNCOUNTED = frozenset({"void", "stopped", "closed"})  # ends of games that nobody has won or lost
# The id of a row, for a condition on the rows of a stream: a database that knows too little of them would go through
# the whole log by the index of ids.
AFTER: Final = "id + 0"
LIFE = (
    f"SELECT coalesce(max({AFTER}), 0) FROM events WHERE stream = ? AND type = 'table.opened'"
    " AND json_extract(secret, '$.seqs') IS NOT NULL"
)


def found_by(table: Table) -> tuple[str, str | None, list[int]]:
    """Return the properties by which a table is found: its state, the key of its link, who sits there."""
    people = sorted(c.user for c in table.chairs if c.user is not None and c.presence != "left")
    return table.state, table.key if table.terms.private and table.state != "closed" else None, people


def write_table(db: Connection, table: Table, slow: bytes | None) -> None:
    """Write the properties by which a table is found. slow: the summary of a turn-based table, as JSON."""
    setting = table.setting
    state, key, people = found_by(table)
    db.execute(
        "INSERT INTO tables (id, room, no, game, made, state, key, people, slow, contest)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET state = excluded.state, key = excluded.key, people = excluded.people,"
        " slow = excluded.slow",
        (
            table.id,
            setting.room,
            setting.no,
            setting.game,
            int(setting.made),
            state,
            key,
            msgspec.json.encode(people).decode(),
            None if slow is None else slow.decode(),
            None if setting.contest is None else setting.contest.key,
        ),
    )


def add_game(db: Connection, id: str, at: int, created: DealCreated) -> None:
    """Note that a game has been created."""
    sql = "INSERT INTO games (id, tbl, game, begun_at, board) VALUES (?, ?, ?, ?, ?)"
    db.execute(sql, (id, created.table, created.game, at, given(created.board)))
    if created.goes_on is not None:
        branches.begin(db, id, created)


def end_game(db: Connection, id: str, at: int, begun: Begun, ended: Settled) -> None:
    """Record that a game has ended, and, where it counts as a game of theirs, who took part and who was first."""
    game, seats = begun.game, begun.seats
    db.execute("UPDATE games SET ended_at = ? WHERE id = ?", (at, id))
    if begun.apart:
        return  # it goes on from a moment of another deal: nobody's history or figures have it
    for seat, player in enumerate(seats):
        if player.user is not None:
            _add_part(db, player.user, id, seat, at, begun, ended)
    if begun.placed or not _counts(ended):
        return
    side = first_side(ended.places[: len(seats)], games.find(game).sides(len(seats)))
    inside = [("shared" if winner is None else str(winner), how) for winner, how in ended.inside or ()]
    line = game if begun.variant is None else f"{game}/{begun.variant}"  # each variant has its own
    for first, how in inside or [(side, ended.why)]:
        for table, column, value in (("ends", "side", first), ("reasons", "why", how)):
            db.execute(
                f"INSERT INTO {table} (game, {column}, count) VALUES (?, ?, 1)"
                f" ON CONFLICT (game, {column}) DO UPDATE SET count = {table}.count + 1",
                (line, value),
            )


def _counts(ended: Settled) -> bool:
    """Tell whether anybody has won or lost: it was not broken off, nor given up before it counted (P-38)."""
    return ended.why not in UNCOUNTED and not ended.short


def _add_part(db: Connection, user: int, id: str, seat: int, at: int, begun: Begun, ended: Settled) -> None:
    """Note that somebody has taken part in a game, and what came of it."""
    paid, counts = ended.paid[seat], _counts(ended)
    counts = counts and not begun.placed  # nobody has won from the start
    score, rating = paid.score, paid.rating
    got = ended.points[seat] if score is None else score
    sign = (got > 0) - (got < 0) if counts else None
    if counts and score is None and str(seat) in (ended.left or {}):
        sign = -1  # P-32: for whoever left, the penalty counts as a loss whatever the result
    rated: tuple[str | None, int | None, int | None] = (None, None, None)
    if rating is not None:
        rated = (given(ended.pool), rating["shown"] - rating["change"], rating["shown"])
    nth = db.execute("SELECT coalesce(max(n), 0) + 1 FROM parts WHERE user = ?", (user,)).fetchone()[0]
    db.execute(
        "INSERT INTO parts (user, id, seat, game, variant, at, n, points, counted, sign, score, coins, pool, rating,"
        " shown, why) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(user, id, seat, begun.game, begun.variant, at, nth, got),
            *(int(counts and paid.credibility is not None), sign, score, paid.coins, *rated, ended.why),
        ),
    )


def parts_of(db: Connection, user: int) -> list[Part]:
    """Return all finished games of a user, oldest first."""
    sql = f"SELECT {', '.join(Part.__struct_fields__)} FROM parts WHERE user = ? ORDER BY n"
    return [Part(*row) for row in db.execute(sql, (user,))]


def first_side(places: Sequence[int], sides: Sequence[int]) -> str:
    """Return who was first, as statistics count it: a seat, all of a side as `side0`, else `shared`."""
    first = [seat for seat, place in enumerate(places) if place == 1]
    if len(set(sides)) == len(sides):
        return str(first[0]) if len(first) == 1 else "shared"
    won = {sides[seat] for seat in first}
    return f"side{won.pop()}" if len(won) == 1 else "shared"


Counts = dict[str, dict[str, int]]


def figures(db: Connection, since: int) -> tuple[Counts, Counts, int, int]:
    """Return how the games have ended, by game and side and by game and reason, how many began since; the peak.

    A game's variants stand by themselves, as `game/variant`.
    """
    ends: Counts = {}
    for game, side, count in db.execute("SELECT game, side, count FROM ends ORDER BY game, side"):
        ends.setdefault(game, {})[side] = count
    reasons: Counts = {}
    for game, why, count in db.execute("SELECT game, why, count FROM reasons ORDER BY count DESC, why"):
        reasons.setdefault(game, {})[why] = count
    today = db.execute("SELECT count(*) FROM games WHERE begun_at >= ? AND root IS NULL", (since,)).fetchone()[0]
    row = db.execute("SELECT count FROM peaks WHERE name = 'online'").fetchone()
    return ends, reasons, int(today), 0 if row is None else int(row[0])


def keep_peak(db: Connection, count: int, at: int) -> None:
    """Note the most who were ever here at once."""
    sql = (
        "INSERT INTO peaks (name, count, at) VALUES ('online', ?, ?)"
        " ON CONFLICT (name) DO UPDATE SET count = excluded.count, at = excluded.at WHERE excluded.count > peaks.count"
    )
    db.execute(sql, (count, at))


def met(db: Connection, user: int) -> dict[int, int]:
    """Return with whom somebody has played, and how many games."""
    sql = (
        "SELECT b.user, count(*) FROM parts a JOIN parts b ON b.id = a.id AND b.user != a.user"
        " WHERE a.user = ? GROUP BY b.user"
    )
    return dict(db.execute(sql, (user,)).fetchall())


def table_rows(db: Connection, table: int) -> list[LoggedEvent]:
    """Return the rows of a table and its games, oldest first, since it was last opened empty."""
    stream = f"table:{table}"
    first = db.execute(LIFE, (stream,)).fetchone()[0]
    games = [f"game:{id}" for (id,) in db.execute("SELECT id FROM games WHERE tbl = ?", (table,))]
    # Most games of an old table were played before it was last opened; the index finds the rest fast. Within a stream
    # the rows are also ordered by number, and the index provides that order.
    rows = rows_of(db, f"stream = ? AND {AFTER} >= ? ORDER BY seq", (stream, first), text=True)
    for game in games:
        rows += rows_of(db, f"stream = ? AND {AFTER} >= ? ORDER BY seq", (game, first), text=True)
    return [event_of(row) for row in sorted(rows, key=lambda row: row.id)]


def stands(db: Connection, stream: str, seq: int | None) -> bool:
    """Tell whether a stream has come as far as this."""
    return db.execute("SELECT 1 FROM events WHERE stream = ? AND seq = ?", (stream, seq)).fetchone() is not None


def game_rows(db: Connection, id: str) -> list[LoggedEvent]:
    """Return the rows of a game."""
    return [event_of(row) for row in rows_of(db, "stream = ?", (f"game:{id}",), text=True)]


def ended_between(db: Connection, after: int, upto: int) -> list[LoggedEvent]:
    """Return the ends of games among these rows of the log, by their ids."""
    rows = rows_of(db, "id > ? AND id <= ? AND type = 'game.ended'", (after, upto), text=True)
    return [event_of(row) for row in rows]


def created(db: Connection, id: str) -> DealCreated:
    """Return how a game was created."""
    row = rows_of(db, "stream = ? AND seq = 1", (f"game:{id}",), text=True)[0]
    what, _secret = read(row.type, row.data, row.secret)
    assert isinstance(what, DealCreated)
    return what


def finished_games(db: Connection) -> list[str]:
    """Return the names of all games that have ended, the first one first."""
    sql = "SELECT id FROM games WHERE ended_at IS NOT NULL ORDER BY ended_at, id"
    return [id for (id,) in db.execute(sql)]


def room_of(db: Connection, table: int) -> int | None:
    """Return the room of a table that was opened once."""
    sql = (
        "SELECT CAST(json_extract(data, '$.room') AS INTEGER) FROM events WHERE stream = ? AND type = 'table.opened'"
        " ORDER BY seq DESC LIMIT 1"
    )
    row = db.execute(sql, (f"table:{table}",)).fetchone()
    return None if row is None else int(row[0])


def by_key(db: Connection, key: str) -> tuple[int, str] | None:
    """Return the table a link opens, and its game."""
    row: tuple[int, str] | None = db.execute("SELECT id, game FROM tables WHERE key = ?", (key,)).fetchone()
    return row


def of_contest(db: Connection, key: str) -> int | None:
    """Return the table that a game of a contest has, None: it has none yet. key: `ContestGame.key`."""
    row = db.execute("SELECT id FROM tables WHERE contest = ?", (key,)).fetchone()
    return None if row is None else int(row[0])


def contest_tables(db: Connection) -> list[tuple[int, str]]:
    """Return the tables of contests that are not closed, and the key of the game that each is for."""
    sql = "SELECT id, contest FROM tables INDEXED BY tables_of_contests WHERE contest IS NOT NULL AND state != 'closed'"
    return db.execute(sql).fetchall()


def contest_tables_in_play(db: Connection) -> set[int]:
    """Return the tables of contests at which a deal is being played, in memory or not."""
    there = "tables INDEXED BY tables_of_contests WHERE contest IS NOT NULL AND state != 'closed'"
    return {id for (id,) in db.execute(f"SELECT id FROM {there} AND state = 'playing'")}


def in_use(db: Connection) -> list[tuple[int, list[int]]]:
    """Return the tables where a game runs or somebody sits, and who; not those that may sleep."""
    used = "slow IS NULL AND (people != '[]' OR state = 'playing') AND state != 'closed'"
    rows = db.execute(f"SELECT id, people FROM tables WHERE {used}")
    return [(id, msgspec.json.decode(people)) for id, people in rows]


def games_in_use(db: Connection) -> list[str]:
    """Return the games of those tables, and of those that sleep."""
    sql = (
        "SELECT game FROM tables WHERE slow IS NULL AND (people != '[]' OR state = 'playing')"
        " UNION SELECT game FROM tables WHERE slow IS NOT NULL GROUP BY game"
    )
    return [game for (game,) in db.execute(sql)]


def asleep(db: Connection) -> bool:
    """Tell whether there are turn-based tables where somebody sits."""
    return db.execute("SELECT 1 FROM tables WHERE slow IS NOT NULL LIMIT 1").fetchone() is not None


def turn_based_of(db: Connection, table: int) -> str | None:
    """Return the summary of a turn-based table, None for other tables."""
    row = db.execute("SELECT slow FROM tables WHERE id = ?", (table,)).fetchone()
    return None if row is None else row[0]


def turn_based_by(db: Connection, user: int) -> list[tuple[int, str]]:
    """Return the turn-based tables where somebody sits, with their summaries."""
    sql = (
        "SELECT id, slow FROM tables WHERE slow IS NOT NULL AND one = ?1"
        " UNION ALL SELECT id, slow FROM tables WHERE slow IS NOT NULL AND two = ?1 ORDER BY id"
    )
    return db.execute(sql, (user,)).fetchall()


def turn_based_in(db: Connection, game: str, room: int) -> list[tuple[int, str]]:
    """Return the turn-based tables of a room, which has this game, with their summaries."""
    sql = "SELECT id, slow FROM tables WHERE slow IS NOT NULL AND game = ? AND room = ? ORDER BY id"
    return db.execute(sql, (game, room)).fetchall()


def turn_based_due(db: Connection, soon: int, idle: int) -> list[tuple[int, str]]:
    """Return the turn-based tables where something is due, or nothing has happened since a time; ms since 1970."""
    sql = (
        "SELECT id, slow FROM tables INDEXED BY slow_soon WHERE slow IS NOT NULL AND soon <= ?"
        " UNION SELECT id, slow FROM tables INDEXED BY slow_idle WHERE slow IS NOT NULL AND idle <= ? ORDER BY id"
    )
    return db.execute(sql, (soon, idle)).fetchall()


def turn_based_playing(db: Connection, but: Sequence[int]) -> dict[int, int]:
    """Return at how many turn-based tables of each room a game runs. but: tables that are not counted."""
    sql = (
        "SELECT room, count(*) FROM tables WHERE slow IS NOT NULL AND state = 'playing'"
        " AND id NOT IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) GROUP BY game, room"
    )
    return dict(db.execute(sql, (msgspec.json.encode(but).decode(),)).fetchall())


def stood_still(db: Connection, since: int, until: int) -> None:
    """Write down that the hall did not run for a time."""
    db.execute("INSERT INTO outages (since, until) VALUES (?, ?) ON CONFLICT DO NOTHING", (since, until))
    mark(db, "alive", until)


def down(db: Connection, now: int) -> None:
    """Write down that the hall was down from its last mark of being alive until now."""
    since = marked(db, "alive") or 0
    if since < now:
        db.execute("INSERT INTO outages (since, until) VALUES (?, ?) ON CONFLICT DO NOTHING", (since, now))
    mark(db, "alive", now)


def rest(db: Connection, data: Mapping[str, Any]) -> None:
    """Record an hour of vacation that somebody has taken. data: of `vacation.taken`."""
    sql = (
        "INSERT INTO vacations (user, year, hours) VALUES (?, ?, 1)"
        " ON CONFLICT (user, year) DO UPDATE SET hours = vacations.hours + 1"
    )
    db.execute(sql, (data["user"], data["year"]))


def rested(db: Connection, user: int, year: int) -> int:
    """Return how many hours of vacation somebody has had in a year."""
    row = db.execute("SELECT hours FROM vacations WHERE user = ? AND year = ?", (user, year)).fetchone()
    return 0 if row is None else int(row[0])


def rested_by(db: Connection, user: int) -> list[dict[str, int]]:
    """Return the hours of vacation that somebody has had, by year."""
    rows = db.execute("SELECT year, hours FROM vacations WHERE user = ? ORDER BY year", (user,))
    return [{"year": year, "hours": hours} for year, hours in rows]


def outages(db: Connection) -> list[tuple[int, int]]:
    """Return when the hall was down: from, until, ms since 1970."""
    return list(db.execute("SELECT since, until FROM outages ORDER BY until"))


def free_number(db: Connection, room: int, above: int, promised: Container[int] = ()) -> int:
    """Return the lowest number above `above` that is neither used nor promised to a table created in a room."""
    sql = "SELECT DISTINCT no FROM tables WHERE room = ? AND made = 1 AND state != 'closed' AND no > ? ORDER BY no"
    number = above + 1
    for (no,) in db.execute(sql, (room, above)):
        while number < no and number in promised:
            number += 1
        if no != number:
            break
        number += 1
    while number in promised:
        number += 1
    return number


def rooms_opened(db: Connection) -> dict[int, tuple[str, str]]:
    """Return the game and the sort (kind, key) of every room that was ever opened, by its number."""
    rows = rows_of(db, "stream > 'room:' AND stream < 'room;' AND type = 'room.opened'", ())
    return {
        int(row.stream.partition(":")[2]): (row.data["game"], f"{row.data['kind']} {row.data.get('key', '')}".strip())
        for row in rows
    }


def newest(db: Connection) -> int:
    """Return the highest number of a table."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM tables").fetchone()[0])


def repeated(db: Connection, actor: int, cid: str) -> StoredEntry | None:
    """Return the row that a user's command wrote, None if it was not carried out."""
    found: Sequence[Any] = rows_of(db, "actor = ? AND cid = ?", (actor, cid))
    return found[0] if found else None


def reversals(db: Connection, game: str) -> set[int]:
    """Return the users for whom a game's effects have been reversed."""
    rows = rows_of(db, "type = 'moderation.reversed' AND json_extract(data, '$.ref') = ?", (game,))
    return {each["user"] for row in rows for each in row.data["rows"]}


def ruling(db: Connection, id: int) -> dict[str, Any]:
    """Return the data of what a moderator has done."""
    rows = rows_of(db, "id = ? AND type = 'moderation.acted'", (id,))
    return dict(rows[0].data) if rows else {}


def mark(db: Connection, name: str, at: int) -> None:
    """Record when something last happened, ms since 1970."""
    db.execute("INSERT INTO marks VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at", (name, at))


def marked(db: Connection, name: str) -> int | None:
    """Return when something last happened."""
    row = db.execute("SELECT at FROM marks WHERE name = ?", (name,)).fetchone()
    return None if row is None else int(row[0])
