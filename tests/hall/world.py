"""A whole hall for tests: a real table runner on a real SQLite file, a jumping clock, people with their own lines."""

from __future__ import annotations

import asyncio
import hashlib
import heapq
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from tests.neighbour import Neighbour
from tests.stores import store_at

from qipai import games
from qipai.accounts.model import User
from qipai.arena.pool import Chosen
from qipai.config import Config
from qipai.contests import books as contest_books
from qipai.contests.contract import Contest
from qipai.contests.live import Contests
from qipai.hall import hall as hall_service
from qipai.hall.hall import Hall
from qipai.hall.live import books
from qipai.hall.live.addresses import Origin
from qipai.hall.live.afar import Distant
from qipai.hall.live.last_rows import WHOLE, Rows, last_rows, rows_since
from qipai.hall.live.placing import Lines, Placing
from qipai.hall.live.ports import NoWishes
from qipai.hall.live.recovery import Loaded, load
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.ledger import service as ledger_service
from qipai.moderation import service as moderation_service
from qipai.social import chat

START = 1_790_000_000_000


def run(test: Coroutine[Any, Any, Any]) -> None:
    """Run a test's coroutine; what it has started ends with it."""
    asyncio.run(test)


class Jumping:
    """A clock that stands still until it is told to jump."""

    def __init__(self, now: int = START) -> None:
        self.time = now
        self._calls: list[tuple[int, int, list[Callable[[], None]]]] = []
        self._order = count()

    def now(self) -> int:
        return self.time

    def call_at(self, when: int, call: Callable[[], None]) -> Callable[[], None]:
        held = [call]
        heapq.heappush(self._calls, (when, next(self._order), held))
        return held.clear

    def next(self) -> int | None:
        """Return when something is due next."""
        while self._calls and not self._calls[0][2]:
            heapq.heappop(self._calls)
        return self._calls[0][0] if self._calls else None

    def ring(self) -> None:
        """Make the next call, at its time."""
        when, _, held = heapq.heappop(self._calls)
        self.time = max(self.time, when)
        for call in held:
            call()


class Names:
    """Accounts without a book: whoever is asked for is there."""

    def __init__(self) -> None:
        self.users: dict[int, User] = {}

    def add(self, id: int, name: str, kind: Any = "user") -> User:
        user = self.users[id] = User(id, name, kind)
        return user

    def came(self, id: int, now: int) -> None:
        """Nobody asks here for how long."""

    def went(self, id: int, now: int) -> None:
        """Nor now."""

    def peek(self, id: int) -> User | None:
        return self.users.get(id)

    async def find(self, id: int) -> User | None:
        return self.users.get(id)

    async def meet(self, ids: Iterable[int]) -> None:
        """All are here."""


class Inline:
    """Bots that think at once."""

    def __init__(self) -> None:
        self.asked = 0
        self.below = False  # are their answers below the level that is shown?

    def prepare(self, game: str) -> None:
        pass

    async def choose(
        self,
        game: str,
        options: dict[str, Any],
        level: str,
        view: bytes,
        *,
        seed: int,
        budget_ms: int,
        patience_ms: int | None = None,
        fits: Callable[[bytes], bool] | None = None,
    ) -> Chosen:
        self.asked += 1
        entry = games.find(game)
        bot = entry.bots["easy"](msgspec.convert(options, entry.options), seed=seed)
        action = bot.choose(msgspec.json.decode(view, type=entry.view), 50)
        found = msgspec.json.encode(action)
        assert fits is None or (fits(found) and not fits(b'{"a":"no such action"}'))
        return Chosen(found, self.below)


class Wishes(NoWishes):
    """Of people some of whom have automatic vacation on, hide that they are online, or are minors."""

    def __init__(self, loss: int) -> None:
        super().__init__(loss)
        self.resting: set[int] = set()
        self.hiding: set[int] = set()
        self.minors: set[int] = set()

    def unlisted(self, user: int) -> bool:
        return user in self.hiding

    async def rests(self, user: int) -> bool:
        return user in self.resting

    async def minor(self, user: int) -> bool:
        return user in self.minors


