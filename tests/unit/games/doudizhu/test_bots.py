"""The players: they take views, obey the rules, keep the time, and do what is plain."""

from __future__ import annotations

import time

import pytest

from qipai.core.contract import NATURE, play
from qipai.core.kernel import buffer, frozen, thawed
from qipai.core.rng import Stream
from qipai.games.doudizhu import ENTRY
from qipai.games.doudizhu.bots import fit
from qipai.games.doudizhu.kernel import plan, policy
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.kernel.weights import AT, FITTED, ROW, SIZE
from qipai.games.doudizhu.notation import PACK, write_play
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.rules import Doudizhu
from qipai.games.doudizhu.state import Action, NoBid, Pass, Play

LEVELS = ("easy", "steady", "strong")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_deal_is_played_within_the_rules(level: str, seed: int) -> None:
    options = Options(redeals=seed)
    rules, rng = Doudizhu(options), Stream.of_seed(seed)
    state = rules.start()
    bots = [ENTRY.bots[level](options, seed=seat) for seat in range(3)]
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        if seat == NATURE:
            action: Action = rules.chance(state, rng)
        else:
            chosen = bots[seat].choose(rules.observe(state, seat), 5)
            assert chosen is not None
            action = chosen
        state = play(rules, state, seat, action).state


@pytest.mark.parametrize("level", LEVELS)
def test_the_last_set_is_played(level: str) -> None:
    rules = Doudizhu()
    state = rules.place(["33344457", "55566", "789TJ"], setup={"landlord": 0, "bid": 1})
    assert ENTRY.bots[level](Options(), seed=1).choose(rules.observe(state, 0), 20) == Play("33344457")


@pytest.mark.parametrize("level", LEVELS)
def test_a_hand_without_high_cards_calls_nothing(level: str) -> None:
    rules = Doudizhu()
    state = rules.place(["33445668899JJQKKA", "3456789TJQKKAA222", "3456789TJQKAAxXK2"])
    assert ENTRY.bots[level](Options(), seed=1).choose(rules.observe(state, 0), 20) == NoBid()


@pytest.mark.parametrize("level", ["steady", "strong"])
def test_a_strong_hand_calls(level: str) -> None:
    rules = Doudizhu()
    state = rules.place(["34567999KKAA222xX", "3456788TTJJQQKKAA", "3456788TTJJQQ3456"])
    chosen = ENTRY.bots[level](Options(), seed=1).choose(rules.observe(state, 0), 20)
    assert chosen != NoBid()


@pytest.mark.parametrize("level", LEVELS)
def test_a_partner_who_cannot_be_beaten_is_let_alone(level: str) -> None:
    rules = Doudizhu()
    state = rules.place(["33445566", "X7", "2xAK9"], setup={"landlord": 0, "bid": 1, "leader": 1})
    state = play(rules, state, 1, Play("X")).state
    assert ENTRY.bots[level](Options(), seed=1).choose(rules.observe(state, 2), 20) == Pass()


def test_the_strong_player_keeps_the_time() -> None:
    rules = Doudizhu()
    state = rules.start({"deal": 1, "first": 0})
    state = rules.apply(state, NATURE, rules.chance(state, Stream.of_seed(4))).state
    while rules.turn(state).ask != "lead":
        (seat,) = rules.turn(state).seats
        state = rules.apply(state, seat, list(rules.legal(state, seat))[-1]).state
    (seat,) = rules.turn(state).seats
    bot, view = ENTRY.bots["strong"](rules.options, seed=1), rules.observe(state, seat)
    bot.choose(view, 1)
    begun = time.perf_counter()
    bot.choose(view, 200)
    assert time.perf_counter() - begun < 1.2


def laid_out(hand: str) -> list[str]:
    out, cells = buffer(t.MOST_PLAYS, 64), buffer(plan.PLAN, 64)
    n = plan.laid_out(thawed(PACK.read(hand)), 0, policy.WEIGHTS, cells, out)
    return [write_play(code) for code in frozen(out[:n])]


def test_a_plan_finds_runs_and_dresses_triples() -> None:
    assert sorted(laid_out("34567TTTJJJ9K")) == ["34567", "9TTTJJJK"]
    assert laid_out("3456789") == ["3456789"]
    assert laid_out("3777") == ["3777"]
    assert sorted(laid_out("334455QQQ")) == ["334455", "QQQ"]
    assert sorted(laid_out("3333xX")) == ["3333", "xX"]
    assert laid_out("33344457") == ["33344457"]


@pytest.mark.parametrize("seed", range(6))
def test_a_plan_lays_out_the_whole_hand_and_nothing_else(seed: int) -> None:
    deal = Doudizhu().chance(Doudizhu().start(), Stream.of_seed(seed))
    for hand in (*deal.hands, deal.hands[0] + deal.bottom):  # type: ignore[union-attr]
        cards = "".join(laid_out(hand))
        assert PACK.read(cards) == PACK.read(hand)


def test_equal_weights_win_nothing_of_each_other() -> None:
    mean, _ = fit.duel(policy.WEIGHTS, policy.WEIGHTS, 2, 7)
    assert mean == 0


def test_every_weight_has_its_place() -> None:
    assert len(ROW) == SIZE == len(policy.WEIGHTS)
    for part, at in zip(FITTED, AT, strict=True):
        assert ROW[at : at + len(part)] == part
    ranks, runs = t.CARDS - 2, t.ACE + 1
    assert [len(part) for part in FITTED[:8]] == [t.CARDS, ranks, ranks, ranks, 1, runs, runs, runs]
    assert (len(FITTED.calls), len(FITTED.hurry)) == (t.MOST_BID, policy.WATCH + 1)
