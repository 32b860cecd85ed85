"""The notations and records of xiangqi, read and written (xiangqi 11)."""

from qipai.games.xiangqi.notation.files import FORMATS_READ, format_of, read, read_all
from qipai.games.xiangqi.notation.formats import FORMATS
from qipai.games.xiangqi.notation.moves import from_uci, to_dhtmlxq, to_iccs, to_uci, to_wxf, to_zh
from qipai.games.xiangqi.notation.reading import parse_move
from qipai.games.xiangqi.notation.tree import GameRecord, Node

__all__ = [
    "FORMATS",
    "FORMATS_READ",
    "GameRecord",
    "Node",
    "format_of",
    "from_uci",
    "parse_move",
    "read",
    "read_all",
    "to_dhtmlxq",
    "to_iccs",
    "to_uci",
    "to_wxf",
    "to_zh",
]
