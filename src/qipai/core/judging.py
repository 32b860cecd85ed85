"""Judging the choices of a finished deal with hidden cards: what each brought in imagined deals (P-103).

A choice is judged from its seat's view alone: the deals are imagined from what that seat knew then, and every choice is
tried in the same deals, so that their luck falls out of the differences. Which choice is best is found in the first
deals, what it is better by is measured in others: else the loss would be flattered by the luck that made it look best.

The sheet of luck and skill is, for each seat, `result = luck + skill + others`. `skill` is the sum of what its own
choices were better than those of `steady`, `others` what the others' choices brought it; `luck` is the rest.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from statistics import fmean, stdev
from typing import Any, Final, Protocol, TypeVar

from msgspec import Struct, to_builtins

from qipai.core.analysis import Analysis, Course, Progress, SeatAccount, Unweighed, Verdict, Weighed
from qipai.core.contract import NATURE, Outcome, Rules, Seat
from qipai.core.entry import AnyEntry, Graded, Record
from qipai.core.record import UNFINISHED, begun_under, options_of, replay, rules_under
from qipai.core.rng import Stream

__all__ = [
    "DOUBT",
    "Budget",
    "Dealt",
    "Judge",
    "Question",
    "Trials",
    "Worth",
    "account",
    "dealt",
    "judged",
    "judgement",
    "seed_of",
    "weighed",
]

DOUBT: Final = 2.0  # standard errors by which a choice must be worse than the best to be called a mistake
SHOWN: Final = 4  # choices that a verdict lists
SLIP: Final = 12  # in play-outs of a deal one choice in so many is that of `easy`: `steady` alone plays but one way
MOST: Final = 20_000  # actions of a play-out; every game ends long before


class Budget(Struct, frozen=True):
    """How much is tried; fixed numbers, so that an analysis says the same every time."""

    find: int  # imagined deals in which the best choice is found
    measure: int  # further ones, in which the loss is measured
    deals: int  # play-outs of the whole deal
    spread: float  # a difference in one deal that is nothing unusual; counts like two deals seen, one each way


class Trials(Protocol):
    """One question of a seat: the choices worth trying, and what each brings in imagined deals."""

    @property
    def said(self) -> Sequence[str]:
        """Return the choices in the game's notation."""
        ...

    @property
    def actions(self) -> Sequence[Any]:
        """Return the choices as actions, in the same order."""
        ...

    @property
    def played(self) -> int:
        """Return which of them was played."""
        ...

    @property
    def usual(self) -> int:
        """Return which of them `steady` would have played."""
        ...

    def deal(self, which: Sequence[int]) -> Sequence[float]:
        """Imagine one deal; return what each of these choices brings the seat in it."""
        ...


C = TypeVar("C")  # a choice as a game's trials take it


class Question:
    """What the questions of all games share: the choices, which was played, and which `steady` would have played.

    A game's own question adds `deal`, and is a `Trials` by that.
    """

    def __init__(
        self, choices: Sequence[C], played: C, usual: C, act: Callable[[C], Any], say: Callable[[Any], str]
    ) -> None:
        """act: the action that a choice is; say: it in the game's notation."""
        self.played, self.usual = choices.index(played), choices.index(usual)
        self.actions: list[Any] = [act(one) for one in choices]
        self.said: list[str] = [say(one) for one in self.actions]


Worth = Callable[[Any, Outcome], Sequence[float]]  # (last state, outcome) -> what a deal brought each seat
# (view, the action played, seed) -> the question, None where there is nothing to choose
Judge = Callable[[Any, Any, int], Trials | None]


def seed_of(record: Record, n: int) -> int:
    """Return the seed of the deals imagined for a row: it follows from the game's id and the row's number."""
    return int.from_bytes(hashlib.sha256(f"analysis|{record.game_id}|{record.deal}|{n}".encode()).digest()[:4], "big")


def mean_error(found: Sequence[float], spread: float) -> tuple[float, float]:
    """Return the mean of differences and its standard error."""
    n = len(found)
    mean = sum(found) / n
    variance = (sum((each - mean) ** 2 for each in found) + 2 * spread**2) / (n + 1)
    return mean, float((variance / n) ** 0.5)


