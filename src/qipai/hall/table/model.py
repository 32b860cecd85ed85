"""A table as data: its seats, its deal, what is open at it. Frozen; everything here is a fold of the table's events."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct, field

from qipai import games
from qipai.core.contract import NATURE, Notice, Rules, Seat
from qipai.core.entry import AnyEntry, BadOption, Timing, in_the_open
from qipai.core.entry import rules_of as entry_rules
from qipai.hall.table.clock import Clock, Face, NoClock, by_days
from qipai.hall.table.errors import HallError
from qipai.hall.table.events import BenchPlayer, Player, Settled
from qipai.hall.table.presence import Presence
from qipai.hall.table.terms import RoomKind, State, Terms, Watch
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
    """The numbers of `hall.toml` that a table goes by; ms."""

    grace: int = 60_000
    unready: int = 60_000
    again: int = 30_000
    empty: int = 600_000
    deserted: int = 86_400_000
    waits: int = 14 * 86_400_000  # for somebody to come to a turn-based table
    sweep: int = 600_000  # between two looks at what is due in turn-based games
    offer: int = 60_000
    seed: int = 3_000
    lag: int = 500
    lag_game: int = 10_000
    flags_in_row: int = 2
    flags_in_game: int = 3
    too_few: int = 3  # with so many coins one may not take part (P-48)
    climb: Climb = USUAL  # how steep the passes are (P-42)
    engines: tuple[str, ...] = ()  # other people's programs that this hall may start (`Entry.engines`)
    record_coins: int = 10  # for a record, times the new highest pass (P-46)
    idle_s: int = 30 * 86400  # without a game for so long a rating of two is less sure (P-38)
    round_fine: int = 10  # for a game still owed, where the game names no fine of its own (P-58)


class Setting(Struct, frozen=True):
    """What a table has from its room, and keeps."""

    room: int
    no: int
    game: str
    kind: RoomKind
    seats: int
    variant: str | None = None
    preset: str | None = None
    bots: bool = True
    watch: Watch = Watch("public_only", None)
    made: bool = False  # by a person, not by the room: it is closed when it is left
    pass_: int | None = None  # of a pass room's table (P-43)
    bench: int = 0  # places behind the seats, for people who do not play but may bet on a seat (P-63)

    @property
    def places(self) -> int:
        """Return how many chairs there are: the seats, then the bench."""
        return self.seats + self.bench


class Chair(Struct, frozen=True, gc=False):
    """A seat and who sits there."""

    user: int | None = None
    bot: str | None = None  # level
    sat: int = 0  # place in the order of sitting down (P-17)
    since: int = 0  # the channel's number when this person sat down: what was told before is not for him
    ready: bool = False
    presence: Presence = "online"
    until: int | None = None  # end of the grace
    holdings: Holdings | None = None  # what he brings to this game; None for guests and bots, for whom nothing counts
    flags: int = 0  # fallen in this game
    row: int = 0  # of them, in a row
    price: int = 0  # what leaving cost when it happened, ≤ 0
    free: bool = False  # left with nothing more to do (P-26)
    lost: bool = False  # the line is lost, nobody is there
    kicked: bool = False  # sent away from a running game (P-33)
    below: bool = False  # in this game the bot has answered once at least below the level that is shown
    standing: tuple[str, ...] = ()  # answers given beforehand, in the order of `Entry.standing`; nobody else sees them

    @property
    def taken(self) -> bool:
        """Tell whether anybody sits here."""
        return self.user is not None or self.bot is not None

    @property
    def who(self) -> int | str | None:
        """Return who sits here, as a deal names him: a user, or a bot's level."""
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
    password: str | None = None  # that it sets, as it is kept; `set` says only that there is one


class Done(Struct, frozen=True):
    """An action that was taken, and all that were taken before it.

    The collector keeps track of it: a chain unknown to it is freed by recursion, and a long one breaks the stack.
    """

    before: Done | None
    row: int  # in the game's stream
    seat: Seat
    action: Any
    ply: bool  # it ended the seat's turn


