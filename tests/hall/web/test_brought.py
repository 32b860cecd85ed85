"""Games that people bring from the files of other programs (decision 0041)."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from tests.client import Calls, Server

pytestmark = pytest.mark.slow

API = "/api/v1"
PGN = (
    '[Game "Chinese Chess"]\n[Event "杯"]\n[Red "胡荣华"]\n[Black "柳\u202e大华"]\n[Date "1980.01.02"]\n'
    '[Result "1-0"]\n\n'
    "1. 炮二平五 {中炮} 马８进７ (1... 炮８平５)\n2. MOVE 车９平８ 1-0\n"
)
MAT = """\
 1 point match

 Game 1
 Lin : 0                       Yuan : 0
  1) 31: 8/5 6/5                  64: 24/14
"""


@contextmanager
def guest(server: Server) -> Iterator[httpx.Client]:
    with Calls(base_url=server.url, timeout=60) as http:
        http.post(f"{API}/guest", json={}).raise_for_status()
        yield http


def bring(http: httpx.Client, text: str | bytes, **more: Any) -> httpx.Response:
    data = text if isinstance(text, bytes) else text.encode()
    return http.post(f"{API}/brought", json={"data": base64.b64encode(data).decode(), **more})


def test_a_game_of_a_file_gets_a_replay(hall: Server) -> None:
    with guest(hall) as http:
        found = bring(http, PGN.replace("MOVE", "马二进三").encode("gb18030")).json()
        assert (found["game"], found["more"], len(found["rows"])) == ("xiangqi", False, 1)
        kept = found["rows"][0]["kept"]
        assert (kept["players"], kept["date"], kept["title"]) == (["胡荣华", "柳大华"], "1980-01-02", "杯")
        whole = http.get(f"{API}/g/{kept['id']}").json()
        assert [seat["name"] for seat in whole["seats"]] == ["胡荣华", "柳大华"]
        assert whole["brought"]["notes"] == {"1": "中炮"}
        assert whole["brought"]["asides"][0]["words"]["zh"] == "炮8平5"
        assert whole["result"]["places"] == [1, 2]
        steps = http.get(f"{API}/g/{kept['id']}/steps").json()
        assert len(steps["rows"]) == len(whole["rows"]) + 1
        assert "broken" not in steps
        assert "炮二平五" in http.get(f"{API}/g/{kept['id']}?as=pgn").text
        assert http.get(f"{API}/g/{kept['id']}?as=mat").json()["error"]["code"] == "BAD_OPTION"
        assert [row["id"] for row in http.get(f"{API}/brought").json()["rows"]] == [kept["id"]]


def test_a_game_that_breaks_off_is_shown_too(hall: Server) -> None:
    with guest(hall) as http:
        kept = bring(http, MAT).json()["rows"][0]["kept"]
        whole = http.get(f"{API}/g/{kept['id']}").json()
        assert whole["result"] is None
        assert whole["options"]["match_to"] == 1
        assert len(http.get(f"{API}/g/{kept['id']}/steps").json()["rows"]) == len(whole["rows"]) + 1


def test_what_cannot_be_read_is_named_and_the_rest_is_kept(hall: Server) -> None:
    with guest(hall) as http:
        text = "\n".join(PGN.replace("MOVE", move) for move in ("马二进三", "马二进九", "马八进七"))
        rows = bring(http, text).json()["rows"]
        assert [row["kept"] is None for row in rows] == [False, True, False]
        assert rows[1]["unread"].items() >= {"line": 19, "ply": 3, "move": "马二进九"}.items()
        assert len(http.get(f"{API}/brought").json()["rows"]) == 2


@pytest.mark.parametrize(
    ("data", "facts"),
    [
        (b"hello", {}),
        (b"\x00" * 100, {}),
        (b'[Game "Chinese Chess"]\n\n1. (', {"case": "unread", "game": "xiangqi", "line": 3}),
    ],
)
def test_a_file_that_is_no_record_is_refused(hall: Server, data: bytes, facts: dict[str, Any]) -> None:
    with guest(hall) as http:
        answer = bring(http, data)
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (400, "BAD_RECORD")
        assert facts.items() <= error["facts"].items()
        assert http.get(f"{API}/brought").json()["rows"] == []


def test_a_file_that_is_too_big_is_refused(hall: Server) -> None:
    with guest(hall) as http:
        assert bring(http, b"x" * 262_145).json()["error"]["code"] == "BAD_MESSAGE"
        assert bring(http, b"x" * 400_000).json()["error"]["code"] == "TOO_BIG"
        assert http.post(f"{API}/brought", json={"data": "%%"}).json()["error"] == {
            "code": "BAD_MESSAGE",
            "facts": {"field": "data"},
        }


def test_only_who_brought_a_game_throws_it_away(hall: Server) -> None:
    with guest(hall) as one, guest(hall) as other:
        id = bring(one, MAT).json()["rows"][0]["kept"]["id"]
        assert other.get(f"{API}/g/{id}").status_code == 200  # who knows the link sees it
        assert other.get(f"{API}/brought").json()["rows"] == []
        assert other.request("DELETE", f"{API}/brought/{id}", json={}).status_code == 404
        assert one.request("DELETE", f"{API}/brought/{id}", json={}).status_code == 200
        assert one.get(f"{API}/g/{id}").status_code == 404


def test_nobody_keeps_games_without_end(hall: Server) -> None:
    with guest(hall) as http:
        many = "\n".join([PGN.replace("MOVE", "马二进三")] * 101)
        found = bring(http, many).json()
        assert (len(found["rows"]), found["more"]) == (100, True)


def test_what_was_brought_belongs_to_its_person(hall: Server) -> None:
    with guest(hall) as http:
        http.post(f"{API}/register", json={"name": "带谱人", "password": "long enough"}).raise_for_status()
        id = bring(http, MAT).json()["rows"][0]["kept"]["id"]
        found = zipfile.ZipFile(io.BytesIO(http.get(f"{API}/me/data").content))
        assert json.loads(found.read("brought.json"))["rows"][0]["id"] == id
        assert json.loads(found.read(f"brought/backgammon/{id}.json"))["game_id"] == id
        gone = http.request("DELETE", f"{API}/me", json={"password": "long enough", "confirm": True})
        assert gone.status_code == 200, gone.text
        assert http.get(f"{API}/g/{id}").status_code == 404
