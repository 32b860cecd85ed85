"""Calls about problems 习题 (platform P-102)."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from qipai import games
from qipai.arena.worker import Pose
from qipai.community.problems.service import SHOWN, Mistake, Posted, Solver
from qipai.core import sandbox
from qipai.core.contract import BadNotation
from qipai.core.entry import AnyEntry, BadOption, rules_of
from qipai.core.problems import Problem
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.calls.sandbox import THREADS, answered, plays_now, stands_nowhere
from qipai.web.pages.problems import (
    DailyProblem,
    Looking,
    MistakesMade,
    MyMistakes,
    NewProblem,
    ProblemAnswer,
    ProblemMade,
    ProblemPage,
    ProblemRow,
    ProblemRows,
    ProblemsPage,
    ProblemVerdict,
    SolverRow,
)
from qipai.web.pages.sandbox import Sandboxed
from qipai.web.protocol import NoBody

__all__: list[str] = []

MINE = 50  # problems of one's own on the page


async def _rows(ask: Ask, found: list[Posted]) -> list[ProblemRow]:
    """Return problems as who asks sees them in a list."""
    own = ask.services.community.problems
    done = {} if ask.viewer is None or not found else await own.tries(ask.viewer, [one.id for one in found])
    today = set((await own.daily()).values())
    rows = []
    for one in found:
        author = await ask.accounts.find(one.owner) if one.owner is not None and one.source == "position" else None
        rows.append(
            ProblemRow(
                one.id,
                one.game,
                one.source,
                author,
                one.title,
                round(one.r),
                one.rd <= SHOWN,
                one.tried,
                one.solved,
                done.get(one.id),
                one.id in today,
            )
        )
    return rows


def _me(solver: Solver | None) -> SolverRow | None:
    if solver is None:
        return None
    one = solver
    return SolverRow(round(one.r), one.rd <= SHOWN, one.tried, one.solved, one.streak, one.best)


async def _solvers(ask: Ask) -> dict[str, Solver]:
    return {} if ask.viewer is None else await ask.services.community.problems.solvers(ask.viewer)


@call("GET", "/problems")
async def problems(ask: Ask) -> ProblemsPage:
    """Return today's problem of each game, my ratings and days in a row, and the problems that I have made."""
    own = ask.services.community.problems
    solvers, daily = await _solvers(ask), await own.daily()
    found = await _rows(ask, [await own.of(id, ask.viewer) for id in daily.values()])
    by_game = {row.game: row for row in found}
    mine = [] if ask.viewer is None else await own.mine(ask.viewer, MINE)
    return ProblemsPage(
        day=own.today.isoformat(),
        games=tuple(
            DailyProblem(name, by_game.get(name), _me(solvers.get(name)))
            for name in games.names()
            if games.find(name).problems is not None
        ),
        mine=tuple(await _rows(ask, mine)),
    )


@call("GET", "/problems/{id:int}")
async def problem(ask: Ask) -> ProblemPage:
    """Return a problem without its solution; the position as text only where nothing in it is hidden from its seat."""
    own = ask.services.community.problems
    posted = await own.of(ask.path["id"], ask.viewer)
    one = posted.problem
    row = (await _rows(ask, [posted]))[0]
    others = await own.page(posted.game, None, 200)
    done = {} if ask.viewer is None or not others else await own.tries(ask.viewer, [other.id for other in others])
    left = [other.id for other in others if other.id not in done and other.id != posted.id]
    return ProblemPage(
        row=row,
        options=_full(one),
        seats=one.seats,
        seat=one.seat,
        unit=one.unit,
        choices=len(one.choices),
        good=one.good,
        start=one.start if _open(one) else None,
        origin=posted.origin,
        me=_me((await _solvers(ask)).get(posted.game)),
        next=next((id for id in left if id < posted.id), left[0] if left else None),
    )


@call("GET", "/problems/{game}", queries="limit after")
async def problems_of(ask: Ask) -> ProblemRows:
    """Return the problems of a game, newest first, with today's."""
    game = ask.path["game"]
    if game not in games.names() or games.find(game).problems is None:
        raise HallError("NOT_FOUND")
    own = ask.services.community.problems
    after, most = ask.cursor()
    found = await own.page(game, after, most + 1)
    today = (await own.daily()).get(game)
    first = [] if today is None else await _rows(ask, [await own.of(today, ask.viewer)])
    return ProblemRows(
        game=game,
        day=own.today.isoformat(),
        today=first[0] if first else None,
        me=_me((await _solvers(ask)).get(game)),
        rows=tuple(await _rows(ask, found[:most])),
        next=str(found[most - 1].id) if len(found) > most else None,
    )


@call("POST", "/problems/{id:int}/look", cost=2)
async def look(ask: Ask, body: Looking) -> Sandboxed:
    """Return the position of a problem as its seat sees it, or what an action of that seat comes to."""
    posted = await ask.services.community.problems.of(ask.path["id"], ask.viewer)
    return await asyncio.get_running_loop().run_in_executor(THREADS, _looked, posted.problem, body.moves)


