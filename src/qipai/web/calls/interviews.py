"""Calls about interviews (platform P-84)."""

from __future__ import annotations

from qipai.community.interviews.rows import Interview, Question
from qipai.community.interviews.service import InterviewService
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.pages.interviews import (
    Answered,
    CommentMade,
    CommentRow,
    CommentRows,
    CorrectionRow,
    CorrectionRows,
    EditorChange,
    EditorRow,
    EditorRows,
    InterviewChange,
    InterviewMade,
    InterviewRow,
    InterviewRows,
    InterviewView,
    NewInterview,
    Picked,
    QuestionRow,
    Reply,
    Said,
)
from qipai.web.protocol import NoBody

__all__: list[str] = []


def _service(ask: Ask) -> InterviewService:
    return ask.services.community.interviews


async def _row(ask: Ask, one: Interview) -> InterviewRow:
    find = ask.accounts.find
    editor = await ask.person(one.editor)
    at = one.published_at or one.at
    return InterviewRow(one.id, editor, await find(one.player), at, one.state, one.title, one.lang, one.comments)


async def _question(ask: Ask, one: Question, *, answers: bool) -> QuestionRow:
    html = ask.services.community.common.html
    return QuestionRow(
        one.id,
        await ask.person(one.author),
        one.at,
        await html(one.text),
        one.text,
        one.place is not None,
        None if one.answer is None or one.answer_removed else await html(one.answer),
        one.answer if answers and not one.answer_removed else None,
        one.author is not None and one.author == ask.viewer,
    )


async def _view(ask: Ask) -> InterviewView:
    """Return the interview of this path as the one who asks may see it."""
    service, moderator, me = _service(ask), ask.keeps_order, ask.viewer
    one, questions = await service.of(ask.path["id"], me, moderator=moderator)
    edits = moderator or (me is not None and me == one.editor and service.edits(me, moderator=False))
    answers = me is not None and me == one.player and one.state in ("open", "published")
    user = ask.somebody
    asks = user is not None and user.kind == "user" and one.state == "open" and me != one.player
    corrected = one.state == "published" and bool(await service.history(one.id))
    return InterviewView(
        row=await _row(ask, one),
        html=await ask.services.community.common.html(one.text),
        text=one.text if edits else None,
        questions=tuple([await _question(ask, each, answers=answers) for each in questions]),
        edits=edits,
        answers=answers,
        asks=asks,
        corrected=corrected,
    )


@call("GET", "/interviews", queries="limit after")
async def interviews(ask: Ask) -> InterviewRows:
    """Return the interviews that take questions or are published, newest first (P-84)."""
    after, most = ask.cursor()
    service, me = _service(ask), ask.viewer
    found = await service.page(after, most + 1)
    mine = [] if me is None else await service.mine(me)
    return InterviewRows(
        rows=tuple([await _row(ask, one) for one in found[:most]]),
        next=str(found[most - 1].id) if len(found) > most else None,
        mine=tuple([await _row(ask, one) for one in mine]),
        edit=service.edits(me, moderator=ask.keeps_order),
    )


@call("POST", "/interviews", "cookie")
async def begin_interview(ask: Ask, body: NewInterview) -> InterviewMade:
    """Ask a player for an interview, as an editor."""
    player = await ask.accounts.find(body.player)
    if player is None or player.kind != "user" or player.deleted:
        raise HallError("NOT_FOUND")
    number = await _service(ask).begin(
        ask.user, player, body.title, body.text, body.lang, moderator=ask.keeps_order, cid=body.cid
    )
    return InterviewMade(number)


@call("GET", "/interviews/{id:int}")
async def interview(ask: Ask) -> InterviewView:
    """Return an interview with the questions that I may see."""
    return await _view(ask)


@call("POST", "/interviews/{id:int}/reply", "cookie")
async def reply_interview(ask: Ask, body: Reply) -> InterviewView:
    """Accept the interview that I am asked for, or decline it."""
    await _service(ask).reply(ask.user, ask.path["id"], yes=body.yes)
    return await _view(ask)


