"""The players: they take views, obey the rules, decide about the cube, and each is stronger than the one below."""

from __future__ import annotations

import time

import pytest

from qipai.core.contract import NATURE, play
from qipai.core.rng import Stream
from qipai.games.backgammon import ENTRY
from qipai.games.backgammon.bots.cube import Chances, Stake, ahead, decide
from qipai.games.backgammon.bots.met import match_chance
from qipai.games.backgammon.bots.net import UNIT, brain, outcomes
from qipai.games.backgammon.bots.players import Strong, mind
from qipai.games.backgammon.bots.search import after_answers, after_replies
from qipai.games.backgammon.conform import begun as set_up
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.position import board_of, parse_position, start_cells
from qipai.games.backgammon.rules import Backgammon
from qipai.games.backgammon.state import Double, Play, Roll

DICE = [name for name, row in VARIANTS.items() if row.dice]


@pytest.mark.parametrize("variant", list(VARIANTS))
@pytest.mark.parametrize("level", ["easy", "steady", "strong"])
def test_every_level_plays_every_variant_within_the_rules(variant: str, level: str) -> None:
    options = ENTRY.chosen({"variant": variant, "beavers": True, "games": 2})
    rules, luck = Backgammon(options), Stream.of_seed(f"{variant} {level}")
    bots = (ENTRY.bots[level](options, seed=1), ENTRY.bots["easy"](options, seed=2))
    state = rules.start()
    for _ in range(60):
        if rules.outcome(state) is not None:
            break
        seat = min(rules.turn(state).seats)
        action = rules.chance(state, luck) if seat == NATURE else bots[seat].choose(rules.observe(state, seat), 5)
        state = play(rules, state, seat, action).state  # type: ignore[misc]


def test_the_same_question_gets_the_same_answer() -> None:
    rules = Backgammon(Options())
    state = rules.apply(rules.start(), NATURE, ENTRY.act({"a": "opening", "d": [4, 2]})).state  # type: ignore[arg-type]
    for level in ("easy", "steady", "strong"):
        answers = {ENTRY.bots[level](Options(), seed=3).choose(rules.observe(state, 0), 50) for _ in range(3)}
        assert len(answers) == 1


@pytest.mark.parametrize(
    ("dice", "best"), [((3, 1), "8/5 6/5"), ((4, 2), "8/4 6/4"), ((6, 1), "13/7 8/7"), ((6, 5), "24/13")]
)
def test_the_openings_everybody_plays(dice: tuple[int, int], best: str) -> None:
    rules = Backgammon(Options())
    state = rules.apply(rules.start(), NATURE, ENTRY.act({"a": "opening", "d": list(dice)})).state  # type: ignore[arg-type]
    assert ENTRY.bots["steady"](Options()).choose(rules.observe(state, 0), 100) == Play(best)


@pytest.mark.parametrize("variant", DICE)
def test_a_net_knows_who_has_nearly_won(variant: str) -> None:
    options = Options(variant=variant)  # type: ignore[arg-type]
    net = brain(variant)
    count = options.row.checkers
    cells = parse_position(options.row, f"1:1 off:{count - 1} / 6:{count - 1} off:1")
    outcomes(board_of(options, cells), 0, net)
    assert (net.value[0] > 0.9 * UNIT) is not options.row.loses
    outcomes(board_of(options, start_cells(options)), 0, net)
    assert 0.3 * UNIT < net.value[0] < 0.75 * UNIT


def test_easy_answers_at_once_without_a_compiler() -> None:
    rules = Backgammon(Options())
    init = {"pos": "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", "phase": "to_play", "turn": 0, "on_roll": 0, "dice": [1, 1]}
    view = rules.observe(set_up(rules.options, rules, init), 0)
    easy = ENTRY.bots["easy"](Options())
    easy.choose(view, 0)
    begun = time.process_time()
    easy.choose(view, 0)
    assert time.process_time() - begun < 0.1


# The cube


def chances(win: float) -> Chances:
    return Chances(win, 0.0, 0.0, 0.0, 0.0)


def money(**raw: object) -> Stake:
    return Stake(**{"value": 1, "mine": False, "centred": True, "need": 0, "his_need": 0, **raw})  # type: ignore[arg-type]


def test_doubles_are_made_in_the_window_and_taken_below_it() -> None:
    options = Options()
    seen = [(decide(options, money(), chances(p / 100)).double, decide(options, money(), chances(p / 100)).take)
            for p in range(50, 100)]  # fmt: skip
    doubled = [50 + i for i, (double, _) in enumerate(seen) if double]
    taken = [50 + i for i, (_, take) in enumerate(seen) if take]
    assert 65 <= doubled[0] <= 75, "not before there is something to lose by waiting"
    assert 76 <= taken[-1] <= 80, "a fifth to a quarter of the chances is enough with a live cube"


