"""Stairs: who may challenge whom, where games lead, months, rests, the top."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.contests.driver import DAYS, LIVE, NOON, Driver, ms, refused

from qipai.contests.contract import Cancel, Contest, GameOver, Gone
from qipai.contests.stairs.commands import Challenge, Join, Open, Retire, Return
from qipai.contests.stairs.kind import StairsKind
from qipai.contests.stairs.model import LATE, Stairs
from qipai.hall.table.errors import HallError

A, B, C, D = 11, 12, 13, 14


def built(*members: int, forfeit_s: int | None = None) -> Driver[Stairs]:
    """Stairs with these members on the first step; the lot falls one way and the other."""
    seeds = (f"{n:032x}" for n in count())
    kind: Contest[Stairs] = StairsKind(lambda: next(seeds))
    hall = Driver(kind)
    hall.say(Open(id="xiangqi", terms=LIVE if forfeit_s else DAYS, forfeit_s=forfeit_s))
    for user in members:
        hall.say(Join(), user)
    return hall


def play(hall: Driver[Stairs], winner: int, loser: int, *, by: int | None = None, later: int = 0) -> None:
    """Let two play a game. by: who challenges: the higher of them, else the winner."""
    steps = hall.state.members
    by = by or (winner if steps[winner].step >= steps[loser].step else loser)
    hall.say(Challenge(user=loser if by == winner else winner), by)
    game = hall.state.running[-1]
    hall.now += later
    hall.end(game.game, *(1 if user == winner else 2 for user in game.users))


def steps(hall: Driver[Stairs]) -> dict[int, int]:
    """The steps of the members."""
    return {user: member.step for user, member in hall.state.members.items()}


def codes(hall: Driver[Stairs], viewer: int | None) -> dict[int, str | None]:
    """What the page says of challenging each."""
    page = hall.page(viewer)
    return {person["user"]: person["refusal"] for step in page["steps"] for person in step["people"]}


def test_a_challenge_begins_a_game_at_once_and_a_win_leads_up() -> None:
    hall = built(A, B)
    hall.say(Challenge(user=B), A)
    (game,) = hall.kind.games(hall.state)
    assert {*game.users} == {A, B}
    assert (game.table, game.from_, game.forfeit_at) == (None, NOON, None)
    hall.open_tables()
    assert hall.kind.games(hall.state)[0].table == 101
    hall.end(game.id, *(1 if user == A else 2 for user in game.users), game_id="g1")
    assert steps(hall) == {A: 2, B: 1}
    assert hall.kind.games(hall.state) == ()
    (played,) = hall.page()["history"]
    assert (played["game_id"], sorted(played["before"]), sorted(played["after"])) == ("g1", [1, 1], [1, 2])


def test_a_loss_leads_down_but_not_below_the_first_step_and_a_draw_nowhere() -> None:
    hall = built(A, B, C, D)
    play(hall, A, B)
    play(hall, A, C)
    assert steps(hall) == {A: 3, B: 1, C: 1, D: 1}
    play(hall, D, A)
    assert steps(hall) == {A: 2, B: 1, C: 1, D: 2}
    hall.say(Challenge(user=B), D)
    hall.end(hall.state.running[0].game, 1, 1)
    assert steps(hall) == {A: 2, B: 1, C: 1, D: 2}


def test_colours_are_drawn_by_lot_from_the_seed_in_the_fact() -> None:
    hall = built(*range(40))
    firsts = {hall.say(Challenge(user=2 * n + 1), 2 * n)[0].users[0] % 2 for n in range(20)}
    assert firsts == {0, 1}


def test_each_refusal_in_its_order_is_on_the_page_before_it_is_tried() -> None:
    hall = built(A, B, C, D)
    assert refused(hall, Challenge(user=A), None) == "SIGN_IN"
    assert refused(hall, Challenge(user=99), 99) == "SELF"
    assert refused(hall, Challenge(user=A), 99) == "NOT_MEMBER"
    hall.say(Retire(), A)
    assert refused(hall, Challenge(user=A), A) == "SELF"
    assert refused(hall, Challenge(user=B), A) == "NOT_MEMBER"
    assert refused(hall, Challenge(user=A), B) == "TARGET_BUSY"
    hall.say(Return(), A)
    hall.say(Challenge(user=B), A)
    assert refused(hall, Challenge(user=C), A) == "CHALLENGE_OPEN"
    assert refused(hall, Challenge(user=B), C) == "TARGET_BUSY"
    assert refused(hall, Challenge(user=A), B) == "ALREADY_PLAYING"
    assert codes(hall, B) == {A: "ALREADY_PLAYING", B: "SELF", C: None, D: None}
    hall.say(Challenge(user=A), C)  # who has challenged may be challenged, too
    assert codes(hall, None) == dict.fromkeys((A, B, C, D), "SIGN_IN")
    assert codes(hall, 99) == dict.fromkeys((A, B, C, D), "NOT_MEMBER")
    for game in hall.state.running:
        hall.end(game.game, *(1 if user == A else 2 for user in game.users))
    assert steps(hall) == {A: 3, B: 1, C: 1, D: 1}
    assert refused(hall, Challenge(user=A), B) == "STEP_ABOVE"
    assert refused(hall, Challenge(user=B), A) == "TOO_SOON"
    assert codes(hall, A) == {A: "SELF", B: "TOO_SOON", C: "TOO_SOON", D: None}
    for user in (20, 21):
        hall.say(Join(), user)
        play(hall, A, user)
    assert steps(hall)[A] == 5
    assert refused(hall, Challenge(user=D), A) == "STEP_TOO_LOW"
    assert codes(hall, A)[B] == "STEP_TOO_LOW"  # which comes before TOO_SOON
    assert hall.page(A)["me"] == {"step": 5, "retired": None, "out": None, "challenged": None, "nearest": None}


def test_two_may_meet_again_after_fourteen_days_to_the_millisecond() -> None:
    hall = built(A, B)
    play(hall, A, B)
    hall.pass_time(ms(days=14) - 1)
    hall.pass_time()
    assert steps(hall) == {A: 2, B: 1}
    with pytest.raises(HallError) as wrong:
        hall.say(Challenge(user=B), A)
    assert (wrong.value.code, wrong.value.facts) == ("TOO_SOON", {"until": NOON + ms(days=14)})
    for now, person in ((hall.now, ("TOO_SOON", NOON + ms(days=14))), (hall.now + 1, (None, None))):
        (found,) = StairsKind(str).public(hall.state, A, now).steps[-1].people
        assert (found.refusal, found.until) == person
    hall.now += 1
    assert hall.say(Challenge(user=B), A)


def test_the_second_of_two_challenges_in_one_instant_is_refused() -> None:
    hall = built(A, B, C)
    hall.say(Challenge(user=C), A)
    assert refused(hall, Challenge(user=C), B) == "TARGET_BUSY"
    assert refused(hall, Challenge(user=B), A) == "CHALLENGE_OPEN"


def test_three_losses_in_a_row_without_a_move_retire_a_member() -> None:
    hall = built(A, B, C, D)
    for number, challenger in enumerate((B, C, D), 1):
        hall.say(Challenge(user=A), challenger)
        game = hall.state.running[0]
        seat = game.users.index(A)
        places = [1, 1]
        places[seat] = 2
        events = hall.end(game.game, *places, why="timeout", idle=(seat,))
        assert hall.state.members[A].late == number
        assert (len(events) == 2) == (number == LATE)
    assert hall.state.members[A].retired == "late"
    hall.say(Return(), A)
    assert (hall.state.members[A].retired, hall.state.members[A].late) == (None, 0)


def test_who_resigns_without_a_move_is_not_late() -> None:
    hall = built(A, B)
    hall.say(Challenge(user=B), A)
    hall.end("1", 1, 2, why="resign", idle=(0, 1))
    assert {member.late for member in hall.state.members.values()} == {0}


def test_a_game_with_a_move_ends_the_row() -> None:
    hall = built(A, B, C)
    hall.say(Challenge(user=A), B)
    game = hall.state.running[0]
    seat = game.users.index(A)
    hall.end(game.game, *(1 if user == B else 2 for user in game.users), why="timeout", idle=(seat,))
    assert hall.state.members[A].late == 1
    play(hall, C, A)
    assert hall.state.members[A].late == 0


def test_a_live_game_that_the_challenged_misses_is_void_and_one_that_the_challenger_misses_is_lost() -> None:
    hall = built(A, B, forfeit_s=300)
    (event,) = hall.say(Challenge(user=B), A)
    assert hall.kind.games(hall.state)[0].forfeit_at == NOON + ms(seconds=300)
    hall.end(event.game, why="absent", absent=(event.users.index(B),))
    assert steps(hall) == {A: 1, B: 1}
    assert hall.state.members[B].late == 1
    (event,) = hall.say(Challenge(user=B), A)  # a void game keeps nobody apart
    hall.end(event.game, why="absent", absent=(event.users.index(A),))
    assert steps(hall) == {A: 1, B: 2}
    assert hall.state.members[A].late == 1


def test_what_a_moderator_closes_counts_for_nobody() -> None:
    hall = built(A, B)
    hall.say(Challenge(user=B), A)
    hall.end("1", why="closed")
    assert steps(hall) == {A: 1, B: 1}
    assert hall.say(Challenge(user=B), A)


def test_empty_steps_are_taken_out_once_when_a_month_begins_however_late() -> None:
    hall = built(A, B, C, D)
    play(hall, A, B)
    play(hall, A, C)
    assert steps(hall) == {A: 3, B: 1, C: 1, D: 1}
    assert [step["step"] for step in hall.page()["steps"]] == [3, 2, 1]
    assert hall.kind.due(hall.state) == NOON + ms(days=6, hours=12)
    events = hall.until_due()
    assert [event.month for event in events] == ["2026-12"]
    assert steps(hall) == {A: 2, B: 1, C: 1, D: 1}
    events = hall.pass_time(ms(days=100))  # the hall was down over three months' ends
    assert [getattr(event, "month", None) for event in events] == [None, "2027-03"]


def test_a_month_that_has_begun_comes_before_what_is_said_in_it() -> None:
    hall = built(A, B, C)
    play(hall, A, B)
    play(hall, A, C)
    hall.now += ms(days=6, hours=12)
    events = hall.say(Join(), D)
    assert len(events) == 2
    assert steps(hall) == {A: 2, B: 1, C: 1, D: 1}


def test_who_stands_alone_at_the_top_for_seven_days_is_honoured_once() -> None:
    hall = built(A, B)
    assert hall.state.top is None  # nobody stands alone on the first step
    play(hall, A, B)
    assert hall.page()["top"] == {"user": A, "since": NOON, "honoured": False}
    events = hall.pass_time(ms(days=7) - 1)
    assert [type(event).__name__ for event in events] == ["Renumbered"]
    (event,) = hall.pass_time(1)
    assert (event.user, event.since) == (A, NOON)
    assert hall.kind.due(hall.state) == hall.state.renumber_at
    hall.say(Retire(), A)
    assert hall.state.top is None


def test_who_rests_keeps_the_step_and_what_runs_goes_on() -> None:
    hall = built(A, B)
    hall.say(Challenge(user=B), A)
    hall.say(Retire(), A)
    assert hall.say(Retire(), A) == []
    hall.end("1", *(1 if user == A else 2 for user in hall.state.running[0].users))
    assert steps(hall)[A] == 2
    hall.say(Return(), A)
    assert hall.say(Return(), A) == hall.say(Join(), A) == []
    assert steps(hall)[A] == 2
    assert refused(hall, Retire(), 99) == refused(hall, Return(), 99) == "NOT_MEMBER"


def test_a_deleted_account_loses_its_games_and_leaves_no_step() -> None:
    hall = built(A, B, C)
    hall.say(Challenge(user=B), A)
    hall.say(Challenge(user=A), C)
    assert len(hall.say(Gone(user=A, why="deleted"))) == 3
    assert hall.say(Gone(user=A, why="deleted")) == []
    assert steps(hall) == {B: 2, C: 2}
    assert hall.kind.games(hall.state) == ()
    assert A not in hall.kind.people(hall.state)


def test_a_banned_member_rests() -> None:
    hall = built(A, B)
    hall.say(Gone(user=A, why="banned"))
    assert hall.say(Gone(user=A, why="banned")) == []
    assert codes(hall, B)[A] == "TARGET_BUSY"


def test_closed_stairs_take_nothing_more() -> None:
    hall = built(A, B)
    hall.say(Challenge(user=B), A)
    hall.say(Cancel(reason="twice the same"))
    assert hall.kind.over(hall.state)
    assert (hall.kind.games(hall.state), hall.kind.due(hall.state)) == ((), None)
    assert refused(hall, Join(), C) == "STALE_contest"
    assert hall.say(Cancel()) == hall.say(GameOver(game="1", table=1, why="checkmate", places=(1, 2))) == []


def test_the_hall_alone_builds_stairs_and_once() -> None:
    hall = built()
    assert hall.say(Open(id="xiangqi", terms=DAYS)) == []
    assert refused(hall, Open(id="xiangqi", terms=DAYS), A) == "NOT_ALLOWED"
    assert refused(Driver(hall.kind), Join(), A) == "NOT_FOUND"


USERS = st.integers(1, 6)
DEEDS = st.one_of(
    st.builds(Join),
    st.builds(Challenge, user=USERS),
    st.builds(Challenge, user=USERS),
    st.builds(Retire),
    st.builds(Return),
    st.builds(Gone, user=USERS, why=st.sampled_from(["deleted", "banned"])),
    st.tuples(st.integers(0, 5), st.sampled_from([(1, 2), (2, 1), (1, 1), ()]), st.booleans()),
    st.sampled_from([0, 1, ms(hours=5), ms(days=3), ms(days=9), ms(days=40)]),
)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.tuples(USERS, DEEDS), min_size=5, max_size=60))
def test_whatever_happens_members_play_two_games_at_most_and_stand_on_steps(history: list[tuple[int, Any]]) -> None:
    hall = built(*range(1, 5))
    for user, deed in history:
        before = hall.state
        try:
            match deed:
                case int():
                    hall.pass_time(deed)
                case (at, places, idle):
                    hall.open_tables()
                    if at < len(hall.state.running):
                        hall.end(hall.state.running[at].game, *places, why="timeout", idle=(0,) if idle else ())
                case Challenge():
                    page = StairsKind(str).public(hall.state, user, hall.now)
                    said = {one.user: one.refusal for step in page.steps for one in step.people}
                    if said.get(deed.user, "TARGET_BUSY") is None:
                        assert hall.say(deed, user)
                    elif deed.user in said:
                        assert refused(hall, deed, user) == said[deed.user]
                case _:
                    hall.say(deed, None if isinstance(deed, Gone) else user)
        except HallError:
            assert hall.state == before
        running = hall.state.running
        assert len({game.challenger for game in running}) == len({game.challenged for game in running}) == len(running)
        assert all(step >= 1 for step in steps(hall).values())
        if hall.state.renumber_at != before.renumber_at:
            old = {user: member.step for user, member in before.members.items()}
            now = steps(hall)
            assert {*now.values()} <= {*range(1, len(now) + 1)}
            assert all((old[a] < old[b]) == (now[a] < now[b]) for a in now for b in now if a in old and b in old)
