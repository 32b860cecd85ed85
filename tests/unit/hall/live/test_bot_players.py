"""When a bot's move is put down: by what all see and a draw, later than its search ends and before its clock does."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import msgspec
import pytest

from qipai import games
from qipai.core.contract import NATURE
from qipai.core.entry import rules_of
from qipai.core.rng import Stream
from qipai.hall.live.bot_players import BUDGET_MS, MARGIN_MS, MOST_ASKING, BotPlayers
from qipai.hall.table.clock import Fischer, Move, NoClock, start
from qipai.hall.table.errors import HallError
from qipai.hall.table.tempers import TEMPERS

GAMES = [name for name in games.names() if games.find(name).pace is None]
HIDDEN = [name for name in GAMES if games.find(name).cards or name == "mahjong"]


def at(name: str, state: Any, level: str = "steady", n: int = 1, clock: Any = None, **more: Any) -> Any:
    """Return a table at a state of a game, where every seat is a bot that is asked its question number n."""
    entry = games.find(name)
    seats = max(entry.seats)
    clock = clock or NoClock()
    deal = SimpleNamespace(
        options=entry.chosen({}),
        state=state,
        game_id="g1",
        server_seed="5eed",
        luck=("g1", 1, ()),
        soon=None,
        concealed_until=None,
        who=(level,) * seats,
        asks=("play",) * seats,
        since=(1000,) * seats,
        ids=(n,) * seats,
        timed=frozenset() if isinstance(clock, NoClock) else frozenset(range(seats)),
        clock=clock,
        clocks=(start(clock),) * seats,
        changed={},
    )
    vars(deal).update(more)
    setting = SimpleNamespace(game=name, seats=seats, places=seats + entry.bench)
    return SimpleNamespace(entry=entry, setting=setting, deal=deal, chairs=[SimpleNamespace(bot=level)] * seats)


def played(name: str, luck: Stream, most: int) -> Iterator[tuple[Any, int]]:
    """Yield states of a random deal in which seats are asked, each with one of them."""
    entry = games.find(name)
    options = entry.chosen({})
    rules, state = rules_of(entry, options), None
    for _ in range(40 * most):
        state = rules.start(entry.carry(options, 0)) if state is None else state
        if rules.outcome(state) is not None:
            return
        asked = sorted(rules.turn(state).seats)
        seat = asked[luck.below(len(asked))]
        if seat != NATURE and luck.below(3) == 0:
            yield state, seat
            most -= 1
            if not most:
                return
        action = rules.chance(state, luck) if seat == NATURE else rules.sample(state, seat, luck)
        state = rules.apply(state, seat, action).state


def paces(table: Any, seat: int, action: Any = None, pace_ms: int = 700) -> list[int]:
    found = []
    for n in range(1, 40):
        table.deal.ids = (n,) * len(table.deal.ids)
        found.append(BotPlayers(None, pace_ms).pace(table, seat, action))  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("name", HIDDEN)
def test_a_time_tells_of_no_hand(name: str) -> None:
    """Hands dealt anew behind what a watcher sees change no time, nor does what is answered."""
    entry = games.find(name)
    rules = rules_of(entry, entry.chosen({}))
    luck = Stream.of_seed(f"pace {name}")
    others = 0
    for state, seat in played(name, luck, 12):
        seen = rules.observe(state, None)
        dreamt = rules.imagine(seen, luck)
        assert rules.observe(dreamt, None) == seen
        others += rules.observe(dreamt, seat) != rules.observe(state, seat)
        real = paces(at(name, state), seat, {"a": "pass"})
        assert real == paces(at(name, dreamt), seat, {"a": "play", "cards": "33"})
        assert len(set(real)) > 15
        # The search of the level fits before it, so the time is that of the draw alone.
        assert min(real) >= BUDGET_MS["steady"] + MARGIN_MS
        # Nor would it if a game weighed all that it is given.
        one, other = at(name, state), at(name, dreamt)
        one.entry = other.entry = nosy(entry)
        assert paces(one, seat) == paces(other, seat) != real
    assert others > 5  # there were other hands


def nosy(entry: Any) -> Any:
    """Return an entry whose `weight` hangs on every letter of the view."""

    def weight(options: Any, view: Any) -> int:
        return 50 + crc32(msgspec.json.encode(view)) % 300

    return SimpleNamespace(weight=weight, pace=None, cards=True, conceal=entry.conceal, level=entry.level)


@pytest.mark.parametrize("name", GAMES)
def test_hard_choices_take_longer_than_easy_ones(name: str) -> None:
    entry = games.find(name)
    options = entry.chosen({})
    rules, luck = rules_of(entry, options), Stream.of_seed(f"weights {name}")
    found = [
        (entry.weight(options, rules.observe(state, None)), statistics.fmean(paces(at(name, state), seat)))
        for state, seat in played(name, luck, 12)
    ]
    assert all(20 <= weight <= 500 for weight, _ms in found)
    found.sort()
    assert len({weight for weight, _ms in found}) > 1
    (easy, _), (hard, _) = found[0], found[-1]
    assert hard > easy


def test_temperaments_differ_in_their_time_alone() -> None:
    state, _seat = next(played("doudizhu", Stream.of_seed("tempers"), 1))
    mean = {TEMPERS[seat].name: statistics.fmean(paces(at("doudizhu", state), seat)) for seat in (0, 1, 2)}
    assert mean["quick"] < mean["warm"] < mean["calm"]


def test_a_hall_without_a_pace_has_none() -> None:
    state, seat = next(played("gouji", Stream.of_seed("none"), 1))
    assert set(paces(at("gouji", state, "strong"), seat, pace_ms=0)) == {0}


def test_a_bot_hurries_with_a_short_clock() -> None:
    state, seat = next(played("gouji", Stream.of_seed("clock"), 1))
    for s in (1, 2, 5):
        assert max(paces(at("gouji", state, "strong", clock=Move(s)), seat)) <= 1000 * s * 2 // 3
    assert max(paces(at("gouji", state, "strong", clock=Move(30)), seat)) > 2000
    state, seat = next(played("xiangqi", Stream.of_seed("clock"), 1))
    assert max(paces(at("xiangqi", state, clock=Fischer(4)), seat)) <= 4000 // 20
    assert max(paces(at("xiangqi", state, clock=Fischer(4, 2)), seat)) <= 4000 * 2 // 3
    assert max(paces(at("xiangqi", state, soon=1300), seat)) <= 300


def test_the_search_ends_before_the_move_is_played() -> None:
    budgets: list[int] = []

    class Thinker:
        def prepare(self, game: str) -> None:
            raise AssertionError(game)

        async def choose(self, game: str, options: Any, level: str, view: bytes, **more: Any) -> Any:
            budgets.append(more["budget_ms"])
            return SimpleNamespace(action=b'{"a":"pass"}', below=False)

    state, seat = next(played("gouji", Stream.of_seed("clock"), 1))
    for clock in (NoClock(), Move(1), Move(30), Fischer(4)):
        one = at("gouji", state, "strong", clock=clock)
        asyncio.run(BotPlayers(Thinker(), 700).choose(one, seat, 1000))
        assert budgets[-1] <= min(paces(one, seat)) - MARGIN_MS
    assert budgets[0] == BUDGET_MS["strong"]


def test_who_asks_for_advice_is_answered_from_what_his_seat_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []

    class Thinker:
        def prepare(self, game: str) -> None:
            raise AssertionError(game)

        async def choose(self, game: str, options: Any, level: str, view: bytes, **more: Any) -> Any:
            asked.append((game, options, level, view))
            return SimpleNamespace(action=b'{"a":"pass"}', below=False)

    monkeypatch.setattr("qipai.hall.live.bot_players.view_of", lambda table, deal, seat: {"only": seat})
    deal = SimpleNamespace(luck=("g1", 1, ()), ids=(1,) * 6, changed={"tribute": False})
    one: Any = SimpleNamespace(setting=SimpleNamespace(game="gouji"), deal=deal, entry=games.find("gouji"))
    assert asyncio.run(BotPlayers(Thinker(), 0).advise(one, 2)) == {"a": "pass"}
    assert asked == [("gouji", {"tribute": False}, "steady", b'{"only":2}')]


def test_one_position_is_thought_of_at_a_time_and_one_person_asks_for_one() -> None:
    thinking: list[int] = []

    class Thinker:
        def prepare(self, game: str) -> None:
            raise AssertionError(game)

        async def choose(self, game: str, options: Any, level: str, view: bytes, **more: Any) -> Any:
            thinking.append(1)
            assert len(thinking) == 1
            await asyncio.sleep(0)
            thinking.pop()
            return SimpleNamespace(action=b'{"a":"pass"}', below=False)

    async def test() -> None:
        players = BotPlayers(Thinker(), 0)
        people = [*range(MOST_ASKING), 0, MOST_ASKING]
        found = await asyncio.gather(*(players.best(n, "gouji", {}, {}, "") for n in people), return_exceptions=True)
        assert found[:MOST_ASKING] == [{"a": "pass"}] * MOST_ASKING
        assert [one.code for one in found[MOST_ASKING:] if isinstance(one, HallError)] == ["RATE_LIMIT"] * 2
        assert await players.best(0, "gouji", {}, {}, "") == {"a": "pass"}

    asyncio.run(test())
