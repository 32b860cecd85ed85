"""The fold: how each event changes a table. Pure; a table changes nowhere else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, assert_never

from msgspec import UNSET, Struct
from msgspec.structs import replace

from qipai import games
from qipai.core.contract import Notice, Seat
from qipai.hall.table.deal import Course, acted, begun, resumed, time_returned, undone
from qipai.hall.table.events import (
    AnyEvent,
    BotWeakened,
    Closed,
    DealCreated,
    DealSeeded,
    Fined,
    GameTimeReturned,
    HallEvent,
    HoldingsChanged,
    KeySecret,
    MoveSecret,
    OfferAnswered,
    OfferMade,
    Opened,
    OpenedSecret,
    PasswordSecret,
    Played,
    PlayedFor,
    PreparedGone,
    PreparedSecret,
    PreparedSet,
    PresenceChanged,
    PropertiesSet,
    Readied,
    Resumed,
    Seated,
    Secret,
    SeededSecret,
    SeedSecret,
    Settled,
    ShoulderSet,
    ShownLater,
    StandingSecret,
    StandingSet,
    Stood,
    Swapped,
    TakenBack,
    TimeReturned,
    given,
    holdings_of,
    move_of,
)
from qipai.hall.table.fair import seal
from qipai.hall.table.interned import agreed, chosen, interned
from qipai.hall.table.model import Chair, Deal, Match, Offered, Setting, Table
from qipai.hall.table.observation import everybody, views_of
from qipai.ledger import Paid
from qipai.ledger.ending import after_pay

__all__ = ["Skipped", "counted", "fold", "numbered", "passed", "plain", "reach_of", "through"]

Folded = tuple[Table, tuple[Notice, ...]]
BEFOREHAND: Final = frozenset({StandingSet, PreparedSet})


def fold(table: Table, event: HallEvent) -> Folded:
    """Return the table after an event, and what it tells; channels are numbered by `numbered` afterwards."""
    what, now = event.what, event.now
    after, told = _folded(table, event, what, now)
    if what.OF_GAME:
        return _waiting(after, now), told
    after = _waiting(replace(after, rows=after.rows + 1), now)
    if type(what) in BEFOREHAND:
        return after, told  # nobody else is told; only the seat's own channel sees it
    return after, (Notice(what), *told)


def _folded(table: Table, event: HallEvent, what: AnyEvent, now: int) -> Folded:
    """Return the table after an event, and what that tells beside itself."""
    match what:
        case Played() | PlayedFor():
            return _played(table, what, event.hidden(MoveSecret), now, event.action)
        case Resumed():
            return _resumed(table, now)
        case ShownLater():
            return _shown(table, what)
        case DealCreated():
            return _created(table, what, event.hidden(SeedSecret), now)
        case DealSeeded():
            return _seeded(table, what, event.hidden(SeededSecret), now)
        case Settled():
            return _settled(table, what, now)
        case TakenBack():
            return _taken_back(table, what, now)
        case GameTimeReturned():
            return _game_waited(table, what.ms), ()
        case Opened():
            return _opened(table, what, event.hidden(OpenedSecret)), ()
        case Seated():
            return _seated(table, what, event.secret), ()
        case Stood():
            return _stood(table, what.seat, now), ()
        case Swapped():
            return _swapped(table), ()
        case Readied():
            after = _chair(table, what.seat, ready=what.on)
            return (after if what.on else _parted(after, now)), ()
        case PropertiesSet():
            return _set(table, what, event.hidden(KeySecret)), ()
        case Closed():
            return replace(table, state="closed", offers=(), coming=None, again=None), ()
        case OfferMade():
            return _offered(table, what, event.hidden(PasswordSecret)), ()
        case OfferAnswered():
            return _answered(table, what), ()
        case PresenceChanged():
            return _presence(table, what), ()
        case BotWeakened():
            return _chair(table, what.seat, below=True), ()
        case StandingSet():
            standing = event.hidden(StandingSecret)
            assert standing is not None
            return _chair(table, standing.seat, standing=standing.answers), ()
        case PreparedSet():
            plan = event.hidden(PreparedSecret)
            assert plan is not None
            told = (Notice(PreparedGone(), frozenset({plan.seat})),) if plan.gone else ()
            return _chair(table, plan.seat, prepared=plan.lines), told
        case ShoulderSet():
            return _chair(table, what.seat, shoulder=what.user), ()
        case HoldingsChanged():
            return _chair(table, what.seat, holdings=holdings_of(what.score, what.credibility, event.secret)), ()
        case Fined():
            return _fined(table, what), ()
        case TimeReturned():
            return _waited(table, what.ms), ()
        case _:
            assert_never(what)


def numbered(table: Table, reach: int) -> Table:
    """Return the table with the numbers of the reached channels one up."""
    if reach == (1 << len(table.seqs)) - 1:  # everybody
        return replace(table, seqs=tuple([n + 1 for n in table.seqs]))
    return replace(table, seqs=tuple([n + (reach >> i & 1) for i, n in enumerate(table.seqs)]))


def plain(table: Table, rows: Sequence[HallEvent], first: int, end: int) -> int:
    """Return the end of a run of rows, from `first` to at most `end`, that are actions and change only the deal."""
    at = first
    if (
        table.playing
        and not table.offers
        and table.unready is table.empty is table.waits is None
        and table.setting.watch.mode != "delayed"
    ):
        late = {seat for seat, chair in enumerate(table.chairs) if chair.row}
        while at < end:
            row = rows[at]
            what, secret = row.what, row.hidden(MoveSecret)
            if not isinstance(what, Played):
                if not isinstance(what, PlayedFor) or "timeout" in (what.why, secret and secret.why):
                    break
            if late and (what.seat if what.seat is not UNSET or secret is None else secret.seat) in late:
                break
            at += 1
    return at


def through(table: Table, rows: Sequence[HallEvent]) -> Table:
    """Return the table after rows that are `plain`, with the numbers of its channels; what they tell is not kept."""
    assert table.deal is not None
    course = Course(table, table.deal)
    course.hurry()
    last = rows[-1]
    for row in rows:
        if row is last:
            course.arrive()  # the deal may end with it
        assert isinstance(row.what, (Played, PlayedFor))
        course.act(move_of(row.what, row.hidden(MoveSecret)), row.now)
    return replace(table, deal=course.deal(), seqs=_numbers(table, counted(table, rows)))


class Skipped(Struct, frozen=True):
    """Rows of a deal of which only their number is needed. masks: of those that did not reach all channels."""

    rows: int
    masks: tuple[tuple[int, int], ...] = ()  # (mask, rows)


def passed(table: Table, skipped: Skipped) -> Table:
    """Return the table after rows of a deal from which only their number is needed."""
    assert table.deal is not None
    deal = replace(table.deal, rows=table.deal.rows + skipped.rows)
    return replace(table, deal=deal, seqs=_numbers(table, skipped))


def counted(table: Table, rows: Sequence[HallEvent]) -> Skipped:
    """Count rows that do not change how many channels there are."""
    everyone = everybody(table)
    masks = Counter(row.secret.reach for row in rows if row.secret is not None and row.secret.reach is not UNSET)
    return Skipped(len(rows), tuple((mask, count) for mask, count in masks.items() if mask != everyone))


def _numbers(table: Table, skipped: Skipped) -> tuple[int, ...]:
    """Return the numbers of a table's channels after rows that were counted."""
    all_ = skipped.rows - sum(rows for _mask, rows in skipped.masks)
    return tuple(
        number + all_ + sum(rows for mask, rows in skipped.masks if mask >> channel & 1)
        for channel, number in enumerate(table.seqs)
    )


