"""A table as data: its seats, its deal, open offers. Frozen; all of it results from folding the table's events."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct, field

from qipai import games
from qipai.core.contract import NATURE, Notice, Rules, Seat
from qipai.core.entry import AnyEntry, BadOption, DealStart, Timing, in_the_open
from qipai.core.entry import rules_of as entry_rules
from qipai.hall.table.clock import Clock, Face, NoClock, by_days
from qipai.hall.table.errors import HallError
from qipai.hall.table.events import BenchPlayer, Player, Settled
from qipai.hall.table.presence import Presence
from qipai.hall.table.terms import ContestGame, RoomKind, State, Terms, Trunk, Watch
from qipai.ledger import Holdings, Stakes
from qipai.ledger.passes import USUAL, Climb

__all__ = [
    "Chair",
    "Deal",
    "Done",
    "LastAct",
    "Match",
    "Offered",
    "Setting",
    "State",
    "Table",
    "TableLimits",
    "Terms",
    "checked_options",
    "fixed_options",
    "preset_options",
    "rules_of",
    "timing_of",
]

Json = Any


class TableLimits(Struct, frozen=True):
    """The settings of `hall.toml` that a table uses; in ms."""

    grace: int = 60_000
    unready: int = 60_000
    again: int = 30_000
    empty: int = 600_000
    deserted: int = 86_400_000
    waits: int = 14 * 86_400_000  # how long a turn-based table waits for somebody to come
    sweep: int = 600_000  # interval between checks of what is due in turn-based games
    offer: int = 60_000
    seed: int = 3_000
    lag: int = 500
    lag_game: int = 10_000
    flags_in_row: int = 2
    flags_in_game: int = 3
    too_few: int = 3  # with so many coins or fewer one may not take part (P-48)
    climb: Climb = USUAL  # how steep the passes are (P-42)
    engines: tuple[str, ...] = ()  # external engines that this hall may start (`Entry.engines`)
    record_coins: int = 10  # for a record, times the new highest pass (P-46)
    idle_s: int = 30 * 86400  # after so long without a game a rating for two becomes less certain (P-38)
    round_fine: int = 10  # for a game still owed, where the game names no fine of its own (P-58)


class Setting(Struct, frozen=True):
    """What a table takes from its room and keeps."""

    room: int
    no: int
    game: str
    kind: RoomKind
    seats: int
    variant: str | None = None
    preset: str | None = None
    bots: bool = True
    watch: Watch = Watch("public_only", None)
    made: bool = False  # created by a person, not by the room; closed when everybody has left
    pass_: int | None = None  # of a pass room's table (P-43)
    bench: int = 0  # places beside the seats for people who do not play but may bet on a seat (P-63)
    contest: ContestGame | None = None  # the game of a contest that is played here, by its players alone
    duplicate: bool = False  # each deal is a shared one of the room, that none of its people has met (P-94)
    start: DealStart | None = None  # where its deals start, if not as deals of its game do

    @property
    def places(self) -> int:
        """Return how many chairs there are: the seats, then the bench."""
        return self.seats + self.bench

    @property
    def once(self) -> bool:
        """Tell whether the table is for one deal and closed after it."""
        return self.contest is not None or self.goes_on

    @property
    def goes_on(self) -> bool:
        """Tell whether its one deal goes on from a moment of another game (What if)."""
        return self.start is not None and self.start.game is not None


class Chair(Struct, frozen=True, gc=False):
    """A seat and who sits there."""

    user: int | None = None
    bot: str | None = None  # level
    sat: int = 0  # place in the order of sitting down (P-17)
    since: int = 0  # the channel's number when this person sat down: earlier events are not for them
    ready: bool = False
    presence: Presence = "online"
    until: int | None = None  # end of the grace
    holdings: Holdings | None = None  # what they have in this game; None for guests and bots, for whom nothing counts
    flags: int = 0  # how often their time ran out in this game
    row: int = 0  # how often in a row
    price: int = 0  # what leaving cost when it happened, ≤ 0
    free: bool = False  # left when they had nothing more to do (P-26)
    lost: bool = False  # the line is lost, nobody is there
    kicked: bool = False  # removed from a running game (P-33)
    below: bool = False  # in this game the bot has played at least once below the level that is shown
    standing: tuple[str, ...] = ()  # answers given beforehand, in the order of `Entry.standing`; nobody else sees them
    prepared: tuple[tuple[Json, ...], ...] = ()  # lines of actions (`table.prepared`); nobody else sees them
    shoulder: int | None = None  # the user who may look over this player's shoulder (P-115)

    @property
    def taken(self) -> bool:
        """Tell whether anybody sits here."""
        return self.user is not None or self.bot is not None

    @property
    def who(self) -> int | str | None:
        """Return who sits here, as a deal names them: a user's id, or a bot's level."""
        return self.bot if self.user is None else self.user

    @property
    def away(self) -> bool:
        """Tell whether a substitute plays."""
        return self.user is not None and self.presence in ("bot", "left")

    @property
    def score(self) -> int | None:
        """Return the total score of this game."""
        return None if self.holdings is None else self.holdings.score


class Offered(Struct, frozen=True, gc=False):
    """An open offer (P-16, P-101, P-58)."""

    offer: int
    seat: Seat
    what: Literal["takeback", "stop", "set"]
    until: int
    yes: frozenset[Seat] = frozenset()
    set: Json = None
    password: str | None = None  # the password that it sets, hashed; `set` says only that there is one


class Done(Struct, frozen=True):
    """An action that was taken, linked to the ones before it.

    The garbage collector tracks this type: an untracked chain would be freed by recursion, and a long one would
    overflow the stack.
    """

    before: Done | None
    row: int  # in the game's stream
    seat: Seat
    action: Any
    ply: bool  # it ended the seat's turn


NOT_YET: Final[Mapping[Seat, tuple[str, Face]]] = {}  # shared by all deals in which nobody has answered yet


class LastAct(Struct, frozen=True, gc=False):
    """When a seat last acted, and when it last did something that counts (`Timing.counts`); ms since 1970."""

    acted: int | None = None
    done: int | None = None


class Deal(Struct, frozen=True, gc=False):
    """A deal (局): from its commitment to its end; it is kept until the next one begins."""

    game_id: str
    no: int  # in the match, from 1
    options: Any  # the game's Struct
    changed: Json  # those options that differ from the default
    carry: Json
    who: tuple[int | str, ...]  # by seat: a user, or a bot's level
    bench: tuple[BenchPlayer, ...]  # ascending: who sat there when it was created (P-63)
    first_seated: Seat
    commitment: str | None
    server_seed: str | None
    board: str | None = None  # the shared deal whose luck it uses (P-94); its seed is opened with the board
    board_no: int | None = None  # its number in the room
    start: DealStart | None = None  # where it starts, if not as deals of its game do
    trunk: Trunk | None = None  # its beginning, if that is another deal's
    client_seeds: tuple[str, ...] | None = None
    seeds: tuple[str | None, ...] = ()  # what clients have sent so far; not in the log before `game.seeded`
    deadline: int = 0  # when it is dealt even if seeds are missing
    begun_at: int = 0
    state: Any = None  # the game's; None before the start
    rows: int = 0  # in the stream game:<id>
    ids: tuple[int, ...] = ()  # how many questions each seat has been asked
    asks: tuple[str | None, ...] = ()  # what each seat is asked
    since: tuple[int, ...] = ()  # when, ms since 1970
    timed: frozenset[Seat] = frozenset()  # those whose clock runs
    may: frozenset[Seat] = frozenset()  # those who may act unasked
    # Seats that have answered a question which is still open for others: the question, and the seat's clock at that
    # time. Other players see that clock run on, so that a hidden answer does not show (13.1).
    answered: Mapping[Seat, tuple[str, Face]] = field(default_factory=lambda: NOT_YET)
    clock: Clock = NoClock()
    clocks: tuple[Face, ...] = ()
    lag: tuple[int, ...] = ()  # given back to each seat in this game
    moves: tuple[int, ...] = ()  # made for each seat, by whomever
    bot_moves: tuple[int, ...] = ()  # how many of them a substitute made
    last: Seat = NATURE  # who acted last
    nature_at: int | None = None  # when NATURE acts, in a turn that it shares with seats
    concealed_until: int | None = None  # README X6: until when what happens is not shown
    soon: int | None = None  # at a table with quick pauses: when the pause ends if nobody is asked any more
    shown_meanwhile: Any = None  # the state when the pause began, which is shown during the pause
    withheld: tuple[Notice, ...] = ()  # notices that are sent when the pause ends
    race_began: int | None = None  # when somebody was first asked; kept, like `last_acts`, for games with a `Timing`
    last_acts: tuple[LastAct, ...] = ()
    drawn: int = 0  # words drawn from the random stream
    # P-88 `delayed`: views of the seats by time, which watchers may not see yet; and the one that they see now.
    past: tuple[tuple[int, tuple[Any, ...]], ...] = ()
    delayed_view: tuple[int, tuple[Any, ...]] | None = None
    history: Done | None = None  # kept only where moves may be taken back
    result: Settled | None = None

    @property
    def luck(self) -> tuple[str, int, tuple[str, ...]]:
        """Return under which name, as which deal and with which client seeds its luck is drawn (P-92, P-94)."""
        return (self.game_id, self.no, self.client_seeds or ()) if self.board is None else (self.board, 1, ())

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return the seats that take part in this deal, in the order of its outcome: the players, then the bench."""
        return (*range(len(self.who)), *(each.seat for each in self.bench))

    @property
    def players(self) -> tuple[Player, ...]:
        """Return who plays, by seat."""
        return tuple([Player(bot=each) if isinstance(each, str) else Player(user=each) for each in self.who])

    def concerns(self, seat: Seat | None) -> bool:
        """Tell whether the person at a place takes part in this deal; not if they came to the bench after it began."""
        return seat is not None and (seat < len(self.who) or any(each.seat == seat for each in self.bench))


