"""The players: they take views, obey the rules, keep the time, and each is stronger than the one below."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from qipai.core.contract import NATURE, play
from qipai.core.kernel import buffer
from qipai.core.rng import Stream
from qipai.games.gouji import ENTRY, observation
from qipai.games.gouji.bots.easy import Easy
from qipai.games.gouji.bots.steady import Steady, ranked, rooms
from qipai.games.gouji.bots.strong import Strong
from qipai.games.gouji.kernel import play as kernel_play
from qipai.games.gouji.kernel import policy
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.options import Options
from qipai.games.gouji.rules import Gouji
from qipai.games.gouji.selfplay import fresh
from qipai.games.gouji.state import Action, Burn, Pass, Play, State


def chosen(bot: Easy | Steady | Strong, state: State, seat: int, budget_ms: int = 300) -> Action:
    return bot.choose(Gouji(bot.options).observe(state, seat), budget_ms)


BOTS = [Easy, Steady, Strong]


@pytest.mark.parametrize("level", ["easy", "steady", "strong"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_deal_with_tribute_is_played_within_the_rules(level: str, seed: int) -> None:
    options = Options(tribute="on", keep_three=seed == 2, partners_view=True)
    rules, rng = Gouji(options), Stream.of_seed(seed)
    state = rules.start({"deal": 2, "leader": 1, "previous": [0, 2, 4, 1, 3, 5]})
    bots = [ENTRY.bots[level](options, seed=seat) for seat in range(6)]
    asks = set()
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        asks.add(rules.turn(state).ask)
        if seat == NATURE:
            action: Action = rules.chance(state, rng)
        else:
            action = bots[seat].choose(rules.observe(state, seat), 2)  # type: ignore[assignment]
        state = play(rules, state, seat, action).state
    assert asks >= {"tribute", "lead", "answer", "close"}


@pytest.mark.parametrize("bot", BOTS)
def test_the_last_set_is_played(bot: type[Easy]) -> None:
    state = Gouji().place(["5552x", "44", "66", "77", "88", "99"], 0)
    assert chosen(bot(), state, 0) == Play("5552x")


@pytest.mark.parametrize("bot", BOTS)
def test_nothing_higher_is_passed(bot: type[Easy]) -> None:
    rules = Gouji()
    state = rules.apply(rules.place(["QQ3", "4455", "66", "77", "88", "99"], 0), 0, Play("QQ")).state
    assert chosen(bot(), state, 1) == Pass()


@pytest.mark.parametrize("bot", [Steady, Strong])
def test_a_burn_that_runs_out_is_taken(bot: type[Easy]) -> None:
    rules = Gouji()
    state = rules.place(["34KK", "9AAX", "345678", "3456QQ", "345667", "334456"], 0)
    assert chosen(bot(seed=1), rules.apply(state, 0, Play("KK")).state, 1) == Burn()


def test_who_burns_seldom_falls() -> None:
    s, deck = t.new_table(), buffer(t.DECK)
    s.reg[t.BURN_OWN] = 1
    burns = falls = 0
    for deal in range(40):
        fresh(s, deal, deck)
        while s.reg[t.PHASE] != t.OVER:
            seat = s.reg[t.TURN]
            action = policy.sound(s, seat, policy.WEIGHTS, *rooms())
            burns += action == t.DO_BURN
            kernel_play.act(s, seat, action)
        falls += s.reg[t.FELLS]
    assert burns >= 8
    assert falls * 5 <= burns


@pytest.mark.parametrize("bot", [Steady, Strong])
def test_a_partner_about_to_go_out_is_left_alone(bot: type[Easy]) -> None:
    rules = Gouji()
    state = rules.place(["5A", "3344", "2899JJ", "34456789", "3344", "34567"], 0)
    state = rules.apply(rules.apply(state, 0, Play("A")).state, 1, Pass()).state
    assert chosen(bot(seed=1), state, 2) == Pass()


def test_rolling_out_needs_only_what_the_view_tells() -> None:
    """Two worlds with the same view: the same choice."""
    rules, rng = Gouji(), Stream.of_seed(6)
    start = rules.start()
    state = rules.apply(start, NATURE, rules.chance(start, rng)).state
    for _ in range(25):
        seat = observation.asked(state)[0]
        view = rules.observe(state, seat)
        other = rules.observe(rules.imagine(view, rng), seat)
        for bot in (Easy(seed=1), Steady(seed=1)):
            assert bot.choose(view, 0) == bot.choose(other, 0)
        state = rules.apply(state, seat, Steady().choose(view, 0)).state


def test_what_is_advised_is_what_the_steady_player_plays() -> None:
    rules, rng = Gouji(), Stream.of_seed(7)
    start = rules.start()
    state = rules.apply(start, NATURE, rules.chance(start, rng)).state
    played = 0
    for _ in range(60):
        seat = observation.asked(state)[0]
        view = rules.observe(state, seat)
        action = Steady().choose(view, 0)
        if isinstance(action, Play):
            assert ranked(rules.options, view)[0] == action.cards
            played += 1
        state = rules.apply(state, seat, action).state
    assert played > 20


@pytest.mark.parametrize("budget", [20, 120])
def test_the_strong_player_keeps_the_time(budget: int) -> None:
    rules, rng = Gouji(), Stream.of_seed(3)
    start = rules.start()
    state = rules.apply(start, NATURE, rules.chance(start, rng)).state
    view = rules.observe(state, observation.asked(state)[0])
    Strong().choose(view, budget)
    begun = time.process_time()
    Strong().choose(view, budget)
    assert time.process_time() - begun < budget / 1000 + 0.1


STRENGTH = """
import json
from qipai.core.kernel import buffer
from qipai.games.gouji.kernel import play, policy, table as t
from qipai.games.gouji.selfplay import fresh

s, deck = t.new_table(), buffer(t.DECK)
s.reg[t.BURN_OWN] = 1
out, facts, f = buffer(t.MOST_PLAYS), buffer(policy.KNOWN), buffer(policy.FEATURES)
found = []
for deal in range(60):
    total = 0
    for swapped in (0, 1):
        fresh(s, deal, deck)
        while s.reg[t.PHASE] != t.OVER:
            seat = int(s.reg[t.TURN])
            if seat % 2 == swapped:
                action = policy.sound(s, seat, policy.WEIGHTS, out, facts, f)
            else:
                action = policy.simple(s, seat, out)
            play.act(s, seat, int(action))
        total += int(s.scores[swapped])
    found.append(total / 2)
mean = sum(found) / len(found)
spread = (sum((x - mean) ** 2 for x in found) / (len(found) - 1)) ** 0.5
print(json.dumps([mean, spread / len(found) ** 0.5]))
"""


@pytest.mark.compiled
def test_the_steady_policy_beats_the_simple_one_in_duplicate_deals() -> None:
    env = {**os.environ, "QIPAI_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", STRENGTH], capture_output=True, text=True, env=env, check=True)
    mean, error = json.loads(done.stdout)
    assert mean > 1 + 2 * error
