"""What people of a town do in team tournaments (platform P-69): found teams, invite, line up, and fall out."""

from __future__ import annotations

from functools import partial
from typing import Final

from qipai.bench.town.clock import DAY, HOUR, MINUTE
from qipai.bench.town.town import Town
from qipai.contests.contract import Cancel, Command, GameTerms
from qipai.contests.teams import commands as say
from qipai.contests.teams.form import TeamsForm
from qipai.contests.teams.model import Team, Teams

__all__ = ["Leagues"]

NIGHT: Final = {"type": "fischer", "base": 300, "inc": 5}
DAYS: Final = {"type": "days", "days": 2}
CALLED_OFF: Final = 3  # percent of tournaments that a moderator cancels
DECLINED: Final = 10  # percent of invitations that are declined
RESTLESS: Final = 15  # percent of teams in which something changes before the start
LINED_UP: Final = 30  # percent of pauses in which a captain changes the line-up
PARTED: Final = 3  # percent of pauses in which a team loses somebody, or goes


class Leagues:
    """Team tournaments, live and by days, on one to three boards, of one section and of several stages."""

    PER_DAY: Final = 1 / 4000  # of a person, beside those of the smallest town
    LEAST: Final = 0.25

    def __init__(self, town: Town) -> None:
        self._town = town
        self._seen: dict[int, int] = {}  # by tournament when the round begins that captains know of

    async def morning(self) -> None:
        """Announce team tournaments, and let people found teams until they begin."""
        town = self._town
        for _ in range(town.lots.often(self.LEAST + self.PER_DAY * len(town.people))):
            town.at(town.now + town.lots.below(DAY), self._announce)

    def look(self) -> None:
        """Let captains do something in the pause before each round."""
        town, lots = self._town, self._town.lots
        for running in town.place.contests.of("teams"):
            state: Teams = running.state
            begins = state.next_at
            if state.state != "running" or begins is None or begins <= town.now:
                continue
            if self._seen.get(running.id) == begins:
                continue
            self._seen[running.id] = begins
            for team in state.teams:
                when = partial(lots.below, max(1, begins - town.now))
                if not team.out and lots.chance(LINED_UP):
                    town.at(town.now + when(), partial(self._line_up, running.id, team.no))
                if not team.out and lots.chance(PARTED):
                    town.at(town.now + when(), partial(self._part, running.id, team.no))

    def forget(self) -> None:
        """Let captains think again: what they have said may be lost."""
        self._seen.clear()
        self._town.given_up_later("teams")

    def _form(self) -> TeamsForm:
        """Draw a team tournament."""
        town, lots = self._town, self._town.lots
        days, least = lots.chance(30), lots.between(2, 4)
        return TeamsForm(
            f"League {town.counts['teams made'] + 1}",
            GameTerms(lots.one(("xiangqi", "backgammon")), clock=DAYS if days else NIGHT, rated=lots.chance(50)),
            boards=lots.between(1, 3),
            least=least,
            most=least + lots.below(6),
            games=lots.one((1, 2)),
            section=lots.between(3, 5),
            starts_at=None if lots.chance(30) else town.now + lots.between(3 * HOUR, 2 * DAY),
            pause_s=43_200 if days else 600,
        )

    async def _announce(self) -> None:
        town, lots = self._town, self._town.lots
        form, free = self._form(), town.anybody()
        assert form.most is not None
        size = form.boards + lots.below(2)
        comers = lots.some(free, min(len(free), size * lots.between(form.least, form.most + 1)))
        running = await town.make("teams", lambda id: say.MakeTeams(id=str(id), form=form), comers[0])
        if running is None:
            return
        until = form.starts_at or town.now + DAY
        if form.starts_at is None:
            town.at(until + DAY, partial(town.given_up, "teams", running.id))
        for team in (comers[at : at + size] for at in range(0, len(comers) - size + 1, size)):
            when = town.now + lots.below(until - town.now)
            town.at(when, partial(self._found, running.id, team, until))
        if lots.chance(CALLED_OFF):
            call_off = Cancel(reason="a lot", moderator=True)
            when = until + lots.between(-HOUR, HOUR)
            town.at(when, partial(town.said, "teams", running.id, call_off, comers[0]))

    async def _found(self, id: int, users: list[int], until: int) -> None:
        """Found a team, invite the others, who answer soon, and line up."""
        town, lots, captain = self._town, self._town.lots, users[0]
        if not town.free(captain):
            return
        found = say.Found(name=f"Team{town.counts['teams founded'] + 1}")
        if await town.do("teams", id, found, captain) is not None:
            return
        town.counts["teams founded"] += 1
        team = await self._team_of(id, captain)
        if team is None:
            return
        soon = min(30 * MINUTE, max(1, until - town.now))
        for user in users[1:]:
            await town.said("teams", id, say.Invite(user=user), captain)
            answer: Command = say.Accept(team=team.no)
            if lots.chance(DECLINED):
                answer = say.Decline(team=team.no)
            town.at(town.now + lots.below(soon), partial(town.said, "teams", id, answer, user))
        town.at(town.now + soon, partial(self._line_up, id, team.no))
        if lots.chance(RESTLESS):
            town.at(town.now + lots.below(max(1, until + HOUR - town.now)), partial(self._part, id, team.no))

    async def _team_of(self, id: int, user: int) -> Team | None:
        state: Teams = (await self._town.place.contests.find("teams", id)).state
        return state.team_of(user)

    async def _led(self, id: int, no: int) -> tuple[Team, int] | None:
        """Return a team that still plays, and its captain, who may do something now."""
        state: Teams = (await self._town.place.contests.find("teams", id)).state
        team = state.team(no)
        captain = team.captain
        return None if team.out or captain is None or not self._town.free(captain) else (team, captain)

    async def _line_up(self, id: int, no: int) -> None:
        """Let a captain put their players in another order."""
        led = await self._led(id, no)
        if led is not None:
            team, captain = led
            users = tuple(self._town.lots.some(team.users, len(team.users)))
            await self._town.do("teams", id, say.LineUp(users=users), captain)

    async def _part(self, id: int, no: int) -> None:
        """Let somebody go, be sent away or be named captain, or let the whole team go."""
        led, town = await self._led(id, no), self._town
        if led is None:
            return
        team, captain = led
        other = town.lots.one(team.users)
        match town.lots.below(4):
            case 0:
                await town.said("teams", id, say.Leave(), other)
            case 1:
                await town.do("teams", id, say.Expel(user=other), captain)
            case 2:
                await town.do("teams", id, say.NameCaptain(user=other), captain)
            case _:
                await town.do("teams", id, say.Withdraw(), captain)
