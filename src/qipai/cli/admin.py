"""Name the first administrator; name moderators of rooms, grant coins, make redeem codes while the hall is stopped.

While it runs, an administrator does the same on its pages, and every such act is in the log either way. `link` works
beside a hall that runs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qipai.cli import Trouble
from qipai.cli.folder import beside, called, claimed, configured, folder

if TYPE_CHECKING:
    from qipai.accounts.service import Accounts
    from qipai.config import Config
    from qipai.ledger.service import Ledger
    from qipai.store import Store

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    data = argparse.ArgumentParser(add_help=False)
    data.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    first = verbs.add_parser("first", parents=[data], help="make somebody an administrator, registered or not yet")
    first.add_argument("name", help="the user's name; who is not registered is asked for a password")
    role = verbs.add_parser("role", parents=[data], help="make somebody a moderator of one room, or end it")
    role.add_argument("name", help="the user's name")
    role.add_argument("role", choices=("user", "moderator"), help="in the whole hall: see `qipai role`")
    role.add_argument("--room", type=int, required=True, metavar="N", help="the room's number, as in /rooms/N")
    password = verbs.add_parser("password", parents=[data], help="give somebody who forgot it another password")
    password.add_argument("name", help="the user's name; the new password is asked for, or read from stdin")
    password.add_argument("--keep-tokens", action="store_true", help="do not end the tokens of his programs")
    password.add_argument("--end-second-factor", action="store_true", help="do not ask for a code any more, either")
    link = verbs.add_parser("link", parents=[data], help="make a link by which somebody sets a forgotten password anew")
    link.add_argument("name", help="the user's name; the hall may be running")
    link.add_argument("--at", default="", metavar="URL", help="the hall's address, https://play.example.org")
    grant = verbs.add_parser("grant", parents=[data], help="give somebody coins or hearts; less than 0 takes them away")
    grant.add_argument("name", help="the user's name")
    grant.add_argument("amount", type=int)
    grant.add_argument("--hearts", action="store_true", help="hearts, not coins")
    grant.add_argument("--note", default="", help="why; it stands in the user's statement")
    code = verbs.add_parser("code", parents=[data], help="make a redeem code")
    code.add_argument("code", help="what users type in")
    code.add_argument("--coins", type=int, default=0)
    code.add_argument("--hearts", type=int, default=0)
    code.add_argument("--days", type=int, default=0, help="days of membership")
    code.add_argument("--uses", type=int, default=1, help="by how many users (%(default)s)")
    code.add_argument("--expires", type=date.fromisoformat, metavar="YYYY-MM-DD", help="the last day it is good")
    code.add_argument("--note", default="", help="for whom, why")


def run(args: argparse.Namespace) -> int:
    """Carry out the act, and print what was done."""
    does = {"first": _first, "role": _role, "password": _new_password, "link": _link, "grant": _grant, "code": _code}
    print(does[args.verb](args))
    return 0


def _open(data: Path, work: Callable[..., Awaitable[Any]], *, whole: bool = False) -> Any:
    """Do something with the accounts and the ledger of a stopped hall; whole: with its store and config, too."""
    import asyncio
    import time

    from qipai.accounts.service import Accounts
    from qipai.ledger.service import Ledger
    from qipai.store import Unusable, Unwritten
    from qipai.web.services import DATABASE, store_of

    async def main(config: Config) -> Any:
        store = store_of(data, url=config.store.url)
        await store.open()
        accounts = Accounts(store, config)
        try:
            ledger, now = Ledger(store, config), time.time_ns() // 1_000_000
            return await (work(accounts, ledger, now, store, config) if whole else work(accounts, ledger, now))
        finally:
            accounts.shut()
            await store.close()

    with claimed(data) as config:
        try:
            return asyncio.run(main(config))
        except (Unusable, Unwritten) as wrong:
            name = called(config.store.url) if config.store.url else data / DATABASE
            raise Trouble(f"{name} cannot be used: {wrong}") from wrong


def _first(args: argparse.Namespace) -> str:
    from qipai.accounts.model import Refused

    async def work(accounts: Accounts, ledger: Ledger, now: int) -> str:
        if not await accounts.set_role(args.name, "admin"):
            try:
                user, _secret = await accounts.register(
                    args.name, _password(), guest=None, address=None, now=now // 1000
                )
            except Refused as wrong:
                raise Trouble(f"{args.name} cannot be registered: {wrong.code} {wrong.facts}") from wrong
            await ledger.welcome(user.id, now)
            await accounts.set_role(args.name, "admin")
        return f"{args.name} is admin"

    return str(_open(args.data, work))


def _new_password(args: argparse.Namespace) -> str:
    from qipai.accounts.model import Refused

    async def work(accounts: Accounts, ledger: Ledger, now: int) -> str:
        user = await accounts.named(args.name)
        if user is None:
            raise Trouble(f"nobody is registered as {args.name}")
        email = (await accounts.told(user.id, now // 1000))["email"]
        print(f"{user.name} gave {email or 'no'} e-mail address when registering", file=sys.stderr)
        try:
            await accounts.set_password(user.id, _password(), keep_tokens=args.keep_tokens)
        except Refused as wrong:
            raise Trouble(f"this will not do: {wrong.code} {wrong.facts}") from wrong
        if args.end_second_factor:
            await accounts.factors.end(user.id, by=None, reason="", now=now)
        tokens = "their tokens stay" if args.keep_tokens else "their tokens have ended"
        return f"{user.name} has a new password and is signed out everywhere; {tokens}"

    return str(_open(args.data, work))


def _link(args: argparse.Namespace) -> str:
    import time

    from qipai.accounts import books, resets
    from qipai.accounts.model import folded
    from qipai.accounts.secret import new_secret

    hours = configured(args.data).accounts.reset_hours
    secret, now = new_secret(), int(time.time())
    with beside(args.data) as db:
        user, stored = books.password(db, folded(args.name)) or (0, None)
        if stored is None:
            raise Trouble(f"nobody is registered as {args.name}")
        # Only the hall writes its log: it records this link within a minute, or when the link is used.
        resets.add(db, secret, user, "terminal", by=None, now=now, ends_at=now + 3600 * hours, noted=False)
    where: str = args.at.rstrip("/")
    print(f"once, within {hours} hours, {args.name} sets another password here", file=sys.stderr)
    if not where:
        print("(put the hall's address before it, or name it with --at)", file=sys.stderr)
    return where + resets.path(secret)


def _password() -> str:
    """Return a password from the terminal, or the first line of what is piped in."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    from getpass import getpass

    return getpass("password: ")


