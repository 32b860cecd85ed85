"""Whatever is sent to a call of the API, it is answered or refused in words: never with a 500, never with a page."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client import Calls, Server

from qipai.web import schema

pytestmark = pytest.mark.slow

API = "/api/v1"
TRIES = 24
DEAR = {"/me/data": 8}  # a process of its own for each
DOCUMENT: Any = json.loads(schema.openapi())
OPERATIONS = [
    (method, path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
    if path not in ("/logout", "/register")  # the one ends the visit, the other waits two seconds
]
ODD: list[Any] = [
    None, True, -1, 0, 1, 2**31, 2**53, 2**64, 1.5, "", "x", "gouji", "xiangqi", "<script>", "\u0000", "海" * 50,
    [], {}, [[]], {"a": 1}, "2030-01-01", "9" * 400, "-1", "%00", "../..", "1e9", "NaN", "table:1", "room:1",
]  # fmt: skip


def like(part: Any, luck: random.Random, depth: int = 0) -> Any:
    """Return a value that a schema allows, or now and then one that it does not."""
    if luck.random() < 0.12 or depth > 4:
        return luck.choice(ODD)
    if "$ref" in part:
        return like(DOCUMENT["components"]["schemas"][part["$ref"].rpartition("/")[2]], luck, depth + 1)
    if "anyOf" in part:
        return like(luck.choice(part["anyOf"]), luck, depth + 1)
    if "enum" in part:
        return luck.choice(part["enum"])
    kind = part.get("type")
    if kind == "object":
        found = {}
        for name, each in part.get("properties", {}).items():
            if name in part.get("required", ()) or luck.random() < 0.5:
                found[name] = like(each, luck, depth + 1)
        return found
    if kind == "array":
        return [like(part.get("items", {}), luck, depth + 1) for _ in range(luck.randrange(3))]
    if kind == "integer":
        return luck.choice([0, 1, 2, 7, 101, 10**6, part.get("minimum", -5), part.get("maximum", 5)])
    if kind == "string":
        return luck.choice(["x", "xiangqi", "gouji", "SPRING", "2030-01-01", "海潮", "h2e2", "jasmine", "2"])
    if kind == "boolean":
        return luck.random() < 0.5
    return luck.choice(ODD) if kind != "null" else None


@pytest.fixture(scope="module")
def visitors(hall: Server) -> Iterator[list[Calls]]:
    """A stranger, a guest, a user, an administrator."""
    from qipai import cli

    found = [Calls(base_url=hall.url, timeout=60) for _ in range(4)]
    found[1].post(f"{API}/guest", json={})
    for client, name in ((found[2], "anyinput"), (found[3], "anyadmin")):
        assert client.post(f"{API}/register", json={"name": name, "password": "long enough"}).status_code == 200
    assert cli.main(["role", "anyadmin", "admin", "--data", str(Path(hall.data))]) == 0
    yield found
    for client in found:
        client.close()


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=[f"{m} {p}" for m, p, _ in OPERATIONS])
def test_any_input_is_answered(visitors: list[Calls], method: str, path: str, operation: Any) -> None:
    luck = random.Random(f"{method} {path}")
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    for number in range(DEAR.get(path, TRIES)):
        client = visitors[number % len(visitors)]
        where = re.sub(
            r"\{\w+\}", lambda _: str(luck.choice(["1", "2", "101", "xiangqi", "en", "x", "海", "0", "9" * 18])), path
        )
        query = {
            each["name"]: str(luck.choice(ODD))
            for each in operation["parameters"]
            if each["in"] == "query" and luck.random() < 0.6
        }
        sent = None if body is None or luck.random() < 0.1 else like(body, luck)
        answer = client.request(method, f"{API}{where}", params=query, json=sent)
        told = f"{method} {where} {query} {sent!r}: {answer.status_code} {answer.text[:200]}"
        assert answer.status_code < 500, told
        if answer.status_code >= 400:
            error = answer.json()["error"]
            assert error.keys() == {"code", "facts"}, told
            assert "Traceback" not in answer.text, told


def nothing(part: Any, depth: int = 0) -> Any:
    """Return a value that a schema allows, with a NUL for each text."""
    if "$ref" in part:
        return nothing(DOCUMENT["components"]["schemas"][part["$ref"].rpartition("/")[2]], depth + 1)
    if "anyOf" in part:
        return nothing(next(one for one in part["anyOf"] if one.get("type") != "null"), depth)
    kind = part.get("type")
    if kind == "object":
        fields = part.get("properties", {}).items() if depth < 5 else ()
        return {name: nothing(each, depth + 1) for name, each in fields if name != "cid"}
    if kind == "array":
        return [nothing(part.get("items", {}), depth + 1)]
    return {"integer": 1, "number": 1, "boolean": True, "string": "\0"}.get(kind, part.get("enum", ["\0"])[0])


def test_a_nul_is_no_text_for_any_call(visitors: list[Calls]) -> None:
    """PostgreSQL keeps none, and cannot be asked for one (`pytest --store postgres`)."""
    for method, path, operation in OPERATIONS:
        client = visitors[3 if "/me" not in path else 2]
        named = [each["name"] for each in operation["parameters"] if each["in"] == "query"]
        where = re.sub(r"\{\w+\}", "1", path)
        for name in named:
            answer = client.request(method, f"{API}{where}", params={name: "a\0b"}, json={})
            assert answer.json()["error"] == {"code": "BAD_MESSAGE", "facts": {"field": name}}, (method, path, name)
        if where != path:
            answer = client.request(method, API + re.sub(r"\{\w+\}", "%00", path), json={})
            assert answer.status_code in (404, 405), (method, path, answer.text)
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        if body is not None:
            answer = client.request(method, f"{API}{where}", json=nothing(body))
            assert answer.status_code < 500, (method, path, answer.text)
