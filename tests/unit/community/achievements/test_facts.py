"""What a finished game adds to whose achievements."""

from __future__ import annotations

from qipai.community.achievements.facts import Effect, Ended, of_contest, of_game
from qipai.community.achievements.known import edition, known


def facts(ended: Ended, *feats: tuple[int, str]) -> set[tuple[int, str, str, int]]:
    return {(one.user, one.fact, one.how, one.n) for one in of_game(ended, feats)}


def test_who_wins_and_who_loses() -> None:
    found = facts(Ended("xiangqi", {0: 7, 1: 8}, {0: 1, 1: -1}), (0, "cannon"))
    assert found == {
        (7, "games", "add", 1),
        (7, "stay", "add", 1),
        (7, "wins", "add", 1),
        (7, "streak", "add", 1),
        (7, "win.xiangqi", "add", 1),
        (7, "xiangqi.cannon", "add", 1),
        (8, "games", "add", 1),
        (8, "stay", "add", 1),
        (8, "streak", "reset", 1),
    }


def test_who_has_left_has_done_nothing_and_begins_anew() -> None:
    found = facts(Ended("gouji", {0: 7}, {0: 1}, left={0}, passes={0: 3}), (0, "first"), (1, "kill"))
    assert found == {(7, "stay", "reset", 1), (7, "streak", "reset", 1)}


def test_a_pass_is_reached_and_a_bot_earns_nothing() -> None:
    found = facts(Ended("gouji", {2: 7}, {2: 0}, passes={2: 4}), (3, "first"))
    assert (7, "pass", "reach", 4) in found
    assert {user for user, *_ in found} == {7}


def test_people_win_contests_and_teams_do_not() -> None:
    assert list(of_contest("pond", [7, "a team"])) == [Effect(7, "contest.pond", "add")]


def test_there_are_many_and_each_has_a_name_of_its_own() -> None:
    assert len(known()) >= 24
    assert len({one.id for one in known()}) == len(known())
    assert all(len(one.seal) == 1 and one.need > 0 for one in known())
    assert edition() == edition()
