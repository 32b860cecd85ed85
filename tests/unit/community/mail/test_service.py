"""Ten thousand mails by one person: one notice, exact counts, and no query that reads them all."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from qipai.accounts.model import User
from qipai.community.mail import service
from qipai.community.notices import service as notices
from qipai.config import Mailbox
from qipai.store import Sqlite

ONE, TWO = User(1, "one", "user"), User(2, "two", "user")
MANY = 10_000


@pytest.mark.asyncio
async def test_ten_thousand_mails_by_one_person(tmp_path: Path) -> None:
    store = Sqlite(tmp_path / "hall.sqlite", [notices.script(), service.script()])
    await store.open()
    told = notices.NoticeService(store)
    common: Any = SimpleNamespace(store=store, notices=told)
    mails = service.MailService(common, Mailbox())

    def many(db: Any) -> None:
        for n in range(MANY):
            service.write(db, ONE, 2, f"mail {n}", None, n)
        service.put_from_hall(db, 2, "ruling", "/me/rulings", {"reason": "x"}, MANY)

    await store.transaction(many)
    await told.wake()
    assert (mails.unread(2), told.unread(2), len(await told.of(2, None, 9))) == (MANY + 1, 0, 1)
    assert [(one.other, one.unread) for one in await mails.threads(2, None, 9)] == [(0, 1), (1, MANY)]
    page = await mails.mails(2, 1, None, 50)
    assert [one.text for one in page[:2]] == ["mail 9999", "mail 9998"]
    await mails.read(2, 1, page[9].id)
    assert mails.unread(2) == 10
    await mails.read(2, 1, page[0].id)
    assert (mails.unread(2), (await told.of(2, None, 9))[0].read) == (1, True)
    await mails.delete(2, page[0].id)
    assert (await mails.threads(2, None, 9))[1].last.text == "mail 9998"
    statements: list[str] = []

    def traced(db: Any) -> None:
        db.set_trace_callback(statements.append)
        service._page(db, 2, 1, 2**62, 50)
        db.set_trace_callback(None)

    await store.read(traced)
    statements += [
        "SELECT other FROM mail_threads WHERE user = 2 AND last < 99 ORDER BY last DESC LIMIT 50",
        "SELECT coalesce(sum(unread), 0) FROM mail_threads WHERE user = 2 AND unread > 0",
        "SELECT count(*) FROM notices WHERE user = 2 AND read = 0 AND kind NOT IN ('mail', 'turn')",
    ]
    for sql in statements:
        plan = await store.read(lambda db, sql=sql: db.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall())  # type: ignore[misc]
        assert plan, sql
        for *_, step in plan:
            assert step.startswith("SEARCH"), (sql, step)
    await mails.delete_thread(2, 1)
    await mails.delete_thread(1, 2)
    assert await store.read(lambda db: db.execute("SELECT count(*) FROM mails").fetchone()) == (1,)
    await mails.erase(2)
    assert await store.read(lambda db: db.execute("SELECT count(*) FROM mail_threads WHERE user = 2").fetchone()) == (
        0,
    )
    await store.close()
