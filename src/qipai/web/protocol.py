"""The wire: commands and messages of the socket, bodies and answers of the HTTP calls (platform 13.1, 13.2).

The messages themselves are `hall.table.commands` (client to server) and `hall.table.messages` (server to client).
"""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from qipai.accounts.model import Settings, Token, User
from qipai.accounts.text import line, plain
from qipai.core.entry import Aside, DealStart
from qipai.core.replay_frames import Frame
from qipai.hall.table.commands import CID, ClientMessage, Id
from qipai.hall.table.messages import Err, Result, RoomInfo
from qipai.lang import Tag
from qipai.ledger.passes import Pass

__all__ = [
    "Account",
    "Advice",
    "Code",
    "Credentials",
    "Email",
    "Fault",
    "FinishedGame",
    "FromFile",
    "GameInfo",
    "GameRows",
    "LessonRows",
    "Linked",
    "Logout",
    "Me",
    "NewGuest",
    "NewTable",
    "NewToken",
    "NoBody",
    "OpenedTable",
    "OptionInfo",
    "Play",
    "Proof",
    "Register",
    "ReplayFrames",
    "RoomRow",
    "RoomRows",
    "Scopes",
    "Seated",
    "SettingsChange",
    "SignIn",
    "SignedIn",
    "TokenMade",
    "TokenRows",
    "bad_field",
    "cleaned",
    "encode",
    "read_frame",
    "refused",
    "version",
    "without_nul",
]

encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(ClientMessage).decode
_loose: Final = msgspec.json.Decoder().decode
_CID: Final = re.compile(CID)
NUL: Final = "\\u0000"  # as JSON writes it
_NUL: Final = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")  # no backslash before it that is one itself


def without_nul(text: str) -> str:
    """Return JSON without the NULs in its texts: nothing that people see has one, and PostgreSQL keeps none."""
    return _NUL.sub(r"\1", text) if NUL in text else text


def read_frame(text: str) -> ClientMessage | Err:
    """Return the message of a client's frame, or the `err` to answer where it is none."""
    try:
        text = without_nul(text)
        message: ClientMessage = _decode(text)
        cid = message.cid
        # The letters and digits of bytes are those of ASCII, and found in a fourth of the time.
        if cid is None or cid.encode().isalnum() or _CID.match(cid):
            return message
        return refused(text, "BAD_MESSAGE", field="cid")
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        cid = _fields(text).get("cid")
        bad = isinstance(cid, str) and not _CID.match(cid)
        return refused(text, "BAD_MESSAGE", field="cid" if bad else bad_field(wrong))


def refused(text: str, code: str, **facts: Any) -> Err:
    """Return the `err` for a frame, with as much of `cid`, `re` and `table` as can be read."""
    data = _fields(text)
    cid, kind, table = data.get("cid"), data.get("t"), data.get("table")
    return Err(
        cid=cid if isinstance(cid, str) and _CID.match(cid) else None,
        re=kind if isinstance(kind, str) and len(kind) <= 36 else None,
        code=code,
        facts=facts,
        table=table if isinstance(table, int) and not isinstance(table, bool) and 0 <= table <= 2**53 else UNSET,
    )


def version(text: str) -> int | None:
    """Return the `v` of a hello that may be of a later version than ours, None where there is none."""
    v = _fields(text).get("v")
    return v if isinstance(v, int) and not isinstance(v, bool) else None


