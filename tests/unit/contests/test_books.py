"""What the contests' tables say: which of some contests somebody is part of."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from qipai.contests import books


def test_only_ones_own_contests_of_the_kind_among_those_asked_for() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, at, stream, seq, type, data)")
        db.executescript(books.script()[1])
        people = {("pond", 1): {7, 8}, ("pond", 2): {8}, ("pond", 3): {7}, ("pond", 5): {7}, ("teams", 2): {7}}
        for (kind, id), users in people.items():
            books.write(db, kind, id, 1, over=False, line={"game": None}, people=users)
        assert books.among(db, "pond", [1, 2, 5], 7) == {1, 5}
        assert books.among(db, "teams", [1, 2, 5], 7) == {2}
        assert books.among(db, "pond", [], 7) == set()
