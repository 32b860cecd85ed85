"""Texts of gouji: sets, actions, books."""

from __future__ import annotations

import msgspec
import pytest

from qipai.core.contract import NATURE
from qipai.core.entry import Record
from qipai.core.rng import Stream
from qipai.games.gouji import ENTRY
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.notation import action_of, bare, code_of, read_set, text_of, write_play
from qipai.games.gouji.rules import Gouji
from qipai.games.gouji.state import Burn, Close, NoBurn, Pass, Play, Return, Wind


@pytest.mark.parametrize("text", ["3", "TT2x", "22", "xX", "x", "XXXX", "999xxXX", "AAA222", "2xX"])
def test_sets_survive_packing(text: str) -> None:
    assert write_play(read_set(text)) == text
    assert write_play(read_set(text[::-1])) == text


@pytest.mark.parametrize("text", ["", "34", "3?", "T4x", "3" * 64, "10"])
def test_what_is_no_set_is_none(text: str) -> None:
    assert read_set(text) == 0


@pytest.mark.parametrize(
    "action", [Play("TT2x"), Pass(), Close(), Wind(), Burn(), NoBurn(), Return("34"), Return("33"), Return("K")]
)
def test_actions_survive_the_kernel(action: object) -> None:
    assert action_of(code_of(action)) == action  # type: ignore[arg-type]


def test_logs_write_cards_ascending() -> None:
    assert text_of(Play("x2TT")) == "play:TT2x"
    assert text_of(Return("43")) == "return:34"
    assert text_of(NoBurn()) == "no_burn"
    assert bare(Play("TT")) == "TT"
    assert bare(Pass()) == "pass"


def test_phases_have_their_names() -> None:
    from qipai.games.gouji.notation import PHASES

    assert [PHASES[phase] for phase in (t.DEAL, t.TRIBUTE, t.LEAD, t.ANSWER, t.CLOSE, t.BURN, t.BURN_PLAY, t.OVER)] == [
        "deal",
        "tribute",
        "lead",
        "answer",
        "close",
        "burn",
        "burn_play",
        "over",
    ]


def test_a_book_has_the_hands_the_moves_and_the_scores() -> None:
    rules, rng = Gouji(), Stream.of_seed(4)
    state = rules.start()
    rows = []
    while (outcome := rules.outcome(state)) is None:
        seat = min(rules.turn(state).seats)
        action = rules.chance(state, rng) if seat == NATURE else rules.idle(state, seat)
        rows.append((seat, msgspec.to_builtins(action), 0))
        state = rules.apply(state, seat, action).state
    record = Record(game="gouji", options={}, rows=tuple(rows), outcome=msgspec.to_builtins(outcome))
    book = ENTRY.records.formats["book"](record)
    lines = book.splitlines()
    assert lines[0] == f"0: {rows[0][1]['hands'][0]}"
    assert lines[6].startswith(f"{rows[1][0]}:{rows[1][1]['cards']} ")
    assert "no_burn" not in book
    assert lines[-1] == " ".join(f"{seat}:{points:+d}" for seat, points in enumerate(outcome.points))
    assert all(len(line) <= 100 for line in lines)