def _fields(text: str) -> dict[str, Any]:
    """Return the fields of a frame, none where it cannot be read."""
    try:
        data = _loose(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def bad_field(wrong: Exception) -> str:
    """Return the outermost field that a decoder's complaint is about, "" when the text could not be read at all."""
    if not isinstance(wrong, msgspec.ValidationError):
        return ""
    what, _, where = str(wrong).partition(" - at `$")
    path = re.findall(r"[^.\[\]`]+", where)
    if path:
        return str(path[0])
    field = re.search(r"(?:missing required|unknown) field `(.*)`", what, re.DOTALL)
    return field[1] if field else ""


# Bodies and answers of the HTTP calls. Errors are {"error": {"code": …, "facts": {…}}}.


BodyCid = Annotated[str, Meta(pattern=CID)]

Zone = Annotated[str, Meta(max_length=64, pattern="^[A-Za-z0-9_+/-]*$")]


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """What a client sends. `cid`: the same rule as on the socket."""

    texts: ClassVar[tuple[str, ...]] = ("about", "reason", "text")  # fields that others read, in several lines
    lines: ClassVar[tuple[str, ...]] = ("note",)  # and in one

    cid: BodyCid | None = None


def cleaned(body: Any) -> Any:
    """Return a body as others may read it; raises ValueError with the field of which nothing would be seen."""
    changes: dict[str, str] = {}
    for names, clean in ((getattr(body, "texts", ()), plain), (getattr(body, "lines", ()), line)):
        for name in names:
            text = getattr(body, name, None)
            if isinstance(text, str) and text and (found := clean(text)) != text:
                if not found and name != "about":
                    raise ValueError(name)
                changes[name] = found
    return msgspec.structs.replace(body, **changes) if changes else body


class NoBody(Body, frozen=True):
    """Nothing but, perhaps, a cid."""


class Page(Struct, frozen=True, kw_only=True):
    """A page of a list; next: the cursor of the page after it."""

    next: str | None = None


class Fault(Struct, frozen=True):
    """Why a call was refused."""

    code: str
    facts: dict[str, Any]


Password = Annotated[str, Meta(max_length=256)]


class NewGuest(Body, frozen=True):
    """token: a program wants a token beside the cookie. lang: in which language the guest is named."""

    token: bool = False
    lang: Tag | None = None


class NewName(Body, frozen=True, kw_only=True):
    """The name that a guest chooses."""

    name: Annotated[str, Meta(max_length=64)]


class SignedIn(Struct, frozen=True, omit_defaults=True):
    """The user who is now signed in."""

    user: User
    token: str | UnsetType = UNSET


class Credentials(Body, frozen=True, kw_only=True):
    """Name and password."""

    name: Annotated[str, Meta(max_length=64)]
    password: Password


Code = Annotated[str, Meta(max_length=40)]  # of a second factor, or a recovery code


class SignIn(Credentials, frozen=True, kw_only=True):
    """code: where a second factor is on, what it shows now, or a recovery code."""

    code: Code | None = None


Email = Annotated[str, Meta(max_length=254, pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+\Z")]


class Register(Credentials, frozen=True, kw_only=True):
    """A new user; sent by a guest it keeps the guest's games."""

    email: Email | None = None
    lang: Tag | None = None
    zone: Zone | None = None


class NewPassword(Body, frozen=True, kw_only=True):
    """Another password; old: the one that I have now. keep_tokens: programs' tokens do not end with my other logins."""

    old: Password
    password: Password
    keep_tokens: bool = False


class Logout(Body, frozen=True):
    """everywhere: all of the user's logins end."""

    everywhere: bool = False
    confirm: bool = False


Scopes = Annotated[tuple[Literal["play", "watch", "board", "bot", "spend"], ...], Meta(min_length=1)]


class NewToken(Body, frozen=True, kw_only=True):
    """A token for a program."""

    lines: ClassVar[tuple[str, ...]] = ("name",)

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    scopes: Scopes


class TokenMade(Struct, frozen=True):
    """The token is shown this once."""

    id: int
    token: str


class Account(Struct, frozen=True):
    """What a user has in one game."""

    score: int
    grade: int
    won: int
    lost: int
    drawn: int


class Me(Struct, frozen=True):
    """Me. coins and hearts are null in a hall without coins, and for minors (P-107).

    counts: what waits for me, as in a `note`; invitations: how many I could take up, those for everybody among them.
    moderates: the rooms whose moderator I am. second_factor: wanted: with one I could keep the order. vacation: the
    hours I have left this year (P-87). blocked: by me.
    """

    user: User
    role: Literal["guest", "user", "bot", "moderator", "admin"]
    coins: int | None
    hearts: int | None
    scores: dict[str, Account]
    credibility: int
    passes: dict[str, Pass]
    tables: tuple[int, ...]
    settings: Settings
    counts: dict[str, int]
    invitations: int
    moderates: tuple[int, ...]
    second_factor: Literal["on", "off", "wanted"]
    vacation: int
    blocked: tuple[int, ...]


class OptionInfo(Struct, frozen=True):
    """A house rule: its values where they are few, its limits where it is a number."""

    name: str
    kind: Literal["bool", "choice", "number", "list", "text", "other"]
    default: Any
    values: tuple[Any, ...] | None
    least: int | None
    most: int | None
    group: str | None = None  # under which head it stands in a form


class GameInfo(Struct, frozen=True):
    """A game."""

    game: str
    name: dict[str, str]  # by language
    seats: tuple[int, ...]
    sides: tuple[tuple[int, ...], ...]  # for each number of seats: the side of each; who shares one wins together
    options: tuple[OptionInfo, ...]
    presets: dict[str, Any]  # name -> the options that differ
    variants: tuple[str, ...]
    bots: tuple[str, ...]
    luck: bool
    clock: Any
    formats: tuple[str, ...]  # what `GET /g/<game_id>?as=` understands
    analysis: bool  # a finished game can be gone through: `GET /g/<game_id>/analysis`
    lessons: bool  # has boards to try the rules on
    lesson: bool  # has a first lesson: `GET /learn/<game>`
    pauses: bool  # it asks some seats in secret: its tables have `pauses`
    standing: tuple[str, ...]  # answers that a seat may give beforehand: `standing`
    daily: str | None  # the option that names the board of a day, for one: `GET /games/<game>/daily`
    cards: bool  # it is a game of cards, whose tables are listed: `GET /cards`
    familiar: tuple[str, ...] = ()  # languages whose speakers mostly know it: it is shown to newcomers first
    played: int = 0  # how many were finished in this hall


class LessonRows(Page, frozen=True, kw_only=True):
    """Boards to try a game's rules on; what a task holds is the game's own, but for its `name`."""

    rows: tuple[Any, ...]


class NewTable(Body, frozen=True, kw_only=True):
    """A table of one's own. preset, seats: as in the room, or as many as can play."""

    game: str
    variant: str | None = None
    preset: str | None = None
    seats: Id | None = None
    room: Id | None = None
    options: dict[str, Any] = {}
    clock: dict[str, Any] | None = None
    private: bool = False


class OpenedTable(Struct, frozen=True, omit_defaults=True):
    """key and link: of a private table."""

    table: int
    key: str | UnsetType = UNSET
    link: str | UnsetType = UNSET


class Play(Body, frozen=True, kw_only=True):
    """Play at once, at a friendly table with bots in the other seats."""

    game: str
    variant: str | None = None
    preset: str | None = None
    seats: Id | None = None
    options: dict[str, Any] = {}
    clock: dict[str, Any] | None = None
    level: Annotated[str, Meta(min_length=1, max_length=24)] = "steady"  # of `bots` of `GET /games/<game>`
    colour: Literal["random", "mine", "theirs"] = "mine"  # of two, who has the first seat
    start: Annotated[str, Meta(max_length=8192)] | None = None  # a position as its game writes it (P-74)
    seat: Annotated[int, Meta(ge=0, le=15)] | None = None  # mine, where it starts from a position


class Seated(Struct, frozen=True):
    """The table and seat where I sit now."""

    table: int
    seat: int


class SettingsChange(Settings, frozen=True, kw_only=True):
    """The settings that change."""

    zone: Zone | UnsetType = UNSET
    cid: BodyCid | None = None

    def plain(self) -> Settings:
        """Return the settings alone."""
        return Settings(**{field: getattr(self, field) for field in Settings.__struct_fields__})


class Linked(Struct, frozen=True):
    """The table that a private link leads to."""

    table: int
    game: str


class GameRows(Page, frozen=True, kw_only=True):
    """The games."""

    rows: tuple[GameInfo, ...]


class TokenRows(Page, frozen=True, kw_only=True):
    """My programs' tokens."""

    rows: tuple[Token, ...]


class RoomRow(RoomInfo, frozen=True, kw_only=True):
    """A room in the list of rooms."""

    people: int
    playing: int


class RoomRows(Page, frozen=True, kw_only=True):
    """Rooms."""

    rows: tuple[RoomRow, ...]


class Proof(Struct, frozen=True):
    """The proof that a deal was fair (P-91). board: the shared deal whose luck it used (P-94)."""

    commitment: str | None
    server_seed: str | None
    client_seeds: tuple[str, ...] | None
    board: str | UnsetType = UNSET


class Advice(Struct, frozen=True):
    """What a bot would do in my seat now."""

    action: Any


class FromFile(Struct, frozen=True, kw_only=True):
    """What the file of a game says that the rules do not know (0041)."""

    date: str
    titles: dict[str, str]  # event, place, result, …
    notes: dict[str, str]  # comments, by how many rows stand before them
    asides: tuple[Aside, ...]  # variations
    beyond: int  # so many moves the file has that came after the rules had ended the game


class FinishedGame(Struct, frozen=True, kw_only=True):
    """A game from its start to its end. rows: [seat, action, ms, why?]."""

    game_id: str
    deal: int
    table: int
    game: str
    variant: str | None
    rules: int  # the edition of the game's rules
    options: Any  # all of them, as they were
    carry: Any
    seats: tuple[Any, ...]  # {"user": …}, {"bot": level}, or {"name": …} of a game that was brought from a file
    bench: tuple[Any, ...] | UnsetType = UNSET  # {"seat": 4, "user": …}: who sat there (P-63)
    first_seated: int
    fair: Proof
    rows: tuple[Any, ...]
    result: Result | None  # None: a game from a file that breaks off
    at: int  # ms since 1970
    formats: tuple[str, ...]  # what `?as=` understands
    brought: FromFile | UnsetType = UNSET  # what its file says beside the moves; of games that were played elsewhere
    start: DealStart | UnsetType = UNSET  # where it starts, if not as deals of its game do (P-74, What if)


class ReplayFrames(Struct, frozen=True):
    """All moments of a finished game.

    broken: the first step that today's rules do not know, 0: not even the start; the moments before it are shown.
    """

    rows: tuple[Frame, ...]
    broken: int | UnsetType = UNSET
