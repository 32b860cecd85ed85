"""What each fact makes of a table: the table is its facts, folded. Pure; the only place where a table changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from qipai import games
from qipai.core.contract import Seat, Told
from qipai.hall.table.deal import Course, acted, begun, given, resumed, undone
from qipai.hall.table.fair import seal
from qipai.hall.table.interned import agreed, chosen, same, watched
from qipai.hall.table.model import Chair, Deal, Fact, Match, Offered, Setting, Table
from qipai.hall.table.observation import everybody, views_of
from qipai.ledger import Purse
from qipai.ledger.ending import after_pay
from qipai.store import StoredEntry

__all__ = ["counted", "fold", "numbered", "plain", "reach_of", "through"]

Folded = tuple[Table, tuple[Told, ...]]


def fold(table: Table, fact: Fact) -> Folded:
    """Return the table after a fact, and what it tells; channels are numbered by `numbered` afterwards."""
    after, told = FOLDS[fact.type](table, fact)
    if fact.of_game:
        return _waiting(after, fact.now), told
    after = _waiting(replace(after, rows=after.rows + 1), fact.now)
    if fact.type == "table.standing":
        return after, told  # nobody hears of it; its own channel sees it
    return after, (Told({"e": fact.type, **fact.data}), *told)


def numbered(table: Table, reach: int) -> Table:
    """Return the table with the numbers of the reached channels one up."""
    if reach == (1 << len(table.seqs)) - 1:  # everybody
        return replace(table, seqs=tuple([n + 1 for n in table.seqs]))
    return replace(table, seqs=tuple([n + (reach >> i & 1) for i, n in enumerate(table.seqs)]))


def plain(table: Table, rows: Sequence[StoredEntry], first: int, end: int) -> int:
    """Return up to which row, `end` at most, rows from `first` on are actions that change nothing but the deal."""
    at = first
    if (
        table.playing
        and not table.offers
        and table.unready is table.empty is table.waits is None
        and table.setting.watch.mode != "delayed"
    ):
        delayed_view = {seat for seat, chair in enumerate(table.chairs) if chair.row}
        while at < end:
            row = rows[at]
            if row.type != "game.acted" and (row.type != "game.auto" or _said(row, "why") == "timeout"):
                break
            if delayed_view and _said(row, "seat") in delayed_view:
                break
            at += 1
    return at


def _said(row: StoredEntry, name: str) -> Any:
    return row.data[name] if name in row.data else (row.secret or {}).get(name)


def through(table: Table, rows: Sequence[StoredEntry]) -> Table:
    """Return the table after rows that are `plain`, with the numbers of its channels; what they tell is not kept."""
    assert table.deal is not None
    course = Course(table, table.deal)
    course.hurry()
    last = rows[-1]
    for row in rows:
        if row is last:
            course.arrive()  # the deal may end with it
        course.act(row.data if row.secret is None else {**row.data, **row.secret}, row.now)
    return replace(table, deal=course.deal(), seqs=_numbers(table, rows))


def counted(table: Table, rows: Sequence[StoredEntry]) -> Table:
    """Return the table after rows of a deal of which it needs nothing but their number."""
    assert table.deal is not None
    deal = replace(table.deal, rows=table.deal.rows + len(rows))
    return replace(table, deal=deal, seqs=_numbers(table, rows))


def _numbers(table: Table, rows: Sequence[StoredEntry]) -> tuple[int, ...]:
    """Return the numbers of a table's channels after rows that leave it as many."""
    everyone = everybody(table)
    seqs, all_ = [*table.seqs], 0
    for row in rows:
        reach = row.secret.get("reach", everyone) if row.secret else everyone
        if reach == everyone:
            all_ += 1
        else:
            for channel in range(len(seqs)):
                seqs[channel] += reach >> channel & 1
    return tuple([number + all_ for number in seqs])


def reach_of(table: Table, secret: Any) -> int:
    """Return whom a stored fact reached: everybody, where it does not say otherwise."""
    return int(secret["reach"]) if secret and "reach" in secret else everybody(table)


