"""Who may do what in a club, who is its heir, and which names are alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.community.clubs.rules import RANKS, Member, heir, look_of, named, number, refuse_rank
from qipai.hall.table.errors import HallError

MEMBERS = st.lists(
    st.builds(Member, st.integers(1, 99), st.sampled_from(RANKS), st.integers(0, 5)), unique_by=lambda one: one.user
)


@given(MEMBERS)
def test_heir(people: list[Member]) -> None:
    found = heir(people)
    assert (found is None) == (not people)
    for other in people:
        one = next(each for each in people if each.user == found)
        assert number(one.rank) >= number(other.rank)
        assert number(one.rank) > number(other.rank) or one.at <= other.at


@pytest.mark.parametrize(
    ("have", "need", "code"),
    [
        (None, "member", "NOT_MEMBER"),
        (None, "boss", "NOT_MEMBER"),
        ("member", "manager", "RANK_TOO_LOW"),
        ("manager", "boss", "RANK_TOO_LOW"),
        ("boss", "manager", None),
        ("member", "member", None),
    ],
)
def test_ranks(have: str | None, need: str, code: str | None) -> None:
    if code is None:
        refuse_rank(have, need)  # type: ignore[arg-type]
        return
    with pytest.raises(HallError) as wrong:
        refuse_rank(have, need)  # type: ignore[arg-type]
    assert wrong.value.code == code


def test_names() -> None:
    assert named("  Tea \n  House\u200b ") == "Tea House"
    assert named("崂山茶社") == "崂山茶社"
    for wrong in ("", "x", "…!", "崂" * 13, "x" * 25):
        with pytest.raises(HallError):
            named(wrong)
    assert look_of("Tea House") == look_of("TEAHOUSE") == look_of("Теа House")
    assert look_of("Tea House") != look_of("Tee House")
