"""Names, passwords, logins and settings: frozen data and pure functions (platform P-1 – P-3, P-5)."""

from __future__ import annotations

import unicodedata
from collections import deque
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from qipai.accounts.text import look
from qipai.lang import Tag, languages

__all__ = [
    "COUNTRIES",
    "DELETED",
    "PICTURES",
    "SCOPES",
    "Field",
    "Level",
    "Login",
    "Pace",
    "Refused",
    "Role",
    "SelfDescription",
    "Settings",
    "Token",
    "User",
    "Window",
    "check_country",
    "check_name",
    "check_password",
    "check_picture",
    "folded",
    "hidden",
    "normal",
    "width",
]

Role = Literal["guest", "user", "bot", "moderator", "admin"]

SCOPES: Final = frozenset({"play", "watch", "board", "bot", "spend"})
PICTURES: Final = tuple("帅将车马炮兵相士皇王发中白东南西北福禄寿喜春兰竹菊♠♥♣♦")  # pieces, tiles, suits
NAME_LEAST: Final = 3
NAME_MOST: Final = 20
PASSWORD_LEAST: Final = 8
GUESSES: Final = 10**6  # a password that would be found with fewer guesses is too weak
LOOKED_AT: Final = 72  # characters; a longer one is no word, and would take long to look at
RESERVED: Final = frozenset(
    [
        *("admin", "administrator", "bot", "deleted", "hall", "house", "moderator", "qipai", "root", "system"),
        *("大厅", "已注销", "机器人", "管理员", "系统", "系统管理员"),
        *("大廳", "已註銷", "機器人", "管理員", "系統", "系統管理員"),
    ]
)
DELETED: Final = "deleted"  # the name of a deleted account (P-96); nobody can choose it
RESERVED_STARTS: Final = ("guest", "游客", "遊客", *(one.guest for one in languages().values()))
COUNTRIES: Final = frozenset(  # ISO 3166-1
    """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
    CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
    GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
    KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
    MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
    SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
    UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
    """.split()  # noqa: SIM905
)


Level = Literal["public", "friends", "me"]  # who may see a field of a profile, each fewer than the one before
Field = Literal[
    "about", "country", "language", "registered", "seen", "hours", "member", "score", "wins", "passes", "games", "coins"
]
USUAL: Final[Mapping[Field, Level]] = {  # what can be set of a profile, and how it is when nothing was set (P-4)
    **dict.fromkeys(get_args(Field), "public"),
    "coins": "me",
}


class Refused(Exception):
    """A request about accounts that is not granted: a code of platform section 14 with its facts."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


class User(Struct, frozen=True):
    """Who somebody is, as everybody may see it."""

    id: int
    name: str
    kind: Literal["user", "guest", "bot"]
    picture: str | UnsetType = UNSET  # one of PICTURES, where they have chosen one (P-4)

    @property
    def deleted(self) -> bool:
        """Tell whether this account has been deleted: its games still name it, but nobody can sign in to it."""
        return self.name == DELETED


class Login(Struct, frozen=True):
    """A cookie or a token that is in force; the hall knows it by its hash alone."""

    key: bytes
    user: int
    role: Role
    scopes: frozenset[str]  # a cookie covers everything
    cookie: bool
    ends_at: int
    factor: bool  # whether its user has a second factor


class Token(Struct, frozen=True):
    """A program's token as the list of tokens shows it; the secret itself is shown once."""

    id: int
    name: str
    scopes: tuple[str, ...]
    made_at: int


NewsKind = Literal[
    "mail", "turn", "invite", "contest", "order", "talk"
]  # kinds of news; talk: all that is none of these


