"""Backgammon in a terminal: the board as text, typed words, events as lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from qipai.core.contract import BadNotation
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.state import (
    Accept,
    Accepted,
    Action,
    Beaver,
    CubeTurned,
    Double,
    Doubled,
    Drop,
    Dropped,
    Ended,
    Enter,
    Event,
    GameEnded,
    GameStarted,
    Hopped,
    Left,
    Move,
    Off,
    OfferDraw,
    Offered,
    Opened,
    Play,
    Played,
    Reject,
    Rejected,
    Resign,
    Roll,
    Rolled,
    Side,
    Skipped,
    State,
    Take,
    View,
)
from qipai.lang import voice

__all__ = ["mark", "picture", "read", "say", "show"]

WORDS: Final[dict[str, Action]] = {
    **dict.fromkeys(("roll", "r", "掷", "掷骰子"), Roll()),
    **dict.fromkeys(("double", "d", "加倍"), Double()),
    **dict.fromkeys(("take", "t", "接受"), Take()),
    **dict.fromkeys(("drop", "x", "放弃"), Drop()),
    **dict.fromkeys(("beaver", "反加倍"), Beaver()),
    **dict.fromkeys(("draw", "提和"), OfferDraw()),
    **dict.fromkeys(("yes", "accept", "同意"), Accept()),
    **dict.fromkeys(("no", "reject", "不同意"), Reject()),
    **dict.fromkeys(("resign", "认输"), Resign(1)),
    **{f"resign {level}": Resign(level) for level in (1, 2, 3)},
}
SIGNS: Final = "OX"  # White and Black
ROWS: Final = 5


def other(view: View, p: int) -> int:
    """Return the other seat's number of a point."""
    if view.board == "shared":
        return p
    return 25 - p if view.board == "opposite" else p + 12 if p <= 12 else p - 12


def picture(view: View) -> str:
    """Return the board as text, the own home at the lower right; White is O, Black X, a pinned checker o or x."""
    me = view.you or 0
    mine, his = view.sides[me], view.sides[1 - me]
    lines = []
    for half, upper in ((range(13, 25), True), (range(12, 0, -1), False)):
        columns = [stack(mine, his, p, other(view, p), me) for p in half]
        head = "  " + "".join(f"{p:>3}" + ("  |" if i == 5 else "") for i, p in enumerate(half))
        body = []
        for row in range(ROWS):
            signs = [column[row] if row < min(len(column), ROWS) else "·" for column in columns]
            if row == ROWS - 1:  # a point that holds more says how many
                signs = [str(len(c)) if len(c) > ROWS else sign for c, sign in zip(columns, signs, strict=True)]
            body.append("  " + "".join(f"{sign:>3}" + ("  |" if i == 5 else "") for i, sign in enumerate(signs)))
        lines += [head, *body] if upper else ["", *reversed(body), head]
    return "\n".join(lines)


def stack(mine: Side, his: Side, p: int, there: int, me: int) -> str:
    """Return the checkers on a point, from the edge inward; a pinned one first."""
    own, enemy = SIGNS[me], SIGNS[1 - me]
    first = own.lower() if p in mine.pinned else enemy.lower() if there in his.pinned else ""
    count, against = mine.points[p - 1], his.points[there - 1]
    if p in mine.pinned:
        count -= 1
    if there in his.pinned:
        against -= 1
    return first + own * count + enemy * against


def show(options: Options, view: View, lang: str) -> str:
    """Return the table as text."""
    words = voice("backgammon", lang)
    names = (words["term.white"], words["term.black"])
    length = words("ui.length_match", n=view.match_to) if view.match_to else words("ui.length_games", n=view.games)
    facts = {"score": scored(view.score), "game": view.game_no, "length": length}
    lines = [words("ui.score_line", **facts), picture(view), ""]
    for seat, side in enumerate(view.sides):
        parts = [
            f"{words[f'term.{name}']} {count}"
            for name, count in (("bar", side.bar), ("reserve", side.res), ("hand", side.hand), ("off", side.off))
            if count
        ]
        lines.append(f"{SIGNS[seat]} {names[seat]}  {'  '.join(parts)}".rstrip())
    if options.row.dice:
        lines.append(words("ui.pips_line", white=view.sides[0].pips, black=view.sides[1].pips))
    if view.doubling:
        owner = words["ui.cube_centre"] if view.cube.owner is None else names[view.cube.owner]
        lines.append(words("ui.cube_line", value=view.cube.value, owner=owner))
    seat_name = names[view.turn] if view.turn is not None else ""
    match view.phase:
        case "match_over":
            lines.append(words("ui.result", score=scored(view.score)))
        case "opening" | "rolling":
            lines.append(words["ui.opening"] if view.phase == "opening" else words["phase.rolling"])
        case "to_roll":
            lines.append(words("ui.to_roll", seat=seat_name))
        case "to_move":
            lines.append(words("ui.to_move", seat=seat_name))
        case "to_play":
            assert view.dice is not None
            lines.append(words("ui.to_play", seat=seat_name, dice=thrown(view.dice)))
        case "double_offered" | "beaver_offered":
            lines.append(words("ui.double_offered", seat=seat_name, value=view.stake))
        case _:
            assert view.offer is not None
            what = words("ui.what_resign" if view.offer.level else "ui.what_draw", points=view.offer.points)
            lines.append(words("ui.offer_stands", seat=seat_name, what=what))
    if view.you is not None and view.turn == view.you:
        lines.append(words["ui.commands"])
    return "\n".join(lines)


