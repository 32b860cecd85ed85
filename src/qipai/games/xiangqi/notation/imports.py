"""Games from files of other programs, as records that the hall replays (xiangqi 11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from qipai.core.contract import BadNotation
from qipai.core.entry import Aside, Found, Record
from qipai.core.record import as_told
from qipai.games.xiangqi.notation import files
from qipai.games.xiangqi.notation.moves import to_wxf, to_zh
from qipai.games.xiangqi.notation.reading import readable
from qipai.games.xiangqi.notation.text import decoded
from qipai.games.xiangqi.notation.tree import GameRecord
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import START, format_fen
from qipai.games.xiangqi.rules import Xiangqi
from qipai.games.xiangqi.state import AcceptDraw, Move, OfferDraw, Resign

__all__ = ["found", "imports", "recognise"]

# The house's own rules are tried first; for a game that went on where they would end it, rules that end fewer games.
LENIENT: Final[tuple[dict[str, Any], ...]] = ({}, {"move_limit": 0, "repetition_count": 5})
UNDECIDED: Final = "*"


def recognise(data: bytes) -> str | None:
    """Return which of FORMATS_READ a file seems to be, None when it is no record of xiangqi."""
    form = files.format_of(data)
    if form != "pgn":
        return form
    words = [word.strip(".0123456789") for word in decoded(data).replace("{", " ").split()[:40]]
    tagged = any(word.startswith("[") for word in words) and '"]' in decoded(data)
    return "pgn" if tagged or any(map(readable, filter(None, words))) else None


def imports(data: bytes, form: str) -> Iterator[Any]:
    """Yield for each game of a file a function that reads it; both raise BadNotation("bad_record")."""
    for read in files.games_of(data, form):
        yield partial(_read, read)


def _read(read: Any) -> Found:
    return found(read())


def found(game: GameRecord) -> Found:
    """Return a game as a record of the hall; raises BadNotation("bad_record")."""
    best: Found | None = None
    for more in LENIENT:
        this = _played(game, more)
        if best is None or this.beyond < best.beyond:
            best = this
        if not best.beyond:
            break
    assert best is not None
    return best


def _played(game: GameRecord, more: Mapping[str, Any]) -> Found:
    """Return a game played under some options as far as the rules go, and ended as its file says."""
    named: dict[str, Any] = dict(more)
    if game.start != START:
        named["handicap_fen"] = format_fen(game.start)
    try:
        options = Options(**named)
    except ValueError as wrong:
        code = wrong.code if isinstance(wrong, BadNotation) else "bad_position"
        raise BadNotation("bad_record", why=code) from wrong
    rules = Xiangqi(options)
    state = rules.start()
    moves = game.main()
    rows: list[tuple[int, Any, int]] = []
    for move in moves:
        if rules.outcome(state) is not None:
            break
        seat = state.position.side
        rows.append((seat, {"a": "move", "m": move}, 0))
        state = rules.apply(state, seat, Move(move)).state
    played = len(rows)
    side = state.position.side
    ends: list[tuple[int, Any, str]] = []
    if rules.outcome(state) is None and game.result == "1/2-1/2":
        ends = [(side, OfferDraw(), "offer_draw"), (1 - side, AcceptDraw(), "accept_draw")]
    elif rules.outcome(state) is None and game.result != UNDECIDED:
        loser = 1 if game.result == "1-0" else 0
        ends = [(loser, Resign(), "resign")]
    for seat, action, verb in ends:
        if rules.refuse(state, seat, action):
            break  # the rules allow no such end here: the record stays open, its titles tell the file's result
        rows.append((seat, {"a": verb}, 0))
        state = rules.apply(state, seat, action).state
    headers = dict(game.headers)
    outcome = rules.outcome(state)
    record = Record(
        game="xiangqi",
        options=named,
        seats=2,
        rows=tuple(rows),
        players=(headers.pop("red", ""), headers.pop("black", "")),
        outcome=as_told(outcome),
        date=headers.pop("date", "").replace(".", "-").replace("/", "-"),
    )
    if game.result != UNDECIDED:
        headers["result"] = game.result
    return Found(
        record=record,
        titles=headers,
        notes=_notes(game, played),
        asides=tuple(_asides(game, played)),
        beyond=len(moves) - played,
    )


def _notes(game: GameRecord, played: int) -> dict[int, str]:
    notes = {0: game.comment} if game.comment else {}
    last = -1
    for index, node in enumerate(game.nodes[:played]):
        if node.parent != last:
            break
        if node.comment:
            notes[index + 1] = node.comment
        last = index
    return notes


def _asides(game: GameRecord, played: int) -> Iterator[Aside]:
    """Yield the variations, each from the move at which it leaves the line it varies."""
    before = game.positions()
    children = game.children()
    plies = game.plies()
    for index, node in enumerate(game.nodes):
        if children[node.parent][0] == index:
            continue  # the main continuation of the move before it
        words: dict[str, list[str]] = {"zh": [], "en": []}
        at = index
        while True:
            move = game.nodes[at].move
            words["zh"].append(to_zh(before[at], move))
            words["en"].append(to_wxf(before[at], move))
            if not children[at]:
                break
            at = children[at][0]
        if plies[index] <= played + 1:
            yield Aside(plies[index] - 1, {lang: " ".join(told) for lang, told in words.items()})
