"""How fast the rules of shengji are (`qipai bench engine shengji`). No engine of it is free to compare with.

OpenSpiel's and RLCard's dou dizhu are the nearest card games with bindings; they are compared by decisions a second.
"""

from __future__ import annotations

from collections.abc import Sequence

from qipai.bench.peers.engines import openspiel_dou_dizhu, rlcard_doudizhu
from qipai.core.kernel import Buffer, buffer, kernel
from qipai.core.measure import Row, Target, Work
from qipai.games.shengji.kernel import flow, follow, moves, policy, shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import counts_of
from qipai.games.shengji.selfplay import ruled
from qipai.kit.selfplay import one_by_one

__all__ = ["rows"]

# Three decks, level 10, spades trumps: a lead of 21 hearts in seven pieces, and 39 cards that answer and that could
# beat it: a follower with pairs, triples and a tractor in hearts.
LEAD = "AH AH AH KH KH KH JH JH 9H 9H 7H 7H 7H 5H 5H 4H 4H QH 8H 6H 3H"
HAND = (
    "QH QH JH 9H 8H 8H 6H 6H 5H 4H 3H 3H 2H 2H 2H " + "AS KS QS QS 9S 5S 5S x X TD TD " + "AC AC KC QC JC 9C 9C 4C " * 2
)

BATCH = 10  # random deals for each call of the kernel


def rows() -> Sequence[Row]:
    """Return what is measured: random deals, roll-outs, checks of throws and follows, the rules as the hall calls."""
    peers = {"OpenSpiel dou_dizhu": openspiel_dou_dizhu, "RLCard doudizhu": rlcard_doudizhu}
    return (
        Row(
            "random deals of two decks",
            "decisions",
            decisions,
            peers,
            (Target("compiled", "OpenSpiel dou_dizhu", 4.0), Target("interpreted", "RLCard doudizhu", 2.0)),
        ),
        Row("random deals of one deck", "deals", one_deck),
        Row("random deals of two decks", "deals", two_decks),
        Row("random deals of three decks", "deals", three_decks),
        Row("roll-outs by the steady player's policy, decks 2", "deals", rollouts),
        Row("follow check, 39 cards under a throw of 21", "checks", follow_checks),
        Row("throw check, 21 cards against 39 each", "checks", throw_checks),
        Row("random deals, one by one from Python", "decisions", steps),
    )


def decisions() -> Work:
    """Play random deals of two decks in the kernel; an operation is a decision."""
    return _deals(2, by_deal=False)


def one_deck() -> Work:
    """Play random deals of one deck; an operation is a deal."""
    return _deals(1, by_deal=True)


def two_decks() -> Work:
    """Play random deals of two decks; an operation is a deal."""
    return _deals(2, by_deal=True)


def three_decks() -> Work:
    """Play random deals of three decks; an operation is a deal."""
    return _deals(3, by_deal=True)


def _deals(decks: int, *, by_deal: bool) -> Work:
    s, room, trace = ruled(decks, level=8), t.new_room(), buffer(1)
    seed = 1

    def once() -> int:
        nonlocal seed
        found = int(moves.play_deals(s, seed, BATCH, room, trace))
        seed = int(trace[0])
        return BATCH if by_deal else found

    return Work(once)


def rollouts() -> Work:
    """Play the tricks of deals in the kernel, every seat by its policy; the first seat buries by it too."""
    s, room = ruled(2, level=8), t.new_room()
    seed = 1

    def once() -> int:
        nonlocal seed
        seed = moves.fresh(s, seed)
        flow.deal(s, t.DECK)
        for seat in range(t.SEATS):
            flow.pass_by(s, seat)
        policy.burial(s, room)
        flow.bury(s, room.move)
        policy.play_out(s, room)
        return 1

    return Work(once)


def _long_throw() -> tuple[t.Table, t.Room, Buffer]:
    s, room, cards = ruled(3, level=8), t.new_room(), buffer(t.CARDS)
    s.reg[t.TRUMP] = 0
    t.arrange(s)
    for card, n in enumerate(counts_of(LEAD.split())):
        cards[card] = s.put[card] = n
    for seat in range(1, t.SEATS):
        for card, n in enumerate(counts_of(HAND.split()[:39])):
            s.hands[seat * t.CARDS + card] = n
    n = shapes.decompose(s, cards, 0, 2, room, s.shape)
    flow.lead_stands(s, 0, 2, n, room)
    s.reg[t.TABLED] = 1
    return s, room, cards


@kernel
def judge_often(s: t.Table, play: Buffer, times: int, room: t.Room) -> int:
    """Judge one follow of seat 1 again and again; return how often it was legal."""
    legal = 0
    reg = s.reg
    for _ in range(times):
        if follow.judge(s, s.hands, t.CARDS, play, 0, reg[t.LED], s.shape, reg[t.SHAPES], reg[t.LENGTH], 0, room) == 0:
            legal += 1
    return legal


def follow_checks() -> Work:
    """Judge follows of a hand of 39 cards, pair after pair of which is owed."""
    s, room, _ = _long_throw()
    # Fewer cards are led than the follower has hearts, so that the grade decides.
    lead = buffer(t.CARDS)
    for card, n in enumerate(counts_of(["AH", "AH", "AH", "KH", "KH", "KH", "9H", "9H", "JH", "QH"])):
        lead[card] = n
    n = shapes.decompose(s, lead, 0, 2, room, s.shape)
    for card in range(t.CARDS):
        s.put[card] = lead[card]
    flow.lead_stands(s, 0, 2, n, room)
    play = buffer(t.CARDS)
    moves.drawn_answer(s, 1, 5, room)
    for card in range(t.CARDS):
        play[card] = room.move[card]

    def once() -> int:
        return int(judge_often(s, play, 100, room))

    return Work(once)


@kernel
def throw_often(s: t.Table, cards: Buffer, times: int, room: t.Room) -> int:
    """Split one throw and look for what stops it again and again; return how often it was stopped."""
    stopped = 0
    for _ in range(times):
        n = shapes.decompose(s, cards, 0, 2, room, s.shape)
        if follow.forced(s, 0, s.shape, n, 2, s.hands, room) != 0:
            stopped += 1
    return stopped


def throw_checks() -> Work:
    """Split a throw of 21 cards and look through three hands for what stops it."""
    s, room, cards = _long_throw()

    def once() -> int:
        return int(throw_often(s, cards, 100, room))

    return Work(once)


def steps() -> Work:
    """Play random deals as the hall does, with `turn`, `idle` and `apply`; an operation is a decision."""
    from qipai.games.shengji.rules import Shengji

    rules = Shengji()
    return one_by_one(rules, rules.idle)
