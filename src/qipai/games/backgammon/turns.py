"""Turns on a board: lists legal plays, reads texts of plays, and explains why a text is no legal play."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from qipai.core.contract import BadNotation, Refusal
from qipai.core.kernel import Buffer, frozen
from qipai.games.backgammon.kernel import board as k
from qipai.games.backgammon.kernel.plays import Room, generate, moved_key, new_room
from qipai.games.backgammon.notation.moves import Part, landings, parse_play, part_text, steps_of, way_text, write_play
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of

__all__ = ["Plays", "Turn", "all_plays", "blots", "own_room", "plays_of", "read_turn", "walked"]

_own = threading.local()
# If both orders of the dice fail, the reason that comes first in this list is reported.
BY_ORDER: Final = (k.HIGHER, k.RUNNER_FIRST, k.BLOCKED, k.START_QUARTER)

KEPT: Final = 256  # throws


class Turn(Struct, frozen=True):
    """A legal turn."""

    m: str  # canonical text
    steps: tuple[tuple[int, int], ...]  # (origin, die) in an order that works


def own_room() -> Room:
    """Return this thread's buffers for generating turns."""
    if not hasattr(_own, "room"):
        _own.room = new_room()
    return _own.room


def blots(board: Buffer, seat: int) -> frozenset[int]:
    """Return the points, by the seat's count, where a step would hit."""
    if board[k.PINS] or board[k.SHUT]:
        return frozenset()
    it, facing = (1 - seat) * k.SIDE, board[k.FACING]
    return frozenset(p for p in range(1, 25) if board[it + k.MIRROR[facing + p]] == 1)


def written(board: Buffer, seat: int, steps: Sequence[tuple[int, int]]) -> str:
    """Return the canonical text of steps (origin, die) from a board."""
    return write_play([(origin, int(k.landing(origin, die))) for origin, die in steps], blots(board, seat))


def walked(board: Buffer, seat: int, steps: Sequence[tuple[int, int]]) -> list[int]:
    """Make steps on the board; return the result of each, as from `kernel.board.make`."""
    return [int(k.make(board, seat, origin, die)) for origin, die in steps]


class Plays(NamedTuple):
    """All plays of a throw; empty when the turn is lost."""

    ways: dict[str, int]  # by its text, in the kernel's order: a way
    texts: dict[int, str]  # by the key of the board it leads to
    most: int  # how many dice must be used
    over: tuple[int, ...]  # the keys of boards that end the game, however many dice are used


_kept: Final[OrderedDict[tuple[str, int, str, int, tuple[int, int]], Plays]] = OrderedDict()


def plays_of(options: Options, cells: tuple[int, ...], position: str, seat: int, dice: tuple[int, int]) -> Plays:
    """Return all plays of a throw; results for the latest throws are cached. position: the text of the cells.

    Legality, hints, and how a play is made all use this result.
    """
    key = (options.variant, options.clone_limit, position, seat, dice)
    found = _kept.get(key)
    if found is None:
        found = _found(options, cells, seat, max(dice), min(dice))
        _kept[key] = found
        if len(_kept) > KEPT:
            _kept.popitem(last=False)
    return found


def all_plays(options: Options, cells: tuple[int, ...], seat: int, high: int, low: int) -> dict[str, int]:
    """Return all plays of a throw: text and way of each; empty when the turn is lost."""
    return _found(options, cells, seat, high, low).ways


def _found(options: Options, cells: tuple[int, ...], seat: int, high: int, low: int) -> Plays:
    board = board_of(options, cells)
    made = ends_of(board, seat, high, low)
    hits = sum([1 << p for p in blots(board, seat)])
    ways, texts = {}, {}
    for key, _mark, way in made:
        text = way_text(way, hits & landings(way) if hits else 0)
        ways[text] = way
        texts[key] = text
    assert len(ways) == len(made), "two plays share a text"
    return Plays(
        ways,
        texts,
        max([mark >> 2 for _, mark, _ in made], default=0),
        tuple([key for key, mark, _ in made if mark & 1]),
    )


def ends_of(board: Buffer, seat: int, high: int, low: int) -> list[tuple[int, int, int]]:
    """Return all boards that a throw can lead to: key, mark and way of each, in the kernel's form."""
    room = own_room()
    count = int(generate(board, seat, high, low, room))
    return [*zip(*[frozen(cells[:count]) for cells in (room.keys, room.marks, room.ways)], strict=True)]