def reach_of(table: Table, secret: Secret | None) -> int:
    """Return whom a stored event reached: everybody, unless it says otherwise."""
    return everybody(table) if secret is None or secret.reach is UNSET else secret.reach


def _waiting(table: Table, now: int) -> Table:
    """Return the table with the times since when somebody keeps the others waiting (P-18) and since when it is empty.

    At turn-based tables nobody keeps others waiting, but no table waits for ever.
    """
    if table.playing and table.unready is table.empty is table.waits is None:
        return table
    unready = None
    turn_based, apart = table.turn_based, table.state in ("open", "between")
    contest = table.setting.contest is not None  # its players are waited for until `begin_by`
    if apart and not turn_based and not contest:
        unready = _unready(table, now)
    empty = None
    if apart and table.setting.made and all(c.user is None for c in table.chairs):
        empty = now if table.empty is None else table.empty
    sits = turn_based and table.state == "open" and any(chair.user is not None for chair in table.chairs)
    waits = now if sits and not contest else None  # counted from the last event here
    if (unready, empty, waits) == (table.unready, table.empty, table.waits):
        return table
    return replace(table, unready=unready, empty=empty, waits=waits)


def _unready(table: Table, now: int) -> int | None:
    """Return since when a single person who is not ready keeps other people waiting; bots do not count."""
    delayed_view = people = 0
    for chair in table.players:
        if chair.user is not None:
            people += 1
            delayed_view += not chair.ready
        elif chair.bot is None:
            return None
    if delayed_view != 1 or people < 2:
        return None
    return now if table.unready is None else table.unready


