"""Tournaments counted once more from the log (platform P-67): games, fees and prizes, standings, shared deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from qipai.bench.town.happened import Due, Found, Happened, Result, Results
from qipai.bench.town.payouts import shares, whole
from qipai.bench.town.recount_duplicates import beside, same_luck
from qipai.contests.tournaments import events as cups
from qipai.contests.tournaments.ranking import table_of
from qipai.ledger.model import ESCROW, HOUSE

__all__ = ["of_tournament"]


class _Cup:
    """A tournament that is recounted. users: who has ever played for an entrant; sides: of every meeting."""

    def __init__(self, stream: str, results: Results) -> None:
        self.stream, self.results = stream, results
        self.wrong: list[str] = []
        self.dues: list[Due] = []
        self.form: Any = None
        self.users: dict[int, list[int]] = {}
        self.paid: dict[int, int] = {}  # the fee of each entrant that lies in escrow
        self.deleted: set[int] = set()
        self.started = False
        self.sides: dict[str, tuple[Any, ...]] = {}
        self.scored: Counter[str] = Counter()
        self.over: set[str] = set()  # meetings at tables of more than two sides
        self.tables: Counter[int] = Counter()
        self.points: dict[str, tuple[tuple[int, ...], str | None]] = {}  # of each meeting at a table; its deal
        self.dealt: dict[tuple[str, ...], dict[str, Result]] = {}  # the first games of meetings of a round
        self.ended = 0

    def take(self, event: Any, before: Any, now: int) -> None:
        """Count an event; before: the tournament before it."""
        match event:
            case cups.Made():
                self.form = event.form
            case cups.Entered():
                self.users[event.no] = list(event.users)
                if self.form.fee:
                    self.paid[event.no] = self.form.fee
                    self.dues.append(Due(event.users[0], ESCROW, self.form.fee, "fee"))
            case cups.Withdrew() if not self.started or event.why in ("incomplete", "unused"):
                self._back(event.no)
            case cups.Deleted():
                self.deleted.add(event.user)
            case cups.Started():
                self.started = True
            case cups.Paired():
                self._paired(event, before)
            case cups.Again():
                self.sides[event.game.rpartition(".")[0]] = event.sides
            case cups.Replaced():
                self.users[event.no] = [*self.users[event.reserve], *self.users[event.no]]
            case cups.Scored():
                self._scored(event, now)
            case cups.Cancelled():
                self.ended += 1
                for no in list(self.paid):
                    self._back(no)
            case cups.Finished():
                self.ended += 1
                self._finished(event)

    def _back(self, no: int) -> None:
        if coins := self.paid.pop(no, 0):
            payer = self.users[no][0]
            self.dues.append(Due(ESCROW, HOUSE if payer in self.deleted else payer, coins, "refund"))

    def _paired(self, event: cups.Paired, before: Any) -> None:
        busy = {no for one in before.stage.meetings if not one.over for no in one.sides}
        for pair in event.pairs:
            if pair.id in self.sides:
                self.wrong.append(f"the meeting {pair.id} was paired twice")
            twice = sorted({no for no in pair.sides if no is not None and no in busy})
            if twice and not self.form.by_days:
                self.wrong.append(f"entrant {twice[0]} was paired in {pair.id} while another meeting of theirs goes on")
            self.sides[pair.id] = pair.sides
            busy.update(pair.sides if not self.form.by_days else ())

    def _scored(self, event: cups.Scored, now: int) -> None:
        meeting, _, number = event.game.rpartition(".")
        if not self.form.duels:
            self.over.add(meeting)
        if event.whole:
            return
        self.scored[event.game] += 1
        if self.scored[event.game] > 1:
            self.wrong.append(f"the game {event.game} was counted twice")
        if event.table is not None:
            self.tables[event.table] += 1
            if self.tables[event.table] > 1:
                self.wrong.append(f"the table {event.table} was counted twice")
        if event.game_id is None:
            return
        found = self.results(event.game_id)
        if found is None:
            self.wrong.append(f"the game {event.game} has the replay {event.game_id}, which never ended")
        elif (found.contest, found.game) != (self.stream, event.game):
            self.wrong.append(f"the game {event.game} has the replay of {found.contest}/{found.game}")
        elif self.form.seats == 2 and len(set(event.scores)) == 2 and len(set(found.points)) == 2:
            sides = self.sides.get(meeting, ())
            best = found.users[found.points.index(max(found.points))]
            won = sides[event.scores.index(max(event.scores))] if len(sides) == 2 else None
            if best is not None and won is not None and best not in self.users[won]:
                self.wrong.append(f"the game {event.game} was won by {best}, and counted for entrant {won}")
        elif not self.form.duels:
            if event.points != found.points:
                self.wrong.append(f"the game {event.game} ended with {found.points}, and {event.points} were counted")
            self.points[meeting] = (event.points, found.deal)
        if found is not None and self.form.duplicate:
            if "~" not in number:
                self.dealt.setdefault((*meeting.split(".")[:2], number), {})[event.game] = found
            if found.opened is not None and found.opened < now:
                self.wrong.append(f"the deal of {event.game} was opened while it was played")

    def duplicates(self) -> Iterator[str]:
        """Yield which games of a round had not the deal of the others, or that of another round."""
        where: dict[str | None, tuple[str, ...]] = {}
        for key, games in self.dealt.items():
            yield from same_luck(games)
            for name, found in games.items():
                if where.setdefault(found.deal, key) != key:
                    yield f"the game {name} had a deal that was played before"

    def brought(self, stage: int) -> dict[int, Fraction]:
        """Return the points that the tables of a stage have brought each entrant; of a duplicate the differences."""
        sums: dict[int, Fraction] = {}
        for id, (points, deal) in self.points.items():
            if id.split(".")[0] != str(stage) or (self.form.duplicate and not self._round_is_over(id)):
                continue
            for seat, no in enumerate(self.sides[id]):
                worth = Fraction(points[seat])
                if self.form.duplicate:
                    same = [got[seat] for other, (got, theirs) in self.points.items() if theirs == deal and other != id]
                    worth = beside(points[seat], same)[2]
                if no is not None:
                    sums[no] = sums.get(no, Fraction(0)) + worth
        return sums

    def _round_is_over(self, id: str) -> bool:
        """Tell whether all meetings of the round that a meeting is of are over."""
        return all(other in self.over for other in self.sides if other.split(".")[:2] == id.split(".")[:2])

    def _finished(self, event: cups.Finished) -> None:
        pool = sum(self.paid.values())
        self.paid.clear()
        ranks = [one.place for one in event.places]
        amounts = whole(pool, self.form.prizes)
        promised = dict(zip([one.no for one in event.places], shares(amounts, ranks), strict=True))
        given: Counter[int] = Counter()
        for user, coins in event.prizes:
            self.dues.append(Due(ESCROW, user, coins, "prize"))
            no = next((no for no in promised if user in self.users[no]), None)
            if no is None:
                self.wrong.append(f"{user} has a prize and no place")
            else:
                given[no] += coins
        if pool and (short := [no for no, coins in promised.items() if given[no] != coins]):
            self.wrong.append(f"entrant {short[0]} was promised {promised[short[0]]} coins and got {given[short[0]]}")
        if event.house:
            self.dues.append(Due(ESCROW, HOUSE, event.house, "prize"))


def of_tournament(stream: str, happened: Sequence[Happened], state: Any, results: Results) -> Found:
    """Recount a tournament."""
    cup = _Cup(stream, results)
    for one in happened:
        cup.take(one.what, one.before, one.now)
    cup.wrong += cup.duplicates()
    cup.wrong += _standings(state) if state.form.duels else _tables(cup, state)
    if cup.ended > 1:
        cup.wrong.append("it has ended twice")
    if state.state == "finished" and any(not one.over for one in state.stage.meetings):
        cup.wrong.append("it is over, and a round of it never ended")
    return cup.dues, cup.wrong


def _standings(state: Any) -> Iterator[str]:
    """Yield whose score in a section or a Swiss is not the sum of what their meetings and byes have brought."""
    if state.form.format not in ("sections", "swiss"):
        return
    for stage in state.stages:
        struck = {one.no for one in state.entrants if one.struck == stage.no}
        for nos in stage.sections:
            sums: Counter[int] = Counter(dict.fromkeys(nos, 0))
            for one in stage.meetings:
                if one.score is not None and struck.isdisjoint(one.sides):
                    for no, got in zip(one.sides, one.score, strict=True):
                        sums[no] += got
            for _, no in stage.byes:
                sums[no] += 1
            banned = {no for no in nos if state.entrant(no).why == "banned"}
            for row in table_of(state, stage, nos):
                if row.no not in struck | banned and row.score != sums[row.no]:
                    yield f"entrant {row.no} stands at {row.score}, and their games have brought {sums[row.no]}"


def _tables(cup: _Cup, state: Any) -> Iterator[str]:
    """Yield whose score at tables of more than two sides is not what their games have brought."""
    for stage in state.stages:
        sums = cup.brought(stage.no)
        for nos in stage.sections:
            for row in table_of(state, stage, nos):
                if abs(row.score - float(sums.get(row.no, 0))) > 1e-6:
                    yield f"entrant {row.no} stands at {row.score}, and their tables have brought {sums.get(row.no, 0)}"
