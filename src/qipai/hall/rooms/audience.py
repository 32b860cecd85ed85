"""Who watches which table: joining, leaving, and the snapshots sent (platform P-16, P-111)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from qipai.accounts.model import User, Window
from qipai.config import Limits
from qipai.core.contract import Seat
from qipai.hall.live.catch_up import CatchUp
from qipai.hall.live.live_table import Accepted, Answer, LiveTable
from qipai.hall.live.ports import Accounts
from qipai.hall.live.recovery import Said, number_of
from qipai.hall.live.runner import TableRunner
from qipai.hall.live.small_sets import added
from qipai.hall.live.timers import Clock
from qipai.hall.rooms.finder import Finder
from qipai.hall.rooms.people import People
from qipai.hall.rooms.session import Session
from qipai.hall.rooms.talk import Talk
from qipai.hall.table import commands, seats, wire_views
from qipai.hall.table import messages as wire
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Table
from qipai.hall.table.wire_views import channel_name
from qipai.social.circles import Circles
from qipai.social.ties import Ties
from qipai.store import Store

__all__ = ["Audience"]


async def _alone() -> None:
    """A hall on one node."""


class Audience:
    """Connects sessions to the channels of tables."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        clock: Clock,
        runner: TableRunner,
        finder: Finder,
        people: People,
        talk: Talk,
        circles: Circles,
        ties: Ties,
        limits: Limits,
        changed: Callable[[LiveTable], None],
    ) -> None:
        """changed: called when somebody comes to a table or leaves it."""
        self._accounts, self._clock, self._runner, self._finder = accounts, clock, runner, finder
        self._people, self._talk, self._circles, self._ties, self._changed = people, talk, circles, ties, changed
        self.catch_up = CatchUp(store, clock)
        self._wrong = Window(limits.password_tries, limits.password_tries_s)  # passwords of tables, by person
        self._wrong_from = Window(limits.password_tries_address, limits.password_tries_s)  # by address
        self.leads: Callable[[], Awaitable[None]] = _alone  # returns once it is sure that no other node has led

    async def join(self, session: Session, join: commands.Join) -> None:
        """Let a session listen to a table, and show it what it missed."""
        live = await self._finder.find(join.table)
        if live is None or live.table.state == "closed":
            raise HallError("NO_SUCH_TABLE")
        if join.key is not None:
            self.tried(live.table, session.user_id, join.key, session.address)
        self._may_see(live.table, session.user_id, join.key or session.keys.get(live.id), join.look)
        if join.key is not None:
            session.hold_key(live.id, join.key)
        live = await self.with_talk(live)
        if session not in self._people.sessions:
            return  # the line was lost meanwhile
        if join.look is not None:
            self._look(session, live, join.look)
            return
        found = None
        if join.ch is not None and join.after is not None:
            if self._ahead(live.table, session.user_id, join.ch, join.after):
                # Another node has led, perhaps, and this one has stood still and does not know.
                await self.leads()
            found = await self.catch_up.missed(live, session.user_id, join.ch, join.after)
            if session not in self._people.sessions:
                return
            if self._runner.tables.get(live.id) is not live:  # it was dropped or closed while the log was read
                raise HallError("NO_SUCH_TABLE")
        self._listen(session, live)
        self.show(session, live.id, found)

    def _ahead(self, table: Table, user: int | None, ch: str, after: int) -> bool:
        """Tell whether somebody has heard more of their channel than this hall knows."""
        channel = table.seat_of(user)
        return ch == channel_name(table, channel) and after > number_of(table, user)

    async def with_talk(self, live: LiveTable) -> LiveTable:
        """Return the table after its chat was loaded."""
        await self._talk.open_table(live.id)
        found = self._runner.tables.get(live.id)
        if found is None:  # it was dropped or closed while the database was read
            raise HallError("NO_SUCH_TABLE")
        return found

    def tried(self, table: Table, user: int | None, key: str, address: str | None) -> None:
        """Check a password or link; raises HallError for a wrong one, and for any attempt after too many."""
        if table.key is None or (user is not None and (table.owner == user or table.seat_of(user) is not None)):
            return
        now = self._clock.now() / 1000
        counts: list[tuple[Window, int | str]] = [(self._wrong, address or "here" if user is None else user)]
        if address is not None:
            counts.append((self._wrong_from, address))
        for window, who in counts:
            if wait := window.wait(who, now):
                raise HallError("RATE_LIMIT", wait_ms=round(1000 * wait))
        try:
            seats.may_enter(table, user, key)
        except HallError:
            for window, who in counts:
                window.add(who, now)
            raise

    async def sees(self, table: int, user: int) -> bool:
        """Tell whether somebody may come to a table without a key: to sit down, or to watch."""
        live = await self._finder.find(table)
        if live is None or live.table.state == "closed":
            return False
        try:
            self._may_see(live.table, user, None)
        except HallError:
            return False
        return True

    def _may_see(self, table: Table, user: int | None, key: str | None, look: commands.Look | None = None) -> None:
        seated = user is not None and table.seat_of(user) is not None
        if seated and look is None:
            return
        terms = table.terms
        among = self._circles.admits(terms.group, user)
        named = look == "shoulder" and _over(table, user) is not None
        if not (named or (terms.private and among)):
            seats.may_enter(table, user, key)
        _not_shared(table)
        # What stands on a screen is seen by whoever passes: its owner may not watch there either.
        mine = table.owner == user and not table.setting.duplicate and look is None
        if terms.group is not None and terms.group_watch and not mine and not among:
            raise HallError("WATCH_FORBIDDEN", case="group")
        if not table.terms.watchers and not mine and all(chair.taken for chair in table.players):
            raise HallError("WATCH_FORBIDDEN")

    async def may_look_over(self, table: Table, player: int, other: int) -> None:
        """Raise HallError if a player may not name somebody who looks over their shoulder (P-115)."""
        found = await self._accounts.find(other)
        if found is None:
            raise HallError("NOT_FOUND")
        if found.kind == "bot" or self._ties.apart(player, other):
            raise HallError("NOT_ALLOWED", case="shoulder")
        if table.terms.group_watch and not self._circles.admits(table.terms.group, other):
            raise HallError("WATCH_FORBIDDEN", case="group")

    def _look(self, session: Session, live: LiveTable, look: commands.Look) -> None:
        """Let a session look on beside the channels of a table: on a big screen, or over a shoulder."""
        over = None
        if look == "shoulder" and (over := _over(live.table, session.user_id)) is None:
            raise HallError("WATCH_FORBIDDEN", case="shoulder")
        before = live.watchers(), live.here()
        live.look(session, over)
        live.last_used = self._clock.now()
        session.tables = added(session.tables, live.id)
        self._runner.thinking.think(live)
        if (live.watchers(), live.here()) != before:
            self._count(live, session)
        self.show(session, live.id)

    def _listen(self, session: Session, live: LiveTable) -> Seat | None:
        """Add a session to its channel of a table."""
        channel = live.table.seat_of(session.user_id)
        before = live.watchers(), live.here()
        live.forget(session)
        live.listeners[session] = channel
        live.last_used = self._clock.now()
        session.tables = added(session.tables, live.id)
        self._runner.thinking.think(live)  # bots do not play while nobody is there
        if (live.watchers(), live.here()) != before:
            self._count(live, session)
        return channel

    def leave(self, session: Session, id: int) -> None:
        """Remove a session from a table."""
        session.left(id)
        live = self._runner.tables.get(id)
        if live is None:
            return
        before = live.watchers(), live.here()
        if live.forget(session):
            live.last_used = live.left_at = self._clock.now()
            if (live.watchers(), live.here()) != before:
                self._count(live, None)

    def _count(self, live: LiveTable, but: Session | None) -> None:
        """Tell how many watch."""
        self._runner.showing.counted(live, but)
        self._changed(live)

    def show(self, session: Session, id: int, found: Sequence[tuple[int, Said]] | None = None) -> None:
        """Send a session the snapshot of a table. found: what it has missed; None: that cannot be told."""
        live = self._runner.tables[id]
        if session in live.looks:
            over = live.looks[session]
            session.say(wire_views.beside(self.snapshot(live, over), live.table, over))
            return
        channel, missed = live.listeners.get(session), None
        if found is not None:
            who = self._accounts.peek
            missed = [wire.Missed(seq, wire_views.told_on_wire(said.told, channel, who)) for seq, said in found]
        session.say(self.snapshot(live, channel, session.user_id, missed))

    def snapshot(
        self,
        live: LiveTable,
        channel: Seat | None,
        user: int | None = None,
        missed: Sequence[wire.Missed] | None = None,
    ) -> wire.Snapshot:
        """Return a table as a channel sees it."""
        return wire_views.snapshot(
            live.table,
            channel,
            self._runner.showing.look(live, channel),
            self._clock.now(),
            who=self._accounts.peek,
            watchers=live.watchers(),
            here=live.here(),
            chat=self._talk.of_table(live, channel),
            missed=missed,
            owner=user is not None and live.table.owner == user,
        )

    async def watch(
        self, id: int, key: str | None = None, user: User | None = None, address: str | None = None
    ) -> wire.Snapshot:
        """Return a table as watchers see it (`GET /tables/<id>`)."""
        live = await self._finder.find(id)
        if live is None or live.table.state == "closed":
            raise HallError("NO_SUCH_TABLE")
        if key is not None:
            self.tried(live.table, None if user is None else user.id, key, address)
        self._may_see(live.table, None if user is None else user.id, key)
        _not_shared(live.table)  # nor may its players see more than their own seats
        return self.snapshot(await self.with_talk(live), None)

    def shut_out(self, live: LiveTable) -> None:
        """Remove watchers who may no longer watch: the table allows none, and all seats are taken (P-16)."""
        watching = {one for one, channel in live.listeners.items() if channel is None} | live.looks.keys()
        for session in [one for one in self._people.sessions if one in watching]:
            look: commands.Look | None = None
            if session in live.looks:
                look = "screen" if live.looks[session] is None else "shoulder"
            try:
                self._may_see(live.table, session.user_id, session.keys.get(live.id), look)
            except HallError:
                self.leave(session, live.id)
                session.say(wire.Rejoin(live.id))

    def seated(self, session: Session, live: LiveTable, answer: Answer, found: Accepted | HallError) -> None:
        """Answer `sit`: the person has joined the table, and gets its snapshot before the `ack`."""
        if isinstance(found, Accepted) and session in self._people.sessions and session not in live.listeners:
            self._listen(session, live)
            self.show(session, live.id)
        answer(found)


def _over(table: Table, user: int | None) -> Seat | None:
    """Return the seat over whose shoulder a user may look, None: over nobody's."""
    if user is None or table.setting.kind != "friendly":
        return None
    return next((seat for seat, chair in enumerate(table.chairs) if chair.shoulder == user), None)


def _not_shared(table: Table) -> None:
    """Raise HallError at a table of a shared deal: whoever has not played it must not see it (P-94)."""
    if table.closed_to_others:
        raise HallError("WATCH_FORBIDDEN")
