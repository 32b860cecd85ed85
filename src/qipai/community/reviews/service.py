"""Reviews: who leads, where they look, what else might have been played, and the talk beside it (platform P-90)."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from msgspec import Struct, json, structs

from qipai.accounts.model import User, Window
from qipai.community.common import Common, Kept
from qipai.community.contract import Piece, Reported
from qipai.community.reviews.lines import Line, Row
from qipai.community.script import script_of
from qipai.config import Reviews as Numbers
from qipai.hall.live import branches
from qipai.hall.live.branches import Branch
from qipai.hall.live.shared_deals import seen_by
from qipai.hall.table import messages as wire
from qipai.hall.table.errors import HallError
from qipai.store import Connection, Unwritten, inserted

__all__ = ["Named", "Review", "Reviews", "Said", "script"]

COLUMNS: Final = "id, key, game, at, owner, leader, led_at, line, n"
REVIEWS: Final = Kept("reviews", "owner")
WORDS: Final = Kept("review_talk")
TALK: Final = 200  # so many of the last things said are shown
CHARS: Final = 500

_encode = json.Encoder().encode


class Review(Struct, frozen=True):
    """A shared look at a game. line, n: where they look; led_at: when the leader was last seen, seconds."""

    id: int
    key: str
    game: str
    at: int
    owner: int | None
    leader: int | None
    led_at: int
    line: int
    n: int


class Named(Struct, frozen=True):
    """A line with its name and who began it."""

    line: Line
    at: int
    author: int | None
    name: str
    removed: bool
    branch: str | None = None  # the game that it is, of somebody who has gone on from the record (What if)
    playing: bool = False  # they still do


class Said(Struct, frozen=True):
    """Something said at a moment of the game."""

    id: int
    at: int
    author: int | None
    line: int
    n: int
    text: str


class Listener(Protocol):
    """A line into the hall that follows a review."""

    @property
    def user(self) -> User | None:
        """Return whose it is."""
        ...

    def send(self, frame: bytes) -> None:
        """Send a message."""
        ...


class Reviews:
    """All reviews of a hall; who follows them live is kept in memory."""

    def __init__(self, common: Common, numbers: Numbers) -> None:
        self._common, self._numbers = common, numbers
        self._window = Window(numbers.a_day, 86400)
        self._words = Window(30, 60)
        self._followers: dict[str, dict[int, Listener]] = {}  # by key, then by the listener's own number
        self._led: dict[str, int] = {}  # when the leader was last seen; newer than the row
        self.rows: Callable[[str], Awaitable[Sequence[Row]]] | None = None  # of a finished game

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return the talk, and the names of lines, as what can be reported and removed."""
        return {
            "review_talk": Piece(_find_talk, self._seen_talk, _remove_talk),
            "review_line": Piece(_find_line, self._seen_line, _remove_line),
        }

    def _seen_talk(self, db: Connection, id: int, user: int) -> Reported | None:
        """Return what was said as a reader of the review has it: not that of anybody with whom a block stands."""
        found = _seen(db, "review_talk", id, user, _find_talk)
        return None if found is None or self._common.ties.apart(user, found.author) else found

    def _seen_line(self, db: Connection, id: int, user: int) -> Reported | None:
        found = _seen(db, "review_lines", id, user, _find_line)
        return found if found is not None and found.text else None  # what was given no name says nothing

    async def open(self) -> None:
        """Show the games that were over just before the hall stopped; a review is read when somebody comes."""
        sql = (
            "SELECT DISTINCT l.tbl FROM review_lines l JOIN games g ON g.tbl = l.tbl"
            " WHERE l.tbl IS NOT NULL AND l.branch IS NULL AND g.ended_at IS NOT NULL"
        )
        for (table,) in await self._common.store.read(lambda db: db.execute(sql).fetchall()):
            await self.over(table)

    async def begin(self, user: User, game: str, n: int, cid: str | None) -> str:
        """Open a review of a game at a moment and return its key; raises HallError."""
        self._common.may_write(user)
        key, now = secrets.token_urlsafe(9).replace("_", "x").replace("-", "y"), self._common.now
        sql = "INSERT INTO reviews (key, game, at, owner, leader, led_at, n, cid) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        row = (key, game, now, user.id, user.id, now, n, cid)

        def work(db: Connection) -> int:
            return inserted(db, sql, row)

        id = await self._common.once(REVIEWS, user.id, cid, work, self._window)
        found = "SELECT key FROM reviews WHERE id = ?"
        return str((await self._common.store.read(lambda db: db.execute(found, (id,)).fetchone()))[0])

    async def find(self, key: str) -> Review:
        """Return a review; raises HallError("NOT_FOUND")."""
        sql = f"SELECT {COLUMNS} FROM reviews WHERE key = ?"
        row = await self._common.store.read(lambda db: db.execute(sql, (key,)).fetchone())
        if row is None:
            raise HallError("NOT_FOUND")
        review = Review(*row)
        return structs.replace(review, led_at=max(review.led_at, self._led.get(key, 0)))

    async def lines(self, review: int) -> dict[int, Named]:
        """Return the other lines of a review, by number."""
        return await self._common.store.read(lambda db: _lines(db, review))

    async def talk(self, review: int) -> list[Said]:
        """Return what was said last, oldest first."""
        sql = (
            "SELECT id, at, author, line, n, text FROM review_talk WHERE review = ? AND removed = 0"
            " ORDER BY id DESC LIMIT ?"
        )
        rows = await self._common.store.read(lambda db: db.execute(sql, (review, TALK)).fetchall())
        return [Said(*row) for row in reversed(rows)]

    async def asks(self, review: int) -> list[int]:
        """Return who would like to lead, in the order in which they have asked."""
        sql = "SELECT user FROM review_asks WHERE review = ? ORDER BY at, user"
        return [row[0] for row in await self._common.store.read(lambda db: db.execute(sql, (review,)).fetchall())]

    def away(self, review: Review) -> bool:
        """Tell whether the leader has not been seen for so long that anybody may take the lead."""
        return review.leader is None or self._common.now - review.led_at > self._numbers.lead_s

    # The leader -----------------------------------------------------------------------------------------------------

    async def step(self, key: str, user: User, line: int, n: int) -> None:
        """Look at another moment; raises HallError: NOT_ALLOWED, NOT_FOUND for a line that there is not."""
        review = await self._led_by(key, user)
        if line and line not in await self.lines(review.id):
            raise HallError("NOT_FOUND")
        await self._look(review, line, n)
        await self._tell(key)

    async def hand_over(self, key: str, user: User, to: int) -> None:
        """Let somebody else lead, one of those who have asked; raises HallError: NOT_ALLOWED, NOT_FOUND."""
        review = await self._led_by(key, user)
        if to not in await self.asks(review.id):
            raise HallError("NOT_FOUND")
        await self._lead(review, to)

    async def take(self, key: str, user: User) -> bool:
        """Take the lead where the leader is away, else ask for it; tell whether it was taken."""
        self._common.may_write(user)
        review = await self.find(key)
        if review.leader == user.id:
            return True
        self._common.apart(user, review.leader)
        if self.away(review):
            await self._lead(review, user.id)
            return True
        row = (review.id, user.id, self._common.now)
        sql = "INSERT INTO review_asks (review, user, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        await self._common.store.transaction(lambda db: db.execute(sql, row).rowcount)
        await self._tell(key)
        return False

    async def done(self, user: User, cid: str | None) -> tuple[int, int] | None:
        """Return where a move that somebody has tried stands, None if there was no such request."""
        return None if cid is None else await self._common.store.read(lambda db: _done(db, user.id, cid))

    async def add(
        self, key: str, user: User, line: int, n: int, length: int, rows: Sequence[Row], cid: str | None = None
    ) -> tuple[int, int]:
        """Write what the leader has tried at a moment of a line; return the line where it stands now, and the moment.

        At the end of another line it goes on, elsewhere a new one begins. length: of the whole line, as it was when the
        move was judged. All of it is one transaction; repeated, it does nothing. Raises HallError: NOT_ALLOWED,
        NOT_FOUND, LIMIT_REACHED.
        """
        self._common.may_write(user)
        numbers, now = self._numbers, self._common.now

        def work(db: Connection) -> tuple[int, int]:
            if cid is not None and (done := _done(db, user.id, cid)) is not None:
                return done
            review = _led(db, key, user.id)
            lines = _lines(db, review.id)
            if line and line not in lines:
                raise HallError("NOT_FOUND")
            here = lines.get(line)
            if here is not None and here.branch is None and n == length == here.line.n + len(here.line.rows):
                at, own = line, here.line.rows
                if len(own) + len(rows) > 4 * numbers.moves:
                    raise HallError("LIMIT_REACHED", case="moves", most=numbers.moves)
                longer = json.encode([*own, *rows]).decode()
                db.execute("UPDATE review_lines SET rows = ? WHERE id = ?", (longer, line))
            else:
                at = self._begun(db, review.id, line, n, user.id, rows, len(lines))
            stands = at, n + len(rows)
            db.execute("UPDATE reviews SET line = ?, n = ?, led_at = ? WHERE id = ?", (*stands, now, review.id))
            if cid is not None:
                sql = "INSERT INTO review_moves (author, cid, line, n) VALUES (?, ?, ?, ?)"
                db.execute(sql, (user.id, cid, *stands))
            return stands

        found = await self._common.store.transaction(work)
        self._led[key] = now
        await self._tell(key)
        return found

    def _begun(
        self,
        db: Connection,
        review: int,
        parent: int,
        n: int,
        author: int,
        rows: Sequence[Row],
        lines: int,
        branch: str | None = None,
        name: str = "",
        table: int | None = None,
    ) -> int:
        """Begin a line and return it; raises HallError if there are too many of them. lines: so many there are."""
        if lines >= self._numbers.branches:
            raise HallError("LIMIT_REACHED", case="branches", most=self._numbers.branches)
        sql = (
            "INSERT INTO review_lines (review, parent, n, at, author, name, rows, branch, tbl)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        row = (review, parent, n, self._common.now, author, name, json.encode(rows).decode(), branch, table)
        return inserted(db, sql, row)

    async def show(self, key: str, user: User, branch: Branch, n: int, rows: Sequence[Row]) -> int:
        """Show all who follow a game that goes on from the record, as a line of its own, and return the line.

        The leader's own is then open to whoever has its link. n: it leaves the record after so many actions; rows: all
        of it. Raises HallError: NOT_ALLOWED, LIMIT_REACHED.
        """
        self._common.may_write(user)
        now = self._common.now

        def work(db: Connection) -> int:
            review = _led(db, key, user.id)
            branches.write(db, branch.id, who="link" if branch.who == "me" else None)
            lines = _lines(db, review.id)
            line = next((id for id, one in lines.items() if one.branch == branch.id), None)
            if line is None:
                line = self._begun(
                    db, review.id, 0, n, branch.player, rows, len(lines), branch=branch.id, name=branch.name
                )
            db.execute("UPDATE reviews SET line = ?, n = ?, led_at = ? WHERE id = ?", (line, n, now, review.id))
            return line

        found = await self._common.store.transaction(work)
        self._led[key] = now
        await self._tell(key)
        return found

    async def may_play(self, key: str, user: User, game: str) -> None:
        """Tell whether somebody may go on from a game so that all who follow a review see what comes of it.

        Raises HallError: NOT_FOUND for a review of another game, LIMIT_REACHED, BLOCKED, those of `may_write`.
        """
        self._common.may_write(user)
        review = await self.find(key)
        if review.game != game:
            raise HallError("NOT_FOUND")
        self._common.apart(user, review.owner)
        if len(await self.lines(review.id)) >= self._numbers.branches:
            raise HallError("LIMIT_REACHED", case="branches", most=self._numbers.branches)

    async def plays(self, key: str, user: User, table: int, n: int) -> None:
        """Note that somebody goes on from a moment of the record, at a table; repeated, it does nothing."""
        review = await self.find(key)

        def work(db: Connection) -> None:
            if db.execute("SELECT 1 FROM review_lines WHERE tbl = ?", (table,)).fetchone() is None:
                self._begun(db, review.id, 0, n, user.id, (), len(_lines(db, review.id)), table=table)

        await self._common.store.transaction(work)
        await self._tell(key)

    async def over(self, table: int) -> None:
        """Show in its review what somebody has played at a table; where they lead, all look at it.

        Nothing where it belongs to no review. Where the table is gone without a game, the line is, too.
        """
        sql = (
            "SELECT r.key, r.id FROM review_lines l JOIN reviews r ON r.id = l.review"
            " WHERE l.tbl = ? AND branch IS NULL"
        )
        found = await self._common.store.read(lambda db: db.execute(sql, (table,)).fetchone())
        if found is None:
            return
        key, review = found
        branch = await self._common.store.read(lambda db: branches.at_table(db, table))
        assert self.rows is not None
        rows = () if branch is None or branch.ended_at is None else await self.rows(branch.id)

        def work(db: Connection) -> None:
            if branch is None or not rows:
                db.execute("DELETE FROM review_lines WHERE tbl = ? AND branch IS NULL", (table,))
                return
            branches.write(db, branch.id, who="link" if branch.who == "me" else None)
            written = (branch.id, branch.name, json.encode(rows).decode(), table)
            db.execute("UPDATE review_lines SET branch = ?, name = ?, rows = ? WHERE tbl = ?", written)
            look = (table, branch.ply, review, branch.player)
            db.execute(
                "UPDATE reviews SET line = (SELECT id FROM review_lines WHERE tbl = ?), n = ?"
                " WHERE id = ? AND leader = ?",
                look,
            )

        await self._common.store.transaction(work)
        await self._tell(key)

    async def shown_in(self, games: Sequence[str]) -> dict[str, str]:
        """Return the key of the newest review in which each of some games is shown, where there is one."""
        marks = ", ".join("?" * len(games))
        sql = (
            "SELECT branch, key FROM review_lines l JOIN reviews r ON r.id = l.review"
            f" WHERE branch IN ({marks}) ORDER BY l.id"
        )
        return dict(await self._common.store.read(lambda db: db.execute(sql, tuple(games)).fetchall()))

    def closed(self, db: Connection, game: str) -> None:
        """Look away from a branch that nobody may see any more; its line, and those that leave it, are not shown."""
        sql = "UPDATE reviews SET line = 0 WHERE line IN (SELECT id FROM review_lines WHERE branch = ?)"
        db.execute(sql, (game,))

    async def name(self, key: str, user: User, line: int, name: str) -> None:
        """Give a line another name: by the leader or whoever began it; raises HallError: NOT_ALLOWED, NOT_FOUND."""
        self._common.may_write(user)
        review = await self.find(key)
        found = (await self.lines(review.id)).get(line)
        if found is None:
            raise HallError("NOT_FOUND")
        if user.id not in (review.leader, found.author):
            raise HallError("NOT_ALLOWED")
        text = self._common.text(name, self._numbers.name_chars, "name")
        # Whoever gives it the name answers for it.
        sql = "UPDATE review_lines SET name = ?, author = ?, removed = 0 WHERE id = ?"
        await self._common.store.transaction(lambda db: db.execute(sql, (text, user.id, line)).rowcount)
        await self._tell(key)

    async def say(self, key: str, user: User, text: str, line: int, n: int, cid: str | None) -> None:
        """Say something at a moment; raises HallError: those of `may_write`, BLOCKED, BAD_MESSAGE, RATE_LIMIT."""
        self._common.may_write(user)
        review = await self.find(key)
        self._common.apart(user, review.owner)
        said = self._common.text(text, CHARS)
        row = (review.id, self._common.now, user.id, line, n, said, cid)
        sql = "INSERT INTO review_talk (review, at, author, line, n, text, cid) VALUES (?, ?, ?, ?, ?, ?, ?)"

        def work(db: Connection) -> int:
            return inserted(db, sql, row)

        await self._common.once(WORDS, user.id, cid, work, self._words)
        await self._tell(key)

    async def _led_by(self, key: str, user: User) -> Review:
        self._common.may_write(user)
        review = await self.find(key)
        if review.leader != user.id:
            raise HallError("NOT_ALLOWED", case="leader")
        return review

    async def _look(self, review: Review, line: int, n: int) -> None:
        now = self._leads(review.key)
        sql = "UPDATE reviews SET line = ?, n = ?, led_at = ? WHERE id = ?"
        await self._common.store.transaction(lambda db: db.execute(sql, (line, n, now, review.id)).rowcount)

    def _leads(self, key: str) -> int:
        """Note that the leader is here and return the time; those who count as away are forgotten, oldest first."""
        now = self._common.now
        self._led.pop(key, None)
        self._led[key] = now
        while (oldest := next(iter(self._led.items())))[1] < now - self._numbers.lead_s:
            del self._led[oldest[0]]
        return now

    async def _lead(self, review: Review, user: int) -> None:
        now = self._leads(review.key)

        def work(db: Connection) -> None:
            db.execute("UPDATE reviews SET leader = ?, led_at = ? WHERE id = ?", (user, now, review.id))
            db.execute("DELETE FROM review_asks WHERE review = ? AND user = ?", (review.id, user))

        await self._common.store.transaction(work)
        await self._tell(review.key)

    # Those who follow -----------------------------------------------------------------------------------------------

    async def follow(self, key: str, session: Listener, *, on: bool) -> None:
        """Send a line what happens in a review, or no longer; the leader's own is a sign of life.

        Raises HallError("NOT_FOUND"), and Unwritten while the database is away.
        """
        if not on:
            followers = self._followers.get(key, {})
            if followers.pop(id(session), None) is not None and not followers:
                del self._followers[key]
            return
        review = await self.find(key)  # first: what anybody makes up must not be kept
        followers = self._followers.setdefault(key, {})
        new = id(session) not in followers
        followers[id(session)] = session
        if session.user is not None and session.user.id == review.leader:
            self._leads(key)
        if new:
            try:
                session.send(await self._frame(key))
            except Unwritten:  # it is asked for again, and hears all of it then
                await self.follow(key, session, on=False)
                raise

    def left(self, session: Listener) -> None:
        """Forget a line that is closed."""
        for key in [key for key, all in self._followers.items() if all.pop(id(session), None) and not all]:
            del self._followers[key]

    async def _frame(self, key: str) -> bytes:
        review = await self.find(key)
        lines = await self.lines(review.id)
        playing = sum(line.playing for line in lines.values())
        last = "SELECT max(id) FROM review_talk WHERE review = ?"
        (said,) = await self._common.store.read(lambda db: db.execute(last, (review.id,)).fetchone())
        asks = tuple(await self.asks(review.id))
        return _encode(wire.ReviewNews(key, review.line, review.n, review.leader, asks, len(lines), said or 0, playing))

    async def _tell(self, key: str) -> None:
        if followers := self._followers.get(key):
            frame = await self._frame(key)
            for session in list(followers.values()):
                session.send(frame)

    # Export and deletion --------------------------------------------------------------------------------------------

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return the reviews somebody has opened, and what they have said and tried in reviews."""
        mine = db.execute("SELECT id, key, game, at FROM reviews WHERE owner = ? ORDER BY id", (user,))
        opened = [dict(zip(("id", "key", "game", "at"), row, strict=True)) for row in mine]
        talk = db.execute("SELECT id, review, at, line, n, text FROM review_talk WHERE author = ? ORDER BY id", (user,))
        lines = db.execute("SELECT id, review, at, name, rows FROM review_lines WHERE author = ? ORDER BY id", (user,))
        said = [dict(zip(("id", "review", "at", "line", "n", "text"), row, strict=True)) for row in talk]
        tried = [
            {"id": id, "review": review, "at": at, "name": name, "rows": json.decode(rows)}
            for id, review, at, name, rows in lines
        ]
        return {"reviews.json": {"opened": opened, "talk": said, "lines": tried}}

    async def erase(self, user: int) -> None:
        """Erase what somebody has said, and take their name off the rest."""

        def work(db: Connection) -> None:
            db.execute("DELETE FROM review_talk WHERE author = ?", (user,))
            db.execute("UPDATE review_lines SET author = NULL, name = '' WHERE author = ?", (user,))
            db.execute("UPDATE reviews SET owner = NULL, cid = NULL WHERE owner = ?", (user,))
            db.execute("UPDATE reviews SET leader = NULL WHERE leader = ?", (user,))
            db.execute("DELETE FROM review_asks WHERE user = ?", (user,))
            db.execute("DELETE FROM review_moves WHERE author = ?", (user,))

        await self._common.store.transaction(work)


def _lines(db: Connection, review: int) -> dict[int, Named]:
    """Return the other lines of a review, by number; without those of games that are not to be seen any more."""
    sql = (
        "SELECT l.id, parent, n, rows, at, author, l.name, l.removed, branch, tbl, b.gone = 1 OR b.who = 'me'"
        " FROM review_lines l LEFT JOIN branches b ON b.game = l.branch WHERE review = ? ORDER BY l.id"
    )
    found: dict[int, Named] = {}
    for *row, closed in db.execute(sql, (review,)):
        if not closed and (row[1] == 0 or row[1] in found):
            found[row[0]] = _named(row)
    return found


def _named(row: Any) -> Named:
    id, parent, n, rows, at, author, name, removed, branch, table = row
    played = tuple((seat, action) for seat, action in json.decode(rows))
    line = Line(id, parent, n, played, entire=branch is not None)
    playing = table is not None and branch is None
    return Named(line, at, author, "" if removed else name, bool(removed), branch, playing)


def _done(db: Connection, author: int, cid: str) -> tuple[int, int] | None:
    sql = "SELECT line, n FROM review_moves WHERE author = ? AND cid = ?"
    row: tuple[int, int] | None = db.execute(sql, (author, cid)).fetchone()
    return row


def _led(db: Connection, key: str, user: int) -> Review:
    """Return a review that somebody leads; raises HallError."""
    row = db.execute(f"SELECT {COLUMNS} FROM reviews WHERE key = ?", (key,)).fetchone()
    if row is None:
        raise HallError("NOT_FOUND")
    if row[5] != user:
        raise HallError("NOT_ALLOWED", case="leader")
    return Review(*row)


def _find_talk(db: Connection, id: int) -> Reported | None:
    sql = "SELECT t.author, text, key, removed FROM review_talk t JOIN reviews r ON r.id = t.review WHERE t.id = ?"
    row = db.execute(sql, (id,)).fetchone()
    return None if row is None else Reported(row[0], row[1], f"/review/{row[2]}", removed=bool(row[3]))


def _find_line(db: Connection, id: int) -> Reported | None:
    sql = "SELECT l.author, name, key, removed FROM review_lines l JOIN reviews r ON r.id = l.review WHERE l.id = ?"
    row = db.execute(sql, (id,)).fetchone()
    return None if row is None else Reported(row[0], row[1], f"/review/{row[2]}", removed=bool(row[3]))


def _seen(
    db: Connection, table: str, id: int, user: int, find: Callable[[Connection, int], Reported | None]
) -> Reported | None:
    """Return a piece for one who may see the game that is reviewed, None once it is removed."""
    sql = f"SELECT game FROM reviews WHERE id = (SELECT review FROM {table} WHERE id = ?)"
    row = db.execute(sql, (id,)).fetchone()
    found = None if row is None or not seen_by(db, row[0], user)[0] else find(db, id)
    return None if found is None or found.removed else found


def _remove_talk(db: Connection, id: int) -> bool:
    return db.execute("UPDATE review_talk SET removed = 1 WHERE id = ? AND removed = 0", (id,)).rowcount > 0


def _remove_line(db: Connection, id: int) -> bool:
    return db.execute("UPDATE review_lines SET removed = 1 WHERE id = ? AND removed = 0", (id,)).rowcount > 0


def script() -> tuple[str, str]:
    """Return the name and the SQL of the reviews."""
    return script_of("reviews")
