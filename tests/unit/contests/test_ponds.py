"""Ponds: entering, sealed bids, rounds, what is hidden, prizes, faults."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.contests.driver import NOON, Driver, ms, refused

from qipai.contests.contract import Cancel, Contest, Gone
from qipai.contests.ponds.commands import Enter, Leave, MakeBid, MakePond
from qipai.contests.ponds.events import BidMade, Finished
from qipai.contests.ponds.kind import PondKind
from qipai.contests.ponds.model import Pond, PondForm
from qipai.contests.ponds.rounds import Variant
from qipai.contests.ponds.seals import seal_of
from qipai.hall.table.errors import HallError

MAKER, A, B, C, D, E = 1, 11, 12, 13, 14, 15
FORM = PondForm("柳湖", least=3, starts_at=NOON + ms(hours=1))
DAY = ms(days=1)
SEALS = json.loads((Path(__file__).parent / "ponds" / "seals.json").read_text("utf-8"))["seals"]


def made(*users: int, **form: Any) -> Driver[Pond]:
    """A pond into which these have gone, not yet started."""
    salts = (f"5a17{n:028x}" for n in count())
    kind: Contest[Pond] = PondKind(lambda: next(salts))
    hall = Driver(kind)
    hall.say(MakePond(id="12", form=msgspec.structs.replace(FORM, **form)), MAKER)
    for user in users:
        hall.say(Enter(), user)
    return hall


def started(*users: int, **form: Any) -> Driver[Pond]:
    """A pond in its first round."""
    hall = made(*users, **form)
    hall.until_due()
    assert hall.state.state == "running"
    return hall


def bid(hall: Driver[Pond], **bids: int) -> None:
    """Seal bids, by the names of the runners."""
    for name, amount in bids.items():
        hall.say(MakeBid(round=hall.state.round, amount=amount), globals()[name])


def leaves(tree: Any) -> Iterator[Any]:
    """Every value in a JSON tree."""
    if isinstance(tree, (dict, list)):
        for inner in tree.values() if isinstance(tree, dict) else tree:
            yield from leaves(inner)
    else:
        yield tree


def check_seals(page: Any) -> int:
    """Recompute every opened seal of a page, as a client does; return their number."""
    bids = [(round["round"], bid) for round in page["books"]["rounds"] for bid in round["bids"]]
    shown = {(round["round"], one["user"]): one["seal"] for round in page["rounds"] for one in round["seals"]}
    for number, one in bids:
        assert seal_of(page["id"], number, one["user"], one["amount"], one["salt"]) == one["seal"]
        assert shown[number, one["user"]] == one["seal"]
    return len(bids)


@pytest.mark.parametrize("case", SEALS)
def test_a_seal_can_be_recomputed(case: dict[str, Any]) -> None:
    seal = case.pop("seal")
    assert seal_of(**case) == seal


def test_a_round_drowns_who_used_the_least_and_rewards_who_alone_used_the_most() -> None:
    hall = started(A, B, C)
    bid(hall, A=300, B=200, C=100)
    hall.until_due()
    page = hall.page(A)
    assert [(one["user"], one["round"]) for one in page["fallen"]] == [(C, 1)]
    assert [(one["user"], one["points"]) for one in page["books"]["accounts"]] == [
        (A, 20_200),
        (B, 19_800),
        (C, 19_900),
    ]
    assert page["books"]["rounds"][0]["bonus"] == A
    bid(hall, A=0, B=1)
    hall.until_due()
    page = hall.page()
    assert (page["state"], page["winner"]) == ("finished", B)
    assert [(one["user"], one["rank"]) for one in page["placed"]] == [(B, 1), (A, 2), (C, 3)]
    assert check_seals(page) == 5


def test_a_bid_is_hidden_until_its_round_ends_and_may_be_changed() -> None:
    hall = started(A, B, C)
    bid(hall, A=7777)
    first = hall.page(B)["runners"][0]["seal"]
    bid(hall, A=8888)
    second = hall.page(B)["runners"][0]["seal"]
    assert first != second
    for viewer in (None, B, MAKER):
        encoded = hall.encoded(viewer)
        assert not any(secret in encoded for secret in (b"7777", b"8888", b"5a17"))
    assert hall.page(A)["me"]["bid"]["amount"] == 8888
    public = b"".join(row for row, _ in hall.rows)
    assert first.encode() in public
    assert second.encode() in public
    assert not any(secret in public for secret in (b"7777", b"8888", b"5a17"))
    bid(hall, B=1, C=2)
    hall.until_due()
    (round_,) = hall.page()["books"]["rounds"]
    assert [(one["user"], one["amount"]) for one in round_["bids"]] == [(A, 8888), (C, 2), (B, 1)]
    assert check_seals(hall.page()) == 3


def test_who_says_nothing_falls_in_the_first_round_and_repeats_the_bid_later() -> None:
    hall = started(A, B, C, D)
    bid(hall, A=100, B=90, C=80)
    hall.until_due()
    assert {one.user for one in hall.state.fallen} == {C, D}
    bid(hall, A=101)
    events = hall.until_due()
    (repeated,) = [event for event in events if isinstance(event, BidMade)]
    assert (repeated.user, repeated.amount, repeated.auto) == (B, 90, True)
    page = hall.page()
    assert [(one["user"], one["auto"]) for one in page["rounds"][0]["seals"]] == [(A, False), (B, True)]
    assert (page["winner"], check_seals(page)) == (A, 5)


def test_a_repeated_bid_is_all_that_is_left_where_that_is_less() -> None:
    hall = started(A, B, C, D)
    bid(hall, A=15_000, B=14_000, C=2, D=1)
    hall.until_due()
    bid(hall, B=6000)
    hall.until_due()
    assert {one.user: one.left for one in hall.state.fallen} == {D: 19_999, C: 19_996}
    assert (hall.state.runners[A].points, hall.state.runners[A].last) == (0, 5500)


def test_who_has_left_is_behind_those_who_fell_with_nothing() -> None:
    hall = started(A, B, C)
    bid(hall, A=20_000, B=20_000)
    hall.say(Leave(), C)
    hall.until_due()
    assert [(one.user, one.rank) for one in hall.state.placed] == [(A, 1), (B, 1), (C, 3)]


def test_who_alone_has_moved_in_the_first_round_wins_without_a_bonus() -> None:
    hall = started(A, B, C)
    bid(hall, B=0)
    hall.until_due()
    page = hall.page()
    assert page["winner"] == B
    assert page["books"]["accounts"][0] == {"user": B, "points": 20_000, "last": 0}
    assert [one["rank"] for one in page["placed"]] == [1, 2, 2]


def test_nobody_moves_and_nobody_wins() -> None:
    hall = started(A, B, C)
    hall.until_due()
    assert (hall.state.state, hall.state.winner) == ("finished", None)
    assert [one.rank for one in hall.state.placed] == [1, 1, 1]


def test_in_the_rain_the_most_fall_too_and_the_last_two_end_without_a_winner() -> None:
    for final, winner in ((None, None), ("regular", B)):
        hall = started(A, B, C, D, E, variant="rain", rain_final=final)
        bid(hall, A=5, B=4, C=3, D=1, E=3)
        hall.until_due()
        assert {one.user for one in hall.state.fallen} == {A, D}
        assert hall.state.runners[B].points == 20_496
        bid(hall, B=9, C=9, E=1)
        hall.until_due()  # C, B used the most, E the least: nobody is left
        assert (hall.state.state, hall.state.winner) == ("finished", None)
        hall = started(A, B, C, variant="rain", rain_final=final)
        bid(hall, A=1, B=5, C=5)
        hall.until_due()
        hall = started(A, B, C, D, variant="rain", rain_final=final)
        bid(hall, A=1, B=5, C=5, D=9)
        hall.until_due()
        bid(hall, B=2, C=1)
        hall.until_due()
        assert (hall.state.state, hall.state.winner) == ("finished", winner)


def test_the_dark_shows_who_fell_and_nothing_else_until_the_end() -> None:
    hall = started(A, B, C, D, variant="dark")
    secrets = {3333, 2222, 1111, 4444, 20_000 - 3333 + 500, 20_000 - 2222, 20_000 - 1111, 20_000 - 4444}
    bid(hall, A=3333, B=2222, C=1111, D=2222)
    hall.until_due()
    bid(hall, A=4444)
    for viewer in (None, C, MAKER):
        page = hall.page(viewer)
        seen = {*leaves({**page, "me": None})}
        assert not seen & secrets
        assert not any("5a17" in str(leaf) for leaf in seen)
        assert page["books"] is None
        assert [one["user"] for one in page["fallen"]] == [C]
        assert len(page["rounds"][0]["seals"]) == 4
    mine = hall.page(C)["me"]
    assert (mine["fallen"], mine["points"], mine["rounds"][0]["amount"]) == (1, 20_000 - 1111, 1111)
    public = {leaf for row, _ in hall.rows for leaf in leaves(msgspec.json.decode(row))}
    assert not public & secrets
    hall.until_due()
    page = hall.page()
    assert page["winner"] == A
    assert check_seals(page) == sum(len(round["seals"]) for round in page["rounds"]) > 6
    (end,) = [row for row, _ in hall.rows if b'"pond.finished"' in row]
    assert len(msgspec.json.decode(end)["opened"]) == len(page["rounds"])


def test_bids_are_refused_before_after_and_from_who_does_not_run() -> None:
    hall = made(A, B, C)
    assert refused(hall, MakeBid(round=1, amount=5), A) == "POND_CLOSED_before"
    hall.until_due()
    for amount in (-1, 20_001, 1.5, True, "5", None):
        assert refused(hall, MakeBid(round=1, amount=amount), A) == "BAD_BID"
    assert refused(hall, MakeBid(round=1, amount=5), 99) == "POND_CLOSED"
    assert refused(hall, MakeBid(round=2, amount=5), A) == "POND_CLOSED_late"
    assert refused(hall, MakeBid(round=1, amount=5), None) == "SIGN_IN"
    assert refused(hall, Enter(), D) == "POND_CLOSED"
    bid(hall, A=3, B=2, C=1)
    hall.now += DAY  # the round is over, before the hall has ticked
    assert refused(hall, MakeBid(round=1, amount=9), A) == "POND_CLOSED_late"
    hall.pass_time()
    assert refused(hall, MakeBid(round=2, amount=5), C) == "POND_OUT"
    assert refused(hall, Leave(), C) == "POND_OUT"
    bid(hall, A=3, B=2)
    hall.until_due()
    assert refused(hall, MakeBid(round=2, amount=5), A) == "POND_CLOSED_over"
    assert refused(hall, Enter(), D) == refused(hall, Leave(), A) == "POND_CLOSED_over"
    assert refused(hall, Leave(), D) == "NOT_MEMBER"


def test_a_round_that_ended_while_the_hall_was_down_ends_once_and_the_next_has_its_whole_time() -> None:
    hall = started(A, B, C)
    bid(hall, A=3, B=2, C=1)
    hall.pass_time(9 * DAY)
    assert (hall.state.round, hall.state.ends_at) == (2, hall.now + DAY)


def test_a_bid_after_the_deadline_ends_the_round_first() -> None:
    hall = started(A, B, C)
    bid(hall, A=3, B=2, C=1)
    hall.now += DAY
    events = hall.say(MakeBid(round=2, amount=5), A)
    assert [type(event).__name__ for event in events] == ["RoundEnded", "BidMade"]


def test_a_pond_starts_when_it_is_full_or_is_cancelled_at_its_time() -> None:
    hall = made(A, B, starts_at=None, most=3)
    assert hall.kind.due(hall.state) is None
    hall.say(Enter(), C)
    assert hall.state.state == "running"
    hall = made(A, B, most=3)
    assert hall.say(Enter(), A) == []
    hall.until_due()
    assert (hall.state.state, hall.kind.over(hall.state)) == ("cancelled", True)
    hall = made(A, B, C, most=3)
    assert refused(hall, Enter(), D) == "TABLE_FULL_contest"


PRIZES: dict[str, Any] = {"fee": 100, "percents": (50, 30)}


def test_fees_go_into_escrow_and_prizes_out_of_it() -> None:
    hall = made(A, B, C, D, E, **PRIZES)
    assert (hall.coins["escrow"], hall.coins[A]) == (500, -100)
    hall.say(Leave(), E)
    assert (hall.coins["escrow"], hall.coins[E]) == (400, 0)
    assert hall.page()["prizes"] == [200, 120]
    hall.until_due()
    hall.say(Leave(), D)
    assert hall.coins[D] == -100
    bid(hall, A=3, B=2, C=2)
    hall.until_due()
    assert hall.state.winner == A
    assert {user: hall.coins[user] for user in (A, B, C, D)} == {A: 100, B: -40, C: -40, D: -100}
    assert (hall.coins["escrow"], hall.coins["house"]) == (0, 80)


def test_it_does_not_start_before_its_first_prize_is_twice_the_fee() -> None:
    hall = made(A, B, C, **PRIZES)
    assert not hall.page()["enough"]
    (event,) = hall.until_due()
    assert (event.why, hall.state.state, hall.coins["escrow"], hall.coins[A]) == ("prize", "cancelled", 0, 0)


def test_who_made_it_may_cancel_it_until_somebody_has_paid_and_a_moderator_always() -> None:
    hall = made(A, B, C, D, **PRIZES)
    assert refused(hall, Cancel(), MAKER) == "NOT_ALLOWED_paid"
    hall.until_due()
    assert refused(hall, Cancel(), MAKER) == "GAME_RUNNING_contest"
    hall.say(Gone(user=B, why="deleted"))
    hall.say(Cancel(reason="a fault"), 2)
    assert (hall.coins["escrow"], hall.coins["house"], hall.coins[A], hall.coins[B]) == (0, 100, 0, -100)
    assert hall.say(Cancel()) == []
    assert refused(hall, Cancel(), 2) == "STALE_contest"
    hall = made(A)
    hall.say(Cancel(), MAKER)
    assert hall.state.state == "cancelled"
    hall = made(A, B, C, D, **PRIZES)
    hall.until_due()
    hall.say(Cancel(moderator=True), MAKER)
    assert hall.state.state == "cancelled"


def test_who_deletes_the_account_falls_without_a_bid_and_the_house_has_what_was_theirs() -> None:
    hall = made(A, B, C, D, E, fee=100, percents=(50, 30, 20))
    hall.say(Gone(user=E, why="deleted"))
    assert hall.say(Gone(user=E, why="deleted")) == []
    assert (hall.coins["house"], hall.coins[E]) == (100, -100)
    hall.until_due()
    bid(hall, A=5, B=4, C=3, D=2)
    hall.say(Gone(user=A, why="deleted"))
    hall.say(Gone(user=C, why="banned"))
    assert hall.say(Gone(user=A, why="deleted")) == hall.say(Gone(user=C, why="banned")) == []
    assert refused(hall, MakeBid(round=1, amount=5), C) == "POND_OUT"
    hall.until_due()
    assert hall.state.winner == B
    assert [(one.user, one.rank, one.coins) for one in hall.state.placed] == [
        (B, 1, 200),
        (D, 2, 120),
        (A, 3, 0),
        (C, 3, 0),
    ]
    assert hall.coins["escrow"] == 0
    assert A not in hall.kind.people(hall.state)


@pytest.mark.parametrize(
    ("field", "form"),
    [
        ("name", {"name": "  "}),
        ("name", {"name": "x" * 41}),
        ("least", {"least": 2}),
        ("most", {"most": 2}),
        ("most", {"starts_at": None}),
        ("round_s", {"round_s": 61}),
        ("rain_final", {"rain_final": "regular"}),
        ("percents", {"fee": 5}),
        ("percents", {"percents": (50,)}),
        ("percents", {"fee": 5, "percents": (60, 41)}),
        ("percents", {"fee": 5, "percents": (20, 30)}),
        ("percents", {"fee": 5, "percents": (90, 0)}),
        ("percents", {"fee": 5, "percents": (20,), "most": 9}),
        ("starts_at", {"starts_at": NOON}),
    ],
)
def test_a_form_that_cannot_be_is_refused(field: str, form: dict[str, Any]) -> None:
    with pytest.raises(HallError) as wrong:
        made(**form)
    assert (wrong.value.code, wrong.value.facts) == ("BAD_OPTION", {"field": field})


USERS = st.integers(11, 18)
DEEDS = st.one_of(
    st.tuples(USERS, st.integers(0, 40)),
    st.tuples(USERS, st.integers(0, 40)),
    st.builds(Enter),
    st.builds(Leave),
    st.builds(Gone, user=USERS, why=st.sampled_from(["deleted", "banned"])),
    st.sampled_from([0, 1, ms(hours=1), DAY, DAY, 8 * DAY]),
)


@settings(deadline=None, max_examples=150)
@given(
    st.sampled_from(["regular", "rain", "dark"]),
    st.sampled_from([0, 7]),
    st.sampled_from([None, 5]),
    st.lists(st.tuples(USERS, DEEDS), max_size=40),
    st.booleans(),
)
def test_whatever_happens_a_pond_ends_and_pays_out_what_was_paid_in(
    variant: Variant, fee: int, most: int | None, history: list[tuple[int, Any]], stopped: bool
) -> None:
    form: dict[str, Any] = {"variant": variant, "fee": fee, "percents": (60, 20) if fee else (), "most": most}
    hall = made(A, B, C, D, **form, **({} if most is None else {"starts_at": None}))
    deleted: set[int] = set()
    for user, deed in history:
        before = hall.state
        try:
            match deed:
                case int():
                    hall.pass_time(deed)
                case (bidder, amount):
                    hall.say(MakeBid(round=before.round, amount=1000 + amount), bidder)
                case Gone():
                    hall.say(deed)
                    if deed.why == "deleted":
                        deleted.add(deed.user)
                case _ if user not in deleted:
                    hall.say(deed, user)
        except HallError:
            assert hall.state == before
        assert before.round <= hall.state.round <= before.round + 1
        page = msgspec.json.decode(hall.encoded(user))
        if hall.state.state == "running":
            used = {bid.amount for ended in hall.state.rounds for bid in ended.bids if bid.user != user}
            now = {bid.amount for bid in hall.state.bids.values() if bid.user != user}
            seen = {*leaves({**page, "me": None})}
            assert not seen & (now - used)
            assert variant != "dark" or not seen & (used | now)
        elif page["books"]:
            check_seals(page)
    if stopped and not hall.kind.over(hall.state):
        hall.say(Cancel(), 2)
    elif hall.state.state == "open" and hall.kind.due(hall.state) is None:
        hall.say(Cancel())
    rounds = 0
    while not hall.kind.over(hall.state):
        hall.until_due()
        rounds += 1
        assert rounds < 20
    assert hall.kind.due(hall.state) is None
    assert hall.coins["escrow"] == 0
    if hall.state.state == "finished":
        (end,) = [row for row, _ in hall.rows if b'"pond.finished"' in row]
        assert isinstance(msgspec.json.decode(end, type=Finished), Finished)
        assert {one.user for one in hall.state.placed} == {*hall.state.entered}
    else:
        assert all(hall.coins[user] == 0 for user in hall.state.entered if user not in deleted)


@pytest.mark.parametrize("variant", ["regular", "rain"])
def test_five_run_one_never_moves_one_stops_moving_and_every_seal_fits(variant: Variant) -> None:
    hall = started(A, B, C, D, E, variant=variant, rain_final="regular" if variant == "rain" else None)
    bid(hall, A=500, B=400, C=300, D=200)  # E never moves
    hall.until_due()
    fallen = {"regular": {D, E}, "rain": {A, D, E}}[variant]
    assert {one.user for one in hall.state.fallen} == fallen
    for _ in range(9):
        if hall.state.state == "finished":
            break
        bid(hall, B=hall.state.runners[B].last or 0)  # C has stopped moving
        hall.until_due()
    page = hall.page()
    assert page["winner"] == {"regular": A, "rain": B}[variant]
    assert any(one["auto"] for ended in page["rounds"] for one in ended["seals"] if one["user"] == C)
    assert check_seals(page) == sum(len(ended["seals"]) for ended in page["rounds"])
