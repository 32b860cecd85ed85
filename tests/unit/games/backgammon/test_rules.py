"""The match round the board: what is refused, the cube, offers, Crawford, leaving; beyond the cases of the spec."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.contract import NATURE, Malformed
from qipai.core.rng import Stream
from qipai.games.backgammon import ENTRY
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.position import format_position
from qipai.games.backgammon.rules import Backgammon
from qipai.games.backgammon.state import (
    Accept,
    Dice,
    Double,
    Drop,
    Ended,
    Leave,
    Move,
    OfferDraw,
    Opening,
    Play,
    Reject,
    Resign,
    Roll,
    Rolled,
    State,
    Take,
)


def run(rules: Backgammon, *steps: tuple[int, Any], state: State | None = None) -> State:
    state = rules.start() if state is None else state
    for seat, action in steps:
        assert rules.refuse(state, seat, action) is None, (seat, action, rules.refuse(state, seat, action))
        state = rules.apply(state, seat, action).state
    return state


OPENED = ((NATURE, Opening((3, 1))), (0, Play("8/5 6/5")))


def test_dice_are_drawn_first_die_first_and_for_seat_0_in_the_opening() -> None:
    rules, luck, same = Backgammon(Options()), Stream.of_seed("dice"), Stream.of_seed("dice")
    opening = rules.chance(rules.start(), luck)
    assert opening == Opening((same.die(), same.die()))
    rolling = run(rules, *OPENED, (1, Roll()))
    assert rules.chance(rolling, luck) == Dice((same.die(), same.die()))


def test_a_refused_double_goes_back_to_nothing_and_a_taken_one_changes_hands() -> None:
    rules = Backgammon(Options(match_to=5))
    state = run(rules, *OPENED, (1, Double()), (0, Take()))
    assert (state.cube.value, state.cube.owner, state.phase, state.turn) == (2, 0, "to_roll", 1)
    refusal = rules.refuse(state, 1, Double())
    assert refusal
    assert refusal.code == "cube_not_yours"
    dropped = run(rules, *OPENED, (1, Double()), (0, Drop()))
    assert (dropped.score, dropped.game_no, dropped.cube.value) == ((0, 1), 2, 1)


def test_a_refused_offer_leaves_dice_and_turn_as_they_were() -> None:
    rules = Backgammon(Options())
    before = run(rules, (NATURE, Opening((6, 2))))
    after = run(rules, (0, Resign(2)), (1, Reject()), (0, OfferDraw()), (1, Reject()), state=before)
    assert after == before


def test_the_crawford_game_is_the_first_at_match_point_and_no_other() -> None:
    rules = Backgammon(Options(match_to=3))
    seen = []
    state = rules.start()
    for winner in (0, 0, 1, 1):  # 1:0, 2:0 (now Crawford), 2:1, 2:2
        seen.append(state.crawford)
        first, second = (6, 1) if winner else (1, 6)  # the loser opens and resigns at once
        state = run(rules, (NATURE, Opening((first, second))), (1 - winner, Resign(1)), (winner, Accept()), state=state)
    assert seen == [False, False, True, False]
    assert state.score == (2, 2)
    assert not state.crawford
    assert state.crawford_done


def test_leaving_gives_the_match_away_whatever_the_score() -> None:
    rules = Backgammon(Options(match_to=7))
    state = run(rules, *OPENED, (1, Double()), (0, Take()), (1, Resign(3)), (0, Accept()))
    assert state.score == (6, 0)
    state = run(rules, (NATURE, Leave(0)), state=state)
    outcome = rules.outcome(state)
    assert outcome
    assert (state.winner, outcome.places, outcome.why) == (1, (2, 1), "left")
    assert outcome.points == (-1, 1), "who is left alone has won, with at least the running game"
    assert rules.refuse(state, NATURE, Leave(1)) is not None
    assert rules.turn(state).seats == frozenset()


def test_what_leaving_costs_is_the_cube() -> None:
    rules = Backgammon(Options())
    state = run(rules, *OPENED, (1, Double()), (0, Take()))
    assert ENTRY.leaving.price(rules.observe(state, 0)) == -2
    assert ENTRY.leaving.flag is not None
    assert ENTRY.leaving.flag(1) == Leave(1)
    assert not ENTRY.leaving.substitute(rules.options)


def test_nonsense_is_refused_before_anything_else() -> None:
    rules = Backgammon(Options())
    state = run(rules, *OPENED)
    for raw in ({"a": "dance"}, {"a": "resign", "level": 4}, {"a": "play"}, {"a": "dice", "d": [7, 1]}, 7, {}):
        action = ENTRY.act(raw)
        assert isinstance(action, Malformed)
        for seat in (NATURE, 0, 1):
            refusal = rules.refuse(state, seat, action)
            assert refusal
            assert refusal.code == "bad_action"


def test_a_dance_passes_by_itself_and_is_told() -> None:
    rules = Backgammon(Options(variant="hyper", cube=False))
    from qipai.games.backgammon.conform import begun

    init = {"pos": "bar:1 6:2 / 6:2 5:1", "phase": "to_roll", "turn": 0, "on_roll": 0, "first": False}
    state = run(rules, (0, Roll()), state=begun(rules.options, rules, init))
    step = rules.apply(state, NATURE, Dice((6, 6)))
    assert step.told[0].event == Rolled(0, (6, 6), True)
    assert (step.state.turn, step.state.phase, step.state.lines[-1].text) == (1, "to_roll", "")


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_a_random_match_of_every_variant_ends_and_adds_up(variant: str) -> None:
    options = ENTRY.chosen({"variant": variant, "games": 2})
    rules, luck = Backgammon(options), Stream.of_seed(variant)
    state, events = rules.start(), []
    for _ in range(6000):
        if rules.outcome(state) is not None:
            break
        seat = min(rules.turn(state).seats)
        if seat == NATURE:
            action = rules.chance(state, luck)
        else:
            listed = [a for a in rules.legal(state, seat) if not isinstance(a, Double)]
            action = listed[luck.below(len(listed))]
        step = rules.apply(state, seat, action)
        state = step.state
        events += [told.event for told in step.told]
    outcome = rules.outcome(state)
    if outcome is None:
        assert variant == "suicide", "only anti backgammon goes round for long"
        return
    assert len(state.results) == 2
    won = [sum(last.points for last in state.results if last.winner == seat) for seat in (0, 1)]
    assert tuple(won) == state.score
    assert outcome.points == (won[0] - won[1], won[1] - won[0])
    assert isinstance(events[-1], Ended)


def test_the_variants_are_rows_and_their_defaults_follow() -> None:
    assert ENTRY.chosen({"variant": "race"}).with_cube is False
    assert ENTRY.chosen({"variant": "race", "cube": True}).with_cube is True
    assert ENTRY.chosen({"variant": "grasshopper", "cube": True}).with_cube is False
    assert ENTRY.chosen({"variant": "cloning"}).multiples is False
    assert ENTRY.chosen({"variant": "plakoto"}).rolls_anew is True
    assert set(ENTRY.form.variants) == set(VARIANTS)
    for name, row in VARIANTS.items():
        state = Backgammon(Options(variant=name)).start()  # type: ignore[arg-type]
        assert format_position(state.cells) == f"{row.start} / {row.start}"


def test_the_throw_that_decides_who_begins_is_seen_until_the_next_game() -> None:
    rules = Backgammon(Options(match_to=3))
    state = run(rules, (NATURE, Opening((4, 4))))
    assert rules.observe(state, 0).opening is None
    state = run(rules, (NATURE, Opening((2, 5))), state=state)
    assert rules.observe(state, 0).opening == rules.observe(state, None).opening == (2, 5)
    assert rules.imagine(rules.observe(state, 1), Stream.of_seed("view")).opening == (2, 5)
    state = run(rules, (1, Resign(1)), (0, Accept()), state=state)
    assert rules.observe(state, 0).opening is None


def test_a_hop_that_is_no_move_is_named() -> None:
    rules = Backgammon(Options(variant="grasshopper"))
    state = run(rules, (NATURE, Opening((5, 2))))
    refusal = rules.refuse(state, 0, Move(3, 9))
    assert refusal is not None
    assert (refusal.code, refusal.facts["part"]) == ("illegal_move", "3/9")


def test_the_pictures_of_the_rules_are_positions() -> None:
    from qipai import lang
    from qipai.games.backgammon.position import parse_position, side_text

    words = lang.of_game("backgammon", "zh-CN")
    pictures = {key.split(".")[1]: words[key] for key in words if key.startswith("picture.") and "position" in key}
    assert pictures.keys() >= {"board", "hit", "off", "score", "nackgammon", "hyper", "plakoto", "fevga"}
    for chapter, text in pictures.items():
        row = VARIANTS.get(chapter, VARIANTS["backgammon"])
        cells = parse_position(row, text)
        for seat, side in enumerate(text.split(" / ")):
            assert side_text(cells, seat) == side
            assert sum(int(word.partition(":")[2]) for word in side.split()) == row.checkers, (chapter, side)
        if chapter in VARIANTS:
            assert text == f"{row.start} / {row.start}"  # what the rules begin with
        assert words[f"rules.{chapter}.title"]
        assert lang.of_game("backgammon", "en")[f"picture.{chapter}.position"] == text