class Settings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a user has set, the same on every device (P-5); what was never set is left out."""

    lang: Tag | UnsetType | None = UNSET  # None: the browser's
    zone: Annotated[str, Meta(max_length=64)] | UnsetType = UNSET  # an IANA name; "": the browser's
    dates: Literal["auto", "ymd", "dmy", "mdy"] | UnsetType = UNSET  # the order; auto: the language's
    theme: Literal["auto", "light", "dark"] | UnsetType = UNSET
    cloth: Literal["pine", "indigo", "umber"] | UnsetType = UNSET
    suits: Literal[2, 4] | UnsetType = UNSET  # colours of the deck
    pieces: Literal["traditional", "simplified", "pictures", "latin"] | UnsetType = UNSET
    sound: bool | UnsetType = UNSET
    volume: Annotated[int, Meta(ge=0, le=100)] | UnsetType = UNSET
    speed: Literal["slow", "normal", "fast", "none"] | UnsetType = UNSET
    confirm_move: bool | UnsetType = UNSET
    auto_vacation: bool | UnsetType = UNSET  # an hour of vacation instead of a fallen flag (P-87)
    after_move: Literal["stay", "next", "home"] | UnsetType = UNSET  # in a turn-based game (P-24)
    songs: bool | UnsetType = UNSET  # whether songs in rooms are heard (P-56)
    bot_talk: bool | UnsetType = UNSET  # whether what bots say is shown (P-22)
    reduced_motion: bool | UnsetType = UNSET
    high_contrast: bool | UnsetType = UNSET
    left_handed: bool | UnsetType = UNSET
    rows: Literal[20, 50, 100, 200] | UnsetType = UNSET  # on a page of a list
    tips: bool | UnsetType = UNSET  # whether the tip of the day is shown (P-86)
    minor: bool | UnsetType = UNSET  # P-107: coin rooms are hidden
    daily_loss: Annotated[int, Meta(ge=0, le=10**9)] | UnsetType | None = UNSET  # coins a day, P-107; None: no limit
    # Who may see what of the profile (P-4): `show_` and a Field.
    show_about: Level | UnsetType = UNSET
    show_country: Level | UnsetType = UNSET
    show_language: Level | UnsetType = UNSET
    show_registered: Level | UnsetType = UNSET
    show_seen: Level | UnsetType = UNSET
    show_hours: Level | UnsetType = UNSET
    show_member: Level | UnsetType = UNSET
    show_score: Level | UnsetType = UNSET
    show_wins: Level | UnsetType = UNSET
    show_passes: Level | UnsetType = UNSET
    show_games: Level | UnsetType = UNSET
    show_coins: Level | UnsetType = UNSET
    open_name: bool | UnsetType = UNSET  # whether open data names them; else they have letters there (P-96)
    # whether moments of their rated games may become problems, without names (P-102)
    open_moments: bool | UnsetType = UNSET
    invited_by: Literal["anyone", "friends", "nobody"] | UnsetType = UNSET  # by name or in a group (P-65)
    mailed_by: Literal["anyone", "friends", "nobody"] | UnsetType = UNSET  # who may send them mail (P-9)
    push: Annotated[tuple[NewsKind, ...], Meta(max_length=20)] | UnsetType = (
        UNSET  # what their devices are told; unset: all
    )
    letters: Annotated[tuple[NewsKind, ...], Meta(max_length=20)] | UnsetType = (
        UNSET  # what goes by e-mail; unset: nothing
    )
    hide_online: bool | UnsetType = UNSET  # hides whether they are here, where they sit, when they were last seen


class SelfDescription(Struct, frozen=True):
    """What somebody tells of themselves (P-4), and for how many seconds they have had a line into the hall.

    picture: one of PICTURES, drawn on a piece of their colour.
    """

    about: str
    country: str | None
    online_s: int
    picture: str | None = None


class Window:
    """How often something happened to each of many keys in the last `seconds`; `now` is always given."""

    def __init__(self, most: int, seconds: int) -> None:
        self._most, self._seconds = most, seconds
        self._times: dict[Any, deque[float]] = {}

    def wait(self, key: Any, now: float) -> float:
        """Return the seconds until the key may go on, 0 when it may now."""
        times = self._times.get(key)
        if times is None:
            return 0 if self._most else self._seconds
        while times and times[0] <= now - self._seconds:
            times.popleft()
        if not times:
            del self._times[key]
        if len(times) < self._most:
            return 0
        return times[0] + self._seconds - now if times else self._seconds

    def add(self, key: Any, now: float) -> None:
        """Count one more; old keys are swept out when there are many."""
        if len(self._times) > 10_000:
            self._times = {k: t for k, t in self._times.items() if t[-1] > now - self._seconds}
        self._times.setdefault(key, deque()).append(now)

    def back(self, key: Any) -> None:
        """Undo the last count."""
        if times := self._times.get(key):
            times.pop()
            if not times:
                del self._times[key]

    def forget(self, key: Any) -> None:
        """Start a key afresh."""
        self._times.pop(key, None)


class Pace:
    """How fast each of many keys may go on: `most` at once, and as many again within `seconds`; `now` is given.

    One number is kept for each key: the time at which it may use its full limit again.
    """

    def __init__(self, most: float, seconds: float) -> None:
        self._each, self._room = seconds / most, float(seconds)
        self._good: dict[Any, float] = {}

    def wait(self, key: Any, now: float, cost: float = 1) -> float:
        """Count one more and return 0; where that would be too many, count nothing and return the seconds to wait."""
        good = max(self._good.get(key, now), now) + cost * self._each
        # What costs more than the whole limit is allowed when nothing else was counted before it.
        if (over := good - now - max(self._room, cost * self._each)) > 1e-9:
            return over
        if len(self._good) > 10_000:
            self._good = {key: at for key, at in self._good.items() if at > now}
        self._good[key] = good
        return 0


def hidden(settings: Settings, to: Level) -> frozenset[Field]:
    """Return which fields of a profile are not shown to its owner ("me"), to a friend, or to anybody ("public")."""
    levels = get_args(Level)

    def shown(field: Field) -> bool:
        return levels.index(getattr(settings, f"show_{field}") or USUAL[field]) <= levels.index(to)

    veil = frozenset(field for field in USUAL if not shown(field))
    return veil | {"seen"} if settings.hide_online is True and to != "me" else veil


def check_picture(sign: str | None) -> str | None:
    """Return a picture that can be chosen, None for none; raises Refused("BAD_OPTION")."""
    if sign and sign not in PICTURES:
        raise Refused("BAD_OPTION", field="picture")
    return sign or None


def check_country(code: str | None) -> str | None:
    """Return a country's code of ISO 3166, None for none; raises Refused("BAD_OPTION")."""
    if code and code not in COUNTRIES:
        raise Refused("BAD_OPTION", field="country")
    return code or None


