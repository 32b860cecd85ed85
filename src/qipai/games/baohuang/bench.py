"""How fast the rules of baohuang are (`qipai bench engine baohuang`). No other engine plays it; peers play its family.

OpenSpiel's and RLCard's dou dizhu are climbing games with a 54-card deck; they are compared by decisions a second.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from qipai.bench.peers.engines import openspiel_dou_dizhu, rlcard_doudizhu
from qipai.core.kernel import Buffer, buffer, kernel
from qipai.core.measure import Row, Target, Work
from qipai.games.baohuang.bots.steady import TUNED
from qipai.games.baohuang.kernel import belief, play, policy, sets
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.selfplay import fresh, ruled
from qipai.kit import hung
from qipai.kit.selfplay import one_by_one

__all__ = ["rows"]


def rows() -> Sequence[Row]:
    """Return what is measured: random deals, roll-outs, lists of answers, the rules as the hall calls them."""
    peers = {"OpenSpiel dou_dizhu": openspiel_dou_dizhu, "RLCard doudizhu": rlcard_doudizhu}
    targets = (Target("compiled", "OpenSpiel dou_dizhu", 4.0), Target("interpreted", "RLCard doudizhu", 2.0))
    return (
        Row("random deals", "decisions", decisions, peers, targets),
        Row("random deals", "deals", deals),
        Row("roll-outs by the steady player's policy", "deals", rollouts),
        Row("all answers of a hand of 33", "hands", answers),
        Row("random deals, one by one from Python", "decisions", steps),
    )


def decisions() -> Work:
    """Play random deals in the kernel; an operation is a decision."""
    return _deals(by_deal=False)


def deals() -> Work:
    """Play random deals in the kernel; an operation is a deal."""
    return _deals(by_deal=True)


def _deals(by_deal: bool) -> Work:
    s, out, deck, trace = ruled(), buffer(t.MOST_PLAYS), buffer(t.DECK), buffer(1)
    s.reg[t.MAY_GRAB] = 0  # in random play a seat nearly always grabs, and an open solo is short
    seed = 1

    def once() -> int:
        nonlocal seed
        seed = fresh(s, seed, deck)
        found = int(play.play_at_random(s, seed, out, trace))
        return 1 if by_deal else found

    return Work(once)


def rollouts() -> Work:
    """Play deals in the kernel, every seat by its policy."""
    s, deck = ruled(), buffer(t.DECK)
    out, facts, f = buffer(t.MOST_PLAYS), buffer(belief.KNOWN), buffer(policy.FEATURES)
    seed = 1

    def once() -> int:
        nonlocal seed
        seed = fresh(s, seed, deck)
        policy.play_out(s, *TUNED, out, facts, f)
        return 1

    return Work(once)


@kernel
def answer_all(hands: Buffer, tops: Buffer, n: int, out: Buffer) -> int:
    """List the answers of five hands to each of n sets; return how many answers there are."""
    found = 0
    for i in range(n):
        for seat in range(t.SEATS):
            found += sets.all_answers(hands, seat * t.CARDS, tops[i], out)
    return found


def answers() -> Work:
    """List all answers to the leads of a deal."""
    s, deck, out, listed = ruled(), buffer(t.DECK), buffer(t.MOST_PLAYS), buffer(t.MOST_PLAYS)
    fresh(s, 7, deck)
    n = int(sets.all_leads(s.hands, 0, True, True, out))
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
    from qipai.games.baohuang.options import Options
    from qipai.games.baohuang.rules import Baohuang

    rules, luck = Baohuang(Options(grab=False)), random.Random(1)
    return one_by_one(rules, lambda state, seat: luck.choice(list(rules.legal(state, seat))))
