"""The teams of clubs (platform P-78, P-83): for one game each, with players, captains and a line-up.

A boss or manager is captain of any team and says who is its captain; a captain says who plays, and in which order.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from qipai.accounts.model import User
from qipai.community.clubs.model import Club, House, Side, Team
from qipai.community.clubs.rules import named, number, refuse_rank
from qipai.community.common import Kept
from qipai.community.notices.service import put
from qipai.hall.table.errors import HallError
from qipai.store import Connection, inserted

__all__ = ["Teams", "entering"]

TEAMS: Final = Kept("club_teams")


class Teams:
    """All teams of all clubs."""

    def __init__(self, house: House) -> None:
        self._house = house

    def find(self, id: int, club: int | None = None) -> Team:
        """Return a team; raises HallError("NOT_FOUND"). club: whose it is, where that is known."""
        clubs = self._house.all() if club is None else [self._house.find(club)]
        for one in clubs:
            if id in one.teams:
                return one.teams[id]
        raise HallError("NOT_FOUND")

    def leads(self, user: int | None, club: int | None, team: int | None) -> bool:
        """Tell whether somebody may lead a team: as its captain, or as a manager or boss of its club."""
        if user is None or club is None or team is None:
            return False
        try:
            found = self._house.find(club)
        except HallError:
            return False
        return team in found.teams and _leads(found, found.teams[team], user)

    def led(self, user: int, club: int, team: int) -> Team:
        """Return a team that somebody leads; raises HallError NOT_FOUND, NOT_MEMBER, RANK_TOO_LOW."""
        found = self._house.find(club)
        return self._led(found, team, user)

    @staticmethod
    def _led(club: Club, team: int, user: int) -> Team:
        if team not in club.teams:
            raise HallError("NOT_FOUND")
        refuse_rank(club.rank(user), "member")
        if not _leads(club, club.teams[team], user):
            raise HallError("RANK_TOO_LOW", case="captain")
        return club.teams[team]

    async def make(self, user: User, id: int, game: str, name: str, cid: str | None) -> int:
        """Make a team for a game, by a manager or boss; return its number."""
        self._house.common.may_write(user)
        name, numbers = named(name), self._house.numbers

        def work(db: Connection, club: Club) -> int:
            refuse_rank(club.rank(user.id), "manager")
            if any(team.name == name for team in club.teams.values()):
                raise HallError("NAME_TAKEN", case="club")
            if len(club.teams) >= numbers.teams:
                raise HallError("LIMIT_REACHED", case="squads", most=numbers.teams)
            return inserted(
                db,
                "INSERT INTO club_teams (club, game, name, at, author, cid) VALUES (?, ?, ?, ?, ?, ?)",
                (id, game, name, self._house.common.now, user.id, cid),
            )

        return await self._house.common.once(TEAMS, user.id, cid, work, None, partial(self._house.change, id))

    async def drop(self, user: User, id: int, team: int) -> None:
        """Give a team up, by a manager or boss; the matches that it plays go on."""

        def work(db: Connection, club: Club) -> None:
            refuse_rank(club.rank(user.id), "manager")
            if team not in club.teams:
                raise HallError("NOT_FOUND")
            db.execute("UPDATE club_teams SET gone = 1 WHERE id = ?", (team,))
            db.execute("DELETE FROM club_players WHERE team = ?", (team,))
            db.execute(
                "UPDATE club_challenges SET state = 'withdrawn'"
                " WHERE state = 'open' AND (team = ?1 OR other_team = ?1)",
                (team,),
            )

        await self._house.change(id, work)

    async def line_up(self, user: User, id: int, team: int, users: tuple[int, ...]) -> None:
        """Say who plays in a team, in the order of its line-up, by a captain of it."""
        numbers = self._house.numbers
        if len(users) > numbers.players:
            raise HallError("LIMIT_REACHED", case="members", most=numbers.players)
        if len(set(users)) != len(users):
            raise HallError("BAD_OPTION", field="users")

        def work(db: Connection, club: Club) -> None:
            before = self._led(club, team, user.id)
            if any(club.rank(one) is None for one in users):
                raise HallError("NOT_MEMBER", case="them")
            captains = {*before.captains}
            if captains - {*users} and number(club.rank(user.id) or "member") < number("manager"):
                raise HallError("RANK_TOO_LOW", case="manager")  # a captain does not send another out
            db.execute("DELETE FROM club_players WHERE team = ?", (team,))
            db.executemany(
                "INSERT INTO club_players VALUES (?, ?, ?, ?)",
                [(team, one, int(one in captains), place) for place, one in enumerate(users)],
            )
            for one in users:
                if one not in before.users and one != user.id:
                    self._tell(db, club, before, one, "club_team")

        await self._house.change(id, work)

    async def captain(self, user: User, id: int, team: int, other: int, *, on: bool) -> None:
        """Say whether a player of a team is a captain of it, by a manager or boss."""

        def work(db: Connection, club: Club) -> None:
            refuse_rank(club.rank(user.id), "manager")
            if team not in club.teams or other not in club.teams[team].users:
                raise HallError("NOT_FOUND")
            found = club.teams[team]
            if (other in found.captains) == on:
                return
            db.execute("UPDATE club_players SET captain = ? WHERE team = ? AND user = ?", (int(on), team, other))
            if on and other != user.id:
                self._tell(db, club, found, other, "club_captain")

        await self._house.change(id, work)

    async def leave(self, user: User, id: int, team: int) -> None:
        """Play in a team no longer; what one plays for it goes on."""

        def work(db: Connection, club: Club) -> None:
            db.execute("DELETE FROM club_players WHERE team = ? AND user = ?", (team, user.id))

        await self._house.change(id, work)

    def _tell(self, db: Connection, club: Club, team: Team, user: int, kind: str) -> None:
        facts = {"club": club.name, "team": team.name}
        put(db, user, kind, f"/clubs/{club.id}/teams", facts, self._house.common.now)


def _leads(club: Club, team: Team, user: int) -> bool:
    rank = club.rank(user)
    return rank is not None and (user in team.captains or number(rank) >= number("manager"))


def entering(club: Club, team: Team, by: int) -> Side:
    """Return a team as it enters a contest: led by its first captain, else by who lets it in."""
    captain = team.captains[0] if team.captains else by
    return Side(club.id, team.id, team.name, captain, team.users)
