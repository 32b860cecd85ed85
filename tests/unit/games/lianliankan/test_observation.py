"""What a seat sees: its own board, of the others what is public, and never the text before the end."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from qipai.core.contract import play
from qipai.core.rng import Stream
from qipai.games.lianliankan import ENTRY
from qipai.games.lianliankan.hints import hints
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.rules import Lianliankan
from qipai.games.lianliankan.state import State, View

SMALL = Options(rows=4, cols=6, kinds=6)
OPEN = msgspec.structs.replace(SMALL, show_boards="all")


def begun(options: Options, seats: int = 3) -> tuple[Lianliankan, State]:
    rules = Lianliankan(options, seats)
    state = rules.start()
    state = play(rules, state, -1, rules.chance(state, Stream.of_seed(4))).state
    return rules, play(rules, state, 1, next(rules.legal(state, 1))).state


def test_each_field_of_a_view_is_that_of_the_race() -> None:
    shared = [name for name in View.__struct_fields__ if name in State.__struct_fields__]
    shared = [name for name in shared if name not in ("boards", "lines")]  # a seat sees of these what it may
    assert len(shared) == 14
    rules = Lianliankan(Options(), 3)
    # No two fields are alike, so that each can only stand in its own place.
    marks: dict[str, object] = {name: (name,) * 3 for name in shared} | {"boards": (), "lines": (None,) * 3}
    marks |= {"phase": "over", "rows": 9, "cols": 16}
    state = replace(rules.start(), **marks)
    view = rules.observe(state, None)
    assert {name: getattr(view, name) for name in shared} == {name: getattr(state, name) for name in shared}


def test_a_seat_sees_the_tiles_left_of_the_others_and_not_their_boards() -> None:
    rules, state = begun(SMALL)
    view = rules.observe(state, 0)
    assert view.remaining == (24, 22, 24)
    assert view.boards == (None, None, None)
    assert view.lines == (None, None, None)
    assert state.seed not in str(msgspec.to_builtins(view))


def test_a_spectator_sees_all_boards_and_so_do_players_where_the_table_says_so() -> None:
    rules, state = begun(SMALL)
    boards = rules.observe(state, None).boards
    assert None not in boards
    assert boards[0] == boards[2] != boards[1]
    rules, state = begun(OPEN)
    view = rules.observe(state, 0)
    assert view.boards == (None, *boards[1:])
    assert view.lines[1] is not None
    assert view.board == boards[0]


def test_hints_name_each_pair_that_links_with_its_path() -> None:
    rules, state = begun(SMALL)
    view = rules.observe(state, 1)
    found = hints(SMALL, view)
    assert found is not None
    linked = [(path[0], path[-1]) for path in found.paths]
    assert linked == [action.p for action in rules.legal(state, 1)]  # type: ignore[union-attr]
    assert hints(SMALL, rules.observe(state, None)) is None


@pytest.mark.parametrize("gravity", ["none", "down", "left"])
def test_an_imagined_race_has_boards_on_which_everybody_can_act(gravity: str) -> None:
    options = Options(rows=4, cols=6, kinds=6, gravity=gravity)  # type: ignore[arg-type]
    rules, state = begun(options)
    for n in range(8):
        dream = rules.imagine(rules.observe(state, 0), Stream.of_seed(n))
        assert dream.remaining == state.remaining
        assert all(any(rules.legal(dream, seat)) for seat in range(3))
        assert dream.seed != state.seed


def test_practice_costs_nothing_to_leave_and_a_race_does() -> None:
    rules, state = begun(SMALL)
    assert ENTRY.leaving.price(rules.observe(state, 0)) == -5
    rules = Lianliankan(SMALL, 1)
    assert ENTRY.leaving.price(rules.observe(rules.start(), 0)) == 0
