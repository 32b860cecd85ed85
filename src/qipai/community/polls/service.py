"""The polls of a hall: one vote each, counted in the transaction that keeps it (platform P-81).

Nobody is told when a poll ends: who has voted sees the result from then on, and it changes before their eyes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from qipai.accounts.model import User, Window
from qipai.accounts.text import line
from qipai.community.common import Common, Kept
from qipai.community.contract import Piece, Reported
from qipai.community.script import script_of
from qipai.config import Config
from qipai.hall.table.errors import HallError
from qipai.social import polls as rules
from qipai.store import Connection, inserted

__all__ = ["Choice", "NewPoll", "Poll", "PollService", "Who", "script"]

Who = Literal["everybody", "members", "club"]
LEAST_OPTIONS: Final = 2
MOST_OPTIONS: Final = 10
QUESTION: Final = 200  # characters
OPTION: Final = 100
DAY: Final = 86400
POLLS: Final = Kept("polls")
COLUMNS: Final = "id, author, at, closes, question, who, club, changeable, voters"


class NewPoll(Struct, frozen=True):
    """A poll that somebody makes. closes: seconds; club: whose members it asks, where `who` is `club`."""

    question: str
    options: tuple[str, ...]
    closes: int
    who: Who = "everybody"
    club: int | None = None
    changeable: bool = False


class Choice(Struct, frozen=True):
    """One answer of a poll. votes: None while the viewer may not know."""

    text: str
    votes: int | None


class Poll(Struct, frozen=True):
    """A poll as one viewer may see it. mine: what they have voted for; open: whether votes are still taken."""

    id: int
    author: int | None
    at: int
    closes: int
    question: str
    options: tuple[Choice, ...]
    who: Who
    club: int | None
    changeable: bool
    voters: int
    open: bool
    mine: int | None


class PollService:
    """All polls."""

    def __init__(self, common: Common, config: Config) -> None:
        self._common, self._store, self._numbers = common, common.store, config.polls
        self._made = Window(self._numbers.a_day, DAY)

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return what of it can be reported and removed."""
        return {"poll": Piece(_reported, self._seen, _removed)}

    async def open(self) -> None:
        """Nothing is kept in memory."""

    # Making ---------------------------------------------------------------------------------------------------------

    async def make(self, user: User, poll: NewPoll, *, moderator: bool, cid: str | None = None) -> int:
        """Make a poll and return its number: for the hall by its moderators, for a club by its bosses."""
        common, now = self._common, self._common.now
        common.may_write(user)
        question, options = line(poll.question), [line(option) for option in poll.options]
        if not question or len(question) > QUESTION:
            raise HallError("BAD_OPTION", field="question")
        short = any(not option or len(option) > OPTION for option in options)
        if short or not LEAST_OPTIONS <= len(options) <= MOST_OPTIONS or len(set(options)) < len(options):
            raise HallError("BAD_OPTION", field="options")
        if not now < poll.closes <= now + self._numbers.days * DAY:
            raise HallError("BAD_OPTION", field="closes")
        if (poll.club is not None) is not (poll.who == "club"):
            raise HallError("BAD_OPTION", field="club")
        if poll.club is None and not moderator:
            raise HallError("NOT_ALLOWED")

        def work(db: Connection) -> int:
            if poll.club is not None:
                self._boss(user, poll.club)
            row = (user.id, now, poll.closes, question, poll.who, poll.club, poll.changeable, cid)
            sql = (
                "INSERT INTO polls (author, at, closes, question, who, club, changeable, cid)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            )
            id = inserted(db, sql, row)
            rows = [(id, no, text) for no, text in enumerate(options)]
            db.executemany("INSERT INTO poll_options (poll, no, text) VALUES (?, ?, ?)", rows)
            return id

        return await common.once(POLLS, user.id, cid, work, self._made)

    def may_make(self, viewer: int | None, club: int | None, *, moderator: bool) -> bool:
        """Tell whether somebody may make a poll: for the hall, or for a club."""
        if club is None or viewer is None:
            return moderator
        return self._common.clubs.rank_of(viewer, club) == "boss"

    def _boss(self, user: User, club: int) -> None:
        rank = self._common.clubs.rank_of(user.id, club)
        if rank is None:
            raise HallError("NOT_MEMBER")
        if rank != "boss":
            raise HallError("RANK_TOO_LOW")

    # Voting ---------------------------------------------------------------------------------------------------------

    async def vote(self, user: User, id: int, choice: int) -> None:
        """Count somebody's vote; raises HallError (NOT_FOUND, POLL_CLOSED, BAD_OPTION, ALREADY_VOTED, NOT_MEMBER)."""
        common = self._common
        if user.kind == "guest":
            raise HallError("SIGN_IN", case="guest")
        if user.kind == "bot":
            raise HallError("NOT_ALLOWED", case="program")
        member = await common.member(user.id)
        now = common.now

        def work(db: Connection) -> None:
            poll = self._visible(db, id, user.id)
            if poll.who == "members" and not member:
                raise HallError("NOT_MEMBER")
            before = db.execute("SELECT choice FROM poll_votes WHERE poll = ? AND user = ?", (id, user.id)).fetchone()
            count = db.execute("SELECT count(*) FROM poll_options WHERE poll = ?", (id,)).fetchone()[0]
            votes = {} if before is None else {str(user.id): int(before[0])}
            why = rules.refused(count, poll.closes, votes, str(user.id), choice, now, may_change=bool(poll.changeable))
            if why is not None:
                raise HallError(why, **({"field": "choice"} if why == "BAD_OPTION" else {}))
            if before is None:
                db.execute("UPDATE polls SET voters = voters + 1 WHERE id = ?", (id,))
            else:
                db.execute("UPDATE poll_options SET votes = votes - 1 WHERE poll = ? AND no = ?", (id, before[0]))
            db.execute("UPDATE poll_options SET votes = votes + 1 WHERE poll = ? AND no = ?", (id, choice))
            sql = (
                "INSERT INTO poll_votes (poll, user, choice, at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (poll, user) DO UPDATE SET choice = excluded.choice, at = excluded.at"
            )
            db.execute(sql, (id, user.id, choice, now))

        await self._store.transaction(work)

    # Reading --------------------------------------------------------------------------------------------------------

    async def of(self, id: int, viewer: int | None) -> Poll:
        """Return a poll as somebody may see it; raises HallError("NOT_FOUND")."""
        now = self._common.now
        return await self._store.read(lambda db: _shown(db, [self._visible(db, id, viewer)], viewer, now)[0])

    async def page(self, viewer: int | None, club: int | None, before: int | None, most: int) -> list[Poll]:
        """Return polls, newest first. club: those of this one, for its members; None: those of the hall."""
        now = self._common.now
        where = "club IS NULL" if club is None else "club = ?"
        sql = f"SELECT {COLUMNS} FROM polls WHERE {where} AND removed = 0 AND id < ? ORDER BY id DESC LIMIT ?"

        def work(db: Connection) -> list[Poll]:
            if club is not None and not self._in_club(viewer, club):
                raise HallError("NOT_MEMBER")
            values = (*(() if club is None else (club,)), 2**62 if before is None else before, most)
            return _shown(db, [_Row(*row) for row in db.execute(sql, values)], viewer, now)

        return await self._store.read(work)

    async def waiting(self, user: int) -> int | None:
        """Return the newest open poll of the hall in which somebody may vote and has not."""
        now, member = self._common.now, await self._common.member(user)
        sql = (
            "SELECT id FROM polls INDEXED BY polls_by_end"
            " WHERE club IS NULL AND removed = 0 AND closes >= ? AND (who = 'everybody' OR ? = 1)"
            " AND NOT EXISTS (SELECT 1 FROM poll_votes WHERE poll = polls.id AND user = ?)"
            " ORDER BY closes DESC, id DESC LIMIT 1"
        )
        found = await self._store.read(lambda db: db.execute(sql, (now, member, user)).fetchone())
        return None if found is None else int(found[0])

    def _visible(self, db: Connection, id: int, viewer: int | None) -> _Row:
        sql = f"SELECT {COLUMNS} FROM polls WHERE id = ? AND removed = 0"
        found = db.execute(sql, (id,)).fetchone()
        poll = None if found is None else _Row(*found)
        if poll is None or (poll.club is not None and not self._in_club(viewer, poll.club)):
            raise HallError("NOT_FOUND")
        return poll

    def _in_club(self, viewer: int | None, club: int) -> bool:
        return viewer is not None and self._common.clubs.rank_of(viewer, club) is not None

    # Order, export, deletion ----------------------------------------------------------------------------------------

    def _seen(self, db: Connection, id: int, viewer: int) -> Reported | None:
        try:
            self._visible(db, id, viewer)
        except HallError:
            return None
        return _reported(db, id)

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return the polls and the votes of a user."""
        made = [
            {"poll": id, "at": at, "question": question, "options": [text for text, _ in _options(db, id)]}
            for id, at, question in db.execute(
                "SELECT id, at, question FROM polls WHERE author = ? ORDER BY id", (user,)
            ).fetchall()
        ]
        sql = (
            "SELECT poll, v.at, question, text FROM poll_votes v JOIN polls ON polls.id = poll"
            " JOIN poll_options USING (poll) WHERE user = ? AND no = choice ORDER BY poll"
        )
        voted = [dict(zip(("poll", "at", "question", "vote"), row, strict=True)) for row in db.execute(sql, (user,))]
        return {"polls.json": {"made": made, "voted": voted}}

    async def erase(self, user: int) -> None:
        """Forget who has made polls and what they voted for; the counts stay."""

        def work(db: Connection) -> None:
            db.execute("UPDATE polls SET author = NULL, cid = NULL WHERE author = ?", (user,))
            db.execute("DELETE FROM poll_votes WHERE user = ?", (user,))

        await self._store.transaction(work)


class _Row(Struct, frozen=True):
    id: int
    author: int | None
    at: int
    closes: int
    question: str
    who: Who
    club: int | None
    changeable: int
    voters: int


def _shown(db: Connection, rows: Sequence[_Row], viewer: int | None, now: int) -> list[Poll]:
    """Return polls with the counts that a viewer may know: those of a poll that is over, or where they have voted."""
    found = []
    for row in rows:
        sql = "SELECT choice FROM poll_votes WHERE poll = ? AND user = ?"
        mine = None if viewer is None else db.execute(sql, (row.id, viewer)).fetchone()
        told = mine is not None or now > row.closes
        options = tuple(Choice(text, votes if told else None) for text, votes in _options(db, row.id))
        found.append(
            Poll(
                row.id,
                row.author,
                row.at,
                row.closes,
                row.question,
                options,
                row.who,
                row.club,
                bool(row.changeable),
                row.voters,
                now <= row.closes,
                None if mine is None else mine[0],
            )
        )
    return found


def _options(db: Connection, id: int) -> list[tuple[str, int]]:
    return db.execute("SELECT text, votes FROM poll_options WHERE poll = ? ORDER BY no", (id,)).fetchall()


def _reported(db: Connection, id: int) -> Reported | None:
    found = db.execute("SELECT author, question, removed FROM polls WHERE id = ?", (id,)).fetchone()
    if found is None:
        return None
    author, question, removed = found
    text = "\n".join((question, *(f"- {option}" for option, _ in _options(db, id))))
    return Reported(author, text, f"/polls/{id}", removed=bool(removed))


def _removed(db: Connection, id: int) -> bool:
    return db.execute("UPDATE polls SET removed = 1 WHERE id = ? AND removed = 0", (id,)).rowcount == 1


def script() -> tuple[str, str]:
    """Return the name and the SQL of the polls."""
    return script_of("polls")
