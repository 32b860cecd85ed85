"""SGF, as gnubg writes and reads it (backgammon 11)."""

from __future__ import annotations

import re
from typing import Final

from qipai.core.contract import BadNotation, on_line
from qipai.core.entry import Record
from qipai.games.backgammon.kernel.board import BAR, OFF, SIDE
from qipai.games.backgammon.notation.sheet import Game, Scribe, Sheet, boards, score_of, sheet_of
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import CELLS, fill_sums
from qipai.games.backgammon.state import Cube, Line

__all__ = ["export", "read", "write"]


class Node(list[tuple[str, list[str]]]):
    """The properties of a node, each with its values, and the line of the file where it begins."""

    line = 0


COLOURS: Final = "WB"
TOKEN: Final = re.compile(r"\s*(?:([();])|([A-Z]+)|\[((?:\\.|[^\]\\])*)\])", re.DOTALL)
TITLES: Final = {"EV": "event", "RO": "round", "PC": "place", "DT": "date", "AN": "annotator", "SO": "source"}
RULES: Final = {"nackgammon": "Nackgammon", "hyper": "Hypergammon3"}


def trees(text: str) -> list[list[Node]]:
    """Return the main line of each tree as nodes; raises BadNotation("bad_record")."""
    games: list[list[Node]] = []
    depth, skipped = 0, 0  # skipped: the depth of a variation that is passed over, 0 for none
    branched: dict[int, int] = {}
    at, row, end = 0, 1, len(text.rstrip())
    while at < end:
        found = TOKEN.match(text, at)
        if not found:
            raise BadNotation("bad_record", why="sgf", line=row)
        row += text.count("\n", at, found.end())
        at = found.end()
        sign, name, value = found.groups()
        if sign == "(":
            depth += 1
            branched[depth] = 0
            if depth == 1:
                games.append([])
            elif not skipped:
                branched[depth - 1] += 1
                skipped = depth if branched[depth - 1] > 1 else 0
        elif sign == ")":
            if skipped == depth:
                skipped = 0
            depth -= 1
            if depth < 0:
                raise BadNotation("bad_record", why="bracket", line=row)
        elif skipped or not games or depth == 0:
            continue
        elif sign == ";":
            games[-1].append(Node())
            games[-1][-1].line = row
        elif not games[-1]:
            raise BadNotation("bad_record", why="bracket", line=row)
        elif name:
            games[-1][-1].append((name, []))
        elif games[-1][-1]:
            games[-1][-1][-1][1].append(re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL))
    if depth or not games:
        raise BadNotation("bad_record", why="cut_short", line=row)
    return games


def read(text: str) -> Sheet:
    """Return the match in an SGF text; raises BadNotation("bad_record")."""
    games = []
    first: tuple[Options, tuple[str, str], tuple[int, int], dict[str, str]] | None = None
    for nodes in trees(text):
        if not nodes:
            continue
        root = {name: values for name, values in nodes[0] if values}
        told = dict(value.partition(":")[::2] for value in root.get("MI", []))
        words = set(root.get("RU", [""])[0].lower().split(":"))
        variant = next((name for name, word in RULES.items() if word.lower() in words), "backgammon")
        try:
            length = int(told.get("length", 0))
            before = (int(told.get("ws", 0)), int(told.get("bs", 0)))
        except ValueError as wrong:
            raise BadNotation("bad_record", why="match_info", line=nodes[0].line) from wrong
        options = Options(
            variant=variant,  # type: ignore[arg-type]
            match_to=length,
            cube=False if "nocube" in words else None,
            jacoby="jacoby" in words,
            crawford="crawford" in words,
        )
        names = (root.get("PW", ["White"])[0], root.get("PB", ["Black"])[0])
        if first is None:
            titles = {word: root[name][0].strip() for name, word in TITLES.items() if name in root}
            first = options, names, before, titles
        games.append(read_game(options, nodes, root, "crawfordgame" in words))
    if first is None:
        raise BadNotation("bad_record", why="sgf")
    options, names, before, titles = first
    return Sheet(options=options, players=names, games=tuple(games), before=before, titles=titles)


def read_game(options: Options, nodes: list[Node], root: dict[str, list[str]], crawford: bool) -> Game:
    """Return one tree as a game."""
    scribe = Scribe(options)
    scribe.crawford = crawford
    turn = 0
    cells = list(scribe.cells)
    for node in nodes:
        placed = False
        scribe.row = node.line
        for name, values in node:
            value = values[0] if values else ""
            if name in ("W", "B"):
                seat = COLOURS.index(name)
                turn = 1 - seat
                with on_line(node.line):
                    read_move(scribe, seat, value)
                cells = list(scribe.cells)
            elif name == "AE":
                cells, placed = [0] * CELLS, True
            elif name in ("AW", "AB"):
                placed = True
                seat = 0 if name == "AW" else 1
                for letter in spread(values):
                    cells[seat * SIDE + place(letter, seat, BAR)] += 1
            elif name == "PL":
                turn = 0 if value.upper().startswith("W") else 1
            elif name == "DI" and re.fullmatch("[1-6][1-6]", value):
                scribe.throw(turn, (int(value[0]), int(value[1])), "")
            elif name == "CV" and value.isdigit():
                if scribe.lines:
                    scribe.cube = Cube(int(value), scribe.cube.owner)
                else:
                    scribe.cube_begins(int(value))
            elif name == "C":
                scribe.note(value)
            elif name == "CP":
                owner = {"w": 0, "b": 1}.get(value[:1].lower())
                scribe.cube = Cube(scribe.cube.value, owner)
        if placed:
            for me in (0, SIDE):
                cells[me + OFF] = max(0, options.row.checkers - sum(cells[me + 1 : me + BAR + 1]))
                fill_sums(cells, me)
            scribe.placed = scribe.placed or tuple(cells) != scribe.cells
            scribe.cells = tuple(cells)
    if found := re.fullmatch(r"([WB])\+(\d+)(R?)", root.get("RE", [""])[0], re.IGNORECASE):
        scribe.won(COLOURS.index(found[1].upper()), int(found[2]))
    return scribe.done()


