"""When a node takes the lease, and when it may not: each look of its thread, one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.store import Newer, Unwritten
from qipai.store.lease import Held
from qipai.web.nodes.keeper import APART_S, HUNG, YIELDS_S, YOUNG_S, Keeper

NOBODY = Held(0, "", "", "", "", -1e9, "never", False)
OTHER = Held(3, "b:2", "their word", "folder", "1", 1.9, "soon", True)


class Lease:
    """A lease that says what the test has written."""

    owner, hall, ttl_s, settled = "a:1", "folder", 2.0, True

    def __init__(self) -> None:
        self.row, self.newer, self.mine = NOBODY, "", True
        self.gone = False  # the server is
        self.took: list[int] = []

    def look(self) -> Held:
        return self.row

    def fit(self, known: object) -> None:
        if self.newer:
            raise Newer(self.newer)

    def take(self, seen: Held, token: str) -> int:
        self.took.append(seen.epoch)
        return seen.epoch + 1

    def renew(self, epoch: int) -> bool:
        if self.gone:
            raise Unwritten("gone")
        return self.mine


class Node:
    """A node that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []
        lease: Any = Lease()
        self.lease = lease
        self.deaf = False  # its loop stands still
        self.now = 100.0
        self.keeper = Keeper(lease, {}, self, self.call, lambda: self.now)
        self.now += YOUNG_S

    def call(self, what: Callable[..., object], *values: object) -> None:
        if not self.deaf:
            what(*values)

    def seen(self, held: Held) -> None:
        self.told.append(("seen", held.epoch, held.over))

    def taken(self, epoch: int, token: str) -> None:
        assert len(token) >= 32
        self.told.append(("taken", epoch))

    def lost(self) -> None:
        self.told.append(("lost",))

    def refused(self, why: str) -> None:
        self.told.append(("refused", why))

    def look(self, *rows: Held) -> list[tuple[Any, ...]]:
        """Look at each of these rows, and return what was told."""
        self.told.clear()
        for row in rows:
            self.lease.row = row
            pause = self.keeper.turn()
            assert pause is not None
            assert pause.s <= 0.25 or not pause.heard
        return list(self.told)


def changed(row: Held, **fields: Any) -> Held:
    return replace(row, **fields)


def test_a_free_lease_is_taken_at_once() -> None:
    assert Node().look(NOBODY) == [("seen", 0, True), ("taken", 1)]
    assert Node().look(OTHER, changed(OTHER, left_s=1.2)) == [("seen", 3, False)]
    assert Node().look(OTHER, changed(OTHER, left_s=-0.1)) == [("seen", 3, False), ("seen", 3, True), ("taken", 4)]


def test_a_node_that_has_just_started_leaves_a_free_lease_to_one_that_knows_the_tables() -> None:
    over = changed(OTHER, left_s=-0.1)
    node = Node()
    node.now -= YOUNG_S
    assert node.look(OTHER, over) == [("seen", 3, False), ("seen", 3, True)]
    assert node.look(changed(over, epoch=4, owner="c:3", left_s=2.0)) == [("seen", 4, False)]  # one has taken it
    assert node.look(changed(over, epoch=4)) == [("seen", 4, True)]
    node.now += 2 * YIELDS_S
    assert node.look(changed(over, epoch=4)) == [("taken", 5)]  # nobody has
    # Where nobody has led for a while, or ever, there is nobody to wait for.
    for row in (NOBODY, changed(OTHER, left_s=-1.0)):
        node = Node()
        node.now -= YOUNG_S
        assert node.look(row)[-1] == ("taken", row.epoch + 1)
    # A leader whose line to the database is gone is followed so, too.
    gone, node = changed(OTHER, there=False), Node()
    node.now -= YOUNG_S
    assert ("taken", 4) not in node.look(OTHER, gone, gone)
    node.now += 2 * YIELDS_S
    assert node.look(gone) == [("taken", 4)]


