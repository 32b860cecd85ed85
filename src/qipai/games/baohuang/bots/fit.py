"""Fits the weights of `kernel.policy` by self-play, and prints tables about the questions before play.

    QIPAI_JIT=1 python -m qipai.games.baohuang.bots.fit fit ROUNDS SECONDS > weights.txt
    QIPAI_JIT=1 python -m qipai.games.baohuang.bots.fit tables SECONDS

Each round plays deals by the current policy. At some decisions every sensible action is tried and the deal is played
out. The result of an action, less the mean result of all actions tried there, is regressed on the features of
`policy.weigh`. Before play both answers are tried in the same deal, and the difference in points is regressed on
`questions.picture` of the hand: a bot says yes where it expects to gain. The seat that turned out to be the guard is
regressed on what the seats had been seen to do. New weights, alone or averaged with the old ones, replace the old ones
where they win in duplicate deals. `tables` groups the answers before play by expected gain and prints what they
brought. Needs numba and NumPy; no player imports this module.
"""

from __future__ import annotations

import sys
import time
from itertools import pairwise
from typing import Any, Final

from qipai.core.kernel import JIT, Buffer, buffer, kernel, lcg
from qipai.games.baohuang.kernel import belief, play, policy, questions
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.selfplay import fresh, ruled
from qipai.kit.fitting import centred, solved, written

CONTEXT: Final = policy.FEATURES  # columns of a row of trials, after the features
GROUP: Final = policy.FEATURES + 1
RESULT: Final = policy.FEATURES + 2
WIDTH: Final = policy.FEATURES + 3
TRIALS: Final = 400_000
QUESTION: Final = questions.HANDED  # columns of a row of answers, after the picture
GAIN: Final = questions.HANDED + 1  # points by which yes did better than no, in 1/SCALE
EXPECTED: Final = questions.HANDED + 2  # the gain that was expected
ANSWER: Final = questions.HANDED + 3
ANSWERS: Final = 100_000
SEEN: Final = t.SEATS * t.TALLIES + 2  # columns of a row of clues: the tally, the emperor, the guard or -1
CLUES: Final = 60_000
KEPT: Final = 3  # rounds whose rows are fitted together
ASKED: Final = (
    "grab as the emperor",
    "grab as the guard",
    "grab as a rebel",
    "yield",
    "reveal as the guard",
    "reveal both marks",
    "rebel",
    "kick as a rebel",
    "kick against a soloist",
    "kick as the emperor's side",
)


@kernel
def describe(s: t.Table, seat: int, action: int, facts: Buffer, unit: Buffer, f: Buffer, out: Buffer) -> None:
    """Write the features of a set to `f`: each is what the set is worth when that weight is 1 and all others are 0.

    unit: work space for FEATURES weights; out: work space for a set and its worth.
    """
    for k in range(policy.FEATURES):
        unit[k] = 0
    out[0] = action
    for k in range(policy.FEATURES):
        unit[k] = 1
        policy.weigh(s, seat, out, 1, facts, unit, 0)
        f[k] = policy.standing(s, facts, unit, 0) + out[1]
        unit[k] = 0


@kernel
def tried(
    s: t.Table,
    work: t.Table,
    seat: int,
    action: int,
    weights: Buffer,
    opening: Buffer,
    guesses: Buffer,
    out: Buffer,
    facts: Buffer,
    f: Buffer,
) -> None:
    """Take an action in a copy of the deal, in `work`, and play that copy out."""
    t.copy(s, work)
    play.act(work, seat, action)
    policy.play_out(work, weights, opening, guesses, out, facts, f)


