"""The typed layer of the HTTP API: who calls, request body, response, status (platform 13.2)."""

from __future__ import annotations

import asyncio
import inspect
import math
from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal, get_type_hints

import msgspec
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from qipai.accounts.model import Login, Refused, User
from qipai.hall.table.errors import HallError, busy
from qipai.ledger.service import Denied
from qipai.store import Unwritten
from qipai.web.origin import COOKIE, DEVICE, address, cookie, is_form, own_origin, secure
from qipai.web.protocol import NoBody, bad_field, cleaned, encode, without_nul
from qipai.web.services import Services

__all__ = ["CALLS", "MOST_ID", "Ask", "Call", "call", "fault", "status_of"]

MOST_BYTES: Final = 65536
MOST_ID: Final = 2**53
ANSWERED_S: Final = 86400  # how long a repeated cid gets its first answer again
DEVICE_S: Final = 400 * 86400  # browsers do not keep a cookie longer
MOST_ANSWERS: Final = 50_000
BEARER: Final = "bearer "
NUL: Final = "\0"  # nothing that the hall keeps has it, and PostgreSQL cannot even be asked for it
TO_BANNED: Final = frozenset({"/logout", "/me/rulings", "/me/rulings/{id:int}/appeal"})  # banned people may call them

STATUS: Final = {
    "SIGN_IN": 401,
    "BAD_LOGIN": 401,
    "SECOND_FACTOR": 401,
    "NAME_BAD": 400,
    "PASSWORD_WEAK": 400,
    "NOT_FOUND": 404,
    "TOO_BIG": 413,
    "RATE_LIMIT": 429,
    "BUSY": 503,
}
FORBIDDEN: Final = frozenset(  # 403: refused by a right or a condition; other refusals depend on the present state
    [
        *("BANNED", "BLOCKED", "COINS_TOO_FEW", "CREDIBILITY_LOW", "DAILY_LIMIT", "GRADE_TOO_LOW", "GUEST_RATED"),
        *("LIMIT_REACHED", "MUTED", "NOT_ALLOWED", "NOT_FOR_YOU", "NOT_MEMBER", "PASS_TOO_HIGH", "RANK_TOO_LOW"),
        *("RATING_RANGE", "SAME_ADDRESS", "SCORE_TOO_LOW", "TABLE_LOCKED", "TOO_MANY_GAMES", "WATCH_FORBIDDEN"),
    ]
)

Who = Literal["anyone", "signed", "cookie"]  # cookie: a person calls, not a program with a token


class Call(Struct, frozen=True):
    """A call of the API."""

    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    who: Who
    scopes: frozenset[str]  # a token must have one of them; none: any token will do
    body: Any  # a Struct with `cid`, bytes: a file as it is with `cid` in the query; None where nothing is sent
    answer: Any
    does: Callable[..., Awaitable[Any]]
    queries: tuple[str, ...] = ()
    cost: int = 1  # how many calls it counts as
    most: int = MOST_BYTES  # of a body
    media: str = "application/zip"  # of an answer that is bytes


