"""The wire form of what channels see of a table: snapshots, and the fields that an event has changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from qipai import ledger
from qipai.core.contract import Notice, Seat
from qipai.hall.table import messages as wire
from qipai.hall.table.clock import Byoyomi, Fischer, NoClock, Stages, drained
from qipai.hall.table.deal import clock_of_table, ending
from qipai.hall.table.events import DealCreated, Fined, Player, PreparedGone, Seated, ShoulderSet
from qipai.hall.table.model import Deal, Table
from qipai.hall.table.observation import Ask, Beforehand, Late, Observer, beforehand_of, visible
from qipai.hall.table.tempers import temper_of

__all__ = [
    "Common",
    "Glance",
    "beside",
    "channel_name",
    "look",
    "look_name",
    "shared",
    "shared_changes",
    "snapshot",
    "told_on_wire",
]

Who = Callable[[int], wire.User | None]  # returns a user as others see them; None: the account was deleted
Long = dict[str, tuple[tuple[Any, ...], bytes]]  # long fields of a view, and their JSON
MOST_LEGAL: Final = 200
LONG: Final = 64  # a field with so many entries is not encoded again when entries are appended
NOBODY: Final = "deleted"
NULL: Final = b"null"
STORES: Final = (Fischer, Byoyomi, Stages)  # clocks with a store of time

_encode = msgspec.json.Encoder().encode
_written: Final[Any] = Raw  # encoded JSON of a field; typed as Any so that it fits any field


class Glance(Struct, frozen=True, gc=False):
    """A summary of what a channel was last shown, sufficient to detect changes."""

    you: tuple[bool, Beforehand] | None  # whether the table is its own; what was given beforehand
    view: int | None  # hashes of what was written
    ask: tuple[()] | Ask | None
    may: bool
    legal: int | None
    hints: int | None
    delayed_view: int | None
    basis: Any  # `Entry.basis`
    ticking: Any  # data of the clocks; a clock that only runs on is no change


NOTHING: Final = Glance(None, None, (), False, None, None, None, None, ())  # differs from everything


class Common:
    """Encodes what channels see of a table, after an event or at any time; shared parts are encoded once."""

    __slots__ = (
        "_alike", "_before", "_changes", "_clocks", "_heard", "_long", "_now", "_observer", "_table", "_texts",
        "_who", "told",
    )  # fmt: skip

    def __init__(self, before: Table, table: Table, told: Sequence[Notice], now: int, who: Who, long: Long) -> None:
        """long: the JSON of long fields, kept from earlier events."""
        self._long = long
        self._before, self._table, self._now, self.told, self._who = before, table, now, told, who
        self._observer = Observer(table, table.deal)
        self._changes: dict[str, Any] | None = None
        self._texts: dict[tuple[int, ...], Raw] = {}  # of what is told
        self._heard: Raw | None = None  # where everybody is told everything
        if all(each.to is None for each in told):
            self._heard = Raw(_encode([_named(each.event, who) for each in told]))
        self._alike: dict[str, tuple[Any, Raw]] = {}
        self._clocks: tuple[Any, Any] | None = None

    def shown(self, channel: Seat | None, before: Glance | None) -> tuple[Glance, bytes]:
        """Return a glance at what a channel sees now, and the `ev` with what has changed.

        before: the earlier glance, None if nobody has listened to the channel yet.
        """
        glance, ev = self.ev(channel, before)
        return glance, _encode(ev)

    def ev(self, channel: Seat | None, before: Glance | None) -> tuple[Glance, wire.Ev]:
        """Return a glance at what a channel sees now, and its whole `ev`, before: as for `shown`."""
        if self._changes is None:
            self._changes = shared_changes(self._before, self._table, self._who)
        if before is None:
            before, _all = look(self._before, channel, self._now, self._who)
        glance, ev = self.look(channel, before)
        return glance, replace(ev, **self._changes) if self._changes else ev

    def show(
        self,
        at: int,
        before: Sequence[Glance | None],
        reach: int,
        glances: list[Glance | None],
        texts: list[bytes | None],
    ) -> None:
        """Put a glance of a channel, and its `ev` if the event reaches it, into lists for all channels.

        at: the channel's place there, of the watchers the last one.
        """
        last = len(before) - 1
        if glances[at] is None:
            if reach >> (at if at >= 0 else last) & 1:
                glances[at], texts[at] = self.shown(None if at in (last, -1) else at, before[at])
            else:
                glances[at] = before[at]

    def beside(self, ev: wire.Ev, over: Seat | None) -> bytes:
        """Return a channel's `ev` for those who look on beside it: fields are taken out of it, and none is added.

        over: the seat whose channel it is; None: the watchers' channel, for a big screen.
        """
        ch = look_name(self._table, over)
        if over is None:
            return _encode(replace(ev, ch=ch, late=UNSET))
        mine = [one.event for one in self.told if visible(one, over) and type(one.event) is not PreparedGone]
        told = Raw(_encode([_named(one, self._who) for one in mine]))
        return _encode(replace(ev, ch=ch, told=told, you=UNSET, ask=UNSET, legal=UNSET, hints=UNSET))

    def look(self, channel: Seat | None, before: Glance) -> tuple[Glance, wire.Ev]:
        """Return a glance at a channel's own fields, and an `ev` with those that differ from an earlier glance."""
        table = self._table
        at = -1 if channel is None else channel
        user = table.chairs[channel].user if channel is not None and table.chairs else None
        owner, beforehand = you = user is not None and user == table.owner, beforehand_of(table, channel)
        seen = self._observer.seen(channel)
        ask, ticking, may, views = seen.ask, seen.ticking, seen.may, seen.late
        text = self.view_as_json(seen.view)
        view = hash(text)
        basis = self._observer.basis(channel)
        open_to = hinted = NULL
        stays = view == before.view or (basis is not None and basis == before.basis)
        if stays and ask == before.ask and may == before.may:
            legal, hints = before.legal, before.hints  # both depend only on what the seat sees
        else:
            open_to = self._legal(channel)
            if ask is not None or may:
                hinted = self._hints(seen.view)
            legal, hints = hash(open_to), hash(hinted)
        delayed_view = 0 if views is None else hash(_encode(views))
        if ticking == before.ticking:
            ticking = before.ticking
        return Glance(you, view, ask, may, legal, hints, delayed_view, basis, ticking), wire.Ev(
            table.id,
            channel_name(table, channel),
            table.seqs[at],
            self._now,
            self.told_to(channel) if self._heard is None else self._heard,
            you=UNSET if you == before.you else wire.You(channel, owner, *beforehand),
            view=UNSET if view == before.view else _written(text),
            ask=UNSET if ask == before.ask else None if ask is None else wire.OpenAsk(*ask),
            legal=UNSET if legal == before.legal else _written(open_to),
            hints=UNSET if hints == before.hints else _written(hinted),
            clocks=UNSET if ticking is before.ticking else self._clocks_as_json(ticking),
            late=UNSET if delayed_view == before.delayed_view else self._late(views),
        )

    def told_to(self, channel: Seat | None) -> Raw:
        """Return what a channel is told, as JSON."""
        heard = tuple([number for number, each in enumerate(self.told) if visible(each, channel)])
        text = self._texts.get(heard)
        if text is None:
            text = Raw(_encode([_named(self.told[number].event, self._who) for number in heard]))
            self._texts[heard] = text
        return text

    def view_as_json(self, view: Any) -> bytes:
        """Return a channel's view as JSON."""
        alike = self._observer.entry.alike
        if not alike or view is None:
            return _encode(view)
        written = {}
        for name in alike:
            value = getattr(view, name)
            if name not in self._alike or self._alike[name][0] is not value:
                self._alike[name] = value, Raw(self._grown(name, value))
            written[name] = self._alike[name][1]
        return _encode(replace(view, **written))

    def _grown(self, name: str, value: tuple[Any, ...]) -> bytes:
        """Return a growing field as JSON; only entries since the last event are encoded and appended."""
        old, text = self._long.pop(name, ((), b""))
        if old and value[: len(old)] == old:
            if more := value[len(old) :]:
                text = text[:-1] + b"," + _encode(more)[1:]
        else:
            text = _encode(value)
        if len(value) >= LONG:
            self._long[name] = value, text
        return text

    def _legal(self, channel: Seat | None) -> bytes:
        """Return the actions open to a seat as JSON."""
        deal = self._table.deal
        if deal is None or channel is None or deal.state is None or deal.result is not None:
            return NULL
        if channel >= len(deal.who) and not deal.concerns(channel):
            return NULL
        if deal.concealed_until is not None and deal.asks[channel] is None:
            return NULL
        rules = self._observer.rules
        found = tuple(islice(rules.legal(deal.state, channel), MOST_LEGAL + 1))
        leaving = tuple(rules.leaving(deal.state, channel))
        if not found and not leaving:
            return NULL
        return _encode(wire.Legal(found[:MOST_LEGAL], len(found) > MOST_LEGAL, leaving))

    def _hints(self, view: Any) -> bytes:
        """Return the hints for this view as JSON."""
        deal = self._table.deal
        return NULL if deal is None else _encode(self._observer.entry.hints(deal.options, view))

    def _late(self, view: Late | None) -> wire.Late | None:
        """Return the seats' views in the form that watchers get."""
        return None if view is None else wire.Late(self._now if view[0] is None else view[0], view[1])

    def _clocks_as_json(self, shown: Any) -> Any:
        """Return the clocks as they are seen, as JSON."""
        if self._clocks is None or self._clocks[0] != shown:
            deal = self._table.deal
            clocks = None if deal is None or shown is None else clocks_of(deal, shown, self._now)
            self._clocks = shown, Raw(_encode(clocks))
        return self._clocks[1]


