"""The community of a hall: its features, put together, and what concerns all of them (export, deletion, moderation)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from qipai.accounts.service import Accounts
from qipai.community.achievements import service as achievements
from qipai.community.album import service as album
from qipai.community.analyses import service as analyses
from qipai.community.boards import service as boards
from qipai.community.clubs import service as clubs
from qipai.community.common import Common
from qipai.community.contract import Feature, Piece, Reported
from qipai.community.interviews import service as interviews
from qipai.community.lessons import service as lessons
from qipai.community.letters import service as letters
from qipai.community.mail import service as mail
from qipai.community.mentions import Mentions
from qipai.community.notices import service as notices
from qipai.community.plain import service as plain
from qipai.community.polls import service as polls
from qipai.community.positions import service as positions
from qipai.community.problems import service as problems
from qipai.community.push import service as push
from qipai.community.reviews import service as reviews
from qipai.community.tips import service as tips
from qipai.community.whatif import service as whatif
from qipai.config import Config
from qipai.hall.live.timers import Clock
from qipai.hall.table.errors import HallError
from qipai.moderation.service import Order
from qipai.social.ties import Ties
from qipai.store import Connection, Store

__all__ = ["Community", "scripts"]

REF: Final = re.compile(r"([a-z_]{1,20}):([0-9]{1,15})")


class Community:
    """All features of the community; each is an attribute."""

    def __init__(
        self, store: Store, accounts: Accounts, clock: Clock, ties: Ties, order: Order, config: Config, data: Path
    ) -> None:
        """data: the hall's folder, where files are kept."""
        self._store, self._order = store, order
        self.notices = notices.NoticeService(store)
        self.common = Common(store, accounts, clock, ties, order, self.notices)
        self.clubs = clubs.Clubs(self.common, config)
        self.common.clubs = self.clubs
        self.mentions = Mentions(self.common)
        self.polls = polls.PollService(self.common, config)
        self.interviews = interviews.InterviewService(self.common, config)
        self.mail = mail.MailService(self.common, config.mailbox)
        self.push = push.PushService(self.common, config, data)
        self.letters = letters.LetterService(self.common, config, data)
        self.boards = boards.BoardService(store, self.common, config.boards)
        self.album = album.AlbumService(self.common, config.album, data)
        self.achievements = achievements.AchievementService(self.common)
        self.plain = plain.Plain(self.common, data / "pages")
        self.tips = tips.Tips(self.common, config.pages)
        self.reviews = reviews.Reviews(self.common, config.reviews)
        self.whatif = whatif.WhatIf(self.common, self.reviews)
        self.problems = problems.ProblemService(self.common, config.problems)
        self.analyses = analyses.AnalysisService(self.common, config.analyses)
        self.positions = positions.PositionService(self.common, config.positions)
        self.lessons = lessons.LessonService(self.common)
        self.features: tuple[Feature, ...] = (
            self.notices,
            self.polls,
            self.interviews,
            self.mail,
            self.push,
            self.letters,
            self.boards,
            self.album,
            self.achievements,
            self.clubs,
            self.plain,
            self.tips,
            self.reviews,
            self.whatif,
            self.problems,
            self.analyses,
            self.positions,
            self.lessons,
        )
        self._pieces: dict[str, Piece] = {kind: piece for each in self.features for kind, piece in each.pieces.items()}

    async def open(self) -> None:
        """Load what is kept in memory, and tell what was not told before the hall stopped."""
        for feature in self.features:
            await feature.open()
        await self.notices.wake()

    async def sweep(self) -> None:
        """Send what is due: messages to devices, e-mail."""
        await self.push.queue.run()
        await self.letters.queue.run()
        await self.analyses.sweep()
        await self.problems.finds.sweep()

    def close(self) -> None:
        """Stop sending."""
        self.push.close()
        self.letters.close()
        self.analyses.close()

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return all that a user has written or owns, by the name of the file in the export (P-96)."""
        return {name: rows for feature in self.features for name, rows in feature.exported(db, user).items()}

    async def erase(self, user: int) -> None:
        """Erase what names somebody who deletes their account; from now on they can write nothing more (P-96)."""
        self.common.leaves(user, on=True)
        try:
            person = await self.common.accounts.find(user)
            for feature in self.features:
                await feature.erase(user)
            if person is not None and not person.deleted:
                await self.notices.unname(person.name)
                await self.push.unname(person.name)
        except BaseException:
            self.common.leaves(user, on=False)  # they still have their account
            raise

    # Moderation (P-95) ----------------------------------------------------------------------------------------------

    def has(self, ref: str) -> bool:
        """Tell whether `ref` of a report names a piece of the community."""
        match = REF.fullmatch(ref)
        return match is not None and match[1] in self._pieces

    async def found(self, ref: str) -> Reported | None:
        """Return what a report is about, as moderators see it; None where there is no such thing (any more)."""
        piece, number = self._piece(ref)
        return await self._store.read(lambda db: piece.find(db, number))

    async def seen(self, ref: str, user: int) -> Reported | None:
        """Return the same for one reader, None where they may not see it."""
        piece, number = self._piece(ref)
        return await self._store.read(lambda db: piece.seen(db, number, user))

    async def remove(
        self, ref: str, reason: str, *, by: int, now: int, report: int | None = None, cid: str | None = None
    ) -> None:
        """Remove a text or picture; its author is told why. now: ms. Raises HallError("NOT_FOUND")."""
        piece, number = self._piece(ref)
        found = await self._store.read(lambda db: piece.find(db, number))
        if found is None:
            raise HallError("NOT_FOUND")
        try:
            await self._order.act(
                found.author or 0,
                "remove",
                reason,
                by=by,
                now=now,
                report=report,
                cid=cid,
                ref=ref,
                too=lambda db: piece.remove(db, number),
            )
        except LookupError:
            raise HallError("NOT_FOUND") from None
        await self.notices.wake()  # its author is told
        if piece.after is not None:
            await piece.after(number)

    def _piece(self, ref: str) -> tuple[Piece, int]:
        match = REF.fullmatch(ref)
        if match is None or match[1] not in self._pieces:
            raise HallError("NOT_FOUND")
        return self._pieces[match[1]], int(match[2])


def scripts() -> list[tuple[str, str]]:
    """Return the names and the SQL of all features' tables, for the store."""
    first: tuple[Any, ...] = (notices, polls, interviews, mail, push, letters, boards, album, achievements, clubs)
    parts = (*first, plain, tips, reviews, analyses, positions, lessons, problems)
    return [part.script() for part in parts]