def _waiting(table: Table, now: int) -> Table:
    """Return the table with its marks of who keeps the others waiting (P-18), and of nobody being there.

    Nobody keeps anybody waiting where days are given for a move; but no table waits for ever.
    """
    if table.playing and table.unready is table.empty is table.waits is None:
        return table
    unready = None
    turn_based, apart = table.turn_based, table.state in ("open", "between")
    if apart and not turn_based:
        unready = _unready(table, now)
    empty = None
    if apart and table.setting.made and all(c.user is None for c in table.chairs):
        empty = now if table.empty is None else table.empty
    sits = turn_based and table.state == "open" and any(chair.user is not None for chair in table.chairs)
    waits = now if sits else None  # since the last that happened here
    if (unready, empty, waits) == (table.unready, table.empty, table.waits):
        return table
    return replace(table, unready=unready, empty=empty, waits=waits)


def _unready(table: Table, now: int) -> int | None:
    """Return since when one person alone, who is not ready, keeps others waiting; bots do not mind."""
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


def _opened(table: Table, fact: Fact) -> Folded:
    data, secret = fact.data, fact.secret or {}
    setting = Setting(
        room=data["room"],
        no=data["no"],
        game=same(data["game"]),
        kind=same(data["kind"]),
        seats=data["seats"],
        variant=same(data["variant"]),
        preset=same(data["preset"]),
        bots=data["bots"],
        watch=watched(data["watch"]),
        made=data["made"],
        pass_=data.get("pass"),
        bench=data.get("bench", 0),
    )
    places = setting.places
    kept = table.chairs if len(table.chairs) == places else (Chair(),) * places
    seqs = tuple(secret.get("seqs") or table.seqs or (0,))
    if len(seqs) != places + 1:  # a table that has other places now goes on above all numbers it has given
        seqs = (max(seqs),) * (places + 1)
    options, clock, terms = usual = agreed(_meant(data["game"], data), data["clock"], data["terms"])
    opened = replace(
        table,
        setting=setting,
        options=options,
        clock=clock,
        terms=terms,
        usual=table.usual if any(chair.taken for chair in kept) else usual,
        key=secret.get("key"),
        owner=data["owner"],
        state="open",
        played=table.played if data.get("bound") else 0,
        chairs=tuple(replace(chair, standing=()) if chair.standing else chair for chair in kept),  # the match is over
        coming=None,
        deal=None,
        match=_of_those(table.match, kept),
        again=None,
        offers=(),
        seqs=seqs,
        rows=secret.get("rows", table.rows),
        order=secret.get("order", table.order),
        offer_no=secret.get("offer_no", table.offer_no),
    )
    return opened, ()


def _meant(game: str, data: Any) -> Any:
    """Return the options that a table was opened with or set to, those that differ from today's defaults."""
    edition = data.get("rules", 1)
    if edition >= games.find(game).edition:
        return data["options"]
    _options, changed = chosen(games.find(game), games.find(game).as_of(data["options"], edition))
    return changed


def _sat(table: Table, fact: Fact) -> Folded:
    data = fact.data
    seat: Seat = data["seat"]
    chair = Chair(
        user=data.get("user"),
        bot=data.get("bot"),
        sat=table.order + 1,
        # Its own ev, the one that tells of the sitting down, is in the snapshot that it answers with.
        since=table.seqs[seat] + 1,
        purse=purse_of(fact),
    )
    chairs = (*table.chairs[:seat], chair, *table.chairs[seat + 1 :])
    owner = table.owner
    if owner is None or data.get("owner"):
        owner = chair.user
    after = replace(table, chairs=chairs, order=table.order + 1, owner=owner, coming=None)
    if table.benched(seat):
        return after, ()
    if table.match is not None and table.match.goes_on and seat in after.instead:
        # Whoever has said that he is ready has not agreed to go on with this one.
        after = replace(after, chairs=tuple([replace(one, ready=False) if one.ready else one for one in chairs]))
    return replace(after, played=0), ()


def _of_those(match: Match | None, chairs: Sequence[Chair]) -> Match | None:
    """Return a match as long as one of its people sits there."""
    return match if match is not None and any(c.user is not None and c.user in match.who for c in chairs) else None


def purse_of(fact: Fact) -> Purse | None:
    """Return what a fact tells of somebody's means; what nobody else may know of them stands in its secret part."""
    whole = fact.whole
    if whole.get("score") is None:
        return None
    return msgspec.convert(
        {"score": whole["score"], "credibility": whole["credibility"], **whole.get("purse", {})}, Purse
    )