def look(table: Table, channel: Seat | None, now: int, who: Who) -> tuple[Glance, wire.Ev]:
    """Return what a channel sees of its own now, and all fields of it."""
    return Common(table, table, (), now, who, {}).look(channel, NOTHING)


def channel_name(table: Table, channel: Seat | None) -> str:
    """Return a channel's name, `17.2` or `17.w`."""
    return f"{table.id}.{'w' if channel is None else channel}"


def look_name(table: Table, over: Seat | None) -> str:
    """Return the name of what those get who look on beside the channels: `17.s`, over a shoulder `17.2.s`."""
    return f"{table.id}.s" if over is None else f"{table.id}.{over}.s"


# What all channels share ----------------------------------------------------------------------------------------------


def info_of(table: Table) -> wire.Info:
    """Return a table's properties."""
    setting = table.setting
    return wire.Info(
        room=setting.room,
        no=setting.no,
        game=setting.game,
        variant=setting.variant,
        kind=setting.kind,
        preset=setting.preset if _keeps(table) else None,
        options=table.options,
        clock=clock_of_table(table),
        terms=table.terms,
        watch=setting.watch,
        state=table.state,
        pauses=table.pauses or UNSET,
        pass_=UNSET if setting.pass_ is None else setting.pass_,
        match=match_of(table),
        contest=setting.contest or UNSET,
        duplicate=setting.duplicate or UNSET,
        start=setting.start or UNSET,
    )


