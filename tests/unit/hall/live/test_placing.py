"""Who shows a table: so that the busiest node has as little to do as can be, and tables seldom change."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from qipai.hall.live import placing
from qipai.hall.live.placing import Lines, Placing, costs

MOVE_MS = 50


class Node:
    """What carries lines."""


def played(lines: dict[int, Lines], events: int, placed: Placing, by: dict[int, Any], start: int = 0) -> int:
    """Let so much happen at each table, and choose anew every 20 events; return how many changed their node."""
    moves = 0
    for number in range(events):
        now = start + number * MOVE_MS
        for table, ends in lines.items():
            placed.happened(table, by.get(table), ends, now)
            if (number + table) % 20 == 0:
                chosen = placed.choose(table, [node for node in ends if node], by.get(table), ends, now)
                moves += chosen is not by.get(table)
                by[table] = chosen
    return moves


def loads(lines: dict[int, Lines], by: dict[int, Any]) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for table, ends in lines.items():
        for node, cost in costs(by.get(table), ends).items():
            found[node] += cost  # type: ignore[assignment]
    return found


@pytest.mark.parametrize("others", [1, 2, 3])
@pytest.mark.parametrize("own", [0, 2])
def test_no_node_has_much_more_to_do_than_it_must(others: int, own: int) -> None:
    nodes = [Node() for _ in range(others)]
    ends: Any = {None: own, **dict.fromkeys(nodes, 2)}
    lines: dict[int, Lines] = {table: {node: count for node, count in ends.items() if count} for table in range(40)}
    placed, by = Placing(), dict[int, Any]()
    played(lines, 200, placed, by)
    found = loads(lines, by)
    before = max(loads(lines, {}).values())
    assert max(found.values()) < 0.85 * before
    for table in lines:  # no single table could be shown elsewhere to much avail
        for node in [None, *nodes]:
            other = loads(lines, {**by, table: node})
            assert max(other.values()) > max(found.values()) - 2
    assert played(lines, 200, placed, by, 200 * MOVE_MS) < 10  # they stay
    if others == 1:
        assert 0.8 < found[None] / found[nodes[0]] < 1.25


def test_a_busy_hall_shows_less_and_an_idle_one_its_first_table_anywhere() -> None:
    node: Any = Node()
    alone: Lines = {None: 4}
    both: Lines = {None: 2, node: 2}
    placed, by = Placing(), dict[int, Any]()
    played(dict.fromkeys(range(100, 160), alone), 100, placed, by)
    assert set(by.values()) == {None}  # nobody else could
    shared = dict.fromkeys(range(20), both)
    played(shared | dict.fromkeys(range(100, 160), alone), 100, placed, by, 100 * MOVE_MS)
    assert all(by[table] is node for table in shared)
    assert Placing().choose(1, [node], None, both, 0) in (None, node)


def test_what_happened_long_ago_counts_no_more() -> None:
    node: Any = Node()
    both: Lines = {None: 3, node: 3}
    placed = Placing()
    for now in range(0, 1000, 10):
        placed.happened(1, node, both, now)
    assert node in placed._nodes
    later = 60 * placing.HALF_MS
    placed.choose(2, [], None, {None: 1}, later)
    assert node not in placed._nodes
    placed.happened(1, None, both, later - 10_000)  # a clock that was set back
    placed.gone(1)
    assert placed._tables == {}
