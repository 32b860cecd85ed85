"""Matches from files of other programs, as records that the hall replays (backgammon 11)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from qipai.core.contract import NATURE, BadNotation
from qipai.core.encoding import decoded
from qipai.core.entry import Found, Record
from qipai.core.record import as_told
from qipai.games.backgammon.notation import mat, sgf
from qipai.games.backgammon.notation.sheet import Game, Sheet, score_of
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.rules import Backgammon
from qipai.games.backgammon.state import (
    Accept,
    Action,
    Beaver,
    Dice,
    Double,
    Drop,
    Line,
    OfferDraw,
    Opening,
    Play,
    Resign,
    Roll,
    State,
    Take,
)

__all__ = ["found", "imports", "recognise"]

LONGEST: Final = 64  # points of the longest match that the house knows; a longer one is played as a series
CHARSET: Final = re.compile(rb"CA\[([\w.:-]+)\]")
CUBE: Final[dict[str, Action]] = {"double": Double(), "beaver": Beaver(), "take": Take(), "drop": Drop()}


def recognise(data: bytes) -> str | None:
    """Return "mat" or "sgf" for what seems to be one, None when it is no record of backgammon."""
    text = _text(data)
    if text.lstrip().startswith("(") and re.search(r"GM\s*\[\s*6\s*\]", text[:4000]):
        return "sgf"
    match = re.search(r"^\s*\d+\s+point match", text, re.IGNORECASE | re.MULTILINE)
    return "mat" if match and re.search(r"^\s*Game\s+\d+\s*$", text, re.IGNORECASE | re.MULTILINE) else None


def imports(data: bytes, form: str) -> Iterator[Callable[[], Found]]:
    """Yield for each record in a file a function that returns it; raises BadNotation("bad_record").

    A match is one record. Where our rules cannot go on with it (somebody resigned in the other's turn, say), the games
    that follow are a further record.
    """
    sheet = {"mat": mat.read, "sgf": sgf.read}[form](_text(data))
    while sheet.games:
        one, done = found(sheet)
        yield partial(_itself, one)
        done = max(1, done)
        sheet = replace(sheet, games=sheet.games[done:], before=score_of(sheet, done))


def _itself(one: Found) -> Found:
    return one


def _text(data: bytes) -> str:
    said = CHARSET.search(data[:1000])
    if said:
        try:
            name = codecs.lookup(said[1].decode()).name
            return data.decode("utf-8-sig" if name == "utf-8" else name)
        except (LookupError, UnicodeError):
            pass
    return decoded(data)


def found(sheet: Sheet) -> tuple[Found, int]:
    """Return a match as a record, and how many of its games that holds; raises BadNotation("bad_record")."""
    best: _Played | None = None
    wrong: BadNotation | None = None
    for raw in _chosen(sheet):
        try:
            one = _Played(sheet, raw)
        except BadNotation as refused:
            wrong = wrong or refused
            continue
        if best is None or (-one.done, one.unlike) < (-best.done, best.unlike):
            best = one
        if best.done == len(sheet.games) and not best.unlike:
            break
    if best is None:
        assert wrong is not None
        raise wrong
    return best.found(), best.done


def _chosen(sheet: Sheet) -> Iterator[dict[str, Any]]:
    """Yield options a match may have been played under, the likeliest first: files name few of them."""
    told = sheet.options
    lines = [line for game in sheet.games for line in game.lines]
    first = [next((line for line in game.lines if line.dice), None) for game in sheet.games]
    whole = told.match_to <= LONGEST and sheet.before == (0, 0) and told.match_to > 0
    raw: dict[str, Any] = {"match_to": told.match_to} if whole else {"games": min(LONGEST, len(sheet.games))}
    if told.variant != "backgammon":
        raw["variant"] = told.variant
    if told.cube is False:
        raw["cube"] = False
    highest = max((line.value for line in lines), default=1)
    if highest > Options().cube_max:
        raw["cube_max"] = 1024
    if any(line and line.dice and line.dice[0] == line.dice[1] for line in first):
        raw["opening"] = "reroll"  # the beginner rolled both dice anew
    if not whole:
        if any(line.kind == "beaver" for line in lines):
            raw["beavers"] = True
        ties = max((game.cube.bit_length() - 1 for game in sheet.games), default=0)
        if ties:
            raw["auto_doubles"] = min(10, ties)
    jacoby = (told.jacoby, not told.jacoby) if not whole else (False,)
    crawford = (True, False) if whole else (True,)
    for one, other in product(crawford, jacoby):
        more = {} if one else {"crawford": False}
        yield {**raw, **more, **({"jacoby": True} if other else {})}


class _Played:
    """A match played under some options, as far as the rules follow it; raises BadNotation("bad_record")."""

    def __init__(self, sheet: Sheet, raw: dict[str, Any]) -> None:
        from qipai.games.backgammon import ENTRY

        self.sheet, self.raw = sheet, raw
        try:
            self.rules = Backgammon(ENTRY.chosen(raw))
        except ValueError as wrong:
            raise BadNotation("bad_record", why="options") from wrong
        self.state: State = self.rules.start()
        self.rows: list[tuple[int, Any, int]] = []
        self.notes: dict[int, str] = {}
        self.unlike = 0  # games whose result is not the one in the file
        self.done = 0  # games that are in the record
        for number, game in enumerate(sheet.games):
            if self.rules.outcome(self.state) is not None:
                break
            self.done += 1
            if not self._play(game, last=number + 1 == len(sheet.games)):
                break

    def _play(self, game: Game, last: bool) -> bool:
        """Play a game; return whether the match can go on."""
        if game.placed:
            raise BadNotation("bad_record", why="set_up", line=game.at[0] if game.at else 1)
        notes = dict[int, str]()
        for after, text in game.notes:
            notes[after] = "\n".join(filter(None, (notes.get(after), text)))
        number, lines = len(self.state.results), [line for line in game.lines if line.kind != "auto"]
        if not lines:
            return False
        self._open(game, lines[0])
        for index, line in enumerate(lines):
            self._note(notes.pop(index, ""))
            where = {"line": game.at[index]} if index < len(game.at) and game.at[index] else {}
            if len(self.state.results) > number:
                raise BadNotation("bad_record", why="over", **where)
            if line.kind == "resign" and self.state.turn != line.seat:
                return False  # in the other's turn: our rules do not know that
            self._line(line, where, end=index + 1 == len(lines))
        self._note("\n".join(notes.values()))
        if game.last is None and not last and self.state.phase in ("to_roll", "to_play"):
            assert self.state.turn is not None  # nobody won it and the match went on: they agreed on a draw
            seat = self.state.turn
            self._do(seat, OfferDraw(), {})
            self._do(1 - seat, Accept(), {})
        ended = self.state.results[number:]
        if ended and game.last and (ended[0].winner, ended[0].points) != (game.last.winner, game.last.points):
            self.unlike += 1
        return bool(ended)

    def _open(self, game: Game, line: Line) -> None:
        """Make the opening roll. Doublets before it, and dice before a reroll, are made up: no file tells them."""
        value = self.state.cube.value
        while value < game.cube and self.rules.options.auto_doubles:
            self._do(NATURE, Opening((1, 1)), {})
            value *= 2
        high, low = (2, 1) if line.dice is None or self.rules.options.rolls_anew else (max(line.dice), min(line.dice))
        self._do(NATURE, Opening((high, low) if line.seat == 0 else (low, high)), {})

    def _line(self, line: Line, where: dict[str, int], end: bool) -> None:
        if line.dice is not None and self.state.phase == "to_roll":
            self._do(line.seat, Roll(), where)
            self._do(NATURE, Dice(line.dice), where)
        if line.kind == "play":
            assert line.dice is not None
            if self.state.phase == "to_play" and (line.text or not end):
                if self.state.turn != line.seat:
                    raise BadNotation("bad_record", why="not_your_turn", **where)
                if sorted(self.state.dice or ()) != sorted(line.dice):
                    raise BadNotation("bad_record", why="dice", **where)
                self._do(line.seat, Play(line.text), where)
        elif line.kind == "resign":
            self._do(line.seat, Resign(max(1, min(3, line.value))), where)
            self._do(1 - line.seat, Accept(), where)
        elif line.kind in CUBE:
            self._do(line.seat, CUBE[line.kind], where)

    def _do(self, seat: int, action: Action, where: dict[str, int]) -> None:
        refused = self.rules.refuse(self.state, seat, action)
        if refused:
            raise BadNotation("bad_record", why=refused.code, **where)
        self.rows.append((seat, msgspec.to_builtins(action), 0))
        self.state = self.rules.apply(self.state, seat, action).state

    def _note(self, text: str) -> None:
        if text:
            self.notes[len(self.rows)] = "\n".join(filter(None, (self.notes.get(len(self.rows)), text)))

    def found(self) -> Found:
        """Return the record, and what the file says of the match."""
        titles = {name: text for name, text in self.sheet.titles.items() if text}
        date = titles.pop("date", titles.pop("eventdate", "")).replace(".", "-").replace("/", "-")
        score = score_of(self.sheet, self.done)
        if "match_to" not in self.raw and self.sheet.options.match_to:
            titles["match"] = f"{self.sheet.options.match_to}"
            titles["from"] = "–".join(map(str, self.sheet.before))
        titles["score"] = "–".join(map(str, score))
        outcome = self.rules.outcome(self.state)
        record = Record(
            game="backgammon",
            options=self.raw,
            seats=2,
            rows=tuple(self.rows),
            players=self.sheet.players,
            outcome=as_told(outcome),
            date=date,
        )
        return Found(record=record, titles=titles, notes=self.notes)
