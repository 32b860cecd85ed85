"""Whatever people and the hall do to a tournament: it ends, it is its events, and the coins are all there."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qipai.contests.contract import Contest, GameOver, GameTerms, Gone, TableOpened, Tick
from qipai.contests.tournaments.commands import Agree, AnyCommand, Enter, Idle, Make, Withdraw
from qipai.contests.tournaments.events import AnyEvent
from qipai.contests.tournaments.form import TournamentForm
from qipai.contests.tournaments.kind import Tournaments
from qipai.contests.tournaments.model import Tournament
from qipai.contests.tournaments.page import TournamentPage
from qipai.contests.tournaments.ranking import section, table_of
from qipai.hall.table.errors import HallError

SEED = "ab" * 32
LIVE = {"type": "fischer", "base": 300, "inc": 2}
DAYS = {"type": "days", "days": 2}
START = 1_000_000


class Run:
    """A tournament whose hall is killed after each event: the state is refolded from JSON before it goes on."""

    def __init__(self, form: TournamentForm, maker: int = 999, cut: random.Random | None = None) -> None:
        """cut: decides where a hall is killed that has written only some of a command's events."""
        self.cut: random.Random | None = None
        self.kind: Contest[Tournament] = Tournaments(lambda: SEED)
        self.state: Tournament | None = None
        self.log: list[tuple[int, bytes]] = []
        self.coins: Counter[Any] = Counter()
        self.now = 0
        self.games: set[str] = set()
        self.table = 0
        self.do(Make(id="t1", form=form, key="k"), maker)
        self.cut = cut

    @property
    def t(self) -> Tournament:
        assert self.state is not None
        return self.state

    def do(self, command: AnyCommand, by: int | None = None) -> list[AnyEvent]:
        events: list[AnyEvent] = self.kind.handle(self.state, command, by, self.now)
        short = self.cut is not None and len(events) > 1 and self.cut.random() < 0.3
        written = events[: self.cut.randrange(1, len(events))] if self.cut is not None and short else events
        for event in written:
            for paid in self.kind.payments(self.state, event):
                assert paid.coins > 0
                self.coins[paid.source] -= paid.coins
                self.coins[paid.target] += paid.coins
                assert self.coins["escrow"] >= 0
            self.state = self.kind.fold(self.state, event, self.now)
            self.log.append((self.now, msgspec.json.encode(event)))
            assert self.t.pool == self.coins["escrow"]
        assert self.t.rows == len(self.log)
        if short:
            self.do(Tick())
        return events

    def refold(self) -> Tournament:
        state: Tournament | None = None
        for now, row in self.log:
            state = self.kind.fold(state, msgspec.json.decode(row, type=AnyEvent), now)
        assert state is not None
        return state

    def killed(self) -> None:
        """Fold anew what was written, and ask twice what is due: nothing comes of it."""
        again = self.refold()
        assert again == self.t
        assert msgspec.json.encode(again) == msgspec.json.encode(self.t)
        self.state = again
        first = self.do(Tick())
        assert not self.do(Tick())
        assert not first or self.t.state != "open"

    def pass_time(self) -> None:
        """Let the clock jump to what is due next."""
        due = self.kind.due(self.t)
        if due is not None:
            self.now = max(self.now, due)
        self.do(Tick())

    def open_all(self) -> None:
        for game in self.kind.games(self.t):
            if game.table is None:
                assert game.id not in self.games
                self.games.add(game.id)
                self.table += 1
                self.do(TableOpened(game=game.id, table=self.table))

    def end(self, game: Any, points: tuple[int, ...], **more: Any) -> list[AnyEvent]:
        over = GameOver(game=game.id, table=game.table or 0, why=more.pop("why", "mated"), points=points, **more)
        events = self.do(over)
        assert not self.do(over)
        return events


def form(format: Any, **more: Any) -> TournamentForm:
    terms = more.pop("terms", GameTerms("xiangqi", clock=LIVE))
    return TournamentForm(name="Cup", format=format, terms=terms, **{"start": START, "min_players": 2, **more})


def points_of(rng: random.Random, seats: int) -> tuple[int, ...]:
    if seats == 2:
        return rng.choice([(1, -1), (-1, 1), (0, 0)])
    return tuple(rng.randint(-4, 6) for _ in range(seats))


