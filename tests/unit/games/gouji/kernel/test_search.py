"""The strong player's tools against slow, obvious twins."""

from __future__ import annotations

from random import Random

import pytest
from tests.unit.games.gouji import twin

from qipai.core.kernel import buffer, frozen, thawed
from qipai.core.rng import Stream
from qipai.games.gouji import observation
from qipai.games.gouji.bots.steady import rooms
from qipai.games.gouji.bots.strong import hidden
from qipai.games.gouji.imagine import public_table
from qipai.games.gouji.kernel import play, policy, search, value
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.options import Options
from qipai.games.gouji.rules import Gouji, thaw
from qipai.games.gouji.state import State
from qipai.kit import cards as kit
from qipai.kit import tree

RULES = Gouji()


def best(state: State) -> int:
    """The score of side 0 under perfect play, by trying everything."""
    outcome = RULES.outcome(state)
    if outcome is not None:
        return outcome.points[0]
    seat = observation.asked(state)[0]
    found = [best(RULES.apply(state, seat, action).state) for action in RULES.legal(state, seat)]
    return max(found) if seat % 2 == 0 else min(found)


def solved(state: State, most: int = 10**6, slices: int = 1) -> int | None:
    """Its score by the search, in slices of so many positions."""
    s, out = thaw(state), buffer(t.MOST_PLAYS)
    rooms = buffer(search.DEPTH * search.CELLS), buffer(search.DEPTH * search.WIDTH), buffer(search.DEPTH * tree.PLY)
    return tree.solved(lambda depth: search.solve(s, depth, most, *rooms, out), slices, lambda: True)


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 25))])
def test_the_exact_search_finds_what_trying_everything_finds(seed: int) -> None:
    random = Random(seed)
    gone = random.sample(range(6), seed % 3)
    hands = ["" if seat in gone else twin.sort(random.choices("59KA2xX", k=2)) for seat in range(6)]
    leader = next(seat for seat in range(6) if seat not in gone)
    state = RULES.place(hands, leader, out=gone)
    while RULES.outcome(state) is None and sum(state.hands) > 7:  # more are too many to try by hand
        seat = observation.asked(state)[0]
        state = RULES.apply(state, seat, random.choice(list(RULES.legal(state, seat)))).state
    assert solved(state) == best(state)
    assert solved(state, 3, 10**6) == best(state)  # as often as it is left and gone on with


def test_a_search_that_is_too_long_says_so() -> None:
    state = RULES.place(["345678", "456789", "56789T", "6789TJ", "789TJQ", "89TJQK"], 0)
    assert solved(state, most=100) is None
    assert solved(state, most=10, slices=10) is None


def test_a_search_is_left_when_its_time_is_up() -> None:
    asked = []
    assert tree.solved(lambda depth: asked.append(depth) or tree.PAUSED + 7, 5, lambda: False) is None  # type: ignore[func-returns-value]
    assert asked == [0]
    asked.clear()
    assert tree.solved(lambda depth: asked.append(depth) or tree.PAUSED + 7, 5, lambda: True) is None  # type: ignore[func-returns-value]
    assert asked == [0, 7, 7, 7, 7]
    assert tree.solved(lambda depth: tree.UNSOLVED if depth else tree.PAUSED + 1, 5, lambda: True) is None


def test_what_is_put_aside_comes_back() -> None:
    s = thaw(RULES.place(["34KK", "59AAx", "6677", "88QQ", "4455", "3344"], 0))
    stack, before = buffer(search.DEPTH * search.CELLS), [frozen(cells) for cells in s]
    search.save(s, stack, 3)
    out = buffer(t.MOST_PLAYS)
    for _ in range(6):
        play.act(s, s.reg[t.TURN], out[0] if play.legal(s, s.reg[t.TURN], out) else 0)
    search.restore(s, stack, 3)
    after = [frozen(cells) for cells in s]
    kept = (0, 3, 4, 5, 6)  # hands, registers, out, fell, bound
    assert [after[i] for i in kept] == [before[i] for i in kept]


@pytest.mark.parametrize("partners_view", [False, True])
def test_imagined_hands_have_the_right_sizes_and_use_up_the_deck(partners_view: bool) -> None:
    options = Options(partners_view=partners_view)
    rules, rng, random = Gouji(options), Stream.of_seed(5), Random(5)
    start = rules.start()
    state = rules.apply(start, -1, rules.chance(start, rng)).state
    while rules.outcome(state) is None:
        seat = observation.asked(state)[0]
        if rules.turn(state).ask != "burn" and random.random() < 0.2:
            view = rules.observe(state, seat)
            want, held, cards = hidden(options, view)
            world = t.new_table()
            search.imagine(public_table(options, view), world, want, cards, held, random.randrange(10**6))
            assert observation.hand_of(state, seat) == tuple(world.hands[seat * 15 : seat * 15 + 15])
            for other in range(6):
                assert kit.held(world.hands, other * t.CARDS, t.CARDS) == sum(observation.hand_of(state, other))
            for card in range(15):
                assert sum(world.hands[card::15]) == sum(state.hands[card::15])
        state = rules.apply(state, seat, random.choice(list(rules.legal(state, seat)))).state


def test_looking_ahead_to_the_end_is_the_score_and_sooner_a_guess_at_it() -> None:
    room, x = rooms(), buffer(value.CELLS)
    rules, rng = Gouji(), Stream.of_seed(6)
    right = total = 0
    for _ in range(12):
        start = rules.start()
        state = rules.apply(start, -1, rules.chance(start, rng)).state
        end, middle = thaw(state), thaw(state)
        score = value.look_ahead(end, 10**6, policy.WEIGHTS, value.VALUES, *room, x)
        assert score == end.scores[0] * value.SCALE
        guess = value.look_ahead(middle, 16, policy.WEIGHTS, value.VALUES, *room, x)
        assert -12 * value.SCALE <= guess <= 12 * value.SCALE
        total += score != 0
        right += (guess > 0) == (score > 0) and score != 0
    assert right * 3 >= total * 2


def test_a_picture_of_the_other_side_is_its_negative() -> None:
    hands = ["34KK", "59AAx", "6677", "88QQ", "4455", "3344"]
    turned = [hands[(seat - 1) % 6] for seat in range(6)]
    pictures = []
    for cards, leader in ((hands, 2), (turned, 3)):
        x = buffer(value.CELLS)
        assert value.picture(thaw(RULES.place(cards, leader)), x) == 0
        pictures.append(frozen(x))
    assert pictures[1] == tuple(-n for n in pictures[0])
    assert any(pictures[0])


def test_weights_are_as_many_as_are_read() -> None:
    assert len(thawed(policy.WEIGHTS)) == policy.CONTEXTS * policy.FEATURES + policy.BURN_FEATURES
    assert len(thawed(value.VALUES)) == value.STAGES * value.CELLS
