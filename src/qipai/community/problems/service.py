"""Problems of a hall: those of the day, answers, ratings, and problems that people make (P-102, decision 0060)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct, structs

from qipai import games
from qipai.accounts.model import User, Window
from qipai.arena.analyst import Analyst, Busy
from qipai.arena.worker import Pose
from qipai.community.common import Common
from qipai.community.contract import Piece, Reported
from qipai.community.problems.days import met, of_day, on, standing
from qipai.community.problems.finds import Finds
from qipai.community.script import script_of
from qipai.config import Problems as Numbers
from qipai.core.entry import Record
from qipai.core.problems import Problem, shipped
from qipai.hall.table.errors import HallError
from qipai.ledger.ratings.glicko import Glicko
from qipai.store import Conflict, Connection, inserted

__all__ = ["Answered", "Mistake", "Posted", "ProblemService", "Solver", "script"]

COLUMNS: Final = (
    "id, game, CASE found WHEN 1 THEN 'game' ELSE source END, owner, at, state, title, body, origin, r, rd, tried,"
    " solved"
)
SHOWN: Final = 110.0  # above this deviation a rating is shown as provisional, as in games


class Posted(Struct, frozen=True):
    """A problem of this hall. source: "game": the hall has found it in a game of people who agreed.

    r, rd: its rating; tried, solved: people's first answers.
    """

    id: int
    game: str
    source: Literal["shipped", "position", "mistake", "game"]
    owner: int | None
    at: int
    state: str
    title: str
    problem: Problem
    origin: str | None
    r: float
    rd: float
    tried: int
    solved: int


class Solver(Struct, frozen=True):
    """Somebody at the problems of a game: their rating, and the days in a row that stand."""

    game: str
    r: float
    rd: float
    tried: int
    solved: int
    streak: int
    best: int
    last: str | None


class Answered(Struct, frozen=True):
    """What an answer did. first: it was the first, which counts; before, after: the rating, None: it was not rated."""

    right: bool
    at: int | None  # which of the problem's choices it is
    first: bool
    rated: bool
    before: float | None
    after: float | None
    streak: int


class Mistake(Struct, frozen=True):
    """A mistake in a finished game: the row of its record, who made it, what it lost, what was better."""

    game_id: str
    n: int
    seat: int
    loss: float
    best: str


class ProblemService:
    """All problems of a hall."""

    def __init__(self, common: Common, numbers: Numbers) -> None:
        self._common, self._store, self._numbers = common, common.store, numbers
        self._window = Window(numbers.a_day, 86400)
        self.analyst: Analyst | None = None
        self.finds = Finds(common, numbers, _found)

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return the problems as what can be reported and removed."""
        return {"problem": Piece(self._find, self._seen, self._remove)}

    async def open(self) -> None:
        """Write down the problems that come with the games, as far as they are not here yet."""
        every = [one for name in games.names() for one in shipped(games.find(name))]
        now = self._common.now

        def work(db: Connection) -> None:
            known = {key for (key,) in db.execute("SELECT key FROM problems WHERE source = 'shipped'")}
            for one in every:
                if one.key not in known:
                    _insert(db, one, "shipped", None, now, "shown", Glicko(float(one.first)))

        await self._store.transaction(work)

    @property
    def today(self) -> date:
        """Return the hall's date."""
        return datetime.fromtimestamp(self._common.now, UTC).date()

    # Reading --------------------------------------------------------------------------------------------------------

    async def of(self, id: int, viewer: int | None) -> Posted:
        """Return a problem; raises HallError("NOT_FOUND")."""
        row = await self._store.read(lambda db: _row(db, id))
        if row is None or row.state == "removed" or (row.state == "own" and row.owner != viewer):
            raise HallError("NOT_FOUND")
        return row

    async def page(self, game: str, before: int | None, most: int) -> list[Posted]:
        """Return the problems of a game that everybody may see, the newest first."""
        sql = f"SELECT {COLUMNS} FROM problems WHERE game = ? AND state = 'shown' AND id < ? ORDER BY id DESC LIMIT ?"
        return await self._store.read(
            lambda db: [_posted(row) for row in db.execute(sql, (game, before or 2**53, most))]
        )

    async def mine(self, user: int, most: int) -> list[Posted]:
        """Return the problems that somebody has made, of positions and of their own mistakes, newest first."""
        sql = f"SELECT {COLUMNS} FROM problems WHERE owner = ? AND state != 'removed' ORDER BY id DESC LIMIT ?"
        return await self._store.read(lambda db: [_posted(row) for row in db.execute(sql, (user, most))])

    async def daily(self) -> dict[str, int]:
        """Return today's problem of each game."""
        day = self.today
        sql = (
            "SELECT d.game, d.problem FROM problem_days d JOIN problems p ON p.id = d.problem"
            " WHERE d.day = ? AND p.state = 'shown'"
        )
        found = await self._store.read(lambda db: dict(db.execute(sql, (day.isoformat(),)).fetchall()))
        lacking = [name for name in games.names() if name not in found and games.find(name).problems is not None]
        if not lacking:
            return found

        def work(db: Connection) -> dict[str, int]:
            chosen = dict(found)
            for game in lacking:
                sql = (
                    "SELECT min(p.id) FROM problems p WHERE p.game = ? AND p.found = 1 AND p.state = 'shown'"
                    " AND NOT EXISTS (SELECT 1 FROM problem_days d WHERE d.game = p.game AND d.problem = p.id)"
                )
                fresh = db.execute(sql, (game,)).fetchone()[0]  # of a game of this hall, that has had no day yet
                sql = "SELECT id FROM problems WHERE game = ? AND source = 'shipped' AND state = 'shown' ORDER BY id"
                ids = [int(id) for (id,) in db.execute(sql, (game,))]
                if fresh is not None or ids:
                    chosen[game] = of_day(game, day, ids) if fresh is None else int(fresh)
                    row = (game, day.isoformat(), chosen[game])
                    sql = "INSERT INTO problem_days VALUES (?, ?, ?) ON CONFLICT (day, game)"
                    db.execute(f"{sql} DO UPDATE SET problem = excluded.problem", row)
            return chosen

        return await self._store.transaction(work)

    async def solvers(self, user: int) -> dict[str, Solver]:
        """Return how somebody stands at the problems of each game."""
        today = self.today
        return await self._store.read(lambda db: {one.game: one for one in _solvers(db, user, today)})

    async def tries(self, user: int, problems: Sequence[int]) -> dict[int, bool]:
        """Return which of these problems somebody has answered, and whether they have solved them, even later."""
        marks = ", ".join("?" * len(problems))
        sql = f"SELECT problem, max(solved, later) FROM problem_tries WHERE user = ? AND problem IN ({marks})"
        return await self._store.read(
            lambda db: {int(id): bool(done) for id, done in db.execute(sql, (user, *problems))}
        )

    # Answering ------------------------------------------------------------------------------------------------------

    async def answer(self, user: User | None, posted: Posted, at: int | None, cid: str | None) -> Answered:
        """Take an answer: the first of a registered person counts, once, for both ratings.

        at: which choice it is; None: none that is good, or they give up.
        """
        right = at is not None and at < posted.problem.good
        if user is None or user.kind == "bot":
            return Answered(right, at, first=False, rated=False, before=None, after=None, streak=0)
        rated = user.kind == "user" and posted.state == "shown" and posted.owner != user.id
        now, today = self._common.now, self.today

        def work(db: Connection) -> Answered:
            sql = "SELECT solved, rated, before, after, cid FROM problem_tries WHERE user = ? AND problem = ?"
            known = db.execute(sql, (user.id, posted.id)).fetchone()
            if known is None:
                before, after = _first(db, user.id, posted, right, now, cid) if rated else (None, None)
                if not rated:
                    row = (user.id, posted.id, now, right, False, None, None, cid)
                    db.execute(_TRY, row)
            elif cid is not None and known[4] == cid:  # the same answer again, after a kill
                streak = _streak(db, user.id, posted, right, today) if known[1] else 0
                return Answered(bool(known[0]), at, True, bool(known[1]), known[2], known[3], streak)
            else:
                before = after = None
                if right:
                    sql = "UPDATE problem_tries SET later = 1 WHERE user = ? AND problem = ? AND solved = 0"
                    db.execute(sql, (user.id, posted.id))
            streak = _streak(db, user.id, posted, right, today) if user.kind == "user" else 0
            return Answered(right, at, known is None, known is None and rated, before, after, streak)

        return await self._store.transaction(work)

    # Making ---------------------------------------------------------------------------------------------------------

    async def publish(self, user: User, request: Pose, title: str, cid: str | None) -> int:
        """Publish a position as a problem if search finds one clearly best choice; return its number.

        Raises HallError: those of `may_write`, BAD_MESSAGE, RATE_LIMIT, BUSY, BAD_POSITION with why it is none.
        """
        self._common.may_write(user)
        if (known := await self._by_cid(user.id, cid)) is not None:
            return known
        said = self._common.text(title, self._numbers.title_chars, "title") if title.strip() else ""
        self._common.in_time(self._window, user.id)
        problem = await self._posed(request)
        now = self._common.now

        def work(db: Connection) -> int:
            sql = "SELECT id FROM problems WHERE key = ? AND state != 'own'"
            if (row := db.execute(sql, (problem.key,)).fetchone()) is not None:
                return int(row[0])  # it is here already
            return _insert(
                db, problem, "position", user.id, now, "shown", Glicko(float(problem.first)), title=said, cid=cid
            )

        try:
            return await self._store.transaction(work)
        except Conflict:
            return await self._by_cid(user.id, cid) or 0

    async def keep(self, user: User, mistake: Mistake, record: Record) -> int | None:
        """Make a problem of a mistake in one's own game, for oneself alone; None where there is no single best choice.

        Raises HallError: BUSY.
        """
        origin = f"{mistake.game_id}:{mistake.n}"
        sql = "SELECT id FROM problems WHERE owner = ? AND origin = ?"
        known = await self._store.read(lambda db: db.execute(sql, (user.id, origin)).fetchone())
        if known is not None:
            return int(known[0])
        try:
            problem = await self._posed(Pose(game=record.game, record=record, n=mistake.n))
        except HallError as wrong:
            if wrong.code != "BAD_POSITION":
                raise
            return None
        now, rating = self._common.now, Glicko(float(problem.first))
        try:
            return await self._store.transaction(
                lambda db: _insert(db, problem, "mistake", user.id, now, "own", rating, origin=origin)
            )
        except Conflict:
            return None

    async def withdraw(self, id: int, user: int) -> None:
        """Take one's own problem away; raises HallError("NOT_FOUND")."""
        sql = "UPDATE problems SET state = 'removed' WHERE id = ? AND owner = ? AND state != 'removed'"
        if not await self._store.transaction(lambda db: db.execute(sql, (id, user)).rowcount):
            raise HallError("NOT_FOUND")

    async def _posed(self, request: Pose) -> Problem:
        if self.analyst is None or games.find(request.game).problems is None:
            raise HallError("BAD_POSITION", why="no_search")
        try:
            found = await self.analyst.pose(request)
        except Busy:
            raise HallError("BUSY") from None
        if found is None:
            raise HallError("BUSY")
        if found.problem is None:
            raise HallError("BAD_POSITION", **{**found.facts, "why": found.why})
        return found.problem

    async def _by_cid(self, user: int, cid: str | None) -> int | None:
        sql = "SELECT id FROM problems WHERE owner = ? AND cid = ?"
        row = await self._store.read(lambda db: db.execute(sql, (user, cid)).fetchone())
        return None if row is None else int(row[0])

    # Moderation, export, deletion -----------------------------------------------------------------------------------

    def _find(self, db: Connection, id: int) -> Reported | None:
        row = _row(db, id)
        if row is None or row.source != "position":
            return None
        text = row.title or row.problem.start
        return Reported(row.owner, text, f"/problems/{id}", removed=row.state == "removed")

    def _seen(self, db: Connection, id: int, user: int) -> Reported | None:
        found = self._find(db, id)
        return found if found is not None and not found.removed else None

    def _remove(self, db: Connection, id: int) -> bool:
        sql = "UPDATE problems SET state = 'removed' WHERE id = ? AND source = 'position' AND state != 'removed'"
        return db.execute(sql, (id,)).rowcount > 0

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return somebody's problems, answers and ratings."""
        sql = f"SELECT {COLUMNS} FROM problems WHERE owner = ? ORDER BY id"
        names = ("problem", "at", "solved", "later", "rated", "before", "after")
        tries = f"SELECT {', '.join(names)} FROM problem_tries WHERE user = ? ORDER BY problem"
        solvers = _solvers(db, user, self.today)
        return {
            "problems.json": {
                "rows": [msgspec.to_builtins(_posted(row)) for row in db.execute(sql, (user,))],
                "answers": [dict(zip(names, row, strict=True)) for row in db.execute(tries, (user,))],
                "ratings": [msgspec.to_builtins(one) for one in solvers],
            }
        }

    async def erase(self, user: int) -> None:
        """Erase somebody's mistakes, answers and ratings; what they have published stays, without name and words."""

        def work(db: Connection) -> None:
            db.execute("DELETE FROM problems WHERE owner = ? AND state = 'own'", (user,))
            db.execute("UPDATE problems SET owner = NULL, title = '', cid = NULL WHERE owner = ?", (user,))
            db.execute("DELETE FROM problem_tries WHERE user = ?", (user,))
            db.execute("DELETE FROM problem_solvers WHERE user = ?", (user,))

        await self._store.transaction(work)


