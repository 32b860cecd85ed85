"""Problems of backgammon: plays and the cube, valued by the net and again after every reply (P-102)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qipai.core.contract import Seat
from qipai.core.entry import Graded, Problems
from qipai.games.backgammon.analysis import OwnAdviser, Valuer, turned
from qipai.games.backgammon.bots.cube import Chances, Stake, decide
from qipai.games.backgammon.bots.net import UNIT
from qipai.games.backgammon.bots.players import SCALE, Strong, held, live_of, mind, stake_of
from qipai.games.backgammon.bots.search import MOST_VALUED, after_replies, copied, rank, worth_after
from qipai.games.backgammon.bots.search import worth as worth_of
from qipai.games.backgammon.kernel.plays import apply_way, generate
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of
from qipai.games.backgammon.rules import try_double
from qipai.games.backgammon.state import State
from qipai.games.backgammon.turns import all_plays

__all__ = ["PROBLEMS", "weigh"]

CHOICES: Final = 60  # at most
FAR: Final = 0.4  # points behind the best from which on replies change nothing
OBVIOUS: Final = 0.6  # points that a wrong use of the cube gives away when nobody needs to be asked


def weigh(options: Options, state: State, seat: Seat, seed: int, look: int) -> Sequence[Graded] | None:
    """Return the plays of a throw or the uses of the cube, weighed in points of the stake (`Problems.weigh`)."""
    if state.turn != seat or not options.row.dice:
        return None
    if state.phase in ("to_roll", "double_offered"):
        return _cube(options, state, seat, look)
    if state.phase != "to_play" or state.dice is None:
        return None
    stake = stake_of(options, state, seat)
    value = Valuer(options, OwnAdviser(options, 0), stake, seat)
    step = value.terms[1] / 2
    plays = {text: worth / step for text, worth in value.plays(state.cells, state.dice).items()}
    if not 2 < len(plays) <= CHOICES:  # a choice of two plays is none worth asking
        return None
    if look == 2:
        plays = _replied(options, state, seat, plays)
    return _graded({text: ({"a": "play", "m": text}, worth) for text, worth in plays.items()})


def _graded(choices: dict[str, tuple[dict[str, str], float]]) -> list[Graded]:
    """Return choices, by what they are called, the best first."""
    best = max(worth for _, worth in choices.values())
    return [
        Graded(a=action, said=said, worth=round(worth, 3), behind=round(best - worth, 3))
        for said, (action, worth) in sorted(choices.items(), key=lambda one: (-one[1][1], one[0]))
    ]


def _cube(options: Options, state: State, seat: Seat, look: int) -> Sequence[Graded] | None:
    """Return to roll or to double, or to take or to drop; None where there is no such choice, or an obvious one."""
    giver = seat if state.phase == "to_roll" else 1 - seat
    if state.phase == "to_roll" and try_double(options, state, seat) is not None:
        return None
    if options.beavers and options.series:
        return None  # there is a third answer, which the formulas do not value
    stake = stake_of(options, state, giver)
    if look == 2:
        chances = _thrown(options, state, giver, stake)
    else:
        chances = OwnAdviser(options, 0).chances(state.cells, giver)
    choice, step = decide(options, stake, chances), stake.terms(options)[1] / 2
    if giver == seat:
        worths = {"roll": choice.hold, "double": min(choice.taken, choice.dropped)}
    else:
        worths = {"take": turned(options, choice.taken), "drop": turned(options, choice.dropped)}
    if max(worths.values()) - min(worths.values()) > OBVIOUS * step:
        return None
    return _graded({did: ({"a": did}, worth / step) for did, worth in worths.items()})


def _thrown(options: Options, state: State, seat: Seat, stake: Stake) -> Chances:
    """Return what the board holds for the side on roll: the mean over all throws of what its best play leads to."""
    own, board = mind(options.variant), board_of(options, state.cells)
    terms = Strong(options).terms(stake.terms(options), 1)
    sums = [0] * 5
    for one in range(1, 7):
        for two in range(1, one + 1):
            count = min(int(generate(board, seat, one, two, own.room)), MOST_VALUED)
            copied(board, own.next)
            how = 0
            if count:
                best = int(rank(board, seat, count, terms, own.net, own.room, own.work, own.found))
                how = int(apply_way(own.next, seat, own.room.ways[best]))
            worth_after(own.next, seat, how, terms, own.net)  # leaves the outcomes, seen by `seat`
            for i in range(5):
                sums[i] += int(own.net.value[i]) * (1 if one == two else 2)
    win, win2, win3, lose2, lose3 = (each / 36 / UNIT for each in sums)
    return held(win, win2, win3, lose2, lose3, live_of(board, seat))


def _replied(options: Options, state: State, seat: Seat, plays: dict[str, float]) -> dict[str, float]:
    """Return the worths of the plays that come near the best after every reply; the others keep theirs, less more."""
    assert state.dice is not None
    ways = all_plays(options, state.cells, seat, max(state.dice), min(state.dice))
    floats = stake_of(options, state, seat).terms(options)
    player, own = Strong(options), mind(options.variant)
    mine, his = player.terms(floats, 1), player.terms(floats, -1)
    step = floats[1] / 2
    best = max(plays.values())
    found = {}
    for text, worth in plays.items():
        board = board_of(options, state.cells)
        if best - worth > FAR or int(apply_way(board, seat, ways[text])):
            found[text] = worth
        else:
            after_replies(board, seat, his, own.net, own.look)
            found[text] = int(worth_of(mine, own.look.mean)) / SCALE / UNIT / step
    return found


PROBLEMS: Final = Problems(weigh, "points", 0.08, every=4, least=2, asks=("move", "cube", "take"))
