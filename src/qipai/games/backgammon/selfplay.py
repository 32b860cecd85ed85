"""Games that never leave the kernel: for `qipai selfcheck`, for benches, to warm compiled kernels."""

from __future__ import annotations

from qipai.core.kernel import Buffer, buffer, frozen, lcg
from qipai.games.backgammon.bots.net import outcomes
from qipai.games.backgammon.bots.players import mind
from qipai.games.backgammon.bots.players import warm as warm_players
from qipai.games.backgammon.kernel.game import hop_at_random, play_at_random
from qipai.games.backgammon.kernel.hops import MOST_HOPS
from qipai.games.backgammon.kernel.plays import new_room
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.position import board_of, cells_of, start_cells
from qipai.games.backgammon.turns import own_room
from qipai.kit.selfplay import digest

__all__ = ["drive", "fresh", "warm"]


def fresh(variant: str) -> Buffer:
    """Return a variant's board at the start."""
    options = Options(variant=variant)  # type: ignore[arg-type]
    return board_of(options, start_cells(options))


def drive(seed: int) -> str:
    """Play one random game of a variant drawn from the seed; return a digest of all that happened.

    With it stands what the variant's net says of the first board and of the last one.
    """
    names = sorted(VARIANTS)
    variant = names[seed % len(names)]
    board, trace = fresh(variant), buffer(4, 64)
    said: list[int] = []
    if VARIANTS[variant].dice:
        net = mind(variant).net
        outcomes(board, 0, net)
        said += frozen(net.value)
        play_at_random(board, lcg(seed + 11), own_room(), trace)
        outcomes(board, 1, net)
        said += frozen(net.value)
    else:
        hop_at_random(board, lcg(seed + 11), buffer(MOST_HOPS), trace)
    turns, plays, crumb, how = frozen(trace)
    return f"{variant} {turns} {plays} {crumb:08x} {how} {digest(cells_of(board)):08x} {digest(said):08x}"


def warm() -> None:
    """Call every kernel once, so that compiled ones are compiled."""
    new_room()
    for seed in range(len(VARIANTS)):
        drive(seed)
    warm_players()
