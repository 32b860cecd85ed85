"""The clubs of a hall (platform P-78): founded, joined, led, left, given up.

What others ask at once, who has which rank, is in memory: `rank_of`. Changes are made one after the other, in one
transaction each, and the club is read anew from it. Boards, chat rooms and polls of a club ask `member` and `rank_of`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

from qipai.accounts.model import User, Window
from qipai.accounts.text import line
from qipai.community.clubs import books, pieces
from qipai.community.clubs.challenges import Challenges
from qipai.community.clubs.model import Club
from qipai.community.clubs.rules import Before, Member, Rank, heir, look_of, named, number, refuse_rank
from qipai.community.clubs.teams import Teams
from qipai.community.common import Common, Kept
from qipai.community.contract import Piece
from qipai.community.notices.service import put
from qipai.community.script import script_of
from qipai.config import Config
from qipai.hall.table.errors import HallError
from qipai.store import Conflict, Connection, inserted

__all__ = ["Clubs", "members_of", "script"]

T = TypeVar("T")
HOUR: Final = 3600
CLUBS: Final = Kept("clubs", "founder")
NEWS: Final = Kept("club_news")


class Clubs:
    """All clubs. closing: what is called with the number of one that is given up."""

    def __init__(self, common: Common, config: Config) -> None:
        self.common, self.numbers = common, config.clubs
        self._store = common.store
        self._clubs: dict[int, Club] = {}
        self._of: dict[int, set[int]] = {}  # the clubs of a user
        self._lock = asyncio.Lock()
        self._founding, self._writing = Window(10, HOUR), Window(self.numbers.news_per_hour, HOUR)
        self.teams, self.challenges = Teams(self), Challenges(self)
        self.closing: list[Callable[[int], Awaitable[None]]] = []
        self.leaving: list[Callable[[int, int], None]] = []  # called with a club and who is no longer in it
        self.most: Callable[[User], Awaitable[int]] = self._most

    async def _most(self, user: User) -> int:
        """Return how many clubs somebody may have founded, where no membership is known."""
        return 1

    async def open(self) -> None:
        """Load all clubs, and make the matches of challenges that were accepted when the hall stopped."""

        def work(db: Connection) -> list[Club | None]:
            return [books.club(db, id) for id in books.all_clubs(db)]

        for club in await self._store.read(work):
            if club is not None:
                self._keep(club.id, club)
        await self.challenges.open()

    def _keep(self, id: int, club: Club | None) -> None:
        """Take what the store says of a club into memory."""
        before = self._clubs.pop(id, None)
        for user in () if before is None else before.people:
            self._of[user].discard(id)
        if club is not None:
            self._clubs[id] = club
            for user in club.people:
                self._of.setdefault(user, set()).add(id)
        for user in (
            before.people.keys() - (club.people.keys() if club is not None else ()) if before is not None else ()
        ):
            for leaving in self.leaving:
                leaving(id, user)

    async def change(self, id: int, work: Callable[[Connection, Club], T]) -> T:
        """Change a club in one transaction, as it is then, and read it anew. Raises HallError("NOT_FOUND")."""

        def whole(db: Connection) -> tuple[T, Club | None]:
            club = books.club(db, id)
            if club is None:
                raise HallError("NOT_FOUND")
            done = work(db, club)
            return done, books.club(db, id)

        async with self._lock:
            done, club = await self._store.transaction(whole)
            self._keep(id, club)
        await self.common.notices.wake()
        return done

    # Asking -----------------------------------------------------------------------------------------------------------

    def find(self, id: int) -> Club:
        """Return a club; raises HallError("NOT_FOUND")."""
        if id not in self._clubs:
            raise HallError("NOT_FOUND")
        return self._clubs[id]

    def all(self) -> list[Club]:
        """Return all clubs, those with the most members first."""
        return sorted(self._clubs.values(), key=lambda club: (-len(club.people), club.id))

    def of(self, user: int) -> list[Club]:
        """Return the clubs of somebody, where they have been longest first."""
        found = [self._clubs[id] for id in self._of.get(user, ())]
        return sorted(found, key=lambda club: (club.people[user].at, club.id))

    def rank_of(self, user: int | None, club: int) -> Rank | None:
        """Return somebody's rank in a club, None: they are no member of it, or it is no more."""
        found = self._clubs.get(club)
        return None if found is None else found.rank(user)

    def is_open(self, club: int) -> bool | None:
        """Tell whether anybody may join a club, and so read in it; None where there is no such club."""
        found = self._clubs.get(club)
        return None if found is None else not found.closed

    def name(self, club: int) -> str | None:
        """Return the name of a club; None where there is no such club."""
        found = self._clubs.get(club)
        return None if found is None else found.name

    def member(self, user: int | None, club: int, need: Rank = "member") -> Club:
        """Return a club in which somebody has a rank; raises HallError NOT_FOUND, BANNED, NOT_MEMBER, RANK_TOO_LOW."""
        found = self.find(club)
        if user is not None and user in found.banned:
            raise HallError("BANNED", case="club")
        refuse_rank(found.rank(user), need)
        return found

    # Founding and giving up -------------------------------------------------------------------------------------------

    async def found(self, user: User, name: str, text: str, cid: str | None, *, closed: bool) -> Club:
        """Found a club, as its boss; raises HallError, as LIMIT_REACHED for who has founded enough (P-62)."""
        self.common.may_write(user)
        name, text = named(name), self._text(text)
        most, now, look = await self.most(user), self.common.now, look_of(name)

        def work(db: Connection) -> int:
            sql = "SELECT count(*) FROM clubs WHERE founder = ? AND look IS NOT NULL"
            if db.execute(sql, (user.id,)).fetchone()[0] >= most:
                raise HallError("LIMIT_REACHED", case="clubs", most=most)
            id = inserted(
                db,
                "INSERT INTO clubs (name, look, text, author, founder, at, closed, cid)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (name, look, text, user.id, user.id, now, int(closed), cid),
            )
            db.execute("INSERT INTO club_people VALUES (?, ?, ?, ?)", (id, user.id, number("boss"), now))
            return id

        async with self._lock:
            try:
                id = await self.common.once(CLUBS, user.id, cid, work, self._founding)
            except Conflict as wrong:
                raise _taken(wrong) from wrong
            self._keep(id, await self._store.read(lambda db: books.club(db, id)))
        return self.find(id)

    def _text(self, text: str) -> str:
        return self.common.text(text, self.numbers.text_chars) if text.strip() else ""

    async def rewrite(self, user: User, id: int, name: str, text: str, *, closed: bool) -> Club:
        """Change what a club is called and says, and how one joins it; by a boss."""
        self.common.may_write(user)
        name, text = named(name), self._text(text)
        look = look_of(name)

        def work(db: Connection, club: Club) -> None:
            refuse_rank(club.rank(user.id), "boss")
            sql = "UPDATE clubs SET name = ?, look = ?, text = ?, author = ?, closed = ?, removed = 0 WHERE id = ?"
            db.execute(sql, (name, look, text, user.id, int(closed), id))
            if not closed:
                for (asked,) in db.execute("SELECT user FROM club_doors WHERE club = ? AND what = 'asked'", (id,)):
                    self._let_in(db, club, asked, by=user.id)

        try:
            await self.change(id, work)
        except Conflict as wrong:
            raise _taken(wrong) from wrong
        return self.find(id)

    async def close(self, user: User, id: int) -> None:
        """Give a club up, by a boss. Tournaments of its that run go on; those that wait are cancelled."""

        def work(db: Connection, club: Club) -> None:
            refuse_rank(club.rank(user.id), "boss")
            self._shut(db, club, by=user.id)

        await self.change(id, work)
        await self._closed(id)

    def _shut(self, db: Connection, club: Club, by: int | None) -> None:
        """Close a club for good, in a transaction."""
        now = self.common.now
        db.execute("UPDATE clubs SET look = NULL, gone_at = ? WHERE id = ?", (now, club.id))
        db.execute(
            "UPDATE club_challenges SET state = 'withdrawn' WHERE (club = ?1 OR other_club = ?1) AND state = 'open'",
            (club.id,),
        )
        for user in club.people:
            if user != by:
                put(db, user, "club_closed", "/clubs", {"club": club.name}, now)
        for table in ("club_people", "club_doors"):
            db.execute(f"DELETE FROM {table} WHERE club = ?", (club.id,))
        db.execute("DELETE FROM club_players WHERE team IN (SELECT id FROM club_teams WHERE club = ?)", (club.id,))
        db.execute("UPDATE club_teams SET gone = 1 WHERE club = ?", (club.id,))

    async def _closed(self, id: int) -> None:
        for closing in self.closing:
            await closing(id)

    # Coming and going -------------------------------------------------------------------------------------------------

    async def join(self, user: User, id: int) -> Rank | None:
        """Join a club, or ask to; return the rank that somebody has then, None: the bosses are asked."""
        self.common.may_write(user)

        def work(db: Connection, club: Club) -> Rank | None:
            if user.id in club.banned:
                raise HallError("BANNED", case="club")
            if (rank := club.rank(user.id)) is not None:
                return rank
            sql = "SELECT what FROM club_doors WHERE club = ? AND user = ?"
            door = db.execute(sql, (id, user.id)).fetchone()
            if not club.closed or door == ("invited",):
                self._let_in(db, club, user.id, by=user.id)
                return "member"
            if door is None:
                waiting = db.execute(
                    "SELECT count(*) FROM club_doors WHERE club = ? AND what = 'asked'", (id,)
                ).fetchone()[0]
                if waiting >= self.numbers.asked:
                    raise HallError("LIMIT_REACHED", case="queue", most=self.numbers.asked)
                now = self.common.now
                db.execute("INSERT INTO club_doors VALUES (?, ?, 'asked', ?, NULL)", (id, user.id, now))
                # Whoever asks, takes it back and asks again is told of once a day.
                key = f"club_asked:{id}:{user.id}:{now // (24 * HOUR)}"
                self._tell(db, club, club.those("boss"), "club_asked", user, key=key)
            return None

        return await self.change(id, work)

    def _let_in(self, db: Connection, club: Club, user: int, by: int) -> None:
        """Make somebody a member, in a transaction; raises HallError if there is no room."""
        count = db.execute("SELECT count(*) FROM club_people WHERE club = ?", (club.id,)).fetchone()[0]
        if count >= self.numbers.people:
            raise HallError("LIMIT_REACHED", case="inside", most=self.numbers.people)
        now = self.common.now
        db.execute("DELETE FROM club_doors WHERE club = ? AND user = ?", (club.id, user))
        db.execute("INSERT INTO club_people VALUES (?, ?, ?, ?)", (club.id, user, number("member"), now))
        if by != user:
            put(db, user, "club_accepted", f"/clubs/{club.id}", {"club": club.name}, now)

    async def answer(self, user: User, id: int, other: int, *, accept: bool) -> None:
        """Let in who has asked, or not; by a boss. Once that is done, it stays done."""

        def work(db: Connection, club: Club) -> None:
            refuse_rank(club.rank(user.id), "boss")
            if club.rank(other) is not None:
                return
            if not accept:  # or take an invitation back
                sql = "DELETE FROM club_doors WHERE club = ? AND user = ? AND what = 'invited'"
                if db.execute(sql, (id, other)).rowcount:
                    return
            sql = "DELETE FROM club_doors WHERE club = ? AND user = ? AND what = 'asked'"
            if not db.execute(sql, (id, other)).rowcount:
                raise HallError("OFFER_GONE")
            if accept:
                self._let_in(db, club, other, by=user.id)
            else:
                put(db, other, "club_refused", f"/clubs/{id}", {"club": club.name}, self.common.now)

        await self.change(id, work)

    async def invite(self, user: User, id: int, other: User) -> None:
        """Invite somebody, who may then come in without asking; by a boss."""
        self.common.may_write(user)
        self.common.apart(user, other.id)
        self.common.in_time(self._writing, user.id)

        def work(db: Connection, club: Club) -> None:
            refuse_rank(club.rank(user.id), "boss")
            if other.id in club.banned:
                raise HallError("BANNED", case="them")
            if club.rank(other.id) is not None:
                return
            sql = "SELECT what FROM club_doors WHERE club = ? AND user = ?"
            door = db.execute(sql, (id, other.id)).fetchone()
            if door == ("asked",):
                self._let_in(db, club, other.id, by=user.id)
            elif door is None:
                now = self.common.now
                db.execute("INSERT INTO club_doors VALUES (?, ?, 'invited', ?, ?)", (id, other.id, now, user.id))
                self._tell(db, club, (other.id,), "club_invited", user)

        await self.change(id, work)

    async def leave(self, user: User, id: int) -> None:
        """Leave a club, or ask no longer to come in. Its last member closes it; its last boss names another first."""
        gone = False

        def work(db: Connection, club: Club) -> None:
            nonlocal gone
            if club.rank(user.id) is None:
                db.execute("DELETE FROM club_doors WHERE club = ? AND user = ? AND what != 'banned'", (id, user.id))
                return
            if club.those("boss") == (user.id,) and len(club.people) > 1:
                raise HallError("LAST_BOSS")
            self._part(db, club, user.id)
            if len(club.people) == 1:
                self._shut(db, club, by=user.id)
                gone = True

        await self.change(id, work)
        if gone:
            await self._closed(id)

    @staticmethod
    def _part(db: Connection, club: Club, user: int) -> None:
        """Take somebody out of a club and its teams, in a transaction; what they play for it goes on."""
        db.execute("DELETE FROM club_people WHERE club = ? AND user = ?", (club.id, user))
        for team in club.teams:
            db.execute("DELETE FROM club_players WHERE team = ? AND user = ?", (team, user))

    async def ban(self, user: User, id: int, other: int, *, on: bool) -> None:
        """Send somebody out for good, or let them ask again; by a boss. A boss is made a member first."""
        if other == user.id:
            raise HallError("SELF")

        def work(db: Connection, club: Club) -> None:
            refuse_rank(club.rank(user.id), "boss")
            if not on:
                sql = "DELETE FROM club_doors WHERE club = ? AND user = ? AND what = 'banned'"
                db.execute(sql, (id, other))
                return
            if club.rank(other) == "boss":
                raise HallError("RANK_TOO_LOW", case="above")
            if other in club.banned:
                return
            now = self.common.now
            self._part(db, club, other)
            sql = (
                "INSERT INTO club_doors VALUES (?, ?, 'banned', ?, ?) ON CONFLICT (club, user)"
                " DO UPDATE SET what = excluded.what, at = excluded.at, by = excluded.by"
            )
            db.execute(sql, (id, other, now, user.id))
            put(db, other, "club_banned", f"/clubs/{id}", {"club": club.name}, now)

        await self.change(id, work)

    async def set_rank(self, user: User, id: int, other: int, rank: Rank) -> None:
        """Give a member another rank, by a boss; the last boss stays one."""

        await self.common.accounts.meet([other])

        def work(db: Connection, club: Club) -> None:
            refuse_rank(club.rank(user.id), "boss")
            have = club.rank(other)
            if have is None:
                raise HallError("NOT_FOUND")
            if have == rank:
                return
            if rank != "member" and self._plays(other):
                raise HallError("NOT_ALLOWED", case="program")
            if have == "boss" and club.those("boss") == (other,):
                raise HallError("LAST_BOSS")
            sql = "UPDATE club_people SET rank = ? WHERE club = ? AND user = ?"
            db.execute(sql, (number(rank), id, other))
            if other != user.id:
                put(db, other, f"club_rank_{rank}", f"/clubs/{id}", {"club": club.name}, self.common.now)

        await self.change(id, work)

    def _tell(
        self, db: Connection, club: Club, users: tuple[int, ...], kind: str, by: User, key: str | None = None
    ) -> None:
        """Write a notice to each of some users that somebody has done something, but not to who is apart from them."""
        for user in users:
            if user != by.id and not self.common.ties.apart(user, by.id):
                facts = {"club": club.name, "from": by.name}
                put(db, user, kind, f"/clubs/{club.id}", facts, self.common.now, key)

    # News -------------------------------------------------------------------------------------------------------------

    async def write(self, user: User, id: int, title: str, text: str, cid: str | None) -> int:
        """Write news to a club, by a boss; return their number."""
        self.common.may_write(user)
        self.member(user.id, id, "boss")
        title = self.common.text(line(title), self.numbers.title_chars, "title")
        text = self.common.text(text, self.numbers.text_chars)

        def work(db: Connection, club: Club) -> int:
            refuse_rank(club.rank(user.id), "boss")
            now = self.common.now
            made = inserted(
                db,
                "INSERT INTO club_news (club, author, at, title, text, cid) VALUES (?, ?, ?, ?, ?, ?)",
                (id, user.id, now, title, text, cid),
            )
            facts = {"club": club.name, "title": title}
            for other in club.people:
                if other != user.id and not self.common.ties.apart(other, user.id):
                    put(db, other, "club_news", f"/clubs/{id}", facts, now)
            return made

        return await self.common.once(NEWS, user.id, cid, work, self._writing, partial(self.change, id))

    async def unwrite(self, user: User, id: int, number: int) -> None:
        """Take news of a club away, by a boss."""

        def work(db: Connection, club: Club) -> None:
            refuse_rank(club.rank(user.id), "boss")
            if not db.execute("DELETE FROM club_news WHERE id = ? AND club = ?", (number, id)).rowcount:
                raise HallError("NOT_FOUND")

        await self.change(id, work)

    async def news(self, id: int, before: int | None, most: int) -> list[books.News]:
        """Return the news of a club, newest first."""
        return await self._store.read(lambda db: books.news(db, id, before, most))

    async def doors(self, id: int) -> list[books.Door]:
        """Return who stands before the door of a club."""
        return await self._store.read(lambda db: books.doors(db, id))

    async def door(self, user: int, id: int) -> Before | None:
        """Return what somebody is before the door of a club: asked, invited, banned; None: nothing."""
        sql = "SELECT what FROM club_doors WHERE club = ? AND user = ?"
        row = await self._store.read(lambda db: db.execute(sql, (id, user)).fetchone())
        return None if row is None else row[0]

    async def invited(self, user: int) -> list[int]:
        """Return the clubs that have invited somebody."""
        sql = "SELECT club FROM club_doors WHERE user = ? AND what = 'invited' ORDER BY at"
        return [id for (id,) in await self._store.read(lambda db: db.execute(sql, (user,)).fetchall())]

    async def said(self, id: int) -> books.Said:
        """Return what a club says of itself, as it was written."""
        return await self._store.read(lambda db: books.said(db, id))

    # The community's contract -----------------------------------------------------------------------------------------

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return names, texts and news, which can be reported and removed."""
        return pieces.pieces(self._renamed, self._team_renamed)

    async def _renamed(self, id: int) -> None:
        """Read a club anew whose name, or whose team's name, a moderator has removed."""
        async with self._lock:
            club = await self._store.read(lambda db: books.club(db, id))
            if club is not None:
                self._keep(id, club)

    async def _team_renamed(self, team: int) -> None:
        sql = "SELECT club FROM club_teams WHERE id = ?"
        await self._renamed((await self._store.read(lambda db: db.execute(sql, (team,)).fetchone()))[0])

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return the clubs, news, teams and challenges of a user."""
        return {"clubs.json": pieces.exported(db, user)}

    async def erase(self, user: int) -> None:
        """Take who deletes their account out of all clubs; a club without a boss has its heir, or closes (P-96).

        What they have written, news and what a club says of itself, goes. The names of clubs and teams, by which others
        know them, stay, and so do challenges and their matches.
        """
        for club in self.of(user):
            await self._lost(user, club.id)

        def work(db: Connection) -> None:
            db.execute("DELETE FROM club_news WHERE author = ?", (user,))
            db.execute("UPDATE clubs SET text = '' WHERE author = ?", (user,))
            for table, column in pieces.NAMED:
                db.execute(f"UPDATE {table} SET {column} = NULL WHERE {column} = ?", (user,))
            for table in ("club_doors", "club_players"):
                db.execute(f"DELETE FROM {table} WHERE user = ?", (user,))

        touched = [id for id, club in self._clubs.items() if user in (club.founder, *club.banned)]
        async with self._lock:
            await self._store.transaction(work)
        for id in touched:
            await self.change(id, lambda db, club: None)

    def _plays(self, user: int) -> bool:
        """Tell whether a member is a program, which leads nobody."""
        found = self.common.accounts.peek(user)
        return found is not None and found.kind == "bot"

    def leads(self, user: int) -> bool:
        """Tell whether somebody is manager or boss of a club."""
        return any(club.rank(user) != "member" for club in self.of(user))

    async def _lost(self, user: int, id: int) -> None:
        shut = False
        await self.common.accounts.meet(self.find(id).people)

        def work(db: Connection, club: Club) -> None:
            nonlocal shut
            self._part(db, club, user)
            others = [one for one in club.people.values() if one.user != user and not self._plays(one.user)]
            if any(one.rank == "boss" for one in others):
                return
            new = heir(others)
            if new is None:
                self._shut(db, club, by=user)
                shut = True
                return
            db.execute("UPDATE club_people SET rank = ? WHERE club = ? AND user = ?", (number("boss"), id, new))
            put(db, new, "club_rank_boss", f"/clubs/{id}", {"club": club.name}, self.common.now)

        await self.change(id, work)
        if shut:
            await self._closed(id)


def _taken(wrong: Conflict) -> HallError:
    """Return the refusal of a name that another club has."""
    if "look" not in str(wrong):
        raise wrong
    return HallError("NAME_TAKEN", case="club")


def members_of(club: Club) -> list[Member]:
    """Return the members of a club: bosses, managers, then the others, the longest first."""
    return sorted(club.people.values(), key=lambda one: (-number(one.rank), one.at, one.user))


def script() -> tuple[str, str]:
    """Return the name and the SQL of the clubs."""
    return script_of("clubs")
