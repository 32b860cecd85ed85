"""The nets: which files are read, what the inputs say, and that the numbers are those of plain arithmetic."""

from __future__ import annotations

import zlib

import pytest

from qipai.core.kernel import buffer, lcg
from qipai.games.backgammon.bots.features import (
    ACTIVE,
    ESCAPES,
    FEW,
    INPUTS,
    ONE,
    PARTS,
    blocks,
    describe,
    describe_more,
    exposed,
    part_of,
)
from qipai.games.backgammon.bots.net import (
    CHANCE,
    FINE,
    LOGISTIC,
    OUTPUTS,
    REACH,
    SHIFT,
    VERSION,
    BadNet,
    brain,
    numbers_of,
    outcomes,
    parsed,
    where,
)
from qipai.games.backgammon.bots.train import strewn
from qipai.games.backgammon.kernel.board import BAR, OFF, OUT, SIDE, TOTAL
from qipai.games.backgammon.kernel.plays import apply_way, generate, new_room
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.position import board_of, parse_position

POSITIONS = [
    "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5",
    "bar:1 13:2 8:2 6:3 5:3 4:2 3:2 / 18:2 7:1 6:2 5:3 4:2 3:2 2:2 1:1",
    "21:1 18:1 6:3 5:2 4:2 3:2 2:2 1:2 / bar:2 18:1 off:12",
    "8:2 7:3 6:5 5:2 4:3 / 9:1 7:3 6:5 5:3 4:3",
]


def board(text: str) -> object:
    return board_of(Options(), parse_position(Options().row, text))


def test_a_file_that_is_no_net_of_this_version_is_refused() -> None:
    raw = where("backgammon").read_bytes()
    assert parsed(raw)[:2] == (PARTS, INPUTS)
    with pytest.raises(BadNet, match=f"version {VERSION + 1}"):
        parsed(bytes([0, VERSION + 1]) + raw[2:])
    for cut in (0, 1, 2, 3, 100, len(raw) - 1):
        with pytest.raises(BadNet):
            parsed(raw[:cut])
    with pytest.raises(BadNet, match="weights do not make"):
        parsed(bytes([0, VERSION, raw[2] + 1]) + raw[3:])
    with pytest.raises(BadNet, match="no weights"):  # half a number
        parsed(bytes([40]) + zlib.compress(bytes(3)))


@pytest.mark.parametrize("variant", [name for name, row in VARIANTS.items() if row.dice and name != "backgammon"])
def test_an_older_file_serves_as_before(variant: str) -> None:
    parts, inputs, width, numbers = numbers_of(variant)
    assert (parts, inputs) == (1, FEW)
    assert len(numbers) == (FEW + 1) * width + OUTPUTS * (width + 1)


@pytest.mark.parametrize("variant", ["backgammon", "hyper"])
@pytest.mark.parametrize("text", POSITIONS)
def test_a_net_says_what_plain_arithmetic_says(variant: str, text: str) -> None:
    parts, inputs, width, numbers = numbers_of(variant)
    b, x, net = board(text), buffer(2 * ACTIVE), brain(variant)
    n = describe(b, 1, x)
    part = 0
    if parts > 1:
        n, part = describe_more(b, 1, x, n), part_of(b)
    biases = parts * inputs * width
    rows = biases + parts * width
    layer = []
    for h in range(width):
        total = ONE * numbers[biases + part * width + h]
        for i in range(n):
            total += x[2 * i + 1] * numbers[(part * inputs + x[2 * i]) * width + h]
        layer.append(LOGISTIC[min(2 * REACH << FINE, max(0, (total >> SHIFT + 3 - FINE) + (REACH << FINE)))])
    outcomes(b, 1, net)
    for o in range(OUTPUTS):
        at = rows + (part * OUTPUTS + o) * (width + 1)
        total = 4096 * numbers[at + width] + sum(layer[h] * numbers[at + h] for h in range(width))
        beaten = 0 if o in (1, 2) else 1
        impossible = o > 0 and b[beaten * SIDE + OFF] > 0  # type: ignore[index]
        wanted = CHANCE[min(2 * REACH << FINE, max(0, (total >> SHIFT + 12 - FINE) + (REACH << FINE)))]
        assert net.value[o] == (0 if impossible else wanted)


@pytest.mark.parametrize(("text", "part"), list(zip(POSITIONS, (0, 0, 2, 1), strict=True)))
def test_races_and_late_contact_have_nets_of_their_own(text: str, part: int) -> None:
    assert part_of(board(text)) == part


def test_nobody_escapes_a_full_prime() -> None:
    assert (ESCAPES[0], ESCAPES[0b111111]) == (36, 0)
    assert ESCAPES[0b011111] == 11, "any 6, and what stands behind the prime does not stop it"
    assert ESCAPES[0b100000] == 30, "but not by 5-1, 4-2, 3-3 and 6-6"


@pytest.mark.parametrize("text", ["20:1 13:5 / 12:1 6:2 5:2 3:2", "bar:1 1:2 / 6:2 5:1 4:2", "9:1 / 20:2 12:1"])
def test_what_is_exposed_is_what_the_throws_can_hit(text: str) -> None:
    room, b = new_room(), board(text)
    for seat in (0, 1):
        it = SIDE * (1 - seat)
        blots = [p for p in range(1, 25) if b[it + p] == 1]  # type: ignore[index]
        lost = 0
        for one in range(1, 7):
            for two in range(1, 7):
                gone = set()
                for i in range(int(generate(b, seat, one, two, room))):
                    after = list(b)  # type: ignore[call-overload]
                    apply_way(after, seat, room.ways[i])
                    gone |= {p for p in blots if after[it + p] == 0}
                lost += sum(25 - p for p in gone)
        assert exposed(b, seat, blocks(b, it)) == lost


def test_strewn_checkers_make_a_board() -> None:
    b, seed, x = board(POSITIONS[0]), lcg(5), buffer(2 * ACTIVE)
    for _ in range(200):
        seed = strewn(b, seed)
        for me in (0, SIDE):
            assert sum(b[me : me + BAR + 1]) == b[me + TOTAL] == 15  # type: ignore[index]
            assert b[me + OFF] < 15  # type: ignore[index]
            assert b[me + OUT] == sum(b[me + 7 : me + BAR + 1])  # type: ignore[index]
        assert not any(b[p] and b[SIDE + 25 - p] for p in range(1, 25))  # type: ignore[index]
        assert describe_more(b, 0, x, describe(b, 0, x)) <= ACTIVE
