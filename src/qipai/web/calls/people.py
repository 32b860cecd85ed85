"""Calls about a person's account, and the language files."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, structs, to_builtins
from starlette.responses import Response

from qipai import lang
from qipai.accounts import zones
from qipai.accounts.model import COUNTRIES, PICTURES, SelfDescription, Settings, User
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.files import answer
from qipai.web.origin import DEVICE, cookie, site
from qipai.web.pages.people import (
    FactorBegun,
    FactorCode,
    FactorCodes,
    FactorProof,
    LetterAsked,
    MyEmail,
    MyFactor,
    MyProfile,
    NewEmail,
    NewFactor,
    NewPasskey,
    NewReset,
    PasskeyAsked,
    PasskeyProof,
    PasskeyRow,
    PasskeyRows,
    ProfileChange,
    ResetFor,
    ResetSecret,
    SignInByPasskey,
    Ways,
)
from qipai.web.protocol import (
    Account,
    Logout,
    Me,
    NewGuest,
    NewName,
    NewPassword,
    NewToken,
    NoBody,
    Register,
    SettingsChange,
    SignedIn,
    SignIn,
    TokenMade,
    TokenRows,
)

__all__: list[str] = []

GUEST_SCOPES = ("play", "watch")


@call("POST", "/guest")
async def guest(ask: Ask, body: NewGuest) -> SignedIn:
    """Come in as a guest (P-3); a caller who is signed in keeps that login, a program keeps its own token."""
    accounts = ask.accounts
    user = ask.somebody
    if user is None:
        user, ask.cookie = await accounts.guest(ask.address, ask.now, body.lang or lang.DEFAULT)
    if not body.token:
        return SignedIn(user=user)
    if ask.token is not None:
        return SignedIn(user=user, token=ask.token)  # another token would outlive it, and might have more rights
    _, token = await accounts.add_token(user.id, "guest", GUEST_SCOPES, ask.now)
    return SignedIn(user=user, token=token)


@call("POST", "/register")
async def register(ask: Ask, body: Register) -> SignedIn:
    """Register; a guest keeps its games (P-1). A browser sends its zone unasked: one unknown here is left out."""
    # A token of a guest is not the guest: it may not give itself a password, and with it all that a login may.
    who = ask.somebody if ask.token is None else None
    zone = body.zone if body.zone and zones.known(body.zone) else UNSET
    settings = Settings(lang=body.lang or UNSET, zone=zone)
    user, ask.cookie = await ask.accounts.register(
        body.name,
        body.password,
        guest=who.id if who is not None and who.kind == "guest" else None,
        address=ask.address,
        now=ask.now,
        email=body.email,
        settings=settings,
    )
    ask.device = await ask.accounts.device(user.id)
    await ask.hall.ledger.welcome(user.id, ask.services.now())
    return SignedIn(user=user)


@call("POST", "/login")
async def login(ask: Ask, body: SignIn) -> SignedIn:
    """Sign in (P-2); without a code that is asked for: SECOND_FACTOR."""
    accounts, known = ask.accounts, cookie(ask.request.scope, DEVICE)
    return await _let_in(ask, *await accounts.login(body.name, body.password, ask.address, ask.now, known, body.code))


async def _let_in(ask: Ask, user: User, secret: str) -> SignedIn:
    ask.device = await ask.accounts.device(user.id)
    ask.cookie = secret  # who is banned gets it, too: with it they may appeal, and nothing else
    if (until := ask.hall.order.until(user.id, "ban", ask.now)) is not None:
        raise HallError("BANNED", until=until)
    return SignedIn(user=user)


@call("GET", "/ways")
async def ways(ask: Ask) -> Ways:
    """Return the ways to sign in to this hall, beside name and password."""
    return Ways(passkeys=ask.accounts.passkeys.ready, mail=ask.services.community.letters.ready)


@call("POST", "/login/passkey/ask")
async def ask_passkey(ask: Ask, body: NoBody) -> PasskeyAsked:
    """Return what a browser needs to sign in with a passkey (WebAuthn); it stands five minutes."""
    return PasskeyAsked(ask.accounts.passkeys.ask(site(ask.request.scope), ask.now))


@call("POST", "/login/passkey", cost=5)
async def login_by_passkey(ask: Ask, body: SignInByPasskey) -> SignedIn:
    """Sign in with a passkey alone: no name, no password, no code (P-2)."""
    answer = to_builtins(body.answer)
    return await _let_in(ask, *await ask.accounts.login_by_passkey(answer, site(ask.request.scope), ask.now))


@call("POST", "/logout", "cookie")
async def logout(ask: Ask, body: Logout) -> None:
    """Sign out here, or everywhere (P-2, P-26)."""
    assert ask.login is not None
    await ask.services.logins.sign_out(ask.login, everywhere=body.everywhere, confirm=body.confirm)
    ask.cookie = ""


@call("POST", "/me/name", "cookie")
async def new_name(ask: Ask, body: NewName) -> SignedIn:
    """Choose a name as a guest; a registered one stands (P-3)."""
    user = await ask.accounts.rename(ask.user, body.name, ask.now)
    ask.hall.attendance.renamed(user)
    return SignedIn(user=user)


@call("POST", "/me/password", "cookie")
async def new_password(ask: Ask, body: NewPassword) -> None:
    """Change my password; all my other logins end, and the tokens of my programs where I do not keep them."""
    assert ask.login is not None
    accounts = ask.accounts
    await accounts.confirm(ask.user.id, body.old, ask.now)
    ended = await accounts.set_password(ask.user.id, body.password, keep=ask.login.key, keep_tokens=body.keep_tokens)
    ask.services.sockets.cut(ended)
    ask.device = await accounts.device(ask.user.id)


@call("POST", "/reset/look")
async def look_at_reset(ask: Ask, body: ResetSecret) -> ResetFor:
    """Return whose password a link sets (P-2); of one that is good for nothing nobody is told why."""
    found = await ask.accounts.resets.find(body.secret, ask.services.now())
    user = await ask.accounts.find(found.user)
    assert user is not None
    return ResetFor(user, found.ends_at)


@call("POST", "/reset", cost=5)
async def reset(ask: Ask, body: NewReset) -> SignedIn:
    """Set a forgotten password by a link, once: all logins and tokens end, and one signs in with the new one (P-2)."""
    accounts = ask.accounts
    id, ended = await accounts.resets.use(body.secret, body.password, ask.services.now())
    ask.services.sockets.cut(ended)
    ask.device = await accounts.device(id)  # failed attempts before do not shut them out
    user = await accounts.find(id)
    assert user is not None
    return SignedIn(user=user)


@call("POST", "/reset/mail")
async def ask_letter(ask: Ask, body: LetterAsked) -> None:
    """Send who forgot the password a letter with a link; the answer is the same whether anybody is known so (P-2)."""
    services, letters, who = ask.services, ask.services.community.letters, body.who.strip()
    if not letters.ready:
        raise HallError("NOT_FOUND", case="mail")
    if letters.ask(who, ask.address, clock := services.clock()):
        services.hall.runner.spawn(letters.find(who, body.lang, clock))


@call("GET", "/me/email", "cookie")
async def my_email(ask: Ask) -> MyEmail:
    """Return my e-mail address."""
    return MyEmail(await ask.accounts.email(ask.user.id))


@call("POST", "/me/email", "cookie")
async def new_email(ask: Ask, body: NewEmail) -> MyEmail:
    """Change my e-mail address, to which a link to a new password may be sent (P-2)."""
    if ask.user.kind != "user":
        raise HallError("SIGN_IN", case="guest")
    await ask.accounts.confirm(ask.user.id, body.password, ask.now)
    await ask.accounts.set_email(ask.user.id, body.email)
    return MyEmail(body.email)


@call("GET", "/me/factor", "cookie")
async def my_factor(ask: Ask) -> MyFactor:
    """Tell whether I sign in with a second factor."""
    found = await ask.accounts.factors.of(ask.user.id)
    return MyFactor(None, 0) if found is None else MyFactor(found.since, found.codes)


@call("POST", "/me/factor", "cookie")
async def begin_factor(ask: Ask, body: NewFactor) -> FactorBegun:
    """Begin with a second factor; it is not on before a first code confirms it (P-2)."""
    if ask.user.kind != "user":
        raise HallError("SIGN_IN", case="guest")
    accounts = ask.accounts
    await accounts.confirm(ask.user.id, body.password, ask.now)
    return FactorBegun(*await accounts.factors.begin(ask.user.id, ask.user.name))


@call("POST", "/me/factor/confirm", "cookie")
async def confirm_factor(ask: Ask, body: FactorCode) -> FactorCodes:
    """Turn my second factor on by a first code; my other cookies end, programs' tokens stay."""
    assert ask.login is not None
    services = ask.services
    codes, ended = await services.accounts.factors.turn_on(ask.user.id, body.code, ask.login.key, ask.now)
    services.sockets.cut(ended)
    services.logins.factor_changed(ask.user.id, on=True)
    return FactorCodes(codes)