def _stood(table: Table, fact: Fact) -> Folded:
    seat: Seat = fact.data["seat"]
    gone = table.chairs[seat]
    chairs = (*table.chairs[:seat], Chair(), *table.chairs[seat + 1 :])
    owner = table.owner
    if gone.user is not None and gone.user == owner:
        owner = _next_owner(table, chairs)
    offers = tuple(offer for offer in table.offers if offer.seat != seat)
    after = replace(table, chairs=chairs, owner=owner, offers=offers, match=_of_those(table.match, chairs))
    if table.benched(seat):
        return replace(after, coming=None), ()  # a deal that was to come names him: it is created again without him
    if table.usual is not None and not table.setting.made and not any(chair.taken for chair in chairs):
        options, clock, terms = table.usual  # a room's table that all have left asks what its room asks
        after = replace(after, options=options, clock=clock, terms=terms, key=None)
    return _parted(replace(after, played=0), fact.now), ()


def _next_owner(table: Table, chairs: Sequence[Chair]) -> int | None:
    """Return who owns a table next: who, of those at its seats, sat down first; else of those on its bench (X13)."""
    seats = table.setting.seats
    there = (
        (seat >= seats, chair.sat, chair.user)
        for seat, chair in enumerate(chairs)
        if chair.user is not None and chair.presence != "left"
    )
    return min(there, default=(False, 0, None))[2]


def _parted(table: Table, now: int) -> Table:
    """Return the table without the deal that was to come; after a game, the match is over then (P-25)."""
    if table.coming is None:
        return table
    return replace(table, coming=None, again=now if table.state == "between" else None)


def _swapped(table: Table, fact: Fact) -> Folded:
    first, second, *bench = table.chairs
    # Whoever changes seats has changed channels: the numbers count from where the other channel stands.
    first, second = replace(first, since=table.seqs[1] + 1), replace(second, since=table.seqs[0] + 1)
    swapped = tuple(replace(offer, seat=1 - offer.seat) for offer in table.offers)
    return replace(table, chairs=(second, first, *bench), offers=swapped), ()


def _readied(table: Table, fact: Fact) -> Folded:
    after = _chair(table, fact.data["seat"], ready=fact.data["on"])
    return (after if fact.data["on"] else _parted(after, fact.now)), ()


def _set(table: Table, fact: Fact) -> Folded:
    data = fact.data
    chairs = tuple(replace(chair, ready=False) for chair in table.chairs)
    key = (fact.secret or {}).get("key", table.key)
    options, clock, terms = agreed(_meant(table.setting.game, data), data["clock"], data["terms"])
    match = table.match
    if match is not None and options != table.options:
        match = None  # by other rules another match begins
    chosen = data.get("match")
    if match is not None and chosen is not None:
        match = replace(match, fresh=chosen == "new")
    after = replace(
        table,
        options=options,
        clock=clock,
        terms=terms,
        key=key,
        match=match,
        # Nobody is bound by what was changed after he sat down; which match is played changes nothing of that.
        played=table.played if chosen is not None else 0,
        chairs=chairs,
        coming=None,
        offers=tuple(offer for offer in table.offers if offer.what != "set"),
    )
    return after, ()


def _closed(table: Table, fact: Fact) -> Folded:
    return replace(table, state="closed", offers=(), coming=None, again=None), ()


def _offered(table: Table, fact: Fact) -> Folded:
    data = fact.data
    password = (fact.secret or {}).get("password")
    offer = Offered(data["offer"], data["seat"], data["what"], data["until"], frozenset(), data.get("set"), password)
    return replace(table, offers=(*table.offers, offer), offer_no=data["offer"]), ()


def _answered(table: Table, fact: Fact) -> Folded:
    data = fact.data
    offers, played = [], table.played
    for offer in table.offers:
        if offer.offer != data["offer"]:
            offers.append(offer)
        elif data["yes"]:
            agreed = replace(offer, yes=offer.yes | {data["seat"]})
            others = {s for s, chair in enumerate(table.players) if chair.user is not None and s != offer.seat}
            if not others <= agreed.yes:
                offers.append(agreed)
            elif offer.what == "stop" and table.state == "between":
                played = 0  # nobody is bound any more
    return replace(table, offers=tuple(offers), played=played), ()


