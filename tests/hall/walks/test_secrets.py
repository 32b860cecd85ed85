"""What nobody may see: other hands, in the traffic of any line and in the public part of the log (platform W14).

A deal of gouji is played once by six programs that know no rule; the tests look at what every line has carried.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.client import Person
from tests.hall.walks.places import Hall, begun, caught_up, people, play_on, play_out, room, seated, standing
from tests.hall.web.conftest import run
from tests.stores import beside

pytestmark = pytest.mark.slow

RANKS = "3456789TJQKA2xX"
CARDS = re.compile(r"[3-9TJQKA2xX]+")
SIX = ("first", "second", "third", "fourth", "fifth", "sixth")
LATE = """
[[rooms.own]]
kind = "score"
key = "late"
name = { en = "Late" }
games = ["gouji"]
watch = { mode = "delayed", delay_s = 180 }
"""


class Deal(NamedTuple):
    """What is left of the deal."""

    traffic: dict[int | None, list[str]]  # by seat, None the watcher
    told: dict[int | None, list[tuple[str, int, Any]]]
    game: dict[str, Any]  # GET /g/<id>
    log: list[tuple[str, str, str | None]]  # type, data, secret


@pytest.fixture(scope="module")
def deal(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Deal:
    """A deal in a room where watchers see what is public."""

    async def visit(hall: Hall) -> Deal:
        async with people(hall, *SIX) as six, Person(hall) as watcher:
            await (await watcher.guest()).line()
            at = 100 * await room(six[0], "gouji", "score") + 1
            tables = await seated(six, at)
            seen = await watcher.join(at)
            assert seen.info["watch"]["mode"] == "public_only"
            await begun(hall, tables)
            await play_out(hall, [*tables, seen], random.Random(20))
            game = await watcher.get(f"/g/{seen.game['game_id']}")
            everyone = {**dict(enumerate(six)), None: watcher}  # type: ignore[misc]
            with beside(hall.data) as db:
                rows = db.execute(
                    "SELECT type, data, secret FROM events WHERE stream = ? ORDER BY seq", (f"game:{game['game_id']}",)
                ).fetchall()
            return Deal(
                traffic={seat: person.traffic for seat, person in everyone.items()},
                told={seat: person.tables[at].told for seat, person in everyone.items()},
                game=game,
                log=rows,
            )

    with standing(request, tmp_path_factory.mktemp("hall")) as hall:
        found: Deal = run(lambda: visit(hall))
        assert (hall.stop(), hall.complaints()) == (0, "")
    return found


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def numbers(value: Any) -> Iterator[tuple[int, ...]]:
    """Every list of whole numbers in a JSON value."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from numbers(inner)
    elif isinstance(value, list):
        if len(value) >= 3 and all(isinstance(one, int) for one in value):
            yield tuple(value)
        for inner in value:
            yield from numbers(inner)


def hands_through(game: dict[str, Any]) -> list[list[str]]:
    """The six hands before each action, as the rows say: a twin of the rules that knows only that cards leave hands."""
    hands = [""] * 6
    found = []
    for seat, action, *_ in game["rows"]:
        found.append(list(hands))
        if action["a"] == "deal":
            hands = list(action["hands"])
        elif action["a"] == "play":
            for card in action["cards"]:
                assert card in hands[seat]
                hands[seat] = hands[seat].replace(card, "", 1)
    return [*found, hands]


def known(game: dict[str, Any], told: list[tuple[str, int, Any]]) -> set[str]:
    """Everything that lay open on the table, each as sorted cards: sets, all a seat has played so far, fallen hands."""
    played = [""] * 6
    found = set()
    for seat, action, *_ in game["rows"]:
        if action["a"] == "play":
            played[seat] += action["cards"]
            found |= {"".join(sorted(action["cards"])), "".join(sorted(played[seat]))}
    held = {"".join(sorted(hand)) for hands in hands_through(game) for hand in hands}
    for _, _, event in told:
        if event["e"] == "fell":  # gouji 4: whose burn fails shows its cards
            fallen = "".join(sorted(event["cards"]))
            assert fallen in held
            found.add(fallen)
    return found


def during(traffic: list[str]) -> Iterator[Any]:
    """The messages of a line from the deal to just before its end, when all hands are laid open."""
    for frame in traffic:
        message = json.loads(frame)
        if (message.get("view") or {}).get("phase") == "over":
            return
        yield message


