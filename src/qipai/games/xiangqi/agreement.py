"""How far our analysis and Fairy-Stockfish agree on the clear mistakes of games.

    QIPAI_JIT=1 python -m qipai.games.xiangqi.agreement --games 20

The games are played by two weak players of ours, who stray from their best moves as their seed says. Both judges give
each move the win% that it loses (`analysis.win_percent`); what counts is whether who sees a blunder in a move is borne
out by the other, who must see a mistake at least.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from qipai.core.contract import play
from qipai.core.entry import Record
from qipai.core.rng import Stream
from qipai.games.xiangqi import ENTRY
from qipai.games.xiangqi.analysis import NODES, of_states, win_percent
from qipai.games.xiangqi.bots.players import Easy, Player
from qipai.games.xiangqi.fairy import DECIDED, Fairy
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.state import Move, State

__all__ = ["Agreement", "game", "main"]

BLUNDER: Final = 15.0  # percentage points of win%, as the analysis names them
MISTAKE: Final = 10.0
THEIR_NODES: Final = 50_000
RANDOM: Final = 4  # plies drawn at the start, so that no two games are alike
THEIR_HUNDREDTHS: Final = 1.6  # of theirs to one of ours: the ratio of spreads over 1,326 positions of such games
CLEAR: Final = 95.0  # win%: beyond it a game is decided, and judges need not agree on how fast


class Agreement:
    """What two judges see in the same moves."""

    def __init__(self) -> None:
        self.moves = 0
        self.ours = self.ours_borne = 0  # blunders by us; of these, mistakes by them
        self.theirs = self.theirs_borne = 0

    def add(self, ours: float, theirs: float) -> None:
        """Add a move by the win% it loses."""
        self.moves += 1
        if ours >= BLUNDER:
            self.ours += 1
            self.ours_borne += theirs >= MISTAKE
        if theirs >= BLUNDER:
            self.theirs += 1
            self.theirs_borne += ours >= MISTAKE

    def __str__(self) -> str:
        """Return what was found."""
        return (
            f"{self.moves} moves; of Fairy-Stockfish's {self.theirs} blunders we see {self.theirs_borne}; "
            f"of our {self.ours} it sees {self.ours_borne}"
        )


def game(options: Options, seed: int, most: int) -> tuple[list[State], Record]:
    """Return the states and the record of a game of weak players, ended after so many plies."""
    rules: Any = ENTRY.rules(options)
    state = rules.start()
    states = [state]
    rows: list[tuple[int, Any, int]] = []
    luck = Stream.of_seed(f"agreement|{seed}")
    players: list[Player] = [Easy(options, seed), Easy(options, seed + 1)]
    while state.phase != "over" and len(rows) < most:
        seat = state.position.side
        if len(rows) < RANDOM:
            moves = [one for one in rules.legal(state, seat) if isinstance(one, Move)]
            action: Any = moves[luck.below(len(moves))]
        else:
            action = players[seat].choose(rules.observe(state, seat), 10_000)
            if not isinstance(action, Move):
                break
        state = play(rules, state, seat, action).state
        states.append(state)
        rows.append((seat, msgspec.to_builtins(action), 0))
    return states, Record(game="xiangqi", options={}, rows=tuple(rows), players=("a", "b"), game_id=f"agreement{seed}")


def judged(fairy: Fairy, states: Sequence[State], nodes: int) -> list[float]:
    """Return red's win% in each state, by Fairy-Stockfish, its hundredths brought to our scale."""
    found = []
    for state in states:
        if state.phase == "over":
            found.append(50.0 if state.winner is None else 100.0 if state.winner == 0 else 0.0)
            continue
        score = fairy.score(state.position, nodes)
        decided = abs(score) == DECIDED
        win = (100.0 if score > 0 else 0.0) if decided else win_percent(round(score / THEIR_HUNDREDTHS))
        found.append(win if state.position.side == 0 else 100 - win)
    return found


def main(argv: list[str] | None = None) -> None:
    """Compare the judges on games and print what was found after each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--plies", type=int, default=80)
    parser.add_argument("--nodes", type=int, default=NODES, help="of ours, for each move")
    parser.add_argument("--theirs", type=int, default=THEIR_NODES, help="of Fairy-Stockfish's")
    wanted = parser.parse_args(argv)
    options = ENTRY.chosen({})
    fairy, found = Fairy(options), Agreement()
    for seed in range(1, wanted.games + 1):
        states, record = game(options, seed, wanted.plies)
        ours = {row.n: row for row in of_states(options, record, states, lambda done, of: None, wanted.nodes).rows}
        red = judged(fairy, states, wanted.theirs)
        for n, (seat, _action, _ms) in enumerate(record.rows, 1):
            row = ours.get(n)
            before, after = (red[n - 1], red[n]) if seat == 0 else (100 - red[n - 1], 100 - red[n])
            if row is not None and 100 - CLEAR <= before <= CLEAR:
                found.add(row.loss, max(0.0, before - after))
        print(f"{seed} games: {found}; {time.process_time():.0f} s of ours", flush=True)
    fairy.close()


if __name__ == "__main__":
    main()
