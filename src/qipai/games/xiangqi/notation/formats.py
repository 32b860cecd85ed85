"""Writes a deal played in the hall in the record formats of other programs (xiangqi 11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from qipai.core.entry import Record, Records, lazy_call
from qipai.games.xiangqi.notation import dhtmlxq, pgn, ucci
from qipai.games.xiangqi.notation.moves import to_iccs
from qipai.games.xiangqi.notation.tree import GameRecord, Node, Result, position_of
from qipai.games.xiangqi.position import START, Position, apply, explain_move

__all__ = ["FORMATS", "RECORDS", "of_hall"]


def of_hall(record: Record) -> GameRecord:
    """Return the game record of a deal.

    A last move that left the generals facing each other (option `facing_generals`) is no legal move to a reader of
    records: it stands in the comment on the move before it.
    """
    start = _start(record)
    position = start
    nodes: list[Node] = []
    comment = ""
    for _seat, action, _ms in record.rows:
        if action.get("a") != "move":
            continue
        move = action["m"]
        if explain_move(position, move) is not None:
            comment = to_iccs(move)
            break
        nodes.append(Node(move, len(nodes) - 1))
        position = apply(position, move)
    if comment and nodes:
        nodes[-1] = Node(nodes[-1].move, nodes[-1].parent, comment)
    names = (*record.players, "", "")
    headers = {
        "site": "qipai",
        "date": record.date,
        "round": str(record.deal),
        "red": names[0],
        "black": names[1],
    }
    return GameRecord(
        start=start,
        nodes=tuple(nodes),
        comment=comment if not nodes else "",
        headers={key: text for key, value in headers.items() if (text := " ".join(value.split()))},
        result=_result(record.outcome),
    )


def _start(record: Record) -> Position:
    """Return the position that a deal begins with."""
    if record.start is not None and record.start.text is not None:
        from qipai.games.xiangqi import ENTRY, setup

        return setup.read(ENTRY.chosen(record.options), record.start.text).position
    fen = (record.options or {}).get("handicap_fen")
    return position_of(fen) if fen else START


def _result(outcome: Any) -> Result:
    if outcome is None:
        return "*"
    red, black = outcome["points"]
    return "1-0" if red > black else "0-1" if red < black else "1/2-1/2"


def _pgn(record: Record, style: pgn.Format) -> str:
    game = of_hall(record)
    headers = {**game.headers, "date": record.date.replace("-", ".")} if record.date else game.headers
    return pgn.write(replace(game, headers=headers), style)


FORMATS: Final[Mapping[str, Callable[[Record], str]]] = {
    "pgn": partial(_pgn, style="Chinese"),
    "pgn-wxf": partial(_pgn, style="WXF"),
    "pgn-iccs": partial(_pgn, style="ICCS"),
    "dhtmlxq": lambda record: dhtmlxq.write(of_hall(record)),
    "ucci": lambda record: ucci.write(of_hall(record)),
}
RECORDS: Final = Records(
    FORMATS,
    lazy_call(f"{__package__}.imports", "recognise"),
    lazy_call(f"{__package__}.imports", "imports"),
    placed=frozenset(FORMATS),
)
