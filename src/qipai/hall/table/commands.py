"""What clients say, and so what the hall is told to do: platform 13.1, client to server, to the letter.

The frame a client sends is the command the hall handles; `web/` turns text into these and judges nothing.
A type stands in `t`; fields that may be left out have a default; an unknown field is an error.
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
    "Hello",
    "Id",
    "Join",
    "Leave",
    "Offer",
    "Ping",
    "Ready",
    "Remove",
    "Say",
    "Seed",
    "Set",
    "Sit",
    "Stand",
    "Standing",
    "TableMessage",
    "Try",
]

CID: Final = r"\A[A-Za-z0-9_-]{1,36}\Z"
# Its letters are looked at by who reads the frame: a regular expression in the decoder costs more than all the rest.
Cid = Annotated[str, Meta(min_length=1, max_length=36, extra_json_schema={"pattern": CID})]
Id = Annotated[int, Meta(ge=0, le=2**53)]
SeatNo = Annotated[int, Meta(ge=0, le=15)]


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
    """Go to a table: to one's own seat there, else to watch."""

    table: Id
    ch: str | None = None
    after: int | None = None
    key: str | None = None


class Leave(Wish, frozen=True):
    """No more messages of this table; a seat is kept."""

    table: Id


class Sit(Command, frozen=True):
    """Take a seat; joins, too."""

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
    """A move judged without effect."""

    table: Id
    action: dict[str, Any]


class Back(Command, frozen=True):
    """Take one's seat back from the bot."""

    table: Id


class Standing(Command, frozen=True):
    """Answers given beforehand: from now on the hall answers so for this seat; `[]`: it asks again."""

    table: Id
    # of `standing` of `GET /games/<game>`
    answers: Annotated[tuple[Annotated[str, Meta(max_length=24)], ...], Meta(max_length=8)]


class Set(Command, frozen=True):
    """Table properties and options before the start (P-16). match: the next deal begins a new one, or goes on."""

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
    """The owner, before the start, or a moderator sends somebody away."""

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


class Ping(Wish, frozen=True):
    """I am here. seen: `now` of the last pong, held: ms since it came (the round trip, P-23)."""

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
    | Set
    | Fill
    | Remove
    | Offer
    | Answer
    | Say
    | Enter
    | Exit
    | Follow
    | Ping
)

# What a table is told by people, and what the hall is.
TableMessage = Act | Try | Sit | Stand | Ready | Seed | Back | Standing | Set | Fill | Remove | Offer | Answer
HallMessage = TableMessage | Join | Leave | Say | Enter | Exit | Follow
