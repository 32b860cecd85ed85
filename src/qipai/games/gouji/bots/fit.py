"""Fits the weights of `kernel.policy` and `kernel.value`: policy iteration by self-play.

    QIPAI_JIT=1 python -m qipai.games.gouji.bots.fit ROUNDS SECONDS > weights.txt

Each round plays deals by the current policy. `value` is fitted to the final scores of the deals, from the picture at
the start of each trick. At some decisions every sensible action is tried and a few more tricks are played. The result
of an action, less the mean result of all actions tried there, is regressed on the features of `policy.weigh`. New
weights, alone or averaged with the old ones, replace the old ones where they win in duplicate deals. Needs numba and
NumPy; no player imports this module.
"""

from __future__ import annotations

import sys
import time
from typing import Any, Final

from qipai.core.kernel import JIT, Buffer, buffer, kernel, lcg
from qipai.games.gouji.kernel import play, policy, value
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.selfplay import fresh
from qipai.kit.fitting import centred, solved, written

BURNING: Final = policy.CONTEXTS  # the context of the question whether to burn
CONTEXT: Final = policy.FEATURES  # columns of a row of trials, after the features
GROUP: Final = policy.FEATURES + 1
RESULT: Final = policy.FEATURES + 2
WIDTH: Final = policy.FEATURES + 3
SEEN: Final = value.CELLS + 2  # columns of a row of starts: the picture, its stage, the score of side 0
TRIALS: Final = 240_000
STARTS: Final = 150_000
KEPT: Final = 4  # rounds whose trials are fitted together
AHEAD: Final = 4  # tricks played after the action that is tried


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
        f[k] = policy.standing(s, seat, facts, unit, 0) + out[1]
        unit[k] = 0


@kernel
def tried(
    s: t.Table,
    work: t.Table,
    seat: int,
    action: int,
    weights: Buffer,
    values: Buffer,
    out: Buffer,
    facts: Buffer,
    f: Buffer,
    x: Buffer,
) -> int:
    """Return what an action brings the seat's side, in 1/SCALE points."""
    t.copy(s, work)
    work.reg[t.DECIDED] = 1
    play.act(work, seat, action)
    found = value.look_ahead(work, AHEAD, weights, values, out, facts, f, x)
    return found if seat % 2 == 0 else -found


@kernel
def gather(
    s: t.Table,
    work: t.Table,
    seed: int,
    weights: Buffer,
    values: Buffer,
    out: Buffer,
    listed: Buffer,
    facts: Buffer,
    f: Buffer,
    x: Buffer,
    trials: Buffer,
    starts: Buffer,
    used: Buffer,
) -> None:
    """Play the deal on the table; write trials at some decisions, and every start of a trick.

    used: rows of trials, of starts, groups of trials so far.
    """
    r = s.reg
    first = used[1]
    trick = -1
    while r[t.PHASE] != t.OVER:
        seat, phase = r[t.TURN], r[t.PHASE]
        if phase == t.LEAD and r[t.TRICKS] != trick and used[1] < len(starts) // SEEN:
            trick = r[t.TRICKS]
            at = used[1] * SEEN
            starts[at + value.CELLS] = value.picture(s, x)
            for i in range(value.CELLS):
                starts[at + i] = x[i]
            used[1] += 1
        action = policy.sound(s, seat, weights, out, facts, f)
        seed = lcg(seed)
        often = 2 if phase == t.BURN else 10
        if (seed >> 16) % often == 0 and phase != t.TRIBUTE and used[0] + 90 < len(trials) // WIDTH:
            n = 2
            if phase == t.BURN:
                listed[0] = t.DO_BURN
                listed[1] = t.DO_NO_BURN
            else:
                n = policy.sensible(s, seat, listed)
                if phase not in (t.LEAD, t.BURN_PLAY):
                    listed[n] = t.DO_CLOSE if phase == t.CLOSE else t.DO_PASS
                    n += 1
            if n > 1:
                for i in range(n):
                    at = (used[0] + i) * WIDTH
                    for k in range(WIDTH):
                        trials[at + k] = 0
                    trials[at + RESULT] = tried(s, work, seat, listed[i], weights, values, out, facts, f, x)
                    policy.know(s, seat, facts)
                    if listed[i] == t.DO_BURN:
                        policy.describe_burn(s, seat, facts, out, f)
                        for k in range(policy.BURN_FEATURES):
                            trials[at + k] = f[k]
                    elif listed[i] > t.DO_NO_BURN:
                        describe(s, seat, listed[i], facts, x, f, out)
                        for k in range(policy.FEATURES):
                            trials[at + k] = f[k]
                    trials[at + CONTEXT] = BURNING if phase == t.BURN else policy.context(s, seat)
                    trials[at + GROUP] = used[2]
                used[0] += n
                used[2] += 1
                seed = lcg(seed)
                if (seed >> 16) % 3 == 0:  # now and then another action is taken, so that the fit sees more positions
                    action = listed[(seed >> 20) % n]
        play.act(s, seat, action)
    for row in range(first, used[1]):
        starts[row * SEEN + value.CELLS + 1] = s.scores[0]