def read_move(scribe: Scribe, seat: int, value: str) -> None:
    """Give the scribe one move: dice with a play, or a cube action."""
    word = value.lower()
    if scribe.lines and scribe.lines[-1].kind == "play" and not scribe.lines[-1].text and word[:2].isdigit():
        last = scribe.lines[-1]
        if last.seat == seat and last.dice and sorted(last.dice) == sorted(map(int, word[:2])):
            scribe.unwrite()  # the dice were set up before the move
    if word == "double":
        scribe.double(seat)
    elif word == "take":
        scribe.take(seat)
    elif word == "drop":
        scribe.drop(seat)
    elif re.fullmatch("[1-6][1-6](?:[a-y][a-z])*", word):
        pairs = [word[i : i + 2] for i in range(2, len(word), 2)]
        steps = [(place(pair[0], seat, BAR), place(pair[1], seat, BAR)) for pair in pairs]
        text = " ".join(f"{'bar' if a == BAR else a}/{'off' if b == OFF else b}" for a, b in steps)
        scribe.throw(seat, (int(word[0]), int(word[1])), exact(scribe, seat, steps, text))
    else:
        raise BadNotation("bad_record", why="sgf", move=value[:40])


def exact(scribe: Scribe, seat: int, steps: list[tuple[int, int]], text: str) -> str:
    """Return a play's text with its hits marked. SGF names every step, so the hits follow from the board."""
    it = (1 - seat) * SIDE
    hits = {to for _, to in steps if to and scribe.cells[it + 25 - to] == 1}
    words = []
    for (_, to), word in zip(steps, text.split(), strict=True):
        words.append(word + "*" if to in hits else word)
        hits.discard(to)
    return " ".join(words)


def spread(values: list[str]) -> list[str]:
    """Return the letters of a list of places, ranges written out."""
    letters = []
    for value in values:
        if len(value) == 3 and value[1] == ":":
            letters += [chr(code) for code in range(ord(value[0]), ord(value[2]) + 1)]
        elif value:
            letters.append(value[0])
    return letters


def place(letter: str, seat: int, bar: int) -> int:
    """Return a place by the seat's own count: `a` to `x` are seat 0's points 1 to 24."""
    if letter == "y":
        return bar
    if letter == "z":
        return OFF
    p = ord(letter) - ord("a") + 1
    if not 1 <= p <= 24:
        raise BadNotation("bad_record", why="sgf", move=letter)
    return p if seat == 0 else 25 - p


def letter_of(cell: int, seat: int) -> str:
    """Return how SGF writes a place."""
    if cell == BAR:
        return "y"
    if cell == OFF:
        return "z"
    return chr(ord("a") + (cell if seat == 0 else 25 - cell) - 1)


def escaped(text: str) -> str:
    """Return a text as a value holds it."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def write(sheet: Sheet) -> str:
    """Return a match as text, a tree a game."""
    options = sheet.options
    if not options.row.gnu or options.row.loses:
        raise BadNotation("bad_variant", text=options.variant)
    out = []
    for number, game in enumerate(sheet.games):
        white, black = score_of(sheet, number)
        words = []
        if options.match_to and options.crawford:
            words.append("Crawford")
        if game.crawford:
            words.append("CrawfordGame")
        if options.jacoby and options.series:
            words.append("Jacoby")
        if not options.with_cube:
            words.append("NoCube")
        if options.variant in RULES:
            words.append(RULES[options.variant])
        root = (
            f"FF[4]GM[6]CA[UTF-8]AP[qipai]MI[length:{options.match_to}][game:{number}][ws:{white}][bs:{black}]"
            f"PW[{escaped(sheet.players[0])}]PB[{escaped(sheet.players[1])}]"
        )
        if words:
            root += f"RU[{':'.join(words)}]"
        if game.last and game.last.winner is not None:
            resigned = "R" if game.last.how in ("resign", "left") else ""
            root += f"RE[{COLOURS[game.last.winner]}+{game.last.points}{resigned}]"
        nodes = [root]
        for line, steps in zip(game.lines, boards(options, game.lines)[0], strict=True):
            nodes += _nodes(line, "".join(letter_of(s.origin, line.seat) + letter_of(s.to, line.seat) for s in steps))
        out.append("(" + "".join(f";{node}\n" for node in nodes).rstrip("\n") + ")\n")
    return "".join(out)


def _nodes(line: Line, pairs: str) -> list[str]:
    colour = COLOURS[line.seat]
    dice = f"{max(line.dice)}{min(line.dice)}" if line.dice else ""
    match line.kind:
        case "play":
            return [f"{colour}[{dice}{pairs}]"]
        case "double" | "beaver":
            return [f"{colour}[double]"]
        case "take" | "drop":
            return [f"{colour}[{line.kind}]"]
        case "resign" | "draw":
            return [f"PL[{colour}]DI[{dice}]"] if dice else []
        case "auto":
            return [f"CV[{line.value}]CP[c]"]
    return []


def export(record: Record) -> str:
    """Return a match of the hall as SGF."""
    return write(sheet_of(record))
