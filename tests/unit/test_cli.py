"""The command line: what it prints, what it returns, and that a mistake is one clear line."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from qipai import __version__, cli, games

GAME = games.names()[0]


def qipai(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "qipai", *words],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **env},
        check=False,
    )


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> pytest.CaptureFixture[str]:
    return capsys


def test_the_version_is_told_without_importing_anything() -> None:
    code = "import sys; from qipai.cli import main; main(['--version']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, _, modules = done.stdout.partition("\n")
    assert first == f"qipai {__version__}"
    loaded = set(modules.split())
    assert not loaded & {"msgspec", "starlette", "uvicorn", "sqlite3", "asyncio", "numba", "numpy", "qipai.games"}


def test_every_command_has_its_module() -> None:
    folder = Path(cli.__file__).parent
    for name in cli.COMMANDS:
        assert (folder / f"{name.replace('-', '_')}.py").is_file(), name


@pytest.mark.parametrize("words", [(), ("dance",), ("conform",), ("serve", "--port", "x")])
def test_what_is_not_understood_is_answered_with_2(words: tuple[str, ...], said: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(words)
    assert end.value.code == 2
    assert "usage: qipai" in said.readouterr().err


def test_help_names_every_command(said: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["--help"])
    assert end.value.code == 0
    out = said.readouterr().out
    for name, what in cli.COMMANDS.items():
        assert name in out
        assert what in out


# conform


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("", "utf-8")
    return path


def add(path: Path, **case: object) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(case, ensure_ascii=False) + "\n")


def test_cases_that_hold_pass(tmp_path: Path, said: pytest.CaptureFixture[str]) -> None:
    own = Path(__file__).parents[1] / "conformance"
    files = []
    for name in ("gouji", "platform"):
        lines = (own / f"{name}.jsonl").read_text("utf-8").splitlines()
        wanted = [line for line in lines if json.loads(line)["kind"] in ("classify", "grade")]
        assert len(wanted) > 5
        files.append(tmp_path / f"{name}.jsonl")
        files[-1].write_text("\n".join(wanted), "utf-8")
    assert cli.main(["conform", *map(str, files)]) == 0
    count = sum(len(file.read_text("utf-8").splitlines()) for file in files)
    assert said.readouterr().out.splitlines() == [f"{count} passed, 0 failed"]


def test_a_failure_is_told_with_what_was_expected_and_found(cases: Path, said: pytest.CaptureFixture[str]) -> None:
    fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1"
    add(cases, id="x-1", game="xiangqi", kind="legal_moves", given={"fen": fen}, expect={"in_check": True})
    add(cases, id="x-2", game="xiangqi", kind="legal_moves", given={"fen": fen}, expect={"in_check": False})
    assert cli.main(["conform", str(cases)]) == 1
    lines = said.readouterr().out.splitlines()
    assert lines[0] == "x-1: .in_check: False instead of True"
    assert lines[1] == '  expected {"in_check": true}'
    assert lines[2].startswith("  found    {")
    assert lines[3:] == ["1 passed, 1 failed"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{", "not a case: it cannot be read: that is no JSON"),
        (b"[]", "not a case: the whole must be an object"),
        (b'{"id":"a"}', "not a case: game is missing"),
        (b"\xff\xfe", "not a case: "),
        (b'{"id":"a","game":"whist","kind":"k","given":{},"expect":1}', "no such game: whist"),
        (b'{"id":"a","game":"xiangqi","kind":"k","given":{},"expect":1}', "xiangqi has no kind k"),
        (b'{"id":"a","game":"platform","kind":"k","given":{},"expect":1}', "platform has no kind k"),
        (b'{"id":"a","game":"xiangqi","kind":"legal_moves","given":{},"expect":1}', "KeyError"),
    ],
)
def test_a_broken_line_is_one_failure_and_the_others_run(
    cases: Path, said: pytest.CaptureFixture[str], line: bytes, why: str
) -> None:
    good = {"id": "good", "game": "xiangqi", "kind": "legal_moves"}
    fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1"
    cases.write_bytes(line + b"\n\n")
    add(cases, **good, given={"fen": fen}, expect={"in_check": False})
    assert cli.main(["conform", str(cases)]) == 1
    out = said.readouterr().out
    assert why in out
    assert "Traceback" not in out
    assert out.splitlines()[-1] == "1 passed, 1 failed"


def test_a_missing_file_is_one_failure(tmp_path: Path, said: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["conform", str(tmp_path / "none.jsonl"), str(tmp_path)]) == 1
    lines = said.readouterr().out.splitlines()
    assert lines[0].endswith("none.jsonl: cannot be read: No such file or directory")
    assert "cannot be read: Is a directory" in lines[1]
    assert lines[2] == "0 passed, 2 failed"


# warm


@pytest.mark.skipif(find_spec("numba") is None, reason="compiled kernels need numba, the extra `fast`")
def test_games_are_warmed_each_in_a_process(monkeypatch: pytest.MonkeyPatch, said: pytest.CaptureFixture[str]) -> None:
    asked: list[list[str]] = []

    def run(words: list[str], *, check: bool) -> subprocess.CompletedProcess[str]:
        asked.append(words)
        return subprocess.CompletedProcess(words, int(words[-1] == "gouji"))

    monkeypatch.setattr(subprocess, "run", run)
    assert cli.main(["warm", "gouji", "xiangqi", "gouji", "--jobs", "2"]) == 1
    assert sorted(asked) == [[sys.executable, "-m", "qipai", "warm", name] for name in ("gouji", "xiangqi")]
    assert said.readouterr().out == "compiling gouji, xiangqi, 2 at once …\n"
    assert cli.main(["warm", "--jobs", "3"]) == 1
    assert {words[-1] for words in asked[2:]} == set(games.names())


@pytest.mark.compiled
def test_a_game_that_is_warm_is_not_compiled_again() -> None:
    words = [sys.executable, "-m", "qipai", "warm", GAME]
    code = (
        "import sys; from numba.core import event; from qipai import cli\n"
        "with event.install_recorder('numba:compile') as found: cli.main(sys.argv[1:])\n"
        "print(len(found.buffer))"
    )
    first = subprocess.run(words, capture_output=True, text=True, check=True)
    assert first.stdout.startswith(f"{GAME} ")
    again = subprocess.run([sys.executable, "-c", code, *words[3:]], capture_output=True, text=True, check=True)
    assert again.stdout.splitlines()[-1] == "0"


@pytest.mark.compiled
def test_what_only_the_rules_call_is_compiled_too(tmp_path: Path) -> None:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "QIPAI_JIT": "1"}
    words = [sys.executable, "-m", "qipai", "warm", "lianliankan"]
    subprocess.run(words, capture_output=True, env=env, check=True)
    code = (
        "from numba.core import event; from qipai import games; from qipai.core.laws import walk\n"
        "from qipai.core.rng import Stream; entry = games.find('lianliankan')\n"
        "with event.install_recorder('numba:compile') as found:\n"
        "    walk(entry, entry.options(), Stream.of_seed('another'), every=5)\n"
        "print(len(found.buffer))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True)
    assert done.stdout == "0\n"


# selfcheck


@pytest.mark.compiled
def test_both_modes_play_the_same_deals() -> None:
    done = qipai("selfcheck", GAME, "--games", "3", "--seed", "7")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{GAME}: 3 deals agree, interpreted and compiled\n"


@pytest.mark.skipif(find_spec("numba") is None, reason="compiled kernels need numba, the extra `fast`")
def test_a_deal_that_differs_is_named(monkeypatch: pytest.MonkeyPatch, said: pytest.CaptureFixture[str]) -> None:
    from qipai.cli import selfcheck

    def started(args: object, jit: str) -> subprocess.Popen[str]:
        lines = ["a", "b", "c" if jit == "0" else "d"]
        words = [sys.executable, "-c", f"print(*{lines}, sep=chr(10))"]
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    monkeypatch.setattr(selfcheck, "_started", started)
    assert cli.main(["selfcheck", GAME, "--games", "5", "--seed", "40"]) == 1
    assert said.readouterr().out.splitlines() == [
        f"{GAME}: deal 3 (seed 42) differs",
        "  interpreted c",
        "  compiled    d",
    ]


@pytest.mark.skipif(find_spec("numba") is None, reason="compiled kernels need numba, the extra `fast`")
def test_a_side_that_breaks_down_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, said: pytest.CaptureFixture[str]
) -> None:
    from qipai.cli import selfcheck

    def started(args: object, jit: str) -> subprocess.Popen[str]:
        words = [sys.executable, "-c", "print('a', flush=True); raise ValueError('no such card')" if jit == "1" else ""]
        words[-1] = words[-1] or "print('a'); print('b')"
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    monkeypatch.setattr(selfcheck, "_started", started)
    assert cli.main(["selfcheck", GAME, "--games", "2"]) == 1
    assert said.readouterr().err == "qipai selfcheck: the compiled side stopped: ValueError: no such card\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("selfcheck", "whist"), f"qipai selfcheck: there is no game whist; there are {', '.join(games.names())}"),
        (("selfcheck", GAME, "--games", "0"), "qipai selfcheck: --games must be at least 1"),
        (("warm", "whist"), f"qipai warm: there is no game whist; there are {', '.join(games.names())}"),
        (("warm", GAME, "--jobs", "0"), "qipai warm: --jobs must be at least 1"),
        (("serve", "--port", "70000"), "qipai serve: --port 70000: a port is a number from 0 to 65535"),
    ],
)
def test_a_mistake_is_one_line(
    words: tuple[str, ...], complaint: str, said: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert cli.main(words) == 1
    assert said.readouterr().err.strip() == complaint


# serve: what can be wrong before it serves


def test_a_port_in_use_is_said_so(tmp_path: Path, said: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert cli.main(["serve", "--port", str(port), "--data", str(tmp_path)]) == 1
    err = said.readouterr().err
    assert f"cannot listen at 127.0.0.1, port {port}: Address already in use" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("room", "complaint"),
    [
        ("kind = 'coin'", "every room needs a name"),
        ("kind = 'coin'\nname = { en = 'x' }", "need a `key` each"),
        ("kind = 'coin'\nkey = 'a'\nname = { en = 'x' }\nterms = { fee = -5 }", "line 5: [[rooms.own]]"),
        ("kind = 'coin'\nkey = 'a'\nname = { en = 'x' }\nterms = { factor = 0 }", "with this `terms.factor`"),
    ],
)
def test_a_room_of_ones_own_is_refused_in_words(
    tmp_path: Path, said: pytest.CaptureFixture[str], room: str, complaint: str
) -> None:
    (tmp_path / "hall.toml").write_text(f"[[rooms.own]]\n{room}\n", "utf-8")
    assert cli.main(["serve", "--port", "0", "--data", str(tmp_path)]) == 1
    assert complaint in said.readouterr().err


def test_a_room_that_cannot_be_is_said_so(tmp_path: Path, said: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "hall.toml").write_text("[[rooms.own]]\nkind = 'poker'\nname = { en = 'x' }\n", "utf-8")
    assert cli.main(["serve", "--port", "0", "--data", str(tmp_path)]) == 1
    err = said.readouterr().err
    assert "hall.toml: line 2: [[rooms.own]] a room cannot be with this `kind`" in err
    assert err.count("\n") == 1


def test_a_wrong_hall_toml_is_said_so(tmp_path: Path, said: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "hall.toml").write_text("[seats]\ngrace_s = 'x'\n", "utf-8")
    assert cli.main(["serve", "--port", "0", "--data", str(tmp_path)]) == 1
    assert "hall.toml: line 2: [seats] grace_s must be a whole number from 0 to 86400" in said.readouterr().err


def test_a_folder_that_cannot_be_one_is_said_so(tmp_path: Path, said: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert cli.main(["serve", "--port", "0", "--data", str(tmp_path / "file" / "hall")]) == 1
    err = said.readouterr().err
    assert "cannot be used: Not a directory" in err
    assert err.count("\n") == 1


def test_a_file_that_is_no_database_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "hall.sqlite").write_bytes(b"this is a letter, and no database at all" * 100)
    done = qipai("serve", "--port", "0", "--data", str(tmp_path))
    assert done.returncode == 1
    assert "hall.sqlite cannot be used: file is not a database" in done.stderr
    assert "Traceback" not in done.stderr


# schema


def test_the_written_files_are_fresh(said: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema", "--check"]) == 0, said.readouterr().out


def test_a_stale_file_is_told_and_mended(tmp_path: Path, said: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pyproject.toml").touch()
    assert cli.main(["schema", "--root", str(tmp_path)]) == 0
    types = tmp_path / "client/src/net/protocol.gen.ts"
    assert cli.main(["schema", "--check", "--root", str(tmp_path)]) == 0
    types.write_text(types.read_text("utf-8") + "\n", "utf-8")
    assert cli.main(["schema", "--check", "--root", str(tmp_path)]) == 1
    assert "client/src/net/protocol.gen.ts: stale; run `qipai schema`" in said.readouterr().out
    assert cli.main(["schema", "--root", str(tmp_path / "nowhere")]) == 1


def test_a_game_is_analysed_as_text_with_a_picture_and_as_json(tmp_path: Path) -> None:
    from tests.unit.games.deals import played

    from qipai.core.record import dumps

    file = tmp_path / "race.jsonl"
    file.write_text(dumps(played("lianliankan", seats=1)))
    done = qipai("analyse", str(file), "--lang", "en", "--slow")
    assert (done.returncode, done.stderr) == (0, "")
    assert "better was" in done.stdout
    assert "inaccuracy" in done.stdout
    assert any(bar in done.stdout.splitlines()[-1] for bar in "▁█")
    found = json.loads(qipai("analyse", str(file), "--json", "--slow").stdout)
    assert (found["unit"], len(found["rows"]), found["accounts"][0]["decisions"]) == ("pairs", 72, 72)
    wrong = qipai("analyse", "nosuchgame", "--data", str(tmp_path))
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert "no file nosuchgame" in wrong.stderr
