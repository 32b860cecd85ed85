"""An example: a small net learns a game by playing against itself, deep Monte Carlo as in DouZero, on two cores.

    QIPAI_JIT=1 python -m qipai.research.example mahjong --minutes 20 --out net.npz
    QIPAI_JIT=1 python -m qipai.research.example mahjong --judge net.npz --deals 400

The net says what a deal will bring if a seat gives an answer. All four seats take the answer that it thinks best, now
and then any; when a deal is over, the net learns what each answer has brought. `--workers 4 --ray` plays in processes
of Ray, on as many machines as it has; without, the same code plays in one process.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

# One thread: the matrices are small, and several threads wait for each other longer than they work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # it reads that when it is imported

from qipai import games
from qipai.arena.batch import Batch
from qipai.arena.match import Terms
from qipai.core.entry import rules_of
from qipai.core.rng import Stream
from qipai.research.deal import Kind

__all__ = ["Net", "Player", "Trainer", "judged", "main", "played"]

HIDDEN: Final = (128, 64)
KEPT: Final = 400_000  # answers that are learned from, the latest
ROUND: Final = 64  # steps of every table between two rounds of learning

F32 = np.ndarray[Any, np.dtype[np.float32]]
Game = tuple[F32, F32, F32]  # what was known, what was answered, what it brought


class BadNet(ValueError):
    """Raised for a file that has no net of this game in it."""


class Net:
    """Two hidden layers; what is known and what is answered go in, the points expected come out."""

    def __init__(self, known: int, said: int, seed: int = 1) -> None:
        luck = np.random.default_rng(seed)
        sizes = (known + said, *HIDDEN, 1)
        self.known, self.said = known, said
        self.w = [luck.normal(0, (2 / a) ** 0.5, (a, b)).astype(np.float32) for a, b in pairwise(sizes)]
        self.w[-1] *= 0.1
        self.b = [np.zeros(b, np.float32) for b in sizes[1:]]
        self.m = [np.zeros_like(one) for one in (*self.w, *self.b)]
        self.v = [np.zeros_like(one) for one in (*self.w, *self.b)]
        self.steps = 0

    def worth(self, known: Any, said: Any, of: Any) -> F32:
        """Return what each answer is worth. known: a row a question; said: a row an answer; of: its question's row."""
        first = scaled(known) @ self.w[0][: self.known]
        h = np.maximum(first[of] + said.astype(np.float32) @ self.w[0][self.known :] + self.b[0], 0)
        h = np.maximum(h @ self.w[1] + self.b[1], 0)
        found: F32 = (h @ self.w[2] + self.b[2])[:, 0]
        return found

    def learn(self, known: Any, said: Any, brought: F32, rate: float) -> float:
        """Take one step of Adam towards what the answers have brought; return the loss before it."""
        x = np.concatenate((scaled(known), said.astype(np.float32)), axis=1)
        h1 = np.maximum(x @ self.w[0] + self.b[0], 0)
        h2 = np.maximum(h1 @ self.w[1] + self.b[1], 0)
        error = (h2 @ self.w[2] + self.b[2])[:, 0] - brought
        d3 = (2 / len(x) * error)[:, None].astype(np.float32)
        d2 = (d3 @ self.w[2].T) * (h2 > 0)
        d1 = (d2 @ self.w[1].T) * (h1 > 0)
        slopes = [x.T @ d1, h1.T @ d2, h2.T @ d3, d1.sum(0), d2.sum(0), d3.sum(0)]
        self.steps += 1
        for one, slope, m, v in zip((*self.w, *self.b), slopes, self.m, self.v, strict=True):
            m += 0.1 * (slope - m)
            v += 0.001 * (slope * slope - v)
            one -= rate * (m / (1 - 0.9**self.steps)) / (np.sqrt(v / (1 - 0.999**self.steps)) + 1e-8)
        return float((error * error).mean())

    def save(self, path: Path) -> None:
        """Write the net into a file."""
        np.savez(path, *self.w, *self.b)

    @classmethod
    def load(cls, path: Path, known: int, said: int) -> Net:
        """Read a net; raises BadNet where the file has none, or that of another game or version."""
        net = cls(known, said)
        try:
            with path.open("rb") as data, np.load(data, allow_pickle=False) as file:
                found = [file[f"arr_{i}"].astype(np.float32) for i in range(6)]
        except (OSError, ValueError, KeyError, EOFError, BadZipFile, AttributeError, TypeError) as wrong:
            raise BadNet(f"{path} has no net in it: {wrong}") from wrong
        if [one.shape for one in found] != [one.shape for one in (*net.w, *net.b)]:
            raise BadNet(f"{path} has a net of another game, or of another version of its numbers")
        net.w, net.b = found[:3], found[3:]
        return net