class Ask:
    """A call, in the form that handlers get."""

    def __init__(self, services: Services, request: Request) -> None:
        self.services, self.request = services, request
        self.hall, self.accounts = services.hall, services.accounts
        self.path: dict[str, Any] = request.path_params
        self.query = request.query_params
        self.address = address(request.scope, services.proxies)
        self.login: Login | None = None
        self.token: str | None = None  # the one of a program that asks
        self._user: User | None = None
        self.cookie: str | None = None  # to be set; "" to be taken away
        self.device: str | None = None  # to be set: whose known device this is

    @property
    def now(self) -> int:
        """Return the time in seconds."""
        return self.services.now() // 1000

    @property
    def user(self) -> User:
        """Return who asks; only in calls that are not for anyone."""
        assert self._user is not None
        return self._user

    @property
    def somebody(self) -> User | None:
        """Return who asks, None when nobody is signed in."""
        return self._user

    @property
    def viewer(self) -> int | None:
        """Return the number of who asks, None when nobody is signed in."""
        return None if self._user is None else self._user.id

    @property
    def keeps_order(self) -> bool:
        """Tell whether who asks is a moderator of the whole hall, with the second factor where it is required.

        A moderator's programs are none: a token for games does not open what moderators see.
        """
        login = self.login
        if login is None or not login.cookie:
            return False
        return login.role in ("moderator", "admin") and self.accounts.proven(login)

    async def person(self, id: int | None) -> User | None:
        """Return a user by number; None for nobody, and for who is unknown."""
        return None if id is None else await self.accounts.find(id)

    def base(self) -> str:
        """Return the address to put before a link: the one the client used, or one that others can use."""
        host, public = self.request.headers.get("host", ""), self.services.public
        if public and host.rpartition(":")[0].strip("[]") in ("127.0.0.1", "localhost", "::1"):
            return public
        return f"{self.request.scope['scheme']}://{host}"

    async def enter(self, call: Call) -> None:
        """Find out who calls; raises HallError if they may not make this call."""
        given = self.request.headers.get("authorization", "")
        token = given[len(BEARER) :].strip() if given.lower().startswith(BEARER) else None
        secret = token if token is not None else cookie(self.request.scope)
        if secret:
            self.login = await self.accounts.who(secret, self.now)
            if self.login is not None:
                self._user = await self.accounts.find(self.login.user)
        keeper = self.login is not None and self.login.cookie and self.login.role in ("moderator", "admin")
        if not keeper and (until := self.hall.order.shut_until(self.address, self.now)):
            raise HallError("BANNED", case="address", until=until)
        if self.login is None:
            if token is not None or call.who != "anyone":
                raise HallError("SIGN_IN")
            return
        if call.path not in TO_BANNED and (until := self.hall.order.until(self.login.user, "ban", self.now)):
            raise HallError("BANNED", until=until)
        if not self.login.cookie:
            self.token = secret
            if call.who == "cookie" or (call.scopes and not call.scopes & self.login.scopes):
                raise HallError("NOT_ALLOWED")

    def page(self) -> tuple[str | None, int]:
        """Return the cursor and the length of the page of a list that is asked for."""
        text = self.query.get("limit", "50")
        if not text.isdecimal() or not 1 <= int(text[:9]) <= 200:
            raise HallError("BAD_MESSAGE", field="limit")
        return self.query.get("after"), int(text)

    def cursor(self) -> tuple[int | None, int]:
        """Return the same where the cursor is a number."""
        after, most = self.page()
        if after is not None and not (after.isascii() and after.isdecimal() and len(after) <= 15):
            raise HallError("BAD_MESSAGE", field="after")
        return None if after is None else int(after), most

    @property
    def cid(self) -> str | None:
        """Return the cid of a call whose body is a file; raises HallError if it is none."""
        cid = self.query.get("cid")
        if cid is not None and not (cid.isascii() and 1 <= len(cid) <= 64):
            raise HallError("BAD_MESSAGE", field="cid")
        return cid

    def number(self, name: str, low: int, high: int) -> int:
        """Return a number of the query; raises HallError if it is not a number, or not one of these."""
        text = self.query.get(name, "")
        if not (text.isascii() and text.isdecimal() and len(text) <= 15 and low <= int(text) <= high):
            raise HallError("BAD_MESSAGE", field=name)
        return int(text)


CALLS: list[Call] = []


