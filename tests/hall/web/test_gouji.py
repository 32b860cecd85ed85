"""A whole deal of gouji over the wire: six programs that know no rule, a watcher, and what none of them may see.

The deal is played once; the tests look at what every line has carried (platform W2, W14, W15, W16).
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from tests.client import Person, Server, chosen
from tests.hall.web.conftest import run

RANKS = "3456789TJQKA2xX"
CARDS = re.compile(r"[3-9TJQKA2xX]+")
ORDER = [3, 0, 1, 2, 4, 5]  # who sits down first leads


class Deal(NamedTuple):
    """What is left of the deal."""

    traffic: dict[int | None, list[str]]  # by seat, None the watcher
    told: dict[int | None, list[tuple[str, int, Any]]]
    seeds: dict[int, dict[str, str]]  # the client seeds that were given
    game: dict[str, Any]  # GET /g/<id>
    seats: list[dict[str, Any]]
    log: list[tuple[str, str, str | None]]  # type, data, secret


@pytest.fixture(scope="module")
def deal(hall: Server) -> Deal:
    async def visit() -> Deal:
        people = [Person(hall, seed=n) for n in range(7)]
        try:
            for person in people:
                await person.guest()
                await person.line()
            watcher = people.pop()
            made = {"game": "gouji", "options": {"burn_seconds": 1, "turn_seconds": 60}}
            at = (await people[0].post("/tables", made))["table"]
            for seat in ORDER:
                await people[seat].command("sit", table=at, seat=seat)
            seen = await watcher.join(at)
            for person in people:
                await person.command("ready", table=at, on=True)
            luck = random.Random(20)
            await asyncio.gather(*(chosen(person.tables[at], luck, lambda t: t.result) for person in people))
            await seen.until(lambda t: t.result)
            game = await watcher.get(f"/g/{seen.game['game_id']}")
            everyone = {**dict(enumerate(people)), None: watcher}
            db = sqlite3.connect(f"file:{hall.data}/hall.sqlite?mode=ro", uri=True)
            rows = db.execute(
                "SELECT type, data, secret FROM events WHERE stream = ? ORDER BY seq", (f"game:{game['game_id']}",)
            ).fetchall()
            db.close()
            return Deal(
                traffic={seat: person.traffic for seat, person in everyone.items()},
                told={seat: person.tables[at].told for seat, person in everyone.items()},
                seeds={seat: person.tables[at].seeds for seat, person in enumerate(people)},
                game=game,
                seats=seen.seats,
                log=rows,
            )
        finally:
            for person in [*people, watcher]:
                await person.close()

    found: Deal = run(visit)
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


def test_the_deal_is_whole(deal: Deal) -> None:
    result = deal.game["result"]
    assert sorted(result["places"]) == [1, 2, 3, 4, 5, 6]
    assert sum(result["points"]) == 0
    left = hands_through(deal.game)[-1]
    # All but the last have no cards; a failed burn leaves its cards, too.
    assert sum(hand == "" for hand in left) >= 3
    assert deal.game["first_seated"] == 3
    assert deal.game["rows"][0][0] == -1


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


def test_a_hand_is_counted_for_others_from_ten_cards_down_alone(deal: Deal) -> None:
    seen: set[int | None] = set()
    for message in during(deal.traffic[None]):
        if message.get("view"):
            seen |= set(message["view"]["counts"])
    assert seen <= {None, *range(11)}
    assert None in seen
    assert seen & set(range(1, 11))


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


def test_the_seed_is_sealed_until_the_end(deal: Deal) -> None:
    seed = deal.game["fair"]["server_seed"]
    for frames in deal.traffic.values():
        ended = [number for number, frame in enumerate(frames) if seed in frame]
        assert ended
        assert all('"game.ended"' in frames[number] or '"result":{' in frames[number] for number in ended)


def test_the_seal_was_shown_before_any_seed_was_taken(deal: Deal) -> None:
    fair = deal.game["fair"]
    assert hashlib.sha256(bytes.fromhex(fair["server_seed"])).hexdigest() == fair["commitment"]
    for seat, frames in deal.traffic.items():
        shown = [json.loads(frame)["game"] for frame in frames if '"game":{"game_id"' in frame]
        games = [game for game in shown if game and game["game_id"] == deal.game["game_id"]]
        assert games[0]["commitment"] == fair["commitment"]
        assert games[0]["client_seeds"] is None
        assert {game["commitment"] for game in games} == {fair["commitment"]}
        if seat is not None:
            assert deal.seeds[seat][deal.game["game_id"]] == fair["client_seeds"][seat]
    assert len(set(fair["client_seeds"])) == 6


def test_the_deal_is_what_the_seeds_give(deal: Deal) -> None:
    """P-92 written out once more, by the book and without the house's own code."""
    fair, game = deal.game["fair"], deal.game
    seeds = ",".join(seed.encode().hex() for seed in fair["client_seeds"])
    message = f"qipai-deal-v1|{game['game_id']}|{game['deal']}|{seeds}"
    key = hmac.digest(bytes.fromhex(fair["server_seed"]), message.encode(), "sha256")

    def words() -> Iterator[int]:
        for block in range(2**32):
            digest = hmac.digest(key, block.to_bytes(4, "big"), "sha256")
            yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))

    stream = words()

    def below(m: int) -> int:
        while True:
            word = next(stream)
            if word < 2**32 // m * m:
                return word % m

    cards = list(range(216))
    for i in range(215, 0, -1):
        j = below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    names = [RANKS[min(index // 16, 12)] if index < 208 else "xX"[(index - 208) // 4] for index in cards]
    leader = game["first_seated"]
    hands = [""] * 6
    for number, name in enumerate(names):
        hands[(leader + number) % 6] += name
    dealt = game["rows"][0][1]["hands"]
    assert [sorted(hand) for hand in dealt] == [sorted(hand) for hand in hands]
