"""How fast the rules of mahjong are (`qipai bench engine mahjong`), beside RLCard's mahjong and PyPI's win check."""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import metadata
from typing import Any

from qipai.core.kernel import Buffer, buffer, kernel, lcg, thawed
from qipai.core.measure import Row, Target, Work
from qipai.games.mahjong.batch import BATCHED
from qipai.games.mahjong.kernel import forms, play, policy, shape
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import cells
from qipai.games.mahjong.selfplay import fresh
from qipai.kit.selfplay import one_by_one

__all__ = ["rows"]


def rows() -> Sequence[Row]:
    """Return what is measured: random hands, win checks, waits, roll-outs, the rules as the hall calls them."""
    bare = "RLCard mahjong, bare"
    return (
        Row(
            "random hands",
            "games",
            hands,
            {bare: rlcard_bare, "RLCard mahjong, its environment": rlcard_env},
            (Target("interpreted", bare, 5.0), Target("compiled", bare, 50.0)),
        ),
        Row(
            "questions with what the seat knows and all answers in numbers",
            "games",
            numbers,
            {"RLCard mahjong, its environment": rlcard_env},
            (Target("compiled", "RLCard mahjong, its environment", 10.0),),
        ),
        Row("does a hand win", "checks", wins, {"PyPI mahjong": pypi_wins}, most_us={"compiled": 0.3}),
        Row("waits of a hand of 13", "hands", waits),
        Row("roll-outs by the steady player's policy", "games", rollouts),
        Row("random hands, one by one from Python", "decisions", steps),
    )


def new() -> t.Table:
    """Return an empty table with the default rules."""
    return t.new_table(cells(Options()), forms.forms())


def hands() -> Work:
    """Play random hands in the kernel, from the deal to the ledger."""
    s, out, trace, seed = new(), buffer(t.MOST), buffer(1), 1

    def once() -> int:
        nonlocal seed
        seed = fresh(s, seed)
        play.play_at_random(s, seed, out, trace)
        return 1

    return Work(once)


def numbers() -> Work:
    """Play random hands as programs that learn do (`arena/batch.py`), every question and every answer in numbers."""
    s = BATCHED.table(Options())
    known, codes, told = buffer(BATCHED.known, 16), buffer(BATCHED.most), buffer(2 + t.SEATS, 64)
    said, seed = buffer(BATCHED.most * BATCHED.said, 8), 1

    def once() -> int:
        nonlocal seed
        seed = int(BATCHED.deal(s, seed))
        seed = int(BATCHED.go_on(s, 0, 0, seed, known, codes, told))
        while told[0] >= 0:
            many = int(told[1])
            BATCHED.describe(codes, many, said)
            seed = int(BATCHED.go_on(s, int(told[0]), int(codes[(seed >> 8) % many]), lcg(seed), known, codes, told))
        return 1

    return Work(once)


def rollouts() -> Work:
    """Play hands in the kernel, every seat by its policy."""
    s, out, taste, seed = new(), buffer(t.MOST), thawed(policy.TASTE), 1
    costs = shape.costs()

    def once() -> int:
        nonlocal seed
        seed = fresh(s, seed)
        play_out(s, costs, taste, out)
        return 1

    return Work(once)


@kernel
def play_out(s: t.Table, costs: Buffer, taste: Buffer, out: Buffer) -> None:
    """Play a dealt hand to its end by the sound policy."""
    b = s.b
    while b[t.PHASE] != t.END:
        seat = play.to_act(s)
        play.act(s, seat, policy.sound(s, costs, taste, seat, out))


HANDS = 64  # hands that are looked at in turn