def _chair(table: Table, seat: Seat, **changes: Any) -> Table:
    chairs = list(table.chairs)
    chairs[seat] = replace(chairs[seat], **changes)
    return replace(table, chairs=tuple(chairs))


def _opened(table: Table, what: Opened, secret: OpenedSecret | None) -> Table:
    secret = secret or OpenedSecret()
    setting = Setting(
        room=what.room,
        no=what.no,
        game=interned(what.game),
        kind=interned(what.kind),
        seats=what.seats,
        variant=interned(what.variant),
        preset=interned(what.preset),
        bots=what.bots,
        watch=interned(what.watch),
        made=what.made,
        pass_=given(what.pass_),
        bench=what.bench,
        contest=given(what.contest),
        duplicate=what.duplicate,
        start=given(what.start),
    )
    places = setting.places
    kept = table.chairs if len(table.chairs) == places else (Chair(),) * places
    seqs = given(secret.seqs) or table.seqs or (0,)
    if len(seqs) != places + 1:  # if the number of places changed, numbers continue above all that were used
        seqs = (max(seqs),) * (places + 1)
    options, clock, terms = usual = agreed(_meant(what.game, what), what.clock, what.terms)
    return replace(
        table,
        setting=setting,
        options=options,
        clock=clock,
        terms=terms,
        usual=table.usual if any(chair.taken for chair in kept) else usual,
        key=given(secret.key),
        board_seed=given(secret.server_seed),
        trunk=given(secret.trunk),
        owner=what.owner,
        state="open",
        played=table.played if what.bound else 0,
        # The match is over.
        chairs=tuple(
            replace(c, standing=(), prepared=(), shoulder=None) if c.standing or c.prepared or c.shoulder else c
            for c in kept
        ),
        coming=None,
        deal=None,
        match=_of_those(table.match, kept),
        again=None,
        offers=(),
        seqs=seqs,
        rows=table.rows if secret.rows is UNSET else secret.rows,
        order=table.order if secret.order is UNSET else secret.order,
        offer_no=table.offer_no if secret.offer_no is UNSET else secret.offer_no,
    )


def _meant(game: str, what: Opened | PropertiesSet) -> Any:
    """Return the options that a table was opened with or set to, those that differ from today's defaults."""
    edition = what.rules or 1
    if edition >= games.find(game).edition:
        return what.options
    _options, changed = chosen(games.find(game), games.find(game).as_of(what.options, edition))
    return changed


def _seated(table: Table, what: Seated, secret: Secret | None) -> Table:
    seat = what.seat
    chair = Chair(
        user=given(what.user),
        bot=given(what.bot),
        sat=table.order + 1,
        # The snapshot that answers the command already includes this event.
        since=table.seqs[seat] + 1,
        holdings=holdings_of(what.score, what.credibility, secret),
    )
    chairs = (*table.chairs[:seat], chair, *table.chairs[seat + 1 :])
    if chair.user is not None:  # whoever plays here looks into nobody's hand
        chairs = tuple(replace(c, shoulder=None) if c.shoulder == chair.user else c for c in chairs)
    owner = table.owner
    if (owner is None and table.setting.contest is None) or what.owner:
        owner = chair.user
    after = replace(table, chairs=chairs, order=table.order + 1, owner=owner, coming=None)
    if table.benched(seat):
        return after
    if table.match is not None and table.match.goes_on and seat in after.instead:
        # Those who were ready have not agreed to play on with this person.
        after = replace(after, chairs=tuple([replace(one, ready=False) if one.ready else one for one in chairs]))
    return replace(after, played=0)


