"""What the house itself does at a table: it begins deals, plays for bots, notes who is lost and found. Pure."""

from __future__ import annotations

from typing import assert_never

import msgspec
from msgspec import UNSET

from qipai.core.contract import NATURE
from qipai.hall.table import daily_board, seats, settlement
from qipai.hall.table.deal import rules_at
from qipai.hall.table.errors import HallError
from qipai.hall.table.events import (
    BotWeakened,
    Closed,
    DealCreated,
    GameTimeReturned,
    HoldingsChanged,
    OpenedSecret,
    PresenceChanged,
    Readied,
    Seated,
    SeedSecret,
    Swapped,
    TimeReturned,
)
from qipai.hall.table.fair import seal
from qipai.hall.table.interned import chosen
from qipai.hall.table.model import Table
from qipai.hall.table.observation import view_of
from qipai.hall.table.presence import moved
from qipai.hall.table.system_commands import (
    CALLED_OFF,
    DESERTED,
    AnySystemCommand,
    Away,
    Begin,
    BotAct,
    Close,
    Found,
    Given,
    Lag,
    Lost,
    Open,
    Scored,
    Tick,
)
from qipai.hall.table.update import TableUpdate

__all__ = ["handle_system", "loses", "may_begin", "people_of", "waits"]


def may_begin(table: Table) -> bool:
    """Tell whether the next deal can be created (P-18, P-25)."""
    return (
        table.state in ("open", "between")
        and table.coming is None
        and not table.offers
        and all(seats.set_to_go(chair) for chair in table.players)
        and any(chair.user is not None for chair in table.players)
    )


def people_of(table: Table) -> frozenset[int]:
    """Return the people who would play the next deal."""
    return frozenset([chair.user for chair in table.players if chair.user is not None])


def _open(update: TableUpdate, command: Open) -> None:
    hidden = OpenedSecret(key=command.key or UNSET, server_seed=command.board_seed or UNSET)
    update.emit(command.opened, hidden if hidden != OpenedSecret() else None)
    if (contest := update.table.setting.contest) is not None:
        for seat, user in enumerate(contest.users):
            if user is None:
                update.emit(Seated(seat=seat, bot=contest.level))
    if command.sit is None:
        return
    if not command.last:
        update.sit(command.sit)
    if command.fill is None:
        return
    for seat in range(update.table.setting.seats):
        if seat != command.sit:
            update.emit(Seated(seat=seat, bot=command.fill))
    if command.last:
        update.sit(command.sit)
    update.emit(Readied(seat=command.sit, on=True))


def _begin(update: TableUpdate, command: Begin) -> None:
    table, board = update.table, command.board
    if not may_begin(table) or table.setting.duplicate != (board is not None):
        return
    if board is not None and board.people != people_of(table):
        return  # somebody has come who may have met it
    if seats.must_swap(table):
        update.emit(Swapped())
        table = update.table
    number, carry, first = seats.place_in_match(table)
    luck = table.entry.luck
    options, changed = chosen(table.entry, table.options)
    daily = None if table.setting.start else daily_board.board(table, changed, update.now)
    shared = board.deal if board else table.setting.contest.deal if table.setting.contest else None
    seed = table.board_seed or command.server_seed
    created = DealCreated(
        table=table.id,
        game_id=command.game_id,
        deal=number,
        game=table.setting.game,
        variant=table.setting.variant,
        rules=table.entry.edition,
        options=table.entry.full(options),
        carry=carry,
        seats=seats.players(table),
        bench=seats.bench(table),
        daily=daily or UNSET,
        start=UNSET if table.setting.start is None else table.setting.start,
        board=shared.id if shared else UNSET,
        board_no=board.no if board else UNSET,
        first_seated=first,
        commitment=seal(seed) if luck else None,
        wait=update.limits.seed,
    )
    update.emit(created, SeedSecret(server_seed=seed) if luck else None)
    if not luck:
        update.go_on()
    elif shared or all(chair.user is None for chair in update.table.players):
        update.seeded(NATURE)


def _bot_act(update: TableUpdate, command: BotAct) -> None:
    table, seat = update.table, command.seat
    deal = table.deal
    chair = table.chairs[seat]
    if not table.playing or deal is None or (chair.bot is None and not chair.away):
        return  # a person came back
    free = command.ask is None
    if not (seat in deal.may if free else deal.asks[seat] is not None and deal.ids[seat] == command.ask):
        return  # somebody was quicker, or the time was up
    action = table.entry.act(command.action)
    if rules_at(table, deal).refuse(deal.state, seat, action) is not None:
        if free:
            return
        action = rules_at(table, deal).idle(deal.state, seat)
    open_ = deal.concealed_until is None and seat in table.entry.running(view_of(table, deal, None))
    if command.below and not chair.below and open_:
        # Of a question that was asked in secret nothing is said: that it was asked would be told with it (X6).
        update.emit(BotWeakened(seat=seat))
    if chair.bot is not None:
        update.act(seat, action, ms=update.took(seat))
    else:
        update.auto(seat, "bot", action)
    update.go_on()