def _presence(table: Table, fact: Fact) -> Folded:
    data = fact.data
    state = data["state"]
    after = _chair(
        table,
        data["seat"],
        presence=state,
        until=data["until"],
        lost=data.get("lost", state != "online" and table.chairs[data["seat"]].lost),
        price=data.get("price", 0),
        free=data.get("free", False),
        kicked=data.get("kicked", False),
        row=0,
    )
    if state == "left" and table.owner == table.chairs[data["seat"]].user:
        after = replace(after, owner=_next_owner(after, after.chairs))
    return after, ()


def _below(table: Table, fact: Fact) -> Folded:
    return _chair(table, fact.data["seat"], below=True), ()


def _standing(table: Table, fact: Fact) -> Folded:
    whole = fact.whole
    return _chair(table, whole["seat"], standing=tuple(whole["answers"])), ()


def _scored(table: Table, fact: Fact) -> Folded:
    return _chair(table, fact.data["seat"], purse=purse_of(fact)), ()


def _fined(table: Table, fact: Fact) -> Folded:
    data = fact.data
    purse = table.chairs[data["seat"]].purse
    assert purse is not None
    return _chair(table, data["seat"], purse=after_pay(purse, data)), ()


def _created(table: Table, fact: Fact) -> Folded:
    data = fact.data
    options, changed = chosen(table.entry, table.entry.as_of(data["options"], data.get("rules", 1)))
    seed = (fact.secret or {}).get("server_seed")
    assert seed is None or seal(seed) == data["commitment"]
    deal = Deal(
        game_id=data["game_id"],
        no=data["deal"],
        options=options,
        changed=changed,
        carry=data["carry"],
        who=tuple(each["bot"] if each.get("user") is None else each["user"] for each in data["seats"]),
        bench=tuple(data.get("bench", ())),
        first_seated=data["first_seated"],
        commitment=data["commitment"],
        server_seed=seed,
        seeds=() if data["commitment"] is None else (None,) * len(data["seats"]),
        deadline=fact.now + data["wait"],
        rows=1,
    )
    told = (Told({"e": fact.type, **data, "options": changed}),)
    after = replace(table, again=None)
    if data["commitment"] is not None:
        return replace(after, coming=deal), told
    return _started(after, deal, fact.now), told


def _seeded(table: Table, fact: Fact) -> Folded:
    coming = table.coming
    assert coming is not None
    seeds = tuple(fact.data["client_seeds"])
    deal = replace(coming, client_seeds=seeds, seeds=(), rows=coming.rows + 1)
    return _started(table, deal, fact.now), (Told({"e": fact.type, **fact.data}),)


def _started(table: Table, deal: Deal, now: int) -> Table:
    fresh: dict[str, Any] = {"ready": False, "flags": 0, "row": 0, "price": 0, "free": False, "below": False}
    chairs = tuple(replace(chair, **fresh) for chair in table.chairs)
    after = replace(table, chairs=chairs, state="playing", coming=None, offers=())
    return _kept(replace(after, deal=begun(after, deal, now)), now)


def _kept(table: Table, now: int) -> Table:
    """Return the table with what its seats see now kept for watchers who are shown it later (P-88)."""
    deal = table.deal
    if table.setting.watch.mode != "delayed" or deal is None:
        return table
    return replace(table, deal=replace(deal, past=(*deal.past, (now, views_of(table, deal)))))


def _shown(table: Table, fact: Fact) -> Folded:
    deal = table.deal
    assert deal is not None
    old = [each for each in deal.past if each[0] <= fact.data["at"]]
    after = replace(deal, delayed_view=old[-1], past=deal.past[len(old) :], rows=deal.rows + 1)
    return replace(table, deal=after), ()


def _acted(table: Table, fact: Fact) -> Folded:
    assert table.deal is not None
    deal, told = acted(table, fact)
    whole = fact.whole
    seat: Seat = whole["seat"]
    after = _kept(replace(table, deal=deal), fact.now)
    if seat >= 0:
        hidden = table.deal.concealed_until is not None
        chair = table.chairs[seat]
        if fact.type == "game.acted" and chair.row:
            after = _chair(after, seat, row=0)
        elif fact.type == "game.auto" and whole["why"] == "timeout" and not hidden:
            # What happens in an even pause is counted nowhere: a count would show who was asked.
            after = _chair(after, seat, row=chair.row + 1, flags=chair.flags + 1)
        # An offer falls with the asker's next act, unless that is hidden: its fall would show it.
        if table.offers and not hidden and "action" in fact.data:
            after = replace(after, offers=tuple(offer for offer in table.offers if offer.seat != seat))
    return after, told


