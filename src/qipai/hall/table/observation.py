"""What each channel of a table sees: the view, its question, the clocks; and which channels an event reaches. Pure.

A channel is the number of a seat or of a place on the bench (numbered after the seats), or `None` for all watchers. In
masks, bit n stands for place n, and the bit above the last place for the watchers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct

from qipai.core.contract import Notice, Seat
from qipai.hall.table.deal import limit, rules_at
from qipai.hall.table.model import Chair, Deal, Table
from qipai.hall.table.watching import may_see

__all__ = [
    "Observer",
    "Seen",
    "beforehand_of",
    "everybody",
    "mask_of",
    "reached",
    "seen",
    "view_of",
    "views_of",
    "visible",
]


Ask = tuple[int, str, int | None]  # id, kind, until
Beforehand = tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]  # answers by name, lines of moves
Late = tuple[int | None, tuple[Any, ...]]  # P-88: the time of the views, None: now; and the view of every seat


class Seen(Struct, frozen=True, gc=False):
    """What a channel sees of the deal.

    view: the game's. ticking: the data from which a client draws the clocks. may: whether it may act although it is
    asked nothing. late: every seat's view, for watchers who may see them.
    """

    view: Any = None
    ask: Ask | None = None
    ticking: Any = None
    may: bool = False
    late: Late | None = None


NOTHING: Final = Seen()


def everybody(table: Table) -> int:
    """Return the mask of all channels."""
    return (1 << (table.setting.places + 1)) - 1


def mask_of(table: Table, seats: Iterable[Seat] | None) -> int:
    """Return the mask of these seats; None: of everybody."""
    if seats is None:
        return everybody(table)
    return sum(1 << seat for seat in seats)


class Observer:
    """Computes what each channel sees of a deal; parts that channels share are computed once."""

    __slots__ = ("_clocks", "_deal", "_table", "entry", "rules")

    def __init__(self, table: Table, deal: Deal | None) -> None:
        self._table, self._deal = table, deal
        self.entry = table.entry
        self.rules: Any = None if deal is None else rules_at(table, deal)
        self._clocks: tuple[Any, Any] | None = None  # cached: the seats shown on turn, and their clocks

    def view(self, channel: Seat | None) -> Any:
        """Return the game's view of a channel. In an even pause, a seat that is not asked sees its start."""
        deal = self._deal
        assert deal is not None
        if channel is not None and channel >= len(deal.who) and not deal.concerns(channel):
            channel = None  # somebody who came to the bench after the deal began
        if deal.concealed_until is not None and (channel is None or deal.asks[channel] is None):
            return self.entry.conceal(self.rules.observe(deal.shown_meanwhile, channel))
        return self.rules.observe(deal.state, channel)

    def seen(self, channel: Seat | None) -> Seen:
        """Return what a channel sees of the deal."""
        deal = self._deal
        if deal is None or deal.state is None:
            return NOTHING
        view = self.view(channel)
        delayed_view = self._late(deal) if channel is None else None
        if deal.result is not None:
            return Seen(view, None, (deal.clocks, (), ()), False, delayed_view)
        ask = None
        if channel is not None and (kind := deal.asks[channel]) is not None:
            ask = (deal.ids[channel], kind, limit(deal, channel))
        return Seen(view, ask, self.clocks(deal, view, channel), channel in deal.may, delayed_view)

    def clocks(self, deal: Deal, view: Any, channel: Seat | None) -> Any:
        """Return the clocks as a channel sees them: what they show, which seats' clocks run, and since when.

        A channel sees the clocks run that its view shows on turn, and its own. While a question to several seats is
        open, the clock of a seat that has answered still runs for the others: only the view may tell who has answered.
        """
        timed = deal.timed
        if not timed:
            return deal.clocks, (), ()
        shown = self.entry.running(view)
        if deal.answered or (channel in timed and channel not in shown):
            clocks = deal.clocks
            if hidden := {seat: face for seat, (_ask, face) in deal.answered.items() if seat != channel}:
                clocks = tuple([hidden.get(seat, face) for seat, face in enumerate(clocks)])
                timed = timed | hidden.keys()
            return clocks, *_run(deal, [seat for seat in timed if seat in shown or seat == channel])
        if self._clocks is None or self._clocks[0] != shown:
            self._clocks = shown, (deal.clocks, *_run(deal, [seat for seat in timed if seat in shown]))
        return self._clocks[1]

    def basis(self, channel: Seat | None) -> Any:
        """Return the data on which a seat's actions and hints depend (`Entry.basis`); None: on its whole view."""
        deal = self._deal
        if channel is None or deal is None or deal.state is None or deal.result is not None:
            return None
        return self.entry.basis(deal.state, channel)

    def _late(self, deal: Deal) -> Late | None:
        """Return the seats' views as watchers may see them (P-88): delayed, open, or after the end of the hand."""
        mode = self._table.setting.watch.mode
        if mode == "delayed":
            return deal.delayed_view
        if not may_see(mode, 0, 0, public=False, hand_over=deal.result is not None, delay_s=1):
            return None
        return None, self.views()

    def views(self) -> tuple[Any, ...]:
        """Return every seat's view."""
        return tuple([self.view(seat) for seat in range(self._table.setting.seats)])


