"""What comes next in a tournament: it starts, rounds are paired, stages end, prizes are given. Pure.

`step` looks at the state alone and returns the events that are due, nothing where it has to wait. So a hall that was
killed between two events goes on where it stopped, and whoever asks twice is told nothing the second time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qipai.contests import pairing
from qipai.contests.prizes import shared, split
from qipai.contests.tournaments import arena, knockout, monrad, ranking, swiss
from qipai.contests.tournaments.events import (
    AnyEvent,
    Cancelled,
    Checked,
    Finished,
    Paired,
    Promoted,
    Scored,
    StageBegan,
    StageEnded,
    Started,
    TimeOver,
    Withdrew,
)
from qipai.contests.tournaments.model import Entrant, Meeting, Pair, Stage, Tournament, users_of
from qipai.core.rng import Stream

__all__ = ["due", "released", "start", "step"]

Draw = Callable[[], str]


def due(state: Tournament) -> int | None:
    """Return when time brings the next thing (ms), None: nothing waits for time."""
    if state.state == "open":
        return state.full_at if state.form.start == "full" else state.form.start
    if state.state != "running":
        return None
    times = [] if state.half_at is None else [state.half_at]
    if state.form.format == "arena" and state.stages and not state.stage.time_over:
        times.append(state.ends_at)
        if len(arena.waiting(state)) > 1:
            times.append(state.stage.wave)
    return min(times, default=None)


def step(state: Tournament, now: int, draw: Draw) -> Sequence[AnyEvent]:
    """Return the events that are due now, to be folded before the next step; nothing: all is done."""
    if state.state == "open":
        moved_up = _promoted(state)
        at = due(state)
        return moved_up or (start(state, draw) if at is not None and now >= at else ())
    if state.state != "running":
        return ()
    if (state.half_at is None or now >= state.half_at) and (gone := released(state)):
        return gone
    if not state.stages:
        return _first_stage(state)
    stage = state.stage
    if any(one.state == "out" for one in state.entrants):
        given_up = [_given_up(state, one) for one in stage.meetings if not one.over]
        events = [event for event in given_up if event is not None]
        if events:
            return events
    if state.form.format == "arena":
        return _arena(state, now)
    if any(not one.over for one in stage.meetings):
        return ()
    if stage.winners is not None:
        return _next_stage(state, stage.winners)
    return _next_round(state, stage) or _ended(state, stage)


def _promoted(state: Tournament) -> Sequence[AnyEvent]:
    """Return that reserves take places that have become free before the start."""
    inside = sum(one.state == "in" for one in state.entrants)
    reserves = [one.no for one in state.entrants if one.state == "reserve"]
    return [Promoted(no=no) for no in reserves[: max(0, state.form.max_players - inside)]]


# The start ------------------------------------------------------------------------------------------------------------


def start(state: Tournament, draw: Draw) -> Sequence[AnyEvent]:
    """Return that it begins, or that it is cancelled: too few have come, or the first prize is too small (P-79)."""
    form, ready = state.form, state.ready
    if len(ready) < form.min_players:
        return [Cancelled(reason="few")]
    if form.fee and not split(form.fee, len(ready), form.prizes).may_start:
        return [Cancelled(reason="prize")]
    seed = draw()
    drawn = Stream.of_seed(f"{seed}|start").shuffled(ready)
    order = sorted(drawn, key=_by_rating) if form.by_rating else drawn
    unfinished = [one for one in state.entrants if one.state != "out" and not one.complete]
    return [
        *(Withdrew(no=one.no, why="incomplete") for one in unfinished),
        Started(seed=seed, order=tuple(one.no for one in order)),
    ]


def _by_rating(entrant: Entrant) -> tuple[bool, int]:
    return (entrant.rating is None, -(entrant.rating or 0))


def released(state: Tournament) -> Sequence[AnyEvent]:
    """Return that reserves who have got no place go, with their fees: nobody is replaced any more."""
    unused = [Withdrew(no=one.no, why="unused") for one in state.entrants if one.state == "reserve"]
    return [*unused, Checked()] if unused or state.half_at is not None else ()


def _first_stage(state: Tournament) -> Sequence[AnyEvent]:
    form, count = state.form, len(state.order)
    if form.format == "sections":
        return [_sections(state, state.order)]
    if form.format == "knockout":
        places = knockout.places(state.order)
        return [StageBegan(sections=(places,), rounds=len(places).bit_length() - 1)]
    if form.format == "swiss":
        most = count - 1 + count % 2 if form.duels else form.rounds
        return [StageBegan(sections=(state.order,), rounds=min(form.rounds, most))]
    return [StageBegan(sections=(state.order,))]


# Sections -------------------------------------------------------------------------------------------------------------


def _sections(state: Tournament, nos: Sequence[int]) -> StageBegan:
    """Return the next stage of sections. By rating they are filled to and fro, so that all are equally strong."""
    form = state.form
    sizes = pairing.sections(len(nos), form.section_size)
    groups: list[list[int]] = [[] for _ in sizes]
    if form.by_rating:
        order = sorted(nos, key=state.order.index)
        at = 0
        while at < len(order):
            row = [group for group, size in zip(groups, sizes, strict=True) if len(group) < size]
            for group in row if len(groups[0]) % 2 == 0 else row[::-1]:
                if at < len(order):
                    group.append(order[at])
                    at += 1
    else:
        drawn = Stream.of_seed(f"{state.seed}|stage {len(state.stages) + 1}").shuffled(nos)
        taken = 0
        for group, size in zip(groups, sizes, strict=True):
            group += drawn[taken : taken + size]
            taken += size
    most = max(sizes)
    if not form.duels:
        rounds = form.rounds
    elif len(sizes) == 1 and most == 2:
        rounds = 1  # the final match
    else:
        rounds = (most - 1 + most % 2) * form.games_per_pair
    return StageBegan(sections=tuple(tuple(group) for group in groups), rounds=rounds)


def _berger(state: Tournament, stage: Stage, round: int) -> list[Pair]:
    """Return the pairs of a round in all sections, by the Berger table (P-68); colours change in the second half."""
    if len(stage.sections) == 1 and len(stage.sections[0]) == 2:
        first, second = stage.sections[0]
        return [Pair(f"{stage.no}.1.1.1", (first, second), wins=state.form.final_wins)]
    pairs = []
    for number, nos in enumerate(stage.sections, 1):
        table = pairing.round_robin(len(nos))
        cycle, at = divmod(round - 1, max(1, len(table)))
        if not table or cycle >= state.form.games_per_pair:
            continue
        boards = [(nos[a - 1], nos[b - 1]) for a, b in table[at]]
        for board, (a, b) in enumerate(boards, 1):
            if stage.no in (state.entrant(a).struck, state.entrant(b).struck):
                continue
            sides = (b, a) if cycle else (a, b)
            pairs.append(Pair(f"{stage.no}.{round}.{number}.{board}", sides, section=number))
    return pairs


# Rounds ---------------------------------------------------------------------------------------------------------------


def _next_round(state: Tournament, stage: Stage) -> Sequence[AnyEvent]:
    """Return the next round of a stage, nothing where there is none."""
    if stage.round >= stage.rounds:
        return ()
    form, round = state.form, stage.round + 1
    if not form.duels:
        return _tables(state, stage, round)
    if form.format == "sections":
        rounds = range(round, stage.rounds + 1) if form.by_days else range(round, round + 1)
        pairs = [(at, pair) for at in rounds for pair in _berger(state, stage, at)]
        named = tuple(at for at, _ in pairs) if len(rounds) > 1 else ()
        return [Paired(round=rounds[-1], pairs=tuple(pair for _, pair in pairs), rounds=named)]
    if form.format == "knockout":
        return _bracket(state, stage, round)
    return _swiss(state, stage, round)


def _bracket(state: Tournament, stage: Stage, round: int) -> Sequence[AnyEvent]:
    """Return a round of the bracket; who had the first seat less often has it, the upper of equals at odd boards."""
    standing = knockout.slots(stage, round)
    firsts = dict.fromkeys(standing, 0)
    for meeting in stage.meetings:
        firsts[meeting.sides[0] or 0] = firsts.get(meeting.sides[0] or 0, 0) + 1
    pairs, byes = [], []
    final = len(standing) == 2
    for board, (one, other) in enumerate(zip(standing[::2], standing[1::2], strict=True), 1):
        if knockout.FREE in (one, other):
            byes += [no for no in (one, other) if no != knockout.FREE]
            continue
        swap = firsts[one] > firsts[other] or (firsts[one] == firsts[other] and board % 2 == 0)
        pairs.append(
            Pair(
                f"{stage.no}.{round}.1.{board}",
                (other, one) if swap else (one, other),
                games=state.form.games_per_pair,
                wins=state.form.final_wins if final else 0,
                decide=True,
            )
        )
    return [Paired(round=round, pairs=tuple(pairs), byes=tuple(byes))]


def _swiss(state: Tournament, stage: Stage, round: int) -> Sequence[AnyEvent]:
    """Return a round of a Swiss of two sides, nothing where it cannot be paired: then it is over."""
    known = swiss.history(state, stage)
    players = [known[no] for no in stage.sections[0] if state.plays(no)]
    found = swiss.paired(players, round, stage.rounds) if len(players) > 1 else None
    if found is None:
        return ()
    pairs = tuple(
        Pair(f"{stage.no}.{round}.1.{board}", sides, games=state.form.games_per_pair)
        for board, sides in enumerate(found.pairs, 1)
    )
    return [Paired(round=round, pairs=pairs, byes=() if found.bye is None else (found.bye,))]


def _tables(state: Tournament, stage: Stage, round: int) -> Sequence[AnyEvent]:
    """Return a round of tables in all sections, nothing where nobody has anybody to play with."""
    form = state.form
    pairs = []
    for number, nos in enumerate(stage.sections, 1):
        rows = [row for row in ranking.table_of(state, stage, nos) if state.plays(row.no)]
        if len(rows) < 2:
            continue
        drawn = Stream.of_seed(f"{state.seed}|{stage.no}.{round}.{number}").shuffled(rows)
        order = [row.no for row in sorted(drawn, key=lambda row: row.place)]
        before = [one for one in stage.meetings if one.pair.section == number]
        seated = monrad.tables(order, form.seats, before, partners=form.partners == "drawn")
        pairs += [Pair(f"{stage.no}.{round}.{number}.{board}", sides, number) for board, sides in enumerate(seated, 1)]
    return [Paired(round=round, pairs=tuple(pairs))] if pairs else ()


def _given_up(state: Tournament, meeting: Meeting) -> AnyEvent | None:
    """Return that a meeting is over because an entrant plays no more; a table of many, because nobody does."""
    gone = [no is None or state.entrant(no).state == "out" for no in meeting.sides]
    if not state.form.duels:
        nobody = tuple(0.0 for _ in gone)
        return Scored(game=meeting.game, scores=nobody, why="withdrew", whole=True) if all(gone) else None
    if not any(gone):
        return None
    scores = tuple(float(not gone[side] and gone[1 - side]) for side in (0, 1))
    return Scored(game=meeting.game, scores=scores, why="withdrew", whole=True)


def _arena(state: Tournament, now: int) -> Sequence[AnyEvent]:
    """Return the next pairings of an arena, that its time is over, or its end."""
    stage = state.stage
    if stage.time_over:
        return () if any(not one.over for one in stage.meetings) else _finished(state)
    if now >= state.ends_at:
        unfinished = [one for one in state.entrants if one.state != "out" and not one.complete]
        return [*(Withdrew(no=one.no, why="incomplete") for one in unfinished), TimeOver()]
    if now < stage.wave or len(arena.waiting(state)) < 2:
        return ()
    round = stage.round + 1
    pairs = tuple(Pair(f"1.{round}.1.{board}", sides) for board, sides in enumerate(arena.pairs(state), 1))
    return [Paired(round=round, pairs=pairs)]


# The end --------------------------------------------------------------------------------------------------------------


def _ended(state: Tournament, stage: Stage) -> Sequence[AnyEvent]:
    """Return what follows the last round of a stage."""
    if state.form.format == "sections":
        return [StageEnded(winners=ranking.winners(state))]
    return _finished(state)


def _next_stage(state: Tournament, winners: Sequence[int]) -> Sequence[AnyEvent]:
    """Return the stage of those who have won their sections, or the end where there was one section only."""
    if len(state.stage.sections) == 1 or len(winners) < 2:
        return _finished(state)
    return [_sections(state, winners)]


def _finished(state: Tournament) -> Sequence[AnyEvent]:
    """Return the end, with the prizes: equals share theirs, a team its own, and the house gets what is left (P-79)."""
    if events := released(state):  # it may end before half the time of the first move is over
        return events
    places = ranking.final(state)
    pool = state.pool
    prizes: list[tuple[int, int]] = []
    if pool:
        amounts = split(pool, 1, state.form.prizes).prizes
        gets, _ = shared(amounts, [one.place for one in places])
        for place, coins in zip(places, gets, strict=True):
            users = users_of(state.entrant(place.no))
            for at, user in enumerate(users):
                part = coins // len(users) + (coins % len(users) if at == 0 else 0)
                if part:
                    prizes.append((user, part))
    house = pool - sum(coins for _, coins in prizes)
    return [Finished(places=places, prizes=tuple(prizes), house=house)]
