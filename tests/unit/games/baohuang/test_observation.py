"""What each seat sees, and what it can imagine."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from qipai.core.contract import play
from qipai.core.kernel import buffer
from qipai.core.rng import Stream
from qipai.games.baohuang import ENTRY
from qipai.games.baohuang.bots.steady import believed
from qipai.games.baohuang.bots.strong import Hidden
from qipai.games.baohuang.kernel import belief, policy, questions
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.notation import PACK
from qipai.games.baohuang.observation import conceal
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.rules import Baohuang
from qipai.games.baohuang.state import Deal, Grab, Hide, Keep, NoGrab, NoRebel, Pass, Play, Rebel, Reveal, State
from qipai.kit.climbing import texts

SOLO = ["79x*X*", "88K", "99Tx", "TTQ", "JJ2"]
GUARD = ["79xX*", "88K", "99Tx*", "TTQ", "JJ2"]


def views(hands: list[str], *moves: tuple[int, Any]) -> list[list[Any]]:
    """What seats 1, 3, 4 and a watcher see after each move."""
    rules = Baohuang()
    state = rules.place(hands)
    seen = []
    for seat, action in moves:
        state = play(rules, state, seat, action).state
        seen.append([rules.observe(state, viewer) for viewer in (1, 3, 4, None)])
    return seen


def test_a_hidden_solo_and_a_hidden_guard_are_one_to_the_others() -> None:
    declined = [(seat, NoGrab()) for seat in range(5)]
    rebels = [(1, Rebel()), (2, NoRebel()), (3, NoRebel()), (4, NoRebel())]
    sets = [(0, Play("7")), (1, Play("8")), (2, Play("T")), (3, Pass()), (4, Pass()), (0, Pass()), (1, Play("K"))]
    solo = views(SOLO, *declined, (0, Keep()), (0, Hide()), *rebels, *sets)
    pair = views(GUARD, *declined, (2, Hide()), *rebels, *sets)
    assert solo[:4] == pair[:4]
    assert solo[4] == solo[5] == pair[4]  # yield and reveal are one `opening`
    assert solo[6:] == pair[5:]


def test_the_hushed_view_is_that_of_the_opening() -> None:
    rules = Baohuang()
    state = rules.place(GUARD)
    for seat in range(5):
        state = play(rules, state, seat, NoGrab()).state
    for viewer in (None, 0, 1, 3, 4):
        assert conceal(rules.observe(state, viewer)) == rules.observe(state, viewer)
    asked = rules.observe(state, 2)
    assert (asked.phase, asked.turn) == ("reveal", (2,))
    assert (conceal(asked).phase, conceal(asked).turn) == ("opening", ())
    dream = rules.imagine(conceal(asked), Stream.of_seed(1))
    refusal = rules.refuse(dream, 2, Reveal())
    assert refusal is not None
    assert refusal.code == "not_your_turn"
    shown = play(rules, state, 2, Reveal()).state
    assert conceal(rules.observe(shown, None)) != rules.observe(shown, None)


def test_only_emperor_and_guard_know_the_mode() -> None:
    rules = Baohuang()
    state = rules.place(GUARD)
    for seat in range(5):
        assert rules.observe(state, seat).mode is None
        state = play(rules, state, seat, NoGrab()).state
    assert [rules.observe(state, seat).mode for seat in range(5)] == ["pair", None, "pair", None, None]
    assert [rules.observe(state, seat).guard for seat in range(5)] == [None, None, 2, None, None]
    assert rules.observe(state, 1).sides == (0, 1, None, None, None)
    assert rules.observe(state, 2).sides == (0, 1, 0, 1, 1)
    assert rules.observe(state, 0).sides == (0, None, None, None, None)
    assert {line.mode for line in rules.observe(state, 1).sheet} == {"pair", "solo_hidden"}
    assert {line.mode for line in rules.observe(state, 0).sheet} == {"pair"}


def test_who_goes_out_without_the_guard_card_is_a_rebel_to_all() -> None:
    rules = Baohuang()
    state = rules.place(["79", "8", "99x*", "TT", "JJ"], {"emperor": 0, "guard": 2, "mode": "pair", "opened": False})
    state = play(rules, play(rules, state, 0, Play("7")).state, 1, Play("8")).state
    view = rules.observe(state, 3)
    assert view.sides == (0, 1, None, 1, None)
    pair = [line for line in view.sheet if line.mode == "pair" and line.open]
    assert [line.places for line in pair] == ["1+4 2+3", "1+5 2+4", "2+5 3+4", "3+5", "4+5"]


def dealt(seed: int, options: Options | None = None) -> tuple[Baohuang, State]:
    rules = Baohuang(options)
    state = rules.start()
    action = rules.chance(state, Stream.of_seed(seed))
    assert isinstance(action, Deal)
    state = rules.apply(state, -1, action).state
    if rules.turn(state).ask == "grab":
        for seat in range(5):
            state = rules.apply(state, seat, NoGrab()).state
    return rules, state


@pytest.mark.parametrize("seed", range(6))
def test_imagined_guards_are_spread_over_all_who_may_guard(seed: int) -> None:
    rules, state = dealt(seed)
    while rules.turn(state).ask not in ("lead", "answer"):
        for seat in rules.turn(state).seats:
            state = rules.apply(state, seat, rules.idle(state, seat)).state
    reg = state.reg
    viewer = next(seat for seat in range(5) if seat not in (reg[t.EMPEROR], reg[t.GUARD]))
    view, rng = rules.observe(state, viewer), Stream.of_seed(seed)
    worlds = [rules.imagine(view, rng) for _ in range(60)]
    assert {world.reg[t.GUARD] for world in worlds} == {-1, *range(5)} - {viewer, reg[t.EMPEROR]}
    for world in worlds:
        assert world.hands[reg[t.EMPEROR] * t.CARDS + t.CROWN] == 1
        assert rules.observe(world, viewer) == view


def test_the_belief_follows_what_a_seat_lets_stand_and_beats() -> None:
    rules, state = dealt(3)
    while rules.turn(state).ask not in ("lead", "answer"):
        for seat in rules.turn(state).seats:
            state = rules.apply(state, seat, rules.idle(state, seat)).state
    emperor = state.reg[t.EMPEROR]
    viewer = next(seat for seat in range(5) if seat not in (emperor, state.reg[t.GUARD]))
    view = rules.observe(state, viewer)
    others = [seat for seat in range(5) if seat not in (emperor, viewer)]
    before = believed(Options(), view)
    assert len({before[seat] for seat in others}) == 1
    tally = [list(row) for row in view.tally]
    tally[others[0]][t.SPARED_EMPEROR] += 4
    after = believed(Options(), msgspec.structs.replace(view, tally=tuple(map(tuple, tally))))
    assert after[others[0]] < before[others[0]]
    assert after[emperor] == -8
    shared = msgspec.structs.replace(view, guard_public=others[1])
    assert [believed(Options(), shared)[seat] for seat in others] == [8, -8, 8]


def test_a_policy_reads_no_card_and_no_role_its_seat_does_not_know() -> None:
    """The steady player chooses the same whatever the hidden hands are."""
    rules, state = dealt(5)
    rng, moves = Stream.of_seed(5), 0
    rooms = buffer(t.MOST_PLAYS), buffer(belief.KNOWN), buffer(policy.FEATURES)
    tuned = (policy.WEIGHTS, questions.OPENING, belief.GUESSES)
    from qipai.games.baohuang.rules import thaw

    while rules.outcome(state) is None and moves < 60:
        seat = min(rules.turn(state).seats)
        truth = int(policy.sound(thaw(state), seat, *tuned, *rooms))
        for _ in range(3):
            dream = thaw(rules.imagine(rules.observe(state, seat), rng))
            assert int(policy.sound(dream, seat, *tuned, *rooms)) == truth
        bot = ENTRY.bots["steady"](rules.options, seed=1)
        action = bot.choose(rules.observe(state, seat), 10)
        state, moves = play(rules, state, seat, action).state, moves + 1  # type: ignore[misc]


def test_the_strong_player_imagines_only_what_fits_its_view() -> None:
    rules, state = dealt(8)
    luck, moves = 7, 0
    while rules.outcome(state) is None and moves < 80:
        seat = min(rules.turn(state).seats)
        view = rules.observe(state, seat)
        world = t.new_table()
        luck = Hidden(rules.options, view).deal(world, luck)
        cells = [tuple(map(int, each)) for each in world]
        written = texts(PACK, cells[0], cells[1])
        dream = State(view.deal, view.first_card, view.trick, view.last, written, *cells)
        assert rules.observe(dream, seat) == view
        state, moves = play(rules, state, seat, rules.idle(state, seat)).state, moves + 1


def test_grabbing_makes_the_marks_mean_nothing() -> None:
    rules = Baohuang()
    state = rules.place(GUARD)
    state = play(rules, play(rules, state, 0, NoGrab()).state, 1, Grab()).state
    view = rules.observe(state, 2)
    assert (view.guard, view.mode, view.sides) == (None, "solo_open", (1, 0, 1, 1, 1))
