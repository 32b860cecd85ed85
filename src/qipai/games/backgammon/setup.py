"""Positions of the backgammon family as text: our own for all variants, XGID and GNU's ids where they stand for them.

Our own is the position text with words behind it: `24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5 on:0 dice:31 0:resign2`.
"""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec.structs import replace

from qipai.core.contract import BadNotation, Seat
from qipai.core.entry import Setup
from qipai.games.backgammon.kernel import board as k
from qipai.games.backgammon.notation import ids
from qipai.games.backgammon.observation import laid
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import CELLS, ENTRY, KEYS, fill_sums, format_position
from qipai.games.backgammon.results import crawford_due, result_of
from qipai.games.backgammon.rules import Backgammon, hops_of
from qipai.games.backgammon.state import Action, Beaver, Cube, Double, OfferDraw, Resign, Roll, State
from qipai.kit.positions import MOST, played_on, unfit

__all__ = ["SETUP", "men", "read", "write"]

WORD: Final = re.compile(r"(on|dice|cube|owner|score|game|scored):([0-9-]+)")
FLAGS: Final = ("opening", "first", "crawford_done")
MOVE: Final = re.compile(r"([01]):([a-z]+[123]?)")
MOVES: Final[dict[str, Action]] = {
    "roll": Roll(),
    "double": Double(),
    "beaver": Beaver(),
    "draw": OfferDraw(),
    **{f"resign{level}": Resign(level) for level in (1, 2, 3)},
}
IDS: Final = re.compile(r"([A-Za-z0-9+/]{14})(?::([A-Za-z0-9+/]{12}))?")
Named = dict[str, str]


def read(options: Options, text: str, seats: int | None = None) -> State:
    """Return the game that a text stands for; raises BadNotation("bad_position")."""
    if len(text) > MOST:
        raise unfit("too_long", most=MOST)
    text = text.strip()
    if text.upper().startswith("XGID=") or IDS.fullmatch(text):
        if not options.row.gnu:
            raise unfit("no_ids", variant=options.variant)
        return _of_xgid(options, text) if "=" in text[:5] else _of_ids(options, text)
    place: list[str] = []
    named: Named = {}
    flags: set[str] = set()
    moves: list[tuple[Seat, str]] = []
    for word in text.split():
        if ENTRY.fullmatch(word) or word == "/":
            place.append(word)
        elif (found := WORD.fullmatch(word)) is not None:
            if found[1] in named:
                raise unfit("word_twice", word=found[1])
            named[found[1]] = found[2]
        elif word in FLAGS:
            flags.add(word)
        elif (found := MOVE.fullmatch(word)) is not None:
            moves.append((int(found[1]), found[2]))
        else:
            raise unfit("bad_word", word=word[:40])
    state = _checked(options, _placed(options, " ".join(place)), named, frozenset(flags))
    return played_on(Backgammon(options), state, moves, lambda _, word: MOVES.get(word)) if moves else state


def _placed(options: Options, text: str) -> tuple[int, ...]:
    """Return the cells of a position text; what it does not name is borne off. Raises BadNotation."""
    halves = text.split("/")
    if len(halves) != 2:
        raise unfit("sides")
    row = options.row
    cells = [0] * CELLS
    for seat, half in enumerate(halves):
        me = seat * k.SIDE
        for word in half.split():
            name, count, pin = ENTRY.fullmatch(word).groups()  # type: ignore[union-attr]
            if cells[me + KEYS[name]]:
                raise unfit("word_twice", word=name)
            cells[me + KEYS[name]] = int(count)
            if pin:
                cells[me + k.PINNED] |= 1 << KEYS[name]
        there = sum(cells[me : me + k.HAND + 1])
        if not row.clones and there < row.checkers:
            cells[me + k.OFF] += row.checkers - there
        fill_sums(cells, me)
    return tuple(cells)


