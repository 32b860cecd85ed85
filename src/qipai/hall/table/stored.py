"""Conversion between a table's events and the rows of the log, where they are JSON. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from qipai.hall.table import upcasters
from qipai.hall.table.events import KINDS, AnyEvent, Event, HallEvent, LoggedEvent, Secret
from qipai.store import LogEntry, StoredEntry

__all__ = ["as_it_is_read", "data_of", "entry_of", "event_of", "read"]

Json = Any
_encode = msgspec.json.Encoder().encode
_EVENTS: Final = {name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()}
_SECRETS: Final = {name: msgspec.json.Decoder(kind.SECRET) for name, kind in KINDS.items()}


def _head(kind: type[Event]) -> int:
    """Return the length of the tag with which an encoded event begins, including the brace."""
    return len(_encode({"e": kind.__struct_config__.tag})) - 1


_HEADS: Final[Mapping[type[Event], int]] = {kind: _head(kind) for kind in KINDS.values()}


def data_of(what: Event) -> bytes:
    """Return an event as JSON for the column `data`: without the tag, which is the row's type."""
    text, head = _encode(what), _HEADS[type(what)]
    fields = text[head + 1 :] if text[head : head + 1] == b"," else text[head:]
    if type(what).VERSION == 1:
        return b"{" + fields
    version = b'{"v":%d' % type(what).VERSION
    return version + (fields if fields == b"}" else b"," + fields)


def entry_of(event: HallEvent, stream: str, seq: int, more: int = 0) -> LogEntry:
    """Return the row of an event. more: how many following rows belong to the same command."""
    secret = event.secret
    if more:
        secret = replace(secret or type(event.what).SECRET(), more=more)
    return LogEntry(stream, seq, event.kind, Raw(data_of(event.what)), secret, event.actor, event.cid)


def as_it_is_read(what: AnyEvent) -> AnyEvent:
    """Return an event as it will be when read from the log: with lists and dicts as JSON has them."""
    found: AnyEvent = _EVENTS[str(what.__struct_config__.tag)].decode(_encode(what))
    return found


def read(kind: str, data: Json, secret: Json) -> tuple[AnyEvent, Secret | None]:
    """Return the event of a row, and its secret part; rows of older versions are upgraded.

    data, secret: the columns, as text or already decoded. Raises KeyError for a kind that no table has, and
    msgspec.ValidationError for a row that does not fit its kind.
    """
    if kind in upcasters.UPCASTERS:
        kind, data, secret = upcasters.upcast(kind, _decoded(data), _decoded(secret))
    if isinstance(data, (str, bytes, Raw)):
        return _EVENTS[kind].decode(data), None if secret is None else _SECRETS[kind].decode(secret)
    whole = KINDS[kind]
    return msgspec.convert(data, whole), None if secret is None else msgspec.convert(secret, whole.SECRET)


def _decoded(column: Json) -> Json:
    return msgspec.json.decode(column) if isinstance(column, (str, bytes, Raw)) else column


def event_of(row: StoredEntry) -> LoggedEvent:
    """Return the event of a row of the log."""
    what, secret = read(row.type, row.data, row.secret)
    return LoggedEvent(what, row.now, secret, row.actor, row.cid, id=row.id, stream=row.stream, seq=row.seq)
