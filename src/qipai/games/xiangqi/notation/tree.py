"""A game record: a start, a tree of moves with comments, headers and a result (xiangqi 11).

The tree is flat, in the order of its writing: a move, its whole continuation, then its alternatives. So a record of any
depth is compared, copied and walked without recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from qipai.core.contract import BadNotation
from qipai.games.xiangqi.kernel.board import BLACK, RED
from qipai.games.xiangqi.position import (
    POINTS,
    START,
    Position,
    apply,
    explain_move,
    format_fen,
    parse_fen,
    played,
    point,
)

__all__ = ["RESULTS", "Draft", "GameRecord", "Node", "Result", "Written", "mover", "position_of", "result_of", "setup"]

Result = Literal["1-0", "0-1", "1/2-1/2", "*"]
RESULTS: Final[tuple[Result, ...]] = ("*", "1-0", "0-1", "1/2-1/2")  # in the order of XQF and CBR
ROOT: Final = -1


class Node(Struct, frozen=True):
    """A move of a record's tree."""

    move: str  # h2e2
    parent: int  # index of the move before it, -1 for the start; always less than its own
    comment: str = ""


class GameRecord(Struct, frozen=True, kw_only=True):
    """One game with its variations. The first move that follows a move is the main continuation.

    headers: "title event site date round red red_team black black_team opening variation ecco annotator author
    time_rule red_time black_time", and under their own names those that a file carried besides.
    """

    start: Position = START
    nodes: tuple[Node, ...] = ()
    comment: str = ""  # on the start
    headers: Mapping[str, str] = {}
    result: Result = "*"

    def children(self) -> list[list[int]]:
        """Return for each move the indices of those that follow it; the last entry belongs to the start."""
        following: list[list[int]] = [[] for _ in range(len(self.nodes) + 1)]
        for index, node in enumerate(self.nodes):
            following[node.parent].append(index)
        return following

    def main(self) -> tuple[str, ...]:
        """Return the moves of the main line."""
        moves: list[str] = []
        last = ROOT
        for index, node in enumerate(self.nodes):
            if node.parent != last:
                break
            moves.append(node.move)
            last = index
        return tuple(moves)

    def lines(self) -> Iterator[tuple[str, ...]]:
        """Yield every line from the start to a leaf, the main line first."""
        path: list[int] = []
        for index, node in enumerate(self.nodes):
            while path and path[-1] != node.parent:
                path.pop()
            path.append(index)
            leaf = index + 1 == len(self.nodes) or self.nodes[index + 1].parent != index
            if leaf:
                yield tuple(self.nodes[i].move for i in path)
        if not self.nodes:
            yield ()

    def positions(self) -> list[Position]:
        """Return the position before each move."""
        before: list[Position] = []
        for node in self.nodes:
            before.append(
                self.start if node.parent == ROOT else apply(before[node.parent], self.nodes[node.parent].move)
            )
        return before

    def plies(self) -> list[int]:
        """Return for each move its number, counted from the start of the game; the first is 1."""
        numbers: list[int] = []
        for node in self.nodes:
            numbers.append(1 if node.parent == ROOT else numbers[node.parent] + 1)
        return numbers

    def final(self) -> Position:
        """Return the position after the main line."""
        return played(self.start, self.main())

    @classmethod
    def of_moves(cls, moves: list[str], start: Position = START, **rest: object) -> GameRecord:
        """Return the record of a game without variations; the moves are taken as they are."""
        nodes = tuple(Node(move, index - 1) for index, move in enumerate(moves))
        return cls(start=start, nodes=nodes, **rest)  # type: ignore[arg-type]


class Written(NamedTuple):
    """A move as XQF and CBR write it: a list of moves in the order of the tree."""

    move: str
    comment: str
    onward: bool  # the line goes on: what is written next follows this move
    other: bool  # an alternative to this move is written later


