"""Each kind of contest counted once more from its log, by other means than its own fold: what must be true of it.

A recount reads the events in their order and yields a sentence for each rule that was broken. It also says what the
contest had to pay, from what its events say and not from how the kind reckons payments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from qipai.bench.town.happened import Due, Found, Happened, Recount, Results
from qipai.bench.town.payouts import shares, whole
from qipai.bench.town.recount_duplicates import of_day
from qipai.bench.town.recount_teams import of_teams
from qipai.bench.town.recount_tournaments import of_tournament
from qipai.contests.ponds import events as ponds
from qipai.contests.ponds.rounds import START, Runner, run_round
from qipai.contests.ponds.seals import seal_of
from qipai.contests.stairs import events as stairs
from qipai.ledger.model import ESCROW, HOUSE

__all__ = ["RECOUNTS"]


# Stairs ---------------------------------------------------------------------------------------------------------------


class _Climb:
    """Stairs that are recounted: who stands on which step, and which games run."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.steps: dict[int, int] = {}
        self.going: dict[str, stairs.Challenged] = {}
        self.counted: set[str] = set()
        self.month = ""

    def take(self, event: Any, results: Results, stream: str) -> None:
        """Count an event."""
        match event:
            case stairs.Joined():
                self.steps[event.user] = 1
            case stairs.Retired(why="deleted"):
                self.steps.pop(event.user, None)
            case stairs.Challenged():
                self._challenged(event)
            case stairs.Finished():
                self._finished(event, results, stream)
            case stairs.Renumbered():
                if event.month <= self.month:
                    self.wrong.append(f"the month {event.month} has begun after {self.month}")
                self.month = event.month
                left = sorted(set(self.steps.values()))
                self.steps = {user: left.index(step) + 1 for user, step in self.steps.items()}
            case stairs.Cancelled():
                self.going.clear()

    def _challenged(self, event: stairs.Challenged) -> None:
        target = next(user for user in event.users if user != event.challenger)
        for other in self.going.values():
            if other.challenger == event.challenger:
                self.wrong.append(f"{event.challenger} has challenged twice at once")
            if target in other.users and other.challenger != target:
                self.wrong.append(f"{target} was challenged twice at once")
        if event.game in self.going or event.game in self.counted:
            self.wrong.append(f"the game {event.game} was begun twice")
        self.going[event.game] = event

    def _finished(self, event: stairs.Finished, results: Results, stream: str) -> None:
        game = self.going.pop(event.game, None)
        if game is None:
            self.wrong.append(f"the game {event.game} was counted twice, or never begun")
            return
        self.counted.add(event.game)
        if event.game_id is not None:
            found = results(event.game_id)
            if found is None or (found.contest, found.game) != (stream, event.game):
                self.wrong.append(f"the game {event.game} has the replay {event.game_id}, which is not its own")
            elif len(set(found.points)) == 2 and event.result in ("first", "second"):
                if found.points.index(max(found.points)) != ("first", "second").index(event.result):
                    self.wrong.append(f"the game {event.game} was won by the other")
        if event.result in ("first", "second"):
            won, lost = game.users if event.result == "first" else game.users[::-1]
            if won in self.steps:
                self.steps[won] += 1
            if lost in self.steps:
                self.steps[lost] = max(1, self.steps[lost] - 1)


def _stairs(stream: str, happened: Sequence[Happened], state: Any, results: Results) -> Found:
    climb = _Climb()
    for one in happened:
        climb.take(one.what, results, stream)
    have = {user: member.step for user, member in state.members.items()}
    for user in sorted(have.keys() | climb.steps.keys()):
        if have.get(user) != climb.steps.get(user):
            climb.wrong.append(f"{user} stands on step {have.get(user)}, by their games on {climb.steps.get(user)}")
    if {game.game for game in state.running} != climb.going.keys():
        climb.wrong.append("the games that run are not those that were begun and have not ended")
    return [], climb.wrong


# Ponds ----------------------------------------------------------------------------------------------------------------


