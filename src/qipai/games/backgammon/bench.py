"""How fast the rules of backgammon are (`qipai bench engine backgammon`)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import metadata

from qipai.bench.peers.engines import pgx_backgammon
from qipai.core.kernel import JIT, Buffer, buffer, kernel, lcg
from qipai.core.measure import Absent, Row, Target, Work
from qipai.games.backgammon.bots.players import mind
from qipai.games.backgammon.bots.search import TERMS, rank
from qipai.games.backgammon.kernel.game import play_at_random
from qipai.games.backgammon.kernel.plays import MOST, Room, generate, new_room
from qipai.games.backgammon.selfplay import fresh

__all__ = ["rows"]


def rows() -> Sequence[Row]:
    """Return what is measured: random games with every whole turn listed, lists of turns, the hall's own steps."""
    return (
        Row(
            "random games, every different result of each throw listed",
            "games",
            games,
            {"OpenSpiel backgammon": openspiel, "pgx backgammon": pgx_backgammon},
            (Target("compiled", "OpenSpiel backgammon", 5.0), Target("interpreted", "OpenSpiel backgammon", 0.5)),
        ),
        Row("all 21 throws from the standard position", "throws", throws),
        Row("all 21 throws from the standard position, each result valued by the net", "results", valued),
        Row("random turns by the hall's rules, texts and events included", "turns", steps),
    )


def games() -> Work:
    """Play random games in the kernel; an operation is a game."""
    start, board, room, trace = fresh("backgammon"), fresh("backgammon"), new_room(), buffer(4, 64)
    seed, many = 1, 100 if JIT else 1

    def once() -> int:
        nonlocal seed
        seed = lcg(seed)
        seed = int(play_many(start, board, seed, many, room, trace))
        return many

    return Work(once)


@kernel
def play_many(start: Buffer, board: Buffer, seed: int, many: int, room: Room, trace: Buffer) -> int:
    """Play so many random games; return the seed that follows."""
    for _ in range(many):
        for i in range(len(start)):
            board[i] = start[i]
        seed = play_at_random(board, seed, room, trace)
    return seed


@kernel
def throw_all(board: Buffer, room: Room) -> int:
    """List the results of every throw; return how many throws."""
    for one in range(1, 7):
        for two in range(1, one + 1):
            generate(board, 0, one, two, room)
    return 21


def throws() -> Work:
    """List turns."""
    board, room = fresh("backgammon"), new_room()
    return Work(lambda: int(throw_all(board, room)))


def valued() -> Work:
    """List turns and value what they lead to."""
    own, board, found = mind("backgammon"), fresh("backgammon"), buffer(MOST, 64)
    terms = buffer(TERMS, 64)
    terms[1] = 1

    def once() -> int:
        total = 0
        for one in range(1, 7):
            for two in range(1, one + 1):
                count = int(generate(board, 0, one, two, own.room))
                rank(board, 0, count, terms, own.net, own.room, own.work, found)
                total += count
        return total

    return Work(once)


def steps() -> Work:
    """Play random turns as the hall does, with `legal` and `apply`; an operation is a turn."""
    from qipai.core.rng import Stream
    from qipai.games.backgammon.options import Options
    from qipai.games.backgammon.rules import Backgammon
    from qipai.games.backgammon.state import Play, Roll

    rules, rng, luck = Backgammon(Options(cube=False)), Stream.of_seed(1), random.Random(1)
    state = rules.start()

    def once() -> int:
        nonlocal state
        while True:
            seat = min(rules.turn(state).seats)
            if seat < 0:
                action = rules.chance(state, rng)
            elif state.phase == "to_roll":
                action = Roll()
            else:
                action = luck.choice([play for play in rules.legal(state, seat) if isinstance(play, Play)])
            state = rules.apply(state, seat, action).state
            if rules.outcome(state) is not None:
                state = rules.start()
            if isinstance(action, Play):
                return 1

    return Work(once)


def openspiel() -> Work:
    """Play random games with OpenSpiel from Python."""
    import pyspiel

    if "backgammon" not in pyspiel.registered_names():
        raise Absent("this OpenSpiel has no backgammon")
    game, luck = pyspiel.load_game("backgammon"), random.Random(1)

    def once() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[luck.randrange(len(outcomes))][0])
                continue
            actions = state.legal_actions()
            state.apply_action(actions[luck.randrange(len(actions))])
        return 1

    return Work(once, version=metadata.version("open_spiel"))
