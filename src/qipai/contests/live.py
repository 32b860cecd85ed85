"""The contests that run: one writer each, their events in the log, their games at tables of the hall.

What a state needs is tried until it is done: tables that were not opened, results that were not reported, a time that
has passed. So a hall that was killed anywhere continues from the end of its log, and nothing happens twice: a game has
one table (`tables.contest` is unique), and a contest takes the result of a game once.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol

from qipai.accounts.model import User
from qipai.contests import books
from qipai.contests.contract import Command, Contest, Game, GameTerms, Gone, Idle, SharedDeal, TableOpened, Tick
from qipai.contests.outcome import outcome_of
from qipai.hall.live import books as hall_books
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.shared_deals import Drawn
from qipai.hall.live.timers import Clock
from qipai.hall.rooms.table_creation import Asked
from qipai.hall.table.errors import HallError
from qipai.hall.table.terms import ContestGame
from qipai.ledger.model import ESCROW, HOUSE
from qipai.store import Conflict, Connection, LogEntry, Store, Unwritten

__all__ = ["Contests", "Running", "asked", "key_of", "rebuild"]

log = logging.getLogger("qipai.hall")

ACCOUNTS: Final[Mapping[Any, int]] = {"escrow": ESCROW, "house": HOUSE}
AGAIN_MS: Final = 10_000  # until something that was due and refused, or did not happen, is tried again
NEVER: Final = 2**62
STEPS: Final = 1000  # due things of one contest in a row; with more of them it is taken to loop for ever


class Accounts(Protocol):
    """The part of accounts that contests need."""

    async def find(self, id: int) -> User | None:
        """Return a user, None when there is none."""
        ...


class Tables(Protocol):
    """The part of the hall's tables that contests need."""

    async def host(
        self, asked: Asked, contest: ContestGame, people: Mapping[int, User], board_seed: str | None = None
    ) -> int:
        """Open the table of a game and seat its players; return its number. board_seed: of its shared deal."""
        ...

    async def call_off(self, table: int) -> None:
        """Close a table whose game is no longer part of its contest; the game is void."""
        ...


class Deals(Protocol):
    """The part of the hall's shared deals that contests need."""

    async def draw(self, key: str) -> Drawn:
        """Return the shared deal of a key; draw it if it is not drawn yet."""
        ...

    async def open(self, key: str) -> bool:
        """Open the seed of a shared deal that no table plays any more; tell whether it is open now."""
        ...

    async def closed(self) -> list[str]:
        """Return the keys of all that are drawn and not opened."""
        ...


class Cache(Protocol):
    """The part of the table cache that contests need."""

    async def find(self, id: int) -> LiveTable | None:
        """Return a table, loaded from the log if it is not in memory."""
        ...


class Keeper(Protocol):
    """The part that keeps what people are told."""

    def keep(self, db: Connection, user: int, kind: str, ref: Any, facts: Mapping[str, Any], now: int) -> None:
        """Write down what somebody will be told, in the transaction of its cause; now: seconds."""
        ...


class Notes(Protocol):
    """The part that notifies people."""

    @property
    def keeper(self) -> Keeper:
        """Return what keeps it for their timelines."""
        ...

    def contest(self, user: int, contest: str, facts: Any) -> None:
        """Note that something has happened in a contest."""
        ...


class Escrow(Protocol):
    """The part of the ledger that contests need."""

    def pay_contest(self, db: Connection, data: Mapping[str, Any], at: int) -> None:
        """Write the payments of an event in its transaction; raises `Denied` if somebody has too few coins."""
        ...


@dataclass
class Running:
    """A contest in memory. rows: the number of rows in its stream; ended: tables whose results are taken in."""

    kind: Contest[Any]
    id: int
    state: Any = None
    rows: int = 0
    next: int = 0  # when something is due again, ms
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    serving: asyncio.Lock = field(default_factory=asyncio.Lock)  # held around `lock`, never within it
    wanted: bool = False  # something has come up since it began to be served
    ended: deque[int] = field(default_factory=deque)
    dealt: dict[str, Drawn | None] = field(default_factory=dict)  # its shared deals; None: opened

    @property
    def stream(self) -> str:
        """Return the name of its stream."""
        return f"{self.kind.kind}:{self.id}"


