"""What adding up achievements asks of the database, while everybody's moves wait for it."""

from __future__ import annotations

from typing import Any

from qipai.community.achievements import fold


class Asked:
    """A database that notes what it is asked, and has added up everything until event 5."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def execute(self, sql: str, _values: Any = (), /) -> Asked:
        self.asked.append(sql.split(maxsplit=1)[0])
        return self

    def fetchone(self) -> tuple[int]:
        return (5,)


def test_a_game_of_guests_and_bots_costs_two_statements() -> None:
    db: Any = Asked()
    assert fold.apply(db, 5, 9, [(fold.Happening(8, 0, "one"), [])], 0) == []
    assert db.asked == ["SELECT", "INSERT"]


def test_what_somebody_else_has_added_up_costs_one() -> None:
    db: Any = Asked()
    assert fold.apply(db, 4, 9, [], 0) == []
    assert db.asked == ["SELECT"]