@call("POST", "/me/factor/codes", "cookie")
async def new_codes(ask: Ask, body: FactorProof) -> FactorCodes:
    """Make new recovery codes in place of those before."""
    accounts = ask.accounts
    await accounts.confirm(ask.user.id, body.password, ask.now)
    return FactorCodes(await accounts.factors.renew(ask.user.id, body.code, ask.now))


@call("DELETE", "/me/factor", "cookie")
async def turn_off_factor(ask: Ask, body: FactorProof) -> None:
    """Sign in without a second factor again."""
    accounts = ask.accounts
    await accounts.confirm(ask.user.id, body.password, ask.now)
    await accounts.factors.turn_off(ask.user.id, body.code, ask.now)
    ask.services.logins.factor_changed(ask.user.id, on=False)


@call("GET", "/me/passkeys", "cookie")
async def my_passkeys(ask: Ask) -> PasskeyRows:
    """List my passkeys."""
    found = await ask.accounts.passkeys.of(ask.user.id)
    return PasskeyRows(rows=tuple(PasskeyRow(**structs.asdict(one)) for one in found))


@call("POST", "/me/passkeys/ask", "cookie")
async def ask_new_passkey(ask: Ask, body: PasskeyProof) -> PasskeyAsked:
    """Return what a browser needs to make a passkey (WebAuthn); it stands five minutes."""
    if ask.user.kind != "user":
        raise HallError("SIGN_IN", case="guest")
    accounts, me = ask.accounts, ask.user
    await accounts.confirm(me.id, body.password, ask.now)
    if await accounts.factors.of(me.id) is not None:
        if not body.code:
            raise HallError("SECOND_FACTOR")
        await accounts.factors.check(me.id, body.code, ask.now)
    return PasskeyAsked(await accounts.passkeys.ask_new(me.id, me.name, site(ask.request.scope), ask.now))