@kernel
def gather(
    s: t.Table,
    work: t.Table,
    seed: int,
    weights: Buffer,
    opening: Buffer,
    guesses: Buffer,
    out: Buffer,
    listed: Buffer,
    facts: Buffer,
    f: Buffer,
    unit: Buffer,
    trials: Buffer,
    answers: Buffer,
    clues: Buffer,
    used: Buffer,
    often: int,
) -> None:
    """Play the deal on the table; write trials at some decisions, answers at some questions, and some clues.

    used: rows of trials, groups of trials, rows of answers, of clues so far; often: one in so many sets is tried.
    """
    r = s.reg
    while r[t.PHASE] != t.OVER:
        seat, phase = r[t.TURN], r[t.PHASE]
        action = policy.sound(s, seat, weights, opening, guesses, out, facts, f)
        seed = lcg(seed)
        draw = seed >> 12
        if phase not in (t.LEAD, t.ANSWER):
            free = phase != t.REBEL or seat != r[t.GUARD]
            if free and draw % 2 == 0 and used[2] < len(answers) // ANSWER:
                at = used[2] * ANSWER
                questions.picture(s, seat, f)
                for i in range(questions.HANDED):
                    answers[at + i] = f[i]
                answers[at + QUESTION] = questions.question(s, seat)
                answers[at + EXPECTED] = questions.gain(s, seat, opening, f)
                tried(s, work, seat, 2 * phase, weights, opening, guesses, out, facts, f)
                brought = work.scores[seat]
                tried(s, work, seat, 2 * phase + 1, weights, opening, guesses, out, facts, f)
                answers[at + GAIN] = (brought - work.scores[seat]) * policy.SCALE
                used[2] += 1
            if free and draw // 2 % 6 == 0:  # now and then the other answer is given, so that the fit sees both
                action ^= 1
        elif draw % often == 0 and used[0] + 40 < len(trials) // WIDTH:
            n = policy.sensible(s, seat, listed)
            if phase == t.ANSWER:
                listed[n] = t.DO_PASS
                n += 1
            if n > 1:
                for i in range(n):
                    at = (used[0] + i) * WIDTH
                    for k in range(WIDTH):
                        trials[at + k] = 0
                    tried(s, work, seat, listed[i], weights, opening, guesses, out, facts, f)
                    trials[at + RESULT] = policy.worth(work, seat)
                    belief.know(s, seat, guesses, facts)
                    if listed[i] != t.DO_PASS:
                        describe(s, seat, listed[i], facts, unit, f, out)
                        for k in range(policy.FEATURES):
                            trials[at + k] = f[k]
                    trials[at + CONTEXT] = policy.context(s, facts)
                    trials[at + GROUP] = used[1]
                used[0] += n
                used[1] += 1
                if draw // often % 3 == 0:
                    action = listed[draw // 64 % n]
        if phase == t.LEAD and r[t.PUBLIC] < 0 and not r[t.VOID] and draw % 6 == 0 and used[3] < len(clues) // SEEN:
            at = used[3] * SEEN
            for i in range(t.SEATS * t.TALLIES):
                clues[at + i] = s.tally[i]
            clues[at + SEEN - 2] = r[t.EMPEROR]
            clues[at + SEEN - 1] = r[t.GUARD]
            used[3] += 1
        play.act(s, seat, action)


@kernel
def duel(
    s: t.Table,
    new: int,
    first: Buffer,
    first_opening: Buffer,
    first_guesses: Buffer,
    second: Buffer,
    second_opening: Buffer,
    second_guesses: Buffer,
    out: Buffer,
    facts: Buffer,
    f: Buffer,
) -> int:
    """Play the deal on the table, the first weights in the seats of `new` (bits); return the points of those seats."""
    r = s.reg
    while r[t.PHASE] != t.OVER:
        seat = r[t.TURN]
        if new >> seat & 1:
            action = policy.sound(s, seat, first, first_opening, first_guesses, out, facts, f)
        else:
            action = policy.sound(s, seat, second, second_opening, second_guesses, out, facts, f)
        play.act(s, seat, action)
    points = 0
    for seat in range(t.SEATS):
        if new >> seat & 1:
            points += s.scores[seat]
    return points


Weights = tuple[Any, Any, Any]  # of sets, of questions, of guesses


class Room:
    """The buffers that a fit works in."""

    def __init__(self) -> None:
        self.s, self.work = ruled(), ruled()
        self.deck, self.out, self.listed = buffer(t.DECK), buffer(t.MOST_PLAYS), buffer(t.MOST_PLAYS)
        self.facts, self.f = buffer(belief.KNOWN), buffer(policy.FEATURES)
        self.unit = buffer(policy.FEATURES, 64)
        self.trials, self.answers, self.clues = buffer(TRIALS * WIDTH), buffer(ANSWERS * ANSWER), buffer(CLUES * SEEN)

    def gathered(self, weights: Weights, seconds: float, seed: int, often: int = 12) -> tuple[Any, Any, Any]:
        """Return rows of trials, of answers and of clues from the given seconds of play."""
        used, end = buffer(4), 0.0
        while not end or time.monotonic() < end:
            seed = fresh(self.s, seed, self.deck)
            rows = (self.trials, self.answers, self.clues)
            room = (self.out, self.listed, self.facts, self.f, self.unit)
            gather(self.s, self.work, seed, *weights, *room, *rows, used, often)
            end = end or time.monotonic() + seconds  # the first deal compiled the kernels
        return (
            self.trials[: used[0] * WIDTH].reshape(-1, WIDTH).copy(),
            self.answers[: used[2] * ANSWER].reshape(-1, ANSWER).copy(),
            self.clues[: used[3] * SEEN].reshape(-1, SEEN).copy(),
        )

    def compared(self, first: Weights, second: Weights, deals: int, seed: int) -> tuple[float, float]:
        """Return the mean points of a seat of `first` against `second` in duplicate deals, and its standard error."""
        import numpy as np

        found = np.zeros(deals)
        for deal in range(deals):
            new = 0
            for mask in (11 + deal % 9, 0b11111 ^ (11 + deal % 9)):
                fresh(self.s, seed * 1_000_003 + deal, self.deck)
                new += duel(self.s, mask, *first, *second, self.out, self.facts, self.f)
            found[deal] = new / t.SEATS
        return float(found.mean()), float(found.std() / deals**0.5)


def fitted_policy(parts: list[Any], old: Any) -> Any:
    """Return new weights of sets from trials; each context is fitted separately."""
    import numpy as np

    new = old.copy()
    for which in range(policy.CONTEXTS):
        found = [mine for part in parts if len(mine := floats(part, CONTEXT, which))]
        rows = np.concatenate([centred(mine, GROUP) for mine in found]) if found else np.empty((0, WIDTH))
        if len(rows) > 800:
            at = which * policy.FEATURES
            new[at : at + policy.FEATURES] = np.rint(solved(rows[:, : policy.FEATURES], rows[:, RESULT], 0.003))
    return new


def floats(part: Any, column: int, value: int) -> Any:
    """Return the rows with a value in a column, as floats."""
    import numpy as np

    return part[part[:, column] == value].astype(np.float64)


def fitted_opening(parts: list[Any], old: Any) -> Any:
    """Return new weights of the questions before play from answers."""
    import numpy as np

    new = old.copy()
    for which in range(questions.QUESTIONS):
        rows = np.concatenate([floats(part, QUESTION, which) for part in parts])
        if len(rows) > 300:
            x = rows[:, : questions.HANDED]
            mean, middle = rows[:, GAIN].mean(), x[:, 1:].mean(0)
            slope = solved(x[:, 1:] - middle, rows[:, GAIN] - mean, 0.02)
            at = which * questions.HANDED
            new[at : at + questions.HANDED] = np.rint([mean - middle @ slope, *slope])
    return new


def fitted_guesses(parts: list[Any], old: Any) -> Any:
    """Return the maximum-likelihood weight of each count for which of the four other seats is the guard."""
    import numpy as np

    rows = np.concatenate(parts).astype(np.float64)
    pairs = rows[rows[:, -1] >= 0]
    if len(pairs) < 500:
        return old
    tally = pairs[:, :-2].reshape(-1, t.SEATS, t.TALLIES)
    seats = np.arange(t.SEATS)
    emperor = seats == pairs[:, -2:-1]
    guard = (seats == pairs[:, -1:]).astype(float)
    w = np.zeros(t.TALLIES)
    for _ in range(400):
        z = np.where(emperor, -1e9, tally @ w)
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        slope = np.einsum("ns,nst->t", guard - p, tally) / len(pairs)
        spread = np.maximum((tally**2).mean((0, 1)), 0.1)
        w += 0.5 * slope / spread
    solo = 1024 * 4 * (len(rows) - len(pairs)) / len(pairs)  # a pair's guard is one of four
    return np.rint([*(w / np.log(2) * 256), solo]).astype(np.int64)


def present() -> Weights:
    """Return the current weights."""
    import numpy as np

    return np.array(policy.WEIGHTS), np.array(questions.OPENING), np.array(belief.GUESSES)


def fit(rounds: int, seconds: float) -> None:
    """Fit and print the weights; progress goes to standard error."""
    import numpy as np

    room, weights = Room(), present()
    kept: list[tuple[Any, Any, Any]] = []
    for number in range(rounds):
        kept = [*kept[1 - KEPT :], room.gathered(weights, seconds, int(time.time()))]
        trials, answers, clues = (list(part) for part in zip(*kept, strict=True))
        told = f"round {number}: {len(trials[-1])} trials, {len(answers[-1])} answers, {len(clues[-1])} clues"
        new = (
            fitted_policy(trials, weights[0]),
            fitted_opening(answers[-2:], weights[1]),
            fitted_guesses(clues, weights[2]),
        )
        for share in (1.0, 0.5):
            sets = np.rint(share * new[0] + (1 - share) * weights[0]).astype(np.int64)
            questions = np.rint(share * new[1] + (1 - share) * weights[1]).astype(np.int64)
            mixed = (sets, questions, new[2])
            mean, error = room.compared(mixed, weights, 3000, number * 31 + int(time.time()) % 9973)
            told += f"; {share:.0%} {mean:+.3f} ± {error:.3f}"
            if mean > error:
                weights = mixed
                break
        print(told, list(new[2]), file=sys.stderr, flush=True)
        names = ("WEIGHTS", "OPENING", "GUESSES")
        print("\n".join(written(name, each) for name, each in zip(names, weights, strict=True)), flush=True)


def tables(seconds: float) -> None:
    """Print how far yes did better than no, by expected gain: this is why a bot says yes when it expects a gain."""
    import numpy as np

    _trials, answers, _clues = Room().gathered(present(), seconds, int(time.time()), often=1 << 30)
    for which, name in enumerate(ASKED):
        rows = floats(answers, QUESTION, which) / policy.SCALE
        print(f"\n{name}: {len(rows)} hands, yes for {(rows[:, EXPECTED] > 0).mean():.1%}")
        print("  expected gain of yes   hands   points it brought")
        edges = [-99.0, -8.0, -4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 99.0]
        for low, high in pairwise(edges):
            mine = rows[(rows[:, EXPECTED] > low) & (rows[:, EXPECTED] <= high)]
            if len(mine) > 20:
                error = mine[:, GAIN].std() / len(mine) ** 0.5
                print(f"  {low:7.1f} to {high:5.1f}   {len(mine):8d}   {np.mean(mine[:, GAIN]):+7.2f} ± {error:.2f}")


def main(what: str, *numbers: str) -> None:
    """Run the command that the command line names."""
    assert JIT, "QIPAI_JIT=1"
    if what == "fit":
        fit(int(numbers[0]), float(numbers[1]))
    else:
        tables(float(numbers[0]))


if __name__ == "__main__":
    main(*sys.argv[1:])
