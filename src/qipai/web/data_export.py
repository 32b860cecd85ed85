"""All data of one person, as one zip (P-96): `python -m qipai.web.data_export DATABASE USER` writes it to
stdout. The hall runs it as a process of its own, so that no game waits for it.
"""

from __future__ import annotations

import asyncio
import sys
import time
import zipfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from qipai import __version__, games
from qipai.accounts.model import User
from qipai.accounts.service import Accounts
from qipai.community.service import Community
from qipai.config import Config
from qipai.hall.live import books, shared_deals
from qipai.hall.records import replay, shelf
from qipai.hall.rooms import invitations
from qipai.hall.table.errors import HallError
from qipai.ledger.service import Ledger
from qipai.moderation.keepers import Keepers
from qipai.moderation.service import Order
from qipai.social import chat
from qipai.social.circles import Circles
from qipai.social.ties import Ties
from qipai.store import Store
from qipai.store.reader import reader_of
from qipai.web.clock import Clock

__all__ = ["FORMAT", "main", "pack"]

FORMAT: Final = 1


async def pack(path: Path, user: int, out: IO[bytes], now: int) -> None:
    """Write the zip of a user. now: seconds."""
    store = reader_of(path)
    accounts = Accounts(store, Config())
    try:
        await _Export(store, accounts, path.parent, user, now).write(out)
    finally:
        accounts.shut()
        await store.close()


class _Export:
    def __init__(self, store: Store, accounts: Accounts, data: Path, user: int, now: int) -> None:
        self._store, self._accounts, self._data, self._user, self._now = store, accounts, data, user, now

    async def write(self, out: IO[bytes]) -> None:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as zip:
            self._zip = zip
            about = {"format": FORMAT, "qipai": __version__, "made_at": self._now, "user": self._user}
            self._put("about.json", about)
            await self._profile()
            await self._people()
            await self._words()
            ledger = Ledger(self._store)
            self._put("ledger.json", {"rows": await ledger.whole_statement(self._user)})
            await self._community()
            await self._games()

    def _put(self, name: str, data: Any) -> None:
        at = time.gmtime(self._now)[:6]
        if isinstance(data, Path):  # a file of theirs, as it is
            if data.is_file():
                self._zip.writestr(zipfile.ZipInfo(name, at), data.read_bytes(), zipfile.ZIP_STORED)
            return
        text = data if isinstance(data, str) else msgspec.json.format(msgspec.json.encode(data), indent=2)
        self._zip.writestr(zipfile.ZipInfo(name, at), text, zipfile.ZIP_DEFLATED)

    async def _profile(self) -> None:
        user, ledger, keepers = self._user, Ledger(self._store), Keepers(self._store)
        await keepers.open()
        told = await self._accounts.told(user, self._now)
        profile = {
            **told,
            "credibility": await ledger.credibility(user),
            "scores": await ledger.standings(user),
            "passes": await ledger.passes(user),
            "ratings": await ledger.ratings(user),
            "wallet": await ledger.wallet(user),
            "member_until": await ledger.member_until(user),
            "moderates": [{"room": one.room, "at": one.at} for one in keepers.all() if one.user == user],
        }
        self._put("profile.json", profile)

    async def _people(self) -> None:
        ties = Ties(self._store)
        await ties.open()
        follows = [{**await self._who(tie.user), "at": tie.at} for tie in await ties.followed(self._user)]
        followers = [{**await self._who(id), "at": at} for id, at in await ties.followers(self._user)]
        blocked = [await self._who(id) for id in ties.blocked(self._user)]
        groups = await Circles(self._store, 0, 0).of(self._user)
        self._put("friends.json", {"follows": follows, "followers": followers, "blocked": blocked, "groups": groups})
        letters = await self._store.read(partial(invitations.letters_of, user=self._user))
        self._put("invitations.json", {"rows": letters})
        rested = await self._store.read(partial(books.rested_by, user=self._user))
        self._put("vacations.json", {"rows": rested})

    async def _words(self) -> None:
        """Chat, reports, and moderators' actions."""
        lines = await self._store.read(partial(chat.said_by, user=self._user))
        self._put("chat.json", {"rows": lines})
        order = Order(self._store)
        self._put("reports.json", {"rows": await order.reports_by(self._user)})
        self._put("rulings.json", {"rows": await order.rulings(self._user, None, 2**62)})

    async def _community(self) -> None:
        """All that they have written in the community."""
        store, accounts = self._store, self._accounts
        community = Community(store, accounts, Clock(), Ties(store), Order(store), Config(), self._data)
        for name, rows in (await store.read(lambda db: community.exported(db, self._user))).items():
            self._put(f"community/{name}", rows)

    async def _who(self, id: int) -> dict[str, Any]:
        user = await self._accounts.find(id)
        return {"id": id, "name": None if user is None else user.name}

    async def _games(self) -> None:
        """Every finished game: as data, and in each notation of its game that can write it."""
        rows = []
        for part in await self._store.read(partial(books.parts_of, user=self._user)):
            found = await self._store.read(partial(books.game_rows, id=part.id))
            if not replay.is_finished(found):
                continue
            for user in replay.created(found).users:
                await self._accounts.find(user)
            where = f"games/{part.game}/{part.id}"
            _, opened = await self._store.read(partial(shared_deals.seen_by, game_id=part.id, viewer=self._user))
            self._put(f"{where}.json", replay.finished(found, self._peek, opened=opened))
            texts = []
            for notation in games.find(part.game).records.formats:
                try:
                    self._put(f"{where}.{notation}", replay.text(found, notation, self._peek))
                except HallError:
                    continue  # this game cannot be written in this notation
                texts.append(notation)
            rows.append({**msgspec.to_builtins(part), "notations": texts})
        self._put("games.json", {"rows": rows})
        brought = await self._store.read(partial(shelf.brought_by, user=self._user))
        for one in brought:
            kept = await self._store.read(partial(shelf.find, id=one.id))
            if kept is not None:
                self._put(f"brought/{one.game}/{one.id}.json", shelf.shown(one.id, *kept))
        self._put("brought.json", {"rows": msgspec.to_builtins(brought)})

    def _peek(self, id: int) -> User | None:
        return self._accounts.peek(id)


def main(words: Sequence[str]) -> int:
    """Write the zip to stdout."""
    path, user = words
    asyncio.run(pack(Path(path), int(user), sys.stdout.buffer, int(time.time())))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