def _run(deal: Deal, seats: list[Seat]) -> tuple[tuple[Seat, ...], tuple[int, ...]]:
    """Return seats whose clocks run, in their order, and since when they do."""
    seats.sort()
    return tuple(seats), tuple([deal.since[seat] for seat in seats])


def view_of(table: Table, deal: Deal, channel: Seat | None) -> Any:
    """Return the game's view for a channel."""
    return Observer(table, deal).view(channel)


def views_of(table: Table, deal: Deal) -> tuple[Any, ...]:
    """Return every seat's view."""
    return Observer(table, deal).views()


def seen(table: Table, channel: Seat | None) -> Seen:
    """Return what a channel sees of the deal."""
    return Observer(table, table.deal).seen(channel)


def visible(told: Notice, channel: Seat | None) -> bool:
    """Tell whether a notice is sent to a channel."""
    return told.to is None or (channel is not None and channel in told.to)


def reached(before: Table, after: Table, told: Iterable[Notice], *, always: bool) -> int:
    """Return the mask of the channels that an event reaches: those that see a change or are told something."""
    everyone = everybody(after)
    if always or _changed(before, after):
        return everyone
    mask = 0
    for each in told:
        mask |= mask_of(after, each.to)
    if mask == everyone:
        return mask
    was, now = Observer(before, before.deal), Observer(after, after.deal)
    for channel in range(after.setting.places + 1):
        if not mask >> channel & 1:
            who = channel if channel < after.setting.places else None
            if was.seen(who) != now.seen(who) or beforehand_of(before, who) != beforehand_of(after, who):
                mask |= 1 << channel
    return mask


def beforehand_of(table: Table, channel: Seat | None) -> Beforehand:
    """Return the answers that the player on this channel has given beforehand, and the moves they have prepared."""
    if channel is None or channel >= len(table.chairs):
        return (), ()
    chair = table.chairs[channel]
    return chair.standing, chair.prepared


def _changed(before: Table, after: Table) -> bool:
    """Tell whether something has changed that everybody sees in the same way."""
    if before.chairs is not after.chairs and [*map(_shown, before.chairs)] != [*map(_shown, after.chairs)]:
        return True
    return bool(_common(before) != _common(after))


def _common(table: Table) -> Any:
    """Return what everybody sees in the same way, except the chairs."""
    shown = table.coming or table.deal
    deal = shown and (shown.game_id, shown.client_seeds, shown.result is None)
    result = table.deal and table.deal.result
    agreed = table.options, table.clock, table.terms, table.owner, table.offers, table.match
    return table.state, *agreed, deal, result


def _shown(chair: Chair) -> Any:
    return chair.user, chair.bot, chair.ready, chair.presence, chair.until, chair.holdings, chair.below, chair.shoulder