@call("POST", "/me/passkeys", "cookie")
async def new_passkey(ask: Ask, body: NewPasskey) -> PasskeyRow:
    """Add a passkey that my browser has made."""
    answer = to_builtins(body.answer)
    found = await ask.accounts.passkeys.add(ask.user.id, body.name, answer, site(ask.request.scope), ask.now)
    return PasskeyRow(**structs.asdict(found))


@call("DELETE", "/me/passkeys/{id:int}", "cookie")
async def remove_passkey(ask: Ask, body: NoBody) -> None:
    """Remove a passkey."""
    if not await ask.accounts.passkeys.remove(ask.user.id, ask.path["id"]):
        raise HallError("NOT_FOUND")


@call("GET", "/tokens", "cookie")
async def tokens(ask: Ask) -> TokenRows:
    """List my programs' tokens."""
    return TokenRows(rows=tuple(await ask.accounts.tokens(ask.user.id, ask.now)))


@call("POST", "/tokens", "cookie")
async def new_token(ask: Ask, body: NewToken) -> TokenMade:
    """Make a token for a program; it is shown this once."""
    number, secret = await ask.accounts.add_token(ask.user.id, body.name, body.scopes, ask.now)
    return TokenMade(id=number, token=secret)


@call("DELETE", "/tokens/{id:int}", "cookie")
async def end_token(ask: Ask, body: NoBody) -> None:
    """End a token."""
    key = await ask.accounts.end_token(ask.user.id, ask.path["id"])
    if key is None:
        raise HallError("NOT_FOUND")
    ask.services.sockets.cut([key])