def waits(table: Table) -> bool:
    """Tell whether a table waits for somebody: to come, to come back, to be ready, to play again, to answer."""
    contest = table.setting.contest
    opened = table.state == "open" and table.rows > 0
    comes = opened and contest is not None and contest.begin_by is not None
    waited = comes or table.unready is not None or table.again is not None or bool(table.offers)
    return waited or any(chair.until is not None for chair in table.chairs)


def loses(table: Table, user: int) -> bool:
    """Tell whether a lost line means something at a table, and is news there."""
    seat = table.seat_of(user)
    if seat is None or table.chairs[seat].lost or table.state == "closed" or table.turn_based:
        return False
    if table.setting.contest is not None and not table.playing:
        return table.chairs[seat].ready
    return not table.playing or table.benched(seat) or not settlement.free(table, seat)  # P-26: nothing more to do


def _lost(update: TableUpdate, command: Lost) -> None:
    table = update.table
    seat = table.seat_of(command.user)
    if seat is None or not loses(table, command.user):
        return
    chair = table.chairs[seat]
    if table.setting.contest is not None and not table.playing:
        update.emit(Readied(seat=seat, on=False))  # the seat stays theirs, and the game waits for them
        return
    if chair.presence == "bot":  # by the clock; now nobody is there either
        price = settlement.price(table, seat)
        update.emit(PresenceChanged(seat=seat, state="bot", until=None, price=price, lost=True))
        return
    until = update.now + update.limits.grace
    update.emit(PresenceChanged(seat=seat, state=moved("online", "disconnect"), until=until, lost=True))
    update.catch_up()  # no grace at all is a setting, too


def _found(update: TableUpdate, command: Found) -> None:
    seat = update.table.seat_of(command.user)
    if seat is not None and update.table.chairs[seat].lost:
        update.back(seat)


def _away(update: TableUpdate, command: Away) -> None:
    """Free the seat of somebody who has gone on to another table, where nothing is played and he is not bound."""
    table, seat = update.table, update.table.seat_of(command.user)
    if seat is None or table.state != "open" or table.turn_based or table.coming is not None:
        return
    if table.setting.contest is not None:
        return
    if settlement.breach(table, update.limits, seat) is None:
        update.stand(seat, "away")


def _lag(update: TableUpdate, command: Lag) -> None:
    seat = update.table.seat_of(command.user)
    if seat is not None:
        lags = update.table.lags or (0,) * update.table.setting.places
        lags = tuple(command.ms if s == seat else lag for s, lag in enumerate(lags))
        update.table = msgspec.structs.replace(update.table, lags=lags)


def _given(update: TableUpdate, command: Given) -> None:
    if update.table.playing or update.table.coming is not None:
        update.emit(GameTimeReturned(ms=command.ms, why=command.why or UNSET))
    elif waits(update.table):
        update.emit(TimeReturned(ms=command.ms))


def _scored(update: TableUpdate, command: Scored) -> None:
    # Of who has left a running deal, too: he plays and buys elsewhere, and its end is reckoned with what he has then.
    seat = next((seat for seat, chair in enumerate(update.table.chairs) if chair.user == command.user), None)
    if seat is None or update.table.chairs[seat].holdings in (None, command.holdings):
        return
    changed = HoldingsChanged(seat=seat, score=command.holdings.score, credibility=command.holdings.credibility)
    update.emit(changed, settlement.means(command.holdings))
    if not update.table.playing:
        update.unfit(seat)


def _close(update: TableUpdate, command: Close) -> None:
    if update.by.moderator:
        if update.table.state == "closed":
            raise HallError("NO_SUCH_TABLE")
        update.shut(command.why)
    elif command.why in (CALLED_OFF, DESERTED):
        update.call_off(command.why)
    elif update.table.state != "closed":
        update.emit(Closed(why=command.why))


def handle_system(update: TableUpdate, command: AnySystemCommand) -> None:
    """Let a command of the house change a table."""
    match command:
        case Tick():
            pass  # all that is due was done before
        case BotAct():
            _bot_act(update, command)
        case Begin():
            _begin(update, command)
        case Open():
            _open(update, command)
        case Lost():
            _lost(update, command)
        case Found():
            _found(update, command)
        case Away():
            _away(update, command)
        case Lag():
            _lag(update, command)
        case Given():
            _given(update, command)
        case Scored():
            _scored(update, command)
        case Close():
            _close(update, command)
        case _:
            assert_never(command)
