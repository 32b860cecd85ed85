"""How fast the rules of doudizhu are (`qipai bench engine doudizhu`), beside OpenSpiel's and RLCard's."""

from __future__ import annotations

import random
from collections.abc import Sequence

from qipai.bench.peers.engines import openspiel_dou_dizhu, rlcard_doudizhu
from qipai.core.kernel import Buffer, buffer, kernel
from qipai.core.measure import Row, Target, Work
from qipai.games.doudizhu.kernel import plan, play, policy, sets
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.selfplay import fresh, ruled
from qipai.kit.selfplay import one_by_one

__all__ = ["deals", "rollouts", "rows"]


def rows() -> Sequence[Row]:
    """Return what is measured: random deals, roll-outs, lists of answers, the rules as the hall calls them."""
    peers = {"OpenSpiel dou_dizhu": openspiel_dou_dizhu, "RLCard doudizhu": rlcard_doudizhu}
    targets = (Target("compiled", "OpenSpiel dou_dizhu", 4.0), Target("interpreted", "RLCard doudizhu", 2.0))
    return (
        Row("random deals", "decisions", decisions, peers, targets),
        Row("random deals", "deals", deals),
        Row("roll-outs by the steady player's policy", "deals", rollouts),
        Row("all answers of a hand of 17", "hands", answers),
        Row("random deals, one by one from Python", "decisions", steps),
    )


def decisions() -> Work:
    """Play random deals in the kernel; an operation is a decision."""
    return _deals(by_deal=False)


def deals() -> Work:
    """Play random deals in the kernel; an operation is a deal."""
    return _deals(by_deal=True)


def _deals(by_deal: bool) -> Work:
    s, out, deck, trace = ruled(), buffer(t.MOST_PLAYS, 64), buffer(t.DECK), buffer(1)
    seed = 1

    def once() -> int:
        nonlocal seed
        seed = fresh(s, seed, deck)
        found = int(play.play_at_random(s, seed, out, deck, trace))
        return 1 if by_deal else found

    return Work(once)


def rollouts() -> Work:
    """Play deals in the kernel, every seat by its policy; a deal that nobody calls for ends there."""
    s, deck, out, cells = ruled(), buffer(t.DECK), buffer(t.MOST_PLAYS, 64), buffer(plan.PLAN, 64)
    seed = 1

    def once() -> int:
        nonlocal seed
        seed = fresh(s, seed, deck)
        policy.play_out(s, policy.WEIGHTS, out, cells)
        return 1

    return Work(once)


@kernel
def answer_all(hands: Buffer, tops: Buffer, n: int, out: Buffer) -> int:
    """List the answers of three hands to each of n sets; return how many answers there are."""
    found = 0
    for i in range(n):
        for seat in range(t.SEATS):
            found += sets.all_answers(hands, seat * t.CARDS, tops[i], out)
    return found


def answers() -> Work:
    """List all answers to the leads of a deal."""
    s, deck, out, listed = ruled(), buffer(t.DECK), buffer(t.MOST_PLAYS, 64), buffer(t.MOST_PLAYS, 64)
    fresh(s, 7, deck)
    n = int(sets.all_leads(s.hands, 0, out))
    forms = sorted({int(code) & sets.FORM for code in out[:n]})
    tops = buffer(len(forms))
    for i, form in enumerate(forms):
        tops[i] = form

    def once() -> int:
        answer_all(s.hands, tops, len(forms), listed)
        return len(forms) * t.SEATS

    return Work(once)


def steps() -> Work:
    """Play random deals as the hall does, with `turn`, `legal` and `apply`; an operation is a decision."""
    from qipai.games.doudizhu.rules import Doudizhu

    rules, luck = Doudizhu(), random.Random(1)
    return one_by_one(rules, lambda state, seat: luck.choice(tuple(rules.legal(state, seat))))