def scaled(known: Any) -> F32:
    """Return what is known as small numbers; chips and walls would drown the rest."""
    found: F32 = np.clip(known, -64, 64).astype(np.float32) * np.float32(0.25)
    return found


def best(worth: F32, many: Any) -> Any:
    """Return, for each question, the number of its best answer. worth: of all answers, question by question."""
    ends = np.cumsum(many)
    starts = ends - many
    top = np.maximum.reduceat(worth, starts)
    hits = np.flatnonzero(worth == np.repeat(top, many))
    owner = np.searchsorted(ends, hits, side="right")
    first = np.unique(owner, return_index=True)[1]
    return hits[first] - starts


def played(batch: Batch, net: Net, luck: np.random.Generator, any_: float, steps: int, open_: list[list[Any]]) -> Game:
    """Play so many steps of every table; return what was answered in the deals that ended, and what it brought.

    open_: for each table what was answered in its running deal; kept from call to call. any_: how often
    any answer is given.
    """
    known, said, brought = [], [], []
    for _ in range(steps):
        rows, of = batch.answers()
        many = batch.many.copy()
        choice = best(net.worth(batch.known, rows, of), many)
        free = luck.random(batch.tables) < any_
        choice[free] = (luck.random(batch.tables) * many).astype(np.int64)[free]
        at = np.cumsum(many) - many + choice
        for i, seat in enumerate(batch.seats.tolist()):
            if many[i] > 1:
                open_[i].append((batch.known[i].copy(), rows[at[i]].copy(), seat))
        batch.step(choice)
        for i in np.flatnonzero(batch.ended).tolist():
            for row, answer, seat in open_[i]:
                known.append(row)
                said.append(answer)
                brought.append(batch.points[i, seat])
            open_[i].clear()
    if not known:
        its = batch.batched
        return np.zeros((0, its.known), np.int16), np.zeros((0, its.said), np.int8), np.zeros(0, np.float32)  # type: ignore[return-value]
    return np.array(known), np.array(said), np.array(brought, np.float32)