def played_out(run: Run, rng: random.Random, *, trouble: float, decided: bool = False) -> int:
    """Play until it is over, with all that may go wrong on the way; return how many steps it took."""
    t = run.t
    for steps in range(20_000):
        t = run.t
        if run.kind.over(t):
            return steps
        if rng.random() < 0.02:
            run.killed()
        run.open_all()
        games = run.kind.games(run.t)
        assert (
            len({user for game in games for user in game.users if user is not None})
            == len([user for game in games for user in game.users if user is not None])
            or t.form.by_days
        )
        what = rng.random()
        people = sorted({user for one in t.entrants if one.state != "out" for user in one.users if user is not None})
        if what < trouble and people and t.state == "running":
            somebody = rng.choice(people)
            kind = rng.randrange(4)
            if kind == 0:
                run.do(Withdraw(), somebody)
            elif kind < 3:
                why: Any = ("banned", "deleted")[kind - 1]
                run.do(Gone(user=somebody, why=why))
                assert not run.do(Gone(user=somebody, why=why)) or run.cut is not None
            elif t.form.format == "arena":
                refused(run, Enter(), somebody, {"ALREADY_PLAYING", "GAME_RUNNING"})
            continue
        if not games:
            before = len(run.log)
            run.pass_time()
            assert len(run.log) > before or run.kind.over(run.t) or run.now < (run.kind.due(run.t) or 0)
            continue
        game = rng.choice(games)
        run.now += rng.randint(0, 60_000)
        seats = len(game.users)
        how = rng.random()
        if how < trouble:
            absent = tuple(seat for seat in range(seats) if rng.random() < 0.5 and game.users[seat] is not None)
            run.end(game, (), why="absent", absent=absent)
        elif how < 1.5 * trouble:
            run.end(game, (), why=rng.choice(["void", "closed"]))
        else:
            points = points_of(rng, seats)
            if decided and seats == 2 and points[0] == points[1]:
                points = (1, -1)
            run.end(game, points, places=tuple(sorted(points, reverse=True).index(p) + 1 for p in points))
    raise AssertionError(f"{t.form.format} does not end")


def refused(run: Run, command: AnyCommand, by: int | None, codes: set[str]) -> bool:
    """Say it, and tell whether it was refused, which may be with these codes only."""
    try:
        run.do(command, by)
    except HallError as wrong:
        if wrong.code not in codes:
            raise
        return True
    return False


def entered(run: Run, count: int, rng: random.Random) -> None:
    size = run.t.form.team_size
    for team in range(count):
        first = team * size + 1
        partners = tuple(range(first + 1, first + size))
        ratings = tuple(rng.choice([None, rng.randint(800, 2200)]) for _ in range(size))
        if refused(run, Enter(partners=partners, ratings=ratings), first, {"TABLE_FULL", "GAME_RUNNING"}):
            continue
        for partner in partners:
            run.do(Agree(no=len(run.t.entrants)), partner)


SHAPES: dict[str, dict[str, Any]] = {
    "two": {},
    "days": {"terms": GameTerms("xiangqi", clock=DAYS)},
    "twice": {"games_per_pair": 2},
    "gouji": {"seats": 6, "partners": "fixed", "terms": GameTerms("gouji", clock=LIVE)},
    "drawn": {"seats": 6, "partners": "drawn", "terms": GameTerms("gouji", clock=LIVE)},
    "mahjong": {"seats": 4, "terms": GameTerms("mahjong", clock=LIVE)},
}


def fits(format: str, shape: str) -> bool:
    return not (
        (format in ("knockout", "arena") and shape in ("drawn", "mahjong"))
        or (format == "arena" and shape in ("days", "twice"))
    )