_TRY: Final = (
    "INSERT INTO problem_tries (user, problem, at, solved, rated, before, after, cid) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)


def _insert(
    db: Connection,
    problem: Problem,
    source: str,
    owner: int | None,
    now: int,
    state: str,
    rating: Glicko,
    *,
    title: str = "",
    origin: str | None = None,
    cid: str | None = None,
) -> int:
    sql = (
        "INSERT INTO problems (key, game, source, owner, at, state, title, body, origin, r, rd, vol, cid)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
    body = msgspec.json.encode(problem).decode()
    values = (problem.key, problem.game, source, owner, now, state, title, body, origin)
    return inserted(db, sql, (*values, rating.r, rating.rd, rating.vol, cid))


def _found(db: Connection, problem: Problem, now: int) -> int | None:
    """Write down a problem that the hall has found in a game; None where it is here already."""
    if db.execute("SELECT 1 FROM problems WHERE key = ? AND state != 'own'", (problem.key,)).fetchone() is not None:
        return None
    id = _insert(db, problem, "position", None, now, "shown", Glicko(float(problem.first)))
    db.execute("UPDATE problems SET found = 1 WHERE id = ?", (id,))
    return id


def _posted(row: Sequence[Any]) -> Posted:
    problem = msgspec.json.decode(row[7], type=Problem)
    found: tuple[Any, ...] = (*row[:7], problem, *row[8:])
    return Posted(*found)


def _row(db: Connection, id: int) -> Posted | None:
    row = db.execute(f"SELECT {COLUMNS} FROM problems WHERE id = ?", (id,)).fetchone()
    return None if row is None else _posted(row)


def _solvers(db: Connection, user: int, today: date) -> list[Solver]:
    sql = "SELECT game, r, rd, tried, solved, streak, best, last FROM problem_solvers WHERE user = ? ORDER BY game"
    found = []
    for row in db.execute(sql, (user,)):
        last = None if row[7] is None else date.fromisoformat(row[7])
        found.append(structs.replace(Solver(*row), streak=standing(row[5], last, today)))
    return found


def _first(
    db: Connection, user: int, posted: Posted, right: bool, now: int, cid: str | None
) -> tuple[float | None, float | None]:
    """Write down a first answer that counts; return the person's rating before and after."""
    row = db.execute(
        "SELECT r, rd, vol FROM problem_solvers WHERE user = ? AND game = ?", (user, posted.game)
    ).fetchone()
    problem = Glicko(*db.execute("SELECT r, rd, vol FROM problems WHERE id = ?", (posted.id,)).fetchone())
    solver = Glicko() if row is None else Glicko(*row)
    now_solver, now_problem = met(solver, problem, right)
    db.execute(
        "INSERT INTO problem_solvers (user, game, r, rd, vol, tried, solved) VALUES (?, ?, ?, ?, ?, 1, ?)"
        " ON CONFLICT (user, game) DO UPDATE SET r = excluded.r, rd = excluded.rd, vol = excluded.vol,"
        " tried = problem_solvers.tried + 1, solved = problem_solvers.solved + excluded.solved",
        (user, posted.game, now_solver.r, now_solver.rd, now_solver.vol, right),
    )
    db.execute(
        "UPDATE problems SET r = ?, rd = ?, vol = ?, tried = tried + 1, solved = solved + ? WHERE id = ?",
        (now_problem.r, now_problem.rd, now_problem.vol, right, posted.id),
    )
    db.execute(_TRY, (user, posted.id, now, right, True, solver.r, now_solver.r, cid))
    return solver.r, now_solver.r


def _streak(db: Connection, user: int, posted: Posted, right: bool, today: date) -> int:
    """Count the day if its problem is solved now, at whichever try; return the days in a row."""
    sql = "SELECT streak, best, last FROM problem_solvers WHERE user = ? AND game = ?"
    row = db.execute(sql, (user, posted.game)).fetchone()
    if row is None:
        return 0
    streak, best, last = row[0], row[1], None if row[2] is None else date.fromisoformat(row[2])
    sql = "SELECT 1 FROM problem_days WHERE game = ? AND day = ? AND problem = ?"
    if not right or db.execute(sql, (posted.game, today.isoformat(), posted.id)).fetchone() is None:
        return standing(streak, last, today)
    streak = on(streak, last, today)
    sql = "UPDATE problem_solvers SET streak = ?, best = ?, last = ? WHERE user = ? AND game = ?"
    db.execute(sql, (streak, max(best, streak), max(today, last or today).isoformat(), user, posted.game))
    return streak


def script() -> tuple[str, str]:
    """Return the name and the SQL of the problems."""
    return script_of("problems")
