"""The rules of all turns again, slowly: boards are dicts, every order of every step is tried, nothing is shared."""

from __future__ import annotations

from dataclasses import dataclass, field

Cells = dict[str, int]


@dataclass
class Board:
    variant: str
    sides: tuple[Cells, Cells]  # points "1".."24", "bar", "res", "off"
    pinned: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    extra: int = 15

    def copy(self) -> Board:
        a, b = self.sides
        p, q = self.pinned
        return Board(self.variant, (dict(a), dict(b)), (set(p), set(q)), self.extra)

    def other(self, p: int) -> int:
        if self.variant == "fevga":
            return p + 12 if p <= 12 else p - 12
        return 25 - p

    def at(self, seat: int, p: int | str) -> int:
        return self.sides[seat].get(str(p), 0)

    def add(self, seat: int, p: int | str, n: int) -> None:
        self.sides[seat][str(p)] = self.at(seat, p) + n

    def total(self, seat: int) -> int:
        return sum(self.sides[seat].values())

    def text(self) -> str:
        halves = []
        for seat in (0, 1):
            words = []
            for name in ("bar", "res", *map(str, range(24, 0, -1)), "off"):
                if self.at(seat, name):
                    mark = "p" if name.isdigit() and int(name) in self.pinned[seat] else ""
                    words.append(f"{name}:{self.at(seat, name)}{mark}")
            halves.append(" ".join(words))
        return " / ".join(halves)


def read(variant: str, text: str) -> Board:
    sides: list[Cells] = []
    pinned: list[set[int]] = []
    for half in text.split("/"):
        cells: Cells = {}
        pins = set()
        for word in half.split():
            name, count = word.split(":")
            if count.endswith("p"):
                pins.add(int(name))
            cells[name] = int(count.rstrip("p"))
        sides.append(cells)
        pinned.append(pins)
    return Board(variant, (sides[0], sides[1]), (pinned[0], pinned[1]))


def over(b: Board, seat: int) -> bool:
    if b.at(seat, "off") == b.total(seat):
        return True
    if b.variant == "plakoto":
        caught = [24 in b.pinned[side] for side in (0, 1)]
        if all(caught):
            return True
        return any(caught[side] and b.at(1 - side, 24) == 0 for side in (0, 1))
    return False


def step(b: Board, seat: int, origin: str, die: int) -> Board | None:
    """The board after one step, None when it is not allowed."""
    enemy = 1 - seat
    if b.at(seat, origin) == 0:
        return None
    if b.at(seat, "bar") and origin != "bar":
        return None
    if origin.isdigit() and int(origin) in b.pinned[seat]:
        return None
    start = int(origin) if origin.isdigit() else 25
    to = start - die
    points = [p for p in range(1, 25) if b.at(seat, p)]
    if to <= 0:
        if b.at(seat, "bar") or b.at(seat, "res") or any(p > 6 for p in points):
            return None
        if any(p <= 6 for p in b.pinned[seat]):
            return None
        if to < 0 and max(points) > start:
            return None
    else:
        there = b.other(to)
        against = b.at(enemy, there)
        if against > 1 or (against == 1 and b.variant == "fevga") or to in b.pinned[seat]:
            return None
        if b.variant == "fevga":
            passed = b.at(seat, "off") or any(p <= 11 for p in points)
            if not passed and start != min(points):
                return None
    after = b.copy()
    after.add(seat, origin, -1)
    if to <= 0:
        after.add(seat, "off", 1)
    else:
        after.add(seat, to, 1)
        if b.variant == "plakoto":
            if b.at(enemy, there) == 1:
                after.pinned[enemy].add(there)
        elif b.at(enemy, there) == 1:
            after.add(enemy, there, -1)
            after.add(enemy, "bar", 1)
            if b.variant == "cloning" and b.total(seat) < 15 + b.extra:
                after.add(seat, "res", 1)
    if b.variant == "plakoto" and origin.isdigit() and after.at(seat, origin) == 0:
        after.pinned[enemy].discard(b.other(start))
    if b.variant == "fevga" and to > 18 and all(after.at(seat, p) for p in range(19, 25)):
        return None
    return after


def shuts(b: Board, seat: int) -> bool:
    if b.variant != "fevga":
        return False
    force = [p for p in range(1, 25) if b.at(1 - seat, p)]
    if len(force) != 1 or force[0] < 7:
        return False
    return all(b.at(seat, b.other(p)) for p in range(force[0] - 6, force[0]))


def results(b: Board, seat: int, dice: tuple[int, int]) -> list[str]:
    """All boards a throw can lead to, as texts, sorted."""
    orders = [(dice[0],) * 4] if dice[0] == dice[1] else [dice, dice[::-1]]
    ends: list[tuple[int, bool, int, Board]] = []  # steps, over, the first die, board
    seen: set[object] = set()

    def walk(now: Board, left: tuple[int, ...], used: tuple[int, ...]) -> None:
        key = (now.text(), left, used)
        if key in seen:
            return
        seen.add(key)
        finished = bool(used) and over(now, seat)
        found = False
        if left and not finished:
            for origin in ("bar", "res", *map(str, range(24, 0, -1))):
                after = step(now, seat, origin, left[0])
                if after is not None:
                    found = True
                    walk(after, left[1:], (*used, left[0]))
        if used and not found:
            ends.append((len(used), finished, used[0], now))

    for order in orders:
        walk(b, order, ())
    most = max((n for n, *_ in ends), default=0)
    kept = [end for end in ends if end[0] == most or end[1]]
    if most == 1 and dice[0] != dice[1]:
        larger = max(die for n, _, die, _ in kept)
        kept = [end for end in kept if end[2] == larger or end[1]]
    boards = {end[3].text(): end[3] for end in kept}
    open_ones = {text for text, board in boards.items() if not shuts(board, seat)}
    ended = {end[3].text() for end in kept if end[1]}
    if open_ones:
        boards = {text: board for text, board in boards.items() if text in open_ones or text in ended}
    return sorted(boards)
