"""What is made of the answers of pip-audit and npm: what can be mended fails, what cannot be asked is told."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest
from tests import audit

ROOT = Path(__file__).parents[2]

SOUND = {"name": "starlette", "version": "1.10.0", "vulns": []}
MENDED = {"name": "h11", "version": "0.1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["0.16"], "aliases": []}]}
OPEN = {"name": "click", "version": "8", "vulns": [{"id": "PYSEC-2", "fix_versions": [], "aliases": []}]}
SKIPPED = {"name": "segno", "skip_reason": "Dependency not found on PyPI: segno (1.6.6)"}
NPM_SOUND = json.dumps({"auditReportVersion": 2, "vulnerabilities": {}})


def npm(fix: object) -> str:
    via = [{"title": "Path traversal", "url": "https://example.org/1"}, "rollup"]
    one = {"name": "vite", "severity": "high", "via": via, "fixAvailable": fix}
    return json.dumps({"auditReportVersion": 2, "vulnerabilities": {"vite": one}})


def python(*libraries: object) -> str:
    return json.dumps({"dependencies": libraries, "fixes": []})


def test_what_another_version_mends_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.report(audit.of_python(python(SOUND, MENDED)), audit.of_npm(NPM_SOUND)) == 1
    assert capsys.readouterr().out == "VULNERABLE: h11 0.1: PYSEC-1, mended in 0.16\n"
    for fix in (True, {"name": "vite", "version": "9.0.0", "isSemVerMajor": True}):
        assert audit.report(audit.of_python(python(SOUND)), audit.of_npm(npm(fix))) == 1
        assert "VULNERABLE: vite (high): Path traversal https://example.org/1, rollup" in capsys.readouterr().out


def test_what_nothing_mends_yet_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.report(audit.of_python(python(SOUND, OPEN)), audit.of_npm(npm(False))) == 0
    said = capsys.readouterr().out
    assert "known, not mended yet: click 8: PYSEC-2" in said
    assert "known, not mended yet: vite (high)" in said


def test_what_cannot_be_asked_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    refused = audit.of_npm(json.dumps({"message": "405 Method Not Allowed", "statusCode": 405}))
    silent = audit.read(audit.of_python, "pip-audit", ("", "Traceback\nConnectionError: no route to host\n"))
    assert audit.report(audit.of_python(python(SOUND, SKIPPED)), refused, silent) == 0
    assert capsys.readouterr().out.splitlines() == [
        "not asked: Dependency not found on PyPI: segno (1.6.6)",
        "not asked: npm: 405 Method Not Allowed",
        "not asked: pip-audit: ConnectionError: no route to host",
    ]


def test_nothing_found_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.report(audit.of_python(python(SOUND)), audit.of_npm(NPM_SOUND)) == 0
    assert capsys.readouterr().out.startswith("nothing is known against")


def test_all_that_is_locked_is_asked_of() -> None:
    asked: list[str] = []

    def answer(command: list[str]) -> tuple[str, str]:
        if "pip_audit" in command:
            asked.extend(Path(command[command.index("-r") + 1]).read_text().splitlines())
            return python(MENDED), ""
        return audit.answer(command)

    found = audit.libraries(answer)
    assert found.mendable == ["h11 0.1: PYSEC-1, mended in 0.16"]
    names = {line.split("==")[0] for line in asked if "==" in line}
    assert {
        "starlette",
        "numba",
        "pytest",
        "hatchling",
        "pip-audit",
    } <= names  # run, compiled, tested, built, judged by


def test_a_lock_that_cannot_be_read_is_no_clean_lock() -> None:
    with pytest.raises(ValueError, match=r"uv\.lock cannot be read: broken"):
        audit.libraries(lambda command: ("", "broken"))


def test_an_audit_that_is_not_installed_is_no_network_failure() -> None:
    with pytest.raises(ValueError, match="pip-audit is not installed"):
        audit.read(audit.of_python, "pip-audit", ("", "python: No module named pip_audit"))


def run_py(monkeypatch: pytest.MonkeyPatch, ci: str) -> ModuleType:
    monkeypatch.setenv("CI", ci)
    spec = importlib.util.spec_from_file_location("run_of_ci", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_ci_asks_and_nobody_else_must(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "audit" in [name for lane in run_py(monkeypatch, "true").lanes() for name, _, _ in lane]
    assert "audit" not in [name for lane in run_py(monkeypatch, "").lanes() for name, _, _ in lane]
