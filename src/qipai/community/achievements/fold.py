"""Folds the log into achievements: reads what has happened, asks the games what was done, counts, awards.

The order is that of the log. A game of a shared deal (P-94) counts when the deal is opened, since what was done in it
would tell of the cards.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai import games
from qipai.community.achievements.facts import Effect, Ended, of_contest, of_game
from qipai.community.achievements.known import Achievement, edition, known
from qipai.community.notices.service import put
from qipai.core.contract import Seat
from qipai.core.record import replay as steps_of
from qipai.core.record import rules_under
from qipai.hall.live import books
from qipai.hall.records import replay
from qipai.hall.table.events import LoggedEvent, Settled, given
from qipai.store import Connection
from qipai.store.writer import rows_of

__all__ = ["Happening", "apply", "behind", "effects", "happened", "logged", "rebuild"]

STEP: Final = 2_000  # events of the log that are looked at in one go
GAMES: Final = 20  # games among them: playing one again takes up to 50 ms
TOLD_S: Final = 86_400  # a notice is given of what was earned so lately

TYPES: Final = ("game.ended", "board.opened")


class Happening(Struct, frozen=True):
    """Something in the log that may earn achievements: a game that ended or was opened, or a contest that was won."""

    event: int
    at: int
    game: str | None = None  # the id of a game
    kind: str | None = None  # of a contest
    winners: tuple[Any, ...] = ()


def behind(db: Connection) -> tuple[int, int]:
    """Return the last event that is folded by the present set of achievements, and the newest of the log."""
    return _folded(db), int(db.execute("SELECT coalesce(max(id), 0) FROM events").fetchone()[0])


def _folded(db: Connection) -> int:
    row = db.execute("SELECT event FROM achievement_folds WHERE edition = ?", (edition(),)).fetchone()
    return 0 if row is None else int(row[0])


def happened(db: Connection, after: int, newest: int) -> tuple[int, list[Happening]]:
    """Return what has happened after an event, and up to which one that is."""
    upto = min(newest, after + STEP)
    found: list[Happening] = []
    for row in rows_of(db, "id > ? AND id <= ? AND type IN (?, ?) ORDER BY id", (after, upto, *TYPES)):
        name = row.stream.partition(":")[2]
        if row.type == "board.opened":
            found += [Happening(row.id, row.at, id) for id in _of_board(db, name, row.id)]
        elif not _closed(db, name, row.id):
            found.append(Happening(row.id, row.at, name))
    sql = (
        "SELECT w.event, e.at, w.kind, w.winners FROM contest_wins w JOIN events e ON e.id = w.event"
        " WHERE w.event > ? AND w.event <= ? ORDER BY w.event"
    )
    for event, at, kind, winners in db.execute(sql, (after, upto)):
        found.append(Happening(event, at, None, kind, tuple(msgspec.json.decode(winners))))
    found.sort(key=lambda one: one.event)
    if len(found) > GAMES:
        last = found[GAMES - 1].event  # all of one event stay together
        return last, [one for one in found if one.event <= last]
    return upto, found


def _closed(db: Connection, game: str, event: int) -> bool:
    """Tell whether a game was one of a shared deal that was not open yet at an event."""
    row = db.execute("SELECT board FROM games WHERE id = ?", (game,)).fetchone()
    if row is None or row[0] is None:
        return False
    sql = "SELECT 1 FROM events WHERE stream = ? AND type = 'board.opened' AND id < ?"
    return db.execute(sql, (f"board:{row[0]}", event)).fetchone() is None


def _of_board(db: Connection, board: str, event: int) -> list[str]:
    """Return the games of a shared deal that ended before an event, in the order of their ends."""
    sql = (
        "SELECT g.id FROM games g JOIN events e ON e.stream = 'game:' || g.id AND e.type = 'game.ended'"
        " WHERE g.board = ? AND e.id < ? ORDER BY e.id"
    )
    return [id for (id,) in db.execute(sql, (board, event))]


class Logged(Struct, frozen=True):
    """What the log has of something that has happened: a game with its rows, or who has won what."""

    one: Happening
    ended: Ended | None = None
    rows: Sequence[LoggedEvent] = ()


def logged(db: Connection, one: Happening) -> Logged:
    """Read what the log has of it; nothing of a game that counts for nobody."""
    if one.game is None:
        return Logged(one)
    parts = db.execute("SELECT user, seat, sign FROM parts WHERE id = ? AND counted = 1", (one.game,)).fetchall()
    rows = books.game_rows(db, one.game) if parts else []
    if not replay.is_finished(rows):
        return Logged(one)
    what = rows[-1].what
    assert isinstance(what, Settled)
    ended = Ended(
        replay.created(rows).game,
        {seat: user for user, seat, _ in parts},
        {seat: sign for _, seat, sign in parts},
        frozenset(int(seat) for seat in given(what.left) or ()),
        {paid.seat: int(paid.pass_["pass"]) for paid in what.paid if paid.pass_ and "pass" in paid.pass_},
    )
    return Logged(one, ended, rows)


def effects(found: Logged) -> list[Effect]:
    """Return what something that has happened adds. It plays games again, so it takes a while; it reads nothing."""
    if found.one.kind is not None:
        return list(of_contest(found.one.kind, found.one.winners))
    return [] if found.ended is None else list(of_game(found.ended, _feats(found.ended.game, found.rows)))


def _feats(game: str, log: Sequence[LoggedEvent]) -> list[tuple[Seat, str]]:
    """Play a game again and return who has done what in it; nothing where today's rules do not lead to its result."""
    feats = games.find(game).feats
    if feats is None:
        return []
    try:
        whole = replay.record(log, lambda user: None)
        told, state = [], None
        for step in steps_of(games.find(game), whole):
            told += [notice.event for notice in step.events]
            state = step.state
        outcome = rules_under(games.find(game), whole).outcome(state)
        if outcome is None or list(outcome.points) != whole.outcome["points"]:
            return []
        return [(seat, name) for seat, name in feats.of(told, outcome) if name in feats.known]
    except Exception:  # replaying a game of older rules may fail in any way
        return []


