"""Games that are going on: nobody gets an engine's word on their moves, nor on where they stand (P-103)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, json

from qipai import games
from qipai.core.contract import BadNotation, IllegalAction
from qipai.core.entry import AnyEntry, BadOption, Record
from qipai.core.record import options_of, replay
from qipai.hall.live import books
from qipai.hall.records import replay as logged
from qipai.hall.table.events import given
from qipai.store import Connection

__all__ = ["Running", "men"]

SAME: Final = 10  # moves: until then games are alike, and none of them is known by its moves or by where it stands
LAST: Final = 4  # positions of a game that count as where it stands: from one before, its moves lead there again
MOVES: Final = frozenset({"move", "play"})
PLAYING: Final = (
    "SELECT id FROM tables WHERE slow IS NULL AND (people != '[]' OR state = 'playing') AND state = 'playing'"
    " AND game = ? UNION ALL SELECT id FROM tables WHERE slow IS NOT NULL AND game = ? AND state = 'playing'"
)


class Going(Struct, frozen=True):
    """A game that is going on. seq: of its last event; men: where they stand, and stood last; none as long as that is
    where many games stand.
    """

    seq: int
    people: int
    moves: tuple[tuple[int, str], ...]
    men: frozenset[str]


class Running:
    """The games that are going on, as the log has them; each is played again only when it has gone on."""

    def __init__(self) -> None:
        self._kept: dict[str, Mapping[str, Going]] = {}

    def like(self, db: Connection, record: Record) -> bool:
        """Tell whether a record is of a running game, or comes to where one stands: then it asks about that game."""
        entry = games.find(record.game)
        asked = moves_of(record.rows)
        going = self._going(db, record.game)
        for one in going:
            n = min(len(asked), len(one.moves))
            if n >= SAME and asked[:n] == one.moves[:n]:
                return True
        stand = frozenset[str]().union(*(one.men for one in going))
        return bool(stand) and any(here in stand for here in _come_to(entry, record))

    def at(self, db: Connection, game: str, text: str) -> bool:
        """Tell whether a game of several people stands where a position does, as its game writes it."""
        here = men(game, text)
        return here is not None and any(here in one.men for one in self._going(db, game) if one.people > 1)

    def _going(self, db: Connection, game: str) -> Sequence[Going]:
        kept, now = self._kept.get(game, {}), {}
        for (table,) in db.execute(PLAYING, (game, game)).fetchall():
            for (id,) in db.execute("SELECT id FROM games WHERE tbl = ? AND ended_at IS NULL", (table,)).fetchall():
                seq = db.execute("SELECT max(seq) FROM events WHERE stream = ?", (f"game:{id}",)).fetchone()[0]
                known = kept.get(id)
                now[id] = known if known is not None and known.seq == seq else _read(db, id, seq)
        self._kept[game] = now
        return tuple(now.values())


def men(game: str, text: str) -> str | None:
    """Return what of a position is the same however a game has come to it; None where its game hides something."""
    setup = games.find(game).setup
    return None if setup is None or setup.men is None else setup.men(text)


def moves_of(rows: Sequence[Sequence[Any]]) -> tuple[tuple[int, str], ...]:
    """Return the moves of a game: what anybody could write down who sees its board."""
    return tuple(
        (seat, json.encode(action, order="sorted").decode())
        for seat, action, *_ in rows
        if isinstance(action, Mapping) and action.get("a") in MOVES
    )


def _read(db: Connection, id: str, seq: int) -> Going:
    rows = books.game_rows(db, id)
    begun = logged.created(rows)
    entry, played = games.find(begun.game), [(move.seat, move.action, move.ms) for move in logged.played(rows)]
    moves, here = moves_of(played), deque[str](maxlen=LAST)
    if len(moves) >= SAME or given(begun.start) is not None:
        whole = Record(
            game=begun.game,
            options=logged.options_of(begun),
            seats=len(begun.seats),
            carry=begun.carry,
            start=given(begun.start),
            bench=tuple(each.seat for each in begun.bench),
            rows=tuple(played),
        )
        here.extend(_come_to(entry, whole))
    return Going(seq, len(begun.users), moves, frozenset(here))


def _come_to(entry: AnyEntry, record: Record) -> Iterator[str]:
    """Yield where the men stand after each action of a record, as long as today's rules can play it."""
    setup = entry.setup
    if setup is None or setup.men is None:
        return
    try:
        options = options_of(entry, record)
        for step in replay(entry, record):
            found = _men(setup.write, setup.men, options, step.state)
            if found is not None:
                yield found
    except (IllegalAction, BadOption, BadNotation):
        return


def _men(write: Callable[[Any, Any], str], men: Callable[[str], str | None], options: Any, state: Any) -> str | None:
    try:
        return men(write(options, state))
    except BadNotation:  # not begun, or over
        return None
