"""What people of a town do beside their games, one activity for each kind of contest.

A further kind of contest gets an activity here and a recount in `recounts.py`; nothing else knows kinds by name.
"""

from __future__ import annotations

from functools import partial
from typing import Final, Protocol

from msgspec.structs import replace

from qipai.bench.town.boards import Boards
from qipai.bench.town.clock import DAY, HOUR, MINUTE
from qipai.bench.town.leagues import Leagues
from qipai.bench.town.town import Town
from qipai.contests.contract import Cancel, GameTerms
from qipai.contests.live import Running
from qipai.contests.ponds import commands as ponds
from qipai.contests.ponds.model import PondForm
from qipai.contests.stairs import commands as stairs
from qipai.contests.stairs.refusals import Refusals
from qipai.contests.tournaments import commands as tournaments
from qipai.contests.tournaments.form import TournamentForm

__all__ = ["Activity", "activities"]

CHANGED: Final = 6  # percent of those who have entered that leave again
CALLED_OFF: Final = 3  # percent of contests that a moderator cancels
NIGHT: Final = {"type": "fischer", "base": 300, "inc": 5}
DAYS: Final = {"type": "days", "days": 2}


class Activity(Protocol):
    """What people do about one kind of contest."""

    async def morning(self) -> None:
        """Decide what is done today."""
        ...

    def look(self) -> None:
        """See what has changed, and decide what to do about it."""
        ...

    def forget(self) -> None:
        """The hall was killed: look at everything again."""
        ...


def activities(town: Town) -> tuple[Activity, ...]:
    """Return all activities of a town."""
    return (Cups(town), Leagues(town), Climbing(town), Ducks(town), Boards(town))


