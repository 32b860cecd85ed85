"""Challenges between the teams of two clubs, and the matches that come of them (platform P-69, P-78).

A challenge is for one team, or public: then the first to accept it plays. What is accepted has been written down before
its match is made, and the match is made under a name of its own. So a hall that was killed in between makes it at its
next start, and never twice.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import Any, Final, Literal, Protocol

import msgspec
from msgspec import Struct

from qipai.accounts.model import User
from qipai.community.clubs.model import Club, House, Side, Team
from qipai.community.clubs.teams import Teams, entering
from qipai.community.common import Kept
from qipai.community.notices.service import put
from qipai.hall.table.errors import HallError
from qipai.store import Connection, inserted

__all__ = ["Challenge", "Challenges", "Matches", "Terms"]

log = logging.getLogger("qipai.hall")

CHALLENGES: Final = Kept("club_challenges", "by")
DAYS: Final = 14  # so long a challenge stands for which no time was named
COLUMNS: Final = "id, at, by, club, team, game, other_club, other_team, terms, until, state, answered_by, contest"


State = Literal["open", "accepted", "declined", "withdrawn", "void"]


class Terms(Struct, frozen=True, omit_defaults=True):
    """What is to be played. play: the terms of a contest's games, as JSON; starts_at: ms, None: soon after the answer.

    boards: players of each team; games: on each board; forfeit_s: who is not ready by then has lost a live game.
    """

    play: Any
    game: str
    boards: int = 4
    games: int = 2
    starts_at: int | None = None
    forfeit_s: int = 300


class Challenge(Struct, frozen=True):
    """A challenge. other_club, other_team: None: public. at, until: seconds; contest: the number of its match."""

    id: int
    at: int
    by: int | None
    club: int
    team: int
    game: str
    other_club: int | None
    other_team: int | None
    terms: Terms
    until: int
    state: State
    answered_by: int | None
    contest: int | None


class Matches(Protocol):
    """The part of the contests that challenges need."""

    def check(self, terms: Terms) -> None:
        """Raise HallError for what cannot be played."""
        ...

    async def make(self, name: str, terms: Terms, sides: tuple[Side, Side], by: int | None) -> int:
        """Make a match and return its number; of one name and one person there is one. Raises HallError."""
        ...


class Challenges:
    """All challenges. matches: the hall's contests, once they are there."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.matches: Matches | None = None

    async def open(self) -> None:
        """Make the matches of challenges that were accepted when the hall stopped."""
        sql = f"SELECT {COLUMNS} FROM club_challenges WHERE state = 'accepted' AND contest IS NULL"
        for row in await self._house.common.store.read(lambda db: db.execute(sql).fetchall()):
            challenge = _challenge(row)
            try:
                await self._make(challenge)
            except HallError as wrong:
                log.warning("the match of club challenge %d is not made: %s", challenge.id, wrong)

    async def of(self, club: int, most: int) -> list[Challenge]:
        """Return the challenges from and to a club, newest first."""
        sql = (
            f"SELECT {COLUMNS} FROM club_challenges WHERE id IN (SELECT id FROM (SELECT id FROM club_challenges"
            " WHERE club = ?1 ORDER BY id DESC LIMIT ?2) UNION SELECT id FROM (SELECT id FROM club_challenges"
            " WHERE other_club = ?1 ORDER BY id DESC LIMIT ?2)) ORDER BY id DESC LIMIT ?2"
        )
        return await self._rows(sql, (club, most))

    async def public(self, games: frozenset[str], club: int, most: int) -> list[Challenge]:
        """Return the public challenges of other clubs in some games, newest first."""
        found = []
        sql = (
            f"SELECT {COLUMNS} FROM club_challenges WHERE other_club IS NULL AND state = 'open' AND game = ?"
            " AND until > ? AND club != ? ORDER BY id DESC LIMIT ?"
        )
        for game in sorted(games):
            found += await self._rows(sql, (game, self._house.common.now, club, most))
        return sorted(found, key=lambda one: -one.id)[:most]

    async def _rows(self, sql: str, values: tuple[Any, ...]) -> list[Challenge]:
        rows = await self._house.common.store.read(lambda db: db.execute(sql, values).fetchall())
        return [_challenge(row) for row in rows]

    async def make(
        self, user: User, club: int, team: int, terms: Terms, to: tuple[int, int] | None, cid: str | None
    ) -> int:
        """Challenge a team of another club, by a captain; return its number. to: club and team, None: public."""
        house, numbers = self._house, self._house.numbers
        house.common.may_write(user)
        now = house.common.clock.now()
        until = now // 1000 + DAYS * 86_400 if terms.starts_at is None else terms.starts_at // 1000
        if not 1 <= terms.boards <= numbers.players:
            raise HallError("BAD_OPTION", field="boards")
        if self.matches is not None:
            self.matches.check(terms)
        other = None
        if to is not None:
            if to[0] == club:
                raise HallError("SELF", case="club")
            other = Teams(house).find(to[1], to[0])

        def work(db: Connection, mine: Club) -> int:
            found = Teams(house).led(user.id, club, team)
            if found.game != terms.game or (other is not None and other.game != found.game):
                raise HallError("BAD_OPTION", field="game")
            _full(found, terms)
            sql = "SELECT count(*) FROM club_challenges WHERE club = ? AND state = 'open' AND until > ?"
            if db.execute(sql, (club, now // 1000)).fetchone()[0] >= numbers.challenges:
                raise HallError("LIMIT_REACHED", case="challenges", most=numbers.challenges)
            made = inserted(
                db,
                "INSERT INTO club_challenges"
                " (at, by, club, team, game, other_club, other_team, terms, until, state, cid)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?)",
                (
                    *(now // 1000, user.id, club, team, found.game),
                    *(to if to is not None else (None, None)),
                    *(msgspec.json.encode(terms).decode(), until, cid),
                ),
            )
            if other is not None:
                facts = {"club": mine.name, "team": found.name, "mine": other.name}
                self._tell(db, house.find(other.club), other, "club_challenge", user, facts)
            return made

        return await house.common.once(CHALLENGES, user.id, cid, work, None, partial(house.change, club))

    async def answer(self, user: User, id: int, team: int | None, *, accept: bool) -> int | None:
        """Accept a challenge or not, by a captain of the team it is for; return the number of the match.

        team: of mine that plays, where the challenge is public. The second answer finds it gone: OFFER_GONE.
        """
        house = self._house
        house.common.may_write(user)
        challenge = await self._found(id)
        theirs = Teams(house)
        if challenge.other_team is not None and challenge.other_club is not None:
            mine = theirs.led(user.id, challenge.other_club, challenge.other_team)
        elif not accept or team is None:
            raise HallError("BAD_OPTION", field="team")
        else:
            mine = theirs.find(team)
            theirs.led(user.id, mine.club, team)
        if challenge.state == "accepted" and accept and challenge.answered_by == user.id:
            return challenge.contest or await self._make(challenge)  # they have said so before
        if challenge.state != "open":
            raise HallError("OFFER_GONE")
        if accept:
            self._refuse(challenge, mine)

        def work(db: Connection, club: Club) -> None:
            sql = (
                "UPDATE club_challenges SET state = ?, answered_by = ?, other_club = ?, other_team = ?"
                " WHERE id = ? AND state = 'open'"
            )
            state = "accepted" if accept else "declined"
            if not db.execute(sql, (state, user.id, mine.club, mine.id, id)).rowcount:
                raise HallError("OFFER_GONE")
            asking = house.find(challenge.club)
            facts = {"club": club.name, "team": mine.name, "mine": asking.teams[challenge.team].name}
            kind = "club_challenge_accepted" if accept else "club_challenge_declined"
            self._tell(db, asking, asking.teams[challenge.team], kind, user, facts)

        await house.change(mine.club, work)
        if not accept:
            return None
        return await self._make(await self._found(id))

    def _refuse(self, challenge: Challenge, mine: Team) -> None:
        """Raise HallError if a match cannot be any more."""
        house = self._house
        if mine.club == challenge.club:
            raise HallError("SELF", case="club")
        if mine.game != challenge.game:
            raise HallError("BAD_OPTION", field="game")
        if challenge.until <= house.common.now:
            raise HallError("OFFER_GONE")
        try:
            other = Teams(house).find(challenge.team, challenge.club)
        except HallError:
            raise HallError("OFFER_GONE") from None
        _full(mine, challenge.terms)
        _full(other, challenge.terms)

    async def withdraw(self, user: User, id: int) -> None:
        """Take a challenge back, by a captain of the team that has made it."""
        challenge = await self._found(id)
        Teams(self._house).led(user.id, challenge.club, challenge.team)

        def work(db: Connection, club: Club) -> None:
            sql = "UPDATE club_challenges SET state = 'withdrawn' WHERE id = ? AND state = 'open'"
            if not db.execute(sql, (id,)).rowcount:
                raise HallError("OFFER_GONE")

        await self._house.change(challenge.club, work)

    async def _found(self, id: int) -> Challenge:
        rows = await self._rows(f"SELECT {COLUMNS} FROM club_challenges WHERE id = ?", (id,))
        if not rows:
            raise HallError("NOT_FOUND")
        return rows[0]

    async def _make(self, challenge: Challenge) -> int | None:
        """Make the match of a challenge that was accepted; where it cannot be any more, the challenge is void."""
        if self.matches is None or challenge.other_club is None or challenge.other_team is None:
            return None
        store, house, by = self._house.common.store, self._house, challenge.answered_by
        try:
            clubs = (house.find(challenge.club), house.find(challenge.other_club))
            teams = (clubs[0].teams[challenge.team], clubs[1].teams[challenge.other_team])
            sides = (
                entering(clubs[0], teams[0], challenge.by or by or 0),
                entering(clubs[1], teams[1], by or 0),
            )
            made = await self.matches.make(f"club-challenge-{challenge.id}", challenge.terms, sides, by)
        except (HallError, KeyError) as wrong:
            sql = "UPDATE club_challenges SET state = 'void' WHERE id = ?"
            await store.transaction(lambda db: db.execute(sql, (challenge.id,)).rowcount)
            if isinstance(wrong, HallError):
                raise
            raise HallError("OFFER_GONE") from wrong
        sql = "UPDATE club_challenges SET contest = ? WHERE id = ?"
        await store.transaction(lambda db: db.execute(sql, (made, challenge.id)).rowcount)
        return made

    def _tell(self, db: Connection, club: Club, team: Team, kind: str, by: User, facts: dict[str, Any]) -> None:
        """Write to the captains of a team, else to the managers and bosses of its club."""
        common = self._house.common
        for user in team.captains or club.those("manager", "boss"):
            if not common.ties.apart(user, by.id):
                put(db, user, kind, f"/clubs/{club.id}/teams", facts, common.now)


def _full(team: Team, terms: Terms) -> None:
    """Refuse a match for which a team has too few players."""
    if len(team.players) < terms.boards:
        raise HallError("NOT_FULL", case="team", team=team.name, need=terms.boards, have=len(team.players))


def _challenge(row: Any) -> Challenge:
    id, at, by, club, team, game, other_club, other_team, terms, until, state, answered_by, contest = row
    play = msgspec.json.decode(terms, type=Terms)
    return Challenge(id, at, by, club, team, game, other_club, other_team, play, until, state, answered_by, contest)