class Repeated:
    """The same games every time."""

    def __init__(self) -> None:
        self.seeds, self.ids = count(1), count(1)

    def name(self) -> str:
        return f"game{next(self.ids):06}"

    def seed(self) -> str:
        return hashlib.sha256(b"seed %d" % next(self.seeds)).hexdigest()


class Elsewhere(Placing):
    """Lets another node show each table of which it carries lines."""

    def choose(self, table: int, able: Iterable[Distant], by: Distant | None, lines: Lines, now: int) -> Distant | None:
        """Return that node."""
        return by or next(iter(able))


class World:
    """A hall and who is in it."""

    def __init__(
        self,
        path: Path,
        clock: Jumping,
        names: Names,
        config: Config,
        places: list[Room] | None,
        kinds: Sequence[Contest[Any]] = (),
        luck: Repeated | None = None,
    ) -> None:
        self.path, self.clock, self.names, self.config = path, clock, names, config
        self.store = store_at(
            path,
            [
                hall_service.script(),
                ledger_service.script(),
                moderation_service.script(),
                chat.script(),
                contest_books.script(),
            ],
        )
        self.thinker = Inline()
        self.neighbour: Neighbour | None = None  # the node that carries the lines of whoever comes from now on
        self.dead = False
        self.wrong: list[AssertionError] = []  # what lines were told that they should not have been
        self.people: dict[int, Person] = {}  # by user, each with his newest line
        self.wishes, self.luck = Wishes(config.coins.daily_loss), luck or Repeated()
        self.hall = Hall(
            self.store, names, config, clock, self.thinker, places=places, wishes=self.wishes, luck=self.luck
        )
        hall = self.hall
        self.contests = Contests(
            self.store,
            clock,
            names,
            hall.creation,
            hall.runner.cache,
            hall.notes,
            hall.ledger,
            hall.shared_deals,
            hall.contest_tables,
            kinds,
        )

    def beside(self) -> Neighbour:
        """Return another node, which carries the lines of whoever comes from now on."""

        async def rows(table: int, known: Loaded | None) -> Rows:
            return await self.store.read(partial(rows_since, table=table, known=known))

        self.neighbour = Neighbour(rows, self.hall.runner.spawn)
        self.hall.runner.showing.placing, self.hall.runner.showing.nodes = Elsewhere(), {self.neighbour}
        return self.neighbour

    async def person(
        self,
        id: int,
        name: str = "",
        kind: Any = "user",
        *,
        moderator: bool = False,
        program: bool = False,
        origin: Origin | None = None,
    ) -> Person:
        """Return somebody with a new line into the hall; program: it has come with his token."""
        user = self.names.users.get(id) or self.names.add(id, name or f"p{id}", kind)
        person = self.people[id] = Person(self, user, moderator=moderator, program=program, origin=origin)
        await self.rest()
        return person

    async def stranger(self) -> Person:
        """Return a line of nobody in particular."""
        return Person(self, None)

    async def rest(self) -> None:
        """Let everything happen that needs no later time."""
        await asyncio.sleep(0)
        await self.hall.runner.rest()
        if self.contests.kinds:
            await self.contests.rest()
            await self.hall.runner.rest()

    async def jump(self, ms: int) -> None:
        """Let time pass; what is due happens at its time, in order."""
        then = self.clock.time + ms
        await self.rest()
        while (due := self.clock.next()) is not None and due <= then:
            self.clock.ring()
            await self.rest()
            await self.contests.sweep()
        self.clock.time = then
        await self.contests.sweep()
        await self.rest()

    def table(self, id: int) -> Any:
        """Return the live table."""
        return self.hall.runner.tables[id].table

    async def check(self) -> None:
        """Assert that every live table is its log, folded: state, numbers, and what was told."""
        for id, live in self.hall.runner.tables.items():
            rows = await self.store.read(partial(books.table_rows, table=id))
            if rows:
                found = load(id, rows)
                for told in (0, len(rows)):  # as many rows at once as can be, or one after the other
                    assert load(id, rows, told).table == found.table
                for whole in (0, WHOLE):
                    some = await self.store.read(partial(last_rows, table=id, whole=whole))
                    least = some.load(id)
                    assert (least.table, least.last) == (found.table, found.last)
                    assert found.said[len(found.said) - len(least.said) :] == least.said
                    assert least.cids.items() <= found.cids.items()
                    assert (least.users, least.deal) == (found.users, found.deal)
                # As it was some rows ago, and what came since.
                was = load(id, rows[: max(1, len(rows) - (0, 1, 7, 60)[len(rows) % 4])])
                again = (await self.store.read(partial(rows_since, table=id, known=was))).load(id)
                assert (again.table, again.last, again.cids) == (found.table, found.last, found.cids)
                assert (again.users, again.deal) == (found.users, found.deal)
                assert found.said == again.said[-len(found.said) :]
                now, then = live.table.lasting(), found.table.lasting()
                assert trail_of(now) == trail_of(then)
                assert replace(now, deal=untrailed(now)) == replace(then, deal=untrailed(then))
                said = list(live.said)[-len(found.said) :]
                assert list(found.said)[-len(said) :] == said
                assert all(live.cids[key] == seqs for key, seqs in found.cids.items() if key in live.cids)

    async def stop(self) -> None:
        """Let the hall go down in good order."""
        await self.contests.shut()
        await self.hall.shut()
        await self.store.close()

    async def kill(self) -> None:
        """Let the process die: nothing of the hall is told; the file stays as the last commit left it."""
        self.dead = True
        await self.contests.shut()
        runner = self.hall.runner
        runner._shut = True
        for task in list(runner._tasks):
            task.cancel()
        await asyncio.gather(*runner._tasks, return_exceptions=True)
        await self.store.close()