class Trainer:
    """Plays and learns by turns."""

    def __init__(self, game: str, tables: int = 256, seed: int = 1, scale: float = 8.0) -> None:
        """scale: by how much points are divided, so that what is learned is about 1."""
        self.batch, self.scale = Batch(game, tables, seed), scale
        its = self.batch.batched
        self.net, self.luck = Net(its.known, its.said, seed), np.random.default_rng(seed)
        self.open: list[list[Any]] = [[] for _ in range(tables)]
        self.kept: list[Game] = []
        self.loss, self.deals = float("nan"), 0

    def round(self, any_: float, rate: float, more: list[Game] | None = None) -> None:
        """Play a round, learn from what is kept. more: what others have played with this net."""
        fresh = [played(self.batch, self.net, self.luck, any_, ROUND, self.open), *(more or [])]
        self.kept += [one for one in fresh if len(one[2])]
        while sum(len(one[2]) for one in self.kept) > KEPT and len(self.kept) > 1:
            self.kept.pop(0)
        if not self.kept:
            return
        losses = []
        for _ in range(max(1, sum(len(one[2]) for one in fresh) // 512)):
            known, said, brought = self.kept[int(self.luck.integers(len(self.kept)))]
            picked = self.luck.integers(len(brought), size=512)
            losses.append(self.net.learn(known[picked], said[picked], brought[picked] / self.scale, rate))
        self.loss = float(np.mean(losses))


class Player:
    """The net as a bot of the arena: `qipai.research.example:Player` takes the file from the environment, QIPAI_NET."""

    def __init__(self, options: Any, *, seed: int = 0) -> None:
        self.kind, self.luck = Kind(type_name(options)), Stream.of_seed(seed)
        its = self.kind.entry.batched
        assert its is not None
        self.batched, self.net = its, Net.load(Path(os.environ["QIPAI_NET"]), its.known, its.said)
        self.rules = rules_of(self.kind.entry, options, its.seats)

    def choose(self, view: Any, budget_ms: int) -> Any:
        """Return the answer that the net thinks best."""
        state = self.rules.imagine(view, self.luck)
        actions = list(self.rules.legal(state, view.seat))
        codes = np.array([self.batched.code(action) for action in actions], np.int32)
        said = np.zeros(len(actions) * self.batched.said, np.int8)
        self.batched.describe(codes, len(actions), said)
        known = np.array(self.kind.numbers(view)[: self.batched.known])[None]
        worth = self.net.worth(known, said.reshape(len(actions), -1), np.zeros(len(actions), np.int64))
        return actions[int(worth.argmax())]


def type_name(options: Any) -> str:
    """Return the game whose options these are."""
    return next(name for name in games.names() if games.find(name).options is type(options))


def judged(game: str, path: Path, deals: int, against: str, told: Callable[[str], None]) -> tuple[float, float]:
    """Play duplicate deals against a level; return the mean difference of points and its standard error."""
    from qipai.arena.duel import duel

    os.environ["QIPAI_NET"] = str(path.resolve())
    bots = ("qipai.research.example:Player", against)
    result = duel(Terms(game, bots, budget_ms=50), deals)
    told(f"{game}: net against {against} {result.mean:+.2f} +- {result.error:.2f} points a deal, {result.deals} deals")
    return result.mean, result.error


def main(words: list[str] | None = None) -> int:
    """Learn, or judge what was learned."""
    parser = argparse.ArgumentParser(
        prog="python -m qipai.research.example", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("game", help="a game that is played in batches: mahjong")
    parser.add_argument("--minutes", type=float, default=20.0, help="how long to learn (20)")
    parser.add_argument("--out", type=Path, default=Path("net.npz"), help="where the net is written")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judge", type=Path, metavar="NET", help="play this net against --against instead")
    parser.add_argument("--against", default="easy", help="a level: easy, steady, strong")
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--workers", type=int, default=0, help="with --ray: how many processes play beside this one")
    parser.add_argument("--ray", action="store_true", help="play in processes of Ray (pip install ray)")
    args = parser.parse_args(words)
    if args.judge:
        judged(args.game, args.judge, args.deals, args.against, print)
        return 0
    trainer = Trainer(args.game, seed=args.seed)
    ask = _rays(args.game, args.workers, args.seed) if args.ray else lambda net, any_: []
    began, rounds = time.monotonic(), 0
    while (spent := (time.monotonic() - began) / 60 / args.minutes) < 1:
        any_ = 0.15 * (1 - spent) + 0.02
        trainer.round(any_, 1e-3 * (1 - 0.9 * spent), ask(trainer.net, any_))
        rounds += 1
        if rounds % 20 == 0:
            print(f"{spent:4.0%}  {rounds} rounds  loss {trainer.loss:.4f}", file=sys.stderr, flush=True)
            trainer.net.save(args.out)
    trainer.net.save(args.out)
    return 0


def _rays(game: str, workers: int, seed: int) -> Callable[[Net, float], list[Game]]:
    """Return a function by which processes of Ray play a round each."""
    import ray  # type: ignore[import-not-found,unused-ignore]

    class Hand:
        def __init__(self, seed: int) -> None:
            self.batch, self.luck = Batch(game, 256, seed), np.random.default_rng(seed)
            self.open: list[list[Any]] = [[] for _ in range(self.batch.tables)]

        def play(self, net: Net, any_: float) -> Game:
            return played(self.batch, net, self.luck, any_, ROUND, self.open)

    hands = [ray.remote(Hand).remote(seed + 1 + i) for i in range(max(1, workers))]
    return lambda net, any_: list(ray.get([hand.play.remote(net, any_) for hand in hands]))


if __name__ == "__main__":
    sys.exit(main())
