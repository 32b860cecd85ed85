"""The sandbox 沙盘: a game from any position, by its rules, without a table (P-74)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.client import Server, called

from qipai import games
from qipai.core.contract import NATURE

API = "/api/v1"
MATE_IN_ONE = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1"


def ask(hall: Server, status: int = 200, **body: Any) -> Any:
    answer = called("POST", f"{hall.url}{API}/sandbox", json={"start": None, **body}, timeout=60)
    assert answer.status_code == status, answer.text
    return answer.json()


def refused(hall: Server, **body: Any) -> Any:
    answer = called("POST", f"{hall.url}{API}/sandbox", json={"start": None, **body}, timeout=60)
    assert answer.status_code >= 400, answer.text
    return answer.json()["error"]


def test_moves_are_played_from_a_position_and_nobody_need_be_signed_in(hall: Server) -> None:
    here = ask(hall, game="xiangqi", start=MATE_IN_ONE)
    assert here["turn"] == [0]
    assert len(here["views"]) == 2
    assert here["text"] == MATE_IN_ONE
    move = {"a": "move", "m": "b0b9"}
    assert move in here["asked"][0]["legal"]["list"]
    over = ask(hall, game="xiangqi", start=MATE_IN_ONE, moves=[{"seat": 0, "a": move}], seat=0)
    assert [told["e"] for told in over["told"]] == ["moved", "ended"]
    assert over["outcome"]["points"] == [2, -2]
    assert over["text"] is None


def test_a_move_that_the_rules_forbid_is_answered_with_the_reason_and_the_position_before(hall: Server) -> None:
    good, bad = {"seat": 0, "a": {"a": "move", "m": "a8a7"}}, {"seat": 1, "a": {"a": "move", "m": "d9b9"}}
    here = ask(hall, game="xiangqi", start=MATE_IN_ONE, moves=[good, bad, good])
    assert here["n"] == 1
    assert here["refusal"]["code"] == "bad_shape"
    assert here["turn"] == [1]
    nonsense = ask(hall, game="xiangqi", start=MATE_IN_ONE, moves=[{"seat": 0, "a": {"a": "fly"}}])
    assert nonsense["refusal"]["code"] == "bad_action"


@pytest.mark.parametrize("name", [name for name in games.names() if games.find(name).setup is not None])
def test_every_game_begins_from_its_seed_and_goes_on_from_its_text(hall: Server, name: str) -> None:
    here, same = (ask(hall, game=name, seed="a") for _ in range(2))
    assert here == same
    assert here["asked"]
    assert here["outcome"] is None
    again = ask(hall, game=name, start=here["text"], seats=here["seats"])
    assert again["text"] == here["text"]
    assert again["turn"] == here["turn"]


def test_luck_may_be_said(hall: Server) -> None:
    start = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5 on:0"
    moves = [{"seat": 0, "a": {"a": "roll"}}, {"seat": NATURE, "a": {"a": "dice", "d": [6, 6]}}]
    here = ask(hall, game="backgammon", start=start, moves=moves, seat=0)
    assert here["view"]["dice"] == [6, 6]
    assert here["legal"]["list"]


def test_what_one_seat_asks_for_is_what_it_may_see(hall: Server) -> None:
    start = "33/44/55/66/77/88 lead:0"
    here = ask(hall, game="gouji", start=start, seat=1)
    assert here["view"]["hand"] == "44"
    assert here["legal"] is None
    assert ask(hall, game="gouji", start=start)["view"]["hand"] is None


@pytest.mark.parametrize(
    ("body", "code", "fact"),
    [
        ({"game": "chess"}, "BAD_OPTION", {"field": "game"}),
        ({"game": "backgammon", "variant": "nine"}, "BAD_OPTION", {"field": "variant"}),
        ({"game": "gouji", "options": {"decks": 7}}, "BAD_OPTION", {"field": "decks"}),
        ({"game": "gouji", "seats": 5}, "BAD_OPTION", {"field": "seats"}),
        ({"game": "gouji", "seat": 9}, "BAD_MESSAGE", {"field": "seat"}),
        ({"game": "xiangqi", "start": "x" * 9000}, "BAD_MESSAGE", {"field": "start"}),
        ({"game": "xiangqi", "moves": [{"seat": 0, "a": 1}] * 401}, "BAD_MESSAGE", {"field": "moves"}),
        ({"game": "xiangqi", "start": "nonsense"}, "BAD_POSITION", {"why": "bad_fen"}),
        ({"game": "xiangqi", "start": "33/44/55/66/77/88 lead:0"}, "BAD_POSITION", {"why": "bad_fen"}),
        ({"game": "xiangqi", "start": "1R1k5/R8/9/9/9/9/9/9/9/4K4 b"}, "BAD_POSITION", {"why": "over"}),
    ],
)
def test_what_cannot_be_set_up_is_refused_with_its_reason(hall: Server, body: Any, code: str, fact: Any) -> None:
    error = refused(hall, **body)
    assert error["code"] == code
    assert error["facts"].items() >= fact.items()
