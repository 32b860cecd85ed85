"""Whoever looks for the unit tests of a module finds them under its name."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]


def strays(tests: Path, source: Path) -> list[str]:
    """Return the test files that mirror neither a module nor a package of the source."""
    found = []
    for file in sorted(tests.rglob("test_*.py")):
        module = source / file.relative_to(tests).parent / file.stem.removeprefix("test_")
        if not module.with_suffix(".py").is_file() and not (module / "__init__.py").is_file():
            found.append(str(file.relative_to(tests)))
    return found


def test_unit_tests_mirror_the_source() -> None:
    # What no module answers for alone lies in tests/house.
    assert strays(ROOT / "tests" / "unit", ROOT / "src" / "qipai") == []


def test_a_file_that_mirrors_nothing_is_found(tmp_path: Path) -> None:
    source, tests = tmp_path / "source", tmp_path / "tests"
    for file in ("source/web/line.py", "source/web/__init__.py"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    (tests / "web").mkdir(parents=True)
    for name in ("test_web.py", "web/test_line.py", "web/test_lines.py", "test_line.py", "web/twin.py"):
        (tests / name).touch()
    assert strays(tests, source) == ["test_line.py", "web/test_lines.py"]