class Person:
    """Somebody's line, and all that came over it."""

    def __init__(
        self,
        world: World,
        user: User | None,
        *,
        moderator: bool = False,
        program: bool = False,
        origin: Origin | None = None,
    ) -> None:
        self.world = world
        self.user: Any = user  # None for a stranger
        self.raw: list[bytes] = []
        self.got: list[Any] = []
        self.read = 0
        self.closed: int | None = None
        self._cids = count(1)
        self.shown: dict[int, Any] = {}  # what a client would draw: the snapshot, with every ev laid over it
        self.far = None if world.neighbour is None else world.neighbour.carry(self.send)
        self.session = world.hall.attendance.attach(self, user, moderator=moderator, person=not program, origin=origin)
        world.hall.notes.welcomed(self.session)

    # The connection.

    def send(self, data: bytes) -> None:
        try:
            self._take(data)
        except AssertionError as wrong:  # the hall lets go of a line that fails, and goes on
            self.world.wrong.append(wrong)
            raise

    def _take(self, data: bytes) -> None:
        message = msgspec.json.decode(data)
        self.raw.append(data)
        self.got.append(message)
        if message["t"] == "snapshot":
            self.shown[message["table"]] = message
        elif message["t"] == "ev":
            shown = self.shown[message["table"]]
            assert message["ch"] == shown["ch"], "an ev of another channel"
            assert message["seq"] == shown["seq"] + 1, "a gap in a channel"
            shown.update({key: value for key, value in message.items() if key not in ("t", "told")})

    def close(self, code: int) -> None:
        self.closed = code

    # What a client does.

    def cid(self) -> str:
        assert self.user is not None
        return f"c{self.user.id}-{id(self) % 9973}-{next(self._cids)}"

    async def say(self, command: Any) -> Any:
        """Send a message, let all happen that follows, and return what answered it: ack, err, None."""
        start = len(self.got)
        try:
            await self.world.hall.dispatch.handle(self.session, command)
        except HallError as wrong:
            cid = getattr(command, "cid", None)
            self.got.append({"t": "err", "cid": cid, "code": wrong.code, "facts": wrong.facts})
        await self.world.rest()
        cid = getattr(command, "cid", None)
        answers = [m for m in self.got[start:] if m["t"] in ("ack", "err") and m["cid"] == cid]
        assert len(answers) == (0 if cid is None else 1) or cid is None, answers
        return answers[0] if answers else None

    async def done(self, command: Any) -> Any:
        """Send a command that must be accepted."""
        answer = await self.say(command)
        assert answer is not None, command
        assert answer["t"] == "ack", answer
        return answer

    async def refused(self, command: Any) -> str:
        """Send a message that must be refused; return the code."""
        answer = await self.say(command)
        assert answer is not None, command
        assert answer["t"] == "err", answer
        return str(answer["code"])

    async def join(self, table: int, **more: Any) -> Any:
        """Go to a table and return the snapshot."""
        await self.say(commands.Join(table, **more))
        return self.shown.get(table)

    async def sit(self, table: int, seat: int) -> Any:
        return await self.done(commands.Sit(self.cid(), table, seat))

    async def ready(self, table: int, on: bool = True) -> Any:
        return await self.done(commands.Ready(self.cid(), table, on))

    async def fill(self, table: int, seat: int, level: Any = "easy") -> Any:
        return await self.done(commands.Fill(self.cid(), table, seat, level))

    async def act(self, table: int, action: Any, ask: int | None = None) -> Any:
        return await self.done(commands.Act(self.cid(), table, action, ask))

    async def seed(self, table: int, text: str) -> None:
        await self.say(commands.Seed(table, self.shown[table]["game"]["game_id"], text))

    async def hang_up(self) -> None:
        """Lose the line."""
        self.world.hall.attendance.detach(self.session)
        await self.world.rest()

    def told(self, table: int) -> list[Any]:
        """Return everything a table has told, in order."""
        return [each for m in self.got if m["t"] == "ev" and m["table"] == table for each in m["told"]]

    def of(self, kind: str) -> list[Any]:
        return [message for message in self.got if message["t"] == kind]

    def stood(self) -> list[Any]:
        """Return why the hall has stood this person up, each time it did."""
        return [note["facts"] for note in self.of("note") if note["kind"] == "stood"]


