"""The table runner: takes commands from each table's inbox, stores their events, then answers and shows them.

Each table has one inbox and one writer at a time. This is the only part of a table that waits for I/O. A table has no
task of its own: whoever puts a command into the inbox carries it out, and the callback of the commit continues from
there. All timers are in one heap. `cache` holds the tables in memory, `thinking` the turns of bots.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import asdict

from qipai.hall.live import board_seats, books, daily_boards
from qipai.hall.live.bot_players import BotPlayers
from qipai.hall.live.bot_turns import BotTurns
from qipai.hall.live.live_table import NO_LOOKS, Accepted, Answer, LiveTable
from qipai.hall.live.ports import Luck, Output, Silent, TablePorts
from qipai.hall.live.recovery import command_key, noted, number_of
from qipai.hall.live.showing import Showing
from qipai.hall.live.table_cache import TableCache
from qipai.hall.live.timers import Clock, Timers
from qipai.hall.table.commands import Try
from qipai.hall.table.correspondence import asleep, overdue
from qipai.hall.table.errors import HallError, busy
from qipai.hall.table.events import (
    BalancesSecret,
    DealCreated,
    Fined,
    Opened,
    RulingSecret,
    Settled,
    given,
)
from qipai.hall.table.handle import Applied, handle, may_begin, next_due, tried
from qipai.hall.table.model import Table, TableLimits
from qipai.hall.table.stored import entry_of
from qipai.hall.table.system_commands import SYSTEM, Actor, Begin, Close, Given, Scored, TableCommand, Tick
from qipai.hall.table.system_handlers import people_of
from qipai.ledger.model import Begun
from qipai.ledger.service import Ledger, Moved
from qipai.store import Conflict, Connection, LogEntry, Store, Unwritten

__all__ = ["Chance", "TableRunner", "new_id"]

log = logging.getLogger("qipai.hall")

AGAIN_MS: Final = 1000  # how long a table waits to try again when the disk refused a write
ANEW: Final = 20  # how often a command is tried again because balances have changed
LETTERS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
# Kinds of events, looked up for each move: `in` compares types only, where `isinstance` would try one after the other.
LASTING: Final = frozenset({DealCreated, Settled, Fined})  # events that change projections


class TableRunner:
    """Runs all live tables of a hall."""

    def __init__(
        self,
        store: Store,
        ledger: Ledger,
        clock: Clock,
        limits: TableLimits,
        players: BotPlayers,
        ports: TablePorts,
        *,
        output: Output | None = None,
        luck: Luck | None = None,
    ) -> None:
        self.store, self.ledger, self.clock, self.limits, self.players = store, ledger, clock, limits, players
        self._ports, self._output, self._luck = ports, output or Silent(), luck or Chance()
        self.tables: dict[int, LiveTable] = {}
        self._outgoing: list[Callable[[], None]] = []  # callbacks that end the measurement of actions
        self.showing = Showing(clock, ports)
        self.timers = Timers(clock)
        self._ringing = self._ring  # one bound method for all tables
        self.cache = TableCache(self, ports)
        self.thinking = BotTurns(self)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._writing: set[asyncio.Future[Any]] = set()
        self._shut = False

    # Commands -------------------------------------------------------------------------------------------------------

    def take_up(self, live: LiveTable, commands: Iterable[TableCommand]) -> None:
        """Start to run a table that has come into memory, with the commands that it must handle first."""
        self.tables[live.id] = live
        self._wind(live)
        for command in commands:
            self.submit(live, command)
        self._after(live)

    def submit(self, live: LiveTable, command: TableCommand, by: Actor = SYSTEM, answer: Answer | None = None) -> None:
        """Put a command into a table's inbox, and carry out what can be carried out."""
        live.inbox.append((command, by, answer))
        if not live.busy:
            self._work(live)

    async def ask(self, live: LiveTable, command: TableCommand, by: Actor = SYSTEM) -> Accepted:
        """Give a command and return when it is done; raises HallError."""
        future: asyncio.Future[Accepted] = asyncio.get_running_loop().create_future()

        def answer(found: Accepted | HallError) -> None:
            if future.done():
                return
            if isinstance(found, HallError):
                future.set_exception(found)
            else:
                future.set_result(found)

        self.submit(live, command, by, answer)
        return await future

    def _work(self, live: LiveTable) -> None:
        """Carry out commands from the inbox until one has to wait for a commit."""
        while live.inbox and not live.busy and not self._shut:
            now = self.clock.now()
            command, by, answer = live.inbox[0]
            due = live.due is not None and live.due <= now
            if due and type(command) not in (Tick, Given, Scored):
                command, by, answer = Tick(), SYSTEM, None  # what was due earlier happens first
            else:
                live.inbox.pop(0)
            if type(command) is Tick and not command.final and (late := overdue(live.table, now)) is not None:
                live.busy = True
                self.spawn(self._rested(live, late))
                return
            cid = command.cid
            if cid is not None and by.user is not None and (key := command_key(by.user, cid)) in live.cids:
                if answer is not None:
                    answer(Accepted(live.cids[key], again=True))
                continue
            try:
                table, changes = handle(live.table, command, now, by, self.limits, due=due)
            except HallError as refused:
                live.table = tried(live.table, command, by, refused.code, now)
                self._refused(live, refused, command, by, answer)
                continue
            except Exception:  # our own mistake ends one table, not the hall
                self._fault(live, command, answer)
                continue
            if changes:
                self._store(live, table, changes, command, by, answer, now)
            else:
                live.table = table
                self._finished(live, by, cid, answer)
                self._after(live)

    async def _rested(self, live: LiveTable, user: int) -> None:
        """End somebody's time, unless vacation time is left (P-87)."""
        began = self.clock.now()
        try:
            await self._ports.relieve(user, live.id)
        except Unwritten as wrong:  # the vacation is checked again later
            self._put_off(live, wrong, began)
        finally:
            if live.stuck is None:
                live.busy = False
                if not live.inbox or type(live.inbox[0][0]) is not Given:
                    live.inbox.insert(0, (Tick(final=True), SYSTEM, None))
                self._work(live)

    def give(self, live: LiveTable, ms: int, why: str | None = "vacation") -> None:
        """Give time to whoever is to move at a table, before anything else happens there."""
        live.inbox.insert(0, (Given(ms, why), SYSTEM, None))
        if not live.busy:
            self._work(live)

    def _store(
        self,
        live: LiveTable,
        table: Table,
        changes: tuple[Applied, ...],
        command: TableCommand,
        by: Actor,
        answer: Answer | None,
        now: int,
    ) -> None:
        """Write what happened; go on when it is durable."""
        events = []
        rows = live.table.rows
        games: dict[str, int] = {}
        plain = not live.table.turn_based and not table.turn_based and live.table.state == table.state
        for number, change in enumerate(changes, 1):
            event = change.event
            of_game = event.what.OF_GAME
            plain = plain and of_game and type(event.what) not in LASTING
            if of_game:
                deal = change.table.coming or change.table.deal
                assert deal is not None
                stream, seq = f"game:{deal.game_id}", deal.rows
                assert games.get(stream, seq - 1) == seq - 1
                games[stream] = seq
            else:
                rows += 1
                stream, seq = table.stream, rows
            events.append(entry_of(event, stream, seq, len(changes) - number if event.cid is not None else 0))
            ruled = event.hidden(RulingSecret)
            if ruled is not None and ruled.ruling is not UNSET:
                events.append(LogEntry("moderation", None, "moderation.acted", ruled.ruling, None, event.actor))
        live.busy = True
        stop = self._output.start()
        written = self.store.append(events, now, None if plain else self._projections(live.table, table, changes, now))
        future = asyncio.ensure_future(written)
        self._writing.add(future)
        future.add_done_callback(partial(self._stored, live, table, changes, command, by, answer, stop, events[0]))

    def _projections(
        self, before: Table, after: Table, changes: tuple[Applied, ...], now: int
    ) -> Callable[[Connection], None] | None:
        """Return a function that updates the projections for these events, None if nothing changes there."""
        sleeper = asleep(after, now)
        lasting = [change for change in changes if type(change.event.what) in LASTING]
        found = before.turn_based != after.turn_based or books.found_by(before) != books.found_by(after)
        # A table where nobody sits yet is entered too: its number is used, and its log may be opened again.
        found = found or any(type(change.event.what) is Opened for change in changes)
        if not lasting and sleeper is None and not found:
            return None

        def work(db: Connection) -> None:
            books.write_table(db, after, sleeper)
            for change in lasting:
                what, reckoned = change.event.what, change.event.hidden(BalancesSecret)
                had = None if reckoned is None else given(reckoned.had)
                if isinstance(what, Fined):
                    self.ledger.fine(db, asdict(what), had or (), now // 1000)
                    continue
                deal = change.table.coming or change.table.deal
                assert deal is not None
                if isinstance(what, DealCreated):
                    books.add_game(db, deal.game_id, now // 1000, what)
                    daily_boards.begin(db, deal.game_id, now, what)
                    board_seats.begin(db, deal.game_id, what)
                elif isinstance(what, Settled):
                    setting, start = after.setting, deal.start
                    begun = Begun(
                        setting.game,
                        deal.players,
                        deal.bench,
                        setting.variant,
                        apart=start is not None and start.game is not None,
                        placed=start is not None and start.text is not None,
                    )
                    books.end_game(db, deal.game_id, now // 1000, begun, what)
                    daily_boards.end(db, deal.game_id, what)
                    board_seats.end(db, deal.game_id, what)
                    self.ledger.write(db, deal.game_id, begun, what.ended, had, now // 1000)

        return work

    def _stored(
        self,
        live: LiveTable,
        table: Table,
        changes: tuple[Applied, ...],
        command: TableCommand,
        by: Actor,
        answer: Answer | None,
        stop: Callable[[], None],
        first: LogEntry,
        future: asyncio.Future[int],
    ) -> None:
        """Show what has been written, answer, and go on."""
        cid = command.cid
        self._writing.discard(future)
        live.busy = False
        # Fetch the exception even during shutdown: asyncio complains about exceptions that were never retrieved.
        wrong = None if future.cancelled() else future.exception()
        if future.cancelled() or self._shut:
            return
        if isinstance(wrong, Unwritten):
            live.inbox.insert(0, (command, by, answer))
            live.unsure = first
            self._put_off(live, wrong, changes[0].event.now)
            stop()
        elif wrong is not None:
            self._unwritten(live, wrong, command, by, answer)
            stop()
        else:
            live.anew, live.stuck = 0, None
            self._hold_back(stop)
            try:
                live.ahead = table
                for change in changes:
                    live.table = change.table
                    self.showing.show(live, change)
                live.table, live.ahead = table, None
                self._finished(live, by, cid, answer)
                self._after(live)
            except Exception:  # as above; what happened is stored, but it cannot be shown
                live.table, live.ahead = table, None
                self._fault(live, changes, answer)
            if any(type(change.event.what) is Settled for change in changes):
                # A player with nothing more to do in the game was not marked as lost (P-26); between games they are.
                live.inbox += [(lost, SYSTEM, None) for lost in self.cache.missed(table)]
        self._work(live)

    def _hold_back(self, stop: Callable[[], None]) -> None:
        """Release output only after all tables that waited for the same commit have shown their events."""
        self._output.hold()
        if not self._outgoing:
            asyncio.get_running_loop().call_soon(self._let_out)  # the callbacks of those tables are called before it
        self._outgoing.append(stop)

    def _let_out(self) -> None:
        stops, self._outgoing = self._outgoing, []
        self._output.release()
        for stop in stops:
            stop()

    def _refused(
        self, live: LiveTable, refused: HallError, command: TableCommand, by: Actor, answer: Answer | None
    ) -> None:
        """Answer a refusal, unless the command was carried out long ago and is only repeated.

        The table waits until the log was checked, so that later commands are answered later (13.1).
        """
        if answer is None:
            return
        cid, user = command.cid, by.user
        if cid is None or user is None or type(command) is Try:  # a trial leaves nothing in the log
            answer(refused)
            return
        live.busy = True
        read = asyncio.ensure_future(self.store.read(lambda db: books.repeated(db, user, cid)))
        self._writing.add(read)

        def found(future: asyncio.Future[Any]) -> None:
            self._writing.discard(future)
            live.busy = False
            if not future.cancelled():
                wrong = future.exception()
                if isinstance(wrong, Unwritten):  # the database is gone: it may have been carried out
                    answer(busy(wrong))
                elif wrong is not None or future.result() is None:
                    answer(refused)
                else:
                    answer(Accepted(number_of(live.table, user), again=True))
            self._work(live)

        read.add_done_callback(found)

    def _unwritten(
        self, live: LiveTable, wrong: BaseException, command: TableCommand, by: Actor, answer: Answer | None
    ) -> None:
        if isinstance(wrong, Moved) and live.anew < ANEW:
            live.anew += 1
            live.busy = True
            self.spawn(self._reckon_anew(live, command, by, answer))
            return
        if isinstance(wrong, Conflict) and wrong.repeated:
            if answer is not None:
                answer(Accepted(number_of(live.table, by.user), again=True))
            return
        # Another process has written to this table, or the disk has failed: the next user loads it again from the log.
        log.error("table %d was not written: %r", live.id, wrong)
        live.inbox.append((command, by, answer))
        self._reload(live)

    def _reload(self, live: LiveTable) -> None:
        """Let a table be loaded again from the log; what people have said to it meanwhile is stale."""
        self.drop(live)
        for _command, _by, waiting in live.inbox:
            if waiting is not None:
                waiting(HallError("STALE"))
        live.inbox.clear()

    def _put_off(self, live: LiveTable, wrong: Unwritten, since: int) -> None:
        """Keep a table as it was last written: refuse people's commands, and try the hall's own commands again later.

        since: the time of the events that were not written; the clocks stand still from then on.
        """
        if live.stuck is None:
            live.stuck = since
        refusal, own = busy(wrong), []
        for command, by, answer in live.inbox:
            if answer is not None:
                answer(refusal)
            elif type(command) is not Tick and not (type(command) is Given and not command.why):
                own.append((command, by, answer))
        live.inbox[:] = own
        live.busy = True
        self.timers.at(self.clock.now() + AGAIN_MS, self._try_again, live)

    def _try_again(self, live: LiveTable) -> None:
        """Go on with a table that could not be written, and give back the time for which it could not (P-100)."""
        if self._shut or live.stuck is None:
            return
        if live.unsure is None:
            self._go_on(live)
        else:
            self.spawn(self._make_sure(live, live.unsure))

    async def _make_sure(self, live: LiveTable, first: LogEntry) -> None:
        """Go on with a table if what could not be written is not in the log; else let it be loaded again from there.

        A commit whose answer is lost may have been done. Its row in one stream of a table does not keep out what comes
        next in the other: people would be told that in its place.
        """
        try:  # by the writer, which first ends whatever the lost line was doing
            stands = await self.store.transaction(partial(books.stands, stream=first.stream, seq=first.seq))
        except Unwritten as wrong:
            if not self._shut and live.stuck is not None:
                self._put_off(live, wrong, live.stuck)
            return
        if self._shut or live.stuck is None or self.tables.get(live.id) is not live:
            return
        live.unsure = None
        if stands:
            log.warning("table %d is loaded again: what could not be written stands in the log all the same", live.id)
            self._reload(live)
        else:
            self._go_on(live)

    def _go_on(self, live: LiveTable) -> None:
        live.busy = False
        assert live.stuck is not None
        table, ms = live.table, self.clock.now() - live.stuck
        if (table.playing or table.coming is not None) and not table.turn_based:
            live.inbox.insert(0, (Given(ms), SYSTEM, None))
        else:
            live.stuck = None
        self._work(live)
        if not live.busy:
            self._after(live)

    async def _reckon_anew(self, live: LiveTable, command: TableCommand, by: Actor, answer: Answer | None) -> None:
        """Try a command again with people's present balances, which changed while it was carried out."""
        users = [chair.user for chair in live.table.chairs if chair.user is not None and chair.holdings is not None]
        news = [(Scored(user, await self._ports.holdings(live.table, user)), SYSTEM, None) for user in users]
        live.inbox[:0] = [*news, (command, by, answer)]
        live.busy = False
        self._work(live)

    @staticmethod
    def _finished(live: LiveTable, by: Actor, cid: str | None, answer: Answer | None) -> None:
        """Remember a command that was carried out, and answer it."""
        named = cid is not None and by.user is not None
        if answer is None and not named:
            return
        number = number_of(live.table, by.user)
        if cid is not None and by.user is not None:
            live.cids = noted(live.cids, command_key(by.user, cid), number)
        if answer is not None:
            answer(Accepted(number))

    def _fault(self, live: LiveTable, what: Any, answer: Answer | None) -> None:
        """Log our own mistake with the table it happened at, and close that table."""
        log.exception("table %d failed at %r; its state: %r", live.id, what, live.table)
        if answer is not None:
            answer(HallError("NO_SUCH_TABLE"))
        if isinstance(what, Close):
            self.drop(live)
            return
        waiting, live.inbox = live.inbox, [(Close("fault"), SYSTEM, None)]
        for _command, _by, other in waiting:
            if other is not None:
                other(HallError("NO_SUCH_TABLE"))
        if not live.busy:
            asyncio.get_running_loop().call_soon(self._work, live)

    def drop(self, live: LiveTable) -> None:
        """Remove a table from memory, and make everybody there join it again."""
        self.tables.pop(live.id, None)
        self.showing.let_go(live)
        self.showing.anew(live)
        live.listeners.clear()
        live.looks = NO_LOOKS

    def let_go(self, live: LiveTable) -> None:
        """Let the node that shows a table that leaves memory forget it."""
        self.showing.let_go(live)

    def _after(self, live: LiveTable) -> None:
        """Start what follows: the next deal, the bots' moves, the next timer."""
        table = live.table
        if may_begin(table):
            if table.setting.duplicate:
                self._choose(live)
            else:
                live.inbox.insert(0, (Begin(self._luck.name(), self._luck.seed()), SYSTEM, None))
        self.thinking.think(live)
        self._wind(live)

    # Shared deals of rooms ------------------------------------------------------------------------------------------

    def _choose(self, live: LiveTable) -> None:
        """Let the room choose a shared deal for the people at a table, and begin it (P-94)."""
        if not live.choosing:
            live.choosing = True
            self.spawn(self._chosen(live))

    async def _chosen(self, live: LiveTable) -> None:
        try:
            while not self._shut and self.tables.get(live.id) is live and may_begin(live.table):
                async with self._ports.board(live.table.setting.room, people_of(live.table)) as chosen:
                    await self.ask(live, Begin(self._luck.name(), chosen.server_seed, chosen))
        except (HallError, Unwritten):  # the disk refused; everybody is still ready
            self.timers.at(self.clock.now() + AGAIN_MS, self._choose_again, live)
        finally:
            live.choosing = False

    def _choose_again(self, live: LiveTable) -> None:
        if not self._shut and self.tables.get(live.id) is live and may_begin(live.table):
            self._choose(live)

    # Time -----------------------------------------------------------------------------------------------------------

    def _wind(self, live: LiveTable) -> None:
        """Note what is next due at a table, and set a timer for it unless an earlier one is set."""
        due = live.due = next_due(live.table, self.limits)
        if due is not None and live.table.turn_based:
            due = min(due, self.clock.now() + self.limits.sweep)  # no timer keeps a table in memory for weeks
        if due is not None and (live.alarm is None or due < live.alarm):
            live.alarm = due
            self.timers.at(due, self._ringing, live, due)

    def _ring(self, live: LiveTable, alarm: int) -> None:
        if live.alarm != alarm or self.tables.get(live.id) is not live:
            return
        live.alarm = None
        if live.due is not None and live.due <= self.clock.now():
            self.submit(live, Tick())
        else:
            self._wind(live)

    # Ends -----------------------------------------------------------------------------------------------------------

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start a task and keep a reference until it is done; exceptions are logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        # Failed writes are not logged here: the store logs when they begin and when they are over.
        if task.cancelled() or self._shut or isinstance(task.exception(), Unwritten):
            return
        if task.exception() is not None:
            log.error("a task of the hall failed", exc_info=task.exception())

    async def rest(self) -> None:
        """Wait until nothing is under way, so that only a command or a later time can cause anything."""
        while self._tasks or self._writing:
            await asyncio.wait({*self._tasks, *self._writing})
            await asyncio.sleep(0)  # let those who waited for it continue first

    @property
    def over(self) -> bool:
        """Tell whether the runner has stopped."""
        return self._shut

    async def shut(self) -> None:
        """Stop. Acknowledged commands are stored; clients send the others again."""
        self._shut = True
        self.timers.shut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def new_id() -> str:
    """Return the name of a new game: ten of `a-z0-9`, some 51 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(10))


class Chance:
    """Names and seeds from the system's random source."""

    def name(self) -> str:
        """Return the name of a new game."""
        return new_id()

    def seed(self) -> str:
        """Return the seed of a deal."""
        return secrets.token_bytes(32).hex()
