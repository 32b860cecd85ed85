"""PGN as xiangqi uses it: many games in a file, Chinese, WXF or ICCS moves, variations and comments (xiangqi 11)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final, Literal

from qipai.core.contract import BadNotation
from qipai.games.xiangqi.notation.moves import to_iccs, to_wxf, to_zh
from qipai.games.xiangqi.notation.reading import parse_move, readable
from qipai.games.xiangqi.notation.text import decoded
from qipai.games.xiangqi.notation.tree import Draft, GameRecord, Result, result_of
from qipai.games.xiangqi.position import START, Position, format_fen

__all__ = ["Format", "drafts", "read", "write"]

Format = Literal["Chinese", "WXF", "ICCS"]
WRITERS: Final[dict[Format, Callable[[Position, str], str]]] = {
    "Chinese": to_zh,
    "WXF": to_wxf,
    "ICCS": lambda position, move: to_iccs(move),
}
TAGS: Final = {  # header -> its tag, in the order of writing
    "title": "Title",
    "event": "Event",
    "site": "Site",
    "date": "Date",
    "round": "Round",
    "red_team": "RedTeam",
    "red": "Red",
    "black_team": "BlackTeam",
    "black": "Black",
    "opening": "Opening",
    "variation": "Variation",
    "ecco": "ECCO",
    "annotator": "Annotator",
    "author": "Author",
    "time_rule": "TimeRule",
    "red_time": "RedTime",
    "black_time": "BlackTime",
}
_HEADERS: Final = {tag.lower(): header for header, tag in TAGS.items()}
_OURS: Final = ("game", "result", "fen", "format")  # tags that are no headers
_TAG_NAME: Final = re.compile(r"[A-Za-z]\w*", re.ASCII)
# A quote or backslash of the value is escaped, but many programs do not: a bare quote ends the value only before the
# bracket, and a bare backslash before the bracket that ends the line is one.
_ESCAPED: Final = r"""\\ (?: ["\\] | (?! ["\\]) | (?= " \s* \] [\ \t]* (?: \n | \Z ) ) )"""
_IN_VALUE: Final = rf"""(?: [^"\\\n] | {_ESCAPED} | "(?! \s*\]) )"""
_TAG: Final = rf"""\[ \s* (?P<tag> [A-Za-z][A-Za-z0-9_]*) \s* " (?P<value> {_IN_VALUE}*) " \s* \]"""
_COMMENT: Final = r"\{ (?P<comment> [^}]*) \}"
_BRACKET: Final = r"(?P<bracket> [()])"
_WORD: Final = r"(?P<word> [^\s{}()\[\];]+)"
_TOKEN: Final = re.compile(rf"\s+ | ;[^\n]* | {_COMMENT} | {_TAG} | {_BRACKET} | {_WORD}", re.VERBOSE)
_NEXT_TAG: Final = re.compile(rf"^ [\ \t]* {_TAG}", re.VERBOSE | re.MULTILINE)
_LAST_WORD: Final = re.compile(r"\s*\{([^}]*)\}")  # a comment at the end of a game, behind its result
_NUMBER: Final = re.compile(r"\d+\.+|\d{1,3}$|\.+|\$\d+$")  # of a move, or of a judgement, at the head of a word
WIDTH: Final = 80


def read(draft: Draft) -> GameRecord:
    """Return the record of a game that `drafts` yielded; raises BadNotation("bad_record")."""
    return draft.record(parse_move)


def drafts(data: bytes | str) -> Iterator[Draft]:
    """Yield the games of a file with their moves as text; raises BadNotation("bad_record") where it is malformed.

    Text between the end of a game and the next tag that is no move is dropped: some programs add such lines.
    """
    text = decoded(data)
    game = _Game()
    between = False
    at = counted = 0
    line = 1
    while at < len(text):
        line, counted = line + text.count("\n", counted, at), at
        found = _TOKEN.match(text, at)
        if between and (found is None or found["bracket"] or not all(map(readable, _words(found["word"] or "")))):
            following = _NEXT_TAG.search(text, at)
            at = following.start() if following else len(text)
            continue
        if found is None:
            raise BadNotation("bad_record", why="cut_short", line=line)
        at = found.end()
        game.line = line
        if found["tag"] is not None:
            if game.moved or (found["tag"].lower() == "game" and game.named):
                yield game.closed()
                game = _Game()
            game.tag(found["tag"], found["value"])
        elif found["comment"] is not None:
            game.comment(found["comment"])
        elif found["bracket"]:
            game.bracket(found["bracket"])
        elif found["word"]:
            for word in _words(found["word"]):
                game.word(word)
        between = between and not game.begun
        if game.over:
            while last := _LAST_WORD.match(text, at):
                game.comment(last[1])
                at = last.end()
            yield game.closed()
            game = _Game()
            between = True
    if game.begun:
        yield game.closed()


def _words(text: str) -> Iterator[str]:
    """Yield the moves and terminators of a run of signs: numbers of moves and signs of judgement are dropped."""
    plain = unicodedata.normalize("NFKC", text)
    if (number := _NUMBER.match(plain)) and not _is_move(plain):
        plain = plain[number.end() :]
    if plain := plain.rstrip("!?"):
        yield plain


def _is_move(plain: str) -> bool:
    """Return whether a word that begins like a number is a move: 15.6 is, 12.25.6 is one behind a number."""
    return re.fullmatch(r"[1-5][1-9][-+=.][1-9]", plain) is not None


class _Game:
    """A game while its signs are read."""

    def __init__(self) -> None:
        self.draft = Draft()
        self.begun = self.moved = self.over = self.named = False
        self.line = 1  # of the file
        self._terminator: Result = "*"
        self._next = -1  # the move that the next one follows
        self._last: int | None = None  # the move that a variation would replace
        self._outer: list[tuple[int, int]] = []  # both, for the lines around this one
        self._early: list[str] = []  # comments before the first move of a variation

    def tag(self, name: str, value: str) -> None:
        self.begun = True
        value = re.sub(r'\\(["\\])', r"\1", value).strip()
        lower = name.lower()
        if lower == "game":
            self.named = True
        elif lower == "fen":
            if value:
                self.draft.fen = value
        elif lower == "result":
            self.draft.result = result_of(value) or "*"
        elif lower != "format":
            self.draft.headers[_HEADERS.get(lower, name)] = value

    def comment(self, text: str) -> None:
        self.moved = self.begun  # before all tags it is the first game's
        if self._last is not None or not self._outer:
            self.draft.note(self._next, text)
        else:
            self._early.append(text)

    def bracket(self, sign: str) -> None:
        self.moved = True
        if sign == "(":
            if self._last is None:
                raise BadNotation("bad_record", why="bracket", line=self.line)
            self._outer.append((self._next, self._last))
            self._next, self._last = self.draft.parent(self._last), None
        elif not self._outer:
            raise BadNotation("bad_record", why="bracket", line=self.line)
        else:
            self._next, self._last = self._outer.pop()
            self._early.clear()

    def word(self, word: str) -> None:
        self.begun = self.moved = True
        if (result := result_of(word)) is not None:
            if not self._outer:
                self._terminator, self.over = result, True
            return
        self._next = self._last = self.draft.add(self._next, word, "\n".join(self._early), line=self.line)
        self._early.clear()

    def closed(self) -> Draft:
        if self._outer:
            raise BadNotation("bad_record", why="cut_short", line=self.line)
        if self.draft.result == "*":
            self.draft.result = self._terminator
        return self.draft


def write(record: GameRecord, style: Format = "Chinese") -> str:
    """Return a record as a PGN game, an empty line at its end; signs that PGN cannot hold are replaced by like ones."""
    tags = [("Game", "Chinese Chess")]
    tags += [(tag, record.headers[header]) for header, tag in TAGS.items() if header in record.headers]
    tags += [
        (key, value)
        for key, value in record.headers.items()
        if key not in TAGS and key.lower() not in _OURS and _TAG_NAME.fullmatch(key)
    ]
    tags.append(("Result", record.result))
    if record.start != START:
        tags.append(("FEN", format_fen(record.start)))
    tags.append(("Format", style))
    head = "\n".join(f'[{name} "{_quoted(value)}"]' for name, value in tags)
    return f"{head}\n\n{_wrapped(_body(record, style))}\n\n"


def _quoted(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _body(record: GameRecord, style: Format) -> Iterator[str]:
    """Yield the words of a record: moves with their numbers, comments, brackets, the result."""
    positions, plies, following = record.positions(), record.plies(), record.children()
    spell = WRITERS[style]
    first = 2 * record.start.round - 1 + record.start.side  # the number of the first ply, were the round numbers true

    def move(index: int, numbered: bool) -> str:
        ply = first + plies[index] - 1
        text = spell(positions[index], record.nodes[index].move)
        if ply % 2:
            return f"{(ply + 1) // 2}. {text}"
        return f"{ply // 2}... {text}" if numbered else text

    if record.comment:
        yield _braced(record.comment)
    numbered = True
    todo: list[tuple[str, int]] = [("line", -1)]  # what is still to be written, the next thing last
    while todo:
        task, index = todo.pop()
        if task == "line":
            if after := following[index]:
                main, *others = after
                todo.append(("line", main))
                for other in reversed(others):
                    todo += [(")", -1), ("line", other), ("move", other), ("(", -1)]
                todo.append(("move", main))
        elif task == "move":
            yield move(index, numbered)
            numbered = False
            if comment := record.nodes[index].comment:
                yield _braced(comment)
                numbered = True
        else:
            yield task
            numbered = True
    yield record.result


def _braced(comment: str) -> str:
    return "{" + comment.replace("}", "｝") + "}"


def _wrapped(words: Iterator[str]) -> str:
    """Return words in lines of about WIDTH signs; a comment is never broken."""
    lines: list[str] = []
    line = ""
    for word in words:
        if line and not line.endswith("(") and word != ")" and len(line) + len(word) >= WIDTH:
            lines.append(line)
            line = ""
        glue = "" if not line or line.endswith("(") or word == ")" else " "
        line += glue + word
    return "\n".join([*lines, line])
