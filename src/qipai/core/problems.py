"""Problems 习题: positions with one choice that is clearly best, found by search (P-102, decision 0060).

A position is written as text and read again before it is weighed, so that what is weighed is what the learner gets. Two
looks must agree: on boards the second is deeper, with hidden cards it imagines other deals. A choice is worse when it
lies a margin and three standard errors behind the best; a problem is a position whose every choice is either as good as
the best or worse in this sense.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from importlib.resources import files
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.core.contract import NATURE, UNTIMED, BadNotation, Rules, Seat
from qipai.core.entry import AnyEntry, Graded, Problems, Record, rules_of
from qipai.core.record import options_of, replay
from qipai.core.rng import Stream

__all__ = ["SURE", "Problem", "Unclear", "kept", "made", "posed", "shipped", "sought", "split"]

SURE: Final = 3.0  # standard errors
MOST_GOOD: Final = 2  # choices that may be equally good
SLIP: Final = 6  # in self-play one choice in so many is that of `easy`, so that positions differ
MOST: Final = 3000  # actions of a deal of self-play
TRIES: Final = 24  # moments of a finished deal that are looked at
STARTS: Final = {"easy": 1250, "steady": 1500, "strong": 1750}  # a problem's first rating, by who has found it
ORDER: Final = ("easy", "steady")


class Unclear(ValueError):
    """A position that is no problem. `why`: nothing_to_choose, not_clear, unsteady, too_many_good, over."""

    def __init__(self, why: str, **facts: Any) -> None:
        super().__init__(why)
        self.why, self.facts = why, facts


class Problem(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A problem: a position, whose turn it is, and all their choices, the good ones first."""

    game: str
    options: dict[str, Any] = {}  # as JSON, those that differ from the game's defaults
    seats: int
    start: str  # the position as its game writes it
    seat: Seat
    unit: str
    good: int  # the first so many choices solve it
    choices: tuple[Graded, ...]
    first: int = 1500  # its rating before anybody has tried it

    @property
    def key(self) -> str:
        """Return a name that follows from the position: the same position is the same problem."""
        text = f"{self.game}|{self.start}|{self.seat}|{sorted(self.options.items())}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def at(self, action: Any) -> int | None:
        """Return which choice an action as JSON is; None: none of those that were weighed."""
        wanted = _written(action)  # as text, since a tuple and a list are the same JSON
        return next((i for i, one in enumerate(self.choices) if _written(one.a) == wanted), None)


def _written(action: Any) -> bytes:
    return msgspec.json.encode(action, order="deterministic")


def split(found: Sequence[Graded], margin: float) -> int:
    """Return how many choices are as good as the best; raises Unclear where one is neither that nor clearly worse."""
    good = [one for one in found if one.behind <= 0 and one.error <= 0]
    for one in found:
        if one not in good and one.behind - SURE * one.error < margin:
            raise Unclear("not_clear", said=one.said, behind=round(one.behind, 3), margin=margin)
    if len(good) > MOST_GOOD or len(good) == len(found):
        raise Unclear("too_many_good", n=len(good))
    return len(good)


def posed(
    entry: AnyEntry, options: Any, text: str, seat: Seat | None, seed: int, seats: int | None = None, *, glance: bool
) -> Problem:
    """Return the problem that a position is; raises Unclear, and BadNotation where the text is no position.

    glance: sift with a quick look first. seat: None: whoever is asked.
    """
    made_by = entry.problems
    assert made_by is not None
    assert entry.setup is not None
    rules = rules_of(entry, options, seats)
    state = entry.setup.read(options, text, rules.seats)
    asked = rules.turn(state).seats - {NATURE}
    if rules.outcome(state) is not None or not asked:
        raise Unclear("over")
    seat = min(asked) if seat is None else seat
    if seat not in asked:
        raise Unclear("over")
    found: Sequence[Graded] = ()
    names: set[str] | None = None
    for look in (0, 1, 2) if glance else (1, 2):
        weighed = made_by.weigh(options, state, seat, seed + look, look)
        if weighed is None or len(weighed) < made_by.least:
            raise Unclear("nothing_to_choose")
        found = weighed
        if look == 0:
            if sum(one.behind < made_by.margin for one in found) > MOST_GOOD:
                raise Unclear("not_clear")
            continue
        good = split(found, made_by.margin)
        now = {one.said for one in found[:good]}
        if names is not None and names != now:
            raise Unclear("unsteady")
        names = now
    return Problem(
        game=entry.name,
        options=entry.changed(options),
        seats=rules.seats,
        start=text,
        seat=seat,
        unit=made_by.unit,
        good=len(names or ()),
        choices=tuple(found),
        first=_rated(entry, options, rules, state, seat, {_written(one.a) for one in found[: len(names or ())]}),
    )


def _rated(entry: AnyEntry, options: Any, rules: Rules[Any, Any, Any], state: Any, seat: Seat, good: set[bytes]) -> int:
    """Return how hard a problem is at first: whether the weaker bots would have found it."""
    view = rules.observe(state, seat)
    for level in ORDER:
        action = entry.bots[entry.level(level)](options, seed=1).choose(view, UNTIMED)
        if _written(msgspec.to_builtins(action)) in good:
            return STARTS[level]
    return STARTS["strong"]