def _looked(one: Problem, moves: tuple[Any, ...]) -> Sandboxed:
    entry = games.find(one.game)
    options = entry.chosen(one.options)
    rules = rules_of(entry, options, one.seats)
    found = sandbox.played(entry, rules, options, one.start, "", [(one.seat, action) for action in moves])
    return answered(entry, options, rules.seats, found, one.seat, bare=not _open(one))


def _open(one: Problem) -> bool:
    how = games.find(one.game).problems
    return how is not None and how.open


def _full(one: Problem) -> dict[str, Any]:
    entry = games.find(one.game)
    return entry.full(entry.chosen(one.options))


def _choice(one: Problem, raw: Any) -> int | None:
    """Return which choice an action is; raises HallError("BAD_MESSAGE") where the rules do not allow it."""
    entry = games.find(one.game)
    rules = rules_of(entry, entry.chosen(one.options), one.seats)
    assert entry.setup is not None
    state = entry.setup.read(entry.chosen(one.options), one.start, one.seats)
    action = entry.act(raw)
    if rules.refuse(state, one.seat, action) is not None:
        raise HallError("BAD_MESSAGE", field="a")
    at = one.at(msgspec.to_builtins(action))
    if at is not None:
        return at
    after = rules.apply(state, one.seat, action).state  # the same move may be written in several ways
    for i, choice in enumerate(one.choices):
        other = entry.act(choice.a)
        if rules.refuse(state, one.seat, other) is None and rules.apply(state, one.seat, other).state == after:
            return i
    return None


@call("POST", "/problems/{id:int}/answer")
async def answer(ask: Ask, body: ProblemAnswer) -> ProblemVerdict:
    """Answer a problem: my first answer counts, once; a wrong one is told why, and I may try again, unrated."""
    own, user = ask.services.community.problems, ask.somebody
    posted = await own.of(ask.path["id"], ask.viewer)
    one = posted.problem
    at = None
    if body.a is not None:
        at = await asyncio.get_running_loop().run_in_executor(THREADS, _choice, one, body.a)
    if ask.login is not None and not ask.login.cookie:
        user = None  # a program's answer counts for nobody
    found = await own.answer(user, posted, at, body.cid)
    return ProblemVerdict(
        right=found.right,
        choice=None if at is None else one.choices[at],
        solution=one.choices[: one.good] if found.right or body.a is None else (),
        first=found.first,
        rated=found.rated,
        before=None if found.before is None else round(found.before),
        after=None if found.after is None else round(found.after),
        streak=found.streak,
        row=(await _rows(ask, [await own.of(posted.id, ask.viewer)]))[0],
    )


@call("POST", "/problems", "cookie", cost=10)
async def publish(ask: Ask, body: NewProblem) -> ProblemMade:
    """Publish a position as a problem, if search finds one clearly best choice; `BAD_POSITION` says why it is none."""
    ask.services.community.common.may_write(ask.user)
    if body.game not in games.names() or games.find(body.game).problems is None:
        raise HallError("BAD_OPTION", field="game")
    entry = games.find(body.game)
    text = await asyncio.get_running_loop().run_in_executor(THREADS, _readable, entry, body)
    # Whether one choice is best, and which, is an engine's word: of a game that is going on nobody gets it.
    if await plays_now(ask, body.game):
        raise HallError("NOT_ALLOWED", case="advice")
    await stands_nowhere(ask, body.game, text)
    request = Pose(game=body.game, options=body.options, seats=body.seats, start=body.start, seat=body.seat)
    return ProblemMade(await ask.services.community.problems.publish(ask.user, request, body.title, body.cid))


def _readable(entry: AnyEntry, body: NewProblem) -> str:
    """Return a position as its game writes it; raises HallError where none can be read, before anybody searches."""
    assert entry.setup is not None
    try:
        options = entry.chosen(body.options)
        rules = rules_of(entry, options, body.seats)
        return entry.setup.write(options, entry.setup.read(options, body.start, rules.seats))
    except BadOption as wrong:
        raise HallError("BAD_OPTION", field=wrong.field) from wrong
    except BadNotation as wrong:
        raise HallError("BAD_POSITION", **wrong.facts) from wrong


@call("DELETE", "/problems/{id:int}", "cookie")
async def withdraw_problem(ask: Ask, body: NoBody) -> None:
    """Take a problem of mine away."""
    await ask.services.community.problems.withdraw(ask.path["id"], ask.user.id)


@call("POST", "/me/problems", "cookie", cost=10)
async def mistakes(ask: Ask, body: MyMistakes) -> MistakesMade:
    """Make problems of the worst mistakes in my analysed games, for myself alone."""
    if body.game is not None and body.game not in games.names():
        raise HallError("BAD_OPTION", field="game")
    ask.services.community.common.may_write(ask.user)
    own, analyses = ask.services.community.problems, ask.services.community.analyses
    found = await analyses.mistakes(ask.user.id, body.game, ask.services.config.problems.mistakes)
    made = []
    for id, n, seat, loss, best in found:
        try:
            await ask.hall.archive.analysable(id, ask.viewer)
            record = await ask.hall.archive.record(id)
        except HallError:  # gone, or of a shared deal that is still closed
            continue
        number = await own.keep(ask.user, Mistake(id, n, seat, loss, best), record)
        if number is not None:
            made.append(number)
    return MistakesMade(tuple(made), len(found), len({id for id, *_ in found}))
