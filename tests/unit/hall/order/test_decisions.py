"""What people decided, read from games: whom they spared, what their time told (platform P-95)."""

from __future__ import annotations

from qipai.core.entry import Spare
from qipai.hall.order.decisions import Decision, Decisions, delays, giving, sparing, telling, yielding
from qipai.hall.order.measures import Spared


def answer(seat: int, of: int, *, let: bool, ms: int = 1000) -> Decision:
    return Decision(seat, "pass" if let else "play", ms, 4, Spare(of, let, "few"))


ALONE = Decisions(
    "a", (10, 11, 12), (0, 1, 1), (answer(0, 1, let=True), answer(0, 2, let=False), answer(1, 2, let=True))
)


def test_partners_do_not_spare_each_other() -> None:
    assert sparing([ALONE], 10, 11) == [Spared(1, 1, 1, 0)]
    assert sparing([ALONE], 11, 12) == []  # they sit on one side


def test_who_yields_is_seen_beside_the_games_without_the_other() -> None:
    without = Decisions("b", (10, 12, 13), (0, 1, 1), (answer(0, 2, let=False), answer(0, 1, let=True)))
    assert yielding([ALONE, without], 10, 11) == [Spared(2, 1, 2, 1)]  # whoever's set it was
    assert yielding([ALONE, without], 11, 12) == []  # they sit on one side


def test_what_is_thrown_to_one_is_counted_beside_what_is_thrown_to_others() -> None:
    thrown = Decision(0, "discard", 900, 9, None, (Spare(1, True, "1 3"), Spare(2, False, "1 3")))
    game = Decisions("a", (10, 11, 12), (0, 1, 2), (thrown, thrown))
    assert giving([game], 10, 11) == [Spared(2, 2, 2, 0)]
    assert giving([game], 11, 10) == []


def test_games_without_somebody_say_nothing_about_them() -> None:
    assert sparing([ALONE], 99, 10) == []
    assert telling([ALONE], 10, 99) == []
    assert delays([ALONE], 99) == []


def test_a_time_is_long_beside_those_of_moves_as_hard() -> None:
    lead = [Decision(0, "play", ms, 4, None) for ms in (500, 500, 4000)]
    made = [each for ms, each in enumerate(lead) for each in (each, answer(1, 2, let=ms == 2))]
    game = Decisions("a", (10, 11, 12), (0, 1, 0), tuple(made))
    assert telling([game], 10, 11) == [
        (("another's", False), False, False),
        (("another's", False), False, False),
        (("another's", False), True, True),
    ]


def test_where_there_was_nothing_to_decide_no_time_is_counted() -> None:
    forced = Decisions("a", (10, 11), (0, 1), (Decision(0, "pass", 300, 1, None), Decision(0, "play", 900, 3, None)))
    assert delays([forced], 10) == [(900.0, 3.0)]