def scored(score: tuple[int, int]) -> str:
    """Return a score as text."""
    return f"{score[0]}:{score[1]}"


def thrown(dice: tuple[int, int]) -> str:
    """Return a throw as text, the larger die first."""
    return f"{max(dice)}-{min(dice)}"


def read(options: Options, view: View, text: str) -> Action:
    """Return the action a typed line stands for: a word, or a play like `8/5 6/5`; raises BadNotation.

    A play is not judged here: `refuse` says why it is none.
    """
    word = " ".join(text.lower().split())
    if (action := WORDS.get(word)) is not None:
        return action
    if view.phase == "to_move" and (found := re.fullmatch(r"(hand|\d{1,2})/(off|\d{1,2})", word)):
        if found[1] == "hand" and found[2] != "off":
            return Enter(int(found[2]))
        if found[1] != "hand":
            return Off(int(found[1])) if found[2] == "off" else Move(int(found[1]), int(found[2]))
    if "/" in word:
        return Play(word)
    raise BadNotation("bad_notation", text=text)


def say(event: Event, lang: str) -> str:
    """Return an event as one line."""
    words = voice("backgammon", lang)

    def seat_name(seat: int | None) -> str:
        return words["term.black" if seat else "term.white"]

    def line(key: str, **facts: object) -> str:
        return words(f"event.{key}", **facts)

    match event:
        case GameStarted(game_no=game, crawford=crawford, score=score):
            return line("game_started_crawford" if crawford else "game_started", game=game, score=scored(score))
        case Opened(dice=dice, starter=None, cube=cube, auto=auto):
            return line("opened_auto" if auto else "opened_tie", dice=f"{dice[0]}-{dice[1]}", cube=cube)
        case Opened(dice=dice, starter=starter):
            return line("opened", dice=f"{dice[0]}-{dice[1]}", seat=seat_name(starter))
        case Rolled(seat=seat, dice=dice, dance=dance):
            return line("rolled_dance" if dance else "rolled", seat=seat_name(seat), dice=thrown(dice))
        case Played(seat=seat, dice=dice, m=text):
            return line("played", seat=seat_name(seat), dice=thrown(dice), play=text)
        case Hopped(seat=seat, origin=origin, to=to, wall=wall, scores=scores):
            key = "hopped_scores" if scores else "hopped_wall" if wall else "hopped"
            return line(key, seat=seat_name(seat), play=f"{origin or words['term.hand']}/{to or words['term.off']}")
        case Doubled(seat=seat, value=value, beaver=beaver):
            return line("doubled_beaver" if beaver else "doubled", seat=seat_name(seat), value=value)
        case CubeTurned(seat=seat, value=value, owner=owner):
            return line("cube_turned", seat=seat_name(seat), value=value, owner=seat_name(owner))
        case Offered(seat=seat, level=level, points=points):
            return line("offered" if level else "offered_draw", seat=seat_name(seat), points=points)
        case GameEnded(game_no=game, winner=winner, points=points, how=how, score=score):
            key = "game_ended_draw" if winner is None else "game_ended"
            why = words[f"why.{how}"]
            return line(key, game=game, seat=seat_name(winner), points=points, why=why, score=scored(score))
        case Ended(winner=winner, score=score):
            return line("ended_draw" if winner is None else "ended", seat=seat_name(winner), score=scored(score))
    return _by_tag(event, line, seat_name)


def _by_tag(
    event: Skipped | Dropped | Accepted | Rejected | Left,
    line: Callable[..., str],
    seat_name: Callable[[int | None], str],
) -> str:
    return line(str(event.__struct_config__.tag), seat=seat_name(event.seat))


def mark(state: State, event: Event) -> str | None:
    """Return which critical moment an event is (platform P-90): cube actions, two hits in a turn, ends."""
    match event:
        case Doubled():
            return "double"
        case Dropped():
            return "drop"
        case Played(steps=steps) if sum(step.hit for step in steps) > 1:
            return "hit"
        case GameEnded():
            return "game"
        case Ended():
            return "end"
    return None