def _checked(options: Options, cells: tuple[int, ...], named: Named, flags: frozenset[str]) -> State:
    """Return the game with these checkers; raises BadNotation with the reason why it cannot be."""
    _check_board(options, cells)
    score = _score(options, named)
    on, game = _number(named, "on", 0, 1, 0), _number(named, "game", 1, options.games if options.series else 129, 1)
    cube = _cube(options, named)
    done = "crawford_done" in flags
    state = State(
        phase="to_roll",
        cells=cells,
        laid=laid(options, cells),
        turn=on,
        on_roll=on,
        first="first" in flags or "opening" in flags,
        cube=cube,
        score=score,
        crawford=crawford_due(options, score, done),
        crawford_done=done,
        game_no=game,
        scored=_number(named, "scored", 0, 1, -1) if "scored" in named else None,
    )
    if any(result_of(options, cells, cube, seat) is not None for seat in (0, 1)):
        raise unfit("over")
    if "opening" in flags:
        return replace(state, phase="opening", turn=None, on_roll=None, ties=cube.value.bit_length() - 1)
    if not options.row.dice:
        if not hops_of(options, cells, on):
            raise unfit("no_play", seat=on)
        return replace(state, phase="to_move")
    if "dice" not in named:
        return state
    dice = re.fullmatch("([1-6])([1-6])", named["dice"])
    if dice is None:
        raise unfit("bad_dice", dice=named["dice"][:10])
    state = replace(state, phase="to_play", dice=(int(dice[1]), int(dice[2])))
    if not Backgammon(options).plays(state, on):
        raise unfit("no_play", seat=on)
    return state


def _check_board(options: Options, cells: tuple[int, ...]) -> None:
    """Raise BadNotation with the reason why checkers cannot stand so."""
    row = options.row
    for seat in (0, 1):
        me = seat * k.SIDE
        most = row.checkers + (options.clone_limit if row.clones else 0)
        if not row.checkers <= cells[me + k.TOTAL] <= most:
            raise unfit("checkers", seat=seat, n=cells[me + k.TOTAL], least=row.checkers, most=most)
        if cells[me + k.BAR] and row.blot != "hit":
            raise unfit("no_bar", seat=seat)
        if cells[me + k.RES] and not (row.clones or "res" in row.start):
            raise unfit("no_reserve", seat=seat)
        if cells[me + k.HAND] and "hand" not in row.start:
            raise unfit("no_hand", seat=seat)
    for p in range(1, 25):
        it = k.SIDE + _across(row.board, p)
        pins = (cells[k.PINNED] >> p & 1) + (cells[k.SIDE + k.PINNED] >> _across(row.board, p) & 1)
        if cells[p] and cells[it]:
            if row.blot != "pin":
                raise unfit("both_there", point=p)
            under = cells[p] if cells[k.PINNED] >> p & 1 else cells[it]
            if pins != 1 or under != 1:
                raise unfit("bad_pin", point=p)
        elif pins:
            raise unfit("bad_pin", point=p)


def _across(board: str, p: int) -> int:
    """Return how the other seat counts a point."""
    return 25 - p if board == "opposite" else p if board == "shared" else (p + 11) % 24 + 1


def _number(named: Named, name: str, low: int, high: int, otherwise: int) -> int:
    text = named.get(name)
    if text is None:
        return otherwise
    if not re.fullmatch("[0-9]{1,5}", text) or not low <= int(text) <= high:
        raise unfit("bad_number", word=name, low=low, high=high)
    return int(text)


def _score(options: Options, named: Named) -> tuple[int, int]:
    found = re.fullmatch("([0-9]{1,5})-([0-9]{1,5})", named.get("score", "0-0"))
    if found is None:
        raise unfit("bad_word", word=f"score:{named['score']}"[:40])
    score = int(found[1]), int(found[2])
    if not options.series and max(score) >= options.match_to:
        raise unfit("match_over", most=options.match_to)
    return score


def _cube(options: Options, named: Named) -> Cube:
    value = _number(named, "cube", 1, options.cube_max if options.doubling else 1, 1)
    if value & value - 1:
        raise unfit("bad_cube", n=value)
    owner = _number(named, "owner", 0, 1, -1)
    if owner >= 0 and not options.doubling:
        raise unfit("bad_cube", n=value)
    return Cube(value, None if owner < 0 else owner)