@call("GET", "/me", "signed")
async def me(ask: Ask) -> Me:
    """Return who I am, what I have and where I sit."""
    services, login = ask.services, ask.login
    assert login is not None
    if await services.accounts.prolong(login, ask.now):
        ask.cookie = cookie(ask.request.scope)
    ledger = services.hall.ledger
    coins = hearts = None
    settings = await services.accounts.settings(ask.user.id)
    if services.config.coins.enabled and settings.minor is not True:
        if ask.user.kind == "user":
            await ledger.welcome(ask.user.id, services.now())  # once; also done here, in case the hall died in between
        wallet = await ledger.wallet(ask.user.id)
        coins, hearts = wallet.coins, wallet.hearts
    scores = await services.hall.ledger.standings(ask.user.id)
    return Me(
        user=ask.user,
        role=login.role,
        coins=coins,
        hearts=hearts,
        scores={game: Account(**structs.asdict(standing), grade=standing.grade) for game, standing in scores.items()},
        credibility=await services.hall.ledger.credibility(ask.user.id),
        passes=await ledger.passes(ask.user.id),
        tables=services.hall.people.tables_of(ask.user),
        settings=settings,
        counts=services.hall.notes.counts(ask.user.id),
        invitations=services.hall.invitations.open_to(ask.user.id),
        blocked=tuple(services.hall.ties.blocked(ask.user.id)),
        moderates=tuple(sorted(services.hall.keepers.rooms(ask.user.id))),
        second_factor="on" if login.factor else "wanted" if _wanted(ask) else "off",
        vacation=await services.hall.correspondence.vacation(ask.user.id),
    )


def _wanted(ask: Ask) -> bool:
    """Tell whether somebody could keep the order, but for the second factor that this hall asks for."""
    login = ask.login
    if login is None or ask.accounts.proven(login):
        return False
    return login.role in ("moderator", "admin") or bool(ask.hall.keepers.rooms(login.user))


@call("PATCH", "/me/settings", "signed", "play")
async def change_settings(ask: Ask, body: SettingsChange) -> Settings:
    """Change some of my settings (P-5); a time zone that there is not is refused."""
    if isinstance(body.zone, str) and body.zone and not zones.known(body.zone):
        raise HallError("BAD_MESSAGE", field="zone")
    settings = await ask.accounts.change_settings(ask.user.id, body.plain())
    if body.hide_online is not UNSET:
        ask.hall.lobby.listed(ask.user)
    if body.minor is not UNSET:
        await ask.hall.lobby.coins_changed(ask.user.id)
    return settings


@call("GET", "/me/profile", "cookie")
async def my_profile(ask: Ask) -> MyProfile:
    """Return what I tell of myself (P-4)."""
    told = await ask.accounts.self_description(ask.user.id)
    return MyProfile(**structs.asdict(told), countries=tuple(sorted(COUNTRIES)), pictures=PICTURES)


@call("PATCH", "/me/profile", "cookie")
async def change_profile(ask: Ask, body: ProfileChange) -> SelfDescription:
    """Change my profile (P-4); a muted person may add nothing new."""
    if ask.user.kind == "guest":
        raise HallError("SIGN_IN", case="guest")
    if body.about:
        ask.hall.talk.may_speak(ask.user)
    return await ask.accounts.tell(ask.user.id, body.about, body.country, body.picture)


@call("GET", "/lang/{lang}")
async def sentences(ask: Ask) -> dict[str, str]:
    """Return all sentences of a language by code, the games' under `<game>.`."""
    name = ask.path["lang"]
    if name not in lang.languages():
        raise HallError("NOT_FOUND")
    found = lang.sentences(name)
    response: Any = answer(ask.request.scope, found.body, found.packed, "application/json", found.tag, "no-cache")
    assert isinstance(response, Response)
    return response  # type: ignore[return-value]  # the body it stands for