class _Swim:
    """A pond that is recounted."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.dues: list[Due] = []
        self.form: Any = None
        self.id = ""
        self.entered: list[int] = []
        self.gone: dict[int, str] = {}
        self.points: dict[int, int] = {}
        self.last: dict[int, int | None] = {}
        self.bids: dict[int, int] = {}
        self.round, self.ends_at, self.ended = 0, 0, 0

    def take(self, event: Any, now: int) -> None:
        """Count an event."""
        match event:
            case ponds.Made():
                self.form, self.id = event.form, event.id
            case ponds.Entered():
                self.entered.append(event.user)
                self._due(event.user, ESCROW, self.form.fee, "fee")
            case ponds.Left():
                self._left(event)
            case ponds.Started():
                self.round, self.ends_at = 1, event.ends_at
                self.points = dict.fromkeys(self.entered, START)
                self.last = dict.fromkeys(self.entered)
            case ponds.BidMade():
                self._bid(event, now)
            case ponds.RoundEnded():
                self._round_ended(event, now)
            case ponds.Finished():
                self._finished(event)
            case ponds.Cancelled():
                self.ended += 1
                for user in self.entered:
                    self._due(ESCROW, HOUSE if self.gone.get(user) == "deleted" else user, self.form.fee, "refund")

    def _due(self, source: int, target: int, coins: int, reason: str) -> None:
        if coins:
            self.dues.append(Due(source, target, coins, reason))

    def _left(self, event: ponds.Left) -> None:
        if self.round:
            self.gone[event.user] = event.why
            self.bids.pop(event.user, None)
        else:
            self.entered.remove(event.user)
            self._due(ESCROW, HOUSE if event.why == "deleted" else event.user, self.form.fee, "refund")

    def _bid(self, event: ponds.BidMade, now: int) -> None:
        if event.round != self.round or (now >= self.ends_at and not event.auto):
            self.wrong.append(f"{event.user} has bid in round {event.round} after its end")
        if event.seal != seal_of(self.id, event.round, event.user, event.amount, event.salt):
            self.wrong.append(f"the seal of {event.user} in round {event.round} is not that of their bid")
        self.bids[event.user] = event.amount

    def _round_ended(self, event: ponds.RoundEnded, now: int) -> None:
        if event.round != self.round or now < self.ends_at:
            self.wrong.append(f"round {event.round} has ended twice, or before its time")
        there = [user for user in self.points if user not in self.gone]
        runners = [Runner(str(user), self.points[user], self.bids.get(user), self.last[user]) for user in there]
        found = run_round(self.form.variant, self.round, runners, rain_final=self.form.rain_final)
        fallen = {int(id) for id in found.fallen} | (self.points.keys() - set(there))
        if fallen != set(event.fallen):
            self.wrong.append(f"in round {event.round} other people have fallen than their bids say")
        self.points = {int(id): points for id, points in found.points.items()}
        self.last = {user: found.used[str(user)] for user in self.points}
        self.bids, self.round, self.ends_at = {}, self.round + 1, event.ends_at or 0

    def _finished(self, event: ponds.Finished) -> None:
        self.ended += 1
        if self.round < 2 or len(self.points) > 1:
            self.wrong.append("it has ended while more than one runs")
        if event.winner != next(iter(self.points), None):
            self.wrong.append(f"{event.winner} has won, and by the bids {next(iter(self.points), None)}")
        pool = self.form.fee * len(self.entered)
        promises = shares(whole(pool, self.form.percents), [one.rank for one in event.placed])
        for one, promised in zip(event.placed, promises, strict=True):
            kept = self.gone.get(one.user) in ("banned", "deleted")
            if one.coins != (0 if kept else promised):
                self.wrong.append(f"{one.user} was promised {promised} coins and got {one.coins}")
            self._due(ESCROW, one.user, one.coins, "prize")
        self._due(ESCROW, HOUSE, event.house, "prize")
        if sum(one.coins for one in event.placed) + event.house != pool:
            self.wrong.append("prizes and house are not what was paid in")


def _pond(stream: str, happened: Sequence[Happened], state: Any, results: Results) -> Found:
    swim = _Swim()
    for one in happened:
        swim.take(one.what, one.now)
    if swim.ended > 1:
        swim.wrong.append("it has ended twice")
    if state.state == "running" and {user: runner.points for user, runner in state.runners.items()} != swim.points:
        swim.wrong.append("who runs has other points than their bids have left them")
    return swim.dues, swim.wrong


RECOUNTS: Final[Mapping[str, Recount]] = {
    "tournament": of_tournament,
    "teams": of_teams,
    "stairs": _stairs,
    "pond": _pond,
    "duplicate": of_day,
}
