"""Tournaments: who may enter, what a round comes to, what leaving costs, who is paid; the walk W12."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import msgspec
import pytest

from qipai.contests.contract import Cancel, Game, GameOver, GameTerms, Gone, TableOpened, Tick
from qipai.contests.standings import standings, tabled
from qipai.contests.tournaments import arena, events, knockout, monrad
from qipai.contests.tournaments.commands import Agree, AnyCommand, Enter, Idle, Make, Withdraw
from qipai.contests.tournaments.form import TournamentForm, first_move, partnered
from qipai.contests.tournaments.kind import Tournaments
from qipai.contests.tournaments.meetings import verdict
from qipai.contests.tournaments.model import GameResult, Meeting, Pair, Stage, Tournament
from qipai.contests.tournaments.ranking import table_of
from qipai.hall.table.errors import HallError

LIVE = {"type": "fischer", "base": 300, "inc": 2}
KIND = Tournaments(lambda: "cd" * 32)
START = 100_000
MAKER = 900


def form(format: Any = "sections", **more: Any) -> TournamentForm:
    given = {"terms": GameTerms("xiangqi", clock=LIVE), "start": START, "min_players": 2, **more}
    return TournamentForm(name="Cup", format=format, **given)


class Cup:
    """A tournament and its money."""

    def __init__(self, form: TournamentForm, *users: int, ratings: dict[int, int] | None = None) -> None:
        self.now = 0
        self.state: Any = None
        self.paid: list[tuple[Any, ...]] = []
        self.do(Make(id="c", form=form, key="secret"), MAKER)
        for user in users:
            self.do(Enter(ratings=((ratings or {}).get(user),)), user)

    @property
    def status(self) -> str:
        return self.t.state

    @property
    def t(self) -> Tournament:
        assert isinstance(self.state, Tournament)
        return self.state

    def do(self, command: AnyCommand, by: int | None = None) -> list[Any]:
        found = KIND.handle(self.state, command, by, self.now)
        for event in found:
            self.paid += [(p.source, p.target, p.coins, p.reason) for p in KIND.payments(self.state, event)]
            self.state = KIND.fold(self.state, event, self.now)
        return found

    def start(self) -> Cup:
        self.now = START
        self.do(Tick())
        return self

    def game(self, *users: int) -> Game:
        """Return the game that these people have."""
        return next(game for game in KIND.games(self.t) if set(users) <= set(game.users))

    def end(self, game: Game, winner: int | None, why: str = "mated", **more: Any) -> list[Any]:
        """End a game: a user has won it, nobody: a draw."""
        points = tuple(0 if winner is None else 1 if user == winner else -1 for user in game.users)
        return self.do(GameOver(game=game.id, table=1, why=why, points=points, **more))

    def all_won_by_the_lowest(self, most: int = 500) -> Cup:
        for _ in range(most):
            games = KIND.games(self.t)
            if not games:
                break
            for game in games:
                self.end(game, min(user for user in game.users if user is not None))
        return self


def refund(user: int) -> tuple[Any, ...]:
    return ("escrow", user, 10, "refund")


def refused(cup: Cup, command: AnyCommand, by: int | None) -> str:
    before = msgspec.json.encode(cup.state)
    with pytest.raises(HallError) as wrong:
        cup.do(command, by)
    assert msgspec.json.encode(cup.state) == before
    case = wrong.value.facts.get("case")
    return wrong.value.code + (f" {case}" if case else "")


# The form -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "more"),
    [
        ("name", {"name": "  "}),
        ("max_players", {"min_players": 9, "max_players": 8}),
        ("rating_max", {"rating_min": 1500, "rating_max": 1400}),
        ("partners", {"partners": "fixed"}),
        ("partners", {"partners": "drawn", "seats": 5}),
        ("format", {"format": "knockout", "seats": 4}),
        ("format", {"format": "arena", "seats": 6, "partners": "drawn"}),
        ("section_size", {"seats": 4, "section_size": 3}),
        ("games_per_pair", {"games_per_pair": 2, "seats": 4}),
        ("games_per_pair", {"games_per_pair": 2, "format": "arena"}),
        ("clock", {"format": "arena", "terms": GameTerms("xiangqi", clock={"type": "days", "days": 3})}),
        ("clock", {"terms": GameTerms("xiangqi", clock={"type": "sundial"})}),
        ("prizes", {"fee": 10}),
        ("prizes", {"prizes": (50,)}),
        ("prizes", {"fee": 10, "prizes": (60, 50)}),
        ("prizes", {"fee": 10, "prizes": (10, 50)}),
        ("prizes", {"fee": 10, "prizes": (5,), "max_players": 20}),
        ("start", {"start": 2**50}),
        ("reserves", {"start": "full", "reserves": 2}),
        ("duplicate", {"duplicate": True}),  # no luck
        ("duplicate", {"duplicate": True, "format": "arena", "terms": GameTerms("backgammon", clock=LIVE)}),
        ("duplicate", {"duplicate": True, "terms": GameTerms("backgammon", clock={"type": "days", "days": 3})}),
        ("duplicate", {"duplicate": True, "terms": GameTerms("mahjong", clock=LIVE), "seats": 4, "min_players": 7}),
    ],
)
def test_fields_that_do_not_go_together_are_refused_by_name(field: str, more: Any) -> None:
    given = msgspec.structs.asdict(form()) | more
    with pytest.raises(HallError) as wrong:
        KIND.handle(None, Make(id="c", form=TournamentForm(**given)), 1, 0)
    assert (wrong.value.code, wrong.value.facts) == ("BAD_OPTION", {"field": field})


def test_a_start_in_the_past_and_unknown_fields_are_refused() -> None:
    with pytest.raises(HallError, match="BAD_OPTION"):
        KIND.handle(None, Make(id="c", form=form()), 1, START + 1)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"name": "x", "format": "swiss", "terms": {"game": "xiangqi"}, "size": 3}, TournamentForm)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"name": "x", "format": "swiss", "terms": {"game": "g"}, "section_size": 99}, TournamentForm)


def test_the_first_move_has_the_time_that_its_clock_gives() -> None:
    assert first_move(form()) == 300_000
    assert first_move(form(terms=GameTerms("xiangqi", clock={"type": "days", "days": 2}))) == 2 * 86_400_000
    assert first_move(form(terms=GameTerms("xiangqi"))) is None


# Entering and leaving -------------------------------------------------------------------------------------------------


def test_every_refusal_of_an_entry_has_its_code() -> None:
    rated = form(rating_min=1000, rating_max=2000, unrated=False, max_players=2)
    cup = Cup(rated)
    assert refused(cup, Enter(ratings=(None,)), 1) == "RATING_RANGE unrated"
    assert refused(cup, Enter(ratings=(999,)), 1) == "RATING_RANGE low"
    assert refused(cup, Enter(ratings=(2001,)), 1) == "RATING_RANGE high"
    assert refused(cup, Enter(ratings=(1500,), guest=True), 1) == "GUEST_RATED"
    assert refused(cup, Enter(ratings=(1500,), partners=(2,)), 1) == "BAD_OPTION"
    assert refused(cup, Enter(), None) == "SIGN_IN"
    cup.do(Enter(ratings=(1000,)), 1)  # the ends are within
    assert refused(cup, Enter(ratings=(1500,)), 1) == "ALREADY_PLAYING contest"
    cup.do(Enter(ratings=(2000,)), 2)
    assert refused(cup, Enter(ratings=(1500,)), 3) == "TABLE_FULL contest"
    assert refused(cup, Withdraw(), 3) == "NOT_MEMBER contest"
    cup.do(Gone(user=2, why="banned"))
    assert refused(cup, Enter(ratings=(1500,)), 2) == "BANNED"
    cup.do(Enter(ratings=(1500,)), 3)
    cup.start()
    assert refused(cup, Enter(ratings=(1500,)), 4) == "GAME_RUNNING contest"
    cup.do(Cancel())
    assert refused(cup, Enter(ratings=(1500,)), 4) == "STALE contest"
    assert refused(cup, Withdraw(), 1) == "STALE contest"


def test_a_private_one_takes_the_key() -> None:
    cup = Cup(form(private=True))
    assert refused(cup, Enter(), 1) == "NOT_FOR_YOU contest"
    assert refused(cup, Enter(key="guess"), 1) == "NOT_FOR_YOU contest"
    cup.do(Enter(key="secret"), 1)
    cup.do(Enter(), MAKER)
    assert KIND.public(cup.t, 1, 0).key is None
    assert KIND.public(cup.t, MAKER, 0).key == "secret"
    assert {"key"} == events.Made.SECRET


def test_a_team_is_complete_when_all_have_agreed() -> None:
    cup = Cup(form("swiss", seats=6, partners="fixed", fee=10, prizes=(100,), rounds=1))
    cup.do(Enter(partners=(2, 3)), 1)
    assert refused(cup, Agree(no=1), 4) == "NOT_FOR_YOU contest"
    assert refused(cup, Agree(no=9), 4) == "NOT_FOUND"
    cup.do(Agree(no=1), 2)
    assert not cup.do(Agree(no=1), 2)
    cup.do(Enter(partners=(5, 6)), 4)
    cup.do(Agree(no=2), 5)
    cup.do(Agree(no=2), 6)
    cup.do(Enter(partners=(8, 9)), 7)
    assert refused(cup, Enter(partners=(3, 2)), 3) == "BAD_OPTION"
    assert refused(cup, Enter(partners=(2, 11)), 10) == "TARGET_BUSY contest"
    cup.do(Enter(partners=(8, 12)), 11)  # who is only named may be named by others
    for user in (8, 9):
        cup.do(Agree(no=3), user)
    assert refused(cup, Agree(no=4), 8) == "ALREADY_PLAYING contest"
    cup.do(Agree(no=4), 12)
    cup.start()
    assert refund(1) in cup.paid  # 3 has never agreed
    assert refund(11) in cup.paid
    game = KIND.games(cup.t)[0]
    assert {game.users[::2], game.users[1::2]} == {(4, 5, 6), (7, 8, 9)}
    cup.do(Gone(user=5, why="deleted"))
    assert None in KIND.games(cup.t)[0].users  # a bot plays on
    seat = game.users.index(4)
    cup.do(
        GameOver(game=game.id, table=1, why="all_out", points=tuple(9 if s % 2 == seat % 2 else 1 for s in range(6)))
    )
    assert cup.t.prizes == ((4, 10), (6, 10))


def test_leaving_before_the_start_is_free_and_a_reserve_moves_up() -> None:
    cup = Cup(form(max_players=2, reserves=1, fee=10, prizes=(100,)), 1, 2, 3)
    assert [one.state for one in cup.t.entrants] == ["in", "in", "reserve"]
    cup.do(Withdraw(), 1)
    assert cup.paid[-1] == refund(1)
    assert [one.state for one in cup.t.entrants] == ["out", "in", "in"]
    cup.start()
    assert sorted(cup.t.order) == [2, 3]


def test_a_reserve_replaces_who_has_not_moved_and_the_others_get_their_fees_back() -> None:
    cup = Cup(form(max_players=3, reserves=2, fee=10, prizes=(100,)), 1, 2, 3, 4, 5).start()
    assert (KIND.idle_at(cup.t), KIND.due(cup.t)) == (START + 150_000, START + 150_000)
    old = {game.id for game in KIND.games(cup.t)}
    one = KIND.games(cup.t)[0].users[0]
    assert one is not None
    cup.now = START + 150_000
    cup.do(Idle(users=(one,)))
    assert cup.t.entrant(one).users == (4,)
    assert refund(5) in cup.paid
    assert refund(4) not in cup.paid
    assert not old & {game.id for game in KIND.games(cup.t)}  # begun anew
    assert KIND.idle_at(cup.t) is None
    assert not cup.do(Idle(users=(2,)))


def test_reserves_are_paid_back_when_it_ends_before_they_are_let_go() -> None:
    cup = Cup(form(max_players=2, reserves=2, final_wins=1, fee=10, prizes=(100,)), 1, 2, 3, 4).start()
    cup.do(Withdraw(), 3)
    assert cup.paid[-1] == refund(3)
    cup.end(KIND.games(cup.t)[0], 1)
    assert refund(4) in cup.paid
    assert cup.t.prizes == ((1, 20),)


def test_whoever_asks_nobody_about_idle_people_still_releases_the_reserves() -> None:
    cup = Cup(form(max_players=2, reserves=1), 1, 2, 3).start()
    cup.now = START + 150_000
    assert cup.do(Tick()) == [events.Withdrew(no=3, why="unused"), events.Checked()]
    assert not cup.do(Tick())


# Starting, ending, money ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("users", "reason"), [((1,), "few"), ((1, 2), "prize")])
def test_too_few_or_too_small_a_prize_cancels_it_and_all_is_refunded(users: tuple[int, ...], reason: str) -> None:
    cup = Cup(form(fee=10, prizes=(60, 10)), *users).start()
    assert (cup.status, cup.t.reason) == ("cancelled", reason)
    assert sorted(cup.paid[len(users) :]) == [refund(user) for user in users]
    assert KIND.over(cup.t)


def test_when_full_it_begins_with_the_last_entry() -> None:
    cup = Cup(form(start="full", max_players=3), 1, 2)
    assert KIND.due(cup.t) is None
    cup.do(Enter(), 3)
    assert cup.status == "running"
    assert KIND.games(cup.t)


def test_walk_w12_sections_a_winners_round_a_final_to_three_wins_and_prizes() -> None:
    terms = {"section_size": 4, "min_players": 8, "fee": 150, "prizes": (25, 10, 5), "by_rating": True}
    few = Cup(form(**terms), 1, 2, 3).start()
    assert few.status == "cancelled"
    assert sum(coins for source, _, coins, _ in few.paid if source == "escrow") == 450
    cup = Cup(form(**terms), *range(1, 10), ratings={user: 2000 - user for user in range(1, 10)})
    cup.do(Withdraw(), 9)
    assert cup.paid[-1] == ("escrow", 9, 150, "refund")
    cup.start()
    assert cup.t.stage.sections == ((1, 4, 5, 8), (2, 3, 6, 7))
    cup.all_won_by_the_lowest(3)
    assert cup.t.stages[0].winners == (1, 2)
    final = cup.game(1, 2)
    assert len(KIND.games(cup.t)) == 1
    for wins in range(3):
        assert cup.game(1, 2).users[0] == (final.users[0] if wins % 2 == 0 else final.users[1])  # colours change
        cup.end(cup.game(1, 2), 2)
    assert cup.status == "finished"
    assert [(place.no, place.place) for place in cup.t.places] == [
        (2, 1), (1, 2), (4, 3), (3, 3), (5, 5), (6, 5), (8, 7), (7, 7),
    ]  # fmt: skip
    assert cup.t.prizes == ((2, 300), (1, 120), (4, 30), (3, 30))  # a pool of 1200; the third prize is shared
    assert cup.paid[-1:] == [("escrow", "house", 720, "prize")]
    assert not KIND.games(cup.t)
    assert KIND.public(cup.t, 2, 0).paid == cup.t.prizes


def test_only_a_moderator_cancels_what_somebody_has_paid_for() -> None:
    cup = Cup(form(fee=10, prizes=(100,)))
    assert refused(cup, Cancel(), 1) == "NOT_ALLOWED"
    cup.do(Enter(), 1)
    assert refused(cup, Cancel(), MAKER) == "NOT_ALLOWED paid"
    cup.do(Gone(user=1, why="deleted"))
    assert cup.paid[-1] == ("escrow", "house", 10, "refund")
    cup.do(Cancel(), MAKER)
    assert cup.status == "cancelled"
    assert not cup.do(Cancel())
    other = Cup(form(fee=10, prizes=(100,)), 1, 2).start()
    other.do(Gone(user=1, why="deleted"))
    assert other.status == "finished"  # who is left has won
    assert other.t.prizes == ((2, 20),)
    running = Cup(form(fee=10, prizes=(100,)), 1, 2, 3).start()
    assert refused(running, Cancel(), MAKER) == "GAME_RUNNING contest"
    running.do(Gone(user=1, why="deleted"))
    running.do(Cancel(reason="power cut", moderator=True), MAKER)
    assert set(running.paid[3:]) == {("escrow", target, 10, "refund") for target in ("house", 2, 3)}


# Sections -------------------------------------------------------------------------------------------------------------


def test_who_leaves_early_is_struck_and_who_leaves_late_stays_counted() -> None:
    cup = Cup(form(), *range(1, 6)).start()
    cup.do(Withdraw(), 1)
    assert cup.t.entrant(1).struck == 1
    rows = table_of(cup.t, cup.t.stage, cup.t.stage.sections[0])
    assert (rows[-1].no, rows[-1].score, rows[-1].played) == (1, 0.0, 0)
    cup.all_won_by_the_lowest()
    assert [place.no for place in cup.t.places] == [2, 3, 4, 5]
    late = Cup(form(), *range(1, 6)).start()
    while sum(1 in one.sides and one.over for one in late.t.stage.meetings) < 2:
        for game in KIND.games(late.t):
            late.end(game, min(user for user in game.users if user is not None))
    late.do(Withdraw(), 1)
    late.all_won_by_the_lowest()
    row = next(row for row in table_of(late.t, late.t.stage, late.t.stage.sections[0]) if row.no == 1)
    assert (row.score, row.played) == (2.0, 4)
    assert [place.no for place in late.t.places] == [2, 3, 4, 5]


def test_a_ban_loses_all_games_of_the_round_and_counts_nothing_for_the_others_sb() -> None:
    cup = Cup(form(), *range(1, 5)).start()
    for game in KIND.games(cup.t):
        cup.end(game, min(user for user in game.users if user is not None))
    cup.do(Gone(user=1, why="banned"))
    cup.all_won_by_the_lowest()
    rows = {row.no: row for row in table_of(cup.t, cup.t.stage, cup.t.stage.sections[0])}
    assert rows[1].score == 0
    assert [rows[no].score for no in (2, 3, 4)] == [3, 2, 1]
    assert rows[4].ties[0] == 0


def test_games_by_days_begin_all_at_once_and_colours_change_in_the_second_half() -> None:
    terms = GameTerms("xiangqi", clock={"type": "days", "days": 3})
    cup = Cup(form(terms=terms, games_per_pair=2), 1, 2, 3).start()
    users = sorted(game.users for game in KIND.games(cup.t))
    assert users == [(1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2)]
    assert all(game.forfeit_at is None for game in KIND.games(cup.t))


def test_where_all_are_equal_in_several_sections_the_first_of_each_go_on() -> None:
    cup = Cup(form(section_size=2), *range(1, 9)).start()
    while not KIND.over(cup.t):
        for game in KIND.games(cup.t):
            cup.end(game, game.users[0] if len(cup.t.stage.sections) == 1 else None)
    assert [len(stage.sections) for stage in cup.t.stages] == [4, 2, 1]


def test_standings_say_the_same_both_ways() -> None:
    results = [("a", "b", 1.0), ("b", "c", 0.5), ("c", "a", 1.0), ("d", "a", 0.0), ("d", "b", 0.5), ("c", "d", 0.0)]
    one = standings("abcd", results)
    other = tabled("abcd", [(first, second, got, 1 - got) for first, second, got in results])
    assert (one.score, one.sb) == (other.score, other.sb)
    assert {**one.rank} == other.rank


# Meetings -------------------------------------------------------------------------------------------------------------

WON, LOST, DRAWN, NOBODY = (1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.0, 0.0)


@pytest.mark.parametrize(
    ("pair", "results", "expected"),
    [
        ({}, [], None),
        ({}, [DRAWN], DRAWN),
        ({}, [NOBODY], NOBODY),
        ({"games": 2}, [WON], None),
        ({"games": 2}, [WON, LOST], DRAWN),
        ({"games": 2}, [DRAWN, WON], WON),
        ({"games": 2}, [NOBODY, NOBODY], NOBODY),
        ({"games": 2}, [NOBODY, DRAWN], DRAWN),
        ({"games": 2}, [DRAWN, NOBODY], DRAWN),  # the sum decides, in either order (RP-27)
        ({"wins": 3}, [WON, DRAWN, WON], None),
        ({"wins": 3}, [WON, LOST, WON, DRAWN, WON], WON),
        ({"wins": 2}, [DRAWN] * 7 + [WON], WON),  # after four times as many games who leads has won
        ({"wins": 2}, [DRAWN] * 8, None),
        ({"wins": 2}, [DRAWN] * 9, LOST),  # the ninth: a draw counts for who moves second
        ({"wins": 2}, [NOBODY], NOBODY),
        ({"decide": True}, [DRAWN, DRAWN], None),
        ({"decide": True}, [DRAWN, DRAWN, DRAWN], LOST),
        ({"decide": True}, [DRAWN, WON], WON),
        ({"decide": True, "games": 2}, [WON, LOST, DRAWN, DRAWN], WON),
        ({"decide": True}, [NOBODY], NOBODY),
    ],
)
def test_what_games_make_of_a_meeting(pair: Any, results: Any, expected: Any) -> None:
    played = tuple(GameResult(scores, first=at % 2) for at, scores in enumerate(results))
    assert verdict(Meeting(Pair("1.1.1.1", (1, 2), **pair), 1, 0, played)) == expected


def test_an_end_that_comes_twice_or_late_comes_to_nothing() -> None:
    cup = Cup(form(), 1, 2, 3).start()
    game = KIND.games(cup.t)[0]
    assert cup.do(TableOpened(game=game.id, table=7)) == [events.Opened(game=game.id, table=7)]
    assert not cup.do(TableOpened(game=game.id, table=8))
    assert KIND.games(cup.t)[0].table == 7
    void = GameOver(game=game.id, table=7, why="closed")
    assert cup.do(void)
    assert not cup.do(void)
    again = KIND.games(cup.t)[0]
    assert (again.id, again.table) == (f"{game.id}~1", None)
    cup.end(again, None, "void")
    cup.end(KIND.games(cup.t)[0], None, "void")  # the third time it is a draw
    assert cup.t.stage.meetings[0].score == DRAWN
    assert not cup.end(again, 1)
    assert refused(cup, void, 5) == "NOT_ALLOWED"


def test_who_does_not_come_loses_and_is_not_paired_again_in_a_swiss() -> None:
    cup = Cup(form("swiss", rounds=2), 1, 2, 3, 4).start()
    game = KIND.games(cup.t)[0]
    assert game.forfeit_at == START + 300_000
    cup.end(game, None, "absent", absent=(1,))
    assert cup.t.stage.meetings[0].score == WON
    assert game.users[1] is not None
    assert cup.t.entrant(game.users[1]).why == "absent"
    cup.end(KIND.games(cup.t)[0], None)
    assert cup.t.stage.byes  # three are left
    sections = Cup(form(), 1, 2, 3).start()
    sections.end(KIND.games(sections.t)[0], None, "absent", absent=(0, 1))
    assert sections.t.stage.meetings[0].score == NOBODY
    assert all(one.state == "in" for one in sections.t.entrants)


# Knockout -------------------------------------------------------------------------------------------------------------


def test_the_best_have_free_places_and_the_first_two_meet_in_the_final() -> None:
    assert knockout.places([1, 2, 3, 4, 5, 6, 7, 8]) == (1, 8, 4, 5, 2, 7, 3, 6)
    assert knockout.places([1, 2, 3, 4, 5]) == (1, 0, 4, 5, 2, 0, 3, 0)
    users = range(1, 6)
    cup = Cup(form("knockout", by_rating=True), *users, ratings={user: 2000 - user for user in users}).start()
    assert [set(game.users) for game in KIND.games(cup.t)] == [{4, 5}]
    shown = KIND.public(cup.t, 1, 0).stages[0].bracket
    assert [(slot.upper, slot.lower) for slot in shown if slot.round == 1] == [(1, None), (4, 5), (2, None), (3, None)]
    cup.all_won_by_the_lowest()
    assert [(place.no, place.place) for place in cup.t.places] == [(1, 1), (2, 2), (4, 3), (3, 3), (5, 5)]
    assert KIND.public(cup.t, 1, 0).stages[0].bracket[-1].winner == 1


def test_where_neither_comes_nobody_goes_on() -> None:
    cup = Cup(form("knockout"), 1, 2, 3, 4).start()
    lost = KIND.games(cup.t)[0]
    cup.end(lost, None, "absent", absent=(0, 1))
    winner = KIND.games(cup.t)[0].users[0]
    cup.end(KIND.games(cup.t)[0], winner)
    assert cup.status == "finished"
    assert cup.t.places[0].no == winner


# Arena ----------------------------------------------------------------------------------------------------------------


def test_a_streak_counts_double_until_it_is_broken() -> None:
    scores = [WON, WON, WON, WON, DRAWN, WON, LOST, WON]
    meetings = tuple(Meeting(Pair(f"1.{at}.1.1", (1, 2)), at, 0, (), score) for at, score in enumerate(scores))
    have = arena.scores(Stage(1, ((1, 2),), meetings=meetings), (1, 2))
    assert have[1].points == 2 + 2 + 4 + 4 + 1 + 2 + 0 + 2
    assert (have[1].wins, have[2].points) == (6, 1 + 2)


def test_one_may_come_late_go_and_come_back_and_nothing_begins_when_the_time_is_over() -> None:
    cup = Cup(form("arena", minutes=5, fee=10, prizes=(50,), max_players=5), 1, 2, 3, 4).start()
    assert len(KIND.games(cup.t)) == 2
    assert KIND.due(cup.t) == cup.t.ends_at
    cup.do(Enter(), 5)
    assert cup.paid[-1] == (5, "escrow", 10, "fee")
    cup.do(Withdraw(), 5)
    assert not cup.do(Withdraw(), 5)
    assert cup.do(Enter(), 5) == [events.Returned(no=5)]
    cup.end(KIND.games(cup.t)[0], None)
    assert KIND.due(cup.t) == START + 10_000  # who waits is paired with the next wave
    cup.now = cup.t.ends_at
    cup.do(Tick())
    assert cup.status == "running"
    assert refused(cup, Enter(), 6) == "GAME_RUNNING contest"
    for game in KIND.games(cup.t):
        cup.end(game, game.users[0])
    assert cup.status == "finished"
    assert [place.place for place in cup.t.places] == [1, 2, 2, 4, 4]


# Tables of more than two ----------------------------------------------------------------------------------------------


def test_everybody_sits_at_a_table_with_others_and_on_another_seat() -> None:
    before: list[Meeting] = []
    for round in range(4):
        found = monrad.tables(range(1, 17), 4, before)
        assert sorted(no for sides in found for no in sides if no is not None) == list(range(1, 17))
        before += [Meeting(Pair(f"{round}.{at}", sides), round, 0) for at, sides in enumerate(found)]
    for seat in range(4):
        sat = [one.sides[seat] for one in before]
        assert max(sat.count(no) for no in range(1, 17)) <= 2
    met = Counter(frozenset(pair) for one in before for pair in combinations(one.sides, 2))
    assert max(met.values()) <= 2
    assert len(met) > 80  # of the 96 that four rounds allow
    assert monrad.tables([1, 2, 3, 4, 5], 4, []) == [(1, 2, 3, None), (4, 5, None, None)]


def test_partners_change_where_they_are_drawn() -> None:
    before: list[Meeting] = []
    for round in range(3):
        before += [
            Meeting(Pair(str(round), sides), round, 0)
            for sides in monrad.tables([1, 2, 3, 4], 4, before, partners=True)
        ]
    partners = {frozenset((one.sides[0], one.sides[2])) for one in before} | {
        frozenset((one.sides[1], one.sides[3])) for one in before
    }
    assert len(partners) == 6


def test_points_add_up_over_tables_and_a_bot_takes_the_place_of_who_has_not_come() -> None:
    cup = Cup(form("swiss", seats=4, rounds=2, terms=GameTerms("mahjong", clock=LIVE)), *range(1, 6)).start()
    first, second = KIND.games(cup.t)
    assert [user is None for user in (*first.users, *second.users)].count(True) == 3
    away = first.users[0]
    cup.do(GameOver(game=first.id, table=1, why="absent", absent=(0,)))
    again = next(game for game in KIND.games(cup.t) if game.id == f"{first.id}~1")
    assert again.users[0] is None
    cup.do(GameOver(game=again.id, table=2, why="washed", points=(9, 3, 1, 0)))
    cup.do(GameOver(game=second.id, table=3, why="washed", points=(1, 2, 3, 4)))
    assert cup.t.stage.round == 2
    seated = [user for game in KIND.games(cup.t) for user in game.users if user is not None]
    assert away not in seated
    assert len(seated) == 4
    rows = {row.no: row for row in table_of(cup.t, cup.t.stage, cup.t.stage.sections[0])}
    assert away is not None
    assert rows[away].score == 0
    assert first.users[1] is not None
    assert rows[first.users[1]].score == 3


def test_my_next_game_and_when_it_is_lost_are_on_the_page() -> None:
    cup = Cup(form(), 1, 2, 3, 4).start()
    mine = KIND.public(cup.t, 1, 0).mine
    assert mine is not None
    assert [game.forfeit_at for game in mine.games] == [START + 300_000]
    game = cup.game(1)
    assert game.users[mine.games[0].seat] == 1
    assert {*mine.games[0].others, 1} == set(game.users)
    assert KIND.public(cup.t, None, 0).mine is None
    cup.end(game, 1)
    page = KIND.public(cup.t, 1, 0).stages[0].sections[0]
    one, other = (next(at for at, row in enumerate(page.rows) if row.no == user) for user in game.users)
    assert {page.cross[one][other], page.cross[other][one]} == {(1.0,), (0.0,)}


def test_partners_hear_that_they_are_named_and_reserves_that_they_have_a_place() -> None:
    cup = Cup(form(partners="fixed", seats=4, max_players=2, reserves=1, terms=GameTerms("shengji", clock=LIVE)))
    heard: list[tuple[int, str]] = []

    def do(command: AnyCommand, by: int) -> None:
        for event in KIND.handle(cup.state, command, by, cup.now):
            heard.extend((user, facts["what"]) for user, facts in KIND.news(cup.state, event))
            cup.state = KIND.fold(cup.state, event, cup.now)

    do(Enter(partners=(2,), ratings=(None, None)), 1)
    assert heard == [(2, "named")]
    do(Enter(partners=(4,), ratings=(None, None)), 3)
    do(Enter(partners=(6,), ratings=(None, None)), 5)
    heard.clear()
    do(Withdraw(), 1)
    assert heard == [(5, "promoted"), (6, "promoted")]


def test_games_of_partners_are_those_where_every_second_seat_wins_together() -> None:
    assert partnered((0, 1, 0, 1))
    assert partnered((0, 1, 0, 1, 0, 1))
    assert not any(map(partnered, [(0, 1), (0, 1, 2, 3), (0, 0, 1, 1)]))
