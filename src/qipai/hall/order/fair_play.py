"""Statistics that show whether results look unfair (platform P-95). Pure.

Nothing here is a proof: a flag only goes into the moderators' queue, with the facts that led to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from qipai.config import Flags
from qipai.hall.order.decisions import Decisions, delays, giving, sparing, telling, yielding
from qipai.hall.order.measures import Disclosure, brief, flow, rank_correlation, spared, told, unmoved
from qipai.ledger.passes import Climb, collusion

__all__ = [
    "Met",
    "Rated",
    "above_rating",
    "expected",
    "fed",
    "flowing",
    "generosity",
    "giveaway",
    "like_a_program",
    "lopsided",
    "mindless",
    "one_sided",
    "rarity",
    "regularity",
    "signals",
    "soft",
    "softness",
    "surprise",
    "telltale",
]

EDGE = 0.02  # no expected result is closer to 0 or 1 than this
HABIT = 0.05  # the least share of won games that are over at once, for honest people, too
EXCUSED = 2.0  # -log10 of the chance at which somebody has lost otherwise than they lose to others
KNOWN = 5  # games with others that say how somebody plays, at least
FEEDERS = 3  # so many have given games away to one, at least


class Met(Struct, frozen=True):
    """How often two people were opponents in a game within a period. mine, his: how many games each has played.

    all: seats that were played there by anybody; seats: at a table; won, lost: what the first had of the second.
    elsewhere_won, elsewhere_lost: what the one who lost more has had of others. given: lost to the other at once.
    """

    times: int
    won: int
    lost: int
    mine: int
    his: int
    all: int
    seats: int
    elsewhere_won: int = 0
    elsewhere_lost: int = 0
    given: int = 0
    surprise: float = math.inf  # of the winner's results by both ratings (`surprise`); inf: they have none

    @property
    def excused(self) -> bool:
        """Tell whether the loser just loses: as often as to others or as the ratings say, and few games at once.

        A child who plays with a father loses to everybody. Who feeds an account loses to that one alone, or at once.
        """
        elsewhere = self.elsewhere_won + self.elsewhere_lost
        lost, won = max(self.won, self.lost), min(self.won, self.lost)
        if elsewhere < KNOWN or brief(lost, self.given, HABIT) >= EXCUSED:
            return False
        if self.surprise < EXCUSED:
            return True
        share = (self.elsewhere_won + 1) / (elsewhere + 2)  # by Laplace's rule
        # the chance to win so few here, of one who wins so often elsewhere
        return brief(won + lost, lost, 1 - share) < EXCUSED

    @property
    def expected(self) -> float:
        """Return how often they would meet if opponents were chosen evenly."""
        others = self.all - self.mine
        return self.mine * (self.seats - 1) * self.his / others if others > 0 else float(self.times)


class Rated(Struct, frozen=True):
    """A rated game of one person: the result, 0 to 1, and the result expected from the ratings."""

    got: float
    expected: float


def rarity(times: int, expected: float) -> float:
    """Return the logarithm of an upper bound of the chance to meet so often (Chernoff bound of a Poisson variable)."""
    if times <= expected:
        return 0.0
    if expected <= 0:
        return -math.inf
    return times - expected - times * math.log(times / expected)


def one_sided(met: Met, numbers: Flags, climb: Climb) -> dict[str, Any] | None:
    """Return the facts about two people who meet far more often than by chance and one of whom wins, else None.

    `needed`: how many games it takes to lose somebody up to the second pass, by the calculator of P-47.
    """
    if lopsided(met, numbers) < numbers.one_sided:
        return None
    needed = collusion(climb.enough, met.seats, 2).games
    return {
        "met": met.times,
        "expected": round(met.expected, 1),
        "won": met.won,
        "lost": met.lost,
        "given": met.given,
        "days": numbers.days,
        "needed": needed,
    }


def lopsided(met: Met, numbers: Flags) -> float:
    """Return what percent of the decided games of two one of them has won; 0 where nothing is odd about their meeting.

    Nothing is where they meet seldom, or by chance, or where the loser loses alike to others (`Met.excused`).
    """
    decided, best = met.won + met.lost, max(met.won, met.lost)
    if met.times < numbers.meetings or not decided or met.excused:
        return 0.0
    return 100 * best / decided if rarity(met.times, met.expected) <= -math.log(numbers.odds) else 0.0


def like_a_program(times: Sequence[int], numbers: Flags) -> dict[str, Any] | None:
    """Return the facts if answers come as regularly as a program's, else None. times: ms, of one person in one game.

    People think long about some moves and hardly at all about others; a program takes about the same time for all, or
    almost none.
    """
    if len(times) < numbers.moves:
        return None
    spread, nine = regularity(times)
    if spread > numbers.steady and nine > numbers.quick_ms:
        return None
    return {"moves": len(times), "median": sorted(times)[len(times) // 2], "nine": nine, "spread": round(spread)}


def regularity(times: Sequence[int]) -> tuple[float, int]:
    """Return by how many percent some times differ from their mean, and within how many ms nine of ten are."""
    mean = sum(times) / len(times)
    spread = math.sqrt(sum((each - mean) ** 2 for each in times) / len(times)) / mean if mean else 0.0
    return 100 * spread, sorted(times)[math.ceil(0.9 * len(times)) - 1]


def above_rating(games: Sequence[Rated], numbers: Flags) -> dict[str, Any] | None:
    """Return the facts if results are far above those expected from the ratings, else None."""
    if len(games) < numbers.games:
        return None
    if surprise(games) < numbers.above:
        return None
    promised = [min(1 - EDGE, max(EDGE, each.expected)) for each in games]
    got = sum(each.got for each in games)
    return {"games": len(games), "got": round(got, 1), "expected": round(sum(promised), 1), "days": numbers.days}


def expected(behind: float) -> float:
    """Return the result that ratings promise to who is so many points behind (Elo's curve)."""
    return float(1 / (1 + 10 ** (behind / 400)))


def surprise(games: Sequence[Rated]) -> float:
    """Return -log10 of the chance of such results or better, by the ratings (normal approximation); inf: none."""
    if not games:
        return math.inf
    promised = [min(1 - EDGE, max(EDGE, each.expected)) for each in games]
    above = sum(each.got for each in games) - sum(promised)
    deviation = math.sqrt(sum(each * (1 - each) for each in promised))
    return -math.log10(max(1e-300, math.erfc(above / deviation / math.sqrt(2)) / 2))


def fed(won: int, given: int, givers: int, rate: float, numbers: Flags) -> dict[str, Any] | None:
    """Return the facts if several people have given games away to one, else None.

    won: games of two players that this one has won in the period; given: of these, over at once (`Flags.early`), and
    by how many people; rate: what share of all won games in this hall was over at once.
    """
    if givers < FEEDERS or brief(won, given, max(HABIT, rate)) < numbers.fed:
        return None
    return {"won": won, "given": given, "givers": givers, "usual": round(100 * rate), "days": numbers.days}


def flowing(between: Sequence[float], usual: Sequence[float], numbers: Flags, game: str) -> dict[str, Any] | None:
    """Return the facts if far more points flow from one to another than usual (`measures.flow`), else None."""
    if len(between) < numbers.meetings or (errors := flow(between, usual)) < numbers.least("flow", game):
        return None
    return {"met": len(between), "points": round(sum(between)), "errors": round(errors, 1), "days": numbers.days}


def soft(games: Sequence[Decisions], one: int, other: int, numbers: Flags, game: str) -> dict[str, Any] | None:
    """Return the facts if two spare each other while they sit on different sides, else None."""
    if (errors := softness(games, one, other)) < numbers.least("soft", game):
        return None
    cells = [*sparing(games, one, other), *sparing(games, other, one)]
    could, let, could_others, let_others = (sum(each[at] for each in cells) for at in range(4))
    facts = {"could": could, "let": let, "could_others": could_others, "let_others": let_others}
    return {**facts, "errors": round(errors, 1), "days": numbers.days}


def softness(games: Sequence[Decisions], one: int, other: int) -> float:
    """Return by how many standard errors two spare each other more than others."""
    return spared([*sparing(games, one, other), *sparing(games, other, one)])


def giveaway(games: Sequence[Decisions], one: int, other: int, numbers: Flags, game: str) -> dict[str, Any] | None:
    """Return the facts if the first plays to lose where the second sits against them, else None."""
    if (errors := generosity(games, one, other)) < numbers.least("given", game):
        return None
    yielded, gave = yielding(games, one, other), giving(games, one, other)
    could, let, could_others, let_others = (sum(each[at] for each in yielded) for at in range(4))
    might, given, might_others, given_others = (sum(each[at] for each in gave) for at in range(4))
    facts = {"could": could, "let": let, "could_others": could_others, "let_others": let_others}
    facts |= {"might": might, "gave": given, "might_others": might_others, "gave_others": given_others}
    return {**facts, "errors": round(errors, 1), "days": numbers.days}


def generosity(games: Sequence[Decisions], one: int, other: int) -> float:
    """Return by how many standard errors the first takes less, and gives more, where the second is against them."""
    return spared([*yielding(games, one, other), *giving(games, one, other)])


def signals(games: Sequence[Decisions], one: int, other: int, numbers: Flags, game: str) -> dict[str, Any] | None:
    """Return the facts if the first's time tells what the second will do, else None."""
    seen = telling(games, one, other)
    if (found := told(seen)).errors < numbers.least("told", game):
        return None
    return {
        "moves": len(seen),
        "bits": round(1000 * found.bits),
        "errors": round(found.errors, 1),
        "days": numbers.days,
    }


def telltale(games: Sequence[Decisions], one: int, other: int) -> Disclosure:
    """Return how much the time of the first tells of what the second does next."""
    return told(telling(games, one, other))


def mindless(games: Sequence[Decisions], user: int, numbers: Flags, game: str) -> dict[str, Any] | None:
    """Return the facts if somebody's times do not follow how hard the questions are, else None."""
    pairs = delays(games, user)
    if len(pairs) < numbers.moves or (errors := unmoved(pairs)) < numbers.least("unmoved", game):
        return None
    felt = round(100 * rank_correlation(pairs))
    return {"moves": len(pairs), "felt": felt, "errors": round(errors, 1), "days": numbers.days}
