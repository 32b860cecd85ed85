"""The files that are generated, looked at as those who use them do."""

from __future__ import annotations

import json
import re

from qipai import games
from qipai.hall.table.commands import ClientMessage
from qipai.hall.table.messages import ServerMessage
from qipai.web import schema
from qipai.web.api import CALLS, status_of


def tags(union: object) -> set[str]:
    from typing import get_args

    return {one.__struct_config__.tag for one in get_args(union)}


def test_every_message_has_a_type() -> None:
    text = schema.typescript()
    found = set(re.findall(r"^  ?t: \"(\w+)\"|\{ t: \"(\w+)\"", text, re.MULTILINE))
    assert {one or other for one, other in found} == tags(ClientMessage) | tags(ServerMessage)


def test_no_type_is_declared_twice_and_none_is_missing() -> None:
    for part in (schema.typescript(), *map(schema.game_types, games.names())):
        declared = re.findall(r"export (?:interface|type) (\w+)", part)
        assert len(declared) == len(set(declared))
        bare = re.sub(r"/\*\*.*?\*/|//[^\n]*|\"[^\"]*\"", "", part, flags=re.DOTALL)
        used = set(re.findall(r"\b[A-Z]\w+\b", bare)) - {"Record", "Json"}
        assert used <= set(declared), used - set(declared)


def test_what_the_server_always_sends_is_not_optional() -> None:
    text = schema.typescript()
    snapshot = re.search(r"export interface Snapshot \{(.*?)^\}", text, re.DOTALL | re.MULTILINE)
    assert snapshot
    assert re.findall(r"(\w+)\?:", snapshot[1]) == ["here"]  # of turn-based tables alone
    event = re.search(r"export interface Ev \{(.*?)^\}", text, re.DOTALL | re.MULTILINE)
    assert event
    assert "view?: Json" in event[1]
    assert "told: News[]" in event[1]
    assert re.search(r"export interface GameInfo \{.*?name: Record<string, string>;", text, re.DOTALL)


def test_the_client_is_told_which_languages_there_are() -> None:
    assert 'LANGUAGES = ["zh-CN", "en", "zh-Hant"] as const;' in schema.languages()
    assert 'lang?: "en" | "zh-CN" | "zh-Hant" | null' in schema.typescript()


def test_every_call_stands_in_the_openapi_file() -> None:
    document = json.loads(schema.openapi())
    assert document["openapi"] == "3.1.0"
    listed = {(path, method.upper()) for path, ways in document["paths"].items() for method in ways}
    assert listed == {(re.sub(r":\w+", "", call.path), call.method) for call in CALLS}
    names = [way["operationId"] for ways in document["paths"].values() for way in ways.values()]
    assert len(names) == len(set(names))
    parts = document["components"]["schemas"]
    for reference in re.findall(r'"#/components/schemas/([^"]+)"', schema.openapi().decode()):
        assert reference in parts
    assert r"\A" not in schema.openapi().decode().replace("\\\\", "\\")
    for call in CALLS:
        assert call.does.__doc__, call.path


def test_a_refusal_has_the_status_of_its_kind() -> None:
    expected = {
        400: "BAD_MESSAGE BAD_OPTION BAD_ORIGIN BAD_PASSWORD NAME_BAD PASSWORD_WEAK",
        401: "SIGN_IN BAD_LOGIN SECOND_FACTOR",
        403: "NOT_ALLOWED SCORE_TOO_LOW TABLE_LOCKED WATCH_FORBIDDEN LIMIT_REACHED",
        404: "NOT_FOUND NO_SUCH_TABLE NO_SUCH_CODE",
        409: "CONFIRM_QUIT ROOM_FULL SEAT_TAKEN TABLE_FULL GAME_RUNNING NAME_TAKEN STALE NO_GAME",
        413: "TOO_BIG",
        429: "RATE_LIMIT",
        503: "BUSY",
    }
    for status, codes in expected.items():
        for code in codes.split():
            assert status_of(code) == status, code
