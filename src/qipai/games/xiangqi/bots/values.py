"""What men are worth, and where: tables for the evaluation, in hundredths of a soldier or so.

The tables are learnt: from a club player's rules of thumb, fitted to the results of the engine's games against itself
(logistic regression over quiet positions). A board is the same seen in a mirror, so a row holds files a to e.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import thawed
from qipai.games.xiangqi.kernel.board import CELLS, ZONE

__all__ = ["VALUE", "WORTH"]

# Plain worth by kind 0–7 for ordering captures: nothing, general, advisor, elephant, horse, chariot, cannon, soldier.
WORTH: Final = (0, 10000, 115, 115, 300, 620, 310, 60)

# By kind: rank 9 first, files a to e, as red's man stands.
# fmt: off
_TABLES: Final = (
    (  # general
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0, -24, -23,
          0,   0,   0, -12, -12,
          0,   0,   0,  -3,   4,
    ),
    (  # advisor
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,  57,   0,
          0,   0,   0,   0,  69,
          0,   0,   0,  49,   0,
    ),
    (  # elephant
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,  53,   0,   0,
          0,   0,   0,   0,   0,
         42,   0,   0,   0,  56,
          0,   0,   0,   0,   0,
          0,   0,  50,   0,   0,
    ),
    (  # horse
        278, 290, 294, 297, 301,
        291, 302, 305, 309, 313,
        300, 311, 314, 316, 320,
        296, 309, 311, 314, 316,
        289, 302, 305, 309, 309,
        281, 294, 298, 301, 303,
        274, 287, 290, 293, 297,
        265, 279, 282, 286, 288,
        255, 266, 269, 275, 279,
        243, 251, 260, 268, 272,
    ),
    (  # chariot
        630, 634, 637, 641, 643,
        638, 643, 645, 650, 652,
        636, 639, 643, 647, 649,
        631, 636, 640, 645, 647,
        627, 631, 633, 636, 640,
        622, 625, 628, 632, 634,
        612, 615, 619, 623, 627,
        600, 608, 614, 618, 621,
        596, 605, 611, 615, 617,
        582, 596, 601, 604, 606,
    ),
    (  # cannon
        303, 300, 293, 291, 291,
        289, 285, 280, 279, 277,
        283, 285, 286, 289, 293,
        284, 286, 285, 290, 296,
        287, 288, 290, 295, 303,
        287, 288, 292, 297, 304,
        290, 292, 294, 297, 304,
        295, 296, 297, 299, 316,
        290, 292, 294, 296, 301,
        287, 289, 290, 294, 299,
    ),
    (  # soldier
         81,  83,  84,  83,  83,
        136, 142, 147, 152, 158,
        136, 142, 148, 154, 160,
        119, 125, 131, 139, 147,
        102, 108, 113, 123, 132,
         69,   0,  70,   0,  83,
         64,   0,  64,   0,  72,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,
    ),
)
# fmt: on


def _value(code: int, square: int) -> int:
    """Return what a man of this code adds on a square, from red's side."""
    kind, black = code & 7, code > 7
    if not kind or not ZONE[square]:
        return 0
    file, rank = square // 12 - 2, square % 12 - 1
    worth = _TABLES[kind - 1][5 * (rank if black else 9 - rank) + min(file, 8 - file)]
    return -worth if black else worth


# By code and square: what a man adds to the score as red sees it; black's are negative.
VALUE: Final = thawed((_value(code, square) for code in range(16) for square in range(CELLS)), 32)
