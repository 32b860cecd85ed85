"""Races played whole inside the kernel: for `qipai selfcheck`, for benches, to warm compiled kernels."""

from __future__ import annotations

from qipai.core.kernel import buffer
from qipai.games.lianliankan.board import empty, key
from qipai.games.lianliankan.kernel import race as kernel
from qipai.games.lianliankan.kernel.paths import ROW
from qipai.games.lianliankan.kernel.race import Race
from qipai.kit.selfplay import digest

__all__ = ["SIZES", "drive", "fresh", "warm"]

SIZES = ((2, 4, 2, 4), (4, 5, 5, 4), (6, 8, 12, 4), (4, 8, 16, 2), (8, 12, 24, 4), (1, 6, 3, 2), (6, 6, 3, 12))
KEYS = 80  # reshuffles of one seat at most: one a link, and its props


def fresh(seed: int, size: tuple[int, int, int, int], seats: int, *, outside: bool = True, holes: int = 0) -> Race:
    """Return a race whose board is dealt. size: rows, columns, faces, tiles of each; holes: cells without a tile.

    Where there are holes the faces are those of which there are enough tiles.
    """
    rows, cols, kinds, copies = size
    race = kernel.new_race(seats, rows, cols, kinds, KEYS)
    for number in range(KEYS + 1):
        race.keys[2 * number], race.keys[2 * number + 1] = key(str(seed), number)
    board = empty(rows, cols, outside)
    cells = [place for place, cell in enumerate(board) if cell == 0 and _inside(place, rows, cols)]
    for seat in range(seats):
        race.grid[seat * len(board) : (seat + 1) * len(board)] = board
    for place in cells[holes:]:
        race.grid[place] = 1
    kernel.deal(race, copies)
    return race


def _inside(place: int, rows: int, cols: int) -> bool:
    row, col = divmod(place, cols + 3)
    return 2 <= row < rows + 2 and 1 <= col <= cols


def drive(seed: int) -> str:
    """Play one random race, its size and house rules drawn from the seed; return a digest of all that happened."""
    size = SIZES[seed % len(SIZES)]
    seats = 1 + seed // 7 % 6
    bare = seed // 11 % min(3, size[2])  # so many faces of the size are left out, and there are holes in their stead
    race = fresh(seed, size, seats, outside=seed // 5 % 3 > 0, holes=bare * size[3])
    if bare == 0:
        race.reg[kernel.GRAVITY] = seed // 3 % 5
    race.reg[kernel.TIE] = seed // 13 % 3
    for seat in range(seats):
        race.hints[seat] = race.shuffles[seat] = seed // 17 % 3
    layout = digest(race.grid)
    out, trace = buffer(ROW * 2000, 16), buffer(1)
    steps = int(kernel.play_at_random(race, seed, out, trace))
    cells = [race.grid, race.reg, race.remaining, race.last, race.left, race.reshuffles, race.places, race.scores]
    state = 0
    for each in cells:
        state = (state * 31 + digest(each)) % 0x7FFFFFFF
    scores = " ".join(str(int(race.scores[seat])) for seat in range(seats))
    return f"{steps} {layout:08x} {int(trace[0]):08x} {state:08x} {scores}"


def warm() -> None:
    """Call every kernel once with the types that bots and selfcheck use, so that numba compiles it."""
    from qipai.core.rng import Stream
    from qipai.games.lianliankan.bots import Easy, Steady, Strong
    from qipai.games.lianliankan.options import Options
    from qipai.games.lianliankan.rules import Lianliankan

    for seed in (0, 11 * 3 + 1, 12):
        drive(seed)
    options = Options(rows=4, cols=4, kinds=4, gravity="down")
    rules = Lianliankan(options, 2)
    state = rules.start()
    state = rules.apply(state, -1, rules.chance(state, Stream.of_seed(0))).state
    for make in (Easy, Steady, Strong):
        view = rules.observe(state, 0)
        state = rules.apply(state, 0, make(options, seed=1).choose(view, 100)).state
    rules = Lianliankan(Options(rows=4, cols=4, kinds=4), 1)
    state = rules.apply(rules.start(), -1, rules.chance(rules.start(), Stream.of_seed(0))).state
    for _ in range(2):  # a board's pairs are listed, and mended
        state = rules.apply(state, 0, next(rules.legal(state, 0))).state