class Match(Struct, frozen=True, gc=False):
    """What a deal leaves for the next one at its table (P-25). It is kept even after the wait for "again" is over.

    It goes on as long as one of its players sits there. Whoever takes another player's seat takes their place in it.
    """

    no: int  # the number of the coming deal
    carry: Json  # where that deal starts; None: as the first of a match does
    first_seated: Seat
    who: tuple[int | str, ...]  # who played the last deal, by seat
    points: tuple[int, ...] = ()  # by seat, summed over its deals so far
    fresh: bool = False  # the owner has chosen to begin a new match

    @property
    def goes_on(self) -> bool:
        """Tell whether the coming deal is one of this match."""
        return self.carry is not None and not self.fresh


class Table(Struct, frozen=True, gc=False):
    """A table."""

    id: int
    setting: Setting
    options: Json = {}  # the game's options that differ from the default
    clock: Json = None  # None: the game's own
    terms: Terms = Terms()
    usual: tuple[Json, Json, Terms] | None = None  # the three fields above, as they were when it was opened
    key: str | None = None  # of the link, or the password
    board_seed: str | None = None  # of the shared deal that is played here, 32 bytes as hex
    trunk: Trunk | None = None  # the beginning of the deal that is played here
    state: State = "closed"
    owner: int | None = None
    chairs: tuple[Chair, ...] = ()
    order: int = 0  # persons and bots that have sat down so far
    offers: tuple[Offered, ...] = ()
    offer_no: int = 0
    coming: Deal | None = None  # created, not yet dealt
    deal: Deal | None = None  # running, or the last one
    match: Match | None = None  # which the deals belong to; set when the first deal ends
    unready: int | None = None  # since when the others wait for somebody who is not ready
    empty: int | None = None  # since when nobody has sat here, if somebody created the table
    again: int | None = None  # until when players may ask for the next game of the match
    played: int = 0  # games that have ended since anybody sat down or stood up
    rows: int = 0  # in the stream table:<id>
    seqs: tuple[int, ...] = ()  # the last number of each channel: the chairs, then the watchers
    waits: int | None = None  # since when somebody has sat at a turn-based table that is open
    lags: tuple[int, ...] = ()  # latency of each seat's line in ms, as last measured; in no event
    missed: tuple[int | None, ...] = ()  # when each seat's last refused action that counts came; in no event
    tried: tuple[int | None, ...] = ()  # when its last refused action came

    @property
    def stream(self) -> str:
        """Return the name of the table's stream."""
        return f"table:{self.id}"

    @property
    def entry(self) -> AnyEntry:
        """Return the game."""
        return games.find(self.setting.game)

    def stakes(self, limits: TableLimits) -> Stakes:
        """Return what this table plays for."""
        terms = self.terms
        return Stakes(
            kind=self.setting.kind,
            factor=terms.factor,
            fee=terms.fee,
            table_pass=self.setting.pass_,
            climb=limits.climb,
            record_coins=limits.record_coins,
            brackets=terms.brackets,
        )

    @property
    def playing(self) -> bool:
        """Tell whether a deal is running."""
        return self.state == "playing"

    @property
    def pauses(self) -> Literal["even", "quick"] | None:
        """Return how long its pauses last (README X6): only friendly tables may be quick; None: its game has none."""
        if self.entry.conceal is in_the_open:
            return None
        return "even" if self.setting.kind != "friendly" else self.terms.pauses or "quick"

    @property
    def turn_based(self) -> bool:
        """Tell whether players have days for each move (P-24): they need not be in the hall."""
        return by_days(self.clock)

    @property
    def compared(self) -> bool:
        """Tell whether its results are compared with those of other tables, or count in a contest: without advice."""
        return self.setting.duplicate or self.setting.contest is not None

    @property
    def closed_to_others(self) -> bool:
        """Tell whether a shared deal is on the table: whoever has not played it must not see it (P-94)."""
        contest = self.setting.contest
        return (contest is not None and contest.deal is not None) or (self.setting.duplicate and self.deal is not None)

    @property
    def players(self) -> tuple[Chair, ...]:
        """Return the chairs of the players; the bench is not waited for and may leave at any time (P-63)."""
        return self.chairs[: self.setting.seats]

    @property
    def instead(self) -> tuple[Seat, ...]:
        """Return the seats whose players have not played the match here so far."""
        if self.match is None:
            return ()
        now = [chair.who for chair in self.players]
        return tuple([seat for seat, was in enumerate(self.match.who) if now[seat] != was])

    def benched(self, seat: Seat) -> bool:
        """Tell whether a place is on the bench."""
        return seat >= self.setting.seats

    def seat_of(self, user: int | None) -> Seat | None:
        """Return where a user sits; one who has left a running game sits nowhere any more."""
        if user is not None:
            for seat, chair in enumerate(self.chairs):
                if chair.user == user and chair.presence != "left":
                    return seat
        return None

    def lasting(self) -> Table:
        """Return the table without what is in no event: latencies, refused actions, seeds for a coming deal."""
        coming = self.coming and msgspec.structs.replace(self.coming, seeds=())
        return msgspec.structs.replace(self, coming=coming, lags=(), missed=(), tried=())


