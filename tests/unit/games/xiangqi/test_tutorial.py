"""The course: boards for one man, names of places (xiangqi 2, 13)."""

from __future__ import annotations

import pytest

from qipai.core.contract import BadNotation, Refusal
from qipai.games.xiangqi.position import parse_fen, square
from qipai.games.xiangqi.terms import GLOSSARY, position_terms, square_terms
from qipai.games.xiangqi.tutorial import LESSONS, Lesson, Step, attempt, goals, step, targets, tasks
from qipai.lang import voice


def test_there_is_a_lesson_for_each_of_the_seven_men() -> None:
    names = ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"]
    assert [lesson.name for lesson in LESSONS] == names
    for lang in ("zh", "en"):
        for name in names:
            assert all(voice("xiangqi", lang)[f"lesson.{name}.{part}"] for part in ("title", "task", "done"))


@pytest.mark.parametrize(
    ("name", "count"),
    [("general", 8), ("advisor", 4), ("elephant", 6), ("horse", 4), ("chariot", 6), ("cannon", 7), ("soldier", 1)],
)
def test_goals_are_what_the_man_reaches(name: str, count: int) -> None:
    lesson = next(lesson for lesson in LESSONS if lesson.name == name)
    assert len(goals(lesson)) == count, goals(lesson)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_every_lesson_can_be_ended(lesson: Lesson) -> None:
    """Walking greedily to any goal not yet visited, or to any square, all goals are reached."""
    left = set(goals(lesson))
    start = parse_fen(lesson.fen, check=False)
    for goal in sorted(left):
        # From the start each goal is one step, or for those who roam a walk of a few.
        seen, waiting = {lesson.square}, [(start, lesson.square)]
        while waiting and goal not in seen:
            board, at = waiting.pop(0)
            for to in targets_of(board, at):
                if to not in seen:
                    found = attempt(board, at + to)
                    assert not isinstance(found, Refusal)
                    seen.add(to)
                    waiting.append((found, to))
        assert goal in seen


def targets_of(board: object, at: str) -> list[str]:
    from qipai.games.xiangqi.position import format_fen

    return targets(format_fen(board), at)  # type: ignore[arg-type]


def test_a_wrong_step_is_explained_as_in_play() -> None:
    horse = next(lesson for lesson in LESSONS if lesson.name == "horse")
    board = parse_fen(horse.fen, check=False)
    found = attempt(board, "e5d7")
    assert isinstance(found, Refusal)
    assert (found.code, found.facts) == ("leg_blocked", {"square": "e6"})
    for move, code in (
        ("e5e5", "bad_move"),
        ("a0a1", "no_piece"),
        ("e5e6", "own_piece_on_target"),
        ("e5e4", "bad_shape"),
    ):
        found = attempt(board, move)
        assert isinstance(found, Refusal)
        assert found.code == code
    elephant = next(lesson for lesson in LESSONS if lesson.name == "elephant")
    found = attempt(parse_fen(elephant.fen, check=False), "c0e2")
    assert isinstance(found, Refusal)
    assert (found.code, found.facts) == ("eye_blocked", {"square": "d1"})
    advisor = parse_fen("9/9/9/9/9/9/9/9/9/3A5 w", check=False)
    found = attempt(advisor, "d0c1")
    assert isinstance(found, Refusal)
    assert found.code == "outside_palace"


def test_the_same_side_goes_on_in_a_lesson() -> None:
    found = attempt(parse_fen("9/9/9/9/9/9/9/9/9/2B6 w", check=False), "c0a2")
    assert not isinstance(found, Refusal)
    assert (found.side, found.at("a2")) == (0, "B")


def test_a_client_walks_a_lesson_to_its_end() -> None:
    general = tasks()[0]
    assert (general.square, len(general.goals), general.targets) == ("e0", 8, ("d0", "e1", "f0"))
    board, at, seen = general.board, general.square, set()
    for to in ("d0", "d1", "d2", "e2", "e1", "f1", "f2", "f1", "f0", "e0"):
        found = step(board, at + to)
        assert isinstance(found, Step)
        board, at = found.board, found.square
        seen.add(at)
    assert seen >= set(general.goals)
    refused = step(board, "e0e2")
    assert isinstance(refused, Refusal)
    assert refused.code == "bad_shape"
    with pytest.raises(BadNotation):
        step("nonsense", "e0e1")


def test_the_glossary_has_its_25_entries_in_both_languages() -> None:
    assert len(GLOSSARY) == 25
    for lang in ("zh", "en"):
        for entry in GLOSSARY:
            assert voice("xiangqi", lang)[f"glossary.{entry}.name"]
            assert voice("xiangqi", lang)[f"glossary.{entry}.text"]


def test_every_square_has_the_names_of_its_lines() -> None:
    assert square_terms("e4", 0) == ["hejiexian", "xunhe", "zhongxian"]
    assert square_terms("e4", 1) == ["hejiexian", "qihe", "zhongxian"]
    assert square_terms("d0", 1) == ["dixian", "leidao"]
    assert sum("bingxingxian" in square_terms(square(n), 0) for n in range(90)) == 18


def test_arrangements_of_advisors_and_elephants() -> None:
    assert position_terms(parse_fen("3k5/9/9/9/9/9/9/3A5/9/2B1K1B2 w"), 0) == ["dan_que_shi", "yangjiaoshi"]
    assert position_terms(parse_fen("3k5/9/9/9/9/9/9/3A5/9/2B1K1B2 w"), 1) == []
