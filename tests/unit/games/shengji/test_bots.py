"""The players: what they do is allowed, follows from the view alone, and makes sense."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.unit.games.shengji.tables import playing

from qipai.arena.match import Terms, sit
from qipai.core import watch
from qipai.core.rng import Stream
from qipai.games.shengji import observation
from qipai.games.shengji.bots.easy import Easy
from qipai.games.shengji.bots.measure import levels, played
from qipai.games.shengji.bots.steady import Steady
from qipai.games.shengji.bots.strong import Strong
from qipai.games.shengji.imagine import public_table, room_for
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.kernel import worlds
from qipai.games.shengji.notation import RANKS
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.selfplay import warm
from qipai.games.shengji.state import Action, Play, View

RULES = Shengji()


@pytest.mark.parametrize("decks", [1, 2, 3])
def test_players_never_do_what_is_refused(decks: int) -> None:
    found = sit(Terms("shengji", ("steady", "easy"), {"decks": decks}, seed=decks), 0, False)
    assert found.faults == (0, 0)
    assert min(found.actions) > 10


def test_the_strong_player_plays_a_whole_deal_by_the_rules() -> None:
    found = sit(Terms("shengji", ("strong", "easy"), {"decks": 1}, budget_ms=1), 0, False)
    assert found.faults == (0, 0)


@pytest.mark.parametrize("make", [Easy, Steady])
def test_what_a_player_does_depends_on_its_view_alone(make: type[Easy | Steady]) -> None:
    rules = RULES
    rng, state = Stream.of_seed(8), rules.start()
    asked = 0
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        if seat < 0:
            state = rules.apply(state, seat, rules.chance(state, rng)).state
            continue
        view = rules.observe(state, seat)
        dream = rules.imagine(view, rng)
        action = make(rules.options).choose(view, 100)
        assert action == make(rules.options).choose(rules.observe(dream, seat), 100)
        assert action is not None
        asked += 1
        state = rules.apply(state, seat, action).state
    assert asked > 40


def test_a_safe_partner_is_fed_and_an_opponent_is_not() -> None:
    hands = ["AH 2D 3D", "3H 4D 5D", "KH 4H 6D", "QH 7D 8D"]
    state = playing(Options(decks=1), hands)
    rules = Shengji(Options(decks=1))
    for seat, cards in ((0, ("AH",)), (1, ("3H",))):
        state = rules.apply(state, seat, Play(cards)).state
    assert Steady(rules.options).choose(rules.observe(state, 2), 100) == Play(("KH",))
    foe = playing(Options(decks=1), ["2D 3D 4D", "AH 4C 5D", "KH 4H 6D", "QH 7D 8D"])
    for seat, cards in ((0, ("2D",)), (1, ("5D",)), (2, ("6D",)), (3, ("8D",))):
        foe = rules.apply(foe, seat, Play(cards)).state
    foe = rules.apply(foe, 3, Play(("QH",))).state
    foe = rules.apply(foe, 0, Play(("3D",))).state
    foe = rules.apply(foe, 1, Play(("AH",))).state
    assert Steady(rules.options).choose(rules.observe(foe, 2), 100) == Play(("4H",))


def test_what_nobody_can_beat_is_thrown_together() -> None:
    hands = ["AH AH KH KH QH 2D", "2C 3C 4C 5C 6C 7C", "7C 8C 9C 2C 3C 9D", "4C 5C 6C 7C 8C 9C"]
    state = playing(Options(), hands)
    action = Steady().choose(RULES.observe(state, 0), 100)
    assert isinstance(action, Play)
    assert set(action.cards) >= {"AH", "KH"}
    assert isinstance(Strong().choose(RULES.observe(state, 0), 20), Play)


def views(seed: int, options: Options | None = None) -> Iterator[tuple[View, Action]]:
    """Yield what each seat saw in the tricks of a deal of steady players, and what it did."""
    rules, rng = Shengji(options or Options()), Stream.of_seed(seed)
    state = rules.start()
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        if seat < 0:
            state = rules.apply(state, seat, rules.chance(state, rng)).state
            continue
        view = rules.observe(state, seat)
        action = Steady(rules.options).choose(view, 0)
        assert action is not None
        if view.phase in ("burying", "playing"):
            yield view, action
        state = rules.apply(state, seat, action).state


def test_without_time_the_strong_player_does_what_the_steady_one_does() -> None:
    seen = list(views(3))
    assert len(seen) > 60
    for view, action in seen:
        assert Strong().choose(view, 0) == action


def first_lead(rules: Shengji) -> View:
    """The view of who leads first in a deal."""
    rng, state = Stream.of_seed(3), rules.start()
    while True:
        seat = min(rules.turn(state).seats)
        if seat >= 0 and (view := rules.observe(state, seat)).phase == "playing":
            return view
        action = rules.chance(state, rng) if seat < 0 else Easy().choose(view, 1) or rules.idle(state, seat)
        state = rules.apply(state, seat, action).state


def test_a_deal_that_takes_too_long_is_not_played_out_with_every_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    view, clock, tries = first_lead(RULES), [0.0], 0

    def tried(self: Strong, view: View, cards: object) -> int:
        nonlocal tries
        tries += 1
        clock[0] += 0.003
        return 0

    monkeypatch.setattr(watch.time, "perf_counter", lambda: clock[0])  # type: ignore[attr-defined]
    monkeypatch.setattr(Strong, "tried", tried)
    bot = Strong()
    assert len(bot.candidates(public_table(RULES.options, view), view)) > 3
    assert bot.choose(view, 10) == Steady().choose(view, 10)
    assert tries == 3  # after 9 ms; 8.5 are a choice's part of 10


def test_the_strong_player_buries_leads_and_follows_before_anybody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not compiled before takes longer than a choice may."""
    seen = []
    rehearse = Strong.rehearse

    def told(self: Strong, view: View) -> None:
        rehearse(self, view)
        seen.append((view.phase, self.world.reg[t.TABLED] > 0))

    monkeypatch.setattr(Strong, "rehearse", told)
    warm()
    assert seen == [("burying", False), ("playing", False), ("playing", True)]