def test_a_leader_whose_line_to_the_database_is_gone_twice_is_followed_before_its_time() -> None:
    gone = changed(OTHER, there=False)
    assert ("taken", 4) not in Node().look(OTHER, gone, OTHER, gone)
    assert Node().look(OTHER, gone, gone)[-1] == ("taken", 4)


def test_a_leader_that_says_that_it_does_not_reach_the_database_is_followed_before_its_time() -> None:
    late = changed(OTHER, left_s=0.9)
    node = Node()
    assert node.look(late, late) == [("seen", 3, False)]
    node.keeper.apart(2)  # whoever led before says so
    assert node.look(late) == []
    node.keeper.apart(3)
    assert node.look(OTHER, changed(OTHER, left_s=1.4)) == []  # it has reached it since
    assert node.look(late) == [("taken", 4)]


def test_what_a_leader_said_a_while_ago_counts_no_more() -> None:
    node, late = Node(), changed(OTHER, left_s=0.9)
    node.keeper.apart(3)
    node.now += APART_S
    assert node.look(late) == [("seen", 3, False)]
    node.keeper.apart(3)
    assert node.look(late) == [("taken", 4)]


def test_a_node_that_has_just_come_back_to_the_server_waits() -> None:
    node = Node()
    node.lease.settled = False
    assert node.look(changed(OTHER, left_s=-1.0)) == [("seen", 3, True)]
    node.lease.settled = True
    assert node.look(changed(OTHER, left_s=-1.0)) == [("taken", 4)]


def test_an_older_program_never_leads_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    node = Node()
    node.lease.newer = "a newer qipai has written it"
    assert node.look(NOBODY, NOBODY) == [("seen", 0, True)]
    assert node.lease.took == []
    assert node.keeper.unfit == "a newer qipai has written it"
    assert caplog.text.count("this node passes connections on, but never leads: a newer qipai") == 1


def test_an_older_program_knows_so_before_it_could_lead() -> None:
    node = Node()
    node.lease.newer = "a newer qipai has written it"
    node.look(OTHER)
    assert node.keeper.unfit == "a newer qipai has written it"


def test_a_node_with_another_folder_is_sent_away() -> None:
    foreign = changed(OTHER, hall="another folder")
    [_, (what, why)] = Node().look(foreign)
    assert what == "refused"
    assert "is led from another data folder, at b:2" in why
    assert Node().look(changed(foreign, left_s=-30.0))[-1][0] == "refused"
    assert Node().look(changed(foreign, left_s=-61.0))[-1] == ("taken", 4)  # nobody is there any more


def test_two_nodes_at_one_address_are_told_apart_from_one_that_was_started_again() -> None:
    own = changed(OTHER, owner="a:1")
    [_, (what, why)] = Node().look(own, changed(own, expires="later"))
    assert what == "refused"
    assert "another node leads the hall at a:1, too" in why
    before = [changed(own, left_s=left, there=False) for left in (1.4, 1.1)]
    assert Node().look(*before)[-1] == ("taken", 4)
    cut = [changed(own, left_s=left) for left in (1.9, 1.8, 0.1, -0.1)]  # the server does not know yet that it is gone
    assert Node().look(*cut) == [("seen", 3, False), ("seen", 3, True), ("taken", 4)]


def test_a_leader_that_was_followed_or_whose_loop_stands_still_ends() -> None:
    node = Node()
    node.look(NOBODY)
    assert node.keeper._lead(1)
    node.lease.mine = False
    assert not node.keeper._lead(1)
    assert node.told[-1] == ("lost",)
    node = Node()
    node.look(NOBODY)
    node.deaf = True
    for _ in range(HUNG):
        assert node.keeper._lead(1)
    assert not node.keeper._lead(1)


def test_a_leader_leads_on_when_the_server_was_gone_for_long() -> None:
    node = Node()
    node.look(NOBODY)
    node.lease.gone = True
    for _ in range(3 * HUNG):
        with pytest.raises(Unwritten):
            node.keeper._lead(1)
    node.lease.gone = False
    assert node.keeper._lead(1)
    assert node.keeper.epoch == 1
    assert ("lost",) not in node.told
