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
    """A table where somebody sits. turn: they are asked; until: when the time is up.

    turn_based: days are given for a move; then the time may be another's.
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
    """Those who are here, and those who sit."""

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
        self.sessions: set[Session] = set()  # all lines, also those of nobody in particular
        self._lines: dict[int, tuple[Session, ...]] = {}  # of each user
        self._peak = self._kept_peak = 0  # the most who were here at once since the start, and of those what is noted

    # Lines ----------------------------------------------------------------------------------------------------------

    def came(self, user: int, session: Session) -> bool:
        """Note a line of a user; tell whether it is the only one they have."""
        lines = self._lines[user] = added(self._lines.get(user, ()), session)
        self._peak = max(self._peak, len(self._lines))
        return len(lines) == 1

    def went(self, user: int, session: Session) -> bool:
        """Forget a line of a user who is here; tell whether they have no other."""
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
        """Tell whether another may learn that a user is here, and at which table (P-5)."""
        return user == to or not self.unlisted(user)

    async def keep_peak(self) -> None:
        """Note how many have been here at once, when there were never so many."""
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
        """Return those of the tables where a user sits that do not sleep."""
        return self._seating.awake(user)

    def at(self, user: User) -> tuple[int, ...]:
        """Return the tables where a user is: of their turn-based games only those that they look at."""
        looks = {table for session in self.lines(user.id) for table in session.tables}
        return tuple(id for id in self.awake(user.id) if id in looks or self._correspondence.find(id) is None)

    def at_table(self, user: int, id: int, command: Lost | Found) -> None:
        """Tell a table where a user sits that he has come or gone."""
        if live := self._runner.tables.get(id):  # one that is not awake yet asks who is there when it wakes
            self._runner.submit(live, command)

    async def turns(self, user: User) -> list[Turn]:
        """Return where a user sits."""
        found: list[Turn] = []
        days = self._correspondence.of(user.id)
        for id in sorted({*days, *self.awake(user.id)}):
            if (slow := days.get(id)) is not None:  # it sleeps on
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