def normal(name: str) -> str:
    """Return a name as it is shown: Unicode NFKC, so that two names that look alike are alike."""
    return unicodedata.normalize("NFKC", name)


def folded(name: str) -> str:
    """Return the form of a name that must be unique: NFKC, without case."""
    return normal(normal(name).casefold())


def width(name: str) -> int:
    """Return how wide a name is: a CJK character counts two (P-1)."""
    return sum(2 if _is_han(char) else 1 for char in name)


def check_name(name: str) -> str:
    """Return the name to register; raises Refused("NAME_BAD") (P-1)."""
    name = normal(name)
    shape = look(name)
    fits = NAME_LEAST <= width(name) <= NAME_MOST and all(map(_may_stand, name))
    if not fits or shape in set(map(look, RESERVED)) or shape.startswith(tuple(map(look, RESERVED_STARTS))):
        raise Refused("NAME_BAD", least=NAME_LEAST, most=NAME_MOST)
    return name


def check_password(password: str, *own: str) -> None:
    """Raise Refused("PASSWORD_WEAK") for a password that is too short or easy to guess.

    own: words that are near, as the user's name. It may take some hundredths of a second.
    """
    if len(password) < PASSWORD_LEAST:
        raise Refused("PASSWORD_WEAK", least=PASSWORD_LEAST)
    from zxcvbn import zxcvbn  # some megabytes of words that only this needs

    if len(password) <= LOOKED_AT and zxcvbn(password, user_inputs=[*own])["guesses"] < GUESSES:
        raise Refused("PASSWORD_WEAK", case="common", least=PASSWORD_LEAST)


def _is_han(char: str) -> bool:
    return unicodedata.name(char, "").startswith("CJK UNIFIED IDEOGRAPH") or char in "〇々"


def _may_stand(char: str) -> bool:
    """Tell whether a name may hold this: letters of the Latin script, 0-9, `_`, `-`, Han characters."""
    if char.isascii():
        return char.isalnum() or char in "_-"
    return _is_han(char) or (char.isalpha() and unicodedata.name(char, "").startswith("LATIN "))
