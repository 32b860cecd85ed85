"""Complete games inside the kernel, for `qipai bench selfplay`."""

from __future__ import annotations

from qipai.bench.peers.engines import pgx_backgammon
from qipai.core.kernel import JIT, Buffer, buffer, kernel, lcg
from qipai.core.measure import Rival, Whole, Work
from qipai.games.backgammon import external
from qipai.games.backgammon.bench import games, openspiel
from qipai.games.backgammon.bots.net import Brain
from qipai.games.backgammon.bots.players import mind
from qipai.games.backgammon.bots.search import TERMS, rank
from qipai.games.backgammon.kernel.plays import MOST, Room, apply_way, generate
from qipai.games.backgammon.selfplay import fresh

__all__ = ["WHOLE"]

LONGEST = 2000  # turns


@kernel
def play_by_net(
    start: Buffer,
    b: Buffer,
    seed: int,
    many: int,
    terms: Buffer,
    net: Brain,
    room: Room,
    work: Buffer,
    found: Buffer,
) -> int:
    """Play so many games, of each throw the result that the net values most; return the seed that follows."""
    for _ in range(many):
        for i in range(len(start)):
            b[i] = start[i]
        seed = lcg(seed)
        seat = seed >> 16 & 1
        for _turn in range(LONGEST):
            seed = lcg(seed)
            one = (seed >> 16) % 6 + 1
            seed = lcg(seed)
            two = (seed >> 16) % 6 + 1
            count = generate(b, seat, one, two, room)
            if count > 0:
                best = rank(b, seat, count, terms, net, room, work, found)
                if apply_way(b, seat, room.ways[best]) > 0:
                    break
            seat = 1 - seat
    return seed


def steady() -> Work:
    """Play games in the kernel, both sides by the steady player's judgement; an operation is a game."""
    own, start, board, found = mind("backgammon"), fresh("backgammon"), fresh("backgammon"), buffer(MOST, 64)
    terms = buffer(TERMS, 64)
    terms[1] = 1
    seed, many = 1, 20 if JIT else 1

    def once() -> int:
        nonlocal seed
        seed = int(play_by_net(start, board, seed, many, terms, own.net, own.room, own.work, found))
        return many

    return Work(once)


WHOLE = Whole(
    "games",
    random=games,
    steady=steady,
    peers={"OpenSpiel backgammon": openspiel, "pgx backgammon": pgx_backgammon},
    rivals={"gnubg, 0-ply": Rival("qipai.games.backgammon.external:Gnubg", external.found)},
)