def test_everybody_was_told_the_same_public_story(deal: Deal) -> None:
    def story(seat: int | None) -> list[Any]:
        return [event for _, _, event in deal.told[seat] if event["e"] in ("played", "closed", "went_out", "ended")]

    assert len(story(None)) > 20
    for seat in range(6):
        assert story(seat) == story(None)


def test_numbers_of_a_channel_have_no_gaps(deal: Deal) -> None:
    for frames in deal.traffic.values():
        last: dict[str, int] = {}
        for frame in frames:
            message = json.loads(frame)
            if message["t"] == "ev":
                assert message["seq"] == last[message["ch"]] + 1
            if message["t"] in ("ev", "snapshot"):
                last[message["ch"]] = message["seq"]


@pytest.mark.parametrize("seat", [*range(6), None])
def test_no_line_carries_a_card_its_reader_may_not_know(deal: Deal, seat: int | None) -> None:
    hands = hands_through(deal.game)
    others = [other for other in range(6) if other != seat]
    public = known(deal.game, deal.told[None])
    own = Counter() if seat is None else Counter(hands[1][seat])
    hidden = {"".join(sorted(at[other])) for at in hands for other in others if len(at[other]) >= 2} - public
    counts = {tuple(at[other].count(rank) for rank in RANKS) for at in hands for other in others if len(at[other]) >= 2}
    looked = 0
    for message in during(deal.traffic[seat]):
        for text in strings(message):
            if not CARDS.fullmatch(text) or len(text) < 2:
                continue
            looked += 1
            cards = "".join(sorted(text))
            assert cards in public or not (Counter(text) - own), (text, message["t"])
            assert cards not in hidden or not (Counter(text) - own)
        for row in numbers(message):
            assert row not in counts
            assert tuple(reversed(row)) not in counts
    assert looked > 20


def test_the_public_part_of_the_log_holds_no_hand_and_no_seed(deal: Deal) -> None:
    hands = hands_through(deal.game)
    seed = deal.game["fair"]["server_seed"]
    assert deal.log[0][0] == "game.created"
    assert deal.log[-1][0] == "game.ended"
    for kind, data, _secret in deal.log[:-1]:
        assert seed not in data, kind
        for hand in hands[1]:
            assert hand not in data, kind
    assert any(secret and hands[1][0] in secret for _, _, secret in deal.log)


def test_a_watcher_sees_hands_when_they_are_old_enough_and_never_before(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    async def visit(hall: Hall) -> None:
        luck = random.Random(14)
        async with people(hall, *SIX) as six, Person(hall) as watcher:
            await (await watcher.guest()).line()
            at = 100 * await room(six[0], "gouji", "score", "Late") + 1
            tables = await seated(six, at)
            await tables[0].do("set", options={"turn_seconds": 600})
            seen = await watcher.join(at)
            assert seen.info["watch"] == {"mode": "delayed", "delay_s": 180}
            await begun(hall, tables)
            held = [(hall.now, [Counter(table.view["hand"]) for table in tables])]  # when, and the hands from then on
            began = hall.now
            for _ in range(40):
                await play_on(hall, tables, luck)
                await caught_up(tables)
                held.append((hall.now, [Counter(table.view["hand"]) for table in tables]))
                await hall.jump(10_000)
                await watcher.settle()
                if hall.now < began + 180_000:
                    assert seen.late is None
            shown = 0
            for frame in map(json.loads, watcher.traffic):
                assert (frame.get("view") or {}).get("hand") is None
                if not frame.get("late"):
                    continue
                at = frame["late"]["at"]
                assert at <= frame["now"] - 180_000
                before = [hands for when, hands in held if when < at] or [held[0][1]]
                then = [hands for when, hands in held if when == at] or [
                    next(hands for when, hands in held if when > at)
                ]
                for seat, view in enumerate(frame["late"]["views"]):
                    hand = Counter(view["hand"])
                    assert then[-1][seat] <= hand <= before[-1][seat]
                    shown += 1
            assert shown > 60

    with standing(request, tmp_path / "hall", LATE) as hall:
        run(lambda: visit(hall))
        assert (hall.stop(), hall.complaints()) == (0, "")
