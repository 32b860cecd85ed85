"""Calls about coins and hearts: statement, shop, songs, codes (platform P-49 to P-57)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response

from qipai import games
from qipai.hall.table.errors import HallError
from qipai.ledger.books import Line
from qipai.social.songs import TUNES
from qipai.web.api import Ask, call
from qipai.web.pages.wallet import Buy, Held, Redeem, Redeemed, Shelf, StatementRows

__all__: list[str] = []


async def _wallet_owner(ask: Ask) -> int:
    """Return who asks, if they can have coins; raises HallError."""
    if not ask.services.config.coins.enabled:
        raise HallError("NOT_FOUND")
    if ask.user.kind == "guest":
        raise HallError("SIGN_IN", case="guest")
    await ask.hall.balances.grown_up(ask.user.id)
    return ask.user.id


@call("GET", "/ledger", "signed", "play", queries="reason game as limit after")
async def statement(ask: Ask) -> StatementRows:
    """Return my statement: every transfer from or to me, newest first; all of it as a table with `as=csv`."""
    user = await _wallet_owner(ask)
    before, most = ask.cursor()
    ledger = ask.hall.ledger
    reason, game = ask.query.get("reason"), ask.query.get("game")
    if (form := ask.query.get("as")) is not None:
        if form != "csv":
            raise HallError("BAD_OPTION", field="as")
        lines = await ledger.statement(user, reason=reason, game=game, before=None, most=2**62)
        answer: Any = _csv(lines)
        return answer  # type: ignore[no-any-return]  # the body it stands for
    found = await ledger.statement(user, reason=reason, game=game, before=before, most=most + 1)
    wallet = await ledger.wallet(user)
    return StatementRows(
        rows=tuple(found[:most]),
        next=str(found[most - 1].id) if len(found) > most else None,
        coins=wallet.coins,
        hearts=wallet.hearts,
        games=tuple(await ledger.games_of(user)),
        lost=await ledger.lost_today(user, ask.services.now()),
        limit=await ask.services.wishes.loss_limit(user),
    )


def _csv(lines: Iterable[Line]) -> Response:
    """Return a statement as a table that spreadsheets read."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(("id", "at", "currency", "amount", "balance", "reason", "game", "ref"))
    for line in lines:
        at = datetime.fromtimestamp(line.at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        # A note that begins like a formula must not become one.
        ref = f"'{line.ref}" if line.ref.startswith(("=", "+", "-", "@", "\t", "\r")) else line.ref
        table.writerow((line.id, at, line.currency, line.amount, line.balance, line.reason, line.game or "", ref))
    headers = {
        "cache-control": "no-store",
        "content-disposition": "attachment; filename=qipai-statement.csv",
        "x-content-type-options": "nosniff",
    }
    return Response("\ufeff" + text.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


@call("GET", "/shop", "signed", "play")
async def shelf(ask: Ask) -> Shelf:
    """Return what is sold here."""
    user = await _wallet_owner(ask)
    ledger = ask.hall.ledger
    wallet = await ledger.wallet(user)
    return Shelf(ledger.prices, wallet.coins, wallet.hearts, await ledger.member_until(user), TUNES)


@call("POST", "/shop", "signed", "spend")
async def buy(ask: Ask, body: Buy) -> Held:
    """Buy something; a song is heard by the room at once (P-55, P-56)."""
    user = await _wallet_owner(ask)
    hall = ask.hall
    ref = body.game or ""
    if body.item == "reset_score" and body.game not in games.names():
        raise HallError("BAD_OPTION", field="game")
    if body.item == "song":
        if body.tune not in TUNES:
            raise HallError("BAD_OPTION", field="tune")
        hall.songs.check(ask.user, body.room, body.to, body.text)
        ref = body.tune
    with hall.songs.held(body.room if body.item == "song" else None):
        found = await hall.ledger.buy(
            user, body.item, body.qty, body.game, ref=ref, now=ask.services.now(), cid=body.cid
        )
    if body.item == "song" and body.room is not None:
        hall.songs.sing(ask.user, body.room, ref, body.to, body.text)
    await hall.balances.refresh(user)
    return Held(found.wallet.coins, found.wallet.hearts, found.member_until)


@call("POST", "/redeem", "signed", "play")
async def redeem(ask: Ask, body: Redeem) -> Redeemed:
    """Redeem a code (P-57)."""
    user = await _wallet_owner(ask)
    tries = ask.services.code_tries
    if wait := tries.wait(user, ask.services.clock()):
        raise HallError("RATE_LIMIT", wait_ms=round(1000 * wait))
    tries.add(user, ask.services.clock())
    ledger = ask.hall.ledger
    code = await ledger.redeem(user, body.code.strip(), now=ask.services.now(), cid=body.cid)
    await ask.hall.balances.refresh(user)
    wallet = await ledger.wallet(user)
    got = {name: getattr(code, name) for name in ("coins", "hearts", "member_days")}
    return Redeemed(wallet.coins, wallet.hearts, await ledger.member_until(user), got=got)