NOT_YET: Final[Mapping[Seat, tuple[str, Face]]] = {}  # one for all deals where nobody's answer is in


class LastAct(Struct, frozen=True, gc=False):
    """When a seat has last acted, and last done what counts (`Timing.counts`); ms since 1970."""

    acted: int | None = None
    done: int | None = None


class Deal(Struct, frozen=True, gc=False):
    """A 局: from its commitment to its end and, until the next begins, after it."""

    game_id: str
    no: int  # in the match, from 1
    options: Any  # the game's Struct
    changed: Json  # those of them that differ from the default
    carry: Json
    who: tuple[int | str, ...]  # by seat: a user, or a bot's level
    bench: tuple[BenchPlayer, ...]  # ascending: who sat there when it was created (P-63)
    first_seated: Seat
    commitment: str | None
    server_seed: str | None
    client_seeds: tuple[str, ...] | None = None
    seeds: tuple[str | None, ...] = ()  # what clients have sent so far; not in the log before `game.seeded`
    deadline: int = 0  # when it is dealt though seeds are missing
    begun_at: int = 0
    state: Any = None  # the game's; None before the start
    rows: int = 0  # in the stream game:<id>
    ids: tuple[int, ...] = ()  # the questions of each seat, counted
    asks: tuple[str | None, ...] = ()  # what each seat is asked
    since: tuple[int, ...] = ()  # when, ms since 1970
    timed: frozenset[Seat] = frozenset()  # those whose clock runs
    may: frozenset[Seat] = frozenset()  # those who may act unasked
    # Whose answer is in while the question that was put to him and to others is still open: what it was, and his clock
    # when it came. The others see it run on: a hidden answer shows nowhere (13.1).
    answered: Mapping[Seat, tuple[str, Face]] = field(default_factory=lambda: NOT_YET)
    clock: Clock = NoClock()
    clocks: tuple[Face, ...] = ()
    lag: tuple[int, ...] = ()  # given back to each seat in this game
    moves: tuple[int, ...] = ()  # of each seat, whoever made them
    bot_moves: tuple[int, ...] = ()  # of them, those that a substitute made
    last: Seat = NATURE  # who acted last
    nature_at: int | None = None  # when NATURE acts in a turn it shares
    concealed_until: int | None = None  # README X6: until when nobody may notice what happens
    soon: int | None = None  # at a table with quick pauses: when it is over if nobody is asked any more
    shown_meanwhile: Any = None  # the state when the pause began: what is shown of it meanwhile
    withheld: tuple[Notice, ...] = ()  # what will be told then
    race_began: int | None = None  # when somebody was first asked; kept, like `last_acts`, for games with a `Timing`
    last_acts: tuple[LastAct, ...] = ()
    drawn: int = 0  # words of the stream of luck
    # P-88 `delayed`: what the seats saw and watchers may not see yet, by its time; and what they see of it by now.
    past: tuple[tuple[int, tuple[Any, ...]], ...] = ()
    delayed_view: tuple[int, tuple[Any, ...]] | None = None
    history: Done | None = None  # kept where it may be needed: where moves may be taken back
    result: Settled | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return who has to do with this deal, in the order of its outcome: the players, then the bench."""
        return (*range(len(self.who)), *(each.seat for each in self.bench))

    @property
    def players(self) -> tuple[Player, ...]:
        """Return who plays, by seat."""
        return tuple([Player(bot=each) if isinstance(each, str) else Player(user=each) for each in self.who])

    def concerns(self, seat: Seat | None) -> bool:
        """Tell whether somebody there has to do with this deal: not who came to the bench since."""
        return seat is not None and (seat < len(self.who) or any(each.seat == seat for each in self.bench))


class Match(Struct, frozen=True, gc=False):
    """What a deal has left for the next one at its table (P-25). It outlives the wait for "again".

    It goes on as long as one of those who have played it sits there: who takes another's seat takes his place in it.
    """

    no: int  # of the coming deal
    carry: Json  # where that starts; None: as the first of a match does
    first_seated: Seat
    who: tuple[int | str, ...]  # who has played last, by seat
    points: tuple[int, ...] = ()  # by seat, of all its deals so far
    fresh: bool = False  # somebody has chosen that a new one begins

    @property
    def goes_on(self) -> bool:
        """Tell whether the coming deal is one of this match."""
        return self.carry is not None and not self.fresh


class Table(Struct, frozen=True, gc=False):
    """A table."""

    id: int
    setting: Setting
    options: Json = {}  # the game's, those that differ from the default
    clock: Json = None  # None: the game's own
    terms: Terms = Terms()
    usual: tuple[Json, Json, Terms] | None = None  # the three before, as they were when it was opened
    key: str | None = None  # of the link, or the password
    state: State = "closed"
    owner: int | None = None
    chairs: tuple[Chair, ...] = ()
    order: int = 0  # persons and bots that have sat down so far
    offers: tuple[Offered, ...] = ()
    offer_no: int = 0
    coming: Deal | None = None  # created, not yet dealt
    deal: Deal | None = None  # running, or the last one
    match: Match | None = None  # that the deals here belong to, from the end of the first on
    unready: int | None = None  # since when all but those who are not ready wait
    empty: int | None = None  # since when nobody has sat at a table somebody made
    again: int | None = None  # until when the next game of the match may be asked for
    played: int = 0  # games that have ended since anybody sat down or stood up
    rows: int = 0  # in the stream table:<id>
    seqs: tuple[int, ...] = ()  # of the channels: the chairs, then the watchers
    waits: int | None = None  # since when somebody has sat at a turn-based table that is open
    lags: tuple[int, ...] = ()  # ms of each seat's line, as last measured; in no event
    missed: tuple[int | None, ...] = ()  # when each seat's last refused action came that counts; in no event
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
        """Return how its pauses go (README X6): only friendly tables may be quick; None: its game has none."""
        if self.entry.conceal is in_the_open:
            return None
        return "even" if self.setting.kind != "friendly" else self.terms.pauses or "quick"

    @property
    def turn_based(self) -> bool:
        """Tell whether it is played by days a move (P-24): whoever sits here need not be in the hall."""
        return by_days(self.clock)

    @property
    def players(self) -> tuple[Chair, ...]:
        """Return the chairs of those who play; nobody waits for the others, and nothing binds them (P-63)."""
        return self.chairs[: self.setting.seats]

    @property
    def instead(self) -> tuple[Seat, ...]:
        """Return the seats where others sit than have played the match here so far."""
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
        """Return the table without what no event tells: the lines' speed, refused actions, seeds for a coming deal."""
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
    """Return the options that a preset sets where nobody says otherwise; raises HallError("BAD_OPTION")."""
    if preset is None:
        return {}
    if preset not in entry.form.presets:
        raise HallError("BAD_OPTION", field="preset")
    return entry.form.presets[preset]


@lru_cache(maxsize=512)
def _rules(game: str, options: Any, seats: int) -> Rules[Any, Any, Any]:
    return entry_rules(games.find(game), options, seats)


# What was asked last, by the options themselves: a deal asks for its rules at every turn, and to hash them takes long.
_lately: dict[int, tuple[Any, str, int, Rules[Any, Any, Any]]] = {}


def rules_of(game: str, options: Any, seats: int) -> Rules[Any, Any, Any]:
    """Return the rules of a game under its options; equal options share them."""
    found = _lately.get(id(options))
    if found is not None and found[0] is options and found[1] == game and found[2] == seats:
        return found[3]
    try:
        rules = _rules(game, options, seats)
    except TypeError:  # options that cannot be hashed are few and short-lived
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
