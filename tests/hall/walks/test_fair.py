"""Fair deals in every game: sealed before any seed is given, opened after the end, reckoned again (platform W15)."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client import Person, Table
from tests.hall.walks.places import Hall, begun, people, play_out, seated, standing
from tests.hall.web.conftest import run

pytestmark = pytest.mark.slow

SEATS = {"gouji": 6, "baohuang": 5, "shengji": 4, "mahjong": 4, "backgammon": 2, "lianliankan": 2}
LUCK = {"deal", "next_deal", "dice", "die", "opening", "roll", "board"}


class Stream:
    """P-92 written out once more, by the book and without the house's own code."""

    def __init__(self, game: dict[str, Any]) -> None:
        fair = game["fair"]
        seeds = ",".join(seed.encode().hex() for seed in fair["client_seeds"])
        message = f"qipai-deal-v1|{game['game_id']}|{game['deal']}|{seeds}"
        self.key = hmac.digest(bytes.fromhex(fair["server_seed"]), message.encode(), "sha256")
        self.words = self._words()

    def _words(self) -> Iterator[int]:
        for block in range(2**32):
            digest = hmac.digest(self.key, block.to_bytes(4, "big"), "sha256")
            yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))

    def below(self, m: int) -> int:
        while True:
            word = next(self.words)
            if word < 2**32 // m * m:
                return word % m

    def dice(self, n: int) -> list[int]:
        return [self.below(6) + 1 for _ in range(n)]

    def shuffle(self, n: int) -> list[int]:
        cards = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards


def handed(cards: list[str], seats: int, first: int) -> list[list[str]]:
    """Give each seat the cards that fall to it, one by one from a seat on."""
    hands: list[list[str]] = [[] for _ in range(seats)]
    for number, card in enumerate(cards):
        hands[(first + number) % seats].append(card)
    return [sorted(hand) for hand in hands]


def drawn(game: dict[str, Any], action: dict[str, Any], stream: Stream) -> tuple[Any, Any]:
    """Return what seat -1 did, and what the stream gives for it: the table of P-92."""
    name, kind = game["game"], action["a"]
    if kind in ("dice", "opening", "roll"):
        return action["d"], stream.dice(2)
    if kind == "die":
        return action["d"], stream.dice(1)[0]
    if kind == "board":
        return action["seed"], "".join(f"{next(stream.words):08x}" for _ in range(8))
    if name == "gouji":
        ranks = "3456789TJQKA2"
        cards = [ranks[i // 16] if i < 208 else "xX"[(i - 208) // 4] for i in stream.shuffle(216)]
        return [sorted(hand) for hand in action["hands"]], handed(cards, 6, game["first_seated"])
    if name == "baohuang":
        names = [*"6" * 13, *(rank for rank in "789TJQKA2" for _ in range(16)), *"xxx", "x*", *"XXX", "X*"]
        hands = [sorted(re.findall(r"[xX]\*|.", hand)) for hand in action["hands"]]
        return hands, handed([names[i] for i in stream.shuffle(165)], 5, 0)
    if name == "shengji":
        starter = stream.below(4)
        plain = [rank + suit for rank in "23456789TJQKA" for suit in "SHCD"]
        deck = [[*plain, "x", "X"][i % 54] for i in stream.shuffle(108)]
        return (action["starter"], action["deck"]), (starter, deck)
    assert name == "mahjong"
    tiles = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)]
    wall = [number + suit for run, suit in re.findall(r"(\d+)([mps])", action["wall"]) for number in run]
    return wall, [tiles[i // 4] for i in stream.shuffle(108)]


def sealed(game: dict[str, Any], person: Person, table: Table) -> None:
    """The commitment came before this person's seed was given, and the server's seed with the end."""
    fair = game["fair"]
    shown = [json.loads(frame)["game"] for frame in person.traffic if '"game":{"game_id"' in frame]
    of_it = [one for one in shown if one and one["game_id"] == game["game_id"]]
    assert (of_it[0]["client_seeds"], of_it[0]["server_seed"]) == (None, None)
    assert {one["commitment"] for one in of_it} == {fair["commitment"]}
    assert table.seeds[game["game_id"]] == fair["client_seeds"][table.seat]
    opened = [frame for frame in person.traffic if fair["server_seed"] in frame]
    assert opened
    assert all('"game.ended"' in frame or '"result":{' in frame for frame in opened)


@pytest.mark.parametrize("name", SEATS)
def test_w15_the_deal_is_what_the_seeds_give(request: pytest.FixtureRequest, tmp_path: Path, name: str) -> None:
    async def visit(hall: Hall) -> None:
        async with people(hall, *(f"player{seat}" for seat in range(SEATS[name]))) as sitters:
            made = {"game": name, "seats": SEATS[name]}
            tables = await seated(sitters, (await sitters[0].post("/tables", made))["table"])
            await begun(hall, tables)
            await play_out(hall, tables, random.Random(15))
            game = await sitters[0].get(f"/g/{tables[0].game['game_id']}")
            fair = game["fair"]
            assert hashlib.sha256(bytes.fromhex(fair["server_seed"])).hexdigest() == fair["commitment"]
            assert len(set(fair["client_seeds"])) == SEATS[name]
            for person, table in zip(sitters, tables, strict=True):
                sealed(game, person, table)
            stream = Stream(game)
            luck = [row[1] for row in game["rows"] if row[0] == -1 and row[1]["a"] in LUCK and "n" not in row[1]]
            assert luck
            for action in luck:
                did, given = drawn(game, action, stream)
                assert did == given, action["a"]

    with standing(request, tmp_path / "hall") as hall:
        run(lambda: visit(hall))
        assert (hall.stop(), hall.complaints()) == (0, "")
