"""A seat of the bench with attackers in a race: one move at a time, of all that are offered, also after a restart."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from qipai.bench.attack import Game, Seat
from qipai.bench.players import Board, offered

TWO = b'{"t":"ev","ask":{"id":3},"legal":{"list":[{"a":"link","p":[1,2]},{"a":"hint"}],"more":false}}'


def seat() -> tuple[Seat, list[bytes], Any]:
    """Return a player of a race, what he says, and his line."""
    game = Game(2, race=True)
    game.go()
    player, said = Seat(game, Board(7), ""), list[bytes]()
    player.line = line = SimpleNamespace(send=said.append, lost=False)  # type: ignore[assignment]
    return player, said, line


def test_what_is_offered() -> None:
    assert offered(TWO) == [b'"a":"link","p":[1,2]', b'"a":"hint"']
    assert offered(b'{"t":"ev","ask":{"id":3}}') == []


def test_one_move_at_a_time_and_the_next_after_the_answer() -> None:
    player, said, line = seat()
    player.heard(line, TWO)
    player.heard(line, TWO)  # somebody else has moved
    assert len(said) == 1
    player.heard(line, b'{"t":"ack","cid":"m%d-1"}' % player.number)
    assert len(said) == 2
    assert len(player.playing.acks) == 1  # type: ignore[attr-defined]
    player.heard(line, b'{"t":"err","re":"act","code":"NOT_LINKED"}')
    assert len(said) == 3
    assert {action for text in said for action in offered(TWO) if action in text} == set(offered(TWO))
    player.heard(line, b'{"t":"err","re":"act","code":"STALE"}')  # the game is over: nothing is offered any more
    assert len(said) == 3


def test_who_has_come_back_goes_on_though_his_last_move_was_never_answered() -> None:
    player, said, line = seat()
    player.heard(line, TWO)
    player.asked, player.mine = b"", 0.0  # as `back` and `come_back` leave him
    player.heard(line, TWO.replace(b'"ev"', b'"snapshot","you":{"seat":0,"x":1}'))
    assert len(said) == 2
