"""The rows of interviews as their service reads them (platform P-84)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from qipai.community.contract import Piece, Reported
from qipai.store import Connection

__all__ = [
    "PIECES",
    "Comment",
    "Correction",
    "Interview",
    "Question",
    "State",
    "interview",
    "interviews",
    "path",
    "questions",
    "shown",
]

State = Literal["asked", "open", "published", "ended"]
COLUMNS: Final = "id, editor, player, at, state, title, text, lang, published_at, comments, removed"
QUESTION: Final = "id, interview, author, at, text, place, answer, removed, answer_removed"


class Interview(Struct, frozen=True):
    """An interview. at, published_at: seconds; text: what stands above the questions, as it was typed."""

    id: int
    editor: int | None
    player: int
    at: int
    state: State
    title: str
    text: str
    lang: str
    published_at: int | None
    comments: int
    removed: int


class Question(Struct, frozen=True):
    """A question. place: among those picked; answer: None while there is none."""

    id: int
    interview: int
    author: int | None
    at: int
    text: str
    place: int | None
    answer: str | None
    removed: int
    answer_removed: int

    @property
    def answered(self) -> bool:
        """Tell whether it is picked and has an answer, and neither was removed."""
        return not self.removed and not self.answer_removed and self.place is not None and self.answer is not None


class Comment(Struct, frozen=True):
    """What somebody says about a published interview."""

    id: int
    author: int
    at: int
    text: str


class Correction(Struct, frozen=True):
    """What stood there until it was corrected. question: None: title and text of the interview."""

    id: int
    question: int | None
    by: int | None
    at: int
    text: str


def interview(db: Connection, id: int) -> Interview | None:
    """Return an interview, also one that was removed."""
    found = db.execute(f"SELECT {COLUMNS} FROM interviews WHERE id = ?", (id,)).fetchone()
    return None if found is None else Interview(*found)


def interviews(db: Connection, where: str, values: Sequence[Any]) -> list[Interview]:
    """Return interviews."""
    return [Interview(*row) for row in db.execute(f"SELECT {COLUMNS} FROM interviews WHERE {where}", values)]


def questions(db: Connection, where: str, values: Sequence[Any]) -> list[Question]:
    """Return questions."""
    return [Question(*row) for row in db.execute(f"SELECT {QUESTION} FROM interview_questions WHERE {where}", values)]


def _question(db: Connection, id: int) -> Question | None:
    found = questions(db, "id = ?", (id,))
    return found[0] if found else None


def path(id: int) -> str:
    """Return the page of an interview."""
    return f"/interviews/{id}"


def _find_interview(db: Connection, id: int) -> Reported | None:
    one = interview(db, id)
    if one is None:
        return None
    return Reported(one.editor, f"{one.title}\n\n{one.text}", path(id), removed=bool(one.removed))


def shown(db: Connection, id: int, viewer: int) -> Interview | None:
    """Return an interview that somebody may see."""
    one = interview(db, id)
    if one is None or one.removed or (one.state in ("asked", "ended") and viewer not in (one.editor, one.player)):
        return None
    return one


def _seen_interview(db: Connection, id: int, viewer: int) -> Reported | None:
    return None if shown(db, id, viewer) is None else _find_interview(db, id)


def _find_question(db: Connection, id: int) -> Reported | None:
    one = _question(db, id)
    if one is None:
        return None
    return Reported(one.author, one.text, path(one.interview), removed=bool(one.removed))


def _shows(db: Connection, id: int, viewer: int) -> Question | None:
    """Return a question that somebody may see: once published all do, before that who works on it or asks it."""
    one = _question(db, id)
    of = None if one is None else shown(db, one.interview, viewer)
    if one is None or of is None or one.removed:
        return None
    picked = viewer == of.player and one.place is not None
    if viewer in (of.editor, one.author) or picked or (of.state == "published" and one.answered):
        return one
    return None


def _seen_question(db: Connection, id: int, viewer: int) -> Reported | None:
    return None if _shows(db, id, viewer) is None else _find_question(db, id)


def _find_answer(db: Connection, id: int) -> Reported | None:
    one = _question(db, id)
    of = None if one is None else interview(db, one.interview)
    if one is None or of is None or one.answer is None:
        return None
    return Reported(of.player, one.answer, path(one.interview), removed=bool(one.answer_removed))


def _seen_answer(db: Connection, id: int, viewer: int) -> Reported | None:
    one = _shows(db, id, viewer)
    of = None if one is None else interview(db, one.interview)
    if one is None or of is None or one.answer_removed:
        return None
    return _find_answer(db, id) if of.state == "published" or viewer in (of.editor, of.player) else None


def _find_comment(db: Connection, id: int) -> Reported | None:
    sql = "SELECT author, text, interview, removed FROM interview_comments WHERE id = ?"
    found = db.execute(sql, (id,)).fetchone()
    return found and Reported(found[0], found[1], path(found[2]), removed=bool(found[3]))


def _seen_comment(db: Connection, id: int, viewer: int) -> Reported | None:
    found = db.execute("SELECT interview, removed FROM interview_comments WHERE id = ?", (id,)).fetchone()
    return None if found is None or found[1] or shown(db, found[0], viewer) is None else _find_comment(db, id)


def _remove_interview(db: Connection, id: int) -> bool:
    return db.execute("UPDATE interviews SET removed = 1 WHERE id = ? AND removed = 0", (id,)).rowcount == 1


def _remove_question(db: Connection, id: int) -> bool:
    return db.execute("UPDATE interview_questions SET removed = 1 WHERE id = ? AND removed = 0", (id,)).rowcount == 1


def _remove_answer(db: Connection, id: int) -> bool:
    sql = "UPDATE interview_questions SET answer_removed = 1 WHERE id = ? AND answer IS NOT NULL AND answer_removed = 0"
    return db.execute(sql, (id,)).rowcount == 1


def _remove_comment(db: Connection, id: int) -> bool:
    sql = "UPDATE interview_comments SET removed = 1 WHERE id = ? AND removed = 0 RETURNING interview"
    found = db.execute(sql, (id,)).fetchone()
    if found is not None:
        db.execute("UPDATE interviews SET comments = comments - 1 WHERE id = ?", found)
    return found is not None


PIECES: Final = {
    "interview": Piece(_find_interview, _seen_interview, _remove_interview),
    "interview_question": Piece(_find_question, _seen_question, _remove_question),
    "interview_answer": Piece(_find_answer, _seen_answer, _remove_answer),
    "interview_comment": Piece(_find_comment, _seen_comment, _remove_comment),
}
