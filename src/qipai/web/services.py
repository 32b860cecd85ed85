"""The services that calls and lines work with: made once for a running server."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path
from time import monotonic
from typing import Any

from qipai import games
from qipai.accounts import service as accounts
from qipai.accounts.model import Window
from qipai.arena.analyst import Analyst
from qipai.arena.pool import Bots
from qipai.bots.asking import FarBots
from qipai.bus import Bus
from qipai.community import service as community
from qipai.community.keeper import Keeper
from qipai.community.notices.service import Notice
from qipai.config import Config
from qipai.contests import books as contests
from qipai.contests.club_matches import ClubMatches
from qipai.contests.kinds import KINDS
from qipai.contests.live import Contests
from qipai.core.histogram import Histogram
from qipai.hall import hall
from qipai.hall.records import dump
from qipai.ledger import service as ledger
from qipai.moderation import service as moderation
from qipai.social import chat
from qipai.store import Sqlite, in_database
from qipai.store.writer import Writer
from qipai.web.chores import Chores
from qipai.web.clock import Clock
from qipai.web.club_contests import close_orphans
from qipai.web.entry import Entry
from qipai.web.exporter import Exporter
from qipai.web.gate import Gate
from qipai.web.insides import writing
from qipai.web.logins import Logins
from qipai.web.meter import EDGES, Meter
from qipai.web.origin import proxies
from qipai.web.proxy import Watch
from qipai.web.sockets import Sockets
from qipai.web.wishes import Wishes

__all__ = ["DATABASE", "Services", "store_of"]

DATABASE = "hall.sqlite"


def store_of(data: Path, kind: Callable[..., Sqlite] = Sqlite, *, url: str | None = None) -> Writer[Any]:
    """Return the store of the hall in a folder, with the tables of every feature.

    kind: makes the store of the file, where it is one of its own. url: of the database that keeps it instead of the
    file; raises Unusable where that is none, or the library for it is missing.
    """
    editions = {f"game:{name}": games.find(name).edition for name in games.names()}
    scripts = [part.script() for part in (accounts, ledger, moderation, hall, chat, contests)] + community.scripts()
    if url:
        return in_database(url, scripts, editions)
    return kind(data / DATABASE, scripts, editions)


class Output:
    """What the hall writes goes out in one piece a commit, and is measured."""

    def __init__(self, meter: Meter) -> None:
        self.start = meter.start
        self.hold, self.release = writing()


class Services:
    """The accounts, the hall, the limits of addresses, and what works beside them."""

    def __init__(
        self,
        data: Path,
        config: Config,
        *,
        public: str | None = None,
        wall: Clock | None = None,
        disk: Callable[..., Sqlite] = Sqlite,
        bots: Bots | None = None,
        bus: Bus | None = None,
    ) -> None:
        """data: the folder that keeps it. public: the address other machines reach this hall by, when it is known.

        disk: makes the store of the file in the folder. bots: None, as many workers as `hall.toml` says.
        bus: through which bots on machines of their own are asked.
        """
        self.config, self.public, self.path = config, public, data / DATABASE
        self.node = ""  # where other nodes reach this one, if there may be any (0071)
        self.epoch = 0  # in which it leads them
        self.trunks: Collection[object] = ()  # of nodes that carry lines for it (0083)
        self.workers: Callable[[], int] | None = None  # how many there are of this machine (0082)
        self.wall = wall or Clock()
        self.store = store_of(data, disk, url=config.store.url)
        self.accounts = accounts.Accounts(self.store, config)
        self.bots = bots or Bots(config.bots.workers, engines=config.engines)
        self.far = None if bus is None else FarBots(self.bots, bus)
        self.analyst = Analyst(config.engines)
        self.meter, self.wishes = Meter(monotonic), Wishes(self.accounts, config.coins.daily_loss)
        self.call_times, self.lag = Histogram(EDGES), Histogram(EDGES)  # of the API; of the loop
        self.answers: Counter[int] = Counter()  # of the API, by status
        self.hall = hall.Hall(
            self.store,
            self.accounts,
            config,
            self.wall,
            self.far or self.bots,
            wishes=self.wishes,
            output=Output(self.meter),
        )
        self.contests = Contests(
            self.store,
            self.wall,
            self.accounts,
            self.hall.creation,
            self.hall.runner.cache,
            self.hall.notes,
            self.hall.ledger,
            self.hall.shared_deals,
            self.hall.contest_tables,
            KINDS,
        )
        self.community = community.Community(
            self.store, self.accounts, self.wall, self.hall.ties, self.hall.order, config, data
        )
        self.community.notices.tell.append(self.hall.notes.notice)
        if config.coins.enabled and config.coins.achievement:
            self.community.achievements.reward = self.hall.ledger.reward
        self.community.clubs.most = self.hall.membership.clubs
        self.community.clubs.challenges.matches = ClubMatches(self.contests, self.wall)
        self.community.clubs.closing.append(lambda _: close_orphans(self.contests, self.community.clubs))
        self.hall.notes.unread = self.community.notices.unread
        self.community.common.member = self.member
        self.hall.chats.clubs = self.community.clubs
        self.community.clubs.leaving.append(lambda club, user: self.hall.chats.expel(f"club:{club}", user))
        self.hall.talk.mentions = self.community.mentions.of_line
        self.hall.talk.mentioned = self.community.notices.wake
        self.hall.notes.unread_mail = self.community.mail.unread
        keeper = Keeper(self.store, self.community.notices, self.wall, self.hall.runner.spawn)
        self.hall.notes.keeper, self.hall.order.acted = keeper, keeper.acted
        self.community.letters.stale = self._stale
        self.community.analyses.analyst = self.analyst
        self.community.reviews.rows, self.hall.gone_on = self._rows, self.community.reviews.over
        self.community.problems.analyst = self.analyst
        self.community.analyses.record = self.hall.archive.record
        if config.pages.open_data:  # a hall that publishes no games publishes no moments of them
            self.community.problems.finds.analyst = self.analyst
            self.community.problems.finds.record = self.hall.archive.record
        self.sockets = Sockets()
        self.gate, self.entry, self.proxies = Gate(config), Entry(config), proxies(config.web.proxies)
        self.proxy_watch = Watch(self.proxies)
        self.code_tries = Window(config.limits.codes_per_hour, 3600)
        self.reports = Window(config.order.reports_per_hour, 3600)
        self.contacts = Window(config.pages.contacts, 86400)
        self.calls = Window(1, 60)  # to play on at once (P-77)
        self.exports = Window(config.limits.parcels_per_hour, 3600)
        self.exporter = Exporter(self.path)
        self.dumps = data / dump.FOLDER
        self.chores = Chores(self.path, self.store, self.accounts, self.hall.fair_play_scan, config)
        self.logins = Logins(
            self.store,
            self.accounts,
            self.hall.people,
            self.hall.sign_out,
            self.sockets,
            self.now,
            second_factor=config.accounts.moderators_second_factor,
        )

    async def _rows(self, game: str) -> list[tuple[int, Any]]:
        """Return what was played in a finished game."""
        return [(seat, action) for seat, action, _ms in (await self.hall.archive.record(game)).rows]

    def _stale(self, user: int, notice: Notice) -> bool:
        """Tell whether a notice that it is somebody's turn is over: they have moved since, or the game has ended."""
        if notice.kind != "turn":
            return False
        slow = self.hall.correspondence.find(int(notice.path.rpartition("/")[2]))
        return slow is None or user not in [slow.users[seat] for seat in slow.asked]

    def now(self) -> int:
        """Return the time: ms since 1970, which never goes back."""
        return self.wall.now()

    async def member(self, user: int) -> bool:
        """Tell whether somebody is a member who pays now (P-7)."""
        return await self.hall.ledger.level(user, self.now()) != "pawn"

    @staticmethod
    def clock() -> float:
        """Return seconds that never go back, for what is counted and waited for: those of the loop's own timers."""
        return asyncio.get_running_loop().time()
