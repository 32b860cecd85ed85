"""The handlers of people's commands: what each does to a table, and when it is refused. Pure."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from qipai import ledger
from qipai.core.contract import NATURE, Refusal, Seat
from qipai.core.entry import Past
from qipai.core.rng import Stream
from qipai.hall.table import commands as say
from qipai.hall.table import prepared, seats, settlement
from qipai.hall.table.deal import may_undo, rules_at, undo_to
from qipai.hall.table.errors import HallError
from qipai.hall.table.events import (
    KeySecret,
    OfferAnswered,
    OfferMade,
    OpenedSecret,
    PasswordSecret,
    PreparedSecret,
    PreparedSet,
    PropertiesSet,
    Readied,
    Seated,
    ShoulderSet,
    StandingSecret,
    StandingSet,
    Stood,
    TakenBack,
)
from qipai.hall.table.fair import SEED_BYTES
from qipai.hall.table.model import Offered, Table, TableLimits, timing_of
from qipai.hall.table.observation import view_of
from qipai.hall.table.system_commands import Actor, Relink, TableCommand
from qipai.hall.table.system_handlers import handle_system
from qipai.hall.table.update import TableUpdate, credit

LEVEL: Final = "steady"  # of all bots at tables whose results are compared

__all__ = ["carry_out", "judged", "plays", "tried"]

Json = Any


def _sit(update: TableUpdate, command: say.Sit) -> None:
    table, by = update.table, update.by
    if table.state == "closed":
        raise HallError("NO_SUCH_TABLE")
    if not 0 <= command.seat < table.setting.places:
        raise HallError("BAD_MESSAGE", field="seat")
    if by.opening is not None and not any(chair.taken for chair in table.chairs) and not table.setting.made:
        # A room's table has the room's settings again when everybody has left; its log starts over here too.
        numbers = OpenedSecret(seqs=table.seqs, order=table.order, offer_no=table.offer_no, rows=table.rows)
        update.emit(replace(by.opening, owner=by.user), numbers)
        table = update.table
        if command.seat >= table.setting.places:  # fewer than when it was last used
            raise HallError("BAD_MESSAGE", field="seat")
    mine = table.seat_of(by.user)
    if mine == command.seat:
        return
    contest = table.setting.contest
    if contest is not None and (command.seat >= len(contest.users) or contest.users[command.seat] != by.user):
        raise HallError("TABLE_LOCKED", case="contest")
    aside = table.benched(command.seat)
    if table.playing and (mine is not None or aside):
        raise HallError("GAME_RUNNING")
    if aside and table.coming is not None:
        raise HallError("GAME_RUNNING")  # P-63: before the start of a hand
    if aside and mine is not None and settlement.breach(table, update.limits, mine) is not None:
        raise HallError(
            "NOT_ALLOWED", case="owes"
        )  # whoever still owes deals may leave and pay, but not move to the bench
    if mine is None and table.closed_to_others and contest is None:
        raise HallError("GAME_RUNNING", case="board")  # also after its end, as long as it lies on the table
    if mine is None and contest is None:
        if all(chair.taken for chair in (table.chairs[table.setting.seats :] if aside else table.players)):
            raise HallError("TABLE_FULL")
        seats.may_enter(table, by.user, command.key or by.key)
        seats.may_sit(table, by, update.limits)
    if table.chairs[command.seat].taken:
        raise HallError("SEAT_TAKEN")
    if mine is not None:
        update.emit(Stood(seat=mine, why="self"))
    # An owner who only changes seats stays the owner.
    update.sit(command.seat, owner=mine is not None and table.owner == by.user)


def _own_business(table: Table) -> None:
    """Raise HallError at a table of a contest, where its players change nothing: who will not play withdraws there."""
    if table.setting.contest is not None:
        raise HallError("NOT_ALLOWED", case="contest")


def _one_deal(table: Table) -> None:
    """Raise HallError at a table that goes on from a moment of a finished deal, where no other deal is played."""
    if table.setting.goes_on:
        raise HallError("NOT_ALLOWED", case="whatif")


def _stand(update: TableUpdate, command: say.Stand) -> None:
    seat = update.seat()
    table = update.table
    if not table.playing:
        _own_business(table)
        if (breach := settlement.breach(table, update.limits, seat)) is not None:
            if not command.confirm:
                stakes = table.stakes(update.limits)
                cost = ledger.price(stakes, breach, table.chairs[seat].holdings, fee=False)
                raise HallError("CONFIRM_QUIT", **{**cost, "pass": None})
            update.fined(seat, breach)
        update.stand(seat, "self")
        return
    if not command.confirm and not settlement.free(table, seat):
        raise HallError("CONFIRM_QUIT", **settlement.cost(table, update.limits, seat))
    update.leave(seat)


def _ready(update: TableUpdate, command: say.Ready) -> None:
    seat = update.player()
    table = update.table
    if table.playing:
        raise HallError("GAME_RUNNING")
    if table.state == "closed":
        raise HallError("NO_SUCH_TABLE")
    if table.state == "between":
        _own_business(table)  # its one game is over
        _one_deal(table)
    if command.on and any(offer.what == "set" for offer in table.offers):
        raise HallError("OFFER_OPEN")
    if table.chairs[seat].ready != command.on:
        update.emit(Readied(seat=seat, on=command.on))


def _seed(update: TableUpdate, command: say.Seed) -> None:
    coming = update.table.coming
    seat = update.table.seat_of(update.by.user)
    too_long = len(command.client_seed.encode("utf-8", "replace")) > SEED_BYTES
    if coming is None or seat is None or update.table.benched(seat) or coming.game_id != command.game_id or too_long:
        return  # a seed is not answered; one that comes too late is ignored
    sent = tuple(command.client_seed if s == seat else seed for s, seed in enumerate(coming.seeds))
    update.table = msgspec.structs.replace(update.table, coming=msgspec.structs.replace(coming, seeds=sent))
    waited = (seed is None and chair.user is not None for seed, chair in zip(sent, update.table.players, strict=True))
    if not any(waited):
        update.seeded(NATURE)


def judged(table: Table, seat: Seat, raw: Json, now: int) -> Any:
    """Return the action that JSON stands for, when the rules allow it to a seat; raises HallError with their code.

    A game's `Timing` has the last word: acting too soon after the last action breaks no rule of the game itself.
    """
    deal = table.deal
    if not table.playing or deal is None or not deal.concerns(seat):
        raise HallError("NO_GAME")
    action = table.entry.act(raw)
    rules = rules_at(table, deal)
    if deal.concealed_until is not None and deal.asks[seat] is None:
        # README X6: during a pause, a seat that is not asked is judged by what it sees, which is the same whether or
        # not others are asked. A refusal from the true state would reveal whether they are.
        dream = rules.imagine(view_of(table, deal, seat), Stream.of_seed(deal.game_id))
        _refused(rules.refuse(dream, seat, action))
    refusal = rules.refuse(deal.state, seat, action)
    if (timing := timing_of(table)) is not None:
        missed = table.missed[seat] if table.missed else None
        refusal = timing.pause(action, refusal, Past(deal.last_acts[seat].done, missed), now)
    _refused(refusal)
    return action


def tried(table: Table, command: TableCommand, by: Actor, code: str, now: int) -> Table:
    """Return the table with a refused action noted, for the game's `Timing`; this is no event."""
    seat = table.seat_of(by.user)
    timing = timing_of(table)
    if type(command) is not say.Act or seat is None or timing is None or not table.playing:
        return table
    nobody = (None,) * table.setting.places
    at = tuple(now if s == seat else then for s, then in enumerate(table.tried or nobody))
    if code not in timing.misses:
        return msgspec.structs.replace(table, tried=at)
    missed = tuple(now if s == seat else then for s, then in enumerate(table.missed or nobody))
    return msgspec.structs.replace(table, tried=at, missed=missed)


