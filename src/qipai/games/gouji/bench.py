"""How fast the rules of gouji are (`qipai bench engine gouji`). No other engine plays it; peers play its family.

OpenSpiel's and RLCard's dou dizhu are climbing games with a 54-card deck; they are compared by decisions a second.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from qipai.bench.peers.engines import openspiel_dou_dizhu, rlcard_doudizhu
from qipai.core.kernel import Buffer, buffer, kernel
from qipai.core.measure import Row, Target, Work
from qipai.games.gouji.kernel import play, policy, sets
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.selfplay import fresh
from qipai.kit import hung
from qipai.kit.selfplay import one_by_one

__all__ = ["rows"]


def rows() -> Sequence[Row]:
    """Return what is measured: random deals, roll-outs, lists of answers, the rules as the hall calls them."""
    peers = {"OpenSpiel dou_dizhu": openspiel_dou_dizhu, "RLCard doudizhu": rlcard_doudizhu}
    return (
        Row(
            "random deals",
            "decisions",
            decisions,
            peers,
            (Target("compiled", "OpenSpiel dou_dizhu", 4.0), Target("interpreted", "RLCard doudizhu", 2.0)),
        ),
        Row("random deals", "deals", deals),
        Row("roll-outs by the steady player's policy", "deals", rollouts),
        Row("all answers of a hand of 36", "hands", answers),
        Row("random deals, one by one from Python", "decisions", steps),
    )


def decisions() -> Work:
    """Play random deals in the kernel; an operation is a decision."""
    return _deals(by_deal=False)


def deals() -> Work:
    """Play random deals in the kernel; an operation is a deal."""
    return _deals(by_deal=True)


def _deals(by_deal: bool) -> Work:
    s, out, deck, trace = t.new_table(), buffer(t.MOST_PLAYS), buffer(t.DECK), buffer(1)
    s.reg[t.BURN_OWN] = s.reg[t.RETURNS] = 1
    seed = 1

    def once() -> int:
        nonlocal seed
        seed = fresh(s, seed, deck)
        found = int(play.play_at_random(s, seed, out, trace))
        return 1 if by_deal else found

    return Work(once)


def rollouts() -> Work:
    """Play deals in the kernel, every seat by its policy."""
    s, deck = t.new_table(), buffer(t.DECK)
    s.reg[t.BURN_OWN] = s.reg[t.RETURNS] = 1
    out, facts, f = buffer(t.MOST_PLAYS), buffer(policy.KNOWN), buffer(policy.FEATURES)
    seed = 1

    def once() -> int:
        nonlocal seed
        seed = fresh(s, seed, deck)
        policy.play_out(s, policy.WEIGHTS, out, facts, f)
        return 1

    return Work(once)


@kernel
def answer_all(hands: Buffer, tops: Buffer, n: int, out: Buffer) -> int:
    """List the answers of six hands to each of n sets; return how many answers there are."""
    found = 0
    for i in range(n):
        for seat in range(t.SEATS):
            found += sets.all_answers(hands, seat * t.CARDS, tops[i], False, out)
    return found


def answers() -> Work:
    """List all answers to the leads of a deal."""
    s, deck, out, listed = t.new_table(), buffer(t.DECK), buffer(t.MOST_PLAYS), buffer(t.MOST_PLAYS)
    fresh(s, 7, deck)
    n = int(sets.all_leads(s.hands, 0, False, False, out))
    tops, k = buffer(n), 0
    for i in range(n):  # typical leads: without jokers, up to six cards
        if hung.size(out[i]) <= 6 and not hung.smalls(out[i]) + hung.bigs(out[i]):
            tops[k] = out[i]
            k += 1

    def once() -> int:
        answer_all(s.hands, tops, k, listed)
        return k * t.SEATS

    return Work(once)


def steps() -> Work:
    """Play random deals as the hall does, with `turn`, `legal` and `apply`; an operation is a decision."""
    from qipai.games.gouji.rules import Gouji

    rules, luck = Gouji(), random.Random(1)
    return one_by_one(rules, lambda state, seat: luck.choice(list(rules.legal(state, seat))))
