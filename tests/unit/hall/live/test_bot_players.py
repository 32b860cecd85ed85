"""When a bot's move is put down: drawn without a look at what may be done, and later than its search ends."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from qipai import games
from qipai.hall.live.bot_players import BUDGET_MS, MARGIN_MS, MOST_ASKING, BotPlayers
from qipai.hall.table.errors import HallError


def table(game: str, level: str, n: int) -> Any:
    deal = SimpleNamespace(luck=("g1", 1, ()), soon=None, since=(0,) * 6, ids=(n,) * 6)
    return SimpleNamespace(entry=games.find(game), deal=deal, chairs=[SimpleNamespace(bot=level)] * 6)


def paces(game: str, level: str, action: Any, pace_ms: int = 700) -> list[int]:
    players = BotPlayers(None, pace_ms)  # type: ignore[arg-type]
    return [players.pace(table(game, level, n), 2, action) for n in range(300)]


@pytest.mark.parametrize("game", ["gouji", "baohuang", "shengji", "mahjong"])
@pytest.mark.parametrize("level", ["easy", "steady", "strong"])
def test_a_pass_takes_as_long_as_a_choice(game: str, level: str) -> None:
    passing, playing = paces(game, level, {"a": "pass"}), paces(game, level, {"a": "play", "cards": "33"})
    assert passing == playing
    # The search of the level fits before it nearly always, so the time is that of the draw alone.
    assert min(passing) >= BUDGET_MS[level] - MARGIN_MS
    assert len(set(passing)) > 20


def test_a_hall_without_a_pace_has_none_and_an_open_board_needs_none() -> None:
    assert set(paces("gouji", "strong", {"a": "pass"}, pace_ms=0)) == {0}
    assert max(paces("xiangqi", "strong", {"a": "move", "m": "h2e2"})) <= 700 * 1.25


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
