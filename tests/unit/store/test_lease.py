"""The lease of a hall on several nodes: one holds it, it runs out, and who has lost it writes nothing at all."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from qipai.bench.database import Server
from qipai.store import LogEntry, Newer, Unusable, Unwritten, in_database
from qipai.store.lease import Lease
from qipai.store.log import Deposed
from qipai.store.postgres import Fence, at_once
from qipai.store.writer import rows_of

NOW = 1_790_000_000_123


def lease(url: str, owner: str = "a:1", ttl_s: float = 60) -> Lease:
    found = Lease(url, owner, "a folder", "1", ttl_s=ttl_s)
    found.open()
    return found


def taken(one: Lease) -> int:
    """Take the lease, and return the epoch."""
    epoch = one.take(one.look(), "word")
    assert epoch is not None
    return epoch


def event(seq: int) -> LogEntry:
    return LogEntry("a", seq, "thing.happened", {"n": seq})


def test_one_holds_it_until_it_is_given_back_or_runs_out(database: Server) -> None:
    url = database.url(schema="lease")
    first, second = lease(url), lease(url, "b:2")
    nobody = second.look()
    assert (nobody.epoch, nobody.over) == (0, True)
    assert taken(first) == 1
    assert second.take(nobody, "late") is None  # as it was seen, it is there no more
    seen = second.look()
    assert (seen.epoch, seen.owner, seen.token, seen.over, seen.there) == (1, "a:1", "word", False, True)
    assert 50 < seen.left_s <= 60
    assert first.renew(1)
    assert second.take(seen, "early") is None  # it was renewed since
    first.give_back(1)
    assert second.look().over
    assert taken(second) == 2
    assert not first.renew(1)
    first.give_back(1)  # it is not theirs to give
    assert not second.look().over
    short = lease(url, "c:3", ttl_s=0.001)
    assert short.take(short.look(), "word") == 3
    while not first.look().over:
        pass
    assert short.renew(3)  # nobody has taken it meanwhile
    for one in (first, second, short):
        one.close()


def test_who_waits_hears_that_it_is_free_and_sees_that_the_other_is_gone(database: Server) -> None:
    url = database.url(schema="heard")
    first, second = lease(url), lease(url, "b:2")
    taken(first)
    second.wait(0.001)  # what was said so far
    back = threading.Timer(0.05, first.give_back, (1,))
    back.start()
    began = time.monotonic()
    second.wait(60)
    assert time.monotonic() - began < 30
    back.join()
    assert taken(first) == 2
    assert second.look().there
    first.close()
    while second.look().there:  # the server notices it a moment later
        pass
    assert not second.look().over
    second.close()


async def overtaken(url: str) -> tuple[Lease, Lease, Any, asyncio.Event]:
    """Two leases, the store of the node that led, with a row, and what it hears of the one that leads now."""
    first, second = lease(url), lease(url, "b:2")
    deposed = asyncio.Event()
    store: Any = in_database(url, (), {})
    store.fence = Fence(taken(first), deposed.set)
    await store.open()
    assert await store.append([event(1)], NOW) == 1
    assert taken(second) == 2  # by force: the first one stands still
    return first, second, store, deposed


def test_a_stale_epoch_writes_nothing_of_a_commit(database: Server) -> None:
    """Rows, what goes with them, and what is only done: none of it, and nobody is answered."""

    async def test() -> None:
        url = database.url(schema="stale")
        first, second, store, deposed = await overtaken(url)
        work = store.append([event(2)], NOW, lambda db: db.execute("UPDATE steps SET done = 99"))
        alone = store.transaction(lambda db: db.execute("UPDATE steps SET done = 98"))
        await deposed.wait()
        other: Any = in_database(url, (), {})
        other.fence = Fence(2, deposed.set)
        await other.open()  # though the first one has not let go of the database
        assert await other.append([event(2)], NOW) == 2
        late = store.append([event(3)], NOW)
        for _ in range(20):
            await asyncio.sleep(0)
        assert not any(each.done() for each in (work, alone, late))
        assert [row.seq for row in await other.read(lambda db: rows_of(db, "id > 0", ()))] == [1, 2]
        assert await other.read(lambda db: db.execute("SELECT max(done) FROM steps").fetchone()) == (1,)
        await other.close()
        await store.close()
        for one in (first, second):
            one.close()

    asyncio.run(test())


def test_a_stale_epoch_writes_no_rows_alone(database: Server) -> None:
    """They are one statement, of which the epoch is a condition (0092)."""

    async def test() -> None:
        url = database.url(schema="rows_alone")
        first, second, store, deposed = await overtaken(url)
        late = store.append([event(2)], NOW)
        over = asyncio.create_task(deposed.wait())
        await asyncio.wait({late, over}, return_when=asyncio.FIRST_COMPLETED)
        for _ in range(20):
            await asyncio.sleep(0)
        assert not late.done()
        assert [row.seq for row in await store.read(lambda db: rows_of(db, "id > 0", ()))] == [1]
        await store.close()
        for one in (first, second):
            one.close()

    asyncio.run(test())


def test_a_transaction_that_stood_still_is_ended_by_who_takes_over(database: Server) -> None:
    """The old leader is frozen between two statements, with rows locked; it comes back and finds its line gone."""

    async def test() -> None:
        url = database.url(schema="frozen")
        first = lease(url)
        deposed, inside, on = asyncio.Event(), threading.Event(), threading.Event()
        store: Any = in_database(url, (), {})
        store.fence = Fence(taken(first), deposed.set)
        await store.open()

        def stands(db: Any) -> None:
            db.execute("UPDATE steps SET done = 99")
            inside.set()
            on.wait(60)

        work = store.append([event(1)], NOW, stands)
        await asyncio.to_thread(inside.wait)
        other: Any = in_database(url, (), {})
        other.fence = Fence(taken(first), deposed.set)
        await other.open()
        assert await other.transaction(lambda db: db.execute("UPDATE steps SET done = done + 1").rowcount)
        on.set()
        await deposed.wait()
        assert not work.done()
        assert await other.read(lambda db: rows_of(db, "id > 0", ())) == []
        await other.close()
        await store.close()
        first.close()

    asyncio.run(test())


def test_one_hall_alone_and_a_node_keep_out_of_each_others_way(database: Server) -> None:
    async def test() -> None:
        url = database.url(schema="alone")
        alone: Any = in_database(url, (), {})
        await alone.open()
        first = lease(url)
        node: Any = in_database(url, (), {})
        node.fence = Fence(taken(first), lambda: None)
        with pytest.raises(Unusable, match="another hall is running on it"):
            await node.open()
        assert await alone.append([event(1)], NOW) == 1  # and was not ended
        first.give_back(1)
        node.fence = Fence(1, lambda: None)
        taken(first)
        with pytest.raises(Deposed):
            await node.open()
        await alone.close()
        first.close()

    asyncio.run(test())


def test_tables_that_a_newer_program_has_changed_are_not_for_this_one(database: Server) -> None:
    async def test() -> None:
        url = database.url(schema="newer")
        first = lease(url)
        first.fit({})  # there are no tables yet
        store = in_database(url, (("songs", "CREATE TABLE songs (id INTEGER PRIMARY KEY) STRICT;"),), {})
        await store.open()
        first.fit(store.known)
        with pytest.raises(Newer, match="songs"):
            first.fit({"store": 1})
        await store.close()
        first.close()

    asyncio.run(test())


def test_who_comes_back_to_a_server_that_was_gone_leaves_the_leader_time(database: Server) -> None:
    url = database.url(schema="back")
    one = lease(url, ttl_s=0.5)
    assert one.settled
    with at_once(url) as db:
        db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    with pytest.raises(Unwritten):
        one.look()
    one.look()
    assert not one.settled
    while not one.settled:
        one.wait(0.01)
    one.close()