class Cups:
    """Tournaments in every format, live and by days, with and without a fee, at tables of two, three and four."""

    PER_DAY: Final = 1 / 500  # of a person, beside those of the smallest town
    LEAST: Final = 0.4

    def __init__(self, town: Town) -> None:
        self._town = town

    async def morning(self) -> None:
        """Announce tournaments, and let people enter until they begin."""
        town = self._town
        for _ in range(town.lots.often(self.LEAST + self.PER_DAY * len(town.people))):
            town.at(town.now + town.lots.below(DAY), self._announce)

    def look(self) -> None:
        """Nobody looks: who plays is told by the tables."""

    def forget(self) -> None:
        """Nothing is kept."""
        self._town.given_up_later("tournament")

    def _form(self) -> TournamentForm:
        """Draw a tournament."""
        town, lots = self._town, self._town.lots
        start = town.now + lots.between(3 * HOUR, 2 * DAY)
        form = TournamentForm(
            name=f"Cup {town.counts['tournaments made'] + 1}",
            format="sections",
            terms=GameTerms("xiangqi", clock=NIGHT, rated=lots.chance(50)),
            min_players=4,
            max_players=lots.between(6, 16),
            section_size=lots.between(4, 6),
            rounds=lots.between(3, 5),
            minutes=30,
            final_wins=lots.between(1, 2),
            by_rating=lots.chance(50),
            start=start,
        )
        match lots.below(20):
            case 0:
                form = replace(form, terms=GameTerms("doudizhu", rated=False), seats=3, min_players=3, max_players=9)
                return self._of_tables(form)
            case 1:
                form = replace(form, terms=GameTerms("mahjong", rated=False), seats=4, max_players=8, rounds=2)
                return self._of_tables(replace(form, partners=lots.one((None, "drawn"))))
            case 2:
                terms = GameTerms("mahjong", rated=False)
                return replace(form, terms=terms, seats=4, partners="fixed", max_players=6, format="knockout")
            case 3 | 4:
                return replace(form, terms=replace(form.terms, clock=DAYS), start=lots.one((start, "full")), reserves=0)
            case 5:
                return replace(form, terms=GameTerms("xiangqi", clock=DAYS, rated=False), reserves=2, max_players=6)
            case 6 | 7:
                form = replace(form, terms=replace(form.terms, game="backgammon"))
        form = replace(form, format=lots.one(("sections", "knockout", "swiss", "arena")))
        if form.terms.game == "backgammon" and form.format != "arena":
            form = replace(form, duplicate=lots.chance(50))
        if lots.chance(50):
            form = replace(form, fee=lots.one((5, 10, 20)), prizes=lots.one(((60, 20), (50, 30, 20), (70,))))
        if form.format in ("sections", "knockout") and lots.chance(20):
            form = replace(form, games_per_pair=2)
        return form

    def _of_tables(self, form: TournamentForm) -> TournamentForm:
        """Return a tournament at tables of more than two sides, or with a deal for all tables of a round."""
        if self._town.lots.chance(50):
            return form
        return replace(form, duplicate=True, min_players=2 * form.seats, max_players=3 * form.seats)

    async def _announce(self) -> None:
        town, lots = self._town, self._town.lots
        form, free = self._form(), town.anybody()
        size = form.team_size
        comers = lots.some(free, min(len(free), size * lots.between(2, form.max_players + form.reserves + 1)))
        if len(comers) < size:
            return
        running = await town.make("tournament", lambda id: tournaments.Make(id=str(id), form=form), comers[0])
        if running is None:
            return
        until = form.start if isinstance(form.start, int) else town.now + DAY
        if form.start == "full":
            town.at(until + 2 * DAY, partial(town.given_up, "tournament", running.id))
        for team in (comers[at : at + size] for at in range(0, len(comers) - size + 1, size)):
            when = town.now + lots.below(until - town.now)
            town.at(when, partial(self._enter, running.id, team, until))
        if form.format == "arena":
            for user in lots.some(comers, 2):
                town.at(until + lots.between(5 * MINUTE, 20 * MINUTE), partial(self._come_and_go, running.id, user))
        if lots.chance(CALLED_OFF):
            call_off = Cancel(reason="a lot", moderator=True)
            when = until + lots.between(-HOUR, HOUR)
            town.at(when, partial(town.said, "tournament", running.id, call_off, comers[0]))

    async def _enter(self, id: int, team: list[int], until: int) -> None:
        town = self._town
        if not all(town.free(user) for user in team):
            return
        ratings = tuple(1000 + 10 * town.people[user].strength for user in team)
        enter = tournaments.Enter(partners=tuple(team[1:]), ratings=ratings)
        if await town.do("tournament", id, enter, team[0]) is not None:
            return
        running = await town.place.contests.find("tournament", id)
        mine = running.state.of(team[0])
        for user in team[1:]:
            if mine is not None:
                await town.do("tournament", id, tournaments.Agree(no=mine.no), user)
        if town.lots.chance(CHANGED):
            when = town.now + town.lots.below(max(1, until + HOUR - town.now))
            town.at(when, partial(town.said, "tournament", id, tournaments.Withdraw(), team[0]))

    async def _come_and_go(self, id: int, user: int) -> None:
        """Leave an arena, and come back to it soon; the same person, or somebody who comes late."""
        town = self._town
        if await town.do("tournament", id, tournaments.Withdraw(), user) in (None, "NOT_MEMBER"):
            back = tournaments.Enter(ratings=(1000 + 10 * town.people[user].strength,))
            town.at(town.now + 5 * MINUTE, partial(town.said, "tournament", id, back, user))


class Climbing:
    """Stairs, live and by days."""

    PER_DAY: Final = 1 / 60  # challenges of a person
    NAMES: Final = ("xiangqi", "backgammon", "xiangqi-days", "backgammon-days")
    MEMBERS: Final = 400  # of one of the stairs that the town climbs

    def __init__(self, town: Town) -> None:
        self._town = town

    async def morning(self) -> None:
        """Let some join, some rest or come back, and some challenge others, now and then two in the same instant."""
        town, lots = self._town, self._town.lots
        n = len(town.people)
        for deed, rate in ((self._join, 1 + n / 50), (self._rest, n / 400), (self._challenge, 1 + self.PER_DAY * n)):
            for _ in range(lots.often(rate)):
                town.at(town.now + lots.below(DAY), deed)

    def look(self) -> None:
        """Nobody looks: who plays is told by the tables."""

    def forget(self) -> None:
        """Nothing is kept."""

    def _any(self) -> Running | None:
        name = self._town.lots.one(self.NAMES)
        found = self._town.place.contests.of("stairs")
        return next((running for running in found if running.state.id == name), None)

    def _member(self, running: Running) -> int | None:
        members = [user for user in running.state.members if self._town.free(user)]
        return self._town.lots.one(members) if members else None

    async def _join(self) -> None:
        running = self._any()
        if running is not None and len(running.state.members) < self.MEMBERS:
            await self._town.do("stairs", running.id, stairs.Join(), self._town.lots.one(self._town.anybody()))

    async def _rest(self) -> None:
        running = self._any()
        if running is None:
            return
        resting = [user for user, member in running.state.members.items() if member.retired and self._town.free(user)]
        user = self._town.lots.one(resting) if resting else self._member(running)
        if user is not None:
            await self._town.do("stairs", running.id, stairs.Return() if resting else stairs.Retire(), user)

    async def _challenge(self) -> None:
        """Challenge somebody whom the page offers; now and then two challenge the same person, or anybody at all."""
        running, town = self._any(), self._town
        user = None if running is None else self._member(running)
        if running is None or user is None:
            return
        refusals = Refusals(running.state, user, town.now)
        fair = [other for other in running.state.members if refusals.code(other) is None and town.free(other)]
        target = town.lots.one(fair) if fair and town.lots.chance(95) else town.lots.one([*running.state.members])
        await town.do("stairs", running.id, stairs.Challenge(user=target), user)
        if town.lots.chance(5) and (other := self._member(running)) is not None:
            await town.do("stairs", running.id, stairs.Challenge(user=target), other)


