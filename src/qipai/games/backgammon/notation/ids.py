"""GNU Position ID, GNU Match ID and XGID (backgammon 11)."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from qipai.core.contract import BadNotation
from qipai.games.backgammon.kernel.board import BAR, OFF, SIDE
from qipai.games.backgammon.options import Variant
from qipai.games.backgammon.position import CELLS, fill_sums

__all__ = ["Match", "Table", "from_match_id", "from_position_id", "from_xgid", "match_id", "position_id", "xgid"]

ALPHABET: Final = re.compile(r"[A-Za-z0-9+/]*")
CENTRE: Final = 3
MINE: Final = "-ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # by how many checkers stand there
HIS: Final = MINE.lower()
XGID: Final = re.compile(
    r"XGID=([-A-Pa-p]{26}):(\d|1\d):(-1|0|1):(-1|1):(00|[1-6][1-6]|D):(\d{1,5}):(\d{1,5}):([0-3]):(\d{1,5}):(\d{1,2})"
)


class Match(Struct, frozen=True, kw_only=True):
    """What a Match ID says."""

    cube: int = 1
    cube_owner: int | None = None
    on_roll: int = 0
    crawford: bool = False
    game_state: int = 1  # 0 none, 1 playing, 2 over, 3 resigned, 4 dropped
    turn: int = 0  # who must decide
    doubled: bool = False
    resigned: int = 0
    dice: tuple[int, int] | None = None
    match_to: int = 0
    score: tuple[int, int] = (0, 0)


class Table(Struct, frozen=True, kw_only=True):
    """What an XGID says; the position as kernel cells."""

    cells: tuple[int, ...]
    on_roll: int
    cube: int = 1
    cube_owner: int | None = None
    dice: tuple[int, int] | Literal["D"] | None = None  # D: a double is offered, by `on_roll`
    score: tuple[int, int] = (0, 0)
    match_to: int = 0
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False


def position_id(cells: Sequence[int], seat: int) -> str:
    """Return the 14 characters of a position with `seat` on roll."""
    bits, at = 0, 0
    for side in (1 - seat, seat):
        for p in range(1, BAR + 1):
            count = cells[side * SIDE + p]
            bits |= ((1 << count) - 1) << at
            at += count + 1
    return base64.b64encode(bits.to_bytes(10, "little")).decode().rstrip("=")


def from_position_id(variant: Variant, text: str, seat: int) -> tuple[int, ...]:
    """Return the cells of a position with `seat` on roll; raises BadNotation("bad_position_id")."""
    if len(text) != 14 or not ALPHABET.fullmatch(text):
        raise BadNotation("bad_position_id", text=text[:40])
    raw = base64.b64decode(text + "AA")  # the characters hold four bits more than the ten bytes
    bits, end = int.from_bytes(raw, "little"), 80
    if bits >> end:
        raise BadNotation("bad_position_id", text=text)
    cells = [0] * CELLS
    at = 0
    for side in (1 - seat, seat):
        for p in range(1, BAR + 1):
            while at < end and bits >> at & 1:
                cells[side * SIDE + p] += 1
                at += 1
            if at >= end:
                raise BadNotation("bad_position_id", text=text)
            at += 1
    if bits >> at:
        raise BadNotation("bad_position_id", text=text)
    return _whole(variant, cells, "bad_position_id", text)


def _whole(variant: Variant, cells: list[int], code: str, text: str) -> tuple[int, ...]:
    """Return cells with what is borne off, or refuse what no board can be."""
    for me in (0, SIDE):
        off = variant.checkers - sum(cells[me + 1 : me + BAR + 1])
        if off < 0:
            raise BadNotation(code, text=text)
        cells[me + OFF] = off
        fill_sums(cells, me)
    if any(cells[p] and cells[SIDE + 25 - p] for p in range(1, 25)):
        raise BadNotation(code, text=text)
    return tuple(cells)


def match_id(match: Match) -> str:
    """Return the 12 characters of a match's state."""
    one, two = match.dice or (0, 0)
    bits, at = 0, 0
    for value, width in (
        (match.cube.bit_length() - 1, 4),
        (CENTRE if match.cube_owner is None else match.cube_owner, 2),
        (match.on_roll, 1),
        (int(match.crawford), 1),
        (match.game_state, 3),
        (match.turn, 1),
        (int(match.doubled), 1),
        (match.resigned, 2),
        (one, 3),
        (two, 3),
        (match.match_to, 15),
        (match.score[0], 15),
        (match.score[1], 15),
    ):
        bits |= value << at
        at += width
    return base64.b64encode(bits.to_bytes(9, "little")).decode()