def match_of(table: Table) -> wire.Match | UnsetType:
    """Return the match of a table's next deal; None if its deals do not form a match."""
    match = table.match
    if match is None or match.carry is None or table.state not in ("open", "between"):
        return UNSET
    if match.fresh:
        return wire.Match(1, (), (), fresh=True)
    return wire.Match(match.no, match.points, table.instead, fresh=False)


def seats_of(table: Table, who: Who) -> tuple[wire.SeatInfo, ...]:
    """Return the seats and who sits there."""
    return tuple(
        wire.SeatInfo(
            seat=seat,
            user=user_on_wire(chair.user, who),
            bot=chair.bot,
            ready=chair.ready,
            presence=chair.presence if chair.user is not None else None,
            until=chair.until,
            score=chair.score,
            grade=None if chair.score is None else ledger.grade(chair.score),
            pass_=chair.holdings.pass_.pass_ if chair.holdings is not None and table.setting.kind == "pass" else None,
            below=chair.below or UNSET,
            shoulder=UNSET if chair.shoulder is None else user_on_wire(chair.shoulder, who) or UNSET,
            temper=UNSET if chair.bot is None else temper_of(seat).name or UNSET,
        )
        for seat, chair in enumerate(table.chairs)
    )


def offers_of(table: Table) -> tuple[wire.Offer, ...]:
    """Return the open offers."""
    return tuple(wire.Offer(o.offer, o.seat, o.what, o.until, UNSET if o.set is None else o.set) for o in table.offers)