def _of_xgid(options: Options, text: str) -> State:
    try:
        table = ids.from_xgid(options.row, text[:5].upper() + text[5:])
    except BadNotation as wrong:
        raise unfit("bad_xgid") from wrong
    _same_match(options, table.match_to)
    named = {
        "on": str(table.on_roll),
        "cube": str(table.cube),
        "score": "{}-{}".format(*table.score),
        **({} if table.cube_owner is None else {"owner": str(table.cube_owner)}),
        **({"dice": "{}{}".format(*table.dice)} if isinstance(table.dice, tuple) else {}),
    }
    state = _checked(options, table.cells, named, _crawford(options, table.score, table.crawford))
    moves = [(table.on_roll, "double")] if table.dice == "D" else []
    return played_on(Backgammon(options), state, moves, lambda _, word: MOVES.get(word))


def _of_ids(options: Options, text: str) -> State:
    position, _, rest = text.partition(":")
    try:
        match = ids.from_match_id(rest) if rest else ids.Match(match_to=options.match_to)
        cells = ids.from_position_id(options.row, position, match.on_roll)
    except BadNotation as wrong:
        raise unfit("bad_id") from wrong
    _same_match(options, match.match_to)
    if match.game_state not in (0, 1):
        raise unfit("over")
    named = {
        "on": str(match.on_roll),
        "cube": str(match.cube),
        "score": "{}-{}".format(*match.score),
        **({} if match.cube_owner is None else {"owner": str(match.cube_owner)}),
        **({} if match.dice is None else {"dice": "{}{}".format(*match.dice)}),
    }
    state = _checked(options, cells, named, _crawford(options, match.score, match.crawford))
    moves = [(match.on_roll, "double")] if match.doubled else []
    if match.resigned:
        moves.append((match.on_roll, f"resign{match.resigned}"))
    return played_on(Backgammon(options), state, moves, lambda _, word: MOVES.get(word))


def _same_match(options: Options, length: int) -> None:
    """Raise BadNotation where an id is of a match of another length: `length` says of which."""
    if length != options.match_to:
        raise unfit("match_length", length=length, here=options.match_to)


def _crawford(options: Options, score: tuple[int, int], crawford: bool) -> frozenset[str]:
    """Return what an id says of the Crawford game: where it would be due and is not, it has been played."""
    due = crawford_due(options, score, False)
    return frozenset(["crawford_done"] if due and not crawford else [])


def write(options: Options, state: State) -> str:
    """Return the text of a game; raises BadNotation for a match that is over."""
    if state.phase == "match_over":
        raise unfit("over")
    named: dict[str, Any] = {"on": state.on_roll}
    back = state.offer.back if state.offer is not None else state.phase
    if state.dice is not None and back == "to_play":
        named["dice"] = "{}{}".format(*state.dice)
    if state.cube.value > 1:
        named["cube"] = state.cube.value
    named["owner"] = state.cube.owner
    if any(state.score):
        named["score"] = "{}-{}".format(*state.score)
    if state.game_no > 1:
        named["game"] = state.game_no
    named["scored"] = state.scored
    flags = []
    if state.phase == "opening":
        flags.append("opening")
    elif state.first:
        flags.append("first")
    if state.crawford_done:
        flags.append("crawford_done")
    moves: list[str] = []
    if state.phase == "rolling":
        moves.append(f"{state.on_roll}:roll")
    elif state.phase == "double_offered":
        moves.append(f"{state.on_roll}:double")
    elif state.phase == "beaver_offered":
        assert state.on_roll is not None
        moves += [f"{state.on_roll}:double", f"{1 - state.on_roll}:beaver"]
    elif state.offer is not None:
        named["on"] = state.offer.seat
        moves.append(f"{state.offer.seat}:{f'resign{state.offer.level}' if state.offer.level else 'draw'}")
    said = [f"{name}:{value}" for name, value in named.items() if value is not None]
    return " ".join([format_position(state.cells), *said, *flags, *moves])


def men(text: str) -> str | None:
    """Return the checkers, of who is on roll first: without dice, cube and score. None before the opening roll."""
    cells, on, rest = text.partition(" on:")
    one, _, other = cells.partition(" / ")
    if not on:
        return None
    return f"{one} / {other}" if rest[0] == "0" else f"{other} / {one}"


SETUP: Final = Setup(read, write, men)
