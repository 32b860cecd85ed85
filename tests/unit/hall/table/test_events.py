"""The events of a table: what stands in a row, what is secret, and rows of older forms."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from qipai.hall.table import upcasters
from qipai.hall.table.events import (
    KINDS,
    DealCreated,
    HallEvent,
    MeansSecret,
    MoveMade,
    MoveSecret,
    OwnMeans,
    Played,
    PlayedFor,
    Resumed,
    Seated,
    StandingSecret,
    StandingSet,
    Stood,
    holdings_of,
    move_of,
)
from qipai.hall.table.stored import as_it_is_read, data_of, entry_of, event_of, read
from qipai.hall.table.upcasters import OldRow
from qipai.ledger import Holdings
from qipai.store import StoredEntry

# The version of each kind, and a digest of its form. Whoever changes a form so that rows of before are read otherwise
# raises its version and adds a step to `upcasters`; a field that is only added, and may be left out, needs none.
FORMS = {
    "game.acted": (1, "894a4ba25707"),
    "game.auto": (1, "1cd85b179ade"),
    "game.resumed": (1, "141895ab688d"),
    "game.shown": (1, "556f349c1bf9"),
    "game.undone": (1, "0b84229113f3"),
    "game.given": (1, "624eba2e4012"),
    "game.created": (1, "9d0a66b0bae8"),
    "game.seeded": (1, "f2f48d4163f1"),
    "game.ended": (1, "265fdb289ea1"),
    "table.opened": (1, "79caa6dcc07f"),
    "table.sat": (1, "f86f2d0ef150"),
    "table.stood": (1, "cc496d67c186"),
    "table.swapped": (1, "bc6996878cf9"),
    "table.readied": (1, "779eb7f065d9"),
    "table.set": (1, "fdc0e23bacaf"),
    "table.closed": (1, "c9d010e93dad"),
    "table.offered": (1, "3299b5b8e5b1"),
    "table.answered": (1, "6e5d3be70d5c"),
    "table.presence": (1, "7ac7d1b16ef9"),
    "table.below": (1, "4f149e3f4866"),
    "table.standing": (1, "448c91a432ee"),
    "table.prepared": (1, "5eab7c12d067"),
    "table.shoulder": (1, "78ccf8d63d3d"),
    "table.scored": (1, "cc107432f0b6"),
    "table.fined": (1, "e3882434a214"),
    "table.given": (1, "d5f71b9df711"),
}


def form(kind: str) -> str:
    """Return a digest of the fields of a kind and of its secret part."""
    schemas, parts = msgspec.json.schema_components([KINDS[kind], KINDS[kind].SECRET])
    bare = without_words([schemas, parts])
    return sha256(msgspec.json.encode(bare, order="sorted")).hexdigest()[:12]


def without_words(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {name: without_words(value) for name, value in schema.items() if name not in ("description", "title")}
    return [*map(without_words, schema)] if isinstance(schema, (list, tuple)) else schema


def test_each_kind_has_the_form_of_its_version() -> None:
    assert {kind: (KINDS[kind].VERSION, form(kind)) for kind in KINDS} == FORMS


def test_a_row_has_the_fields_of_its_event_and_no_tag() -> None:
    assert data_of(Seated(seat=1, bot="easy")) == b'{"seat":1,"bot":"easy"}'
    guest = Seated(seat=0, user=5, score=None, credibility=None)
    assert data_of(guest) == b'{"seat":0,"user":5,"score":null,"credibility":null}'
    assert data_of(replace(guest, owner=True)).endswith(b'"credibility":null,"owner":true}')
    assert data_of(Resumed()) == b"{}"
    assert msgspec.json.encode(Resumed()) == b'{"e":"game.resumed"}'


def test_whom_it_reached_stands_behind_the_secret_part() -> None:
    secret = MoveSecret(seat=2, action={"a": "pass"}, ms=40, reach=4)
    entry = entry_of(HallEvent(Played(), 1_790_000_000_123, secret, 7, "c1"), "game:x", 9, more=2)
    assert (entry.type, entry.stream, entry.seq, entry.actor, entry.cid) == ("game.acted", "game:x", 9, 7, "c1")
    assert bytes(entry.data) == b"{}"
    assert msgspec.json.encode(entry.secret) == b'{"seat":2,"action":{"a":"pass"},"ms":40,"reach":4,"more":2}'
    alone = entry_of(HallEvent(Stood(seat=0, why="self"), 0), "table:1", 1, more=1)
    assert msgspec.json.encode(alone.secret) == b'{"more":1}'


def test_that_nobody_answers_beforehand_any_more_is_written() -> None:
    entry = entry_of(HallEvent(StandingSet(), 0, StandingSecret(0, (), reach=1)), "table:1", 1)
    assert msgspec.json.encode(entry.secret) == b'{"seat":0,"answers":[],"reach":1}'


@pytest.mark.parametrize("text", [True, False])
def test_a_row_is_read_as_the_event_it_was(text: bool) -> None:
    secret = MeansSecret(OwnMeans(coins=12), reach=3)
    event = HallEvent(Seated(seat=0, user=5, score=7, credibility=98), 1_790_000_000_123, secret, 5)
    entry = entry_of(event, "table:1", 4)
    columns = [msgspec.json.encode(entry.data), msgspec.json.encode(entry.secret)]
    data, hidden = [each.decode() for each in columns] if text else [*map(msgspec.json.decode, columns)]
    row = StoredEntry(11, 1_790_000_000, 123, "table:1", 4, entry.type, data, hidden, 5)
    found = event_of(row)
    assert (found.what, found.secret, found.now, found.at) == (event.what, secret, event.now, 1_790_000_000)
    assert (found.id, found.stream, found.seq) == (11, "table:1", 4)
    assert holdings_of(7, 98, found.secret) == Holdings(7, 98, coins=12)
    assert holdings_of(7, 98, None) == Holdings(7, 98)
    assert holdings_of(None, None, secret) is None


def test_what_no_table_has_is_refused() -> None:
    with pytest.raises(KeyError):
        read("table.flown", "{}", None)
    with pytest.raises(msgspec.ValidationError):
        read("table.stood", '{"seat":"two","why":"self"}', None)


def test_a_move_is_whole_whether_or_not_it_is_secret() -> None:
    action = {"a": "play"}
    assert move_of(Played(seat=1, action=action, ms=5, lag=2), None) == MoveMade(1, action, 5, 2)
    assert move_of(Played(), MoveSecret(1, action, 5, drawn=9)) == MoveMade(1, action, 5, drawn=9)
    beforehand = MoveSecret(why="standing", drawn=3)
    assert move_of(PlayedFor(seat=1, action=action, ms=5), beforehand) == MoveMade(1, action, 5, 0, "standing", 3)
    assert move_of(PlayedFor(seat=1, action=action, ms=5, why="bot"), None).why == "bot"


def test_an_event_is_kept_as_it_will_be_read() -> None:
    created = DealCreated(
        table=1, game_id="a", deal=1, game="xiangqi", variant=None, options={"x": (1, 2)}, carry=(3,), seats=(),
        first_seated=0, commitment=None, wait=0,
    )  # fmt: skip
    found = as_it_is_read(created)
    assert isinstance(found, DealCreated)
    assert (found.options, found.carry, found.rules, found.edition) == ({"x": [1, 2]}, [3], UNSET, 1)


# Older forms ----------------------------------------------------------------------------------------------------------


def test_an_old_form_is_raised_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if `table.stood` had said `place` first, then `seat` with another word for why."""

    def named(row: OldRow) -> OldRow:
        data = {"seat": row.data["place"], "why": row.data["why"]}
        return OldRow(row.kind, 2, data, row.secret)

    def said(row: OldRow) -> OldRow:
        why = {"gone": "self"}.get(row.data["why"], row.data["why"])
        return OldRow(row.kind, 3, {**row.data, "why": why}, row.secret)

    monkeypatch.setitem(upcasters.UPCASTERS, "table.stood", {1: named, 2: said})
    monkeypatch.setattr(Stood, "VERSION", 3)
    now = Stood(seat=2, why="self")
    assert read("table.stood", '{"place":2,"why":"gone"}', None) == (now, None)
    assert read("table.stood", {"v": 2, "seat": 2, "why": "gone"}, {"reach": 1})[0] == now
    assert data_of(now) == b'{"v":3,"seat":2,"why":"self"}'
    assert read("table.stood", data_of(now), None)[0] == now
    assert msgspec.json.encode(now) == b'{"e":"table.stood","seat":2,"why":"self"}'  # nobody is told of versions


def test_a_kind_may_be_given_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def renamed(row: OldRow) -> OldRow:
        return OldRow("table.stood", 1, {"seat": row.data["seat"], "why": "self"}, row.secret)

    monkeypatch.setitem(upcasters.UPCASTERS, "table.rose", {1: renamed})
    assert read("table.rose", '{"seat":1}', '{"reach":2}')[0] == Stood(seat=1, why="self")


def test_every_step_leads_from_a_version_of_before() -> None:
    for kind, steps in upcasters.UPCASTERS.items():
        assert all(version >= 1 for version in steps)
        if kind in KINDS:
            assert sorted(steps) == [*range(1, KINDS[kind].VERSION)]
