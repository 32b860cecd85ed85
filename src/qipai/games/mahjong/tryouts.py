"""The rulings of mahjong as small tables: what a hand waits for, what it is worth, what may be claimed (P-73)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from qipai.core.tryouts import TIMEOUT, Played, Position, Reckoned, Scene, SceneAsk, SceneRow, Script, Tryouts
from qipai.games.mahjong import conform
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.options import ITEMS
from qipai.games.mahjong.state import Die

__all__ = ["TRYOUTS"]

Given = Mapping[str, Any]
Json = Any

SPARE: Final = ("1m", "5m", "9m", "2p", "5p", "8p", "3s", "7s")  # beside the tiles of a case
FLAGS: Final = tuple(ITEMS)


def _tiles(text: str) -> list[str]:
    return [rank + suit for ranks, suit in re.findall(r"([1-9]+)([mps])", text) for rank in ranks]


def _sorted(tiles: list[str]) -> list[str]:
    return sorted(tiles, key=lambda tile: ("mps".index(tile[1]), tile[0]))


def _script(given: Given, expect: Json) -> Script:
    play = conform.Play(given)
    steps = [
        (play.seat(step[0]), step[1], step[2]["error"] if len(step) > 2 else None)
        for step in given.get("actions") or ()
        if step[0] is not None
    ]
    if not steps:
        steps = [
            (play.seat(name), actions[0], None) for name, actions in (expect.get("legal") or {}).items() if actions
        ][:1]
    die = Die(play.die or 1)
    return Script(
        play.rules,
        play.state,
        tuple(steps),
        luck=lambda state: die,
        places=t.SEATS + len(play.bench),
    )


def _meld_text(melds: Json) -> str:
    return "".join(meld["t"][0] * (4 if meld["k"] == "kong" else 3) + meld["t"][1] for meld in melds or ())


def _own(given: Given) -> list[SceneRow]:
    """Return the rows beside a hand that is picked: what lies on the table of it."""
    rows = [SceneRow("tiles", "melds", _meld_text(given["melds"]))] if given.get("melds") else []
    if given.get("void"):
        rows.append(SceneRow("mark", "void", f"ui.suit_{given['void']}"))
    if given.get("tile"):
        rows.append(SceneRow("tiles", "tile", given["tile"]))
    return rows


def _pick(given: Given) -> list[SceneAsk]:
    hand = _tiles(given["hand"])
    return [SceneAsk("pick", name="hand", of=_sorted([*hand, *SPARE]), now=hand)]


def _last(given: Given) -> list[SceneAsk]:
    """Return what lets a reader win by another tile, or another way."""
    return [
        SceneAsk("choice", name="tile", of=sorted({given["tile"], *(_tiles(given["hand"]))}), now=given["tile"]),
        SceneAsk("choice", name="by", of=["self", "discard"], now=given["by"], words="by"),
    ]


def _valued(given: Given, found: Json) -> tuple[str, Json]:
    items = [f"@term.{name} +{n}" for name, n in found["items"].items()]
    return ("fan" if items else "fan_none"), {"fan": found["fan"], "value": found["value"], "items": items}


def _fan(given: Given) -> Json:
    """Value a hand; a tile that does not complete it is none that wins."""
    whole = conform.is_win({**given, "hand": given["hand"] + given["tile"]})
    return conform.fans(given) if whole["win"] else None


def _checked(given: Given, found: Json) -> tuple[str, Json]:
    if found["da"] is None:
        return "unready", {}
    return "checked", {"most": found["da"]["value"], "least": found["xiao"]["value"]}


def _cha_jiao(given: Given) -> Json:
    ready = conform.waits(given)["ready"]
    return conform.cha_jiao(given) if ready else {"da": None, "xiao": None}


def _settle_asks(given: Given) -> list[SceneAsk]:
    options = given.get("options") or {}
    asks = [
        SceneAsk("choice", name=f"options.{name}", of=[False, True], now=value, words="yes", said=f"option.{name}")
        for name, value in options.items()
        if isinstance(value, bool)
    ]
    for n, event in enumerate(given["events"]):
        if event["e"] == "win":
            asks.append(SceneAsk("number", name=f"events.{n}.fan", low=0, high=6, now=event["fan"]))
    return asks


def _settle_rows(given: Given) -> list[SceneRow]:
    """Return what happened, line by line: who won or made a kong, and the hands when the wall was empty."""
    rows = []
    for event in given["events"]:
        if event["e"] == "kong":
            rows.append(SceneRow("mark", "kong_by", f"kong.{event['kind']}", seat=event["seat"]))
        elif event["e"] == "win":
            rows.append(SceneRow("mark", "won_by", f"by.{event['by']}", seat=event["seat"]))
        else:
            rows.extend(
                SceneRow("tiles", "hand", hand, seat=seat)
                for seat, hand in enumerate(event["hands"])
                if hand is not None
            )
    rows.extend(SceneRow("fact", "horse", horse["seat"] + 1) for horse in given.get("horses") or ())
    return rows


def _draw(position: Position) -> Scene:
    rules, state, seat = position.rules, position.state, position.seat
    seated = seat if seat < t.SEATS else None
    view = rules.observe(state, seat)
    rows = [SceneRow("mark", "asked", f"phase.{view.phase}"), SceneRow("fact", "wall", view.wall_left)]
    if view.last is not None and view.phase in ("claim", "rob", "wait"):
        rows.append(SceneRow("tiles", "thrown", view.last.t, seat=view.last.seat))
    asked = rules.turn(state).seats
    for one in range(t.SEATS):
        own = rules.observe(state, one)
        melds = "".join(meld.t[0] * (4 if meld.k == "kong" else 3) + meld.t[1] for meld in own.melds[one])
        if own.hand or melds:
            rows.append(SceneRow("tiles", "hand", own.hand or "", seat=one, on=one in asked, also={"melds": melds}))
    if any(view.full):
        rows.append(SceneRow("fact", "ledger", [f"{n:+d}" for n in view.full]))
    if rules.outcome(state) is not None:
        return Scene(tuple(rows), ())
    asks = []
    hand = _tiles(view.hand or "") if seated is not None else []
    if view.phase == "turn" and hand:
        asks.append(SceneAsk("pick", verb="discard", name="t", of=hand, one=True))
    if view.phase == "swap" and hand:
        asks.append(SceneAsk("pick", verb="swap", name="t", of=hand, listed=True))
    shown: list[Json] = []
    legal = [msgspec.json.decode(msgspec.json.encode(one)) for one in rules.legal(state, seat)]
    calls = [one for one in legal if one["a"] == "discard" and "call" in one][:4]
    others = [one for one in legal if one["a"] not in ("discard", "swap")][:12]
    for raw in (*others, *calls, *position.tries, {"a": "hu"}, {"a": "pass"}):
        if raw.get("a") in (None, "timeout", "gone") or raw in shown:
            continue
        if raw["a"] == "discard" and "call" not in raw:
            continue
        shown.append(raw)
        text = "".join(str(raw[name]) for name in ("t", "suit", "i") if name in raw and not isinstance(raw[name], list))
        verb = f"{raw['a']}_{raw['call']}" if "call" in raw else str(raw["a"])
        asks.append(SceneAsk("act", verb=verb, name=text, action=raw))
    asks.append(SceneAsk("act", verb="timeout", action=TIMEOUT))
    return Scene(tuple(rows), tuple(asks), seat)


TRYOUTS: Final = Tryouts(
    kinds={
        "script": Played(_script),
        "legal": Played(_script),
        "is_win": Reckoned(
            conform.is_win,
            _pick,
            _own,
            lambda given, found: (
                ("win_no", {})
                if not found["win"]
                else ("win_pairs" if "seven_pairs" in found["shapes"] else "win_yes", {})
            ),
        ),
        "waits": Reckoned(
            conform.waits,
            _pick,
            _own,
            lambda given, found: ("waits" if found["ready"] else "unready", {"waits": found["waits"]}),
        ),
        "fan": Reckoned(
            _fan,
            _last,
            lambda given: [*_own(given), SceneRow("tiles", "hand", given["hand"])],
            lambda given, found: ("win_no", {}) if found is None else _valued(given, found),
        ),
        "cha_jiao": Reckoned(_cha_jiao, _pick, _own, _checked),
        "pig": Reckoned(conform.pig, _pick, _own, lambda given, found: ("pig_yes" if found["pig"] else "pig_no", {})),
        "settle": Reckoned(
            conform.settle,
            _settle_asks,
            _settle_rows,
            lambda given, found: ("ledger", {"ledger": [f"{n:+d}" for n in found["ledger"].values()]}),
        ),
        "horse_seat": Reckoned(
            conform.KINDS["horse_seat"].run,
            lambda given: [
                SceneAsk("choice", name="tile", of=[f"{n}m" for n in range(1, 10)], now=given["tile"]),
                SceneAsk("choice", name="dealer", of=[0, 1, 2, 3], now=given["dealer"], words="seat"),
            ],
            says=lambda given, found: ("horse_seat", {"seat": found["seat"] + 1, "tile": given["tile"]}),
        ),
        "first_dealer": Reckoned(
            conform.KINDS["first_dealer"].run,
            lambda given: [
                SceneAsk("number", name="dice.0", low=1, high=6, now=given["dice"][0]),
                SceneAsk("number", name="dice.1", low=1, high=6, now=given["dice"][1]),
            ],
            says=lambda given, found: ("first_dealer", {"seat": found["dealer"] + 1}),
        ),
        "fine": Reckoned(
            conform.KINDS["fine"].run,
            lambda given: [SceneAsk("number", name="hands_done", low=0, high=40, now=given["hands_done"])],
            says=lambda given, found: ("fine", found),
        ),
    },
    draw=_draw,
    chapters={
        "hand": "R5 R6 R7 R9 R49",
        "turn": "R4 R34 R35 R36 R38 R42 R45",
        "pong": "R37",
        "kong": "R1 R12 R13 R14 R15 R43",
        "score": "R10 R11 R16 R39 R40 R41 R44 R46",
        "bloody": "R2 R3 R17",
        "transfer": "R18 R19",
        "lock": "R24",
        "last": "R25 R26",
        "call": "R27 R28 R29 R47",
        "checks": "R20 R21 R22 R23 R48",
        "horse": "R30 R31 R32",
        "house": "R8 R33",
    },
    codes={
        "hand_over": "R2",
        "wrong_phase": "R37",
        "not_your_turn": "R37",
        "already_out": "R3",
        "already_answered": "R37",
        "not_in_hand": "R36",
        "bad_action": "R36",
        "bad_swap": "R8",
        "already_called": "R27",
        "not_ready": "R27",
        "must_win": "R25",
        "cannot_win": "R7",
        "passed_win": "R24",
        "must_discard_void": "R7",
        "void_suit": "R7",
        "danced_tile": "R29",
        "must_stay_ready": "R27",
        "must_keep_waits": "R28",
        "no_pair": "R37",
        "no_kong": "R43",
        "kong_off": "R1",
        "late_kong": "R13",
        "wall_empty": "R14",
    },
    cases={
        "R6": "fan-002 fan-003 fan-006",
        "R8": "swap-006 swap-001",
        "R7": "iswin-005 void-001 void-002",
        "R17": "multi-001",
        "R29": "dance-001 dance-002",
        "R30": "horse-001",
        "R35": "legal-001",
        "R36": "error-001 timeout-002",
        "R42": "error-004",
        "R46": "fan-001",
        "R47": "legal-018",
        "R48": "pig-001",
    },
    untried={
        "R4": "numbers the modes and names the default",
        "R5": "corrects slips of the seed",
        "R44": "is about the chips of a room",
        "R45": "says that nothing depends on who is present",
        "R49": "names the style of play that the seed describes",
    },
)