def _undone(table: Table, fact: Fact) -> Folded:
    assert table.deal is not None
    deal = undone(table, fact.data["to"], fact.now, table.deal.rows + 1)
    return replace(table, deal=deal), (Told({"e": fact.type, **fact.data}),)


def _resumed(table: Table, fact: Fact) -> Folded:
    assert table.deal is not None
    deal, withheld = resumed(table, fact.now, table.deal.rows + 1)
    return replace(table, deal=deal), withheld


def _waited(table: Table, fact: Fact) -> Folded:
    """Give the time of an outage back to all that a table waits for (P-100)."""
    ms = fact.data["ms"]
    chairs = tuple(replace(c, until=c.until + ms) if c.until is not None else c for c in table.chairs)
    offers = tuple(replace(offer, until=offer.until + ms) for offer in table.offers)
    again, unready = (None if at is None else at + ms for at in (table.again, table.unready))
    return replace(table, chairs=chairs, offers=offers, again=again, unready=unready), ()


def _given(table: Table, fact: Fact) -> Folded:
    ms = fact.data["ms"]
    after, _told = _waited(table, fact)
    if (coming := table.coming) is not None:
        return replace(after, coming=replace(coming, deadline=coming.deadline + ms, rows=coming.rows + 1)), ()
    assert table.deal is not None
    return replace(after, deal=given(table.deal, ms, table.deal.rows + 1)), ()


def _ended(table: Table, fact: Fact) -> Folded:
    assert table.deal is not None
    data = fact.data
    deal = replace(
        table.deal,
        result=data,
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
    # Whom only the clock had made a bot seat is there and sits on; who is not there is stood up by facts that follow.
    chairs = [replace(c, presence="online") if c.presence == "bot" and not c.lost else c for c in table.chairs]
    for paid in data["paid"]:
        chair = chairs[paid["seat"]]
        if chair.purse is not None and paid["credibility"] is not None:
            chairs[paid["seat"]] = replace(chair, purse=after_pay(chair.purse, paid))
    told = (*table.deal.withheld, Told({"e": fact.type, **data}))
    after = replace(
        table,
        state="between",
        deal=deal,
        match=_match_after(table, table.deal, data),
        chairs=tuple(chairs),
        offers=(),
        again=fact.now + data["again"],
        played=table.played + 1,
    )
    return after, told


def _match_after(table: Table, deal: Deal, ended: Any) -> Match | None:
    """Return what a deal leaves for the next; one that was broken off is dealt again."""
    why, carry = ended["why"], ended["carry"]
    if why in ("stopped", "closed"):  # all have agreed to stop, or a moderator has sent them away
        return None
    seats = table.setting.seats
    # A match's first deal has nothing to add to; of matches that older logs tell of nothing was summed up.
    before = table.match.points if table.match is not None and deal.no > 1 else ()
    points = [one + other for one, other in zip(before or (0,) * seats, ended["points"], strict=False)]
    again = carry is None and why in ("void", table.entry.leaving.void)
    return Match(
        no=deal.no if again else deal.no + 1,
        carry=deal.carry if again else carry,
        first_seated=deal.first_seated,
        who=deal.who,
        points=tuple(points[:seats]),
    )


FOLDS: Final[dict[str, Callable[[Table, Fact], Folded]]] = {
    "table.opened": _opened,
    "table.sat": _sat,
    "table.stood": _stood,
    "table.swapped": _swapped,
    "table.readied": _readied,
    "table.set": _set,
    "table.closed": _closed,
    "table.offered": _offered,
    "table.answered": _answered,
    "table.presence": _presence,
    "table.below": _below,
    "table.standing": _standing,
    "table.scored": _scored,
    "table.fined": _fined,
    "table.given": _waited,
    "game.created": _created,
    "game.seeded": _seeded,
    "game.acted": _acted,
    "game.auto": _acted,
    "game.undone": _undone,
    "game.resumed": _resumed,
    "game.given": _given,
    "game.shown": _shown,
    "game.ended": _ended,
}
