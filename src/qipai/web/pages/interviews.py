"""Bodies and answers of the calls about interviews (platform P-84)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.hall.table.commands import Id
from qipai.web.protocol import Body, Page

__all__ = [
    "Answered",
    "CommentMade",
    "CommentRow",
    "CommentRows",
    "CorrectionRow",
    "CorrectionRows",
    "EditorChange",
    "EditorRow",
    "EditorRows",
    "InterviewChange",
    "InterviewMade",
    "InterviewRow",
    "InterviewRows",
    "InterviewView",
    "NewInterview",
    "Picked",
    "QuestionRow",
    "Reply",
    "Said",
]

Lang = Annotated[str, Meta(pattern="^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$")]


class InterviewChange(Body, frozen=True, kw_only=True):
    """What stands above the questions. lang: the language of it all."""

    lines: ClassVar[tuple[str, ...]] = ("title",)

    title: Annotated[str, Meta(min_length=1, max_length=100)]
    text: Annotated[str, Meta(min_length=1, max_length=4000)]
    lang: Lang


class NewInterview(InterviewChange, frozen=True, kw_only=True):
    """An interview that is asked of a player."""

    player: Id


class InterviewMade(Struct, frozen=True):
    """The number of the new interview."""

    interview: int


class Reply(Body, frozen=True, kw_only=True):
    """Whether I accept an interview."""

    yes: bool


class Picked(Body, frozen=True, kw_only=True):
    """The questions that the player gets, in this order."""

    questions: Annotated[tuple[Id, ...], Meta(max_length=50)]


class Said(Body, frozen=True, kw_only=True):
    """A question or a comment."""

    text: Annotated[str, Meta(min_length=1, max_length=2000)]


class Answered(Body, frozen=True, kw_only=True):
    """My answer to a question."""

    question: Id
    text: Annotated[str, Meta(min_length=1, max_length=8000)]


class CommentMade(Struct, frozen=True):
    """The number of my comment."""

    comment: int


class InterviewRow(Struct, frozen=True):
    """An interview in a list. at: when it was published, before that when it was begun; seconds."""

    id: int
    editor: User | None
    player: User | None
    at: int
    state: Literal["asked", "open", "published", "ended"]
    title: str
    lang: str
    comments: int


class InterviewRows(Page, frozen=True, kw_only=True):
    """Interviews, newest first. mine: those I work on; edit: whether I may open one."""

    rows: tuple[InterviewRow, ...]
    mine: tuple[InterviewRow, ...]
    edit: bool


class QuestionRow(Struct, frozen=True):
    """A question with its answer, as HTML. source: the answer as it was typed, to the player; mine: I have asked it."""

    id: int
    author: User | None
    at: int
    html: str
    text: str
    picked: bool
    answer: str | None
    source: str | None
    mine: bool


class InterviewView(Struct, frozen=True):
    """An interview. html: what stands above the questions; text: the same as it was typed, to who edits it.

    edits, answers, asks: whether I do that here now; corrected: something was corrected since it was published.
    """

    row: InterviewRow
    html: str
    text: str | None
    questions: tuple[QuestionRow, ...]
    edits: bool
    answers: bool
    asks: bool
    corrected: bool


class CommentRow(Struct, frozen=True):
    """A comment."""

    id: int
    author: User | None
    at: int
    html: str
    text: str


class CommentRows(Page, frozen=True, kw_only=True):
    """Comments, oldest first."""

    rows: tuple[CommentRow, ...]


class CorrectionRow(Struct, frozen=True):
    """What stood there before. question: whose answer it was; None: title and text of the interview."""

    id: int
    question: int | None
    by: User | None
    at: int
    html: str


class CorrectionRows(Struct, frozen=True):
    """What was corrected, newest first."""

    rows: tuple[CorrectionRow, ...]


class EditorChange(Body, frozen=True, kw_only=True):
    """Name an editor, or end it."""

    user: Id
    on: bool


class EditorRow(Struct, frozen=True):
    """An editor whom an administrator has named. at: since when, seconds."""

    user: User
    at: int


class EditorRows(Struct, frozen=True):
    """The editors; moderators are it without being named."""

    rows: tuple[EditorRow, ...]
