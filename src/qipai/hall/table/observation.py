"""What each channel of a table sees: its view, its question, whose clocks run there; and whom an event reaches. Pure.

A channel is the number of a seat, or of a place on the bench behind the seats, or `None` for all watchers. In masks bit
`seat` stands for such a place, the bit above the last one for the watchers.
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
    "everybody",
    "mask_of",
    "reached",
    "seen",
    "standing_of",
    "view_of",
    "views_of",
    "visible",
]


Ask = tuple[int, str, int | None]  # id, kind, until
Late = tuple[int | None, tuple[Any, ...]]  # P-88: of when it is, None: of now; and every seat's view


class Seen(Struct, frozen=True, gc=False):
    """What a channel sees of the deal.

    view: the game's; ticking: what a client's picture of the clocks follows from; may: whether it may act though it is
    asked nothing; late: every seat's view, for watchers who may see them.
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
    """A deal as the channels of its table see it; what they have alike is found once."""

    __slots__ = ("_clocks", "_deal", "_table", "entry", "rules")

    def __init__(self, table: Table, deal: Deal | None) -> None:
        self._table, self._deal = table, deal
        self.entry = table.entry
        self.rules: Any = None if deal is None else rules_at(table, deal)
        self._clocks: tuple[Any, Any] | None = None  # the seats shown on turn, and what follows from that

    def view(self, channel: Seat | None) -> Any:
        """Return the game's view; to who is not asked in an even pause, the moment when it began."""
        deal = self._deal
        assert deal is not None
        if channel is not None and channel >= len(deal.who) and not deal.concerns(channel):
            channel = None  # on the bench, and came after the deal had begun
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
        """Return what the clocks show to a channel, the seats whose clocks it sees run, and since when.

        Those run that its view shows on turn, and its own. While a question put to several is open, the clock of one
        whose answer is in goes on for the others as if it were not: only the rules tell who has answered, in the view.
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
        """Return what a seat's actions and hints follow from, None where it is all that it sees."""
        deal = self._deal
        if channel is None or deal is None or deal.state is None or deal.result is not None:
            return None
        return self.entry.basis(deal.state, channel)

    def _late(self, deal: Deal) -> Late | None:
        """Return what watchers see of the seats' own (P-88): of then, of now in the open, or once the hand is over."""
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
    """Tell whether a channel is told this."""
    return told.to is None or (channel is not None and channel in told.to)


def reached(before: Table, after: Table, told: Iterable[Notice], *, always: bool) -> int:
    """Return the mask of the channels for which an event changes something or to which it tells something."""
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
            if was.seen(who) != now.seen(who) or standing_of(before, who) != standing_of(after, who):
                mask |= 1 << channel
    return mask


def standing_of(table: Table, channel: Seat | None) -> tuple[str, ...]:
    """Return the answers that whoever has this channel has given beforehand."""
    return () if channel is None or channel >= len(table.chairs) else table.chairs[channel].standing


def _changed(before: Table, after: Table) -> bool:
    """Tell whether something has changed that everybody sees alike."""
    if before.chairs is not after.chairs and [*map(_shown, before.chairs)] != [*map(_shown, after.chairs)]:
        return True
    return bool(_common(before) != _common(after))


def _common(table: Table) -> Any:
    """Return what everybody sees alike, but for the chairs."""
    shown = table.coming or table.deal
    deal = shown and (shown.game_id, shown.client_seeds, shown.result is None)
    result = table.deal and table.deal.result
    agreed = table.options, table.clock, table.terms, table.owner, table.offers, table.match
    return table.state, *agreed, deal, result


def _shown(chair: Chair) -> Any:
    return chair.user, chair.bot, chair.ready, chair.presence, chair.until, chair.holdings, chair.below
