"""GNU Position ID, GNU Match ID and XGID (backgammon 11)."""

from __future__ import annotations

import base64
import re
from binascii import b2a_base64
from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from qipai.core.contract import BadNotation
from qipai.games.backgammon.kernel.board import BAR, OFF, SIDE
from qipai.games.backgammon.options import Variant
from qipai.games.backgammon.position import CELLS, fill_sums

__all__ = [
    "Match",
    "Table",
    "from_match_id",
    "from_position_id",
    "from_xgid",
    "joined",
    "match_id",
    "position_bits",
    "position_id",
    "xgid",
    "xgid_letters",
]

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
    return joined(position_bits(cells, 1 - seat), position_bits(cells, seat))


def position_bits(cells: Sequence[int], side: int) -> tuple[int, int]:
    """Return one side's checkers as a Position ID has them, and how many bits these are."""
    me = side * SIDE
    bits, at = 0, 0
    for count in cells[me + 1 : me + BAR + 1]:
        if count:
            bits |= ((1 << count) - 1) << at
            at += count
        at += 1
    return bits, at


def joined(first: tuple[int, int], second: tuple[int, int]) -> str:
    """Return the Position ID of two sides' bits, the second on roll."""
    return _base64((first[0] | second[0] << first[1]).to_bytes(10, "little"))[:14]


def _base64(data: bytes) -> str:
    return b2a_base64(data, newline=False).decode()


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
    bits = (
        match.cube.bit_length() - 1
        | (CENTRE if match.cube_owner is None else match.cube_owner) << 4
        | match.on_roll << 6
        | match.crawford << 7
        | match.game_state << 8
        | match.turn << 11
        | match.doubled << 12
        | match.resigned << 13
        | one << 15
        | two << 18
        | match.match_to << 21
        | match.score[0] << 36
        | match.score[1] << 51
    )
    return _base64(bits.to_bytes(9, "little"))


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


def xgid_letters(cells: Sequence[int], bottom: int = 0) -> str:
    """Return a position as the letters of an XGID, seen by the bottom player."""
    me, it = bottom * SIDE, (1 - bottom) * SIDE
    mine, his = cells[me + 1 : me + 25], cells[it + 24 : it : -1]
    points = [MINE[one] if one else HIS[other] for one, other in zip(mine, his, strict=True)]
    return f"{HIS[cells[it + BAR]]}{''.join(points)}{MINE[cells[me + BAR]]}"


def xgid(table: Table, bottom: int = 0, letters: str | None = None) -> str:
    """Return a table as XGID, seen by the bottom player. letters: those of the position, where they are known."""
    if letters is None:
        letters = xgid_letters(table.cells, bottom)
    dice: str
    if table.dice is None:
        dice = "00"
    elif table.dice == "D":
        dice = "D"
    else:
        one, two = table.dice
        dice = f"{one}{two}" if one > two else f"{two}{one}"
    flag = int(table.crawford) if table.match_to else int(table.jacoby) + 2 * int(table.beavers)
    owner = 0 if table.cube_owner is None else 1 if table.cube_owner == bottom else -1
    return (
        f"XGID={letters}:{table.cube.bit_length() - 1}:{owner}:{1 if table.on_roll == bottom else -1}:{dice}"
        f":{table.score[bottom]}:{table.score[1 - bottom]}:{flag}:{table.match_to}:10"
    )


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