@asynccontextmanager
async def world(
    tmp_path: Path,
    *places: Room,
    config: Config | None = None,
    clock: Jumping | None = None,
    names: Names | None = None,
    kinds: Sequence[Contest[Any]] = (),
    luck: Repeated | None = None,
) -> AsyncIterator[World]:
    """Open a hall on a file; open it again there and it goes on."""
    found = World(
        tmp_path / "hall.sqlite",
        clock or Jumping(),
        names or Names(),
        config or quick(),
        list(places) or [Room(1, "gouji", "friendly"), Room(2, "gouji", "score"), Room(3, "xiangqi", "friendly")],
        kinds,
        luck,
    )
    await found.store.open()
    try:
        await found.hall.open()
        await found.contests.open()
        await found.contests.sweep(again=True)
        await found.rest()
    except BaseException:  # there is no hall: somebody else may open one there
        await found.store.close()
        raise
    try:
        yield found
        if not found.dead:
            await found.rest()
            await found.check()
            assert not found.wrong
    finally:
        await found.stop()


def trail_of(table: Any) -> list[Any]:
    """Return what was done in a table's deal; a long chain is not compared at once."""
    found = []
    node = table.deal and table.deal.history
    while node is not None:
        found.append((node.row, node.seat, node.action, node.ply))
        node = node.before
    return found


def untrailed(table: Any) -> Any:
    return table.deal and replace(table.deal, history=None)


def quick(**changes: Any) -> Config:
    """Return the hall's numbers, with bots that do not pause."""
    return msgspec.convert({"bots": {"pace_ms": 0}, **changes}, Config)