def judgement(
    trials: Trials, n: int, seat: Seat, budget: Budget, marks: Sequence[tuple[float, str]], kind: str = "play"
) -> Verdict:
    """Return the verdict on a choice. marks: from which loss on a mistake has which name, the worst first."""
    every = range(len(trials.actions))
    sums = [0.0] * len(every)
    squares = [0.0] * len(every)
    tops = [0] * len(every)
    for _ in range(budget.find):
        found = trials.deal(every)
        middle, most = sum(found) / len(found), max(found)
        for i, worth in enumerate(found):
            sums[i] += worth
            tops[i] += worth == most
            squares[i] += (worth - middle) ** 2
    best = max(every, key=lambda i: (sums[i], i == trials.played, i == trials.usual, -i))
    errors = [((squares[i] + 2 * budget.spread**2) / (budget.find + 1) / budget.find) ** 0.5 for i in every]
    loss, error, gain, gain_error = 0.0, 0.0, 0.0, 0.0
    compared = sorted({best, trials.played, trials.usual})
    if len(compared) > 1:
        lost, gained = [], []
        for _ in range(budget.measure):
            brought = dict(zip(compared, trials.deal(compared), strict=True))
            lost.append(brought[best] - brought[trials.played])
            gained.append(brought[trials.played] - brought[trials.usual])
        if best != trials.played:
            loss, error = mean_error(lost, budget.spread)
        if trials.usual != trials.played:
            gain, gain_error = mean_error(gained, budget.spread)
    mark = next((name for least, name in marks if loss >= least), "") if loss > DOUBT * error else ""
    ranked = sorted(every, key=lambda i: (-sums[i], i != best))
    shown = ranked[:SHOWN] + [i for i in (trials.played,) if i not in ranked[:SHOWN]]
    action = to_builtins(trials.actions[best])
    return Verdict(
        n=n,
        seat=seat,
        said=trials.said[trials.played],
        best=trials.said[best],
        loss=round(loss, 4),
        worth=round(sums[best] / budget.find, 4),
        error=round(error, 4),
        mark=mark,
        kind=kind,
        gain=round(gain, 4),
        gain_error=round(gain_error, 4),
        line=((seat, action),) if best != trials.played else (),
        said_line=(trials.said[best],) if best != trials.played else (),
        tried=tuple(
            Weighed(trials.said[i], round(sums[i] / budget.find, 4), round(errors[i], 4), tops[i]) for i in shown
        ),
        weighed=len(every),
    )


def judged(
    entry: AnyEntry,
    record: Record,
    judge: Judge,
    *,
    unit: str,
    worth: Worth,
    budget: Budget,
    marks: Sequence[tuple[float, str]],
    sides: Callable[[Any], Sequence[int]],
    edition: int,
    tell: Progress,
    shared: bool = False,
    ruled: Collection[str] = (),
) -> Analysis:
    """Return the analysis of a deal with hidden cards.

    worth: (last state, outcome) -> what a deal brought each seat, in `unit`. sides: (last state) -> the side of each.
    shared: as `sheet` has it. ruled: the questions that no trials are made of.
    """
    rules = rules_under(entry, record)
    asked: list[tuple[int, Seat, Any, Any, str]] = []
    before = last = None
    for n, step in enumerate(replay(entry, record)):
        if n and record.rows[n - 1][0] >= 0 and before is not None:
            seat, raw, _ms = record.rows[n - 1]
            if seat < rules.seats:
                asked.append((n, seat, before, entry.act(raw), rules.turn(before).ask))
        before = last = step.state
    rows, unweighed = [], []
    of = len(asked) + budget.deals
    for i, (n, seat, state, action, ask) in enumerate(asked):
        tell(i, of)
        trials = judge(rules.observe(state, seat), action, seed_of(record, n))
        if trials is not None and len(trials.actions) > 1:
            rows.append(judgement(trials, n, seat, budget, marks, ask))
        else:
            unweighed.append(Unweighed(n, why_not(rules, state, seat, ask in ruled)))
    value = dealt(entry, record, rules, worth, budget.deals, lambda done: tell(len(asked) + done, of))
    tell(of, of)
    outcome = rules.outcome(last)
    result = None if outcome is None or outcome.why in UNFINISHED else worth(last, outcome)
    accounts = sheet(rows, rules.seats, result, value, sides(last), shared=shared)
    courses = tuple(curves(rows, rules.seats))
    return Analysis("qipai", unit, tuple(rows), edition, accounts, courses, budget.find, tuple(unweighed))


def why_not(rules: Rules[Any, Any, Any], state: Any, seat: Seat, ruled: bool) -> str:
    """Return why a seat's choice was not weighed. ruled: bots answer such a question by rule."""
    # Who only may act, as who may declare while cards fall, could as well have waited.
    if seat in rules.turn(state).seats and len(list(islice(rules.legal(state, seat), 2))) < 2:
        return "only"
    return "rule" if ruled else "clear"


def account(seat: Seat, rows: Sequence[Verdict]) -> SeatAccount:
    """Return what the verdicts on a seat's choices come to."""
    own = [row for row in rows if row.seat == seat]
    return SeatAccount(
        seat=seat,
        decisions=len(own),
        loss=round(fmean(row.loss for row in own), 4) if own else 0.0,
        marks=dict(Counter(row.mark for row in own if row.mark)),
    )