def _of_those(match: Match | None, chairs: Sequence[Chair]) -> Match | None:
    """Return the match while at least one of its players sits here, else None."""
    return match if match is not None and any(c.user is not None and c.user in match.who for c in chairs) else None


def _stood(table: Table, seat: Seat, now: int) -> Table:
    gone = table.chairs[seat]
    chairs = (*table.chairs[:seat], Chair(), *table.chairs[seat + 1 :])
    owner = table.owner
    if gone.user is not None and gone.user == owner:
        owner = _next_owner(table, chairs)
    offers = tuple(offer for offer in table.offers if offer.seat != seat)
    after = replace(table, chairs=chairs, owner=owner, offers=offers, match=_of_those(table.match, chairs))
    if table.benched(seat):
        return replace(after, coming=None)  # a deal that is coming names its players, so it is created again
    if table.usual is not None and not table.setting.made and not any(chair.taken for chair in chairs):
        options, clock, terms = table.usual  # a room's table that everybody has left has the room's settings again
        after = replace(after, options=options, clock=clock, terms=terms, key=None)
    return _parted(replace(after, played=0), now)


def _next_owner(table: Table, chairs: Sequence[Chair]) -> int | None:
    """Return the next owner of a table: whoever sat down first among its seats, else on its bench (X13)."""
    seats = table.setting.seats
    there = (
        (seat >= seats, chair.sat, chair.user)
        for seat, chair in enumerate(chairs)
        if chair.user is not None and chair.presence != "left"
    )
    return min(there, default=(False, 0, None))[2]


def _parted(table: Table, now: int) -> Table:
    """Return the table without its coming deal; after a game, this ends the match (P-25)."""
    if table.coming is None:
        return table
    return replace(table, coming=None, again=now if table.state == "between" else None)


def _swapped(table: Table) -> Table:
    first, second, *bench = table.chairs
    # A player who changes seats changes channels: numbers continue from those of the new channel.
    first, second = replace(first, since=table.seqs[1] + 1), replace(second, since=table.seqs[0] + 1)
    swapped = tuple(replace(offer, seat=1 - offer.seat) for offer in table.offers)
    return replace(table, chairs=(second, first, *bench), offers=swapped)


def _set(table: Table, what: PropertiesSet, secret: KeySecret | None) -> Table:
    chairs = tuple(replace(chair, ready=False) for chair in table.chairs)
    key = table.key if secret is None or secret.key is UNSET else secret.key
    options, clock, terms = agreed(_meant(table.setting.game, what), what.clock, what.terms)
    match = table.match
    if match is not None and options != table.options:
        match = None  # other rules begin another match
    if match is not None and what.match is not UNSET:
        match = replace(match, fresh=what.match == "new")
    return replace(
        table,
        options=options,
        clock=clock,
        terms=terms,
        key=key,
        match=match,
        # A change after somebody sat down releases them from what they agreed to; a new match alone does not.
        played=0 if what.match is UNSET else table.played,
        chairs=chairs,
        coming=None,
        offers=tuple(offer for offer in table.offers if offer.what != "set"),
    )


def _offered(table: Table, what: OfferMade, secret: PasswordSecret | None) -> Table:
    password = None if secret is None else given(secret.password)
    offer = Offered(what.offer, what.seat, what.what, what.until, frozenset(), given(what.set), password)
    return replace(table, offers=(*table.offers, offer), offer_no=what.offer)


def _answered(table: Table, what: OfferAnswered) -> Table:
    offers, played = [], table.played
    for offer in table.offers:
        if offer.offer != what.offer:
            offers.append(offer)
        elif what.yes:
            agreed = offer if what.seat is None else replace(offer, yes=offer.yes | {what.seat})
            others = {s for s, chair in enumerate(table.players) if chair.user is not None and s != offer.seat}
            if not others <= agreed.yes:
                offers.append(agreed)
            elif offer.what == "stop" and table.state == "between":
                played = 0  # nobody owes deals any more
    return replace(table, offers=tuple(offers), played=played)


