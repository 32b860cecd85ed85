"""Replays of finished games from the log: as data, as notations, and checked (platform P-90, P-91, 13.2)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import UNSET

from qipai import games
from qipai.core.branch import redrawn
from qipai.core.contract import NATURE, BadNotation, IllegalAction
from qipai.core.entry import BadOption
from qipai.core.record import Contradiction, Record, begun_under, luck_of, rules_under, verified
from qipai.hall.table.errors import HallError
from qipai.hall.table.events import (
    DealCreated,
    DealSeeded,
    LoggedEvent,
    MoveMade,
    MoveSecret,
    Played,
    PlayedFor,
    SeededSecret,
    SeedSecret,
    Settled,
    TakenBack,
    given,
    move_of,
)
from qipai.hall.table.messages import NamedBenchPlayer, NamedPlayer
from qipai.hall.table.wire_views import Who, user_on_wire

__all__ = [
    "created",
    "finished",
    "is_finished",
    "options_of",
    "parted",
    "played",
    "record",
    "refuted",
    "so_far",
    "strays",
    "text",
    "verify",
    "written",
]

Json = Any


def is_finished(rows: Sequence[LoggedEvent]) -> bool:
    """Tell whether the rows of a game's stream are those of a finished game."""
    return bool(rows) and isinstance(rows[0].what, DealCreated) and isinstance(rows[-1].what, Settled)


def created(rows: Sequence[LoggedEvent]) -> DealCreated:
    """Return how a game was created."""
    what = rows[0].what
    assert isinstance(what, DealCreated)
    return what


def _ended(rows: Sequence[LoggedEvent]) -> Settled:
    what = rows[-1].what
    assert isinstance(what, Settled)
    return what


def played(rows: Sequence[LoggedEvent]) -> list[MoveMade]:
    """Return what was played and not taken back, secret or not; first what the game goes on from, if anything."""
    kept: list[tuple[int, MoveMade]] = [(0, MoveMade(*row)) for row in _trunk(rows)]
    for row in rows:
        what = row.what
        if isinstance(what, (Played, PlayedFor)):
            kept.append((row.seq, move_of(what, row.hidden(MoveSecret))))
        elif isinstance(what, TakenBack):
            kept = [(seq, move) for seq, move in kept if seq <= what.to]
    return [move for _seq, move in kept]


def _trunk(rows: Sequence[LoggedEvent]) -> tuple[tuple[int, Json, int], ...]:
    """Return the actions of another game that a game goes on from (What if), as its own luck has them."""
    first = rows[0].hidden(SeedSecret) if rows else None
    anew = next((row.hidden(SeededSecret) for row in rows if isinstance(row.what, DealSeeded)), None)
    trunk = (None if anew is None else given(anew.trunk)) or (None if first is None else given(first.trunk))
    return () if trunk is None else trunk.rows


def finished(rows: Sequence[LoggedEvent], who: Who, *, opened: bool = False) -> Json:
    """Return a finished game as `GET /g/<game_id>` shows it. opened: whether its shared deal is, if it has one."""
    begun, ended = created(rows), _ended(rows)
    bench = [NamedBenchPlayer(each.seat, user_on_wire(each.user, who)) for each in begun.bench]
    return {
        "game_id": begun.game_id,
        "deal": begun.deal,
        "table": begun.table,
        "game": begun.game,
        "variant": begun.variant,
        "rules": begun.edition,
        "options": options_of(begun),
        "carry": begun.carry,
        **_start(begun),
        "seats": [NamedPlayer(user_on_wire(player.user, who), player.bot) for player in begun.seats],
        **({"bench": bench} if bench else {}),
        "first_seated": begun.first_seated,
        "fair": {
            "commitment": begun.commitment,
            "server_seed": _server_seed(rows, opened=opened),
            "client_seeds": _seeds(rows),
            **({} if begun.board is UNSET else {"board": begun.board}),
        },
        "rows": [[move.seat, move.action, move.ms, *([why] if (why := _why(move)) else [])] for move in played(rows)],
        "result": {name: getattr(ended, name) for name in ("points", "places", "why", "paid", "server_seed")},
        "at": rows[0].now,
    }


def so_far(rows: Sequence[LoggedEvent]) -> Json:
    """Return what has been played of a finished or running game, as far as replay frames need it."""
    begun = created(rows)
    return {
        "game_id": begun.game_id,
        "game": begun.game,
        "rules": begun.edition,
        "options": options_of(begun),
        "carry": begun.carry,
        **_start(begun),
        "seats": begun.seats,
        "rows": [[move.seat, move.action, move.ms] for move in played(rows)],
    }


def _start(begun: DealCreated) -> dict[str, Json]:
    """Return where a game starts, where it does not start as deals of its game do."""
    return {} if begun.start is UNSET else {"start": begun.start}


def _why(move: MoveMade) -> str | None:
    """Return why the hall acted for a seat; that an answer was given beforehand stays private."""
    return None if move.why == "standing" else move.why


