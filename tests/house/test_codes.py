"""Every error of platform section 14 can happen, or belongs to something that is not built yet and is named here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "docs" / "spec" / "platform.md").read_text("utf-8").partition("\n## 14.")[2].partition("\n## 15.")[0]
CODES = re.findall(
    r"\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:BANNED|BLOCKED|BUSY|COOLDOWN|MUTED|SELF|STALE)\b", SECTION.partition("—")[0]
)
# Where codes stand that are not raised there: the table of statuses.
TABLES = {"api.py"}
SOURCE = "\n".join(
    path.read_text("utf-8") for path in (ROOT / "src" / "qipai").rglob("*.py") if path.name not in TABLES
)
API = (ROOT / "src" / "qipai" / "web" / "api.py").read_text("utf-8")
RAISED = SOURCE + "\n".join(re.findall(r'(?:HallError|fault)\("\w+"', API))


def test_the_section_is_read_whole() -> None:
    assert len(CODES) == len(set(CODES)) == 72


@pytest.mark.parametrize("code", CODES)
def test_somebody_can_be_refused_with_it(code: str) -> None:
    assert f'"{code}"' in RAISED
