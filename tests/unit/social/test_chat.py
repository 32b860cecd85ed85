from __future__ import annotations

import asyncio
from pathlib import Path

from qipai.social.chat import Chat, script
from qipai.social.phrases import PHRASES
from qipai.store import Sqlite

NOW = 1_790_000_000_000


def test_lines_are_kept_by_place_and_read_again(tmp_path: Path) -> None:
    async def test() -> None:
        store = Sqlite(tmp_path / "x.sqlite", [script()])
        await store.open()
        chat = Chat(store, chars=10, lines=5, seconds=10, kept=3)
        for n in range(5):
            line = await chat.say("table:1", 7, f"line {n}", None, f"c{n}", NOW + n)
            assert line is not None
        await chat.say("table:2", 8, None, "nice", "c0", NOW)
        assert [line.text for line in chat.lines("table:1")] == ["line 2", "line 3", "line 4"]
        assert await chat.say("table:1", 7, "again", None, "c4", NOW) is None  # that command was carried out
        assert await chat.said(7, "c4")
        assert not await chat.said(8, "c4")
        again = Chat(store, chars=10, lines=5, seconds=10, kept=3)
        await again.open("table:1")
        assert again.lines("table:1") == chat.lines("table:1")
        await again.sweep(NOW + 31 * 86_400_000)
        third = Chat(store, chars=10, lines=5, seconds=10, kept=3)
        await third.open("table:1")
        assert third.lines("table:1") == []
        await store.close()

    asyncio.run(test())


def test_what_cannot_be_said_is_named(tmp_path: Path) -> None:
    chat = Chat(Sqlite(tmp_path / "x"), chars=10, lines=2, seconds=10, kept=3)
    assert chat.fits("hello", None) is None
    assert chat.fits(None, PHRASES[0]) is None
    assert chat.fits(None, None) == "text"
    assert chat.fits("   ", None) == "text"
    assert chat.fits("x" * 11, None) == "text"
    assert chat.fits("a", PHRASES[0]) == "text"
    assert chat.fits(None, "not a phrase") == "phrase"
