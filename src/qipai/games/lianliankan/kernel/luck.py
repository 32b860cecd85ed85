"""SplitMix64, the generator of layouts and reshuffles (lianliankan 3.1), in halves of 32 bits.

Python's integers do not wrap and compiled ones do; products of halves fit into 64 bits in both. Kernels.
"""

from __future__ import annotations

from qipai.core.kernel import Buffer, kernel

__all__ = ["HI", "LO", "below", "draw", "shuffle"]

HI, LO, OUT_HI, OUT_LO = range(4)  # the buffer `luck`: the state, and the number drawn last
MASK = 0xFFFFFFFF
# The number drawn is mixed with itself, shifted right by so many bits, and multiplied by 0xBF58476D1CE4E5B9, then by
# 0x94D049BB133111EB, modulo 2 to the 64th: here in halves, the upper ones without their highest bit, which is added
# by itself; so no product is longer than 63 bits.
ROUNDS = ((30, 0x3F58476D, 0x1CE4E5B9), (27, 0x14D049BB, 0x133111EB))


@kernel
def draw(luck: Buffer) -> None:
    """Draw the next number of 64 bits into OUT_HI and OUT_LO."""
    lo = luck[LO] + 0x7F4A7C15
    hi = (luck[HI] + 0x9E3779B9 + (lo >> 32)) & MASK
    lo &= MASK
    luck[HI], luck[LO] = hi, lo
    for by, by_hi, by_lo in ROUNDS:
        lo ^= ((lo >> by) | (hi << (32 - by))) & MASK
        hi ^= hi >> by
        low = lo * by_lo
        hi = ((low >> 32) + (lo * by_hi & MASK) + ((lo & 1) << 31) + hi * by_lo) & MASK
        lo = low & MASK
    luck[OUT_HI] = hi ^ (hi >> 31)
    luck[OUT_LO] = lo ^ (((lo >> 31) | (hi << 1)) & MASK)


@kernel
def below(luck: Buffer, n: int) -> int:
    """Return a number 0 .. n-1, n below 2 to the 31st; draws beyond the last whole multiple of n are drawn again."""
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
