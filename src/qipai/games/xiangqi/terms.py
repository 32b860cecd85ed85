"""Names of places and arrangements, for teaching and commentary (xiangqi 2): tags of the language files' glossary."""

from __future__ import annotations

from typing import Final

from qipai.games.xiangqi.position import Position, point

__all__ = ["GLOSSARY", "position_terms", "square_terms"]

# The seed's 25 entries in its order; the words stand in the language files under `glossary.<tag>`.
GLOSSARY: Final = (
    "check",
    "answer_check",
    "checkmate",
    "stalemate",
    "hejiexian",
    "xunhe",
    "qihe",
    "zhongxian",
    "leidao",
    "bingxingxian",
    "gongdingxian",
    "dixian",
    "playing",
    "whole_game",
    "position",
    "first_move",
    "winning",
    "decided",
    "unstoppable",
    "yangjiaoshi",
    "huashixiang",
    "dan_que_shi",
    "dan_que_xiang",
    "waiting_move",
    "useless_move",
)


def square_terms(name: str, seat: int) -> list[str]:
    """Return the tags of a square for a seat's man upon it, sorted."""
    file, rank = name[0], int(name[1])
    tags = {
        "hejiexian": rank in (4, 5),
        "xunhe": rank == (5 if seat else 4),
        "qihe": rank == (4 if seat else 5),
        "zhongxian": file == "e",
        "leidao": file in "df",
        "bingxingxian": rank in (3, 6),
        "gongdingxian": rank in (2, 7),
        "dixian": rank in (0, 9),
    }
    return sorted(tag for tag, holds in tags.items() if holds)


def position_terms(position: Position, seat: int) -> list[str]:
    """Return the tags of a seat's advisors and elephants, sorted."""
    advisor, elephant = ("a", "b") if seat else ("A", "B")
    advisors, elephants = position.board.count(advisor), position.board.count(elephant)
    corners = ("d7", "f7") if seat else ("d2", "f2")
    tags = {
        "yangjiaoshi": any(position.board[point(corner)] == advisor for corner in corners),
        "dan_que_shi": elephants == 2 and advisors == 1,
        "dan_que_xiang": advisors == 2 and elephants == 1,
    }
    return sorted(tag for tag, holds in tags.items() if holds)