def game_of(table: Table) -> wire.Game | None:
    """Return the running or coming deal, with the data that prove it fair."""
    deal = table.coming or table.deal
    if deal is None:
        return None
    opened = None if deal.result is None else deal.result.server_seed
    board = deal.board or UNSET, deal.board_no or UNSET
    return wire.Game(deal.game_id, deal.no, deal.commitment, deal.client_seeds, opened, *board)


def result_of(table: Table, who: Who) -> Any:
    """Return how the last deal ended, and its players if one of them has left since; None while a deal runs."""
    deal = table.deal
    if deal is None or deal.result is None:
        return None
    result = {name: getattr(deal.result, name) for name in RESULT}
    if deal.result.short:
        result["short"] = True
    bench = [Player(each.user) for each in deal.bench]
    played = dict(zip(deal.seats, (*deal.players, *bench), strict=True))
    if any(table.chairs[seat].user != each.user for seat, each in played.items()):
        result["seats"] = [wire.RoomSeat(seat, user_on_wire(each.user, who), each.bot) for seat, each in played.items()]
    return result


RESULT: Final = ("points", "places", "why", "paid", "server_seed")


def _keeps(table: Table) -> bool:
    """Tell whether a table still plays by its preset: none of the preset's options was changed."""
    preset = table.setting.preset
    if preset is None:
        return False
    entry = table.entry
    return bool(entry.chosen(table.options) == entry.chosen({**table.options, **entry.form.presets.get(preset, {})}))


def shared(table: Table, who: Who) -> dict[str, Any]:
    """Return the fields that all channels of a table share."""
    return {
        "info": info_of(table),
        "seats": seats_of(table, who),
        "offers": offers_of(table),
        "game": game_of(table),
        "result": result_of(table, who),
    }


def shared_changes(before: Table, after: Table, who: Who) -> dict[str, Any]:
    """Return those of the shared fields that an event has changed."""
    fields: dict[str, Any] = {}
    if not (
        before.state is after.state
        and before.options is after.options
        and before.clock is after.clock
        and before.terms is after.terms
        and before.setting is after.setting
        and before.match is after.match
        and (after.match is None or before.chairs is after.chairs)
    ):
        if (info := info_of(after)) != info_of(before):
            fields["info"] = info
    if before.chairs is not after.chairs and (seats := seats_of(after, who)) != seats_of(before, who):
        fields["seats"] = seats
    if before.offers is not after.offers and (offers := offers_of(after)) != offers_of(before):
        fields["offers"] = offers
    was, now = before.coming or before.deal, after.coming or after.deal
    if not (
        was is not None
        and now is not None
        and was.game_id is now.game_id
        and was.client_seeds is now.client_seeds
        and was.result is now.result
    ):
        if (game := game_of(after)) != game_of(before):
            fields["game"] = game
    if (result := result_of(after, who)) != result_of(before, who):
        fields["result"] = result
    return fields


# What each channel has of its own -------------------------------------------------------------------------------------


def snapshot(
    table: Table,
    channel: Seat | None,
    own: Any,
    now: int,
    *,
    who: Who,
    watchers: int,
    here: tuple[Seat, ...] | UnsetType,
    chat: Sequence[wire.Chat],
    missed: Sequence[wire.Missed] | None,
    owner: bool,
) -> wire.Snapshot:
    """Return a whole table as a channel sees it now.

    own: an `ev` with all that the channel has of its own. owner: whether whoever the snapshot is for owns the table.
    """
    return wire.Snapshot(
        table=table.id,
        ch=channel_name(table, channel),
        seq=table.seqs[-1 if channel is None else channel],
        now=now,
        you=wire.You(channel, owner, *beforehand_of(table, channel)),
        watchers=watchers,
        info=info_of(table),
        seats=seats_of(table, who),
        offers=offers_of(table),
        game=game_of(table),
        view=own.view,
        ask=own.ask,
        legal=own.legal,
        hints=own.hints,
        clocks=own.clocks,
        late=own.late,
        result=result_of(table, who),
        chat=tuple(chat),
        missed=None if missed is None else tuple(missed),
        here=here,
    )