@kernel
def duel(s: t.Table, first: Buffer, second: Buffer, swapped: bool, out: Buffer, facts: Buffer, f: Buffer) -> int:
    """Play the deal on the table, `first` in the even seats (odd when swapped); return the score of its side."""
    r = s.reg
    while r[t.PHASE] != t.OVER:
        seat = r[t.TURN]
        mine = (seat % 2 == 0) != swapped
        play.act(s, seat, policy.sound(s, seat, first if mine else second, out, facts, f))
    return s.scores[1 if swapped else 0]


class Room:
    """The buffers that a fit works in."""

    def __init__(self) -> None:
        self.s, self.work = t.new_table(), t.new_table()
        for table in (self.s, self.work):
            table.reg[t.BURN_OWN] = table.reg[t.RETURNS] = 1
        self.deck, self.out, self.listed = buffer(t.DECK), buffer(t.MOST_PLAYS), buffer(t.MOST_PLAYS)
        self.facts, self.f, self.x = buffer(policy.KNOWN), buffer(policy.FEATURES), buffer(value.CELLS)
        self.trials, self.starts = buffer(TRIALS * WIDTH), buffer(STARTS * SEEN)

    def gathered(self, weights: Any, values: Any, seconds: float, seed: int) -> tuple[Any, Any]:
        """Return rows of trials and of starts from the given seconds of play."""
        used, end = buffer(3), time.monotonic() + seconds
        while time.monotonic() < end:
            seed = fresh(self.s, seed, self.deck)
            gather(
                self.s,
                self.work,
                seed,
                weights,
                values,
                self.out,
                self.listed,
                self.facts,
                self.f,
                self.x,
                self.trials,
                self.starts,
                used,
            )
        trials = self.trials[: used[0] * WIDTH].reshape(-1, WIDTH).copy()
        return trials, self.starts[: used[1] * SEEN].reshape(-1, SEEN).copy()

    def compared(self, first: Any, second: Any, deals: int, seed: int) -> tuple[float, float]:
        """Return the mean score of `first` against `second` in duplicate deals, and its standard error."""
        import numpy as np

        found = np.zeros(deals)
        for deal in range(deals):
            for swapped in (False, True):
                fresh(self.s, seed * 1_000_003 + deal, self.deck)
                found[deal] += duel(self.s, first, second, swapped, self.out, self.facts, self.f) / 2
        return float(found.mean()), float(found.std() / deals**0.5)


def fitted_policy(parts: list[Any], old: Any) -> Any:
    """Return new weights of the policy from trials; each context is fitted separately."""
    import numpy as np

    new = old.copy()
    for which in range(policy.CONTEXTS + 1):
        xs, ys = [], []
        for part in parts:
            rows = part[part[:, CONTEXT] == which].astype(np.float32)
            if not len(rows):
                continue
            rows = centred(rows, GROUP)
            xs.append(rows[:, : policy.FEATURES])
            ys.append(rows[:, RESULT])
        if not xs:
            continue
        x, y = np.concatenate(xs), np.concatenate(ys)
        if which == BURNING:
            x = x[:, : policy.BURN_FEATURES]
        if len(x) > 500:
            at = which * policy.FEATURES
            new[at : at + x.shape[1]] = np.rint(solved(x, y, 0.003))
    return new


def fitted_values(parts: list[Any], old: Any) -> Any:
    """Return new weights of the value from starts; each stage is fitted separately."""
    import numpy as np

    rows = np.concatenate(parts).astype(float)
    new = old.copy()
    for stage in range(value.STAGES):
        mine = rows[rows[:, value.CELLS] == stage]
        if len(mine) > 500:
            found = solved(mine[:, : value.CELLS], mine[:, -1] * value.SCALE, 0.0005)
            new[stage * value.CELLS : (stage + 1) * value.CELLS] = np.rint(found)
    return new


def main(rounds: int, seconds: float) -> None:
    """Fit and print the weights; progress goes to standard error."""
    import numpy as np

    assert JIT, "QIPAI_JIT=1"
    room = Room()
    weights, values = np.array(policy.WEIGHTS), np.array(value.VALUES)
    trials: list[Any] = []
    starts: list[Any] = []
    if not values.any():  # results of trials are estimates by the value, so they mean nothing before it is fitted
        starts = [room.gathered(weights, values, seconds, int(time.time()))[1]]
        values = fitted_values(starts, values)
    for number in range(rounds):
        some, begun = room.gathered(weights, values, seconds, int(time.time()))
        starts = [*starts[1 - KEPT :], begun]
        values = fitted_values(starts, values)
        trials = [*trials[1 - KEPT :], some]
        new = fitted_policy(trials, weights)
        told = f"round {number}: {len(some)} trials, {len(begun)} starts"
        for share in (1.0, 0.5):
            mixed = np.rint(share * new + (1 - share) * weights).astype(np.int64)
            mean, error = room.compared(mixed, weights, 1200, number * 31 + int(time.time()) % 9973)
            told += f"; {share:.0%} {mean:+.3f} ± {error:.3f}"
            if mean > error:
                weights = mixed
                break
        print(told, file=sys.stderr, flush=True)
        print(written("WEIGHTS", weights) + "\n" + written("VALUES", values), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