def _role(args: argparse.Namespace) -> str:
    from qipai.hall.live import books
    from qipai.hall.rooms.rooms import default_rooms, settled
    from qipai.moderation.keepers import Keepers

    async def work(accounts: Accounts, ledger: Ledger, now: int, store: Store, config: Config) -> str:
        user, on = await accounts.named(args.name), args.role == "moderator"
        if user is None:
            raise Trouble(f"nobody is registered as {args.name}")
        if on and user.kind == "bot":
            raise Trouble(f"{user.name} is a program, which keeps no order")
        rooms = settled(default_rooms(config), await store.read(books.rooms_opened))
        if on and all(room.id != args.room for room in rooms):
            raise Trouble(f"there is no room {args.room}")
        keepers = Keepers(store)
        await keepers.open()
        write = keepers.name if on else keepers.unname
        if not await write(user.id, args.room, by=None, now=now):
            raise Trouble(f"{user.name} is {'already' if on else 'no'} moderator of room {args.room}")
        return f"{user.name} is {'moderator' if on else 'no longer moderator'} of room {args.room}"

    return str(_open(args.data, work, whole=True))


def _grant(args: argparse.Namespace) -> str:
    from qipai.ledger.service import Denied

    async def work(accounts: Accounts, ledger: Ledger, now: int) -> str:
        user = await accounts.named(args.name)
        if user is None:
            raise Trouble(f"nobody is registered as {args.name}")
        try:
            found = await ledger.grant(
                user.id, "hearts" if args.hearts else "coins", args.amount, args.note, by=None, now=now
            )
        except Denied as wrong:
            raise Trouble(f"{args.amount} cannot be given to {args.name}: 0, or more than is there to take") from wrong
        return f"{user.name} has {found.coins} coins and {found.hearts} hearts"

    return str(_open(args.data, work))


def _code(args: argparse.Namespace) -> str:
    from qipai.ledger.service import Denied
    from qipai.ledger.shop import Code

    if min(args.coins, args.hearts, args.days) < 0 or args.uses < 1 or not (args.coins or args.hearts or args.days):
        raise Trouble("a code gives something: --coins, --hearts or --days, and to one user at least")
    code = Code(args.coins, args.hearts, args.days, args.uses, args.expires)

    async def work(accounts: Accounts, ledger: Ledger, now: int) -> str:
        try:
            await ledger.make_code(args.code, code, args.note, by=None, now=now)
        except Denied as wrong:
            raise Trouble(f"there is a code {args.code} already") from wrong
        return f"{args.code} can be redeemed"

    return str(_open(args.data, work))