def drawn(tiles: int) -> list[list[int]]:
    """Return hands of so many tiles, each half of them near a win, by kind."""
    luck = random.Random(7)
    found: list[list[int]] = []
    while len(found) < HANDS:
        pool = [kind for kind in range(18) for _ in range(4)]
        if len(found) % 2:
            first = luck.sample(range(7), 2)
            hand = [first[0] + i for i in range(3)] + [first[1] + i for i in range(3)]
            hand += [9 + luck.randrange(7) + i for i in range(3)] + [17] * 3 + [9, 9]
            hand = hand[:tiles]
        else:
            hand = luck.sample(pool, tiles)
        if max(hand.count(kind) for kind in hand) <= 4:
            found.append(sorted(hand))
    return found


@kernel
def check_all(forms_of: Buffer, keys: Buffer, odd: Buffer, n: int, rounds: int) -> int:
    """Check n hands for a win so many times; return how many won."""
    found = 0
    for _ in range(rounds):
        for i in range(n):
            if forms.whole(forms_of, keys[3 * i], keys[3 * i + 1], keys[3 * i + 2], odd[i], 0, 0, -1):
                found += 1
    return found


@kernel
def wait_all(forms_of: Buffer, keys: Buffer, odd: Buffer, n: int, rounds: int) -> int:
    """Look for the waits of n hands so many times; return how many waited for something."""
    found = 0
    for _ in range(rounds):
        for i in range(n):
            if forms.wanted(forms_of, keys[3 * i], keys[3 * i + 1], keys[3 * i + 2], odd[i], 0, 0, -1):
                found += 1
    return found


def packed(tiles: int) -> tuple[Buffer, Buffer]:
    """Return the keys and odd kinds of the hands that are looked at."""
    keys, odd = buffer(3 * HANDS), buffer(HANDS)
    for i, hand in enumerate(drawn(tiles)):
        for kind in hand:
            keys[3 * i + t.SUIT[kind]] += t.STEP[kind]
            odd[i] ^= 1 << kind
    return keys, odd


ROUNDS = 20


def wins() -> Work:
    """Check hands of 14 for a win."""
    keys, odd = packed(14)
    book = forms.forms()

    def once() -> int:
        check_all(book, keys, odd, HANDS, ROUNDS)
        return HANDS * ROUNDS

    return Work(once)


def waits() -> Work:
    """Find the waits of hands of 13."""
    keys, odd = packed(13)
    book = forms.forms()

    def once() -> int:
        wait_all(book, keys, odd, HANDS, ROUNDS)
        return HANDS * ROUNDS

    return Work(once)


def pypi_wins() -> Work:
    """Check the same hands with PyPI's `mahjong`."""
    from mahjong.agari import Agari

    laid = [[hand.count(kind) for kind in range(27)] + [0] * 7 for hand in drawn(14)]

    def once() -> int:
        for hand in laid:
            Agari.is_agari(hand)
        return HANDS

    return Work(once, version=metadata.version("mahjong"))


def rlcard_bare() -> Work:
    """Play random games of RLCard's mahjong without its environment."""
    from rlcard.games.mahjong import Game

    seed = 1

    def once() -> int:
        nonlocal seed
        game: Any = Game()
        state, _ = game.init_game()
        while not game.is_over():
            seed = lcg(seed)
            actions = state["action_cards"]
            if state["valid_act"] != ["play"]:
                actions = state["valid_act"]
            state, _ = game.step(actions[(seed >> 8) % len(actions)])
        return 1

    return Work(once, version=metadata.version("rlcard"))


def rlcard_env() -> Work:
    """Play random games of RLCard's mahjong through its environment."""
    import rlcard
    from rlcard.agents import RandomAgent

    env: Any = rlcard.make("mahjong", config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def once() -> int:
        env.run(is_training=False)
        return 1

    return Work(once, version=metadata.version("rlcard"))


def steps() -> Work:
    """Play random hands as the hall does, with `turn`, `legal` and `apply`; an operation is a decision."""
    from qipai.games.mahjong.rules import Mahjong

    rules, luck = Mahjong(), random.Random(1)
    return one_by_one(rules, lambda state, seat: luck.choice(list(rules.legal(state, seat))))