def from_match_id(text: str) -> Match:
    """Return what a Match ID says; raises BadNotation("bad_match_id")."""
    if len(text) != 12 or not ALPHABET.fullmatch(text):
        raise BadNotation("bad_match_id", text=text[:40])
    bits = int.from_bytes(base64.b64decode(text), "little")

    def take(width: int) -> int:
        nonlocal bits
        value, bits = bits & (1 << width) - 1, bits >> width
        return value

    exponent, owner, on_roll, crawford, state, turn, doubled, resigned = map(take, (4, 2, 1, 1, 3, 1, 1, 2))
    one, two, match_to, mine, his = map(take, (3, 3, 15, 15, 15))
    if owner == 2 or state > 4 or 7 in (one, two) or (one == 0) != (two == 0):
        raise BadNotation("bad_match_id", text=text)
    return Match(
        cube=1 << exponent,
        cube_owner=None if owner == CENTRE else owner,
        on_roll=on_roll,
        crawford=bool(crawford),
        game_state=state,
        turn=turn,
        doubled=bool(doubled),
        resigned=resigned,
        dice=(one, two) if one else None,
        match_to=match_to,
        score=(mine, his),
    )


def xgid(table: Table, bottom: int = 0) -> str:
    """Return a table as XGID, seen by the bottom player."""
    me, it = bottom * SIDE, (1 - bottom) * SIDE
    mine, his = table.cells[me + 1 : me + 25], table.cells[it + 24 : it : -1]
    points = [MINE[one] if one else HIS[other] for one, other in zip(mine, his, strict=True)]
    letters = [HIS[table.cells[it + BAR]], *points, MINE[table.cells[me + BAR]]]
    match table.dice:
        case None:
            dice = "00"
        case "D":
            dice = "D"
        case (one, two):
            dice = f"{max(one, two)}{min(one, two)}"
    flag = int(table.crawford) if table.match_to else int(table.jacoby) + 2 * int(table.beavers)
    fields = (
        table.cube.bit_length() - 1,
        0 if table.cube_owner is None else 1 if table.cube_owner == bottom else -1,
        1 if table.on_roll == bottom else -1,
        dice,
        table.score[bottom],
        table.score[1 - bottom],
        flag,
        table.match_to,
        10,
    )
    return f"XGID={''.join(letters)}:{':'.join(map(str, fields))}"


def from_xgid(variant: Variant, text: str, bottom: int = 0) -> Table:
    """Return what an XGID says; raises BadNotation("bad_xgid")."""
    found = XGID.fullmatch(text)
    if not found:
        raise BadNotation("bad_xgid", text=text[:80])
    letters, exponent, owner, turn, dice, mine, his, flag, match_to, _ = found.groups()
    me, it = bottom * SIDE, (1 - bottom) * SIDE
    cells = [0] * CELLS
    for p, letter in enumerate(letters):
        if letter.isupper():
            if p == 0:
                raise BadNotation("bad_xgid", text=text)
            cells[me + p] = ord(letter) - ord("A") + 1
        elif letter.islower():
            if p == BAR:
                raise BadNotation("bad_xgid", text=text)
            cells[it + BAR - p] = ord(letter) - ord("a") + 1
    length, says = int(match_to), int(flag)
    if length and says > 1:
        raise BadNotation("bad_xgid", text=text)
    score = (int(mine), int(his)) if bottom == 0 else (int(his), int(mine))
    return Table(
        cells=_whole(variant, cells, "bad_xgid", text),
        on_roll=bottom if turn == "1" else 1 - bottom,
        cube=1 << int(exponent),
        cube_owner=None if owner == "0" else bottom if owner == "1" else 1 - bottom,
        dice="D" if dice == "D" else None if dice == "00" else (int(dice[0]), int(dice[1])),
        score=score,
        match_to=length,
        crawford=bool(length and says == 1),
        jacoby=bool(not length and says & 1),
        beavers=bool(not length and says & 2),
    )
