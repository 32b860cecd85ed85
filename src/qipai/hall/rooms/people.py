"""Who has a line into the hall, and at which tables everybody sits (platform P-5, P-24, P-77)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from qipai.accounts.model import User
from qipai.core.contract import Seat
from qipai.hall.live import books
from qipai.hall.live.session import Session
from qipai.hall.live.small_sets import added, removed
from qipai.hall.table import messages as wire
from qipai.hall.table import wire_views
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Table
from qipai.hall.table.observation import seen

if TYPE_CHECKING:
    from qipai.hall.hall import Hall

__all__ = ["People"]


class People:
    """Those who are here, and those who sit."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._lines: dict[int, tuple[Session, ...]] = {}  # of each user
        self._peak = self._kept_peak = 0  # the most who were here at once since the start, and of those what is noted
        self._sits: dict[int, tuple[int, ...]] = {}  # user -> tables that are awake, or are being woken at the start
        self.unlisted: Callable[[int], bool] = lambda user: False  # who hides that he is online (P-5)

    # Lines ----------------------------------------------------------------------------------------------------------

    def came(self, user: int, session: Session) -> bool:
        """Note a line of a user; tell whether it is the only one he has."""
        lines = self._lines[user] = added(self._lines.get(user, ()), session)
        self._peak = max(self._peak, len(self._lines))
        return len(lines) == 1

    def went(self, user: int, session: Session) -> bool:
        """Forget a line of a user who is here; tell whether he has no other."""
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

    def tells(self, user: int, to: int | None) -> bool:
        """Tell whether another may learn that a user is here, and at which table (P-5)."""
        return user == to or not self.unlisted(user)

    async def keep_peak(self) -> None:
        """Note how many have been here at once, when there were never so many."""
        if (count := self._peak) > self._kept_peak:
            await self._hall.store.transaction(lambda db: books.keep_peak(db, count, self._hall.clock.now() // 1000))
            self._kept_peak = count

    # Seats ----------------------------------------------------------------------------------------------------------

    def sat(self, user: int, table: int) -> None:
        """Note that a user sits at a table."""
        self._sits[user] = added(self._sits.get(user, ()), table)

    def reseated(self, before: Table, after: Table) -> None:
        """Note who has sat down at a table, and who sits there no more."""
        old = {chair.user for chair in before.chairs if chair.presence != "left"}
        new = {chair.user for chair in after.chairs if chair.presence != "left"}
        for user in new - old:
            if user is not None:
                self.sat(user, after.id)
        for user in old - new:
            self.rose(user, after.id)

    def may_sit_more(self, user: int, most: int) -> None:
        """Raise HallError where somebody sits at so many live tables; turn-based ones have a limit of their own."""
        desks = self._hall.umpire.desks
        live = [id for id in self._sits.get(user, ()) if id in desks and not desks[id].table.turn_based]
        if len(live) >= most:
            raise HallError("LIMIT_REACHED", case="seats", most=most)

    def rose(self, user: int | None, table: int) -> None:
        """Note that a user sits at a table no more, or that it sleeps."""
        if user is not None and user in self._sits:
            if tables := removed(self._sits[user], table):
                self._sits[user] = tables
            else:
                del self._sits[user]

    def tables_of(self, user: User | None) -> tuple[int, ...]:
        """Return the tables where a user sits."""
        return () if user is None else self.seated(user.id)

    def seated(self, user: int) -> tuple[int, ...]:
        """Return the tables where a user sits."""
        return tuple(sorted({*self._sits.get(user, ()), *self._hall.days.asleep(user)}))

    def awake(self, user: int) -> tuple[int, ...]:
        """Return those of the tables where a user sits that do not sleep."""
        return tuple(sorted(self._sits.get(user, ())))

    def at(self, user: User) -> tuple[int, ...]:
        """Return the tables where a user is: of his turn-based games only those that he looks at."""
        looks = {table for session in self.lines(user.id) for table in session.tables}
        return tuple(id for id in self.awake(user.id) if id in looks or self._hall.days.find(id) is None)

    def at_table(self, user: int, id: int, command: Any) -> None:
        """Tell a table where a user sits that he has come or gone."""
        if desk := self._hall.umpire.desks.get(id):  # one that is not awake yet asks who is there when it wakes
            self._hall.umpire.submit(desk, command)

    async def turns(self, user: User) -> list[tuple[int, str, str, bool, int | None, Seat, tuple[Any, ...], bool]]:
        """Return where a user sits: table, game, state, is he asked, when the time is up, his seat, everybody's.

        The last of each: it is turn-based; then the time may be another's.
        """
        found: list[tuple[int, str, str, bool, int | None, Seat, tuple[Any, ...], bool]] = []
        days = self._hall.days.of(user.id)
        for id in sorted({*days, *self.awake(user.id)}):
            if (slow := days.get(id)) is not None:  # it sleeps on
                await self._hall.know(each for each in slow.users if each is not None)
                mine = slow.users.index(user.id) if user.id in slow.users else 0
                people = tuple(
                    wire.RoomSeat(at, wire_views.user_on_wire(each, self._hall.accounts.peek), slow.bots[at])
                    for at, each in enumerate(slow.users)
                )
                found.append((id, slow.game, slow.state, mine in slow.asked, slow.until, mine, people, True))
                continue
            desk = await self._hall.umpire.awake.desk(id)
            seat = None if desk is None else desk.table.seat_of(user.id)
            if desk is None or seat is None:
                continue
            table, turn, until = desk.table, False, None
            if table.playing and table.deal is not None and table.deal.asks[seat] is not None:
                ask = seen(table, seat)[1]
                turn, until = ask is not None, None if ask is None else ask[2]
            people = tuple(
                wire.RoomSeat(at, wire_views.user_on_wire(chair.user, self._hall.accounts.peek), chair.bot)
                for at, chair in enumerate(table.players)
            )
            found.append((id, table.setting.game, table.state, turn, until, seat, people, False))
        return found
