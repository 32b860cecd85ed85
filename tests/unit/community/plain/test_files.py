"""The plain pages as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.community import markup
from qipai.community.plain import files


@pytest.mark.parametrize("lang", ["zh-CN", "en"])
@pytest.mark.parametrize("name", files.NAMES)
def test_what_comes_with_the_hall_is_within_what_may_be_saved(name: str, lang: str) -> None:
    text = files.shipped(name, lang)
    assert len(text) <= files.MOST
    assert markup.words(text) == text.rstrip()
    assert "](" not in markup.rendered(text)  # each link may stay


def test_a_page_nobody_knows_is_none() -> None:
    with pytest.raises(LookupError):
        files.shipped("secrets", "en")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    before = files.read(folder, "faq", "en")
    files.write(folder, "faq", "en", "Ours\n")
    after = files.read(folder, "faq", "en")
    assert (before.own, after.own, after.text) == (False, True, "Ours\n")
    assert before.version != after.version
    assert [file.name for file in folder.iterdir()] == ["faq.en.md"]
    assert files.read(folder, "faq", "zh-CN").own is False


def test_a_file_that_is_none_of_a_page_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "faq.en.md").write_text("x" * (4 * files.MOST + 1))
    assert files.read(tmp_path, "faq", "en").own is False
    (tmp_path / "faq.en.md").write_bytes(b"\xff\xfe broken")
    assert files.read(tmp_path, "faq", "en").text.endswith(" broken")
    (tmp_path / "help.en.md").mkdir()
    assert files.read(tmp_path, "help", "en").own is False
