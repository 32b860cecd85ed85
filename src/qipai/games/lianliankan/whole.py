"""Complete races of six, for `qipai bench selfplay`. No other engine plays this game."""

from __future__ import annotations

from qipai.core.measure import Whole, Work
from qipai.games.lianliankan.bench import races
from qipai.games.lianliankan.bots import Steady
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.rules import Lianliankan
from qipai.games.lianliankan.state import Board

__all__ = ["WHOLE"]


def steady() -> Work:
    """Race six steady players, a link each in turn; their search is a kernel, the race around it is Python."""
    options = Options()
    rules = Lianliankan(options, 6)
    players = [Steady(options, seed=seat) for seat in range(6)]
    number = 0

    def once() -> int:
        nonlocal number
        number += 1
        state = rules.apply(rules.start(), -1, Board(str(number))).state
        while rules.outcome(state) is None:
            for seat in sorted(rules.turn(state).seats):
                if rules.outcome(state) is None and seat in rules.turn(state).seats:
                    state = rules.apply(state, seat, players[seat].choose(rules.observe(state, seat), 0)).state
        return 1

    return Work(once)


WHOLE = Whole("races", random=races, steady=steady)
