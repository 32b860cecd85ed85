"""Ponds, stairs, pairings, standings, prizes: properties beside the cases."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from qipai.contests import pairing, ponds, prizes, stairs
from qipai.contests.ponds import Runner
from qipai.contests.standings import standings, team_match


@given(st.integers(1, 40))
def test_everybody_meets_everybody_once_and_nobody_twice_in_a_round(players: int) -> None:
    rounds = pairing.round_robin(players)
    met = [frozenset(pair) for round in rounds for pair in round]
    assert sorted(map(sorted, met)) == [list(pair) for pair in combinations(range(1, players + 1), 2)]
    for round in rounds:
        inside = [player for pair in round for player in pair]
        assert len(inside) == len(set(inside))


@given(st.integers(0, 500), st.integers(2, 20))
def test_sections_hold_everybody_and_differ_by_one_at_most(players: int, most: int) -> None:
    sizes = pairing.sections(players, most)
    assert sum(sizes) == players
    assert not sizes or max(sizes) - min(sizes) <= 1
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes, default=0) <= most


BIDS = st.none() | st.integers(0, 100)


@given(
    st.sampled_from(["regular", "rain", "dark"]),
    st.integers(1, 3),
    st.lists(st.tuples(BIDS, st.integers(0, 100)), min_size=2, max_size=8),
    st.sampled_from([None, "regular"]),
)
def test_every_round_of_a_pond_drowns_somebody_and_makes_no_points(
    variant: ponds.Variant, number: int, bids: list[Any], final: str | None
) -> None:
    runners = [Runner(f"p{i}", 100, bid, prev) for i, (bid, prev) in enumerate(bids)]
    found = ponds.run_round(variant, number, runners, rain_final=final)
    assert found.fallen
    assert sorted({*found.fallen, *found.points}) == sorted(runner.id for runner in runners)
    for id, left in found.points.items():
        assert left == 100 - found.used[id] + (500 if found.bonus == id else 0)
    assert found.finished == (len(found.points) < 2)
    assert (found.winner is not None) == (len(found.points) == 1)
    assert found.bonus is None or found.bonus in found.points


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.integers(1, 50), max_size=20))
def test_compacted_stairs_keep_their_order_and_have_no_empty_step(steps: dict[str, Any]) -> None:
    found = stairs.compacted(steps)
    assert set(found.values()) == set(range(1, len(set(steps.values())) + 1))
    for one, other in combinations(steps, 2):
        assert (steps[one] < steps[other]) == (found[one] < found[other])


def test_a_member_who_is_not_there_can_neither_challenge_nor_be_challenged() -> None:
    assert stairs.refused(None, 3) == "NOT_MEMBER"
    assert stairs.refused(3, None) == "TARGET_BUSY"
    assert stairs.refused(3, 9, same_user=True, my_retired=True) == "SELF"


@given(st.lists(st.sampled_from([0, 0.5, 1]), min_size=6, max_size=6))
def test_a_table_gives_out_every_point_once(results: list[Any]) -> None:
    players = ["a", "b", "c", "d"]
    pairs = list(combinations(players, 2))
    found = standings(players, [(a, b, score) for (a, b), score in zip(pairs, results, strict=True)])
    assert sum(found.score.values()) == 6
    assert [found.rank[player] for player in found.order] == sorted(found.rank.values())
    assert found.winners == tuple(player for player in found.order if found.rank[player] == 1)


@given(st.integers(0, 500), st.integers(0, 200), st.lists(st.integers(0, 33), max_size=3))
def test_prizes_and_the_house_make_the_pool(fee: int, players: int, percents: list[Any]) -> None:
    found = prizes.split(fee, players, percents)
    assert sum(found.prizes) + found.house == found.pool == fee * players
    assert found.house >= 0


def test_equals_share_the_sum_of_their_prizes_rounded_down() -> None:
    assert prizes.shared([75, 30, 15], [1, 2, 2, 4]) == ([75, 22, 22, 0], 1)
    assert prizes.shared([75, 30, 15], [1, 1, 1]) == ([40, 40, 40], 0)
    assert prizes.shared([75], [1, 1]) == ([37, 37], 1)


def test_a_team_match_has_two_points() -> None:
    assert team_match([1, 1, 0]) == ((2, 1), (2, 0))
    assert team_match([0.5, 0.5]) == ((1, 1), (1, 1))
