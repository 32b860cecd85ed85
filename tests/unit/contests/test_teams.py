"""Team tournaments: teams and captains, rounds by boards, tables, who goes and what becomes of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.contests.driver import DAYS, LIVE, NOON, Driver, ms, refused

from qipai.contests.contract import Cancel, Contest, Game, GameOver, Gone
from qipai.contests.teams.commands import (
    Accept,
    Decline,
    Expel,
    Found,
    Invite,
    Leave,
    LineUp,
    MakeTeams,
    NameCaptain,
    Uninvite,
    Withdraw,
)
from qipai.contests.teams.form import TeamsForm
from qipai.contests.teams.kind import TeamsKind
from qipai.contests.teams.model import Teams
from qipai.hall.table.errors import HallError

MAKER = 1
FORM = TeamsForm("春季团体赛", LIVE, boards=2, least=2, games=1, starts_at=NOON + ms(hours=1))
NAMES = "泉城 栈桥 石老人 即墨 崂山 胶州 莱西 平度 城阳 黄岛".split()  # noqa: SIM905


def made(teams: int = 0, size: int = 2, **form: Any) -> Driver[Teams]:
    """A tournament with so many teams: the first has 11, 12 …, the second 21, 22 …; the first of each leads it."""
    kind: Contest[Teams] = TeamsKind()
    hall = Driver(kind)
    hall.say(MakeTeams(id="7", form=msgspec.structs.replace(FORM, **form)), MAKER)
    for no in range(1, teams + 1):
        hall.say(Found(name=NAMES[no - 1]), 10 * no + 1)
        for user in range(10 * no + 2, 10 * no + size + 1):
            hall.say(Invite(user=user), 10 * no + 1)
            hall.say(Accept(team=no), user)
    return hall


def started(teams: int, size: int = 2, **form: Any) -> Driver[Teams]:
    """A tournament in its first round."""
    hall = made(teams, size, **form)
    hall.until_due()
    assert hall.state.state == "running"
    return hall


def games(hall: Driver[Teams]) -> tuple[Game, ...]:
    """The games that should be going on."""
    return hall.kind.games(hall.state)


def lower_wins(game: Game) -> Sequence[int]:
    """Places by which the lower number wins."""
    one, other = game.users
    assert one is not None
    assert other is not None
    return (1, 2) if one < other else (2, 1)


def play_round(hall: Driver[Teams], places: Callable[[Game], Sequence[int]] = lower_wins) -> None:
    """Play all games of the round; tables are opened as they are wanted."""
    at = hall.state.stage.no, hall.state.round
    while hall.state.state == "running" and (hall.state.stage.no, hall.state.round) == at and games(hall):
        hall.open_tables()
        game = games(hall)[0]
        hall.end(game.id, *places(game))


def play_out(hall: Driver[Teams], places: Callable[[Game], Sequence[int]] = lower_wins) -> None:
    """Play it to its end."""
    for _ in range(200):
        if hall.kind.over(hall.state):
            return
        if hall.state.state == "running":
            play_round(hall, places)
        if not hall.kind.over(hall.state):
            hall.until_due()
    raise AssertionError("it has no end")


def ranking(hall: Driver[Teams]) -> dict[int, int]:
    """The final ranks of the teams."""
    return {one.team: one.rank for one in hall.state.placed}


def test_a_captain_founds_a_team_and_who_is_invited_may_join() -> None:
    hall = made(1, size=1)
    assert refused(hall, Accept(team=1), 12) == "NOT_FOR_YOU"
    hall.say(Invite(user=12), 11)
    assert hall.say(Invite(user=12), 11) == []
    assert hall.page(12)["me"]["invitations"] == [1]
    assert hall.page(13)["me"]["invitations"] == []
    assert not hall.page()["teams"][0]["complete"]
    hall.say(Accept(team=1), 12)
    assert hall.say(Accept(team=1), 12) == hall.say(Invite(user=12), 11) == []
    (team,) = hall.page()["teams"]
    assert (team["captain"], team["members"], team["complete"]) == (11, [11, 12], True)
    hall.say(Invite(user=13), 11)
    hall.say(Decline(team=1), 13)
    hall.say(Invite(user=14), 11)
    hall.say(Uninvite(user=14), 11)
    assert hall.state.team(1).invited == ()
    assert hall.say(Decline(team=1), 13) == hall.say(Uninvite(user=14), 11) == []


def test_what_is_the_captains_is_refused_to_others() -> None:
    hall = made(2)
    for command in (Invite(user=99), Uninvite(user=99), Expel(user=11), LineUp(users=(12, 11)), Withdraw()):
        assert refused(hall, command, 12) == "RANK_TOO_LOW_captain"
        assert refused(hall, command, 99) == "NOT_MEMBER_team"
        assert refused(hall, command, None) == "SIGN_IN"
    assert refused(hall, NameCaptain(user=12), 12) == "RANK_TOO_LOW_captain"
    assert refused(hall, Leave(), 99) == "NOT_MEMBER_team"
    assert refused(hall, Invite(user=11), 11) == refused(hall, Expel(user=11), 11) == "SELF"
    for wrong in (NameCaptain(user=21), Expel(user=21), LineUp(users=(11, 21)), LineUp(users=(11, 11))):
        assert refused(hall, wrong, 11) == "BAD_OPTION"
    assert refused(hall, Accept(team=3), 99) == "NOT_FOUND"
    hall.say(NameCaptain(user=12), 11)
    assert hall.say(NameCaptain(user=12), 12) == []
    assert refused(hall, Invite(user=99), 11) == "RANK_TOO_LOW_captain"
    hall.say(Expel(user=11), 12)
    assert hall.state.team(1).users == (12,)


def test_teams_have_names_of_their_own_and_people_one_team() -> None:
    hall = made(2)
    assert refused(hall, Found(name=NAMES[0]), 99) == "NAME_TAKEN"
    assert refused(hall, Found(name="!"), 99) == "NAME_BAD"
    assert refused(hall, Found(name="青岛"), 12) == "ALREADY_PLAYING_contest"
    hall.say(Invite(user=22), 11)
    assert refused(hall, Accept(team=1), 22) == "ALREADY_PLAYING_contest"
    for user in (31, 32, 33):
        hall.say(Invite(user=user), 11)
    hall.say(Accept(team=1), 31)
    hall.say(Accept(team=1), 32)
    assert refused(hall, Accept(team=1), 33) == "TABLE_FULL_contest"
    for user in range(100, 118):
        hall.say(Invite(user=user), 11)
    assert refused(hall, Invite(user=99), 11) == "LIMIT_REACHED_invites"


def test_boards_meet_with_colours_changed_and_the_second_game_follows_the_first() -> None:
    hall = started(2, games=2)
    first = games(hall)
    assert [game.users for game in first] == [(11, 21), (22, 12)]
    assert [game.id for game in first] == ["1.1.1.1.1.1", "1.1.1.1.2.1"]
    assert first[0].forfeit_at == hall.now + ms(seconds=300)
    hall.open_tables()
    mine = {"game": "1.1.1.1.2.1", "board": 2, "other": 22, "from": hall.now, "table": 102}
    assert hall.page(12)["me"]["games"] == [{**mine, "forfeit_at": first[1].forfeit_at}]
    hall.end("1.1.1.1.1.1", 1, 2, game_id="g1")
    hall.now += 1
    again = games(hall)
    assert [(game.id, game.users, game.table) for game in again] == [
        ("1.1.1.1.1.2", (21, 11), None),
        ("1.1.1.1.2.1", (22, 12), 102),
    ]
    assert again[0].from_ == hall.now - 1 + ms(seconds=60)
    hall.end("1.1.1.1.1.2", 1, 1)
    (match,) = hall.page()["sections"][0]["matches"]
    assert (match["boards"][0]["score"], match["boards"][1]["score"]) == ([0.75, 0.25], None)
    assert match["match_points"] is None
    play_out(hall)
    (match,) = hall.page()["sections"][0]["matches"]
    assert (match["board_points"], match["match_points"]) == ([1.75, 0.25], [2, 0])
    assert ranking(hall) == {1: 1, 2: 2}


def test_games_by_days_run_side_by_side_and_nobody_misses_them() -> None:
    hall = started(2, games=2, terms=DAYS)
    assert [(game.users, game.forfeit_at) for game in games(hall)] == [
        ((11, 21), None),
        ((21, 11), None),
        ((22, 12), None),
        ((12, 22), None),
    ]


def test_all_play_all_and_the_table_is_by_match_points_board_points_and_sonneborn_berger() -> None:
    hall = started(4)
    met: Counter[frozenset[int]] = Counter()
    for number in (1, 2, 3):
        assert hall.state.round == number
        met.update(frozenset(match.teams) for match in hall.state.stage.matches if match.round == number)
        play_round(hall)
        if number < 3:
            assert games(hall) == ()
            assert hall.kind.due(hall.state) == hall.now + ms(seconds=600)
            hall.until_due()
    assert len(met) == 6
    assert set(met.values()) == {1}
    rows = hall.page()["sections"][0]["table"]
    assert [(row["team"], row["match_points"], row["board_points"], row["sb"]) for row in rows] == [
        (1, 6, 6.0, 6.0),
        (2, 4, 4.0, 2.0),
        (3, 2, 2.0, 0.0),
        (4, 0, 0.0, 0.0),
    ]
    assert ranking(hall) == {1: 1, 2: 2, 3: 3, 4: 4}


def test_more_than_eight_teams_play_in_sections_and_their_winners_play_on() -> None:
    hall = started(9)
    assert hall.state.stage.sections == ((1, 2, 3, 4, 5), (6, 7, 8, 9))
    play_out(hall)
    assert [stage.sections for stage in hall.state.stages][1:] == [((1, 6),)]
    assert ranking(hall) == {1: 1, 6: 2, 2: 3, 7: 3, 3: 5, 8: 5, 4: 7, 9: 7, 5: 9}


def test_where_everybody_is_a_winner_they_share_the_first_place() -> None:
    hall = started(4, section=3)
    assert hall.state.stage.sections == ((1, 2), (3, 4))
    play_out(hall, lambda game: (1, 1))
    assert ranking(hall) == {1: 1, 2: 1, 3: 1, 4: 1}


def test_a_substitute_plays_from_the_next_round_on_and_line_ups_are_the_teams_own() -> None:
    hall = started(3, size=3)
    hall.say(LineUp(users=(13, 11, 12)), 11)
    assert hall.say(LineUp(users=(13, 11, 12)), 11) == []
    assert hall.page(12)["me"]["mine"]["order"] == [13, 11, 12]
    assert b"[13,11,12]" not in hall.encoded(21)
    assert not any(b"[13,11,12]" in public for public, _ in hall.rows)
    for _ in range(2):
        play_round(hall)
        hall.until_due()
    users = [board.users for match in hall.state.stage.matches for board in match.boards if 1 in match.teams]
    mine = [user for pair in users for user in pair if user is not None and user < 20]
    assert mine in ([11, 12, 13, 11], [13, 11, 13, 11])


def test_a_missed_game_is_lost_and_a_missing_players_board_too() -> None:
    hall = started(2)
    one, other = games(hall)
    hall.end(one.id, why="absent", absent=(0, 1))
    hall.end(other.id, why="absent", absent=(1,))
    (match,) = hall.page()["sections"][0]["matches"]
    assert (match["board_points"], match["match_points"]) == ([0.0, 1.0], [0, 2])
    hall = started(3)
    hall.say(Gone(user=12, why="deleted"))
    play_out(hall)
    lost = [board for match in hall.state.stage.matches for board in match.boards if None in board.users]
    assert lost
    assert {game.why for board in lost for game in board.games} == {"absent"}


def test_a_match_that_nobody_comes_to_brings_no_match_points() -> None:
    hall = started(2)
    for game in games(hall):
        hall.end(game.id, why="absent", absent=(0, 1))
    assert ranking(hall) == {1: 1, 2: 1}
    (match,) = hall.page()["sections"][0]["matches"]
    assert (match["board_points"], match["match_points"]) == ([0.0, 0.0], [0, 0])


def test_a_game_that_comes_to_nothing_is_played_anew_and_the_third_time_drawn() -> None:
    hall = started(2)
    hall.open_tables()
    hall.end("1.1.1.1.1.1", why="void")
    again = games(hall)[0]
    assert (again.id, again.table, again.from_) == ("1.1.1.1.1.1~1", None, hall.now + ms(seconds=60))
    hall.end(again.id, why="closed")
    hall.end(f"{again.id[:-1]}2", why="void")
    assert hall.state.stage.matches[0].boards[0].score == (0.5, 0.5)


def test_a_captain_who_goes_is_followed_by_the_longest_member_and_their_games_are_lost() -> None:
    hall = started(2)
    hall.open_tables()
    hall.say(Gone(user=11, why="deleted"))
    assert hall.say(Gone(user=11, why="deleted")) == []
    assert (hall.state.team(1).captain, hall.state.team(1).users) == (12, (12,))
    assert [game.users for game in games(hall)] == [(22, 12)]
    hall.say(Gone(user=12, why="banned"))
    assert hall.state.state == "finished"
    assert hall.state.team(1).out == "empty"
    assert ranking(hall) == {2: 1, 1: 2}


def test_who_has_a_game_to_play_cannot_leave() -> None:
    hall = started(3, size=3)
    playing = {user for game in games(hall) for user in game.users}
    away = next(no for no in (1, 2, 3) if 10 * no + 1 not in playing)
    here = next(no for no in (1, 2, 3) if 10 * no + 1 in playing)
    assert refused(hall, Leave(), 10 * here + 1) == "GAME_RUNNING"
    assert refused(hall, Expel(user=10 * here + 2), 10 * here + 1) == "GAME_RUNNING"
    hall.say(Leave(), 10 * here + 3)
    hall.say(Leave(), 10 * away + 1)
    assert hall.state.team(away).captain == 10 * away + 2


def test_a_team_that_withdraws_early_is_struck_and_late_loses_what_is_left() -> None:
    hall = started(4)
    hall.say(Withdraw(), 11)
    assert not any(user in (11, 12) for game in games(hall) for user in game.users)
    play_out(hall)
    rows = {row["team"]: row for row in hall.page()["sections"][0]["table"]}
    assert (rows[1]["played"], rows[2]["played"], rows[2]["match_points"]) == (0, 2, 4)
    assert [team["struck"] for team in hall.page()["teams"]] == [1, 0, 0, 0]
    assert ranking(hall) == {2: 1, 3: 2, 4: 3, 1: 4}
    hall = started(4)
    for _ in range(2):
        play_round(hall)
        hall.until_due()
    hall.say(Withdraw(), 11)
    assert refused(hall, Withdraw(), 11) == "NOT_MEMBER_team"
    play_out(hall)
    assert hall.state.team(1).struck == 0
    rows = {row["team"]: row for row in hall.page()["sections"][0]["table"]}
    assert {row["played"] for row in rows.values()} == {3}
    assert rows[1]["match_points"] == 4


def test_a_team_that_has_played_just_half_is_not_struck() -> None:
    hall = started(5)
    while sum(match.over and 1 in match.teams for match in hall.state.stage.matches) < 2:
        play_round(hall)
        hall.until_due()
    hall.say(Withdraw(), 11)
    assert hall.state.team(1).struck == 0


def test_it_starts_at_its_time_with_the_teams_that_are_complete() -> None:
    hall = made(2)
    hall.say(Found(name="独行"), 91)
    hall.until_due()
    assert hall.state.team(3).out == "incomplete"
    assert hall.state.stage.sections == ((1, 2),)
    for command, user in ((Found(name="晚到"), 99), (Invite(user=99), 11), (Accept(team=1), 99)):
        assert refused(hall, command, user) == "GAME_RUNNING_contest"
    hall = made(1)
    hall.until_due()
    assert hall.state.state == "cancelled"
    assert refused(hall, Found(name="晚到"), 99) == "STALE_contest"


def test_it_starts_after_a_pause_when_it_is_full() -> None:
    hall = made(2, starts_at=None, most=3)
    assert hall.kind.due(hall.state) is None
    hall.say(Found(name="三队"), 31)
    hall.say(Invite(user=32), 31)
    events = hall.say(Accept(team=3), 32)
    assert [type(event).__name__ for event in events] == ["Joined", "StageBegun"]
    assert hall.kind.due(hall.state) == hall.now + ms(seconds=600)
    hall = made(3, most=2)
    hall.until_due()
    assert hall.state.team(3).out == "full"


def test_a_round_that_should_have_begun_while_the_hall_was_down_begins_once() -> None:
    hall = started(4)
    play_round(hall)
    hall.pass_time(ms(days=3))
    assert hall.state.round == 2
    assert {game.from_ for game in games(hall)} == {hall.now}


def test_who_made_it_may_cancel_it_before_it_begins() -> None:
    hall = made(2)
    hall.say(Cancel(), MAKER)
    assert hall.kind.over(hall.state)
    assert refused(hall, Cancel(), 2) == "STALE_contest"
    assert hall.say(Cancel()) == []
    hall = started(2)
    assert refused(hall, Cancel(), MAKER) == "GAME_RUNNING_contest"
    hall.say(Cancel(reason="a fault", moderator=True), MAKER)
    assert (hall.kind.games(hall.state), hall.kind.due(hall.state)) == ((), None)
    assert hall.say(GameOver(game="1.1.1.1.1.1", table=1, why="checkmate", places=(1, 2))) == []


@pytest.mark.parametrize(
    ("field", "form"),
    [
        ("name", {"name": ""}),
        ("terms", {"terms": msgspec.structs.replace(LIVE, seats=4)}),
        ("boards", {"boards": 0}),
        ("least", {"least": 1}),
        ("most", {"most": 1}),
        ("most", {"starts_at": None}),
        ("section", {"section": 9}),
        ("starts_at", {"starts_at": NOON}),
        ("forfeit_s", {"forfeit_s": 5}),
        ("pause_s", {"pause_s": 5}),
    ],
)
def test_a_form_that_cannot_be_is_refused(field: str, form: dict[str, Any]) -> None:
    with pytest.raises(HallError) as wrong:
        made(**form)
    assert (wrong.value.code, wrong.value.facts) == ("BAD_OPTION", {"field": field})


USERS = st.sampled_from([10 * team + seat for team in range(1, 6) for seat in (1, 2, 3)])
TEAMS = st.integers(1, 5)
PLACES = st.sampled_from([(1, 2), (2, 1), (1, 1), ()])
DEEDS = st.one_of(
    st.tuples(st.integers(0, 6), PLACES),
    st.tuples(st.integers(0, 6), PLACES),
    st.builds(Invite, user=USERS),
    st.builds(Accept, team=TEAMS),
    st.builds(Leave),
    st.builds(Expel, user=USERS),
    st.builds(NameCaptain, user=USERS),
    st.builds(Withdraw),
    st.builds(Gone, user=USERS, why=st.sampled_from(["deleted", "banned"])),
    st.sampled_from([0, 1, ms(seconds=600), ms(hours=1)]),
)


@settings(deadline=None, max_examples=120)
@given(
    st.integers(2, 5),
    st.sampled_from([1, 2]),
    st.sampled_from([3, 8]),
    st.sampled_from([LIVE, DAYS]),
    st.lists(st.tuples(USERS, DEEDS), max_size=40),
)
def test_whatever_happens_it_ends_and_nobody_plays_twice_at_once(
    teams: int, each: int, section: int, terms: Any, history: list[tuple[int, Any]]
) -> None:
    hall = made(teams, size=3, games=each, section=section, terms=terms)
    ended: set[str] = set()
    for user, deed in history:
        before = hall.state
        try:
            match deed:
                case int():
                    hall.pass_time(deed)
                case (at, places):
                    hall.open_tables()
                    if at < len(games(hall)):
                        game = games(hall)[at].id
                        hall.end(game, *places)
                        assert game not in ended
                        ended.add(game)
                case _:
                    hall.say(deed, None if isinstance(deed, Gone) else user)
        except HallError:
            assert hall.state == before
        wanted = games(hall)
        assert all(re.fullmatch(r"\d+(\.\d+){5}(~\d)?", game.id) and None not in game.users for game in wanted)
        assert len({game.id for game in wanted} | ended) == len(wanted) + len(ended)
        busy = Counter(user for game in wanted for user in game.users)
        assert all(number <= (each if terms is DAYS else 1) for number in busy.values())
        assert all(team.captain in team.users for team in hall.state.teams if team.members)
        hall.encoded(user)
    play_out(hall)
    assert hall.kind.due(hall.state) is None
    if hall.state.state == "finished":
        assert {one.team for one in hall.state.placed} == {no for part in hall.state.stages[0].sections for no in part}
        for stage in hall.state.stages:
            pairs = [match.teams for match in stage.matches]
            assert len({frozenset(pair) for pair in pairs}) == len(pairs)
            assert len(pairs) == sum(len(part) * (len(part) - 1) // 2 for part in stage.sections)


def test_four_boards_of_two_games_in_the_captains_order() -> None:
    hall = made(2, size=5, boards=4, games=2)
    hall.say(LineUp(users=(15, 14, 13, 12, 11)), 11)
    hall.until_due()
    (match,) = hall.state.stage.matches
    assert [board.users for board in match.boards] == [(15, 21), (14, 22), (13, 23), (12, 24)]
    assert sum(len(board.games) for board in match.boards) == 8
    drawn = {"1.1.1.1.1", "1.1.1.1.2"}
    play_out(hall, lambda game: (1, 1) if game.id.rpartition(".")[0] in drawn else lower_wins(game))
    (shown,) = hall.page()["sections"][0]["matches"]
    assert [board["score"] for board in shown["boards"]] == [[0.5, 0.5], [0.5, 0.5], [1.0, 0.0], [1.0, 0.0]]
    assert (shown["board_points"], shown["match_points"]) == ([3.0, 1.0], [2, 0])
    firsts = [game.seats for board in match.boards for game in board.games]
    assert firsts == [(0, 1), (1, 0), (1, 0), (0, 1)] * 2


def test_news_go_to_whom_they_are_about_and_the_list_has_a_line() -> None:
    kind = TeamsKind()
    hall = made(2)
    (invited,) = hall.say(Invite(user=99), 11)
    said = {"what": "invited", "teams": FORM.name, "team": NAMES[0]}
    assert kind.news(hall.state, invited) == ((99, said),)
    assert kind.news(None, invited) == ()
    (declined,) = hall.say(Decline(team=1), 99)
    assert kind.news(hall.state, declined) == ((11, {**said, "what": "declined"}),)
    (extra,) = hall.say(Found(name="独行"), 91)
    assert kind.news(hall.state, extra) == ()
    hall.say(Invite(user=92), 91)
    (joined,) = hall.say(Accept(team=3), 92)
    assert kind.news(hall.state, joined) == ((91, {**said, "what": "joined", "team": "独行"}),)
    (expelled,) = hall.say(Expel(user=92), 91)
    assert kind.news(hall.state, expelled) == ((92, {**said, "what": "expelled", "team": "独行"}),)
    line = kind.line(hall.state)
    assert (line.state, line.teams, line.complete, line.next_at) == ("open", 3, 2, FORM.starts_at)
    before = hall.state
    started = hall.until_due()
    told = [(user, facts["what"]) for event in started for user, facts in kind.news(before, event)]
    begun = [(user, what) for what in ("stage_begun", "round_begun") for user in (11, 12, 21, 22)]
    assert told == [(91, "out_incomplete"), *begun]
    play_out(hall)
    assert kind.line(hall.state).winners == (NAMES[0],)
    assert kind.idle_at(hall.state) is None
