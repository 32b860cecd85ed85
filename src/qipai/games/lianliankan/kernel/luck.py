"""SplitMix64, the generator of layouts and reshuffles (lianliankan 3.1), in halves of 32 bits.

Python's integers do not wrap and the compiled ones do; halves fit into 64 bits in both, whatever is multiplied.
"""

from __future__ import annotations

from qipai.core.kernel import Buffer, kernel

__all__ = ["HI", "LO", "below", "draw", "shuffle"]

HI, LO, OUT_HI, OUT_LO = range(4)  # the buffer `luck`: the state, and the number drawn last
MASK = 0xFFFFFFFF


@kernel
def times(luck: Buffer, by_hi: int, by_lo: int) -> None:
    """Multiply the number drawn by a constant, modulo 2 to the 64th."""
    hi, lo = luck[OUT_HI], luck[OUT_LO]
    low, high = (lo & 0xFFFF) * by_lo, (lo >> 16) * by_lo  # 48 bits each
    whole = low + ((high & 0xFFFF) << 16)
    carry = (whole >> 32) + (high >> 16)
    cross = (lo & 0xFFFF) * by_hi + ((((lo >> 16) * by_hi) & 0xFFFF) << 16)
    cross += (hi & 0xFFFF) * by_lo + ((((hi >> 16) * by_lo) & 0xFFFF) << 16)
    luck[OUT_HI] = (carry + cross) & MASK
    luck[OUT_LO] = whole & MASK


@kernel
def fold(luck: Buffer, by: int) -> None:
    """Mix the number drawn with itself, shifted to the right by so many bits, 1 to 31."""
    hi, lo = luck[OUT_HI], luck[OUT_LO]
    luck[OUT_LO] = lo ^ (((lo >> by) | (hi << (32 - by))) & MASK)
    luck[OUT_HI] = hi ^ (hi >> by)


@kernel
def draw(luck: Buffer) -> None:
    """Draw the next number of 64 bits into OUT_HI and OUT_LO."""
    lo = luck[LO] + 0x7F4A7C15
    luck[HI] = (luck[HI] + 0x9E3779B9 + (lo >> 32)) & MASK
    luck[LO] = lo & MASK
    luck[OUT_HI], luck[OUT_LO] = luck[HI], luck[LO]
    fold(luck, 30)
    times(luck, 0xBF58476D, 0x1CE4E5B9)
    fold(luck, 27)
    times(luck, 0x94D049BB, 0x133111EB)
    fold(luck, 31)


@kernel
def below(luck: Buffer, n: int) -> int:
    """Return a number 0 .. n-1, n below 2 to the 31st; what lies beyond the last whole multiple is thrown away."""
    word = (1 << 32) % n
    beyond = word * word % n
    while True:
        draw(luck)
        if luck[OUT_HI] != MASK or luck[OUT_LO] + beyond <= MASK:
            return int((luck[OUT_HI] % n * word + luck[OUT_LO]) % n)


@kernel
def shuffle(luck: Buffer, items: Buffer, count: int) -> None:
    """Shuffle the first so many items, from the last down."""
    for i in range(count - 1, 0, -1):
        j = below(luck, i + 1)
        items[i], items[j] = items[j], items[i]