def made(
    entry: AnyEntry, seed: str, many: int, tell: Callable[[int, int, str], None] = lambda deals, found, why: None
) -> Iterator[Problem]:
    """Yield so many problems from games that the bots play against themselves; all follows from the seed.

    At most one problem in three is one that `easy` solves; of two choices each is right as often, so that none of
    them can be guessed. Nothing is asked of a clock: the bots think by their own
    numbers, so that the same seed gives the same problems however busy the machine is.
    """
    assert entry.problems is not None
    assert entry.setup is not None
    options = entry.chosen(entry.problems.options)
    rules = rules_of(entry, options, entry.problems.seats)
    seen: set[str] = set()
    simple = deals = 0
    asked: Counter[str] = Counter()
    share = -(-many // max(1, len(entry.problems.asks)))
    while len(seen) < many:
        deals += 1
        luck = Stream.of_seed(f"problems|{entry.name}|{seed}|{deals}")
        enough = {ask for ask in asked if entry.problems.asks and asked[ask] >= share}
        for text, seat, ask in _moments(entry, entry.problems, options, rules, luck, enough):
            try:
                problem = posed(entry, options, text, seat, luck.below(2**30), entry.problems.seats, glance=True)
            except Unclear as wrong:
                tell(deals, len(seen), wrong.why)
                continue
            except BadNotation:
                continue
            two, easy = len(problem.choices) == 2, problem.first == STARTS["easy"]
            answer = f"{ask} {problem.choices[0].said}"
            if problem.key in seen or (asked[answer] >= -(-share // 2) if two else easy and simple >= many // 3):
                continue
            simple += easy and not two
            asked[answer] += 1
            seen.add(problem.key)
            asked[ask] += 1
            yield problem
            break  # another deal: problems of one deal are alike
        tell(deals, len(seen), "")


def sought(entry: AnyEntry, record: Record) -> Problem | None:
    """Return a problem among the moments of a finished deal, None where there is none.

    The same search as for self-played deals, and stricter: none that `easy` solves, and none with two choices alone,
    since nobody counts here which of the two is right how often.
    """
    how = entry.problems
    if how is None or entry.setup is None:
        return None
    options, rules = options_of(entry, record), rules_of(entry, options_of(entry, record), record.seats)
    luck = Stream.of_seed(f"problems|{entry.name}|{record.game_id}|{record.deal}")
    moments = []
    for step in replay(entry, record):
        if rules.outcome(step.state) is not None:
            break
        turn = rules.turn(step.state)
        if len(turn.seats) == 1 and NATURE not in turn.seats and (not how.asks or turn.ask in how.asks):
            moments.append((step.state, min(turn.seats)))
    for state, seat in luck.shuffled(moments)[:TRIES]:
        with suppress(Unclear, BadNotation):
            text = entry.setup.write(options, state)
            found = posed(entry, options, text, seat, luck.below(2**30), record.seats, glance=True)
            if len(found.choices) > 2 and found.first > STARTS["easy"]:
                return found
    return None


def _moments(
    entry: AnyEntry,
    how: Problems,
    options: Any,
    rules: Rules[Any, Any, Any],
    luck: Stream,
    enough: Container[str],
) -> Iterator[tuple[str, Seat, str]]:
    """Yield moments of a game of self-play: the position as text, who is asked, and what; none of `enough`."""
    assert entry.setup is not None
    seed = luck.below(2**31)
    steady, easy = (entry.bots[entry.level(level)](options, seed=seed) for level in ("steady", "easy"))
    state = entry.begun(rules, entry.carry(options, 0))
    for _ in range(MOST):
        if rules.outcome(state) is not None:
            return
        turn = rules.turn(state)
        seat = min(turn.seats) if turn.seats else min(turn.may)
        if seat == NATURE:
            state = rules.apply(state, seat, rules.chance(state, luck)).state
            continue
        wanted = turn.ask not in enough and (not how.asks or turn.ask in how.asks)
        if len(turn.seats) == 1 and wanted and luck.below(how.every) == 0:
            with suppress(BadNotation):  # not begun, or over
                yield entry.setup.write(options, state), seat, turn.ask
        bot = easy if luck.below(SLIP) == 0 else steady
        action = bot.choose(rules.observe(state, seat), UNTIMED)
        if action is None or rules.refuse(state, seat, action) is not None:
            action = rules.idle(state, seat)
        state = rules.apply(state, seat, action).state


def kept(problems: Sequence[Problem]) -> bytes:
    """Return problems as a file: one JSON object a line."""
    return b"".join(msgspec.json.encode(one, order="deterministic") + b"\n" for one in problems)


def shipped(entry: AnyEntry) -> tuple[Problem, ...]:
    """Return the problems that come with a game."""
    place = files(f"qipai.games.{entry.name}").joinpath("problems.jsonl")
    if not place.is_file():
        return ()
    return tuple(msgspec.json.decode(line, type=Problem) for line in place.read_bytes().splitlines() if line)