def read_turn(options: Options, cells: tuple[int, ...], seat: int, dice: tuple[int, int], text: str) -> Turn | Refusal:
    """Return the turn for a text, or the reason why it is no legal turn, in the order of backgammon 10."""
    high, low = max(dice), min(dice)
    known = all_plays(options, cells, seat, high, low)
    if text in known:
        return Turn(text, tuple(steps_of(known[text])))
    try:
        parts = parse_play(text)
    except BadNotation as wrong:
        return Refusal("bad_notation", wrong.facts)
    reading = Reading(options, cells, seat, (high, low) if high != low else (high,) * 4)
    return reading.resolve(parts) or reading.explain(parts)


class Way(Struct, frozen=True):
    """One order of steps that fits a text."""

    key: int  # of the board it leads to
    hits: frozenset[int]
    steps: tuple[tuple[int, int], ...]


class Reading:
    """A text being read on one board."""

    def __init__(self, options: Options, cells: tuple[int, ...], seat: int, dice: tuple[int, ...]) -> None:
        self.seat, self.dice = seat, dice
        self.undo: list[list[tuple[int, int]]] = []
        self.me = seat * k.SIDE
        self.board = board_of(options, cells)
        made = ends_of(self.board, seat, dice[0], dice[-1] if len(dice) == 2 else dice[0])
        self.ends = {key: mark for key, mark, _way in made}
        self.first_dice = {way & 7 for _key, _mark, way in made}
        self.most = max((mark >> 2 for mark in self.ends.values()), default=0)

    def resolve(self, parts: Sequence[Part]) -> Turn | Refusal | None:
        """Return the turn, or `wrong_hit`; None when no order of the parts is a legal play."""
        checkers = [(part.origin, part.stops) for part in parts for _ in range(part.count)]
        if not checkers or len(checkers) > len(self.dice):
            return None
        ways: dict[tuple[int, frozenset[int]], Way] = {}
        tried: set[object] = set()

        def walk(left: tuple[tuple[int, tuple[int, ...]], ...], dice: tuple[int, ...], way: Way) -> None:
            if not left:
                mark = self.ends.get(way.key, 0)
                if mark and (mark & 1 or mark >> 2 == len(way.steps)):
                    ways.setdefault((way.key, way.hits), way)
                return
            if not dice or (left, dice, way.key) in tried or (way.steps and k.ended(self.board, self.seat)):
                return
            tried.add((left, dice, way.key))
            for i, (at, stops) in enumerate(left):
                if (at, stops) in left[:i]:
                    continue
                if at == k.RES and self.board[self.me + k.RES] == 0 and self.board[k.CLONES]:
                    for now, pieces, unused in self._cloned_later(stops, dice, way):
                        walk((*left[:i], *pieces, *left[i + 1 :]), unused, now)
                        for origin, did in reversed(self.undo.pop()):
                            k.unmake(self.board, self.seat, origin, did)
                    continue
                for die in sorted(set(dice), reverse=True):
                    to = int(k.landing(at, die))
                    if to < stops[0] or k.why_not(self.board, self.seat, at, die):
                        continue
                    rest = stops[1:] if to == stops[0] else stops
                    moved = ((to, rest),) if rest else ()
                    did = int(k.make(self.board, self.seat, at, die))
                    spent = list(dice)
                    spent.remove(die)
                    walk(
                        (*left[:i], *moved, *left[i + 1 :]),
                        tuple(spent),
                        Way(
                            int(moved_key(self.board, self.me, at, did, way.key)),
                            way.hits | {to} if did & 32 else way.hits,
                            (*way.steps, (at, die)),
                        ),
                    )
                    k.unmake(self.board, self.seat, at, did)

        walk(tuple(checkers), self.dice, Way(0, frozenset(), ()))
        if not ways:
            return None
        marked = frozenset(cell for part in parts for cell in part.marked)
        if marked:
            fit = [way for way in ways.values() if way.hits == marked]
        else:
            fewest = min(len(way.hits) for way in ways.values())
            fit = [way for way in ways.values() if len(way.hits) == fewest]
        if len({way.key for way in fit}) != 1:
            return Refusal("wrong_hit")
        steps = fit[0].steps
        return Turn(written(self.board, self.seat, steps), steps)

    def _cloned_later(
        self, stops: tuple[int, ...], dice: tuple[int, ...], way: Way
    ) -> Iterator[tuple[Way, tuple[tuple[int, tuple[int, ...]], ...], tuple[int, ...]]]:
        """Yield how the end of `res/17*` is played first, by who stands there: its hit brings the clone that enters.

        Each time the step is made on the board, and stands in `undo`: who asks takes it back.
        """
        for die in set(dice):
            stop = k.BAR - die
            spent = list(dice)
            spent.remove(die)
            for other in set(spent):
                to = int(k.landing(stop, other))
                if to < stops[0] or k.why_not(self.board, self.seat, stop, other):
                    continue
                did = int(k.make(self.board, self.seat, stop, other))
                self.undo.append([(stop, did)])
                rest = stops[1:] if to == stops[0] else stops
                left = list(spent)
                left.remove(other)
                yield (
                    Way(
                        int(moved_key(self.board, self.me, stop, did, way.key)),
                        way.hits | {to} if did & 32 else way.hits,
                        (*way.steps, (stop, other)),
                    ),
                    ((k.RES, (stop,)), *(((to, rest),) if rest else ())),
                    (die, *left),
                )

    def explain(self, parts: Sequence[Part]) -> Refusal:
        """Return the first failure when the parts are read from left to right, leg by leg."""
        left = list(self.dice)
        used = 0
        over = False
        done: list[tuple[int, int]] = []
        for part in parts:
            facts = {"part": part_text(part.origin, part.stops)}
            for _ in range(part.count):
                at = part.origin
                for to in part.stops:
                    code = self._leg_fails(at, to)
                    if code:
                        return Refusal(code, facts)
                    legs = [] if over or to >= min(at, k.BAR) else list(self._combinations(at, to, left))
                    if not legs:
                        return Refusal("wrong_die", facts)
                    shortest = len(legs[0])
                    failures = []
                    for dice in (leg for leg in legs if len(leg) == shortest):
                        failed, did = self._tried(at, dice)
                        if not failed:
                            for die in dice:
                                left.remove(die)
                            done += did
                            used += len(dice)
                            over = bool(k.ended(self.board, self.seat))
                            break
                        failures.append(failed)
                    else:
                        return Refusal(
                            k.REASONS[min(failures, key=lambda reason: (*BY_ORDER, reason).index(reason))], facts
                        )
                    at = to
        if not used or (used < self.most and not over):
            return Refusal("must_play_more", {"need": self.most, "got": used})
        if len(self.dice) == 2 and self.most == 1 and used == 1 and not over:
            if left[0] in self.first_dice and left[0] > done[0][1]:
                return Refusal("must_play_larger", {"die": left[0]})
        if k.prime_shuts(self.board, self.seat):
            return Refusal("must_open_prime")
        return Refusal("wrong_hit")

    def _leg_fails(self, at: int, to: int) -> str:
        """Return the reason that forbids a leg with any dice, "" if there is none."""
        b, me = self.board, self.me
        if b[me + at] == 0:
            return "no_checker"
        if b[me + k.PINNED] >> at & 1:
            return "pinned"
        if b[me + k.BAR] > 0 and at != k.BAR:
            return "bar_first"
        if to == k.OFF and (b[me + k.OUT] > (at > 6) or b[me + k.PINNED] & 126):
            return "not_home"
        return ""

    def _combinations(self, at: int, to: int, left: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the dice, in order, that cover a leg, the fewest first; for bearing off the smallest die that does."""
        distance = min(at, k.BAR) - to
        for count in range(1, len(left) + 1):
            found = set()
            for dice in _orders(left, count):
                total = sum(dice)
                if total == distance or (to == k.OFF and total > distance > total - dice[-1]):
                    found.add(dice)
            yield from sorted(found, key=lambda dice: (sum(dice) - distance, dice))

    def _tried(self, at: int, dice: Sequence[int]) -> tuple[int, list[tuple[int, int]]]:
        """Make the steps of one leg; if one fails, restore the board and return the reason."""
        did: list[tuple[int, int, int]] = []
        for die in dice:
            failed = int(k.why_not(self.board, self.seat, at, die))
            if failed:
                for origin, _, what in reversed(did):
                    k.unmake(self.board, self.seat, origin, what)
                return failed, []
            what = int(k.make(self.board, self.seat, at, die))
            did.append((at, die, what))
            at = what & 31
        return 0, [(origin, die) for origin, die, _ in did]


def _orders(dice: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    if count == 0:
        yield ()
        return
    for die in set(dice):
        rest = list(dice)
        rest.remove(die)
        for more in _orders(rest, count - 1):
            yield (die, *more)
