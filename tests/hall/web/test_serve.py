"""`qipai serve` as a person starts it (README X12)."""

from __future__ import annotations

import re
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.client import Person, Server
from tests.hall.web.conftest import run
from tests.stores import DATABASE, url_at


def test_a_first_start_makes_the_folder_and_says_when_it_serves(folder: Path) -> None:
    with Server(folder / "deep" / "down") as server:
        assert httpx.get(f"{server.url}/healthz").status_code == 200  # at once: the line says so
        assert server.port > 0
        kept = set() if url_at(server.data / DATABASE) else {DATABASE}
        assert {"hall.toml", "lock"} | kept <= {file.name for file in server.data.iterdir()}
        assert server.stop() == 0
        assert server.complaints() == ""


def test_a_hall_toml_is_written_where_there_is_none(folder: Path) -> None:
    server = Server(folder)
    (folder / "hall.toml").unlink()
    with server:
        text = (folder / "hall.toml").read_text("utf-8")
        assert "[seats]" in text
        assert "#grace_s = 60" in text


def test_two_halls_do_not_share_a_folder(folder: Path) -> None:
    with Server(folder):
        words = [sys.executable, "-m", "qipai", "serve", "--port", "0", "--data", str(folder)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 1
        assert (
            done.stderr
            == f"qipai serve: another hall is running on {folder}; stop it, or choose another folder with --data\n"
        )


def test_the_numbers_of_hall_toml_are_those_of_the_hall(folder: Path) -> None:
    settings = "[rooms]\ntables = 7\n[coins]\nenabled = false\n[accounts]\nlogin_days = 2\n"
    with Server(folder, settings) as server, httpx.Client(base_url=f"{server.url}/api/v1") as http:
        rows = http.get("/rooms").json()["rows"]
        assert {row["kind"] for row in rows} == {"friendly", "score", "pass"}
        assert all(row["tables"] == 7 for row in rows if row["kind"] != "pass")
        # So many tables at each pass; where several numbers may play, some for each.
        assert all(row["tables"] % 6 == 0 and row["tables"] >= 18 for row in rows if row["kind"] == "pass")
        cookie = http.post("/guest", json={}).headers["set-cookie"]
        assert "Max-Age=172800" in cookie
        me = http.get("/me").json()
        assert (me["coins"], me["hearts"]) == (None, None)


def test_the_local_network_gets_a_link_and_a_code(folder: Path) -> None:
    words = [sys.executable, "-m", "qipai", "serve", "--port", "0", "--data", str(folder), "--lan"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            first = process.stdout.readline()
            found = re.fullmatch(r"qipai is serving at (http://([\d.]+):(\d+))\n", first)
            assert found, first
            assert httpx.get(f"{found[1]}/healthz").status_code == 200
            assert httpx.get(f"http://127.0.0.1:{found[3]}/healthz").status_code == 200
            code = process.stdout.readline() + process.stdout.readline() + process.stdout.readline()
            assert "phones" in code
            assert re.search("[▀▄█]", code)
            # A link made on this machine is one that the phones can use.
            with httpx.Client(base_url=f"http://127.0.0.1:{found[3]}/api/v1") as http:
                http.post("/guest", json={})
                made = http.post("/tables", json={"game": "xiangqi", "private": True}).json()
                assert made["link"].startswith(f"{found[1]}/t/")
        finally:
            process.terminate()
            process.wait(10)


@pytest.mark.slow
def test_what_comes_too_slowly_is_given_up(folder: Path) -> None:
    head = b"POST /api/v1/guest HTTP/1.1\r\nHost: x\r\n"
    sent = {b"": b"", b"GET / HT": b"HTTP/1.1 408", head + b"content-length: 9\r\n\r\n{": b""}
    with Server(folder, "[limits]\nheader_s = 1\nbody_s = 1\n") as server:
        lines = {}
        for words in sent:
            line = lines[words] = socket.create_connection(("127.0.0.1", server.port))
            line.settimeout(60)
            line.sendall(words)
        for words, line in lines.items():
            answer = b""
            with line, suppress(ConnectionResetError):
                while piece := line.recv(1000):
                    answer += piece
            assert answer.startswith(sent[words])
        assert httpx.get(f"{server.url}/healthz").status_code == 200
        assert server.stop() == 0
        assert server.complaints() == ""


class Poor(Server):
    """A hall that may open few files: at first, or at all."""

    hard = False

    def program(self) -> list[str]:
        limit = "ulimit -n 200" if self.hard else "ulimit -Sn 200"
        return ["sh", "-c", f'{limit}; exec "$0" "$@"', sys.executable, "-m", "qipai"]


class Poorest(Poor):
    """One that may never open more."""

    hard = True


@pytest.mark.slow
def test_the_limit_of_open_files_is_raised_or_told_of(folder: Path) -> None:
    with Poor(folder) as server:
        assert server.process is not None
        limits = Path(f"/proc/{server.process.pid}/limits").read_text()
        [found] = re.findall(r"Max open files +(\d+) +(\d+)", limits)
        assert found[0] == str(min(int(found[1]), 65536))
        assert server.stop() == 0
    with Poorest(folder) as server:
        assert server.stop() == 0
        assert "only 200 files may be open at once" in server.complaints()


class Importing(Server):
    """A hall that tells what it imports."""

    def program(self) -> list[str]:
        return [sys.executable, "-X", "importtime", "-m", "qipai"]


@pytest.mark.slow
def test_the_rules_of_tables_in_use_are_there_when_the_hall_serves(folder: Path) -> None:
    async def sit(server: Server) -> None:
        one = Person(server, seed=1)
        try:
            await one.guest()
            await one.line()
            at = (await one.post("/tables", {"game": "shengji"}))["table"]
            await one.command("sit", table=at, seat=0)
        finally:
            await one.close()

    with Server(folder) as server:
        run(lambda: sit(server))
        server.kill()
    with Importing(folder) as server:
        # Python tells what the rules import, not the module that is asked for by its name.
        assert re.search(r"\| +qipai\.games\.shengji\.listing$", server.complaints(), re.MULTILINE)


@pytest.mark.slow
def test_who_spoke_before_a_restart_is_named_after_it(folder: Path) -> None:
    async def speak(server: Server) -> int:
        async with Person(server) as one:
            await one.register("说书人")
            room: int = (await one.get("/rooms"))["rows"][0]["room"]
            await one.line()
            await one.answer_to({"t": "enter", "room": room})
            await one.command("say", to=f"room:{room}", text="且听下回分解")
            return room

    async def hear(server: Server, room: int) -> Any:
        async with Person(server) as other:
            await other.guest()
            await other.line()
            await other.say({"t": "enter", "room": room})
            shown = await other.until(lambda: next((one for one in other.other if one["t"] == "room"), None))
            return shown["chat"][-1]["from"]["name"]

    with Server(folder) as server:
        room = run(lambda: speak(server))
    with Server(folder) as server:
        assert run(lambda: hear(server, room)) == "说书人"


@pytest.mark.slow
@pytest.mark.embedded
def test_a_hall_that_cannot_write_says_so_and_stops_when_it_is_told_to(folder: Path) -> None:
    with Server(folder) as server, httpx.Client(base_url=server.url, timeout=30) as http:
        assert (http.get("/healthz").status_code, http.get("/healthz").text) == (200, "ok\n")
        with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            refused = http.post("/api/v1/guest", json={})
            assert refused.status_code == 503
            assert refused.json() == {"error": {"code": "BUSY", "facts": {"case": "locked"}}}
            assert (http.get("/healthz").status_code, http.get("/healthz").text) == (
                *(503, "nothing can be written: locked\n"),
            )
            figures = dict(line.split() for line in server.metrics().splitlines() if line[0] != "#")
            assert (figures["qipai_store_writer"], figures["qipai_store_writes"]) == ("1", "0")
            assert int(figures['qipai_store_refused_total{why="locked"}']) >= 1
            assert (figures["qipai_store_queue"], figures["qipai_store_whole"]) == ("0", "NaN")
            assert figures["qipai_backup_age_seconds"] == "NaN"
            assert http.get("/api/v1/rooms").status_code == 200  # what is only read is answered
            assert server.process is not None
            server.process.terminate()
            assert server.process.wait(60) == 0
            server._closed()
        assert "nothing can be written (locked" in server.complaints()
        assert "Traceback" not in server.complaints()


@pytest.mark.slow
def test_who_still_sends_when_the_hall_stops_fills_no_log(folder: Path) -> None:
    with Server(folder) as server, closing(socket.create_connection(("127.0.0.1", server.port))) as slow:
        slow.sendall(b"POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{")
        # The hall has begun to answer it once it answers what came later.
        assert httpx.get(f"{server.url}/healthz").status_code == 200
        assert server.stop() == 0
        lines = server.complaints().splitlines()
        assert [line for line in lines if "Traceback" in line] == []
        assert ["1 running task" in line for line in lines] == [True]


def test_where_uvicorn_has_other_insides_the_hall_serves_with_its_own(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['qipai.web.line'] = None\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    async def visit(server: Server) -> None:
        one, other = Person(server, seed=1), Person(server, seed=2)
        for person in (one, other):
            await person.guest()
            await person.line()
        at = (await one.post("/tables", {"game": "xiangqi"}))["table"]
        for seat, person in enumerate((one, other)):
            await person.command("sit", table=at, seat=seat)
        for person in (one, other):
            await person.command("ready", table=at, on=True)
        table = one.tables[at]
        await table.until(lambda t: t.info["state"] == "playing")
        await table.act(table.legal["list"][0])
        await other.tables[at].until(lambda t: t.ask is not None)
        for person in (one, other):
            await person.close()

    with Server(folder) as server:
        run(lambda: visit(server))
        assert server.stop() == 0
        assert re.search(
            r'"level":"warning","from":"qipai.entrance","text":"uvicorn \S+ is not one', server.complaints()
        )
        assert len(server.complaints().splitlines()) == 1
