"""Xiangqi in a terminal: the board as text, typed moves, events as lines."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import BadNotation
from qipai.games.xiangqi.notation import parse_move
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import PIECES, Position, parse_fen, valid_move
from qipai.games.xiangqi.state import (
    AcceptDraw,
    Accepted,
    AcceptTime,
    Action,
    Agreed,
    Declined,
    DeclineDraw,
    DeclineTime,
    Ended,
    Event,
    Move,
    Moved,
    OfferDraw,
    Offered,
    Proposed,
    Readied,
    Ready,
    Resign,
    Started,
    State,
    Turned,
    View,
    Warned,
)
from qipai.lang import Voice, voice

__all__ = ["mark", "picture", "read", "say", "show"]

# The two colours are told apart by their signs, as on a printed diagram.
SIGNS: Final = dict(zip(PIECES, "帅仕相傌俥炮兵将士象馬車砲卒", strict=True))
POINT: Final = "・"
RIVER: Final = "　　楚　河　　　　漢　界"
WORDS: Final[dict[str, Action]] = {
    **dict.fromkeys(("draw", "提和"), OfferDraw()),
    **dict.fromkeys(("accept", "yes", "同意"), AcceptDraw()),
    **dict.fromkeys(("decline", "no", "不同意"), DeclineDraw()),
    **dict.fromkeys(("resign", "认输"), Resign()),
    **dict.fromkeys(("ready", "准备"), Ready()),
}


def picture(position: Position, *, flip: bool = False, last: str = "") -> str:
    """Return the board as text, ten rows with ranks and files at the edges; flip shows it from black's side.

    last: the last move; its origin is shown as ○, its man is followed by a mark.
    """
    files = range(8, -1, -1) if flip else range(9)
    ranks = range(10) if flip else range(9, -1, -1)
    numerals = ("１２３４５６７８９", "九八七六五四三二一")
    top, bottom = (numerals[1], numerals[0]) if flip else (numerals[0], numerals[1])
    lines = ["   " + " ".join(top[f] for f in files)]
    for number, rank in enumerate(ranks):
        row = f"{rank}  "
        for file in files:
            name = f"{'abcdefghi'[file]}{rank}"
            piece = position.at(name)
            sign = SIGNS.get(piece, "○" if name == last[:2] else POINT)
            row += sign + ("<" if name == last[2:] else " ")
        lines.append(row.rstrip())
        if number == 4:
            lines.append("   " + RIVER)
    lines.append("   " + " ".join(bottom[f] for f in files))
    lines.append("   " + "  ".join("abcdefghi"[f] for f in files))
    return "\n".join(lines)


def show(options: Options, view: View, lang: str) -> str:
    """Return the table as text."""
    position = parse_fen(view.fen, check=False)
    last = view.plies[-1].m if view.plies else ""
    lines = [picture(position, flip=view.you == 1, last=last), ""]
    words = voice("xiangqi", lang)
    sides = (words["term.red"], words["term.black"])
    for seat, men in enumerate(view.captured):
        if men:
            lines.append(words("ui.captured_of", side=sides[seat], men="".join(SIGNS[m] for m in men)))
    if view.plies:
        first = max(0, len(view.plies) - 8)
        moves = [(ply.zh if words["usual.notation"] == "zh" else ply.wxf) for ply in view.plies[first:]]
        lines.append(words("ui.last_moves", moves=" ".join(moves)))
    if view.warned is not None:
        lines.append(words("ui.must_vary", side=sides[view.warned]))
    if view.offer is not None:
        lines.append(words("ui.offer_stands", side=sides[view.offer]))
    if view.phase == "over":
        lines.append(_result(words, view.winner, view.why or ""))
    elif view.phase == "setup":
        lines.append(words["ask.setup"])
    else:
        text = words("ui.to_move", side=sides[view.side])
        lines.append(f"{text} {words['ui.in_check']}" if view.check else text)
        if view.you == view.side or view.offer == 1 - (view.you or 0):
            lines.append(words["ui.type_a_move"])
    return "\n".join(lines)


def read(options: Options, view: View, text: str) -> Action:
    """Return the action a typed line stands for: h2e2, 炮二平五, C2=5, draw, accept, decline, resign.

    Raises BadNotation. A move in coordinates is not judged here: `refuse` says why it is none.
    """
    word = text.strip()
    if view.phase == "setup" and word.lower() in ("accept", "yes", "同意"):
        return AcceptTime()
    if view.phase == "setup" and word.lower() in ("decline", "no", "不同意"):
        return DeclineTime()
    if (action := WORDS.get(word.lower())) is not None:
        return action
    if not word:
        raise BadNotation("bad_notation", text=word)
    if valid_move(word.lower()):
        return Move(word.lower())
    return Move(parse_move(parse_fen(view.fen, check=False), word))


def say(event: Event, lang: str) -> str:
    """Return an event as one line."""
    words = voice("xiangqi", lang)

    def side(seat: int) -> str:
        return words["term.black" if seat else "term.red"]

    match event:
        case Moved(seat=seat):
            move = event.zh if words["usual.notation"] == "zh" else event.wxf
            key = "event.moved_check" if event.check else "event.moved"
            line = words(key, side=side(seat), move=move)
            return f"{line} {words('event.taken', man=SIGNS[event.taken])}" if event.taken else line
        case Warned(seat=None):
            return words("event.warned_nobody", count=event.count)
        case Warned(seat=seat):
            return words("event.warned", side=side(seat or 0), count=event.count)
        case Offered(seat=seat):
            return words("event.offered", side=side(seat))
        case Declined(seat=seat):
            return words("event.declined", side=side(seat))
        case Accepted(seat=seat):
            return words("event.accepted", side=side(seat))
        case Proposed(seat=seat, tc=tc):
            return words("event.proposed", side=side(seat), minutes=tc.first_s // 60, moves=tc.first_moves)
        case Agreed(seat=seat):
            return words("event.agreed", side=side(seat))
        case Turned(seat=seat):
            return words("event.turned_down", side=side(seat))
        case Readied(seat=seat):
            return words("event.readied", side=side(seat))
        case Started():
            return words["event.started"]
        case Ended(winner=winner, why=why):
            return _result(words, winner, why)
    raise AssertionError(event)


def _result(words: Voice, winner: int | None, why: str) -> str:
    reason = words[f"why.{why}"]
    if winner is None:
        return words("event.drawn", why=reason)
    return words("event.won", side=words["term.black" if winner else "term.red"], why=reason)


def mark(state: State, event: Event) -> str | None:
    """Return which critical moment an event is (platform P-90): check, big capture, warning, offer, end."""
    match event:
        case Moved(check=True):
            return "check"
        case Moved(taken=taken) if taken and taken in "RNCrnc":
            return "capture"
        case Warned():
            return "warned"
        case Offered():
            return "draw_offer"
        case Ended():
            return "end"
    return None
