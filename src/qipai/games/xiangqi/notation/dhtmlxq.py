"""DhtmlXQ, the text format of games on xiangqi web pages: fields in square brackets, moves in digits (xiangqi 11).

A move or a point is digits x y, x 0-8 from red's left, y 0-9 from the top. Lines are numbered: 0 is the main line,
`move_P_N_V` is line V, which leaves line P with its first move as ply N of the game.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from typing import Final, NamedTuple

from qipai.core.contract import BadNotation
from qipai.games.xiangqi.notation.moves import to_dhtmlxq
from qipai.games.xiangqi.notation.text import decoded
from qipai.games.xiangqi.notation.tree import Draft, GameRecord, Result, mover, setup
from qipai.games.xiangqi.notation.xqf import ORDER
from qipai.games.xiangqi.position import Position, square

__all__ = ["STANDARD", "binit", "read", "write"]

STANDARD: Final = "0919293949596979891777062646668600102030405060708012720323436383"
FIELDS: Final = {  # header -> its field, in the order of writing
    "title": "title",
    "event": "event",
    "date": "date",
    "site": "place",
    "round": "round",
    "red_team": "redteam",
    "red": "red",
    "black_team": "blackteam",
    "black": "black",
    "opening": "open",
    "author": "author",
    "annotator": "annotator",
    "time_rule": "timerule",
    "red_time": "redtime",
    "black_time": "blacktime",
}
RESULTS: Final[dict[str, Result]] = {"红胜": "1-0", "黑胜": "0-1", "和棋": "1/2-1/2", "和局": "1/2-1/2"}
_WORDS: Final = {"1-0": "红胜", "0-1": "黑胜", "1/2-1/2": "和棋"}
_HEADERS: Final = {field: header for header, field in FIELDS.items()}
_MARK: Final = re.compile(r"\[(/?)DhtmlXQ(?:_(\w+))?\]", re.IGNORECASE)
_MOVES: Final = re.compile(r"move_(\d{1,6})_(\d{1,6})_(\d{1,6})", re.ASCII)
_COMMENT: Final = re.compile(r"comment(?:(\d{1,6})_)?(\d{1,6})", re.ASCII)
_OWN: Final = ("result", "binit", "movelist")


class Branch(NamedTuple):
    """A variation as it is written: its number, the line it leaves, the ply that is its first move, its moves."""

    number: int
    leaves: int
    ply: int
    moves: tuple[str, ...]


def read(data: bytes | str) -> GameRecord:
    """Return the record of a DhtmlXQ text; raises BadNotation("bad_record")."""
    fields = _fields(decoded(data))
    pieces = _pieces("".join(fields.get("binit", "").split()) or STANDARD)
    digits = "".join(
        (fields.get("movelist") or fields.get("move_0_1_0", "")).split()
    )  # some programs write the one for the other
    main = _moves(digits)
    if 4 * len(main) != len(digits):
        raise BadNotation("bad_record", why="cut_short")
    branches = sorted(
        Branch(int(found[3]), int(found[1]), int(found[2]), tuple(_moves("".join(text.split()))))
        for name, text in fields.items()
        if (found := _MOVES.fullmatch(name))
    )
    draft = Draft({header: fields[field] for header, field in FIELDS.items() if field in fields})
    draft.headers |= {
        name: text
        for name, text in fields.items()
        if name not in _HEADERS and name not in _OWN and not _MOVES.fullmatch(name) and not _COMMENT.fullmatch(name)
    }
    draft.result = RESULTS.get(fields.get("result", "").strip(), "*")
    lines = _grow(draft, main, branches)
    for name, text in fields.items():
        if found := _COMMENT.fullmatch(name):
            line = lines.get(int(found[1] or 0))
            if line and (node := line.move(int(found[2]))) is not None:
                draft.note(node, text.replace("||", "\n"))
    draft.start = _start(pieces, draft.first())
    return draft.record()


def _fields(text: str) -> dict[str, str]:
    """Return the fields by their names in lower case; raises BadNotation where one is not closed."""
    fields: dict[str, str] = {}
    open_name, begin = None, 0
    found = wrapped = False
    for mark in _MARK.finditer(text):
        found = True
        closing, name = bool(mark[1]), (mark[2] or "").lower()
        if open_name is not None:
            if closing and name == open_name:
                fields.setdefault(name, text[begin : mark.start()])
                open_name = None
        elif not name:
            if closing:
                wrapped = False
                break
            wrapped = True
        elif not closing:
            open_name, begin = name, mark.end()
    if not found:
        raise BadNotation("bad_record", why="magic")
    if open_name is not None or wrapped:
        raise BadNotation("bad_record", why="cut_short")
    return fields


def _pieces(points: str) -> dict[str, str]:
    if not re.fullmatch(r"(?:[0-8][0-9]|99){32}", points, re.ASCII):
        raise BadNotation("bad_record", why="binit")
    pieces: dict[str, str] = {}
    for man, piece in enumerate(ORDER):
        x, y = points[2 * man], points[2 * man + 1]
        if x == "9":
            continue
        name = _square(x, y)
        if name in pieces:
            raise BadNotation("bad_record", why="two_on_a_point")
        pieces[name] = piece
    return pieces


def _square(x: str, y: str) -> str:
    return f"{chr(97 + int(x))}{9 - int(y)}"


def _moves(digits: str) -> list[str]:
    """Return the moves at the head of a run of digits, up to the first that is no move."""
    moves = []
    for at in range(0, len(digits), 4):
        four = digits[at : at + 4]
        if not re.fullmatch(r"[0-8][0-9][0-8][0-9]", four, re.ASCII):
            break
        moves.append(_square(four[0], four[1]) + _square(four[2], four[3]))
    return moves


def _start(pieces: Mapping[str, str], first: str | None) -> Position:
    if first is not None:
        return setup(pieces, mover(pieces, first, True))
    try:
        return setup(pieces, True)
    except BadNotation:
        return setup(pieces, False)


class Line(NamedTuple):
    """A line in a draft: its own moves, and where they branch off."""

    leaves: Line | None  # None: the main line
    ply: int  # of its first own move
    own: list[int]  # indices in the draft

    def move(self, ply: int) -> int | None:
        """Return the move at a ply of this line (-1: the start), None when the line has no such ply."""
        line = self
        while ply < line.ply and line.leaves:
            line = line.leaves
        if ply == 0:
            return -1
        at = ply - line.ply
        return line.own[at] if 0 <= at < len(line.own) else None


def _grow(draft: Draft, main: list[str], branches: list[Branch]) -> dict[int, Line]:
    """Add the main line and the variations that hang on it; return the lines by number."""
    lines = {0: Line(None, 1, [])}
    for step, move in enumerate(main):
        lines[0].own.append(draft.add(step - 1, move))
    leaving: dict[int, list[Branch]] = {}
    for branch in branches:
        leaving.setdefault(branch.leaves, []).append(branch)
    todo = deque([0])
    while todo:
        number = todo.popleft()
        for branch in leaving.get(number, ()):
            before = lines[number].move(branch.ply - 1) if branch.ply else None
            if before is None or branch.number in lines:
                continue  # it leaves a line that is not so long, or its number is taken
            line = Line(lines[number], branch.ply, [])
            for step, move in enumerate(branch.moves):
                before = draft.add(before, move, rank=0 if step else branch.number)
                line.own.append(before)
            lines[branch.number] = line
            todo.append(branch.number)
    return lines


def write(record: GameRecord) -> str:
    """Return a record as DhtmlXQ text, with variations and comments; `[/DhtmlXQ` in a text is broken up."""
    fields = [(field, record.headers[header]) for header, field in FIELDS.items() if header in record.headers]
    fields += [
        (key, value)
        for key, value in record.headers.items()
        if key not in FIELDS
        and re.fullmatch(r"[a-z0-9_]+", key)
        and key not in (*_OWN, *_HEADERS)
        and not _MOVES.fullmatch(key)
        and not _COMMENT.fullmatch(key)
    ]
    if record.result in _WORDS:
        fields.append(("result", _WORDS[record.result]))
    fields.append(("binit", binit(record.start)))
    fields += _lines(record)
    body = "\n".join(f"[DhtmlXQ_{name}]{_kept(text)}[/DhtmlXQ_{name}]" for name, text in fields)
    return f"[DhtmlXQ]\n{body}\n[/DhtmlXQ]\n"


def _kept(text: str) -> str:
    return re.sub(r"\[(?=/?DhtmlXQ)", "［", text, flags=re.IGNORECASE).replace("\r", "").replace("\n", "||")


def binit(position: Position) -> str:
    """Return a position as 32 points, like pieces sorted by x, then y; an absent piece is 99."""
    points: dict[str, list[str]] = {piece: [] for piece in ORDER}
    for number, piece in enumerate(position.board):
        if piece != ".":
            name = square(number)
            points[piece].append(f"{ord(name[0]) - 97}{9 - int(name[1])}")
    for found in points.values():
        found.sort(reverse=True)
    return "".join(points[piece].pop() if points[piece] else "99" for piece in ORDER)


def _lines(record: GameRecord) -> list[tuple[str, str]]:
    """Return the fields of the moves and of their comments. Lines are numbered as they are met."""
    following, plies = record.children(), record.plies()
    moves: list[tuple[str, str]] = []
    comments: list[tuple[str, str]] = [("comment0", record.comment)] if record.comment else []
    todo = deque([(-1, 0)])  # a line: the move it begins with (-1: the main line), its number
    numbers = 0
    names: dict[int, str] = {0: "movelist"}
    while todo:
        begin, number = todo.popleft()
        text = ""
        at = begin
        while True:
            if at != -1:
                node = record.nodes[at]
                text += to_dhtmlxq(node.move)
                if node.comment:
                    comments.append((f"comment{f'{number}_' if number else ''}{plies[at]}", node.comment))
            after = following[at]
            if not after:
                break
            for other in after[1:]:
                numbers += 1
                names[numbers] = f"move_{number}_{plies[other]}_{numbers}"
                todo.append((other, numbers))
            at = after[0]
        moves.append((names[number], text))
    return moves + comments
