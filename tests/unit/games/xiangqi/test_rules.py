"""The game as a state machine (xiangqi 4, 6, 7, 10)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from qipai.core.contract import NATURE, IllegalAction, Malformed, play
from qipai.core.rng import Stream
from qipai.games.xiangqi import ENTRY
from qipai.games.xiangqi.options import Options, TimeControl, wire_clock
from qipai.games.xiangqi.position import START_FEN, format_fen, parse_fen, to_board
from qipai.games.xiangqi.rules import SETUP, Xiangqi
from qipai.games.xiangqi.state import (
    Abandon,
    AcceptDraw,
    AcceptTime,
    Agreed,
    DeclineDraw,
    DeclineTime,
    Ended,
    FlagFall,
    Move,
    Moved,
    OfferDraw,
    ProposeTime,
    Ready,
    Resign,
    Started,
    State,
    Warned,
)

# The red chariot checks from d4 and e4 by turns; the black general goes to and fro.
CHECKS = "3k5/9/9/9/9/3R5/9/9/9/5K3 b - - 0 1"
ROUND = ("d9e9", "d4e4", "e9d9", "e4d4")
CHASE = "3k5/9/9/9/9/9/9/9/cr1CAK3/9 w"
CHASED = ("d1d3", "b1b3", "d3d1", "b3b1")


def rules(**options: Any) -> Xiangqi:
    return Xiangqi(msgspec.convert(options, Options))


def after(game: Xiangqi, *moves: str, fen: str = START_FEN) -> State:
    state = game.at(parse_fen(fen))
    for move in moves:
        state = play(game, state, state.position.side, Move(move)).state
    return state


def refusal(game: Xiangqi, state: State, seat: int, action: Any) -> str | None:
    found = game.refuse(state, seat, ENTRY.act(action) if isinstance(action, dict) else action)
    return found.code if found else None


def test_red_moves_first_and_the_sides_alternate() -> None:
    game = rules()
    state = game.start()
    assert game.turn(state).seats == {0}
    state = after(game, "h2e2")
    assert game.turn(state).seats == {1}
    assert refusal(game, state, 0, Move("h0g2")) == "not_your_turn"
    assert refusal(game, state, 1, Move("h9g7")) is None


def test_a_refused_move_is_an_error_only_at_the_door() -> None:
    game = rules()
    with pytest.raises(IllegalAction, match="leg_blocked"):
        play(game, game.start(), 0, Move("b0d1"))


def test_mate_wins_two_points() -> None:
    game = rules()
    state = after(game, "b0b9", fen="3k5/R8/9/9/9/9/9/9/9/1R2K4 w")
    outcome = game.outcome(state)
    assert outcome is not None
    assert (outcome.points, outcome.places, outcome.why, outcome.carry) == ((2, -2), (1, 2), "checkmate", None)
    assert game.turn(state).seats == set()
    assert not list(game.legal(state, 1))


def test_who_cannot_move_has_lost() -> None:
    game = rules()
    assert after(game, "e7e8", fen="3k5/9/4P4/9/9/9/9/9/9/4K4 w").why == "stalemate"


def test_what_ends_a_game_is_looked_at_in_order() -> None:
    """R10: the move that mates, repeats nothing and reaches every limit at once is a mate."""
    game = rules(move_limit=1, move_limit_unit="ply", no_capture_limit=1, repetition_count=2)
    assert after(game, "b0b9", fen="3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 1 1").why == "checkmate"
    game = rules(repetition_count=2, no_capture_limit=2, move_limit=2)
    assert after(game, *ROUND, fen=CHECKS).why == "perpetual_check"
    assert after(rules(no_capture_limit=2, move_limit=2), *ROUND, fen=CHECKS).why == "no_capture_limit"
    assert after(rules(move_limit=2), *ROUND, fen=CHECKS).why == "move_limit"
    state = after(rules(dead_draw=True, move_limit=1, move_limit_unit="ply"), "e0e1", fen="3k5/9/9/9/9/9/9/9/4p4/4K4 w")
    assert state.why == "dead_draw"


def test_the_count_of_quiet_plies_goes_on_from_the_fen() -> None:
    """R15 counts plies in a row, and a FEN says how many there have been."""
    game = rules(no_capture_limit=10)
    assert after(game, "a1a2", fen="3k5/9/9/9/9/9/9/9/R8/5K3 w - - 18 10").why is None
    assert after(game, "a1a2", "d9d8", fen="3k5/9/9/9/9/9/9/9/R8/5K3 w - - 18 10").why == "no_capture_limit"


def test_a_limit_for_each_side_waits_for_both_whoever_began() -> None:
    game = rules(move_limit=1)
    fen = START_FEN.replace(" w ", " b ")
    assert after(game, "h7e7", fen=fen).why is None
    assert after(game, "h7e7", "h2e2", fen=fen).why == "move_limit"
    assert after(rules(move_limit=0), "h2e2", "h7e7").why is None


def test_the_warning_names_who_must_vary_and_what_each_ply_did() -> None:
    game = rules()
    state = after(game, *ROUND[:3], fen=CHECKS)
    assert (state.repetition_count, state.warned, state.cycle) == (1, None, ())
    step = play(game, state, 0, Move(ROUND[3]))
    warning = next(told.event for told in step.told if isinstance(told.event, Warned))
    assert (warning.seat, warning.count) == (0, 2)
    assert [(deed.m, deed.does) for deed in warning.cycle] == [
        ("d9e9", "idle"),
        ("d4e4", "check"),
        ("e9d9", "idle"),
        ("e4d4", "check"),
    ]
    assert step.state.warned == 0
    state = after(game, *ROUND, *ROUND, fen=CHECKS)
    assert (state.why, state.winner, len(state.cycle)) == ("perpetual_check", 1, 8)


def test_a_warning_may_name_nobody() -> None:
    game = rules()
    state = after(game, *CHASED[:3], fen=CHASE)
    step = play(game, state, 1, Move(CHASED[3]))
    assert [told.event.seat for told in step.told if isinstance(told.event, Warned)] == [None]
    assert after(game, *CHASED, *CHASED, fen=CHASE).why == "repetition"


def test_a_chase_names_its_victim_where_it_stands() -> None:
    state = after(rules(repetition="asian"), *CHASED, *CHASED, fen=CHASE)
    assert (state.why, state.winner) == ("perpetual_chase", 0)
    assert [deed.chased for deed in state.cycle if deed.seat == 1] == [("d3",), ("d1",)] * 2
    assert after(rules(repetition="cxa"), *CHASED, *CHASED, fen=CHASE).why == "long_attack"


def test_with_count_two_nothing_warns_before_the_end() -> None:
    game = rules(repetition_count=2)
    told = [play(game, after(game, *ROUND[:n], fen=CHECKS), n % 2 ^ 1, Move(ROUND[n])).told for n in range(4)]
    assert not any(isinstance(one.event, Warned) for step in told for one in step)
    assert isinstance(told[3][-1].event, Ended)


def test_a_capture_makes_earlier_positions_unreachable() -> None:
    state = after(rules(), "h2h9", "i9h9")
    assert state.captured == ("C", "n")
    assert state.keys == (to_board(state.position).keys[0],)
    state = play(rules(), state, 0, Move("i0i1")).state
    assert state.keys[1:] == (to_board(state.position).keys[0],)


# R12


def test_a_draw_is_offered_once_a_turn_and_stands_until_it_is_answered() -> None:
    game = rules()
    state = play(game, game.start(), 0, OfferDraw()).state
    turn = game.turn(state)
    assert (turn.seats, turn.ask, dict(turn.aside)) == ({0, 1}, "play", {1: "answer"})  # type: ignore[comparison-overlap]
    assert refusal(game, state, 0, OfferDraw()) == "offer_pending"
    assert refusal(game, state, 0, AcceptDraw()) == "no_offer"
    declined = play(game, state, 1, DeclineDraw()).state
    assert refusal(game, declined, 0, OfferDraw()) == "offer_too_soon"
    moved = play(game, state, 0, Move("h2e2")).state
    assert moved.offer == 0
    assert game.turn(moved).seats == {1}
    assert refusal(game, moved, 1, OfferDraw()) == "offer_pending"
    assert play(game, moved, 1, AcceptDraw()).state.why == "agreement"
    assert play(game, moved, 1, Move("h9g7")).state.offer is None
    declined = play(game, moved, 1, DeclineDraw()).state
    assert refusal(game, declined, 1, OfferDraw()) is None
    again = play(game, play(game, declined, 1, Move("h9g7")).state, 0, OfferDraw()).state
    assert again.offer == 0


def test_only_the_side_on_turn_offers() -> None:
    game = rules()
    assert refusal(game, game.start(), 1, OfferDraw()) == "not_your_turn"
    assert refusal(game, game.start(), 1, DeclineDraw()) == "no_offer"


def test_resigning_is_possible_out_of_turn() -> None:
    state = play(rules(), rules().start(), 1, Resign()).state
    assert (state.winner, state.why) == (0, "resign")


def test_the_hall_says_who_has_gone_and_whose_flag_has_fallen() -> None:
    game = rules()
    state = game.start()
    assert refusal(game, state, NATURE, FlagFall(1)) == "not_your_turn"
    assert play(game, state, NATURE, FlagFall(0)).state.why == "timeout"
    gone = play(game, state, NATURE, Abandon(1)).state
    assert (gone.winner, gone.why) == (0, "abandon")
    assert ENTRY.leaving.flag is not None
    assert ENTRY.leaving.gone is not None
    assert (ENTRY.leaving.flag(1), ENTRY.leaving.gone(0)) == (FlagFall(1), Abandon(0))
    assert not ENTRY.leaving.substitute(Options())
    assert ENTRY.leaving.price(game.observe(state, 0)) == -2
    assert ENTRY.leaving.price(game.observe(game.start(SETUP), 0)) == 0


def test_codes_come_in_the_order_of_section_ten() -> None:
    game = rules()
    state = game.start()
    over = play(game, state, 0, Resign()).state
    setup = game.start(SETUP)
    cases: list[tuple[State, int, Any, str]] = [
        (over, 7, {"a": "fly"}, "game_over"),
        (over, 0, Move("h2e2"), "game_over"),
        (state, 2, {"a": "fly"}, "bad_seat"),
        (state, -2, Move("h2e2"), "bad_seat"),
        (state, 0, FlagFall(7), "bad_seat"),
        (state, NATURE, Abandon(-1), "bad_seat"),
        (state, 0, {"a": "fly"}, "bad_action"),
        (state, 0, {}, "bad_action"),
        (state, 0, {"a": 1}, "bad_action"),
        (state, 0, {"a": "move"}, "bad_action"),
        (state, 0, {"a": "move", "m": 5}, "bad_action"),
        (state, 0, {"a": "move", "m": "h2e2", "n": 1}, "bad_action"),
        (state, NATURE, {"a": "flag_fall", "seat": "0"}, "bad_action"),
        (state, NATURE, {"a": "flag_fall"}, "bad_action"),
        (state, 0, Abandon(0), "bad_action"),
        (state, NATURE, Move("h2e2"), "bad_action"),
        (state, NATURE, Resign(), "bad_action"),
        (state, 0, Ready(), "bad_action"),
        (state, 1, AcceptTime(), "bad_action"),
        (setup, 0, {"a": "propose_time", "tc": 5}, "bad_action"),
        (setup, 0, {"a": "propose_time"}, "bad_action"),
        (setup, 0, Move("nonsense"), "not_started"),
        (setup, 1, Resign(), "not_started"),
        (setup, NATURE, Abandon(0), "not_started"),
        (state, 1, Move("nonsense"), "not_your_turn"),
        (state, 0, Move("nonsense"), "bad_move"),
        (state, 0, Move("H2E2"), "bad_move"),
        (state, 0, Move("h2h2"), "bad_move"),
    ]
    for given, seat, action, code in cases:
        assert refusal(game, given, seat, action) == code, (seat, action)


def test_refusing_changes_nothing() -> None:
    game = rules()
    state = after(game, "h2e2")
    before = msgspec.json.encode(state)
    for action in (Move("a0a1"), Move("e0e9"), OfferDraw(), AcceptDraw(), Malformed("fly")):
        game.refuse(state, 0, action)
    assert msgspec.json.encode(state) == before


# R4


def test_generals_may_face_under_forfeit_and_it_loses() -> None:
    fen = "4k4/9/9/9/4N4/9/9/9/9/4K4 w"
    assert refusal(rules(), after(rules(), fen=fen), 0, Move("e5f7")) == "generals_facing"
    game = rules(facing_generals="forfeit")
    state = after(game, fen=fen)
    assert Move("e5f7") not in list(game.legal(state, 0))
    step = play(game, state, 0, Move("e5f7"))
    assert (step.state.winner, step.state.why) == (1, "generals_facing")
    assert [told.event.check for told in step.told if isinstance(told.event, Moved)] == [False]
    assert not game.observe(step.state, 0).check


def test_forfeit_is_for_facing_alone() -> None:
    game = rules(facing_generals="forfeit")
    exposed = after(game, fen="4k4/9/9/9/9/9/9/5n3/9/3K5 w")
    assert refusal(game, exposed, 0, Move("d0e0")) == "exposes_general"
    # In check from a chariot, the general steps onto the other's file and is hit by a horse there as well.
    checked = after(game, fen="4k4/9/9/9/9/9/9/5n3/9/r2K5 w")
    assert refusal(game, checked, 0, Move("d0e0")) == "still_in_check"


# The talk before the start


def test_a_clock_is_agreed_before_the_start() -> None:
    game = rules(time_control={"first_s": 1200})
    state = game.start(SETUP)
    assert game.turn(state).seats == {0, 1}
    assert refusal(game, state, 1, AcceptTime()) == "no_offer"
    state = play(game, state, 1, Ready()).state
    state = play(game, state, 0, ProposeTime({"first_moves": 20})).state
    assert state.ready == (False, False)
    assert game.turn(state).seats == {1}
    assert refusal(game, state, 1, Ready()) == "time_not_agreed"
    assert refusal(game, state, 0, Ready()) == "time_not_agreed"
    assert refusal(game, state, 0, DeclineTime()) == "no_offer"
    step = play(game, state, 1, AcceptTime())
    assert step.told[0].event == Agreed(1, TimeControl(first_s=1200, first_moves=20))
    state = play(game, step.state, 0, Ready()).state
    state = play(game, state, 0, Ready()).state
    step = play(game, state, 1, Ready())
    assert step.state.phase == "play"
    assert step.told[-1].event == Started(TimeControl(first_s=1200, first_moves=20))


def test_a_declined_clock_leaves_the_rooms() -> None:
    game = rules()
    state = play(game, game.start(SETUP), 0, ProposeTime({"first_s": 60})).state
    state = play(game, state, 1, ProposeTime({"first_s": 90})).state
    assert state.proposal is not None
    assert state.proposal.seat == 1
    state = play(game, state, 0, DeclineTime()).state
    assert (state.proposal, state.time_control) == (None, TimeControl())


@pytest.mark.parametrize(
    "tc",
    [
        {"first_s": 0},
        {"first_s": -1},
        {"first_s": 1.5},
        {"first_s": 60.0},
        {"first_s": True},
        {"first_s": "60"},
        {"seconds": 60},
        {"next_moves": 0},
        {"carry": 1},
        {"increment_s": None},
    ],
)
def test_what_is_no_clock_is_a_bad_action(tc: dict[str, Any]) -> None:
    game = rules()
    assert refusal(game, game.start(SETUP), 0, ProposeTime(tc)) == "bad_action"


def test_a_clock_without_periods_needs_no_later_moves() -> None:
    game = rules()
    assert refusal(game, game.start(SETUP), 0, ProposeTime({"first_moves": 0, "next_moves": 0})) is None


# Options, views, hints


def test_a_handicap_position_replaces_the_standard_one() -> None:
    fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR b - - 0 1"
    assert format_fen(rules(handicap_fen=fen).start().position) == fen


@pytest.mark.parametrize("fen", ["", "9/9", "4k4/9/9/9/9/9/9/9/9/4K4 w", "1R1k5/R8/9/9/9/9/9/9/9/4K4 b"])
def test_a_handicap_must_be_a_position_one_can_play(fen: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"handicap_fen": fen}, Options)


@pytest.mark.parametrize(
    "options",
    [
        {"repetition": "fide"},
        {"repetition_count": 1},
        {"repetition_count": 6},
        {"move_limit": -1},
        {"dead_draw": 1},
        {"time_control": {"next_moves": 0}},
        {"colour": "red"},
    ],
)
def test_options_are_what_section_seven_allows(options: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, Options)


def test_the_wire_knows_the_clock_as_stages() -> None:
    assert wire_clock(Options()) == {
        "type": "stages",
        "stages": [{"s": 3600, "moves": 30}, {"s": 600, "moves": 10}],
        "carry": True,
        "inc": 0,
        "per_move": 0,
    }
    one = msgspec.convert({"time_control": {"first_s": 300, "first_moves": 0, "increment_s": 5}}, Options)
    assert wire_clock(one)["stages"] == [{"s": 300, "moves": 0}]
    assert wire_clock(one)["inc"] == 5


def test_everybody_sees_the_same() -> None:
    game = rules()
    state = after(game, "h2e2", "h7e7", "e2e6")
    views = [game.observe(state, seat) for seat in (None, 0, 1)]
    assert len({msgspec.json.encode(msgspec.structs.replace(view, you=None)) for view in views}) == 1
    assert views[1].check
    assert views[1].captured == ("", "p")
    assert [ply.zh for ply in views[1].plies] == ["炮二平五", "炮8平5", "炮五进四"]
    assert game.imagine(views[0], Stream.of_seed(1)) == state


def test_hints_light_up_every_legal_move_of_the_side_on_turn() -> None:
    game = rules()
    state = after(game, "h2e2")
    hint = ENTRY.hints(game.options, game.observe(state, 1))
    lit = {origin + target for origin, targets in hint.moves.items() for target in targets}
    assert lit == {action.m for action in game.legal(state, 1) if isinstance(action, Move)}
    assert (hint.offer_draw, hint.answer_draw, hint.resign) == (True, False, True)
    waiting = ENTRY.hints(game.options, game.observe(state, 0))
    assert (waiting.moves, waiting.offer_draw, waiting.resign) == ({}, False, True)
    assert ENTRY.hints(game.options, game.observe(state, None)) is None
    offered = play(game, state, 1, OfferDraw()).state
    assert ENTRY.hints(game.options, game.observe(offered, 0)).answer_draw
    assert not ENTRY.hints(game.options, game.observe(offered, 1)).offer_draw


def test_hints_before_the_start() -> None:
    game = rules()
    state = play(game, game.start(SETUP), 0, ProposeTime({"first_s": 60})).state
    mine, other = (ENTRY.hints(game.options, game.observe(state, seat)) for seat in (0, 1))
    assert (mine.ready, mine.answer_time, other.answer_time) == (False, False, True)
    assert ENTRY.hints(game.options, game.observe(game.start(SETUP), 0)).ready


def test_who_is_absent_does_something_that_is_allowed() -> None:
    game = rules()
    for state in (game.start(), game.start(SETUP), play(game, game.start(), 0, OfferDraw()).state):
        for seat in game.turn(state).seats:
            assert game.refuse(state, seat, game.idle(state, seat)) is None