def fixed_options(entry: AnyEntry, variant: str | None) -> Mapping[str, Json]:
    """Return the options that a variant fixes; raises HallError("BAD_OPTION", field="variant")."""
    if variant is None:
        return {}
    if variant not in entry.form.variants:
        raise HallError("BAD_OPTION", field="variant")
    return entry.form.variants[variant]


def preset_options(entry: AnyEntry, preset: str | None) -> Mapping[str, Json]:
    """Return the options that a preset sets, which may be overridden; raises HallError("BAD_OPTION")."""
    if preset is None:
        return {}
    if preset not in entry.form.presets:
        raise HallError("BAD_OPTION", field="preset")
    return entry.form.presets[preset]


@lru_cache(maxsize=512)
def _rules(game: str, options: Any, seats: int) -> Rules[Any, Any, Any]:
    return entry_rules(games.find(game), options, seats)


# Cache of the last results by identity of the options: a deal needs its rules at every turn, and hashing is slow.
_lately: dict[int, tuple[Any, str, int, Rules[Any, Any, Any]]] = {}


def rules_of(game: str, options: Any, seats: int) -> Rules[Any, Any, Any]:
    """Return the rules of a game under its options; equal options share them."""
    found = _lately.get(id(options))
    if found is not None and found[0] is options and found[1] == game and found[2] == seats:
        return found[3]
    try:
        rules = _rules(game, options, seats)
    except TypeError:  # options that cannot be hashed are rare and short-lived
        return entry_rules(games.find(game), options, seats)
    if len(_lately) >= 4096:
        _lately.clear()
    _lately[id(options)] = (options, game, seats, rules)
    return rules


@lru_cache(maxsize=512)
def _timing(game: str, options: Any) -> Timing | None:
    timing = games.find(game).timing
    return None if timing is None else timing(options)


def timing_of(table: Table) -> Timing | None:
    """Return what the hall watches over by its clock in a table's deal; None when the game has no `Timing`."""
    if table.deal is None or table.entry.timing is None:
        return None
    return _timing(table.setting.game, table.deal.options)


def checked_options(entry: AnyEntry, raw: Json) -> tuple[Any, Json]:
    """Return a game's options and those of them that differ from the default.

    Raises HallError("BAD_OPTION", field=…) for an unknown one or a wrong value.
    """
    try:
        options = entry.chosen(raw)
    except BadOption as wrong:
        raise HallError("BAD_OPTION", field=wrong.field) from wrong
    return options, entry.changed(options)