class Ducks:
    """Ponds of all variants, live and by days."""

    PER_DAY: Final = 1 / 1000  # of a person, beside those of the smallest town
    LEAST: Final = 0.3
    SILENT: Final = 10  # percent of bids that are not made
    LATE: Final = 3  # percent of bids that are made after the end of their round

    def __init__(self, town: Town) -> None:
        self._town = town
        self._seen: dict[int, int] = {}  # the round of each pond that people know of

    async def morning(self) -> None:
        """Make ponds."""
        town = self._town
        for _ in range(town.lots.often(self.LEAST + self.PER_DAY * len(town.people))):
            town.at(town.now + town.lots.below(DAY), self._make)

    def look(self) -> None:
        """Let the runners of each round that has begun bid in it."""
        town, lots = self._town, self._town.lots
        for running in town.place.contests.of("pond"):
            state = running.state
            if state.state != "running" or self._seen.get(running.id) == state.round:
                continue
            self._seen[running.id] = state.round
            left = max(1, state.ends_at - town.now)
            for user, runner in state.runners.items():
                if lots.chance(self.SILENT):
                    continue
                when = state.ends_at + MINUTE if lots.chance(self.LATE) else town.now + lots.below(left)
                amount = min(runner.points, lots.below(2000) + 20_000 // (len(state.runners) + 3))
                bid = ponds.MakeBid(round=state.round, amount=amount)
                town.at(when, partial(town.said, "pond", running.id, bid, user))

    def forget(self) -> None:
        """Let the runners bid again: what they have said may be lost."""
        self._seen.clear()
        self._town.given_up_later("pond")

    async def _make(self) -> None:
        town, lots = self._town, self._town.lots
        live, most = lots.chance(70), lots.between(5, 12)
        full = lots.chance(50)
        form = PondForm(
            f"Pond {town.counts['ponds made'] + 1}",
            lots.one(("regular", "rain", "dark")),
            least=lots.between(3, 5),
            most=most,
            round_s=60 if live else 86_400,
            fee=lots.one((0, 5, 10)),
            starts_at=None if full else town.now + lots.between(HOUR, DAY),
        )
        if form.fee:
            form = replace(form, percents=lots.one(((60, 20), (50, 30, 20), (80,))))
        free = town.anybody()
        comers = lots.some(free, min(len(free), lots.between(most - 2, most + 1)))
        running = await town.make("pond", lambda id: ponds.MakePond(id=str(id), form=form), comers[0])
        if running is None:
            return
        for user in comers:
            town.at(town.now + lots.below(HOUR), partial(self._enter, running.id, user))
        if full:
            town.at(town.now + 2 * DAY, partial(town.given_up, "pond", running.id))
        if lots.chance(CALLED_OFF):
            call_off = Cancel(reason="a lot", moderator=True)
            when = town.now + lots.below(DAY)
            town.at(when, partial(town.said, "pond", running.id, call_off, comers[0]))

    async def _enter(self, id: int, user: int) -> None:
        town = self._town
        if not town.free(user) or await town.do("pond", id, ponds.Enter(), user) is not None:
            return
        if town.lots.chance(CHANGED):
            town.at(town.now + town.lots.below(3 * HOUR), partial(town.said, "pond", id, ponds.Leave(), user))
