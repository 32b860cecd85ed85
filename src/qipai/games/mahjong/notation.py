"""To and from the texts of mahjong: tiles ("5m"), compact strings ("123m55p"), actions, and the kernel's numbers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from qipai.core.contract import BadNotation
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.kernel.bars import line
from qipai.games.mahjong.options import ITEMS
from qipai.games.mahjong.state import Action, Discard, Horse, Hu, Kong, Pass, Pong, Swap, Void

__all__ = [
    "BY",
    "CALLS",
    "CLAIMS",
    "INDEX",
    "KONGS",
    "LINES",
    "NAMES",
    "PHASES",
    "SAID",
    "SUITS",
    "TAKEN",
    "WHAT",
    "action_of",
    "code_of",
    "items_of",
    "line",
    "mask_of",
    "named",
    "tile",
    "tiles_of",
    "write",
    "written",
]

SUITS: Final = "mps"
NAMES: Final = tuple(f"{tile % 9 + 1}{SUITS[tile // 9]}" for tile in range(t.KINDS))
INDEX: Final = {name: tile for tile, name in enumerate(NAMES)}
LINES: Final = tuple(f"{suit}{1 + k}{4 + k}{7 + k}" for suit in SUITS for k in range(3))
PHASES: Final = ("dice", "deal", "horse", "swap", "die", "void", "turn", "claim", "rob", "end")
KONGS: Final = (None, "direct", "added", "concealed")
BY: Final = ("self", "discard", "rob")
CALLS: Final = (None, "sing", "dance")
TAKEN: Final = (None, "pong", "kong", "hu")
WHAT: Final = ("win", "kong", "transfer", "pig", "ready", "refund")
SAID: Final = {t.HU: "hu", t.KONG: "kong", t.PONG: "pong", t.PASSED: "pass"}
CLAIMS: Final = {word: said for said, word in SAID.items()}


def tile(text: object) -> int:
    """Return the kind that "5m" names, -1 for anything else."""
    return INDEX.get(text, -1) if isinstance(text, str) else -1


def tiles_of(text: str) -> list[int]:
    """Return the kinds of a compact string from left to right; raises BadNotation("not_a_tile")."""
    found: list[int] = []
    ranks: list[str] = []
    for sign in text:
        if sign in SUITS and ranks:
            found += [INDEX[rank + sign] for rank in ranks]
            ranks = []
        elif sign in "123456789":
            ranks.append(sign)
        else:
            raise BadNotation("not_a_tile", tile=sign)
    if ranks:
        raise BadNotation("not_a_tile", tile="".join(ranks)[:20])
    return found


def written(tiles: Iterable[int]) -> str:
    """Return the compact string of kinds, in their order."""
    text, suit = "", -1
    for kind in tiles:
        if suit >= 0 and kind // 9 != suit:
            text += SUITS[suit]
        suit = kind // 9
        text += str(kind % 9 + 1)
    return text + SUITS[suit] if suit >= 0 else ""


def _threes() -> list[tuple[str, ...]]:
    """Return the ranks of three neighbours by their counts packed to base five, for the low, middle and high ones."""
    counts = [(key % 5, key // 5 % 5, key // 25) for key in range(125)]
    return [tuple(str(i) * a + str(i + 1) * b + str(i + 2) * c for a, b, c in counts) for i in (1, 4, 7)]


LOW, MIDDLE, HIGH = _threes()


def write(x: int, y: int, z: int) -> str:
    """Return the compact string of the tiles of three suits, in canonical order. x, y, z: their keys."""
    text = ""
    if x:
        text = LOW[x % 125] + MIDDLE[x // 125 % 125] + HIGH[x // 15625] + "m"
    if y:
        text += LOW[y % 125] + MIDDLE[y // 125 % 125] + HIGH[y // 15625] + "p"
    if z:
        text += LOW[z % 125] + MIDDLE[z // 125 % 125] + HIGH[z // 15625] + "s"
    return text


def named(mask: int) -> tuple[str, ...]:
    """Return the names of the kinds of a mask."""
    if not mask:
        return ()
    return tuple(name for kind, name in enumerate(NAMES) if mask >> kind & 1)


def mask_of(names: Iterable[str]) -> int:
    """Return the kinds that names stand for, as bits."""
    return sum(1 << INDEX[name] for name in set(names))


def items_of(code: int, fans: tuple[int, ...]) -> dict[str, int]:
    """Return the items of a hand that are worth something. code: `ITEMS` of the kernel; fans: of each item."""
    roots = code >> 24
    found = {}
    for i, name in enumerate(ITEMS):
        value = fans[i] * (roots if name == "gen" else 1)
        if code >> i & 1 and value:
            found[name] = value
    return found


@lru_cache(maxsize=2048)
def action_of(code: int) -> Action:
    """Return the action that a kernel's number stands for."""
    if code >= t.DO_SWAP:
        return Swap(tuple(NAMES[code >> shift & 31] for shift in (0, 5, 10)))
    if code >= t.DO_HORSE:
        return Horse(code - t.DO_HORSE)
    if code >= t.DO_VOID:
        return Void(SUITS[code - t.DO_VOID])  # type: ignore[arg-type]
    if code >= t.DO_DISCARD:
        name = NAMES[code & 31]
        if code - t.DO_DISCARD < 32:
            return Discard(name)
        return Discard(name, "sing" if code - t.DO_DISCARD < 64 else "dance")
    if code >= t.DO_KONG:
        return Kong(NAMES[code - t.DO_KONG])
    return Hu() if code == t.DO_HU else Pong() if code == t.DO_PONG else Pass()


def code_of(action: Action) -> int:
    """Return the kernel's number of an action that `refuse` has accepted."""
    if isinstance(action, Discard):
        call = {"sing": t.SUNG, "dance": t.DANCED}.get(str(action.call), 0)
        return t.DO_DISCARD + 32 * call + INDEX[action.t]
    if isinstance(action, Kong):
        return t.DO_KONG + INDEX[action.t]
    if isinstance(action, Swap):
        first, second, third = sorted(INDEX[name] for name in action.t)
        return t.DO_SWAP | first | second << 5 | third << 10
    if isinstance(action, Void):
        return t.DO_VOID + SUITS.index(action.suit)
    if isinstance(action, Horse):
        return t.DO_HORSE + action.i
    return t.DO_HU if isinstance(action, Hu) else t.DO_PONG if isinstance(action, Pong) else t.DO_PASS
