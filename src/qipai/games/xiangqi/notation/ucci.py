"""Plain lines `[position] [fen] FEN moves …` and `startpos moves …`, as engines take them (xiangqi 11)."""

from __future__ import annotations

from qipai.core.contract import BadNotation
from qipai.games.xiangqi.notation.reading import parse_move
from qipai.games.xiangqi.notation.text import decoded
from qipai.games.xiangqi.notation.tree import Draft, GameRecord
from qipai.games.xiangqi.position import START, format_fen

__all__ = ["read", "write"]


def read(data: bytes | str) -> GameRecord:
    """Return the record of one line; moves may stand in any notation. Raises BadNotation("bad_record")."""
    words = decoded(data).split()
    if words[:1] == ["position"]:
        del words[0]
    draft = Draft()
    cut = words.index("moves") if "moves" in words else len(words)
    fen, moves = words[:cut], words[cut + 1 :]
    if fen[:1] == ["fen"]:
        del fen[0]
    if not fen:
        raise BadNotation("bad_record", why="bad_fen")
    if fen != ["startpos"]:
        draft.fen = " ".join(fen)
    for at, move in enumerate(moves):
        draft.add(at - 1, move)
    return draft.record(parse_move)


def write(record: GameRecord) -> str:
    """Return the main line of a record as one line, with its end."""
    start = "startpos" if record.start == START else f"fen {format_fen(record.start)}"
    return " ".join(["position", start, *(["moves"] if record.nodes else []), *record.main()]) + "\n"
