"""Replays of finished games from the log: as data, as notations, and checked (platform P-90, P-91, 13.2)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from qipai import games
from qipai.core.contract import BadNotation, IllegalAction
from qipai.core.entry import BadOption
from qipai.core.record import Contradiction, Record, verified
from qipai.hall.table.errors import HallError
from qipai.hall.table.wire_views import Who, user_on_wire
from qipai.store import StoredEntry

__all__ = ["finished", "is_finished", "played", "record", "so_far", "text", "verify", "written"]

Json = Any
ACTIONS = ("game.acted", "game.auto")


def is_finished(rows: Sequence[StoredEntry]) -> bool:
    """Tell whether the rows of a game's stream are those of a finished game."""
    return bool(rows) and rows[0].type == "game.created" and rows[-1].type == "game.ended"


def played(rows: Sequence[StoredEntry]) -> list[Any]:
    """Return what was played and not taken back, data and secret together."""
    kept: list[tuple[int, Any]] = []
    for row in rows:
        if row.type in ACTIONS:
            kept.append((row.seq, {**row.data, **(row.secret or {})}))
        elif row.type == "game.undone":
            kept = [(seq, whole) for seq, whole in kept if seq <= row.data["to"]]
    return [whole for _seq, whole in kept]


def finished(rows: Sequence[StoredEntry], who: Who) -> Json:
    """Return a finished game as `GET /g/<game_id>` shows it."""
    created, ended = rows[0].data, rows[-1].data
    seats = [_shown(player, who) for player in created["seats"]]
    bench = {"bench": [_shown(each, who) for each in created["bench"]]} if "bench" in created else {}
    return {
        "game_id": created["game_id"],
        "deal": created["deal"],
        "table": created["table"],
        "game": created["game"],
        "variant": created["variant"],
        "rules": created.get("rules", 1),
        "options": _options(created),
        "carry": created["carry"],
        "seats": seats,
        **bench,
        "first_seated": created["first_seated"],
        "fair": {
            "commitment": created["commitment"],
            "server_seed": ended["server_seed"],
            "client_seeds": _seeds(rows),
        },
        "rows": [
            [whole["seat"], whole["action"], whole["ms"], *([why] if (why := _why(whole)) else [])]
            for whole in played(rows)
        ],
        "result": {name: ended[name] for name in ("points", "places", "why", "paid", "server_seed")},
        "at": rows[0].now,
    }


def so_far(rows: Sequence[StoredEntry]) -> Json:
    """Return what has been played of a game, also of one that goes on, as far as a film needs it."""
    created = rows[0].data
    return {
        "game_id": created["game_id"],
        "game": created["game"],
        "rules": created.get("rules", 1),
        "options": _options(created),
        "carry": created["carry"],
        "seats": created["seats"],
        "rows": [[whole["seat"], whole["action"], whole["ms"]] for whole in played(rows)],
    }


def _why(whole: Json) -> str | None:
    """Return why somebody else acted for a seat; that it had answered beforehand is nobody's business."""
    why: str | None = whole.get("why")
    return None if why == "standing" else why


def _shown(player: Json, who: Who) -> Json:
    return player if player.get("user") is None else {**player, "user": user_on_wire(player["user"], who)}


def record(rows: Sequence[StoredEntry], who: Who) -> Record:
    """Return a finished game as a record; raises BadOption where today's rules do not have its options."""
    created, ended = rows[0].data, rows[-1].data
    entry = games.find(created["game"])
    names = []
    for seat in created["seats"]:
        user = None if seat.get("user") is None else user_on_wire(seat["user"], who)
        names.append(user.name if user is not None else str(seat.get("bot")))
    return Record(
        game=created["game"],
        options=entry.changed(entry.chosen(_options(created))),
        seats=len(created["seats"]),
        carry=created["carry"],
        bench=tuple(each["seat"] for each in created.get("bench", ())),
        deal=created["deal"],
        rows=tuple((whole["seat"], whole["action"], whole["ms"]) for whole in played(rows)),
        players=tuple(names),
        outcome={name: ended[name] for name in ("points", "places", "why", "carry")},
        date=datetime.fromtimestamp(rows[0].at, UTC).strftime("%Y-%m-%d"),
        seed=ended["server_seed"],
        game_id=created["game_id"],
    )


def text(rows: Sequence[StoredEntry], notation: str, who: Who) -> str:
    """Return a finished game in a notation of its game.

    Raises HallError: BAD_OPTION where the game has no such notation, the game's own code where this game cannot be
    written in it.
    """
    if notation not in games.find(rows[0].data["game"]).records.formats:
        raise HallError("BAD_OPTION", field="as")
    try:
        return written(record(rows, who), notation)
    except HallError:
        raise
    except Exception as wrong:
        if verify(rows) is None:
            raise
        raise HallError("NOT_FOUND", case="rules") from wrong  # rules of before, which today's writers do not know


def written(whole: Record, notation: str) -> str:
    """Return a record in a notation of its game; raises HallError like `text`."""
    write = games.find(whole.game).records.formats.get(notation)
    if write is None:
        raise HallError("BAD_OPTION", field="as")
    try:
        return write(whole)
    except BadNotation as wrong:
        raise HallError(wrong.code, **wrong.facts) from wrong


def verify(rows: Sequence[StoredEntry]) -> str | None:
    """Return how a finished game contradicts itself, its result, or its luck; None when it does not (`verified`)."""
    if not is_finished(rows):
        return "not finished"
    try:
        whole = record(rows, lambda user: None)
        verified(games.find(whole.game), whole, rows[0].data["commitment"], _seeds(rows) or ())
    except (IllegalAction, Contradiction, BadOption) as wrong:
        return str(wrong)
    except Exception as wrong:  # rules that are no longer those of the game may fail in any way
        return f"{type(wrong).__name__}: {wrong}"
    return None


def _options(created: Json) -> Json:
    """Return the options of a game as they were. created: the data of `game.created`."""
    name = created["game"]
    return games.find(name).as_of(created["options"], created.get("rules", 1))


def _seeds(rows: Sequence[StoredEntry]) -> list[str] | None:
    return next((row.data["client_seeds"] for row in rows if row.type == "game.seeded"), None)