class Draft:
    """A record while it is read: moves as a file wrote them, not yet tried on a board."""

    def __init__(self, headers: dict[str, str] | None = None) -> None:
        self.start = START
        self.fen = ""  # the start as text, where it is not yet tried
        self.headers = headers or {}
        self.result: Result = "*"
        self.comment = ""
        self._texts: list[str] = []
        self._comments: list[str] = []
        self._parents: list[int] = []
        self._ranks: list[int] = []
        self._lines: list[int] = []

    def __len__(self) -> int:
        return len(self._texts)

    def add(self, parent: int, text: str, comment: str = "", rank: int = 0, line: int = 0) -> int:
        """Add a move after `parent` (-1: the start) and return its index.

        Moves that follow the same move keep the order of their ranks, then that of adding. A rank above 0 is a
        variation even where nothing else follows. line: where it stands in the file, 0 where that says nothing.
        """
        self._texts.append(text)
        self._comments.append(comment.strip())
        self._parents.append(parent)
        self._ranks.append(rank)
        self._lines.append(line)
        return len(self._texts) - 1

    def parent(self, index: int) -> int:
        """Return the index of the move before a move."""
        return self._parents[index]

    def first(self) -> str | None:
        """Return the text of the first move, None when there is none."""
        return self._texts[0] if self._texts else None

    def note(self, index: int, comment: str) -> None:
        """Add to the comment on a move (-1: on the start)."""
        comment = comment.strip()
        if index == ROOT:
            self.comment = f"{self.comment}\n{comment}".strip()
        else:
            self._comments[index] = f"{self._comments[index]}\n{comment}".strip()

    def grow(self, written: Iterator[Written]) -> None:
        """Add a whole tree: a move, all that continues it, then the alternative announced last.

        The first entry is no move but carries the comment on the start. What stands behind the end is not read.
        """
        root = next(written)
        self.note(ROOT, root.comment)
        parent, more = ROOT, root.onward
        waiting: list[int] = []  # the parents of moves for which alternatives were announced
        while more:
            each = next(written)
            if each.other:
                waiting.append(parent)
            node = self.add(parent, each.move, each.comment)
            more = each.onward or bool(waiting)
            if more:
                parent = node if each.onward else waiting.pop()

    def record(self, read: Callable[[Position, str], str] | None = None) -> GameRecord:
        """Return the record with every move tried on the board; raises BadNotation("bad_record").

        read: turns a text into a legal move or raises BadNotation; without it texts are moves already.
        An illegal move on the main line refuses the whole record; in a variation it and what follows it are dropped.
        """
        if self.fen:
            self.start = position_of(self.fen)
        following: list[list[int]] = [[] for _ in range(len(self) + 1)]
        for index, parent in enumerate(self._parents):
            following[parent].append(index)
        nodes: list[Node] = []
        plies: list[int] = []
        # (move, position before it, index of the move before it among the nodes, is it on the main line)
        todo: list[tuple[int, Position, int, bool]] = []

        def follow(index: int, position: Position, node: int, main: bool) -> None:
            after = sorted(following[index], key=self._ranks.__getitem__)
            for child in reversed(after):
                todo.append((child, position, node, main and child == after[0] and self._ranks[child] == 0))

        follow(ROOT, self.start, ROOT, True)
        while todo:
            index, position, parent, main = todo.pop()
            text = self._texts[index]
            try:
                move = read(position, text) if read else _legal(position, text)
            except BadNotation as wrong:
                if main:
                    where = {"line": self._lines[index]} if self._lines[index] else {}
                    depth = 1 if parent == ROOT else plies[parent] + 1
                    raise BadNotation("bad_record", move=text[:40], ply=depth, why=wrong.code, **where) from wrong
                continue
            nodes.append(Node(move, parent, self._comments[index]))
            plies.append(1 if parent == ROOT else plies[parent] + 1)
            follow(index, apply(position, move), len(nodes) - 1, main)
        headers = {key: value.strip() for key, value in self.headers.items() if value.strip()}
        return GameRecord(
            start=self.start, nodes=tuple(nodes), comment=self.comment.strip(), headers=headers, result=self.result
        )


def _legal(position: Position, move: str) -> str:
    if explain_move(position, move) is not None:
        raise BadNotation("no_such_move", text=move)
    return move


def setup(pieces: Mapping[str, str], red: bool, number: int = 1) -> Position:
    """Return the position of pieces by square (`{"e0": "K"}`); raises BadNotation("bad_record")."""
    board = ["."] * POINTS
    for name, piece in pieces.items():
        board[point(name)] = piece
    return position_of(format_fen(Position("".join(board), RED if red else BLACK, 0, number)))


def position_of(fen: str) -> Position:
    """Return the position of a record's FEN; raises BadNotation("bad_record")."""
    try:
        return parse_fen(fen)
    except BadNotation as wrong:
        raise BadNotation("bad_record", why=wrong.code) from wrong


def mover(pieces: Mapping[str, str], first: str | None, otherwise: bool) -> bool:
    """Return whether red begins: the first mover owns the first moved piece; without moves it is `otherwise`."""
    piece = pieces.get(first[:2], "") if first else ""
    return piece.isupper() if piece else otherwise


def result_of(text: str) -> Result | None:
    """Return the result that a text names, None when it names none."""
    return text if text in RESULTS else None