def record(rows: Sequence[LoggedEvent], who: Who, *, opened: bool = False) -> Record:
    """Return a finished game as a record; raises BadOption if today's rules lack its options. opened: as above."""
    begun, ended = created(rows), _ended(rows)
    entry = games.find(begun.game)
    names = []
    for player in begun.seats:
        user = user_on_wire(player.user, who)
        names.append(user.name if user is not None else str(player.bot))
    return Record(
        game=begun.game,
        options=entry.changed(entry.chosen(options_of(begun))),
        seats=len(begun.seats),
        carry=begun.carry,
        start=given(begun.start),
        bench=tuple(each.seat for each in begun.bench),
        deal=begun.deal,
        rows=tuple((move.seat, move.action, move.ms) for move in played(rows)),
        players=tuple(names),
        outcome={"points": list(ended.points), "places": list(ended.places), "why": ended.why, "carry": ended.carry},
        date=datetime.fromtimestamp(rows[0].at, UTC).strftime("%Y-%m-%d"),
        seed=_server_seed(rows, opened=opened),
        game_id=begun.game_id,
        board=given(begun.board),
    )


def text(rows: Sequence[LoggedEvent], notation: str, who: Who, *, opened: bool = False) -> str:
    """Return a finished game in a notation of its game.

    Raises HallError: BAD_OPTION where the game has no such notation, the game's own code where this game cannot be
    written in it.
    """
    begun = created(rows)
    if notation not in games.find(begun.game).records.of(given(begun.start)):
        raise HallError("BAD_OPTION", field="as")
    try:
        return written(record(rows, who, opened=opened), notation)
    except HallError:
        raise
    except Exception as wrong:
        if verify(rows) is None:
            raise
        raise HallError("NOT_FOUND", case="rules") from wrong  # older rules, unknown to today's writers


def written(whole: Record, notation: str) -> str:
    """Return a record in a notation of its game; raises HallError like `text`."""
    write = games.find(whole.game).records.of(whole.start).get(notation)
    if write is None:
        raise HallError("BAD_OPTION", field="as")
    try:
        return write(whole)
    except BadNotation as wrong:
        raise HallError(wrong.code, **wrong.facts) from wrong


def verify(rows: Sequence[LoggedEvent]) -> str | None:
    """Return how a finished game contradicts itself, its result, or its luck; None when it does not (`verified`)."""
    if not is_finished(rows):
        return "not finished"
    wrong = refuted(rows)
    if wrong is None or isinstance(wrong, (IllegalAction, Contradiction, BadOption)):
        return None if wrong is None else str(wrong)
    return f"{type(wrong).__name__}: {wrong}"


def refuted(rows: Sequence[LoggedEvent]) -> Exception | None:
    """Return what playing a finished game again has raised, None when it holds (`core.record.verified`)."""
    try:
        whole = record(rows, lambda user: None, opened=True)
        verified(games.find(whole.game), whole, created(rows).commitment, _seeds(rows) or ())
    except Exception as wrong:  # replaying a game of older rules may fail in any way
        return wrong
    return None


def strays(rows: Sequence[LoggedEvent], origin: Sequence[MoveMade]) -> str | None:
    """Return how the beginning of a branch differs from the game that it goes on from; None when it does not.

    Only luck that nobody had drawn there may differ, and only as the branch's own seeds draw it. origin: empty where
    that game is gone.
    """
    trunk = _trunk(rows)
    if origin and len(origin) < len(trunk):  # one that is gone has nothing
        return f"it goes on from step {len(trunk)} of a game that has {len(origin)}"
    anew = False
    for n, ((seat, action, _ms), was) in enumerate(zip(trunk, origin, strict=False), 1):
        if seat != was.seat or (seat != NATURE and action != was.action):
            return f"step {n}: {action} of seat {seat} is not what was played in the game that it goes on from"
        anew = anew or action != was.action
    if not anew:
        return None
    whole = record(rows, lambda user: None, opened=True)
    entry, before = games.find(whole.game), [(was.seat, was.action, 0) for was in origin[: len(trunk)]]
    rules = rules_under(entry, whole)
    try:
        laid = redrawn(entry, rules, begun_under(entry, whole, rules), before, luck_of(whole, _seeds(rows) or ()))
    except IllegalAction as wrong:
        return f"the game that it goes on from cannot be played: {wrong}"
    for n, ((_seat, action, _ms), (_same, drawn, _)) in enumerate(zip(trunk, laid, strict=True), 1):
        if action != drawn:
            return f"step {n}: {action} is neither the luck of the game that it goes on from nor what the seeds give"
    return None


def parted(one: Sequence[MoveMade], other: Sequence[MoveMade], shared: int) -> int:
    """Return after how many actions two games of one tree part. shared: so many both have from the same game.

    What luck still held back there may differ, and does not show.
    """
    for n, (here, there) in enumerate(zip(one, other, strict=False)):
        alike = here.action == there.action or (here.seat == NATURE and n < shared)
        if here.seat != there.seat or not alike:
            return n
    return min(len(one), len(other))


def options_of(created: DealCreated) -> Json:
    """Return the options of a game as they were."""
    return games.find(created.game).as_of(created.options, created.edition)


def _server_seed(rows: Sequence[LoggedEvent], *, opened: bool) -> str | None:
    """Return the seed of a game's luck, if it is open; the end of a game of a shared deal does not tell it."""
    if created(rows).board is UNSET:
        return _ended(rows).server_seed
    secret = rows[0].hidden(SeedSecret)
    return given(secret.server_seed) if opened and secret is not None else None


def _seeds(rows: Sequence[LoggedEvent]) -> list[str] | None:
    return next(([*row.what.client_seeds] for row in rows if isinstance(row.what, DealSeeded)), None)
