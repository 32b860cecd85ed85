"""The interviews of a hall: an editor asks a player, everybody asks, the player answers, it is published (P-84)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from qipai.accounts.model import User, Window
from qipai.accounts.text import line
from qipai.community.common import Common, Kept
from qipai.community.contract import Piece
from qipai.community.interviews import rows
from qipai.community.interviews.rows import Comment, Correction, Interview, Question
from qipai.community.notices.service import put
from qipai.community.script import script_of
from qipai.config import Config
from qipai.hall.table.errors import HallError
from qipai.store import Connection, LogEntry, inserted

__all__ = ["InterviewService", "script"]

TITLE: Final = 100  # characters
TEXT: Final = 4000
QUESTION: Final = 500
ANSWER: Final = 8000
COMMENT: Final = 2000
MOST_PICKED: Final = 50
MOST_SHOWN: Final = 200  # questions not picked that the editor sees, the newest
HOUR: Final = 3600
INTERVIEWS: Final = Kept("interviews", "editor")
QUESTIONS: Final = Kept("interview_questions")
COMMENTS: Final = Kept("interview_comments")


class InterviewService:
    """All interviews. moderator, in its calls: of the whole hall; they may do whatever an editor may."""

    def __init__(self, common: Common, config: Config) -> None:
        self._common, self._store, self._numbers = common, common.store, config.interviews
        self._commented = Window(self._numbers.comments_per_hour, HOUR)
        self._editors: dict[int, int] = {}  # whom an administrator has named: since when

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return what of it can be reported and removed."""
        return rows.PIECES

    async def open(self) -> None:
        """Load who is an editor."""
        sql = "SELECT user, at FROM interview_editors ORDER BY user"
        self._editors = dict(await self._store.read(lambda db: db.execute(sql).fetchall()))

    # Editors --------------------------------------------------------------------------------------------------------

    def editors(self) -> Mapping[int, int]:
        """Return whom administrators have named, and when."""
        return self._editors

    def edits(self, user: int | None, *, moderator: bool) -> bool:
        """Tell whether somebody may open interviews."""
        return moderator or user in self._editors

    async def name(self, user: int, *, on: bool, by: int) -> None:
        """Name an editor, or end it."""
        if on is (user in self._editors):
            return
        now = self._common.clock.now()

        def work(db: Connection) -> None:
            if on:
                row = (user, by, now // 1000)
                db.execute("INSERT INTO interview_editors (user, by, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", row)
            else:
                db.execute("DELETE FROM interview_editors WHERE user = ?", (user,))
            put(db, user, "editor" if on else "editor_no_more", "/interviews", {}, now // 1000)

        await self._store.append(
            [LogEntry("roles", None, "editor.named", {"user": user, "on": on}, None, by)], now, work
        )
        await self.open()
        await self._common.notices.wake()

    # The editor -----------------------------------------------------------------------------------------------------

    async def begin(
        self, editor: User, player: User, title: str, text: str, lang: str, *, moderator: bool, cid: str | None = None
    ) -> int:
        """Ask a player for an interview; return its number. Raises HallError."""
        common = self._common
        common.may_write(editor)
        if not self.edits(editor.id, moderator=moderator):
            raise HallError("NOT_ALLOWED")
        if player.id == editor.id:
            raise HallError("SELF")
        common.apart(editor, player.id)
        title, text, now = _title(title), common.text(text, TEXT), common.now

        def work(db: Connection) -> int:
            sql = (
                "INSERT INTO interviews (editor, player, at, state, title, text, lang, cid)"
                " VALUES (?, ?, ?, 'asked', ?, ?, ?, ?)"
            )
            id = inserted(db, sql, (editor.id, player.id, now, title, text, lang, cid))
            facts = {"from": editor.name, "title": title}
            put(db, player.id, "interview_asked", rows.path(id), facts, now)
            return id

        return await common.once(INTERVIEWS, editor.id, cid, work)

    async def edit(self, user: User, id: int, title: str, text: str, lang: str, *, moderator: bool) -> None:
        """Change what stands above the questions; of what is published the old words are kept."""
        self._common.may_write(user)
        title, text = _title(title), self._common.text(text, TEXT)

        def work(db: Connection) -> None:
            one = self._mine(db, id, user, moderator=moderator)
            if one.state == "published" and (one.title, one.text) != (title, text):
                self._keep(db, one.id, None, user.id, f"{one.title}\n\n{one.text}")
            db.execute("UPDATE interviews SET title = ?, text = ?, lang = ? WHERE id = ?", (title, text, lang, id))

        await self._store.transaction(work)

    async def pick(self, user: User, id: int, picked: Sequence[int], *, moderator: bool) -> None:
        """Say which questions the player gets, and in which order; what is answered already stays answered."""
        now = self._common.now
        if len(picked) > MOST_PICKED or len(set(picked)) < len(picked):
            raise HallError("BAD_OPTION", field="questions")

        def work(db: Connection) -> None:
            one = self._mine(db, id, user, moderator=moderator)
            if one.state != "open":
                raise HallError("STALE")
            known = {
                each.id: each
                for each in rows.questions(
                    db,
                    f"interview = ? AND removed = 0 AND id IN ({','.join('?' * len(picked))})",
                    (id, *picked),
                )
            }
            if len(known) < len(picked):
                raise HallError("NOT_FOUND")
            db.execute("UPDATE interview_questions SET place = NULL WHERE interview = ? AND place IS NOT NULL", (id,))
            for place, number in enumerate(picked):
                db.execute("UPDATE interview_questions SET place = ? WHERE id = ?", (place, number))
            new = any(each.place is None for each in known.values())
            if new and user.id != one.player and not self._common.ties.apart(user.id, one.player):
                put(
                    db,
                    one.player,
                    "interview_picked",
                    rows.path(id),
                    {"title": one.title},
                    now,
                    f"interview_picked:{id}",
                )

        await self._store.transaction(work)
        await self._common.notices.wake()

    async def publish(self, user: User, id: int, *, moderator: bool) -> None:
        """Publish an interview; whoever has asked an answered question is told, and the player."""
        common, now = self._common, self._common.now

        def work(db: Connection) -> None:
            one = self._mine(db, id, user, moderator=moderator)
            if one.state != "open":
                raise HallError("STALE")
            answered = [each for each in _picked(db, id) if each.answered]
            if not answered:
                raise HallError("BAD_OPTION", field="questions")
            db.execute("UPDATE interviews SET state = 'published', published_at = ? WHERE id = ?", (now, id))
            facts = {"title": one.title}
            for author in {each.author for each in answered} - {None, one.player, user.id}:
                if author is not None and not common.ties.apart(one.player, author):
                    put(db, author, "interview_answered", rows.path(id), facts, now)
            if one.player != user.id and not common.ties.apart(user.id, one.player):
                put(db, one.player, "interview_published", rows.path(id), facts, now)

        await self._store.transaction(work)
        await common.notices.wake()

    async def end(self, user: User, id: int, *, moderator: bool) -> None:
        """Give up an interview that is not published."""

        def work(db: Connection) -> None:
            if self._mine(db, id, user, moderator=moderator).state not in ("asked", "open"):
                raise HallError("STALE")
            db.execute("UPDATE interviews SET state = 'ended' WHERE id = ?", (id,))

        await self._store.transaction(work)

    # The player -----------------------------------------------------------------------------------------------------

    async def reply(self, user: User, id: int, *, yes: bool) -> None:
        """Accept an interview, or decline it; one that is not published can be given up, too."""
        now = self._common.now

        def work(db: Connection) -> None:
            one = _shown(db, id, user.id)
            if user.id != one.player:
                raise HallError("NOT_FOR_YOU")
            if one.state != "asked" and (yes or one.state != "open"):
                raise HallError("STALE")
            db.execute("UPDATE interviews SET state = ? WHERE id = ?", ("open" if yes else "ended", id))
            if one.editor is not None and not self._common.ties.apart(user.id, one.editor):
                kind = "interview_accepted" if yes else "interview_declined"
                put(db, one.editor, kind, rows.path(id), {"from": user.name, "title": one.title}, now)

        await self._store.transaction(work)
        await self._common.notices.wake()

    async def answer(self, user: User, id: int, question: int, text: str) -> None:
        """Answer a question that was picked; of what is published the old words are kept."""
        self._common.may_write(user)
        text = self._common.text(text, ANSWER)

        def work(db: Connection) -> None:
            one = _shown(db, id, user.id)
            if user.id != one.player:
                raise HallError("NOT_FOR_YOU")
            found = rows.questions(db, "id = ? AND interview = ? AND removed = 0", (question, id))
            if not found or found[0].place is None or found[0].answer_removed:
                raise HallError("NOT_FOUND")
            if one.state not in ("open", "published"):
                raise HallError("STALE")
            before = found[0].answer
            if one.state == "published" and before is None:
                raise HallError("STALE")  # what was not answered is not part of it
            if one.state == "published" and before is not None and before != text:
                self._keep(db, id, question, user.id, before)
            db.execute("UPDATE interview_questions SET answer = ? WHERE id = ?", (text, question))

        await self._store.transaction(work)

    # Everybody ------------------------------------------------------------------------------------------------------

    async def ask(self, user: User, id: int, text: str, *, moderator: bool, cid: str | None = None) -> int:
        """Send a question; its number. The editor asks as many as they like. Raises HallError."""
        common, most = self._common, self._numbers.questions
        common.may_write(user)
        text, now = common.text(text, QUESTION), common.now

        def work(db: Connection) -> int:
            one = _known(db, id)
            if one.state == "asked" and not (moderator or user.id == one.editor):
                raise HallError("NOT_FOUND")
            if one.state not in ("asked", "open"):
                raise HallError("STALE")
            if user.id == one.player:
                raise HallError("SELF")
            common.apart(user, one.player)
            sql = "SELECT count(*) FROM interview_questions WHERE author = ? AND interview = ?"
            if user.id != one.editor and db.execute(sql, (user.id, id)).fetchone()[0] >= most:
                raise HallError("LIMIT_REACHED", case="questions", most=most)
            sql = "INSERT INTO interview_questions (interview, author, at, text, cid) VALUES (?, ?, ?, ?, ?)"
            return inserted(db, sql, (id, user.id, now, text, cid))

        return await common.once(QUESTIONS, user.id, cid, work)

    async def comment(self, user: User, id: int, text: str, cid: str | None = None) -> int:
        """Say something about a published interview; return its number."""
        common = self._common
        common.may_write(user)
        text, now = common.text(text, COMMENT), common.now

        def work(db: Connection) -> int:
            one = _known(db, id)
            if one.state != "published":
                raise HallError("NOT_FOUND")
            common.apart(user, one.player)
            db.execute("UPDATE interviews SET comments = comments + 1 WHERE id = ?", (id,))
            sql = "INSERT INTO interview_comments (interview, author, at, text, cid) VALUES (?, ?, ?, ?, ?)"
            return inserted(db, sql, (id, user.id, now, text, cid))

        return await common.once(COMMENTS, user.id, cid, work, self._commented)

    # Reading --------------------------------------------------------------------------------------------------------

    async def page(self, before: int | None, most: int) -> list[Interview]:
        """Return interviews that take questions or are published, newest first."""
        where = "state IN ('open', 'published') AND removed = 0 AND id < ? ORDER BY id DESC LIMIT ?"
        return await self._store.read(
            lambda db: rows.interviews(db, where, (2**62 if before is None else before, most))
        )

    async def mine(self, user: int) -> list[Interview]:
        """Return the interviews that somebody works on: as editor or as player, not yet published."""
        where = "{} = ? AND state IN ('asked', 'open') AND removed = 0 ORDER BY id DESC LIMIT 20"

        def work(db: Connection) -> list[Interview]:
            found = [one for who in ("editor", "player") for one in rows.interviews(db, where.format(who), (user,))]
            return sorted(found, key=lambda one: -one.id)

        return await self._store.read(work)

    async def of(self, id: int, viewer: int | None, *, moderator: bool) -> tuple[Interview, list[Question]]:
        """Return an interview with the questions that somebody may see; raises HallError("NOT_FOUND").

        To its editor, while they are one, all are shown, those picked first; to the player those picked, to who has
        asked their own; to everybody what is published. An answer is nobody's but the editor's and the player's until
        then.
        """

        def work(db: Connection) -> tuple[Interview, list[Question]]:
            one = _known(db, id)
            works = moderator or (viewer is not None and viewer in (one.editor, one.player))
            if one.state in ("asked", "ended") and not works:
                raise HallError("NOT_FOUND")
            picked = [each for each in _picked(db, id) if not each.removed]
            if one.state == "published":
                return one, [each for each in picked if each.answered]
            where = "interview = ? AND place IS NULL AND removed = 0 ORDER BY id DESC LIMIT ?"
            if moderator or (viewer == one.editor and viewer in self._editors):
                return one, picked + rows.questions(db, where, (id, MOST_SHOWN))
            if viewer == one.player:
                return one, picked
            own = "author = ? AND interview = ? AND removed = 0 ORDER BY id"
            found = [] if viewer is None else rows.questions(db, own, (viewer, id))
            return one, [_unanswered(each) for each in found]

        return await self._store.read(work)

    async def comments(self, id: int, after: int, most: int) -> list[Comment]:
        """Return the comments on a published interview, oldest first."""
        sql = (
            "SELECT id, author, at, text FROM interview_comments"
            " WHERE interview = ? AND id > ? AND removed = 0 ORDER BY id LIMIT ?"
        )

        def work(db: Connection) -> list[Comment]:
            _published(db, id)
            return [Comment(*row) for row in db.execute(sql, (id, after, most))]

        return await self._store.read(work)

    async def history(self, id: int) -> list[Correction]:
        """Return what was corrected since it was published, newest first."""
        sql = (
            "SELECT id, question, by, at, text FROM interview_history WHERE interview = ?1"
            " AND (question IS NULL OR question IN (SELECT id FROM interview_questions"
            " WHERE interview = ?1 AND removed = 0 AND answer_removed = 0)) ORDER BY id DESC LIMIT 100"
        )

        def work(db: Connection) -> list[Correction]:
            _published(db, id)
            return [Correction(*row) for row in db.execute(sql, (id,))]

        return await self._store.read(work)

    # Export and deletion --------------------------------------------------------------------------------------------

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return the interviews with a user or by them, their questions, answers, corrections and comments."""
        mine = rows.interviews(db, "editor = ? OR player = ? ORDER BY id", (user, user))
        answers = "answer IS NOT NULL AND interview IN (SELECT id FROM interviews WHERE player = ?) ORDER BY id"
        sql = "SELECT interview, at, text FROM interview_comments WHERE author = ? ORDER BY id"
        corrected = db.execute("SELECT interview, at, text FROM interview_history WHERE by = ? ORDER BY id", (user,))
        return {
            "interviews.json": {
                "interviews": [
                    {"interview": one.id, "at": one.at, "title": one.title, "text": one.text} for one in mine
                ],
                "answers": [
                    {"interview": one.interview, "question": one.text, "answer": one.answer}
                    for one in rows.questions(db, answers, (user,))
                ],
                "questions": [
                    {"interview": one.interview, "at": one.at, "question": one.text}
                    for one in rows.questions(db, "author = ? ORDER BY id", (user,))
                ],
                "corrected": [dict(zip(("interview", "at", "before"), row, strict=True)) for row in corrected],
                "comments": [
                    dict(zip(("interview", "at", "text"), row, strict=True)) for row in db.execute(sql, (user,))
                ],
            }
        }

    async def erase(self, user: int) -> None:
        """Erase the interviews with somebody, and their comments; of answered questions, who has asked them."""

        def work(db: Connection) -> None:
            for one in rows.interviews(db, "player = ?", (user,)):
                for table in ("interview_history", "interview_comments", "interview_questions"):
                    db.execute(f"DELETE FROM {table} WHERE interview = ?", (one.id,))
                db.execute("DELETE FROM interviews WHERE id = ?", (one.id,))
            db.execute("UPDATE interviews SET editor = NULL, cid = NULL WHERE editor = ?", (user,))
            db.execute("DELETE FROM interview_questions WHERE author = ? AND answer IS NULL", (user,))
            db.execute("UPDATE interview_questions SET author = NULL, cid = NULL WHERE author = ?", (user,))
            db.execute(
                "UPDATE interviews SET comments = comments - (SELECT count(*) FROM interview_comments"
                " WHERE interview = interviews.id AND author = ?1 AND removed = 0)"
                " WHERE id IN (SELECT interview FROM interview_comments WHERE author = ?1)",
                (user,),
            )
            db.execute("DELETE FROM interview_comments WHERE author = ?", (user,))
            db.execute("UPDATE interview_history SET by = NULL WHERE by = ?", (user,))
            db.execute("DELETE FROM interview_editors WHERE user = ?", (user,))
            db.execute("UPDATE interview_editors SET by = 0 WHERE by = ?", (user,))

        await self._store.transaction(work)
        self._editors.pop(user, None)

    # Inside ---------------------------------------------------------------------------------------------------------

    def _mine(self, db: Connection, id: int, user: User, *, moderator: bool) -> Interview:
        """Return an interview that somebody may edit: its editor while they are one, and moderators."""
        one = _known(db, id) if moderator else _shown(db, id, user.id)
        if not moderator and (user.id != one.editor or user.id not in self._editors):
            raise HallError("NOT_ALLOWED")
        return one

    def _keep(self, db: Connection, id: int, question: int | None, by: int, text: str) -> None:
        sql = "INSERT INTO interview_history (interview, question, by, at, text) VALUES (?, ?, ?, ?, ?)"
        db.execute(sql, (id, question, by, self._common.now, text))


def _title(title: str) -> str:
    found = line(title)
    if not found or len(found) > TITLE:
        raise HallError("BAD_MESSAGE", field="title")
    return found


def _known(db: Connection, id: int) -> Interview:
    one = rows.interview(db, id)
    if one is None or one.removed:
        raise HallError("NOT_FOUND")
    return one


def _shown(db: Connection, id: int, viewer: int) -> Interview:
    one = rows.shown(db, id, viewer)
    if one is None:  # not even that there is one is told
        raise HallError("NOT_FOUND")
    return one


def _published(db: Connection, id: int) -> None:
    if _known(db, id).state != "published":
        raise HallError("NOT_FOUND")


def _picked(db: Connection, id: int) -> list[Question]:
    return rows.questions(db, "interview = ? AND place IS NOT NULL ORDER BY place", (id,))


def _unanswered(one: Question) -> Question:
    return Question(one.id, one.interview, one.author, one.at, one.text, None, None, 0, 0)


def script() -> tuple[str, str]:
    """Return the name and the SQL of the interviews."""
    return script_of("interviews")