def sheet(
    rows: Sequence[Verdict],
    seats: int,
    result: Sequence[float] | None,
    value: Dealt | None,
    sides: Sequence[int],
    *,
    shared: bool = False,
) -> tuple[SeatAccount, ...]:
    """Return the accounts of all seats. What a choice brings its seat it brings its side, and takes from the others.

    A gain of a seat is that of its whole side, since they win and lose together, and every seat of the other side loses
    as much. Where each plays for itself the others lose it together; where two sides of unequal number pay each other
    (shared) what one side gains is shared among the other.
    """
    split = shared or len(set(sides)) == seats
    sizes = Counter(sides)
    found = []
    for seat in range(seats):
        one = account(seat, rows)
        own = [row for row in rows if row.seat == seat and row.gain is not None]
        skill = sum(row.gain or 0.0 for row in own)
        error = sum((row.gain_error or 0.0) ** 2 for row in own) ** 0.5
        others = 0.0
        for row in rows:
            if row.seat == seat or row.gain is None:
                continue
            if sides[seat] == sides[row.seat]:
                others += row.gain
            else:
                size = sizes[sides[row.seat]]
                others -= row.gain * (size / (seats - size) if split else 1)
        luck = None if result is None else result[seat] - skill - others
        found.append(
            SeatAccount(
                seat=seat,
                decisions=one.decisions,
                loss=one.loss,
                marks=one.marks,
                result=None if result is None else round(result[seat], 4),
                skill=round(skill, 4),
                error=round(error, 4),
                others=round(others, 4),
                luck=None if luck is None else round(luck, 4),
                dealt=None if value is None else round(value.means[seat], 4),
                dealt_error=None if value is None else round(value.errors[seat], 4),
            )
        )
    return tuple(found)


def curves(rows: Sequence[Verdict], seats: int) -> Iterator[Course]:
    """Yield for each seat what its choices have gained so far, against those of `steady`."""
    for seat in range(seats):
        total, points = 0.0, []
        for row in rows:
            if row.seat == seat:
                total += row.gain or 0.0
                points.append((row.n, round(total, 4)))
        yield Course(seat, tuple(points))


class Dealt(Struct, frozen=True):
    """What a deal was worth before the first choice, by seat."""

    means: tuple[float, ...]
    errors: tuple[float, ...]


def dealt(
    entry: AnyEntry, record: Record, rules: Rules[Any, Any, Any], worth: Worth, many: int, tell: Callable[[int], None]
) -> Dealt | None:
    """Return what a deal is worth when `steady` sits in all seats; its luck is the record's as far as that goes."""
    if not many:
        return None
    results = []
    for number in range(many):
        tell(number)
        results.append(worth(*played_out(entry, record, rules, number)))
    columns = list(zip(*results, strict=True))
    return Dealt(
        tuple(fmean(column) for column in columns),
        tuple(stdev(column) / many**0.5 if many > 1 else 0.0 for column in columns),
    )


def played_out(entry: AnyEntry, record: Record, rules: Rules[Any, Any, Any], number: int) -> tuple[Any, Outcome]:
    """Return how one play-out ended."""
    options = options_of(entry, record)
    luck = Stream.of_seed(f"analysis|{record.game_id}|{record.deal}|{number}")
    seed = luck.below(2**31)
    steady, easy = (entry.bots[entry.level(level)](options, seed=seed) for level in ("steady", "easy"))
    drawn = [entry.act(raw) for seat, raw, _ms in record.rows if seat == NATURE]
    state = begun_under(entry, record, rules)
    for _ in range(MOST):
        if (outcome := rules.outcome(state)) is not None:
            return state, outcome
        turn = rules.turn(state)
        for seat in sorted(turn.may):
            action = steady.choose(rules.observe(state, seat), 0)
            if action is not None and rules.refuse(state, seat, action) is None:
                break
        else:
            seat = min(turn.seats)
            if seat == NATURE:
                action = rules.chance(state, luck)
                at = next((i for i, one in enumerate(drawn) if type(one) is type(action)), None)
                if at is not None:  # the cards of the record, one after the other
                    if rules.refuse(state, seat, drawn[at]) is None:
                        action = drawn[at]
                    del drawn[: at + 1]
            else:
                bot = easy if number and luck.below(SLIP) == 0 else steady
                action = bot.choose(rules.observe(state, seat), 0)
                if action is None or rules.refuse(state, seat, action) is not None:
                    action = rules.idle(state, seat)
        state = rules.apply(state, seat, action).state
    raise RuntimeError(f"{entry.name}: a play-out does not end")


def weighed(trials: Trials, deals: int) -> list[Graded]:
    """Return all choices of a question, the best first, each with what it lies behind the best in the same deals."""
    every = range(len(trials.actions))
    brought = [list(trials.deal(every)) for _ in range(deals)]
    sums = [sum(one[i] for one in brought) for i in every]
    best = max(every, key=lambda i: (sums[i], -i))
    found = []
    for i in every:
        lost = [one[best] - one[i] for one in brought]
        error = 0.0 if i == best or not any(lost) else (stdev(lost) / deals**0.5 if deals > 1 else 0.0)
        found.append(
            Graded(
                a=to_builtins(trials.actions[i]),
                said=trials.said[i],
                worth=round(sums[i] / deals, 3),
                behind=round(sum(lost) / deals, 3),
                error=round(error, 4),
            )
        )
    return sorted(found, key=lambda one: (one.behind, one.error))
