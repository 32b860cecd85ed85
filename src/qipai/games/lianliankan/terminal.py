"""Lianliankan in a terminal: the board as text with coordinates, typed pairs, events as lines."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import BadNotation
from qipai.games.lianliankan.notation import cell_name, column_name, read_cells
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.state import (
    Action,
    Ended,
    Event,
    Hint,
    Hinted,
    Left,
    Link,
    Pair,
    Reshuffled,
    Rows,
    Shuffle,
    State,
    View,
)
from qipai.lang import Voice, voice

__all__ = ["mark", "picture", "read", "say", "show"]

FACES: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
WORDS: Final[dict[str, Action]] = {
    **dict.fromkeys(("clue", "ask", "提示一对"), Hint()),  # `hint` is the terminal's own word
    **dict.fromkeys(("shuffle", "洗牌", "重排"), Shuffle()),
}


def face_sign(face: int) -> str:
    """Return a face in two columns: A … Z, 0 … 9, then numbers."""
    if face == 0:
        return " ·"
    return f" {FACES[face - 1]}" if face <= len(FACES) else f"{face % 100:02d}"


def picture(board: Rows) -> str:
    """Return a board with the letters of its columns above and the numbers of its rows at the left."""
    lines = ["   " + " ".join(f"{column_name(col):>2}" for col in range(len(board[0])))]
    lines += [f"{r + 1:>2} " + " ".join(map(face_sign, row)) for r, row in enumerate(board)]
    return "\n".join(lines)


def pair_text(pair: Pair) -> str:
    """Return a pair as it is typed: `c4 e6`."""
    return " ".join(map(cell_name, pair))


def show(options: Options, view: View, lang: str) -> str:
    """Return the race as text: the own board, then everybody in the order of the race."""
    words = voice("lianliankan", lang)
    lines = []
    if view.phase == "setup":
        lines.append(words["ask.board"])
    if view.board is not None:
        lines.append(picture(view.board))
    for seat, board in enumerate(view.boards):
        if board is not None:
            lines += [words("ui.board_of", seat=seat), picture(board)]
    for seat in sorted(range(len(view.remaining)), key=lambda seat: (view.places[seat], seat)):
        facts = {"place": view.places[seat], "seat": seat, "n": view.remaining[seat], "k": view.reshuffles[seat]}
        line = words("ui.row", **facts)
        if seat == view.you:
            line += f" {words['ui.you']}"
        if view.left[seat] is not None:
            line += f" {words['ui.gone']}"
        lines.append(line)
    if view.why is not None:
        lines.append(words("event.ended", why=words[f"why.{view.why}"]))
    elif view.you is not None and view.board is not None:
        if view.hint is not None:
            lines.append(words("ui.hint_is", pair=pair_text(view.hint)))
        lines.append(words("ui.type_a_pair", hints=view.hints[view.you], shuffles=view.shuffles[view.you]))
    return "\n".join(lines)


def read(options: Options, view: View, text: str) -> Action:
    """Return the action a typed line stands for: two cells (`c4 e6`), `clue`, `shuffle`. Raises BadNotation."""
    word = text.strip().lower()
    if (action := WORDS.get(word)) is not None:
        return action
    cells = read_cells(word)
    if len(cells) != 2:
        raise BadNotation("not_understood", text=text[:40])
    return Link((cells[0], cells[1]))


def say(event: Event, lang: str) -> str:
    """Return an event as one line of text."""
    words: Voice = voice("lianliankan", lang)
    key, facts = words.told(event)
    if isinstance(event, Hinted):
        facts["pair"] = pair_text(event.p)
    elif isinstance(event, Ended):
        facts["why"] = words[f"why.{event.why}"]
    elif isinstance(event, Reshuffled) and event.stuck:
        key = "event.stuck"
    elif "prop" in facts:
        key += f"_{facts['prop']}"
    return words(key, **facts)


def mark(state: State | None, event: Event) -> str | None:
    """Return whether an event is a critical moment of a race (P-90), by its key under `mark.`."""
    if isinstance(event, Reshuffled):
        return "stuck" if event.stuck else "shuffle"
    if isinstance(event, Left):
        return "left"
    if isinstance(event, Ended):
        return "end"
    return None
