"""Tables of mahjong for tests: an empty one, and positions of hands that all play soundly."""

from __future__ import annotations

from collections.abc import Iterator

from qipai.core.kernel import buffer, thawed
from qipai.games.mahjong.kernel import forms, play, policy, shape
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import cells
from qipai.games.mahjong.selfplay import fresh

TASTE = thawed(policy.TASTE)
OUT = buffer(t.MOST)


def new() -> t.Table:
    return t.new_table(cells(Options()), forms.forms())


def positions(hands: int, every: int) -> Iterator[tuple[t.Table, int]]:
    """Yield positions of hands that all play soundly, with the seat that is asked."""
    s, seed, n = new(), 1, 0
    for _ in range(hands):
        seed = fresh(s, seed)
        while s.b[t.PHASE] != t.END:
            seat = play.to_act(s)
            n += 1
            if n % every == 0:
                yield s, seat
            play.act(s, seat, policy.sound(s, shape.costs(), TASTE, seat, OUT))
