"""What somebody takes along of clubs: also what they have written in one that another has founded."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.community.clubs import pieces, service
from qipai.store import Sqlite


@pytest.mark.asyncio
async def test_whoever_has_written_gets_it(tmp_path: Path) -> None:
    store = Sqlite(tmp_path / "hall.sqlite", [service.script()])
    await store.open()
    for sql in (
        "INSERT INTO clubs (name, text, author, founder, at, closed) VALUES ('Cannons', 'by another', 2, 1, 5, 0)",
        "INSERT INTO club_teams (club, game, name, at, author) VALUES (1, 'xiangqi', 'First', 6, 2)",
        "INSERT INTO club_challenges (at, by, club, team, game, other_club, other_team, terms, until, state,"
        " answered_by) VALUES (7, 1, 9, 9, 'xiangqi', 1, 1, '{}', 8, 'declined', 2)",
    ):
        await store.transaction(lambda db, sql=sql: db.execute(sql).rowcount)  # type: ignore[misc]
    found = await store.read(lambda db: pieces.exported(db, 2))
    assert [row["text"] for row in found["texts"]] == ["by another"]
    assert [row["name"] for row in found["named"]] == ["First"]
    assert [row["state"] for row in found["answered"]] == ["declined"]
    assert found["founded"] == []
    await store.close()
