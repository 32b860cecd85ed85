"""The month that is simulated: who plays with whom, and the scores of each flag, of the honest and of cheats."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations, permutations
from multiprocessing import get_context
from typing import Final, NamedTuple

from msgspec.structs import replace

from qipai.bench.honesty.people import Delay, Lot, Person, drawn, even, random_pause, thinking
from qipai.bench.honesty.tables import Feeder, Honest, Player, Signaller, Sparer, Table
from qipai.config import Flags
from qipai.hall.order.decisions import Decisions, delays
from qipai.hall.order.fair_play import (
    HABIT,
    Met,
    Rated,
    expected,
    generosity,
    lopsided,
    regularity,
    softness,
    surprise,
    telltale,
)
from qipai.hall.order.measures import brief, flow, flows, unmoved, usual

__all__ = ["Month", "Scores"]

# flag, game -> the scores of the honest, and of cheats
Scores = dict[tuple[str, str], tuple[list[float], list[float]]]

SEATS: Final = {"doudizhu": 3, "mahjong": 4, "shengji": 4}
DEALS: Final = {"doudizhu": 30, "mahjong": 30, "shengji": 30}  # of each person in the month
# how many play together, evening after evening
ROUND: Final = {"doudizhu": 4, "mahjong": 5, "shengji": 5, "xiangqi": 6}
PART: Final = 10  # rounds, or pairs of cheats, that one process plays at a time
BOARD_GAMES: Final = 30
MANY: Final = 5000  # people in the hall, when it is asked how often two would meet by chance
FAMILY: Final = 0.1  # of the rounds: always the same people, at whatever odds
MOVES: Final = 45  # of one side in a game of xiangqi
RING: Final = 5  # accounts that feed one
EAGER: Final = {"doudizhu": 3, "mahjong": 2, "shengji": 2}  # times as many deals are played by two who signal or dump
LOSSES: Final = 4  # by each of them
ENGINE: Final = 300.0  # rating points that an engine adds
Tell = Callable[[str], None]


class Part(NamedTuple):
    """A part of a month: rounds of a game, or pairs of cheats, by their numbers."""

    game: str
    cheat: bool
    first: int
    end: int


class Month:
    """A month of so many honest people, and of so many cheats of each kind. The same seed gives the same month."""

    def __init__(self, people: int, cheats: int, seed: str, tell: Tell = lambda text: None) -> None:
        self._people, self._cheats, self._tell = people, cheats, tell
        self._seed, self._lot = seed, Lot(f"honesty|{seed}")
        self._numbers = Flags()
        self.deals, self.seconds = 0, 0.0  # that were played, of processors
        self.scores: Scores = defaultdict(lambda: ([], []))

    def lived(self, jobs: int = 1) -> Scores:
        """Play the month by so many processes; return all scores, the same whatever their number."""
        parts = [*self._parts()]
        work = partial(_played, self._people, self._cheats, self._seed)
        pool = ProcessPoolExecutor(jobs, get_context("spawn")) if jobs > 1 else None
        try:
            for number, found in enumerate((map if pool is None else pool.map)(work, parts), 1):
                for key, both in found[0].items():
                    for mine, new in zip(self.scores[key], both, strict=True):
                        mine.extend(new)
                self.deals += found[1]
                self.seconds += found[2]
                self._tell(f"{parts[number - 1].game}: {number} of {len(parts)} parts")
        finally:
            if pool is not None:
                pool.shutdown(cancel_futures=True)
        return dict(self.scores)

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the month, each of which needs nothing of the others."""
        for game, size in ROUND.items():
            for cheat, count in ((False, -(-self._people // size)), (True, self._cheats)):
                yield from (Part(game, cheat, at, min(at + PART, count)) for at in range(0, count, PART))

    def play(self, part: Part) -> None:
        """Play a part."""
        for number in range(part.first, part.end):
            self._lot = Lot(f"honesty|{self._seed}|{part.game}|{part.cheat}|{number}")
            match part.game in SEATS, part.cheat:
                case True, False:
                    self._round(part.game)
                case True, True:
                    self._cheated(part.game)
                case False, False:
                    self._honest_board()
                case _:
                    self._cheated_board(part.game, number)

    def _told(self, flag: str, game: str, score: float, *, cheat: bool) -> None:
        self.scores[flag, game][cheat].append(score)

    # Card games -----------------------------------------------------------------------------------------------------

    def _round(self, game: str) -> None:
        """Let some honest people play together, evening after evening."""
        family = self._lot.happens(FAMILY)
        people = [drawn(self._lot, 1 + n) for n in range(SEATS[game] if family else ROUND[game])]
        played, points = self._evenings(game, people, {}, DEALS[game])
        self._score(game, people, played, points)

    def _evenings(
        self, game: str, people: Sequence[Person], cheats: Mapping[int, Player], deals: int, delay: Delay = thinking
    ) -> tuple[list[Decisions], list[dict[int, int]]]:
        """Play deals of people who meet again and again; return what was decided, and what they had of it."""
        played, points = [], []
        count = deals * len(people) // SEATS[game]
        for deal in range(count):
            family = len(people) == SEATS[game]  # who always sit alike
            at = people if family else self._lot.stream.shuffled(people)[: SEATS[game]]
            table = Table(game, self._lot, at, cheats, Honest(delay))
            found, paid = table.played(f"{deal}")
            played.append(found)
            points.append(paid)
        self.deals += count
        return played, points

    def _score(
        self, game: str, people: Sequence[Person], played: Sequence[Decisions], points: Sequence[Mapping[int, int]]
    ) -> None:
        """Note what the flags make of honest people."""
        for one, other in combinations([person.number for person in people], 2):
            self._told("soft", game, softness(_of(played, one, other), one, other), cheat=False)
            self._told("flow", game, _flow(points, one, other), cheat=False)
            self._told("given", game, _given(played, one, other), cheat=False)
            if game == "doudizhu":
                self._told("told", game, _telltale(played, one, other), cheat=False)
        if game == "doudizhu":
            for person in people:
                mine = [each for each in played if person.number in each.users]
                self._told("unmoved", game, unmoved(delays(mine, person.number)), cheat=False)

    def _cheated(self, game: str) -> None:
        """Note what the flags make of a pair of each kind, who play with two honest people."""
        one, other = 1, 2
        people = [drawn(self._lot, 1 + n) for n in range(ROUND[game])]

        def evenings(cheats: Mapping[int, Player], more: int = 1) -> tuple[list[Decisions], list[dict[int, int]]]:
            return self._evenings(game, people, cheats, more * DEALS[game])

        played, points = evenings({one: Sparer(other), other: Sparer(one)})
        self._told("soft", game, softness(_of(played, one, other), one, other), cheat=True)
        played, points = evenings({other: Feeder(one)}, EAGER[game])
        self._told("flow", game, _flow(points, one, other), cheat=True)
        self._told("given", game, _given(played, one, other), cheat=True)
        if game != "doudizhu":
            return
        said: dict[int, bool] = {}
        played, _ = evenings({one: Signaller(other, said), other: Signaller(one, said)}, EAGER[game])
        self._told("told", game, _telltale(played, one, other), cheat=True)
        played, _ = evenings({one: Honest(random_pause)})
        mine = [each for each in played if one in each.users]
        self._told("unmoved", game, unmoved(delays(mine, one)), cheat=True)

    # Games of two ---------------------------------------------------------------------------------------------------

    # Of xiangqi results by strength, lengths and times are drawn; no move is played.

    def _honest_board(self) -> None:
        """Let some honest people play with each other."""
        lot = self._lot
        people = [drawn(lot, 1 + n) for n in range(ROUND["xiangqi"])]
        close = lot.happens(FAMILY)
        if close:  # two who always meet, and of whom one may be far stronger
            people[1] = people[1]._replace(strength=people[0].strength - 800 * lot.share())
        self._circle(people, cheat=None, close=close)

    def _cheated_board(self, game: str, number: int) -> None:
        """Let a cheat of each kind play with honest people."""
        for kind in ("pair", "rating", "fed", "timing"):
            lot = self._lot = Lot(f"honesty|{self._seed}|{game}|{kind}|{number}")
            self._circle([drawn(lot, 1 + n) for n in range(RING + 2)], cheat=kind)

    def _circle(self, people: Sequence[Person], cheat: str | None, close: bool = False) -> None:
        """Let people play their games, and note what the flags make of them, or of the cheat among them.

        close: the first two mostly play with each other.
        """
        lot, games = self._lot, list[tuple[int, int, bool]]()  # who won, who lost, at once?
        rated = defaultdict[int, list[Rated]](list)
        between = defaultdict[tuple[int, int], list[Rated]](list)
        feeding = cheat in ("pair", "fed")

        def play(one: Person, other: Person, won: bool | None = None, brief_: bool = False) -> None:
            if won is None:
                helped = [ENGINE if cheat == "rating" and each is people[0] else 0.0 for each in (one, other)]
                won = lot.happens(expected(other.strength + helped[1] - one.strength - helped[0]))
                brief_ = lot.happens((other if won else one).hasty)
            winner, loser = (one, other) if won else (other, one)
            games.append((winner.number, loser.number, brief_))
            shown = [each.strength + 40 * lot.normal() for each in (one, other)]
            promised = expected(shown[1] - shown[0])
            for mine, his, got, hoped in ((one, other, won, promised), (other, one, not won, 1 - promised)):
                rated[mine.number].append(Rated(float(got), hoped))
                between[mine.number, his.number].append(Rated(float(got), hoped))

        if close or cheat == "pair":
            for _ in range(20):
                if cheat and lot.happens(0.9):
                    play(people[0], people[1], True, lot.happens(0.3))
                else:
                    play(people[0], people[1])
        if cheat == "fed":
            for feeder in people[1 : RING + 1]:
                for _ in range(LOSSES):
                    play(people[0], feeder, True, lot.happens(0.7))
        for _ in range(BOARD_GAMES * len(people) // 2):
            one, other = lot.stream.shuffled(people)[:2]
            if {one.number, other.number} == {1, 2} and (close or cheat == "pair"):
                continue
            if feeding and lot.happens(0.5):
                continue
            play(one, other)
        self._judge(people, games, rated, between, cheat)

    def _judge(
        self,
        people: Sequence[Person],
        games: Sequence[tuple[int, int, bool]],
        rated: Mapping[int, Sequence[Rated]],
        between: Mapping[tuple[int, int], Sequence[Rated]],
        cheat: str | None,
    ) -> None:
        if cheat in (None, "pair"):
            pairs = list(combinations([person.number for person in people], 2)) if cheat is None else [(1, 2)]
            for one, other in pairs:
                met = _met(games, one, other, MANY * BOARD_GAMES)
                best = (one, other) if met.won >= met.lost else (other, one)
                met = replace(met, surprise=surprise(between.get(best, ())))
                self._told("pair", "xiangqi", lopsided(met, self._numbers), cheat=cheat is not None)
        for person in people if cheat is None else people[:1]:
            if cheat in (None, "rating"):
                self._told("rating", "xiangqi", surprise(rated[person.number]), cheat=cheat is not None)
            if cheat in (None, "fed"):
                won = [quick for winner, _, quick in games if winner == person.number]
                givers = {loser for winner, loser, quick in games if winner == person.number and quick}
                score = brief(len(won), sum(won), HABIT) if len(givers) > 2 else 0.0
                self._told("fed", "xiangqi", score, cheat=cheat is not None)
            if cheat in (None, "timing"):
                delay = even if cheat else thinking
                spreads = [regularity([*self._times(person, delay)])[0] for _ in range(BOARD_GAMES)]
                self._told("timing", "xiangqi", -min(spreads), cheat=cheat is not None)

    def _times(self, person: Person, delay: Delay) -> Iterator[int]:
        """Draw the times of a game; between 1 and 64 moves can be made."""
        for _ in range(MOVES):
            yield delay(self._lot, person, 1 + self._lot.stream.below(64))


def _played(people: int, cheats: int, seed: str, part: Part) -> tuple[Scores, int, float]:
    """Play a part of a month; return the scores, how many deals were played and how many seconds that took."""
    month, began = Month(people, cheats, seed), time.process_time()
    month.play(part)
    return dict(month.scores), month.deals, time.process_time() - began


def _of(played: Sequence[Decisions], one: int, other: int) -> list[Decisions]:
    """Return the games in which one of two sat."""
    return [each for each in played if one in each.users or other in each.users]


def _telltale(played: Sequence[Decisions], one: int, other: int) -> float:
    return max(
        telltale([game for game in played if mine in game.users], mine, his).errors
        for mine, his in permutations((one, other))
    )


def _given(played: Sequence[Decisions], one: int, other: int) -> float:
    """Return how much one of two plays to lose to the other, whoever does so more."""
    two = permutations((one, other))
    return max(generosity([game for game in played if giver in game.users], giver, taker) for giver, taker in two)


def _flow(points: Sequence[Mapping[int, int]], one: int, other: int) -> float:
    """Return the score of what flows between two, to whoever has more of it."""
    found = []
    for two in ((one, other), (other, one)):
        between = [flows(game, two) for game in points if one in game and other in game]
        found.append(flow(between, [*usual(points, *two)]))
    return max(found)


def _met(games: Sequence[tuple[int, int, bool]], one: int, other: int, all: int) -> Met:
    won = [quick for winner, loser, quick in games if (winner, loser) == (one, other)]
    lost = [quick for winner, loser, quick in games if (winner, loser) == (other, one)]
    mine, his = (sum(user in game[:2] for game in games) for user in (one, other))
    loser, best = (other, one) if len(won) >= len(lost) else (one, other)
    others = [game for game in games if loser in game[:2] and best not in game[:2]]
    elsewhere = [winner == loser for winner, _, _ in others]
    return Met(
        len(won) + len(lost),
        len(won),
        len(lost),
        mine,
        his,
        all,
        2,
        sum(elsewhere),
        len(elsewhere) - sum(elsewhere),
        sum(won if len(won) >= len(lost) else lost),
    )
