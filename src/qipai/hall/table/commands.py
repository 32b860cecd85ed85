"""The messages of clients, which are also the commands that the hall handles (platform 13.1, client to server).

`web/` parses text into these types and decides nothing. The type is in the field `t`; optional fields have a default;
an unknown field is an error.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

__all__ = [
    "CID",
    "Act",
    "Answer",
    "Back",
    "ClientMessage",
    "Command",
    "Enter",
    "Exit",
    "Fill",
    "Follow",
    "Frame",
    "HallMessage",
    "Hear",
    "Hello",
    "Id",
    "Join",
    "Leave",
    "Look",
    "Offer",
    "Ping",
    "Prepare",
    "Ready",
    "Remove",
    "Review",
    "Say",
    "Seed",
    "Set",
    "Shoulder",
    "Sit",
    "Stand",
    "Standing",
    "TableMessage",
    "Try",
]

CID: Final = r"\A[A-Za-z0-9_-]{1,36}\Z"
# Its characters are checked after decoding: a regular expression in the decoder costs more than all the rest.
Cid = Annotated[str, Meta(min_length=1, max_length=36, extra_json_schema={"pattern": CID})]
Id = Annotated[int, Meta(ge=0, le=2**53)]
SeatNo = Annotated[int, Meta(ge=0, le=15)]
Look = Literal["screen", "shoulder"]


class Frame(Struct, frozen=True, tag_field="t", tag=str.lower, forbid_unknown_fields=True, gc=False):
    """A client's message."""


class Command(Frame, frozen=True):
    """A message that changes something: answered by exactly one `ack` or `err` with its `cid`."""

    cid: Cid


class Wish(Frame, frozen=True):
    """A message that changes nothing of a table: it has no `cid`."""

    cid: ClassVar[None] = None


class Hello(Wish, frozen=True):
    """The first message on a socket."""

    v: int
    token: str | None = None
    lang: str | None = None
    client: str | None = None


class Join(Wish, frozen=True):
    """Join a table: at one's own seat if one has one, else as a watcher.

    look: on no channel of one's own: a big screen with public information alone (P-114), or over a shoulder (P-115).
    """

    table: Id
    ch: str | None = None
    after: int | None = None
    key: str | None = None
    look: Look | None = None


class Leave(Wish, frozen=True):
    """Receive no more messages of this table; a seat is kept."""

    table: Id


class Sit(Command, frozen=True):
    """Take a seat; this also joins the table."""

    table: Id
    seat: SeatNo
    key: str | None = None


class Stand(Command, frozen=True):
    """Give the seat up."""

    table: Id
    confirm: bool = False


class Ready(Command, frozen=True):
    """Be ready, or not, for the game or the next one."""

    table: Id
    on: bool


class Seed(Wish, frozen=True):
    """A client seed for a new commitment (P-92)."""

    table: Id
    game_id: str
    client_seed: str


class Act(Command, frozen=True):
    """A move."""

    table: Id
    action: dict[str, Any]  # of the game: tagged by `a` (X1)
    ask: int | None = None


class Try(Command, frozen=True):
    """Check whether a move is allowed, without making it."""

    table: Id
    action: dict[str, Any]


class Back(Command, frozen=True):
    """Take one's seat back from the bot."""

    table: Id


class Standing(Command, frozen=True):
    """Set answers beforehand: the hall answers with them for this seat from now on; `[]` ends this."""

    table: Id
    # of `standing` of `GET /games/<game>`
    answers: Annotated[tuple[Annotated[str, Meta(max_length=24)], ...], Meta(max_length=8)]


class Prepare(Command, frozen=True):
    """Set the moves that are played for this seat later (P-113); `[]` ends this.

    A line is a list of actions, the other player's and one's own by turns, and ends with an own one.
    """

    table: Id
    lines: tuple[Annotated[tuple[dict[str, Any], ...], Meta(min_length=1, max_length=20)], ...]


class Shoulder(Command, frozen=True):
    """Let somebody look over one's shoulder (P-115). user null: nobody any more, or look no longer oneself."""

    table: Id
    user: Id | None


class Set(Command, frozen=True):
    """Set table properties and options before the start (P-16). match: begin a new match, or go on with this one."""

    table: Id
    options: dict[str, Any] | UnsetType = UNSET
    clock: dict[str, Any] | UnsetType = UNSET
    match: Literal["new", "on"] | UnsetType = UNSET


class Fill(Command, frozen=True):
    """The owner puts a bot on a seat, or takes it away (null)."""

    table: Id
    seat: SeatNo
    level: Annotated[str, Meta(min_length=1, max_length=24)] | None  # of `bots` of `GET /games/<game>`


class Remove(Command, frozen=True):
    """Remove somebody: by the owner before the start, or by a moderator."""

    table: Id
    seat: SeatNo
    why: Annotated[str, Meta(max_length=500)] | None = None


class Offer(Command, frozen=True):
    """Ask the others for a takeback, or to stop without a fine."""

    table: Id
    what: Literal["takeback", "stop"]


class Answer(Command, frozen=True):
    """Answer an open offer."""

    table: Id
    offer: Id
    yes: bool


class Say(Command, frozen=True):
    """Talk: a text or one of the phrases."""

    to: str
    text: Annotated[str, Meta(min_length=1, max_length=200)] | UnsetType = UNSET
    phrase: str | UnsetType = UNSET


class Enter(Wish, frozen=True):
    """Go into a room."""

    room: Id


class Exit(Wish, frozen=True):
    """Leave a room."""

    room: Id


class Follow(Wish, frozen=True):
    """Follow a live list, or no longer."""

    list: Literal["cards", "online"]
    on: bool


class Hear(Wish, frozen=True):
    """Hear a chat room of the hall, a game or a club, or no longer."""

    to: Annotated[str, Meta(max_length=60)]
    on: bool


class Review(Wish, frozen=True):
    """Follow a shared review of a finished game (P-90), or no longer; from its leader a sign of life, too."""

    key: Annotated[str, Meta(min_length=1, max_length=40)]
    on: bool


class Ping(Wish, frozen=True):
    """Show that the client is there. seen: `now` of the last pong; held: ms since it came (round trip, P-23)."""

    n: int
    seen: int | None = None
    held: int | None = None


ClientMessage = (
    Hello
    | Join
    | Leave
    | Sit
    | Stand
    | Ready
    | Seed
    | Act
    | Try
    | Back
    | Standing
    | Prepare
    | Shoulder
    | Set
    | Fill
    | Remove
    | Offer
    | Answer
    | Say
    | Enter
    | Exit
    | Follow
    | Hear
    | Review
    | Ping
)

# The messages that are commands for a table, and those for the hall.
TableMessage = (
    Act | Try | Sit | Stand | Ready | Seed | Back | Standing | Prepare | Shoulder | Set | Fill | Remove | Offer | Answer
)
HallMessage = TableMessage | Join | Leave | Say | Enter | Exit | Follow | Hear