def _presence(table: Table, what: PresenceChanged) -> Table:
    state, chair = what.state, table.chairs[what.seat]
    after = _chair(
        table,
        what.seat,
        presence=state,
        until=what.until,
        lost=(state != "online" and chair.lost) if what.lost is UNSET else what.lost,
        price=what.price or 0,
        free=what.free or False,
        kicked=what.kicked,
        row=0,
        prepared=() if state in ("bot", "left") else chair.prepared,  # a substitute plays otherwise
        shoulder=None if state in ("bot", "left") else chair.shoulder,  # and nobody looks over a bot's shoulder
    )
    if state == "left" and table.owner == chair.user:
        after = replace(after, owner=_next_owner(after, after.chairs))
    return after


def _fined(table: Table, what: Fined) -> Table:
    holdings = table.chairs[what.seat].holdings
    assert holdings is not None
    paid = Paid(what.seat, score=what.score, coins=what.coins, credibility=what.credibility)
    return _chair(table, what.seat, holdings=after_pay(holdings, paid))


def _created(table: Table, what: DealCreated, secret: SeedSecret | None, now: int) -> Folded:
    options, changed = chosen(table.entry, table.entry.as_of(what.options, what.edition))
    seed = None if secret is None else given(secret.server_seed)
    assert seed is None or seal(seed) == what.commitment
    deal = Deal(
        game_id=what.game_id,
        no=what.deal,
        options=options,
        changed=changed,
        carry=what.carry,
        who=tuple([each.bot or "" if each.user is None else each.user for each in what.seats]),
        bench=what.bench,
        first_seated=what.first_seated,
        commitment=what.commitment,
        server_seed=seed,
        board=given(what.board),
        board_no=given(what.board_no),
        start=given(what.start),
        trunk=None if secret is None else given(secret.trunk),
        seeds=() if what.commitment is None or what.board else (None,) * len(what.seats),
        deadline=now + what.wait,
        rows=1,
    )
    told = (Notice(replace(what, options=changed)),)
    after = replace(table, again=None)
    if what.commitment is not None:
        return replace(after, coming=deal), told
    return _started(after, deal, now), told


def _seeded(table: Table, what: DealSeeded, secret: SeededSecret | None, now: int) -> Folded:
    coming = table.coming
    assert coming is not None
    deal = replace(coming, client_seeds=what.client_seeds, seeds=(), rows=coming.rows + 1)
    if secret is not None and secret.trunk is not UNSET:
        deal = replace(deal, trunk=secret.trunk, drawn=secret.drawn)
    return _started(table, deal, now), (Notice(what),)


def _started(table: Table, deal: Deal, now: int) -> Table:
    fresh: dict[str, Any] = {
        "ready": False,
        "flags": 0,
        "row": 0,
        "price": 0,
        "free": False,
        "below": False,
        "prepared": (),
    }
    chairs = tuple(replace(chair, **fresh) for chair in table.chairs)
    after = replace(table, chairs=chairs, state="playing", coming=None, offers=())
    return _kept(replace(after, deal=begun(after, deal, now)), now)


def _kept(table: Table, now: int) -> Table:
    """Return the table with the seats' present views kept, to be shown to watchers later (P-88)."""
    deal = table.deal
    if table.setting.watch.mode != "delayed" or deal is None:
        return table
    return replace(table, deal=replace(deal, past=(*deal.past, (now, views_of(table, deal)))))


def _shown(table: Table, what: ShownLater) -> Folded:
    deal = table.deal
    assert deal is not None
    old = [each for each in deal.past if each[0] <= what.at]
    after = replace(deal, delayed_view=old[-1], past=deal.past[len(old) :], rows=deal.rows + 1)
    return replace(table, deal=after), ()


def _played(table: Table, what: Played | PlayedFor, secret: MoveSecret | None, now: int, action: Any) -> Folded:
    assert table.deal is not None
    move = move_of(what, secret)
    deal, told = acted(table, move, now, action)
    seat = move.seat
    after = _kept(replace(table, deal=deal), now)
    if seat >= 0:
        hidden = table.deal.concealed_until is not None
        chair = table.chairs[seat]
        if isinstance(what, Played):
            if chair.row:
                after = _chair(after, seat, row=0)
        elif move.why == "timeout" and not hidden:
            # Events during an even pause are not counted: a count would reveal who was asked.
            after = _chair(after, seat, row=chair.row + 1, flags=chair.flags + 1)
        # An offer ends with the next action of whoever made it, unless the action is hidden: the end would reveal it.
        if table.offers and not hidden and what.seat is not UNSET:
            after = replace(after, offers=tuple(offer for offer in table.offers if offer.seat != seat))
    return after, told