def test_a_match_point_makes_a_dead_cube_free() -> None:
    options = Options(match_to=5, crawford=False)
    trailing = Stake(value=1, mine=False, centred=True, need=3, his_need=1, done=True)
    assert decide(options, trailing, chances(0.5)).double, "who loses the match anyway doubles at once"
    leading = Stake(value=2, mine=True, centred=False, need=2, his_need=4)
    assert not decide(options, leading, chances(0.6)).double, "the cube already decides the match for him"


def test_match_chances_are_sane() -> None:
    assert match_chance(5, 5, False, False) == 0.5
    for mine in range(1, 12):
        for his in range(1, 12):
            here = match_chance(mine, his, False, False)
            assert here + match_chance(his, mine, False, False) == pytest.approx(1)
            assert here >= match_chance(mine + 1, his, False, False) - 1e-9
    assert match_chance(1, 2, True, False) == 0.67736, "Kazaross's table"
    assert match_chance(4, 7, False, False) == 0.69924
    assert match_chance(3, 1, False, True) == pytest.approx(0.32264), "after the Crawford game"
    assert match_chance(0, 3, False, False) == 1.0


def test_match_chances_go_on_beyond_the_table() -> None:
    for done in (False, True):
        for mine in (1, 2, 20, 25, 26, 63):
            chances = [match_chance(mine, his, False, done) for his in range(1, 65)]
            assert chances == sorted(chances)
            assert chances[-1] <= 1


def test_a_race_that_is_won_is_doubled_and_a_level_one_is_not() -> None:
    rules = Backgammon(Options())
    init = {"phase": "to_roll", "turn": 0, "on_roll": 0, "first": False}
    won = set_up(rules.options, rules, {**init, "pos": "6:3 5:3 4:3 3:2 off:4 / 7:3 6:6 5:3 4:3"})
    level = set_up(rules.options, rules, {**init, "pos": "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"})
    steady = ENTRY.bots["steady"](Options())
    assert steady.choose(rules.observe(won, 0), 50) == Double()
    assert steady.choose(rules.observe(level, 0), 50) == Roll()


def test_a_leader_who_wins_with_the_cube_does_not_fear_it_and_a_live_cube_is_dropped_later() -> None:
    options = Options(match_to=7)
    level = Stake(value=1, mine=False, centred=True, need=7, his_need=7)
    taken = [p for p in range(50, 100) if decide(options, level, chances(p / 100)).take]
    assert 75 <= taken[-1] <= 80
    last = Stake(value=2, mine=True, centred=False, need=4, his_need=4)
    taken = [p for p in range(50, 100) if decide(options, last, chances(p / 100)).take]
    assert 55 <= taken[-1] <= 75, "whoever takes plays for the match: he needs what the score after a drop gives him"
    crawford = Stake(value=1, mine=False, centred=True, need=1, his_need=4, crawford=True)
    held = decide(options, crawford, chances(0.9))
    assert held.best == held.hold, "in the Crawford game nobody doubles"


def test_a_sure_win_on_the_next_throw_is_worth_the_throw() -> None:
    options = Options()
    even = ahead(options, money(), [(27, 1), (9, Chances(1.0, 0.0, 0.0, 0.0, 0.0))])
    assert even.taken == pytest.approx(2 * (27 - 9) / 36), "no throw is left in which a cube could matter"
    assert even.double
    assert even.take is (even.taken < 1)


def test_looking_ahead_sees_what_the_last_throws_decide() -> None:
    options = Options()
    own = mind("backgammon")
    player = Strong(options)
    floats = money().terms(options)
    board = board_of(options, parse_position(options.row, "1:1 off:14 / 6:2 off:13"))
    # Seat 0 has moved; seat 1 gets both checkers off with 66, 55, 44, 33 and with nothing else: seat 0 then wins.
    after_replies(board, 0, player.terms(floats, -1), own.net, own.look)
    assert own.look.mean[0] / UNIT == pytest.approx(32 / 36, abs=0.02)
    after_answers(board, 0, player.terms(floats, 1), player.terms(floats, -1), own.net, own.look, own.deeper)
    assert own.look.mean[0] / UNIT == pytest.approx(32 / 36, abs=0.001), "after two throws nothing is left to guess"
    assert list(own.look.mean[1:]) == [0, 0, 0, 0]