def beside(snapshot: wire.Snapshot, table: Table, over: Seat | None) -> wire.Snapshot:
    """Return a channel's snapshot for those who look on beside it, as `Common.beside` does with its events."""
    return replace(
        snapshot,
        ch=look_name(table, over),
        you=wire.You(None, owner=False, over=over),
        ask=None,
        legal=None,
        hints=None,
        late=None,
        chat=(),
    )


def told_on_wire(told: Sequence[Notice], channel: Seat | None, who: Who) -> list[Any]:
    """Return what a channel is told, with users as they are shown."""
    return [_named(each.event, who) for each in told if visible(each, channel)]


def user_on_wire(user: int | None, who: Who) -> wire.User | None:
    """Return a user as others see them; a deleted account keeps its number."""
    if user is None:
        return None
    return who(user) or wire.User(user, NOBODY, "user")


NAMING: Final = frozenset({Seated, Fined, DealCreated, ShoulderSet})  # kinds of events that name users


def _named(event: Any, who: Who) -> Any:
    """Return an event with its users as others see them. event: of the table or of the game."""
    if type(event) not in NAMING:
        return event
    match event:
        case Seated() if isinstance(event.user, int):
            return wire.SeatedNews(
                seat=event.seat,
                user=user_on_wire(event.user, who),
                score=event.score,
                credibility=event.credibility,
                owner=event.owner,
            )
        case Fined() if event.user is not None:
            return wire.FinedNews(
                seat=event.seat,
                user=user_on_wire(event.user, who),
                game=event.game,
                score=event.score,
                coins=event.coins,
                credibility=event.credibility,
            )
        case ShoulderSet():
            return wire.ShoulderNews(seat=event.seat, user=user_on_wire(event.user, who))
        case DealCreated():
            return wire.DealCreatedNews(
                table=event.table,
                game_id=event.game_id,
                deal=event.deal,
                game=event.game,
                variant=event.variant,
                rules=event.rules,
                options=event.options,
                carry=event.carry,
                seats=tuple([wire.NamedPlayer(user_on_wire(one.user, who), one.bot) for one in event.seats]),
                bench=tuple([wire.NamedBenchPlayer(one.seat, user_on_wire(one.user, who)) for one in event.bench]),
                daily=event.daily,
                board=event.board,
                board_no=event.board_no,
                start=event.start,
                first_seated=event.first_seated,
                commitment=event.commitment,
                wait=event.wait,
            )
    return event


def clocks_of(deal: Deal, shown: Any, now: int) -> wire.Clocks | None:
    """Return the clocks as a channel sees them now. shown: `Seen.ticking`."""
    clock = deal.clock
    if type(clock) is NoClock or not deal.clocks:
        return None
    clocks, run, _since = shown
    if type(clock) not in STORES:
        left: list[int | None] = [None] * len(clocks)
        for seat in run:
            ask = deal.asks[seat] if seat in deal.timed else deal.answered[seat][0]
            end = ending(deal, seat, ask or "play", clocks[seat])
            left[seat] = None if end is None else max(0, end - now)
        return wire.Clocks(left=tuple(left), run=run, until=None)
    clocks = list(clocks)
    for seat in run:
        clocks[seat] = drained(clock, clocks[seat], max(0, now - deal.since[seat]))
    return wire.Clocks(
        left=tuple([face.left for face in clocks]),
        run=run,
        until=None,
        periods=tuple([face.periods for face in clocks]) if type(clock) is Byoyomi else UNSET,
        moves_to_go=tuple([face.to_go or None for face in clocks]) if type(clock) is Stages else UNSET,
    )