def _taken_back(table: Table, what: TakenBack, now: int) -> Folded:
    assert table.deal is not None
    deal = undone(table, what.to, now, table.deal.rows + 1)
    # What was prepared was meant for a position that is no more.
    chairs = tuple([replace(chair, prepared=()) if chair.prepared else chair for chair in table.chairs])
    return replace(table, deal=deal, chairs=chairs), (Notice(what),)


def _resumed(table: Table, now: int) -> Folded:
    assert table.deal is not None
    deal, withheld = resumed(table, now, table.deal.rows + 1)
    return replace(table, deal=deal), withheld


def _waited(table: Table, ms: int) -> Table:
    """Extend everything that a table waits for by the time of an outage (P-100)."""
    chairs = tuple(replace(c, until=c.until + ms) if c.until is not None else c for c in table.chairs)
    offers = tuple(replace(offer, until=offer.until + ms) for offer in table.offers)
    again, unready = (None if at is None else at + ms for at in (table.again, table.unready))
    setting, contest = table.setting, table.setting.contest
    if contest is not None and contest.begin_by is not None and table.state == "open":
        setting = replace(setting, contest=replace(contest, begin_by=contest.begin_by + ms))
    return replace(table, setting=setting, chairs=chairs, offers=offers, again=again, unready=unready)


def _game_waited(table: Table, ms: int) -> Table:
    after = _waited(table, ms)
    if (coming := table.coming) is not None:
        return replace(after, coming=replace(coming, deadline=coming.deadline + ms, rows=coming.rows + 1))
    assert table.deal is not None
    return replace(after, deal=time_returned(table.deal, ms, table.deal.rows + 1))


def _settled(table: Table, what: Settled, now: int) -> Folded:
    assert table.deal is not None
    deal = replace(
        table.deal,
        result=what,
        rows=table.deal.rows + 1,
        asks=(None,) * table.setting.places,
        timed=frozenset(),
        may=frozenset(),
        nature_at=None,
        concealed_until=None,
        soon=None,
        shown_meanwhile=None,
        withheld=(),
    )
    # Players who were replaced only because of the clock keep their seats; absent ones are stood up by later events.
    chairs = [replace(c, presence="online") if c.presence == "bot" and not c.lost else c for c in table.chairs]
    chairs = [replace(c, prepared=()) if c.prepared else c for c in chairs]
    for paid in what.paid:
        chair = chairs[paid.seat]
        if chair.holdings is not None and paid.credibility is not None:
            chairs[paid.seat] = replace(chair, holdings=after_pay(chair.holdings, paid))
    told = (*table.deal.withheld, Notice(what))
    after = replace(
        table,
        state="between",
        deal=deal,
        match=_match_after(table, table.deal, what),
        chairs=tuple(chairs),
        offers=(),
        again=now + what.again,
        played=table.played + 1,
    )
    return after, told


def _match_after(table: Table, deal: Deal, ended: Settled) -> Match | None:
    """Return what a deal leaves for the next one; a deal that was broken off is dealt again."""
    why, carry = ended.why, ended.carry
    if why in ("stopped", "closed"):  # everybody agreed to stop, or a moderator closed the table
        return None
    if table.setting.goes_on:  # it is no deal of a match
        return None
    seats = table.setting.seats
    if table.setting.duplicate:  # every board stands alone
        return Match(no=1, carry=None, first_seated=deal.first_seated, who=deal.who)
    # A match's first deal has nothing to add to; of matches that older logs tell of nothing was summed up.
    before = table.match.points if table.match is not None and deal.no > 1 else ()
    points = [one + other for one, other in zip(before or (0,) * seats, ended.points, strict=False)]
    again = carry is None and why in ("void", table.entry.leaving.void)
    return Match(
        no=deal.no if again else deal.no + 1,
        carry=deal.carry if again else carry,
        first_seated=deal.first_seated,
        who=deal.who,
        points=tuple(points[:seats]),
    )
