"""Jellyfish's `.mat`, as gnubg writes and reads it (backgammon 11)."""

from __future__ import annotations

import re
from typing import Final

from qipai.core.contract import BadNotation, on_line
from qipai.core.entry import Record
from qipai.games.backgammon.notation.sheet import Game, Scribe, Sheet, boards, plain, score_of, sheet_of
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.state import Line

__all__ = ["export", "read", "write"]

MATCH: Final = re.compile(r"\s*(\d+)\s+point match", re.IGNORECASE)
GAME: Final = re.compile(r"\s*Game\s+(\d+)\s*$", re.IGNORECASE)
NAMES: Final = re.compile(r"\s*(\S.*?)\s*:\s*(\d+)\s{2,}(\S.*?)\s*:\s*(\d+)\s*$")
VARIATION: Final = re.compile(r';\s*\[Variation\s+"([^"]*)"\]', re.IGNORECASE)
TITLE: Final = re.compile(r';\s*\[(\w+(?: \w+)?)\s+"([^"]*)"\]')
NUMBERED: Final = re.compile(r"\s*\d+\)")
ENTRY: Final = re.compile(r"([1-6][1-6])\s*:|(Doubles|Redoubles|Beavers|Takes|Drops|Wins)\b", re.IGNORECASE)
RIGHT: Final = 20  # an entry that begins at this column or later stands in the right column
VARIATIONS: Final = {"nackgammon": "nackgammon", "hypergammon": "hyper"}
WRITTEN: Final = {"nackgammon": "NackGammon", "hyper": "HyperGammon (3)"}


def read(text: str) -> Sheet:
    """Return the match in a `.mat` text; raises BadNotation("bad_record")."""
    variant, length = "backgammon", 0
    titles: dict[str, str] = {}
    for line in text.splitlines():
        if found := TITLE.match(line.strip()):
            titles[found[1].lower()] = found[2].strip()
        if found := VARIATION.match(line.strip()):
            word = re.split(r"[ (]", found[1].strip().lower())[0]
            variant = VARIATIONS.get(word, "backgammon")
        elif found := MATCH.match(line):
            length = int(found[1])
            break
    else:
        raise BadNotation("bad_record", why="no_match")
    options = Options(variant=variant, match_to=length)  # type: ignore[arg-type]
    games: list[Game] = []
    names: tuple[str, str] | None = None
    before = (0, 0)
    scribe: Scribe | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith(";") or MATCH.match(line):
            continue
        if GAME.match(line):
            if scribe is not None:
                games.append(scribe.done())
            scribe = Scribe(options)
        elif scribe is None:
            continue
        elif not scribe.lines and not NUMBERED.match(line) and (found := NAMES.match(line)):
            if names is None:
                names, before = (found[1], found[3]), (int(found[2]), int(found[4]))
        else:
            scribe.row = number
            with on_line(number):
                read_line(scribe, line)
    if scribe is not None:
        games.append(scribe.done())
    if names is None:
        raise BadNotation("bad_record", why="no_players")
    return Sheet(options=options, players=names, games=tuple(games), before=before, titles=titles)


def read_line(scribe: Scribe, line: str) -> None:
    """Give the scribe the one or two entries of a line."""
    head = NUMBERED.match(line)
    found = list(ENTRY.finditer(line, head.end() if head else 0))
    for i, entry in enumerate(found):
        end = found[i + 1].start() if i + 1 < len(found) else len(line)
        seat = 1 if i else int(entry.start() >= RIGHT)
        read_entry(scribe, seat, entry, line[entry.end() : end])


def read_entry(scribe: Scribe, seat: int, entry: re.Match[str], rest: str) -> None:
    """Give the scribe one entry: dice with a play, a cube action, or the points won."""
    word = (entry[2] or "").lower()
    if scribe.beavered and word not in ("takes", "drops"):
        scribe.take(scribe.doubler)  # the doubler's next entry implies it
    if entry[1]:
        text = "" if "cannot" in rest.lower() else rest.split("?")[0]
        scribe.throw(seat, (int(entry[1][0]), int(entry[1][1])), people(text))
    elif word in ("doubles", "redoubles", "beavers"):
        value = re.search(r"=>\s*(\d+)", rest)
        if value and scribe.options.series and not scribe.doubled:
            scribe.cube_begins(max(1, int(value[1]) // 2))  # R28: automatic doubles are not written
        scribe.double(seat)
    elif word == "takes":
        scribe.take(seat)
    elif word == "drops":
        scribe.drop(seat)
    else:
        points = re.search(r"\d+", rest)
        scribe.won(seat, int(points[0]) if points else 1)


def people(text: str) -> str:
    """Return a play with the bar and off as people write them."""
    words = []
    for word in text.lower().split():
        places = [{"25": "bar", "0": "off", "0*": "off"}.get(place, place) for place in word.split("/")]
        words.append("/".join(places))
    return " ".join(words)


def write(sheet: Sheet) -> str:
    """Return a match as text."""
    options = sheet.options
    if not options.row.gnu or options.row.loses:
        raise BadNotation("bad_variant", text=options.variant)
    out = []
    if options.variant in WRITTEN:
        out += [f'; [Variation "{WRITTEN[options.variant]}"]', ""]
    out += [f" {options.match_to} point match", ""]
    for number, game in enumerate(sheet.games):
        mine, his = score_of(sheet, number)
        left, right = sheet.players
        out += [f" Game {number + 1}", f" {f'{left} : {mine}':<31}{right} : {his}"]
        out += write_game(options, game)
        out.append("")
    return "\n".join(out) + "\n"


def write_game(options: Options, game: Game) -> list[str]:
    """Return the numbered lines of a game."""
    entries: list[tuple[int, str]] = []
    for line, steps in zip(game.lines, boards(options, game.lines)[0], strict=True):
        if line.kind in ("auto", "draw"):
            continue
        if line.kind == "take" and entries and "Beavers" in entries[-1][1]:
            continue
        text = _entry(line)
        if steps:
            text += " ".join(f"{plain(step.origin)}/{plain(step.to)}{'*' * step.hit}" for step in steps)
        if text:
            entries.append((line.seat, text))
    rows: list[list[str]] = []
    for seat, text in entries:
        if seat == 0 or not rows or rows[-1][1]:
            rows.append(["", ""])
            if seat == 1 and len(rows) > 1 and not rows[-2][1]:
                rows.pop()
        rows[-1][seat] = text
    wins = ""
    if game.last and game.last.winner is not None:
        n = game.last.points
        wins = f" Wins {n} point{'s' if n > 1 else ''}"
        if game.last.winner == 1 and rows and rows[-1][0] == " Drops" and not rows[-1][1]:
            rows[-1][1], wins = wins, ""
    lines = [f"{number:3d}) {f'{left} ':<28}{right}".rstrip() for number, (left, right) in enumerate(rows, 1)]
    if wins and game.last:
        lines.append(f"{'':5}{wins}" if game.last.winner == 0 else f"{'':33}{wins}")
    return lines


def _entry(line: Line) -> str:
    match line.kind:
        case "double":
            return f" Doubles => {line.value}"
        case "beaver":
            return f" Beavers => {line.value}"
        case "take":
            return " Takes"
        case "drop":
            return " Drops"
    return f"{max(line.dice)}{min(line.dice)}: " if line.dice else ""


def export(record: Record) -> str:
    """Return a match of the hall as `.mat`."""
    return write(sheet_of(record))