@call("POST", "/interviews/{id:int}/edit", "cookie")
async def edit_interview(ask: Ask, body: InterviewChange) -> InterviewView:
    """Change what stands above the questions."""
    moderator = ask.keeps_order
    await _service(ask).edit(ask.user, ask.path["id"], body.title, body.text, body.lang, moderator=moderator)
    return await _view(ask)


@call("POST", "/interviews/{id:int}/questions", "cookie")
async def ask_question(ask: Ask, body: Said) -> InterviewView:
    """Send a question; the editor picks."""
    await _service(ask).ask(ask.user, ask.path["id"], body.text, moderator=ask.keeps_order, cid=body.cid)
    return await _view(ask)


@call("POST", "/interviews/{id:int}/pick", "cookie")
async def pick_questions(ask: Ask, body: Picked) -> InterviewView:
    """Say which questions the player gets, and in which order."""
    await _service(ask).pick(ask.user, ask.path["id"], body.questions, moderator=ask.keeps_order)
    return await _view(ask)


@call("POST", "/interviews/{id:int}/answer", "cookie")
async def answer_question(ask: Ask, body: Answered) -> InterviewView:
    """Answer a question, as the player; corrections of what is published are kept."""
    await _service(ask).answer(ask.user, ask.path["id"], body.question, body.text)
    return await _view(ask)


@call("POST", "/interviews/{id:int}/publish", "cookie")
async def publish_interview(ask: Ask, body: NoBody) -> InterviewView:
    """Publish what is answered."""
    await _service(ask).publish(ask.user, ask.path["id"], moderator=ask.keeps_order)
    return await _view(ask)


@call("POST", "/interviews/{id:int}/end", "cookie")
async def end_interview(ask: Ask, body: NoBody) -> InterviewView:
    """Give up an interview that is not published."""
    await _service(ask).end(ask.user, ask.path["id"], moderator=ask.keeps_order)
    return await _view(ask)


@call("GET", "/interviews/{id:int}/comments", queries="limit after")
async def interview_comments(ask: Ask) -> CommentRows:
    """Return the comments on a published interview, oldest first."""
    after, most = ask.cursor()
    found = await _service(ask).comments(ask.path["id"], after or 0, most + 1)
    html, find = ask.services.community.common.html, ask.accounts.find
    rows = [CommentRow(one.id, await find(one.author), one.at, await html(one.text), one.text) for one in found[:most]]
    return CommentRows(rows=tuple(rows), next=str(found[most - 1].id) if len(found) > most else None)


@call("POST", "/interviews/{id:int}/comments", "cookie")
async def comment_interview(ask: Ask, body: Said) -> CommentMade:
    """Say something about a published interview."""
    return CommentMade(await _service(ask).comment(ask.user, ask.path["id"], body.text, body.cid))


@call("GET", "/interviews/{id:int}/history")
async def interview_history(ask: Ask) -> CorrectionRows:
    """Return what stood there before it was corrected."""
    html = ask.services.community.common.html
    return CorrectionRows(
        tuple(
            [
                CorrectionRow(
                    one.id,
                    one.question,
                    await ask.person(one.by),
                    one.at,
                    await html(one.text),
                )
                for one in await _service(ask).history(ask.path["id"])
            ]
        )
    )


def _admin(ask: Ask) -> None:
    if ask.login is None or ask.login.role != "admin" or not ask.keeps_order:
        raise HallError("NOT_ALLOWED")


@call("GET", "/admin/editors", "cookie")
async def editors(ask: Ask) -> EditorRows:
    """Return who may open interviews besides the moderators."""
    _admin(ask)
    found = [(await ask.accounts.find(id), at) for id, at in _service(ask).editors().items()]
    return EditorRows(tuple(EditorRow(user, at) for user, at in found if user is not None))


@call("POST", "/admin/editors", "cookie")
async def name_editor(ask: Ask, body: EditorChange) -> None:
    """Name an editor, or end it."""
    _admin(ask)
    user = await ask.accounts.find(body.user)
    if user is None or user.kind != "user" or user.deleted:
        raise HallError("NOT_FOUND")
    await _service(ask).name(user.id, on=body.on, by=ask.user.id)