def call(
    method: Literal["GET", "POST", "PATCH", "DELETE"],
    path: str,
    who: Who = "anyone",
    *scopes: str,
    queries: str = "",
    cost: int = 1,
    most: int = MOST_BYTES,
    media: str = "application/zip",
) -> Callable[[Callable[..., Awaitable[Any]]], Callable[..., Awaitable[Any]]]:
    """Register a handler `(ask)` or `(ask, body)`; its body and answer are those of its annotations."""

    def register(does: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        hints = get_type_hints(does)
        body = hints.get("body") if "body" in inspect.signature(does).parameters else None
        words = tuple(queries.split())
        CALLS.append(Call(method, path, who, frozenset(scopes), body, hints["return"], does, words, cost, most, media))
        return does

    return register


def status_of(code: str) -> int:
    """Return the HTTP status of a refusal."""
    if code in STATUS:
        return STATUS[code]
    if code.startswith("NO_SUCH_"):
        return 404
    if code.startswith("BAD_"):
        return 400
    return 403 if code in FORBIDDEN else 409


def fault(code: str, facts: Any, status: int | None = None) -> Response:
    """Return the answer to a call that is refused."""
    response = _json(encode({"error": {"code": code, "facts": facts}}), status or status_of(code))
    if (wait := facts.get("wait_ms")) is not None:
        response.headers["retry-after"] = str(math.ceil(wait / 1000))
    return response


def _json(body: bytes, status: int = 200) -> Response:
    headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
    return Response(body, status_code=status, media_type="application/json", headers=headers)


class Endpoints:
    """Handles the calls of one server."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._answers: dict[tuple[bytes, str, str, str], tuple[float, asyncio.Future[bytes]]] = {}
        self._calls: dict[str, dict[str, Call]] = {}  # by path and method
        for call in CALLS:
            self._calls.setdefault(call.path, {})[call.method] = call

    def endpoint(self, path: str) -> Callable[[Request], Awaitable[Response]]:
        """Return what Starlette calls for a path."""
        methods = self._calls[path]

        async def take(request: Request) -> Response:
            begun = self._services.clock()
            response = await answer(request)
            self._services.call_times.add(self._services.clock() - begun)
            self._services.answers[response.status_code] += 1
            return response

        async def answer(request: Request) -> Response:
            call = methods.get("GET" if request.method == "HEAD" else request.method)
            if call is None:
                response = self._refused("NOT_FOUND", {}, 405)
                response.headers["allow"] = ", ".join(methods)
                return response
            ask = Ask(self._services, request)
            try:
                response = await self._take(call, ask)
            except ClientDisconnect:
                return Response(status_code=400)  # to nobody
            except Unwritten as wrong:
                response = self._refused("BUSY", busy(wrong, asked=request.method in ("GET", "HEAD")).facts)
            except (HallError, Refused, Denied) as wrong:
                response = self._refused(wrong.code, wrong.facts)
                if wrong.code == "SIGN_IN" and ask.login is None and cookie(request.scope):
                    ask.cookie = ""  # its login has ended
            self._bake(ask, response)
            return response

        return take

    def _refused(self, code: str, facts: Any, status: int | None = None) -> Response:
        self._services.hall.refusals[code] += 1
        return fault(code, facts, status)

    async def _take(self, call: Call, ask: Ask) -> Response:
        scope = ask.request.scope
        if call.method != "GET" and (is_form(scope) or not own_origin(scope, self._services.config.web.origins)):
            self._services.proxy_watch.refused(scope)
            raise HallError("BAD_ORIGIN")
        if any(isinstance(part, int) and part > MOST_ID for part in ask.path.values()):
            raise HallError("NOT_FOUND")
        if any(isinstance(part, str) and NUL in part for part in ask.path.values()):
            raise HallError("NOT_FOUND")
        for name, text in ask.query.multi_items():
            if NUL in text:
                raise HallError("BAD_MESSAGE", field=name)
        gate, clock = self._services.gate, self._services.clock()
        gate.call(ask.address, None, clock, call.cost)
        body = await self._body(call, ask.request) if call.method != "GET" else None
        await ask.enter(call)
        if ask.login is not None:
            gate.call(ask.address, ask.login.user, clock, call.cost)
        if body is None:
            found = await call.does(ask)
            return found if isinstance(found, Response) else _json(encode(found))
        cid = ask.cid if call.body is bytes else getattr(body, "cid", None)
        if cid is None or ask.login is None:
            return _json(await self._do(call, ask, body))
        # A cid belongs to its call and its login: another token must not get this one's answer.
        key = (ask.login.key, call.method, ask.request.url.path, cid)
        self._forget()
        if known := self._answers.get(key):
            # The first call may still be running. It is shielded, so that its repetition cannot cancel it.
            first = await asyncio.shield(known[1])
            return _json(encode({**msgspec.json.decode(first), "again": True}))
        future = asyncio.get_running_loop().create_future()
        self._answers[key] = (self._services.clock() + ANSWERED_S, future)
        try:
            done = await self._do(call, ask, body)
        except BaseException as wrong:
            del self._answers[key]  # a refused call is not remembered
            future.set_exception(wrong if isinstance(wrong, Exception) else HallError("NOT_FOUND"))
            future.exception()  # seen
            raise
        future.set_result(done)
        return _json(done)

    async def _do(self, call: Call, ask: Ask, body: Any) -> bytes:
        found = await (call.does(ask, body) if call.body is not None else call.does(ask))
        return encode({} if found is None else found)

    async def _body(self, call: Call, request: Request) -> Any:
        data = bytearray()
        async for piece in request.stream():
            data += piece
            if len(data) > call.most:
                raise HallError("TOO_BIG")
        if call.body is bytes:
            return bytes(data)
        try:
            text = without_nul(data.decode()) if data else "{}"
            body = msgspec.json.decode(text, type=call.body or NoBody)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
            raise HallError("BAD_MESSAGE", field=bad_field(wrong)) from None
        try:
            return cleaned(body)
        except ValueError as wrong:
            raise HallError("BAD_MESSAGE", field=str(wrong)) from None

    def _bake(self, ask: Ask, response: Response) -> None:
        keep = self._services.config.accounts.login_days * 86400 if ask.cookie else 0
        for name, value, seconds in ((COOKIE, ask.cookie, keep), (DEVICE, ask.device, DEVICE_S)):
            if value is not None:
                tls = secure(ask.request.scope)
                response.set_cookie(name, value, seconds, path="/", httponly=True, samesite="lax", secure=tls)

    def _forget(self) -> None:
        """Drop answers that are too old; the oldest stand first."""
        now = self._services.clock()
        while self._answers:
            key, (until, _) = next(iter(self._answers.items()))
            if until > now and len(self._answers) < MOST_ANSWERS:
                return
            del self._answers[key]