def _refused(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise HallError(refusal.code, **refusal.facts)


def _act(update: TableUpdate, command: say.Act) -> None:
    seat = update.seat()
    deal = update.table.deal
    if not update.table.playing or deal is None:
        raise HallError("NO_GAME")
    if command.ask is not None and (deal.asks[seat] is None or deal.ids[seat] != command.ask):
        raise HallError("STALE")
    action = judged(update.table, seat, command.action, update.now)
    ms = update.took(seat)
    lag = min(ms, credit(update.table, seat, update.limits)) if seat in deal.timed else 0
    update.act(seat, action, ms=ms, lag=lag)
    update.go_on()
    if update.table.playing:
        update.back(seat)  # who acts is there


def _try(update: TableUpdate, command: say.Try) -> None:
    judged(update.table, update.seat(), command.action, update.now)


def _back(update: TableUpdate, command: say.Back) -> None:
    update.back(update.seat())


def _standing(update: TableUpdate, command: say.Standing) -> None:
    seat = update.player()
    known = update.table.entry.standing
    if not known.keys() >= set(command.answers):
        raise HallError("BAD_OPTION", field="answers")
    answers = tuple(name for name in known if name in command.answers)
    if answers != update.table.chairs[seat].standing:
        # All of it is secret: during an even pause nobody can see whether an answer was automatic.
        update.emit(StandingSet(), StandingSecret(seat, answers))
        update.go_on()


def _prepare(update: TableUpdate, command: say.Prepare) -> None:
    seat = update.player()
    lines = prepared.checked(update.table, seat, command.lines)
    if lines != update.table.chairs[seat].prepared:
        update.emit(PreparedSet(), PreparedSecret(seat, lines))


def _shoulder(update: TableUpdate, command: say.Shoulder) -> None:
    table, user = update.table, update.by.user
    if command.user is None:
        ended = [s for s, chair in enumerate(table.chairs) if chair.shoulder and user in (chair.user, chair.shoulder)]
        for seat in ended:
            update.emit(ShoulderSet(seat=seat, user=None))
        return
    seat = update.player()
    # It would help against people who play for something, and tell of deals that others have yet to play.
    if table.setting.kind != "friendly" or table.setting.contest is not None or table.closed_to_others:
        raise HallError("NOT_ALLOWED", case="shoulder")
    if update.by.bot or table.chairs[seat].away:
        raise HallError("NOT_ALLOWED", case="shoulder")
    if not table.terms.watchers:
        raise HallError("WATCH_FORBIDDEN")
    there = [chair.user for chair in table.chairs]
    elsewhere = [chair.shoulder for s, chair in enumerate(table.chairs) if s != seat]
    if command.user in there or command.user in elsewhere:  # nobody knows two hands of a table
        raise HallError("NOT_ALLOWED", case="hands")
    if table.chairs[seat].shoulder != command.user:
        update.emit(ShoulderSet(seat=seat, user=command.user))


def _set(update: TableUpdate, command: say.Set) -> None:
    table, by = update.table, update.by
    seat = table.seat_of(by.user)
    if seat is None and table.owner != by.user:
        raise HallError("NOT_SEATED")
    _own_business(table)
    _one_deal(table)
    if table.state not in ("open", "between") or table.coming is not None:
        raise HallError("GAME_RUNNING")
    if any(offer.what == "set" for offer in table.offers):
        raise HallError("OFFER_OPEN")
    changes = seats.changes(table, command.options, command.clock)
    if command.match is not UNSET:
        _matched(update, command.match, seat, changed=changes != seats.changes(table, UNSET, UNSET))
        return
    if any(chair.ready for s, chair in enumerate(table.chairs) if s != seat):
        raise HallError("GAME_RUNNING", case="ready")
    others = [s for s, chair in enumerate(table.players) if chair.user is not None and s != seat]
    if table.setting.seats == 2 and seat is not None and others:
        wire = {
            name: value
            for name, value in (("options", command.options), ("clock", command.clock))
            if value is not UNSET
        }
        secret = None
        if isinstance(wire.get("options"), dict) and "password" not in table.entry.option_names():
            if isinstance(said := wire["options"].get("password"), str):  # everybody is told what is offered
                wire["options"] = {**wire["options"], "password": True}
                secret = PasswordSecret(seats.kept_password(said, table.id))
        _offer_of(update, seat, "set", wire, secret)
        return
    if table.owner != by.user and table.setting.seats != 2:
        raise HallError("NOT_ALLOWED", case="owner")
    _changed(update, changes, by.user)


def _matched(update: TableUpdate, match: Literal["new", "on"], seat: Seat | None, *, changed: bool) -> None:
    """Let the owner choose: the next deal begins a new match, or continues the present one."""
    table, by = update.table, update.by
    if table.owner != by.user:
        raise HallError("NOT_ALLOWED")
    if table.match is None or table.match.carry is None or changed:
        raise HallError("BAD_OPTION", field="match")
    if any(chair.ready for s, chair in enumerate(table.chairs) if s != seat):
        raise HallError("GAME_RUNNING")
    if table.match.fresh != (match == "new"):
        _changed(update, seats.changes(table, UNSET, UNSET), by.user, match)


def _changed(
    update: TableUpdate, changes: seats.Changes, by: int | None, match: Literal["new", "on"] | UnsetType = UNSET
) -> None:
    properties = PropertiesSet(
        rules=update.table.entry.edition,
        options=changes.options,
        clock=changes.clock,
        terms=changes.terms,
        by=by,
        match=match,
    )
    update.emit(properties, KeySecret(changes.key) if changes.key != update.table.key else None)


def _relink(update: TableUpdate, command: Relink) -> None:
    table = update.table
    if table.owner != update.by.user or not table.terms.private:
        raise HallError("NOT_ALLOWED", case="owner")
    if table.state not in ("open", "between") or table.coming is not None:
        raise HallError("GAME_RUNNING")
    _changed(update, seats.Changes(table.options, table.clock, table.terms, command.key), update.by.user)


def plays(table: Table, level: str, limits: TableLimits) -> bool:
    """Tell whether a table can have a bot of this level: one of ours, or an external engine that knows the game."""
    entry = table.entry
    if level in entry.bots:
        return True
    return level in limits.engines and level in entry.engines and entry.engines[level].fits(entry.chosen(table.options))


def _fill(update: TableUpdate, command: say.Fill) -> None:
    table = update.table
    if table.owner != update.by.user:
        raise HallError("NOT_ALLOWED", case="owner")
    if table.state not in ("open", "between"):
        raise HallError("GAME_RUNNING")
    if not 0 <= command.seat < table.setting.seats:
        raise HallError("BAD_MESSAGE", field="seat")
    chair = table.chairs[command.seat]
    if chair.user is not None:
        raise HallError("SEAT_TAKEN")
    if command.level is not None and not table.setting.bots:
        raise HallError("NOT_ALLOWED", case="people")
    level = command.level if command.level is None else table.entry.level(command.level)
    if level is not None and not plays(table, level, update.limits):
        raise HallError("BAD_OPTION", field="level")
    if level is not None and table.setting.duplicate and level != table.entry.level(LEVEL):
        raise HallError("NOT_ALLOWED", case="duplicate")
    if chair.bot == level:
        return
    if chair.bot is not None:
        update.emit(Stood(seat=command.seat, why="removed"))
    if command.level is not None:
        update.emit(Seated(seat=command.seat, bot=command.level))


def _remove(update: TableUpdate, command: say.Remove) -> None:
    table, by = update.table, update.by
    if not 0 <= command.seat < table.setting.places:
        raise HallError("BAD_MESSAGE", field="seat")
    if not by.moderator and (table.owner != by.user or by.bot):
        if by.unproven:
            raise HallError("SECOND_FACTOR", case="moderator")
        raise HallError("NOT_ALLOWED", case="owner")
    if by.moderator and table.owner != by.user and not command.why:
        raise HallError("BAD_MESSAGE", field="why")
    chair = table.chairs[command.seat]
    if not chair.taken or chair.presence == "left":
        raise HallError("NOT_SEATED")
    if not table.playing:
        ruled = by.moderator and table.owner != by.user and chair.user is not None
        update.stand(
            command.seat, "removed", update.ruling(command.seat, command.why or "", table.stream) if ruled else None
        )
    elif not by.moderator:
        raise HallError("GAME_RUNNING")
    elif not command.why:
        raise HallError("BAD_MESSAGE", field="why")
    elif chair.user is not None:
        update.leave(command.seat, kicked=command.why)


def _offer(update: TableUpdate, command: say.Offer) -> None:
    seat = update.player()
    table = update.table
    _own_business(table)
    if table.playing and table.setting.duplicate:
        raise HallError("NOT_ALLOWED", case="duplicate")  # a bad board would be stopped
    # Between two deals, players who owe more deals may agree to stop without a fine (P-58).
    owed = command.what == "stop" and any(
        settlement.breach(table, update.limits, each) for each in range(table.setting.seats)
    )
    if not table.playing and not owed:
        raise HallError("NO_GAME")
    if any(offer.seat == seat or offer.what == command.what for offer in table.offers):
        raise HallError("OFFER_OPEN", case="twice")
    if command.what == "takeback":
        if not may_undo(table, update.deal):
            raise HallError("NOT_ALLOWED", case="takeback")
        if undo_to(update.deal, seat) is None:
            raise HallError("NOT_ALLOWED", case="unmoved")
    _offer_of(update, seat, command.what)


def _offer_of(
    update: TableUpdate,
    seat: Seat,
    what: Literal["takeback", "stop", "set"],
    wire: Json | UnsetType = UNSET,
    secret: PasswordSecret | None = None,
) -> None:
    """Make an offer to the others. Bots agree at once, but a substitute never agrees to a takeback (13.1)."""
    number = update.table.offer_no + 1
    most = update.limits.offer if what == "set" else update.while_away(update.limits.offer)
    update.emit(OfferMade(offer=number, seat=seat, what=what, until=update.now + most, set=wire), secret)
    away = next((s for s, chair in enumerate(update.table.chairs) if chair.away), None)
    if what == "takeback" and away is not None:
        # Moves against an absent player are not taken back.
        update.emit(OfferAnswered(offer=number, seat=away, yes=False))
    elif all(chair.user is None or s == seat for s, chair in enumerate(update.table.players)):
        _stands(update, update.table.offers[-1])


def _answer(update: TableUpdate, command: say.Answer) -> None:
    seat = update.player()
    offer = next((offer for offer in update.table.offers if offer.offer == command.offer), None)
    if offer is None or offer.seat == seat:
        raise HallError("OFFER_GONE")
    if seat in offer.yes and command.yes:
        return
    update.emit(OfferAnswered(offer=command.offer, seat=seat, yes=command.yes))
    if command.yes and all(other.offer != command.offer for other in update.table.offers):
        _stands(update, offer)


def _stands(update: TableUpdate, offer: Offered) -> None:
    """Carry out an offer that everybody has accepted."""
    table = update.table
    if any(other.offer == offer.offer for other in table.offers):
        update.emit(OfferAnswered(offer=offer.offer, seat=None, yes=True))
    match offer.what:
        case "set":
            wire = offer.set
            changes = seats.changes(table, wire.get("options", UNSET), wire.get("clock", UNSET), offer.password)
            _changed(update, changes, table.chairs[offer.seat].user)
        case "stop":
            if table.playing:  # between two deals the answer alone releases everybody
                update.void("stopped")
        case "takeback":
            to = undo_to(update.deal, offer.seat)
            if to is not None:
                update.emit(TakenBack(to=to))


def carry_out(update: TableUpdate, command: TableCommand) -> None:
    """Let a command change a table; raises HallError where it is refused."""
    match command:
        case say.Act():
            _act(update, command)
        case say.Try():
            _try(update, command)
        case say.Sit():
            _sit(update, command)
        case say.Stand():
            _stand(update, command)
        case say.Ready():
            _ready(update, command)
        case say.Seed():
            _seed(update, command)
        case say.Back():
            _back(update, command)
        case say.Standing():
            _standing(update, command)
        case say.Prepare():
            _prepare(update, command)
        case say.Shoulder():
            _shoulder(update, command)
        case say.Set():
            _set(update, command)
        case say.Fill():
            _fill(update, command)
        case say.Remove():
            _remove(update, command)
        case say.Offer():
            _offer(update, command)
        case say.Answer():
            _answer(update, command)
        case Relink():
            _relink(update, command)
        case _:
            handle_system(update, command)
