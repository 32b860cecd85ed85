"""schemathesis goes through docs/openapi.json: no call answers with a 500, and each answers as the file says.

One run for a stranger, somebody, and an administrator; the same cases every time. What a call refuses is judged by
`test_any_input.py` and the tests of each call: here only its form is.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.client import Server

from qipai import cli
from qipai.web import schema

pytestmark = pytest.mark.slow

API = "/api/v1"
WORDS = [
    *("--seed=1", "--generation-deterministic", "--workers=1"),
    *("--no-shrink", "--suppress-health-check=all"),
    "--checks=not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
    *("--request-timeout=600", "--warnings=off", "--no-color", "--continue-on-failure"),
]
ENDS = [("/logout", "post"), ("/me", "delete")]  # calls that would end the visit
# Who may do most gets the systematic cases, too; all get one drawn case of each call.
PEOPLE = {
    "stranger": ["--phases=fuzzing", "--max-examples=1"],
    "user": ["--phases=fuzzing", "--max-examples=1"],
    "admin": ["--phases=coverage,fuzzing", "--max-examples=1"],
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path / "hall", "[bots]\nworkers = 0\npace_ms = 0\n") as server:
        yield server
        status = server.stop()
        assert (status, server.complaints()) == (0, "")


def cookie(server: Server, who: str) -> str | None:
    """Return the cookie of such a person."""
    if who == "stranger":
        return None
    with httpx.Client(base_url=server.url, timeout=60) as client:
        client.post(f"{API}/register", json={"name": "somebody", "password": "long enough"})
        if who != "user":
            assert cli.main(["role", "somebody", who, "--data", str(server.data)]) == 0
        return client.cookies["qipai"]


@pytest.mark.parametrize("who", PEOPLE)
def test_no_call_fails_and_each_answers_as_the_file_says(server: Server, who: str, tmp_path: Path) -> None:
    document: Any = json.loads(schema.openapi())
    for path, method in ENDS:
        del document["paths"][path][method]
    for part in document["components"]["schemas"].values():
        part.get("properties", {}).pop("cid", None)  # one that was sent before is answered as before
    document["paths"] = {path: methods for path, methods in document["paths"].items() if methods}
    calls = sum(map(len, document["paths"].values()))
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    secret = cookie(server, who)
    words = [
        sys.executable,
        "-m",
        "schemathesis.cli",
        "run",
        str(file),
        f"--url={server.url}{API}",
        *WORDS,
        *PEOPLE[who],
    ]
    if secret is not None:
        words += ["-H", f"Cookie: qipai={secret}"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert f"Tested: {calls}" in done.stdout, done.stdout[-2000:]  # all of them
