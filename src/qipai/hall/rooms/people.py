"""People in the hall: their open lines, and the tables where they sit (platform P-5, P-24, P-77)."""

from __future__ import annotations

from msgspec import Struct

from qipai.accounts.model import User
from qipai.core.contract import Seat
from qipai.hall.live import books
from qipai.hall.live.correspondence import Correspondence
from qipai.hall.live.ports import Accounts, Wishes
from qipai.hall.live.runner import TableRunner
from qipai.hall.live.seating import Seating
from qipai.hall.live.small_sets import added, removed
from qipai.hall.live.timers import Clock
from qipai.hall.rooms.session import Session
from qipai.hall.table import messages as wire
from qipai.hall.table import wire_views
from qipai.hall.table.observation import seen
from qipai.hall.table.system_commands import Found, Lost
from qipai.hall.table.terms import State
from qipai.store import Store

__all__ = ["People", "Turn"]


class Turn(Struct, frozen=True):
    """A table where somebody sits. turn: whether they are asked. until: when the time is up.

    turn_based: players have days for each move; then the time may be the opponent's.
    """

    table: int
    game: str
    state: State
    turn: bool
    until: int | None
    seat: Seat
    seats: tuple[wire.RoomSeat, ...]
    turn_based: bool


class People:
    """Knows who is in the hall and who sits where."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        clock: Clock,
        runner: TableRunner,
        seating: Seating,
        correspondence: Correspondence,
        wishes: Wishes,
    ) -> None:
        self._store, self._accounts, self._clock, self._runner = store, accounts, clock, runner
        self._seating, self._correspondence, self._wishes = seating, correspondence, wishes
        self.sessions: dict[Session, None] = {}  # all lines as they came, also those where nobody is signed in
        self._lines: dict[int, tuple[Session, ...]] = {}  # of each user
        self._peak = self._kept_peak = 0  # the most people at once since the start, and the peak that is stored

    # Lines ----------------------------------------------------------------------------------------------------------

    def came(self, user: int, session: Session) -> bool:
        """Add a line of a user; return whether it is their only one."""
        lines = self._lines[user] = added(self._lines.get(user, ()), session)
        self._peak = max(self._peak, len(self._lines))
        return len(lines) == 1

    def went(self, user: int, session: Session) -> bool:
        """Remove a line of a user; return whether it was their last."""
        if lines := removed(self._lines[user], session):
            self._lines[user] = lines
            return False
        del self._lines[user]
        return True

    def here(self, user: int) -> bool:
        """Tell whether a user has a line into the hall."""
        return user in self._lines

    @property
    def count(self) -> int:
        """Return how many people have a line into the hall."""
        return len(self._lines)

    def shown(self, user: int | None) -> wire.User | None:
        """Return a user as others see them, None: not known."""
        return None if user is None else self._accounts.peek(user)

    def lines(self, user: int) -> tuple[Session, ...]:
        """Return a user's sessions."""
        return self._lines.get(user, ())

    def all_lines(self) -> list[Session]:
        """Return everybody's sessions."""
        return [session for lines in self._lines.values() for session in lines]

    def online(self) -> list[User]:
        """Return who has a line into the hall."""
        return [lines[0].user for lines in self._lines.values()]  # type: ignore[misc]

    def unlisted(self, user: int) -> bool:
        """Tell whether somebody hides that they are online (P-5)."""
        return self._wishes.unlisted(user)

    def tells(self, user: int, to: int | None) -> bool:
        """Tell whether another user may learn that a user is here, and at which table (P-5)."""
        return user == to or not self.unlisted(user)

    async def keep_peak(self) -> None:
        """Store how many people were here at once, if it is a new maximum."""
        if (count := self._peak) > self._kept_peak:
            await self._store.transaction(lambda db: books.keep_peak(db, count, self._clock.now() // 1000))
            self._kept_peak = count

    # Seats ----------------------------------------------------------------------------------------------------------

    def tables_of(self, user: User | None) -> tuple[int, ...]:
        """Return the tables where a user sits."""
        return () if user is None else self.seated(user.id)

    def seated(self, user: int) -> tuple[int, ...]:
        """Return the tables where a user sits."""
        return tuple(sorted({*self._seating.awake(user), *self._correspondence.asleep(user)}))

    def awake(self, user: int) -> tuple[int, ...]:
        """Return the tables in memory where a user sits."""
        return self._seating.awake(user)

    def at(self, user: User) -> tuple[int, ...]:
        """Return the tables where a user is: of their turn-based games only those that they look at."""
        looks = {table for session in self.lines(user.id) for table in session.tables}
        return tuple(id for id in self.awake(user.id) if id in looks or self._correspondence.find(id) is None)

    def at_table(self, user: int, id: int, command: Lost | Found) -> None:
        """Tell a table where a user sits that they have come or gone."""
        if live := self._runner.tables.get(id):  # a table that is not in memory asks who is there when it is loaded
            self._runner.submit(live, command)

    async def turns(self, user: User) -> list[Turn]:
        """Return where a user sits."""
        found: list[Turn] = []
        days = self._correspondence.of(user.id)
        for id in sorted({*days, *self.awake(user.id)}):
            if (slow := days.get(id)) is not None:  # no need to load it
                await self._accounts.meet(each for each in slow.users if each is not None)
                mine = slow.users.index(user.id) if user.id in slow.users else 0
                people = tuple(
                    wire.RoomSeat(at, wire_views.user_on_wire(each, self._accounts.peek), slow.bots[at])
                    for at, each in enumerate(slow.users)
                )
                found.append(Turn(id, slow.game, slow.state, mine in slow.asked, slow.until, mine, people, True))
                continue
            live = await self._runner.cache.find(id)
            seat = None if live is None else live.table.seat_of(user.id)
            if live is None or seat is None:
                continue
            table, turn, until = live.table, False, None
            if table.playing and table.deal is not None and table.deal.asks[seat] is not None:
                ask = seen(table, seat).ask
                turn, until = ask is not None, None if ask is None else ask[2]
            people = tuple(
                wire.RoomSeat(at, wire_views.user_on_wire(chair.user, self._accounts.peek), chair.bot)
                for at, chair in enumerate(table.players)
            )
            found.append(Turn(id, table.setting.game, table.state, turn, until, seat, people, False))
        return found