@pytest.mark.parametrize(
    ("format", "shape"),
    [
        (format, shape)
        for format in ("sections", "knockout", "swiss", "arena")
        for shape in SHAPES
        if fits(format, shape)
    ],
)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 2**32),
    count=st.integers(2, 19),
    trouble=st.sampled_from([0.0, 0.02, 0.15]),
    size=st.integers(2, 6),
    reserves=st.integers(0, 2),
    by_rating=st.booleans(),
    cut=st.booleans(),
)
def test_it_ends_and_is_its_events_and_the_coins_are_there(
    format: Any, shape: str, seed: int, count: int, trouble: float, size: int, reserves: int, by_rating: bool, cut: bool
) -> None:
    rng = random.Random(seed)
    shaped: dict[str, Any] = {
        "section_size": max(size, 6 if shape in ("drawn", "mahjong") else 2),
        "by_rating": by_rating,
        "fee": 10,
        "prizes": (50, 25, 10),
        "max_players": max(4, count - reserves),
        "reserves": 0 if format == "arena" else reserves,
        "minutes": 10,
        "rounds": 4,
        **SHAPES[shape],
    }
    run = Run(form(format, **shaped), cut=random.Random(seed) if cut else None)
    entered(run, count, rng)
    for _ in range(rng.randrange(5)):
        somebody = rng.randint(1, count)
        codes = {"NOT_MEMBER", "ALREADY_PLAYING", "BANNED", "BAD_OPTION", "TABLE_FULL"}
        noise: tuple[AnyCommand, ...] = (
            Withdraw(),
            Enter(),
            Gone(user=somebody, why="deleted"),
            Gone(user=somebody, why="banned"),
        )
        what = rng.choice(noise)
        refused(run, what, None if isinstance(what, Gone) else somebody, codes)
    assert run.kind.due(run.t) == START
    run.killed()
    run.pass_time()
    if run.t.state == "running" and run.t.half_at is not None and rng.random() < 0.7:
        run.open_all()
        run.now = run.t.half_at
        run.do(Idle(users=tuple(user for user in run.t.entrant(run.t.order[0]).users if user is not None)))
        assert not run.do(Idle(users=(1,)))
        assert run.t.half_at is None
    played_out(run, rng, trouble=trouble)
    run.killed()
    assert run.refold() == run.t
    assert run.coins["escrow"] == 0
    assert sum(run.coins.values()) == 0
    assert run.kind.due(run.t) is None
    assert not run.kind.games(run.t)
    looked_at(run)
    if run.t.state == "finished":
        ranks = [place.place for place in run.t.places]
        assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks]
        assert {place.no for place in run.t.places} == {no for no in run.t.order if run.t.plays(no)}
        legal(run)


def looked_at(run: Run) -> None:
    """Everybody can see the page, as JSON."""
    for viewer in (None, 1, 999):
        shown = run.kind.public(run.t, viewer, 0)
        assert msgspec.json.decode(msgspec.json.encode(shown), type=TournamentPage) == shown


def legal(run: Run) -> None:
    """What must hold of pairings and tables, reckoned anew."""
    t = run.t
    for stage in t.stages:
        for round in {one.round for one in stage.meetings}:
            seated = [no for one in stage.meetings if one.round == round for no in one.sides if no is not None]
            assert len(seated) == len(set(seated)) or t.form.format == "arena"
        assert all(one.over for one in stage.meetings)
        met = Counter(frozenset(one.sides) for one in stage.meetings)
        if t.form.format == "swiss" and t.form.duels:
            assert max(met.values(), default=0) <= 1
            assert max(Counter(no for _, no in stage.byes).values(), default=0) <= 1
        if t.form.format == "swiss" and t.form.duels:
            recomputed_swiss(t)
        if t.form.format == "arena":
            recomputed_arena(t)
        if t.form.format == "knockout":
            recomputed_knockout(t)
        if t.form.format == "sections" and t.form.duels:
            for nos in stage.sections:
                counted = [no for no in nos if t.entrant(no).struck != stage.no]
                both = [frozenset((a, b)) for at, a in enumerate(counted) for b in counted[:at]]
                final = len(stage.sections) == 1 and len(nos) == 2
                assert all(met[pair] == (1 if final else t.form.games_per_pair) for pair in both)
                recomputed(t, stage.no, nos)
        if not t.form.duels:
            for nos in stage.sections:
                for row in table_of(t, stage, nos):
                    got = sum(
                        result.points[side]
                        for one in stage.meetings
                        for side, no in enumerate(one.sides)
                        for result in one.results
                        if no == row.no and result.points
                    )
                    assert got == row.score


def recomputed(t: Tournament, stage_no: int, nos: tuple[int, ...]) -> None:
    """The table of a section, written down a second time."""
    stage = t.stages[stage_no - 1]
    counted = {no for no in nos if t.entrant(no).struck != stage_no}

    def meetings(no: int) -> list[tuple[int, float, float]]:
        found = []
        for one in stage.meetings:
            if no in one.sides and counted.issuperset(one.sides) and one.score is not None:
                side = one.sides.index(no)
                found.append((one.sides[1 - side] or 0, one.score[side], one.score[1 - side]))
        return found

    score = {no: sum(got for _, got, _ in meetings(no)) for no in counted}
    sb = {
        no: sum(got * score[other] for other, got, _ in meetings(no) if t.entrant(other).why != "banned")
        for no in counted
    }
    wins = {no: sum(got > theirs for _, got, theirs in meetings(no)) for no in counted}
    for row in section(t, stage, nos):
        if row.no in counted:
            mine = (score[row.no], sb[row.no], wins[row.no])
            assert (row.score, *row.ties) == mine
            assert row.place == 1 + sum((score[no], sb[no], wins[no]) > mine for no in counted)


