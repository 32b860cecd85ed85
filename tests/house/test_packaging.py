"""What makes a package and a checkout run: the build hook's rules (performance A.2), the lock, the start script."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
FAKE_NPM = """
import pathlib, sys
if sys.argv[1] == "ci":
    pathlib.Path("node_modules").mkdir(exist_ok=True)
else:
    built = pathlib.Path("../src/qipai/web/client")
    built.mkdir(parents=True, exist_ok=True)
    (built / "index.html").write_text("built")
"""


def loaded(name: str) -> ModuleType:
    """Return a script of the checkout as a module of its own."""
    spec = importlib.util.spec_from_file_location(f"qipai_{name}", ROOT / f"{name}.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


@pytest.fixture
def hook() -> ModuleType:
    return loaded("hatch_build")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "client" / "src").mkdir(parents=True)
    (tmp_path / "client" / "package.json").write_text("{}")
    (tmp_path / "client" / "package-lock.json").write_text("{}")
    (tmp_path / "client" / "src" / "main.ts").write_text("let a = 1;\n")
    return tmp_path


def wanted(hook: ModuleType, root: Path) -> list[str]:
    found: list[str] = hook.CustomBuildHook(str(root), {}, None, None, "", "wheel").dependencies()
    return found


def fake_npm(hook: ModuleType, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    monkeypatch.setattr(hook, "npm", lambda: ([sys.executable, "-c", script], {}))


def test_a_finished_client_is_not_built_again_and_needs_no_node(
    hook: ModuleType, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = hook.Client(checkout)
    assert not client.fresh()
    assert wanted(hook, checkout) == [hook.NODE_WHEEL]
    fake_npm(hook, monkeypatch, FAKE_NPM)
    assert client.build() == ""
    assert client.fresh()
    assert wanted(hook, checkout) == []


@pytest.mark.parametrize("change", ["let a = 2;\n", ""])
def test_a_changed_source_makes_the_client_stale(
    hook: ModuleType, checkout: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    client = hook.Client(checkout)
    fake_npm(hook, monkeypatch, FAKE_NPM)
    client.build()
    source = checkout / "client" / "src" / "main.ts"
    source.write_text(change) if change else source.rename(source.with_name("other.ts"))
    assert not client.fresh()


def test_what_npm_puts_beside_the_sources_and_line_ends_do_not_count(hook: ModuleType, checkout: Path) -> None:
    before = hook.source_hash(checkout / "client")
    for folder in ("node_modules", "dist", "tests"):
        (checkout / "client" / folder).mkdir()
        (checkout / "client" / folder / "x.js").write_text("1")
    (checkout / "client" / "src" / "main.ts").write_bytes(b"let a = 1;\r\n")
    assert hook.source_hash(checkout / "client") == before


def test_a_build_fetches_no_tools_and_keeps_those_that_are_there(
    hook: ModuleType, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = checkout / "said"
    note = f"pathlib.Path({str(said)!r}).open('a').write(' '.join(sys.argv[1:]) + '\\n')\n"
    fake_npm(hook, monkeypatch, FAKE_NPM.replace("if sys", note + "if sys", 1))
    client = hook.Client(checkout)
    assert client.build() == ""
    assert [line.split()[0] for line in said.read_text().splitlines()] == ["ci", "run"]
    assert "--omit=dev" in said.read_text()
    said.unlink()
    assert client.fetch() == ""
    assert not said.exists()
    assert client.fetch(tools=True) == ""
    assert "--omit=dev" not in said.read_text()
    (checkout / "client" / "package-lock.json").write_text('{"other": 1}')
    said.unlink()
    assert client.fetch() == ""
    assert "--omit=dev" not in said.read_text()


def test_an_unreachable_npm_is_one_line_and_no_failure(
    hook: ModuleType, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "npm error code ECONNREFUSED\nnpm error FetchError: request failed, reason: refused\nnpm error log: x"
    fake_npm(hook, monkeypatch, f"import sys; print({said!r}); sys.exit(1)")
    told = hook.Client(checkout).build()
    assert told == (
        "The browser client could not be built and is missing: `npm ci --no-audit` failed: "
        "FetchError: request failed, reason: refused"
    )
    monkeypatch.setattr(hook, "npm", lambda: None)
    assert "no npm in PATH" in hook.Client(checkout).build()


def test_packages_are_fetched_once_for_a_lock(
    hook: ModuleType, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = hook.Client(checkout)
    fake_npm(hook, monkeypatch, FAKE_NPM)
    client.build()
    fake_npm(hook, monkeypatch, "import sys; sys.exit(sys.argv[1] == 'ci')")
    assert client.build() == ""
    (checkout / "client" / "package-lock.json").write_text('{"new": 1}')
    assert "npm ci" in client.build()


def test_an_old_python_can_read_the_start_script_far_enough_to_be_told() -> None:
    source = (ROOT / "run.py").read_text("utf-8")
    tree = ast.parse(source, feature_version=(3, 7))
    guard = next(i for i, node in enumerate(tree.body) if isinstance(node, ast.If))
    before = {alias.name for node in tree.body[:guard] if isinstance(node, ast.Import) for alias in node.names}
    assert before == {"os", "shutil", "sys"}
    assert not any(isinstance(node, ast.FunctionDef | ast.ImportFrom) for node in tree.body[:guard])


def test_the_start_script_helps_without_installing_anything(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_bytes((ROOT / "run.py").read_bytes())
    done = subprocess.run(
        [sys.executable, "run.py", "--help"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "python3 run.py test" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["run.py"]


def test_the_start_script_leaves_an_environment_alone_that_it_is_only_lent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = loaded("run")
    other = tmp_path / "other"
    other.mkdir()
    (other / "qipai.json").write_text('{"home": "elsewhere"}')
    (tmp_path / ".venv").symlink_to(other)
    monkeypatch.setattr(script, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(script, "STAMP", tmp_path / ".venv" / "qipai.json")
    monkeypatch.setattr(script, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(script.venv, "create", lambda path, **_: path.mkdir())
    script.make_venv()
    assert (other / "qipai.json").exists()
    assert not (tmp_path / ".venv").is_symlink()


def test_the_locks_name_public_places_alone() -> None:
    urls = set(re.findall(r'"(\w+://[^/"]+|/[^"]*|file:[^"]*)', (ROOT / "uv.lock").read_text("utf-8")))
    assert len(urls) == 2  # the index, and where its files lie: no mirror, no folder of the machine it was made on
    assert all(url.startswith("https://") and url.endswith(".org") for url in urls)
    lock = (ROOT / "client" / "package-lock.json").read_text("utf-8")
    assert set(re.findall(r'"resolved": "(\w+:[^"]*|/[^"]*)"', lock)) == set()


@pytest.mark.parametrize(
    ("lines", "again"),
    [
        (["FAILED tests/e2e/test_a.py::test_b[c] - AssertionError: no - more"], ["tests/e2e/test_a.py::test_b[c]"]),
        (["FAILED tests/unit/store/test_a.py::test_b - no"], ["tests/unit/store/test_a.py::test_b"]),
        (["FAILED tests/e2e/test_a.py::test_b", "FAILED tests/unit/games/test_a.py::test_b"], []),
        (["FAILED tests/e2e/test_a.py::test_b", "ERROR tests/e2e/test_a.py::test_c"], []),
        ([f"FAILED tests/e2e/test_a.py::test_{n}" for n in range(4)], []),
        (["5000 passed in 900 s"], []),
    ],
)
def test_only_a_few_tests_that_race_are_tried_again(lines: list[str], again: list[str]) -> None:
    assert loaded("run").unsteady(lines) == again


@pytest.mark.parametrize(("codes", "ok"), [([0], True), ([1, 0, 0, 0], True), ([1, 0, 0, 1], False), ([1, 1], False)])
def test_what_raced_has_to_pass_three_times_alone(codes: list[int], ok: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    script, asked = loaded("run"), []

    def pytest_of(*words: str) -> tuple[int, list[str]]:
        asked.append(words)
        code = codes[len(asked) - 1]
        return code, ["FAILED tests/hall/test_a.py::test_b", "1 failed"] if code else ["1 passed"]

    monkeypatch.setattr(script, "pytest", pytest_of)
    passed, closing = script.steady(["-n", "2"], ["tests/hall"], ["--nodes", "3"])
    assert passed == ok
    assert closing == (
        "1 failed; alone, 3 times: 1 passed" if codes == [1, 0, 0, 0] else f"1 {'passed' if ok else 'failed'}"
    )
    assert asked[0] == ("-n", "2", "--nodes", "3", "tests/hall")
    assert asked[1:] == [("--nodes", "3", "tests/hall/test_a.py::test_b")] * (len(codes) - 1)
