"""Turn-based tables that are not in memory (platform P-24): a summary of each, and when it must be loaded. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from qipai.core.contract import Seat
from qipai.hall.table.deal import limit
from qipai.hall.table.model import State, Table, TableLimits

__all__ = ["Outage", "Sleeping", "asleep", "decode", "later", "lost", "overdue", "slow"]

Outage = tuple[int, int]  # from, until; ms since 1970


class Sleeping(Struct, frozen=True, omit_defaults=True):
    """The summary of a turn-based table that is not in memory ("asleep"). Times are ms since 1970."""

    room: int
    no: int
    made: bool
    game: str
    kind: str
    variant: str | None
    private: bool
    state: State
    users: tuple[int | None, ...]  # at the seats
    bots: tuple[str | None, ...]
    options: dict[str, object]
    at: int  # of the last event
    asked: tuple[Seat, ...] = ()
    run: tuple[Seat, ...] = ()  # whose clock runs
    until: int | None = None  # of the clock that runs
    soon: int | None = None  # when something is due, in the deal or beside it
    idle: int | None = None  # since when nothing has happened there

    def due(self, limits: TableLimits) -> int | None:
        """Return when the table must be in memory."""
        waits = None if self.idle is None else self.idle + limits.waits
        return min((when for when in (self.soon, waits) if when is not None), default=None)


def slow(table: Table, at: int) -> Sleeping | None:
    """Return the summary of a turn-based table; None if it is not turn-based or nobody sits there."""
    if not table.turn_based or table.state == "closed" or all(chair.user is None for chair in table.players):
        return None
    setting, deal = table.setting, table.deal
    asked: tuple[Seat, ...] = ()
    run: tuple[Seat, ...] = ()
    until = soon = table.again
    if table.playing and deal is not None:
        asked = tuple(seat for seat, ask in enumerate(deal.asks) if ask is not None)
        run = tuple(sorted(deal.timed))
        until = min((end for seat in deal.timed if (end := limit(deal, seat)) is not None), default=None)
        soon = min((when for when in (until and until + 1, *(o.until for o in table.offers)) if when), default=None)
    elif table.coming is not None:
        soon = table.coming.deadline
    return Sleeping(
        room=setting.room,
        no=setting.no,
        made=setting.made,
        game=setting.game,
        kind=setting.kind,
        variant=setting.variant,
        private=table.terms.private,
        state=table.state,
        users=tuple(chair.user if chair.presence != "left" else None for chair in table.players),
        bots=tuple(chair.bot for chair in table.players),
        options=dict(table.options),
        at=at,
        asked=asked,
        run=run,
        until=until if table.playing else None,
        soon=soon,
        idle=table.waits,
    )


def overdue(table: Table, now: int) -> int | None:
    """Return whose time is up at a turn-based table, None: nobody's."""
    deal = table.deal
    if not table.turn_based or not table.playing or deal is None:
        return None
    for seat in deal.timed:
        end = limit(deal, seat)
        if end is not None and end < now:
            return table.chairs[seat].user
    return None


def lost(outages: Sequence[Outage], last: int) -> int:
    """Return for how many ms the hall was down since a time; every clock gets that time back (P-100).

    outages: the newest last.
    """
    ms = 0
    for since, until in reversed(outages):
        if until <= last:
            break
        ms += until - max(since, last)
    return ms


def asleep(table: Table, at: int) -> bytes | None:
    """Return the summary of a table in the form in which the database keeps it."""
    found = slow(table, at)
    return None if found is None else msgspec.json.encode(found)


decode = msgspec.json.Decoder(Sleeping).decode


def later(one: Sleeping, ms: int) -> Sleeping:
    """Return a summary with all its clocks extended by so many ms."""
    until, soon = (None if when is None else when + ms for when in (one.until, one.soon))
    return replace(one, until=until, soon=soon) if ms else one