def recomputed_swiss(t: Tournament) -> None:
    """The table of a Swiss, written down a second time, round by round."""
    stage = t.stage
    got = dict.fromkeys(t.order, 0.0)
    for one in stage.meetings:
        for no, points in zip(one.sides, one.score or (), strict=True):
            got[no or 0] += points
    for _, no in stage.byes:
        got[no] += 1
    lines = {}
    for no in t.order:
        opponents, wins = [], 0
        for one in stage.meetings:
            if no in one.sides and one.score is not None:
                me = one.sides.index(no)
                other = one.sides[1 - me] or 0
                over_the_board = [result for result in one.results if result.why != "absent"]
                theirs = 0.0 if t.entrant(other).why == "banned" else got[other]
                opponents.append(theirs if over_the_board else got[no])
                wins += one.score[me] == 1
        opponents += [got[no] for _, out in stage.byes if out == no]
        opponents.sort()
        lines[no] = (got[no], sum(opponents[1:]), sum(opponents), wins)
    for row in table_of(t, stage, t.order):
        assert (row.score, *row.ties) == lines[row.no]
        assert row.place == 1 + sum(line > lines[row.no] for line in lines.values())


def recomputed_arena(t: Tournament) -> None:
    """The table of an arena, from the results of each player one after the other."""
    for row in table_of(t, t.stage, t.order):
        points, results = 0, []
        for one in t.stage.meetings:
            if row.no in one.sides and one.score is not None:
                results.append(one.score[one.sides.index(row.no)])
                won_before = results[-3:-1] == [1.0, 1.0]
                points += {1.0: 4 if won_before else 2, 0.5: 1, 0.0: 0}[results[-1]]
        assert (row.score, *row.ties) == (points, results.count(1.0))


def recomputed_knockout(t: Tournament) -> None:
    """Nobody plays on who was beaten, and the places are the rounds in which they were."""
    beaten: dict[int, int] = {}
    for one in t.stage.meetings:
        assert one.score is not None
        for no, points in zip(one.sides, one.score, strict=True):
            assert no not in beaten
            if points != 1:
                beaten[no or 0] = one.round
    stayed = {place.no: beaten.get(place.no, 99) for place in t.places}
    for place in t.places:
        assert place.place == 1 + sum(other > stayed[place.no] for other in stayed.values())


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), count=st.integers(2, 24))
def test_colours_of_a_swiss_stay_within_the_limits(seed: int, count: int) -> None:
    """Nobody has one colour three times more than the other, nor three times in a row, before the last round."""
    rng = random.Random(seed)
    run = Run(form("swiss", rounds=6, max_players=30))
    entered(run, count, rng)
    run.pass_time()
    played_out(run, rng, trouble=0.0)
    stage = run.t.stage
    for no in run.t.order:
        mine = [one for one in stage.meetings if no in one.sides and one.round < stage.rounds]
        colours = [one.sides[0] == no for one in mine]
        assert abs(2 * sum(colours) - len(colours)) <= 2, colours
        assert all(len(set(colours[at : at + 3])) > 1 for at in range(len(colours) - 2)), colours


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), count=st.integers(3, 12))
def test_nobody_meets_the_same_twice_in_a_row_in_an_arena_where_another_is_free(seed: int, count: int) -> None:
    rng = random.Random(seed)
    run = Run(form("arena", minutes=20, max_players=30))
    entered(run, count, rng)
    run.pass_time()
    last: dict[int, int] = {}
    seen = 0
    while not run.kind.over(run.t):
        run.open_all()
        fresh = run.t.stage.meetings[seen:]
        seen += len(fresh)
        for round in {one.round for one in fresh}:
            wave = [one for one in fresh if one.round == round]
            for one in wave:
                a, b = one.sides
                if a is not None and b is not None:
                    assert len(wave) == 1 or last.get(a) != b
                    last[a], last[b] = b, a
        games = run.kind.games(run.t)
        if games and rng.random() < 0.8:
            run.end(rng.choice(games), points_of(rng, 2))
            run.now += rng.randint(0, 20_000)
        else:
            run.pass_time()