class Contests:
    """All contests of a hall. ended: the hall puts in the number of each contest's table where a game has ended."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        accounts: Accounts,
        tables: Tables,
        cache: Cache,
        notes: Notes,
        escrow: Escrow,
        deals: Deals,
        ended: asyncio.Queue[int],
        kinds: Sequence[Contest[Any]],
    ) -> None:
        self._store, self._clock, self._accounts = store, clock, accounts
        self._tables, self._cache, self._notes, self._escrow = tables, cache, notes, escrow
        self._deals, self._ended = deals, ended
        self.kinds = {kind.kind: kind for kind in kinds}
        self._rows = {kind.kind: books.EventRows(kind) for kind in kinds}
        self._running: dict[str, Running] = {}
        self._unread: set[str] = set()  # contests whose logs cannot be read; their tables are left alone
        self._next: dict[str, int] = {}
        self._making = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    # Opening and closing ----------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Load every contest that is not over from its log, and begin to listen for games that end."""
        for name in self.kinds:
            self._next[name] = 1 + await self._store.read(partial(books.newest, kind=name))
        for name, id in await self._store.read(books.running):
            try:
                found = await self._read(name, id)
            except Unwritten:  # the database is gone: another hall, or this one later, reads them all
                raise
            except Exception:  # a log that cannot be folded stops one contest, not the hall
                log.exception("%s:%d cannot be read from its log", name, id)
                self._unread.add(f"{name}:{id}")
                continue
            if found is not None:
                self._running[found.stream] = found
        self._begin(self._listen())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def shut(self) -> None:
        """Stop; everything that has happened is in the store."""
        for task in list(self._tasks):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _read(self, kind: str, id: int) -> Running | None:
        """Return a contest folded from its log, None when there is none."""
        running = Running(self.kinds[kind], id)
        stream = running.stream
        for row in await self._store.read(lambda db: books.rows(db, stream)):
            running.state = running.kind.fold(running.state, self._rows[kind].event(row), row.now)
            running.rows = row.seq
        return running if running.rows else None

    # Asking -----------------------------------------------------------------------------------------------------------

    async def find(self, kind: str, id: int) -> Running:
        """Return a contest; raises HallError("NOT_FOUND")."""
        known = self._running.get(f"{kind}:{id}")
        found = known or (await self._read(kind, id) if kind in self.kinds else None)
        if found is None:
            raise HallError("NOT_FOUND")
        return found

    def of(self, kind: str) -> list[Running]:
        """Return the contests of a kind that are not over, by number."""
        return sorted((one for one in self._running.values() if one.kind.kind == kind), key=lambda one: one.id)

    async def lines(
        self,
        kind: str,
        *,
        game: str | None = None,
        over: bool | None = None,
        fee: bool = False,
        club: int | None = None,
        before: int | None = None,
        most: int = 50,
    ) -> list[tuple[int, Any]]:
        """Return the list entries of a kind's contests, newest first. fee: only those with an entry fee.

        club: only those of its members; None: only those that are no club's.
        """
        return await self._store.read(
            lambda db: books.lines(db, kind, game=game, over=over, fee=fee, club=club, before=before, most=most)
        )

    async def among(self, kind: str, ids: Collection[int], user: int | None) -> set[int]:
        """Return which of some contests of a kind somebody is part of; of nobody none."""
        if user is None:
            return set()
        return await self._store.read(lambda db: books.among(db, kind, ids, user))

    # Commands ---------------------------------------------------------------------------------------------------------

    async def make(
        self,
        kind: str,
        command: Callable[[int], Command],
        by: int | None,
        cid: str | None = None,
        known: Callable[[], Running | None] = lambda: None,
    ) -> Running:
        """Make a contest; raises HallError. command: returns the command that makes it, given its number.

        known: finds one that was made meanwhile and that would be made a second time.
        """
        async with self._making:
            if (found := known()) is not None:
                return found
            if by is not None and cid is not None and (again := await self._made_before(kind, by, cid)):
                return again
            running = Running(self.kinds[kind], self._next[kind])
            await self._do(running, command(running.id), by, cid)
            if running.state is None:  # nothing was written: another command of theirs had this cid
                raise HallError("BAD_MESSAGE", field="cid")
            self._next[kind] += 1
            self._running[running.stream] = running
        await self._serve(running)
        return running

    async def _made_before(self, kind: str, by: int, cid: str) -> Running | None:
        """Return the contest that somebody's command has made already."""
        stream = await self._store.read(partial(books.made, actor=by, cid=cid))
        name, _, id = (stream or "").partition(":")
        return await self.find(name, int(id)) if name == kind else None

    async def do(self, kind: str, id: int, command: Command, by: int | None, cid: str | None = None) -> Running:
        """Carry out a command; raises HallError, or `Denied` if somebody has too few coins; then nothing changes."""
        running = await self.find(kind, id)
        async with running.lock:
            await self._do(running, command, by, cid)
        await self._serve(running, wait=False)
        return running

    async def _do(self, running: Running, command: Command, by: int | None, cid: str | None) -> None:
        """Write the events of a command, then apply them."""
        kind, now = running.kind, self._clock.now()
        state, rows_of = running.state, self._rows[kind.kind]
        entries: list[LogEntry] = []
        news: list[tuple[int, Any]] = []
        payments: list[dict[str, Any]] = []
        # In a thread, since pairing a Swiss takes a second or more and tables must go on; the lock guards the state.
        for event in await asyncio.to_thread(kind.handle, state, command, by, now):
            rows = running.rows + len(entries) + 1
            entries.append(rows_of.entry(event, running.stream, rows, by, None if entries else cid))
            payments += [
                {
                    "source": ACCOUNTS.get(each.source, each.source),
                    "target": ACCOUNTS.get(each.target, each.target),
                    "coins": each.coins,
                    "reason": each.reason,
                }
                for each in kind.payments(state, event)
                if each.coins
            ]
            news += kind.news(state, event)
            state = kind.fold(state, rows_of.again(entries[-1]), now)
        if not entries:
            return
        rows, over = running.rows + len(entries), kind.over(state)
        line, people = kind.line(state), kind.people(state)
        same = running.state is not None and people == kind.people(running.state)
        paid = {"ref": running.stream, "rows": payments}

        def work(db: Connection) -> None:
            books.write(db, kind.kind, running.id, rows, over=over, line=line, people=None if same else people)
            self._escrow.pay_contest(db, paid, now // 1000)
            for user, facts in news:
                self._notes.keeper.keep(db, user, "contest", running.stream, facts, now // 1000)

        if payments:
            entries.append(LogEntry(f"escrow:{running.stream}", None, "contest.paid", paid))
        try:
            await self._store.append(entries, now, work)
        except Conflict as wrong:
            if wrong.repeated:  # this user's command was carried out before
                return
            raise HallError("STALE") from wrong
        before = set() if running.state is None else {game.id for game in kind.games(running.state)}
        running.state, running.rows = state, rows
        if over:
            self._running.pop(running.stream, None)
        for user, facts in news:
            self._notes.contest(user, running.stream, facts)
        if before - {game.id for game in kind.games(state)}:
            await self._tidy(running)

    # What a contest needs ---------------------------------------------------------------------------------------------

    async def _serve(self, running: Running, *, again: bool = False, wait: bool = True) -> None:
        """Open the tables that a contest needs, and do what is due. again: also read the results of open tables.

        The sweep and the end of a game may come at once: each table is opened by one. wait: False: whoever serves it
        now goes on with what has come up, and their round of many tables holds nobody up.
        """
        if not wait and running.serving.locked():
            running.wanted = True
            return
        async with running.serving:
            running.wanted = True
            while running.wanted:
                running.wanted = False
                await self._served(running, again=again)
                again = False

    async def _served(self, running: Running, *, again: bool) -> None:
        for _ in range(STEPS):
            if running.state is None:
                return
            if running.kind.over(running.state):
                await self._deal(running)
                return
            if not await self._step(running, again=again):
                break
            again = False
        else:
            log.error("%s never rests", running.stream)
        now, due = self._clock.now(), _next(running)
        running.next = due if due > now else now + AGAIN_MS  # what is still due was refused

    async def _step(self, running: Running, *, again: bool) -> bool:
        """Do the next thing that a contest needs; tell whether anything was done."""
        kind, now = running.kind, self._clock.now()
        due = kind.due(running.state)
        if due is not None and due <= now:
            before = running.rows
            idle_at = kind.idle_at(running.state)
            idle = Idle(users=await self._idle(running)) if idle_at is not None and idle_at <= now else None
            async with running.lock:
                if idle is not None:
                    await self._do(running, idle, None, None)
                await self._do(running, Tick(), None, None)
            if running.rows > before:
                return True
        done = await self._deal(running)
        # A table that is played has no result, and must not be woken if it sleeps.
        playing = await self._store.read(hall_books.contest_tables_in_play) if again else frozenset[int]()
        for game in kind.games(running.state):
            if game.table is None and game.from_ <= now:
                done |= await self._open(running, game)
            elif game.table is not None and again and game.table not in playing:
                done |= await self._look(running, game.table)
        return done

    async def _deal(self, running: Running) -> bool:
        """Draw the shared deals that a contest needs, and open those that are over; tell whether any was drawn."""
        drawn = False
        for deal in running.kind.deals(running.state):
            key = key_of(running, deal)
            if deal.id not in running.dealt:
                found = running.dealt[deal.id] = await self._deals.draw(key)
                drawn = True
                if found.opened:
                    running.dealt[deal.id] = None
            if deal.over and running.dealt[deal.id] is not None and await self._deals.open(key):
                running.dealt[deal.id] = None
        return drawn

    async def _open(self, running: Running, game: Game) -> bool:
        """Open the table of a game; tell whether it was opened. A refusal is tried again later."""
        wanted = running.kind.games(running.state)
        if not any(one.id == game.id and one.table is None for one in wanted):
            return False  # it is not played any more
        deal = None if game.deal is None else running.dealt.get(game.deal)
        if game.deal is not None and deal is None:
            log.error("no deal for %s of %s", game.id, running.stream)
            return False
        people = {user: found for user in game.users if user and (found := await self._accounts.find(user))}
        sealed, seed = (None, None) if deal is None else (deal.sealed, deal.server_seed)
        contest = ContestGame(running.stream, game.id, game.users, self._begin_by(game), game.level, sealed)
        try:
            table = await self._tables.host(asked(game.terms), contest, people, seed)
        except HallError as wrong:
            log.error("no table for %s of %s: %s", game.id, running.stream, wrong)
            return False
        rows = running.rows
        async with running.lock:
            await self._do(running, TableOpened(game=game.id, table=table), None, None)
        await self._look(running, table)
        return running.rows > rows

    def _begin_by(self, game: Game) -> int | None:
        """Return until when people are waited for: as long as they should be, also at a table that is opened late."""
        late = self._clock.now() - game.from_
        return game.forfeit_at and game.forfeit_at + (late if late > AGAIN_MS else 0)  # the hall was down (P-100)

    async def _idle(self, running: Running) -> tuple[int, ...]:
        """Return those who had a turn in a game of a contest and have made no move in any."""
        had_turn, moved = set[int](), set[int]()
        for game in running.kind.games(running.state):
            live = None if game.table is None else await self._cache.find(game.table)
            deal = None if live is None else live.table.deal
            if deal is None or deal.state is None:
                continue
            for seat, user in enumerate(game.users):
                if user is not None and deal.moves[seat] > deal.bot_moves[seat]:
                    moved.add(user)
                elif user is not None and deal.asks[seat] is not None:
                    had_turn.add(user)
        return tuple(sorted(had_turn - moved))

    async def _look(self, running: Running, table: int) -> bool:
        """Report a table's result to its contest, if the game is over; tell whether the contest took it."""
        live = await self._cache.find(table)
        over = None if live is None else outcome_of(live.table)
        if over is None:
            return False
        rows = running.rows
        async with running.lock:
            await self._do(running, over, None, None)
        return running.rows > rows

    async def _tidy(self, running: Running | None = None) -> None:
        """Close tables whose games are no longer part of a contest: somebody has left, or it was cancelled.

        running: only those of this contest. A table where a game has just ended closes by itself. A table that cannot
        be closed now is closed by the next sweep over all tables.
        """
        for table, key in await self._store.read(hall_books.contest_tables):
            stream, _, game = key.rpartition("/")
            if stream in self._unread or (running is not None and stream != running.stream):
                continue
            known = self._running.get(stream)
            if known is not None and any(wanted.id == game for wanted in known.kind.games(known.state)):
                continue
            try:
                live = await self._cache.find(table)
                if live is not None and outcome_of(live.table) is None:
                    await self._tables.call_off(table)
            except (HallError, Unwritten) as wrong:
                log.warning("table %d of %s is not closed yet: %s", table, stream, wrong)

    async def _reveal(self) -> None:
        """Open the shared deals of contests that are over, which the hall did not when they ended."""
        for key in await self._deals.closed():
            kind, _, id = key.rpartition("/")[0].partition(":")
            if f"{kind}:{id}" in self._running or f"{kind}:{id}" in self._unread or kind not in self.kinds:
                continue
            try:
                await self._deal(await self.find(kind, int(id)))
            except Exception:
                log.exception("the deal %s is not opened yet", key)

    async def _listen(self) -> None:
        """Take in the results of tables where games have ended, as the hall names them."""
        while True:
            table = await self._ended.get()
            running = None
            try:
                live = await self._cache.find(table)
                contest = None if live is None else live.table.setting.contest
                running = None if contest is None else self._running.get(contest.contest)
            except Exception:
                log.exception("the end at table %d was not taken", table)
            if running is None:
                self._ended.task_done()
                continue
            running.ended.append(table)
            if len(running.ended) == 1:
                self._begin(self._take(running))

    async def _take(self, running: Running) -> None:
        """Take in the results of a contest, one after the other. Other contests do not wait for it."""
        while running.ended:
            table = running.ended[0]
            try:
                await self._look(running, table)
                await self._serve(running, wait=False)
            except (HallError, Unwritten) as wrong:  # `sweep` tries it again
                log.warning("the end at table %d was not taken: %s", table, wrong)
            except Exception:
                log.exception("the end at table %d was not taken", table)
            finally:
                running.ended.popleft()
                self._ended.task_done()

    async def rest(self) -> None:
        """Wait until the results of all tables that the hall has named are taken in."""
        await self._ended.join()

    async def sweep(self, *, again: bool = False) -> None:
        """Do what is due in all contests; called every second. again: also read the results of all their tables."""
        now = self._clock.now()
        if again:
            await self._tidy()
            await self._reveal()
        for running in list(self._running.values()):
            if running.next > now and not again:
                continue
            try:
                await self._serve(running, again=again)
            except (HallError, Unwritten) as wrong:
                log.warning("%s waits: %s", running.stream, wrong)
            except Exception:
                log.exception("%s failed", running.stream)

    async def gone(self, user: int, why: Any) -> None:
        """Tell the contests that somebody deleted their account or was banned.

        One that cannot take it now does not keep it from the others; its error is raised when all have been told.
        """
        failed: Exception | None = None
        for running in list(self._running.values()):
            if user in running.kind.people(running.state):
                try:
                    async with running.lock:
                        await self._do(running, Gone(user=user, why=why), None, None)
                    await self._serve(running)
                except Exception as wrong:
                    log.exception("%s was not told that %d is gone", running.stream, user)
                    failed = failed or wrong
        if failed is not None:
            raise failed

    async def all_banned(self, is_banned: Callable[[int], bool]) -> None:
        """Tell the contests again who is banned: the hall may have died between a ban and its telling."""
        people = {user for running in self._running.values() for user in running.kind.people(running.state)}
        for user in sorted(people):
            if is_banned(user):
                with suppress(Exception):  # `gone` has logged it, and the hall starts all the same
                    await self.gone(user, "banned")


def asked(terms: GameTerms) -> Asked:
    """Return the terms of a contest as an invitation has them; raises HallError for options that are no object."""
    if not isinstance(terms.options, Mapping):
        raise HallError("BAD_OPTION", field="options")
    return Asked(
        terms.game,
        terms.variant,
        terms.preset,
        seats=terms.seats,
        options=terms.options,
        clock=terms.clock,
        rated=terms.rated,
    )


def key_of(running: Running, deal: SharedDeal) -> str:
    """Return the name of a shared deal among those of all contests."""
    return f"{running.stream}/{deal.id}"


def _next(running: Running) -> int:
    """Return when something will be due in a contest, ms."""
    times = [game.from_ for game in running.kind.games(running.state) if game.table is None]
    if (due := running.kind.due(running.state)) is not None:
        times.append(due)
    return min(times, default=NEVER)


def rebuild(db: Connection, kinds: Iterable[Contest[Any]]) -> int:
    """Make the tables that lists are read from anew from the log; return how many contests there are."""
    db.execute("DELETE FROM contests")
    db.execute("DELETE FROM contest_people")
    count = 0
    for kind in kinds:
        events = books.EventRows(kind)
        streams = db.execute(
            "SELECT DISTINCT stream FROM events WHERE stream > ? AND stream < ?", (f"{kind.kind}:", f"{kind.kind};")
        ).fetchall()
        for (stream,) in streams:
            state, seq = None, 0
            for row in books.rows(db, stream):
                state, seq = kind.fold(state, events.event(row), row.now), row.seq
            line, people = kind.line(state), kind.people(state)
            books.write(
                db, kind.kind, int(stream.partition(":")[2]), seq, over=kind.over(state), line=line, people=people
            )
            count += 1
    return count