@pytest.mark.parametrize("options", [Options(decks=1), Options(), Options(decks=3)])
def test_an_imagined_dealer_has_buried_well_and_holds_what_it_must(options: Options) -> None:
    room, world = t.new_room(), t.new_table()
    points = 0
    before = 0
    for view, _action in list(views(options.decks, options))[1::9]:
        seat, dealer = view.seat, view.dealer
        assert seat is not None
        assert dealer is not None
        if seat == dealer:
            continue
        s = public_table(options, view)
        worlds.imagine(s, world, seat, room_for(view), 5, room)
        held = [a + b for a, b in zip(world.hands[dealer * t.CARDS :][: t.CARDS], world.kitty, strict=True)]
        sizes = sum(world.hands), sum(world.kitty)
        before += int(t.points_in(world.kitty, 0))
        free = [bool(s.lacks[dealer * t.GROUPS + group] & t.VOID) for group in range(t.GROUPS)]
        voids = [free[world.group[card]] and not world.hands[dealer * t.CARDS + card] for card in range(t.CARDS)]
        worlds.bury_well(world, room)
        points += int(t.points_in(world.kitty, 0))
        now = [a + b for a, b in zip(world.hands[dealer * t.CARDS :][: t.CARDS], world.kitty, strict=True)]
        assert now == held
        assert (sum(world.hands), sum(world.kitty)) == sizes
        for card in range(t.CARDS):
            assert world.hands[dealer * t.CARDS + card] >= s.shown[dealer * t.CARDS + card]
            if voids[card]:
                assert not world.hands[dealer * t.CARDS + card]
    assert points < before


def test_what_one_side_wins_in_levels_the_other_loses() -> None:
    options = Options(decks=1)
    rules = Shengji(options)
    worth = []
    for deal in range(6):
        state = played(rules, [Easy(options) for _ in range(4)], Stream.of_seed(deal), 0)
        before, after = state.levels, observation.outcome_of(options, state).levels
        rises = [RANKS.index(after[team]) - RANKS.index(before[team]) for team in (0, 1)]
        assert levels(options, state, 0) == rises[0] - rises[1] == -levels(options, state, 1)
        worth.append(rises[0] - rises[1])
    assert len(set(worth)) > 1