def apply(
    db: Connection, after: int, upto: int, found: Sequence[tuple[Happening, list[Effect]]], now: int
) -> list[tuple[int, str, int]]:
    """Count and award what has happened since `after`, and note how far that is; return who has earned what, and when.

    now: seconds; what was earned within the last day is told. Nothing is done if somebody else has done it already.
    """
    if _folded(db) != after:
        return []
    if after == 0:  # another set of achievements: what is earned stays earned
        db.execute("DELETE FROM achievement_counts")
    people = _people(db, {effect.user for _, some in found for effect in some})
    earned: list[tuple[int, str, int]] = []
    for one, some in found:
        for effect in some:
            if effect.user in people:
                for each in _count(db, effect):
                    if _award(db, effect.user, each, one.at, now):
                        earned.append((effect.user, each.id, one.at))
    db.execute(
        "INSERT INTO achievement_folds (one, edition, event) VALUES (1, ?, ?)"
        " ON CONFLICT (one) DO UPDATE SET edition = excluded.edition, event = excluded.event",
        (edition(), upto),
    )
    return earned


def _people(db: Connection, users: Collection[int]) -> set[int]:
    """Return those of some users who have an account: no guest, no program, nobody who has deleted theirs."""
    if not users:  # guests and bots, most often: everybody's moves wait for each statement here
        return set()
    marks = ",".join("?" * len(users))
    sql = f"SELECT id FROM users WHERE id IN ({marks}) AND role NOT IN ('guest', 'bot') AND deleted_at IS NULL"
    return {id for (id,) in db.execute(sql, tuple(users))}


def _count(db: Connection, effect: Effect) -> list[Achievement]:
    """Count an effect; return the achievements whose number it has reached."""
    key = (effect.user, effect.fact)
    if effect.how == "reset":
        db.execute("DELETE FROM achievement_counts WHERE user = ? AND fact = ?", key)
        return []
    had = "achievement_counts.count"
    change = f"{had} + excluded.count" if effect.how == "add" else f"max({had}, excluded.count)"
    sql = (
        "INSERT INTO achievement_counts (user, fact, count) VALUES (?, ?, ?)"
        f" ON CONFLICT (user, fact) DO UPDATE SET count = {change} RETURNING {had}"
    )
    count = db.execute(sql, (*key, effect.n)).fetchone()[0]
    found = [one for one in known() if one.fact == effect.fact and one.need <= count]
    if count == 1 and effect.fact.startswith("win."):  # a game more that they have won
        found += _count(db, Effect(effect.user, "games_won", "add"))
    return found


def _award(db: Connection, user: int, one: Achievement, at: int, now: int) -> bool:
    """Write that somebody has earned an achievement; tell whether they had not before."""
    sql = "INSERT INTO achievements (user, id, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    if not db.execute(sql, (user, one.id, at)).rowcount:
        return False
    db.execute(
        "INSERT INTO achievement_totals (id, people) VALUES (?, 1)"
        " ON CONFLICT (id) DO UPDATE SET people = achievement_totals.people + 1",
        (one.id,),
    )
    if at > now - TOLD_S:
        put(db, user, "achievement", "/achievements", {"id": one.id, "game": one.game}, now, f"achievement:{one.id}")
    return True


def rebuild(db: Connection) -> None:
    """Make all achievements anew from the log; its other projections must be there already."""
    for table in ("achievement_counts", "achievements", "achievement_totals", "achievement_folds"):
        db.execute(f"DELETE FROM {table}")
    while True:
        after, newest = behind(db)
        if after >= newest:
            return
        upto, found = happened(db, after, newest)
        apply(db, after, upto, [(one, effects(logged(db, one))) for one in found], now=2**40)
